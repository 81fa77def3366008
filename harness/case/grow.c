#include "harness/case/grow.h"

#include <stdbool.h>
#include <stdlib.h>

/* An array always has room up to the next power of two, so nobody needs to remember its capacity. */
void *harness_grow(void *items, size_t count, size_t size)
{
    const bool is_full = (count & (count - 1)) == 0;
    return is_full ? realloc(items, (count == 0 ? 1 : 2 * count) * size) : items;
}
