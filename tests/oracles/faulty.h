/*
 * Backends with one planted fault each, for tests of the relations: the reference, but lists and operations are changed
 * on their way to it as an emulator with that bug would understand them.
 */
#ifndef TESTS_ORACLES_FAULTY_H
#define TESTS_ORACLES_FAULTY_H

#include "pica/backend.h"

#include <stddef.h>
#include <stdint.h>

struct fault {
    const char *check; /* the check that must notice */
    const char *bug;   /* what the emulator gets wrong */
    /* One command; parameters and header may be changed in place, its length may not. NULL: lists are as they are. */
    void (*command)(uint32_t *header, uint32_t *parameters, uint32_t count);
    void (*operation)(struct pica_operation *operation);
    const struct pica_operation *before;            /* done before each submission, or NULL */
    void (*loaded)(void *instance, uint32_t loads); /* after each load of the process, or NULL */
};

/* One of each check, and one more of `invariant`. */
extern const struct fault faults[];
extern const struct fault capacity_fault;
extern const size_t fault_count;

/* The reference with a fault of the table. One at a time: the fault is a global of this test helper. */
const struct pica_backend *faulty_backend(const struct fault *fault);

#endif
