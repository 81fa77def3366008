/* What a machine leaves after each operation of a case. Private to harness/vectors. */
#ifndef HARNESS_VECTORS_STEPS_H
#define HARNESS_VECTORS_STEPS_H

#include "harness/run/recording.h"
#include "harness/run/runner.h"
#include "harness/vectors/digest.h"
#include "harness/vectors/vectors.h"

/* Digests that changed, by step. Start from zeroes. */
struct vectors_steps {
    struct vectors_digest *items;
    size_t count;
    uint32_t tells; /* enum pica_part, or'ed: where anything changed */
    bool undefined; /* behaviour that the specification marks UB was touched */
    bool failed;    /* the host refused memory */
};

void vectors_steps_free(struct vectors_steps *steps);

/* Which surfaces the case uses. */
enum harness_status vectors_find_surfaces(struct harness_runner *runner, const struct harness_program *program,
                                          struct harness_surfaces *surfaces, struct harness_error *error);

/* Runs the case; with a recorder, also records it there as `name`. */
enum harness_status vectors_take_steps(struct harness_runner *runner, const struct harness_program *program,
                                       const struct harness_surfaces *surfaces, struct vectors_steps *out,
                                       struct harness_recorder *recorder, const char *name,
                                       struct harness_error *error);

/* Numbers for all that is there after the load and each operation, events aside; the same on the same host only. */
struct vectors_trace {
    uint64_t memory, state;
};
enum harness_status vectors_take_trace(struct harness_runner *runner, const struct harness_program *program,
                                       struct vectors_trace *out, struct harness_error *error);
bool vectors_trace_equal(const struct vectors_trace *a, const struct vectors_trace *b);

#endif
