/*
 * fast: the SIMD, tiled, threaded backend of picafuzz. Bit-exact with the specification, quick enough for an emulator.
 *
 * Options (struct pica_options): `threads` = worker threads beside the caller's, `instruction_sets` = mask of
 * FAST_CPU_*, `capacity` = the most entries of each queue, pool and cache (fast/capacity.h); it makes things slow.
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

/*
 * Guest memory without copies, for an emulator that keeps its VRAM and FCRAM here. The bytes of guest addresses
 * [address, address + size), size 0 counting as 1, for reading and writing between two calls of the instance; NULL if
 * they are not all inside windows that touch (or are one). An address keeps its place until destroy, whatever is
 * loaded; load and restore change the bytes: so hand memory over after load (in `chunks`, or written here and told of).
 */
uint8_t *fast_share_memory(void *instance, uint32_t address, uint32_t size);

/*
 * Rule MEM-08: the caller has written [address, address + size) through fast_share_memory. Call it before the next
 * call of the instance: textures may keep the old bytes of writes not told of, and such writes survive load and are
 * missing in snapshots. Bytes outside windows are ignored. Costs a bit per page, and textures that lie there are
 * decoded again.
 */
void fast_memory_changed(void *instance, uint32_t address, uint32_t size);

/*
 * The canonical state of the last draw that had a triangle, by which its stages were chosen, as a line of names for
 * logs and profiles: "quick shading=stages mode=default texture0=2d,linear lights=1 stages=6 ..."; "quick" and the
 * shading after it are the short ways, open to most of its triangles; "general" takes any state; "nothing" is a state
 * that can change no pixel. Empty after load and restore. Like snprintf: at most `capacity` bytes with the final 0, and
 * returns the length that the whole line has without it. The words may change with a version.
 */
size_t fast_draw_key(const void *instance, char *text, size_t capacity);

/* The instruction sets that this build and this host both have: for tests that mask them off one by one. */
uint32_t fast_host_instruction_sets(void);

#ifdef __cplusplus
}
#endif

#endif
