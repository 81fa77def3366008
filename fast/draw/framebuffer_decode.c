/* Framebuffer: size, layout, formats, which bits are written, and what a fragment can read or write at all. */
#include "fast/draw/fragment_decode.h"
#include "fast/gpu.h"
#include "pica/regs.h"

/* -------------------------------------------------------------------------------------------------- size and layout */

static uint32_t round_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1u) / unit * unit;
}

/*
 * FBF-04, FBF-05, FBF-06, FBF-08: size, direction and layout of both surfaces. FBF-03: 0x06E plays no part. FBF-20:
 * neither do FRAMEBUFFER_INVALIDATE and FLUSH.
 */
void fast_decode_framebuffer_size(const struct fast_decoder *decoder)
{
    struct fast_fragment_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    const uint32_t dim = registers[PICA_REG_FRAMEBUFFER_DIM];
    state->width = pica_framebuffer_dim_width(dim);
    state->height = pica_framebuffer_dim_height_minus_1(dim) + 1u;
    state->bottom_row_last = pica_framebuffer_dim_top_row_first(dim) != 0u;
    state->tile_shift = pica_framebuffer_block32_block32(registers[PICA_REG_FRAMEBUFFER_BLOCK32]) != 0u ? 5u : 3u;
    state->pitch = round_up(state->width, 1u << state->tile_shift);
}

/* FBF-09. FBF-13: the pixel size field has no effect. */
static uint32_t color_bytes(enum pica_color_format format)
{
    switch (format) {
    case PICA_COLOR_FORMAT_RGBA8:
    case PICA_COLOR_FORMAT_RESERVED_5:
    case PICA_COLOR_FORMAT_RESERVED_6:
    case PICA_COLOR_FORMAT_RESERVED_7: return 4u;
    case PICA_COLOR_FORMAT_RGB8: return 3u;
    case PICA_COLOR_FORMAT_RGB5A1:
    case PICA_COLOR_FORMAT_RGB565:
    case PICA_COLOR_FORMAT_RGBA4:
    default: return 2u;
    }
}

/* FBF-14 */
static uint32_t depth_bytes(enum pica_depth_format format)
{
    switch (format) {
    case PICA_DEPTH_FORMAT_D16: return 2u;
    case PICA_DEPTH_FORMAT_D24: return 3u;
    case PICA_DEPTH_FORMAT_RESERVED_1:
    case PICA_DEPTH_FORMAT_D24S8:
    default: return 4u;
    }
}

/* FBF-02, FBF-19. */
static void decode_surface(const struct fast_decoder *decoder, struct fast_surface *surface, uint32_t location,
                           uint32_t bytes_per_pixel)
{
    const struct fast_fragment_state *state = decoder->state;
    const uint32_t rows = round_up(state->height, 1u << state->tile_shift);
    surface->address = pica_buffer_loc_address(location) << 6;
    surface->bytes_per_pixel = bytes_per_pixel;
    surface->size = (uint64_t)state->pitch * rows * bytes_per_pixel;
}

/* FBF-02, FBF-19. SHW-01, GAS-01: in shadow and gas mode a pixel is one 32-bit word. */
static void decode_surfaces(const struct fast_decoder *decoder)
{
    struct fast_fragment_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    const bool words = state->mode == PICA_FRAGMENT_MODE_GAS || state->mode == PICA_FRAGMENT_MODE_SHADOW;
    const enum pica_color_format format = pica_colorbuffer_format_format(registers[PICA_REG_COLORBUFFER_FORMAT]);
    decode_surface(decoder, &state->color_surface, registers[PICA_REG_COLORBUFFER_LOC],
                   words ? 4u : color_bytes(format));
    decode_surface(decoder, &state->depth_surface, registers[PICA_REG_DEPTHBUFFER_LOC],
                   depth_bytes(state->depth.format));
}

/* ----------------------------------------------------------------------------------------------------------- colour */

/* FBF-09: bits of the channels r, g, b, a in a stored pixel; 0 where the format lacks one (FBF-24) or is reserved. */
static const uint32_t channel_bits[8][4] = {
    [PICA_COLOR_FORMAT_RGBA8] = { 0xFF000000u, 0x00FF0000u, 0x0000FF00u, 0x000000FFu },
    [PICA_COLOR_FORMAT_RGB8] = { 0x00FF0000u, 0x0000FF00u, 0x000000FFu, 0u },
    [PICA_COLOR_FORMAT_RGB5A1] = { 0xF800u, 0x07C0u, 0x003Eu, 0x0001u },
    [PICA_COLOR_FORMAT_RGB565] = { 0xF800u, 0x07E0u, 0x001Fu, 0u },
    [PICA_COLOR_FORMAT_RGBA4] = { 0xF000u, 0x0F00u, 0x00F0u, 0x000Fu },
};

/* FBF-12, FBF-15, FBF-17, FBF-24, FBF-25, FBF-29, LOP-02 (op 6 with READ on stores what is there: no write). */
void fast_decode_color(const struct fast_decoder *decoder)
{
    struct fast_color_state *color = &decoder->state->color;
    const struct fast_blend_state *blend = &decoder->state->blend;
    const uint32_t mask = decoder->registers[PICA_REG_DEPTH_COLOR_MASK];
    color->format = pica_colorbuffer_format_format(decoder->registers[PICA_REG_COLORBUFFER_FORMAT]);
    const uint32_t *bits = channel_bits[color->format];
    if (pica_depth_color_mask_red_write(mask) != 0u)
        color->bits |= bits[0];
    if (pica_depth_color_mask_green_write(mask) != 0u)
        color->bits |= bits[1];
    if (pica_depth_color_mask_blue_write(mask) != 0u)
        color->bits |= bits[2];
    if (pica_depth_color_mask_alpha_write(mask) != 0u)
        color->bits |= bits[3];
    color->keeps_bits = color->bits != (bits[0] | bits[1] | bits[2] | bits[3]);
    color->read = decoder->color_read;
    const bool no_operation = !blend->enabled && blend->logic_op == PICA_LOGIC_OP_NOOP && color->read;
    color->write = decoder->color_write && color->bits != 0u && !no_operation;
}

/* ----------------------------------------------------------------------------------------------------------- access */

/* What a fragment can read and write at all. FBF-22, FBF-30: mode 2 changes no memory. */
static void decode_access(const struct fast_decoder *decoder)
{
    struct fast_fragment_state *state = decoder->state;
    struct fast_surface *color = &state->color_surface;
    struct fast_surface *depth = &state->depth_surface;
    const bool stencil_writes = state->stencil.active && state->stencil.write_mask != 0u;
    switch (state->mode) {
    case PICA_FRAGMENT_MODE_DEFAULT:
        color->written = state->color.write;
        depth->written = state->depth.write || stencil_writes;
        depth->accessed = depth->written || ((state->depth.test || state->stencil.active) && state->depth.read);
        state->needs_depth = state->depth.test || state->depth.write;
        state->shades = state->color.write || state->alpha_test;
        break;
    case PICA_FRAGMENT_MODE_GAS: fast_gas_access(decoder); break;
    case PICA_FRAGMENT_MODE_RESERVED_2: break;
    case PICA_FRAGMENT_MODE_SHADOW: fast_shadow_access(decoder); break;
    }
    color->accessed = color->written;
    state->draws = (color->written || depth->written) && state->width != 0u;
    if (!state->draws) {
        color->accessed = color->written = false;
        depth->accessed = depth->written = false;
    }
}

static bool extents_meet(const struct fast_surface *a, const struct fast_surface *b)
{
    return a->size != 0u && b->size != 0u && a->address < b->address + b->size && b->address < a->address + a->size;
}

void fast_decode_framebuffer(const struct fast_decoder *decoder)
{
    struct fast_fragment_state *state = decoder->state;
    decode_surfaces(decoder);
    decode_access(decoder);
    state->surfaces_meet = state->color_surface.accessed && state->depth_surface.accessed &&
                           extents_meet(&state->color_surface, &state->depth_surface);
}

/* ----------------------------------------------------------------------------------------------------------- events */

/* FBF-13: does the pixel size match the format? Reserved formats match no size. */
static bool color_size_matches(enum pica_color_format format, enum pica_pixel_size size)
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
    default: return true;
    }
}

/* FBF-01, FBF-02, FBF-05, FBF-08, FBF-19: what depends on where and how large the surfaces are. */
static void add_surface_events(const struct fast_decoder *decoder, bool color_used, bool depth_used)
{
    struct fast_fragment_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    const struct fast_surface *color = &state->color_surface;
    const struct fast_surface *depth = &state->depth_surface;
    const bool used = color_used || depth_used;
    fast_raster_event_if(state,
                         (color_used && pica_buffer_loc_low_bits(registers[PICA_REG_COLORBUFFER_LOC]) != 0u) ||
                             (depth_used && pica_buffer_loc_low_bits(registers[PICA_REG_DEPTHBUFFER_LOC]) != 0u),
                         PICA_EVENT_FB_ADDRESS_LOW_BITS);
    fast_raster_event_if(state, used && state->pitch != state->width, PICA_EVENT_FB_WIDTH_UNALIGNED);
    fast_raster_event_if(state, used && state->tile_shift == 5u, PICA_EVENT_BLOCK32_LAYOUT);
    fast_raster_event_if(state,
                         (color_used && !fast_memory_has(decoder->gpu, color->address, color->size)) ||
                             (depth_used && !fast_memory_has(decoder->gpu, depth->address, depth->size)),
                         PICA_EVENT_FB_UNMAPPED);
    fast_raster_event_if(state, color_used && depth_used && extents_meet(color, depth), PICA_EVENT_COLOR_DEPTH_OVERLAP);
}

/* FBF-12, FBF-13, FBF-22, FBF-25, FBF-30, FBF-31: what depends on formats, masks and the mode. */
static void add_format_events(const struct fast_decoder *decoder, bool color_used)
{
    struct fast_fragment_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    const bool normal = state->mode == PICA_FRAGMENT_MODE_DEFAULT;
    const uint32_t mask = registers[PICA_REG_DEPTH_COLOR_MASK];
    const uint32_t layout = registers[PICA_REG_COLORBUFFER_FORMAT];
    const enum pica_color_format format = pica_colorbuffer_format_format(layout);
    const bool all_channels =
        pica_depth_color_mask_red_write(mask) != 0u && pica_depth_color_mask_green_write(mask) != 0u &&
        pica_depth_color_mask_blue_write(mask) != 0u && pica_depth_color_mask_alpha_write(mask) != 0u;
    fast_raster_event_if(state, color_used && normal && format >= PICA_COLOR_FORMAT_RESERVED_5,
                         PICA_EVENT_COLOR_FORMAT_RESERVED);
    fast_raster_event_if(
        state, color_used && normal && !color_size_matches(format, pica_colorbuffer_format_pixel_size(layout)),
        PICA_EVENT_COLOR_SIZE_MISMATCH);
    fast_raster_event_if(state, normal && decoder->color_write && !decoder->color_read && !all_channels,
                         PICA_EVENT_MASK_WITHOUT_READ);
    fast_raster_event_if(state, pica_color_operation_dither(registers[PICA_REG_COLOR_OPERATION]) != 0u,
                         PICA_EVENT_COLOR_OP_DITHER); /* FBF-31 */
    fast_raster_event_if(state, state->mode == PICA_FRAGMENT_MODE_RESERVED_2, PICA_EVENT_FRAGMENT_MODE_2);
}

/* 60 section 11. FBF-34: feedback-loop is class R. */
void fast_framebuffer_events(const struct fast_decoder *decoder, bool color_used, bool depth_used)
{
    add_surface_events(decoder, color_used, depth_used);
    add_format_events(decoder, color_used);
}
