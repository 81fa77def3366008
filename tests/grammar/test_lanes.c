/* Do the vertices of generated draws part ways: conditions, addresses, loops? */
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/pair.h"
#include "harness/run/runner.h"
#include "pica/features.h"

#include <criterion/criterion.h>
#include <string.h>

enum {
    CASES = 1500
};

static uint32_t with_counter(const uint8_t (*counters)[PICA_FEATURE_TOTAL], uint32_t counter)
{
    uint32_t cases = 0;
    for (uint32_t i = 0; i < CASES; i++)
        cases += counters[i][counter] != 0;
    return cases;
}

static void run_cases(uint8_t (*counters)[PICA_FEATURE_TOTAL])
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_runner *runner;
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    cr_assert(test_case != NULL && program != NULL);
    cr_assert_eq(harness_runner_create(harness_linked_backend(HARNESS_REFERENCE), &options, &runner), PICA_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        harness_generate(test_case, 1 + i, NULL);
        harness_bound_case(test_case);
        cr_assert_eq(harness_case_setup(test_case, program, NULL), HARNESS_OK);
        cr_assert_eq(harness_linked_backend(HARNESS_REFERENCE)
                         ->observe_features(harness_runner_instance(runner), counters[i], sizeof counters[i]),
                     PICA_OK);
        cr_assert_eq(harness_runner_load(runner, &program->setup), PICA_OK);
        for (uint32_t k = 0; k < program->count; k++)
            cr_assert_eq(harness_runner_step(runner, &program->operations[k]), PICA_OK);
    }
    harness_runner_destroy(runner);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

/* SHD-22, SHD-47, SHD-49. Of 1500 cases 20 to 24, 3 or 4 and 13 did without gen_lanes.c; 33 to 65, 39 to 42 and 32
 * do. */
Test(lanes, vertices_of_a_draw_disagree_on_conditions_addresses_and_loops)
{
    static uint8_t counters[CASES][PICA_FEATURE_TOTAL];
    run_cases(counters);
    for (uint32_t c = 0; c < 4; c++)
        cr_expect_gt(with_counter(counters, PICA_FEATURE_CONDITION_VARIED + c), 26, "condition %u: %u", c,
                     with_counter(counters, PICA_FEATURE_CONDITION_VARIED + c));
    for (uint32_t a = 0; a < 2; a++)
        cr_expect_gt(with_counter(counters, PICA_FEATURE_ADDRESS_VARIED + a), 20, "address %u: %u", a,
                     with_counter(counters, PICA_FEATURE_ADDRESS_VARIED + a));
    cr_expect_gt(with_counter(counters, PICA_FEATURE_LOOP_VARIED), 20, "loop: %u",
                 with_counter(counters, PICA_FEATURE_LOOP_VARIED));
}
