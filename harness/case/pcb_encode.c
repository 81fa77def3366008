/* Case -> .pcb. */
#include "harness/case/check.h"
#include "harness/case/formats.h"
#include "harness/case/pcb.h"
#include "harness/case/pcb_words.h"
#include "harness/case/pcase_names.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Counts everything, stores what fits. */
struct output {
    uint8_t *bytes;
    size_t capacity;
    size_t size;
    bool in_list; /* a command here would be one of the list before */
    /* Where commands that have not changed are copied from, what has been seen of lists by then, and whether there was
     * a command that is not valid for sure; or NULL: all is valid and everything is encoded. */
    const uint8_t *origin;
    struct harness_totals totals;
    bool doubtful;
};

static void put(struct output *out, const void *bytes, size_t size)
{
    if (out->size < out->capacity) {
        const size_t room = out->capacity - out->size;
        memcpy(out->bytes + out->size, bytes, size < room ? size : room);
    }
    out->size += size;
}

static inline bool has_room(const struct output *out, size_t size)
{
    return out->size <= out->capacity && out->capacity - out->size >= size;
}

static void put_little(struct output *out, uint32_t value, uint32_t size)
{
    uint8_t bytes[4];
    if (has_room(out, sizeof bytes)) {
        (void)harness_pcb_store(out->bytes + out->size, value);
        out->size += size;
        return;
    }
    (void)harness_pcb_store(bytes, value);
    put(out, bytes, size);
}

/* Seven bits a byte, low ones first, bit 7 = more follows. */
static void put_varint(struct output *out, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_little(out, (value & 0x7F) | 0x80, 1);
    put_little(out, value, 1);
}

/* ---------------------------------------------------------------------------------------------------- packed words */

static inline uint8_t *store_plain(uint8_t *at, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        at = harness_pcb_store(at, words[i]);
    return at;
}

/* The shorter way, by trying where there are few. Needs room as harness_pcb_gather_words. */
static inline uint8_t *store_words(uint8_t *at, const uint32_t *words, size_t count, bool *packed)
{
    if (count >= 16 && !harness_pcb_worth_packing(harness_pcb_count_packed(words, count), count)) {
        *packed = false;
        return store_plain(at, words, count);
    }
    uint8_t *const end = harness_pcb_gather_words(at, words, count);
    *packed = harness_pcb_worth_packing((size_t)(end - at), count);
    return *packed ? end : store_plain(at, words, count);
}

static uint8_t *store_u16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    return at + 2;
}

/* --------------------------------------------------------------------------------------------------------- records */

enum {
    MOST_RECORD_WORDS = 9,
    MOST_RECORD_BYTES = 2 + 4 * MOST_RECORD_WORDS + (MOST_RECORD_WORDS + 1) / 2 + 4
};

static void put_head(struct output *out, enum pcb_kind kind, uint32_t argument)
{
    put_little(out, PCB_RECORD | (uint32_t)kind << 8 | argument, 2);
    out->in_list = false;
}

/* A head and the words behind it, the shorter way. */
static void put_record(struct output *out, enum pcb_kind kind, uint32_t argument, const uint32_t *words, size_t count)
{
    uint8_t elsewhere[MOST_RECORD_BYTES];
    bool packed;
    uint8_t *const start = has_room(out, sizeof elsewhere) ? out->bytes + out->size : elsewhere;
    const uint8_t *const end = store_words(start + 2, words, count, &packed);
    (void)store_u16(start, PCB_RECORD | (uint32_t)kind << 8 | (packed ? PCB_PACKED : 0u) | argument);
    if (start == elsewhere)
        put(out, start, (size_t)(end - start));
    else
        out->size += (size_t)(end - start);
    out->in_list = false;
}

/* The same for one word, which most records have; without a branch, for it is as good as random how many of its bytes
 * are 0. */
static void put_word_record(struct output *out, enum pcb_kind kind, uint32_t argument, uint32_t word)
{
    if (!has_room(out, MOST_RECORD_BYTES)) {
        put_record(out, kind, argument, &word, 1);
        return;
    }
    uint8_t *const at = out->bytes + out->size;
    const uint32_t presence = harness_pcb_presence(word, 0), count = harness_pcb_counts[presence];
    const bool packed = harness_pcb_worth_packing(1u + count, 1);
    (void)store_u16(at, PCB_RECORD | (uint32_t)kind << 8 | (packed ? PCB_PACKED : 0u) | argument);
    at[2] = (uint8_t)presence;
    (void)harness_pcb_gather(at + (packed ? 3 : 2), word, packed ? presence : 0xFu);
    out->size += packed ? 3u + count : 6u;
    out->in_list = false;
}

/* ----------------------------------------------------------------------------------------------------------- lists */

/* Heads, odd byte or wide id, padding word and 256 parameters with the byte of each pair; and room to store behind
 * them. */
enum {
    MOST_COMMAND_BYTES = 2 + 2 + 2 + 4 + 4 * HARNESS_MAX_PARAMETERS + HARNESS_MAX_PARAMETERS / 2 + 4
};

/* An id of more than 10 bits. */
static uint8_t *store_wide(uint8_t *at, const struct harness_command *command)
{
    at = store_u16(at, (uint32_t)(command->mask ^ 0xFu) << 10 | PCB_LONG);
    at = store_u16(at, (uint32_t)(command->count - 1) | (command->consecutive ? PCB_CONSECUTIVE : 0) |
                           (uint32_t)command->ignored << 9 | (command->padding != 0 ? PCB_PADDING : 0) | PCB_WIDE_ID);
    at = store_u16(at, command->id);
    if (command->padding != 0)
        at = harness_pcb_store(at, command->padding);
    return store_plain(at, command->parameters, command->count);
}

/* One parameter, nothing odd: in full if no byte is saved; without a branch, for it is as good as random which. */
static inline uint8_t *store_write(uint8_t *at, const struct harness_command *command)
{
    const uint32_t word = command->parameters[0], presence = harness_pcb_presence(word, 0);
    const uint32_t shortly = presence != 0xF ? PCB_SHORT_WRITE | presence << 10 : 0u;
    return harness_pcb_gather(store_u16(at, shortly | command->id), word, presence);
}

static bool is_plain_write(const struct harness_command *command)
{
    return ((command->count ^ 1u) | (command->mask ^ 0xFu) | command->ignored | command->consecutive) == 0 &&
           command->id < PCB_IDS;
}

static uint8_t *store_any_command(uint8_t *at, const struct harness_command *command)
{
    const bool odd = command->mask != 0xF || command->ignored != 0 || command->padding != 0;
    if (command->id >= PCB_IDS)
        return store_wide(at, command);
    if (command->count == 1 && !command->consecutive && command->ignored == 0 && command->parameters[0] != 0)
        return harness_pcb_store(store_u16(at, command->id | (uint32_t)(command->mask ^ 0xFu) << 10),
                                 command->parameters[0]); /* an odd 0 is shorter packed */
    uint8_t *const head = at;
    bool packed;
    at[2] = (uint8_t)(command->count - 1);
    at += 3;
    if (odd)
        *at++ =
            (uint8_t)((command->mask ^ 0xFu) | (uint32_t)command->ignored << 4 | (command->padding != 0 ? 0x80u : 0u));
    if (command->padding != 0)
        at = harness_pcb_store(at, command->padding);
    at = store_words(at, command->parameters, command->count, &packed);
    (void)store_u16(head, PCB_SHORT_COMMAND | (command->consecutive ? PCB_SHORT_CONSECUTIVE : 0u) |
                              (packed ? PCB_SHORT_PACKED : 0u) | (odd ? PCB_SHORT_ODD : 0u) | command->id);
    return at;
}

static inline uint8_t *store_command(uint8_t *at, const struct harness_command *command)
{
    return is_plain_write(command) ? store_write(at, command) : store_any_command(at, command);
}

/* Lists are most of a case: where there is room, in place. */
static void put_commands(struct output *out, const struct harness_command *commands, uint32_t count)
{
    uint8_t elsewhere[MOST_COMMAND_BYTES];
    uint32_t i = 0;
    if (has_room(out, sizeof elsewhere)) {
        uint8_t *at = out->bytes + out->size;
        const uint8_t *const end = out->bytes + out->capacity;
        for (; i < count && end - at >= MOST_COMMAND_BYTES; i++)
            at = store_command(at, &commands[i]);
        out->size = (size_t)(at - out->bytes);
    }
    for (; i < count; i++)
        put(out, elsewhere, (size_t)(store_command(elsewhere, &commands[i]) - elsewhere));
}

/* What harness_case_check asks of a command, and no comment. */
static bool is_plain(const struct harness_command *command)
{
    return command->count >= 1 && command->count <= HARNESS_MAX_PARAMETERS && command->mask <= 15 &&
           command->ignored <= 7 && ((command->count & 1u) == 0 || command->padding == 0) &&
           command->parameters != NULL && command->comment == NULL;
}

/* Commands that stood one behind the other and do so still are copied at once. */
static void put_lent_commands(struct output *out, const struct harness_list *list)
{
    uint32_t start = 0, next = 0; /* of what is to be copied */
    uint64_t words = list->tail_count;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct harness_command *const command = &list->commands[i];
        const uint32_t origin = command->origin;
        words += 2u + (command->count & ~1u); /* harness_command_words */
        if (origin != 0 && harness_pcb_origin_start(origin) == next) {
            next += harness_pcb_origin_size(origin);
            continue;
        }
        if (next != start)
            put(out, out->origin + start, next - start);
        start = harness_pcb_origin_start(origin);
        next = start + harness_pcb_origin_size(origin);
        out->doubtful = out->doubtful || !is_plain(command);
        if (origin == 0 && !out->doubtful)
            put_commands(out, command, 1);
    }
    if (next != start)
        put(out, out->origin + start, next - start);
    out->totals.commands += list->count;
    out->totals.contents += 4 * words + 16;
}

/* By half the parameters of a command at a time, which is an even number. */
static void put_tail(struct output *out, const uint32_t *words, uint32_t count)
{
    enum {
        STEP = HARNESS_MAX_PARAMETERS / 2
    };
    uint8_t elsewhere[MOST_COMMAND_BYTES];
    const bool packed = harness_pcb_worth_packing(harness_pcb_count_packed(words, count), count);
    put_head(out, PCB_TAIL, packed ? PCB_PACKED : 0);
    put_varint(out, count);
    for (uint32_t i = 0; i < count; i += STEP) {
        const uint32_t step = count - i < STEP ? count - i : STEP;
        const uint8_t *const end =
            packed ? harness_pcb_gather_words(elsewhere, words + i, step) : store_plain(elsewhere, words + i, step);
        put(out, elsewhere, (size_t)(end - elsewhere));
    }
}

static void put_list(struct output *out, const struct harness_list *list)
{
    if (out->origin != NULL)
        put_lent_commands(out, list);
    else
        put_commands(out, list->commands, list->count);
    out->in_list = list->tail_count == 0;
    if (list->tail_count != 0)
        put_tail(out, list->tail, list->tail_count);
}

/* Commands outside any list run at the start of VRAM: there a list needs no record. */
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
    const struct pica_limits normal = harness_limits_default();
    for (uint32_t i = 0; i < test_case->window_count && !has_usual_window(test_case); i++)
        put_window(out, test_case->windows[i]);
    for (uint32_t i = 0; i < HARNESS_LIMIT_NAMES; i++)
        if (harness_limit_get(&test_case->limits, i) != harness_limit_get(&normal, i))
            put_word_record(out, PCB_LIMIT, i, harness_limit_get(&test_case->limits, i));
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

/* The encoding of a case that mostly is as it was decoded, without a second look at that. False: the case may be one
 * that has none, or there is no room for it. */
static bool encode_lent(const struct harness_case *test_case, struct output *out)
{
    struct harness_error error;
    out->origin = test_case->origin;
    if (harness_case_check_totals(test_case, &out->totals, &error) != HARNESS_OK)
        return false;
    put_case(out, test_case);
    return !out->doubtful && out->size <= out->capacity && check_limits(test_case, &out->totals, &error) == HARNESS_OK;
}

static enum harness_status encode_whole(const struct harness_case *test_case, struct output *out,
                                        struct harness_error *error)
{
    out->totals.with_lists = true;
    enum harness_status status = harness_case_check_totals(test_case, &out->totals, error);
    if (status == HARNESS_OK)
        status = check_limits(test_case, &out->totals, error);
    if (status == HARNESS_OK)
        put_case(out, test_case);
    return status;
}

/* Has the case the same bytes when nothing is copied? */
static void check_origins(const struct harness_case *test_case, const struct output *lent)
{
#if defined HARNESS_CHECK_ORIGINS && !defined NDEBUG
    struct harness_error error;
    struct output whole = { .bytes = malloc(lent->size), .capacity = lent->size };
    const enum harness_status status = whole.bytes != NULL ? encode_whole(test_case, &whole, &error) : HARNESS_HOST;
    assert(whole.bytes == NULL || status == HARNESS_OK);
    assert(whole.bytes == NULL || (whole.size == lent->size && memcmp(whole.bytes, lent->bytes, lent->size) == 0));
    free(whole.bytes);
#else
    (void)test_case;
    (void)lent;
#endif
}

enum harness_status harness_pcb_encode(const struct harness_case *test_case, uint8_t *out, size_t capacity,
                                       size_t *size, struct harness_error *error)
{
    const struct output start = { .bytes = out, .capacity = capacity };
    struct output output = start;
    if (test_case->origin != NULL && encode_lent(test_case, &output)) {
        *size = output.size;
        check_origins(test_case, &output);
        return HARNESS_OK;
    }
    output = start;
    const enum harness_status status = encode_whole(test_case, &output, error);
    *size = status == HARNESS_OK ? output.size : 0;
    if (*size > capacity)
        return harness_fail(error, HARNESS_TOO_LARGE, "binary form: expected at most %zu bytes, found %zu", capacity,
                            output.size);
    return status;
}
