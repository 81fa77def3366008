/*
 * Tries cases in worker processes: what is wrong with a case? A worker keeps its backends from case to case, so
 * that a try costs a load, a run and a comparison; a worker that crashes or hangs is the answer, and is replaced.
 */
#ifndef HARNESS_TRIAL_PROBE_H
#define HARNESS_TRIAL_PROBE_H

#include "harness/case/formats.h"
#include "harness/trial/blame.h"
#include "harness/trial/symptom.h"
#include "harness/run/compare.h"
#include "harness/run/backends.h"

enum {
    HARNESS_PROBE_MAX_JOBS = 64,
    HARNESS_PROBE_SAID = 2048,        /* bytes of what a process says that are kept */
    HARNESS_PROBE_ANSWER = 512 * 1024 /* bytes that a judge answers at most */
};

/* What a judge is asked about a case. `symptom`, `comparison` and `answer` go back to the probe's caller. */
struct harness_probe_question {
    void *user;
    uint64_t number; /* of the case: harness_probe_options.number */
    const struct harness_program *program;
    volatile uint32_t *step;         /* for harness_runner_tell_step */
    char *doing;                     /* HARNESS_SYMPTOM_WHAT bytes: what it does, if that says more than the step */
    struct harness_symptom *symptom; /* AGREE */
    struct harness_comparison *comparison; /* zeroes */
    void *answer;                          /* HARNESS_PROBE_ANSWER bytes of any value */
};

/* Says what comes of a case where no two backends are compared: a worker asks it, with a copy of `user` of its own that
 * lasts as long as the worker does. */
struct harness_probe_judge {
    void (*ask)(const struct harness_probe_question *question);
    void (*explain)(const struct harness_probe_question *question); /* after that, if it was to be explained; or NULL */
    void (*end)(void *user);                                        /* destroys the instances that it made; or NULL */
    void *user;
};

struct harness_probe_options {
    const struct harness_backend *backends; /* opened by the caller; all are compared with the first */
    size_t backend_count;                   /* 1 (crashes and hangs only) to HARNESS_MOST_BACKENDS */
    struct pica_options backend_options;
    const char *test; /* a shell command that gets the path of a case and exits with 0 if that is interesting; no
                         backend runs then. NULL: backends judge */
    enum harness_format test_format; /* .pcase or .pcb */
    size_t relation; /* number of a check (harness/run/check.h) that backends[0] alone is to fail, of a case
                                        that is deterministic; 0: backends are compared */
    uint64_t number; /* a relation's seed; what a judge gets as the number of the case */
    const struct harness_probe_judge *judge; /* says what comes of a case; NULL: see above */
    unsigned jobs;                           /* worker processes, 1 to HARNESS_PROBE_MAX_JOBS */
    unsigned hang_ms;  /* processor time of a case (of a test: time) after which it hangs; 0: never */
    size_t case_bytes; /* largest case that will be tried: harness_probe_size of the first one */
    bool slow;         /* compare all memory, whatever pages the backends report */
    bool excuse;       /* a difference of a case that touches undefined behaviour is marked so (symptom.undefined) */
    bool measure;      /* find out how much was compared, and whether anything changed: VACUOUS if not */
    bool ends_well;    /* workers destroy and unload their backends; who dies of that: harness_probe_farewell */
    bool digest;       /* of what backends leave: harness_probe_digest */
};

/* How the surroundings of a worker differ from the usual: to find out whether a result depends on them. */
struct harness_probe_condition {
    int fill;           /* malloc fills with the complement of this byte, free with the byte; 0: neither does */
    unsigned shift;     /* with another number memory lies at other addresses */
    bool one_processor; /* it may run on one processor only */
};

struct harness_probe;

/* A backend in a process of its own counts as hanging by the rule of the probe: call before harness_probe_create. */
void harness_probe_limit(struct harness_backend *backend, unsigned hang_ms);

/* On failure *out is NULL. `options` and what it points at are borrowed for the probe's life. */
enum harness_status harness_probe_create(const struct harness_probe_options *options, struct harness_probe **out,
                                         struct harness_error *error);
void harness_probe_destroy(struct harness_probe *probe); /* accepts NULL; ends all workers */

/* "backend x: crashed in destroy or at unloading: Aborted": what came of ending workers, the first time; else "". */
const char *harness_probe_farewell(const struct harness_probe *probe);

/* Bytes that a case needs on its way to a worker. */
size_t harness_probe_size(const struct harness_program *program);

/*
 * Starts trying a case on worker `job`, which must be idle. `program` is `test_case` lowered (the caller has it for
 * other reasons too); both are copied. With `explain`, a difference is looked for as well.
 */
enum harness_status harness_probe_start(struct harness_probe *probe, unsigned job, const struct harness_case *test_case,
                                        const struct harness_program *program, bool explain,
                                        struct harness_error *error);

/* Waits for worker `job`. */
enum harness_status harness_probe_finish(struct harness_probe *probe, unsigned job, struct harness_symptom *out,
                                         struct harness_error *error);

/* Ends an idle worker: its next case runs in a process that has run no other. */
void harness_probe_renew(struct harness_probe *probe, unsigned job);

/* The same for all workers, and from now on they begin like this. All must be idle. */
void harness_probe_set(struct harness_probe *probe, const struct harness_probe_condition *condition);

/* Start and finish. */
enum harness_status harness_probe_try(struct harness_probe *probe, const struct harness_case *test_case, bool explain,
                                      struct harness_symptom *out, struct harness_error *error);

/* After a try on worker 0: what was compared, and what the oracles say; after one with `explain`, where the two begin
 * to differ. Valid until the next start. */
const struct harness_comparison *harness_probe_comparison(const struct harness_probe *probe);
/* NULL: a backend died while it was looked for. */
const struct harness_location *harness_probe_location(const struct harness_probe *probe);
const struct harness_blame *harness_probe_blame(const struct harness_probe *probe);

/* The end of what worker 0 wrote to stderr about the case. */
void harness_probe_said(const struct harness_probe *probe, char *out, size_t size);

/* After a try on worker 0: what the judge answered. Any bytes, if the worker died. */
const void *harness_probe_answer(const struct harness_probe *probe);

/* After a try on worker 0 with the option `digest`: of memory, registers and other state that the first backend left,
 * if nothing was wrong; after a divergence of the memory alone of the backend that differs. */
uint64_t harness_probe_digest(const struct harness_probe *probe);

#endif
