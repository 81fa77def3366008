/* Digests of a run by part and by surface (docs/formats/vectors.md). */
#ifndef HARNESS_VECTORS_DIGEST_H
#define HARNESS_VECTORS_DIGEST_H

#include "harness/run/surfaces.h"
#include "oracles/run.h"

#include <stdbool.h>

enum {
    VECTORS_PARTS = 10 /* bits of enum pica_part */
};

struct vectors_digests {
    uint64_t parts[VECTORS_PARTS];
    uint64_t surfaces[HARNESS_MAX_SURFACES];
};

/* `before`: those of a run whose state was `state`; what of it is the same now is not digested again. NULL: none. False
 * if the host refuses memory. */
bool vectors_digest(const struct oracle_run *run, const struct harness_surfaces *surfaces,
                    const struct vectors_digests *before, const struct pica_state *state, struct vectors_digests *out);

#endif
