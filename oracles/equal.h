/*
 * The exact oracles: two runs of one case must have left the same bytes. No tolerance, no exceptions:
 * oracle_excuse_undefined (oracles/events.c) decides which differences are excused, and it reports them. No oracle
 * compares what one of the two runs does not model (oracle_run.scope).
 */
#ifndef ORACLES_EQUAL_H
#define ORACLES_EQUAL_H

#include "oracles/pixels.h"
#include "oracles/run.h"
#include "oracles/scope.h"

/* Did the GPU leave all memory as CPU loads alone would have? False where the loads are not known. */
bool oracle_changed_nothing(const struct oracle_run *run);

/* Compares guest memory page by page: only the pages that a run touched, if both runs report theirs. ORACLE_VACUOUS if
 * the GPU wrote nothing in either run. */
void oracle_memory_equal(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report);

/* The same without trusting the page reports: every byte of every window. */
void oracle_memory_equal_slow(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report);

/* REG-03: the 0x300 internal registers and the external ones; differences are named by register and field. */
void oracle_registers_equal(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report);

/* REG-04: shader memory, uniforms, lookup tables, interrupts, geometry stage, assembler. */
void oracle_state_equal(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report);

/* The rule of the first member of that state that differs, in the order of REG-04; "" if none does. Static. */
const char *oracle_state_rule(const struct oracle_run *a, const struct oracle_run *b);

/* The class M events of GEN-08: both sets must be equal. */
void oracle_events_equal(const struct oracle_run *a, const struct oracle_run *b, struct oracle_report *report);

/* Compares one surface as pixels. Reports how many differ, their bounding box, and the first one (lowest row of the
 * picture first, then left to right) with its channels. `origin` names the surface in the message, e.g. "colour
 * buffer". */
void oracle_framebuffer_equal(const struct oracle_run *a, const struct oracle_run *b,
                              const struct oracle_surface *surface, const char *origin, struct oracle_report *report);

/* The pixels of a surface in which two runs differ. */
struct oracle_pixels_difference {
    uint64_t pixels; /* how many */
    uint32_t x, y;   /* the first one in the order of oracle_framebuffer_equal; y up, as RST-01 counts */
    struct oracle_pixel a, b;
};

/* One pixel, all channels; y = 0 is the viewer's top row. */
bool oracle_pixel_equal(const struct oracle_run *a, const struct oracle_run *b, const struct oracle_surface *surface,
                        uint32_t x, uint32_t y);

void oracle_pixels_compare(const struct oracle_run *a, const struct oracle_run *b, const struct oracle_surface *surface,
                           struct oracle_pixels_difference *out);

/* True if registers, state, memory, class M events and screens are the same: the quick check that a fuzzer makes of
 * every case. Pages that neither run touched are not read. */
bool oracle_same(const struct oracle_run *a, const struct oracle_run *b);

/* The scope of a comparison of two runs: what both model. */
void oracle_scope_of_runs(const struct oracle_run *a, const struct oracle_run *b, struct oracle_scope *out);

/* All exact oracles (except framebuffer_equal, which adds nothing) in the order registers, state, memory, events,
 * screens: the worst verdict and all messages. `slow`: all memory instead of the touched pages. A case in which a
 * screen shows something is never ORACLE_VACUOUS. */
void oracle_all_equal(const struct oracle_run *a, const struct oracle_run *b, bool slow, struct oracle_report *report);

/* Appends the events that a run recorded to the message. Returns false and appends nothing if there are none. */
bool oracle_say_undefined(const struct oracle_run *run, struct oracle_report *report);

/* Downgrades ORACLE_DIVERGE to ORACLE_DIVERGE_UNDEFINED if the run that knows all events (`a`, the reference) recorded
 * any, and says which. */
void oracle_excuse_undefined(const struct oracle_run *a, struct oracle_report *report);

#endif
