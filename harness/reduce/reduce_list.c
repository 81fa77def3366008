/* Passes over command lists: whole commands, single parameters, the form of a command, and typing of raw bytes. */
#include "harness/reduce/reduce_pass.h"

#include "harness/case/list_scan.h"
#include "pica/regs.h"

#include <string.h>

/* -------------------------------------------------------------------------------------------------------- commands */

/* The things of this pass: the commands of all lists in order, and the tail of each list as one more. */
static bool remove_commands(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;) {
        const uint32_t count = list->count, tail_count = list->tail_count;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++)
            if (!harness_reduce_takes(walk) && kept++ != i)
                harness_list_swap(list, kept - 1, i);
        if (tail_count != 0 && harness_reduce_takes(walk))
            list->tail_count = 0;
        if (kept != count)
            list->count = kept;
        walk->changed = walk->changed || kept != count || list->tail_count != tail_count;
    }
    return true;
}

const struct reduce_pass harness_reduce_commands = { "commands", 1, .walk = remove_commands };

/* ------------------------------------------------------------------------------------------------------ parameters */

/* Removes parameters [from, to); the other parameters of a consecutive command still go to the same registers. False if
 * memory runs out. */
static bool cut_command(struct harness_case *test_case, struct harness_list *list, uint32_t *index, uint32_t from,
                        uint32_t to)
{
    struct harness_command *command = harness_list_edit(list, *index);
    uint32_t words[HARNESS_MAX_PARAMETERS];
    const uint32_t behind = command->count - to;
    memcpy(words, command->parameters, from * sizeof *words);
    memcpy(words + from, command->parameters + to, behind * sizeof *words);
    if (from == 0 && behind == 0) {
        harness_list_remove(list, (*index)--, 1);
        return true;
    }
    if (command->consecutive && from != 0 && behind != 0) {
        const struct harness_writes rest = { .id = (uint16_t)(command->id + to),
                                             .mask = command->mask,
                                             .consecutive = behind > 1,
                                             .parameters = words + from,
                                             .count = behind };
        if (harness_list_insert(test_case, list, *index + 1, &rest) == NULL)
            return false;
        command = harness_list_edit(list, (*index)++);
        return harness_command_set(test_case, command, words, from);
    }
    if (command->consecutive && from == 0)
        command->id = (uint16_t)(command->id + to);
    return harness_command_set(test_case, command, words, from + behind);
}

static bool remove_parameters(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++) {
            const uint32_t count = list->commands[i].count;
            const struct reduce_range cut = harness_reduce_takes_of(walk, count < 2 ? 0 : count);
            if (cut.count == 0)
                continue;
            if (!cut_command(test_case, list, &i, cut.first, cut.first + cut.count))
                return false;
            walk->changed = true;
        }
    return true;
}

const struct reduce_pass harness_reduce_parameters = { "parameters", 1, .walk = remove_parameters };

/* ----------------------------------------------------------------------------------------------------------- forms */

/* Do all parameters go to one port, whichever of the port's registers they name? */
static bool is_one_port(const struct harness_command *command)
{
    uint32_t unit = 0, last_unit = 0;
    const enum oracle_port port = oracle_port_of(command->id, &unit);
    return port != ORACLE_PORT_NONE && oracle_port_of(command->id + command->count - 1u, &last_unit) == port &&
           unit == last_unit;
}

/* Variants: make everything plain; only the ignored bits; only the mask; only consecutive writing. */
static bool plain_form(struct harness_command *command, uint32_t variant)
{
    const struct harness_command before = *command;
    if (variant == 0 || variant == 1) {
        command->ignored = 0;
        command->padding = 0;
    }
    if (variant == 0 || variant == 2)
        command->mask = 0xF;
    if ((variant == 0 || variant == 3) && (command->count == 1 || is_one_port(command)))
        command->consecutive = false;
    return before.ignored != command->ignored || before.padding != command->padding || before.mask != command->mask ||
           before.consecutive != command->consecutive;
}

static bool plain_forms(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;) {
        for (uint32_t i = 0; i < list->count; i++)
            if (harness_reduce_takes(walk))
                walk->changed = plain_form(harness_list_edit(list, i), walk->variant) || walk->changed;
        walk->seen += list->tail_count != 0 ? 1u : 0u;
    }
    return true;
}

const struct reduce_pass harness_reduce_forms = { "forms of commands", 4, .walk = plain_forms };

/* ----------------------------------------------------------------------------------------------------------- types */

/* Does the list look like one of a program: whole commands, existing registers, no unusual headers? */
static bool looks_like_list(const struct harness_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->commands[i].id >= PICA_REGISTERS || list->commands[i].ignored != 0)
            return false;
    return list->count > list->tail_count;
}

static bool type_block(struct harness_case *test_case, struct harness_data *data)
{
    struct harness_data typed;
    if ((data->kind != HARNESS_DATA_BYTES && data->kind != HARNESS_DATA_TABLE) || data->size < 8 ||
        data->size % 4 != 0 || !harness_data_decode(test_case, &typed, data->bytes, data->size) ||
        !looks_like_list(&typed.list))
        return false;
    *data = typed;
    return true;
}

/* Fills `out` with what the CPU put at [address, address + size) before operation `before`. Writes of the GPU are not
 * known here. */
static bool loaded_bytes(struct harness_case *test_case, uint32_t before, uint32_t address, uint32_t size, uint8_t *out)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    uint32_t *at = NULL;
    for (struct harness_data *data; (data = harness_reduce_next_block(&blocks, &at)) != NULL;) {
        if (blocks.next > test_case->chunk_count + before)
            break;
        const bool padded = blocks.next > test_case->chunk_count &&
                            test_case->operations[blocks.next - 1 - test_case->chunk_count].kind == HARNESS_RUN;
        const uint64_t length = harness_data_size(data, padded);
        const uint64_t from = *at > address ? *at : address;
        const uint64_t to_data = *at + length;
        const uint64_t to_list = (uint64_t)address + size;
        const uint64_t to = to_data < to_list ? to_data : to_list;
        if (from >= to)
            continue;
        const uint8_t *const bytes = harness_reduce_written(test_case, data, padded);
        if (bytes == NULL)
            return false;
        memcpy(out + (from - address), bytes + (from - *at), (size_t)(to - from));
    }
    return true;
}

/* Turns the operation into a `run` of the list that lies at `address` before operation `before`. */
static bool run_loaded(struct harness_case *test_case, uint32_t index, uint32_t before, uint32_t address, uint64_t size)
{
    struct harness_operation run = { .kind = HARNESS_RUN, .address = address };
    if (size < 8 || size > HARNESS_PCB_MAX_DATA)
        return false;
    uint8_t *const bytes = harness_arena_take(&test_case->arena, (size_t)size);
    if (bytes == NULL || !loaded_bytes(test_case, before, address, (uint32_t)size, bytes) ||
        !harness_data_decode(test_case, &run.data, bytes, (size_t)size))
        return false;
    test_case->operations[index] = run;
    return true;
}

/* EXT-CMD-14: turns a `submit` of a list in memory into a `run` of the same list, whose commands are then readable. */
static bool type_submit(struct harness_case *test_case, uint32_t index)
{
    const struct harness_operation *const operation = &test_case->operations[index];
    return run_loaded(test_case, index, index, operation->address, operation->size);
}

/* SUB-02: the GPU reads lists from a multiple of 16 bytes on, so for a list at another address it reads other words
 * than the case names. Rewrites such a list as the GPU reads it, so that it can be reduced. */
static bool align_run(struct harness_case *test_case, uint32_t index)
{
    const struct harness_operation *const operation = &test_case->operations[index];
    const uint32_t address = operation->address & ~15u;
    return operation->kind == HARNESS_RUN && operation->address != address &&
           run_loaded(test_case, index, index + 1, address, harness_data_size(&operation->data, true));
}

/* A list that is only loaded, for another one to jump to, is run where it is loaded, so that no jump is needed. */
static bool run_loaded_list(struct harness_case *test_case, uint32_t unit)
{
    struct harness_operation run = { .kind = HARNESS_RUN };
    if (unit >= test_case->chunk_count) {
        struct harness_operation *const operation = &test_case->operations[unit - test_case->chunk_count];
        if (operation->kind != HARNESS_LOAD || operation->data.kind != HARNESS_DATA_LIST)
            return false;
        operation->kind = HARNESS_RUN;
        return true;
    }
    if (test_case->chunks[unit].data.kind != HARNESS_DATA_LIST)
        return false;
    run.address = test_case->chunks[unit].address;
    run.data = test_case->chunks[unit].data;
    harness_case_remove_chunks(test_case, unit, 1);
    return harness_case_insert(test_case, 0, &run) != NULL;
}

static bool give_types(struct harness_case *test_case, struct reduce_walk *walk)
{
    const uint32_t end = walk->range.first + walk->range.count, variant = walk->variant;
    bool changed = false;
    walk->seen = test_case->chunk_count + test_case->operation_count;
    for (uint32_t unit = walk->range.first; unit < end; unit++) {
        struct reduce_blocks blocks = { .test_case = test_case, .next = unit };
        uint32_t *address = NULL;
        const bool is_operation = unit >= test_case->chunk_count;
        if (variant == 0 && is_operation &&
            test_case->operations[unit - test_case->chunk_count].kind == HARNESS_SUBMIT) {
            changed = type_submit(test_case, unit - test_case->chunk_count) || changed;
            continue;
        }
        if (variant == 3) {
            changed = (is_operation && align_run(test_case, unit - test_case->chunk_count)) || changed;
            continue;
        }
        if (variant == 2) {
            if (walk->range.count == 1)
                changed = run_loaded_list(test_case, unit);
            continue;
        }
        struct harness_data *const data = harness_reduce_next_block(&blocks, &address);
        if (variant == 1 && data != NULL && blocks.next == unit + 1)
            changed = type_block(test_case, data) || changed;
    }
    walk->changed = changed;
    return true;
}

const struct reduce_pass harness_reduce_types = { "types", 4, .walk = give_types };
