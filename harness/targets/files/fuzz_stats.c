/*
 * The property: any bytes may be what a campaign did (docs/formats/stats.md): its history if they begin as one, else
 * stats.json. What is read is written as text that is read again; a history is thinned before.
 */
#include "harness/pulse/history.h"
#include "harness/pulse/totals.h"
#include "harness/targets/failure.h"
#include "harness/targets/files/saved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char saved_beginning[] = "";

/* A function of its own, so that engines which tell crashes apart by their stack see the kind. */
static __attribute__((noinline)) void what_is_written_is_refused(const char *why)
{
    target_tell("files", "stats", why);
    fprintf(stderr, "picafuzz: what was written is not read: %s\n", why);
    __builtin_trap();
}

static enum harness_status read_history(const char *bytes, size_t size, struct harness_error *why)
{
    struct harness_pulse_history history = { NULL, 0, 0 }, again = { NULL, 0, 0 };
    const enum harness_status status = harness_pulse_history_parse(bytes, size, &history, why);
    if (status != HARNESS_OK)
        return status;
    harness_pulse_history_thin(&history);
    char *const text = harness_pulse_history_print(&history);
    if (text != NULL && harness_pulse_history_parse(text, strlen(text), &again, why) == HARNESS_BAD_INPUT)
        what_is_written_is_refused(why->message);
    free(text);
    harness_pulse_history_free(&again);
    harness_pulse_history_free(&history);
    return HARNESS_OK;
}

static enum harness_status read_totals(const char *bytes, size_t size, struct harness_error *why)
{
    static struct harness_pulse_totals totals, again;
    const enum harness_status status = harness_totals_parse(bytes, size, &totals, why);
    if (status != HARNESS_OK)
        return status;
    char *const text = harness_totals_print(&totals);
    if (text != NULL && harness_totals_parse(text, strlen(text), &again, why) == HARNESS_BAD_INPUT)
        what_is_written_is_refused(why->message);
    free(text);
    return HARNESS_OK;
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    static const char head[] = "# picafuzz history 1\n";
    struct harness_error why = { "" };
    const bool is_history = size >= sizeof head - 1 && memcmp(bytes, head, sizeof head - 1) == 0;
    const enum harness_status status = is_history ? read_history(bytes, size, &why) : read_totals(bytes, size, &why);
    return status == HARNESS_OK ? HARNESS_OK : harness_fail(error, status, "%s: %s", saved_name, why.message);
}
