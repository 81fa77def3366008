/* The cases of the interface check, as text: what docs/formats/pcase.md says. All begin with a reset. */
#include "harness/interface/bench.h"

#include <stdio.h>

#define MEMORY "pcase 1\nwindow 0x18000000 size 0x8000\n"

static const char registers_case[] = MEMORY
    "run 0x18003000 { VIEWPORT_WIDTH = 0x469000 TEXUNIT0_PARAM mask 0x3 = 0xFFFFFFFF BLEND_COLOR = 0x80402010 "
    "SCISSORTEST_POS consecutive { SCISSORTEST_POS = 0x30002 SCISSORTEST_DIM = 0xF000E } FINALIZE = 0x12345678 }";

static const char engines_case[] =
    MEMORY "fill 0 { FILL0_START { address = 0x18000080 } FILL0_END { address = 0x180000A0 } FILL0_VALUE = 0xFFAA55 "
           "FILL0_CTRL { start = 1, width = 32-bit } }\n"
           "transfer { XFER_IN { address = 0x18000000 } XFER_OUT { address = 0x18001000 } "
           "XFER_DIM { width = 8, height = 8 } XFER_INDIM { width = 8 } }";

static const char interrupts_case[] =
    MEMORY "fill 0 { FILL0_START { address = 0x18000080 } FILL0_END { address = 0x180000A0 } FILL0_VALUE = 0xFFAA55 "
           "FILL0_CTRL { start = 1, width = 32-bit } }\n"
           "transfer { XFER_IN { address = 0x18000000 } XFER_OUT { address = 0x18001000 } "
           "XFER_DIM { width = 8, height = 8 } XFER_INDIM { width = 8 } }\n"
           "run 0x18003000 { BLEND_COLOR = 1 FINALIZE = 0x12345678 }";

static const char tables_case[] =
    MEMORY "run 0x18003000 { FOG_LUT_INDEX = 5 FOG_LUT_DATA0 = 0xABCDEF LIGHTING_LUT_INDEX = 0x103 "
           "LIGHTING_LUT_DATA0 = 0x123456 PROCTEX_LUT = 0x403 PROCTEX_LUT_DATA0 = 0x11223344 GAS_LUT_INDEX = 2 "
           "GAS_LUT_DATA = 0x55 FINALIZE = 0x12345678 }";

static const char units_case[] =
    MEMORY "run 0x18003000 { shader vertex {\n mov o0, v0\n add o1, c5, v1.wzyx\n end\n }\n"
           "VSH_BOOLUNIFORM = 0x1234 VSH_INTUNIFORM_I1 = 0x04030201 VSH_FLOATUNIFORM_INDEX = 0x80000007 "
           "VSH_FLOATUNIFORM_DATA0 repeat f32 { 1 2 3 4 } VSH_FLOATUNIFORM_DATA0 = 0x3F800000 FINALIZE = 0x12345678 }";

static const char fixed_case[] =
    MEMORY "run 0x18003000 { FIXEDATTRIB_INDEX { index = 3 } FIXEDATTRIB_DATA0 repeat f24 { 1 0.5 0.25 -1 } "
           "FIXEDATTRIB_INDEX { index = 4 } FIXEDATTRIB_DATA0 = 0x123456 FINALIZE = 0x12345678 }";

/* A list that just ends: an event, and nothing else (CMD-11). */
static const char events_case[] = MEMORY "run 0x18003000 { BLEND_COLOR = 1 }";

/* The top screen shows noise, another one to each eye, from its second buffers; the bottom one a colour. */
static const char screens_case[] =
    MEMORY "memory 0x18000000 noise 7 size 0x8000\n"
           "write PDC0_LEFT0 { address = 0x18000000 }\nwrite PDC0_LEFT1 { address = 0x18001000 }\n"
           "write PDC0_RIGHT0 { address = 0x18002000 }\nwrite PDC0_RIGHT1 { address = 0x18003000 }\n"
           "write PDC0_FORMAT { format = rgb565 }\nwrite PDC0_STRIDE = 0x20\nwrite PDC0_SELECT { buffer = 1 }\n"
           "write COLOR_FILL_BOTTOM { red = 200, green = 100, blue = 50, enable = 1 }";

/* 16 x 16 pixels, all of them covered by a strip of two triangles; the colour is c0, the texture is noise. */
#define DRAW_BEGIN                                                                                                \
    MEMORY "memory 0x18000000 fill 0x404040FF size 0x400\n"                                                       \
           "memory 0x18002000 table f32*2 f32*2 { -1 -1 -0.5 -0.5  1 -1 1.4 -0.5  -1 1 -0.5 1.4  1 1 1.4 1.4 }\n" \
           "memory 0x18004000 noise 7 size 0x200\n"                                                               \
           "run 0x18003000 {\n"                                                                                   \
           "COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"                                         \
           "COLORBUFFER_LOC { address = 0x18000000 }\n"                                                           \
           "FRAMEBUFFER_DIM { width = 16, height_minus_1 = 15, top_row_first = 1 }\n"                             \
           "COLORBUFFER_READ = 0xF COLORBUFFER_WRITE = 0xF\n"                                                     \
           "VIEWPORT_WIDTH { half_size = 8.0 } VIEWPORT_INVW { inverse = 0.125 }\n"                               \
           "VIEWPORT_HEIGHT { half_size = 8.0 } VIEWPORT_INVH { inverse = 0.125 }\n"                              \
           "LOGIC_OP { operation = copy }\n"                                                                      \
           "DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n"               \
           "ATTRIBBUFFERS_LOC { base = 0x18002000 }\n"                                                            \
           "ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute0_elements_minus_1 = 1, "                \
           "attribute1_type = float, attribute1_elements_minus_1 = 1 }\n"                                         \
           "ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 1 }\n"                                               \
           "ATTRIBBUFFER0_CONFIG1 { component0 = attribute0, component1 = attribute1 }\n"                         \
           "ATTRIBBUFFER0_CONFIG2 { stride = 16, count = 2 }\n"                                                   \
           "VSH_NUM_ATTR { attributes_minus_1 = 1 }\n"                                                            \
           "VSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 1, unit_use = 0xA0 }\n"                                     \
           "VSH_ATTRIBUTES_PERMUTATION_LOW { input1 = 1 }\n"                                                      \
           "VSH_OUTMAP_MASK { outputs = 0x7 }\n"                                                                  \
           "SH_OUTMAP_TOTAL { total = 3 }\n"                                                                      \
           "SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }\n"                    \
           "SH_OUTMAP_O1 { x = texcoord0.u, y = texcoord0.v, z = unused, w = unused }\n"                          \
           "SH_OUTMAP_O2 { x = color.r, y = color.g, z = color.b, w = color.a }\n"                                \
           "VSH_FLOATUNIFORM_INDEX { format = float32 }\n"                                                        \
           "VSH_FLOATUNIFORM_DATA0 repeat f32 { 0.8 0.6 0.2 0.4 }\n"                                              \
           "shader vertex {\n mov o0, v0\n mov o1, v1\n mov o2, c0\n end\n }\n"                                   \
           "TEXUNIT0_DIM { height = 8, width = 8 } TEXUNIT0_ADDR1 { address = 0x18004000 }\n"                     \
           "START_DRAW_FUNC0 { mode = draw }\n"                                                                   \
           "PRIMITIVE_CONFIG { outputs_minus_1 = 2, topology = strip }\n"                                         \
           "NUMVERTICES { count = 4 }\n"
#define DRAW_END "\nDRAWARRAYS = 1 FINALIZE = 0x12345678\n}"

/* Two vertices of a strip stay in the assembler. */
static const char assembler_case[] = DRAW_BEGIN "NUMVERTICES { count = 2 }" DRAW_END;

/* Each vertex becomes two triangles, by four EMITs. */
static const char geometry_case[] =
    DRAW_BEGIN "VSH_COM_MODE { separate_geometry = 1 } GEOSTAGE_CONFIG { mode = geometry-shader }\n"
               "VSH_OUTMAP_TOTAL1 { outputs_minus_1 = 2 } VSH_OUTMAP_TOTAL2 { outputs_minus_1 = 2 }\n"
               "GSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 2, unit_use = 8 }\n"
               "GSH_ATTRIBUTES_PERMUTATION_LOW { input1 = 1, input2 = 2 }\n"
               "GSH_OUTMAP_MASK { outputs = 0x7 } GSH_FLOATUNIFORM_INDEX { format = float32 }\n"
               "GSH_FLOATUNIFORM_DATA0 repeat f32 { -0.375 0.375 0 0 }\n"
               "shader geometry {\n mov r0, v0\n setemit 0\n add o0, c0.xxzz, r0\n mov o1, v1\n mov o2, v2\n emit\n"
               " setemit 1\n add o0, c0.yxzz, r0\n mov o1, v1\n mov o2, v2\n emit\n"
               " setemit 2, prim\n add o0, c0.xyzz, r0\n mov o1, v1\n mov o2, v2\n emit\n"
               " setemit 0, prim, inv\n add o0, c0.yyzz, r0\n mov o1, v1\n mov o2, v2\n emit\n end\n }\n"
               "PRIMITIVE_CONFIG { outputs_minus_1 = 2, topology = geometry }\n" DRAW_END;

const char *interface_part_case(uint32_t part)
{
    switch (part) {
    case PICA_PART_REGISTERS: return registers_case;
    case PICA_PART_ENGINES: return engines_case;
    case PICA_PART_INTERRUPTS: return interrupts_case;
    case PICA_PART_TABLES: return tables_case;
    case PICA_PART_UNITS: return units_case;
    case PICA_PART_FIXED: return fixed_case;
    case PICA_PART_GEOMETRY: return geometry_case;
    case PICA_PART_ASSEMBLER: return assembler_case;
    case PICA_PART_EVENTS: return events_case;
    case PICA_PART_SCREENS: return screens_case;
    default: return NULL;
    }
}

#define TEXTURED \
    "TEXUNIT_CONFIG { unit0_enable = 1 } TEXENV5_SOURCE { rgb_source0 = texture0, alpha_source0 = texture0 }"
#define UNIT_2                                                                                                 \
    "TEXUNIT_CONFIG { unit2_enable = 1 } TEXENV5_SOURCE { rgb_source0 = texture2, alpha_source0 = texture2 } " \
    "SH_OUTMAP_O1 { x = texcoord2.u, y = texcoord2.v, z = unused, w = unused } "                               \
    "TEXUNIT2_DIM { height = 8, width = 8 } TEXUNIT2_ADDR { address = 0x18004000 } "                           \
    "TEXUNIT2_PARAM { wrap_t = clamp-to-border, wrap_s = clamp-to-border }"
#define BLENDED                                                                                                        \
    "COLOR_OPERATION { blend_mode = blend } BLEND_FUNC { rgb_source = constant-color, rgb_dest = one, alpha_source = " \
    "one, alpha_dest = zero }"

const struct interface_twin interface_twins[] = {
    { "the uniform that is the colour", "",
      "VSH_FLOATUNIFORM_INDEX { format = float32 } VSH_FLOATUNIFORM_DATA0 repeat f32 { 0.2 0.8 0.6 1 }" },
    { "the number of vertices", "", "NUMVERTICES { count = 3 }" },
    { "VIEWPORT_XY", "", "VIEWPORT_XY { x = 4, y = 2 }" },
    { "FRAMEBUFFER_DIM width", "", "FRAMEBUFFER_DIM { width = 8, height_minus_1 = 15, top_row_first = 1 }" },
    { "COLORBUFFER_FORMAT", "", "COLORBUFFER_FORMAT { pixel_size = 16-bit, format = rgb565 }" },
    { "the green bit of DEPTH_COLOR_MASK", "", "DEPTH_COLOR_MASK { red_write = 1, blue_write = 1, alpha_write = 1 }" },
    { "FACECULLING_CONFIG", "", "FACECULLING_CONFIG { mode = front }" },
    { "SCISSORTEST_MODE", "SCISSORTEST_DIM { x2 = 7, y2 = 7 }", "SCISSORTEST_MODE { mode = inside }" },
    { "the combiner's constant", "TEXENV5_SOURCE { rgb_source0 = constant, alpha_source0 = constant }",
      "TEXENV5_COLOR { red = 200, green = 100, blue = 50, alpha = 255 }" },
    { "TEXENV5_COMBINER", TEXTURED, "TEXENV5_COMBINER { rgb_mode = modulate }" },
    { "TEXUNIT0_ADDR1", TEXTURED, "TEXUNIT0_ADDR1 { address = 0x18004080 }" },
    { "TEXUNIT0_PARAM wrap", TEXTURED, "TEXUNIT0_PARAM { wrap_t = repeat, wrap_s = repeat }" },
    { "TEXUNIT0_PARAM filter", TEXTURED, "TEXUNIT0_PARAM { mag_filter = linear, min_filter = linear }" },
    { "TEXUNIT0_TYPE", TEXTURED, "TEXUNIT0_TYPE { format = rgb565 }" },
    { "TEXUNIT2_BORDER_COLOR", UNIT_2, "TEXUNIT2_BORDER_COLOR { red = 255, green = 128, alpha = 255 }" },
    { "COLOR_OPERATION blend_mode", "", "COLOR_OPERATION { blend_mode = blend }" },
    { "BLEND_COLOR", BLENDED, "BLEND_COLOR { red = 200, green = 100, blue = 50, alpha = 255 }" },
    { "LOGIC_OP", "", "LOGIC_OP { operation = xor }" },
    { "FRAGOP_ALPHA_TEST", "", "FRAGOP_ALPHA_TEST { enable = 1, function = greater, reference = 200 }" },
    { "FOG_COLOR", "TEXENV_UPDATE_BUFFER { fog_mode = fog }", "FOG_COLOR { red = 200, green = 100, blue = 50 }" },
};
const size_t interface_twin_count = sizeof interface_twins / sizeof interface_twins[0];

bool interface_read_twin(struct interface_bench *bench, size_t index, bool changed)
{
    const struct interface_twin *const twin = &interface_twins[index];
    char text[8192];
    (void)snprintf(text, sizeof text, "%s%s\n%s%s", DRAW_BEGIN, twin->setup, changed ? twin->change : "", DRAW_END);
    return interface_read(bench, text, twin->name);
}
