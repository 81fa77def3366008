/* The loop: hands out blocks and reductions, and takes their results in the order of the seeds. */
#include "harness/hunt/hunt_parts.h"

#include "harness/run/shared.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    AHEAD = 8,        /* blocks for each job that may run ahead of the next one to be taken */
    WAIT_MS = 50,     /* longest wait for an answer in a turn of the loop */
    END_MS = 1000,    /* wait for the end of a worker that closed its pipe */
    SAVE_SECONDS = 2, /* between two saves of the state */
    SLOW_SECONDS = 5, /* a block is usually done in less */
    LAST_SECONDS = 3  /* for running reductions after the time limit */
};

/* With --peel a block must avoid every cause that was learnt by the end of the previous epoch, so it waits for that. */
static bool may_begin(const struct hunt *hunt)
{
    if (hunt->options->source != NULL)
        return hunt->from.input.path[0] != '\0' && hunt->given == hunt->state->next;
    if (hunt_size_of(hunt, hunt->given) == 0 ||
        hunt->given >= hunt->state->next + (uint64_t)AHEAD * hunt->options->jobs)
        return false;
    return !hunt->options->peel || (hunt->state->chosen == 0 && hunt->state->next >= hunt_last_epoch(hunt->given));
}

static enum harness_status order(struct hunt *hunt, struct hunt_worker *worker, uint64_t first, uint32_t count)
{
    struct hunt_desk *const desk = worker->desk;
    desk->order.first = desk->seed = first;
    desk->order.count = count;
    desk->before = desk->statistics;
    desk->done = 0;
    desk->has_begun = desk->cut_off = false;
    worker->is_busy = true;
    worker->watched = first;
    worker->since = harness_child_begin(&worker->child);
    if (write(worker->orders, &(const char){ HUNT_RUN }, 1) == 1)
        return HARNESS_OK;
    return errno == EPIPE ? HARNESS_OK : harness_fail(hunt->error, HARNESS_HOST, "a worker: %s", strerror(errno));
}

static enum harness_status give_block(struct hunt *hunt, struct hunt_worker *worker)
{
    enum harness_status status = HARNESS_OK;
    if (worker->child.process == 0)
        status = hunt_worker_start(worker, hunt->options, hunt->pool, hunt->error);
    if (status != HARNESS_OK)
        return status;
    struct hunt_desk *const desk = worker->desk;
    desk->order.index = hunt->given++;
    desk->order.block = hunt_number_of(hunt, desk->order.index);
    desk->order.parents = hunt_pool_count(hunt->pool);
    desk->order.peel = hunt->state->peel;
    memcpy(desk->order.input, hunt->from.input.path, sizeof desk->order.input);
    memset(&desk->statistics, 0, sizeof desk->statistics);
    desk->record_count = desk->used = 0;
    const uint32_t begun = desk->order.index == hunt->before ? hunt->begun : 0;
    if (hunt->options->source != NULL)
        return order(hunt, worker, hunt->given, 1);
    return order(hunt, worker, hunt->options->seeds.first + desk->order.block * HARNESS_HUNT_BLOCK + begun,
                 hunt_size_of(hunt, desk->order.index));
}

static enum harness_status hold_block(struct hunt *hunt, const struct hunt_desk *desk)
{
    const size_t size = offsetof(struct hunt_desk, bytes) + desk->used;
    struct hunt_result *const result = malloc(sizeof *result);
    struct hunt_desk *const copy = malloc(size);
    if (result == NULL || copy == NULL) {
        free(result);
        free(copy);
        return harness_fail_memory(hunt->error);
    }
    memcpy(copy, desk, size);
    struct hunt_result **at = &hunt->results;
    while (*at != NULL && (*at)->index < desk->order.index)
        at = &(*at)->next;
    *result = (struct hunt_result){ *at, desk->order.index, copy };
    *at = result;
    return HARNESS_OK;
}

/* Drops the records of this seed and later ones, including one that was only partly written. */
static void drop_records(struct hunt_desk *desk, uint64_t seed)
{
    while (desk->record_count != 0 && desk->records[desk->record_count - 1].seed >= seed)
        desk->record_count--;
    const struct hunt_record *const last = desk->record_count != 0 ? &desk->records[desk->record_count - 1] : NULL;
    desk->used = last != NULL ? last->at + last->size + last->said_size : 0;
}

/* Takes the finished part of the next block, if the hunt ends within the first block of this start: with a plug-in that
 * hangs often, one block may take longer than the whole hunt. Otherwise only whole blocks are taken, or the findings
 * would depend on the moment at which the hunt ends. */
static enum harness_status take_part(struct hunt *hunt)
{
    if (hunt->options->source != NULL || hunt->state->next != hunt->before ||
        harness_seconds_now() < hunt->began + SLOW_SECONDS)
        return HARNESS_OK;
    for (unsigned i = 0; i < hunt->options->jobs; i++) {
        struct hunt_worker *const worker = &hunt->workers[i];
        struct hunt_desk *const desk = worker->desk;
        if (!worker->is_busy || desk->order.index != hunt->state->next)
            continue;
        harness_child_kill(&worker->child);
        if (desk->done == desk->order.count) /* complete, but not taken as a part: the next start runs it again */
            continue;
        desk->order.count = desk->done;
        drop_records(desk, desk->order.first + desk->done);
        return hunt_take_part(hunt, desk, desk->order.first + desk->done);
    }
    return HARNESS_OK;
}

static void drop_first_result(struct hunt *hunt)
{
    struct hunt_result *const first = hunt->results;
    hunt->results = first->next;
    free(first->desk);
    free(first);
}

static enum harness_status take_results(struct hunt *hunt)
{
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && hunt->results != NULL && hunt->results->index == hunt->state->next) {
        status = hunt_take_block(hunt, hunt->results->desk);
        drop_first_result(hunt);
    }
    return status;
}

/* Starts another process for the rest of the block, from seed `next` on. */
static enum harness_status go_on(struct hunt *hunt, struct hunt_worker *worker, uint64_t next)
{
    const struct hunt_desk *const desk = worker->desk;
    const uint32_t left = desk->order.count - (uint32_t)(next - desk->order.first);
    hunt_worker_end(worker, harness_seconds_now());
    if (left == 0) {
        const enum harness_status held = hold_block(hunt, desk);
        return held == HARNESS_OK ? take_results(hunt) : held;
    }
    const enum harness_status status = hunt_worker_start(worker, hunt->options, hunt->pool, hunt->error);
    return status == HARNESS_OK ? order(hunt, worker, next, left) : status;
}

/* Replaces a worker that died on a seed, or that is killed because of `deed` (a hang, say). It is a finding only if a
 * fresh process dies on the same seed, too: the first death may be due to something outside, or to state kept from
 * earlier cases. */
static enum harness_status replace(struct hunt *hunt, struct hunt_worker *worker, const char *deed)
{
    struct hunt_desk *const desk = worker->desk;
    struct harness_child_end end = { HARNESS_CHILD_TIMED_OUT, 0 };
    if (deed != NULL)
        harness_child_kill(&worker->child); /* or it could write to the desk while this process reads it */
    else
        end = harness_child_wait_or_kill(&worker->child, END_MS);
    if (desk->cut_off || (deed == NULL && end.how == HARNESS_CHILD_TIMED_OUT)) /* it closed its pipe, but did not end */
        deed = "closed the descriptors of its process";
    const uint64_t seed = desk->seed;
    if (worker->died_on != seed + 1) {
        worker->died_on = seed + 1;
        desk->statistics = desk->before;
        desk->statistics.unstable++;
        drop_records(desk, seed);
        return go_on(hunt, worker, seed);
    }
    if (!desk->has_begun)
        return harness_fail(hunt->error, HARNESS_HOST, "a backend does not start, or ends the process at once");
    desk->statistics.unstable--;
    hunt_record_death(worker, hunt->maker, deed, end);
    return go_on(hunt, worker, seed + 1);
}

static enum harness_status hear(struct hunt *hunt, struct hunt_worker *worker)
{
    char answer = 0;
    if (read(worker->answers, &answer, 1) != 1)
        return replace(hunt, worker, NULL);
    if (answer != HUNT_DONE && answer != HUNT_FAILED)
        return replace(hunt, worker, "wrote to descriptors that are not its own");
    worker->is_busy = false;
    if (answer == HUNT_FAILED) {
        (void)harness_fail(hunt->error, HARNESS_HOST, "a backend does not start");
        harness_child_add_last_line(worker->said, hunt->error->message, sizeof hunt->error->message);
        return HARNESS_HOST;
    }
    const enum harness_status status = hold_block(hunt, worker->desk);
    return status == HARNESS_OK ? take_results(hunt) : status;
}

/* Kills a worker in which a case takes too long. A backend in a process of its own never gets that far: it has a limit
 * of its own. */
static enum harness_status watch(struct hunt *hunt, struct hunt_worker *worker)
{
    if (worker->desk->seed != worker->watched) {
        worker->watched = worker->desk->seed;
        worker->since = harness_child_begin(&worker->child);
        return HARNESS_OK;
    }
    const struct harness_child_time spent = harness_child_spent(&worker->child, worker->since);
    const bool hangs = spent.busy > (double)HUNT_HANG_SECONDS || spent.wall > 10.0 * HUNT_HANG_SECONDS;
    char deed[64];
    (void)snprintf(deed, sizeof deed, "hung: not done after %d s of processor time", HUNT_HANG_SECONDS);
    return hangs ? replace(hunt, worker, deed) : HARNESS_OK;
}

/* -------------------------------------------------------------------------------------------------------- the loop */

static void end(struct hunt *hunt)
{
    for (uint32_t i = 0; i < hunt->filing_count; i++)
        hunt_filing_end(&hunt->filings[i]);
    for (unsigned i = 0; i < HARNESS_HUNT_MOST_JOBS; i++)
        hunt_worker_dismiss(&hunt->workers[i]);
    const double dismissed = harness_seconds_now();
    for (unsigned i = 0; i < HARNESS_HUNT_MOST_JOBS; i++) {
        hunt_worker_end(&hunt->workers[i], dismissed);
        harness_shared_destroy(hunt->workers[i].desk, sizeof *hunt->workers[i].desk);
    }
    while (hunt->results != NULL)
        drop_first_result(hunt);
    hunt_maker_destroy(hunt->maker);
    if (hunt->pool != NULL)
        hunt_pool_destroy(hunt->pool);
    if (hunt->lock >= 0)
        (void)close(hunt->lock);
    free(hunt->state);
}

static unsigned count_workers(const struct hunt *hunt)
{
    unsigned busy = 0;
    for (unsigned i = 0; i < hunt->options->jobs; i++)
        busy += hunt->workers[i].is_busy;
    return busy;
}

static unsigned count_reductions(const struct hunt *hunt)
{
    unsigned busy = 0;
    for (uint32_t i = 0; i < hunt->filing_count; i++)
        busy += hunt->filings[i].reduction != NULL && !hunt_filing_has_ended(&hunt->filings[i]);
    return busy;
}

static unsigned count_busy(const struct hunt *hunt)
{
    return count_workers(hunt) + count_reductions(hunt);
}

/* Reductions come first: there are few, and with --peel blocks wait for what they teach. Inputs from an engine are
 * judged beyond the number of jobs, because that is quick and most of them are duplicates. */
static enum harness_status give_work(struct hunt *hunt, bool blocks)
{
    enum harness_status status = HARNESS_OK;
    unsigned busy = count_busy(hunt);
    hunt_queue_filings(hunt);
    for (uint32_t i = 0; i < hunt->filing_count && busy < hunt->options->jobs && status == HARNESS_OK; i++)
        if (hunt->filings[i].reduction == NULL) {
            status = hunt_filing_start(&hunt->filings[i], hunt->options, hunt->error);
            busy++;
        }
    for (unsigned i = 0; i < hunt->options->jobs && blocks && status == HARNESS_OK; i++)
        if (!hunt->workers[i].is_busy && (busy < hunt->options->jobs || hunt->options->source != NULL) &&
            may_begin(hunt)) {
            status = give_block(hunt, &hunt->workers[i]);
            busy++;
        }
    return status;
}

static enum harness_status wait_for_answers(struct hunt *hunt)
{
    struct pollfd polled[HARNESS_HUNT_MOST_JOBS];
    struct hunt_worker *workers[HARNESS_HUNT_MOST_JOBS];
    nfds_t count = 0;
    for (unsigned i = 0; i < hunt->options->jobs; i++)
        if (hunt->workers[i].is_busy) {
            polled[count] = (struct pollfd){ .fd = hunt->workers[i].answers, .events = POLLIN };
            workers[count++] = &hunt->workers[i];
        }
    (void)poll(polled, count, WAIT_MS);
    enum harness_status status = HARNESS_OK;
    for (nfds_t i = 0; i < count && status == HARNESS_OK; i++)
        status = polled[i].revents != 0 ? hear(hunt, workers[i]) : watch(hunt, workers[i]);
    return status;
}

static void tell(struct hunt *hunt)
{
    struct harness_hunt_summary *const summary = hunt->summary;
    summary->progress.elapsed = harness_seconds_now() - hunt->began;
    if (hunt->options->source != NULL) {
        hunt->state->statistics = hunt->statistics_before;
        harness_pair_statistics_add(&hunt->state->statistics, hunt->options->source->statistics);
    }
    summary->statistics = hunt->state->statistics;
    summary->progress.executions = summary->statistics.executions;
    summary->progress.waiting = hunt->state->waiting_count;
    summary->progress.reducing = count_reductions(hunt);
    summary->progress.pauses =
        hunt->options->source == NULL && summary->progress.reducing != 0 && count_workers(hunt) == 0;
    summary->trouble = summary->statistics.trouble - hunt->statistics_before.trouble;
    summary->next =
        hunt->options->seeds.first + hunt_number_of(hunt, hunt->state->next) * HARNESS_HUNT_BLOCK + hunt->state->begun;
    const uint64_t count = hunt->options->seeds.count;
    summary->is_done = count != 0 && summary->next - hunt->options->seeds.first >= count;
    if (summary->is_done)
        summary->next = hunt->options->seeds.first + count;
}

/* No worker or reduction runs, and no finding is chosen for reduction. */
static bool is_idle(const struct hunt *hunt)
{
    return count_busy(hunt) == 0 && hunt->state->chosen == 0;
}

static bool has_work(const struct hunt *hunt)
{
    return !hunt->from.ended || !is_idle(hunt) || hunt->state->waiting_count != 0 ||
           hunt_size_of(hunt, hunt->given) != 0;
}

static enum harness_status look_at_source(struct hunt *hunt, bool over, bool at_once)
{
    const struct harness_hunt_source *const source = hunt->options->source;
    const bool judges = hunt->from.input.path[0] != '\0';
    if (hunt->from.ended)
        return HARNESS_OK;
    const enum harness_status status =
        source->look(source->user, over, !judges && hunt->state->waiting_count == 0, judges ? NULL : &hunt->from.input,
                     &hunt->from.is_quiet, hunt->error);
    hunt->from.ended = hunt->from.is_quiet && (!judges || at_once);
    return status;
}

/* May a hunt that is to end stop now? At once if it was asked to; if its time is over, when everything is filed or
 * LAST_SECONDS later. */
static bool is_late(const struct hunt *hunt, double elapsed, bool at_once)
{
    const struct harness_hunt_options *const options = hunt->options;
    if (options->seconds != 0 && elapsed >= (double)options->seconds + LAST_SECONDS && hunt->from.is_quiet)
        return true;
    return hunt->from.ended &&
           (at_once || (hunt->from.input.path[0] == '\0' &&
                        (hunt->state->waiting_count == 0 || (options->peel && hunt->state->chosen == 0))));
}

static enum harness_status loop(struct hunt *hunt, harness_hunt_watcher watcher, void *user)
{
    const struct harness_hunt_options *const options = hunt->options;
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && has_work(hunt)) {
        const double elapsed = harness_seconds_now() - hunt->began;
        const bool enough = hunt->summary->progress.findings >= options->max_findings;
        const bool over = enough || hunt->asked || (options->seconds != 0 && elapsed >= (double)options->seconds);
        const bool at_once = enough || hunt->asked;
        if (over && is_late(hunt, elapsed, at_once))
            break;
        status = look_at_source(hunt, over, at_once);
        if (is_idle(hunt) && (hunt_size_of(hunt, hunt->given) == 0 || (over && !options->peel)))
            hunt_choose_filings(hunt);
        if (status == HARNESS_OK && !at_once)
            status = give_work(hunt, !over || options->source != NULL);
        if (status == HARNESS_OK)
            status = wait_for_answers(hunt);
        if (status == HARNESS_OK)
            status = hunt_take_filings(hunt);
        if (status == HARNESS_OK && harness_seconds_now() >= hunt->saved + SAVE_SECONDS)
            status = hunt_save(hunt);
        tell(hunt);
        if (watcher != NULL && !watcher(user, &hunt->summary->progress))
            hunt->asked = true;
    }
    return status;
}

enum harness_status harness_hunt_run(const struct harness_hunt_options *options, harness_hunt_watcher watcher,
                                     void *user, struct harness_hunt_summary *summary, struct harness_error *error)
{
    struct hunt *const hunt = calloc(1, sizeof *hunt);
    memset(summary, 0, sizeof *summary);
    if (hunt == NULL)
        return harness_fail_memory(error);
    hunt->options = options;
    hunt->summary = summary;
    hunt->error = error;
    hunt->lock = -1;
    hunt->from.ended = hunt->from.is_quiet = options->source == NULL;
    void (*const before)(int) = signal(SIGPIPE, SIG_IGN); /* a dead worker is noticed when its answers end */
    enum harness_status status = hunt_begin(hunt);
    if (status == HARNESS_OK) {
        status = loop(hunt, watcher, user);
        if (status == HARNESS_OK)
            status = take_part(hunt);
        tell(hunt);
        if (status == HARNESS_OK) /* after a failure, the next start continues from the state saved last */
            status = hunt_save(hunt);
        summary->peel = hunt->state->peel;
    }
    end(hunt);
    (void)signal(SIGPIPE, before);
    free(hunt);
    return status;
}
