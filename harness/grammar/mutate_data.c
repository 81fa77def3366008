/* Changes of memory contents: vertices, texels, indices, patterns, raw bytes, and lists that lie in memory. */
#include "harness/case/little.h"
#include "harness/grammar/mutate_parts.h"

#include <string.h>

enum {
    MOST_BYTES = 1 << 16, /* longer contents do not grow */
    FLATTEN_BYTES = 512   /* longer patterns stay patterns */
};

struct harness_data *mutate_contents_at(struct harness_case *test_case, uint32_t index, uint32_t **address)
{
    if (index < test_case->chunk_count) {
        *address = &test_case->chunks[index].address;
        return &test_case->chunks[index].data;
    }
    struct harness_operation *const operation = &test_case->operations[index - test_case->chunk_count];
    *address = &operation->address;
    return operation->kind == HARNESS_LOAD ? &operation->data : NULL;
}

/* One of the contents of the case; NULL if there are none. */
static struct harness_data *pick_data(const struct mutation *mutation, uint32_t **address)
{
    struct harness_case *const test_case = mutation->test_case;
    struct harness_data *picked = NULL;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < test_case->chunk_count + test_case->operation_count; i++) {
        uint32_t *at;
        struct harness_data *const data = mutate_contents_at(test_case, i, &at);
        if (data != NULL && harness_random_below(mutation->random, ++seen) == 0) {
            picked = data;
            *address = at;
        }
    }
    return picked;
}

/* ----------------------------------------------------------------------------------------------------------- bytes */

/* The engine's own byte mutator, on a part of the bytes and in place. */
static bool call_leaf(const struct mutation *mutation, struct harness_data *data)
{
    const uint32_t first = harness_random_below(mutation->random, data->size);
    const uint32_t left = data->size - first;
    const uint32_t size = left < 64 ? left : 64;
    return mutation->leaf(data->bytes + first, size, size) != 0;
}

static void change_word_in_place(const struct mutation *mutation, struct harness_data *data)
{
    const uint32_t offset = harness_random_below(mutation->random, data->size);
    if (data->size < 4 || harness_random_percent(mutation->random, 40)) {
        data->bytes[offset] = (uint8_t)harness_random_number(mutation->random, 8);
        return;
    }
    const uint32_t aligned = offset & ~3u;
    uint8_t *const place = data->bytes + (aligned + 4u <= data->size ? aligned : data->size - 4u);
    (void)harness_store32(place, harness_word_change(mutation->random, harness_load32(place)));
}

static void copy_inside(struct harness_random *random, struct harness_data *data)
{
    const uint32_t from = harness_random_below(random, data->size);
    const uint32_t to = harness_random_below(random, data->size);
    const uint32_t room = data->size - (from > to ? from : to);
    const uint32_t size = harness_random_between(random, 1, room < 32 ? room : 32);
    memmove(data->bytes + to, data->bytes + from, size);
}

static bool resize(const struct mutation *mutation, struct harness_data *data)
{
    struct harness_random *const random = mutation->random;
    uint32_t size = harness_random_percent(random, 50) ? harness_random_below(random, data->size + 1u)
                                                       : data->size + harness_random_between(random, 1, 64);
    if (size > MOST_BYTES && size > data->size)
        return false;
    uint8_t *const bytes = harness_arena_take(&mutation->test_case->arena, size);
    if (bytes == NULL)
        return false;
    const uint32_t kept = size < data->size ? size : data->size;
    if (kept != 0)
        memcpy(bytes, data->bytes, kept);
    data->bytes = bytes;
    data->size = size;
    return true;
}

static bool change_bytes(const struct mutation *mutation, struct harness_data *data)
{
    struct harness_random *const random = mutation->random;
    if (data->size == 0 || harness_random_percent(random, 5))
        return resize(mutation, data);
    if (mutation->leaf != NULL && harness_random_percent(random, 35))
        return call_leaf(mutation, data);
    if (harness_random_percent(random, 15)) {
        copy_inside(random, data);
        return true;
    }
    for (uint32_t i = harness_random_percent(random, 60) ? 1 : harness_random_between(random, 2, 8); i > 0; i--)
        change_word_in_place(mutation, data);
    return true;
}

/* ----------------------------------------------------------------------------------------------------------- tables */

static uint32_t change_element(struct harness_random *random, enum harness_element element, uint32_t old)
{
    const uint32_t bits = 8u * harness_element_size(element);
    switch (element) {
    case HARNESS_ELEMENT_F32:
        return harness_random_percent(random, 60) ? harness_random_f32(random) : harness_word_change(random, old);
    case HARNESS_ELEMENT_S8:
    case HARNESS_ELEMENT_U8:
    case HARNESS_ELEMENT_S16:
    case HARNESS_ELEMENT_U16:
    case HARNESS_ELEMENT_U32:
    case HARNESS_ELEMENT_PAD: break;
    }
    switch (harness_random_below(random, 4)) {
    case 0: return old + 1u;
    case 1: return old - 1u;
    case 2: return old ^ 1u << harness_random_below(random, bits);
    default: return harness_random_number(random, bits);
    }
}

static uint32_t get_element(const struct harness_data *data, uint32_t offset, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < size; i++)
        value |= (uint32_t)data->bytes[offset + i] << (8 * i);
    return value;
}

/* Changes one element of one row. Now and then it becomes what another row has there, with one bit changed: code that
 * compares only some of the bits (of an index, say) takes the two for the same. */
static bool change_table_element(const struct mutation *mutation, struct harness_data *data)
{
    struct harness_random *const random = mutation->random;
    const uint32_t row_size = harness_layout_size(&data->layout);
    if (row_size == 0 || data->size < row_size)
        return change_bytes(mutation, data);
    const uint32_t field = harness_random_below(random, data->layout.field_count);
    const enum harness_element element = (enum harness_element)data->layout.fields[field].element;
    const uint32_t size = harness_element_size(element);
    const uint32_t rows = data->size / row_size;
    const uint32_t row = row_size * harness_random_below(random, rows);
    uint32_t offset = size * harness_random_below(random, data->layout.fields[field].count);
    for (uint32_t f = 0; f < field; f++)
        offset +=
            data->layout.fields[f].count * harness_element_size((enum harness_element)data->layout.fields[f].element);
    uint32_t new = change_element(random, element, get_element(data, row + offset, size));
    if (element != HARNESS_ELEMENT_F32 && harness_random_percent(random, 15)) {
        const uint32_t other = row_size * harness_random_below(random, rows);
        new = get_element(data, other + offset, size) ^ 1u << harness_random_below(random, 8u * size);
    }
    for (uint32_t i = 0; i < size; i++)
        data->bytes[row + offset + i] = (uint8_t)(new >> (8 * i));
    return true;
}

static void copy_row(struct harness_random *random, struct harness_data *data, uint32_t row_size)
{
    const uint32_t rows = data->size / row_size;
    const uint32_t from = harness_random_below(random, rows);
    const uint32_t to = harness_random_below(random, rows);
    memmove(data->bytes + to * row_size, data->bytes + from * row_size, row_size);
}

static bool change_table(const struct mutation *mutation, struct harness_data *data)
{
    struct harness_random *const random = mutation->random;
    const uint32_t row_size = harness_layout_size(&data->layout);
    if (data->size == 0 || harness_random_percent(random, 5))
        return resize(mutation, data);
    if (row_size != 0 && data->size >= 2 * row_size && harness_random_percent(random, 15)) {
        copy_row(random, data, row_size);
        return true;
    }
    if (mutation->leaf != NULL && harness_random_percent(random, 15))
        return call_leaf(mutation, data);
    bool changed = false;
    for (uint32_t i = harness_random_percent(random, 70) ? 1 : harness_random_between(random, 2, 6); i > 0; i--)
        changed = change_table_element(mutation, data) || changed;
    return changed;
}

/* --------------------------------------------------------------------------------------------------------- patterns */

static bool change_pattern(const struct mutation *mutation, struct harness_data *data)
{
    struct harness_random *const random = mutation->random;
    const uint32_t size = data->size + harness_random_below(random, 129) - 64u;
    switch (harness_random_below(random, 6)) {
    case 0: data->pattern = (enum harness_pattern)harness_random_below(random, 3); return true;
    case 1: data->size = size > MOST_BYTES ? harness_random_below(random, 1024) : size; return true;
    case 2: return data->size <= FLATTEN_BYTES && harness_data_flatten(mutation->test_case, data);
    default: data->value = harness_word_change(random, data->value); return true;
    }
}

/* Changes one word of a list that is stored in memory. */
static bool change_stored_list(const struct mutation *mutation, struct harness_data *data)
{
    if (data->list.count == 0)
        return false;
    struct harness_command *const command =
        harness_list_edit(&data->list, harness_random_below(mutation->random, data->list.count));
    const uint32_t k = harness_random_below(mutation->random, command->count);
    harness_command_edit(command)[k] =
        mutate_register_word(mutation, harness_command_register(command, k), command->parameters[k]);
    return true;
}

bool mutate_contents(const struct mutation *mutation)
{
    uint32_t *address = NULL;
    struct harness_data *const data = pick_data(mutation, &address);
    if (data == NULL)
        return false;
    switch (data->kind) {
    case HARNESS_DATA_BYTES: return change_bytes(mutation, data);
    case HARNESS_DATA_TABLE: return change_table(mutation, data);
    case HARNESS_DATA_PATTERN: return change_pattern(mutation, data);
    case HARNESS_DATA_LIST: return change_stored_list(mutation, data);
    }
    return false; /* not reached: four kinds */
}

/* ---------------------------------------------------------------------------------------------------------- chunks */

static bool insert_chunk(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_data data;
    if (mutation->test_case->chunk_count >= MUTATE_MOST_CHUNKS)
        return false;
    const enum harness_pattern pattern = (enum harness_pattern)harness_random_below(random, 3);
    const uint32_t value = harness_random_number(random, 32);
    harness_data_pattern(&data, pattern, value, harness_random_between(random, 1, 1024));
    const uint32_t index = harness_random_below(random, mutation->test_case->chunk_count + 1u);
    return harness_case_insert_chunk(mutation->test_case, index, mutate_any_address(mutation), &data) != NULL;
}

bool mutate_chunks(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_case *const test_case = mutation->test_case;
    uint32_t *address = NULL;
    switch (harness_random_below(random, 4)) {
    case 0: return insert_chunk(mutation);
    case 1:
        if (test_case->chunk_count == 0)
            return false;
        harness_case_remove_chunks(test_case, harness_random_below(random, test_case->chunk_count), 1);
        return true;
    default:
        if (pick_data(mutation, &address) == NULL)
            return false;
        *address = harness_random_percent(random, 50) ? *address + 16u * harness_random_below(random, 17) - 128u
                                                      : mutate_any_address(mutation);
        return true;
    }
}
