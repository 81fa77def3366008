/*
 * Fuzz target of the bug bench: `reference` and the library that PICAFUZZ_BUG names give the same bits for every case.
 * Like a campaign against somebody's emulator: the emulator is a plug-in, and only the reference is instrumented.
 * Engines minimise with it too.
 */
#include "harness/case/formats.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"
#include "harness/run/pair.h"
#include "harness/targets/feedback.h"
#include "harness/targets/target.h"

#include <stdio.h>
#include <stdlib.h>

/* A target's process has one pair; the engines' interface leaves no other place for it. */
static struct {
    struct harness_backend backends[2];
    struct harness_runner *runners[2];
    struct harness_case *test_case;
    struct harness_program *program;
    struct feedback *feedback; /* NULL: none */
} bench;

static bool open_bench(const char *library, struct harness_error *error)
{
    const char *const names[2] = { "reference", library };
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    bench.test_case = harness_case_create();
    bench.program = harness_program_create();
    for (int i = 0; i < 2; i++)
        if (harness_backend_open_here(names[i], &bench.backends[i], error) != HARNESS_OK ||
            harness_runner_create(bench.backends[i].backend, &options, &bench.runners[i]) != PICA_OK)
            return false;
    return bench.test_case != NULL && bench.program != NULL;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct harness_error error = { "" };
    const char *const library = getenv("PICAFUZZ_BUG");
    (void)argc;
    (void)argv;
    if (library != NULL && open_bench(library, &error)) {
        bench.feedback = feedback_create(bench.runners[0], feedback_level_of_environment());
        return 0;
    }
    fprintf(stderr, "fuzz_bug: PICAFUZZ_BUG must name a library of bugs/: %s\n", error.message);
    exit(1);
}

static __attribute__((noinline)) void backends_differ(void)
{
    __builtin_trap();
}

/* Without a verdict, for lack of memory, they count as equal. */
static bool differ(const uint8_t *data, size_t size)
{
    const struct harness_compare_options options = { .every_operation = false };
    struct harness_comparison comparison;
    if (!harness_pcb_decode(bench.test_case, data, size))
        return false;
    harness_bound_case(bench.test_case);
    return harness_case_setup(bench.test_case, bench.program, NULL) == HARNESS_OK &&
           harness_compare(bench.runners, 2, bench.program, &options, &comparison, NULL) == HARNESS_OK &&
           comparison.report.verdict == ORACLE_DIVERGE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    feedback_begin(bench.feedback);
    const bool found = differ(data, size);
    feedback_end(bench.feedback);
    if (found)
        backends_differ();
    return 0;
}
