/* Which rules a machine may break where a location says that it differs. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_BROKEN_RULE_H
#define HARNESS_LOCALISE_BROKEN_RULE_H

#include "harness/localise/localise_parts.h"

/* Fills out->broken by broken_rule.def; needs all else of the location. */
void harness_localise_rule(const struct harness_localise *search, struct harness_location *out);

/* The unit, light or stage that the step which differs belongs to (trace.def); 0 without a step. */
uint32_t broken_rule_instance(const struct harness_location *location);

#endif
