/*
 * Shrinks a case while its symptom stays the same: hierarchical delta debugging over the case model, typed by pica's
 * tables. Deterministic: the same case, backends and options give the same result, whatever the number of workers. A
 * reduction that was killed and resumed gives the same result, too, unless a backend keeps something from one case to
 * the next: then it may end with another case that shows the same symptom. So may a reduction that was stopped in an
 * orderly way and resumed, since it asks the localiser at other moments.
 */
#ifndef HARNESS_REDUCE_REDUCE_H
#define HARNESS_REDUCE_REDUCE_H

#include "harness/reduce/cause.h"

struct harness_reduce_progress {
    double elapsed; /* seconds, of this process */
    uint64_t tried; /* changes, earlier processes included, as the option `tries` counts them */
    uint64_t accepted;
    uint32_t round;   /* from 1 */
    const char *pass; /* static */
    uint64_t bytes, first_bytes;
    uint32_t writes, first_writes;
};

enum {
    HARNESS_REDUCE_MOST_TURNS = 64,
    HARNESS_REDUCE_CRASH_COST = 20,
    HARNESS_REDUCE_BLAME_COST = 10,
    HARNESS_REDUCE_HANG_COST = 500
};

/* What one turn of a pass did in this process, summed over all rounds. Most passes have one turn in each round, some
 * several; turns are numbered in order. */
struct harness_reduce_turn {
    uint64_t tried; /* as the option `tries` counts */
    uint64_t kept;  /* accepted changes, those that no backend can see included */
};

/* The name of a turn's pass, and which of this pass's turns it is, from 1. NULL past the last turn. */
const char *harness_reduce_turn_name(uint32_t turn, unsigned *number);

/* The turns of the pass "NAME", or the Nth of them, "NAME:N": bit i is turn i. 0 if there is none. */
uint64_t harness_reduce_find_turns(const char *name);

/* Called from time to time; false stops the reduction in an orderly way. */
typedef bool (*harness_reduce_watcher)(void *user, const struct harness_reduce_progress *progress);

struct reduce_plan;

struct harness_reduce_options {
    struct harness_probe_options probe; /* case_bytes is filled in */
    bool any;         /* any divergence, crash or hang will do; else the symptom of the first try must survive */
    unsigned seconds; /* stop after this long with the best so far; 0: never */
    unsigned tries;   /* stop with the best so far once this process has tried this many changes; 0: never. Not counted:
                         the first verdict, changes that no backend can see, checks of the best case by itself, and
                         second tries of a change by itself */
    unsigned cost;    /* the same, weighted by time: a try costs 1, one that crashes a backend
                         HARNESS_REDUCE_CRASH_COST, one that hangs HARNESS_REDUCE_HANG_COST, a question to the localiser
                         HARNESS_REDUCE_BLAME_COST; 0: never */
    uint64_t without; /* mask of turns that are left out, from harness_reduce_find_turns */
    const char *state_path; /* file with the best so far and the place in the work, replaced once a second or after a
                               hundred tries, removed at the end; NULL: none */
    const char *identity;   /* what the state belongs to (arguments); a state with another identity is ignored */
    bool (*fits)(const void *what, struct harness_case *candidate); /* a candidate is tried only if this returns true;
                                                                       must not change it. NULL: all are */
    const void *fits_what;
    const struct reduce_plan *plan; /* passes that run instead of the usual ones, and no cause is sought
                                       (reduce_pass.h); NULL: the usual ones */
    bool agreeing;                  /* a case without a symptom is reduced, too, and must stay without one */
    bool verdict_alone;             /* the blamed stage and rule of a difference may change */
    harness_reduce_watcher watcher; /* or NULL */
    void *user;
};

struct harness_reduce_result {
    struct harness_symptom symptom;    /* of the reduced case; of the case itself if it shows nothing */
    char message[ORACLE_MESSAGE_SIZE]; /* what the oracles say about it, "" if nothing */
    struct harness_cause cause;        /* where the two sides begin to differ, and what the difference needs; with a
                                          plan only `blame` */
    struct harness_reduce_progress progress;
    struct harness_reduce_turn turns[HARNESS_REDUCE_MOST_TURNS];
    bool complete;      /* false: stopped before the end */
    bool resumed;       /* went on from a state file */
    bool blame_unknown; /* the localiser names no stage for the case, so its cause may have changed */
};

/*
 * Reduces `test_case` in place. HARNESS_BAD_INPUT if there is nothing wrong with it (result->symptom says what was
 * seen). With HARNESS_OK, also when stopped, the case is the best so far that has shown its symptom in a fresh process;
 * result->symptom is what it showed in the last such run, which may be another symptom if the case is flaky.
 */
enum harness_status harness_reduce(struct harness_case *test_case, const struct harness_reduce_options *options,
                                   struct harness_reduce_result *result, struct harness_error *error);

/* How large a case is: bytes of its binary form (of its text, if it is beyond the binary form), and register writes:
 * registers that its commands and operations name, where a stream of words to one port counts once. */
uint64_t harness_case_bytes(const struct harness_case *test_case);
uint32_t harness_case_writes(const struct harness_case *test_case);

#endif
