/* A growing piece of text (or bytes). After a failed allocation everything is ignored and `failed` stays true. */
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

void harness_text_init(struct harness_text *text);
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

/* The text, "" if nothing was added. */
const char *harness_text_string(const struct harness_text *text);

/* What an editor put in front of a text that is to be plain UTF-8, in words: a byte-order mark, or UTF-16. NULL:
 * nothing. */
const char *harness_mark_of(const void *text, size_t size);

/* Bytes of the character that begins there if it is not to be shown: a control character but newline and tab (U+0080 to
 * U+009F, too: a terminal obeys them), a mark that turns the direction of what follows (U+061C, U+200E, U+200F, U+202A
 * to U+202E, U+2066 to U+2069), or what XML may not hold (U+FFFE, U+FFFF). 0: it may be shown. */
size_t harness_hidden(const char *text);

/* In place: each byte of what is not to be shown becomes '?'. */
void harness_tame(char *text);

/* In place: each byte that is no part of valid UTF-8 (RFC 3629: not cut, no longer than it need be, no surrogate,
 * nor above U+10FFFF) becomes '?'. Names of files and what programs say may be any bytes; JSON and pages may not. */
void harness_make_utf8(char *text);

/* Appends a word as a shell takes it: in quotes if it has to be. */
void harness_text_shell(struct harness_text *out, const char *word);

#endif
