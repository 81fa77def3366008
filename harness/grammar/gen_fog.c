/* The fog mode and the fog table. */
#include "harness/grammar/gen_parts.h"

static void upload_fog(struct gen *gen)
{
    uint32_t words[64];
    const uint32_t count = gen_between(gen, 1, 64);
    const uint32_t first = gen_below(gen, gen_percent(gen, 70) ? 128 : 0x10000);
    const bool smooth = gen_percent(gen, 60);
    for (uint32_t i = 0; i < count; i++) {
        words[i] = harness_layout_draw(&gen->random, PICA_LAYOUT_FOG_LUT_DATA, true);
        if (smooth)
            words[i] = pica_fog_lut_data_set_difference(pica_fog_lut_data_set_value(0, 2047u - 30u * i), 0u - 30u);
    }
    gen_upload(gen, PICA_REG_FOG_LUT_INDEX, pica_fog_lut_index_set_index(0, first),
               PICA_REG_FOG_LUT_DATA0 + gen_below(gen, 8), words, count);
}

void gen_fog(struct gen *gen)
{
    const bool foggy = gen_has(gen, GEN_FOG) && gen_percent(gen, 85);
    uint32_t word = harness_layout_draw(&gen->random, PICA_LAYOUT_TEXENV_UPDATE_BUFFER, gen->defined);
    if (!gen_wild(gen, 10))
        word = pica_texenv_update_buffer_set_fog_mode(word, foggy ? PICA_FOG_MODE_FOG : PICA_FOG_MODE_OFF);
    gen_set(gen, PICA_REG_TEXENV_UPDATE_BUFFER, word);
    if (gen_percent(gen, 20))
        gen_gas(gen);
    if (!foggy)
        return;
    gen_set_drawn(gen, PICA_REG_FOG_COLOR, PICA_REG_FOG_COLOR);
    upload_fog(gen);
}
