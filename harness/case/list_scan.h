/* What a list uploads to the shader units, followed word by word: enough to show code with its descriptors. */
#ifndef HARNESS_LIST_SCAN_H
#define HARNESS_LIST_SCAN_H

#include "harness/case/case.h"
#include "harness/case/shader_asm.h"

enum harness_port {
    HARNESS_PORT_NONE = 0,
    HARNESS_PORT_CODE = 1,
    HARNESS_PORT_OPDESCS = 2,
    HARNESS_PORT_UNIFORMS = 3,
    HARNESS_PORT_FIXED = 4
};

/* The shader-related port that an id is, and its unit (REG-20). */
enum harness_port harness_port_of(uint32_t id, uint32_t *unit);

struct harness_scan {
    struct {
        uint32_t code_index; /* 0 until the list writes it */
        uint32_t opdescs_index;
        bool float32; /* mode of the uniform port (REG-22) */
        struct harness_descriptors descriptors;
    } units[2];
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
