#include "harness/shader/shader_text.h"

#include "harness/case/numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------------- labels */

static bool is_taken(const char *const *labels, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i <= count; i++)
        if (labels[i] != NULL && strcmp(labels[i], name) == 0)
            return true;
    return false;
}

void harness_shader_labels(const struct harness_shader_file *file, const char *out[HARNESS_MAX_CODE + 1])
{
    memset(out, 0, (HARNESS_MAX_CODE + 1) * sizeof out[0]);
    for (uint32_t p = 0; p < file->program_count; p++)
        for (uint32_t i = 0; i < file->programs[p].label_count; i++) {
            const struct harness_shader_label *const label = &file->programs[p].labels[i];
            if (out[label->address] == NULL && harness_shader_is_label(label->name) &&
                !is_taken(out, file->code_count, label->name))
                out[label->address] = label->name;
        }
}

/* The program that an address belongs to: the one whose main it is in, else the only one; NULL: not known. */
static const struct harness_shader_program *program_at(const struct harness_shader_file *file, uint32_t address)
{
    for (uint32_t p = 0; p < file->program_count; p++)
        if (file->programs[p].entry <= address && address <= file->programs[p].end)
            return &file->programs[p];
    return file->program_count == 1 ? &file->programs[0] : NULL;
}

/* -------------------------------------------------------------------------------------------------------- programs */

/* "c4", "c0-c3" */
static void add_registers(const struct harness_shader_name *name, struct harness_text *out)
{
    if (name->bank == '?')
        harness_text_format(out, "register 0x%" PRIX32, name->first);
    else
        harness_text_format(out, "%c%" PRIu32, name->bank, name->first);
    if (name->last != name->first)
        harness_text_format(out, "-%c%" PRIu32, name->bank, name->last);
}

static void add_names(const struct harness_shader_program *program, bool inputs, struct harness_text *out)
{
    for (uint32_t i = 0; i < program->name_count; i++) {
        const struct harness_shader_name *const name = &program->names[i];
        if ((name->bank == 'v') != inputs)
            continue;
        harness_text_add(out, inputs ? ";   input     " : ";   uniform   ");
        add_registers(name, out);
        harness_text_format(out, " %s\n", name->name);
    }
}

/* Bit 0 is x. */
static void add_mask(uint32_t mask, struct harness_text *out)
{
    harness_text_add(out, mask == 0xF ? "" : ".");
    for (uint32_t c = 0; c < 4 && mask != 0xF; c++)
        if ((mask >> c & 1u) != 0)
            harness_text_bytes(out, &"xyzw"[c], 1);
}

void harness_shader_constant_text(const struct harness_shader_constant *constant, struct harness_text *out)
{
    char number[HARNESS_NUMBER_TEXT];
    if (constant->bank == 'b')
        harness_text_add(out, constant->words[0] != 0 ? "true" : "false");
    for (uint32_t c = 0; c < 4 && constant->bank != 'b'; c++) {
        (void)snprintf(number, sizeof number, "%" PRIu32, constant->words[c]);
        if (constant->bank == 'c')
            harness_float_print(number, HARNESS_FLOAT24, constant->words[c]);
        harness_text_format(out, "%s%s", c == 0 ? "" : " ", number);
    }
}

static void add_geometry(const struct harness_shader_program *program, struct harness_text *out)
{
    static const char *const modes[] = { "points", "a varying number of vertices", "a fixed number of vertices" };
    const uint32_t mode = program->geometry_mode;
    if (program->unit != PICA_UNIT_GEOMETRY)
        return;
    harness_text_format(out, ";   takes     %s", mode < 3 ? modes[mode] : "a mode that there is not");
    if (mode == 1)
        harness_text_format(out, ", %" PRIu32 " of them whole", program->geometry_vertices[0]);
    if (mode == 2)
        harness_text_format(out, ", %" PRIu32 " in c%" PRIu32 " and on", program->geometry_vertices[1],
                            program->geometry_first);
    harness_text_add(out, "\n");
}

static void add_program(const struct harness_shader_file *file, uint32_t program, struct harness_text *out)
{
    const struct harness_shader_program *const p = &file->programs[program];
    harness_text_format(out, "; program %" PRIu32 ": %s shader, entry point %" PRIu32, program,
                        p->unit == PICA_UNIT_GEOMETRY ? "geometry" : "vertex", p->entry);
    if (file->kind == HARNESS_SHADER_DVLB)
        harness_text_format(out, ", ends at %" PRIu32, p->end);
    harness_text_add(out, "\n");
    add_geometry(p, out);
    add_names(p, true, out);
    for (uint32_t i = 0; i < p->output_count; i++) {
        harness_text_format(out, ";   output    o%" PRIu32, p->outputs[i].number);
        add_mask(p->outputs[i].mask, out);
        harness_text_format(out, " %s%s\n", harness_shader_meaning(p->outputs[i].meaning),
                            file->kind == HARNESS_SHADER_DVLB ? "" : " (the file does not say)");
    }
    add_names(p, false, out);
    for (uint32_t i = 0; i < p->constant_count; i++) {
        harness_text_format(out, ";   constant  %c%" PRIu32 " = ", p->constants[i].bank, p->constants[i].number);
        harness_shader_constant_text(&p->constants[i], out);
        harness_text_add(out, "\n");
    }
    for (uint32_t i = 0; i < p->label_count; i++)
        harness_text_format(out, ";   label     %" PRIu32 " %s\n", p->labels[i].address, p->labels[i].name);
}

/* ------------------------------------------------------------------------------------------------------------ code */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The register whose name begins at `at` in the text of an instruction: "o0", "c[a0.x+12]". */
static bool register_at(const char *at, char *bank, uint32_t *number)
{
    if (memchr("ovcib", at[0], 5) == NULL)
        return false;
    const char *digits = at + 1;
    if (at[0] == 'c' && at[1] == '[') {
        digits = strchr(at, '+');
        digits = digits != NULL ? digits + 1 : at + 1;
    }
    *bank = at[0];
    *number = 0;
    if (*digits < '0' || *digits > '9')
        return false;
    for (; *digits >= '0' && *digits <= '9' && *number < 1000; digits++)
        *number = *number * 10 + (uint32_t)(*digits - '0');
    return !is_word(*digits);
}

/* What the program calls the registers of the line, in their order. */
static void add_remark(void *user, uint32_t address, const char *line, struct harness_text *out)
{
    const struct harness_shader_program *const program = program_at(user, address);
    struct harness_text names = { 0 };
    char bank;
    uint32_t number;
    for (size_t i = 0; program != NULL && line[i] != '\0'; i++) {
        const size_t before = names.size;
        if ((i != 0 && is_word(line[i - 1])) || !register_at(line + i, &bank, &number))
            continue;
        harness_text_add(&names, before == 0 ? "" : ", ");
        if (!harness_shader_register_name(program, bank, number, &names) && !names.failed) {
            names.size = before;
            names.data[before] = '\0';
        }
    }
    if (names.size != 0)
        harness_text_format(out, "%*s ; %s", (int)(strlen(line) < 34 ? 34 - strlen(line) : 0), "",
                            harness_text_string(&names));
    harness_text_free(&names);
}

static void add_descriptors(const struct harness_shader_file *file, struct harness_text *out)
{
    for (uint32_t i = 0; i < file->descriptor_count; i++) {
        if (file->descriptors.known[i] == 0)
            continue;
        harness_text_format(out, "; @%-3" PRIu32 " 0x%08" PRIX32 "  ", i, file->descriptors.words[i]);
        harness_descriptor_print(file->descriptors.words[i], out);
        harness_text_add(out, "\n");
    }
}

void harness_shader_text(const struct harness_shader_file *file, const char *name, struct harness_text *out)
{
    static const char *const kinds[] = { "a compiled shader (DVLB)", "raw code", "assembly" };
    const char *labels[HARNESS_MAX_CODE + 1];
    harness_shader_labels(file, labels);
    harness_text_add(out, "; ");
    harness_shader_add_path(name, out);
    harness_text_format(out, ": %s, %" PRIu32 " program%s, %" PRIu32 " instructions, %" PRIu32 " operand descriptors\n",
                        kinds[file->kind], file->program_count, file->program_count == 1 ? "" : "s", file->code_count,
                        file->descriptor_count);
    for (uint32_t i = 0; i < file->program_count; i++)
        add_program(file, i, out);
    const struct harness_code code = { .words = file->code,
                                       .count = file->code_count,
                                       .descriptors = &file->descriptors,
                                       .labels = labels,
                                       .remark = add_remark,
                                       .user = (void *)file };
    harness_text_add(out, "\n");
    harness_shader_disassemble(&code, 1, out);
    harness_text_add(out, file->descriptor_count == 0 ? "" : "\n; descriptors: mask, three sources\n");
    add_descriptors(file, out);
}
