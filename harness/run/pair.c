#include "harness/run/pair.h"

#include "harness/case/formats.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"
#include "oracles/equal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    REFERENCE = 0,
    FAST = 1,
    RUNNERS = 2
};

struct harness_pair {
    struct harness_pair_options options;
    struct harness_pair_statistics own; /* if the caller gave no place */
    struct harness_runner *runners[RUNNERS];
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_comparison comparison;
    struct oracle_run runs[RUNNERS];
};

static uint64_t now(const struct harness_pair *pair)
{
    struct timespec time = { 0, 0 };
    if (pair->options.measure)
        (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

struct harness_pair *harness_pair_create(const struct harness_pair_options *options)
{
    struct harness_pair *const pair = calloc(1, sizeof *pair);
    if (pair == NULL)
        return NULL;
    pair->options = *options;
    if (pair->options.statistics == NULL)
        pair->options.statistics = &pair->own;
    const struct pica_backend *linked[HARNESS_LINKED_BACKENDS];
    (void)harness_linked_backends(linked, HARNESS_LINKED_BACKENDS);
    const struct pica_options backend_options = { .threads = options->threads,
                                                  .instruction_sets = options->instruction_sets };
    pair->test_case = harness_case_create();
    pair->program = harness_program_create();
    bool good = pair->test_case != NULL && pair->program != NULL;
    for (int i = 0; i < RUNNERS && good; i++)
        good = harness_runner_create(linked[i], &backend_options, &pair->runners[i]) == PICA_OK;
    if (good)
        return pair;
    harness_pair_destroy(pair);
    return NULL;
}

void harness_pair_destroy(struct harness_pair *pair)
{
    if (pair == NULL)
        return;
    for (int i = 0; i < RUNNERS; i++)
        harness_runner_destroy(pair->runners[i]);
    harness_program_destroy(pair->program);
    harness_case_destroy(pair->test_case);
    free(pair);
}

struct harness_runner *harness_pair_reference(struct harness_pair *pair)
{
    return pair->runners[REFERENCE];
}

static uint32_t at_most(uint32_t value, uint32_t total, uint32_t shares, uint32_t least)
{
    const uint32_t share = total / shares > least ? total / shares : least;
    return value < share ? value : share;
}

/* Every operation may start work of its own, and the limits start again for each (CMD-20), so all share one total. The
 * worst case is about a million instructions: fuzzers soon find inputs that loop as long as they may, and keep them. */
void harness_bound_case(struct harness_case *test_case)
{
    struct pica_limits *const limits = &test_case->limits;
    if (test_case->operation_count > HARNESS_PAIR_MAX_OPERATIONS)
        harness_case_remove(test_case, HARNESS_PAIR_MAX_OPERATIONS,
                            test_case->operation_count - HARNESS_PAIR_MAX_OPERATIONS);
    harness_case_fix_windows(test_case, HARNESS_PAIR_MAX_WINDOW_BYTES);
    const uint32_t shares = test_case->operation_count != 0 ? test_case->operation_count : 1;
    limits->commands = at_most(limits->commands, 0x10000, shares, 0x1000);
    limits->vertices = at_most(limits->vertices, 0x1000, shares, 0x40);
    limits->instructions = at_most(limits->instructions, 0x100, 1, 1);
    limits->emits = at_most(limits->emits, 0x40, 1, 1);
    limits->pixels = at_most(limits->pixels, 0x10000, shares, 0x4000);
}

/* Runs the program on one backend; reset is timed apart from the work. */
static bool run_on(struct harness_pair *pair, int index, uint64_t *run_ns)
{
    struct harness_pair_statistics *const statistics = pair->options.statistics;
    const uint64_t start = now(pair);
    if (harness_runner_load(pair->runners[index], &pair->program->setup) != PICA_OK)
        return false;
    const uint64_t loaded = now(pair);
    size_t failed = 0;
    if (harness_runner_run(pair->runners[index], pair->program->operations, pair->program->count, &failed) != PICA_OK)
        return false;
    const uint64_t done = now(pair);
    statistics->reset_ns += loaded - start;
    *run_ns += done - loaded;
    return true;
}

static bool same_results(struct harness_pair *pair, bool *same)
{
    const uint64_t start = now(pair);
    for (int i = 0; i < RUNNERS; i++)
        if (harness_runner_collect(pair->runners[i], &pair->runs[i]) != PICA_OK)
            return false;
    *same = oracle_same(&pair->runs[REFERENCE], &pair->runs[FAST]);
    pair->options.statistics->compare_ns += now(pair) - start;
    return true;
}

/* Again, the slow way, to find out where they differ. */
static enum harness_outcome explain(struct harness_pair *pair)
{
    const struct harness_compare_options options = { .every_operation = true };
    struct harness_error error = { "" };
    if (harness_compare(pair->runners, RUNNERS, pair->program, &options, &pair->comparison, &error) != HARNESS_OK)
        return HARNESS_HOST_TROUBLE;
    if (pair->comparison.report.verdict < ORACLE_DIVERGE) {
        oracle_key(&pair->comparison.report, "outside the case");
        oracle_say(&pair->comparison.report, "different at the end of one run, but not when run again: the result of a "
                                             "backend depends on something outside the case\n");
    }
    return HARNESS_DIFFERENT;
}

enum harness_outcome harness_pair_run_case(struct harness_pair *pair, struct harness_case *test_case)
{
    pair->comparison.report.message[0] = '\0';
    struct harness_pair_statistics *const statistics = pair->options.statistics;
    struct harness_error error = { "" };
    const uint64_t start = now(pair);
    harness_bound_case(test_case);
    if (harness_case_setup(test_case, pair->program, &error) != HARNESS_OK)
        return HARNESS_HOST_TROUBLE;
    statistics->decode_ns += now(pair) - start;
    bool same = false;
    if (!run_on(pair, REFERENCE, &statistics->reference_ns) || !run_on(pair, FAST, &statistics->fast_ns) ||
        !same_results(pair, &same))
        return HARNESS_HOST_TROUBLE;
    statistics->executions++;
    return same ? HARNESS_SAME : explain(pair);
}

enum harness_outcome harness_pair_run(struct harness_pair *pair, const uint8_t *bytes, size_t size)
{
    const uint64_t start = now(pair);
    harness_case_reset(pair->test_case);
    if (!harness_pcb_decode(pair->test_case, bytes, size))
        return HARNESS_HOST_TROUBLE;
    pair->options.statistics->decode_ns += now(pair) - start;
    return harness_pair_run_case(pair, pair->test_case);
}

const char *harness_pair_key(const struct harness_pair *pair)
{
    return pair->comparison.report.key;
}

const char *harness_pair_message(const struct harness_pair *pair)
{
    return pair->comparison.report.message;
}
