/*
 * Per-fragment lighting without a fragment shader. Each vertex carries a quaternion that turns the surface's tangent
 * frame into view space, and the vector to the eye; both are interpolated. Up to eight lights then add a diffuse, an
 * ambient and two specular terms. What a light model would compute with powers and dot products comes from tables: each
 * of the seven kinds of table (D0, D1 specular distribution, SP spot, FR fresnel, RB RG RR reflection) looks up one of
 * six cosines between normal N, tangent, light L, view V and half vector H. A texture can bend normal or tangent,
 * another can shadow. The results are two colours for the combiner: primary (diffuse, ambient), secondary (specular).
 *
 * Worked number: quaternion (0.1, 0.2, 0.3, 0.9), directional light at (1, 2, 3): L . N = 0.8017837; a diffuse colour
 * of (255, 128, 0) and ambient 16 give 220, 118, 16 (LIT-16, LIT-39). LIT-40 is an example with everything switched on.
 */
#include "reference/texture.h"

#include "reference/trace.h"

#include <math.h>

/* ---------------------------------------------------------------------------------------------------- vectors (1.3) */

static struct ref_vector vector(float x, float y, float z)
{
    const struct ref_vector result = { x, y, z };
    return result;
}

static struct ref_vector add(struct ref_vector a, struct ref_vector b)
{
    return vector(a.x + b.x, a.y + b.y, a.z + b.z);
}

static struct ref_vector subtract(struct ref_vector a, struct ref_vector b)
{
    return vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

static struct ref_vector multiply(struct ref_vector a, float factor)
{
    return vector(a.x * factor, a.y * factor, a.z * factor);
}

static float dot(struct ref_vector a, struct ref_vector b)
{
    return ((a.x * b.x) + (a.y * b.y)) + (a.z * b.z);
}

static float length(struct ref_vector a)
{
    return sqrtf(dot(a, a));
}

/* nrm: three divisions; the zero vector gives NaN. */
static struct ref_vector normalize(struct ref_vector a)
{
    const float l = length(a);
    return vector(a.x / l, a.y / l, a.z / l);
}

static struct ref_vector cross(struct ref_vector a, struct ref_vector b)
{
    return vector((a.y * b.z) - (a.z * b.y), (a.z * b.x) - (a.x * b.z), (a.x * b.y) - (a.y * b.x));
}

/* ----------------------------------------------------------------------------------------------------------- state */

/* What all lights of a fragment share. */
struct surface {
    struct ref_vector normal, tangent; /* N, Tg */
    struct ref_vector view;            /* as interpolated */
    struct ref_vector view_unit;       /* Vn */
    float shadow[4];                   /* sh of LIT-34, R G B A */
};

/* One light as seen from the fragment. */
struct seen_light {
    uint32_t slot;
    const struct ref_light *light;
    struct ref_vector direction; /* Ld */
    struct ref_vector half;      /* Hf, not normalised */
    struct ref_vector half_unit; /* Hn, if some table asks for it */
    float distance;              /* dist */
    float normal_dot_light;      /* nl of LIT-31 */
};

/* LIT-35, LIT-36: the accumulators. */
struct sums {
    float diffuse[3];
    float specular[3];
    float diffuse_alpha;
    float specular_alpha;
};

/* -------------------------------------------------------------------------------------------------------- decoding */

/* The word of light n, by the id that light 0 has for it. */
static uint32_t light_word(const struct ref_gpu *gpu, uint32_t n, enum pica_reg base)
{
    return gpu->regs[pica_reg_light(n, base)];
}

/* LIT-03: 10 bits over 255, not clamped. */
static void light_color(uint32_t word, float rgb[3])
{
    for (uint32_t c = 0; c < 3; c++)
        rgb[c] = (float)pica_light_color_channel_at(word, c) / 255.0f;
}

/* LIT-08, LIT-09: bit k set = table kind k is available. */
static bool is_available(uint32_t config0, enum ref_lut lut)
{
    enum {
        D0 = 1 << REF_LUT_D0,
        D1 = 1 << REF_LUT_D1,
        SP = 1 << REF_LUT_SP,
        FR = 1 << REF_LUT_FR,
        RR = 1 << REF_LUT_RR,
        RG = 1 << REF_LUT_RG,
        RB = 1 << REF_LUT_RB,
        RESERVED = D0 | D1 | SP | FR | RR
    };
    static const uint8_t available[16] = {
        D0 | SP | RR,
        SP | FR | RR,
        D0 | D1 | RR,
        D0 | D1 | FR,
        D0 | D1 | SP | RR | RG | RB,
        D0 | SP | FR | RR | RG | RB,
        D0 | D1 | SP | FR | RR,
        RESERVED,
        D0 | D1 | SP | FR | RR | RG | RB,
        RESERVED,
        RESERVED,
        RESERVED,
        RESERVED,
        RESERVED,
        RESERVED,
        RESERVED,
    };
    const uint32_t environment = (uint32_t)pica_lighting_config0_environment(config0);
    return ((available[environment & 15u] >> (uint32_t)lut) & 1u) != 0;
}

/* LIT-07, LIT-26, LIT-27, LIT-28: not disabled; the bits of SP are those of the lights. */
static bool is_disabled(uint32_t config1, enum ref_lut lut)
{
    switch (lut) {
    case REF_LUT_D0: return pica_lighting_config1_d0_disable(config1) != 0;
    case REF_LUT_D1: return pica_lighting_config1_d1_disable(config1) != 0;
    case REF_LUT_SP: return false;
    case REF_LUT_FR: return pica_lighting_config1_fr_disable(config1) != 0;
    case REF_LUT_RB: return pica_lighting_config1_rb_disable(config1) != 0;
    case REF_LUT_RG: return pica_lighting_config1_rg_disable(config1) != 0;
    case REF_LUT_RR:
    default: return pica_lighting_config1_rr_disable(config1) != 0; /* one of the seven */
    }
}

/* LIT-05, LIT-22 */
static enum pica_lighting_table table_of(enum ref_lut lut)
{
    switch (lut) {
    case REF_LUT_D0: return PICA_LIGHTING_TABLE_D0;
    case REF_LUT_D1: return PICA_LIGHTING_TABLE_D1;
    case REF_LUT_SP: return PICA_LIGHTING_TABLE_SP0;
    case REF_LUT_FR: return PICA_LIGHTING_TABLE_FR;
    case REF_LUT_RB: return PICA_LIGHTING_TABLE_RB;
    case REF_LUT_RG: return PICA_LIGHTING_TABLE_RG;
    case REF_LUT_RR:
    default: return PICA_LIGHTING_TABLE_RR; /* one of the seven */
    }
}

/* LIT-20 */
static float lut_scale(enum pica_lut_scale scale)
{
    switch (scale) {
    case PICA_LUT_SCALE_1X: return 1.0f;
    case PICA_LUT_SCALE_2X: return 2.0f;
    case PICA_LUT_SCALE_4X: return 4.0f;
    case PICA_LUT_SCALE_8X: return 8.0f;
    case PICA_LUT_SCALE_RESERVED_4:
    case PICA_LUT_SCALE_RESERVED_5: return 0.0f;
    case PICA_LUT_SCALE_QUARTER: return 0.25f;
    case PICA_LUT_SCALE_HALF:
    default: return 0.5f; /* the field has three bits */
    }
}

/* LIT-07, LIT-20, LIT-22, LIT-23 */
static void decode_lookup(const struct ref_gpu *gpu, enum ref_lut lut, struct ref_lookup *lookup)
{
    const uint32_t group = (uint32_t)lut;
    const uint32_t select = gpu->regs[PICA_REG_LIGHTING_LUTINPUT_SELECT];
    const uint32_t scale = gpu->regs[PICA_REG_LIGHTING_LUTINPUT_SCALE];
    lookup->is_enabled = is_available(gpu->regs[PICA_REG_LIGHTING_CONFIG0], lut) &&
                         !is_disabled(gpu->regs[PICA_REG_LIGHTING_CONFIG1], lut);
    ref_feature_if(gpu, lookup->is_enabled, PICA_FEATURE_LUT_USED + group);
    lookup->table = gpu->tables.lighting[table_of(lut)];
    lookup->input = (enum pica_lut_input)pica_lighting_lutinput_select_input_at(select, group);
    lookup->is_signed = pica_lighting_lutinput_abs_abs_off_at(gpu->regs[PICA_REG_LIGHTING_LUTINPUT_ABS], group) != 0;
    lookup->factor = lut_scale((enum pica_lut_scale)pica_lighting_lutinput_scale_scale_at(scale, group));
}

static bool is_half_input(enum pica_lut_input input)
{
    return input == PICA_LUT_INPUT_NORMAL_HALF || input == PICA_LUT_INPUT_VIEW_HALF || input == PICA_LUT_INPUT_COS_PHI;
}

/* LIT-03, LIT-04, LIT-15: the vectors and colours of light n. */
static void decode_light_values(const struct ref_gpu *gpu, uint32_t n, struct ref_light *light)
{
    const uint32_t xy = light_word(gpu, n, PICA_REG_LIGHT0_XY);
    const uint32_t z = light_word(gpu, n, PICA_REG_LIGHT0_Z);
    const uint32_t spot_xy = light_word(gpu, n, PICA_REG_LIGHT0_SPOTDIR_XY);
    const uint32_t spot_z = light_word(gpu, n, PICA_REG_LIGHT0_SPOTDIR_Z);
    light->position =
        vector(ref_float16(pica_light_xy_x(xy)), ref_float16(pica_light_xy_y(xy)), ref_float16(pica_light_z_z(z)));
    light->spot =
        vector((float)pica_light_spotdir_xy_x(spot_xy) / 2047.0f, (float)pica_light_spotdir_xy_y(spot_xy) / 2047.0f,
               (float)pica_light_spotdir_z_z(spot_z) / 2047.0f);
    light_color(light_word(gpu, n, PICA_REG_LIGHT0_SPECULAR0), light->specular0);
    light_color(light_word(gpu, n, PICA_REG_LIGHT0_SPECULAR1), light->specular1);
    light_color(light_word(gpu, n, PICA_REG_LIGHT0_DIFFUSE), light->diffuse);
    light_color(light_word(gpu, n, PICA_REG_LIGHT0_AMBIENT), light->ambient);
}

/* LIT-25: the distance attenuation of light n. */
static void decode_attenuation(const struct ref_gpu *gpu, uint32_t n, struct ref_light *light)
{
    const uint32_t config1 = gpu->regs[PICA_REG_LIGHTING_CONFIG1];
    const uint32_t bias = light_word(gpu, n, PICA_REG_LIGHT0_ATTENUATION_BIAS);
    const uint32_t scale = light_word(gpu, n, PICA_REG_LIGHT0_ATTENUATION_SCALE);
    light->attenuation_table = NULL;
    if (pica_lighting_config1_light_attenuation_disable_at(config1, n) == 0)
        light->attenuation_table = gpu->tables.lighting[(uint32_t)PICA_LIGHTING_TABLE_DA0 + n];
    light->attenuation_bias = ref_float20(pica_light_attenuation_bias_bias(bias));
    light->attenuation_scale = ref_float20(pica_light_attenuation_scale_scale(scale));
}

/* LIT-06, LIT-07, LIT-26, LIT-34 */
static void decode_light(const struct ref_gpu *gpu, uint32_t n, struct ref_light *light)
{
    const uint32_t config0 = gpu->regs[PICA_REG_LIGHTING_CONFIG0];
    const uint32_t config1 = gpu->regs[PICA_REG_LIGHTING_CONFIG1];
    const uint32_t config = light_word(gpu, n, PICA_REG_LIGHT0_CONFIG);
    const bool shadowed = pica_lighting_config1_light_shadow_disable_at(config1, n) == 0;
    light->is_directional = pica_light_config_directional(config) != 0;
    light->is_two_sided = pica_light_config_two_sided(config) != 0;
    light->geometric_factor0 = pica_light_config_geometric_factor0(config) != 0;
    light->geometric_factor1 = pica_light_config_geometric_factor1(config) != 0;
    light->shadow_diffuse = shadowed && pica_lighting_config0_shadow_primary(config0) != 0;
    light->shadow_specular = shadowed && pica_lighting_config0_shadow_secondary(config0) != 0;
    light->spot_enabled =
        is_available(config0, REF_LUT_SP) && pica_lighting_config1_light_spot_disable_at(config1, n) == 0;
    light->spot_table = gpu->tables.lighting[(uint32_t)PICA_LIGHTING_TABLE_SP0 + n];
    decode_light_values(gpu, n, light);
    decode_attenuation(gpu, n, light);
    ref_feature(gpu, PICA_FEATURE_LIGHT_USED + n);
    ref_feature_if(gpu, light->spot_enabled, PICA_FEATURE_LIGHT_SPOT + n);
    ref_feature_if(gpu, light->spot_enabled, PICA_FEATURE_LUT_USED + (uint32_t)REF_LUT_SP);
    ref_feature_if(gpu, light->attenuation_table != NULL, PICA_FEATURE_LIGHT_ATTENUATED + n);
}

/* LIT-06: the switches that all lights share. */
static void decode_switches(uint32_t config0, struct ref_lighting *lighting)
{
    lighting->has_cos_phi = pica_lighting_config0_environment(config0) == PICA_LIGHT_ENVIRONMENT_ALL;
    lighting->bump_mode = pica_lighting_config0_bump_mode(config0);
    lighting->bump_unit = pica_lighting_config0_bump_unit(config0);
    lighting->no_z_recalculation = pica_lighting_config0_no_z_recalculation(config0) != 0;
    lighting->shadow_unit = pica_lighting_config0_shadow_unit(config0);
    lighting->shadow_enable = pica_lighting_config0_shadow_enable(config0) != 0;
    lighting->shadow_invert = pica_lighting_config0_shadow_invert(config0) != 0;
    lighting->shadow_alpha = pica_lighting_config0_shadow_alpha(config0) != 0;
    lighting->clamp_highlights = pica_lighting_config0_clamp_highlights(config0) != 0;
    lighting->fresnel_to_primary = pica_lighting_config0_fresnel_to_primary_alpha(config0) != 0;
    lighting->fresnel_to_secondary = pica_lighting_config0_fresnel_to_secondary_alpha(config0) != 0;
}

/* LIT-32: the slots choose the lights. */
void ref_lighting_decode(const struct ref_gpu *gpu, struct ref_lighting *lighting)
{
    const uint32_t permutation = gpu->regs[PICA_REG_LIGHTING_LIGHT_PERMUTATION];
    decode_switches(gpu->regs[PICA_REG_LIGHTING_CONFIG0], lighting);
    light_color(gpu->regs[PICA_REG_LIGHTING_AMBIENT], lighting->ambient);
    lighting->uses_half = false;
    for (uint32_t lut = 0; lut < 7; lut++) {
        decode_lookup(gpu, (enum ref_lut)lut, &lighting->lookups[lut]);
        if (lighting->lookups[lut].is_enabled && is_half_input(lighting->lookups[lut].input))
            lighting->uses_half = true;
    }
    ref_feature(gpu, PICA_FEATURE_LIGHTING_RAN);
    lighting->light_count = pica_lighting_num_lights_lights_minus_1(gpu->regs[PICA_REG_LIGHTING_NUM_LIGHTS]) + 1u;
    for (uint32_t slot = 0; slot < lighting->light_count; slot++)
        decode_light(gpu, pica_lighting_light_permutation_slot_light_at(permutation, slot), &lighting->lights[slot]);
}

/* ------------------------------------------------------------------------------------------------- surface (1.3) */

/* LIT-11, LIT-12 */
struct quaternion {
    struct ref_vector v;
    float w;
};

static struct quaternion unit_quaternion(const float q[4])
{
    const float l = sqrtf((((q[0] * q[0]) + (q[1] * q[1])) + (q[2] * q[2])) + (q[3] * q[3]));
    const struct quaternion result = { vector(q[0] / l, q[1] / l, q[2] / l), q[3] / l };
    return result;
}

static struct ref_vector rotate(const struct quaternion *q, struct ref_vector v)
{
    const struct ref_vector t = add(cross(q->v, v), multiply(v, q->w));
    return add(v, multiply(cross(q->v, t), 2.0f));
}

/* LIT-13: the local vector in a bump texel. */
static struct ref_vector bump_vector(const uint8_t texel[4])
{
    return vector(((float)texel[0] / 127.5f) - 1.0f, ((float)texel[1] / 127.5f) - 1.0f,
                  ((float)texel[2] / 127.5f) - 1.0f);
}

/* LIT-13: local normal and tangent. */
static void local_vectors(const struct ref_lighting *lighting, const struct ref_sources *sources,
                          struct ref_vector *normal, struct ref_vector *tangent)
{
    const uint8_t *const texel = sources->colors[PICA_TEV_SOURCE_TEXTURE0 + lighting->bump_unit];
    *normal = vector(0.0f, 0.0f, 1.0f);
    *tangent = vector(1.0f, 0.0f, 0.0f);
    switch (lighting->bump_mode) {
    case PICA_BUMP_MODE_OFF: return;
    case PICA_BUMP_MODE_NORMAL_MAP:
        *normal = bump_vector(texel);
        if (!lighting->no_z_recalculation)
            normal->z = sqrtf(ref_max_first(1.0f - ((normal->x * normal->x) + (normal->y * normal->y)), 0.0f));
        return;
    case PICA_BUMP_MODE_TANGENT_MAP: *tangent = bump_vector(texel); return;
    case PICA_BUMP_MODE_RESERVED_3:
        *normal = vector(0.0f, 0.0f, 0.0f);
        *tangent = vector(0.0f, 0.0f, 0.0f);
        return;
    }
}

/* LIT-34: the four components of sh. */
static void shadow_color(const struct ref_lighting *lighting, const struct ref_sources *sources, float shadow[4])
{
    const uint8_t *texel = sources->colors[PICA_TEV_SOURCE_TEXTURE0 + lighting->shadow_unit];
    for (int c = 0; c < 4; c++) {
        shadow[c] = 1.0f;
        if (!lighting->shadow_enable)
            continue;
        const float value = (float)texel[c] / 255.0f;
        shadow[c] = lighting->shadow_invert ? 1.0f - value : value;
    }
}

/* LIT-10, LIT-14: nothing is normalised after the rotation. */
static void surface_of(const struct ref_lighting *lighting, const struct ref_fragment *fragment,
                       const struct ref_sources *sources, struct surface *surface)
{
    const struct quaternion q = unit_quaternion(fragment->quat);
    struct ref_vector normal;
    struct ref_vector tangent;
    local_vectors(lighting, sources, &normal, &tangent);
    surface->normal = rotate(&q, normal);
    surface->tangent = lighting->has_cos_phi ? rotate(&q, tangent) : tangent; /* nothing else asks for it (LIT-21) */
    surface->view = vector(fragment->view[0], fragment->view[1], fragment->view[2]);
    surface->view_unit = normalize(surface->view);
    shadow_color(lighting, sources, surface->shadow);
}

/* LIT-15, LIT-31 */
static void look_at(const struct ref_lighting *lighting, const struct surface *surface, const struct ref_light *light,
                    struct seen_light *seen)
{
    const struct ref_vector raw = light->is_directional ? light->position : add(light->position, surface->view);
    seen->light = light;
    seen->distance = length(raw);
    seen->direction = normalize(raw);
    seen->half = add(surface->view_unit, seen->direction);
    seen->half_unit = lighting->uses_half ? normalize(seen->half) : vector(0.0f, 0.0f, 0.0f);
    const float nl = dot(seen->direction, surface->normal);
    seen->normal_dot_light = light->is_two_sided ? ref_abs(nl) : ref_max_first(nl, 0.0f);
}

/* ------------------------------------------------------------------------------------------------ tables (1.2, 1.4) */

/* LIT-17: E(e, d); sign and magnitude. Examples: LIT-24. */
static float evaluate(uint32_t entry, float d)
{
    const float magnitude = (float)pica_lighting_lut_data_magnitude(entry) / 2047.0f;
    const bool negative = pica_lighting_lut_data_negative(entry) != 0;
    const float slope = negative ? ref_negate(magnitude) : magnitude;
    return ((float)pica_lighting_lut_data_value(entry) / 4095.0f) + (slope * d);
}

/* The scaled input split at an index between low and high; a NaN has index 0. */
static float look_up(const uint32_t table[256], float scaled, int32_t low, int32_t high)
{
    const int32_t k = ref_floor(scaled, low, high);
    return evaluate(table[(uint32_t)k & 255u], scaled - (float)k);
}

/* LIT-18: x in -1..1. */
static float look_up_signed(const uint32_t table[256], float x)
{
    return look_up(table, x * 128.0f, -128, 127);
}

/* LIT-19 without its first step: x in 0..1. */
static float look_up_unsigned(const uint32_t table[256], float x)
{
    return look_up(table, x * 256.0f, 0, 255);
}

/* LIT-21 */
static float lut_input(const struct ref_lighting *lighting, const struct surface *surface,
                       const struct seen_light *seen, enum pica_lut_input input)
{
    switch (input) {
    case PICA_LUT_INPUT_NORMAL_HALF: return dot(surface->normal, seen->half_unit);
    case PICA_LUT_INPUT_VIEW_HALF: return dot(surface->view_unit, seen->half_unit);
    case PICA_LUT_INPUT_NORMAL_VIEW: return dot(surface->normal, surface->view_unit);
    case PICA_LUT_INPUT_LIGHT_NORMAL: return dot(seen->direction, surface->normal);
    case PICA_LUT_INPUT_LIGHT_SPOT: return dot(seen->direction, seen->light->spot);
    case PICA_LUT_INPUT_COS_PHI: {
        if (!lighting->has_cos_phi)
            return 0.0f;
        const float nh = dot(surface->normal, seen->half_unit);
        const struct ref_vector projected = subtract(seen->half_unit, multiply(surface->normal, nh));
        return dot(projected, surface->tangent);
    }
    case PICA_LUT_INPUT_RESERVED_6:
    case PICA_LUT_INPUT_RESERVED_7:
    default: return 0.0f; /* the field has three bits */
    }
}

/* A fragment, a light and what they share. */
struct scene {
    const struct ref_gpu *gpu; /* for traces only */
    const struct ref_lighting *lighting;
    struct surface surface;
    struct seen_light seen;
};

/* LIT-18, LIT-19, LIT-20, LIT-23: one lookup for one light, whether enabled or not. */
static float table_value(const struct scene *scene, const struct ref_lookup *lookup, const uint32_t table[256])
{
    float x = lut_input(scene->lighting, &scene->surface, &scene->seen, lookup->input);
    if (lookup->is_signed)
        return lookup->factor * look_up_signed(table, x);
    x = scene->seen.light->is_two_sided ? ref_abs(x) : ref_max_first(x, 0.0f);
    return lookup->factor * look_up_unsigned(table, x);
}

/* The tables of one light in the order that a trace numbers them: those of enum ref_lut, then the attenuation. */
static float trace_lookup(const struct scene *scene, uint32_t table, float value)
{
    ref_trace_floats(scene->gpu, PICA_TRACE_ID_LIGHT_LOOKUP, scene->seen.slot * 8u + table, &value, 1);
    return value;
}

/* LIT-26, LIT-27, LIT-28: the lookup, or `otherwise` if the table is disabled or unavailable. */
static float table_or(const struct scene *scene, enum ref_lut lut, float otherwise)
{
    const struct ref_lookup *lookup = &scene->lighting->lookups[lut];
    return lookup->is_enabled ? trace_lookup(scene, lut, table_value(scene, lookup, lookup->table)) : otherwise;
}

/* LIT-26: each light has a table and a switch of its own. */
static float spot_attenuation(const struct scene *scene)
{
    const struct ref_light *light = scene->seen.light;
    if (!light->spot_enabled)
        return 1.0f;
    const struct ref_lookup *lookup = &scene->lighting->lookups[REF_LUT_SP];
    return trace_lookup(scene, REF_LUT_SP, table_value(scene, lookup, light->spot_table));
}

/* LIT-25 */
static float distance_attenuation(const struct scene *scene)
{
    const struct seen_light *seen = &scene->seen;
    const struct ref_light *light = seen->light;
    if (light->attenuation_table == NULL)
        return 1.0f;
    const float x = ref_clamp_nan((light->attenuation_scale * seen->distance) + light->attenuation_bias, 0.0f, 1.0f);
    return trace_lookup(scene, REF_LUT_RR + 1u, look_up_unsigned(light->attenuation_table, x));
}

/* ------------------------------------------------------------------------------------------------------ light (1.5) */

/* LIT-29, LIT-33: S0 and S1, the two specular colours with their tables and geometric factor. */
static void specular_colors(const struct scene *scene, float s0[3], float s1[3])
{
    const struct ref_light *light = scene->seen.light;
    const float d0 = table_or(scene, REF_LUT_D0, 1.0f);
    const float d1 = table_or(scene, REF_LUT_D1, 1.0f);
    const float rr = table_or(scene, REF_LUT_RR, 1.0f);
    const float reflection[3] = { rr, table_or(scene, REF_LUT_RG, rr), table_or(scene, REF_LUT_RB, rr) };

    const float h = dot(scene->seen.half, scene->seen.half);
    const float g = h == 0.0f ? 0.0f : ref_min_first(scene->seen.normal_dot_light / h, 1.0f);
    for (int c = 0; c < 3; c++) {
        s0[c] = d0 * light->specular0[c];
        s1[c] = (d1 * reflection[c]) * light->specular1[c];
        if (light->geometric_factor0)
            s0[c] = s0[c] * g;
        if (light->geometric_factor1)
            s1[c] = s1[c] * g;
    }
}

/* LIT-32, LIT-34, LIT-35: adds one light. LIT-41: every term is evaluated as written. */
static void add_light(const struct scene *scene, struct sums *sums)
{
    const struct ref_light *light = scene->seen.light;
    const float nl = scene->seen.normal_dot_light;
    const float highlight = scene->lighting->clamp_highlights && nl == 0.0f ? 0.0f : 1.0f;
    const float attenuation = distance_attenuation(scene);
    const float spot = spot_attenuation(scene);
    float s0[3];
    float s1[3];
    specular_colors(scene, s0, s1);
    for (int c = 0; c < 3; c++) {
        const float shp = light->shadow_diffuse ? scene->surface.shadow[c] : 1.0f;
        const float shs = light->shadow_specular ? scene->surface.shadow[c] : 1.0f;
        const float diffuse = ((light->diffuse[c] * nl) * shp) + light->ambient[c];
        sums->diffuse[c] = sums->diffuse[c] + ((diffuse * attenuation) * spot);
        sums->specular[c] = sums->specular[c] + (((((s0[c] + s1[c]) * highlight) * attenuation) * spot) * shs);
    }
}

/* LIT-30: the last slot decides both alphas. */
static void apply_fresnel(const struct scene *scene, struct sums *sums)
{
    if (!scene->lighting->lookups[REF_LUT_FR].is_enabled)
        return;
    const float fresnel = table_or(scene, REF_LUT_FR, 1.0f);
    if (scene->lighting->fresnel_to_primary)
        sums->diffuse_alpha = fresnel;
    if (scene->lighting->fresnel_to_secondary)
        sums->specular_alpha = fresnel;
}

/* ----------------------------------------------------------------------------------------------------- result (1.6) */

/* LIT-36, LIT-37 */
static void finish(const struct scene *scene, struct sums *sums)
{
    const struct ref_lighting *lighting = scene->lighting;
    if (lighting->shadow_alpha && lighting->fresnel_to_primary)
        sums->diffuse_alpha = sums->diffuse_alpha * scene->surface.shadow[3];
    if (lighting->shadow_alpha && lighting->fresnel_to_secondary)
        sums->specular_alpha = sums->specular_alpha * scene->surface.shadow[3];
    for (int c = 0; c < 3; c++)
        sums->diffuse[c] = sums->diffuse[c] + lighting->ambient[c];
}

/* LIT-38: truncates; NaN gives 0. */
static uint8_t to_byte(float value)
{
    return ref_u8(ref_clamp_nan(value, 0.0f, 1.0f) * 255.0f);
}

static void trace_vector(const struct ref_gpu *gpu, enum pica_trace_id id, uint32_t index, struct ref_vector v)
{
    ref_trace_floats(gpu, id, index, (const float[]){ v.x, v.y, v.z }, 3);
}

static void trace_surface(const struct scene *scene)
{
    trace_vector(scene->gpu, PICA_TRACE_ID_LIGHT_NORMAL, 0, scene->surface.normal);
    if (scene->lighting->has_cos_phi)
        trace_vector(scene->gpu, PICA_TRACE_ID_LIGHT_TANGENT, 0, scene->surface.tangent);
}

static void trace_seen_light(const struct scene *scene)
{
    const struct seen_light *seen = &scene->seen;
    const float direction[4] = { seen->direction.x, seen->direction.y, seen->direction.z, seen->distance };
    ref_trace_floats(scene->gpu, PICA_TRACE_ID_LIGHT_DIRECTION, seen->slot, direction, 4);
    if (scene->lighting->uses_half)
        trace_vector(scene->gpu, PICA_TRACE_ID_LIGHT_HALF, seen->slot, seen->half_unit);
}

static void trace_sums(const struct scene *scene, const struct sums *sums)
{
    const float *d = sums->diffuse, *s = sums->specular;
    const float terms[6] = { d[0], d[1], d[2], s[0], s[1], s[2] };
    ref_trace_floats(scene->gpu, PICA_TRACE_ID_LIGHT_TERMS, scene->seen.slot, terms, 6);
}

void ref_light(const struct ref_gpu *gpu, const struct ref_lighting *lighting, const struct ref_fragment *fragment,
               struct ref_sources *sources)
{
    struct sums sums = { .diffuse_alpha = 1.0f, .specular_alpha = 1.0f };
    struct scene scene = { .gpu = gpu, .lighting = lighting };
    uint8_t *const primary = sources->colors[PICA_TEV_SOURCE_FRAGMENT_PRIMARY];
    uint8_t *const secondary = sources->colors[PICA_TEV_SOURCE_FRAGMENT_SECONDARY];
    surface_of(lighting, fragment, sources, &scene.surface);
    trace_surface(&scene);
    for (uint32_t slot = 0; slot < lighting->light_count; slot++) {
        scene.seen.slot = slot;
        look_at(lighting, &scene.surface, &lighting->lights[slot], &scene.seen);
        trace_seen_light(&scene);
        add_light(&scene, &sums);
        trace_sums(&scene, &sums);
    }
    apply_fresnel(&scene, &sums); /* of the last slot */
    finish(&scene, &sums);
    for (int c = 0; c < 3; c++) {
        primary[c] = to_byte(sums.diffuse[c]);
        secondary[c] = to_byte(sums.specular[c]);
    }
    primary[3] = to_byte(sums.diffuse_alpha);
    secondary[3] = to_byte(sums.specular_alpha);
    ref_trace_color(gpu, PICA_TRACE_ID_LIGHT_PRIMARY, 0, primary);
    ref_trace_color(gpu, PICA_TRACE_ID_LIGHT_SECONDARY, 0, secondary);
}
