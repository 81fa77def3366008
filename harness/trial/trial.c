#include "harness/trial/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOM = 16 << 20,    /* for a case; nothing is taken before it is needed */
    SHARED_CASES = 1000 /* of one process, which may lose memory */
};

struct harness_trials {
    struct harness_trial_options options;
    struct harness_probe *probe;
    struct harness_program *program;
    size_t ran;  /* cases of the process that is there */
    size_t most; /* that it may run */
};

/* ------------------------------------------------------------------------------------------------------------- life */

/* What a plug-in declares of a process of its own holds for workers, too. */
static size_t most_cases(const struct harness_trial_options *options)
{
    size_t most = options->fresh_every != 0 ? options->fresh_every : SHARED_CASES;
    for (size_t i = 0; i < options->probe.backend_count && options->fresh_every == 0; i++) {
        const struct pica_models *const models = options->probe.backends[i].backend->models;
        if (models != NULL && models->fresh_every != 0 && models->fresh_every < most)
            most = models->fresh_every;
    }
    return most;
}

enum harness_status harness_trials_create(const struct harness_trial_options *options, struct harness_trials **out,
                                          struct harness_error *error)
{
    struct harness_trials *const trials = calloc(1, sizeof *trials);
    *out = trials;
    if (trials == NULL)
        return harness_fail_memory(error);
    trials->options = *options;
    trials->most = most_cases(options);
    trials->options.probe.jobs = 1;
    trials->options.probe.measure = true;
    trials->options.probe.digest = false;
    trials->options.probe.ends_well = true;
    trials->options.probe.case_bytes = ROOM;
    trials->program = harness_program_create();
    const enum harness_status status = trials->program != NULL
                                           ? harness_probe_create(&trials->options.probe, &trials->probe, error)
                                           : harness_fail_memory(error);
    if (status == HARNESS_OK)
        return HARNESS_OK;
    harness_trials_destroy(trials);
    *out = NULL;
    return status;
}

void harness_trials_destroy(struct harness_trials *trials)
{
    if (trials == NULL)
        return;
    harness_probe_destroy(trials->probe);
    harness_program_destroy(trials->program);
    free(trials);
}

static void renew(struct harness_trials *trials)
{
    harness_probe_renew(trials->probe, 0);
    trials->ran = 0;
}

const char *harness_trials_end(struct harness_trials *trials)
{
    renew(trials);
    return harness_probe_farewell(trials->probe);
}

/* Workers with room for the case. */
static enum harness_status make_room(struct harness_trials *trials, struct harness_error *error)
{
    size_t *const bytes = &trials->options.probe.case_bytes;
    const size_t needed = harness_probe_size(trials->program);
    if (needed <= *bytes)
        return HARNESS_OK;
    harness_probe_destroy(trials->probe);
    trials->ran = 0;
    *bytes = 2 * needed;
    return harness_probe_create(&trials->options.probe, &trials->probe, error);
}

/* ----------------------------------------------------------------------------------------------------------- a case */

static enum harness_status try_once(struct harness_trials *trials, const struct harness_case *test_case, bool explain,
                                    struct harness_symptom *out, struct harness_error *error)
{
    if (explain || trials->ran >= trials->most)
        renew(trials);
    trials->ran++;
    const enum harness_status status =
        harness_probe_start(trials->probe, 0, test_case, trials->program, explain, error);
    return status == HARNESS_OK ? harness_probe_finish(trials->probe, 0, out, error) : status;
}

static bool is_run_again(enum harness_outcome outcome)
{
    return outcome == HARNESS_DIVERGE || outcome == HARNESS_CRASH || outcome == HARNESS_RELATION;
}

/* Without an answer it counts as what it was. */
void harness_trial_again(const struct harness_trials *trials, const struct harness_case *test_case,
                         const struct harness_past *past, struct harness_trial *out)
{
    if (!is_run_again(out->outcome))
        return;
    struct harness_error error = { "" };
    struct harness_stability stability;
    const size_t before = trials->ran > 1 ? trials->ran - 1 : 0; /* cases of that process */
    struct harness_past same_process = { .count = 0 };
    if (past != NULL)
        same_process = (struct harness_past){ past->before, past->what, past->count < before ? past->count : before };
    const struct harness_stable_question question = { .probe = &trials->options.probe,
                                                      .test_case = test_case,
                                                      .kind = out->outcome,
                                                      .past = same_process.count != 0 ? &same_process : NULL };
    if (harness_stable(&question, &stability, &error) != HARNESS_OK || stability.stable)
        return;
    out->outcome = HARNESS_UNSTABLE;
    out->stability = stability;
}

/* Where it begins, in a process that ran nothing else. If it is not seen there after all, nothing is said. */
static enum harness_status explain(struct harness_trials *trials, const struct harness_case *test_case,
                                   struct harness_trial *out, struct harness_error *error)
{
    struct harness_symptom now;
    const enum harness_status status = try_once(trials, test_case, true, &now, error);
    if (status != HARNESS_OK || now.kind != out->outcome || trials->options.probe.judge != NULL)
        return status;
    const struct harness_location *const location = harness_probe_location(trials->probe);
    out->symptom = now;
    out->comparison = *harness_probe_comparison(trials->probe);
    out->location = location != NULL ? *location : (struct harness_location){ 0 };
    harness_location_moved(&out->location);
    if (location == NULL)
        (void)snprintf(out->location.note, sizeof out->location.note,
                       "not explained: a backend crashed or hung while the difference was looked for");
    return HARNESS_OK;
}

/* A judge's unstable result may come from what this process holds, so the process is not used again. Where two backends
 * are compared that is not needed: there each next case is run again, too. */
static bool is_spoilt(const struct harness_trials *trials, const struct harness_trial *trial)
{
    return trial->outcome == HARNESS_UNSTABLE && trials->options.probe.judge != NULL;
}

enum harness_status harness_trial_run(struct harness_trials *trials, const struct harness_case *test_case,
                                      const struct harness_past *past, struct harness_trial *out,
                                      struct harness_error *error)
{
    memset(out, 0, sizeof *out);
    enum harness_status status = harness_case_setup(test_case, trials->program, error);
    if (status == HARNESS_OK)
        status = make_room(trials, error);
    if (status == HARNESS_OK)
        status = try_once(trials, test_case, false, &out->symptom, error);
    if (status != HARNESS_OK)
        return status;
    out->outcome = out->symptom.kind;
    out->comparison = *harness_probe_comparison(trials->probe);
    if (!trials->options.once)
        harness_trial_again(trials, test_case, past, out);
    if ((out->outcome == HARNESS_DIVERGE || out->outcome == HARNESS_RELATION) && trials->options.explain)
        status = explain(trials, test_case, out, error);
    if (!trials->options.shares || harness_outcome_died(out->symptom.kind) || is_spoilt(trials, out))
        renew(trials);
    harness_probe_said(trials->probe, out->said, sizeof out->said); /* some say it at their end */
    return status;
}

void harness_trials_number(struct harness_trials *trials, uint64_t number)
{
    trials->options.probe.number = number;
}

const void *harness_trials_answer(const struct harness_trials *trials)
{
    return harness_probe_answer(trials->probe);
}

void harness_trial_leave_out(struct harness_trial *out, const char *why)
{
    memset(out, 0, sizeof *out);
    out->outcome = out->symptom.kind = HARNESS_NOT_TESTED;
    (void)snprintf(out->symptom.detail, sizeof out->symptom.detail, "%s", why);
}

bool harness_trial_is_excused(const struct harness_trial *trial)
{
    return (trial->outcome == HARNESS_DIVERGE || trial->outcome == HARNESS_RELATION) && trial->symptom.undefined;
}

/* ------------------------------------------------------------------------------------------------------------ words */

static void add_line(const char *text, struct harness_text *out)
{
    harness_text_format(out, "%.*s", (int)strcspn(text, "\n"), text);
}

/* Of a plug-in's own process that died the report tells; of a worker that died the symptom does. */
static void add_death(const struct harness_trials *trials, const struct harness_trial *trial, struct harness_text *out)
{
    const struct harness_probe_options *const probe = &trials->options.probe;
    const struct harness_crash_place *const crash = &trial->symptom.crash;
    if (trial->comparison.report.message[0] != '\0') {
        add_line(trial->comparison.report.message, out);
        if (crash->name[0] != '\0')
            harness_text_format(out, ", in %s%s", crash->name, crash->is_function ? "()" : "");
        return;
    }
    harness_text_format(out, "backend %s: ", probe->backends[trial->symptom.backend].backend->name);
    harness_symptom_death_text(&trial->symptom, out);
    if (trial->outcome == HARNESS_HANG)
        harness_text_format(out, ": not done after %g s", probe->hang_ms * 1e-3);
}

void harness_trial_reason(const struct harness_trials *trials, const struct harness_trial *trial,
                          struct harness_text *out)
{
    const struct harness_symptom *const symptom = &trial->symptom;
    switch (trial->outcome) {
    case HARNESS_AGREE:
    case HARNESS_TEST: return;
    case HARNESS_CRASH:
    case HARNESS_HANG: add_death(trials, trial, out); return;
    case HARNESS_TROUBLE:
    case HARNESS_NOT_TESTED: add_line(symptom->detail, out); return;
    case HARNESS_UNSTABLE: add_line(trial->stability.text, out); return;
    case HARNESS_RELATION: harness_text_format(out, "%s: ", symptom->what); break;
    case HARNESS_DIVERGE:
    case HARNESS_VACUOUS: break;
    }
    add_line(trial->comparison.report.message, out);
}

/* ----------------------------------------------------------------------------------------------------------- totals */

void harness_tally_add(struct harness_tally *totals, const struct harness_trial *trial)
{
    const struct oracle_allowance *const allowed = &trial->comparison.allowed;
    totals->executed++;
    totals->of[trial->outcome]++;
    totals->within += trial->outcome == HARNESS_AGREE && (allowed->pixels != 0 || allowed->values != 0);
    totals->excused += harness_trial_is_excused(trial);
}

uint64_t harness_tally_compared(const struct harness_tally *totals)
{
    uint64_t compared = 0;
    for (unsigned i = 0; i < HARNESS_OUTCOMES; i++)
        if (harness_outcome_compared((enum harness_outcome)i))
            compared += totals->of[i];
    return compared;
}
