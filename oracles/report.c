#include "oracles/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *oracle_verdict_name(enum oracle_verdict verdict)
{
    switch (verdict) {
    case ORACLE_AGREE: return "agree";
    case ORACLE_VACUOUS: return "vacuous";
    case ORACLE_REFUSED: return "not tested";
    case ORACLE_DIVERGE_UNDEFINED: return "diverge (undefined)";
    case ORACLE_DIVERGE: return "diverge";
    case ORACLE_HANG: return "hang";
    case ORACLE_CRASH: return "crash";
    }
    return "unknown"; /* not reached: all enumerators are named */
}

static void append(char *text, size_t size, const char *format, va_list arguments)
{
    const size_t used = strlen(text);
    if (used + 1 < size)
        (void)vsnprintf(text + used, size - used, format, arguments);
}

void oracle_key(struct oracle_report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(report->key, sizeof report->key, format, arguments);
    va_end(arguments);
}

void oracle_say(struct oracle_report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(report->message, sizeof report->message, format, arguments);
    va_end(arguments);
}
