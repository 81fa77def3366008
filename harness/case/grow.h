/* Arrays that grow by one element. */
#ifndef HARNESS_GROW_H
#define HARNESS_GROW_H

#include <stddef.h>

/* Room for one more behind `count` elements of `size` bytes, in an array that nothing else makes larger: the array,
 * perhaps elsewhere. NULL without memory: then it stays where it was. */
void *harness_grow(void *items, size_t count, size_t size);

#endif
