/* The running batch and its two surfaces; for the files of the framebuffer and the stages of a fragment. */
#ifndef REFERENCE_FRAMEBUFFER_H
#define REFERENCE_FRAMEBUFFER_H

#include "reference/gpu.h"
#include "reference/shading.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    REF_BLOCK_BYTES = 64,                                  /* surfaces begin at multiples of it (FBF-02) */
    REF_SURFACE_BYTES = 2048 * 1024 * 4 + REF_BLOCK_BYTES, /* largest extent: FBF-04, FBF-05, FBF-09, and `first` */
    REF_SURFACE_BLOCKS = REF_SURFACE_BYTES / REF_BLOCK_BYTES
};

/* What a batch knows of one block of a surface. */
enum ref_block_state {
    REF_BLOCK_UNTOUCHED, /* not copied from memory yet */
    REF_BLOCK_INSIDE,    /* copied, in memory */
    REF_BLOCK_OUTSIDE    /* in no window: its bytes stay 0 (FBF-01) */
};

/* FBF-18: the private copy of the colour buffer C or of the depth buffer Z. The arrays are allocated once, for the
 * largest surface that registers can describe. */
struct ref_surface {
    uint32_t address;  /* a multiple of 64 */
    uint32_t first;    /* bytes from there to the first pixel (FBF-02); 0 except on the other side */
    uint32_t size;     /* bytes of the extent, FBF-19, and `first`; 0: empty */
    uint8_t *start;    /* the bytes as they were when the batch began */
    uint8_t *now;      /* the bytes after the fragments so far */
    uint8_t *states;   /* enum ref_block_state of each block */
    uint32_t *touched; /* numbers of the blocks that are not untouched */
    uint32_t touched_count;
};

/* What is done with the colour that is stored already; decoded by blend.c. */
struct ref_blending {
    bool is_blend; /* else a logic operation (BLD-05) */
    enum pica_blend_factor rgb_source, rgb_dest, alpha_source, alpha_dest;
    enum pica_blend_equation rgb_equation, alpha_equation;
    uint32_t before_division; /* BLD-02: 0; on its other side 127, so that the division rounds */
    uint8_t constant[4];
    enum pica_logic_op logic_op;
};

/* One batch (FBF-18). Between ref_batch_end and ref_batch_begin no result depends on it. */
struct ref_batch {
    enum pica_fragment_mode mode;
    uint32_t width, height; /* FBF-04: W, H in pixels */
    uint32_t pitch;         /* FBF-05: Wt */
    bool block32;           /* FBF-08 */
    bool top_row_first;     /* FBF-06 */
    bool color_read, color_write, depth_read, depth_write;
    bool stencil_write;          /* FBF-28 */
    bool dest_is_seen;           /* FBF-15 */
    bool forgets_masked_color;   /* FBF-29, other side: masked bits are seen as 0 */
    uint32_t seen_depth;         /* FBF-16, FBF-28: these bits of a stored depth pixel, or none */
    uint32_t seen_stencil;       /* FBF-16, FBF-28 */
    uint32_t kept_stencil;       /* STC-05 */
    bool color_used, depth_used; /* CU and DU of section 11 of file 60 */
    enum pica_color_format color_format;
    enum pica_depth_format depth_format;
    uint32_t color_bytes, depth_bytes; /* of one pixel */
    struct ref_surface color, depth;
    bool has_written;    /* the fragment being processed wrote to a surface */
    bool events_decided; /* FBF-33 */
    bool state_decoded;
    struct ref_shading shading;
    struct ref_blending blending;
    uint32_t writable_bits; /* FBF-17: of a stored colour pixel */
};

/* One pixel of the depth buffer. */
struct ref_depth_pixel {
    uint32_t offset;         /* bytes into the surface */
    uint32_t depth;          /* zold of DPT-01, as the tests see it */
    uint32_t stencil;        /* "old" of STC-03 and STC-04, as the tests see it */
    uint32_t stored_stencil; /* m of STC-05: the real byte, even with READ off */
};

/* One pixel of the colour buffer. */
struct ref_color_pixel {
    uint32_t offset; /* bytes into the surface */
    uint32_t bits;   /* as stored */
    uint8_t dest[4]; /* D of BLD-01: R G B A as blending sees them */
};

/* -------------------------------------------------------------------------------- surfaces (framebuffer_surface.c) */

bool ref_surface_create(struct ref_surface *surface); /* false: no host memory */
void ref_surface_destroy(struct ref_surface *surface);

/* FBF-18: stores the changes of a batch and forgets the copy. */
void ref_surface_store(struct ref_gpu *gpu, struct ref_surface *surface);

/* FBF-18: copies a block from memory. */
void ref_surface_copy(const struct ref_gpu *gpu, struct ref_surface *surface, uint32_t block);

/* FBF-18: the copies of the blocks of bytes offset .. offset + count - 1; count is 1 .. 4. */
static inline void ref_surface_touch(const struct ref_gpu *gpu, struct ref_surface *surface, uint32_t offset,
                                     uint32_t count)
{
    const uint32_t first = offset / REF_BLOCK_BYTES;
    const uint32_t last = (offset + count - 1u) / REF_BLOCK_BYTES; /* a second block only for pixels of three bytes */
    assert(offset + count <= surface->size);
    if (surface->states[first] == REF_BLOCK_UNTOUCHED)
        ref_surface_copy(gpu, surface, first);
    if (first != last && surface->states[last] == REF_BLOCK_UNTOUCHED)
        ref_surface_copy(gpu, surface, last);
}

/* `count` bytes of a surface as a little-endian number. */
static inline uint32_t ref_surface_read(const struct ref_gpu *gpu, struct ref_surface *surface, uint32_t offset,
                                        uint32_t count)
{
    ref_surface_touch(gpu, surface, offset, count);
    return ref_load_little_endian(surface->now + offset, count);
}

/* FBF-01: writes those of the bytes that are in memory. */
void ref_surface_write_inside(struct ref_surface *surface, uint32_t offset, uint32_t count, uint32_t value);

/* Writes the `count` lower bytes of `value`. The batch must have read this pixel before, so its blocks are copied. */
static inline void ref_surface_write(struct ref_gpu *gpu, struct ref_surface *surface, uint32_t offset, uint32_t count,
                                     uint32_t value)
{
    const uint32_t first = offset / REF_BLOCK_BYTES;
    const uint32_t last = (offset + count - 1u) / REF_BLOCK_BYTES;
    assert(surface->states[first] != REF_BLOCK_UNTOUCHED && surface->states[last] != REF_BLOCK_UNTOUCHED);
    gpu->batch->has_written = true;
    if (surface->states[first] == REF_BLOCK_INSIDE && surface->states[last] == REF_BLOCK_INSIDE)
        ref_store_little_endian(surface->now + offset, count, value);
    else
        ref_surface_write_inside(surface, offset, count, value);
}

/* -------------------------------------------------------------------------------------- addressing (framebuffer.c) */

/* FBF-06..08: the number of the pixel at screen position (x, y), 0 <= x < W, 0 <= y < H, in either surface. */
uint32_t ref_pixel_index(const struct ref_batch *batch, uint32_t x, uint32_t y);

/* FBF-07, FBF-08: the number of the pixel in column x of memory row y; also the tiles of the transfer engine. */
uint32_t ref_tiled_index(uint32_t x, uint32_t y, uint32_t pitch, bool block32);

/* ---------------------------------------------------------------------------------- formats (framebuffer_format.c) */

/* FBF-09, FBF-14: bytes of one pixel. */
uint32_t ref_color_bytes(enum pica_color_format format);
uint32_t ref_depth_bytes(enum pica_depth_format format);

/* FBF-10, FBF-11: between stored bits and the bytes r, g, b, a. A reserved format packs to 0 and is not expanded. */
void ref_color_expand(enum pica_color_format format, uint32_t bits, uint8_t rgba[4]);
uint32_t ref_color_pack(enum pica_color_format format, const uint8_t rgba[4]);

/* ----------------------------------------------------------- one pixel of a surface, by its number (framebuffer.c) */

/* FBF-14, FBF-16: a pixel with READ off, or of the reserved format, is seen as 0. */
static inline struct ref_depth_pixel ref_depth_pixel_load(const struct ref_gpu *gpu, uint32_t index)
{
    struct ref_batch *batch = gpu->batch;
    struct ref_depth_pixel pixel = { batch->depth.first + index * batch->depth_bytes, 0, 0, 0 };
    if (!batch->depth_used || batch->depth_format == PICA_DEPTH_FORMAT_RESERVED_1)
        return pixel;
    const uint32_t bits = ref_surface_read(gpu, &batch->depth, pixel.offset, batch->depth_bytes);
    pixel.depth = bits & batch->seen_depth;
    pixel.stencil = (bits & batch->seen_stencil) >> 24;
    pixel.stored_stencil = (bits & batch->kept_stencil) >> 24;
    return pixel;
}

/* FBF-10; FBF-15: with READ off it is seen as 0, 0, 0, 0. */
static inline void ref_color_pixel_load(const struct ref_gpu *gpu, uint32_t index, struct ref_color_pixel *pixel)
{
    struct ref_batch *batch = gpu->batch;
    pixel->offset = batch->color.first + index * batch->color_bytes;
    pixel->bits = ref_surface_read(gpu, &batch->color, pixel->offset, batch->color_bytes);
    if (batch->dest_is_seen) {
        ref_color_expand(batch->color_format, pixel->bits, pixel->dest);
        return;
    }
    memset(pixel->dest, 0, 4);
    if (batch->forgets_masked_color)
        pixel->bits = 0;
}

void ref_color_pixel_write(struct ref_gpu *gpu, const struct ref_color_pixel *pixel, const uint8_t color[4]);
uint32_t ref_writable_bits(enum pica_color_format format, uint32_t word);

/* ----------------------------------------------------------------------------------- batches (framebuffer_batch.c) */

/* Decodes `shading` and `blending` if this batch has not done so: the first triangle with pixels to visit does. */
void ref_batch_decode(struct ref_gpu *gpu);

/* FBF-33: tells the running batch that a fan triangle with A != 0 is kept; the first one decides the batch events. */
void ref_batch_triangle_kept(struct ref_gpu *gpu);

#endif
