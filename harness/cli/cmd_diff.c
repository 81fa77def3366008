#include "harness/cli/cli.h"

#include "harness/cli/baseline.h"
#include "harness/cli/diff_parts.h"
#include "harness/cli/judge.h"
#include "harness/cli/quirks.h"
#include "harness/localise/location_json.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "picafuzz diff - run cases on two or more backends and say where they first differ\n"
    "\n"
    "usage: picafuzz diff [options] FILE_OR_DIRECTORY...\n"
    "\n"
    "  picafuzz diff corpus/captures/*                           reference against fast, every capture\n"
    "  picafuzz diff --backends reference,fast a.pcase           the same, spelled out\n"
    "  picafuzz diff --backends ./libmygpu.so a.pcase            reference against an emulator's GPU as a plug-in\n"
    "  picafuzz diff --isa scalar --threads 3 corpus/            fast without SIMD, with three workers\n"
    "  picafuzz diff --sarif findings.sarif -b reference,./libmygpu.so corpus/   annotations for a forge\n"
    "  picafuzz diff --generate 1 10000 -o differ -b reference,./libmygpu.so\n"
    "                                                            generated cases; those that do not agree are kept\n"
    "\n"
    "After every operation the registers, all other state, the memory pages that were touched and the set of\n"
    "undefined events must be equal, byte by byte, without any tolerance. The first difference is reported\n"
    "by register and field name, by address, and by the pixel of the buffer that contains it. Then the case\n"
    "is run again in parts to find the command, the draw, the pixel, and the first value of a pipeline stage\n"
    "that differs between the first two backends that disagree. A case that changes no memory proves nothing\n"
    "and is `vacuous`. docs/verdicts.md explains all verdicts.\n"
    "\n"
    "What a plug-in does not declare to model is not compared, and the verdict says what was:\n"
    "`agree (memory, registers)`. --only and --ignore leave out more. A case that a backend does not support\n"
    "(float24, a budget that runs out) is `not tested`.\n"
    "\n"
    "A case that differs, or that crashes a backend, is run three more times, each time in a fresh process\n"
    "and with other bytes in fresh memory. If the result does not come back every time, it is `unstable`,\n"
    "which counts as a divergence, and the report says what it depends on: memory that was never written,\n"
    "addresses, threads, a generated case before it, or nothing that can be controlled here.\n"
    "\n"
    "With a baseline in the --quirks file only new differences count, and a known one is printed in one\n"
    "line. An unstable one does not count; it is flaky. --accept adds every new case to the baseline.\n"
    "\n"
    "Generated cases need no files: the seed determines the case. Only those that do not agree are printed.\n"
    "Ctrl-C ends the run and prints the totals so far.\n";

static const char exits[] =
    "exit codes: 0 everything compared agrees, or nothing is new, 1 a divergence (also an unstable one), 2\n"
    "usage, bad input, or nothing was compared, 3 a backend crashed or hung, 4 a backend failed, or host\n"
    "trouble; if several apply, the first of 3 4 2 1\n";

static const struct diff_request defaults = {
    .options = CLI_RUN_DEFAULTS(2, "reference", "fast"),
    .generate = { .plain = HARNESS_GENERATE_PLAIN },
};

static const struct cli_option option_table[] = {
    { "backends", 'b', CLI_BACKENDS, 2, HARNESS_MOST_BACKENDS, offsetof(struct diff_request, options.backends),
      "A,B[,..]", "2 to 8 backends; the others are compared with the first, a single one with reference", NULL },
    { "slow", 0, CLI_FLAG, 0, 0, offsetof(struct diff_request, how.probe.slow), NULL,
      "compare every byte of every window, whatever pages the backends report", NULL },
    { "excuse", 0, CLI_FLAG, 0, 0, offsetof(struct diff_request, how.probe.excuse), NULL,
      "call a difference that needs undefined behaviour `diverge (undefined)`; exit code 0", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct diff_request, json), NULL, "one JSON object per case on stdout",
      NULL },
    { "no-explain", 0, CLI_FLAG, 0, 0, offsetof(struct diff_request, no_explain), NULL,
      "do not look for the command, draw, pixel, stage and value where they first differ, nor whether what a "
      "generated case shows comes back",
      NULL },
    { "quiet", 'q', CLI_FLAG, 0, 0, offsetof(struct diff_request, quiet), NULL,
      "print only cases that do not agree, why others are not tested, and the summary; the default with more than 40 "
      "files",
      NULL },
    { "verbose", 'v', CLI_FLAG, 0, 0, offsetof(struct diff_request, verbose), NULL,
      "print every case, however many, and every known difference", NULL },
    { "buckets", 0, CLI_FLAG, 0, 0, offsetof(struct diff_request, buckets), NULL,
      "if the --quirks file does not accept the case of a file, look for its bucket there, too", NULL },
    { "accept", 0, CLI_FLAG, 0, 0, offsetof(struct diff_request, accept), NULL,
      "add every new case to the baseline of the --quirks file", NULL },
    { "note", 0, CLI_TEXT, 0, 0, offsetof(struct diff_request, note), "TEXT", "with --accept: the reason", NULL },
    { "generate", 0, CLI_SEEDS, 1, 1000000000, offsetof(struct diff_request, seeds), "SEED COUNT",
      "also run COUNT generated cases, starting with SEED", NULL },
    { "mode", 0, CLI_CHOICE, 0, 0, offsetof(struct diff_request, generate.mode), "MODE",
      "kind of the generated cases; defined: without undefined behaviour", &cli_generate_modes },
    { "plain", 0, CLI_NUMBER, 1, 100, offsetof(struct diff_request, generate.plain), "PERCENT",
      "share of the fills, transfers and copies in generated cases that hold only values that real programs send",
      NULL },
    { "sarif", 0, CLI_WRITE, 0, 0, offsetof(struct diff_request, sarif_path), "FILE",
      "write the findings in files (not in generated cases) as SARIF, for annotations", NULL },
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct diff_request, output.path), "DIRECTORY",
      "where to write generated cases that do not agree, or crash", NULL },
};

/* ------------------------------------------------------------------------------------------------------------ words */

static const char *verdict_name(const struct harness_trial *trial)
{
    return harness_trial_is_excused(trial) ? oracle_verdict_name(ORACLE_DIVERGE_UNDEFINED)
                                           : harness_outcome_name(trial->outcome);
}

static bool is_difference(const struct harness_trial *trial)
{
    return trial->comparison.report.verdict >= ORACLE_DIVERGE_UNDEFINED;
}

/* Oracles say nothing of a crash or a failure, which leaves no results. */
static void add_verdict(cJSON *object, const struct diff_request *request, const struct harness_trial *trial)
{
    const struct harness_comparison *const comparison = &trial->comparison;
    struct harness_text reason = { 0 };
    harness_trial_reason(request->judges.trials, trial, &reason);
    if (comparison->scope[0] != '\0')
        cJSON_AddStringToObject(object, "compared", comparison->scope);
    cJSON_AddNumberToObject(object, "bytes_compared", (double)comparison->bytes);
    cJSON_AddNumberToObject(object, "differences", (double)comparison->report.differences);
    if (is_difference(trial) || harness_outcome_died(trial->outcome))
        cJSON_AddNumberToObject(object, "operation", trial->symptom.operation);
    if (is_difference(trial)) {
        cJSON_AddStringToObject(object, "oracle", comparison->report.oracle);
        cJSON_AddNumberToObject(object, "differing_pixels", (double)comparison->differing_pixels);
    }
    cJSON_AddStringToObject(object, "message",
                            is_difference(trial) ? comparison->report.message : harness_text_string(&reason));
    harness_text_free(&reason);
}

static void print_json(const struct diff_request *request, const struct harness_trial *trial)
{
    char allowed[160];
    const struct harness_location *const location = &trial->location;
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", request->path);
    cJSON_AddStringToObject(object, "verdict", verdict_name(trial));
    if (trial->outcome == HARNESS_UNSTABLE) {
        cJSON_AddStringToObject(object, "unstable", trial->stability.text);
        cJSON_AddStringToObject(object, "depends_on", harness_dependence_name(trial->stability.depends_on));
    }
    add_verdict(object, request, trial);
    oracle_allowance_text(&trial->comparison.allowed, allowed, sizeof allowed);
    if (allowed[0] != '\0')
        cJSON_AddStringToObject(object, "tolerated", allowed);
    if (location->differs)
        cJSON_AddItemToObject(object, "location", harness_location_json(location));
    else if (location->note[0] != '\0')
        cJSON_AddStringToObject(object, "note", location->note);
    cli_print_json(object);
}

/* "PATH: agree within tolerance: ... (memory)" */
static void print_head(const struct diff_request *request, const struct harness_trial *trial)
{
    char allowed[160];
    const struct harness_comparison *const comparison = &trial->comparison;
    const bool agrees = trial->outcome == HARNESS_AGREE;
    oracle_allowance_text(&comparison->allowed, allowed, sizeof allowed);
    cli_print(stdout, "%s: %s", request->path, verdict_name(trial));
    if (allowed[0] != '\0')
        cli_print(stdout, "%s tolerance: %s", agrees ? " within" : ", with what is within", allowed);
    if (comparison->scope[0] != '\0' && (agrees || is_difference(trial)))
        cli_print(stdout, " (%s)", comparison->scope);
}

/* Most cases that are not tested are so for a few reasons: a plug-in that models little would fill the screen. */
static void count_untested(struct diff_request *request, const struct harness_trial *trial)
{
    struct harness_text text = { 0 };
    harness_trial_reason(request->judges.trials, trial, &text);
    cli_refusals_count(&request->untested, harness_text_string(&text));
    harness_text_free(&text);
}

static void print_untested(struct diff_request *request)
{
    for (size_t i = 0; i < request->untested.count; i++)
        cli_print(stdout, "not tested: %zu: %s\n", request->untested.items[i].count, request->untested.items[i].text);
    request->untested.count = 0;
}

static void print_text(struct diff_request *request, const struct harness_trial *trial)
{
    struct harness_text text = { 0 };
    const struct harness_comparison *const comparison = &trial->comparison;
    if (request->quiet && trial->outcome == HARNESS_AGREE)
        return;
    if (request->quiet && trial->outcome == HARNESS_NOT_TESTED) {
        count_untested(request, trial);
        return;
    }
    print_head(request, trial);
    if (trial->outcome == HARNESS_AGREE) {
        if (comparison->bytes != 0)
            printf(", %llu bytes of memory", (unsigned long long)comparison->bytes);
        printf("%s\n", comparison->scope[0] == '\0' ? ", all registers and state" : "");
        return;
    }
    if (is_difference(trial) && trial->outcome != HARNESS_UNSTABLE)
        printf(" after operation %u", (unsigned)trial->symptom.operation);
    harness_trial_reason(request->judges.trials, trial, &text);
    if (!is_difference(trial) || trial->outcome == HARNESS_UNSTABLE)
        cli_print(stdout, ": %s", harness_text_string(&text));
    printf("\n");
    harness_text_clear(&text);
    if (is_difference(trial) && (!request->is_known || request->verbose))
        cli_print_lines("  ", comparison->report.message);
    if (!request->is_known || request->verbose)
        harness_location_text(&trial->location, &text);
    cli_print_lines("  ", harness_text_string(&text));
    harness_text_free(&text);
}

void diff_print(struct diff_request *request, const struct harness_trial *trial)
{
    cli_trial_said(trial);
    if (request->json)
        print_json(request, trial);
    else
        print_text(request, trial);
}

static void print_totals(const struct diff_request *request)
{
    const struct harness_tally *const totals = &request->totals;
    if (!request->json) {
        cli_totals_print(totals, request->is_generated ? "generated " : "");
        return;
    }
    cJSON *const object = cJSON_CreateObject();
    cJSON *const inner = cJSON_AddObjectToObject(object, request->is_generated ? "generated_totals" : "totals");
    (void)cJSON_AddNumberToObject(inner, "cases", (double)totals->executed);
    cli_totals_json(totals, inner);
    cli_print_json(object);
}

/* ------------------------------------------------------------------------------------------------------------ files */

/* Keeps for --sarif what a file showed. `code`: what is left of it after the baseline. */
static void collect(struct diff_request *request, const struct harness_trial *trial, int code)
{
    struct harness_text text = { 0 };
    if (request->sarif_path == NULL || harness_outcome_exit(trial->outcome) == HARNESS_EXIT_OK ||
        harness_trial_is_excused(trial))
        return;
    if (trial->outcome == HARNESS_DIVERGE)
        harness_text_format(&text, "after operation %u: ", (unsigned)trial->symptom.operation);
    harness_trial_reason(request->judges.trials, trial, &text);
    if (trial->location.stage != NULL)
        harness_text_format(&text, "; stage %s", trial->location.stage);
    const struct harness_sarif_result result = { .rule = verdict_name(trial),
                                                 .message = harness_text_string(&text),
                                                 .path = request->path,
                                                 .accepted = code == CLI_OK ? "known to the baseline" : NULL };
    harness_sarif_add(&request->sarif, &result);
    harness_text_free(&text);
}

/* For struct cli_judge_case: the bucket of the file in hand. */
static bool find_bucket(const void *argument, char *name)
{
    const struct diff_request *const request = argument;
    return cli_bucket_of(&request->options, &request->judges, request->path, name);
}

int diff_judge(struct diff_request *request, const struct harness_trial *trial)
{
    const struct cli_run_options *const options = &request->options;
    if (trial->outcome == HARNESS_AGREE)
        cli_quirks_allowed(options, &trial->comparison.allowed);
    harness_tally_add(&request->totals, trial);
    const struct cli_judge_case question = { .name = request->path,
                                             .trial = trial,
                                             .bucket = request->buckets && !request->is_generated ? find_bucket : NULL,
                                             .argument = request };
    int code = cli_baseline_judge_trial(options, &question);
    if (!request->accept || cli_showing_of(code) == HARNESS_SHOWS_NOTHING)
        return code;
    code = cli_baseline_accept_case(request->quirks_path, request->path, code, request->note);
    request->accepted += code == CLI_OK;
    return code;
}

static int diff_file(void *user, const char *path, size_t index)
{
    struct diff_request *const request = user;
    struct harness_trial *const trial = &request->judges.trial;
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    (void)index;
    request->path = path;
    enum harness_status status = cli_load(request->path, test_case, &error);
    if (status == HARNESS_OK)
        status = cli_trial_case(&request->options, &request->judges, test_case, NULL, trial, &error);
    harness_case_destroy(test_case);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    const int code = diff_judge(request, trial);
    request->is_known = code == CLI_OK && harness_outcome_is_finding(trial->outcome);
    diff_print(request, trial);
    collect(request, trial, code);
    return code;
}

static int diff_files(struct diff_request *request, const struct cli_paths *paths)
{
    uint64_t left = 0;
    request->quiet = request->quiet || (paths->count > CLI_SCREEN && !request->verbose);
    const int code = cli_part_files(&request->options, paths, diff_file, request, &left);
    print_untested(request);
    if (paths->count > 1)
        print_totals(request);
    cli_part_print(&request->options, left, request->json);
    return code;
}

/* ------------------------------------------------------------------------------------------------------ the command */

/* Each case runs in a fresh process. *opened: could the backends be opened? */
static int judge_files(struct diff_request *request, int count, char **files, bool *opened)
{
    struct cli_paths paths = { NULL, 0 };
    int code = cli_paths_add_all(&paths, files, count);
    const int trouble = cli_trials_open(&request->options, &request->how, &request->judges);
    *opened = trouble == CLI_OK;
    if (*opened) {
        code = cli_worse(code, diff_files(request, &paths));
        code = cli_worse(code, cli_nothing_compared(&request->totals));
    }
    cli_paths_free(&paths);
    return cli_worse(cli_worse(code, trouble), cli_trials_close(&request->judges));
}

static int judge_seeds(struct diff_request *request)
{
    request->is_generated = true;
    request->how.shares = true;
    request->how.once = request->no_explain;
    memset(&request->totals, 0, sizeof request->totals);
    cli_part_seeds(&request->options, &request->seeds);
    int code = cli_trials_open(&request->options, &request->how, &request->judges);
    if (code == CLI_OK) {
        code = diff_generated(request);
        print_totals(request);
        code = cli_worse(code, cli_nothing_compared(&request->totals));
        if (request->no_float24 && !request->json)
            printf("cases in float24 ran in binary32: a backend does not declare float24\n");
        if (!cli_is_interrupted())
            cli_part_print(&request->options, request->seeds.count - request->done, request->json);
    }
    return cli_worse(code, cli_trials_close(&request->judges));
}

static int run_all(struct diff_request *request, int count, char **files)
{
    struct harness_error error = { "" };
    if (request->output.path != NULL && cli_make_directory(request->output.path, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    request->how.explain = !request->no_explain;
    bool opened = true;
    int code = count != 0 ? judge_files(request, count, files, &opened) : CLI_OK;
    if (request->seeds.count != 0 && opened)
        code = cli_worse(code, judge_seeds(request));
    if (request->sarif_path != NULL && harness_sarif_write(&request->sarif, request->sarif_path, &error) != HARNESS_OK)
        code = cli_worse(code, cli_fail(HARNESS_HOST, &error));
    cli_baseline_unmatched(&request->options, request->buckets);
    if (request->accepted != 0)
        cli_print(stderr, "picafuzz: %zu case(s) accepted in %s\n", request->accepted, request->quirks_path);
    cli_quirks_print(&request->options, request->json);
    return code;
}

static int command_diff(void *opaque, int count, char **files)
{
    struct diff_request *const request = opaque;
    if (count == 0 && request->seeds.count == 0)
        return cli_usage("diff", "no case given; name files, or use --generate SEED COUNT");
    if (request->note != NULL && !request->accept)
        return cli_usage("diff", "--note is for --accept");
    if (request->buckets && request->options.quirks_path == NULL)
        return cli_usage("diff", "--buckets judges by the baseline of a quirks file: name it with --quirks");
    int code = request->accept ? cli_quirks_change("diff", &request->options, &request->quirks_path) : CLI_OK;
    if (code == CLI_OK)
        code = cli_run_open("diff", &request->options);
    if (code == CLI_OK)
        code = run_all(request, count, files);
    cli_run_close(&request->options);
    return code;
}

const struct cli_command cli_cmd_diff = {
    CLI_COMMAND("diff", command_diff, "run cases on two or more backends; name the first difference"),
    .options = { CLI_OWN_OPTIONS,
                 CLI_RUN_SETS(diff_request, options),
                 { cli_part_option_table, CLI_PART_OPTIONS, offsetof(struct diff_request, options) } },
};
