/*
 * Draws that differ from the one before in exactly one thing: finds the only register that has changed between a draw
 * with effect and the next one. A port (of a table, uniforms, code, operand descriptors, fixed attributes) counts as
 * changed when it is written.
 */
#ifndef HARNESS_COVERAGE_DELTAS_H
#define HARNESS_COVERAGE_DELTAS_H

#include "pica/backend.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    HARNESS_DELTA_NONE = PICA_REGISTERS,       /* nothing changed */
    HARNESS_DELTA_SEVERAL = PICA_REGISTERS + 1 /* more than one changed, or there was no draw before */
};

struct harness_deltas {
    uint16_t names[PICA_REGISTERS]; /* the register that this one counts as; HARNESS_DELTA_NONE: it does not count */
    uint16_t ports[PICA_REGISTERS]; /* ids of ports */
    uint32_t port_count;
    uint32_t before[PICA_REGISTERS]; /* registers of the last draw with effect */
    uint32_t written;                /* the port written since then, HARNESS_DELTA_NONE or HARNESS_DELTA_SEVERAL */
    bool drawn;
};

void harness_deltas_init(struct harness_deltas *deltas);

/* May harness_deltas_draw return the register? */
bool harness_delta_is_named(const struct harness_deltas *deltas, uint32_t id);

void harness_deltas_begin(struct harness_deltas *deltas);

/* To be called for each draw. `written[id]` is not 0 if the register was written since the draw before. Returns the
 * only register that changed, HARNESS_DELTA_NONE or HARNESS_DELTA_SEVERAL; draws without effect are passed over. */
uint32_t harness_deltas_draw(struct harness_deltas *deltas, const struct pica_draw *draw, const uint8_t *written,
                             bool effect);

#endif
