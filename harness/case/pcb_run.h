/* Commands of a list in the binary form, the quick way: whole ones of the usual forms. Private to harness/case. */
#ifndef HARNESS_PCB_RUN_H
#define HARNESS_PCB_RUN_H

#include "harness/case/case.h"

/* Where decoding is. Everything is written where it stays. */
struct harness_pcb_run {
    const uint8_t *first; /* what origins count from */
    bool noted;           /* they are noted */
    const uint8_t *at;
    const uint8_t *end;
    struct harness_command *command; /* room for as many as the bytes hold, and of their parameters */
    uint32_t *parameters;
    uint32_t commands_left;
    uint32_t data_left; /* bytes of contents */
};

/* Takes commands while they are whole, of a usual form and within what is left. */
void harness_pcb_take_run(struct harness_pcb_run *run);

/* What a command of so many parameters takes of a list: 4 * harness_command_words. */
static inline uint32_t harness_pcb_command_bytes(uint32_t count)
{
    return 8u + 4u * (count & ~1u);
}

#endif
