/* A compiled shader file (docs/formats/shader.md): DVLB, that is offsets of programs; DVLP, that is code and operand
 * descriptors; a DVLE for each program, that is its tables. Offsets count from the part they stand in. */
#include "harness/case/little.h"
#include "harness/shader/shader_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    DVLP_SIZE = 0x18,
    DVLE_SIZE = 0x40,
    DESCRIPTOR_SIZE = 8, /* of a descriptor, the word behind it says nothing to the GPU */
    CONSTANT_SIZE = 0x14,
    LABEL_SIZE = 0x10,
    OUTPUT_SIZE = 8,
    NAME_SIZE = 8
};

struct reader {
    struct harness_shader_file *file;
    const uint8_t *bytes;
    size_t size;
    const char *name;
    enum harness_status status;
    struct harness_error *error;
    uint32_t entries; /* of all tables read so far */
};

/* A part or a table: where it lies. */
struct stretch {
    size_t at;
    uint32_t count; /* of entries, or bytes */
};

static bool fail(struct reader *reader, size_t at, const char *what)
{
    reader->status =
        harness_fail(reader->error, HARNESS_BAD_INPUT, "%.200s: offset 0x%zX: expected %s", reader->name, at, what);
    return false;
}

static bool fail_found(struct reader *reader, size_t at, const char *what, uint32_t found)
{
    reader->status = harness_fail(reader->error, HARNESS_BAD_INPUT, "%.200s: offset 0x%zX: expected %s, found %" PRIu32,
                                  reader->name, at, what, found);
    return false;
}

static bool fail_memory(struct reader *reader)
{
    reader->status = harness_fail_memory(reader->error);
    return false;
}

static bool fits(struct reader *reader, size_t at, uint64_t size)
{
    return at <= reader->size && size <= reader->size - at;
}

/* The place must be there. */
static uint32_t word(struct reader *reader, size_t at)
{
    return harness_load32(reader->bytes + at);
}

static uint32_t half(struct reader *reader, size_t at)
{
    return reader->bytes[at] | (uint32_t)reader->bytes[at + 1] << 8;
}

static bool expect_part(struct reader *reader, size_t at, const char *magic, uint32_t size)
{
    if (fits(reader, at, size) && memcmp(reader->bytes + at, magic, 4) == 0)
        return true;
    reader->status = harness_fail(reader->error, HARNESS_BAD_INPUT,
                                  "%.200s: offset 0x%zX: expected a part %s of %" PRIu32 " bytes%s", reader->name, at,
                                  magic, size, fits(reader, at, size) ? "" : ", found the end of the file");
    return false;
}

/* What a table has: entries of so many bytes, at most so many. */
struct kind {
    uint32_t entry, most;
    const char *what;
};

/* At part + at stand an offset from the part and a number of entries. */
static bool take_table(struct reader *reader, size_t part, size_t at, const struct kind *kind, struct stretch *out)
{
    out->count = word(reader, part + at + 4);
    out->at = part + word(reader, part + at);
    if (out->count > kind->most || (out->count != 0 && !fits(reader, out->at, (uint64_t)out->count * kind->entry))) {
        reader->status =
            harness_fail(reader->error, HARNESS_BAD_INPUT,
                         "%.200s: offset 0x%zX: expected at most %" PRIu32 " %s inside of the file, found %" PRIu32
                         " at offset 0x%zX of %zu bytes",
                         reader->name, part + at, kind->most, kind->what, out->count, out->at, reader->size);
        return false;
    }
    return true;
}

/* One of a program. Tables may lie on each other, so the file's size is no limit to what all of them have. */
static bool take_entries(struct reader *reader, size_t dvle, size_t at, const struct kind *kind, struct stretch *out)
{
    if (!take_table(reader, dvle, at, kind, out))
        return false;
    reader->entries += out->count;
    return reader->entries <= HARNESS_SHADER_ALL_ENTRIES ||
           fail_found(reader, dvle + at + 4, "at most 8192 entries of all tables of all programs", reader->entries);
}

static bool take_code(struct reader *reader, size_t dvlp)
{
    struct harness_shader_file *const file = reader->file;
    static const struct kind words = { 4, HARNESS_MAX_CODE, "words of code" };
    static const struct kind operands = { DESCRIPTOR_SIZE, HARNESS_DESCRIPTORS, "operand descriptors" };
    struct stretch code, descriptors;
    if (!expect_part(reader, dvlp, "DVLP", DVLP_SIZE) || !take_table(reader, dvlp, 0x8, &words, &code) ||
        !take_table(reader, dvlp, 0x10, &operands, &descriptors))
        return false;
    file->version = word(reader, dvlp + 4);
    file->code_count = code.count;
    file->descriptor_count = descriptors.count;
    for (uint32_t i = 0; i < code.count; i++)
        file->code[i] = word(reader, code.at + 4 * (size_t)i);
    for (uint32_t i = 0; i < descriptors.count; i++) {
        file->descriptors.words[i] = word(reader, descriptors.at + DESCRIPTOR_SIZE * (size_t)i);
        file->descriptors.known[i] = UINT32_MAX;
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------- one program */

/* The string at an offset of the program's symbols; `at` is where that offset stands. */
static bool take_string(struct reader *reader, const struct stretch *symbols, size_t at, const char **out)
{
    const uint32_t offset = word(reader, at);
    if (offset >= symbols->count)
        return fail_found(reader, at, "the offset of a name among the symbols", offset);
    char *const string = reader->file->strings + symbols->at + offset;
    char *const end = memchr(string, '\0', symbols->count - offset);
    if (end == NULL)
        return fail_found(reader, at, "the offset of a name that ends among the symbols", offset);
    if (end - string > HARNESS_SHADER_NAME)
        return fail_found(reader, at, "the offset of a name of at most 255 bytes", offset);
    for (char *c = string; c < end; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    *out = string;
    return true;
}

static bool take_constant(struct reader *reader, size_t at, struct harness_shader_constant *out)
{
    static const struct {
        char bank;
        uint32_t count;
    } kinds[] = { { 'b', 16 }, { 'i', 4 }, { 'c', 96 } };
    const uint32_t kind = half(reader, at);
    if (kind >= sizeof kinds / sizeof kinds[0])
        return fail_found(reader, at, "a constant of kind 0 (bool), 1 (integers) or 2 (float24)", kind);
    out->bank = kinds[kind].bank;
    out->number = half(reader, at + 2);
    if (out->number >= kinds[kind].count)
        return fail_found(reader, at + 2, "the number of a register of that kind", out->number);
    for (size_t i = 0; i < 4; i++)
        out->words[i] = kind == 2   ? word(reader, at + 4 + 4 * i) & 0xFFFFFFu
                        : kind == 1 ? reader->bytes[at + 4 + i]
                                    : 0;
    if (kind == 0)
        out->words[0] = reader->bytes[at + 4] & 1u;
    return true;
}

static bool take_constants(struct reader *reader, size_t dvle, struct harness_shader_program *out)
{
    static const struct kind kind = { CONSTANT_SIZE, HARNESS_SHADER_ENTRIES, "constants" };
    struct stretch table;
    if (!take_entries(reader, dvle, 0x18, &kind, &table))
        return false;
    out->constants = calloc((size_t)table.count + 1, sizeof *out->constants);
    if (out->constants == NULL)
        return fail_memory(reader);
    for (; out->constant_count < table.count; out->constant_count++)
        if (!take_constant(reader, table.at + (size_t)CONSTANT_SIZE * out->constant_count,
                           &out->constants[out->constant_count]))
            return false;
    return true;
}

static bool take_labels(struct reader *reader, size_t dvle, const struct stretch *symbols,
                        struct harness_shader_program *out)
{
    static const struct kind kind = { LABEL_SIZE, HARNESS_SHADER_ENTRIES, "labels" };
    struct stretch table;
    if (!take_entries(reader, dvle, 0x20, &kind, &table))
        return false;
    out->labels = calloc((size_t)table.count + 1, sizeof *out->labels);
    if (out->labels == NULL)
        return fail_memory(reader);
    for (; out->label_count < table.count; out->label_count++) {
        const size_t at = table.at + (size_t)LABEL_SIZE * out->label_count;
        struct harness_shader_label *const label = &out->labels[out->label_count];
        label->address = word(reader, at + 4);
        if (label->address > reader->file->code_count)
            return fail_found(reader, at + 4, "the address of a label inside of the code", label->address);
        if (!take_string(reader, symbols, at + 12, &label->name))
            return false;
    }
    return true;
}

static bool take_outputs(struct reader *reader, size_t dvle, struct harness_shader_program *out)
{
    static const struct kind kind = { OUTPUT_SIZE, HARNESS_SHADER_ENTRIES, "outputs" };
    struct stretch table;
    if (!take_entries(reader, dvle, 0x28, &kind, &table))
        return false;
    out->outputs = calloc((size_t)table.count + 1, sizeof *out->outputs);
    if (out->outputs == NULL)
        return fail_memory(reader);
    for (; out->output_count < table.count; out->output_count++) {
        const size_t at = table.at + (size_t)OUTPUT_SIZE * out->output_count;
        struct harness_shader_output *const output = &out->outputs[out->output_count];
        *output = (struct harness_shader_output){ half(reader, at), half(reader, at + 2), half(reader, at + 4) & 0xFu };
        if (harness_shader_meaning(output->meaning) == NULL)
            return fail_found(reader, at, "what an output is for, 0 to 9", output->meaning);
        if (output->number >= 16)
            return fail_found(reader, at + 2, "an output register 0 to 15", output->number);
        out->output_mask |= (uint32_t)1 << output->number;
    }
    return true;
}

/* Registers are numbered through: inputs, floats, integers, booleans. */
static void take_bank(uint32_t index, struct harness_shader_name *out)
{
    static const struct {
        char bank;
        uint32_t first, count;
    } banks[] = { { 'v', 0, 16 }, { 'c', 0x10, 96 }, { 'i', 0x70, 4 }, { 'b', 0x78, 16 } };
    out->bank = '?';
    out->first = index;
    for (size_t i = 0; i < sizeof banks / sizeof banks[0]; i++)
        if (index >= banks[i].first && index - banks[i].first < banks[i].count) {
            out->bank = banks[i].bank;
            out->first = index - banks[i].first;
        }
}

static bool take_names(struct reader *reader, size_t dvle, const struct stretch *symbols,
                       struct harness_shader_program *out)
{
    static const struct kind kind = { NAME_SIZE, HARNESS_SHADER_ENTRIES, "inputs and uniforms" };
    struct stretch table;
    if (!take_entries(reader, dvle, 0x30, &kind, &table))
        return false;
    out->names = calloc((size_t)table.count + 1, sizeof *out->names);
    if (out->names == NULL)
        return fail_memory(reader);
    for (; out->name_count < table.count; out->name_count++) {
        const size_t at = table.at + (size_t)NAME_SIZE * out->name_count;
        struct harness_shader_name *const name = &out->names[out->name_count];
        struct harness_shader_name last;
        take_bank(half(reader, at + 4), name);
        take_bank(half(reader, at + 6), &last);
        if (last.bank != name->bank || last.first < name->first)
            return fail_found(reader, at + 6, "the last register of a name, not before its first and of its kind",
                              half(reader, at + 6));
        name->last = last.first;
        if (!take_string(reader, symbols, at, &name->name))
            return false;
        for (uint32_t k = name->first; name->bank == 'v' && k <= name->last; k++)
            out->input_mask |= (uint32_t)1 << k;
    }
    return true;
}

static bool take_program(struct reader *reader, size_t dvle, struct harness_shader_program *out)
{
    static const struct kind bytes = { 1, UINT32_MAX, "bytes of symbols" };
    struct stretch symbols;
    if (!expect_part(reader, dvle, "DVLE", DVLE_SIZE) || !take_table(reader, dvle, 0x38, &bytes, &symbols))
        return false;
    out->unit = reader->bytes[dvle + 6];
    if (out->unit > PICA_UNIT_GEOMETRY)
        return fail_found(reader, dvle + 6, "0 (a vertex shader) or 1 (a geometry shader)", out->unit);
    out->entry = word(reader, dvle + 8);
    out->end = word(reader, dvle + 0xC);
    if (out->entry > reader->file->code_count)
        return fail_found(reader, dvle + 8, "the entry point inside of the code", out->entry);
    out->input_mask = half(reader, dvle + 0x10);
    out->output_mask = half(reader, dvle + 0x12);
    out->geometry_mode = reader->bytes[dvle + 0x14];
    out->geometry_first = reader->bytes[dvle + 0x15];
    out->geometry_vertices[0] = reader->bytes[dvle + 0x16];
    out->geometry_vertices[1] = reader->bytes[dvle + 0x17];
    return take_constants(reader, dvle, out) && take_labels(reader, dvle, &symbols, out) &&
           take_outputs(reader, dvle, out) && take_names(reader, dvle, &symbols, out);
}

static bool take_file(struct reader *reader)
{
    struct harness_shader_file *const file = reader->file;
    if (!expect_part(reader, 0, "DVLB", 8))
        return false;
    const uint32_t count = word(reader, 4);
    if (count == 0 || count > HARNESS_SHADER_PROGRAMS)
        return fail_found(reader, 4, "1 to 64 programs", count);
    if (!fits(reader, 8, 4 * (uint64_t)count))
        return fail(reader, reader->size, "the offsets of all programs, found the end of the file");
    if (!take_code(reader, 8 + 4 * (size_t)count))
        return false;
    file->strings = malloc(reader->size);
    file->programs = calloc(count, sizeof *file->programs);
    if (file->strings == NULL || file->programs == NULL)
        return fail_memory(reader);
    memcpy(file->strings, reader->bytes, reader->size);
    file->program_count = count;
    for (uint32_t i = 0; i < count; i++)
        if (!take_program(reader, word(reader, 8 + 4 * (size_t)i), &file->programs[i]))
            return false;
    return true;
}

enum harness_status harness_shader_read_dvlb(struct harness_shader_file *file, const uint8_t *bytes, size_t size,
                                             const char *name, struct harness_error *error)
{
    struct reader reader = { file, bytes, size, name, HARNESS_OK, error, 0 };
    file->kind = HARNESS_SHADER_DVLB;
    (void)take_file(&reader);
    return reader.status;
}
