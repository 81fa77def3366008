#include "harness/cli/trial.h"

#include "harness/cli/quirks.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum harness_status cli_trials_begin(const struct cli_run_options *options, const struct harness_trial_options *how,
                                     struct cli_trials *trials, struct harness_error *error)
{
    struct harness_trial_options full = *how;
    full.probe.backends = trials->backends;
    full.probe.backend_count = trials->count;
    full.probe.backend_options = cli_backend_options(options);
    full.probe.hang_ms = options->timeout.ms;
    full.fresh_every = options->fresh;
    return harness_trials_create(&full, &trials->trials, error);
}

int cli_trials_open(const struct cli_run_options *options, const struct harness_trial_options *how,
                    struct cli_trials *out)
{
    struct harness_error error = { "" };
    memset(out, 0, sizeof *out);
    const int code = cli_backends_open(options, false, 0, out->backends, &out->count);
    if (code != CLI_OK)
        return code;
    const enum harness_status status = cli_trials_begin(options, how, out, &error);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}

/* Ends the process before the C library unloads the plug-ins that were left open. */
static void leave(int code, void *nothing)
{
    (void)nothing;
    (void)fflush(NULL);
    _exit(code);
}

int cli_trials_close(struct cli_trials *trials)
{
    const char *const farewell = trials->trials != NULL ? harness_trials_end(trials->trials) : "";
    const int code = farewell[0] != '\0' ? CLI_CRASHED : CLI_OK;
    if (code != CLI_OK)
        cli_print(stderr, "picafuzz: %s\n", farewell);
    harness_trials_destroy(trials->trials);
    bool stays_loaded = false;
    for (size_t i = 0; i < trials->count; i++)
        if (code != CLI_OK && trials->backends[i].library != NULL)
            stays_loaded = true; /* unloading what died of it in a worker would end this process, too */
        else
            harness_backend_close(&trials->backends[i]);
    if (stays_loaded)
        (void)on_exit(leave, NULL);
    memset(trials, 0, sizeof *trials);
    return code;
}

/* ----------------------------------------------------------------------------------------------------------- a case */

enum harness_status cli_trial_case(const struct cli_run_options *options, const struct cli_trials *trials,
                                   struct harness_case *test_case, const struct harness_past *past,
                                   struct harness_trial *out, struct harness_error *error)
{
    const char *why = NULL;
    char text[HARNESS_SYMPTOM_DETAIL];
    const enum harness_status status = cli_quirks_case(options, test_case, &why, error);
    if (status != HARNESS_OK || why == NULL)
        return status != HARNESS_OK ? status : harness_trial_run(trials->trials, test_case, past, out, error);
    (void)snprintf(text, sizeof text, "without: %s", why);
    harness_trial_leave_out(out, text);
    return HARNESS_OK;
}

/* Does the reason hold this line: where a crash was, or what a backend said that cannot be created? */
static bool is_in_reason(const struct harness_trial *trial, const char *line, size_t length)
{
    return strncmp(line, "picafuzz: crashed at ", 21) == 0 ||
           (trial->outcome == HARNESS_TROUBLE &&
            memmem(trial->symptom.detail, strlen(trial->symptom.detail), line, length) != NULL);
}

void cli_trial_said(const struct harness_trial *trial)
{
    for (const char *line = trial->said; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (length != 0 && !is_in_reason(trial, line, length))
            cli_print(stderr, "%.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

/* ----------------------------------------------------------------------------------------------------------- totals */

/* The outcomes other than AGREE: the name in JSON, and what one case or more of them did. */
static const struct {
    enum harness_outcome outcome;
    const char *name, *one, *more;
} rows[] = {
    { HARNESS_DIVERGE, "diverge", "differs", "differ" },
    { HARNESS_RELATION, "relation", "breaks a relation", "break a relation" },
    { HARNESS_NOT_TESTED, "not_tested", "was not tested", "were not tested" },
    { HARNESS_VACUOUS, "vacuous", "changed no memory", "changed no memory" },
    { HARNESS_UNSTABLE, "unstable", "is unstable", "are unstable" },
    { HARNESS_CRASH, "crash", "crashed", "crashed" },
    { HARNESS_HANG, "hang", "hung", "hung" },
    { HARNESS_TROUBLE, "trouble", "failed: no verdict", "failed: no verdict" },
};

/* Without those that are excused, which are counted apart. */
static uint64_t count_of(const struct harness_tally *totals, enum harness_outcome outcome)
{
    return totals->of[outcome] - (outcome == HARNESS_DIVERGE ? totals->excused : 0);
}

void cli_totals_print(const struct harness_tally *totals, const char *what)
{
    const uint64_t agree = totals->of[HARNESS_AGREE] - totals->within, compared = harness_tally_compared(totals);
    cli_print(stdout, "%" PRIu64 " of %" PRIu64 " %s%s %s", agree, totals->executed, what,
              cli_word(totals->executed, "case", "cases"), totals->executed == 1 ? "agrees" : "agree");
    if (totals->within != 0)
        cli_print(stdout, ", %" PRIu64 " %s within the tolerance", totals->within,
                  cli_word(totals->within, "agrees", "agree"));
    if (totals->excused != 0)
        cli_print(stdout, ", %" PRIu64 " %s by undefined behaviour", totals->excused,
                  cli_word(totals->excused, "differs", "differ"));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t count = count_of(totals, rows[i].outcome);
        if (count != 0)
            cli_print(stdout, ", %" PRIu64 " %s", count, cli_word(count, rows[i].one, rows[i].more));
    }
    cli_print(stdout, "%s\n", compared == 0 ? ": nothing was compared" : "");
}

int cli_nothing_compared(const struct harness_tally *tally)
{
    return tally->executed != 0 && harness_tally_compared(tally) == 0 ? CLI_USAGE : CLI_OK;
}

void cli_totals_json(const struct harness_tally *totals, cJSON *object)
{
    (void)cJSON_AddNumberToObject(object, "executed", (double)totals->executed);
    (void)cJSON_AddNumberToObject(object, "compared", (double)harness_tally_compared(totals));
    (void)cJSON_AddNumberToObject(object, "agree", (double)(totals->of[HARNESS_AGREE] - totals->within));
    (void)cJSON_AddNumberToObject(object, "within_tolerance", (double)totals->within);
    (void)cJSON_AddNumberToObject(object, "diverge_undefined", (double)totals->excused);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        (void)cJSON_AddNumberToObject(object, rows[i].name, (double)count_of(totals, rows[i].outcome));
}
