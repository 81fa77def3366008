/*
 * Private copies of the surfaces (FBF-18, FBF-19), for batches that may draw over bytes that they still have to read.
 * Surfaces are copied and stored back in squares of 8x8 pixels, which are 64 consecutive pixels in memory for any tile
 * size (FBF-06), and only squares that the box of a triangle meets: a small triangle costs little, however large the
 * surfaces are.
 */
#include <string.h>

#include "fast/gpu.h"
#include "fast/pipeline.h"
#include "fast/tiles/renderer.h"

enum {
    SQUARE_PIXELS = 64,
    SQUARE_EDGE = 8
};

/* ---------------------------------------------------------------------------------------------------------- squares */

static bool is_taken(const struct fast_copies *copies, uint64_t square)
{
    return (copies->taken[square / 32u] >> (square % 32u) & 1u) != 0u;
}

/* FBF-05, FBF-06: the square that holds a pixel. */
static uint32_t square_at(const struct fast_fragment_state *state, uint32_t column, uint32_t row)
{
    const uint32_t edge = 1u << state->tile_shift;
    const uint32_t tile = (row & ~(edge - 1u)) * state->pitch + ((column & ~(edge - 1u)) << state->tile_shift);
    const uint32_t x = (column & (edge - 1u)) / SQUARE_EDGE; /* position in the tile: 0, or 0-3 in Morton order */
    const uint32_t y = (row & (edge - 1u)) / SQUARE_EDGE;
    return tile / SQUARE_PIXELS + ((x & 1u) | (y & 1u) << 1 | (x & 2u) << 1 | (y & 2u) << 2);
}

static struct fast_range square_range(const struct fast_surface *surface, uint32_t square)
{
    const uint32_t bytes = SQUARE_PIXELS * surface->bytes_per_pixel;
    return (struct fast_range){ surface->address + square * bytes, bytes };
}

/* ---------------------------------------------------------------------------------------------------------- copying */

/* Copies only the bytes inside memory; raster_tile.c never looks at the others. */
static void take_from(const struct fast_gpu *gpu, const struct fast_surface_view *view, uint32_t square)
{
    if (!view->surface->accessed)
        return;
    const struct fast_range range = square_range(view->surface, square);
    uint8_t *copy = view->base + (size_t)square * range.size;
    for (uint64_t at = 0; at < range.size;) {
        const uint32_t address = range.address + (uint32_t)at;
        bool inside;
        const uint64_t extent = fast_memory_extent(gpu, address, range.size - at, &inside);
        if (inside)
            memcpy(copy + at, fast_memory_bytes(gpu, address, extent), (size_t)extent);
        at += extent;
    }
}

static void take_square(struct fast_renderer *renderer, uint32_t square)
{
    struct fast_copies *copies = &renderer->copies;
    if (is_taken(copies, square))
        return;
    copies->taken[square / 32u] |= (uint32_t)1 << (square % 32u);
    copies->squares[copies->count++] = (uint16_t)square;
    take_from(renderer->gpu, &renderer->color, square);
    take_from(renderer->gpu, &renderer->depth, square);
}

static void take_triangles(struct fast_renderer *renderer, const struct fast_bins *bins)
{
    for (uint32_t i = 0; i < bins->triangle_count; i++) {
        const struct fast_triangle *triangle = &bins->triangles[i];
        for (uint32_t row = triangle->first_row & ~7u; row <= triangle->last_row; row += SQUARE_EDGE)
            for (uint32_t column = triangle->left & ~7u; column <= triangle->right; column += SQUARE_EDGE)
                take_square(renderer, square_at(renderer->job.raster, column, row));
    }
}

void fast_copies_take(struct fast_renderer *renderer)
{
    for (uint32_t set = 0; set < renderer->set_count; set++)
        take_triangles(renderer, &renderer->sets[set]);
}

/* ----------------------------------------------------------------------------------------------------- storing back */

/*
 * Does the guest address lie in a square of the surface that was copied? If so, sets *offset to its offset in the copy.
 */
static bool find_byte(const struct fast_copies *copies, const struct fast_surface *surface, uint32_t address,
                      uint64_t *offset)
{
    if (!surface->accessed || address < surface->address || address - surface->address >= surface->size)
        return false;
    *offset = address - surface->address;
    return is_taken(copies, *offset / (SQUARE_PIXELS * surface->bytes_per_pixel));
}

/*
 * FBF-18, the byte rule. The depth surface is stored first, while guest memory is still that of the start of the batch,
 * and is compared with the colour copy; storing the colour surface then skips the bytes settled that way. Bytes in no
 * square that a triangle's box meets are unchanged and not compared.
 */
static void store_depth_extent(const struct fast_renderer *renderer, uint32_t address, uint8_t *bytes, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        const uint32_t at = address + (uint32_t)i;
        uint64_t offset = 0;
        uint8_t color_byte = bytes[i];
        uint8_t depth_byte = bytes[i];
        if (find_byte(&renderer->copies, renderer->color.surface, at, &offset))
            color_byte = renderer->color.base[offset];
        if (find_byte(&renderer->copies, renderer->depth.surface, at, &offset))
            depth_byte = renderer->depth.base[offset];
        bytes[i] = color_byte != bytes[i] ? color_byte : depth_byte;
    }
}

static void store_color_extent(const struct fast_renderer *renderer, uint32_t address, uint8_t *bytes, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        const uint32_t at = address + (uint32_t)i;
        uint64_t offset = 0;
        if (!find_byte(&renderer->copies, renderer->depth.surface, at, &offset))
            bytes[i] = renderer->color.base[at - renderer->color.surface->address];
    }
}

/* Where the surfaces do not overlap, nothing has to be compared. */
static void store_whole(const struct fast_surface_view *view, uint32_t address, uint8_t *bytes, uint64_t size)
{
    memcpy(bytes, view->base + (address - view->surface->address), (size_t)size);
}

static void store_square(const struct fast_renderer *renderer, const struct fast_surface_view *view, uint32_t square)
{
    const struct fast_range range = square_range(view->surface, square);
    for (uint64_t at = 0; at < range.size;) {
        const uint32_t address = range.address + (uint32_t)at;
        bool inside;
        const uint64_t extent = fast_memory_extent(renderer->gpu, address, range.size - at, &inside);
        uint8_t *bytes = inside ? fast_memory_bytes(renderer->gpu, address, extent) : NULL;
        if (inside && !renderer->job.raster->surfaces_meet)
            store_whole(view, address, bytes, extent);
        else if (inside && view == &renderer->depth)
            store_depth_extent(renderer, address, bytes, extent);
        else if (inside)
            store_color_extent(renderer, address, bytes, extent);
        at += extent;
    }
}

static void store_surface(const struct fast_renderer *renderer, const struct fast_surface_view *view)
{
    if (!view->surface->accessed)
        return;
    for (uint32_t i = 0; i < renderer->copies.count; i++)
        store_square(renderer, view, renderer->copies.squares[i]);
}

void fast_copies_store(struct fast_renderer *renderer)
{
    struct fast_copies *copies = &renderer->copies;
    store_surface(renderer, &renderer->depth);
    store_surface(renderer, &renderer->color);
    for (uint32_t i = 0; i < copies->count; i++)
        copies->taken[copies->squares[i] / 32u] = 0;
    copies->count = 0;
}
