/* Reads the words of a part of the state as a debugger dumps them: docs/formats/registers.md. */
#include "harness/case/formats.h"

#include "harness/case/field_text.h"
#include "harness/case/import.h"
#include "harness/case/little.h"
#include "pica/regs.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNKEPT_REGISTERS = 0x40, /* interrupts and their masks, which many emulators do not keep */
    WORD = 32                /* characters of the longest name or number, with its final 0 */
};

struct words {
    const uint8_t *bytes;
    size_t size;
    const char *name; /* of the file */
    uint32_t part;
    struct pica_state *values;
    bool *seen; /* by element: a line has named it */
    struct harness_error *error;
};

/* ------------------------------------------------------------------------------------------------------- raw words */

/* Where all of the first registers are 0 the dump does not have them, and they keep their reset values (REG-02). */
static uint32_t first_kept(const struct words *words)
{
    if (words->part != PICA_STATE_REGISTERS)
        return 0;
    for (size_t i = 0; i < 4 * (size_t)UNKEPT_REGISTERS && i < words->size; i++)
        if (words->bytes[i] != 0)
            return 0;
    return UNKEPT_REGISTERS;
}

static enum harness_status read_raw(const struct words *words)
{
    const struct harness_part *const part = &harness_parts[words->part];
    const struct harness_import at = { .name = words->name, .error = words->error };
    if (words->size % 4 != 0 || words->size / 4 > part->count)
        return harness_fail(words->error, HARNESS_BAD_INPUT, "%.200s: expected at most %u words (%s), found %zu bytes",
                            words->name, (unsigned)part->count, part->name, words->size);
    for (uint32_t i = first_kept(words); i < words->size / 4; i++) {
        const uint32_t value = harness_load32(words->bytes + 4 * (size_t)i);
        if (value > part->maximum)
            return harness_import_fail(&at, 4 * (uint64_t)i, "a value that the element can have", "0x%X for %s[%u]",
                                       (unsigned)value, part->name, (unsigned)i);
        harness_part_set(words->values, words->part, i, value);
    }
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------------- text */

static bool is_text(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((bytes[i] < ' ' || bytes[i] > '~') && bytes[i] != '\t' && bytes[i] != '\r' && bytes[i] != '\n')
            return false;
    return true;
}

static bool is_between(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == ':' || letter == '=';
}

/* The next word of the line [*at, end); "" at its end and before a comment. */
static void next_word(const char **at, const char *end, char word[WORD])
{
    uint32_t length = 0;
    while (*at < end && is_between(**at))
        ++*at;
    for (; *at < end && !is_between(**at) && **at != '#'; ++*at)
        if (length < WORD - 1)
            word[length++] = **at;
    word[length] = '\0';
}

/* 0x and up to 16 hexadecimal digits, or decimal ones, where a leading 0 is a mistake and not octal. */
static bool read_number(const char *word, uint32_t *out)
{
    uint64_t value = 0;
    const bool looks_octal = word[0] == '0' && harness_digit(word[1]) < 10;
    const bool read = !looks_octal && strlen(word) <= 18 && harness_number_parse(word, UINT32_MAX, &value);
    *out = (uint32_t)value;
    return read;
}

static bool read_index(const struct words *words, const char *word, uint32_t *index)
{
    const struct pica_reg_info *const info = words->part == PICA_STATE_REGISTERS ? pica_reg_by_name(word) : NULL;
    if (info == NULL)
        return read_number(word, index) && *index < harness_parts[words->part].count;
    *index = info->id;
    return true;
}

static enum harness_status fail_line(const struct words *words, uint32_t line, const char *expected, const char *found)
{
    return harness_fail(words->error, HARNESS_BAD_INPUT, "%.200s:%u: expected %s, found '%s'", words->name,
                        (unsigned)line, expected, found);
}

/* "0x117 0x00020000", "0x117: 0x00020000", "COLORBUFFER_FORMAT = 131072 # a comment", or nothing. */
static enum harness_status read_line(struct words *words, uint32_t line, const char *at, const char *end)
{
    const struct harness_part *const part = &harness_parts[words->part];
    char first[WORD], second[WORD], rest[WORD];
    uint32_t index = 0, value = 0;
    next_word(&at, end, first);
    next_word(&at, end, second);
    next_word(&at, end, rest);
    if (first[0] == '\0')
        return HARNESS_OK;
    if (!read_index(words, first, &index))
        return fail_line(words, line,
                         words->part == PICA_STATE_REGISTERS ? "a register, 0x000 to 0x2FF or its name"
                                                             : "the index of an element",
                         first);
    if (!read_number(second, &value) || value > part->maximum)
        return fail_line(words, line, "a value that the element can have", second);
    if (rest[0] != '\0')
        return fail_line(words, line, "the end of the line", rest);
    if (words->seen[index])
        return fail_line(words, line, "each element once", first);
    words->seen[index] = true;
    harness_part_set(words->values, words->part, index, value);
    return HARNESS_OK;
}

static enum harness_status read_text(struct words *words)
{
    const char *at = (const char *)words->bytes;
    const char *const end = at + words->size;
    for (uint32_t line = 1; at < end; line++) {
        const char *const newline = memchr(at, '\n', (size_t)(end - at));
        const char *const line_end = newline == NULL ? end : newline;
        const enum harness_status status = read_line(words, line, at, line_end);
        if (status != HARNESS_OK)
            return status;
        at = line_end + 1;
    }
    return HARNESS_OK;
}

enum harness_status harness_state_words_read(struct harness_state *state, uint32_t part, const uint8_t *bytes,
                                             size_t size, const char *name, struct harness_error *error)
{
    struct words words = { .bytes = bytes,
                           .size = size,
                           .name = name,
                           .part = part,
                           .values = &state->values,
                           .seen = calloc(harness_parts[part].count, sizeof *words.seen),
                           .error = error };
    if (words.seen == NULL)
        return harness_fail_memory(error);
    const enum harness_status status = is_text(bytes, size) ? read_text(&words) : read_raw(&words);
    if (status == HARNESS_OK)
        state->given |= (uint64_t)1 << part;
    free(words.seen);
    return status;
}
