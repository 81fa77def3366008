/*
 * draw_blocks with random registers: all stages together, in any state, and above all in those of the quick way. What a
 * stage does by itself is tested in the file of its name; how, says block_rounds.h.
 */
#include "fast/draw/draw_state.h"
#include "fast/gpu.h"
#include "tests/kernels/block_rounds.h"
#include "tests/kernels/random_state.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>

enum {
    ROUNDS = 2000 / TEST_PART
};

/* Quaternions and view vectors whose squares vanish or overflow in some components. */
static void extreme_vectors(struct harness_random *random, struct fast_triangle *triangle)
{
    static const float sizes[8] = { 0.0f, 0x1p-149f, 0x1p-80f, 0x1p-64f, 0x1p-24f, 1.0f, 0x1p30f, 0x1p59f };
    for (uint32_t k = FAST_ATTRIBUTE_VIEW; k < FAST_ATTRIBUTES; k++) {
        const float size = sizes[harness_random_below(random, 8)];
        for (uint32_t i = 0; i < 3; i++)
            triangle->attribute[k][i] = harness_random_float(random, -1.0f, 1.0f) * size;
    }
}

/* Any stages; some lights are for vectors of their own. */
static void random_stages_and_vectors(struct block_round *round)
{
    struct harness_random *const random = &round->random;
    const enum random_light light = random_stages(round->gpu, random);
    for (uint32_t k = 0; k < 3 && light == RANDOM_LIGHT_DEGENERATE; k++)
        for (uint32_t i = 0; i < 3; i++)
            round->triangles[0].attribute[FAST_ATTRIBUTE_VIEW + k][i] = 0.0f;
    for (uint32_t t = 0; t < ROUND_TRIANGLES && light == RANDOM_LIGHT_D0; t++)
        if (harness_random_percent(random, 25))
            extreme_vectors(random, &round->triangles[t]);
}

/* One light whose only look-up that matters is D0 by N.H (kernels/lighting_d0.c). */
static bool has_highlight(const struct fast_draw_state *draw)
{
    const struct fast_lighting *const lighting = &draw->shading.lighting;
    const struct fast_light *const light = &lighting->lights[0];
    return draw->quick.active && draw->quick.shading == FAST_QUICK_STAGES && lighting->enabled && lighting->primary &&
           lighting->secondary && lighting->light_count == 1 && lighting->lookups[FAST_LUT_D0].enabled &&
           lighting->lookups[FAST_LUT_D0].input == PICA_LUT_INPUT_NORMAL_HALF && !light->has_specular1 &&
           !light->geometric0 && !light->spot_enabled && !light->attenuation_enabled && lighting->primary_is_opaque &&
           lighting->secondary_is_opaque;
}

/* How often a state was set up for the quick way with each operation of RGBA stages, in rounds that draw. */
static void count_operations(const struct fast_draw_state *draw, uint32_t counts[FAST_RGBA_MIX + 1])
{
    const struct fast_combiner *const combiner = &draw->shading.combiner;
    if (!draw->quick.active || draw->quick.shading != FAST_QUICK_STAGES)
        return;
    for (uint32_t stage = 0; stage < combiner->stage_count; stage++)
        if (combiner->rgba[stage].active)
            counts[combiner->rgba[stage].operation]++;
}

Test(block, every_instruction_set_draws_what_the_scalar_kernels_draw)
{
    struct kernel_set sets[KERNEL_SETS_MAX];
    const uint32_t set_count = kernel_sets(sets);
    const uint64_t seed = test_seed("draw_blocks");
    struct block_round *const round = block_round_create("draw_blocks");
    uint32_t drawn = 0;
    uint32_t highlights[2] = { 0, 0 }; /* of positional and directional lights */
    uint32_t spans = 0;                /* on the quick way */
    uint32_t quick[FAST_QUICK_GENERAL + 1] = { 0 };
    uint32_t operations[FAST_RGBA_MIX + 1] = { 0 };
    for (uint32_t number = 0; number < ROUNDS; number++) {
        const bool common = number % 2 == 1 || number % 4 == 0;
        block_round_memory(round, seed + number);
        if (common)
            random_common(round->gpu, &round->random);
        block_round_triangles(round, common);
        if (number % 4 == 0)
            random_stages_and_vectors(round);
        block_round_items(round);
        decode_state(round->gpu, false);
        const bool draws = round->gpu->draw->raster.draws && block_round_run(round, number, sets, set_count);
        drawn += draws;
        if (round->gpu->draw->quick.active)
            quick[round->gpu->draw->quick.shading]++;
        for (uint32_t n = 1; n < round->count && draws && round->gpu->draw->quick.active; n++)
            spans += round->follows[n] && !round->follows[n - 1];
        if (draws)
            count_operations(round->gpu->draw, operations);
        if (draws && has_highlight(round->gpu->draw))
            highlights[round->gpu->draw->shading.lighting.lights[0].directional]++;
    }
    cr_log_info("%u of %d rounds changed a pixel on %u sets", drawn, (int)ROUNDS, set_count);
    cr_expect_geq(drawn, ROUNDS / 4u);
    cr_expect_geq(spans, ROUNDS / 10u, "%u spans of tiles", spans);
    for (uint32_t shading = 0; shading <= FAST_QUICK_GENERAL; shading++)
        cr_expect_geq(quick[shading], ROUNDS / (shading == FAST_QUICK_GENERAL ? 60u : 25u),
                      "shading %u on the quick way: %u rounds", shading, quick[shading]);
    for (uint32_t directional = 0; directional < 2; directional++)
        cr_expect_geq(highlights[directional], 15u / TEST_PART, "highlights: %u positional, %u directional",
                      highlights[0], highlights[1]);
    for (uint32_t operation = 0; operation <= FAST_RGBA_MIX; operation++)
        cr_expect_geq(operations[operation], 10u / TEST_PART, "operation %u of RGBA stages: %u times", operation,
                      operations[operation]);
    block_round_destroy(round);
}
