/* Fragment lighting (50 section 1) on the quick way: several blocks at a time, step by step. */
#include "fast/kernels/interpolation.h"
#include "fast/kernels/lighting_d0.h"
#include "fast/kernels/lighting.h"

/*
 * Number of cells processed together: enough for their chains of dependent operations to overlap, few enough to stay in
 * the first-level cache. Results are stored and loaded between steps, so there are few steps. But no step has more
 * operations than the processor looks ahead (some 160 results), so the next cell can start before this one is done.
 */
enum {
    GROUP = 8
};

struct group {
    const struct fast_lighting *lighting;
    const struct fast_cell *cells;
    uint32_t count;
    struct shadow shadow;
    struct surface surfaces[GROUP]; /* what later steps use */
    struct incidence incidences[GROUP];
    struct place places[GROUP][LOOKUPS];
    struct sums sums[GROUP];
};

/* LIT-10; ITP-12. */
static inline struct surface find_surface(const struct group *group, uint32_t n)
{
    const struct fast_cell *cell = &group->cells[n];
    struct surface surface;
    v_f32 quaternion[4], view[3];
    for (uint32_t k = 0; k < 4; k++)
        quaternion[k] = cell_attribute(cell, FAST_ATTRIBUTE_QUATERNION + k);
    for (uint32_t k = 0; k < 3; k++)
        view[k] = cell_attribute(cell, FAST_ATTRIBUTE_VIEW + k);
    surface.bounded = true;
    find_normal(group->lighting, NULL, quaternion, NULL, &surface);
    find_view(group->lighting, view, &surface);
    return surface;
}

/*
 * Stores only what find_inputs and further lights use, because a store takes longer than computing most of these
 * values.
 */
static inline void keep_surface(const struct fast_lighting *lighting, const struct surface *surface,
                                struct surface *kept)
{
    const bool lights_follow = lighting->light_count > 1;
    kept->bounded = true;
    kept->probe = surface->probe;
    kept->normal = surface->normal;
    if (lighting->inputs >> PICA_LUT_INPUT_COS_PHI & 1)
        kept->tangent = surface->tangent;
    if (lights_follow)
        kept->view = surface->view;
    if (lights_follow || lighting->inputs != 1u << PICA_LUT_INPUT_NORMAL_HALF)
        kept->view_n = surface->view_n;
}

static void find_incidences(struct group *group, uint32_t slot)
{
    for (uint32_t n = 0; n < group->count; n++) {
        struct incidence *at = &group->incidences[n];
        struct surface surface = slot == 0 ? find_surface(group, n) : group->surfaces[n];
        at->lighting = group->lighting;
        at->light = &group->lighting->lights[slot];
        at->block = NULL;
        at->slot = slot;
        find_direction(&surface, at);
        keep_surface(group->lighting, &surface, &group->surfaces[n]);
    }
}

/* Stores the indices of all blocks, before the first look-up loads any of them. */
static void place_lookups(struct group *group)
{
    const uint32_t lookups = lookups_of(&group->incidences[0]);
    for (uint32_t n = 0; n < group->count; n++) {
        struct incidence *at = &group->incidences[n];
        find_inputs(&group->surfaces[n], at);
        for (uint32_t number = 0; lookups >> number != 0u; number++)
            if ((lookups >> number & 1u) != 0u)
                place_lookup(&group->surfaces[n], at, number, &group->places[n][number]);
    }
}

static inline struct fast_pairs light_pairs(struct vector color, v_f32 alpha, bool opaque)
{
    const v_i32 a = opaque ? v_i32_splat(255) : light_byte(alpha);
    return (struct fast_pairs){ v_u32_from_i32(v_i32_or(light_byte(color.x), v_i32_shl(light_byte(color.z), 16))),
                                v_u32_from_i32(v_i32_or(light_byte(color.y), v_i32_shl(a, 16))) };
}

static void finish_d0_cells(const struct group *group, struct fast_pairs *primary, struct fast_pairs *secondary)
{
    for (uint32_t n = 0; n < group->count; n++)
        finish_d0(group->lighting, group->incidences[n].normal_light, &group->places[n][FAST_LUT_D0], &primary[n],
                  &secondary[n]);
}

/* Loads the parts of a light that its terms use, so that they stay in registers. */
static inline struct incidence load_incidence(const struct group *group, uint32_t n, uint32_t slot)
{
    const struct fast_lighting *lighting = group->lighting;
    struct incidence at;
    at.lighting = lighting;
    at.light = &lighting->lights[slot];
    at.block = NULL;
    at.slot = slot;
    at.bounded = true;
    at.normal_light = group->incidences[n].normal_light;
    at.half = lighting->needs_view ? group->incidences[n].half : constant(0.0f, 0.0f, 0.0f);
    return at;
}

static inline void finish_cell(const struct group *group, struct sums *sums, struct fast_pairs *primary,
                               struct fast_pairs *secondary)
{
    const struct fast_lighting *lighting = group->lighting;
    finish(lighting, &group->shadow, sums);
    if (lighting->primary)
        *primary = light_pairs(sums->diffuse, sums->diffuse_alpha, lighting->primary_is_opaque);
    if (lighting->secondary)
        *secondary = light_pairs(sums->specular, sums->specular_alpha, lighting->secondary_is_opaque);
}

/* Adds one light to the sums; after the last light, also computes the results. */
static void add_lights(struct group *group, uint32_t slot, struct fast_pairs *primary, struct fast_pairs *secondary)
{
    const uint32_t lookups = lookups_of(&group->incidences[0]);
    const v_f32 one = v_f32_splat(1.0f);
    const struct sums none = { constant(0.0f, 0.0f, 0.0f), constant(0.0f, 0.0f, 0.0f), one, one };
    for (uint32_t n = 0; n < group->count; n++) {
        struct incidence at = load_incidence(group, n, slot);
        struct sums sums = slot == 0 ? none : group->sums[n];
        for (uint32_t number = 0; number < LOOKUPS; number++)
            if ((lookups >> number & 1u) != 0u)
                look_up(&at, number, &group->places[n][number]);
        add_light(&group->shadow, &at, &sums);
        if (slot + 1 == group->lighting->light_count) {
            apply_fresnel(&at, &sums);
            finish_cell(group, &sums, &primary[n], &secondary[n]);
        } else {
            group->sums[n] = sums;
        }
    }
}

/* Bit n: block n of the group is not bounded in a lane that matters. */
static uint32_t find_unbounded(const struct group *group)
{
    const v_f32 infinity = v_f32_splat(INFINITY);
    uint32_t unbounded = 0;
    for (uint32_t n = 0; n < group->count; n++) {
        const v_mask finite = v_f32_lt(v_f32_abs(group->surfaces[n].probe), infinity);
        unbounded |= (uint32_t)v_mask_any(v_mask_andnot(group->cells[n].alive, finite)) << n;
    }
    return unbounded;
}

uint32_t FAST_ISA(fast_light_cells)(const struct fast_lighting *lighting, const struct fast_cell *cells, uint32_t count,
                                    struct fast_cell_colors *primary, struct fast_cell_colors *secondary)
{
    const bool d0_light = is_d0_light(lighting);
    if (d0_light && lighting->lookups[FAST_LUT_D0].input == PICA_LUT_INPUT_NORMAL_HALF)
        return FAST_ISA(fast_light_d0_cells)(lighting, cells, count, primary, secondary);
    struct group group;
    uint32_t unbounded = 0;
    group.lighting = lighting;
    group.shadow = find_shadow(lighting, NULL);
    for (uint32_t first = 0; first < count; first += GROUP) {
        group.cells = cells + first;
        group.count = count - first < GROUP ? count - first : GROUP;
        for (uint32_t slot = 0; slot < lighting->light_count; slot++) {
            find_incidences(&group, slot);
            place_lookups(&group);
            if (d0_light)
                finish_d0_cells(&group, primary->of + first, secondary->of + first);
            else
                add_lights(&group, slot, primary->of + first, secondary->of + first);
        }
        unbounded |= find_unbounded(&group) << first;
    }
    return unbounded;
}
