/*
 * The most expensive case under a campaign's budgets, by climbing: cases are mutated, spliced and kept if they cost
 * more. What an engine would run into within days by chance is looked for here on purpose.
 */
#include "bench/measure.h"
#include "harness/case/formats.h"
#include "harness/cli/options.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/mutate.h"
#include "harness/grammar/random.h"
#include "harness/run/load.h"
#include "harness/run/pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEPT = 24,            /* the most expensive cases so far, which the next ones are made of */
    GENERATED_SHARE = 10, /* percent of the time for cases that are not made of others */
    CHANGES = 3,          /* of one step, at most */
    SPLICED = 15,         /* percent of the steps that put two cases together */
    RUNS = 3              /* the quickest counts: the others were disturbed */
};

struct candidate {
    uint8_t bytes[HARNESS_MAX_INPUT];
    size_t size;
    double seconds; /* processor time of both backends together */
};

struct search {
    struct harness_pair *pair;
    struct harness_mutator *mutator;
    struct harness_case *test_case;
    struct harness_random random;
    struct candidate kept[KEPT]; /* any order */
    struct candidate next;
    uint64_t steps, different;
};

struct request {
    double seconds;
    uint64_t seed;
    double most; /* milliseconds; 0: any */
    const char *output;
};

static size_t find(const struct search *search, bool most)
{
    size_t found = 0;
    for (size_t i = 1; i < KEPT; i++)
        if (most ? search->kept[i].seconds > search->kept[found].seconds
                 : search->kept[i].seconds < search->kept[found].seconds)
            found = i;
    return found;
}

static bool differs(struct search *search, const struct candidate *candidate)
{
    harness_case_reset(search->test_case);
    return harness_pcb_decode(search->test_case, candidate->bytes, candidate->size) &&
           harness_pair_try(search->pair, search->test_case) == HARNESS_DIVERGE;
}

static double cost_once(struct search *search)
{
    const double start = bench_cpu_seconds();
    search->different += differs(search, &search->next);
    return bench_cpu_seconds() - start;
}

/* Keeps the next case instead of the cheapest, if it costs more; one that may is run again. */
static void judge(struct search *search)
{
    struct candidate *const cheapest = &search->kept[find(search, false)];
    double seconds = cost_once(search);
    for (int i = 1; i < RUNS && seconds > cheapest->seconds; i++) {
        const double again = cost_once(search);
        seconds = again < seconds ? again : seconds;
    }
    search->steps++;
    search->next.seconds = seconds;
    if (seconds > cheapest->seconds)
        *cheapest = search->next;
}

static void generate(struct search *search, uint64_t seed)
{
    struct harness_generate_options options = { .mode = HARNESS_GENERATE_MIXED };
    if (seed % 2 != 0)
        options.mode = HARNESS_GENERATE_ANYTHING;
    harness_generate(search->test_case, seed, &options);
    if (harness_pcb_encode(search->test_case, search->next.bytes, sizeof search->next.bytes, &search->next.size,
                           NULL) == HARNESS_OK)
        judge(search);
}

static void change(struct search *search)
{
    const struct candidate *const one = &search->kept[harness_random_below(&search->random, KEPT)];
    const struct candidate *const other = &search->kept[harness_random_below(&search->random, KEPT)];
    struct candidate *const next = &search->next;
    memcpy(next->bytes, one->bytes, one->size);
    next->size = one->size;
    if (harness_random_percent(&search->random, SPLICED))
        next->size = harness_crossover(search->mutator, one->bytes, one->size, other->bytes, other->size, next->bytes,
                                       sizeof next->bytes, harness_random_next(&search->random));
    const uint32_t changes = 1 + harness_random_below(&search->random, CHANGES);
    for (uint32_t i = 0; i < changes; i++)
        next->size = harness_mutate(search->mutator, next->bytes, next->size, sizeof next->bytes,
                                    harness_random_next(&search->random), NULL);
    judge(search);
}

static void say(const struct search *search, double elapsed)
{
    printf("%4.0f s  %8llu cases  worst %7.2f ms, %zuth %7.2f ms\n", elapsed, (unsigned long long)search->steps,
           1000.0 * search->kept[find(search, true)].seconds, (size_t)KEPT,
           1000.0 * search->kept[find(search, false)].seconds);
    (void)fflush(stdout);
}

static void climb(struct search *search, const struct request *request)
{
    const double start = bench_cpu_seconds();
    double elapsed = 0.0, said = request->seconds / 10.0;
    for (uint64_t i = 0; elapsed < request->seconds; i++) {
        if (elapsed * 100.0 < request->seconds * (double)GENERATED_SHARE)
            generate(search, request->seed + i);
        else
            change(search);
        elapsed = bench_cpu_seconds() - start;
        if (elapsed >= said) {
            say(search, elapsed);
            said += request->seconds / 10.0;
        }
    }
}

/* Cases to begin with, beside generated ones. */
static bool add_files(struct search *search, char **files, int count)
{
    struct harness_error error = { "" };
    for (int i = 0; i < count; i++) {
        if (harness_load_input(files[i], search->next.bytes, &search->next.size, &error) != HARNESS_OK) {
            fprintf(stderr, "bench_worst: %s: %s\n", files[i], error.message);
            return false;
        }
        judge(search);
    }
    return true;
}

/* Once more, to say whose time it is, and in the form that it ran in. */
static enum harness_status tell(struct search *search, struct harness_pair_statistics *statistics, const char *output)
{
    struct harness_error error = { "" };
    const struct candidate *const worst = &search->kept[find(search, true)];
    memset(statistics, 0, sizeof *statistics);
    (void)differs(search, worst);
    printf("the worst of %llu cases: %.2f ms of processor time, %zu bytes; once more by the clock: decode %.2f, reset "
           "%.2f, reference %.2f, fast %.2f, compare %.2f ms\n",
           (unsigned long long)search->steps, 1000.0 * worst->seconds, worst->size,
           (double)statistics->decode_ns * 1e-6, (double)statistics->reset_ns * 1e-6,
           (double)statistics->first_ns * 1e-6, (double)statistics->others_ns * 1e-6,
           (double)statistics->compare_ns * 1e-6);
    if (output == NULL)
        return HARNESS_OK;
    harness_case_reset(search->test_case);
    (void)harness_pcb_decode(search->test_case, worst->bytes, worst->size);
    harness_bound_case(search->test_case);
    const enum harness_status status = harness_case_save_file(search->test_case, output, &error);
    if (status != HARNESS_OK)
        fprintf(stderr, "bench_worst: %s\n", error.message);
    return status;
}

static int bench(const struct request *request, char **files, int count)
{
    struct harness_pair_statistics statistics = { 0 };
    const struct harness_pair_options options = { .instruction_sets = UINT32_MAX,
                                                  .measure = true,
                                                  .statistics = &statistics };
    struct search *const search = calloc(1, sizeof *search);
    int code = 4;
    if (search == NULL)
        return code;
    search->pair = harness_pair_create(&options);
    search->mutator = harness_mutator_create();
    search->test_case = harness_case_create();
    harness_random_init(&search->random, request->seed);
    if (search->pair == NULL || search->mutator == NULL || search->test_case == NULL) {
        fprintf(stderr, "bench_worst: out of memory\n");
    } else if (add_files(search, files, count)) {
        climb(search, request);
        const double worst = 1000.0 * search->kept[find(search, true)].seconds;
        if (tell(search, &statistics, request->output) == HARNESS_OK)
            code = search->different != 0 || (request->most > 0.0 && worst > request->most);
    }
    harness_case_destroy(search->test_case);
    harness_mutator_destroy(search->mutator);
    harness_pair_destroy(search->pair);
    free(search);
    return code;
}

/* --------------------------------------------------------------------------------------------------------- options */

static const char about[] =
    "bench_worst - the most expensive case under a campaign's budgets\n"
    "\n"
    "usage: bench_worst [options] [CASE...]\n"
    "\n"
    "  bench_worst                               climbs for a minute of processor time\n"
    "  bench_worst --seconds 600 -o worst.pcase  longer, and keeps the case\n"
    "  bench_worst --at-most 50 worst.pcase      goes on from there; exit code 1 above 50 ms\n"
    "\n"
    "Generates cases, mutates and splices the most expensive ones, and keeps what costs more: processor time\n"
    "of both backends together, the quickest of three runs. Budgets and sizes are those of the fuzz targets.\n";

static const char exits[] =
    "exit codes: 0 measured, 1 above --at-most, or the backends differ, 2 usage, 4 host trouble\n";

static const struct cli_option option_table[] = {
    { "seconds", 0, CLI_TIME, 0, 86400, offsetof(struct request, seconds), "S", "of processor time", NULL },
    { "seed", 's', CLI_LONG, 0, UINT64_MAX, offsetof(struct request, seed), "N", "of cases and changes", NULL },
    { "at-most", 0, CLI_TIME, 0, 86400, offsetof(struct request, most), "MS", "what no case may cost; 0 = anything",
      NULL },
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct request, output), "FILE", "the most expensive case", NULL },
};

static const struct request defaults = { .seconds = 60.0, .seed = 1 };

static const struct cli_program program = {
    .options = { "bench_worst", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .most_words = 1000,
};

int main(int argc, char **argv)
{
    struct request request;
    int code = 0;
    const int first = cli_program_parse(&program, argc, argv, &request, &code);
    return first < 0 ? code : bench(&request, argv + first, argc - first);
}
