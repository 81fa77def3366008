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

/* What of the state differs between two machines after any operation. *alone becomes false if memory does, too, or more
 * than fits in. Events are not looked at. */
struct vectors_open {
    uint32_t count;
    uint32_t items[VECTORS_MOST_OPEN];
};
bool vectors_open_meets(const struct vectors_open *a, const struct vectors_open *b); /* have they one in common? */
bool vectors_open_join(struct vectors_open *open, const struct vectors_open *more); /* false, and as before: too many */
enum harness_status vectors_find_open(struct harness_runner *first, struct harness_runner *other,
                                      const struct harness_program *program, struct vectors_open *open, bool *alone,
                                      struct harness_error *error);

/* One number for all that is there after each operation, events aside; the same on the same host only. */
enum harness_status vectors_trace(struct harness_runner *runner, const struct harness_program *program, uint64_t *out,
                                  struct harness_error *error);

#endif
