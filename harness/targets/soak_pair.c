/*
 * No engine, no feedback: generated cases by seed, one after another, on `reference` and `fast`.
 * Usage: soak_pair FIRST_SEED COUNT [MODE] [THREADS] [INSTRUCTION_SET]
 *        MODE: mixed (default), defined, anything, raw. Prints a line every ten seconds; stops at the first
 *        difference with exit code 1 and writes soak-SEED.pcase.
 */
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec time = { 0, 0 };
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int report(const struct harness_pair *pair, const struct harness_case *test_case, uint64_t seed)
{
    char path[64];
    struct harness_error error = { "" };
    (void)snprintf(path, sizeof path, "soak-%llu.pcase", (unsigned long long)seed);
    if (harness_case_save_file(test_case, path, &error) != HARNESS_OK)
        fprintf(stderr, "soak_pair: %s\n", error.message);
    printf("seed %llu: reference and fast differ; the case is in %s\n%s", (unsigned long long)seed, path,
           harness_pair_message(pair));
    return 1;
}

static int soak(struct harness_pair *pair, struct harness_case *test_case, uint64_t first, uint64_t count,
                const struct harness_generate_options *options)
{
    const double start = seconds_now();
    double next = 10.0;
    for (uint64_t i = 0; i < count; i++) {
        harness_case_reset(test_case);
        harness_generate(test_case, first + i, options);
        const enum harness_outcome outcome = harness_pair_run_case(pair, test_case);
        if (outcome == HARNESS_DIFFERENT)
            return report(pair, test_case, first + i);
        if (outcome == HARNESS_HOST_TROUBLE) {
            fprintf(stderr, "soak_pair: seed %llu: out of memory\n", (unsigned long long)(first + i));
            return 4;
        }
        const double elapsed = seconds_now() - start;
        if (elapsed >= next) {
            next = elapsed + 10.0;
            fprintf(stderr, "%8.0f s  %10llu cases  %6.0f/s\n", elapsed, (unsigned long long)(i + 1),
                    (double)(i + 1) / elapsed);
        }
    }
    printf("%llu generated cases from seed %llu: no difference\n", (unsigned long long)count,
           (unsigned long long)first);
    return 0;
}

int main(int argc, char **argv)
{
    struct harness_generate_options options = { .mode = HARNESS_GENERATE_MIXED };
    struct harness_pair_options pair_options = { .instruction_sets = UINT32_MAX };
    if (argc < 3 || (argc > 3 && !harness_generate_mode_by_name(argv[3], &options.mode)) ||
        (argc > 5 && !harness_instruction_set(argv[5], &pair_options.instruction_sets))) {
        fprintf(stderr, "usage: soak_pair FIRST_SEED COUNT [mixed|defined|anything|raw] [THREADS] [INSTRUCTION_SET]\n");
        return 2;
    }
    if (argc > 4)
        pair_options.threads = (uint32_t)strtoul(argv[4], NULL, 10);
    struct harness_pair *const pair = harness_pair_create(&pair_options);
    struct harness_case *const test_case = harness_case_create();
    int code = 4;
    if (pair != NULL && test_case != NULL)
        code = soak(pair, test_case, strtoull(argv[1], NULL, 0), strtoull(argv[2], NULL, 0), &options);
    else
        fprintf(stderr, "soak_pair: out of memory\n");
    harness_case_destroy(test_case);
    harness_pair_destroy(pair);
    return code;
}
