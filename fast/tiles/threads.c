/*
 * The only file with threads. A pool of workers waits for a job; the caller's thread takes part in it. Work items are
 * bins, which share no byte of a surface, or slices of a draw, each of which has its place in the order whichever
 * thread makes it. So results do not depend on the number of threads (GEN-10).
 *
 * A thread first takes the items that it took last time, because what they write is in its core's cache. Then it takes
 * items that others have not begun, starting from the end, because the others start from the beginning.
 *
 * A hand-over must not cost more than it saves. So the caller does not wait for late workers: those that join in time
 * take items, and when none is left the caller closes the job. And a worker stays awake for a moment after a job,
 * because the next one often follows at once; meanwhile it yields, so that a machine with too few cores loses nothing.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "fast/simd/environment.h"
#include "fast/tiles/renderer.h"

enum {
    LOOKS = 64, /* times that a worker looks for a job, yielding after each, before it goes to sleep */
    NOBODY = 0
};

struct worker {
    struct fast_workers *workers;
    uint32_t number; /* thread number, from 1 */
    pthread_t thread;
};

struct fast_workers {
    uint32_t count;
    uint32_t units_awake, units_asleep; /* struct fast_capacity */
    struct worker *threads;
    pthread_mutex_t lock;   /* protects everything below that is not atomic, and all writes but those of `takers` */
    pthread_cond_t work;    /* signalled when `generation` or `stop` changes */
    pthread_cond_t idle;    /* signalled when `joined` becomes 0 */
    atomic_uint generation; /* number of jobs so far */
    atomic_uint joined;     /* workers that take part in the current job */
    atomic_uint sleeping;   /* workers that wait for `work` */
    bool open;              /* the current job may be joined */
    bool stop;
    const struct fast_job *job;
    atomic_uint takers[FAST_JOB_ITEMS]; /* of each item of the job: thread + 1, or NOBODY */
};

static void take_item(struct fast_workers *workers, const struct fast_job *job, uint32_t item, uint32_t thread)
{
    atomic_uint *const taker = &workers->takers[item];
    unsigned before = NOBODY;
    if (atomic_load_explicit(taker, memory_order_relaxed) == NOBODY &&
        atomic_compare_exchange_strong_explicit(taker, &before, thread + 1u, memory_order_relaxed,
                                                memory_order_relaxed))
        job->run(job->context, item, thread);
}

static void take_items(struct fast_workers *workers, const struct fast_job *job, uint32_t thread)
{
    for (uint32_t item = 0; item < job->items; item++)
        if (job->homes[item] == thread)
            take_item(workers, job, item, thread);
    for (uint32_t item = job->items; item-- > 0u;)
        take_item(workers, job, item, thread);
}

/* Waits a moment for the next job, which often follows at once. */
static void look_for_work(struct fast_workers *workers, uint32_t seen)
{
    for (uint32_t i = 0; i < LOOKS; i++) {
        if (atomic_load_explicit(&workers->generation, memory_order_relaxed) != seen)
            return;
        sched_yield();
    }
}

static void *worker_main(void *argument)
{
    const struct worker *self = argument;
    struct fast_workers *workers = self->workers;
    uint32_t seen = 0;
    (void)fast_environment_enter(); /* a new thread inherits the environment of the thread that created it */
    for (;;) {
        look_for_work(workers, seen);
        pthread_mutex_lock(&workers->lock);
        while (!workers->stop && workers->generation == seen) {
            workers->sleeping += 1u;
            pthread_cond_wait(&workers->work, &workers->lock);
            workers->sleeping -= 1u;
        }
        if (workers->stop)
            break;
        seen = workers->generation;
        if (workers->open) {
            const struct fast_job *job = workers->job;
            workers->joined += 1u;
            pthread_mutex_unlock(&workers->lock);
            take_items(workers, job, self->number);
            pthread_mutex_lock(&workers->lock);
            workers->joined -= 1u;
            if (workers->joined == 0u)
                pthread_cond_signal(&workers->idle);
        }
        pthread_mutex_unlock(&workers->lock);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

bool fast_workers_pay(const struct fast_workers *workers, uint64_t units)
{
    const uint32_t asleep = atomic_load_explicit(&workers->sleeping, memory_order_relaxed);
    return workers->count > 0u && units >= (asleep < workers->count ? workers->units_awake : workers->units_asleep);
}

static void open_job(struct fast_workers *workers, const struct fast_job *job)
{
    pthread_mutex_lock(&workers->lock);
    const uint32_t others = job->items - 1u;
    const uint32_t wanted = workers->sleeping < others ? workers->sleeping : others;
    workers->job = job;
    workers->open = true;
    for (uint32_t item = 0; item < job->items; item++)
        atomic_store_explicit(&workers->takers[item], NOBODY, memory_order_relaxed);
    workers->generation += 1u;
    pthread_mutex_unlock(&workers->lock);
    for (uint32_t i = 0; i < wanted; i++)
        pthread_cond_signal(&workers->work);
}

static void close_job(struct fast_workers *workers)
{
    pthread_mutex_lock(&workers->lock);
    workers->open = false;
    pthread_mutex_unlock(&workers->lock);
    for (uint32_t i = 0; i < LOOKS && atomic_load_explicit(&workers->joined, memory_order_relaxed) != 0u; i++)
        sched_yield(); /* who joined is at its last item */
    pthread_mutex_lock(&workers->lock);
    while (workers->joined != 0u)
        pthread_cond_wait(&workers->idle, &workers->lock);
    pthread_mutex_unlock(&workers->lock);
}

void fast_workers_run(struct fast_workers *workers, const struct fast_job *job)
{
    open_job(workers, job);
    take_items(workers, job, 0u);
    close_job(workers);
    for (uint32_t item = 0; item < job->items; item++)
        job->homes[item] = atomic_load_explicit(&workers->takers[item], memory_order_relaxed) - 1u;
}

static bool start_worker(struct fast_workers *workers)
{
    struct worker *worker = &workers->threads[workers->count];
    *worker = (struct worker){ .workers = workers, .number = workers->count + 1u };
    if (pthread_create(&worker->thread, NULL, worker_main, worker) != 0)
        return false;
    workers->count += 1u;
    return true;
}

enum pica_status fast_workers_create(uint32_t threads, const struct fast_capacity *capacity, struct fast_workers **out)
{
    struct fast_workers *workers = malloc(sizeof *workers);
    *out = NULL;
    if (workers == NULL)
        return PICA_NO_MEMORY;
    /* These initialisers cannot fail, unlike pthread_mutex_init and pthread_cond_init. */
    *workers = (struct fast_workers){ .units_awake = capacity->units_awake,
                                      .units_asleep = capacity->units_asleep,
                                      .lock = PTHREAD_MUTEX_INITIALIZER,
                                      .work = PTHREAD_COND_INITIALIZER,
                                      .idle = PTHREAD_COND_INITIALIZER };
    *out = workers;
    if (threads == 0u)
        return PICA_OK;
    workers->threads = calloc(threads, sizeof *workers->threads);
    bool starts = workers->threads != NULL;
    while (starts && workers->count < threads)
        starts = start_worker(workers);
    if (workers->count == threads)
        return PICA_OK;
    fast_workers_destroy(workers);
    *out = NULL;
    return PICA_NO_MEMORY;
}

void fast_workers_destroy(struct fast_workers *workers)
{
    if (workers == NULL)
        return;
    pthread_mutex_lock(&workers->lock);
    workers->stop = true;
    pthread_cond_broadcast(&workers->work);
    pthread_mutex_unlock(&workers->lock);
    for (uint32_t i = 0; i < workers->count; i++)
        pthread_join(workers->threads[i].thread, NULL);
    free(workers->threads);
    pthread_cond_destroy(&workers->idle);
    pthread_cond_destroy(&workers->work);
    pthread_mutex_destroy(&workers->lock);
    free(workers);
}
