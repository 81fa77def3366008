/* D0 lights, the common kind, on the quick way (50 section 1): one light whose only factor is d0. */
#ifndef FAST_KERNELS_LIGHTING_D0_H
#define FAST_KERNELS_LIGHTING_D0_H

#include "fast/kernels/lighting_terms.h"
#include "fast/kernels/cell.h"

/* Is there one light whose only factor is d0 (LIT-35), and are only its colours read? */
static inline bool is_d0_light(const struct fast_lighting *lighting)
{
    const struct fast_light *light = &lighting->lights[0];
    return lighting->light_count == 1 && !lighting->shadow && !light->has_specular1 && !light->geometric0 &&
           !light->spot_enabled && !light->attenuation_enabled && lighting->lookups[FAST_LUT_D0].enabled &&
           lighting->primary && lighting->primary_is_opaque && lighting->secondary && lighting->secondary_is_opaque;
}

/*
 * light_byte of two channels that are not negative, in 16-bit halves. The factor 65536 is a power of two: the product
 * rounds as it would without it, and the byte is in the high half.
 */
static inline v_u32 bytes_u16x2(v_f32 low, v_f32 high)
{
    const v_f32 one = v_f32_splat(1.0f);
    const v_f32 scaled_low = v_f32_mul(v_f32_lesser(low, one), v_f32_splat(255.0f));
    const v_f32 scaled_high = v_f32_mul(v_f32_lesser(high, one), v_f32_splat(255.0f * 65536.0f));
    return v_u16x2_blend(v_u32_from_i32(v_i32_trunc_in_range(scaled_low)),
                         v_u32_from_i32(v_i32_trunc_in_range(scaled_high)));
}

static inline struct fast_pairs opaque_pairs(struct vector color)
{
    const v_f32 y = v_f32_mul(v_f32_lesser(color.y, v_f32_splat(1.0f)), v_f32_splat(255.0f));
    return (struct fast_pairs){ bytes_u16x2(color.x, color.z),
                                v_u32_or(v_u32_from_i32(v_i32_trunc_in_range(y)), v_u32_splat(255u << 16)) };
}

/*
 * LIT-27 to LIT-38 for a d0 light. Because the cell is bounded, sums with 0 are left out. Colours and nl are not
 * negative, so the diffuse sum is not; the specular sum is not if d0 is not. ch of LIT-32 is a factor of d0 as well.
 */
static inline void finish_d0(const struct fast_lighting *lighting, v_f32 nl, const struct place *place,
                             struct fast_pairs *primary, struct fast_pairs *secondary)
{
    const struct fast_light *light = &lighting->lights[0];
    const struct fast_lighting_lookup *lookup = &lighting->lookups[FAST_LUT_D0];
    const v_f32 zero = v_f32_splat(0.0f);
    const v_f32 value = table_value(lookup->table, place);
    const struct vector lit = add(scale(splat(light->diffuse), nl), splat(light->ambient));
    v_f32 d0 = v_f32_greater(v_f32_mul(v_f32_splat(lookup->scale), value), zero);
    if (lighting->clamp_highlights)
        d0 = v_f32_select(v_f32_eq(nl, zero), zero, d0);
    *primary = opaque_pairs(add(lit, splat(lighting->global_ambient)));
    *secondary = opaque_pairs(scale(splat(light->specular0), d0));
}

#endif
