/* A campaign's budgets bound what all operations of a case do together, and leave usual cases alone. */
#include "harness/case/case.h"
#include "harness/run/pair.h"

#include <criterion/criterion.h>
#include <string.h>

/* A case of so many lists and loads, with the limits that a case has by itself. */
static struct harness_case *make(uint32_t lists, uint32_t loads)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_data zeros;
    harness_data_pattern(&zeros, HARNESS_PATTERN_FILL, 0, 16);
    cr_assert(harness_case_add_window(test_case, 0x18000000, 0x4000));
    for (uint32_t i = 0; i < loads; i++)
        cr_assert_not_null(harness_case_add_load(test_case, 0x18000000, &zeros));
    for (uint32_t i = 0; i < lists; i++)
        cr_assert_not_null(harness_case_add_submit(test_case, 0x18000000, 0x4000));
    return test_case;
}

/* Each command may write 256 registers, each vertex may make as many triangles as a shader may emit. */
Test(bounds, all_operations_of_a_case_share_its_budgets)
{
    static const uint32_t counts[] = { 1, 2, 3, 7, 20, 63, 64, 100 };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct harness_case *const test_case = make(counts[i], 0);
        harness_bound_case(test_case);
        const struct pica_limits *const limits = &test_case->limits;
        const uint32_t count = test_case->operation_count;
        cr_expect_leq(count, HARNESS_PAIR_MAX_OPERATIONS);
        cr_expect_leq(limits->commands * count, 0x800, "%u", counts[i]);
        cr_expect_leq(limits->vertices * limits->emits * count, 0x8000, "%u", counts[i]);
        cr_expect_leq(limits->vertices * limits->instructions * count, 0x40000, "%u", counts[i]);
        cr_expect_leq(limits->pixels * count, 0x8000, "%u", counts[i]);
        cr_expect_geq(limits->commands, 1);
        cr_expect_geq(limits->vertices, 1);
        harness_case_destroy(test_case);
    }
}

/* The longest list of the corpus has 603 commands. */
Test(bounds, what_only_writes_memory_takes_no_share)
{
    struct harness_case *const one = make(1, 0), *const loaded = make(1, 40);
    harness_bound_case(one);
    harness_bound_case(loaded);
    cr_expect_geq(one->limits.commands, 603);
    cr_expect_eq(loaded->limits.commands, one->limits.commands);
    cr_expect_eq(loaded->limits.pixels, one->limits.pixels);
    harness_case_destroy(one);
    harness_case_destroy(loaded);
}

Test(bounds, a_case_with_smaller_limits_keeps_them)
{
    struct harness_case *const test_case = make(2, 0);
    const struct pica_limits few = { .commands = 3, .vertices = 4, .instructions = 5, .emits = 6, .pixels = 7 };
    test_case->limits = few;
    harness_bound_case(test_case);
    cr_expect_eq(memcmp(&test_case->limits, &few, sizeof few), 0);
    harness_case_destroy(test_case);
}
