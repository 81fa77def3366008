/*
 * Keeps what the conformance tests run: with the environment variable PICAFUZZ_RECORD naming a directory, every load
 * of the reference and the operations after it become one case file there. ci/determinism replays them on machines
 * and compilers where the test framework is not to be had.
 */
#ifndef TESTS_CONFORMANCE_RECORD_H
#define TESTS_CONFORMANCE_RECORD_H

#include "pica/backend.h"

struct record;

/* NULL if nothing is to be recorded; the other functions accept that. */
struct record *record_create(void);

/* Writes what was recorded so far and begins a case from `setup`. */
void record_load(struct record *record, const struct pica_setup *setup);
void record_operation(struct record *record, const struct pica_operation *operation);

/* Writes the last case. */
void record_destroy(struct record *record);

#endif
