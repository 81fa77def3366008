/* What a plug-in declares to model is compared, and nothing else; it never counts as agreement. */
#include "harness/case/formats.h"
#include "harness/localise/localise.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"
#include "harness/run/load.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define PLUG_IN PICAFUZZ_BINARY_DIR "/lib/partial_backend.so"
#define SEEDS   PICAFUZZ_SOURCE_DIR "/corpus/seeds/"

struct bench {
    struct harness_backend opened[2];
    struct harness_runner *runners[2];
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_comparison comparison;
};

static struct bench *open_bench(const char *partial, const char *first, const char *second)
{
    static struct bench bench; /* of this test; large */
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const char *const names[2] = { first, second };
    struct harness_error error = { "" };
    memset(&bench, 0, sizeof bench);
    cr_assert_eq(setenv("PICAFUZZ_PARTIAL", partial, 1), 0);
    bench.test_case = harness_case_create();
    bench.program = harness_program_create();
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(harness_backend_open(names[i], &bench.opened[i], &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_runner_create(bench.opened[i].backend, &options, &bench.runners[i]), PICA_OK);
    }
    return &bench;
}

static void close_bench(struct bench *bench)
{
    for (int i = 0; i < 2; i++) {
        harness_runner_destroy(bench->runners[i]);
        harness_backend_close(&bench->opened[i]);
    }
    harness_program_destroy(bench->program);
    harness_case_destroy(bench->test_case);
}

static void load_case(struct bench *bench, const char *path)
{
    struct harness_error error = { "" };
    harness_case_reset(bench->test_case);
    cr_assert_eq(harness_load(bench->test_case, path, NULL, &error), HARNESS_OK, "%s", error.message);
}

static enum oracle_verdict compare(struct bench *bench)
{
    static const struct harness_compare_options options = { .every_operation = true, .check_vacuity = true };
    struct harness_error error = { "" };
    cr_assert_eq(harness_case_setup(bench->test_case, bench->program, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_compare(bench->runners, 2, bench->program, &options, &bench->comparison, &error), HARNESS_OK,
                 "%s", error.message);
    return bench->comparison.report.verdict;
}

static void expect_verdict(const char *partial, const char *path, enum oracle_verdict verdict, const char *scope)
{
    static const char *const ways[] = { "inline:" PLUG_IN, PLUG_IN };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct bench *const bench = open_bench(partial, "reference", ways[i]);
        load_case(bench, path);
        cr_expect_eq(compare(bench), verdict, "%s: %s", ways[i], bench->comparison.report.message);
        cr_expect_str_eq(bench->comparison.scope, scope, "%s", ways[i]);
        close_bench(bench);
    }
}

Test(models, five_functions_without_a_declaration_model_memory)
{
    expect_verdict("five", SEEDS "fog/table-over-depth.pcase", ORACLE_AGREE, "memory");
}

Test(models, what_is_not_declared_may_be_garbage)
{
    expect_verdict("registers", SEEDS "fog/table-over-depth.pcase", ORACLE_AGREE,
                   "memory, registers but VIEWPORT_WIDTH");
    expect_verdict("gasless", SEEDS "fog/table-over-depth.pcase", ORACLE_AGREE, "memory, tables but tables.gas");
    expect_verdict("engines", SEEDS "fog/table-over-depth.pcase", ORACLE_AGREE, "memory, engines but 1025");
}

Test(models, what_is_declared_must_be_right)
{
    expect_verdict("broken", SEEDS "fog/table-over-depth.pcase", ORACLE_DIVERGE,
                   "memory, registers but VIEWPORT_WIDTH");
}

Test(models, a_plug_in_of_ABI_2_models_everything)
{
    expect_verdict("abi2", SEEDS "fog/table-over-depth.pcase", ORACLE_AGREE, "");
    struct bench *const bench = open_bench("abi2", "reference", PLUG_IN);
    cr_expect_eq(bench->opened[1].backend->models->parts, PICA_PARTS_ALL);
    cr_expect_eq(bench->opened[1].backend->models->budgets,
                 PICA_BUDGETS_ALL & ~PICA_BUDGET_WORK); /* which is younger */
    cr_expect_eq(bench->opened[1].backend->models->float24, 1);
    cr_expect_null(bench->opened[1].backend->finish);
    close_bench(bench);
}

Test(models, a_smaller_struct_ends_where_it_says)
{
    expect_verdict("short", SEEDS "fog/table-over-depth.pcase", ORACLE_AGREE, "memory");
}

Test(models, a_struct_that_cannot_be_right_is_refused_with_the_reason)
{
    static const struct {
        const char *partial, *complaint;
    } rows[] = {
        { "abi1", "another version" },
        { "unsized", "member size" },
        { "liar", "no read_state" },
        { "mute", "no read_events" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct harness_backend opened;
        struct harness_error error = { "" };
        cr_assert_eq(setenv("PICAFUZZ_PARTIAL", rows[i].partial, 1), 0);
        cr_expect_eq(harness_backend_open(PLUG_IN, &opened, &error), HARNESS_HOST);
        cr_expect_not_null(strstr(error.message, rows[i].complaint), "%s: %s", rows[i].partial, error.message);
    }
}

static void expect_not_tested(struct bench *bench, const char *why)
{
    cr_expect_eq(compare(bench), ORACLE_REFUSED);
    cr_expect_not_null(strstr(bench->comparison.report.message, why), "%s", bench->comparison.report.message);
}

Test(models, FLT_03_float24_that_is_not_declared_is_not_tested)
{
    struct bench *const bench = open_bench("five", "reference", PLUG_IN);
    load_case(bench, SEEDS "fog/table-over-depth.pcase");
    bench->test_case->profile = PICA_PROFILE_F24;
    expect_not_tested(bench, "float24 (FLT-03)");
    close_bench(bench);
}

Test(models, a_case_that_load_does_not_support_is_not_tested)
{
    struct bench *const bench = open_bench("picky", "reference", PLUG_IN);
    load_case(bench, SEEDS "fog/table-over-depth.pcase");
    cr_expect_eq(compare(bench), ORACLE_AGREE, "%s", bench->comparison.report.message);
    cr_assert_not_null(harness_case_state(bench->test_case));
    bench->test_case->state->given = 1;
    expect_not_tested(bench, "load: not supported");
    close_bench(bench);
}

Test(models, CMD_20_a_budget_that_runs_out_and_is_not_declared_is_not_tested)
{
    for (int first = 0; first < 2; first++) {
        struct bench *const bench =
            open_bench("endless", first == 0 ? "reference" : PLUG_IN, first == 0 ? PLUG_IN : "reference");
        load_case(bench, SEEDS "fog/table-over-depth.pcase");
        cr_expect_eq(compare(bench), ORACLE_AGREE, "%s", bench->comparison.report.message);
        bench->test_case->limits.commands = 5;
        expect_not_tested(bench, "CMD-20");
        close_bench(bench);
    }
}

Test(models, memory_is_read_after_finish)
{
    expect_verdict("restless", SEEDS "fog/table-over-depth.pcase", ORACLE_AGREE, "memory");
}

Test(models, our_own_two_are_compared_whole_whatever_is_left_out)
{
    static const char *const names[] = { "reference", "fast", "process:fast" };
    const struct oracle_scope nothing = { .parts = 0 };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct harness_backend opened;
        struct harness_error error = { "" };
        cr_assert_eq(harness_backend_open(names[i], &opened, &error), HARNESS_OK, "%s", error.message);
        harness_backend_restrict(&opened, &nothing);
        cr_expect(oracle_scope_is_all(&opened.scope), "%s", names[i]);
        harness_backend_close(&opened);
    }
}

Test(models, a_user_leaves_out_more_of_a_plug_in)
{
    struct bench *const bench = open_bench("broken", "reference", PLUG_IN);
    struct oracle_scope scope;
    oracle_scope_all(&scope);
    cr_expect(oracle_scope_ignore(&scope, "VIEWPORT_HEIGHT"));
    harness_backend_restrict(&bench->opened[1], &scope);
    harness_runner_restrict(bench->runners[1], &bench->opened[1].scope);
    load_case(bench, SEEDS "fog/table-over-depth.pcase");
    cr_expect_eq(compare(bench), ORACLE_AGREE, "%s", bench->comparison.report.message);
    cr_expect_str_eq(bench->comparison.scope, "memory, registers but 2");
    close_bench(bench);
}

static enum pica_status create_with(const char *partial, const char *name, uint32_t capacity)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX, .capacity = capacity };
    struct harness_backend opened;
    struct harness_runner *runner = NULL;
    struct harness_error error = { "" };
    cr_assert_eq(setenv("PICAFUZZ_PARTIAL", partial, 1), 0);
    cr_assert_eq(harness_backend_open(name, &opened, &error), HARNESS_OK, "%s", error.message);
    const enum pica_status status = harness_runner_create(opened.backend, &options, &runner);
    harness_runner_destroy(runner);
    harness_backend_close(&opened);
    return status;
}

Test(models, a_plug_in_is_told_its_capacity_and_created_without_where_it_knows_none)
{
    static const char *const ways[] = { "inline:" PLUG_IN, PLUG_IN };
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        cr_expect_eq(create_with("seven", ways[i], 7), PICA_OK, "%s", ways[i]);
        cr_expect_neq(create_with("seven", ways[i], 8), PICA_OK, "%s", ways[i]);
        cr_expect_neq(create_with("seven", ways[i], 0), PICA_OK, "%s", ways[i]);
        cr_expect_eq(create_with("old", ways[i], 7), PICA_OK, "%s", ways[i]);
    }
}

/* No state that could be handed over and no budget to stop at: lists are cut instead. */
Test(models, the_guilty_command_is_found_without_budgets_and_without_state)
{
    struct bench *const bench = open_bench("abi2", "reference", "inline:" PICAFUZZ_BINARY_DIR "/lib/faulty_backend.so");
    static struct harness_location whole, cut;
    static struct pica_models memory_alone = { .size = sizeof memory_alone, .parts = PICA_PART_MEMORY };
    struct harness_error error = { "" };
    cr_assert_eq(setenv("PICAFUZZ_FAULT", "fog", 1), 0);
    close_bench(bench);
    (void)open_bench("abi2", "reference", "inline:" PICAFUZZ_BINARY_DIR "/lib/faulty_backend.so");
    load_case(bench, SEEDS "fog/table-over-depth.pcase");
    cr_assert_eq(compare(bench), ORACLE_DIVERGE);
    cr_assert_eq(harness_localise(bench->runners[0], bench->runners[1], bench->program, &whole, &error), HARNESS_OK);
    struct pica_backend blind = *bench->opened[1].backend;
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_runner *runner = NULL;
    blind.models = &memory_alone;
    blind.read_state = NULL;
    blind.trace = NULL;
    cr_assert_eq(harness_runner_create(&blind, &options, &runner), PICA_OK);
    cr_assert_eq(harness_localise(bench->runners[0], runner, bench->program, &cut, &error), HARNESS_OK, "%s",
                 error.message);
    cr_assert(whole.has_command && cut.has_command);
    cr_expect_eq(cut.command, whole.command);
    cr_expect_gt(cut.command, 1);
    cr_expect_eq(cut.command_word, whole.command_word);
    cr_expect(cut.has_pixel && cut.pixel.x == whole.pixel.x && cut.pixel.y == whole.pixel.y);
    cr_expect_null(strstr(cut.note, "cache"), "%s", cut.note);
    harness_runner_destroy(runner);
    close_bench(bench);
}
