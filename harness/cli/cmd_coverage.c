#include "harness/cli/cli.h"
#include "harness/cli/coverage_report.h"
#include "harness/coverage/coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "picafuzz coverage - what cases exercise of the GPU, with effect\n"
    "\n"
    "usage: picafuzz coverage [options] FILE_OR_DIRECTORY...\n"
    "       picafuzz coverage [options] --generate SEED COUNT\n"
    "\n"
    "  picafuzz coverage fuzz-corpus                    the table\n"
    "  picafuzz coverage --missing corpus/seeds         and the name of everything that no case reached\n"
    "  picafuzz coverage --html coverage.html --jobs 2 corpus/ fuzz-corpus/\n"
    "  picafuzz coverage --generate 1 10000             of 10 000 generated cases, from seed 1 on\n"
    "  picafuzz coverage --record level.json corpus/    write down what is reached now ...\n"
    "  picafuzz coverage --gate level.json corpus/      ... and fail if it is less one day\n"
    "\n"
    "Registers, fields, values of enumerations, pairs of values within a stage, shader opcodes and operands, "
    "undefined\n"
    "events, outcomes. `seen`: it stood in a register, ran, happened. `with effect`: a draw that used it changed a "
    "pixel,\n"
    "an engine that used it wrote memory (docs/semantic-coverage.md says it exactly). Cases run on the reference.\n"
    "\n"
    "      --missing           list by name what has no effect yet; `(seen)` if it was at least seen\n"
    "      --json              one JSON object on stdout; with --missing also the names\n"
    "      --html FILE         write the table and all names as one page\n"
    "      --record FILE       write the shares with effect, in percent by area, as a level for --gate\n"
    "      --gate FILE         compare with a level: exit code 1 if an area that it names has less\n"
    "      --generate SEED COUNT   measure generated cases instead of, or besides, files\n"
    "      --mode MODE         of generated cases: mixed (default), defined, anything\n"
    "      --jobs N            processes, 1-64 (default 1); the result is the same\n"
    "\n"
    "exit codes: 0 done, 1 below the level, 2 usage or bad input, 3 the backend crashed, 4 host trouble\n";

struct request {
    struct cli_paths paths;
    struct harness_coverage_input input;
    const char *html, *record, *gate;
    bool missing, json;
};

enum {
    OPTION_MISSING = 256,
    OPTION_JSON,
    OPTION_HTML,
    OPTION_RECORD,
    OPTION_GATE,
    OPTION_GENERATE,
    OPTION_MODE,
    OPTION_JOBS
};

static const struct option long_options[] = {
    { "missing", no_argument, NULL, OPTION_MISSING },
    { "json", no_argument, NULL, OPTION_JSON },
    { "html", required_argument, NULL, OPTION_HTML },
    { "record", required_argument, NULL, OPTION_RECORD },
    { "gate", required_argument, NULL, OPTION_GATE },
    { "generate", required_argument, NULL, OPTION_GENERATE },
    { "mode", required_argument, NULL, OPTION_MODE },
    { "jobs", required_argument, NULL, OPTION_JOBS },
    { NULL, 0, NULL, 0 },
};

static int parse_generate(int argc, char **argv, struct request *request)
{
    unsigned long seed = 0, count = 0;
    const char *const second = optind < argc ? argv[optind] : "";
    if (!cli_number(optarg, 0, UINT32_MAX, &seed) || !cli_number(second, 1, 1000000000, &count))
        return cli_usage("coverage", "--generate: '%s %s' is not a seed and a count", optarg, second);
    optind++;
    request->input.first_seed = seed;
    request->input.generated = count;
    return CLI_OK;
}

static int parse_mode(struct request *request)
{
    static const char *const names[] = { "mixed", "defined", "anything" };
    for (int i = 0; i < 3; i++)
        if (strcmp(optarg, names[i]) == 0) {
            request->input.generator.mode = (enum harness_generate_mode)i;
            return CLI_OK;
        }
    return cli_usage("coverage", "--mode: '%s' is not one of mixed, defined, anything", optarg);
}

static int parse_option(int option, int argc, char **argv, struct request *request)
{
    unsigned long number = 0;
    switch (option) {
    case OPTION_MISSING: request->missing = true; return CLI_OK;
    case OPTION_JSON: request->json = true; return CLI_OK;
    case OPTION_HTML: request->html = optarg; return CLI_OK;
    case OPTION_RECORD: request->record = optarg; return CLI_OK;
    case OPTION_GATE: request->gate = optarg; return CLI_OK;
    case OPTION_GENERATE: return parse_generate(argc, argv, request);
    case OPTION_MODE: return parse_mode(request);
    case OPTION_JOBS:
        if (!cli_number(optarg, 1, HARNESS_COVERAGE_MAX_JOBS, &number))
            return cli_usage("coverage", "--jobs: '%s' is not a number from 1 to %d", optarg,
                             (int)HARNESS_COVERAGE_MAX_JOBS);
        request->input.jobs = (unsigned)number;
        return CLI_OK;
    default: return cli_usage("coverage", "bad options");
    }
}

static int parse(int argc, char **argv, struct request *request)
{
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        const int code = parse_option(option, argc, argv, request);
        if (code != CLI_OK)
            return code;
    }
    for (int i = optind; i < argc; i++) {
        const int code = cli_paths_add(&request->paths, argv[i]);
        if (code != CLI_OK)
            return code;
    }
    request->input.paths = request->paths.items;
    request->input.path_count = request->paths.count;
    if (request->paths.count == 0 && request->input.generated == 0)
        return cli_usage("coverage", "no case to measure");
    return CLI_OK;
}

static enum harness_status print_all(const struct request *request, const struct coverage_report *report,
                                     struct harness_error *error)
{
    if (request->json)
        coverage_print_json(report, request->missing);
    else
        coverage_print_text(report, request->missing);
    enum harness_status status = HARNESS_OK;
    if (request->html != NULL)
        status = coverage_write_html(report, request->html, error);
    if (status == HARNESS_OK && request->record != NULL)
        status = coverage_write_level(report, request->record, error);
    return status;
}

static int conclude(const struct request *request, const struct coverage_report *report,
                    const struct harness_coverage_result *result)
{
    struct harness_error error = { "" };
    const enum harness_status status = print_all(request, report, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    int code = CLI_OK;
    if (request->gate != NULL) {
        bool passes = false;
        const enum harness_status read = coverage_check_level(report, request->gate, &passes, &error);
        if (read != HARNESS_OK)
            return cli_fail(read, &error);
        code = passes ? CLI_OK : CLI_DIVERGED;
    }
    if (result->refused != 0 || result->crashed != 0)
        fprintf(stderr, "picafuzz: %s\n", result->what);
    if (result->refused != 0)
        code = cli_worse(code, CLI_USAGE);
    return result->crashed != 0 ? cli_worse(code, CLI_CRASHED) : code;
}

static int measure(const struct request *request)
{
    struct harness_error error = { "" };
    struct harness_coverage_result result;
    struct harness_universe *const universe = harness_universe_create();
    uint8_t *const marks = universe != NULL ? calloc(harness_universe_items(universe), 1) : NULL;
    int code = CLI_OK;
    enum harness_status status = HARNESS_OK;
    if (marks == NULL)
        status = harness_fail_memory(&error);
    else
        status = harness_coverage_measure(universe, &request->input, marks, &result, &error);
    if (status == HARNESS_OK) {
        const struct coverage_report report = { .universe = universe, .marks = marks, .cases = result.cases };
        code = conclude(request, &report, &result);
    } else {
        code = cli_fail(status, &error);
    }
    free(marks);
    harness_universe_destroy(universe);
    return code;
}

static int command_coverage(int argc, char **argv)
{
    struct request request = { .input = { .jobs = 1 } };
    int code = parse(argc, argv, &request);
    if (code == CLI_OK)
        code = measure(&request);
    cli_paths_free(&request.paths);
    return code;
}

const struct cli_command cli_cmd_coverage = {
    .name = "coverage",
    .summary = "what cases exercise of the GPU, with effect; as table, JSON, page; a gate",
    .help = help,
    .run = command_coverage,
};
