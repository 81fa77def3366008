/*
 * The vector vocabulary of the kernels. Every vector has 16 lanes on every instruction set, so a kernel handles the 16
 * pixels of a 4x4 block without loops over lanes or remainders. Intrinsics are used in fast/simd/ and nowhere else.
 *
 * A file that includes this header is compiled once per instruction set, with one of the macros FAST_ISA_SCALAR,
 * FAST_ISA_AVX2, FAST_ISA_AVX512, FAST_ISA_NEON defined by the build; FAST_ISA(name) is then the name with a suffix.
 *
 * Reading order: lanes.h, u16.h and memory.h are the vocabulary, the same for all sets. scalar.h, avx2.h, avx512.h and
 * neon.h define one register ("part") of their set and the operations on it; V_LIFT1..3 turn such an operation into one
 * on 16 lanes. Operations that a set performs on whole vectors (parts_...) are there, too; avx.h, by_lane.h and
 * little_endian.h have what several sets share.
 *
 * Arithmetic. GEN-01, ITP-01: each f32 operation is one IEEE operation, nothing is fused, subnormals are kept. A NaN
 * result may have any sign and payload (GEN-02). Integer operations wrap. Lanes that are switched off may hold
 * anything: no operation has undefined behaviour for any input.
 */
#ifndef FAST_SIMD_SIMD_H
#define FAST_SIMD_SIMD_H

#include "fast/simd/lanes.h"
#include "fast/simd/memory.h"
#include "fast/simd/u16.h"

/*
 * Every set is compiled a second time with FAST_TRACED, for traced draws (fast/trace.h); hooks test the constant
 * FAST_TRACING.
 */
#if defined(FAST_TRACED)
#define FAST_ISA_TRACED(name)   name##_traced
#define FAST_ISA_EXPANDED(name) FAST_ISA_TRACED(name)
#define FAST_ISA(name)          FAST_ISA_EXPANDED(FAST_ISA_SUFFIXED(name))
enum {
    FAST_TRACING = 1
};
#else
#define FAST_ISA(name) FAST_ISA_SUFFIXED(name)
enum {
    FAST_TRACING = 0
};
#endif

#endif
