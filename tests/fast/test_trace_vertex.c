/* The trace of vertices (pica/trace.def) of `fast` on every instruction set. Numbers are worked out by hand. */
#include "tests/conformance/geometry_probe.h"
#include "tests/conformance/shader_probe.h"
#include "tests/fast/steps.h"

#include <string.h>

static const uint32_t ONE = 0x3F800000;
static const uint32_t TWO = 0x40000000;
static const uint32_t MINUS_HALF = 0xBF000000;
static const uint32_t END = 0x88000000;

/* Element draw of three vertices 2, 0, 2: the third is the first again (VTX-24), and has the same steps. */
EACH_INSTRUCTION_SET(fast_trace_vertex, VTX_24_a_vertex_that_is_used_again_has_its_steps_again)
{
    static const uint8_t indices[4] = { 2, 0, 2, 0 };
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex v[4];
    probe_quad(v);
    v[2].color[0] = 2.0f;
    probe_load_vertices(m, v, 4);
    machine_load(m, INDEX_ADDRESS, indices, sizeof indices);
    probe_pipeline(&list);
    list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, INDEX_ADDRESS - VERTEX_ADDRESS);
    list_draw_indexed(&list, 3);
    steps_vertices(m, &steps, 0);
    machine_submit(m, &list);
    EXPECT_NUMBER(m, &steps, VERTEX_NUMBER, 3);
    EXPECT_STEP(m, &steps, VERTEX_NUMBER, 0, 0, 2);
    EXPECT_STEP(m, &steps, VERTEX_NUMBER, 1, 0, 0);
    EXPECT_STEP(m, &steps, VERTEX_NUMBER, 2, 0, 2);
    EXPECT_NUMBER(m, &steps, VERTEX_ATTRIBUTE, 48);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 0, 0, 0xBF800000, ONE, MINUS_HALF, ONE);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 2, 2, TWO, ONE, ONE, ONE);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 6, 6, 0, 0, 0, ONE); /* VTX-11 */
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 16, 0, 0xBF800000, 0xBF800000, MINUS_HALF, ONE);
    EXPECT_NUMBER(m, &steps, SHADER_INSTRUCTION, 21); /* six MOVs and END, three times */
    EXPECT_STEP(m, &steps, SHADER_INSTRUCTION, 1, 1, 0x4C201000);
    EXPECT_STEP(m, &steps, SHADER_INSTRUCTION, 6, 6, END);
    EXPECT_STEP(m, &steps, SHADER_RESULT, 2, 2, TWO, ONE, ONE, ONE);
    EXPECT_NUMBER(m, &steps, OUTPUT_REGISTER, 18);
    EXPECT_STEP(m, &steps, OUTPUT_REGISTER, 2, 2, TWO, ONE, ONE, ONE);
    EXPECT_NUMBER(m, &steps, OUTPUT_SLOT, 72);
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 8, 8, ONE);       /* SHD-81: at most 1 */
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 0x11, 0x11, ONE); /* never written */
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 24 + 1, 1, 0xBF800000);
    EXPECT(m, "trace.def", steps_in_order(&steps));

    steps_vertex(m, &steps, 1, 2);
    list.count = 0;
    list_write(&list, PICA_REG_DRAWELEMENTS, 1);
    machine_submit(m, &list);
    EXPECT_NUMBER(m, &steps, VERTEX_NUMBER, 1);
    EXPECT_STEP(m, &steps, VERTEX_NUMBER, 0, 0, 2);
    EXPECT_NUMBER(m, &steps, OUTPUT_SLOT, 24);
}

/* VTX-12: two entries for one register; the losing one is still reported. */
EACH_INSTRUCTION_SET(fast_trace_vertex, VTX_12_attributes_are_those_before_the_permutation)
{
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 255, 0, 255, 0);
    probe_pipeline(&list);
    list_write(&list, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, 0x76543022); /* entries 0 and 1 to v2, 2 to v0 */
    steps_vertex(m, &steps, 0, 1);
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 0, 0, ONE, 0xBF800000, MINUS_HALF, ONE);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 1, 1, 0, 0, 0, ONE);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 2, 2, ONE, 0, ONE, 0);
    EXPECT_STEP(m, &steps, OUTPUT_REGISTER, 0, 0, ONE, 0, ONE, 0);
}

/* VTX-11: attribute 6 is a fixed one, but the shader has six inputs. */
EACH_INSTRUCTION_SET(fast_trace_vertex, VTX_11_fixed_attributes_that_no_register_shows)
{
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_pipeline(&list);
    list_write(&list, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, 6u << 28 | 1u << 22);
    list_fixed_attribute(&list, 6, float24(1), float24(2), float24(-0.5), float24(1));
    list_fixed_attribute(&list, 7, float24(2), float24(2), float24(2), float24(2));
    steps_vertex(m, &steps, 0, 1);
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 6, 6, ONE, TWO, MINUS_HALF, ONE);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 7, 7, 0, 0, 0, ONE); /* no attribute of the draw */
}

/* Vertices that part at a condition: each shows the way it went, with its own address and compare registers. */
EACH_INSTRUCTION_SET(fast_trace_vertex, SHD_41_vertices_of_one_batch_show_their_own_ways)
{
    const uint32_t descriptors[2] = { IDENTITY, descriptor("x", "xyzw", "xyzw", "xyzw") };
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex quad[4];
    const uint32_t code[6] = { op_cmp(2, 5, SRC_V, SRC_V + 3, 0), /* cmp.x = v0.x < v3.x */
                               op1(PICA_OPCODE_MOVA, 0, SRC_V, 0, 1),
                               op_condition(PICA_OPCODE_JMPC, 1, 1, 2, 4, 0),
                               op1(PICA_OPCODE_MOV, DST_O, SRC_V + 1, 0, 0),
                               op1(PICA_OPCODE_ADD, DST_R, SRC_V, SRC_V, 1),
                               END };
    probe_quad(quad);
    probe_pipeline(&list);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 1);
    list_code(&list, PICA_UNIT_VERTEX, 0, code, 6);
    list_opdescs(&list, PICA_UNIT_VERTEX, 0, descriptors, 2);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 0);
    quad[1].texcoord0[0] = -3.0f;
    steps_vertices(m, &steps, 0);
    probe_draw(m, &list, quad, 2, PICA_TOPOLOGY_STRIP);
    /* Vertex 0: -1 < 0 jumps over word 3. Vertex 1: 1 < -3 does not. */
    static const uint32_t way[11] = { 0, 1, 2, 4, 5, 0, 1, 2, 3, 4, 5 };
    EXPECT_NUMBER(m, &steps, SHADER_INSTRUCTION, 11);
    for (size_t i = 0; i < 11; i++)
        EXPECT_STEP(m, &steps, SHADER_INSTRUCTION, i, way[i], code[way[i]]);
    EXPECT_STEP(m, &steps, SHADER_COMPARE, 0, 0, 1, 0);
    EXPECT_STEP(m, &steps, SHADER_COMPARE, 1, 0, 0, 0);
    EXPECT_STEP(m, &steps, SHADER_ADDRESS, 0, 1, UINT32_MAX, 0);
    EXPECT_STEP(m, &steps, SHADER_ADDRESS, 1, 1, 1, 0);
    EXPECT_STEP(m, &steps, SHADER_RESULT, 0, 4, 0xC0000000, 0, 0, 0); /* SHD-10: the rest is 0 */
    EXPECT_STEP(m, &steps, SHADER_RESULT, 2, 4, TWO, 0, 0, 0);
    EXPECT(m, "trace.def", steps_in_order(&steps));
}

/* SHD-13, SHD-14: zero words beyond the code are ADD o0, v0, v0 until the budget ends. */
EACH_INSTRUCTION_SET(fast_trace_vertex, SHD_13_zero_words_are_instructions)
{
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex quad[4];
    struct pica_limits limits = machine_default_limits();
    const uint32_t nop = op0(PICA_OPCODE_NOP);
    limits.instructions = 5;
    machine_load_limits(m, &limits);
    probe_quad(quad);
    probe_pipeline(&list);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 1);
    list_code(&list, PICA_UNIT_VERTEX, 100, &nop, 1);
    list_write(&list, PICA_REG_VSH_ENTRYPOINT, 100);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 0);
    steps_vertex(m, &steps, 0, 0);
    probe_draw(m, &list, quad, 2, PICA_TOPOLOGY_STRIP);
    EXPECT_NUMBER(m, &steps, SHADER_INSTRUCTION, 5);
    EXPECT_STEP(m, &steps, SHADER_INSTRUCTION, 0, 100, nop);
    for (uint32_t i = 1; i < 5; i++) {
        EXPECT_STEP(m, &steps, SHADER_INSTRUCTION, i, 100 + i, 0);
        EXPECT_STEP(m, &steps, SHADER_RESULT, i - 1, 100 + i, 0xC0000000, 0xC0000000, 0xBF800000, TWO);
    }
}

/* GEN-02: a NaN of any kind is 7FC00000. */
EACH_INSTRUCTION_SET(fast_trace_vertex, GEN_02_every_NaN_is_the_same)
{
    struct steps steps;
    struct list list = { .count = 0 };
    struct probe_vertex quad[4];
    probe_quad(quad);
    const uint32_t nan = 0xFFC12345;
    memcpy(&quad[0].color[1], &nan, sizeof nan);
    probe_pipeline(&list);
    steps_vertex(m, &steps, 0, 0);
    probe_draw(m, &list, quad, 2, PICA_TOPOLOGY_STRIP);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 2, 2, ONE, 0x7FC00000, ONE, ONE);
    EXPECT_STEP(m, &steps, OUTPUT_REGISTER, 2, 2, ONE, 0x7FC00000, ONE, ONE);
}

/* -------------------------------------------------------------------------------------------------- geometry, etc. */

/* Each vertex is an invocation of MOV o0, v0; SETEMIT 2, primitive; EMIT; END: slots 0 and 1 are empty. */
EACH_INSTRUCTION_SET(fast_trace_vertex, SHD_11_the_geometry_shader_belongs_to_the_vertex_that_completes_its_input)
{
    struct steps steps;
    struct list list = { .count = 0 };
    const uint32_t code[4] = { op1(PICA_OPCODE_MOV, DST_O, SRC_V, 0, 0), op_setemit(2, 1, 0), op0(PICA_OPCODE_EMIT),
                               END };
    gs_pipeline(m, &list, code, 4);
    steps_vertices(m, &steps, 0);
    gs_draw(m, &list, 2);
    EXPECT_NUMBER(m, &steps, VERTEX_NUMBER, 2);
    EXPECT_NUMBER(m, &steps, SHADER_INSTRUCTION, 6);
    EXPECT_NUMBER(m, &steps, GEOMETRY_INSTRUCTION, 8);
    for (uint32_t i = 0; i < 4; i++)
        EXPECT_STEP(m, &steps, GEOMETRY_INSTRUCTION, i, i, code[i]);
    EXPECT_STEP(m, &steps, GEOMETRY_RESULT, 0, 0, ONE, 0, 0, ONE);
    EXPECT_STEP(m, &steps, GEOMETRY_RESULT, 1, 0, TWO, 0, 0, ONE);
    EXPECT_STEP(m, &steps, GEOMETRY_EMIT, 0, 2, ONE, 0, 0, ONE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    EXPECT_NUMBER(m, &steps, GEOMETRY_EMIT, 2);
    EXPECT_NUMBER(m, &steps, OUTPUT_SLOT, 2 * 3 * 24);
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 0, 0, 0);
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 48, 0, ONE);
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 72 + 48, 0, TWO);
    EXPECT(m, "trace.def", steps_in_order(&steps));

    steps_vertex(m, &steps, 1, 1);
    gs_draw_again(m, 2);
    EXPECT_STEP(m, &steps, VERTEX_NUMBER, 0, 0, 1);
    EXPECT_NUMBER(m, &steps, VERTEX_NUMBER, 1);
    EXPECT_NUMBER(m, &steps, GEOMETRY_EMIT, 1);
    gs_draw_again(m, 2); /* not traced */
    EXPECT_NUMBER(m, &steps, GEOMETRY_EMIT, 1);
}

/* VTX-42: an immediate vertex is a draw of its own; its number is 0. */
EACH_INSTRUCTION_SET(fast_trace_vertex, VTX_42_immediate_vertices)
{
    struct steps steps;
    struct list list = probe_list();
    list_write(&list, PICA_REG_VSH_NUM_ATTR, 0);
    list_write(&list, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000000);
    list_fixed_attribute(&list, 15, float24(1), float24(2), float24(0.5), float24(1));
    list_fixed_attribute(&list, 15, float24(2), float24(0), float24(0), float24(1));
    steps_vertices(m, &steps, 1);
    machine_submit(m, &list);
    EXPECT_NUMBER(m, &steps, VERTEX_NUMBER, 1);
    EXPECT_STEP(m, &steps, VERTEX_NUMBER, 0, 0, 0);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 0, 0, TWO, 0, 0, ONE);
    EXPECT_STEP(m, &steps, OUTPUT_REGISTER, 0, 0, TWO, 0, 0, ONE);
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 0, 0, TWO);
    steps_vertex(m, &steps, 2, 1); /* there is no vertex 1 */
    list.count = 0;
    list_fixed_attribute(&list, 15, float24(2), float24(0), float24(0), float24(1));
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-42", steps.count, 0);
}

/* VTX-43: the same through the geometry stage, which belongs to the vertex that completes its input. */
EACH_INSTRUCTION_SET(fast_trace_vertex, VTX_43_immediate_vertices_through_the_geometry_stage)
{
    static const uint32_t THREE = 0x40400000;
    struct steps steps;
    struct list list = { .count = 0 };
    const uint32_t code[4] = { op1(PICA_OPCODE_MOV, DST_O, SRC_V, 0, 0), op_setemit(2, 1, 0), op0(PICA_OPCODE_EMIT),
                               END };
    gs_pipeline(m, &list, code, 4);
    list_write(&list, PICA_REG_VSH_NUM_ATTR, 0);
    list_fixed_attribute(&list, 15, float24(2), 0, 0, float24(1));
    gs_vector(&list, 3);
    gs_vector(&list, 4);
    steps_vertices(m, &steps, 1);
    machine_submit(m, &list);
    EXPECT_NUMBER(m, &steps, VERTEX_NUMBER, 1);
    EXPECT_NUMBER(m, &steps, SHADER_INSTRUCTION, 3);
    EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 0, 0, THREE, 0, 0, ONE);
    EXPECT_NUMBER(m, &steps, GEOMETRY_INSTRUCTION, 4);
    EXPECT_STEP(m, &steps, GEOMETRY_RESULT, 0, 0, THREE, 0, 0, ONE);
    EXPECT_NUMBER(m, &steps, GEOMETRY_EMIT, 1);
    EXPECT_NUMBER(m, &steps, OUTPUT_SLOT, 3 * 24);
    EXPECT_STEP(m, &steps, OUTPUT_SLOT, 48, 0, THREE);
    EXPECT(m, "trace.def", steps_in_order(&steps));
}

/* More vertices than the pool holds: the draw goes on in chunks, numbers count on, shared ones are found (VTX-24). */
EACH_INSTRUCTION_SET(fast_trace_vertex, VTX_20_draws_in_many_chunks)
{
    enum {
        VERTICES = 6000,
        LAST = VERTICES - 1
    };
    struct steps steps;
    for (uint32_t elements = 0; elements < 2; elements++) {
        struct list list = { .count = 0 };
        uint8_t indices[VERTICES];
        machine_row(m, elements != 0u ? "elements" : "arrays");
        probe_pipeline(&list);
        list_write(&list, PICA_REG_VSH_OUTMAP_MASK, 1);
        list_write(&list, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 1); /* one u8 */
        list_write(&list, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, 0);
        list_write(&list, PICA_REG_ATTRIBBUFFER0_CONFIG1, 0);
        list_write(&list, PICA_REG_ATTRIBBUFFER0_CONFIG2, 1u << 28 | 1u << 16);
        list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, INDEX_ADDRESS - VERTEX_ADDRESS);
        for (uint32_t i = 0; i < VERTICES; i++)
            indices[i] = (uint8_t)(i % 251u);
        machine_load(m, VERTEX_ADDRESS, indices, sizeof indices);
        machine_load(m, INDEX_ADDRESS, indices, sizeof indices);
        list_write(&list, PICA_REG_NUMVERTICES, VERTICES);
        list_write(&list, elements != 0u ? PICA_REG_DRAWELEMENTS : PICA_REG_DRAWARRAYS, 1);
        steps_vertex(m, &steps, 0, LAST);
        machine_submit(m, &list);
        EXPECT_NUMBER(m, &steps, VERTEX_NUMBER, 1);
        EXPECT_STEP(m, &steps, VERTEX_NUMBER, 0, 0, elements != 0u ? LAST % 251u : (uint32_t)LAST);
        EXPECT_STEP(m, &steps, VERTEX_ATTRIBUTE, 0, 0, f32_bits((float)(LAST % 251u)), 0, 0, ONE);
        EXPECT_NUMBER(m, &steps, OUTPUT_SLOT, 24);
    }
}
