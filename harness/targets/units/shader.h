/*
 * The inputs of the two shader targets. All is little-endian:
 *
 *     byte 0       instructions, at most 127        byte 1   operand descriptors, at most 31
 *     byte 2       float uniforms, at most 23       byte 3   bit 7: profile f24
 *     4 bytes      boolean uniforms, entry point (16 bits each)
 *     16 bytes     integer uniforms i0 to i3
 *     then the words of the instructions, of the descriptors, of the uniforms (binary32: x, y, z, w)
 *
 * What is missing at the end is 0. What a target reads after that is its own.
 */
#ifndef HARNESS_TARGETS_SHADER_H
#define HARNESS_TARGETS_SHADER_H

#include "harness/case/text.h"
#include "harness/targets/units/unit.h"

enum {
    UNIT_SHADER_INPUTS = 32 /* words of vertices: two of four attributes */
};

/* Takes the shader of `unit` (PICA_UNIT_VERTEX or PICA_UNIT_GEOMETRY) out of the input, into the initial state. */
bool unit_shader(struct harness_case *test_case, uint32_t unit, struct unit_input *input);

/* The rest of the input as vertices, at 0x18000000: UNIT_SHADER_INPUTS words for each eight attributes. */
bool unit_vertices(struct harness_case *test_case, uint32_t words, struct unit_input *input);

/* Appends the input that is this shader, without vertices: for seeds. */
void unit_shader_write(const struct pica_shader_unit *shader, uint32_t entry, struct harness_text *out);

#endif
