/* Outcomes of commands that draw nothing: how the two sides differ in registers and state, and what the list did before
 * the guilty command. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_BROKEN_RULE_LISTS_H
#define HARNESS_LOCALISE_BROKEN_RULE_LISTS_H

#include "harness/localise/localise_parts.h"

/* Do registers, state or events differ, and not because of a draw? */
bool broken_rule_is_about_state(const struct harness_location *location);

/* Has the first differing uniform the same numbers in another order (`shuffled`), or other numbers (else)? */
bool broken_rule_is_stored_otherwise(const struct harness_localise *search, bool shuffled);

/* Does the register differ that a command with several parameters writes with all of them? */
bool broken_rule_is_other_word(const struct harness_localise *search, const struct harness_location *location);

/* Does one side not run the list at all? */
bool broken_rule_is_not_started(const struct harness_localise *search, const struct harness_location *location);

/* Does the guilty command follow a padding word (CMD-03)? */
bool broken_rule_is_after_padding(const struct harness_localise *search, const struct harness_location *location);

/* Does the list draw before the guilty command? */
bool broken_rule_is_after_draw(const struct harness_localise *search, const struct harness_location *location);

/* Does the command name a register that does not exist? `past_end`: it names an existing one, but its last parameters
 * go past the end. */
bool broken_rule_is_high(const struct harness_location *location, bool past_end);

#endif
