/*
 * The texture combiner over all pairs of bytes. The last stage computes with a constant colour, the vertex colour, and,
 * if there is a third operand, what the stage before it leaves, which is a constant too. Stage 5 alone matters.
 *
 * A tile of 8x8 pixels for each value of the constant; a triangle for each pixel, whose vertices have one colour.
 * COMBINER: all four channels of the constant are the first operand; the pixel's channels are four second operands, so
 * that the byte of a pair lies at 256 * first + second.
 * COMBINER_PIXEL: a pixel has one second operand; the other two channels are as the first, or constant. The result is
 * red (dot3-rgb) or alpha (dot3-rgba). A case has 64 of the second operands.
 */
#include "harness/console/packs/number_parts.h"

#include <inttypes.h>
#include <string.h>

enum {
    TILE = 64,    /* pixels */
    POSITION = 12 /* bytes of a vertex, before its colour */
};

/* Values of a third operand: what rounds differently. */
static const uint8_t thirds[4] = { 1, 85, 128, 254 };

static bool is_pixel(const struct console_number_operation *operation)
{
    return operation->kind == CONSOLE_NUMBER_COMBINER_PIXEL;
}

void console_combiner_place(const struct console_number_operation *operation, uint32_t part, uint32_t index,
                            struct console_number_place *out)
{
    if (!is_pixel(operation)) {
        *out =
            (struct console_number_place){ .operands = { index >> 8, index & 0xFFu, thirds[part] }, .offset = index };
        return;
    }
    const bool is_alpha = strcmp(operation->code, "dot3-rgba") == 0;
    *out = (struct console_number_place){ .operands = { index / TILE, part * TILE + index % TILE },
                                          .offset = 4 * index + (is_alpha ? 0 : 3) };
}

/* -------------------------------------------------------------------------------------------------------- vertices */

/* Bits 0, 2, 4 of a number of six, as 0, 1, 2: a coordinate out of the order of a tile (FBF-07). */
static uint32_t gather(uint32_t bits)
{
    return (bits & 1u) | (bits >> 1 & 2u) | (bits >> 2 & 4u);
}

/* Bytes are stored alpha first. */
static void write_color(const struct console_number_operation *operation, uint32_t part, uint32_t pixel,
                        struct harness_text *out)
{
    const uint32_t first = 4 * pixel, value = part * TILE + pixel;
    const uint32_t rest = operation->rest != 0 ? operation->rest : value;
    if (is_pixel(operation))
        harness_text_format(out, "%" PRIu32 " %" PRIu32 " %" PRIu32 " 255\n", value, rest, rest);
    else
        harness_text_format(out, "%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", first + 3, first + 2, first + 1,
                            first);
}

/* In the order of memory: the first row is the highest. */
static void write_vertices(const struct console_number_operation *operation, uint32_t part, struct harness_text *out)
{
    static const double corners[3][2] = { { 0.25, 0.25 }, { 1, 0.25 }, { 0.25, 1 } };
    harness_text_format(out, "memory 0x%08X table f32*3 u8*4 {\n", CONSOLE_NUMBER_DATA);
    for (uint32_t i = 0; i < 3 * TILE; i++) {
        const double *const corner = corners[i % 3];
        const uint32_t x = gather(i / 3), y = 7 - gather(i / 3 >> 1);
        harness_text_format(out, "%.9g %.9g -0.5 ", (x + corner[0]) / 4 - 1, (y + corner[1]) / 4 - 1);
        write_color(operation, part, i / 3, out);
    }
    harness_text_add(out, "}\n");
}

/* ------------------------------------------------------------------------------------------------------------ list */

static void write_target(struct harness_text *out)
{
    harness_text_format(out,
                        "run 0x%08X {\n"
                        "    COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"
                        "    FRAMEBUFFER_DIM { width = 8, height_minus_1 = 7, top_row_first = 1 }\n"
                        "    COLORBUFFER_READ = 0xF\n    COLORBUFFER_WRITE = 0xF\n"
                        "    VIEWPORT_WIDTH { half_size = 4.0 }\n    VIEWPORT_HEIGHT { half_size = 4.0 }\n"
                        "    DEPTHMAP_ENABLE { z_buffer = 1 }\n    DEPTHMAP_SCALE { scale = -1 }\n"
                        "    LOGIC_OP { operation = copy }\n"
                        "    DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n",
                        CONSOLE_NUMBER_LIST);
}

static void write_shader(struct harness_text *out)
{
    harness_text_format(out,
                        "    ATTRIBBUFFERS_LOC { base = 0x%08X }\n"
                        "    ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute0_elements_minus_1 = 2, "
                        "attribute1_type = unsigned-byte, attribute1_elements_minus_1 = 3 }\n"
                        "    ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 1 }\n"
                        "    ATTRIBBUFFER0_CONFIG1 { component0 = attribute0, component1 = attribute1 }\n"
                        "    ATTRIBBUFFER0_CONFIG2 { stride = %d, count = 2 }\n"
                        "    VSH_NUM_ATTR { attributes_minus_1 = 1 }\n"
                        "    VSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 1, unit_use = 0xA0 }\n"
                        "    VSH_ATTRIBUTES_PERMUTATION_LOW { input1 = 1 }\n"
                        "    VSH_OUTMAP_MASK { outputs = 0x3 }\n    SH_OUTMAP_TOTAL { total = 2 }\n"
                        "    SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }\n"
                        "    SH_OUTMAP_O1 { x = color.r, y = color.g, z = color.b, w = color.a }\n"
                        "    VSH_FLOATUNIFORM_INDEX { index = 0 }\n"
                        "    VSH_FLOATUNIFORM_DATA0 repeat f24 { 0.003921568627451 0 0 0 }\n"
                        "    shader vertex {\n        mov o0, v0\n        mul o1, c0.x, v1\n        end\n    }\n"
                        "    PRIMITIVE_CONFIG { outputs_minus_1 = 1 }\n    NUMVERTICES { count = %d }\n",
                        CONSOLE_NUMBER_DATA, POSITION + 4, 3 * TILE);
}

static void write_stages(const struct console_number_operation *operation, uint32_t part, struct harness_text *out)
{
    harness_text_format(out,
                        "    TEXENV4_SOURCE { rgb_source0 = constant, alpha_source0 = constant }\n"
                        "    TEXENV4_COLOR = 0x%08X\n"
                        "    TEXENV5_SOURCE { rgb_source0 = constant, rgb_source1 = primary-color, "
                        "rgb_source2 = previous, alpha_source0 = constant, alpha_source1 = primary-color, "
                        "alpha_source2 = previous }\n"
                        "    TEXENV5_COMBINER { rgb_mode = %s, alpha_mode = %s }\n"
                        "    TEXENV5_SCALE { rgb_scale = %s, alpha_scale = %s }\n",
                        thirds[part] * 0x01010101u, operation->code, is_pixel(operation) ? "replace" : operation->code,
                        operation->scale, operation->scale);
}

/* Each draw is flushed before the target moves on (CON-43). */
static void write_draws(const struct console_number_operation *operation, struct harness_text *out)
{
    const uint32_t rest = operation->rest * 0x00010100u | 0xFF000000u;
    for (uint32_t first = 0; first < 256; first++)
        harness_text_format(out,
                            "    TEXENV5_COLOR = 0x%08" PRIX32 "\n    COLORBUFFER_LOC { address = 0x%08" PRIX32 " }\n"
                            "    START_DRAW_FUNC0 { mode = draw }\n    DRAWARRAYS = 1\n"
                            "    START_DRAW_FUNC0 { mode = configure }\n"
                            "    FRAMEBUFFER_FLUSH = 1\n    FRAMEBUFFER_INVALIDATE = 1\n",
                            operation->rest != 0 ? first | rest : first * 0x01010101u,
                            CONSOLE_NUMBER_TARGET + 256 * first);
    harness_text_add(out, "    FINALIZE = 0x12345678\n}\n");
}

void console_combiner_write(const struct console_number_operation *operation, uint32_t part, struct harness_text *out)
{
    harness_text_add(out, "pcase 1\nprofile f24\nwindow 0x18000000 size 0x20000\n");
    write_vertices(operation, part, out);
    write_target(out);
    write_shader(out);
    write_stages(operation, part, out);
    write_draws(operation, out);
}
