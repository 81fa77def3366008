/*
 * The depth test and the write of the depth (DPT, EDT), steps 6 and 7 of FBF-21. There is one test: the general way and
 * every quick one call it. Words are those of the depth surface: the depth in the low 24 bits, in D24S8 the stencil
 * byte above it (FBF-14).
 */
#ifndef FAST_KERNELS_DEPTH_TEST_H
#define FAST_KERNELS_DEPTH_TEST_H

#include "fast/kernels/compare.h"

enum {
    DEPTH_BITS = 0x00FFFFFF
};

/* DPT-01, DPT-02: the lanes of `alive` whose depth `value` passes against that of the words. */
static inline v_mask test_depth(enum pica_compare_func function, v_u32 value, v_u32 words, v_mask alive)
{
    return v_mask_and(alive, compare(function, value, v_u32_and(words, v_u32_splat(DEPTH_BITS))));
}

/* DPT-03: the words with the depth `value` in the lanes that passed. */
static inline v_u32 depth_words(v_u32 value, v_u32 words, v_mask passes)
{
    return v_u32_select(passes, v_u32_or(value, v_u32_andnot(words, v_u32_splat(DEPTH_BITS))), words);
}

/* Both on 16 pixels of D24S8 without a stencil test, for the quick way. No test is the function "always". */
static inline v_mask test_and_write_depth(enum pica_compare_func function, bool writes, v_u32 value, uint8_t *pixels,
                                          v_mask alive)
{
    const v_u32 words = v_u32_load_le(pixels);
    alive = test_depth(function, value, words, alive);
    if (writes)
        v_u32_store_le(pixels, depth_words(value, words, alive));
    return alive;
}

#endif
