/* Case -> .pcb. */
#include "harness/case/check.h"
#include "harness/case/formats.h"
#include "harness/case/pcb.h"
#include "harness/case/little.h"
#include "harness/case/pcase_names.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <string.h>

/* Counts all bytes, stores those that fit. */
struct output {
    uint8_t *bytes;
    size_t capacity;
    size_t size;
    bool in_list; /* a command written next would belong to the list before it */
};

static void put(struct output *out, const void *bytes, size_t size)
{
    if (out->size < out->capacity) {
        const size_t room = out->capacity - out->size;
        memcpy(out->bytes + out->size, bytes, size < room ? size : room);
    }
    out->size += size;
}

/* At most four bytes; where there is room, four are stored at once. */
static inline void put_little(struct output *out, uint32_t value, uint32_t size)
{
    uint8_t bytes[4];
    if (out->size + sizeof bytes <= out->capacity) {
        (void)harness_store32(out->bytes + out->size, value);
        out->size += size;
    } else {
        (void)harness_store32(bytes, value);
        put(out, bytes, size);
    }
}

/* Seven bits a byte, low ones first, bit 7 = more follows. */
static void put_varint(struct output *out, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_little(out, (value & 0x7F) | 0x80, 1);
    put_little(out, value, 1);
}

/* ---------------------------------------------------------------------------------------------------- packed words */

/* The bytes of a word that are not 0, one after the other. */
struct squeezed {
    uint32_t bytes;
    uint32_t size;
    uint32_t presence; /* bit i: byte i of the word is one of them */
};

/* Which bytes are 0 is hard to predict: no branches. */
static inline struct squeezed squeeze(uint32_t word)
{
    struct squeezed out = { 0, 0, 0 };
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t byte = word >> (8 * i) & 0xFFu, there = byte != 0;
        out.bytes |= byte << (8 * out.size);
        out.size += there;
        out.presence |= there << i;
    }
    return out;
}

/* Words with few zero bytes are not packed, so that a fuzzing engine sees and changes whole words. */
static bool is_worth_packing(const uint32_t *words, size_t count)
{
    size_t size = (count + 1) / 2;
    for (size_t i = 0; i < count; i++)
        size += squeeze(words[i]).size;
    return size <= 3 * count;
}

static void put_words(struct output *out, const uint32_t *words, size_t count, bool packed)
{
    if (!packed) {
        for (size_t i = 0; i < count; i++)
            put_little(out, words[i], 4);
        return;
    }
    for (size_t i = 0; i < count; i += 2) {
        const struct squeezed first = squeeze(words[i]), second = squeeze(i + 1 < count ? words[i + 1] : 0);
        put_little(out, first.presence | second.presence << 4, 1);
        put_little(out, first.bytes, first.size);
        put_little(out, second.bytes, second.size);
    }
}

/* --------------------------------------------------------------------------------------------------------- records */

static void put_head(struct output *out, enum pcb_kind kind, uint32_t argument)
{
    put_little(out, PCB_RECORD | (uint32_t)kind << 8 | argument, 2);
    out->in_list = false;
}

/* A head and the words after it, packed if that is worth it. */
static void put_record(struct output *out, enum pcb_kind kind, uint32_t argument, const uint32_t *words, size_t count)
{
    const bool packed = is_worth_packing(words, count);
    put_head(out, kind, (packed ? PCB_PACKED : 0u) | argument);
    put_words(out, words, count, packed);
}

static void put_word_record(struct output *out, enum pcb_kind kind, uint32_t argument, uint32_t word)
{
    put_record(out, kind, argument, &word, 1);
}

/* ----------------------------------------------------------------------------------------------------------- lists */

/* A command whose id needs 16 bits of its own. */
static void put_wide(struct output *out, const struct harness_command *command)
{
    put_little(out, (uint32_t)(command->mask ^ 0xFu) << 10 | PCB_LONG, 2);
    put_little(out,
               (uint32_t)(command->count - 1) | (command->consecutive ? PCB_CONSECUTIVE : 0) |
                   (uint32_t)command->ignored << 9 | (command->padding != 0 ? PCB_PADDING : 0) | PCB_WIDE_ID,
               2);
    put_little(out, command->id, 2);
    if (command->padding != 0)
        put_little(out, command->padding, 4);
    put_words(out, command->parameters, command->count, false);
}

/* One parameter with mask 0xF, in short unless that saves no byte. */
static void put_write(struct output *out, uint32_t id, uint32_t word)
{
    const struct squeezed squeezed = squeeze(word);
    put_little(out, id | (squeezed.size != 4 ? PCB_SHORT_WRITE | squeezed.presence << 10 : 0u), 2);
    put_little(out, squeezed.bytes, squeezed.size);
}

static void put_several(struct output *out, const struct harness_command *command)
{
    const bool odd = command->mask != 0xF || command->ignored != 0 || command->padding != 0;
    const bool packed = is_worth_packing(command->parameters, command->count);
    put_little(out,
               PCB_SHORT_COMMAND | (command->consecutive ? PCB_SHORT_CONSECUTIVE : 0u) |
                   (packed ? PCB_SHORT_PACKED : 0u) | (odd ? PCB_SHORT_ODD : 0u) | command->id,
               2);
    put_little(out, command->count - 1u, 1);
    if (odd)
        put_little(out, (command->mask ^ 0xFu) | (uint32_t)command->ignored << 4 | (command->padding != 0 ? 0x80u : 0u),
                   1);
    if (command->padding != 0)
        put_little(out, command->padding, 4);
    put_words(out, command->parameters, command->count, packed);
}

static void put_command(struct output *out, const struct harness_command *command)
{
    const bool is_write = command->count == 1 && !command->consecutive && command->ignored == 0;
    if (command->id >= PCB_IDS) {
        put_wide(out, command);
    } else if (is_write && command->mask == 0xF) {
        put_write(out, command->id, command->parameters[0]);
    } else if (is_write && command->parameters[0] != 0) { /* a 0 is shorter packed */
        put_little(out, command->id | (uint32_t)(command->mask ^ 0xFu) << 10, 2);
        put_little(out, command->parameters[0], 4);
    } else {
        put_several(out, command);
    }
}

static void put_list(struct output *out, const struct harness_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        put_command(out, &list->commands[i]);
    out->in_list = true;
    if (list->tail_count == 0)
        return;
    const bool packed = is_worth_packing(list->tail, list->tail_count);
    put_head(out, PCB_TAIL, packed ? PCB_PACKED : 0);
    put_varint(out, list->tail_count);
    put_words(out, list->tail, list->tail_count, packed);
}

/* Commands outside any list are run at the start of VRAM, so a list that is run there needs no record. */
static void put_run(struct output *out, uint32_t address, const struct harness_list *list)
{
    if (out->in_list || address != PICA_VRAM_ADDRESS || list->count == 0)
        put_word_record(out, PCB_RUN, 0, address);
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
        put_word_record(out, data->kind == HARNESS_DATA_TABLE ? PCB_TABLE : PCB_BYTES, is_load, address);
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
        put_word_record(out, PCB_LIST, is_load, address);
        put_list(out, &data->list);
        return;
    }
}

/* ----------------------------------------------------------------------------------------------------------- state */

static void put_stretch(struct output *out, const struct pica_state *values, uint32_t part, uint32_t first,
                        uint32_t count)
{
    put_head(out, PCB_STATE, part);
    put_varint(out, first);
    put_varint(out, count);
    uint8_t bytes[256];
    const uint32_t width = count != 0 ? harness_parts[part].width : 1, step = (uint32_t)sizeof bytes / width;
    for (uint32_t i = 0; i < count; i += step) {
        const uint32_t some = count - i < step ? count - i : step;
        for (uint32_t k = 0; k < some; k++) {
            const uint32_t value = harness_part_get(values, part, first + i + k);
            for (uint32_t b = 0; b < width; b++)
                bytes[k * width + b] = (uint8_t)(value >> (8 * b));
        }
        put(out, bytes, (size_t)some * width);
    }
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
    uint32_t first = harness_part_next(values, part, 0);
    if (first == count)
        put_stretch(out, values, part, 0, 0);
    while (first < count) {
        uint32_t last = first;
        uint32_t next = harness_part_next(values, part, first + 1);
        for (; next < count && next - last <= GAP; next = harness_part_next(values, part, last + 1))
            last = next;
        put_stretch(out, values, part, first, last + 1 - first);
        first = next;
    }
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
            put_word_record(out, PCB_WRITE, write_index, operation->words[0]);
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
    put_word_record(out, PCB_WINDOW, is_fcram, pages);
}

/* The window that a file without windows has. */
static bool has_usual_window(const struct harness_case *test_case)
{
    return test_case->window_count == 1 && test_case->windows[0].address == PICA_VRAM_ADDRESS &&
           test_case->windows[0].size == HARNESS_PCB_USUAL_WINDOW;
}

static void put_case(struct output *out, const struct harness_case *test_case)
{
    for (uint32_t i = 0; i < test_case->window_count && !has_usual_window(test_case); i++)
        put_window(out, test_case->windows[i]);
    for (uint32_t i = 0; i < HARNESS_LIMIT_NAMES; i++)
        if (harness_limit_get(test_case, i) != harness_limit_default(i))
            put_word_record(out, PCB_LIMIT, i, harness_limit_get(test_case, i));
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

static enum harness_status check_limits(const struct harness_case *test_case, const struct harness_totals *totals,
                                        struct harness_error *error)
{
    uint64_t windows = 0;
    for (uint32_t i = 0; i < test_case->window_count; i++)
        windows += test_case->windows[i].size;
    const struct {
        const char *what;
        uint64_t found;
        uint64_t most;
    } rows[] = { { "bytes of windows", windows, HARNESS_PCB_MAX_WINDOW_BYTES },
                 { "bytes of contents", totals->contents, HARNESS_PCB_MAX_DATA },
                 { "commands", totals->commands, HARNESS_PCB_MAX_COMMANDS },
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
    struct harness_totals totals = { 0 };
    *size = 0;
    enum harness_status status = harness_case_check_totals(test_case, &totals, error);
    if (status == HARNESS_OK)
        status = check_limits(test_case, &totals, error);
    if (status != HARNESS_OK)
        return status;
    put_case(&output, test_case);
    *size = output.size;
    if (output.size > capacity)
        return harness_fail(error, HARNESS_TOO_LARGE, "binary form: expected at most %zu bytes, found %zu", capacity,
                            output.size);
    return HARNESS_OK;
}
