/*
 * Images of guest memory, decoded to words and kept from batch to batch; tiles whose bytes are written are decoded
 * again.
 */
#ifndef FAST_DRAW_TEXTURE_CACHE_H
#define FAST_DRAW_TEXTURE_CACHE_H

#include "fast/draw/shading_state.h"
#include "fast/draw/texture_image.h"

enum {
    FAST_CACHED_IMAGES = 128,
    FAST_BATCH_IMAGES = FAST_IMAGE_UNITS - 1 + FAST_TEXTURE_FACES /* most images of one batch */
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

/* Call once per decoded state, before its first image: afterwards there is room for all images of one batch. */
void fast_texture_cache_make_room(struct fast_gpu *gpu, struct fast_texture_cache *cache);

/*
 * Returns the image, which need not be completely decoded (texture_image.h). Valid until the next make_room or reset.
 */
struct fast_image *fast_texture_cache_get(struct fast_gpu *gpu, struct fast_texture_cache *cache,
                                          const struct fast_image_key *key);

#endif
