/* Hash of short names, FNV-1a: it spreads them over a table, and says nothing to somebody who wants two to meet. */
#ifndef HARNESS_HASH_H
#define HARNESS_HASH_H

#include <stddef.h>
#include <stdint.h>

static const uint32_t harness_hash_start = 2166136261u;

/* Of `length` bytes of `name`, behind what `hash` is of; harness_hash_start: nothing. */
static inline uint32_t harness_hash(uint32_t hash, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash;
}

#endif
