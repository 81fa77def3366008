/*
 * The property: the geometry shader unit alone. An input is a program with its uniforms (shader.h), the raw words of
 * the registers that say how it is fed and what it puts out, and six vertices of four attributes that a vertex shader
 * hands on. All that the unit keeps is compared, and what comes out as far as the primitive assembler; no pixel is
 * drawn, for the viewport has no size.
 */
#include "harness/targets/units/shader.h"
#include "pica/regs.h"

const char unit_frame[] = "pcase 1\n"
                          "window 0x18000000 size 0x2000\n"
                          "limits { emits = 32 }\n"
                          "run 0x18001000 {\n"
                          "    ATTRIBBUFFERS_LOC { base = 0x18000000 }\n"
                          "    ATTRIBBUFFERS_FORMAT_LOW = 0xFFFF\n" /* four attributes of four floats */
                          "    ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 3 }\n"
                          "    ATTRIBBUFFER0_CONFIG1 = 0x3210\n"
                          "    ATTRIBBUFFER0_CONFIG2 { stride = 64, count = 4 }\n"
                          "    VSH_NUM_ATTR { attributes_minus_1 = 3 }\n"
                          "    VSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 3, unit_use = 0xA0 }\n"
                          "    VSH_ATTRIBUTES_PERMUTATION_LOW = 0x3210\n"
                          "    VSH_OUTMAP_MASK { outputs = 0xF }\n"
                          "    VSH_OUTMAP_TOTAL1 { outputs_minus_1 = 3 }\n"
                          "    VSH_OUTMAP_TOTAL2 { outputs_minus_1 = 3 }\n"
                          "    shader vertex {\n"
                          "        mov o0, v0\n"
                          "        mov o1, v1\n"
                          "        mov o2, v2\n"
                          "        mov o3, v3\n"
                          "        end\n"
                          "    }\n"
                          "    VSH_COM_MODE { separate_geometry = 1 }\n"
                          "    GEOSTAGE_CONFIG { mode = geometry-shader }\n"
                          "    GSH_ATTRIBUTES_PERMUTATION_LOW = 0x76543210\n"
                          "    GSH_ATTRIBUTES_PERMUTATION_HIGH = 0xFEDCBA98\n"
                          "    SH_OUTMAP_TOTAL { total = 3 }\n"
                          "    SH_OUTMAP_O0 = 0x03020100\n"
                          "    SH_OUTMAP_O1 = 0x0B0A0908\n"
                          "    SH_OUTMAP_O2 = 0x07060504\n"
                          "    START_DRAW_FUNC0 { mode = draw }\n"
                          "    PRIMITIVE_CONFIG { outputs_minus_1 = 2, topology = geometry }\n"
                          "    NUMVERTICES { count = 6 }\n"
                          "    DRAWARRAYS = 1\n"
                          "    FINALIZE = 0x12345678\n"
                          "}\n";

bool unit_build(struct harness_case *test_case, struct unit_input *input)
{
    static const uint16_t raw[] = { PICA_REG_GSH_MISC0, PICA_REG_GSH_MISC1, PICA_REG_GSH_INPUTBUFFER_CONFIG,
                                    PICA_REG_GSH_OUTMAP_MASK };
    if (!unit_shader(test_case, PICA_UNIT_GEOMETRY, input))
        return false;
    for (size_t i = 0; i < sizeof raw / sizeof raw[0]; i++) {
        const uint32_t word = unit_word(input);
        const struct harness_writes writes = { .id = raw[i], .mask = 0xF, .parameters = &word, .count = 1 };
        if (harness_list_insert(test_case, &test_case->operations[0].data.list, 0, &writes) == NULL)
            return false;
    }
    return unit_vertices(test_case, UNIT_SHADER_INPUTS * 3, input);
}
