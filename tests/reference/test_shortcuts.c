/*
 * The shortcuts of reference/shortcuts.h change nothing: an instance that takes them and one that does not agree on
 * memory, state, events and what the observer of features counts, over the corpus and generated cases.
 */
#include "harness/grammar/gen.h"
#include "harness/run/compare.h"
#include "harness/run/load.h"
#include "pica/events.h"
#include "pica/features.h"
#include "reference/reference.h"
#include "tests/corpus/files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum {
    GENERATED = 400,
    LEAST_FILES = 100
};

/* Runner 0 takes the shortcuts, runner 1 does not. */
struct pair {
    struct harness_runner *runners[2];
    uint8_t features[2][PICA_FEATURE_TOTAL];
    struct harness_case *test_case;
    struct harness_program *program;
};

static void pair_create(struct pair *pair)
{
    const struct pica_options options = { 0 };
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(harness_runner_create(ref_backend(), &options, &pair->runners[i]), PICA_OK);
        void *const instance = harness_runner_instance(pair->runners[i]);
        cr_assert_eq(ref_backend()->observe_features(instance, pair->features[i], PICA_FEATURE_TOTAL), PICA_OK);
    }
    ref_set_shortcuts(harness_runner_instance(pair->runners[1]), false);
    pair->test_case = harness_case_create();
    pair->program = harness_program_create();
    cr_assert_not_null(pair->test_case);
    cr_assert_not_null(pair->program);
}

static void pair_destroy(struct pair *pair)
{
    harness_runner_destroy(pair->runners[0]);
    harness_runner_destroy(pair->runners[1]);
    harness_program_destroy(pair->program);
    harness_case_destroy(pair->test_case);
}

static void expect_equal_events(struct pair *pair, const char *name)
{
    struct oracle_run run[2];
    for (int i = 0; i < 2; i++)
        cr_assert_eq(harness_runner_collect(pair->runners[i], &run[i]), PICA_OK, "%s", name);
    cr_expect(pica_events_equal(&run[0].events, &run[1].events), "%s: events differ", name);
}

/* Runs the case both ways. */
static void expect_equal(struct pair *pair, const char *name)
{
    const struct harness_compare_options options = { .every_operation = true, .slow = true };
    struct harness_comparison comparison;
    struct harness_error error = { "" };
    memset(pair->features, 0, sizeof pair->features);
    cr_assert_eq(harness_case_setup(pair->test_case, pair->program, &error), HARNESS_OK, "%s: %s", name, error.message);
    cr_assert_eq(harness_compare(pair->runners, 2, pair->program, &options, &comparison, &error), HARNESS_OK, "%s: %s",
                 name, error.message);
    cr_expect_eq(comparison.report.verdict, ORACLE_AGREE, "%s: %s", name, comparison.report.message);
    cr_expect(memcmp(pair->features[0], pair->features[1], PICA_FEATURE_TOTAL) == 0, "%s: features differ", name);
    expect_equal_events(pair, name);
}

static size_t expect_equal_files(struct pair *pair, const char *directory, const char *extension)
{
    struct corpus_files files;
    corpus_files_find(&files, directory, extension);
    for (size_t i = 0; i < files.count; i++) {
        struct harness_error error = { "" };
        const char *const path = files.items[i].path;
        harness_case_reset(pair->test_case);
        cr_assert_eq(harness_load(pair->test_case, path, NULL, &error), HARNESS_OK, "%s", error.message);
        expect_equal(pair, path);
    }
    const size_t count = files.count;
    corpus_files_free(&files);
    return count;
}

Test(shortcuts, change_nothing_in_the_corpus)
{
    struct pair pair;
    pair_create(&pair);
    const size_t files =
        expect_equal_files(&pair, "seeds", ".pcase") + expect_equal_files(&pair, "captures", ".picacap");
    cr_expect_geq(files, LEAST_FILES);
    pair_destroy(&pair);
}

Test(shortcuts, change_nothing_in_generated_cases)
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
