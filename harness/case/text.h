/* A growing piece of text (or bytes); { 0 } is an empty one. After a failed allocation everything is ignored and
 * `failed` stays true. */
#ifndef HARNESS_TEXT_H
#define HARNESS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct harness_text {
    char *data; /* always followed by a 0 byte once something was added */
    size_t size;
    size_t capacity;
    bool failed;
};

void harness_text_free(struct harness_text *text);
void harness_text_clear(struct harness_text *text); /* keeps the memory */

void harness_text_add(struct harness_text *text, const char *string);
void harness_text_bytes(struct harness_text *text, const void *bytes, size_t size);
void harness_text_word(struct harness_text *text, uint32_t word); /* four bytes, the lowest first */
void harness_text_format(struct harness_text *text, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Appends four spaces for each level. */
void harness_text_indent(struct harness_text *text, uint32_t levels);

/* The text, "" if nothing was added. */
const char *harness_text_string(const struct harness_text *text);

/* Why a text that should be plain UTF-8 is not, in words: it begins with a byte-order mark, or is UTF-16, as some
 * editors write it. NULL if neither. */
const char *harness_mark_of(const void *text, size_t size);

/* The length in bytes of the character at `text` if it must not be shown: a control character other than newline and
 * tab (U+0080 to U+009F too: a terminal obeys them), a mark that changes the direction of what follows (U+061C, U+200E,
 * U+200F, U+202A to U+202E, U+2066 to U+2069), or what XML must not contain (U+FFFE, U+FFFF). 0 if it may be shown. */
size_t harness_hidden(const char *text);

/* Replaces each byte of characters that must not be shown by '?', in place. */
void harness_tame(char *text);

/* Replaces each byte that is not part of valid UTF-8 (RFC 3629: no truncated or overlong sequence, no surrogate,
 * nothing above U+10FFFF) by '?', in place. Names of files and the output of programs may be any bytes; JSON and pages
 * may not. */
void harness_make_utf8(char *text);

/* Appends a word as a shell takes it, in quotes if it needs them. */
void harness_text_shell(struct harness_text *out, const char *word);

#endif
