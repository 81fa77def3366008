#include "harness/cli/fingers.h"

#include <stdio.h>

struct fingers {
    struct cli_trials judges;
    int code;
};

/* In a worker: the case of choice `number`. */
static void ask(const struct harness_probe_question *question)
{
    const struct fingers *const fingers = question->user;
    struct harness_finger *const finger = question->answer;
    struct harness_symptom *const symptom = question->symptom;
    struct harness_error error = { "" };
    struct harness_split split;
    *finger = (struct harness_finger){ .kind = HARNESS_FINGER_TROUBLE };
    if (harness_split_open(&split, (uint32_t)question->number, &error) == HARNESS_OK) {
        harness_finger_take(&split, &fingers->judges.backends[0], question->step, finger);
        harness_split_free(&split);
    }
    if (finger->kind == HARNESS_FINGER_TROUBLE)
        symptom->kind = HARNESS_TROUBLE;
    if (finger->kind == HARNESS_FINGER_NOT_TESTED)
        symptom->kind = HARNESS_NOT_TESTED;
    (void)snprintf(symptom->detail, sizeof symptom->detail, "%s",
                   error.message[0] != '\0' ? error.message : finger->why);
}

/* Takes what the worker answered, or how it died. */
static void take_answer(const struct fingers *fingers, struct harness_finger *out)
{
    const struct harness_trial *const trial = &fingers->judges.trial;
    struct harness_text why = { 0 };
    const bool has_failed = trial->outcome == HARNESS_TROUBLE;
    if (!harness_outcome_is_wrong(trial->outcome) && !has_failed) {
        *out = *(const struct harness_finger *)harness_trials_answer(fingers->judges.trials);
        return;
    }
    harness_trial_reason(fingers->judges.trials, trial, &why);
    *out = (struct harness_finger){ .kind = has_failed ? HARNESS_FINGER_TROUBLE : HARNESS_FINGER_DIED };
    (void)snprintf(out->why, sizeof out->why, "%s", harness_text_string(&why));
    harness_text_free(&why);
}

static enum harness_status take(void *user, const struct harness_split *split, struct harness_finger *out,
                                struct harness_error *error)
{
    struct fingers *const fingers = user;
    struct harness_trial *const trial = &fingers->judges.trial;
    harness_trials_number(fingers->judges.trials, (uint64_t)split->choice);
    const enum harness_status status = harness_trial_run(fingers->judges.trials, split->test_case, NULL, trial, error);
    if (status != HARNESS_OK)
        return status;
    fingers->code = cli_worse(fingers->code, (int)harness_outcome_exit(trial->outcome));
    cli_trial_said(trial);
    take_answer(fingers, out);
    return HARNESS_OK;
}

enum harness_status cli_fingerprint_take(const struct cli_run_options *options, const struct cli_trials *opened,
                                         const bool asked[PICA_CHOICES], struct harness_fingerprint *out, int *code,
                                         struct harness_error *error)
{
    struct fingers fingers = { .judges = *opened };
    const struct harness_probe_judge judge = { ask, NULL, NULL, &fingers }; /* each case has an instance of its own */
    const struct harness_trial_options how = { .probe.judge = &judge, .shares = true };
    const struct harness_finger_taker taker = { take, &fingers };
    fingers.judges.trials = NULL;
    enum harness_status status = cli_trials_begin(options, &how, &fingers.judges, error);
    if (status == HARNESS_OK)
        status = harness_fingerprint_take(&taker, asked, out, error);
    harness_trials_destroy(fingers.judges.trials);
    *code = fingers.code;
    return status;
}
