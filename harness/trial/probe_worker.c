/* What a worker process of a probe does with a case. */
#include "harness/trial/probe_worker.h"

#include "harness/localise/localise.h"
#include "harness/run/child.h"
#include "harness/run/compare.h"
#include "harness/run/crash_place.h"
#include "harness/run/dump.h"
#include "harness/run/check.h"
#include "harness/run/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct worker {
    const struct harness_probe_options *options;
    const struct harness_probe_condition *condition;
    struct probe_shared *shared;
    struct harness_runner *runners[HARNESS_MOST_BACKENDS];
    struct harness_checker *checker;
};

/* A backend in a process of its own dies without its worker, which tells how it died. */
static void tell_death(struct worker *worker, const struct harness_death *death)
{
    struct probe_shared *const shared = worker->shared;
    struct harness_symptom *const symptom = &shared->symptom;
    symptom->kind = death->kind == HARNESS_DEATH_HANG ? HARNESS_HANG : HARNESS_CRASH;
    symptom->code = death->kind == HARNESS_DEATH_HANG ? 0 : death->code;
    symptom->backend = shared->backend;
    symptom->operation_kind = HARNESS_SYMPTOM_LOADING;
    if (shared->step >= shared->program.count)
        return;
    symptom->operation_kind = (uint32_t)shared->program.operations[shared->step].kind;
    symptom->operation = shared->program.origins[shared->step];
}

static void trouble(struct worker *worker, const char *what)
{
    struct harness_symptom *const symptom = &worker->shared->symptom;
    const uint32_t backend = worker->shared->backend;
    const struct harness_runner *const runner = worker->runners[backend];
    if (runner != NULL && harness_runner_death(runner) != NULL) {
        tell_death(worker, harness_runner_death(runner));
        return;
    }
    symptom->kind = HARNESS_TROUBLE;
    symptom->backend = backend;
    (void)snprintf(symptom->detail, sizeof symptom->detail, "%s", what);
}

/* Ours read no byte that they did not write: nothing would come of filling theirs. */
static bool create_runners(struct worker *worker)
{
    char text[HARNESS_SYMPTOM_DETAIL];
    for (size_t i = 0; i < worker->options->backend_count; i++) {
        worker->shared->backend = (uint32_t)i;
        harness_probe_fill(worker->options->backends[i].is_ours ? 0 : worker->condition->fill);
        if (worker->runners[i] == NULL &&
            harness_runner_create(worker->options->backends[i].backend, &worker->options->backend_options,
                                  &worker->runners[i]) != PICA_OK) {
            (void)snprintf(text, sizeof text, "backend %s: cannot be created",
                           worker->options->backends[i].backend->name);
            trouble(worker, text);
            return false;
        }
        harness_runner_restrict(worker->runners[i], &worker->options->backends[i].scope);
        harness_runner_tolerate(worker->runners[i], worker->options->backends[i].tolerance);
    }
    harness_probe_fill(worker->condition->fill);
    return true;
}

/* ------------------------------------------------------------------------------------------------------- comparing */

static void at(void *user, size_t backend, uint32_t step)
{
    struct probe_shared *const shared = ((struct worker *)user)->shared;
    shared->backend = (uint32_t)backend;
    shared->step = step;
}

static void differs(void *user, const struct oracle_run *first, const struct oracle_run *other,
                    const struct harness_surfaces *surfaces)
{
    static const struct pica_operation none = { .kind = PICA_OPERATION_LOAD_MEMORY };
    struct probe_shared *const shared = ((struct worker *)user)->shared;
    const bool has_begun = shared->step < shared->program.count; /* a case may have no operation */
    shared->symptom.backend = shared->backend;
    shared->symptom.operation = has_begun ? shared->program.origins[shared->step] : 0;
    harness_symptom_locate(&shared->symptom, first, other, surfaces,
                           has_begun ? &shared->program.operations[shared->step] : &none);
    if (!has_begun)
        shared->symptom.operation_kind = HARNESS_SYMPTOM_LOADING;
}

static void take_verdict(struct probe_shared *shared)
{
    const struct oracle_report *const report = &shared->comparison.report;
    struct harness_symptom *const symptom = &shared->symptom;
    symptom->undefined = report->verdict == ORACLE_DIVERGE_UNDEFINED;
    if (report->verdict == ORACLE_VACUOUS)
        symptom->kind = HARNESS_VACUOUS;
    if (report->verdict != ORACLE_REFUSED)
        return;
    symptom->kind = HARNESS_NOT_TESTED;
    symptom->backend = shared->backend;
    (void)snprintf(symptom->detail, sizeof symptom->detail, "%.*s", (int)strcspn(report->message, "\n"),
                   report->message);
}

static void compare(struct worker *worker)
{
    struct probe_shared *const shared = worker->shared;
    const struct harness_probe_options *const options = worker->options;
    const struct harness_compare_watcher watcher = { .user = worker, .at = at, .differs = differs };
    const struct harness_compare_options how = { .every_operation = true,
                                                 .quick = !options->measure,
                                                 .check_vacuity = options->measure,
                                                 .slow = options->slow,
                                                 .excuse = options->excuse,
                                                 .watcher = &watcher };
    struct harness_error error = { "" };
    if (harness_compare(worker->runners, options->backend_count, &shared->program, &how, &shared->comparison, &error) ==
        HARNESS_OK)
        take_verdict(shared);
    else {
        oracle_say(&shared->comparison.report, "%s\n", error.message);
        trouble(worker, error.message);
    }
}

static void ask_judge(struct worker *worker, bool explains)
{
    const struct harness_probe_judge *const judge = worker->options->judge;
    struct probe_shared *const shared = worker->shared;
    const struct harness_probe_question question = { .user = judge->user,
                                                     .number = shared->number,
                                                     .program = &shared->program,
                                                     .step = &shared->step,
                                                     .doing = shared->doing,
                                                     .symptom = &shared->symptom,
                                                     .comparison = &shared->comparison,
                                                     .answer = shared->answer };
    shared->backend = 0;
    shared->digest = 0;
    judge->ask(&question);
    shared->judged = PROBE_JUDGED;
    if (explains && judge->explain != NULL)
        judge->explain(&question);
}

/* Where the two begin to differ; the symptom is known already. */
static void explain(struct worker *worker)
{
    struct harness_error error = { "" };
    struct probe_shared *const shared = worker->shared;
    if (shared->symptom.kind == HARNESS_DIVERGE &&
        harness_localise(worker->runners[0], worker->runners[shared->symptom.backend], &shared->program,
                         &shared->location, &error) == HARNESS_OK)
        harness_blame_take(&shared->blame, &shared->location);
}

/* What the first backend left, or where it differs the one that is not like it, in memory. */
static void take_digest(struct worker *worker)
{
    struct probe_shared *const shared = worker->shared;
    struct harness_error error = { "" };
    struct harness_digest digest = { 0 };
    struct oracle_run run;
    const bool differs = shared->symptom.kind == HARNESS_DIVERGE;
    shared->digest = 0;
    shared->backend = differs ? shared->symptom.backend : 0;
    if (shared->symptom.kind != HARNESS_AGREE && !differs)
        return;
    if (harness_runner_collect(worker->runners[shared->backend], &run) != PICA_OK ||
        harness_digest(&run, &digest, &error) != HARNESS_OK)
        trouble(worker, "cannot be read");
    shared->digest = differs ? digest.memory : harness_digest_bytes(&digest, sizeof digest);
}

static void run_case(struct worker *worker, bool explains)
{
    memset(&worker->shared->symptom, 0, sizeof worker->shared->symptom);
    memset(&worker->shared->comparison, 0, sizeof worker->shared->comparison);
    memset(&worker->shared->location, 0, sizeof worker->shared->location);
    worker->shared->step = UINT32_MAX;
    if (worker->options->judge != NULL) {
        ask_judge(worker, explains);
        return;
    }
    if (!create_runners(worker))
        return;
    compare(worker);
    if (worker->options->digest)
        take_digest(worker);
    worker->shared->judged = PROBE_JUDGED;
    if (!explains)
        return;
    explain(worker);
    worker->shared->judged = PROBE_EXPLAINED;
}

/* ------------------------------------------------------------------------------------------------ a user's own test */

static int become_test(void *user)
{
    const struct worker *const worker = user;
    char command[2 * PROBE_PATH];
    (void)snprintf(command, sizeof command, "%s \"$1\"", worker->options->test);
    (void)execl("/bin/sh", "sh", "-c", command, "sh", worker->shared->path, (char *)NULL);
    return HARNESS_CHILD_NOT_RUN;
}

static void run_test(struct worker *worker)
{
    struct harness_symptom *const symptom = &worker->shared->symptom;
    memset(symptom, 0, sizeof *symptom);
    const struct harness_child_setup setup = { .silent = true }; /* in the worker's group: it ends with the worker */
    struct harness_child child;
    if (harness_child_start(&child, &setup, become_test, worker) && harness_child_is_good(harness_child_wait(&child)))
        symptom->kind = HARNESS_TEST;
}

/* What a plug-in started in a process of its own ends with that. Others only end well if that is to be seen. */
static void end_backends(struct worker *worker)
{
    const struct harness_probe_options *const options = worker->options;
    const bool has_checker = options->backend_count != 0 && worker->checker != NULL;
    if (options->judge != NULL && options->judge->end != NULL)
        options->judge->end(options->judge->user);
    if (has_checker && (options->ends_well || options->backends[0].process != NULL))
        harness_checker_destroy(worker->checker);
    for (size_t i = 0; i < options->backend_count; i++) {
        struct harness_backend backend = options->backends[i]; /* the worker's own copy */
        if (!options->ends_well && backend.process == NULL)
            continue;
        worker->shared->backend = (uint32_t)i;
        harness_runner_destroy(worker->runners[i]);
        if (backend.process != NULL && harness_process_farewell(backend.process)->kind != HARNESS_DEATH_NONE)
            (void)snprintf(worker->shared->farewell, sizeof worker->shared->farewell, "%s",
                           harness_process_farewell(backend.process)->text);
        else if (options->ends_well && backend.library != NULL)
            harness_backend_close(&backend);
    }
}

_Noreturn void harness_probe_work(const struct harness_probe_options *options,
                                  const struct harness_probe_condition *condition, struct probe_shared *shared,
                                  int requests, int replies)
{
    static struct worker worker; /* of this process, which does nothing else; too large for a stack */
    worker.options = options;
    worker.condition = condition;
    worker.shared = shared;
    harness_probe_begin(condition);
    char request = 0;
    errno = 0;
    for (size_t i = 0; i < options->backend_count && options->test == NULL; i++)
        harness_crash_watch(options->backends[i].backend);
    if (options->test == NULL)
        harness_memory_watch(&shared->refused_mib);
    if (options->test == NULL)
        harness_backend_keep_memory(options->backends, options->backend_count);
    while (harness_child_read(requests, &request)) {
        harness_memory_begin();
        if (request == PROBE_TEST)
            run_test(&worker);
        else if (options->relation != 0)
            harness_probe_relate(options, shared, &worker.checker);
        else
            run_case(&worker, request == PROBE_EXPLAIN);
        if (write(replies, &request, 1) != 1)
            break;
        errno = 0;
    }
    if (errno == EBADF) {
        shared->cut_off = true;
        _exit(0);
    }
    end_backends(&worker);
    _exit(0);
}
