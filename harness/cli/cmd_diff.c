#include "harness/cli/cli.h"

#include "harness/cli/baseline.h"
#include "harness/cli/diff_parts.h"
#include "harness/cli/quirks.h"
#include "harness/localise/location_json.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

static const char about[] =
    "picafuzz diff - run cases on two or more backends and say where they first differ\n"
    "\n"
    "usage: picafuzz diff [options] FILE_OR_DIRECTORY...\n"
    "\n"
    "  picafuzz diff corpus/captures/*                           reference against fast, every capture\n"
    "  picafuzz diff --backends reference,fast a.pcase           the same, spelled out\n"
    "  picafuzz diff --backends reference,./libmygpu.so a.pcase  an emulator's GPU as a plug-in\n"
    "  picafuzz diff -b reference,process:./libmygpu.so corpus/  the same in a process of its own, should it crash\n"
    "  picafuzz diff --isa scalar --threads 3 corpus/            fast without SIMD, with three workers\n"
    "  picafuzz diff --sarif findings.sarif -b reference,./libmygpu.so corpus/   annotations for a forge\n"
    "  picafuzz diff --generate 1 10000 -o differ -b reference,process:./libmygpu.so\n"
    "                                                            generated cases; those that do not agree are kept\n"
    "\n"
    "After every operation registers, all other state, the memory pages that were touched and the set of\n"
    "undefined events must be equal, byte by byte; nothing is tolerated. The first difference is reported\n"
    "by register and field name, by address, and by pixel of the buffer it lies in; then the case is run\n"
    "again in parts to name the command, the draw, the pixel, and the first value of a pipeline stage in\n"
    "which the first two backends that differ part ways. A case that changes no memory proves nothing and\n"
    "is reported as vacuous.\n"
    "\n"
    "What a plug-in does not declare to model is not compared: `agree (memory, registers)`. --only and\n"
    "--ignore leave out more of it. A case that it does not support (float24, a budget that runs out) is\n"
    "`not tested`.\n"
    "\n"
    "A case that differs is run in three fresh processes more, with other bytes in fresh memory, and so is a\n"
    "generated one that a backend crashes on. What does not come back in each is `unstable`, which counts as\n"
    "a divergence, and on what it depends is said: memory that was never written, addresses, threads, a\n"
    "generated case before it, or nothing that can be set here.\n"
    "\n"
    "With a baseline in the --quirks file only what is new counts: a file runs three times more first, and\n"
    "what does not come back is flaky. --accept writes into it each case that is new today.\n"
    "\n"
    "Generated cases need no files: a case is its seed. Of them only those that do not agree are printed.\n"
    "After a crash, and in a process of its own each ten seconds, it goes on with the next seed; Ctrl-C\n"
    "ends it with the totals so far.\n";

static const char exits[] =
    "exit codes: 0 all agree, or nothing is new, 1 a divergence (also one that is unstable), 2 usage or bad\n"
    "input, 3 a backend crashed or hung, 4 host trouble\n";

static const struct diff_request defaults = {
    .options = { .backends = { { "reference", "fast" }, 2 }, .instruction_sets = UINT32_MAX, .timeout = { 60, false } },
    .compare = { .every_operation = true, .check_vacuity = true },
    .generate = { .plain = HARNESS_GENERATE_PLAIN },
};

static const struct cli_option option_table[] = {
    { "backends", 'b', CLI_LIST, 2, CLI_MOST_BACKENDS, offsetof(struct diff_request, options.backends), "A,B[,..]",
      "2 to 8 backends; all are compared with the first", NULL },
    { "slow", 0, CLI_FLAG, 0, 0, offsetof(struct diff_request, compare.slow), NULL,
      "compare every byte of every window, whatever pages the backends report", NULL },
    { "excuse", 0, CLI_FLAG, 0, 0, offsetof(struct diff_request, compare.excuse), NULL,
      "call a difference that needs undefined behaviour `diverge (undefined)`; exit code 0", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct diff_request, json), NULL, "one JSON object a case on stdout", NULL },
    { "no-explain", 0, CLI_FLAG, 0, 0, offsetof(struct diff_request, no_explain), NULL,
      "do not look for the command, draw, pixel, stage and value where they first differ, nor whether what a "
      "generated case shows comes back",
      NULL },
    { "quiet", 'q', CLI_FLAG, 0, 0, offsetof(struct diff_request, quiet), NULL,
      "print only cases that do not agree, and the summary", NULL },
    { "buckets", 0, CLI_FLAG, 0, 0, offsetof(struct diff_request, buckets), NULL,
      "a file whose case the --quirks file does not accept is judged by its bucket, too", NULL },
    { "accept", 0, CLI_FLAG, 0, 0, offsetof(struct diff_request, accept), NULL,
      "add each case that is new to the baseline of the --quirks file", NULL },
    { "note", 0, CLI_TEXT, 0, 0, offsetof(struct diff_request, note), "TEXT", "with --accept: why", NULL },
    { "generate", 0, CLI_SEEDS, 1, 1000000000, offsetof(struct diff_request, seeds), "SEED COUNT",
      "also COUNT generated cases, from SEED on", NULL },
    { "mode", 0, CLI_CHOICE, 0, 0, offsetof(struct diff_request, generate.mode), "MODE",
      "of generated cases; defined has no undefined behaviour", &cli_generate_modes },
    { "plain", 0, CLI_NUMBER, 1, 100, offsetof(struct diff_request, generate.plain), "PERCENT",
      "of the fills, transfers and copies of generated cases, how many hold only values that programs send", NULL },
    { "sarif", 0, CLI_TEXT, 0, 0, offsetof(struct diff_request, sarif_path), "FILE",
      "write what files (not generated cases) show as SARIF, for annotations", NULL },
    { "output", 'o', CLI_TEXT, 0, 0, offsetof(struct diff_request, output.path), "DIRECTORY",
      "where generated cases go that do not agree, or crash", NULL },
};

/* A difference that does not come back is a verdict of its own. */
static const char *verdict_name(const struct diff_request *request, const struct harness_comparison *comparison)
{
    return request->totals->stability.text[0] != '\0' ? "unstable" : oracle_verdict_name(comparison->report.verdict);
}

static void print_json(const struct diff_request *request, const struct harness_comparison *comparison,
                       const struct harness_location *location)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", request->path);
    cJSON_AddStringToObject(object, "verdict", verdict_name(request, comparison));
    if (request->totals->stability.text[0] != '\0') {
        cJSON_AddStringToObject(object, "unstable", request->totals->stability.text);
        cJSON_AddStringToObject(object, "depends_on", harness_dependence_name(request->totals->stability.depends_on));
    }
    if (comparison->scope[0] != '\0')
        cJSON_AddStringToObject(object, "compared", comparison->scope);
    cJSON_AddNumberToObject(object, "bytes_compared", (double)comparison->bytes);
    cJSON_AddNumberToObject(object, "differences", (double)comparison->report.differences);
    if (comparison->report.verdict >= ORACLE_DIVERGE_UNDEFINED) {
        cJSON_AddStringToObject(object, "oracle", comparison->report.oracle);
        cJSON_AddNumberToObject(object, "operation", comparison->operation);
        cJSON_AddNumberToObject(object, "differing_pixels", (double)comparison->differing_pixels);
    }
    char allowed[160];
    oracle_allowance_text(&comparison->allowed, allowed, sizeof allowed);
    if (allowed[0] != '\0')
        cJSON_AddStringToObject(object, "tolerated", allowed);
    cJSON_AddStringToObject(object, "message", comparison->report.message);
    if (location->differs)
        cJSON_AddItemToObject(object, "location", harness_location_json(location));
    else if (location->note[0] != '\0')
        cJSON_AddStringToObject(object, "note", location->note);
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
        cli_print(stdout, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void print_text(const struct diff_request *request, const struct harness_comparison *comparison,
                       const struct harness_location *location)
{
    const enum oracle_verdict verdict = comparison->report.verdict;
    const bool unstable = request->totals->stability.text[0] != '\0';
    if (request->quiet && verdict == ORACLE_AGREE && !unstable)
        return;
    char allowed[160];
    oracle_allowance_text(&comparison->allowed, allowed, sizeof allowed);
    cli_print(stdout, "%s: %s", request->path, verdict_name(request, comparison));
    if (allowed[0] != '\0')
        cli_print(stdout, "%s tolerance: %s", verdict == ORACLE_AGREE ? " within" : ", with what is within", allowed);
    if (comparison->scope[0] != '\0' && verdict != ORACLE_REFUSED)
        cli_print(stdout, " (%s)", comparison->scope);
    if (unstable)
        cli_print(stdout, ": %s", request->totals->stability.text);
    if (verdict == ORACLE_AGREE && !unstable) {
        if (comparison->bytes != 0)
            printf(", %llu bytes of memory", (unsigned long long)comparison->bytes);
        printf("%s\n", comparison->scope[0] == '\0' ? ", all registers and state" : "");
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

static const char died_explaining[] = "not explained: a backend crashed or hung while the difference was looked for";

/* Takes a closer look at the first backend and the one that differs from it. */
static enum harness_status explain(struct cli_session *session, struct diff_totals *totals,
                                   const struct harness_program *program, const struct harness_comparison *comparison,
                                   struct harness_location *location, struct harness_error *error)
{
    struct harness_runner *const other = session->runners[comparison->second_index];
    if (totals->unexplained) {
        totals->unexplained = false;
        (void)snprintf(location->note, sizeof location->note, "%s", died_explaining);
        return HARNESS_OK;
    }
    cli_doing("looking for the first difference");
    totals->explaining = true;
    const enum harness_status status = harness_localise(session->runners[0], other, program, location, error);
    totals->explaining = false;
    return status;
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

/* Runs the case everywhere and explains a difference. */
static enum harness_status compare_case(const struct diff_request *request, struct cli_session *session,
                                        struct cli_case *loaded, struct diff_outcome *outcome,
                                        struct harness_error *error)
{
    cli_doing("running on %zu backends", session->count);
    enum harness_status status = harness_compare(session->runners, session->count, loaded->program, &request->compare,
                                                 &outcome->comparison, error);
    if (status == HARNESS_OK && !request->no_explain && !request->defers &&
        outcome->comparison.report.verdict >= ORACLE_DIVERGE_UNDEFINED)
        status = explain(session, request->totals, loaded->program, &outcome->comparison, &outcome->location, error);
    if (status != HARNESS_OK)
        harness_error_prefix(error, request->path);
    return status;
}

/* For who collects findings in the process that waits. */
static void tell_verdict(const struct diff_request *request, const struct diff_outcome *outcome)
{
    struct diff_totals *const totals = request->totals;
    const struct harness_comparison *const comparison = &outcome->comparison;
    const char *const message = comparison->report.message;
    const bool unstable = totals->stability.text[0] != '\0';
    (void)snprintf(totals->verdict, sizeof totals->verdict, "%s", verdict_name(request, comparison));
    (void)snprintf(totals->message, sizeof totals->message, "after operation %u: %.*s%s%s",
                   (unsigned)comparison->operation, (int)strcspn(unstable ? totals->stability.text : message, "\n"),
                   unstable ? totals->stability.text : message, outcome->location.stage != NULL ? "; stage " : "",
                   outcome->location.stage != NULL ? outcome->location.stage : "");
}

int diff_loaded(const struct diff_request *request, struct cli_session *session, struct cli_case *loaded,
                struct diff_outcome *outcome)
{
    struct harness_error error = { "" };
    memset(outcome, 0, sizeof *outcome);
    const enum harness_status status = compare_case(request, session, loaded, outcome, &error);
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    const enum oracle_verdict verdict = outcome->comparison.report.verdict;
    const bool unstable = !request->defers && request->totals->stability.text[0] != '\0';
    const int code = unstable ? CLI_DIVERGED : exit_code(verdict);
    if (request->defers && (verdict == ORACLE_DIVERGE || verdict == ORACLE_DIVERGE_UNDEFINED)) {
        request->totals->diverged = true;
        return code;
    }
    request->totals->unstable += unstable;
    if (code != CLI_OK)
        tell_verdict(request, outcome);
    if (verdict == ORACLE_AGREE && !unstable)
        cli_quirks_allowed(&request->options, &outcome->comparison.allowed);
    const struct oracle_allowance *const allowed = &outcome->comparison.allowed;
    const bool is_within = allowed->pixels != 0 || allowed->values != 0;
    request->totals->agree += verdict == ORACLE_AGREE && !is_within && !unstable;
    request->totals->within += verdict == ORACLE_AGREE && is_within && !unstable;
    request->totals->undefined += verdict == ORACLE_DIVERGE_UNDEFINED && !unstable;
    request->totals->not_tested += verdict == ORACLE_REFUSED;
    if (request->is_generated && code == CLI_OK)
        return code;
    if (request->json)
        print_json(request, &outcome->comparison, &outcome->location);
    else
        print_text(request, &outcome->comparison, &outcome->location);
    return code;
}

int diff_unstable(const struct diff_request *request)
{
    const struct harness_comparison comparison = { .report = { .verdict = ORACLE_AGREE, .oracle = "" } };
    const struct harness_location nowhere = { .differs = false };
    request->totals->unstable++;
    if (request->json)
        print_json(request, &comparison, &nowhere);
    else
        print_text(request, &comparison, &nowhere);
    return CLI_DIVERGED;
}

/* The case has what the quirks file says is not there. */
static void print_not_tested(const struct diff_request *request, const char *feature)
{
    struct harness_comparison comparison = { .report = { .verdict = ORACLE_REFUSED, .oracle = "without" } };
    const struct harness_location nowhere = { .differs = false };
    oracle_say(&comparison.report, "without: %s\n", feature);
    request->totals->not_tested++;
    if (request->json)
        print_json(request, &comparison, &nowhere);
    else
        print_text(request, &comparison, &nowhere);
}

/* In the guarded child: one case on all backends. */
static int diff_case(const void *argument)
{
    const struct diff_request *const request = argument;
    struct harness_error error = { "" };
    struct cli_session session;
    struct diff_outcome outcome;
    struct cli_case loaded = { NULL, NULL };
    const char *why = NULL;
    int code = cli_session_open(&session, &request->options);
    enum harness_status status = code == CLI_OK ? cli_case_create(&loaded, &error) : HARNESS_OK;
    if (status == HARNESS_OK && code == CLI_OK)
        status = cli_case_load(&loaded, request->path, &error);
    if (status == HARNESS_OK && code == CLI_OK)
        status = cli_quirks_case(&request->options, loaded.test_case, loaded.program, &why, &error);
    if (status != HARNESS_OK)
        code = cli_fail(status, &error);
    else if (why != NULL)
        print_not_tested(request, why);
    else if (code == CLI_OK)
        code = diff_loaded(request, &session, &loaded, &outcome);
    cli_case_destroy(&loaded);
    return cli_worse(code, cli_session_close(&session));
}

static void print_totals_json(const struct diff_request *request, size_t cases)
{
    const struct diff_totals *const totals = request->totals;
    cJSON *const object = cJSON_CreateObject();
    cJSON *const inner = cJSON_AddObjectToObject(object, request->is_generated ? "generated_totals" : "totals");
    (void)cJSON_AddNumberToObject(inner, "cases", (double)cases);
    (void)cJSON_AddNumberToObject(inner, "agree", (double)totals->agree);
    (void)cJSON_AddNumberToObject(inner, "within_tolerance", (double)totals->within);
    (void)cJSON_AddNumberToObject(inner, "diverge_undefined", (double)totals->undefined);
    (void)cJSON_AddNumberToObject(inner, "not_tested", (double)totals->not_tested);
    (void)cJSON_AddNumberToObject(inner, "vacuous", (double)totals->vacuous);
    (void)cJSON_AddNumberToObject(inner, "unstable", (double)totals->unstable);
    char *const line = cJSON_PrintUnformatted(object);
    if (line != NULL)
        puts(line);
    cJSON_free(line);
    cJSON_Delete(object);
}

static void print_totals(const struct diff_request *request, size_t cases)
{
    const struct diff_totals *const totals = request->totals;
    if (request->json) {
        print_totals_json(request, cases);
        return;
    }
    printf("%zu of %zu %s%s %s", totals->agree, cases, request->is_generated ? "generated " : "",
           cli_word(cases, "case", "cases"), cases == 1 ? "agrees" : "agree");
    if (totals->within != 0)
        printf(", %zu %s within the tolerance", totals->within, cli_word(totals->within, "agrees", "agree"));
    if (totals->undefined != 0)
        printf(", %zu %s by undefined behaviour", totals->undefined, cli_word(totals->undefined, "differs", "differ"));
    if (totals->not_tested != 0)
        printf(", %zu %s not tested", totals->not_tested, cli_word(totals->not_tested, "was", "were"));
    if (totals->vacuous != 0)
        printf(", %zu changed no memory", totals->vacuous);
    if (totals->unstable != 0)
        printf(", %zu %s unstable", totals->unstable, cli_word(totals->unstable, "is", "are"));
    printf("%s\n", cases != 0 && totals->not_tested == cases ? ": nothing was compared" : "");
}

/* A backend that dies of being looked at more closely does not take the verdict with it: that is found again. */
static int explain_file(const struct diff_request *request)
{
    const unsigned seconds = request->options.timeout.seconds;
    const int code = cli_guard(request->path, seconds, diff_case, request);
    if (!request->totals->explaining)
        return code;
    request->totals->explaining = false;
    request->totals->unexplained = true;
    return cli_guard(request->path, seconds, diff_case, request);
}

/* First without a word about a difference, for it may not come back. */
static int diff_file(const void *argument)
{
    const struct diff_request *const request = argument;
    struct diff_request first = *request;
    first.defers = true;
    request->totals->diverged = false;
    request->totals->stability.text[0] = '\0';
    const int code = cli_guard(request->path, request->options.timeout.seconds, diff_case, &first);
    if (!request->totals->diverged)
        return code;
    (void)diff_comes_back(request);
    return explain_file(request);
}

static uint64_t not_tested(const void *argument)
{
    return ((const struct diff_request *)argument)->totals->not_tested;
}

/* One file; the baseline may know what comes. */
static int diff_path(const struct diff_request *request)
{
    struct diff_request again = *request;
    again.no_explain = true;
    again.totals = cli_shared_create(sizeof *again.totals);
    if (again.totals == NULL)
        return CLI_HOST;
    const struct cli_trial trial = { .name = request->path,
                                     .timeout = request->options.timeout.seconds,
                                     .first = diff_file,
                                     .work = diff_case,
                                     .argument = request,
                                     .again = &again,
                                     .not_tested = not_tested,
                                     .bucket = request->buckets ? diff_bucket : NULL };
    const int code = cli_baseline_run(&request->options, &trial);
    cli_shared_destroy(again.totals);
    return diff_accept(request, code);
}

/* What the last file showed, `code` after the baseline has judged it. */
static void collect(struct diff_request *request, int code)
{
    const struct diff_totals *const totals = request->totals;
    const bool died = totals->verdict[0] == '\0' && code == CLI_CRASHED;
    if (request->sarif_path == NULL || (totals->verdict[0] == '\0' && !died))
        return;
    const struct harness_sarif_result result = { .rule = died ? "crash" : totals->verdict,
                                                 .message = died ? "a backend crashed or hung" : totals->message,
                                                 .path = request->path,
                                                 .accepted = code == CLI_OK ? "known to the baseline" : NULL };
    cli_sarif_add(&request->sarif, &result);
}

static int diff_files(struct diff_request *request, int count, char **files)
{
    struct cli_paths paths = { NULL, 0, 0 };
    int code = cli_paths_add_all(&paths, files, count);
    size_t ran = 0, left = 0;
    for (size_t i = 0; i < paths.count; i++) {
        const bool is_mine = cli_part_has(&request->options, i), is_over = cli_part_over(&request->options);
        left += is_mine && is_over;
        if (!is_mine || is_over)
            continue;
        request->path = paths.items[i];
        request->totals->verdict[0] = '\0';
        const int one = diff_path(request);
        collect(request, one);
        code = cli_worse(code, one);
        ran++;
        if (cli_is_hopeless(&request->options, one))
            break;
    }
    if (paths.count > 1 && !cli_is_hopeless(&request->options, code))
        print_totals(request, ran);
    cli_part_print(&request->options, left, request->json);
    cli_paths_free(&paths);
    return code;
}

static int diff_seeds(struct diff_request *request)
{
    if (request->seeds.count == 0)
        return CLI_OK;
    const size_t accepted = request->totals->accepted;
    memset(request->totals, 0, sizeof *request->totals);
    request->totals->accepted = accepted;
    request->is_generated = true;
    cli_part_seeds(&request->options, &request->seeds);
    const int code = diff_generated(request);
    if (!cli_is_hopeless(&request->options, code))
        print_totals(request, request->totals->done);
    if (request->totals->no_float24 && !request->json)
        printf("cases in float24 ran in binary32: a backend does not declare float24\n");
    if (request->totals->asked == 0)
        cli_part_print(&request->options, request->seeds.count - request->totals->done, request->json);
    return code;
}

static int run_all(struct diff_request *request, int count, char **files)
{
    struct harness_error error = { "" };
    if (request->output.path != NULL && cli_make_directory(request->output.path, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    request->totals = cli_shared_create(sizeof *request->totals);
    if (request->totals == NULL)
        return cli_fail(harness_fail_memory(&error), &error);
    request->options.unopened = &request->totals->unopened;
    const int code = count != 0 ? diff_files(request, count, files) : CLI_OK;
    const int generated = cli_is_hopeless(&request->options, code) ? code : diff_seeds(request);
    const int written = request->sarif_path != NULL ? cli_sarif_write(&request->sarif, request->sarif_path) : CLI_OK;
    cli_baseline_unmatched(&request->options, request->buckets);
    if (request->totals->accepted != 0)
        cli_print(stderr, "picafuzz: %zu case(s) accepted in %s\n", request->totals->accepted, request->quirks_path);
    cli_quirks_print(&request->options, request->json);
    cli_quirks_close(&request->options);
    cli_shared_destroy(request->totals);
    return cli_worse(cli_worse(code, generated), written);
}

static int command_diff(void *opaque, int count, char **files)
{
    struct diff_request *const request = opaque;
    if (count == 0 && request->seeds.count == 0)
        return cli_usage("diff", "no case given; name files, or use --generate SEED COUNT");
    if (cli_scope_check("diff", &request->options) != CLI_OK)
        return CLI_USAGE;
    const int part = cli_part_open("diff", &request->options);
    if (part != CLI_OK)
        return part;
    const int opened = diff_open_baseline(request);
    return opened == CLI_OK ? run_all(request, count, files) : opened;
}

const struct cli_command cli_cmd_diff = {
    .name = "diff",
    .summary = "run on two or more backends; name the first difference",
    .about = about,
    .exits = exits,
    .options = { { option_table, sizeof option_table / sizeof option_table[0], 0 },
                 { cli_run_option_table, CLI_RUN_OPTIONS, offsetof(struct diff_request, options) },
                 { cli_scope_option_table, CLI_SCOPE_OPTIONS, offsetof(struct diff_request, options) },
                 { cli_part_option_table, CLI_PART_OPTIONS, offsetof(struct diff_request, options) } },
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .run = command_diff,
};
