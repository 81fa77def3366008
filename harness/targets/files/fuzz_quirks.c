/* The property: any bytes may be read as known differences of a machine (docs/formats/quirks.md). */
#include "harness/quirks/quirks.h"
#include "harness/targets/files/saved.h"

/* libconfig 1.5 leaks the strings that it has read when a file is invalid: a few bytes for each such file. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:strbuf_append\nleak:libconfig_yylex\n";
}

const char saved_beginning[] = "version = 1;\n";

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    struct harness_quirks *const quirks = harness_quirks_create();
    const enum harness_status status =
        quirks == NULL ? HARNESS_NO_MEMORY : harness_quirks_parse(quirks, bytes, size, saved_name, error);
    harness_quirks_destroy(quirks);
    return status;
}
