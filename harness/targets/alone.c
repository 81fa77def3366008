#include "harness/targets/alone.h"

#include "harness/case/formats.h"
#include "harness/run/backends.h"
#include "harness/run/pair.h"
#include "harness/targets/target.h"

#include <stdio.h>

/* A process serves one engine, whose interface has no parameter for this state. */
static struct {
    struct harness_checker *checkers[HARNESS_LINKED_BACKENDS];
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_check_result result;
} alone;

static __attribute__((noinline)) void property_does_not_hold(size_t backend)
{
    const struct oracle_report *const report = &alone.result.report;
    fprintf(stderr, "picafuzz: %s: %s does not hold\n%s", harness_linked_backend(backend)->name, report->oracle,
            report->message);
    __builtin_trap();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    const struct harness_check_options options = { .backend = { .instruction_sets = UINT32_MAX } };
    alone.test_case = harness_case_create();
    alone.program = harness_program_create();
    bool good = alone.test_case != NULL && alone.program != NULL;
    for (size_t i = 0; i < HARNESS_LINKED_BACKENDS && good; i++) {
        alone.checkers[i] = harness_checker_create(harness_linked_backend(i), &options);
        good = alone.checkers[i] != NULL;
    }
    if (!good)
        target_cannot_begin("");
    return 0;
}

/* FNV-1a, with the upper half folded in. It decides what an input exercises, so that the same input always does the
 * same. */
static uint64_t hash(const uint8_t *bytes, size_t size)
{
    uint64_t value = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++)
        value = (value ^ bytes[i]) * UINT64_C(0x100000001B3);
    return value ^ (value >> 32);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct harness_error error = { "" };
    const struct alone_choice choice = alone_choice();
    const uint64_t seed = hash(data, size);
    const size_t backend = (size_t)(seed % HARNESS_LINKED_BACKENDS);
    harness_case_reset(alone.test_case);
    if (!harness_pcb_decode(alone.test_case, data, size))
        return 0;
    harness_bound_case(alone.test_case);
    if (harness_case_setup(alone.test_case, alone.program, &error) != HARNESS_OK)
        return 0;
    size_t applied = 0;
    for (size_t i = 0; i < choice.count && applied < choice.most; i++) {
        const size_t check = choice.first + (size_t)((seed / HARNESS_LINKED_BACKENDS + i) % choice.count);
        if (harness_check(alone.checkers[backend], alone.program, check, seed, &alone.result) != HARNESS_OK)
            return 0;
        applied += alone.result.places != 0;
        if (alone.result.report.verdict >= ORACLE_DIVERGE)
            property_does_not_hold(backend);
    }
    return 0;
}
