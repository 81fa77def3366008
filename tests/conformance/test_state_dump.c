/*
 * REG-04, REG-45: the dump is all that later operations can observe. Each scenario is run in one go, and again with a
 * stop in the middle: the state and the memory of the stop become the initial state of a new case that goes on.
 */
#include "tests/conformance/geometry_probe.h"
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 0x40000
};

typedef void (*half)(struct machine *m);

struct snapshot {
    struct pica_state state;
    uint8_t vram[WINDOW];
    uint8_t fcram[WINDOW];
};

static void take(struct machine *m, struct snapshot *snapshot)
{
    memcpy(&snapshot->state, machine_state(m), sizeof snapshot->state);
    machine_memory(m, 0x18000000, snapshot->vram, WINDOW);
    machine_memory(m, 0x20000000, snapshot->fcram, WINDOW);
}

static void go_on_from(struct machine *m, const struct snapshot *stop)
{
    const struct pica_chunk chunks[2] = { { 0x18000000, WINDOW, stop->vram }, { 0x20000000, WINDOW, stop->fcram } };
    struct pica_setup setup = machine_default_setup();
    setup.profile = m->setup.profile;
    setup.initial_state = &stop->state;
    setup.chunks = chunks;
    setup.chunk_count = 2;
    machine_load_setup(m, &setup);
}

/* Name of the first member that differs, for the message. */
static const char *difference(const struct pica_state *a, const struct pica_state *b)
{
    if (memcmp(a->registers, b->registers, sizeof a->registers) != 0)
        return "registers";
    if (memcmp(a->units, b->units, sizeof a->units) != 0)
        return "shader units";
    if (memcmp(&a->geometry, &b->geometry, sizeof a->geometry) != 0)
        return "geometry";
    if (memcmp(&a->assembler, &b->assembler, sizeof a->assembler) != 0)
        return "assembler";
    if (memcmp(&a->tables, &b->tables, sizeof a->tables) != 0)
        return "tables";
    return memcmp(a, b, sizeof *a) != 0 ? "other state" : NULL;
}

static void split(struct machine *m, const char *what, half first, half second)
{
    struct snapshot *const whole = calloc(1, sizeof *whole);
    struct snapshot *const stop = calloc(1, sizeof *stop);
    struct snapshot *const parts = calloc(1, sizeof *parts);
    cr_assert(whole != NULL && stop != NULL && parts != NULL);
    const struct pica_setup setup = machine_default_setup();
    machine_load_setup(m, &setup);
    first(m);
    take(m, stop);
    second(m);
    take(m, whole);
    go_on_from(m, stop);
    take(m, parts);
    const char *const at_stop = difference(&stop->state, &parts->state);
    machine_case(m, "%s, at the stop: %s", what, at_stop == NULL ? "" : at_stop);
    EXPECT(m, "REG-45", at_stop == NULL);
    second(m);
    take(m, parts);
    const char *const at_end = difference(&whole->state, &parts->state);
    machine_case(m, "%s, at the end: %s", what, at_end == NULL ? "" : at_end);
    EXPECT(m, "REG-04", at_end == NULL);
    EXPECT(m, "REG-04", memcmp(whole->vram, parts->vram, WINDOW) == 0);
    EXPECT(m, "REG-04", memcmp(whole->fcram, parts->fcram, WINDOW) == 0);
    EXPECT(m, "REG-04", difference(&stop->state, &whole->state) != NULL); /* the second half does something */
    free(whole);
    free(stop);
    free(parts);
    machine_load_setup(m, &setup);
}

/* ------------------------------------------------------------------------------------------------- assembler, ports */

static void half_a_strip(struct machine *m)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    struct list list = probe_list();
    probe_draw(m, &list, quad, 3, PICA_TOPOLOGY_STRIP);
}

static void rest_of_the_strip(struct machine *m)
{
    const struct probe_vertex last = probe_vertex_at(1, 1, -0.25f, 1);
    probe_load_vertices(m, &last, 1);
    struct list list = { .count = 0 };
    list_draw(&list, 1);
    machine_submit(m, &list);
}

static void queued_words(struct machine *m)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_INDEX, 0x80000007);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0x40000000);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0x40400000);
    list_write(&list, PICA_REG_GSH_FLOATUNIFORM_DATA0, 0x4080003E);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 4);
    list_write(&list, PICA_REG_FIXEDATTRIB_DATA0, 0x4080003E);
    list_write(&list, PICA_REG_FIXEDATTRIB_DATA0, 0x0000BF00);
    list_write(&list, PICA_REG_LIGHTING_LUT_INDEX, 0x5FF);
    machine_submit(m, &list);
}

static void more_words(struct machine *m)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0x40800000);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0x40A00000);
    list_write(&list, PICA_REG_GSH_FLOATUNIFORM_DATA0, 0x0000BF00);
    list_write(&list, PICA_REG_GSH_FLOATUNIFORM_DATA0, 0x003F0000);
    list_write(&list, PICA_REG_FIXEDATTRIB_DATA0, 0x003F0000);
    list_write(&list, PICA_REG_LIGHTING_LUT_DATA0, 0x77);
    list_write(&list, PICA_REG_LIGHTING_LUT_DATA0, 0x78);
    machine_submit(m, &list);
    EXPECT_EQ(m, "REG-22", machine_state(m)->units[PICA_UNIT_VERTEX].uniforms[7].bits[0], 0x40A00000);
    EXPECT_EQ(m, "REG-25", machine_state(m)->fixed[4].bits[0], 0x3F800000);
    EXPECT_EQ(m, "REG-22", machine_state(m)->units[PICA_UNIT_GEOMETRY].uniforms[0].bits[1], 0xBF800000);
}

EACH_MACHINE(state, REG_04_REG_45_a_case_can_go_on_from_assembler_and_queues)
{
    split(m, "strip", half_a_strip, rest_of_the_strip);
    split(m, "queues", queued_words, more_words);
}

/* ------------------------------------------------------------------------------------ immediate mode, geometry unit */

/* Two of three vectors of a vertex; the reset is still armed. */
static void half_a_vertex(struct machine *m)
{
    struct list list = gs_list(m, NULL, 0);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 0);
    list_write(&list, PICA_REG_VSH_NUM_ATTR, 2);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    gs_vector(&list, 5);
    gs_vector(&list, 6);
    machine_submit(m, &list);
}

static void rest_of_the_vertex(struct machine *m)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_VSH_OUTMAP_TOTAL1, 6);
    gs_vector(&list, 7);
    machine_submit(m, &list);
    EXPECT_EQ(m, "VTX-42", machine_state(m)->geometry.vectors_per_vertex, 7);
    EXPECT_EQ(m, "VTX-42", machine_state(m)->assembler.count, 1);
}

/* A shader that uses all it keeps: r0 += v0, o0 = r0 in the current bank, a0, aL and cmp change, EMIT into slot 1. */
static void geometry_pipeline(struct machine *m, struct list *list)
{
    const uint32_t code[] = { op1(PICA_OPCODE_ADD, DST_R, SRC_V, SRC_R, 0),
                              op1(PICA_OPCODE_MOV, DST_O, SRC_R, 0, 0),
                              op1(PICA_OPCODE_MOVA, 0, SRC_R, 0, 0),
                              op_cmp(0, 1, SRC_R, SRC_V, 0),
                              op_uniform(PICA_OPCODE_LOOP, 0, 5, 0),
                              relative(op1(PICA_OPCODE_ADD, DST_R + 1, SRC_C, SRC_R + 1, 0), 3),
                              op_setemit(1, 1, 1),
                              op0(PICA_OPCODE_EMIT),
                              op0(PICA_OPCODE_END) };
    gs_pipeline(m, list, code, 9);
    list_write(list, PICA_REG_GSH_INTUNIFORM_I0, 0x030201);
    list_write(list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_FAN << 8);
    list_write(list, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000001); /* NG = 2 */
}

static void half_a_primitive(struct machine *m)
{
    struct list list = { .count = 0 };
    geometry_pipeline(m, &list);
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    gs_vector(&list, 2);
    gs_vector(&list, 3);
    gs_vector(&list, 4);
    machine_submit(m, &list);
    EXPECT_EQ(m, "GSH-10", machine_state(m)->geometry.buffer_length, 1);
    EXPECT_EQ(m, "GSH-31", machine_state(m)->geometry.bank, 1);
    EXPECT_EQ(m, "PRM-05", machine_state(m)->assembler.winding, 1);
}

static void rest_of_the_primitive(struct machine *m)
{
    struct list list = { .count = 0 };
    gs_vector(&list, 5);
    gs_vector(&list, 6);
    machine_submit(m, &list);
    EXPECT_EQ(m, "GSH-10", machine_state(m)->geometry.inputs[1].bits[0], f32_bits(5.0f));
    EXPECT_EQ(m, "GSH-31", machine_state(m)->geometry.bank, 0);
    EXPECT_EQ(m, "SHD-11", machine_state(m)->geometry.temporaries[0].bits[0], f32_bits(2.0f + 4.0f));
}

/* Fixed mode: two of three vertices are collected. */
static void half_a_particle(struct machine *m)
{
    struct list list = { .count = 0 };
    geometry_pipeline(m, &list);
    list_write(&list, PICA_REG_GSH_MISC0, 0x00100202); /* FS = 0x10, FN = 3 */
    list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
    gs_vector(&list, 2);
    gs_vector(&list, 3);
    machine_submit(m, &list);
    EXPECT_EQ(m, "GSH-23", machine_state(m)->geometry.pointer, 0x12);
}

static void rest_of_the_particle(struct machine *m)
{
    struct list list = { .count = 0 };
    gs_vector(&list, 4);
    gs_vector(&list, 5);
    machine_submit(m, &list);
    EXPECT_EQ(m, "GSH-23", machine_state(m)->units[PICA_UNIT_GEOMETRY].uniforms[0x12].bits[0], f32_bits(4.0f));
    EXPECT_EQ(m, "GSH-23", machine_state(m)->units[PICA_UNIT_GEOMETRY].uniforms[0x10].bits[0], f32_bits(5.0f));
    EXPECT_EQ(m, "GSH-23", machine_state(m)->geometry.vertex_count, 1);
}

EACH_MACHINE(state, REG_04_REG_45_a_case_can_go_on_from_immediate_mode_and_the_geometry_unit)
{
    split(m, "immediate vertex", half_a_vertex, rest_of_the_vertex);
    split(m, "point mode", half_a_primitive, rest_of_the_primitive);
    split(m, "fixed mode", half_a_particle, rest_of_the_particle);
}

/* -------------------------------------------------------------------------------------------------- engines, tables */

static void engines_first(struct machine *m)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_PROCTEX_LUT, 0x4FE);
    list_write(&list, PICA_REG_PROCTEX_LUT_DATA0, 0x11223344);
    list_write(&list, PICA_REG_GAS_LUT_INDEX, 0xFFFF);
    machine_submit(m, &list);
    machine_fill(m, 1, 0x18000100, 0x18000200, 0xABCDEF, 0x101);
    machine_cpu_write(m, 0x10202204, 0x01FF00FF);
    machine_vertical_blank(m, 1);
    machine_cpu_write(m, 0x10400C00, 0x18000100 >> 3);
}

static void engines_second(struct machine *m)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_PROCTEX_LUT_DATA0 + 5, 0x55667788);
    list_write(&list, PICA_REG_PROCTEX_LUT_DATA0, 0x99AABBCC);
    list_write(&list, PICA_REG_GAS_LUT_DATA, 0x12);
    machine_submit(m, &list);
    machine_cpu_write(m, 0x10400C04, 0x18000800 >> 3);
    machine_cpu_write(m, 0x10400C08, 0x00080008);
    machine_cpu_write(m, 0x10400C18, 1);
    machine_cpu_write(m, 0x1040002C, 0x201); /* unit 1 again, START and END as they are */
}

EACH_MACHINE(state, REG_04_REG_45_a_case_can_go_on_from_tables_and_external_registers)
{
    split(m, "engines", engines_first, engines_second);
}
