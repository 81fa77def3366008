/* Triangles sorted by region of the framebuffer, in submission order, until they are drawn. */
#include "fast/draw_state.h"
#include "fast/gpu.h"
#include "fast/renderer.h"

/* Fewer pixels than this are drawn on the caller's thread alone: waking workers would cost more. */
enum {
    PIXELS_WORTH_WORKERS = 4096
};

void fast_bins_begin(struct fast_renderer *renderer)
{
    renderer->regions_per_row = (renderer->job.raster->pitch + FAST_REGION_SIZE - 1u) >> FAST_REGION_SHIFT;
}

static uint32_t new_chunk(struct fast_renderer *renderer)
{
    assert(renderer->chunk_count < FAST_BIN_CHUNKS);
    struct fast_bin_chunk *chunk = &renderer->chunks[renderer->chunk_count];
    chunk->next = FAST_BIN_CHUNKS;
    chunk->count = 0;
    return renderer->chunk_count++;
}

static void add_to_bin(struct fast_renderer *renderer, uint32_t region, uint32_t triangle)
{
    struct fast_bin *bin = &renderer->bins[region];
    if (!bin->listed) {
        bin->listed = true;
        bin->first = bin->last = new_chunk(renderer);
        renderer->active[renderer->active_count++] = (uint16_t)region;
    } else if (renderer->chunks[bin->last].count == FAST_BIN_CHUNK_TRIANGLES) {
        const uint32_t chunk = new_chunk(renderer);
        renderer->chunks[bin->last].next = chunk;
        bin->last = chunk;
    }
    struct fast_bin_chunk *last = &renderer->chunks[bin->last];
    last->triangles[last->count++] = (uint16_t)triangle;
}

struct fast_triangle *fast_bins_next(struct fast_renderer *renderer)
{
    const bool full = renderer->triangle_count == FAST_BINNED_TRIANGLES ||
                      renderer->chunk_count + FAST_REGIONS > FAST_BIN_CHUNKS; /* one triangle may touch all regions */
    if (full)
        fast_bins_draw(renderer);
    return &renderer->triangles[renderer->triangle_count];
}

void fast_bins_add(struct fast_renderer *renderer)
{
    const uint32_t number = renderer->triangle_count++;
    const struct fast_triangle *triangle = &renderer->triangles[number];
    const uint32_t left = (uint32_t)triangle->left >> FAST_REGION_SHIFT;
    const uint32_t right = (uint32_t)triangle->right >> FAST_REGION_SHIFT;
    const uint32_t first = (uint32_t)triangle->first_row >> FAST_REGION_SHIFT;
    const uint32_t last = (uint32_t)triangle->last_row >> FAST_REGION_SHIFT;
    for (uint32_t row = first; row <= last; row++)
        for (uint32_t column = left; column <= right; column++)
            add_to_bin(renderer, row * renderer->regions_per_row + column, number);
    renderer->binned_pixels +=
        (uint64_t)(triangle->right - triangle->left + 1) * (uint64_t)(triangle->last_row - triangle->first_row + 1);
    if ((uint32_t)triangle->first_row < renderer->first_row)
        renderer->first_row = (uint32_t)triangle->first_row;
    if ((uint32_t)triangle->last_row > renderer->last_row)
        renderer->last_row = (uint32_t)triangle->last_row;
}

void fast_bins_draw(struct fast_renderer *renderer)
{
    const bool pays = renderer->active_count > 1u && renderer->binned_pixels >= PIXELS_WORTH_WORKERS;
    if (pays && renderer->job.tracer == NULL) {
        fast_workers_draw(renderer->workers, renderer);
    } else {
        for (uint32_t i = 0; i < renderer->active_count; i++)
            fast_tile_draw(renderer, renderer->active[i]);
    }
    for (uint32_t i = 0; i < renderer->active_count; i++)
        renderer->bins[renderer->active[i]].listed = false;
    renderer->active_count = 0;
    renderer->triangle_count = 0;
    renderer->chunk_count = 0;
    renderer->binned_pixels = 0;
}
