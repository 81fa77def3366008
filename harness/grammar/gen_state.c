/* The initial state of a case: some parts given, the rest at reset (REG-45). */
#include "harness/grammar/gen_parts.h"

#include <string.h>

static void give(struct harness_state *state, uint32_t part)
{
    state->given |= (uint64_t)1 << part;
}

/* Only of registers that a draw does not set anyway and that matter without something else being switched on. */
static void give_registers(struct gen *gen, struct harness_state *state)
{
    static const uint32_t ranges[][2] = { { PICA_REG_TEXUNIT0_BORDER_COLOR, PICA_REG_TEXUNIT0_SHADOW },
                                          { PICA_REG_TEXUNIT1_BORDER_COLOR, PICA_REG_TEXUNIT2_TYPE },
                                          { PICA_REG_TEXUNIT3_PROCTEX0, PICA_REG_TEXUNIT3_PROCTEX5 },
                                          { PICA_REG_FOG_COLOR, PICA_REG_GAS_ACCMAX },
                                          { PICA_REG_GAS_LIGHT_XY, PICA_REG_GAS_LIGHT_Z_COLOR },
                                          { PICA_REG_LIGHT0_SPECULAR0, PICA_REG_LIGHT7_ATTENUATION_SCALE },
                                          { PICA_REG_SH_OUTMAP_O0, PICA_REG_SH_OUTMAP_O6 } };
    for (uint32_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++)
        for (uint32_t id = ranges[r][0]; id <= ranges[r][1] && gen_percent(gen, 95); id++) {
            const struct pica_reg_info *const info = pica_reg_info(id);
            if (info->reg_class != PICA_REG_CLASS_CONFIG)
                continue;
            state->values.registers[id] = harness_layout_draw(&gen->random, info->layout, true);
            gen->known[id] = gen->want[id] = state->values.registers[id];
        }
    give(state, PICA_STATE_REGISTERS);
}

static uint32_t draw_element(struct gen *gen, const struct harness_part *part)
{
    switch (part->type) {
    case HARNESS_PART_FLOATS:
        return gen->defined ? harness_f32_bits(gen_float(gen, -4.0f, 4.0f)) : harness_random_f32(&gen->random);
    case HARNESS_PART_OPDESCS: return harness_layout_draw(&gen->random, PICA_LAYOUT_SHADER_OPDESC, true);
    case HARNESS_PART_REGISTERS:
    case HARNESS_PART_WORDS:
    case HARNESS_PART_CODE: break;
    }
    const uint32_t value = harness_random_number(&gen->random, 32);
    return value > part->maximum ? value % (part->maximum + 1u) : value;
}

/* Gives a part with a run of drawn elements. Long parts stay mostly at reset, or the case would get long. */
static void give_part(struct gen *gen, struct harness_state *state, uint32_t index)
{
    const struct harness_part *const part = &harness_parts[index];
    const uint32_t most = part->count < 64 ? part->count : 64;
    const uint32_t count = gen_between(gen, 1, most);
    const uint32_t first = gen_below(gen, part->count - count + 1u);
    for (uint32_t i = 0; i < count; i++)
        harness_part_set(&state->values, index, first + i, draw_element(gen, part));
    give(state, index);
}

/* On a console registers and ports can set only the tables, uniforms, descriptors and fixed attributes. */
static bool is_reachable(enum pica_state_part part)
{
    return part != PICA_STATE_LCD_FILL && part != PICA_STATE_INTERRUPTS && part != PICA_STATE_GEOMETRY_TEMPORARIES &&
           part != PICA_STATE_GEOMETRY_INPUTS && part != PICA_STATE_GEOMETRY_SLOTS && part != PICA_STATE_IMMEDIATE;
}

/* SHD-12: else the fourth unit differs from the others in draws without a geometry shader. */
static void make_units_alike(struct harness_state *state)
{
    struct pica_shader_unit *const units = state->values.units;
    memcpy(units[PICA_UNIT_GEOMETRY].uniforms, units[PICA_UNIT_VERTEX].uniforms, sizeof units[0].uniforms);
    memcpy(units[PICA_UNIT_GEOMETRY].opdesc, units[PICA_UNIT_VERTEX].opdesc, sizeof units[0].opdesc);
    give(state, PICA_STATE_GEOMETRY_UNIFORMS);
    give(state, PICA_STATE_GEOMETRY_OPDESCS);
}

void gen_initial_state(struct gen *gen)
{
    static const enum pica_state_part harmless[] = { PICA_STATE_LCD_FILL,
                                                     PICA_STATE_INTERRUPTS,
                                                     PICA_STATE_TABLES_LIGHTING,
                                                     PICA_STATE_TABLES_FOG,
                                                     PICA_STATE_TABLES_GAS,
                                                     PICA_STATE_TABLES_PROCTEX_NOISE,
                                                     PICA_STATE_TABLES_PROCTEX_COLOR_MAP,
                                                     PICA_STATE_TABLES_PROCTEX_ALPHA_MAP,
                                                     PICA_STATE_TABLES_PROCTEX_COLOR,
                                                     PICA_STATE_TABLES_PROCTEX_DIFFERENCE,
                                                     PICA_STATE_VERTEX_UNIFORMS,
                                                     PICA_STATE_VERTEX_OPDESCS,
                                                     PICA_STATE_GEOMETRY_UNIFORMS,
                                                     PICA_STATE_GEOMETRY_TEMPORARIES,
                                                     PICA_STATE_GEOMETRY_INPUTS,
                                                     PICA_STATE_GEOMETRY_SLOTS,
                                                     PICA_STATE_FIXED,
                                                     PICA_STATE_IMMEDIATE };
    struct harness_state *const state = harness_case_state(gen->out);
    if (state == NULL)
        return;
    if (gen_percent(gen, 60))
        give_registers(gen, state);
    for (uint32_t i = gen_between(gen, 1, 3); i > 0; i--) {
        const enum pica_state_part part = harmless[gen_below(gen, sizeof harmless / sizeof harmless[0])];
        if (!gen->exportable || is_reachable(part))
            give_part(gen, state, part);
    }
    if (gen->defined)
        make_units_alike(state);
    if (gen_wild(gen, 60))
        for (uint32_t i = gen_between(gen, 1, 6); i > 0; i--)
            give_part(gen, state, gen_below(gen, harness_part_count));
    harness_state_settle(state);
    memcpy(gen->known, state->values.registers, sizeof gen->known);
    memcpy(gen->want, state->values.registers, sizeof gen->want);
}
