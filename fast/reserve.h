/* Large memory of which a case uses little. */
#ifndef FAST_RESERVE_H
#define FAST_RESERVE_H

#include <stddef.h>

/*
 * `size` > 0 bytes, all 0, aligned to 64. The host gives a page when it is first touched; the pages before and behind
 * belong to nobody, so a stray access ends the process in every build. NULL: no memory. Give it to fast_unreserve.
 */
void *fast_reserve(size_t size);

/* The same `size` again. NULL: nothing happens. */
void fast_unreserve(void *memory, size_t size);

#endif
