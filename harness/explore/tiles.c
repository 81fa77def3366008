/*
 * A tile is a file tiles/COLUMN-ROW.js. Numbers have their low byte first:
 *
 *   fragments u32, then a column after the other: moment u32, triangle u32, place u16 (y * 32 + x in the tile),
 *   flags u8, colour afterwards u32, depth afterwards u32; then, in the order of fragments, for each with BEFORE_COLOR
 *   the colour before u32, and likewise the depths; then for each with STEPS: bytes u32, text;
 *   changes u32, then moment u32, surface u16, place u16, before u32, after u32 of each.
 *
 * What a fragment found is what the one before it in the same buffer left, as a rule, and is written where it is not.
 */
#include "harness/explore/tiles.h"

#include "harness/case/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLACES = EXPLORE_TILE * EXPLORE_TILE,
    FLAG_END = 3, /* enum pica_visit_end */
    FLAG_WRITTEN = 4,
    FLAG_COLOR = 8,
    FLAG_DEPTH = 16,
    FLAG_BEFORE_COLOR = 32,
    FLAG_BEFORE_DEPTH = 64,
    FLAG_STEPS = 128
};

struct fragment {
    uint32_t moment, triangle;
    uint32_t color, depth; /* afterwards */
    uint16_t place;
    uint8_t flags;
};

struct change {
    uint32_t moment;
    uint16_t surface, place;
    uint32_t before, after;
};

/* What the last fragment at a place left where. */
struct last {
    uint32_t address, bits;
    bool is_known;
};

struct explore_tile {
    struct fragment *fragments;
    size_t fragment_count;
    struct change *changes;
    size_t change_count;
    struct harness_text before_color, before_depth, steps;
    struct last color[PLACES], depth[PLACES];
};

static void free_tile(struct explore_tile *tile)
{
    if (tile == NULL)
        return;
    free(tile->fragments);
    free(tile->changes);
    harness_text_free(&tile->before_color);
    harness_text_free(&tile->before_depth);
    harness_text_free(&tile->steps);
    free(tile);
}

void explore_tiles_free(struct explore_tiles *tiles)
{
    for (size_t i = 0; i < sizeof tiles->tiles / sizeof tiles->tiles[0]; i++)
        free_tile(tiles->tiles[i]);
    memset(tiles, 0, sizeof *tiles);
}

/* ------------------------------------------------------------------------------------------------------- collecting */

static uint16_t place_of(uint32_t x, uint32_t y)
{
    return (uint16_t)(y % EXPLORE_TILE * EXPLORE_TILE + x % EXPLORE_TILE);
}

/* The tile of a pixel, if one more record may come; else NULL. */
static struct explore_tile *tile_of(struct explore_tiles *tiles, uint32_t x, uint32_t y)
{
    const uint32_t column = x / EXPLORE_TILE, row = y / EXPLORE_TILE;
    if (tiles->count >= tiles->most || column >= EXPLORE_TILE_COLUMNS || row >= EXPLORE_TILE_COLUMNS) {
        tiles->is_cut = true;
        return NULL;
    }
    struct explore_tile **const tile = &tiles->tiles[row * EXPLORE_TILE_COLUMNS + column];
    if (*tile == NULL)
        *tile = calloc(1, sizeof **tile);
    if (*tile == NULL)
        tiles->failed = true;
    else
        tiles->count++;
    return *tile;
}

/* Flags of a buffer's pixel; what it was before goes to `out`, unless that is what `last` says. */
static uint8_t note(struct last *last, const struct pica_visit_pixel *pixel, uint8_t has, uint8_t has_before,
                    struct harness_text *out)
{
    if (pixel->bytes == 0)
        return 0;
    const bool is_expected = last->is_known && last->address == pixel->address && last->bits == pixel->before;
    if (!is_expected)
        harness_text_word(out, pixel->before);
    *last = (struct last){ pixel->address, pixel->after, true };
    return is_expected ? has : has | has_before;
}

void explore_tiles_visit(struct explore_tiles *tiles, uint32_t moment, const struct pica_visit *visit,
                         const char *steps)
{
    struct explore_tile *const tile = tile_of(tiles, visit->x, visit->y);
    if (tile == NULL)
        return;
    struct fragment *const fragments = harness_grow(tile->fragments, tile->fragment_count, sizeof *fragments);
    tiles->failed = tiles->failed || fragments == NULL;
    if (fragments == NULL)
        return;
    tile->fragments = fragments;
    struct fragment *const fragment = &tile->fragments[tile->fragment_count++];
    const uint16_t place = place_of(visit->x, visit->y);
    *fragment = (struct fragment){ moment, visit->triangle, visit->color.after, visit->depth.after, place, 0 };
    fragment->flags = (uint8_t)((visit->end & FLAG_END) | (visit->has_written ? FLAG_WRITTEN : 0));
    fragment->flags |= note(&tile->color[place], &visit->color, FLAG_COLOR, FLAG_BEFORE_COLOR, &tile->before_color);
    fragment->flags |= note(&tile->depth[place], &visit->depth, FLAG_DEPTH, FLAG_BEFORE_DEPTH, &tile->before_depth);
    if (steps == NULL)
        return;
    fragment->flags |= FLAG_STEPS;
    harness_text_word(&tile->steps, (uint32_t)strlen(steps));
    harness_text_add(&tile->steps, steps);
}

void explore_tiles_change(struct explore_tiles *tiles, uint32_t moment, const struct explore_change *change,
                          uint32_t height)
{
    const uint32_t y = height - 1 - change->y;
    struct explore_tile *const tile = tile_of(tiles, change->x, y);
    if (tile == NULL)
        return;
    struct change *const changes = harness_grow(tile->changes, tile->change_count, sizeof *changes);
    tiles->failed = tiles->failed || changes == NULL;
    if (changes == NULL)
        return;
    tile->changes = changes;
    tile->changes[tile->change_count++] =
        (struct change){ moment, (uint16_t)change->surface, place_of(change->x, y), change->before, change->after };
}

/* ---------------------------------------------------------------------------------------------------------- writing */

static void put_fragments(const struct explore_tile *tile, struct harness_text *out)
{
    const struct fragment *const items = tile->fragments;
    const size_t count = tile->fragment_count;
    harness_text_word(out, (uint32_t)count);
    for (size_t i = 0; i < count; i++)
        harness_text_word(out, items[i].moment);
    for (size_t i = 0; i < count; i++)
        harness_text_word(out, items[i].triangle);
    for (size_t i = 0; i < count; i++)
        explore_put16(out, items[i].place);
    for (size_t i = 0; i < count; i++)
        harness_text_bytes(out, &items[i].flags, 1);
    for (size_t i = 0; i < count; i++)
        harness_text_word(out, items[i].color);
    for (size_t i = 0; i < count; i++)
        harness_text_word(out, items[i].depth);
    harness_text_bytes(out, harness_text_string(&tile->before_color), tile->before_color.size);
    harness_text_bytes(out, harness_text_string(&tile->before_depth), tile->before_depth.size);
    harness_text_bytes(out, harness_text_string(&tile->steps), tile->steps.size);
}

static void put_changes(const struct explore_tile *tile, struct harness_text *out)
{
    harness_text_word(out, (uint32_t)tile->change_count);
    for (size_t i = 0; i < tile->change_count; i++) {
        const struct change *const change = &tile->changes[i];
        harness_text_word(out, change->moment);
        explore_put16(out, change->surface);
        explore_put16(out, change->place);
        harness_text_word(out, change->before);
        harness_text_word(out, change->after);
    }
}

enum harness_status explore_tiles_write(const struct explore_tiles *tiles, const char *directory,
                                        struct harness_text *names, uint64_t *total, struct harness_error *error)
{
    enum harness_status status = tiles->failed ? harness_fail_memory(error) : HARNESS_OK;
    struct harness_text bytes = { 0 };
    char name[64];
    for (uint32_t i = 0; status == HARNESS_OK && i < EXPLORE_TILE_COLUMNS * EXPLORE_TILE_COLUMNS; i++) {
        const struct explore_tile *const tile = tiles->tiles[i];
        if (tile == NULL)
            continue;
        if (tile->before_color.failed || tile->before_depth.failed || tile->steps.failed)
            status = harness_fail_memory(error);
        harness_text_clear(&bytes);
        put_fragments(tile, &bytes);
        put_changes(tile, &bytes);
        (void)snprintf(name, sizeof name, "tiles/%u-%u", (unsigned)(i % EXPLORE_TILE_COLUMNS),
                       (unsigned)(i / EXPLORE_TILE_COLUMNS));
        if (status == HARNESS_OK)
            status = explore_write_script(directory, name, &bytes, total, error);
        harness_text_format(names, "%s\"%s\"", names->size == 0 ? "" : ",", name);
    }
    harness_text_free(&bytes);
    return status;
}
