/*
 * What is certain about a script without executing it: the register file before each command (CMD, REG), bytes of
 * memory that the CPU put there and nothing can have changed since, and which parts of memory a draw may write.
 * What is uncertain is treated as unknown, never guessed: after a list that jumps, for example, every register is
 * unknown until it is written again.
 */
#ifndef ORACLES_WALK_H
#define ORACLES_WALK_H

#include "oracles/follow.h"
#include "oracles/metamorphic.h"

enum {
    ORACLE_MAX_DIRTY = 192,
    ORACLE_VSH_CODE_WORDS = 512 /* REG-21 */
};

/* Bytes first .. first + size - 1. A range that a function reports as known never passes the end of the address
 * space. */
struct oracle_range {
    uint32_t first;
    uint64_t size;
};

bool oracle_ranges_meet(const struct oracle_range *a, const struct oracle_range *b);

/* One command of a list (CMD-01, CMD-02). */
struct oracle_command {
    uint32_t id;
    uint32_t mask; /* 0-15 */
    bool consecutive;
    uint32_t count; /* 1-256 */
    const uint32_t *parameters;
};

/* Register that parameter k writes (CMD-03, CMD-04). */
static inline uint32_t oracle_command_register(const struct oracle_command *command, uint32_t k)
{
    return command->consecutive ? command->id + k : command->id;
}

/* Memory that the GPU may have changed at an operation. */
struct oracle_dirty {
    struct oracle_range range;
    uint32_t operation;
};

struct oracle_walk {
    const struct oracle_script *script;
    uint32_t operation; /* index of the current one: loads before it have happened */
    struct oracle_follower registers;
    bool assembler_empty; /* known: n = 0, not ready, no winding (PRM-01) */
    bool code_known;      /* of the vertex shader */
    uint32_t code[ORACLE_VSH_CODE_WORDS];
    bool all_dirty; /* a write may have gone anywhere, at or before dirty_since */
    uint32_t dirty_since;
    uint32_t dirty_count;
    struct oracle_dirty dirty[ORACLE_MAX_DIRTY];
    struct oracle_range reserved; /* a list whose draws may write here is not followed */
    /* Of the list that is being walked: */
    bool broken;                    /* the list contains something that cannot be followed */
    bool stopped;                   /* REG-13 */
    uint32_t draws;                 /* triggers and immediate vertices so far */
    struct oracle_range list_range; /* where the list lies */
};

void oracle_walk_init(struct oracle_walk *walk, const struct oracle_script *script);

/* True if all bits of the register are known. */
static inline bool oracle_known(const struct oracle_walk *walk, uint32_t id)
{
    return walk->registers.known[id] == UINT32_MAX;
}

/* True if all configuration registers of first .. last are known. */
bool oracle_span_known(const struct oracle_walk *walk, uint32_t first, uint32_t last);

/* Called for each command of a list before it takes effect. */
typedef void (*oracle_visitor)(void *user, const struct oracle_command *command);

/*
 * Follows one operation, the list of a submission included. `visit` may be NULL. Returns true if the operation is a
 * submission whose list was followed to its end: every command was visited, none jumps, none is read past the list's
 * end, and no draw can write to the list or to `reserved`. The words of the list are kept in `space` during the call.
 */
bool oracle_walk_operation(struct oracle_walk *walk, struct oracle_workspace *space, oracle_visitor visit, void *user);

/* Copies the bytes of a range within one window to `out`. False if they are not known at this moment. */
bool oracle_walk_memory(const struct oracle_walk *walk, const struct oracle_range *range, uint8_t *out);

bool oracle_in_window(const struct oracle_script *script, const struct oracle_range *range);

/* FBF-19: the memory that a draw with the present registers may write. False if a needed register is unknown. */
bool oracle_walk_surfaces(const struct oracle_walk *walk, struct oracle_range *color, struct oracle_range *depth);

#endif
