/*
 * The only file with threads. A pool waits for a job; the caller's thread takes part in it. Work items are bins, which
 * share no byte of a surface, taken from a counter; so results do not depend on the number of threads (GEN-10).
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "fast/renderer.h"

struct fast_workers {
    uint32_t count;
    pthread_t *threads;
    pthread_mutex_t lock;
    pthread_cond_t work; /* signalled when `generation` or `stop` changes */
    pthread_cond_t idle; /* signalled when `busy` becomes 0 */
    uint64_t generation; /* number of jobs so far */
    uint32_t busy;       /* workers that have not finished the current job */
    bool stop;
    const struct fast_renderer *renderer; /* the job */
    atomic_uint next;                     /* next entry of renderer->active */
};

static void take_items(struct fast_workers *workers, const struct fast_renderer *renderer)
{
    for (;;) {
        const uint32_t item = atomic_fetch_add_explicit(&workers->next, 1u, memory_order_relaxed);
        if (item >= renderer->active_count)
            return;
        fast_tile_draw(renderer, renderer->active[item]);
    }
}

static void *worker_main(void *argument)
{
    struct fast_workers *workers = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&workers->lock);
    for (;;) {
        while (!workers->stop && workers->generation == seen)
            pthread_cond_wait(&workers->work, &workers->lock);
        if (workers->stop)
            break;
        seen = workers->generation;
        const struct fast_renderer *renderer = workers->renderer;
        pthread_mutex_unlock(&workers->lock);
        take_items(workers, renderer);
        pthread_mutex_lock(&workers->lock);
        workers->busy -= 1u;
        if (workers->busy == 0u)
            pthread_cond_signal(&workers->idle);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

void fast_workers_draw(struct fast_workers *workers, const struct fast_renderer *renderer)
{
    pthread_mutex_lock(&workers->lock);
    workers->renderer = renderer;
    workers->busy = workers->count;
    workers->generation += 1u;
    atomic_store_explicit(&workers->next, 0u, memory_order_relaxed);
    pthread_cond_broadcast(&workers->work);
    pthread_mutex_unlock(&workers->lock);

    take_items(workers, renderer);

    pthread_mutex_lock(&workers->lock);
    while (workers->busy != 0u)
        pthread_cond_wait(&workers->idle, &workers->lock);
    pthread_mutex_unlock(&workers->lock);
}

enum pica_status fast_workers_create(uint32_t threads, struct fast_workers **out)
{
    struct fast_workers *workers = malloc(sizeof *workers);
    *out = NULL;
    if (workers == NULL)
        return PICA_NO_MEMORY;
    /* These initialisers, other than pthread_mutex_init and pthread_cond_init, cannot fail. */
    *workers = (struct fast_workers){ .lock = PTHREAD_MUTEX_INITIALIZER,
                                      .work = PTHREAD_COND_INITIALIZER,
                                      .idle = PTHREAD_COND_INITIALIZER };
    *out = workers;
    if (threads == 0u)
        return PICA_OK;
    workers->threads = calloc(threads, sizeof *workers->threads);
    while (workers->threads != NULL && workers->count < threads &&
           pthread_create(&workers->threads[workers->count], NULL, worker_main, workers) == 0)
        workers->count += 1u;
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
        pthread_join(workers->threads[i], NULL);
    free(workers->threads);
    pthread_cond_destroy(&workers->idle);
    pthread_cond_destroy(&workers->work);
    pthread_mutex_destroy(&workers->lock);
    free(workers);
}
