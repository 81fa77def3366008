/*
 * 20-geometry.md section 4: configuration of the geometry stage, point mode (GSH-01 to GSH-12). Others:
 * test_geometry_collect.c.
 */
#include "tests/conformance/geometry_probe.h"
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

static const uint32_t ONE = 0x3F800000;

/* ------------------------------------------------------------------------------------------------- GSH-01, GSH-02 */

EACH_MACHINE(geometry, GSH_01_GSH_02_the_stage_is_in_use_if_bits_1_0_are_not_0)
{
    static const struct {
        uint32_t word;
        bool in_use, event;
    } rows[] = {
        { 0, false, false },         { 1, true, true },   { 2, true, false },
        { 3, true, true },           { 4, false, false }, { 0xFFFFFFFC, false, false },
        { 0x0000FF02, true, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "229 = %08X", (unsigned)rows[i].word);
        struct list list = gs_list(m, NULL, 0);
        list_write(&list, PICA_REG_GEOSTAGE_CONFIG, rows[i].word);
        gs_draw(m, &list, 2);
        EXPECT_EQ(m, "GSH-05", machine_state(m)->geometry.in_use, rows[i].in_use ? 1 : 0);
        EXPECT_EQ(m, "GSH-01", gs_invocations(m), rows[i].in_use ? 2 : 0);
        EXPECT_EQ(m, "GSH-02", machine_state(m)->assembler.count, rows[i].in_use ? 0 : 2);
        EXPECT(m, "GSH-01", machine_event(m, PICA_EVENT_GEOSTAGE_13) == rows[i].event);
    }
}

/* geostage-13 by immediate vertices: latched "in use" and the register of the moment. */
EACH_MACHINE(geometry, GSH_01_geostage_13_needs_the_latched_stage_and_sees_the_register)
{
    static const struct {
        uint32_t latched, later;
        bool event;
    } rows[] = { { 2, 2, false }, { 2, 1, true }, { 2, 3, true }, { 2, 0, false }, { 0, 1, false }, { 0, 3, false } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "229 = %u, then %u", (unsigned)rows[i].latched, (unsigned)rows[i].later);
        struct list list = gs_list(m, NULL, 0);
        list_write(&list, PICA_REG_GEOSTAGE_CONFIG, rows[i].latched);
        list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
        gs_vector(&list, 1);
        list_write(&list, PICA_REG_GEOSTAGE_CONFIG, rows[i].later);
        gs_vector(&list, 2);
        machine_submit(m, &list);
        EXPECT_EQ(m, "GSH-05", gs_invocations(m), rows[i].latched != 0u ? 2 : 0);
        EXPECT(m, "GSH-01", machine_event(m, PICA_EVENT_GEOSTAGE_13) == rows[i].event);
    }
}

/* ----------------------------------------------------------------------------------------------------------- GSH-05 */

/* The whole list is latched in every mode, also when the stage is not in use; a draw of 0 vertices suffices. */
EACH_MACHINE(geometry, GSH_05_the_configuration_is_latched_at_every_draw)
{
    for (uint32_t in_use = 0; in_use < 2; in_use++)
        for (uint32_t mode = 0; mode < 4; mode++) {
            machine_row(m, "in use %u, mode %u", (unsigned)in_use, (unsigned)mode);
            struct list list = { .count = 0 };
            list_write(&list, PICA_REG_GEOSTAGE_CONFIG, in_use * 2u);
            list_write(&list, PICA_REG_GSH_MISC0, 0xFF57F9FC | mode); /* FS = 0x57, FN = 10 */
            list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 0xFFFFFFF4);
            list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0xA00000F6);
            list_write(&list, PICA_REG_GSH_OUTMAP_MASK, 0xABCD1234);
            list_write(&list, PICA_REG_DRAWARRAYS, 1);
            machine_submit(m, &list);
            const struct pica_geometry_state *const geometry = &machine_state(m)->geometry;
            EXPECT_EQ(m, "GSH-05", geometry->in_use, in_use);
            EXPECT_EQ(m, "GSH-05", geometry->mode, mode);
            EXPECT_EQ(m, "GSH-05", geometry->vectors_per_vertex, 5);
            EXPECT_EQ(m, "GSH-05", geometry->input_vectors, 7);
            EXPECT_EQ(m, "GSH-05", geometry->fixed_vertices, 10);
            EXPECT_EQ(m, "GSH-05", geometry->fixed_first, 0x57);
            EXPECT_EQ(m, "GSH-05", geometry->output_mask, 0x1234);
            EXPECT_EQ(m, "GSH-05", geometry->buffer_length, 0);
            if (mode == 1u)
                EXPECT_EQ(m, "GSH-05", geometry->want_count, 1);
            if (mode == 2u) {
                EXPECT_EQ(m, "GSH-05", geometry->pointer, 0x57);
                EXPECT_EQ(m, "GSH-05", geometry->vertex_count, 0);
            }
            EXPECT_NO_EVENTS(m, "GSH-06"); /* 0x228 = 0: no draw-level events */
        }
}

/* NG = 2: the vector of the first draw is discarded by the second draw; NG = 3 likewise inside immediate mode. */
EACH_MACHINE(geometry, GSH_05_partially_collected_input_is_discarded)
{
    struct list list = gs_list(m, NULL, 0);
    list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000001);
    gs_draw(m, &list, 1);
    EXPECT_EQ(m, "GSH-10", machine_state(m)->geometry.buffer_length, 1);
    EXPECT_EQ(m, "GSH-10", machine_state(m)->geometry.buffer[0].bits[0], ONE);
    gs_draw_again(m, 1);
    EXPECT_EQ(m, "GSH-05", gs_invocations(m), 0);
    EXPECT_EQ(m, "GSH-05", machine_state(m)->geometry.buffer_length, 1);
    gs_draw_again(m, 2);
    EXPECT_EQ(m, "GSH-05", gs_invocations(m), 1);
    EXPECT_EQ(m, "GSH-10", machine_state(m)->geometry.buffer_length, 0);
    gs_draw_again(m, 3);
    EXPECT_EQ(m, "GSH-05", gs_invocations(m), 2);
    EXPECT_EQ(m, "GSH-10", machine_state(m)->geometry.buffer_length, 1);
    gs_draw_again(m, 0); /* step (a) of a draw without vertices discards too */
    EXPECT_EQ(m, "VTX-25", machine_state(m)->geometry.buffer_length, 0);
}

/* All 16 vectors, although nothing was collected. */
EACH_MACHINE(geometry, GSH_05_the_input_buffer_is_cleared_to_0)
{
    struct list list = gs_list(m, NULL, 0);
    list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x0800000F); /* NG = 16 */
    gs_draw(m, &list, 15);
    EXPECT_VECTOR(m, "GSH-10", machine_state(m)->geometry.buffer[14], f32_bits(15.0f), 0, 0, ONE);
    gs_draw_again(m, 0);
    for (uint32_t i = 0; i < 16; i++)
        EXPECT_VECTOR(m, "GSH-05", machine_state(m)->geometry.buffer[i], 0, 0, 0, 0);
}

/* Latched: 0x28D, 0x289, 0x24A, 0x229. Read when used: entry point 0x28A, permutation 0x28B. By immediate vertices. */
EACH_MACHINE(geometry, GSH_05_entry_point_and_permutation_are_read_when_used)
{
    /* 0: count, MOV o0,v0, EMIT, END; 8: r1 = v0, END */
    const uint32_t code[] = { GS_COUNT,
                              op1(PICA_OPCODE_MOV, DST_O, SRC_V, 0, 0),
                              op0(PICA_OPCODE_EMIT),
                              op0(0x22),
                              op0(0x21),
                              op0(0x21),
                              op0(0x21),
                              op0(0x21),
                              GS_COUNT,
                              op1(PICA_OPCODE_MOV, DST_R + 1, SRC_V + 5, 0, 0),
                              op0(0x22) };
    struct list list = gs_list(m, code, 11);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    gs_vector(&list, 3);
    machine_submit(m, &list);
    EXPECT_EQ(m, "GSH-30", machine_state(m)->geometry.slots[0][0].bits[0], f32_bits(3.0f));
    list.count = 0;
    list_write(&list, PICA_REG_GSH_OUTMAP_MASK, 0);
    list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000003);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 3);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 0);
    gs_vector(&list, 4);
    machine_submit(m, &list);
    EXPECT_EQ(m, "GSH-05", gs_invocations(m), 2);
    EXPECT_EQ(m, "GSH-05", machine_state(m)->geometry.slots[0][0].bits[0], f32_bits(4.0f));
    list.count = 0;
    list_write(&list, PICA_REG_GSH_ENTRYPOINT, 8);
    list_write(&list, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_LOW, 0x5);
    gs_vector(&list, 6);
    machine_submit(m, &list);
    EXPECT_EQ(m, "GSH-05", machine_state(m)->geometry.temporaries[1].bits[0], f32_bits(6.0f));
}

/* NG = 3; NV is latched with the first vertex: what 0x24A says later does not change what a vertex brings. */
EACH_MACHINE(geometry, GSH_05_the_vectors_of_an_immediate_vertex_are_latched)
{
    for (uint32_t latched = 1; latched <= 2; latched++) {
        machine_row(m, "NV = %u, then %u", (unsigned)latched, (unsigned)(3u - latched));
        struct list list = gs_list(m, NULL, 0);
        list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000002);
        list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, latched - 1u);
        list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
        gs_vector(&list, 3);
        list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 2u - latched);
        gs_vector(&list, 5);
        machine_submit(m, &list);
        /* One vector each: 3, 5 wait. Two each: 3, 6, 5 run the shader and 10 is dropped (GSH-10). */
        EXPECT_EQ(m, "GSH-05", gs_invocations(m), latched - 1u);
        EXPECT_EQ(m, "GSH-05", machine_state(m)->geometry.buffer_length, latched == 1u ? 2 : 0);
    }
}

/* ------------------------------------------------------------------------------------------------- GSH-06, GSH-07 */

EACH_MACHINE(geometry, GSH_06_modes)
{
    static const struct {
        uint32_t misc0;
        uint32_t mode, invocations; /* of 4 vertices in an array draw, NG = 2 */
        bool event;
    } rows[] = {
        { 0x00000000, 0, 2, false }, { 0x000000FC, 0, 2, false }, { 0x00000001, 1, 0, false },
        { 0x00000102, 2, 2, false }, { 0x00000302, 2, 1, false }, { 0x01000302, 2, 1, false },
        { 0x00000003, 3, 2, true },  { 0x0000030F, 3, 2, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "252 = %08X", (unsigned)rows[i].misc0);
        struct list list = gs_list(m, NULL, 0);
        list_write(&list, PICA_REG_GSH_MISC0, rows[i].misc0);
        list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000001);
        gs_draw(m, &list, 4);
        EXPECT_EQ(m, "GSH-06", machine_state(m)->geometry.mode, rows[i].mode);
        EXPECT_EQ(m, "GSH-06", gs_invocations(m), rows[i].invocations);
        EXPECT(m, "GSH-06", machine_event(m, PICA_EVENT_GS_MODE_3) == rows[i].event);
    }
}

/* The particle value 01004302: four vertices of five vectors from c0. */
EACH_MACHINE(geometry, GSH_06_GSH_23_the_particle_value)
{
    struct list list = gs_list(m, NULL, 0);
    list_write(&list, PICA_REG_GSH_MISC0, 0x01004302);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 4);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL2, 4);
    list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000103);
    gs_draw(m, &list, 4);
    EXPECT_EQ(m, "GSH-06", gs_invocations(m), 1);
    const struct pica_vector *const c = machine_state(m)->units[PICA_UNIT_GEOMETRY].uniforms;
    for (uint32_t v = 0; v < 4; v++) {
        machine_case(m, "vertex %u", (unsigned)v);
        EXPECT_EQ(m, "GSH-23", c[5 * v].bits[0], f32_bits((float)(v + 1u)));            /* out[0] */
        EXPECT_EQ(m, "GSH-23", c[5 * v + 1].bits[0], f32_bits(2.0f * (float)(v + 1u))); /* out[1] */
        EXPECT_EQ(m, "SHD-70", c[5 * v + 2].bits[0], 0);                                /* unused out[k] */
    }
    EXPECT_NO_EVENT(m, "GSH-07", PICA_EVENT_GS_CONFIG);
}

EACH_MACHINE(geometry, GSH_07_gs_config)
{
    static const struct {
        const char *what;
        uint32_t config, misc0, input, total1, total2;
        bool event;
    } rows[] = {
        { "point", 2, 0, 0x08000000, 0, 0, false },
        { "unit use", 2, 0, 0xA0000000, 0, 0, true },
        { "unit use 0", 2, 0, 0x00000000, 0, 0, true },
        { "bit 31 without mode 1", 0x80000002, 0, 0x08000000, 0, 0, true },
        { "variable", 0x80000002, 1, 0x08000100, 0, 0, false },
        { "variable without bit 31", 2, 1, 0x08000100, 0, 0, true },
        { "variable, not-point 0", 0x80000002, 1, 0x08000000, 0, 0, true },
        { "variable, not-point 2", 0x80000002, 1, 0x08000200, 0, 0, true },
        { "point, not-point 1", 2, 0, 0x08000100, 0, 0, true },
        { "fixed", 2, 2, 0x08000100, 0, 0, false },
        { "fixed, vectors differ", 2, 0x1002, 0x08000100, 0, 0, true },
        { "fixed, two vectors", 2, 0x1002, 0x08000100, 1, 1, false },
        { "totals differ", 2, 0, 0x08000000, 1, 0, true },
        { "totals differ above bit 3", 2, 0, 0x08000000, 0x10, 0x20, false },
        { "mode 3 is not 0", 2, 3, 0x08000100, 0, 0, false },
        { "not in use", 0, 0, 0xA0000000, 1, 0, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].what);
        struct list list = gs_list(m, NULL, 0);
        list_write(&list, PICA_REG_GEOSTAGE_CONFIG, rows[i].config);
        list_write(&list, PICA_REG_GSH_MISC0, rows[i].misc0);
        list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, rows[i].input);
        list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, rows[i].total1);
        list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL2, rows[i].total2);
        gs_draw(m, &list, 1);
        EXPECT(m, "GSH-07", machine_event(m, PICA_EVENT_GS_CONFIG) == rows[i].event);
    }
}

/* ------------------------------------------------------------------------------------------------- GSH-10 to GSH-12 */

/* NV vectors a vertex, NG a primitive; the rest of a vertex is dropped when the buffer is full. */
EACH_MACHINE(geometry, GSH_10_point_mode_collects_ng_vectors)
{
    static const struct {
        uint32_t nv, ng, vertices;
        uint32_t invocations, length;
        bool event;
    } rows[] = {
        { 1, 1, 5, 5, 0, false }, { 2, 2, 3, 3, 0, false }, { 2, 4, 5, 2, 2, false },   { 2, 3, 4, 2, 0, true },
        { 2, 1, 3, 3, 0, true },  { 3, 16, 6, 1, 0, true }, { 16, 16, 2, 2, 0, false }, { 1, 16, 20, 1, 4, false },
        { 16, 1, 2, 2, 0, true }, { 3, 4, 2, 1, 0, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "NV %u NG %u", (unsigned)rows[i].nv, (unsigned)rows[i].ng);
        struct list list = gs_list(m, NULL, 0);
        list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, rows[i].nv - 1u);
        list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL2, rows[i].nv - 1u);
        list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000000 | (rows[i].ng - 1u));
        gs_draw(m, &list, rows[i].vertices);
        EXPECT_EQ(m, "GSH-10", gs_invocations(m), rows[i].invocations);
        EXPECT_EQ(m, "GSH-10", machine_state(m)->geometry.buffer_length, rows[i].length);
        EXPECT(m, "GSH-10", machine_event(m, PICA_EVENT_GS_POINT_UNEVEN) == rows[i].event);
    }
}

/* gs-point-uneven belongs to modes 0 and 3; modes 1 and 2 do not divide their vectors. */
EACH_MACHINE(geometry, GSH_10_gs_point_uneven_belongs_to_modes_0_and_3)
{
    for (uint32_t mode = 0; mode < 4; mode++) {
        machine_row(m, "mode %u", (unsigned)mode);
        struct list list = gs_list(m, NULL, 0);
        list_write(&list, PICA_REG_GSH_MISC0, mode);
        list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 1);
        list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000002);
        gs_draw(m, &list, 1);
        EXPECT(m, "GSH-10", machine_event(m, PICA_EVENT_GS_POINT_UNEVEN) == (mode == 0u || mode == 3u));
    }
}

/* GSH-11: v registers by permutation, in order; others keep their value over invocations. NV = 2: (n), (2n). */
EACH_MACHINE(geometry, GSH_11_input_registers_by_permutation)
{
    struct list list = gs_list(m, NULL, 0);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 1);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL2, 1);
    list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000003);
    list_write(&list, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_LOW, 0x7F30); /* v0, v3, v15, v7 */
    gs_draw(m, &list, 2);
    const struct pica_vector *v = machine_state(m)->geometry.inputs;
    EXPECT_EQ(m, "GSH-11", v[0].bits[0], f32_bits(1.0f));
    EXPECT_EQ(m, "GSH-11", v[3].bits[0], f32_bits(2.0f));
    EXPECT_EQ(m, "GSH-11", v[15].bits[0], f32_bits(2.0f));
    EXPECT_EQ(m, "GSH-11", v[7].bits[0], f32_bits(4.0f));
    EXPECT_EQ(m, "GSH-11", v[1].bits[3], 0);
    machine_list_write(m, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_LOW, 0x1111); /* the last one stays */
    gs_draw_again(m, 2);
    v = machine_state(m)->geometry.inputs;
    EXPECT_EQ(m, "GSH-11", v[1].bits[0], f32_bits(4.0f));
    EXPECT_EQ(m, "GSH-11", v[3].bits[0], f32_bits(2.0f));
    EXPECT_EQ(m, "GSH-11", v[7].bits[0], f32_bits(4.0f));
}

/* 16 vectors in reverse order: the nibbles of 0x28C are those of j = 8 to 15. Vector j of vertex n: n, 2n
 * alternately. */
EACH_MACHINE(geometry, GSH_11_both_permutation_registers_count)
{
    struct list list = gs_list(m, NULL, 0);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 1);
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL2, 1);
    list_write(&list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x0800000F);
    list_write(&list, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_LOW, 0x89ABCDEF);
    list_write(&list, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_HIGH, 0x01234567);
    gs_draw(m, &list, 8);
    EXPECT_EQ(m, "GSH-10", gs_invocations(m), 1);
    for (uint32_t j = 0; j < 16; j++) {
        machine_case(m, "vector %u", (unsigned)j);
        const uint32_t n = j / 2u + 1u;
        EXPECT_EQ(m, "GSH-11", machine_state(m)->geometry.inputs[15u - j].bits[0],
                  f32_bits((float)(j % 2u == 0u ? n : 2u * n)));
    }
}

/* GSH-12: the first invocation sees b15 = 0, the second 1: r2 counts the invocations with b15. */
EACH_MACHINE(geometry, GSH_12_b15_is_true_after_every_invocation)
{
    const uint32_t code[] = { GS_COUNT, op_uniform(PICA_OPCODE_IFU, 15, 3, 0),
                              op1(PICA_OPCODE_ADD, DST_R + 2, SRC_C + 95, SRC_R + 2, 0), op0(0x22) };
    struct list list = gs_list(m, code, 4);
    gs_draw(m, &list, 4);
    EXPECT_EQ(m, "GSH-12", gs_invocations(m), 4);
    EXPECT_EQ(m, "GSH-12", machine_state(m)->geometry.temporaries[2].bits[0], f32_bits(3.0f));
    EXPECT_EQ(m, "GSH-12", machine_state(m)->units[PICA_UNIT_GEOMETRY].booleans, 0x8000);
}
