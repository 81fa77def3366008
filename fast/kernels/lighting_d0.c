/* A d0 light (lighting_d0.h) whose look-up is by N.H, that is, a highlight. The terms are those of lighting_terms.h. */
#include "fast/kernels/interpolation.h"
#include "fast/kernels/lighting_d0.h"

/*
 * Software pipeline: each turn of the loop does one step for each of four cells, the furthest cell first. So a root, a
 * quotient or an index in memory has a turn or more to become ready before it is used. Cell by cell, every step would
 * wait for the one before, and the processor, which looks about 160 results ahead, would not reach the next cell.
 */
enum {
    WIDE = V_PARTS == 1, /* else a turn has so many operations that one is enough, and the first cache wants room */
    RING = WIDE ? 8 : 4, /* cells under way: a power of two above the last delay */
    /* The steps after the first one, in turns after it: */
    DELAY_VECTORS = WIDE ? 2 : 1,
    DELAY_PLACE = WIDE ? 4 : 2,
    DELAY_TERMS = WIDE ? 7 : 3
};

/* What a step passes on to later steps. */
struct work {
    v_f32 quaternion[4];
    v_f32 quaternion_length;
    struct vector view;
    v_f32 view_length;
    v_f32 distance;
    struct vector normal, half; /* N, Hf */
    v_f32 half_length;
    v_f32 light_normal; /* dot(Ld, N) */
    struct place place;
};

struct group {
    const struct fast_lighting *lighting;
    const struct fast_light *light;
    bool directional; /* the light is directional: decoding has computed Ld and dist */
    const struct fast_cell *cells;
    struct fast_pairs *primary, *secondary;
    uint32_t count;
    uint32_t unbounded; /* bit n: cell n is not bounded in a lane that matters */
    struct work work[RING];
};

static inline struct vector ray_of(const struct group *group, struct vector view)
{
    return add(splat(group->light->position), view);
}

/* LIT-10, ITP-12; the lengths of LIT-11 and LIT-15. */
static inline void find_lengths(struct group *group, uint32_t n)
{
    const struct fast_cell *cell = &group->cells[n];
    struct work *work = &group->work[n % RING];
    v_f32 in[4];
    for (uint32_t k = 0; k < 4; k++)
        work->quaternion[k] = in[k] = cell_attribute(cell, FAST_ATTRIBUTE_QUATERNION + k);
    work->quaternion_length = quaternion_length(in);
    const struct vector view = { cell_attribute(cell, FAST_ATTRIBUTE_VIEW),
                                 cell_attribute(cell, FAST_ATTRIBUTE_VIEW + 1),
                                 cell_attribute(cell, FAST_ATTRIBUTE_VIEW + 2) };
    work->view = view;
    work->view_length = length(view);
    if (!group->directional)
        work->distance = length(ray_of(group, view));
}

/* LIT-11 to LIT-15: N, Hf. */
static inline void find_vectors(struct group *group, uint32_t n)
{
    struct work *work = &group->work[n % RING];
    const struct quaternion q = unit_quaternion(work->quaternion, work->quaternion_length);
    const struct vector normal = rotate_z(&q);
    const struct vector view_n = divide(work->view, work->view_length);
    const struct vector direction =
        group->directional ? splat(group->light->direction) : divide(ray_of(group, work->view), work->distance);
    const struct vector half = add(view_n, direction);
    work->light_normal = dot(direction, normal);
    work->normal = normal;
    work->half = half;
    work->half_length = length(half);
}

/* LIT-18 to LIT-21, input 0. The probe is that of struct surface. */
static inline void place_highlight(struct group *group, uint32_t n)
{
    struct work *work = &group->work[n % RING];
    const v_f32 normal_half = dot(work->normal, divide(work->half, work->half_length));
    const v_f32 probe = v_f32_add(work->light_normal, normal_half);
    const v_mask finite = v_f32_lt(v_f32_abs(probe), v_f32_splat(INFINITY));
    group->unbounded |= (uint32_t)v_mask_any(v_mask_andnot(group->cells[n].alive, finite)) << n;
    place_input(&group->lighting->lookups[FAST_LUT_D0], group->light, normal_half, &work->place);
}

/* LIT-31 */
static inline void find_colors(struct group *group, uint32_t n)
{
    const struct work *work = &group->work[n % RING];
    finish_d0(group->lighting, fold_sides(group->light, work->light_normal), &work->place, &group->primary[n],
              &group->secondary[n]);
}

/* turn - DELAY wraps below 0 to a number that belongs to no cell. */
static inline void light_group(struct group *group)
{
    const uint32_t count = group->count;
    for (uint32_t turn = 0; turn < count + DELAY_TERMS; turn++) {
        if (turn - DELAY_TERMS < count)
            find_colors(group, turn - DELAY_TERMS);
        if (turn - DELAY_PLACE < count)
            place_highlight(group, turn - DELAY_PLACE);
        if (turn - DELAY_VECTORS < count)
            find_vectors(group, turn - DELAY_VECTORS);
        if (turn < count)
            find_lengths(group, turn);
    }
}

uint32_t FAST_ISA(fast_light_d0_cells)(const struct fast_lighting *lighting, const struct fast_cell *cells,
                                       uint32_t count, struct fast_cell_colors *primary,
                                       struct fast_cell_colors *secondary)
{
    struct group group;
    group.lighting = lighting;
    group.light = &lighting->lights[0];
    group.directional = group.light->directional;
    group.cells = cells;
    group.primary = primary->of;
    group.secondary = secondary->of;
    group.count = count;
    group.unbounded = 0;
    light_group(&group);
    return group.unbounded;
}
