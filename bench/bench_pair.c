/* Differential executions per second and core on generated cases, and where their time goes. */
#include "bench/measure.h"
#include "harness/case/formats.h"
#include "harness/cli/options.h"
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
    const double total = (double)(s->decode_ns + s->reset_ns + s->first_ns + s->others_ns + s->compare_ns);
    const struct {
        const char *name;
        uint64_t ns;
    } shares[] = { { "decode", s->decode_ns },
                   { "reset", s->reset_ns },
                   { "reference", s->first_ns },
                   { "fast", s->others_ns },
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

struct request {
    double seconds;
    uint64_t seed;
    struct harness_generate_options mode;
    uint32_t worst;
};

static int bench(const struct request *request)
{
    static struct input inputs[CASES];
    const size_t count = prepare(inputs, request->seed, &request->mode);
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
    run_all(pair, inputs, count, request->seconds, &different);
    const double elapsed = bench_cpu_seconds() - start;
    printf("generated mix: %zu cases of %zu bytes on average (seed %llu), %.1f s of processor time\n", count,
           bytes / count, (unsigned long long)request->seed, elapsed);
    printf("  %.0f pair executions/s/core, %zu differences\n", (double)statistics.executions / elapsed, different);
    print_shares(&statistics);
    print_spread(inputs, count, request->worst);
    harness_pair_destroy(pair);
    for (size_t i = 0; i < count; i++)
        free(inputs[i].bytes);
    return different == 0 ? 0 : 1;
}

/* --------------------------------------------------------------------------------------------------------- options */

static const char about[] =
    "bench_pair - differential executions per second and core on generated cases\n"
    "\n"
    "usage: bench_pair [options]\n"
    "\n"
    "  bench_pair                                  2000 cases, again and again for five seconds\n"
    "  bench_pair --seconds 20 --worst 5           a steadier number; which five cases cost most\n"
    "  bench_pair --mode defined --seed 7000       other cases\n"
    "  build/asan/bin/bench_pair                   what a campaign pays in that preset; fuzz has one, too\n"
    "\n"
    "Prints executions a second, what share of them goes to decoding, reset, each backend and comparing, and\n"
    "how the cost is spread over the cases. Time is processor time; on a busy machine it counts all the same,\n"
    "but take the best of several runs.\n";

static const char exits[] = "exit codes: 0 measured, 1 the backends differ, 2 usage, 4 host trouble\n";

static const struct cli_choices modes = { "mixed, defined, anything, raw", NULL };

static const struct cli_option option_table[] = {
    { "seconds", 0, CLI_TIME, 0, 86400, offsetof(struct request, seconds), "S", "measure for so long", NULL },
    { "seed", 's', CLI_LONG, 0, UINT64_MAX, offsetof(struct request, seed), "N", "of the first case", NULL },
    { "mode", 'm', CLI_CHOICE, 0, 0, offsetof(struct request, mode.mode), "MODE",
      "of the cases, as in `picafuzz generate`", &modes },
    { "worst", 0, CLI_NUMBER, 0, CASES, offsetof(struct request, worst), "N",
      "print the seeds of so many of the slowest", NULL },
};

static const struct request defaults = { .seconds = 5.0, .seed = 1, .mode = { .mode = HARNESS_GENERATE_MIXED } };

static const struct cli_program program = {
    .options = { "bench_pair", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
};

int main(int argc, char **argv)
{
    struct request request;
    int code = 0;
    return cli_program_parse(&program, argc, argv, &request, &code) < 0 ? code : bench(&request);
}
