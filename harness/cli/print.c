#include "harness/cli/print.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* How many bytes a terminal would obey here: a control character but newline and tab, also those of two bytes in UTF-8
 * (C2 80 to C2 9F), and marks that turn the direction of what follows (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066
 * to U+2069). 0: none. */
static size_t obeyed(const unsigned char *c)
{
    if ((c[0] < 0x20 && c[0] != '\n' && c[0] != '\t') || c[0] == 0x7F)
        return 1;
    if ((c[0] == 0xC2 && c[1] >= 0x80 && c[1] <= 0x9F) || (c[0] == 0xD8 && c[1] == 0x9C))
        return 2;
    if (c[0] != 0xE2)
        return 0;
    const bool turns = (c[1] == 0x80 && (c[2] == 0x8E || c[2] == 0x8F || (c[2] >= 0xAA && c[2] <= 0xAE))) ||
                       (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9);
    return turns ? 3 : 0;
}

/* Each such byte is seen as '?'. */
static void tame(char *text)
{
    while (*text != '\0') {
        const size_t length = obeyed((const unsigned char *)text);
        for (size_t i = 0; i < length; i++)
            text[i] = '?';
        text += length != 0 ? length : 1;
    }
}

int cli_print_list(FILE *to, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *const text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    int written = EOF;
    if (text != NULL) {
        (void)vsnprintf(text, (size_t)length + 1, format, again);
        tame(text);
        written = fputs(text, to);
    }
    free(text);
    va_end(again);
    return written;
}

int cli_print(FILE *to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int written = cli_print_list(to, format, arguments);
    va_end(arguments);
    return written;
}
