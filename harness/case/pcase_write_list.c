/* Command lists as text. Words for a shader port are shown as what they are: code, descriptors, vectors. */
#include "harness/case/field_text.h"
#include "harness/case/formats.h"
#include "harness/case/list_scan.h"
#include "harness/case/numbers.h"
#include "harness/case/pcase_write.h"
#include "pica/regs.h"

/* "TEXENV0_SOURCE", or the number of an id that has no name. */
static void write_name(uint32_t id, struct harness_text *out)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    if (info != NULL)
        harness_text_add(out, info->name);
    else
        harness_text_format(out, "0x%X", id);
}

static enum pica_layout layout_of(uint32_t id)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    return info != NULL ? info->layout : PICA_LAYOUT_NONE;
}

void harness_pcase_write_value(uint32_t register_id, uint32_t value, struct harness_text *out)
{
    harness_value_print(layout_of(register_id), value, 0, out);
}

/* What the header says beyond id and parameters, where that is unusual. */
static void write_attributes(const struct harness_command *command, struct harness_text *out)
{
    if (command->mask != 0xF)
        harness_text_format(out, " mask 0x%X", command->mask);
    if (command->ignored != 0)
        harness_text_format(out, " ignored %u", command->ignored);
    if (command->padding != 0)
        harness_text_format(out, " padding 0x%X", command->padding);
}

/* ------------------------------------------------------------------------------------------------ blocks of one id */

static void write_hex(const uint32_t *words, uint32_t count, uint32_t indent, struct harness_text *out)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i % 8 == 0)
            harness_text_indent(out, indent);
        char word[11] = { '0', 'x' };
        for (uint32_t k = 0; k < 8; k++)
            word[2 + k] = "0123456789ABCDEF"[words[i] >> (28 - 4 * k) & 15u];
        word[10] = i % 8 == 7 || i == count - 1 ? '\n' : ' ';
        harness_text_bytes(out, word, sizeof word);
    }
}

static void write_component(uint32_t raw, struct harness_float_format format, const char *end, struct harness_text *out)
{
    char number[HARNESS_NUMBER_TEXT];
    harness_float_print(number, format, raw);
    harness_text_format(out, "%s%s", number, end);
}

/* Words that do not fill a vector. */
static void write_rest(const uint32_t *words, uint32_t count, uint32_t indent, struct harness_text *out)
{
    if (count == 0)
        return;
    harness_text_indent(out, indent);
    harness_text_add(out, "words\n");
    write_hex(words, count, indent, out);
}

/* REG-23: three words hold w, z, y, x from the top. */
static void write_f24(const uint32_t *words, uint32_t count, uint32_t indent, struct harness_text *out)
{
    uint32_t i = 0;
    for (; i + 3 <= count; i += 3) {
        const uint32_t *const q = words + i;
        harness_text_indent(out, indent);
        write_component(q[2] & 0xFFFFFFu, HARNESS_FLOAT24, " ", out);
        write_component((q[1] & 0xFFFFu) << 8 | q[2] >> 24, HARNESS_FLOAT24, " ", out);
        write_component((q[0] & 0xFFu) << 16 | q[1] >> 16, HARNESS_FLOAT24, " ", out);
        write_component(q[0] >> 8, HARNESS_FLOAT24, "\n", out);
    }
    write_rest(words + i, count - i, indent, out);
}

static void write_f32(const uint32_t *words, uint32_t count, uint32_t indent, struct harness_text *out)
{
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        harness_text_indent(out, indent);
        for (uint32_t k = 0; k < 4; k++)
            write_component(words[i + 3 - k], HARNESS_FLOAT32, k == 3 ? "\n" : " ", out);
    }
    write_rest(words + i, count - i, indent, out);
}

static void write_descriptors(const uint32_t *words, uint32_t count, uint32_t first, uint32_t indent,
                              struct harness_text *out)
{
    for (uint32_t i = 0; i < count; i++) {
        harness_text_indent(out, indent);
        harness_descriptor_print(words[i], out);
        harness_text_format(out, " ; @%u\n", first + i);
    }
}

/* One writer at work: what the list uploaded before the current command, and what code will run with. */
struct writing {
    const struct harness_list *list;
    uint32_t index; /* of the current command */
    struct harness_scan now;
    struct harness_ahead ahead[2];
    struct harness_text *out;
};

static void write_repeat(struct writing *writing, const struct harness_command *command, uint32_t indent)
{
    uint32_t unit;
    struct harness_text *const out = writing->out;
    const enum oracle_port port = oracle_port_of(command->id, &unit);
    const struct oracle_follower *const registers = &writing->now.registers;
    const uint32_t code_index = registers->next[ORACLE_PORT_CODE][unit];
    harness_text_add(out, " repeat");
    if (port == ORACLE_PORT_CODE && code_index < HARNESS_MAX_CODE) {
        harness_text_format(out, " code at %u {\n", code_index);
        const struct harness_code code = { .words = command->parameters,
                                           .count = command->count,
                                           .first = code_index,
                                           .descriptors = harness_scan_ahead(&writing->ahead[unit], &writing->now,
                                                                             writing->list, writing->index, unit) };
        harness_shader_disassemble(&code, indent + 1, out);
    } else if (port == ORACLE_PORT_OPDESCS) {
        harness_text_add(out, " descriptors {\n");
        write_descriptors(command->parameters, command->count, registers->next[ORACLE_PORT_OPDESCS][unit], indent + 1,
                          out);
    } else if (port == ORACLE_PORT_UNIFORMS && oracle_follow_words(registers, port, unit) == 4) {
        harness_text_add(out, " f32 {\n");
        write_f32(command->parameters, command->count, indent + 1, out);
    } else if (port == ORACLE_PORT_UNIFORMS || port == ORACLE_PORT_FIXED) {
        harness_text_add(out, " f24 {\n");
        write_f24(command->parameters, command->count, indent + 1, out);
    } else {
        harness_text_add(out, " {\n");
        write_hex(command->parameters, command->count, indent + 1, out);
    }
    harness_text_indent(out, indent);
    harness_text_add(out, "}\n");
}

/* ----------------------------------------------------------------------------------------------- consecutive blocks */

static bool is_port(uint32_t id)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    return info != NULL && info->reg_class == PICA_REG_CLASS_PORT && info->layout == PICA_LAYOUT_WORD;
}

/* One register a line; words for ports that follow one another share a line: "NAME = 0x1, 0x2". */
static void write_consecutive(struct writing *writing, const struct harness_command *command, uint32_t indent)
{
    struct harness_text *const out = writing->out;
    harness_text_add(out, " consecutive {\n");
    for (uint32_t k = 0; k < command->count; k++) {
        const uint32_t id = harness_command_register(command, k);
        harness_text_indent(out, indent + 1);
        write_name(id, out);
        harness_value_print(layout_of(id), command->parameters[k], indent + 1, out);
        for (uint32_t shared = 1; shared < 8 && is_port(id) && k + 1 < command->count && is_port(id + shared); shared++)
            harness_text_format(out, ", 0x%08X", command->parameters[++k]);
        harness_text_add(out, "\n");
    }
    harness_text_indent(out, indent);
    harness_text_add(out, "}\n");
}

static void write_command(struct writing *writing, const struct harness_command *command, uint32_t indent)
{
    struct harness_text *const out = writing->out;
    harness_pcase_comment(out, indent, command->comment);
    harness_text_indent(out, indent);
    write_name(command->id, out);
    write_attributes(command, out);
    uint32_t unit;
    const enum oracle_port port = oracle_port_of(command->id, &unit);
    if (command->consecutive) {
        write_consecutive(writing, command, indent);
    } else if (command->count > 1 || port == ORACLE_PORT_CODE || port == ORACLE_PORT_OPDESCS) {
        write_repeat(writing, command, indent);
    } else {
        harness_value_print(layout_of(command->id), command->parameters[0], indent, out);
        harness_text_add(out, "\n");
    }
}

void harness_pcase_write_commands(const struct harness_list *list, uint32_t indent, struct harness_text *out,
                                  void (*written)(void *user, uint32_t index), void *user)
{
    struct writing writing = { .list = list, .out = out };
    harness_scan_init(&writing.now);
    for (; writing.index < list->count; writing.index++) {
        write_command(&writing, &list->commands[writing.index], indent);
        harness_scan_command(&writing.now, &list->commands[writing.index]);
        if (written != NULL)
            written(user, writing.index);
    }
}

void harness_pcase_write_list(const struct harness_list *list, uint32_t indent, struct harness_text *out)
{
    harness_pcase_write_commands(list, indent, out, NULL, NULL);
    if (list->tail_count == 0)
        return;
    harness_text_indent(out, indent);
    harness_text_add(out, "tail {\n");
    write_hex(list->tail, list->tail_count, indent + 1, out);
    harness_text_indent(out, indent);
    harness_text_add(out, "}\n");
}
