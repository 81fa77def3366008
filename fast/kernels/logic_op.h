/* Logic operations (LOP), step 9 of FBF-21. The quick way has none but "copy", which takes no work. */
#ifndef FAST_KERNELS_LOGIC_OP_H
#define FAST_KERNELS_LOGIC_OP_H

#include "fast/simd/simd.h"
#include "pica/enums.h"

/* LOP-01 on 8-bit values in 16-bit lanes. */
static inline v_u16 logic_operation(enum pica_logic_op operation, v_u16 s, v_u16 d)
{
    const v_u16 byte = v_u16_splat(255);
    switch (operation) {
    case PICA_LOGIC_OP_CLEAR: return v_u16_splat(0);
    case PICA_LOGIC_OP_AND: return v_u16_and(s, d);
    case PICA_LOGIC_OP_AND_REVERSE: return v_u16_andnot(s, d);
    case PICA_LOGIC_OP_SET: return byte;
    case PICA_LOGIC_OP_COPY_INVERTED: return v_u16_xor(s, byte);
    case PICA_LOGIC_OP_NOOP: return d;
    case PICA_LOGIC_OP_INVERT: return v_u16_xor(d, byte);
    case PICA_LOGIC_OP_NAND: return v_u16_xor(v_u16_and(s, d), byte);
    case PICA_LOGIC_OP_OR: return v_u16_or(s, d);
    case PICA_LOGIC_OP_NOR: return v_u16_xor(v_u16_or(s, d), byte);
    case PICA_LOGIC_OP_XOR: return v_u16_xor(s, d);
    case PICA_LOGIC_OP_EQUIVALENT: return v_u16_xor(v_u16_xor(s, d), byte);
    case PICA_LOGIC_OP_AND_INVERTED: return v_u16_andnot(d, s);
    case PICA_LOGIC_OP_OR_REVERSE: return v_u16_or(s, v_u16_xor(d, byte));
    case PICA_LOGIC_OP_OR_INVERTED:
    case PICA_LOGIC_OP_COPY: /* needs no operation: write_color of block.c */
    default: return v_u16_or(v_u16_xor(s, byte), d);
    }
}

#endif
