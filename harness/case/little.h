/* Little-endian words of 32 bits, and pairs of them, as guest memory and all files have them, at any address. */
#ifndef HARNESS_LITTLE_H
#define HARNESS_LITTLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A constant to the compiler, so that on such a host a load or store below is one instruction. */
static inline bool harness_host_is_little(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* Changes between the byte order of the host and little-endian, in either direction. */
static inline uint32_t harness_little(uint32_t word)
{
    if (harness_host_is_little())
        return word;
    return word >> 24 | (word >> 8 & 0xFF00u) | (word << 8 & 0xFF0000u) | word << 24;
}

static inline uint32_t harness_load32(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return harness_little(word);
}

static inline uint64_t harness_load64(const uint8_t *at)
{
    return harness_load32(at) | (uint64_t)harness_load32(at + 4) << 32;
}

/* Returns the position after the word. */
static inline uint8_t *harness_store32(uint8_t *at, uint32_t word)
{
    const uint32_t little = harness_little(word);
    memcpy(at, &little, sizeof little);
    return at + sizeof little;
}

#endif
