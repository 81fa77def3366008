/*
 * Draws 4x4 blocks: coverage, interpolation, tests, blending, stores. 16 lanes are 16 consecutive pixels of both
 * surfaces, in Morton order (FBF-07). FBF-21 is the order of the steps; the tests go before the shading where nobody
 * can see the difference (TEV-02: shading has no side effects).
 */
#include "fast/kernels/blend.h"
#include "fast/kernels/block_large_tmpl.h"
#include "fast/kernels/interpolation.h"
#include "fast/kernels/block_quick.h"
#include "fast/kernels/block_runs_tmpl.h"
#include "fast/kernels/block_setting.h"
#include "fast/kernels/block_small_tmpl.h"

/* ------------------------------------------------------------------------------------------------ depth and stencil */

/* The words of the depth surface: depth in the low bits, the stencil byte of D24S8 above (FBF-14). */
static inline v_u32 load_depth(enum pica_depth_format format, const uint8_t *bytes)
{
    switch (format) {
    case PICA_DEPTH_FORMAT_D16: return v_u32_from_u16(v_u16_load_le(bytes));
    case PICA_DEPTH_FORMAT_D24: return v_u32_load24_le(bytes);
    case PICA_DEPTH_FORMAT_D24S8:
    case PICA_DEPTH_FORMAT_RESERVED_1: /* never read */
    default: return v_u32_load_le(bytes);
    }
}

static inline void store_depth(enum pica_depth_format format, uint8_t *bytes, v_u32 words)
{
    switch (format) {
    case PICA_DEPTH_FORMAT_D16: v_u16_store_le(bytes, v_u16_from_u32(words)); break;
    case PICA_DEPTH_FORMAT_D24: v_u32_store24_le(bytes, words); break;
    case PICA_DEPTH_FORMAT_D24S8:
    case PICA_DEPTH_FORMAT_RESERVED_1: /* never written */
    default: v_u32_store_le(bytes, words); break;
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
    case PICA_STENCIL_OP_DECREMENT_WRAP:
    default: return v_u32_and(v_u32_sub(old, one), byte);
    }
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
    setting.quick = job->quick;
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

/* Bounded triangles on the quick way, others in between on the general one: order matters only where they meet. */
static void draw_quick(struct setting *setting, const struct fast_block_item *items, uint32_t count)
{
    struct fast_cell cells[FAST_CELLS];
    struct cell_queue queue = { cells, 0 };
    for (uint32_t n = 0; n < count; n++) {
        n += queue_any_small(setting, items + n, count - n, &queue);
        if (n == count)
            break;
        const bool bounded = items[n].triangle->bounded && items[n].triangle->narrow;
        if (items[n].triangle != setting->triangle) {
            prepare_triangle(setting, items[n].triangle);
            if (setting->quick->shading == FAST_QUICK_COLOR && may_have_planes(items[n].triangle)) {
                draw_cells(setting, cells, queue.open);
                queue.open = 0;
                n += draw_large(setting, &items[n], count - n) - 1u;
                continue;
            }
        }
        if (queue.open == FAST_CELLS || ((!bounded || items[n].tiles != 0u) && queue.open != 0u)) {
            draw_cells(setting, cells, queue.open);
            queue.open = 0;
        }
        if (items[n].tiles != 0u) {
            n += draw_spans(setting, &items[n], count - n, cells) - 1u;
            continue;
        }
        if (!bounded)
            draw_block(setting, &items[n]);
        else
            queue.open +=
                open_cell(setting, &items[n], &cells[queue.open]) ? 1u : 0u; /* no branch: it would be a guess */
    }
    draw_cells(setting, cells, queue.open);
}

static void draw_blocks(const struct fast_block_job *job, const struct fast_block_item *items, uint32_t count)
{
    struct operands operands;
    struct setting setting = prepare_state(job);
    prepare_blend(&setting, &operands);
    if (setting.quick->active && !FAST_TRACING) {
        draw_quick(&setting, items, count);
        return;
    }
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
