/*
 * The reference backend: the clear, scalar implementation of docs/spec. Everything else of reference/ is private.
 * Comments cite the rule that a function implements; the provenance of a rule (GEN-07) is the specification's business.
 */
#ifndef REFERENCE_REFERENCE_H
#define REFERENCE_REFERENCE_H

#include "pica/backend.h"

#include <stdbool.h>

const struct pica_backend *ref_backend(void);

/* Whether an instance takes the shortcuts of reference/shortcuts.h; it does from its creation on. For tests. */
void ref_set_shortcuts(void *instance, bool on);

#endif
