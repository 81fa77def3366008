/* The collector of a campaign, which is in a hurry, beside the one that marks everything. */
#include "harness/coverage/universe.h"
#include "harness/coverage/universe_parts.h"
#include "harness/grammar/gen.h"
#include "harness/run/pair.h"
#include "reference/reference.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    CASES = 40
};

struct watcher {
    void *instance;
    uint8_t *marks;
    struct harness_collector *collector;
};

struct fixture {
    struct harness_universe *universe;
    struct harness_case *test_case;
    struct harness_program *program;
    struct watcher slow, quick;
};

static void create(struct watcher *watcher, const struct harness_universe *universe)
{
    watcher->marks = calloc(harness_universe_items(universe), 1);
    cr_assert(ref_backend()->create(NULL, &watcher->instance) == PICA_OK);
    watcher->collector = harness_collector_create(universe, ref_backend(), watcher->instance, watcher->marks);
    cr_assert(watcher->marks != NULL && watcher->collector != NULL);
}

static void destroy(struct watcher *watcher)
{
    harness_collector_destroy(watcher->collector);
    ref_backend()->destroy(watcher->instance);
    free(watcher->marks);
}

static void setup(struct fixture *fixture)
{
    fixture->universe = harness_universe_create();
    fixture->test_case = harness_case_create();
    fixture->program = harness_program_create();
    cr_assert(fixture->universe != NULL && fixture->test_case != NULL && fixture->program != NULL);
    create(&fixture->slow, fixture->universe);
    create(&fixture->quick, fixture->universe);
    cr_assert(harness_collector_hurry(fixture->quick.collector, true));
}

static void teardown(struct fixture *fixture)
{
    destroy(&fixture->slow);
    destroy(&fixture->quick);
    harness_program_destroy(fixture->program);
    harness_case_destroy(fixture->test_case);
    harness_universe_destroy(fixture->universe);
}

static void prepare(struct fixture *fixture, uint64_t seed)
{
    harness_case_reset(fixture->test_case);
    harness_generate(fixture->test_case, seed, NULL);
    harness_bound_case(fixture->test_case);
    cr_assert(harness_case_setup(fixture->test_case, fixture->program, NULL) == HARNESS_OK);
}

static const uint32_t *run_quickly(struct fixture *fixture, size_t *count)
{
    const struct watcher *const quick = &fixture->quick;
    harness_collector_begin(quick->collector, NULL);
    cr_assert(ref_backend()->load(quick->instance, &fixture->program->setup) == PICA_OK);
    for (size_t i = 0; i < fixture->program->count; i++) {
        cr_assert(ref_backend()->run(quick->instance, &fixture->program->operations[i]) == PICA_OK);
        harness_collector_step(quick->collector, &fixture->program->operations[i]);
    }
    harness_collector_finish(quick->collector);
    return harness_collector_hits(quick->collector, count);
}

/* Opcodes, operands and the pairs of draws; the others may be seen at an operation or at the end, too. */
static bool is_of_draws(const struct harness_universe *universe, size_t item)
{
    const struct universe_item *const found = &universe->items[item];
    if (found->area != HARNESS_AREA_PAIRS)
        return found->area == HARNESS_AREA_OPCODES || found->area == HARNESS_AREA_OPERANDS;
    const uint32_t r = universe->slots[found->a].register_index;
    return pica_stage_info(universe->registers[r].stage)->when == PICA_STAGE_WHEN_DRAW;
}

/* One after the other on the same instance: nothing of one run may show in the next. */
Test(hurry, finds_what_the_other_finds_with_effect)
{
    struct fixture fixture;
    size_t total = 0, count;
    setup(&fixture);
    const size_t items = harness_universe_items(fixture.universe);
    for (uint64_t seed = 1; seed <= CASES; seed++) {
        prepare(&fixture, seed);
        memset(fixture.slow.marks, 0, items);
        cr_assert(harness_collector_run(fixture.slow.collector, &fixture.program->setup, fixture.program->operations,
                                        fixture.program->count) == PICA_OK);
        const uint32_t *const hits = run_quickly(&fixture, &count);
        size_t expected = 0, found = 0;
        for (size_t item = 0; item < items; item++)
            expected += is_of_draws(fixture.universe, item) && (fixture.slow.marks[item] & HARNESS_MARK_EFFECT) != 0;
        for (size_t i = 0; i < count; i++) {
            found += is_of_draws(fixture.universe, hits[i]);
            cr_expect((fixture.slow.marks[hits[i]] & HARNESS_MARK_EFFECT) != 0, "seed %d: item %u", (int)seed, hits[i]);
        }
        cr_expect(found == expected, "seed %d: expected %zu, found %zu", (int)seed, expected, found);
        total += found;
    }
    cr_expect(total > 1000, "the cases draw");
    teardown(&fixture);
}

/* Hits that are ignored are left out of all runs after, their neighbours are not. */
Test(hurry, ignores_what_nobody_asks_for)
{
    struct fixture fixture;
    struct fixture other;
    size_t left_out = 0, all, count;
    setup(&fixture);
    setup(&other);
    uint8_t *const ignored = calloc(harness_universe_items(fixture.universe), 1);
    for (uint64_t seed = 0; seed < 3u * CASES; seed++) { /* each case three times */
        prepare(&fixture, 1 + seed / 3u);
        prepare(&other, 1 + seed / 3u);
        const uint32_t *const every = run_quickly(&other, &all);
        const uint32_t *const hits = run_quickly(&fixture, &count);
        size_t k = 0;
        for (size_t i = 0; i < all; i++) {
            left_out += ignored[every[i]];
            if (ignored[every[i]] != 0)
                continue;
            cr_assert(k < count && hits[k] == every[i], "seed %d: item %u is not told", (int)seed, every[i]);
            k++;
            if ((every[i] + seed) % 3u != 0)
                continue;
            ignored[every[i]] = 1;
            harness_collector_ignore(fixture.quick.collector, every[i]);
        }
        cr_assert(k == count, "seed %d: %zu hits more than asked for", (int)seed, count - k);
    }
    cr_expect(left_out > 1000);
    free(ignored);
    teardown(&other);
    teardown(&fixture);
}
