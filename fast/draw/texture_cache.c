/* The texture cache: images decoded once, found by their registers, dropped when a page of theirs is written. */
#include "fast/draw/texture_cache.h"

#include "fast/draw/shading_decode.h"
#include "fast/draw/texture_texels.h"
#include "fast/gpu.h"
#include "fast/reserve.h"

#include <stdlib.h>
#include <string.h>

/*
 * The arena is reserved once; the host gives it pages as they are used. Whenever more than KEPT_WORDS are in use, the
 * cache is emptied before the next batch. That leaves room for the eight images of one batch (six cube faces, two
 * units), each of at most 2047x2047 texels and their levels: the sum of (2047 >> l)^2 is 5584227 words.
 */
enum {
    IMAGE_WORDS = 5584227,
    BATCH_IMAGES = FAST_IMAGE_UNITS - 1 + FAST_TEXTURE_FACES,
    KEPT_WORDS = 16 << 20,
    ARENA_WORDS = KEPT_WORDS + BATCH_IMAGES * IMAGE_WORDS,
    ARENA_BYTES = (ARENA_WORDS + 1) * 4, /* kernels read words in pairs */
    SPARSE_FROM_WORDS = 1 << 15          /* smaller images are always dense */
};

/* --------------------------------------------------------------------------------------------------------- geometry */

/* One level of an image. */
struct level {
    uint32_t width, height;
    uint32_t offset;     /* bytes from the image's address (MIP-01) */
    uint32_t tile_bytes; /* bytes of an 8x8 tile */
    uint32_t tile_count; /* highest tile number + 1 (TEX-22) */
};

/* MIP-01. The sizes of all levels before `index` are added up in `offset`. */
static struct level level_of(const struct fast_image_key *key, uint32_t index)
{
    const uint32_t bits = fast_texel_bits(key->format);
    struct level level = { .width = key->width >> index, .height = key->height >> index, .tile_bytes = 8 * bits };
    for (uint32_t k = 0; k < index; k++)
        level.offset += ((key->width >> k) * (key->height >> k) * bits) >> 3;
    level.tile_count = ((level.height - 1) >> 3) * (level.width >> 3) + ((level.width - 1) >> 3) + 1;
    return level;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* TEX-31: bytes of a level from its base on. */
static uint32_t level_end(const struct fast_image_key *key, const struct level *level)
{
    const uint32_t x = smaller(level->width, 8) - 1;
    const uint32_t y = smaller(level->height, 8) - 1;
    const uint32_t bits = fast_texel_bits(key->format);
    if (key->format == PICA_TEXTURE_FORMAT_ETC1 || key->format == PICA_TEXTURE_FORMAT_ETC1A4) {
        const uint32_t block = (x >> 2) + 2 * (y >> 2);
        return (level->tile_count - 1) * level->tile_bytes + (block + 1) * (level->tile_bytes / 4);
    }
    uint32_t morton = 0;
    for (uint32_t bit = 0; bit < 3; bit++)
        morton |= ((x >> bit & 1) << (2 * bit)) | ((y >> bit & 1) << (2 * bit + 1));
    return (((level->tile_count - 1) * 64 + morton + 1) * bits + 7) >> 3;
}

/* TEX-31. */
uint32_t fast_image_size(const struct fast_image_key *key)
{
    uint32_t size = 0;
    for (uint32_t index = 0; index <= key->last_level; index++) {
        const struct level level = level_of(key, index);
        const uint32_t end = level.offset + level_end(key, &level);
        if (end > size)
            size = end;
    }
    return size;
}

/* --------------------------------------------------------------------------------------------------------- decoding */

/* TEX-06: bytes outside the windows are 0. */
static void decode_tile(const struct fast_gpu *gpu, const struct fast_image_key *key, const struct level *level,
                        uint32_t tile, uint32_t out[FAST_TILE_TEXELS])
{
    const uint32_t address = key->address + level->offset + tile * level->tile_bytes;
    const uint8_t *bytes = fast_memory_bytes(gpu, address, level->tile_bytes);
    if (bytes != NULL) {
        fast_texels_decode_tile(key->format, bytes, out);
        return;
    }
    uint8_t copy[FAST_TILE_MAX_BYTES];
    fast_read_bytes(gpu, address, copy, level->tile_bytes);
    fast_texels_decode_tile(key->format, copy, out);
}

/* TEX-21, TEX-22: rows in the order of T, so the last row of memory comes first. */
static void decode_dense(const struct fast_gpu *gpu, const struct fast_image_key *key, const struct level *level,
                         uint32_t *words)
{
    for (uint32_t y = 0; y < level->height; y += 8)
        for (uint32_t x = 0; x < level->width; x += 8) {
            uint32_t texels[FAST_TILE_TEXELS];
            decode_tile(gpu, key, level, (y >> 3) * (level->width >> 3) + (x >> 3), texels);
            const uint32_t rows = smaller(level->height - y, 8);
            const uint32_t columns = smaller(level->width - x, 8);
            for (uint32_t row = 0; row < rows; row++)
                memcpy(words + (size_t)(level->height - 1 - y - row) * level->width + x, texels + 8 * row,
                       columns * sizeof *texels);
        }
}

/*
 * Tiles of a level that have a byte in memory, as ranges [first, first + count) of tile numbers: one range per call,
 * false at the end. `done` counts the bytes that were looked at, `unseen` the tiles; both start at 0. No tile is
 * reported twice.
 */
struct tile_range {
    uint32_t done, unseen;
    uint32_t first, count;
};

static bool next_present_tiles(const struct fast_gpu *gpu, const struct fast_image_key *key, const struct level *level,
                               struct tile_range *at)
{
    const uint32_t address = key->address + level->offset;
    const uint32_t size = level->tile_count * level->tile_bytes;
    while (at->done < size) {
        bool inside;
        const uint32_t extent = (uint32_t)fast_memory_extent(gpu, address + at->done, size - at->done, &inside);
        const uint32_t first = at->done / level->tile_bytes;
        const uint32_t end = (at->done + extent - 1) / level->tile_bytes + 1;
        at->done += extent;
        if (!inside)
            continue;
        at->first = first > at->unseen ? first : at->unseen;
        at->count = end - at->first; /* end > first, and end >= unseen; 0 if an extent of this tile was already seen */
        at->unseen = end;
        return true;
    }
    return false;
}

static uint32_t dense_words(const struct fast_image_key *key)
{
    uint32_t words = 0;
    for (uint32_t index = 0; index <= key->last_level; index++)
        words += (key->width >> index) * (key->height >> index);
    return words;
}

/* The tile of zero bytes, then for each level its table and its tiles. */
static uint32_t sparse_words(const struct fast_gpu *gpu, const struct fast_image_key *key)
{
    uint32_t words = FAST_TILE_TEXELS;
    for (uint32_t index = 0; index <= key->last_level; index++) {
        const struct level level = level_of(key, index);
        words += level.tile_count;
        struct tile_range range = { 0 };
        while (next_present_tiles(gpu, key, &level, &range))
            words += FAST_TILE_TEXELS * range.count;
    }
    return words;
}

bool fast_image_is_better_sparse(const struct fast_gpu *gpu, const struct fast_image_key *key)
{
    const uint32_t dense = dense_words(key);
    return dense >= SPARSE_FROM_WORDS && sparse_words(gpu, key) <= dense / 2;
}

static void decode_sparse(const struct fast_gpu *gpu, struct fast_image *image, uint32_t *words)
{
    static const uint8_t zeros[FAST_TILE_MAX_BYTES] = { 0 };
    const uint32_t empty = image->first;
    uint32_t next = empty + FAST_TILE_TEXELS;
    fast_texels_decode_tile(image->key.format, zeros, words + empty);
    for (uint32_t index = 0; index <= image->key.last_level; index++) {
        const struct level level = level_of(&image->key, index);
        const uint32_t table = next;
        for (uint32_t tile = 0; tile < level.tile_count; tile++)
            words[table + tile] = empty;
        next += level.tile_count;
        struct tile_range range = { 0 };
        while (next_present_tiles(gpu, &image->key, &level, &range))
            for (uint32_t tile = range.first; tile < range.first + range.count; tile++) {
                decode_tile(gpu, &image->key, &level, tile, words + next);
                words[table + tile] = next;
                next += FAST_TILE_TEXELS;
            }
        image->base[index] = table;
    }
}

static void decode_image(const struct fast_gpu *gpu, struct fast_image *image, uint32_t *words)
{
    if (image->key.sparse) {
        decode_sparse(gpu, image, words);
        return;
    }
    uint32_t next = image->first;
    for (uint32_t index = 0; index <= image->key.last_level; index++) {
        const struct level level = level_of(&image->key, index);
        decode_dense(gpu, &image->key, &level, words + next);
        image->base[index] = next;
        next += level.width * level.height;
    }
}

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
    if (cache->used <= KEPT_WORDS && cache->count <= FAST_CACHED_IMAGES - BATCH_IMAGES)
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
    *image = (struct fast_image){ .key = *key, .size = fast_image_size(key), .first = cache->used };
    cache->used += key->sparse ? sparse_words(gpu, key) : dense_words(key);
    mark_pages(gpu, image);
    return image;
}

/* TEX-14, TEX-30, MEM-05: never stale, because fast_textures_invalidate is told of every write. */
const struct fast_image *fast_texture_cache_get(struct fast_gpu *gpu, struct fast_texture_cache *cache,
                                                const struct fast_image_key *key)
{
    struct fast_image *image = find(cache, key);
    if (image == NULL)
        image = add(gpu, cache, key);
    if (!image->fresh) {
        decode_image(gpu, image, cache->arena);
        image->fresh = true;
    }
    return image;
}

void fast_textures_invalidate(struct fast_gpu *gpu, uint32_t address, uint32_t size)
{
    struct fast_texture_cache *cache = &gpu->shading->textures;
    for (uint32_t i = 0; i < cache->count; i++) {
        struct fast_image *image = &cache->images[i];
        const bool meets = image->key.address - address < size || address - image->key.address < image->size;
        if (meets && image->fresh) {
            image->fresh = false;
            gpu->shading_dirty = true;
        }
    }
}
