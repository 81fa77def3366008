#include "harness/console/walk.h"

#include "pica/mask.h"
#include "pica/regs.h"

enum {
    MOST_COMMANDS = 1 << 16 /* of a list with its jumps; the reference ran it, so it ends */
};

/* The list that is being followed. */
struct place {
    uint32_t address, words, at;
};

static uint32_t read_word(const struct console_walk *walk, uint32_t address)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t w = 0; w < walk->window_count; w++) {
            const uint32_t offset = address + i - walk->windows[w].address;
            if (offset < walk->windows[w].size)
                word |= (uint32_t)walk->bytes[w][offset] << 8 * i;
        }
    return word;
}

static bool draws_here(const struct console_walk *walk, const struct place *place)
{
    for (size_t i = 0; i < walk->draw_count; i++)
        if (walk->draws[i].list_address == place->address && walk->draws[i].list_word == place->at + 1)
            return true;
    return false;
}

/* CMD-05. */
static uint32_t merge(uint32_t old, uint32_t value, uint32_t byte_mask)
{
    const uint32_t mask = pica_mask_bits(byte_mask);
    return (old & ~mask) | (value & mask);
}

/* SUB-02. */
static void enter(struct console_walk *walk, struct place *place, uint32_t size, uint32_t address)
{
    const uint32_t bytes = (size & 0x1FFFFEu) * 8;
    *place = (struct place){ (address & 0x1FFFFFFEu) * 8, bytes / 4, 0 };
    walk->unaligned = walk->unaligned || (size & 1u) != 0;
}

bool console_upper_half(uint32_t id, uint32_t value, uint32_t byte_mask)
{
    const bool is_one = id == PICA_REG_GSH_BOOLUNIFORM || id == PICA_REG_GSH_ENTRYPOINT ||
                        id == PICA_REG_VSH_BOOLUNIFORM || id == PICA_REG_VSH_ENTRYPOINT;
    return is_one && pica_bits(merge(0x7FFF0000, value, byte_mask), 16, 16) != 0x7FFF;
}

/* One register write. True if it leaves the list: by a jump, or at its end. */
static bool take_write(struct console_walk *walk, struct place *place, uint32_t id, uint32_t value, uint32_t byte_mask,
                       bool *drew)
{
    walk->upper_half = walk->upper_half || console_upper_half(id, value, byte_mask);
    if (id >= PICA_REG_CMDBUF_SIZE0 && id <= PICA_REG_CMDBUF_ADDR1) {
        uint32_t *const word = &walk->cmdbuf[id - PICA_REG_CMDBUF_SIZE0];
        *word = merge(*word, value, byte_mask);
    } else if (id == PICA_REG_CMDBUF_JUMP0 || id == PICA_REG_CMDBUF_JUMP1) {
        const uint32_t channel = id - PICA_REG_CMDBUF_JUMP0;
        walk->jumps = true;
        enter(walk, place, walk->cmdbuf[channel], walk->cmdbuf[2 + channel]);
        return true;
    } else if (id == PICA_REG_FRAMEBUFFER_FLUSH) {
        walk->flush_without_draw = walk->flush_without_draw || !*drew;
        walk->unflushed = false;
    }
    return false;
}

/* REG-12: does this write end the list? One byte in its place is enough. */
static bool take_finalize(struct console_walk *walk, uint32_t start, uint32_t byte_mask)
{
    walk->finalize_value = read_word(walk, start);
    walk->finalize_address = start;
    walk->masked_finalize = walk->masked_finalize || byte_mask != 0xF;
    for (uint32_t i = 0; i < 4; i++)
        if ((walk->finalize_value >> 8 * i & 0xFFu) == (0x12345678u >> 8 * i & 0xFFu))
            walk->finalizes = true;
    return walk->finalizes;
}

/* The command at `place`. True if the walk goes on. */
static bool take_command(struct console_walk *walk, struct place *place, bool *drew)
{
    const uint32_t start = place->address + 4 * place->at;
    const uint32_t header = read_word(walk, start + 4);
    const uint32_t id = header & 0xFFFFu, count = (header >> 20 & 0xFFu) + 1;
    if (id == PICA_REG_FINALIZE && take_finalize(walk, start, header >> 16 & 0xFu))
        return false;
    if (draws_here(walk, place)) {
        *drew = true;
        walk->unflushed = true;
    }
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t value = read_word(walk, k == 0 ? start : start + 4 + 4 * k);
        if (take_write(walk, place, (header >> 31) != 0 ? id + k : id, value, header >> 16 & 0xFu, drew))
            return true;
    }
    place->at += (1 + count + 1) / 2 * 2;
    return true;
}

void console_walk_list(struct console_walk *walk, uint32_t address, uint32_t size)
{
    struct place place = { address, size / 4, 0 };
    bool drew = false, goes_on = true;
    walk->unaligned = size % 16 != 0;
    for (uint32_t i = 0; goes_on && i < MOST_COMMANDS && place.at + 2 <= place.words; i++)
        goes_on = take_command(walk, &place, &drew);
}
