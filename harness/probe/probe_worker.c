/* What a worker process of a probe does with a case. */
#include "harness/probe/probe_worker.h"

#include "harness/localise/localise.h"
#include "harness/probe/features.h"
#include "harness/run/child.h"
#include "harness/run/compare.h"
#include "harness/run/crash_place.h"
#include "harness/run/dump.h"
#include "harness/run/check.h"
#include "harness/run/memory.h"
#include "oracles/equal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct worker {
    const struct harness_probe_options *options;
    const struct harness_probe_condition *condition;
    struct probe_shared *shared;
    struct harness_runner *runners[HARNESS_PROBE_MAX_BACKENDS];
    struct harness_checker *checker;
    struct harness_surfaces surfaces;
    struct harness_features features;
    bool explain;
};

/* A backend in a process of its own dies without its worker, which tells how it died. */
static void tell_death(struct worker *worker, const struct harness_death *death)
{
    struct probe_shared *const shared = worker->shared;
    struct harness_symptom *const symptom = &shared->symptom;
    symptom->kind = death->kind == HARNESS_DEATH_HANG ? HARNESS_SYMPTOM_HANG : HARNESS_SYMPTOM_CRASH;
    symptom->code = death->kind == HARNESS_DEATH_HANG ? 0 : death->code;
    symptom->backend = shared->backend;
    symptom->operation_kind = HARNESS_SYMPTOM_LOADING;
    if (shared->step >= shared->program.count)
        return;
    symptom->operation_kind = (uint32_t)shared->program.operations[shared->step].kind;
    symptom->operation = shared->program.origins[shared->step];
}

static bool trouble(struct worker *worker, const char *what)
{
    struct harness_symptom *const symptom = &worker->shared->symptom;
    const uint32_t backend = worker->shared->backend;
    const struct harness_runner *const runner = worker->runners[backend];
    if (runner != NULL && harness_runner_death(runner) != NULL) {
        tell_death(worker, harness_runner_death(runner));
        return false;
    }
    symptom->kind = HARNESS_SYMPTOM_TROUBLE;
    (void)snprintf(symptom->detail, sizeof symptom->detail, "backend %s: %s",
                   worker->options->backends[backend].backend->name, what);
    return false;
}

/* A call of the backend in hand failed; what it does not support is no trouble. */
static bool refused(struct worker *worker, enum pica_status status, const char *what)
{
    struct harness_symptom *const symptom = &worker->shared->symptom;
    if (status != PICA_NOT_SUPPORTED)
        return trouble(worker, what);
    symptom->kind = HARNESS_SYMPTOM_NOT_TESTED;
    (void)snprintf(symptom->detail, sizeof symptom->detail, "%s",
                   harness_runner_refusal(worker->runners[worker->shared->backend]));
    return false;
}

/* Ours read no byte that they did not write: nothing would come of filling theirs. */
static bool create_runners(struct worker *worker)
{
    for (size_t i = 0; i < worker->options->backend_count; i++) {
        worker->shared->backend = (uint32_t)i;
        harness_probe_fill(worker->options->backends[i].is_ours ? 0 : worker->condition->fill);
        if (worker->runners[i] == NULL &&
            harness_runner_create(worker->options->backends[i].backend, &worker->options->backend_options,
                                  &worker->runners[i]) != PICA_OK)
            return trouble(worker, "cannot be created");
        harness_runner_restrict(worker->runners[i], &worker->options->backends[i].scope);
        harness_runner_tolerate(worker->runners[i], worker->options->backends[i].tolerance);
    }
    harness_probe_fill(worker->condition->fill);
    return true;
}

static void observe_draw(void *user, const struct pica_draw *draw)
{
    struct worker *const worker = user;
    harness_surfaces_observe(&worker->surfaces, draw);
    if (worker->explain)
        harness_features_add_draw(&worker->features, draw->registers);
}

static void observe(struct worker *worker, pica_draw_observer observer)
{
    const struct pica_backend *const backend = worker->options->backends[0].backend;
    if (backend->observe_draws != NULL)
        (void)backend->observe_draws(harness_runner_instance(worker->runners[0]), observer, worker);
}

static bool load_all(struct worker *worker)
{
    worker->shared->step = UINT32_MAX;
    for (size_t i = 0; i < worker->options->backend_count; i++) {
        worker->shared->backend = (uint32_t)i;
        const enum pica_status status = harness_runner_load(worker->runners[i], &worker->shared->program.setup);
        if (status != PICA_OK)
            return refused(worker, status, "does not take the case");
    }
    return true;
}

/* False if the first has stopped at a budget that this one does not know. */
static bool stops_where(struct harness_runner *runner, struct harness_runner *first)
{
    struct pica_events events;
    return harness_runner_keeps_budgets(runner) || harness_runner_events(first, &events) != PICA_OK ||
           !harness_runner_lacks(runner, &events);
}

static bool step_all(struct worker *worker, uint32_t step)
{
    struct probe_shared *const shared = worker->shared;
    shared->step = step;
    if (worker->explain)
        harness_features_add_operation(&worker->features, &shared->program.operations[step]);
    harness_surfaces_add_operation(&worker->surfaces, &shared->program.operations[step]);
    for (size_t i = 0; i < worker->options->backend_count; i++) {
        shared->backend = (uint32_t)i;
        if (i != 0 && !stops_where(worker->runners[i], worker->runners[0]))
            return refused(worker, PICA_NOT_SUPPORTED, "");
        const enum pica_status status = harness_runner_step(worker->runners[i], &shared->program.operations[step]);
        if (status != PICA_OK)
            return refused(worker, status, "does not take an operation");
        if (i == 0 && worker->explain) /* now, for the next backend may crash */
            harness_features_text(&worker->features, shared->features, sizeof shared->features);
    }
    return true;
}

static bool is_same(const struct harness_probe_options *options, const struct oracle_run *a, const struct oracle_run *b)
{
    static struct oracle_report report; /* of this process; large */
    if (!options->slow)
        return oracle_same(a, b);
    oracle_all_equal(a, b, true, &report);
    return report.verdict < ORACLE_DIVERGE_UNDEFINED;
}

/* False once the verdict is in. */
static bool compare_all(struct worker *worker, uint32_t step)
{
    struct probe_shared *const shared = worker->shared;
    struct oracle_run first;
    shared->backend = 0;
    if (harness_runner_collect(worker->runners[0], &first) != PICA_OK)
        return trouble(worker, "cannot be read");
    for (size_t i = 1; i < worker->options->backend_count; i++) {
        struct oracle_run other;
        shared->backend = (uint32_t)i;
        if (harness_runner_collect(worker->runners[i], &other) != PICA_OK)
            return trouble(worker, "cannot be read");
        if (is_same(worker->options, &first, &other) ||
            harness_compare_forgives(worker->runners[0], worker->runners[i], &first, &other, &worker->surfaces))
            continue;
        if (harness_runner_lacks(worker->runners[i], &first.events))
            return refused(worker, PICA_NOT_SUPPORTED, "");
        if (harness_runner_lacks(worker->runners[0], &other.events)) {
            shared->backend = 0;
            return refused(worker, PICA_NOT_SUPPORTED, "");
        }
        shared->symptom.backend = (uint32_t)i;
        shared->symptom.operation = shared->program.origins[step];
        harness_symptom_locate(&shared->symptom, &first, &other, &worker->surfaces, &shared->program.operations[step]);
        return false;
    }
    return true;
}

/* Loads alone cannot tell backends apart, so they are not compared, unless nothing follows. */
static void run_steps(struct worker *worker)
{
    const struct harness_program *const program = &worker->shared->program;
    for (uint32_t step = 0; step < program->count; step++) {
        if (!step_all(worker, step))
            return;
        const bool compares =
            worker->options->backend_count > 1 &&
            (program->operations[step].kind != PICA_OPERATION_LOAD_MEMORY || step + 1 == program->count);
        if (compares && !compare_all(worker, step))
            return;
    }
}

/* The oracles' words and the stage; the symptom is known already. */
static void explain(struct worker *worker)
{
    static struct harness_location location; /* of this process; large */
    const struct harness_compare_options options = { .every_operation = true };
    struct harness_comparison comparison;
    struct harness_error error = { "" };
    struct probe_shared *const shared = worker->shared;
    if (shared->symptom.kind == HARNESS_SYMPTOM_DIVERGE &&
        harness_compare(worker->runners, worker->options->backend_count, &shared->program, &options, &comparison,
                        &error) == HARNESS_OK)
        (void)snprintf(shared->message, sizeof shared->message, "%s", comparison.report.message);
    if (shared->symptom.kind == HARNESS_SYMPTOM_DIVERGE &&
        harness_localise(worker->runners[0], worker->runners[shared->symptom.backend], &shared->program, &location,
                         &error) == HARNESS_OK)
        harness_blame_take(&shared->blame, &location);
}

/* What the first backend left, or where it differs the one that is not like it, in memory. */
static void take_digest(struct worker *worker)
{
    struct probe_shared *const shared = worker->shared;
    struct harness_error error = { "" };
    struct harness_digest digest = { 0 };
    struct oracle_run run;
    const bool differs = shared->symptom.kind == HARNESS_SYMPTOM_DIVERGE;
    shared->digest = 0;
    shared->backend = differs ? shared->symptom.backend : 0;
    if (shared->symptom.kind != HARNESS_SYMPTOM_NONE && !differs)
        return;
    if (harness_runner_collect(worker->runners[shared->backend], &run) != PICA_OK ||
        harness_digest(&run, &digest, &error) != HARNESS_OK)
        (void)trouble(worker, "cannot be read");
    shared->digest = differs ? digest.memory : harness_digest_bytes(&digest, sizeof digest);
}

static void run_case(struct worker *worker)
{
    struct pica_choices choices;
    memset(&worker->shared->symptom, 0, sizeof worker->shared->symptom);
    harness_features_clear(&worker->features);
    if (!create_runners(worker))
        return;
    harness_runners_choices(worker->runners, worker->options->backend_count, &choices);
    harness_surfaces_clear(&worker->surfaces, &choices);
    if (!load_all(worker))
        return;
    observe(worker, observe_draw);
    run_steps(worker);
    observe(worker, NULL);
    if (worker->options->digest)
        take_digest(worker);
    worker->shared->judged = 1;
    if (worker->explain)
        explain(worker);
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
        symptom->kind = HARNESS_SYMPTOM_TEST;
}

/* What a plug-in started there ends with them. */
static void end_processes(struct worker *worker)
{
    if (worker->options->backend_count != 0 && worker->options->backends[0].process != NULL)
        harness_checker_destroy(worker->checker);
    for (size_t i = 0; i < worker->options->backend_count; i++)
        if (worker->options->backends[i].process != NULL)
            harness_runner_destroy(worker->runners[i]);
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
    for (size_t i = 0; i < options->backend_count && options->test == NULL; i++)
        harness_crash_watch(options->backends[i].backend);
    if (options->test == NULL)
        harness_backend_keep_memory(options->backends, options->backend_count);
    while (read(requests, &request, 1) == 1) {
        harness_memory_begin();
        worker.explain = request == PROBE_EXPLAIN;
        if (request == PROBE_TEST)
            run_test(&worker);
        else if (options->relation != 0)
            harness_probe_relate(options, shared, &worker.checker);
        else
            run_case(&worker);
        if (write(replies, &request, 1) != 1)
            break;
    }
    end_processes(&worker);
    _exit(0);
}
