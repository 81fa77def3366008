/* Parsers for the pieces of a line of shader assembly. They return false after writing a message. */
#ifndef HARNESS_SHADER_OPERAND_H
#define HARNESS_SHADER_OPERAND_H

#include "harness/case/shader_asm.h"
#include "harness/case/shader_fields.h"

struct harness_cursor {
    const char *at;
    const char *end;
    const char *line_start;
    uint32_t line;
    const char *name;
    struct harness_error *error;
};

void harness_cursor_init(struct harness_cursor *cursor, const struct harness_shader_source *source,
                         struct harness_error *error);

/* Message "name:line:column: expected X, found Y" for the text at `place` (in the current line); returns false. */
bool harness_cursor_expected(struct harness_cursor *cursor, const char *place, const char *what);

/* Skips blanks, comments and line ends up to the next label or instruction; false at the end of the text. */
bool harness_cursor_next_item(struct harness_cursor *cursor);

/* Length of the "name" of a "name:" at the cursor, which it then passes; 0 and no move if there is none. */
size_t harness_cursor_label(struct harness_cursor *cursor);

/* Each of the following skips blanks afterwards. */
bool harness_cursor_skip(struct harness_cursor *cursor, const char *text); /* passes `text` if it stands here */
bool harness_cursor_comma(struct harness_cursor *cursor);
bool harness_cursor_end_of_line(struct harness_cursor *cursor);             /* only a comment may follow */
size_t harness_cursor_word(struct harness_cursor *cursor);                  /* length of the identifier passed, or 0 */
bool harness_cursor_number(struct harness_cursor *cursor, uint32_t *value); /* no message, no move if there is none */

/* A register with sign and suffix. The suffix is a mask, a swizzle, both or neither by its letters. */
struct harness_operand {
    const char *start;
    char bank; /* o v r c a */
    uint32_t number;
    uint32_t relative; /* enum pica_shader_relative */
    bool negate;
    bool suffix_is_mask;
    bool suffix_is_swizzle;
    uint32_t mask;
    uint32_t selectors;
};

bool harness_operand_parse(struct harness_cursor *cursor, struct harness_operand *out);

/* "cmp.x", "!cmp.y" */
bool harness_compare_flag_parse(struct harness_cursor *cursor, char *component, bool *wanted);

/* "b3", "i1" */
bool harness_numbered_parse(struct harness_cursor *cursor, char bank, uint32_t most, uint32_t *number);

/* "gt", ... (SHD-31) */
bool harness_operator_parse(struct harness_cursor *cursor, uint32_t *value);

#endif
