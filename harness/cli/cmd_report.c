#include "harness/cli/cli.h"

#include "harness/report/report.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "picafuzz report - findings as pages that a person reads\n"
    "\n"
    "usage: picafuzz report [options] -o DIRECTORY FILE_OR_DIRECTORY...\n"
    "\n"
    "  picafuzz report -o report findings/                       every case below findings/\n"
    "  picafuzz report -o report -b reference,./libmygpu.so a.pcase b.pcase\n"
    "\n"
    "Writes DIRECTORY/index.html, all findings by bucket, and for each a folder with its page: where the two backends\n"
    "first differ (operation, command, draw, triangle, pixel, stage and value, with the rule of docs/spec), the "
    "pictures\n"
    "of both and of their difference, and the case with the guilty line marked. Beside it index.json, and junit.xml\n"
    "for continuous integration. A case that makes a backend crash or hang is listed as that.\n"
    "Buckets are those of `picafuzz triage`; what its index in a directory knows is not found out again. When a "
    "bucket\n"
    "was first seen, and how often, comes from that index and from what campaigns leave beside the cases (first-seen,\n"
    "count). A CASE.pcb beside a CASE.pcase is what that was reduced from, and is left out. The same directory gives\n"
    "the same bytes.\n"
    "\n"
    "  -o, --output DIRECTORY  where to; made if it is not there\n"
    "  -b, --backends A,B      two backends (default: reference,fast)\n"
    "      --spec DIRECTORY    where the rules stand that pages quote (default: docs/spec, if it is there)\n"
    "      --threads N         worker threads of each backend, 0-64 (default 0)\n"
    "      --isa NAME          fast: all (default), scalar, avx2, avx512, neon\n"
    "      --hang-after MS     processor time after which a case hangs (default 1000)\n"
    "\n"
    "exit codes: 0 no case differs, 1 some do, 2 usage or bad input, 3 a backend crashed or hung, 4 host trouble\n";

struct report_request {
    struct cli_run_options options;
    struct harness_triage_options triage;
    const char *output;
    const char *specification;
};

/* What a report is made with. */
struct work {
    const struct report_request *request;
    struct cli_session session;
    struct harness_report *report;
};

/* The name of a finding's folder: the file's name with a number before it, so that no two are the same. */
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

static int add_case(struct work *work, const struct harness_triage *triage, const struct harness_triage_entry *sorted)
{
    struct harness_error error = { "" };
    char name[300];
    struct harness_case *const test_case = harness_case_create();
    folder_name(sorted->path, harness_report_count(work->report), name, sizeof name);
    const struct harness_report_input input = {
        .path = sorted->path, .name = name, .triage = triage, .sorted = sorted, .test_case = test_case
    };
    enum harness_status status =
        test_case == NULL ? harness_fail_memory(&error) : cli_load(sorted->path, test_case, &error);
    if (status == HARNESS_OK)
        status = harness_report_add(work->report, work->session.runners[0], work->session.runners[1], &input, &error);
    harness_case_destroy(test_case);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    if (sorted->kind == HARNESS_SYMPTOM_TROUBLE)
        return CLI_HOST;
    return sorted->kind == HARNESS_SYMPTOM_CRASH || sorted->kind == HARNESS_SYMPTOM_HANG ? CLI_CRASHED : CLI_OK;
}

/* One file, or all of a directory by what its index remembers of them. */
static int add_argument(struct work *work, const char *argument)
{
    struct harness_error error = { "" };
    struct harness_triage_options options = work->request->triage;
    struct harness_triage triage = { 0 };
    struct cli_paths paths = { NULL, 0, 0 };
    struct harness_text index, identity;
    harness_text_init(&index);
    harness_text_init(&identity);
    harness_text_format(&index, "%s/triage.json", argument);
    harness_triage_identity(work->request->options.backends, work->session.count, &options.probe, &identity);
    options.index_path = harness_text_string(&index);
    options.identity = harness_text_string(&identity);
    options.probe.backends = work->session.backends;
    for (size_t i = 0; i < work->session.count; i++)
        harness_probe_limit(&work->session.backends[i], options.probe.hang_ms);
    int code = cli_paths_add(&paths, argument);
    cli_paths_drop_originals(&paths);
    const enum harness_status status =
        harness_triage_run((const char *const *)paths.items, paths.count, &options, &triage, &error);
    if (status != HARNESS_OK)
        code = cli_worse(code, cli_fail(status, &error));
    else
        code = cli_worse(code, cli_left_out(triage.refused, triage.refusal));
    for (size_t i = 0; status == HARNESS_OK && i < triage.count; i++)
        code = cli_worse(code, add_case(work, &triage, &triage.entries[i]));
    harness_triage_free(&triage);
    harness_text_free(&index);
    harness_text_free(&identity);
    cli_paths_free(&paths);
    return code;
}

static int finish(const struct work *work)
{
    struct harness_error error = { "" };
    const size_t failures = harness_report_failures(work->report);
    const enum harness_status status = harness_report_finish(work->report, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    printf("%s/index.html: %zu cases, %zu with a finding\n", work->request->output, harness_report_count(work->report),
           failures);
    return failures != 0 ? CLI_DIVERGED : CLI_OK;
}

static int write_report(const struct report_request *request, char *const *arguments, int count)
{
    struct harness_error error = { "" };
    struct work work = { .request = request };
    int code = cli_session_open(&work.session, &request->options);
    enum harness_status status = HARNESS_OK;
    if (code == CLI_OK)
        status = harness_report_create(request->output, request->specification, &work.report, &error);
    if (status != HARNESS_OK)
        code = cli_fail(status, &error);
    for (int i = 0; work.report != NULL && i < count; i++)
        code = cli_worse(code, add_argument(&work, arguments[i]));
    if (work.report != NULL && harness_report_count(work.report) != 0)
        code = cli_worse(code, finish(&work));
    harness_report_destroy(work.report);
    cli_session_close(&work.session);
    return code;
}

enum {
    OPTION_SPEC = 256,
    OPTION_HANG
};

static int command_report(int argc, char **argv)
{
    static const struct option long_options[] = {
        { "output", required_argument, NULL, 'o' },
        { "backends", required_argument, NULL, 'b' },
        { "spec", required_argument, NULL, OPTION_SPEC },
        { "threads", required_argument, NULL, CLI_OPTION_THREADS },
        { "isa", required_argument, NULL, CLI_OPTION_ISA },
        { "hang-after", required_argument, NULL, OPTION_HANG },
        { NULL, 0, NULL, 0 },
    };
    struct report_request request = {
        .specification = "docs/spec",
        .options = { .backends = { "reference", "fast" }, .backend_count = 2, .instruction_sets = UINT32_MAX },
        .triage = { .probe = { .test_format = HARNESS_FORMAT_PCASE, .jobs = 1, .hang_ms = 1000 }, .read_only = true },
    };
    for (int option; (option = getopt_long(argc, argv, "b:o:", long_options, NULL)) != -1;) {
        if (option == 'o')
            request.output = optarg;
        else if (option == OPTION_SPEC)
            request.specification = optarg;
        else if (option == OPTION_HANG) {
            unsigned long number = 0;
            if (!cli_number(optarg, 1, 3600000, &number))
                return cli_usage("report", "--hang-after: '%s' is not a number from 1 to 3600000", optarg);
            request.triage.probe.hang_ms = (unsigned)number;
        } else if (option == 'b') {
            if (!cli_backend_list(optarg, &request.options) || request.options.backend_count != 2)
                return cli_usage("report", "--backends wants two names with a comma between them");
        } else if (cli_run_option("report", option, optarg, &request.options) != CLI_OK)
            return CLI_USAGE;
    }
    if (request.output == NULL)
        return cli_usage("report", "say where to with --output");
    if (optind == argc)
        return cli_usage("report", "no case given");
    request.triage.probe.backend_count = request.options.backend_count;
    request.triage.probe.backend_options =
        (struct pica_options){ .threads = request.options.threads,
                               .instruction_sets = request.options.instruction_sets };
    return write_report(&request, argv + optind, argc - optind);
}

const struct cli_command cli_cmd_report = { "report", "findings as static HTML, JSON and JUnit XML", help,
                                            command_report };
