/* Triangles sorted by region of the framebuffer, each region in submission order, until they are drawn. */
#include <stdlib.h>

#include "fast/draw/draw_state.h"
#include "fast/draw/texture_image.h"
#include "fast/gpu.h"
#include "fast/reserve.h"
#include "fast/tiles/renderer.h"

enum {
    UNITS_OF_TRIANGLE = 32 /* cost of a triangle besides its pixels, in units of fast_workers_pay */
};

_Static_assert(FAST_BINNED_TRIANGLES - 1 <= FAST_ENTRY_TRIANGLE, "an entry holds the number of any triangle");

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t regions_in(uint32_t pixels, uint32_t shift)
{
    return (pixels + (1u << shift) - 1u) >> shift;
}

/* Are windows possible? They need the quick way, and surfaces whose bytes are one host range. */
static bool has_windows(const struct fast_renderer *renderer)
{
    return renderer->job.quick->active && renderer->job.tracer == NULL && renderer->color.complete &&
           renderer->depth.complete;
}

/* If the picture is too large for small bins, bins are larger. */
void fast_bins_begin(struct fast_renderer *renderer)
{
    const struct fast_fragment_state *state = renderer->job.raster;
    const struct fast_capacity *capacity = &renderer->gpu->capacity;
    uint32_t shift = capacity->region_shift;
    while (regions_in(state->pitch, shift) * regions_in(state->height, shift) > FAST_REGIONS)
        shift++;
    renderer->most_triangles = capacity->binned_triangles;
    renderer->most_chunks = capacity->bin_chunks;
    renderer->most_in_chunk = capacity->chunk_triangles;
    renderer->layout = (struct fast_bin_layout){ shift, regions_in(state->pitch, shift), has_windows(renderer) };
}

/* ---------------------------------------------------------------------------------------------------------- filling */

static uint32_t new_chunk(struct fast_bins *bins)
{
    assert(bins->chunk_count < FAST_BIN_CHUNKS);
    struct fast_bin_chunk *chunk = &bins->chunks[bins->chunk_count];
    chunk->next = FAST_BIN_CHUNKS;
    chunk->count = 0;
    return bins->chunk_count++;
}

static void add_to_bin(struct fast_bins *bins, uint32_t region, uint32_t entry)
{
    struct fast_bin *bin = &bins->bins[region];
    if (!bin->listed) {
        bin->listed = true;
        bin->first = bin->last = new_chunk(bins);
        bins->active[bins->active_count++] = (uint16_t)region;
    } else if (bins->chunks[bin->last].count == bins->renderer->most_in_chunk) {
        const uint32_t chunk = new_chunk(bins);
        bins->chunks[bin->last].next = chunk;
        bin->last = chunk;
    }
    struct fast_bin_chunk *last = &bins->chunks[bin->last];
    last->entries[last->count++] = entry;
}

struct fast_triangle *fast_bins_next(struct fast_bins *bins)
{
    struct fast_renderer *renderer = bins->renderer;
    const bool full = bins->triangle_count == renderer->most_triangles || bins->chunk_count > renderer->most_chunks;
    if (full && bins->of_slice) {
        bins->overflows = true;
        fast_bins_clear(bins);
    } else if (full) {
        fast_bins_draw(renderer, bins, 1u);
    }
    return &bins->triangles[bins->triangle_count];
}

static void put_bounds(struct fast_bins *bins, const struct fast_triangle *triangle)
{
    bins->binned_pixels +=
        (uint64_t)(triangle->right - triangle->left + 1) * (uint64_t)(triangle->last_row - triangle->first_row + 1);
    bins->first_row = lesser(bins->first_row, triangle->first_row);
    bins->last_row = greater(bins->last_row, triangle->last_row);
}

/*
 * Columns (or rows) of blocks of a small triangle, clipped to a region: returns the first one inside, counted from the
 * region's start, and sets *before to how many lie before the region.
 */
static uint32_t clip_start(uint32_t start, uint32_t region, uint32_t *before)
{
    *before = start < region ? region - start : 0u;
    return start < region ? 0u : start - region;
}

/* Adds a small triangle that reaches several regions to one of them, with the part of its blocks that lies there. */
static void add_part(struct fast_bins *bins, uint32_t row, uint32_t column, uint32_t blocks, uint32_t entry)
{
    static const uint32_t first_columns[4] = { 0u, 0111u, 0333u, 0777u }; /* 1 to 3 columns of 3x3 */
    const struct fast_bin_layout *layout = &bins->renderer->layout;
    const struct fast_triangle *triangle = &bins->triangles[entry & FAST_ENTRY_TRIANGLE];
    const uint32_t region_blocks = 1u << (layout->region_shift - 2u); /* number of blocks in a row of a region */
    uint32_t columns_before;
    uint32_t rows_before;
    const uint32_t left = clip_start(triangle->left / 4u, column * region_blocks, &columns_before);
    const uint32_t first = clip_start(triangle->first_row / 4u, row * region_blocks, &rows_before);
    const uint32_t columns = lesser(3u - columns_before, region_blocks - left);
    const uint32_t rows = lesser(3u - rows_before, region_blocks - first);
    const uint32_t part =
        blocks >> (3u * rows_before + columns_before) & first_columns[columns] & ((1u << 3u * rows) - 1u);
    if (part != 0u)
        add_to_bin(bins, row * layout->regions_per_row + column,
                   entry | 2u * left << FAST_ENTRY_COLUMN_SHIFT | 2u * first << FAST_ENTRY_ROW_SHIFT |
                       part << FAST_ENTRY_SQUARES_SHIFT);
}

void fast_bins_add(struct fast_bins *bins, uint32_t blocks)
{
    const struct fast_bin_layout *layout = &bins->renderer->layout;
    const uint32_t number = bins->triangle_count++;
    const struct fast_triangle *triangle = &bins->triangles[number];
    const uint32_t left = (uint32_t)triangle->left >> layout->region_shift;
    const uint32_t right = (uint32_t)triangle->right >> layout->region_shift;
    const uint32_t first = (uint32_t)triangle->first_row >> layout->region_shift;
    const uint32_t last = (uint32_t)triangle->last_row >> layout->region_shift;
    const bool windows = layout->windows && triangle->bounded && triangle->narrow;
    put_bounds(bins, triangle);
    for (uint32_t row = first; row <= last; row++)
        for (uint32_t column = left; column <= right; column++)
            if (blocks != 0u)
                add_part(bins, row, column, blocks, number | (windows ? (uint32_t)FAST_ENTRY_WINDOWS : 0u));
            else
                add_to_bin(bins, row * layout->regions_per_row + column, number);
}

void fast_bins_add_entry(struct fast_bins *bins, uint32_t region, uint32_t entry)
{
    const uint32_t number = bins->triangle_count++;
    put_bounds(bins, &bins->triangles[number]);
    add_to_bin(bins, region, entry | number | (bins->of_slice ? fast_entry_alone : 0u));
}

/* ---------------------------------------------------------------------------------------------------------- drawing */

/* What the bins that are about to be drawn hold. */
struct contents {
    uint64_t pixels; /* pixels of the triangles' boxes */
    uint64_t triangles;
};

/* Finds the bins that hold something in any set, and adds up what the sets hold. */
static struct contents collect(struct fast_renderer *renderer)
{
    struct contents contents = { 0u, 0u };
    bool seen[FAST_REGIONS] = { false };
    renderer->active_count = 0u;
    for (uint32_t s = 0; s < renderer->set_count; s++) {
        const struct fast_bins *bins = &renderer->sets[s];
        contents.pixels += bins->binned_pixels;
        contents.triangles += bins->triangle_count;
        renderer->drawing = renderer->drawing || bins->drawing;
        renderer->first_row = lesser(renderer->first_row, bins->first_row);
        renderer->last_row = greater(renderer->last_row, bins->last_row);
        for (uint32_t i = 0; i < bins->active_count; i++)
            if (!seen[bins->active[i]]) {
                seen[bins->active[i]] = true;
                renderer->active[renderer->active_count++] = bins->active[i];
            }
    }
    return contents;
}

/*
 * Cost of drawing in units of fast_workers_pay. Measured: pixels of textured triangles cost 3 times as much, of lit
 * ones 8 times.
 */
static uint64_t drawing_units(const struct fast_renderer *renderer, const struct contents *contents)
{
    const uint32_t needs = renderer->job.needs;
    const bool lit = (needs & FAST_NEED_QUATERNION) != 0u;
    const bool textured = (needs & (FAST_NEED_TEXCOORD0 | FAST_NEED_TEXCOORD1 | FAST_NEED_TEXCOORD2)) != 0u;
    const uint64_t units_of_pixel = lit ? 8u : textured ? 3u : 1u;
    return contents->pixels * units_of_pixel + contents->triangles * UNITS_OF_TRIANGLE;
}

/*
 * Decodes the texels that the triangles may read, or leaves that until they are read. In that case returns true: then
 * one thread has to draw, on the general way.
 */
static bool textures_are_lazy(struct fast_renderer *renderer, uint64_t pixels)
{
    static const struct fast_quick general = { .active = false };
    struct fast_shading_state *shading = &renderer->gpu->draw->shading;
    const bool lazy = renderer->job.needs != 0u && renderer->active_count != 0u && fast_images_prepare(shading, pixels);
    renderer->job.quick = lazy ? &general : &renderer->gpu->draw->quick;
    return lazy;
}

static void draw_bin(void *context, uint32_t item, uint32_t thread)
{
    const struct fast_renderer *renderer = context;
    (void)thread;
    fast_tile_draw(renderer, renderer->active[item]);
}

static void draw_on_workers(struct fast_renderer *renderer)
{
    uint32_t homes[FAST_REGIONS];
    const uint32_t count = renderer->active_count;
    for (uint32_t i = 0; i < count; i++)
        homes[i] = renderer->homes[renderer->active[i]];
    fast_workers_run(renderer->workers, &(struct fast_job){ draw_bin, renderer, count, homes });
    for (uint32_t i = 0; i < count; i++)
        renderer->homes[renderer->active[i]] = homes[i];
}

void fast_bins_clear(struct fast_bins *bins)
{
    for (uint32_t i = 0; i < bins->active_count; i++)
        bins->bins[bins->active[i]].listed = false;
    bins->active_count = 0;
    bins->triangle_count = 0;
    bins->chunk_count = 0;
    bins->binned_pixels = 0;
    bins->first_row = UINT32_MAX;
    bins->last_row = 0;
    bins->drawing = false;
}

void fast_bins_draw(struct fast_renderer *renderer, struct fast_bins *sets, uint32_t count)
{
    renderer->sets = sets;
    renderer->set_count = count;
    const struct contents contents = collect(renderer);
    const bool lazy = textures_are_lazy(renderer, contents.pixels);
    if (renderer->private_copies)
        fast_copies_take(renderer);
    if (renderer->active_count != 0u)
        fast_tile_parts(renderer);
    if (!lazy && renderer->active_count > 1u && renderer->job.tracer == NULL &&
        fast_workers_pay(renderer->workers, drawing_units(renderer, &contents))) {
        draw_on_workers(renderer);
    } else {
        for (uint32_t i = 0; i < renderer->active_count; i++)
            fast_tile_draw(renderer, renderer->active[i]);
    }
    for (uint32_t s = 0; s < count; s++)
        fast_bins_clear(&sets[s]);
}

/* -------------------------------------------------------------------------------------------------------- lifetimes */

static const size_t triangles_size = FAST_BINNED_TRIANGLES * sizeof(struct fast_triangle);
static const size_t chunks_size = FAST_BIN_CHUNKS * sizeof(struct fast_bin_chunk);

enum pica_status fast_bins_create(struct fast_bins *bins, struct fast_renderer *renderer, bool of_slice)
{
    bins->renderer = renderer;
    bins->of_slice = of_slice;
    bins->triangles = fast_reserve(triangles_size);
    bins->chunks = fast_reserve(chunks_size);
    fast_bins_clear(bins);
    return bins->triangles != NULL && bins->chunks != NULL ? PICA_OK : PICA_NO_MEMORY;
}

void fast_bins_destroy(struct fast_bins *bins)
{
    fast_unreserve(bins->chunks, chunks_size);
    fast_unreserve(bins->triangles, triangles_size);
}
