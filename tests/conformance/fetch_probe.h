/* Vertices that are bytes: for tests of what is loaded, in which order. */
#ifndef TESTS_CONFORMANCE_FETCH_PROBE_H
#define TESTS_CONFORMANCE_FETCH_PROBE_H

#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

static const uint32_t BYTE_ARRAY = 0x20008000; /* vertex base */

/*
 * A pipeline whose vertex v has position.x = byte v of the array at BYTE_ARRAY (bytes are v + 1), nothing else:
 * attribute 0 is one u8, the VS copies v0 to o0 (slots 00-03) and v1 to o1 (04-07). `changes` follow; no trigger, no
 * FINALIZE.
 */
struct list byte_list(struct machine *m, const struct list *changes);
void byte_pipeline(struct machine *m, struct list *list, const struct list *changes);

/* The assembler, and position.x of its buffered vertex i. */
const struct pica_assembler_state *byte_assembler(struct machine *m);
uint32_t buffered_x(struct machine *m, uint32_t i);

/* Binary32 bits of a small integer. */
uint32_t integer(int32_t value);

#endif
