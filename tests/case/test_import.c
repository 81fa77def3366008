/* Captures become cases; broken ones become messages. */
#include "harness/case/formats.h"
#include "pica/regs.h"
#include "tests/case/captures.h"
#include "tests/case/random_case.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VRAM_WORDS = 0x600 / 64
};

/* --------------------------------------------------------------------------------------------------------- captures */

static void count_operations(const struct harness_case *test_case, uint32_t counts[8])
{
    memset(counts, 0, 8 * sizeof counts[0]);
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        counts[test_case->operations[i].kind]++;
}

/* The table of CAPTURES.md: lists, fill units, transfers and copies. */
/* CAP-09 to CAP-12, CAP-14, CAP-15 */
Test(import, captures_hold_the_operations_of_their_table)
{
    static const struct {
        uint32_t lists, fills, transfers;
    } rows[TEST_CAPTURES / 2] = { { 2, 4, 6 }, { 1, 1, 1 }, { 1, 2, 1 }, { 1, 1, 1 }, { 4, 2, 2 },
                                  { 1, 2, 1 }, { 3, 2, 1 }, { 1, 2, 1 }, { 1, 2, 1 }, { 2, 4, 8 },
                                  { 2, 3, 1 }, { 1, 2, 1 }, { 1, 2, 1 }, { 1, 2, 1 } };
    struct harness_case *const test_case = harness_case_create();
    for (uint32_t i = 0; i < TEST_CAPTURES; i++) {
        uint32_t counts[8];
        test_capture_load(i, test_case);
        count_operations(test_case, counts);
        cr_expect_eq(counts[HARNESS_RUN] + counts[HARNESS_SUBMIT], rows[i / 2].lists, "%s", test_capture_names[i]);
        cr_expect_eq(counts[HARNESS_FILL], rows[i / 2].fills, "%s", test_capture_names[i]);
        cr_expect_eq(counts[HARNESS_TRANSFER], rows[i / 2].transfers, "%s", test_capture_names[i]);
        cr_expect_null(test_case->state, "CAP-14");
        cr_expect_eq(test_case->work, HARNESS_MAX_BUDGET, "CAP-15");
    }
    harness_case_destroy(test_case);
}

static void put_words(uint8_t *bytes, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
}

static void read_good(struct harness_case *out, const uint32_t *words, uint32_t count)
{
    uint8_t bytes[512] = "PCAP3DS1";
    struct harness_error error = { "" };
    put_words(bytes + 8, words, count);
    cr_assert_eq(harness_picacap_read(out, bytes, 8 + 4 * count, "good", NULL, &error), HARNESS_OK, "%s",
                 error.message);
}

/* CAP-10: EXT-CMD-14 at any address and size. CAP-09: in the order of the file. */
Test(import, CAP_10_a_list_that_no_load_holds_is_submitted_as_it_lies_in_memory)
{
    static const uint32_t words[] = { 3, 2, 0x18000008, 24, 1, 0x18000010, 4, 7, 2, 0x18000000, 32 };
    struct harness_case *const test_case = harness_case_create();
    read_good(test_case, words, 11);
    cr_assert_eq(test_case->operation_count, 3);
    cr_expect_eq(test_case->operations[0].kind, HARNESS_SUBMIT);
    cr_expect_eq(test_case->operations[0].address, 0x18000008);
    cr_expect_eq(test_case->operations[0].size, 24);
    cr_expect_eq(test_case->operations[1].kind, HARNESS_LOAD);
    cr_expect_eq(test_case->operations[2].kind, HARNESS_SUBMIT);
    cr_expect_eq(test_case->operations[2].size, 32);
    harness_case_destroy(test_case);
}

Test(import, CAP_11_units_with_start_0_are_not_used)
{
    static const uint32_t words[] = { 3, 3, 0, 32, 1, 2, 3, 4, 0,  6, 7,  8,  3,  0,  32, 0,  2,
                                      3, 4, 5, 6,  7, 8, 3, 0, 32, 9, 10, 11, 12, 13, 14, 15, 16 };
    static const uint32_t expected[][5] = {
        { 0, 1, 2, 3, 4 }, { 1, 5, 6, 7, 8 }, { 0, 9, 10, 11, 12 }, { 1, 13, 14, 15, 16 }
    };
    struct harness_case *const test_case = harness_case_create();
    read_good(test_case, words, sizeof words / sizeof words[0]);
    cr_assert_eq(test_case->operation_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        cr_expect_eq(test_case->operations[i].kind, HARNESS_FILL);
        cr_expect_eq(test_case->operations[i].unit, expected[i][0]);
        cr_expect_arr_eq(test_case->operations[i].words, expected[i] + 1, 16);
    }
    harness_case_destroy(test_case);
}

Test(import, CAP_12_transfers_keep_all_nine_words)
{
    static const uint32_t words[] = { 1, 4, 0, 36, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    struct harness_case *const test_case = harness_case_create();
    read_good(test_case, words, 13);
    cr_assert_eq(test_case->operation_count, 1);
    cr_expect_eq(test_case->operations[0].kind, HARNESS_TRANSFER);
    cr_expect_arr_eq(test_case->operations[0].words, words + 4, 36);
    harness_case_destroy(test_case);
}

/* Memory as the loads of a file leave it, before operation `until` runs; windows of the case. */
static uint8_t loaded_byte(const struct harness_program *program, uint32_t until, uint32_t address)
{
    for (uint32_t i = until; i-- > 0;) {
        const struct pica_operation *const load = &program->operations[i];
        if (load->kind == PICA_OPERATION_LOAD_MEMORY && address - load->address < load->size)
            return load->data[address - load->address];
    }
    return 0;
}

static void read_words(const uint8_t *bytes, uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16 |
                   (uint32_t)bytes[4 * i + 3] << 24;
}

/* Turning loads into lists must not change what memory holds when a list starts. */
Test(import, lists_taken_out_of_loads_leave_memory_as_the_file_has_it)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    uint32_t compared = 0;
    for (uint32_t i = 0; i < TEST_CAPTURES; i++) {
        size_t size;
        uint8_t *const file = test_capture_bytes(i, &size);
        test_capture_load(i, test_case);
        cr_assert_eq(harness_case_setup(test_case, program, NULL), HARNESS_OK);
        uint32_t at = 0; /* operation */
        uint32_t load_offsets[256];
        uint32_t load_count = 0;
        for (size_t offset = 12; offset < size;) {
            uint32_t head[3];
            read_words(file + offset, head, 3);
            if (head[0] == 1) {
                cr_assert_lt(load_count, 256);
                load_offsets[load_count++] = (uint32_t)offset;
            }
            if (head[0] == 2) {
                while (program->operations[at].kind != PICA_OPERATION_SUBMIT_LIST)
                    at++;
                cr_assert_eq(program->operations[at].address, head[1]);
                cr_assert_eq(program->operations[at].size, head[2]);
                for (uint32_t k = 0; k < load_count; k++) {
                    uint32_t load[3];
                    read_words(file + load_offsets[k], load, 3);
                    for (uint32_t b = 0; b < load[2]; b += 61) {
                        bool later = false; /* a later load of the file may cover the byte */
                        for (uint32_t j = k + 1; j < load_count && !later; j++) {
                            uint32_t other[3];
                            read_words(file + load_offsets[j], other, 3);
                            later = load[1] + b - other[1] < other[2];
                        }
                        if (later)
                            continue;
                        cr_assert_eq(loaded_byte(program, at, load[1] + b), file[load_offsets[k] + 12 + b]);
                        compared++;
                    }
                }
                at++;
            }
            offset += 12 + (head[0] == 2 ? 0 : (head[2] + 3) / 4 * 4);
        }
        free(file);
    }
    cr_expect_gt(compared, 1000);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
}

Test(import, lists_that_a_file_holds_whole_become_typed)
{
    struct harness_case *const test_case = harness_case_create();
    uint32_t typed = 0;
    for (uint32_t i = 0; i < TEST_CAPTURES; i++) {
        uint32_t counts[8];
        test_capture_load(i, test_case);
        count_operations(test_case, counts);
        typed += counts[HARNESS_RUN];
    }
    cr_expect_gt(typed, 28);
    harness_case_destroy(test_case);
}

/* mesh: packed s16/s8/u8 attributes with a stride of 16, and indices of both widths (CAPTURES.md). */
Test(import, vertex_arrays_and_indices_become_tables_of_the_same_bytes)
{
    static const uint8_t expected[][2] = {
        { HARNESS_ELEMENT_S16, 4 }, { HARNESS_ELEMENT_S8, 4 }, { HARNESS_ELEMENT_U8, 2 }, { HARNESS_ELEMENT_PAD, 2 }
    };
    struct harness_case *const test_case = harness_case_create();
    uint32_t vertex_tables = 0;
    uint32_t index_tables = 0;
    test_capture_load(14, test_case);
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        const struct harness_data *const data = &test_case->operations[i].data;
        if (test_case->operations[i].kind != HARNESS_LOAD || data->kind != HARNESS_DATA_TABLE)
            continue;
        index_tables += data->layout.field_count == 1;
        if (data->layout.field_count != 4)
            continue;
        vertex_tables++;
        for (uint32_t f = 0; f < 4; f++) {
            cr_expect_eq(data->layout.fields[f].element, expected[f][0]);
            cr_expect_eq(data->layout.fields[f].count, expected[f][1]);
        }
    }
    cr_expect_eq(vertex_tables, 2);
    cr_expect_eq(index_tables, 2);
    harness_case_destroy(test_case);
}

/* ----------------------------------------------------------------------------------------------------- broken files */

Test(import, CAP_07_a_picacap_cut_anywhere_is_an_error_with_an_offset)
{
    struct harness_case *const test_case = harness_case_create();
    size_t size;
    uint8_t *const file = test_capture_bytes(8, &size); /* jumps-f0, the smallest */
    for (size_t cut = 0; cut < size; cut++) {
        struct harness_error error = { "" };
        uint8_t *const copy = malloc(cut + 1); /* exact, for the address sanitizer */
        memcpy(copy, file, cut);
        cr_assert_eq(harness_picacap_read(test_case, copy, cut, "cut.picacap", NULL, &error), HARNESS_BAD_INPUT, "%zu",
                     cut);
        cr_assert_eq(strncmp(error.message, "cut.picacap: offset 0x", 22), 0, "%s", error.message);
        cr_assert_eq(test_case->operation_count, 0);
        free(copy);
    }
    free(file);
    harness_case_destroy(test_case);
}

Test(import, CAP_07_picacap_messages_name_the_field)
{
    static const struct {
        uint32_t words[8]; /* after the magic: count, then chunks */
        uint32_t count;
        const char *message;
    } rows[] = { { { 0 }, 0, "offset 0x0: expected a file header of 12 bytes" },
                 { { 1 }, 1, "offset 0xC: expected a chunk header of 12 bytes, found 0 bytes" },
                 { { 1, 6, 0, 0 }, 4, "offset 0xC: expected chunk type 1 to 5, found 6" },
                 { { 1, 1, 0x18000000, 8, 0 }, 5, "offset 0x14: expected a chunk size that fits the file, found 0x8" },
                 { { 1, 1, 0x18000000, 0xFFFFFFFF, 0 }, 5, "offset 0x14: expected a chunk size that fits the file" },
                 { { 1, 3, 0, 4, 0 }, 5, "offset 0x14: expected chunk size 32 (fills), found 4" },
                 { { 1, 4, 0, 4, 0 }, 5, "offset 0x14: expected chunk size 36 (transfer), found 4" },
                 { { 1, 5, 4, 0 }, 4, "offset 0x10: expected chunk address 0, found 0x00000004" },
                 { { 0, 0 }, 2, "offset 0xC: expected the end of the file after the last chunk, found 4 more bytes" } };
    struct harness_case *const test_case = harness_case_create();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t bytes[48] = "PCAP3DS1";
        struct harness_error error = { "" };
        put_words(bytes + 8, rows[i].words, rows[i].count);
        cr_expect_eq(harness_picacap_read(test_case, bytes, 8 + 4 * rows[i].count, "x", NULL, &error),
                     HARNESS_BAD_INPUT);
        cr_expect_not_null(strstr(error.message, rows[i].message), "expected '%s' in '%s'", rows[i].message,
                           error.message);
    }
    harness_case_destroy(test_case);
}

Test(import, mutated_captures_give_a_valid_case_or_a_message)
{
    struct test_random random;
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const bytes = malloc(1 << 17);
    uint32_t good = 0;
    uint32_t bad = 0;
    test_random_seed(&random, 30);
    for (uint32_t round = 0; round < 3000; round++) {
        size_t size;
        uint8_t *const file = test_capture_bytes(round % TEST_CAPTURES, &size);
        struct harness_error error = { "" };
        memcpy(bytes, file, size);
        free(file);
        size = test_mutate(&random, bytes, size, 1 << 17);
        if (harness_picacap_read(test_case, bytes, size, "mutated", NULL, &error) == HARNESS_OK) {
            cr_assert_eq(harness_case_check(test_case, &error), HARNESS_OK, "%s", error.message);
            cr_assert_eq(harness_import_windows(test_case, NULL, NULL, &error), HARNESS_OK);
            cr_assert_eq(harness_case_check(test_case, &error), HARNESS_OK, "%s", error.message);
            good++;
        } else {
            cr_assert_gt(strlen(error.message), 10);
            bad++;
        }
    }
    cr_expect(good > 100 && bad > 100);
    free(bytes);
    harness_case_destroy(test_case);
}

/* ---------------------------------------------------------------------------------------------------------- CiTrace */

enum {
    CTF_SIZE = 100 + 0x4000 + 0xC00 + 256 + 2 * 32 + 1536 + 16 + 6 * 20
};

/* A trace with all that a recorder writes: registers, attributes, code, uniforms, then a list run by register
 * writes. */
static size_t make_ctf(uint8_t *bytes)
{
    uint32_t header[25] = { 0, 1, 100 };
    uint32_t at = 100;
    const struct {
        uint32_t blob, words;
    } blobs[] = { { 0, 0x1000 }, { 2, 0x300 }, { 3, 64 }, { 4, 8 }, { 5, 8 }, { 6, 384 } };
    memset(bytes, 0, CTF_SIZE);
    for (size_t i = 0; i < sizeof blobs / sizeof blobs[0]; i++) {
        header[3 + 2 * blobs[i].blob] = at;
        header[4 + 2 * blobs[i].blob] = blobs[i].words;
        at += 4 * blobs[i].words;
    }
    put_words(bytes + header[3 + 4] + 4 * PICA_REG_PRIMITIVE_CONFIG, (uint32_t[]){ 0x100 }, 1);
    put_words(bytes + header[3 + 6], (uint32_t[]){ 0x3F0000, 0xBF0000, 0x3E0000, 0xDEADBEEF }, 4);
    put_words(bytes + header[3 + 8], (uint32_t[]){ 0x88000000 }, 1);
    put_words(bytes + header[3 + 12] + 16 * 5, (uint32_t[]){ 0x408000, 0, 0, 0x7F0001 }, 4);
    const uint32_t list = at;
    put_words(bytes + at, (uint32_t[]){ 0x12345678, 0x000F0010, 0x12345678, 0x000F0010 }, 4);
    at += 16;
    header[23] = at;
    header[24] = 6;
    const uint32_t stream[6][4] = { { 0xE1, 0, 0, 0 },          { 0xE2, list, 16, 0x20000000 },
                                    { 0xE3, 0x104018E0, 2, 0 }, { 0xE3, 0x104018E8, 0x04000000, 0 },
                                    { 0xE3, 0x104018F0, 1, 0 }, { 0xE3, 0x12345678, 1, 0 } };
    for (uint32_t i = 0; i < 6; i++, at += 20)
        put_words(bytes + at, stream[i], 4);
    put_words(bytes, header, 25);
    memcpy(bytes, "CiTr", 4);
    return at;
}

/* CAP-01 to CAP-04, CAP-06, CAP-08 */
Test(import, a_trace_becomes_state_and_operations)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_error error = { "" };
    uint8_t *const bytes = malloc(CTF_SIZE);
    const size_t size = make_ctf(bytes);
    cr_assert_eq(harness_ctf_read(test_case, bytes, size, "t.ctf", NULL, &error), HARNESS_OK, "%s", error.message);
    cr_assert_not_null(test_case->state);
    const struct pica_state *const values = &test_case->state->values;
    cr_expect_eq(values->registers[PICA_REG_PRIMITIVE_CONFIG], 0x100);
    cr_expect_eq(values->fixed[0].bits[0], 0x3F800000);
    cr_expect_eq(values->fixed[0].bits[1], 0xBF800000);
    cr_expect_eq(values->fixed[0].bits[2], 0x3F000000);
    cr_expect_eq(values->fixed[0].bits[3], 0x3F800000, "CAP-04: w is unknown");
    cr_expect_eq(values->units[PICA_UNIT_VERTEX].code[0], 0x88000000);
    cr_expect_eq(values->units[PICA_UNIT_VERTEX].uniforms[5].bits[0], 0x40400000);
    cr_expect_eq(values->units[PICA_UNIT_VERTEX].uniforms[5].bits[3], 0x3F800000);
    cr_expect_eq(test_case->state->given >> harness_part_find("geometry.code") & 1, 0, "CAP-06: not recorded");
    cr_expect_eq(test_case->state->given >> harness_part_find("tables.lighting") & 1, 0, "CAP-06: not recorded");
    cr_expect_eq(values->registers[PICA_REG_IRQ_COMPARE0], 0, "CAP-03: the file's value, not the reset one");
    cr_assert_eq(test_case->operation_count, 2, "CAP-02: a write to an unknown address is ignored");
    cr_expect_eq(test_case->operations[0].kind, HARNESS_NOTE);
    cr_expect_eq(test_case->operations[1].kind, HARNESS_RUN);
    cr_expect_eq(test_case->operations[1].address, 0x20000000);
    cr_expect_eq(test_case->operations[1].data.list.count, 2);
    free(bytes);
    harness_case_destroy(test_case);
}

Test(import, CAP_05_blobs_four_times_too_large_are_read_in_their_first_part)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_error error = { "" };
    uint8_t *const bytes = calloc(1, 100 + 16 * 64);
    put_words(bytes, (uint32_t[]){ 0, 1, 100 }, 3);
    memcpy(bytes, "CiTr", 4);
    put_words(bytes + 12 + 8 * 3, (uint32_t[]){ 100, 4 * 64 }, 2);
    put_words(bytes + 100 + 16 * 15, (uint32_t[]){ 0x3F0000 }, 1);
    put_words(bytes + 100 + 16 * 16, (uint32_t[]){ 0x7F0000 }, 1);
    cr_assert_eq(harness_ctf_read(test_case, bytes, 100 + 16 * 64, "t.ctf", NULL, &error), HARNESS_OK, "%s",
                 error.message);
    cr_expect_eq(test_case->state->values.fixed[15].bits[0], 0x3F800000);
    free(bytes);
    harness_case_destroy(test_case);
}

Test(import, CAP_07_ctf_messages_name_the_field)
{
    static const struct {
        uint32_t offset, value;
        const char *message;
    } rows[] = { { 0, 0x58585858, "offset 0x0: expected the magic CiTr" },
                 { 4, 2, "offset 0x4: expected version 1, found 2" },
                 { 8, 99, "offset 0x8: expected a header size from 100" },
                 { 12, 0xFFFFFFF0, "offset 0xC: expected gpu_registers inside the file" },
                 { 16, 5, "offset 0x10: expected gpu_registers of 0 or at least 0x1000 words, found 0x5" },
                 { 32, 0x40000000, "offset 0x1C: expected pica_registers inside the file" },
                 { 64, 1, "vs_float_uniforms of 0 or at least 0x180 words" },
                 { 92, 0xFFFFFFF0, "offset 0x5C: expected a stream inside the file" },
                 { 96, 7, "offset 0x5C: expected a stream inside the file" } };
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const bytes = malloc(CTF_SIZE);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct harness_error error = { "" };
        const size_t size = make_ctf(bytes);
        put_words(bytes + rows[i].offset, &rows[i].value, 1);
        cr_expect_eq(harness_ctf_read(test_case, bytes, size, "t.ctf", NULL, &error), HARNESS_BAD_INPUT);
        cr_expect_not_null(strstr(error.message, rows[i].message), "expected '%s' in '%s'", rows[i].message,
                           error.message);
    }
    struct harness_error error = { "" };
    const size_t size = make_ctf(bytes);
    put_words(bytes + size - 20, (uint32_t[]){ 0xE4 }, 1);
    cr_expect_eq(harness_ctf_read(test_case, bytes, size, "t.ctf", NULL, &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "expected element type 0xE1, 0xE2 or 0xE3, found 0xE4"), "%s",
                       error.message);
    free(bytes);
    harness_case_destroy(test_case);
}

Test(import, CAP_07_a_trace_cut_anywhere_is_an_error_or_a_valid_case)
{
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const bytes = malloc(CTF_SIZE);
    const size_t size = make_ctf(bytes);
    for (size_t cut = 0; cut < size; cut++) {
        struct harness_error error = { "" };
        cr_assert_eq(harness_ctf_read(test_case, bytes, cut, "t.ctf", NULL, &error), HARNESS_BAD_INPUT, "%zu", cut);
        cr_assert_eq(strncmp(error.message, "t.ctf: offset 0x", 16), 0, "%s", error.message);
    }
    free(bytes);
    harness_case_destroy(test_case);
}

/* ----------------------------------------------------------------------------------------------- raw lists, windows */

Test(import, raw_lists_run_from_the_end_of_fcram)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_error error = { "" };
    uint8_t bytes[24];
    put_words(bytes, (uint32_t[]){ 1, 0x000F0103, 0x12345678, 0x000F0010, 2, 3 }, 6);
    cr_assert_eq(harness_raw_list_read(test_case, bytes, 24, "l.bin", &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(test_case->operation_count, 1);
    cr_expect_eq(test_case->operations[0].address, 0x27FFF000);
    cr_expect_eq(test_case->operations[0].data.list.count, 3);
    cr_expect_eq(test_case->work, HARNESS_DEFAULT_WORK, "CAP-15");
    cr_expect_eq(harness_raw_list_read(test_case, bytes, 23, "l.bin", &error), HARNESS_BAD_INPUT);
    cr_expect_str_eq(error.message, "l.bin: offset 0x17: expected a size that is a multiple of 4, found 23 bytes");
    harness_case_destroy(test_case);
}

Test(import, CAP_13_windows_are_the_pages_of_loads_fills_copies_and_of_the_run)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_text warnings = { 0 };
    struct harness_data data;
    uint64_t vram[VRAM_WORDS];
    memset(vram, 0, sizeof vram);
    harness_import_wide_windows(test_case);
    harness_data_pattern(&data, HARNESS_PATTERN_FILL, 0, 0x1001);
    cr_assert_not_null(harness_case_add_load(test_case, 0x20000FFF, &data)); /* pages 0, 1 */
    cr_assert_not_null(harness_case_add_load(test_case, 0x1FFFFFFF, &data)); /* one byte outside, then page 0 and 1 */
    const uint32_t fill[4] = { 0x18100000 / 8, 0x18102000 / 8, 0, 1 };
    cr_assert_not_null(harness_case_add_fill(test_case, 0, fill));
    const uint32_t copy[9] = { 0x20100000 / 8, 0x20200000 / 8, 0, 0, 8, 0, 0x2000, 0, 0x00010001 };
    cr_assert_not_null(harness_case_add_transfer(test_case, copy)); /* in 2 pages, out 0x4000 - 16 bytes */
    vram[0] = 1u << 5;
    const struct harness_touched touched[2] = { { NULL, vram, VRAM_WORDS }, { NULL, NULL, 0 } };
    cr_assert_eq(harness_import_windows(test_case, touched, &warnings, NULL), HARNESS_OK);
    static const struct pica_window expected[] = { { 0x18005000, 0x1000 },
                                                   { 0x18100000, 0x2000 },
                                                   { 0x20000000, 0x2000 },
                                                   { 0x20100000, 0x2000 },
                                                   { 0x20200000, 0x4000 } };
    cr_assert_eq(test_case->window_count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        cr_expect_eq(test_case->windows[i].address, expected[i].address, "%u: %08X", i, test_case->windows[i].address);
        cr_expect_eq(test_case->windows[i].size, expected[i].size, "%u: %X", i, test_case->windows[i].size);
    }
    cr_expect_not_null(strstr(harness_text_string(&warnings), "neither VRAM nor FCRAM"));
    harness_text_free(&warnings);
    harness_case_destroy(test_case);
}

Test(import, CAP_13_more_than_16_ranges_join_across_the_smallest_gaps)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_data data;
    uint32_t address = 0x20000000;
    harness_data_pattern(&data, HARNESS_PATTERN_FILL, 0, 0x1000);
    harness_import_wide_windows(test_case);
    for (uint32_t i = 0; i < 18; i++) { /* gaps of 30, 29, .. pages; the last two are the smallest */
        cr_assert_not_null(harness_case_add_load(test_case, address, &data));
        address += 0x1000 * (31 - i);
    }
    cr_assert_eq(harness_import_windows(test_case, NULL, NULL, NULL), HARNESS_OK);
    cr_assert_eq(test_case->window_count, 16);
    cr_expect_eq(test_case->windows[14].size, 0x1000);
    cr_expect_eq(test_case->windows[15].size, 0x1000 * (1 + 15 + 1 + 14 + 1));
    cr_expect_eq(harness_case_check(test_case, NULL), HARNESS_OK);
    harness_case_destroy(test_case);
}

/* ------------------------------------------------------------------------------------------------------------ files */

Test(files, formats_are_found_by_content_then_by_name)
{
    static const struct {
        const char *path, *bytes;
        enum harness_format format;
    } rows[] = { { "a", "PCAP3DS1", HARNESS_FORMAT_PICACAP }, { "a.picacap", "", HARNESS_FORMAT_PICACAP },
                 { "a", "CiTr", HARNESS_FORMAT_CTF },         { "a", "# x\n\n ; y\npcase 1", HARNESS_FORMAT_PCASE },
                 { "a.pcase", "", HARNESS_FORMAT_PCASE },     { "a.pcb", "PCAP3DS1", HARNESS_FORMAT_PCB },
                 { "id:000001", "abc", HARNESS_FORMAT_PCB },  { "list.bin", "abcd", HARNESS_FORMAT_RAW_LIST } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        cr_expect_eq(harness_format_detect(rows[i].path, (const uint8_t *)rows[i].bytes, strlen(rows[i].bytes)),
                     rows[i].format, "%s %s", rows[i].path, rows[i].bytes);
}

Test(files, cases_are_saved_and_loaded_in_both_forms)
{
    struct harness_case *const a = harness_case_create();
    struct harness_case *const b = harness_case_create();
    struct harness_error error = { "" };
    static const char *const paths[] = { PICAFUZZ_BINARY_DIR "/test_import.pcase",
                                         PICAFUZZ_BINARY_DIR "/test_import.pcb" };
    test_capture_load(8, a);
    for (uint32_t i = 0; i < 2; i++) {
        enum harness_format format;
        cr_assert_eq(harness_case_save_file(a, paths[i], &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_case_load_file(b, paths[i], &format, NULL, &error), HARNESS_OK, "%s", error.message);
        cr_expect_eq(format, i == 0 ? HARNESS_FORMAT_PCASE : HARNESS_FORMAT_PCB);
        cr_expect(harness_case_equal(a, b, true));
        remove(paths[i]);
    }
    cr_expect_eq(harness_case_load_file(b, "/nonexistent/x.pcase", NULL, NULL, &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "/nonexistent/x.pcase: cannot be opened"), "%s", error.message);
    cr_expect_eq(harness_case_save_file(a, "/nonexistent/x.pcase", &error), HARNESS_HOST);
    harness_case_destroy(a);
    harness_case_destroy(b);
}
