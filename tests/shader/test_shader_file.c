/* Compiled shaders: what is written is read; its text is the same shader; what is broken is refused by offset. */
#include "harness/case/list_scan.h"
#include "harness/run/load.h"
#include "harness/shader/shader_text.h"
#include "pica/opcodes.h"
#include "tests/corpus/files.h"
#include "tests/shader/dvlb.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct harness_error error;

/* ------------------------------------------------------------------------------------------- programs of the corpus */

/* A unit's memory, as lists upload it. */
struct memory {
    uint32_t code[HARNESS_MAX_CODE], descriptors[HARNESS_DESCRIPTORS];
    uint32_t count, descriptor_count;
};

/* What all of them had. */
struct seen {
    uint64_t opcodes;
    uint32_t programs[2], labels, constants, instructions;
};

static void upload(const struct harness_command *command, const struct harness_scan *scan, struct memory memories[2])
{
    uint32_t unit;
    const enum oracle_port port = oracle_port_of(command->id, &unit);
    if (port != ORACLE_PORT_CODE && port != ORACLE_PORT_OPDESCS)
        return;
    const bool is_code = port == ORACLE_PORT_CODE;
    struct memory *const memory = &memories[unit];
    uint32_t *const words = is_code ? memory->code : memory->descriptors;
    uint32_t *const count = is_code ? &memory->count : &memory->descriptor_count;
    for (uint32_t i = 0; i < command->count; i++) {
        const uint32_t at = scan->registers.next[port][unit] + i;
        if (at >= (is_code ? (uint32_t)HARNESS_MAX_CODE : (uint32_t)HARNESS_DESCRIPTORS))
            continue;
        words[at] = command->parameters[i];
        *count = at >= *count ? at + 1 : *count;
    }
}

/* A label for each target that an instruction has, `main` at the first word. */
static void add_labels(const struct memory *memory, struct dvlb_program *program, char names[DVLB_MOST][16])
{
    static const char *const words[] = { "main", "loop_", "after", "_x9" };
    program->labels[program->label_count].name = "main";
    program->labels[program->label_count++].address = 0;
    for (uint32_t i = 0; i < memory->count && program->label_count < DVLB_MOST; i++) {
        const struct pica_opcode_info *const info = pica_opcode_info(pica_opcode_of(memory->code[i]));
        const uint32_t target = pica_shader_format_2_dst(memory->code[i]);
        if ((info->sources[0] != PICA_OPERAND_TARGET && info->sources[1] != PICA_OPERAND_TARGET) ||
            target > memory->count)
            continue;
        char *const name = names[program->label_count];
        (void)snprintf(name, sizeof names[0], "%s%u", words[1 + i % 3], (unsigned)target);
        program->labels[program->label_count].name = name;
        program->labels[program->label_count++].address = target;
    }
}

static void add_constants(const struct memory *memory, struct dvlb_program *program)
{
    for (uint32_t i = 0; i < 116; i++) {
        const uint32_t kind = i < 96 ? 2 : i < 100 ? 1 : 0;
        const uint32_t word = memory->code[i % (memory->count + 1) % HARNESS_MAX_CODE] * 0x9E3779B9u + i;
        program->constants[i].kind = (uint16_t)kind;
        program->constants[i].number = (uint16_t)(i < 96 ? i : i < 100 ? i - 96 : i - 100);
        for (uint32_t c = 0; c < 4; c++)
            program->constants[i].words[c] = kind == 2   ? (word >> c & 0xFFFFFFu)
                                             : c > 0     ? 0
                                             : kind == 1 ? word
                                                         : word & 1u;
    }
    program->constant_count = 116;
}

static void expect_constants(const struct harness_shader_program *read, const struct dvlb_program *written)
{
    cr_assert_eq(read->constant_count, written->constant_count);
    for (uint32_t i = 0; i < read->constant_count; i++) {
        const uint32_t first = written->constants[i].words[0];
        cr_expect_eq(read->constants[i].number, written->constants[i].number);
        cr_expect_eq(read->constants[i].bank, "bic"[written->constants[i].kind]);
        for (uint32_t c = 0; c < 4; c++)
            cr_expect_eq(read->constants[i].words[c],
                         written->constants[i].kind == 1 ? (first >> (8 * c) & 0xFFu) : written->constants[i].words[c]);
    }
}

/* The text assembles to the same words, and says nothing of the descriptors that is not so. */
static void expect_text(const struct harness_shader_file *file, const char *name)
{
    static uint32_t words[HARNESS_MAX_CODE];
    static struct harness_shader_use uses[HARNESS_MAX_CODE];
    struct harness_descriptors found = { { 0 }, { 0 } };
    struct harness_text text = { 0 };
    uint32_t count = 0;
    harness_shader_text(file, name, &text);
    const struct harness_shader_source source = {
        .text = harness_text_string(&text), .size = text.size, .name = name, .first_line = 1, .allocate = true
    };
    cr_assert_eq(harness_shader_assemble(&source, &found, words, uses, &count, &error), HARNESS_OK, "%s",
                 error.message);
    cr_assert_eq(count, file->code_count);
    for (uint32_t i = 0; i < file->descriptor_count; i++)
        cr_assert_eq((found.words[i] ^ file->descriptors.words[i]) & found.known[i], 0, "%s: @%u", name, i);
    for (uint32_t i = 0; i < count; i++) {
        cr_assert_eq(uses[i].mask & ~found.known[uses[i].number], 0, "%s: word %u: not in its descriptor", name, i);
        cr_assert_eq(words[i], file->code[i], "%s: word %u: %08X became %08X", name, i, file->code[i], words[i]);
        const uint32_t bits = file->descriptors.words[uses[i].number] ^ uses[i].bits;
        cr_assert(uses[i].number >= file->descriptor_count || (bits & uses[i].mask) == 0, "%s: word %u", name, i);
    }
    harness_text_free(&text);
}

static void expect_labels(const struct harness_shader_file *file, const struct dvlb_program *written)
{
    const char *labels[HARNESS_MAX_CODE + 1];
    harness_shader_labels(file, labels);
    cr_expect_str_eq(labels[0], "main");
    for (uint32_t i = 0; i < written->label_count; i++)
        cr_expect_not_null(labels[written->labels[i].address], "%s", written->labels[i].name);
}

/* Of each unit, what lists have uploaded until now. */
static void try_programs(const struct memory memories[2], const char *name, struct seen *seen)
{
    static struct dvlb_program program;
    static char names[DVLB_MOST][16];
    for (uint32_t unit = 0; unit < 2; unit++) {
        const struct memory *const memory = &memories[unit];
        struct harness_shader_file file = { .program_count = 0 };
        struct harness_text bytes = { 0 };
        if (memory->count == 0)
            continue;
        memset(&program, 0, sizeof program);
        program.unit = (uint8_t)unit;
        program.end = memory->count - 1;
        add_labels(memory, &program, names);
        add_constants(memory, &program);
        dvlb_write(memory->code, memory->count, memory->descriptors, memory->descriptor_count, &program, 1, &bytes);
        cr_assert_eq(harness_shader_read_dvlb(&file, (const uint8_t *)bytes.data, bytes.size, name, &error), HARNESS_OK,
                     "%s", error.message);
        cr_assert_eq(file.code_count, memory->count);
        cr_assert_eq(memcmp(file.code, memory->code, 4 * (size_t)memory->count), 0);
        cr_expect_eq(file.programs[0].unit, unit);
        expect_constants(&file.programs[0], &program);
        expect_labels(&file, &program);
        expect_text(&file, name);
        for (uint32_t i = 0; i < memory->count; i++)
            seen->opcodes |= (uint64_t)1 << pica_opcode_of(memory->code[i]);
        seen->programs[unit]++;
        seen->labels += program.label_count;
        seen->constants += program.constant_count;
        seen->instructions += memory->count;
        harness_shader_file_free(&file);
        harness_text_free(&bytes);
    }
}

static void try_list(const struct harness_list *list, const char *name, struct seen *seen)
{
    static struct memory memories[2];
    struct harness_scan scan;
    memset(memories, 0, sizeof memories);
    harness_scan_init(&scan);
    for (uint32_t i = 0; i < list->count; i++) {
        upload(&list->commands[i], &scan, memories);
        harness_scan_command(&scan, &list->commands[i]);
    }
    try_programs(memories, name, seen);
}

static void try_case(const char *path, struct seen *seen)
{
    struct harness_case *const test_case = harness_case_create();
    cr_assert_not_null(test_case);
    cr_assert_eq(harness_load(test_case, path, NULL, &error), HARNESS_OK, "%s", error.message);
    for (uint32_t i = 0; i < test_case->operation_count; i++)
        if (test_case->operations[i].data.kind == HARNESS_DATA_LIST)
            try_list(&test_case->operations[i].data.list, path, seen);
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        if (test_case->chunks[i].data.kind == HARNESS_DATA_LIST)
            try_list(&test_case->chunks[i].data.list, path, seen);
    harness_case_destroy(test_case);
}

/* SHD-20 to SHD-24: every opcode, both units. */
Test(shader_file, each_program_of_the_corpus_is_read_and_its_text_is_the_same_words)
{
    static const char *const directories[][2] = { { "seeds", ".pcase" },     { "splits", ".pcase" },
                                                  { "questions", ".pcase" }, { "regressions", ".pcase" },
                                                  { "hardware", ".pcase" },  { "captures", ".picacap" } };
    struct seen seen = { 0 };
    for (size_t d = 0; d < sizeof directories / sizeof directories[0]; d++) {
        struct corpus_files files;
        corpus_files_find(&files, directories[d][0], directories[d][1]);
        cr_expect_gt(files.count, 0, "%s", directories[d][0]);
        for (size_t i = 0; i < files.count; i++)
            try_case(files.items[i].path, &seen);
        corpus_files_free(&files);
    }
    printf("%u vertex and %u geometry programs, %u instructions, %u labels, %u constants\n", seen.programs[0],
           seen.programs[1], seen.instructions, seen.labels, seen.constants);
    cr_expect_gt(seen.programs[0], 400);
    cr_expect_gt(seen.programs[1], 10);
    for (uint32_t opcode = 0; opcode < PICA_OPCODE_TOTAL; opcode++)
        cr_expect((seen.opcodes >> opcode & 1u) != 0 || (seen.opcodes >> pica_opcode_info(opcode)->first & 1u) != 0,
                  "no program of the corpus has opcode 0x%02X, %s", opcode, pica_opcode_info(opcode)->mnemonic);
}

/* ----------------------------------------------------------------------------------------------------------- names */

/* Two programs in one file: a vertex shader whose names are used, a geometry shader. */
static void write_two(struct harness_text *out)
{
    static const char text[] = "dp4 o0.x, c0, v0\n"
                               "mov o1, c[a0.x+5]\n"
                               "ifu b3, after, after\n"
                               "mov o0, v1\n"
                               "after: end\n"
                               "setemit 1, prim\n"
                               "emit\n"
                               "end\n";
    static const struct harness_shader_source source = {
        .text = text, .size = sizeof text - 1, .name = "two", .first_line = 1, .allocate = true
    };
    static const struct dvlb_program programs[2] = {
        { .unit = 0,
          .end = 4,
          .input_mask = 0x1,
          .output_mask = 0x3,
          .constants = { { 2, 95, { 0x3F0000, 0xBF0000, 0, 0x7F0000 } }, { 1, 2, { 0x04030201 } }, { 0, 5, { 1 } } },
          .constant_count = 3,
          .labels = { { "main", 0 }, { "L1", 1 }, { "bad name", 2 }, { "main", 3 }, { "done", 4 } },
          .label_count = 5,
          .outputs = { { 0, 0, 0xF }, { 2, 1, 0x7 } },
          .output_count = 2,
          .names = { { "inpos", 0, 0 },
                     { "incol", 1, 1 },
                     { "projection", 0x10, 0x13 },
                     { "whole", 0x14, 0x24 },
                     { "light", 0x15, 0x15 },
                     { "turns", 0x71, 0x71 },
                     { "shaded", 0x7B, 0x7B },
                     { "nowhere", 0x90, 0x90 },
                     { "covered", 0x2E, 0x31 },
                     { "first", 0x2E, 0x2E } },
          .name_count = 10 },
        { .unit = 1, .entry = 5, .end = 7, .geometry = { 2, 17, 0, 3 } },
    };
    struct harness_descriptors descriptors = { { 0 }, { 0 } };
    uint32_t words[16], count = 0;
    cr_assert_eq(harness_shader_assemble(&source, &descriptors, words, NULL, &count, &error), HARNESS_OK, "%s",
                 error.message);
    dvlb_write(words, count, descriptors.words, 2, programs, 2, out);
}

static void read_two(struct harness_shader_file *file, struct harness_text *bytes)
{
    *bytes = (struct harness_text){ 0 };
    write_two(bytes);
    cr_assert_eq(harness_shader_read_dvlb(file, (const uint8_t *)bytes->data, bytes->size, "two.shbin", &error),
                 HARNESS_OK, "%s", error.message);
}

static void expect_name(const struct harness_shader_program *program, char bank, uint32_t number, const char *expected)
{
    struct harness_text text = { 0 };
    cr_expect_eq(harness_shader_register_name(program, bank, number, &text), expected[0] != '\0');
    cr_expect_str_eq(harness_text_string(&text), expected);
    harness_text_free(&text);
}

Test(shader_file, registers_have_the_names_of_the_file)
{
    struct harness_shader_file file = { .program_count = 0 };
    struct harness_text bytes;
    read_two(&file, &bytes);
    const struct harness_shader_program *const program = &file.programs[0];
    expect_name(program, 'v', 0, "inpos");
    expect_name(program, 'o', 1, "color");
    expect_name(program, 'c', 2, "projection[2]");
    expect_name(program, 'c', 5, "light");
    expect_name(program, 'c', 6, "whole[2]");
    expect_name(program, 'i', 1, "turns");
    expect_name(program, 'b', 3, "shaded");
    expect_name(program, 'v', 7, "");
    cr_expect_eq(program->input_mask, 0x3, "a name makes v1 an input, too");
    harness_shader_file_free(&file);
    harness_text_free(&bytes);
}

Test(shader_file, a_register_is_found_by_name_and_by_number)
{
    static const struct {
        const char *text;
        char bank; /* 0: none */
        uint32_t number;
        uint32_t count;
    } rows[] = { { "inpos", 'v', 0, 1 },
                 { "projection", 'c', 0, 4 },
                 { "whole", 'c', 4, 17 },
                 { "covered", 'c', 30, 4 },
                 { "c0", 'c', 0, 4 },
                 { "projection[3]", 'c', 3, 1 },
                 { "c95", 'c', 95, 1 },
                 { "c4[2]", 'c', 6, 1 },
                 { "b15", 'b', 15, 1 },
                 { "shaded", 'b', 3, 1 },
                 { "i3", 'i', 3, 1 },
                 { "projection[4]", 0, 0, 0 },
                 { "c96", 0, 0, 0 },
                 { "v16", 0, 0, 0 },
                 { "i4", 0, 0, 0 },
                 { "b16", 0, 0, 0 },
                 { "o0", 0, 0, 0 },
                 { "nowhere", 0, 0, 0 },
                 { "c", 0, 0, 0 },
                 { "", 0, 0, 0 },
                 { "c95[1]", 0, 0, 0 },
                 { "projection[", 0, 0, 0 },
                 { "projection[]", 0, 0, 0 },
                 { "projection[0x1]", 0, 0, 0 },
                 { "c4294967297", 0, 0, 0 },
                 { "inpos]", 0, 0, 0 } };
    struct harness_shader_file file = { .program_count = 0 };
    struct harness_text bytes;
    read_two(&file, &bytes);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct harness_shader_register is = { .count = 0 };
        const bool found = harness_shader_find_register(&file.programs[0], rows[i].text, strlen(rows[i].text), &is);
        cr_expect_eq(found, rows[i].bank != 0, "%s", rows[i].text);
        cr_expect(!found || (is.bank == rows[i].bank && is.number == rows[i].number && is.count == rows[i].count),
                  "%s: %u from %c%u", rows[i].text, is.count, is.bank, is.number);
    }
    harness_shader_file_free(&file);
    harness_text_free(&bytes);
}

Test(shader_file, the_text_says_what_the_file_says)
{
    static const char *const parts[] = {
        "; two.shbin: a compiled shader (DVLB), 2 programs, 8 instructions, 2 operand descriptors\n",
        "; program 0: vertex shader, entry point 0, ends at 4\n",
        ";   input     v0 inpos\n",
        ";   output    o1.xyz color\n",
        ";   uniform   c0-c3 projection\n",
        ";   uniform   register 0x90 nowhere\n",
        ";   constant  c95 = 1.0 -1.0 0.0 inf\n",
        ";   constant  i2 = 1 2 3 4\n",
        ";   constant  b5 = true\n",
        ";   label     2 bad name\n",
        "; program 1: geometry shader, entry point 5, ends at 7\n",
        ";   takes     a fixed number of vertices, 3 in c17 and on\n",
        "\nmain:\n    dp4 o0.x, c0, v0 @0                ; position, projection[0], inpos\n",
        "    mov o1, c[a0.x+5] @1               ; color, light\n",
        "    ifu b3, done, done                 ; shaded\n",
        "\ndone:\n    end\n    setemit 1, prim\n    emit\n    end\n",
        "\n; descriptors: mask, three sources\n; @0   0x",
    };
    struct harness_shader_file file = { .program_count = 0 };
    struct harness_text bytes, text = { 0 };
    read_two(&file, &bytes);
    harness_shader_text(&file, "two.shbin", &text);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        cr_expect_not_null(strstr(harness_text_string(&text), parts[i]), "lacks '%s':\n%s", parts[i],
                           harness_text_string(&text));
    cr_expect_null(strstr(harness_text_string(&text), "\nL1:"), "a name like one of the disassembler's own");
    expect_text(&file, "two.shbin");
    harness_text_free(&text);
    harness_text_free(&bytes);
    harness_shader_file_free(&file);
}

/* ----------------------------------------------------------------------------------------------------- broken files */

static void put(uint8_t *bytes, size_t at, uint32_t value)
{
    for (size_t i = 0; i < 4; i++)
        bytes[at + i] = (uint8_t)(value >> (8 * i));
}

static uint32_t get(const uint8_t *bytes, size_t at)
{
    return bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 | (uint32_t)bytes[at + 3] << 24;
}

static void expect_refused(const uint8_t *bytes, size_t size, const char *part)
{
    struct harness_shader_file file = { .program_count = 0 };
    error.message[0] = '\0';
    cr_expect_eq(harness_shader_read_dvlb(&file, bytes, size, "two.shbin", &error), HARNESS_BAD_INPUT, "%s", part);
    cr_expect_not_null(strstr(error.message, part), "'%s' lacks '%s'", error.message, part);
    harness_shader_file_free(&file);
}

/* One word is another: the file is refused, and which offset is wrong is said. */
Test(shader_file, broken_files_are_refused_by_offset_and_field)
{
    struct harness_text written = { 0 };
    write_two(&written);
    uint8_t *const bytes = (uint8_t *)written.data;
    const size_t dvle = get(bytes, 8), dvlp = 16;
    const size_t constants = dvle + get(bytes, dvle + 0x18), labels = dvle + get(bytes, dvle + 0x20);
    const size_t outputs = dvle + get(bytes, dvle + 0x28), names = dvle + get(bytes, dvle + 0x30);
    const struct {
        size_t at;
        uint32_t value;
        const char *part;
    } rows[] = {
        { 0, 0x424C5645, "offset 0x0: expected a part DVLB of 8 bytes" },
        { 4, 0, "offset 0x4: expected 1 to 64 programs, found 0" },
        { 4, 65, "expected 1 to 64 programs, found 65" },
        { 8, 0xFFFFFFFF, "offset 0xFFFFFFFF: expected a part DVLE of 64 bytes, found the end of the file" },
        { 8, 0, "offset 0x0: expected a part DVLE of 64 bytes" },
        { dvlp, 0, "offset 0x10: expected a part DVLP of 24 bytes" },
        { dvlp + 0x8, 0xFFFFFFFF, "offset 0x18: expected at most 4096 words of code inside of the file, found 8 at" },
        { dvlp + 0xC, 4097, "expected at most 4096 words of code inside of the file, found 4097 at" },
        { dvlp + 0x14, 129, "expected at most 128 operand descriptors inside of the file, found 129" },
        { dvle + 0x4, 0x00021002, "expected 0 (a vertex shader) or 1 (a geometry shader), found 2" },
        { dvle + 0x8, 9, "expected the entry point inside of the code, found 9" },
        { dvle + 0x1C, 1025, "expected at most 1024 constants inside of the file, found 1025" },
        { dvle + 0x24, 1024, "expected at most 1024 labels inside of the file, found 1024" },
        { dvle + 0x28, 0x7FFFFFFF, "outputs inside of the file, found 2" },
        { dvle + 0x34, 1000, "inputs and uniforms inside of the file, found 1000" },
        { dvle + 0x3C, 0x7FFFFFFF, "bytes of symbols inside of the file" },
        { dvle + 0x3C, 3, "expected the offset of a name that ends among the symbols, found 0" },
        { constants, 3, "expected a constant of kind 0 (bool), 1 (integers) or 2 (float24), found 3" },
        { constants, 2 | 96 << 16, "expected the number of a register of that kind, found 96" },
        { labels + 4, 9, "expected the address of a label inside of the code, found 9" },
        { labels + 12, 0xFFFF, "expected the offset of a name among the symbols, found 65535" },
        { outputs, 10, "expected what an output is for, 0 to 9, found 10" },
        { outputs, 16 << 16, "expected an output register 0 to 15, found 16" },
        { names + 4, 1, "expected the last register of a name, not before its first and of its kind, found 0" },
        { names + 4, 0x100000, "expected the last register of a name, not before its first and of its kind, found 16" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t before = get(bytes, rows[i].at);
        put(bytes, rows[i].at, rows[i].value);
        expect_refused(bytes, written.size, rows[i].part);
        put(bytes, rows[i].at, before);
    }
    harness_text_free(&written);
}

/* Under sanitizers: no byte behind the end is read. */
Test(shader_file, every_beginning_of_a_file_is_refused)
{
    struct harness_text written = { 0 };
    write_two(&written);
    for (size_t size = 0; size + 3 < written.size; size++) { /* padding is all that may be missing */
        struct harness_shader_file file = { .program_count = 0 };
        uint8_t *const bytes = malloc(size + (size == 0));
        cr_assert_not_null(bytes);
        memcpy(bytes, written.data, size);
        cr_expect_eq(harness_shader_read_dvlb(&file, bytes, size, "two.shbin", &error), HARNESS_BAD_INPUT, "%zu", size);
        cr_expect_eq(strncmp(error.message, "two.shbin: offset 0x", 20), 0, "%s", error.message);
        harness_shader_file_free(&file);
        free(bytes);
    }
    harness_text_free(&written);
}

Test(shader_file, raw_words_are_a_vertex_program_whose_registers_are_found)
{
    static const uint8_t code[] = { 0x00, 0x02, 0x00, 0x4C, 0x00, 0x10, 0x20, 0x4C, 0x00, 0x00, 0x00, 0x88 };
    static const uint8_t descriptors[] = { 0x6F, 0xC3, 0x86, 0x0D, 1, 2, 3, 4 };
    struct harness_shader_file file = { .program_count = 0 };
    cr_assert_eq(harness_shader_read_raw(&file, code, sizeof code, "code.bin", &error), HARNESS_OK);
    cr_assert_eq(harness_shader_read_descriptors(&file, descriptors, sizeof descriptors, "d.bin", &error), HARNESS_OK);
    cr_expect_eq(file.code_count, 3);
    cr_expect_eq(file.descriptors.words[1], 0x04030201);
    cr_expect_eq(file.programs[0].input_mask, 0x3, "%X", file.programs[0].input_mask);
    cr_expect_eq(file.programs[0].output_mask, 0x3, "%X", file.programs[0].output_mask);
    cr_expect_eq(file.programs[0].output_count, 2);
    expect_text(&file, "code.bin");
    harness_shader_file_free(&file);
    cr_expect_eq(harness_shader_read_raw(&file, code, 7, "code.bin", &error), HARNESS_BAD_INPUT);
    cr_expect_str_eq(error.message, "code.bin: offset 0x4: expected the end of at most 4096 words of 4 bytes, found a "
                                    "file of 7 bytes");
    cr_expect_eq(harness_shader_read_descriptors(&file, code, 516, "d.bin", &error), HARNESS_BAD_INPUT);
    harness_shader_file_free(&file);
}

/* SHD-21: what an instruction says goes into the descriptor that it names. */
Test(shader_file, a_numbered_descriptor_gets_what_its_instructions_say)
{
    static const char text[] = "mov o0.xy, v0\n"
                               "add o1.xz, -v0.wzyx, v1 @0\n"
                               "mov o1.xz, -v2.wzyx @0\n"
                               "end\n";
    static const char torn[] = "mov o0.xy, v0 @3\nend\nmov o1.x, v0 @3\n";
    struct harness_shader_file file = { .program_count = 0 };
    cr_assert_eq(harness_shader_read_text(&file, text, sizeof text - 1, "a.asm", &error), HARNESS_OK, "%s",
                 error.message);
    cr_expect_eq(file.descriptors.words[0] & file.descriptors.known[0], 0x0006DC9Au & file.descriptors.known[0], "%08X",
                 file.descriptors.words[0]);
    cr_expect_eq(file.descriptors.known[0], 0x003FFFFFu, "%08X", file.descriptors.known[0]);
    cr_expect_eq(file.code[0] & 0x7Fu, 1, "what has no number gets another");
    expect_text(&file, "a.asm");
    harness_shader_file_free(&file);
    cr_expect_eq(harness_shader_read_text(&file, torn, sizeof torn - 1, "b.asm", &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "b.asm:3:"), "%s", error.message);
    cr_expect_not_null(strstr(error.message, "as other instructions with this descriptor have them"), "%s",
                       error.message);
    harness_shader_file_free(&file);
}

/* Tables and names may lie on each other, so that a small file could say megabytes. */
Test(shader_file, names_and_all_tables_have_a_limit)
{
    static struct dvlb_program programs[60];
    static const uint32_t end = 0x88000000;
    char name[258];
    struct harness_shader_file file = { .program_count = 0 };
    struct harness_text bytes = { 0 };
    memset(name, 'n', sizeof name);
    name[255] = name[257] = '\0';
    programs[0].names[0].name = name;
    programs[0].name_count = 1;
    dvlb_write(&end, 1, NULL, 0, programs, 1, &bytes);
    cr_expect_eq(harness_shader_read_dvlb(&file, (const uint8_t *)bytes.data, bytes.size, "names", &error), HARNESS_OK);
    harness_shader_file_free(&file);
    name[255] = 'n';
    name[256] = '\0';
    harness_text_clear(&bytes);
    dvlb_write(&end, 1, NULL, 0, programs, 1, &bytes);
    expect_refused((const uint8_t *)bytes.data, bytes.size, "expected the offset of a name of at most 255 bytes");
    for (uint32_t i = 0; i < 60; i++) {
        programs[i].name_count = 0;
        programs[i].constant_count = 137; /* 8220 of all */
    }
    harness_text_clear(&bytes);
    dvlb_write(&end, 1, NULL, 0, programs, 60, &bytes);
    expect_refused((const uint8_t *)bytes.data, bytes.size,
                   "expected at most 8192 entries of all tables of all programs, found 8220");
    harness_text_clear(&bytes);
    dvlb_write(&end, 1, NULL, 0, programs, 59, &bytes);
    cr_expect_eq(harness_shader_read_dvlb(&file, (const uint8_t *)bytes.data, bytes.size, "tables", &error),
                 HARNESS_OK);
    harness_shader_file_free(&file);
    harness_text_free(&bytes);
}
