#include "oracles/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *oracle_verdict_name(enum oracle_verdict verdict)
{
    switch (verdict) {
    case ORACLE_AGREE: return "agree";
    case ORACLE_VACUOUS: return "vacuous";
    case ORACLE_REFUSED: return "refused";
    case ORACLE_DIVERGE_UNDEFINED: return "diverge (undefined)";
    case ORACLE_DIVERGE: return "diverge";
    case ORACLE_HANG: return "hang";
    case ORACLE_CRASH: return "crash";
    }
    return "unknown"; /* not reached: all enumerators are named */
}

void oracle_say(struct oracle_report *report, const char *format, ...)
{
    const size_t used = strlen(report->message);
    if (used + 1 >= sizeof report->message)
        return;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(report->message + used, sizeof report->message - used, format, arguments);
    va_end(arguments);
}
