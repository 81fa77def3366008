/*
 * Projects vertices onto the screen and turns triangles into edge functions, 16 at a time, if they are ordinary:
 * nothing to clip, no events other than those of the box, coordinates of 16 bits. All others are marked "unfit" here,
 * and tiles/raster_set_up.c sets them up one by one. The arithmetic is in clip.h, viewport.h, cull.h and
 * raster_set_up.h.
 */
#include "fast/tiles/raster_set_up.h"

#include "fast/kernels.h"
#include "fast/kernels/clip.h"
#include "fast/kernels/cull.h"
#include "fast/kernels/raster_set_up.h"
#include "fast/kernels/viewport.h"

/* --------------------------------------------------------------------------------------------------------- vertices */

/*
 * VPT-01 to VPT-03 for the positions of a block. All products are IEEE products: positions are finite, r is neither 0
 * nor infinite where the vertex is fit, and a draw whose viewport is not finite never gets here. A vertex whose `units`
 * overflow is unfit. The limits 2^-60 and 2^60 are those of fast_triangle.ieee; 1/w above 2^-60 also means 0 < w <
 * infinity.
 */
static void project(const struct fast_fragment_state *state, const float *block, float *screen, uint32_t *place)
{
    const v_f32 x = slot(block, 0);
    const v_f32 y = slot(block, 1);
    const v_f32 z = slot(block, 2);
    const v_f32 w = slot(block, 3);
    const v_f32 r = v_f32_div(v_f32_splat(1.0f), w);
    const struct screen_units units = find_units(state, v_f32_mul(x, r), v_f32_mul(y, r));
    v_f32_store(screen + FAST_SCREEN_Z * FAST_LANES, v_f32_mul(z, r));
    v_f32_store(screen + FAST_SCREEN_INVERSE_W * FAST_LANES, r);

    v_mask fit = inside_volume(state, x, y, z, w);
    fit = v_mask_and(fit, v_mask_and(v_f32_ge(r, v_f32_splat(0x1p-60f)), v_f32_le(r, v_f32_splat(0x1p60f))));
    fit = v_mask_and(fit, v_f32_le(v_f32_abs(units.x), v_f32_splat(32767.0f)));
    fit = v_mask_and(fit, v_f32_le(v_f32_abs(units.y), v_f32_splat(16383.0f)));
    const v_u32 low = v_u32_and(v_u32_from_i32(snap(units.x)), v_u32_splat(0xFFFFu));
    const v_u32 high = v_u32_shl(v_u32_from_i32(snap(units.y)), FAST_PLACE_Y_SHIFT);
    v_u32_store(place, v_u32_select(fit, v_u32_or(low, high), unfit_place(x, y, z, w)));
}

/*
 * VPT-01 for the attributes of a block that has been projected. A vertex that becomes unfit because of its attributes
 * is inside all planes, and its place says so.
 */
static void scale(uint32_t needs, const float *block, float *screen, uint32_t *place)
{
    struct limits limits = { v_u32_splat(0), v_mask_all_lanes() };
    for (uint32_t i = 0; i < sizeof slot_ranges / sizeof slot_ranges[0]; i++)
        if ((needs & slot_ranges[i].need) != 0u)
            scale_slots(&slot_ranges[i], block, screen, &limits);
    const v_u32 words = v_u32_load(place);
    const v_mask stays = v_u32_le(limits.greatest, v_u32_splat(0x5d800000u)); /* 2^60 */
    const v_u32 unbounded = v_u32_select(limits.bounded, v_u32_splat(0), v_u32_splat(FAST_PLACE_UNBOUNDED));
    const v_u32 fit = v_u32_select(stays, v_u32_or(words, unbounded), v_u32_splat(FAST_PLACE_UNFIT));
    v_u32_store(place, v_u32_select(is_unfit(words), words, fit));
}

/* -------------------------------------------------------------------------------------------------------- triangles */

/*
 * A vertex is named by its offset in the pool, block * FAST_BLOCK_FLOATS + lane = block * 3 * 128 + lane. So offset >>
 * 7 is 3 * block, and 3 * block * 171 >> 9 = block * 513 >> 9 is block for up to 511 blocks.
 */
static inline v_u32 load_place(const uint32_t *place, const uint32_t *corner)
{
    const v_u32 offset = v_u32_load(corner);
    const v_u32 block = v_u32_shr(v_u32_mul(v_u32_shr(offset, 7), v_u32_splat(171)), 9);
    const v_u32 number = v_u32_add(v_u32_shl(block, 4), v_u32_and(offset, v_u32_splat(15)));
    return v_u32_gather(v_u32_splat(0), v_mask_all_lanes(), place, v_i32_from_u32(number));
}

static inline void load_corners(struct set_up *s, const uint32_t *place, const uint32_t *const corner[3])
{
    for (uint32_t k = 0; k < 3u; k++) {
        const v_u32 word = load_place(place, corner[k]);
        const v_i32 both = v_i32_from_u32(word);
        const v_mask unfit = is_unfit(word);
        s->corners[k] = (struct corner){ v_i32_shr(v_i32_shl(both, 16), 16), v_i32_shr(both, FAST_PLACE_Y_SHIFT) };
        s->some_bits = k == 0u ? word : v_u32_or(s->some_bits, word);
        s->fit = k == 0u ? v_mask_not(unfit) : v_mask_andnot(s->fit, unfit);
        s->fit_once = k == 0u ? s->fit : v_mask_or(s->fit_once, v_mask_not(unfit));
        s->all_bits = k == 0u ? word : v_u32_and(s->all_bits, word);
    }
}

/*
 * Selects triangles while only positions are known. A triangle that is culled, or vanishes at the first plane that cuts
 * it, has no effect at all. One whose box has no pixel even before scissor and framebuffer cut it records no event of
 * the box (RST-05). Attributes may make a vertex unfit later, but that changes nothing here: setting up single
 * triangles decides these cases in the same way, and a plane decides only if all three corners are outside of it.
 */
static void select_triangles(const struct fast_fragment_state *state, const uint32_t *place,
                             const uint32_t *const corner[3], struct fast_selection *out)
{
    struct set_up s = { .state = state };
    load_corners(&s, place, corner);
    const struct box box = find_box(&s);
    const v_mask kept = v_mask_and(s.fit, cull(state, s.corners).kept);
    const v_mask empty = v_mask_andnot(kept, box_holds_pixels(&box));
    const v_mask vanishes = v_mask_andnot(vanish_at_once(s.some_bits, s.all_bits), s.fit_once);
    const v_mask single = v_mask_not(v_mask_or(s.fit, vanishes));
    out->empty = v_mask_bits(empty);
    out->left = v_mask_bits(v_mask_or(single, v_mask_andnot(kept, empty)));
}

/* Sections 3 and 4 of 30 for 16 triangles. */
static void set_up(const struct fast_fragment_state *state, const struct fast_bin_layout *layout, const uint32_t *place,
                   const uint32_t *const corner[3], struct fast_triangle_batch *out)
{
    const struct fast_box frame = { 0, 0, (int32_t)state->width - 1, (int32_t)state->height - 1 };
    struct set_up s = { .state = state };
    load_corners(&s, place, corner);
    const struct box whole = find_box(&s);
    const struct box cut = state->scissor_inside ? cut_box(&whole, &state->scissor) : whole;
    const struct box box = cut_box(&cut, &frame);
    const struct facing facing = cull(state, s.corners);
    s.sum = facing.area; /* find_edge adds the biases */
    for (uint32_t i = 0; i < 3u; i++)
        find_edge(&s, i);
    s.rows[FAST_HEAD_AREA] = v_u32_from_f32_bits(v_f32_from_i32(s.sum)); /* ITP-10 */
    put_box(&s, &box);
    s.rows[14] = s.rows[15] = v_u32_splat(0);
    v_u32_store_columns(&out->head[0][0], FAST_HEAD_WORDS, &s.rows[0]);
    v_u32_store_columns(&out->head[0][8], FAST_HEAD_WORDS, &s.rows[8]);

    const v_i32 one = v_i32_splat(1);
    const v_i32 width = v_i32_add(v_i32_sub(box.right, box.left), one);
    const v_i32 height = v_i32_add(v_i32_sub(box.top, box.bottom), one);
    const v_mask kept = v_mask_and(s.fit, facing.kept);
    const v_mask counted = v_mask_and(kept, box_holds_pixels(&box));
    const v_mask leaves = v_mask_andnot(box_holds_pixels(&cut), boxes_same(&cut, &box));
    v_i32_store(out->pixels, v_i32_mul(width, height));
    const v_mask vanishes = v_mask_andnot(vanish_at_once(s.some_bits, s.all_bits), s.fit_once);
    out->unfit = v_mask_bits(v_mask_not(v_mask_or(s.fit, vanishes)));
    out->kept = v_mask_bits(kept);
    out->outside = v_mask_bits(v_mask_and(kept, leaves));
    out->counted = v_mask_bits(counted);
    out->covers = v_mask_bits(v_mask_and(counted, v_i32_gt(s.sum, v_i32_splat(0))));
    out->turned = v_mask_bits(facing.turned);
    const v_mask bounded = v_u32_eq(v_u32_and(s.some_bits, v_u32_splat(FAST_PLACE_UNBOUNDED)), v_u32_splat(0));
    out->bounded = v_mask_bits(bounded);
    const v_mask uncut = boxes_same(&whole, &box);
    out->uncut = v_mask_bits(uncut);
    find_entries(&s, layout, v_mask_and(uncut, counted), bounded, out);
}

void FAST_ISA(fast_fill_set_up)(struct fast_kernels *kernels);

void FAST_ISA(fast_fill_set_up)(struct fast_kernels *kernels)
{
    kernels->project = project;
    kernels->select = select_triangles;
    kernels->scale = scale;
    kernels->set_up = set_up;
}
