#include "harness/cli/print.h"

#include <stdlib.h>

/* A terminal obeys control characters, also those of two bytes in UTF-8 (C2 80 to C2 9F): none but newline and tab get
 * there. */
static void tame(char *text)
{
    for (char *c = text; *c != '\0'; c++) {
        const unsigned char byte = (unsigned char)*c, next = (unsigned char)c[1];
        if ((byte < 0x20 && *c != '\n' && *c != '\t') || byte == 0x7F)
            *c = '?';
        else if (byte == 0xC2 && next >= 0x80 && next <= 0x9F)
            c[0] = c[1] = '?';
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
