/*
 * What is wrong with a case, in a form that can be compared: did the backends differ, and in what; did one crash or
 * hang, and where? The reducer preserves it, buckets are made from it. Plain data: it travels between processes.
 */
#ifndef HARNESS_PROBE_SYMPTOM_H
#define HARNESS_PROBE_SYMPTOM_H

#include "harness/case/text.h"
#include "harness/run/crash_place.h"
#include "harness/run/surfaces.h"
#include "oracles/run.h"

#include <stdbool.h>
#include <stdint.h>

enum harness_symptom_kind {
    HARNESS_SYMPTOM_NONE = 0,    /* nothing wrong */
    HARNESS_SYMPTOM_TROUBLE = 1, /* no verdict: a backend refused the case, or the host failed; `detail` says why */
    HARNESS_SYMPTOM_DIVERGE = 2,
    HARNESS_SYMPTOM_HANG = 3,
    HARNESS_SYMPTOM_CRASH = 4,
    HARNESS_SYMPTOM_TEST = 5,       /* the user's own test says that the case is interesting */
    HARNESS_SYMPTOM_NOT_TESTED = 6, /* a backend does not support the case; `detail` says why */
    HARNESS_SYMPTOM_RELATION = 7,   /* the relation `what` does not hold (harness/run/check.h) */
    HARNESS_SYMPTOM_UNSTABLE = 8    /* there was something, and fresh processes do not see it again (harness_stable) */
};

/* Is something wrong with the case? */
bool harness_symptom_is_finding(enum harness_symptom_kind kind);

/* Where the first difference lies: memory before registers before other state before events, the order in which
 * people care. */
enum harness_place {
    HARNESS_PLACE_NONE = 0,
    HARNESS_PLACE_MEMORY = 1,
    HARNESS_PLACE_REGISTER = 2,
    HARNESS_PLACE_STATE = 3,
    HARNESS_PLACE_EVENT = 4
};

enum {
    HARNESS_SYMPTOM_WHAT = 48,
    HARNESS_SYMPTOM_DETAIL = 160,
    HARNESS_SYMPTOM_LOADING = 0xFF /* operation_kind while the case is loaded */
};

struct harness_symptom {
    enum harness_symptom_kind kind;
    uint32_t backend;        /* index of the backend that differs from the first, crashed or hung */
    uint32_t operation;      /* index in the case */
    uint32_t operation_kind; /* enum pica_operation_kind or HARNESS_SYMPTOM_LOADING */
    enum harness_place place;
    char what[HARNESS_SYMPTOM_WHAT]; /* "color", "depth", "texture", "fill", "transfer", "other"; a register, a part of
                                        the state (harness_parts), an event */
    bool undefined;                  /* RELATION: the case touches undefined behaviour */
    uint32_t fields; /* MEMORY: bits of enum harness_channels; REGISTER: bit i = field i of the layout differs */
    struct pica_events events;           /* that the first backend recorded */
    int code;                            /* CRASH: signal, or 256 + exit code */
    struct harness_crash_place crash;    /* CRASH: where in the plug-in, if that is known */
    char detail[HARNESS_SYMPTOM_DETAIL]; /* CRASH: what the dying process said, digits struck out; or "" */
    uint32_t memory_mib; /* CRASH for want of memory: its limit, no part of what makes crashes alike; or 0 */
};

/* Red, green and blue are one: which of them shows a fault first is chance. */
enum harness_channels {
    HARNESS_CHANNEL_COLOR = 1,
    HARNESS_CHANNEL_ALPHA = 2,
    HARNESS_CHANNEL_DEPTH = 4,
    HARNESS_CHANNEL_STENCIL = 8
};

/*
 * Two runs of one case that are not the same: says where. `kind` is DIVERGE and place, what, fields, events are set;
 * backend and operation are the caller's. `surfaces` are those that the case drew to so far.
 */
void harness_symptom_locate(struct harness_symptom *symptom, const struct oracle_run *a, const struct oracle_run *b,
                            const struct harness_surfaces *surfaces, const struct pica_operation *operation);

/* Does a changed case still show what `kept` says? Channels, fields and undefined events may get fewer, but never
 * others. With `any`, any divergence, crash or hang will do. */
bool harness_symptom_survives(const struct harness_symptom *kept, const struct harness_symptom *now, bool any);

/* "diverge", "crash", "hang", "test", ...; "submit", "fill", ...; static. */
const char *harness_symptom_kind_name(enum harness_symptom_kind kind);
const char *harness_symptom_operation_name(const struct harness_symptom *symptom);

/* Appends "color+alpha" or "field+field" (register fields by name); nothing if there are none. */
void harness_symptom_fields_text(const struct harness_symptom *symptom, struct harness_text *out);

#endif
