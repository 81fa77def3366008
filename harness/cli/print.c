#include "harness/cli/print.h"

#include "harness/case/text.h"

#include <stdlib.h>
#include <string.h>

int cli_print_list(FILE *to, const char *format, va_list arguments)
{
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        return EOF;
    harness_tame(text);
    const int written = fputs(text, to);
    free(text);
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

void cli_print_lines(const char *indent, const char *text)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        cli_print(stdout, "%s%.*s\n", indent, (int)length, text);
        text += length + (text[length] == '\n');
    }
}
