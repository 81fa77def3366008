/* Recorded results: they answer as the backend did and refuse the rest; a damaged file is told from a good one. */
#include "harness/case/formats.h"
#include "harness/case/state.h"
#include "harness/grammar/gen.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"
#include "harness/run/kind.h"
#include "harness/run/recording.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const struct pica_options options = { .instruction_sets = UINT32_MAX };
static struct harness_error error;

struct bench {
    char path[256];
    struct harness_case *test_case;
    struct harness_program *program;
};

static void open_bench(struct bench *bench, const char *name)
{
    (void)snprintf(bench->path, sizeof bench->path, "%s/recording-%s-%d.res", PICAFUZZ_BINARY_DIR, name, (int)getpid());
    bench->test_case = harness_case_create();
    bench->program = harness_program_create();
    cr_assert(bench->test_case != NULL && bench->program != NULL);
}

static void close_bench(struct bench *bench)
{
    (void)remove(bench->path);
    harness_program_destroy(bench->program);
    harness_case_destroy(bench->test_case);
}

static void generate(struct bench *bench, uint64_t seed)
{
    harness_case_reset(bench->test_case);
    harness_generate(bench->test_case, seed, NULL);
    cr_assert_eq(harness_case_setup(bench->test_case, bench->program, &error), HARNESS_OK, "%s", error.message);
}

static struct harness_runner *runner_of(const struct pica_backend *backend)
{
    struct harness_runner *runner = NULL;
    cr_assert_eq(harness_runner_create(backend, &options, &runner), PICA_OK);
    return runner;
}

/* The generated cases of seeds 1 to `count` on a backend of this house, of which only `parts` are kept. */
static void record(struct bench *bench, const struct pica_backend *backend, uint64_t count, uint32_t parts)
{
    struct harness_recording_head head = { .backend = "house",
                                           .program = "a test",
                                           .date = "2026-11-23T00:00:00Z",
                                           .budgets = PICA_BUDGETS_ALL,
                                           .float24 = 1 };
    struct harness_recorder *recorder = NULL;
    struct harness_runner *const runner = runner_of(backend);
    oracle_scope_all(&head.scope);
    head.scope.parts = parts;
    cr_assert_eq(harness_recording_head(bench->path, &head, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_recorder_open(bench->path, &recorder, &error), HARNESS_OK, "%s", error.message);
    for (uint64_t seed = 1; seed <= count; seed++) {
        generate(bench, seed);
        cr_assert_eq(harness_runner_load(runner, &bench->program->setup), PICA_OK);
        cr_assert_eq(harness_recorder_begin(recorder, "seed", &bench->program->setup, runner, &error), HARNESS_OK);
        for (uint32_t i = 0; i < bench->program->count; i++) {
            cr_assert_eq(harness_runner_step(runner, &bench->program->operations[i]), PICA_OK);
            cr_assert_eq(harness_recorder_step(recorder, &bench->program->operations[i], runner, &error), HARNESS_OK);
        }
        cr_assert_eq(harness_recorder_end(recorder, &error), HARNESS_OK);
    }
    harness_recorder_close(recorder);
    harness_runner_destroy(runner);
    cr_assert_eq(harness_recording_end(bench->path, &error), HARNESS_OK, "%s", error.message);
}

static enum oracle_verdict compare(struct bench *bench, const struct pica_backend *with, char *message, size_t size)
{
    static struct harness_comparison comparison;
    struct harness_runner *runners[2] = { runner_of(harness_linked_backend(HARNESS_REFERENCE)), runner_of(with) };
    const struct harness_compare_options every = { .every_operation = true };
    cr_assert_eq(harness_compare(runners, 2, bench->program, &every, &comparison, &error), HARNESS_OK, "%s",
                 error.message);
    (void)snprintf(message, size, "%s", comparison.report.message);
    harness_runner_destroy(runners[0]);
    harness_runner_destroy(runners[1]);
    return comparison.report.verdict;
}

Test(recording, answers_as_the_backend_did_after_every_operation)
{
    struct bench bench;
    struct harness_recording *recording = NULL;
    char message[4096];
    open_bench(&bench, "same");
    record(&bench, harness_linked_backend(HARNESS_FAST), 60, PICA_PARTS_ALL);
    cr_assert_eq(harness_recording_open(bench.path, &recording, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(harness_recording_cases(harness_recording_backend(recording)), 60);
    cr_expect_not_null(strstr(harness_recording_backend(recording)->summary, "recorded 2026-11-23T00:00:00Z by "));
    for (uint64_t seed = 1; seed <= 60; seed++) {
        generate(&bench, seed);
        const enum oracle_verdict verdict =
            compare(&bench, harness_recording_backend(recording), message, sizeof message);
        cr_expect(verdict == ORACLE_AGREE || verdict == ORACLE_VACUOUS, "seed %u: %s", (unsigned)seed, message);
    }
    harness_recording_close(recording);
    close_bench(&bench);
}

Test(recording, refuses_what_it_does_not_hold)
{
    struct bench bench;
    struct harness_recording *recording = NULL;
    char message[4096];
    open_bench(&bench, "other");
    record(&bench, harness_linked_backend(HARNESS_REFERENCE), 1, PICA_PARTS_ALL);
    cr_assert_eq(harness_recording_open(bench.path, &recording, &error), HARNESS_OK, "%s", error.message);
    generate(&bench, 2);
    cr_expect_eq(compare(&bench, harness_recording_backend(recording), message, sizeof message), ORACLE_REFUSED);
    cr_expect_not_null(strstr(message, "not recorded"), "%s", message);
    generate(&bench, 1);
    bench.program->setup.limits.commands--; /* another case: a budget may end it elsewhere */
    cr_expect_eq(compare(&bench, harness_recording_backend(recording), message, sizeof message), ORACLE_REFUSED);
    harness_recording_close(recording);
    close_bench(&bench);
}

/* What a backend refuses is not what is missing. */
Test(recording, keeps_what_the_backend_did_not_support)
{
    struct bench bench;
    struct harness_recording_head head = {
        .backend = "house", .float24 = 1, .budgets = PICA_BUDGETS_ALL, .has_absences = true
    };
    struct harness_recorder *recorder = NULL;
    struct harness_recording *recording = NULL;
    char message[4096];
    open_bench(&bench, "refused");
    struct harness_runner *const runner = runner_of(harness_linked_backend(HARNESS_REFERENCE));
    oracle_scope_all(&head.scope);
    cr_assert_eq(harness_recording_head(bench.path, &head, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_recorder_open(bench.path, &recorder, &error), HARNESS_OK, "%s", error.message);
    generate(&bench, 1);
    cr_assert_eq(harness_recorder_refused(recorder, "one", &bench.program->setup, &error), HARNESS_OK);
    cr_assert_eq(harness_recorder_end(recorder, &error), HARNESS_OK);
    generate(&bench, 2);
    const struct pica_operation *operation = bench.program->operations;
    cr_assert_eq(harness_runner_load(runner, &bench.program->setup), PICA_OK);
    cr_assert_eq(harness_recorder_begin(recorder, "two", &bench.program->setup, runner, &error), HARNESS_OK);
    for (; operation->kind == PICA_OPERATION_LOAD_MEMORY; operation++)
        cr_assert_eq(harness_recorder_step(recorder, operation, runner, &error), HARNESS_OK);
    cr_assert_eq(harness_recorder_absent(recorder, operation, HARNESS_ABSENCE_UNSUPPORTED, 0, &error), HARNESS_OK);
    cr_assert_eq(harness_recorder_end(recorder, &error), HARNESS_OK);
    harness_recorder_close(recorder);
    harness_runner_destroy(runner);
    cr_assert_eq(harness_recording_end(bench.path, &error), HARNESS_OK);
    cr_assert_eq(harness_recording_open(bench.path, &recording, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(harness_recording_cases(harness_recording_backend(recording)), 2);
    static const char *const words[] = { "recorded as not tested", "recorded as not tested", "not recorded" };
    for (uint64_t seed = 1; seed <= 3; seed++) {
        generate(&bench, seed);
        cr_expect_eq(compare(&bench, harness_recording_backend(recording), message, sizeof message), ORACLE_REFUSED);
        cr_expect_not_null(strstr(message, words[seed - 1]), "%s", message);
    }
    harness_recording_close(recording);
    close_bench(&bench);
}

/* Otherwise zeros would be compared. */
Test(recording, gives_what_was_recorded_and_no_more)
{
    struct bench bench;
    struct harness_recording *recording = NULL;
    open_bench(&bench, "parts");
    record(&bench, harness_linked_backend(HARNESS_REFERENCE), 2, PICA_PART_MEMORY | PICA_PART_TABLES);
    cr_assert_eq(harness_recording_open(bench.path, &recording, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(harness_recording_backend(recording)->models->parts, PICA_PART_MEMORY | PICA_PART_TABLES);
    harness_recording_close(recording);
    close_bench(&bench);
}

/* Of the case of seed 3 only pages that meet a range; another page is not looked at. */
Test(recording, of_some_pages_holds_those_and_says_so)
{
    const struct pica_window range = { 0x18000FFF, 2 };
    struct bench bench;
    struct harness_recording *recording = NULL;
    struct harness_recorder *recorder = NULL;
    struct harness_recording_head head = { .backend = "house", .budgets = PICA_BUDGETS_ALL, .float24 = 1 };
    uint64_t held[16];
    void *instance = NULL;
    open_bench(&bench, "pages");
    oracle_scope_all(&head.scope);
    head.scope.some_pages = true;
    cr_assert_eq(harness_recording_head(bench.path, &head, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_recorder_open(bench.path, &recorder, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_recorder_keep(recorder, &range, 1, &error), HARNESS_OK);
    static const char text[] = "pcase 1\nwindow 0x18000000 size 0x4000\nmemory 0x18000000 bytes { 01 }\n";
    cr_assert_eq(harness_pcase_read(bench.test_case, text, sizeof text - 1, "pages", &error), HARNESS_OK);
    cr_assert_eq(harness_case_setup(bench.test_case, bench.program, &error), HARNESS_OK);
    struct harness_runner *const runner = runner_of(harness_linked_backend(HARNESS_REFERENCE));
    cr_assert_eq(harness_runner_load(runner, &bench.program->setup), PICA_OK);
    cr_assert_eq(harness_recorder_begin(recorder, "pages", &bench.program->setup, runner, &error), HARNESS_OK);
    cr_assert_eq(harness_recorder_end(recorder, &error), HARNESS_OK);
    harness_recorder_close(recorder);
    harness_runner_destroy(runner);
    cr_assert_eq(harness_recording_end(bench.path, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_recording_open(bench.path, &recording, &error), HARNESS_OK, "%s", error.message);
    const struct pica_backend *const backend = harness_recording_backend(recording);
    cr_expect(harness_special(backend)->some_pages);
    cr_assert_eq(harness_backend_create(backend, &options, &instance), PICA_OK);
    cr_assert_eq(backend->load(instance, &bench.program->setup), PICA_OK);
    harness_kind(backend)->held(instance, 0, held);
    cr_expect_eq(held[0], 3, "the last byte of page 0 and the first of page 1: %llx", (unsigned long long)held[0]);
    backend->destroy(instance);
    harness_recording_close(recording);
    close_bench(&bench);
}

static enum harness_status parse(const uint8_t *bytes, size_t size)
{
    struct harness_recording *recording = NULL;
    const enum harness_status status = harness_recording_parse("name.res", bytes, size, &recording, &error);
    harness_recording_close(recording);
    return status;
}

Test(recording, a_file_that_is_cut_or_edited_is_refused_with_its_offset)
{
    struct bench bench;
    uint8_t *bytes = NULL;
    size_t size = 0;
    open_bench(&bench, "cut");
    record(&bench, harness_linked_backend(HARNESS_REFERENCE), 2, PICA_PARTS_ALL);
    cr_assert_eq(harness_file_read(bench.path, &bytes, &size, &error), HARNESS_OK);
    cr_assert_eq(parse(bytes, size), HARNESS_OK, "%s", error.message);
    for (size_t length = 0; length < size; length++) {
        cr_assert_eq(parse(bytes, length), HARNESS_BAD_INPUT, "%zu of %zu bytes", length, size);
        cr_expect_not_null(strstr(error.message, "name.res: offset "), "%s", error.message);
    }
    for (size_t at = 0; at < size; at++) {
        bytes[at] ^= 0x10;
        cr_assert_eq(parse(bytes, size), HARNESS_BAD_INPUT, "bit 4 of byte %zu of %zu", at, size);
        bytes[at] ^= 0x10;
    }
    free(bytes);
    close_bench(&bench);
}

static size_t payload_of(const uint8_t *block)
{
    return block[4] | (size_t)block[5] << 8 | (size_t)block[6] << 16;
}

/* Offset of the first step at or after that of a block. */
static size_t find_step(const uint8_t *bytes, size_t at)
{
    while (memcmp(bytes + at, "DATA", 4) != 0)
        at += 12 + payload_of(bytes + at);
    return at;
}

/* A good checksum of what a block holds now. */
static void seal(uint8_t *block)
{
    const uint32_t sum = (uint32_t)crc32(0, block + 12, (uInt)payload_of(block));
    for (size_t i = 0; i < 4; i++)
        block[8 + i] = (uint8_t)(sum >> (8 * i));
}

/* Loading the bench's case fails, at the step with this offset. */
static void expect_fault(struct bench *bench, const uint8_t *bytes, size_t size, size_t at)
{
    char expected[64];
    struct harness_recording *recording = NULL;
    cr_assert_eq(harness_recording_parse("name.res", bytes, size, &recording, &error), HARNESS_OK, "%s", error.message);
    struct harness_runner *const runner = runner_of(harness_recording_backend(recording));
    const enum pica_status status = harness_runner_load(runner, &bench->program->setup);
    cr_expect_eq(status, PICA_FAILED);
    (void)harness_runner_fail(runner, "loading", status, &error);
    (void)snprintf(expected, sizeof expected, "offset %zu of its file: this step", at);
    cr_expect_not_null(strstr(error.message, expected), "no '%s': %s", expected, error.message);
    harness_runner_destroy(runner);
    harness_recording_close(recording);
}

/* The length of the unpacked step is changed, and the block's CRC-32 with it: that shows when the step is asked for. */
Test(recording, an_edited_step_with_a_good_checksum_is_named_by_its_offset)
{
    struct bench bench;
    uint8_t *bytes = NULL;
    size_t size = 0;
    open_bench(&bench, "step");
    record(&bench, harness_linked_backend(HARNESS_REFERENCE), 1, PICA_PARTS_ALL);
    cr_assert_eq(harness_file_read(bench.path, &bytes, &size, &error), HARNESS_OK);
    const size_t at = find_step(bytes, 8);
    bytes[at + 12 + 16]++;
    seal(bytes + at);
    expect_fault(&bench, bytes, size, at);
    free(bytes);
    close_bench(&bench);
}

/* A case whose state lights a screen, and which writes a register. */
static void light(struct bench *bench, const struct pica_state *state, const char *text)
{
    cr_assert_eq(harness_pcase_read(bench->test_case, text, strlen(text), "lit", &error), HARNESS_OK, "%s",
                 error.message);
    cr_assert_eq(harness_case_setup(bench->test_case, bench->program, &error), HARNESS_OK, "%s", error.message);
    bench->program->setup.initial_state = state;
}

/* Two cases that begin with the same picture. */
static void record_lit(struct bench *bench, const struct pica_state *state, const char *const texts[2])
{
    struct harness_recording_head head = { .backend = "house", .float24 = 1, .has_screens = true };
    struct harness_recorder *recorder = NULL;
    struct harness_runner *const runner = runner_of(harness_linked_backend(HARNESS_REFERENCE));
    oracle_scope_all(&head.scope);
    cr_assert_eq(harness_recording_head(bench->path, &head, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_recorder_open(bench->path, &recorder, &error), HARNESS_OK, "%s", error.message);
    for (size_t i = 0; i < 2; i++) {
        light(bench, state, texts[i]);
        cr_assert_eq(harness_runner_load(runner, &bench->program->setup), PICA_OK);
        cr_assert_eq(harness_recorder_begin(recorder, "lit", &bench->program->setup, runner, &error), HARNESS_OK);
        cr_assert_eq(harness_runner_step(runner, &bench->program->operations[0]), PICA_OK);
        cr_assert_eq(harness_recorder_step(recorder, &bench->program->operations[0], runner, &error), HARNESS_OK);
        cr_assert_eq(harness_recorder_end(recorder, &error), HARNESS_OK);
    }
    harness_recorder_close(recorder);
    harness_runner_destroy(runner);
    cr_assert_eq(harness_recording_end(bench->path, &error), HARNESS_OK, "%s", error.message);
}

Test(recording, pictures_belong_to_their_case_and_follow_its_steps)
{
    static const char *const texts[2] = { "pcase 1\nwindow 0x18000000 size 0x1000\nwrite PDC0_STRIDE = 0x10",
                                          "pcase 1\nwindow 0x18000000 size 0x2000\nwrite PDC0_STRIDE = 0x10" };
    static struct pica_state state;
    struct bench bench;
    struct harness_recording *recording = NULL;
    char message[4096];
    uint8_t *bytes = NULL, history[16];
    size_t size = 0;
    open_bench(&bench, "lit");
    harness_state_reset(&state);
    state.lcd_fill[0] = 0x01332211;
    record_lit(&bench, &state, texts);
    cr_assert_eq(harness_recording_open(bench.path, &recording, &error), HARNESS_OK, "%s", error.message);
    for (size_t i = 0; i < 2; i++) {
        light(&bench, &state, texts[i]);
        const enum oracle_verdict verdict =
            compare(&bench, harness_recording_backend(recording), message, sizeof message);
        cr_expect_eq(verdict, ORACLE_AGREE, "%s", message);
    }
    harness_recording_close(recording);
    /* the steps of the second case change places: the first says that the picture is as before it */
    cr_assert_eq(harness_file_read(bench.path, &bytes, &size, &error), HARNESS_OK);
    size_t steps[4] = { find_step(bytes, 8) };
    for (size_t i = 1; i < 4; i++)
        steps[i] = find_step(bytes, steps[i - 1] + 12 + payload_of(bytes + steps[i - 1]));
    memcpy(history, bytes + steps[2] + 12, sizeof history);
    memcpy(bytes + steps[2] + 12, bytes + steps[3] + 12, sizeof history);
    memcpy(bytes + steps[3] + 12, history, sizeof history);
    seal(bytes + steps[2]);
    seal(bytes + steps[3]);
    expect_fault(&bench, bytes, size, steps[3]);
    free(bytes);
    close_bench(&bench);
}

Test(recording, another_version_is_named)
{
    struct bench bench;
    uint8_t *bytes = NULL;
    size_t size = 0;
    open_bench(&bench, "version");
    record(&bench, harness_linked_backend(HARNESS_REFERENCE), 0, PICA_PARTS_ALL);
    cr_assert_eq(harness_file_read(bench.path, &bytes, &size, &error), HARNESS_OK);
    bytes[20] = 2; /* and its CRC-32 no longer matches; that is said first */
    cr_expect_eq(parse(bytes, size), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "offset 8: this block is damaged"), "%s", error.message);
    free(bytes);
    close_bench(&bench);
}
