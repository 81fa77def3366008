#include "harness/case/lexer.h"
#include "harness/case/field_text.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_word_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '+' || c == '-';
}

static void pass_line_end(struct harness_lexer *lexer)
{
    lexer->at++;
    lexer->line++;
    lexer->line_start = lexer->at;
}

static void pass_line_rest(struct harness_lexer *lexer)
{
    while (lexer->at < lexer->end && *lexer->at != '\n')
        lexer->at++;
}

/* Blanks, line ends, remarks (';') and comments ('#'). A comment after a token on its line is dropped. */
static void pass_space(struct harness_lexer *lexer)
{
    bool own_line = lexer->at == lexer->line_start;
    lexer->comment = NULL;
    lexer->comment_end = NULL;
    for (; lexer->at < lexer->end; own_line = own_line || lexer->at == lexer->line_start) {
        if (*lexer->at == '\n') {
            pass_line_end(lexer);
        } else if (is_blank(*lexer->at)) {
            lexer->at++;
        } else if (*lexer->at == '#' || *lexer->at == ';') {
            const char *const start = lexer->at;
            pass_line_rest(lexer);
            if (*start == '#' && own_line) {
                lexer->comment = lexer->comment == NULL ? start : lexer->comment;
                lexer->comment_end = lexer->at;
            }
        } else {
            return;
        }
    }
}

static void take(struct harness_lexer *lexer, enum harness_token_kind kind, size_t length)
{
    lexer->token.kind = kind;
    lexer->token.length = length;
    lexer->at += length;
}

/* Length of the string with both quotes, or 0 if it does not end on its line. */
static size_t string_length(const struct harness_lexer *lexer)
{
    const char *at = lexer->at + 1;
    while (at < lexer->end && *at != '"' && *at != '\n')
        at += *at == '\\' && at + 1 < lexer->end && at[1] != '\n' ? 2 : 1;
    return at < lexer->end && *at == '"' ? (size_t)(at - lexer->at) + 1 : 0;
}

static void fail_character(struct harness_lexer *lexer, const char *what)
{
    lexer->bad = true;
    (void)harness_fail(lexer->error, HARNESS_BAD_INPUT, "%.200s:%u:%u: expected %s, found byte 0x%02X", lexer->name,
                       lexer->token.line, lexer->token.column, what, (unsigned)(unsigned char)*lexer->at);
    lexer->at = lexer->end;
    lexer->token.kind = HARNESS_TOKEN_END;
    lexer->token.length = 0;
}

void harness_lexer_next(struct harness_lexer *lexer)
{
    pass_space(lexer);
    lexer->token.text = lexer->at;
    lexer->token.line = lexer->line;
    lexer->token.column = (uint32_t)(lexer->at - lexer->line_start) + 1;
    lexer->token.kind = HARNESS_TOKEN_END;
    lexer->token.length = 0;
    if (lexer->at == lexer->end)
        return;
    size_t length = 0;
    while (lexer->at + length < lexer->end && is_word_character(lexer->at[length]))
        length++;
    if (length != 0) {
        take(lexer, HARNESS_TOKEN_WORD, length);
    } else if (*lexer->at == '"') {
        length = string_length(lexer);
        if (length != 0)
            take(lexer, HARNESS_TOKEN_STRING, length);
        else
            fail_character(lexer, "a string that ends on its line");
    } else if (*lexer->at != '\0' && strchr("{}=,:*|", *lexer->at) != NULL) {
        take(lexer, HARNESS_TOKEN_SIGN, 1);
    } else {
        fail_character(lexer, "a word, a string or one of { } = , : * |");
    }
}

void harness_lexer_init(struct harness_lexer *lexer, const char *text, size_t size, const char *name,
                        struct harness_error *error)
{
    *lexer = (struct harness_lexer){
        .at = text, .end = text + size, .line_start = text, .line = 1, .name = name, .error = error
    };
    harness_lexer_next(lexer);
}

bool harness_lexer_expected(struct harness_lexer *lexer, const char *what)
{
    if (lexer->bad)
        return false;
    const size_t length = lexer->token.length < 40 ? lexer->token.length : 40;
    char found[48] = "the end of the file";
    const bool is_end = lexer->token.kind == HARNESS_TOKEN_END;
    if (!is_end) {
        memcpy(found, lexer->token.text, length);
        found[length] = '\0';
    }
    (void)harness_fail(lexer->error, HARNESS_BAD_INPUT, "%.200s:%u:%u: expected %.319s, found %s%s%s", lexer->name,
                       lexer->token.line, lexer->token.column, what, is_end ? "" : "'", found, is_end ? "" : "'");
    return false;
}

bool harness_lexer_expected_at(struct harness_lexer *lexer, const struct harness_token *token, const char *what)
{
    lexer->token = *token;
    return harness_lexer_expected(lexer, what);
}

bool harness_lexer_is_sign(const struct harness_lexer *lexer, char sign)
{
    return lexer->token.kind == HARNESS_TOKEN_SIGN && *lexer->token.text == sign;
}

bool harness_lexer_is_word(const struct harness_lexer *lexer, const char *word)
{
    return lexer->token.kind == HARNESS_TOKEN_WORD && lexer->token.length == strlen(word) &&
           memcmp(lexer->token.text, word, lexer->token.length) == 0;
}

bool harness_lexer_skip_sign(struct harness_lexer *lexer, char sign)
{
    const bool found = harness_lexer_is_sign(lexer, sign);
    if (found)
        harness_lexer_next(lexer);
    return found;
}

bool harness_lexer_skip_word(struct harness_lexer *lexer, const char *word)
{
    const bool found = harness_lexer_is_word(lexer, word);
    if (found)
        harness_lexer_next(lexer);
    return found;
}

bool harness_lexer_sign(struct harness_lexer *lexer, char sign)
{
    const char what[4] = { '\'', sign, '\'', '\0' };
    return harness_lexer_skip_sign(lexer, sign) || harness_lexer_expected(lexer, what);
}

bool harness_lexer_word(struct harness_lexer *lexer, char *out, size_t size, const char *what)
{
    if (lexer->token.kind != HARNESS_TOKEN_WORD || lexer->token.length >= size)
        return harness_lexer_expected(lexer, what);
    memcpy(out, lexer->token.text, lexer->token.length);
    out[lexer->token.length] = '\0';
    harness_lexer_next(lexer);
    return true;
}

bool harness_lexer_number(struct harness_lexer *lexer, uint64_t most, uint64_t *value, const char *what)
{
    char text[32];
    if (lexer->token.kind != HARNESS_TOKEN_WORD || lexer->token.length >= sizeof text)
        return harness_lexer_expected(lexer, what);
    memcpy(text, lexer->token.text, lexer->token.length);
    text[lexer->token.length] = '\0';
    if (!harness_number_parse(text, most, value))
        return harness_lexer_expected(lexer, what);
    harness_lexer_next(lexer);
    return true;
}

bool harness_lexer_u32(struct harness_lexer *lexer, uint32_t *value, const char *what)
{
    uint64_t wide;
    if (!harness_lexer_number(lexer, UINT32_MAX, &wide, what))
        return false;
    *value = (uint32_t)wide;
    return true;
}

bool harness_lexer_raw_block(struct harness_lexer *lexer, const char **text, size_t *size, uint32_t *line)
{
    if (!harness_lexer_is_sign(lexer, '{'))
        return harness_lexer_expected(lexer, "'{'");
    *text = lexer->at;
    *line = lexer->line;
    while (lexer->at < lexer->end && *lexer->at != '}') {
        if (*lexer->at == ';' || *lexer->at == '#')
            pass_line_rest(lexer);
        else if (*lexer->at == '\n')
            pass_line_end(lexer);
        else
            lexer->at++;
    }
    *size = (size_t)(lexer->at - *text);
    const bool closed = lexer->at < lexer->end;
    if (closed)
        lexer->at++;
    harness_lexer_next(lexer);
    return closed || harness_lexer_expected(lexer, "'}'");
}

/* One line of a comment without its "# ". */
static const char *line_of_comment(const char *at, const char *end, const char **line_end)
{
    while (at < end && *at != '#')
        at++;
    at += at < end ? 1 : 0;
    at += at < end && *at == ' ' ? 1 : 0;
    *line_end = at;
    while (*line_end < end && **line_end != '\n')
        *line_end += 1;
    return at;
}

/* The '#' that begins the next comment line at or after `at`, passing remarks; NULL if there is none. */
static const char *next_comment(const char *at, const char *end)
{
    while (at < end && *at != '#') {
        if (*at == ';')
            while (at < end && *at != '\n')
                at++;
        else
            at++;
    }
    return at < end ? at : NULL;
}

bool harness_lexer_comment(struct harness_lexer *lexer, struct harness_case *test_case, const char **out)
{
    char text[HARNESS_MAX_TEXT + 1];
    size_t length = 0;
    *out = NULL;
    const char *at = lexer->comment;
    for (bool first = true; at != NULL; first = false) {
        const char *line_end;
        const char *from = line_of_comment(at, lexer->comment_end, &line_end);
        if (!first && length < HARNESS_MAX_TEXT)
            text[length++] = '\n';
        for (; from < line_end && length < HARNESS_MAX_TEXT; from++)
            text[length++] = (unsigned char)*from < 0x20 ? ' ' : *from;
        at = next_comment(line_end, lexer->comment_end);
    }
    if (lexer->comment == NULL)
        return true;
    *out = harness_arena_text(&test_case->arena, text, length);
    return *out != NULL;
}
