/* The steps of a vertex: fetch, shader, geometry shader, output map. */
#include "tests/conformance/geometry_probe.h"
#include "tests/reference/tracer.h"

enum {
    ONE = 0x3F800000,
    TWO = 0x40000000,
    HALF = 0x3F000000,
    MINUS_ONE = (int)0xBF800000u,
    MINUS_HALF = (int)0xBF000000u
};

static struct tracer tracer;
static struct tracer single;

static void draw_quad(struct machine *m)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 255, 0, 0, 255);
    quad[1].color[1] = -3.0f;
    struct list list = probe_list();
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
}

/* Vertex 1 of the probe's strip is at (1, -1, -0.5, 1); the shader begins by copying attribute 0 to output 0. */
EACH_TRACER(trace_vertex, from_its_attributes_to_its_slots)
{
    tracer_vertex(&tracer, m, 0, 1);
    draw_quad(m);
    tracer_stop(&tracer);
    EXPECT_STEP(&tracer, VERTEX_NUMBER, 0, 1);
    EXPECT_STEP(&tracer, VERTEX_ATTRIBUTE, 0, ONE, MINUS_ONE, MINUS_HALF, ONE);
    EXPECT_STEP(&tracer, VERTEX_ATTRIBUTE, 15, 0, 0, 0, ONE); /* VTX-08 */
    EXPECT_STEP(&tracer, SHADER_INSTRUCTION, 0, machine_state(m)->units[PICA_UNIT_VERTEX].code[0]);
    EXPECT_STEP(&tracer, SHADER_RESULT, 0, ONE, MINUS_ONE, MINUS_HALF, ONE);
    EXPECT_STEP(&tracer, OUTPUT_REGISTER, 0, ONE, MINUS_ONE, MINUS_HALF, ONE);
    EXPECT_STEP(&tracer, OUTPUT_SLOT, 0x00, ONE);
    EXPECT_STEP(&tracer, OUTPUT_SLOT, 0x01, MINUS_ONE);
    EXPECT_STEP(&tracer, OUTPUT_SLOT, 0x09, ONE); /* SHD-81: green is limited */
    EXPECT_STEP(&tracer, OUTPUT_SLOT, 0x0C, ONE); /* u = (x + 1) / 2 */
    EXPECT_STEP(&tracer, OUTPUT_SLOT, 0x0D, 0);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_VERTEX_NUMBER), 1);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_VERTEX_ATTRIBUTE), 16);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_SHADER_INSTRUCTION), 7); /* six copies and END */
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_OUTPUT_REGISTER), 6);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_OUTPUT_SLOT), 24);
    cr_expect(tracer_is_ordered(&tracer), "%s", m->message);
}

EACH_TRACER(trace_vertex, all_vertices_are_the_single_ones_one_after_the_other)
{
    tracer_vertices(&tracer, m, 0);
    draw_quad(m);
    tracer_stop(&tracer);
    uint32_t done = 0;
    for (uint32_t vertex = 0; vertex < 4; vertex++) {
        machine_reset(m);
        tracer_vertex(&single, m, 0, vertex);
        draw_quad(m);
        tracer_stop(&single);
        cr_assert_gt(single.count, 40);
        cr_expect(tracer_contains(&tracer, done, &single), "vertex %u", (unsigned)vertex);
        done += single.count;
    }
    cr_expect_eq(done, tracer.count);
}

/* MOVA a0.xy = (2, -1); CMP sets x, not y; LITP sets both; a partial write shows the whole register. */
EACH_TRACER(trace_vertex, address_registers_and_condition_code)
{
    const uint32_t code[] = { op1(PICA_OPCODE_MOVA, 0, SRC_V + 0, 0, 0), op_cmp(0, 2, SRC_V + 0, SRC_V + 0, 0),
                              op1(PICA_OPCODE_LITP, DST_O, SRC_V + 0, 0, 0),
                              op1(PICA_OPCODE_MOV, DST_O, SRC_V + 1, 0, 1), op0(PICA_OPCODE_END) };
    const uint32_t descriptors[] = { IDENTITY, descriptor("y", "xyzw", "xyzw", "xyzw") };
    const struct shader_run run = { .code = code,
                                    .code_count = 5,
                                    .descriptors = descriptors,
                                    .descriptor_count = 2,
                                    .inputs = { { TWO, 0xBF800000u, 0, 0xBF800000u }, { HALF, HALF, HALF, HALF } } };
    tracer_vertex(&tracer, m, 0, 0);
    shader_run(m, &run);
    tracer_stop(&tracer);
    EXPECT_STEP(&tracer, SHADER_ADDRESS, 0, 2, 0xFFFFFFFFu);
    EXPECT_STEP(&tracer, SHADER_COMPARE, 1, 1, 0); /* equal; not less */
    EXPECT_STEP(&tracer, SHADER_COMPARE, 2, 1, 0); /* 2 >= 0; -1 < 0 */
    EXPECT_STEP(&tracer, SHADER_RESULT, 2, TWO, 0xBF800000u, 0, 0);
    EXPECT_STEP(&tracer, SHADER_RESULT, 3, TWO, HALF, 0, 0);
    EXPECT_STEP(&tracer, OUTPUT_REGISTER, 0, TWO, HALF, 0, 0);
    EXPECT_NO_STEP(&tracer, GEOMETRY_INSTRUCTION);
    cr_expect(tracer_is_ordered(&tracer), "%s", m->message);
}

/* Every vertex runs the geometry shader, which emits three times and submits at the third: slots of three vertices. */
EACH_TRACER(trace_vertex, the_geometry_shader_that_it_sets_off)
{
    const uint32_t emit = op0(PICA_OPCODE_EMIT);
    const uint32_t code[] = { op1(PICA_OPCODE_ADD, DST_O, SRC_V + 0, SRC_V + 0, 0),
                              op_setemit(1, 0, 0),
                              emit,
                              op_setemit(2, 1, 0),
                              emit,
                              op0(PICA_OPCODE_END) };
    struct list list = gs_list(m, code, 6);
    tracer_vertex(&tracer, m, 0, 1);
    gs_draw(m, &list, 3);
    tracer_stop(&tracer);
    EXPECT_STEP(&tracer, VERTEX_NUMBER, 0, 1);
    EXPECT_STEP(&tracer, GEOMETRY_INSTRUCTION, 1, op_setemit(1, 0, 0));
    EXPECT_STEP(&tracer, GEOMETRY_RESULT, 0, 0x40800000, 0, 0, TWO); /* vertex 1 is byte 2: v0 = (2, 0, 0, 1) */
    EXPECT_STEP(&tracer, GEOMETRY_EMIT, 1, 0x40800000, 0, 0, TWO, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_GEOMETRY_INSTRUCTION), 6);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_GEOMETRY_EMIT), 2);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_OUTPUT_SLOT), 3 * 24);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_SHADER_INSTRUCTION), 3);
    const struct pica_trace_step *const slot = tracer_find(&tracer, PICA_TRACE_ID_OUTPUT_SLOT, 0, 1);
    cr_assert_not_null(slot);
    cr_expect_eq(slot->values[0], 0x40800000u); /* emission slot 1 */
}

/* VTX-41: every immediate vertex is a draw of its own, and vertex 0 of it. */
EACH_TRACER(trace_vertex, immediate_vertices_are_draws_of_their_own)
{
    struct list list = gs_list(m, NULL, 0);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 0);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    gs_vector(&list, 1);
    gs_vector(&list, 2);
    tracer_vertex(&tracer, m, 1, 0);
    machine_submit(m, &list);
    tracer_stop(&tracer);
    EXPECT_STEP(&tracer, VERTEX_NUMBER, 0, 0);
    EXPECT_STEP(&tracer, VERTEX_ATTRIBUTE, 0, TWO, 0, 0, ONE);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_VERTEX_NUMBER), 1);
    cr_expect_eq(tracer_occurrences(&tracer, PICA_TRACE_ID_OUTPUT_SLOT), 24);
}
