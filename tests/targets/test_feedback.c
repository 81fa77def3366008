/* State feedback: what a run exercised arrives in the counters, and nothing else does. */
#include "harness/case/formats.h"
#include "harness/coverage/universe.h"
#include "harness/grammar/gen.h"
#include "harness/run/pair.h"
#include "harness/targets/feedback.h"
#include "tests/coverage/item_by_name.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct fixture {
    struct harness_pair *pair;
    struct harness_case *test_case;
    struct feedback *feedback;
};

static void setup(struct fixture *fixture, enum feedback_level level)
{
    const struct harness_pair_options options = { .instruction_sets = UINT32_MAX };
    memset(feedback_counters, 0, sizeof feedback_counters);
    fixture->pair = harness_pair_create(&options);
    fixture->test_case = harness_case_create();
    cr_assert(fixture->pair != NULL && fixture->test_case != NULL);
    fixture->feedback = feedback_create(harness_pair_reference(fixture->pair), level);
}

static void run(struct fixture *fixture, uint64_t seed)
{
    harness_case_reset(fixture->test_case);
    harness_generate(fixture->test_case, seed, NULL);
    feedback_begin(fixture->feedback);
    cr_expect_eq(harness_pair_try(fixture->pair, fixture->test_case), HARNESS_AGREE);
    feedback_end(fixture->feedback);
}

static void teardown(struct fixture *fixture)
{
    feedback_destroy(fixture->feedback);
    harness_case_destroy(fixture->test_case);
    harness_pair_destroy(fixture->pair);
}

static size_t count(size_t first, size_t last)
{
    size_t hit = 0;
    for (size_t i = first; i < last; i++)
        hit += feedback_counters[i] != 0;
    return hit;
}

Test(feedback, items_have_counters_of_their_own_and_pairs_share_the_rest)
{
    struct fixture fixture;
    setup(&fixture, FEEDBACK_ITEMS);
    cr_assert(fixture.feedback != NULL);
    for (uint64_t seed = 1; seed <= 5; seed++)
        run(&fixture, seed);
    cr_expect(count(0, FEEDBACK_DIRECT) > 100);
    cr_expect_eq(count(FEEDBACK_DIRECT, FEEDBACK_COUNTERS), 0u);
    teardown(&fixture);
    setup(&fixture, FEEDBACK_PAIRS);
    for (uint64_t seed = 1; seed <= 5; seed++)
        run(&fixture, seed);
    cr_expect(count(FEEDBACK_DIRECT, FEEDBACK_COUNTERS) > 100);
    teardown(&fixture);
}

/* Each item that is no pair has a counter; one beyond them would not be told. */
Test(feedback, there_are_counters_enough)
{
    size_t first, pairs;
    struct harness_universe *const universe = harness_universe_create();
    cr_assert_not_null(universe);
    harness_universe_area(universe, HARNESS_AREA_PAIRS, &first, &pairs);
    cr_expect_leq(harness_universe_items(universe) - pairs, (size_t)FEEDBACK_DIRECT);
    harness_universe_destroy(universe);
}

/* Between draws: what only operations tell, here a list that the CPU loaded. */
Test(feedback, operations_are_told_too)
{
    struct fixture fixture;
    size_t first, all, pairs, before;
    struct harness_universe *const universe = harness_universe_create();
    cr_assert_not_null(universe);
    harness_universe_area(universe, HARNESS_AREA_PAIRS, &before, &pairs);
    harness_universe_area(universe, HARNESS_AREA_REREADS, &first, &all);
    const size_t item = item_by_name(universe, HARNESS_AREA_REREADS, "list after load");
    cr_assert(item >= first && item < first + all);
    setup(&fixture, FEEDBACK_ITEMS);
    run(&fixture, 9);
    cr_expect_neq(feedback_counters[item - pairs], 0);
    cr_expect_eq(feedback_counters[item_by_name(universe, HARNESS_AREA_REREADS, "list after draw") - pairs], 0);
    teardown(&fixture);
    harness_universe_destroy(universe);
}

Test(feedback, no_level_no_counter)
{
    struct fixture fixture;
    setup(&fixture, FEEDBACK_NONE);
    cr_expect(fixture.feedback == NULL);
    run(&fixture, 1);
    cr_expect_eq(count(0, FEEDBACK_COUNTERS), 0u);
    teardown(&fixture);
}

/* Nothing of the run before may be left: an engine would keep inputs for what others did. */
Test(feedback, a_run_hits_the_same_counters_whatever_ran_before)
{
    static uint8_t alone[FEEDBACK_COUNTERS];
    struct fixture fixture;
    setup(&fixture, FEEDBACK_PAIRS);
    run(&fixture, 9);
    memcpy(alone, feedback_counters, sizeof alone);
    for (uint64_t seed = 20; seed < 25; seed++)
        run(&fixture, seed);
    memset(feedback_counters, 0, sizeof feedback_counters);
    run(&fixture, 9);
    cr_expect(memcmp(alone, feedback_counters, sizeof alone) == 0);
    teardown(&fixture);
}

/* Engines pay for each counter that they see, and have long known what every input does. */
Test(feedback, what_was_told_often_enough_is_not_told_again)
{
    struct fixture fixture;
    setup(&fixture, FEEDBACK_PAIRS);
    run(&fixture, 9);
    const size_t first = count(0, FEEDBACK_COUNTERS);
    for (int i = 2; i < FEEDBACK_NEWS; i++)
        run(&fixture, 9);
    memset(feedback_counters, 0, sizeof feedback_counters);
    run(&fixture, 9);
    cr_expect_eq(count(0, FEEDBACK_COUNTERS), first, "told %d times", FEEDBACK_NEWS);
    memset(feedback_counters, 0, sizeof feedback_counters);
    run(&fixture, 9);
    cr_expect_eq(count(0, FEEDBACK_COUNTERS), 0u);
    for (uint64_t seed = 20; seed < 26; seed++)
        run(&fixture, seed);
    cr_expect(count(0, FEEDBACK_COUNTERS) > 20, "what only these inputs show is news");
    teardown(&fixture);
}

Test(feedback, the_environment_chooses_the_level)
{
    unsetenv("PICAFUZZ_FEEDBACK");
    cr_expect_eq(feedback_level_of_environment(), FEEDBACK_PAIRS);
    setenv("PICAFUZZ_FEEDBACK", "1", 1);
    cr_expect_eq(feedback_level_of_environment(), FEEDBACK_ITEMS);
    setenv("PICAFUZZ_FEEDBACK", "0", 1);
    cr_expect_eq(feedback_level_of_environment(), FEEDBACK_NONE);
    setenv("PICAFUZZ_FEEDBACK", "much", 1);
    cr_expect_eq(feedback_level_of_environment(), FEEDBACK_PAIRS);
}
