/*
 * Tells the engine the edges that a plug-in in a process of its own has reached, as if they were edges of this program.
 * An instrumented plug-in in this process calls the engine by itself when it is loaded; but libFuzzer does not support
 * guards (trace-pc-guard, afl-clang-fast), so these are told here, too.
 *
 * The engine gets counters and a table of places, as it does for a shared library (AFL++: counters_afl.h). Nothing
 * happens without an engine, or if PICAFUZZ_EDGES is 0.
 */
#ifndef HARNESS_TARGETS_EDGES_H
#define HARNESS_TARGETS_EDGES_H

#include "harness/run/pair.h"

struct edges;

/* Before the engine begins: tells it how many edges there are. NULL if no plug-in has any, or for lack of memory. The
 * caller ends it with edges_destroy. */
struct edges *edges_create(const struct harness_backend *backends, size_t count);
void edges_destroy(struct edges *edges); /* accepts NULL; the engine must have ended */

/* After an input: tells the engine which edges it reached. Accepts NULL for `edges`. */
void edges_tell(struct edges *edges, struct harness_pair *pair);

#endif
