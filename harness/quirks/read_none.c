/* Replaces read.c in builds without libconfig. */
#include "harness/quirks/quirks.h"

enum harness_status harness_quirks_parse(struct harness_quirks *quirks, const char *text, size_t size, const char *name,
                                         struct harness_error *error)
{
    (void)quirks;
    (void)text;
    (void)size;
    return harness_fail(error, HARNESS_HOST, "%s: this program was built without the reader of quirks files", name);
}

enum harness_status harness_quirks_read(struct harness_quirks *quirks, const char *path, struct harness_error *error)
{
    return harness_quirks_parse(quirks, "", 0, path, error);
}
