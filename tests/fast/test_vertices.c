/*
 * Large draws, where `fast` shades by plans (fast/vertex/shader_plan.h) and keeps vertices by index: against the
 * specification, on every backend and every instruction set. The last two vertices of a strip stay in the assembler.
 */
#include "fast/gpu.h"
#include "fast/vertex/fetch.h"
#include "tests/conformance/fetch_probe.h"
#include "tests/conformance/shader_probe.h"
#include "tests/fast/steps.h"

#include <string.h>

enum {
    VERTICES = 400,
    STRIDE = 8,
    GENERATIONS = 65535, /* of the index cache */
    TRIPLES = 12
};

static const uint32_t END = 0x88000000;
static const uint32_t INFINITE = 0x7F800000;

/* EACH_MACHINE, and `fast` with each instruction set. */
#define EACH_MACHINE_AND_SET(suite, name)          \
    static void suite##_##name(struct machine *m); \
    Test(suite, name)                              \
    {                                              \
        machine_each(suite##_##name);              \
        each_instruction_set(suite##_##name);      \
    }                                              \
    static void suite##_##name(struct machine *m)

/* Vertex v is (v, v + 0.5, 0, 1). */
static void load_vertices(struct machine *m)
{
    uint32_t words[VERTICES][2];
    for (uint32_t v = 0; v < VERTICES; v++) {
        words[v][0] = integer((int32_t)v);
        words[v][1] = f32_bits((float)v + 0.5f);
    }
    machine_load_words(m, VERTEX_ADDRESS, words[0], sizeof words / sizeof words[0][0]);
}

/* Registers for strips of vertices as above through `code`, o0 to slots 00-03; no trigger. */
static void pipeline(struct machine *m, struct list *list, const uint32_t *code, uint32_t count)
{
    const struct shader_run run = { .code = code, .code_count = count, .outputs = 1 };
    shader_run_list(m, &run, list); /* loads a vertex of its own */
    load_vertices(m);
    list_write(list, PICA_REG_PRIMITIVE_CONFIG, 1u << 8);
    list_write(list, PICA_REG_ATTRIBBUFFERS_LOC, VERTEX_ADDRESS >> 3);
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 0x7);
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, 0);
    list_write(list, PICA_REG_ATTRIBBUFFER0_OFFSET, 0);
    list_write(list, PICA_REG_ATTRIBBUFFER0_CONFIG1, 0);
    list_write(list, PICA_REG_ATTRIBBUFFER0_CONFIG2, 1u << 28 | STRIDE << 16);
    list_write(list, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000000);
    list_write(list, PICA_REG_VSH_NUM_ATTR, 0);
    list_write(list, PICA_REG_VERTEX_OFFSET, 0);
}

static void uniform(struct list *list, uint32_t index, uint32_t bits)
{
    list_uniform(list, PICA_UNIT_VERTEX, index, bits, bits, bits, bits);
}

static void draw(struct machine *m, struct list *list, uint32_t vertices)
{
    list_write(list, PICA_REG_RESTART_PRIMITIVE, 1);
    list_draw(list, vertices);
    machine_submit(m, list);
    list->count = 0;
}

/* Did the last draw of `fast` end with a plan? Not if none was possible, nor if vertices needed the interpreter. */
static void expect_planned(struct machine *m, bool expected)
{
    if (m->is_reference)
        return;
    const struct fast_gpu *const gpu = m->instance;
    EXPECT_EQ(m, "fast/vertex/shader_plan.h", gpu->vertices->plan != NULL, expected);
}

/* x of the last vertex. */
static uint32_t last_x(struct machine *m, uint32_t vertices)
{
    return byte_assembler(m)->buffer[(vertices - 1u) % 2u].slots[0];
}

static uint32_t simple(uint32_t opcode, uint32_t dest, uint32_t src1, uint32_t src2)
{
    return op1(opcode, dest, src1, src2, 0);
}

/* ------------------------------------------------------------------------------------------------------------ plans */

EACH_MACHINE_AND_SET(fast_vertices, VTX_20_every_number_of_vertices_is_shaded)
{
    const uint32_t code[] = { simple(PICA_OPCODE_ADD, DST_O, SRC_C + 1, SRC_V), END };
    struct list list = { .count = 0 };
    pipeline(m, &list, code, 2);
    uniform(&list, 1, integer(1000));
    const uint32_t worth = strcmp(m->name, "fast small") == 0 ? 3 : 256; /* the former: its capacity */
    for (uint32_t n = 250; n < 330; n++) {
        machine_case(m, "%u vertices", (unsigned)n);
        draw(m, &list, n);
        expect_planned(m, n >= worth); /* from then on it is worth one */
        EXPECT_EQ(m, "VTX-20", last_x(m, n), integer((int32_t)(999 + n)));
        EXPECT_EQ(m, "VTX-20", last_x(m, n - 1), integer((int32_t)(998 + n)));
    }
}

/* The same program with other c, b and i registers, and another output map. */
EACH_MACHINE_AND_SET(fast_vertices, a_plan_is_used_for_its_own_registers_only)
{
    const uint32_t code[] = { op_uniform(PICA_OPCODE_JMPU, 0, 2, 1),
                              simple(PICA_OPCODE_ADD, DST_R, SRC_R, SRC_R),
                              simple(PICA_OPCODE_ADD, DST_R, SRC_C + 1, SRC_V),
                              op_uniform(PICA_OPCODE_JMPU, 0, 5, 0),
                              simple(PICA_OPCODE_ADD, DST_R, SRC_C + 2, SRC_R),
                              op_uniform(PICA_OPCODE_LOOP, 0, 6, 0),
                              simple(PICA_OPCODE_ADD, DST_R, SRC_C + 3, SRC_R),
                              simple(PICA_OPCODE_MOV, DST_O, SRC_R, SRC_V),
                              END };
    struct list list = { .count = 0 };
    pipeline(m, &list, code, 9);
    for (uint32_t c = 1; c < 4; c++)
        uniform(&list, c, integer(1000 * (int32_t)c));
    draw(m, &list, 300);
    expect_planned(m, true);
    EXPECT_EQ(m, "REG-22", last_x(m, 300), integer(299 + 1000 + 2000 + 3000));
    uniform(&list, 2, integer(50000));
    draw(m, &list, 300);
    expect_planned(m, true);
    EXPECT_EQ(m, "REG-22", last_x(m, 300), integer(299 + 1000 + 50000 + 3000));
    list_write(&list, PICA_REG_VSH_BOOLUNIFORM, 1);
    draw(m, &list, 300);
    EXPECT_EQ(m, "REG-26", last_x(m, 300), integer(299 + 1000 + 3000));
    list_write(&list, PICA_REG_VSH_INTUNIFORM_I0, 4);
    draw(m, &list, 300);
    EXPECT_EQ(m, "REG-26", last_x(m, 300), integer(299 + 1000 + 5 * 3000));
    list_write(&list, PICA_REG_SH_OUTMAP_O0, 0x03020001); /* x and y swapped */
    draw(m, &list, 300);
    EXPECT_EQ(m, "SHD-80", last_x(m, 300), f32_bits(299.5f + 1000 + 5 * 3000));
}

/* c10[a0.x] by v / 16, then the same operand by v / 8: of vertex 299 it is c28 + c47. */
EACH_MACHINE_AND_SET(fast_vertices, SHD_32_an_operand_is_read_anew_after_mova)
{
    const uint32_t code[] = { simple(PICA_OPCODE_MUL, DST_R, SRC_C + 1, SRC_V),
                              simple(PICA_OPCODE_MOVA, 0, SRC_R, SRC_V),
                              relative(simple(PICA_OPCODE_MOV, DST_R + 1, SRC_C + 10, SRC_V), 1),
                              simple(PICA_OPCODE_ADD, DST_R, SRC_R, SRC_R),
                              simple(PICA_OPCODE_MOVA, 0, SRC_R, SRC_V),
                              relative(simple(PICA_OPCODE_ADD, DST_O, SRC_C + 10, SRC_R + 1), 1),
                              END };
    struct list list = { .count = 0 };
    pipeline(m, &list, code, 7);
    for (uint32_t c = 10; c < 50; c++)
        uniform(&list, c, integer((int32_t)c));
    uniform(&list, 1, f32_bits(1.0f / 16));
    draw(m, &list, 300);
    expect_planned(m, true);
    EXPECT_EQ(m, "SHD-32", last_x(m, 300), integer(28 + 47));
}

/* The events of the program depend neither on what runs it nor on what ran it in the case before. */
EACH_MACHINE_AND_SET(fast_vertices, events_of_a_plan_are_those_of_the_program)
{
    const uint32_t code[] = { 0x10u << 26, simple(PICA_OPCODE_MOV, DST_O, SRC_V, SRC_V), op0(PICA_OPCODE_BREAK), END };
    for (uint32_t round = 0; round < 3; round++) {
        struct list list = { .count = 0 };
        machine_row(m, "round %u", (unsigned)round);
        pipeline(m, &list, code, 4);
        draw(m, &list, 300);
        expect_planned(m, true);
        EXPECT_EQ(m, "SHD-34", last_x(m, 300), integer(299));
        EXPECT_EVENT(m, "SHD-34", PICA_EVENT_OPCODE_UNASSIGNED);
        EXPECT_EVENT(m, "SHD-50", PICA_EVENT_BREAK_EMPTY);
    }
}

/* GEN-03: 0 x infinity is 0, wherever the NaN of the plain product would go. Vertex 298 is 0. */
EACH_MACHINE_AND_SET(fast_vertices, GEN_03_products_of_large_draws_are_repaired)
{
    const uint32_t product = simple(PICA_OPCODE_MUL, DST_R, SRC_C + 1, SRC_V);
    const struct {
        uint32_t code[3];
        uint32_t at_zero, elsewhere;
    } rows[] = {
        { { product, simple(PICA_OPCODE_MOV, DST_O, SRC_R, SRC_V), END }, 0, INFINITE },
        { { product, simple(PICA_OPCODE_MAX, DST_O, SRC_C + 2, SRC_R), END }, 0, INFINITE },
        { { product, simple(PICA_OPCODE_MIN, DST_O, SRC_C + 3, SRC_R), END }, 0, 0x40A00000 },
        { { product, simple(PICA_OPCODE_SGE, DST_O, SRC_C + 2, SRC_R), END }, 0, 0 },
        { { product, simple(PICA_OPCODE_SLT, DST_O, SRC_C + 2, SRC_R), END }, 0x3F800000, 0x3F800000 },
        { { op_mad(DST_R, SRC_V, SRC_C + 1, SRC_V, 0), simple(PICA_OPCODE_MOV, DST_O, SRC_R, SRC_V), END },
          0,
          INFINITE },
        { { simple(PICA_OPCODE_DP4, DST_O, SRC_C + 1, SRC_V), END, END }, INFINITE, INFINITE },
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct list list = { .count = 0 };
        static const uint32_t zero[2] = { 0, 0 };
        machine_row(m, "row %u", (unsigned)i);
        pipeline(m, &list, rows[i].code, 3);
        machine_load_words(m, VERTEX_ADDRESS + 298 * STRIDE, zero, 2);
        uniform(&list, 1, INFINITE);
        uniform(&list, 2, integer(-5));
        uniform(&list, 3, integer(5));
        draw(m, &list, 300);
        expect_planned(m, false); /* the last vertices gave it up */
        EXPECT_EQ(m, "GEN-03", last_x(m, 299), rows[i].at_zero);
        EXPECT_EQ(m, "GEN-03", last_x(m, 300), rows[i].elsewhere);
    }
}

/*
 * Sums of products with c registers are done in pairs if they share their rows. Here two that follow each other do not:
 * another register; and one whose x the first sum is written to. v0 = (v, v + 0.5, 0, 1), v = 299.
 */
EACH_MACHINE_AND_SET(fast_vertices, SHD_30_sums_that_follow_each_other_but_make_no_pair)
{
    const uint32_t descriptors[2] = { IDENTITY, descriptor("x", "xyzw", "xyzw", "xyzw") };
    const struct {
        uint32_t code[5];
        float expected;
    } rows[] = {
        { { simple(PICA_OPCODE_ADD, DST_R + 1, SRC_C + 1, SRC_V), simple(PICA_OPCODE_DP4, DST_R + 2, SRC_C + 2, SRC_V),
            simple(PICA_OPCODE_DP4, DST_R + 3, SRC_C + 3, SRC_R + 1),
            simple(PICA_OPCODE_ADD, DST_O, SRC_R + 2, SRC_R + 3), END },
          (2 * 299 + 1.5f) + 2 * (2 * 299 + 1.5f + 4000) },
        { { simple(PICA_OPCODE_ADD, DST_R + 1, SRC_C + 4, SRC_V),
            op1(PICA_OPCODE_DP4, DST_R + 1, SRC_C + 2, SRC_R + 1, 1),
            simple(PICA_OPCODE_DP4, DST_O, SRC_C + 3, SRC_R + 1), END, END },
          2 * ((2 * 299 + 1.5f) + 299.5f + 1) },
        { { simple(PICA_OPCODE_ADD, DST_R + 1, SRC_C + 4, SRC_V),
            op1(PICA_OPCODE_DP3, DST_R + 1, SRC_C + 2, SRC_R + 1, 1),
            simple(PICA_OPCODE_DP3, DST_O, SRC_C + 3, SRC_R + 1), END, END },
          2 * ((2 * 299 + 0.5f) + 299.5f) },
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct list list = { .count = 0 };
        machine_row(m, "row %u", (unsigned)i);
        pipeline(m, &list, rows[i].code, 5);
        list_opdescs(&list, PICA_UNIT_VERTEX, 0, descriptors, 2);
        uniform(&list, 1, integer(1000));
        uniform(&list, 2, integer(1));
        uniform(&list, 3, integer(2));
        uniform(&list, 4, integer(0));
        draw(m, &list, 300);
        expect_planned(m, true);
        EXPECT_EQ(m, "SHD-30", last_x(m, 300), f32_bits(rows[i].expected));
    }
}

/* A condition that vertices answer differently: from vertex 100 on, 1000 is added. */
EACH_MACHINE_AND_SET(fast_vertices, SHD_31_vertices_of_large_draws_take_their_own_ways)
{
    const uint32_t code[] = { op_cmp(PICA_SHADER_COMPARE_GE, PICA_SHADER_COMPARE_GE, SRC_C + 2, SRC_V, 0),
                              simple(PICA_OPCODE_MOV, DST_R, SRC_V, SRC_V),
                              op_condition(PICA_OPCODE_JMPC, 1, 1, 2, 4, 0),
                              simple(PICA_OPCODE_ADD, DST_R, SRC_C + 1, SRC_V),
                              simple(PICA_OPCODE_MOV, DST_O, SRC_R, SRC_V),
                              END };
    for (uint32_t n = 2; n < 400; n += 133) {
        struct list list = { .count = 0 };
        machine_reset(m);
        pipeline(m, &list, code, 6);
        uniform(&list, 1, integer(1000));
        uniform(&list, 2, f32_bits(99.25f));
        draw(m, &list, n);
        draw(m, &list, n);
        expect_planned(m, false);
        EXPECT_EQ(m, "SHD-31", last_x(m, n), integer((int32_t)(n - 1 < 100 ? n - 1 : n + 999)));
    }
}

/* More different c components than a plan has room for: 80 in comparisons, the last is the largest. */
EACH_MACHINE_AND_SET(fast_vertices, a_shader_with_many_scalars_is_not_planned)
{
    uint32_t code[22];
    struct list list = { .count = 0 };
    code[0] = simple(PICA_OPCODE_MOV, DST_R, SRC_V, SRC_V);
    for (uint32_t i = 0; i < 20; i++)
        code[1 + i] = simple(PICA_OPCODE_MAX, i == 19 ? DST_O : DST_R, SRC_C + i, SRC_R);
    code[21] = END;
    pipeline(m, &list, code, 22);
    for (uint32_t i = 0; i < 20; i++)
        uniform(&list, i, integer(1000 + (int32_t)i));
    draw(m, &list, 300);
    draw(m, &list, 300);
    expect_planned(m, false);
    EXPECT_EQ(m, "FLT-26", last_x(m, 300), integer(1019));
}

/* More operations than a plan has room for: 200 rounds of 3 or 8 additions. */
EACH_MACHINE_AND_SET(fast_vertices, a_shader_with_a_long_way_is_not_planned)
{
    uint32_t code[11];
    for (uint32_t body = 3; body <= 8; body += 5) {
        struct list list = { .count = 0 };
        machine_reset(m);
        code[0] = op_uniform(PICA_OPCODE_LOOP, 0, body, 0);
        for (uint32_t i = 1; i <= body; i++)
            code[i] = simple(PICA_OPCODE_ADD, DST_R, SRC_C + 1, SRC_R);
        code[body + 1] = simple(PICA_OPCODE_ADD, DST_O, SRC_R, SRC_V);
        code[body + 2] = END;
        pipeline(m, &list, code, body + 3);
        uniform(&list, 1, integer(1));
        list_write(&list, PICA_REG_VSH_INTUNIFORM_I0, 199);
        draw(m, &list, 300);
        draw(m, &list, 300);
        expect_planned(m, false);
        EXPECT_EQ(m, "SHD-48", last_x(m, 300), integer((int32_t)(200 * body + 299)));
    }
}

/* SHD-13: a shader that runs into words that were never written; o0 = v0 + v0 there. */
EACH_MACHINE_AND_SET(fast_vertices, SHD_13_words_that_nobody_wrote_are_run_by_large_draws_too)
{
    const uint32_t code[] = { simple(PICA_OPCODE_MOV, DST_R, SRC_V, SRC_V) };
    struct list list = { .count = 0 };
    pipeline(m, &list, code, 1);
    draw(m, &list, 300);
    EXPECT_EQ(m, "SHD-13", last_x(m, 300), integer(598));
    EXPECT_EVENT(m, "SHD-13", PICA_EVENT_PC_RANGE);
}

/* ------------------------------------------------------------------------------------------------------ index cache */

/* `draws` times the triple of indices number `triple`. */
static void draw_elements(struct machine *m, struct list *list, uint32_t triple, uint32_t draws)
{
    static const uint32_t ones[256];
    list_write(list, PICA_REG_INDEXBUFFER_CONFIG, INDEX_ADDRESS - VERTEX_ADDRESS + 3u * triple);
    for (; draws > 0; draws -= draws < 256 ? draws : 256)
        list_write_many(list, PICA_REG_DRAWELEMENTS, false, ones, draws < 256 ? draws : 256);
    machine_submit(m, list);
    list->count = 0;
}

/*
 * VTX-24: the cache counts draws in 16 bits. Triple t is drawn by draw number t, and again by the draw that counts as
 * number t once more; its vertices have changed by then.
 */
EACH_MACHINE_AND_SET(fast_vertices, VTX_24_the_cache_forgets_vertices_of_65535_draws_ago)
{
    uint8_t indices[3 * TRIPLES];
    const uint32_t code[] = { simple(PICA_OPCODE_MOV, DST_O, SRC_V, SRC_V), END };
    struct list list = { .count = 0 };
    for (uint32_t i = 0; i < 3 * TRIPLES; i++)
        indices[i] = (uint8_t)i;
    pipeline(m, &list, code, 2);
    machine_load(m, INDEX_ADDRESS, indices, sizeof indices);
    list_write(&list, PICA_REG_NUMVERTICES, 3);
    for (uint32_t t = 1; t < TRIPLES; t++)
        draw_elements(m, &list, t, 1);
    for (uint32_t left = GENERATIONS - (TRIPLES - 1); left > 0; left -= left < 4096 ? left : 4096)
        draw_elements(m, &list, 0, left < 4096 ? left : 4096);
    for (uint32_t i = 0; i < 3 * TRIPLES; i++)
        machine_load_word(m, VERTEX_ADDRESS + i * STRIDE, integer(1000 + (int32_t)i));
    for (uint32_t t = 1; t < TRIPLES; t++) {
        list_write(&list, PICA_REG_RESTART_PRIMITIVE, 1);
        draw_elements(m, &list, t, 1);
        EXPECT_EQ(m, "VTX-24", last_x(m, 3), integer(1002 + 3 * (int32_t)t));
        EXPECT_EQ(m, "VTX-24", last_x(m, 2), integer(1001 + 3 * (int32_t)t));
    }
}

EACH_MACHINE_AND_SET(fast_vertices, VTX_21_large_element_draws_show_every_index)
{
    uint8_t indices[2 * VERTICES];
    const uint32_t code[] = { simple(PICA_OPCODE_MOV, DST_O, SRC_V, SRC_V), END };
    struct list list = { .count = 0 };
    for (uint32_t i = 0; i < VERTICES; i++) { /* every index twice, and backwards */
        const uint32_t index = (VERTICES - 1 - i) / 2 * 2 + i % 2;
        indices[2 * i] = (uint8_t)(index & 0xFF);
        indices[2 * i + 1] = (uint8_t)(index >> 8);
    }
    pipeline(m, &list, code, 2);
    machine_load(m, INDEX_ADDRESS, indices, sizeof indices);
    list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, 1u << 31 | (INDEX_ADDRESS - VERTEX_ADDRESS));
    for (uint32_t n = 300; n <= VERTICES; n += 25) {
        list_write(&list, PICA_REG_RESTART_PRIMITIVE, 1);
        list_draw_indexed(&list, n);
        machine_submit(m, &list);
        list.count = 0;
        machine_case(m, "%u indices", (unsigned)n);
        EXPECT_EQ(m, "VTX-21", last_x(m, n), integer((int32_t)((VERTICES - n) / 2 * 2 + (n - 1) % 2)));
    }
}

/* --------------------------------------------------------------------------------------------- attributes elsewhere */

/* VTX-09: addresses wrap at 2^32. Vertex 2 of an array that starts 16 bytes before the end lies at 0, outside. */
EACH_MACHINE_AND_SET(fast_vertices, VTX_09_arrays_wrap_around_the_end_of_the_address_space)
{
    const uint32_t code[] = { simple(PICA_OPCODE_ADD, DST_O, SRC_C + 1, SRC_V), END };
    struct list list = { .count = 0 };
    pipeline(m, &list, code, 2);
    uniform(&list, 1, integer(3));
    list_write(&list, PICA_REG_ATTRIBBUFFERS_LOC, 0x1FFFFFFE);
    draw(m, &list, 300);
    expect_planned(m, false); /* steps need every vertex in memory */
    EXPECT_EQ(m, "VTX-09", last_x(m, 300), integer(3));
    EXPECT_EVENT(m, "MEM-02", PICA_EVENT_MEM_OOB);
}

/* --------------------------------------------------------------------------------------- programs that come back */

static void put_program(struct list *list, const uint32_t *code)
{
    list_write(list, PICA_REG_START_DRAW_FUNC0, 1);
    list_code(list, PICA_UNIT_VERTEX, 0, code, 4);
    list_write(list, PICA_REG_START_DRAW_FUNC0, 0);
}

/*
 * Nine programs for the eight places of the cache. Large draws use plans; the small one in between leaves c1 of program
 * 0 in the interpreter's rows, and the ninth program, which reads c2, gets the place of program 0.
 */
EACH_MACHINE_AND_SET(fast_vertices, REG_22_a_program_in_the_place_of_another_reads_its_own_uniforms)
{
    struct list list = { .count = 0 };
    uint32_t code[9][4];
    for (uint32_t i = 0; i < 9; i++) {
        code[i][0] = simple(PICA_OPCODE_ADD, DST_R, SRC_C + (i == 8 ? 2 : 1), SRC_V);
        code[i][1] = simple(PICA_OPCODE_MOV, DST_R + 1 + i, SRC_R, SRC_V); /* tells programs apart */
        code[i][2] = simple(PICA_OPCODE_MOV, DST_O, SRC_R, SRC_V);
        code[i][3] = END;
    }
    pipeline(m, &list, code[0], 4);
    uniform(&list, 1, integer(1000));
    uniform(&list, 2, integer(2000));
    for (uint32_t i = 0; i < 8; i++) {
        put_program(&list, code[i]);
        draw(m, &list, 300);
        EXPECT_EQ(m, "REG-22", last_x(m, 300), integer(1299));
    }
    uniform(&list, 2, integer(5000));
    put_program(&list, code[0]);
    draw(m, &list, 3);
    EXPECT_EQ(m, "REG-22", last_x(m, 3), integer(1002));
    for (uint32_t i = 1; i < 8; i++) {
        put_program(&list, code[i]);
        draw(m, &list, 300);
    }
    put_program(&list, code[8]);
    draw(m, &list, 3);
    EXPECT_EQ(m, "REG-22", last_x(m, 3), integer(5002));
}
