/*
 * Vertex programs. First each role's attribute is scaled into a temporary of its own; then a random body works on other
 * temporaries; finally every output is its role plus a little of what the body computed ("junk"), limited so that
 * positions stay on the target. So the effect of the whole body is visible in the picture, and NaN or infinities in it
 * break nothing.
 */
#include "harness/grammar/gen_parts.h"

#include <string.h>

enum {
    LIMIT_LOW = 0, /* the constants that there can be */
    LIMIT_HIGH = 1,
    MIX = 2, /* of GEN_ROLES vectors */
    DEFAULTS = MIX + GEN_ROLES,
    IDENTITY = DEFAULTS + GEN_ROLES, /* 4 rows */
    SPREAD = IDENTITY + 4,           /* gen_lanes.c */
    SCALES = SPREAD + 1,             /* scale and bias of each attribute */
    MAX_CONSTANTS = SCALES + 2 * GEN_MAX_ATTRIBUTES
};

struct program {
    struct gen *gen;
    struct gen_code code;
    struct gen_body body;
    uint32_t constants; /* c number of the block */
    uint32_t constant_count;
    uint32_t places[MAX_CONSTANTS]; /* what the vectors of the block are */
    uint32_t low;                   /* temporaries, as destination numbers 0x10-0x1F */
    uint32_t high;
    uint32_t scratch;
    uint32_t roles[GEN_ROLES];
    uint32_t outputs; /* mask of o registers */
};

/* Constants get their c numbers as they are used, so that only those the code names are uploaded. */
static struct gen_source constant(struct program *program, uint32_t place)
{
    uint32_t slot = 0;
    while (slot < program->constant_count && program->places[slot] != place)
        slot++;
    if (slot == program->constant_count)
        program->places[program->constant_count++] = place;
    return gen_source(PICA_SHADER_SOURCE_C0 + program->constants + slot);
}

/* ------------------------------------------------------------------------------------------------------- constants */

static const float defaults[GEN_ROLES][4] = { { 0.0f, 0.0f, -0.5f, 1.0f }, { 0.7f, 0.4f, 0.9f, 1.0f },
                                              { 0.3f, 0.6f, 1.0f, 1.0f },  { 0.6f, 0.2f, 0.5f, 0.5f },
                                              { 0.1f, 0.8f, 0.5f, 0.5f },  { 0.1f, 0.2f, 0.3f, 0.9f },
                                              { 0.2f, -0.3f, 1.5f, 1.0f } };

static const float mixes[GEN_ROLES][4] = { { 0.1f, 0.1f, 0.02f, 0.0f }, { 0.5f, 0.5f, 0.5f, 0.3f },
                                           { 0.3f, 0.3f, 0.04f, 0.3f }, { 0.3f, 0.3f, 0.3f, 0.3f },
                                           { 0.3f, 0.3f, 0.3f, 0.3f },  { 0.3f, 0.3f, 0.3f, 0.3f },
                                           { 0.3f, 0.3f, 0.1f, 0.3f } };

static void fill_constants(struct gen *gen, float (*vectors)[4])
{
    static const float spreads[4] = { 2.0f, 5.0f, 12.0f, -20.0f }; /* SHD-22: all addresses are within 8 bits */
    const bool tilted = gen_has(gen, GEN_PERSPECTIVE) && gen_percent(gen, 30);
    memcpy(vectors[SPREAD], spreads, sizeof spreads);
    for (uint32_t c = 0; c < 4; c++) {
        vectors[LIMIT_LOW][c] = -1.0f;
        vectors[LIMIT_HIGH][c] = 1.0f;
        for (uint32_t role = 0; role < GEN_ROLES; role++) {
            vectors[MIX + role][c] = mixes[role][c];
            vectors[DEFAULTS + role][c] = defaults[role][c];
        }
        for (uint32_t row = 0; row < 4; row++)
            vectors[IDENTITY + row][c] = row == c ? 1.0f : 0.0f;
    }
    if (tilted) /* w grows with depth */
        vectors[IDENTITY + 3][2] = -0.5f;
    if (gen_percent(gen, 25)) /* a small shear */
        vectors[IDENTITY][1] = gen_float(gen, -0.2f, 0.2f);
    for (uint32_t i = 0; i < gen->draw.attribute_count; i++) {
        memcpy(vectors[SCALES + 2 * i], gen->draw.attributes[i].scale, sizeof vectors[0]);
        memcpy(vectors[SCALES + 2 * i + 1], gen->draw.attributes[i].bias, sizeof vectors[0]);
    }
}

/* Random values in the other uniforms, for the body. */
static void upload_noise(struct gen *gen, uint32_t unit)
{
    float vectors[16][4];
    const uint32_t count = gen_between(gen, 1, gen_percent(gen, 80) ? 4 : 16);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < 4; c++)
            vectors[i][c] = gen_percent(gen, 40) ? (float)gen_below(gen, 64) - 16.0f : gen_float(gen, -4.0f, 4.0f);
    gen_upload_uniforms(gen, unit, gen_below(gen, PICA_FLOAT_UNIFORMS - count + 1u), (const float(*)[4])vectors, count);
}

static void upload_constants(struct program *program)
{
    struct gen *const gen = program->gen;
    float vectors[MAX_CONSTANTS][4];
    float block[MAX_CONSTANTS][4];
    memset(vectors, 0, sizeof vectors);
    fill_constants(gen, vectors);
    for (uint32_t i = 0; i < program->constant_count; i++)
        memcpy(block[i], vectors[program->places[i]], sizeof block[i]);
    upload_noise(gen, PICA_UNIT_VERTEX);
    gen_upload_uniforms(gen, PICA_UNIT_VERTEX, program->constants, (const float(*)[4])block, program->constant_count);
}

/* ------------------------------------------------------------------------------------------------------ temporaries */

static void allot_temporaries(struct program *program)
{
    struct gen *const gen = program->gen;
    uint32_t order[16];
    uint32_t next = 0;
    gen_permutation(gen, order, 16, false);
    for (uint32_t i = 0; i < 16; i++)
        order[i] += PICA_SHADER_SOURCE_R0;
    program->low = order[next++];
    program->high = order[next++];
    program->body.safe = gen_below(gen, 2) == 0 ? program->low : program->high;
    program->scratch = order[next++];
    for (uint32_t role = 0; role < GEN_ROLES; role++)
        program->roles[role] = order[next++];
    program->body.temporary_count = gen_between(gen, 2, 6);
    for (uint32_t i = 0; i < program->body.temporary_count; i++)
        program->body.temporaries[i] = order[next++];
}

/* raw * scale + bias of the attribute, in one of three ways. */
static void scale_attribute(struct program *program, uint32_t dest, uint32_t index)
{
    struct gen *const gen = program->gen;
    const struct gen_source input = gen_source(gen->draw.attributes[index].input);
    const struct gen_source scale = constant(program, SCALES + 2 * index);
    const struct gen_source bias = constant(program, SCALES + 2 * index + 1);
    const struct gen_source old = gen_source(dest);
    if (gen_percent(gen, 40)) {
        gen_mov(&program->code, dest, 15, bias);
        gen_alu(&program->code, PICA_OPCODE_MAD, dest, 15, (const struct gen_source[3]){ input, scale, old });
    } else if (gen_percent(gen, 30)) {
        gen_mov(&program->code, program->scratch, 15, scale);
        gen_alu(&program->code, PICA_OPCODE_MADI, dest, 15,
                (const struct gen_source[3]){ input, gen_source(program->scratch), bias });
    } else {
        gen_two(&program->code, PICA_OPCODE_MUL, dest, 15, scale, input);
        gen_two(&program->code, PICA_OPCODE_ADD, dest, 15, bias, old);
    }
}

/* The position through a matrix that changes little. */
static void multiply_matrix(struct program *program)
{
    const struct gen_source position = gen_source(program->roles[GEN_POSITION]);
    for (uint32_t row = 0; row < 4; row++)
        gen_two(&program->code, PICA_OPCODE_DP4, program->scratch, 8u >> row, constant(program, IDENTITY + row),
                position);
    gen_mov(&program->code, program->roles[GEN_POSITION], 15, gen_source(program->scratch));
}

/* Notes the roles that differ from vertex to vertex; first the colour, which is NaN in some vertices (gen_fetch.c). */
static void note_varying(struct program *program)
{
    const struct gen_draw *const draw = &program->gen->draw;
    struct gen_body *const body = &program->body;
    uint32_t roles = 0;
    for (uint32_t i = 0; i < draw->attribute_count; i++)
        if (draw->attributes[i].role < GEN_ROLES && !draw->attributes[i].fixed)
            roles |= 1u << draw->attributes[i].role;
    if ((roles >> GEN_COLOR & 1u) != 0)
        body->varying[body->varying_count++] = program->roles[GEN_COLOR];
    body->varying_finite = body->varying_count;
    for (uint32_t role = 0; role < GEN_ROLES; role++)
        if (role != GEN_COLOR && (roles >> role & 1u) != 0)
            body->varying[body->varying_count++] = program->roles[role];
}

static void prologue(struct program *program)
{
    struct gen *const gen = program->gen;
    if (program->body.items != 0)
        program->body.spread = constant(program, SPREAD); /* the first of the block */
    gen_mov(&program->code, program->low, 15, constant(program, LIMIT_LOW));
    gen_mov(&program->code, program->high, 15, constant(program, LIMIT_HIGH));
    for (uint32_t role = 0; role < GEN_ROLES; role++)
        if ((gen->draw.roles >> role & 1u) != 0)
            gen_mov(&program->code, program->roles[role], 15, constant(program, DEFAULTS + role));
    for (uint32_t i = 0; i < gen->draw.attribute_count; i++) {
        program->body.inputs[program->body.input_count++] = gen->draw.attributes[i].input;
        if (gen->draw.attributes[i].role < GEN_ROLES)
            scale_attribute(program, program->roles[gen->draw.attributes[i].role], i);
    }
    if (program->body.items != 0)
        note_varying(program);
    if (gen_percent(gen, 50))
        multiply_matrix(program);
    for (uint32_t i = 0; i < program->body.temporary_count; i++) {
        struct gen_source source = gen_source(program->body.inputs[gen_below(gen, program->body.input_count)]);
        if (gen_percent(gen, 30))
            source.number = PICA_SHADER_SOURCE_C0 + gen_below(gen, PICA_FLOAT_UNIFORMS);
        source.selectors = gen_percent(gen, 50) ? GEN_XYZW : gen_below(gen, 256);
        gen_mov(&program->code, program->body.temporaries[i], 15, source);
    }
}

/* --------------------------------------------------------------------------------------------------------- outputs */

/* scratch = junk, limited. MAX with the limit second turns a NaN into the limit (FLT-24). */
static void limit_junk(struct program *program)
{
    struct gen *const gen = program->gen;
    struct gen_source junk = gen_source(program->body.temporaries[gen_below(gen, program->body.temporary_count)]);
    junk.selectors = gen_percent(gen, 60) ? GEN_XYZW : gen_below(gen, 256);
    gen_two(&program->code, PICA_OPCODE_MAX, program->scratch, 15, junk, gen_source(program->low));
    gen_two(&program->code, PICA_OPCODE_MIN, program->scratch, 15, gen_source(program->scratch),
            gen_source(program->high));
}

/* role += limited junk * mix */
static void mix_in(struct program *program, uint32_t role)
{
    struct gen *const gen = program->gen;
    const struct gen_source scratch = gen_source(program->scratch);
    if (gen_wild(gen, 15)) {
        const struct gen_source junk = gen_source(program->body.temporaries[0]);
        gen_two(&program->code, PICA_OPCODE_ADD, program->roles[role], 15, junk, gen_source(program->roles[role]));
        return;
    }
    limit_junk(program);
    gen_two(&program->code, PICA_OPCODE_MUL, program->scratch, 15, constant(program, MIX + role), scratch);
    gen_two(&program->code, PICA_OPCODE_ADD, program->roles[role], 15, gen_source(program->roles[role]), scratch);
}

/* The same straight into the output: MAD, or, where that hides nothing, MADI with all of the junk. */
static void mix_into_output(struct program *program, uint32_t role, uint32_t dest, uint32_t selectors)
{
    struct gen_source sources[3] = { gen_source(program->scratch), constant(program, MIX + role),
                                     gen_source(program->roles[role]) };
    const bool inverted = role != GEN_POSITION && gen_percent(program->gen, 40);
    if (inverted)
        sources[1] = gen_source(program->high);
    for (uint32_t s = 0; s < 3; s++)
        sources[s].selectors = selectors;
    limit_junk(program);
    gen_alu(&program->code, inverted ? PICA_OPCODE_MADI : PICA_OPCODE_MAD, dest, 15, sources);
}

/* Each component of an output is written once (SHD-24), in one or two instructions. */
void gen_write_output(struct gen *gen, struct gen_code *code, uint32_t dest, struct gen_source source)
{
    if (gen_percent(gen, 80)) {
        gen_mov(code, dest, 15, source);
        return;
    }
    const uint32_t mask = gen_between(gen, 1, 14);
    gen_mov(code, dest, mask, source);
    gen_mov(code, dest, 15u & ~mask, source);
}

/* How often junk moves the position. Not in a crowd, whose tiny triangles would become large, nor in a huge viewport,
 * where vertices aim at single pixels. */
static uint32_t position_percent(const struct gen *gen)
{
    return gen->draw.crowd != 0 || gen->screen_half[0] != 0.0f ? 0 : 30;
}

/* Writes scattered outputs component by component. Free ones hold a constant rather than the 0 of SHD-10. */
static void write_scattered(struct program *program)
{
    struct gen *const gen = program->gen;
    for (uint32_t role = 0; role < GEN_ROLES; role++)
        if ((gen->draw.roles >> role & 1u) != 0 && gen_percent(gen, role == GEN_POSITION ? position_percent(gen) : 60))
            mix_in(program, role);
    for (uint32_t i = 0; i < 4 * gen->draw.output_count; i++) {
        const uint32_t part = gen->draw.output_parts[i];
        struct gen_source source = gen_source(part == GEN_NO_PART ? program->high : program->roles[part / 4]);
        source.selectors = part == GEN_NO_PART ? GEN_XYZW : (part % 4) * 0x55u;
        gen_mov(&program->code, gen_output_register(program->outputs, i / 4), 8u >> i % 4, source);
    }
}

static void epilogue(struct program *program)
{
    struct gen *const gen = program->gen;
    uint32_t orders[GEN_ROLES];
    if (gen->draw.scattered) {
        gen_scattered_outmap(gen);
        write_scattered(program);
        gen_emit(&program->code, pica_shader_format_0_set_opcode(0, PICA_OPCODE_END));
        return;
    }
    if (gen->draw.geometry) /* the geometry shader's outputs are mapped, not these */
        for (uint32_t k = 0; k < GEN_ROLES; k++)
            orders[k] = GEN_XYZW;
    else
        gen_outmap(gen, orders);
    for (uint32_t k = 0; k < gen->draw.output_count; k++) {
        const uint32_t role = gen->draw.output_roles[k];
        const uint32_t dest = gen_output_register(program->outputs, k);
        const bool mixed = gen_percent(gen, role == GEN_POSITION ? position_percent(gen) : 65);
        if (mixed && program->code.descriptor_count + 3u < GEN_NARROW_DESCRIPTORS && gen_percent(gen, 40)) {
            mix_into_output(program, role, dest, orders[k]);
            continue;
        }
        if (mixed)
            mix_in(program, role);
        struct gen_source source = gen_source(program->roles[role]);
        source.selectors = orders[k];
        gen_write_output(gen, &program->code, dest, source);
    }
    gen_emit(&program->code, pica_shader_format_0_set_opcode(0, PICA_OPCODE_END));
}

static void draw_output_roles(struct gen *gen)
{
    struct gen_draw *const draw = &gen->draw;
    draw->output_count = 0;
    draw->scattered = !draw->geometry && gen_percent(gen, 12);
    if (draw->scattered) {
        gen_scatter_outputs(gen);
        return;
    }
    for (uint32_t role = 0; role < GEN_ROLES; role++)
        if ((draw->roles >> role & 1u) != 0)
            draw->output_roles[draw->output_count++] = role;
    for (uint32_t i = 0; i < draw->output_count; i++) {
        const uint32_t j = gen_below(gen, i + 1u);
        const uint32_t role = draw->output_roles[i];
        draw->output_roles[i] = draw->output_roles[j];
        draw->output_roles[j] = role;
    }
}

/* -------------------------------------------------------------------------------------------------------- registers */

static void write_inputs(struct gen *gen)
{
    uint32_t low = gen_below(gen, UINT32_MAX);
    uint32_t high = gen_below(gen, UINT32_MAX);
    for (uint32_t i = 0; i < gen->draw.attribute_count; i++) {
        if (i < 8)
            low = pica_shader_permutation_low_set_input_at(low, i, gen->draw.attributes[i].input);
        else
            high = pica_shader_permutation_high_set_input_at(high, i - 8u, gen->draw.attributes[i].input);
    }
    uint32_t config = pica_shader_inputbuffer_config_set_inputs_minus_1(0, gen->draw.attribute_count - 1u);
    config = pica_shader_inputbuffer_config_set_unit_use(config, 0xA0);
    gen_write(gen, PICA_REG_VSH_INPUTBUFFER_CONFIG, config);
    gen_write(gen, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, low);
    gen_write(gen, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH, high);
    gen_set(gen, PICA_REG_VSH_NUM_ATTR, gen->draw.attribute_count - 1u);
}

void gen_write_uniforms(struct gen *gen, uint32_t unit, const struct gen_body *body)
{
    const uint32_t booleans =
        gen_percent(gen, 50) ? harness_random_number(&gen->random, 16) : gen_below(gen, 0x10000) | 0x7FFF0000u;
    gen_write(gen, pica_reg_shader(unit, PICA_REG_VSH_BOOLUNIFORM),
              gen->exportable ? booleans | 0x7FFF0000u : booleans); /* HNG-07 */
    for (uint32_t i = 0; i < 4; i++)
        gen_write(gen, pica_reg_shader(unit, PICA_REG_VSH_INTUNIFORM_I0) + i, body->integers[i]);
}

void gen_vertex_program(struct gen *gen)
{
    struct program program;
    memset(&program, 0, sizeof program);
    program.gen = gen;
    program.constants = gen_below(gen, PICA_FLOAT_UNIFORMS - MAX_CONSTANTS + 1u);
    program.code.base = gen_percent(gen, 60) ? 0 : gen_below(gen, GEN_VERTEX_CODE - GEN_MAX_CODE);
    program.code.reserved = 40;
    program.body.items = gen_has(gen, GEN_ALU) ? gen_between(gen, 1, gen_percent(gen, 80) ? 10 : 24) : 0;
    program.body.flow = gen_has(gen, GEN_FLOW);
    draw_output_roles(gen);
    program.outputs = gen_output_mask(gen, gen->draw.output_count);
    allot_temporaries(&program);
    prologue(&program);
    gen_body(gen, &program.code, &program.body);
    program.code.reserved = 0;
    epilogue(&program);
    upload_constants(&program);
    gen_upload_code(gen, &program.code, PICA_UNIT_VERTEX);
    write_inputs(gen);
    gen_write_uniforms(gen, PICA_UNIT_VERTEX, &program.body);
    gen_write(gen, PICA_REG_VSH_ENTRYPOINT, 0x7FFF0000u | program.code.base);
    if (!gen->draw.geometry && gen_units_alike(gen)) /* not shared (REG-27) */
        gen_write(gen, PICA_REG_GSH_ENTRYPOINT, 0x7FFF0000u | program.code.base);
    gen_write(gen, PICA_REG_VSH_OUTMAP_MASK, program.outputs);
    gen_set(gen, PICA_REG_VSH_OUTMAP_TOTAL1, gen->draw.output_count - 1u);
    gen_set(gen, PICA_REG_VSH_OUTMAP_TOTAL2, gen->draw.output_count - 1u);
}
