/* The target: colour and depth buffer with contents, tests, blending, logic operations, masks, shadow mode. */
#include "harness/grammar/gen_parts.h"

#include <string.h>

static uint32_t color_pixel_bytes(enum pica_color_format format)
{
    if (format == PICA_COLOR_FORMAT_RGBA8)
        return 4;
    return format == PICA_COLOR_FORMAT_RGB8 ? 3 : 2;
}

static uint32_t depth_pixel_bytes(enum pica_depth_format format)
{
    if (format == PICA_DEPTH_FORMAT_D16)
        return 2;
    return format == PICA_DEPTH_FORMAT_D24 ? 3 : 4;
}

/* Fragments are what a case costs: a target is as small as it can be and still show neighbours and several tiles. */
static void draw_size(struct gen *gen)
{
    static const uint32_t weights[] = { 18, 56, 14, 8, 2, 2 };
    const uint32_t tiles = 1u + harness_random_weighted(&gen->random, weights, 6);
    gen->target.width = 8u * (gen_percent(gen, 4) ? gen_between(gen, 1, 8) : tiles);
    gen->target.height = gen_percent(gen, 50) ? gen->target.width : gen_between(gen, 8, 8u * tiles);
    gen->target.rows = (gen->target.height + 7u) & ~7u;
}

static void draw_formats(struct gen *gen)
{
    static const uint32_t color_weights[] = { 40, 15, 15, 15, 15 };
    static const uint32_t depth_weights[] = { 25, 0, 25, 50 };
    struct gen_target *const target = &gen->target;
    target->color_format = (enum pica_color_format)harness_random_weighted(&gen->random, color_weights, 5);
    target->depth_format = (enum pica_depth_format)harness_random_weighted(&gen->random, depth_weights, 4);
    if (gen_has(gen, GEN_SHADOW_MODE))
        target->color_format = PICA_COLOR_FORMAT_RGBA8;
    if (gen_has(gen, GEN_STENCIL) && gen_percent(gen, 90))
        target->depth_format = PICA_DEPTH_FORMAT_D24S8;
    const uint32_t pixels = target->width * target->rows;
    target->color_bytes = pixels * color_pixel_bytes(target->color_format);
    target->depth_bytes = pixels * depth_pixel_bytes(target->depth_format);
}

/* What lies in a buffer before the first draw. On noise every write shows. */
static enum gen_fill fill_buffer(struct gen *gen, uint32_t address, uint32_t size)
{
    static const uint32_t fills[] = { 0x00000000, 0xFFFFFFFF, 0x80808080, 0x00FFFFFF, 0x7FFFFFFF, 0xFF000000 };
    static const uint32_t weights[] = { 8, 14, 12, 45, 21 };
    struct harness_data data;
    const uint32_t kind = harness_random_weighted(&gen->random, weights, 5);
    if (kind == 0)
        return GEN_FILL_ZEROS; /* MEM-01 */
    if (kind == 1)
        harness_data_pattern(&data, HARNESS_PATTERN_FILL, fills[1], size);
    else if (kind == 2)
        harness_data_pattern(&data, HARNESS_PATTERN_FILL, fills[gen_below(gen, 6)], size);
    else
        harness_data_pattern(&data, kind == 3 ? HARNESS_PATTERN_NOISE : HARNESS_PATTERN_RAMP,
                             gen_below(gen, UINT32_MAX), size);
    gen_load(gen, address, &data);
    return kind == 1 ? GEN_FILL_ONES : GEN_FILL_MIXED;
}

static uint32_t pixel_size_of(struct gen *gen)
{
    if (gen_wild(gen, 5))
        return gen_below(gen, 4);
    switch (color_pixel_bytes(gen->target.color_format)) {
    case 4: return PICA_PIXEL_SIZE_32;
    case 3: return PICA_PIXEL_SIZE_24;
    default: return PICA_PIXEL_SIZE_16;
    }
}

static void set_buffers(struct gen *gen)
{
    const struct gen_target *const target = &gen->target;
    uint32_t dim = pica_framebuffer_dim_set_width(0, target->width);
    dim = pica_framebuffer_dim_set_height_minus_1(dim, target->height - 1u);
    dim = pica_framebuffer_dim_set_top_row_first(dim, gen_percent(gen, 75) ? 1 : 0);
    uint32_t format = pica_colorbuffer_format_set_format(0, target->color_format);
    format = pica_colorbuffer_format_set_pixel_size(format, pixel_size_of(gen));
    gen_set(gen, PICA_REG_FRAMEBUFFER_DIM, dim);
    gen_set(gen, PICA_REG_RENDERBUF_DIM, gen_percent(gen, 80) ? dim : harness_random_number(&gen->random, 32));
    gen_set(gen, PICA_REG_COLORBUFFER_FORMAT, format);
    gen_set(gen, PICA_REG_DEPTHBUFFER_FORMAT, pica_depthbuffer_format_set_format(0, target->depth_format));
    gen_set(gen, PICA_REG_COLORBUFFER_LOC, target->color_address >> 3);
    gen_set(gen, PICA_REG_DEPTHBUFFER_LOC, target->depth_address >> 3);
    gen_set(gen, PICA_REG_FRAMEBUFFER_BLOCK32, gen_wild(gen, 5) ? 1 : 0);
}

static uint32_t halved24(uint32_t size)
{
    return gen_float24((float)size * 0.5f);
}

/* The viewport covers the target, or a part of it. */
static void set_viewport(struct gen *gen)
{
    uint32_t width = gen->target.width;
    uint32_t height = gen->target.height;
    uint32_t x = 0;
    uint32_t y = 0;
    if (gen_percent(gen, 25)) {
        width = gen_between(gen, (width + 1u) / 2u, width);
        height = gen_between(gen, (height + 1u) / 2u, height);
        x = gen_below(gen, gen->target.width - width + 1u);
        y = gen_below(gen, gen->target.height - height + 1u);
    }
    if (gen_wild(gen, 8)) {
        x = harness_random_number(&gen->random, 10);
        y = harness_random_number(&gen->random, 10);
    }
    gen_set(gen, PICA_REG_VIEWPORT_WIDTH, halved24(width));
    gen_set(gen, PICA_REG_VIEWPORT_HEIGHT, halved24(height));
    gen_set(gen, PICA_REG_VIEWPORT_INVW,
            pica_viewport_inverse_set_inverse(0, harness_small_float(7, 23, 2.0f / (float)width)));
    gen_set(gen, PICA_REG_VIEWPORT_INVH,
            pica_viewport_inverse_set_inverse(0, harness_small_float(7, 23, 2.0f / (float)height)));
    gen_set(gen, PICA_REG_VIEWPORT_XY, pica_viewport_xy_set_y(pica_viewport_xy_set_x(0, x), y));
}

void gen_target(struct gen *gen)
{
    struct gen_target *const target = &gen->target;
    draw_size(gen);
    draw_formats(gen);
    target->color_address = gen_allocate(gen, target->color_bytes, 64);
    target->depth_address = gen_allocate(gen, target->depth_bytes, 64);
    if (gen_wild(gen, 3))
        target->depth_address = target->color_address;
    (void)fill_buffer(gen, target->color_address, target->color_bytes);
    target->depth_fill = fill_buffer(gen, target->depth_address, target->depth_bytes);
    set_buffers(gen);
    set_viewport(gen);
}

/* ----------------------------------------------------------------------------------------------------------- tests */

/* Mostly functions that let something through: `a FUNC b`, with b small, large or anything. */
static uint32_t draw_function(struct gen *gen, enum gen_fill b)
{
    /* never always equal not-equal less less-equal greater greater-equal */
    static const uint32_t weights[3][8] = { { 3, 16, 5, 16, 4, 5, 25, 26 },
                                            { 3, 16, 5, 16, 25, 26, 4, 5 },
                                            { 3, 16, 5, 15, 15, 15, 15, 16 } };
    return harness_random_weighted(&gen->random, weights[b], 8);
}

static void set_alpha_test(struct gen *gen)
{
    const bool enabled = gen_has(gen, GEN_ALPHA_TEST) && gen_percent(gen, 70);
    const enum gen_fill reference = (enum gen_fill)gen_below(gen, 3);
    uint32_t word = gen->want[PICA_REG_FRAGOP_ALPHA_TEST];
    word = pica_fragop_alpha_test_set_enable(word, enabled ? 1 : 0);
    word = pica_fragop_alpha_test_set_function(word, draw_function(gen, reference));
    if (reference != GEN_FILL_MIXED)
        word = pica_fragop_alpha_test_set_reference(word, reference == GEN_FILL_ONES ? gen_between(gen, 225, 255)
                                                                                     : gen_below(gen, 25));
    gen_set(gen, PICA_REG_FRAGOP_ALPHA_TEST, word);
}

/* The reference stands left, the stored value right (STC-03). */
static void set_stencil(struct gen *gen)
{
    const bool enabled = gen_has(gen, GEN_STENCIL) && gen_percent(gen, 75);
    uint32_t word = gen->want[PICA_REG_STENCIL_TEST];
    word = pica_stencil_test_set_enable(word, enabled ? 1 : 0);
    word = pica_stencil_test_set_function(word, draw_function(gen, gen->target.depth_fill));
    if (gen_percent(gen, 60))
        word = pica_stencil_test_set_write_mask(word, 0xFF);
    if (gen_percent(gen, 70))
        word = pica_stencil_test_set_compare_mask(word, 0xFF);
    if (gen_percent(gen, 70))
        word = pica_stencil_test_set_reference(word, gen_between(gen, 1, 254));
    gen_set(gen, PICA_REG_STENCIL_TEST, word);
}

static void set_depth_and_masks(struct gen *gen)
{
    const bool tested = gen_has(gen, GEN_DEPTH) && gen_percent(gen, 75);
    const bool masked = gen_has(gen, GEN_MASKS) && gen_percent(gen, 80);
    uint32_t word = gen->want[PICA_REG_DEPTH_COLOR_MASK];
    word = pica_depth_color_mask_set_depth_test(word, tested ? 1 : 0);
    word = pica_depth_color_mask_set_depth_function(word, draw_function(gen, gen->target.depth_fill));
    uint32_t channels = masked ? gen_below(gen, 16) : 15;
    if ((channels & 7u) == 0 && gen_percent(gen, 80))
        channels |= 1u << gen_below(gen, 3); /* not every format has alpha */
    for (uint32_t c = 0; c < 4; c++)
        word = pica_depth_color_mask_set_color_write_at(word, c, channels >> c);
    gen_set(gen, PICA_REG_DEPTH_COLOR_MASK, word);
}

/* FBF-29: masked channels want READ on. */
static void set_access(struct gen *gen)
{
    const bool all = pica_bits(gen->want[PICA_REG_DEPTH_COLOR_MASK], 8, 4) == 15;
    const bool shadow = pica_color_operation_fragment_mode(gen->want[PICA_REG_COLOR_OPERATION]) != 0;
    const bool may_hide = gen_has(gen, GEN_MASKS) && !shadow;
    const bool reads = !may_hide || !(all || gen_wild(gen, 20)) || gen_percent(gen, 75);
    const bool writes = !may_hide || gen_percent(gen, 95);
    gen_set(gen, PICA_REG_COLORBUFFER_READ, reads ? gen_between(gen, 1, 15) : 0);
    gen_set(gen, PICA_REG_COLORBUFFER_WRITE, writes ? gen_between(gen, 1, 15) : 0);
    gen_set(gen, PICA_REG_DEPTHBUFFER_READ, gen_percent(gen, may_hide ? 80 : 97) ? gen_between(gen, 1, 3) : 0);
    gen_set(gen, PICA_REG_DEPTHBUFFER_WRITE, gen_percent(gen, may_hide ? 80 : 97) ? gen_between(gen, 1, 3) : 0);
    if (gen_wild(gen, 5))
        gen_set_drawn(gen, PICA_REG_COLORBUFFER_READ, PICA_REG_DEPTHBUFFER_WRITE);
}

/* -------------------------------------------------------------------------------------------------------- blending */

static void set_operation(struct gen *gen)
{
    uint32_t word = gen->want[PICA_REG_COLOR_OPERATION];
    const bool logic = gen_has(gen, GEN_LOGIC) && gen_percent(gen, 70);
    word = pica_color_operation_set_blend_mode(word, logic ? PICA_BLEND_MODE_LOGIC_OP : PICA_BLEND_MODE_BLEND);
    if (!gen_wild(gen, 5))
        word = pica_color_operation_set_dither(word, 0);
    if (!gen_wild(gen, 4)) {
        const bool shadow = gen_has(gen, GEN_SHADOW_MODE) && gen_percent(gen, 60);
        word = pica_color_operation_set_fragment_mode(word,
                                                      shadow ? PICA_FRAGMENT_MODE_SHADOW : PICA_FRAGMENT_MODE_DEFAULT);
    }
    gen_set(gen, PICA_REG_COLOR_OPERATION, word);
}

static void set_blending(struct gen *gen)
{
    if (gen_has(gen, GEN_BLEND) && gen_percent(gen, 85))
        return; /* as drawn */
    uint32_t word = pica_blend_func_set_rgb_source(0, PICA_BLEND_FACTOR_ONE);
    word = pica_blend_func_set_alpha_source(word, PICA_BLEND_FACTOR_ONE);
    gen_set(gen, PICA_REG_BLEND_FUNC, word);
}

void gen_fragment(struct gen *gen)
{
    gen_set_drawn(gen, PICA_REG_COLOR_OPERATION, PICA_REG_DEPTH_COLOR_MASK);
    set_operation(gen);
    set_blending(gen);
    set_alpha_test(gen);
    set_stencil(gen);
    set_depth_and_masks(gen);
    set_access(gen);
    gen_set_drawn(gen, PICA_REG_FRAGOP_SHADOW, PICA_REG_FRAGOP_SHADOW);
    if (gen_percent(gen, 20))
        gen_set_drawn(gen, PICA_REG_GAS_LIGHT_XY, PICA_REG_GAS_DELTAZ_DEPTH);
}

void gen_plain_fragment(struct gen *gen)
{
    uint32_t mask = gen->want[PICA_REG_DEPTH_COLOR_MASK];
    mask = pica_depth_color_mask_set_depth_test(mask, 0);
    for (uint32_t c = 0; c < 4; c++)
        mask = pica_depth_color_mask_set_color_write_at(mask, c, 1);
    gen_set(gen, PICA_REG_DEPTH_COLOR_MASK, mask);
    gen_set(gen, PICA_REG_COLOR_OPERATION,
            pica_color_operation_set_blend_mode(0, PICA_BLEND_MODE_BLEND) | gen_below(gen, 256) << 16);
    gen_set(gen, PICA_REG_BLEND_FUNC, pica_blend_func_set_rgb_source(0, PICA_BLEND_FACTOR_ONE));
    gen_set(gen, PICA_REG_FRAGOP_ALPHA_TEST, 0);
    gen_set(gen, PICA_REG_STENCIL_TEST, 0);
    gen_set(gen, PICA_REG_FACECULLING_CONFIG, PICA_CULL_MODE_NONE);
    gen_set(gen, PICA_REG_SCISSORTEST_MODE, PICA_SCISSOR_MODE_OFF);
    gen_set(gen, PICA_REG_COLORBUFFER_READ, 15);
    gen_set(gen, PICA_REG_COLORBUFFER_WRITE, 15);
}
