/*
 * Pixels per second of both backends on the scenes of bench/scenes.h. Usage: bench_scenes [seconds per measurement]
 * Prints the median of five runs. Speed is shown here, never asserted in a test.
 */
#include "bench/measure.h"
#include "bench/scenes.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    RUNS = 5
};

struct configuration {
    const char *name;
    size_t backend; /* 0 reference, 1 fast */
    const char *isa;
    uint32_t threads;
};

static const struct configuration configurations[] = {
    { "reference", 0, "all", 0 },      { "fast scalar", 1, "scalar", 0 }, { "fast avx2", 1, "avx2", 0 },
    { "fast avx512", 1, "avx512", 0 }, { "fast neon", 1, "neon", 0 },     { "fast, 1 worker more", 1, "all", 1 },
};

/* Draws the scene again and again for about `seconds`; pixels per second. */
static double measure(struct harness_runner *runner, const struct pica_operation *submit, double seconds)
{
    const double start = bench_seconds();
    double elapsed = 0.0;
    uint64_t draws = 0;
    while (elapsed < seconds) {
        if (harness_runner_step(runner, submit) != PICA_OK)
            return 0.0;
        draws++;
        elapsed = bench_seconds() - start;
    }
    return (double)draws * BENCH_LAYERS * BENCH_WIDTH * BENCH_HEIGHT / elapsed;
}

static bool run_configuration(const struct configuration *configuration, const struct harness_program *program,
                              double seconds, double *median)
{
    const struct pica_backend *linked[HARNESS_LINKED_BACKENDS];
    (void)harness_linked_backends(linked, HARNESS_LINKED_BACKENDS);
    struct pica_options options = { .threads = configuration->threads };
    (void)harness_instruction_set(configuration->isa, &options.instruction_sets);
    struct harness_runner *runner = NULL;
    size_t failed = 0;
    if (harness_runner_create(linked[configuration->backend], &options, &runner) != PICA_OK ||
        harness_runner_load(runner, &program->setup) != PICA_OK ||
        harness_runner_run(runner, program->operations, program->count, &failed) != PICA_OK) {
        harness_runner_destroy(runner);
        return false;
    }
    double rates[RUNS];
    for (int i = 0; i < RUNS; i++)
        rates[i] = measure(runner, &program->operations[program->count - 1], seconds);
    *median = bench_median(rates, RUNS);
    harness_runner_destroy(runner);
    return true;
}

static bool available(const struct configuration *configuration)
{
    return strcmp(configuration->isa, "all") == 0 || configuration->backend == 0 ||
           strstr(harness_host_instruction_sets(), configuration->isa) != NULL;
}

static int run_scene(enum bench_scene scene, double seconds)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    struct harness_error error = { "out of memory" };
    int code = 4;
    if (test_case == NULL || program == NULL || !bench_scene_build(test_case, scene) ||
        harness_case_setup(test_case, program, &error) != HARNESS_OK) {
        fprintf(stderr, "bench_scenes: %s\n", error.message);
        goto done;
    }
    printf("%s\n", bench_scene_name(scene));
    double reference = 0.0;
    for (size_t i = 0; i < sizeof configurations / sizeof configurations[0]; i++) {
        double rate = 0.0;
        if (!available(&configurations[i]))
            continue;
        if (!run_configuration(&configurations[i], program, seconds, &rate))
            goto done;
        if (i == 0)
            reference = rate;
        printf("  %-22s %8.2f Mpx/s  %7.1f x reference\n", configurations[i].name, rate * 1e-6, rate / reference);
        fflush(stdout);
    }
    code = 0;
done:
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    return code;
}

int main(int argc, char **argv)
{
    const double seconds = argc > 1 ? strtod(argv[1], NULL) : 0.2;
    printf("400x240 RGBA8 + D24S8, medians of %d runs of %.1f s\n", RUNS, seconds);
    int code = 0;
    for (int scene = 0; scene < BENCH_SCENES && code == 0; scene++)
        code = run_scene((enum bench_scene)scene, seconds);
    return code;
}
