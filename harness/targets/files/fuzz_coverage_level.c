/*
 * The property: any bytes may be the level of semantic coverage that is asked for (`picafuzz coverage --gate`), and
 * what is read are percentages.
 */
#include "harness/coverage/level.h"
#include "harness/targets/files/memory_file.h"
#include "harness/targets/files/saved.h"

#include <stdio.h>

const char saved_beginning[] = "";

/* A function of its own, so that engines which tell crashes apart by their stack see the kind. */
static __attribute__((noinline)) void level_is_no_percentage(void)
{
    fprintf(stderr, "picafuzz: a level is no percentage\n");
    __builtin_trap();
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    struct harness_level level;
    const enum harness_status status = harness_level_read(memory_file(bytes, size), &level, error);
    for (int a = 0; status == HARNESS_OK && a < HARNESS_AREA_TOTAL; a++)
        if (!(level.percent[a] >= 0.0 && level.percent[a] <= 100.0))
            level_is_no_percentage();
    return status;
}
