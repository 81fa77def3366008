/* Changes of rows of vertices and of addresses of contents; mostly the registers that refer to them are adjusted. */
#include "harness/grammar/gen_parts.h"
#include "harness/grammar/mutate_parts.h"

#include <string.h>

enum {
    MOST_ROW_BYTES = 1 << 14,
    REPAIRED_PERCENT = 75 /* otherwise counts and addresses no longer fit */
};

/* ------------------------------------------------------------------------------------ all words of a case's lists */

/* Called for every parameter of every list that is run or stored in memory; returns the new word. */
typedef uint32_t (*word_change)(void *context, uint32_t id, uint32_t word);

static void each_word_of(struct harness_list *list, word_change change, void *context)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct harness_command *const command = &list->commands[i];
        for (uint32_t k = 0; k < command->count; k++) {
            const uint32_t word = change(context, harness_command_register(command, k), command->parameters[k]);
            if (word != command->parameters[k])
                harness_command_edit(harness_list_edit(list, i))[k] = word;
        }
    }
}

static void each_word(struct harness_case *test_case, word_change change, void *context)
{
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        if (test_case->chunks[i].data.kind == HARNESS_DATA_LIST)
            each_word_of(&test_case->chunks[i].data.list, change, context);
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        if (test_case->operations[i].data.kind == HARNESS_DATA_LIST)
            each_word_of(&test_case->operations[i].data.list, change, context);
}

/* ------------------------------------------------------------------------------------------------------------ rows */

static struct harness_data *pick_table(const struct mutation *mutation)
{
    struct harness_case *const test_case = mutation->test_case;
    struct harness_data *picked = NULL;
    uint32_t seen = 0;
    for (uint32_t i = 0; i < test_case->chunk_count + test_case->operation_count; i++) {
        uint32_t *address;
        struct harness_data *const data = mutate_contents_at(test_case, i, &address);
        if (data != NULL && data->kind == HARNESS_DATA_TABLE && data->size >= harness_layout_size(&data->layout) &&
            data->size <= MOST_ROW_BYTES && harness_random_below(mutation->random, ++seen) == 0)
            picked = data;
    }
    return picked;
}

/* Inserts copies of `count` rows, beginning at `first`, before row `at`. */
static bool insert_rows(struct harness_case *test_case, struct harness_data *data, uint32_t at, uint32_t first,
                        uint32_t count)
{
    const uint32_t row = harness_layout_size(&data->layout);
    uint8_t *const bytes = harness_arena_raw(&test_case->arena, data->size + count * row);
    if (bytes == NULL)
        return false;
    memcpy(bytes, data->bytes, at * row);
    memcpy(bytes + at * row, data->bytes + first * row, count * row);
    memcpy(bytes + (at + count) * row, data->bytes + at * row, data->size - at * row);
    data->bytes = bytes;
    data->size += count * row;
    return true;
}

static void remove_rows(struct harness_data *data, uint32_t first, uint32_t count)
{
    const uint32_t row = harness_layout_size(&data->layout);
    const uint32_t behind = (first + count) * row;
    memmove(data->bytes + first * row, data->bytes + behind, data->size - behind);
    data->size -= count * row;
}

static void swap_rows(struct harness_data *data, uint32_t a, uint32_t b)
{
    const uint32_t row = harness_layout_size(&data->layout);
    for (uint32_t i = 0; i < row; i++) {
        const uint8_t kept = data->bytes[a * row + i];
        data->bytes[a * row + i] = data->bytes[b * row + i];
        data->bytes[b * row + i] = kept;
    }
}

struct recount {
    uint32_t from;
    uint32_t to;
};

static uint32_t recount_word(void *context, uint32_t id, uint32_t word)
{
    const struct recount *const recount = context;
    return id == PICA_REG_NUMVERTICES && word == recount->from ? recount->to : word;
}

bool mutate_vertices(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_data *const data = pick_table(mutation);
    if (data == NULL)
        return false;
    const uint32_t rows = data->size / harness_layout_size(&data->layout);
    const uint32_t first = harness_random_below(random, rows);
    const uint32_t left = rows - first;
    const uint32_t count = harness_random_between(random, 1, left < 3 ? left : 3);
    struct recount recount = { rows, rows };
    switch (harness_random_below(random, 4)) {
    case 0:
        if (!insert_rows(mutation->test_case, data, harness_random_below(random, rows + 1u), first, count))
            return false;
        recount.to = rows + count;
        break;
    case 1:
        remove_rows(data, first, count);
        recount.to = rows - count;
        break;
    default: swap_rows(data, first, harness_random_below(random, rows)); return true;
    }
    if (harness_random_percent(random, REPAIRED_PERCENT))
        each_word(mutation->test_case, recount_word, &recount);
    return true;
}

/* ------------------------------------------------------------------------------------------------------- addresses */

/* The `size` bytes from `first` on move by `distance`, which is modulo 2^32. */
struct relocation {
    uint32_t first;
    uint32_t size;
    uint32_t distance;
    uint32_t base; /* of vertex arrays and indices (VTX-01), as last written */
};

static bool moves(const struct relocation *relocation, uint32_t address)
{
    return address - relocation->first < relocation->size;
}

static uint32_t relocate_word(void *context, uint32_t id, uint32_t word)
{
    struct relocation *const relocation = context;
    const struct pica_reg_info *const info = pica_reg_info(id);
    size_t count = 0;
    const struct pica_field_info *const fields = info == NULL ? NULL : pica_layout_fields(info->layout, &count);
    for (size_t f = 0; f < count; f++) {
        const bool is_offset = info->layout == PICA_LAYOUT_ATTRIBBUFFER_OFFSET ||
                               (info->layout == PICA_LAYOUT_INDEXBUFFER_CONFIG && f == 0);
        if (fields[f].type != PICA_FIELD_ADDRESS && !is_offset)
            continue;
        const uint32_t value = pica_field_get(&fields[f], word);
        if (info->layout == PICA_LAYOUT_ATTRIBBUFFERS_LOC) { /* the arrays after it move singly */
            relocation->base = value << fields[f].unit;
            continue;
        }
        const uint32_t address = is_offset ? relocation->base + value : value << fields[f].unit;
        if (moves(relocation, address))
            word = pica_field_set(&fields[f], word,
                                  is_offset ? value + relocation->distance
                                            : (address + relocation->distance) >> fields[f].unit);
    }
    return word;
}

/* Moves contents to another address; mostly the registers that name the old one follow. */
bool mutate_relocate(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_case *const test_case = mutation->test_case;
    const uint32_t total = test_case->chunk_count + test_case->operation_count;
    if (total == 0)
        return false;
    const uint32_t index = harness_random_below(random, total);
    uint32_t *address;
    const struct harness_data *const data = mutate_contents_at(test_case, index, &address);
    if (data == NULL)
        return false;
    const uint32_t distance = harness_random_percent(random, 60) ? 16u * harness_random_below(random, 33) - 256u
                                                                 : mutate_any_address(mutation) - *address;
    struct relocation relocation = { *address, (uint32_t)harness_data_size(data, false), distance, 0 };
    *address += distance;
    if (harness_random_percent(random, REPAIRED_PERCENT))
        each_word(test_case, relocate_word, &relocation);
    return distance != 0;
}
