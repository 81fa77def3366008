/*
 * Blending of all pairs of bytes. A byte at 0x18000000 + 256 * source + destination begins as `destination` and is
 * blended with `source`, in all four channels alike.
 */
#include "harness/console/packs/number_parts.h"

enum {
    PAIRS = 65536
};

static void write_target(struct harness_text *out)
{
    harness_text_add(out, "pcase 1\nwindow 0x18000000 size 0x20000\n"
                          "memory 0x18010000 table f32*3 {\n    -1 -1 -0.5\n    3 -1 -0.5\n    -1 3 -0.5\n}\n"
                          "memory 0x18000000 table u32*64 {");
    for (uint32_t i = 0; i < PAIRS; i += 4)
        harness_text_format(out, "%s 0x%08X", i % 256 == 0 ? "\n" : "",
                            (unsigned)((i & 0xFFu) * 0x01010101u + 0x03020100u));
    harness_text_add(out, "\n}\n");
}

/* 8x8 pixels, one large triangle over all of them, a constant colour. */
static void write_setup(const struct console_number_operation *operation, struct harness_text *out)
{
    harness_text_add(out, "run 0x18011000 {\n"
                          "    COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"
                          "    FRAMEBUFFER_DIM { width = 8, height_minus_1 = 7, top_row_first = 1 }\n"
                          "    COLORBUFFER_READ = 0xF\n    COLORBUFFER_WRITE = 0xF\n"
                          "    VIEWPORT_WIDTH { half_size = 4.0 }\n    VIEWPORT_HEIGHT { half_size = 4.0 }\n"
                          "    DEPTHMAP_ENABLE { z_buffer = 1 }\n    DEPTHMAP_SCALE { scale = -1 }\n"
                          "    COLOR_OPERATION { blend_mode = blend }\n");
    harness_text_format(out,
                        "    BLEND_FUNC { rgb_equation = %s, alpha_equation = %s, rgb_source = %s, rgb_dest = %s, "
                        "alpha_source = %s, alpha_dest = %s }\n",
                        operation->code, operation->code, operation->source, operation->destination, operation->source,
                        operation->destination);
    harness_text_add(out, "    DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n"
                          "    ATTRIBBUFFERS_LOC { base = 0x18010000 }\n"
                          "    ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute0_elements_minus_1 = 2 }\n"
                          "    ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 0 }\n"
                          "    ATTRIBBUFFER0_CONFIG1 { component0 = attribute0 }\n"
                          "    ATTRIBBUFFER0_CONFIG2 { stride = 12, count = 1 }\n"
                          "    VSH_NUM_ATTR { attributes_minus_1 = 0 }\n"
                          "    VSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 0, unit_use = 0xA0 }\n"
                          "    VSH_OUTMAP_MASK { outputs = 0x1 }\n"
                          "    SH_OUTMAP_TOTAL { total = 1 }\n"
                          "    SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }\n"
                          "    shader vertex {\n        mov o0, v0\n        end\n    }\n"
                          "    TEXENV5_SOURCE { rgb_source0 = constant, alpha_source0 = constant }\n"
                          "    START_DRAW_FUNC0 { mode = draw }\n    PRIMITIVE_CONFIG { outputs_minus_1 = 0 }\n"
                          "    NUMVERTICES { count = 3 }\n");
}

/* Each draw is flushed before the target moves on (CON-43). */
static void write_draws(struct harness_text *out)
{
    for (unsigned source = 0; source < 256; source++)
        harness_text_format(out,
                            "    TEXENV5_COLOR = 0x%08X\n    COLORBUFFER_LOC { address = 0x%08X }\n"
                            "    DRAWARRAYS = 1\n    FRAMEBUFFER_FLUSH = 1\n    FRAMEBUFFER_INVALIDATE = 1\n",
                            source * 0x01010101u, 0x18000000u + 256 * source);
    harness_text_add(out, "    FINALIZE = 0x12345678\n}\n");
}

void console_blending_write(const struct console_number_operation *operation, struct harness_text *out)
{
    write_target(out);
    write_setup(operation, out);
    write_draws(out);
}
