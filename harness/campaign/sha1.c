/* SHA-1 as FIPS 180-4 has it (6.1): blocks of 64 bytes, 80 rounds each. */
#include "harness/campaign/sha1.h"

#include <stdio.h>
#include <string.h>

enum {
    BLOCK = 64,
    WORDS = 5,
    ROUNDS = 80
};

static uint32_t rotate(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

/* f and K of a round (4.1.1, 4.2.1). */
static uint32_t mix(int round, const uint32_t h[WORDS])
{
    if (round < 20)
        return ((h[1] & h[2]) | (~h[1] & h[3])) + 0x5A827999u;
    if (round < 40)
        return (h[1] ^ h[2] ^ h[3]) + 0x6ED9EBA1u;
    if (round < 60)
        return ((h[1] & h[2]) | (h[1] & h[3]) | (h[2] & h[3])) + 0x8F1BBCDCu;
    return (h[1] ^ h[2] ^ h[3]) + 0xCA62C1D6u;
}

static void add_block(uint32_t hash[WORDS], const uint8_t block[BLOCK])
{
    uint32_t w[ROUNDS], h[WORDS];
    for (int i = 0; i < ROUNDS; i++)
        w[i] = i < 16 ? (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                            (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3]
                      : rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    memcpy(h, hash, sizeof h);
    for (int i = 0; i < ROUNDS; i++) {
        const uint32_t next = rotate(h[0], 5) + mix(i, h) + h[4] + w[i];
        h[4] = h[3];
        h[3] = h[2];
        h[2] = rotate(h[1], 30);
        h[1] = h[0];
        h[0] = next;
    }
    for (int i = 0; i < WORDS; i++)
        hash[i] += h[i];
}

/* The rest, a one bit, zeros, and the length in bits as the last eight bytes. */
static void add_end(uint32_t hash[WORDS], const uint8_t *rest, size_t rest_size, size_t size)
{
    uint8_t block[2 * BLOCK] = { 0 };
    const size_t length = rest_size + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    for (size_t i = 0; i < rest_size; i++)
        block[i] = rest[i];
    block[rest_size] = 0x80;
    for (unsigned i = 0; i < 8; i++)
        block[length - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    for (size_t at = 0; at < length; at += BLOCK)
        add_block(hash, block + at);
}

void campaign_sha1(const uint8_t *bytes, size_t size, char out[CAMPAIGN_SHA1_DIGITS + 1])
{
    uint32_t hash[WORDS] = { 0x67452301u, 0xEFCDAB89u, 0x98BADCFEu, 0x10325476u, 0xC3D2E1F0u };
    const size_t whole = size / BLOCK * BLOCK;
    for (size_t at = 0; at < whole; at += BLOCK)
        add_block(hash, bytes + at);
    add_end(hash, bytes + whole, size - whole, size);
    for (int i = 0; i < WORDS; i++)
        (void)snprintf(out + 8 * i, 9, "%08x", (unsigned)hash[i]);
}
