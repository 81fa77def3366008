/* Fragment lighting (50 section 1) on the quick way: several blocks, step by step. */
#include "fast/kernels/light_terms.h"
#include "fast/kernels/stage_cells.h"

/* So many blocks at a time: enough for their chains of operations to overlap, few enough to stay in the first cache. */
enum {
    GROUP = 4
};

struct group {
    const struct fast_lighting *lighting;
    const struct fast_cell *cells;
    uint32_t count;
    struct shadow shadow;
    struct surface surfaces[GROUP];
    struct incidence incidences[GROUP];
    struct sums sums[GROUP];
};

/* LIT-10; ITP-12. */
static void find_surfaces(struct group *group)
{
    for (uint32_t n = 0; n < group->count; n++) {
        v_f32 quaternion[4];
        for (uint32_t k = 0; k < 4; k++)
            quaternion[k] = fast_cell_attribute(&group->cells[n], FAST_ATTRIBUTE_QUATERNION + k);
        group->surfaces[n].tame = true;
        find_normal(group->lighting, NULL, quaternion, NULL, &group->surfaces[n]);
    }
    for (uint32_t n = 0; n < group->count; n++) {
        v_f32 view[3];
        for (uint32_t k = 0; k < 3; k++)
            view[k] = fast_cell_attribute(&group->cells[n], FAST_ATTRIBUTE_VIEW + k);
        find_view(group->lighting, view, &group->surfaces[n]);
    }
}

static void find_incidences(struct group *group, uint32_t slot)
{
    for (uint32_t n = 0; n < group->count; n++) {
        struct incidence *at = &group->incidences[n];
        at->lighting = group->lighting;
        at->light = &group->lighting->lights[slot];
        at->block = NULL;
        at->slot = slot;
        find_direction(&group->surfaces[n], at);
    }
    for (uint32_t n = 0; n < group->count; n++)
        find_inputs(&group->surfaces[n], &group->incidences[n]);
}

static struct fast_pairs light_pairs(struct vector color, v_f32 alpha, bool opaque)
{
    const v_i32 a = opaque ? v_i32_splat(255) : light_byte(alpha);
    return (struct fast_pairs){ v_u32_from_i32(v_i32_or(light_byte(color.x), v_i32_shl(light_byte(color.z), 16))),
                                v_u32_from_i32(v_i32_or(light_byte(color.y), v_i32_shl(a, 16))) };
}

/* Adds a light that is not the last one. */
static void add_one(struct group *group)
{
    for (uint32_t n = 0; n < group->count; n++)
        add_light(&group->surfaces[n], &group->shadow, &group->incidences[n], &group->sums[n]);
}

static void add_last(struct group *group, struct fast_pairs *primary, struct fast_pairs *secondary)
{
    const struct fast_lighting *lighting = group->lighting;
    for (uint32_t n = 0; n < group->count; n++) {
        struct sums sums = group->sums[n];
        add_light(&group->surfaces[n], &group->shadow, &group->incidences[n], &sums);
        apply_fresnel(&group->incidences[n], &sums);
        finish(lighting, &group->shadow, &sums);
        if (lighting->primary)
            primary[n] = light_pairs(sums.diffuse, sums.diffuse_alpha, lighting->primary_is_opaque);
        if (lighting->secondary)
            secondary[n] = light_pairs(sums.specular, sums.specular_alpha, lighting->secondary_is_opaque);
    }
}

/* Which blocks of a group are not tame in a lane that matters. */
static uint32_t find_wild(const struct group *group)
{
    const v_f32 infinity = v_f32_splat(INFINITY);
    uint32_t wild = 0;
    for (uint32_t n = 0; n < group->count; n++) {
        const v_mask finite = v_f32_lt(v_f32_abs(group->surfaces[n].probe), infinity);
        wild |= (uint32_t)v_mask_any(v_mask_andnot(group->cells[n].alive, finite)) << n;
    }
    return wild;
}

uint32_t FAST_ISA(fast_light_cells)(const struct fast_lighting *lighting, const struct fast_cell *cells, uint32_t count,
                                    struct fast_cell_colors *primary, struct fast_cell_colors *secondary)
{
    const v_f32 one = v_f32_splat(1.0f);
    const struct sums none = { constant(0.0f, 0.0f, 0.0f), constant(0.0f, 0.0f, 0.0f), one, one };
    struct group group;
    uint32_t wild = 0;
    group.lighting = lighting;
    group.shadow = find_shadow(lighting, NULL);
    for (uint32_t first = 0; first < count; first += GROUP) {
        group.cells = cells + first;
        group.count = count - first < GROUP ? count - first : GROUP;
        find_surfaces(&group);
        for (uint32_t n = 0; n < group.count; n++)
            group.sums[n] = none;
        for (uint32_t slot = 0; slot + 1 < lighting->light_count; slot++) {
            find_incidences(&group, slot);
            add_one(&group);
        }
        find_incidences(&group, lighting->light_count - 1);
        add_last(&group, primary->of + first, secondary->of + first);
        wild |= find_wild(&group) << first;
    }
    return wild;
}
