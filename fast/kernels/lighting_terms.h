/*
 * The steps of fragment lighting (50 section 1), for the kernels that light blocks. LIT-41: every term is evaluated as
 * written, except where the comment of struct surface proves that leaving it out cannot be observed.
 */
#ifndef FAST_KERNELS_LIGHTING_TERMS_H
#define FAST_KERNELS_LIGHTING_TERMS_H

#include "fast/kernels/block.h"
#include "fast/kernels/lighting_math.h"
#include "fast/kernels/trace_hooks.h"

#include "pica/enums.h"

static inline void trace_vector(const struct fast_block *block, enum pica_trace_id id, uint32_t slot,
                                struct vector vector)
{
    trace_f32(block, id, slot, (const v_f32[3]){ vector.x, vector.y, vector.z }, 3u);
}

/* ---------------------------------------------------------------------------------------------------------- surface */

/*
 * What all lights share. With `bounded`, some terms that LIT-41 asks for are left out. In lanes whose `probe` is
 * finite, that changes no result:
 *
 * A number that is not finite stays so in sums, differences and products. The probe is the sum of the dot products that
 * lights make of N, Ld, Vn and Hn, and of the x of LIT-25; so if the probe is finite, all of these are. Then components
 * of normalised vectors are at most 2, however much precision their lengths lost: a square loses precision (by
 * underflow) only where the sum of squares is as small, and the components would be infinite or NaN if that sum were 0.
 * So all look-up inputs are below 2^30, and the values of look-ups, da, sp, nl, sh and g are finite.
 * - 0 times any of them is a zero, and adding a zero changes nothing but the sign of a zero.
 * - The sign of a zero is never visible: it only goes through sums, products, comparisons, MIN, MAX and floor to a
 *   byte. Divisors are lengths and h of LIT-33, which do not depend on what is left out.
 */
struct surface {
    bool bounded;
    v_f32 probe;
    struct vector normal;  /* N */
    struct vector tangent; /* Tg; set if input 5 is used */
    struct vector view;    /* as interpolated */
    struct vector view_n;  /* Vn; set if it is used */
};

/* LIT-11: L. */
static inline v_f32 quaternion_length(const v_f32 in[4])
{
    const v_f32 x = in[0], y = in[1], z = in[2], w = in[3];
    return v_f32_sqrt(
        v_f32_add(v_f32_add(v_f32_add(v_f32_mul(x, x), v_f32_mul(y, y)), v_f32_mul(z, z)), v_f32_mul(w, w)));
}

/* LIT-10, LIT-11. */
static inline struct quaternion unit_quaternion(const v_f32 in[4], v_f32 size)
{
    return (struct quaternion){ divide((struct vector){ in[0], in[1], in[2] }, size), v_f32_div(in[3], size) };
}

static inline v_f32 f32_from_u16(v_u16 a)
{
    return v_f32_from_i32(v_i32_from_u16(a));
}

/* LIT-13: p, from the bytes of the bump unit. */
static inline struct vector bump_texel(const v_u16 *texture)
{
    const v_f32 half = v_f32_splat(127.5f);
    const v_f32 one = v_f32_splat(1.0f);
    return (struct vector){ v_f32_sub(v_f32_div(f32_from_u16(texture[0]), half), one),
                            v_f32_sub(v_f32_div(f32_from_u16(texture[1]), half), one),
                            v_f32_sub(v_f32_div(f32_from_u16(texture[2]), half), one) };
}

/* LIT-13: pz. */
static inline v_f32 recalculated_z(struct vector p)
{
    const v_f32 squares = v_f32_add(v_f32_mul(p.x, p.x), v_f32_mul(p.y, p.y));
    return v_f32_sqrt(v_f32_max(v_f32_sub(v_f32_splat(1.0f), squares), v_f32_splat(0.0f)));
}

/* LIT-13: local normal and tangent by bump mode. */
static inline void local_vectors(const struct fast_lighting *lighting, const v_u16 *const textures[4],
                                 struct vector *normal, struct vector *tangent)
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

/* LIT-14. */
static inline void find_normal(const struct fast_lighting *lighting, const struct fast_block *block,
                               const v_f32 quaternion[4], const v_u16 *const textures[4], struct surface *surface)
{
    const struct quaternion q = unit_quaternion(quaternion, quaternion_length(quaternion));
    struct vector normal, tangent;
    local_vectors(lighting, textures, &normal, &tangent);
    surface->probe = v_f32_splat(0.0f);
    surface->normal = surface->bounded && lighting->bump_mode == PICA_BUMP_MODE_OFF ? rotate_z(&q) : rotate(&q, normal);
    trace_vector(block, PICA_TRACE_ID_LIGHT_NORMAL, 0u, surface->normal);
    if (lighting->inputs >> PICA_LUT_INPUT_COS_PHI & 1) {
        surface->tangent = rotate(&q, tangent);
        trace_vector(block, PICA_TRACE_ID_LIGHT_TANGENT, 0u, surface->tangent);
    }
}

/* LIT-15. */
static inline void find_view(const struct fast_lighting *lighting, const v_f32 view[3], struct surface *surface)
{
    surface->view = (struct vector){ view[0], view[1], view[2] };
    if (lighting->needs_view)
        surface->view_n = normalize(surface->view);
}

/* --------------------------------------------------------------------------------------------------------- look-ups */

/* The look-ups of enum fast_lighting_lut, and that of the distance attenuation. */
enum {
    LOOKUP_DISTANCE = FAST_LIGHTING_LUTS,
    LOOKUPS
};

/* One light as seen from the fragment. */
struct incidence {
    const struct fast_lighting *lighting;
    const struct fast_light *light;
    const struct fast_block *block;
    uint32_t slot;
    bool bounded;           /* as the surface */
    v_f32 distance;         /* dist; set if attenuation reads it */
    struct vector half;     /* Hf; not set if Vn is not used */
    v_f32 inputs[8];        /* LIT-21; those that are not selected are not set, 6 and 7 are 0 */
    v_f32 normal_light;     /* nl */
    v_f32 factors[LOOKUPS]; /* the values of the look-ups of lookups_of */
};

/* ----------------------------------------------------------------------------------------------------------- lights */

/* LIT-21: input 5. */
static inline v_f32 projected_half(const struct surface *surface, struct vector half_n)
{
    const struct vector along = scale(surface->normal, dot(surface->normal, half_n));
    return dot(subtract(half_n, along), surface->tangent);
}

static inline void probe(struct surface *surface, v_f32 value)
{
    surface->probe = v_f32_add(surface->probe, value);
}

/* LIT-15, LIT-21, LIT-31: everything that depends on Ld only. For a directional light, Ld was computed by decoding. */
static inline void find_direction(struct surface *surface, struct incidence *at)
{
    const struct fast_light *light = at->light;
    const uint32_t wanted = at->lighting->inputs;
    struct vector direction;
    v_f32 distance;
    if (light->directional) {
        distance = v_f32_splat(light->distance);
        direction = splat(light->direction);
    } else {
        const struct vector ray = add(splat(light->position), surface->view);
        distance = length(ray);
        direction = divide(ray, distance);
    }
    if (light->attenuation_enabled)
        at->distance = distance;
    const v_f32 reported[4] = { direction.x, direction.y, direction.z, distance };
    trace_f32(at->block, PICA_TRACE_ID_LIGHT_DIRECTION, at->slot, reported, 4u);
    if (at->lighting->needs_view)
        at->half = add(surface->view_n, direction);
    const v_f32 light_normal = dot(direction, surface->normal);
    probe(surface, light_normal);
    at->normal_light = fold_sides(light, light_normal);
    at->bounded = surface->bounded;
    if (wanted >> PICA_LUT_INPUT_LIGHT_NORMAL & 1)
        at->inputs[PICA_LUT_INPUT_LIGHT_NORMAL] = light_normal;
    if (wanted >> PICA_LUT_INPUT_LIGHT_SPOT & 1)
        at->inputs[PICA_LUT_INPUT_LIGHT_SPOT] = dot(direction, splat(light->spot_direction));
}

/* LIT-21: sets the inputs that read Vn (LIT-16: values of one fragment) and those that are 0. */
static inline void find_inputs(struct surface *surface, struct incidence *at)
{
    const uint32_t wanted = at->lighting->inputs;
    const uint32_t with_half =
        1u << PICA_LUT_INPUT_NORMAL_HALF | 1u << PICA_LUT_INPUT_VIEW_HALF | 1u << PICA_LUT_INPUT_COS_PHI;
    if (wanted & with_half) {
        const struct vector half_n = normalize(at->half);
        trace_vector(at->block, PICA_TRACE_ID_LIGHT_HALF, at->slot, half_n);
        at->inputs[PICA_LUT_INPUT_NORMAL_HALF] = dot(surface->normal, half_n);
        probe(surface, at->inputs[PICA_LUT_INPUT_NORMAL_HALF]);
        if (wanted >> PICA_LUT_INPUT_VIEW_HALF & 1)
            at->inputs[PICA_LUT_INPUT_VIEW_HALF] = dot(surface->view_n, half_n);
        if (wanted >> PICA_LUT_INPUT_COS_PHI & 1)
            at->inputs[PICA_LUT_INPUT_COS_PHI] =
                at->lighting->input5_is_projected ? projected_half(surface, half_n) : v_f32_splat(0.0f);
    } else if (at->lighting->needs_view) {
        at->inputs[PICA_LUT_INPUT_NORMAL_VIEW] = dot(surface->normal, surface->view_n);
        probe(surface, at->inputs[PICA_LUT_INPUT_NORMAL_VIEW]);
    }
    if (wanted >> PICA_LUT_INPUT_NORMAL_VIEW & 1)
        at->inputs[PICA_LUT_INPUT_NORMAL_VIEW] = dot(surface->normal, surface->view_n);
    if (wanted >> PICA_LUT_INPUT_RESERVED_6 != 0u)
        at->inputs[PICA_LUT_INPUT_RESERVED_6] = at->inputs[PICA_LUT_INPUT_RESERVED_7] = v_f32_splat(0.0f);
}

/* ------------------------------------------------------------------------------------------- values of the look-ups */

/* Whether the term S1 must be computed: it has a colour, or may be NaN. */
static inline bool has_specular1(const struct incidence *at)
{
    return !at->bounded || at->light->has_specular1;
}

/* LIT-25 to LIT-28, LIT-30: which look-ups the light makes, one bit each. */
static inline uint32_t lookups_of(const struct incidence *at)
{
    const struct fast_lighting *lighting = at->lighting;
    const uint32_t of_specular1 = 1u << FAST_LUT_D1 | 1u << FAST_LUT_RB | 1u << FAST_LUT_RG | 1u << FAST_LUT_RR;
    uint32_t lookups = lighting->enabled_lookups & ~(1u << FAST_LUT_SP);
    if (!has_specular1(at))
        lookups &= ~of_specular1;
    if (at->slot + 1 != lighting->light_count)
        lookups &= ~(1u << FAST_LUT_FR);
    if (at->light->spot_enabled)
        lookups |= 1u << FAST_LUT_SP;
    if (at->light->attenuation_enabled)
        lookups |= 1u << LOOKUP_DISTANCE;
    return lookups;
}

/* LIT-25. */
static inline void place_distance(struct surface *surface, const struct incidence *at, struct place *place)
{
    const struct fast_light *light = at->light;
    const v_f32 scaled = v_f32_mul(v_f32_splat(light->attenuation_scale), at->distance);
    const v_f32 sum = v_f32_add(scaled, v_f32_splat(light->attenuation_bias));
    const v_f32 x = v_f32_clamp(sum, v_f32_splat(0.0f), v_f32_splat(1.0f));
    probe(surface, x);
    place_unsigned(x, place);
}

/* LIT-18, LIT-19. */
static inline void place_input(const struct fast_lighting_lookup *lookup, const struct fast_light *light, v_f32 x,
                               struct place *place)
{
    if (lookup->absolute)
        place_unsigned(fold_sides(light, x), place);
    else
        place_signed(x, place);
}

/* LIT-18 to LIT-21. */
static inline void place_lookup(struct surface *surface, const struct incidence *at, uint32_t number,
                                struct place *place)
{
    if (number == LOOKUP_DISTANCE) {
        place_distance(surface, at, place);
        return;
    }
    const struct fast_lighting_lookup *lookup = &at->lighting->lookups[number];
    place_input(lookup, at->light, at->inputs[lookup->input], place);
}

/* LIT-17, LIT-20, LIT-22. */
static inline void look_up(struct incidence *at, uint32_t number, const struct place *place)
{
    const struct fast_light *light = at->light;
    v_f32 *factor = &at->factors[number];
    if (number == LOOKUP_DISTANCE) {
        *factor = table_value(light->attenuation_table, place);
    } else {
        const struct fast_lighting_lookup *lookup = &at->lighting->lookups[number];
        const struct fast_lut256 *table = number == FAST_LUT_SP ? light->spot_table : lookup->table;
        *factor = v_f32_mul(v_f32_splat(lookup->scale), table_value(table, place));
    }
    trace_f32(at->block, PICA_TRACE_ID_LIGHT_LOOKUP, 8u * at->slot + number, factor, 1u);
}

/* ------------------------------------------------------------------------------------------------------------ terms */

/*
 * LIT-25, LIT-26: multiplies by the factors da and sp of LIT-35. A disabled factor is 1.0, and multiplying by it
 * changes nothing, so that product is left out.
 */
static inline struct vector attenuate(struct vector color, const struct incidence *at)
{
    if (at->light->attenuation_enabled)
        color = scale(color, at->factors[LOOKUP_DISTANCE]);
    return at->light->spot_enabled ? scale(color, at->factors[FAST_LUT_SP]) : color;
}

/* LIT-33. */
static inline v_f32 geometric_factor(const struct incidence *at)
{
    const v_f32 zero = v_f32_splat(0.0f);
    const v_f32 h = dot(at->half, at->half);
    const v_f32 g = v_f32_min(v_f32_div(at->normal_light, h), v_f32_splat(1.0f));
    return v_f32_select(v_f32_eq(h, zero), zero, g);
}

/* LIT-27, LIT-29: S0, without the geometric factor. */
static inline struct vector specular0(const struct incidence *at)
{
    const struct vector color = splat(at->light->specular0);
    return at->lighting->lookups[FAST_LUT_D0].enabled ? scale(color, at->factors[FAST_LUT_D0]) : color;
}

/* The value of a look-up as a factor, or `otherwise` if the look-up is disabled or unavailable (LIT-27, LIT-28). */
static inline v_f32 factor_or(const struct incidence *at, enum fast_lighting_lut number, v_f32 otherwise)
{
    return at->lighting->lookups[number].enabled ? at->factors[number] : otherwise;
}

/* LIT-27 to LIT-29: S1, without the geometric factor. */
static inline struct vector specular1(const struct incidence *at)
{
    const v_f32 one = v_f32_splat(1.0f);
    const v_f32 d1 = factor_or(at, FAST_LUT_D1, one);
    const v_f32 rr = factor_or(at, FAST_LUT_RR, one);
    const v_f32 rg = factor_or(at, FAST_LUT_RG, rr);
    const v_f32 rb = factor_or(at, FAST_LUT_RB, rr);
    return multiply(scale((struct vector){ rr, rg, rb }, d1), splat(at->light->specular1));
}

/* (S0 + S1) * ch of LIT-29, LIT-32, LIT-33. On a bounded surface a term with colour 0 is 0. */
static inline struct vector specular_sum(const struct incidence *at)
{
    const struct fast_light *light = at->light;
    const v_f32 zero = v_f32_splat(0.0f);
    const bool has_s1 = has_specular1(at);
    struct vector sum = specular0(at);
    struct vector s1 = has_s1 ? specular1(at) : sum;
    if (light->geometric0 || (light->geometric1 && has_s1)) {
        const v_f32 g = geometric_factor(at);
        sum = light->geometric0 ? scale(sum, g) : sum;
        s1 = light->geometric1 ? scale(s1, g) : s1;
    }
    if (has_s1)
        sum = add(sum, s1);
    if (at->lighting->clamp_highlights)
        sum = scale(sum, v_f32_select(v_f32_eq(at->normal_light, zero), zero, v_f32_splat(1.0f)));
    return sum;
}

/* LIT-34: sh. */
struct shadow {
    struct vector color;
    v_f32 alpha;
};

static inline v_f32 shadow_channel(const struct fast_lighting *lighting, v_u16 byte)
{
    const v_f32 value = v_f32_div(f32_from_u16(byte), v_f32_splat(255.0f));
    return lighting->shadow_inverted ? v_f32_sub(v_f32_splat(1.0f), value) : value;
}

static inline struct shadow find_shadow(const struct fast_lighting *lighting, const v_u16 *const textures[4])
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
    struct vector diffuse = scale(splat(light->diffuse), at->normal_light);
    if (shaded && lighting->shadow_primary)
        diffuse = multiply(diffuse, shadow->color);
    sums->diffuse = add(sums->diffuse, attenuate(add(diffuse, splat(light->ambient)), at));
    if (!lighting->secondary || (at->bounded && !light->has_specular0 && !light->has_specular1))
        return;
    struct vector specular = attenuate(specular_sum(at), at);
    if (shaded && lighting->shadow_secondary)
        specular = multiply(specular, shadow->color);
    sums->specular = add(sums->specular, specular);
    const v_f32 reported[6] = { sums->diffuse.x,  sums->diffuse.y,  sums->diffuse.z,
                                sums->specular.x, sums->specular.y, sums->specular.z };
    trace_f32(at->block, PICA_TRACE_ID_LIGHT_TERMS, at->slot, reported, 6u);
}

/* LIT-30: the last light decides the fresnel alphas. */
static inline void apply_fresnel(const struct incidence *at, struct sums *sums)
{
    const struct fast_lighting *lighting = at->lighting;
    if (!lighting->lookups[FAST_LUT_FR].enabled)
        return;
    const v_f32 f = at->factors[FAST_LUT_FR];
    if (lighting->fresnel_primary)
        sums->diffuse_alpha = f;
    if (lighting->fresnel_secondary)
        sums->specular_alpha = f;
}

/* LIT-36, LIT-37. */
static inline void finish(const struct fast_lighting *lighting, const struct shadow *shadow, struct sums *sums)
{
    if (lighting->shadow_alpha && lighting->fresnel_primary)
        sums->diffuse_alpha = v_f32_mul(sums->diffuse_alpha, shadow->alpha);
    if (lighting->shadow_alpha && lighting->fresnel_secondary)
        sums->specular_alpha = v_f32_mul(sums->specular_alpha, shadow->alpha);
    sums->diffuse = add(sums->diffuse, splat(lighting->global_ambient));
}

#endif
