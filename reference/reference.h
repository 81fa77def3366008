/*
 * The reference backend: the clear, scalar implementation of docs/spec. Everything else of reference/ is private.
 * Comments cite the rule that a function implements; the provenance of a rule (GEN-07) is the specification's business.
 */
#ifndef REFERENCE_REFERENCE_H
#define REFERENCE_REFERENCE_H

#include "pica/backend.h"
#include "pica/images.h"
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

/*
 * A level of an image unit, as registers and memory say at this moment (pica/images.h); also while a draw is reported.
 * PICA_BAD_ARGUMENT where the unit is not live (TEX-16) or has no such face or level.
 */
enum pica_status ref_find_image(void *instance, uint32_t unit, uint32_t face, uint32_t level, struct pica_image *out);

/* Its texels, bytes R G B A, the first row of memory first, which is the upper one (TEX-21); `size` is exactly theirs.
 * What a unit that compares (SDW) reads is not a colour: its texels come out as their four bytes. */
enum pica_status ref_read_image(void *instance, const struct pica_image *image, uint8_t *rgba, size_t size);

#endif
