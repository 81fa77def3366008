#include "harness/fingerprint/fingerprint.h"

#include <stdio.h>
#include <string.h>

enum {
    ROUNDS =
        3 /* that touched cases are judged anew, with the sides found so far: no chain of touching choices is longer */
};

static const struct pica_options plain_options = { .instruction_sets = UINT32_MAX };

/* ----------------------------------------------------------------------------------------------------- by the words */

static void not_tested(struct harness_finger *finger, const char *why)
{
    finger->kind = HARNESS_FINGER_NOT_TESTED;
    (void)snprintf(finger->why, sizeof finger->why, "%s", why);
}

static void judge_status(struct harness_finger *finger, const struct harness_runner *runner, enum pica_status status)
{
    struct harness_error error = { "" };
    if (status == PICA_NOT_SUPPORTED) {
        not_tested(finger, "not supported");
        return;
    }
    finger->kind = harness_runner_fail(runner, "running the case", status, &error) == HARNESS_CRASHED
                       ? HARNESS_FINGER_DIED
                       : HARNESS_FINGER_TROUBLE;
    (void)snprintf(finger->why, sizeof finger->why, "%s", error.message);
}

/* By the words that the head of the case expects of each side. */
static void take_worked(const struct harness_split *split, struct harness_finger *finger)
{
    finger->side = harness_split_side(split, &finger->words);
    finger->kind = finger->side != PICA_MOST_SIDES ? HARNESS_FINGER_SIDE : HARNESS_FINGER_NEITHER;
}

static void take_finger(const struct harness_split *split, const struct harness_backend *backend,
                        struct harness_runner *runner, struct harness_finger *finger)
{
    *finger = (struct harness_finger){ .kind = HARNESS_FINGER_NEITHER };
    if (!harness_places_are_seen(&split->places, &backend->scope)) {
        not_tested(finger, "memory does not show it, and it does not model what does");
        return;
    }
    const enum pica_status status = harness_places_run(&split->places, split->program, runner, &finger->words);
    finger->ran = status == PICA_OK;
    if (!finger->ran) {
        judge_status(finger, runner, status);
        return;
    }
    take_worked(split, finger);
}

/* ---------------------------------------------------------------------------------------------- by the reference */

/* Does a choice that touches this case have a side that is not normative? */
static bool is_touched(const struct harness_split *split, const struct pica_choices *found)
{
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        if (split->touched_by[i] && found->sides[i] != 0)
            return true;
    return false;
}

/* What the reference leaves if it takes `side` of this choice, and of those that touch it the sides that were found. */
static enum harness_status reference_words(const struct harness_split *split, const struct pica_choices *found,
                                           uint32_t side, struct harness_words *out, struct harness_error *error)
{
    struct harness_backend backend;
    struct harness_runner *runner = NULL;
    struct pica_choices taken = { { 0 } };
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        taken.sides[i] = split->touched_by[i] ? found->sides[i] : 0;
    taken.sides[split->choice] = (uint8_t)side;
    enum harness_status status = harness_backend_open_chosen(&taken, &backend, error);
    if (status != HARNESS_OK)
        return status;
    if (harness_runner_create(backend.backend, &plain_options, &runner) != PICA_OK ||
        harness_places_run(&split->places, split->program, runner, out) != PICA_OK)
        status = harness_fail(error, HARNESS_HOST, "reference: cannot run the case %s of corpus/splits",
                              pica_choice_info((uint32_t)split->choice)->name);
    harness_runner_destroy(runner);
    harness_backend_close(&backend);
    return status;
}

/* Notes a side that leaves what the backend left. If there are two such sides, the case cannot tell which it is. */
static void take_side(struct harness_finger *finger, uint32_t side)
{
    if (finger->kind == HARNESS_FINGER_SIDE) {
        not_tested(finger, "another choice hides it");
        return;
    }
    if (finger->kind == HARNESS_FINGER_NEITHER) {
        finger->kind = HARNESS_FINGER_SIDE;
        finger->side = side;
    }
}

static enum harness_status judge_again(const struct harness_split *split, const struct pica_choices *found,
                                       struct harness_finger *finger, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    finger->kind = HARNESS_FINGER_NEITHER;
    const uint32_t sides = pica_side_count((uint32_t)split->choice);
    for (uint32_t side = 0; status == HARNESS_OK && side < sides; side++) {
        struct harness_words words;
        status = reference_words(split, found, side, &words, error);
        if (status == HARNESS_OK && harness_places_equal(&split->places, &words, &finger->words))
            take_side(finger, side);
    }
    if (finger->kind == HARNESS_FINGER_NEITHER)
        take_worked(split, finger); /* the backend's other choice does not touch this case as the reference's does */
    return status;
}

static enum harness_status judge_touched(struct harness_fingerprint *out, struct harness_error *error)
{
    struct pica_choices found;
    bool known[PICA_CHOICES];
    harness_fingerprint_choices(out, &found, known);
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; status == HARNESS_OK && i < PICA_CHOICES; i++) {
        struct harness_finger *const finger = &out->fingers[i];
        struct harness_split split;
        if (!finger->ran)
            continue;
        status = harness_split_open(&split, i, error);
        if (status != HARNESS_OK)
            break;
        if (is_touched(&split, &found))
            status = judge_again(&split, &found, finger, error);
        harness_split_free(&split);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------- both */

/* Each case has an instance of its own: what it leaves behind in a careless backend must not decide the next one. */
void harness_finger_take(const struct harness_split *split, const struct harness_backend *backend,
                         volatile uint32_t *step, struct harness_finger *out)
{
    struct harness_runner *runner = NULL;
    *out = (struct harness_finger){ .kind = HARNESS_FINGER_TROUBLE, .why = "the backend cannot be created" };
    if (harness_runner_create(backend->backend, &plain_options, &runner) == PICA_OK) {
        harness_runner_tell_step(runner, step);
        take_finger(split, backend, runner, out);
    }
    harness_runner_destroy(runner);
}

enum harness_status harness_finger_take_here(void *user, const struct harness_split *split, struct harness_finger *out,
                                             struct harness_error *error)
{
    (void)error;
    harness_finger_take(split, user, NULL, out);
    return HARNESS_OK;
}

static enum harness_status take_one(const struct harness_finger_taker *taker, uint32_t choice,
                                    struct harness_fingerprint *out, struct harness_error *error)
{
    struct harness_split split;
    enum harness_status status = harness_split_open(&split, choice, error);
    if (status != HARNESS_OK)
        return status;
    status = taker->take(taker->user, &split, &out->fingers[choice], error);
    harness_split_free(&split);
    return status;
}

/* Adds the choices that touch those of the set. */
static enum harness_status add_touching(bool set[PICA_CHOICES], struct harness_error *error)
{
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        struct harness_split split;
        if (!set[i])
            continue;
        const enum harness_status status = harness_split_open(&split, i, error);
        if (status != HARNESS_OK)
            return status;
        for (uint32_t other = 0; other < PICA_CHOICES; other++)
            set[other] = set[other] || split.touched_by[other];
        harness_split_free(&split);
    }
    return HARNESS_OK;
}

enum harness_status harness_fingerprint_take(const struct harness_finger_taker *taker, const bool asked[PICA_CHOICES],
                                             struct harness_fingerprint *out, struct harness_error *error)
{
    bool set[PICA_CHOICES];
    enum harness_status status = HARNESS_OK;
    memset(out, 0, sizeof *out);
    memcpy(set, asked, sizeof set);
    for (uint32_t round = 0; status == HARNESS_OK && round < ROUNDS; round++)
        status = add_touching(set, error);
    for (uint32_t i = 0; status == HARNESS_OK && i < PICA_CHOICES; i++)
        if (set[i])
            status = take_one(taker, i, out, error);
    for (uint32_t round = 0; status == HARNESS_OK && round < ROUNDS; round++)
        status = judge_touched(out, error);
    return status;
}

const char *harness_finger_word(const struct harness_fingerprint *fingerprint, uint32_t choice)
{
    const struct harness_finger *const finger = &fingerprint->fingers[choice];
    switch (finger->kind) {
    case HARNESS_FINGER_SIDE: return pica_side_info(choice, finger->side)->word;
    case HARNESS_FINGER_NEITHER: return "neither";
    case HARNESS_FINGER_NOT_TESTED: return "not tested";
    case HARNESS_FINGER_DIED: return "died";
    case HARNESS_FINGER_TROUBLE: return "trouble";
    }
    return ""; /* not reached */
}

void harness_fingerprint_choices(const struct harness_fingerprint *fingerprint, struct pica_choices *out,
                                 bool known[PICA_CHOICES])
{
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        const struct harness_finger *const finger = &fingerprint->fingers[i];
        known[i] = finger->kind == HARNESS_FINGER_SIDE;
        out->sides[i] = known[i] ? (uint8_t)finger->side : 0;
    }
}
