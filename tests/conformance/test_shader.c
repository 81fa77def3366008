/* 20-geometry.md section 3: state of the shader units, operands, relative addressing (SHD-10 to SHD-23). */
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

static const uint32_t ONE = 0x3F800000;
static const uint32_t END = 0x88000000;
static const uint32_t NOP = 0x84000000;

static uint32_t integer(int32_t value)
{
    return f32_bits((float)value);
}

static uint32_t mov(uint32_t dest, uint32_t source, uint32_t desc)
{
    return op1(PICA_OPCODE_MOV, dest, source, SRC_V, desc);
}

/* -------------------------------------------------------------------------------------------------- SHD-10, SHD-11 */

/*
 * Two vertices: the first leaves something in r0, o1, a0, aL and cmp, the second finds zeros. Vertex v has input x = v.
 * Code: 0 CMP x == c0.x (0); 1 IFC cmp.x (not for vertex 1); vertex 0 writes all; then o0 = r0, o1 is written by vertex
 * 0 only, o2 = c0[a0.x], o3 = c0[aL].
 */
EACH_MACHINE(shader, SHD_10_every_vs_invocation_starts_from_zero)
{
    const uint32_t code[] = {
        /* 0 */ op_condition(PICA_OPCODE_IFC, 1, 0, 2, 1, 0), /* cmp.x is false at the start: jump to 1 either way */
        /* 1 */ mov(DST_O, SRC_R, 0),
        /* 2 */ relative(mov(DST_O + 2, SRC_C, 0), 1),
        /* 3 */ relative(mov(DST_O + 3, SRC_C, 0), 3),
        /* 4 */ op_cmp(0, 0, SRC_V, SRC_V + 1, 0),              /* cmp = (x == 0, y == 0) */
        /* 5 */ op_condition(PICA_OPCODE_JMPC, 0, 0, 2, 10, 0), /* vertex 1 skips */
        /* 6 */ mov(DST_R, SRC_C + 5, 0),
        /* 7 */ mov(DST_O + 1, SRC_C + 5, 0),
        /* 8 */ op1(PICA_OPCODE_MOVA, 0, SRC_C + 5, SRC_V, 0),
        /* 9 */ op_uniform(PICA_OPCODE_LOOP, 0, 10, 0),
        /* 10 */ NOP,
        /* 11 */ END,
    };
    struct list setup = { .count = 0 };
    for (uint32_t c = 0; c < 10; c++)
        list_uniform(&setup, PICA_UNIT_VERTEX, c, integer((int32_t)c), 0, 0, 0);
    list_write(&setup, PICA_REG_VSH_INTUNIFORM_I0, 0x00010300);
    list_write(&setup, PICA_REG_ATTRIBBUFFER0_CONFIG2, 4u << 28 | 64u << 16);
    const struct shader_run run = { .code = code, .code_count = 12, .outputs = 4, .setup = &setup };
    struct list list = { .count = 0 };
    shader_run_list(m, &run, &list);
    list_draw(&list, 2);
    machine_load_word(m, VERTEX_ADDRESS + 64, ONE); /* vertex 1: v0.x = 1 */
    machine_submit(m, &list);
    const struct pica_assembler_state *const assembler = &machine_state(m)->assembler;
    EXPECT_EQ(m, "SHD-10", assembler->count, 2);
    EXPECT_EQ(m, "SHD-10", assembler->buffer[0].slots[4], integer(5)); /* vertex 0 wrote o1 */
    EXPECT_EQ(m, "SHD-10", assembler->buffer[1].slots[0], 0);          /* r0 */
    EXPECT_EQ(m, "SHD-10", assembler->buffer[1].slots[4], 0);          /* o1 */
    EXPECT_EQ(m, "SHD-10", assembler->buffer[1].slots[0xC], 0);        /* c0[a0.x] */
    EXPECT_EQ(m, "SHD-10", assembler->buffer[1].slots[0x10], 0);       /* c0[aL] */
}

/* ------------------------------------------------------------------------------------------------- SHD-12 to SHD-14 */

/* Word n of the code is MOV o0,c(n mod 4), then END; the entry point is not masked. */
EACH_MACHINE(shader, SHD_12_entry_points_are_not_masked)
{
    static const struct {
        uint32_t entry;
        uint32_t expected;
        bool entry_range, pc_range;
    } rows[] = {
        { 0, 1, false, false },          { 2, 2, false, false },    { 510, 3, false, false },
        { 0xFFFF0002, 2, false, false }, { 0x0202, 0, true, true }, /* 514, not 2: words from 512 on are 0 */
        { 4095, 0, true, true },         { 4096, 0, true, true },   { 0xFFFF, 0, true, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "entry %X", (unsigned)rows[i].entry);
        const uint32_t code[4] = { mov(DST_O, SRC_C + 1, 0), END, mov(DST_O, SRC_C + 2, 0), END };
        const uint32_t last[2] = { mov(DST_O, SRC_C + 3, 0), END };
        struct list setup = { .count = 0 };
        list_code(&setup, PICA_UNIT_VERTEX, 510, last, 2);
        for (uint32_t c = 1; c < 4; c++)
            list_uniform(&setup, PICA_UNIT_VERTEX, c, integer((int32_t)c), 0, 0, 0);
        list_write(&setup, PICA_REG_VSH_ENTRYPOINT, rows[i].entry);
        const struct shader_run run = { .code = code, .code_count = 4, .setup = &setup };
        shader_run(m, &run);
        EXPECT_EQ(m, "SHD-12", shader_output(m, 0).bits[0], integer((int32_t)rows[i].expected));
        EXPECT(m, "SHD-12", machine_event(m, PICA_EVENT_ENTRY_RANGE) == rows[i].entry_range);
        EXPECT(m, "SHD-13", machine_event(m, PICA_EVENT_PC_RANGE) == rows[i].pc_range);
    }
}

/* With the geometry stage off, 0x28A and the GS unit's state have no part in a VS invocation. */
EACH_MACHINE(shader, SHD_12_every_vs_invocation_uses_the_vs_unit)
{
    const uint32_t code[2] = { mov(DST_O, SRC_C, 0), END };
    const uint32_t other[2] = { mov(DST_O, SRC_C + 1, 0), END };
    struct list setup = { .count = 0 };
    list_write(&setup, PICA_REG_VSH_COM_MODE, 1);
    list_code(&setup, PICA_UNIT_GEOMETRY, 0, other, 2);
    list_uniform(&setup, PICA_UNIT_VERTEX, 0, ONE, ONE, ONE, ONE);
    list_uniform(&setup, PICA_UNIT_GEOMETRY, 0, 0, 0, 0, 0);
    list_write(&setup, PICA_REG_GSH_ENTRYPOINT, 4096);
    const struct shader_run run = { .code = code, .code_count = 2, .setup = &setup };
    shader_run(m, &run);
    const struct pica_vector out = shader_output(m, 0);
    EXPECT_VECTOR(m, "SHD-12", out, ONE, ONE, ONE, ONE);
    EXPECT_NO_EVENT(m, "SHD-12", PICA_EVENT_ENTRY_RANGE);
}

/* fourth-unit-differs (R): a console may show something else than the rule where the two units are not alike. */
EACH_MACHINE(shader, SHD_12_fourth_unit_differs_where_the_units_are_not_alike)
{
    enum change {
        CODE,
        DESCRIPTOR,
        UNIFORM,
        REGISTER
    };
    static const struct {
        const char *what;
        enum change change;
        uint32_t index, value;
        bool event;
    } rows[] = {
        { "the last code word of a vertex unit", CODE, 511, 0x84000000, true },
        { "a code word that it has no room for", CODE, 512, 0x84000000, false },
        { "a descriptor", DESCRIPTOR, 127, 0x0D86C36F, true },
        { "a descriptor behind the last", DESCRIPTOR, 128, 0x0D86C36F, false },
        { "a uniform", UNIFORM, 95, 0x3F800000, true },
        { "the sign of a zero", UNIFORM, 0, 0x80000000, true },
        { "the same uniform", UNIFORM, 0, 0, false },
        { "z of an integer", REGISTER, PICA_REG_GSH_INTUNIFORM_I3, 0x00010000, true },
        { "bits behind an integer", REGISTER, PICA_REG_GSH_INTUNIFORM_I3, 0x01000000, false },
        { "a boolean", REGISTER, PICA_REG_GSH_BOOLUNIFORM, 0x00000001, true },
        { "the entry point", REGISTER, PICA_REG_GSH_ENTRYPOINT, 0x7FFF0001, true },
        { "the upper half of its word", REGISTER, PICA_REG_GSH_ENTRYPOINT, 0x7FFF0000, false },
        { "the output mask", REGISTER, PICA_REG_GSH_OUTMAP_MASK, 3, true },
        { "the upper half of its word", REGISTER, PICA_REG_GSH_OUTMAP_MASK, 0x00010001, false },
    };
    for (uint32_t i = 0; i < 2u * (sizeof rows / sizeof rows[0]); i++) {
        const size_t row = i / 2u;
        const bool in_use = i % 2u == 1u;
        machine_row(m, "%s, geometry stage %s", rows[row].what, in_use ? "on" : "off");
        struct list setup = { .count = 0 };
        switch (rows[row].change) {
        case CODE: list_code(&setup, PICA_UNIT_GEOMETRY, rows[row].index, &rows[row].value, 1); break;
        case DESCRIPTOR: list_opdescs(&setup, PICA_UNIT_GEOMETRY, rows[row].index, &rows[row].value, 1); break;
        case UNIFORM: list_uniform(&setup, PICA_UNIT_GEOMETRY, rows[row].index, rows[row].value, 0, 0, 0); break;
        case REGISTER: list_write(&setup, rows[row].index, rows[row].value); break;
        }
        if (in_use)
            list_write(&setup, PICA_REG_GEOSTAGE_CONFIG, 2);
        const uint32_t code[2] = { mov(DST_O, SRC_C, 0), END };
        const struct shader_run run = { .code = code, .code_count = 2, .setup = &setup };
        shader_run(m, &run);
        if (rows[row].event && !in_use)
            EXPECT_EVENT(m, "SHD-12", PICA_EVENT_FOURTH_UNIT_DIFFERS);
        else
            EXPECT_NO_EVENT(m, "SHD-12", PICA_EVENT_FOURTH_UNIT_DIFFERS);
    }
}

/* Two NaNs are the same value; what the vertex unit gets both get (REG-27). */
EACH_MACHINE(shader, SHD_12_fourth_unit_does_not_differ_by_a_nan)
{
    struct list setup = { .count = 0 };
    const uint32_t code[2] = { mov(DST_O, SRC_C, 0), END };
    const struct shader_run run = { .code = code, .code_count = 2, .setup = &setup };
    list_uniform(&setup, PICA_UNIT_VERTEX, 5, 0x7FC00000, 0, 0, 0);
    list_uniform(&setup, PICA_UNIT_GEOMETRY, 5, 0xFFC00001, 0, 0, 0);
    shader_run(m, &run);
    EXPECT_NO_EVENT(m, "SHD-12", PICA_EVENT_FOURTH_UNIT_DIFFERS);
}

/* Falling out of the last VS word: words from 512 on are ADD o0,v0,v0 with descriptor 0; 4095 ends. */
EACH_MACHINE(shader, SHD_13_vs_words_from_512_on_are_add_o0_v0_v0)
{
    struct list setup = { .count = 0 };
    const uint32_t last = NOP;
    const uint32_t code[1] = { op_condition(PICA_OPCODE_JMPC, 0, 0, 1, 511, 0) }; /* cmp = (0,0): taken */
    list_code(&setup, PICA_UNIT_VERTEX, 511, &last, 1);
    const struct shader_run run = {
        .code = code, .code_count = 1, .setup = &setup, .inputs = { { ONE, 0x40000000, 0x40400000, 0x40800000 } }
    };
    shader_run(m, &run);
    const struct pica_vector out = shader_output(m, 0);
    EXPECT_VECTOR(m, "SHD-13", out, 0x40000000, 0x40800000, 0x40C00000, 0x41000000);
    EXPECT_EVENT(m, "SHD-13", PICA_EVENT_PC_RANGE);
    EXPECT_NO_EVENT(m, "SHD-13", PICA_EVENT_BUDGET_INSTR);
}

/* 1 jump + words 512..4094 = 3584 instructions; END by PC 4095 counts nothing. */
EACH_MACHINE(shader, SHD_13_SHD_14_word_4095_is_never_executed_nor_counted)
{
    for (uint32_t limit = 3583; limit <= 3585; limit++) {
        LOAD_LIMIT(m, instructions, limit);
        machine_case(m, "limit %u", (unsigned)limit);
        const uint32_t code[1] = { op_condition(PICA_OPCODE_JMPC, 0, 0, 1, 512, 0) };
        const struct shader_run run = { .code = code, .code_count = 1, .inputs = { { ONE, ONE, ONE, ONE } } };
        shader_run(m, &run);
        EXPECT_EQ(m, "SHD-13", shader_output(m, 0).bits[0], 0x40000000);
        EXPECT(m, "SHD-14", machine_event(m, PICA_EVENT_BUDGET_INSTR) == (limit < 3584u));
        EXPECT_EVENT(m, "SHD-13", PICA_EVENT_PC_RANGE);
    }
}

/* pc-range for a jump to 4095 itself, in both directions of the limit. */
EACH_MACHINE(shader, SHD_13_pc_range_for_a_vs_begins_at_512)
{
    static const struct {
        uint32_t target;
        bool event;
    } rows[] = { { 2, false }, { 511, false }, { 512, true }, { 4094, true }, { 4095, true } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "target %u", (unsigned)rows[i].target);
        const uint32_t code[3] = { op_condition(PICA_OPCODE_JMPC, 0, 0, 1, rows[i].target, 0), END, END };
        struct list setup = { .count = 0 };
        list_code(&setup, PICA_UNIT_VERTEX, 511, code + 1, 1);
        const struct shader_run run = { .code = code, .code_count = 3, .setup = &setup };
        shader_run(m, &run);
        EXPECT(m, "SHD-13", machine_event(m, PICA_EVENT_PC_RANGE) == rows[i].event);
        EXPECT_NO_EVENT(m, "SHD-12", PICA_EVENT_ENTRY_RANGE);
    }
}

/* MOV o0,c1; MOV o0,c2; MOV o0,c3; END with limits 1..5: outputs as they stand; END counts. */
EACH_MACHINE(shader, SHD_14_exactly_lim_instr_instructions_are_executed)
{
    static const uint32_t expected[] = { 0, 1, 2, 3, 3, 3 };
    for (uint32_t limit = 1; limit <= 5; limit++) {
        LOAD_LIMIT(m, instructions, limit);
        machine_case(m, "limit %u", (unsigned)limit);
        const uint32_t code[4] = { mov(DST_O, SRC_C + 1, 0), mov(DST_O, SRC_C + 2, 0), mov(DST_O, SRC_C + 3, 0), END };
        struct list setup = { .count = 0 };
        for (uint32_t c = 1; c < 4; c++)
            list_uniform(&setup, PICA_UNIT_VERTEX, c, integer((int32_t)c), 0, 0, 0);
        const struct shader_run run = { .code = code, .code_count = 4, .setup = &setup };
        shader_run(m, &run);
        EXPECT_EQ(m, "SHD-14", shader_output(m, 0).bits[0], integer((int32_t)expected[limit]));
        EXPECT(m, "SHD-14", machine_event(m, PICA_EVENT_BUDGET_INSTR) == (limit < 4u));
    }
}

/* An endless loop ends by the budget, once for each vertex (the limit is per invocation). */
EACH_MACHINE(shader, SHD_14_endless_loops_end_by_the_budget)
{
    LOAD_LIMIT(m, instructions, 100);
    const uint32_t code[3] = { mov(DST_O, SRC_V, 0), op_uniform(PICA_OPCODE_JMPU, 0, 1, 1),
                               END }; /* b0 = 0, num 1: taken */
    const struct shader_run run = { .code = code, .code_count = 3, .inputs = { { ONE, 0, 0, 0 } } };
    shader_run(m, &run);
    EXPECT_EQ(m, "SHD-14", shader_output(m, 0).bits[0], ONE);
    EXPECT_ONLY_EVENTS(m, "SHD-14", PICA_EVENT_BUDGET_INSTR);
}

/* ------------------------------------------------------------------------------- SHD-15, SHD-20, 21, 23: operands */

/* MOV r0,v0 then MOV r0.xyzw,-r0.wzyx: a source is read before the destination is written. */
EACH_MACHINE(shader, SHD_15_sources_are_read_before_the_destination_is_written)
{
    const uint32_t descriptors[] = { IDENTITY, descriptor("xyzw", "wzyx", "xyzw", "xyzw"),
                                     descriptor("xyzw", "yzwx", "xxxx", "xyzw") };
    const uint32_t code[] = { mov(DST_R, SRC_V, 0), mov(DST_R, SRC_R, 1), op1(PICA_OPCODE_ADD, DST_R, SRC_R, SRC_R, 2),
                              mov(DST_O, SRC_R, 0), END };
    const struct shader_run run = { .code = code,
                                    .code_count = 5,
                                    .descriptors = descriptors,
                                    .descriptor_count = 3,
                                    .inputs = { { integer(1), integer(2), integer(3), integer(4) } } };
    shader_run(m, &run);
    const struct pica_vector out = shader_output(m, 0); /* (4,3,2,1) then yzwx + xxxx = (3,2,1,4) + 4 */
    EXPECT_VECTOR(m, "SHD-15", out, integer(7), integer(6), integer(5), integer(8));
}

/* The encodings of the examples of section 3, against the assembler of this directory and as executed code. */
EACH_MACHINE(shader, SHD_20_SHD_21_encoding_examples)
{
    EXPECT_EQ(m, "SHD-21", descriptor("xyzw", "xyzw", "xyzw", "xyzw"), 0x0D86C36F);
    EXPECT_EQ(m, "SHD-20", op1(0x13, DST_O, SRC_V, SRC_V, 0), 0x4C000000);
    EXPECT_EQ(m, "SHD-20", op1(0x00, DST_R + 1, SRC_C + 5, SRC_V + 2, 3), 0x02225103);
    EXPECT_EQ(m, "SHD-20", op_mad(DST_R, SRC_V, SRC_C + 2, SRC_R + 1, 5), 0xF0008A25);
    EXPECT_EQ(m, "SHD-20", op_cmp(4, 0, SRC_V, SRC_V, 0), 0xBC000000);
    EXPECT_EQ(m, "SHD-20", op_uniform(0x29, 1, 11, 0), 0xA4402C00);
    EXPECT_EQ(m, "SHD-20", op_uniform(0x2D, 3, 20, 1), 0xB4C05001);
    EXPECT_EQ(m, "SHD-20", op_setemit(2, 1, 0), 0xAE800000);
    EXPECT_EQ(m, "SHD-20", op0(0x22), END);
    EXPECT_EQ(m, "SHD-20", op0(0x21), NOP);
    EXPECT_EQ(m, "SHD-20", op0(0x2A), 0xA8000000);
    /* ADD r1,c5,v2 desc 3; MAD r0,v0,c2,r1 desc 5; MOV o0,r0 */
    const uint32_t descriptors[] = { IDENTITY, 0, 0, IDENTITY, 0, IDENTITY };
    const uint32_t code[] = { 0x02225103, 0xF0008A25, mov(DST_O, SRC_R, 0), END };
    struct list setup = { .count = 0 };
    list_uniform(&setup, PICA_UNIT_VERTEX, 5, integer(10), integer(20), integer(30), integer(40));
    list_uniform(&setup, PICA_UNIT_VERTEX, 2, integer(2), integer(3), integer(4), integer(5));
    const struct shader_run run = { .code = code,
                                    .code_count = 4,
                                    .descriptors = descriptors,
                                    .descriptor_count = 6,
                                    .inputs = { { integer(1), integer(2), integer(3), integer(4) },
                                                { 0 },
                                                { integer(5), integer(6), integer(7), integer(8) } },
                                    .setup = &setup };
    shader_run(m, &run);
    const struct pica_vector out = shader_output(m, 0);
    EXPECT_VECTOR(m, "SHD-20", out, integer(17), integer(32), integer(49), integer(68));
}

/* Every register by its number: r0-r15 as destination and as wide and narrow source; v0-v3; c0, c95. */
EACH_MACHINE(shader, SHD_20_register_numbers_of_sources_and_destinations)
{
    for (uint32_t k = 0; k < 16; k++) {
        machine_row(m, "register %u", (unsigned)k);
        const uint32_t code[] = { mov(DST_R + k, SRC_V + k % 4u, 0),
                                  op1(PICA_OPCODE_ADD, DST_O + k, SRC_R + k, SRC_R + k, 0),
                                  mov(DST_O + (k + 1u) % 16u, SRC_C + 6 * k, 0), END };
        struct list setup = { .count = 0 };
        list_uniform(&setup, PICA_UNIT_VERTEX, 6 * k, integer(77), integer(77), integer(77), integer(77));
        list_write(&setup, PICA_REG_VSH_OUTMAP_MASK, 1u << k | 1u << (k + 1u) % 16u);
        const uint32_t x = integer(100);
        const struct shader_run run = { .code = code,
                                        .code_count = 4,
                                        .outputs = 2,
                                        .inputs = { { x, x, x, x }, { x, x, x, x }, { x, x, x, x }, { x, x, x, x } },
                                        .setup = &setup };
        shader_run(m, &run);
        const bool wrapped = k == 15u; /* then o0 is the first set bit */
        EXPECT_EQ(m, "SHD-20", shader_output(m, wrapped ? 1 : 0).bits[2], integer(200));
        EXPECT_EQ(m, "SHD-20", shader_output(m, wrapped ? 0 : 1).bits[2], integer(77));
    }
}

/*
 * Each source k has its own swizzle and sign: MAD o0, v0, v1, v2 with different ones; then the 256 swizzles of source
 * 1.
 */
EACH_MACHINE(shader, SHD_21_swizzle_first_then_negation)
{
    const uint32_t three[] = { descriptor("xyzw", "wzyx", "-xxyy", "-zwxy") };
    const uint32_t mad[] = { op_mad(DST_O, SRC_V, SRC_V + 1, SRC_V + 2, 0), END };
    const uint32_t inputs[3][4] = { { integer(1), integer(2), integer(3), integer(4) },
                                    { integer(10), integer(20), integer(30), integer(40) },
                                    { integer(100), integer(200), integer(300), integer(400) } };
    struct shader_run run = { .code = mad, .code_count = 2, .descriptors = three, .descriptor_count = 1 };
    for (uint32_t i = 0; i < 12; i++)
        run.inputs[i / 4][i % 4] = inputs[i / 4][i % 4];
    shader_run(m, &run);
    const struct pica_vector out = shader_output(m, 0); /* (4,3,2,1) * -(10,10,20,20) - (300,400,100,200) */
    EXPECT_VECTOR(m, "SHD-21", out, integer(-340), integer(-430), integer(-140), integer(-220));
    const uint32_t move[] = { mov(DST_O, SRC_V, 0), END };
    for (uint32_t s = 0; s < 256; s++) {
        machine_case(m, "selectors %02X", (unsigned)s);
        const uint32_t word[] = { 0x8000000Fu | s << 5 }; /* bit 31 is ignored */
        run.code = move;
        run.descriptors = word;
        shader_run(m, &run);
        for (uint32_t c = 0; c < 4; c++)
            EXPECT_EQ(m, "SHD-21", shader_output(m, 0).bits[c], inputs[0][s >> (6 - 2 * c) & 3u]);
    }
}

/* All 16 masks over o0 = (1,2,3,4): bit 3 = x .. bit 0 = w. */
EACH_MACHINE(shader, SHD_23_components_not_in_the_mask_keep_their_value)
{
    for (uint32_t mask = 0; mask < 16; mask++) {
        machine_case(m, "mask %X", (unsigned)mask);
        const uint32_t words[] = { IDENTITY, (IDENTITY & ~0xFu) | mask };
        const uint32_t code[] = { mov(DST_O, SRC_V, 0), mov(DST_O, SRC_V + 1, 1), END };
        const struct shader_run run = { .code = code,
                                        .code_count = 3,
                                        .descriptors = words,
                                        .descriptor_count = 2,
                                        .inputs = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 } } };
        shader_run(m, &run);
        for (uint32_t c = 0; c < 4; c++)
            EXPECT_EQ(m, "SHD-23", shader_output(m, 0).bits[c], (mask >> (3 - c) & 1u) != 0u ? c + 5 : c + 1);
    }
}

/* ----------------------------------------------------------------------------------------------------------- SHD-22 */

/* c[n] = (n, n, n, n); a0.x = a0.y = value; o0 = c40[a0.x], o1 = c40[a0.y]: the worked list. 0 = (1,1,1,1). */
EACH_MACHINE(shader, SHD_22_relative_addressing_of_uniforms)
{
    static const struct {
        int32_t a0;
        int32_t expected; /* c number, or -1 for ones */
    } rows[] = { { 0, 40 },    { 50, 90 },   { 60, -1 },  { 74, -1 },  { 87, -1 },  { 88, 0 },
                 { 128, 40 },  { -40, 0 },   { -42, -1 }, { -70, -1 }, { -73, 95 }, { -127, 41 },
                 { -128, 40 }, { -129, 40 }, { 127, 39 }, { 55, 95 },  { 56, -1 },  { 1000000, 40 } };
    struct list uniforms = { .count = 0 };
    list_write(&uniforms, PICA_REG_START_DRAW_FUNC0, 1);
    for (uint32_t c = 0; c < 96; c++) {
        const uint32_t n = integer((int32_t)c + 1000);
        list_uniform(&uniforms, PICA_UNIT_VERTEX, c, n, n, n, n);
    }
    machine_submit(m, &uniforms);
    const uint32_t words[] = { IDENTITY, descriptor("xyzw", "-xyzw", "xyzw", "xyzw") };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "offset %d", (int)rows[i].a0);
        const uint32_t code[] = { op1(PICA_OPCODE_MOVA, 0, SRC_V, SRC_V, 0), relative(mov(DST_O, SRC_C + 40, 0), 1),
                                  relative(mov(DST_O + 1, SRC_C + 40, 1), 2),
                                  relative(mov(DST_O + 2, SRC_C + 40, 0), 0), END };
        const uint32_t a = integer(rows[i].a0);
        const struct shader_run run = { .code = code,
                                        .code_count = 5,
                                        .descriptors = words,
                                        .descriptor_count = 2,
                                        .outputs = 3,
                                        .inputs = { { a, a, 0, 0 } } };
        shader_run(m, &run);
        const uint32_t e = rows[i].expected < 0 ? ONE : integer(rows[i].expected + 1000);
        const struct pica_vector out0 = shader_output(m, 0);
        const struct pica_vector out1 = shader_output(m, 1);
        EXPECT_VECTOR(m, "SHD-22", out0, e, e, e, e);
        EXPECT_VECTOR(m, "SHD-22", out1, e ^ 0x80000000u, e ^ 0x80000000u, e ^ 0x80000000u, e ^ 0x80000000u);
        EXPECT_EQ(m, "SHD-22", shader_output(m, 2).bits[0], integer(1040));
    }
}

/* It is ignored for v and r, applies to the wide source of formats 1i, 5, 5i, and to aL. */
EACH_MACHINE(shader, SHD_22_relative_addressing_in_every_format)
{
    struct list setup = { .count = 0 };
    for (uint32_t c = 0; c < 8; c++)
        list_uniform(&setup, PICA_UNIT_VERTEX, c, integer((int32_t)c), integer((int32_t)c), 0, 0);
    list_write(&setup, PICA_REG_VSH_INTUNIFORM_I0, 0x00000300); /* aL = 3 in the body */
    const uint32_t code[] = {
        op1(PICA_OPCODE_MOVA, 0, SRC_V + 1, SRC_V, 0),                       /* a0 = (2, 1) */
        relative(mov(DST_O, SRC_V, 0), 1),                                   /* v0 whatever idx says */
        relative(op1i(PICA_OPCODE_DPHI, DST_O + 1, SRC_V, SRC_C + 1, 0), 1), /* (1,1,0,1) . c3 = 3 + 3 */
        relative_mad(op_mad(DST_O + 2, SRC_V, SRC_C + 4, SRC_V, 0), 2),      /* v0 * c5 + v0 */
        relative_mad(op_madi(DST_O + 3, SRC_V, SRC_V, SRC_C + 4, 0), 1),     /* v0 * v0 + c6 */
        op_uniform(PICA_OPCODE_LOOP, 0, 6, 0),
        relative(mov(DST_O + 4, SRC_C + 4, 0), 3), /* c7 */
        END,
    };
    const struct shader_run run = { .code = code,
                                    .code_count = 8,
                                    .outputs = 5,
                                    .inputs = { { ONE, ONE, 0, ONE }, { 0x40000000, ONE, 0, 0 } },
                                    .setup = &setup };
    shader_run(m, &run);
    static const int32_t expected[5] = { 1, 6, 6, 7, 7 };
    for (uint32_t k = 0; k < 5; k++) {
        machine_case(m, "output %u", (unsigned)k);
        EXPECT_EQ(m, "SHD-22", shader_output(m, k).bits[0], integer(expected[k]));
    }
}
