#include "harness/case/shader_operand.h"
#include "harness/case/numbers.h"

#include <string.h>

void harness_cursor_init(struct harness_cursor *cursor, const struct harness_shader_source *source,
                         struct harness_error *error)
{
    *cursor = (struct harness_cursor){ .at = source->text,
                                       .end = source->text + source->size,
                                       .line_start = source->text,
                                       .line = source->first_line,
                                       .name = source->name,
                                       .error = error };
}

bool harness_cursor_expected(struct harness_cursor *cursor, const char *place, const char *what)
{
    const char *end = place;
    while (end < cursor->end && *end != '\n' && *end != ' ' && end - place < 40)
        end++;
    char found[48] = "the end of the line";
    if (end > place) {
        memcpy(found, place, (size_t)(end - place));
        found[end - place] = '\0';
    }
    (void)harness_fail(cursor->error, HARNESS_BAD_INPUT, "%.200s:%u:%u: expected %s, found %s%s%s", cursor->name,
                       cursor->line, (unsigned)(place - cursor->line_start) + 1, what, end > place ? "'" : "", found,
                       end > place ? "'" : "");
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void skip_blanks(struct harness_cursor *cursor)
{
    while (cursor->at < cursor->end && is_blank(*cursor->at))
        cursor->at++;
}

static void skip_comment(struct harness_cursor *cursor)
{
    if (cursor->at < cursor->end && (*cursor->at == ';' || *cursor->at == '#'))
        while (cursor->at < cursor->end && *cursor->at != '\n')
            cursor->at++;
}

bool harness_cursor_next_item(struct harness_cursor *cursor)
{
    for (;;) {
        skip_blanks(cursor);
        skip_comment(cursor);
        if (cursor->at == cursor->end)
            return false;
        if (*cursor->at != '\n')
            return true;
        cursor->at++;
        cursor->line++;
        cursor->line_start = cursor->at;
    }
}

static size_t identifier_length(const struct harness_cursor *cursor)
{
    const char *at = cursor->at;
    if (at == cursor->end || !is_letter(*at))
        return 0;
    while (at < cursor->end && (is_letter(*at) || is_digit(*at)))
        at++;
    return (size_t)(at - cursor->at);
}

bool harness_shader_is_label(const char *text)
{
    const struct harness_cursor cursor = { .at = text, .end = text + strlen(text) };
    const size_t length = identifier_length(&cursor);
    const bool is_made = text[0] == 'L' && strspn(text + 1, "0123456789") + 1 == length;
    return length != 0 && text[length] == '\0' && !is_made;
}

size_t harness_cursor_label(struct harness_cursor *cursor)
{
    const size_t length = identifier_length(cursor);
    if (length == 0 || cursor->at + length == cursor->end || cursor->at[length] != ':')
        return 0;
    cursor->at += length + 1;
    return length;
}

bool harness_cursor_skip(struct harness_cursor *cursor, const char *text)
{
    const size_t length = strlen(text);
    if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, text, length) != 0)
        return false;
    cursor->at += length;
    skip_blanks(cursor);
    return true;
}

bool harness_cursor_comma(struct harness_cursor *cursor)
{
    return harness_cursor_skip(cursor, ",") || harness_cursor_expected(cursor, cursor->at, "','");
}

bool harness_cursor_end_of_line(struct harness_cursor *cursor)
{
    skip_comment(cursor);
    if (cursor->at == cursor->end || *cursor->at == '\n')
        return true;
    return harness_cursor_expected(cursor, cursor->at, "the end of the line");
}

size_t harness_cursor_word(struct harness_cursor *cursor)
{
    const size_t length = identifier_length(cursor);
    cursor->at += length;
    skip_blanks(cursor);
    return length;
}

bool harness_cursor_number(struct harness_cursor *cursor, uint32_t *value)
{
    const char *at = cursor->at;
    const bool hexadecimal = cursor->end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    const uint32_t base = hexadecimal ? 16 : 10;
    uint64_t number = 0;
    at += hexadecimal ? 2 : 0;
    const char *const first = at;
    while (at < cursor->end && harness_digit(*at) < base && number <= UINT32_MAX)
        number = number * base + harness_digit(*at++);
    if (at == first || number > UINT32_MAX || (at < cursor->end && (is_letter(*at) || is_digit(*at))))
        return false;
    *value = (uint32_t)number;
    cursor->at = at;
    skip_blanks(cursor);
    return true;
}

/* ------------------------------------------------------------------------------------------------------- registers */

static uint32_t component_index(char c)
{
    return c == 'x' ? 0u : c == 'y' ? 1u : c == 'z' ? 2u : c == 'w' ? 3u : 4u;
}

/* ".xyz": a mask if the letters rise, a swizzle with the last letter repeated; "._" is the empty mask. */
static bool parse_suffix(struct harness_cursor *cursor, struct harness_operand *out)
{
    const char *const start = cursor->at;
    uint32_t letters[4];
    uint32_t count = 0;
    if (harness_cursor_skip(cursor, "._")) {
        out->suffix_is_mask = true;
        out->suffix_is_swizzle = false;
        out->mask = 0;
        return true;
    }
    cursor->at++;
    while (count < 4 && cursor->at < cursor->end && component_index(*cursor->at) < 4)
        letters[count++] = component_index(*cursor->at++);
    const bool goes_on = cursor->at < cursor->end && (is_letter(*cursor->at) || is_digit(*cursor->at));
    if (count == 0 || goes_on)
        return harness_cursor_expected(cursor, start, "1 to 4 of the letters x y z w");
    out->mask = 0;
    out->selectors = 0;
    out->suffix_is_mask = true;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t letter = letters[i < count ? i : count - 1];
        out->selectors = out->selectors << 2 | letter;
        if (i >= count)
            continue;
        out->mask |= 8u >> letter;
        out->suffix_is_mask = out->suffix_is_mask && (i == 0 || letters[i - 1] < letter);
    }
    skip_blanks(cursor);
    return true;
}

/* "[a0.x+2]", "[aL]", "[5]"; also "5[a0.x]" arrives here with the number already read. */
static bool parse_index(struct harness_cursor *cursor, struct harness_operand *out)
{
    const char *const start = cursor->at - 1;
    uint32_t extra = 0;
    bool complete = true;
    if (harness_cursor_skip(cursor, "a0.x"))
        out->relative = PICA_SHADER_RELATIVE_A0_X;
    else if (harness_cursor_skip(cursor, "a0.y"))
        out->relative = PICA_SHADER_RELATIVE_A0_Y;
    else if (harness_cursor_skip(cursor, "aL") || harness_cursor_skip(cursor, "al"))
        out->relative = PICA_SHADER_RELATIVE_AL;
    else
        complete = harness_cursor_number(cursor, &extra);
    if (complete && out->relative != PICA_SHADER_RELATIVE_NONE && harness_cursor_skip(cursor, "+"))
        complete = harness_cursor_number(cursor, &extra);
    if (!complete || cursor->at == cursor->end || *cursor->at != ']')
        return harness_cursor_expected(cursor, start, "an index like [a0.x+2]");
    cursor->at++;
    out->number = extra > 95 ? 96 : out->number + extra;
    return true;
}

/* The digits right after a bank letter, without skipping blanks. */
static bool parse_digits(struct harness_cursor *cursor, uint32_t *number)
{
    const char *const start = cursor->at;
    *number = 0;
    while (cursor->at < cursor->end && is_digit(*cursor->at) && *number < 1000)
        *number = *number * 10 + (uint32_t)(*cursor->at++ - '0');
    return cursor->at > start;
}

static uint32_t largest_number(char bank)
{
    return bank == 'c' ? 95 : bank == 'a' ? 0 : 15;
}

bool harness_operand_parse(struct harness_cursor *cursor, struct harness_operand *out)
{
    *out = (struct harness_operand){ .start = cursor->at,
                                     .suffix_is_mask = true,
                                     .suffix_is_swizzle = true,
                                     .mask = 0xF,
                                     .selectors = HARNESS_IDENTITY_SELECTORS };
    out->negate = harness_cursor_skip(cursor, "-");
    if (cursor->at == cursor->end || strchr("ovrca", *cursor->at) == NULL || *cursor->at == '\0')
        return harness_cursor_expected(cursor, out->start, "a register");
    out->bank = *cursor->at++;
    const bool numbered = parse_digits(cursor, &out->number);
    const bool indexed = out->bank == 'c' && cursor->at < cursor->end && *cursor->at == '[';
    if (indexed) {
        cursor->at++;
        if (!parse_index(cursor, out))
            return false;
    }
    const bool goes_on = cursor->at < cursor->end && (is_letter(*cursor->at) || is_digit(*cursor->at));
    if ((!numbered && !indexed) || goes_on || out->number > largest_number(out->bank))
        return harness_cursor_expected(cursor, out->start, "a register o0-o15, v0-v15, r0-r15, c0-c95 or a0");
    if (cursor->at < cursor->end && *cursor->at == '.')
        return parse_suffix(cursor, out);
    skip_blanks(cursor);
    return true;
}

bool harness_compare_flag_parse(struct harness_cursor *cursor, char *component, bool *wanted)
{
    const char *const start = cursor->at;
    *wanted = !harness_cursor_skip(cursor, "!");
    if (harness_cursor_skip(cursor, "cmp.x"))
        *component = 'x';
    else if (harness_cursor_skip(cursor, "cmp.y"))
        *component = 'y';
    else
        return harness_cursor_expected(cursor, start, "cmp.x, cmp.y, !cmp.x or !cmp.y");
    return true;
}

bool harness_numbered_parse(struct harness_cursor *cursor, char bank, uint32_t most, uint32_t *number)
{
    const char *const start = cursor->at;
    if (cursor->at < cursor->end && *cursor->at == bank) {
        cursor->at++;
        if (harness_cursor_number(cursor, number) && *number <= most)
            return true;
    }
    return harness_cursor_expected(cursor, start, bank == 'b' ? "a boolean b0-b15" : "an integer i0-i3");
}

bool harness_operator_parse(struct harness_cursor *cursor, uint32_t *value)
{
    size_t count;
    const struct pica_enum_value *const values = pica_enum_values(PICA_ENUM_SHADER_COMPARE, &count);
    const char *const start = cursor->at;
    for (size_t i = 0; i < count; i++)
        if (harness_cursor_skip(cursor, values[i].text)) {
            *value = values[i].value;
            return true;
        }
    return harness_cursor_expected(cursor, start, "a comparison eq ne lt le gt ge true-6 true-7");
}
