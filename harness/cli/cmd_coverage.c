#include "harness/cli/cli.h"
#include "harness/cli/coverage_report.h"
#include "harness/coverage/coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "picafuzz coverage - what parts of the GPU cases exercise, with effect\n"
    "\n"
    "usage: picafuzz coverage [options] FILE_OR_DIRECTORY...\n"
    "       picafuzz coverage [options] --generate SEED COUNT\n"
    "\n"
    "  picafuzz coverage fuzz-corpus                    the table\n"
    "  picafuzz coverage --missing corpus/seeds         and the name of everything that no case reached\n"
    "  picafuzz coverage --html coverage.html --jobs 2 corpus/ fuzz-corpus/\n"
    "  picafuzz coverage --generate 1 10000             of 10 000 generated cases, from seed 1 on\n"
    "  picafuzz coverage --record level.json corpus/    write down what is reached now ...\n"
    "  picafuzz coverage --gate level.json corpus/      ... and later fail if less is reached\n"
    "\n"
    "Measured are registers, fields, values of enumerations, pairs of values within a stage, shader opcodes\n"
    "and operands, undefined events and outcomes. `seen`: it was in a register, ran, or happened.\n"
    "`with effect`: a draw that used it changed a pixel, or an engine that used it wrote memory\n"
    "(docs/semantic-coverage.md has the exact definition). Cases run on the reference.\n";

static const char exits[] =
    "exit codes: 0 done, 1 below the level, 2 usage or bad input, 3 the backend crashed, 4 host trouble\n";

struct coverage_request {
    struct cli_paths paths;
    struct cli_seeds seeds; /* kind of the generated cases */
    struct harness_coverage_input input;
    const char *html, *record, *gate;
    bool missing, json;
};

static const struct coverage_request defaults = { .input = { .generator = { .plain = HARNESS_GENERATE_PLAIN },
                                                             .jobs = 1 } };

static const struct cli_option option_table[] = {
    { "missing", 0, CLI_FLAG, 0, 0, offsetof(struct coverage_request, missing), NULL,
      "list the names of what had no effect; `(seen)` if it was at least seen", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct coverage_request, json), NULL,
      "one JSON object on stdout; with --missing also the names", NULL },
    { "html", 0, CLI_WRITE, 0, 0, offsetof(struct coverage_request, html), "FILE",
      "write the table and all names as one page", NULL },
    { "record", 0, CLI_WRITE, 0, 0, offsetof(struct coverage_request, record), "FILE",
      "write the shares with effect, in percent by area, as a level for --gate", NULL },
    { "gate", 0, CLI_READ, 0, 0, offsetof(struct coverage_request, gate), "FILE",
      "compare with a recorded level: exit code 1 if one of its areas has less now", NULL },
    { "generate", 0, CLI_SEEDS, 1, 1000000000, offsetof(struct coverage_request, seeds), "SEED COUNT",
      "measure generated cases instead of, or besides, files", NULL },
    { "mode", 0, CLI_CHOICE, 0, 0, offsetof(struct coverage_request, input.generator.mode), "MODE",
      "kind of the generated cases", &cli_generate_modes },
    { "plain", 0, CLI_NUMBER, 1, 100, offsetof(struct coverage_request, input.generator.plain), "PERCENT",
      "share of the fills, transfers and copies in generated cases that hold only values that real programs send",
      NULL },
    { "jobs", 0, CLI_NUMBER, 1, HARNESS_COVERAGE_MAX_JOBS, offsetof(struct coverage_request, input.jobs), "N",
      "processes; the result does not depend on it", NULL },
};

static enum harness_status print_all(const struct coverage_request *request, const struct coverage_report *report,
                                     struct harness_error *error)
{
    if (request->json)
        cli_print_json(coverage_json(report, request->missing));
    else
        coverage_print_text(report, request->missing);
    enum harness_status status = HARNESS_OK;
    if (request->html != NULL)
        status = coverage_write_html(report, request->html, error);
    if (status == HARNESS_OK && request->record != NULL)
        status = coverage_write_level(report, request->record, error);
    return status;
}

static int conclude(const struct coverage_request *request, const struct coverage_report *report,
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
        cli_print(stderr, "picafuzz: %s\n", result->what);
    if (result->refused != 0)
        code = cli_worse(code, CLI_USAGE);
    return result->crashed != 0 ? cli_worse(code, CLI_CRASHED) : code;
}

static int measure(const struct coverage_request *request)
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

static int command_coverage(void *opaque, int count, char **files)
{
    struct coverage_request *const request = opaque;
    int code = cli_paths_add_all(&request->paths, files, count);
    if (code == CLI_OK)
        code = cli_paths_check(&request->paths);
    if (code == CLI_OK && request->paths.count == 0 && request->seeds.count == 0)
        code = cli_usage("coverage", "no case to measure");
    request->input.paths = request->paths.items;
    request->input.path_count = request->paths.count;
    request->input.first_seed = request->seeds.first;
    request->input.generated = request->seeds.count;
    if (code == CLI_OK)
        code = measure(request);
    cli_paths_free(&request->paths);
    return code;
}

const struct cli_command cli_cmd_coverage = {
    CLI_COMMAND("coverage", command_coverage,
                "what parts of the GPU cases exercise, with effect; as table, JSON, page; a gate"),
    .options = { CLI_OWN_OPTIONS },
};
