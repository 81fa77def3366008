/* Fragment lighting (50 section 1), block by block. LIT-41: every term is evaluated as written. */
#include "fast/kernels/light_math.h"
#include "fast/kernels/shading_kernels.h"
#include "fast/kernels/trace_hooks.h"

#include "pica/enums.h"

static void trace_vector(const struct fast_block *block, enum pica_trace_id id, uint32_t slot, struct vector vector)
{
    trace_f32(block, id, slot, (const v_f32[3]){ vector.x, vector.y, vector.z }, 3u);
}

/* --------------------------------------------------------------------------------------------------------- surface */

/* What all lights share. */
struct surface {
    struct vector normal;  /* N */
    struct vector tangent; /* Tg; 0 if nobody looks at input 5 */
    struct vector view;    /* as interpolated */
    struct vector view_n;  /* Vn; 0 if nobody looks at it */
};

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
static inline struct surface find_surface(const struct fast_lighting *lighting, const struct fast_block *block,
                                          const v_u16 *const textures[4])
{
    const struct quaternion q = unit_quaternion(block->quaternion);
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

/* One light seen from the fragment. */
struct incidence {
    const struct fast_lighting *lighting;
    const struct fast_light *light;
    const struct fast_block *block;
    uint32_t slot;
    struct vector direction; /* Ld */
    v_f32 distance;          /* dist */
    struct vector half;      /* Hf; not set if nobody looks at Vn */
    v_f32 inputs[8];         /* LIT-21; those that nobody selects are not set, 6 and 7 are 0 */
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
static v_f32 look_up(const struct incidence *at, enum fast_lighting_lut number, const struct fast_lut256 *table)
{
    const struct fast_lighting_lookup *lookup = &at->lighting->lookups[number];
    const v_f32 x = at->inputs[lookup->input];
    const v_f32 value = lookup->absolute ? unsigned_value(table, fold_sides(at->light, x)) : signed_value(table, x);
    const v_f32 factor = v_f32_mul(v_f32_splat(lookup->scale), value);
    trace_lookup(at, number, factor);
    return factor;
}

/* A look-up, or `otherwise` if it is disabled or unavailable (LIT-27, LIT-28). */
static v_f32 look_up_or(const struct incidence *at, enum fast_lighting_lut number, v_f32 otherwise)
{
    const struct fast_lighting_lookup *lookup = &at->lighting->lookups[number];
    return lookup->enabled ? look_up(at, number, lookup->table) : otherwise;
}

/* ---------------------------------------------------------------------------------------------------------- lights */

/* LIT-21: input 5. */
static v_f32 projected_half(const struct surface *surface, struct vector half_n)
{
    const struct vector along = scale(surface->normal, dot(surface->normal, half_n));
    return dot(subtract(half_n, along), surface->tangent);
}

/* LIT-21 (values of one fragment: LIT-16). */
static inline void find_inputs(const struct surface *surface, struct incidence *at)
{
    const uint32_t wanted = at->lighting->inputs;
    const uint32_t with_half =
        1u << PICA_LUT_INPUT_NORMAL_HALF | 1u << PICA_LUT_INPUT_VIEW_HALF | 1u << PICA_LUT_INPUT_COS_PHI;
    if (wanted & with_half) {
        const struct vector half_n = normalize(at->half);
        trace_vector(at->block, PICA_TRACE_ID_LIGHT_HALF, at->slot, half_n);
        if (wanted >> PICA_LUT_INPUT_NORMAL_HALF & 1)
            at->inputs[PICA_LUT_INPUT_NORMAL_HALF] = dot(surface->normal, half_n);
        if (wanted >> PICA_LUT_INPUT_VIEW_HALF & 1)
            at->inputs[PICA_LUT_INPUT_VIEW_HALF] = dot(surface->view_n, half_n);
        if (wanted >> PICA_LUT_INPUT_COS_PHI & 1)
            at->inputs[PICA_LUT_INPUT_COS_PHI] =
                at->lighting->input5_is_projected ? projected_half(surface, half_n) : v_f32_splat(0.0f);
    }
    if (wanted >> PICA_LUT_INPUT_NORMAL_VIEW & 1)
        at->inputs[PICA_LUT_INPUT_NORMAL_VIEW] = dot(surface->normal, surface->view_n);
    at->inputs[PICA_LUT_INPUT_LIGHT_NORMAL] = dot(at->direction, surface->normal);
    if (wanted >> PICA_LUT_INPUT_LIGHT_SPOT & 1)
        at->inputs[PICA_LUT_INPUT_LIGHT_SPOT] = dot(at->direction, splat(at->light->spot_direction));
    at->inputs[PICA_LUT_INPUT_RESERVED_6] = at->inputs[PICA_LUT_INPUT_RESERVED_7] = v_f32_splat(0.0f);
}

/* LIT-15, LIT-31. The direction of a directional light is known since decode. */
static inline void find_incidence(const struct surface *surface, struct incidence *at)
{
    const struct fast_light *light = at->light;
    if (light->directional) {
        at->distance = v_f32_splat(light->distance);
        at->direction = splat(light->direction);
    } else {
        const struct vector ray = add(splat(light->position), surface->view);
        at->distance = length(ray);
        at->direction = divide(ray, at->distance);
    }
    const v_f32 reported[4] = { at->direction.x, at->direction.y, at->direction.z, at->distance };
    trace_f32(at->block, PICA_TRACE_ID_LIGHT_DIRECTION, at->slot, reported, 4u);
    if (at->lighting->needs_view)
        at->half = add(surface->view_n, at->direction);
    find_inputs(surface, at);
    at->normal_light = fold_sides(light, at->inputs[PICA_LUT_INPUT_LIGHT_NORMAL]);
}

/* LIT-25, LIT-26: da * sp as the two last factors of LIT-35; what is disabled is 1.0. */
struct attenuation {
    bool by_distance, by_spot;
    v_f32 distance, spot;
};

static struct attenuation find_attenuation(const struct incidence *at)
{
    const struct fast_light *light = at->light;
    const v_f32 one = v_f32_splat(1.0f);
    struct attenuation out = { light->attenuation_enabled, light->spot_enabled, one, one };
    if (out.by_distance) {
        const v_f32 scaled = v_f32_mul(v_f32_splat(light->attenuation_scale), at->distance);
        const v_f32 x = v_f32_add(scaled, v_f32_splat(light->attenuation_bias));
        out.distance = unsigned_value(light->attenuation_table, v_f32_clamp(x, v_f32_splat(0.0f), one));
        trace_lookup(at, LOOKUP_DISTANCE, out.distance);
    }
    if (out.by_spot)
        out.spot = look_up(at, FAST_LUT_SP, light->spot_table);
    return out;
}

static struct vector attenuate(struct vector color, const struct attenuation *attenuation)
{
    if (attenuation->by_distance)
        color = scale(color, attenuation->distance);
    return attenuation->by_spot ? scale(color, attenuation->spot) : color;
}

/* LIT-33. */
static v_f32 geometric_factor(const struct incidence *at)
{
    const v_f32 zero = v_f32_splat(0.0f);
    const v_f32 h = dot(at->half, at->half);
    const v_f32 g = v_f32_min(v_f32_div(at->normal_light, h), v_f32_splat(1.0f));
    return v_f32_select(v_f32_eq(h, zero), zero, g);
}

/* LIT-27, LIT-29: S0, without the geometric factor. */
static struct vector specular0(const struct incidence *at)
{
    const v_f32 d0 = look_up_or(at, FAST_LUT_D0, v_f32_splat(1.0f));
    return scale(splat(at->light->specular0), d0);
}

/* LIT-27 to LIT-29: S1, without the geometric factor. */
static struct vector specular1(const struct incidence *at)
{
    const v_f32 one = v_f32_splat(1.0f);
    const v_f32 d1 = look_up_or(at, FAST_LUT_D1, one);
    const v_f32 rr = look_up_or(at, FAST_LUT_RR, one);
    const v_f32 rg = look_up_or(at, FAST_LUT_RG, rr);
    const v_f32 rb = look_up_or(at, FAST_LUT_RB, rr);
    return multiply(scale((struct vector){ rr, rg, rb }, d1), splat(at->light->specular1));
}

/* (S0 + S1) * ch of LIT-29, LIT-32, LIT-33. */
static inline struct vector specular_sum(const struct incidence *at)
{
    const struct fast_light *light = at->light;
    const v_f32 zero = v_f32_splat(0.0f);
    struct vector s0 = specular0(at);
    struct vector s1 = specular1(at);
    if (light->geometric0 || light->geometric1) {
        const v_f32 g = geometric_factor(at);
        s0 = light->geometric0 ? scale(s0, g) : s0;
        s1 = light->geometric1 ? scale(s1, g) : s1;
    }
    struct vector sum = add(s0, s1);
    if (at->lighting->clamp_highlights)
        sum = scale(sum, v_f32_select(v_f32_eq(at->normal_light, zero), zero, v_f32_splat(1.0f)));
    return sum;
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
static inline void add_light(const struct shadow *shadow, const struct incidence *at, struct sums *sums)
{
    const struct fast_lighting *lighting = at->lighting;
    const struct fast_light *light = at->light;
    const bool shaded = lighting->shadow && light->shadow_enabled;
    const struct attenuation attenuation = find_attenuation(at);
    struct vector diffuse = scale(splat(light->diffuse), at->normal_light);
    if (shaded && lighting->shadow_primary)
        diffuse = multiply(diffuse, shadow->color);
    sums->diffuse = add(sums->diffuse, attenuate(add(diffuse, splat(light->ambient)), &attenuation));
    if (!lighting->secondary)
        return;
    struct vector specular = attenuate(specular_sum(at), &attenuation);
    if (shaded && lighting->shadow_secondary)
        specular = multiply(specular, shadow->color);
    sums->specular = add(sums->specular, specular);
    const v_f32 reported[6] = { sums->diffuse.x,  sums->diffuse.y,  sums->diffuse.z,
                                sums->specular.x, sums->specular.y, sums->specular.z };
    trace_f32(at->block, PICA_TRACE_ID_LIGHT_TERMS, at->slot, reported, 6u);
}

/* LIT-30: the last light decides the fresnel alphas. */
static void apply_fresnel(const struct incidence *at, struct sums *sums)
{
    const struct fast_lighting *lighting = at->lighting;
    const struct fast_lighting_lookup *lookup = &lighting->lookups[FAST_LUT_FR];
    if (!lookup->enabled)
        return;
    const v_f32 f = look_up(at, FAST_LUT_FR, lookup->table);
    if (lighting->fresnel_primary)
        sums->diffuse_alpha = f;
    if (lighting->fresnel_secondary)
        sums->specular_alpha = f;
}

/* ---------------------------------------------------------------------------------------------------------- result */

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
        struct incidence at;
        at.lighting = lighting;
        at.light = &lighting->lights[slot];
        at.block = block;
        at.slot = slot;
        find_incidence(&surface, &at);
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
