#include "harness/cli/cli.h"

#include "harness/cli/baseline.h"
#include "harness/cli/hunt_json.h"
#include "harness/cli/judge.h"
#include "harness/cli/progress.h"
#include "harness/cli/quirks.h"

#include "harness/hunt/hunt.h"
#include "harness/report/report.h"
#include "harness/triage/filing.h"

#include <stdio.h>
#include <stdlib.h>

static const char about[] =
    "picafuzz report - write findings as pages for people to read\n"
    "\n"
    "usage: picafuzz report [options] -o DIRECTORY FILE_OR_DIRECTORY...\n"
    "\n"
    "  picafuzz report -o report findings/                       every case below findings/\n"
    "  picafuzz report -o report -b reference,./libmygpu.so a.pcase b.pcase\n"
    "\n"
    "Writes DIRECTORY/index.html, all findings by bucket, and for each finding a folder with its page: where\n"
    "the two backends first differ (operation, command, draw, triangle, pixel, stage and value, with the\n"
    "rule of docs/spec), the pictures of both and of their difference, and the case with the line that\n"
    "causes it marked. It also writes index.json, and junit.xml and findings.sarif for continuous\n"
    "integration. A case that makes a backend crash or hang is listed as such. Buckets are those of\n"
    "`picafuzz triage`; what its index in a directory knows is not computed again. When a bucket was first\n"
    "seen, and how often, comes from that index and from files that hunts write beside the cases\n"
    "(first-seen, count). A CASE.pcb beside a CASE.pcase is what that case was reduced from, and is left\n"
    "out. The same directory gives the same bytes.\n"
    "\n"
    "Findings that the baseline of the --quirks file accepts are on the pages and are `skipped` in\n"
    "junit.xml, but do not count, as with `picafuzz triage`.\n";

static const char exits[] =
    "exit codes: 0 no case differs, or nothing is new, 1 some do, 2 usage or bad input, 3 a backend crashed\n"
    "or hung, 4 host trouble\n";

struct report_request {
    struct cli_run_options options;
    struct harness_triage_options triage;
    const char *output;
    const char *specification;
};

static const struct report_request defaults = {
    .specification = "docs/spec",
    .options = CLI_RUN_DEFAULTS(2, "reference", "fast"),
    .triage = { .probe = { .test_format = HARNESS_FORMAT_PCASE, .jobs = 1 }, .read_only = true },
};

static const struct cli_option option_table[] = {
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct report_request, output), "DIRECTORY",
      "where the pages go; created if it is missing", NULL },
    { "backends", 'b', CLI_BACKENDS, 2, 2, offsetof(struct report_request, options.backends), "A,B",
      "two backends; a single one is compared with reference", NULL },
    { "spec", 0, CLI_READ, 0, 0, offsetof(struct report_request, specification), "DIRECTORY",
      "where the rules are that the pages quote, if it exists", NULL },
};

/* What a report is made with. */
struct work {
    const struct report_request *request;
    struct cli_session session;
    struct harness_report *report;
    struct harness_text options; /* of the `picafuzz diff` that pages show */
    struct cli_progress progress;
};

/* The name of a finding's folder: the file's name after a number, so that no two are the same. */
static void folder_name(const char *path, size_t number, char *out, size_t size)
{
    char stem[256];
    cli_stem(path, stem, sizeof stem);
    for (char *c = stem; *c != '\0'; c++) {
        const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (!plain && *c != '-' && *c != '_')
            *c = '-';
    }
    (void)snprintf(out, size, "%04zu-%s", number + 1, stem);
}

static int add_case(struct work *work, const struct harness_triage *triage, const struct harness_triage_entry *sorted,
                    const struct cli_judged *judged)
{
    struct harness_error error = { "" };
    char name[300], accepted[1200];
    const char *why = NULL;
    struct harness_case *const test_case = harness_case_create();
    folder_name(sorted->path, harness_report_totals(work->report).cases, name, sizeof name);
    cli_judged_text(&work->request->options, judged, accepted, sizeof accepted);
    const struct harness_report_input input = {
        .path = sorted->path,
        .name = name,
        .triage = triage,
        .sorted = sorted,
        .test_case = test_case,
        .options = harness_text_string(&work->options),
        .accepted = accepted,
    };
    enum harness_status status = cli_load(sorted->path, test_case, &error);
    if (status == HARNESS_OK)
        status = cli_quirks_case(&work->request->options, test_case, &why, &error);
    if (status == HARNESS_OK)
        status = harness_report_add(work->report, work->session.runners[0], work->session.runners[1], &input, &error);
    harness_case_destroy(test_case);
    return status != HARNESS_OK ? cli_fail(status, &error) : CLI_OK;
}

/* Compares what was sorted with the baseline, and makes a page for each case. */
static int add_sorted(struct work *work, const struct harness_triage *triage)
{
    struct harness_error error = { "" };
    struct cli_judged *const judged = calloc(triage->count + 1, sizeof *judged);
    if (judged == NULL)
        return cli_fail(harness_fail_memory(&error), &error);
    int code = cli_judge(&work->request->options, triage, judged);
    const bool is_cut = triage->left != 0; /* what was sorted by then is shown */
    size_t i = 0;
    for (; i < triage->count && (is_cut || !cli_is_interrupted()); i++)
        code = cli_worse(code, add_case(work, triage, &triage->entries[i], &judged[i]));
    code = cli_worse(code, cli_progress_end(&work->progress, triage->left + triage->count - i));
    free(judged);
    return cli_worse(code, cli_nothing_sorted(triage));
}

/* If the directory is that of a hunt: tells the report what it ran, and what it could not see. True: there was a hunt,
 * and it has no findings to be shown. */
static bool say_hunt(const struct work *work, const char *directory)
{
    struct harness_hunt_recalled *const hunt = malloc(sizeof *hunt);
    struct harness_text path = { 0 };
    bool is_all = false;
    harness_text_format(&path, "%s/hunt.json", directory);
    if (hunt != NULL && harness_hunt_recall(harness_text_string(&path), hunt)) {
        harness_report_hunt(work->report,
                            cli_hunt_json(directory, hunt, &work->session, cli_quirks_file(&work->request->options)));
        is_all = hunt->filed == 0 && hunt->waiting == 0 && harness_findings_count(directory, NULL) == 0;
        free(hunt->options);
    }
    free(hunt);
    harness_text_free(&path);
    return is_all;
}

/* One file, or all files of a directory, as its index remembers them. */
static int add_argument(struct work *work, const char *argument)
{
    struct harness_error error = { "" };
    struct harness_triage_options options = work->request->triage;
    struct harness_triage triage = { 0 };
    struct cli_paths paths = { NULL, 0 };
    struct harness_text index = { 0 }, identity = { 0 };
    harness_text_format(&index, "%s/triage.json", argument);
    cli_triage_take(&work->request->options, work->session.backends, work->session.count, &options, &identity);
    options.index_path = harness_text_string(&index);
    options.goes_on = cli_progress_watch;
    options.watcher = &work->progress;
    cli_progress_begin(&work->progress);
    for (size_t i = 0; i < work->session.count; i++)
        harness_probe_limit(&work->session.backends[i], options.probe.hang_ms);
    int code = cli_paths_add(&paths, argument);
    const enum harness_status status =
        harness_triage_run((const char *const *)paths.items, paths.count, &options, &triage, &error);
    if (status != HARNESS_OK)
        code = cli_worse(code, cli_fail(status, &error));
    else
        code = cli_worse(code, cli_left_out(triage.refused, triage.refusal));
    if (status == HARNESS_OK)
        code = cli_worse(code, add_sorted(work, &triage));
    code = cli_worse(code, cli_damaged_index(triage.is_index_damaged, harness_text_string(&index)));
    harness_triage_free(&triage);
    harness_text_free(&index);
    harness_text_free(&identity);
    cli_paths_free(&paths);
    return code;
}

static int finish(const struct work *work)
{
    struct harness_error error = { "" };
    const struct harness_report_totals totals = harness_report_totals(work->report);
    const enum harness_status status = harness_report_finish(work->report, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    cli_print(stdout, "%s/index.html: %zu cases, %zu with a finding", work->request->output, totals.cases,
              totals.failures);
    if (totals.accepted != 0)
        cli_print(stdout, ", %zu with one that is accepted", totals.accepted);
    if (totals.not_tested != 0)
        cli_print(stdout, ", %zu not tested", totals.not_tested);
    cli_print(stdout, "\n");
    return totals.failures != 0 ? CLI_DIVERGED : CLI_OK;
}

static int write_report(const struct report_request *request, char *const *arguments, int count)
{
    struct harness_error error = { "" };
    struct work work = { .request = request };
    cli_options_text(&request->options, &work.options);
    int code = cli_session_open(&work.session, &request->options);
    enum harness_status status = HARNESS_OK;
    if (code == CLI_OK)
        status = harness_report_create(request->output, request->specification, &work.report, &error);
    if (status != HARNESS_OK)
        code = cli_fail(status, &error);
    bool said = false; /* there is a page, also without a case */
    for (int i = 0; work.report != NULL && i < count && !cli_is_interrupted(); i++)
        if (say_hunt(&work, arguments[i]))
            said = true;
        else
            code = cli_worse(code, add_argument(&work, arguments[i]));
    cli_baseline_unmatched(&request->options, true);
    if (work.report != NULL && (said || harness_report_totals(work.report).cases != 0))
        code = cli_worse(code, finish(&work));
    harness_report_destroy(work.report);
    harness_text_free(&work.options);
    return cli_worse(code, cli_session_close(&work.session));
}

static int command_report(void *opaque, int count, char **files)
{
    struct report_request *const request = opaque;
    if (request->output == NULL)
        return cli_usage("report", "say where to with --output");
    if (count == 0)
        return cli_usage("report", "no case given");
    int code = cli_run_open("report", &request->options);
    if (code != CLI_OK)
        return code;
    code = write_report(request, files, count);
    cli_quirks_print(&request->options, false);
    cli_run_close(&request->options);
    return code;
}

const struct cli_command cli_cmd_report = {
    CLI_COMMAND("report", command_report, "findings as static HTML, JSON and JUnit XML"),
    .options = { CLI_OWN_OPTIONS, CLI_RUN_SETS(report_request, options) },
};
