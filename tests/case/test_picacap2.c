/* Captures of the second version (docs/formats/picacap.md): what is new in them, and what is wrong with broken ones. */
#include "harness/case/formats.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    CAPACITY = 256
};

static size_t make_file(uint8_t bytes[CAPACITY], const uint32_t *words, uint32_t count)
{
    memcpy(bytes, "PCAP3DS2", 8);
    for (uint32_t i = 0; i < 4 * count; i++)
        bytes[8 + i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    return 8 + 4 * (size_t)count;
}

Test(picacap2, register_writes_vertical_blanks_and_zeros_are_operations)
{
    static const uint32_t words[] = { 3, 6, 0x1040001C, 4, 1, 8, 1, 0, 9, 0x18000100, 0x2000 };
    struct harness_case *const test_case = harness_case_create();
    struct harness_error error = { "" };
    uint8_t bytes[CAPACITY];
    const size_t size = make_file(bytes, words, 11);
    cr_assert_eq(harness_picacap_read(test_case, bytes, size, "x", NULL, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(test_case->operation_count, 3);
    cr_expect_null(test_case->state);
    cr_expect_eq(test_case->operations[0].kind, HARNESS_WRITE);
    cr_expect_eq(test_case->operations[0].address, 0x1040001C);
    cr_expect_eq(test_case->operations[0].words[0], 1);
    cr_expect_eq(test_case->operations[1].kind, HARNESS_VBLANK);
    cr_expect_eq(test_case->operations[1].unit, 1);
    cr_expect_eq(test_case->operations[2].kind, HARNESS_LOAD);
    cr_expect_eq(test_case->operations[2].address, 0x18000100);
    cr_expect_eq(test_case->operations[2].data.kind, HARNESS_DATA_PATTERN);
    cr_expect_eq(harness_data_size(&test_case->operations[2].data, false), 0x2000);
    harness_case_destroy(test_case);
}

/* REG-45: parts that the file does not have follow from its registers. */
Test(picacap2, REG_45_parts_of_the_state_are_what_the_case_begins_with)
{
    static const uint32_t words[] = { 5, 5,  0, 4, 0x65746F6E, 7,  14, 20, 0x3F800000, 1, 2,          3, 4,
                                      7, 27, 4, 2, 7,          28, 8,  21, 22,         2, 0x20000000, 16 };
    struct harness_case *const test_case = harness_case_create();
    struct harness_error error = { "" };
    uint8_t bytes[CAPACITY];
    const size_t size = make_file(bytes, words, 25);
    cr_assert_eq(harness_picacap_read(test_case, bytes, size, "x", NULL, &error), HARNESS_OK, "%s", error.message);
    cr_assert_not_null(test_case->state);
    const struct pica_state *const values = &test_case->state->values;
    cr_expect_eq(values->units[PICA_UNIT_VERTEX].uniforms[0].bits[0], 0x3F800000);
    cr_expect_eq(values->units[PICA_UNIT_VERTEX].uniforms[1].bits[0], 4);
    cr_expect_eq(values->fixed_queue[1], 22);
    cr_expect_eq(values->registers[PICA_REG_IRQ_COMPARE0], 0x12345678, "REG-02: as after a reset");
    cr_expect_eq(test_case->state->given, (uint64_t)1 << 14 | (uint64_t)1 << 27 | (uint64_t)1 << 28);
    harness_case_destroy(test_case);
}

Test(picacap2, messages_name_offset_and_field)
{
    static const struct {
        uint32_t words[10]; /* after the magic */
        uint32_t count;
        const char *message;
    } rows[] = {
        { { 1, 10, 0, 0 }, 4, "offset 0xC: expected chunk type 1 to 9, found 10" },
        { { 1, 6, 0x10400000, 8, 1, 2 }, 6, "offset 0x14: expected chunk size 4 (write), found 8" },
        { { 1, 8, 0, 4 }, 4, "offset 0x14: expected chunk size 0 (vertical blank), found 4" },
        { { 1, 8, 2, 0 }, 4, "offset 0x10: expected screen 0 or 1, found 2" },
        { { 1, 7, 60, 4, 0 }, 5, "offset 0x10: expected the number of a part of the state, found 60" },
        { { 1, 7, 2, 12, 0, 0, 0 }, 7, "offset 0x14: expected a word for each element of the part, found 12 bytes" },
        { { 1, 7, 2, 0 }, 4, "expected a word for each element of the part, found 0 bytes for lcd_fill" },
        { { 1, 7, 2, 3, 0 }, 5, "expected a word for each element of the part, found 3 bytes" },
        { { 2, 7, 2, 4, 0, 7, 2, 4, 0 }, 9, "offset 0x20: expected each part once, found lcd_fill again" },
        { { 2, 8, 0, 0, 7, 2, 4, 0 }, 8, "offset 0x18: expected the state before all operations, found lcd_fill" },
        { { 1, 7, 27, 4, 3 }, 5, "offset 0x18: expected a value that the element can have, found 0x3 for fixed_queue" },
        { { 1, 9, 0, 0x4000001 }, 4, "expected at most 0x4000000 bytes of loads in all" },
    };
    struct harness_case *const test_case = harness_case_create();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct harness_error error = { "" };
        uint8_t bytes[CAPACITY];
        const size_t size = make_file(bytes, rows[i].words, rows[i].count);
        cr_expect_neq(harness_picacap_read(test_case, bytes, size, "x", NULL, &error), HARNESS_OK);
        cr_expect_eq(strncmp(error.message, "x: ", 3), 0, "%s", error.message);
        cr_expect_not_null(strstr(error.message, rows[i].message), "expected '%s' in '%s'", rows[i].message,
                           error.message);
        cr_expect_eq(test_case->operation_count, 0);
    }
    harness_case_destroy(test_case);
}

Test(picacap2, CAP_07_other_versions_are_refused)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_error error = { "" };
    uint8_t bytes[CAPACITY];
    const size_t size = make_file(bytes, (uint32_t[]){ 0 }, 1);
    bytes[7] = '3';
    cr_expect_eq(harness_picacap_read(test_case, bytes, size, "x", NULL, &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(
        strstr(error.message, "x: offset 0x7: expected version 1 or 2 of the format, found the byte 0x33"), "%s",
        error.message);
    cr_expect_eq(harness_format_detect("x", bytes, size), HARNESS_FORMAT_PICACAP, "not taken for a case as bytes");
    harness_case_destroy(test_case);
}
