/* Runs one case on several backends and lets the exact oracles judge. */
#ifndef HARNESS_RUN_COMPARE_H
#define HARNESS_RUN_COMPARE_H

#include "harness/case/case.h"
#include "harness/run/runner.h"
#include "harness/run/surfaces.h"
#include "oracles/tolerance.h"

/* Told of what happens while a case is compared; either may be NULL. */
struct harness_compare_watcher {
    void *user;
    /* Told before a backend does something: which one, in which operation of the program (UINT32_MAX: while the case is
     * loaded). So the watcher knows where it was if it dies, and whom to blame if there is no verdict. */
    void (*at)(void *user, size_t backend, uint32_t step);
    /* The first difference, before anything else runs. `surfaces` are those that the case drew to so far. */
    void (*differs)(void *user, const struct oracle_run *first, const struct oracle_run *other,
                    const struct harness_surfaces *surfaces);
};

struct harness_compare_options {
    /* Judge after each operation, not only at the end; stops at the first divergence. Not after loads, which alone
     * cannot tell backends apart, unless nothing follows. */
    bool every_operation;
    bool quick;         /* where nothing differs, do not find out how much was compared */
    bool slow;          /* compare all memory, whatever pages the backends report */
    bool excuse;        /* downgrade divergences that touched undefined behaviour (oracle_excuse_undefined) */
    bool check_vacuity; /* find out whether the GPU changed any memory */
    const struct harness_compare_watcher *watcher; /* NULL: none */
    const struct harness_surfaces *surfaces; /* that the case is known to use, where no runner tells; NULL: none */
};

struct harness_comparison {
    struct oracle_report report; /* the worst, message of all oracles that complained */
    uint32_t operation;          /* index in the case of the operation after which it was seen */
    uint64_t bytes, pictures;    /* memory compared, pictures compared */
    struct pica_events events;   /* that the first backend has recorded by then */
    uint64_t differing_pixels;
    const char *first, *second;      /* names of the two backends that differ */
    const char *picture;             /* static: the first surface that differs ("colour buffer"), or "" */
    struct oracle_allowance allowed; /* what a tolerance of one side let pass */
    char scope[ORACLE_SCOPE_TEXT];   /* "memory, registers": what was compared; "" if everything was */
};

/* HARNESS_OK if all backends ran the case (whatever the verdict), or one does not support it (ORACLE_REFUSED, the
 * message says why); HARNESS_HOST if one failed as a host program. Runners 1.. are compared with runner 0. */
enum harness_status harness_compare(struct harness_runner *const *runners, size_t count,
                                    const struct harness_program *program,
                                    const struct harness_compare_options *options, struct harness_comparison *out,
                                    struct harness_error *error);

/* Does `all` have each event of `some`, but for hints? */
bool harness_events_within(const struct pica_events *some, const struct pica_events *all);

/* The tolerance between two: that of the one that is not ours. NULL: none. */
const struct oracle_tolerance *harness_compare_tolerance(const struct harness_runner *a,
                                                         const struct harness_runner *b);

#endif
