/*
 * The stencil test and its write (STC), steps 5 and 8 of FBF-21. Draws that have one take the general way. A stencil
 * byte is in the low bits of its lane, but at the top of a word of a D24S8 surface (FBF-14).
 */
#ifndef FAST_KERNELS_STENCIL_TEST_H
#define FAST_KERNELS_STENCIL_TEST_H

#include "fast/draw/fragment_state.h"
#include "fast/kernels/compare.h"

/* STC-03 */
static inline v_mask test_stencil(const struct fast_stencil_state *stencil, v_u32 old, v_mask alive)
{
    const v_u32 reference = v_u32_splat(stencil->reference & stencil->compare_mask);
    const v_u32 masked = v_u32_and(old, v_u32_splat(stencil->compare_mask));
    return v_mask_and(alive, compare(stencil->function, reference, masked));
}

/* STC-04 */
static inline v_u32 stencil_result(enum pica_stencil_op operation, v_u32 old, uint32_t reference)
{
    const v_u32 one = v_u32_splat(1);
    const v_u32 byte = v_u32_splat(255);
    switch (operation) {
    case PICA_STENCIL_OP_KEEP: return old;
    case PICA_STENCIL_OP_ZERO: return v_u32_splat(0);
    case PICA_STENCIL_OP_REPLACE: return v_u32_splat(reference);
    case PICA_STENCIL_OP_INCREMENT: return v_u32_add(v_u32_min(old, v_u32_splat(254)), one);
    case PICA_STENCIL_OP_DECREMENT: return v_u32_sub(v_u32_max(old, one), one);
    case PICA_STENCIL_OP_INVERT: return v_u32_sub(byte, old);
    case PICA_STENCIL_OP_INCREMENT_WRAP: return v_u32_and(v_u32_add(old, one), byte);
    case PICA_STENCIL_OP_DECREMENT_WRAP:
    default: return v_u32_and(v_u32_sub(old, one), byte);
    }
}

/*
 * The lanes that were tested, those of them that passed the stencil test, and those that passed the depth test too.
 */
struct stencil_outcome {
    v_mask tested, stencil, depth;
};

/* STC-05, STC-06: the words of the surface with the new stencil bytes. */
static inline v_u32 stencil_words(const struct fast_stencil_state *stencil, const struct stencil_outcome *outcome,
                                  v_u32 old, v_u32 words)
{
    const v_u32 failed = stencil_result(stencil->stencil_fail, old, stencil->reference);
    const v_u32 behind = stencil_result(stencil->depth_fail, old, stencil->reference);
    const v_u32 passed = stencil_result(stencil->pass, old, stencil->reference);
    const v_u32 result = v_u32_select(outcome->depth, passed, v_u32_select(outcome->stencil, behind, failed));
    const v_u32 bits = v_u32_splat(stencil->write_mask << 24);
    const v_u32 merged = v_u32_or(v_u32_and(v_u32_shl(result, 24), bits), v_u32_andnot(words, bits));
    return v_u32_select(outcome->tested, merged, words);
}

#endif
