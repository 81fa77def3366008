/*
 * Arithmetic of the vertex shader, read back whole: a triangle for each input covers one pixel and takes its colour
 * from the 24 bits of what the shader computed. The bits are found by comparing (CMP, SGE) with powers of two; what
 * else is needed is exact in any arithmetic: products with powers of two, sums that have no bits to round.
 *
 * The pixel is float24 << 8 | 0xFF. A result that is subnormal has the bits of the smallest one, since arithmetic may
 * flush it before they are found; NaN is 0x7F8000, and zeros have no sign, for no comparison sees one.
 *
 * A picture has 128x128 pixels. Each draw covers a square of 16x16, with one set of uniforms; its pixels differ by an
 * attribute.
 */
#include "harness/case/numbers.h"
#include "harness/console/packs/number_parts.h"
#include "oracles/pixels.h"

#include <inttypes.h>

enum {
    SIDE = 128,    /* pixels of the picture */
    SQUARE = 16,   /* pixels of a draw */
    ACROSS = 8,    /* draws beside one another */
    POSITION = 12, /* bytes of a vertex */
    MANTISSA_BITS = 16,
    EXPONENT_STEPS = 6, /* bits of the exponent that are searched */
    BIAS = 63,
    FIRST_STEP = 4, /* uniforms c4 to c9, then c10 to c25 */
    FIRST_BIT = 10
};

/* -------------------------------------------------------------------------------------------------------- operands */

static void find_operands(const struct console_number_operation *operation, uint32_t part, uint32_t draw,
                          uint32_t pixel, uint32_t out[CONSOLE_NUMBER_OPERANDS])
{
    const uint32_t first = console_float_uniform(operation, part, draw, 0);
    if (operation->kind == CONSOLE_NUMBER_PAIRS) {
        out[0] = first;
        out[1] = console_float_attribute(operation, part, pixel);
        out[2] = console_float_uniform(operation, part, draw, 2);
    } else if (operation->kind == CONSOLE_NUMBER_FETCH) {
        out[0] = console_float_attribute(operation, part, pixel);
    } else if (console_float_is_extremes(operation, part)) {
        out[0] = first;
    } else {
        out[0] = console_float_uniform(operation, part, draw, 1) | ((first & 0xFFFFu) + pixel);
    }
}

void console_floats_place(const struct console_number_operation *operation, uint32_t part, uint32_t index,
                          struct console_number_place *out)
{
    static const struct oracle_surface picture = {
        .width = SIDE, .height = SIDE, .pitch = SIDE, .format = ORACLE_FORMAT_RGBA8
    };
    const struct console_float_layout layout = console_float_layout(operation, part);
    const uint32_t draw = index / layout.inputs, pixel = index % layout.inputs;
    const uint32_t x = draw % ACROSS * SQUARE + pixel % SQUARE, y = draw / ACROSS * SQUARE + pixel / SQUARE;
    *out = (struct console_number_place){ .offset = (uint32_t)oracle_pixel_offset(&picture, x, SIDE - 1 - y) };
    find_operands(operation, part, draw, pixel, out->operands);
}

/* ---------------------------------------------------------------------------------------------------------- shader */

/* 2^exponent as float24. */
static uint32_t power(int32_t exponent)
{
    return (uint32_t)(BIAS + exponent) << MANTISSA_BITS;
}

static void write_constants(struct harness_text *out)
{
    harness_text_format(out,
                        "    VSH_FLOATUNIFORM_INDEX { index = 1 }\n    VSH_FLOATUNIFORM_DATA0 repeat f24 {\n"
                        "        0 1 0x%06" PRIX32 " 63\n        0x7EFFFF 0x010000 0.003921568627451 128\n"
                        "        0 128 0 127\n",
                        power(BIAS));
    for (int32_t step = EXPONENT_STEPS - 1; step >= 0; step--)
        harness_text_format(out, "        0x%06" PRIX32 " 0x%06" PRIX32 " %d 0\n", power(1 << step),
                            power(-(1 << step)), 1 << step);
    for (int32_t bit = 1; bit <= MANTISSA_BITS; bit++)
        harness_text_format(out, "        0x%06" PRIX32 " %d %d 0x%06" PRIX32 "\n", power(-bit) | 0x800000u,
                            bit <= 8 ? 1 << (8 - bit) : 0, bit > 8 ? 1 << (MANTISSA_BITS - bit) : 0, power(-bit));
    harness_text_add(out, "    }\n");
}

/* r0.x becomes 2^n <= r0.x < 2^(n+1) divided by 2^n, in [1, 2), and n + 63 is added to r2.w. */
static void write_exponent(struct harness_text *out)
{
    harness_text_add(out, "        cmp c1.y, gt, gt, r0.x      ; below 1: times 2^63\n"
                          "        jmpc !cmp.x, large\n"
                          "        mul r0.x, c1.z, r0.x\n"
                          "        jmpc cmp.x, search\n"
                          "    large:\n"
                          "        add r2.w, c1.w, r2.w\n"
                          "    search:\n");
    for (int step = 0; step < EXPONENT_STEPS; step++)
        harness_text_format(out,
                            "        cmp c%d.x, gt, gt, r0.x\n"
                            "        jmpc cmp.x, step%d\n"
                            "        mul r0.x, c%d.y, r0.x\n"
                            "        add r2.w, c%d.z, r2.w\n"
                            "    step%d:\n",
                            FIRST_STEP + step, step, FIRST_STEP + step, FIRST_STEP + step, step);
}

/* r2 = (what is left, high byte, low byte, -). */
static void write_mantissa(struct harness_text *out)
{
    harness_text_add(out, "        add r2.x, -c1.y, r0.x\n");
    for (int bit = 0; bit < MANTISSA_BITS; bit++)
        harness_text_format(out,
                            "        sge r1.x, r2.x, c%d.w\n"
                            "        mad r2.xyz, r1.xxx, c%d.xyz, r2.xyz\n",
                            FIRST_BIT + bit, FIRST_BIT + bit);
}

/* The bits of r0.x become the colour: red is sign and exponent, green and blue the mantissa. */
static void write_read_back(struct harness_text *out)
{
    harness_text_add(out, "        mov r2, c1.xxxx\n"
                          "        cmp r0.x, eq, eq, r0.x\n"
                          "        jmpc !cmp.x, nan\n"
                          "        cmp c1.x, eq, gt, r0.x\n"
                          "        jmpc cmp.x, done\n"
                          "        jmpc !cmp.y, positive\n"
                          "        mov r2.w, c2.w\n"
                          "        mov r0.x, -r0.x\n"
                          "    positive:\n"
                          "        cmp c2.xy, lt, gt, r0.xx\n"
                          "        jmpc cmp.x, infinity\n"
                          "        jmpc cmp.y, subnormal\n");
    write_exponent(out);
    write_mantissa(out);
    harness_text_add(out, "    done:\n"
                          "        mul o1.xyz, c2.z, r2.wyz\n"
                          "        mov o1.w, c1.y\n"
                          "        end\n"
                          "    nan:\n"
                          "        mov r2, c3\n"
                          "        jmpc !cmp.x, done\n"
                          "    infinity:\n"
                          "        add r2.w, c3.w, r2.w\n"
                          "        jmpc cmp.x, done\n"
                          "    subnormal:\n"
                          "        mov r2.z, c1.y\n"
                          "        jmpc cmp.y, done\n");
}

/* The input of a sweep is (c0.x + attribute) * c0.y: sums without rounding, then a power of two; MOV of all inputs
 * shows whether that holds. Operands of pairs are c0.x, r1.x and r1.y. */
static void write_inputs(const struct console_number_operation *operation, uint32_t part, struct harness_text *out)
{
    if (operation->kind == CONSOLE_NUMBER_FETCH)
        return;
    if (operation->kind == CONSOLE_NUMBER_PAIRS)
        harness_text_add(out, "        mov r1.x, v1.x\n        mov r1.y, c0.z\n");
    else if (console_float_is_extremes(operation, part))
        harness_text_add(out, "        mov r1.x, c0.x\n");
    else
        harness_text_add(out, "        add r1.x, c0.x, v1.x\n        mul r1.x, c0.y, r1.x\n");
}

static void write_shader(const struct console_number_operation *operation, uint32_t part, struct harness_text *out)
{
    harness_text_add(out, "    shader vertex {\n        mov o0, v0\n");
    write_inputs(operation, part, out);
    harness_text_format(out, "        %s\n", operation->code);
    write_read_back(out);
    harness_text_add(out, "    }\n");
}

/* ------------------------------------------------------------------------------------------------------------ case */

/* Triangles around the centres of the pixels of a square, in its viewport; then the attribute of each. */
static void write_vertices(const struct console_number_operation *operation, uint32_t part, struct harness_text *out)
{
    static const double corners[3][2] = { { 0.25, 0.25 }, { 1, 0.25 }, { 0.25, 1 } };
    const uint32_t vertices = 3 * console_float_layout(operation, part).inputs;
    harness_text_format(out, "memory 0x%08X table f32*3 {\n", CONSOLE_NUMBER_DATA);
    for (uint32_t i = 0; i < vertices; i++) {
        const double *const corner = corners[i % 3];
        harness_text_format(out, "%.9g %.9g -0.5\n", (i / 3 % SQUARE + corner[0]) / 8 - 1,
                            (i / 3 / SQUARE + corner[1]) / 8 - 1);
    }
    harness_text_format(out, "}\nmemory 0x%08" PRIX32 " table f32 {\n", CONSOLE_NUMBER_DATA + vertices * POSITION);
    for (uint32_t i = 0; i < vertices; i++) {
        const uint32_t attribute = console_float_attribute(operation, part, i / 3);
        harness_text_format(out, "0x%08" PRIX32 "\n",
                            operation->kind == CONSOLE_NUMBER_FETCH ? attribute : harness_float24_to_f32(attribute));
    }
    harness_text_add(out, "}\n");
}

static void write_target(struct harness_text *out)
{
    harness_text_format(out,
                        "run 0x%08X {\n"
                        "    COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"
                        "    COLORBUFFER_LOC { address = 0x%08X }\n"
                        "    FRAMEBUFFER_DIM { width = %d, height_minus_1 = %d, top_row_first = 1 }\n"
                        "    COLORBUFFER_READ = 0xF\n    COLORBUFFER_WRITE = 0xF\n"
                        "    VIEWPORT_WIDTH { half_size = 8.0 }\n    VIEWPORT_HEIGHT { half_size = 8.0 }\n"
                        "    DEPTHMAP_ENABLE { z_buffer = 1 }\n    DEPTHMAP_SCALE { scale = -1 }\n"
                        "    LOGIC_OP { operation = copy }\n"
                        "    DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n",
                        CONSOLE_NUMBER_LIST, CONSOLE_NUMBER_TARGET, SIDE, SIDE - 1);
}

static void write_loader(uint32_t vertices, struct harness_text *out)
{
    harness_text_format(out,
                        "    ATTRIBBUFFERS_LOC { base = 0x%08X }\n"
                        "    ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute0_elements_minus_1 = 2, "
                        "attribute1_type = float }\n"
                        "    ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 1 }\n"
                        "    ATTRIBBUFFER0_CONFIG1 { component0 = attribute0 }\n"
                        "    ATTRIBBUFFER0_CONFIG2 { stride = %d, count = 1 }\n"
                        "    ATTRIBBUFFER1_OFFSET { offset = %" PRIu32 " }\n"
                        "    ATTRIBBUFFER1_CONFIG1 { component0 = attribute1 }\n"
                        "    ATTRIBBUFFER1_CONFIG2 { stride = 4, count = 1 }\n"
                        "    VSH_NUM_ATTR { attributes_minus_1 = 1 }\n"
                        "    VSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 1, unit_use = 0xA0 }\n"
                        "    VSH_ATTRIBUTES_PERMUTATION_LOW { input1 = 1 }\n"
                        "    VSH_OUTMAP_MASK { outputs = 0x3 }\n"
                        "    SH_OUTMAP_TOTAL { total = 2 }\n"
                        "    SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }\n"
                        "    SH_OUTMAP_O1 { x = color.r, y = color.g, z = color.b, w = color.a }\n"
                        "    PRIMITIVE_CONFIG { outputs_minus_1 = 1 }\n"
                        "    NUMVERTICES { count = %" PRIu32 " }\n",
                        CONSOLE_NUMBER_DATA, POSITION, vertices * POSITION, vertices);
}

/* The same vertices as in the draw before, with other uniforms: nothing may come out of a cache (CON-45). */
static void write_draw(const struct console_number_operation *operation, uint32_t part, uint32_t draw,
                       struct harness_text *out)
{
    harness_text_add(out, "    VSH_FLOATUNIFORM_INDEX { index = 0 }\n    VSH_FLOATUNIFORM_DATA0 repeat f24 {");
    for (uint32_t i = 0; i < 3; i++)
        harness_text_format(out, " 0x%06" PRIX32, console_float_uniform(operation, part, draw, i));
    harness_text_format(out,
                        " 0 }\n    VIEWPORT_XY { x = %" PRIu32 ", y = %" PRIu32 " }\n"
                        "    START_DRAW_FUNC0 { mode = draw }\n    DRAWARRAYS = 1\n"
                        "    START_DRAW_FUNC0 { mode = configure }\n    VTX_FUNC = 1\n",
                        draw % ACROSS * SQUARE, draw / ACROSS * SQUARE);
}

void console_floats_write(const struct console_number_operation *operation, uint32_t part, struct harness_text *out)
{
    const struct console_float_layout layout = console_float_layout(operation, part);
    harness_text_add(out, "pcase 1\nprofile f24\nwindow 0x18000000 size 0x20000\n");
    write_vertices(operation, part, out);
    write_target(out);
    write_loader(3 * layout.inputs, out);
    write_constants(out);
    write_shader(operation, part, out);
    for (uint32_t draw = 0; draw < layout.draws; draw++)
        write_draw(operation, part, draw, out);
    harness_text_add(out, "    FRAMEBUFFER_FLUSH = 1\n    FRAMEBUFFER_INVALIDATE = 1\n    FINALIZE = 0x12345678\n}\n");
}
