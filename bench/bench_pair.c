/*
 * Differential executions per second and core on generated cases (processor time), how the cost is spread over the
 * cases, and what share of it goes to decoding, reset, each backend and comparing. In the presets `fuzz` and `asan` it
 * measures what a campaign pays there. Usage: bench_pair [seconds] [seed] [mixed|defined|anything|raw] [worst cases]
 */
#include "bench/measure.h"
#include "bench/options.h"
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
    uint64_t seed;
    double seconds; /* of its quickest run */
};

/* Encoded generated cases, so that generation is not measured. */
static size_t prepare(struct input *inputs, uint64_t seed, const struct harness_generate_options *options)
{
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const buffer = malloc(CAPACITY);
    size_t count = 0;
    for (uint64_t i = 0; test_case != NULL && buffer != NULL && i < CASES; i++) {
        size_t size = 0;
        harness_case_reset(test_case);
        harness_generate(test_case, seed + i, options);
        if (harness_pcb_encode(test_case, buffer, CAPACITY, &size, NULL) != HARNESS_OK)
            continue;
        inputs[count].bytes = malloc(size);
        if (inputs[count].bytes == NULL)
            break;
        for (size_t k = 0; k < size; k++)
            inputs[count].bytes[k] = buffer[k];
        inputs[count].seed = seed + i;
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

static int by_seconds(const void *a, const void *b)
{
    const struct input *const x = a;
    const struct input *const y = b;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* Sorts the inputs by cost. Those that were never run cost 0. */
static void print_spread(struct input *inputs, size_t count, size_t worst)
{
    double total = 0.0;
    double late = 0.0;
    qsort(inputs, count, sizeof *inputs, by_seconds);
    for (size_t i = 0; i < count; i++) {
        total += inputs[i].seconds;
        late += i >= count - count / 100 ? inputs[i].seconds : 0.0;
    }
    printf("  a case: mean %.0f us, median %.0f, 90 %% below %.0f, 99 %% below %.0f, most %.0f; the slowest 1 %% take "
           "%.0f %% of the time\n",
           total / (double)count * 1e6, inputs[count / 2].seconds * 1e6, inputs[count * 9 / 10].seconds * 1e6,
           inputs[count * 99 / 100].seconds * 1e6, inputs[count - 1].seconds * 1e6,
           total > 0.0 ? 100.0 * late / total : 0.0);
    for (size_t i = 0; i < worst && i < count; i++)
        printf("  seed %llu: %.0f us\n", (unsigned long long)inputs[count - 1 - i].seed,
               inputs[count - 1 - i].seconds * 1e6);
}

static void run_all(struct harness_pair *pair, struct input *inputs, size_t count, double seconds, size_t *different)
{
    const double start = bench_cpu_seconds();
    double before = start;
    for (size_t i = 0; before - start < seconds; i = (i + 1) % count) {
        *different += harness_pair_run(pair, inputs[i].bytes, inputs[i].size) == HARNESS_DIFFERENT;
        const double after = bench_cpu_seconds();
        if (inputs[i].seconds <= 0.0 || after - before < inputs[i].seconds)
            inputs[i].seconds = after - before;
        before = after;
    }
}

static int bench(const struct harness_generate_options *mode, double seconds, uint64_t seed, size_t worst)
{
    static struct input inputs[CASES];
    const size_t count = prepare(inputs, seed, mode);
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
    const double start = bench_cpu_seconds();
    run_all(pair, inputs, count, seconds, &different);
    const double elapsed = bench_cpu_seconds() - start;
    printf("generated mix: %zu cases of %zu bytes on average (seed %llu), %.1f s of processor time\n", count,
           bytes / count, (unsigned long long)seed, elapsed);
    printf("  %.0f pair executions/s/core, %zu differences\n", (double)statistics.executions / elapsed, different);
    print_shares(&statistics);
    print_spread(inputs, count, worst);
    harness_pair_destroy(pair);
    for (size_t i = 0; i < count; i++)
        free(inputs[i].bytes);
    return different == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct harness_generate_options mode = { .mode = HARNESS_GENERATE_MIXED };
    double seconds = 5.0;
    uint64_t seed = 1, worst = 0;
    if (argc > 5 ||
        (argc > 1 && !bench_option_seconds((struct bench_option){ "bench_pair", "seconds" }, argv[1], &seconds)) ||
        (argc > 2 &&
         !bench_option_number((struct bench_option){ "bench_pair", "seed" }, argv[2], 0, UINT64_MAX, &seed)) ||
        (argc > 3 && !harness_generate_mode_by_name(argv[3], &mode.mode)) ||
        (argc > 4 &&
         !bench_option_number((struct bench_option){ "bench_pair", "worst cases" }, argv[4], 0, CASES, &worst))) {
        fprintf(stderr, "usage: bench_pair [seconds] [seed] [mixed|defined|anything|raw] [worst cases]\n");
        return 2;
    }
    return bench(&mode, seconds, seed, (size_t)worst);
}
