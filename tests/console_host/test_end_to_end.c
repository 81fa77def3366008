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
#include "tests/sanitized.h"

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
    /* Of the journey. */
    struct mock_weaknesses weak;
    uint32_t starts;
    size_t outcomes[CONSOLE_OUTCOMES], partial;
    struct console_way_choice choice;
    uint32_t screens; /* that were shown */
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

/* One of `stride`. */
static void add_seeds(struct journey *journey, size_t stride)
{
    glob_t paths;
    cr_assert_eq(glob(PICAFUZZ_SOURCE_DIR "/corpus/seeds/*/*.pcase", 0, NULL, &paths), 0);
    for (size_t i = 0; i < paths.gl_pathc; i += stride) {
        struct harness_case *const test_case = harness_case_create();
        cr_assert_eq(harness_case_load_file(test_case, paths.gl_pathv[i], NULL, NULL, &error), HARNESS_OK);
        add(journey, paths.gl_pathv[i], test_case);
    }
    globfree(&paths);
}

static const char two_fills[] = "pcase 1\nwindow 0x18000000 size 0x2000\n"
                                "fill 0 { FILL0_START { address = 0x18000000 } FILL0_END { address = 0x18000100 }\n"
                                "FILL0_VALUE = 0x1234 FILL0_CTRL { start = 1, width = 32-bit } }\n"
                                "fill 1 { FILL1_START { address = 0x18001040 } FILL1_END { address = 0x18001080 }\n"
                                "FILL1_VALUE = 0x55 FILL1_CTRL { start = 1, width = 32-bit } }\n";

static void add_text(struct journey *journey, const char *text)
{
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(harness_pcase_read(test_case, text, strlen(text), "text", &error), HARNESS_OK, "%s", error.message);
    add(journey, "text", test_case);
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

static void take_outcome(void *user, const struct console_imported *imported)
{
    struct journey *const journey = user;
    journey->outcomes[imported->outcome]++;
    journey->partial += imported->is_partial;
}

/* Starts it, again where it died, until it exits. */
static void play(struct journey *journey, const struct mock_setup *setup)
{
    struct mock_result run = { .ending = MOCK_FAULTED };
    for (journey->starts = 0; run.ending != MOCK_EXITED && journey->starts < 8; journey->starts++) {
        cr_assert_eq(mock_run(setup, &run), PICA_OK);
        cr_assert(run.ending == MOCK_EXITED || journey->weak.dies_at_dma, "%s", run.reason);
        cr_expect_eq(run.mistakes, 0, "%s", mock_first_mistake(&run));
        for (size_t i = 0; i < run.effect_count; i++)
            journey->screens += run.effects[i].kind == MOCK_SHOWS_SCREEN;
        mock_release(&run);
    }
    cr_assert_eq(run.ending, MOCK_EXITED, "%s", run.reason);
}

/* Runs it with that GPU; what the console leaves becomes recorded results. */
static void travel(struct journey *journey, const struct pica_backend *gpu)
{
    char path[400];
    size_t program_size = 0, size = 0, payload_size = 0;
    const uint8_t *const program = console_program(&program_size), *payload = NULL;
    uint8_t *bytes = NULL;
    struct console_view view;
    struct console_results results;
    journey->file = (struct harness_text){ 0 };
    cr_assert_eq(console_export_make(journey->export, program, program_size, &journey->file, &error), HARNESS_OK);
    const struct mock_setup setup = { .gpu = gpu,
                                      .program = (const uint8_t *)journey->file.data,
                                      .program_size = journey->file.size,
                                      .card = journey->card,
                                      .weak = journey->weak };
    play(journey, &setup);
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
                                           .date = "2026-11-23T00:00:00Z",
                                           .observer = take_outcome,
                                           .user = journey };
    cr_assert_eq(console_import_write(&import, &error), HARNESS_OK, "%s", error.message);
    journey->choice = results.choice;
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
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    begin(&journey, "same");
    add_seeds(&journey, TEST_PART);
    cr_expect_geq(journey.count, 125 / TEST_PART, "%zu seeds may be exported", journey.count);
    add_generated(&journey, 40 / TEST_PART);
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
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct pica_operation wrong = *operation;
    if (operation->kind == PICA_OPERATION_MEMORY_FILL && operation->words[2] == 0x55)
        wrong.words[2] = 0x155;
    return reference->run(instance, &wrong);
}

Test(end_to_end, a_bug_of_the_gpu_is_seen_at_its_operation_and_pixel, .timeout = 120)
{
    struct journey journey;
    struct harness_comparison last = { .operation = 99 };
    size_t verdicts[ORACLE_CRASH + 1] = { 0 };
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct pica_backend wrong = *reference;
    wrong.run = run_wrongly;
    begin(&journey, "bug");
    add_text(&journey, two_fills);
    cr_assert_eq(journey.count, 1);
    travel(&journey, &wrong);
    judge(&journey, verdicts, &last);
    cr_expect_eq(verdicts[ORACLE_DIVERGE], 1);
    cr_expect_eq(last.operation, 1);
    cr_expect_not_null(strstr(last.report.message, "first at 0x18001041"), "%s", last.report.message);
    end(&journey);
}

/* -------------------------------------------------------------------------------------------------- weaker machines */

struct told {
    size_t verdicts[ORACLE_CRASH + 1];
    struct journey journey;
};

/* Seeds through a machine with these weaknesses and `reference` as its GPU. Nothing of what comes back differs. */
static void travel_weakly(struct told *told, const char *name, struct mock_weaknesses weak)
{
    struct harness_comparison last = { .operation = 0 };
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    memset(told, 0, sizeof *told);
    begin(&told->journey, name);
    told->journey.weak = weak;
    add_seeds(&told->journey, (size_t)6 * TEST_PART); /* ci/console has all of them */
    add_text(&told->journey, two_fills);
    travel(&told->journey, reference);
    judge(&told->journey, told->verdicts, &last);
    cr_expect_eq(told->verdicts[ORACLE_DIVERGE], 0, "%s: %s", name, last.report.message);
}

static void expect_all(const char *name, struct mock_weaknesses weak, uint32_t way, uint32_t starts)
{
    struct told told;
    travel_weakly(&told, name, weak);
    cr_expect_eq(told.journey.outcomes[CONSOLE_OUTCOME_OK], told.journey.count, "%s: %zu of %zu ran", name,
                 told.journey.outcomes[CONSOLE_OUTCOME_OK], told.journey.count);
    cr_expect_eq(told.verdicts[ORACLE_AGREE], told.journey.count, "%s: %zu of %zu agree", name,
                 told.verdicts[ORACLE_AGREE], told.journey.count);
    cr_expect_eq(told.journey.choice.way, way, "%s: way %u", name, told.journey.choice.way);
    cr_expect_eq(told.journey.starts, starts, "%s: %u starts", name, told.journey.starts);
    cr_expect_gt(told.journey.screens, 0, "%s: no screen was shown", name);
    end(&told.journey);
}

Test(end_to_end, a_machine_that_knows_standard_programs_alone_tests_all_that_a_console_does, .timeout = 300)
{
    expect_all("standard", (struct mock_weaknesses){ .only_standard = true }, CONSOLE_LOAD_COPY | CONSOLE_READ_COPY, 1);
}

Test(end_to_end, so_does_one_with_one_block_of_memory_and_one_frame_buffer, .timeout = 300)
{
    expect_all("one", (struct mock_weaknesses){ .one_block = true, .one_slot = true }, CONSOLE_READ_COPY, 1);
}

Test(end_to_end, so_does_one_whose_memory_is_stale_until_a_transfer, .timeout = 300)
{
    expect_all("stale", (struct mock_weaknesses){ .stale = true }, CONSOLE_READ_COPY, 1);
}

Test(end_to_end, so_does_one_that_answers_success_without_data, .timeout = 300)
{
    expect_all("empty", (struct mock_weaknesses){ .empty_answers = true }, CONSOLE_READ_COPY, 1);
}

Test(end_to_end, so_do_machines_without_texture_copies_and_without_any_engine_that_reads_vram, .timeout = 300)
{
    expect_all("transfer", (struct mock_weaknesses){ .no_copies = true, .no_dma = true }, CONSOLE_READ_TRANSFER, 1);
    expect_all("cpu", (struct mock_weaknesses){ .no_copies = true, .no_transfers = true, .no_dma = true },
               CONSOLE_READ_CPU, 1);
}

Test(end_to_end, without_write_back_what_is_drawn_is_not_tested_and_never_differs, .timeout = 300)
{
    struct told told;
    travel_weakly(&told, "host", (struct mock_weaknesses){ .no_write_back = true });
    const struct console_way_choice *const choice = &told.journey.choice;
    cr_expect_eq(choice->works & CONSOLE_CASE_CAPABILITIES,
                 CONSOLE_CASE_LOADED | CONSOLE_CASE_FILLED | CONSOLE_CASE_REGISTERS, "%X", choice->works);
    cr_expect_eq(choice->tried, 0xEF, "all ways but a DMA after a texture copy: %X", choice->tried);
    cr_expect_eq(told.journey.outcomes[CONSOLE_OUTCOME_OK], 1, "that of fills");
    cr_expect_eq(told.journey.outcomes[CONSOLE_OUTCOME_NOT_TESTED] + told.journey.outcomes[CONSOLE_OUTCOME_NOT_HELD],
                 told.journey.count - 1);
    cr_expect_eq(told.verdicts[ORACLE_AGREE], 1);
    end(&told.journey);
}

/* The DMA is tried last, and not again where it ended the machine. */
Test(end_to_end, a_way_that_ends_the_machine_is_left_out_when_it_is_started_again, .timeout = 300)
{
    struct told told;
    travel_weakly(&told, "dies", (struct mock_weaknesses){ .no_write_back = true, .dies_at_dma = true });
    cr_expect_eq(told.journey.starts, 2);
    cr_expect_eq(told.journey.choice.tried, 0xEE, "%X", told.journey.choice.tried);
    cr_expect_eq(told.journey.outcomes[CONSOLE_OUTCOME_OK], 1);
    end(&told.journey);
}

Test(end_to_end, without_depth_the_rest_is_compared, .timeout = 300)
{
    struct told told;
    travel_weakly(&told, "depth", (struct mock_weaknesses){ .hides_depth = true });
    cr_expect_eq(told.journey.choice.missing & CONSOLE_CASE_CAPABILITIES, CONSOLE_CASE_DEPTH, "%X",
                 told.journey.choice.missing);
    cr_expect_gt(told.journey.partial, 0);
    cr_expect_gt(told.verdicts[ORACLE_AGREE], told.journey.count / 2);
    end(&told.journey);
}

Test(end_to_end, with_vertical_blanks_alone_nothing_is_tested, .timeout = 300)
{
    struct told told;
    travel_weakly(&told, "blanks", (struct mock_weaknesses){ .blanks_only = true });
    cr_expect_eq(told.journey.outcomes[CONSOLE_OUTCOME_NOT_HELD], told.journey.count);
    end(&told.journey);
}
