/* The property: any bytes may be the state of a hunt (docs/formats/hunt.md). What was read is written as text, which
 * must be read again. */
#include "harness/hunt/state.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/target.h"

#include <stdlib.h>
#include <string.h>

const char saved_beginning[] = "";

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    static struct hunt_state state, again;
    struct harness_error why = { "" };
    const enum harness_status status = hunt_state_parse(bytes, size, &state, &why);
    if (status != HARNESS_OK)
        return harness_fail(error, status, "%s: %s", saved_name, why.message);
    char *const text = hunt_state_print(&state);
    if (text != NULL && hunt_state_parse(text, strlen(text), &again, &why) == HARNESS_BAD_INPUT)
        target_fails("what was written is not read", why.message);
    free(text);
    return HARNESS_OK;
}
