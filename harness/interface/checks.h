/* Checks that load many cases. Private to the room. */
#ifndef HARNESS_INTERFACE_CHECKS_H
#define HARNESS_INTERFACE_CHECKS_H

#include "harness/interface/bench.h"

/* Twins of cases that differ must be told apart. */
void check_twins(struct interface_bench *bench);

/* A case gives the same, whatever was run before it. */
void check_leaks(struct interface_bench *bench);

/* The same over 1000 loads, and memory does not grow. */
void check_loads(struct interface_bench *bench);

/* The same case again, and in a new instance. */
void check_deterministic(struct interface_bench *bench);

/* The process that a plug-in shares is as it was before, but for what is the plug-in's own. */
void check_surroundings(struct interface_bench *bench);

/* Leaves the digests of all twins for who waits. */
void check_fresh_process(struct interface_bench *bench);

#endif
