/* Memory contents and initial state from text. */
#include "harness/case/field_text.h"
#include "harness/case/little.h"
#include "harness/case/pcase_names.h"
#include "harness/case/pcase_read.h"
#include "harness/case/shader_asm.h"
#include "pica/regs.h"

#include <stdlib.h>
#include <string.h>

enum {
    VALUE_SIZE = 64
};

/* ----------------------------------------------------------------------------------------------------------- bytes */

static bool add_bytes(struct harness_reader *reader, const void *bytes, size_t size)
{
    if (!harness_reader_take(reader, size))
        return false;
    harness_text_bytes(&reader->scratch, bytes, size);
    return !reader->scratch.failed || harness_reader_no_memory(reader);
}

/* "00112233" adds its bytes; the last of them comes back for "00*4096". */
static bool read_digits(struct harness_reader *reader, uint8_t *last)
{
    const struct harness_token token = reader->lexer.token;
    uint8_t block[64];
    size_t count = 0;
    bool good = token.kind == HARNESS_TOKEN_WORD && token.length % 2 == 0;
    for (size_t i = 0; i < token.length && good; i += 2) {
        const uint32_t high = harness_digit(token.text[i]);
        const uint32_t low = harness_digit(token.text[i + 1]);
        good = high < 16 && low < 16;
        if (good)
            block[count++] = *last = (uint8_t)(high * 16 + low);
        if (count != sizeof block)
            continue;
        if (!add_bytes(reader, block, count))
            return false;
        count = 0;
    }
    if (good && !add_bytes(reader, block, count))
        return false;
    if (!good)
        return harness_lexer_expected(&reader->lexer, "pairs of hexadecimal digits");
    harness_lexer_next(&reader->lexer);
    return true;
}

/* The last byte `total` times in all. */
static bool repeat_byte(struct harness_reader *reader, uint8_t byte, uint64_t total)
{
    uint8_t block[256];
    memset(block, byte, sizeof block);
    for (uint64_t left = total - 1; left != 0;) {
        const size_t part = left < sizeof block ? (size_t)left : sizeof block;
        if (!add_bytes(reader, block, part))
            return false;
        left -= part;
    }
    return true;
}

/* Hexadecimal bytes up to the closing brace, which stays the current token. */
static bool read_bytes(struct harness_reader *reader)
{
    while (!harness_lexer_is_sign(&reader->lexer, '}')) {
        uint8_t last = 0;
        uint64_t times = 1;
        if (!read_digits(reader, &last))
            return false;
        if (!harness_lexer_skip_sign(&reader->lexer, '*'))
            continue;
        if (!harness_lexer_number(&reader->lexer, HARNESS_MAX_DATA, &times, "how many times the byte stands here"))
            return false;
        if (times == 0 || !repeat_byte(reader, last, times))
            return times != 0 ? false : harness_lexer_expected(&reader->lexer, "a number above 0 before this");
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------- tables */

static uint32_t find_name(const char *const *names, uint32_t count, const char *name)
{
    uint32_t i = 0;
    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

/* "f32*3 u8*4" */
static bool read_layout(struct harness_reader *reader, struct harness_layout *layout)
{
    struct harness_lexer *const lexer = &reader->lexer;
    static const char what[] = "an element type s8 u8 s16 u16 u32 f32 pad";
    char text[VALUE_SIZE];
    layout->field_count = 0;
    while (!harness_lexer_is_sign(lexer, '{')) {
        const struct harness_token token = lexer->token;
        uint64_t count = 1;
        if (!harness_lexer_word(lexer, text, sizeof text, what))
            return false;
        const uint32_t element = find_name(harness_element_names, HARNESS_ELEMENT_NAMES, text);
        if (element == HARNESS_ELEMENT_NAMES || layout->field_count == HARNESS_MAX_LAYOUT_FIELDS)
            return harness_lexer_expected_at(lexer, &token,
                                             element == HARNESS_ELEMENT_NAMES ? what : "'{' after 16 fields");
        if (harness_lexer_skip_sign(lexer, '*') && !harness_lexer_number(lexer, 255, &count, "a count of 1-255"))
            return false;
        if (count == 0)
            return harness_lexer_expected(lexer, "a count above 0 before this");
        layout->fields[layout->field_count].element = (uint8_t)element;
        layout->fields[layout->field_count].count = (uint8_t)count;
        layout->field_count++;
    }
    return layout->field_count != 0 || harness_lexer_expected(lexer, what);
}

static bool read_element(struct harness_reader *reader, enum harness_element element)
{
    struct harness_lexer *const lexer = &reader->lexer;
    const struct harness_token token = lexer->token;
    const uint32_t size = harness_element_size(element);
    char text[VALUE_SIZE];
    uint32_t value;
    if (!harness_lexer_word(lexer, text, sizeof text, "a value, bytes or '}'"))
        return false;
    const bool good = element == HARNESS_ELEMENT_F32 ? harness_float_parse(HARNESS_FLOAT32, text, &value)
                                                     : harness_integer_parse(text, 8 * size, &value);
    if (!good)
        return harness_lexer_expected_at(lexer, &token,
                                         element == HARNESS_ELEMENT_F32 ? "a decimal number, or 0x and raw bits"
                                                                        : "an integer that fits the element");
    uint8_t bytes[4];
    (void)harness_store32(bytes, value);
    return add_bytes(reader, bytes, size);
}

static bool read_row(struct harness_reader *reader, const struct harness_layout *layout)
{
    for (uint32_t f = 0; f < layout->field_count; f++)
        for (uint32_t k = 0; k < layout->fields[f].count; k++)
            if (!read_element(reader, (enum harness_element)layout->fields[f].element))
                return false;
    return true;
}

static bool read_table(struct harness_reader *reader, struct harness_data *data)
{
    struct harness_layout layout;
    memset(&layout, 0, sizeof layout);
    if (!read_layout(reader, &layout) || !harness_lexer_sign(&reader->lexer, '{'))
        return false;
    while (!harness_lexer_is_sign(&reader->lexer, '}') && !harness_lexer_is_word(&reader->lexer, "bytes"))
        if (!read_row(reader, &layout))
            return false;
    if (harness_lexer_skip_word(&reader->lexer, "bytes") && !read_bytes(reader))
        return false;
    if (!harness_lexer_sign(&reader->lexer, '}'))
        return false;
    return harness_data_table(reader->test_case, data, &layout, (const uint8_t *)harness_text_string(&reader->scratch),
                              reader->scratch.size) ||
           harness_reader_no_memory(reader);
}

static bool read_pattern(struct harness_reader *reader, enum harness_pattern pattern, struct harness_data *data)
{
    uint32_t value;
    uint64_t size;
    if (!harness_lexer_u32(&reader->lexer, &value, "the value of the pattern"))
        return false;
    if (!harness_lexer_skip_word(&reader->lexer, "size"))
        return harness_lexer_expected(&reader->lexer, "'size'");
    if (!harness_lexer_number(&reader->lexer, HARNESS_MAX_DATA, &size, "a size of at most 0x4000000 bytes") ||
        !harness_reader_take(reader, size))
        return false;
    harness_data_pattern(data, pattern, value, (uint32_t)size);
    return true;
}

bool harness_read_data(struct harness_reader *reader, struct harness_data *data)
{
    struct harness_lexer *const lexer = &reader->lexer;
    harness_text_clear(&reader->scratch);
    if (harness_lexer_skip_word(lexer, "table"))
        return read_table(reader, data);
    if (harness_lexer_skip_word(lexer, "list"))
        return harness_read_list(reader, data);
    if (harness_lexer_skip_word(lexer, "bytes")) {
        if (!harness_lexer_sign(lexer, '{') || !read_bytes(reader) || !harness_lexer_sign(lexer, '}'))
            return false;
        return harness_data_bytes(reader->test_case, data, (const uint8_t *)harness_text_string(&reader->scratch),
                                  reader->scratch.size) ||
               harness_reader_no_memory(reader);
    }
    for (uint32_t i = 0; i < HARNESS_PATTERN_NAMES; i++)
        if (harness_lexer_skip_word(lexer, harness_pattern_names[i]))
            return read_pattern(reader, (enum harness_pattern)i, data);
    return harness_lexer_expected(lexer, "bytes, table, list, fill, ramp or noise");
}

/* ----------------------------------------------------------------------------------------------------------- state */

static bool read_registers(struct harness_reader *reader, struct pica_state *values)
{
    struct harness_lexer *const lexer = &reader->lexer;
    while (!harness_lexer_is_sign(lexer, '}')) {
        const struct harness_token token = lexer->token;
        char text[VALUE_SIZE];
        if (!harness_lexer_word(lexer, text, sizeof text, "a register or '}'"))
            return false;
        const uint32_t id = harness_register_find(&reader->registers, text);
        if (id == PICA_REGISTERS)
            return harness_lexer_expected_at(lexer, &token, "the name of a register");
        if (!harness_read_value(reader, pica_reg_info(id)->layout, &values->registers[id]))
            return false;
    }
    return true;
}

/* One value of a part; floats as decimals or raw bits. */
static bool read_part_value(struct harness_reader *reader, uint32_t part, uint32_t *value)
{
    struct harness_lexer *const lexer = &reader->lexer;
    const struct harness_token token = lexer->token;
    char text[VALUE_SIZE];
    uint64_t number = 0;
    if (!harness_lexer_word(lexer, text, sizeof text, "a value"))
        return false;
    const bool good = harness_parts[part].type == HARNESS_PART_FLOATS
                          ? harness_float_parse(HARNESS_FLOAT32, text, value)
                          : harness_number_parse(text, harness_parts[part].maximum, &number);
    if (!good)
        return harness_lexer_expected_at(lexer, &token, "a value that this part of the state can hold");
    if (harness_parts[part].type != HARNESS_PART_FLOATS)
        *value = (uint32_t)number;
    return true;
}

/* "5: 1.0 0.0 0.0 1.0": values from an index on; a number before ':' starts the next stretch. */
static bool read_words(struct harness_reader *reader, uint32_t part, struct pica_state *values)
{
    struct harness_lexer *const lexer = &reader->lexer;
    const uint32_t group = harness_parts[part].type == HARNESS_PART_FLOATS ? 4 : 1;
    const uint32_t count = harness_parts[part].count;
    uint32_t at = 0;
    while (!harness_lexer_is_sign(lexer, '}')) {
        const char *const after = lexer->at;
        if (after < lexer->end && *after == ':') {
            uint64_t index;
            if (!harness_lexer_number(lexer, count / group - 1, &index, "an index into this part of the state") ||
                !harness_lexer_sign(lexer, ':'))
                return false;
            at = (uint32_t)index * group;
            continue;
        }
        uint32_t value;
        if (at == count)
            return harness_lexer_expected(lexer, "'}' (this part of the state is full)");
        if (!read_part_value(reader, part, &value))
            return false;
        harness_part_set(values, part, at++, value);
    }
    return true;
}

/* Code words of a unit from address 0 on. The current token is '{'. */
static bool read_code(struct harness_reader *reader, uint32_t part, struct pica_state *values)
{
    struct harness_shader_source source = { .name = reader->lexer.name };
    uint32_t count;
    if (!harness_lexer_raw_block(&reader->lexer, &source.text, &source.size, &source.first_line))
        return false;
    uint32_t *const words = calloc(HARNESS_MAX_CODE, sizeof *words);
    if (words == NULL)
        return harness_reader_no_memory(reader);
    const enum harness_status status = harness_shader_assemble(&source, NULL, words, NULL, &count, reader->lexer.error);
    for (uint32_t i = 0; status == HARNESS_OK && i < count; i++)
        harness_part_set(values, part, i, words[i]);
    free(words);
    return status == HARNESS_OK;
}

bool harness_read_state(struct harness_reader *reader)
{
    struct harness_lexer *const lexer = &reader->lexer;
    const struct harness_token token = lexer->token;
    char name[VALUE_SIZE];
    struct harness_state *const state = harness_case_state(reader->test_case);
    if (state == NULL)
        return harness_reader_no_memory(reader);
    if (!harness_lexer_word(lexer, name, sizeof name, "a part of the state, or reset"))
        return false;
    if (strcmp(name, "reset") == 0)
        return true;
    const uint32_t part = harness_part_find(name);
    if (part == harness_part_count)
        return harness_lexer_expected_at(lexer, &token, "a part of the state, or reset");
    state->given |= (uint64_t)1 << part;
    if (harness_parts[part].type == HARNESS_PART_CODE)
        return read_code(reader, part, &state->values);
    if (!harness_lexer_sign(lexer, '{'))
        return false;
    const bool read = harness_parts[part].type == HARNESS_PART_REGISTERS ? read_registers(reader, &state->values)
                                                                         : read_words(reader, part, &state->values);
    return read && harness_lexer_sign(lexer, '}');
}
