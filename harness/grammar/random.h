/*
 * The one source of chance in harness/grammar: xoshiro256**, seeded by splitmix64. The same seed gives the same
 * sequence on every machine; nothing else (time, addresses, libc) may decide anything. C leaves the order of operands
 * and arguments open: no expression may draw twice, except around ?:, && and ||.
 */
#ifndef HARNESS_RANDOM_H
#define HARNESS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct harness_random {
    uint64_t words[4];
};

void harness_random_init(struct harness_random *random, uint64_t seed);

/* Here and not in random.c: generation and mutation draw all the time. */
static inline uint64_t harness_random_next(struct harness_random *random)
{
    uint64_t *const s = random->words;
    const uint64_t product = s[1] * 5u;
    const uint64_t result = (product << 7 | product >> 57) * 9u;
    const uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = s[3] << 45 | s[3] >> 19;
    return result;
}

/* 0 .. bound - 1; 0 if bound is 0 or 1. */
static inline uint32_t harness_random_below(struct harness_random *random, uint32_t bound)
{
    return (uint32_t)((harness_random_next(random) >> 32) * bound >> 32);
}

/* low .. high, both included. */
static inline uint32_t harness_random_between(struct harness_random *random, uint32_t low, uint32_t high)
{
    return high <= low ? low : low + harness_random_below(random, high - low + 1u);
}

/* True in `percent` of 100 cases. */
static inline bool harness_random_percent(struct harness_random *random, uint32_t percent)
{
    return harness_random_below(random, 100) < percent;
}

/* An index below `count`, with the given weights; 0 if all weights are 0. */
uint32_t harness_random_weighted(struct harness_random *random, const uint32_t *weights, uint32_t count);

/* A number of `width` bits (1-32) where programs break: 0, ones, powers of two and their neighbours, small, any. */
uint32_t harness_random_number(struct harness_random *random, uint32_t width);

/* low <= value < high, in steps of 2^-16 of the range. */
float harness_random_float(struct harness_random *random, float low, float high);

/* binary32 bits of all kinds: ordinary numbers, small integers, zeros, infinities, NaN, subnormals, any bits. */
uint32_t harness_random_f32(struct harness_random *random);

#endif
