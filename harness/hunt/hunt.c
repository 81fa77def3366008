/* The loop: hands out blocks and reductions, and takes what comes back in the order of the seeds. */
#include "harness/hunt/hunt_parts.h"

#include "harness/case/formats.h"
#include "harness/run/shared.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum {
    EPOCH = 32,       /* blocks between two choices of findings to reduce; the first come sooner */
    AT_ONCE = 8,      /* findings that are chosen then, the smallest */
    LOOK_AGAIN = 8,   /* a kind and key is filed again when it was seen so many times as often */
    AHEAD = 8,        /* blocks for each job that may be done before the one whose results are taken next */
    WAIT_MS = 50,     /* for an answer, between looks at everything else */
    SAVE_SECONDS = 2, /* between two states on the disk */
    LAST_SECONDS = 4  /* for reductions that have begun, when the time is over */
};

/* A block that is done, while an earlier one is not. */
struct result {
    struct result *next;
    uint64_t index;
    struct hunt_desk *desk; /* as large as it is used */
};

struct hunt {
    const struct harness_hunt_options *options;
    struct harness_hunt_summary *summary;
    struct harness_error *error;
    struct hunt_state *state; /* state->next: of blocks whose results were taken, in the order of this shard */
    struct hunt_pool *pool;
    struct hunt_maker *maker;
    struct hunt_worker workers[HARNESS_HUNT_MOST_JOBS];
    uint64_t given;         /* blocks that were handed out */
    struct result *results; /* in order */
    struct hunt_filing filings[AT_ONCE];
    uint32_t filing_count;
    struct harness_peel
        known; /* when findings were chosen last: one does not depend on what another taught meanwhile */
    uint64_t known_before[HARNESS_PEEL_MOST]; /* cases that earlier hunts in the directory counted for each cause */
    uint64_t before;                          /* blocks of earlier starts, ... */
    uint32_t begun;                           /* ... and seeds of the next one */
    double began, saved;
    int lock;
};

/* ---------------------------------------------------------------------------------------------------------- blocks */

static uint64_t number_of(const struct hunt *hunt, uint64_t index)
{
    return hunt->options->shard + index * hunt->options->shards;
}

static uint32_t at_most(uint64_t value, uint32_t most)
{
    return value < most ? (uint32_t)value : most;
}

/* How many seeds it has that were not run by an earlier start; 0: there is no such block. */
static uint32_t whole_size_of(const struct hunt *hunt, uint64_t index)
{
    const uint64_t before = number_of(hunt, index) * HARNESS_HUNT_BLOCK, count = hunt->options->count;
    const uint32_t size =
        count == 0 ? (uint32_t)HARNESS_HUNT_BLOCK : at_most(count > before ? count - before : 0, HARNESS_HUNT_BLOCK);
    const uint32_t begun = index == hunt->before ? hunt->begun : 0;
    return size > begun ? size - begun : 0;
}

/* How many of them are run now: where executions are counted, the last block is left in its middle. */
static uint32_t size_of(const struct hunt *hunt, uint64_t index)
{
    const uint64_t most = hunt->options->executions, blocks = index - hunt->before;
    const uint64_t done = blocks == 0 ? 0 : blocks * HARNESS_HUNT_BLOCK - hunt->begun;
    const uint32_t size = whole_size_of(hunt, index);
    return most == 0 ? size : at_most(most > done ? most - done : 0, size);
}

/* Findings are chosen after these: soon at first, for a hunt of minutes has most of its findings then. */
static bool ends_epoch(uint64_t blocks)
{
    return blocks >= EPOCH ? blocks % EPOCH == 0 : (blocks & (blocks - 1)) == 0;
}

static uint64_t last_epoch(uint64_t blocks)
{
    while (blocks != 0 && !ends_epoch(blocks))
        blocks--;
    return blocks;
}

/* Where causes are avoided, a block must know what was learnt by the end of the epoch before. */
static bool may_begin(const struct hunt *hunt)
{
    if (size_of(hunt, hunt->given) == 0 || hunt->given >= hunt->state->next + (uint64_t)AHEAD * hunt->options->jobs)
        return false;
    return !hunt->options->peel || (hunt->state->chosen == 0 && hunt->state->next >= last_epoch(hunt->given));
}

static enum harness_status order(struct hunt *hunt, struct hunt_worker *worker, uint64_t first, uint32_t count)
{
    struct hunt_desk *const desk = worker->desk;
    desk->order.first = desk->seed = first;
    desk->order.count = count;
    desk->done = 0;
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
    desk->order.block = number_of(hunt, desk->order.index);
    desk->order.parents = hunt_pool_count(hunt->pool);
    desk->order.peel = hunt->summary->peel;
    memset(&desk->statistics, 0, sizeof desk->statistics);
    desk->record_count = desk->used = 0;
    const uint32_t begun = desk->order.index == hunt->before ? hunt->begun : 0;
    return order(hunt, worker, hunt->options->first + desk->order.block * HARNESS_HUNT_BLOCK + begun,
                 size_of(hunt, desk->order.index));
}

/* ----------------------------------------------------------------------------------------------- what they showed */

static struct hunt_key *find_key(struct hunt_state *state, const struct hunt_record *record)
{
    for (uint32_t i = 0; i < state->key_count; i++)
        if (strcmp(state->keys[i].kind, record->kind) == 0 && strcmp(state->keys[i].key, record->key) == 0)
            return &state->keys[i];
    if (state->key_count == HUNT_MOST_KEYS)
        return NULL;
    struct hunt_key *const key = &state->keys[state->key_count++];
    *key = (struct hunt_key){ .next = 1 };
    (void)snprintf(key->kind, sizeof key->kind, "%s", record->kind);
    (void)snprintf(key->key, sizeof key->key, "%s", record->key);
    return key;
}

/* Is it to be filed? A kind and key may be that of several faults, so it is looked at again now and then; with --peel
 * once an epoch, for what is known by then does not show it any more. */
static bool is_wanted(struct hunt *hunt, const struct hunt_record *record)
{
    const uint64_t epoch = last_epoch(hunt->state->next) + 1;
    struct hunt_key *const key = find_key(hunt->state, record);
    if (key == NULL)
        return false;
    key->seen += record->count;
    const bool again = hunt->options->peel && strcmp(record->kind, "unstable") != 0 && key->epoch != epoch;
    if (!again && key->seen < key->next)
        return false;
    key->epoch = epoch;
    while (key->next <= key->seen)
        key->next *= LOOK_AGAIN;
    return hunt->state->waiting_count < HUNT_MOST_WAITING;
}

static void add_found(struct hunt *hunt, const struct hunt_waiting *what)
{
    struct harness_hunt_progress *const progress = &hunt->summary->progress;
    hunt->state->filed++;
    if (progress->findings == HARNESS_HUNT_MOST_FINDINGS)
        return;
    struct harness_hunt_finding *const finding = &hunt->summary->findings[progress->findings++];
    (void)snprintf(finding->title, sizeof finding->title, "%s", what->title);
    (void)snprintf(finding->path, sizeof finding->path, "%.*s/%s.pcase", HARNESS_HUNT_PATH - HARNESS_HUNT_NAME - 8,
                   hunt->options->findings, what->name);
}

static enum harness_status keep_finding(struct hunt *hunt, const struct hunt_desk *desk,
                                        const struct hunt_record *record)
{
    struct hunt_waiting what = { .bytes = record->size };
    struct harness_case *const test_case = harness_case_create();
    char said[ORACLE_MESSAGE_SIZE];
    (void)snprintf(said, sizeof said, "%.*s", (int)record->said_size,
                   (const char *)desk->bytes + record->at + record->size);
    (void)snprintf(what.name, sizeof what.name, "seed-%" PRIu64, record->seed);
    (void)snprintf(what.kind, sizeof what.kind, "%s", record->kind);
    (void)snprintf(what.key, sizeof what.key, "%s", record->key);
    (void)snprintf(what.title, sizeof what.title, "%s: %.*s", record->kind,
                   (int)strcspn(said[0] != '\0' ? said : record->key, "\n"), said[0] != '\0' ? said : record->key);
    bool good = test_case != NULL;
    if (good && record->size != 0)
        good = harness_pcb_decode(test_case, desk->bytes + record->at, record->size);
    else if (good)
        good = hunt_make(hunt->maker, record->seed, desk->order.parents, test_case);
    enum harness_status status =
        good ? hunt_write_found(hunt->options, &what, test_case, said, hunt->error) : harness_fail_memory(hunt->error);
    harness_case_destroy(test_case);
    if (status != HARNESS_OK)
        return status;
    if (hunt->options->reduce_tries == 0)
        add_found(hunt, &what);
    else
        hunt->state->waiting[hunt->state->waiting_count++] = what;
    return status;
}

/* What is kept for its edges is of use to the next hunt, too; a disk that is full is no reason to end this one. */
static void keep_parent(struct hunt *hunt, const struct hunt_desk *desk, const struct hunt_record *record)
{
    char path[HARNESS_HUNT_PATH + HARNESS_HUNT_NAME + 8];
    if (record->size == 0 || !hunt_pool_add(hunt->pool, desk->bytes + record->at, record->size) ||
        hunt->options->corpus == NULL)
        return;
    (void)snprintf(path, sizeof path, "%.*s/seed-%" PRIu64 ".pcb", HARNESS_HUNT_PATH - 1, hunt->options->corpus,
                   record->seed);
    (void)harness_file_write_lazily(path, desk->bytes + record->at, record->size, NULL);
}

/* The smallest first: they are reduced soonest. */
static int by_size(const void *a, const void *b)
{
    const struct hunt_waiting *const one = a, *const other = b;
    if (one->bytes != other->bytes)
        return one->bytes < other->bytes ? -1 : 1;
    return strcmp(one->name, other->name);
}

/* As many each time, whatever is done by now: so what is filed does not depend on how quick that is. */
static void choose_filings(struct hunt *hunt)
{
    struct hunt_state *const state = hunt->state;
    struct hunt_waiting *const others = state->waiting + state->chosen; /* the first are chosen already */
    const uint32_t count = state->waiting_count - state->chosen;
    qsort(others, count, sizeof *others, by_size);
    state->chosen += count < AT_ONCE ? count : (uint32_t)AT_ONCE;
}

/* Those of the chosen that are next. */
static void queue_filings(struct hunt *hunt)
{
    while (hunt->filing_count < AT_ONCE && hunt->filing_count < hunt->state->chosen) {
        hunt->filings[hunt->filing_count] = (struct hunt_filing){ .what = hunt->state->waiting[hunt->filing_count] };
        hunt->filing_count++;
    }
}

/* Is it the one in whose middle this start, or the range of seeds, ends? A longer range goes on there. */
static bool is_part(const struct hunt *hunt, uint64_t index)
{
    return size_of(hunt, index) + (index == hunt->before ? hunt->begun : 0) < HARNESS_HUNT_BLOCK;
}

/* The results of the next block in order. */
static enum harness_status take_block(struct hunt *hunt, const struct hunt_desk *desk)
{
    enum harness_status status = HARNESS_OK;
    harness_pair_statistics_add(&hunt->state->statistics, &desk->statistics);
    for (uint32_t i = 0; i < desk->record_count && status == HARNESS_OK; i++) {
        const struct hunt_record *const record = &desk->records[i];
        if (record->kind[0] == '\0')
            keep_parent(hunt, desk, record);
        else if (is_wanted(hunt, record))
            status = keep_finding(hunt, desk, record);
    }
    if (status != HARNESS_OK) /* the block is run again by the next start, from the state that was saved before it */
        return status;
    if (is_part(hunt, desk->order.index)) {
        hunt->state->begun = (desk->order.index == hunt->before ? hunt->begun : 0) + size_of(hunt, desk->order.index);
        return status;
    }
    hunt->state->begun = 0;
    hunt->state->next++;
    if (status == HARNESS_OK && ends_epoch(hunt->state->next))
        choose_filings(hunt);
    return status;
}

static enum harness_status hold_block(struct hunt *hunt, const struct hunt_desk *desk)
{
    const size_t size = offsetof(struct hunt_desk, bytes) + desk->used;
    struct result *const result = malloc(sizeof *result);
    struct hunt_desk *const copy = malloc(size);
    if (result == NULL || copy == NULL) {
        free(result);
        free(copy);
        return harness_fail_memory(hunt->error);
    }
    memcpy(copy, desk, size);
    struct result **at = &hunt->results;
    while (*at != NULL && (*at)->index < desk->order.index)
        at = &(*at)->next;
    *result = (struct result){ *at, desk->order.index, copy };
    *at = result;
    return HARNESS_OK;
}

static void drop_first_result(struct hunt *hunt)
{
    struct result *const first = hunt->results;
    hunt->results = first->next;
    free(first->desk);
    free(first);
}

static enum harness_status take_results(struct hunt *hunt)
{
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && hunt->results != NULL && hunt->results->index == hunt->state->next) {
        status = take_block(hunt, hunt->results->desk);
        drop_first_result(hunt);
    }
    return status;
}

/* It died on a seed, which is a finding, or hangs on it; the rest of the block is for another process. */
static enum harness_status replace(struct hunt *hunt, struct hunt_worker *worker, bool hung)
{
    struct hunt_desk *const desk = worker->desk;
    struct harness_child_end end = { HARNESS_CHILD_TIMED_OUT, 0 };
    if (!hung)
        end = harness_child_wait(&worker->child);
    if (end.how == HARNESS_CHILD_EXITED && desk->done == 0 && desk->seed == desk->order.first &&
        desk->statistics.executions == 0)
        return harness_fail(hunt->error, HARNESS_HOST, "a backend does not start, or ends the process at once");
    hunt_record_death(worker, hunt->maker, hung, end);
    const uint64_t next = desk->seed + 1;
    const uint32_t left = desk->order.count - (uint32_t)(next - desk->order.first);
    hunt_worker_end(worker);
    if (left == 0) {
        const enum harness_status held = hold_block(hunt, desk);
        return held == HARNESS_OK ? take_results(hunt) : held;
    }
    const enum harness_status status = hunt_worker_start(worker, hunt->options, hunt->pool, hunt->error);
    return status == HARNESS_OK ? order(hunt, worker, next, left) : status;
}

static enum harness_status hear(struct hunt *hunt, struct hunt_worker *worker)
{
    char answer = 0;
    if (read(worker->answers, &answer, 1) != 1)
        return replace(hunt, worker, false);
    worker->is_busy = false;
    if (answer != 'd')
        return harness_fail(hunt->error, HARNESS_HOST, "a backend does not start");
    const enum harness_status status = hold_block(hunt, worker->desk);
    return status == HARNESS_OK ? take_results(hunt) : status;
}

/* A backend in a process of its own has a limit there. */
static enum harness_status watch(struct hunt *hunt, struct hunt_worker *worker)
{
    if (worker->desk->seed != worker->watched) {
        worker->watched = worker->desk->seed;
        worker->since = harness_child_begin(&worker->child);
        return HARNESS_OK;
    }
    const struct harness_child_time spent = harness_child_spent(&worker->child, worker->since);
    const bool hangs = spent.busy > (double)HUNT_HANG_SECONDS || spent.wall > 10.0 * HUNT_HANG_SECONDS;
    return hangs ? replace(hunt, worker, true) : HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------- the state */

static void state_path(const struct hunt *hunt, char *out, size_t size)
{
    (void)snprintf(out, size, "%.*s/hunt.json", HARNESS_HUNT_PATH - 1, hunt->options->findings);
}

static enum harness_status save(struct hunt *hunt)
{
    struct harness_peel *const peel = &hunt->summary->peel;
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; i < peel->count; i++)
        peel->causes[i].seen = hunt->known_before[i] + hunt->state->statistics.known[i];
    if (hunt->options->peel) {
        char path[HARNESS_HUNT_PATH + 8];
        (void)snprintf(path, sizeof path, "%.*s/peel", HARNESS_HUNT_PATH - 1, hunt->options->findings);
        status = harness_peel_write(path, peel, hunt->error);
    }
    hunt->saved = harness_seconds_now();
    char *const text = hunt_state_print(hunt->state);
    char path[HARNESS_HUNT_PATH + 16];
    state_path(hunt, path, sizeof path);
    if (status == HARNESS_OK)
        status =
            text != NULL ? harness_file_write(path, text, strlen(text), hunt->error) : harness_fail_memory(hunt->error);
    free(text);
    return status;
}

/* --------------------------------------------------------------------------------------------------------- filings */

static bool is_accepted(const struct harness_hunt_options *options, const char *path, const struct harness_filed *filed)
{
    const struct harness_shown shown = { .test_case = path,
                                         .bucket = filed->bucket,
                                         .version = HARNESS_BUCKET_VERSION,
                                         .what = harness_outcome_died(filed->symptom.kind) ? HARNESS_SHOWS_CRASH
                                                                                           : HARNESS_SHOWS_DIFFERENCE };
    return options->quirks != NULL && filed->confirmed && harness_quirks_accepts(options->quirks, &shown) != NULL;
}

static enum harness_status learn(struct hunt *hunt, const struct hunt_filing *filing, struct harness_case *found)
{
    const struct hunt_reduction *const reduction = filing->reduction;
    if (!hunt->options->peel || !reduction->is_done || reduction->status != HARNESS_OK)
        return HARNESS_OK;
    const struct hunt_lesson *const lesson = &reduction->lesson;
    return !lesson->has_cause || harness_peel_learn(&hunt->summary->peel, hunt->state->taught, &lesson->cause,
                                                    filing->what.kind, filing->what.key, found)
               ? HARNESS_OK
               : harness_fail_memory(hunt->error);
}

/* One that did not come back says nothing about the next of its kind and key. */
static void note_unconfirmed(struct hunt *hunt, const struct hunt_waiting *what)
{
    hunt->summary->unconfirmed++;
    for (uint32_t i = 0; i < hunt->state->key_count; i++) {
        struct hunt_key *const key = &hunt->state->keys[i];
        if (strcmp(key->kind, what->kind) == 0 && strcmp(key->key, what->key) == 0)
            key->next = 2 * key->seen;
    }
}

static void count_filed(struct hunt *hunt, const struct hunt_filing *filing, const char *path,
                        const struct harness_filed *filed)
{
    struct harness_hunt_summary *const summary = hunt->summary;
    const bool accepted = is_accepted(hunt->options, path, filed);
    summary->accepted += accepted;
    if (!filed->confirmed)
        note_unconfirmed(hunt, &filing->what);
    if (filed->duplicate || accepted) {
        summary->progress.duplicates++;
    } else if (summary->progress.findings < HARNESS_HUNT_MOST_FINDINGS) {
        hunt->state->filed++;
        struct harness_hunt_finding *const finding = &summary->findings[summary->progress.findings++];
        (void)snprintf(finding->path, sizeof finding->path, "%s", path);
        (void)snprintf(finding->title, sizeof finding->title, "%s", filing->what.title);
    }
}

static enum harness_status load_found(const struct hunt *hunt, const struct hunt_waiting *what,
                                      struct harness_case *out)
{
    char path[HARNESS_HUNT_PATH + HARNESS_HUNT_NAME + 8];
    (void)snprintf(path, sizeof path, "%.*s/%s.pcb", HARNESS_HUNT_PATH - 1, hunt->options->findings, what->name);
    return harness_case_load_file(out, path, NULL, NULL, hunt->error);
}

static void forget_first_waiting(struct hunt *hunt)
{
    struct hunt_state *const state = hunt->state;
    hunt_filing_end(&hunt->filings[0]);
    hunt->filing_count--;
    state->waiting_count--;
    state->chosen--;
    memmove(hunt->filings, hunt->filings + 1, hunt->filing_count * sizeof hunt->filings[0]);
    memmove(state->waiting, state->waiting + 1, state->waiting_count * sizeof state->waiting[0]);
}

/* In the order in which they were chosen, whichever is ready first. */
static enum harness_status take_filings(struct hunt *hunt)
{
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && hunt->filing_count != 0 && hunt_filing_has_ended(&hunt->filings[0])) {
        struct hunt_filing *const filing = &hunt->filings[0];
        char path[HARNESS_HUNT_PATH];
        struct harness_filed filed = { .confirmed = false };
        struct harness_case *const found = harness_case_create();
        status = found != NULL ? load_found(hunt, &filing->what, found) : harness_fail_memory(hunt->error);
        if (status == HARNESS_OK)
            status = hunt_filing_put(filing, hunt->options, path, &filed, hunt->error);
        if (status == HARNESS_OK)
            status = learn(hunt, filing, found);
        harness_case_destroy(found);
        if (status != HARNESS_OK)
            return status;
        count_filed(hunt, filing, path, &filed);
        forget_first_waiting(hunt);
        if (hunt->options->peel) /* what it taught goes with it */
            status = save(hunt);
    }
    return status;
}

/* What it knew is known again after as many seeds. */
static enum harness_status set_aside(struct hunt *hunt, const char *path, const char *why)
{
    char aside[HARNESS_HUNT_PATH + 32];
    (void)snprintf(aside, sizeof aside, "%s.damaged", path);
    (void)snprintf(hunt->summary->notice, sizeof hunt->summary->notice,
                   "%.200s: %.200s; it was renamed to hunt.json.damaged, and the hunt begins again", path, why);
    memset(hunt->state, 0, sizeof *hunt->state);
    return rename(path, aside) == 0 ? HARNESS_OK
                                    : harness_fail(hunt->error, HARNESS_HOST, "%s: %s", path, strerror(errno));
}

/* Another hunt's state is not taken for this one's. */
static enum harness_status check_state(const struct hunt *hunt, const char *path)
{
    const struct hunt_state *const state = hunt->state;
    if (strncmp(state->identity, hunt->options->identity, sizeof state->identity - 1) != 0)
        return harness_fail(hunt->error, HARNESS_BAD_INPUT,
                            "%s: is of another hunt (%s); give this one another --findings directory", path,
                            state->identity);
    if (state->first != hunt->options->first)
        return harness_fail(hunt->error, HARNESS_BAD_INPUT,
                            "%s: is of a hunt from seed %" PRIu64 " on; give this one another --findings directory",
                            path, state->first);
    return HARNESS_OK;
}

static enum harness_status read_state(struct hunt *hunt)
{
    char path[HARNESS_HUNT_PATH + 16];
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct harness_error why = { "" };
    state_path(hunt, path, sizeof path);
    if (access(path, F_OK) != 0)
        return HARNESS_OK;
    enum harness_status status = harness_file_read(path, &bytes, &size, hunt->error);
    if (status != HARNESS_OK)
        return status;
    if (hunt_state_parse((const char *)bytes, size, hunt->state, &why) == HARNESS_OK)
        status = check_state(hunt, path);
    else
        status = set_aside(hunt, path, why.message);
    free(bytes);
    return status;
}

static enum harness_status recall(struct hunt *hunt)
{
    struct harness_peel *const peel = &hunt->summary->peel;
    enum harness_status status = read_state(hunt);
    (void)snprintf(hunt->state->identity, sizeof hunt->state->identity, "%s", hunt->options->identity);
    hunt->state->first = hunt->options->first;
    if (status == HARNESS_OK && hunt->options->peel) {
        char path[HARNESS_HUNT_PATH + 8];
        (void)snprintf(path, sizeof path, "%.*s/peel", HARNESS_HUNT_PATH - 1, hunt->options->findings);
        status = harness_peel_read(path, peel, hunt->error);
    }
    for (uint32_t i = 0; i < peel->count; i++) {
        const uint64_t counted = hunt->state->statistics.known[i];
        hunt->known_before[i] = peel->causes[i].seen > counted ? peel->causes[i].seen - counted : 0;
    }
    hunt->given = hunt->before = hunt->state->next;
    hunt->begun = hunt->state->begun;
    return status;
}

/* A finding that was filed just before the hunt was killed waits no more. */
static void forget_filed(struct hunt *hunt)
{
    struct hunt_state *const state = hunt->state;
    uint32_t kept = 0, chosen = 0;
    for (uint32_t i = 0; i < state->waiting_count; i++) {
        char path[HARNESS_HUNT_PATH + HARNESS_HUNT_NAME + 8];
        (void)snprintf(path, sizeof path, "%.*s/%s.pcb", HARNESS_HUNT_PATH - 1, hunt->options->findings,
                       state->waiting[i].name);
        if (access(path, R_OK) != 0)
            continue;
        chosen += i < state->chosen;
        state->waiting[kept++] = state->waiting[i];
    }
    state->waiting_count = kept;
    state->chosen = chosen;
}

/* What cannot be a parent is left where it is. */
static void load_parent(struct hunt *hunt, const char *path, struct harness_case *test_case, uint8_t *bytes)
{
    size_t size = 0;
    if (harness_case_load_file(test_case, path, NULL, NULL, NULL) == HARNESS_OK &&
        harness_pcb_encode(test_case, bytes, HARNESS_MAX_INPUT, &size, NULL) == HARNESS_OK)
        (void)hunt_pool_add(hunt->pool, bytes, size);
}

static int is_kept(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 4 && strcmp(entry->d_name + length - 4, ".pcb") == 0;
}

static void load_kept(struct hunt *hunt, struct harness_case *test_case, uint8_t *bytes)
{
    struct dirent **entries = NULL;
    const int count = scandir(hunt->options->corpus, &entries, is_kept, alphasort);
    for (int i = 0; i < count; i++) {
        char path[HARNESS_HUNT_PATH + sizeof entries[i]->d_name];
        (void)snprintf(path, sizeof path, "%.*s/%s", HARNESS_HUNT_PATH - 1, hunt->options->corpus, entries[i]->d_name);
        load_parent(hunt, path, test_case, bytes);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void load_parents(struct hunt *hunt)
{
    struct harness_case *const test_case = harness_case_create();
    uint8_t *const bytes = malloc(HARNESS_MAX_INPUT);
    if (test_case != NULL && bytes != NULL) {
        for (size_t i = 0; i < hunt->options->parent_count; i++)
            load_parent(hunt, hunt->options->parents[i], test_case, bytes);
        if (hunt->options->corpus != NULL)
            load_kept(hunt, test_case, bytes);
    }
    free(bytes);
    harness_case_destroy(test_case);
}

/* Two hunts in one directory would take each other's findings for their own. The lock goes with the process. */
static enum harness_status lock(struct hunt *hunt)
{
    hunt->lock = open(hunt->options->findings, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (hunt->lock < 0)
        return harness_fail(hunt->error, HARNESS_HOST, "%s: %s", hunt->options->findings, strerror(errno));
    if (flock(hunt->lock, LOCK_EX | LOCK_NB) == 0)
        return HARNESS_OK;
    return harness_fail(hunt->error, HARNESS_HOST, "%s: another hunt runs there", hunt->options->findings);
}

static enum harness_status begin(struct hunt *hunt)
{
    hunt->began = hunt->saved = harness_seconds_now();
    hunt->state = calloc(1, sizeof *hunt->state);
    hunt->pool = hunt_pool_create();
    hunt->maker = hunt->pool != NULL ? hunt_maker_create(hunt->options, hunt->pool) : NULL;
    enum harness_status status =
        hunt->state != NULL && hunt->maker != NULL ? lock(hunt) : harness_fail_memory(hunt->error);
    if (status == HARNESS_OK)
        status = recall(hunt);
    if (status == HARNESS_OK) {
        forget_filed(hunt);
        load_parents(hunt);
    }
    return status;
}

static void end(struct hunt *hunt)
{
    for (uint32_t i = 0; i < hunt->filing_count; i++)
        hunt_filing_end(&hunt->filings[i]);
    for (unsigned i = 0; i < HARNESS_HUNT_MOST_JOBS; i++)
        hunt_worker_dismiss(&hunt->workers[i]);
    for (unsigned i = 0; i < HARNESS_HUNT_MOST_JOBS; i++) {
        hunt_worker_end(&hunt->workers[i]);
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

/* -------------------------------------------------------------------------------------------------------- the loop */

static unsigned count_busy(const struct hunt *hunt)
{
    unsigned busy = 0;
    for (unsigned i = 0; i < hunt->options->jobs; i++)
        busy += hunt->workers[i].is_busy;
    for (uint32_t i = 0; i < hunt->filing_count; i++)
        busy += hunt->filings[i].reduction != NULL && !hunt_filing_has_ended(&hunt->filings[i]);
    return busy;
}

/* Reductions come first: there are few, and what they teach is waited for. */
static enum harness_status give_work(struct hunt *hunt, bool blocks)
{
    enum harness_status status = HARNESS_OK;
    unsigned busy = count_busy(hunt);
    queue_filings(hunt);
    for (uint32_t i = 0; i < hunt->filing_count && busy < hunt->options->jobs && status == HARNESS_OK; i++)
        if (hunt->filings[i].reduction == NULL) {
            status = hunt_filing_start(&hunt->filings[i], hunt->options, hunt->error);
            busy++;
        }
    for (unsigned i = 0; i < hunt->options->jobs && blocks && status == HARNESS_OK; i++)
        if (!hunt->workers[i].is_busy && busy < hunt->options->jobs && may_begin(hunt)) {
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
    summary->statistics = hunt->state->statistics;
    summary->progress.executions = summary->statistics.executions;
    summary->progress.waiting = hunt->state->waiting_count;
    summary->earlier = hunt->state->filed;
    summary->progress.parents = hunt_pool_count(hunt->pool);
    summary->progress.reducing =
        hunt->filing_count != 0 && hunt->filings[0].reduction != NULL ? hunt->filings[0].what.title : NULL;
    summary->next = hunt->options->first + number_of(hunt, hunt->state->next) * HARNESS_HUNT_BLOCK + hunt->state->begun;
    const uint64_t count = hunt->options->count;
    summary->is_done = count != 0 && summary->next - hunt->options->first >= count;
    if (summary->is_done)
        summary->next = hunt->options->first + count;
}

/* Nothing runs and nothing is chosen. */
static bool is_idle(const struct hunt *hunt)
{
    return count_busy(hunt) == 0 && hunt->state->chosen == 0;
}

static bool has_work(const struct hunt *hunt)
{
    return !is_idle(hunt) || hunt->state->waiting_count != 0 || size_of(hunt, hunt->given) != 0;
}

static enum harness_status loop(struct hunt *hunt, harness_hunt_watcher watcher, void *user)
{
    const struct harness_hunt_options *const options = hunt->options;
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && has_work(hunt) && hunt->summary->progress.findings < options->max_findings) {
        const double elapsed = harness_seconds_now() - hunt->began;
        const bool over = options->seconds != 0 && elapsed >= (double)options->seconds;
        if (over && (hunt->state->waiting_count == 0 || (options->peel && hunt->state->chosen == 0) ||
                     elapsed >= (double)options->seconds + LAST_SECONDS))
            break;
        if (is_idle(hunt) && (size_of(hunt, hunt->given) == 0 || (over && !options->peel)))
            choose_filings(hunt);
        status = give_work(hunt, !over);
        if (status == HARNESS_OK)
            status = wait_for_answers(hunt);
        if (status == HARNESS_OK)
            status = take_filings(hunt);
        if (status == HARNESS_OK && harness_seconds_now() >= hunt->saved + SAVE_SECONDS)
            status = save(hunt);
        tell(hunt);
        if (watcher != NULL && !watcher(user, &hunt->summary->progress))
            break;
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
    void (*const before)(int) = signal(SIGPIPE, SIG_IGN); /* a worker that died is noticed by its silence */
    enum harness_status status = begin(hunt);
    if (status == HARNESS_OK) {
        status = loop(hunt, watcher, user);
        tell(hunt);
        if (status == HARNESS_OK) /* after trouble the state that was saved last is one from which it can go on */
            status = save(hunt);
    }
    (void)signal(SIGPIPE, before);
    end(hunt);
    free(hunt);
    return status;
}
