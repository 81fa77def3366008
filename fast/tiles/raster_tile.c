/*
 * Draws one bin: for each of its triangles, in submission order, finds the 4x4 blocks that it may cover and the spans
 * of 8x8 tiles that lie inside it (fast/kernels.h), and hands them to the kernel. Runs on any thread; different bins
 * share no byte of a surface.
 */
#include "fast/draw/draw_state.h"
#include "fast/gpu.h"
#include "fast/tiles/renderer.h"

/* Inclusive bounds, in columns and memory rows. */
struct area {
    uint32_t left, first_row, right, last_row;
};

/*
 * An edge function and the range of its values over a square of 8x8 or 4x4 pixels, relative to the square's first
 * pixel.
 */
struct edge {
    int64_t weight; /* at (0, 0) */
    int64_t step_x, step_row;
    int64_t greatest8, least8;
    int64_t greatest4, least4;
    int64_t block_offset[4]; /* from the tile's first pixel to the first pixels of its blocks */
};

enum {
    TILE_ROWS = FAST_REGION_SIZE / 8
};

/* The bin being drawn: the current triangle, and the blocks that wait for the kernel. */
struct work {
    const struct fast_renderer *renderer;
    uint8_t *color, *depth; /* first bytes of the surfaces; NULL if not accessed or incomplete */
    uint32_t color_bytes, depth_bytes;
    const struct fast_triangle *triangle;
    struct area area; /* the part of the triangle's box that is inside the bin */
    struct edge edges[3];
    uint32_t first_pixel; /* index of the bin's first pixel */
    bool may_span;        /* neighbouring tiles follow each other in memory, and the kernel takes spans */
    bool spans;           /* may_span, and this triangle may be drawn in spans */
    struct fast_block_item rows[TILE_ROWS]; /* spans of this triangle, one per row; queued after its blocks */
    uint32_t row_count;
    uint32_t count;
    uint32_t most, most_small; /* most blocks that may be queued before a large or a small triangle is added */
    struct fast_block_item items[FAST_BLOCK_ITEMS];
};

/* ------------------------------------------------------------------------------------------------- where pixels are */

/*
 * FBF-07, FBF-08: the pixel index of a square of 2x2 pixels is the sum of a part that depends on its row and a part
 * that depends on its column. Bits 1 to 4 of a coordinate, those inside a tile, go to the even bit positions (x) or the
 * odd ones (y).
 */
static uint32_t spread(uint32_t low)
{
    return (low & 2u) << 1 | (low & 4u) << 2 | (low & 8u) << 3 | (low & 16u) << 4;
}

static uint32_t column_part(const struct fast_fragment_state *state, uint32_t column)
{
    const uint32_t low = (1u << state->tile_shift) - 1u;
    return ((column & ~low) << state->tile_shift) + spread(column & low);
}

static uint32_t row_part(const struct fast_fragment_state *state, uint32_t row)
{
    const uint32_t low = (1u << state->tile_shift) - 1u;
    return (row & ~low) * state->pitch + 2u * spread(row & low);
}

/* ---------------------------------------------------------------------------------------------- incomplete surfaces */

/* A block of an incomplete surface, assembled in `bytes`, with 0 for the bytes outside memory (FBF-01). */
struct patch {
    const struct fast_surface_view *view;
    uint64_t offset;
    uint32_t size;
    uint8_t bytes[64];
};

/* Host address of a surface byte, which must be inside memory. */
static uint8_t *surface_byte(const struct fast_gpu *gpu, const struct fast_surface_view *view, uint64_t offset)
{
    if (view->base != NULL)
        return view->base + offset;
    return fast_memory_bytes(gpu, view->surface->address + (uint32_t)offset, 1u);
}

/* Copies the parts of the block that are in memory: into the patch, or (`store`) back to memory. */
static void copy_patch(const struct fast_gpu *gpu, struct patch *patch, bool store)
{
    for (uint32_t at = 0; at < patch->size;) {
        const uint32_t address = patch->view->surface->address + (uint32_t)patch->offset + at;
        bool inside;
        const uint32_t extent = (uint32_t)fast_memory_extent(gpu, address, patch->size - at, &inside);
        if (inside && store)
            memcpy(surface_byte(gpu, patch->view, patch->offset + at), patch->bytes + at, extent);
        else if (inside)
            memcpy(patch->bytes + at, surface_byte(gpu, patch->view, patch->offset + at), extent);
        at += extent;
    }
}

static uint8_t *load_patch(const struct fast_gpu *gpu, struct patch *patch, const struct fast_surface_view *view,
                           uint32_t pixel)
{
    if (!view->surface->accessed)
        return NULL;
    *patch = (struct patch){ .view = view };
    patch->offset = (uint64_t)pixel * view->surface->bytes_per_pixel;
    patch->size = 16u * view->surface->bytes_per_pixel;
    copy_patch(gpu, patch, false);
    return patch->bytes;
}

/* Draws one block at a time through patches: slow, but works for any surface. */
static void draw_patched(const struct work *work)
{
    const struct fast_renderer *renderer = work->renderer;
    const struct fast_gpu *gpu = renderer->gpu;
    for (uint32_t i = 0; i < work->count; i++) {
        struct fast_block_item item = work->items[i];
        struct patch color, depth;
        const uint32_t pixel =
            row_part(renderer->job.raster, item.row) + column_part(renderer->job.raster, item.column);
        item.color = load_patch(gpu, &color, &renderer->color, pixel);
        item.depth = load_patch(gpu, &depth, &renderer->depth, pixel);
        renderer->kernels->draw_blocks(&renderer->job, &item, 1);
        if (renderer->color.surface->written)
            copy_patch(gpu, &color, true);
        if (renderer->depth.surface->written)
            copy_patch(gpu, &depth, true);
    }
}

/* --------------------------------------------------------------------------------------------------- covered pixels */

static struct edge edge_spans(const struct fast_triangle *triangle, uint32_t i)
{
    const int64_t x = triangle->step_x[i];
    const int64_t row = triangle->step_row[i];
    const int64_t weight = triangle->narrow ? triangle->weight[i] : triangle->wide_weight[i];
    struct edge edge = { .weight = weight, .step_x = x, .step_row = row };
    const int64_t up = (x > 0 ? x : 0) + (row > 0 ? row : 0);
    const int64_t down = (x < 0 ? x : 0) + (row < 0 ? row : 0);
    edge.greatest8 = 7 * up;
    edge.least8 = 7 * down;
    edge.greatest4 = 3 * up;
    edge.least4 = 3 * down;
    edge.block_offset[0] = 0;
    edge.block_offset[1] = 4 * x;
    edge.block_offset[2] = 4 * row;
    edge.block_offset[3] = 4 * x + 4 * row;
    return edge;
}

/* An 8x8 tile. */
struct tile {
    uint32_t column, row;
    uint32_t pixel; /* index of its first pixel */
    bool whole;     /* inside the area */
    int64_t weights[3];
};

static bool meets(const struct area *area, uint32_t column, uint32_t row, uint32_t size)
{
    return column <= area->right && column + size > area->left && row <= area->last_row && row + size > area->first_row;
}

static bool holds(const struct area *area, uint32_t column, uint32_t row, uint32_t size)
{
    return column >= area->left && column + size - 1u <= area->right && row >= area->first_row &&
           row + size - 1u <= area->last_row;
}

/* Block 0 to 3 of a tile: bit 0 = right, bit 1 = upper row numbers. The four follow each other in memory. */
static void add_block(struct work *work, const struct tile *tile, uint32_t block, bool inside)
{
    const uint32_t column = tile->column + (block & 1u) * 4u;
    const uint32_t row = tile->row + (block >> 1) * 4u;
    const uint64_t pixel = tile->pixel + 16u * block;
    if (!tile->whole && !meets(&work->area, column, row, 4u))
        return;
    work->items[work->count++] = (struct fast_block_item){
        .triangle = work->triangle,
        .color = work->color != NULL ? work->color + pixel * work->color_bytes : NULL,
        .depth = work->depth != NULL ? work->depth + pixel * work->depth_bytes : NULL,
        .column = (uint16_t)column,
        .row = (uint16_t)row,
        .inside = inside,
        .whole = tile->whole || work->triangle->uncut || holds(&work->area, column, row, 4u),
    };
}

/* Adds all four blocks of a tile that lies inside the triangle and the area: like add_block, without checks. */
static inline void add_whole_tile(struct work *work, const struct tile *tile)
{
    struct fast_block_item *const items = &work->items[work->count];
    const uint64_t color_step = 16u * (uint64_t)work->color_bytes;
    const uint64_t depth_step = 16u * (uint64_t)work->depth_bytes;
    uint8_t *const color = work->color != NULL ? work->color + (uint64_t)tile->pixel * work->color_bytes : NULL;
    uint8_t *const depth = work->depth != NULL ? work->depth + (uint64_t)tile->pixel * work->depth_bytes : NULL;
    for (uint32_t block = 0; block < 4u; block++)
        items[block] = (struct fast_block_item){
            .triangle = work->triangle,
            .color = color != NULL ? color + block * color_step : NULL,
            .depth = depth != NULL ? depth + block * depth_step : NULL,
            .column = (uint16_t)(tile->column + (block & 1u) * 4u),
            .row = (uint16_t)(tile->row + (block >> 1) * 4u),
            .inside = true,
            .whole = true,
        };
    work->count += 4u;
}

/* Adds `tiles` tiles as a span, the first one at `column`. */
static void add_run(struct work *work, uint32_t column, uint32_t row, uint32_t pixel, uint32_t tiles)
{
    work->rows[work->row_count++] = (struct fast_block_item){
        .triangle = work->triangle,
        .color = work->color + (uint64_t)pixel * work->color_bytes,
        .depth = work->depth != NULL ? work->depth + (uint64_t)pixel * work->depth_bytes : NULL,
        .column = (uint16_t)column,
        .row = (uint16_t)row,
        .inside = true,
        .whole = true,
        .tiles = (uint8_t)tiles,
    };
}

/*
 * Adds a tile that lies inside the triangle and the area. Such tiles of one row are adjacent, because triangles and
 * boxes are convex.
 */
static inline void add_to_run(struct work *work, const struct tile *tile)
{
    const uint32_t count = work->row_count;
    if (count != 0u && work->rows[count - 1u].row == tile->row)
        work->rows[count - 1u].tiles++;
    else
        add_run(work, tile->column, tile->row, tile->pixel, 1u);
}

/* The four blocks of a tile that an edge crosses. */
static void cover_blocks(struct work *work, const struct tile *tile)
{
    for (uint32_t block = 0; block < 4u; block++) {
        bool inside = true;
        bool outside = false;
        for (uint32_t i = 0; i < 3u; i++) {
            const struct edge *edge = &work->edges[i];
            const int64_t weight = tile->weights[i] + edge->block_offset[block];
            inside = inside && weight + edge->least4 >= 0;
            outside = outside || weight + edge->greatest4 < 0;
        }
        if (!outside)
            add_block(work, tile, block, inside);
    }
}

/* RST-04, hierarchically: an 8x8 tile is dropped, taken whole, or looked at block by block. */
static void cover_tile(struct work *work, const struct tile *tile)
{
    bool inside = true;
    for (uint32_t i = 0; i < 3u; i++) {
        const struct edge *edge = &work->edges[i];
        if (tile->weights[i] + edge->greatest8 < 0)
            return;
        inside = inside && tile->weights[i] + edge->least8 >= 0;
    }
    if (!inside) {
        cover_blocks(work, tile);
        return;
    }
    if (tile->whole && work->spans) {
        add_to_run(work, tile);
        return;
    }
    if (tile->whole) {
        add_whole_tile(work, tile);
        return;
    }
    for (uint32_t block = 0; block < 4u; block++)
        add_block(work, tile, block, true);
}

static void cover_row(struct work *work, uint32_t row)
{
    const struct fast_fragment_state *state = work->renderer->job.raster;
    const struct area *area = &work->area;
    const uint32_t first_pixel = row_part(state, row);
    struct tile tile = { .column = area->left & ~7u, .row = row };
    for (uint32_t i = 0; i < 3u; i++)
        tile.weights[i] = work->edges[i].weight + (int64_t)tile.column * work->edges[i].step_x +
                          (int64_t)row * work->edges[i].step_row;
    for (; tile.column <= area->right; tile.column += 8u) {
        tile.pixel = first_pixel + column_part(state, tile.column);
        tile.whole = holds(area, tile.column, row, 8u);
        cover_tile(work, &tile);
        for (uint32_t i = 0; i < 3u; i++)
            tile.weights[i] += 8 * work->edges[i].step_x;
    }
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Hands the queued blocks to the kernel. */
static void flush(struct work *work)
{
    const struct fast_renderer *renderer = work->renderer;
    if (renderer->color.complete && renderer->depth.complete)
        renderer->kernels->draw_blocks(&renderer->job, work->items, work->count);
    else
        draw_patched(work);
    work->count = 0;
}

/*
 * Writes to the cache lines of a triangle with an entry alone. Where another core set up the triangle, this fetches the
 * lines early and with write ownership. With read access only, that core would have to wait for the lines to be
 * invalidated here when it writes the next triangle to this place; between cores that do not share a cache that took
 * longer than the whole triangle.
 */
static void take_lines(struct fast_triangle *triangle)
{
    triangle->head_taken = true;
    triangle->values_taken = true;
}

/*
 * Adds a small triangle from its entry alone, without reading the triangle, which may not be in the cache yet. Its
 * squares are windows, at even places, if the entry says so (quick way only); otherwise they are blocks.
 */
static void add_small(struct work *work, const struct area *region, uint32_t entry)
{
    const uint32_t *const column_parts = work->renderer->column_parts;
    const uint32_t *const row_parts = work->renderer->row_parts;
    uint8_t *const color = work->color;
    uint8_t *const depth = work->depth;
    const uint32_t left = entry >> FAST_ENTRY_COLUMN_SHIFT & 31u;
    const uint32_t first = entry >> FAST_ENTRY_ROW_SHIFT & 31u;
    const bool window = (entry & FAST_ENTRY_WINDOWS) != 0u;
    if (work->count > work->most_small)
        flush(work);
    uint32_t count = work->count;
    for (uint32_t squares = entry >> FAST_ENTRY_SQUARES_SHIFT & FAST_ENTRY_SQUARES; squares != 0u;
         squares &= squares - 1u) {
        const uint32_t number = fast_lowest_bit(squares);
        const uint32_t down = number * 11u >> 5; /* number / 3, exact for 0..8 */
        const uint32_t row = first + 2u * down;
        const uint32_t column = left + 2u * (number - 3u * down);
        const uint64_t pixel = work->first_pixel + row_parts[row] + column_parts[column];
        work->items[count++] = (struct fast_block_item){
            .triangle = work->triangle,
            .color = color != NULL ? color + pixel * work->color_bytes : NULL,
            .depth = depth != NULL ? depth + pixel * work->depth_bytes : NULL,
            .column = (uint16_t)(region->left + 2u * column),
            .row = (uint16_t)(region->first_row + 2u * row),
            .inside = false,
            .whole = true,
            .window = window,
            .right = (column_parts[column + 1u] - column_parts[column]) * 4u,
            .down = (row_parts[row + 1u] - row_parts[row]) * 4u,
        };
    }
    work->count = count;
}

/* How the pixels of a box lie relative to the triangle, as far as can be told from each edge by itself. */
enum relation {
    RELATION_OUTSIDE, /* none is covered */
    RELATION_CUT,
    RELATION_INSIDE /* all are */
};

static enum relation relate_area(const struct work *work)
{
    const struct area *area = &work->area;
    const int64_t across = (int64_t)area->right - area->left;
    const int64_t along = (int64_t)area->last_row - area->first_row;
    bool inside = true;
    for (uint32_t i = 0; i < 3u; i++) {
        const struct edge *edge = &work->edges[i];
        const int64_t x = across * edge->step_x;
        const int64_t y = along * edge->step_row;
        const int64_t first =
            edge->weight + (int64_t)area->left * edge->step_x + (int64_t)area->first_row * edge->step_row;
        if (first + (x > 0 ? x : 0) + (y > 0 ? y : 0) < 0)
            return RELATION_OUTSIDE;
        inside = inside && first + (x < 0 ? x : 0) + (y < 0 ? y : 0) >= 0;
    }
    return inside ? RELATION_INSIDE : RELATION_CUT;
}

/* Does the area consist of whole tiles? */
static bool is_tiled(const struct area *area)
{
    return area->left % 8u == 0u && area->right % 8u == 7u && area->first_row % 8u == 0u && area->last_row % 8u == 7u;
}

/* Handles all tiles of an area that consists of whole tiles. */
static void cover_area(struct work *work)
{
    const struct fast_fragment_state *state = work->renderer->job.raster;
    const struct area *area = &work->area;
    const uint32_t tiles = (area->right + 1u - area->left) / 8u;
    for (uint32_t row = area->first_row; row <= area->last_row; row += 8u)
        add_run(work, area->left, row, row_part(state, row) + column_part(state, area->left), tiles);
}

static void draw_triangle(struct work *work, const struct area *region)
{
    const struct fast_triangle *triangle = work->triangle;
    const struct area area = { greater(triangle->left, region->left), greater(triangle->first_row, region->first_row),
                               lesser(triangle->right, region->right), lesser(triangle->last_row, region->last_row) };
    if (work->count > work->most)
        flush(work);
    work->area = area;
    work->spans = work->may_span && triangle->bounded && triangle->narrow;
    work->row_count = 0;
    for (uint32_t i = 0; i < 3u; i++)
        work->edges[i] = edge_spans(triangle, i);
    const enum relation relation = relate_area(work);
    if (relation == RELATION_OUTSIDE)
        return;
    if (relation == RELATION_INSIDE && work->spans && is_tiled(&area))
        cover_area(work);
    else
        for (uint32_t row = area.first_row & ~7u; row <= area.last_row; row += 8u)
            cover_row(work, row);
    memcpy(work->items + work->count, work->rows, work->row_count * sizeof work->rows[0]);
    work->count += work->row_count;
}

/* Windows are for the quick way: where textures turn out to be lazy, it is not taken after all. */
static bool is_small(const struct work *work, uint32_t entry)
{
    return (entry >> FAST_ENTRY_SQUARES_SHIFT & FAST_ENTRY_SQUARES) != 0u &&
           ((entry & FAST_ENTRY_WINDOWS) == 0u || work->renderer->job.quick->active);
}

/* The triangles of one set. */
static void draw_bin(struct work *work, const struct area *area, const struct fast_bins *bins, uint32_t region)
{
    uint32_t chunk = bins->bins[region].listed ? bins->bins[region].first : (uint32_t)FAST_BIN_CHUNKS;
    for (; chunk != FAST_BIN_CHUNKS; chunk = bins->chunks[chunk].next)
        for (uint32_t i = 0; i < bins->chunks[chunk].count; i++) {
            const uint32_t entry = bins->chunks[chunk].entries[i];
            struct fast_triangle *const triangle = &bins->triangles[entry & FAST_ENTRY_TRIANGLE];
            work->triangle = triangle;
            bins->chunks[chunk].entries[i] = 0u; /* as in take_lines */
            if ((entry & fast_entry_alone) != 0u)
                take_lines(triangle);
            if (is_small(work, entry))
                add_small(work, area, entry);
            else
                draw_triangle(work, area);
        }
}

void fast_tile_parts(struct fast_renderer *renderer)
{
    for (uint32_t i = 0; i < FAST_REGION_PLACES; i++) {
        renderer->column_parts[i] = column_part(renderer->job.raster, 2u * i);
        renderer->row_parts[i] = row_part(renderer->job.raster, 2u * i);
    }
}

void fast_tile_draw(const struct fast_renderer *renderer, uint32_t region)
{
    struct work work;
    const uint32_t shift = renderer->layout.region_shift;
    const uint32_t size = 1u << shift;
    const uint32_t left = region % renderer->layout.regions_per_row << shift;
    const uint32_t first_row = region / renderer->layout.regions_per_row << shift;
    const struct area area = { left, first_row, left + size - 1u, first_row + size - 1u };
    work.renderer = renderer;
    work.color = renderer->color.base;
    work.depth = renderer->depth.base;
    work.color_bytes = renderer->color.surface->bytes_per_pixel;
    work.depth_bytes = renderer->depth.surface->bytes_per_pixel;
    work.count = 0;
    work.most = renderer->gpu->capacity.blocks;
    work.most_small = renderer->gpu->capacity.small_blocks;
    work.may_span = renderer->job.quick->active && renderer->job.tracer == NULL && renderer->color.complete &&
                    renderer->depth.complete && renderer->job.raster->tile_shift == 3u;
    work.first_pixel = row_part(renderer->job.raster, first_row) + column_part(renderer->job.raster, left);
    for (uint32_t set = 0; set < renderer->set_count; set++)
        draw_bin(&work, &area, &renderer->sets[set], region);
    flush(&work);
}
