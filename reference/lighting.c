/*
 * Per-fragment lighting without a fragment shader. Each vertex carries a quaternion that turns the surface's tangent
 * frame into view space, and the vector to the eye; both are interpolated. Up to eight lights then add a diffuse, an
 * ambient and two specular terms. What a light model would compute with powers and dot products comes from tables: each
 * of the seven kinds of table (D0, D1 specular distribution, SP spot, FR fresnel, RB RG RR reflection) looks up one of
 * six cosines between normal N, tangent, light L, view V and half vector H. One texture can bend normal or tangent,
 * another can hold shadows. The results are two colours for the combiner: primary (diffuse, ambient), secondary
 * (specular).
 *
 * Worked number: quaternion (0.1, 0.2, 0.3, 0.9), directional light at (1, 2, 3): L . N = 0.8017837; a diffuse colour
 * of (255, 128, 0) and ambient 16 give 220, 118, 16 (LIT-16, LIT-39). LIT-40 is an example with everything switched on.
 */
#include "reference/lighting.h"

#include "reference/gpu.h"
#include "reference/number.h"
#include "reference/trace.h"

#include <math.h>

/* --------------------------------------------------------------------------------------------------- vectors (1.3) */

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

/* --------------------------------------------------------------------------------------------------- surface (1.3) */

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

/* LIT-34: the four components of sh, the shadow factor. */
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
    surface->tangent = lighting->needs_tangent ? rotate(&q, tangent) : tangent;
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
    seen->half_unit = lighting->needs_half ? normalize(seen->half) : vector(0.0f, 0.0f, 0.0f);
    const float nl = dot(seen->direction, surface->normal);
    seen->normal_dot_light = light->is_two_sided ? ref_abs(nl) : ref_max_first(nl, 0.0f);
}

/* ----------------------------------------------------------------------------------------------- tables (1.2, 1.4) */

/* LIT-17: E(e, d); sign and magnitude. Examples: LIT-24. */
static float evaluate(const struct ref_lighting *lighting, uint32_t entry, float d)
{
    const float value = (float)pica_lighting_lut_data_value(entry) / lighting->value_divisor;
    const float magnitude = (float)pica_lighting_lut_data_magnitude(entry) / lighting->slope_divisor;
    const bool negative = pica_lighting_lut_data_negative(entry) != 0;
    const float slope = negative ? ref_negate(magnitude) : magnitude;
    return lighting->has_no_slopes ? value : value + (slope * d);
}

/* The scaled input split at an index between low and high; a NaN has index 0. */
static float look_up(const struct ref_lighting *lighting, const uint32_t table[256], float scaled, int32_t low,
                     int32_t high)
{
    const int32_t k = ref_floor(scaled, low, high);
    return evaluate(lighting, table[(uint32_t)k & 255u], scaled - (float)k);
}

/* LIT-18: x in -1..1. */
static float look_up_signed(const struct ref_lighting *lighting, const uint32_t table[256], float x)
{
    return look_up(lighting, table, x * 128.0f, -128, 127);
}

/* LIT-19 without its first step: x in 0..1. */
static float look_up_unsigned(const struct ref_lighting *lighting, const uint32_t table[256], float x)
{
    return look_up(lighting, table, x * 256.0f, 0, 255);
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
    const struct ref_lighting *lighting;
    struct surface surface;
    struct seen_light seen;
};

/* What the tables give for one light: the value after its scale, or what stands for a table that is off. */
struct factors {
    float d0, d1, rr, rg, rb;
    float spot, attenuation;
};

/* LIT-19: its first step. */
static float unsigned_input(const struct ref_light *light, float x)
{
    return light->is_two_sided ? ref_abs(x) : ref_max_first(x, 0.0f);
}

/* LIT-18, LIT-19, LIT-20, LIT-23: one lookup for one light, whether enabled or not. */
static float table_value(const struct scene *scene, const struct ref_lookup *lookup, const uint32_t table[256])
{
    const float x = lut_input(scene->lighting, &scene->surface, &scene->seen, lookup->input);
    if (lookup->is_signed)
        return lookup->factor * look_up_signed(scene->lighting, table, x);
    return lookup->factor * look_up_unsigned(scene->lighting, table, unsigned_input(scene->seen.light, x));
}

/* LIT-26, LIT-27, LIT-28: the lookup, or `otherwise` if the table is disabled or unavailable. */
static float table_or(const struct scene *scene, enum ref_lut lut, float otherwise)
{
    const struct ref_lookup *lookup = &scene->lighting->lookups[lut];
    return lookup->is_enabled ? table_value(scene, lookup, lookup->table) : otherwise;
}

/* LIT-26: each light has a table and a switch of its own. */
static float spot_attenuation(const struct scene *scene)
{
    const struct ref_light *light = scene->seen.light;
    return light->spot_enabled ? table_value(scene, &scene->lighting->lookups[REF_LUT_SP], light->spot_table) : 1.0f;
}

/* LIT-25 */
static float distance_attenuation(const struct scene *scene)
{
    const struct seen_light *const seen = &scene->seen;
    const struct ref_light *light = seen->light;
    if (light->attenuation_table == NULL)
        return 1.0f;
    const float x = ref_clamp_nan((light->attenuation_scale * seen->distance) + light->attenuation_bias, 0.0f, 1.0f);
    return look_up_unsigned(scene->lighting, light->attenuation_table, x);
}

/* LIT-29: without a table of their own, green and blue take the reflection of red. */
static struct factors look_up_factors(const struct scene *scene)
{
    const float rr = table_or(scene, REF_LUT_RR, 1.0f);
    const struct factors factors = {
        .d0 = table_or(scene, REF_LUT_D0, 1.0f),
        .d1 = table_or(scene, REF_LUT_D1, 1.0f),
        .rr = rr,
        .rg = table_or(scene, REF_LUT_RG, rr),
        .rb = table_or(scene, REF_LUT_RB, rr),
        .spot = spot_attenuation(scene),
        .attenuation = distance_attenuation(scene),
    };
    return factors;
}

/* ----------------------------------------------------------------------------------------------------- light (1.5) */

/* LIT-33: g. */
static float geometric_factor(const struct seen_light *seen)
{
    const float h = dot(seen->half, seen->half);
    return h == 0.0f ? 0.0f : ref_min_first(seen->normal_dot_light / h, 1.0f);
}

/* LIT-29, LIT-33: S0 and S1, the two specular colours with their tables and geometric factor. */
static void specular_colors(const struct scene *scene, const struct factors *factors, float s0[3], float s1[3])
{
    const struct ref_light *light = scene->seen.light;
    const float reflection[3] = { factors->rr, factors->rg, factors->rb };
    const float g = geometric_factor(&scene->seen);
    for (int c = 0; c < 3; c++) {
        s0[c] = factors->d0 * light->specular0[c];
        s1[c] = (factors->d1 * reflection[c]) * light->specular1[c];
        if (light->geometric_factor0)
            s0[c] = s0[c] * g;
        if (light->geometric_factor1)
            s1[c] = s1[c] * g;
    }
}

/* LIT-32 */
static float highlight_of(const struct scene *scene)
{
    return scene->lighting->clamp_highlights && scene->seen.normal_dot_light == 0.0f ? 0.0f : 1.0f;
}

/* LIT-34, LIT-35: adds one light. LIT-41: every term is evaluated as written. */
static void add_light(const struct scene *scene, const struct factors *factors, struct sums *sums)
{
    const struct ref_light *light = scene->seen.light;
    const float nl = scene->seen.normal_dot_light;
    const float highlight = highlight_of(scene);
    const float attenuation = factors->attenuation;
    const float spot = factors->spot;
    float s0[3];
    float s1[3];
    specular_colors(scene, factors, s0, s1);
    for (int c = 0; c < 3; c++) {
        const float shp = light->shadow_diffuse ? scene->surface.shadow[c] : 1.0f;
        const float shs = light->shadow_specular ? scene->surface.shadow[c] : 1.0f;
        const float diffuse = ((light->diffuse[c] * nl) * shp) + light->ambient[c];
        sums->diffuse[c] = sums->diffuse[c] + ((diffuse * attenuation) * spot);
        sums->specular[c] = sums->specular[c] + (((((s0[c] + s1[c]) * highlight) * attenuation) * spot) * shs);
    }
}

/* LIT-30: the last slot decides both alphas. */
static void apply_fresnel(const struct ref_lighting *lighting, float fresnel, struct sums *sums)
{
    if (!lighting->lookups[REF_LUT_FR].is_enabled)
        return;
    if (lighting->fresnel_to_primary)
        sums->diffuse_alpha = fresnel;
    if (lighting->fresnel_to_secondary)
        sums->specular_alpha = fresnel;
}

/* ---------------------------------------------------------------------------------------------------- result (1.6) */

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
static uint8_t to_byte(const struct ref_lighting *lighting, float value)
{
    const float product = ref_clamp_nan(value, 0.0f, 1.0f) * 255.0f;
    return lighting->rounds ? ref_rounded_u8(product) : ref_u8(product);
}

static void write_colors(const struct ref_lighting *lighting, const struct sums *sums, uint8_t primary[4],
                         uint8_t secondary[4])
{
    for (int c = 0; c < 3; c++) {
        primary[c] = to_byte(lighting, sums->diffuse[c]);
        secondary[c] = to_byte(lighting, sums->specular[c]);
    }
    primary[3] = to_byte(lighting, sums->diffuse_alpha);
    secondary[3] = to_byte(lighting, sums->specular_alpha);
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record_rule_vector(const struct ref_gpu *gpu, const char *rule, uint32_t index, struct ref_vector v)
{
    ref_trace_rule_floats(gpu, rule, index, (const float[]){ v.x, v.y, v.z }, 3);
}

static void record_vector(const struct ref_gpu *gpu, enum pica_trace_id id, uint32_t index, struct ref_vector v)
{
    ref_trace_floats(gpu, id, index, (const float[]){ v.x, v.y, v.z }, 3);
}

/* Which tables are looked up, and what is turned into view space. */
static void record_setting(const struct ref_gpu *gpu, const struct scene *scene, const struct ref_fragment *fragment,
                           const struct ref_sources *sources)
{
    const struct quaternion q = unit_quaternion(fragment->quat);
    struct ref_vector normal, tangent;
    uint32_t enabled[7];
    for (uint32_t lut = 0; lut < 7; lut++)
        enabled[lut] = scene->lighting->lookups[lut].is_enabled;
    local_vectors(scene->lighting, sources, &normal, &tangent);
    ref_trace_rule(gpu, "LIT-08", 0, enabled, 7);
    ref_trace_rule_floats(gpu, "LIT-12", 0, (const float[]){ q.v.x, q.v.y, q.v.z, q.w }, 4);
    record_rule_vector(gpu, "LIT-13", 0, normal);
    if (scene->lighting->has_cos_phi)
        record_rule_vector(gpu, "LIT-13", 1, tangent);
    ref_trace_rule_floats(gpu, "LIT-34", 0, scene->surface.shadow, 4);
}

static void record_surface(const struct ref_gpu *gpu, const struct scene *scene)
{
    record_vector(gpu, PICA_TRACE_ID_LIGHT_NORMAL, 0, scene->surface.normal);
    if (scene->lighting->has_cos_phi)
        record_vector(gpu, PICA_TRACE_ID_LIGHT_TANGENT, 0, scene->surface.tangent);
}

/* What registers say of a light. */
static void record_registers(const struct ref_gpu *gpu, const struct ref_light *light, uint32_t slot)
{
    const uint32_t switches[8] = { light->is_directional,    light->is_two_sided,
                                   light->geometric_factor0, light->geometric_factor1,
                                   light->shadow_diffuse,    light->shadow_specular,
                                   light->spot_enabled,      light->attenuation_table != NULL };
    ref_trace_rule(gpu, "LIT-15", slot, &light->number, 1);
    ref_trace_rule(gpu, "LIT-06", slot, switches, 8);
    record_rule_vector(gpu, "LIT-04", 2u * slot, light->position);
    record_rule_vector(gpu, "LIT-04", 2u * slot + 1u, light->spot);
    ref_trace_rule_floats(gpu, "LIT-03", 4u * slot, light->specular0, 3);
    ref_trace_rule_floats(gpu, "LIT-03", 4u * slot + 1u, light->specular1, 3);
    ref_trace_rule_floats(gpu, "LIT-03", 4u * slot + 2u, light->diffuse, 3);
    ref_trace_rule_floats(gpu, "LIT-03", 4u * slot + 3u, light->ambient, 3);
    if (light->attenuation_table != NULL)
        ref_trace_rule_floats(gpu, "LIT-25", 2u * slot,
                              (const float[]){ light->attenuation_bias, light->attenuation_scale }, 2);
}

static void record_direction(const struct ref_gpu *gpu, const struct scene *scene)
{
    const struct seen_light *seen = &scene->seen;
    record_registers(gpu, seen->light, seen->slot);
    const float direction[4] = { seen->direction.x, seen->direction.y, seen->direction.z, seen->distance };
    ref_trace_floats(gpu, PICA_TRACE_ID_LIGHT_DIRECTION, seen->slot, direction, 4);
    if (scene->lighting->uses_half)
        record_vector(gpu, PICA_TRACE_ID_LIGHT_HALF, seen->slot, seen->half_unit);
    ref_trace_rule_floats(gpu, "LIT-31", seen->slot, &seen->normal_dot_light, 1);
}

/* How a table of one light is looked up: with what, at which entry, and what is there. */
static void record_table(const struct ref_gpu *gpu, const struct scene *scene, enum ref_lut lut)
{
    const struct ref_lookup *const lookup = &scene->lighting->lookups[lut];
    const struct seen_light *const seen = &scene->seen;
    const uint32_t *const table = lut == REF_LUT_SP ? seen->light->spot_table : lookup->table;
    const uint32_t index = seen->slot * 8u + lut;
    const float input = lut_input(scene->lighting, &scene->surface, seen, lookup->input);
    const float x = lookup->is_signed ? input : unsigned_input(seen->light, input);
    const float scaled = lookup->is_signed ? x * 128.0f : x * 256.0f;
    const int32_t k = lookup->is_signed ? ref_floor(scaled, -128, 127) : ref_floor(scaled, 0, 255);
    const float value =
        lookup->is_signed ? look_up_signed(scene->lighting, table, x) : look_up_unsigned(scene->lighting, table, x);
    ref_trace_rule_floats(gpu, "LIT-21", index, &input, 1);
    ref_trace_rule_floats(gpu, lookup->is_signed ? "LIT-18" : "LIT-19", index, &x, 1);
    ref_trace_rule(gpu, "LIT-22", index, (const uint32_t[]){ table[(uint32_t)k & 255u] }, 1);
    ref_trace_rule_floats(gpu, "LIT-17", index, &value, 1);
}

/* A table of one light by the number that a trace gives it: those of enum ref_lut, then the attenuation. */
static void record_lookup(const struct ref_gpu *gpu, const struct scene *scene, uint32_t table, bool was_used,
                          float value)
{
    if (was_used && table <= REF_LUT_RR)
        record_table(gpu, scene, (enum ref_lut)table);
    if (was_used && table > REF_LUT_RR)
        ref_trace_rule_floats(gpu, "LIT-25", 2u * scene->seen.slot + 1u, &value, 1);
    if (was_used)
        ref_trace_floats(gpu, PICA_TRACE_ID_LIGHT_LOOKUP, scene->seen.slot * 8u + table, &value, 1);
}

static void record_factors(const struct ref_gpu *gpu, const struct scene *scene, const struct factors *factors)
{
    const struct ref_lookup *lookups = scene->lighting->lookups;
    const struct ref_light *light = scene->seen.light;
    record_lookup(gpu, scene, REF_LUT_RR + 1u, light->attenuation_table != NULL, factors->attenuation);
    record_lookup(gpu, scene, REF_LUT_SP, light->spot_enabled, factors->spot);
    record_lookup(gpu, scene, REF_LUT_D0, lookups[REF_LUT_D0].is_enabled, factors->d0);
    record_lookup(gpu, scene, REF_LUT_D1, lookups[REF_LUT_D1].is_enabled, factors->d1);
    record_lookup(gpu, scene, REF_LUT_RR, lookups[REF_LUT_RR].is_enabled, factors->rr);
    record_lookup(gpu, scene, REF_LUT_RG, lookups[REF_LUT_RG].is_enabled, factors->rg);
    record_lookup(gpu, scene, REF_LUT_RB, lookups[REF_LUT_RB].is_enabled, factors->rb);
}

static void record_light(const struct ref_gpu *gpu, const struct scene *scene, const struct factors *factors,
                         const struct sums *sums)
{
    const float *d = sums->diffuse, *s = sums->specular;
    const float terms[6] = { d[0], d[1], d[2], s[0], s[1], s[2] };
    float s0[3], s1[3];
    record_direction(gpu, scene);
    record_factors(gpu, scene, factors);
    const float highlight = highlight_of(scene);
    specular_colors(scene, factors, s0, s1);
    ref_trace_rule_floats(gpu, "LIT-32", scene->seen.slot, &highlight, 1);
    ref_trace_rule_floats(gpu, "LIT-33", 2u * scene->seen.slot, s0, 3);
    ref_trace_rule_floats(gpu, "LIT-33", 2u * scene->seen.slot + 1u, s1, 3);
    ref_trace_floats(gpu, PICA_TRACE_ID_LIGHT_TERMS, scene->seen.slot, terms, 6);
}

static void record_fresnel(const struct ref_gpu *gpu, const struct scene *scene, float fresnel, const struct sums *sums)
{
    record_lookup(gpu, scene, REF_LUT_FR, scene->lighting->lookups[REF_LUT_FR].is_enabled, fresnel);
    ref_trace_rule_floats(gpu, "LIT-30", 0, (const float[]){ sums->diffuse_alpha, sums->specular_alpha }, 2);
}

static void record_colors(const struct ref_gpu *gpu, const struct sums *sums, const uint8_t primary[4],
                          const uint8_t secondary[4])
{
    ref_trace_rule_floats(gpu, "LIT-37", 0,
                          (const float[]){ sums->diffuse[0], sums->diffuse[1], sums->diffuse[2], sums->diffuse_alpha,
                                           sums->specular_alpha },
                          5);
    ref_trace_color(gpu, PICA_TRACE_ID_LIGHT_PRIMARY, 0, primary);
    ref_trace_color(gpu, PICA_TRACE_ID_LIGHT_SECONDARY, 0, secondary);
}

/* ----------------------------------------------------------------------------------------------------------- order */

/* The light of one slot. */
static void light_slot(const struct ref_gpu *gpu, struct scene *scene, uint32_t slot, struct sums *sums)
{
    scene->seen.slot = slot;
    look_at(scene->lighting, &scene->surface, &scene->lighting->lights[slot], &scene->seen);
    const struct factors factors = look_up_factors(scene);
    add_light(scene, &factors, sums);
    if (gpu->is_watched)
        record_light(gpu, scene, &factors, sums);
}

void ref_light(const struct ref_gpu *gpu, const struct ref_lighting *lighting, const struct ref_fragment *fragment,
               struct ref_sources *sources)
{
    struct sums sums = { .diffuse_alpha = 1.0f, .specular_alpha = 1.0f };
    struct scene scene = { .lighting = lighting };
    uint8_t *const primary = sources->colors[PICA_TEV_SOURCE_FRAGMENT_PRIMARY];
    uint8_t *const secondary = sources->colors[PICA_TEV_SOURCE_FRAGMENT_SECONDARY];
    surface_of(lighting, fragment, sources, &scene.surface);
    if (gpu->is_watched) {
        record_setting(gpu, &scene, fragment, sources);
        record_surface(gpu, &scene);
    }
    for (uint32_t slot = 0; slot < lighting->light_count; slot++)
        light_slot(gpu, &scene, slot, &sums);
    const float fresnel = table_or(&scene, REF_LUT_FR, 1.0f); /* of the last slot */
    apply_fresnel(lighting, fresnel, &sums);
    if (gpu->is_watched)
        record_fresnel(gpu, &scene, fresnel, &sums);
    finish(&scene, &sums);
    write_colors(lighting, &sums, primary, secondary);
    if (gpu->is_watched)
        record_colors(gpu, &sums, primary, secondary);
}
