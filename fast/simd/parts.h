/*
 * The parts of the instruction set that this file is compiled for: part_f32, part_i32, part_u32, part_mask, part_u16,
 * each one register. V_PARTS of them make a vector of V_LANES lanes; V_EACH(statement) runs the statement for each
 * part, with index i. part_X(...) works on one register, parts_X(...) on a whole vector. Only this file asks which set
 * it is.
 */
#ifndef FAST_SIMD_PARTS_H
#define FAST_SIMD_PARTS_H

#if defined(FAST_ISA_SCALAR)
#include "fast/simd/scalar.h"
#elif defined(FAST_ISA_AVX2)
#include "fast/simd/avx2.h"
#elif defined(FAST_ISA_AVX512)
#include "fast/simd/avx512.h"
#elif defined(FAST_ISA_NEON)
#include "fast/simd/neon.h"
#else
#error "define one of FAST_ISA_SCALAR, FAST_ISA_AVX2, FAST_ISA_AVX512, FAST_ISA_NEON"
#endif

#endif
