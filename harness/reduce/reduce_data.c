/* Passes over memory contents: vertices, indices, textures, tables; parts of them, then what they are made of. */
#include "harness/case/little.h"
#include "harness/reduce/reduce_pass.h"

#include <string.h>

enum {
    GRANULES = 64 /* a block is looked at in this many pieces; they get finer as it shrinks */
};

/* Bytes of a piece: whole rows of a table. */
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

static uint32_t count_granules(const struct harness_case *test_case)
{
    struct harness_case view = *test_case;
    struct reduce_blocks blocks = { .test_case = &view };
    uint32_t *address = NULL;
    uint32_t count = 0;
    for (const struct harness_data *data; (data = harness_reduce_next_block(&blocks, &address)) != NULL;)
        count += granules_of(data);
    return count;
}

static bool all_zero(const uint8_t *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* Variants: what follows moves up; what follows keeps its address, if the range begins the block; zeros. */
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

static bool change_granules(struct harness_case *test_case, struct reduce_range range, uint32_t variant)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    uint32_t *address = NULL;
    uint32_t unit = 0;
    bool changed = false;
    for (struct harness_data *data; (data = harness_reduce_next_block(&blocks, &address)) != NULL;) {
        const uint32_t granules = granules_of(data);
        const uint32_t first = range.first > unit ? range.first - unit : 0;
        const uint64_t stop = (uint64_t)range.first + range.count;
        const uint32_t end = stop <= unit ? 0 : stop - unit < granules ? (uint32_t)(stop - unit) : granules;
        unit += granules;
        if (first >= end)
            continue;
        const uint32_t granule = granule_of(data);
        const uint32_t to = end == granules ? data->size : end * granule;
        changed = change_range(data, address, first * granule, to, variant) || changed;
    }
    return changed;
}

const struct reduce_pass harness_reduce_bytes = { "contents in pieces", 3, count_granules, change_granules, false };

/* -------------------------------------------------------------------------------------------------- whole contents */

static uint32_t count_blocks(const struct harness_case *test_case)
{
    return test_case->chunk_count + test_case->operation_count;
}

static bool is_raw(const struct harness_data *data)
{
    return data->kind == HARNESS_DATA_BYTES || data->kind == HARNESS_DATA_TABLE;
}

/* The bytes become their first word, repeated: a texture of one colour, say. */
static bool to_fill(struct harness_data *data)
{
    if (!is_raw(data) || data->size <= 8)
        return false;
    harness_data_pattern(data, HARNESS_PATTERN_FILL, harness_load32(data->bytes), data->size);
    return true;
}

/* Noise and ramps become one value, that value becomes ones, and then zeros. */
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

static bool change_blocks(struct harness_case *test_case, struct reduce_range range, uint32_t variant)
{
    bool changed = false;
    for (uint32_t unit = range.first; unit < range.first + range.count; unit++) {
        struct reduce_blocks blocks = { .test_case = test_case, .next = unit };
        uint32_t *address = NULL;
        struct harness_data *const data = harness_reduce_next_block(&blocks, &address);
        if (data != NULL && blocks.next == unit + 1)
            changed = change_block(data, address, variant) || changed;
    }
    return changed;
}

const struct reduce_pass harness_reduce_contents = { "contents", 8, count_blocks, change_blocks, false };
