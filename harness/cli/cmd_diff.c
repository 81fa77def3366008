#include "harness/cli/cli.h"

#include "harness/localise/location_json.h"
#include "harness/run/compare.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "picafuzz diff - run cases on two or more backends and say where they first differ\n"
    "\n"
    "usage: picafuzz diff [options] FILE_OR_DIRECTORY...\n"
    "\n"
    "  picafuzz diff corpus/captures/*                           reference against fast, every capture\n"
    "  picafuzz diff --backends reference,fast a.pcase           the same, spelled out\n"
    "  picafuzz diff --backends reference,./libmygpu.so a.pcase  an emulator's GPU as a plug-in\n"
    "  picafuzz diff -b reference,process:./libmygpu.so corpus/  the same in a process of its own, should it crash\n"
    "  picafuzz diff --isa scalar --threads 3 corpus/            fast without SIMD, with three workers\n"
    "\n"
    "After every operation registers, all other state, the memory pages that were touched and the set of undefined "
    "events\n"
    "must be equal, byte by byte; nothing is tolerated. The first difference is reported by register and field name, "
    "by\n"
    "address, and by pixel of the buffer it lies in; then the case is run again in parts to name the command, the "
    "draw,\n"
    "the pixel, and the first value of a pipeline stage in which the first two backends that differ part ways. A case\n"
    "that changes no memory proves nothing and is reported as vacuous.\n"
    "\n"
    "  -b, --backends A,B[,..]  2 to 8 backends (default: reference,fast); all are compared with the first\n"
    "      --slow               compare every byte of every window, whatever pages the backends report\n"
    "      --excuse             call a difference that needs undefined behaviour `diverge (undefined)`; exit code 0\n"
    "      --threads N          worker threads of each backend, 0-64 (default 0)\n"
    "      --isa NAME           fast: all (default), scalar, avx2, avx512, neon\n"
    "      --timeout SECONDS    give up on a case after that long; 0 = never (default 60)\n"
    "      --json               one JSON object a case on stdout\n"
    "      --no-explain         do not look for the command, draw, pixel, stage and value where they first differ\n"
    "  -q, --quiet              print only cases that do not agree, and the summary\n"
    "\n"
    "exit codes: 0 all agree, 1 a divergence, 2 usage or bad input, 3 a backend crashed or hung, 4 host trouble\n";

struct diff_request {
    struct cli_run_options options;
    struct harness_compare_options compare;
    const char *path;
    bool json;
    bool quiet;
    bool explain;
};

static void print_json(const struct diff_request *request, const struct harness_comparison *comparison,
                       const struct harness_location *location)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", request->path);
    cJSON_AddStringToObject(object, "verdict", oracle_verdict_name(comparison->report.verdict));
    cJSON_AddNumberToObject(object, "bytes_compared", (double)comparison->bytes);
    cJSON_AddNumberToObject(object, "differences", (double)comparison->report.differences);
    if (comparison->report.verdict >= ORACLE_DIVERGE_UNDEFINED) {
        cJSON_AddStringToObject(object, "oracle", comparison->report.oracle);
        cJSON_AddNumberToObject(object, "operation", comparison->operation);
        cJSON_AddNumberToObject(object, "differing_pixels", (double)comparison->differing_pixels);
    }
    cJSON_AddStringToObject(object, "message", comparison->report.message);
    if (location->differs)
        cJSON_AddItemToObject(object, "location", harness_location_json(location));
    char *const line = cJSON_PrintUnformatted(object);
    if (line != NULL)
        puts(line);
    cJSON_free(line);
    cJSON_Delete(object);
}

static void print_lines(const char *text)
{
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        printf("  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void print_text(const struct diff_request *request, const struct harness_comparison *comparison,
                       const struct harness_location *location)
{
    const enum oracle_verdict verdict = comparison->report.verdict;
    if (request->quiet && verdict == ORACLE_AGREE)
        return;
    printf("%s: %s", request->path, oracle_verdict_name(verdict));
    if (verdict == ORACLE_AGREE) {
        printf(", %llu bytes of memory, all registers and state\n", (unsigned long long)comparison->bytes);
        return;
    }
    if (verdict >= ORACLE_DIVERGE_UNDEFINED)
        printf(" after operation %u", (unsigned)comparison->operation);
    printf("\n");
    print_lines(comparison->report.message);
    struct harness_text text;
    harness_text_init(&text);
    harness_location_text(location, &text);
    print_lines(harness_text_string(&text));
    harness_text_free(&text);
}

/* Looks closer at the first backend and the one that differs from it. */
static enum harness_status explain(struct cli_session *session, const struct harness_program *program,
                                   const struct harness_comparison *comparison, struct harness_location *location,
                                   struct harness_error *error)
{
    struct harness_runner *const other = session->runners[comparison->second_index];
    cli_doing("looking for the first difference");
    return harness_localise(session->runners[0], other, program, location, error);
}

static int exit_code(enum oracle_verdict verdict)
{
    switch (verdict) {
    case ORACLE_AGREE:
    case ORACLE_REFUSED:
    case ORACLE_DIVERGE_UNDEFINED: return CLI_OK;
    case ORACLE_VACUOUS:
    case ORACLE_DIVERGE: return CLI_DIVERGED;
    case ORACLE_HANG:
    case ORACLE_CRASH: return CLI_CRASHED;
    }
    return CLI_HOST; /* not reached */
}

/* In the guarded child: one case on all backends. */
static int diff_case(const void *argument)
{
    const struct diff_request *const request = argument;
    struct harness_error error = { "" };
    struct cli_session session;
    struct harness_comparison comparison;
    struct harness_location location = { 0 };
    struct cli_case loaded = { NULL, NULL };
    int code = cli_session_open(&session, &request->options);
    enum harness_status status = HARNESS_OK;
    if (code != CLI_OK)
        goto done;
    status = cli_case_create(&loaded, &error);
    if (status == HARNESS_OK)
        status = cli_case_load(&loaded, request->path, &error);
    cli_doing("running on %zu backends", session.count);
    if (status == HARNESS_OK) {
        status =
            harness_compare(session.runners, session.count, loaded.program, &request->compare, &comparison, &error);
        if (status != HARNESS_OK)
            harness_error_prefix(&error, request->path);
    }
    if (status != HARNESS_OK) {
        code = cli_fail(status, &error);
        goto done;
    }
    if (request->explain && comparison.report.verdict >= ORACLE_DIVERGE_UNDEFINED)
        status = explain(&session, loaded.program, &comparison, &location, &error);
    if (status != HARNESS_OK) {
        harness_error_prefix(&error, request->path);
        code = cli_fail(status, &error);
        goto done;
    }
    if (request->json)
        print_json(request, &comparison, &location);
    else
        print_text(request, &comparison, &location);
    code = exit_code(comparison.report.verdict);
done:
    cli_case_destroy(&loaded);
    cli_session_close(&session);
    return code;
}

enum {
    OPTION_SLOW = 256,
    OPTION_EXCUSE,
    OPTION_NO_EXPLAIN,
    OPTION_JSON
};

static const struct option long_options[] = {
    { "backends", required_argument, NULL, 'b' },
    { "slow", no_argument, NULL, OPTION_SLOW },
    { "excuse", no_argument, NULL, OPTION_EXCUSE },
    { "no-explain", no_argument, NULL, OPTION_NO_EXPLAIN },
    { "threads", required_argument, NULL, CLI_OPTION_THREADS },
    { "isa", required_argument, NULL, CLI_OPTION_ISA },
    { "timeout", required_argument, NULL, CLI_OPTION_TIMEOUT },
    { "json", no_argument, NULL, OPTION_JSON },
    { "quiet", no_argument, NULL, 'q' },
    { NULL, 0, NULL, 0 },
};

static int parse(int argc, char **argv, struct diff_request *request)
{
    for (int option; (option = getopt_long(argc, argv, "b:q", long_options, NULL)) != -1;) {
        switch (option) {
        case 'b':
            if (!cli_backend_list(optarg, &request->options) || request->options.backend_count < 2)
                return cli_usage("diff", "--backends wants 2 to 8 names with commas between them");
            break;
        case 'q': request->quiet = true; break;
        case OPTION_SLOW: request->compare.slow = true; break;
        case OPTION_EXCUSE: request->compare.excuse = true; break;
        case OPTION_NO_EXPLAIN: request->explain = false; break;
        case OPTION_JSON: request->json = true; break;
        default:
            if (cli_run_option("diff", option, optarg, &request->options) != CLI_OK)
                return CLI_USAGE;
        }
    }
    return CLI_OK;
}

static int command_diff(int argc, char **argv)
{
    struct diff_request request = {
        .options = { .backends = { "reference", "fast" },
                     .backend_count = 2,
                     .instruction_sets = UINT32_MAX,
                     .timeout = 60 },
        .compare = { .every_operation = true, .check_vacuity = true },
        .explain = true,
    };
    int code = parse(argc, argv, &request);
    if (code != CLI_OK)
        return code;
    if (optind == argc)
        return cli_usage("diff", "no case given");
    struct cli_paths paths = { NULL, 0, 0 };
    for (int i = optind; i < argc; i++)
        code = cli_worse(code, cli_paths_add(&paths, argv[i]));
    size_t agree = 0;
    for (size_t i = 0; i < paths.count; i++) {
        request.path = paths.items[i];
        const int one = cli_guard(request.path, request.options.timeout, diff_case, &request);
        agree += one == CLI_OK;
        code = cli_worse(code, one);
    }
    if (!request.json && paths.count > 1)
        printf("%zu of %zu cases agree\n", agree, paths.count);
    cli_paths_free(&paths);
    return code;
}

const struct cli_command cli_cmd_diff = { "diff", "run on two or more backends; name the first difference", help,
                                          command_diff };
