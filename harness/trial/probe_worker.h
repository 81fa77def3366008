/* The two ends of a probe: what they share, and what the worker process does. */
#ifndef HARNESS_TRIAL_PROBE_WORKER_H
#define HARNESS_TRIAL_PROBE_WORKER_H

#include "harness/trial/probe.h"

#include <stddef.h>

enum {
    PROBE_PATH = 1024
};

/* How far a worker is with a case. */
enum {
    PROBE_RUNNING = 0,
    PROBE_JUDGED = 1, /* the symptom is complete, the rest only explains it */
    PROBE_EXPLAINED = 2
};

/* Requests, one byte each; the reply is the same byte. */
enum probe_request {
    PROBE_RUN = 'r',
    PROBE_EXPLAIN = 'e',
    PROBE_TEST = 't'
};

/* At the start of the memory that a probe and one worker share. Mapped before the worker is forked, so that pointers
 * mean the same on both sides. */
struct probe_shared {
    uint64_t guard;  /* PROBE_GUARD, as at the end: a backend in this process can write here */
    size_t size;     /* of the mapping */
    uint64_t number; /* of the case */
    struct harness_program program;
    char path[PROBE_PATH]; /* PROBE_TEST */
    /* What the worker is doing, in case it dies. */
    volatile uint32_t backend;
    volatile uint32_t step;           /* of the program; UINT32_MAX: loading */
    volatile uint32_t judged;         /* PROBE_JUDGED ..; no enumeration: a backend may write here */
    volatile bool cut_off;            /* it found its descriptors closed: a backend's doing */
    volatile unsigned refused_mib;    /* it died after memory was refused: its limit */
    char doing[HARNESS_SYMPTOM_WHAT]; /* "": see `step` */
    struct harness_symptom symptom;
    uint64_t digest; /* of what the first backend left */
    struct harness_blame blame;
    struct harness_comparison comparison;
    struct harness_location location;
    char farewell[HARNESS_DEATH_TEXT]; /* how the process of a backend ended, if not well */
    _Alignas(max_align_t) unsigned char answer[HARNESS_PROBE_ANSWER];
    uint64_t end_guard;
};

#define PROBE_GUARD UINT64_C(0xB5AD4ECEDA1CE2A9)

/* Copies a program after the head; false if there is no room. */
bool harness_probe_pack(struct probe_shared *shared, const struct harness_program *program);

/* In a new worker, before anything of a backend is made. */
void harness_probe_begin(const struct harness_probe_condition *condition);

/* From now on malloc fills like this; harness_probe_condition.fill. */
void harness_probe_fill(int fill);

struct harness_checker;

/* Does the relation of the options hold? The symptom says it. *checker is made at the first call. */
void harness_probe_relate(const struct harness_probe_options *options, struct probe_shared *shared,
                          struct harness_checker **checker);

/* The worker's main loop: answers requests until the other end is gone. Does not return. */
_Noreturn void harness_probe_work(const struct harness_probe_options *options,
                                  const struct harness_probe_condition *condition, struct probe_shared *shared,
                                  int requests, int replies);

#endif
