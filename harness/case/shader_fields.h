/* Small views of operand descriptors and relative registers that both directions of the shader text need. */
#ifndef HARNESS_SHADER_FIELDS_H
#define HARNESS_SHADER_FIELDS_H

#include "pica/fields.h"

#include <stdbool.h>
#include <stdint.h>

/* Selectors are 8 bits: x at 7:6, y 5:4, z 3:2, w 1:0, as they lie in the descriptor (SHD-21). */
enum {
    HARNESS_IDENTITY_SELECTORS = 0x1B
};

static inline uint32_t harness_opdesc_mask(uint32_t word)
{
    return pica_bits(word, 0, 4); /* dest_w .. dest_x */
}

/* Bit position of source 1-3's negate bit; its selectors follow. */
static inline uint32_t harness_opdesc_source_low(uint32_t source)
{
    return 4u + 9u * (source - 1u);
}

static inline bool harness_opdesc_negate(uint32_t word, uint32_t source)
{
    return pica_bits(word, harness_opdesc_source_low(source), 1) != 0;
}

static inline uint32_t harness_opdesc_selectors(uint32_t word, uint32_t source)
{
    return pica_bits(word, harness_opdesc_source_low(source) + 1u, 8);
}

static inline const char *harness_relative_text(uint32_t relative)
{
    return relative == PICA_SHADER_RELATIVE_A0_X ? "a0.x" : relative == PICA_SHADER_RELATIVE_A0_Y ? "a0.y" : "aL";
}

#endif
