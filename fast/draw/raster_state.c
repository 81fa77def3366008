#include "fast/draw/raster_state.h"

#include "fast/gpu.h"
#include "fast/number.h"
#include "fast/pipeline.h"
#include "pica/regs.h"

/* Everything below is decoded from here, once per change of registers. */
struct decoder {
    const struct fast_gpu *gpu;
    const uint32_t *registers;
    struct fast_raster_state *state;
    bool color_read, color_write, depth_read, depth_write; /* the registers 0x112-0x115 alone */
};

static void add_event(struct fast_raster_state *state, enum pica_event event)
{
    state->batch_events.words[(uint32_t)event / 64u] |= (uint64_t)1 << ((uint32_t)event % 64u);
}

static void add_event_if(struct fast_raster_state *state, bool condition, enum pica_event event)
{
    if (condition)
        add_event(state, event);
}

static uint32_t round_up(uint32_t value, uint32_t unit)
{
    return (value + unit - 1u) / unit * unit;
}

/* --------------------------------------------------------------------------------------------------------------- 30 */

/* CLP-08, ITP-04: the coefficients are float24 in both numeric profiles. */
static void decode_clipping(const struct decoder *decoder)
{
    struct fast_raster_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    state->user_plane = pica_fragop_clip_enable(registers[PICA_REG_FRAGOP_CLIP]) != 0u;
    for (uint32_t i = 0; i < 4u; i++) {
        const uint32_t word = registers[PICA_REG_FRAGOP_CLIP_DATA0 + i];
        state->plane[i] = fast_float24(pica_fragop_clip_data_coefficient(word));
        if (!fast_is_finite(state->plane[i]))
            state->plane_nonfinite = true;
    }
}

/* VPT-02, VPT-04. VPT-05: VIEWPORT_INVW, VIEWPORT_INVH and RENDERBUF_DIM have no effect. */
static void decode_viewport(const struct decoder *decoder)
{
    struct fast_raster_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    state->half_width = fast_float24(pica_viewport_size_half_size(registers[PICA_REG_VIEWPORT_WIDTH]));
    state->half_height = fast_float24(pica_viewport_size_half_size(registers[PICA_REG_VIEWPORT_HEIGHT]));
    state->offset_x = (float)pica_viewport_xy_x(registers[PICA_REG_VIEWPORT_XY]);
    state->offset_y = (float)pica_viewport_xy_y(registers[PICA_REG_VIEWPORT_XY]);
    state->viewport_nonfinite = !fast_is_finite(state->half_width) || !fast_is_finite(state->half_height);
}

/* CUL-02. CUL-05: the y direction of the framebuffer plays no part. */
static void decode_culling(const struct decoder *decoder)
{
    struct fast_raster_state *state = decoder->state;
    switch (pica_faceculling_config_mode(decoder->registers[PICA_REG_FACECULLING_CONFIG])) {
    case PICA_CULL_MODE_NONE:
    case PICA_CULL_MODE_NONE_3:
        state->keeps_negative = true;
        state->keeps_positive = true;
        break;
    case PICA_CULL_MODE_FRONT: state->keeps_negative = true; break;
    case PICA_CULL_MODE_BACK: state->keeps_positive = true; break;
    }
}

/*
 * FBF-04, FBF-05, FBF-06, FBF-08: size, direction and layout of both surfaces. FBF-03: 0x06E plays no part. FBF-20:
 * neither do FRAMEBUFFER_INVALIDATE and FLUSH.
 */
static void decode_size(const struct decoder *decoder)
{
    struct fast_raster_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    const uint32_t dim = registers[PICA_REG_FRAMEBUFFER_DIM];
    state->width = pica_framebuffer_dim_width(dim);
    state->height = pica_framebuffer_dim_height_minus_1(dim) + 1u;
    state->bottom_row_last = pica_framebuffer_dim_top_row_first(dim) != 0u;
    state->tile_shift = pica_framebuffer_block32_block32(registers[PICA_REG_FRAMEBUFFER_BLOCK32]) != 0u ? 5u : 3u;
    state->pitch = round_up(state->width, 1u << state->tile_shift);
}

/* SCS-01; SCS-02: the second corner is inclusive; SCS-03: ten bits count; SCS-04: screen coordinates. */
static void decode_scissor(const struct decoder *decoder)
{
    struct fast_raster_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    const uint32_t first = registers[PICA_REG_SCISSORTEST_POS];
    const uint32_t second = registers[PICA_REG_SCISSORTEST_DIM];
    struct fast_box box;
    box.left = (int32_t)pica_scissortest_pos_x1(first);
    box.bottom = (int32_t)pica_scissortest_pos_y1(first);
    box.right = (int32_t)pica_scissortest_dim_x2(second);
    box.top = (int32_t)pica_scissortest_dim_y2(second);
    state->scissor = box;
    state->scissor_memory = box;
    if (state->bottom_row_last) {
        state->scissor_memory.bottom = (int32_t)state->height - 1 - box.top;
        state->scissor_memory.top = (int32_t)state->height - 1 - box.bottom;
    }
    switch (pica_scissortest_mode_mode(registers[PICA_REG_SCISSORTEST_MODE])) {
    case PICA_SCISSOR_MODE_OFF:
    case PICA_SCISSOR_MODE_OFF_2: break;
    case PICA_SCISSOR_MODE_OUTSIDE: state->scissor_outside = box.left <= box.right && box.bottom <= box.top; break;
    case PICA_SCISSOR_MODE_INSIDE: state->scissor_inside = true; break;
    }
}

/* ITP-14, ITP-15. */
static void decode_depth_map(const struct decoder *decoder)
{
    struct fast_raster_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    state->depth_scale = fast_float24(pica_depthmap_scale_scale(registers[PICA_REG_DEPTHMAP_SCALE]));
    state->depth_offset = fast_float24(pica_depthmap_offset_offset(registers[PICA_REG_DEPTHMAP_OFFSET]));
    state->z_buffer = pica_depthmap_enable_z_buffer(registers[PICA_REG_DEPTHMAP_ENABLE]) != 0u;
}

/* --------------------------------------------------------------------------------------------------------------- 60 */

/* FBF-09; FBF-13: the pixel size field plays no part. */
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

/* FBF-09: bits of the channels r, g, b, a in a stored pixel; 0 where the format lacks one (FBF-24) or is reserved. */
static const uint32_t channel_bits[8][4] = {
    [PICA_COLOR_FORMAT_RGBA8] = { 0xFF000000u, 0x00FF0000u, 0x0000FF00u, 0x000000FFu },
    [PICA_COLOR_FORMAT_RGB8] = { 0x00FF0000u, 0x0000FF00u, 0x000000FFu, 0u },
    [PICA_COLOR_FORMAT_RGB5A1] = { 0xF800u, 0x07C0u, 0x003Eu, 0x0001u },
    [PICA_COLOR_FORMAT_RGB565] = { 0xF800u, 0x07E0u, 0x001Fu, 0u },
    [PICA_COLOR_FORMAT_RGBA4] = { 0xF000u, 0x0F00u, 0x00F0u, 0x000Fu },
};

/* FBF-02, FBF-19. */
static void decode_surface(const struct decoder *decoder, struct fast_surface *surface, uint32_t location,
                           uint32_t bytes_per_pixel)
{
    const struct fast_raster_state *state = decoder->state;
    const uint32_t rows = round_up(state->height, 1u << state->tile_shift);
    surface->address = pica_buffer_loc_address(location) << 6;
    surface->bytes_per_pixel = bytes_per_pixel;
    surface->size = (uint64_t)state->pitch * rows * bytes_per_pixel;
}

/* ATS-01: only in fragment mode 0. */
static void decode_alpha_test(const struct decoder *decoder)
{
    struct fast_raster_state *state = decoder->state;
    const uint32_t word = decoder->registers[PICA_REG_FRAGOP_ALPHA_TEST];
    state->alpha_function = pica_fragop_alpha_test_function(word);
    state->alpha_reference = pica_fragop_alpha_test_reference(word);
    state->alpha_test = state->mode == PICA_FRAGMENT_MODE_DEFAULT && pica_fragop_alpha_test_enable(word) != 0u &&
                        state->alpha_function != PICA_COMPARE_FUNC_ALWAYS;
}

/* FBF-14, FBF-16, FBF-27, DPT-01 to DPT-03, ITP-17. */
static void decode_depth(const struct decoder *decoder)
{
    struct fast_depth_state *depth = &decoder->state->depth;
    const uint32_t word = decoder->registers[PICA_REG_DEPTH_COLOR_MASK];
    depth->format = pica_depthbuffer_format_format(decoder->registers[PICA_REG_DEPTHBUFFER_FORMAT]);
    depth->factor = depth->format == PICA_DEPTH_FORMAT_D16 ? 65535.0f : 16777215.0f;
    depth->function = pica_depth_color_mask_depth_function(word);
    const bool reserved = depth->format == PICA_DEPTH_FORMAT_RESERVED_1;
    depth->read = decoder->depth_read && !reserved;
    depth->write = decoder->depth_write && !reserved && pica_depth_color_mask_depth_write(word) != 0u;
    depth->test = pica_depth_color_mask_depth_test(word) != 0u && depth->function != PICA_COMPARE_FUNC_ALWAYS;
}

/*
 * STC-01, STC-02, STC-05, STC-06. Without a write mask and with a test that always passes nothing is left of it; the
 * same holds if every operation keeps the real byte.
 */
static void decode_stencil(const struct decoder *decoder)
{
    struct fast_stencil_state *stencil = &decoder->state->stencil;
    const struct fast_depth_state *depth = &decoder->state->depth;
    const uint32_t word = decoder->registers[PICA_REG_STENCIL_TEST];
    const uint32_t operations = decoder->registers[PICA_REG_STENCIL_OP];
    stencil->function = pica_stencil_test_function(word);
    stencil->reference = pica_stencil_test_reference(word);
    stencil->compare_mask = pica_stencil_test_compare_mask(word);
    stencil->stencil_fail = pica_stencil_op_stencil_fail(operations);
    stencil->depth_fail = pica_stencil_op_depth_fail(operations);
    stencil->pass = pica_stencil_op_pass(operations);
    const bool keeps = depth->read && stencil->stencil_fail == PICA_STENCIL_OP_KEEP &&
                       stencil->depth_fail == PICA_STENCIL_OP_KEEP && stencil->pass == PICA_STENCIL_OP_KEEP;
    stencil->write_mask = decoder->depth_write && !keeps ? pica_stencil_test_write_mask(word) : 0u;
    stencil->active = pica_stencil_test_enable(word) != 0u && depth->format == PICA_DEPTH_FORMAT_D24S8 &&
                      (stencil->function != PICA_COMPARE_FUNC_ALWAYS || stencil->write_mask != 0u);
}

/* BLD-01, BLD-04 */
static struct fast_blend_factor canonical_factor(enum pica_blend_factor factor, bool alpha)
{
    switch (factor) {
    case PICA_BLEND_FACTOR_ZERO: return (struct fast_blend_factor){ FAST_BLEND_ZERO, 0 };
    case PICA_BLEND_FACTOR_ONE: return (struct fast_blend_factor){ FAST_BLEND_ZERO, 255 };
    case PICA_BLEND_FACTOR_SOURCE_COLOR:
    case PICA_BLEND_FACTOR_RESERVED_15: return (struct fast_blend_factor){ FAST_BLEND_SOURCE_COLOR, 0 };
    case PICA_BLEND_FACTOR_ONE_MINUS_SOURCE_COLOR: return (struct fast_blend_factor){ FAST_BLEND_SOURCE_COLOR, 255 };
    case PICA_BLEND_FACTOR_DEST_COLOR: return (struct fast_blend_factor){ FAST_BLEND_DEST_COLOR, 0 };
    case PICA_BLEND_FACTOR_ONE_MINUS_DEST_COLOR: return (struct fast_blend_factor){ FAST_BLEND_DEST_COLOR, 255 };
    case PICA_BLEND_FACTOR_SOURCE_ALPHA: return (struct fast_blend_factor){ FAST_BLEND_SOURCE_ALPHA, 0 };
    case PICA_BLEND_FACTOR_ONE_MINUS_SOURCE_ALPHA: return (struct fast_blend_factor){ FAST_BLEND_SOURCE_ALPHA, 255 };
    case PICA_BLEND_FACTOR_DEST_ALPHA: return (struct fast_blend_factor){ FAST_BLEND_DEST_ALPHA, 0 };
    case PICA_BLEND_FACTOR_ONE_MINUS_DEST_ALPHA: return (struct fast_blend_factor){ FAST_BLEND_DEST_ALPHA, 255 };
    case PICA_BLEND_FACTOR_CONSTANT_COLOR: return (struct fast_blend_factor){ FAST_BLEND_CONSTANT_COLOR, 0 };
    case PICA_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
        return (struct fast_blend_factor){ FAST_BLEND_CONSTANT_COLOR, 255 };
    case PICA_BLEND_FACTOR_CONSTANT_ALPHA: return (struct fast_blend_factor){ FAST_BLEND_CONSTANT_ALPHA, 0 };
    case PICA_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
        return (struct fast_blend_factor){ FAST_BLEND_CONSTANT_ALPHA, 255 };
    case PICA_BLEND_FACTOR_SOURCE_ALPHA_SATURATE: /* 255 for alpha */
    default:
        if (alpha)
            return (struct fast_blend_factor){ FAST_BLEND_ZERO, 255 };
        return (struct fast_blend_factor){ FAST_BLEND_SATURATE, 0 };
    }
}

static bool factor_reads_destination(struct fast_blend_factor factor)
{
    return factor.operand == FAST_BLEND_DEST_COLOR || factor.operand == FAST_BLEND_DEST_ALPHA ||
           factor.operand == FAST_BLEND_SATURATE;
}

static bool factor_is_zero(struct fast_blend_factor factor)
{
    return factor.operand == FAST_BLEND_ZERO && factor.flip == 0u;
}

static bool factor_is_one(struct fast_blend_factor factor)
{
    return factor.operand == FAST_BLEND_ZERO && factor.flip != 0u;
}

static bool logic_op_reads_destination(enum pica_logic_op operation)
{
    return operation != PICA_LOGIC_OP_CLEAR && operation != PICA_LOGIC_OP_COPY && operation != PICA_LOGIC_OP_SET &&
           operation != PICA_LOGIC_OP_COPY_INVERTED;
}

/* BLD-02, BLD-03: 5, 6, 7 are an addition too. */
static enum pica_blend_equation canonical_equation(enum pica_blend_equation equation)
{
    switch (equation) {
    case PICA_BLEND_EQUATION_SUBTRACT:
    case PICA_BLEND_EQUATION_REVERSE_SUBTRACT:
    case PICA_BLEND_EQUATION_MIN:
    case PICA_BLEND_EQUATION_MAX: return equation;
    case PICA_BLEND_EQUATION_ADD:
    case PICA_BLEND_EQUATION_ADD_5:
    case PICA_BLEND_EQUATION_ADD_6:
    case PICA_BLEND_EQUATION_ADD_7:
    default: return PICA_BLEND_EQUATION_ADD;
    }
}

static bool is_rgba_copy(enum pica_blend_equation equation, struct fast_blend_factor source,
                         struct fast_blend_factor dest)
{
    return equation == PICA_BLEND_EQUATION_ADD && factor_is_one(source) && factor_is_zero(dest);
}

/* BLD-01 to BLD-05, LOP-01. A blend that copies the source (S * 255 / 255) becomes the logic op that does. */
static void decode_blend(const struct decoder *decoder)
{
    struct fast_blend_state *blend = &decoder->state->blend;
    const uint32_t *registers = decoder->registers;
    const uint32_t word = registers[PICA_REG_BLEND_FUNC];
    blend->rgb_equation = canonical_equation(pica_blend_func_rgb_equation(word));
    blend->alpha_equation = canonical_equation(pica_blend_func_alpha_equation(word));
    blend->rgb_source = canonical_factor(pica_blend_func_rgb_source(word), false);
    blend->rgb_dest = canonical_factor(pica_blend_func_rgb_dest(word), false);
    blend->alpha_source = canonical_factor(pica_blend_func_alpha_source(word), true);
    blend->alpha_dest = canonical_factor(pica_blend_func_alpha_dest(word), true);
    blend->adds = blend->rgb_equation == PICA_BLEND_EQUATION_ADD && blend->alpha_equation == PICA_BLEND_EQUATION_ADD;
    for (uint32_t channel = 0; channel < 4u; channel++)
        blend->constant[channel] = (uint16_t)pica_rgba8_channel_at(registers[PICA_REG_BLEND_COLOR], channel);
    blend->logic_op = pica_logic_op_operation(registers[PICA_REG_LOGIC_OP]);
    blend->enabled = pica_color_operation_blend_mode(registers[PICA_REG_COLOR_OPERATION]) == PICA_BLEND_MODE_BLEND;
    if (blend->enabled && is_rgba_copy(blend->rgb_equation, blend->rgb_source, blend->rgb_dest) &&
        is_rgba_copy(blend->alpha_equation, blend->alpha_source, blend->alpha_dest)) {
        blend->enabled = false;
        blend->logic_op = PICA_LOGIC_OP_COPY;
    }
    if (blend->enabled)
        blend->reads_destination = !factor_is_zero(blend->rgb_dest) || !factor_is_zero(blend->alpha_dest) ||
                                   factor_reads_destination(blend->rgb_source) ||
                                   factor_reads_destination(blend->alpha_source);
    else
        blend->reads_destination = logic_op_reads_destination(blend->logic_op);
    if (!decoder->color_read)
        blend->reads_destination = false; /* FBF-15: D is 0 */
}

/* FBF-12, FBF-15, FBF-17, FBF-24, FBF-25, FBF-29, LOP-02 (op 6 with READ on stores what is there: no write). */
static void decode_color(const struct decoder *decoder)
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

/* SHW-02: float16 of 0x130. SHW-03, GAS-01: what READ off means there is done in the kernel. */
static void decode_shadow(const struct decoder *decoder)
{
    const uint32_t word = decoder->registers[PICA_REG_FRAGOP_SHADOW];
    decoder->state->shadow_read = decoder->color_read;
    decoder->state->shadow_constant = fast_float16(pica_fragop_shadow_constant(word));
    decoder->state->shadow_linear = fast_float16(pica_fragop_shadow_linear(word));
}

/* What a fragment can read and write at all. FBF-22, FBF-30: mode 2 changes no memory. */
static void decode_access(const struct decoder *decoder)
{
    struct fast_raster_state *state = decoder->state;
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
    case PICA_FRAGMENT_MODE_GAS: color->written = decoder->color_write; break;
    case PICA_FRAGMENT_MODE_RESERVED_2: break;
    case PICA_FRAGMENT_MODE_SHADOW: /* SHW-03: drawn only with both READ and WRITE on */
        color->written = decoder->color_write && decoder->color_read;
        state->needs_depth = true;
        state->shades = true;
        break;
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

/* ----------------------------------------------------------------------------------------------------------- events */

/* FBF-13: is it the pixel size that the format expects? Reserved ones expect none. */
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

/* RST-07, EDT-01, EDT-02: registers without an effect on drawing. */
static void decode_events_of_30(const struct decoder *decoder)
{
    struct fast_raster_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    add_event_if(state, pica_unused_058_flat_shading(registers[PICA_REG_UNUSED_058]) != 0u, PICA_EVENT_REG_0058);
    add_event_if(state, pica_unused_060_pixel_skip(registers[PICA_REG_UNUSED_060]) != 0u, PICA_EVENT_REG_0060);
    add_event_if(state,
                 pica_earlydepth_test_enable(registers[PICA_REG_EARLYDEPTH_TEST1]) != 0u ||
                     pica_earlydepth_test_enable(registers[PICA_REG_EARLYDEPTH_TEST2]) != 0u,
                 PICA_EVENT_EARLY_DEPTH);
}

/* FBF-01, FBF-02, FBF-05, FBF-08, FBF-19: what depends on where and how large the surfaces are. */
static void decode_events_of_surfaces(const struct decoder *decoder, bool color_used, bool depth_used)
{
    struct fast_raster_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    const struct fast_surface *color = &state->color_surface;
    const struct fast_surface *depth = &state->depth_surface;
    const bool used = color_used || depth_used;
    add_event_if(state,
                 (color_used && pica_buffer_loc_low_bits(registers[PICA_REG_COLORBUFFER_LOC]) != 0u) ||
                     (depth_used && pica_buffer_loc_low_bits(registers[PICA_REG_DEPTHBUFFER_LOC]) != 0u),
                 PICA_EVENT_FB_ADDRESS_LOW_BITS);
    add_event_if(state, used && state->pitch != state->width, PICA_EVENT_FB_WIDTH_UNALIGNED);
    add_event_if(state, used && state->tile_shift == 5u, PICA_EVENT_BLOCK32_LAYOUT);
    add_event_if(state,
                 (color_used && !fast_memory_has(decoder->gpu, color->address, color->size)) ||
                     (depth_used && !fast_memory_has(decoder->gpu, depth->address, depth->size)),
                 PICA_EVENT_FB_UNMAPPED);
    add_event_if(state, color_used && depth_used && extents_meet(color, depth), PICA_EVENT_COLOR_DEPTH_OVERLAP);
}

/*
 * 60 section 11. FBF-34: feedback-loop is class R. GAS-02, GAS-03: the gas registers are stored only.
 */
static void decode_events_of_60(const struct decoder *decoder)
{
    struct fast_raster_state *state = decoder->state;
    const uint32_t *registers = decoder->registers;
    const enum pica_fragment_mode mode = state->mode;
    const bool normal = mode == PICA_FRAGMENT_MODE_DEFAULT;
    const bool color_used = mode != PICA_FRAGMENT_MODE_RESERVED_2 && (decoder->color_read || decoder->color_write);
    const bool depth_used = normal && (decoder->depth_read || decoder->depth_write);
    const uint32_t operation = registers[PICA_REG_COLOR_OPERATION];
    const uint32_t blend = registers[PICA_REG_BLEND_FUNC];
    const uint32_t mask = registers[PICA_REG_DEPTH_COLOR_MASK];
    const uint32_t layout = registers[PICA_REG_COLORBUFFER_FORMAT];
    const enum pica_color_format format = pica_colorbuffer_format_format(layout);
    const bool reserved = format >= PICA_COLOR_FORMAT_RESERVED_5;
    const bool all_channels =
        pica_depth_color_mask_red_write(mask) != 0u && pica_depth_color_mask_green_write(mask) != 0u &&
        pica_depth_color_mask_blue_write(mask) != 0u && pica_depth_color_mask_alpha_write(mask) != 0u;
    const bool factor_15 = pica_blend_func_rgb_source(blend) == PICA_BLEND_FACTOR_RESERVED_15 ||
                           pica_blend_func_rgb_dest(blend) == PICA_BLEND_FACTOR_RESERVED_15 ||
                           pica_blend_func_alpha_source(blend) == PICA_BLEND_FACTOR_RESERVED_15 ||
                           pica_blend_func_alpha_dest(blend) == PICA_BLEND_FACTOR_RESERVED_15;

    decode_events_of_surfaces(decoder, color_used, depth_used);
    add_event_if(state, color_used && normal && reserved, PICA_EVENT_COLOR_FORMAT_RESERVED);
    add_event_if(state, color_used && normal && !color_size_matches(format, pica_colorbuffer_format_pixel_size(layout)),
                 PICA_EVENT_COLOR_SIZE_MISMATCH);
    add_event_if(state, normal && decoder->color_write && !decoder->color_read && !all_channels,
                 PICA_EVENT_MASK_WITHOUT_READ);
    add_event_if(state,
                 normal && decoder->color_write && factor_15 &&
                     pica_color_operation_blend_mode(operation) == PICA_BLEND_MODE_BLEND,
                 PICA_EVENT_BLEND_FACTOR_15);
    add_event_if(state, depth_used && state->depth.format == PICA_DEPTH_FORMAT_RESERVED_1, PICA_EVENT_DEPTH_FORMAT_1);
    add_event_if(state, pica_color_operation_dither(operation) != 0u, PICA_EVENT_COLOR_OP_DITHER); /* FBF-31 */
    add_event_if(state, mode == PICA_FRAGMENT_MODE_RESERVED_2, PICA_EVENT_FRAGMENT_MODE_2);
    add_event_if(state, mode == PICA_FRAGMENT_MODE_GAS, PICA_EVENT_GAS_MODE);
    add_event_if(state, mode == PICA_FRAGMENT_MODE_SHADOW && color_used && format != PICA_COLOR_FORMAT_RGBA8,
                 PICA_EVENT_SHADOW_FORMAT);
    add_event_if(state, mode == PICA_FRAGMENT_MODE_SHADOW && !(decoder->color_read && decoder->color_write),
                 PICA_EVENT_SHADOW_ACCESS);
}

/* FBF-26, FBF-28: any non-zero value of an access register switches the whole buffer on. */
void fast_raster_state_decode(struct fast_gpu *gpu, struct fast_raster_state *state)
{
    const uint32_t *registers = gpu->registers;
    struct decoder decoder = { .gpu = gpu, .registers = registers, .state = state };
    decoder.color_read = pica_colorbuffer_access_enable(registers[PICA_REG_COLORBUFFER_READ]) != 0u;
    decoder.color_write = pica_colorbuffer_access_enable(registers[PICA_REG_COLORBUFFER_WRITE]) != 0u;
    decoder.depth_read = pica_depthbuffer_access_enable(registers[PICA_REG_DEPTHBUFFER_READ]) != 0u;
    decoder.depth_write = pica_depthbuffer_access_enable(registers[PICA_REG_DEPTHBUFFER_WRITE]) != 0u;

    *state = (struct fast_raster_state){
        .mode = pica_color_operation_fragment_mode(registers[PICA_REG_COLOR_OPERATION]),
    };
    decode_clipping(&decoder);
    decode_viewport(&decoder);
    decode_culling(&decoder);
    decode_size(&decoder);
    decode_scissor(&decoder);
    decode_depth_map(&decoder);

    const bool words = state->mode == PICA_FRAGMENT_MODE_GAS || state->mode == PICA_FRAGMENT_MODE_SHADOW;
    const enum pica_color_format format = pica_colorbuffer_format_format(registers[PICA_REG_COLORBUFFER_FORMAT]);
    decode_alpha_test(&decoder);
    decode_depth(&decoder);
    decode_stencil(&decoder);
    decode_blend(&decoder);
    decode_color(&decoder);
    decode_shadow(&decoder);
    decode_surface(&decoder, &state->color_surface, registers[PICA_REG_COLORBUFFER_LOC],
                   words ? 4u : color_bytes(format)); /* SHW-01, GAS-01 */
    decode_surface(&decoder, &state->depth_surface, registers[PICA_REG_DEPTHBUFFER_LOC],
                   depth_bytes(state->depth.format));
    decode_access(&decoder);
    state->surfaces_meet = state->color_surface.accessed && state->depth_surface.accessed &&
                           extents_meet(&state->color_surface, &state->depth_surface);
    decode_events_of_30(&decoder);
    decode_events_of_60(&decoder);
}
