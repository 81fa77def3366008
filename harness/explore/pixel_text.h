/* Pixels, fragments and traced values as people read them in a table. */
#ifndef HARNESS_EXPLORE_PIXEL_TEXT_H
#define HARNESS_EXPLORE_PIXEL_TEXT_H

#include "harness/case/text.h"
#include "harness/explore/pixel_history.h"

/* "0xFF0000FF (255 0 0 255)", "depth 0xFFFFFF stencil 0x00", "0xFFFF". */
void harness_pixel_text(const struct harness_pixel_target *target, const uint8_t bytes[4], struct harness_text *out);

/* "BEFORE -> AFTER", or "BEFORE, stays". */
void harness_pixel_change_text(const struct harness_pixel_target *target, const uint8_t before[4],
                               const uint8_t after[4], struct harness_text *out);
void harness_pixel_visit_text(const struct harness_pixel_target *target, const struct pica_visit_pixel *pixel,
                              struct harness_text *out);

/* "ended by the alpha test". */
const char *harness_visit_end_text(const struct pica_visit *visit);

/* A step of a trace in a line: "texture, texel 64: 255 0 0 255". */
void harness_step_text(const struct pica_trace_step *step, struct harness_text *out);

/* The values of a step, weights as whole numbers, operands apart; floats that differ have their bits beside them. */
void harness_step_table_text(const struct pica_trace_step *step, bool differs, struct harness_text *out);

/* "texture, texel 0, unit 1 level 3", "lighting, lookup SP, light 2": indices of pica/trace.def taken apart. */
void harness_step_label(const struct pica_trace_step *step, struct harness_text *out);

/* What these values are. */
const char *harness_step_note(const struct pica_trace_info *info);

#endif
