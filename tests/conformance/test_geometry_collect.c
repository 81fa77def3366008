/* 20-geometry.md section 4: collecting input in variable and fixed mode, immediate mode (GSH-20 to GSH-25, VTX-43). */
#include "tests/conformance/geometry_probe.h"
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

static const uint32_t ONE = 0x3F800000;

/* ------------------------------------------------------------------------------------------------- GSH-20 to GSH-22 */

/* Variable mode: NV = 2, main = 0x254[4:0] + 1 vertices with all vectors, then out[0] only. */
static void draw_variable(struct machine *m, const uint8_t *indices, uint32_t n, uint32_t misc1)
{
    struct list list = gs_list(m, NULL, 0);
    machine_load(m, GS_ARRAY + 0x1000, indices, n);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 0x80000002);
    list_write(&list, PICA_REG_GSH_MISC0, 1);
    list_write(&list, PICA_REG_GSH_MISC1, misc1);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 1);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL2, 1);
    list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000100);
    list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, 0x1000);
    list_draw_indexed(&list, n);
    machine_submit(m, &list);
}

EACH_MACHINE(geometry, GSH_20_GSH_21_variable_mode_takes_counts_from_the_index_list)
{
    static const uint8_t indices[6] = { 4, 10, 20, 30, 40, 2 };
    draw_variable(m, indices, 6, 0xFFFFFFE1); /* main = 2 */
    const struct pica_state *const state = machine_state(m);
    const struct pica_vector *const c = state->units[PICA_UNIT_GEOMETRY].uniforms;
    EXPECT_EQ(m, "GSH-20", gs_invocations(m), 1);
    /* The second count, 2, was taken: c0 changed again, nothing else. */
    EXPECT_VECTOR(m, "GSH-20", c[0], 0x40000000, 0x40000000, 0x40000000, 0x40000000);
    EXPECT_EQ(m, "GSH-21", c[1].bits[0], f32_bits(11.0f)); /* byte v is v + 1 */
    EXPECT_EQ(m, "GSH-21", c[2].bits[0], f32_bits(22.0f));
    EXPECT_EQ(m, "GSH-21", c[3].bits[0], f32_bits(21.0f));
    EXPECT_EQ(m, "GSH-21", c[4].bits[0], f32_bits(42.0f));
    EXPECT_EQ(m, "GSH-21", c[5].bits[0], f32_bits(31.0f));
    EXPECT_EQ(m, "GSH-21", c[6].bits[0], f32_bits(41.0f));
    EXPECT_EQ(m, "GSH-21", c[7].bits[0], 0);
    EXPECT_EQ(m, "GSH-20", state->geometry.want_count, 0);
    EXPECT_EQ(m, "GSH-20", state->geometry.pointer, 1);
    EXPECT_EQ(m, "REG-04", state->geometry.left, 0); /* dumped as 0 */
    EXPECT_EQ(m, "GSH-25", state->geometry.inputs[0].bits[0], 0);
    EXPECT_NO_EVENT(m, "GSH-22", PICA_EVENT_GS_VAR_NO_INDEX);
    EXPECT_NO_EVENT(m, "GSH-20", PICA_EVENT_GS_VAR_ZERO);
    EXPECT_NO_EVENT(m, "GSH-07", PICA_EVENT_GS_CONFIG);
}

/* Count 0: c0 is written, nothing runs, the next index is a count again. Counts are values of i for LIM_VERTS. */
EACH_MACHINE(geometry, GSH_20_VTX_23_a_count_of_0_is_followed_by_another_count)
{
    static const uint8_t indices[4] = { 0, 0, 1, 7 };
    draw_variable(m, indices, 4, 0);
    EXPECT_EQ(m, "GSH-20", gs_invocations(m), 1);
    EXPECT_EQ(m, "GSH-20", machine_state(m)->units[PICA_UNIT_GEOMETRY].uniforms[0].bits[2], ONE);
    EXPECT_EQ(m, "GSH-20", machine_state(m)->units[PICA_UNIT_GEOMETRY].uniforms[1].bits[0], f32_bits(8.0f));
    EXPECT_EQ(m, "GSH-21", machine_state(m)->geometry.want_count, 1);
    EXPECT_EVENT(m, "GSH-20", PICA_EVENT_GS_VAR_ZERO);
    LOAD_LIMIT(m, vertices, 3);
    draw_variable(m, indices, 4, 0);
    EXPECT_EQ(m, "VTX-23", gs_invocations(m), 0);
    EXPECT_EVENT(m, "VTX-23", PICA_EVENT_BUDGET_VERTS);
    LOAD_LIMIT(m, vertices, 3);
    static const uint8_t zero[2] = { 0, 0 };
    draw_variable(m, zero, 2, 0);
    EXPECT_EQ(m, "GSH-20", machine_state(m)->geometry.want_count, 1);
    EXPECT_EQ(m, "GSH-20", gs_invocations(m), 0);
}

/*
 * main (32 vertices) larger than V: every vertex brings both vectors. A draw in the middle of a primitive starts anew.
 */
EACH_MACHINE(geometry, GSH_05_GSH_21_every_draw_starts_with_a_count)
{
    static const uint8_t indices[4] = { 2, 10, 20, 9 };
    draw_variable(m, indices, 4, 0x1F);
    const struct pica_vector *c = machine_state(m)->units[PICA_UNIT_GEOMETRY].uniforms;
    EXPECT_EQ(m, "GSH-21", c[3].bits[0], f32_bits(21.0f));
    EXPECT_EQ(m, "GSH-21", c[4].bits[0], f32_bits(42.0f));
    EXPECT_EQ(m, "GSH-20", gs_invocations(m), 1);
    EXPECT_EQ(m, "GSH-20", machine_state(m)->geometry.want_count, 0); /* nine vertices are wanted */
    machine_list_write(m, PICA_REG_DRAWELEMENTS, 1);                  /* 2, 10, 20 again: a count first (GSH-05) */
    EXPECT_EQ(m, "GSH-05", gs_invocations(m), 2);
    EXPECT_EQ(m, "GSH-20", machine_state(m)->units[PICA_UNIT_GEOMETRY].uniforms[0].bits[0], f32_bits(9.0f));
}

/* 16-bit counts; 100 vertices of one vector: c1 .. c95, the last five are dropped, the shader runs. */
EACH_MACHINE(geometry, GSH_24_GSH_20_long_primitives_of_variable_mode)
{
    uint8_t indices[204] = { 100, 0 };
    for (uint32_t v = 0; v < 100; v++)
        indices[2 + 2 * v] = (uint8_t)v;
    indices[202] = 0x2C; /* 300 */
    indices[203] = 0x01;
    struct list list = gs_list(m, NULL, 0);
    machine_load(m, GS_ARRAY + 0x1000, indices, sizeof indices);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 0x80000002);
    list_write(&list, PICA_REG_GSH_MISC0, 1);
    list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000100);
    list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, 0x80001000);
    list_draw_indexed(&list, 102);
    machine_submit(m, &list);
    const struct pica_state *const state = machine_state(m);
    EXPECT_EQ(m, "GSH-24", state->units[PICA_UNIT_GEOMETRY].uniforms[1].bits[0], ONE);
    EXPECT_EQ(m, "GSH-24", state->units[PICA_UNIT_GEOMETRY].uniforms[94].bits[0], f32_bits(94.0f));
    EXPECT_EQ(m, "GSH-20", state->units[PICA_UNIT_GEOMETRY].uniforms[0].bits[3], f32_bits(300.0f));
    EXPECT_EQ(m, "GSH-20", state->geometry.want_count, 0);
    EXPECT_EQ(m, "GSH-20", state->geometry.pointer, 1);
    /* c95 is the vertex 94 (95) that the shader adds to r0 as its "one". */
    EXPECT_EQ(m, "GSH-24", state->geometry.temporaries[0].bits[0], f32_bits(95.0f));
    EXPECT_EVENT(m, "GSH-24", PICA_EVENT_GS_UNIFORM_RANGE);
}

/* Mode 1 is latched also when the stage is not in use, but then no index is a count (GSH-02, GSH-05). */
EACH_MACHINE(geometry, GSH_02_GSH_20_a_stage_not_in_use_takes_no_counts)
{
    static const uint8_t indices[2] = { 4, 9 };
    struct list list = gs_list(m, NULL, 0);
    machine_load(m, GS_ARRAY + 0x1000, indices, 2);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 0);
    list_write(&list, PICA_REG_GSH_MISC0, 1);
    list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, 0x1000);
    list_draw_indexed(&list, 2);
    machine_submit(m, &list);
    const struct pica_state *const state = machine_state(m);
    EXPECT_EQ(m, "GSH-05", state->geometry.mode, 1);
    EXPECT_EQ(m, "GSH-02", state->assembler.count, 2);
    EXPECT_EQ(m, "GSH-02", state->assembler.buffer[0].slots[0], f32_bits(5.0f));
    EXPECT_EQ(m, "GSH-20", state->units[PICA_UNIT_GEOMETRY].uniforms[0].bits[0], 0);
    EXPECT_NO_EVENT(m, "GSH-22", PICA_EVENT_GS_VAR_NO_INDEX);
}

EACH_MACHINE(geometry, GSH_22_variable_mode_without_indices_drops_every_result)
{
    struct list list = gs_list(m, NULL, 0);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 0x80000002);
    list_write(&list, PICA_REG_GSH_MISC0, 1);
    list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000100);
    gs_draw(m, &list, 3);
    EXPECT_EQ(m, "GSH-22", gs_invocations(m), 0);
    EXPECT_EQ(m, "GSH-22", machine_state(m)->units[PICA_UNIT_GEOMETRY].uniforms[0].bits[0], 0);
    EXPECT_EQ(m, "GSH-22", machine_state(m)->assembler.count, 0);
    EXPECT_EVENT(m, "GSH-22", PICA_EVENT_GS_VAR_NO_INDEX);
    machine_reset(m);
    list.count = 0;
    gs_pipeline(m, &list, NULL, 0);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 0x80000002);
    list_write(&list, PICA_REG_GSH_MISC0, 1);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    gs_vector(&list, 2);
    gs_vector(&list, 3);
    machine_submit(m, &list);
    EXPECT_EQ(m, "GSH-22", gs_invocations(m), 0);
    EXPECT_EVENT(m, "GSH-22", PICA_EVENT_GS_VAR_NO_INDEX);
}

/* ------------------------------------------------------------------------------------------------- GSH-23 to GSH-25 */

EACH_MACHINE(geometry, GSH_23_GSH_25_fixed_mode)
{
    struct list list = gs_list(m, NULL, 0);
    list_write(&list, PICA_REG_GSH_MISC0, 0x00301202); /* FS = 0x30, two vectors, FN = 3 */
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 1);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL2, 1);
    list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000100);
    gs_draw(m, &list, 5);
    const struct pica_state *const state = machine_state(m);
    const struct pica_vector *const c = state->units[PICA_UNIT_GEOMETRY].uniforms;
    static const float expected[8] = { 4, 8, 5, 10, 3, 6, 0, 0 }; /* vertices 4 and 5 over 1 and 2 */
    for (uint32_t k = 0; k < 8; k++) {
        machine_case(m, "c%u", (unsigned)(0x30 + k));
        EXPECT_EQ(m, "GSH-23", c[0x30 + k].bits[0], f32_bits(expected[k]));
    }
    EXPECT_EQ(m, "GSH-23", gs_invocations(m), 1);
    EXPECT_EQ(m, "GSH-23", state->geometry.pointer, 0x34);
    EXPECT_EQ(m, "GSH-23", state->geometry.vertex_count, 2);
    EXPECT_EQ(m, "GSH-25", state->geometry.inputs[0].bits[0], 0);
    EXPECT_NO_EVENT(m, "GSH-24", PICA_EVENT_GS_UNIFORM_RANGE);
    EXPECT_NO_EVENT(m, "GSH-07", PICA_EVENT_GS_CONFIG);
    gs_draw_again(m, 3); /* starts over at FS */
    EXPECT_EQ(m, "GSH-23", gs_invocations(m), 2);
    EXPECT_EQ(m, "GSH-23", machine_state(m)->geometry.pointer, 0x30);
    EXPECT_EQ(m, "GSH-23", machine_state(m)->geometry.vertex_count, 0);
}

/* FS = 94, two vectors, two vertices: c94, c95, then two writes are dropped; the pointer advances. FS = 255 too. */
EACH_MACHINE(geometry, GSH_24_writes_beyond_c95_are_dropped)
{
    static const struct {
        uint32_t first, vertices, pointer;
        bool event;
    } rows[] = {
        { 94, 1, 96, false }, { 94, 2, 98, true }, { 93, 2, 97, true }, { 92, 2, 96, false }, { 255, 1, 257, true }
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "FS %u, %u vertices", (unsigned)rows[i].first, (unsigned)rows[i].vertices);
        struct list list = gs_list(m, NULL, 0);
        list_write(&list, PICA_REG_GSH_MISC0, rows[i].first << 16 | 0x1F02); /* FN = 16 */
        list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 1);
        gs_draw(m, &list, rows[i].vertices);
        EXPECT_EQ(m, "GSH-24", machine_state(m)->geometry.pointer, rows[i].pointer);
        if (rows[i].first < 96u)
            EXPECT_EQ(m, "GSH-24", machine_state(m)->units[PICA_UNIT_GEOMETRY].uniforms[rows[i].first].bits[0], ONE);
        EXPECT_EQ(m, "GSH-24", machine_state(m)->units[PICA_UNIT_GEOMETRY].uniforms[0].bits[0], 0);
        EXPECT_EQ(m, "GSH-24", machine_state(m)->units[PICA_UNIT_VERTEX].uniforms[94].bits[0], 0);
        EXPECT(m, "GSH-24", machine_event(m, PICA_EVENT_GS_UNIFORM_RANGE) == rows[i].event);
    }
}

/* VTX-43: immediate vertices go through the geometry shader, in point and in fixed mode. */
EACH_MACHINE(geometry, VTX_43_immediate_vertices_go_through_the_geometry_shader)
{
    for (uint32_t mode = 0; mode <= 2; mode += 2) {
        machine_row(m, "mode %u", (unsigned)mode);
        struct list list = gs_list(m, NULL, 0);
        list_write(&list, PICA_REG_GSH_MISC0, 0x100 | mode);                                       /* FN = 2 */
        list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000001 | (mode != 0u ? 0x100 : 0)); /* NG = 2 */
        list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
        for (uint32_t v = 1; v <= 5; v++)
            gs_vector(&list, v);
        machine_submit(m, &list);
        EXPECT_EQ(m, "VTX-43", gs_invocations(m), 2);
        EXPECT_EQ(m, "VTX-43", machine_state(m)->assembler.count, 0);
        EXPECT_NO_EVENT(m, "GSH-07", PICA_EVENT_GS_CONFIG);
    }
}
