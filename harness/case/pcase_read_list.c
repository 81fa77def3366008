/* Command lists from text: the inverse of pcase_write_list.c, and the `shader` block that people write by hand. */
#include "harness/case/field_text.h"
#include "harness/case/list_scan.h"
#include "harness/case/pcase_read.h"
#include "harness/case/shader_asm.h"
#include "pica/regs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME_SIZE = 64
};

/* What an instruction's text says about its operand descriptor; checked once the whole list is read. */
struct use {
    uint32_t command;
    uint32_t unit;
    struct harness_shader_use use;
};

static uint32_t scratch_words(const struct harness_reader *reader)
{
    return (uint32_t)(reader->scratch.size / sizeof(uint32_t));
}

static bool add_word(struct harness_reader *reader, uint32_t word)
{
    harness_text_bytes(&reader->scratch, &word, sizeof word);
    return !reader->scratch.failed || harness_reader_no_memory(reader);
}

/* --------------------------------------------------------------------------------------------------------- values */

/* "a field of NAME (...)", for a message. */
static const char *fields_of(enum pica_layout layout, char out[HARNESS_EXPECTATION])
{
    struct harness_text text = { 0 };
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    harness_text_format(&text, "a field of %s", pica_layout_info(layout)->name);
    for (size_t i = 0; i < count; i++)
        harness_text_format(&text, "%s%s%s", i == 0 ? " (" : ", ", fields[i].name, i + 1 == count ? ")" : "");
    (void)snprintf(out, HARNESS_EXPECTATION, "%s", harness_text_string(&text));
    harness_text_free(&text);
    return out;
}

static bool read_field(struct harness_reader *reader, enum pica_layout layout, uint32_t *word)
{
    struct harness_lexer *const lexer = &reader->lexer;
    char text[NAME_SIZE];
    char what[HARNESS_EXPECTATION];
    const struct harness_token name = lexer->token;
    if (!harness_lexer_word(lexer, text, sizeof text, "the name of a field"))
        return false;
    const struct pica_field_info *const field = pica_field_by_name(layout, text);
    uint32_t bits;
    if (field == NULL && strcmp(text, "other") == 0) {
        if (!harness_lexer_sign(lexer, '=') || !harness_lexer_u32(lexer, &bits, "bits of the word"))
            return false;
        *word |= bits;
        return true;
    }
    if (field == NULL)
        return harness_lexer_expected_at(lexer, &name, fields_of(layout, what));
    if (!harness_lexer_sign(lexer, '='))
        return false;
    const struct harness_token value = lexer->token;
    if (!harness_lexer_word(lexer, text, sizeof text, harness_field_expectation(field, what)))
        return false;
    if (!harness_field_parse(field, text, &bits))
        return harness_lexer_expected_at(lexer, &value, harness_field_expectation(field, what));
    *word = pica_field_set(field, *word, bits);
    return true;
}

bool harness_read_value(struct harness_reader *reader, enum pica_layout layout, uint32_t *word)
{
    struct harness_lexer *const lexer = &reader->lexer;
    *word = 0;
    if (harness_lexer_skip_sign(lexer, '='))
        return harness_lexer_u32(lexer, word, "a number of 32 bits");
    if (!harness_lexer_is_sign(lexer, '{'))
        return harness_lexer_expected(lexer, "'=' or '{'");
    harness_lexer_next(lexer);
    while (!harness_lexer_skip_sign(lexer, '}')) {
        if (!read_field(reader, layout, word))
            return false;
        if (!harness_lexer_skip_sign(lexer, ',') && !harness_lexer_is_sign(lexer, '}'))
            return harness_lexer_expected(lexer, "',' or '}'");
    }
    return true;
}

/* The words between two braces, appended to the scratch. */
static bool read_hex_block(struct harness_reader *reader)
{
    struct harness_lexer *const lexer = &reader->lexer;
    uint32_t word;
    if (!harness_lexer_sign(lexer, '{'))
        return false;
    while (!harness_lexer_skip_sign(lexer, '}'))
        if (!harness_lexer_u32(lexer, &word, "a word or '}'") || !add_word(reader, word))
            return false;
    return true;
}

/* ----------------------------------------------------------------------------------------------- shader port blocks */

static bool read_component(struct harness_reader *reader, struct harness_float_format format, uint32_t *raw)
{
    struct harness_lexer *const lexer = &reader->lexer;
    const struct harness_token token = lexer->token;
    char text[NAME_SIZE];
    if (!harness_lexer_word(lexer, text, sizeof text, "a number"))
        return false;
    if (harness_float_parse(format, text, raw))
        return true;
    return harness_lexer_expected_at(lexer, &token, "a decimal number, or 0x and raw bits");
}

/* Vectors x y z w, then, after `words`, the words that do not fill one (REG-23). */
static bool read_vectors(struct harness_reader *reader, bool float32)
{
    struct harness_lexer *const lexer = &reader->lexer;
    uint32_t v[4], packed[3];
    if (!harness_lexer_sign(lexer, '{'))
        return false;
    while (!harness_lexer_is_sign(lexer, '}') && !harness_lexer_is_word(lexer, "words")) {
        for (uint32_t k = 0; k < 4; k++)
            if (!read_component(reader, float32 ? HARNESS_FLOAT32 : HARNESS_FLOAT24, &v[k]))
                return false;
        harness_float24_pack(v, packed);
        const bool added =
            float32
                ? add_word(reader, v[3]) && add_word(reader, v[2]) && add_word(reader, v[1]) && add_word(reader, v[0])
                : add_word(reader, packed[0]) && add_word(reader, packed[1]) && add_word(reader, packed[2]);
        if (!added)
            return false;
    }
    if (harness_lexer_skip_word(lexer, "words"))
        while (!harness_lexer_is_sign(lexer, '}'))
            if (!harness_lexer_u32(lexer, &v[0], "a word or '}'") || !add_word(reader, v[0]))
                return false;
    return harness_lexer_sign(lexer, '}');
}

/* A mask "xyz_" or a swizzle "-wzyx" as the bits of a descriptor; false if it is something else. */
static bool letters_parse(const char *text, bool is_mask, uint32_t *bits)
{
    static const char letters[] = "xyzw";
    const bool negative = text[0] == '-' && !is_mask;
    text += negative ? 1 : 0;
    if (strlen(text) != 4)
        return false;
    uint32_t selectors = 0;
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const char *const letter = strchr(letters, text[i]);
        mask = mask << 1 | (text[i] == letters[i] ? 1u : 0u);
        if (is_mask ? text[i] != letters[i] && text[i] != '_' : letter == NULL)
            return false;
        selectors = selectors << 2 | (letter == NULL ? 0u : (uint32_t)(letter - letters));
    }
    *bits = is_mask ? mask : selectors << 1 | (negative ? 1u : 0u);
    return true;
}

/* "xyzw, xyzw, -wzyx, xyzw", perhaps with "| 0x80000000" (SHD-21) */
static bool read_descriptor(struct harness_reader *reader, uint32_t *word)
{
    struct harness_lexer *const lexer = &reader->lexer;
    uint32_t bits;
    char text[8];
    *word = 0;
    for (uint32_t part = 0; part < 4; part++) {
        const char *const what = part == 0 ? "a mask like xyz_" : "a swizzle like xyzw or -wzyx";
        const struct harness_token token = lexer->token;
        if (part != 0 && !harness_lexer_sign(lexer, ','))
            return false;
        if (!harness_lexer_word(lexer, text, sizeof text, what))
            return false;
        if (!letters_parse(text, part == 0, &bits))
            return harness_lexer_expected_at(lexer, &token, what);
        *word |= part == 0 ? bits : bits << (4 + 9 * (part - 1));
    }
    bits = 0;
    if (harness_lexer_skip_sign(lexer, '|') && !harness_lexer_u32(lexer, &bits, "a number"))
        return false;
    *word |= bits;
    return true;
}

static bool read_descriptors(struct harness_reader *reader)
{
    uint32_t word;
    if (!harness_lexer_sign(&reader->lexer, '{'))
        return false;
    while (!harness_lexer_skip_sign(&reader->lexer, '}'))
        if (!read_descriptor(reader, &word) || !add_word(reader, word))
            return false;
    return true;
}

/* One assembled block: too large for the stack, so the caller of `assemble` frees it. */
struct assembly {
    uint32_t words[HARNESS_MAX_CODE];
    struct harness_shader_use uses[HARNESS_MAX_CODE];
    struct harness_descriptors descriptors;
    uint32_t count;
};

/* The raw block at the current '{', assembled from code address `first`. NULL after a message. */
static struct assembly *assemble(struct harness_reader *reader, uint32_t first, bool allocate)
{
    struct harness_shader_source source = { .name = reader->lexer.name, .first = first, .allocate = allocate };
    struct assembly *const assembly = malloc(sizeof *assembly);
    if (assembly == NULL) {
        (void)harness_reader_no_memory(reader);
        return NULL;
    }
    memset(&assembly->descriptors, 0, sizeof assembly->descriptors);
    if (!harness_lexer_raw_block(&reader->lexer, &source.text, &source.size, &source.first_line) ||
        harness_shader_assemble(&source, &assembly->descriptors, assembly->words, assembly->uses, &assembly->count,
                                reader->lexer.error) != HARNESS_OK) {
        free(assembly);
        return NULL;
    }
    return assembly;
}

static bool read_first(struct harness_reader *reader, uint32_t *first)
{
    uint64_t value = 0;
    if (harness_lexer_skip_word(&reader->lexer, "at") &&
        !harness_lexer_number(&reader->lexer, HARNESS_MAX_CODE - 1, &value, "a code address 0-4095"))
        return false;
    *first = (uint32_t)value;
    return true;
}

/* "code at 0 { ... }" */
static bool read_code(struct harness_reader *reader, uint32_t command, uint32_t unit)
{
    uint32_t first;
    if (!read_first(reader, &first))
        return false;
    struct assembly *const assembly = assemble(reader, first, false);
    if (assembly == NULL)
        return false;
    bool added = true;
    for (uint32_t i = 0; i < assembly->count && added; i++) {
        const struct use use = { command, unit, assembly->uses[i] };
        if (use.use.mask != 0)
            harness_text_bytes(&reader->uses, &use, sizeof use);
        added = add_word(reader, assembly->words[i]);
    }
    free(assembly);
    return added && (!reader->uses.failed || harness_reader_no_memory(reader));
}

static bool check_use(struct harness_reader *reader, const struct use *use, const struct harness_descriptors *all)
{
    const uint32_t number = use->use.number;
    if (((all->words[number] ^ use->use.bits) & use->use.mask & all->known[number]) == 0)
        return true;
    struct harness_text text = { 0 };
    harness_descriptor_print(all->words[number], &text);
    (void)harness_fail(reader->lexer.error, HARNESS_BAD_INPUT,
                       "%.200s:%u:1: expected operands as the list's descriptor @%u has them (%.60s), found others",
                       reader->lexer.name, use->use.line, number, harness_text_string(&text));
    harness_text_free(&text);
    return false;
}

/* The operands written in code agree with the descriptors that the same list uploads for it. */
static bool check_uses(struct harness_reader *reader, const struct harness_list *list)
{
    struct harness_scan now;
    struct harness_ahead ahead[2] = { { .until = 0 }, { .until = 0 } };
    uint32_t scanned = 0;
    struct use use;
    harness_scan_init(&now);
    for (size_t at = 0; at + sizeof use <= reader->uses.size; at += sizeof use) {
        memcpy(&use, reader->uses.data + at, sizeof use);
        for (; scanned < use.command; scanned++)
            harness_scan_command(&now, &list->commands[scanned]);
        if (!check_use(reader, &use, harness_scan_ahead(&ahead[use.unit], &now, list, use.command, use.unit)))
            return false;
    }
    return true;
}

/* -------------------------------------------------------------------------------------------------------- commands */

/* Name or number of a register; `most` bounds the number. */
static bool read_register(struct harness_reader *reader, uint32_t most, uint32_t *id)
{
    struct harness_lexer *const lexer = &reader->lexer;
    const struct harness_token token = lexer->token;
    char text[NAME_SIZE];
    uint64_t number;
    if (!harness_lexer_word(lexer, text, sizeof text, "a register, tail, shader or '}'"))
        return false;
    if (harness_number_parse(text, most, &number)) {
        *id = (uint32_t)number;
        return true;
    }
    *id = harness_register_find(&reader->registers, text);
    if (*id < PICA_REGISTERS)
        return true;
    return harness_lexer_expected_at(lexer, &token, "the name or number of a register");
}

static enum pica_layout layout_of(uint32_t id)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    return info != NULL ? info->layout : PICA_LAYOUT_NONE;
}

/* "consecutive { NAME value ... }": each name must be the register that is written. */
static bool read_consecutive(struct harness_reader *reader, uint32_t first)
{
    struct harness_lexer *const lexer = &reader->lexer;
    uint32_t id;
    uint32_t word;
    if (!harness_lexer_sign(lexer, '{'))
        return false;
    while (!harness_lexer_skip_sign(lexer, '}')) {
        const uint32_t due = first + scratch_words(reader);
        const struct harness_token token = lexer->token;
        if (!read_register(reader, UINT16_MAX + HARNESS_MAX_PARAMETERS, &id))
            return false;
        if (id != due) {
            char what[96];
            const struct pica_reg_info *const info = pica_reg_info(due);
            (void)snprintf(what, sizeof what, "%s (0x%X), the next register", info != NULL ? info->name : "register",
                           due);
            return harness_lexer_expected_at(lexer, &token, what);
        }
        if (!harness_read_value(reader, layout_of(id), &word) || !add_word(reader, word))
            return false;
        while (harness_lexer_skip_sign(lexer, ','))
            if (!harness_lexer_u32(lexer, &word, "a word for the next register") || !add_word(reader, word))
                return false;
    }
    return true;
}

static bool read_repeat(struct harness_reader *reader, uint32_t command, uint32_t id)
{
    struct harness_lexer *const lexer = &reader->lexer;
    uint32_t unit;
    (void)oracle_port_of(id, &unit);
    if (harness_lexer_skip_word(lexer, "code"))
        return read_code(reader, command, unit);
    if (harness_lexer_skip_word(lexer, "descriptors"))
        return read_descriptors(reader);
    if (harness_lexer_skip_word(lexer, "f24"))
        return read_vectors(reader, false);
    if (harness_lexer_skip_word(lexer, "f32"))
        return read_vectors(reader, true);
    return read_hex_block(reader);
}

struct attributes {
    uint64_t mask;
    uint64_t ignored;
    uint64_t padding;
};

static bool read_attributes(struct harness_reader *reader, struct attributes *out)
{
    struct harness_lexer *const lexer = &reader->lexer;
    *out = (struct attributes){ 0xF, 0, 0 };
    for (;;) {
        if (harness_lexer_skip_word(lexer, "mask")) {
            if (!harness_lexer_number(lexer, 15, &out->mask, "a byte mask 0 to 0xF"))
                return false;
        } else if (harness_lexer_skip_word(lexer, "ignored")) {
            if (!harness_lexer_number(lexer, 7, &out->ignored, "header bits 0 to 7"))
                return false;
        } else if (harness_lexer_skip_word(lexer, "padding")) {
            if (!harness_lexer_number(lexer, UINT32_MAX, &out->padding, "a word"))
                return false;
        } else {
            return true;
        }
    }
}

/* Appends the command whose parameters are in the scratch. */
static bool finish_command(struct harness_reader *reader, struct harness_list *list, uint32_t id, bool consecutive,
                           const struct attributes *attributes, const struct harness_token *token)
{
    const uint32_t count = scratch_words(reader);
    if (count == 0 || count > HARNESS_MAX_PARAMETERS || (attributes->padding != 0 && count % 2 == 1))
        return harness_lexer_expected_at(&reader->lexer, token,
                                         count == 0 || count > HARNESS_MAX_PARAMETERS
                                             ? "a command with 1 to 256 parameters"
                                             : "padding only with an even number of parameters");
    uint32_t words[HARNESS_MAX_PARAMETERS];
    memcpy(words, reader->scratch.data, count * sizeof words[0]);
    const struct harness_writes writes = { .id = (uint16_t)id,
                                           .mask = (uint8_t)attributes->mask,
                                           .consecutive = consecutive,
                                           .parameters = words,
                                           .count = count };
    struct harness_command *const command = harness_list_insert(reader->test_case, list, list->count, &writes);
    if (command == NULL)
        return harness_reader_no_memory(reader);
    command->ignored = (uint8_t)attributes->ignored;
    command->padding = (uint32_t)attributes->padding;
    return true;
}

static bool read_command(struct harness_reader *reader, struct harness_list *list)
{
    struct harness_lexer *const lexer = &reader->lexer;
    const struct harness_token token = lexer->token;
    struct attributes attributes;
    uint32_t id;
    uint32_t word;
    bool consecutive = false;
    bool read = false;
    harness_text_clear(&reader->scratch);
    if (!read_register(reader, UINT16_MAX, &id) || !read_attributes(reader, &attributes))
        return false;
    if (harness_lexer_skip_word(lexer, "consecutive")) {
        consecutive = true;
        read = read_consecutive(reader, id);
    } else if (harness_lexer_skip_word(lexer, "repeat")) {
        read = read_repeat(reader, list->count, id);
    } else {
        read = harness_read_value(reader, layout_of(id), &word) && add_word(reader, word);
    }
    return read && finish_command(reader, list, id, consecutive, &attributes, &token);
}

/* "shader vertex { ... }" or "shader geometry at 16 { ... }": code, its end mark and its descriptors, as commands. */
static bool read_shader(struct harness_reader *reader, struct harness_list *list)
{
    struct harness_case *const test_case = reader->test_case;
    uint32_t unit;
    uint32_t first;
    if (harness_lexer_skip_word(&reader->lexer, "vertex"))
        unit = PICA_UNIT_VERTEX;
    else if (harness_lexer_skip_word(&reader->lexer, "geometry"))
        unit = PICA_UNIT_GEOMETRY;
    else
        return harness_lexer_expected(&reader->lexer, "vertex or geometry");
    if (!read_first(reader, &first))
        return false;
    struct assembly *const assembly = assemble(reader, first, true);
    if (assembly == NULL)
        return false;
    uint32_t used = HARNESS_DESCRIPTORS;
    while (used > 0 && assembly->descriptors.known[used - 1] == 0)
        used--;
    const uint16_t index = (uint16_t)pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX);
    const uint16_t data = (uint16_t)pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_DATA0);
    const uint16_t end = (uint16_t)pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_END);
    const uint16_t opdescs_index = (uint16_t)pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_INDEX);
    const uint16_t opdescs = (uint16_t)pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_DATA0);
    const bool added = harness_list_write(test_case, list, index, first) &&
                       harness_list_write_port(test_case, list, data, assembly->words, assembly->count) &&
                       harness_list_write(test_case, list, end, 1) &&
                       harness_list_write(test_case, list, opdescs_index, 0) &&
                       harness_list_write_port(test_case, list, opdescs, assembly->descriptors.words, used);
    free(assembly);
    return added || harness_reader_no_memory(reader);
}

static bool read_tail(struct harness_reader *reader, struct harness_list *list)
{
    harness_text_clear(&reader->scratch);
    if (!read_hex_block(reader))
        return false;
    list->tail_count = scratch_words(reader);
    list->tail = harness_arena_copy(&reader->test_case->arena, reader->scratch.data, reader->scratch.size);
    return list->tail != NULL || harness_reader_no_memory(reader);
}

static bool read_commands(struct harness_reader *reader, struct harness_list *list)
{
    struct harness_lexer *const lexer = &reader->lexer;
    *list = (struct harness_list){ 0 };
    harness_text_clear(&reader->uses);
    if (!harness_lexer_sign(lexer, '{'))
        return false;
    while (!harness_lexer_is_sign(lexer, '}')) {
        const char *comment;
        const uint32_t before = list->count;
        if (list->tail_count != 0)
            return harness_lexer_expected(lexer, "'}' after the tail");
        if (!harness_lexer_comment(lexer, reader->test_case, &comment))
            return harness_reader_no_memory(reader);
        const bool read = harness_lexer_skip_word(lexer, "tail")     ? read_tail(reader, list)
                          : harness_lexer_skip_word(lexer, "shader") ? read_shader(reader, list)
                                                                     : read_command(reader, list);
        if (!read)
            return false;
        if (list->count > before)
            harness_list_edit(list, before)->comment = comment;
    }
    harness_lexer_next(lexer);
    return check_uses(reader, list);
}

bool harness_read_list(struct harness_reader *reader, struct harness_data *data)
{
    struct harness_list list;
    if (!read_commands(reader, &list))
        return false;
    harness_data_list(data, &list);
    return harness_reader_take(reader, harness_data_size(data, true));
}
