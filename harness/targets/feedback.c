#include "harness/targets/feedback.h"

#include "harness/coverage/universe.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEEDBACK_DEFAULT = FEEDBACK_PAIRS
};

#if defined(__AFL_COMPILER)
uint32_t feedback_guards[FEEDBACK_COUNTERS];

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);

/* Before the fork server tells afl-fuzz how large the map is. */
static __attribute__((constructor)) void announce_guards(void)
{
    __sanitizer_cov_trace_pc_guard_init(feedback_guards, feedback_guards + FEEDBACK_COUNTERS);
}
#elif defined(__linux__)
_Static_assert(FEEDBACK_COUNTERS % 8 == 0, "libFuzzer clears whole words: the rest would be a neighbour's");
const uint8_t feedback_buckets[8] = { 1, 2, 3, 4, 8, 16, 32, 128 };
uint8_t feedback_counters[FEEDBACK_COUNTERS] __attribute__((section("__libfuzzer_extra_counters"), aligned(8), used));
#endif

struct feedback {
    struct harness_universe *universe;
    struct harness_collector *collector;
    uint8_t *marks;
    uint32_t *counters; /* of each item; FEEDBACK_COUNTERS: none */
    uint8_t *buckets;   /* of each item */
    size_t items;
};

void feedback_destroy(struct feedback *feedback)
{
    if (feedback == NULL)
        return;
    harness_collector_destroy(feedback->collector);
    harness_universe_destroy(feedback->universe);
    free(feedback->marks);
    free(feedback->counters);
    free(feedback->buckets);
    free(feedback);
}

/* Every item that is not a pair has a counter of its own; pairs share those that are left if there are too few. */
static void assign(struct feedback *feedback, enum feedback_level level)
{
    size_t first, count;
    uint32_t next = 0;
    harness_universe_area(feedback->universe, HARNESS_AREA_PAIRS, &first, &count);
    for (size_t i = 0; i < feedback->items; i++) {
        const bool is_pair = i - first < count;
        uint32_t counter = FEEDBACK_COUNTERS;
        const uint32_t hash = count > FEEDBACK_HASHED ? (uint32_t)i * 0x9E3779B1u : (uint32_t)(i - first) << 8;
        if (is_pair && level >= FEEDBACK_PAIRS)
            counter = FEEDBACK_DIRECT + (hash >> 8) % FEEDBACK_HASHED;
        else if (!is_pair && next < FEEDBACK_DIRECT)
            counter = next++;
        feedback->counters[i] = counter;
        feedback->buckets[i] = is_pair ? (uint8_t)(hash >> 29) : 0;
    }
}

enum feedback_level feedback_level_of_environment(void)
{
    const char *const text = getenv("PICAFUZZ_FEEDBACK");
    if (text == NULL || text[0] < '0' || text[0] > '2' || text[1] != '\0')
        return (enum feedback_level)FEEDBACK_DEFAULT;
    return (enum feedback_level)(text[0] - '0');
}

struct feedback *feedback_create(struct harness_runner *reference, enum feedback_level level)
{
    struct feedback *const feedback = level != FEEDBACK_NONE ? calloc(1, sizeof *feedback) : NULL;
    if (feedback == NULL)
        return NULL;
    feedback->universe = harness_universe_create();
    feedback->items = feedback->universe != NULL ? harness_universe_items(feedback->universe) : 0;
    feedback->marks = calloc(feedback->items + 8u, 1);
    feedback->counters = calloc(feedback->items + 1u, sizeof *feedback->counters);
    feedback->buckets = calloc(feedback->items + 1u, 1);
    if (feedback->items != 0 && feedback->marks != NULL && feedback->counters != NULL && feedback->buckets != NULL)
        feedback->collector = harness_collector_create(feedback->universe, harness_runner_backend(reference),
                                                       harness_runner_instance(reference), feedback->marks);
    if (feedback->collector == NULL) {
        feedback_destroy(feedback);
        return NULL;
    }
    harness_collector_hurry(feedback->collector, level >= FEEDBACK_PAIRS);
    assign(feedback, level);
    return feedback;
}

void feedback_begin(struct feedback *feedback)
{
    if (feedback == NULL)
        return;
    memset(feedback->marks, 0, feedback->items);
    harness_collector_begin(feedback->collector, NULL);
}

/* Eight marks at a time: most are 0. */
void feedback_end(struct feedback *feedback)
{
    if (feedback == NULL)
        return;
    harness_collector_finish(feedback->collector);
    for (size_t i = 0; i < feedback->items; i += 8) {
        uint64_t eight;
        memcpy(&eight, feedback->marks + i, sizeof eight);
        for (size_t k = i; eight != 0 && k < i + 8 && k < feedback->items; k++)
            if ((feedback->marks[k] & HARNESS_MARK_EFFECT) != 0 && feedback->counters[k] < FEEDBACK_COUNTERS)
                FEEDBACK_HIT(feedback->counters[k], feedback->buckets[k]);
    }
}
