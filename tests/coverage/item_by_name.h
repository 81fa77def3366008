/* Items of the universe by their names. */
#ifndef TESTS_COVERAGE_ITEM_BY_NAME_H
#define TESTS_COVERAGE_ITEM_BY_NAME_H

#include "harness/coverage/universe_parts.h"

#include <string.h>

/* SIZE_MAX: the area has no item of that name. */
static inline size_t item_by_name(const struct harness_universe *universe, enum harness_area area, const char *name)
{
    char text[256];
    for (uint32_t i = universe->area_first[area]; i < universe->area_first[area + 1]; i++) {
        harness_item_name(universe, i, text, sizeof text);
        if (strcmp(text, name) == 0)
            return i;
    }
    return SIZE_MAX;
}

#endif
