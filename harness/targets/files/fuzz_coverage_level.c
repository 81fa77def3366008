/*
 * The property: any bytes may be the required level of semantic coverage (`picafuzz coverage --gate`), and what is read
 * are percentages.
 */
#include "harness/coverage/level.h"
#include "harness/targets/files/memory_file.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/target.h"

const char saved_beginning[] = "";

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    struct harness_level level;
    const enum harness_status status = harness_level_read(memory_file(MEMORY_FILE, bytes, size), &level, error);
    for (int a = 0; status == HARNESS_OK && a < HARNESS_AREA_TOTAL; a++)
        if (!(level.percent[a] >= 0.0 && level.percent[a] <= 100.0))
            target_fails("a level is no percentage", NULL);
    return status;
}
