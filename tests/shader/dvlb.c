#include "tests/shader/dvlb.h"

#include <string.h>

static void add_byte(struct harness_text *out, uint32_t value)
{
    const char byte = (char)(value & 0xFFu);
    harness_text_bytes(out, &byte, 1);
}

static void add_half(struct harness_text *out, uint32_t value)
{
    add_byte(out, value);
    add_byte(out, value >> 8);
}

static void add_word(struct harness_text *out, uint32_t value)
{
    add_half(out, value);
    add_half(out, value >> 16);
}

static void put_word(struct harness_text *out, size_t at, uint32_t value)
{
    if (out->failed)
        return;
    for (size_t i = 0; i < 4; i++)
        out->data[at + i] = (char)(value >> (8 * i) & 0xFFu);
}

/* At `at` stand offset and count of the table that begins here. */
static void begin_table(struct harness_text *out, size_t part, size_t at, uint32_t count)
{
    put_word(out, part + at, (uint32_t)(out->size - part));
    put_word(out, part + at + 4, count);
}

static void write_code(const uint32_t *code, uint32_t code_count, const uint32_t *descriptors,
                       uint32_t descriptor_count, struct harness_text *out)
{
    const size_t part = out->size;
    harness_text_add(out, "DVLP");
    for (int i = 0; i < 9; i++)
        add_word(out, 0);
    begin_table(out, part, 0x8, code_count);
    for (uint32_t i = 0; i < code_count; i++)
        add_word(out, code[i]);
    begin_table(out, part, 0x10, descriptor_count);
    for (uint32_t i = 0; i < descriptor_count; i++) {
        add_word(out, descriptors[i]);
        add_word(out, 0);
    }
}

/* The offset that a name will have among the symbols, which come last. */
static uint32_t add_symbol(struct harness_text *symbols, const char *name)
{
    const size_t at = symbols->size;
    harness_text_bytes(symbols, name, strlen(name) + 1);
    return (uint32_t)at;
}

static void write_tables(const struct dvlb_program *program, size_t part, struct harness_text *symbols,
                         struct harness_text *out)
{
    begin_table(out, part, 0x18, program->constant_count);
    for (uint32_t i = 0; i < program->constant_count; i++) {
        add_half(out, program->constants[i].kind);
        add_half(out, program->constants[i].number);
        for (int c = 0; c < 4; c++)
            add_word(out, program->constants[i].words[c]);
    }
    begin_table(out, part, 0x20, program->label_count);
    for (uint32_t i = 0; i < program->label_count; i++) {
        add_word(out, i);
        add_word(out, program->labels[i].address);
        add_word(out, 0);
        add_word(out, add_symbol(symbols, program->labels[i].name));
    }
    begin_table(out, part, 0x28, program->output_count);
    for (uint32_t i = 0; i < program->output_count; i++) {
        add_half(out, program->outputs[i].meaning);
        add_half(out, program->outputs[i].number);
        add_half(out, program->outputs[i].mask);
        add_half(out, 0);
    }
    begin_table(out, part, 0x30, program->name_count);
    for (uint32_t i = 0; i < program->name_count; i++) {
        add_word(out, add_symbol(symbols, program->names[i].name));
        add_half(out, program->names[i].first);
        add_half(out, program->names[i].last);
    }
}

static void write_program(const struct dvlb_program *program, struct harness_text *out)
{
    const size_t part = out->size;
    struct harness_text symbols = { 0 };
    harness_text_add(out, "DVLE");
    add_half(out, 0x1002);
    add_byte(out, program->unit);
    add_byte(out, 0);
    add_word(out, program->entry);
    add_word(out, program->end);
    add_half(out, program->input_mask);
    add_half(out, program->output_mask);
    for (int i = 0; i < 4; i++)
        add_byte(out, program->geometry[i]);
    for (int i = 0; i < 10; i++)
        add_word(out, 0);
    write_tables(program, part, &symbols, out);
    begin_table(out, part, 0x38, (uint32_t)symbols.size);
    harness_text_bytes(out, harness_text_string(&symbols), symbols.size);
    while (out->size % 4 != 0 && !out->failed)
        add_byte(out, 0);
    harness_text_free(&symbols);
}

void dvlb_write(const uint32_t *code, uint32_t code_count, const uint32_t *descriptors, uint32_t descriptor_count,
                const struct dvlb_program *programs, uint32_t program_count, struct harness_text *out)
{
    const size_t start = out->size;
    harness_text_add(out, "DVLB");
    add_word(out, program_count);
    for (uint32_t i = 0; i < program_count; i++)
        add_word(out, 0);
    write_code(code, code_count, descriptors, descriptor_count, out);
    for (uint32_t i = 0; i < program_count; i++) {
        put_word(out, start + 8 + 4 * (size_t)i, (uint32_t)(out->size - start));
        write_program(&programs[i], out);
    }
}
