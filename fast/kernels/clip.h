/*
 * Which of 16 vertices are inside of all planes (CLP-01 to CLP-05), and which triangles vanish at the first plane that
 * cuts them (CLP-09). Nothing is cut here: that is for tiles/clip.c. Part of kernels/set_up.c.
 */
#ifndef FAST_KERNELS_CLIP_H
#define FAST_KERNELS_CLIP_H

#include "fast/draw/fragment_state.h"
#include "fast/simd/simd.h"
#include "fast/tiles/raster_set_up.h"

/* CLP-05: NaN is outside. */
static inline v_mask is_inside(v_f32 distance)
{
    return v_f32_ge(distance, v_f32_splat(-1e-8f));
}

/*
 * CLP-01, CLP-04 without plane 7, which w > 0 implies. If w is finite, so is what passes (CLP-02); then the products
 * of plane 8 are IEEE products. A draw whose plane is not finite never gets here.
 */
static inline v_mask inside_volume(const struct fast_fragment_state *state, v_f32 x, v_f32 y, v_f32 z, v_f32 w)
{
    v_mask inside = v_mask_and(is_inside(v_f32_sub(w, x)), is_inside(v_f32_add(w, x)));
    inside = v_mask_and(inside, v_mask_and(is_inside(v_f32_sub(w, y)), is_inside(v_f32_add(w, y))));
    inside = v_mask_and(inside, v_mask_and(is_inside(v_f32_neg(z)), is_inside(v_f32_add(w, z))));
    if (state->user_plane) {
        const float *plane = state->plane;
        const v_f32 two = v_f32_add(v_f32_mul(v_f32_splat(plane[0]), x), v_f32_mul(v_f32_splat(plane[1]), y));
        const v_f32 three = v_f32_add(two, v_f32_mul(v_f32_splat(plane[2]), z));
        inside = v_mask_and(inside, is_inside(v_f32_add(three, v_f32_mul(v_f32_splat(plane[3]), w))));
    }
    return inside;
}

/* Bits of |a|: they are in the order of the numbers, and NaN is above all. */
static inline v_u32 magnitude_bits(v_f32 a)
{
    return v_u32_and(v_u32_from_f32_bits(a), v_u32_splat(0x7fffffffu));
}

static inline v_u32 bit_if_outside(v_f32 distance, uint32_t bit)
{
    return v_u32_select(is_inside(distance), v_u32_splat(0), v_u32_splat(bit));
}

static inline v_mask is_unfit(v_u32 place)
{
    return v_u32_eq(v_u32_and(place, v_u32_splat(0xFFFFu)), v_u32_splat(FAST_PLACE_UNFIT));
}

/* The place of an unfit vertex: a bit for each plane 0-5, in the order of CLP-04, that it is outside of. */
static inline v_u32 unfit_place(v_f32 x, v_f32 y, v_f32 z, v_f32 w)
{
    const uint32_t first = FAST_PLACE_FIRST_PLANE;
    const v_u32 right = bit_if_outside(v_f32_sub(w, x), first), left = bit_if_outside(v_f32_add(w, x), first << 1);
    const v_u32 top = bit_if_outside(v_f32_sub(w, y), first << 2), bottom = bit_if_outside(v_f32_add(w, y), first << 3);
    const v_u32 near = bit_if_outside(v_f32_neg(z), first << 4), far = bit_if_outside(v_f32_add(w, z), first << 5);
    const v_u32 planes = v_u32_or(v_u32_or(v_u32_or(right, left), v_u32_or(top, bottom)), v_u32_or(near, far));
    const v_u32 size =
        v_u32_max(v_u32_max(magnitude_bits(x), magnitude_bits(y)), v_u32_max(magnitude_bits(z), magnitude_bits(w)));
    const v_mask finite = v_u32_lt(size, v_u32_splat(0x7f800000u)); /* CLP-02 */
    return v_u32_or(v_u32_select(finite, planes, v_u32_splat(0)), v_u32_splat(FAST_PLACE_UNFIT));
}

/*
 * CLP-09 for 16 triangles, from the words of their corners: the first plane that cuts gets the original corners; if it
 * leaves none, there is nothing to draw. `some` has the bits of any corner, `all` those of every one.
 */
static inline v_mask vanish_at_once(v_u32 some, v_u32 all)
{
    const v_u32 planes = v_u32_and(some, v_u32_splat((FAST_PLACE_FIRST_PLANE << 6) - FAST_PLACE_FIRST_PLANE));
    const v_u32 first = v_u32_and(planes, v_u32_sub(v_u32_splat(0), planes));
    return v_u32_ne(v_u32_and(all, first), v_u32_splat(0));
}

#endif
