#include "harness/cli/cli.h"

#include "harness/findings/report.h"
#include "harness/run/compare.h"

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
    "Runs every case on two backends and writes DIRECTORY/index.html, all findings by bucket, and for each a folder\n"
    "with its page: where the two first differ (operation, command, draw, triangle, pixel, stage and value, with the\n"
    "rule of docs/spec), the pictures of both and of their difference, and the case with the guilty line marked. "
    "Beside\n"
    "it index.json, and junit.xml for continuous integration. The same cases give the same bytes. A case that makes a\n"
    "backend crash or hang is listed as that.\n"
    "\n"
    "  -o, --output DIRECTORY  where to; made if it is not there\n"
    "  -b, --backends A,B      two backends (default: reference,fast)\n"
    "      --spec DIRECTORY    where the rules stand that pages quote (default: docs/spec, if it is there)\n"
    "      --threads N         worker threads of each backend, 0-64 (default 0)\n"
    "      --isa NAME          fast: all (default), scalar, avx2, avx512, neon\n"
    "      --timeout SECONDS   give up on a case after that long; 0 = never (default 60)\n"
    "\n"
    "exit codes: 0 no case differs, 1 some do, 2 usage or bad input, 3 a backend crashed or hung, 4 host trouble\n";

struct report_request {
    struct cli_run_options options;
    const char *output;
    const char *specification;
    const char *path; /* of the case at hand */
};

/* In the guarded child: do both backends survive the case? What they make of it is looked at afterwards. */
static int try_case(const void *argument)
{
    const struct report_request *const request = argument;
    const struct harness_compare_options compare = { 0 };
    struct harness_error error = { "" };
    struct cli_session session;
    struct harness_comparison comparison;
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    int code = cli_session_open(&session, &request->options);
    enum harness_status status = test_case == NULL || program == NULL ? harness_fail_memory(&error) : HARNESS_OK;
    if (code != CLI_OK)
        goto done;
    if (status == HARNESS_OK)
        status = cli_load(request->path, test_case, &error);
    if (status == HARNESS_OK)
        status = harness_case_setup(test_case, program, &error);
    cli_doing("running on %zu backends", session.count);
    if (status == HARNESS_OK)
        status = harness_compare(session.runners, session.count, program, &compare, &comparison, &error);
    if (status != HARNESS_OK)
        code = cli_fail(status, &error);
done:
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    cli_session_close(&session);
    return code;
}

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

static int add_case(const struct report_request *request, struct cli_session *session, struct harness_report *report,
                    size_t number)
{
    struct harness_error error = { "" };
    char name[300];
    struct harness_case *const test_case = harness_case_create();
    folder_name(request->path, number, name, sizeof name);
    const struct harness_report_input input = { .path = request->path, .name = name, .test_case = test_case };
    enum harness_status status =
        test_case == NULL ? harness_fail_memory(&error) : cli_load(request->path, test_case, &error);
    const int tried = cli_guard(request->path, request->options.timeout, try_case, request);
    if (status == HARNESS_OK && tried == CLI_OK)
        status = harness_report_add(report, session->runners[0], session->runners[1], &input, &error);
    else if (status == HARNESS_OK && tried == CLI_CRASHED)
        status = harness_report_add_failed(report, &input, oracle_verdict_name(ORACLE_CRASH),
                                           "a backend crashed or did not end in time", &error);
    harness_case_destroy(test_case);
    return status == HARNESS_OK ? tried : cli_fail(status, &error);
}

static int write_report(struct report_request *request, const struct cli_paths *paths)
{
    struct harness_error error = { "" };
    struct cli_session session;
    struct harness_report *report = NULL;
    int code = cli_session_open(&session, &request->options);
    enum harness_status status = HARNESS_OK;
    if (code == CLI_OK)
        status = harness_report_create(request->output, request->specification, &report, &error);
    for (size_t i = 0; status == HARNESS_OK && code != CLI_HOST && i < paths->count; i++) {
        request->path = paths->items[i];
        code = cli_worse(code, add_case(request, &session, report, i));
    }
    if (report != NULL && status == HARNESS_OK)
        status = harness_report_finish(report, &error);
    if (status != HARNESS_OK)
        code = cli_worse(code, cli_fail(status, &error));
    if (report != NULL) {
        if (harness_report_failures(report) != 0)
            code = cli_worse(code, CLI_DIVERGED);
        printf("%s/index.html: %zu cases, %zu with a finding\n", request->output, harness_report_count(report),
               harness_report_failures(report));
    }
    harness_report_destroy(report);
    cli_session_close(&session);
    return code;
}

enum {
    OPTION_SPEC = 256
};

static int command_report(int argc, char **argv)
{
    static const struct option long_options[] = {
        { "output", required_argument, NULL, 'o' },
        { "backends", required_argument, NULL, 'b' },
        { "spec", required_argument, NULL, OPTION_SPEC },
        { "threads", required_argument, NULL, CLI_OPTION_THREADS },
        { "isa", required_argument, NULL, CLI_OPTION_ISA },
        { "timeout", required_argument, NULL, CLI_OPTION_TIMEOUT },
        { NULL, 0, NULL, 0 },
    };
    struct report_request request = {
        .specification = "docs/spec",
        .options = { .backends = { "reference", "fast" },
                     .backend_count = 2,
                     .instruction_sets = UINT32_MAX,
                     .timeout = 60 },
    };
    for (int option; (option = getopt_long(argc, argv, "b:o:", long_options, NULL)) != -1;) {
        if (option == 'o')
            request.output = optarg;
        else if (option == OPTION_SPEC)
            request.specification = optarg;
        else if (option == 'b') {
            if (!cli_backend_list(optarg, &request.options) || request.options.backend_count != 2)
                return cli_usage("report", "--backends wants two names with a comma between them");
        } else if (cli_run_option("report", option, optarg, &request.options) != CLI_OK)
            return CLI_USAGE;
    }
    if (request.output == NULL)
        return cli_usage("report", "say where to with --output");
    if (optind == argc)
        return cli_usage("report", "no case given");
    int code = CLI_OK;
    struct cli_paths paths = { NULL, 0, 0 };
    for (int i = optind; i < argc; i++)
        code = cli_worse(code, cli_paths_add(&paths, argv[i]));
    if (paths.count != 0)
        code = cli_worse(code, write_report(&request, &paths));
    cli_paths_free(&paths);
    return code;
}

const struct cli_command cli_cmd_report = { "report", "findings as static HTML, JSON and JUnit XML", help,
                                            command_report };
