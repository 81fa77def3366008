/* Decides, in the order of the seeds, what happens to the results of a block: a finding is reduced, filed, or already
 * known. */
#include "harness/hunt/hunt_parts.h"

#include "harness/case/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LEAST_TROUBLE = 16, /* with so many cases in a block and no verdict at all, a backend is broken */
    LOOK_AGAIN = 8      /* a kind and key is filed again when its count has grown by this factor */
};

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

/* Is the finding to be filed? Several faults can have the same kind and key, so one is filed again now and then. With
 * --peel, one is filed in each epoch, because the causes that are known by then no longer show it; with an engine every
 * one is, because the engine runs nothing while a finding is being learnt. */
static bool is_wanted(struct hunt *hunt, const struct hunt_record *record)
{
    const uint64_t epoch = hunt_last_epoch(hunt->state->next) + 1;
    struct hunt_key *const key = find_key(hunt->state, record);
    if (key != NULL)
        key->seen += record->count;
    if (key == NULL || hunt->state->waiting_count == HUNT_MOST_WAITING) {
        hunt->summary->unfiled++;
        return false;
    }
    const bool again = hunt->options->peel && strcmp(record->kind, "unstable") != 0 &&
                       (key->epoch != epoch || hunt->options->source != NULL);
    if (!again && key->seen < key->next)
        return false;
    key->epoch = epoch;
    while (key->next <= key->seen)
        key->next *= LOOK_AGAIN;
    return true;
}

/* Lists the finding, whose .pcase is at `path` and shows `title`, in the summary. */
static void add_found(struct hunt *hunt, const struct hunt_waiting *what, const char *path, const char *title)
{
    struct harness_hunt_progress *const progress = &hunt->summary->progress;
    hunt->state->filed++;
    if (progress->findings == HARNESS_HUNT_MOST_FINDINGS)
        return;
    struct harness_hunt_finding *const finding = &hunt->summary->findings[progress->findings++];
    (void)snprintf(finding->title, sizeof finding->title, "%s", title);
    (void)snprintf(finding->path, sizeof finding->path, "%s", path);
    hunt_print_machine(hunt->options, what->name, finding->machine, sizeof finding->machine);
}

static enum harness_status keep_finding(struct hunt *hunt, const struct hunt_desk *desk,
                                        const struct hunt_record *record)
{
    struct hunt_waiting what = { .bytes = record->size };
    struct harness_case *const test_case = harness_case_create();
    char said[ORACLE_MESSAGE_SIZE];
    (void)snprintf(said, sizeof said, "%.*s", (int)record->said_size,
                   (const char *)desk->bytes + record->at + record->size);
    if (strcmp(record->kind, HUNT_SOURCE) == 0)
        (void)snprintf(said, sizeof said, "%s", hunt->from.input.said);
    (void)snprintf(what.name, sizeof what.name, "%s-%" PRIu64, hunt->options->source != NULL ? "input" : "seed",
                   record->seed);
    (void)snprintf(what.kind, sizeof what.kind, "%s", record->kind);
    (void)snprintf(what.key, sizeof what.key, "%s", record->key);
    (void)snprintf(what.title, sizeof what.title, "%s: %.*s", record->kind,
                   (int)strcspn(said[0] != '\0' ? said : record->key, "\n"), said[0] != '\0' ? said : record->key);
    bool good = test_case != NULL;
    if (good && record->size != 0)
        good = harness_pcb_decode(test_case, desk->bytes + record->at, record->size);
    else if (good)
        good = hunt_make_as_it_ran(hunt->maker, &desk->order, record->seed, test_case);
    enum harness_status status =
        good ? hunt_write_found(hunt->options, &what, test_case, said, hunt->error) : harness_fail_memory(hunt->error);
    harness_case_destroy(test_case);
    if (status != HARNESS_OK)
        return status;
    char path[HARNESS_HUNT_PATH];
    (void)snprintf(path, sizeof path, "%.*s/%s.pcase", HARNESS_HUNT_PATH - HARNESS_HUNT_NAME - 8,
                   hunt->options->findings, what.name);
    if (hunt->options->reduce_tries == 0)
        add_found(hunt, &what, path, what.title);
    else
        hunt->state->waiting[hunt->state->waiting_count++] = what;
    return status;
}

/* Adds a case that reached new edges to the pool, and to the corpus for the next hunt. A full disk is no reason to end
 * this one, so errors are ignored. */
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

/* Orders findings by size: the smallest are the quickest to reduce. */
static int by_size(const void *a, const void *b)
{
    const struct hunt_waiting *const one = a, *const other = b;
    if (one->bytes != other->bytes)
        return one->bytes < other->bytes ? -1 : 1;
    return strcmp(one->name, other->name);
}

/* Chooses the same number each time, however many reductions are done: so what is filed does not depend on their
 * speed. */
void hunt_choose_filings(struct hunt *hunt)
{
    struct hunt_state *const state = hunt->state;
    struct hunt_waiting *const others = state->waiting + state->chosen; /* those before are already chosen */
    const uint32_t count = state->waiting_count - state->chosen;
    qsort(others, count, sizeof *others, by_size);
    state->chosen += count < HUNT_AT_ONCE ? count : (uint32_t)HUNT_AT_ONCE;
}

/* Fills the queue of reductions with the next of the chosen findings. */
void hunt_queue_filings(struct hunt *hunt)
{
    while (hunt->filing_count < HUNT_AT_ONCE && hunt->filing_count < hunt->state->chosen) {
        hunt->filings[hunt->filing_count] = (struct hunt_filing){ .what = hunt->state->waiting[hunt->filing_count] };
        hunt->filing_count++;
    }
}

static enum harness_status take_records(struct hunt *hunt, const struct hunt_desk *desk)
{
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; i < desk->record_count && status == HARNESS_OK; i++) {
        const struct hunt_record *const record = &desk->records[i];
        if (record->kind[0] == '\0')
            keep_parent(hunt, desk, record);
        else if (is_wanted(hunt, record))
            status = keep_finding(hunt, desk, record);
    }
    /* After a failure the next start runs the block again, from the state saved before it, and counts it then. Inputs
     * of an engine were counted by its target. */
    if (status == HARNESS_OK && hunt->options->source == NULL)
        harness_pair_statistics_add(&hunt->state->statistics, &desk->statistics);
    return status;
}

enum harness_status hunt_take_part(struct hunt *hunt, const struct hunt_desk *desk, uint64_t end)
{
    const enum harness_status status = take_records(hunt, desk);
    const uint64_t block = hunt->options->seeds.first + hunt_number_of(hunt, hunt->state->next) * HARNESS_HUNT_BLOCK;
    if (status == HARNESS_OK)
        hunt->state->begun = (uint32_t)(end - block);
    return status;
}

/* Takes the result of a source's input, whose file is deleted only after the state that includes it is on the disk. */
static enum harness_status take_input(struct hunt *hunt, const struct hunt_desk *desk)
{
    if (desk->record_count == 0 && desk->statistics.trouble != 0) /* it could not be read */
        return harness_fail_memory(hunt->error);
    enum harness_status status = take_records(hunt, desk);
    hunt->state->next++;
    hunt_choose_filings(hunt);
    if (status == HARNESS_OK)
        status = hunt_save(hunt);
    if (status == HARNESS_OK)
        (void)unlink(hunt->from.input.path);
    hunt->from.input.path[0] = '\0';
    return status;
}

enum harness_status hunt_take_block(struct hunt *hunt, const struct hunt_desk *desk)
{
    if (hunt->options->source != NULL)
        return take_input(hunt, desk);
    const uint64_t end = desk->order.first + desk->order.count;
    if (desk->statistics.trouble == desk->statistics.executions && desk->statistics.trouble >= LEAST_TROUBLE)
        return harness_fail(hunt->error, HARNESS_HOST,
                            "of the %" PRIu64 " cases up to seed %" PRIu64
                            " none came to a verdict: a backend fails in "
                            "each, or does not start any more; the next start goes on with them",
                            desk->statistics.executions, end - 1);
    if (hunt_is_part(hunt, desk->order.index))
        return hunt_take_part(hunt, desk, end);
    const enum harness_status status = take_records(hunt, desk);
    if (status != HARNESS_OK)
        return status;
    hunt->state->begun = 0;
    hunt->state->next++;
    if (hunt_ends_epoch(hunt->state->next))
        hunt_choose_filings(hunt);
    return status;
}

/* ---------------------------------------------------------------------------------------------- what was reduced */

static enum harness_status learn(struct hunt *hunt, const struct hunt_filing *filing, struct harness_case *found)
{
    const struct hunt_reduction *const reduction = filing->reduction;
    if (!hunt->options->peel || !reduction->is_done || reduction->status != HARNESS_OK)
        return HARNESS_OK;
    return !reduction->has_cause || harness_peel_learn(&hunt->state->peel, hunt->state->taught, &reduction->cause,
                                                       filing->what.kind, filing->what.key, found)
               ? HARNESS_OK
               : harness_fail_memory(hunt->error);
}

/* A finding that could not be reproduced says nothing about others with its kind and key, so the next is filed when
 * their count has doubled. */
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
    const bool accepted = harness_finding_is_accepted(hunt->options->quirks, path, filed);
    char title[HUNT_KIND + 2 + sizeof filed->message]; /* of the reduced case, whose path stands beside it */
    (void)snprintf(title, sizeof title, "%s: %s", filing->what.kind, filed->message);
    if (filed->message[0] == '\0')
        (void)snprintf(title, sizeof title, "%s", filing->what.title);
    summary->accepted += accepted;
    if (!filed->confirmed)
        note_unconfirmed(hunt, &filing->what);
    if (filed->duplicate || accepted)
        summary->progress.duplicates++;
    else
        add_found(hunt, &filing->what, path, title);
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

/* Takes the reductions in the order in which the findings were chosen, whichever ends first. */
enum harness_status hunt_take_filings(struct hunt *hunt)
{
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && hunt->filing_count != 0 && hunt_filing_has_ended(&hunt->filings[0])) {
        struct hunt_filing *const filing = &hunt->filings[0];
        if (hunt_filing_begins_again(filing))
            return HARNESS_OK;
        char path[HARNESS_HUNT_PATH];
        struct harness_filed filed = { .confirmed = false };
        struct harness_case *const found = harness_case_create();
        status = found != NULL ? load_found(hunt, &filing->what, found) : harness_fail_memory(hunt->error);
        if (status != HARNESS_OK && status != HARNESS_NO_MEMORY) {
            hunt_notice(hunt, "%s; it stays where it is, and does not wait any more", hunt->error->message);
            harness_case_destroy(found);
            forget_first_waiting(hunt);
            status = HARNESS_OK;
            continue;
        }
        if (status == HARNESS_OK)
            status = hunt_filing_put(filing, hunt->options, path, &filed, hunt->error);
        if (status == HARNESS_OK)
            status = learn(hunt, filing, found);
        harness_case_destroy(found);
        if (status != HARNESS_OK)
            return status;
        count_filed(hunt, filing, path, &filed);
        (void)snprintf(hunt->state->done, sizeof hunt->state->done, "%s", filing->what.name);
        forget_first_waiting(hunt);
        status = hunt_save(hunt); /* together with the cause that it taught */
        if (status == HARNESS_OK)
            hunt_filing_remove_waiting(hunt->options, hunt->state->done);
    }
    return status;
}
