/*
 * The reference backend: the clear, scalar implementation of docs/spec. Everything else of reference/ is private.
 * Comments cite the rule that a function implements; the provenance of a rule (GEN-07) is the specification's business.
 */
#ifndef REFERENCE_REFERENCE_H
#define REFERENCE_REFERENCE_H

#include "pica/backend.h"
#include "pica/images.h"
#include "pica/splits.h"
#include "pica/state.h"
#include "pica/visits.h"

#include <stdbool.h>

const struct pica_backend *ref_backend(void);

/* Switches the shortcuts of reference/shortcuts.h on or off; they are on in a new instance. For tests. */
void ref_set_shortcuts(void *instance, bool on);

/*
 * Sets the sides that an instance takes where sources differ (pica/splits.h). NULL means the normative ones, which a
 * new instance takes. Call it before a load, because some choices are about reset values; the sides stay set in later
 * cases. If a side is not the normative one, events have no meaning. `choices` is copied. PICA_BAD_ARGUMENT if a number
 * is not that of a side; nothing has changed then.
 */
enum pica_status ref_set_choices(void *instance, const struct pica_choices *choices);

/* The state as read_state gives it, without a copy: it belongs to the instance, and stays valid until its next call.
 * `zeros`: blocks of it that are known to hold nothing but 0. Always PICA_OK. */
enum pica_status ref_view_state(void *instance, const struct pica_state **state, struct pica_state_blocks *zeros);

/*
 * From now on, also in later cases, reports all wanted fragments (pica/visits.h) until `visits` is NULL. This and
 * pica_backend.trace replace each other: the last call of either applies. `visits` is copied. PICA_NO_MEMORY if the
 * host has none; nothing has changed then.
 */
enum pica_status ref_observe_visits(void *instance, const struct pica_visits *visits);

/*
 * Describes a level of an image unit by the current registers (pica/images.h). May be called inside an observer of
 * draws. PICA_BAD_ARGUMENT if the unit is not live (TEX-16) or has no such face or level.
 */
enum pica_status ref_find_image(void *instance, uint32_t unit, uint32_t face, uint32_t level, struct pica_image *out);

/* Decodes the texels of `image` to bytes R G B A, beginning with the first row in memory, the upper one (TEX-21).
 * `size` has to be width * height * 4. The texels of a shadow map (SDW) are no colours; they come out as four bytes. */
enum pica_status ref_read_image(void *instance, const struct pica_image *image, uint8_t *rgba, size_t size);

#endif
