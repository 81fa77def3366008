#include "harness/run/pair.h"

#include "harness/case/formats.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"
#include "oracles/equal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct harness_pair {
    struct harness_pair_options options;
    struct harness_pair_statistics own; /* if the caller gave no place */
    struct harness_runner *runners[HARNESS_MOST_BACKENDS];
    size_t count;
    struct harness_runner *guide;     /* a reference that is not judged; NULL: one of the runners is one */
    struct harness_runner *reference; /* that one, or the guide */
    struct harness_program *program;
    struct harness_comparison comparison;
    struct oracle_run runs[HARNESS_MOST_BACKENDS];
    bool is_tolerant; /* one of the backends may be off a little */
    char place[64];
};

static uint64_t now(const struct harness_pair *pair)
{
    struct timespec time = { 0, 0 };
    if (pair->options.measure)
        (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void take_allowances(struct harness_pair *pair, size_t i, const struct harness_backend *given)
{
    harness_runner_restrict(pair->runners[i], &given->scope);
    harness_runner_tolerate(pair->runners[i], given->tolerance);
    pair->is_tolerant = pair->is_tolerant || given->tolerance != NULL;
}

static bool create_runners(struct harness_pair *pair)
{
    const struct harness_pair_options *const options = &pair->options;
    const struct pica_options backend_options = { .threads = options->threads,
                                                  .instruction_sets = options->instruction_sets,
                                                  .capacity = options->capacity };
    const size_t count = options->backends != NULL ? options->backend_count : HARNESS_LINKED_BACKENDS;
    for (; pair->count < count && pair->count < HARNESS_MOST_BACKENDS; pair->count++) {
        const size_t i = pair->count;
        const struct harness_backend *const given = options->backends != NULL ? &options->backends[i] : NULL;
        const struct pica_backend *const backend = given != NULL ? given->backend : harness_linked_backend(i);
        if (harness_runner_create(backend, &backend_options, &pair->runners[i]) != PICA_OK)
            return false;
        if (given != NULL)
            take_allowances(pair, i, given);
        if (backend == harness_linked_backend(HARNESS_REFERENCE))
            pair->reference = pair->runners[i];
    }
    if (pair->reference == NULL) {
        if (harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &backend_options, &pair->guide) != PICA_OK)
            return false;
        pair->reference = pair->guide;
    }
    return true;
}

void harness_pair_statistics_add(struct harness_pair_statistics *sum, const struct harness_pair_statistics *more)
{
    uint64_t sums[sizeof *sum / sizeof(uint64_t)], others[sizeof *sum / sizeof(uint64_t)]; /* it has nothing else */
    _Static_assert(sizeof sums == sizeof *sum, "counters only");
    memcpy(sums, sum, sizeof sums);
    memcpy(others, more, sizeof others);
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        sums[i] += others[i];
    memcpy(sum, sums, sizeof sums);
}

struct harness_pair *harness_pair_create(const struct harness_pair_options *options)
{
    struct harness_pair *const pair = calloc(1, sizeof *pair);
    if (pair == NULL)
        return NULL;
    pair->options = *options;
    if (pair->options.statistics == NULL)
        pair->options.statistics = &pair->own;
    pair->program = harness_program_create();
    if (pair->program != NULL && create_runners(pair))
        return pair;
    harness_pair_destroy(pair);
    return NULL;
}

void harness_pair_destroy(struct harness_pair *pair)
{
    if (pair == NULL)
        return;
    for (size_t i = 0; i < pair->count; i++)
        harness_runner_destroy(pair->runners[i]);
    harness_runner_destroy(pair->guide);
    harness_program_destroy(pair->program);
    free(pair);
}

struct harness_runner *harness_pair_reference(struct harness_pair *pair)
{
    return pair->reference;
}

struct harness_runner *harness_pair_runner(struct harness_pair *pair, size_t backend)
{
    return pair->runners[backend];
}

bool harness_pair_renew(struct harness_pair *pair)
{
    bool some = false;
    for (size_t i = 0; i < pair->count; i++) {
        harness_runner_renew(pair->runners[i]);
        some = some || harness_runner_is_apart(pair->runners[i]);
    }
    return some;
}

/* What one operation may use of a budget, and all that start work together. */
struct bound {
    uint32_t one, all;
};

/* Measured by the worst cases that were found or thought of (bench_worst): a command may write 256 registers, each of
 * them a draw that ends at once, in 7 us; a vertex may make as many triangles as there are emits, in 0.5 us each; a
 * pixel with eight lights takes 0.2 us. Programs' lists have 60 to 600 commands. */
static const struct bound bound_commands = { 0x800, 0x800 }, bound_vertices = { 0x400, 0x400 },
                          bound_instructions = { 0x100, UINT32_MAX }, bound_emits = { 0x20, UINT32_MAX },
                          bound_pixels = { 0x4000, 0x8000 };

static uint32_t at_most(uint32_t value, struct bound bound, uint32_t workers)
{
    const uint32_t share = bound.all / workers < bound.one ? bound.all / workers : bound.one;
    return value < share ? value : share;
}

/* Operations that may start work: a list, or an engine. */
static uint32_t count_workers(const struct harness_case *test_case)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        const enum harness_operation_kind kind = test_case->operations[i].kind;
        count += kind == HARNESS_RUN || kind == HARNESS_SUBMIT || kind == HARNESS_WRITE || kind == HARNESS_FILL ||
                 kind == HARNESS_TRANSFER;
    }
    return count != 0 ? count : 1;
}

/* The limits start again for each operation (CMD-20), so all share one total. Fuzzers soon find inputs that work as
 * long as they may, and keep them. */
void harness_bound_case(struct harness_case *test_case)
{
    struct pica_limits *const limits = &test_case->limits;
    if (test_case->operation_count > HARNESS_PAIR_MAX_OPERATIONS)
        harness_case_remove(test_case, HARNESS_PAIR_MAX_OPERATIONS,
                            test_case->operation_count - HARNESS_PAIR_MAX_OPERATIONS);
    harness_case_fix_windows(test_case, HARNESS_PAIR_MAX_WINDOW_BYTES);
    const uint32_t workers = count_workers(test_case);
    limits->commands = at_most(limits->commands, bound_commands, workers);
    limits->vertices = at_most(limits->vertices, bound_vertices, workers);
    limits->instructions = at_most(limits->instructions, bound_instructions, 1);
    limits->emits = at_most(limits->emits, bound_emits, 1);
    limits->pixels = at_most(limits->pixels, bound_pixels, workers);
}

/* A call to a backend failed: its process died of it, or the host has no memory for the case. */
static enum harness_outcome fail(struct harness_pair *pair, const struct harness_runner *runner,
                                 enum pica_status status)
{
    struct oracle_report *const report = &pair->comparison.report;
    if (status == PICA_NOT_SUPPORTED)
        return HARNESS_NOT_TESTED;
    const struct harness_death *const death = harness_runner_death(runner);
    if (death == NULL)
        return HARNESS_TROUBLE;
    const bool has_numbers = death->kind != HARNESS_DEATH_CRASH; /* "hung in load: not done after 1.0 s" */
    const size_t words = has_numbers ? strcspn(death->text, ":") : strlen(death->text);
    memset(report, 0, sizeof *report);
    report->verdict = death->kind == HARNESS_DEATH_HANG ? ORACLE_HANG : ORACLE_CRASH;
    report->oracle = "process";
    oracle_key(report, "backend %s %.*s", harness_runner_backend(runner)->name, (int)words, death->text);
    oracle_say(report, "backend %s %s\n", harness_runner_backend(runner)->name, death->text);
    return death->kind == HARNESS_DEATH_HANG ? HARNESS_HANG : HARNESS_CRASH;
}

/* In a process of its own: in one go, so that reset is not timed apart. */
static enum harness_outcome run_elsewhere(struct harness_pair *pair, struct harness_runner *runner, uint64_t *run_ns)
{
    const uint64_t start = now(pair);
    const enum pica_status status =
        harness_runner_run_case(runner, &pair->program->setup, pair->program->operations, pair->program->count);
    *run_ns += now(pair) - start;
    return status == PICA_OK ? HARNESS_AGREE : fail(pair, runner, status);
}

/* Runs the program on one backend; reset is timed apart from the work. */
static enum harness_outcome run_on(struct harness_pair *pair, struct harness_runner *runner, uint64_t *run_ns)
{
    if (harness_runner_is_apart(runner))
        return run_elsewhere(pair, runner, run_ns);
    struct harness_pair_statistics *const statistics = pair->options.statistics;
    const uint64_t start = now(pair);
    enum pica_status status = harness_runner_load(runner, &pair->program->setup);
    const uint64_t loaded = now(pair);
    statistics->reset_ns += loaded - start;
    if (status == PICA_OK)
        status = harness_runner_run(runner, pair->program->operations, pair->program->count);
    *run_ns += now(pair) - loaded;
    return status == PICA_OK ? HARNESS_AGREE : fail(pair, runner, status);
}

/* The reference first: it knows where a budget is over that another backend would run past, perhaps for ever. */
static enum harness_outcome run_all(struct harness_pair *pair)
{
    struct harness_pair_statistics *const statistics = pair->options.statistics;
    struct pica_events events;
    enum harness_outcome outcome = run_on(pair, pair->reference, &statistics->first_ns);
    if (outcome == HARNESS_AGREE && harness_runner_events(pair->reference, &events) != PICA_OK)
        outcome = HARNESS_TROUBLE;
    for (size_t i = 0; i < pair->count && outcome == HARNESS_AGREE; i++) {
        struct harness_runner *const runner = pair->runners[i];
        if (runner == pair->reference)
            continue;
        if (harness_runner_lacks(runner, &events)) {
            statistics->over_budget++;
            outcome = HARNESS_NOT_TESTED;
        } else {
            outcome = run_on(pair, runner, i == 0 ? &statistics->first_ns : &statistics->others_ns);
        }
    }
    return outcome;
}

enum {
    CLOSER_EVERY = 16 /* how many cases for one that is looked at more closely: at most 1 % of the time */
};

/* Pictures take ten times as long as all else of a case. Which cases have theirs compared depends on nothing but the
 * case, so that an engine sees the same input do the same. Whoever explains or judges a case compares them always. The
 * same cases say how many of those that agree are vacuous. */
static bool looks_closer(const struct harness_program *program)
{
    uint32_t mixed = 0;
    for (size_t i = 0; i < program->count; i++) {
        const struct pica_operation *const operation = &program->operations[i];
        mixed = (mixed ^ operation->address ^ operation->words[0] ^ (uint32_t)operation->kind) * 0x9E3779B1u;
    }
    return (mixed >> 16) % CLOSER_EVERY == 0;
}

static enum pica_status collect(struct harness_pair *pair, size_t i, bool hides_screens)
{
    harness_runner_hide_screens(pair->runners[i], hides_screens);
    const enum pica_status status = harness_runner_collect(pair->runners[i], &pair->runs[i]);
    harness_runner_hide_screens(pair->runners[i], false);
    return status;
}

static enum harness_outcome judge(struct harness_pair *pair)
{
    const uint64_t start = now(pair);
    const bool closer = looks_closer(pair->program);
    const bool hides_screens = harness_runner_is_lit(pair->runners[0]) && !closer;
    enum harness_outcome outcome = HARNESS_AGREE;
    for (size_t i = 0; i < pair->count && outcome == HARNESS_AGREE; i++) {
        const enum pica_status status = collect(pair, i, hides_screens);
        if (status != PICA_OK)
            outcome = fail(pair, pair->runners[i], status);
        else if (i != 0 && !oracle_same(&pair->runs[0], &pair->runs[i]))
            outcome = HARNESS_DIVERGE;
    }
    if (closer && outcome == HARNESS_AGREE &&
        harness_runner_add_loaded(pair->runners[0], pair->program->operations, pair->program->count, &pair->runs[0]) ==
            PICA_OK) {
        pair->options.statistics->looked_at++;
        pair->options.statistics->vacuous += oracle_changed_nothing(&pair->runs[0]);
    }
    pair->options.statistics->compare_ns += now(pair) - start;
    return outcome;
}

/* They differ: more than is tolerated? That is known only with the pictures, which the slow way looks for. */
static enum harness_outcome judge_tolerantly(struct harness_pair *pair)
{
    const struct harness_compare_options options = { .every_operation = false };
    struct harness_error error = { "" };
    if (!pair->is_tolerant ||
        harness_compare(pair->runners, pair->count, pair->program, &options, &pair->comparison, &error) != HARNESS_OK)
        return HARNESS_DIVERGE;
    const enum oracle_verdict verdict = pair->comparison.report.verdict;
    if (verdict == ORACLE_REFUSED)
        return HARNESS_NOT_TESTED;
    pair->options.statistics->tolerated += verdict < ORACLE_REFUSED;
    return verdict < ORACLE_REFUSED ? HARNESS_AGREE : HARNESS_DIVERGE;
}

enum harness_outcome harness_pair_try(struct harness_pair *pair, struct harness_case *test_case)
{
    struct oracle_report *const report = &pair->comparison.report;
    report->message[0] = report->key[0] = pair->place[0] = '\0';
    struct harness_pair_statistics *const statistics = pair->options.statistics;
    struct harness_error error = { "" };
    const uint64_t start = now(pair);
    harness_bound_case(test_case);
    if (harness_case_setup(test_case, pair->program, &error) != HARNESS_OK)
        return HARNESS_TROUBLE;
    statistics->decode_ns += now(pair) - start;
    enum harness_outcome outcome = run_all(pair);
    if (outcome == HARNESS_AGREE)
        outcome = judge(pair);
    if (outcome == HARNESS_DIVERGE)
        outcome = judge_tolerantly(pair);
    statistics->executions++;
    statistics->trouble += outcome == HARNESS_TROUBLE;
    statistics->not_tested += outcome == HARNESS_NOT_TESTED;
    statistics->differing += outcome == HARNESS_DIVERGE || harness_outcome_died(outcome);
    return outcome;
}

/* "submit, colour buffer" */
static void name_place(struct harness_pair *pair)
{
    const struct harness_comparison *const comparison = &pair->comparison;
    size_t i = pair->program->count; /* of several that one operation became, the last does what the others prepare */
    while (i > 0 && pair->program->origins[i - 1] != comparison->operation)
        i--;
    const char *const name = i > 0 ? harness_operation_name((uint32_t)pair->program->operations[i - 1].kind) : NULL;
    if (name != NULL)
        (void)snprintf(pair->place, sizeof pair->place, "%s%s%s", name, comparison->picture[0] != '\0' ? ", " : "",
                       comparison->picture);
}

enum harness_outcome harness_pair_explain(struct harness_pair *pair)
{
    const struct harness_compare_options options = { .every_operation = true };
    struct harness_error error = { "" };
    const enum harness_status status =
        harness_compare(pair->runners, pair->count, pair->program, &options, &pair->comparison, &error);
    if (status == HARNESS_CRASHED)
        for (size_t i = 0; i < pair->count; i++)
            if (harness_runner_death(pair->runners[i]) != NULL)
                return fail(pair, pair->runners[i], PICA_FAILED);
    if (status != HARNESS_OK)
        return HARNESS_TROUBLE;
    if (pair->comparison.report.verdict == ORACLE_REFUSED)
        return HARNESS_NOT_TESTED;
    if (pair->comparison.report.verdict < ORACLE_DIVERGE) {
        oracle_key(&pair->comparison.report, "outside the case");
        oracle_say(&pair->comparison.report, "different at the end of one run, but not when run again: the result of a "
                                             "backend depends on something outside the case\n");
    } else {
        name_place(pair);
    }
    return HARNESS_DIVERGE;
}

const char *harness_pair_key(const struct harness_pair *pair)
{
    return pair->comparison.report.key;
}

const char *harness_pair_message(const struct harness_pair *pair)
{
    return pair->comparison.report.message;
}

const char *harness_pair_place(const struct harness_pair *pair)
{
    return pair->place;
}
