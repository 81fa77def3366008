/*
 * The property: the vertex shader unit alone. An input is a program with its uniforms and two vertices of four
 * attributes (shader.h). What it puts out stays in the primitive assembler, in binary32: no pixel is drawn.
 */
#include "harness/targets/units/shader.h"

const char unit_frame[] = "pcase 1\n"
                          "window 0x18000000 size 0x2000\n"
                          "run 0x18001000 {\n"
                          "    ATTRIBBUFFERS_LOC { base = 0x18000000 }\n"
                          "    ATTRIBBUFFERS_FORMAT_LOW = 0xFFFF\n" /* four attributes of four floats */
                          "    ATTRIBBUFFERS_FORMAT_HIGH { attributes_minus_1 = 3 }\n"
                          "    ATTRIBBUFFER0_CONFIG1 = 0x3210\n"
                          "    ATTRIBBUFFER0_CONFIG2 { stride = 64, count = 4 }\n"
                          "    VSH_NUM_ATTR { attributes_minus_1 = 3 }\n"
                          "    VSH_INPUTBUFFER_CONFIG { inputs_minus_1 = 3, unit_use = 0xA0 }\n"
                          "    VSH_ATTRIBUTES_PERMUTATION_LOW = 0x3210\n"
                          "    VSH_OUTMAP_MASK { outputs = 0x3F }\n"
                          "    PRIMITIVE_CONFIG { outputs_minus_1 = 5 }\n"
                          "    SH_OUTMAP_TOTAL { total = 6 }\n" /* every component has a slot of its own */
                          "    SH_OUTMAP_O0 = 0x03020100\n"
                          "    SH_OUTMAP_O1 = 0x07060504\n"
                          "    SH_OUTMAP_O2 = 0x0B0A0908\n"
                          "    SH_OUTMAP_O3 = 0x0F0E0D0C\n"
                          "    SH_OUTMAP_O4 = 0x13121110\n"
                          "    SH_OUTMAP_O5 = 0x17161514\n"
                          "    START_DRAW_FUNC0 { mode = draw }\n"
                          "    RESTART_PRIMITIVE = 1\n"
                          "    NUMVERTICES { count = 2 }\n"
                          "    DRAWARRAYS = 1\n"
                          "    FINALIZE = 0x12345678\n"
                          "}\n";

bool unit_build(struct harness_case *test_case, struct unit_input *input)
{
    return unit_shader(test_case, PICA_UNIT_VERTEX, input) && unit_vertices(test_case, UNIT_SHADER_INPUTS, input);
}
