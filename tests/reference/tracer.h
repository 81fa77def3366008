/* Traces of the tests' draws (pica_backend.trace), and expectations about their steps. */
#ifndef TESTS_REFERENCE_TRACER_H
#define TESTS_REFERENCE_TRACER_H

#include "tests/conformance/machine.h"

#include "pica/trace.h"

enum {
    TRACER_STEPS = 4096
};

struct tracer {
    struct machine *m;
    uint32_t count;
    struct pica_trace_step steps[TRACER_STEPS];
};

/* From here on draw number `draw` since the last reset is traced. */
void tracer_pixel(struct tracer *tracer, struct machine *m, uint32_t draw, uint32_t x, uint32_t y);
void tracer_vertex(struct tracer *tracer, struct machine *m, uint32_t draw, uint32_t vertex);
void tracer_vertices(struct tracer *tracer, struct machine *m, uint32_t draw);
void tracer_stop(struct tracer *tracer);

/* How often a step occurs, with any index. */
uint32_t tracer_occurrences(const struct tracer *tracer, enum pica_trace_id id);
/* Occurrence 0, 1 .. of a step with that index; NULL if there is none. */
const struct pica_trace_step *tracer_find(const struct tracer *tracer, enum pica_trace_id id, uint32_t index,
                                          uint32_t occurrence);
/* The first step with that index has exactly these values. */
bool tracer_step_is(const struct tracer *tracer, enum pica_trace_id id, uint32_t index, const uint32_t *values,
                    uint32_t count);
/* Steps first .. first + part->count - 1 of `whole` are those of `part`. */
bool tracer_contains(const struct tracer *whole, uint32_t first, const struct tracer *part);
/* Steps come in the order of pica/trace.def; groups that repeat (units, lights, stages) by index. One visit only. */
bool tracer_is_ordered(const struct tracer *tracer);

#define EXPECT_STEP(tracer, ID, index, ...)                                                        \
    cr_expect(tracer_step_is(tracer, PICA_TRACE_ID_##ID, index, (const uint32_t[]){ __VA_ARGS__ }, \
                             sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)),        \
              "%s", (tracer)->m->message)
#define EXPECT_NO_STEP(tracer, ID) cr_expect_eq(tracer_occurrences(tracer, PICA_TRACE_ID_##ID), 0, #ID)

/* Runs the test on the backends that trace pixels. */
void tracer_each(machine_test test);

/* The head of a test; the body that follows is a function of `struct machine *m` that tracer_each runs. */
#define EACH_TRACER(suite, name)                   \
    static void suite##_##name(struct machine *m); \
    Test(suite, name)                              \
    {                                              \
        tracer_each(suite##_##name);               \
    }                                              \
    static void suite##_##name(struct machine *m)

#endif
