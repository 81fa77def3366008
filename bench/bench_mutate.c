/*
 * What one mutation or crossover costs, from bytes to bytes, by kind and by size of the case. Processor time of the
 * bytes' way in and out, of the change itself, and nothing else. Usage: bench_mutate [calls a line] [seed]
 */
#include "bench/measure.h"
#include "bench/options.h"
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY = 1 << 16,
    CASES = 32, /* of each size */
    SIZES = 3,
    MOST_CALLS = 1 << 20
};

static const size_t wanted_sizes[SIZES] = { 800, 3200, 12800 };

struct input {
    uint8_t *bytes;
    size_t size;
};

struct bench {
    struct harness_mutator *mutator;
    struct harness_case *test_case;
    struct input inputs[SIZES][CASES];
    uint8_t *out;
    double *times; /* microseconds */
    uint64_t calls;
    uint64_t seed;
};

/* Generated cases within a quarter of the size wanted, or, where such are rare, cut to it by mutation. */
static bool prepare(struct bench *bench, int size_class)
{
    const size_t wanted = wanted_sizes[size_class];
    int found = 0;
    for (uint64_t i = 0; i < 200000 && found < CASES; i++) {
        size_t size = 0;
        harness_generate(bench->test_case, bench->seed + i, NULL);
        if (harness_pcb_encode(bench->test_case, bench->out, CAPACITY, &size, NULL) != HARNESS_OK)
            continue;
        if (size > wanted && size < 2 * wanted)
            size = harness_mutate(bench->mutator, bench->out, wanted, wanted, i, NULL);
        if (size < wanted - wanted / 4 || size > wanted + wanted / 4)
            continue;
        struct input *const input = &bench->inputs[size_class][found];
        input->bytes = malloc(size);
        if (input->bytes == NULL)
            return false;
        memcpy(input->bytes, bench->out, size);
        input->size = size;
        found++;
    }
    return found == CASES;
}

enum line {
    LINE_ANY,
    LINE_KIND,
    LINE_CROSSOVER,
    LINE_CROSSOVER_KIND
};

/* One call; true if it changed the case. */
static bool call_once(struct bench *bench, enum line line, uint32_t kind, int size_class, uint64_t seed)
{
    const struct input *const a = &bench->inputs[size_class][seed % CASES];
    const struct input *const b = &bench->inputs[size_class][(seed / CASES) % CASES];
    switch (line) {
    case LINE_ANY:
        memcpy(bench->out, a->bytes, a->size);
        return harness_mutate(bench->mutator, bench->out, a->size, CAPACITY, seed, NULL) != 0;
    case LINE_KIND:
        memcpy(bench->out, a->bytes, a->size);
        return harness_mutate_by(bench->mutator, kind, bench->out, a->size, CAPACITY, seed) != 0;
    case LINE_CROSSOVER:
        return harness_crossover(bench->mutator, a->bytes, a->size, b->bytes, b->size, bench->out, CAPACITY, seed) != 0;
    case LINE_CROSSOVER_KIND:
        return harness_crossover_by(bench->mutator, kind, a->bytes, a->size, b->bytes, b->size, bench->out, CAPACITY,
                                    seed) != 0;
    }
    return false;
}

static void measure(struct bench *bench, enum line line, uint32_t kind, const char *name)
{
    printf("%-12s %-18s", line == LINE_CROSSOVER_KIND ? "crossover" : "mutation", name);
    for (int size_class = 0; size_class < SIZES; size_class++) {
        size_t count = 0;
        double sum = 0.0;
        for (uint64_t call = 0; call < bench->calls; call++) {
            const double start = bench_seconds();
            const bool changed = call_once(bench, line, kind, size_class, bench->seed + call);
            const double microseconds = (bench_seconds() - start) * 1e6;
            if (!changed)
                continue;
            bench->times[count++] = microseconds;
            sum += microseconds;
        }
        const double median = bench_median(bench->times, count);
        const double late = count != 0 ? bench->times[count * 99 / 100] : 0.0;
        printf(" | %6.2f %6.2f %7.2f", median, count != 0 ? sum / (double)count : 0.0, late);
    }
    printf("\n");
}

static void measure_all(struct bench *bench)
{
    printf("microseconds a call: median, mean, 99th percentile; %llu calls, seed %llu\n",
           (unsigned long long)bench->calls, (unsigned long long)bench->seed);
    printf("%-31s | about 0.8 KiB           | about 3.2 KiB           | about 12.8 KiB\n", "");
    measure(bench, LINE_ANY, 0, "any (as engines)");
    for (uint32_t kind = 0; kind < harness_mutation_kinds(); kind++)
        measure(bench, LINE_KIND, kind, harness_mutation_kind_name(kind));
    measure(bench, LINE_CROSSOVER, 0, "any crossover");
    for (uint32_t kind = 0; kind < harness_crossover_kinds(); kind++)
        measure(bench, LINE_CROSSOVER_KIND, kind, harness_crossover_kind_name(kind));
}

static int usage(void)
{
    fprintf(stderr, "usage: bench_mutate [calls] [seed]\n");
    return 2;
}

static bool take_argument(const char *what, const char *text, uint64_t most, uint64_t *out)
{
    return text == NULL || bench_option_number((struct bench_option){ "bench_mutate", what }, text, 1, most, out);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    bench.calls = 20000;
    bench.seed = 1;
    if (argc > 3 || !take_argument("calls", argc > 1 ? argv[1] : NULL, MOST_CALLS, &bench.calls) ||
        !take_argument("seed", argc > 2 ? argv[2] : NULL, UINT64_MAX, &bench.seed))
        return usage();
    bench.mutator = harness_mutator_create();
    bench.test_case = harness_case_create();
    bench.out = malloc(CAPACITY);
    bench.times = malloc(bench.calls * sizeof *bench.times);
    int code = 4;
    if (bench.mutator != NULL && bench.test_case != NULL && bench.out != NULL && bench.times != NULL &&
        prepare(&bench, 0) && prepare(&bench, 1) && prepare(&bench, 2)) {
        measure_all(&bench);
        code = 0;
    } else {
        fprintf(stderr, "bench_mutate: out of memory, or too few generated cases of some size\n");
    }
    for (int s = 0; s < SIZES; s++)
        for (int i = 0; i < CASES; i++)
            free(bench.inputs[s][i].bytes);
    harness_mutator_destroy(bench.mutator);
    harness_case_destroy(bench.test_case);
    free(bench.out);
    free(bench.times);
    return code;
}
