/* A growing array of 32-bit words: lists, commands, payloads. After a failed allocation everything is ignored and
 * `failed` stays true. */
#ifndef HARNESS_CONSOLE_WORDS_H
#define HARNESS_CONSOLE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct console_words {
    uint32_t *items;
    size_t count, capacity;
    bool failed;
};

void console_words_free(struct console_words *words);

/* Appends; `items` NULL: zeros. */
void console_words_add(struct console_words *words, const uint32_t *items, size_t count);
void console_words_put(struct console_words *words, uint32_t word);

/* Appends a command of a list that writes `count` (1-256) words (CMD-01, CMD-02): to `id` each, or to ids one after
 * another. */
void console_words_burst(struct console_words *words, uint32_t id, bool consecutive, const uint32_t *values,
                         uint32_t count);
void console_words_write(struct console_words *words, uint32_t id, uint32_t value);

/* FINALIZE, and once more if that is needed for a multiple of 16 bytes (CON-42). */
void console_words_finalize(struct console_words *words);

#endif
