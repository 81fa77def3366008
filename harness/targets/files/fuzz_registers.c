/*
 * The property: any bytes may be read as a part of a machine's state that a debugger dumped
 * (docs/formats/registers.md). The first byte of an input says which part.
 */
#include "harness/case/formats.h"
#include "harness/targets/files/saved.h"

const char saved_beginning[] = "";

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    static struct harness_state state;
    if (size == 0)
        return HARNESS_OK;
    harness_state_init(&state);
    return harness_state_words_read(&state, (uint32_t)(unsigned char)bytes[0] % harness_part_count,
                                    (const uint8_t *)bytes + 1, size - 1, saved_name, error);
}
