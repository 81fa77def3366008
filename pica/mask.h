/* CMD-05: the byte mask of a command. */
#ifndef PICA_MASK_H
#define PICA_MASK_H

#include <stdint.h>

/* The bits of a word that a mask lets through; bit i of the mask stands for byte i. */
static inline uint32_t pica_mask_bits(uint32_t mask)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 4; i++)
        bits |= (mask >> i & 1u) * (0xFFu << 8u * i);
    return bits;
}

#endif
