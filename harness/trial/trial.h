/*
 * What came of a case on these backends? The one place where that is decided (docs/verdicts.md): every command that
 * judges asks here, and shows what it is told.
 *
 *     harness_trials_create -> harness_trial_run ... -> harness_trials_destroy
 *
 * A case runs in a worker process, which may crash and hang. What differs or dies there is run again:
 * HARNESS_STABLE_TRIES times, each time in a fresh process with other bytes in fresh memory, at other addresses
 * (stable.h). What does not come back each time is UNSTABLE, whatever it was. What hangs is not waited for again.
 *
 * To be used in a process in which no backend has run: workers are copies of it. An opened plug-in is all right, and so
 * is one in a process of its own that has run.
 */
#ifndef HARNESS_TRIAL_TRIAL_H
#define HARNESS_TRIAL_TRIAL_H

#include "harness/localise/localise.h"
#include "harness/trial/stable.h"

struct harness_trial_options {
    struct harness_probe_options probe; /* jobs, case_bytes, digest, measure and ends_well are filled in */
    bool shares;                        /* cases run in one process, one after another; else each in a fresh one */
    unsigned fresh_every;               /* with `shares`: at most so many; 0: as the backends declare */
    bool once;                          /* nothing is run again: what it showed counts, until harness_trial_again */
    bool explain;                       /* look for the place where a difference begins */
};

/* Plain data. Names in it are those of the backends, which must outlive it. */
struct harness_trial {
    enum harness_outcome outcome;
    struct harness_symptom symptom;       /* whose doing it is, and where; UNSTABLE: what it looked like */
    struct harness_comparison comparison; /* parts and bytes that were compared, what the oracles say */
    struct harness_location location;     /* where a difference begins, if that was asked for */
    struct harness_stability stability;   /* UNSTABLE: on what it depends, with a sentence for people; else empty */
    char said[HARNESS_PROBE_SAID];        /* the last that the process said on stderr about this case */
};

struct harness_trials;

/* On failure *out is NULL. `options` is copied; what it points at is borrowed. */
enum harness_status harness_trials_create(const struct harness_trial_options *options, struct harness_trials **out,
                                          struct harness_error *error);
void harness_trials_destroy(struct harness_trials *trials); /* accepts NULL; ends all workers */

/* Ends all workers: "backend x: crashed in destroy or at unloading: Aborted" if one did not survive that; else "".
 * Valid until the end of `trials`. */
const char *harness_trials_end(struct harness_trials *trials);

/* `past` may be NULL. Other than HARNESS_OK only if this host fails, or the case cannot be lowered. */
enum harness_status harness_trial_run(struct harness_trials *trials, const struct harness_case *test_case,
                                      const struct harness_past *past, struct harness_trial *out,
                                      struct harness_error *error);

/* Runs it again, if it is something wrong: `trial` then says whether it comes back. */
void harness_trial_again(const struct harness_trials *trials, const struct harness_case *test_case,
                         const struct harness_past *past, struct harness_trial *trial);

/* For judges (harness_probe_judge): the number of the next case, and what was answered about the last one that did not
 * die. */
void harness_trials_number(struct harness_trials *trials, uint64_t number);
const void *harness_trials_answer(const struct harness_trials *trials);

/* A case that is not run, and why. */
void harness_trial_leave_out(struct harness_trial *out, const char *why);

/* Is it a difference that --excuse lets pass: of a case that touches undefined behaviour? */
bool harness_trial_is_excused(const struct harness_trial *trial);

/* Appends why, in one line: "backend x: crashed in operation 2 (submit), in draw(): Aborted", the first difference,
 * what is not supported; nothing if it agrees. */
void harness_trial_reason(const struct harness_trials *trials, const struct harness_trial *trial,
                          struct harness_text *out);

/* How many cases came to what. */
struct harness_tally {
    uint64_t executed; /* begun and come to a word */
    uint64_t of[HARNESS_OUTCOMES];
    uint64_t within;  /* of AGREE: within a tolerance only */
    uint64_t excused; /* of DIVERGE: undefined behaviour, which --excuse lets pass */
};

void harness_tally_add(struct harness_tally *totals, const struct harness_trial *trial);
uint64_t harness_tally_compared(const struct harness_tally *totals);

#endif
