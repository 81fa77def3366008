/*
 * fast: the SIMD, tiled, multi-threaded backend of picafuzz. It is bit-exact with the specification and fast enough for
 * an emulator.
 *
 * Options (struct pica_options): `threads` = worker threads besides the caller's; `instruction_sets` = mask of
 * FAST_CPU_*; `capacity` = upper limit for the entries of every queue, pool and cache (fast/capacity.h); a low limit
 * makes the backend slow, but changes no result.
 */
#ifndef FAST_FAST_H
#define FAST_FAST_H

#include "pica/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of pica_options.instruction_sets. Sets that the host or the build lacks are ignored; 0 = scalar kernels only. */
enum {
    FAST_CPU_AVX2 = 1 << 0,
    FAST_CPU_AVX512 = 1 << 1,
    FAST_CPU_NEON = 1 << 2
};

const struct pica_backend *fast_backend(void);

/*
 * Direct access to guest memory, for an emulator that keeps its VRAM and FCRAM here instead of copying them. Returns a
 * host pointer to guest bytes [address, address + size), where size 0 counts as 1; NULL if they are not all inside one
 * window or windows that touch. The caller may read and write the bytes between two calls of the instance, which owns
 * them. A guest address keeps its host address until destroy, whatever is loaded. But load and restore change the
 * bytes, so fill memory after load: with `chunks`, or by writing here and calling fast_memory_changed.
 */
uint8_t *fast_share_memory(void *instance, uint32_t address, uint32_t size);

/*
 * Rule MEM-08: tells the instance that the caller has written [address, address + size) through fast_share_memory. Call
 * it before the next call of the instance. Otherwise textures may show the old bytes, and the new ones survive load and
 * are missing from snapshots. Bytes outside windows are ignored. Sets a bit per page, and has textures that lie there
 * decoded again.
 */
void fast_memory_changed(void *instance, uint32_t address, uint32_t size);

/*
 * Writes the canonical draw state of the last draw that had a triangle, which decides the code paths it took, as a line
 * of names for logs and profiles: "quick shading=stages mode=default texture0=2d,linear lights=1 stages=6 ...". "quick"
 * and the shading after it name the fast paths that most of its triangles may take; "general" handles any state;
 * "nothing" is a state that can change no pixel. The line is empty after load and restore. Like snprintf: writes at
 * most `capacity` bytes including the final 0, and returns the length of the whole line without the final 0. The words
 * may change between versions.
 */
size_t fast_draw_key(const void *instance, char *text, size_t capacity);

/* The state as read_state gives it (pica/state.h), without a copy, for whoever compares it often. It belongs to the
 * instance, and stays valid until its next call. `zeros` (pica/state.h): blocks of it that are known to hold nothing
 * but 0. Always PICA_OK. */
struct pica_state_blocks;
enum pica_status fast_view_state(void *instance, const struct pica_state **state, struct pica_state_blocks *zeros);

/* The instruction sets that both this build and this host have, for tests that disable them one by one. */
uint32_t fast_host_instruction_sets(void);

#ifdef __cplusplus
}
#endif

#endif
