/* FBF-23: the functions that the alpha, the stencil and the depth test compare with. */
#ifndef FAST_KERNELS_COMPARE_H
#define FAST_KERNELS_COMPARE_H

#include "fast/simd/simd.h"
#include "pica/enums.h"

/*
 * One line for each function. A switch made of it calls the same code with eight constants, so that what is inlined
 * there has no branch on the function any more.
 */
#define COMPARE_FUNCTIONS(LINE) \
    LINE(NEVER)                 \
    LINE(ALWAYS)                \
    LINE(EQUAL)                 \
    LINE(NOT_EQUAL)             \
    LINE(LESS)                  \
    LINE(LESS_EQUAL)            \
    LINE(GREATER)               \
    LINE(GREATER_EQUAL)

/* Of alphas, stencils or depths: both are below 2^31, so signed comparisons do, of which AVX2 has nothing else. */
static inline v_mask compare(enum pica_compare_func function, v_u32 a, v_u32 b)
{
    switch (function) {
    case PICA_COMPARE_FUNC_NEVER: return v_mask_none();
    case PICA_COMPARE_FUNC_ALWAYS: return v_mask_all_lanes();
    case PICA_COMPARE_FUNC_EQUAL: return v_u32_eq(a, b);
    case PICA_COMPARE_FUNC_NOT_EQUAL: return v_u32_ne(a, b);
    case PICA_COMPARE_FUNC_LESS: return v_i32_lt(v_i32_from_u32(a), v_i32_from_u32(b));
    case PICA_COMPARE_FUNC_LESS_EQUAL: return v_i32_le(v_i32_from_u32(a), v_i32_from_u32(b));
    case PICA_COMPARE_FUNC_GREATER: return v_i32_gt(v_i32_from_u32(a), v_i32_from_u32(b));
    case PICA_COMPARE_FUNC_GREATER_EQUAL:
    default: return v_i32_ge(v_i32_from_u32(a), v_i32_from_u32(b));
    }
}

#endif
