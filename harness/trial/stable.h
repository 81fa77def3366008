/*
 * Does a case show the same again, by itself, in three fresh processes? Each has other bytes in fresh memory, at other
 * addresses. What does not come back each time is `unstable` (flaky), a verdict of its own; more fresh processes, which
 * differ in one condition each, then find out on what it depends.
 *
 * To be called in a process in which no backend has run yet, since fresh processes are copies of it. A plug-in may be
 * open, and one in a process of its own may have run.
 */
#ifndef HARNESS_TRIAL_STABLE_H
#define HARNESS_TRIAL_STABLE_H

#include "harness/trial/probe.h"

enum {
    HARNESS_STABLE_TRIES = 3,   /* fresh processes */
    HARNESS_STABLE_BEFORE = 64, /* cases before that are tried at most */
    HARNESS_STABLE_TEXT = 512
};

enum harness_dependence {
    HARNESS_DEPENDS_ON_NOTHING = 0,      /* it comes back: stable */
    HARNESS_DEPENDS_ON_MEMORY = 1,       /* bytes of fresh memory, which the backend never wrote */
    HARNESS_DEPENDS_ON_ADDRESSES = 2,    /* where its memory lies */
    HARNESS_DEPENDS_ON_THREADS = 3,      /* comes and goes with several processors, not with one */
    HARNESS_DEPENDS_ON_CASE_BEFORE = 4,  /* comes back after one other case, or after itself: state that leaks */
    HARNESS_DEPENDS_ON_CASES_BEFORE = 5, /* comes back after several other cases, not after one of them: their order or
                                            number */
    HARNESS_DEPENDS_ON_CHANCE = 6        /* on nothing that can be set: time, files, threads by chance */
};

struct harness_stability {
    bool stable;
    unsigned came_back; /* of HARNESS_STABLE_TRIES */
    enum harness_dependence depends_on;
    size_t back;                    /* CASE_BEFORE: so many cases before, 0: it is the case itself, run twice;
                                       CASES_BEFORE: so many of them */
    char text[HARNESS_STABLE_TEXT]; /* one sentence for people; "" if it is stable */
};

/* The cases that ran before one in the same process, if they can be made again. */
struct harness_past {
    /* Fills in the case that ran `back` cases before, 1: right before. False: there was none, or it was not tested. */
    bool (*before)(const void *what, size_t back, struct harness_case *out);
    const void *what;
    size_t count;
};

struct harness_stable_question {
    const struct harness_probe_options *probe; /* backends and how they run; jobs and case_bytes do not matter */
    const struct harness_case *test_case;
    enum harness_outcome kind;       /* what the case showed: DIVERGE, CRASH, HANG, RELATION. AGREE: the first backend
                                        gave two results when it ran the case twice */
    const struct harness_past *past; /* NULL: only the case itself is tried before it */
};

enum harness_status harness_stable(const struct harness_stable_question *question, struct harness_stability *out,
                                   struct harness_error *error);

/* One word: "memory", "addresses", "threads", "case-before", "cases-before", "chance"; "" for NOTHING. Static. */
const char *harness_dependence_name(enum harness_dependence dependence);

#endif
