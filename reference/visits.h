/*
 * Histories of pixels in bulk (pica/visits.h). Their observer takes the place of a tracer (trace.h), but it is asked
 * for each fragment whether it wants it, and also gets what was stored before and after the fragment.
 */
#ifndef REFERENCE_VISITS_H
#define REFERENCE_VISITS_H

#include "reference/gpu.h"

#include "pica/trace.h"
#include "pica/visits.h"

struct ref_history;

/* Removes the observer, tracer or history; sets an observer of fragments (ref_observe_visits), NULL: removes it. */
void ref_forget_watcher(struct ref_gpu *gpu);
enum pica_status ref_history_set(struct ref_gpu *gpu, const struct pica_visits *visits);
void ref_history_destroy(struct ref_history *history); /* accepts NULL */

/* Whether the observer wants the steps of a vertex; whether it wants a fragment, whose visit then begins. */
bool ref_visits_want_vertex(const struct ref_gpu *gpu, uint32_t number);
bool ref_visit_begin(const struct ref_gpu *gpu, int32_t x, int32_t y);

/* Looks at a step of the running visit or vertex and notes how a test ended. True if the observer wants the step. */
bool ref_visit_step(const struct ref_gpu *gpu, enum pica_trace_id id, const uint32_t *values, uint32_t count);

/* Ends the running visit and reports it. */
void ref_visit_end(const struct ref_gpu *gpu);

#endif
