/*
 * The framebuffer: two surfaces in guest memory, the colour buffer C and the depth buffer Z, stored in 8x8 tiles.
 *
 * All triangles of one draw are a batch. Fragments of a batch see their own earlier writes to C and Z, but everything
 * else that reads memory (textures, indices, vertices) sees it as it was when the batch began, and C and Z do not see
 * each other even if they overlap. So a batch works on private copies of both and stores them at its end. Memory does
 * not change while it runs, so a block of 64 bytes may be copied when it is first touched; what was never touched has
 * nothing to store. Inside a tile pixels are in Morton order: the bits of column and row alternate.
 *
 * Worked number: W = 240, pixel (13, 21), bit 24 of the dimensions 0: tile (1, 2), so 16 * 240 + 8 * 8 = 3904 pixels
 * come before it, and inside it column 5 = 101b, row 5 = 101b give 110011b = 51: pixel 3955, RGBA8 byte 0x3DCC.
 */
#include "reference/framebuffer.h"

#include "reference/fragment.h"
#include "reference/gpu.h"
#include "reference/pipeline.h"
#include "reference/raster.h"
#include "reference/shading.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------- addressing */

/* Bit i of a number of five bits goes to bit 2 i. */
static const uint16_t spread[32] = { 0x000, 0x001, 0x004, 0x005, 0x010, 0x011, 0x014, 0x015, 0x040, 0x041, 0x044,
                                     0x045, 0x050, 0x051, 0x054, 0x055, 0x100, 0x101, 0x104, 0x105, 0x110, 0x111,
                                     0x114, 0x115, 0x140, 0x141, 0x144, 0x145, 0x150, 0x151, 0x154, 0x155 };

/* FBF-07: tiles of 8x8 in Morton order; FBF-08: blocks of 32x32 instead. */
uint32_t ref_tiled_index(uint32_t x, uint32_t y, uint32_t pitch, bool block32)
{
    const uint32_t bits = block32 ? 5u : 3u;
    const uint32_t size = 1u << bits;
    const uint32_t inner_x = x % size;
    const uint32_t inner_y = y % size;
    const uint32_t morton = spread[inner_x] | (uint32_t)spread[inner_y] << 1;
    return (y - inner_y) * pitch + (x - inner_x) * size + morton;
}

/* FBF-06: the highest screen row comes first in memory unless bit 24 of FRAMEBUFFER_DIM is 0. */
uint32_t ref_pixel_index(const struct ref_batch *batch, uint32_t x, uint32_t y)
{
    const uint32_t row = batch->top_row_first ? batch->height - 1u - y : y;
    return ref_tiled_index(x, row, batch->pitch, batch->block32);
}

static uint32_t round_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1u) / unit * unit;
}

/* ---------------------------------------------------------------------------------------------------- pixel formats */

/* FBF-09; 4 for the reserved formats (FBF-19). */
uint32_t ref_color_bytes(enum pica_color_format format)
{
    switch (format) {
    case PICA_COLOR_FORMAT_RGBA8: return 4;
    case PICA_COLOR_FORMAT_RGB8: return 3;
    case PICA_COLOR_FORMAT_RGB5A1: return 2;
    case PICA_COLOR_FORMAT_RGB565: return 2;
    case PICA_COLOR_FORMAT_RGBA4: return 2;
    case PICA_COLOR_FORMAT_RESERVED_5:
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7:
    default: return 4; /* the field has three bits */
    }
}

/* FBF-14; 4 for the reserved format. */
static uint32_t depth_bytes(enum pica_depth_format format)
{
    switch (format) {
    case PICA_DEPTH_FORMAT_D16: return 2;
    case PICA_DEPTH_FORMAT_RESERVED_1: return 4;
    case PICA_DEPTH_FORMAT_D24: return 3;
    case PICA_DEPTH_FORMAT_D24S8:
    default: return 4; /* the field has two bits */
    }
}

static void set(uint8_t rgba[4], uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha)
{
    rgba[0] = (uint8_t)red;
    rgba[1] = (uint8_t)green;
    rgba[2] = (uint8_t)blue;
    rgba[3] = (uint8_t)alpha;
}

/* FBF-10: 4, 5 or 6 bits, the lowest of `value`, to 8. */
static uint32_t expand4(uint32_t value)
{
    return (value & 15u) << 4 | (value & 15u);
}

static uint32_t expand5(uint32_t value)
{
    return (value & 31u) << 3 | (value & 31u) >> 2;
}

static uint32_t expand6(uint32_t value)
{
    return (value & 63u) << 2 | (value & 63u) >> 4;
}

/* FBF-09, FBF-10: missing alpha is 255. */
void ref_color_expand(enum pica_color_format format, uint32_t bits, uint8_t rgba[4])
{
    switch (format) {
    case PICA_COLOR_FORMAT_RGBA8: set(rgba, bits >> 24, bits >> 16 & 255u, bits >> 8 & 255u, bits & 255u); return;
    case PICA_COLOR_FORMAT_RGB8: set(rgba, bits >> 16 & 255u, bits >> 8 & 255u, bits & 255u, 255); return;
    case PICA_COLOR_FORMAT_RGB5A1:
        set(rgba, expand5(bits >> 11), expand5(bits >> 6), expand5(bits >> 1), (bits & 1u) * 255u);
        return;
    case PICA_COLOR_FORMAT_RGB565: set(rgba, expand5(bits >> 11), expand6(bits >> 5), expand5(bits), 255); return;
    case PICA_COLOR_FORMAT_RGBA4:
    case PICA_COLOR_FORMAT_RESERVED_5: /* FBF-12: nobody asks for these, for nothing is written to them */
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7:
    default: set(rgba, expand4(bits >> 12), expand4(bits >> 8), expand4(bits >> 4), expand4(bits)); return;
    }
}

/* FBF-09, FBF-11: truncation, no dithering; FBF-24: channels that the format lacks are dropped. */
uint32_t ref_color_pack(enum pica_color_format format, const uint8_t rgba[4])
{
    const uint32_t r = rgba[0], g = rgba[1], b = rgba[2], a = rgba[3];
    switch (format) {
    case PICA_COLOR_FORMAT_RGBA8: return r << 24 | g << 16 | b << 8 | a;
    case PICA_COLOR_FORMAT_RGB8: return r << 16 | g << 8 | b;
    case PICA_COLOR_FORMAT_RGB5A1: return r >> 3 << 11 | g >> 3 << 6 | b >> 3 << 1 | a >> 7;
    case PICA_COLOR_FORMAT_RGB565: return r >> 3 << 11 | g >> 2 << 5 | b >> 3;
    case PICA_COLOR_FORMAT_RGBA4: return r >> 4 << 12 | g >> 4 << 8 | b >> 4 << 4 | a >> 4;
    case PICA_COLOR_FORMAT_RESERVED_5:
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7:
    default: return 0; /* the field has three bits */
    }
}

/* --------------------------------------------------------------------------------------------------------- surfaces */

static bool surface_create(struct ref_surface *surface)
{
    surface->start = malloc(REF_SURFACE_BYTES);
    surface->now = malloc(REF_SURFACE_BYTES);
    surface->states = calloc(REF_SURFACE_BLOCKS, 1);
    surface->touched = malloc(REF_SURFACE_BLOCKS * sizeof *surface->touched);
    surface->touched_count = 0;
    return surface->start && surface->now && surface->states && surface->touched;
}

static void surface_destroy(struct ref_surface *surface)
{
    free(surface->start);
    free(surface->now);
    free(surface->states);
    free(surface->touched);
}

/* FBF-18; outside blocks are 0 (FBF-01). */
void ref_surface_touch(const struct ref_gpu *gpu, struct ref_surface *surface, uint32_t block)
{
    const uint32_t offset = block * REF_BLOCK_BYTES;
    const uint32_t address = surface->address + offset;
    ref_read_bytes(gpu, address, surface->start + offset, REF_BLOCK_BYTES);
    memcpy(surface->now + offset, surface->start + offset, REF_BLOCK_BYTES);
    surface->states[block] = ref_in_memory(gpu, address) ? REF_BLOCK_INSIDE : REF_BLOCK_OUTSIDE;
    surface->touched[surface->touched_count++] = block;
}

void ref_surface_write_inside(struct ref_surface *surface, uint32_t offset, uint32_t count, uint32_t value)
{
    for (uint32_t i = 0; i < count; i++)
        if (surface->states[(offset + i) / REF_BLOCK_BYTES] == REF_BLOCK_INSIDE)
            surface->now[offset + i] = (uint8_t)(value >> (8u * i) & 0xFFu);
}

/* FBF-18: stores the bytes of a block that differ from their start value. */
static void store_block(struct ref_gpu *gpu, const struct ref_surface *surface, uint32_t block)
{
    const uint8_t *const now = surface->now + block * REF_BLOCK_BYTES;
    const uint8_t *const start = surface->start + block * REF_BLOCK_BYTES;
    if (memcmp(now, start, REF_BLOCK_BYTES) == 0)
        return;
    uint8_t *const memory = ref_block_to_write(gpu, surface->address + block * REF_BLOCK_BYTES);
    assert(memory != NULL); /* an outside block has not changed */
    for (uint32_t k = 0; k < REF_BLOCK_BYTES; k++)
        memory[k] = now[k] != start[k] ? now[k] : memory[k];
}

/* FBF-18: stores the changes of a batch and forgets the copy. */
static void store_surface(struct ref_gpu *gpu, struct ref_surface *surface)
{
    for (uint32_t i = 0; i < surface->touched_count; i++) {
        store_block(gpu, surface, surface->touched[i]);
        surface->states[surface->touched[i]] = REF_BLOCK_UNTOUCHED;
    }
    surface->touched_count = 0;
}

/* ---------------------------------------------------------------------------------------------------------- batches */

struct ref_batch *ref_batch_create(void)
{
    struct ref_batch *batch = calloc(1, sizeof *batch);
    if (!batch)
        return NULL;
    const bool color = surface_create(&batch->color);
    const bool depth = surface_create(&batch->depth);
    if (color && depth)
        return batch;
    ref_batch_destroy(batch);
    return NULL;
}

void ref_batch_destroy(struct ref_batch *batch)
{
    if (!batch)
        return;
    surface_destroy(&batch->color);
    surface_destroy(&batch->depth);
    free(batch);
}

/* FBF-02: 64-byte units; bits 0-2 of the register do not count. */
static uint32_t surface_address(uint32_t word)
{
    return pica_buffer_loc_address(word) * REF_BLOCK_BYTES;
}

/* FBF-15, FBF-16, FBF-25, FBF-26, FBF-27, FBF-28: READ and WRITE are switches, not masks. CU and DU: section 11. */
static void load_access(struct ref_batch *batch, const uint32_t *regs)
{
    batch->color_read = pica_colorbuffer_access_enable(regs[PICA_REG_COLORBUFFER_READ]) != 0;
    batch->color_write = pica_colorbuffer_access_enable(regs[PICA_REG_COLORBUFFER_WRITE]) != 0;
    batch->depth_read = pica_depthbuffer_access_enable(regs[PICA_REG_DEPTHBUFFER_READ]) != 0;
    batch->depth_write = pica_depthbuffer_access_enable(regs[PICA_REG_DEPTHBUFFER_WRITE]) != 0;
    batch->color_used = batch->mode != PICA_FRAGMENT_MODE_RESERVED_2 && (batch->color_read || batch->color_write);
    batch->depth_used = batch->mode == PICA_FRAGMENT_MODE_DEFAULT && (batch->depth_read || batch->depth_write);
}

/* FBF-03 to FBF-05; RENDERBUF_DIM (0x06E) has no effect. */
static void load_dimensions(struct ref_batch *batch, const uint32_t *regs)
{
    const uint32_t dim = regs[PICA_REG_FRAMEBUFFER_DIM];
    batch->width = pica_framebuffer_dim_width(dim);
    batch->height = pica_framebuffer_dim_height_minus_1(dim) + 1u;
    batch->top_row_first = pica_framebuffer_dim_top_row_first(dim) != 0;
    batch->block32 = pica_framebuffer_block32_block32(regs[PICA_REG_FRAMEBUFFER_BLOCK32]) != 0;
    batch->pitch = round_up(batch->width, batch->block32 ? 32u : 8u);
}

/* FBF-18, FBF-19: in fragment modes 1 and 3 a colour pixel has 4 bytes whatever the format (SHW-01, GAS-01). */
void ref_batch_begin(struct ref_gpu *gpu)
{
    struct ref_batch *batch = gpu->batch;
    const uint32_t *regs = gpu->regs;
    batch->mode = pica_color_operation_fragment_mode(regs[PICA_REG_COLOR_OPERATION]);
    batch->color_format = pica_colorbuffer_format_format(regs[PICA_REG_COLORBUFFER_FORMAT]);
    batch->depth_format = pica_depthbuffer_format_format(regs[PICA_REG_DEPTHBUFFER_FORMAT]);
    load_access(batch, regs);
    load_dimensions(batch, regs);
    const bool four_bytes = batch->mode == PICA_FRAGMENT_MODE_GAS || batch->mode == PICA_FRAGMENT_MODE_SHADOW;
    const uint32_t pixels = batch->pitch * round_up(batch->height, batch->block32 ? 32u : 8u);
    batch->color_bytes = four_bytes ? 4u : ref_color_bytes(batch->color_format);
    batch->depth_bytes = depth_bytes(batch->depth_format);
    batch->color.address = surface_address(regs[PICA_REG_COLORBUFFER_LOC]);
    batch->color.size = pixels * batch->color_bytes;
    batch->depth.address = surface_address(regs[PICA_REG_DEPTHBUFFER_LOC]);
    batch->depth.size = pixels * batch->depth_bytes;
    batch->events_decided = false;
    batch->state_decoded = false;
}

void ref_batch_decode(struct ref_gpu *gpu)
{
    struct ref_batch *batch = gpu->batch;
    if (batch->state_decoded)
        return;
    ref_shading_decode(gpu, &batch->shading);
    ref_blending_decode(gpu, &batch->blending);
    batch->state_decoded = true;
}

/*
 * FBF-18: Z first, so that C wins where both changed a byte. From here on everybody sees the result: there is no cache,
 * and FRAMEBUFFER_INVALIDATE and FRAMEBUFFER_FLUSH have no effect (FBF-20).
 */
void ref_batch_end(struct ref_gpu *gpu)
{
    store_surface(gpu, &gpu->batch->depth);
    store_surface(gpu, &gpu->batch->color);
}

/* ----------------------------------------------------------------------------------------------------------- events */

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

/* FBF-34, indices and attributes: in any batch. */
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
    ref_event_if(gpu, (cu || du) && batch->pitch != batch->width, PICA_EVENT_FB_WIDTH_UNALIGNED);
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
    ref_shading_events(gpu);
    surface_events(gpu);
    mode_events(gpu);
    ref_event_if(gpu, pica_color_operation_dither(gpu->regs[PICA_REG_COLOR_OPERATION]) != 0,
                 PICA_EVENT_COLOR_OP_DITHER); /* FBF-31 */
    texture_feedback_event(gpu);
}
