#include "harness/reduce/reduce_stream.h"

#include "harness/case/numbers.h"
#include "pica/opcodes.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------------- registers */

void harness_reduce_registers_init(struct reduce_registers *registers)
{
    memset(registers, 0, sizeof *registers);
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        registers->words[id] = pica_reg_info(id)->reset;
}

/* CMD-05: bit i of the mask is byte i. */
static uint32_t merged(uint32_t old, uint32_t value, uint32_t mask)
{
    uint32_t bits = 0;
    for (uint32_t byte = 0; byte < 4; byte++)
        bits |= (mask >> byte & 1u) * (0xFFu << (8 * byte));
    return (old & ~bits) | (value & bits);
}

static uint32_t words_of(const struct reduce_registers *registers, enum harness_port port, uint32_t unit)
{
    const uint32_t index = registers->words[pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX)];
    switch (port) {
    case HARNESS_PORT_FIXED: return 3;
    case HARNESS_PORT_UNIFORMS: return pica_shader_floatuniform_index_format(index) == 1 ? 4 : 3; /* REG-22 */
    case HARNESS_PORT_CODE:
    case HARNESS_PORT_OPDESCS:
    case HARNESS_PORT_NONE: return 1;
    }
    return 1; /* not reached */
}

/* REG-25: after index 14 comes immediate mode. */
static bool is_immediate(const struct reduce_registers *registers)
{
    return registers->next[HARNESS_PORT_FIXED][0] >= 15;
}

static void step(struct reduce_registers *registers, enum harness_port port, uint32_t unit)
{
    if (port != HARNESS_PORT_FIXED || !is_immediate(registers)) {
        registers->next[port][unit]++;
        return;
    }
    const uint32_t last = pica_vsh_num_attr_attributes_minus_1(registers->words[PICA_REG_VSH_NUM_ATTR]);
    if (registers->attribute++ >= last) {
        registers->attribute = 0;
        registers->vertex++;
    }
}

static void write_word(struct reduce_registers *registers, uint32_t id, uint32_t value, uint32_t mask)
{
    uint32_t *const word = &registers->words[id];
    *word = merged(*word, value, mask);
    for (uint32_t unit = 0; unit < 2; unit++) {
        if (id == pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX))
            registers->next[HARNESS_PORT_CODE][unit] = *word;
        if (id == pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_INDEX))
            registers->next[HARNESS_PORT_OPDESCS][unit] = *word;
        if (id == pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX))
            registers->next[HARNESS_PORT_UNIFORMS][unit] = pica_shader_floatuniform_index_index(*word);
    }
    if (id == PICA_REG_FIXEDATTRIB_INDEX) {
        registers->next[HARNESS_PORT_FIXED][0] = pica_fixedattrib_index_index(*word);
        registers->attribute = 0;
    }
}

void harness_reduce_registers_apply(struct reduce_registers *registers, const struct harness_command *command)
{
    uint32_t unit = 0;
    const enum harness_port port = harness_port_of(command->id, &unit);
    if (port != HARNESS_PORT_NONE && (!command->consecutive || command->count == 1)) {
        for (uint32_t i = words_of(registers, port, unit); i <= command->count; i += words_of(registers, port, unit))
            step(registers, port, unit);
        return;
    }
    for (uint32_t k = 0; k < command->count; k++)
        if (harness_command_register(command, k) < PICA_REGISTERS)
            write_word(registers, harness_command_register(command, k), command->parameters[k], command->mask);
}

/* -------------------------------------------------------------------------------------------------------- elements */

static struct reduce_element element_at(const struct reduce_registers *registers, enum harness_port port, uint32_t unit)
{
    struct reduce_element element = { .port = port, .unit = unit, .index = registers->next[port][unit] };
    element.count = words_of(registers, port, unit);
    element.float32 = element.count == 4;
    element.immediate = port == HARNESS_PORT_FIXED && is_immediate(registers);
    if (element.immediate)
        element.index = registers->attribute;
    element.vertex = registers->vertex;
    return element;
}

/* Visits the elements of one command; what stays is written to `kept`. Returns how many words stay. */
static uint32_t visit_command(struct reduce_registers *registers, struct harness_command *command,
                              reduce_element_visitor visitor, void *user, uint32_t *kept)
{
    uint32_t unit = 0, used = 0, size = 0;
    const enum harness_port port = harness_port_of(command->id, &unit);
    const uint32_t count = words_of(registers, port, unit);
    for (; used + count <= command->count; used += count) {
        struct reduce_element element = element_at(registers, port, unit);
        element.words = harness_command_edit(command) + used;
        step(registers, port, unit);
        if (visitor(user, &element))
            continue;
        memcpy(kept + size, element.words, count * sizeof *kept);
        size += count;
    }
    memcpy(kept + size, command->parameters + used, (command->count - used) * sizeof *kept);
    return size + command->count - used;
}

static bool is_stream(const struct harness_command *command)
{
    uint32_t unit = 0;
    return (!command->consecutive || command->count == 1) && harness_port_of(command->id, &unit) != HARNESS_PORT_NONE;
}

bool harness_reduce_elements(struct harness_case *test_case, reduce_element_visitor visitor, void *user, bool *removed)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    struct reduce_registers registers;
    bool any = false;
    harness_reduce_registers_init(&registers);
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++) {
            struct harness_command *const command = harness_list_edit(list, i);
            uint32_t kept[HARNESS_MAX_PARAMETERS];
            if (!is_stream(command)) {
                harness_reduce_registers_apply(&registers, command);
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
    struct harness_case view = *test_case; /* nothing is written through it: the visitor changes nothing */
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
    words[0] = raw[3] << 8 | raw[2] >> 16;
    words[1] = (raw[2] & 0xFFFFu) << 16 | raw[1] >> 8;
    words[2] = (raw[1] & 0xFFu) << 24 | raw[0];
}
