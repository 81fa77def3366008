/* The value that a field usually has in what programs send: what a case holds where nothing else is needed. */
#ifndef HARNESS_CASE_USUAL_H
#define HARNESS_CASE_USUAL_H

#include "pica/fields.h"

#include <stdbool.h>
#include <stdint.h>

/* Right-aligned; `reset`: what the field holds after reset, which is the answer for most. */
uint32_t harness_usual_value(const struct pica_field_info *field, uint32_t reset);

/* True if the table has a value for the field. */
bool harness_usual_is_named(const struct pica_field_info *field);

#endif
