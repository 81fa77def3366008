/*
 * The reference backend: the clear, scalar implementation of docs/spec. Everything else of reference/ is private.
 * Comments cite the rule that a function implements; the provenance of a rule (GEN-07) is the specification's business.
 */
#ifndef REFERENCE_REFERENCE_H
#define REFERENCE_REFERENCE_H

#include "pica/backend.h"
#include "pica/splits.h"
#include "pica/visits.h"

#include <stdbool.h>

const struct pica_backend *ref_backend(void);

/* Whether an instance takes the shortcuts of reference/shortcuts.h; it does from its creation on. For tests. */
void ref_set_shortcuts(void *instance, bool on);

/*
 * The sides that an instance takes where sources differ. NULL means the normative ones, which a new instance takes.
 * Before a load, because reset values are choices; they stay over loads. Events under other sides than the normative
 * ones mean nothing. PICA_BAD_ARGUMENT: one of the numbers is no side; nothing changed.
 */
enum pica_status ref_set_choices(void *instance, const struct pica_choices *choices);

/*
 * From now on tells of all fragments that are asked for (pica/visits.h); NULL ends that, loading a case does not. In
 * place of pica_backend.trace: whichever of the two was called last holds. `visits` is copied.
 */
enum pica_status ref_observe_visits(void *instance, const struct pica_visits *visits);

#endif
