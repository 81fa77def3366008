#include "tests/reference/tracer.h"

#include <stdio.h>
#include <string.h>

static void collect(void *user, const struct pica_trace_step *step)
{
    struct tracer *tracer = user;
    if (pica_trace_info_by_name(step->stage, step->name) == NULL)
        return; /* what a rule gives on the way */
    cr_assert(tracer->count < TRACER_STEPS, "more steps than expected");
    tracer->steps[tracer->count++] = *step;
}

static void start(struct tracer *tracer, struct machine *m, const struct pica_trace_request *request)
{
    tracer->m = m;
    tracer->count = 0;
    cr_assert_eq(m->backend->trace(m->instance, request, collect, tracer), PICA_OK);
}

void tracer_pixel(struct tracer *tracer, struct machine *m, uint32_t draw, uint32_t x, uint32_t y)
{
    const struct pica_trace_request request = { draw, PICA_TRACE_PIXEL, x, y };
    start(tracer, m, &request);
}

void tracer_vertex(struct tracer *tracer, struct machine *m, uint32_t draw, uint32_t vertex)
{
    const struct pica_trace_request request = { draw, PICA_TRACE_VERTEX, vertex, 0 };
    start(tracer, m, &request);
}

void tracer_vertices(struct tracer *tracer, struct machine *m, uint32_t draw)
{
    const struct pica_trace_request request = { draw, PICA_TRACE_VERTICES, 0, 0 };
    start(tracer, m, &request);
}

void tracer_stop(struct tracer *tracer)
{
    cr_assert_eq(tracer->m->backend->trace(tracer->m->instance, NULL, NULL, NULL), PICA_OK);
}

static bool is_step(const struct pica_trace_step *step, enum pica_trace_id id)
{
    return pica_trace_info_by_name(step->stage, step->name) == pica_trace_info(id);
}

uint32_t tracer_occurrences(const struct tracer *tracer, enum pica_trace_id id)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < tracer->count; i++)
        count += is_step(&tracer->steps[i], id);
    return count;
}

const struct pica_trace_step *tracer_find(const struct tracer *tracer, enum pica_trace_id id, uint32_t index,
                                          uint32_t occurrence)
{
    for (uint32_t i = 0; i < tracer->count; i++)
        if (is_step(&tracer->steps[i], id) && tracer->steps[i].index == index && occurrence-- == 0)
            return &tracer->steps[i];
    return NULL;
}

static void print_values(char *text, size_t size, const uint32_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, " %X", (unsigned)values[i]);
    }
}

bool tracer_step_is(const struct tracer *tracer, enum pica_trace_id id, uint32_t index, const uint32_t *values,
                    uint32_t count)
{
    const struct pica_trace_info *const info = pica_trace_info(id);
    const struct pica_trace_step *const step = tracer_find(tracer, id, index, 0);
    struct machine *const m = tracer->m;
    const int head = snprintf(m->message, sizeof m->message, "%s: %s: %s, %s, index %u: ", m->name, m->row, info->stage,
                              info->name, (unsigned)index);
    char *const tail = m->message + head;
    const size_t rest = sizeof m->message - (size_t)head;
    if (step == NULL) {
        snprintf(tail, rest, "not reported");
        return false;
    }
    snprintf(tail, rest, "expected");
    print_values(m->message, sizeof m->message, values, count);
    strncat(m->message, ", got", sizeof m->message - strlen(m->message) - 1u);
    print_values(m->message, sizeof m->message, step->values, step->count);
    return step->type == info->type && step->count == count &&
           memcmp(step->values, values, count * sizeof *values) == 0;
}

bool tracer_contains(const struct tracer *whole, uint32_t first, const struct tracer *part)
{
    if (first + part->count > whole->count)
        return false;
    for (uint32_t i = 0; i < part->count; i++) {
        const struct pica_trace_step *const a = &whole->steps[first + i], *const b = &part->steps[i];
        if (strcmp(a->stage, b->stage) != 0 || strcmp(a->name, b->name) != 0 || a->index != b->index ||
            a->count != b->count || memcmp(a->values, b->values, sizeof a->values) != 0)
            return false;
    }
    return true;
}

/* Lines of pica/trace.def whose steps belong together by index: instructions, units, lights, stages. */
static uint32_t group_of(const struct pica_trace_step *step)
{
    static const char *const repeating[] = { "shader", "texture", "lighting", "combiner" };
    for (uint32_t i = 0; i < sizeof repeating / sizeof repeating[0]; i++)
        if (strcmp(step->stage, repeating[i]) == 0)
            return i + 1u;
    return 0;
}

bool tracer_is_ordered(const struct tracer *tracer)
{
    for (uint32_t i = 1; i < tracer->count; i++) {
        const struct pica_trace_step *const before = &tracer->steps[i - 1u], *const step = &tracer->steps[i];
        const bool same_group = group_of(before) != 0 && group_of(before) == group_of(step);
        const struct pica_trace_info *const a = pica_trace_info_by_name(before->stage, before->name);
        const struct pica_trace_info *const b = pica_trace_info_by_name(step->stage, step->name);
        if (a == NULL || b == NULL || (!same_group && a > b)) {
            snprintf(tracer->m->message, sizeof tracer->m->message, "%s before %s", before->name, step->name);
            return false;
        }
    }
    return true;
}

static machine_test wanted;

static void run_on_reference(struct machine *m)
{
    if (m->is_reference)
        wanted(m);
}

void tracer_each(machine_test test)
{
    wanted = test;
    machine_each(run_on_reference);
}
