/*
 * Draws one bin: for each of its triangles, in submission order, finds the 4x4 blocks that it may cover and hands them
 * to the kernel. Runs on any thread; different bins share no byte of a surface.
 */
#include "fast/draw_state.h"
#include "fast/gpu.h"
#include "fast/renderer.h"

/* Inclusive, columns and memory rows. */
struct area {
    uint32_t left, first_row, right, last_row;
};

/* An edge function on squares: the spans of its values over a square of 8 or 4 pixels, relative to the first pixel. */
struct edge {
    int64_t weight; /* at (0, 0) */
    int64_t step_x, step_row;
    int64_t greatest8, least8;
    int64_t greatest4, least4;
};

/* What one triangle leaves to draw of one bin. */
struct work {
    const struct fast_renderer *renderer;
    const struct fast_triangle *triangle;
    struct area area; /* of the triangle's box, inside the bin */
    struct edge edges[3];
    uint32_t count;
    struct fast_block_item items[FAST_REGION_BLOCKS];
};

/* --------------------------------------------------------------------------------------------------- where pixels are */

/* FBF-07: bits of x and y interleaved, x lowest; FBF-08 goes on to 5 bits each. */
static uint32_t morton(uint32_t x, uint32_t y)
{
    uint32_t index = 0;
    for (uint32_t bit = 0; bit < 5u; bit++)
        index |= ((x >> bit & 1u) << (2u * bit)) | ((y >> bit & 1u) << (2u * bit + 1u));
    return index;
}

/* Pixel index of FBF-07 or FBF-08 of the first pixel of a 4x4 block. */
static uint32_t block_index(const struct fast_raster_state *state, uint32_t column, uint32_t row)
{
    const uint32_t edge = 1u << state->tile_shift;
    const uint32_t low = edge - 1u;
    return (row & ~low) * state->pitch + (column & ~low) * edge + morton(column & low, row & low);
}

/* ---------------------------------------------------------------------------------------------- incomplete surfaces */

/* A block of an incomplete surface, assembled in `bytes` with 0 for what is outside (FBF-01). */
struct patch {
    const struct fast_surface_view *view;
    uint64_t offset;
    uint32_t size;
    uint8_t bytes[64];
};

/* Host address of a byte that is inside memory. */
static uint8_t *surface_byte(const struct fast_gpu *gpu, const struct fast_surface_view *view, uint64_t offset)
{
    if (view->base != NULL)
        return view->base + offset;
    return fast_memory_span(gpu, view->surface->address + (uint32_t)offset, 1u);
}

/* Copies the parts of the block that are in memory, in or out. */
static void copy_patch(const struct fast_gpu *gpu, struct patch *patch, bool store)
{
    for (uint32_t at = 0; at < patch->size;) {
        const uint32_t address = patch->view->surface->address + (uint32_t)patch->offset + at;
        bool inside;
        const uint32_t run = (uint32_t)fast_memory_run(gpu, address, patch->size - at, &inside);
        if (inside && store)
            memcpy(surface_byte(gpu, patch->view, patch->offset + at), patch->bytes + at, run);
        else if (inside)
            memcpy(patch->bytes + at, surface_byte(gpu, patch->view, patch->offset + at), run);
        at += run;
    }
}

static uint8_t *load_patch(const struct fast_gpu *gpu, struct patch *patch, const struct fast_surface_view *view,
                           uint32_t pixel)
{
    if (!view->surface->accessed)
        return NULL;
    *patch = (struct patch){.view = view};
    patch->offset = (uint64_t)pixel * view->surface->bytes_per_pixel;
    patch->size = 16u * view->surface->bytes_per_pixel;
    copy_patch(gpu, patch, false);
    return patch->bytes;
}

/* One block at a time through patches: slow, total. */
static void draw_patched(const struct work *work)
{
    const struct fast_renderer *renderer = work->renderer;
    const struct fast_gpu *gpu = renderer->gpu;
    for (uint32_t i = 0; i < work->count; i++) {
        struct fast_block_item item = work->items[i];
        struct patch color, depth;
        const uint32_t pixel = block_index(renderer->job.raster, item.column, item.row);
        item.color = load_patch(gpu, &color, &renderer->color, pixel);
        item.depth = load_patch(gpu, &depth, &renderer->depth, pixel);
        gpu->kernels->draw_blocks(&renderer->job, work->triangle, &item, 1);
        if (renderer->color.surface->written)
            copy_patch(gpu, &color, true);
        if (renderer->depth.surface->written)
            copy_patch(gpu, &depth, true);
    }
}

/* ------------------------------------------------------------------------------------------------------------- coverage */

static struct edge edge_spans(const struct fast_triangle *triangle, uint32_t i)
{
    const int64_t x = triangle->step_x[i];
    const int64_t row = triangle->step_row[i];
    struct edge edge = {.weight = triangle->weight[i], .step_x = x, .step_row = row};
    const int64_t up = (x > 0 ? x : 0) + (row > 0 ? row : 0);
    const int64_t down = (x < 0 ? x : 0) + (row < 0 ? row : 0);
    edge.greatest8 = 7 * up;
    edge.least8 = 7 * down;
    edge.greatest4 = 3 * up;
    edge.least4 = 3 * down;
    return edge;
}

static void add_block(struct work *work, uint32_t column, uint32_t row, bool inside)
{
    const struct area *area = &work->area;
    if (column > area->right || column + 3u < area->left || row > area->last_row || row + 3u < area->first_row)
        return;
    const struct fast_renderer *renderer = work->renderer;
    struct fast_block_item *item = &work->items[work->count++];
    const uint64_t pixel = block_index(renderer->job.raster, column, row);
    item->color = renderer->color.base != NULL ? renderer->color.base + pixel * renderer->color.surface->bytes_per_pixel
                                               : NULL;
    item->depth = renderer->depth.base != NULL ? renderer->depth.base + pixel * renderer->depth.surface->bytes_per_pixel
                                               : NULL;
    item->column = (uint16_t)column;
    item->row = (uint16_t)row;
    item->inside = inside;
    item->whole =
        column >= area->left && column + 3u <= area->right && row >= area->first_row && row + 3u <= area->last_row;
}

/* The four blocks of a tile that an edge crosses. */
static void cover_blocks(struct work *work, uint32_t column, uint32_t row, const int64_t weights[3])
{
    for (uint32_t block = 0; block < 4u; block++) {
        const uint32_t x = (block & 1u) * 4u;
        const uint32_t y = (block >> 1) * 4u;
        bool inside = true;
        bool outside = false;
        for (uint32_t i = 0; i < 3u; i++) {
            const struct edge *edge = &work->edges[i];
            const int64_t weight = weights[i] + (int64_t)x * edge->step_x + (int64_t)y * edge->step_row;
            inside = inside && weight + edge->least4 >= 0;
            outside = outside || weight + edge->greatest4 < 0;
        }
        if (!outside)
            add_block(work, column + x, row + y, inside);
    }
}

/* RST-04, hierarchically: an 8x8 tile is dropped, taken whole, or looked at block by block. */
static void cover_tile(struct work *work, uint32_t column, uint32_t row)
{
    int64_t weights[3];
    bool inside = true;
    for (uint32_t i = 0; i < 3u; i++) {
        const struct edge *edge = &work->edges[i];
        weights[i] = edge->weight + (int64_t)column * edge->step_x + (int64_t)row * edge->step_row;
        if (weights[i] + edge->greatest8 < 0)
            return;
        inside = inside && weights[i] + edge->least8 >= 0;
    }
    if (!inside) {
        cover_blocks(work, column, row, weights);
        return;
    }
    for (uint32_t block = 0; block < 4u; block++)
        add_block(work, column + (block & 1u) * 4u, row + (block >> 1) * 4u, true);
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void draw_triangle(struct work *work, const struct area *region)
{
    const struct fast_renderer *renderer = work->renderer;
    const struct fast_triangle *triangle = work->triangle;
    const struct area area = {greater(triangle->left, region->left), greater(triangle->first_row, region->first_row),
                              lesser(triangle->right, region->right), lesser(triangle->last_row, region->last_row)};
    work->area = area;
    work->count = 0;
    for (uint32_t i = 0; i < 3u; i++)
        work->edges[i] = edge_spans(triangle, i);
    for (uint32_t row = area.first_row & ~7u; row <= area.last_row; row += 8u)
        for (uint32_t column = area.left & ~7u; column <= area.right; column += 8u)
            cover_tile(work, column, row);
    if (work->count == 0u)
        return;
    if (renderer->color.complete && renderer->depth.complete)
        renderer->gpu->kernels->draw_blocks(&renderer->job, triangle, work->items, work->count);
    else
        draw_patched(work);
}

void fast_tile_draw(const struct fast_renderer *renderer, uint32_t region)
{
    struct work work;
    const uint32_t left = region % renderer->regions_per_row << FAST_REGION_SHIFT;
    const uint32_t first_row = region / renderer->regions_per_row << FAST_REGION_SHIFT;
    const struct area area = {left, first_row, left + FAST_REGION_SIZE - 1u, first_row + FAST_REGION_SIZE - 1u};
    work.renderer = renderer;
    for (uint32_t chunk = renderer->bins[region].first; chunk != FAST_BIN_CHUNKS;
         chunk = renderer->chunks[chunk].next)
        for (uint32_t i = 0; i < renderer->chunks[chunk].count; i++) {
            work.triangle = &renderer->triangles[renderer->chunks[chunk].triangles[i]];
            draw_triangle(&work, &area);
        }
}
