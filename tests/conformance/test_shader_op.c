/* 20-geometry.md section 3: the instructions (SHD-30 to SHD-35). Arithmetic of single operations: test_number.c. */
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

static const uint32_t ONE = 0x3F800000;
static const uint32_t END = 0x88000000;
static const uint32_t NAN_BITS = 0x7FC00000;
static const uint32_t INFINITE = 0x7F800000;

static uint32_t integer(int32_t value)
{
    return f32_bits((float)value);
}

struct instruction_row {
    const char *what;
    uint32_t opcode;
    bool inverted; /* format 1i */
    uint32_t a[4], b[4];
    uint32_t expected[4];
};

static void run_instructions(struct machine *m, const char *rule, const struct instruction_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        machine_case(m, "%s", rows[i].what);
        const uint32_t code[] = { rows[i].inverted ? op1i(rows[i].opcode, DST_O, SRC_V, SRC_V + 1, 0)
                                                   : op1(rows[i].opcode, DST_O, SRC_V, SRC_V + 1, 0),
                                  END };
        struct shader_run run = { .code = code, .code_count = 2 };
        for (uint32_t c = 0; c < 4; c++) {
            run.inputs[0][c] = rows[i].a[c];
            run.inputs[1][c] = rows[i].b[c];
        }
        shader_run(m, &run);
        const struct pica_vector out = shader_output(m, 0);
        const uint32_t *const e = rows[i].expected;
        EXPECT_VECTOR(m, rule, out, e[0], e[1], e[2], e[3]);
    }
}

/* In the order x,y,z,w: ((2^24 + 1) + 1) - 2^24 loses both ones, ((1 + 1) + 2^24) - 2^24 keeps them. */
static const struct instruction_row dots[] = {
    { "dp3",
      0x01,
      false,
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x41600000, 0x41600000, 0x41600000, 0x41600000 } }, /* 14 */
    { "dp4",
      0x02,
      false,
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x41F00000, 0x41F00000, 0x41F00000, 0x41F00000 } }, /* 30 */
    { "dph",
      0x03,
      false,
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x41900000, 0x41900000, 0x41900000, 0x41900000 } }, /* 14 + 1 * 4 */
    { "dphi",
      0x18,
      true,
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x41900000, 0x41900000, 0x41900000, 0x41900000 } },
    { "dp4 in order", 0x02, false, { 0x4B800000, ONE, ONE, 0xCB800000 }, { ONE, ONE, ONE, ONE }, { 0, 0, 0, 0 } },
    { "dp4 in order, ones first",
      0x02,
      false,
      { ONE, ONE, 0x4B800000, 0xCB800000 },
      { ONE, ONE, ONE, ONE },
      { 0x40000000, 0x40000000, 0x40000000, 0x40000000 } },
    { "dp3 ignores w", 0x01, false, { ONE, 0, 0, NAN_BITS }, { ONE, 0, 0, NAN_BITS }, { ONE, ONE, ONE, ONE } },
    { "dph ignores a.w",
      0x03,
      false,
      { ONE, 0, 0, NAN_BITS },
      { ONE, 0, 0, 0x40000000 },
      { 0x40400000, 0x40400000, 0x40400000, 0x40400000 } },
    { "dp4: 0 * inf inside is 0",
      0x02,
      false,
      { 0, INFINITE, ONE, 0 },
      { INFINITE, 0, ONE, 0xFF800000 },
      { ONE, ONE, ONE, ONE } },
    { "dph: 1 * b.w, inf",
      0x03,
      false,
      { 0, 0, 0, 0 },
      { 0, 0, 0, INFINITE },
      { INFINITE, INFINITE, INFINITE, INFINITE } },
    { "dp4: the sum starts from +0",
      0x02,
      false,
      { 0x80000000, 0x80000000, 0x80000000, 0x80000000 },
      { ONE, ONE, ONE, ONE },
      { 0, 0, 0, 0 } },
    { "dp3: inf - inf",
      0x01,
      false,
      { INFINITE, 0xFF800000, 0, 0 },
      { ONE, ONE, ONE, ONE },
      { NAN_BITS, NAN_BITS, NAN_BITS, NAN_BITS } },
    { "dp4: products round", 0x02, false, { 0x3F800800, 0xBF801000, 0, 0 }, { 0x3F800800, ONE, 0, 0 }, { 0, 0, 0, 0 } },
};

EACH_MACHINE(shader, SHD_30_dot_products_are_summed_from_plus_zero_in_order)
{
    run_instructions(m, "SHD-30", dots, sizeof dots / sizeof dots[0]);
}

/*
 * DST = (1, a.y * b.y, a.z, b.w), DSTI the same with its operands in the other format; masks and products as
 * everywhere.
 */
static const struct instruction_row distances[] = {
    { "dst",
      0x04,
      false,
      { 5, 0x40400000, 0x40A00000, 6 },
      { 7, 0x40800000, 8, 0x40E00000 },
      { ONE, 0x41400000, 0x40A00000, 0x40E00000 } },
    { "dsti",
      0x19,
      true,
      { 5, 0x40400000, 0x40A00000, 6 },
      { 7, 0x40800000, 8, 0x40E00000 },
      { ONE, 0x41400000, 0x40A00000, 0x40E00000 } },
    { "dst: 0 * inf",
      0x04,
      false,
      { 0, 0, NAN_BITS, 0 },
      { 0, INFINITE, 0, 0x80000000 },
      { ONE, 0, NAN_BITS, 0x80000000 } },
};

EACH_MACHINE(shader, SHD_35_dst_and_dsti)
{
    run_instructions(m, "SHD-35", distances, sizeof distances / sizeof distances[0]);
}

/* SGEI and SLTI: format 1i, component by component. */
static const struct instruction_row sets[] = {
    { "sge",
      0x09,
      false,
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { ONE, 0x40400000, 0x40400000, 0 },
      { ONE, 0, ONE, ONE } },
    { "slt",
      0x0A,
      false,
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { ONE, 0x40400000, 0x40400000, 0 },
      { 0, ONE, 0, 0 } },
    { "sgei",
      0x1A,
      true,
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { ONE, 0x40400000, 0x40400000, 0 },
      { ONE, 0, ONE, ONE } },
    { "slti",
      0x1B,
      true,
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { ONE, 0x40400000, 0x40400000, 0 },
      { 0, ONE, 0, 0 } },
    { "max",
      0x0C,
      false,
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { ONE, 0x40400000, 0, 0x41000000 },
      { ONE, 0x40400000, 0x40400000, 0x41000000 } },
    { "min",
      0x0D,
      false,
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { ONE, 0x40400000, 0, 0x41000000 },
      { ONE, 0x40000000, 0, 0x40800000 } },
    { "add",
      0x00,
      false,
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x40000000, 0x40800000, 0x40C00000, 0x41000000 } },
    { "mul",
      0x08,
      false,
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { ONE, 0x40800000, 0x41100000, 0x41800000 } },
    { "rcp of x alone",
      0x0E,
      false,
      { 0x40800000, NAN_BITS, 0, 0 },
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x3E800000, 0x3E800000, 0x3E800000, 0x3E800000 } },
    { "rsq of x alone",
      0x0F,
      false,
      { 0x40800000, NAN_BITS, 0, 0 },
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x3F000000, 0x3F000000, 0x3F000000, 0x3F000000 } },
    { "ex2 of x alone",
      0x05,
      false,
      { 0x40400000, NAN_BITS, 0, 0 },
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x41000000, 0x41000000, 0x41000000, 0x41000000 } },
    { "lg2 of x alone",
      0x06,
      false,
      { 0x41000000, NAN_BITS, 0, 0 },
      { 0x3F800000, 0x40000000, 0x40400000, 0x40800000 },
      { 0x40400000, 0x40400000, 0x40400000, 0x40400000 } },
};

EACH_MACHINE(shader, FLT_27_componentwise_and_scalar_instructions)
{
    run_instructions(m, "FLT-27", sets, sizeof sets / sizeof sets[0]);
}

/* Format 1i: src1 is the 5-bit source at 18:14, src2 the 7-bit one at 13:7 and may be a c register. */
EACH_MACHINE(shader, SHD_20_formats_1i_and_5i_read_uniforms_in_the_other_source)
{
    struct list setup = { .count = 0 };
    list_uniform(&setup, PICA_UNIT_VERTEX, 95, integer(2), integer(3), integer(4), integer(5));
    const uint32_t code[] = { op1i(0x1B, DST_O, SRC_V, SRC_C + 95, 0), op1i(0x1A, DST_O + 1, SRC_V, SRC_C + 95, 0),
                              op_madi(DST_O + 2, SRC_V, SRC_V, SRC_C + 95, 0),
                              op1i(0x18, DST_O + 3, SRC_V, SRC_C + 95, 0), END };
    const struct shader_run run = {
        .code = code, .code_count = 5, .outputs = 4, .inputs = { { integer(3), integer(3), ONE, ONE } }, .setup = &setup
    };
    shader_run(m, &run);
    const struct pica_vector out[4] = { shader_output(m, 0), shader_output(m, 1), shader_output(m, 2),
                                        shader_output(m, 3) };
    EXPECT_VECTOR(m, "SHD-20", out[0], 0, 0, ONE, ONE);
    EXPECT_VECTOR(m, "SHD-20", out[1], ONE, ONE, 0, 0);
    EXPECT_VECTOR(m, "SHD-20", out[2], integer(11), integer(12), integer(5), integer(6));
    EXPECT_VECTOR(m, "SHD-30", out[3], integer(24), integer(24), integer(24), integer(24)); /* 6 + 9 + 4 + 5 */
}

/* ----------------------------------------------------------------------------------------------------------- SHD-31 */

/* o0 = (cmp.x, 0, 0, 0), o1 = (cmp.y, ..): MOV of c1 = 1 after JMPC on x and y. */
static void run_compare(struct machine *m, uint32_t compare, uint32_t ax, uint32_t ay, uint32_t bx, uint32_t by,
                        const uint32_t *descriptors)
{
    const uint32_t code[] = {
        /* 0 */ op1(PICA_OPCODE_MOV, DST_O, SRC_C, SRC_V, 0),
        /* 1 */ op1(PICA_OPCODE_MOV, DST_O + 1, SRC_C, SRC_V, 0),
        /* 2 */ compare,
        /* 3 */ op_condition(PICA_OPCODE_JMPC, 0, 0, 2, 5, 0), /* cmp.x == 0 */
        /* 4 */ op1(PICA_OPCODE_MOV, DST_O, SRC_C + 1, SRC_V, 0),
        /* 5 */ op_condition(PICA_OPCODE_JMPC, 0, 0, 3, 7, 0), /* cmp.y == 0 */
        /* 6 */ op1(PICA_OPCODE_MOV, DST_O + 1, SRC_C + 1, SRC_V, 0),
        /* 7 */ END,
    };
    struct list setup = { .count = 0 };
    list_uniform(&setup, PICA_UNIT_VERTEX, 0, 0, 0, 0, 0);
    list_uniform(&setup, PICA_UNIT_VERTEX, 1, 1, 1, 1, 1);
    const struct shader_run run = { .code = code,
                                    .code_count = 8,
                                    .descriptors = descriptors,
                                    .descriptor_count = descriptors == NULL ? 0 : 2,
                                    .outputs = 2,
                                    .inputs = { { ax, ay, 0, 0 }, { bx, by, 0, 0 } },
                                    .setup = &setup };
    shader_run(m, &run);
}

/* Each operator for less, equal, greater, unordered, and -0 against +0. */
EACH_MACHINE(shader, SHD_31_compare_operators)
{
    static const struct {
        uint32_t a, b;
        uint8_t expected[8]; /* eq ne lt le gt ge 6 7 */
    } rows[] = {
        { 0x3F800000, 0x40000000, { 0, 1, 1, 1, 0, 0, 1, 1 } }, { 0x3F800000, 0x3F800000, { 1, 0, 0, 1, 0, 1, 1, 1 } },
        { 0x40000000, 0x3F800000, { 0, 1, 0, 0, 1, 1, 1, 1 } }, { 0x7FC00000, 0x3F800000, { 0, 1, 0, 0, 0, 0, 1, 1 } },
        { 0x7FC00000, 0x7FC00000, { 0, 1, 0, 0, 0, 0, 1, 1 } }, { 0x80000000, 0x00000000, { 1, 0, 0, 1, 0, 1, 1, 1 } },
        { 0xFF800000, 0x7F800000, { 0, 1, 1, 1, 0, 0, 1, 1 } }, { 0x00000001, 0x00000000, { 0, 1, 0, 0, 1, 1, 1, 1 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t op = 0; op < 8; op++) {
            machine_row(m, "%08X op %u %08X", (unsigned)rows[i].a, (unsigned)op, (unsigned)rows[i].b);
            /* y: the opposite pair of operands with operator eq, so that x and y differ where they can */
            run_compare(m, op_cmp(op, 0, SRC_V, SRC_V + 1, 0), rows[i].a, 0, rows[i].b, ONE, NULL);
            EXPECT_EQ(m, "SHD-31", shader_output(m, 0).bits[0], rows[i].expected[op]);
            EXPECT_EQ(m, "SHD-31", shader_output(m, 1).bits[0], 0);
            EXPECT(m, "SHD-31", machine_event(m, PICA_EVENT_CMP_OP_67) == (op >= 6u));
            machine_reset(m);
            run_compare(m, op_cmp(0, op, SRC_V, SRC_V + 1, 0), 0, rows[i].a, ONE, rows[i].b, NULL);
            EXPECT_EQ(m, "SHD-31", shader_output(m, 0).bits[0], 0);
            EXPECT_EQ(m, "SHD-31", shader_output(m, 1).bits[0], rows[i].expected[op]);
            EXPECT(m, "SHD-31", machine_event(m, PICA_EVENT_CMP_OP_67) == (op >= 6u));
        }
}

/* The mask is ignored; swizzle and sign are not; bit 26 of CMP belongs to cmpx (opcodes 2E and 2F). */
EACH_MACHINE(shader, SHD_31_the_destination_mask_is_ignored)
{
    const uint32_t masked[2] = { IDENTITY, descriptor("", "yxzw", "-xyzw", "xyzw") };
    run_compare(m, op_cmp(0, 0, SRC_V, SRC_V + 1, 1), integer(2), integer(-3), integer(3), integer(-2), masked);
    EXPECT_EQ(m, "SHD-31", shader_output(m, 0).bits[0], 1); /* -3 == -3 */
    EXPECT_EQ(m, "SHD-31", shader_output(m, 1).bits[0], 1); /* 2 == 2 */
    run_compare(m, op_cmp(5, 2, SRC_V, SRC_V + 1, 0), integer(2), integer(2), integer(2), integer(2), NULL);
    EXPECT_EQ(m, "SHD-31", shader_output(m, 0).bits[0], 1); /* ge */
    EXPECT_EQ(m, "SHD-31", shader_output(m, 1).bits[0], 0); /* lt */
}

/* Profile f24: comparisons look at the carried bits, without flush: a float24 subnormal is greater than 0. */
EACH_MACHINE(shader, FLT_27_comparisons_do_not_flush_in_f24)
{
    machine_load_profile(m, PICA_PROFILE_F24);
    const uint32_t code[] = { op_cmp(4, 0, SRC_C, SRC_V, 0), op1(PICA_OPCODE_MOV, DST_O, SRC_C + 1, SRC_V, 0),
                              op_condition(PICA_OPCODE_JMPC, 1, 0, 2, 4, 0),
                              op1(PICA_OPCODE_MOV, DST_O, SRC_V, SRC_V, 0), END };
    struct list setup = { .count = 0 };
    uint32_t words[3];
    float24_words(0x000001, 0, 0, 0, words);
    list_write(&setup, PICA_REG_VSH_FLOATUNIFORM_INDEX, 0);
    list_write_many(&setup, PICA_REG_VSH_FLOATUNIFORM_DATA0, false, words, 3);
    list_uniform(&setup, PICA_UNIT_VERTEX, 1, ONE, ONE, ONE, ONE);
    const struct shader_run run = { .code = code, .code_count = 5, .setup = &setup };
    shader_run(m, &run);
    EXPECT_EQ(m, "FLT-27", shader_output(m, 0).bits[0], ONE);
}

/* ----------------------------------------------------------------------------------------------------------- SHD-32 */

/* a0.x = trunc(x), seen as c32[a0.x] with c[n] = n: 32 + a0.x, or c32 outside [-128, 127]. */
EACH_MACHINE(shader, SHD_32_GEN_05_mova_truncates_toward_zero)
{
    static const struct {
        uint32_t x;
        int32_t expected;
        bool range;
    } rows[] = {
        { 0x40200000, 34, false }, /* 2.5 */
        { 0x402CCCCD, 34, false }, /* 2.7 */
        { 0xC02CCCCD, 30, false }, /* -2.7 */
        { 0xBF7FFFFF, 32, false }, /* -0.99999994 */
        { 0x3F7FFFFF, 32, false }, { 0x80000000, 32, false },
        { 0x00000001, 32, false }, { 0x42FE0000, 31, false }, /* 127: 32 + 127 = 159 & 7F = 31 */
        { 0x4EFFFFFF, 32, false },                            /* 2147483520: fits, outside [-128, 127] */
        { 0x4F000000, 32, true },                             /* 2^31 */
        { 0xCF000000, 32, false },                            /* -2^31 fits */
        { 0xCF000001, 32, true },  { 0x7F800000, 32, true },
        { 0xFF800000, 32, true },  { 0x7FC00000, 32, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%08X", (unsigned)rows[i].x);
        struct list setup = { .count = 0 };
        for (uint32_t c = 28; c < 38; c++)
            list_uniform(&setup, PICA_UNIT_VERTEX, c, integer((int32_t)c), 0, 0, 0);
        const uint32_t code[] = { op1(PICA_OPCODE_MOVA, 0x1F, SRC_V, SRC_V, 0),
                                  relative(op1(PICA_OPCODE_MOV, DST_O, SRC_C + 32, SRC_V, 0), 1), END };
        const struct shader_run run = {
            .code = code, .code_count = 3, .inputs = { { rows[i].x, 0, 0, 0 } }, .setup = &setup
        };
        shader_run(m, &run);
        EXPECT_EQ(m, "SHD-32", shader_output(m, 0).bits[0], integer(rows[i].expected));
        if (rows[i].range)
            EXPECT_EVENT(m, "SHD-32", PICA_EVENT_MOVA_RANGE);
        else
            EXPECT_NO_EVENT(m, "SHD-32", PICA_EVENT_MOVA_RANGE);
    }
}

/* Masks: x alone, y alone, none, zw alone. a0 = (1, 2) before, the MOVA under test writes (4, 5). */
EACH_MACHINE(shader, SHD_32_mova_writes_by_mask)
{
    static const struct {
        const char *mask;
        int32_t x, y;
    } rows[] = { { "xy", 4, 5 }, { "x", 4, 2 }, { "y", 1, 5 }, { "", 1, 2 }, { "zw", 1, 2 }, { "xyzw", 4, 5 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "mask %s", rows[i].mask);
        const uint32_t words[2] = { IDENTITY, descriptor(rows[i].mask, "xyzw", "xyzw", "xyzw") };
        struct list setup = { .count = 0 };
        for (uint32_t c = 0; c < 8; c++)
            list_uniform(&setup, PICA_UNIT_VERTEX, c, integer((int32_t)c), 0, 0, 0);
        const uint32_t code[] = { op1(PICA_OPCODE_MOVA, 0, SRC_V, SRC_V, 0),
                                  op0(PICA_OPCODE_NOP),
                                  op1(PICA_OPCODE_MOVA, 0, SRC_V + 1, SRC_V, 1),
                                  relative(op1(PICA_OPCODE_MOV, DST_O, SRC_C, SRC_V, 0), 1),
                                  relative(op1(PICA_OPCODE_MOV, DST_O + 1, SRC_C, SRC_V, 0), 2),
                                  END };
        const struct shader_run run = { .code = code,
                                        .code_count = 6,
                                        .descriptors = words,
                                        .descriptor_count = 2,
                                        .outputs = 2,
                                        .inputs = { { integer(1), integer(2), 0, 0 },
                                                    { integer(4), integer(5), 0, 0 } },
                                        .setup = &setup };
        shader_run(m, &run);
        EXPECT_EQ(m, "SHD-32", shader_output(m, 0).bits[0], integer(rows[i].x));
        EXPECT_EQ(m, "SHD-32", shader_output(m, 1).bits[0], integer(rows[i].y));
    }
}

/* ----------------------------------------------------------------------------------------------- SHD-33, SHD-34 */

/* K = 127.99609375 = 42FFFE00. */
static const struct instruction_row lights[] = {
    { "inside",
      0x07,
      false,
      { 0x40000000, 0x41200000, 0x40400000, 0x3F000000 },
      { 0 },
      { 0x40000000, 0x41200000, 0, 0x3F000000 } },
    { "negative", 0x07, false, { 0xC0000000, 0xC1200000, 0x40400000, 0xBF000000 }, { 0 }, { 0, 0xC1200000, 0, 0 } },
    { "exponent too large", 0x07, false, { ONE, 0x43000000, 0, ONE }, { 0 }, { ONE, 0x42FFFE00, 0, ONE } },
    { "exponent too small", 0x07, false, { ONE, 0xC3000000, 0, ONE }, { 0 }, { ONE, 0xC2FFFE00, 0, ONE } },
    { "infinite",
      0x07,
      false,
      { INFINITE, INFINITE, INFINITE, INFINITE },
      { 0 },
      { INFINITE, 0x42FFFE00, 0, INFINITE } },
    { "NaN", 0x07, false, { NAN_BITS, NAN_BITS, NAN_BITS, NAN_BITS }, { 0 }, { 0, 0xC2FFFE00, 0, 0 } },
    { "-0", 0x07, false, { 0x80000000, 0x80000000, 0, 0x80000000 }, { 0 }, { 0, 0x80000000, 0, 0 } },
};

EACH_MACHINE(shader, SHD_33_litp_results)
{
    run_instructions(m, "SHD-33", lights, sizeof lights / sizeof lights[0]);
}

/* cmp.x = ge(A.x, 0), cmp.y = ge(A.w, 0), also with an empty mask. v0.w reaches A.w by the swizzle xzzy. */
EACH_MACHINE(shader, SHD_33_litp_sets_cmp_whatever_the_mask)
{
    static const struct {
        uint32_t x, w;
        uint32_t cmpx, cmpy;
    } rows[] = { { ONE, ONE, 1, 1 },        { 0xBF800000, ONE, 0, 1 },
                 { ONE, 0xBF800000, 1, 0 }, { 0x80000000, 0x80000000, 1, 1 },
                 { NAN_BITS, 0, 0, 1 },     { 0, NAN_BITS, 1, 0 } };
    const uint32_t words[2] = { IDENTITY, descriptor("", "xzzy", "xyzw", "xyzw") };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "x %08X w %08X", (unsigned)rows[i].x, (unsigned)rows[i].w);
        run_compare(m, op1(0x07, DST_O + 2, SRC_V, SRC_V, 1), rows[i].x, rows[i].w, 0, 0, words);
        EXPECT_EQ(m, "SHD-33", shader_output(m, 0).bits[0], rows[i].cmpx);
        EXPECT_EQ(m, "SHD-33", shader_output(m, 1).bits[0], rows[i].cmpy);
    }
}

EACH_MACHINE(shader, SHD_34_unassigned_opcodes_do_nothing)
{
    static const uint32_t unassigned[] = { 0x10, 0x11, 0x14, 0x15, 0x16, 0x17, 0x1C, 0x1D, 0x1E, 0x1F };
    for (size_t i = 0; i < sizeof unassigned / sizeof unassigned[0]; i++) {
        machine_row(m, "opcode %02X", (unsigned)unassigned[i]);
        const uint32_t code[] = { op1(PICA_OPCODE_MOV, DST_O, SRC_V, SRC_V, 0), unassigned[i] << 26 | 0x3FFFF80u,
                                  unassigned[i] << 26 | 0x0001000u, END };
        const struct shader_run run = { .code = code, .code_count = 4, .inputs = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } } };
        shader_run(m, &run);
        const struct pica_vector out = shader_output(m, 0);
        EXPECT_VECTOR(m, "SHD-34", out, 1, 2, 3, 4);
        EXPECT_ONLY_EVENTS(m, "SHD-34", PICA_EVENT_OPCODE_UNASSIGNED);
    }
    machine_reset(m);
    const uint32_t code[] = { op1(PICA_OPCODE_MOV, DST_O, SRC_V, SRC_V, 0), END, 0x10u << 26 };
    const struct shader_run run = { .code = code, .code_count = 3 };
    shader_run(m, &run);
    EXPECT_NO_EVENTS(m, "SHD-34"); /* not executed, not recorded */
}
