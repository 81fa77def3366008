/* The steps of a trace, kept; and one machine (machine.h) of `fast` for each instruction set of the host. */
#ifndef TESTS_FAST_STEPS_H
#define TESTS_FAST_STEPS_H

#include "pica/trace.h"
#include "tests/conformance/machine.h"

enum {
    STEPS_MAX = 1 << 12
};

struct steps {
    struct pica_trace_step steps[STEPS_MAX];
    size_t count;
};

/* Runs the test on `fast` with the scalar kernels, and with each better set that the host has; two threads. */
void each_instruction_set(machine_test test);

/* The head of such a test; the body that follows is a function of `struct machine *m` (see EACH_MACHINE). */
#define EACH_INSTRUCTION_SET(suite, name)          \
    static void suite##_##name(struct machine *m); \
    Test(suite, name)                              \
    {                                              \
        each_instruction_set(suite##_##name);      \
    }                                              \
    static void suite##_##name(struct machine *m)

/* From now on draw number `draw` since load is traced into `steps`, which is emptied. */
void steps_pixel(struct machine *m, struct steps *steps, uint32_t draw, uint32_t x, uint32_t y);
void steps_vertex(struct machine *m, struct steps *steps, uint32_t draw, uint32_t vertex);
void steps_vertices(struct machine *m, struct steps *steps, uint32_t draw);

/* Number of steps with that id; the n-th of them (from 0), or NULL. */
size_t steps_number(const struct steps *steps, enum pica_trace_id id);
const struct pica_trace_step *steps_step(const struct steps *steps, enum pica_trace_id id, size_t n);

/* Is the n-th step with that id this one? */
bool steps_holds(struct machine *m, const struct steps *steps, enum pica_trace_id id, size_t n, uint32_t index,
                 const uint32_t *values, size_t count);
#define EXPECT_STEP(m, steps, id, n, index, ...)                                                     \
    cr_expect(steps_holds(m, steps, PICA_TRACE_ID_##id, n, index, (const uint32_t[]){ __VA_ARGS__ }, \
                          sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)),             \
              "%s", (m)->message)
#define EXPECT_NUMBER(m, steps, id, expected) \
    EXPECT_EQ(m, "trace.def, " #id, (uint32_t)steps_number(steps, PICA_TRACE_ID_##id), expected)

/* Do the steps come in the order of pica/trace.def, one part (vertex, or triangle that covers the pixel) at a time? */
bool steps_in_order(const struct steps *steps);

#endif
