/* The texture cache: images, identified by what the registers say of them, which are told of writes to their pages. */
#include "fast/draw/texture_cache.h"

#include "fast/draw/shading_decode.h"
#include "fast/gpu.h"
#include "fast/reserve.h"

#include <stdlib.h>
#include <string.h>

/*
 * The arena is reserved once; the host provides its pages as they are used. Whenever more than KEPT_WORDS are in use,
 * the cache is emptied before the next batch. The rest has room for the eight images of one batch (six cube faces, two
 * units), each of at most FAST_IMAGE_WORDS.
 */
enum {
    KEPT_WORDS = 16 << 20,
    ARENA_WORDS = KEPT_WORDS + FAST_BATCH_IMAGES * FAST_IMAGE_WORDS,
    ARENA_BYTES = (ARENA_WORDS + 1) * 4 /* kernels read words in pairs */
};

/* ------------------------------------------------------------------------------------------------------------ cache */

enum pica_status fast_texture_cache_init(struct fast_texture_cache *cache)
{
    cache->arena = fast_reserve(ARENA_BYTES);
    cache->used = 0;
    cache->count = 0;
    return cache->arena != NULL ? PICA_OK : PICA_NO_MEMORY;
}

void fast_texture_cache_release(struct fast_texture_cache *cache)
{
    fast_unreserve(cache->arena, ARENA_BYTES);
    cache->arena = NULL;
}

void fast_texture_cache_reset(struct fast_texture_cache *cache)
{
    cache->used = 0;
    cache->count = 0;
}

void fast_texture_cache_make_room(struct fast_gpu *gpu, struct fast_texture_cache *cache)
{
    if (cache->used <= KEPT_WORDS && cache->count <= gpu->capacity.images)
        return;
    fast_texture_cache_reset(cache);
    memset(gpu->memory.texture_pages, 0, sizeof gpu->memory.texture_pages);
}

static bool same_key(const struct fast_image_key *a, const struct fast_image_key *b)
{
    return a->address == b->address && a->format == b->format && a->width == b->width && a->height == b->height &&
           a->last_level == b->last_level && a->sparse == b->sparse;
}

/* Notes which pages the image's bytes lie in, for fast_memory_written. */
static void mark_pages(struct fast_gpu *gpu, const struct fast_image *image)
{
    for (uint64_t done = 0; done < image->size;) {
        const uint32_t address = image->key.address + (uint32_t)done;
        bool inside;
        const uint64_t extent = fast_memory_extent(gpu, address, image->size - done, &inside);
        if (inside) {
            const uint32_t offset = fast_memory_offset(gpu, address, extent);
            const uint32_t last = (offset + (uint32_t)extent - 1) / PICA_PAGE_SIZE;
            for (uint32_t page = offset / PICA_PAGE_SIZE; page <= last; page++)
                gpu->memory.texture_pages[page / 64] |= (uint64_t)1 << (page % 64);
        }
        done += extent;
    }
}

static struct fast_image *find(struct fast_texture_cache *cache, const struct fast_image_key *key)
{
    for (uint32_t i = 0; i < cache->count; i++)
        if (same_key(&cache->images[i].key, key))
            return &cache->images[i];
    return NULL;
}

static struct fast_image *add(struct fast_gpu *gpu, struct fast_texture_cache *cache, const struct fast_image_key *key)
{
    struct fast_image *image = &cache->images[cache->count++];
    cache->used += fast_image_place(gpu, image, key, cache->arena, cache->used);
    mark_pages(gpu, image);
    return image;
}

/* TEX-14, TEX-30, MEM-05: an image is never stale, because fast_textures_invalidate is told of every write. */
struct fast_image *fast_texture_cache_get(struct fast_gpu *gpu, struct fast_texture_cache *cache,
                                          const struct fast_image_key *key)
{
    struct fast_image *image = find(cache, key);
    return image != NULL ? image : add(gpu, cache, key);
}

void fast_textures_invalidate(struct fast_gpu *gpu, uint32_t address, uint32_t size)
{
    struct fast_texture_cache *cache = &gpu->shading->textures;
    for (uint32_t i = 0; i < cache->count; i++)
        if (fast_image_forget(&cache->images[i], address, size))
            gpu->shading_dirty = true;
}
