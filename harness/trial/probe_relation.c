/* A worker that asks one backend whether a metamorphic relation holds. */
#include "harness/trial/probe_worker.h"
#include "harness/run/check.h"

#include <stdio.h>
#include <string.h>

static struct harness_checker *create(const struct harness_probe_options *options)
{
    const struct harness_check_options check_options = { .backend = options->backend_options,
                                                         .scope = &options->backends[0].scope,
                                                         .excuse = true };
    return harness_checker_create(options->backends[0].backend, &check_options);
}

static void say(struct harness_symptom *symptom, enum harness_outcome kind, const char *detail)
{
    symptom->kind = kind;
    (void)snprintf(symptom->detail, sizeof symptom->detail, "%.*s", (int)strcspn(detail, "\n"), detail);
}

/* A relation says nothing about a case that gives another result when it runs again. */
static bool repeats(struct harness_checker *checker, const struct harness_program *program)
{
    struct harness_check_result again;
    return harness_check(checker, program, HARNESS_CHECK_DETERMINISTIC, 0, &again) == HARNESS_OK &&
           again.report.verdict < ORACLE_DIVERGE_UNDEFINED;
}

void harness_probe_relate(const struct harness_probe_options *options, struct probe_shared *shared,
                          struct harness_checker **checker)
{
    struct harness_symptom *const symptom = &shared->symptom;
    struct harness_check_result result;
    memset(symptom, 0, sizeof *symptom);
    shared->backend = 0;
    shared->step = UINT32_MAX;
    if (*checker == NULL)
        *checker = create(options);
    if (*checker == NULL) {
        say(symptom, HARNESS_TROUBLE, "out of memory");
        return;
    }
    if (harness_check(*checker, &shared->program, options->relation, shared->number, &result) != HARNESS_OK) {
        say(symptom, HARNESS_TROUBLE, result.error.message);
        return;
    }
    if (result.report.verdict == ORACLE_REFUSED)
        say(symptom, HARNESS_NOT_TESTED, result.report.message);
    if (result.report.verdict < ORACLE_DIVERGE_UNDEFINED || !repeats(*checker, &shared->program))
        return;
    symptom->kind = HARNESS_RELATION;
    symptom->undefined = result.report.verdict == ORACLE_DIVERGE_UNDEFINED;
    (void)snprintf(symptom->what, sizeof symptom->what, "%s", harness_check_name(options->relation));
    shared->comparison.report = result.report;
    shared->judged = PROBE_JUDGED;
}
