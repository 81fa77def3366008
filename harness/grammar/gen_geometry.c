/*
 * Geometry programs: each run collects the vertices of its mode (GSH-06), runs a random body and emits one triangle or
 * two made of the collected vertices, moved apart so that they cover something even if there is only one.
 */
#include "harness/grammar/gen_parts.h"

#include <string.h>

enum {
    OFFSETS = 88, /* c numbers of the offsets that move the corners apart */
    CORNERS = 4,
    FIRST_MOST = 16,  /* highest c number at which the vertices of fixed mode start */
    UNIT_GEOMETRY = 8 /* the value of 0x289[31:24] for a geometry unit (GSH-07) */
};

struct geometry {
    struct gen *gen;
    struct gen_code code;
    struct gen_body body;
    uint32_t vectors;  /* NV: of one vertex */
    uint32_t vertices; /* of one run */
    uint32_t first;    /* c number where the vertices start; modes 1 and 2 */
    uint32_t inputs[16];
    uint32_t outputs; /* mask */
    uint32_t orders[GEN_ROLES];
    uint32_t scratch;
};

/* Vector k of vertex i of this run. */
static struct gen_source input_vector(const struct geometry *geometry, uint32_t vertex, uint32_t k)
{
    const uint32_t index = (vertex % geometry->vertices) * geometry->vectors + k;
    if (geometry->gen->draw.gsh_mode == PICA_GSH_MODE_POINT)
        return gen_source(geometry->inputs[index]);
    return gen_source(PICA_SHADER_SOURCE_C0 + geometry->first + index);
}

/* The position of a corner: the vertex, moved if there are fewer vertices than corners. */
static struct gen_source corner_position(struct geometry *geometry, uint32_t corner, uint32_t k)
{
    const struct gen_source vertex = input_vector(geometry, corner, k);
    if (corner < geometry->vertices && !gen_percent(geometry->gen, 15))
        return vertex;
    gen_mov(&geometry->code, geometry->scratch, 15, vertex);
    gen_two(&geometry->code, PICA_OPCODE_ADD, geometry->scratch, 15,
            gen_source(PICA_SHADER_SOURCE_C0 + OFFSETS + corner % CORNERS), gen_source(geometry->scratch));
    return gen_source(geometry->scratch);
}

static struct gen_source corner_vector(struct geometry *geometry, uint32_t corner, uint32_t k)
{
    struct gen *const gen = geometry->gen;
    if (gen->draw.output_roles[k] == GEN_POSITION)
        return corner_position(geometry, corner, k);
    if (gen->draw.output_roles[k] == GEN_COLOR && gen_percent(gen, 30))
        return gen_source(geometry->body.temporaries[gen_below(gen, geometry->body.temporary_count)]);
    return input_vector(geometry, corner, k);
}

/* GSH-31: both banks are written in full before each EMIT. */
static void emit_corner(struct geometry *geometry, uint32_t corner)
{
    struct gen *const gen = geometry->gen;
    for (uint32_t k = 0; k < gen->draw.output_count; k++) {
        struct gen_source source = corner_vector(geometry, corner, k);
        source.selectors = geometry->orders[k];
        gen_write_output(gen, &geometry->code, gen_output_register(geometry->outputs, k), source);
    }
    uint32_t word = pica_shader_format_4_set_opcode(0, PICA_OPCODE_SETEMIT);
    word = pica_shader_format_4_set_vertex(word, gen_wild(gen, 5) ? gen_below(gen, 4) : corner % 3u);
    word = pica_shader_format_4_set_primitive(word, corner >= 2 ? 1u : 0u);
    word = pica_shader_format_4_set_winding(word, gen_percent(gen, 40) ? 1u : 0u);
    gen_emit(&geometry->code, word);
    gen_emit(&geometry->code, pica_shader_format_0_set_opcode(0, PICA_OPCODE_EMIT));
}

/* The unit keeps its address and comparison registers from run to run, on a console even those of another program. */
static void forget_earlier_runs(struct geometry *geometry)
{
    const struct gen_source offset = gen_source(PICA_SHADER_SOURCE_C0 + OFFSETS);
    const struct gen_source sources[3] = { offset, gen_source(geometry->scratch), { .selectors = GEN_XYZW } };
    gen_mov(&geometry->code, geometry->scratch, 15, offset);
    gen_alu(&geometry->code, PICA_OPCODE_MOVA, 0, 12, sources);
    gen_alu(&geometry->code, PICA_OPCODE_CMP, 0, 0, sources);
}

static void write_code(struct geometry *geometry)
{
    struct gen *const gen = geometry->gen;
    const uint32_t start = gen_below(gen, 12);
    const uint32_t count = gen_between(gen, 1, 4);
    geometry->scratch = PICA_SHADER_SOURCE_R0 + 15;
    if (gen->exportable)
        forget_earlier_runs(geometry);
    for (uint32_t i = 0; i < count; i++) {
        geometry->body.temporaries[i] = PICA_SHADER_SOURCE_R0 + start + i;
        gen_mov(&geometry->code, PICA_SHADER_SOURCE_R0 + start + i, 15,
                input_vector(geometry, i, gen_below(gen, geometry->vectors)));
    }
    geometry->body.temporary_count = count;
    geometry->body.safe = geometry->scratch;
    geometry->code.reserved = 40;
    gen_body(gen, &geometry->code, &geometry->body);
    geometry->code.reserved = 0;
    const uint32_t corners = gen_percent(gen, 60) ? 3 : 4;
    for (uint32_t corner = 0; corner < corners; corner++)
        emit_corner(geometry, corner);
    gen_emit(&geometry->code, pica_shader_format_0_set_opcode(0, PICA_OPCODE_END));
}

/* -------------------------------------------------------------------------------------------------------- registers */

static void write_offsets(struct gen *gen)
{
    static const float offsets[CORNERS][4] = { { -0.3f, -0.2f, 0.0f, 0.0f },
                                               { 0.4f, -0.3f, 0.0f, 0.0f },
                                               { -0.1f, 0.5f, -0.02f, 0.0f },
                                               { 0.3f, 0.3f, 0.0f, 0.0f } };
    gen_upload_uniforms(gen, PICA_UNIT_GEOMETRY, OFFSETS, offsets, CORNERS);
}

static void write_inputs(struct geometry *geometry)
{
    struct gen *const gen = geometry->gen;
    const bool point = gen->draw.gsh_mode == PICA_GSH_MODE_POINT;
    uint32_t config = pica_shader_inputbuffer_config_set_inputs_minus_1(0, geometry->vectors * geometry->vertices - 1u);
    config = pica_shader_inputbuffer_config_set_not_point(config, point ? 0 : 1);
    config = pica_shader_inputbuffer_config_set_unit_use(config, UNIT_GEOMETRY);
    uint32_t low = 0;
    uint32_t high = 0;
    for (uint32_t j = 0; j < 8; j++) {
        low = pica_shader_permutation_low_set_input_at(low, j, geometry->inputs[j]);
        high = pica_shader_permutation_high_set_input_at(high, j, geometry->inputs[8 + j]);
    }
    gen_set(gen, PICA_REG_GSH_INPUTBUFFER_CONFIG, config);
    gen_set(gen, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_LOW, low);
    gen_set(gen, PICA_REG_GSH_ATTRIBUTES_PERMUTATION_HIGH, high);
}

static void set_mode(struct geometry *geometry)
{
    struct gen *const gen = geometry->gen;
    const enum pica_gsh_mode mode = gen->draw.gsh_mode;
    uint32_t misc = pica_gsh_misc0_set_mode(0, mode);
    misc = pica_gsh_misc0_set_vertices_minus_1(misc, geometry->vertices - 1u);
    misc = pica_gsh_misc0_set_vectors_minus_1(misc, geometry->vectors - 1u);
    misc = pica_gsh_misc0_set_first_uniform(misc, geometry->first);
    misc = pica_gsh_misc0_set_fixed_flag(misc, mode == PICA_GSH_MODE_FIXED ? 1 : 0);
    if (gen_wild(gen, 10))
        misc = harness_layout_change(&gen->random, PICA_LAYOUT_GSH_MISC0, misc);
    gen_set(gen, PICA_REG_GSH_MISC0, misc);
    gen_set(gen, PICA_REG_GSH_MISC1, pica_gsh_misc1_set_main_minus_1(0, geometry->vertices - 1u + gen_below(gen, 4)));
    gen_set(gen, PICA_REG_GEOSTAGE_CONFIG,
            gen_geostage(gen, PICA_GEOSTAGE_MODE_GEOMETRY_SHADER, mode == PICA_GSH_MODE_VARIABLE));
}

static void draw_places(struct geometry *geometry)
{
    struct gen *const gen = geometry->gen;
    gen_permutation(gen, geometry->inputs, 16, gen_percent(gen, 40));
    const uint32_t room = gen->draw.gsh_mode == PICA_GSH_MODE_POINT ? 16u / geometry->vectors : 3u;
    geometry->vertices = gen->draw.vertices_per_run < room ? gen->draw.vertices_per_run : room;
    /* GSH-20: c0 holds the count. */
    geometry->first = gen->draw.gsh_mode == PICA_GSH_MODE_VARIABLE ? 1 : gen_below(gen, FIRST_MOST + 1u);
}

void gen_geometry_program(struct gen *gen)
{
    struct geometry geometry;
    memset(&geometry, 0, sizeof geometry);
    geometry.gen = gen;
    geometry.vectors = gen->draw.output_count;
    geometry.code.base = gen_percent(gen, 60) ? 0 : gen_below(gen, PICA_CODE_WORDS - GEN_MAX_CODE - 1u);
    geometry.body.items = gen_has(gen, GEN_ALU) ? gen_below(gen, 12) : 0;
    geometry.body.flow = gen_has(gen, GEN_FLOW);
    draw_places(&geometry);
    gen_outmap(gen, geometry.orders);
    geometry.outputs = gen_output_mask(gen, gen->draw.output_count);
    write_code(&geometry);
    write_offsets(gen);
    gen_upload_code(gen, &geometry.code, PICA_UNIT_GEOMETRY);
    gen_write_uniforms(gen, PICA_UNIT_GEOMETRY, &geometry.body);
    gen_set(gen, PICA_REG_GSH_ENTRYPOINT, 0x7FFF0000u | geometry.code.base);
    gen_set(gen, PICA_REG_GSH_OUTMAP_MASK, geometry.outputs);
    write_inputs(&geometry);
    set_mode(&geometry);
}
