/*
 * Images: where their levels and tiles lie in guest memory and in the arena, which tiles are decoded, and the decoding.
 */
#include "fast/draw/texture_image.h"

#include "fast/draw/texture_lanes.h"
#include "fast/draw/texture_texels.h"
#include "fast/gpu.h"
#include "pica/enums.h"

#include <string.h>

/* --------------------------------------------------------------------------------------------------------- geometry */

/* MIP-01. `offset` is the sum of the sizes of all levels before `index`. */
static struct fast_image_level level_of(const struct fast_image_key *key, uint32_t index)
{
    const uint32_t bits = fast_texel_bits(key->format);
    struct fast_image_level level = { .width = key->width >> index,
                                      .height = key->height >> index,
                                      .tile_bytes = 8 * bits };
    for (uint32_t k = 0; k < index; k++)
        level.offset += ((key->width >> k) * (key->height >> k) * bits) >> 3;
    level.tile_count = ((level.height - 1) >> 3) * (level.width >> 3) + ((level.width - 1) >> 3) + 1;
    level.columns = (level.width + 7) >> 3;
    level.rows = (level.height + 7) >> 3;
    return level;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* TEX-31: number of bytes from the level's base to its end. */
static uint32_t level_end(const struct fast_image_key *key, const struct fast_image_level *level)
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
        const struct fast_image_level level = level_of(key, index);
        const uint32_t end = level.offset + level_end(key, &level);
        if (end > size)
            size = end;
    }
    return size;
}

/*
 * Iterates over the tiles of a level that have a byte in memory: each call gives one range [first, first + count) of
 * tile numbers, or returns false at the end. `done` counts the bytes looked at so far, `unseen` is the first tile not
 * yet reported; both start at 0. No tile is reported twice.
 */
struct tile_range {
    uint32_t done, unseen;
    uint32_t first, count;
};

static bool next_present_tiles(const struct fast_gpu *gpu, const struct fast_image_key *key,
                               const struct fast_image_level *level, struct tile_range *at)
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

/* The words of the sparse layout: the tile of zero bytes, then for each level its table and its tiles. */
static uint32_t sparse_words(const struct fast_gpu *gpu, const struct fast_image_key *key)
{
    uint32_t words = FAST_TILE_TEXELS;
    for (uint32_t index = 0; index <= key->last_level; index++) {
        const struct fast_image_level level = level_of(key, index);
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
    return dense >= gpu->capacity.sparse_words && sparse_words(gpu, key) <= dense / 2;
}

/* ---------------------------------------------------------------------------------------------------------- placing */

static void place_dense(struct fast_image *image, uint32_t next)
{
    for (uint32_t index = 0; index <= image->key.last_level; index++) {
        struct fast_image_level *level = &image->levels[index];
        level->base = next;
        next += level->width * level->height;
    }
}

static void place_sparse(const struct fast_gpu *gpu, struct fast_image *image, uint32_t next)
{
    static const uint8_t zeros[FAST_TILE_MAX_BYTES] = { 0 };
    image->empty = next;
    fast_texels_decode_tile(image->key.format, zeros, image->arena + next);
    next += FAST_TILE_TEXELS;
    for (uint32_t index = 0; index <= image->key.last_level; index++) {
        struct fast_image_level *level = &image->levels[index];
        level->base = next;
        next += level->tile_count;
        level->first_tile_word = next;
        struct tile_range range = { 0 };
        while (next_present_tiles(gpu, &image->key, level, &range))
            next += FAST_TILE_TEXELS * range.count;
    }
}

/*
 * Places the bits of all levels that tell which squares are decoded, all 0. Returns the number of the word after them.
 */
static uint32_t place_bits(struct fast_image *image, uint32_t first)
{
    uint32_t next = first;
    for (uint32_t index = 0; index <= image->key.last_level; index++) {
        struct fast_image_level *level = &image->levels[index];
        *level = level_of(&image->key, index);
        level->decoded = next;
        next += (level->columns * level->rows + 31) / 32;
        image->square_count += level->columns * level->rows;
    }
    memset(image->arena + first, 0, (next - first) * sizeof *image->arena);
    return next;
}

uint32_t fast_image_place(const struct fast_gpu *gpu, struct fast_image *image, const struct fast_image_key *key,
                          uint32_t *arena, uint32_t first)
{
    *image = (struct fast_image){ .key = *key, .arena = arena, .size = fast_image_size(key) };
    const uint32_t next = place_bits(image, first);
    image->words = key->sparse ? sparse_words(gpu, key) : dense_words(key);
    if (key->sparse)
        place_sparse(gpu, image, next);
    else
        place_dense(image, next);
    return next - first + image->words;
}

/* -------------------------------------------------------------------------------------------------- what is decoded */

static bool is_decoded(const struct fast_image *image, const struct fast_image_level *level, uint32_t square)
{
    return (image->arena[level->decoded + square / 32] >> (square % 32) & 1) != 0;
}

static void set_decoded(struct fast_image *image, const struct fast_image_level *level, uint32_t square)
{
    image->arena[level->decoded + square / 32] |= (uint32_t)1 << (square % 32);
    image->decoded_count++;
}

static uint32_t count_ones(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

/* Marks squares [first, end) as not decoded. */
static void forget_squares(struct fast_image *image, const struct fast_image_level *level, uint32_t first, uint32_t end)
{
    for (uint32_t at = first; at < end;) {
        const uint32_t bit = at % 32;
        const uint32_t count = smaller(32 - bit, end - at);
        const uint32_t mask = UINT32_MAX >> (32 - count) << bit;
        uint32_t *word = &image->arena[level->decoded + at / 32];
        image->decoded_count -= count_ones(*word & mask);
        *word &= ~mask;
        at += count;
    }
}

/*
 * Tiles first .. last were written: marks the squares that show them as not decoded; where the width is not a multiple
 * of 8, whole rows of squares.
 */
static void forget_tiles(struct fast_image *image, const struct fast_image_level *level, uint32_t first, uint32_t last)
{
    const uint32_t pitch = level->width >> 3;
    if (pitch == level->columns) {
        forget_squares(image, level, first, last + 1);
        return;
    }
    if (pitch == 0) {
        forget_squares(image, level, 0, level->rows);
        return;
    }
    const uint32_t first_row = first / pitch;
    const uint32_t end_row = smaller(last / pitch + 1, level->rows);
    forget_squares(image, level, (first_row > 0 ? first_row - 1 : 0) * level->columns, end_row * level->columns);
}

static void forget_bytes(struct fast_image *image, const struct fast_image_level *level, uint32_t address,
                         uint32_t size)
{
    const uint32_t start = image->key.address + level->offset;
    const uint32_t bytes = level->tile_count * level->tile_bytes;
    uint32_t first = address - start;
    uint32_t end = bytes;
    if (first < bytes) {
        end = first + smaller(size, bytes - first);
    } else if (start - address < size) {
        first = 0;
        end = smaller(size - (start - address), bytes);
    } else {
        return;
    }
    forget_tiles(image, level, first / level->tile_bytes, (end - 1) / level->tile_bytes);
}

bool fast_image_forget(struct fast_image *image, uint32_t address, uint32_t size)
{
    const bool meets = image->key.address - address < size || address - image->key.address < image->size;
    if (!meets || image->decoded_count == 0)
        return false;
    for (uint32_t index = 0; index <= image->key.last_level; index++)
        forget_bytes(image, &image->levels[index], address, size);
    return true;
}

/* --------------------------------------------------------------------------------------------------------- decoding */

/* TEX-06: bytes outside the windows are 0. */
static void decode_tile(const struct fast_gpu *gpu, const struct fast_image_key *key,
                        const struct fast_image_level *level, uint32_t tile, uint32_t out[FAST_TILE_TEXELS])
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
static void decode_dense_square(const struct fast_gpu *gpu, const struct fast_image *image,
                                const struct fast_image_level *level, uint32_t column, uint32_t row)
{
    uint32_t texels[FAST_TILE_TEXELS];
    const uint32_t x = 8 * column;
    const uint32_t y = 8 * row;
    const uint32_t rows = smaller(level->height - y, 8);
    const uint32_t columns = smaller(level->width - x, 8);
    decode_tile(gpu, &image->key, level, row * (level->width >> 3) + column, texels);
    for (uint32_t k = 0; k < rows; k++)
        memcpy(image->arena + level->base + (size_t)(level->height - 1 - y - k) * level->width + x, texels + 8 * k,
               columns * sizeof *texels);
}

static void decode_sparse_level(const struct fast_gpu *gpu, const struct fast_image *image,
                                const struct fast_image_level *level)
{
    uint32_t *words = image->arena;
    uint32_t next = level->first_tile_word;
    for (uint32_t tile = 0; tile < level->tile_count; tile++)
        words[level->base + tile] = image->empty;
    struct tile_range range = { 0 };
    while (next_present_tiles(gpu, &image->key, level, &range))
        for (uint32_t tile = range.first; tile < range.first + range.count; tile++) {
            decode_tile(gpu, &image->key, level, tile, words + next);
            words[level->base + tile] = next;
            next += FAST_TILE_TEXELS;
        }
}

/*
 * Decodes the tile and returns the number of its first word in the arena; that of the tile of zero bytes if none of its
 * bytes is in memory.
 */
static uint32_t decode_sparse_tile(const struct fast_gpu *gpu, const struct fast_image *image,
                                   const struct fast_image_level *level, uint32_t tile)
{
    uint32_t next = level->first_tile_word;
    struct tile_range range = { 0 };
    while (next_present_tiles(gpu, &image->key, level, &range)) {
        if (tile - range.first < range.count) {
            next += FAST_TILE_TEXELS * (tile - range.first);
            decode_tile(gpu, &image->key, level, tile, image->arena + next);
            return next;
        }
        next += FAST_TILE_TEXELS * range.count;
    }
    return image->empty;
}

static void decode_square(const struct fast_gpu *gpu, struct fast_image *image, const struct fast_image_level *level,
                          uint32_t column, uint32_t row)
{
    const uint32_t tile = row * (level->width >> 3) + column;
    if (image->key.sparse)
        image->arena[level->base + tile] = decode_sparse_tile(gpu, image, level, tile);
    else
        decode_dense_square(gpu, image, level, column, row);
    set_decoded(image, level, row * level->columns + column);
}

static void complete_level(const struct fast_gpu *gpu, struct fast_image *image, const struct fast_image_level *level)
{
    if (image->key.sparse) {
        decode_sparse_level(gpu, image, level);
        return;
    }
    for (uint32_t row = 0; row < level->rows; row++)
        for (uint32_t column = 0; column < level->columns; column++)
            if (!is_decoded(image, level, row * level->columns + column))
                decode_dense_square(gpu, image, level, column, row);
}

static void complete_image(const struct fast_gpu *gpu, struct fast_image *image)
{
    for (uint32_t index = 0; index <= image->key.last_level; index++) {
        const struct fast_image_level *level = &image->levels[index];
        complete_level(gpu, image, level);
        memset(image->arena + level->decoded, 255, (level->columns * level->rows + 31) / 32 * sizeof *image->arena);
    }
    image->decoded_count = image->square_count;
    image->pixels = 0;
}

/* ---------------------------------------------------------------------------------------------------- while drawing */

static const struct fast_image_level *find_level(const struct fast_texture_unit *unit, uint32_t base,
                                                 struct fast_image **image)
{
    for (uint32_t face = 0; face < unit->face_count; face++)
        for (uint32_t index = 0; index <= unit->images[face]->key.last_level; index++)
            if (unit->base[face][index] == base) {
                *image = unit->images[face];
                return &unit->images[face]->levels[index];
            }
    return NULL; /* not reached: `base` is one of these */
}

/*
 * A lane that does not read (`is_read` is false) only needs a valid index in its place of the table of tiles. If the
 * width is not a multiple of 8, that place may also belong to another square, which is decoded already (TEX-22); then
 * the index must be that of the tile itself.
 */
static void need_texel(const struct fast_texture_unit *unit, bool is_read, uint32_t base, uint32_t s, uint32_t t)
{
    struct fast_image *image = NULL;
    const struct fast_image_level *level = find_level(unit, base, &image);
    const uint32_t memory_row = level->height - 1 - t;
    const uint32_t column = s >> 3;
    const uint32_t row = memory_row >> 3;
    if (is_decoded(image, level, row * level->columns + column))
        return;
    const bool shares_tiles = level->width % 8 != 0;
    if (is_read || (image->key.sparse && shares_tiles))
        decode_square(unit->gpu, image, level, column, row);
    else if (image->key.sparse)
        image->arena[level->base + row * (level->width >> 3) + column] = image->empty;
}

void fast_texels_needed(const struct fast_texture_unit *unit, const struct fast_texel_lanes *lanes)
{
    for (uint32_t lane = 0; lane < FAST_TEXEL_LANES; lane++)
        need_texel(unit, (lanes->read >> lane & 1) != 0, (uint32_t)lanes->base[lane], (uint32_t)lanes->s[lane],
                   (uint32_t)lanes->t[lane]);
}

/* --------------------------------------------------------------------------------------------------- before drawing */

static bool is_worth_completing(const struct fast_gpu *gpu, const struct fast_image *image)
{
    const uint32_t missing = FAST_TILE_TEXELS * (image->square_count - image->decoded_count);
    const uint32_t words = smaller(missing, image->words);
    return words <= gpu->capacity.whole_words || image->pixels * gpu->capacity.pixel_words >= words;
}

static bool prepare_unit(struct fast_texture_unit *unit, uint64_t pixels)
{
    unit->lazy = false;
    for (uint32_t face = 0; face < unit->face_count; face++) {
        struct fast_image *image = unit->images[face];
        if (fast_image_is_complete(image))
            continue;
        image->pixels += pixels;
        if (is_worth_completing(unit->gpu, image))
            complete_image(unit->gpu, image);
        else
            unit->lazy = true;
    }
    return unit->lazy;
}

bool fast_images_prepare(struct fast_shading_state *state, uint64_t pixels)
{
    bool lazy = false;
    for (uint32_t unit = 0; unit < FAST_IMAGE_UNITS; unit++)
        lazy = prepare_unit(&state->units[unit], pixels) || lazy;
    return lazy;
}
