/*
 * The steps of a trace (pica/trace.def): what each is called, what its values mean and which rule defines them.
 * Backends fill `struct pica_trace_step` from here, so that names cannot drift apart; readers look steps up by name.
 */
#ifndef PICA_TRACE_H
#define PICA_TRACE_H

#include "pica/backend.h"
#include "pica/stage_words.h"

#include <stdbool.h>
#include <stdint.h>

/* In the order of the pipeline. */
enum pica_trace_id {
#define TRACE(ID, SUBJECT, STAGE, name, index, TYPE, values, NEED, rule) PICA_TRACE_ID_##ID,
#include "pica/trace.def"
};

enum {
    PICA_TRACE_IDS = 0 /* how many there are */
#define TRACE(ID, SUBJECT, STAGE, name, index, TYPE, values, NEED, rule) +1
#include "pica/trace.def"
};

enum pica_trace_need {
    PICA_TRACE_ALWAYS,        /* every tracer reports it */
    PICA_TRACE_WHERE_COMPUTED /* if only one of two tracers reports it, that is not a difference */
};

struct pica_trace_info {
    enum pica_stage_word word;
    const char *stage; /* its text: "depth test" */
    const char *name;
    const char *index;  /* what the index counts, for people */
    const char *values; /* what the values are, for people */
    const char *rule;   /* of docs/spec */
    enum pica_trace_type type;
    enum pica_trace_need need;
    bool is_pixel; /* a step of a pixel, else of a vertex */
};

/* Never NULL for an enumerator. */
const struct pica_trace_info *pica_trace_info(enum pica_trace_id id);

/* The line with that stage and name, or NULL: a backend may report steps of its own. */
const struct pica_trace_info *pica_trace_info_by_name(const char *stage, const char *name);

#endif
