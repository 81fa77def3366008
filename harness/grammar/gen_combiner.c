/* The six combiner stages. */
#include "harness/grammar/gen_parts.h"

/* What all stages have in common. */
struct style {
    bool odd;    /* they may have reserved encodings */
    bool buffer; /* stages may read the buffer (TEV-12) */
};

/* A source that exists in this case; those with more effect are more likely. */
static uint32_t draw_source(struct gen *gen, uint32_t stage, struct style style)
{
    uint32_t weights[16] = { 0 };
    if (style.odd && gen_percent(gen, 25))
        return gen_below(gen, 16);
    weights[PICA_TEV_SOURCE_PRIMARY_COLOR] = 4;
    weights[PICA_TEV_SOURCE_CONSTANT] = 3;
    weights[PICA_TEV_SOURCE_PREVIOUS] = stage == 0 ? 1 : 8;
    weights[PICA_TEV_SOURCE_PREVIOUS_BUFFER] = style.buffer ? 3 : 0;
    for (uint32_t unit = 0; unit < 4; unit++)
        weights[PICA_TEV_SOURCE_TEXTURE0 + unit] = (gen->textures >> unit & 1u) != 0 ? 6 : 0;
    if (gen_has(gen, GEN_LIGHTING)) {
        weights[PICA_TEV_SOURCE_FRAGMENT_PRIMARY] = 5;
        weights[PICA_TEV_SOURCE_FRAGMENT_SECONDARY] = 5;
    }
    return harness_random_weighted(&gen->random, weights, 16);
}

/* A stage that passes its input on; stage 0 begins with something visible. */
static void pass_on(struct gen *gen, uint32_t stage, struct style style)
{
    const uint32_t source =
        stage == 0 ? draw_source(gen, 1, (struct style){ .buffer = style.buffer }) : PICA_TEV_SOURCE_PREVIOUS;
    const uint32_t base = pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE);
    uint32_t word = pica_texenv_source_set_rgb_source_at(0, 0, source);
    word = pica_texenv_source_set_alpha_source_at(word, 0, source);
    gen_set(gen, base, word);
    for (uint32_t i = 1; i < 5; i++)
        gen_set(gen, base + i, 0);
}

/* TEV-11: modes 6 and 7 of alpha alone record an event. */
static uint32_t legal_alpha_mode(struct gen *gen, uint32_t word)
{
    const enum pica_tev_mode alpha = pica_texenv_combiner_alpha_mode(word);
    const bool dot = alpha == PICA_TEV_MODE_DOT3_RGB || alpha == PICA_TEV_MODE_DOT3_RGBA;
    if (dot && pica_texenv_combiner_rgb_mode(word) != PICA_TEV_MODE_DOT3_RGBA && !gen_wild(gen, 30))
        return pica_texenv_combiner_set_alpha_mode(word, PICA_TEV_MODE_MODULATE);
    return word;
}

/* Alpha does what the colour does: where four channels can be computed at once, emulators take shortcuts. */
static void follow_color(struct gen *gen, uint32_t stage)
{
    const uint32_t source = pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE);
    const uint32_t combiner = pica_reg_texenv(stage, PICA_REG_TEXENV0_COMBINER);
    const uint32_t scale = pica_reg_texenv(stage, PICA_REG_TEXENV0_SCALE);
    const uint32_t inverted_percent = gen_percent(gen, 25) ? 50 : 0; /* of the operands */
    uint32_t sources = gen->want[source], operands = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t inverted = gen_percent(gen, inverted_percent) ? 1 : 0; /* ONE_MINUS_ is the next number */
        sources = pica_texenv_source_set_alpha_source_at(sources, i, pica_texenv_source_rgb_source_at(sources, i));
        operands = pica_texenv_operand_set_rgb_operand_at(operands, i, PICA_TEV_RGB_OPERAND_COLOR + inverted);
        operands = pica_texenv_operand_set_alpha_operand_at(operands, i, PICA_TEV_ALPHA_OPERAND_ALPHA + inverted);
    }
    const uint32_t modes =
        pica_texenv_combiner_set_alpha_mode(gen->want[combiner], pica_texenv_combiner_rgb_mode(gen->want[combiner]));
    const uint32_t scales =
        pica_texenv_scale_set_alpha_scale(gen->want[scale], pica_texenv_scale_rgb_scale(gen->want[scale]));
    gen_set(gen, source, sources);
    gen_set(gen, pica_reg_texenv(stage, PICA_REG_TEXENV0_OPERAND), operands);
    gen_set(gen, combiner, legal_alpha_mode(gen, modes));
    gen_set(gen, scale, gen_percent(gen, 60) ? 0 : scales);
}

static void draw_stage(struct gen *gen, uint32_t stage, struct style style)
{
    const uint32_t base = pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE);
    const bool any_encoding = style.odd && gen_percent(gen, 45);
    for (uint32_t i = 0; i < 5; i++)
        gen_set(gen, base + i, harness_layout_draw(&gen->random, pica_reg_info(base + i)->layout, !style.odd));
    uint32_t sources = 0;
    for (uint32_t i = 0; i < 3; i++) {
        sources = pica_texenv_source_set_rgb_source_at(sources, i, draw_source(gen, stage, style));
        sources = pica_texenv_source_set_alpha_source_at(sources, i, draw_source(gen, stage, style));
    }
    gen_set(gen, base, sources);
    gen_set(gen, base + 2u, legal_alpha_mode(gen, gen->want[base + 2u]));
    if (gen_percent(gen, 30))
        follow_color(gen, stage);
    else if (gen_percent(gen, 40))
        gen_set(gen, base + 1u, 0);
    for (uint32_t i = 0; i < 5 && any_encoding; i++) /* only here reserved encodings meet each other */
        gen_set(gen, base + i, gen_below(gen, UINT32_MAX));
}

void gen_combiner(struct gen *gen)
{
    const uint32_t active = gen_has(gen, GEN_COMBINER) ? gen_between(gen, 1, 6) : gen_percent(gen, 30) ? 1 : 0;
    const uint32_t first = gen_below(gen, 7u - active);
    const bool odd = gen_wild(gen, 20);
    const bool buffer = gen_percent(gen, 50);
    const struct style style = { .odd = odd, .buffer = buffer };
    for (uint32_t stage = 0; stage < 6; stage++) {
        if (stage >= first && stage < first + active)
            draw_stage(gen, stage, style);
        else
            pass_on(gen, stage, style);
    }
    gen_set_drawn(gen, PICA_REG_TEXENV_BUFFER_COLOR, PICA_REG_TEXENV_BUFFER_COLOR);
}
