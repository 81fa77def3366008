/* Memory contents: bytes, tables of typed rows, computed patterns, command lists. */
#include "harness/case/case.h"
#include "harness/case/hash.h"
#include "harness/case/little.h"

#include <stdlib.h>
#include <string.h>

uint32_t harness_element_size(enum harness_element element)
{
    switch (element) {
    case HARNESS_ELEMENT_S8: return 1;
    case HARNESS_ELEMENT_U8: return 1;
    case HARNESS_ELEMENT_S16: return 2;
    case HARNESS_ELEMENT_F32: return 4;
    case HARNESS_ELEMENT_U16: return 2;
    case HARNESS_ELEMENT_U32: return 4;
    case HARNESS_ELEMENT_PAD: return 1;
    }
    return 1; /* not reached: harness_case_check refuses other numbers */
}

uint32_t harness_layout_size(const struct harness_layout *layout)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < layout->field_count; i++)
        size += layout->fields[i].count * harness_element_size((enum harness_element)layout->fields[i].element);
    return size;
}

/* ------------------------------------------------------------------------------------------------------- building */

bool harness_data_bytes(struct harness_case *test_case, struct harness_data *out, const uint8_t *bytes, size_t size)
{
    if (size > HARNESS_MAX_DATA)
        return false;
    uint8_t *const copy = harness_arena_copy(&test_case->arena, bytes, size);
    if (copy == NULL)
        return false;
    *out = (struct harness_data){ .kind = HARNESS_DATA_BYTES, .size = (uint32_t)size, .bytes = copy };
    return true;
}

bool harness_data_table(struct harness_case *test_case, struct harness_data *out, const struct harness_layout *layout,
                        const uint8_t *bytes, size_t size)
{
    struct harness_data data;
    if (!harness_data_bytes(test_case, &data, bytes, size))
        return false;
    data.kind = HARNESS_DATA_TABLE;
    data.layout.field_count = layout->field_count;
    for (uint32_t i = 0; i < layout->field_count && i < HARNESS_MAX_LAYOUT_FIELDS; i++)
        data.layout.fields[i] = layout->fields[i];
    *out = data;
    return true;
}

void harness_data_pattern(struct harness_data *out, enum harness_pattern pattern, uint32_t value, uint32_t size)
{
    *out = (struct harness_data){ .kind = HARNESS_DATA_PATTERN, .size = size, .pattern = pattern, .value = value };
}

void harness_data_list(struct harness_data *out, const struct harness_list *list)
{
    *out = (struct harness_data){ .kind = HARNESS_DATA_LIST, .list = *list };
}

bool harness_data_decode(struct harness_case *test_case, struct harness_data *out, const uint8_t *bytes, size_t size)
{
    struct harness_list list;
    uint32_t *const words = malloc(size + 1);
    for (size_t i = 0; words != NULL && i < size / 4; i++)
        words[i] = harness_load32(bytes + 4 * i);
    const bool good = words != NULL && harness_list_decode(test_case, &list, words, size / 4);
    if (good)
        harness_data_list(out, &list);
    free(words);
    return good;
}

bool harness_data_copy(struct harness_case *to, struct harness_data *out, const struct harness_data *from)
{
    struct harness_data data = *from;
    data.bytes = NULL;
    if (from->kind == HARNESS_DATA_LIST && !harness_list_copy(to, &data.list, &from->list))
        return false;
    if (from->bytes != NULL) {
        data.bytes = harness_arena_copy(&to->arena, from->bytes, from->size);
        if (data.bytes == NULL)
            return false;
    }
    *out = data;
    return true;
}

bool harness_data_flatten(struct harness_case *test_case, struct harness_data *data)
{
    if (data->kind == HARNESS_DATA_TABLE) {
        *data = (struct harness_data){ .kind = HARNESS_DATA_BYTES, .size = data->size, .bytes = data->bytes };
        return true;
    }
    if (data->kind != HARNESS_DATA_PATTERN)
        return true;
    uint8_t *const bytes = harness_arena_take(&test_case->arena, data->size);
    if (bytes == NULL)
        return false;
    harness_data_write(data, false, bytes);
    *data = (struct harness_data){ .kind = HARNESS_DATA_BYTES, .size = data->size, .bytes = bytes };
    return true;
}

/* ----------------------------------------------------------------------------------------------------- comparison */

static bool commands_equal(const struct harness_command *a, const struct harness_command *b, bool with_comments)
{
    return a->id == b->id && a->count == b->count && a->mask == b->mask && a->ignored == b->ignored &&
           a->consecutive == b->consecutive && a->padding == b->padding &&
           memcmp(a->parameters, b->parameters, a->count * sizeof *a->parameters) == 0 &&
           (!with_comments || harness_texts_equal(a->comment, b->comment));
}

static bool lists_equal(const struct harness_list *a, const struct harness_list *b, bool with_comments)
{
    if (a->count != b->count || a->tail_count != b->tail_count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!commands_equal(&a->commands[i], &b->commands[i], with_comments))
            return false;
    return a->tail_count == 0 || memcmp(a->tail, b->tail, a->tail_count * sizeof *a->tail) == 0;
}

static bool layouts_equal(const struct harness_layout *a, const struct harness_layout *b)
{
    if (a->field_count != b->field_count)
        return false;
    for (uint32_t i = 0; i < a->field_count; i++)
        if (a->fields[i].element != b->fields[i].element || a->fields[i].count != b->fields[i].count)
            return false;
    return true;
}

bool harness_data_equal(const struct harness_data *a, const struct harness_data *b, bool with_comments)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case HARNESS_DATA_BYTES: return a->size == b->size && (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
    case HARNESS_DATA_TABLE:
        return a->size == b->size && layouts_equal(&a->layout, &b->layout) &&
               (a->size == 0 || memcmp(a->bytes, b->bytes, a->size) == 0);
    case HARNESS_DATA_PATTERN: return a->size == b->size && a->pattern == b->pattern && a->value == b->value;
    case HARNESS_DATA_LIST: return lists_equal(&a->list, &b->list, with_comments);
    }
    return false; /* not reached: four kinds */
}

/* ---------------------------------------------------------------------------------------------- bytes as in memory */

/* Fills the last 8 bytes of a list that RUN submits: `0x22B = 0` with mask 0 does nothing (REG-06, CMD-05) and
 * records nothing. */
static const uint32_t PADDING_PARAMETER = 0;
static const uint32_t PADDING_HEADER = 0x0000022B;

uint64_t harness_data_size(const struct harness_data *data, bool padded)
{
    if (data->kind != HARNESS_DATA_LIST)
        return data->size;
    const uint64_t size = 4 * harness_list_words(&data->list);
    return padded ? (size + 15) & ~(uint64_t)15 : size;
}

static uint8_t *put_command(uint8_t *out, const struct harness_command *command)
{
    out = harness_store32(out, command->parameters[0]);
    out = harness_store32(out, harness_command_header(command));
    for (uint32_t k = 1; k < command->count; k++)
        out = harness_store32(out, command->parameters[k]);
    return (command->count & 1u) == 0 ? harness_store32(out, command->padding) : out;
}

/* SUB-02: the size register counts whole 16 bytes. Words of a tail that is not a whole pair are padded with 0. */
static void write_list(const struct harness_list *list, bool padded, uint8_t *out)
{
    const uint64_t words = harness_list_words(list);
    for (uint32_t i = 0; i < list->count; i++)
        out = put_command(out, &list->commands[i]);
    for (uint32_t i = 0; i < list->tail_count; i++)
        out = harness_store32(out, list->tail[i]);
    if (!padded)
        return;
    if ((words & 1u) != 0)
        out = harness_store32(out, 0);
    if (((words + 1) & 2u) != 0) {
        out = harness_store32(out, PADDING_PARAMETER);
        (void)harness_store32(out, PADDING_HEADER);
    }
}

/* Eight bytes, the lowest first, or as many as are left. */
static void put_noise(uint8_t *out, uint32_t size, uint64_t noise)
{
    for (uint32_t i = 0; i < size && i < 8; i++)
        out[i] = (uint8_t)(noise >> (8 * i));
}

static void write_noise(uint8_t *out, uint32_t size, uint64_t seed)
{
    uint32_t i = 0;
    for (; i + 8 <= size; i += 8) {
        const uint64_t noise = harness_splitmix64(&seed);
        (void)harness_store32(harness_store32(out + i, (uint32_t)noise), (uint32_t)(noise >> 32));
    }
    if (i < size)
        put_noise(out + i, size - i, harness_splitmix64(&seed));
}

static void write_fill(uint8_t *out, uint32_t size, uint32_t value)
{
    uint32_t i = 0;
    for (; i + 4 <= size; i += 4)
        (void)harness_store32(out + i, value);
    for (; i < size; i++)
        out[i] = (uint8_t)(value >> (8 * (i & 3u)));
}

/* Byte by byte, 256 to a row: within a row each is one step more than the one before. */
static void write_ramp(uint8_t *out, uint32_t size, uint32_t value)
{
    const uint8_t step = (uint8_t)(value >> 8);
    for (uint32_t i = 0; i < size; i += 256) {
        const uint32_t count = size - i < 256 ? size - i : 256;
        uint8_t byte = (uint8_t)(value + (i >> 8) * (value >> 16));
        for (uint32_t k = 0; k < count; k++) {
            out[i + k] = byte;
            byte = (uint8_t)(byte + step);
        }
    }
}

static void write_pattern(const struct harness_data *data, uint8_t *out)
{
    const uint32_t value = data->value;
    switch (data->pattern) {
    case HARNESS_PATTERN_FILL: write_fill(out, data->size, value); return;
    case HARNESS_PATTERN_RAMP: write_ramp(out, data->size, value); return;
    case HARNESS_PATTERN_NOISE: write_noise(out, data->size, value); return;
    }
}

void harness_data_write(const struct harness_data *data, bool padded, uint8_t *out)
{
    switch (data->kind) {
    case HARNESS_DATA_BYTES:
    case HARNESS_DATA_TABLE:
        if (data->size != 0)
            memcpy(out, data->bytes, data->size);
        return;
    case HARNESS_DATA_PATTERN: write_pattern(data, out); return;
    case HARNESS_DATA_LIST: write_list(&data->list, padded, out); return;
    }
}
