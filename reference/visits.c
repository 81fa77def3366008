/*
 * Histories of pixels in bulk: what every fragment found in the two buffers and what it left there.
 *
 * A fragment begins when a triangle covers a pixel that the scissor test lets through. The stored bits are read before
 * its stages and again after them, from the copies that the batch works on (FBF-18), so that a fragment sees what the
 * one before it in the same batch wrote. The test that ended it is known from the outcome that the test reports to
 * traces. Reading a block of a buffer copies it, and what is only copied is never stored, so nothing changes.
 *
 * Worked number: two triangles of one draw cover a pixel that is 00000000; the first writes FF0000FF. The second one's
 * visit has color.before = FF0000FF, although guest memory still holds 00000000.
 */
#include "reference/visits.h"

#include "reference/framebuffer.h"

#include <stdlib.h>

struct ref_history {
    struct pica_visits visits;
    struct pica_visit visit; /* the running one */
    bool is_visit;           /* a visit is running; else a vertex, which lasts until its triangles are drawn */
    bool wants_visit_steps, wants_vertex_steps;
};

void ref_history_destroy(struct ref_history *history)
{
    free(history);
}

void ref_forget_watcher(struct ref_gpu *gpu)
{
    ref_history_destroy(gpu->trace.history);
    gpu->trace = (struct ref_trace){ .draws = gpu->trace.draws, .triangles = gpu->trace.triangles };
}

/* The sink of an observer that wants no steps: tracing is only on if there is a sink. */
static void drop(void *user, const struct pica_trace_step *step)
{
    (void)user;
    (void)step;
}

enum pica_status ref_history_set(struct ref_gpu *gpu, const struct pica_visits *visits)
{
    struct ref_history *const history = visits != NULL ? calloc(1, sizeof *history) : NULL;
    if (visits != NULL && history == NULL)
        return PICA_NO_MEMORY;
    ref_forget_watcher(gpu);
    if (history == NULL)
        return PICA_OK;
    history->visits = *visits;
    gpu->trace.history = history;
    gpu->trace.sink = visits->step != NULL ? visits->step : drop;
    gpu->trace.user = visits->user;
    return PICA_OK;
}

/* -------------------------------------------------------------------------------------------------------- vertices */

bool ref_visits_want_vertex(const struct ref_gpu *gpu, uint32_t number)
{
    struct ref_history *const history = gpu->trace.history;
    const struct pica_visits *const visits = &history->visits;
    history->wants_vertex_steps = visits->step != NULL && visits->wants_vertex != NULL &&
                                  visits->wants_vertex(visits->user, gpu->trace.draws, number);
    return history->wants_vertex_steps;
}

/* ------------------------------------------------------------------------------------------------------- fragments */

/* The pixel with this number in one of the batch's buffers. */
static struct pica_visit_pixel look(const struct ref_gpu *gpu, struct ref_surface *surface, uint32_t index,
                                    uint32_t bytes)
{
    const uint32_t offset = surface->first + index * bytes;
    struct pica_visit_pixel pixel = { bytes, surface->address + offset, 0, 0 };
    pixel.before = ref_surface_read(gpu, surface, offset, bytes);
    pixel.after = pixel.before;
    return pixel;
}

/* FBF-14, FBF-30: a buffer that the batch does not use, or whose format is reserved, has no pixels. */
bool ref_visit_begin(const struct ref_gpu *gpu, int32_t x, int32_t y)
{
    struct ref_history *const history = gpu->trace.history;
    struct ref_batch *const batch = gpu->batch;
    const uint32_t column = (uint32_t)x, row = (uint32_t)y;
    const enum pica_visit_wish wish = history->visits.wants(history->visits.user, gpu->trace.draws, column, row);
    if (wish == PICA_VISIT_UNWANTED)
        return false;
    const uint32_t index = ref_pixel_index(batch, column, row);
    history->is_visit = true;
    history->wants_visit_steps = wish == PICA_VISIT_WITH_STEPS && history->visits.step != NULL;
    history->visit = (struct pica_visit){
        gpu->trace.draws, gpu->trace.triangles - 1u, column, row, PICA_VISIT_PASSED, false, { 0 }, { 0 }
    };
    if (batch->color_used && batch->color_bytes != 0)
        history->visit.color = look(gpu, &batch->color, index, batch->color_bytes);
    if (batch->depth_used && batch->depth_format != PICA_DEPTH_FORMAT_RESERVED_1)
        history->visit.depth = look(gpu, &batch->depth, index, batch->depth_bytes);
    return true;
}

/* The last value of a test is its outcome. */
bool ref_visit_step(const struct ref_gpu *gpu, enum pica_trace_id id, const uint32_t *values, uint32_t count)
{
    struct ref_history *const history = gpu->trace.history;
    const bool failed = values[count - 1] == 0;
    if (id == PICA_TRACE_ID_ALPHA_TEST && failed)
        history->visit.end = PICA_VISIT_ALPHA_TEST;
    else if (id == PICA_TRACE_ID_STENCIL_TEST && failed)
        history->visit.end = PICA_VISIT_STENCIL_TEST;
    else if (id == PICA_TRACE_ID_DEPTH_TEST && failed)
        history->visit.end = PICA_VISIT_DEPTH_TEST;
    return history->is_visit ? history->wants_visit_steps : history->wants_vertex_steps;
}

static void look_again(const struct ref_gpu *gpu, struct ref_surface *surface, struct pica_visit_pixel *pixel)
{
    if (pixel->bytes != 0)
        pixel->after = ref_surface_read(gpu, surface, pixel->address - surface->address, pixel->bytes);
}

void ref_visit_end(const struct ref_gpu *gpu)
{
    struct ref_history *const history = gpu->trace.history;
    look_again(gpu, &gpu->batch->color, &history->visit.color);
    look_again(gpu, &gpu->batch->depth, &history->visit.depth);
    history->is_visit = false;
    history->visit.has_written = gpu->batch->has_written;
    history->visits.visit(history->visits.user, &history->visit);
}
