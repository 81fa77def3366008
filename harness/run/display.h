/*
 * Keeps the screens' registers by following a case's CPU writes: nothing else reaches these registers (PSC-12), so a
 * backend need not be asked for them. A screen is lit if its colour fill is on, or some column of it lies in memory.
 * The pictures of other screens are black (PDC-06) and never collected, so that a case without screens costs nothing.
 */
#ifndef HARNESS_RUN_DISPLAY_H
#define HARNESS_RUN_DISPLAY_H

#include "oracles/screens.h"
#include "pica/backend.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    HARNESS_DISPLAY_WORDS = 0x80 /* 0x10400400 to 0x104005FC */
};

struct harness_display {
    uint32_t words[HARNESS_DISPLAY_WORDS]; /* as stored (PSC-01) */
    uint32_t fill[2];                      /* 0x10202204, 0x10202A04 */
    bool is_set;                           /* some register is, or was, other than 0 */
    bool changed;                          /* by the last step */
};

/* `initial`: of the case; NULL: the reset state. */
void harness_display_begin(struct harness_display *display, const struct pica_state *initial);

/* Is it the address of a register of a screen? And what it holds; 0 of others. */
bool harness_display_has(uint32_t address);
uint32_t harness_display_read(const struct harness_display *display, uint32_t address);

/* A CPU write; false if it is to no register of a screen. */
bool harness_display_write(struct harness_display *display, uint32_t address, uint32_t value);

static inline void harness_display_step(struct harness_display *display, const struct pica_operation *operation)
{
    display->changed = operation->kind == PICA_OPERATION_WRITE_REGISTER &&
                       harness_display_write(display, operation->address, operation->words[0]);
}

/* Bit i: screen i (enum oracle_screen) is lit. */
uint32_t harness_display_lit(const struct harness_display *display, const struct pica_window *windows, uint32_t count);

#endif
