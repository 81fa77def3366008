/* What a list uploads to the shader units, followed word by word: enough to show code with its descriptors. */
#ifndef HARNESS_LIST_SCAN_H
#define HARNESS_LIST_SCAN_H

#include "harness/case/case.h"
#include "harness/case/shader_asm.h"
#include "oracles/follow.h"

/* The commands so far, as if none had a mask and the index registers were 0 at first: text shows what a list says,
 * not what a machine does with it. */
struct harness_scan {
    struct oracle_follower registers;
    struct harness_descriptors descriptors[2]; /* by unit */
};

void harness_scan_init(struct harness_scan *scan);
void harness_scan_command(struct harness_scan *scan, const struct harness_command *command);

/*
 * The descriptors that code uploaded by one command will run with, as far as the list shows: those known at the next
 * draw, or when the unit's code index is written again after descriptors came, or at the end of the list.
 */
struct harness_ahead {
    struct harness_scan scan;
    uint32_t until; /* index of the command that ends the stretch; 0 at first */
};

/* `now` is the scan of the commands before `index`, which uploads code for `unit`. Use one `ahead` for each unit and
 * rising indices. */
const struct harness_descriptors *harness_scan_ahead(struct harness_ahead *ahead, const struct harness_scan *now,
                                                     const struct harness_list *list, uint32_t index, uint32_t unit);

#endif
