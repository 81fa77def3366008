/*
 * The property: any bytes may be what a campaign did over all its starts (stats.json, docs/formats/stats.md), and what
 * is read is written as text that is read again.
 */
#include "harness/pulse/totals.h"
#include "harness/targets/failure.h"
#include "harness/targets/files/saved.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char saved_beginning[] = "";

/* A function of its own, so that engines which tell crashes apart by their stack see the kind. */
static __attribute__((noinline)) void written_stats_are_refused(const char *why)
{
    target_tell("files", "stats", why);
    fprintf(stderr, "picafuzz: stats that were written are not read: %s\n", why);
    __builtin_trap();
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    static struct harness_pulse_totals totals, again;
    struct harness_error why = { "" };
    if (harness_totals_parse(bytes, size, &totals, &why) != HARNESS_OK)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: %s", saved_name, why.message);
    char *const text = harness_totals_print(&totals);
    if (text != NULL && harness_totals_parse(text, strlen(text), &again, &why) == HARNESS_BAD_INPUT)
        written_stats_are_refused(why.message);
    free(text);
    return HARNESS_OK;
}
