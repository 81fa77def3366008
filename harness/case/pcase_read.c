/* A case from text: head and operations. Contents and state: pcase_read_data.c; lists: pcase_read_list.c. */
#include "harness/case/field_text.h"
#include "harness/case/formats.h"
#include "harness/case/pcase_names.h"
#include "harness/case/pcase_read.h"
#include "pica/extregs.h"

#include <string.h>

enum {
    NAME_SIZE = 64
};

bool harness_reader_no_memory(struct harness_reader *reader)
{
    reader->no_memory = true;
    return false;
}

bool harness_reader_take(struct harness_reader *reader, uint64_t size)
{
    if (size > reader->data_left)
        return harness_lexer_expected(&reader->lexer, "at most 0x4000000 bytes of contents in the whole file");
    reader->data_left -= size;
    return true;
}

static bool expect_word(struct harness_reader *reader, const char *word)
{
    return harness_lexer_skip_word(&reader->lexer, word) || harness_lexer_expected(&reader->lexer, word);
}

/* ------------------------------------------------------------------------------------------------------------ head */

static bool read_profile(struct harness_reader *reader)
{
    if (harness_lexer_skip_word(&reader->lexer, "f32"))
        reader->test_case->profile = PICA_PROFILE_F32;
    else if (harness_lexer_skip_word(&reader->lexer, "f24"))
        reader->test_case->profile = PICA_PROFILE_F24;
    else
        return harness_lexer_expected(&reader->lexer, "f32 or f24");
    return true;
}

/* "{ commands = 0x1000, pixels = 0x20000 }" */
static bool read_limits(struct harness_reader *reader)
{
    struct harness_lexer *const lexer = &reader->lexer;
    if (!harness_lexer_sign(lexer, '{'))
        return false;
    while (!harness_lexer_skip_sign(lexer, '}')) {
        const struct harness_token token = lexer->token;
        char name[NAME_SIZE];
        uint64_t value;
        uint32_t index = 0;
        if (!harness_lexer_word(lexer, name, sizeof name, "a limit"))
            return false;
        while (index < HARNESS_LIMIT_NAMES && strcmp(harness_limit_names[index], name) != 0)
            index++;
        if (index == HARNESS_LIMIT_NAMES)
            return harness_lexer_expected_at(lexer, &token, "commands, vertices, instructions, emits, pixels or work");
        if (!harness_lexer_sign(lexer, '=') ||
            !harness_lexer_number(lexer, HARNESS_MAX_BUDGET, &value, "a limit of 1 to 0x10000000"))
            return false;
        harness_limit_set(reader->test_case, index, (uint32_t)value);
        if (!harness_lexer_skip_sign(lexer, ',') && !harness_lexer_is_sign(lexer, '}'))
            return harness_lexer_expected(lexer, "',' or '}'");
    }
    return true;
}

static bool read_window(struct harness_reader *reader)
{
    uint32_t address;
    uint32_t size;
    if (reader->test_case->window_count == PICA_MAX_WINDOWS)
        return harness_lexer_expected(&reader->lexer, "at most 16 windows");
    if (!harness_lexer_u32(&reader->lexer, &address, "an address") || !expect_word(reader, "size") ||
        !harness_lexer_u32(&reader->lexer, &size, "a size in bytes"))
        return false;
    return harness_case_add_window(reader->test_case, address, size);
}

/* ------------------------------------------------------------------------------------------------------- operations */

static bool read_memory(struct harness_reader *reader, const char *comment)
{
    uint32_t address;
    struct harness_data data;
    if (reader->test_case->chunk_count == HARNESS_MAX_CHUNKS)
        return harness_lexer_expected(&reader->lexer, "at most 65536 memory blocks");
    if (!harness_lexer_u32(&reader->lexer, &address, "an address") || !harness_read_data(reader, &data))
        return false;
    struct harness_chunk *const chunk = harness_case_add_chunk(reader->test_case, address, &data);
    if (chunk == NULL)
        return harness_reader_no_memory(reader);
    chunk->comment = comment;
    return true;
}

static bool read_load(struct harness_reader *reader, struct harness_operation *operation)
{
    return harness_lexer_u32(&reader->lexer, &operation->address, "an address") &&
           harness_read_data(reader, &operation->data);
}

static bool read_run(struct harness_reader *reader, struct harness_operation *operation)
{
    return harness_lexer_u32(&reader->lexer, &operation->address, "an address") &&
           harness_read_list(reader, &operation->data);
}

static bool read_submit(struct harness_reader *reader, struct harness_operation *operation)
{
    return harness_lexer_u32(&reader->lexer, &operation->address, "an address") && expect_word(reader, "size") &&
           harness_lexer_u32(&reader->lexer, &operation->size, "a size in bytes");
}

static bool read_write(struct harness_reader *reader, struct harness_operation *operation)
{
    struct harness_lexer *const lexer = &reader->lexer;
    const struct harness_token token = lexer->token;
    enum pica_layout layout = PICA_LAYOUT_NONE;
    char name[NAME_SIZE];
    uint64_t address;
    if (!harness_lexer_word(lexer, name, sizeof name, "a register or an address"))
        return false;
    if (harness_number_parse(name, UINT32_MAX, &address)) {
        operation->address = (uint32_t)address;
    } else if (!harness_register_address(name, &operation->address, &layout)) {
        return harness_lexer_expected_at(lexer, &token, "the name of a register or an address");
    }
    return harness_read_value(reader, layout, &operation->words[0]);
}

/* "{ FILL0_START { address = 0x18000000 } ... }"; words that are not named are 0. */
static bool read_words(struct harness_reader *reader, const uint32_t *registers, uint32_t count, uint32_t *words)
{
    struct harness_lexer *const lexer = &reader->lexer;
    if (!harness_lexer_sign(lexer, '{'))
        return false;
    while (!harness_lexer_skip_sign(lexer, '}')) {
        const struct harness_token token = lexer->token;
        char name[NAME_SIZE];
        uint32_t i = 0;
        if (!harness_lexer_word(lexer, name, sizeof name, "a register of this engine or '}'"))
            return false;
        while (i < count && strcmp(pica_extreg_info(registers[i])->name, name) != 0)
            i++;
        if (i == count)
            return harness_lexer_expected_at(lexer, &token, "a register of this engine");
        if (!harness_read_value(reader, pica_extreg_info(registers[i])->layout, &words[i]))
            return false;
    }
    return true;
}

static bool read_fill(struct harness_reader *reader, struct harness_operation *operation)
{
    uint64_t unit;
    if (!harness_lexer_number(&reader->lexer, 1, &unit, "fill unit 0 or 1"))
        return false;
    operation->unit = (uint32_t)unit;
    return read_words(reader, harness_fill_registers[unit], 4, operation->words);
}

static bool read_transfer(struct harness_reader *reader, struct harness_operation *operation)
{
    return read_words(reader, harness_transfer_registers, 9, operation->words);
}

static bool read_vblank(struct harness_reader *reader, struct harness_operation *operation)
{
    if (harness_lexer_skip_word(&reader->lexer, "bottom"))
        operation->unit = 1;
    else if (!harness_lexer_skip_word(&reader->lexer, "top"))
        return harness_lexer_expected(&reader->lexer, "top or bottom");
    return true;
}

static bool read_note(struct harness_reader *reader, struct harness_operation *operation)
{
    struct harness_lexer *const lexer = &reader->lexer;
    if (lexer->token.kind != HARNESS_TOKEN_STRING || lexer->token.length > 2 * HARNESS_MAX_TEXT + 2)
        return harness_lexer_expected(lexer, "a string");
    harness_text_clear(&reader->scratch);
    for (size_t i = 1; i + 1 < lexer->token.length; i++) {
        if (lexer->token.text[i] == '\\')
            i++;
        harness_text_bytes(&reader->scratch, lexer->token.text + i, 1);
    }
    operation->text = harness_case_text(reader->test_case, harness_text_string(&reader->scratch), true);
    if (operation->text == NULL || reader->scratch.failed)
        return harness_reader_no_memory(reader);
    harness_lexer_next(lexer);
    return true;
}

static bool read_operation(struct harness_reader *reader, struct harness_operation *operation)
{
    static const struct {
        const char *name;
        bool (*read)(struct harness_reader *reader, struct harness_operation *operation);
    } kinds[] = { [HARNESS_LOAD] = { "load", read_load },       [HARNESS_RUN] = { "run", read_run },
                  [HARNESS_SUBMIT] = { "submit", read_submit }, [HARNESS_WRITE] = { "write", read_write },
                  [HARNESS_FILL] = { "fill", read_fill },       [HARNESS_TRANSFER] = { "transfer", read_transfer },
                  [HARNESS_VBLANK] = { "vblank", read_vblank }, [HARNESS_NOTE] = { "note", read_note } };
    for (uint32_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        if (harness_lexer_skip_word(&reader->lexer, kinds[kind].name)) {
            operation->kind = (enum harness_operation_kind)kind;
            return kinds[kind].read(reader, operation);
        }
    return harness_lexer_expected(&reader->lexer,
                                  "window, limits, profile, state, memory or an operation (load, run, submit, write, "
                                  "fill, transfer, vblank, note)");
}

static bool read_item(struct harness_reader *reader)
{
    struct harness_lexer *const lexer = &reader->lexer;
    const char *comment;
    if (!harness_lexer_comment(lexer, reader->test_case, &comment))
        return harness_reader_no_memory(reader);
    if (harness_lexer_skip_word(lexer, "profile"))
        return read_profile(reader);
    if (harness_lexer_skip_word(lexer, "limits"))
        return read_limits(reader);
    if (harness_lexer_skip_word(lexer, "window"))
        return read_window(reader);
    if (harness_lexer_skip_word(lexer, "state"))
        return harness_read_state(reader);
    if (harness_lexer_skip_word(lexer, "memory"))
        return read_memory(reader, comment);
    struct harness_operation operation = { .comment = comment };
    if (reader->test_case->operation_count == HARNESS_MAX_OPERATIONS)
        return harness_lexer_expected(lexer, "at most 65536 operations");
    if (!read_operation(reader, &operation))
        return false;
    return harness_case_insert(reader->test_case, reader->test_case->operation_count, &operation) != NULL ||
           harness_reader_no_memory(reader);
}

static bool read_case(struct harness_reader *reader)
{
    struct harness_lexer *const lexer = &reader->lexer;
    if (!harness_lexer_comment(lexer, reader->test_case, &reader->test_case->comment))
        return harness_reader_no_memory(reader);
    if (!expect_word(reader, "pcase") || !expect_word(reader, "1"))
        return false;
    while (lexer->token.kind != HARNESS_TOKEN_END)
        if (!read_item(reader))
            return false;
    return !lexer->bad;
}

enum harness_status harness_pcase_read(struct harness_case *out, const char *text, size_t size, const char *name,
                                       struct harness_error *error)
{
    struct harness_error ignored;
    struct harness_reader reader = { .test_case = out, .data_left = HARNESS_MAX_DATA };
    harness_case_reset(out);
    if (harness_mark_of(text, size) != NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "%.200s:1:1: expected plain UTF-8, found %s", name,
                            harness_mark_of(text, size));
    harness_register_index_init(&reader.registers);
    harness_lexer_init(&reader.lexer, text, size, name, error != NULL ? error : &ignored);
    enum harness_status status = read_case(&reader) ? HARNESS_OK : HARNESS_BAD_INPUT;
    if (reader.no_memory)
        status = harness_fail_memory(error);
    if (status == HARNESS_OK && out->state != NULL)
        harness_state_normalise(out->state);
    if (status == HARNESS_OK) {
        status = harness_case_check(out, error);
        if (status != HARNESS_OK)
            harness_error_prefix(error, name);
    }
    harness_text_free(&reader.scratch);
    harness_text_free(&reader.uses);
    if (status != HARNESS_OK)
        harness_case_reset(out);
    return status;
}
