#include "harness/interface/interface.h"

#include "harness/case/formats.h"
#include "harness/interface/bench.h"
#include "harness/run/surroundings.h"
#include "harness/trial/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_HANGS = 3,    /* checks and draws that hang; after them no other check is asked */
    OTHER_FILL = 0x5C, /* malloc of the second process gives bytes of its complement */
    NO_CASE = 1 << 16  /* bytes for a case without anything */
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

/* --------------------------------------------------------------------------------------- in the process of a check */

static const struct pica_backend *reference(void)
{
    return harness_linked_backend(HARNESS_REFERENCE);
}

/* Opens what is to be checked. */
static bool open_bench(struct interface_bench *bench)
{
    const struct pica_options plain = { .instruction_sets = UINT32_MAX };
    struct harness_error error = { "" };
    (void)snprintf(bench->said->doing, sizeof bench->said->doing, "opening the library");
    harness_surroundings_lend();
    const enum harness_status status = harness_backend_open_here(bench->name, &bench->backend, &error);
    harness_surroundings_take_back(bench->name);
    if (status != HARNESS_OK) {
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

static void ask(const struct harness_probe_question *question)
{
    struct interface_bench *const bench = question->user;
    bench->said = question->answer;
    memset(bench->said, 0, sizeof *bench->said);
    if (open_bench(bench) && is_declared(bench))
        bench->check->run(bench);
    if (bench->backend.backend != NULL)
        close_bench(bench);
}

/* --------------------------------------------------------------------------------------- in the process that asks */

/* What the process that asks works with. */
struct asking {
    struct interface_bench bench;
    struct interface_said said;
    struct harness_probe_options options;
    struct harness_probe *probe;
    struct harness_case *none; /* a check makes its own cases */
    uint32_t hangs;
};

/* Appends the last line that the process of the check printed. */
static void add_last_words(const struct asking *asking, struct harness_text *out)
{
    char words[HARNESS_PROBE_SAID];
    harness_probe_said(asking->probe, words, sizeof words);
    size_t size = strlen(words);
    while (size > 0 && words[size - 1] == '\n')
        words[--size] = '\0';
    const char *const line = strrchr(words, '\n');
    if (size > 0)
        harness_text_format(out, "; it said: %.255s", line != NULL ? line + 1 : words);
}

/* How the process ended, if the check did not come back. */
static void explain_death(struct asking *asking, const struct harness_symptom *symptom)
{
    struct harness_text text = { 0 };
    struct interface_said *const said = &asking->said;
    if (harness_symptom_deed(symptom) != NULL)
        harness_text_format(&text, "it %s", harness_symptom_deed(symptom));
    else if (symptom->memory_mib != 0)
        harness_text_format(&text, "out of memory: its limit is %u MiB", (unsigned)symptom->memory_mib);
    else if (symptom->kind == HARNESS_HANG)
        harness_text_format(&text, "hung: not done after %g s", asking->options.hang_ms * 1e-3);
    else if (symptom->code >= 256)
        harness_text_format(&text, "it ended the process with exit code %d", symptom->code - 256);
    else
        harness_text_format(&text, "%s", strsignal(symptom->code));
    if (symptom->crash.name[0] != '\0')
        harness_text_format(&text, " in %s%s", symptom->crash.name, symptom->crash.is_function ? "()" : "");
    harness_text_format(&text, ", in %.127s", said->doing);
    add_last_words(asking, &text);
    said->verdict = HARNESS_INTERFACE_DIED;
    (void)snprintf(said->text, sizeof said->text, "%s", harness_text_string(&text));
    harness_text_free(&text);
    asking->hangs += symptom->kind == HARNESS_HANG;
}

/* In a process that has run nothing else. */
static enum harness_status run_once(struct asking *asking, unsigned shift)
{
    struct harness_symptom symptom;
    struct harness_error error;
    const struct harness_probe_condition condition = { .fill = shift != 0 ? OTHER_FILL : 0, .shift = shift };
    harness_probe_set(asking->probe, &condition);
    const enum harness_status status = harness_probe_try(asking->probe, asking->none, false, &symptom, &error);
    if (status != HARNESS_OK)
        return status;
    asking->said = *(const struct interface_said *)harness_probe_answer(asking->probe);
    if (harness_outcome_died(symptom.kind))
        explain_death(asking, &symptom);
    return HARNESS_OK;
}

/* Where a draw of a twin ends the process, the check is run again without that draw: so the crash is reported once, and
 * what else the check finds is not lost. */
static enum harness_status run_check(struct asking *asking, unsigned shift)
{
    struct interface_said first = { .verdict = HARNESS_INTERFACE_PASS };
    uint32_t deaths = 0;
    enum harness_status status = run_once(asking, shift);
    while (status == HARNESS_OK && asking->said.verdict == HARNESS_INTERFACE_DIED && asking->said.drawing != 0 &&
           asking->hangs < MOST_HANGS) {
        asking->bench.deadly |= UINT64_C(1) << (asking->said.drawing - 1);
        if (deaths++ == 0)
            first = asking->said;
        status = run_once(asking, shift);
    }
    if (deaths == 0 || status != HARNESS_OK)
        return status;
    struct interface_said *const said = &asking->said;
    char rest[HARNESS_INTERFACE_TEXT];
    (void)snprintf(rest, sizeof rest, "%s", said->text);
    (void)snprintf(said->text, sizeof said->text, "%.500s%s; the others: %s%s%.400s", first.text,
                   deaths == 1 ? "" : ", the first of several", harness_interface_verdict_text(said->verdict),
                   rest[0] != '\0' ? ": " : "", rest);
    said->verdict = HARNESS_INTERFACE_DIED;
    return HARNESS_OK;
}

/* The same twins in two processes, one with its memory elsewhere and other bytes in it, must give the same. */
static enum harness_status run_twice(struct asking *asking)
{
    enum harness_status status = run_check(asking, 0);
    const struct interface_said first = asking->said;
    if (status == HARNESS_OK && first.verdict == HARNESS_INTERFACE_PASS)
        status = run_check(asking, 1);
    asking->bench.said = &asking->said;
    for (size_t i = 0; status == HARNESS_OK && i < 2 * interface_twin_count; i++)
        if (asking->said.verdict == HARNESS_INTERFACE_PASS && first.digests[i] != asking->said.digests[i])
            interface_fail(&asking->bench,
                           "the case about %s %s it: expected the same result in every process, given another",
                           interface_twins[i / 2].name, i % 2 != 0 ? "with" : "without");
    return status;
}

static enum harness_status run_checks(struct asking *asking, harness_interface_taker take, void *user)
{
    for (size_t i = 0; i < interface_check_count && asking->hangs < MOST_HANGS; i++) {
        const struct interface_check *const check = asking->bench.check = &interface_checks[i];
        const struct interface_said *const said = &asking->said;
        const enum harness_status status =
            strcmp(check->name, "fresh process") == 0 ? run_twice(asking) : run_check(asking, 0);
        if (status != HARNESS_OK)
            return status;
        const bool good = said->verdict != HARNESS_INTERFACE_FAIL && said->verdict != HARNESS_INTERFACE_DIED;
        take(user,
             &(struct harness_interface_result){ check->name, said->verdict, said->text, good ? "" : check->advice });
        if (i == 0 && !good)
            break; /* it cannot be opened: nothing else can be said */
    }
    return HARNESS_OK;
}

enum harness_status harness_interface_check(const char *name, const struct pica_options *options, unsigned seconds,
                                            harness_interface_taker take, void *user)
{
    static const char nothing[] = "pcase 1\nwindow 0x18000000 size 0x1000\n";
    struct harness_error error = { "" };
    struct asking asking = { .bench = { .name = harness_backend_target(name), .options = options },
                             .none = harness_case_create() };
    const struct harness_probe_judge judge = { ask, NULL, NULL, &asking.bench };
    asking.options =
        (struct harness_probe_options){ .judge = &judge, .jobs = 1, .hang_ms = 1000 * seconds, .case_bytes = NO_CASE };
    enum harness_status status =
        asking.none != NULL ? harness_pcase_read(asking.none, nothing, sizeof nothing - 1, "a case of nothing", &error)
                            : HARNESS_NO_MEMORY;
    if (status == HARNESS_OK)
        status = harness_probe_create(&asking.options, &asking.probe, &error);
    if (status == HARNESS_OK)
        status = run_checks(&asking, take, user);
    harness_probe_destroy(asking.probe);
    harness_case_destroy(asking.none);
    return status;
}
