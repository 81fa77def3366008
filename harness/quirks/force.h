/*
 * Forcing: gives a field or a register one value wherever a case sets it. Both sides run the changed case, so a feature
 * that one of them lacks (linear filtering, say) is switched off and everything else is still compared.
 */
#ifndef HARNESS_QUIRKS_FORCE_H
#define HARNESS_QUIRKS_FORCE_H

#include "harness/case/case.h"
#include "harness/case/text.h"
#include "harness/quirks/visit.h"
#include "pica/fields.h"

/* Zero to begin with. */
struct harness_force {
    uint32_t count;                 /* statements that were added */
    uint32_t masks[HARNESS_SLOTS];  /* the bits of each register that are forced */
    uint32_t values[HARNESS_SLOTS]; /* what these bits get */
};

/*
 * Adds a statement:
 *
 *     TEXUNIT0_PARAM.mag_filter = nearest     a field of a register, by the names of pica/fields.def; case is ignored
 *     texunit_param.mag_filter = nearest      ... of all registers of that layout
 *     BLEND_FUNC = 0x01010000                 a whole register
 *     BLEND_FUNC & 0xFF = 0                   bits of it
 *     IRQ_COMPARE0 = reset                    the value after reset
 *     unused = reset                          all registers without a meaning (REG-06)
 *     cpu-only = reset                        all registers that lists cannot write (REG-11)
 *
 * HARNESS_BAD_INPUT: the message says what was expected, and suggests a name.
 */
enum harness_status harness_force_add(struct harness_force *force, const char *statement, struct harness_error *error);

/* Rewrites the case. Returns how many words changed, -1 without memory. */
int64_t harness_force_apply(const struct harness_force *force, struct harness_case *test_case);

/* Is the case already as harness_force_apply leaves it? */
bool harness_force_holds(const struct harness_force *force, struct harness_case *test_case);

/*
 * Rewrites the case so that `field`, in all registers of its layout, holds `usual` wherever it would hold one of the
 * values: bit v stands for value v, so the field has at most 7 bits. Returns how many words changed, -1 without memory.
 */
int64_t harness_force_values(struct harness_case *test_case, const struct pica_field_info *field,
                             const uint64_t values[2], uint32_t usual);

/* The field that "REGISTER.field" or "layout.field" names. `slot` is HARNESS_SLOTS for all registers of the layout. */
enum harness_status harness_force_field(const char *name, const struct pica_field_info **field, uint32_t *slot,
                                        struct harness_error *error);

/* The layout of a slot; PICA_LAYOUT_NONE if there is none. */
enum pica_layout harness_slot_layout(uint32_t slot);

#endif
