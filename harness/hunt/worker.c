/* A worker: a process that runs blocks of seeds and leaves its results on a desk, in memory shared with the hunt. */
#include "harness/hunt/hunt_parts.h"

#include "harness/case/formats.h"
#include "harness/run/crash_place.h"
#include "harness/run/process.h"
#include "harness/run/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* --------------------------------------------------------------------------------------------------------- records */

/* Index of the record with this kind and key, or record_count. */
static uint32_t find_record(const struct hunt_desk *desk, const char *kind, const char *key)
{
    uint32_t i = 0;
    while (i < desk->record_count &&
           (strcmp(desk->records[i].kind, kind) != 0 || strcmp(desk->records[i].key, key) != 0))
        i++;
    return i;
}

static bool has_record(const void *desk, const char *kind, const char *key)
{
    return find_record(desk, kind, key) != ((const struct hunt_desk *)desk)->record_count;
}

/* Adds a record to a desk. Further cases with the same kind and key are only counted. */
static void add_record(struct hunt_desk *desk, uint64_t seed, const char *kind, const char *key, const char *said,
                       const struct harness_case *test_case)
{
    const uint32_t known = kind[0] != '\0' ? find_record(desk, kind, key) : desk->record_count;
    size_t size = 0;
    if (known != desk->record_count) {
        desk->records[known].count++;
        return;
    }
    if (desk->record_count == HARNESS_HUNT_BLOCK)
        return;
    struct hunt_record *const record = &desk->records[desk->record_count];
    *record = (struct hunt_record){ .seed = seed, .count = 1, .at = desk->used };
    (void)snprintf(record->kind, sizeof record->kind, "%s", kind);
    (void)snprintf(record->key, sizeof record->key, "%s", key);
    /* A case that is too large is left out; it is made again from its seed. */
    if (harness_pcb_encode(test_case, desk->bytes + desk->used, HARNESS_MAX_INPUT, &size, NULL) != HARNESS_OK)
        size = 0;
    record->size = (uint32_t)size;
    record->said_size = (uint32_t)strnlen(said, ORACLE_MESSAGE_SIZE - 1);
    memcpy(desk->bytes + record->at + size, said, record->said_size);
    desk->used += record->size + record->said_size;
    desk->record_count++;
}

void hunt_record_death(struct hunt_worker *worker, struct hunt_maker *maker, const char *deed,
                       struct harness_child_end end)
{
    struct harness_case *const test_case = harness_case_create();
    struct harness_crash_place place;
    char key[HARNESS_HUNTER_KEY], said[512];
    const bool has_place = harness_crash_find_in(worker->said, &place);
    if (deed != NULL)
        (void)snprintf(key, sizeof key, "%s", deed);
    else if (has_place)
        (void)snprintf(key, sizeof key, "in %s+0x%x", place.name, (unsigned)place.offset);
    else if (end.how == HARNESS_CHILD_SIGNALLED)
        (void)snprintf(key, sizeof key, "crashed: %s", strsignal(end.number));
    else
        (void)snprintf(key, sizeof key, "ended the process: exit code %d", end.number);
    (void)snprintf(said, sizeof said, "a backend that has no process of its own: %s\n", key);
    worker->desk->statistics.executions++;
    worker->desk->statistics.differing++;
    if (test_case != NULL && hunt_make_as_it_ran(maker, &worker->desk->order, worker->desk->seed, test_case))
        add_record(worker->desk, worker->desk->seed, "died", key, said, test_case);
    harness_case_destroy(test_case);
}

/* ------------------------------------------------------------------------------------------------------ the process */

/* A hunter and the machine that its backends were created with. */
struct kept {
    struct pica_options machine;
    struct harness_hunter *hunter; /* NULL: none yet */
};

/* State of a worker process. */
struct work {
    const struct hunt_worker *worker;
    const struct harness_hunt_options *options;
    const struct hunt_pool *pool;
    struct hunt_maker *maker;
    struct harness_case *test_case;
    struct kept kept[HUNT_MACHINES];       /* from block to block: starting backends is slow, and so is new memory */
    uint8_t *edges[HARNESS_MOST_BACKENDS]; /* of each backend: the ranges of counts seen at each edge; NULL: none */
    int orders[2], answers[2];             /* pipes */
};

static struct harness_hunter *create_hunter(const struct work *work, const struct pica_options *machine)
{
    const struct harness_hunter_options options = {
        .quirks = work->options->quirks,
        .confirms = true,
        .has_seen = has_record,
        .seen = work->worker->desk,
        .said = work->worker->said,
        .pair = { .threads = machine->threads,
                  .instruction_sets = machine->instruction_sets,
                  .capacity = machine->capacity,
                  .statistics = &work->worker->desk->statistics,
                  .backends = work->options->backends,
                  .backend_count = work->options->backend_count },
    };
    return harness_hunter_create(&options);
}

/* The bit of the range that a count is in. The ranges are those of fuzzing engines: 1, 2, 3, 4-7, 8-15, 16-31, 32-127,
 * 128 and more. */
static uint8_t range_of(uint8_t count)
{
    static const uint8_t least[] = { 1, 2, 3, 4, 8, 16, 32, 128 };
    uint8_t range = 0;
    for (unsigned i = 0; i < sizeof least; i++)
        if (count >= least[i])
            range = (uint8_t)(1u << i);
    return range;
}

/* Has the case reached an edge of an instrumented plug-in, or a range of counts, that no case before it reached? */
static bool is_news(struct work *work, struct harness_hunter *hunter)
{
    bool news = false;
    for (size_t i = 0; i < work->options->backend_count; i++) {
        const size_t count = harness_process_edges(work->options->backends[i].backend);
        if (count == 0)
            continue;
        if (work->edges[i] == NULL)
            work->edges[i] = calloc(count, 1);
        const uint8_t *const counters =
            harness_process_take_edges(harness_runner_instance(harness_pair_runner(harness_hunter_pair(hunter), i)));
        for (size_t k = 0; counters != NULL && work->edges[i] != NULL && k < count; k++) {
            const uint8_t range = counters[k] != 0 ? range_of(counters[k]) : 0;
            news = news || (work->edges[i][k] & range) != range;
            work->edges[i][k] |= range;
        }
    }
    return news;
}

static void run_seed(struct work *work, struct harness_hunter *hunter, uint64_t seed)
{
    struct hunt_desk *const desk = work->worker->desk;
    if (!hunt_make(work->maker, &desk->order, seed, work->test_case)) { /* no memory */
        desk->statistics.executions++;
        desk->statistics.trouble++;
        return;
    }
    const enum harness_outcome outcome = harness_hunter_run(hunter, work->test_case);
    if (harness_outcome_is_finding(outcome))
        add_record(desk, seed, harness_hunter_kind(hunter), harness_hunter_key(hunter), harness_hunter_message(hunter),
                   work->test_case);
    else if (desk->order.input[0] != '\0' && !harness_hunter_knows(hunter))
        add_record(desk, seed, HUNT_SOURCE, strrchr(desk->order.input, '/') + 1, "", work->test_case);
    else if (is_news(work, hunter))
        add_record(desk, seed, "", "", "", work->test_case);
}

/* Ends the worker if a backend in this process closed its pipes. That must be noticed before the next case, which would
 * be blamed for it. */
static void look_at_pipes(const struct work *work)
{
    if (fcntl(work->orders[0], F_GETFD) >= 0 && fcntl(work->answers[1], F_GETFD) >= 0)
        return;
    work->worker->desk->cut_off = true;
    _exit(0);
}

/* The hunter of this machine, NULL without memory. */
static struct harness_hunter *hunter_for(struct work *work, const struct pica_options *machine)
{
    uint32_t i = 0;
    while (i < HUNT_MACHINES - 1 && work->kept[i].hunter != NULL &&
           (work->kept[i].machine.threads != machine->threads || work->kept[i].machine.capacity != machine->capacity ||
            work->kept[i].machine.instruction_sets != machine->instruction_sets))
        i++;
    if (work->kept[i].hunter == NULL)
        work->kept[i] = (struct kept){ *machine, create_hunter(work, machine) };
    return work->kept[i].hunter;
}

/* False: the backends do not start. */
static bool run_block(struct work *work)
{
    struct hunt_desk *const desk = work->worker->desk;
    struct pica_options machine;
    (void)hunt_vary(work->options, desk->order.block, &machine);
    struct harness_hunter *const hunter = hunter_for(work, &machine);
    const bool good = hunter != NULL && harness_hunter_pair(hunter) != NULL;
    if (good)
        *harness_hunter_peel(hunter) = desk->order.peel;
    desk->has_begun = good;
    for (uint32_t i = 0; good && i < desk->order.count; i++) {
        desk->before = desk->statistics;
        desk->seed = desk->order.first + i;
        run_seed(work, hunter, desk->seed);
        look_at_pipes(work);
        atomic_thread_fence(memory_order_release); /* the hunt may take what is done and kill this process */
        desk->done = i + 1;
    }
    return good;
}

static int serve(void *user)
{
    struct work *const work = user;
    char byte;
    work->maker = hunt_maker_create(work->options, work->pool);
    work->test_case = harness_case_create();
    if (work->maker == NULL || work->test_case == NULL)
        return 1;
    harness_backend_keep_memory(work->options->backends, work->options->backend_count);
    for (size_t i = 0; i < work->options->backend_count; i++)
        harness_crash_watch(work->options->backends[i].backend);
    while (harness_child_read(work->orders[0], &byte) && byte == HUNT_RUN) {
        byte = run_block(work) ? HUNT_DONE : HUNT_FAILED;
        if (write(work->answers[1], &byte, 1) != 1)
            break;
    }
    for (uint32_t i = 0; i < HUNT_MACHINES; i++)
        harness_hunter_destroy(work->kept[i].hunter); /* ends the processes of plug-ins, too */
    return 0;
}

static int serve_alone(void *user)
{
    const struct work *const work = user;
    harness_child_keep((const int[]){ work->orders[0], work->answers[1], work->worker->said }, 3);
    (void)signal(SIGPIPE, SIG_DFL); /* undo the hunt's SIG_IGN, or a plug-in that should die of SIGPIPE would not */
    return serve(user);
}

enum harness_status hunt_worker_start(struct hunt_worker *worker, const struct harness_hunt_options *options,
                                      const struct hunt_pool *pool, struct harness_error *error)
{
    struct work work = {
        .worker = worker, .options = options, .pool = pool, .orders = { -1, -1 }, .answers = { -1, -1 }
    };
    if (worker->desk == NULL)
        worker->desk = harness_shared_create(sizeof *worker->desk);
    if (worker->desk == NULL)
        return harness_fail_memory(error);
    worker->orders = worker->answers = -1;
    worker->said = memfd_create("picafuzz-hunt", MFD_CLOEXEC);
    if (worker->said < 0 || pipe2(work.orders, O_CLOEXEC) != 0 || pipe2(work.answers, O_CLOEXEC) != 0)
        return harness_fail(error, HARNESS_HOST, "starting a worker: %s", strerror(errno));
    const struct harness_child_setup setup = {
        .group = true, .silent = true, .said = worker->said, .death_signal = SIGKILL
    };
    const bool started = harness_child_start(&worker->child, &setup, serve_alone, &work);
    const int trouble = errno;
    (void)close(work.orders[0]);
    (void)close(work.answers[1]);
    worker->orders = work.orders[1];
    worker->answers = work.answers[0];
    return started ? HARNESS_OK : harness_fail(error, HARNESS_HOST, "starting a worker: %s", strerror(trouble));
}

/* By a message, not by closing the pipe, whose end other children have inherited. */
void hunt_worker_dismiss(struct hunt_worker *worker)
{
    if (worker->child.process != 0 && !worker->is_busy)
        (void)(write(worker->orders, &(const char){ HUNT_QUIT }, 1) == 1);
}

void hunt_worker_end(struct hunt_worker *worker, double dismissed)
{
    const double left = dismissed + 1.0 - harness_seconds_now(); /* for plug-ins to end */
    if (worker->said == 0)                                       /* never started, or ended already */
        return;
    if (worker->is_busy)
        harness_child_kill(&worker->child);
    else if (worker->child.process != 0)
        (void)harness_child_wait_or_kill(&worker->child, left > 0.0 ? (unsigned)(1000.0 * left) : 0);
    (void)close(worker->orders);
    (void)close(worker->answers);
    (void)close(worker->said);
    worker->said = 0;
    worker->is_busy = false;
}
