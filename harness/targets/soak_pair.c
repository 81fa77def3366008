/* No engine, no feedback: generated cases by seed, one after another, on `reference` and `fast`. */
#include "harness/cli/options.h"
#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/random.h"
#include "harness/run/backends.h"
#include "harness/run/pair.h"

#include <stdbool.h>
#include <stdio.h>
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

struct request {
    struct harness_generate_options generate;
    struct harness_pair_options pair;
    bool work;
};

/* CMD-23: any number of digits, so that some cases end at once, some in the middle and some not at all. */
static uint32_t draw_work(uint64_t seed)
{
    struct harness_random random;
    harness_random_init(&random, seed);
    return harness_random_between(&random, 1, UINT32_C(1) << harness_random_between(&random, 1, 18));
}

static int soak(struct harness_pair *pair, struct harness_case *test_case, uint64_t first, uint64_t count,
                const struct request *request)
{
    const double start = seconds_now();
    double next = 10.0;
    for (uint64_t i = 0; i < count; i++) {
        harness_case_reset(test_case);
        harness_generate(test_case, first + i, &request->generate);
        if (request->work)
            test_case->work = draw_work(first + i);
        const enum harness_outcome outcome = harness_pair_run_case(pair, test_case);
        if (outcome == HARNESS_DIVERGE)
            return report(pair, test_case, first + i);
        if (outcome == HARNESS_TROUBLE) {
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

static const char about[] =
    "soak_pair - generated cases by seed on reference and fast, until they differ\n"
    "\n"
    "usage: soak_pair [options] FIRST_SEED COUNT\n"
    "\n"
    "  soak_pair 1 100000                             seeds 1 to 100000\n"
    "  soak_pair --mode defined --threads 2 1 100000  cases that the specification decides throughout\n"
    "  soak_pair --isa scalar 1 100000                fast without SIMD\n"
    "  soak_pair --capacity 5 1 100000                fast with queues and caches that are full at once\n"
    "  soak_pair --work 1 100000                      LIM_WORK ends many of the cases somewhere (CMD-23)\n"
    "\n"
    "Prints a line every ten seconds. The first difference ends it: what differs is printed, and the case\n"
    "is in soak-SEED.pcase. No engine, no feedback: for that there is `picafuzz fuzz`.\n";

static const char exits[] = "exit codes: 0 no difference, 1 a difference, 2 usage, 4 host trouble\n";

static const struct cli_choices instruction_sets = { "all, scalar, avx2, avx512, neon", harness_instruction_set };
static const struct cli_choices modes = { "mixed, defined, anything, raw", NULL };

static const struct cli_option option_table[] = {
    { "mode", 'm', CLI_CHOICE, 0, 0, offsetof(struct request, generate.mode), "MODE",
      "of the cases, as in `picafuzz generate`", &modes },
    { "threads", 0, CLI_NUMBER, 0, 64, offsetof(struct request, pair.threads), "N", "worker threads of fast", NULL },
    { "capacity", 0, CLI_NUMBER, 0, 1 << 16, offsetof(struct request, pair.capacity), "N",
      "entries of each queue and cache of a backend, at most; 0 = as it likes", NULL },
    { "isa", 0, CLI_CHOICE, 0, 0, offsetof(struct request, pair.instruction_sets), "NAME", "instruction sets of fast",
      &instruction_sets },
    { "work", 0, CLI_FLAG, 0, 0, offsetof(struct request, work), NULL, "each case has a LIM_WORK of its seed", NULL },
};

static const struct request defaults = { .generate = { .mode = HARNESS_GENERATE_MIXED },
                                         .pair = { .instruction_sets = UINT32_MAX } };

static const struct cli_program program = {
    .options = { "soak_pair", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .least_words = 2,
    .most_words = 2,
};

int main(int argc, char **argv)
{
    struct request request;
    uint64_t seed = 0, count = 0;
    int code = 0;
    const int first = cli_program_parse(&program, argc, argv, &request, &code);
    if (first < 0)
        return code;
    if (!cli_number(argv[first], 0, UINT64_MAX, &seed) || !cli_number(argv[first + 1], 0, UINT64_MAX, &count)) {
        fprintf(stderr, "soak_pair: '%s %s' is not a seed and a count; see `soak_pair --help`\n", argv[first],
                argv[first + 1]);
        return CLI_PROGRAM_USAGE;
    }
    struct harness_pair *const pair = harness_pair_create(&request.pair);
    struct harness_case *const test_case = harness_case_create();
    code = 4;
    if (pair != NULL && test_case != NULL)
        code = soak(pair, test_case, seed, count, &request);
    else
        fprintf(stderr, "soak_pair: out of memory\n");
    harness_case_destroy(test_case);
    harness_pair_destroy(pair);
    return code;
}
