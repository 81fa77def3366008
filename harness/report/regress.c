#include "harness/report/regress.h"

#include "harness/case/formats.h"
#include "harness/case/grow.h"
#include "harness/report/regress_parts.h"
#include "harness/run/backends.h"
#include "oracles/equal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What messages call the two backends, for both may have the same name. */
static const char *const sides[2] = { "before", "after" };

/* --------------------------------------------------------------------------------------------------------- life */

static enum harness_status make_directories(const char *directory, struct harness_error *error)
{
    char pictures[4096];
    enum harness_status status = harness_directory_make(directory, error);
    if (status == HARNESS_OK)
        status = report_path(directory, "", "pictures", pictures, sizeof pictures, error);
    return status == HARNESS_OK ? harness_directory_make(pictures, error) : status;
}

static enum harness_status open_teller(struct harness_regress *regress, struct harness_error *error)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const enum harness_status status = harness_backend_open("reference", &regress->teller, error);
    if (status != HARNESS_OK)
        return status;
    return harness_runner_create(regress->teller.backend, &options, &regress->watched) == PICA_OK
               ? HARNESS_OK
               : harness_fail_memory(error);
}

enum harness_status harness_regress_create(const char *directory, const char *before, const char *after,
                                           struct harness_regress **out, struct harness_error *error)
{
    *out = NULL;
    struct harness_regress *const regress = calloc(1, sizeof *regress);
    if (regress == NULL)
        return harness_fail_memory(error);
    regress->directory = strdup(directory);
    regress->names[0] = strdup(before);
    regress->names[1] = strdup(after);
    enum harness_status status = regress->directory == NULL || regress->names[0] == NULL || regress->names[1] == NULL
                                     ? harness_fail_memory(error)
                                     : make_directories(directory, error);
    if (status == HARNESS_OK)
        status = open_teller(regress, error);
    if (status == HARNESS_OK)
        *out = regress;
    else
        harness_regress_destroy(regress);
    return status;
}

void harness_regress_destroy(struct harness_regress *regress)
{
    if (regress == NULL)
        return;
    for (size_t i = 0; i < regress->count; i++) {
        free(regress->entries[i].path);
        free(regress->entries[i].message);
    }
    harness_runner_destroy(regress->watched);
    harness_backend_close(&regress->teller);
    free(regress->entries);
    free(regress->names[0]);
    free(regress->names[1]);
    free(regress->directory);
    free(regress);
}

/* The next entry, with its path alone; NULL without memory. */
static struct regress_entry *new_entry(struct harness_regress *regress, const char *path)
{
    struct regress_entry *const entries = harness_grow(regress->entries, regress->count, sizeof *entries);
    if (entries == NULL)
        return NULL;
    regress->entries = entries;
    for (size_t i = 0; i < regress->count; i++)
        harness_location_moved(&entries[i].location);
    struct regress_entry *const entry = &regress->entries[regress->count];
    memset(entry, 0, sizeof *entry);
    entry->path = strdup(path);
    if (entry->path == NULL)
        return NULL;
    regress->count++;
    return entry;
}

static enum harness_status set_message(struct regress_entry *entry, const char *message, struct harness_error *error)
{
    free(entry->message);
    entry->message = strdup(message);
    return entry->message != NULL ? HARNESS_OK : harness_fail_memory(error);
}

/* ------------------------------------------------------------------------------------------------------ closer look */

/* Both sides, their results under the names that messages have, and the buffers drawn to. */
static enum harness_status run_both(const struct harness_regress *regress, struct harness_runner *const runners[2],
                                    const struct harness_program *program, uint32_t last,
                                    struct harness_surfaces *surfaces, struct oracle_run runs[2],
                                    struct harness_error *error)
{
    struct pica_choices choices;
    harness_runners_choices(runners, 2, &choices);
    harness_surfaces_clear(surfaces, &choices);
    enum harness_status status = report_run(regress->watched, program, last, surfaces, NULL, error);
    for (int side = 0; side < 2 && status == HARNESS_OK; side++) {
        status = report_run(runners[side], program, last, NULL, &runs[side], error);
        runs[side].backend = sides[side];
    }
    return status;
}

/* "faulty has +1" becomes "after has +1". */
static void rename_side(char *words, size_t size, const char *name, const char *side)
{
    char renamed[HARNESS_LOCATION_NOTE];
    const size_t length = strlen(name);
    const char *const at = length != 0 ? strstr(words, name) : NULL;
    if (at == NULL || strncmp(at + length, " has ", 5) != 0) /* other words are of either side */
        return;
    (void)snprintf(renamed, sizeof renamed, "%.*s%s%s", (int)(at - words), words, side, at + length);
    (void)snprintf(words, size, "%s", renamed);
}

/* Finds the place, what the oracles say there, and the pictures: those at the end of the case, which people know; or
 * where both sides look the same again by then, those after the operation that differs. */
static enum harness_status explain(const struct harness_regress *regress, struct harness_runner *const runners[2],
                                   const struct harness_program *program, struct regress_entry *entry,
                                   struct harness_error *error)
{
    struct harness_surfaces surfaces;
    struct oracle_run runs[2];
    struct oracle_report judged;
    struct harness_location *const location = &entry->location;
    enum harness_status status = harness_localise(runners[0], runners[1], program, location, error);
    location->first = sides[0];
    location->second = sides[1];
    rename_side(location->pixel.pattern, sizeof location->pixel.pattern, harness_runner_backend(runners[1])->name,
                sides[1]);
    if (status == HARNESS_OK)
        status = run_both(regress, runners, program, UINT32_MAX, &surfaces, runs, error);
    if (status == HARNESS_OK)
        status = regress_write_pictures(regress, entry, runs, &surfaces, error);
    entry->at_end = entry->pictures.count != 0;
    if (status == HARNESS_OK && location->differs)
        status = run_both(regress, runners, program, location->operation, &surfaces, runs, error);
    if (status == HARNESS_OK && !entry->at_end)
        status = regress_write_pictures(regress, entry, runs, &surfaces, error);
    if (status != HARNESS_OK)
        return status;
    oracle_all_equal(&runs[0], &runs[1], false, &judged);
    return set_message(entry, judged.message, error);
}

/* The message of a case until it is explained. It says which side crashed or failed, and not by the backend's name. */
static enum harness_status tell(struct regress_entry *entry, const struct harness_trial *trial, const char *why,
                                struct harness_error *error)
{
    struct harness_text text = { 0 };
    if (trial->outcome == HARNESS_DIVERGE)
        harness_text_add(&text, trial->comparison.report.message);
    else if (why[0] != '\0' && (harness_outcome_died(trial->outcome) || trial->outcome == HARNESS_TROUBLE))
        harness_text_format(&text, "%s: %s", sides[trial->symptom.backend & 1u], why);
    else
        harness_text_add(&text, why);
    const enum harness_status status = set_message(entry, harness_text_string(&text), error);
    harness_text_free(&text);
    return status;
}

enum harness_status harness_regress_add(struct harness_regress *regress, struct harness_runner *const runners[2],
                                        const char *path, const struct harness_program *program,
                                        const struct harness_trial *trial, const char *why, struct harness_error *error)
{
    struct regress_entry *const entry = new_entry(regress, path);
    if (entry == NULL)
        return harness_fail_memory(error);
    entry->outcome = trial->outcome;
    if (trial->comparison.scope[0] != '\0' || harness_outcome_compared(trial->outcome))
        memcpy(regress->compared, trial->comparison.scope, sizeof regress->compared);
    const enum harness_status status = tell(entry, trial, why, error);
    if (status != HARNESS_OK || trial->outcome != HARNESS_DIVERGE)
        return status;
    struct harness_error trouble = { "" };
    if (explain(regress, runners, program, entry, &trouble) == HARNESS_OK)
        return HARNESS_OK;
    (void)snprintf(entry->location.note, sizeof entry->location.note, "not explained: %.200s", trouble.message);
    return HARNESS_OK;
}

void harness_regress_accept(struct harness_regress *regress)
{
    if (regress->count != 0)
        regress->entries[regress->count - 1].accepted = true;
}

/* How many cases came to that, with those that are accepted or without. */
static size_t count_of(const struct harness_regress *regress, enum harness_outcome outcome, bool with_accepted)
{
    size_t count = 0;
    for (size_t i = 0; i < regress->count; i++)
        count += regress->entries[i].outcome == outcome && (with_accepted || !regress->entries[i].accepted);
    return count;
}

void harness_regress_totals(const struct harness_regress *regress, struct harness_text *out)
{
    const char *separator = "";
    for (unsigned i = 0; i < HARNESS_OUTCOMES; i++) {
        const enum harness_outcome outcome = (enum harness_outcome)i;
        const size_t count = count_of(regress, outcome, true);
        const size_t accepted = count - count_of(regress, outcome, false);
        if (count == 0)
            continue;
        harness_text_format(out, "%s %zu %s", separator, count, harness_outcome_name(outcome));
        if (accepted != 0)
            harness_text_format(out, " (%zu accepted)", accepted);
        separator = ",";
    }
}

const char *harness_regress_compared(const struct harness_regress *regress)
{
    return regress->compared;
}

const char *harness_regress_message(const struct harness_regress *regress)
{
    const char *const message = regress->count != 0 ? regress->entries[regress->count - 1].message : NULL;
    return message != NULL ? message : "";
}
