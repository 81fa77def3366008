/*
 * Which side of each known choice a backend takes, found by running the cases of corpus/splits.
 *
 * Where another choice touches a case (changes what it leaves), the words in the head of the case do not hold. It is
 * judged by what `reference` leaves with each side of this choice, and the sides that were found of the others.
 */
#ifndef HARNESS_FINGERPRINT_H
#define HARNESS_FINGERPRINT_H

#include "harness/fingerprint/split.h"
#include "harness/run/backends.h"

enum harness_finger_kind {
    HARNESS_FINGER_NOT_TESTED = 0, /* `why` says why */
    HARNESS_FINGER_SIDE,
    HARNESS_FINGER_NEITHER, /* it left other words */
    HARNESS_FINGER_DIED,    /* it crashed or hung; `why` says how */
    HARNESS_FINGER_TROUBLE  /* it failed: no verdict; `why` says at what */
};

struct harness_finger {
    enum harness_finger_kind kind;
    uint32_t side; /* of SIDE */
    bool ran;      /* `words` are what it left */
    struct harness_words words;
    char why[160];
};

struct harness_fingerprint {
    struct harness_finger fingers[PICA_CHOICES];
};

/* Runs the case of one choice in this process, on an instance of its own; judged by the words that were worked out.
 * `step`: as in harness_runner_tell_step. */
void harness_finger_take(const struct harness_split *split, const struct harness_backend *backend,
                         volatile uint32_t *step, struct harness_finger *out);

/* How a case is run, in this process or in another. A status that is not HARNESS_OK ends the fingerprint. */
struct harness_finger_taker {
    enum harness_status (*take)(void *user, const struct harness_split *split, struct harness_finger *out,
                                struct harness_error *error);
    void *user;
};

/* Runs the cases of the choices that are asked for, and of those that touch them. HARNESS_OK whatever the backend does:
 * that is the result. */
enum harness_status harness_fingerprint_take(const struct harness_finger_taker *taker, const bool asked[PICA_CHOICES],
                                             struct harness_fingerprint *out, struct harness_error *error);

/* A taker in this process: harness_finger_take on a struct harness_backend, its `user`. */
enum harness_status harness_finger_take_here(void *user, const struct harness_split *split, struct harness_finger *out,
                                             struct harness_error *error);

/* The word of its side, "neither", "not tested", ...: for tables. Static. */
const char *harness_finger_word(const struct harness_fingerprint *fingerprint, uint32_t choice);

/* The sides that were found: `known`. Of the other choices `out` gets the normative side. */
void harness_fingerprint_choices(const struct harness_fingerprint *fingerprint, struct pica_choices *out,
                                 bool known[PICA_CHOICES]);

#endif
