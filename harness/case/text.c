#include "harness/case/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void harness_text_init(struct harness_text *text)
{
    *text = (struct harness_text){ 0 };
}

void harness_text_free(struct harness_text *text)
{
    free(text->data);
    harness_text_init(text);
}

void harness_text_clear(struct harness_text *text)
{
    text->size = 0;
    text->failed = false;
    if (text->data != NULL)
        text->data[0] = '\0';
}

/* Room for `more` bytes and a final 0. */
static bool reserve(struct harness_text *text, size_t more)
{
    if (text->failed || more > SIZE_MAX / 4 || text->size > SIZE_MAX / 4) {
        text->failed = true;
        return false;
    }
    if (text->capacity - text->size > more)
        return true;
    size_t capacity = text->capacity < 256 ? 256 : text->capacity * 2;
    if (capacity < text->size + more + 1)
        capacity = text->size + more + 1;
    char *const data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void harness_text_bytes(struct harness_text *text, const void *bytes, size_t size)
{
    if (!reserve(text, size))
        return;
    if (size != 0)
        memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void harness_text_add(struct harness_text *text, const char *string)
{
    harness_text_bytes(text, string, strlen(string));
}

void harness_text_format(struct harness_text *text, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length < 0)
        text->failed = true;
    else if ((size_t)length < sizeof line)
        harness_text_bytes(text, line, (size_t)length);
    else if (reserve(text, (size_t)length)) {
        (void)vsnprintf(text->data + text->size, (size_t)length + 1, format, again);
        text->size += (size_t)length;
    }
    va_end(again);
}

const char *harness_text_string(const struct harness_text *text)
{
    return text->data == NULL ? "" : text->data;
}
