#include "harness/reduce/reduce_stream.h"

#include "harness/case/numbers.h"
#include "pica/opcodes.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------------- registers */

/* The port that a command writes to, if all its parameters go to one id. */
static enum oracle_port stream_of(const struct harness_command *command, uint32_t *unit)
{
    *unit = 0;
    return command->consecutive && command->count != 1 ? ORACLE_PORT_NONE : oracle_port_of(command->id, unit);
}

void harness_reduce_follow(struct oracle_follower *registers, const struct harness_command *command)
{
    uint32_t unit = 0;
    const enum oracle_port port = stream_of(command, &unit);
    registers->queue[port][unit] = 0;
    for (uint32_t k = 0; k < command->count; k++) {
        const uint32_t id = harness_command_register(command, k);
        if (port != ORACLE_PORT_NONE || oracle_port_of(id, &unit) == ORACLE_PORT_NONE)
            (void)oracle_follow_write(registers, id, command->mask, command->parameters[k]);
    }
}

/* -------------------------------------------------------------------------------------------------------- elements */

/* Visits the elements of one command and copies those that are not removed to `kept`. Returns how many words these
 * are. */
static uint32_t visit_command(struct oracle_follower *registers, struct harness_command *command,
                              reduce_element_visitor visitor, void *user, uint32_t *kept)
{
    uint32_t unit = 0, used = 0, size = 0;
    registers->queue[stream_of(command, &unit)][unit] = 0;
    for (uint32_t k = 0; k < command->count; k++) {
        struct reduce_element element = { .at = oracle_follow_write(registers, command->id, command->mask,
                                                                    command->parameters[k]) };
        if (element.at.port == ORACLE_PORT_NONE)
            continue;
        element.words = harness_command_edit(command) + used;
        used = k + 1;
        if (visitor(user, &element))
            continue;
        memcpy(kept + size, element.words, element.at.words * sizeof *kept);
        size += element.at.words;
    }
    memcpy(kept + size, command->parameters + used, (command->count - used) * sizeof *kept);
    return size + command->count - used;
}

bool harness_reduce_elements(struct harness_case *test_case, reduce_element_visitor visitor, void *user, bool *removed)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    struct oracle_follower registers;
    bool any = false;
    oracle_follow_start(&registers, NULL);
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++) {
            struct harness_command *const command = harness_list_edit(list, i);
            uint32_t kept[HARNESS_MAX_PARAMETERS], unit = 0;
            if (stream_of(command, &unit) == ORACLE_PORT_NONE) {
                harness_reduce_follow(&registers, command);
                continue;
            }
            const uint32_t count = visit_command(&registers, command, visitor, user, kept);
            if (count == command->count)
                continue;
            any = true;
            if (count == 0)
                harness_list_remove(list, i--, 1);
            else if (!harness_command_set(test_case, command, kept, count))
                return false;
        }
    if (removed != NULL)
        *removed = any;
    return true;
}

void harness_reduce_look(const struct harness_case *test_case, reduce_element_visitor visitor, void *user)
{
    struct harness_case view = *test_case; /* safe: the visitor changes nothing */
    (void)harness_reduce_elements(&view, visitor, user, NULL);
}

/* ---------------------------------------------------------------------------------------------------- instructions */

struct reduce_operands harness_reduce_operands_of(uint32_t instruction)
{
    static const char *const names[3] = { "src1", "src2", "src3" };
    const struct pica_opcode_info *const info = pica_opcode_info(pica_opcode_of(instruction));
    const enum pica_layout layout = pica_opcode_format_info(info->format)->layout;
    struct reduce_operands operands = { .descriptor = pica_field_by_name(layout, "desc") };
    if (info->dest == PICA_OPERAND_REGISTER)
        operands.dest = pica_field_by_name(layout, "dest");
    for (uint32_t i = 0; i < 3; i++)
        if (info->sources[i] == PICA_OPERAND_WIDE || info->sources[i] == PICA_OPERAND_NARROW)
            operands.sources[i] = pica_field_by_name(layout, names[i]);
    return operands;
}

/* --------------------------------------------------------------------------------------------------------- vectors */

void harness_reduce_unpack(const uint32_t *words, bool float32, double out[4])
{
    const uint32_t raw[4] = { words[2] & 0xFFFFFFu, (words[1] & 0xFFFFu) << 8 | words[2] >> 24,
                              (words[0] & 0xFFu) << 16 | words[1] >> 16, words[0] >> 8 };
    for (uint32_t i = 0; i < 4; i++)
        out[i] =
            float32 ? harness_float_value(HARNESS_FLOAT32, words[3 - i]) : harness_float_value(HARNESS_FLOAT24, raw[i]);
}

void harness_reduce_pack(const double in[4], bool float32, uint32_t *words)
{
    uint32_t raw[4];
    for (uint32_t i = 0; i < 4; i++)
        raw[i] = harness_float_raw(float32 ? HARNESS_FLOAT32 : HARNESS_FLOAT24, in[i]);
    if (float32) {
        for (uint32_t i = 0; i < 4; i++)
            words[3 - i] = raw[i];
        return;
    }
    harness_float24_pack(raw, words);
}
