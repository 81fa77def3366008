/* .pcb -> case. Total: whatever the bytes are, the result is a valid case within the HARNESS_PCB_MAX_* limits. */
#include "harness/case/formats.h"
#include "harness/case/pcb.h"
#include "harness/case/little.h"
#include "harness/case/pcase_names.h"
#include "pica/memory.h"

#include <string.h>

struct decoder {
    struct harness_case *test_case;
    const uint8_t *at;
    const uint8_t *end;
    struct harness_list *list; /* the open one, or NULL */
    uint32_t data_left;
    uint32_t commands_left;
    bool no_memory;
    bool packed; /* the words of the current record are packed */
    /* Where the next command and its parameters go. There is room for all that the bytes can hold, allocated at once;
     * the lists are slices of it. */
    struct harness_command *commands;
    uint32_t *parameters;
};

/* --------------------------------------------------------------------------------------------- reading past the end */

static size_t left(const struct decoder *decoder)
{
    return (size_t)(decoder->end - decoder->at);
}

/* Bytes beyond the end are 0. */
static uint32_t take_little(struct decoder *decoder, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < size && decoder->at < decoder->end; i++)
        value |= (uint32_t)*decoder->at++ << (8 * i);
    return value;
}

static inline uint32_t take_byte(struct decoder *decoder)
{
    return decoder->at < decoder->end ? *decoder->at++ : 0;
}

static uint32_t take_u16(struct decoder *decoder)
{
    if (left(decoder) < 2)
        return take_little(decoder, 2);
    decoder->at += 2;
    return (uint32_t)decoder->at[-2] | (uint32_t)decoder->at[-1] << 8;
}

static uint32_t take_u32(struct decoder *decoder)
{
    if (left(decoder) < 4)
        return take_little(decoder, 4);
    decoder->at += 4;
    return harness_load32(decoder->at - 4);
}

/* A word of which only the bytes that the four bits of `presence` name are in the file; the others are 0. Which ones
 * is hard to predict, so there is no branch on it except near the end. */
static uint32_t take_present(struct decoder *decoder, uint32_t presence)
{
    uint32_t value = 0;
    if (left(decoder) < 4) {
        for (uint32_t i = 0; i < 4; i++)
            value |= (presence >> i & 1u) != 0 ? take_byte(decoder) << (8 * i) : 0;
        return value;
    }
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t there = presence >> i & 1u;
        value |= (*decoder->at & (0u - there)) << (8 * i);
        decoder->at += there;
    }
    return value;
}

static void take_packed(struct decoder *decoder, uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 2) {
        const uint32_t presence = take_byte(decoder);
        words[i] = take_present(decoder, presence & 0xFu);
        if (i + 1 < count)
            words[i + 1] = take_present(decoder, presence >> 4);
    }
}

/* The words of a record or command, packed or not. */
static void take_words(struct decoder *decoder, uint32_t *words, uint32_t count, bool packed)
{
    if (packed) {
        take_packed(decoder, words, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        words[i] = take_u32(decoder);
}

/* The only word of the current record. */
static uint32_t take_word(struct decoder *decoder)
{
    uint32_t word;
    take_words(decoder, &word, 1, decoder->packed);
    return word;
}

/* At most five bytes; bits beyond 32 fall off. */
static uint32_t take_varint(struct decoder *decoder)
{
    uint32_t value = 0;
    for (uint32_t shift = 0; shift < 35 && decoder->at < decoder->end; shift += 7) {
        const uint32_t byte = *decoder->at++;
        value |= shift < 32 ? (byte & 0x7Fu) << shift : 0;
        if ((byte & 0x80u) == 0)
            break;
    }
    return value;
}

static uint32_t smaller(size_t a, size_t b)
{
    return (uint32_t)(a < b ? a : b);
}

/* Takes up to `wanted` bytes from what is left of HARNESS_PCB_MAX_DATA; returns how many. */
static uint32_t take_budget(struct decoder *decoder, uint32_t wanted)
{
    const uint32_t size = smaller(wanted, decoder->data_left);
    decoder->data_left -= size;
    return size;
}

/* ----------------------------------------------------------------------------------------------------------- lists */

/* A command takes at least two bytes of the file, two packed parameters at least one. */
static bool allocate_lists(struct decoder *decoder, size_t size)
{
    struct harness_arena *const arena = &decoder->test_case->arena;
    const size_t commands = smaller(size / 2 + 1, HARNESS_PCB_MAX_COMMANDS + 1); /* the last is tried and dropped */
    const size_t parameters = smaller(2 * size + 2, HARNESS_PCB_MAX_DATA / 4 + HARNESS_MAX_PARAMETERS + 1);
    decoder->commands = harness_arena_raw(arena, commands * sizeof *decoder->commands);
    decoder->parameters = harness_arena_raw(arena, parameters * sizeof *decoder->parameters);
    return decoder->commands != NULL && decoder->parameters != NULL;
}

static bool open_list(struct decoder *decoder, uint32_t argument, uint32_t address, bool run);

static void close_list(struct decoder *decoder)
{
    if (decoder->list == NULL)
        return;
    decoder->list->count = (uint32_t)(decoder->commands - decoder->list->commands);
    decoder->list->capacity = decoder->list->count;
    decoder->list = NULL;
}

/* How many words the rest of the file can hold. */
static uint32_t words_left(const struct decoder *decoder, bool packed)
{
    const size_t bytes = left(decoder);
    return smaller(packed ? 2 * bytes : bytes / 4, HARNESS_PCB_MAX_DATA / 4);
}

/* No more parameters than there are bytes for, but one in any case. */
static uint32_t count_parameters(const struct decoder *decoder, uint32_t wanted, bool packed)
{
    const uint32_t available = words_left(decoder, packed);
    return wanted <= available || wanted == 1 ? wanted : available == 0 ? 1 : available;
}

/* The id that a code stands for: mostly itself. */
static inline uint16_t id_of(uint32_t code)
{
    return code < PCB_IDS ? (uint16_t)code : harness_pcb_id(code);
}

/* Appends the command of `count` parameters that lies in decoder->commands and decoder->parameters to the open list.
 */
static void add_command(struct decoder *decoder, uint32_t count)
{
    /* Commands outside a list open one that runs at the start of VRAM, the window of a file without windows. */
    if (decoder->list == NULL && !open_list(decoder, 0, PICA_VRAM_ADDRESS, true))
        return;
    const uint32_t bytes = 4u * (2u + (count & ~1u)); /* harness_command_words */
    if (decoder->commands_left == 0 || decoder->data_left < bytes)
        return;
    decoder->commands_left--;
    decoder->data_left -= bytes;
    decoder->parameters += count;
    decoder->commands++;
}

/* The rest of a command after its head: the parameters. The padding word counts only where there is one. */
static void take_parameters(struct decoder *decoder, uint32_t wanted, uint32_t padding, bool packed)
{
    struct harness_command *const command = decoder->commands;
    const uint32_t count = count_parameters(decoder, wanted, packed);
    command->count = (uint16_t)count;
    command->padding = (count & 1u) == 0 ? padding : 0;
    command->parameters = decoder->parameters;
    command->comment = NULL;
    take_words(decoder, decoder->parameters, count, packed);
    add_command(decoder, count);
}

static void take_command(struct decoder *decoder, uint32_t head)
{
    struct harness_command *const command = decoder->commands;
    const uint32_t second = (head & PCB_LONG) != 0 ? take_u16(decoder) : 0;
    command->id = (second & PCB_WIDE_ID) != 0 ? (uint16_t)take_u16(decoder) : id_of(head & 0x3FFu);
    command->mask = (uint8_t)((head >> 10 & 0xFu) ^ 0xFu);
    command->consecutive = (second & PCB_CONSECUTIVE) != 0;
    command->ignored = (uint8_t)(second >> 9 & 7u);
    const uint32_t padding = (second & PCB_PADDING) != 0 ? take_u32(decoder) : 0;
    take_parameters(decoder, (second & 0xFFu) + 1, padding, false);
}

static void take_short_write(struct decoder *decoder, uint32_t head)
{
    *decoder->commands = (struct harness_command){
        .id = id_of(head & 0x3FFu), .count = 1, .mask = 0xF, .parameters = decoder->parameters
    };
    *decoder->parameters = take_present(decoder, head >> 10 & 0xFu);
    add_command(decoder, 1);
}

static void take_short_command(struct decoder *decoder, uint32_t head)
{
    struct harness_command *const command = decoder->commands;
    const uint32_t extra = take_byte(decoder);
    const uint32_t odd = (head & PCB_SHORT_ODD) != 0 ? take_byte(decoder) : 0;
    const uint32_t padding = (odd & 0x80u) != 0 ? take_u32(decoder) : 0;
    command->id = id_of(head & 0x3FFu);
    command->mask = (uint8_t)((odd & 0xFu) ^ 0xFu);
    command->ignored = (uint8_t)(odd >> 4 & 7u);
    command->consecutive = (head & PCB_SHORT_CONSECUTIVE) != 0;
    take_parameters(decoder, extra + 1, padding, (head & PCB_SHORT_PACKED) != 0);
}

static void take_tail(struct decoder *decoder)
{
    const uint32_t wanted = take_varint(decoder);
    const uint32_t available = smaller(words_left(decoder, decoder->packed), decoder->data_left / 4);
    const uint32_t count = wanted < available ? wanted : available;
    if (decoder->list == NULL)
        return;
    uint32_t *const words = harness_arena_raw(&decoder->test_case->arena, count * sizeof *words);
    decoder->no_memory = decoder->no_memory || words == NULL;
    if (words == NULL)
        return;
    take_words(decoder, words, count, decoder->packed);
    decoder->data_left -= 4 * count;
    decoder->list->tail = words;
    decoder->list->tail_count = count;
    close_list(decoder);
}

/* ------------------------------------------------------------------------------------------------------- operations */

/* A new operation to be filled in, or NULL at a limit. */
static struct harness_operation *append(struct decoder *decoder, enum harness_operation_kind kind)
{
    if (decoder->test_case->operation_count >= HARNESS_PCB_MAX_OPERATIONS)
        return NULL;
    struct harness_operation *const added = harness_case_append(decoder->test_case, kind);
    decoder->no_memory = decoder->no_memory || added == NULL;
    return added;
}

/* A new load (argument bit 0) or block of initial memory. Returns its contents, to be filled in, or NULL at a limit. */
static struct harness_data *append_data(struct decoder *decoder, uint32_t argument, uint32_t address)
{
    if ((argument & 1u) != 0) {
        struct harness_operation *const load = append(decoder, HARNESS_LOAD);
        if (load == NULL)
            return NULL;
        load->address = address;
        return &load->data;
    }
    if (decoder->test_case->chunk_count >= HARNESS_PCB_MAX_CHUNKS)
        return NULL;
    struct harness_chunk *const chunk =
        harness_case_add_chunk(decoder->test_case, address, &(const struct harness_data){ .size = 0 });
    decoder->no_memory = decoder->no_memory || chunk == NULL;
    return chunk == NULL ? NULL : &chunk->data;
}

/* A list counts for 16 bytes more than its words: the padding that RUN may add. */
static bool open_list(struct decoder *decoder, uint32_t argument, uint32_t address, bool run)
{
    struct harness_data *place = NULL;
    if (decoder->data_left < 16)
        return false;
    if (run) {
        struct harness_operation *const operation = append(decoder, HARNESS_RUN);
        place = operation == NULL ? NULL : &operation->data;
        if (operation != NULL)
            operation->address = address;
    } else {
        place = append_data(decoder, argument, address);
    }
    if (place == NULL)
        return false;
    place->kind = HARNESS_DATA_LIST;
    decoder->data_left -= 16;
    decoder->list = &place->list;
    decoder->list->commands = decoder->commands;
    return true;
}

static void take_layout(struct decoder *decoder, struct harness_layout *layout)
{
    layout->field_count = (uint8_t)(take_byte(decoder) % HARNESS_MAX_LAYOUT_FIELDS + 1);
    for (uint32_t i = 0; i < layout->field_count; i++) {
        layout->fields[i].element = (uint8_t)(take_byte(decoder) % HARNESS_ELEMENT_NAMES);
        layout->fields[i].count = (uint8_t)(take_byte(decoder) % 255 + 1);
    }
}

static void take_bytes(struct decoder *decoder, uint32_t argument, bool is_table)
{
    struct harness_layout layout = { .field_count = 0 };
    const uint32_t address = take_word(decoder);
    if (is_table)
        take_layout(decoder, &layout);
    const uint32_t wanted = take_varint(decoder);
    const uint32_t size = take_budget(decoder, smaller(wanted, left(decoder)));
    const uint8_t *const bytes = decoder->at;
    decoder->at += size;
    struct harness_data *const data = append_data(decoder, argument, address);
    if (data == NULL)
        return;
    data->kind = is_table ? HARNESS_DATA_TABLE : HARNESS_DATA_BYTES;
    data->size = size;
    data->bytes = harness_arena_copy(&decoder->test_case->arena, bytes, size);
    data->layout = layout;
    decoder->no_memory = decoder->no_memory || data->bytes == NULL;
}

static void take_pattern(struct decoder *decoder, uint32_t argument)
{
    uint32_t words[2]; /* address, value */
    take_words(decoder, words, 2, decoder->packed);
    const uint32_t size = take_budget(decoder, take_varint(decoder));
    struct harness_data *const data = append_data(decoder, argument, words[0]);
    if (data != NULL)
        harness_data_pattern(data, (enum harness_pattern)((argument >> 1) % HARNESS_PATTERN_NAMES), words[1], size);
}

static void take_write(struct decoder *decoder, uint32_t argument)
{
    uint32_t words[2] = { 0, 0 }; /* address, value */
    if (argument == 0)
        take_words(decoder, words, 2, decoder->packed);
    else
        words[1] = take_word(decoder);
    struct harness_operation *const write = append(decoder, HARNESS_WRITE);
    if (write == NULL)
        return;
    write->address = argument == 0 ? words[0] : harness_pcb_write_address(argument);
    write->words[0] = words[1];
}

static void take_submit(struct decoder *decoder)
{
    uint32_t words[2]; /* address, size */
    take_words(decoder, words, 2, decoder->packed);
    struct harness_operation *const submit = append(decoder, HARNESS_SUBMIT);
    if (submit == NULL)
        return;
    submit->address = words[0];
    submit->size = words[1];
}

static void take_operation(struct decoder *decoder, enum harness_operation_kind kind, uint32_t unit, uint32_t count)
{
    uint32_t words[9];
    take_words(decoder, words, count, decoder->packed);
    struct harness_operation *const operation = append(decoder, kind);
    if (operation == NULL)
        return;
    operation->unit = unit;
    memcpy(operation->words, words, count * sizeof words[0]);
}

static void take_note(struct decoder *decoder)
{
    char text[HARNESS_MAX_TEXT + 1];
    const uint32_t wanted = take_varint(decoder);
    const uint32_t length = smaller(smaller(wanted, left(decoder)), HARNESS_MAX_TEXT);
    for (uint32_t i = 0; i < length; i++)
        text[i] = decoder->at[i] < 0x20 ? ' ' : (char)decoder->at[i];
    text[length] = '\0';
    decoder->at += length;
    const char *const copy = harness_case_text(decoder->test_case, text, true);
    decoder->no_memory = decoder->no_memory || copy == NULL;
    struct harness_operation *const note = copy == NULL ? NULL : append(decoder, HARNESS_NOTE);
    if (note != NULL)
        note->text = copy;
}

/* ------------------------------------------------------------------------------------------------------------ head */

static void take_window(struct decoder *decoder, uint32_t argument)
{
    const uint32_t word = take_word(decoder);
    const uint32_t page = word & 0xFFFFu, pages = word >> 16;
    const bool is_fcram = (argument & 1u) != 0;
    const uint32_t region = (is_fcram ? PICA_FCRAM_SIZE : PICA_VRAM_SIZE) / PICA_PAGE_SIZE;
    (void)harness_case_add_window(decoder->test_case,
                                  (is_fcram ? PICA_FCRAM_ADDRESS : PICA_VRAM_ADDRESS) + page % region * PICA_PAGE_SIZE,
                                  pages * PICA_PAGE_SIZE);
}

static void take_limit(struct decoder *decoder, uint32_t argument)
{
    const uint32_t value = take_word(decoder);
    const uint32_t limit = value < 1 ? 1 : value > HARNESS_MAX_BUDGET ? HARNESS_MAX_BUDGET : value;
    harness_limit_set(decoder->test_case, argument == PCB_LIMIT_WORK ? argument : argument % 5u, limit);
}

/* An argument that names no part gives a state of reset values. */
static void take_state(struct decoder *decoder, uint32_t part)
{
    const uint32_t first = take_varint(decoder);
    const uint32_t wanted = take_varint(decoder);
    struct harness_state *const state = harness_case_state(decoder->test_case);
    decoder->no_memory = decoder->no_memory || state == NULL;
    if (state == NULL || part >= harness_part_count)
        return;
    const struct harness_part *const row = &harness_parts[part];
    state->given |= (uint64_t)1 << part;
    uint32_t index = first % row->count;
    for (uint32_t i = 0; i < wanted && i < row->count && decoder->at < decoder->end; i++) {
        harness_part_set(&state->values, part, index, take_little(decoder, row->width));
        index = index + 1 < row->count ? index + 1 : 0;
    }
}

static void take_record(struct decoder *decoder, uint32_t head)
{
    const uint32_t argument = head & 0xFFu;
    const enum pcb_kind kind = (enum pcb_kind)(head >> 8 & 0xFu);
    decoder->packed = (head & PCB_PACKED) != 0;
    if (kind == PCB_TAIL) {
        take_tail(decoder);
        return;
    }
    close_list(decoder);
    switch (kind) {
    case PCB_WINDOW: take_window(decoder, argument); return;
    case PCB_LIMIT: take_limit(decoder, argument); return;
    case PCB_PROFILE: decoder->test_case->profile = (argument & 1u) != 0 ? PICA_PROFILE_F24 : PICA_PROFILE_F32; return;
    case PCB_STATE: take_state(decoder, argument); return;
    case PCB_BYTES: take_bytes(decoder, argument, false); return;
    case PCB_TABLE: take_bytes(decoder, argument, true); return;
    case PCB_PATTERN: take_pattern(decoder, argument); return;
    case PCB_LIST: (void)open_list(decoder, argument, take_word(decoder), false); return;
    case PCB_RUN: (void)open_list(decoder, argument, take_word(decoder), true); return;
    case PCB_TAIL: return;
    case PCB_SUBMIT: take_submit(decoder); return;
    case PCB_WRITE: take_write(decoder, argument); return;
    case PCB_FILL: take_operation(decoder, HARNESS_FILL, argument & 1u, 4); return;
    case PCB_TRANSFER: take_operation(decoder, HARNESS_TRANSFER, 0, 9); return;
    case PCB_VBLANK: take_operation(decoder, HARNESS_VBLANK, argument & 1u, 0); return;
    case PCB_NOTE: take_note(decoder); return;
    }
}

bool harness_pcb_decode(struct harness_case *out, const uint8_t *bytes, size_t size)
{
    struct decoder decoder = { .test_case = out,
                               .at = bytes,
                               .end = bytes + size,
                               .data_left = HARNESS_PCB_MAX_DATA,
                               .commands_left = HARNESS_PCB_MAX_COMMANDS };
    harness_case_reset(out);
    decoder.no_memory = !allocate_lists(&decoder, size);
    while (decoder.at < decoder.end && !decoder.no_memory) {
        const uint32_t head = take_u16(&decoder);
        if ((head & PCB_RECORD) == 0)
            take_command(&decoder, head);
        else if ((head & PCB_SHORT_WRITE) == PCB_SHORT_WRITE)
            take_short_write(&decoder, head);
        else if ((head & PCB_SHORT_COMMAND) == PCB_SHORT_COMMAND)
            take_short_command(&decoder, head);
        else
            take_record(&decoder, head);
    }
    close_list(&decoder);
    if (decoder.no_memory) {
        harness_case_reset(out);
        return false;
    }
    harness_case_fix_windows(out, HARNESS_PCB_MAX_WINDOW_BYTES);
    if (out->state != NULL)
        harness_state_settle(out->state);
    return true;
}
