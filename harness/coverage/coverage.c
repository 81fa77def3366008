#include "harness/coverage/coverage.h"

#include "harness/case/formats.h"
#include "harness/run/backends.h"
#include "harness/run/load.h"
#include "harness/run/pair.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a worker tells its parent, in shared memory; its marks follow. */
struct share {
    uint64_t cases, refused;
    char doing[256];
    char refusal[512];
};

/* One worker's tools. */
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

/* Guest nonsense is no failure; a host that lacks memory is. */
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

/* Any bytes are a .pcb: what fuzzers made runs with the bounds with which they ran it, or it might never end. */
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
    if (status != HARNESS_OK) { /* one that has gone, too: a running campaign replaces inputs by smaller ones */
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

/* Every jobs-th case from number `first` on. */
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
    const struct pica_backend *linked[HARNESS_LINKED_BACKENDS];
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    void *instance = NULL;
    (void)harness_linked_backends(linked, HARNESS_LINKED_BACKENDS);
    struct worker worker = { .input = input, .share = share };
    worker.test_case = harness_case_create();
    worker.program = harness_program_create();
    bool good = linked[0]->create(&options, &instance) == PICA_OK;
    if (good)
        worker.collector = harness_collector_create(universe, linked[0], instance, (uint8_t *)(share + 1));
    good = good && worker.collector != NULL && worker.test_case != NULL && worker.program != NULL &&
           run_share(&worker, number);
    harness_collector_destroy(worker.collector);
    linked[0]->destroy(instance);
    harness_program_destroy(worker.program);
    harness_case_destroy(worker.test_case);
    return good;
}

/* ------------------------------------------------------------------------------------------------------ processes */

static bool wait_for(pid_t child, int *status)
{
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return false;
    return true;
}

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

static enum harness_status finish_worker(pid_t child, const struct share *share, struct harness_coverage_result *result,
                                         struct harness_error *error)
{
    int status = 0;
    if (!wait_for(child, &status))
        return harness_fail(error, HARNESS_HOST, "waiting for a process failed: %s", strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return HARNESS_OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1)
        return harness_fail(error, HARNESS_HOST, "%s: out of memory", share->doing);
    (void)snprintf(result->what, sizeof result->what, "%s: the reference backend crashed", share->doing);
    result->crashed++;
    return HARNESS_OK;
}

static enum harness_status start_workers(const struct harness_universe *universe,
                                         const struct harness_coverage_input *input, uint8_t *memory, size_t stride,
                                         pid_t *children)
{
    fflush(NULL);
    for (unsigned i = 0; i < input->jobs; i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(work(universe, input, i, (struct share *)(void *)(memory + i * stride)) ? 0 : 1);
        if (children[i] < 0)
            return HARNESS_HOST;
    }
    return HARNESS_OK;
}

enum harness_status harness_coverage_measure(const struct harness_universe *universe,
                                             const struct harness_coverage_input *input, uint8_t *marks,
                                             struct harness_coverage_result *result, struct harness_error *error)
{
    pid_t children[HARNESS_COVERAGE_MAX_JOBS];
    const size_t items = harness_universe_items(universe);
    const size_t stride = (sizeof(struct share) + items + 63u) / 64u * 64u;
    memset(result, 0, sizeof *result);
    uint8_t *const memory = mmap(NULL, input->jobs * stride, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return harness_fail_memory(error);
    for (unsigned i = 0; i < input->jobs; i++)
        children[i] = -1;
    enum harness_status status = start_workers(universe, input, memory, stride, children);
    if (status != HARNESS_OK)
        (void)harness_fail(error, HARNESS_HOST, "cannot start a process: %s", strerror(errno));
    for (unsigned i = 0; i < input->jobs; i++) {
        const struct share *const share = (const struct share *)(const void *)(memory + i * stride);
        if (children[i] < 0)
            continue;
        const enum harness_status ended = finish_worker(children[i], share, result, error);
        status = status == HARNESS_OK ? ended : status;
        join(share, items, marks, result);
    }
    (void)munmap(memory, input->jobs * stride);
    return status;
}
