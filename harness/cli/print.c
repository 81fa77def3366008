#include "harness/cli/print.h"

#include "harness/case/text.h"

#include <stdlib.h>

int cli_print_list(FILE *to, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *const text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    int written = EOF;
    if (text != NULL) {
        (void)vsnprintf(text, (size_t)length + 1, format, again);
        harness_tame(text);
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
