/* A step of a trace in words. */
#ifndef HARNESS_EXPLORE_STEP_TEXT_H
#define HARNESS_EXPLORE_STEP_TEXT_H

#include "harness/run/step_values.h"

/* "texture, texel 64: 255 0 0 255"; what a plug-in reports may be anything. */
void harness_step_text(const struct pica_trace_step *step, struct harness_text *out);

/* "texture, texel 64". */
void harness_step_name(const struct pica_trace_step *step, struct harness_text *out);

#endif
