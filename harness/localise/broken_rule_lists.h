/* Outcomes of commands that draw nothing: how the two sides differ in registers and state, what the list did before.
 * Private to harness/localise. */
#ifndef HARNESS_LOCALISE_BROKEN_RULE_LISTS_H
#define HARNESS_LOCALISE_BROKEN_RULE_LISTS_H

#include "harness/localise/localise_parts.h"

/* Registers, state or events, not by a draw. */
bool broken_rule_is_about_state(const struct harness_location *location);

/* The first uniform that differs: has it the same numbers in other places, or other ones? */
bool broken_rule_is_stored_otherwise(const struct harness_localise *search, bool shuffled);

/* The register of a command with several parameters that all go to it. */
bool broken_rule_is_other_word(const struct harness_localise *search, const struct harness_location *location);

/* One side does not run the list at all. */
bool broken_rule_is_not_started(const struct harness_localise *search, const struct harness_location *location);

/* The command follows a padding word. */
bool broken_rule_is_after_padding(const struct harness_localise *search, const struct harness_location *location);

/* Does the list draw before the guilty command? */
bool broken_rule_is_after_draw(const struct harness_localise *search, const struct harness_location *location);

/* The command writes a register that does not exist; `past_end`: its last parameters do. */
bool broken_rule_is_high(const struct harness_location *location, bool past_end);

#endif
