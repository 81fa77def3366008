/* Which rules of the specification a backend may break, given where it differs. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_BROKEN_RULE_H
#define HARNESS_LOCALISE_BROKEN_RULE_H

#include "harness/localise/localise_parts.h"

/* Fills out->broken from broken_rule.def. All other members of the location must be filled in. */
void harness_localise_rule(const struct harness_localise *search, struct harness_location *out);

/* The number of the unit, light or stage that the differing trace step belongs to (trace.def); 0 without a step. */
uint32_t broken_rule_instance(const struct harness_location *location);

#endif
