/* Tokens of the text form. One token of look-ahead; comments are kept beside the token that follows them. */
#ifndef HARNESS_LEXER_H
#define HARNESS_LEXER_H

#include "harness/case/case.h"

enum harness_token_kind {
    HARNESS_TOKEN_END = 0,
    HARNESS_TOKEN_WORD = 1,   /* letters, digits, _ . + - */
    HARNESS_TOKEN_STRING = 2, /* "..." on one line */
    HARNESS_TOKEN_SIGN = 3    /* { } = , : * | */
};

struct harness_token {
    enum harness_token_kind kind;
    const char *text;
    size_t length;
    uint32_t line;
    uint32_t column; /* from 1 */
};

struct harness_lexer {
    struct harness_token token; /* the current one */
    const char *at;             /* after it */
    const char *end;
    const char *line_start;
    uint32_t line;
    const char *name;
    struct harness_error *error;
    const char *comment; /* first '#' of the comment lines right before the token, or NULL */
    const char *comment_end;
    bool bad; /* a character that belongs to no token; the message is written */
};

/* Reads the first token. */
void harness_lexer_init(struct harness_lexer *lexer, const char *text, size_t size, const char *name,
                        struct harness_error *error);

/* On to the next token. At the end, or after a bad character, the token stays END. */
void harness_lexer_next(struct harness_lexer *lexer);

/* Message "name:line:column: expected X, found Y" at the current token; returns false. */
bool harness_lexer_expected(struct harness_lexer *lexer, const char *what);
/* The same at a token that was passed already. */
bool harness_lexer_expected_at(struct harness_lexer *lexer, const struct harness_token *token, const char *what);

bool harness_lexer_is_sign(const struct harness_lexer *lexer, char sign);
bool harness_lexer_is_word(const struct harness_lexer *lexer, const char *word);

/* If the token is that, goes past it. */
bool harness_lexer_skip_sign(struct harness_lexer *lexer, char sign);
bool harness_lexer_skip_word(struct harness_lexer *lexer, const char *word);

/* The same, or a message. */
bool harness_lexer_sign(struct harness_lexer *lexer, char sign);

/* Copies the current WORD, cut to `size` - 1 bytes, and goes past it; false with a message if it is none or longer. */
bool harness_lexer_word(struct harness_lexer *lexer, char *out, size_t size, const char *what);

/* A number up to `most`, with 0x or decimal. */
bool harness_lexer_number(struct harness_lexer *lexer, uint64_t most, uint64_t *value, const char *what);
bool harness_lexer_u32(struct harness_lexer *lexer, uint32_t *value, const char *what);

/* With '{' as the current token: the raw text after it up to the first '}' outside comments; the token after that
 * becomes the current one. `line` is the number of the first line of it. */
bool harness_lexer_raw_block(struct harness_lexer *lexer, const char **text, size_t *size, uint32_t *line);

/* The comment before the current token, copied into the arena; *out = NULL if there is none. False without memory. */
bool harness_lexer_comment(struct harness_lexer *lexer, struct harness_case *test_case, const char **out);

#endif
