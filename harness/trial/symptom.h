/*
 * What is wrong with a case, in a form that can be compared: did the backends differ, and in what; did one crash or
 * hang, and where? The reducer preserves it, buckets are made from it. Plain data: it travels between processes.
 */
#ifndef HARNESS_TRIAL_SYMPTOM_H
#define HARNESS_TRIAL_SYMPTOM_H

#include "harness/case/text.h"
#include "harness/run/crash_place.h"
#include "harness/run/outcome.h"
#include "harness/run/surfaces.h"
#include "oracles/run.h"

#include <stdbool.h>
#include <stdint.h>

/* Where the first difference lies: memory before registers before other state before screens before events. What a
 * screen shows comes of the others: it is named only where they are the same. */
enum harness_place {
    HARNESS_PLACE_NONE = 0,
    HARNESS_PLACE_MEMORY = 1,
    HARNESS_PLACE_REGISTER = 2,
    HARNESS_PLACE_STATE = 3,
    HARNESS_PLACE_EVENT = 4,
    HARNESS_PLACE_SCREEN = 5
};

/* What the other side does with a register, whichever it is: one habit shows in many. */
enum harness_habit {
    HARNESS_HABIT_NONE,
    HARNESS_HABIT_FORGETS, /* it has the value of a reset, the first backend has not */
    HARNESS_HABIT_KEEPS,   /* the other way round */
    HARNESS_HABIT_BITS     /* the two differ in bits that belong to no field */
};

enum {
    HARNESS_SYMPTOM_WHAT = 48,
    HARNESS_SYMPTOM_DETAIL = 160,
    HARNESS_SYMPTOM_LOADING = 0xFF /* operation_kind while the case is loaded */
};

struct harness_symptom {
    enum harness_outcome kind;
    uint32_t backend;        /* index of the backend that differs from the first, crashed or hung */
    uint32_t operation;      /* index in the case */
    uint32_t operation_kind; /* enum pica_operation_kind or HARNESS_SYMPTOM_LOADING */
    enum harness_place place;
    /* "color", "depth", "texture", "fill", "transfer", "other"; a register, a part of the state (harness_parts), an
     * event, a screen (oracle_screen_name); CRASH, HANG: what it was doing, where a judge said that */
    char what[HARNESS_SYMPTOM_WHAT];
    bool undefined;  /* RELATION: the case touches undefined behaviour */
    uint32_t fields; /* MEMORY: bits of enum harness_channels; REGISTER: bit i = field i of the layout differs */
    enum harness_habit habit;            /* REGISTER, an internal one */
    struct pica_events events;           /* that the first backend recorded */
    int code;                            /* CRASH: signal, or 256 + exit code */
    struct harness_crash_place crash;    /* CRASH: where in the plug-in, if that is known */
    char detail[HARNESS_SYMPTOM_DETAIL]; /* CRASH: what the dying process said, digits struck out; or "" */
    uint32_t memory_mib; /* CRASH for want of memory: its limit, no part of what makes crashes alike; or 0 */
};

/* `detail` of a crash after which nothing else is known: what it did to the process that hosts it. */
extern const char harness_symptom_scribble[], harness_symptom_stray[], harness_symptom_cut_off[];

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

/* "submit", "fill", ...; static. */
const char *harness_symptom_operation_name(const struct harness_symptom *symptom);

/* "wrote over memory that is not its own" if `detail` is one of those; else NULL. Static. */
const char *harness_symptom_deed(const struct harness_symptom *symptom);

/* CRASH and HANG: appends "crashed in operation 2 (submit), in draw_triangle: Segmentation fault: SUMMARY: ..." */
void harness_symptom_death_text(const struct harness_symptom *symptom, struct harness_text *out);

#endif
