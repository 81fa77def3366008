#include "harness/case/text.h"
#include "harness/case/little.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void harness_text_free(struct harness_text *text)
{
    free(text->data);
    *text = (struct harness_text){ 0 };
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

void harness_text_word(struct harness_text *text, uint32_t word)
{
    uint8_t bytes[4];
    (void)harness_store32(bytes, word);
    harness_text_bytes(text, bytes, sizeof bytes);
}

void harness_text_add(struct harness_text *text, const char *string)
{
    harness_text_bytes(text, string, strlen(string));
}

void harness_text_indent(struct harness_text *text, uint32_t levels)
{
    for (uint32_t i = 0; i < levels; i++)
        harness_text_add(text, "    ");
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

/* The length of the character at `text`, 0 if none begins there. RFC 3629 has narrower ranges for the second byte. */
static size_t utf8_length(const unsigned char *text)
{
    const unsigned char first = text[0];
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    const size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    const unsigned char least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (text[1] < least || text[1] > most)
        return 0;
    for (size_t i = 2; i < length; i++) /* ends at the final 0, which is no continuation */
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

void harness_make_utf8(char *text)
{
    while (*text != '\0') {
        const size_t length = utf8_length((const unsigned char *)text);
        if (length == 0)
            *text = '?';
        text += length != 0 ? length : 1;
    }
}

size_t harness_hidden(const char *text)
{
    const unsigned char *const c = (const unsigned char *)text;
    if ((c[0] < 0x20 && c[0] != '\n' && c[0] != '\t') || c[0] == 0x7F)
        return 1;
    if ((c[0] == 0xC2 && c[1] >= 0x80 && c[1] <= 0x9F) || (c[0] == 0xD8 && c[1] == 0x9C))
        return 2;
    const bool turns =
        c[0] == 0xE2 && ((c[1] == 0x80 && (c[2] == 0x8E || c[2] == 0x8F || (c[2] >= 0xAA && c[2] <= 0xAE))) ||
                         (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9));
    const bool is_none = c[0] == 0xEF && c[1] == 0xBF && c[2] >= 0xBE;
    return turns || is_none ? 3 : 0;
}

void harness_tame(char *text)
{
    while (*text != '\0') {
        const size_t length = harness_hidden(text);
        for (size_t i = 0; i < length; i++)
            text[i] = '?';
        text += length != 0 ? length : 1;
    }
}

const char *harness_mark_of(const void *text, size_t size)
{
    const unsigned char *const bytes = text;
    if (size >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF)
        return "a byte-order mark (EF BB BF)";
    if (size < 2)
        return NULL;
    const bool has_mark = (bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF);
    return has_mark || (bytes[0] == 0) != (bytes[1] == 0) ? "UTF-16" : NULL;
}

void harness_text_shell(struct harness_text *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,+=@%-";
    if (strspn(word, plain) == strlen(word) && word[0] != '\0') {
        harness_text_add(out, word);
        return;
    }
    harness_text_add(out, "'");
    for (; *word != '\0'; word++)
        harness_text_format(out, *word == '\'' ? "'\\''" : "%c", *word);
    harness_text_add(out, "'");
}
