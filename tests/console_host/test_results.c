/* What a console left: read up to where it was cut, and made a recorded backend that never says more than it knows. */
#include "harness/case/formats.h"
#include "harness/console/import.h"
#include "harness/run/backends.h"
#include "harness/run/compare.h"
#include "harness/run/recording.h"
#include "tests/console_host/bench.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FILL = 0, /* runs of pass 0 in order; those of pass 1 are found by find_run */
    TRIANGLE = 1
};

static struct harness_error error;
static struct console_imported outcomes[2];
static size_t outcome_count;

static void take_outcome(void *user, const struct console_imported *imported)
{
    (void)user;
    if (outcome_count < 2)
        outcomes[outcome_count] = *imported;
    outcome_count++;
}

static uint32_t find_run(const struct bench *bench, uint32_t number, uint32_t pass)
{
    for (uint32_t i = 0; i < bench->view.head.run_count; i++) {
        const struct console_run run = console_view_run(&bench->view, i);
        if (run.pass == pass && run.case_index == bench->view.head.self_test_count + number)
            return i;
    }
    cr_assert_fail("no such run");
    return 0; /* not reached */
}

static enum harness_status parse(const struct bench *bench, const struct bench_results *results,
                                 struct console_results *out)
{
    return console_results_parse("a.results", (const uint8_t *)results->bytes.data, results->bytes.size, &bench->view,
                                 out, &error);
}

static void path_of(char *path, size_t size, const char *name)
{
    (void)snprintf(path, size, "%s/console-%s-%d.res", PICAFUZZ_BINARY_DIR, name, (int)getpid());
}

/* Imports; what became of the two cases is in `outcomes`. */
static void import(const struct bench *bench, const struct console_results *results, size_t count, const char *path)
{
    const struct console_import request = { .view = &bench->view,
                                            .results = results,
                                            .count = count,
                                            .path = path,
                                            .program = "a test",
                                            .date = "2026-11-23T00:00:00Z",
                                            .observer = take_outcome };
    outcome_count = 0;
    cr_assert_eq(console_import_write(&request, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(outcome_count, 2);
}

static void import_one(const struct bench *bench, struct bench_results *bytes, const char *path)
{
    struct console_results results;
    cr_assert_eq(parse(bench, bytes, &results), HARNESS_OK, "%s", error.message);
    import(bench, &results, 1, path);
    console_results_free(&results);
    harness_text_free(&bytes->bytes);
}

/* What a console that agrees leaves is no page of one byte: so the results made here differ from those of `reference`,
 * and the comparison must say so. */
static enum oracle_verdict compare(const char *path, const char *text, char *message, size_t size)
{
    char name[512];
    struct harness_backend backends[2];
    struct harness_runner *runners[2];
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct harness_compare_options how = { .every_operation = true };
    struct harness_case *const test_case = bench_case(text);
    struct harness_program *const program = harness_program_create();
    static struct harness_comparison comparison;
    (void)snprintf(name, sizeof name, "recorded:%s", path);
    cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK);
    const char *const names[2] = { "reference", name };
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(harness_backend_open(names[i], &backends[i], &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_runner_create(backends[i].backend, &options, &runners[i]), PICA_OK);
        harness_runner_restrict(runners[i], &backends[i].scope);
    }
    cr_assert_eq(harness_compare(runners, 2, program, &how, &comparison, &error), HARNESS_OK, "%s", error.message);
    (void)snprintf(message, size, "%s", comparison.report.message);
    for (size_t i = 0; i < 2; i++) {
        harness_runner_destroy(runners[i]);
        harness_backend_close(&backends[i]);
    }
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    return comparison.report.verdict;
}

/* -------------------------------------------------------------------------------------------------------- outcomes */

/* Both passes of both cases; `second` is what pass 1 of the fill's step 1 left. */
static void write_all(struct bench_results *results, const struct bench *bench, uint8_t second)
{
    bench_about(results, bench);
    for (uint32_t pass = 0; pass < 2; pass++) {
        const uint32_t fill = find_run(bench, FILL, pass), triangle = find_run(bench, TRIANGLE, pass);
        bench_step(results, fill, 0, 1, 0x11, pass == 0);
        bench_step(results, fill, 1, 2, pass == 0 ? 0x22 : second, pass == 0);
        bench_over(results, fill, CONSOLE_RUN_OK);
        bench_step(results, triangle, 0, 1, 0x33, pass == 0);
        bench_over(results, triangle, CONSOLE_RUN_OK);
    }
}

Test(results, that_are_the_same_twice_are_a_backend)
{
    struct bench bench;
    struct bench_results results = { .sequence = 0 };
    char path[512], message[ORACLE_MESSAGE_SIZE];
    bench_open(&bench);
    path_of(path, sizeof path, "same");
    write_all(&results, &bench, 0x22);
    import_one(&bench, &results, path);
    cr_expect_eq(outcomes[0].outcome, CONSOLE_OUTCOME_OK);
    cr_expect_eq(outcomes[1].outcome, CONSOLE_OUTCOME_OK);
    cr_expect_eq(compare(path, bench_fill, message, sizeof message), ORACLE_DIVERGE);
    cr_expect_not_null(strstr(message, "first at 0x18000001: reference 0x22, recorded console:new:luma13.4 0x11"), "%s",
                       message);
    (void)remove(path);
    bench_close(&bench);
}

Test(results, that_differ_are_unstable_and_no_divergence)
{
    struct bench bench;
    struct bench_results results = { .sequence = 0 };
    char path[512], message[ORACLE_MESSAGE_SIZE];
    bench_open(&bench);
    path_of(path, sizeof path, "unstable");
    bench_about(&results, &bench);
    const uint32_t first = find_run(&bench, FILL, 0), second = find_run(&bench, FILL, 1);
    bench_step(&results, first, 0, 1, 0x11, true);
    bench_over(&results, first, CONSOLE_RUN_OK);
    bench_step(&results, second, 0, 1, 0x12, false);
    bench_over(&results, second, CONSOLE_RUN_OK);
    import_one(&bench, &results, path);
    cr_expect_eq(outcomes[0].outcome, CONSOLE_OUTCOME_UNSTABLE);
    cr_expect_eq(outcomes[0].operation, 0);
    cr_expect_eq(outcomes[1].outcome, CONSOLE_OUTCOME_NOT_RUN);
    cr_expect_eq(compare(path, bench_fill, message, sizeof message), ORACLE_REFUSED);
    cr_expect_not_null(strstr(message, "gave two results when it was run twice"), "%s", message);
    cr_expect_eq(compare(path, bench_triangle, message, sizeof message), ORACLE_REFUSED);
    cr_expect_not_null(strstr(message, "not recorded"), "%s", message);
    (void)remove(path);
    bench_close(&bench);
}

Test(results, of_a_hang_end_there)
{
    struct bench bench;
    struct bench_results results = { .sequence = 0 };
    char path[512];
    bench_open(&bench);
    path_of(path, sizeof path, "hang");
    bench_about(&results, &bench);
    bench_step(&results, find_run(&bench, FILL, 0), 0, 1, 0x11, true);
    bench_over(&results, find_run(&bench, FILL, 0), CONSOLE_RUN_HANG);
    bench_over(&results, find_run(&bench, TRIANGLE, 0), CONSOLE_RUN_INTERRUPTED);
    import_one(&bench, &results, path);
    cr_expect_eq(outcomes[0].outcome, CONSOLE_OUTCOME_HANG);
    cr_expect_eq(outcomes[0].operation, 1);
    cr_expect_eq(outcomes[1].outcome, CONSOLE_OUTCOME_NOT_HELD);
    cr_expect_eq(outcomes[1].status, CONSOLE_RUN_INTERRUPTED);
    struct harness_recording *recording = NULL;
    cr_assert_eq(harness_recording_open(path, &recording, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(harness_recording_backend(recording)->models->parts, PICA_PART_MEMORY);
    harness_recording_close(recording);
    uint8_t *bytes = NULL;
    size_t size = 0;
    cr_assert_eq(harness_file_read(path, &bytes, &size, &error), HARNESS_OK, "%s", error.message);
    bool has_model = false;
    for (size_t i = 0; i + 14 <= size; i++)
        has_model = has_model || memcmp(bytes + i, "model: New 3DS", 14) == 0;
    cr_expect(has_model, "block FACT");
    free(bytes);
    (void)remove(path);
    bench_close(&bench);
}

Test(results, of_two_consoles_that_do_not_agree_are_unstable)
{
    struct bench bench;
    struct bench_results bytes[2] = { { .sequence = 0 }, { .sequence = 0 } };
    struct console_results results[2];
    char path[512];
    bench_open(&bench);
    path_of(path, sizeof path, "merged");
    const uint32_t run = find_run(&bench, FILL, 0), other = find_run(&bench, TRIANGLE, 0);
    for (size_t i = 0; i < 2; i++) {
        bench_about(&bytes[i], &bench);
        bench_step(&bytes[i], run, 0, 1, 0x11, true);
        bench_step(&bytes[i], run, 1, 1, (uint8_t)(0x22 + i), true);
        bench_over(&bytes[i], run, CONSOLE_RUN_OK);
        bench_step(&bytes[i], other, 0, 1, 0x33, true);
        bench_over(&bytes[i], other, CONSOLE_RUN_OK);
        cr_assert_eq(parse(&bench, &bytes[i], &results[i]), HARNESS_OK, "%s", error.message);
    }
    import(&bench, results, 2, path);
    cr_expect_eq(outcomes[0].outcome, CONSOLE_OUTCOME_UNSTABLE);
    cr_expect_eq(outcomes[0].operation, 1);
    cr_expect_eq(outcomes[1].outcome, CONSOLE_OUTCOME_OK);
    for (size_t i = 0; i < 2; i++) {
        console_results_free(&results[i]);
        harness_text_free(&bytes[i].bytes);
    }
    (void)remove(path);
    bench_close(&bench);
}

/* A page that was lost is no result, even though its STEP record is there. */
Test(results, without_all_pages_of_a_step_are_not_held)
{
    struct bench bench;
    struct bench_results results = { .sequence = 0 };
    char path[512];
    bench_open(&bench);
    path_of(path, sizeof path, "lost");
    bench_about(&results, &bench);
    const uint32_t run = find_run(&bench, FILL, 0);
    bench_step(&results, run, 0, 2, 0x11, false); /* no PAGE records in pass 0 */
    bench_over(&results, run, CONSOLE_RUN_OK);
    import_one(&bench, &results, path);
    cr_expect_eq(outcomes[0].outcome, CONSOLE_OUTCOME_NOT_HELD);
    (void)remove(path);
    bench_close(&bench);
}

/* ---------------------------------------------------------------------------------------- what does not come back */

/* Both ran; fills do not come back, drawn colours do. */
Test(results, that_rest_on_what_does_not_come_back_are_not_tested_and_others_are)
{
    struct bench bench;
    struct bench_results results = { .sequence = 0 };
    char path[512], message[ORACLE_MESSAGE_SIZE];
    bench_open(&bench);
    path_of(path, sizeof path, "missing");
    bench_stranger(&results, &bench);
    bench_way(&results, CONSOLE_CASE_FILLED);
    for (uint32_t pass = 0; pass < 2; pass++) {
        bench_step(&results, find_run(&bench, FILL, pass), 0, 1, 0x11, pass == 0);
        bench_step(&results, find_run(&bench, FILL, pass), 1, 2, 0x22, pass == 0);
        bench_over(&results, find_run(&bench, FILL, pass), CONSOLE_RUN_OK);
        bench_step(&results, find_run(&bench, TRIANGLE, pass), 0, 1, 0x33, pass == 0);
        bench_over(&results, find_run(&bench, TRIANGLE, pass), CONSOLE_RUN_OK);
    }
    import_one(&bench, &results, path);
    cr_expect_eq(outcomes[0].outcome, CONSOLE_OUTCOME_NOT_TESTED);
    cr_expect_eq(outcomes[0].missing, CONSOLE_CASE_FILLED);
    cr_expect_eq(outcomes[1].outcome, CONSOLE_OUTCOME_OK);
    cr_expect_eq(compare(path, bench_fill, message, sizeof message), ORACLE_REFUSED);
    cr_expect_not_null(strstr(message, "not tested"), "%s", message);
    cr_expect_eq(compare(path, bench_triangle, message, sizeof message), ORACLE_DIVERGE);
    cr_expect_not_null(strstr(message, "recorded unnamed machine"), "%s", message);
    (void)remove(path);
    bench_close(&bench);
}

Test(results, of_a_hang_are_a_hang_though_nothing_comes_back)
{
    struct bench bench;
    struct bench_results results = { .sequence = 0 };
    char path[512];
    bench_open(&bench);
    path_of(path, sizeof path, "missing-hang");
    bench_stranger(&results, &bench);
    bench_way(&results, CONSOLE_CASE_CAPABILITIES);
    bench_over(&results, find_run(&bench, FILL, 0), CONSOLE_RUN_HANG);
    bench_over(&results, find_run(&bench, TRIANGLE, 0), CONSOLE_RUN_OK);
    import_one(&bench, &results, path);
    cr_expect_eq(outcomes[0].outcome, CONSOLE_OUTCOME_HANG);
    cr_expect_eq(outcomes[1].outcome, CONSOLE_OUTCOME_NOT_TESTED);
    (void)remove(path);
    bench_close(&bench);
}

Test(results, with_a_page_that_did_not_come_back_are_not_tested)
{
    struct bench bench;
    struct bench_results results = { .sequence = 0 };
    char path[512], message[ORACLE_MESSAGE_SIZE];
    bench_open(&bench);
    path_of(path, sizeof path, "unread");
    bench_stranger(&results, &bench);
    bench_way(&results, 0);
    for (uint32_t pass = 0; pass < 2; pass++) {
        bench_unread(&results, find_run(&bench, FILL, pass), 0, 0x18001000);
        bench_over(&results, find_run(&bench, FILL, pass), CONSOLE_RUN_OK);
    }
    import_one(&bench, &results, path);
    cr_expect_eq(outcomes[0].outcome, CONSOLE_OUTCOME_NOT_TESTED);
    cr_expect_eq(outcomes[0].missing, 0);
    cr_expect_eq(compare(path, bench_fill, message, sizeof message), ORACLE_REFUSED);
    (void)remove(path);
    bench_close(&bench);
}

/* ----------------------------------------------------------------------------------------------------- any bytes */

Test(results, of_another_export_are_refused)
{
    struct bench bench;
    struct bench_results results = { .sequence = 0 };
    struct console_results parsed;
    bench_open(&bench);
    bench.view.head.id[0] ^= 1;
    bench_about(&results, &bench);
    bench.view.head.id[0] ^= 1;
    cr_expect_eq(parse(&bench, &results, &parsed), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "of another export"), "%s", error.message);
    harness_text_free(&results.bytes);
    bench_close(&bench);
}

/* Cut anywhere, all whole records before count; damaged anywhere, all before the damage. */
Test(results, that_are_cut_or_damaged_count_up_to_there, .timeout = 60)
{
    struct bench bench;
    struct bench_results results = { .sequence = 0 };
    struct console_results parsed;
    bench_open(&bench);
    write_all(&results, &bench, 0x22);
    const size_t whole = results.bytes.size, first = sizeof(struct console_record) + sizeof(struct console_about);
    for (size_t size = 0; size < whole; size += size < 256 ? 1 : 61) {
        results.bytes.size = size;
        const enum harness_status status = parse(&bench, &results, &parsed);
        cr_assert_eq(status, size < first ? HARNESS_BAD_INPUT : HARNESS_OK, "%zu bytes: %s", size, error.message);
        if (status == HARNESS_OK) {
            cr_expect_leq(parsed.whole, size);
            cr_expect_eq(parsed.is_cut, parsed.whole != size);
            console_results_free(&parsed);
        }
    }
    results.bytes.size = whole;
    for (size_t at = first; at < whole; at += 67) {
        results.bytes.data[at] = (char)(results.bytes.data[at] ^ 0x10);
        cr_assert_eq(parse(&bench, &results, &parsed), HARNESS_OK, "byte %zu: %s", at, error.message);
        cr_expect_leq(parsed.whole, at);
        console_results_free(&parsed);
        results.bytes.data[at] = (char)(results.bytes.data[at] ^ 0x10);
    }
    harness_text_free(&results.bytes);
    bench_close(&bench);
}

/* Records with right sums and senseless contents. */
Test(results, with_any_contents_harm_nobody, .timeout = 60)
{
    struct bench bench;
    char path[512];
    uint32_t seed = 1, refused = 0, taken = 0;
    bench_open(&bench);
    path_of(path, sizeof path, "any");
    for (uint32_t round = 0; round < 300; round++) {
        struct bench_results results = { .sequence = 0 };
        struct console_results parsed;
        bench_about(&results, &bench);
        for (uint32_t i = 0; i < 12; i++) {
            uint32_t words[1027];
            for (size_t k = 0; k < 1027; k++) {
                seed = seed * 1664525u + 1013904223u;
                words[k] = k < 5 ? seed >> 30 : seed;
            }
            seed = seed * 1664525u + 1013904223u;
            bench_record(&results, round % 4 == 0 ? (seed >> 16) % 9 : 2 + (seed >> 16) % 5, words,
                         (seed >> 8) % 3 == 0 ? 36 : 4108);
        }
        if (parse(&bench, &results, &parsed) == HARNESS_OK) {
            import(&bench, &parsed, 1, path);
            console_results_free(&parsed);
            taken++;
        } else {
            refused++;
        }
        harness_text_free(&results.bytes);
    }
    cr_expect(refused > 20 && taken > 20, "%u refused, %u taken", (unsigned)refused, (unsigned)taken);
    (void)remove(path);
    bench_close(&bench);
}
