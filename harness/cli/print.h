/* Printing what others wrote: names of files, words of cases, of plug-ins, of saved files, of the command line. */
#ifndef HARNESS_CLI_PRINT_H
#define HARNESS_CLI_PRINT_H

#include <stdarg.h>
#include <stdio.h>

/* Prints what may hold words of others: control characters but newline and tab, and marks of direction, as '?'. EOF if
 * it cannot be written. */
int cli_print(FILE *to, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Prints each line of the text on stdout, behind `indent`. */
void cli_print_lines(const char *indent, const char *text);

/* cli_print with a list of arguments, which it uses up. */
int cli_print_list(FILE *to, const char *format, va_list arguments)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 0)))
#endif
    ;

#endif
