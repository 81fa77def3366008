/*
 * The last stage of a fragment: tests, then the change of the colour and depth buffers.
 *
 * The order is fixed (FBF-21): combiner colour, alpha test, fog, stencil test, depth test, depth write, stencil
 * operation, blend or logic operation, channel masks, colour write. Stencil shares a 32-bit word with a 24-bit depth.
 * Each buffer has a READ and a WRITE switch: with READ off, tests and blending see 0. Two other modes replace all of
 * this: shadow keeps a depth and an intensity in the colour buffer, gas changes two 16-bit halves.
 *
 * Worked number: source red 200 with alpha 128 over a stored 10, factors source alpha and one minus source alpha:
 * (200 * 128 + 10 * 127) / 255 = 26870 / 255 = 105, truncated once, after the sum.
 */
#include "reference/fragment.h"

#include "reference/framebuffer.h"
#include "reference/number.h"
#include "reference/pipeline.h"
#include "reference/trace.h"

#include <string.h>

/* FBF-23. */
static bool compare(enum pica_compare_func func, uint32_t a, uint32_t b)
{
    switch (func) {
    case PICA_COMPARE_FUNC_NEVER: return false;
    case PICA_COMPARE_FUNC_ALWAYS: return true;
    case PICA_COMPARE_FUNC_EQUAL: return a == b;
    case PICA_COMPARE_FUNC_NOT_EQUAL: return a != b;
    case PICA_COMPARE_FUNC_LESS: return a < b;
    case PICA_COMPARE_FUNC_LESS_EQUAL: return a <= b;
    case PICA_COMPARE_FUNC_GREATER: return a > b;
    case PICA_COMPARE_FUNC_GREATER_EQUAL:
    default: return a >= b; /* the field has three bits */
    }
}

/* ATS-01: on the combiner's alpha. */
static bool alpha_passes(const struct ref_gpu *gpu, uint8_t alpha)
{
    const uint32_t word = gpu->regs[PICA_REG_FRAGOP_ALPHA_TEST];
    const bool enabled = pica_fragop_alpha_test_enable(word) != 0;
    const enum pica_compare_func function = pica_fragop_alpha_test_function(word);
    const bool passes = !enabled || compare(function, alpha, pica_fragop_alpha_test_reference(word));
    const uint32_t outcome = passes ? PICA_FEATURE_ALPHA_PASSES : PICA_FEATURE_ALPHA_FAILS;
    ref_feature_if(gpu, enabled, outcome + (uint32_t)function);
    ref_trace(gpu, PICA_TRACE_ID_ALPHA_TEST, 0, (const uint32_t[]){ passes }, 1);
    return passes;
}

/* ------------------------------------------------------------------------------------------------ stencil and depth */

/* One pixel of the depth buffer. */
struct depth_pixel {
    uint32_t offset;         /* bytes into the surface */
    uint32_t depth;          /* zold of DPT-01, as the tests see it */
    uint32_t stencil;        /* "old" of STC-03 and STC-04, as the tests see it */
    uint32_t stored_stencil; /* m of STC-05: the real byte, even with READ off */
};

/* FBF-14, FBF-16: a pixel with READ off, or of the reserved format, is seen as 0. */
static struct depth_pixel load_depth_pixel(struct ref_gpu *gpu, uint32_t index)
{
    struct ref_batch *batch = gpu->batch;
    struct depth_pixel pixel = { index * batch->depth_bytes, 0, 0, 0 };
    if (!batch->depth_used || batch->depth_format == PICA_DEPTH_FORMAT_RESERVED_1)
        return pixel;
    const uint32_t bits = ref_surface_read(gpu, &batch->depth, pixel.offset, batch->depth_bytes);
    pixel.stored_stencil = bits >> 24;
    if (batch->depth_read) {
        pixel.depth = bits & 0xFFFFFFu;
        pixel.stencil = pixel.stored_stencil;
    }
    return pixel;
}

/* STC-04: `old` is the unmasked value. */
static uint32_t stencil_result(enum pica_stencil_op operation, uint32_t old, uint32_t reference)
{
    switch (operation) {
    case PICA_STENCIL_OP_KEEP: return old;
    case PICA_STENCIL_OP_ZERO: return 0;
    case PICA_STENCIL_OP_REPLACE: return reference;
    case PICA_STENCIL_OP_INCREMENT: return old < 254u ? old + 1u : 255u;
    case PICA_STENCIL_OP_DECREMENT: return old > 1u ? old - 1u : 0u;
    case PICA_STENCIL_OP_INVERT: return 255u - old;
    case PICA_STENCIL_OP_INCREMENT_WRAP: return (old + 1u) & 0xFFu;
    case PICA_STENCIL_OP_DECREMENT_WRAP:
    default: return (old - 1u) & 0xFFu; /* the field has three bits */
    }
}

/* STC-02. */
static bool stencil_is_active(const struct ref_gpu *gpu)
{
    return pica_stencil_test_enable(gpu->regs[PICA_REG_STENCIL_TEST]) &&
           gpu->batch->depth_format == PICA_DEPTH_FORMAT_D24S8;
}

/* STC-03: the reference is on the left; STC-01: bits 8-15 are the write mask, not used here. */
static bool stencil_passes(const struct ref_gpu *gpu, const struct depth_pixel *pixel)
{
    const uint32_t word = gpu->regs[PICA_REG_STENCIL_TEST];
    const uint32_t mask = pica_stencil_test_compare_mask(word);
    const enum pica_compare_func function = pica_stencil_test_function(word);
    const bool passes = compare(function, pica_stencil_test_reference(word) & mask, pixel->stencil & mask);
    ref_feature(gpu, (passes ? PICA_FEATURE_STENCIL_PASSES : PICA_FEATURE_STENCIL_FAILS) + (uint32_t)function);
    ref_trace(gpu, PICA_TRACE_ID_STENCIL_TEST, 0, (const uint32_t[]){ pixel->stencil, passes }, 2);
    return passes;
}

/* STC-05, FBF-27, FBF-32: only byte 3, only if depth WRITE is on; the depth write bit has no influence. */
static void apply_stencil(struct ref_gpu *gpu, const struct depth_pixel *pixel, enum pica_stencil_op operation)
{
    const uint32_t word = gpu->regs[PICA_REG_STENCIL_TEST];
    const uint32_t mask = pica_stencil_test_write_mask(word);
    if (!stencil_is_active(gpu) || !gpu->batch->depth_write)
        return;
    ref_feature(gpu, PICA_FEATURE_STENCIL_WRITTEN + (uint32_t)operation);
    const uint32_t result = stencil_result(operation, pixel->stencil, pica_stencil_test_reference(word));
    const uint32_t byte = (result & mask) | (pixel->stored_stencil & ~mask & 0xFFu);
    ref_trace(gpu, PICA_TRACE_ID_STENCIL_WRITE, 0, &byte, 1);
    ref_surface_write(gpu, &gpu->batch->depth, pixel->offset + 3u, 1, byte);
}

/* ITP-17: in the width of the depth format; the depth is from 0 to 1. */
static uint32_t quantise_depth(const struct ref_batch *batch, float depth)
{
    const float factor = batch->depth_format == PICA_DEPTH_FORMAT_D16 ? 65535.0f : 16777215.0f;
    return (uint32_t)(depth * factor);
}

/* DPT-02. */
static bool depth_passes(const struct ref_gpu *gpu, uint32_t incoming, uint32_t stored)
{
    const uint32_t word = gpu->regs[PICA_REG_DEPTH_COLOR_MASK];
    const bool enabled = pica_depth_color_mask_depth_test(word) != 0;
    const enum pica_compare_func function = pica_depth_color_mask_depth_function(word);
    const bool passes = !enabled || compare(function, incoming, stored);
    const uint32_t outcome = passes ? PICA_FEATURE_DEPTH_PASSES : PICA_FEATURE_DEPTH_FAILS;
    ref_feature_if(gpu, enabled, outcome + (uint32_t)function);
    ref_trace(gpu, PICA_TRACE_ID_DEPTH_TEST, 0, (const uint32_t[]){ incoming, stored, passes }, 3);
    return passes;
}

/* DPT-03, FBF-27, FBF-32: the stencil byte stays; FBF-14: the reserved format is not written. */
static void write_depth(struct ref_gpu *gpu, const struct depth_pixel *pixel, uint32_t depth)
{
    struct ref_batch *batch = gpu->batch;
    if (!pica_depth_color_mask_depth_write(gpu->regs[PICA_REG_DEPTH_COLOR_MASK]) || !batch->depth_write ||
        batch->depth_format == PICA_DEPTH_FORMAT_RESERVED_1)
        return;
    ref_feature(gpu, PICA_FEATURE_DEPTH_WRITTEN + (uint32_t)batch->depth_format);
    ref_trace(gpu, PICA_TRACE_ID_DEPTH_WRITE, 0, &depth, 1);
    ref_surface_write(gpu, &batch->depth, pixel->offset, batch->depth_format == PICA_DEPTH_FORMAT_D16 ? 2u : 3u, depth);
}

/* Steps 5 to 8 of FBF-21; STC-06, DPT-01, DPT-04. False: the fragment has ended. */
static bool stencil_and_depth(struct ref_gpu *gpu, const struct ref_fragment *fragment, uint32_t index)
{
    const struct depth_pixel pixel = load_depth_pixel(gpu, index);
    const uint32_t operations = gpu->regs[PICA_REG_STENCIL_OP];
    const uint32_t depth = quantise_depth(gpu->batch, fragment->depth);
    if (stencil_is_active(gpu) && !stencil_passes(gpu, &pixel)) {
        apply_stencil(gpu, &pixel, pica_stencil_op_stencil_fail(operations));
        return false;
    }
    if (!depth_passes(gpu, depth, pixel.depth)) {
        apply_stencil(gpu, &pixel, pica_stencil_op_depth_fail(operations));
        return false;
    }
    write_depth(gpu, &pixel, depth);
    apply_stencil(gpu, &pixel, pica_stencil_op_pass(operations));
    return true;
}

/* --------------------------------------------------------------------------------------------------------- blending */

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The colours that a fragment's factors take their values from (BLD-01), one after the other: R G B A. */
enum blend_color {
    BLEND_BLACK,
    BLEND_SOURCE,
    BLEND_DEST,
    BLEND_CONSTANT,
    BLEND_SATURATE, /* min(source alpha, 255 - dest alpha), and 255 for alpha */
    BLEND_COLORS
};

struct blend_colors {
    uint8_t at[BLEND_COLORS][4];
};

static struct ref_blend_factor take(enum blend_color color, uint32_t channel, bool complement)
{
    const struct ref_blend_factor factor = { (uint8_t)(4u * (uint32_t)color + channel), complement ? 255 : 0 };
    return factor;
}

/* BLD-01, BLD-04: the factor of channel c (3 = alpha). */
static struct ref_blend_factor decode_factor(enum pica_blend_factor factor, uint32_t c)
{
    switch (factor) {
    case PICA_BLEND_FACTOR_ZERO: return take(BLEND_BLACK, c, false);
    case PICA_BLEND_FACTOR_ONE: return take(BLEND_BLACK, c, true);
    case PICA_BLEND_FACTOR_SOURCE_COLOR: return take(BLEND_SOURCE, c, false);
    case PICA_BLEND_FACTOR_ONE_MINUS_SOURCE_COLOR: return take(BLEND_SOURCE, c, true);
    case PICA_BLEND_FACTOR_DEST_COLOR: return take(BLEND_DEST, c, false);
    case PICA_BLEND_FACTOR_ONE_MINUS_DEST_COLOR: return take(BLEND_DEST, c, true);
    case PICA_BLEND_FACTOR_SOURCE_ALPHA: return take(BLEND_SOURCE, 3, false);
    case PICA_BLEND_FACTOR_ONE_MINUS_SOURCE_ALPHA: return take(BLEND_SOURCE, 3, true);
    case PICA_BLEND_FACTOR_DEST_ALPHA: return take(BLEND_DEST, 3, false);
    case PICA_BLEND_FACTOR_ONE_MINUS_DEST_ALPHA: return take(BLEND_DEST, 3, true);
    case PICA_BLEND_FACTOR_CONSTANT_COLOR: return take(BLEND_CONSTANT, c, false);
    case PICA_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR: return take(BLEND_CONSTANT, c, true);
    case PICA_BLEND_FACTOR_CONSTANT_ALPHA: return take(BLEND_CONSTANT, 3, false);
    case PICA_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA: return take(BLEND_CONSTANT, 3, true);
    case PICA_BLEND_FACTOR_SOURCE_ALPHA_SATURATE: return take(BLEND_SATURATE, c, false);
    case PICA_BLEND_FACTOR_RESERVED_15:
    default: return take(BLEND_SOURCE, c, false); /* the field has four bits */
    }
}

/* FBF-17: the stored bits of the channels that may be written. */
static uint32_t writable_bits(const struct ref_gpu *gpu)
{
    const uint32_t word = gpu->regs[PICA_REG_DEPTH_COLOR_MASK];
    const uint8_t channels[4] = {
        pica_depth_color_mask_red_write(word) ? 255 : 0,
        pica_depth_color_mask_green_write(word) ? 255 : 0,
        pica_depth_color_mask_blue_write(word) ? 255 : 0,
        pica_depth_color_mask_alpha_write(word) ? 255 : 0,
    };
    return ref_color_pack(gpu->batch->color_format, channels);
}

/* BLD-02, BLD-05, LOP-01: r, g, b use the rgb equation and factors, alpha its own. */
void ref_blending_decode(const struct ref_gpu *gpu, struct ref_blending *blending)
{
    const uint32_t word = gpu->regs[PICA_REG_BLEND_FUNC];
    for (uint32_t c = 0; c < 3; c++) {
        blending->source[c] = decode_factor(pica_blend_func_rgb_source(word), c);
        blending->dest[c] = decode_factor(pica_blend_func_rgb_dest(word), c);
        blending->equation[c] = pica_blend_func_rgb_equation(word);
    }
    blending->source[3] = decode_factor(pica_blend_func_alpha_source(word), 3);
    blending->dest[3] = decode_factor(pica_blend_func_alpha_dest(word), 3);
    blending->equation[3] = pica_blend_func_alpha_equation(word);
    blending->is_blend = pica_color_operation_blend_mode(gpu->regs[PICA_REG_COLOR_OPERATION]) == PICA_BLEND_MODE_BLEND;
    blending->logic_op = pica_logic_op_operation(gpu->regs[PICA_REG_LOGIC_OP]);
    for (uint32_t c = 0; c < 4; c++)
        blending->constant[c] = (uint8_t)pica_rgba8_channel_at(gpu->regs[PICA_REG_BLEND_COLOR], c);
    blending->writable_bits = writable_bits(gpu);
}

/* BLD-02, BLD-03: one division, toward zero, after the sum. */
static uint8_t blend_equation(enum pica_blend_equation equation, uint32_t p, uint32_t q)
{
    switch (equation) {
    case PICA_BLEND_EQUATION_ADD:
    case PICA_BLEND_EQUATION_ADD_5:
    case PICA_BLEND_EQUATION_ADD_6:
    case PICA_BLEND_EQUATION_ADD_7: return (uint8_t)smaller(255u, (p + q) / 255u);
    case PICA_BLEND_EQUATION_SUBTRACT: return (uint8_t)(p > q ? (p - q) / 255u : 0u);
    case PICA_BLEND_EQUATION_REVERSE_SUBTRACT: return (uint8_t)(q > p ? (q - p) / 255u : 0u);
    case PICA_BLEND_EQUATION_MIN: return (uint8_t)(smaller(p, q) / 255u);
    case PICA_BLEND_EQUATION_MAX:
    default: return (uint8_t)((p > q ? p : q) / 255u); /* the field has three bits */
    }
}

/* BLD-01, BLD-02: all four channels. */
static void blend(const struct ref_blending *blending, struct blend_colors *k, uint8_t result[4])
{
    const uint8_t *const source = k->at[BLEND_SOURCE];
    const uint8_t *const dest = k->at[BLEND_DEST];
    const uint8_t *const bytes = (const uint8_t *)k;
    const uint8_t saturate = (uint8_t)smaller(source[3], 255u - dest[3]);
    memcpy(k->at[BLEND_CONSTANT], blending->constant, 4);
    memcpy(k->at[BLEND_SATURATE], (const uint8_t[4]){ saturate, saturate, saturate, 255 }, 4);
    for (int c = 0; c < 4; c++) {
        const uint32_t source_factor = bytes[blending->source[c].byte] ^ blending->source[c].complement;
        const uint32_t dest_factor = bytes[blending->dest[c].byte] ^ blending->dest[c].complement;
        result[c] = blend_equation(blending->equation[c], source[c] * source_factor, dest[c] * dest_factor);
    }
}

/* LOP-01, LOP-02: on one expanded channel. */
static uint8_t logic_result(enum pica_logic_op operation, uint32_t s, uint32_t d)
{
    switch (operation) {
    case PICA_LOGIC_OP_CLEAR: return 0;
    case PICA_LOGIC_OP_AND: return (uint8_t)(s & d);
    case PICA_LOGIC_OP_AND_REVERSE: return (uint8_t)(s & (d ^ 0xFFu));
    case PICA_LOGIC_OP_COPY: return (uint8_t)s;
    case PICA_LOGIC_OP_SET: return 255;
    case PICA_LOGIC_OP_COPY_INVERTED: return (uint8_t)(s ^ 0xFFu);
    case PICA_LOGIC_OP_NOOP: return (uint8_t)d;
    case PICA_LOGIC_OP_INVERT: return (uint8_t)(d ^ 0xFFu);
    case PICA_LOGIC_OP_NAND: return (uint8_t)((s & d) ^ 0xFFu);
    case PICA_LOGIC_OP_OR: return (uint8_t)(s | d);
    case PICA_LOGIC_OP_NOR: return (uint8_t)((s | d) ^ 0xFFu);
    case PICA_LOGIC_OP_XOR: return (uint8_t)(s ^ d);
    case PICA_LOGIC_OP_EQUIVALENT: return (uint8_t)((s ^ d) ^ 0xFFu);
    case PICA_LOGIC_OP_AND_INVERTED: return (uint8_t)((s ^ 0xFFu) & d);
    case PICA_LOGIC_OP_OR_REVERSE: return (uint8_t)(s | (d ^ 0xFFu));
    case PICA_LOGIC_OP_OR_INVERTED:
    default: return (uint8_t)((s ^ 0xFFu) | d); /* the field has four bits */
    }
}

/* BLD-05, LOP-01: bit 8 of COLOR_OPERATION decides which of the two is used. */
static void combine_with_dest(const struct ref_blending *blending, struct blend_colors *k, uint8_t result[4])
{
    if (blending->is_blend) {
        blend(blending, k, result);
        return;
    }
    for (int c = 0; c < 4; c++)
        result[c] = logic_result(blending->logic_op, k->at[BLEND_SOURCE][c], k->at[BLEND_DEST][c]);
}

/* Steps 9 and 10 of FBF-21; FBF-24, FBF-25; FBF-12: nothing is written to the reserved formats. */
static void write_color(struct ref_gpu *gpu, const uint8_t color[4], uint32_t index)
{
    struct ref_batch *batch = gpu->batch;
    const uint32_t offset = index * batch->color_bytes;
    const uint32_t mask = batch->blending.writable_bits; /* the others keep their bits, even with READ off (FBF-29) */
    struct blend_colors k = { { { 0 } } };
    uint8_t result[4];
    if (!batch->color_write || batch->color_format >= PICA_COLOR_FORMAT_RESERVED_5)
        return;
    const uint32_t stored = ref_surface_read(gpu, &batch->color, offset, batch->color_bytes);
    memcpy(k.at[BLEND_SOURCE], color, 4);
    if (batch->color_read)
        ref_color_expand(batch->color_format, stored, k.at[BLEND_DEST]); /* else 0, 0, 0, 0 (FBF-15) */
    combine_with_dest(&batch->blending, &k, result);
    ref_feature(gpu, PICA_FEATURE_COLOR_WRITTEN + (uint32_t)batch->color_format);
    ref_feature(gpu, PICA_FEATURE_BLENDED + (batch->blending.is_blend ? 1u : 0u));
    const uint32_t bits = (stored & ~mask) | (ref_color_pack(batch->color_format, result) & mask);
    ref_trace_color(gpu, PICA_TRACE_ID_BLEND_DEST, 0, k.at[BLEND_DEST]);
    ref_trace_color(gpu, PICA_TRACE_ID_BLEND_RESULT, 0, result);
    ref_trace(gpu, PICA_TRACE_ID_COLOR_WRITE, 0, &bits, 1);
    ref_surface_write(gpu, &batch->color, offset, batch->color_bytes, bits);
}

/* ------------------------------------------------------------------------------------------------------------ modes */

/* FBF-21, steps 3 to 10. */
static void default_fragment(struct ref_gpu *gpu, const struct ref_fragment *fragment, uint8_t color[4], uint32_t index)
{
    if (!alpha_passes(gpu, color[3]))
        return;
    ref_fog(gpu, fragment, color);
    if (stencil_and_depth(gpu, fragment, index))
        write_color(gpu, color, index);
}

/* GAS-01: what one 16-bit half becomes. */
static uint32_t gas_half(uint32_t half)
{
    const uint32_t k = half >> 8 & 0x7Fu;
    if (k <= 0x03u)
        return 0x0000u;
    if (k >= 0x7Du)
        return 0x7FFFu;
    return half;
}

/*
 * GAS-01: no tests; with READ off the halves are seen as 0. The GAS_* registers 0x120-0x126 and the gas table are
 * stored and have no effect, 0x125 is never updated (GAS-02), and neither has the depth function of 0x126 (GAS-03).
 */
static void gas_fragment(struct ref_gpu *gpu, uint32_t index)
{
    struct ref_batch *batch = gpu->batch;
    const uint32_t offset = index * batch->color_bytes;
    if (!batch->color_write)
        return;
    const uint32_t pixel = batch->color_read ? ref_surface_read(gpu, &batch->color, offset, 4) : 0u;
    const uint32_t changed = gas_half(pixel & 0xFFFFu) | gas_half(pixel >> 16) << 16;
    ref_feature(gpu, PICA_FEATURE_GAS_WRITTEN);
    ref_trace(gpu, PICA_TRACE_ID_GAS_WRITE, 0, (const uint32_t[]){ pixel, changed }, 2);
    ref_surface_write(gpu, &batch->color, offset, 4, changed);
}

/* SHW-02: v of the penumbra formula, as a byte. d and zr fit f32 exactly. */
static uint32_t shadow_intensity(const struct ref_gpu *gpu, uint32_t intensity, uint32_t d, uint32_t zr)
{
    const uint32_t word = gpu->regs[PICA_REG_FRAGOP_SHADOW];
    const float constant = ref_float16(pica_fragop_shadow_constant(word));
    const float linear = ref_float16(pica_fragop_shadow_linear(word));
    const float x = (float)d / (float)zr;
    return ref_u8((float)intensity / (constant + ref_mul(linear, x)));
}

/* SHW-01, SHW-02: what becomes of a word with depth, big-endian in bytes 0-2, and intensity in byte 3. */
static uint32_t shadow_word(const struct ref_gpu *gpu, uint32_t stored, uint32_t d, uint32_t intensity)
{
    const uint32_t zr = (stored & 0xFFu) << 16 | (stored & 0xFF00u) | (stored >> 16 & 0xFFu);
    ref_feature_if(gpu, d >= zr, PICA_FEATURE_SHADOW_HIDDEN);
    if (d >= zr)
        return stored;
    ref_feature(gpu, intensity == 0 ? PICA_FEATURE_SHADOW_DEPTH_WRITTEN : PICA_FEATURE_SHADOW_SOFTENED);
    if (intensity == 0)
        return (stored & 0xFF000000u) | d >> 16 | (d & 0xFF00u) | (d & 0xFFu) << 16;
    const uint32_t softened = shadow_intensity(gpu, intensity, d, zr);
    ref_feature_if(gpu, softened < stored >> 24, PICA_FEATURE_SHADOW_SOFT_WRITTEN);
    return softened < stored >> 24 ? (stored & 0xFFFFFFu) | softened << 24 : stored;
}

/* SHW-01 to SHW-04: no tests, no fog, no masks. */
static void shadow_fragment(struct ref_gpu *gpu, const struct ref_fragment *fragment, const uint8_t color[4],
                            uint32_t index)
{
    struct ref_batch *batch = gpu->batch;
    const uint32_t offset = index * batch->color_bytes;
    const uint32_t d = (uint32_t)(fragment->depth * 16777215.0f);
    if (!batch->color_read || !batch->color_write) /* SHW-03: zr is seen as 0, or nothing is written */
        return;
    const uint32_t stored = ref_surface_read(gpu, &batch->color, offset, 4);
    const uint32_t changed = shadow_word(gpu, stored, d, color[1]);
    ref_trace(gpu, PICA_TRACE_ID_SHADOW_WRITE, 0, (const uint32_t[]){ stored, changed }, 2);
    if (changed != stored)
        ref_surface_write(gpu, &batch->color, offset, 4, changed);
}

/* FBF-21, FBF-22: step 1 is done; step 2 is the same in all modes. */
bool ref_output_fragment(struct ref_gpu *gpu, const struct ref_fragment *fragment)
{
    const uint32_t index = ref_pixel_index(gpu->batch, (uint32_t)fragment->x, (uint32_t)fragment->y);
    struct ref_batch *batch = gpu->batch;
    uint8_t color[4];
    ref_feature(gpu, PICA_FEATURE_FRAGMENT_MADE + (uint32_t)batch->mode);
    ref_shade(gpu, &batch->shading, fragment, color);
    ref_trace_color(gpu, PICA_TRACE_ID_COMBINER_RESULT, 0, color);
    batch->has_written = false;
    switch (batch->mode) {
    case PICA_FRAGMENT_MODE_DEFAULT: default_fragment(gpu, fragment, color, index); break;
    case PICA_FRAGMENT_MODE_GAS: gas_fragment(gpu, index); break;
    case PICA_FRAGMENT_MODE_RESERVED_2: break; /* FBF-30: changes no memory */
    case PICA_FRAGMENT_MODE_SHADOW: shadow_fragment(gpu, fragment, color, index); break;
    }
    return batch->has_written;
}
