/* The usual values, and what a limit makes of them. */
#include "fast/capacity.h"

#include "fast/draw/texture_cache.h"
#include "fast/pipeline.h"
#include "fast/tiles/renderer.h"
#include "fast/vertex/assembly.h"
#include "fast/vertex/fetch.h"

enum {
    LEAST_REGION_SHIFT = 3 /* a bin is at least one tile of 8x8 pixels, whose bytes no other bin has */
};

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static const struct fast_capacity usual = {
    .group = FAST_FETCH_GROUP,
    .vertices = FAST_POOL_VERTICES - FAST_LANES,
    .triangles = FAST_CHUNK_TRIANGLES,
    .index_cache = FAST_INDEX_CACHE,
    .geometry_vertices = FAST_FILE_LANES,
    .programs = FAST_PROGRAM_SLOTS,
    .plan_vertices = FAST_FILE_LANES,
    .record_vertices = 256, /* recording and building a plan takes some microseconds */
    .slice_triangles = 512, /* their vertices fit the pool, and if clipping makes twice as many, they fit the bins */

    .images = FAST_CACHED_IMAGES - FAST_BATCH_IMAGES,
    .whole_words = 1 << 10, /* decoding fewer is always cheap enough */
    .pixel_words = 16,      /* to decode them costs about as much as to look up the texels of a pixel one by one */
    .sparse_words = 1 << 15,

    .region_shift = FAST_REGION_SHIFT,
    .binned_triangles = FAST_BINNED_TRIANGLES,
    .bin_chunks = FAST_BIN_CHUNKS - FAST_REGIONS,
    .chunk_triangles = FAST_BIN_CHUNK_TRIANGLES,
    .blocks = FAST_BLOCK_ITEMS - FAST_REGION_BLOCKS,
    .small_blocks = FAST_BLOCK_ITEMS - FAST_SMALL_BLOCKS,
    .units_awake = 4096,
    .units_asleep = 49152, /* some 50 microseconds, because waking takes tens of them */
};

static uint32_t log2_floor(uint32_t value)
{
    uint32_t result = 0;
    while (value >> 1 >> result != 0u)
        result++;
    return result;
}

/*
 * A part of another one (a group of a chunk, a link of a bin) gets a quarter of the limit; otherwise it would never be
 * full before the whole is. What a draw pays for in advance (plans, slices) also has a quarter: most draws of a fuzzer
 * have only a handful of vertices.
 */
struct fast_capacity fast_capacity_of(uint32_t limit)
{
    if (limit == 0u)
        return usual;
    const uint32_t quarter = greater(limit / 4u, 1u);
    return (struct fast_capacity){
        .group = lesser(usual.group, quarter),
        .vertices = lesser(usual.vertices, limit),
        .triangles = lesser(usual.triangles, limit),
        .index_cache = lesser(usual.index_cache, 1u << log2_floor(limit)),
        .geometry_vertices = lesser(usual.geometry_vertices, limit),
        .programs = lesser(usual.programs, limit),
        .plan_vertices = lesser(usual.plan_vertices, quarter),
        .record_vertices = lesser(usual.record_vertices, quarter),
        .slice_triangles = lesser(usual.slice_triangles, quarter),
        .images = lesser(usual.images, limit),
        .whole_words = lesser(usual.whole_words, limit),
        .pixel_words = lesser(usual.pixel_words, quarter),
        .sparse_words = lesser(usual.sparse_words, limit),
        .region_shift = lesser(usual.region_shift, greater(log2_floor(limit), LEAST_REGION_SHIFT)),
        .binned_triangles = lesser(usual.binned_triangles, limit),
        .bin_chunks = lesser(usual.bin_chunks, limit),
        .chunk_triangles = lesser(usual.chunk_triangles, quarter),
        .blocks = lesser(usual.blocks, limit - 1u),
        .small_blocks = lesser(usual.small_blocks, limit - 1u),
        .units_awake = lesser(usual.units_awake, limit),
        .units_asleep = lesser(usual.units_asleep, limit),
    };
}
