/*
 * Semantic coverage: what a case exercises, counted in terms of the machine, not of a program
 * (docs/semantic-coverage.md). The universe is the list of everything there is to exercise, made from the tables of
 * pica/; a collector watches one run through pica/backend.h and marks what it saw.
 */
#ifndef HARNESS_COVERAGE_UNIVERSE_H
#define HARNESS_COVERAGE_UNIVERSE_H

#include "pica/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum harness_area {
    HARNESS_AREA_REGISTERS = 0, /* each register */
    HARNESS_AREA_FIELDS = 1,    /* each field that is not an enumeration: zero, maximum, reset value, any other */
    HARNESS_AREA_VALUES = 2,    /* each value of each enumerated field */
    HARNESS_AREA_PAIRS = 3,     /* pairs of values of small fields within a stage (pica/stages.def) */
    HARNESS_AREA_OPCODES = 4,   /* each shader opcode */
    HARNESS_AREA_OPERANDS = 5,  /* each kind of operand of each opcode */
    HARNESS_AREA_EVENTS = 6,    /* each `UB:` event */
    HARNESS_AREA_OUTCOMES = 7,  /* each counter of pica/features.def that tells an outcome */
    HARNESS_AREA_REREADS = 8,   /* what is read, who wrote it last, whether it was read before (rereads.h) */
    HARNESS_AREA_DELTAS = 9     /* each register that alone changed from one draw to the next (deltas.h) */
};

enum {
    HARNESS_AREA_TOTAL = 10
};

/* "registers"; NULL for numbers that name no area. */
const char *harness_area_name(enum harness_area area);

struct harness_universe;

/* NULL if the host refuses memory. */
struct harness_universe *harness_universe_create(void);
void harness_universe_destroy(struct harness_universe *universe); /* accepts NULL */

/* Items are numbered from 0, area by area. */
size_t harness_universe_items(const struct harness_universe *universe);
void harness_universe_area(const struct harness_universe *universe, enum harness_area area, size_t *first,
                           size_t *count);

/* "TEXENV3_COMBINER.rgb_mode=add": unique within its area; at most size - 1 characters. */
void harness_item_name(const struct harness_universe *universe, size_t item, char *out, size_t size);

/* What is known about an item. */
enum {
    HARNESS_MARK_SEEN = 1,   /* it was in a register, ran, or happened */
    HARNESS_MARK_EFFECT = 2, /* and it mattered */
    HARNESS_MARK_IGNORED = 4 /* harness_collector_ignore */
};

/* Watches runs on one instance of one backend. */
struct harness_collector;

/*
 * NULL if the host refuses memory. `marks`: harness_universe_items bytes, HARNESS_MARK_* bits are added to them. The
 * collector occupies the instance's observers of draws and features until it is destroyed; with a backend that lacks
 * features it sees less.
 */
struct harness_collector *harness_collector_create(const struct harness_universe *universe,
                                                   const struct pica_backend *backend, void *instance, uint8_t *marks);
void harness_collector_destroy(struct harness_collector *collector); /* accepts NULL */

/* Makes the collector faster ("in a hurry"): from now on only draws with effect are looked at, only what had effect
 * is marked, pairs only if `pairs`; and each begin clears the marks of the run before. False if the host refuses
 * memory. */
bool harness_collector_hurry(struct harness_collector *collector, bool pairs);

/* In a hurry: the items that were marked since begin, each once, in the order of a run. */
const uint32_t *harness_collector_hits(const struct harness_collector *collector, size_t *count);

/* In a hurry: from the next begin on the item is never among the hits. */
void harness_collector_ignore(struct harness_collector *collector, uint32_t item);

/* For callers that run the case themselves, in a hurry: begin before it is loaded, with `setup` NULL, and finish after
 * its last operation. */
void harness_collector_begin(struct harness_collector *collector, const struct pica_setup *setup);
void harness_collector_finish(struct harness_collector *collector);

/* In a hurry, after each operation: notes what it wrote and read. May be left out; then no rereads are seen. */
void harness_collector_step(struct harness_collector *collector, const struct pica_operation *operation);

/* Loads and runs a case and does all of the above. */
enum pica_status harness_collector_run(struct harness_collector *collector, const struct pica_setup *setup,
                                       const struct pica_operation *operations, size_t count);

#endif
