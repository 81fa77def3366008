/* The steps of a trace, kept; and one machine (machine.h) of `fast` for each instruction set of the host. */
#ifndef TESTS_FAST_RECORD_H
#define TESTS_FAST_RECORD_H

#include "pica/trace.h"
#include "tests/conformance/machine.h"

enum {
    RECORD_STEPS = 1 << 12
};

struct record {
    struct pica_trace_step steps[RECORD_STEPS];
    size_t count;
};

/* Runs the test on `fast` with the scalar kernels, and with each better set that the host has; two threads. */
void each_instruction_set(machine_test test);

/* From now on draw number `draw` since load is traced into `record`, which is emptied. */
void record_pixel(struct machine *m, struct record *record, uint32_t draw, uint32_t x, uint32_t y);
void record_vertex(struct machine *m, struct record *record, uint32_t draw, uint32_t vertex);
void record_vertices(struct machine *m, struct record *record, uint32_t draw);

/* Number of steps with that id; the n-th of them (from 0), or NULL. */
size_t record_number(const struct record *record, enum pica_trace_id id);
const struct pica_trace_step *record_step(const struct record *record, enum pica_trace_id id, size_t n);

/* Is the n-th step with that id this one? */
bool record_holds(struct machine *m, const struct record *record, enum pica_trace_id id, size_t n, uint32_t index,
                  const uint32_t *values, size_t count);
#define EXPECT_STEP(m, record, id, n, index, ...)                                                      \
    cr_expect(record_holds(m, record, PICA_TRACE_ID_##id, n, index, (const uint32_t[]){ __VA_ARGS__ }, \
                           sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)),              \
              "%s", (m)->message)
#define EXPECT_NUMBER(m, record, id, expected) \
    EXPECT_EQ(m, "trace.def, " #id, (uint32_t)record_number(record, PICA_TRACE_ID_##id), expected)

/* Do the steps come in the order of pica/trace.def, one part (vertex, or triangle that covers the pixel) at a time? */
bool record_in_order(const struct record *record);

#endif
