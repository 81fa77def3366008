/* Passes over memory contents: vertices, indices, textures, tables; first parts of them, then their contents. */
#include "harness/case/little.h"
#include "harness/reduce/reduce_pass.h"

#include <string.h>

enum {
    GRANULES = 64 /* pieces per block; they get finer as the block shrinks */
};

/* Bytes of a piece; in a table whole rows. */
static uint32_t granule_of(const struct harness_data *data)
{
    const uint32_t unit = data->kind == HARNESS_DATA_TABLE ? harness_layout_size(&data->layout) : 1u;
    const uint32_t units = unit != 0 ? data->size / unit : 0;
    return unit * (units / GRANULES + 1u);
}

static uint32_t granules_of(const struct harness_data *data)
{
    if (data->kind != HARNESS_DATA_BYTES && data->kind != HARNESS_DATA_TABLE)
        return 0;
    const uint32_t granule = granule_of(data);
    return granule != 0 ? (data->size + granule - 1) / granule : 0;
}

static bool all_zero(const uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* Variants: remove the range and move up what follows; remove it and keep the address of what follows, if the range
 * begins the block; fill it with zeros. */
static bool change_range(struct harness_data *data, uint32_t *address, uint32_t from, uint32_t to, uint32_t variant)
{
    if (variant == 2) {
        if (all_zero(data->bytes + from, to - from))
            return false;
        memset(data->bytes + from, 0, to - from);
        return true;
    }
    if (variant == 1 && from != 0)
        return false;
    memmove(data->bytes + from, data->bytes + to, data->size - to);
    data->size -= to - from;
    if (variant == 1)
        *address += to - from;
    return true;
}

static bool change_granules(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    uint32_t *address = NULL;
    for (struct harness_data *data; (data = harness_reduce_next_block(&blocks, &address)) != NULL;) {
        const uint32_t granules = granules_of(data);
        const struct reduce_range taken = harness_reduce_takes_of(walk, granules);
        if (taken.count == 0)
            continue;
        const uint32_t granule = granule_of(data), end = taken.first + taken.count;
        const uint32_t to = end == granules ? data->size : end * granule;
        walk->changed = change_range(data, address, taken.first * granule, to, walk->variant) || walk->changed;
    }
    return true;
}

const struct reduce_pass harness_reduce_bytes = { "contents in pieces", 3, .walk = change_granules };

/* -------------------------------------------------------------------------------------------------- whole contents */

static bool is_raw(const struct harness_data *data)
{
    return data->kind == HARNESS_DATA_BYTES || data->kind == HARNESS_DATA_TABLE;
}

/* Repeats the first word over all bytes, which makes a texture of one colour, say. */
static bool to_fill(struct harness_data *data)
{
    if (!is_raw(data) || data->size <= 8)
        return false;
    harness_data_pattern(data, HARNESS_PATTERN_FILL, harness_load32(data->bytes), data->size);
    return true;
}

/* Replaces noise and ramps by one value, that value by ones, and ones by zeros. */
static bool plainer_pattern(struct harness_data *data, uint32_t value)
{
    if (data->kind != HARNESS_DATA_PATTERN ||
        (data->pattern == HARNESS_PATTERN_FILL && (data->value == value || data->value == 0)))
        return false;
    data->pattern = HARNESS_PATTERN_FILL;
    data->value = value;
    return true;
}

static bool shorter_pattern(struct harness_data *data, uint32_t size)
{
    if (data->kind != HARNESS_DATA_PATTERN || size >= data->size)
        return false;
    data->size = size;
    return true;
}

static bool trim_end(struct harness_data *data)
{
    if (data->kind != HARNESS_DATA_BYTES || data->size == 0 || data->bytes[data->size - 1] != 0)
        return false;
    while (data->size != 0 && data->bytes[data->size - 1] == 0)
        data->size--;
    return true;
}

static bool trim_start(struct harness_data *data, uint32_t *address)
{
    uint32_t zeros = 0;
    while (data->kind == HARNESS_DATA_BYTES && zeros < data->size && data->bytes[zeros] == 0)
        zeros++;
    if (zeros == 0)
        return false;
    data->bytes += zeros;
    data->size -= zeros;
    *address += zeros;
    return true;
}

static bool change_block(struct harness_data *data, uint32_t *address, uint32_t variant)
{
    switch (variant) {
    case 0: return to_fill(data);
    case 1: return plainer_pattern(data, 0);
    case 2: return plainer_pattern(data, UINT32_MAX);
    case 3: return trim_end(data);
    case 4: return trim_start(data, address);
    case 5: return shorter_pattern(data, data->size / 16);
    case 6: return shorter_pattern(data, data->size / 2);
    default: return shorter_pattern(data, data->size - data->size / 4);
    }
}

/* Operations without contents are counted as well. */
static bool change_blocks(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    uint32_t *address = NULL;
    for (struct harness_data *data; (data = harness_reduce_next_block(&blocks, &address)) != NULL;)
        if (harness_reduce_within(walk->range, blocks.next - 1))
            walk->changed = change_block(data, address, walk->variant) || walk->changed;
    walk->seen = blocks.next;
    return true;
}

const struct reduce_pass harness_reduce_contents = { "contents", 8, .walk = change_blocks };
