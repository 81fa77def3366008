/* The output map: which component of an output register is which slot of the final vertex. */
#include "harness/grammar/gen_parts.h"

#include <string.h>

/* Component c of the output is component order[c] of the role. */
static uint32_t order_selectors(const uint32_t order[4])
{
    return order[0] << 6 | order[1] << 4 | order[2] << 2 | order[3];
}

static const uint8_t semantics[GEN_ROLES][4] = { { PICA_OUTMAP_SEMANTIC_POSITION_X, PICA_OUTMAP_SEMANTIC_POSITION_Y,
                                                   PICA_OUTMAP_SEMANTIC_POSITION_Z, PICA_OUTMAP_SEMANTIC_POSITION_W },
                                                 { PICA_OUTMAP_SEMANTIC_COLOR_R, PICA_OUTMAP_SEMANTIC_COLOR_G,
                                                   PICA_OUTMAP_SEMANTIC_COLOR_B, PICA_OUTMAP_SEMANTIC_COLOR_A },
                                                 { PICA_OUTMAP_SEMANTIC_TEXCOORD0_U, PICA_OUTMAP_SEMANTIC_TEXCOORD0_V,
                                                   PICA_OUTMAP_SEMANTIC_TEXCOORD0_W, PICA_OUTMAP_SEMANTIC_UNUSED },
                                                 { PICA_OUTMAP_SEMANTIC_TEXCOORD1_U, PICA_OUTMAP_SEMANTIC_TEXCOORD1_V,
                                                   PICA_OUTMAP_SEMANTIC_UNUSED, PICA_OUTMAP_SEMANTIC_UNUSED },
                                                 { PICA_OUTMAP_SEMANTIC_TEXCOORD2_U, PICA_OUTMAP_SEMANTIC_TEXCOORD2_V,
                                                   PICA_OUTMAP_SEMANTIC_UNUSED, PICA_OUTMAP_SEMANTIC_UNUSED },
                                                 { PICA_OUTMAP_SEMANTIC_NORMQUAT_X, PICA_OUTMAP_SEMANTIC_NORMQUAT_Y,
                                                   PICA_OUTMAP_SEMANTIC_NORMQUAT_Z, PICA_OUTMAP_SEMANTIC_NORMQUAT_W },
                                                 { PICA_OUTMAP_SEMANTIC_VIEW_X, PICA_OUTMAP_SEMANTIC_VIEW_Y,
                                                   PICA_OUTMAP_SEMANTIC_VIEW_Z, PICA_OUTMAP_SEMANTIC_UNUSED } };

/* Distributes all semantics of the roles at random over the outputs; cases that may have events use more of those than
 * needed. */
void gen_scatter_outputs(struct gen *gen)
{
    struct gen_draw *const draw = &gen->draw;
    uint32_t count = 0;
    memset(draw->output_parts, GEN_NO_PART, sizeof draw->output_parts);
    for (uint32_t role = 0; role < GEN_ROLES; role++)
        for (uint32_t c = 0; c < 4 && (draw->roles >> role & 1u) != 0; c++)
            if (semantics[role][c] != PICA_OUTMAP_SEMANTIC_UNUSED)
                draw->output_parts[count++] = (uint8_t)(4 * role + c);
    draw->output_count = (count + 3u) / 4u;
    if (gen_wild(gen, 60))
        draw->output_count = gen_between(gen, draw->output_count, GEN_OUTPUTS);
    for (uint32_t i = 4 * draw->output_count; i > 1; i--) {
        const uint32_t j = gen_below(gen, i);
        const uint8_t kept = draw->output_parts[i - 1u];
        draw->output_parts[i - 1u] = draw->output_parts[j];
        draw->output_parts[j] = kept;
    }
}

static uint32_t outmap_word(struct gen *gen, uint32_t role, const uint32_t order[4])
{
    const bool packed = role == GEN_TEXCOORD1 && (gen->draw.roles >> GEN_TEXCOORD2 & 1u) == 0;
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t semantic = semantics[role][order[i]];
        if (packed && order[i] >= 2)
            semantic = order[i] == 2 ? PICA_OUTMAP_SEMANTIC_TEXCOORD2_U : PICA_OUTMAP_SEMANTIC_TEXCOORD2_V;
        word = pica_sh_outmap_set_semantic_at(word, i, semantic);
    }
    if (gen_wild(gen, 3))
        word = harness_layout_change(&gen->random, PICA_LAYOUT_SH_OUTMAP, word);
    return word;
}

/* Free components have no semantic, or with `noisy` any, which may replace that of a real one (SHD-80). */
static uint32_t scattered_word(struct gen *gen, uint32_t k, bool noisy)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t part = gen->draw.output_parts[4 * k + i];
        uint32_t semantic = PICA_OUTMAP_SEMANTIC_UNUSED;
        if (part != GEN_NO_PART)
            semantic = semantics[part / 4][part % 4];
        else if (noisy)
            semantic = gen_below(gen, 32);
        word = pica_sh_outmap_set_semantic_at(word, i, semantic);
    }
    return word;
}

void gen_scattered_outmap(struct gen *gen)
{
    const bool noisy = gen_wild(gen, 45);
    for (uint32_t k = 0; k < gen->draw.output_count; k++)
        gen_set(gen, PICA_REG_SH_OUTMAP_O0 + k, scattered_word(gen, k, noisy));
    gen_set(gen, PICA_REG_SH_OUTMAP_TOTAL, pica_sh_outmap_total_set_total(0, gen->draw.output_count));
}

void gen_outmap(struct gen *gen, uint32_t orders[GEN_ROLES])
{
    const uint32_t count = gen->draw.output_count;
    const bool noisy = gen_wild(gen, 20);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t order[4];
        gen_permutation(gen, order, 4, gen_percent(gen, 70));
        orders[k] = order_selectors(order);
        gen_set(gen, PICA_REG_SH_OUTMAP_O0 + k, outmap_word(gen, gen->draw.output_roles[k], order));
    }
    for (uint32_t k = count; k < 7; k++)
        if (gen_percent(gen, 20))
            gen_set(gen, PICA_REG_SH_OUTMAP_O0 + k, harness_layout_draw(&gen->random, PICA_LAYOUT_SH_OUTMAP, !noisy));
    gen_set(gen, PICA_REG_SH_OUTMAP_TOTAL, pica_sh_outmap_total_set_total(0, count));
}

uint32_t gen_output_mask(struct gen *gen, uint32_t count)
{
    uint32_t mask = 0;
    const uint32_t bound = gen_percent(gen, 60) ? count : 16;
    for (uint32_t left = count; left > 0;) {
        const uint32_t bit = 1u << gen_below(gen, bound);
        left -= (mask & bit) == 0 ? 1u : 0u;
        mask |= bit;
    }
    return mask;
}

uint32_t gen_output_register(uint32_t mask, uint32_t k)
{
    for (uint32_t o = 0; o < 16; o++)
        if ((mask >> o & 1u) != 0 && k-- == 0)
            return o;
    return 0; /* not reached: k is below the number of bits */
}
