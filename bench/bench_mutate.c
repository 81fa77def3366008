/*
 * What one mutation or crossover costs, by kind and by size of the case: from bytes to bytes, so decoding, the change
 * itself and encoding.
 */
#include "bench/measure.h"
#include "harness/case/formats.h"
#include "harness/cli/options.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY = 1 << 16,
    CASES = 32, /* of each size */
    MOST_SIZES = 8,
    LEAST_SIZE = 64,
    LARGEST_SIZE = 1 << 15,
    LARGEST_GENERATED = 8192, /* still often */
    MOST_CALLS = 1 << 20
};

static const size_t usual_sizes[] = { 1024, 4096, 16384 };
static const char any_mutation[] = "any (as engines)";
static const char any_crossover[] = "any crossover";

struct input {
    uint8_t *bytes;
    size_t size;
};

struct bench {
    struct harness_mutator *mutator;
    struct harness_case *test_case;
    size_t sizes[MOST_SIZES];
    int size_count;
    struct input inputs[MOST_SIZES][CASES];
    uint8_t *out, *other, *grown; /* CAPACITY bytes each */
    double *times;                /* microseconds */
    const char *kind;             /* or NULL: all */
    uint64_t calls;
    uint64_t seed;
};

/* The bytes of a generated case; 0 if it is too large for the buffer. */
static size_t generate(struct bench *bench, uint64_t seed, uint8_t *out)
{
    size_t size = 0;
    harness_generate(bench->test_case, seed, NULL);
    return harness_pcb_encode(bench->test_case, out, CAPACITY, &size, NULL) == HARNESS_OK ? size : 0;
}

/* Generated cases are seldom larger than 12 KiB; larger ones in a corpus have grown by crossover. */
static size_t grow(struct bench *bench, size_t size, size_t wanted, uint64_t seed)
{
    for (uint64_t i = 0; i < 64 && size < wanted - wanted / 4; i++) {
        const size_t other = generate(bench, seed + i, bench->other);
        const size_t grown = harness_crossover(bench->mutator, bench->out, size, bench->other, other, bench->grown,
                                               wanted + wanted / 4, seed + i);
        if (grown <= size)
            continue;
        memcpy(bench->out, bench->grown, grown);
        size = grown;
    }
    return size;
}

/* Generated cases within a quarter of the size wanted, or, where they are rare, cut or grown to it. */
static bool prepare(struct bench *bench, int size_class)
{
    const size_t wanted = bench->sizes[size_class];
    int found = 0;
    for (uint64_t i = 0; i < 200000 && found < CASES; i++) {
        size_t size = generate(bench, bench->seed + i, bench->out);
        if (size > wanted && size < 2 * wanted)
            size = harness_mutate(bench->mutator, bench->out, wanted, wanted, i, NULL);
        if (size != 0 && wanted > LARGEST_GENERATED)
            size = grow(bench, size, wanted, bench->seed + 64 * i);
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

static bool is_wanted(const struct bench *bench, const char *name)
{
    if (bench->kind == NULL || strcmp(name, bench->kind) == 0)
        return true;
    return strcmp(bench->kind, "any") == 0 && (name == any_mutation || name == any_crossover);
}

static void measure(struct bench *bench, enum line line, uint32_t kind, const char *name)
{
    if (!is_wanted(bench, name))
        return;
    printf("%-12s %-18s", line == LINE_CROSSOVER_KIND ? "crossover" : "mutation", name);
    for (int size_class = 0; size_class < bench->size_count; size_class++) {
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

static size_t mean_size(const struct bench *bench, int size_class)
{
    size_t sum = 0;
    for (int i = 0; i < CASES; i++)
        sum += bench->inputs[size_class][i].size;
    return sum / CASES;
}

static void measure_all(struct bench *bench)
{
    printf("microseconds a call: median, mean, 99th percentile; %llu calls, seed %llu\n",
           (unsigned long long)bench->calls, (unsigned long long)bench->seed);
    printf("%-31s", "mean size of the cases");
    for (int size_class = 0; size_class < bench->size_count; size_class++)
        printf(" | %17zu bytes", mean_size(bench, size_class));
    printf("\n");
    measure(bench, LINE_ANY, 0, any_mutation);
    for (uint32_t kind = 0; kind < harness_mutation_kinds(); kind++)
        measure(bench, LINE_KIND, kind, harness_mutation_kind_name(kind));
    measure(bench, LINE_CROSSOVER, 0, any_crossover);
    for (uint32_t kind = 0; kind < harness_crossover_kinds(); kind++)
        measure(bench, LINE_CROSSOVER_KIND, kind, harness_crossover_kind_name(kind));
}

/* --------------------------------------------------------------------------------------------------------- options */

struct request {
    uint32_t calls;
    const char *kind;
    uint64_t seed;
    struct cli_list sizes;
};

static const char about[] =
    "bench_mutate - what a mutation or a crossover of a case costs, from bytes to bytes\n"
    "\n"
    "usage: bench_mutate [options]\n"
    "\n"
    "  bench_mutate                             every kind, cases of about 1, 4 and 16 KiB\n"
    "  bench_mutate --kind any --size 1024      the number that a campaign pays for small cases\n"
    "  bench_mutate --size 1024 --size 32768    other sizes\n"
    "\n"
    "A line is a kind of mutation or crossover, in microseconds a call: median, mean and 99th percentile for\n"
    "each size. 'any' draws as in a campaign: several changes now and then. Calls that find nothing to change are left "
    "out. The machine should be idle.\n";

static const char exits[] = "exit codes: 0 measured, 2 bad options, 4 out of memory or too few cases of some size\n";

static const struct cli_option option_table[] = {
    { "calls", 0, CLI_NUMBER, 1, MOST_CALLS, offsetof(struct request, calls), "N", "calls a line", NULL },
    { "kind", 0, CLI_TEXT, 0, 0, offsetof(struct request, kind), "NAME",
      "only the lines of this name, as the table shows it; any: any mutation, any crossover", NULL },
    { "seed", 's', CLI_LONG, 0, UINT64_MAX, offsetof(struct request, seed), "N", "of the cases and of the changes",
      NULL },
    { "size", 0, CLI_EACH, 1, MOST_SIZES, offsetof(struct request, sizes), "N",
      "bytes of the cases, within a quarter, 64 to 32768; again for more sizes, up to 8", NULL },
};

static const struct request defaults = { .calls = 20000, .seed = 1 };

static const struct cli_program program = {
    .options = { "bench_mutate", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
};

static bool is_kind(const char *name)
{
    if (strcmp(name, "any") == 0 || strcmp(name, any_mutation) == 0 || strcmp(name, any_crossover) == 0)
        return true;
    for (uint32_t kind = 0; kind < harness_mutation_kinds(); kind++)
        if (strcmp(harness_mutation_kind_name(kind), name) == 0)
            return true;
    for (uint32_t kind = 0; kind < harness_crossover_kinds(); kind++)
        if (strcmp(harness_crossover_kind_name(kind), name) == 0)
            return true;
    return false;
}

static bool take_sizes(struct bench *bench, const struct cli_list *sizes)
{
    for (size_t i = 0; i < sizes->count; i++) {
        uint64_t size = 0;
        if (!cli_number(sizes->items[i], LEAST_SIZE, LARGEST_SIZE, &size)) {
            fprintf(stderr, "bench_mutate: --size: '%s' is not a number from %d to %d\n", sizes->items[i], LEAST_SIZE,
                    LARGEST_SIZE);
            return false;
        }
        bench->sizes[bench->size_count++] = size;
    }
    if (bench->size_count == 0) {
        memcpy(bench->sizes, usual_sizes, sizeof usual_sizes);
        bench->size_count = (int)(sizeof usual_sizes / sizeof usual_sizes[0]);
    }
    return true;
}

/* False where all is said: *code is the exit code then. */
static bool parse(struct bench *bench, int argc, char **argv, int *code)
{
    struct request request;
    if (cli_program_parse(&program, argc, argv, &request, code) < 0)
        return false;
    *code = CLI_PROGRAM_USAGE;
    if (request.kind != NULL && !is_kind(request.kind)) {
        fprintf(stderr, "bench_mutate: --kind: '%s' is no kind of mutation or crossover\n", request.kind);
        return false;
    }
    bench->calls = request.calls;
    bench->kind = request.kind;
    bench->seed = request.seed;
    return take_sizes(bench, &request.sizes);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    int code = 0;
    if (!parse(&bench, argc, argv, &code))
        return code;
    bench.mutator = harness_mutator_create();
    bench.test_case = harness_case_create();
    bench.out = malloc(CAPACITY);
    bench.other = malloc(CAPACITY);
    bench.grown = malloc(CAPACITY);
    bench.times = malloc(bench.calls * sizeof *bench.times);
    bool ready = bench.mutator != NULL && bench.test_case != NULL && bench.out != NULL && bench.other != NULL &&
                 bench.grown != NULL && bench.times != NULL;
    for (int s = 0; s < bench.size_count && ready; s++)
        ready = prepare(&bench, s);
    if (ready)
        measure_all(&bench);
    else
        fprintf(stderr, "bench_mutate: out of memory, or too few generated cases of some size\n");
    for (int s = 0; s < bench.size_count; s++)
        for (int i = 0; i < CASES; i++)
            free(bench.inputs[s][i].bytes);
    harness_mutator_destroy(bench.mutator);
    harness_case_destroy(bench.test_case);
    free(bench.out);
    free(bench.other);
    free(bench.grown);
    free(bench.times);
    return ready ? 0 : 4;
}
