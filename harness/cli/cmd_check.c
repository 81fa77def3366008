#include "harness/cli/baseline.h"
#include "harness/cli/check_parts.h"
#include "harness/cli/progress.h"
#include "harness/cli/quirks.h"
#include "harness/cli/relation.h"
#include "harness/cli/stems.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "picafuzz check - test one backend without trusting another: changes that must not matter\n"
    "\n"
    "usage: picafuzz check [options] [FILE_OR_DIRECTORY...]\n"
    "\n"
    "  picafuzz check -b ./libmygpu.so corpus/captures                an emulator's GPU, every capture\n"
    "  picafuzz check -b fast --generate 1 10000                      generated cases, seeds 1 to 10000\n"
    "  picafuzz check --generate 1 1000 --areas blend,engines        generated cases, only these areas\n"
    "  picafuzz check --relations split-arrays,redundant a.pcase      two relations on one case\n"
    "  picafuzz check --list                                          all checks and the rules that prove them\n"
    "\n"
    "Each case runs as it is, and again with changes that cannot matter on any correct GPU: draws cut in\n"
    "two, registers written byte by byte, vertices as floats, lists moved and so on (docs/oracles.md). The\n"
    "results must be the same, byte by byte. `deterministic` runs the unchanged case again; if that gives\n"
    "another result, this is one finding, and no other check of the case counts. `invariant` runs it with\n"
    "threads, without instruction sets and with small queues and caches. A failure names the undefined\n"
    "behaviour that its case touches, as the reference records it. A case that fails or crashes is run three\n"
    "more times in fresh processes, and is `unstable` if the failure does not come back every time\n"
    "(docs/verdicts.md). A check that applied to no case proves nothing; the summary says how often each\n"
    "check applied.\n";

static const char exits[] =
    "exit codes: 0 all checks hold, 1 a check fails (or --require is not met), 2 usage, bad input, or\n"
    "nothing was tested, 3 the backend crashed or hung, 4 the backend failed (no verdict), or host trouble;\n"
    "if several apply, the first of 3 4 2 1\n";

enum {
    NAMED_PLACES = 3 /* failures of a case for which the place is looked for: some 25 runs each */
};

static const struct check_request defaults = {
    .options = CLI_RUN_DEFAULTS(1, "reference"),
    .generate = { .plain = HARNESS_GENERATE_PLAIN },
};

static const struct cli_option option_table[] = {
    { "backends", 'b', CLI_BACKEND, 0, 0, offsetof(struct check_request, options.backends.items[0]), "NAME",
      "reference, fast, or the path of a shared library", NULL },
    { "relations", 0, CLI_LIST, 1, CLI_LIST_MOST, offsetof(struct check_request, relations), "A,B[,..]",
      "run only these checks", NULL },
    { "generate", 0, CLI_SEEDS, 1, 1000000000, offsetof(struct check_request, seeds), "SEED COUNT",
      "also run COUNT generated cases, starting with SEED", NULL },
    { "mode", 0, CLI_CHOICE, 0, 0, offsetof(struct check_request, generate.mode), "MODE",
      "kind of the generated cases; defined: without undefined behaviour", &cli_generate_modes },
    { "areas", 'a', CLI_LIST, 1, CLI_LIST_MOST, offsetof(struct check_request, areas), "A,B[,..]",
      "generated cases have only these areas, and what a draw needs (picafuzz generate --list-areas)", NULL },
    { "plain", 0, CLI_NUMBER, 1, 100, offsetof(struct check_request, generate.plain), "PERCENT",
      "share of the fills, transfers and copies in generated cases that hold only values that real programs send",
      NULL },
    { "excuse", 0, CLI_FLAG, 0, 0, offsetof(struct check_request, excuse), NULL,
      "call a failure of a case that touches undefined behaviour `diverge (undefined)`, exit code 0", NULL },
    { "seed", 0, CLI_LONG, 0, UINT64_MAX, offsetof(struct check_request, seed), "N",
      "seed for what relations choose at random; a generated case uses its own seed", NULL },
    { "require", 0, CLI_LONG, 1, 1000000000, offsetof(struct check_request, require), "N",
      "fail (exit code 1) if a check applied to fewer than N cases", NULL },
    { "save", 0, CLI_WRITE, 0, 0, offsetof(struct check_request, save), "DIR",
      "write the two cases of each failing relation as .pcase", NULL },
    { "list", 0, CLI_FLAG, 0, 0, offsetof(struct check_request, list), NULL, "print the checks and end", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct check_request, json), NULL,
      "one JSON object for each failed check and one for the summary", NULL },
    { "quiet", 'q', CLI_FLAG, 0, 0, offsetof(struct check_request, quiet), NULL,
      "print only failures and the summary; the default with more than 40 files", NULL },
    { "verbose", 'v', CLI_FLAG, 0, 0, offsetof(struct check_request, verbose), NULL, "print every case, however many",
      NULL },
};

/* --------------------------------------------------------------------------------------------------- in a worker */

/* What a worker works with. */
struct bench {
    const struct check_request *request;
    struct harness_checker *checker;
};

/* The first check of this process makes it. */
static bool has_checker(struct bench *bench)
{
    const struct check_request *const request = bench->request;
    const struct harness_backend *const backend = &request->judges.backends[0];
    const struct harness_check_options options = { .backend = cli_backend_options(&request->options),
                                                   .scope = &backend->scope,
                                                   .excuse = request->excuse };
    if (bench->checker == NULL)
        bench->checker = harness_checker_create(backend->backend, &options);
    return bench->checker != NULL;
}

static void trouble(const struct harness_probe_question *question, const char *what)
{
    question->symptom->kind = HARNESS_TROUBLE;
    (void)snprintf(question->symptom->detail, sizeof question->symptom->detail, "%.*s", HARNESS_SYMPTOM_DETAIL - 1,
                   what);
}

/* One check. False: no verdict, and all is said. */
static bool try_check(const struct harness_probe_question *question, size_t check, uint64_t seed,
                      struct harness_check_result *result)
{
    const struct bench *const bench = question->user;
    (void)snprintf(question->doing, HARNESS_SYMPTOM_WHAT, "the check %s", harness_check_name(check));
    if (harness_check(bench->checker, question->program, check, seed, result) == HARNESS_OK)
        return true;
    trouble(question, result->error.message);
    return false;
}

static void keep_failure(struct check_answer *answer, size_t check, const struct harness_check_result *result)
{
    struct check_failure *const failure = &answer->failures[answer->count++];
    failure->check = check;
    failure->places[0] = '\0';
    failure->report = result->report;
}

/* A relation says nothing about a case that gives another result when it runs again: that is what failed, then. */
static bool repeats(const struct harness_probe_question *question, struct check_answer *answer)
{
    struct harness_check_result result;
    if (answer->confirmed)
        return true;
    answer->confirmed = true;
    if (!try_check(question, HARNESS_CHECK_DETERMINISTIC, 0, &result))
        return false;
    if (result.report.verdict < ORACLE_DIVERGE_UNDEFINED)
        return true;
    keep_failure(answer, HARNESS_CHECK_DETERMINISTIC, &result);
    return false;
}

/* False: the others of this case prove nothing. */
static bool take_check(const struct harness_probe_question *question, size_t check, struct check_answer *answer)
{
    struct harness_check_result result;
    if (!try_check(question, check, question->number, &result))
        return false;
    answer->applied[check] = result.places != 0;
    if (result.report.verdict == ORACLE_REFUSED)
        (void)snprintf(answer->refusal, sizeof answer->refusal, "%.*s", (int)strcspn(result.report.message, "\n"),
                       result.report.message);
    if (result.report.verdict < ORACLE_DIVERGE_UNDEFINED)
        return true;
    if (check != HARNESS_CHECK_DETERMINISTIC && !repeats(question, answer)) {
        answer->applied[check] = false;
        return false;
    }
    keep_failure(answer, check, &result);
    return check != HARNESS_CHECK_DETERMINISTIC;
}

/* Makes the symptom of all checks of the case. */
static void conclude(const struct harness_probe_question *question, const struct check_answer *answer)
{
    struct harness_symptom *const symptom = question->symptom;
    bool any = false;
    for (size_t i = 0; i < HARNESS_MAX_CHECKS; i++)
        any = any || answer->applied[i];
    if (answer->count != 0) {
        symptom->kind = HARNESS_RELATION;
        symptom->undefined = true;
        for (size_t i = 0; i < answer->count; i++)
            symptom->undefined = symptom->undefined && answer->failures[i].report.verdict < ORACLE_DIVERGE;
        (void)snprintf(symptom->what, sizeof symptom->what, "%s", harness_check_name(answer->failures[0].check));
        question->comparison->report = answer->failures[0].report;
    } else if (!any) {
        symptom->kind = HARNESS_NOT_TESTED;
        (void)snprintf(symptom->detail, sizeof symptom->detail, "%s",
                       answer->refusal[0] != '\0' ? answer->refusal : "none of the checks applies to it");
    }
}

static void ask(const struct harness_probe_question *question)
{
    struct bench *const bench = question->user;
    const struct check_request *const request = bench->request;
    struct check_answer *const answer = question->answer;
    answer->count = 0;
    answer->refusal[0] = '\0';
    answer->confirmed = request->selected[HARNESS_CHECK_DETERMINISTIC];
    memset(answer->applied, 0, sizeof answer->applied);
    if (!has_checker(bench)) {
        trouble(question, "out of memory");
        return;
    }
    for (size_t i = 0; i < harness_check_count(); i++)
        if (request->selected[i] && !take_check(question, i, answer))
            break;
    if (question->symptom->kind != HARNESS_TROUBLE)
        conclude(question, answer);
}

static void save_twins(const struct bench *bench, size_t check)
{
    char path[4096];
    struct harness_error error = { "" };
    const struct check_request *const request = bench->request;
    (void)snprintf(path, sizeof path, "%.2000s/%.1000s-%s", request->save, request->name, harness_check_name(check));
    if (cli_save_twins(bench->checker, path, &error) != HARNESS_OK)
        (void)cli_fail(HARNESS_HOST, &error);
}

/* The failures are in the answer already: if the backend crashes here, only places and files are lost. */
static void explain(const struct harness_probe_question *question)
{
    struct bench *const bench = question->user;
    struct check_answer *const answer = question->answer;
    uint32_t named = 0;
    for (size_t i = 0; i < answer->count; i++) {
        struct check_failure *const failure = &answer->failures[i];
        struct harness_check_places places;
        struct harness_text text = { 0 };
        struct harness_check_result result;
        if (failure->check < HARNESS_CHECK_FIRST_RELATION)
            continue;
        (void)harness_check(bench->checker, question->program, failure->check, question->number, &result);
        if (named++ < NAMED_PLACES &&
            harness_check_narrow(bench->checker, question->program, failure->check, question->number, &places))
            cli_places_text(&places, &text);
        (void)snprintf(failure->places, sizeof failure->places, "%s", harness_text_string(&text));
        harness_text_free(&text);
        if (bench->request->save != NULL)
            save_twins(bench, failure->check);
    }
}

static void end(void *user)
{
    harness_checker_destroy(((struct bench *)user)->checker);
}

/* --------------------------------------------------------------------------------------------------------- a case */

static void count(struct tally *tally, const struct harness_trial *trial, const struct check_answer *answer)
{
    harness_tally_add(&tally->totals, trial);
    tally->not_whole += trial->outcome != HARNESS_NOT_TESTED && answer->refusal[0] != '\0';
    for (size_t i = 0; i < HARNESS_MAX_CHECKS; i++)
        tally->applied[i] += answer->applied[i];
    for (size_t i = 0; i < answer->count; i++) {
        tally->failed[answer->failures[i].check]++;
        tally->not_deterministic += answer->failures[i].check == HARNESS_CHECK_DETERMINISTIC;
    }
}

static void print_failures(const struct check_request *request, const char *name, const struct check_answer *answer)
{
    for (size_t i = 0; i < answer->count; i++) {
        const struct check_failure *const failure = &answer->failures[i];
        check_print_failure(request, name, failure);
        if (!request->json && failure->check == HARNESS_CHECK_DETERMINISTIC)
            cli_print(stdout, "  the other checks of this case prove nothing and do not count\n");
    }
}

/* Why the checks say nothing about the case: "NAME: unstable: ...". */
static void print_reason(const struct check_request *request, const char *name, const struct harness_trial *trial)
{
    struct harness_text reason = { 0 };
    FILE *const file =
        request->json || harness_outcome_died(trial->outcome) || trial->outcome == HARNESS_TROUBLE ? stderr : stdout;
    harness_trial_reason(request->judges.trials, trial, &reason);
    cli_print(file, "%s%s: %s: %s\n", file == stderr ? "picafuzz: " : "", name, harness_outcome_name(trial->outcome),
              harness_text_string(&reason));
    harness_text_free(&reason);
}

static void print_case(const struct check_request *request, const char *name, const struct harness_trial *trial,
                       const struct check_answer *answer)
{
    uint32_t applied = 0;
    const bool is_said = !request->json && !request->quiet && !request->is_generated;
    for (size_t i = 0; i < HARNESS_MAX_CHECKS; i++)
        applied += answer->applied[i];
    if (trial->outcome == HARNESS_RELATION && answer->count != 0)
        print_failures(request, name, answer);
    else if (trial->outcome != HARNESS_AGREE && (trial->outcome != HARNESS_NOT_TESTED || is_said))
        print_reason(request, name, trial);
    if (is_said && (trial->outcome == HARNESS_AGREE || trial->outcome == HARNESS_RELATION))
        cli_print(stdout, "%s: %u check(s) applied%s\n", name, (unsigned)applied,
                  trial->outcome == HARNESS_AGREE ? ", all hold" : "");
}

/* The case that is loaded. `seed`: what relations leave open. */
static int check_case(struct check_request *request, const char *name, uint64_t seed)
{
    struct harness_error error = { "" };
    struct harness_trial *const trial = &request->judges.trial;
    static const struct check_answer left_out = { .count = 0 };
    harness_trials_number(request->judges.trials, seed);
    const enum harness_status status =
        cli_trial_case(&request->options, &request->judges, request->test_case, NULL, trial, &error);
    if (status != HARNESS_OK) {
        harness_error_prefix(&error, name);
        return cli_fail(status, &error);
    }
    const bool answered = trial->outcome == HARNESS_AGREE || trial->outcome == HARNESS_RELATION;
    const struct check_answer *const answer = answered ? harness_trials_answer(request->judges.trials) : &left_out;
    count(&request->tally, trial, answer);
    cli_trial_said(trial);
    print_case(request, name, trial, answer);
    const struct cli_judge_case question = { .name = name, .trial = trial };
    return cli_baseline_judge_trial(&request->options, &question);
}

static int check_file(void *user, const char *path, size_t index)
{
    struct check_request *const request = user;
    struct harness_error error = { "" };
    request->name = request->stems[index];
    const enum harness_status status = cli_load(path, request->test_case, &error);
    return status == HARNESS_OK ? check_case(request, path, request->seed) : cli_fail(status, &error);
}

static int check_seed(struct check_request *request, uint64_t seed)
{
    char name[64];
    (void)snprintf(name, sizeof name, "seed-%" PRIu64, seed);
    if (cli_baseline_skips(&request->options, name))
        return CLI_OK;
    harness_case_reset(request->test_case);
    harness_generate(request->test_case, seed, &request->generate);
    (void)harness_backends_fit_profile(request->judges.backends, 1, request->test_case);
    request->name = name;
    return check_case(request, name, seed);
}

/* -------------------------------------------------------------------------------------------------------- all cases */

static int check_files(struct check_request *request, const struct cli_paths *paths)
{
    request->quiet = request->quiet || (paths->count > CLI_SCREEN && !request->verbose);
    return cli_part_files(&request->options, paths, check_file, request, &request->left);
}

static int check_seeds(struct check_request *request)
{
    int code = CLI_OK;
    uint64_t i = 0;
    struct cli_progress progress;
    cli_part_seeds(&request->options, &request->seeds);
    cli_progress_begin(&progress);
    for (; i < request->seeds.count && cli_progress_goes_on(&progress, i, request->seeds.count, ""); i++) {
        if (cli_part_over(&request->options)) {
            request->left += request->seeds.count - i;
            return cli_worse(code, cli_progress_end(&progress, 0));
        }
        code = cli_worse(code, check_seed(request, request->seeds.first + i));
    }
    return cli_worse(code, cli_progress_end(&progress, request->seeds.count - i));
}

/* Reports checks that applied too seldom. */
static int require(const struct check_request *request)
{
    int code = CLI_OK;
    for (size_t i = 0; i < harness_check_count(); i++) {
        if (!request->selected[i] || request->tally.applied[i] >= request->require)
            continue;
        cli_print(stderr, "picafuzz: %s applied to %llu case(s), %llu are required\n", harness_check_name(i),
                  (unsigned long long)request->tally.applied[i], (unsigned long long)request->require);
        code = CLI_DIVERGED;
    }
    return code;
}

/* Files run in a process each; seeds (`paths` NULL) follow each other in one. */
static int with_judges(struct check_request *request, const struct cli_paths *paths)
{
    const bool seeds = paths == NULL;
    struct bench bench = { .request = request };
    const struct harness_probe_judge judge = { ask, explain, end, &bench };
    const struct harness_trial_options how = { .probe.judge = &judge, .shares = seeds, .explain = true };
    int code = cli_trials_open(&request->options, &how, &request->judges);
    request->is_generated = seeds;
    if (code == CLI_OK)
        code = cli_compares_something(request->judges.backends, 1);
    request->has_begun = code == CLI_OK;
    if (request->has_begun)
        code = seeds ? check_seeds(request) : check_files(request, paths);
    return cli_worse(code, cli_trials_close(&request->judges));
}

static int check_all(struct check_request *request, int count, char **files)
{
    struct harness_error error = { "" };
    struct cli_paths paths = { NULL, 0 };
    int code = cli_paths_add_all(&paths, files, count);
    request->test_case = harness_case_create();
    request->stems = cli_stems(&paths);
    if (request->stems == NULL || request->test_case == NULL)
        code = cli_worse(code, cli_fail(harness_fail_memory(&error), &error));
    else if (paths.count != 0)
        code = cli_worse(code, with_judges(request, &paths));
    if (request->test_case != NULL && request->seeds.count != 0 && (request->has_begun || paths.count == 0))
        code = cli_worse(code, with_judges(request, NULL));
    cli_stems_free(request->stems, &paths);
    cli_paths_free(&paths);
    harness_case_destroy(request->test_case);
    return code;
}

static int run_checks(struct check_request *request, int count, char **files)
{
    struct harness_error error = { "" };
    if (request->save != NULL && cli_make_directory(request->save, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    int code = check_all(request, count, files);
    check_print_summary(request);
    cli_part_print(&request->options, request->left, request->json);
    cli_baseline_unmatched(&request->options, false);
    cli_quirks_print(&request->options, request->json);
    code = cli_worse(code, cli_nothing_compared(&request->tally.totals));
    return cli_worse(code, require(request));
}

static const char *check_name(uint32_t index)
{
    return harness_check_name(index);
}

static int select_checks(struct check_request *request)
{
    for (size_t i = 0; i < harness_check_count(); i++)
        request->selected[i] = request->relations.count == 0;
    for (size_t k = 0; k < request->relations.count; k++) {
        const char *const name = request->relations.items[k];
        const size_t i = cli_find_check(name);
        if (i == harness_check_count())
            return cli_not_one_of("check", "--relations", name, check_name);
        request->selected[i] = true;
    }
    return CLI_OK;
}

static int command_check(void *opaque, int count, char **files)
{
    struct check_request *const request = opaque;
    int code = select_checks(request);
    if (code != CLI_OK)
        return code;
    if (request->list)
        return check_print_list();
    if (count == 0 && request->seeds.count == 0)
        return cli_usage("check", "no case given; name files, or use --generate SEED COUNT");
    if (cli_areas("check", &request->areas, &request->generate) != CLI_OK)
        return CLI_USAGE;
    request->backend = request->options.backends.items[0];
    request->options.hosts = true;
    code = cli_run_open("check", &request->options);
    if (code == CLI_OK)
        code = run_checks(request, count, files);
    cli_run_close(&request->options);
    return code;
}

const struct cli_command cli_cmd_check = {
    CLI_COMMAND("check", command_check, "test one backend by changes that must not matter"),
    .options = { CLI_OWN_OPTIONS,
                 CLI_RUN_SETS(check_request, options),
                 { cli_part_option_table, CLI_PART_OPTIONS, offsetof(struct check_request, options) } },
};
