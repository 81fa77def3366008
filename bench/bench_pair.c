/*
 * Differential executions per second on generated cases, and what share of a case's time goes to decoding, reset, each
 * backend and comparing. Usage: bench_pair [seconds] [seed]
 */
#include "bench/measure.h"
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/run/pair.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    CASES = 2000,
    CAPACITY = 1 << 16
};

struct input {
    uint8_t *bytes;
    size_t size;
};

/* Encoded generated cases, so that generation is not measured. */
static size_t prepare(struct input *inputs, uint64_t seed)
{
    static const struct harness_generate_options options = { 0 };
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const buffer = malloc(CAPACITY);
    size_t count = 0;
    for (uint64_t i = 0; test_case != NULL && buffer != NULL && i < CASES; i++) {
        size_t size = 0;
        harness_case_reset(test_case);
        harness_generate(test_case, seed + i, &options);
        if (harness_pcb_encode(test_case, buffer, CAPACITY, &size, NULL) != HARNESS_OK)
            continue;
        inputs[count].bytes = malloc(size);
        if (inputs[count].bytes == NULL)
            break;
        for (size_t k = 0; k < size; k++)
            inputs[count].bytes[k] = buffer[k];
        inputs[count++].size = size;
    }
    free(buffer);
    harness_case_destroy(test_case);
    return count;
}

static void print_shares(const struct harness_pair_statistics *s)
{
    const double total = (double)(s->decode_ns + s->reset_ns + s->reference_ns + s->fast_ns + s->compare_ns);
    const struct {
        const char *name;
        uint64_t ns;
    } shares[] = { { "decode", s->decode_ns },
                   { "reset", s->reset_ns },
                   { "reference", s->reference_ns },
                   { "fast", s->fast_ns },
                   { "compare", s->compare_ns } };
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++)
        printf("  %-10s %8.1f us a case  %5.1f %%\n", shares[i].name,
               (double)shares[i].ns / 1000.0 / (double)s->executions, 100.0 * (double)shares[i].ns / total);
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 5.0;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    static struct input inputs[CASES];
    const size_t count = prepare(inputs, seed);
    struct harness_pair_statistics statistics = { 0 };
    const struct harness_pair_options options = { .instruction_sets = UINT32_MAX,
                                                  .measure = true,
                                                  .statistics = &statistics };
    struct harness_pair *const pair = harness_pair_create(&options);
    if (count == 0 || pair == NULL) {
        fprintf(stderr, "bench_pair: out of memory\n");
        return 4;
    }
    size_t bytes = 0, different = 0;
    for (size_t i = 0; i < count; i++)
        bytes += inputs[i].size;
    const double start = bench_seconds();
    for (size_t i = 0; bench_seconds() - start < seconds; i = (i + 1) % count)
        different += harness_pair_run(pair, inputs[i].bytes, inputs[i].size) == HARNESS_DIFFERENT;
    const double elapsed = bench_seconds() - start;
    printf("generated mix: %zu cases of %zu bytes on average (seed %llu), %.1f s\n", count, bytes / count,
           (unsigned long long)seed, elapsed);
    printf("  %.0f pair executions/s, %zu differences\n", (double)statistics.executions / elapsed, different);
    print_shares(&statistics);
    harness_pair_destroy(pair);
    for (size_t i = 0; i < count; i++)
        free(inputs[i].bytes);
    return different == 0 ? 0 : 1;
}
