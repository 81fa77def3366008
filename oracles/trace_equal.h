/*
 * Where two traces of the same vertex or pixel (pica/trace.def) begin to differ: the first value that two backends
 * computed differently names the stage that is at fault.
 */
#ifndef ORACLES_TRACE_EQUAL_H
#define ORACLES_TRACE_EQUAL_H

#include "oracles/tolerance.h"
#include "pica/trace.h"

#include <stdbool.h>
#include <stddef.h>

/* The steps one backend reported, in its order. Borrowed. */
struct oracle_trace {
    const struct pica_trace_step *steps;
    size_t count;
};

enum oracle_trace_relation {
    ORACLE_TRACE_SAME,        /* every step that both report is equal */
    ORACLE_TRACE_VALUES,      /* both report the step, with other values */
    ORACLE_TRACE_ONLY_FIRST,  /* the first trace has a step that must be there, the second does not */
    ORACLE_TRACE_ONLY_SECOND, /* the other way round */
    ORACLE_TRACE_PATH         /* both go on, but with different steps: control flow or a test went another way */
};

struct oracle_trace_difference {
    enum oracle_trace_relation relation;
    const struct pica_trace_step *first;  /* the step in the first trace, or NULL */
    const struct pica_trace_step *second; /* the step in the second trace, or NULL */
    const struct pica_trace_info *info;   /* of that step; NULL if it is a backend's own */
    size_t part;                          /* how many triangles (of a pixel) or vertices the trace has before it */
    bool whole_part; /* the triangle or vertex as a whole is missing on one side: ONLY_FIRST or ONLY_SECOND */
};

/*
 * Compares step by step. Optional steps (PICA_TRACE_WHERE_COMPUTED) that one side leaves out are skipped. Takes linear
 * time. `tolerance` (NULL: none) allows differences: in binary32 values by its `ulps`, in colours of four channels by
 * its `channels`. If all differences are within it, *out is the first of them.
 */
void oracle_trace_compare(const struct oracle_trace *a, const struct oracle_trace *b,
                          const struct oracle_tolerance *tolerance, struct oracle_trace_difference *out);

/*
 * For two traces of a pixel that compare as the same although memory differs afterwards: finds the first step that
 * reports a stored value and that only one side has, or has with another value. Such steps are optional, so a missing
 * one proves nothing by itself.
 */
void oracle_trace_compare_writes(const struct oracle_trace *a, const struct oracle_trace *b,
                                 struct oracle_trace_difference *out);

/* The same stage, name and index. */
bool oracle_trace_same_key(const struct pica_trace_step *a, const struct pica_trace_step *b);

/* The first step of part `part` (triangle or vertex), or trace->count. */
size_t oracle_trace_part(const struct oracle_trace *trace, size_t part);

/* How many parts there are. */
size_t oracle_trace_parts(const struct oracle_trace *trace);

#endif
