#include "harness/cli/cli.h"
#include "harness/cli/export_files.h"
#include "harness/cli/refusals.h"
#include "harness/cli/screens.h"

#include "harness/console/export.h"
#include "harness/console/packs/packs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char about[] =
    "picafuzz export - cases for a real console: one .3dsx file to copy to its SD card\n"
    "\n"
    "usage: picafuzz export --3dsx -o DIRECTORY [options] CASE_OR_DIRECTORY...\n"
    "       picafuzz export --pack decide|splits|registers|numbers -o DIRECTORY [options]\n"
    "       picafuzz export --list [options] CASE_OR_DIRECTORY... | --pack PACK\n"
    "\n"
    "NOT YET RUN ON A CONSOLE. It runs in a test machine that was built from public documentation; nobody has sent\n"
    "results yet. docs/run-on-a-console.md has the three steps for those who have a console; docs/console-facts.md\n"
    "says what the program relies on, and what it writes where.\n"
    "\n"
    "  picafuzz export --list corpus/seeds                  which cases may be exported; of the others, why not\n"
    "  picafuzz export --3dsx -o card corpus/seeds          card/cases.3dsx\n"
    "  picafuzz export --3dsx -o card --name mine my.pcase  card/mine.3dsx\n"
    "  picafuzz export --3dsx -o card --may-hang corpus/    also cases with one event that may hang the GPU, for each\n"
    "                                                       such event a file of its own: cases-hang1.3dsx, ...\n"
    "  picafuzz export --pack decide -o card                card/decide.3dsx: the first to run, what decides most "
    "rules\n"
    "  picafuzz export --pack splits -o card                card/splits.3dsx: where sources differ, open questions\n"
    "  picafuzz export --pack registers -o card             card/registers.3dsx: which bits of each register are "
    "stored\n"
    "  picafuzz export --pack numbers -o card               card/numbers.3dsx: what arithmetic computes, and blending\n"
    "  picafuzz export --pack numbers --only mov,rcp -o card\n"
    "                                                       RCP alone, and the test of its reading\n"
    "  picafuzz export --pack splits --list                 which of them may be exported; of the others, why not\n"
    "  picafuzz export --pack splits --may-hang -o card     also those that may hang, splits-hang1.3dsx, ...\n"
    "  picafuzz export --pack splits --screens -o card      each case shows its colour buffer on the upper screen, "
    "for\n"
    "                                                       screenshots of an emulator that gives nothing back\n"
    "\n"
    "Copy the file to /3ds on the card and start it from a homebrew launcher. It writes NAME.results into\n"
    "/3ds/picafuzz, which `picafuzz import-results` turns into a recorded backend. A hang costs one case, not the\n"
    "run: start it again.\n"
    "\n"
    "Only cases that are proved harmless are exported: `reference` runs each case, and everything that it reads and\n"
    "writes must lie in the case's windows, which must lie in VRAM. Cases that touch LCD controllers, interrupt\n"
    "registers or addresses outside are never exported.\n"
    "\n"
    "A pack is a set of cases that is built into picafuzz. `import-results` prints a table of its results by rule:\n"
    "confirmed, contradicted (and which side fits), unstable, hang, not covered.\n";

static const char exits[] = "exit codes: 0 done, 2 usage, bad input, or no case may be exported, 4 host trouble\n";

struct export_request {
    bool is_3dsx, list, safe, may_hang, screens;
    uint32_t hold;
    const char *output, *name, *pack, *only;
};

static const struct export_request defaults = { .hold = CLI_SCREEN_BLANKS };

static const struct cli_option option_table[] = {
    { "3dsx", 0, CLI_FLAG, 0, 0, offsetof(struct export_request, is_3dsx), NULL, "write .3dsx files", NULL },
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct export_request, output), "DIRECTORY", "where to", NULL },
    { "name", 0, CLI_TEXT, 0, 0, offsetof(struct export_request, name), "NAME",
      "name of the files here and on the card: a-z, 0-9, _ and - (default: cases, or that of the pack)", NULL },
    { "pack", 0, CLI_TEXT, 0, 0, offsetof(struct export_request, pack), "PACK",
      "decide, splits, registers, numbers, score or captures: cases that are built into picafuzz", NULL },
    { "only", 0, CLI_TEXT, 0, 0, offsetof(struct export_request, only), "PREFIX[,..]",
      "of the pack, only cases whose names begin with this", NULL },
    { "list", 0, CLI_FLAG, 0, 0, offsetof(struct export_request, list), NULL,
      "write nothing; say of each case whether it may be exported, and why not", NULL },
    { "safe", 0, CLI_FLAG, 0, 0, offsetof(struct export_request, safe), NULL,
      "no case that may hang: with an event of undefined behaviour, or one of docs/spec/80-console.md; this is the "
      "default",
      NULL },
    { "may-hang", 0, CLI_FLAG, 0, 0, offsetof(struct export_request, may_hang), NULL,
      "also cases with one such event, which may hang the GPU", NULL },
    { "screens", 0, CLI_FLAG, 0, 0, offsetof(struct export_request, screens), NULL,
      "each case shows its colour buffer: for `import-results --screens`", NULL },
    { "hold", 0, CLI_NUMBER, 1, 3600, offsetof(struct export_request, hold), "BLANKS",
      "with --screens: how long, in vertical blanks, 60 a second", NULL },
};

/* What is told while cases are asked. */
struct telling {
    const struct export_request *request;
    struct cli_refusals refusals;
};

static void print_answer(const struct export_request *request, const char *path, const struct console_answer *answer)
{
    if (!answer->taken) {
        cli_print(stdout, "no   %s\n", path);
        cli_print_lines("       ", harness_text_string(&answer->reasons));
    } else if (request->list && answer->suspect != NULL) {
        cli_print(stdout, "yes  %s (may hang: %s)\n", path, answer->suspect);
    } else if (request->list && answer->open != NULL) {
        cli_print(stdout, "yes  %s (its result is open: %s)\n", path, answer->open);
    } else if (request->list) {
        cli_print(stdout, "yes  %s\n", path);
    }
}

/* Of files, who is left out is named; of a pack, only in a list of all. */
static void say_case(void *user, const char *name, const struct console_answer *answer)
{
    struct telling *const telling = user;
    const struct export_request *const request = telling->request;
    if (!answer->taken)
        cli_refusals_add(&telling->refusals, harness_text_string(&answer->reasons));
    if (request->list || request->pack == NULL)
        print_answer(request, name, answer);
}

/* *results: bytes that the cases leave on the card at most. */
static enum harness_status write_files(const struct export_request *request, struct console_export *export,
                                       uint64_t *results, struct harness_error *error)
{
    struct console_file files[CONSOLE_MOST_FILES];
    size_t count = 0;
    enum harness_status status = cli_make_directory(request->output, error);
    if (status == HARNESS_OK)
        status = console_export_write(export, request->output, files, &count, error);
    *results = 0;
    for (size_t i = 0; status == HARNESS_OK && i < count; i++) {
        cli_print(stdout, "%s/%s: %u cases, %zu bytes%s%s\n", request->output, files[i].name, (unsigned)files[i].cases,
                  files[i].bytes, files[i].suspect != NULL ? "; may hang: " : "",
                  files[i].suspect != NULL ? files[i].suspect : "");
        if (request->screens)
            cli_print(stdout, "%s/%s: %u of them show their colour buffer\n", request->output, files[i].name,
                      (unsigned)files[i].shown);
        *results += files[i].results;
    }
    return status;
}

/* A run needs 1 to 2 ms of IPC and GPU (docs/console-facts.md does not know better); that START and DONE take 60 ms of
 * a slow card, and that it takes 1 MB of results a second, are assumptions. A case that hangs costs one second more. */
static void say_estimate(size_t cases, uint64_t results)
{
    enum {
        RUNS = 2,
        RUN_MILLISECONDS = 2 + 60,
        HANG_MILLISECONDS = 1000,
        BYTES_A_MILLISECOND = 1000
    };
    const uint64_t milliseconds = (uint64_t)cases * RUNS * RUN_MILLISECONDS + results / BYTES_A_MILLISECOND;
    cli_print(stdout,
              "on a console about %" PRIu64 " s, at most %" PRIu64
              " s if every case hangs: an estimate, nobody measured it\n",
              milliseconds / 1000 + 1, (milliseconds + (uint64_t)cases * HANG_MILLISECONDS) / 1000 + 1);
}

static int run_export(const struct export_request *request, const struct cli_paths *paths)
{
    struct harness_error error = { "" };
    struct telling telling = { .request = request };
    struct console_asking asking = { .observer = say_case, .user = &telling };
    uint64_t results = 0;
    const char *const name = request->name != NULL ? request->name : request->pack != NULL ? request->pack : "cases";
    enum harness_status status = console_export_create(name, request->may_hang, &asking.export, &error);
    if (status == HARNESS_OK && request->screens)
        status = console_export_show(asking.export, request->hold, &error);
    if (status == HARNESS_OK)
        console_export_only(asking.export, request->only);
    if (status == HARNESS_OK && request->pack != NULL)
        status = console_pack_by_name(request->pack)(&asking, &error);
    else if (status == HARNESS_OK)
        status = cli_export_files(&asking, paths, &error);
    if (status == HARNESS_OK && asking.taken != 0 && !request->list)
        status = write_files(request, asking.export, &results, &error);
    if (status == HARNESS_OK && asking.taken != 0 && request->pack != NULL)
        say_estimate(asking.taken, results);
    console_export_destroy(asking.export);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    cli_print(stdout, "%zu of %zu cases may be exported\n", asking.taken, asking.asked);
    if (request->pack != NULL && request->only == NULL)
        cli_refusals_print(&telling.refusals, request->list ? CLI_REFUSALS : CLI_REFUSALS_PRINTED);
    if (asking.taken == 0 && request->only != NULL)
        cli_print(stdout, "--only: no case that may be exported begins with '%s'; --list names all\n", request->only);
    if (!request->list && asking.taken != 0)
        puts("not yet run on a console; how to: docs/run-on-a-console.md");
    return asking.taken != 0 ? CLI_OK : CLI_USAGE;
}

static int command_export(void *opaque, int count, char **files)
{
    const struct export_request *const request = opaque;
    struct cli_paths paths = { .items = NULL };
    const bool is_pack = request->pack != NULL;
    if (is_pack && console_pack_by_name(request->pack) == NULL)
        return cli_usage("export", "there is no pack '%s': decide, splits, registers, numbers, score, captures",
                         request->pack);
    if (is_pack == (count != 0))
        return cli_usage("export", "give cases or directories, or --pack PACK");
    if (request->only != NULL && !is_pack)
        return cli_usage("export", "--only picks cases of a --pack");
    if (request->safe && request->may_hang)
        return cli_usage("export", "--safe and --may-hang exclude each other");
    if (!request->list && ((!request->is_3dsx && !is_pack) || request->output == NULL))
        return cli_usage("export", "say --3dsx -o DIRECTORY, or --list");
    int code = is_pack ? CLI_OK : cli_paths_add_all(&paths, files, count);
    if (code == CLI_OK)
        code = run_export(request, &paths);
    cli_paths_free(&paths);
    return code;
}

const struct cli_command cli_cmd_export = {
    CLI_COMMAND("export", command_export, "cases for a real console, as a .3dsx file (not yet run on one)"),
    .options = { CLI_OWN_OPTIONS },
};
