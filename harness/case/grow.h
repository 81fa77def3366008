/* Arrays that grow by one element. */
#ifndef HARNESS_GROW_H
#define HARNESS_GROW_H

#include <stddef.h>

/* Makes room for one more element behind the `count` elements of `size` bytes at `items`: NULL with a count of 0, or
 * what this function returned before, grown by nothing else. Returns the array, which may have moved and which the
 * caller frees; NULL without memory, and then the old array stays valid. */
void *harness_grow(void *items, size_t count, size_t size);

#endif
