/* Changes of shader code in place, among the parameters of commands that write a code port. */
#include "harness/grammar/mutate_parts.h"
#include "pica/opcodes.h"

#include <string.h>

static enum pica_layout layout_of(uint32_t instruction)
{
    const struct pica_opcode_info *const info = pica_opcode_info(pica_opcode_of(instruction));
    return pica_opcode_format_info(info->format)->layout;
}

uint32_t mutate_any_instruction(struct harness_random *random)
{
    const uint32_t opcode = harness_random_below(random, PICA_OPCODE_TOTAL);
    const uint32_t empty = pica_shader_format_0_set_opcode(0, opcode);
    const uint32_t word = harness_layout_draw(random, layout_of(empty), true);
    /* CMP, MAD and MADI spend low bits of the opcode on operands. */
    return pica_shader_format_0_set_opcode(word, opcode);
}

/* Another opcode of the same format keeps the operands. */
static uint32_t other_opcode(struct harness_random *random, uint32_t old)
{
    const enum pica_opcode_format format = pica_opcode_info(pica_opcode_of(old))->format;
    for (int tries = 0; tries < 16; tries++) {
        const uint32_t opcode = harness_random_below(random, PICA_OPCODE_TOTAL);
        if (pica_opcode_info(opcode)->format == format)
            return pica_shader_format_0_set_opcode(old, opcode);
    }
    return pica_shader_format_0_set_opcode(old, harness_random_below(random, PICA_OPCODE_TOTAL));
}

uint32_t mutate_instruction(struct harness_random *random, uint32_t old)
{
    switch (harness_random_below(random, 10)) {
    case 0: return mutate_any_instruction(random);
    case 1: return other_opcode(random, old);
    case 2: return harness_word_change(random, old);
    case 3:
        return pica_shader_format_0_set_opcode(0,
                                               harness_random_percent(random, 50) ? PICA_OPCODE_NOP : PICA_OPCODE_END);
    default: return harness_layout_change(random, layout_of(old), old);
    }
}

/* ------------------------------------------------------------------------------------------------------- programs */

/* A command of `list` that holds code (or descriptors), found from a random place on. */
static struct harness_command *pick_code(const struct mutation *mutation, struct harness_list *list, bool descriptors)
{
    const uint32_t start = harness_random_below(mutation->random, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t index = (start + i) % list->count;
        const struct harness_command *const command = &list->commands[index];
        /* The last parameter: the first may be an index before the port. */
        const uint32_t id = harness_command_register(command, command->count - 1u);
        if ((descriptors ? harness_opdesc_port(id) : harness_code_port(id)) < 2u)
            return harness_list_edit(list, index);
    }
    return NULL;
}

static bool insert_instruction(const struct mutation *mutation, struct harness_command *command, uint32_t index)
{
    uint32_t words[HARNESS_MAX_PARAMETERS];
    if (command->count >= HARNESS_MAX_PARAMETERS || command->consecutive)
        return false;
    memcpy(words, command->parameters, command->count * sizeof words[0]);
    memmove(words + index + 1, words + index, (command->count - index) * sizeof words[0]);
    words[index] = mutate_any_instruction(mutation->random);
    return harness_command_set(mutation->test_case, command, words, command->count + 1u);
}

void mutate_remove_words(struct harness_command *command, uint32_t first, uint32_t count)
{
    memmove(harness_command_edit(command) + first, command->parameters + first + count,
            (command->count - first - count) * sizeof command->parameters[0]);
    command->count = (uint16_t)(command->count - count);
    if ((command->count & 1u) != 0)
        command->padding = 0;
}

static void swap(uint32_t *a, uint32_t *b)
{
    const uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

/* The instruction `other`; or, if that has the same form, `word` with one operand as in `other` except for one bit. */
static uint32_t take_other(struct harness_random *random, uint32_t word, uint32_t other)
{
    return layout_of(word) == layout_of(other) && harness_random_percent(random, 50)
               ? harness_layout_alias(random, layout_of(word), word, other)
               : other;
}

static bool change_code(const struct mutation *mutation, struct harness_command *command)
{
    struct harness_random *const random = mutation->random;
    const uint32_t index = harness_random_below(random, command->count);
    const uint32_t other = harness_random_below(random, command->count);
    uint32_t *const words = harness_command_edit(command), *const word = &words[index];
    switch (harness_random_below(random, 10)) {
    case 0: return insert_instruction(mutation, command, index);
    case 1:
        if (command->count > 1)
            mutate_remove_words(command, index, 1);
        return true;
    case 2: swap(word, &words[other]); return true;
    case 3: *word = take_other(random, *word, words[other]); return true;
    default: *word = mutate_instruction(random, *word); return true;
    }
}

bool mutate_shader(const struct mutation *mutation)
{
    struct harness_random *const random = mutation->random;
    struct harness_list *const list = mutate_pick_list(mutation);
    if (list == NULL)
        return false;
    const bool descriptors = harness_random_percent(random, 20);
    struct harness_command *const command = pick_code(mutation, list, descriptors);
    if (command == NULL)
        return false;
    if (!descriptors)
        return change_code(mutation, command);
    uint32_t *const word = &harness_command_edit(command)[harness_random_below(random, command->count)];
    *word = harness_layout_change(random, PICA_LAYOUT_SHADER_OPDESC, *word);
    return true;
}
