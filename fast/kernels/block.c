/*
 * Draws 4x4 blocks: raster, interpolation, tests, blending, stores, in the order of FBF-21. 16 lanes are 16 consecutive
 * pixels of both surfaces, in Morton order (FBF-07). The arithmetic of each stage is in the file named after it, for
 * both the general and the quick way; this file has the order of the general way and the choice between the two.
 *
 * Tests run before shading where that makes no difference (TEV-02: shading has no side effects).
 */
#include "fast/kernels/alpha_test.h"
#include "fast/kernels/block_large_tmpl.h"
#include "fast/kernels/block_quick.h"
#include "fast/kernels/block_spans_tmpl.h"
#include "fast/kernels/block_setting.h"
#include "fast/kernels/block_small_tmpl.h"
#include "fast/kernels/fog.h"
#include "fast/kernels/gas.h"
#include "fast/kernels/logic_op.h"
#include "fast/kernels/scissor.h"
#include "fast/kernels/shadow.h"
#include "fast/kernels/stencil_test.h"

/* ----------------------------------------------------------------------------------------------------- steps 1 to 4 */

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

/* Step 1 of FBF-21 */
static inline v_mask cover(const struct setting *setting, const struct fast_block_item *item, struct fast_block *block)
{
    return test_scissor(setting, item, cover_block(setting, item, block));
}

/* Step 2 of FBF-21 for the lanes that are still alive. */
static inline void shade(const struct setting *setting, struct fast_block *block, v_mask alive,
                         struct fast_colors *colors)
{
    block->alive = alive;
    if (setting->triangle->ieee)
        interpolate_attributes(true, setting->needs, block);
    else
        interpolate_attributes(false, setting->needs, block);
    trace_interpolation(setting->needs, block);
    FAST_ISA(fast_shade_block)(setting->shading, block, colors);
}

/* Sets what depth and attributes both need; the depth itself only where it is used. */
static inline void prepare(const struct setting *setting, struct fast_block *block)
{
    if (setting->triangle->ieee)
        interpolate_q(true, block);
    else
        interpolate_q(false, block);
    if (setting->interpolates_depth)
        interpolate_depth(setting->raster, block);
}

static inline void fog(const struct setting *setting, const struct fast_block *block, struct fast_colors *colors)
{
    if (!setting->fog)
        return;
    FAST_ISA(fast_fog_block)(setting->shading, block, colors);
    trace_channels(block, PICA_TRACE_ID_FOG_COLOR, 0u, colors->channel, 4u);
}

/* ----------------------------------------------------------------------------------------------------- steps 5 to 8 */

/*
 * FBF-16, FBF-32, DPT-01 to DPT-04, STC-02 to STC-06, ITP-17. Returns the lanes that pass and stores depth and stencil.
 */
static inline v_mask test_depth_stencil(const struct setting *setting, const struct fast_block_item *item,
                                        const struct fast_block *block, v_mask alive)
{
    const struct fast_depth_state *depth = &setting->depth;
    const struct fast_stencil_state *stencil = &setting->stencil;
    const v_u32 stored = setting->depth_accessed ? load_depth(depth->format, item->depth) : v_u32_splat(0);
    const v_u32 seen = depth->read ? stored : v_u32_splat(0);
    const v_u32 depth_bits = v_u32_splat(DEPTH_BITS);
    const v_u32 old_stencil = v_u32_shr(seen, 24);
    struct stencil_outcome outcome = { alive, alive, alive };
    v_u32 words = stored;
    v_u32 value = v_u32_splat(0);

    if (setting->needs_depth)
        value = v_u32_from_i32(v_i32_trunc_in_range(v_f32_mul(block->depth, v_f32_splat(depth->factor))));
    if (stencil->active) {
        outcome.stencil = outcome.depth = test_stencil(stencil, old_stencil, alive);
        trace_test(block, PICA_TRACE_ID_STENCIL_TEST, &old_stencil, 1u, outcome.stencil);
    }
    if (depth->test) {
        outcome.depth = test_depth(depth->function, value, seen, outcome.depth);
        const v_u32 compared[2] = { value, v_u32_and(seen, depth_bits) };
        if (traces(block) && lane_of_mask(block->tracer, outcome.stencil) != 0u)
            trace_test(block, PICA_TRACE_ID_DEPTH_TEST, compared, 2u, outcome.depth);
    }
    if (depth->write) {
        words = depth_words(value, words, outcome.depth);
        if (traces(block) && lane_of_mask(block->tracer, outcome.depth) != 0u)
            trace_u32(block, PICA_TRACE_ID_DEPTH_WRITE, v_u32_and(words, depth_bits));
    }
    if (stencil->active && stencil->write_mask != 0u) {
        words = stencil_words(stencil, &outcome, old_stencil, words);
        trace_u32(block, PICA_TRACE_ID_STENCIL_WRITE, v_u32_shr(words, 24));
    }
    if (setting->depth_written)
        store_depth(depth->format, item->depth, words);
    return outcome.depth;
}

/* --------------------------------------------------------------------------------------------------- steps 9 and 10 */

/* BLD-05: the steps of what COLOR_OPERATION selects, even where a blend is done as the logic operation "copy". */
static inline void trace_color_operation(const struct setting *setting, const struct fast_block *block,
                                         const struct fast_colors *result)
{
    const bool blends = setting->blend.selected;
    if (setting->blend.reads_destination || !setting->color.read)
        trace_channels(block, blends ? PICA_TRACE_ID_BLEND_DEST : PICA_TRACE_ID_LOGIC_OP_DEST, 0u,
                       setting->operands->dest.channel, 4u);
    trace_channels(block, blends ? PICA_TRACE_ID_BLEND_RESULT : PICA_TRACE_ID_LOGIC_OP_RESULT, 0u, result->channel, 4u);
}

/* FBF-15, FBF-17, FBF-24, BLD-05. Expects the source colour in operands->source. */
static inline void write_color(const struct setting *setting, const struct fast_block_item *item,
                               const struct fast_block *block, v_mask passes)
{
    const struct fast_color_state *color = &setting->color;
    const struct fast_blend_state *state = &setting->blend;
    struct blend_operands *operands = setting->operands;
    const v_u32 stored = load_color(setting->color_bytes, item->color);
    struct fast_colors blended;
    const struct fast_colors *result = &operands->source;
    if (state->reads_destination)
        unpack_color(color->format, stored, &operands->dest);
    if (state->enabled) {
        blend(state, &setting->factors, operands, &blended);
        result = &blended;
    } else if (state->logic_op != PICA_LOGIC_OP_COPY) {
        for (int k = 0; k < 4; k++)
            blended.channel[k] =
                logic_operation(state->logic_op, operands->source.channel[k], operands->dest.channel[k]);
        result = &blended;
    }
    trace_color_operation(setting, block, result);
    v_u32 words = pack_color(color->format, result);
    if (color->keeps_bits) {
        const v_u32 bits = v_u32_splat(color->bits);
        words = v_u32_or(v_u32_and(words, bits), v_u32_andnot(stored, bits));
    }
    trace_u32(block, PICA_TRACE_ID_COLOR_WRITE, words);
    store_color(setting->color_bytes, item->color, v_u32_select(passes, words, stored));
}

/*
 * FBF-24: a write that changes no bit (FBF-17, LOP-02) is not performed, but a trace reports it; in a traced draw the
 * surface is readable for that.
 */
static inline void trace_idle_write(const struct setting *setting, const struct fast_block_item *item,
                                    const struct fast_block *block)
{
    if (traces(block) && item->color != NULL)
        trace_u32(block, PICA_TRACE_ID_COLOR_WRITE, load_color(setting->color_bytes, item->color));
}

/* --------------------------------------------------------------------------------------------------- fragment modes */

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
            alive = test_alpha(setting->raster, colors, alive);
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

/* Step 2 of FBF-21 where the colour is not used or nothing is written: only for the trace. */
static inline void shade_unseen(const struct setting *setting, struct fast_block *block, v_mask alive)
{
    struct fast_colors colors;
    if (!FAST_TRACING)
        return;
    prepare(setting, block);
    shade(setting, block, alive, &colors);
}

static inline void draw_gas(const struct setting *setting, const struct fast_block_item *item, struct fast_block *block,
                            v_mask alive)
{
    shade_unseen(setting, block, alive);
    if (setting->color_written)
        write_gas(setting->raster, block, alive, item->color);
}

static inline void draw_shadow(const struct setting *setting, const struct fast_block_item *item,
                               struct fast_block *block, v_mask alive)
{
    struct fast_colors colors;
    if (!setting->color_written) {
        shade_unseen(setting, block, alive);
        return;
    }
    prepare(setting, block);
    shade(setting, block, alive, &colors);
    write_shadow(setting->raster, block, colors.channel[1], alive, item->color);
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
    case PICA_FRAGMENT_MODE_GAS: draw_gas(setting, item, &block, alive); break;
    case PICA_FRAGMENT_MODE_SHADOW: draw_shadow(setting, item, &block, alive); break;
    case PICA_FRAGMENT_MODE_RESERVED_2: shade_unseen(setting, &block, alive); break; /* FBF-30: never binned */
    }
}

/* ----------------------------------------------------------------------------------------------------------- a call */

static inline struct setting prepare_state(const struct fast_block_job *job)
{
    const struct fast_fragment_state *raster = job->raster;
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

/*
 * The quick way. Each of these handlers takes items from the front of the list, draws or queues them, and returns how
 * many it took: 0 if the first one is not of its kind. Cells may wait in the queue for more cells, but the queue is
 * drawn before any block that is drawn in another way: where both have pixels at the same place, their order matters
 * (RST-06).
 */
static void draw_queue(const struct setting *setting, struct cell_queue *queue)
{
    draw_cells(setting, queue->cells, queue->open);
    queue->open = 0;
}

/* Draws all items of a large triangle whose colour is that of its vertices. */
static inline uint32_t take_large(const struct setting *setting, const struct fast_block_item *items, uint32_t count,
                                  struct cell_queue *queue)
{
    if (setting->quick->shading != FAST_QUICK_COLOR || !may_have_planes(items->triangle))
        return 0;
    draw_queue(setting, queue);
    return draw_large(setting, items, count);
}

/* Draws the next spans of the setting's triangle. */
static inline uint32_t take_spans(const struct setting *setting, const struct fast_block_item *items, uint32_t count,
                                  struct cell_queue *queue)
{
    if (items->tiles == 0u)
        return 0;
    draw_queue(setting, queue);
    return draw_spans(setting, items, count, queue->cells);
}

/* Takes one block: queues it if its triangle is bounded, else draws it the general way. */
static inline uint32_t take_block(const struct setting *setting, const struct fast_block_item *item,
                                  struct cell_queue *queue)
{
    const bool bounded = item->triangle->bounded && item->triangle->narrow;
    if (queue->open == FAST_CELLS || (!bounded && queue->open != 0u))
        draw_queue(setting, queue);
    if (bounded)
        queue->open +=
            open_cell(setting, item, &queue->cells[queue->open]) ? 1u : 0u; /* no branch: it would be unpredictable */
    else
        draw_block(setting, item);
    return 1;
}

static void draw_quick(struct setting *setting, const struct fast_block_item *items, uint32_t count)
{
    struct fast_cell cells[FAST_CELLS];
    struct cell_queue queue = { cells, 0 };
    for (uint32_t taken; count != 0u; items += taken, count -= taken) {
        taken = queue_windows(setting, items, count, &queue);
        if (taken == 0u && items->triangle != setting->triangle) {
            prepare_triangle(setting, items->triangle);
            taken = take_large(setting, items, count, &queue);
        }
        if (taken == 0u)
            taken = take_spans(setting, items, count, &queue);
        if (taken == 0u)
            taken = take_block(setting, items, &queue);
    }
    draw_queue(setting, &queue);
}

static void draw_blocks(const struct fast_block_job *job, const struct fast_block_item *items, uint32_t count)
{
    struct blend_operands operands;
    struct setting setting = prepare_state(job);
    setting.operands = &operands;
    prepare_blend(&setting.blend, &operands, &setting.factors);
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
