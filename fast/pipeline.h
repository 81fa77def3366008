/*
 * Who calls whom on the way of a draw. One flow, three parts:
 *
 *   command/list.c -> vertex/   (spec 10, 20)   final vertices and triangles
 *                  -> tiles/    (spec 30, 60)   clip, set up, cover, framebuffer
 *                  -> draw/     (spec 40, 50)   colour of a fragment
 *
 * All functions are called on the caller's thread.
 */
#ifndef FAST_PIPELINE_H
#define FAST_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pica/backend.h"

struct fast_gpu;
struct fast_kernels;
struct fast_renderer;
struct fast_fragment_state; /* fast/draw/fragment_state.h: what fast/tiles/ needs of the registers */
struct fast_shading_state;  /* fast/draw/shading_state.h: what texturing, lighting, combiner, fog need of them */

/* ----------------------------------------------------------------------------------- the hand-over: final triangles */

enum {
    FAST_LANES = 16,        /* vertices per block */
    FAST_VERTEX_SLOTS = 24, /* SHD-80 */
    FAST_BLOCK_FLOATS = FAST_VERTEX_SLOTS * FAST_LANES,
    FAST_CHUNK_TRIANGLES = 2048 /* maximum for one hand-over; a multiple of FAST_LANES */
};

/* SHD-80: the slots that clipping and interpolation use (the others are not written). */
enum fast_slot {
    FAST_SLOT_POSITION = 0x00,   /* x y z w */
    FAST_SLOT_QUATERNION = 0x04, /* x y z w */
    FAST_SLOT_COLOR = 0x08,      /* r g b a, already limited (SHD-81) */
    FAST_SLOT_TEXCOORD0 = 0x0c,  /* u v */
    FAST_SLOT_TEXCOORD1 = 0x0e,  /* u v */
    FAST_SLOT_TEXCOORD0_W = 0x10,
    FAST_SLOT_VIEW = 0x12,     /* x y z */
    FAST_SLOT_TEXCOORD2 = 0x16 /* u v */
};

/*
 * Consecutive triangles of one batch in emission order (PRM-09). Vertices are a structure of arrays in blocks of 16:
 * slot s of vertex number v is floats[(v / 16) * FAST_BLOCK_FLOATS + s * 16 + v % 16]. A triangle does not name v but
 * `(v / 16) * FAST_BLOCK_FLOATS + v % 16`, so slot s of corner k of triangle i is simply floats[corner[k][i] + 16 * s],
 * for scalar code and gathers alike.
 *
 * corner[k] and flips have room for `count` rounded up to a multiple of 16; the padding names a valid vertex (0), so
 * gathers of whole vectors are safe.
 */
struct fast_triangles {
    const float *floats;       /* aligned to 64 bytes */
    const uint32_t *corner[3]; /* aligned to 64 bytes */
    const uint32_t *flips;     /* PRM-08: bit 1 / bit 2 = negate the quaternion of corner 1 / 2. All 0 if not lit. */
    uint32_t count;            /* 1 .. FAST_CHUNK_TRIANGLES */
    uint32_t blocks;           /* blocks of `floats` that the triangles use; at most FAST_POOL_BLOCKS (assembly.h) */
};

/* Guest bytes [address, address + size), never wrapping: bytes from 2^32 on do not exist. */
struct fast_range {
    uint32_t address;
    uint64_t size;
};

/* FBF-18, FBF-19: the bytes from which indices and attributes of the batch are read, or a superset. */
struct fast_batch_reads {
    uint32_t count;
    struct fast_range ranges[32];
};

/*
 * One batch (FBF-18). Before begin, gpu->draw must be up to date with the registers. Between begin and end, vertices
 * are processed in chunks. If a range of `reads` or a texture overlaps a surface, or the surfaces overlap each other,
 * the batch draws on private copies, so that guest memory does not change before end. Otherwise each chunk may write
 * memory at once.
 * The pointers of `triangles` need to be valid during the call only. A batch may have no triangles at all.
 */
void fast_batch_begin(struct fast_gpu *gpu, const struct fast_batch_reads *reads);
void fast_batch_triangles(struct fast_gpu *gpu, const struct fast_triangles *triangles);
void fast_batch_end(struct fast_gpu *gpu);

/* -------------------------------------------------------------------------------- registers -> canonical draw state */

/*
 * Decodes the registers for the next batches. fast_draw_state_update (draw_state.c) calls it before fast_batch_begin,
 * and only if gpu->raster_dirty or gpu->shading_dirty (which is also set when bytes of a cached texture are written),
 * so the state is kept from batch to batch as long as nothing changes. For that, the bytes that a batch has drawn must
 * be reported to fast_memory_written before the next batch. The raster part is decoded before the shading part
 * (fast_shading_state_decode of shading_state.h); both are in struct fast_draw_state. Events: for a batch that draws
 * (FBF-33) fast_batch_end records those of 30 and 60 and calls fast_shading_events.
 */
void fast_fragment_state_decode(struct fast_gpu *gpu, struct fast_fragment_state *state);

/* --------------------------------------------------------------------------------------- engines beside the 3D core */

/* A CPU write to 0x10400000-0x10400FFF, 0x10202204 or 0x10202A04 (PSC-12); runs whatever the write starts. */
void fast_external_write(struct fast_gpu *gpu, uint32_t address, uint32_t value);

/* The value that a CPU would read from STATUS (EXT-CMD-07); all other registers read as they are stored (PSC-13). */
uint32_t fast_external_status(const struct fast_gpu *gpu);

/* -------------------------------------------------------------------------------------------------------- lifetimes */

/* Called once per instance. `threads` = number of workers besides the caller's thread. */
enum pica_status fast_renderer_create(struct fast_gpu *gpu, uint32_t threads, struct fast_renderer **renderer);
void fast_renderer_destroy(struct fast_renderer *renderer); /* accepts NULL */

void fast_renderer_reset(struct fast_renderer *renderer); /* call when a new case was loaded */
/* The functions of the shading part are in shading_state.h. */

/* cpu.c. FAST_CPU_* are declared in fast/fast.h. */
uint32_t fast_cpu_detect(void);
/*
 * Fills the table: scalar kernels first, which better sets then override. Each kernels/NAME.c is compiled once per
 * instruction set with -DFAST_ISA_NAME=scalar | avx2 | avx512 | neon and defines `void FAST_ISA(fast_fill_NAME)(struct
 * fast_kernels *)`, that is, fast_fill_NAME_scalar and so on. FAST_ISA is defined in fast/simd/simd.h, struct
 * fast_kernels in fast/kernels.h.
 */
void fast_kernels_select(struct fast_kernels *kernels, uint32_t cpu);
void fast_kernels_select_traced(struct fast_kernels *kernels, uint32_t cpu); /* the kernels that report (trace.h) */

#endif
