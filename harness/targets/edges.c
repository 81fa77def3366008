#include "harness/targets/edges.h"

#include "harness/run/edges.h"
#include "harness/run/process.h"

#include <stdlib.h>
#include <string.h>

/* An entry of a table of places, laid out as the compiler does: an address that is unique, and no flags. */
struct place {
    uintptr_t address, flags;
};

struct edges {
    size_t counts[HARNESS_MOST_BACKENDS]; /* number of edges of each backend */
    struct harness_edges
        guards[HARNESS_MOST_BACKENDS]; /* guards of plug-ins in this process, which libFuzzer ignores */
    size_t backends, total;
    uint8_t *map;         /* [total + 1], the counts of these guards */
    uint8_t *counters;    /* [total], one backend after the other */
    struct place *places; /* [total] */
};

/* Finds the guards of a plug-in in this process, which libFuzzer ignores; returns their number. With AFL++ there are
 * none to find: its runtime numbers them by itself. */
static size_t find_guards(void *library, struct harness_edges *out)
{
#if defined(__AFL_COMPILER)
    (void)library;
    (void)out;
    return 0;
#else
    harness_edges_find(library, out);
    return out->guards != NULL ? out->count : 0;
#endif
}

/* Defined by libFuzzer or counters_afl.c; other engines and programs may lack them. */
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop) __attribute__((weak));
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) __attribute__((weak));

static void announce(const struct edges *edges)
{
    if (__sanitizer_cov_8bit_counters_init == NULL || __sanitizer_cov_pcs_init == NULL)
        return;
    for (size_t i = 0; i < edges->total; i++)
        edges->places[i] = (struct place){ (uintptr_t)&edges->counters[i], 0 };
    __sanitizer_cov_8bit_counters_init(edges->counters, edges->counters + edges->total);
    __sanitizer_cov_pcs_init(&edges->places[0].address, &edges->places[edges->total].address);
}

static bool are_wanted(void)
{
    const char *const text = getenv("PICAFUZZ_EDGES");
    return text == NULL || strcmp(text, "0") != 0;
}

static void number_guards(struct edges *edges)
{
    size_t first = 1; /* map[0] counts guards without a number */
    for (size_t i = 0; i < edges->backends; first += edges->counts[i++])
        harness_edges_number(&edges->guards[i], edges->map, first, edges->total + 1);
}

struct edges *edges_create(const struct harness_backend *backends, size_t count)
{
    struct edges *const edges = are_wanted() ? calloc(1, sizeof *edges) : NULL;
    if (edges == NULL)
        return NULL;
    for (size_t i = 0; i < count && i < HARNESS_MOST_BACKENDS; i++) {
        edges->counts[i] = backends[i].process != NULL ? harness_process_edges(backends[i].backend)
                                                       : find_guards(backends[i].library, &edges->guards[i]);
        edges->total += edges->counts[i];
        edges->backends = i + 1;
    }
    edges->counters = calloc(edges->total + 1, sizeof *edges->counters);
    edges->places = calloc(edges->total + 1, sizeof *edges->places);
    edges->map = calloc(edges->total + 1, sizeof *edges->map);
    if (edges->total == 0 || edges->counters == NULL || edges->places == NULL || edges->map == NULL) {
        edges_destroy(edges);
        return NULL;
    }
    number_guards(edges);
    announce(edges);
    return edges;
}

void edges_destroy(struct edges *edges)
{
    if (edges == NULL)
        return;
    free(edges->counters);
    free(edges->places);
    free(edges->map);
    free(edges);
}

/* The counters of the backend; NULL: nothing that the engine does not know already. */
static const uint8_t *take(const struct edges *edges, size_t backend, struct harness_pair *pair)
{
    if (edges->counts[backend] == 0)
        return NULL;
    if (edges->guards[backend].counters != NULL)
        return edges->guards[backend].counters;
    return harness_process_take_edges(harness_runner_instance(harness_pair_runner(pair, backend)));
}

void edges_tell(struct edges *edges, struct harness_pair *pair)
{
    size_t first = 0;
    for (size_t i = 0; edges != NULL && i < edges->backends; first += edges->counts[i++]) {
        const uint8_t *const counters = take(edges, i, pair);
        for (size_t k = 0; counters != NULL && k < edges->counts[i]; k++)
            if (counters[k] != 0)
                edges->counters[first + k] = counters[k];
        if (edges->guards[i].counters != NULL)
            memset(edges->guards[i].counters, 0, edges->counts[i]);
    }
}
