#include "harness/console/hangs.h"

#include <stddef.h>
#include <string.h>

struct hang {
    const char *name, *rule;
};

static const struct hang hangs[] = {
    { CONSOLE_HANG_FLUSH, "HNG-01" },   { "output-missing", "HNG-02" },
    { "no-finalize", "HNG-03" },        { "finalize-mismatch", "HNG-03" },
    { "nonfinite-position", "HNG-03" }, { "stride-mismatch", "HNG-03" },
    { "mova-pair", "HNG-03" },          { "output-twice", "HNG-03" },
    { "break-empty", "HNG-03" },        { "copy-zero-size", "HNG-03" },
    { "copy-zero-line", "HNG-03" },     { "xfer-format-hang", "HNG-03" },
    { "depth-format-1", "HNG-03" },     { CONSOLE_HANG_GEOMETRY, "HNG-05" },
    { CONSOLE_HANG_UNIT1, "HNG-06" },   { CONSOLE_HANG_UPPER_HALF, "HNG-07" },
};

/* HNG-02: a component that no instruction wrote. */
const char *console_hang_name(enum pica_event event)
{
    return event == PICA_EVENT_UNINIT_OUTPUT ? "output-missing" : pica_event_info(event)->name;
}

const char *console_hang_rule(const char *name)
{
    for (size_t i = 0; i < sizeof hangs / sizeof hangs[0]; i++)
        if (strcmp(hangs[i].name, name) == 0)
            return hangs[i].rule;
    return NULL;
}
