/*
 * Every check catches a backend with a bug of its kind, and none complains about the two without bugs. The cases
 * are generated; PICAFUZZ_CHECK_CASES sets how many the second kind of test uses.
 */
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/check.h"
#include "harness/run/dump.h"
#include "harness/run/load.h"
#include "tests/case/captures.h"
#include "tests/oracles/faulty.h"
#include "tests/sanitized.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_SEEDS = 3000 /* until a fault must have been noticed */
};

struct bench {
    struct harness_checker *checker;
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_error error;
};

static void open_bench(struct bench *bench, const struct pica_backend *backend)
{
    const struct harness_check_options options = { .backend = { .instruction_sets = UINT32_MAX } };
    bench->checker = harness_checker_create(backend, &options);
    bench->test_case = harness_case_create();
    bench->program = harness_program_create();
    cr_assert(bench->checker != NULL && bench->test_case != NULL && bench->program != NULL);
}

static void close_bench(struct bench *bench)
{
    harness_program_destroy(bench->program);
    harness_case_destroy(bench->test_case);
    harness_checker_destroy(bench->checker);
}

static void generate(struct bench *bench, uint64_t seed, enum harness_generate_mode mode)
{
    const struct harness_generate_options options = { .mode = mode };
    harness_case_reset(bench->test_case);
    harness_generate(bench->test_case, seed, &options);
    cr_assert_eq(harness_case_setup(bench->test_case, bench->program, &bench->error), HARNESS_OK, "seed %llu: %s",
                 (unsigned long long)seed, bench->error.message);
}

static void check(struct bench *bench, size_t number, uint64_t seed, struct harness_check_result *result)
{
    cr_assert_eq(harness_check(bench->checker, bench->program, number, seed, result), HARNESS_OK, "seed %llu, %s: %s",
                 (unsigned long long)seed, harness_check_name(number), result->error.message);
}

static size_t number_of(const char *name)
{
    for (size_t i = 0; i < harness_check_count(); i++)
        if (strcmp(harness_check_name(i), name) == 0)
            return i;
    cr_assert_fail("no check is called %s", name);
    return 0;
}

/* --------------------------------------------------------------------------------------------------- planted faults */

/* Opens the bench and looks for a case on which the check fails; its seed. */
static uint64_t find_failing(struct bench *bench, const struct fault *fault, struct harness_check_result *result)
{
    uint64_t seed = 0;
    open_bench(bench, faulty_backend(fault));
    do {
        generate(bench, ++seed, HARNESS_GENERATE_DEFINED);
        check(bench, number_of(fault->check), seed, result);
    } while (seed < MOST_SEEDS && result->report.verdict < ORACLE_DIVERGE);
    return seed;
}

static void expect_caught(const struct fault *fault)
{
    struct bench bench;
    struct harness_check_result result = { .places = 0 };
    const size_t number = number_of(fault->check);
    const uint64_t seed = find_failing(&bench, fault, &result);
    cr_expect_eq(result.report.verdict, ORACLE_DIVERGE, "%s: not noticed in %d cases: %s", fault->check, MOST_SEEDS,
                 fault->bug);
    cr_expect_str_eq(result.report.oracle, fault->check);
    if (number >= HARNESS_CHECK_FIRST_RELATION) {
        cr_expect_not_null(strstr(result.report.message, harness_check_rules(number)), "%s", result.report.message);
        cr_expect_not_null(strstr(result.report.message, fault->check), "%s", result.report.message);
    }
    cr_log_info("%s: noticed in case %llu", fault->check, (unsigned long long)seed);
    close_bench(&bench);
}

Test(relations, each_check_catches_a_backend_with_a_bug_of_its_kind)
{
    for (size_t i = 0; i < fault_count; i++)
        expect_caught(&faults[i]);
}

Test(relations, small_capacities_are_among_what_must_not_show)
{
    expect_caught(&capacity_fault);
}

Test(relations, there_is_a_planted_fault_for_each_check)
{
    for (size_t i = 0; i < harness_check_count(); i++) {
        size_t found = 0;
        for (size_t k = 0; k < fault_count; k++)
            found += strcmp(faults[k].check, harness_check_name(i)) == 0;
        cr_expect_eq(found, 1, "%s has %zu faults", harness_check_name(i), found);
    }
}

/* Does the case as it is give another result than with that part changed? */
static bool twins_differ(const struct bench *bench, const struct fault *fault)
{
    struct harness_runner *runner = NULL;
    struct harness_case *const cases[2] = { harness_case_create(), harness_case_create() };
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_error error = { "" };
    struct harness_digest digests[2];
    cr_assert(harness_check_twins(bench->checker, cases[0], cases[1]));
    cr_assert_eq(harness_runner_create(faulty_backend(fault), &options, &runner), PICA_OK);
    for (size_t i = 0; i < 2; i++) {
        struct oracle_run run;
        cr_assert_eq(harness_case_setup(cases[i], bench->program, &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_runner_load(runner, &bench->program->setup), PICA_OK);
        cr_assert_eq(harness_runner_run(runner, bench->program->operations, bench->program->count), PICA_OK);
        cr_assert_eq(harness_runner_collect(runner, &run), PICA_OK);
        cr_assert_eq(harness_digest(&run, &digests[i], &error), HARNESS_OK, "%s", error.message);
        harness_case_destroy(cases[i]);
    }
    harness_runner_destroy(runner);
    return digests[0].memory != digests[1].memory || digests[0].state != digests[1].state ||
           digests[0].events != digests[1].events;
}

static const struct fault *fault_of(const char *name)
{
    size_t i = 0;
    while (i < fault_count && strcmp(faults[i].check, name) != 0)
        i++;
    cr_assert_lt(i, fault_count, "%s", name);
    return &faults[i];
}

Test(relations, the_write_that_matters_is_found_and_alone_makes_the_difference)
{
    static const char *const names[] = { "one-by-one", "byte-by-byte", "overwritten",   "redundant",  "port-alias",
                                         "jump",       "unused-bits",  "off-registers", "split-fill", "fill-width" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct bench bench;
        struct harness_check_result result = { .places = 0 };
        struct harness_check_places places = { .count = 0 };
        const uint64_t seed = find_failing(&bench, fault_of(names[i]), &result);
        cr_expect(harness_check_narrow(bench.checker, bench.program, number_of(names[i]), seed, &places), "%s",
                  names[i]);
        cr_expect_eq(places.count, 1, "%s: %u", names[i], (unsigned)places.count);
        cr_expect_lt(places.first.operation, bench.test_case->operation_count, "%s", names[i]);
        cr_expect(twins_differ(&bench, fault_of(names[i])), "%s", names[i]);
        close_bench(&bench);
    }
}

/* -------------------------------------------------------------------------------------------------- sound backends */

static uint64_t case_count(void)
{
    const char *const text = getenv("PICAFUZZ_CHECK_CASES");
    return text != NULL ? strtoull(text, NULL, 10) : 250;
}

/* Under sanitizers one case in a few is enough of a check that has applied. */
static void expect_sound(size_t index)
{
    struct bench bench;
    uint64_t applied[HARNESS_MAX_CHECKS] = { 0 };
    open_bench(&bench, harness_linked_backend(index));
    for (uint64_t seed = 1; seed <= case_count(); seed++) {
        generate(&bench, seed, HARNESS_GENERATE_MIXED);
        for (size_t i = 0; i < harness_check_count(); i++) {
            struct harness_check_result result;
            if (applied[i] != 0 && (seed + i) % TEST_PART != 0)
                continue;
            check(&bench, i, seed, &result);
            applied[i] += result.places != 0;
            cr_expect_lt(result.report.verdict, ORACLE_DIVERGE, "seed %llu: %s", (unsigned long long)seed,
                         result.report.message);
        }
    }
    for (size_t i = 0; i < harness_check_count(); i++)
        cr_expect_gt(applied[i], 0, "%s never applied: nothing was tested", harness_check_name(i));
    close_bench(&bench);
}

Test(relations, all_hold_on_the_reference)
{
    expect_sound(0);
}

Test(relations, all_hold_on_fast)
{
    expect_sound(1);
}

Test(relations, all_hold_on_every_capture)
{
    struct bench bench;
    open_bench(&bench, harness_linked_backend(HARNESS_FAST));
    for (uint32_t capture = 0; capture < TEST_CAPTURES; capture += TEST_PART) {
        char path[512];
        (void)snprintf(path, sizeof path, "%s/corpus/captures/%s.picacap", PICAFUZZ_SOURCE_DIR,
                       test_capture_names[capture]);
        cr_assert_eq(harness_load(bench.test_case, path, NULL, &bench.error), HARNESS_OK, "%s: %s", path,
                     bench.error.message);
        cr_assert_eq(harness_case_setup(bench.test_case, bench.program, &bench.error), HARNESS_OK);
        for (size_t i = 0; i < harness_check_count(); i++) {
            struct harness_check_result result;
            check(&bench, i, capture, &result);
            cr_expect_lt(result.report.verdict, ORACLE_DIVERGE, "%s: %s", path, result.report.message);
        }
    }
    close_bench(&bench);
}

/* ---------------------------------------------------------------------------------------------------------- splits */

/* Is "**RULE** [SPLIT" in the specification? */
static bool is_tagged_split(const char *rule, size_t length)
{
    static const char *const pages[] = { "10-command-stream",   "20-geometry",    "30-rasterizer", "40-textures",
                                         "50-fragment-shading", "60-framebuffer", "70-gx-engines" };
    static char text[1 << 20];
    char wanted[64], path[1024];
    (void)snprintf(wanted, sizeof wanted, "**%.*s** [SPLIT", (int)length, rule);
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/docs/spec/%s.md", PICAFUZZ_SOURCE_DIR, pages[i]);
        FILE *const file = fopen(path, "r");
        cr_assert_not_null(file, "%s", path);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        (void)fclose(file);
        if (strstr(text, wanted) != NULL)
            return true;
    }
    return false;
}

Test(relations, those_that_rest_on_split_rules_say_which)
{
    uint32_t split = 0;
    for (size_t i = 0; i < oracle_relation_count(); i++) {
        const struct oracle_relation *const relation = oracle_relation_at(i);
        char told[64], expected[64] = "";
        for (const char *rule = relation->rules; *rule != '\0';) {
            const size_t length = strcspn(rule, " ");
            const size_t used = strlen(expected);
            if (is_tagged_split(rule, length))
                (void)snprintf(expected + used, sizeof expected - used, "%s%.*s", used != 0 ? " " : "", (int)length,
                               rule);
            rule += length + (rule[length] == ' ');
        }
        oracle_relation_splits(relation, told, sizeof told);
        cr_expect_str_eq(told, expected, "%s: %s", relation->name, told);
        split += told[0] != '\0';
    }
    cr_expect_gt(split, 0);
}
