/* Fragment lighting (50 section 1), block by block. */
#include "fast/kernels/lighting.h"

#include "fast/kernels/lighting_terms.h"

static v_u16 to_byte(v_f32 x)
{
    return v_u16_from_i32(light_byte(x));
}

static void to_bytes(struct vector color, v_f32 alpha, bool opaque, struct fast_colors *out)
{
    out->channel[0] = to_byte(color.x);
    out->channel[1] = to_byte(color.y);
    out->channel[2] = to_byte(color.z);
    out->channel[3] = opaque ? v_u16_splat(255) : to_byte(alpha);
}

/* LIT-30 to LIT-38 (example: LIT-40). */
void FAST_ISA(fast_light_block)(const struct fast_lighting *lighting, const struct fast_block *block,
                                const v_u16 *const textures[4], struct fast_colors *primary,
                                struct fast_colors *secondary)
{
    struct surface surface = { .bounded = false };
    find_normal(lighting, block, block->quaternion, textures, &surface);
    find_view(lighting, block->view, &surface);
    const struct shadow shadow = find_shadow(lighting, textures);
    const v_f32 one = v_f32_splat(1.0f);
    struct sums sums = { constant(0.0f, 0.0f, 0.0f), constant(0.0f, 0.0f, 0.0f), one, one };
    for (uint32_t slot = 0; slot < lighting->light_count; slot++) {
        struct incidence at;
        at.lighting = lighting;
        at.light = &lighting->lights[slot];
        at.block = block;
        at.slot = slot;
        at.half = constant(0.0f, 0.0f, 0.0f); /* gcc does not see that these two are read only where they are set */
        at.distance = v_f32_splat(0.0f);
        find_direction(&surface, &at);
        find_inputs(&surface, &at);
        for (uint32_t number = 0, lookups = lookups_of(&at); lookups >> number != 0u; number++)
            if ((lookups >> number & 1u) != 0u) {
                struct place place;
                place_lookup(&surface, &at, number, &place);
                look_up(&at, number, &place);
            }
        add_light(&shadow, &at, &sums);
        if (slot + 1 == lighting->light_count)
            apply_fresnel(&at, &sums);
    }
    finish(lighting, &shadow, &sums);
    if (lighting->primary) {
        to_bytes(sums.diffuse, sums.diffuse_alpha, lighting->primary_is_opaque, primary);
        trace_channels(block, PICA_TRACE_ID_LIGHT_PRIMARY, 0u, primary->channel, 4u);
    }
    if (lighting->secondary) {
        to_bytes(sums.specular, sums.specular_alpha, lighting->secondary_is_opaque, secondary);
        trace_channels(block, PICA_TRACE_ID_LIGHT_SECONDARY, 0u, secondary->channel, 4u);
    }
}
