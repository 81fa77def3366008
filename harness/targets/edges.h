/*
 * The edges of plug-ins in processes of their own, told to the engine as if they were this program's. A plug-in in this
 * process calls the engine by itself when it is loaded, but libFuzzer does not take guards (trace-pc-guard,
 * afl-clang-fast): they are told, too.
 *
 * Engines get counters and a table of places, as for a shared library (AFL++: counters_afl.h). Without an engine
 * nothing happens, nor if PICAFUZZ_EDGES is 0.
 */
#ifndef HARNESS_TARGETS_EDGES_H
#define HARNESS_TARGETS_EDGES_H

#include "harness/run/pair.h"

struct edges;

/* Before the engine begins: tells it how many there are. NULL if no plug-in has any, or for lack of memory. */
struct edges *edges_create(const struct harness_backend *backends, size_t count);
void edges_destroy(struct edges *edges); /* accepts NULL; the engine must be done */

/* After an input: which of them it reached. Accepts NULL. */
void edges_tell(struct edges *edges, struct harness_pair *pair);

#endif
