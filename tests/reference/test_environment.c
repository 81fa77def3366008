/*
 * The reference computes alike in whatever floating-point environment it is called (GEN-01, FLT-01), and leaves the
 * caller's as it was: a plug-in, or an emulator around us, may round another way, flush subnormals or trap.
 */
#include "harness/grammar/gen.h"
#include "harness/run/compare.h"
#include "harness/run/load.h"
#include "reference/reference.h"
#include "tests/corpus/files.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <stdio.h>

enum {
    GENERATED = 100,
    LEAST_FILES = 100
};

/* How the caller's thread computes while it calls. */
struct habit {
    const char *name;
    int rounding;
    uint32_t set, cleared; /* bits of MXCSR, where there is one */
};

static const struct habit habits[] = {
    { "up", FE_UPWARD, 0, 0 },
    { "down", FE_DOWNWARD, 0, 0 },
    { "toward zero", FE_TOWARDZERO, 0, 0 },
    { "subnormals flushed", FE_TONEAREST, 0x8040, 0 },
    { "subnormals flushed, up", FE_UPWARD, 0x8040, 0 },
    { "every exception traps", FE_TONEAREST, 0, 0x1F80 },
};

static const struct habit *habit; /* of the caller now */

static uint32_t change_bits(uint32_t set, uint32_t cleared)
{
#if defined(__x86_64__) && defined(__GLIBC__)
    fenv_t environment;
    (void)fegetenv(&environment);
    environment.__mxcsr = (environment.__mxcsr | set) & ~cleared;
    (void)fesetenv(&environment);
    return environment.__mxcsr;
#else
    return (set | cleared) & 0;
#endif
}

static void expect_kept(uint32_t bits)
{
    const bool kept = fegetround() == habit->rounding && change_bits(0, 0) == bits;
    (void)fesetenv(FE_DFL_ENV);
    cr_expect(kept, "%s", habit->name);
}

/* From here on the caller has its habit. */
static uint32_t begin(void)
{
    (void)fesetround(habit->rounding);
    return change_bits(habit->set, habit->cleared);
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    const uint32_t bits = begin();
    const enum pica_status status = ref_backend()->load(instance, setup);
    expect_kept(bits);
    return status;
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    const uint32_t bits = begin();
    const enum pica_status status = ref_backend()->run(instance, operation);
    expect_kept(bits);
    return status;
}

static enum pica_status read_memory(void *instance, uint32_t address, uint8_t *out, size_t size)
{
    const uint32_t bits = begin();
    const enum pica_status status = ref_backend()->read_memory(instance, address, out, size);
    expect_kept(bits);
    return status;
}

static enum pica_status read_state(void *instance, struct pica_state *out)
{
    const uint32_t bits = begin();
    const enum pica_status status = ref_backend()->read_state(instance, out);
    expect_kept(bits);
    return status;
}

/* Runner 0 is called by somebody who changes nothing, runner 1 by somebody with the habit. */
struct pair {
    struct pica_backend strained;
    struct harness_runner *runners[2];
    struct harness_case *test_case;
    struct harness_program *program;
};

static void pair_create(struct pair *pair)
{
    const struct pica_options options = { 0 };
    pair->strained = *ref_backend();
    pair->strained.load = load;
    pair->strained.run = run;
    pair->strained.read_memory = read_memory;
    pair->strained.read_state = read_state;
    cr_assert_eq(harness_runner_create(ref_backend(), &options, &pair->runners[0]), PICA_OK);
    cr_assert_eq(harness_runner_create(&pair->strained, &options, &pair->runners[1]), PICA_OK);
    pair->test_case = harness_case_create();
    pair->program = harness_program_create();
    cr_assert(pair->test_case != NULL && pair->program != NULL);
}

static void pair_destroy(struct pair *pair)
{
    harness_runner_destroy(pair->runners[0]);
    harness_runner_destroy(pair->runners[1]);
    harness_program_destroy(pair->program);
    harness_case_destroy(pair->test_case);
}

static void expect_equal(struct pair *pair, const char *name)
{
    const struct harness_compare_options options = { .every_operation = true, .slow = true };
    struct harness_comparison comparison;
    struct harness_error error = { "" };
    cr_assert_eq(harness_case_setup(pair->test_case, pair->program, &error), HARNESS_OK, "%s: %s", name, error.message);
    for (size_t i = 0; i < sizeof habits / sizeof habits[0]; i++) {
        habit = &habits[i];
        cr_assert_eq(harness_compare(pair->runners, 2, pair->program, &options, &comparison, &error), HARNESS_OK,
                     "%s: %s", name, error.message);
        cr_expect_eq(comparison.report.verdict, ORACLE_AGREE, "%s, %s: %s", name, habit->name,
                     comparison.report.message);
    }
}

Test(environment, GEN_01_FLT_01_seeds_do_not_depend_on_the_callers, .timeout = 600)
{
    struct pair pair;
    struct corpus_files files;
    pair_create(&pair);
    corpus_files_find(&files, "seeds", ".pcase");
    cr_expect_geq(files.count, LEAST_FILES);
    for (size_t i = 0; i < files.count; i++) {
        struct harness_error error = { "" };
        harness_case_reset(pair.test_case);
        cr_assert_eq(harness_load(pair.test_case, files.items[i].path, NULL, &error), HARNESS_OK, "%s", error.message);
        expect_equal(&pair, files.items[i].path);
    }
    corpus_files_free(&files);
    pair_destroy(&pair);
}

Test(environment, GEN_01_FLT_01_generated_cases_do_not_depend_on_the_callers, .timeout = 600)
{
    const struct harness_generate_options options = { 0 };
    struct pair pair;
    pair_create(&pair);
    for (uint64_t seed = 1; seed <= GENERATED; seed++) {
        char name[32];
        (void)snprintf(name, sizeof name, "seed %u", (unsigned)seed);
        harness_case_reset(pair.test_case);
        harness_generate(pair.test_case, seed, &options);
        expect_equal(&pair, name);
    }
    pair_destroy(&pair);
}
