/* The .3dsx file and the payload in it: what is written is read again, and a damaged one is told from a good one. */
#include "harness/case/formats.h"
#include "harness/console/program.h"
#include "tests/console_host/bench.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct harness_error error;

static uint32_t word_at(const struct harness_text *text, size_t offset)
{
    uint32_t word = 0;
    cr_assert(offset + 4 <= text->size);
    memcpy(&word, text->data + offset, 4);
    return word;
}

static enum harness_status embed(const struct harness_text *program, size_t payload_size, struct harness_text *out)
{
    static const uint8_t payload[0x5000] = { 1, 2, 3, 4 };
    *out = (struct harness_text){ 0 };
    return console_program_embed((const uint8_t *)program->data, program->size, payload, payload_size, out, &error);
}

Test(program, moves_addresses_behind_the_payload_and_no_others)
{
    struct harness_text program = { 0 }, file;
    bench_program(&program);
    cr_assert_eq(embed(&program, 0x2004, &file), HARNESS_OK, "%s", error.message);
    cr_expect_eq(word_at(&file, 20), 0x2004); /* size of rodata */
    const size_t data = 56 + 8 + 0x2004;
    cr_expect_eq(word_at(&file, data), 0x1000, "rodata begins where it began");
    cr_expect_eq(word_at(&file, data + 4), 0x2000, "a number that is no address");
    cr_expect_eq(word_at(&file, data + 8), 0x4004, "data is two pages further");
    cr_expect_eq(word_at(&file, data + 12), 0x0004, "code stays");
    cr_expect_eq(file.size, program.size - 4 + 0x2004);
    harness_text_free(&file);
    harness_text_free(&program);
}

Test(program, refuses_files_that_end_too_early_or_make_no_sense)
{
    struct harness_text program = { 0 }, file;
    bench_program(&program);
    const size_t whole = program.size;
    for (program.size = 0; program.size < whole; program.size++) {
        cr_expect_eq(embed(&program, 4, &file), HARNESS_BAD_INPUT, "%zu of %zu bytes", program.size, whole);
        cr_expect_not_null(strstr(error.message, "offset "));
        harness_text_free(&file);
    }
    program.data[32 + 8] = 1; /* a relocation of rodata */
    cr_expect_eq(embed(&program, 4, &file), HARNESS_BAD_INPUT);
    harness_text_free(&file);
    program.data[32 + 8] = 0;
    program.data[whole - 2] = 9; /* 9 words of a segment of 4 */
    cr_expect_eq(embed(&program, 4, &file), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "a relocation beyond the end"), "%s", error.message);
    harness_text_free(&file);
    harness_text_free(&program);
}

Test(program, holds_the_cases_themselves)
{
    struct bench bench;
    bench_open(&bench);
    const struct console_payload *const head = &bench.view.head;
    cr_assert_eq(head->case_count, head->self_test_count + 2);
    cr_assert_eq(head->run_count, 4);
    struct harness_text text = { 0 };
    cr_assert_eq(console_view_source(&bench.view, head->case_count - 1, &text, &error), HARNESS_OK);
    struct harness_case *const was = bench_case(bench_triangle), *const is = bench_case(harness_text_string(&text));
    cr_expect(harness_case_equal(was, is, true));
    cr_expect_str_eq(console_view_case_name(&bench.view, head->case_count - 1), "triangle");
    harness_case_destroy(was);
    harness_case_destroy(is);
    harness_text_free(&text);
    bench_close(&bench);
}

Test(program, runs_each_case_twice_all_of_them_before_the_second_time)
{
    struct bench bench;
    uint32_t seen[2] = { 0, 0 };
    bench_open(&bench);
    for (uint32_t i = 0; i < bench.view.head.run_count; i++) {
        const struct console_run run = console_view_run(&bench.view, i);
        cr_expect_eq(run.pass, i / 2);
        seen[run.pass] |= 1u << (run.case_index - bench.view.head.self_test_count);
    }
    cr_expect(seen[0] == 3 && seen[1] == 3);
    bench_close(&bench);
}

Test(program, the_same_cases_give_the_same_bytes)
{
    struct bench a, b;
    bench_open(&a);
    bench_open(&b);
    cr_expect(a.file.size == b.file.size && memcmp(a.file.data, b.file.data, a.file.size) == 0);
    bench_close(&a);
    bench_close(&b);
}

/* Each bit is under the CRC-32, but for the words before it. */
Test(program, tells_a_damaged_payload)
{
    struct bench bench;
    bench_open(&bench);
    const size_t size = bench.view.size;
    uint8_t *const bytes = malloc(size);
    cr_assert_not_null(bytes);
    memcpy(bytes, bench.view.bytes, size);
    struct console_view view;
    for (size_t at = 0; at < size; at += at < 256 ? 1 : 97) {
        bytes[at] ^= 0x40;
        cr_expect_eq(console_view_open("damaged", bytes, size, &view, &error), HARNESS_BAD_INPUT, "byte %zu", at);
        bytes[at] ^= 0x40;
    }
    for (size_t length = 0; length < size; length += length < 256 ? 1 : 4099)
        cr_expect_eq(console_view_open("cut", bytes, length, &view, &error), HARNESS_BAD_INPUT, "%zu bytes", length);
    free(bytes);
    bench_close(&bench);
}

Test(program, is_in_this_build_and_takes_a_payload)
{
    size_t size = 0;
    struct harness_text file, program = { 0 };
    const uint8_t *const bytes = console_program(&size);
    cr_assert_neq(size, 0, "harness/console/runner/runtime.3dsx is not embedded");
    cr_expect_leq(size, 16384, "the program is to stay small: %zu bytes", size);
    harness_text_bytes(&program, bytes, size);
    cr_expect_eq(embed(&program, 0x5000, &file), HARNESS_OK, "%s", error.message);
    harness_text_free(&file);
    harness_text_free(&program);
}
