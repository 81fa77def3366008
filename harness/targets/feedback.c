#include "harness/targets/feedback.h"

#include "harness/coverage/universe.h"

#include <stdlib.h>
#include <string.h>

enum {
    FEEDBACK_DEFAULT = FEEDBACK_PAIRS
};

const uint8_t feedback_buckets[8] = { 1, 2, 3, 4, 8, 16, 32, 128 };

#if defined(__AFL_COMPILER)
uint32_t feedback_places[FEEDBACK_COUNTERS];

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);

/* Runs before the fork server tells afl-fuzz how large the map is. */
static __attribute__((constructor)) void reserve_places(void)
{
    __sanitizer_cov_trace_pc_guard_init(feedback_places, feedback_places + FEEDBACK_COUNTERS);
}
#elif defined(__linux__)
_Static_assert(FEEDBACK_COUNTERS % 8 == 0, "libFuzzer clears whole words: the rest would be a neighbour's");
uint8_t feedback_counters[FEEDBACK_COUNTERS] __attribute__((section("__libfuzzer_extra_counters"), aligned(8), used));
#endif

/* Counts that something was told; true: it has now been told FEEDBACK_NEWS times. */
#if defined(__AFL_COMPILER)
/* afl-fuzz runs an input several times and expects the same coverage each time, so everything is told. */
static inline bool is_told_enough(uint8_t *told)
{
    (void)told;
    return false;
}
#else
static inline bool is_told_enough(uint8_t *told)
{
    return ++*told == FEEDBACK_NEWS;
}
#endif

/*
 * The number of times that an edge was taken says how many pixels, vertices and words an input has, and little else; a
 * quarter of what libFuzzer kept, it kept for that alone. So libFuzzer is told only "never", "once" and "more often"
 * for this program's code. The linker knows where the compiler's counters are; there are none without instrumentation.
 */
enum {
    ONCE = 1,
    MORE_OFTEN = 2
};

struct own_edges {
    uint8_t *news;    /* for each edge: those of ONCE and MORE_OFTEN that are still told */
    uint8_t *told[2]; /* for each edge: how often ONCE and MORE_OFTEN were told */
};

#if defined(__linux__) && !defined(__AFL_COMPILER)
extern uint8_t __start___sancov_cntrs[] __attribute__((weak, visibility("hidden")));
extern uint8_t __stop___sancov_cntrs[] __attribute__((weak, visibility("hidden")));

static size_t count_edges(void)
{
    return (size_t)((uintptr_t)__stop___sancov_cntrs - (uintptr_t)__start___sancov_cntrs);
}

/* Written so that compilers vectorise it: any input takes a third of all edges. */
static void keep_news(uint8_t *restrict counters, const uint8_t *restrict news, size_t count)
{
    for (size_t i = 0; i < count; i++)
        counters[i] = (uint8_t)((counters[i] < MORE_OFTEN ? counters[i] : MORE_OFTEN) & news[i]);
}

/* A count above MORE_OFTEN is possible only for edges of this file, which count while this runs, if it is
 * instrumented. */
static void note_told(const struct own_edges *edges, size_t edge, uint8_t kind)
{
    if (kind != 0 && kind <= MORE_OFTEN && is_told_enough(&edges->told[kind - 1][edge]))
        edges->news[edge] &= (uint8_t)~kind;
}

/* Eight counters at a time, since nearly all are 0. */
static void tell_edges(const struct own_edges *edges)
{
    uint8_t *const counters = __start___sancov_cntrs;
    const size_t count = count_edges();
    keep_news(counters, edges->news, count);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        uint64_t eight;
        memcpy(&eight, counters + i, sizeof eight);
        for (size_t k = i; eight != 0 && k < i + 8; k++)
            note_told(edges, k, counters[k]);
    }
    for (; i < count; i++)
        note_told(edges, i, counters[i]);
}
#else
static size_t count_edges(void)
{
    return 0;
}

static void tell_edges(const struct own_edges *edges)
{
    (void)edges;
}
#endif

struct feedback {
    struct harness_runner *reference;
    struct harness_universe *universe;
    struct harness_collector *collector;
    uint8_t *marks;
    uint8_t *told; /* how often each item was told */
    struct own_edges edges;
    size_t items, first_pair, pair_count;
    bool pairs; /* pairs are told, too */
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
    free(feedback->edges.news);
    free(feedback->edges.told[0]);
    free(feedback->edges.told[1]);
    free(feedback);
}

/* Items that are no pair have one counter each, in order. Computed when needed: with a table of all items, each input
 * would push everything else out of the cache. */
static uint32_t counter_of_item(const struct feedback *feedback, size_t item)
{
    return (uint32_t)(item < feedback->first_pair ? item : item - feedback->pair_count);
}

/* The counter (bits 8 and up) and bucket (bits 29 to 31) of a pair. If there are more pairs than counters, they share
 * them by a hash, each counter having eight buckets. */
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

static bool create_edges(struct own_edges *edges)
{
    const size_t count = count_edges();
    edges->news = malloc(count + 1u);
    edges->told[0] = calloc(count + 1u, 1);
    edges->told[1] = calloc(count + 1u, 1);
    if (edges->news == NULL || edges->told[0] == NULL || edges->told[1] == NULL)
        return false;
    memset(edges->news, ONCE | MORE_OFTEN, count);
    return true;
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
    if (feedback->items != 0 && feedback->marks != NULL && feedback->told != NULL && create_edges(&feedback->edges))
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
    tell_edges(&feedback->edges);
    size_t count;
    const uint32_t *const hits = harness_collector_hits(feedback->collector, &count);
    for (size_t i = 0; i < count; i++) {
        tell(feedback, hits[i]);
        if (is_told_enough(&feedback->told[hits[i]]))
            harness_collector_ignore(feedback->collector, hits[i]);
    }
}
