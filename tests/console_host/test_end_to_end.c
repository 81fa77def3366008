/*
 * From the case to the verdict: exported, run in the console of tests/console with `reference` as its GPU, imported,
 * compared with `reference`. Not a byte may differ. With a GPU that has a bug, the operation that shows it is named.
 */
#include "harness/case/formats.h"
#include "harness/console/export.h"
#include "harness/console/import.h"
#include "harness/console/program.h"
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"
#include "tests/console/mock.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_CASES = 256
};

static struct harness_error error;

/* What goes through the whole of it. */
struct journey {
    char card[300], res[310];
    struct console_export *export;
    struct harness_case *cases[MOST_CASES]; /* those that were taken */
    size_t count;
    struct harness_text file;
};

static void begin(struct journey *journey, const char *name)
{
    memset(journey, 0, sizeof *journey);
    (void)snprintf(journey->card, sizeof journey->card, "%s/card-%s-%d", PICAFUZZ_BINARY_DIR, name, (int)getpid());
    (void)snprintf(journey->res, sizeof journey->res, "%s.res", journey->card);
    (void)mkdir(journey->card, 0777);
    cr_assert_eq(console_export_create("cases", false, &journey->export, &error), HARNESS_OK, "%s", error.message);
}

/* The machine computes in binary32, and so does a case for it. */
static void add(struct journey *journey, const char *name, struct harness_case *test_case)
{
    struct console_answer answer;
    test_case->profile = PICA_PROFILE_F32;
    cr_assert_eq(console_export_ask(journey->export, name, test_case, &answer, &error), HARNESS_OK, "%s: %s", name,
                 error.message);
    if (answer.taken && journey->count < MOST_CASES)
        journey->cases[journey->count++] = test_case;
    else
        harness_case_destroy(test_case);
    harness_text_free(&answer.reasons);
}

static void add_seeds(struct journey *journey)
{
    glob_t paths;
    cr_assert_eq(glob(PICAFUZZ_SOURCE_DIR "/corpus/seeds/*/*.pcase", 0, NULL, &paths), 0);
    for (size_t i = 0; i < paths.gl_pathc; i++) {
        struct harness_case *const test_case = harness_case_create();
        cr_assert_eq(harness_case_load_file(test_case, paths.gl_pathv[i], NULL, NULL, &error), HARNESS_OK);
        add(journey, paths.gl_pathv[i], test_case);
    }
    globfree(&paths);
}

static void add_generated(struct journey *journey, uint64_t count)
{
    const struct harness_generate_options options = { .mode = HARNESS_GENERATE_DEFINED, .exportable = true };
    for (uint64_t seed = 1; seed <= count; seed++) {
        struct harness_case *const test_case = harness_case_create();
        harness_generate(test_case, seed, &options);
        add(journey, "generated", test_case);
    }
}

/* Runs it with that GPU; what the console leaves becomes recorded results. */
static void travel(struct journey *journey, const struct pica_backend *gpu)
{
    char path[400];
    size_t program_size = 0, size = 0, payload_size = 0;
    const uint8_t *const program = console_program(&program_size), *payload = NULL;
    uint8_t *bytes = NULL;
    struct mock_result run;
    struct console_view view;
    struct console_results results;
    harness_text_init(&journey->file);
    cr_assert_eq(console_export_make(journey->export, program, program_size, &journey->file, &error), HARNESS_OK);
    const struct mock_setup setup = { .gpu = gpu,
                                      .program = (const uint8_t *)journey->file.data,
                                      .program_size = journey->file.size,
                                      .card = journey->card };
    cr_assert_eq(mock_run(&setup, &run), PICA_OK);
    cr_assert_eq(run.ending, MOCK_EXITED, "%s", run.reason);
    cr_expect_eq(run.mistakes, 0, "%s", mock_first_mistake(&run));
    mock_release(&run);
    (void)snprintf(path, sizeof path, "%s/3ds/picafuzz/cases.results", journey->card);
    cr_assert_eq(harness_file_read(path, &bytes, &size, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(console_program_payload("file", setup.program, setup.program_size, &payload, &payload_size, &error),
                 HARNESS_OK);
    cr_assert_eq(console_view_open("file", payload, payload_size, &view, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(console_results_parse(path, bytes, size, &view, &results, &error), HARNESS_OK, "%s", error.message);
    cr_expect(results.is_complete && !results.is_cut);
    const struct console_import import = { .view = &view,
                                           .results = &results,
                                           .count = 1,
                                           .path = journey->res,
                                           .program = "a test",
                                           .date = "2026-11-23T00:00:00Z" };
    cr_assert_eq(console_import_write(&import, &error), HARNESS_OK, "%s", error.message);
    console_results_free(&results);
    free(bytes);
}

static void end(struct journey *journey)
{
    static const char *const names[] = { "/3ds/picafuzz/cases.results", "/3ds/picafuzz/cases.journal", "/3ds/picafuzz",
                                         "/3ds", "" };
    char path[400];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)snprintf(path, sizeof path, "%s%s", journey->card, names[i]);
        (void)remove(path);
    }
    (void)remove(journey->res);
    for (size_t i = 0; i < journey->count; i++)
        harness_case_destroy(journey->cases[i]);
    console_export_destroy(journey->export);
    harness_text_free(&journey->file);
}

/* Counts verdicts of all its cases, and keeps the last comparison that diverges. */
static void judge(const struct journey *journey, size_t verdicts[ORACLE_CRASH + 1], struct harness_comparison *last)
{
    char name[400];
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct harness_compare_options how = { .every_operation = true };
    struct harness_backend backends[2];
    struct harness_runner *runners[2];
    static struct harness_comparison comparison;
    struct harness_program *const program = harness_program_create();
    (void)snprintf(name, sizeof name, "recorded:%s", journey->res);
    const char *const names[2] = { "reference", name };
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(harness_backend_open(names[i], &backends[i], &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_runner_create(backends[i].backend, &options, &runners[i]), PICA_OK);
        harness_runner_restrict(runners[i], &backends[i].scope);
    }
    for (size_t i = 0; i < journey->count; i++) {
        cr_assert_eq(harness_case_setup(journey->cases[i], program, &error), HARNESS_OK);
        cr_assert_eq(harness_compare(runners, 2, program, &how, &comparison, &error), HARNESS_OK, "%s", error.message);
        verdicts[comparison.report.verdict]++;
        if (comparison.report.verdict == ORACLE_DIVERGE)
            *last = comparison;
    }
    for (size_t i = 0; i < 2; i++) {
        harness_runner_destroy(runners[i]);
        harness_backend_close(&backends[i]);
    }
    harness_program_destroy(program);
}

Test(end_to_end, the_machine_with_reference_agrees_with_reference, .timeout = 120)
{
    struct journey journey;
    struct harness_comparison last = { .operation = 0 };
    size_t verdicts[ORACLE_CRASH + 1] = { 0 };
    const struct pica_backend *reference = NULL;
    (void)harness_linked_backends(&reference, 1);
    begin(&journey, "same");
    add_seeds(&journey);
    cr_expect_geq(journey.count, 125, "%zu seeds may be exported", journey.count);
    add_generated(&journey, 40);
    travel(&journey, reference);
    judge(&journey, verdicts, &last);
    cr_expect_eq(verdicts[ORACLE_AGREE], journey.count, "%zu of %zu agree; %s", verdicts[ORACLE_AGREE], journey.count,
                 last.report.message);
    end(&journey);
}

/* ------------------------------------------------------------------------------------------------ a GPU with a bug */

/* `reference`, but fills with one value, which no self-test has, are wrong. */
static enum pica_status run_wrongly(void *instance, const struct pica_operation *operation)
{
    const struct pica_backend *reference = NULL;
    (void)harness_linked_backends(&reference, 1);
    struct pica_operation wrong = *operation;
    if (operation->kind == PICA_OPERATION_MEMORY_FILL && operation->words[2] == 0x55)
        wrong.words[2] = 0x155;
    return reference->run(instance, &wrong);
}

Test(end_to_end, a_bug_of_the_gpu_is_seen_at_its_operation_and_pixel, .timeout = 120)
{
    static const char text[] = "pcase 1\nwindow 0x18000000 size 0x2000\n"
                               "fill 0 { FILL0_START { address = 0x18000000 } FILL0_END { address = 0x18000100 }\n"
                               "FILL0_VALUE = 0x1234 FILL0_CTRL { start = 1, width = 32-bit } }\n"
                               "fill 1 { FILL1_START { address = 0x18001040 } FILL1_END { address = 0x18001080 }\n"
                               "FILL1_VALUE = 0x55 FILL1_CTRL { start = 1, width = 32-bit } }\n";
    struct journey journey;
    struct harness_comparison last = { .operation = 99 };
    size_t verdicts[ORACLE_CRASH + 1] = { 0 };
    const struct pica_backend *reference = NULL;
    (void)harness_linked_backends(&reference, 1);
    struct pica_backend wrong = *reference;
    wrong.run = run_wrongly;
    begin(&journey, "bug");
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(harness_pcase_read(test_case, text, sizeof text - 1, "text", &error), HARNESS_OK, "%s", error.message);
    add(&journey, "two fills", test_case);
    cr_assert_eq(journey.count, 1);
    travel(&journey, &wrong);
    judge(&journey, verdicts, &last);
    cr_expect_eq(verdicts[ORACLE_DIVERGE], 1);
    cr_expect_eq(last.operation, 1);
    cr_expect_not_null(strstr(last.report.message, "first at 0x18001041"), "%s", last.report.message);
    end(&journey);
}
