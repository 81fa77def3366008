#include "harness/console/words.h"

#include "pica/regs.h"

#include <stdlib.h>
#include <string.h>

void console_words_free(struct console_words *words)
{
    free(words->items);
    *words = (struct console_words){ .items = NULL };
}

static bool reserve(struct console_words *words, size_t count)
{
    if (words->failed || count <= words->capacity - words->count)
        return !words->failed;
    size_t capacity = words->capacity == 0 ? 256 : words->capacity;
    while (capacity - words->count < count)
        capacity *= 2;
    uint32_t *const items = realloc(words->items, capacity * sizeof *items);
    words->failed = items == NULL;
    if (items != NULL) {
        words->items = items;
        words->capacity = capacity;
    }
    return items != NULL;
}

void console_words_add(struct console_words *words, const uint32_t *items, size_t count)
{
    if (count == 0 || !reserve(words, count))
        return;
    if (items != NULL)
        memcpy(words->items + words->count, items, count * sizeof *items);
    else
        memset(words->items + words->count, 0, count * sizeof *items);
    words->count += count;
}

void console_words_put(struct console_words *words, uint32_t word)
{
    console_words_add(words, &word, 1);
}

void console_words_burst(struct console_words *words, uint32_t id, bool consecutive, const uint32_t *values,
                         uint32_t count)
{
    console_words_put(words, values[0]);
    console_words_put(words, id | 0xFu << 16 | (count - 1) << 20 | (consecutive ? 0x80000000u : 0));
    console_words_add(words, values + 1, count - 1);
    if (count % 2 == 0)
        console_words_put(words, 0); /* the next command begins at an even word */
}

void console_words_write(struct console_words *words, uint32_t id, uint32_t value)
{
    console_words_burst(words, id, false, &value, 1);
}

void console_words_finalize(struct console_words *words)
{
    do {
        console_words_write(words, PICA_REG_FINALIZE, 0x12345678);
    } while (!words->failed && words->count % 4 != 0);
}
