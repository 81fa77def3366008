/*
 * The property: any bytes may be the history of a campaign (history.tsv, docs/formats/stats.md), and what is read, and
 * thinned, is written as text that is read again.
 */
#include "harness/pulse/history.h"
#include "harness/targets/failure.h"
#include "harness/targets/files/saved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char saved_beginning[] = "# picafuzz history 1\n";

/* A function of its own, so that engines which tell crashes apart by their stack see the kind. */
static __attribute__((noinline)) void written_history_is_refused(const char *why)
{
    target_tell("files", "history", why);
    fprintf(stderr, "picafuzz: a history that was written is not read: %s\n", why);
    __builtin_trap();
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    struct harness_pulse_history history = { NULL, 0, 0 }, again = { NULL, 0, 0 };
    struct harness_error why = { "" };
    const enum harness_status status = harness_pulse_history_parse(bytes, size, &history, &why);
    if (status != HARNESS_OK)
        return harness_fail(error, status, "%s: %s", saved_name, why.message);
    harness_pulse_history_thin(&history);
    char *const text = harness_pulse_history_print(&history);
    if (text != NULL && harness_pulse_history_parse(text, strlen(text), &again, &why) == HARNESS_BAD_INPUT)
        written_history_is_refused(why.message);
    free(text);
    harness_pulse_history_free(&again);
    harness_pulse_history_free(&history);
    return HARNESS_OK;
}
