/* Commands of a case (payload.h), and the blobs of the payload that they name. Private to harness/console. */
#ifndef HARNESS_CONSOLE_COMMANDS_H
#define HARNESS_CONSOLE_COMMANDS_H

#include "harness/case/case.h"
#include "harness/console/gate.h"
#include "harness/console/payload.h"
#include "harness/console/words.h"

struct console_blob {
    uint32_t words, bytes, crc, offset; /* offset in the payload */
};

/* Starts from zeros and its `base`. */
struct console_commands {
    struct console_words body; /* blobs, one after another */
    uint32_t base;             /* payload offset of the body */
    struct console_blob *blobs;
    size_t blob_count;
    uint32_t linear_bytes;           /* what the largest case needs */
    struct console_words reset_list; /* the prologue that all cases share */
};

void console_commands_free(struct console_commands *commands);

/* Payload offset of these bytes; equal ones are stored once. A failed allocation shows in body.failed. */
uint32_t console_commands_blob(struct console_commands *commands, const void *bytes, uint32_t size);

/* Fills in `reset_list`. */
void console_commands_make_reset(struct console_commands *commands);

/* Internal registers [first, first + count) that are read back after each operation; count 0: none. */
struct console_register_range {
    uint32_t first, count;
};

struct console_lowering {
    const struct harness_program *program;
    const struct console_plan *plan;
    bool check; /* each step must be what the plan says */
    struct console_register_range registers;
    const struct console_show *shows; /* after its last operation, before anything is read */
    uint32_t show_count;
};

/* Appends the commands of a case; returns the number of its steps. */
uint32_t console_commands_lower(struct console_commands *commands, const struct console_lowering *lowering,
                                struct console_words *out);

/* Does one of the case's lists run from VRAM, where it lies? */
bool console_commands_use_vram_list(const struct console_plan *plan);

#endif
