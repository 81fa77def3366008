/* A run continued from a checkpoint ends as the run without one does: nothing that matters is outside of it. And the
 * state that a run shows without a copy is the one that read_state gives. */
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/checkpoint.h"
#include "oracles/equal.h"
#include "pica/events.h"

#include <criterion/criterion.h>
#include <inttypes.h>

enum {
    FIRST_SEED = 700,
    CASES = 250
};

struct bench {
    struct harness_runner *whole, *cut, *continued;
    struct harness_checkpoint *checkpoint;
    struct harness_case *test_case;
    struct harness_program *program;
};

static void bench_open(struct bench *bench, const struct pica_backend *backend)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_runner **const runners[] = { &bench->whole, &bench->cut, &bench->continued };
    for (size_t i = 0; i < 3; i++)
        cr_assert_eq(harness_runner_create(backend, &options, runners[i]), PICA_OK);
    bench->checkpoint = harness_checkpoint_create();
    bench->test_case = harness_case_create();
    bench->program = harness_program_create();
}

static void bench_close(struct bench *bench)
{
    harness_program_destroy(bench->program);
    harness_case_destroy(bench->test_case);
    harness_checkpoint_destroy(bench->checkpoint);
    harness_runner_destroy(bench->continued);
    harness_runner_destroy(bench->cut);
    harness_runner_destroy(bench->whole);
}

/* Loads and runs operations [0, count). */
static void run_first(struct harness_runner *runner, const struct harness_program *program, uint32_t count)
{
    cr_assert_eq(harness_runner_load(runner, &program->setup), PICA_OK);
    cr_assert_eq(harness_runner_run(runner, program->operations, count), PICA_OK);
}

/* Everything but events, which a checkpoint does not hold. */
static void expect_same(const struct oracle_run *a, const struct oracle_run *b, uint64_t seed, uint32_t cut)
{
    struct oracle_report reports[3];
    oracle_memory_equal_slow(a, b, &reports[0]);
    oracle_registers_equal(a, b, &reports[1]);
    oracle_state_equal(a, b, &reports[2]);
    for (int i = 0; i < 3; i++)
        cr_expect_neq(reports[i].verdict, ORACLE_DIVERGE, "seed %" PRIu64 " cut before operation %u: %s", seed,
                      (unsigned)cut, reports[i].message);
}

/* Returns how many blocks of the state are known to be 0. */
static uint32_t expect_view(struct harness_runner *runner, const struct oracle_run *run, uint64_t seed)
{
    static const uint8_t zeros[PICA_STATE_BLOCK];
    static struct pica_state state;
    uint32_t known = 0;
    memset(&state, 0xA5, sizeof state);
    cr_assert_eq(harness_runner_backend(runner)->read_state(harness_runner_instance(runner), &state), PICA_OK);
    cr_expect_eq(memcmp(&state, run->state, sizeof state), 0, "seed %" PRIu64, seed);
    for (uint32_t block = 0; block < PICA_STATE_BLOCKS; block++) {
        if (!pica_state_blocks_have(&run->zeros, block))
            continue;
        known++;
        cr_expect_eq(memcmp((const uint8_t *)&state + block * PICA_STATE_BLOCK, zeros, pica_state_block_bytes(block)),
                     0, "seed %" PRIu64 ", block %u", seed, (unsigned)block);
    }
    return known;
}

/* Returns how many cuts were tried: 0 if the case's budget runs out. */
static uint32_t try_case(struct bench *bench, uint64_t seed)
{
    struct harness_error error = { "" };
    struct oracle_run whole, continued;
    harness_case_reset(bench->test_case);
    harness_generate(bench->test_case, seed, NULL);
    cr_assert_eq(harness_case_setup(bench->test_case, bench->program, &error), HARNESS_OK, "%s", error.message);
    const uint32_t count = bench->program->count;
    run_first(bench->whole, bench->program, count);
    cr_assert_eq(harness_runner_collect(bench->whole, &whole), PICA_OK);
    cr_expect_gt(expect_view(bench->whole, &whole, seed), 0, "seed %" PRIu64 ": no block is known to be 0", seed);
    if (pica_events_has(&whole.events, PICA_EVENT_BUDGET_WORK)) /* CMD-23: a run from a checkpoint has its own budget */
        return 0;
    for (uint32_t cut = 0; cut <= count; cut++) {
        run_first(bench->cut, bench->program, cut);
        cr_assert_eq(harness_checkpoint_take(bench->checkpoint, bench->cut, &bench->program->setup), PICA_OK);
        cr_assert_eq(harness_runner_load(bench->continued, harness_checkpoint_setup(bench->checkpoint)), PICA_OK);
        cr_assert_eq(harness_runner_run(bench->continued, bench->program->operations + cut, count - cut), PICA_OK);
        cr_assert_eq(harness_runner_collect(bench->continued, &continued), PICA_OK);
        expect_same(&whole, &continued, seed, cut);
    }
    return count + 1u;
}

/* Returns 1 if its budget ran out. */
static uint32_t add_cuts(struct bench *bench, uint64_t seed, uint32_t *cuts)
{
    const uint32_t tried = try_case(bench, seed);
    *cuts += tried;
    return tried == 0 ? 1 : 0;
}

Test(checkpoint, a_run_continued_from_any_operation_ends_in_the_same_state)
{
    for (size_t i = 0; i < HARNESS_LINKED_BACKENDS; i++) {
        struct bench bench;
        uint32_t cuts = 0, spent = 0;
        bench_open(&bench, harness_linked_backend(i));
        for (uint64_t seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++)
            spent += add_cuts(&bench, seed, &cuts);
        cr_expect_leq(spent, CASES / 100u, "%s: %u cases run out of their budget", harness_linked_backend(i)->name,
                      spent);
        cr_expect_gt(cuts, 2u * CASES, "%s: hardly any case has several operations", harness_linked_backend(i)->name);
        bench_close(&bench);
    }
}
