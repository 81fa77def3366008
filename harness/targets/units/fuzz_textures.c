/*
 * The property: texture decoding alone. An input is raw words of the registers of texture unit 0, then the bytes of the
 * texture. One square of 16 x 16 pixels shows it unchanged; the first byte says how much of it.
 */
#include "harness/targets/units/unit.h"
#include "pica/regs.h"

enum {
    MOST_TEXTURE = 0x4000
};

static const uint32_t texture_address = 0x18004000;

const char unit_frame[] = "pcase 1\n"
                          "window 0x18000000 size 0x8000\n"
                          "memory 0x18000000 fill 0x404040FF size 0x400\n"
                          /* position, texture coordinate: u, v, w */
                          "memory 0x18002000 table f32*2 f32*3 {\n"
                          "    -1 -1  0 0 0.25\n"
                          "    1 -1  1 0 0.25\n"
                          "    -1 1  0 1 0.5\n"
                          "    1 1  1 1 1\n"
                          "}\n"
                          "run 0x18003000 {\n"
                          "    COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"
                          "    COLORBUFFER_LOC { address = 0x18000000 }\n"
                          "    FRAMEBUFFER_DIM { width = 16, height_minus_1 = 15, top_row_first = 1 }\n"
                          "    COLORBUFFER_WRITE { enable = 0xF }\n"
                          "    VIEWPORT_WIDTH { half_size = 8.0 }\n"
                          "    VIEWPORT_HEIGHT { half_size = 8.0 }\n"
                          "    LOGIC_OP { operation = copy }\n"
                          "    DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n"
                          "    ATTRIBBUFFERS_LOC { base = 0x18002000 }\n"
                          "    ATTRIBBUFFERS_FORMAT_LOW { attribute0_type = float, attribute0_elements_minus_1 = 1,\n"
                          "        attribute1_type = float, attribute1_elements_minus_1 = 2 }\n"
                          "    ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 1 }\n"
                          "    ATTRIBBUFFER0_CONFIG1 { component0 = attribute0, component1 = attribute1 }\n"
                          "    ATTRIBBUFFER0_CONFIG2 { stride = 20, count = 2 }\n"
                          "    VSH_NUM_ATTR { attributes_minus_1 = 1 }\n"
                          "    VSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 1, unit_use = 0xA0 }\n"
                          "    VSH_ATTRIBUTES_PERMUTATION_LOW { input1 = 1 }\n"
                          "    VSH_OUTMAP_MASK { outputs = 0x3 }\n"
                          "    SH_OUTMAP_TOTAL { total = 2 }\n"
                          "    SH_OUTMAP_O0 { x = position.x, y = position.y, z = position.z, w = position.w }\n"
                          "    SH_OUTMAP_O1 { x = texcoord0.u, y = texcoord0.v, z = texcoord0.w, w = unused }\n"
                          "    shader vertex {\n"
                          "        mov o0, v0\n"
                          "        mul o1, c0, v1\n"
                          "        end\n"
                          "    }\n"
                          "    TEXUNIT_CONFIG { unit0_enable = 1 }\n"
                          "    TEXUNIT0_ADDR1 { address = 0x18004000 }\n"
                          "    TEXENV5_SOURCE { rgb_source0 = texture0, alpha_source0 = texture0 }\n"
                          "    START_DRAW_FUNC0 { mode = draw }\n"
                          "    PRIMITIVE_CONFIG { outputs_minus_1 = 1, topology = strip }\n"
                          "    NUMVERTICES { count = 4 }\n"
                          "    DRAWARRAYS = 1\n"
                          "    FINALIZE = 0x12345678\n"
                          "}\n";

static bool add_write(struct harness_case *test_case, uint16_t id, uint32_t value)
{
    const struct harness_writes writes = { .id = id, .mask = 0xF, .parameters = &value, .count = 1 };
    return harness_list_insert(test_case, &test_case->operations[0].data.list, 0, &writes) != NULL;
}

/* c0 = (s, s, s, s): the square shows s times the texture; s = 2^-3 to 2^4, or the opposite. REG-22, REG-23. */
static bool add_scale(struct harness_case *test_case, uint32_t byte)
{
    const uint32_t scale = (byte & 8u) << 28 | (124u + (byte & 7u)) << 23;
    bool good = true;
    for (int i = 0; i < 4; i++)
        good = good && add_write(test_case, PICA_REG_VSH_FLOATUNIFORM_DATA0, scale);
    return good && add_write(test_case, PICA_REG_VSH_FLOATUNIFORM_INDEX, 0x80000000);
}

bool unit_build(struct harness_case *test_case, struct unit_input *input)
{
    static const uint16_t raw[] = { PICA_REG_TEXUNIT0_TYPE,  PICA_REG_TEXUNIT0_DIM,          PICA_REG_TEXUNIT0_PARAM,
                                    PICA_REG_TEXUNIT0_LOD,   PICA_REG_TEXUNIT0_BORDER_COLOR, PICA_REG_TEXUNIT0_SHADOW,
                                    PICA_REG_TEXUNIT0_ADDR2, PICA_REG_TEXUNIT0_ADDR3,        PICA_REG_TEXUNIT0_ADDR4,
                                    PICA_REG_TEXUNIT0_ADDR5, PICA_REG_TEXUNIT0_ADDR6 };
    struct harness_data data;
    if (!add_scale(test_case, unit_byte(input)))
        return false;
    for (size_t i = 0; i < sizeof raw / sizeof raw[0]; i++)
        if (!add_write(test_case, raw[i], unit_word(input)))
            return false;
    return harness_data_bytes(test_case, &data, input->bytes,
                              input->size < MOST_TEXTURE ? input->size : MOST_TEXTURE) &&
           harness_case_add_chunk(test_case, texture_address, &data) != NULL;
}
