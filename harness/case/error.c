#include "harness/case/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum harness_status harness_fail(struct harness_error *error, enum harness_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(error->message, sizeof error->message, format, arguments) < 0)
        error->message[0] = '\0';
    va_end(arguments);
    return status;
}

enum harness_status harness_fail_memory(struct harness_error *error)
{
    return harness_fail(error, HARNESS_NO_MEMORY, "the host gave no memory");
}

void harness_error_prefix(struct harness_error *error, const char *prefix)
{
    if (error == NULL)
        return;
    struct harness_error old = *error;
    /* Both parts are cut rather than overflow; half a line is kept for the message. */
    (void)snprintf(error->message, sizeof error->message, "%.240s: %.268s", prefix, old.message);
}

void harness_error_suggest(struct harness_error *error, const char *near)
{
    const size_t length = error != NULL ? strlen(error->message) : 0;
    if (error != NULL && near != NULL)
        (void)snprintf(error->message + length, sizeof error->message - length, "; did you mean %s?", near);
}
