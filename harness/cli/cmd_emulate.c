#include "harness/cli/cli.h"

#include "harness/case/formats.h"
#include "harness/cli/console_table.h"
#include "harness/cli/export_files.h"
#include "harness/pages/json.h"
#include "harness/cli/record.h"
#include "harness/cli/refusals.h"
#include "harness/cli/screens.h"
#include "harness/console/emulate.h"
#include "harness/console/export.h"
#include "harness/console/import.h"
#include "harness/console/journal.h"
#include "harness/console/packs/packs.h"
#include "harness/console/program.h"
#include "harness/console/show.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char about[] =
    "picafuzz emulate - run cases in an emulator without a plug-in; its results become a backend\n"
    "\n"
    "usage: picafuzz emulate --sd DIRECTORY --name NAME [options] -- COMMAND {3dsx}...\n"
    "\n"
    "Puts a homebrew program with cases on the emulator's SD card and starts the emulator with it, again after each\n"
    "case in which the emulator crashes or stops responding, until all cases are done. The results are written to\n"
    "NAME.res, which is a backend. You compile nothing. docs/test-an-emulator-without-source.md leads from the\n"
    "emulator to a score and a page.\n"
    "\n"
    "  picafuzz emulate --sd ~/.config/emu/sdmc --name emu -- ./emu {3dsx}\n"
    "  picafuzz emulate --sd sdmc --name emu -- xvfb-run -a ./emu --fullscreen {3dsx}\n"
    "                                                      without a screen: it needs a window\n"
    "  picafuzz emulate --sd sdmc --name emu --limit 60 -- ./slow-emu {3dsx}\n"
    "  picafuzz emulate --sd sdmc --name emu --from my.pcase --from more/ -- ./emu {3dsx}\n"
    "  picafuzz emulate --sd sdmc --name emu --screens shots -- ./emu --dump-frames shots {3dsx}\n"
    "                                                      no memory comes back: cases show their colours, which\n"
    "                                                      are read from its screenshots (PNG)\n"
    "\n"
    "  picafuzz score -b recorded:emu.res                  then: how many of the frozen pack are right\n"
    "  picafuzz fingerprint -b recorded:emu.res -o emu.quirks\n"
    "  picafuzz diff -b reference,recorded:emu.res emu-cases       with --cases emu-cases above\n"
    "  picafuzz regress -b recorded:old.res -b recorded:new.res emu-cases\n"
    "\n"
    "{3dsx} stands for the path of the homebrew program; {sd}, if it is used, for the card's directory. DIRECTORY is\n"
    "what the emulator uses as its SD card; it may have other contents. Only 3ds/NAME.3dsx,\n"
    "3ds/picafuzz/NAME.journal and 3ds/picafuzz/NAME.results are written in it.\n"
    "\n"
    "An emulator that crashes in a case is started once more with that case: if it crashes again, the verdict of the\n"
    "case is `crash`. An emulator that writes nothing to the card for --limit seconds is ended: `hang`. A GPU that\n"
    "never says it is done is a `hang`, too. What the emulator cannot do (a way to read its memory, what is drawn)\n"
    "is found out first, and gives no verdict but `not tested`. An emulator that goes on after the program is done\n"
    "is ended, with all processes that it started. Cases that may hang a console are run, too, because a hang does\n"
    "no harm in an emulator.\n"
    "\n"
    "If this run is interrupted (Ctrl-C, a crash, a power cut), the same command continues it. A finished run is not\n"
    "repeated: for a newer build use another --name, or --anew.\n";

static const char exits[] =
    "exit codes: 0 done, 2 usage, bad input, or no case came to a result, 3 the emulator crashed or hung in\n"
    "a case, 4 host trouble, or the run was not completed: it was interrupted, or the emulator cannot\n"
    "complete it\n";

enum {
    MOST_PATH = 4096,
    MOST_FROM = 64,
    MOST_WORDS = 256
};

struct emulate_request {
    const char *sd, *name, *pack, *output, *cases, *screens;
    uint32_t hold;
    struct cli_list from;
    double limit;
    bool anew, json;
};

static const struct emulate_request defaults = { .limit = 20, .hold = CLI_SCREEN_BLANKS };

static const struct cli_option option_table[] = {
    { "sd", 0, CLI_WRITE, 0, 0, offsetof(struct emulate_request, sd), "DIRECTORY",
      "the directory that the emulator uses as its SD card; created if it is missing", NULL },
    { "name", 0, CLI_TEXT, 0, 0, offsetof(struct emulate_request, name), "NAME",
      "name of the emulator, of the results and of the files on the card: a-z, 0-9, _ and -", NULL },
    { "pack", 0, CLI_TEXT, 0, 0, offsetof(struct emulate_request, pack), "PACK",
      "cases that are built into picafuzz: score, splits, captures, decide, registers, numbers (default: score, the "
      "frozen "
      "pack)",
      NULL },
    { "from", 0, CLI_EACH_READ, 0, MOST_FROM, offsetof(struct emulate_request, from), "CASE_OR_DIRECTORY",
      "these cases instead", NULL },
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct emulate_request, output), "FILE",
      "the recorded results (default: NAME.res)", NULL },
    { "cases", 0, CLI_WRITE, 0, 0, offsetof(struct emulate_request, cases), "DIRECTORY",
      "write the cases there, for diff, triage and report", NULL },
    { "screens", 0, CLI_WRITE, 0, 0, offsetof(struct emulate_request, screens), "DIRECTORY",
      "where its screenshots are: cases show their colour buffer, which is read from there if memory does not come "
      "back",
      NULL },
    { "hold", 0, CLI_NUMBER, 1, 3600, offsetof(struct emulate_request, hold), "BLANKS",
      "with --screens: how long a case is shown, in vertical blanks, 60 a second", NULL },
    { "limit", 0, CLI_TIME, 0, 86400, offsetof(struct emulate_request, limit), "SECONDS",
      "wall time without a write to the card after which it counts as hung; three times as long for its start", NULL },
    { "anew", 0, CLI_FLAG, 0, 0, offsetof(struct emulate_request, anew), NULL,
      "start again, without the earlier results of this name", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct emulate_request, json), NULL, "one JSON object on stdout", NULL },
};

/* Everything that is open. */
struct work {
    const struct emulate_request *request;
    struct harness_text program; /* the .3dsx */
    struct console_view view;
    char sd[PATH_MAX], program_path[MOST_PATH], journal[MOST_PATH], results[MOST_PATH], output[MOST_PATH];
    struct console_asking asking; /* its export lasts until the program is made */
    struct cli_refusals refusals;
    struct console_screenshots *screenshots;
    struct console_emulated emulated;
    uint32_t outcomes[CONSOLE_OUTCOMES];
    int lock;
    bool has_results;
    cJSON *cases; /* with --json: those that did not end well */
};

/* ---------------------------------------------------------------------------------------------------------- export */

/* It takes a minute: so many cases were looked at. */
static void count_asked(void *user, const char *name, const struct console_answer *answer)
{
    struct work *const work = user;
    (void)name;
    if (!answer->taken)
        cli_refusals_add(&work->refusals, harness_text_string(&answer->reasons));
    if (isatty(STDERR_FILENO))
        cli_print(stderr, "making the program: %zu cases\n\033[1A\033[K", work->asking.asked + 1);
}

static void say_left_out(void *user, const char *path, const struct console_answer *answer)
{
    const char *const reasons = harness_text_string(&answer->reasons);
    (void)user;
    if (!answer->taken)
        cli_print(stderr, "%s: not taken: %.*s\n", path, (int)strcspn(reasons, "\n"), reasons);
}

static enum harness_status ask_files(struct work *work, struct harness_error *error)
{
    struct cli_paths paths = { .items = NULL };
    const struct cli_list *const from = &work->request->from;
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; status == HARNESS_OK && i < from->count; i++)
        if (cli_paths_add(&paths, from->items[i]) != CLI_OK)
            status = harness_fail(error, HARNESS_BAD_INPUT, "--from %s: no cases", from->items[i]);
    if (status == HARNESS_OK)
        status = cli_export_files(&work->asking, &paths, error);
    cli_paths_free(&paths);
    return status;
}

/* The program with its cases, in memory. */
static enum harness_status make_program(struct work *work, struct harness_error *error)
{
    const struct emulate_request *const request = work->request;
    struct console_export *export = NULL;
    size_t size = 0, payload_size = 0;
    const uint8_t *payload = NULL;
    const uint8_t *const program = console_program(&size);
    if (size == 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "this build has no program for a console: see picafuzz export");
    enum harness_status status = console_export_create(request->name, true, &export, error);
    if (status != HARNESS_OK)
        return status;
    const bool is_pack = request->from.count == 0;
    work->asking = (struct console_asking){ export, is_pack ? count_asked : say_left_out, work, 0, 0 };
    console_export_together(export);
    status = console_export_move(export, error);
    if (status == HARNESS_OK && request->screens != NULL)
        status = console_export_show(export, request->hold, error);
    if (status == HARNESS_OK)
        status = is_pack ? console_pack_by_name(request->pack)(&work->asking, error) : ask_files(work, error);
    if (status == HARNESS_OK && work->asking.taken == 0)
        status = harness_fail(error, HARNESS_BAD_INPUT, "none of %zu cases may be exported: picafuzz export --list",
                              work->asking.asked);
    if (status == HARNESS_OK)
        status = console_export_make(export, program, size, &work->program, error);
    console_export_destroy(export);
    if (status == HARNESS_OK)
        status = console_program_payload(work->program_path, (const uint8_t *)work->program.data, work->program.size,
                                         &payload, &payload_size, error);
    return status == HARNESS_OK ? console_view_open("the payload", payload, payload_size, &work->view, error) : status;
}

/* ------------------------------------------------------------------------------------------------------- the card */

static enum harness_status put_path(char *out, const char *directory, const char *folder, const char *name,
                                    const char *ending, struct harness_error *error)
{
    return (size_t)snprintf(out, MOST_PATH, "%s/%s%s%s", directory, folder, name, ending) < MOST_PATH
               ? HARNESS_OK
               : harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", directory);
}

static enum harness_status find_paths(struct work *work, struct harness_error *error)
{
    const struct emulate_request *const request = work->request;
    char folder[MOST_PATH];
    enum harness_status status = put_path(folder, request->sd, "3ds/picafuzz", "", "", error);
    if (status == HARNESS_OK)
        status = cli_make_directory(folder, error);
    if (status == HARNESS_OK && realpath(request->sd, work->sd) == NULL)
        status = harness_fail(error, HARNESS_HOST, "%s: is no directory", request->sd);
    if (status == HARNESS_OK)
        status = put_path(work->program_path, work->sd, "3ds/", request->name, ".3dsx", error);
    if (status == HARNESS_OK)
        status = put_path(work->journal, work->sd, "3ds/picafuzz/", request->name, ".journal", error);
    if (status == HARNESS_OK)
        status = put_path(work->results, work->sd, "3ds/picafuzz/", request->name, ".results", error);
    (void)snprintf(work->output, sizeof work->output, "%s%s", request->output != NULL ? request->output : request->name,
                   request->output != NULL ? "" : ".res");
    return status;
}

/* What lies on the card is left alone, and that is said. */
static void say_others(const struct work *work)
{
    size_t count = 0;
    DIR *const card = opendir(work->sd);
    for (const struct dirent *entry; card != NULL && (entry = readdir(card)) != NULL;)
        count += entry->d_name[0] != '.' && strcmp(entry->d_name, "3ds") != 0;
    if (card != NULL)
        (void)closedir(card);
    if (count != 0)
        cli_print(stderr, "%s holds other files: they are left alone\n", work->request->sd);
}

/* The program goes there, unless results of other cases would be lost. */
static enum harness_status put_program(struct work *work, struct harness_error *error)
{
    struct console_journal_state state = { .is_over = false };
    enum harness_status status =
        work->request->anew ? console_journal_forget(work->journal, work->results, error) : HARNESS_OK;
    if (status == HARNESS_OK)
        status = console_journal_read(work->journal, work->results, &work->view, &state, error);
    if (status == HARNESS_OK && work->request->screens != NULL)
        status = cli_make_directory(work->request->screens, error);
    if (status == HARNESS_OK && state.entries == 0 && work->request->screens != NULL &&
        cli_has_screens(work->request->screens))
        status =
            harness_fail(error, HARNESS_BAD_INPUT,
                         "%s: holds PNG files before anything was run; take another directory", work->request->screens);
    if (state.is_over)
        cli_print(stderr, "all is done already under this name (--anew forgets that): the emulator is not started\n");
    return status == HARNESS_OK ? harness_file_write(work->program_path, work->program.data, work->program.size, error)
                                : status;
}

/* -------------------------------------------------------------------------------------------------------- emulator */

static void show_note(void *user, const struct console_emulate_note *note)
{
    (void)user;
    const char *const what = note->is_self_test ? "self-test " : "";
    switch (note->kind) {
    case CONSOLE_EMULATE_START: break;
    case CONSOLE_EMULATE_RUN:
        if (isatty(STDERR_FILENO))
            cli_print(stderr, "%" PRIu32 " of %" PRIu32 " runs\n\033[1A\033[K", note->done, note->total);
        break;
    case CONSOLE_EMULATE_AGAIN:
        cli_print(stderr, "%s%s: the emulator ended in it (%s); once more\n", what, note->name, note->how);
        break;
    case CONSOLE_EMULATE_CRASHED:
        cli_print(stderr, "%s%s: crash (%s); on behind it\n", what, note->name, note->how);
        break;
    case CONSOLE_EMULATE_HUNG: cli_print(stderr, "%s%s: hang; on behind it\n", what, note->name); break;
    }
}

/* A word of the command line with the paths in it; NULL without memory. */
static char *fill_word(const struct work *work, const char *word)
{
    struct harness_text text = { 0 };
    for (const char *at = word; *at != '\0';) {
        const bool program = strncmp(at, "{3dsx}", 6) == 0, card = strncmp(at, "{sd}", 4) == 0;
        if (program || card)
            harness_text_add(&text, program ? work->program_path : work->sd);
        else
            harness_text_bytes(&text, at, 1);
        at += program ? 6 : card ? 4 : 1;
    }
    char *const out = text.failed ? NULL : strdup(harness_text_string(&text));
    harness_text_free(&text);
    return out;
}

static enum harness_status start_emulator(struct work *work, int count, char **words, struct harness_error *error)
{
    char *command[MOST_WORDS + 1] = { NULL };
    enum harness_status status = HARNESS_OK;
    for (int i = 0; status == HARNESS_OK && i < count; i++) {
        command[i] = fill_word(work, words[i]);
        if (command[i] == NULL)
            status = harness_fail_memory(error);
    }
    /* What it shows leaves no trace on the card meanwhile. */
    const double shows = work->request->screens != NULL ? CONSOLE_MOST_SHOWS * (work->request->hold + 1.0) / 60.0 : 0.0;
    const struct console_emulate emulate = { .view = &work->view,
                                             .journal = work->journal,
                                             .results = work->results,
                                             .command = command,
                                             .limit = work->request->limit + shows,
                                             .is_interrupted = cli_is_interrupted,
                                             .observer = show_note,
                                             .user = work };
    cli_catch_interrupts();
    if (status == HARNESS_OK)
        status = console_emulate_run(&emulate, &work->emulated, error);
    for (int i = 0; i < count; i++)
        free(command[i]);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- results */

static void take_case(void *user, const struct console_imported *imported)
{
    struct work *const work = user;
    const char *const outcome = console_outcome_name(imported->outcome);
    work->outcomes[imported->outcome]++;
    if (imported->outcome == CONSOLE_OUTCOME_OK || imported->outcome == CONSOLE_OUTCOME_ONCE ||
        imported->outcome == CONSOLE_OUTCOME_NOT_TESTED || imported->outcome == CONSOLE_OUTCOME_NOT_RUN ||
        imported->outcome == CONSOLE_OUTCOME_SHOWN)
        return;
    if (work->cases == NULL) {
        cli_print(stdout, "%s: %s\n", imported->name, outcome);
        return;
    }
    cJSON *const object = harness_json_row(work->cases);
    (void)cJSON_AddStringToObject(object, "case", imported->name);
    (void)cJSON_AddStringToObject(object, "outcome", outcome);
    if (imported->outcome == CONSOLE_OUTCOME_CRASH)
        (void)cJSON_AddNumberToObject(object, imported->code < 256 ? "signal" : "exit_code",
                                      imported->code < 256 ? imported->code : imported->code - 256);
}

static enum harness_status import_results(struct work *work, struct harness_error *error)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    char date[64];
    struct stat file;
    struct console_results results;
    if (stat(work->results, &file) != 0 || file.st_size == 0)
        return HARNESS_OK;
    cli_record_date(date, sizeof date);
    enum harness_status status = harness_file_read(work->results, &bytes, &size, error);
    if (status == HARNESS_OK)
        status = console_results_parse(work->results, bytes, size, &work->view, &results, error);
    if (status != HARNESS_OK) {
        free(bytes);
        return status;
    }
    results.name = work->request->name;
    if (work->cases == NULL)
        cli_print_console_machine(&work->view, &results);
    if (work->request->screens != NULL)
        status = cli_read_screens(work->request->screens, &work->view, &work->screenshots, error);
    const struct console_import import = { .view = &work->view,
                                           .results = &results,
                                           .count = 1,
                                           .path = work->output,
                                           .program = "picafuzz " PICAFUZZ_VERSION,
                                           .date = date,
                                           .machine = work->request->name,
                                           .is_emulator = true,
                                           .screenshots = work->screenshots,
                                           .observer = take_case,
                                           .user = work };
    if (status == HARNESS_OK)
        status = console_import_write(&import, error);
    console_results_free(&results);
    free(bytes);
    work->has_results = status == HARNESS_OK;
    return status;
}

/* "blend/x" becomes DIRECTORY/blend/x.pcase. */
static enum harness_status write_case(const struct work *work, uint32_t index, struct harness_error *error)
{
    char path[MOST_PATH];
    struct harness_text text = { 0 };
    enum harness_status status =
        cli_case_path(work->request->cases, console_view_case_name(&work->view, index), path, sizeof path, error);
    if (status == HARNESS_OK)
        status = console_view_source(&work->view, index, &text, error);
    if (status == HARNESS_OK)
        status = harness_file_write_lazily(path, text.data, text.size, error);
    harness_text_free(&text);
    return status;
}

static enum harness_status write_cases(const struct work *work, struct harness_error *error)
{
    const struct console_payload *const head = &work->view.head;
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = head->self_test_count; status == HARNESS_OK && i < head->case_count; i++)
        status = write_case(work, i, error);
    return status;
}

/* -------------------------------------------------------------------------------------------------------- the end */

static void print_json(struct work *work)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON *const outcomes = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(object, "name", work->request->name);
    (void)cJSON_AddStringToObject(object, "recorded", work->has_results ? work->output : "");
    (void)cJSON_AddBoolToObject(object, "done", work->emulated.is_over);
    (void)cJSON_AddNumberToObject(object, "starts", work->emulated.starts);
    (void)cJSON_AddNumberToObject(object, "asked", (double)work->asking.asked);
    (void)cJSON_AddNumberToObject(object, "exported", (double)work->asking.taken);
    for (uint32_t i = 0; i < CONSOLE_OUTCOMES; i++)
        (void)cJSON_AddNumberToObject(outcomes, console_outcome_name((enum console_outcome)i), work->outcomes[i]);
    (void)cJSON_AddItemToObject(object, "outcomes", outcomes);
    (void)cJSON_AddItemToObject(object, "cases", work->cases);
    work->cases = NULL;
    cli_print_json(object);
}

static void print_totals(struct work *work)
{
    const struct emulate_request *const request = work->request;
    cli_print_outcomes(work->outcomes);
    cli_print(stdout, "%zu of %zu cases could be exported; %u %s\n", work->asking.taken, work->asking.asked,
              (unsigned)work->emulated.starts, cli_word(work->emulated.starts, "start", "starts"));
    cli_refusals_print(&work->refusals, CLI_REFUSALS_PRINTED);
    if (!work->has_results)
        return;
    cli_print(stdout, "score it:   picafuzz score -b recorded:%s\n", work->output);
    if (request->cases != NULL)
        cli_print(stdout, "compare it: picafuzz diff -b reference,recorded:%s %s\n", work->output, request->cases);
}

static int say_end(struct work *work)
{
    const bool is_cut = !work->emulated.is_over && cli_is_interrupted();
    if (work->request->json)
        print_json(work);
    else
        print_totals(work);
    if (is_cut)
        cli_print(stderr, "interrupted: what is done is kept, the same command goes on\n");
    if (work->emulated.why[0] != '\0')
        cli_print(stderr, "picafuzz emulate: %s\n", work->emulated.why);
    if (work->emulated.why[0] != '\0' && getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL)
        cli_print(stderr, "there is no screen here: if it needs a window, put `xvfb-run -a` before it\n");
    int code = work->emulated.is_over ? CLI_OK : CLI_HOST;
    if (work->outcomes[CONSOLE_OUTCOME_HANG] + work->outcomes[CONSOLE_OUTCOME_CRASH] != 0)
        code = cli_worse(code, CLI_CRASHED);
    if (console_outcome_results(work->outcomes) != 0)
        return code;
    cli_print(stderr, "picafuzz emulate: no case came to a result\n");
    return cli_worse(code, CLI_USAGE);
}

static int run_emulate(struct work *work, int count, char **words)
{
    struct harness_error error = { "" };
    enum harness_status status = find_paths(work, &error);
    if (status == HARNESS_OK)
        status = console_journal_hold(work->journal, &work->lock, &error);
    if (status == HARNESS_OK)
        say_others(work);
    if (status == HARNESS_OK)
        status = make_program(work, &error);
    if (status == HARNESS_OK && work->request->cases != NULL)
        status = write_cases(work, &error);
    if (status == HARNESS_OK)
        status = put_program(work, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    status = start_emulator(work, count, words, &error);
    struct harness_error *const other = status == HARNESS_OK ? &error : NULL; /* or the first would be lost */
    const enum harness_status imported = import_results(work, other);
    const int code = imported == HARNESS_OK ? say_end(work) : CLI_OK;
    status = status != HARNESS_OK ? status : imported;
    return status == HARNESS_OK ? code : cli_worse(code, cli_fail(status, &error));
}

static int command_emulate(void *opaque, int count, char **words)
{
    struct emulate_request *const request = opaque;
    bool has_place = false;
    for (int i = 0; i < count; i++)
        has_place = has_place || strstr(words[i], "{3dsx}") != NULL;
    if (request->sd == NULL || request->name == NULL)
        return cli_usage("emulate", "say --sd DIRECTORY and --name NAME");
    if (request->pack != NULL && request->from.count != 0)
        return cli_usage("emulate", "give --pack or --from");
    if (request->pack == NULL)
        request->pack = "score";
    if (console_pack_by_name(request->pack) == NULL)
        return cli_usage("emulate", "there is no pack '%s': score, splits, captures, decide, registers, numbers",
                         request->pack);
    if (count == 0 || !has_place)
        return cli_usage("emulate", "after --, the emulator's command, with {3dsx} where the path of the program goes");
    if (count > MOST_WORDS)
        return cli_usage("emulate", "a command of at most %d words", MOST_WORDS);
    struct work *const work = calloc(1, sizeof *work);
    if (work == NULL)
        return cli_fail(HARNESS_HOST, &(struct harness_error){ "out of memory" });
    work->request = request;
    work->cases = request->json ? cJSON_CreateArray() : NULL;
    work->lock = -1;
    const int code = run_emulate(work, count, words);
    if (work->lock >= 0)
        (void)close(work->lock);
    cJSON_Delete(work->cases);
    console_screenshots_destroy(work->screenshots);
    harness_text_free(&work->program);
    free(work);
    return code;
}

const struct cli_command cli_cmd_emulate = {
    CLI_COMMAND("emulate", command_emulate, "run cases in an emulator without a plug-in; its results become a backend"),
    .options = { CLI_OWN_OPTIONS },
};
