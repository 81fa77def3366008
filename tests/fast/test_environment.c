/*
 * GEN-01: `fast` rounds to nearest and keeps subnormals whatever floating-point environment its caller has, and that is
 * the caller's again afterwards. An emulator has what the processor of its guest has.
 */
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"
#include "tests/sanitized.h"

#include <criterion/criterion.h>
#include <fenv.h>
#include <string.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

enum {
    CASES = 200 / TEST_PART
};

/* ---------------------------------------------------------------------------------------------------- environments */

/* One that a caller may have: a rounding mode, and on x86 bits of MXCSR to set and to clear. */
struct environment {
    const char *name;
    int rounding;
    unsigned set, clear;
};

static const struct environment environments[] = {
    { "the default one", FE_TONEAREST, 0, 0 },
    { "rounding up", FE_UPWARD, 0, 0 },
    { "rounding down", FE_DOWNWARD, 0, 0 },
    { "rounding toward zero", FE_TOWARDZERO, 0, 0 },
    { "flushed results", FE_TONEAREST, 0x8000, 0 },
    { "flushed operands", FE_TONEAREST, 0x0040, 0 },
    { "all exceptions trapped", FE_TONEAREST, 0, 0x1F80 },
    { "all of it", FE_UPWARD, 0x8040, 0x1F80 },
};

static void put(const struct environment *environment)
{
    cr_assert_eq(fesetenv(FE_DFL_ENV), 0);
    cr_assert_eq(fesetround(environment->rounding), 0);
#if defined(__SSE2__)
    _mm_setcsr((_mm_getcsr() | environment->set) & ~environment->clear);
#endif
}

/* What of the present one can be read, the exceptions that were raised included. */
static unsigned present(void)
{
#if defined(__SSE2__)
    return _mm_getcsr();
#else
    return (unsigned)fegetround() << 8 | (unsigned)fetestexcept(FE_ALL_EXCEPT);
#endif
}

/* ------------------------------------------------------------------------------------------------------------ calls */

/* `backend` is `fast` with every call made in `callers`, and what comes back checked. */
static struct {
    const struct pica_backend *fast;
    struct pica_backend backend;
    const struct environment *callers;
    uint32_t calls;
} caller;

static unsigned enter(void)
{
    put(caller.callers);
    caller.calls++;
    return present();
}

static enum pica_status leave(unsigned before, enum pica_status status)
{
    const unsigned after = present();
    cr_assert_eq(fesetenv(FE_DFL_ENV), 0);
    cr_expect_eq(before, after, "%s: %X became %X", caller.callers->name, before, after);
    return status;
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    const unsigned before = enter();
    return leave(before, caller.fast->create(options, instance));
}

static void destroy(void *instance)
{
    const unsigned before = enter();
    caller.fast->destroy(instance);
    (void)leave(before, PICA_OK);
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    const unsigned before = enter();
    return leave(before, caller.fast->load(instance, setup));
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    const unsigned before = enter();
    return leave(before, caller.fast->run(instance, operation));
}

static enum pica_status read_memory(void *instance, uint32_t address, uint8_t *out, size_t size)
{
    const unsigned before = enter();
    return leave(before, caller.fast->read_memory(instance, address, out, size));
}

static enum pica_status read_state(void *instance, struct pica_state *out)
{
    const unsigned before = enter();
    return leave(before, caller.fast->read_state(instance, out));
}

static enum pica_status save(void *instance, void **snapshot)
{
    const unsigned before = enter();
    return leave(before, caller.fast->save(instance, snapshot));
}

static enum pica_status restore(void *instance, const void *snapshot)
{
    const unsigned before = enter();
    return leave(before, caller.fast->restore(instance, snapshot));
}

static enum pica_status scan_out(void *instance, uint32_t screen, int right_eye, uint8_t *rgb, size_t size)
{
    const unsigned before = enter();
    return leave(before, caller.fast->scan_out(instance, screen, right_eye, rgb, size));
}

static void open_caller(void)
{
    memset(&caller, 0, sizeof caller);
    caller.fast = harness_linked_backend(HARNESS_FAST);
    caller.callers = &environments[0];
    caller.backend = *caller.fast;
    caller.backend.create = create;
    caller.backend.destroy = destroy;
    caller.backend.load = load;
    caller.backend.run = run;
    caller.backend.read_memory = read_memory;
    caller.backend.read_state = read_state;
    caller.backend.save = save;
    caller.backend.restore = restore;
    caller.backend.scan_out = scan_out;
}

/* ------------------------------------------------------------------------------------------------------------ tests */

static void expect_same(struct harness_runner *runners[2], struct harness_case *test_case,
                        struct harness_program *program, uint64_t seed)
{
    const struct harness_generate_options generate = { .mode = HARNESS_GENERATE_MIXED };
    const struct harness_compare_options options = { .slow = true };
    struct harness_comparison comparison;
    struct harness_error error = { "" };
    harness_generate(test_case, seed, &generate);
    cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_compare(runners, 2, program, &options, &comparison, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(comparison.report.verdict, ORACLE_AGREE, "%s, seed %llu: %s", caller.callers->name,
                 (unsigned long long)seed, comparison.report.message);
}

/* Generated cases on `fast` as it is and on one whose caller has another environment at each call. */
static void compare_environments(const struct pica_options *options)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    cr_assert(test_case != NULL && program != NULL);
    open_caller();
    for (size_t i = 0; i < sizeof environments / sizeof environments[0]; i++) {
        struct harness_runner *runners[2] = { NULL, NULL };
        caller.callers = &environments[i];
        cr_assert_eq(harness_runner_create(caller.fast, options, &runners[0]), PICA_OK);
        cr_assert_eq(harness_runner_create(&caller.backend, options, &runners[1]), PICA_OK);
        caller.calls = 0;
        for (uint64_t seed = 1; seed <= CASES; seed++)
            expect_same(runners, test_case, program, seed);
        cr_expect_geq(caller.calls, 2 * CASES);
        harness_runner_destroy(runners[0]);
        harness_runner_destroy(runners[1]);
    }
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

Test(fast_environment, GEN_01_results_do_not_depend_on_the_callers_environment, .timeout = 240)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    compare_environments(&options);
}

Test(fast_environment, GEN_01_nor_does_the_scalar_build, .timeout = 240)
{
    const struct pica_options options = { .instruction_sets = 0 };
    compare_environments(&options);
}

/* A small capacity makes everything worth a thread. */
Test(fast_environment, GEN_01_nor_with_workers, .timeout = 240)
{
    const struct pica_options options = {
        .flags = PICA_OPTION_CAPACITY, .threads = 2, .instruction_sets = UINT32_MAX, .capacity = 3
    };
    compare_environments(&options);
}
