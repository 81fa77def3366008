/* Textures of guest memory decoded to words, kept from batch to batch until their bytes are written. */
#ifndef FAST_DRAW_TEXTURE_CACHE_H
#define FAST_DRAW_TEXTURE_CACHE_H

#include "fast/draw/shading_state.h"

enum {
    FAST_CACHED_IMAGES = 128
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

struct fast_image {
    struct fast_image_key key;
    uint32_t size;  /* bytes of TEX-31 from key.address */
    bool fresh;     /* the decoded texels are those of memory */
    uint32_t first; /* first word in the arena */
    uint32_t base[FAST_TEXTURE_LEVELS];
};

struct fast_texture_cache {
    uint32_t *arena; /* words */
    uint32_t used;   /* words */
    uint32_t count;
    struct fast_image images[FAST_CACHED_IMAGES];
};

enum pica_status fast_texture_cache_init(struct fast_texture_cache *cache);
void fast_texture_cache_release(struct fast_texture_cache *cache);
void fast_texture_cache_reset(struct fast_texture_cache *cache);

/* Once per decode of a state, before its first image: afterwards there is room for all images of one batch. */
void fast_texture_cache_make_room(struct fast_gpu *gpu, struct fast_texture_cache *cache);

/* Does the sparse layout take less than half of the words? `key->sparse` is not looked at. */
bool fast_image_is_better_sparse(const struct fast_gpu *gpu, const struct fast_image_key *key);

/* The image, decoded. Valid until the next make_room, reset or write to its bytes. */
const struct fast_image *fast_texture_cache_get(struct fast_gpu *gpu, struct fast_texture_cache *cache,
                                                const struct fast_image_key *key);

/* TEX-31: bytes from the image's address that texel reads may touch. */
uint32_t fast_image_size(const struct fast_image_key *key);

#endif
