#include "harness/cli/cli.h"

#include "harness/case/formats.h"
#include "harness/cli/console_table.h"
#include "harness/cli/record.h"
#include "harness/cli/screens.h"
#include "harness/console/import.h"
#include "harness/console/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "picafuzz import-results - turn a console's results into a backend for diff, triage, report\n"
    "\n"
    "usage: picafuzz import-results -o FILE [options] NAME.results...\n"
    "\n"
    "NOT YET RUN ON A CONSOLE: see `picafuzz export --help`. The exported file runs in emulators, too.\n"
    "\n"
    "  picafuzz import-results -o o3ds.res cases.results               the exported cases.3dsx lies beside it\n"
    "  picafuzz import-results --from card/cases.3dsx -o o3ds.res cases.results\n"
    "  picafuzz import-results -o all.res a/cases.results b/cases.results\n"
    "                                                                  two consoles, one export: merged\n"
    "  picafuzz import-results --machine myemu -o myemu.res cases.results\n"
    "                                                                  an emulator, which does not say its name\n"
    "  picafuzz import-results --screens shots -o myemu.res cases.results\n"
    "                                                                  of `export --screens`: what did not come back "
    "is\n"
    "                                                                  read from screenshots (PNG) in shots/\n"
    "  picafuzz diff -b reference,recorded:o3ds.res corpus/seeds       console against reference\n"
    "  picafuzz diff -b recorded:o3ds.res,recorded:n3ds.res corpus/    console against console\n"
    "\n"
    "Each case has a line: ok (run twice, the same both times); ok, run once; unstable (two different results, also\n"
    "from several runs or consoles); hang; not held (interrupted, skipped); not run; not tested (it ran, but what it\n"
    "changes cannot be read back on this machine: its self-tests say what can). Only memory is read back, so only\n"
    "memory is compared; a case that hung, was unstable or is not held is `not tested`, never a divergence. A case\n"
    "that needs depth where depth cannot be read back is compared without it. A console cannot run part of a case\n"
    "again: the draw that `diff` names comes from reference's history of the pixel, and the stage is inferred from\n"
    "it where the history tells stages apart.\n"
    "\n"
    "  picafuzz import-results -o decide.res --decisions decide.json decide.results\n"
    "                                                                  of `export --pack decide`: what it decides\n"
    "  picafuzz import-results -o splits.res splits.results            of `export --pack splits`: a table by rule\n"
    "  picafuzz import-results -o n.res --wrong n.csv numbers.results  of `export --pack numbers`: all that is wrong\n"
    "\n"
    "Results of the packs `decide` and `splits` end with a line for each rule: confirmed (the side of docs/spec),\n"
    "contradicted (with the side or answer that fits, or the words that were left if none does), unstable, hang, not\n"
    "covered (with the reason). Then follow fifty open questions, what answers each (corpus/questions), and what is\n"
    "left open; then what each case shows, most important first: what it left, and which side that is. --decisions\n"
    "writes this for `ci/amend`, which changes tags and sides in the project's text. Results of the pack `registers`\n"
    "end with a line for each register: which bits are documented, and which came back as written. Those of the pack\n"
    "`numbers` end with a line for each operation: how many of its results differ from what is expected, and for\n"
    "some operations what was computed instead, bit by bit.\n";

static const char exits[] =
    "exit codes: 0 done, 2 usage or bad input, or no case of the file came to a result, 4 host trouble\n";

enum {
    MOST_RESULTS = 16
};

struct import_results_request {
    const char *output, *from, *wrong, *decisions, *machine, *screens;
    bool quiet;
};

static const struct import_results_request defaults = { .output = NULL };

static const struct cli_option option_table[] = {
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct import_results_request, output), "FILE",
      "where the recorded results go", NULL },
    { "from", 0, CLI_READ, 0, 0, offsetof(struct import_results_request, from), "FILE.3dsx",
      "the exported file (default: the name of the first results, with .3dsx)", NULL },
    { "machine", 0, CLI_TEXT, 0, 0, offsetof(struct import_results_request, machine), "NAME",
      "the name of the machine in verdicts (default: what the results say)", NULL },
    { "screens", 0, CLI_READ, 0, 0, offsetof(struct import_results_request, screens), "DIRECTORY",
      "PNG files of the emulator's screen: colours of cases that do not come back", NULL },
    { "wrong", 0, CLI_WRITE, 0, 0, offsetof(struct import_results_request, wrong), "FILE.csv",
      "of the pack numbers: all inputs that came out otherwise, and what was computed", NULL },
    { "decisions", 0, CLI_WRITE, 0, 0, offsetof(struct import_results_request, decisions), "FILE.json",
      "of the packs decide and splits: which side of what, for ci/amend", NULL },
    { "quiet", 'q', CLI_FLAG, 0, 0, offsetof(struct import_results_request, quiet), NULL,
      "print no line for a case that is ok", NULL },
};

/* Everything that is open. */
struct work {
    const struct import_results_request *request;
    uint8_t *program;
    struct console_view view;
    uint8_t *files[MOST_RESULTS];
    struct console_results results[MOST_RESULTS];
    size_t count;
    struct console_screenshots *screenshots;
    uint32_t outcomes[CONSOLE_OUTCOMES];
    struct console_splits_table splits;
    struct console_numbers_table numbers;
    size_t case_count, split_count, number_count; /* of the file: all, and those with a name of the packs */
};

static void say_missing(const char *name, uint32_t missing)
{
    struct harness_text text = { 0 };
    console_capabilities_say(missing, &text);
    cli_print(stdout, "%s: not tested: %s did not come back\n", name,
              missing != 0 ? harness_text_string(&text) : "a page of its memory");
    harness_text_free(&text);
}

static void say_case(void *user, const struct console_imported *imported)
{
    struct work *const work = user;
    char operation[40] = "", status[48] = "";
    work->outcomes[imported->outcome]++;
    work->case_count++;
    work->number_count += console_numbers_note(&work->numbers, imported);
    work->split_count += console_splits_note(&work->splits, imported);
    if (work->request->quiet && imported->outcome == CONSOLE_OUTCOME_OK)
        return;
    if (imported->outcome == CONSOLE_OUTCOME_NOT_TESTED) {
        say_missing(imported->name, imported->missing);
        return;
    }
    if (imported->outcome == CONSOLE_OUTCOME_NOT_HELD)
        (void)snprintf(status, sizeof status, " (%s)", console_run_status_name(imported->status));
    if (imported->outcome == CONSOLE_OUTCOME_UNSTABLE || imported->outcome == CONSOLE_OUTCOME_HANG ||
        imported->outcome == CONSOLE_OUTCOME_CRASH || imported->outcome == CONSOLE_OUTCOME_NOT_HELD)
        (void)snprintf(operation, sizeof operation, " at operation %" PRIu32, imported->operation);
    cli_print(stdout, "%s: %s%s%s\n", imported->name, console_outcome_name(imported->outcome), status, operation);
}

/* Would an output overwrite the exported file? Asked here, for the file need not be named by --from. */
static bool is_spoilt(const struct import_results_request *request, const char *path)
{
    const char *const outputs[] = { request->output, request->wrong, request->decisions };
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        if (outputs[i] != NULL && cli_is_same_file(path, outputs[i]))
            return true;
    return false;
}

static enum harness_status open_program(struct work *work, const char *first, struct harness_error *error)
{
    char path[4096];
    const uint8_t *payload = NULL;
    size_t size = 0, payload_size = 0;
    if (work->request->from != NULL)
        (void)snprintf(path, sizeof path, "%s", work->request->from);
    else
        (void)snprintf(path, sizeof path, "%.*s.3dsx", (int)cli_without_extension(first), first);
    if (is_spoilt(work->request, path))
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: is read, and would be overwritten; give another name", path);
    enum harness_status status = harness_file_read(path, &work->program, &size, error);
    if (status == HARNESS_OK)
        status = console_program_payload(path, work->program, size, &payload, &payload_size, error);
    return status == HARNESS_OK ? console_view_open("the payload", payload, payload_size, &work->view, error) : status;
}

static enum harness_status open_results(struct work *work, const char *path, struct harness_error *error)
{
    size_t size = 0;
    enum harness_status status = harness_file_read(path, &work->files[work->count], &size, error);
    if (status == HARNESS_OK)
        status = console_results_parse(path, work->files[work->count], size, &work->view, &work->results[work->count],
                                       error);
    if (status != HARNESS_OK) {
        free(work->files[work->count]);
        return status;
    }
    cli_print_console_machine(&work->view, &work->results[work->count]);
    work->count++;
    return HARNESS_OK;
}

static enum harness_status import_all(struct work *work, struct harness_error *error)
{
    char date[64];
    cli_record_date(date, sizeof date);
    const struct console_import import = { .view = &work->view,
                                           .results = work->results,
                                           .count = work->count,
                                           .path = work->request->output,
                                           .program = "picafuzz " PICAFUZZ_VERSION,
                                           .date = date,
                                           .machine = work->request->machine,
                                           .screenshots = work->screenshots,
                                           .observer = say_case,
                                           .user = work };
    return console_import_write(&import, error);
}

static enum harness_status say_decisions(struct work *work, struct harness_error *error)
{
    char where[200];
    const struct console_results *const first = &work->results[0];
    (void)snprintf(where, sizeof where, "%s, %s, kernel 0x%08" PRIX32, first->name, console_model(&first->about),
                   first->about.kernel_version);
    return cli_print_decisions(&work->splits, work->request->decisions, where, error);
}

static int command_import_results(void *opaque, int count, char **files)
{
    struct harness_error error = { "" };
    struct work work = { .request = opaque };
    if (work.request->output == NULL || count < 1 || count > MOST_RESULTS)
        return cli_usage("import-results", "say -o FILE, and give 1 to %d files of results", MOST_RESULTS);
    for (const char *at = work.request->machine; at != NULL && *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == '\x7F')
            return cli_usage("import-results", "--machine is one line");
    enum harness_status status = open_program(&work, files[0], &error);
    for (int i = 0; status == HARNESS_OK && i < count; i++)
        status = open_results(&work, files[i], &error);
    if (status == HARNESS_OK && work.request->screens != NULL)
        status = cli_read_screens(work.request->screens, &work.view, &work.screenshots, &error);
    if (status == HARNESS_OK)
        status = import_all(&work, &error);
    /* Other cases may be called alike: it is a pack if all of them are. */
    const bool has_splits = work.split_count != 0 && work.split_count == work.case_count;
    const bool has_numbers = work.number_count != 0 && work.number_count == work.case_count;
    if (status == HARNESS_OK) {
        cli_print_outcomes(work.outcomes);
        cli_print(stdout, "compare: picafuzz diff -b reference,recorded:%s CASES\n", work.request->output);
    }
    if (status == HARNESS_OK && has_splits)
        status = cli_print_console_table(&work.splits, work.request->output, &error);
    if (status == HARNESS_OK && has_splits)
        status = say_decisions(&work, &error);
    if (status == HARNESS_OK && !has_splits && work.request->decisions != NULL)
        status = harness_fail(&error, HARNESS_BAD_INPUT,
                              "%s: --decisions is for results of the packs decide and splits", files[0]);
    if (status == HARNESS_OK && !has_numbers && work.request->wrong != NULL)
        status = harness_fail(&error, HARNESS_BAD_INPUT, "%s: --wrong is for results of the pack numbers", files[0]);
    if (status == HARNESS_OK && has_numbers)
        status = cli_print_number_table(&work.numbers, work.request->output, work.request->wrong, &error);
    if (status == HARNESS_OK)
        status = cli_print_register_table(&work.view, work.results, work.count, &error);
    for (size_t i = 0; i < work.count; i++) {
        console_results_free(&work.results[i]);
        free(work.files[i]);
    }
    console_screenshots_destroy(work.screenshots);
    free(work.program);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    if (console_outcome_results(work.outcomes) != 0)
        return CLI_OK;
    cli_print(stderr, "picafuzz import-results: no case came to a result\n");
    return CLI_USAGE;
}

const struct cli_command cli_cmd_import_results = {
    CLI_COMMAND("import-results", command_import_results, "turn a console's results into recorded results: a backend"),
    .options = { CLI_OWN_OPTIONS },
};
