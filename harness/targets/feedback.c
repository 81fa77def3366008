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

/*
 * How often an edge was taken says how many pixels, vertices and words an input has, and little else; of what libFuzzer
 * kept, a quarter was kept for that alone. So it hears "never", "once" and "more often" of this program's code. The
 * linker knows where the compiler's counters are; there are none without instrumentation.
 */
enum {
    KINDS = 2 /* once, more often */
};

#if defined(__AFL_COMPILER)
/* afl-fuzz runs an input several times and wants the same each time: everything is told. */
static inline bool is_news(uint8_t *told)
{
    (void)told;
    return true;
}
#else
/* FEEDBACK_NEWS fits a byte. */
static inline bool is_news(uint8_t *told)
{
    if (*told == FEEDBACK_NEWS)
        return false;
    (*told)++;
    return true;
}
#endif

#if defined(__linux__) && !defined(__AFL_COMPILER)
extern uint8_t __start___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern uint8_t __stop___sancov_cntrs[] __attribute__((weak, visibility("hidden")));

static size_t count_edges(void)
{
    return (size_t)((uintptr_t)__stop___sancov_cntrs - (uintptr_t)__start___sancov_cntrs);
}

static inline void tell_edge(uint8_t *counter, uint8_t *told)
{
    const uint8_t kind = *counter > 1 ? 2 : 1;
    if (*counter != 0)
        *counter = is_news(&told[kind - 1]) ? kind : 0;
}

/* Eight at a time: most are 0. */
static void tell_edges(uint8_t *told)
{
    uint8_t *const counters = __start___sancov_cntrs;
    const size_t count = count_edges();
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint64_t eight;
        memcpy(&eight, counters + i, sizeof eight);
        for (size_t k = i; eight != 0 && k < i + 8; k++)
            tell_edge(&counters[k], &told[KINDS * k]);
    }
    for (; i < count; i++)
        tell_edge(&counters[i], &told[KINDS * i]);
}
#else
static size_t count_edges(void)
{
    return 0;
}

static void tell_edges(uint8_t *told)
{
    (void)told;
}
#endif

struct feedback {
    struct harness_runner *reference;
    struct harness_universe *universe;
    struct harness_collector *collector;
    uint8_t *marks;
    uint8_t *told;       /* how often each item was */
    uint8_t *edges_told; /* each edge, of each kind */
    size_t items, first_pair, pair_count;
    bool pairs; /* are told */
};

void feedback_destroy(struct feedback *feedback)
{
    if (feedback == NULL)
        return;
    harness_runner_watch(feedback->reference, NULL, NULL);
    harness_collector_destroy(feedback->collector);
    harness_universe_destroy(feedback->universe);
    free(feedback->marks);
    free(feedback->told);
    free(feedback->edges_told);
    free(feedback);
}

/* Items that are no pair have a counter of their own, in order. Computed where it is needed: a table of all items would
 * push everything else out of the cache with each input. */
static uint32_t counter_of_item(const struct feedback *feedback, size_t item)
{
    return (uint32_t)(item < feedback->first_pair ? item : item - feedback->pair_count);
}

/* Pairs share those counters that are left if there are too few, and a counter has eight values. */
static uint32_t hash_of_pair(const struct feedback *feedback, size_t item)
{
    return feedback->pair_count > FEEDBACK_HASHED ? (uint32_t)item * 0x9E3779B1u
                                                  : (uint32_t)(item - feedback->first_pair) << 8;
}

enum feedback_level feedback_level_of_environment(void)
{
    const char *const text = getenv("PICAFUZZ_FEEDBACK");
    if (text == NULL || text[0] < '0' || text[0] > '2' || text[1] != '\0')
        return (enum feedback_level)FEEDBACK_DEFAULT;
    return (enum feedback_level)(text[0] - '0');
}

static void on_step(void *user, const struct pica_operation *operation)
{
    struct feedback *const feedback = user;
    harness_collector_step(feedback->collector, operation);
}

struct feedback *feedback_create(struct harness_runner *reference, enum feedback_level level)
{
    struct feedback *const feedback = level != FEEDBACK_NONE ? calloc(1, sizeof *feedback) : NULL;
    if (feedback == NULL)
        return NULL;
    feedback->reference = reference;
    feedback->universe = harness_universe_create();
    feedback->items = feedback->universe != NULL ? harness_universe_items(feedback->universe) : 0;
    feedback->marks = calloc(feedback->items + 8u, 1);
    feedback->told = calloc(feedback->items + 8u, 1);
    feedback->edges_told = calloc(KINDS * count_edges() + 1u, 1);
    if (feedback->items != 0 && feedback->marks != NULL && feedback->told != NULL && feedback->edges_told != NULL)
        feedback->collector = harness_collector_create(feedback->universe, harness_runner_backend(reference),
                                                       harness_runner_instance(reference), feedback->marks);
    if (feedback->collector == NULL) {
        feedback_destroy(feedback);
        return NULL;
    }
    feedback->pairs = level >= FEEDBACK_PAIRS;
    harness_universe_area(feedback->universe, HARNESS_AREA_PAIRS, &feedback->first_pair, &feedback->pair_count);
    if (!harness_collector_hurry(feedback->collector, feedback->pairs)) {
        feedback_destroy(feedback);
        return NULL;
    }
    harness_runner_watch(reference, on_step, feedback);
    return feedback;
}

void feedback_begin(struct feedback *feedback)
{
    if (feedback == NULL)
        return;
    harness_collector_begin(feedback->collector, NULL);
}

static void tell(const struct feedback *feedback, size_t item)
{
    if (item - feedback->first_pair < feedback->pair_count) {
        const uint32_t hash = hash_of_pair(feedback, item);
        if (feedback->pairs)
            FEEDBACK_HIT(FEEDBACK_DIRECT + (hash >> 8) % FEEDBACK_HASHED, hash >> 29);
    } else if (counter_of_item(feedback, item) < FEEDBACK_DIRECT) {
        FEEDBACK_HIT(counter_of_item(feedback, item), 0);
    }
}

void feedback_end(struct feedback *feedback)
{
    if (feedback == NULL)
        return;
    harness_collector_finish(feedback->collector);
    tell_edges(feedback->edges_told);
    size_t count;
    const uint32_t *const hits = harness_collector_hits(feedback->collector, &count);
    for (size_t i = 0; i < count; i++)
        if (is_news(&feedback->told[hits[i]]))
            tell(feedback, hits[i]);
}
