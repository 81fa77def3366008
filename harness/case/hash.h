/* FNV-1a, a hash of short names for tables. Not cryptographic: whoever wants two names to collide can have that. */
#ifndef HARNESS_HASH_H
#define HARNESS_HASH_H

#include <stddef.h>
#include <stdint.h>

static const uint32_t harness_hash_start = 2166136261u;

/* Continues a hash, which begins as harness_hash_start, with `length` bytes of `name`. */
static inline uint32_t harness_hash(uint32_t hash, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash;
}

#endif
