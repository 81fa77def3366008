#include "harness/interface/interface.h"

#include "harness/interface/bench.h"
#include "harness/run/child.h"
#include "harness/run/memory.h"
#include "harness/run/shared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum {
    MOST_HANGS = 3, /* checks that hang; after them no other is asked */
    PATIENCE = 6    /* times the limit of processor time by the clock */
};

const char *harness_interface_verdict_text(enum harness_interface_verdict verdict)
{
    switch (verdict) {
    case HARNESS_INTERFACE_PASS: return "pass";
    case HARNESS_INTERFACE_FAIL: return "fail";
    case HARNESS_INTERFACE_DIED: return "died";
    case HARNESS_INTERFACE_NOT_DECLARED: return "not declared";
    case HARNESS_INTERFACE_NOT_TAKEN: break;
    }
    return "not taken";
}

/* ------------------------------------------------------------------------------------------------ in the process */

static const struct pica_backend *reference(void)
{
    const struct pica_backend *linked[HARNESS_LINKED_BACKENDS];
    (void)harness_linked_backends(linked, HARNESS_LINKED_BACKENDS);
    return linked[0];
}

/* Opens what is to be checked. */
static bool open_bench(struct interface_bench *bench)
{
    const struct pica_options plain = { .instruction_sets = UINT32_MAX };
    struct harness_error error = { "" };
    (void)snprintf(bench->said->doing, sizeof bench->said->doing, "opening the library");
    if (harness_backend_open(bench->name, &bench->backend, &error) != HARNESS_OK) {
        interface_fail(bench, "%s", error.message);
        return false;
    }
    harness_backend_keep_memory(&bench->backend, 1);
    (void)snprintf(bench->said->doing, sizeof bench->said->doing, "create");
    bench->test_case = harness_case_create();
    bench->program = harness_program_create();
    if (bench->test_case == NULL || bench->program == NULL ||
        harness_runner_create(reference(), &plain, &bench->reference) != PICA_OK)
        interface_fail(bench, "this machine has no memory for the check");
    else if (harness_runner_create(bench->backend.backend, bench->options, &bench->runner) != PICA_OK)
        interface_fail(bench, "create: expected PICA_OK, given another status");
    return !interface_is_over(bench);
}

/* Destroying and unloading belong to each check: plug-ins die of them, too. */
static void close_bench(struct interface_bench *bench)
{
    (void)snprintf(bench->said->doing, sizeof bench->said->doing, "destroy");
    harness_runner_destroy(bench->runner);
    harness_runner_destroy(bench->reference);
    harness_program_destroy(bench->program);
    harness_case_destroy(bench->test_case);
    (void)snprintf(bench->said->doing, sizeof bench->said->doing, "unloading the library");
    harness_backend_close(&bench->backend);
}

/* What the plug-in declares must be there for the check to mean anything. */
static bool is_declared(struct interface_bench *bench)
{
    const uint32_t parts = harness_runner_scope(bench->runner)->parts;
    const struct pica_models *const models = bench->backend.backend->models;
    const bool ours = bench->backend.is_ours;
    if (bench->check->part != 0 && (parts & bench->check->part) == 0)
        bench->said->verdict = HARNESS_INTERFACE_NOT_DECLARED;
    else if (bench->check->budget != 0 && !ours && (models == NULL || (models->budgets & bench->check->budget) == 0))
        bench->said->verdict = HARNESS_INTERFACE_NOT_DECLARED;
    return bench->said->verdict == HARNESS_INTERFACE_PASS;
}

/*
 * A second process has other addresses and other bytes in memory that nobody initialised, as one started on another
 * day: forked from the same program, it would have the same.
 */
static void shift_memory(void)
{
    enum {
        SHIFT = 0x15000 /* small enough to lie among the others */
    };
#ifdef M_PERTURB
    (void)mallopt(M_PERTURB, 0x5C);
#endif
    char *volatile shift = malloc(SHIFT); /* kept: what comes after it lies higher */
    if (shift != NULL)
        memset(shift, 0xA3, SHIFT);
}

static int do_check(void *user)
{
    struct interface_bench *const bench = user;
    harness_memory_watch(&bench->said->refused_mib);
    if (bench->shifted)
        shift_memory();
    if (open_bench(bench) && is_declared(bench))
        bench->check->run(bench);
    if (bench->backend.backend != NULL)
        close_bench(bench);
    bench->said->done = true;
    return 0;
}

/* --------------------------------------------------------------------------------------------------- who waits */

static void keep_last_words(void *user, const char *line, size_t length)
{
    struct interface_said *const said = user;
    if (length > 0)
        (void)snprintf(said->last_words, sizeof said->last_words, "; it said: %.*s", (int)length, line);
}

/* How the process ended, if the check did not come back. */
static void explain_death(struct interface_said *said, struct harness_child_end end, double seconds)
{
    char how[128];
    if (said->refused_mib != 0)
        (void)snprintf(how, sizeof how, "out of memory: its limit is %u MiB", said->refused_mib);
    else if (end.how == HARNESS_CHILD_SIGNALLED)
        (void)snprintf(how, sizeof how, "%s", strsignal(end.number));
    else if (end.how == HARNESS_CHILD_TIMED_OUT)
        (void)snprintf(how, sizeof how, "hung: not done after %.0f s", seconds);
    else
        (void)snprintf(how, sizeof how, "it ended the process with exit code %d", end.number);
    said->verdict = HARNESS_INTERFACE_DIED;
    said->timed_out = end.how == HARNESS_CHILD_TIMED_OUT;
    (void)snprintf(said->text, sizeof said->text, "%s, in %s%s", how, said->doing, said->last_words);
}

/* False if no process can be started. */
static bool run_check(struct interface_bench *bench, double seconds)
{
    const struct harness_child_setup setup = { .group = true, .silent = true, .busy_seconds = (unsigned)seconds };
    struct harness_child_end end;
    memset(bench->said, 0, sizeof *bench->said);
    if (!harness_child_run(&setup, do_check, bench, (double)PATIENCE * seconds, keep_last_words, bench->said, &end))
        return false;
    if (!bench->said->done || !harness_child_is_good(end))
        explain_death(bench->said, end, seconds);
    return true;
}

/* The same twins in two processes must give the same. */
static bool run_twice(struct interface_bench *bench, double seconds)
{
    uint64_t first[INTERFACE_MOST_DIGESTS];
    if (!run_check(bench, seconds) || bench->said->verdict != HARNESS_INTERFACE_PASS)
        return bench->said->done || bench->said->verdict == HARNESS_INTERFACE_DIED;
    memcpy(first, bench->said->digests, sizeof first);
    bench->shifted = true;
    if (!run_check(bench, seconds) || bench->said->verdict != HARNESS_INTERFACE_PASS)
        return bench->said->done || bench->said->verdict == HARNESS_INTERFACE_DIED;
    for (size_t i = 0; i < 2 * interface_twin_count; i++)
        if (first[i] != bench->said->digests[i])
            interface_fail(bench, "the case about %s %s it: expected the same result in every process, given another",
                           interface_twins[i / 2].name, i % 2 != 0 ? "with" : "without");
    return true;
}

enum harness_status harness_interface_check(const char *name, const struct pica_options *options, double seconds,
                                            harness_interface_taker take, void *user)
{
    struct interface_said *const said = harness_shared_create(sizeof *said);
    enum harness_status status = said != NULL ? HARNESS_OK : HARNESS_NO_MEMORY;
    uint32_t hangs = 0;
    for (size_t i = 0; i < interface_check_count && status == HARNESS_OK && hangs < MOST_HANGS; i++) {
        const struct interface_check *const check = &interface_checks[i];
        struct interface_bench bench = { .name = harness_backend_target(name), .options = options };
        bench.said = said;
        bench.check = check;
        const bool twice = strcmp(check->name, "fresh process") == 0;
        if (!(twice ? run_twice(&bench, seconds) : run_check(&bench, seconds)))
            status = HARNESS_HOST;
        const bool good = said->verdict != HARNESS_INTERFACE_FAIL && said->verdict != HARNESS_INTERFACE_DIED;
        if (status == HARNESS_OK)
            take(user, &(struct harness_interface_result){ check->name, said->verdict, said->text,
                                                           good ? "" : check->advice });
        hangs += said->timed_out;
        if (i == 0 && !good)
            break; /* it cannot be opened: nothing else can be said */
    }
    harness_shared_destroy(said, sizeof *said);
    return status;
}
