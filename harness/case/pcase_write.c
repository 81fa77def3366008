/* A case as text: everything but the inside of command lists (pcase_write_list.c). */
#include "harness/case/field_text.h"
#include "harness/case/formats.h"
#include "harness/case/numbers.h"
#include "harness/case/pcase_names.h"
#include "harness/case/pcase_write.h"
#include "harness/case/shader_asm.h"
#include "pica/extregs.h"
#include "pica/regs.h"

#include <string.h>

void harness_pcase_comment(struct harness_text *out, uint32_t indent, const char *comment)
{
    while (comment != NULL) {
        const size_t length = strcspn(comment, "\n");
        harness_text_indent(out, indent);
        harness_text_add(out, length == 0 ? "#" : "# ");
        harness_text_bytes(out, comment, length);
        harness_text_add(out, "\n");
        comment = comment[length] == '\0' ? NULL : comment + length + 1;
    }
}

/* ------------------------------------------------------------------------------------------------------------ head */

static void write_head(const struct harness_case *test_case, struct harness_text *out)
{
    harness_pcase_comment(out, 0, test_case->comment);
    harness_text_add(out, "pcase 1\n");
    if (test_case->profile == PICA_PROFILE_F24)
        harness_text_add(out, "profile f24\n");
    const char *separator = "limits { ";
    for (uint32_t i = 0; i < HARNESS_LIMIT_NAMES; i++) {
        const uint32_t value = harness_limit_get(test_case, i);
        if (value == harness_limit_default(i))
            continue;
        harness_text_format(out, "%s%s = 0x%X", separator, harness_limit_names[i], value);
        separator = ", ";
    }
    if (separator[0] == ',')
        harness_text_add(out, " }\n");
    for (uint32_t i = 0; i < test_case->window_count; i++)
        harness_text_format(out, "window 0x%08X size 0x%X\n", test_case->windows[i].address,
                            test_case->windows[i].size);
}

/* ------------------------------------------------------------------------------------------------------------ bytes */

/* Length of the run of equal bytes at `bytes`. */
static uint32_t run_length(const uint8_t *bytes, uint32_t left)
{
    uint32_t length = 1;
    while (length < left && bytes[length] == bytes[0])
        length++;
    return length;
}

/* 32 bytes a line in groups of four; 32 and more equal bytes at the start of a line as 00*4096. */
static void write_bytes(const uint8_t *bytes, uint32_t size, uint32_t indent, struct harness_text *out)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t i = 0;
    while (i < size) {
        const uint32_t run = run_length(bytes + i, size - i);
        harness_text_indent(out, indent);
        if (run >= 32) {
            harness_text_format(out, "%02x*%u\n", bytes[i], run);
            i += run;
            continue;
        }
        char line[32 * 2 + 32 / 4];
        size_t length = 0;
        for (uint32_t end = size - i < 32 ? size : i + 32, k = 0; i < end; i++, k++) {
            if (k != 0 && k % 4 == 0)
                line[length++] = ' ';
            line[length++] = digits[bytes[i] >> 4];
            line[length++] = digits[bytes[i] & 15u];
        }
        harness_text_bytes(out, line, length);
        harness_text_add(out, "\n");
    }
}

static uint32_t read_element(const uint8_t *bytes, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < size; i++)
        value |= (uint32_t)bytes[i] << (8 * i);
    return value;
}

static void write_element(enum harness_element element, const uint8_t *bytes, struct harness_text *out)
{
    const uint32_t value = read_element(bytes, harness_element_size(element));
    char number[HARNESS_NUMBER_TEXT];
    switch (element) {
    case HARNESS_ELEMENT_S8: harness_text_format(out, "%d", pica_bits_signed(value, 0, 8)); return;
    case HARNESS_ELEMENT_S16: harness_text_format(out, "%d", pica_bits_signed(value, 0, 16)); return;
    case HARNESS_ELEMENT_U8:
    case HARNESS_ELEMENT_U16: harness_text_format(out, "%u", value); return;
    case HARNESS_ELEMENT_U32: harness_text_format(out, "0x%08X", value); return;
    case HARNESS_ELEMENT_PAD: harness_text_format(out, "0x%02X", value); return;
    case HARNESS_ELEMENT_F32:
        harness_float_print(number, HARNESS_FLOAT32, value);
        harness_text_add(out, number);
        return;
    }
}

/* One row, values with blanks, fields apart by two. */
static const uint8_t *write_row(const struct harness_layout *layout, const uint8_t *bytes, struct harness_text *out)
{
    for (uint32_t f = 0; f < layout->field_count; f++)
        for (uint32_t k = 0; k < layout->fields[f].count; k++) {
            const enum harness_element element = (enum harness_element)layout->fields[f].element;
            harness_text_add(out, k != 0 ? " " : f != 0 ? "  " : "");
            write_element(element, bytes, out);
            bytes += harness_element_size(element);
        }
    return bytes;
}

static void write_table(const struct harness_data *data, uint32_t indent, struct harness_text *out)
{
    const uint32_t row_size = harness_layout_size(&data->layout);
    const bool is_column = data->layout.field_count == 1 && data->layout.fields[0].count == 1;
    const uint32_t rows_per_line = is_column ? 16 : 1;
    const uint32_t rows = data->size / row_size;
    const uint8_t *bytes = data->bytes;
    for (uint32_t row = 0; row < rows; row++) {
        if (row % rows_per_line == 0)
            harness_text_indent(out, indent);
        else
            harness_text_add(out, " ");
        bytes = write_row(&data->layout, bytes, out);
        if (row % rows_per_line == rows_per_line - 1 || row == rows - 1)
            harness_text_add(out, "\n");
    }
    const uint32_t rest = data->size - rows * row_size;
    if (rest != 0) {
        harness_text_indent(out, indent);
        harness_text_add(out, "bytes\n");
        write_bytes(bytes, rest, indent, out);
    }
}

/* "f32*3 u8*4" */
static void write_layout(const struct harness_layout *layout, struct harness_text *out)
{
    for (uint32_t f = 0; f < layout->field_count; f++) {
        harness_text_format(out, " %s", harness_element_names[layout->fields[f].element]);
        if (layout->fields[f].count != 1)
            harness_text_format(out, "*%u", layout->fields[f].count);
    }
}

static void write_data(const struct harness_data *data, struct harness_text *out)
{
    switch (data->kind) {
    case HARNESS_DATA_BYTES:
        harness_text_add(out, " bytes {\n");
        write_bytes(data->bytes, data->size, 1, out);
        break;
    case HARNESS_DATA_TABLE:
        harness_text_add(out, " table");
        write_layout(&data->layout, out);
        harness_text_add(out, " {\n");
        write_table(data, 1, out);
        break;
    case HARNESS_DATA_PATTERN:
        harness_text_format(out, " %s 0x%X size 0x%X\n", harness_pattern_names[data->pattern], data->value, data->size);
        return;
    case HARNESS_DATA_LIST:
        harness_text_add(out, " list {\n");
        harness_pcase_write_list(&data->list, 1, out);
        break;
    }
    harness_text_add(out, "}\n");
}

/* ------------------------------------------------------------------------------------------------------------ state */

static uint32_t reset_value(const struct harness_part *part, uint32_t index)
{
    return part->type == HARNESS_PART_REGISTERS ? pica_reg_info(index)->reset : 0;
}

static void write_register_part(const struct pica_state *values, struct harness_text *out)
{
    for (uint32_t id = 0; id < PICA_REGISTERS; id++) {
        const struct pica_reg_info *const info = pica_reg_info(id);
        if (values->registers[id] == info->reset)
            continue;
        harness_text_format(out, "    %s", info->name);
        harness_value_print(info->layout, values->registers[id], 1, out);
        harness_text_add(out, "\n");
    }
}

/* "index: value value ..." for each stretch of values that are not the reset ones; four values for a vector. */
static void write_word_part(const struct pica_state *values, uint32_t part, struct harness_text *out)
{
    const struct harness_part *const row = &harness_parts[part];
    const bool is_float = row->type == HARNESS_PART_FLOATS;
    const uint32_t group = is_float ? 4 : 1;
    char number[HARNESS_NUMBER_TEXT];
    uint32_t column = 0; /* of the line, in values; 0 = no line open */
    for (uint32_t i = 0; i < row->count; i += group) {
        bool differs = false;
        for (uint32_t k = 0; k < group; k++)
            differs = differs || harness_part_get(values, part, i + k) != reset_value(row, i + k);
        if (column != 0 && (!differs || is_float || column == 8)) {
            harness_text_add(out, "\n");
            column = 0;
        }
        if (!differs)
            continue;
        if (column == 0)
            harness_text_format(out, "    %u:", i / group);
        for (uint32_t k = 0; k < group; k++, column++) {
            const uint32_t value = harness_part_get(values, part, i + k);
            harness_float_print(number, HARNESS_FLOAT32, value);
            if (is_float)
                harness_text_format(out, " %s", number);
            else
                harness_text_format(out, " 0x%X", value);
        }
    }
    if (column != 0)
        harness_text_add(out, "\n");
}

static void write_code_part(const struct pica_state *values, uint32_t part, struct harness_text *out)
{
    const struct pica_shader_unit *const unit =
        &values->units[part == PICA_STATE_VERTEX_CODE ? PICA_UNIT_VERTEX : PICA_UNIT_GEOMETRY];
    struct harness_descriptors descriptors;
    uint32_t count = PICA_CODE_WORDS;
    while (count > 0 && unit->code[count - 1] == 0)
        count--;
    for (uint32_t i = 0; i < HARNESS_DESCRIPTORS; i++) {
        descriptors.words[i] = unit->opdesc[i];
        descriptors.known[i] = UINT32_MAX;
    }
    const struct harness_code code = { .words = unit->code, .count = count, .descriptors = &descriptors };
    harness_shader_disassemble(&code, 1, out);
}

static void write_state(const struct harness_state *state, struct harness_text *out)
{
    if (state->given == 0)
        harness_text_add(out, "\nstate reset\n");
    for (uint32_t part = 0; part < harness_part_count; part++) {
        if ((state->given >> part & 1u) == 0)
            continue;
        harness_text_format(out, "\nstate %s {\n", harness_parts[part].name);
        if (harness_parts[part].type == HARNESS_PART_REGISTERS)
            write_register_part(&state->values, out);
        else if (harness_parts[part].type == HARNESS_PART_CODE)
            write_code_part(&state->values, part, out);
        else
            write_word_part(&state->values, part, out);
        harness_text_add(out, "}\n");
    }
}

/* ------------------------------------------------------------------------------------------------------- operations */

/* Words of a fill or transfer by register name; words of 0 are left out. */
static void write_words(const uint32_t *words, uint32_t count, const uint32_t *registers, struct harness_text *out)
{
    harness_text_add(out, " {\n");
    for (uint32_t i = 0; i < count; i++) {
        const struct pica_extreg_info *const info = pica_extreg_info(registers[i]);
        if (words[i] == 0)
            continue;
        harness_text_format(out, "    %s", info->name);
        harness_value_print(info->layout, words[i], 1, out);
        harness_text_add(out, "\n");
    }
    harness_text_add(out, "}\n");
}

static void write_register_write(uint32_t address, uint32_t value, struct harness_text *out)
{
    const char *name;
    enum pica_layout layout;
    if (harness_register_name(address, &name, &layout)) {
        harness_text_format(out, "write %s", name);
        harness_value_print(layout, value, 0, out);
    } else {
        harness_text_format(out, "write 0x%08X", address);
        harness_value_print(PICA_LAYOUT_NONE, value, 0, out);
    }
    harness_text_add(out, "\n");
}

static void write_string(const char *text, struct harness_text *out)
{
    harness_text_add(out, "\"");
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            harness_text_format(out, "\\%c", *text);
        else
            harness_text_bytes(out, text, 1);
    harness_text_add(out, "\"");
}

static void write_operation(const struct harness_operation *operation, struct harness_text *out)
{
    harness_text_add(out, "\n");
    harness_pcase_comment(out, 0, operation->comment);
    switch (operation->kind) {
    case HARNESS_LOAD:
        harness_text_format(out, "load 0x%08X", operation->address);
        write_data(&operation->data, out);
        return;
    case HARNESS_RUN:
        harness_text_format(out, "run 0x%08X {\n", operation->address);
        harness_pcase_write_list(&operation->data.list, 1, out);
        harness_text_add(out, "}\n");
        return;
    case HARNESS_SUBMIT:
        harness_text_format(out, "submit 0x%08X size 0x%X\n", operation->address, operation->size);
        return;
    case HARNESS_WRITE: write_register_write(operation->address, operation->words[0], out); return;
    case HARNESS_FILL:
        harness_text_format(out, "fill %u", operation->unit);
        write_words(operation->words, 4, harness_fill_registers[operation->unit], out);
        return;
    case HARNESS_TRANSFER:
        harness_text_add(out, "transfer");
        write_words(operation->words, 9, harness_transfer_registers, out);
        return;
    case HARNESS_VBLANK: harness_text_format(out, "vblank %s\n", operation->unit == 0 ? "top" : "bottom"); return;
    case HARNESS_NOTE:
        harness_text_add(out, "note ");
        write_string(operation->text, out);
        harness_text_add(out, "\n");
        return;
    }
}

enum harness_status harness_pcase_write(const struct harness_case *test_case, struct harness_text *out,
                                        struct harness_error *error)
{
    const enum harness_status status = harness_case_check(test_case, error);
    if (status != HARNESS_OK)
        return status;
    write_head(test_case, out);
    if (test_case->state != NULL)
        write_state(test_case->state, out);
    for (uint32_t i = 0; i < test_case->chunk_count; i++) {
        harness_text_add(out, "\n");
        harness_pcase_comment(out, 0, test_case->chunks[i].comment);
        harness_text_format(out, "memory 0x%08X", test_case->chunks[i].address);
        write_data(&test_case->chunks[i].data, out);
    }
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        write_operation(&test_case->operations[i], out);
    return out->failed ? harness_fail_memory(error) : HARNESS_OK;
}
