#include "harness/coverage/coverage.h"

#include "harness/case/formats.h"
#include "harness/run/backends.h"
#include "harness/run/child.h"
#include "harness/run/load.h"
#include "harness/run/pair.h"
#include "harness/run/shared.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* What a worker reports to its parent in shared memory; its marks follow. */
struct share {
    uint64_t cases, refused;
    char doing[256];   /* the case that is being run */
    char refusal[512]; /* why the first file was refused */
};

struct worker {
    const struct harness_coverage_input *input;
    struct share *share;
    struct harness_collector *collector;
    struct harness_case *test_case;
    struct harness_program *program;
};

static void refuse(struct worker *worker, const struct harness_error *error)
{
    if (worker->share->refused++ == 0)
        (void)snprintf(worker->share->refusal, sizeof worker->share->refusal, "%s", error->message);
}

/* False if the host lacks memory. Nothing that a case does is a failure. */
static bool run_case(struct worker *worker)
{
    struct harness_error error = { "" };
    const enum harness_status status = harness_case_setup(worker->test_case, worker->program, &error);
    if (status != HARNESS_OK)
        return false;
    if (harness_collector_run(worker->collector, &worker->program->setup, worker->program->operations,
                              worker->program->count) != PICA_OK)
        return false;
    worker->share->cases++;
    return true;
}

/* Any bytes are a valid .pcb, which may run for ever: such a case gets the bounds that campaigns run it with. */
static enum harness_status load_bounded(struct harness_case *test_case, const char *path, struct harness_error *error)
{
    enum harness_format format = HARNESS_FORMAT_PCASE;
    const enum harness_status status = harness_case_load_file(test_case, path, &format, NULL, error);
    if (status == HARNESS_OK && format == HARNESS_FORMAT_PCB)
        harness_bound_case(test_case);
    if (status != HARNESS_OK || format == HARNESS_FORMAT_PCASE || format == HARNESS_FORMAT_PCB)
        return status;
    return harness_tighten_windows(test_case, NULL, error);
}

static bool run_file(struct worker *worker, const char *path)
{
    struct harness_error error = { "" };
    (void)snprintf(worker->share->doing, sizeof worker->share->doing, "%s", path);
    const enum harness_status status = load_bounded(worker->test_case, path, &error);
    if (status != HARNESS_OK) { /* also if it is gone: a running campaign replaces inputs by smaller ones */
        refuse(worker, &error);
        return true;
    }
    return run_case(worker);
}

static bool run_seed(struct worker *worker, uint64_t seed)
{
    (void)snprintf(worker->share->doing, sizeof worker->share->doing, "generated case of seed %llu",
                   (unsigned long long)seed);
    harness_case_reset(worker->test_case);
    harness_generate(worker->test_case, seed, &worker->input->generator);
    return run_case(worker);
}

/* Runs every jobs-th case from number `first` on. */
static bool run_share(struct worker *worker, unsigned first)
{
    const struct harness_coverage_input *const input = worker->input;
    bool good = true;
    for (size_t i = first; i < input->path_count && good; i += input->jobs)
        good = run_file(worker, input->paths[i]);
    for (uint64_t i = first; i < input->generated && good; i += input->jobs)
        good = run_seed(worker, input->first_seed + i);
    return good;
}

static bool work(const struct harness_universe *universe, const struct harness_coverage_input *input, unsigned number,
                 struct share *share)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    void *instance = NULL;
    struct worker worker = { .input = input, .share = share };
    worker.test_case = harness_case_create();
    worker.program = harness_program_create();
    bool good = harness_linked_backend(HARNESS_REFERENCE)->create(&options, &instance) == PICA_OK;
    if (good)
        worker.collector = harness_collector_create(universe, harness_linked_backend(HARNESS_REFERENCE), instance,
                                                    (uint8_t *)(share + 1));
    good = good && worker.collector != NULL && worker.test_case != NULL && worker.program != NULL &&
           run_share(&worker, number);
    harness_collector_destroy(worker.collector);
    harness_linked_backend(HARNESS_REFERENCE)->destroy(instance);
    harness_program_destroy(worker.program);
    harness_case_destroy(worker.test_case);
    return good;
}

/* ------------------------------------------------------------------------------------------------------ processes */

static void join(const struct share *share, size_t items, uint8_t *marks, struct harness_coverage_result *result)
{
    const uint8_t *const seen = (const uint8_t *)(share + 1);
    for (size_t i = 0; i < items; i++)
        marks[i] = (uint8_t)(marks[i] | seen[i]);
    if (result->refused == 0 && result->crashed == 0 && share->refused != 0)
        (void)snprintf(result->what, sizeof result->what, "%s", share->refusal);
    result->cases += share->cases;
    result->refused += share->refused;
}

static enum harness_status finish_worker(struct harness_child *child, const struct share *share,
                                         struct harness_coverage_result *result, struct harness_error *error)
{
    const struct harness_child_end end = harness_child_wait(child);
    if (end.how == HARNESS_CHILD_LOST)
        return harness_fail(error, HARNESS_HOST, "waiting for a process failed: %s", strerror(end.number));
    if (harness_child_is_good(end))
        return HARNESS_OK;
    if (end.how == HARNESS_CHILD_EXITED && end.number == 1)
        return harness_fail(error, HARNESS_HOST, "%s: out of memory", share->doing);
    (void)snprintf(result->what, sizeof result->what, "%s: the reference backend crashed", share->doing);
    result->crashed++;
    return HARNESS_OK;
}

/* The work of one process. */
struct task {
    const struct harness_universe *universe;
    const struct harness_coverage_input *input;
    unsigned number;
    struct share *share;
};

static int do_task(void *user)
{
    const struct task *const task = user;
    return work(task->universe, task->input, task->number, task->share) ? 0 : 1;
}

static enum harness_status start_workers(const struct harness_universe *universe,
                                         const struct harness_coverage_input *input, uint8_t *memory, size_t stride,
                                         struct harness_child *children)
{
    const struct harness_child_setup setup = { .death_signal = SIGKILL };
    for (unsigned i = 0; i < input->jobs; i++) {
        struct task task = { universe, input, i, (struct share *)(void *)(memory + i * stride) };
        if (!harness_child_start(&children[i], &setup, do_task, &task))
            return HARNESS_HOST;
    }
    return HARNESS_OK;
}

enum harness_status harness_coverage_measure(const struct harness_universe *universe,
                                             const struct harness_coverage_input *input, uint8_t *marks,
                                             struct harness_coverage_result *result, struct harness_error *error)
{
    struct harness_child children[HARNESS_COVERAGE_MAX_JOBS] = { { .process = 0 } };
    const size_t items = harness_universe_items(universe);
    const size_t stride = (sizeof(struct share) + items + 63u) / 64u * 64u;
    memset(result, 0, sizeof *result);
    uint8_t *const memory = harness_shared_create(input->jobs * stride);
    if (memory == NULL)
        return harness_fail_memory(error);
    enum harness_status status = start_workers(universe, input, memory, stride, children);
    if (status != HARNESS_OK)
        (void)harness_fail(error, HARNESS_HOST, "cannot start a process: %s", strerror(errno));
    for (unsigned i = 0; i < input->jobs; i++) {
        const struct share *const share = (const struct share *)(const void *)(memory + i * stride);
        if (children[i].process == 0)
            continue;
        const enum harness_status ended = finish_worker(&children[i], share, result, error);
        status = status == HARNESS_OK ? ended : status;
        join(share, items, marks, result);
    }
    harness_shared_destroy(memory, input->jobs * stride);
    return status;
}
