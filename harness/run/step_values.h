/* The values of a trace's step as text. */
#ifndef HARNESS_RUN_STEP_VALUES_H
#define HARNESS_RUN_STEP_VALUES_H

#include "harness/case/text.h"
#include "pica/backend.h"

/* Integers, or each float with its bits; what a plug-in reports may be anything. */
void harness_step_values(const struct pica_trace_step *step, struct harness_text *out);

/* The same, floats without bits. */
void harness_step_numbers(const struct pica_trace_step *step, struct harness_text *out);

#endif
