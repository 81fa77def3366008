/* Which operand descriptors a list uploads to the shader units, so that code can be shown with their swizzles. */
#ifndef HARNESS_LIST_SCAN_H
#define HARNESS_LIST_SCAN_H

#include "harness/case/case.h"
#include "harness/case/shader_asm.h"
#include "oracles/follow.h"

/* The effect of the commands so far, if no mask counts and the index registers begin at 0: text shows what a list
 * says, whatever state it will run in. */
struct harness_scan {
    struct oracle_follower registers;
    struct harness_descriptors descriptors[2]; /* by unit */
};

void harness_scan_init(struct harness_scan *scan);
void harness_scan_command(struct harness_scan *scan, const struct harness_command *command);

/* A scan ahead of a command that uploads code; it serves all commands before `until`. Zero to begin with. */
struct harness_ahead {
    struct harness_scan scan;
    uint32_t until; /* index of the command where the scan stopped */
};

/*
 * The descriptors that the code which command `index` uploads for `unit` will run with, as far as the list shows: those
 * known at the next draw, or where the unit's code index is written again after descriptors were uploaded, or at the
 * end of the list. `now` is the scan of the commands before `index`. Use one `ahead` for each unit, and rising indices.
 */
const struct harness_descriptors *harness_scan_ahead(struct harness_ahead *ahead, const struct harness_scan *now,
                                                     const struct harness_list *list, uint32_t index, uint32_t unit);

#endif
