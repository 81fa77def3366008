/*
 * fast: the SIMD, tiled, threaded backend of picafuzz. Bit-exact with the specification, quick enough for an emulator.
 *
 * Options (struct pica_options): `threads` = worker threads beside the caller's, `instruction_sets` = mask of
 * FAST_CPU_*.
 */
#ifndef FAST_FAST_H
#define FAST_FAST_H

#include "pica/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of pica_options.instruction_sets. What the host or the build lacks is ignored; 0 = scalar kernels only. */
enum {
    FAST_CPU_AVX2 = 1 << 0,
    FAST_CPU_AVX512 = 1 << 1,
    FAST_CPU_NEON = 1 << 2
};

const struct pica_backend *fast_backend(void);

/* The instruction sets that this build and this host both have: for tests that mask them off one by one. */
uint32_t fast_host_instruction_sets(void);

#ifdef __cplusplus
}
#endif

#endif
