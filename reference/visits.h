/*
 * Histories of pixels in bulk (pica/visits.h). Whoever asks for them watches like a tracer (trace.h), but is asked for
 * each fragment whether it is wanted, and gets what was stored before and after it.
 */
#ifndef REFERENCE_VISITS_H
#define REFERENCE_VISITS_H

#include "reference/gpu.h"

#include "pica/trace.h"
#include "pica/visits.h"

struct ref_history;

/* Nobody watches from now on; who watches fragments from now on (ref_observe_visits), NULL: nobody. */
void ref_forget_watcher(struct ref_gpu *gpu);
enum pica_status ref_history_set(struct ref_gpu *gpu, const struct pica_visits *visits);
void ref_history_destroy(struct ref_history *history); /* accepts NULL */

/* Whether the steps of a vertex, or of a fragment, are looked at. The latter begins if so. */
bool ref_visits_want_vertex(const struct ref_gpu *gpu, uint32_t number);
bool ref_visit_begin(const struct ref_gpu *gpu, int32_t x, int32_t y);

/* A step of it: notes how a test ended. False: nobody else wants it. */
bool ref_visit_step(const struct ref_gpu *gpu, enum pica_trace_id id, const uint32_t *values, uint32_t count);

/* The fragment is over. */
void ref_visit_end(const struct ref_gpu *gpu);

#endif
