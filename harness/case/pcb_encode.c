/* Case -> .pcb. */
#include "harness/case/formats.h"
#include "harness/case/pcb.h"
#include "harness/case/pcase_names.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <string.h>

/* Counts everything, stores what fits. */
struct output {
    uint8_t *bytes;
    size_t capacity;
    size_t size;
    bool in_list; /* a command here would be one of the list before */
};

static void put(struct output *out, const void *bytes, size_t size)
{
    if (out->size < out->capacity) {
        const size_t room = out->capacity - out->size;
        memcpy(out->bytes + out->size, bytes, size < room ? size : room);
    }
    out->size += size;
}

static void put_little(struct output *out, uint32_t value, uint32_t size)
{
    uint8_t bytes[4];
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    put(out, bytes, size);
}

static void put_u16(struct output *out, uint32_t value)
{
    put_little(out, value, 2);
}

/* Seven bits a byte, low ones first, bit 7 = more follows. */
static void put_varint(struct output *out, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_little(out, (value & 0x7F) | 0x80, 1);
    put_little(out, value, 1);
}

/* ---------------------------------------------------------------------------------------------------- packed words */

/* Bit i: byte i is not 0. Lists are full of words, and which of their bytes are 0 is hard to predict: no branches. */
static uint32_t presence_of(uint32_t word)
{
    const uint32_t tops = (((word & 0x7F7F7F7Fu) + 0x7F7F7F7Fu) | word) & 0x80808080u;
    return (tops >> 7 | tops >> 14 | tops >> 21 | tops >> 28) & 0xFu;
}

static const uint8_t bits_set[16] = { 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4 };

static size_t packed_size(const uint32_t *words, size_t count)
{
    size_t size = (count + 1) / 2;
    for (size_t i = 0; i < count; i++)
        size += bits_set[presence_of(words[i])];
    return size;
}

/* Words with few zeros stay as they are: that is quicker both ways, and an engine sees whole words. */
static bool worth_packing(const uint32_t *words, size_t count)
{
    return packed_size(words, count) <= 3 * count;
}

static uint8_t *store_u16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    return at + 2;
}

static uint8_t *store_u32(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    at[2] = (uint8_t)(value >> 16);
    at[3] = (uint8_t)(value >> 24);
    return at + 4;
}

/* Needs room for four bytes. */
static uint8_t *store_present(uint8_t *at, uint32_t word, uint32_t presence)
{
    for (uint32_t i = 0; i < 4; i++) {
        *at = (uint8_t)(word >> (8 * i));
        at += presence >> i & 1u;
    }
    return at;
}

static uint8_t *store_packed(uint8_t *at, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i += 2) {
        const uint32_t second = i + 1 < count ? words[i + 1] : 0;
        const uint32_t presence = presence_of(words[i]), second_presence = presence_of(second);
        *at++ = (uint8_t)(presence | second_presence << 4);
        at = store_present(at, words[i], presence);
        at = store_present(at, second, second_presence);
    }
    return at;
}

static void put_words(struct output *out, const uint32_t *words, size_t count, bool packed)
{
    for (size_t i = 0; i < count; i += 2) {
        uint8_t bytes[1 + 4 + 4 + 4];
        const size_t pair = count - i < 2 ? count - i : 2;
        uint8_t *end = bytes;
        if (packed)
            end = store_packed(end, words + i, pair);
        for (size_t k = 0; k < pair && !packed; k++)
            end = store_u32(end, words[i + k]);
        put(out, bytes, (size_t)(end - bytes));
    }
}

/* --------------------------------------------------------------------------------------------------------- records */

static void put_head(struct output *out, enum pcb_kind kind, uint32_t argument)
{
    put_u16(out, PCB_RECORD | (uint32_t)kind << 8 | argument);
    out->in_list = false;
}

/* A head and the words behind it, the shorter way. */
static void put_record(struct output *out, enum pcb_kind kind, uint32_t argument, const uint32_t *words, size_t count)
{
    const bool packed = worth_packing(words, count);
    put_head(out, kind, (packed ? PCB_PACKED : 0u) | argument);
    put_words(out, words, count, packed);
}

/* ----------------------------------------------------------------------------------------------------------- lists */

/* Heads, odd byte or wide id, padding word and 256 parameters, in no form more; and room to store behind them. */
enum {
    MOST_COMMAND_BYTES = 2 + 2 + 2 + 4 + 4 * HARNESS_MAX_PARAMETERS + 4
};

static uint8_t *store_parameters(uint8_t *at, const struct harness_command *command)
{
    for (uint32_t k = 0; k < command->count; k++)
        at = store_u32(at, command->parameters[k]);
    return at;
}

/* An id of more than 10 bits. */
static uint8_t *store_wide(uint8_t *at, const struct harness_command *command)
{
    at = store_u16(at, (uint32_t)(command->mask ^ 0xFu) << 10 | PCB_LONG);
    at = store_u16(at, (uint32_t)(command->count - 1) | (command->consecutive ? PCB_CONSECUTIVE : 0) |
                           (uint32_t)command->ignored << 9 | (command->padding != 0 ? PCB_PADDING : 0) | PCB_WIDE_ID);
    at = store_u16(at, command->id);
    if (command->padding != 0)
        at = store_u32(at, command->padding);
    return store_parameters(at, command);
}

/* One parameter, nothing odd but the mask: in full if no byte is saved. */
static uint8_t *store_write(uint8_t *at, const struct harness_command *command)
{
    const uint32_t presence = presence_of(command->parameters[0]);
    if (command->mask == 0xF && presence != 0xF) {
        at = store_u16(at, PCB_SHORT_WRITE | presence << 10 | command->id);
        return store_present(at, command->parameters[0], presence);
    }
    return store_u32(store_u16(at, command->id | (uint32_t)(command->mask ^ 0xFu) << 10), command->parameters[0]);
}

static uint8_t *store_command(uint8_t *at, const struct harness_command *command)
{
    const bool odd = command->mask != 0xF || command->ignored != 0 || command->padding != 0;
    if (command->id >= PCB_IDS)
        return store_wide(at, command);
    const bool plain = command->count == 1 && !command->consecutive && command->ignored == 0;
    if (plain && (command->mask == 0xF || command->parameters[0] != 0)) /* an odd 0 is shorter packed */
        return store_write(at, command);
    const bool packed = worth_packing(command->parameters, command->count);
    at = store_u16(at, PCB_SHORT_COMMAND | (command->consecutive ? PCB_SHORT_CONSECUTIVE : 0u) |
                           (packed ? PCB_SHORT_PACKED : 0u) | (odd ? PCB_SHORT_ODD : 0u) | command->id);
    *at++ = (uint8_t)(command->count - 1);
    if (odd)
        *at++ =
            (uint8_t)((command->mask ^ 0xFu) | (uint32_t)command->ignored << 4 | (command->padding != 0 ? 0x80u : 0u));
    if (command->padding != 0)
        at = store_u32(at, command->padding);
    return packed ? store_packed(at, command->parameters, command->count) : store_parameters(at, command);
}

/* Lists are most of a case: where there is room, without a look at every word. */
static void put_command(struct output *out, const struct harness_command *command)
{
    uint8_t bytes[MOST_COMMAND_BYTES];
    if (out->size < out->capacity && out->capacity - out->size >= MOST_COMMAND_BYTES) {
        const uint8_t *const end = store_command(out->bytes + out->size, command);
        out->size = (size_t)(end - out->bytes);
        return;
    }
    put(out, bytes, (size_t)(store_command(bytes, command) - bytes));
}

static void put_list(struct output *out, const struct harness_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        put_command(out, &list->commands[i]);
    out->in_list = list->tail_count == 0;
    if (list->tail_count == 0)
        return;
    const bool packed = worth_packing(list->tail, list->tail_count);
    put_head(out, PCB_TAIL, packed ? PCB_PACKED : 0);
    put_varint(out, list->tail_count);
    put_words(out, list->tail, list->tail_count, packed);
}

/* Commands outside any list run at the start of VRAM: there a list needs no record. */
static void put_run(struct output *out, uint32_t address, const struct harness_list *list)
{
    if (out->in_list || address != PICA_VRAM_ADDRESS || list->count == 0)
        put_record(out, PCB_RUN, 0, &address, 1);
    put_list(out, list);
}

/* -------------------------------------------------------------------------------------------------------- contents */

static void put_layout(struct output *out, const struct harness_layout *layout)
{
    put_little(out, layout->field_count - 1u, 1);
    for (uint32_t i = 0; i < layout->field_count; i++) {
        put_little(out, layout->fields[i].element, 1);
        put_little(out, layout->fields[i].count - 1u, 1);
    }
}

static void put_data(struct output *out, uint32_t is_load, uint32_t address, const struct harness_data *data)
{
    switch (data->kind) {
    case HARNESS_DATA_BYTES:
    case HARNESS_DATA_TABLE:
        put_record(out, data->kind == HARNESS_DATA_TABLE ? PCB_TABLE : PCB_BYTES, is_load, &address, 1);
        if (data->kind == HARNESS_DATA_TABLE)
            put_layout(out, &data->layout);
        put_varint(out, data->size);
        put(out, data->size == 0 ? (const uint8_t *)"" : data->bytes, data->size);
        return;
    case HARNESS_DATA_PATTERN:
        put_record(out, PCB_PATTERN, is_load | (uint32_t)data->pattern << 1, (const uint32_t[]){ address, data->value },
                   2);
        put_varint(out, data->size);
        return;
    case HARNESS_DATA_LIST:
        put_record(out, PCB_LIST, is_load, &address, 1);
        put_list(out, &data->list);
        return;
    }
}

/* ----------------------------------------------------------------------------------------------------------- state */

static uint32_t reset_value(uint32_t part, uint32_t index)
{
    return harness_parts[part].type == HARNESS_PART_REGISTERS ? pica_reg_info(index)->reset : 0;
}

static void put_stretch(struct output *out, const struct pica_state *values, uint32_t part, uint32_t first,
                        uint32_t count)
{
    put_head(out, PCB_STATE, part);
    put_varint(out, first);
    put_varint(out, count);
    for (uint32_t i = 0; i < count; i++)
        put_little(out, harness_part_get(values, part, first + i), harness_parts[part].width);
}

enum {
    NO_PART = 255
};

/* Stretches of values that are not the reset ones; a part of reset values is one empty stretch. */
static void put_part(struct output *out, const struct pica_state *values, uint32_t part)
{
    enum {
        GAP = 4
    }; /* shorter stretches of reset values are written out */
    const uint32_t count = harness_parts[part].count;
    bool wrote = false;
    uint32_t i = 0;
    while (i < count) {
        if (harness_part_get(values, part, i) == reset_value(part, i)) {
            i++;
            continue;
        }
        const uint32_t first = i;
        uint32_t last = i;
        for (; i < count && i - last <= GAP; i++)
            if (harness_part_get(values, part, i) != reset_value(part, i))
                last = i;
        put_stretch(out, values, part, first, last + 1 - first);
        wrote = true;
    }
    if (!wrote)
        put_stretch(out, values, part, 0, 0);
}

static void put_state(struct output *out, const struct harness_state *state)
{
    if (state->given == 0)
        put_stretch(out, &state->values, NO_PART, 0, 0);
    for (uint32_t part = 0; part < harness_part_count; part++)
        if ((state->given >> part & 1u) != 0)
            put_part(out, &state->values, part);
}

/* ------------------------------------------------------------------------------------------------------- operations */

static void put_operation(struct output *out, const struct harness_operation *operation)
{
    const uint32_t write_index = operation->kind == HARNESS_WRITE ? harness_pcb_write_index(operation->address) : 0;
    switch (operation->kind) {
    case HARNESS_LOAD: put_data(out, 1, operation->address, &operation->data); return;
    case HARNESS_RUN: put_run(out, operation->address, &operation->data.list); return;
    case HARNESS_SUBMIT:
        put_record(out, PCB_SUBMIT, 0, (const uint32_t[]){ operation->address, operation->size }, 2);
        return;
    case HARNESS_WRITE:
        if (write_index != 0)
            put_record(out, PCB_WRITE, write_index, operation->words, 1);
        else
            put_record(out, PCB_WRITE, 0, (const uint32_t[]){ operation->address, operation->words[0] }, 2);
        return;
    case HARNESS_FILL: put_record(out, PCB_FILL, operation->unit, operation->words, 4); return;
    case HARNESS_TRANSFER: put_record(out, PCB_TRANSFER, 0, operation->words, 9); return;
    case HARNESS_VBLANK: put_head(out, PCB_VBLANK, operation->unit); return;
    case HARNESS_NOTE:
        put_head(out, PCB_NOTE, 0);
        put_varint(out, (uint32_t)strlen(operation->text));
        put(out, operation->text, strlen(operation->text));
        return;
    }
}

static void put_window(struct output *out, struct pica_window window)
{
    const uint32_t is_fcram = window.address >= PICA_FCRAM_ADDRESS ? 1 : 0;
    const uint32_t base = is_fcram != 0 ? PICA_FCRAM_ADDRESS : PICA_VRAM_ADDRESS;
    const uint32_t pages = (window.address - base) / PICA_PAGE_SIZE | window.size / PICA_PAGE_SIZE << 16;
    put_record(out, PCB_WINDOW, is_fcram, &pages, 1);
}

/* The window that a file without windows has. */
static bool has_usual_window(const struct harness_case *test_case)
{
    return test_case->window_count == 1 && test_case->windows[0].address == PICA_VRAM_ADDRESS &&
           test_case->windows[0].size == HARNESS_PCB_USUAL_WINDOW;
}

static void put_case(struct output *out, const struct harness_case *test_case)
{
    const struct pica_limits normal = harness_limits_default();
    for (uint32_t i = 0; i < test_case->window_count && !has_usual_window(test_case); i++)
        put_window(out, test_case->windows[i]);
    for (uint32_t i = 0; i < HARNESS_LIMIT_NAMES; i++)
        if (harness_limit_get(&test_case->limits, i) != harness_limit_get(&normal, i)) {
            const uint32_t limit = harness_limit_get(&test_case->limits, i);
            put_record(out, PCB_LIMIT, i, &limit, 1);
        }
    if (test_case->profile == PICA_PROFILE_F24)
        put_head(out, PCB_PROFILE, 1);
    if (test_case->state != NULL)
        put_state(out, test_case->state);
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        put_data(out, 0, test_case->chunks[i].address, &test_case->chunks[i].data);
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        put_operation(out, &test_case->operations[i]);
    if (out->size == 0) /* engines know no empty inputs */
        put_window(out, test_case->windows[0]);
}

/* ---------------------------------------------------------------------------------------------------------- limits */

struct totals {
    uint64_t windows;
    uint64_t bytes;
    uint64_t commands;
};

static void count_data(struct totals *totals, const struct harness_data *data)
{
    /* As the decoder counts: 16 bytes for each list beside its words. */
    totals->bytes += harness_data_size(data, false) + (data->kind == HARNESS_DATA_LIST ? 16 : 0);
    totals->commands += data->kind == HARNESS_DATA_LIST ? data->list.count : 0;
}

static struct totals count_case(const struct harness_case *test_case)
{
    struct totals totals = { 0, 0, 0 };
    for (uint32_t i = 0; i < test_case->window_count; i++)
        totals.windows += test_case->windows[i].size;
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        count_data(&totals, &test_case->chunks[i].data);
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        const struct harness_operation *const operation = &test_case->operations[i];
        if (operation->kind == HARNESS_LOAD || operation->kind == HARNESS_RUN)
            count_data(&totals, &operation->data);
    }
    return totals;
}

static enum harness_status check_limits(const struct harness_case *test_case, struct harness_error *error)
{
    const struct totals totals = count_case(test_case);
    const struct {
        const char *what;
        uint64_t found;
        uint64_t most;
    } rows[] = { { "bytes of windows", totals.windows, HARNESS_PCB_MAX_WINDOW_BYTES },
                 { "bytes of contents", totals.bytes, HARNESS_PCB_MAX_DATA },
                 { "commands", totals.commands, HARNESS_PCB_MAX_COMMANDS },
                 { "memory blocks", test_case->chunk_count, HARNESS_PCB_MAX_CHUNKS },
                 { "operations", test_case->operation_count, HARNESS_PCB_MAX_OPERATIONS } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].found > rows[i].most)
            return harness_fail(error, HARNESS_TOO_LARGE, "binary form: expected at most %llu %s, found %llu",
                                (unsigned long long)rows[i].most, rows[i].what, (unsigned long long)rows[i].found);
    return HARNESS_OK;
}

enum harness_status harness_pcb_encode(const struct harness_case *test_case, uint8_t *out, size_t capacity,
                                       size_t *size, struct harness_error *error)
{
    struct output output = { .bytes = out, .capacity = capacity };
    *size = 0;
    enum harness_status status = harness_case_check(test_case, error);
    if (status == HARNESS_OK)
        status = check_limits(test_case, error);
    if (status != HARNESS_OK)
        return status;
    put_case(&output, test_case);
    *size = output.size;
    if (output.size > capacity)
        return harness_fail(error, HARNESS_TOO_LARGE, "binary form: expected at most %zu bytes, found %zu", capacity,
                            output.size);
    return HARNESS_OK;
}
