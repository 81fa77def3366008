/* Little-endian words anywhere in bytes, and which bytes of a word are not 0. Private to harness/case. */
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

/* Returns the position after it. */
static inline uint8_t *harness_pcb_store(uint8_t *at, uint32_t word)
{
    const uint32_t little = harness_pcb_little(word);
    memcpy(at, &little, sizeof little);
    return at + sizeof little;
}

#endif
