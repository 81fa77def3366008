/* The parts of a state by number: the lines of state.def that a case can give; and its blocks. */
#ifndef PICA_STATE_H
#define PICA_STATE_H

#include "pica/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number is that of the part in files. */
enum pica_state_part {
#define STATE(number, ID, name, member, bits, count, most, FORM, row, label, rule) PICA_STATE_##ID = number,
#include "pica/state.def"
};

enum {
    PICA_STATE_PARTS = 0 /* how many there are: numbers 0 to one less */
#define STATE(number, ID, name, member, bits, count, most, FORM, row, label, rule) +1
#include "pica/state.def"
};

/* Most of a state is 0 in most cases, so it is cut into blocks, which can be left alone. The last one is shorter. */
enum {
    PICA_STATE_BLOCK = 1024, /* bytes */
    PICA_STATE_BLOCKS = (sizeof(struct pica_state) + PICA_STATE_BLOCK - 1) / PICA_STATE_BLOCK
};

/* A set of blocks, one bit each. */
struct pica_state_blocks {
    uint64_t words[(PICA_STATE_BLOCKS + 63) / 64];
};

static inline bool pica_state_blocks_have(const struct pica_state_blocks *blocks, uint32_t block)
{
    return (blocks->words[block / 64u] >> (block % 64u) & 1u) != 0;
}

static inline void pica_state_blocks_add(struct pica_state_blocks *blocks, uint32_t block)
{
    blocks->words[block / 64u] |= UINT64_C(1) << (block % 64u);
}

static inline void pica_state_blocks_remove(struct pica_state_blocks *blocks, uint32_t block)
{
    blocks->words[block / 64u] &= ~(UINT64_C(1) << (block % 64u));
}

static inline size_t pica_state_block_bytes(uint32_t block)
{
    const size_t rest = sizeof(struct pica_state) - (size_t)block * PICA_STATE_BLOCK;
    return rest < PICA_STATE_BLOCK ? rest : PICA_STATE_BLOCK;
}

#endif
