/* Two small mixers of bits. Not cryptographic: whoever wants two names with one hash can find some. */
#ifndef HARNESS_HASH_H
#define HARNESS_HASH_H

#include <stddef.h>
#include <stdint.h>

static const uint32_t harness_hash_start = 2166136261u;

/* FNV-1a: continues a hash, which begins as harness_hash_start, with `length` bytes of `name`. */
static inline uint32_t harness_hash(uint32_t hash, const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash;
}

/* One step of splitmix64: 64 random bits, and the state for the next ones. */
static inline uint64_t harness_splitmix64(uint64_t *state)
{
    *state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

#endif
