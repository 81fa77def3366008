/*
 * Visits every place of a case where a register gets a value: the initial state, the writes of lists (also of lists in
 * memory, as far as a submission or a jump says where), writes by the CPU, the words of fills and transfers. Registers
 * are followed by oracles/follow.h; nothing is executed.
 */
#ifndef HARNESS_QUIRKS_VISIT_H
#define HARNESS_QUIRKS_VISIT_H

#include "harness/case/case.h"
#include "oracles/follow.h"

/* Slots: one numbering of all registers that quirks know, first the internal ones, then the engines', then the two of
 * the screens. */
enum {
    HARNESS_SLOT_EXTERNAL = PICA_REGISTERS,
    HARNESS_SLOT_SCREENS = HARNESS_SLOT_EXTERNAL + PICA_EXTERNAL_WORDS,
    HARNESS_SLOTS = HARNESS_SLOT_SCREENS + 2
};

/* The slot of a physical address; HARNESS_SLOTS if it is none of them. */
uint32_t harness_slot_of(uint32_t address);

/* One write of a word, before it takes effect. */
struct harness_slot_write {
    uint32_t slot;
    uint32_t mask;   /* the bits that it changes */
    uint32_t before; /* what the register holds, as far as known; 0 elsewhere */
    uint32_t value;
    bool is_in_state; /* this is not a write but the initial state */
};

/* The functions may be NULL. */
struct harness_visitor {
    void *user;
    /* Returns the value to write; if that is not write->value, the case is rewritten. */
    uint32_t (*write)(void *user, const struct harness_slot_write *write);
    /* A draw begins, or a part of an immediate vertex is complete. */
    void (*draw)(void *user, const uint32_t *registers, bool is_immediate, bool is_indexed);
    void (*instruction)(void *user, uint32_t word); /* a word for the code of a shader */
    void (*operation)(void *user, const struct harness_operation *operation);
};

/* Visits the case. Returns how many words were rewritten, -1 without memory. New bytes are in the arena of the case. */
int64_t harness_visit(struct harness_case *test_case, const struct harness_visitor *visitor);

#endif
