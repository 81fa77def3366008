#include "harness/case/formats.h"
#include "harness/cli/baseline.h"
#include "harness/cli/check_parts.h"
#include "harness/cli/quirks.h"
#include "harness/cli/relation.h"
#include "harness/cli/stems.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char about[] =
    "picafuzz check - test one backend without trusting another: changes that must not matter\n"
    "\n"
    "usage: picafuzz check [options] [FILE_OR_DIRECTORY...]\n"
    "\n"
    "  picafuzz check --backend ./libmygpu.so corpus/captures         an emulator's GPU, every capture\n"
    "  picafuzz check --backend fast --generate 1 10000               generated cases, seeds 1 to 10000\n"
    "  picafuzz check --generate 1 1000 --areas blend,engines        generated cases, these areas alone\n"
    "  picafuzz check --relations split-arrays,redundant a.pcase      two relations on one case\n"
    "  picafuzz check --list                                          all checks and the rules that prove them\n"
    "\n"
    "Each case runs as it is and changed in ways that cannot matter on any correct GPU: draws cut in two,\n"
    "registers written byte by byte, vertices as floats, lists moved and so on (docs/oracles.md). The\n"
    "results must be the same, byte by byte. `deterministic` runs a case again (a case that gives another\n"
    "result then is one finding, and no other check of it counts), `invariant` runs it with\n"
    "threads, without instruction sets and with small queues and caches. A failure names the undefined\n"
    "behaviour that its case touches, as the reference records it. A generated case of which a check fails\n"
    "runs again in a fresh process first; if none fails there, it is unstable. A check that applied to no\n"
    "case proves nothing; the summary says how often each applied.\n";

static const char exits[] =
    "exit codes: 0 all checks hold, 1 one does not (or --require), 2 usage or bad input, 3 the backend\n"
    "crashed or hung, 4 host trouble\n";

enum {
    BATCH = 100,     /* generated cases for each guarded child */
    NAMED_PLACES = 3 /* failures of a case for which the place is looked for: some 25 runs each */
};

static const struct check_request defaults = {
    .options = { .backends = { { "reference" }, 1 }, .instruction_sets = UINT32_MAX, .timeout = { 60, false } },
    .generate = { .plain = HARNESS_GENERATE_PLAIN },
};

static const struct cli_option option_table[] = {
    { "backend", 'b', CLI_TEXT, 0, 0, offsetof(struct check_request, options.backends.items[0]), "NAME",
      "reference, fast, or the path of a shared library", NULL },
    { "relations", 0, CLI_LIST, 1, CLI_LIST_MOST, offsetof(struct check_request, relations), "A,B[,..]",
      "only these checks", NULL },
    { "generate", 0, CLI_SEEDS, 1, 1000000000, offsetof(struct check_request, seeds), "SEED COUNT",
      "also COUNT generated cases, from SEED on; --timeout is for 100 of them", NULL },
    { "mode", 0, CLI_CHOICE, 0, 0, offsetof(struct check_request, generate.mode), "MODE",
      "of generated cases; defined has no undefined behaviour", &cli_generate_modes },
    { "areas", 'a', CLI_LIST, 1, CLI_LIST_MOST, offsetof(struct check_request, areas), "A,B[,..]",
      "generated cases have nothing but these areas beside what a draw needs (picafuzz generate --list-areas)", NULL },
    { "plain", 0, CLI_NUMBER, 1, 100, offsetof(struct check_request, generate.plain), "PERCENT",
      "of the fills, transfers and copies of generated cases, how many hold only values that programs send", NULL },
    { "excuse", 0, CLI_FLAG, 0, 0, offsetof(struct check_request, excuse), NULL,
      "call a failure of a case that touches undefined behaviour `diverge (undefined)`, exit code 0", NULL },
    { "seed", 0, CLI_LONG, 0, UINT64_MAX, offsetof(struct check_request, seed), "N",
      "what relations leave open; a generated case uses its own seed", NULL },
    { "require", 0, CLI_LONG, 1, 1000000000, offsetof(struct check_request, require), "N",
      "fail (exit code 1) if a check applied to fewer than N cases", NULL },
    { "save", 0, CLI_TEXT, 0, 0, offsetof(struct check_request, save), "DIR",
      "write the two cases of each failing relation as .pcase", NULL },
    { "list", 0, CLI_FLAG, 0, 0, offsetof(struct check_request, list), NULL, "print the checks and end", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct check_request, json), NULL,
      "one JSON object for each failed check and one for the summary", NULL },
    { "quiet", 'q', CLI_FLAG, 0, 0, offsetof(struct check_request, quiet), NULL, "print failures and the summary only",
      NULL },
};

/* What a guarded child works with. */
struct work {
    const struct check_request *request;
    const struct harness_backend *backend;
    struct harness_checker *checker;
    struct cli_case loaded;
    bool only_looks; /* nothing that fails is said or counted: it runs again in a fresh process */
};

/* ---------------------------------------------------------------------------------------------------- in the child */

static void save_twins(const struct work *work, const char *name, size_t check)
{
    char path[4096], stem[256];
    struct harness_error error = { "" };
    cli_stem(name, stem, sizeof stem);
    (void)snprintf(path, sizeof path, "%.2000s/%.1000s-%s", work->request->save,
                   work->request->stem != NULL ? work->request->stem : stem, harness_check_name(check));
    if (cli_save_twins(work->checker, path, &error) != HARNESS_OK)
        (void)cli_fail(HARNESS_HOST, &error);
}

/* The failure stands already: a backend that crashes on the way loses nothing but this line. */
static void name_place(const struct work *work, const char *name, size_t check, uint64_t seed)
{
    struct harness_check_places places;
    struct harness_text text;
    (void)fflush(stdout);
    cli_doing("%s, %s, looking for the write that matters", name, harness_check_name(check));
    if (!harness_check_narrow(work->checker, work->loaded.program, check, seed, &places) || work->request->json)
        return;
    harness_text_init(&text);
    cli_places_text(&places, &text);
    cli_print(stdout, "  it is enough to change %s\n", harness_text_string(&text));
    harness_text_free(&text);
}

static void print_case(const char *name, uint32_t applied, bool holds, const char *refusal)
{
    if (refusal[0] != '\0' && applied == 0)
        cli_print(stdout, "%s: not tested: %s\n", name, refusal);
    else
        cli_print(stdout, "%s: %u check(s) applied%s\n", name, (unsigned)applied, holds ? ", all hold" : "");
}

/* Counts the case once, whatever else would fail on it. */
static void report_not_deterministic(const struct check_request *request, const char *name,
                                     const struct harness_check_result *result)
{
    request->tally->not_deterministic++;
    check_print_failure(request, name, HARNESS_CHECK_DETERMINISTIC, result);
    if (!request->json)
        cli_print(stdout, "  the other checks of this case prove nothing and do not count\n");
}

/* Asked before the first failure of another check counts, unless `deterministic` was among the checks. */
static enum harness_status confirm(const struct work *work, const char *name, bool *repeats,
                                   struct harness_error *error)
{
    struct harness_check_result result;
    cli_doing("%s, deterministic", name);
    const enum harness_status status =
        harness_check(work->checker, work->loaded.program, HARNESS_CHECK_DETERMINISTIC, 0, &result);
    *repeats = result.report.verdict < ORACLE_DIVERGE_UNDEFINED;
    *error = result.error;
    if (status == HARNESS_OK && !*repeats)
        report_not_deterministic(work->request, name, &result);
    return status;
}

/* What is known of a case so far. */
struct judgement {
    int code;
    uint32_t applied;
    char refusal[160]; /* the first line; "" if it was tested */
    bool repeats, confirmed;
    uint64_t seed;  /* what relations leave open */
    uint32_t named; /* failures whose place was looked for */
    bool failed;    /* `only_looks`: something did, and that is all */
    struct harness_error error;
};

/* A relation failed, which counts only if the case repeats. */
static enum harness_status take_failure(const struct work *work, const char *name, size_t i,
                                        const struct harness_check_result *result, struct judgement *judgement)
{
    const struct check_request *const request = work->request;
    enum harness_status status = HARNESS_OK;
    if (!judgement->confirmed)
        status = confirm(work, name, &judgement->repeats, &judgement->error);
    judgement->confirmed = true;
    if (status != HARNESS_OK || !judgement->repeats) {
        request->tally->applied[i]--;
        return status;
    }
    request->tally->failed[i]++;
    check_print_failure(request, name, i, result);
    if (i < HARNESS_CHECK_FIRST_RELATION)
        return HARNESS_OK;
    if (judgement->named < NAMED_PLACES)
        name_place(work, name, i, judgement->seed);
    judgement->named++;
    if (request->save != NULL)
        save_twins(work, name, i);
    return HARNESS_OK;
}

static enum harness_status check_one(const struct work *work, const char *name, size_t i, struct judgement *judgement)
{
    const struct check_request *const request = work->request;
    struct harness_check_result result;
    cli_doing("%s, %s", name, harness_check_name(i));
    const enum harness_status status = harness_check(work->checker, work->loaded.program, i, judgement->seed, &result);
    request->tally->applied[i] += result.places != 0;
    judgement->applied += result.places != 0;
    judgement->error = result.error;
    if (result.report.verdict == ORACLE_REFUSED)
        (void)snprintf(judgement->refusal, sizeof judgement->refusal, "%.*s", (int)strcspn(result.report.message, "\n"),
                       result.report.message);
    if (work->only_looks && (status == HARNESS_CRASHED || result.report.verdict >= ORACLE_DIVERGE_UNDEFINED))
        judgement->failed = true;
    if (judgement->failed || status != HARNESS_OK || result.report.verdict < ORACLE_DIVERGE_UNDEFINED)
        return judgement->failed ? HARNESS_OK : status;
    if (result.report.verdict >= ORACLE_DIVERGE)
        judgement->code = CLI_DIVERGED;
    if (i != HARNESS_CHECK_DETERMINISTIC)
        return take_failure(work, name, i, &result, judgement);
    judgement->repeats = false;
    request->tally->failed[i]++;
    report_not_deterministic(request, name, &result);
    return HARNESS_OK;
}

/* The case that is loaded. *failed: it did, with `only_looks`. */
static int check_case(const struct work *work, const char *name, uint64_t seed, bool *failed)
{
    const struct check_request *const request = work->request;
    struct judgement judgement = {
        .code = CLI_OK, .seed = seed, .repeats = true, .confirmed = request->selected[HARNESS_CHECK_DETERMINISTIC]
    };
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; status == HARNESS_OK && judgement.repeats && !judgement.failed && i < harness_check_count(); i++)
        if (request->selected[i])
            status = check_one(work, name, i, &judgement);
    *failed = judgement.failed;
    request->tally->cases++;
    request->tally->not_tested += judgement.refusal[0] != '\0';
    if (status != HARNESS_OK) {
        harness_error_prefix(&judgement.error, name);
        return cli_worse(judgement.code, cli_fail(status, &judgement.error));
    }
    if (!request->json && !request->quiet && request->path != NULL)
        print_case(name, judgement.applied, judgement.code == CLI_OK, judgement.refusal);
    return judgement.code;
}

/* *why: a feature of the case that is not there, so that it is not tested. */
static enum harness_status take_quirks(struct work *work, const char *name, const char **why,
                                       struct harness_error *error)
{
    const struct check_request *const request = work->request;
    const enum harness_status status =
        cli_quirks_case(&request->options, work->loaded.test_case, work->loaded.program, why, error);
    if (*why == NULL)
        return status;
    request->tally->cases++;
    request->tally->not_tested++;
    if (!request->quiet && !request->json)
        cli_print(stdout, "%s: not tested: without: %s\n", name, *why);
    return status;
}

/* Did a fresh process agree with what the one before saw? */
static int judge_again(const struct work *work, const char *name, int code)
{
    if (code != CLI_OK)
        return code;
    work->request->tally->unstable++;
    if (!work->request->json)
        cli_print(stdout, "%s: unstable: a check failed after other cases, and none does in a fresh process\n", name);
    return CLI_DIVERGED;
}

/* What fails is forgotten, and is the first case of the next child (*again). */
static int check_generated_case(struct work *work, const char *name, uint64_t seed, bool *again)
{
    struct tally *const tally = work->request->tally;
    const bool is_second = tally->again && tally->again_seed == seed;
    const struct tally before = *tally;
    tally->again = false;
    work->only_looks = !is_second;
    const int code = check_case(work, name, seed, again);
    if (!*again)
        return cli_baseline_judge(&work->request->options, name, is_second ? judge_again(work, name, code) : code);
    *tally = before;
    tally->again = true;
    tally->again_seed = seed;
    return CLI_OK;
}

static int check_generated(struct work *work)
{
    int code = CLI_OK;
    bool again = false;
    /* a backend that crashed here did so in a process of its own, and the next case gets another */
    for (uint64_t i = 0; i < work->request->seeds.count && !again && (code <= CLI_DIVERGED || code == CLI_CRASHED);
         i++) {
        char name[64];
        const char *why = NULL;
        const uint64_t seed = work->request->seeds.first + i;
        (void)snprintf(name, sizeof name, "seed-%llu", (unsigned long long)seed);
        struct harness_error error = { "" };
        harness_case_reset(work->loaded.test_case);
        harness_generate(work->loaded.test_case, seed, &work->request->generate);
        (void)harness_backends_fit_profile(work->backend, 1, work->loaded.test_case);
        enum harness_status status = harness_case_setup(work->loaded.test_case, work->loaded.program, &error);
        if (status == HARNESS_OK)
            status = take_quirks(work, name, &why, &error);
        if (status != HARNESS_OK)
            harness_error_prefix(&error, name);
        if (why != NULL || cli_baseline_skips(&work->request->options, name))
            continue;
        code = cli_worse(code, status == HARNESS_OK ? check_generated_case(work, name, seed, &again)
                                                    : cli_fail(status, &error));
    }
    return code;
}

static int check_file(struct work *work)
{
    struct harness_error error = { "" };
    const char *why = NULL;
    enum harness_status status = cli_case_load(&work->loaded, work->request->path, &error);
    if (status == HARNESS_OK)
        status = take_quirks(work, work->request->path, &why, &error);
    if (why != NULL)
        return CLI_OK;
    bool failed;
    return status == HARNESS_OK ? check_case(work, work->request->path, work->request->seed, &failed)
                                : cli_fail(status, &error);
}

static int check_guarded(const void *argument)
{
    struct work work = { .request = argument };
    const struct cli_run_options options = work.request->options;
    struct harness_error error = { "" };
    int code = CLI_HOST;
    struct harness_check_options check_options = { .backend = cli_backend_options(&options),
                                                   .excuse = work.request->excuse };
    struct harness_backend backend;
    enum harness_status status = harness_backend_open(options.backends.items[0], &backend, &error);
    *options.unopened = status != HARNESS_OK;
    if (status != HARNESS_OK)
        return cli_fail(status, &error);
    cli_limit_calls(&backend, &options);
    cli_scope_apply(&options, &backend);
    *options.unopened = cli_compares_something(&backend, 1) != CLI_OK;
    if (*options.unopened) {
        (void)cli_backend_close(&backend);
        return CLI_USAGE;
    }
    work.backend = &backend;
    check_options.scope = &backend.scope;
    work.checker = harness_checker_create(backend.backend, &check_options);
    status = work.checker != NULL ? cli_case_create(&work.loaded, &error) : harness_fail_memory(&error);
    if (status != HARNESS_OK)
        code = cli_fail(status, &error);
    else
        code = work.request->path != NULL ? check_file(&work) : check_generated(&work);
    cli_case_destroy(&work.loaded);
    harness_checker_destroy(work.checker);
    return cli_worse(code, cli_backend_close(&backend));
}

/* ---------------------------------------------------------------------------------------------------------- command */

static uint64_t not_tested(const void *argument)
{
    return ((const struct check_request *)argument)->tally->not_tested;
}

static int check_in_child(const void *argument)
{
    const struct check_request *const request = argument;
    return cli_guard(request->path, request->options.timeout.seconds, check_guarded, request);
}

/* One file; the baseline may know what comes. */
static int check_path(const struct check_request *request)
{
    struct check_request again = *request;
    again.save = NULL;
    again.tally = cli_shared_create(sizeof *again.tally);
    if (again.tally == NULL)
        return CLI_HOST;
    const struct cli_trial trial = { .name = request->path,
                                     .timeout = request->options.timeout.seconds,
                                     .first = check_in_child,
                                     .work = check_guarded,
                                     .argument = request,
                                     .again = &again,
                                     .not_tested = not_tested };
    const int code = cli_baseline_run(&request->options, &trial);
    cli_shared_destroy(again.tally);
    return code;
}

static int check_paths(struct check_request *request, int count, char **files)
{
    struct cli_paths paths = { NULL, 0, 0 };
    int code = cli_paths_add_all(&paths, files, count);
    char **const stems = cli_stems(&paths);
    if (stems == NULL) {
        struct harness_error error = { "" };
        cli_paths_free(&paths);
        return cli_fail(harness_fail_memory(&error), &error);
    }
    for (size_t i = 0; i < paths.count; i++) {
        const bool is_mine = cli_part_has(&request->options, i), is_over = cli_part_over(&request->options);
        request->left += is_mine && is_over;
        request->path = paths.items[i];
        request->stem = stems[i];
        const int one = is_mine && !is_over ? check_path(request) : CLI_OK;
        code = cli_worse(code, one);
        if (cli_is_hopeless(&request->options, one))
            break;
    }
    request->path = request->stem = NULL;
    cli_stems_free(stems, &paths);
    cli_paths_free(&paths);
    return code;
}

static int check_seeds(struct check_request *request)
{
    int code = CLI_OK;
    struct cli_seeds *const seeds = &request->seeds;
    cli_part_seeds(&request->options, seeds);
    for (uint64_t left = seeds->count; left > 0; left -= seeds->count) {
        char name[64];
        if (cli_part_over(&request->options)) {
            request->left += left;
            break;
        }
        seeds->count = left < BATCH ? left : BATCH;
        (void)snprintf(name, sizeof name, "seeds %" PRIu64 " to %" PRIu64, seeds->first,
                       seeds->first + seeds->count - 1);
        const int one = cli_guard(name, request->options.timeout.seconds, check_guarded, request);
        code = cli_worse(code, one);
        if (cli_is_hopeless(&request->options, one))
            break;
        if (request->tally->again) /* the rest of them, beginning with the one that failed */
            seeds->count = request->tally->again_seed - seeds->first;
        seeds->first += seeds->count;
    }
    return code;
}

/* Reports checks that applied too seldom. */
static int require(const struct check_request *request)
{
    int code = CLI_OK;
    for (size_t i = 0; i < harness_check_count(); i++) {
        if (!request->selected[i] || request->tally->applied[i] >= request->require)
            continue;
        cli_print(stderr, "picafuzz: %s applied to %llu case(s), %llu are required\n", harness_check_name(i),
                  (unsigned long long)request->tally->applied[i], (unsigned long long)request->require);
        code = CLI_DIVERGED;
    }
    return code;
}

static int run_checks(struct check_request *request, int count, char **files)
{
    struct harness_error error = { "" };
    if (request->save != NULL && cli_make_directory(request->save, &error) != HARNESS_OK)
        return cli_fail(HARNESS_HOST, &error);
    request->tally = cli_shared_create(sizeof *request->tally);
    if (request->tally == NULL)
        return cli_fail(harness_fail_memory(&error), &error);
    request->options.unopened = &request->tally->unopened;
    int code = check_paths(request, count, files);
    if (!cli_is_hopeless(&request->options, code))
        code = cli_worse(code, check_seeds(request));
    check_print_summary(request);
    cli_part_print(&request->options, request->left, request->json);
    cli_baseline_unmatched(&request->options, false);
    cli_quirks_print(&request->options, request->json);
    code = cli_worse(code, require(request));
    cli_shared_destroy(request->tally);
    return code;
}

static int select_checks(struct check_request *request)
{
    for (size_t i = 0; i < harness_check_count(); i++)
        request->selected[i] = request->relations.count == 0;
    for (size_t k = 0; k < request->relations.count; k++) {
        const char *const name = request->relations.items[k];
        const size_t i = cli_find_check(name);
        if (i == harness_check_count())
            return cli_usage("check", "--relations: '%s' is not a check; `picafuzz check --list` names them", name);
        request->selected[i] = true;
    }
    return CLI_OK;
}

static int command_check(void *opaque, int count, char **files)
{
    struct check_request *const request = opaque;
    const int code = select_checks(request);
    if (code != CLI_OK)
        return code;
    if (request->list)
        return check_print_list();
    if (count == 0 && request->seeds.count == 0)
        return cli_usage("check", "no case given; name files, or use --generate SEED COUNT");
    if (cli_scope_check("check", &request->options) != CLI_OK ||
        cli_areas("check", &request->areas, &request->generate) != CLI_OK)
        return CLI_USAGE;
    if (cli_part_open("check", &request->options) != CLI_OK)
        return CLI_USAGE;
    const int opened = cli_quirks_open("check", &request->options);
    if (opened != CLI_OK)
        return opened;
    const int result = run_checks(request, count, files);
    cli_quirks_close(&request->options);
    return result;
}

const struct cli_command cli_cmd_check = {
    .name = "check",
    .summary = "test one backend by changes that must not matter",
    .about = about,
    .exits = exits,
    .options = { { option_table, sizeof option_table / sizeof option_table[0], 0 },
                 { cli_run_option_table, CLI_RUN_OPTIONS, offsetof(struct check_request, options) },
                 { cli_scope_option_table, CLI_SCOPE_OPTIONS, offsetof(struct check_request, options) },
                 { cli_part_option_table, CLI_PART_OPTIONS, offsetof(struct check_request, options) } },
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .run = command_check,
};
