/*
 * An image: a texture in guest memory with all its levels, decoded to words tile by tile as texels are needed. For a
 * draw of many pixels the whole image is decoded first; for one of few pixels texels are looked up one by one, and only
 * the tiles that are read are decoded. So no draw costs more than its pixels justify, however large its textures are
 * and however much of them was overwritten since the last draw.
 */
#ifndef FAST_DRAW_TEXTURE_IMAGE_H
#define FAST_DRAW_TEXTURE_IMAGE_H

#include "fast/draw/shading_state.h"

enum {
    /* The most words that an image can take: 2047x2047 texels, the other levels, and a bit for each tile. */
    FAST_IMAGE_WORDS = 5584227 + 2735
};

/* What the decoded texels depend on, besides memory: one image, with levels 0 .. last_level. */
struct fast_image_key {
    uint32_t address;
    uint32_t format;     /* 0-13 */
    uint32_t width;      /* 1-2047 */
    uint32_t height;     /* 1-2047 */
    uint32_t last_level; /* at most floor(log2(min(width, height))) */
    bool sparse;         /* the layout: struct fast_texture_unit */
};

/*
 * One level. A square is an 8x8 part of the picture; squares are numbered row by row as in memory. If the width is not
 * a multiple of 8, squares of the last column use the same tile as another square (TEX-22).
 */
struct fast_image_level {
    uint32_t width, height;
    uint32_t offset;          /* bytes from the image's address (MIP-01) */
    uint32_t tile_bytes;      /* bytes of an 8x8 tile */
    uint32_t tile_count;      /* highest tile number + 1 (TEX-22) */
    uint32_t columns, rows;   /* squares */
    uint32_t decoded;         /* word of the arena: bit n there tells whether square n is decoded */
    uint32_t base;            /* word of the arena: struct fast_texture_unit */
    uint32_t first_tile_word; /* sparse: word of the arena where the first tile is that has a byte in memory */
};

struct fast_image {
    struct fast_image_key key;
    uint32_t *arena;
    uint32_t size;          /* bytes of TEX-31 from key.address */
    uint32_t empty;         /* sparse: word of the arena where the tile of zero bytes is */
    uint32_t words;         /* texels of the layout: what decoding all of them costs */
    uint32_t square_count;  /* of all levels */
    uint32_t decoded_count; /* squares */
    uint64_t pixels;        /* pixels of the boxes of triangles drawn since the image was last complete */
    struct fast_image_level levels[FAST_TEXTURE_LEVELS];
};

/* Does the sparse layout take less than half of the words of the dense one? `key->sparse` is ignored. */
bool fast_image_is_better_sparse(const struct fast_gpu *gpu, const struct fast_image_key *key);

/* TEX-31: bytes from the image's address that texel reads may touch. */
uint32_t fast_image_size(const struct fast_image_key *key);

/* Initialises `image`, with nothing decoded yet. Returns how many words of the arena it takes, from `first` on. */
uint32_t fast_image_place(const struct fast_gpu *gpu, struct fast_image *image, const struct fast_image_key *key,
                          uint32_t *arena, uint32_t first);

static inline bool fast_image_is_complete(const struct fast_image *image)
{
    return image->decoded_count == image->square_count;
}

/*
 * Call when the bytes [address, address + size) were written. Returns whether parts of the image may have to be decoded
 * again.
 */
bool fast_image_forget(struct fast_image *image, uint32_t address, uint32_t size);

/*
 * Call on one thread before `pixels` pixels are drawn: completely decodes the images for which that pays, and sets
 * `lazy` for the units that have others. Returns whether there are such units; then one thread must draw, on the
 * general way.
 */
bool fast_images_prepare(struct fast_shading_state *state, uint64_t pixels);

#endif
