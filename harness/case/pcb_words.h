/*
 * Little-endian words anywhere in bytes, one load or store each, and the half-bytes of packed words. Private to
 * harness/case.
 */
#ifndef HARNESS_PCB_WORDS_H
#define HARNESS_PCB_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Known to the compiler. */
static inline bool harness_pcb_host_is_little(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static inline uint32_t harness_pcb_little(uint32_t word)
{
    if (harness_pcb_host_is_little())
        return word;
    return word >> 24 | (word >> 8 & 0xFF00u) | (word << 8 & 0xFF0000u) | word << 24;
}

static inline uint32_t harness_pcb_load(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return harness_pcb_little(word);
}

/* Returns what is behind. */
static inline uint8_t *harness_pcb_store(uint8_t *at, uint32_t word)
{
    const uint32_t little = harness_pcb_little(word);
    memcpy(at, &little, sizeof little);
    return at + sizeof little;
}

/* How many bytes a half-byte names. */
static const uint8_t harness_pcb_counts[16] = { 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4 };

/* How many bytes a pair's byte names. */
static const uint8_t harness_pcb_pair_counts[256] = {
    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5, 1, 2, 2, 3, 2,
    3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5, 2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5, 6, 1, 2, 2, 3, 2, 3, 3, 4, 2, 3,
    3, 4, 3, 4, 4, 5, 2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5, 6, 2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5,
    6, 3, 4, 4, 5, 4, 5, 5, 6, 4, 5, 5, 6, 5, 6, 6, 7, 1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5, 2, 3, 3, 4,
    3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5, 6, 2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5, 6, 3, 4, 4, 5, 4, 5, 5, 6, 4,
    5, 5, 6, 5, 6, 6, 7, 2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5, 6, 3, 4, 4, 5, 4, 5, 5, 6, 4, 5, 5, 6, 5, 6,
    6, 7, 3, 4, 4, 5, 4, 5, 5, 6, 4, 5, 5, 6, 5, 6, 6, 7, 4, 5, 5, 6, 5, 6, 6, 7, 5, 6, 6, 7, 6, 7, 7, 8
};

/* 0x80 in each byte of a pair of words that is not 0. */
static inline uint64_t harness_pcb_tops(uint32_t first, uint32_t second)
{
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    const uint64_t pair = first | (uint64_t)second << 32;
    return (((pair & low) + low) | pair) & ~low;
}

/* Bit i: byte i of the pair is not 0. Lists are full of words, and which of their bytes are 0 is hard to predict: no
 * branches. */
static inline uint32_t harness_pcb_presence(uint32_t first, uint32_t second)
{
    /* bit 8i comes to 56 + i */
    return (uint32_t)((harness_pcb_tops(first, second) >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

/* Words with few zeros stay as they are: that is quicker both ways, and an engine sees whole words. */
static inline bool harness_pcb_worth_packing(size_t packed_size, size_t count)
{
    return packed_size <= 3 * count;
}

/* The sum of eight bytes. */
static inline size_t harness_pcb_sum_lanes(uint64_t lanes)
{
    const uint64_t even = UINT64_C(0x00FF00FF00FF00FF);
    return (size_t)(((lanes & even) + (lanes >> 8 & even)) * UINT64_C(0x0001000100010001) >> 48);
}

/* The size of packed words: the bytes that are not 0 are counted in eight lanes, which hold what 254 pairs have. */
static inline size_t harness_pcb_count_packed(const uint32_t *words, size_t count)
{
    size_t size = (count + 1) / 2;
    for (size_t i = 0; i < count;) {
        const size_t end = count - i < 508 ? count : i + 508;
        uint64_t lanes = 0;
        for (; i + 1 < end; i += 2)
            lanes += harness_pcb_tops(words[i], words[i + 1]) >> 7;
        if (i < end)
            lanes += harness_pcb_tops(words[i++], 0) >> 7;
        size += harness_pcb_sum_lanes(lanes);
    }
    return size;
}

/* ------------------------------------------------------------------------------------------------------- unpacking */

/* How the bytes that follow a half-byte come to their places: those that two masks name stay or move up by two bytes,
 * then those that two more name stay or move up by one. */
static const struct harness_pcb_spread {
    uint32_t stay2, move2, stay1, move1;
} harness_pcb_spreads[16] = {
    { 0, 0, 0, 0 },
    { 0x000000FF, 0, 0x000000FF, 0 },
    { 0x000000FF, 0, 0, 0x0000FF00 },
    { 0x0000FFFF, 0, 0x0000FFFF, 0 },
    { 0, 0x00FF0000, 0x00FF0000, 0 },
    { 0x0000FFFF, 0, 0x000000FF, 0x00FF0000 },
    { 0x0000FFFF, 0, 0, 0x00FFFF00 },
    { 0x00FFFFFF, 0, 0x00FFFFFF, 0 },
    { 0, 0x00FF0000, 0, 0xFF000000 },
    { 0x000000FF, 0xFF000000, 0xFF0000FF, 0 },
    { 0x000000FF, 0xFF000000, 0xFF000000, 0x0000FF00 },
    { 0x00FFFFFF, 0, 0x0000FFFF, 0xFF000000 },
    { 0, 0xFFFF0000, 0xFFFF0000, 0 },
    { 0x00FFFFFF, 0, 0x000000FF, 0xFFFF0000 },
    { 0x00FFFFFF, 0, 0, 0xFFFFFF00 },
    { 0xFFFFFFFF, 0, 0xFFFFFFFF, 0 },
};

/* Where four bytes can be read: the bytes that a half-byte names, without a branch for each. */
static inline uint32_t harness_pcb_spread(const uint8_t *at, uint32_t presence)
{
    const struct harness_pcb_spread *const spread = &harness_pcb_spreads[presence];
    const uint32_t word = harness_pcb_load(at);
    const uint32_t moved = (word & spread->stay2) | (word << 16 & spread->move2);
    return (moved & spread->stay1) | (moved << 8 & spread->move1);
}

/* Words in pairs, at least one, from where all of them, and three bytes more, can be read; returns what is behind them.
 * Behind an odd number a 0 is written, whatever its half-byte is. *wrong: not 0 if a byte that is there is 0, or
 * something is said of a word that is not there. The way to the next pair is what takes long: it is one look into a
 * table. */
static inline const uint8_t *harness_pcb_spread_words(const uint8_t *at, uint32_t *words, uint32_t count,
                                                      uint32_t *wrong)
{
    const uint32_t odd = count & 1u;
    uint32_t other = 0, byte = 0;
    for (uint32_t i = 0; i < count; i += 2) {
        byte = *at;
        words[i] = harness_pcb_spread(at + 1, byte & 0xFu);
        words[i + 1] = harness_pcb_spread(at + 1 + harness_pcb_counts[byte & 0xFu], byte >> 4);
        at += 1u + harness_pcb_pair_counts[byte];
        other |= harness_pcb_presence(words[i], words[i + 1]) ^ byte;
    }
    /* without a branch: every other command has an odd number */
    words[count - 1 + odd] = odd != 0 ? 0 : words[count - 1];
    *wrong = other | (odd != 0 ? byte >> 4 : 0);
    return at - (odd != 0 ? harness_pcb_counts[byte >> 4] : 0);
}

/* Words that are not packed, 1 to 256, from where all of them can be read. Returns the size that they would have
 * packed. */
static inline size_t harness_pcb_load_words(const uint8_t *at, uint32_t *words, uint32_t count)
{
    uint64_t lanes = 0;
    for (uint32_t i = 0; i + 1 < count; i += 2) {
        words[i] = harness_pcb_load(at + 4 * (size_t)i);
        words[i + 1] = harness_pcb_load(at + 4 * (size_t)i + 4);
        lanes += harness_pcb_tops(words[i], words[i + 1]) >> 7;
    }
    const uint32_t last = harness_pcb_load(at + 4 * (size_t)(count - 1)), odd = count & 1u;
    words[count - 1] = last;
    lanes += harness_pcb_tops(odd != 0 ? last : 0, 0) >> 7;
    return (count + 1) / 2 + harness_pcb_sum_lanes(lanes);
}

/* The most bytes that so many words take, and what harness_pcb_spread_words may look at beyond. */
static inline uint32_t harness_pcb_most_packed(uint32_t count)
{
    return (count + 1) / 2 * (1 + 4 + 4) + 3;
}

/* --------------------------------------------------------------------------------------------------------- packing */

/* How the bytes that a half-byte names come together: those that two masks name stay or move down by one byte, then
 * those that two more name stay or move down by two. */
static const struct harness_pcb_gather {
    uint32_t stay1, move1, stay2, move2;
} harness_pcb_gathers[16] = {
    { 0, 0, 0, 0 },
    { 0x000000FF, 0, 0x000000FF, 0 },
    { 0, 0x000000FF, 0x000000FF, 0 },
    { 0x0000FFFF, 0, 0x0000FFFF, 0 },
    { 0x00FF0000, 0, 0, 0x000000FF },
    { 0x000000FF, 0x0000FF00, 0x0000FFFF, 0 },
    { 0, 0x0000FFFF, 0x0000FFFF, 0 },
    { 0x00FFFFFF, 0, 0x00FFFFFF, 0 },
    { 0, 0x00FF0000, 0, 0x000000FF },
    { 0xFF0000FF, 0, 0x000000FF, 0x0000FF00 },
    { 0xFF000000, 0x000000FF, 0x000000FF, 0x0000FF00 },
    { 0x0000FFFF, 0x00FF0000, 0x00FFFFFF, 0 },
    { 0xFFFF0000, 0, 0, 0x0000FFFF },
    { 0x000000FF, 0x00FFFF00, 0x00FFFFFF, 0 },
    { 0, 0x00FFFFFF, 0x00FFFFFF, 0 },
    { 0xFFFFFFFF, 0, 0xFFFFFFFF, 0 },
};

/* Stores the bytes of a word that a half-byte names; needs room for four. Returns what is behind. */
static inline uint8_t *harness_pcb_gather(uint8_t *at, uint32_t word, uint32_t presence)
{
    const struct harness_pcb_gather *const gather = &harness_pcb_gathers[presence];
    const uint32_t moved = (word & gather->stay1) | (word >> 8 & gather->move1);
    (void)harness_pcb_store(at, (moved & gather->stay2) | (moved >> 16 & gather->move2));
    return at + harness_pcb_counts[presence];
}

/* Needs room for the words, the byte of each pair and four bytes more. */
static inline uint8_t *harness_pcb_gather_words(uint8_t *at, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i += 2) {
        const uint32_t second = i + 1 < count ? words[i + 1] : 0;
        const uint32_t presence = harness_pcb_presence(words[i], second);
        *at = (uint8_t)presence;
        at = harness_pcb_gather(at + 1, words[i], presence & 0xFu);
        at = harness_pcb_gather(at, second, presence >> 4);
    }
    return at;
}

#endif
