/* `reference`, and one that takes each other side of each known choice. Private to harness/vectors. */
#ifndef HARNESS_VECTORS_MACHINES_H
#define HARNESS_VECTORS_MACHINES_H

#include "harness/run/backends.h"
#include "harness/run/runner.h"
#include "harness/vectors/vectors.h"

enum {
    VECTORS_ALL_SIDES = PICA_CHOICES * PICA_MOST_SIDES + 1, /* 0 is the specification, then by choice and side */
    VECTORS_MOST_COMBINED = 800,                            /* sets of sides that one machine takes */
    VECTORS_ALL_MACHINES = VECTORS_ALL_SIDES + VECTORS_MOST_COMBINED
};

struct vectors_machines;

struct vectors_machines *vectors_machines_create(void); /* NULL if the host refuses memory */
void vectors_machines_destroy(struct vectors_machines *machines);

/* Made when it is asked for first. `side`: 0 .. VECTORS_ALL_SIDES - 1, or what vectors_machines_combined gave. */
enum harness_status vectors_machine(struct vectors_machines *machines, size_t side, struct harness_runner **out,
                                    struct harness_error *error);

/* "", "zero-area=drawn", "row-order=backwards+zero-area=drawn". */
void vectors_machine_name(const struct vectors_machines *machines, size_t side, char out[VECTORS_TEXT]);

/* Which sides, each taken alone, leave something else than the specification: numbers into sides[0 .. most). *count may
 * be larger than `most`. A case that many sides change together and none alone is not seen. */
enum harness_status vectors_machines_differing(struct vectors_machines *machines, const struct harness_program *program,
                                               uint32_t *sides, size_t most, size_t *count,
                                               struct harness_error *error);

/* Adds, behind sides[0 .. *count), machines that take one side each of two or more of their choices, where that leaves
 * something that none before leaves. *fits becomes false, and nothing is added, where all that there are do not fit
 * into `most`. */
enum harness_status vectors_machines_combined(struct vectors_machines *machines, const struct harness_program *program,
                                              uint32_t *sides, size_t most, size_t *count, bool *fits,
                                              struct harness_error *error);

#endif
