/* Can a backend take this case? Every message names the member. */
#include "harness/case/check.h"

#include "harness/case/case.h"
#include "pica/memory.h"

#include <stdio.h>
#include <string.h>

static bool inside(struct pica_window window, uint32_t start, uint32_t size)
{
    return window.address >= start && (uint64_t)window.address + window.size <= (uint64_t)start + size;
}

/* MEM-01 */
static enum harness_status check_window(const struct harness_case *test_case, uint32_t index,
                                        struct harness_error *error)
{
    const struct pica_window window = test_case->windows[index];
    if (window.address % PICA_PAGE_SIZE != 0 || window.size % PICA_PAGE_SIZE != 0 || window.size == 0)
        return harness_fail(error, HARNESS_BAD_INPUT,
                            "window %u: expected address and size in multiples of 0x1000, found 0x%08X size 0x%X",
                            index, window.address, window.size);
    if (!inside(window, PICA_VRAM_ADDRESS, PICA_VRAM_SIZE) && !inside(window, PICA_FCRAM_ADDRESS, PICA_FCRAM_SIZE))
        return harness_fail(error, HARNESS_BAD_INPUT,
                            "window %u: expected a range inside VRAM or inside FCRAM, found 0x%08X size 0x%X", index,
                            window.address, window.size);
    for (uint32_t i = 0; i < index; i++) {
        const struct pica_window other = test_case->windows[i];
        if (window.address < (uint64_t)other.address + other.size &&
            other.address < (uint64_t)window.address + window.size)
            return harness_fail(error, HARNESS_BAD_INPUT, "window %u: expected windows apart, found an overlap with %u",
                                index, i);
    }
    return HARNESS_OK;
}

/* CMD-20 */
static enum harness_status check_limits(const struct harness_case *test_case, struct harness_error *error)
{
    const struct pica_limits *const limits = &test_case->limits;
    const struct {
        const char *name;
        uint32_t value;
    } all[] = {
        { "commands", limits->commands }, { "vertices", limits->vertices }, { "instructions", limits->instructions },
        { "emits", limits->emits },       { "pixels", limits->pixels },     { "work", test_case->work }
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].value < 1 || all[i].value > HARNESS_MAX_BUDGET)
            return harness_fail(error, HARNESS_BAD_INPUT, "limits.%s: expected 1 to 0x10000000, found 0x%X",
                                all[i].name, all[i].value);
    return HARNESS_OK;
}

static bool text_is_plain(const char *text, bool one_line)
{
    if (text == NULL)
        return true;
    const size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < 0x20 && (text[i] != '\n' || one_line))
            return false;
    return length <= HARNESS_MAX_TEXT;
}

/* ------------------------------------------------------------------------------------------------------- contents */

static enum harness_status check_command(const struct harness_command *command, uint32_t index,
                                         struct harness_error *error)
{
    if (command->count < 1 || command->count > HARNESS_MAX_PARAMETERS || command->parameters == NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "command %u: expected 1 to 256 parameters, found %u", index,
                            command->count);
    if (command->mask > 15 || command->ignored > 7)
        return harness_fail(error, HARNESS_BAD_INPUT, "command %u: expected mask 0-15 and ignored 0-7, found %u and %u",
                            index, command->mask, command->ignored);
    if ((command->count & 1u) != 0 && command->padding != 0)
        return harness_fail(error, HARNESS_BAD_INPUT,
                            "command %u: expected padding 0 (there is no padding word), found 0x%X", index,
                            command->padding);
    if (!text_is_plain(command->comment, false))
        return harness_fail(error, HARNESS_BAD_INPUT, "command %u: comment too long or with control characters", index);
    return HARNESS_OK;
}

/* True if all commands are certainly valid; adds their words to *words. There is no branch for each member, because
 * lists are most of a case and nearly all commands are valid. */
static bool commands_are_plain(const struct harness_list *list, uint64_t *words)
{
    uint32_t wrong = 0;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct harness_command *const command = &list->commands[i];
        const uint32_t count = command->count;
        sum += 2u + (count & ~1u); /* harness_command_words */
        wrong |= (count - 1u) / HARNESS_MAX_PARAMETERS | (uint32_t)command->mask >> 4 | (uint32_t)command->ignored >> 3;
        wrong |= command->padding & (0u - (count & 1u));
        wrong |= command->parameters == NULL || command->comment != NULL ? 1u : 0u;
    }
    *words += sum;
    return wrong == 0;
}

static enum harness_status check_list(const struct harness_list *list, struct harness_totals *totals,
                                      struct harness_error *error)
{
    totals->commands += list->count;
    if (totals->commands > HARNESS_MAX_COMMANDS)
        return harness_fail(error, HARNESS_TOO_LARGE, "list: expected at most %u commands in the case",
                            (unsigned)HARNESS_MAX_COMMANDS);
    uint64_t words = list->tail_count;
    const bool plain = commands_are_plain(list, &words);
    totals->bytes += (4 * words + 15) & ~(uint64_t)15; /* harness_data_size, padded */
    totals->contents += 4 * words + 16;
    for (uint32_t i = 0; i < list->count && !plain; i++) {
        const enum harness_status status = check_command(&list->commands[i], i, error);
        if (status != HARNESS_OK)
            return status;
    }
    return HARNESS_OK;
}

static enum harness_status check_layout(const struct harness_layout *layout, struct harness_error *error)
{
    if (layout->field_count < 1 || layout->field_count > HARNESS_MAX_LAYOUT_FIELDS)
        return harness_fail(error, HARNESS_BAD_INPUT, "layout: expected 1 to 16 fields, found %u", layout->field_count);
    for (uint32_t i = 0; i < layout->field_count; i++)
        if (layout->fields[i].element > HARNESS_ELEMENT_PAD || layout->fields[i].count == 0)
            return harness_fail(error, HARNESS_BAD_INPUT,
                                "layout field %u: expected an element type 0-6 and a count of 1-255, found %u and %u",
                                i, layout->fields[i].element, layout->fields[i].count);
    return HARNESS_OK;
}

static enum harness_status check_data(const struct harness_data *data, struct harness_totals *totals,
                                      struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    const bool has_bytes = data->kind == HARNESS_DATA_BYTES || data->kind == HARNESS_DATA_TABLE;
    if (data->kind > HARNESS_DATA_LIST || data->pattern > HARNESS_PATTERN_NOISE)
        return harness_fail(error, HARNESS_BAD_INPUT, "contents: unknown kind %u or pattern %u", (unsigned)data->kind,
                            (unsigned)data->pattern);
    if (has_bytes && data->size != 0 && data->bytes == NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "contents: expected %u bytes, found none", data->size);
    if (data->kind == HARNESS_DATA_TABLE)
        status = check_layout(&data->layout, error);
    if (data->kind == HARNESS_DATA_LIST)
        status = check_list(&data->list, totals, error);
    if (status != HARNESS_OK)
        return status;
    totals->bytes += data->kind == HARNESS_DATA_LIST ? 0 : data->size; /* check_list counted */
    totals->contents += data->kind == HARNESS_DATA_LIST ? 0 : data->size;
    if (totals->bytes > HARNESS_MAX_DATA)
        return harness_fail(error, HARNESS_TOO_LARGE, "contents: expected at most 0x%X bytes in the case",
                            (unsigned)HARNESS_MAX_DATA);
    return HARNESS_OK;
}

/* ----------------------------------------------------------------------------------------------------- operations */

/* Members a kind does not name are 0. */
static enum harness_status check_members(const struct harness_operation *operation, struct harness_error *error)
{
    const enum harness_operation_kind kind = operation->kind;
    const bool has_address =
        kind == HARNESS_LOAD || kind == HARNESS_RUN || kind == HARNESS_SUBMIT || kind == HARNESS_WRITE;
    const uint32_t words = kind == HARNESS_WRITE ? 1 : kind == HARNESS_FILL ? 4 : kind == HARNESS_TRANSFER ? 9 : 0;
    const uint32_t most_unit = kind == HARNESS_FILL || kind == HARNESS_VBLANK ? 1 : 0;
    if (operation->unit > most_unit)
        return harness_fail(error, HARNESS_BAD_INPUT, "unit: expected 0 to %u, found %u", most_unit, operation->unit);
    if ((!has_address && operation->address != 0) || (kind != HARNESS_SUBMIT && operation->size != 0))
        return harness_fail(error, HARNESS_BAD_INPUT, "address and size: expected 0 where the kind has none");
    uint32_t beyond = 0; /* the loop below finds nothing in nearly all operations, and its length is hard to predict */
    for (uint32_t i = 0; i < 9; i++)
        beyond |= i < words ? 0 : operation->words[i];
    for (uint32_t i = words; i < 9 && beyond != 0; i++)
        if (operation->words[i] != 0)
            return harness_fail(error, HARNESS_BAD_INPUT, "words[%u]: expected 0, found 0x%X", i, operation->words[i]);
    if ((kind == HARNESS_NOTE) != (operation->text != NULL))
        return harness_fail(error, HARNESS_BAD_INPUT, "text: expected in notes and nowhere else");
    if (!text_is_plain(operation->text, true) || !text_is_plain(operation->comment, false))
        return harness_fail(error, HARNESS_BAD_INPUT, "text or comment: too long, or with control characters");
    return HARNESS_OK;
}

static enum harness_status check_operation(const struct harness_operation *operation, struct harness_totals *totals,
                                           struct harness_error *error)
{
    if (operation->kind > HARNESS_NOTE)
        return harness_fail(error, HARNESS_BAD_INPUT, "kind: expected 0 to 7, found %u", (unsigned)operation->kind);
    const enum harness_status status = check_members(operation, error);
    if (status != HARNESS_OK)
        return status;
    if (operation->kind == HARNESS_RUN && operation->data.kind != HARNESS_DATA_LIST)
        return harness_fail(error, HARNESS_BAD_INPUT, "data: expected a command list");
    if (operation->kind == HARNESS_LOAD || operation->kind == HARNESS_RUN)
        return check_data(&operation->data, totals, error);
    return HARNESS_OK;
}

static enum harness_status fail_at(struct harness_error *error, enum harness_status status, const char *what,
                                   uint32_t index)
{
    char place[32];
    (void)snprintf(place, sizeof place, "%s %u", what, (unsigned)index);
    harness_error_prefix(error, place);
    return status;
}

static enum harness_status check_contents(const struct harness_case *test_case, struct harness_totals *totals,
                                          struct harness_error *error)
{
    for (uint32_t i = 0; i < test_case->chunk_count; i++) {
        const struct harness_chunk *const chunk = &test_case->chunks[i];
        enum harness_status status = check_data(&chunk->data, totals, error);
        if (status == HARNESS_OK && !text_is_plain(chunk->comment, false))
            status = harness_fail(error, HARNESS_BAD_INPUT, "comment: too long, or with control characters");
        if (status != HARNESS_OK)
            return fail_at(error, status, "memory", i);
    }
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        const enum harness_status status = check_operation(&test_case->operations[i], totals, error);
        if (status != HARNESS_OK)
            return fail_at(error, status, "operation", i);
    }
    return HARNESS_OK;
}

enum harness_status harness_case_check_totals(const struct harness_case *test_case, struct harness_totals *totals,
                                              struct harness_error *error)
{
    if (test_case->window_count < 1 || test_case->window_count > PICA_MAX_WINDOWS)
        return harness_fail(error, HARNESS_BAD_INPUT, "windows: expected 1 to 16 of them, found %u",
                            test_case->window_count);
    for (uint32_t i = 0; i < test_case->window_count; i++) {
        const enum harness_status status = check_window(test_case, i, error);
        if (status != HARNESS_OK)
            return status;
    }
    const enum harness_status status = check_limits(test_case, error);
    if (status != HARNESS_OK)
        return status;
    if (test_case->profile != PICA_PROFILE_F32 && test_case->profile != PICA_PROFILE_F24)
        return harness_fail(error, HARNESS_BAD_INPUT, "profile: expected f32 or f24, found %u",
                            (unsigned)test_case->profile);
    if (test_case->state != NULL && !harness_state_is_normal(test_case->state))
        return harness_fail(error, HARNESS_BAD_INPUT, "state: expected values as harness_state_normalise leaves them");
    if (!text_is_plain(test_case->comment, false))
        return harness_fail(error, HARNESS_BAD_INPUT, "comment: too long, or with control characters");
    if (test_case->chunk_count > HARNESS_MAX_CHUNKS || test_case->operation_count > HARNESS_MAX_OPERATIONS)
        return harness_fail(error, HARNESS_TOO_LARGE, "expected at most 65536 memory blocks and operations each");
    return check_contents(test_case, totals, error);
}

enum harness_status harness_case_check(const struct harness_case *test_case, struct harness_error *error)
{
    struct harness_totals totals = { 0 };
    return harness_case_check_totals(test_case, &totals, error);
}
