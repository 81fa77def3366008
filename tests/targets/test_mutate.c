/* Mutation and crossover: always a valid case, exactly encoded, within the bounds, decided by the seed alone. */
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/mutate.h"
#include "harness/grammar/plausible.h"
#include "harness/grammar/random.h"
#include "harness/targets/hook.h"
#include "harness/targets/target.h"
#include "tests/sanitized.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY = 1 << 16
};

struct fixture {
    struct harness_mutator *mutator;
    struct harness_case *test_case;
    uint8_t *bytes; /* CAPACITY each */
    uint8_t *copy;
    uint8_t *other;
};

static struct fixture set_up(void)
{
    const struct fixture fixture = { harness_mutator_create(), harness_case_create(), malloc(CAPACITY),
                                     malloc(CAPACITY), malloc(CAPACITY) };
    cr_assert(fixture.mutator != NULL && fixture.test_case != NULL);
    return fixture;
}

static void tear_down(struct fixture *fixture)
{
    harness_mutator_destroy(fixture->mutator);
    harness_case_destroy(fixture->test_case);
    free(fixture->bytes);
    free(fixture->copy);
    free(fixture->other);
}

static size_t generate(struct fixture *fixture, uint64_t seed, uint8_t *out)
{
    size_t size = 0;
    harness_generate(fixture->test_case, seed, NULL);
    cr_assert_eq(harness_pcb_encode(fixture->test_case, out, CAPACITY, &size, NULL), HARNESS_OK);
    return size;
}

/* How many fills and transfers of cases that are made anew hold an odd value, in thousandths. */
static uint64_t odd_share(uint32_t plain)
{
    struct fixture fixture = set_up();
    struct harness_shares shares;
    uint64_t odd = 0, all = 0;
    harness_shares_init(&shares);
    harness_mutator_plain(fixture.mutator, plain);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        const size_t size = harness_mutate_anew(fixture.mutator, fixture.bytes, CAPACITY, seed);
        harness_case_reset(fixture.test_case);
        cr_assert(harness_pcb_decode(fixture.test_case, fixture.bytes, size));
        harness_shares_add(&shares, fixture.test_case);
    }
    for (enum pica_stage_word stage = PICA_STAGE_WORD_FILL; stage <= PICA_STAGE_WORD_COPY; stage++) {
        odd += shares.counts[stage][1] + shares.counts[stage][2];
        all += shares.counts[stage][0] + shares.counts[stage][1] + shares.counts[stage][2];
    }
    tear_down(&fixture);
    cr_assert_gt(all, 100, "%d", (int)all);
    return 1000 * odd / all;
}

/* A valid case whose encoding is exactly these bytes. */
static void check_exact(struct fixture *fixture, const uint8_t *bytes, size_t size, uint64_t step)
{
    struct harness_error error = { "" };
    size_t again = 0;
    harness_case_reset(fixture->test_case);
    cr_assert(harness_pcb_decode(fixture->test_case, bytes, size));
    cr_assert_eq(harness_case_check(fixture->test_case, &error), HARNESS_OK, "step %d: %s", (int)step, error.message);
    cr_assert_eq(harness_pcb_encode(fixture->test_case, fixture->other, CAPACITY, &again, NULL), HARNESS_OK);
    cr_assert_eq(again, size, "step %d", (int)step);
    cr_assert_eq(memcmp(fixture->other, bytes, size), 0, "step %d", (int)step);
}

/* ---------------------------------------------------------------------------------------------------------- chains */

enum {
    CHAINS = TEST_PART == 1 ? 8 : 2
};

/* Chains of 5 000 steps, each from the outcome of the one before. */
Test(mutate, long_chains_stay_valid_and_within_bounds, .timeout = 500)
{
    struct fixture fixture = set_up();
    uint32_t unchanged = 0;
    for (uint64_t chain = 0; chain < CHAINS; chain++) {
        size_t size = generate(&fixture, chain, fixture.bytes);
        const size_t most = chain % 2 == 0 ? 16384 : 4096 + 900 * (size_t)chain;
        for (uint64_t step = 0; step < 5000; step++) {
            const size_t before = size;
            memcpy(fixture.copy, fixture.bytes, size);
            size = harness_mutate(fixture.mutator, fixture.bytes, size, most, chain * 5000 + step, NULL);
            cr_assert(size >= 1 && size <= most, "step %d: %zu", (int)step, size);
            unchanged += size == before && memcmp(fixture.copy, fixture.bytes, size) == 0 ? 1 : 0;
            if (step % 8 == 0)
                check_exact(&fixture, fixture.bytes, size, step);
        }
    }
    cr_assert_lt(unchanged, 400 * CHAINS); /* of 5000 each */
    tear_down(&fixture);
}

Test(mutate, the_same_seed_gives_the_same_bytes)
{
    struct fixture fixture = set_up();
    struct harness_mutator *const fresh = harness_mutator_create();
    for (uint64_t seed = 0; seed < 2000; seed++) {
        const size_t size = generate(&fixture, seed % 50, fixture.bytes);
        memcpy(fixture.copy, fixture.bytes, size);
        const size_t first = harness_mutate(fixture.mutator, fixture.bytes, size, CAPACITY, seed, NULL);
        const size_t second = harness_mutate(fresh, fixture.copy, size, CAPACITY, seed, NULL);
        cr_assert_eq(first, second);
        cr_assert_eq(memcmp(fixture.bytes, fixture.copy, first), 0, "seed %d", (int)seed);
    }
    harness_mutator_destroy(fresh);
    tear_down(&fixture);
}

Test(mutate, small_maxima_are_kept)
{
    static const size_t maxima[] = { 1, 2, 3, 7, 16, 50, 100, 300, 1000 };
    struct fixture fixture = set_up();
    for (uint64_t seed = 0; seed < 900; seed++) {
        const size_t most = maxima[seed % 9];
        size_t size = generate(&fixture, seed, fixture.bytes);
        memset(fixture.bytes + most, 0xA5, 16);
        size = harness_mutate(fixture.mutator, fixture.bytes, size, most, seed, NULL);
        cr_assert(size >= 1 && size <= most);
        for (size_t i = 0; i < 16; i++)
            cr_assert_eq(fixture.bytes[most + i], 0xA5, "wrote past the end");
        if (most >= 100)
            check_exact(&fixture, fixture.bytes, size, seed);
    }
    tear_down(&fixture);
}

Test(mutate, any_bytes_can_be_mutated)
{
    struct fixture fixture = set_up();
    struct harness_random random;
    harness_random_init(&random, 5);
    for (uint64_t seed = 0; seed < 2000; seed++) {
        size_t size = harness_random_below(&random, 2000);
        for (size_t i = 0; i < size; i++)
            fixture.bytes[i] = (uint8_t)harness_random_number(&random, 8);
        size = harness_mutate(fixture.mutator, fixture.bytes, size, CAPACITY, seed, NULL);
        cr_assert(size >= 1 && size <= CAPACITY);
        check_exact(&fixture, fixture.bytes, size, seed);
    }
    tear_down(&fixture);
}

static size_t calls;

static size_t leaf(uint8_t *data, size_t size, size_t max_size)
{
    cr_assert(size >= 1 && size <= max_size);
    calls++;
    data[size - 1] ^= 0x5A;
    return size;
}

Test(mutate, leaves_go_to_the_engine)
{
    struct fixture fixture = set_up();
    calls = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        const size_t size = generate(&fixture, seed % 20, fixture.bytes);
        const size_t mutated = harness_mutate(fixture.mutator, fixture.bytes, size, CAPACITY, seed, leaf);
        check_exact(&fixture, fixture.bytes, mutated, seed);
    }
    cr_assert_gt(calls, 20);
    tear_down(&fixture);
}

/* ----------------------------------------------------------------------------------------------------- what changes */

/* One mutation of one case should touch every part of it, sooner or later. */
Test(mutate, every_part_of_a_case_is_changed_now_and_then)
{
    struct fixture fixture = set_up();
    struct harness_case *const original = harness_case_create();
    uint32_t windows = 0;
    uint32_t limits = 0;
    uint32_t profile = 0;
    uint32_t state = 0;
    uint32_t chunks = 0;
    uint32_t operations = 0;
    uint32_t larger = 0;
    const size_t size = generate(&fixture, 12, fixture.bytes);
    cr_assert(harness_pcb_decode(original, fixture.bytes, size));
    for (uint64_t seed = 0; seed < 8000; seed++) {
        memcpy(fixture.copy, fixture.bytes, size);
        const size_t mutated = harness_mutate(fixture.mutator, fixture.copy, size, CAPACITY, seed, NULL);
        struct harness_case *const changed = fixture.test_case;
        harness_case_reset(changed);
        cr_assert(harness_pcb_decode(changed, fixture.copy, mutated));
        windows += changed->window_count != original->window_count ||
                   memcmp(changed->windows, original->windows, sizeof changed->windows) != 0;
        limits += memcmp(&changed->limits, &original->limits, sizeof changed->limits) != 0;
        profile += changed->profile != original->profile;
        state += (changed->state == NULL) != (original->state == NULL);
        chunks += changed->chunk_count != original->chunk_count;
        operations += changed->operation_count != original->operation_count;
        larger += mutated > size;
    }
    cr_assert(windows > 20 && limits > 20 && profile > 5 && state > 20 && chunks > 20 && operations > 50,
              "%u %u %u %u %u %u", windows, limits, profile, state, chunks, operations);
    cr_assert(larger > 1000 && larger < 6000, "%u", larger);
    harness_case_destroy(original);
    tear_down(&fixture);
}

/* ------------------------------------------------------------------------------------------------------- crossover */

Test(mutate, crossover_is_valid_deterministic_and_takes_from_both)
{
    struct fixture fixture = set_up();
    uint8_t *const second = malloc(CAPACITY);
    uint32_t mixed = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        const size_t size1 = generate(&fixture, seed % 60, fixture.bytes);
        const size_t size2 = generate(&fixture, 100 + seed % 70, second);
        const size_t most = seed % 3 == 0 ? 4000 : CAPACITY;
        const size_t size =
            harness_crossover(fixture.mutator, fixture.bytes, size1, second, size2, fixture.copy, most, seed);
        cr_assert(size >= 1 && size <= most);
        mixed += size != size1 || memcmp(fixture.copy, fixture.bytes, size) != 0 ? 1 : 0;
        check_exact(&fixture, fixture.copy, size, seed);
        memcpy(fixture.other, fixture.copy, size);
        cr_assert_eq(harness_crossover(fixture.mutator, fixture.bytes, size1, second, size2, fixture.copy, most, seed),
                     size);
        cr_assert_eq(memcmp(fixture.other, fixture.copy, size), 0, "seed %d", (int)seed);
    }
    cr_assert_gt(mixed, 2800);
    free(second);
    tear_down(&fixture);
}

Test(mutate, crossover_of_any_bytes)
{
    struct fixture fixture = set_up();
    struct harness_random random;
    uint8_t bytes[2][600];
    harness_random_init(&random, 6);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i / 600][i % 600] = (uint8_t)harness_random_number(&random, 8);
        const size_t first = harness_random_below(&random, 600);
        const size_t second = harness_random_below(&random, 600);
        const size_t size =
            harness_crossover(fixture.mutator, bytes[0], first, bytes[1], second, fixture.copy, CAPACITY, seed);
        cr_assert(size >= 1 && size <= CAPACITY);
        check_exact(&fixture, fixture.copy, size, seed);
    }
    tear_down(&fixture);
}

/* ----------------------------------------------------------------------------------------------------------- hooks */

Test(mutate, the_hook_of_libfuzzer_takes_what_libfuzzer_passes)
{
    struct fixture fixture = set_up();
    size_t size = LLVMFuzzerCustomMutator(fixture.bytes, 0, 100, 1); /* the empty input */
    cr_assert(size >= 1 && size <= 100);
    fixture.bytes[0] = '\n';
    size = LLVMFuzzerCustomMutator(fixture.bytes, 1, 4096, 2);
    cr_assert(size >= 1 && size <= 4096);
    for (unsigned seed = 0; seed < 500; seed++) { /* -minimize_crash passes a size above the maximum */
        size = generate(&fixture, seed, fixture.bytes);
        const size_t mutated = LLVMFuzzerCustomMutator(fixture.bytes, size, size - 1, seed);
        cr_assert(mutated >= 1 && mutated < size);
    }
    tear_down(&fixture);
}

Test(mutate, the_crossover_hook_splices_or_mutates)
{
    struct fixture fixture = set_up();
    uint8_t *const second = malloc(CAPACITY);
    const size_t size1 = generate(&fixture, 1, fixture.bytes);
    const size_t size2 = generate(&fixture, 2, second);
    for (unsigned seed = 0; seed < 500; seed++) {
        const size_t most = seed % 2 == 0 ? CAPACITY : 500;
        const size_t size = LLVMFuzzerCustomCrossOver(fixture.bytes, size1, second, size2, fixture.copy, most, seed);
        cr_assert(size >= 1 && size <= most);
        if (most > 500)
            check_exact(&fixture, fixture.copy, size, seed);
    }
    cr_assert_geq(LLVMFuzzerCustomCrossOver(fixture.bytes, 0, second, 0, fixture.copy, 64, 7), 1);
    free(second);
    tear_down(&fixture);
}

Test(mutate, new_cases_are_as_plain_as_they_are_asked_to_be)
{
    const uint64_t plain = odd_share(100), usual = odd_share(0), odd = odd_share(1);
    cr_expect(plain < usual && usual + 200 < odd, "%d, %d, %d of 1000 are odd", (int)plain, (int)usual, (int)odd);
}

/* For experiments: all cases anew, none, and no splices. */
Test(mutate, the_environment_sets_the_schedule)
{
    static const struct {
        const char *fresh, *splice;
        uint64_t generated, crossovers;
    } schedules[] = { { "100", "0", 200, 0 }, { "0", "0", 0, 0 }, { "0", "100", 0, 100 } };
    struct fixture fixture = set_up();
    const size_t size = generate(&fixture, 1, fixture.other);
    for (size_t i = 0; i < sizeof schedules / sizeof schedules[0]; i++) {
        struct harness_hook hook;
        const struct harness_input inputs[2] = { { fixture.other, size }, { fixture.other, size } };
        cr_assert_eq(setenv("PICAFUZZ_FRESH", schedules[i].fresh, 1), 0);
        cr_assert_eq(setenv("PICAFUZZ_SPLICE", schedules[i].splice, 1), 0);
        cr_assert(harness_hook_init(&hook, 30));
        for (unsigned seed = 0; seed < 100; seed++) {
            memcpy(fixture.bytes, fixture.other, size);
            (void)harness_hook_mutate(&hook, fixture.bytes, size, CAPACITY, seed, NULL);
            (void)harness_hook_combine(&hook, inputs, fixture.bytes, CAPACITY, seed, NULL);
        }
        cr_expect_eq(hook.statistics->generated, schedules[i].generated, "%zu", i);
        cr_expect_eq(hook.statistics->crossovers, schedules[i].crossovers, "%zu", i);
        harness_hook_finish(&hook);
    }
    tear_down(&fixture);
}
