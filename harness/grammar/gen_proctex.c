/* The procedural texture: configuration and tables. */
#include "harness/grammar/gen_parts.h"

/* Entries that go up or down smoothly, or any. */
static uint32_t map_entry(struct gen *gen, uint32_t index, uint32_t shape)
{
    if (shape == 2)
        return harness_layout_draw(&gen->random, PICA_LAYOUT_PROCTEX_MAP_ENTRY, true);
    const uint32_t value = shape == 0 ? index * 32u : 4095u - index * 32u;
    const uint32_t word = pica_proctex_map_entry_set_value(0, value);
    return pica_proctex_map_entry_set_difference(word, shape == 0 ? 32u : 0u - 32u);
}

static uint32_t table_entry(struct gen *gen, enum pica_proctex_table table, uint32_t index, uint32_t shape)
{
    if (table == PICA_PROCTEX_TABLE_COLOR)
        return gen_below(gen, UINT32_MAX);
    if (table == PICA_PROCTEX_TABLE_COLOR_DIFFERENCE)
        return shape == 2 ? gen_below(gen, UINT32_MAX) : gen_below(gen, 16) * 0x01010101u;
    return map_entry(gen, index, shape);
}

static void upload_table(struct gen *gen, enum pica_proctex_table table, uint32_t most)
{
    uint32_t words[64];
    const uint32_t count = gen_between(gen, 1, most);
    const uint32_t first = gen_percent(gen, 60) ? 0 : gen_below(gen, 256);
    const uint32_t shape = gen_below(gen, 3);
    for (uint32_t i = 0; i < count; i++)
        words[i] = table_entry(gen, table, first + i, shape);
    uint32_t index = pica_proctex_lut_set_index(0, first);
    index = pica_proctex_lut_set_table(index, table);
    gen_upload(gen, PICA_REG_PROCTEX_LUT, index, PICA_REG_PROCTEX_LUT_DATA0 + gen_below(gen, 8), words, count);
}

static void upload_tables(struct gen *gen)
{
    static const enum pica_proctex_table tables[] = { PICA_PROCTEX_TABLE_NOISE, PICA_PROCTEX_TABLE_RGB_MAP,
                                                      PICA_PROCTEX_TABLE_ALPHA_MAP, PICA_PROCTEX_TABLE_COLOR,
                                                      PICA_PROCTEX_TABLE_COLOR_DIFFERENCE };
    for (uint32_t i = 0; i < 5; i++)
        if (gen_percent(gen, 60))
            upload_table(gen, tables[i], gen_percent(gen, 70) ? 16 : 64);
    if (gen_wild(gen, 10))
        upload_table(gen, (enum pica_proctex_table)gen_below(gen, 16), 8);
}

void gen_proctex(struct gen *gen)
{
    gen_set_drawn(gen, PICA_REG_TEXUNIT3_PROCTEX0, PICA_REG_TEXUNIT3_PROCTEX5);
    uint32_t word = gen->want[PICA_REG_TEXUNIT3_PROCTEX4];
    if (pica_texunit3_proctex4_width(word) == 0 && !gen_wild(gen, 50))
        word = pica_texunit3_proctex4_set_width(word, 64); /* 256 does not fit into the field */
    if (gen_percent(gen, 60))                              /* bias of ordinary size: a float16 between 2^-3 and 2^2 */
        word = pica_texunit3_proctex4_set_bias_high(word, gen_between(gen, 0x30, 0x42));
    gen_set(gen, PICA_REG_TEXUNIT3_PROCTEX4, word);
    /* PTX-19: what a console holds there. */
    if (gen->defined ? gen->known[PICA_REG_UNUSED_0AE] != 0 || gen_percent(gen, 30) : gen_percent(gen, 20))
        gen_write(gen, PICA_REG_UNUSED_0AE, gen_wild(gen, 40) ? gen_below(gen, UINT32_MAX) : 0xFEFCF8F0u);
    upload_tables(gen);
}
