/* Command lists as they lie in memory, and where they jump. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_WALK_H
#define HARNESS_LOCALISE_WALK_H

#include "harness/localise/localise_parts.h"

/* One command list: its address, and its commands in a scratch case that holds nothing else. */
struct harness_walk {
    struct harness_case *scratch;
    struct harness_list list;
    uint32_t address;
    uint32_t first; /* number of its first command in the submission, from 1 */
    bool any_jumps; /* SUB-03: writing 0 jumps as well, not only other values */
};

uint32_t harness_walk_word(const struct oracle_run *run, uint32_t address);

/* The list of `count` words at `address`, as memory holds it after the run. */
bool harness_walk_read(const struct oracle_run *run, uint32_t address, uint32_t count, struct harness_walk *walk);

/* The channel that a command jumps through (SUB-03), or -1. */
int harness_walk_jump(const struct harness_walk *walk, const struct harness_command *command);

/* SUB-02: address and length in words of a channel's list, from the registers of `side`, which must report them. */
void harness_walk_channel(const struct harness_localise *search, int side, uint32_t channel, uint32_t *address,
                          uint32_t *words);

/* EXT-CMD-02: the channel whose list a CPU write starts, or -1. */
int harness_walk_started(const struct pica_operation *operation);

#endif
