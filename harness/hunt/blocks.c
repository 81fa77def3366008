/* Which seeds belong to a block, which machine options a block uses, and after which blocks findings are chosen. */
#include "harness/hunt/hunt_parts.h"

enum {
    EPOCH = 32 /* blocks between two choices of findings to reduce; the first choices are closer together */
};

uint64_t hunt_number_of(const struct hunt *hunt, uint64_t index)
{
    return hunt->options->seeds.shard + index * hunt->options->seeds.shards;
}

static uint32_t at_most(uint64_t value, uint32_t most)
{
    return value < most ? (uint32_t)value : most;
}

/* How many seeds of the block were not run by an earlier start; 0: there is no such block. */
static uint32_t whole_size_of(const struct hunt *hunt, uint64_t index)
{
    const uint64_t before = hunt_number_of(hunt, index) * HARNESS_HUNT_BLOCK, count = hunt->options->seeds.count;
    const uint32_t size =
        count == 0 ? (uint32_t)HARNESS_HUNT_BLOCK : at_most(count > before ? count - before : 0, HARNESS_HUNT_BLOCK);
    const uint32_t begun = index == hunt->before ? hunt->begun : 0;
    return size > begun ? size - begun : 0;
}

/* How many of those this start runs: with a limit of executions it may end in the middle of a block. */
uint32_t hunt_size_of(const struct hunt *hunt, uint64_t index)
{
    if (hunt->options->source != NULL)
        return hunt->from.input.path[0] != '\0';
    const uint64_t most = hunt->options->seeds.executions, blocks = index - hunt->before;
    const uint64_t done = blocks == 0 ? 0 : blocks * HARNESS_HUNT_BLOCK - hunt->begun;
    const uint32_t size = whole_size_of(hunt, index);
    return most == 0 ? size : at_most(most > done ? most - done : 0, size);
}

bool hunt_is_part(const struct hunt *hunt, uint64_t index)
{
    return hunt_size_of(hunt, index) + (index == hunt->before ? hunt->begun : 0) < HARNESS_HUNT_BLOCK;
}

/* Findings are chosen after these blocks. The first choices come soon, because a hunt of minutes has most of its
 * findings early. */
bool hunt_ends_epoch(uint64_t blocks)
{
    return blocks >= EPOCH ? blocks % EPOCH == 0 : (blocks & (blocks - 1)) == 0;
}

uint64_t hunt_last_epoch(uint64_t blocks)
{
    while (blocks != 0 && !hunt_ends_epoch(blocks))
        blocks--;
    return blocks;
}

/* ----------------------------------------------------------------------------------------------- on which machine */

const char *const hunt_sets[4] = { "scalar", "avx2", "avx512", "neon" };

/* Some blocks run our own backends with other options, so that threads, full queues, each instruction set and float24
 * are tested, too. Which block gets which options depends on its number alone. */
bool hunt_vary(const struct harness_hunt_options *options, uint64_t block, struct pica_options *machine)
{
    enum {
        OF = 16,
        SMALL = 4
    };
    const uint32_t draw = (uint32_t)(block * UINT64_C(0x9E3779B97F4A7C15) >> 32);
    *machine = options->machine;
    if (!options->varies || block == 0)
        return false;
    switch (draw % OF) {
    case 0: machine->threads = SMALL; break;
    case 1: machine->capacity = SMALL; break;
    case 2:
        machine->threads = 2;
        machine->capacity = (size_t)SMALL * SMALL;
        break;
    case 3: (void)harness_instruction_set(hunt_sets[draw / OF % 4], &machine->instruction_sets); break;
    case 4: return true;
    default: break;
    }
    return false;
}
