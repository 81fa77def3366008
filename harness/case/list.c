/* Command lists: typed commands <-> words (CMD-01 to CMD-05). No word is lost: what is not a whole command is tail. */
#include "harness/case/case.h"
#include "pica/regs.h"

#include <string.h>

/* CMD-02: header bits 27:20. */
static uint32_t extra_parameters(const struct harness_command *command)
{
    return (uint32_t)command->count - 1u;
}

uint32_t harness_command_header(const struct harness_command *command)
{
    return (uint32_t)command->id | ((uint32_t)command->mask << 16) | (extra_parameters(command) << 20) |
           ((uint32_t)command->ignored << 28) | ((command->consecutive ? 1u : 0u) << 31);
}

uint32_t harness_command_register(const struct harness_command *command, uint32_t parameter)
{
    return command->consecutive ? command->id + parameter : command->id;
}

bool harness_command_writes_to(const struct harness_command *command, uint32_t first, uint32_t last)
{
    const uint32_t end = command->consecutive ? command->id + command->count - 1u : command->id;
    return command->id <= last && end >= first;
}

bool harness_command_draws(const struct harness_command *command)
{
    for (uint32_t k = 0; k < command->count; k++)
        if (harness_command_register(command, k) == PICA_REG_FIXEDATTRIB_INDEX &&
            pica_fixedattrib_index_index(command->parameters[k]) == 15)
            return true;
    return harness_command_writes_to(command, PICA_REG_DRAWARRAYS, PICA_REG_DRAWELEMENTS);
}

uint32_t harness_command_words(const struct harness_command *command)
{
    return 2u + extra_parameters(command) + (extra_parameters(command) & 1u);
}

uint64_t harness_list_words(const struct harness_list *list)
{
    uint64_t words = list->tail_count;
    for (uint32_t i = 0; i < list->count; i++)
        words += harness_command_words(&list->commands[i]);
    return words;
}

uint64_t harness_list_header_word(const struct harness_list *list, uint32_t index)
{
    uint64_t word = 1;
    for (uint32_t i = 0; i < index && i < list->count; i++)
        word += harness_command_words(&list->commands[i]);
    return word;
}

static uint32_t *encode_command(const struct harness_command *command, uint32_t *out)
{
    *out++ = command->parameters[0];
    *out++ = harness_command_header(command);
    for (uint32_t k = 1; k < command->count; k++)
        *out++ = command->parameters[k];
    if ((extra_parameters(command) & 1u) != 0)
        *out++ = command->padding;
    return out;
}

void harness_list_encode(const struct harness_list *list, uint32_t *words)
{
    for (uint32_t i = 0; i < list->count; i++)
        words = encode_command(&list->commands[i], words);
    if (list->tail_count != 0)
        memcpy(words, list->tail, list->tail_count * sizeof *words);
}

/* ------------------------------------------------------------------------------------------------------- decoding */

/* How many words the command at `words` takes, 0 if that is more than the `left` ones that remain. */
static size_t whole_command(const uint32_t *words, size_t left)
{
    if (left < 2)
        return 0;
    const uint32_t extra = pica_command_header_extra_parameters(words[1]);
    const size_t needed = 2u + extra + (extra & 1u);
    return needed <= left ? needed : 0;
}

static bool decode_command(struct harness_case *test_case, struct harness_command *out, const uint32_t *words)
{
    const uint32_t header = words[1];
    const uint32_t extra = pica_command_header_extra_parameters(header);
    out->id = (uint16_t)pica_command_header_id(header);
    out->count = (uint16_t)(extra + 1u);
    out->mask = (uint8_t)pica_command_header_mask(header);
    out->ignored = (uint8_t)pica_command_header_ignored(header);
    out->consecutive = pica_command_header_consecutive(header) != 0;
    uint32_t *const parameters = harness_arena_raw(&test_case->arena, (extra + 1u) * sizeof *words);
    out->parameters = parameters;
    if (parameters == NULL)
        return false;
    parameters[0] = words[0];
    if (extra != 0)
        memcpy(parameters + 1, words + 2, extra * sizeof *words);
    out->padding = (extra & 1u) != 0 ? words[2u + extra] : 0;
    return true;
}

bool harness_list_decode(struct harness_case *test_case, struct harness_list *out, const uint32_t *words, size_t count)
{
    struct harness_list list = { 0 };
    size_t commands = 0;
    size_t position = 0;
    for (size_t step; (step = whole_command(words + position, count - position)) != 0; position += step)
        commands++;
    if (commands > HARNESS_MAX_COMMANDS || count - position > UINT32_MAX)
        return false;
    struct harness_command *const decoded = harness_arena_array(&test_case->arena, commands, sizeof *decoded);
    list.commands = decoded;
    list.tail_count = (uint32_t)(count - position);
    list.tail = harness_arena_copy(&test_case->arena, words + position, list.tail_count * sizeof *words);
    if (list.commands == NULL || list.tail == NULL)
        return false;
    position = 0;
    for (; list.count < commands; list.count++) {
        if (!decode_command(test_case, &decoded[list.count], words + position))
            return false;
        position += whole_command(words + position, count - position);
    }
    list.capacity = list.count;
    *out = list;
    return true;
}

/* ------------------------------------------------------------------------------------------------------- changing */

/* The commands of a case are const for its readers only; the arrays themselves are not. */
static struct harness_command *writable(const struct harness_list *list)
{
    return (struct harness_command *)list->commands;
}

struct harness_command *harness_list_edit(struct harness_list *list, uint32_t index)
{
    return &writable(list)[index];
}

uint32_t *harness_command_edit(struct harness_command *command)
{
    return (uint32_t *)command->parameters;
}

/* Room for `more` commands. */
static bool reserve(struct harness_case *test_case, struct harness_list *list, uint32_t more)
{
    if (list->capacity - list->count >= more)
        return true;
    if (more > HARNESS_MAX_COMMANDS || list->count > HARNESS_MAX_COMMANDS - more)
        return false;
    const uint32_t doubled = list->capacity < 8 ? 16 : list->capacity * 2;
    const uint32_t capacity = doubled - list->count < more ? list->count + more : doubled;
    struct harness_command *const commands = harness_arena_raw(&test_case->arena, capacity * sizeof *commands);
    if (commands == NULL)
        return false;
    if (list->count != 0)
        memcpy(commands, list->commands, list->count * sizeof *commands);
    list->commands = commands;
    list->capacity = capacity;
    return true;
}

bool harness_command_set(struct harness_case *test_case, struct harness_command *command, const uint32_t *parameters,
                         uint32_t count)
{
    if (count == 0 || count > HARNESS_MAX_PARAMETERS)
        return false;
    uint32_t *const copy = harness_arena_copy(&test_case->arena, parameters, count * sizeof *parameters);
    if (copy == NULL)
        return false;
    command->parameters = copy;
    command->count = (uint16_t)count;
    if ((count & 1u) != 0)
        command->padding = 0;
    return true;
}

struct harness_writes harness_command_writes(const struct harness_command *command)
{
    return (struct harness_writes){ .id = command->id,
                                    .mask = command->mask,
                                    .consecutive = command->consecutive,
                                    .parameters = command->parameters,
                                    .count = command->count };
}

struct harness_command *harness_list_insert(struct harness_case *test_case, struct harness_list *list, uint32_t index,
                                            const struct harness_writes *writes)
{
    struct harness_command command = { .id = writes->id,
                                       .mask = writes->mask & 0xFu,
                                       .consecutive = writes->consecutive };
    if (index > list->count || !harness_command_set(test_case, &command, writes->parameters, writes->count) ||
        !reserve(test_case, list, 1))
        return NULL;
    struct harness_command *const place = &writable(list)[index];
    if (index != list->count) /* else at the end, as usual */
        memmove(place + 1, place, (list->count - index) * sizeof *place);
    *place = command;
    list->count++;
    return place;
}

bool harness_list_write_masked(struct harness_case *test_case, struct harness_list *list, uint16_t id, uint8_t mask,
                               uint32_t value)
{
    const struct harness_writes writes = { .id = id, .mask = mask, .parameters = &value, .count = 1 };
    return harness_list_insert(test_case, list, list->count, &writes) != NULL;
}

bool harness_list_write(struct harness_case *test_case, struct harness_list *list, uint16_t id, uint32_t value)
{
    return harness_list_write_masked(test_case, list, id, 0xF, value);
}

bool harness_list_write_port(struct harness_case *test_case, struct harness_list *list, uint16_t id,
                             const uint32_t *words, size_t count)
{
    while (count != 0) {
        const uint32_t part = count < HARNESS_MAX_PARAMETERS ? (uint32_t)count : HARNESS_MAX_PARAMETERS;
        const struct harness_writes writes = { .id = id, .mask = 0xF, .parameters = words, .count = part };
        if (harness_list_insert(test_case, list, list->count, &writes) == NULL)
            return false;
        words += part;
        count -= part;
    }
    return true;
}

void harness_list_remove(struct harness_list *list, uint32_t index, uint32_t count)
{
    if (index >= list->count)
        return;
    if (count > list->count - index)
        count = list->count - index;
    memmove(writable(list) + index, list->commands + index + count,
            (list->count - index - count) * sizeof *list->commands);
    list->count -= count;
}

void harness_list_move(struct harness_list *list, uint32_t from, uint32_t to)
{
    struct harness_command *const commands = writable(list);
    const struct harness_command moved = commands[from];
    if (from < to)
        memmove(&commands[from], &commands[from + 1u], (to - from) * sizeof moved);
    else
        memmove(&commands[to + 1u], &commands[to], (from - to) * sizeof moved);
    commands[to] = moved;
}

void harness_list_swap(struct harness_list *list, uint32_t a, uint32_t b)
{
    struct harness_command *const commands = writable(list);
    const struct harness_command kept = commands[a];
    commands[a] = commands[b];
    commands[b] = kept;
}

/* ----------------------------------------------------------------------------------------------- copy and compare */

static bool copy_command(struct harness_case *to, struct harness_command *out, const struct harness_command *from)
{
    *out = *from;
    out->parameters = harness_arena_copy(&to->arena, from->parameters, from->count * sizeof *from->parameters);
    return out->parameters != NULL && harness_case_copy_text(to, &out->comment, from->comment);
}

uint32_t harness_list_insert_copies(struct harness_case *to, struct harness_list *list, uint32_t index,
                                    const struct harness_command *from, uint32_t count)
{
    if (count == 0 || index > list->count || !reserve(to, list, count))
        return 0;
    struct harness_command *const place = writable(list) + index;
    const uint32_t behind = list->count - index;
    memmove(place + count, place, behind * sizeof *place);
    uint32_t done = 0;
    while (done < count && copy_command(to, &place[done], &from[done]))
        done++;
    memmove(place + done, place + count, behind * sizeof *place); /* nothing moves unless memory ran out */
    list->count += done;
    return done;
}

bool harness_list_copy(struct harness_case *to, struct harness_list *out, const struct harness_list *from)
{
    struct harness_list list = { .tail_count = from->tail_count };
    list.tail = harness_arena_copy(&to->arena, from->tail, from->tail_count * sizeof *from->tail);
    if (list.tail == NULL || harness_list_insert_copies(to, &list, 0, from->commands, from->count) != from->count)
        return false;
    *out = list;
    return true;
}
