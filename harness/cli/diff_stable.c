/* Does a difference come back? In three fresh processes, each with other bytes in what malloc gives. */
#include "harness/cli/diff_parts.h"
#include "harness/cli/quirks.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRESH = 3
};

/* mallopt(M_PERTURB): malloc gives bytes of its complement, free leaves it behind; 0 is as usual. */
static const struct {
    int fill;
    const char *words;
} conditions[FRESH] = {
    { 0, "fresh memory as it is" },
    { 0x55, "fresh memory full of 0xAA" },
    { 0xAA, "fresh memory full of 0x55" },
};

static void fill_memory(int fill)
{
    char text[16];
    if (fill == 0)
        return;
    (void)mallopt(M_PERTURB, fill);
    (void)snprintf(text, sizeof text, "%d", fill);
    (void)setenv("MALLOC_PERTURB_", text, 1); /* for a backend in a process of its own */
}

/* In a guarded child of its own: totals->differs says what came out. */
static int judge(const void *argument)
{
    const struct diff_request *const request = argument;
    struct harness_error error = { "" };
    struct harness_comparison comparison;
    struct cli_session session;
    struct cli_case loaded = { NULL, NULL };
    const char *why = NULL;
    fill_memory(request->totals->fill);
    int code = cli_session_open(&session, &request->options);
    if (code == CLI_OK && cli_case_create(&loaded, &error) == HARNESS_OK &&
        cli_case_load(&loaded, request->path, &error) == HARNESS_OK &&
        cli_quirks_case(&request->options, loaded.test_case, loaded.program, &why, &error) == HARNESS_OK &&
        harness_compare(session.runners, session.count, loaded.program, &request->compare, &comparison, &error) ==
            HARNESS_OK)
        request->totals->differs = comparison.report.verdict >= ORACLE_DIVERGE_UNDEFINED;
    cli_case_destroy(&loaded);
    return cli_worse(code, cli_session_close(&session));
}

static bool differs_with(const struct diff_request *request, size_t condition)
{
    request->totals->differs = false;
    request->totals->fill = conditions[condition].fill;
    (void)cli_guard(request->path, request->options.timeout.seconds, judge, request);
    return request->totals->differs;
}

/* "with fresh memory as it is they differ, with ... they agree". */
static void add_conditions(const bool differs[FRESH], char *out, size_t size)
{
    for (size_t i = 0; i < FRESH; i++) {
        const size_t length = strlen(out);
        (void)snprintf(out + length, size - length, "%s with %s they %s", i == 0 ? ":" : ",", conditions[i].words,
                       differs[i] ? "differ" : "agree");
    }
}

bool diff_comes_back(const struct diff_request *request)
{
    struct diff_totals *const totals = request->totals;
    bool first[FRESH], second[FRESH];
    int times = 0;
    for (size_t i = 0; i < FRESH; i++) {
        first[i] = differs_with(request, i);
        times += first[i];
    }
    totals->depends[0] = '\0';
    if (times == FRESH)
        return true;
    for (size_t i = 0; i < FRESH; i++)
        second[i] = differs_with(request, i);
    const size_t size = sizeof totals->depends;
    const bool repeats = memcmp(first, second, sizeof first) == 0;
    const bool alike = first[0] == first[1] && first[1] == first[2];
    const int length =
        snprintf(totals->depends, size, "the difference came back in %d of %d fresh processes; ", times, FRESH);
    (void)snprintf(totals->depends + length, size - (size_t)length, "%s",
                   repeats && !alike ? "it depends on memory that was never written"
                                     : "it depends on nothing that can be set here: time, threads, addresses, files");
    if (repeats && !alike)
        add_conditions(first, totals->depends, size);
    return false;
}
