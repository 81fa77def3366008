/*
 * Draws 4x4 blocks: coverage, interpolation, tests, blending, stores. 16 lanes are 16 consecutive pixels of both
 * surfaces, in Morton order (FBF-07). FBF-21 is the order of the steps; the tests go before the shading where nobody
 * can see the difference (TEV-02: shading has no side effects).
 */
#include "fast/block.h"
#include "fast/kernels.h"
#include "fast/raster_state.h"
#include "fast/kernels/trace_hooks.h"

/* Where blending finds its operands (BLD-01): S, D, K and what else a factor can be. */
struct operands {
    struct fast_colors source, dest;
    v_u16 constant[4];
    v_u16 zero, saturate;
};

/* A factor of one channel: *vector ^ flip. */
struct factor {
    const v_u16 *vector;
    v_u16 flip;
};

/*
 * What is the same for all blocks of a draw, and of one triangle. State is copied here because stores of pixels could
 * change anything that a pointer leads to, as far as the compiler knows.
 */
struct setting {
    const struct fast_raster_state *raster;
    const struct fast_shading_state *shading;
    const struct fast_triangle *triangle;
    uint32_t needs;
    bool interpolates_depth, needs_depth, fog;
    bool alpha_test;
    bool depth_accessed, depth_written;
    bool color_written; /* always, unless the draw is traced */
    struct fast_tracer *tracer;
    struct fast_depth_state depth;
    struct fast_stencil_state stencil;
    struct fast_color_state color;
    struct fast_blend_state blend;
    uint32_t color_bytes;
    v_i32 lane_x, lane_row;
    v_i32 step[3]; /* weight of each lane, relative to lane 0 */
    struct operands *operands;
    struct factor source_factor[4], dest_factor[4];
    bool saturates; /* some factor is FAST_BLEND_SATURATE */
};

/* FBF-23 */
static inline v_mask compare(enum pica_compare_func function, v_u32 a, v_u32 b)
{
    switch (function) {
    case PICA_COMPARE_FUNC_NEVER: return v_mask_none();
    case PICA_COMPARE_FUNC_ALWAYS: return v_mask_all_lanes();
    case PICA_COMPARE_FUNC_EQUAL: return v_u32_eq(a, b);
    case PICA_COMPARE_FUNC_NOT_EQUAL: return v_u32_ne(a, b);
    case PICA_COMPARE_FUNC_LESS: return v_u32_lt(a, b);
    case PICA_COMPARE_FUNC_LESS_EQUAL: return v_u32_le(a, b);
    case PICA_COMPARE_FUNC_GREATER: return v_u32_gt(a, b);
    case PICA_COMPARE_FUNC_GREATER_EQUAL: return v_u32_ge(a, b);
    }
    return v_mask_none(); /* not reached: three bits */
}

/* --------------------------------------------------------------------------------------------------------- coverage */

/* Lanes inside a box of columns and memory rows. */
static inline v_mask lanes_in_box(const struct setting *setting, const struct fast_block_item *item, int32_t left,
                                  int32_t first_row, int32_t right, int32_t last_row)
{
    const v_i32 x = v_i32_add(setting->lane_x, v_i32_splat(item->column));
    const v_i32 row = v_i32_add(setting->lane_row, v_i32_splat(item->row));
    const v_mask columns = v_mask_and(v_i32_ge(x, v_i32_splat(left)), v_i32_le(x, v_i32_splat(right)));
    const v_mask rows = v_mask_and(v_i32_ge(row, v_i32_splat(first_row)), v_i32_le(row, v_i32_splat(last_row)));
    return v_mask_and(columns, rows);
}

static inline int64_t block_weight(const struct fast_triangle *triangle, const struct fast_block_item *item, int edge)
{
    return triangle->weight[edge] + (int64_t)item->column * triangle->step_x[edge] +
           (int64_t)item->row * triangle->step_row[edge];
}

/* The lane of the traced pixel, if the block has it. */
static inline void find_traced_lane(const struct setting *setting, const struct fast_block_item *item,
                                    struct fast_block *block)
{
    if (!FAST_TRACING)
        return;
    const uint32_t column = setting->tracer->column - item->column;
    const uint32_t row = setting->tracer->row - item->row;
    block->tracer = column < 4u && row < 4u ? setting->tracer : NULL;
    if (block->tracer != NULL)
        block->tracer->lane = (column & 1u) | (row & 1u) << 1 | (column & 2u) << 1 | (row & 2u) << 2;
}

/* RST-03, RST-04, ITP-10 with weights that fit 32 bits. */
static inline v_mask cover_narrow(const struct setting *setting, const struct fast_block_item *item,
                                  struct fast_block *block)
{
    v_i32 weights[3];
    for (int i = 0; i < 3; i++) {
        weights[i] = v_i32_add(v_i32_splat((int32_t)block_weight(setting->triangle, item, i)), setting->step[i]);
        block->weight[i] = v_f32_from_i32(weights[i]);
        if (traces(block))
            block->tracer->weights[i] = simd_i32_from_bits(lane_of_i32(block->tracer, weights[i]));
    }
    if (item->inside)
        return v_mask_all_lanes();
    return v_i32_ge(v_i32_or(v_i32_or(weights[0], weights[1]), weights[2]), v_i32_splat(0));
}

/* The same with weights of up to 40 bits, for triangles beyond 2^30 units of area: rare, lane by lane. */
static inline v_mask cover_wide(const struct setting *setting, const struct fast_block_item *item,
                                struct fast_block *block)
{
    uint32_t covered = 0xFFFFu;
    int32_t steps[V_LANES];
    float values[V_LANES];
    for (int i = 0; i < 3; i++) {
        const int64_t base = block_weight(setting->triangle, item, i);
        v_i32_store(steps, setting->step[i]);
        for (uint32_t lane = 0; lane < V_LANES; lane++) {
            const int64_t weight = base + steps[lane];
            values[lane] = (float)weight;
            if (weight < 0)
                covered &= ~(1u << lane);
            if (traces(block) && block->tracer->lane == lane)
                block->tracer->weights[i] = weight;
        }
        block->weight[i] = v_f32_load(values);
    }
    return v_mask_from_bits(covered);
}

/* Step 1 of FBF-21: edges, framebuffer and scissor (SCS-01: mode 3 is in the triangle's box already). */
static inline v_mask cover(const struct setting *setting, const struct fast_block_item *item, struct fast_block *block)
{
    const struct fast_triangle *triangle = setting->triangle;
    const struct fast_raster_state *raster = setting->raster;
    v_mask mask = triangle->narrow ? cover_narrow(setting, item, block) : cover_wide(setting, item, block);
    if (!item->whole)
        mask = v_mask_and(mask, lanes_in_box(setting, item, triangle->left, triangle->first_row, triangle->right,
                                             triangle->last_row));
    if (raster->scissor_outside) {
        const struct fast_box *box = &raster->scissor_memory;
        mask = v_mask_andnot(mask, lanes_in_box(setting, item, box->left, box->bottom, box->right, box->top));
    }
    return mask;
}

/* ---------------------------------------------------------------------------------------------------- interpolation */

/* ITP-02, GEN-03. */
static inline v_f32 product(bool plain, v_f32 a, v_f32 b)
{
    return plain ? v_f32_mul(a, b) : v_f32_mul_pica(a, b);
}

static inline v_f32 weighted_sum(bool plain, const float values[3], const v_f32 weights[3])
{
    const v_f32 first = product(plain, v_f32_splat(values[0]), weights[0]);
    const v_f32 second = product(plain, v_f32_splat(values[1]), weights[1]);
    const v_f32 third = product(plain, v_f32_splat(values[2]), weights[2]);
    return v_f32_add(v_f32_add(first, second), third);
}

/* ITP-12 */
static inline void interpolate(bool plain, const struct fast_block *block, enum fast_attribute attribute, int count,
                               v_f32 *out)
{
    for (int k = 0; k < count; k++)
        out[k] = product(plain, weighted_sum(plain, block->triangle->attribute[(int)attribute + k], block->weight),
                         block->q);
}

/* ITP-13 */
static inline void interpolate_color(bool plain, struct fast_block *block)
{
    v_f32 values[4];
    interpolate(plain, block, FAST_ATTRIBUTE_COLOR, 4, values);
    for (int k = 0; k < 4; k++) {
        const v_f32 scaled = v_f32_mul(values[k], v_f32_splat(255.0f));
        const v_f32 limited = v_f32_sat(scaled, v_f32_splat(0.0f), v_f32_splat(255.0f));
        block->color[k] = v_u16_from_i32(v_i32_rha_positive(limited));
    }
}

/* ITP-11 */
static inline void interpolate_q(bool plain, struct fast_block *block)
{
    block->q = v_f32_div(v_f32_splat(1.0f), weighted_sum(plain, block->triangle->inverse_w, block->weight));
}

/* ITP-14, ITP-15, ITP-16, ITP-06: plain products; clamp01 hides NaN. */
static inline void interpolate_depth(const struct setting *setting, struct fast_block *block)
{
    const struct fast_raster_state *raster = setting->raster;
    const v_f32 area = v_f32_splat(block->triangle->area);
    const v_f32 z = v_f32_div(weighted_sum(true, block->triangle->z, block->weight), area);
    v_f32 depth = v_f32_add(v_f32_mul(z, v_f32_splat(raster->depth_scale)), v_f32_splat(raster->depth_offset));
    if (!raster->z_buffer)
        depth = v_f32_mul(depth, v_f32_mul(block->q, area));
    block->depth = v_f32_clamp01(depth);
}

/* ITP-12 for what the shading reads. */
static inline void interpolate_attributes(bool plain, uint32_t needs, struct fast_block *block)
{
    if ((needs & FAST_NEED_QUATERNION) != 0u)
        interpolate(plain, block, FAST_ATTRIBUTE_QUATERNION, 4, block->quaternion);
    if ((needs & FAST_NEED_COLOR) != 0u)
        interpolate_color(plain, block);
    if ((needs & FAST_NEED_TEXCOORD0) != 0u)
        interpolate(plain, block, FAST_ATTRIBUTE_TEXCOORD0, 2, block->texcoord0);
    if ((needs & FAST_NEED_TEXCOORD0_W) != 0u)
        interpolate(plain, block, FAST_ATTRIBUTE_TEXCOORD0_W, 1, &block->texcoord0[2]);
    if ((needs & FAST_NEED_TEXCOORD1) != 0u)
        interpolate(plain, block, FAST_ATTRIBUTE_TEXCOORD1, 2, block->texcoord1);
    if ((needs & FAST_NEED_TEXCOORD2) != 0u)
        interpolate(plain, block, FAST_ATTRIBUTE_TEXCOORD2, 2, block->texcoord2);
    if ((needs & FAST_NEED_VIEW) != 0u)
        interpolate(plain, block, FAST_ATTRIBUTE_VIEW, 3, block->view);
}

/* What was interpolated, in the order of pica/trace.def. */
static inline void trace_interpolation(uint32_t needs, const struct fast_block *block)
{
    if ((needs & FAST_NEED_COLOR) != 0u)
        trace_channels(block, PICA_TRACE_ID_PRIMARY_COLOR, 0u, block->color, 4u);
    if ((needs & FAST_NEED_TEXCOORD0) != 0u)
        trace_f32(block, PICA_TRACE_ID_TEXCOORD, 0u, block->texcoord0, 3u);
    if ((needs & FAST_NEED_TEXCOORD1) != 0u)
        trace_f32(block, PICA_TRACE_ID_TEXCOORD, 1u, block->texcoord1, 2u);
    if ((needs & FAST_NEED_TEXCOORD2) != 0u)
        trace_f32(block, PICA_TRACE_ID_TEXCOORD, 2u, block->texcoord2, 2u);
    if ((needs & FAST_NEED_QUATERNION) != 0u)
        trace_f32(block, PICA_TRACE_ID_QUATERNION, 0u, block->quaternion, 4u);
    if ((needs & FAST_NEED_VIEW) != 0u)
        trace_f32(block, PICA_TRACE_ID_VIEW, 0u, block->view, 3u);
    trace_f32(block, PICA_TRACE_ID_DEPTH_VALUE, 0u, &block->depth, 1u);
}

/* Step 2 of FBF-21 for the lanes that are left. */
static inline void shade(const struct setting *setting, struct fast_block *block, v_mask alive,
                         struct fast_colors *colors)
{
    block->coverage = alive;
    if (setting->triangle->plain)
        interpolate_attributes(true, setting->needs, block);
    else
        interpolate_attributes(false, setting->needs, block);
    trace_interpolation(setting->needs, block);
    FAST_ISA(fast_shade_block)(setting->shading, block, colors);
}

/* Values that depth and attributes share; depth only where something looks at it. */
static inline void prepare(const struct setting *setting, struct fast_block *block)
{
    if (setting->triangle->plain)
        interpolate_q(true, block);
    else
        interpolate_q(false, block);
    if (setting->interpolates_depth)
        interpolate_depth(setting, block);
}

/* ------------------------------------------------------------------------------------------------ depth and stencil */

/* The words of the depth surface: depth in the low bits, the stencil byte of D24S8 above (FBF-14). */
static inline v_u32 load_depth(enum pica_depth_format format, const uint8_t *bytes)
{
    switch (format) {
    case PICA_DEPTH_FORMAT_D16: return v_u32_from_u16(v_u16_load_le(bytes));
    case PICA_DEPTH_FORMAT_D24: return v_u32_load24_le(bytes);
    case PICA_DEPTH_FORMAT_D24S8: return v_u32_load_le(bytes);
    case PICA_DEPTH_FORMAT_RESERVED_1: break;
    }
    return v_u32_splat(0);
}

static inline void store_depth(enum pica_depth_format format, uint8_t *bytes, v_u32 words)
{
    switch (format) {
    case PICA_DEPTH_FORMAT_D16: v_u16_store_le(bytes, v_u16_from_u32(words)); break;
    case PICA_DEPTH_FORMAT_D24: v_u32_store24_le(bytes, words); break;
    case PICA_DEPTH_FORMAT_D24S8: v_u32_store_le(bytes, words); break;
    case PICA_DEPTH_FORMAT_RESERVED_1: /* never written */ break;
    }
}

/* STC-04 */
static inline v_u32 stencil_result(enum pica_stencil_op operation, v_u32 old, uint32_t reference)
{
    const v_u32 one = v_u32_splat(1);
    const v_u32 byte = v_u32_splat(255);
    switch (operation) {
    case PICA_STENCIL_OP_KEEP: return old;
    case PICA_STENCIL_OP_ZERO: return v_u32_splat(0);
    case PICA_STENCIL_OP_REPLACE: return v_u32_splat(reference);
    case PICA_STENCIL_OP_INCREMENT: return v_u32_add(v_u32_min(old, v_u32_splat(254)), one);
    case PICA_STENCIL_OP_DECREMENT: return v_u32_sub(v_u32_max(old, one), one);
    case PICA_STENCIL_OP_INVERT: return v_u32_sub(byte, old);
    case PICA_STENCIL_OP_INCREMENT_WRAP: return v_u32_and(v_u32_add(old, one), byte);
    case PICA_STENCIL_OP_DECREMENT_WRAP: return v_u32_and(v_u32_sub(old, one), byte);
    }
    return old; /* not reached: three bits */
}

/* STC-03 */
static inline v_mask stencil_passes(const struct fast_stencil_state *stencil, v_u32 old)
{
    const v_u32 reference = v_u32_splat(stencil->reference & stencil->compare_mask);
    return compare(stencil->function, reference, v_u32_and(old, v_u32_splat(stencil->compare_mask)));
}

/*
 * Steps 5 to 8 of FBF-21; FBF-16, FBF-32, DPT-01 to DPT-04, STC-02 to STC-06, ITP-17. Returns the lanes that pass and
 * stores depth and stencil.
 */
static inline v_mask test_depth_stencil(const struct setting *setting, const struct fast_block_item *item,
                                        const struct fast_block *block, v_mask alive)
{
    const struct fast_depth_state *depth = &setting->depth;
    const struct fast_stencil_state *stencil = &setting->stencil;
    const v_u32 stored = setting->depth_accessed ? load_depth(depth->format, item->depth) : v_u32_splat(0);
    const v_u32 seen = depth->read ? stored : v_u32_splat(0);
    const v_u32 depth_bits = v_u32_splat(0x00FFFFFFu);
    v_u32 words = stored;
    v_mask passes = alive;
    v_mask stencil_ok = alive;
    v_u32 depth_value = v_u32_splat(0);

    if (setting->needs_depth)
        depth_value = v_u32_from_i32(v_i32_trunc_in_range(v_f32_mul(block->depth, v_f32_splat(depth->factor))));
    if (stencil->active) {
        const v_u32 old = v_u32_shr(seen, 24);
        stencil_ok = v_mask_and(alive, stencil_passes(stencil, old));
        passes = stencil_ok;
        trace_test(block, PICA_TRACE_ID_STENCIL_TEST, &old, 1u, stencil_ok);
    }
    if (depth->test) {
        const v_u32 compared[2] = { depth_value, v_u32_and(seen, depth_bits) };
        passes = v_mask_and(passes, compare(depth->function, compared[0], compared[1]));
        if (traces(block) && lane_of_mask(block->tracer, stencil_ok) != 0u)
            trace_test(block, PICA_TRACE_ID_DEPTH_TEST, compared, 2u, passes);
    }
    if (depth->write) {
        words = v_u32_select(passes, v_u32_or(depth_value, v_u32_andnot(stored, depth_bits)), words);
        if (traces(block) && lane_of_mask(block->tracer, passes) != 0u)
            trace_u32(block, PICA_TRACE_ID_DEPTH_WRITE, v_u32_and(words, depth_bits));
    }
    if (stencil->active && stencil->write_mask != 0u) {
        const v_u32 old = v_u32_shr(seen, 24);
        const v_u32 failed = stencil_result(stencil->stencil_fail, old, stencil->reference);
        const v_u32 behind = stencil_result(stencil->depth_fail, old, stencil->reference);
        const v_u32 passed = stencil_result(stencil->pass, old, stencil->reference);
        const v_u32 result = v_u32_select(passes, passed, v_u32_select(stencil_ok, behind, failed));
        const v_u32 bits = v_u32_splat(stencil->write_mask << 24);
        const v_u32 merged = v_u32_or(v_u32_and(v_u32_shl(result, 24), bits), v_u32_andnot(words, bits));
        words = v_u32_select(alive, merged, words);
        trace_u32(block, PICA_TRACE_ID_STENCIL_WRITE, v_u32_shr(words, 24));
    }
    if (setting->depth_written)
        store_depth(depth->format, item->depth, words);
    return passes;
}

/* ----------------------------------------------------------------------------------------------------------- colour */

/* FBF-09: stored pixels as words. */
static inline v_u32 load_color(uint32_t bytes_per_pixel, const uint8_t *bytes)
{
    switch (bytes_per_pixel) {
    case 2: return v_u32_from_u16(v_u16_load_le(bytes));
    case 3: return v_u32_load24_le(bytes);
    default: return v_u32_load_le(bytes);
    }
}

static inline void store_color(uint32_t bytes_per_pixel, uint8_t *bytes, v_u32 words)
{
    switch (bytes_per_pixel) {
    case 2: v_u16_store_le(bytes, v_u16_from_u32(words)); break;
    case 3: v_u32_store24_le(bytes, words); break;
    default: v_u32_store_le(bytes, words); break;
    }
}

/* FBF-10: n bits at `low` of a 16-bit pixel, expanded to 8. */
static inline v_u16 field16(v_u16 pixel, int low, uint16_t mask)
{
    return v_u16_and(v_u16_shr(pixel, low), v_u16_splat(mask));
}

static inline v_u16 expand4(v_u16 value)
{
    return v_u16_or(v_u16_shl(value, 4), value);
}

static inline v_u16 expand5(v_u16 value)
{
    return v_u16_or(v_u16_shl(value, 3), v_u16_shr(value, 2));
}

static inline v_u16 expand6(v_u16 value)
{
    return v_u16_or(v_u16_shl(value, 2), v_u16_shr(value, 4));
}

/* FBF-10, FBF-12: missing alpha is 255; reserved formats never get here. */
static inline void unpack_color(enum pica_color_format format, v_u32 words, struct fast_colors *out)
{
    const v_u16 low = v_u16_from_u32(words);
    const v_u16 high = v_u16_from_u32(v_u32_shr(words, 16));
    const v_u16 byte = v_u16_splat(255);
    v_u16 *channel = out->channel;
    switch (format) {
    case PICA_COLOR_FORMAT_RGBA8:
        channel[0] = v_u16_shr(high, 8);
        channel[1] = v_u16_and(high, byte);
        channel[2] = v_u16_shr(low, 8);
        channel[3] = v_u16_and(low, byte);
        break;
    case PICA_COLOR_FORMAT_RGB8:
        channel[0] = high;
        channel[1] = v_u16_shr(low, 8);
        channel[2] = v_u16_and(low, byte);
        channel[3] = byte;
        break;
    case PICA_COLOR_FORMAT_RGB5A1:
        channel[0] = expand5(field16(low, 11, 31));
        channel[1] = expand5(field16(low, 6, 31));
        channel[2] = expand5(field16(low, 1, 31));
        channel[3] = v_u16_mul(field16(low, 0, 1), byte);
        break;
    case PICA_COLOR_FORMAT_RGB565:
        channel[0] = expand5(field16(low, 11, 31));
        channel[1] = expand6(field16(low, 5, 63));
        channel[2] = expand5(field16(low, 0, 31));
        channel[3] = byte;
        break;
    case PICA_COLOR_FORMAT_RGBA4:
        channel[0] = expand4(field16(low, 12, 15));
        channel[1] = expand4(field16(low, 8, 15));
        channel[2] = expand4(field16(low, 4, 15));
        channel[3] = expand4(field16(low, 0, 15));
        break;
    case PICA_COLOR_FORMAT_RESERVED_5:
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7:
        for (int k = 0; k < 4; k++)
            channel[k] = v_u16_splat(0);
        break;
    }
}

/* One channel of a 16-bit pixel: reduced by truncation (FBF-11) and moved to its place. */
static inline v_u16 place(v_u16 channel, int bits, int low)
{
    return v_u16_shl(v_u16_shr(channel, 8 - bits), low);
}

static inline v_u16 or4(v_u16 a, v_u16 b, v_u16 c, v_u16 d)
{
    return v_u16_or(v_u16_or(a, b), v_u16_or(c, d));
}

/* FBF-09, FBF-11 */
static inline v_u32 pack_color(enum pica_color_format format, const struct fast_colors *colors)
{
    const v_u16 *channel = colors->channel;
    v_u16 low = v_u16_splat(0);
    v_u16 high = v_u16_splat(0);
    switch (format) {
    case PICA_COLOR_FORMAT_RGBA8:
        high = v_u16_or(v_u16_shl(channel[0], 8), channel[1]);
        low = v_u16_or(v_u16_shl(channel[2], 8), channel[3]);
        break;
    case PICA_COLOR_FORMAT_RGB8:
        high = channel[0];
        low = v_u16_or(v_u16_shl(channel[1], 8), channel[2]);
        break;
    case PICA_COLOR_FORMAT_RGB5A1:
        low = or4(place(channel[0], 5, 11), place(channel[1], 5, 6), place(channel[2], 5, 1), place(channel[3], 1, 0));
        return v_u32_from_u16(low);
    case PICA_COLOR_FORMAT_RGB565:
        low = or4(place(channel[0], 5, 11), place(channel[1], 6, 5), place(channel[2], 5, 0), v_u16_splat(0));
        return v_u32_from_u16(low);
    case PICA_COLOR_FORMAT_RGBA4:
        low = or4(place(channel[0], 4, 12), place(channel[1], 4, 8), place(channel[2], 4, 4), place(channel[3], 4, 0));
        return v_u32_from_u16(low);
    case PICA_COLOR_FORMAT_RESERVED_5:
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7: break;
    }
    return v_u32_or(v_u32_shl(v_u32_from_u16(high), 16), v_u32_from_u16(low));
}

static inline struct factor find_factor(const struct operands *operands, struct fast_blend_factor factor, int channel)
{
    const v_u16 *vector = &operands->zero;
    switch (factor.operand) {
    case FAST_BLEND_ZERO: break;
    case FAST_BLEND_SOURCE_COLOR: vector = &operands->source.channel[channel]; break;
    case FAST_BLEND_SOURCE_ALPHA: vector = &operands->source.channel[3]; break;
    case FAST_BLEND_DEST_COLOR: vector = &operands->dest.channel[channel]; break;
    case FAST_BLEND_DEST_ALPHA: vector = &operands->dest.channel[3]; break;
    case FAST_BLEND_CONSTANT_COLOR: vector = &operands->constant[channel]; break;
    case FAST_BLEND_CONSTANT_ALPHA: vector = &operands->constant[3]; break;
    case FAST_BLEND_SATURATE: vector = &operands->saturate; break;
    }
    return (struct factor){ vector, v_u16_splat(factor.flip) };
}

/* Once for all blocks of a call: which vectors the factors are. */
static inline void prepare_blend(struct setting *setting, struct operands *operands)
{
    const struct fast_blend_state *state = &setting->blend;
    setting->operands = operands;
    operands->zero = v_u16_splat(0);
    operands->saturate = operands->zero;
    setting->saturates =
        state->rgb_source.operand == FAST_BLEND_SATURATE || state->rgb_dest.operand == FAST_BLEND_SATURATE;
    for (int k = 0; k < 4; k++) {
        operands->constant[k] = v_u16_splat(state->constant[k]);
        operands->dest.channel[k] = operands->zero; /* FBF-15, unless the destination is read */
        setting->source_factor[k] = find_factor(operands, k == 3 ? state->alpha_source : state->rgb_source, k);
        setting->dest_factor[k] = find_factor(operands, k == 3 ? state->alpha_dest : state->rgb_dest, k);
    }
}

static inline v_u16 times_factor(v_u16 value, const struct factor *factor)
{
    return v_u16_mul(value, v_u16_xor(*factor->vector, factor->flip));
}

/*
 * BLD-02, BLD-03 on p, q <= 65025. The sum is saturated at 65535: beyond 255 * 256 the limit of 255 decides anyway.
 * Differences below 0 give 0.
 */
static inline v_u16 blend_sum(v_u16 p, v_u16 q)
{
    return v_u16_min(v_u16_splat(255), v_u16_div255_floor(v_u16_adds(p, q)));
}

static inline v_u16 blend_equation(enum pica_blend_equation equation, v_u16 p, v_u16 q)
{
    switch (equation) {
    case PICA_BLEND_EQUATION_ADD:
    case PICA_BLEND_EQUATION_ADD_5:
    case PICA_BLEND_EQUATION_ADD_6:
    case PICA_BLEND_EQUATION_ADD_7: return blend_sum(p, q);
    case PICA_BLEND_EQUATION_SUBTRACT: return v_u16_div255_floor(v_u16_subs(p, q));
    case PICA_BLEND_EQUATION_REVERSE_SUBTRACT: return v_u16_div255_floor(v_u16_subs(q, p));
    case PICA_BLEND_EQUATION_MIN: return v_u16_div255_floor(v_u16_min(p, q));
    case PICA_BLEND_EQUATION_MAX: return v_u16_div255_floor(v_u16_max(p, q));
    }
    return p; /* not reached: three bits */
}

static inline void blend(const struct setting *setting, struct fast_colors *out)
{
    const struct fast_blend_state *state = &setting->blend;
    struct operands *operands = setting->operands;
    v_u16 p[4];
    v_u16 q[4];
    if (setting->saturates)
        operands->saturate =
            v_u16_min(operands->source.channel[3], v_u16_xor(operands->dest.channel[3], v_u16_splat(255)));
    for (int k = 0; k < 4; k++) {
        p[k] = times_factor(operands->source.channel[k], &setting->source_factor[k]);
        q[k] = times_factor(operands->dest.channel[k], &setting->dest_factor[k]);
    }
    if (state->adds) {
        for (int k = 0; k < 4; k++)
            out->channel[k] = blend_sum(p[k], q[k]);
    } else {
        for (int k = 0; k < 3; k++)
            out->channel[k] = blend_equation(state->rgb_equation, p[k], q[k]);
        out->channel[3] = blend_equation(state->alpha_equation, p[3], q[3]);
    }
}

/* LOP-01 on 8-bit values in 16-bit lanes. */
static inline v_u16 logic_operation(enum pica_logic_op operation, v_u16 s, v_u16 d)
{
    const v_u16 byte = v_u16_splat(255);
    switch (operation) {
    case PICA_LOGIC_OP_CLEAR: return v_u16_splat(0);
    case PICA_LOGIC_OP_AND: return v_u16_and(s, d);
    case PICA_LOGIC_OP_AND_REVERSE: return v_u16_andnot(s, d);
    case PICA_LOGIC_OP_COPY: return s;
    case PICA_LOGIC_OP_SET: return byte;
    case PICA_LOGIC_OP_COPY_INVERTED: return v_u16_xor(s, byte);
    case PICA_LOGIC_OP_NOOP: return d;
    case PICA_LOGIC_OP_INVERT: return v_u16_xor(d, byte);
    case PICA_LOGIC_OP_NAND: return v_u16_xor(v_u16_and(s, d), byte);
    case PICA_LOGIC_OP_OR: return v_u16_or(s, d);
    case PICA_LOGIC_OP_NOR: return v_u16_xor(v_u16_or(s, d), byte);
    case PICA_LOGIC_OP_XOR: return v_u16_xor(s, d);
    case PICA_LOGIC_OP_EQUIVALENT: return v_u16_xor(v_u16_xor(s, d), byte);
    case PICA_LOGIC_OP_AND_INVERTED: return v_u16_andnot(d, s);
    case PICA_LOGIC_OP_OR_REVERSE: return v_u16_or(s, v_u16_xor(d, byte));
    case PICA_LOGIC_OP_OR_INVERTED: return v_u16_or(v_u16_xor(s, byte), d);
    }
    return s; /* not reached: four bits */
}

/* Steps 9 and 10 of FBF-21; FBF-15, FBF-17, FBF-24, BLD-05. The source colour is operands->source. */
static inline void write_color(const struct setting *setting, const struct fast_block_item *item,
                               const struct fast_block *block, v_mask passes)
{
    const struct fast_color_state *color = &setting->color;
    const struct fast_blend_state *state = &setting->blend;
    struct operands *operands = setting->operands;
    const v_u32 stored = load_color(setting->color_bytes, item->color);
    struct fast_colors blended;
    const struct fast_colors *result = &operands->source;
    if (state->reads_destination)
        unpack_color(color->format, stored, &operands->dest);
    if (state->enabled) {
        blend(setting, &blended);
        result = &blended;
    } else if (state->logic_op != PICA_LOGIC_OP_COPY) {
        for (int k = 0; k < 4; k++)
            blended.channel[k] =
                logic_operation(state->logic_op, operands->source.channel[k], operands->dest.channel[k]);
        result = &blended;
    }
    if (state->reads_destination || !color->read)
        trace_channels(block, PICA_TRACE_ID_BLEND_DEST, 0u, operands->dest.channel, 4u);
    trace_channels(block, PICA_TRACE_ID_BLEND_RESULT, 0u, result->channel, 4u);
    v_u32 words = pack_color(color->format, result);
    if (color->keeps_bits) {
        const v_u32 bits = v_u32_splat(color->bits);
        words = v_u32_or(v_u32_and(words, bits), v_u32_andnot(stored, bits));
    }
    trace_u32(block, PICA_TRACE_ID_COLOR_WRITE, words);
    store_color(setting->color_bytes, item->color, v_u32_select(passes, words, stored));
}

/* --------------------------------------------------------------------------------------------------- fragment modes */

/* ATS-01 */
static inline v_mask test_alpha(const struct setting *setting, const struct fast_colors *colors, v_mask alive)
{
    const v_u32 alpha = v_u32_from_u16(colors->channel[3]);
    return v_mask_and(alive,
                      compare(setting->raster->alpha_function, alpha, v_u32_splat(setting->raster->alpha_reference)));
}

static inline void fog(const struct setting *setting, const struct fast_block *block, struct fast_colors *colors)
{
    if (!setting->fog)
        return;
    FAST_ISA(fast_fog_block)(setting->shading, block, colors);
    trace_channels(block, PICA_TRACE_ID_FOG_COLOR, 0u, colors->channel, 4u);
}

/* FBF-24: a write that changes no bit (FBF-17, LOP-02) is not done, but reported; the surface is there to look at. */
static inline void trace_idle_write(const struct setting *setting, const struct fast_block_item *item,
                                    const struct fast_block *block)
{
    if (traces(block) && item->color != NULL)
        trace_u32(block, PICA_TRACE_ID_COLOR_WRITE, load_color(setting->color_bytes, item->color));
}

/* FBF-21, default mode. A traced fragment goes through the steps in the order of the rule. */
static inline void draw_default(const struct setting *setting, const struct fast_block_item *item,
                                struct fast_block *block, v_mask alive)
{
    struct fast_colors *colors = &setting->operands->source;
    const bool shades_first = setting->alpha_test || FAST_TRACING;
    prepare(setting, block);
    if (shades_first) {
        shade(setting, block, alive, colors);
        if (setting->alpha_test)
            alive = test_alpha(setting, colors, alive);
        trace_test(block, PICA_TRACE_ID_ALPHA_TEST, NULL, 0u, alive);
        end_trace_unless(block, alive);
        if (!v_mask_any(alive))
            return;
    }
    if (FAST_TRACING)
        fog(setting, block, colors);
    alive = test_depth_stencil(setting, item, block, alive);
    end_trace_unless(block, alive);
    if (!setting->color.write)
        trace_idle_write(setting, item, block);
    if (!setting->color.write || !v_mask_any(alive))
        return;
    if (!shades_first)
        shade(setting, block, alive, colors);
    if (!FAST_TRACING)
        fog(setting, block, colors);
    write_color(setting, item, block, alive);
}

/* GAS-01: the colour of the fragment plays no part. */
static inline v_u32 gas_half(v_u32 half)
{
    const v_u32 k = v_u32_and(v_u32_shr(half, 8), v_u32_splat(0x7F));
    const v_u32 high = v_u32_select(v_u32_ge(k, v_u32_splat(0x7D)), v_u32_splat(0x7FFF), half);
    return v_u32_select(v_u32_le(k, v_u32_splat(0x03)), v_u32_splat(0), high);
}

static inline void draw_gas(const struct setting *setting, const struct fast_block_item *item,
                            const struct fast_block *block, v_mask alive)
{
    const v_u32 stored = v_u32_load_le(item->color);
    const v_u32 seen = setting->raster->shadow_read ? stored : v_u32_splat(0);
    const v_u32 low = gas_half(v_u32_and(seen, v_u32_splat(0xFFFF)));
    const v_u32 high = gas_half(v_u32_shr(seen, 16));
    const v_u32 words = v_u32_or(v_u32_shl(high, 16), low);
    trace_pair(block, PICA_TRACE_ID_GAS_WRITE, seen, words);
    v_u32_store_le(item->color, v_u32_select(alive, words, stored));
}

/* Bytes 0, 1, 2 of a word in reverse order; byte 3 is dropped (SHW-01: depth is big-endian). */
static inline v_u32 reverse24(v_u32 word)
{
    const v_u32 byte = v_u32_splat(255);
    const v_u32 first = v_u32_shl(v_u32_and(word, byte), 16);
    const v_u32 second = v_u32_and(word, v_u32_splat(0xFF00));
    return v_u32_or(v_u32_or(first, second), v_u32_and(v_u32_shr(word, 16), byte));
}

/* SHW-01, SHW-02, SHW-04. The state is only drawn with if READ and WRITE are on (SHW-03). */
static inline void draw_shadow(const struct setting *setting, const struct fast_block_item *item,
                               struct fast_block *block, v_mask alive)
{
    const struct fast_raster_state *raster = setting->raster;
    struct fast_colors colors;
    prepare(setting, block);
    shade(setting, block, alive, &colors);

    const v_u32 stored = v_u32_load_le(item->color);
    const v_u32 zr = reverse24(stored);
    const v_u32 sr = v_u32_shr(stored, 24);
    const v_u32 s = v_u32_from_u16(colors.channel[1]);
    const v_i32 d = v_i32_trunc_in_range(v_f32_mul(block->depth, v_f32_splat(16777215.0f)));
    const v_mask closer = v_mask_and(alive, v_u32_lt(v_u32_from_i32(d), zr));
    const v_mask opaque = v_mask_and(closer, v_u32_eq(s, v_u32_splat(0)));

    const v_f32 x = v_f32_div(v_f32_from_i32(d), v_f32_from_i32(v_i32_from_u32(zr)));
    const v_f32 slope = v_f32_mul_pica(v_f32_splat(raster->shadow_linear), x);
    const v_f32 divisor = v_f32_add(v_f32_splat(raster->shadow_constant), slope);
    const v_f32 v = v_f32_div(v_f32_from_i32(v_i32_from_u32(s)), divisor);
    const v_u32 s1 = v_u32_from_i32(v_i32_u8(v));
    const v_mask darker = v_mask_andnot(v_mask_and(closer, v_u32_lt(s1, sr)), opaque);

    const v_u32 new_depth = v_u32_or(v_u32_and(stored, v_u32_splat(0xFF000000u)), reverse24(v_u32_from_i32(d)));
    const v_u32 new_intensity = v_u32_or(v_u32_and(stored, v_u32_splat(0x00FFFFFFu)), v_u32_shl(s1, 24));
    const v_u32 words = v_u32_select(opaque, new_depth, v_u32_select(darker, new_intensity, stored));
    trace_pair(block, PICA_TRACE_ID_SHADOW_WRITE, stored, words);
    v_u32_store_le(item->color, words);
}

/* Step 2 of FBF-21 where nobody looks at the colour or nothing is written: for the trace alone. */
static inline void shade_unseen(const struct setting *setting, struct fast_block *block, v_mask alive)
{
    struct fast_colors colors;
    if (!FAST_TRACING)
        return;
    prepare(setting, block);
    shade(setting, block, alive, &colors);
}

static inline struct setting prepare_state(const struct fast_block_job *job)
{
    const struct fast_raster_state *raster = job->raster;
    struct setting setting = { .raster = raster, .shading = job->shading, .needs = job->needs };
    setting.needs_depth = raster->needs_depth;
    setting.interpolates_depth = raster->needs_depth || (job->needs & FAST_NEED_FOG_DEPTH) != 0u || FAST_TRACING;
    setting.fog = job->shading->fog.enabled;
    setting.alpha_test = raster->alpha_test;
    setting.depth_accessed = raster->depth_surface.accessed;
    setting.depth_written = raster->depth_surface.written;
    setting.color_written = raster->color_surface.written;
    setting.tracer = job->tracer;
    setting.depth = raster->depth;
    setting.stencil = raster->stencil;
    setting.color = raster->color;
    setting.blend = raster->blend;
    setting.color_bytes = raster->color_surface.bytes_per_pixel;
    setting.lane_x = v_i32_lane_x();
    setting.lane_row = v_i32_lane_y();
    return setting;
}

static inline void prepare_triangle(struct setting *setting, const struct fast_triangle *triangle)
{
    setting->triangle = triangle;
    for (int i = 0; i < 3; i++)
        setting->step[i] = v_i32_add(v_i32_mul(setting->lane_x, v_i32_splat(triangle->step_x[i])),
                                     v_i32_mul(setting->lane_row, v_i32_splat(triangle->step_row[i])));
}

static void draw_block(const struct setting *setting, const struct fast_block_item *item)
{
    struct fast_block block;
    find_traced_lane(setting, item, &block);
    const v_mask alive = cover(setting, item, &block);
    if (!v_mask_any(alive))
        return;
    end_trace_unless(&block, alive);
    block.column = item->column;
    block.row = item->row;
    block.triangle = item->triangle;
    if (traces(&block))
        fast_trace_visit(block.tracer, item->triangle);
    switch (setting->raster->mode) {
    case PICA_FRAGMENT_MODE_DEFAULT: draw_default(setting, item, &block, alive); break;
    case PICA_FRAGMENT_MODE_GAS:
        shade_unseen(setting, &block, alive);
        if (setting->color_written)
            draw_gas(setting, item, &block, alive);
        break;
    case PICA_FRAGMENT_MODE_SHADOW:
        if (setting->color_written)
            draw_shadow(setting, item, &block, alive);
        else
            shade_unseen(setting, &block, alive);
        break;
    case PICA_FRAGMENT_MODE_RESERVED_2: shade_unseen(setting, &block, alive); break; /* FBF-30: never binned */
    }
}

static void draw_blocks(const struct fast_block_job *job, const struct fast_block_item *items, uint32_t count)
{
    struct operands operands;
    struct setting setting = prepare_state(job);
    prepare_blend(&setting, &operands);
    for (uint32_t n = 0; n < count; n++) {
        if (items[n].triangle != setting.triangle)
            prepare_triangle(&setting, items[n].triangle);
        draw_block(&setting, &items[n]);
    }
}

void FAST_ISA(fast_fill_block)(struct fast_kernels *kernels);

void FAST_ISA(fast_fill_block)(struct fast_kernels *kernels)
{
    kernels->draw_blocks = draw_blocks;
}
