/* Fragment lighting: lights, look-up tables, which unit bumps and shadows. */
#include "harness/grammar/gen_parts.h"

/* A component above 255 records an event (LIT-03). */
static uint32_t limited_color(struct gen *gen, uint32_t word)
{
    if (gen_wild(gen, 10))
        return word;
    for (uint32_t c = 0; c < 3; c++)
        word = pica_light_color_set_channel_at(word, c, pica_light_color_channel_at(word, c) & 0xFFu);
    return word;
}

static void set_light(struct gen *gen, uint32_t light)
{
    const uint32_t first = pica_reg_light(light, PICA_REG_LIGHT0_SPECULAR0);
    gen_set_drawn(gen, first, pica_reg_light(light, PICA_REG_LIGHT0_ATTENUATION_SCALE));
    for (uint32_t color = 0; color < 4; color++)
        gen_set(gen, first + color, limited_color(gen, gen->want[first + color]));
    if (gen_percent(gen, 60)) { /* in front of the picture */
        uint32_t xy = pica_light_xy_set_x(0, gen_float16(gen_float(gen, -2.0f, 2.0f)));
        xy = pica_light_xy_set_y(xy, gen_float16(gen_float(gen, -2.0f, 2.0f)));
        gen_set(gen, first + 4u, xy);
        gen_set(gen, first + 5u, pica_light_z_set_z(0, gen_float16(gen_float(gen, 0.1f, 3.0f))));
    }
}

static uint32_t table_entry(struct gen *gen, uint32_t index, uint32_t shape)
{
    if (shape == 2)
        return harness_layout_draw(&gen->random, PICA_LAYOUT_LIGHTING_LUT_DATA, true);
    uint32_t word = pica_lighting_lut_data_set_value(0, shape == 0 ? index * 16u : 4095u - index * 16u);
    word = pica_lighting_lut_data_set_magnitude(word, 8);
    return pica_lighting_lut_data_set_negative(word, shape);
}

/* Tables are long. It is enough to fill a part that is hit now and then; elsewhere 0 is as good a value as any. */
static void upload_table(struct gen *gen, enum pica_lighting_table table)
{
    uint32_t words[256];
    const bool whole = gen_percent(gen, 5);
    const uint32_t count = whole ? 256 : gen_between(gen, 1, gen_percent(gen, 75) ? 16 : 64);
    const uint32_t first = whole ? 0 : gen_below(gen, 256);
    const uint32_t shape = gen_below(gen, 3);
    for (uint32_t i = 0; i < count; i++)
        words[i] = table_entry(gen, (first + i) & 0xFFu, shape);
    uint32_t index = pica_lighting_lut_index_set_index(0, first);
    index = pica_lighting_lut_index_set_table(index, table);
    gen_upload(gen, PICA_REG_LIGHTING_LUT_INDEX, index, PICA_REG_LIGHTING_LUT_DATA0 + gen_below(gen, 8), words, count);
}

static void upload_tables(struct gen *gen, uint32_t light)
{
    static const enum pica_lighting_table tables[] = { PICA_LIGHTING_TABLE_D0, PICA_LIGHTING_TABLE_D1,
                                                       PICA_LIGHTING_TABLE_FR, PICA_LIGHTING_TABLE_RB,
                                                       PICA_LIGHTING_TABLE_RG, PICA_LIGHTING_TABLE_RR };
    for (uint32_t i = gen_between(gen, 0, 2); i > 0; i--)
        upload_table(gen, tables[gen_below(gen, 6)]);
    if (gen_percent(gen, 40))
        upload_table(gen, (enum pica_lighting_table)(PICA_LIGHTING_TABLE_SP0 + light));
    if (gen_percent(gen, 40))
        upload_table(gen, (enum pica_lighting_table)(PICA_LIGHTING_TABLE_DA0 + light));
    if (gen_percent(gen, 5))
        upload_table(gen, gen_percent(gen, 50) ? PICA_LIGHTING_TABLE_RESERVED_2 : PICA_LIGHTING_TABLE_RESERVED_7);
    if (gen_wild(gen, 8))
        upload_table(gen, (enum pica_lighting_table)gen_below(gen, 32));
}

/* A unit that is set up: any other would read 0, an event if it is used (LIT-13, LIT-34). */
static uint32_t existing_unit(struct gen *gen, uint32_t fallback)
{
    const uint32_t unit = gen_below(gen, 4);
    for (uint32_t i = 0; i < 4; i++)
        if ((gen->textures >> ((unit + i) & 3u) & 1u) != 0)
            return (unit + i) & 3u;
    return fallback;
}

static void set_config(struct gen *gen)
{
    uint32_t word = gen->want[PICA_REG_LIGHTING_CONFIG0];
    word = pica_lighting_config0_set_bump_unit(word, existing_unit(gen, 0));
    word = pica_lighting_config0_set_shadow_unit(word, existing_unit(gen, 0));
    if (gen->textures == 0 && !gen_wild(gen, 20)) {
        word = pica_lighting_config0_set_bump_mode(word, PICA_BUMP_MODE_OFF);
        word = pica_lighting_config0_set_shadow_enable(word, 0);
    }
    gen_set(gen, PICA_REG_LIGHTING_CONFIG0, word);
}

/* Sets up the lights that the slots in use name, each once. */
static void set_lights(struct gen *gen)
{
    const uint32_t count = gen_percent(gen, 60) ? 1 : gen_between(gen, 1, 8);
    const uint32_t slots = gen->want[PICA_REG_LIGHTING_LIGHT_PERMUTATION];
    uint32_t done = 0;
    gen_set(gen, PICA_REG_LIGHTING_NUM_LIGHTS, count - 1u);
    for (uint32_t slot = 0; slot < count; slot++) {
        const uint32_t light = pica_lighting_light_permutation_slot_light_at(slots, slot);
        if ((done >> light & 1u) == 0) {
            set_light(gen, light);
            upload_tables(gen, light);
        }
        done |= 1u << light;
    }
}

void gen_lighting(struct gen *gen)
{
    const bool lit = gen_has(gen, GEN_LIGHTING);
    const bool mismatch = gen_wild(gen, 5);
    gen_set(gen, PICA_REG_LIGHTING_ENABLE0, lit != mismatch ? 1 : 0);
    gen_set(gen, PICA_REG_LIGHTING_ENABLE1, lit ? 0 : 1);
    if (!lit)
        return;
    gen->draw.roles |= 1u << GEN_QUATERNION | 1u << GEN_VIEW;
    gen_set_drawn(gen, PICA_REG_LIGHTING_AMBIENT, PICA_REG_LIGHTING_LIGHT_PERMUTATION);
    gen_set(gen, PICA_REG_LIGHTING_ENABLE1, 0);
    gen_set(gen, PICA_REG_LIGHTING_AMBIENT, limited_color(gen, gen->want[PICA_REG_LIGHTING_AMBIENT]));
    if (gen_percent(gen, 40)) /* many tables off: the rest shows better */
        gen_set(gen, PICA_REG_LIGHTING_CONFIG1, gen->want[PICA_REG_LIGHTING_CONFIG1] | gen_below(gen, UINT32_MAX));
    set_config(gen);
    set_lights(gen);
}
