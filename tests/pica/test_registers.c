/* regs.def and extregs.def against the tables that docs/spec prints. */
#include "pica/backend.h"
#include "pica/extregs.h"
#include "pica/fields.h"
#include "pica/regs.h"

#include <criterion/criterion.h>
#include <stdio.h>

Test(pica_registers, each_id_appears_exactly_once_and_in_order)
{
    static const uint32_t ids[] = {
#define REG(id, NAME, layout, reset, CLASS, rule) id,
#include "pica/regs.def"
    };
    cr_assert_eq(sizeof ids / sizeof ids[0], 0x300);
    for (uint32_t i = 0; i < 0x300; i++)
        cr_assert_eq(ids[i], i, "line %u of regs.def has id %03X", (unsigned)i, (unsigned)ids[i]);
}

Test(pica_registers, each_register_is_found_by_id_and_by_its_unique_name)
{
    for (uint32_t i = 0; i < PICA_REG_TOTAL; i++) {
        const struct pica_reg_info *const info = pica_reg_info(i);
        cr_assert_eq(info->id, i);
        cr_assert_eq(pica_reg_by_name(info->name), info, "%s is not unique", info->name);
    }
    cr_assert_null(pica_reg_info(0x300));
    cr_assert_null(pica_reg_info(0xFFFFFFFF));
    cr_assert_null(pica_reg_by_name("TEXENV6_SOURCE"));
    cr_assert_eq(pica_reg_by_name("TEXENV5_SOURCE")->id, 0x0F8);
}

Test(pica_registers, unused_registers_are_named_after_their_id_and_have_no_behaviour)
{
    for (uint32_t i = 0; i < PICA_REG_TOTAL; i++) {
        const struct pica_reg_info *const info = pica_reg_info(i);
        unsigned id;
        if (sscanf(info->name, "UNUSED_%3X", &id) != 1)
            continue;
        cr_assert_eq(id, i, "%s", info->name);
        cr_assert_eq(info->reg_class, i < 0x40 ? PICA_REG_CLASS_CPU_ONLY : PICA_REG_CLASS_STORAGE, "%s", info->name);
    }
}

/* The id table of 10-command-stream.md section 5: class letter and "Bits", copied by hand. X = C+T. */
struct id_row {
    uint32_t first, last;
    char class_letter;
    uint32_t bits;
};

/* Bits high:low and single bits, as the table writes them. */
#define B(high, low) (0xFFFFFFFFu >> (31 - (high)) & 0xFFFFFFFFu << (low))
#define ALL          0xFFFFFFFFu

/*
 * Where an area's own rule is narrower than the table's "all", the rule is used: LIT-06, LIT-07 and LIT-20 for 1C3,
 * 1C4 and 1D0-1D2 ("others ignored"), SHD-21 for operand descriptors (bit 31 ignored).
 */
static const struct id_row id_table[] = {
    { 0x000, 0x00F, 'K', ALL },
    { 0x010, 0x010, 'Q', ALL },
    { 0x011, 0x01F, 'Q', ALL },
    { 0x020, 0x02F, 'K', ALL },
    { 0x030, 0x031, 'K', ALL },
    { 0x032, 0x033, 'K', 0 },
    { 0x034, 0x034, 'K', B(0, 0) },
    { 0x035, 0x03F, 'K', 0 },
    { 0x040, 0x040, 'C', B(1, 0) },
    { 0x041, 0x041, 'C', B(23, 0) },
    { 0x042, 0x042, 'C', B(31, 1) },
    { 0x043, 0x043, 'C', B(23, 0) },
    { 0x044, 0x044, 'C', B(31, 1) },
    { 0x045, 0x046, 'S', 0 },
    { 0x047, 0x047, 'C', B(0, 0) },
    { 0x048, 0x04B, 'C', B(23, 0) },
    { 0x04C, 0x04C, 'S', 0 },
    { 0x04D, 0x04E, 'C', B(23, 0) },
    { 0x04F, 0x04F, 'C', B(2, 0) },
    { 0x050, 0x056, 'C', B(4, 0) | B(12, 8) | B(20, 16) | B(28, 24) },
    { 0x057, 0x057, 'S', 0 },
    { 0x058, 0x058, 'S', B(0, 0) }, /* REG-07 */
    { 0x059, 0x05F, 'S', 0 },
    { 0x060, 0x060, 'S', B(9, 8) }, /* REG-07 */
    { 0x061, 0x061, 'C', B(1, 0) },
    { 0x062, 0x062, 'C', B(0, 0) },
    { 0x063, 0x063, 'T', B(0, 0) },
    { 0x064, 0x064, 'C', B(0, 0) },
    { 0x065, 0x065, 'C', B(1, 0) },
    { 0x066, 0x067, 'C', B(9, 0) | B(25, 16) },
    { 0x068, 0x068, 'C', B(9, 0) | B(25, 16) },
    { 0x069, 0x069, 'S', 0 },
    { 0x06A, 0x06A, 'C', B(23, 0) },
    { 0x06B, 0x06C, 'S', 0 },
    { 0x06D, 0x06D, 'C', B(0, 0) },
    { 0x06E, 0x06E, 'C', B(10, 0) | B(21, 12) },
    { 0x06F, 0x06F, 'C', B(1, 0) | B(10, 8) | B(16, 16) | B(24, 24) },
    { 0x070, 0x07F, 'S', 0 },
    { 0x080, 0x080, 'C', B(2, 0) | B(9, 8) | B(10, 10) | B(13, 13) | B(16, 16) },
    { 0x081, 0x081, 'C', ALL },
    { 0x082, 0x082, 'C', B(10, 0) | B(26, 16) },
    { 0x083, 0x083, 'C', B(2, 1) | B(10, 8) | B(14, 12) | B(24, 24) | B(30, 28) },
    { 0x084, 0x084, 'C', B(12, 0) | B(19, 16) | B(27, 24) },
    { 0x085, 0x085, 'C', B(27, 0) },
    { 0x086, 0x08A, 'C', B(21, 0) },
    { 0x08B, 0x08B, 'C', B(23, 0) },
    { 0x08C, 0x08D, 'S', 0 },
    { 0x08E, 0x08E, 'C', B(3, 0) },
    { 0x08F, 0x08F, 'C', B(0, 0) },
    { 0x090, 0x090, 'S', 0 },
    { 0x091, 0x091, 'C', ALL },
    { 0x092, 0x092, 'C', B(10, 0) | B(26, 16) },
    { 0x093, 0x093, 'C', B(2, 1) | B(10, 8) | B(14, 12) | B(24, 24) },
    { 0x094, 0x094, 'C', B(12, 0) | B(19, 16) | B(27, 24) },
    { 0x095, 0x095, 'C', B(27, 0) },
    { 0x096, 0x096, 'C', B(3, 0) },
    { 0x097, 0x098, 'S', 0 },
    { 0x099, 0x099, 'C', ALL },
    { 0x09A, 0x09A, 'C', B(10, 0) | B(26, 16) },
    { 0x09B, 0x09B, 'C', B(2, 1) | B(10, 8) | B(14, 12) | B(24, 24) },
    { 0x09C, 0x09C, 'C', B(12, 0) | B(19, 16) | B(27, 24) },
    { 0x09D, 0x09D, 'C', B(27, 0) },
    { 0x09E, 0x09E, 'C', B(3, 0) },
    { 0x09F, 0x0A7, 'S', 0 },
    { 0x0A8, 0x0A8, 'C', B(27, 0) },
    { 0x0A9, 0x0AB, 'C', ALL },
    { 0x0AC, 0x0AC, 'C', B(26, 0) },
    { 0x0AD, 0x0AD, 'C', ALL },
    { 0x0AE, 0x0AE, 'S', ALL }, /* PTX-19 */
    { 0x0AF, 0x0AF, 'X', B(7, 0) | B(11, 8) },
    { 0x0B0, 0x0B7, 'F', ALL },
    { 0x0B8, 0x0BF, 'S', 0 },
    { 0x0C5, 0x0C7, 'S', 0 },
    { 0x0CD, 0x0CF, 'S', 0 },
    { 0x0D5, 0x0D7, 'S', 0 },
    { 0x0DD, 0x0DF, 'S', 0 },
    { 0x0F5, 0x0F7, 'S', 0 },
    { 0x0E0, 0x0E0, 'C', B(2, 0) | B(3, 3) | B(15, 8) | B(16, 16) },
    { 0x0E1, 0x0E1, 'C', B(23, 0) },
    { 0x0E2, 0x0E3, 'S', 0 },
    { 0x0E4, 0x0E5, 'C', B(15, 0) },
    { 0x0E6, 0x0E6, 'X', B(15, 0) },
    { 0x0E7, 0x0E7, 'S', 0 },
    { 0x0E8, 0x0EF, 'F', B(23, 0) },
    { 0x0FD, 0x0FD, 'C', ALL },
    { 0x0FE, 0x0FF, 'S', 0 },
    { 0x100, 0x100, 'C', B(1, 0) | B(8, 8) | B(25, 24) },
    { 0x101, 0x101, 'C', B(2, 0) | B(10, 8) | B(31, 16) },
    { 0x102, 0x102, 'C', B(3, 0) },
    { 0x103, 0x103, 'C', ALL },
    { 0x104, 0x104, 'C', B(0, 0) | B(6, 4) | B(15, 8) },
    { 0x105, 0x105, 'C', B(0, 0) | B(6, 4) | B(15, 8) | B(23, 16) | B(31, 24) },
    { 0x106, 0x106, 'C', B(2, 0) | B(6, 4) | B(10, 8) },
    { 0x107, 0x107, 'C', B(0, 0) | B(6, 4) | B(12, 8) },
    { 0x108, 0x10F, 'S', 0 },
    { 0x110, 0x111, 'T', B(0, 0) },
    { 0x112, 0x113, 'C', B(3, 0) },
    { 0x114, 0x115, 'C', B(1, 0) },
    { 0x116, 0x116, 'C', B(1, 0) },
    { 0x117, 0x117, 'C', B(1, 0) | B(18, 16) },
    { 0x118, 0x118, 'C', B(0, 0) },
    { 0x119, 0x11A, 'S', 0 },
    { 0x11B, 0x11B, 'C', B(0, 0) },
    { 0x11C, 0x11D, 'C', B(27, 3) },
    { 0x11E, 0x11E, 'C', B(10, 0) | B(21, 12) | B(24, 24) },
    { 0x11F, 0x11F, 'S', 0 },
    { 0x120, 0x121, 'C', B(23, 0) },
    { 0x122, 0x122, 'C', B(8, 0) },
    { 0x123, 0x123, 'X', B(15, 0) },
    { 0x124, 0x124, 'F', ALL },
    { 0x125, 0x125, 'S', 0 },
    { 0x126, 0x126, 'C', B(25, 0) },
    { 0x127, 0x12F, 'S', 0 },
    { 0x130, 0x130, 'C', ALL },
    { 0x131, 0x13F, 'S', 0 },
    { 0x1C0, 0x1C0, 'C', B(9, 0) | B(19, 10) | B(29, 20) },
    { 0x1C1, 0x1C1, 'S', 0 },
    { 0x1C2, 0x1C2, 'C', B(2, 0) },
    { 0x1C3, 0x1C3, 'C', B(0, 0) | B(7, 2) | B(19, 16) | B(25, 22) | B(30, 27) },
    { 0x1C4, 0x1C4, 'C', B(17, 0) | B(22, 19) | B(31, 24) },
    { 0x1C5, 0x1C5, 'X', B(7, 0) | B(12, 8) },
    { 0x1C6, 0x1C6, 'C', B(0, 0) },
    { 0x1C7, 0x1C7, 'S', 0 },
    { 0x1C8, 0x1CF, 'F', B(23, 0) },
    { 0x1D0, 0x1D0, 'C', 0x02222222 },
    { 0x1D1, 0x1D2, 'C', 0x07777777 },
    { 0x1D3, 0x1D8, 'S', 0 },
    { 0x1D9, 0x1D9, 'C', 0x77777777 },
    { 0x1DA, 0x1FF, 'S', 0 },
    { 0x200, 0x200, 'C', B(28, 1) },
    { 0x201, 0x202, 'C', ALL },
    { 0x227, 0x227, 'C', B(27, 0) | B(31, 31) },
    { 0x228, 0x228, 'C', ALL },
    { 0x229, 0x229, 'C', B(1, 0) | B(31, 31) }, /* 31: GSH-07 */
    { 0x22A, 0x22A, 'C', ALL },
    { 0x22B, 0x22C, 'S', 0 },
    { 0x22D, 0x22D, 'C', 0 },
    { 0x22E, 0x22F, 'T', 0 },
    { 0x230, 0x230, 'S', 0 },
    { 0x231, 0x231, 'T', 0 },
    { 0x232, 0x232, 'X', B(3, 0) },
    { 0x233, 0x235, 'F', ALL },
    { 0x236, 0x237, 'S', 0 },
    { 0x238, 0x239, 'C', B(20, 1) },
    { 0x23A, 0x23B, 'C', B(28, 1) },
    { 0x23C, 0x23D, 'T', 0 },
    { 0x23E, 0x241, 'S', 0 },
    { 0x242, 0x242, 'C', B(3, 0) },
    { 0x243, 0x243, 'S', 0 },
    { 0x244, 0x244, 'C', B(0, 0) },
    { 0x245, 0x245, 'C', B(0, 0) },
    { 0x246, 0x249, 'S', 0 },
    { 0x24A, 0x24A, 'C', B(3, 0) },
    { 0x24B, 0x250, 'S', 0 },
    { 0x251, 0x251, 'C', B(3, 0) },
    { 0x252, 0x252, 'C', B(1, 0) | B(11, 8) | B(15, 12) | B(23, 16) },
    { 0x253, 0x253, 'C', B(0, 0) }, /* REG-44 */
    { 0x254, 0x254, 'C', B(4, 0) },
    { 0x255, 0x25D, 'S', 0 },
    { 0x25E, 0x25E, '+', B(9, 8) | B(3, 0) },
    { 0x25F, 0x25F, 'T', 0 },
    { 0x260, 0x27F, 'S', 0 },
    { 0x289, 0x289, 'C', B(3, 0) | B(15, 8) | B(31, 24) }, /* 31:24: GSH-07 */
    { 0x28D, 0x28D, 'C', B(15, 0) },
    { 0x2B9, 0x2B9, 'C', B(3, 0) },
    { 0x2BD, 0x2BD, '+', B(15, 0) },
    { 0x2AE, 0x2AF, 'S', 0 },
    { 0x2DE, 0x2FF, 'S', 0 },
};

/* Rows that repeat: `copies` times, `stride` apart. */
static const struct {
    struct id_row row;
    uint32_t stride, copies;
} repeated_rows[] = {
    { { 0x0C0, 0x0C0, 'C', B(11, 0) | B(27, 16) }, 8, 4 },
    { { 0x0C1, 0x0C1, 'C', B(11, 0) | B(14, 12) | B(18, 16) | B(22, 20) }, 8, 4 },
    { { 0x0C2, 0x0C2, 'C', B(3, 0) | B(19, 16) }, 8, 4 },
    { { 0x0C3, 0x0C3, 'C', ALL }, 8, 4 },
    { { 0x0C4, 0x0C4, 'C', B(1, 0) | B(17, 16) }, 8, 4 },
    { { 0x0F0, 0x0F0, 'C', B(11, 0) | B(27, 16) }, 8, 2 },
    { { 0x0F1, 0x0F1, 'C', B(11, 0) | B(14, 12) | B(18, 16) | B(22, 20) }, 8, 2 },
    { { 0x0F2, 0x0F2, 'C', B(3, 0) | B(19, 16) }, 8, 2 },
    { { 0x0F3, 0x0F3, 'C', ALL }, 8, 2 },
    { { 0x0F4, 0x0F4, 'C', B(1, 0) | B(17, 16) }, 8, 2 },
    { { 0x140, 0x143, 'C', B(9, 0) | B(19, 10) | B(29, 20) }, 0x10, 8 },
    { { 0x144, 0x144, 'C', ALL }, 0x10, 8 },
    { { 0x145, 0x145, 'C', B(15, 0) }, 0x10, 8 },
    { { 0x146, 0x146, 'C', B(12, 0) | B(28, 16) }, 0x10, 8 },
    { { 0x147, 0x147, 'C', B(12, 0) }, 0x10, 8 },
    { { 0x148, 0x148, 'S', 0 }, 0x10, 8 },
    { { 0x149, 0x149, 'C', B(3, 0) }, 0x10, 8 },
    { { 0x14A, 0x14B, 'C', B(19, 0) }, 0x10, 8 },
    { { 0x14C, 0x14F, 'S', 0 }, 0x10, 8 },
    { { 0x203, 0x203, 'C', B(27, 0) }, 3, 12 },
    { { 0x204, 0x204, 'C', ALL }, 3, 12 },
    { { 0x205, 0x205, 'C', B(15, 0) | B(23, 16) | B(31, 28) }, 3, 12 },
    { { 0x280, 0x280, '+', B(15, 0) }, 0x30, 2 },
    { { 0x281, 0x284, '+', ALL }, 0x30, 2 },
    { { 0x285, 0x288, 'S', 0 }, 0x30, 2 },
    { { 0x28A, 0x28A, 'C', B(15, 0) }, 0x30, 2 },
    { { 0x28B, 0x28C, 'C', ALL }, 0x30, 2 },
    { { 0x28E, 0x28E, 'S', 0 }, 0x30, 2 },
    { { 0x28F, 0x28F, 'T', 0 }, 0x30, 2 },
    { { 0x290, 0x290, 'X', B(6, 0) | B(31, 31) }, 0x30, 2 },
    { { 0x291, 0x298, 'F', ALL }, 0x30, 2 },
    { { 0x299, 0x29A, 'S', 0 }, 0x30, 2 },
    { { 0x29B, 0x29B, 'X', ALL }, 0x30, 2 },
    { { 0x29C, 0x2A3, 'F', ALL }, 0x30, 2 },
    { { 0x2A4, 0x2A4, 'S', 0 }, 0x30, 2 },
    { { 0x2A5, 0x2A5, 'X', ALL }, 0x30, 2 },
    { { 0x2A6, 0x2AD, 'F', B(30, 0) }, 0x30, 2 },
};

static uint32_t layout_bits(enum pica_layout layout)
{
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    uint32_t bits = 0;
    for (size_t f = 0; f < count; f++)
        bits |= pica_field_set(&fields[f], 0, ALL);
    return bits;
}

static char class_letter(enum pica_reg_class reg_class)
{
    switch (reg_class) {
    case PICA_REG_CLASS_CONFIG: return 'C';
    case PICA_REG_CLASS_INDEX: return 'X';
    case PICA_REG_CLASS_PORT: return 'F';
    case PICA_REG_CLASS_TRIGGER: return 'T';
    case PICA_REG_CLASS_CONFIG_TRIGGER: return '+';
    case PICA_REG_CLASS_IRQ_REQUEST: return 'Q';
    case PICA_REG_CLASS_CPU_ONLY: return 'K';
    case PICA_REG_CLASS_STORAGE: return 'S';
    }
    return '?';
}

static void check_row(const struct id_row *row, uint32_t offset, uint8_t seen[PICA_REG_TOTAL])
{
    for (uint32_t id = row->first + offset; id <= row->last + offset; id++) {
        const struct pica_reg_info *const info = pica_reg_info(id);
        seen[id]++;
        cr_expect_eq(class_letter(info->reg_class), row->class_letter, "%03X %s: class", (unsigned)id, info->name);
        cr_expect_eq(layout_bits(info->layout) & row->bits, row->bits, "%03X %s: bits %08X have no field", (unsigned)id,
                     info->name, (unsigned)(row->bits & ~layout_bits(info->layout)));
    }
}

Test(pica_registers, classes_are_those_of_the_id_table_and_each_bit_with_a_meaning_has_a_field)
{
    uint8_t seen[PICA_REG_TOTAL] = { 0 };
    for (size_t r = 0; r < sizeof id_table / sizeof id_table[0]; r++)
        check_row(&id_table[r], 0, seen);
    for (size_t r = 0; r < sizeof repeated_rows / sizeof repeated_rows[0]; r++)
        for (uint32_t c = 0; c < repeated_rows[r].copies; c++)
            check_row(&repeated_rows[r].row, c * repeated_rows[r].stride, seen);
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++)
        cr_expect_eq(seen[id], 1, "%03X stands %u times in this test's id table", (unsigned)id, seen[id]);
}

Test(pica_registers, REG_02_reset_values)
{
    static const struct {
        uint32_t id, value;
    } resets[] = {
        { 0x020, 0x12345678 }, { 0x030, 0xFFFFFFF0 }, { 0x031, 0xFFFFFFFF },
        { 0x034, 0x00000001 }, { 0x245, 0x00000001 }, { 0x289, 0xA0000001 },
    };
    uint32_t expected[PICA_REG_TOTAL] = { 0 };
    for (size_t r = 0; r < sizeof resets / sizeof resets[0]; r++)
        expected[resets[r].id] = resets[r].value;
    for (uint32_t id = 0; id < PICA_REG_TOTAL; id++)
        cr_expect_eq(pica_reg_info(id)->reset, expected[id], "%03X", (unsigned)id);
}

Test(pica_registers, register_groups_are_found_by_index)
{
    static const uint32_t stages[] = { 0x0C2, 0x0CA, 0x0D2, 0x0DA, 0x0F2, 0x0FA };
    static const uint32_t params[] = { 0x083, 0x093, 0x09B };
    static const uint32_t addresses[] = { 0x085, 0x095, 0x09D };
    static const uint32_t types[] = { 0x08E, 0x096, 0x09E };
    for (uint32_t i = 0; i < 6; i++)
        cr_expect_eq(pica_reg_texenv(i, PICA_REG_TEXENV0_COMBINER), stages[i]);
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(pica_reg_texunit(i, PICA_REG_TEXUNIT0_PARAM), params[i]);
        cr_expect_eq(pica_reg_texunit(i, PICA_REG_TEXUNIT0_ADDR1), addresses[i]);
        cr_expect_eq(pica_reg_texunit(i, PICA_REG_TEXUNIT0_TYPE), types[i]);
    }
    cr_expect_eq(pica_reg_light(7, PICA_REG_LIGHT0_CONFIG), PICA_REG_LIGHT7_CONFIG);
    cr_expect_eq(pica_reg_attribbuffer(11, PICA_REG_ATTRIBBUFFER0_CONFIG2), PICA_REG_ATTRIBBUFFER11_CONFIG2);
    cr_expect_eq(pica_reg_shader(0, PICA_REG_VSH_ENTRYPOINT), 0x2BA);
    cr_expect_eq(pica_reg_shader(1, PICA_REG_VSH_ENTRYPOINT), 0x28A);
    cr_expect_eq(pica_reg_cmdbuf(1, PICA_REG_CMDBUF_JUMP0), 0x23D);
    cr_expect_eq(pica_extreg_fill(1, PICA_EXTREG_FILL0_CTRL), PICA_EXTREG_FILL1_CTRL);
    cr_expect_eq(pica_extreg_pdc(1, PICA_EXTREG_PDC0_STRIDE), PICA_EXTREG_PDC1_STRIDE);
}

Test(pica_registers, registers_of_one_group_share_their_layout)
{
    for (uint32_t id = PICA_REG_TEXENV0_SOURCE; id <= PICA_REG_TEXENV0_SCALE; id++)
        for (uint32_t i = 1; i < 6; i++)
            cr_expect_eq(pica_reg_info(pica_reg_texenv(i, (enum pica_reg)id))->layout, pica_reg_info(id)->layout);
    for (uint32_t id = PICA_REG_TEXUNIT0_BORDER_COLOR; id <= PICA_REG_TEXUNIT0_ADDR1; id++)
        for (uint32_t i = 1; i < 3; i++)
            cr_expect_eq(pica_reg_info(pica_reg_texunit(i, (enum pica_reg)id))->layout, pica_reg_info(id)->layout);
    for (uint32_t id = PICA_REG_VSH_BOOLUNIFORM; id <= PICA_REG_VSH_OPDESCS_DATA7; id++)
        cr_expect_eq(pica_reg_info(pica_reg_shader(1, (enum pica_reg)id))->layout, pica_reg_info(id)->layout);
}

/* The "Stored" columns of 70-gx-engines.md, sections 0 and 4, for one fill unit and one screen. */
Test(pica_registers, PSC_01_stored_bits_of_external_registers)
{
    static const struct {
        uint32_t offset, stored;
    } rows[] = {
        { 0x010, 0x1FFFFFFE }, { 0x014, 0x1FFFFFFE }, { 0x018, ALL },        { 0x01C, 0x001F0300 },
        { 0x034, 0 },          { 0xC00, 0x1FFFFFFE }, { 0xC04, 0x1FFFFFFE }, { 0xC08, 0xFFF8FFF8 },
        { 0xC0C, 0x0000FFF8 }, { 0xC10, 0x0301772F }, { 0xC14, 0x001FFFFF }, { 0xC18, 0x101 },
        { 0xC1C, 0x3FFF },     { 0xC20, 0xFFFFFFF0 }, { 0xC24, ALL },        { 0xC28, ALL },
        { 0xC2C, 1 },          { 0x45C, ALL },        { 0x468, 0xFFFFFFF0 }, { 0x46C, 0xFFFFFFF0 },
        { 0x470, ALL },        { 0x478, 1 },          { 0x480, ALL },        { 0x484, ALL },
        { 0x490, 0xFFFFFFF0 }, { 0x494, 0xFFFFFFF0 }, { 0x498, 0xFFFFFFF0 },
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const uint32_t offset = rows[r].offset;
        const uint32_t twin = offset < 0x20 ? offset + 0x10 : offset >> 8 == 4 ? offset + 0x100 : offset;
        cr_assert_not_null(pica_extreg_info(offset));
        cr_assert_not_null(pica_extreg_info(twin));
        cr_expect_eq(pica_extreg_info(offset)->stored, rows[r].stored, "%03X", (unsigned)offset);
        cr_expect_eq(pica_extreg_info(twin)->stored, rows[r].stored, "%03X", (unsigned)twin);
        cr_expect_eq(pica_extreg_info(offset)->reset, 0);
        cr_expect_eq(pica_extreg_by_name(pica_extreg_info(twin)->name), pica_extreg_info(twin));
    }
    cr_expect_null(pica_extreg_info(0x400));
    cr_expect_eq(pica_lcdreg_info(0x10202204)->stored, ALL);
    cr_expect_eq(pica_lcdreg_by_name("COLOR_FILL_BOTTOM")->address, 0x10202A04);
}

/* What a plug-in finds in its header, without the tables. */
Test(pica_registers, REG_02_backend_h_lists_every_reset_value_that_is_not_0)
{
    static const uint32_t listed[PICA_REGISTERS] = {
#define RESET(id, value) [id] = (value),
        PICA_RESET_VALUES(RESET)
#undef RESET
    };
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        cr_expect_eq(listed[id], pica_reg_info(id)->reset, "0x%03X", (unsigned)id);
}
