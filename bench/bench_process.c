/* What a process of its own costs a backend: generated cases in this process and in another, by turns. */
#include "harness/cli/options.h"
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SIDES = 2,
    MOST_CASES = 100000
};

struct request {
    struct cli_seeds cases;
    const char *backend;
};

struct side {
    struct harness_backend backend;
    struct harness_runner *runner;
    double *seconds; /* of each case, wall time */
};

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool open_side(struct side *side, const char *prefix, const struct request *request)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_error error = { "" };
    char name[4096];
    (void)snprintf(name, sizeof name, "%s%s", prefix, request->backend);
    if (harness_backend_open(name, &side->backend, &error) != HARNESS_OK) {
        fprintf(stderr, "bench_process: %s\n", error.message);
        return false;
    }
    side->seconds = calloc(request->cases.count, sizeof *side->seconds);
    return side->seconds != NULL && harness_runner_create(side->backend.backend, &options, &side->runner) == PICA_OK;
}

static void close_side(struct side *side)
{
    if (side->runner != NULL)
        harness_runner_destroy(side->runner);
    harness_backend_close(&side->backend);
    free(side->seconds);
}

/* Load, all operations, everything that is compared. */
static double run(struct side *side, const struct harness_program *program)
{
    struct oracle_run result;
    const double start = now();
    if (harness_runner_run_case(side->runner, &program->setup, program->operations, program->count) != PICA_OK ||
        harness_runner_collect(side->runner, &result) != PICA_OK)
        return -1.0;
    return now() - start;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

/* Each case on both sides one after the other; the number of cases that both ran. */
static size_t measure(struct side sides[SIDES], const struct request *request, double *extra)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    size_t count = 0;
    for (uint64_t i = 0; test_case != NULL && program != NULL && i < request->cases.count; i++) {
        struct harness_error error;
        harness_case_reset(test_case);
        harness_generate(test_case, request->cases.first + i, NULL);
        if (harness_case_setup(test_case, program, &error) != HARNESS_OK)
            continue;
        const double here = run(&sides[0], program), there = run(&sides[1], program);
        if (here < 0.0 || there < 0.0)
            continue;
        sides[0].seconds[count] = here;
        sides[1].seconds[count] = there;
        extra[count++] = there - here;
    }
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    return count;
}

static int bench(const struct request *request)
{
    struct side sides[SIDES] = { { .runner = NULL }, { .runner = NULL } };
    double *const extra = calloc(request->cases.count, sizeof *extra);
    int code = 4;
    if (extra != NULL && open_side(&sides[0], "inline:", request) && open_side(&sides[1], "process:", request)) {
        const size_t count = measure(sides, request, extra);
        code = count != 0 ? 0 : 4;
        if (count != 0)
            printf("%s, %zu generated cases, medians: %.1f us here, %.1f us in a process of its own, %.1f us more a "
                   "case (90th percentile %.1f)\n",
                   request->backend, count, median(sides[0].seconds, count) * 1e6,
                   median(sides[1].seconds, count) * 1e6, median(extra, count) * 1e6, extra[count * 9 / 10] * 1e6);
    }
    close_side(&sides[0]);
    close_side(&sides[1]);
    free(extra);
    return code;
}

/* --------------------------------------------------------------------------------------------------------- options */

static const char about[] =
    "bench_process - what a process of its own costs a backend\n"
    "\n"
    "usage: bench_process [options]\n"
    "\n"
    "  bench_process                                  fast, 2000 generated cases\n"
    "  bench_process -b ./libmygpu.so                 a plug-in\n"
    "\n"
    "Each case runs in this process and in another, one right after the other: load, all operations, reading\n"
    "memory and state. Times are wall time; run it on a machine that does nothing else.\n";

static const char exits[] = "exit codes: 0 measured, 2 usage, 4 host trouble\n";

static const struct cli_option option_table[] = {
    { "backend", 'b', CLI_BACKEND, 0, 0, offsetof(struct request, backend), "NAME",
      "reference, fast, or the path of a shared library", NULL },
    { "cases", 0, CLI_SEEDS, 1, MOST_CASES, offsetof(struct request, cases), "FIRST COUNT", "seeds of the cases",
      NULL },
};

static const struct request defaults = { .cases = { 1, 2000 }, .backend = "fast" };

static const struct cli_program program = {
    .options = { "bench_process", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
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
