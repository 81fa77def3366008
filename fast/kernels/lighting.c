/* Fragment lighting (50 section 1). A vector is three v_f32; LIT-41: every term is evaluated as written. */
#include "fast/kernels/shading_kernels.h"
#include "fast/kernels/trace_hooks.h"

#include "pica/enums.h"

/* --------------------------------------------------------------------------------------------------------- vectors */

struct vector {
    v_f32 x, y, z;
};

static struct vector splat(const float components[3])
{
    return (struct vector){ v_f32_splat(components[0]), v_f32_splat(components[1]), v_f32_splat(components[2]) };
}

static struct vector constant(float x, float y, float z)
{
    return (struct vector){ v_f32_splat(x), v_f32_splat(y), v_f32_splat(z) };
}

static struct vector add(struct vector a, struct vector b)
{
    return (struct vector){ v_f32_add(a.x, b.x), v_f32_add(a.y, b.y), v_f32_add(a.z, b.z) };
}

static struct vector subtract(struct vector a, struct vector b)
{
    return (struct vector){ v_f32_sub(a.x, b.x), v_f32_sub(a.y, b.y), v_f32_sub(a.z, b.z) };
}

static struct vector scale(struct vector a, v_f32 factor)
{
    return (struct vector){ v_f32_mul(a.x, factor), v_f32_mul(a.y, factor), v_f32_mul(a.z, factor) };
}

static struct vector multiply(struct vector a, struct vector b)
{
    return (struct vector){ v_f32_mul(a.x, b.x), v_f32_mul(a.y, b.y), v_f32_mul(a.z, b.z) };
}

static void trace_vector(const struct fast_block *block, enum pica_trace_id id, uint32_t slot, struct vector vector)
{
    trace_f32(block, id, slot, (const v_f32[3]){ vector.x, vector.y, vector.z }, 3u);
}

/* 50 section 1.3: dot, len, nrm, cross. */
static v_f32 dot(struct vector a, struct vector b)
{
    return v_f32_add(v_f32_add(v_f32_mul(a.x, b.x), v_f32_mul(a.y, b.y)), v_f32_mul(a.z, b.z));
}

static v_f32 length(struct vector a)
{
    return v_f32_sqrt(dot(a, a));
}

static struct vector divide(struct vector a, v_f32 divisor)
{
    return (struct vector){ v_f32_div(a.x, divisor), v_f32_div(a.y, divisor), v_f32_div(a.z, divisor) };
}

static struct vector normalize(struct vector a)
{
    return divide(a, length(a));
}

static struct vector cross(struct vector a, struct vector b)
{
    return (struct vector){ v_f32_sub(v_f32_mul(a.y, b.z), v_f32_mul(a.z, b.y)),
                            v_f32_sub(v_f32_mul(a.z, b.x), v_f32_mul(a.x, b.z)),
                            v_f32_sub(v_f32_mul(a.x, b.y), v_f32_mul(a.y, b.x)) };
}

/* --------------------------------------------------------------------------------------------------------- surface */

/* What all lights share. */
struct surface {
    struct vector normal;  /* N */
    struct vector tangent; /* Tg; 0 if nobody looks at input 5 */
    struct vector view;    /* as interpolated */
    struct vector view_n;  /* Vn; 0 if nobody looks at it */
};

struct quaternion {
    struct vector v;
    v_f32 w;
};

/* LIT-10, LIT-11. */
static struct quaternion unit_quaternion(const struct fast_block *block)
{
    const v_f32 x = block->quaternion[0], y = block->quaternion[1];
    const v_f32 z = block->quaternion[2], w = block->quaternion[3];
    const v_f32 squares =
        v_f32_add(v_f32_add(v_f32_add(v_f32_mul(x, x), v_f32_mul(y, y)), v_f32_mul(z, z)), v_f32_mul(w, w));
    const v_f32 size = v_f32_sqrt(squares);
    return (struct quaternion){ divide((struct vector){ x, y, z }, size), v_f32_div(w, size) };
}

/* LIT-12. */
static struct vector rotate(const struct quaternion *q, struct vector v)
{
    const struct vector t = add(cross(q->v, v), scale(v, q->w));
    const struct vector turned = cross(q->v, t);
    const v_f32 two = v_f32_splat(2.0f);
    return add(v, (struct vector){ v_f32_mul(two, turned.x), v_f32_mul(two, turned.y), v_f32_mul(two, turned.z) });
}

static v_f32 f32_from_u16(v_u16 a)
{
    return v_f32_from_i32(v_i32_from_u16(a));
}

/* LIT-13: p, from the bytes of the bump unit. */
static struct vector bump_texel(const v_u16 *texture)
{
    const v_f32 half = v_f32_splat(127.5f);
    const v_f32 one = v_f32_splat(1.0f);
    return (struct vector){ v_f32_sub(v_f32_div(f32_from_u16(texture[0]), half), one),
                            v_f32_sub(v_f32_div(f32_from_u16(texture[1]), half), one),
                            v_f32_sub(v_f32_div(f32_from_u16(texture[2]), half), one) };
}

/* LIT-13: pz. */
static v_f32 recalculated_z(struct vector p)
{
    const v_f32 squares = v_f32_add(v_f32_mul(p.x, p.x), v_f32_mul(p.y, p.y));
    return v_f32_sqrt(v_f32_max(v_f32_sub(v_f32_splat(1.0f), squares), v_f32_splat(0.0f)));
}

/* LIT-13: local normal and tangent by bump mode. */
static void local_vectors(const struct fast_lighting *lighting, const v_u16 *const textures[4], struct vector *normal,
                          struct vector *tangent)
{
    *normal = constant(0.0f, 0.0f, 1.0f);
    *tangent = constant(1.0f, 0.0f, 0.0f);
    switch ((enum pica_bump_mode)lighting->bump_mode) {
    case PICA_BUMP_MODE_OFF: return;
    case PICA_BUMP_MODE_NORMAL_MAP:
        *normal = bump_texel(textures[lighting->bump_unit]);
        if (!lighting->bump_keeps_z)
            normal->z = recalculated_z(*normal);
        return;
    case PICA_BUMP_MODE_TANGENT_MAP: *tangent = bump_texel(textures[lighting->bump_unit]); return;
    case PICA_BUMP_MODE_RESERVED_3: *normal = *tangent = constant(0.0f, 0.0f, 0.0f); return;
    }
}

/* LIT-14, LIT-15. */
static struct surface find_surface(const struct fast_lighting *lighting, const struct fast_block *block,
                                   const v_u16 *const textures[4])
{
    const struct quaternion q = unit_quaternion(block);
    struct surface surface;
    struct vector normal, tangent;
    local_vectors(lighting, textures, &normal, &tangent);
    surface.normal = rotate(&q, normal);
    trace_vector(block, PICA_TRACE_ID_LIGHT_NORMAL, 0u, surface.normal);
    surface.tangent = surface.view_n = constant(0.0f, 0.0f, 0.0f);
    if (lighting->inputs >> PICA_LUT_INPUT_COS_PHI & 1) {
        surface.tangent = rotate(&q, tangent);
        trace_vector(block, PICA_TRACE_ID_LIGHT_TANGENT, 0u, surface.tangent);
    }
    surface.view = (struct vector){ block->view[0], block->view[1], block->view[2] };
    if (lighting->needs_view)
        surface.view_n = normalize(surface.view);
    return surface;
}

/* -------------------------------------------------------------------------------------------------------- look-ups */

/* LIT-17 (examples: LIT-24), d = scaled - k. */
static v_f32 table_value(const struct fast_lut256 *table, v_f32 scaled, v_f32 k)
{
    const v_i32 index = v_i32_and(v_i32_trunc_in_range(k), v_i32_splat(255));
    const v_f32 zero = v_f32_splat(0.0f);
    const v_f32 value = v_f32_gather(zero, v_mask_all_lanes(), table->value, index);
    const v_f32 slope = v_f32_gather(zero, v_mask_all_lanes(), table->slope, index);
    return v_f32_add(value, v_f32_mul(slope, v_f32_sub(scaled, k)));
}

/* LIT-18. A NaN index counts as some k: then d and the result are NaN whatever k is. */
static v_f32 signed_value(const struct fast_lut256 *table, v_f32 x)
{
    const v_f32 scaled = v_f32_mul(x, v_f32_splat(128.0f));
    return table_value(table, scaled, v_f32_sat(v_f32_floor(scaled), v_f32_splat(-128.0f), v_f32_splat(127.0f)));
}

/* LIT-19 without its first step; LIT-25. */
static v_f32 unsigned_value(const struct fast_lut256 *table, v_f32 x)
{
    const v_f32 scaled = v_f32_mul(x, v_f32_splat(256.0f));
    return table_value(table, scaled, v_f32_sat(v_f32_floor(scaled), v_f32_splat(0.0f), v_f32_splat(255.0f)));
}

/* LIT-19, LIT-23, LIT-31: absolute value for two-sided lights, else not below 0. */
static v_f32 fold_sides(const struct fast_light *light, v_f32 x)
{
    return light->two_sided ? v_f32_abs(x) : v_f32_max(x, v_f32_splat(0.0f));
}

/* One light seen from the fragment. */
struct incidence {
    const struct fast_block *block;
    uint32_t slot;
    struct vector direction; /* Ld */
    v_f32 distance;          /* dist */
    struct vector half;      /* Hf */
    v_f32 inputs[8];         /* LIT-21 */
    v_f32 normal_light;      /* nl */
};

/* The number of the distance attenuation after those of enum fast_lighting_lut. */
enum {
    LOOKUP_DISTANCE = 7
};

static void trace_lookup(const struct incidence *at, uint32_t number, v_f32 factor)
{
    trace_f32(at->block, PICA_TRACE_ID_LIGHT_LOOKUP, 8u * at->slot + number, &factor, 1u);
}

/* LIT-20. */
static v_f32 look_up(const struct fast_lighting *lighting, enum fast_lighting_lut number,
                     const struct fast_lut256 *table, const struct fast_light *light, const struct incidence *at)
{
    const struct fast_lighting_lookup *lookup = &lighting->lookups[number];
    const v_f32 x = at->inputs[lookup->input];
    const v_f32 value = lookup->absolute ? unsigned_value(table, fold_sides(light, x)) : signed_value(table, x);
    const v_f32 factor = v_f32_mul(v_f32_splat(lookup->scale), value);
    trace_lookup(at, number, factor);
    return factor;
}

/* A look-up, or `otherwise` if it is disabled or unavailable (LIT-27, LIT-28). */
static v_f32 look_up_or(const struct fast_lighting *lighting, enum fast_lighting_lut number,
                        const struct fast_light *light, const struct incidence *at, v_f32 otherwise)
{
    const struct fast_lighting_lookup *lookup = &lighting->lookups[number];
    return lookup->enabled ? look_up(lighting, number, lookup->table, light, at) : otherwise;
}

/* ---------------------------------------------------------------------------------------------------------- lights */

/* LIT-21: input 5. */
static v_f32 projected_half(const struct surface *surface, struct vector half_n)
{
    const struct vector along = scale(surface->normal, dot(surface->normal, half_n));
    return dot(subtract(half_n, along), surface->tangent);
}

/* LIT-21 (values of one fragment: LIT-16). Inputs that nobody selects are left 0. */
static void find_inputs(const struct fast_lighting *lighting, const struct fast_light *light,
                        const struct surface *surface, struct incidence *at)
{
    const uint32_t wanted = lighting->inputs;
    const uint32_t with_half =
        1u << PICA_LUT_INPUT_NORMAL_HALF | 1u << PICA_LUT_INPUT_VIEW_HALF | 1u << PICA_LUT_INPUT_COS_PHI;
    const v_f32 zero = v_f32_splat(0.0f);
    for (int i = 0; i < 8; i++)
        at->inputs[i] = zero;
    if (wanted & with_half) {
        const struct vector half_n = normalize(at->half);
        trace_vector(at->block, PICA_TRACE_ID_LIGHT_HALF, at->slot, half_n);
        at->inputs[PICA_LUT_INPUT_NORMAL_HALF] = dot(surface->normal, half_n);
        at->inputs[PICA_LUT_INPUT_VIEW_HALF] = dot(surface->view_n, half_n);
        if (lighting->input5_is_projected)
            at->inputs[PICA_LUT_INPUT_COS_PHI] = projected_half(surface, half_n);
    }
    if (wanted >> PICA_LUT_INPUT_NORMAL_VIEW & 1)
        at->inputs[PICA_LUT_INPUT_NORMAL_VIEW] = dot(surface->normal, surface->view_n);
    at->inputs[PICA_LUT_INPUT_LIGHT_NORMAL] = dot(at->direction, surface->normal);
    if (wanted >> PICA_LUT_INPUT_LIGHT_SPOT & 1)
        at->inputs[PICA_LUT_INPUT_LIGHT_SPOT] = dot(at->direction, splat(light->spot_direction));
}

/* LIT-15, LIT-31. */
static void find_incidence(const struct fast_lighting *lighting, const struct fast_light *light,
                           const struct surface *surface, struct incidence *at)
{
    const struct vector position = splat(light->position);
    const struct vector ray = light->directional ? position : add(position, surface->view);
    at->distance = length(ray);
    at->direction = divide(ray, at->distance);
    const v_f32 reported[4] = { at->direction.x, at->direction.y, at->direction.z, at->distance };
    trace_f32(at->block, PICA_TRACE_ID_LIGHT_DIRECTION, at->slot, reported, 4u);
    at->half = add(surface->view_n, at->direction);
    find_inputs(lighting, light, surface, at);
    at->normal_light = fold_sides(light, at->inputs[PICA_LUT_INPUT_LIGHT_NORMAL]);
}

/* LIT-25. */
static v_f32 distance_attenuation(const struct fast_light *light, const struct incidence *at)
{
    const v_f32 one = v_f32_splat(1.0f);
    if (!light->attenuation_enabled)
        return one;
    const v_f32 scaled = v_f32_mul(v_f32_splat(light->attenuation_scale), at->distance);
    const v_f32 x = v_f32_add(scaled, v_f32_splat(light->attenuation_bias));
    const v_f32 factor = unsigned_value(light->attenuation_table, v_f32_clamp(x, v_f32_splat(0.0f), one));
    trace_lookup(at, LOOKUP_DISTANCE, factor);
    return factor;
}

/* LIT-26. */
static v_f32 spot_attenuation(const struct fast_lighting *lighting, const struct fast_light *light,
                              const struct incidence *at)
{
    if (!light->spot_enabled)
        return v_f32_splat(1.0f);
    return look_up(lighting, FAST_LUT_SP, light->spot_table, light, at);
}

/* LIT-33. */
static v_f32 geometric_factor(const struct incidence *at)
{
    const v_f32 zero = v_f32_splat(0.0f);
    const v_f32 h = dot(at->half, at->half);
    const v_f32 g = v_f32_min(v_f32_div(at->normal_light, h), v_f32_splat(1.0f));
    return v_f32_select(v_f32_eq(h, zero), zero, g);
}

/* LIT-27 to LIT-29, LIT-33: S0 + S1. */
static struct vector specular_sum(const struct fast_lighting *lighting, const struct fast_light *light,
                                  const struct incidence *at)
{
    const v_f32 one = v_f32_splat(1.0f);
    const v_f32 d0 = look_up_or(lighting, FAST_LUT_D0, light, at, one);
    const v_f32 d1 = look_up_or(lighting, FAST_LUT_D1, light, at, one);
    const v_f32 rr = look_up_or(lighting, FAST_LUT_RR, light, at, one);
    const v_f32 rg = look_up_or(lighting, FAST_LUT_RG, light, at, rr);
    const v_f32 rb = look_up_or(lighting, FAST_LUT_RB, light, at, rr);
    struct vector s0 = scale(splat(light->specular0), d0);
    struct vector s1 = multiply(scale((struct vector){ rr, rg, rb }, d1), splat(light->specular1));
    if (light->geometric0 || light->geometric1) {
        const v_f32 g = geometric_factor(at);
        s0 = light->geometric0 ? scale(s0, g) : s0;
        s1 = light->geometric1 ? scale(s1, g) : s1;
    }
    return add(s0, s1);
}

/* LIT-32. */
static v_f32 highlight_clamp(const struct fast_lighting *lighting, const struct incidence *at)
{
    const v_f32 one = v_f32_splat(1.0f);
    const v_f32 zero = v_f32_splat(0.0f);
    return lighting->clamp_highlights ? v_f32_select(v_f32_eq(at->normal_light, zero), zero, one) : one;
}

/* LIT-34: sh. */
struct shadow {
    struct vector color;
    v_f32 alpha;
};

static v_f32 shadow_channel(const struct fast_lighting *lighting, v_u16 byte)
{
    const v_f32 value = v_f32_div(f32_from_u16(byte), v_f32_splat(255.0f));
    return lighting->shadow_inverted ? v_f32_sub(v_f32_splat(1.0f), value) : value;
}

static struct shadow find_shadow(const struct fast_lighting *lighting, const v_u16 *const textures[4])
{
    if (!lighting->shadow)
        return (struct shadow){ constant(1.0f, 1.0f, 1.0f), v_f32_splat(1.0f) };
    const v_u16 *texture = textures[lighting->shadow_unit];
    return (struct shadow){ { shadow_channel(lighting, texture[0]), shadow_channel(lighting, texture[1]),
                              shadow_channel(lighting, texture[2]) },
                            shadow_channel(lighting, texture[3]) };
}

/* dif, spc and their alphas. */
struct sums {
    struct vector diffuse, specular;
    v_f32 diffuse_alpha, specular_alpha;
};

/* LIT-35. The ambient term is attenuated, but not shadowed. */
static void add_light(const struct fast_lighting *lighting, const struct fast_light *light, const struct shadow *shadow,
                      const struct incidence *at, struct sums *sums)
{
    const struct vector ones = constant(1.0f, 1.0f, 1.0f);
    const struct vector shp = lighting->shadow_primary && light->shadow_enabled ? shadow->color : ones;
    const struct vector shs = lighting->shadow_secondary && light->shadow_enabled ? shadow->color : ones;
    const v_f32 da = distance_attenuation(light, at);
    const v_f32 sp = spot_attenuation(lighting, light, at);

    const struct vector shadowed = multiply(scale(splat(light->diffuse), at->normal_light), shp);
    sums->diffuse = add(sums->diffuse, scale(scale(add(shadowed, splat(light->ambient)), da), sp));
    if (!lighting->secondary)
        return;
    const v_f32 ch = highlight_clamp(lighting, at);
    const struct vector specular = scale(scale(scale(specular_sum(lighting, light, at), ch), da), sp);
    sums->specular = add(sums->specular, multiply(specular, shs));
    const v_f32 reported[6] = { sums->diffuse.x,  sums->diffuse.y,  sums->diffuse.z,
                                sums->specular.x, sums->specular.y, sums->specular.z };
    trace_f32(at->block, PICA_TRACE_ID_LIGHT_TERMS, at->slot, reported, 6u);
}

/* LIT-30: the last light decides the fresnel alphas. */
static void apply_fresnel(const struct fast_lighting *lighting, const struct fast_light *light,
                          const struct incidence *at, struct sums *sums)
{
    if (!lighting->lookups[FAST_LUT_FR].enabled)
        return;
    const v_f32 f = look_up_or(lighting, FAST_LUT_FR, light, at, v_f32_splat(1.0f));
    if (lighting->fresnel_primary)
        sums->diffuse_alpha = f;
    if (lighting->fresnel_secondary)
        sums->specular_alpha = f;
}

/* ---------------------------------------------------------------------------------------------------------- result */

/* LIT-38 (example: LIT-39). */
static v_u16 to_byte(v_f32 x)
{
    const v_f32 clamped = v_f32_clamp(x, v_f32_splat(0.0f), v_f32_splat(1.0f));
    return v_u16_from_i32(v_i32_u8(v_f32_mul(clamped, v_f32_splat(255.0f))));
}

static void to_bytes(struct vector color, v_f32 alpha, struct fast_colors *out)
{
    out->channel[0] = to_byte(color.x);
    out->channel[1] = to_byte(color.y);
    out->channel[2] = to_byte(color.z);
    out->channel[3] = to_byte(alpha);
}

/* LIT-36, LIT-37. */
static void finish(const struct fast_lighting *lighting, const struct shadow *shadow, struct sums *sums)
{
    if (lighting->shadow_alpha && lighting->fresnel_primary)
        sums->diffuse_alpha = v_f32_mul(sums->diffuse_alpha, shadow->alpha);
    if (lighting->shadow_alpha && lighting->fresnel_secondary)
        sums->specular_alpha = v_f32_mul(sums->specular_alpha, shadow->alpha);
    sums->diffuse = add(sums->diffuse, splat(lighting->global_ambient));
}

/* LIT-30 to LIT-38 (example: LIT-40). */
void FAST_ISA(fast_light_block)(const struct fast_lighting *lighting, const struct fast_block *block,
                                const v_u16 *const textures[4], struct fast_colors *primary,
                                struct fast_colors *secondary)
{
    const struct surface surface = find_surface(lighting, block, textures);
    const struct shadow shadow = find_shadow(lighting, textures);
    const v_f32 one = v_f32_splat(1.0f);
    struct sums sums = { constant(0.0f, 0.0f, 0.0f), constant(0.0f, 0.0f, 0.0f), one, one };
    for (uint32_t slot = 0; slot < lighting->light_count; slot++) {
        const struct fast_light *light = &lighting->lights[slot];
        struct incidence at;
        at.block = block;
        at.slot = slot;
        find_incidence(lighting, light, &surface, &at);
        add_light(lighting, light, &shadow, &at, &sums);
        if (slot + 1 == lighting->light_count)
            apply_fresnel(lighting, light, &at, &sums);
    }
    finish(lighting, &shadow, &sums);
    if (lighting->primary) {
        to_bytes(sums.diffuse, sums.diffuse_alpha, primary);
        trace_channels(block, PICA_TRACE_ID_LIGHT_PRIMARY, 0u, primary->channel, 4u);
    }
    if (lighting->secondary) {
        to_bytes(sums.specular, sums.specular_alpha, secondary);
        trace_channels(block, PICA_TRACE_ID_LIGHT_SECONDARY, 0u, secondary->channel, 4u);
    }
}
