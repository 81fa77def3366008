/*
 * Batches: all triangles of one draw, between one look at the registers and one change of memory (FBF-18).
 *
 * At the beginning of a batch the registers say where the two buffers are, their formats and what is on. The first
 * triangle that culling keeps decides the batch's undefined-behaviour events (FBF-33), from registers and windows
 * alone, so they do not depend on which pixels are drawn. The first triangle with pixels to visit decodes what shading
 * and blending need. At the end the private copies are stored (framebuffer_surface.c).
 *
 * Worked number: width 250 in tiles of 8 has a pitch of 256; with height 100 and RGBA8 the colour buffer extends over
 * 256 * 104 * 4 = 106496 bytes.
 */
#include "reference/fragment.h"

#include "reference/gpu.h"
#include "reference/pipeline.h"
#include "reference/raster.h"

#include <stdlib.h>

static uint32_t round_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1u) / unit * unit;
}

struct ref_batch *ref_batch_create(void)
{
    struct ref_batch *batch = calloc(1, sizeof *batch);
    if (!batch)
        return NULL;
    const bool color = ref_surface_create(&batch->color);
    const bool depth = ref_surface_create(&batch->depth);
    if (color && depth)
        return batch;
    ref_batch_destroy(batch);
    return NULL;
}

void ref_batch_destroy(struct ref_batch *batch)
{
    if (!batch)
        return;
    ref_surface_destroy(&batch->color);
    ref_surface_destroy(&batch->depth);
    free(batch);
}

/* FBF-02: an address is in units of 64 bytes, bits 0-2 of the register are ignored; on the other side they count, and
 * the unit is 8 bytes. */
static void load_surface(const struct ref_gpu *gpu, uint32_t word, uint32_t bytes, struct ref_surface *surface)
{
    surface->address = pica_buffer_loc_address(word) * REF_BLOCK_BYTES;
    surface->first = ref_takes(gpu, PICA_SIDE_BUFFER_ADDRESS_UNITS_8) ? pica_buffer_loc_low_bits(word) * 8u : 0;
    surface->size = bytes == 0 ? 0 : surface->first + bytes;
}

/* FBF-28: the bits of DEPTHBUFFER_READ or WRITE are one switch; on the other side bit 0 is for stencil, 1 for depth. */
static bool opens(const struct ref_gpu *gpu, enum pica_reg access, uint32_t bit)
{
    const uint32_t bits = pica_depthbuffer_access_enable(gpu->regs[access]);
    return (ref_takes(gpu, PICA_SIDE_DEPTH_ACCESS_TWO_BITS) ? bits & bit : bits) != 0;
}

/* FBF-15, FBF-16, FBF-28, FBF-29, STC-05: what fragments see of the surfaces. */
static void load_sight(const struct ref_gpu *gpu, struct ref_batch *batch)
{
    const bool ignores_depth_read = ref_takes(gpu, PICA_SIDE_DEPTH_READ_OFF_STORED);
    const bool depth = batch->depth_read || ignores_depth_read;
    const bool stencil = opens(gpu, PICA_REG_DEPTHBUFFER_READ, 1u) || ignores_depth_read;
    batch->seen_depth = depth ? 0x00FFFFFFu : 0;
    batch->seen_stencil = stencil ? 0xFF000000u : 0;
    batch->kept_stencil = stencil || ref_takes(gpu, PICA_SIDE_STENCIL_MASK_STORED) ? 0xFF000000u : 0;
    batch->dest_is_seen = batch->color_read || ref_takes(gpu, PICA_SIDE_COLOR_READ_OFF_STORED);
    batch->forgets_masked_color = ref_takes(gpu, PICA_SIDE_MASKED_WITHOUT_READ_ZERO);
}

/* FBF-15, FBF-16, FBF-25, FBF-26, FBF-27, FBF-28: READ and WRITE are switches, not masks. CU and DU: section 11. */
static void load_access(const struct ref_gpu *gpu, struct ref_batch *batch)
{
    const uint32_t *regs = gpu->regs;
    batch->color_read = pica_colorbuffer_access_enable(regs[PICA_REG_COLORBUFFER_READ]) != 0;
    batch->color_write = pica_colorbuffer_access_enable(regs[PICA_REG_COLORBUFFER_WRITE]) != 0;
    batch->depth_read = opens(gpu, PICA_REG_DEPTHBUFFER_READ, 2u);
    batch->depth_write = opens(gpu, PICA_REG_DEPTHBUFFER_WRITE, 2u);
    batch->stencil_write = opens(gpu, PICA_REG_DEPTHBUFFER_WRITE, 1u);
    load_sight(gpu, batch);
    batch->color_used = batch->mode != PICA_FRAGMENT_MODE_RESERVED_2 && (batch->color_read || batch->color_write);
    batch->depth_used =
        batch->mode == PICA_FRAGMENT_MODE_DEFAULT &&
        (batch->seen_depth != 0 || batch->seen_stencil != 0 || batch->depth_write || batch->stencil_write);
}

/* FBF-05: a size in pixels, rounded up to whole tiles or blocks. */
static uint32_t in_tiles(const struct ref_batch *batch, uint32_t size)
{
    return round_up(size, batch->block32 ? 32u : 8u);
}

/* FBF-03 to FBF-05; RENDERBUF_DIM (0x06E) has no effect. */
static void load_dimensions(const struct ref_gpu *gpu, struct ref_batch *batch)
{
    const uint32_t dim = gpu->regs[PICA_REG_FRAMEBUFFER_DIM];
    batch->width = pica_framebuffer_dim_width(dim);
    batch->height = pica_framebuffer_dim_height_minus_1(dim) + 1u;
    batch->top_row_first =
        pica_framebuffer_dim_top_row_first(dim) != 0 || ref_takes(gpu, PICA_SIDE_ROW_ORDER_HIGHEST); /* FBF-06 */
    batch->block32 = pica_framebuffer_block32_block32(gpu->regs[PICA_REG_FRAMEBUFFER_BLOCK32]) != 0;
    batch->pitch = ref_takes(gpu, PICA_SIDE_ROW_PITCH_WIDTH) ? batch->width : in_tiles(batch, batch->width);
}

/* FBF-22: the mode that is in effect; FBF-30, GAS-01: on other sides, modes 2 and 1 are mode 0. */
static enum pica_fragment_mode effective_mode(const struct ref_gpu *gpu)
{
    const enum pica_fragment_mode mode = pica_color_operation_fragment_mode(gpu->regs[PICA_REG_COLOR_OPERATION]);
    if (mode == PICA_FRAGMENT_MODE_RESERVED_2 && ref_takes(gpu, PICA_SIDE_FRAGMENT_MODE_2_AS_0))
        return PICA_FRAGMENT_MODE_DEFAULT;
    if (mode == PICA_FRAGMENT_MODE_GAS && ref_takes(gpu, PICA_SIDE_GAS_MODE_AS_0))
        return PICA_FRAGMENT_MODE_DEFAULT;
    return mode;
}

/* FBF-18, FBF-19: in fragment modes 1 and 3 a colour pixel has 4 bytes whatever the format (SHW-01, GAS-01). */
void ref_batch_begin(struct ref_gpu *gpu)
{
    struct ref_batch *batch = gpu->batch;
    const uint32_t *regs = gpu->regs;
    batch->mode = effective_mode(gpu);
    batch->color_format = pica_colorbuffer_format_format(regs[PICA_REG_COLORBUFFER_FORMAT]);
    batch->depth_format = pica_depthbuffer_format_format(regs[PICA_REG_DEPTHBUFFER_FORMAT]);
    load_access(gpu, batch);
    load_dimensions(gpu, batch);
    const bool four_bytes = batch->mode == PICA_FRAGMENT_MODE_GAS || batch->mode == PICA_FRAGMENT_MODE_SHADOW;
    const uint32_t pixels = in_tiles(batch, batch->width) * in_tiles(batch, batch->height);
    batch->color_bytes = four_bytes ? 4u : ref_color_bytes(batch->color_format);
    batch->depth_bytes = ref_depth_bytes(batch->depth_format);
    load_surface(gpu, regs[PICA_REG_COLORBUFFER_LOC], pixels * batch->color_bytes, &batch->color);
    load_surface(gpu, regs[PICA_REG_DEPTHBUFFER_LOC], pixels * batch->depth_bytes, &batch->depth);
    batch->events_decided = false;
    batch->state_decoded = false;
}

void ref_batch_decode(struct ref_gpu *gpu)
{
    struct ref_batch *batch = gpu->batch;
    if (batch->state_decoded)
        return;
    ref_shading_decode(gpu, &batch->shading);
    ref_blend_decode(gpu, &batch->blending);
    batch->writable_bits = ref_writable_bits(batch->color_format, gpu->regs[PICA_REG_DEPTH_COLOR_MASK]);
    batch->state_decoded = true;
}

/*
 * FBF-18: Z first, so that C wins where both changed a byte. From here on every reader sees the result: there is no
 * cache, and FRAMEBUFFER_INVALIDATE and FRAMEBUFFER_FLUSH have no effect (FBF-20).
 */
void ref_batch_end(struct ref_gpu *gpu)
{
    ref_surface_store(gpu, &gpu->batch->depth);
    ref_surface_store(gpu, &gpu->batch->color);
}

/* ---------------------------------------------------------------------------------------------------------- events */

/* FBF-19: whether two ranges of addresses (modulo 2^32, each shorter than 2^32) share one. */
static bool ranges_meet(uint32_t a, uint64_t a_size, uint32_t b, uint64_t b_size)
{
    const uint32_t from_a_to_b = b - a;
    const uint32_t from_b_to_a = a - b;
    return a_size > 0 && b_size > 0 && (from_a_to_b < a_size || from_b_to_a < b_size);
}

/* FBF-34: whether the batch may change one of these bytes. */
static bool batch_may_write(const struct ref_batch *batch, uint32_t address, uint64_t size)
{
    const bool color =
        batch->color_used && batch->color_write && ranges_meet(batch->color.address, batch->color.size, address, size);
    const bool depth =
        batch->depth_used && batch->depth_write && ranges_meet(batch->depth.address, batch->depth.size, address, size);
    return color || depth;
}

/* FBF-34: the event if the bytes of an index or attribute are among those that the running batch may write. */
void ref_batch_note_read(struct ref_gpu *gpu, uint32_t address, uint32_t size)
{
    ref_event_if(gpu, batch_may_write(gpu->batch, address, size), PICA_EVENT_FEEDBACK_LOOP);
}

/* FBF-34, TEX-31: live texture units. */
static void texture_feedback_event(struct ref_gpu *gpu)
{
    uint32_t address = 0;
    uint64_t size = 0;
    for (uint32_t unit = 0; unit < 3; unit++)
        for (uint32_t index = 0; ref_texture_range(gpu, unit, index, &address, &size); index++)
            ref_event_if(gpu, batch_may_write(gpu->batch, address, size), PICA_EVENT_FEEDBACK_LOOP);
}

/* FBF-02, FBF-05, FBF-08, FBF-01, FBF-19, FBF-14: where the surfaces are. */
static void surface_events(struct ref_gpu *gpu)
{
    const struct ref_batch *batch = gpu->batch;
    const uint32_t *regs = gpu->regs;
    const bool cu = batch->color_used;
    const bool du = batch->depth_used;
    const struct ref_surface *color = &batch->color;
    const struct ref_surface *depth = &batch->depth;
    ref_event_if(gpu,
                 (cu && pica_buffer_loc_low_bits(regs[PICA_REG_COLORBUFFER_LOC]) != 0) ||
                     (du && pica_buffer_loc_low_bits(regs[PICA_REG_DEPTHBUFFER_LOC]) != 0),
                 PICA_EVENT_FB_ADDRESS_LOW_BITS);
    ref_event_if(gpu, (cu || du) && in_tiles(batch, batch->width) != batch->width, PICA_EVENT_FB_WIDTH_UNALIGNED);
    ref_event_if(gpu, (cu || du) && batch->block32, PICA_EVENT_BLOCK32_LAYOUT);
    ref_event_if(gpu,
                 (cu && !ref_range_in_memory(gpu, color->address, color->size)) ||
                     (du && !ref_range_in_memory(gpu, depth->address, depth->size)),
                 PICA_EVENT_FB_UNMAPPED);
    ref_event_if(gpu, cu && du && ranges_meet(color->address, color->size, depth->address, depth->size),
                 PICA_EVENT_COLOR_DEPTH_OVERLAP);
    ref_event_if(gpu, du && batch->depth_format == PICA_DEPTH_FORMAT_RESERVED_1, PICA_EVENT_DEPTH_FORMAT_1);
}

/* FBF-13: what the ignored pixel size field should say. */
static bool pixel_size_is_expected(enum pica_color_format format, enum pica_pixel_size size)
{
    switch (format) {
    case PICA_COLOR_FORMAT_RGBA8: return size == PICA_PIXEL_SIZE_32;
    case PICA_COLOR_FORMAT_RGB8: return size == PICA_PIXEL_SIZE_24;
    case PICA_COLOR_FORMAT_RGB5A1:
    case PICA_COLOR_FORMAT_RGB565:
    case PICA_COLOR_FORMAT_RGBA4: return size == PICA_PIXEL_SIZE_16;
    case PICA_COLOR_FORMAT_RESERVED_5:
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7:
    default: return true; /* the field has three bits */
    }
}

static bool uses_factor_15(uint32_t blend_func)
{
    return pica_blend_func_rgb_source(blend_func) == PICA_BLEND_FACTOR_RESERVED_15 ||
           pica_blend_func_rgb_dest(blend_func) == PICA_BLEND_FACTOR_RESERVED_15 ||
           pica_blend_func_alpha_source(blend_func) == PICA_BLEND_FACTOR_RESERVED_15 ||
           pica_blend_func_alpha_dest(blend_func) == PICA_BLEND_FACTOR_RESERVED_15;
}

/* FBF-12, FBF-13, FBF-29, BLD-04: the default mode. */
static void default_mode_events(struct ref_gpu *gpu)
{
    const struct ref_batch *batch = gpu->batch;
    const uint32_t *regs = gpu->regs;
    const uint32_t mask = regs[PICA_REG_DEPTH_COLOR_MASK];
    const bool all_channels = pica_depth_color_mask_red_write(mask) && pica_depth_color_mask_green_write(mask) &&
                              pica_depth_color_mask_blue_write(mask) && pica_depth_color_mask_alpha_write(mask);
    const bool blends = pica_color_operation_blend_mode(regs[PICA_REG_COLOR_OPERATION]) == PICA_BLEND_MODE_BLEND;
    const enum pica_pixel_size size = pica_colorbuffer_format_pixel_size(regs[PICA_REG_COLORBUFFER_FORMAT]);
    ref_event_if(gpu, batch->color_used && batch->color_format >= PICA_COLOR_FORMAT_RESERVED_5,
                 PICA_EVENT_COLOR_FORMAT_RESERVED);
    ref_event_if(gpu, batch->color_used && !pixel_size_is_expected(batch->color_format, size),
                 PICA_EVENT_COLOR_SIZE_MISMATCH);
    ref_event_if(gpu, batch->color_write && !batch->color_read && !all_channels, PICA_EVENT_MASK_WITHOUT_READ);
    ref_event_if(gpu, batch->color_write && blends && uses_factor_15(regs[PICA_REG_BLEND_FUNC]),
                 PICA_EVENT_BLEND_FACTOR_15);
}

/* FBF-30, GAS-01, SHW-01, SHW-03: what depends on the fragment mode. */
static void mode_events(struct ref_gpu *gpu)
{
    const struct ref_batch *batch = gpu->batch;
    switch (batch->mode) {
    case PICA_FRAGMENT_MODE_DEFAULT: default_mode_events(gpu); return;
    case PICA_FRAGMENT_MODE_GAS: ref_event(gpu, PICA_EVENT_GAS_MODE); return;
    case PICA_FRAGMENT_MODE_RESERVED_2: ref_event(gpu, PICA_EVENT_FRAGMENT_MODE_2); return;
    case PICA_FRAGMENT_MODE_SHADOW:
        ref_event_if(gpu, batch->color_used && batch->color_format != PICA_COLOR_FORMAT_RGBA8,
                     PICA_EVENT_SHADOW_FORMAT);
        ref_event_if(gpu, !batch->color_read || !batch->color_write, PICA_EVENT_SHADOW_ACCESS);
        return;
    }
}

/* FBF-33, GEN-09: the batch events of the files 30, 40, 50 and 60, from registers and windows alone. */
void ref_batch_triangle_kept(struct ref_gpu *gpu)
{
    if (gpu->batch->events_decided)
        return;
    gpu->batch->events_decided = true;
    ref_raster_events(gpu);
    ref_depth_test_events(gpu);
    ref_shading_events(gpu);
    surface_events(gpu);
    mode_events(gpu);
    ref_event_if(gpu, pica_color_operation_dither(gpu->regs[PICA_REG_COLOR_OPERATION]) != 0,
                 PICA_EVENT_COLOR_OP_DITHER); /* FBF-31 */
    texture_feedback_event(gpu);
}
