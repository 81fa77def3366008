#include "harness/shader/shader_file.h"
#include "harness/case/little.h"

#include "pica/enums.h"
#include "pica/opcodes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void harness_shader_file_free(struct harness_shader_file *file)
{
    for (uint32_t i = 0; i < file->program_count; i++) {
        struct harness_shader_program *const program = &file->programs[i];
        free(program->constants);
        free(program->labels);
        free(program->outputs);
        free(program->names);
    }
    free(file->programs);
    free(file->strings);
    *file = (struct harness_shader_file){ .program_count = 0 };
}

/* ------------------------------------------------------------------------------------------ code without any tables */

bool harness_shader_source(uint32_t word, uint32_t source, uint32_t *number, bool *is_indexed)
{
    static const char *const names[] = { "src1", "src2", "src3" };
    const struct pica_opcode_info *const info = pica_opcode_info(pica_opcode_of(word));
    const bool is_wide = info->sources[source] == PICA_OPERAND_WIDE;
    if (info->format == PICA_OPCODE_FORMAT_NONE || (!is_wide && info->sources[source] != PICA_OPERAND_NARROW))
        return false;
    const enum pica_layout layout = pica_opcode_format_info(info->format)->layout;
    *number = pica_field_get(pica_field_by_name(layout, names[source]), word);
    *is_indexed = is_wide && pica_field_get(pica_field_by_name(layout, "index"), word) != PICA_SHADER_RELATIVE_NONE;
    return true;
}

uint32_t harness_shader_undescribed(const struct harness_shader_file *file, uint32_t *descriptor)
{
    uint32_t address = 0;
    for (; address < file->code_count; address++) {
        const struct pica_opcode_info *const info = pica_opcode_info(pica_opcode_of(file->code[address]));
        const struct pica_field_info *const field =
            info->format == PICA_OPCODE_FORMAT_NONE
                ? NULL
                : pica_field_by_name(pica_opcode_format_info(info->format)->layout, "desc");
        *descriptor = field != NULL ? pica_field_get(field, file->code[address]) : 0;
        if (field != NULL && file->descriptors.known[*descriptor] == 0)
            break;
    }
    return address;
}

static void find_registers(uint32_t word, struct harness_shader_program *out)
{
    const struct pica_opcode_info *const info = pica_opcode_info(pica_opcode_of(word));
    uint32_t number;
    bool is_indexed;
    for (uint32_t source = 0; source < 3; source++)
        if (harness_shader_source(word, source, &number, &is_indexed))
            out->input_mask |= number < PICA_SHADER_SOURCE_R0 ? (uint32_t)1 << number : 0;
    if (info->format == PICA_OPCODE_FORMAT_NONE || info->dest != PICA_OPERAND_REGISTER)
        return;
    number = pica_field_get(pica_field_by_name(pica_opcode_format_info(info->format)->layout, "dest"), word);
    out->output_mask |= number < 16 ? (uint32_t)1 << number : 0;
}

enum {
    COLOR = 2
};

/* Who writes outputs without saying what for means them in this order. */
static const uint32_t usual_meanings[] = { 0, COLOR, 3, 5, 6, 8, 1 };

static enum harness_status make_program(struct harness_shader_file *file, struct harness_error *error)
{
    enum {
        USUAL = sizeof usual_meanings / sizeof usual_meanings[0]
    };
    file->programs = calloc(1, sizeof *file->programs);
    if (file->programs == NULL)
        return harness_fail_memory(error);
    file->program_count = 1;
    struct harness_shader_program *const program = &file->programs[0];
    for (uint32_t i = 0; i < file->code_count; i++)
        find_registers(file->code[i], program);
    program->outputs = calloc(USUAL, sizeof *program->outputs);
    if (program->outputs == NULL)
        return harness_fail_memory(error);
    for (uint32_t i = 0; i < USUAL; i++)
        if ((program->output_mask >> i & 1u) != 0)
            program->outputs[program->output_count++] = (struct harness_shader_output){ usual_meanings[i], i, 0xF };
    return HARNESS_OK;
}

/* Where words of a file go. */
struct room {
    uint32_t *words, *count;
    uint32_t most;
};

static enum harness_status read_words(const uint8_t *bytes, size_t size, const char *name, const struct room *out,
                                      struct harness_error *error)
{
    if (size % 4 != 0 || size / 4 > out->most)
        return harness_fail(error, HARNESS_BAD_INPUT,
                            "%.200s: offset 0x%zX: expected the end of at most %" PRIu32
                            " words of 4 bytes, found a file of %zu bytes",
                            name, size % 4 != 0 ? size - size % 4 : 4 * (size_t)out->most, out->most, size);
    *out->count = (uint32_t)(size / 4);
    for (uint32_t i = 0; i < *out->count; i++)
        out->words[i] = harness_load32(bytes + 4 * (size_t)i);
    return HARNESS_OK;
}

enum harness_status harness_shader_read_raw(struct harness_shader_file *file, const uint8_t *bytes, size_t size,
                                            const char *name, struct harness_error *error)
{
    file->kind = HARNESS_SHADER_RAW;
    const struct room room = { file->code, &file->code_count, HARNESS_MAX_CODE };
    const enum harness_status status = read_words(bytes, size, name, &room, error);
    return status == HARNESS_OK ? make_program(file, error) : status;
}

enum harness_status harness_shader_read_descriptors(struct harness_shader_file *file, const uint8_t *bytes, size_t size,
                                                    const char *name, struct harness_error *error)
{
    const struct room room = { file->descriptors.words, &file->descriptor_count, HARNESS_DESCRIPTORS };
    const enum harness_status status = read_words(bytes, size, name, &room, error);
    for (uint32_t i = 0; i < file->descriptor_count; i++)
        file->descriptors.known[i] = UINT32_MAX;
    return status;
}

enum harness_status harness_shader_read_text(struct harness_shader_file *file, const char *text, size_t size,
                                             const char *name, struct harness_error *error)
{
    const struct harness_shader_source source = {
        .text = text, .size = size, .name = name, .first_line = 1, .allocate = true
    };
    file->kind = HARNESS_SHADER_TEXT;
    const enum harness_status status =
        harness_shader_assemble(&source, &file->descriptors, file->code, NULL, &file->code_count, error);
    for (uint32_t i = 0; i < HARNESS_DESCRIPTORS; i++)
        if (file->descriptors.known[i] != 0)
            file->descriptor_count = i + 1;
    return status == HARNESS_OK ? make_program(file, error) : status;
}

/* ----------------------------------------------------------------------------------------------------------- names */

static const struct {
    const char *name;
    uint8_t semantics[4];
} meanings[] = {
    { "position", { 0x00, 0x01, 0x02, 0x03 } },   { "normquat", { 0x04, 0x05, 0x06, 0x07 } },
    { "color", { 0x08, 0x09, 0x0A, 0x0B } },      { "texcoord0", { 0x0C, 0x0D, 0x1F, 0x1F } },
    { "texcoord0w", { 0x10, 0x10, 0x10, 0x10 } }, { "texcoord1", { 0x0E, 0x0F, 0x1F, 0x1F } },
    { "texcoord2", { 0x16, 0x17, 0x1F, 0x1F } },  { "meaning-7", { 0x1F, 0x1F, 0x1F, 0x1F } }, /* not known */
    { "view", { 0x12, 0x13, 0x14, 0x1F } },       { "dummy", { 0x1F, 0x1F, 0x1F, 0x1F } },
};

const char *harness_shader_meaning(uint32_t meaning)
{
    return meaning < sizeof meanings / sizeof meanings[0] ? meanings[meaning].name : NULL;
}

uint32_t harness_shader_semantic(uint32_t meaning, uint32_t component)
{
    return meanings[meaning].semantics[component];
}

static void add_output_name(const struct harness_shader_program *program, uint32_t number, struct harness_text *out)
{
    const char *separator = "";
    for (uint32_t i = 0; i < program->output_count; i++)
        if (program->outputs[i].number == number) {
            harness_text_format(out, "%s%s", separator, harness_shader_meaning(program->outputs[i].meaning));
            separator = "+";
        }
}

/* Of two names of a register the one that has fewer. */
static const struct harness_shader_name *name_of(const struct harness_shader_program *program, char bank,
                                                 uint32_t number)
{
    const struct harness_shader_name *found = NULL;
    for (uint32_t i = 0; i < program->name_count; i++) {
        const struct harness_shader_name *const name = &program->names[i];
        if (name->bank == bank && name->first <= number && number <= name->last &&
            (found == NULL || name->last - name->first < found->last - found->first))
            found = name;
    }
    return found;
}

bool harness_shader_register_name(const struct harness_shader_program *program, char bank, uint32_t number,
                                  struct harness_text *out)
{
    const size_t before = out->size;
    const struct harness_shader_name *const name = name_of(program, bank, number);
    if (bank == 'o')
        add_output_name(program, number, out);
    else if (name != NULL && name->first == name->last)
        harness_text_add(out, name->name);
    else if (name != NULL)
        harness_text_format(out, "%s[%" PRIu32 "]", name->name, number - name->first);
    return out->size != before;
}

void harness_shader_add_name(const struct harness_shader_program *program, char bank, uint32_t number,
                             struct harness_text *out)
{
    struct harness_text name = { 0 };
    if (harness_shader_register_name(program, bank, number, &name))
        harness_text_format(out, " %s", harness_text_string(&name));
    harness_text_free(&name);
}

void harness_shader_add_path(const char *path, struct harness_text *out)
{
    for (uint32_t i = 0; i < 200 && path[i] != '\0'; i++)
        harness_text_bytes(out, path[i] > '\0' && path[i] < ' ' ? "?" : &path[i], 1);
}

/* Digits up to `end`, a number up to 999. */
static bool take_number(const char *text, const char *end, uint32_t *out)
{
    *out = 0;
    if (text == end || end - text > 3)
        return false;
    for (; text < end; text++) {
        if (*text < '0' || *text > '9')
            return false;
        *out = *out * 10 + (uint32_t)(*text - '0');
    }
    return true;
}

/* The first of the file that is so. */
static const struct harness_shader_name *find_name(const struct harness_shader_program *program, const char *text,
                                                   size_t length)
{
    for (uint32_t i = 0; i < program->name_count; i++) {
        const struct harness_shader_name *const name = &program->names[i];
        if (name->bank != '?' && strlen(name->name) == length && memcmp(name->name, text, length) == 0)
            return name;
    }
    return NULL;
}

bool harness_shader_find_register(const struct harness_shader_program *program, const char *text, size_t length,
                                  struct harness_shader_register *out)
{
    static const struct {
        char bank;
        uint32_t count;
    } banks[] = { { 'v', 16 }, { 'c', 96 }, { 'i', 4 }, { 'b', 16 } };
    uint32_t index = 0;
    const char *const bracket = memchr(text, '[', length);
    if (bracket != NULL && (text[length - 1] != ']' || !take_number(bracket + 1, text + length - 1, &index)))
        return false;
    const size_t word = bracket != NULL ? (size_t)(bracket - text) : length;
    const struct harness_shader_name *name = find_name(program, text, word);
    if (name != NULL) {
        *out = (struct harness_shader_register){ name->bank, name->first + index,
                                                 bracket != NULL ? 1 : name->last - name->first + 1 };
        return out->number <= name->last;
    }
    for (size_t i = 0; i < sizeof banks / sizeof banks[0]; i++)
        if (word > 1 && text[0] == banks[i].bank && take_number(text + 1, text + word, &out->number)) {
            out->bank = text[0];
            out->number += index;
            name = bracket == NULL ? name_of(program, out->bank, out->number) : NULL;
            out->count = name != NULL ? name->last - out->number + 1 : 1;
            return out->number < banks[i].count;
        }
    return false;
}
