#include "tests/fast/steps.h"

#include "fast/fast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run_with(const char *name, uint32_t instruction_sets, machine_test test)
{
    const struct pica_options options = { .flags = 0, .threads = 2, .instruction_sets = instruction_sets };
    const struct pica_setup setup = machine_default_setup();
    struct machine *const m = calloc(1, sizeof *m);
    cr_assert_not_null(m);
    m->name = name;
    m->backend = fast_backend();
    cr_assert_eq(m->backend->create(&options, &m->instance), PICA_OK);
    machine_load_setup(m, &setup);
    test(m);
    m->backend->destroy(m->instance);
    free(m);
}

void each_instruction_set(machine_test test)
{
    const uint32_t host = fast_host_instruction_sets();
    run_with("scalar", 0u, test);
    if ((host & FAST_CPU_AVX2) != 0u)
        run_with("avx2", FAST_CPU_AVX2, test);
    if ((host & FAST_CPU_AVX512) != 0u)
        run_with("avx512", FAST_CPU_AVX512, test);
    if ((host & FAST_CPU_NEON) != 0u)
        run_with("neon", FAST_CPU_NEON, test);
}

static void keep(void *user, const struct pica_trace_step *step)
{
    struct steps *const steps = user;
    cr_assert_lt(steps->count, STEPS_MAX);
    steps->steps[steps->count++] = *step;
}

static void start(struct machine *m, struct steps *steps, const struct pica_trace_request *request)
{
    steps->count = 0;
    cr_assert_eq(m->backend->trace(m->instance, request, keep, steps), PICA_OK);
}

void steps_pixel(struct machine *m, struct steps *steps, uint32_t draw, uint32_t x, uint32_t y)
{
    const struct pica_trace_request request = { .draw = draw, .subject = PICA_TRACE_PIXEL, .x = x, .y = y };
    start(m, steps, &request);
}

void steps_vertex(struct machine *m, struct steps *steps, uint32_t draw, uint32_t vertex)
{
    const struct pica_trace_request request = { .draw = draw, .subject = PICA_TRACE_VERTEX, .x = vertex };
    start(m, steps, &request);
}

void steps_vertices(struct machine *m, struct steps *steps, uint32_t draw)
{
    const struct pica_trace_request request = { .draw = draw, .subject = PICA_TRACE_VERTICES };
    start(m, steps, &request);
}

static bool is_step(const struct pica_trace_step *step, enum pica_trace_id id)
{
    const struct pica_trace_info *const info = pica_trace_info(id);
    return strcmp(step->stage, info->stage) == 0 && strcmp(step->name, info->name) == 0;
}

const struct pica_trace_step *steps_step(const struct steps *steps, enum pica_trace_id id, size_t n)
{
    for (size_t i = 0; i < steps->count; i++)
        if (is_step(&steps->steps[i], id) && n-- == 0)
            return &steps->steps[i];
    return NULL;
}

size_t steps_number(const struct steps *steps, enum pica_trace_id id)
{
    size_t number = 0;
    while (steps_step(steps, id, number) != NULL)
        number++;
    return number;
}

static int print_values(char *text, size_t size, const uint32_t *values, size_t count)
{
    int length = 0;
    for (size_t i = 0; i < count; i++)
        length += snprintf(text + length, size - (size_t)length, " %08X", (unsigned)values[i]);
    return length;
}

bool steps_holds(struct machine *m, const struct steps *steps, enum pica_trace_id id, size_t n, uint32_t index,
                 const uint32_t *values, size_t count)
{
    const struct pica_trace_info *const info = pica_trace_info(id);
    const struct pica_trace_step *const step = steps_step(steps, id, n);
    int length = snprintf(m->message, sizeof m->message, "%s %s: %s, %s, number %zu: expected [%u]", m->name, m->row,
                          info->stage, info->name, n, (unsigned)index);
    length += print_values(m->message + length, sizeof m->message - (size_t)length, values, count);
    if (step == NULL) {
        snprintf(m->message + length, sizeof m->message - (size_t)length, ", got nothing");
        return false;
    }
    length += snprintf(m->message + length, sizeof m->message - (size_t)length, ", got [%u]", (unsigned)step->index);
    print_values(m->message + length, sizeof m->message - (size_t)length, step->values, step->count);
    return step->index == index && step->type == info->type && step->count == count &&
           memcmp(step->values, values, count * sizeof values[0]) == 0;
}

/* Stages that belong to one instruction, unit, light or combiner stage are one group: inside, the index decides. */
static int group_of(enum pica_trace_id id)
{
    if (id >= PICA_TRACE_ID_SHADER_INSTRUCTION && id <= PICA_TRACE_ID_SHADER_COMPARE)
        return PICA_TRACE_ID_SHADER_INSTRUCTION;
    if (id >= PICA_TRACE_ID_GEOMETRY_INSTRUCTION && id <= PICA_TRACE_ID_OUTPUT_SLOT)
        return PICA_TRACE_ID_GEOMETRY_INSTRUCTION;
    if (id >= PICA_TRACE_ID_TEXTURE_COORDINATE && id <= PICA_TRACE_ID_TEXTURE_COLOR)
        return PICA_TRACE_ID_TEXTURE_COORDINATE;
    if (id >= PICA_TRACE_ID_LIGHT_DIRECTION && id <= PICA_TRACE_ID_LIGHT_TERMS)
        return PICA_TRACE_ID_LIGHT_DIRECTION;
    if (id >= PICA_TRACE_ID_COMBINER_OPERANDS && id <= PICA_TRACE_ID_COMBINER_OUTPUT)
        return PICA_TRACE_ID_COMBINER_OPERANDS;
    return (int)id;
}

static enum pica_trace_id id_of(const struct pica_trace_step *step)
{
    for (int id = 0; id < PICA_TRACE_IDS; id++)
        if (is_step(step, (enum pica_trace_id)id))
            return (enum pica_trace_id)id;
    cr_assert_fail("no step of pica/trace.def: %s, %s", step->stage, step->name);
    return (enum pica_trace_id)0;
}

bool steps_in_order(const struct steps *steps)
{
    int last = -1;
    for (size_t i = 0; i < steps->count; i++) {
        const enum pica_trace_id id = id_of(&steps->steps[i]);
        const bool begins =
            id == PICA_TRACE_ID_VERTEX_NUMBER || (id == PICA_TRACE_ID_CLIP_POSITION && steps->steps[i].index == 0u);
        if (!begins && group_of(id) < last)
            return false;
        last = group_of(id);
    }
    return true;
}
