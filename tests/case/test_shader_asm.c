/* Shader text: the encodings of the specification, exactness for every word, messages. */
#include "harness/case/shader_asm.h"
#include "harness/case/shader_fields.h"
#include "tests/case/random_case.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static uint32_t words[HARNESS_MAX_CODE];
static struct harness_shader_use uses[HARNESS_MAX_CODE];

static enum harness_status assemble(const char *text, uint32_t first, struct harness_descriptors *descriptors,
                                    uint32_t *count, struct harness_error *error)
{
    const struct harness_shader_source source = { .text = text,
                                                  .size = strlen(text),
                                                  .name = "test.asm",
                                                  .first_line = 1,
                                                  .first = first,
                                                  .allocate = descriptors != NULL };
    return harness_shader_assemble(&source, descriptors, words, uses, count, error);
}

static void expect_words(const char *text, uint32_t first, const uint32_t *expected, uint32_t expected_count)
{
    struct harness_error error = { "" };
    uint32_t count;
    cr_assert_eq(assemble(text, first, NULL, &count, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(count, expected_count);
    for (uint32_t i = 0; i < count; i++)
        cr_expect_eq(words[i], expected[i], "%s: word %u is %08X instead of %08X", text, i, words[i], expected[i]);
}

/* The examples under SHD-24. */
Test(shader_asm, SHD_20_examples_of_the_specification)
{
    static const struct {
        const char *text;
        uint32_t word;
    } rows[] = { { "mov o0, v0 @0", 0x4C000000 },
                 { "add r1, c5, v2 @3", 0x02225103 },
                 { "mad r0, v0, c2, r1 @5", 0xF0008A25 },
                 { "loop i1, 11", 0xA4402C00 },
                 { "jmpu !b3, 20", 0xB4C05001 },
                 { "setemit 2, prim", 0xAE800000 },
                 { "end", 0x88000000 },
                 { "nop", 0x84000000 },
                 { "emit", 0xA8000000 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_words(rows[i].text, 0, &rows[i].word, 1);
    struct harness_error error = { "" };
    uint32_t count;
    cr_assert_eq(assemble("cmp c0, gt, eq, v0 @0", 0, NULL, &count, &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(words[0] >> 21, 0xBC000000 >> 21, "CMP x GT, y EQ");
}

Test(shader_asm, SHD_21_identity_descriptor_of_the_specification)
{
    struct harness_descriptors descriptors = { { 0 }, { 0 } };
    uint32_t count;
    cr_assert_eq(assemble("mad r0, v0, c2, r1", 0, &descriptors, &count, NULL), HARNESS_OK);
    cr_expect_eq(descriptors.words[0], 0x0D86C36F);
    cr_expect_eq(descriptors.known[0], 0x7FFFFFFF);
    cr_expect_eq(words[0], 0xF0008A20);
}

Test(shader_asm, SHD_22_relative_addressing)
{
    struct harness_text text = { 0 };
    static const struct {
        const char *text;
        uint32_t index;
    } rows[] = { { "mov o0, c[a0.x+2] @0", 1 }, { "mov o0, c[a0.y+95] @0", 2 }, { "mov o0, c[aL+0] @0", 3 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t count;
        cr_assert_eq(assemble(rows[i].text, 0, NULL, &count, NULL), HARNESS_OK);
        cr_expect_eq(pica_shader_format_1_index(words[0]), rows[i].index);
        harness_text_clear(&text);
        harness_shader_print(words[0], NULL, NULL, &text);
        cr_expect_str_eq(text.data, rows[i].text);
    }
    const uint32_t same[3] = { words[0], words[0], words[0] };
    expect_words("mov o0, c[aL] @0\nmov o0, c0[aL] @0\nmov o0, c[al+0] @0\n", 0, same, 3);
    harness_text_free(&text);
}

Test(shader_asm, operands_choose_the_inverted_form)
{
    struct harness_descriptors descriptors = { { 0 }, { 0 } };
    uint32_t count;
    cr_assert_eq(assemble("mad r0, v0, r1, c2\nsge r0, v0, c1\nslti r0, v0, c1\n", 0, &descriptors, &count, NULL),
                 HARNESS_OK);
    cr_expect_eq(words[0] >> 29, 6, "madi");
    cr_expect_eq(words[1] >> 26, 0x1A, "sgei");
    cr_expect_eq(words[2] >> 26, 0x1B, "slti");
}

Test(shader_asm, labels_resolve_targets_and_ends)
{
    struct harness_descriptors descriptors = { { 0 }, { 0 } };
    uint32_t count;
    cr_assert_eq(assemble("start:  ifc cmp.x && !cmp.y, else, done ; a remark\n"
                          "        call sub, sub_end\n"
                          "else:   loop i3, last\n"
                          "last:   nop\n"
                          "done:   end\n"
                          "sub:    nop\n"
                          "        nop\n"
                          "sub_end:\n",
                          10, &descriptors, &count, NULL),
                 HARNESS_OK);
    cr_assert_eq(count, 7);
    cr_expect_eq(words[0], 0xA0000000 | 1u << 25 | 0u << 24 | 1u << 22 | 12u << 10 | 2u);
    cr_expect_eq(words[1], 0x90000000 | 15u << 10 | 2u);
    cr_expect_eq(words[2], 0xA4000000 | 3u << 22 | 13u << 10);
}

Test(shader_asm, descriptors_are_shared_where_they_fit)
{
    struct harness_descriptors descriptors = { { 0 }, { 0 } };
    uint32_t count;
    cr_assert_eq(assemble("mov o0.xyz, v0.wzyx\n"
                          "mov o0.xyz, v1.wzyx\n"      /* the same */
                          "add o0.xyz, c0.wzyx, -v1\n" /* the first, with source 2 decided */
                          "add o0.xyz, c0.wzyx, v1\n"  /* another */
                          "mov o0._, v0.x\n",
                          0, &descriptors, &count, NULL),
                 HARNESS_OK);
    static const uint32_t expected[] = { 0, 0, 0, 1, 2 };
    for (uint32_t i = 0; i < 5; i++)
        cr_expect_eq(pica_shader_format_1_desc(words[i]), expected[i], "instruction %u", i);
    cr_expect_eq(harness_opdesc_mask(descriptors.words[0]), 0xE);
    cr_expect_eq(harness_opdesc_selectors(descriptors.words[0], 1), 0xE4);
    cr_expect(harness_opdesc_negate(descriptors.words[0], 2));
    cr_expect_eq(harness_opdesc_mask(descriptors.words[2]), 0);
    cr_expect_eq(harness_opdesc_selectors(descriptors.words[2], 1), 0);
}

/* ------------------------------------------------------------------------------------------------------- exactness */

/* Disassembles and assembles `count` words at `first`; the words come back, and the text agrees with descriptors. */
static void expect_exact(const uint32_t *code, uint32_t count, uint32_t first,
                         const struct harness_descriptors *descriptors, struct harness_text *text)
{
    struct harness_error error = { "" };
    uint32_t back;
    harness_text_clear(text);
    const struct harness_code piece = { .words = code, .count = count, .first = first, .descriptors = descriptors };
    harness_shader_disassemble(&piece, 1, text);
    const enum harness_status status = assemble(harness_text_string(text), first, NULL, &back, &error);
    cr_assert_eq(status, HARNESS_OK, "%s", error.message);
    cr_assert_eq(back, count);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(words[i], code[i], "%08X became %08X", code[i], words[i]);
        const uint32_t number = uses[i].number;
        cr_assert(descriptors == NULL ||
                  ((descriptors->words[number] ^ uses[i].bits) & uses[i].mask & descriptors->known[number]) == 0);
    }
}

Test(shader_asm, a_million_random_words_round_trip)
{
    struct test_random random;
    struct harness_descriptors descriptors;
    struct harness_text text = { 0 };
    uint32_t code[1000];
    test_random_seed(&random, 40);
    for (uint32_t i = 0; i < HARNESS_DESCRIPTORS; i++) {
        descriptors.words[i] = test_random_word(&random);
        descriptors.known[i] = i % 4 != 0 ? UINT32_MAX : 0;
    }
    for (uint32_t round = 0; round < 1000; round++) {
        const uint32_t first = test_random_below(&random, 3500);
        for (uint32_t i = 0; i < 1000; i++) {
            code[i] = test_random_word(&random);
            if (round % 2 == 1) /* targets near the code, so that there are labels */
                code[i] = pica_shader_format_2_set_dst(code[i], first + test_random_below(&random, 1100));
        }
        expect_exact(code, round % 7 == 0 ? 1 : 1000, first, round % 3 == 0 ? NULL : &descriptors, &text);
    }
    harness_text_free(&text);
}

Test(shader_asm, every_opcode_with_single_bits_set_round_trips)
{
    struct harness_text text = { 0 };
    uint32_t code[64];
    for (uint32_t opcode = 0; opcode < 64; opcode++)
        for (uint32_t low = 0; low < 26; low++) {
            for (uint32_t i = 0; i < 26; i++)
                code[i] = opcode << 26 | 1u << i | 1u << low;
            for (uint32_t i = 26; i < 52; i++)
                code[i] = opcode << 26 | (0x03FFFFFFu ^ 1u << (i - 26) ^ 1u << low);
            expect_exact(code, 52, 0, NULL, &text);
        }
    harness_text_free(&text);
}

Test(shader_asm, descriptors_print_every_bit)
{
    struct harness_text text = { 0 };
    harness_descriptor_print(0x0D86C36F, &text);
    cr_expect_str_eq(text.data, "xyzw, xyzw, xyzw, xyzw");
    harness_text_clear(&text);
    harness_descriptor_print(0x80000010 | 0x4, &text);
    cr_expect_str_eq(text.data, "_y__, -xxxx, xxxx, xxxx | 0x80000000");
    harness_text_free(&text);
}

Test(shader_asm, messages_say_where_and_what)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        { "nop\n  foo r0\n", "test.asm:2:3: expected an instruction, found 'foo'" },
        { "mov o0\n", "test.asm:1:7: expected ',', found the end of the line" },
        { "mov c0, v0\n", "test.asm:1:5: expected a destination o0-o15 or r0-r15, found 'c0,'" },
        { "mov o0.zx, v0\n", "test.asm:1:5: expected a destination with a mask" },
        { "mov o0, o1\n", "test.asm:1:9: expected a source v0-v15, r0-r15 or c0-c95, found 'o1'" },
        { "mov o16, v0\n", "test.asm:1:5: expected a register o0-o15" },
        { "mov o0, c96\n", "test.asm:1:9: expected a register" },
        { "mov o0, c[a0.z+1]\n", "test.asm:1:10: expected an index like [a0.x+2]" },
        { "mov o0, v0.q\n", "test.asm:1:11: expected 1 to 4 of the letters x y z w" },
        { "add o0, v0, c1\n", "test.asm:1:13: expected v0-v15 or r0-r15 (this operand has 5 bits)" },
        { "mad o0, v0, v1, v2 @32\n", "test.asm:1:20: expected @0 to @31" },
        { "mov o0, v0 @128\n", "test.asm:1:12: expected @0 to @127" },
        { "jmpc cmp.z, 0\n", "test.asm:1:6: expected cmp.x, cmp.y, !cmp.x or !cmp.y" },
        { "jmpc cmp.y && cmp.x, 0\n", "test.asm:1:15: expected cmp.x before cmp.y" },
        { "ifu !b0, 0, 0\n", "test.asm:1:5: expected a boolean b0-b15 (only jmpu can invert)" },
        { "call 4096, 0\n", "test.asm:1:6: expected a code address" },
        { "call 10, 266\n", "test.asm:1:10: expected an end 0 to 255 instructions after the target" },
        { "loop i4, 0\n", "test.asm:1:6: expected an integer i0-i3" },
        { "setemit 4\n", "test.asm:1:9: expected a vertex 0-3" },
        { "cmp v0, gx, eq, v1\n", "test.asm:1:9: expected a comparison" },
        { "a: nop\na: nop\n", "test.asm:2:1: expected a label that does not stand here already" },
        { "nop nop\n", "test.asm:1:5: expected the end of the line, found 'nop'" },
        { ".word 0x1FFFFFFFF\n", "test.asm:1:7: expected a number: the instruction word" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct harness_descriptors descriptors = { { 0 }, { 0 } };
        struct harness_error error = { "" };
        uint32_t count;
        cr_expect_eq(assemble(rows[i].text, 0, &descriptors, &count, &error), HARNESS_BAD_INPUT, "%s", rows[i].text);
        cr_expect_eq(strncmp(error.message, rows[i].message, strlen(rows[i].message)), 0, "expected '%s', found '%s'",
                     rows[i].message, error.message);
    }
}

Test(shader_asm, too_much_code_and_too_many_descriptors_are_errors)
{
    struct harness_text text = { 0 };
    struct harness_descriptors descriptors = { { 0 }, { 0 } };
    struct harness_error error = { "" };
    uint32_t count;
    for (uint32_t i = 0; i <= HARNESS_MAX_CODE; i++)
        harness_text_add(&text, "nop\n");
    cr_expect_eq(assemble(text.data, 0, &descriptors, &count, &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "test.asm:4097:1: expected at most 4096 instructions"), "%s",
                       error.message);
    harness_text_clear(&text);
    for (uint32_t i = 0; i < 33; i++) { /* mad reaches 32 descriptors only */
        const char letters[4] = "xyzw";
        harness_text_format(&text, "mad r0, v0.%c%c%c, v1, v2\n", letters[i % 4], letters[i / 4 % 4],
                            letters[i / 16 % 4]);
    }
    cr_expect_eq(assemble(text.data, 0, &descriptors, &count, &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "a free operand descriptor"), "%s", error.message);
    harness_text_free(&text);
}
