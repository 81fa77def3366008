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

#include <math.h>

/* ---------------------------------------------------------------------------------------------------- vectors (1.3) */

struct vector {
    float x, y, z;
};

static struct vector vector(float x, float y, float z)
{
    const struct vector result = { x, y, z };
    return result;
}

static struct vector add(struct vector a, struct vector b)
{
    return vector(a.x + b.x, a.y + b.y, a.z + b.z);
}

static struct vector subtract(struct vector a, struct vector b)
{
    return vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

static struct vector multiply(struct vector a, float factor)
{
    return vector(a.x * factor, a.y * factor, a.z * factor);
}

static float dot(struct vector a, struct vector b)
{
    return ((a.x * b.x) + (a.y * b.y)) + (a.z * b.z);
}

static float length(struct vector a)
{
    return sqrtf(dot(a, a));
}

/* nrm: three divisions; the zero vector gives NaN. */
static struct vector normalize(struct vector a)
{
    const float l = length(a);
    return vector(a.x / l, a.y / l, a.z / l);
}

static struct vector cross(struct vector a, struct vector b)
{
    return vector((a.y * b.z) - (a.z * b.y), (a.z * b.x) - (a.x * b.z), (a.x * b.y) - (a.y * b.x));
}

/* ----------------------------------------------------------------------------------------------------------- state */

/* The kinds of tables, in the order of their groups in 1D0-1D2 (LIT-20). */
enum lut {
    LUT_D0,
    LUT_D1,
    LUT_SP,
    LUT_FR,
    LUT_RB,
    LUT_RG,
    LUT_RR
};

/* What all lights of a fragment share. */
struct surface {
    struct vector normal, tangent; /* N, Tg */
    struct vector view;            /* as interpolated */
    struct vector view_unit;       /* Vn */
    float shadow[4];               /* sh of LIT-34, R G B A */
};

/* One light as seen from the fragment. */
struct light {
    uint32_t index;          /* 0-7 */
    uint32_t config;         /* register word */
    struct vector direction; /* Ld */
    struct vector half;      /* Hf, not normalised */
    struct vector half_unit; /* Hn */
    struct vector spot;      /* LIT-04 */
    float distance;          /* dist */
    float normal_dot_light;  /* nl of LIT-31 */
};

/* LIT-35, LIT-36: the accumulators. */
struct sums {
    float diffuse[3];
    float specular[3];
    float diffuse_alpha;
    float specular_alpha;
};

struct lighting {
    const struct ref_gpu *gpu;
    uint32_t config0, config1; /* 1C3 (LIT-06), 1C4 (LIT-07) */
    struct surface surface;
    struct sums sums;
};

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

/* ------------------------------------------------------------------------------------------------- surface (1.3) */

/* LIT-11, LIT-12 */
struct quaternion {
    struct vector v;
    float w;
};

static struct quaternion unit_quaternion(const float q[4])
{
    const float l = sqrtf((((q[0] * q[0]) + (q[1] * q[1])) + (q[2] * q[2])) + (q[3] * q[3]));
    const struct quaternion result = { vector(q[0] / l, q[1] / l, q[2] / l), q[3] / l };
    return result;
}

static struct vector rotate(const struct quaternion *q, struct vector v)
{
    const struct vector t = add(cross(q->v, v), multiply(v, q->w));
    return add(v, multiply(cross(q->v, t), 2.0f));
}

/* LIT-13: the local vector in a bump texel. */
static struct vector bump_vector(const uint8_t texel[4])
{
    return vector(((float)texel[0] / 127.5f) - 1.0f, ((float)texel[1] / 127.5f) - 1.0f,
                  ((float)texel[2] / 127.5f) - 1.0f);
}

/* LIT-13: local normal and tangent. */
static void local_vectors(uint32_t config0, const struct ref_sources *sources, struct vector *normal,
                          struct vector *tangent)
{
    struct vector p = bump_vector(sources->texture[pica_lighting_config0_bump_unit(config0)]);
    *normal = vector(0.0f, 0.0f, 1.0f);
    *tangent = vector(1.0f, 0.0f, 0.0f);
    switch (pica_lighting_config0_bump_mode(config0)) {
    case PICA_BUMP_MODE_OFF: return;
    case PICA_BUMP_MODE_NORMAL_MAP:
        if (pica_lighting_config0_no_z_recalculation(config0) == 0)
            p.z = sqrtf(ref_max_first(1.0f - ((p.x * p.x) + (p.y * p.y)), 0.0f));
        *normal = p;
        return;
    case PICA_BUMP_MODE_TANGENT_MAP: *tangent = p; return;
    case PICA_BUMP_MODE_RESERVED_3:
        *normal = vector(0.0f, 0.0f, 0.0f);
        *tangent = vector(0.0f, 0.0f, 0.0f);
        return;
    }
}

/* LIT-34: the four components of sh. */
static void shadow_color(uint32_t config0, const struct ref_sources *sources, float shadow[4])
{
    const uint8_t *texel = sources->texture[pica_lighting_config0_shadow_unit(config0)];
    const bool enabled = pica_lighting_config0_shadow_enable(config0) != 0;
    const bool inverted = pica_lighting_config0_shadow_invert(config0) != 0;
    for (int c = 0; c < 4; c++) {
        const float value = (float)texel[c] / 255.0f;
        shadow[c] = !enabled ? 1.0f : inverted ? 1.0f - value : value;
    }
}

/* LIT-10, LIT-14: nothing is normalised after the rotation. */
static void surface_of(const struct ref_fragment *fragment, const struct ref_sources *sources, uint32_t config0,
                       struct surface *surface)
{
    const struct quaternion q = unit_quaternion(fragment->quat);
    struct vector normal;
    struct vector tangent;
    local_vectors(config0, sources, &normal, &tangent);
    surface->normal = rotate(&q, normal);
    surface->tangent = rotate(&q, tangent);
    surface->view = vector(fragment->view[0], fragment->view[1], fragment->view[2]);
    surface->view_unit = normalize(surface->view);
    shadow_color(config0, sources, surface->shadow);
}

/* LIT-15, LIT-31 */
static void light_of(const struct ref_gpu *gpu, const struct surface *surface, uint32_t n, struct light *light)
{
    const uint32_t xy = light_word(gpu, n, PICA_REG_LIGHT0_XY);
    const uint32_t z = light_word(gpu, n, PICA_REG_LIGHT0_Z);
    const uint32_t spot_xy = light_word(gpu, n, PICA_REG_LIGHT0_SPOTDIR_XY);
    const uint32_t spot_z = light_word(gpu, n, PICA_REG_LIGHT0_SPOTDIR_Z);
    light->index = n;
    light->config = light_word(gpu, n, PICA_REG_LIGHT0_CONFIG);

    const struct vector position =
        vector(ref_float16(pica_light_xy_x(xy)), ref_float16(pica_light_xy_y(xy)), ref_float16(pica_light_z_z(z)));
    const bool directional = pica_light_config_directional(light->config) != 0;
    const struct vector raw = directional ? position : add(position, surface->view);
    light->distance = length(raw);
    light->direction = normalize(raw);
    light->half = add(surface->view_unit, light->direction);
    light->half_unit = normalize(light->half);
    light->spot =
        vector((float)pica_light_spotdir_xy_x(spot_xy) / 2047.0f, (float)pica_light_spotdir_xy_y(spot_xy) / 2047.0f,
               (float)pica_light_spotdir_z_z(spot_z) / 2047.0f);

    const float nl = dot(light->direction, surface->normal);
    const bool two_sided = pica_light_config_two_sided(light->config) != 0;
    light->normal_dot_light = two_sided ? ref_abs(nl) : ref_max_first(nl, 0.0f);
}

/* ------------------------------------------------------------------------------------------------ tables (1.2, 1.4) */

/* LIT-08, LIT-09: bit k set = table kind k is available. */
static bool is_available(uint32_t config0, enum lut lut)
{
    enum {
        D0 = 1 << LUT_D0,
        D1 = 1 << LUT_D1,
        SP = 1 << LUT_SP,
        FR = 1 << LUT_FR,
        RR = 1 << LUT_RR,
        RG = 1 << LUT_RG,
        RB = 1 << LUT_RB,
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

/* LIT-07, LIT-26, LIT-27, LIT-28: available and not disabled. */
static bool is_enabled(const struct lighting *lighting, enum lut lut, uint32_t light)
{
    const uint32_t word = lighting->config1;
    uint32_t disabled = 0;
    switch (lut) {
    case LUT_D0: disabled = pica_lighting_config1_d0_disable(word); break;
    case LUT_D1: disabled = pica_lighting_config1_d1_disable(word); break;
    case LUT_SP: disabled = pica_lighting_config1_light_spot_disable_at(word, light); break;
    case LUT_FR: disabled = pica_lighting_config1_fr_disable(word); break;
    case LUT_RB: disabled = pica_lighting_config1_rb_disable(word); break;
    case LUT_RG: disabled = pica_lighting_config1_rg_disable(word); break;
    case LUT_RR: disabled = pica_lighting_config1_rr_disable(word); break;
    }
    return disabled == 0 && is_available(lighting->config0, lut);
}

/* LIT-05, LIT-22 */
static const uint32_t *table_of(const struct ref_gpu *gpu, enum lut lut, uint32_t light)
{
    switch (lut) {
    case LUT_D0: return gpu->tables.lighting[PICA_LIGHTING_TABLE_D0];
    case LUT_D1: return gpu->tables.lighting[PICA_LIGHTING_TABLE_D1];
    case LUT_SP: return gpu->tables.lighting[(uint32_t)PICA_LIGHTING_TABLE_SP0 + light];
    case LUT_FR: return gpu->tables.lighting[PICA_LIGHTING_TABLE_FR];
    case LUT_RB: return gpu->tables.lighting[PICA_LIGHTING_TABLE_RB];
    case LUT_RG: return gpu->tables.lighting[PICA_LIGHTING_TABLE_RG];
    case LUT_RR: return gpu->tables.lighting[PICA_LIGHTING_TABLE_RR];
    }
    return gpu->tables.lighting[0]; /* not reached */
}

/* LIT-17: E(e, d); sign and magnitude. Examples: LIT-24. */
static float evaluate(uint32_t entry, float d)
{
    const float magnitude = (float)pica_lighting_lut_data_magnitude(entry) / 2047.0f;
    const bool negative = pica_lighting_lut_data_negative(entry) != 0;
    const float slope = negative ? ref_negate(magnitude) : magnitude;
    return ((float)pica_lighting_lut_data_value(entry) / 4095.0f) + (slope * d);
}

/* The scaled input split at an index between low and high; a NaN has index 0. */
static float look_up(const uint32_t table[256], float scaled, float low, float high)
{
    const float i = ref_clamp_nan(floorf(scaled), low, high);
    const int32_t k = ref_is_nan(i) ? 0 : (int32_t)i;
    return evaluate(table[(uint32_t)k & 255u], scaled - (float)k);
}

/* LIT-18: x in -1..1. */
static float look_up_signed(const uint32_t table[256], float x)
{
    return look_up(table, x * 128.0f, -128.0f, 127.0f);
}

/* LIT-19 without its first step: x in 0..1. */
static float look_up_unsigned(const uint32_t table[256], float x)
{
    return look_up(table, x * 256.0f, 0.0f, 255.0f);
}

/* LIT-21 */
static float lut_input(const struct lighting *lighting, const struct light *light, enum pica_lut_input input)
{
    const struct surface *surface = &lighting->surface;
    switch (input) {
    case PICA_LUT_INPUT_NORMAL_HALF: return dot(surface->normal, light->half_unit);
    case PICA_LUT_INPUT_VIEW_HALF: return dot(surface->view_unit, light->half_unit);
    case PICA_LUT_INPUT_NORMAL_VIEW: return dot(surface->normal, surface->view_unit);
    case PICA_LUT_INPUT_LIGHT_NORMAL: return dot(light->direction, surface->normal);
    case PICA_LUT_INPUT_LIGHT_SPOT: return dot(light->direction, light->spot);
    case PICA_LUT_INPUT_COS_PHI: {
        if (pica_lighting_config0_environment(lighting->config0) != PICA_LIGHT_ENVIRONMENT_ALL)
            return 0.0f;
        const float nh = dot(surface->normal, light->half_unit);
        const struct vector projected = subtract(light->half_unit, multiply(surface->normal, nh));
        return dot(projected, surface->tangent);
    }
    case PICA_LUT_INPUT_RESERVED_6:
    case PICA_LUT_INPUT_RESERVED_7: return 0.0f;
    }
    return 0.0f; /* not reached: the field has three bits */
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
    case PICA_LUT_SCALE_HALF: return 0.5f;
    }
    return 0.0f; /* not reached: the field has three bits */
}

/* LIT-18, LIT-19, LIT-20, LIT-22, LIT-23: one lookup for one light, whether enabled or not. */
static float table_value(const struct lighting *lighting, const struct light *light, enum lut lut)
{
    const struct ref_gpu *gpu = lighting->gpu;
    const uint32_t group = (uint32_t)lut;
    const uint32_t *table = table_of(gpu, lut, light->index);
    const uint32_t select = gpu->regs[PICA_REG_LIGHTING_LUTINPUT_SELECT];
    const uint32_t scale = gpu->regs[PICA_REG_LIGHTING_LUTINPUT_SCALE];
    const float factor = lut_scale((enum pica_lut_scale)pica_lighting_lutinput_scale_scale_at(scale, group));
    float x = lut_input(lighting, light, (enum pica_lut_input)pica_lighting_lutinput_select_input_at(select, group));
    if (pica_lighting_lutinput_abs_abs_off_at(gpu->regs[PICA_REG_LIGHTING_LUTINPUT_ABS], group) != 0)
        return factor * look_up_signed(table, x);
    x = pica_light_config_two_sided(light->config) != 0 ? ref_abs(x) : ref_max_first(x, 0.0f);
    return factor * look_up_unsigned(table, x);
}

/* LIT-26, LIT-27, LIT-28: the lookup, or `otherwise` if the table is disabled or unavailable. */
static float table_or(const struct lighting *lighting, const struct light *light, enum lut lut, float otherwise)
{
    return is_enabled(lighting, lut, light->index) ? table_value(lighting, light, lut) : otherwise;
}

/* LIT-25 */
static float distance_attenuation(const struct lighting *lighting, const struct light *light)
{
    if (pica_lighting_config1_light_attenuation_disable_at(lighting->config1, light->index) != 0)
        return 1.0f;
    const struct ref_gpu *gpu = lighting->gpu;
    const uint32_t bias_word = light_word(gpu, light->index, PICA_REG_LIGHT0_ATTENUATION_BIAS);
    const uint32_t scale_word = light_word(gpu, light->index, PICA_REG_LIGHT0_ATTENUATION_SCALE);
    const float bias = ref_float20(pica_light_attenuation_bias_bias(bias_word));
    const float scale = ref_float20(pica_light_attenuation_scale_scale(scale_word));
    const float x = ref_clamp_nan((scale * light->distance) + bias, 0.0f, 1.0f);
    return look_up_unsigned(gpu->tables.lighting[(uint32_t)PICA_LIGHTING_TABLE_DA0 + light->index], x);
}

/* ------------------------------------------------------------------------------------------------------ light (1.5) */

/* LIT-29, LIT-33: S0 and S1, the two specular colours with their tables and geometric factor. */
static void specular_colors(const struct lighting *lighting, const struct light *light, float s0[3], float s1[3])
{
    light_color(light_word(lighting->gpu, light->index, PICA_REG_LIGHT0_SPECULAR0), s0);
    light_color(light_word(lighting->gpu, light->index, PICA_REG_LIGHT0_SPECULAR1), s1);
    const float d0 = table_or(lighting, light, LUT_D0, 1.0f);
    const float d1 = table_or(lighting, light, LUT_D1, 1.0f);
    const float rr = table_or(lighting, light, LUT_RR, 1.0f);
    const float reflection[3] = { rr, table_or(lighting, light, LUT_RG, rr), table_or(lighting, light, LUT_RB, rr) };

    const float h = dot(light->half, light->half);
    const float g = h == 0.0f ? 0.0f : ref_min_first(light->normal_dot_light / h, 1.0f);
    const bool geometric0 = pica_light_config_geometric_factor0(light->config) != 0;
    const bool geometric1 = pica_light_config_geometric_factor1(light->config) != 0;
    for (int c = 0; c < 3; c++) {
        s0[c] = d0 * s0[c];
        s1[c] = (d1 * reflection[c]) * s1[c];
        if (geometric0)
            s0[c] = s0[c] * g;
        if (geometric1)
            s1[c] = s1[c] * g;
    }
}

/* LIT-32, LIT-34, LIT-35: adds one light. LIT-41: every term is evaluated as written. */
static void add_light(struct lighting *lighting, const struct light *light)
{
    const uint32_t config0 = lighting->config0;
    const uint32_t n = light->index;
    const bool shadowed = pica_lighting_config1_light_shadow_disable_at(lighting->config1, n) == 0;
    const bool shadow_diffuse = shadowed && pica_lighting_config0_shadow_primary(config0) != 0;
    const bool shadow_specular = shadowed && pica_lighting_config0_shadow_secondary(config0) != 0;
    const float nl = light->normal_dot_light;
    const bool clamped = pica_lighting_config0_clamp_highlights(config0) != 0 && nl == 0.0f;
    const float highlight = clamped ? 0.0f : 1.0f;
    const float attenuation = distance_attenuation(lighting, light);
    const float spot = table_or(lighting, light, LUT_SP, 1.0f);

    float diffuse[3];
    float ambient[3];
    float s0[3];
    float s1[3];
    light_color(light_word(lighting->gpu, n, PICA_REG_LIGHT0_DIFFUSE), diffuse);
    light_color(light_word(lighting->gpu, n, PICA_REG_LIGHT0_AMBIENT), ambient);
    specular_colors(lighting, light, s0, s1);

    struct sums *sums = &lighting->sums;
    for (int c = 0; c < 3; c++) {
        const float shp = shadow_diffuse ? lighting->surface.shadow[c] : 1.0f;
        const float shs = shadow_specular ? lighting->surface.shadow[c] : 1.0f;
        sums->diffuse[c] = sums->diffuse[c] + (((((diffuse[c] * nl) * shp) + ambient[c]) * attenuation) * spot);
        sums->specular[c] = sums->specular[c] + (((((s0[c] + s1[c]) * highlight) * attenuation) * spot) * shs);
    }
}

/* LIT-30: the last slot decides both alphas. */
static void apply_fresnel(struct lighting *lighting, const struct light *light)
{
    if (!is_enabled(lighting, LUT_FR, light->index))
        return;
    const float fresnel = table_value(lighting, light, LUT_FR);
    if (pica_lighting_config0_fresnel_to_primary_alpha(lighting->config0) != 0)
        lighting->sums.diffuse_alpha = fresnel;
    if (pica_lighting_config0_fresnel_to_secondary_alpha(lighting->config0) != 0)
        lighting->sums.specular_alpha = fresnel;
}

/* ----------------------------------------------------------------------------------------------------- result (1.6) */

/* LIT-36, LIT-37 */
static void finish(struct lighting *lighting)
{
    struct sums *sums = &lighting->sums;
    const uint32_t config0 = lighting->config0;
    if (pica_lighting_config0_shadow_alpha(config0) != 0) {
        if (pica_lighting_config0_fresnel_to_primary_alpha(config0) != 0)
            sums->diffuse_alpha = sums->diffuse_alpha * lighting->surface.shadow[3];
        if (pica_lighting_config0_fresnel_to_secondary_alpha(config0) != 0)
            sums->specular_alpha = sums->specular_alpha * lighting->surface.shadow[3];
    }
    float ambient[3];
    light_color(lighting->gpu->regs[PICA_REG_LIGHTING_AMBIENT], ambient);
    for (int c = 0; c < 3; c++)
        sums->diffuse[c] = sums->diffuse[c] + ambient[c];
}

/* LIT-38: truncates; NaN gives 0. */
static uint8_t to_byte(float value)
{
    return ref_u8(ref_clamp_nan(value, 0.0f, 1.0f) * 255.0f);
}

void ref_light(const struct ref_gpu *gpu, const struct ref_fragment *fragment, struct ref_sources *sources)
{
    struct lighting lighting = {
        .gpu = gpu,
        .config0 = gpu->regs[PICA_REG_LIGHTING_CONFIG0],
        .config1 = gpu->regs[PICA_REG_LIGHTING_CONFIG1],
        .sums = { .diffuse_alpha = 1.0f, .specular_alpha = 1.0f },
    };
    surface_of(fragment, sources, lighting.config0, &lighting.surface);

    const uint32_t last = pica_lighting_num_lights_lights_minus_1(gpu->regs[PICA_REG_LIGHTING_NUM_LIGHTS]);
    const uint32_t permutation = gpu->regs[PICA_REG_LIGHTING_LIGHT_PERMUTATION];
    for (uint32_t slot = 0; slot <= last; slot++) {
        struct light light;
        light_of(gpu, &lighting.surface, pica_lighting_light_permutation_slot_light_at(permutation, slot), &light);
        add_light(&lighting, &light);
        if (slot == last)
            apply_fresnel(&lighting, &light);
    }
    finish(&lighting);
    for (int c = 0; c < 3; c++) {
        sources->lighting[0][c] = to_byte(lighting.sums.diffuse[c]);
        sources->lighting[1][c] = to_byte(lighting.sums.specular[c]);
    }
    sources->lighting[0][3] = to_byte(lighting.sums.diffuse_alpha);
    sources->lighting[1][3] = to_byte(lighting.sums.specular_alpha);
}
