/* opcodes.def against the instruction table of 20-geometry.md section 3. */
#include "pica/fields.h"
#include "pica/opcodes.h"

#include <criterion/criterion.h>

/* The instruction table of 20-geometry.md section 3, by hand. */
static const struct {
    uint32_t first, last;
    const char *mnemonic, *format;
} instructions[] = {
    { 0x00, 0x00, "add", "1" },     { 0x01, 0x01, "dp3", "1" },    { 0x02, 0x02, "dp4", "1" },
    { 0x03, 0x03, "dph", "1" },     { 0x04, 0x04, "dst", "1" },    { 0x05, 0x05, "ex2", "1u" },
    { 0x06, 0x06, "lg2", "1u" },    { 0x07, 0x07, "litp", "1u" },  { 0x08, 0x08, "mul", "1" },
    { 0x09, 0x09, "sge", "1" },     { 0x0A, 0x0A, "slt", "1" },    { 0x0B, 0x0B, "flr", "1u" },
    { 0x0C, 0x0C, "max", "1" },     { 0x0D, 0x0D, "min", "1" },    { 0x0E, 0x0E, "rcp", "1u" },
    { 0x0F, 0x0F, "rsq", "1u" },    { 0x10, 0x11, NULL, "-" },     { 0x12, 0x12, "mova", "1u" },
    { 0x13, 0x13, "mov", "1u" },    { 0x14, 0x17, NULL, "-" },     { 0x18, 0x18, "dphi", "1i" },
    { 0x19, 0x19, "dsti", "1i" },   { 0x1A, 0x1A, "sgei", "1i" },  { 0x1B, 0x1B, "slti", "1i" },
    { 0x1C, 0x1F, NULL, "-" },      { 0x20, 0x20, "break", "0" },  { 0x21, 0x21, "nop", "0" },
    { 0x22, 0x22, "end", "0" },     { 0x23, 0x23, "breakc", "2" }, { 0x24, 0x24, "call", "2" },
    { 0x25, 0x25, "callc", "2" },   { 0x26, 0x26, "callu", "3" },  { 0x27, 0x27, "ifu", "3" },
    { 0x28, 0x28, "ifc", "2" },     { 0x29, 0x29, "loop", "3" },   { 0x2A, 0x2A, "emit", "0" },
    { 0x2B, 0x2B, "setemit", "4" }, { 0x2C, 0x2C, "jmpc", "2" },   { 0x2D, 0x2D, "jmpu", "3" },
    { 0x2E, 0x2F, "cmp", "1c" },    { 0x30, 0x37, "madi", "5i" },  { 0x38, 0x3F, "mad", "5" },
};

Test(pica_opcodes, all_64_opcodes_have_the_mnemonic_and_format_of_the_instruction_table)
{
    uint32_t next = 0;
    for (size_t i = 0; i < sizeof instructions / sizeof instructions[0]; i++) {
        cr_assert_eq(instructions[i].first, next);
        for (uint32_t op = instructions[i].first; op <= instructions[i].last; op++) {
            const struct pica_opcode_info *const info = pica_opcode_info(op);
            cr_expect_eq(info->opcode, op);
            cr_expect_str_eq(pica_opcode_format_info(info->format)->text, instructions[i].format, "%02X", (unsigned)op);
            if (instructions[i].mnemonic == NULL) {
                cr_expect_eq(info->first, op);
                continue;
            }
            cr_expect_str_eq(info->mnemonic, instructions[i].mnemonic, "%02X", (unsigned)op);
            cr_expect_eq(info->first, instructions[i].first);
            cr_expect_eq(pica_opcode_by_mnemonic(info->mnemonic)->opcode, instructions[i].first);
        }
        next = instructions[i].last + 1;
    }
    cr_assert_eq(next, PICA_OPCODE_TOTAL);
    cr_expect_null(pica_opcode_info(64));
    cr_expect_null(pica_opcode_by_mnemonic("frob"));
}

Test(pica_opcodes, operands_of_an_instruction_are_fields_of_its_format)
{
    for (uint32_t op = 0; op < PICA_OPCODE_TOTAL; op++) {
        const struct pica_opcode_info *const info = pica_opcode_info(op);
        const enum pica_layout layout = pica_opcode_format_info(info->format)->layout;
        cr_expect_eq(info->dest == PICA_OPERAND_REGISTER && pica_field_by_name(layout, "dest") == NULL, false);
        for (size_t s = 0; s < 3; s++) {
            static const char *const names[] = { "src1", "src2", "src3" };
            const struct pica_field_info *const field = pica_field_by_name(layout, names[s]);
            if (info->sources[s] == PICA_OPERAND_WIDE)
                cr_expect(field != NULL && field->width == 7, "%s %s", info->mnemonic, names[s]);
            if (info->sources[s] == PICA_OPERAND_NARROW)
                cr_expect(field != NULL && field->width == 5, "%s %s", info->mnemonic, names[s]);
        }
    }
    cr_expect_str_eq(pica_operand_kind_text(PICA_OPERAND_EMISSION), "emission");
}

/* The examples after SHD-24. */
Test(pica_opcodes, SHD_20_instruction_words_of_the_examples)
{
    uint32_t word = pica_shader_format_1_set_opcode(0, PICA_OPCODE_MOV);
    cr_expect_eq(word, 0x4C000000); /* MOV o0,v0 desc 0 */

    word = pica_shader_format_1_set_opcode(0, PICA_OPCODE_ADD);
    word = pica_shader_format_1_set_dest(word, PICA_SHADER_DEST_R1);
    word = pica_shader_format_1_set_src1(word, PICA_SHADER_SOURCE_C5);
    word = pica_shader_format_1_set_src2(word, PICA_SHADER_SOURCE_NARROW_V2);
    word = pica_shader_format_1_set_desc(word, 3);
    cr_expect_eq(word, 0x02225103); /* ADD r1,c5,v2 desc 3 */

    word = pica_shader_instruction_set_opcode(0, PICA_OPCODE_MAD);
    word = pica_shader_format_5_set_dest(word, PICA_SHADER_DEST_R0);
    word = pica_shader_format_5_set_src1(word, PICA_SHADER_SOURCE_NARROW_V0);
    word = pica_shader_format_5_set_src2(word, PICA_SHADER_SOURCE_C2);
    word = pica_shader_format_5_set_src3(word, PICA_SHADER_SOURCE_NARROW_R1);
    word = pica_shader_format_5_set_desc(word, 5);
    cr_expect_eq(word, 0xF0008A25); /* MAD r0,v0,c2,r1 desc 5 */
    cr_expect_eq(pica_opcode_info(pica_opcode_of(word))->first, PICA_OPCODE_MAD);

    word = pica_shader_instruction_set_opcode(0, PICA_OPCODE_CMP);
    word = pica_shader_format_1c_set_cmpx(word, PICA_SHADER_COMPARE_GT);
    word = pica_shader_format_1c_set_cmpy(word, PICA_SHADER_COMPARE_EQ);
    cr_expect_eq(word, 0xBC000000); /* CMP x GT, y EQ */
    cr_expect_eq(pica_opcode_info(pica_opcode_of(word))->first, PICA_OPCODE_CMP);

    word = pica_shader_format_3_set_opcode(0, PICA_OPCODE_LOOP);
    word = pica_shader_format_3_set_dst(pica_shader_format_3_set_uniform(word, 1), 11);
    cr_expect_eq(word, 0xA4402C00); /* LOOP i1 to 11 */

    word = pica_shader_format_3_set_opcode(0, PICA_OPCODE_JMPU);
    word = pica_shader_format_3_set_dst(pica_shader_format_3_set_uniform(word, 3), 20);
    cr_expect_eq(pica_shader_format_3_set_num(word, 1), 0xB4C05001); /* JMPU !b3 to 20 */

    word = pica_shader_format_4_set_opcode(0, PICA_OPCODE_SETEMIT);
    word = pica_shader_format_4_set_primitive(pica_shader_format_4_set_vertex(word, 2), 1);
    cr_expect_eq(word, 0xAE800000); /* SETEMIT 2,prim */

    cr_expect_eq(pica_shader_format_0_set_opcode(0, PICA_OPCODE_END), 0x88000000);
    cr_expect_eq(pica_shader_format_0_set_opcode(0, PICA_OPCODE_NOP), 0x84000000);
    cr_expect_eq(pica_shader_format_0_set_opcode(0, PICA_OPCODE_EMIT), 0xA8000000);
}
