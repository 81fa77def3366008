/*
 * The engine of the reducer: which change is tried next, on which worker, and what becomes of the answer.
 *
 * A pass is tried on ranges of halving size, each time from the last thing to the first (later things depend on earlier
 * ones). A round runs all passes, and rounds repeat until one changes nothing. Several workers try the next changes in
 * parallel, each against the same best case; answers are taken in order, and after an accepted change the answers to
 * later tries are dropped. So the result does not depend on the number of workers.
 *
 * A backend may keep something from one case to the next (a cache, say), and then a case may differ only after another
 * one. So from time to time, at the end of a round, and on stopping, the best case is tried "alone", in a fresh process
 * that has run nothing else. If it does not show its symptom there, reduction starts again from the last best case that
 * did (the sure one), and from then on ("careful") tries each change alone before keeping it.
 */
#include "harness/reduce/reduce.h"

#include "harness/reduce/reduce_digest.h"
#include "harness/reduce/reduce_pass.h"
#include "harness/reduce/reduce_state.h"
#include "harness/run/child.h"
#include "pica/stage_words.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_ROUNDS = 50, /* safety limits, in case a pass does not terminate by itself */
    MAX_SAME = 100000,
    CHECK_TRIES = 16,     /* the first check of the best case comes after this many tries, ... */
    CHECK_GROWTH = 2,     /* ... each further one after half as many again: starting a backend may be slow */
    SAVE_TRIES = 100,     /* the state is saved after this many tries, and every second */
    MOST_UNBLAMED = 16,   /* changes kept before the localiser is asked; after a wrong blame 1, then 2, 4, ... */
    CACHE_SLOTS = 1 << 16 /* a power of two */
};

/* One try in flight. */
struct attempt {
    struct reduce_cursor cursor;
    struct harness_case *candidate;
    struct harness_program *program;
    uint64_t digest;
    bool same;    /* gives the same program as the best case: nothing to run */
    bool running; /* a worker is running it */
};

/* A copy of the best case after a change that a backend can see. */
struct moment {
    struct harness_case *test_case;
    struct harness_symptom symptom;
    struct reduce_saved at;
    uint64_t digest;
    bool overlaps;
};

struct reducer {
    const struct harness_reduce_options *options;
    struct harness_probe *probe;
    struct harness_case *best;
    struct harness_symptom symptom; /* of `best` */
    struct harness_blame blame;     /* of the case; must stay the same if `keeps_blame` */
    bool keeps_blame;
    /* The first one is known to have the blame, later ones are not checked yet; the last one is `best`. */
    struct moment moments[MOST_UNBLAMED + 1];
    uint32_t unblamed; /* moments after the first */
    uint64_t best_digest;
    struct harness_case *sure; /* the last best case that showed its symptom alone */
    struct harness_symptom sure_symptom;
    bool is_sure;           /* `best` has shown its symptom alone: it is `sure`, or each change since was tried alone */
    uint64_t first_tried;   /* at.tried when this process started, ... */
    uint64_t sure_tried;    /* ... and when the best case was last tried alone */
    uint64_t cost;          /* of the tries in this process */
    struct reduce_saved at; /* the cursor of the next answer to be taken, and the counts */
    struct attempt attempts[HARNESS_PROBE_MAX_JOBS];
    uint64_t cache[CACHE_SLOTS]; /* digests of rejected cases, direct-mapped */
    struct harness_reduce_progress progress;
    struct harness_reduce_turn turns[HARNESS_REDUCE_MOST_TURNS];
    double start, next_look;
    uint64_t next_tried;
    bool stopped;
    bool overlaps;          /* harness_reduce_overlaps of `best`: if false, no change may make it true */
    uint32_t same_in_a_row; /* accepted changes that no backend can see, since the last visible one */
    struct harness_error *error;
};

/* Sets the digest of a best case that did not come from an accepted attempt. */
static enum harness_status update_digest(struct reducer *reducer)
{
    struct harness_program *const program = reducer->attempts[0].program;
    const enum harness_status status = harness_case_setup(reducer->best, program, reducer->error);
    if (status == HARNESS_OK)
        reducer->best_digest = harness_reduce_digest(program);
    reducer->overlaps = harness_reduce_overlaps(reducer->best);
    return status;
}

static bool was_rejected(const struct reducer *reducer, uint64_t digest)
{
    return reducer->cache[digest % CACHE_SLOTS] == digest;
}

/* ---------------------------------------------------------------------------------------------------------- passes */

static const struct reduce_plan *plan_of(const struct reducer *reducer)
{
    return reducer->options->plan != NULL ? reducer->options->plan : &harness_reduce_plan;
}

static const struct reduce_pass *pass_of(const struct reducer *reducer, uint32_t pass)
{
    return plan_of(reducer)->passes[pass];
}

/* If the case sets a limit, each change comes in two variants: as it is, and with the limit lowered. */
static uint32_t pass_variants(const struct reducer *reducer, uint32_t pass)
{
    const bool lowers = reducer->options->plan == NULL && harness_reduce_has_limit(reducer->best);
    return pass_of(reducer, pass)->variants * (lowers ? 2u : 1u);
}

static uint32_t count_things(const struct reducer *reducer, uint32_t pass, const struct harness_case *test_case)
{
    return harness_reduce_count(pass_of(reducer, pass), test_case);
}

static bool change_things(const struct reducer *reducer, const struct reduce_cursor *cursor,
                          struct harness_case *test_case, struct reduce_range range)
{
    const struct reduce_pass *const pass = pass_of(reducer, cursor->pass);
    return harness_reduce_apply(pass, test_case, range, cursor->variant % pass->variants) &&
           (cursor->variant < pass->variants || harness_reduce_lower_limits(reducer->best, test_case));
}

/* Is this turn of the pass skipped? */
static bool is_left_out(const struct reducer *reducer, const struct reduce_cursor *cursor)
{
    return (pass_of(reducer, cursor->pass)->once && cursor->round != 0) ||
           (reducer->options->without >> cursor->pass & 1u) != 0;
}

/* --------------------------------------------------------------------------------------------------------- cursors */

/* The next range or variant after a change was rejected, or changed nothing; false at the end of the round. */
static bool next_place(const struct reducer *reducer, struct reduce_cursor *cursor)
{
    const struct harness_case *const best = reducer->best;
    if (cursor->size != 0 && ++cursor->variant < pass_variants(reducer, cursor->pass))
        return true;
    cursor->variant = 0;
    if (cursor->size != 0) {
        cursor->end = cursor->end > cursor->size ? cursor->end - cursor->size : 0;
        if (cursor->end != 0)
            return true;
        if (cursor->size > 1) {
            cursor->size = (cursor->size + 1) / 2;
            cursor->end = count_things(reducer, cursor->pass, best);
            if (cursor->end != 0)
                return true;
        }
        cursor->size = 0;
        cursor->pass++;
    }
    for (; cursor->pass < plan_of(reducer)->count; cursor->pass++) {
        if (is_left_out(reducer, cursor))
            continue;
        cursor->size = cursor->end = count_things(reducer, cursor->pass, best);
        if (cursor->size != 0)
            return true;
    }
    return false;
}

/* Moves the cursor to the same place in the case that has just changed: removed things are skipped, changed things may
 * be changed further. */
static void stay(const struct reducer *reducer, const struct harness_case *before, const struct harness_case *after,
                 struct reduce_cursor *cursor)
{
    const uint32_t old = count_things(reducer, cursor->pass, before);
    const uint32_t now = count_things(reducer, cursor->pass, after);
    if (now < old)
        cursor->end = cursor->end > old - now ? cursor->end - (old - now) : 0;
    if (cursor->end > now)
        cursor->end = now;
    if (cursor->end == 0 && cursor->size > 1 && now != 0) {
        cursor->size = (cursor->size + 1) / 2;
        cursor->end = now;
        cursor->variant = 0;
    } else if (cursor->end == 0) {
        cursor->end = 1; /* next_place goes on to the next pass */
        cursor->size = 1;
        cursor->variant = pass_variants(reducer, cursor->pass) - 1;
    }
    if (cursor->size > cursor->end)
        cursor->size = cursor->end;
}

/* -------------------------------------------------------------------------------------------------------- attempts */

static bool create_attempts(struct reducer *reducer)
{
    for (unsigned i = 0; i < reducer->options->probe.jobs; i++) {
        reducer->attempts[i].candidate = harness_case_create();
        reducer->attempts[i].program = harness_program_create();
        if (reducer->attempts[i].candidate == NULL || reducer->attempts[i].program == NULL)
            return false;
    }
    return true;
}

static void destroy_attempts(struct reducer *reducer)
{
    for (unsigned i = 0; i < HARNESS_PROBE_MAX_JOBS; i++) {
        harness_case_destroy(reducer->attempts[i].candidate);
        harness_program_destroy(reducer->attempts[i].program);
    }
}

/* Makes the change at the cursor; false if there is nothing to try there. */
static bool make_candidate(struct reducer *reducer, struct attempt *attempt, const struct reduce_cursor *cursor)
{
    const uint32_t first = cursor->end > cursor->size ? cursor->end - cursor->size : 0;
    const struct reduce_range range = { .first = first, .count = cursor->end - first };
    if (cursor->size == 0 || !harness_case_copy(attempt->candidate, reducer->best) ||
        !change_things(reducer, cursor, attempt->candidate, range) ||
        harness_case_setup(attempt->candidate, attempt->program, NULL) != HARNESS_OK)
        return false;
    attempt->digest = harness_reduce_digest(attempt->program);
    attempt->same = attempt->digest == reducer->best_digest;
    attempt->cursor = *cursor;
    if (attempt->same &&
        (reducer->same_in_a_row >= MAX_SAME || harness_case_equal(attempt->candidate, reducer->best, true)))
        return false;
    if (!reducer->overlaps && harness_reduce_overlaps(attempt->candidate))
        return false;
    if (reducer->options->fits != NULL && !reducer->options->fits(reducer->options->fits_what, attempt->candidate))
        return false;
    return attempt->same || !was_rejected(reducer, attempt->digest);
}

/* Fills `attempt` with the next change worth trying and moves the cursor past it; false at the end of the round. */
static bool find_next(struct reducer *reducer, struct attempt *attempt, struct reduce_cursor *cursor)
{
    do {
        if (cursor->pass >= plan_of(reducer)->count)
            return false;
        if (make_candidate(reducer, attempt, cursor)) {
            (void)next_place(reducer, cursor);
            return true;
        }
    } while (next_place(reducer, cursor));
    return false;
}

static enum harness_status launch(struct reducer *reducer, unsigned job)
{
    struct attempt *const attempt = &reducer->attempts[job];
    if (attempt->same && reducer->options->probe.test == NULL)
        return HARNESS_OK;
    attempt->running = true;
    return harness_probe_start(reducer->probe, job, attempt->candidate, attempt->program, false, reducer->error);
}

/* Runs an attempt that showed the symptom once more in a fresh process. *keep: it does so there, too. */
static enum harness_status try_alone(struct reducer *reducer, unsigned job, const struct attempt *attempt,
                                     struct harness_symptom *symptom, bool *keep)
{
    harness_probe_renew(reducer->probe, job);
    enum harness_status status =
        harness_probe_start(reducer->probe, job, attempt->candidate, attempt->program, false, reducer->error);
    if (status == HARNESS_OK)
        status = harness_probe_finish(reducer->probe, job, symptom, reducer->error);
    *keep = harness_symptom_survives(&reducer->symptom, symptom, reducer->options->any);
    return status;
}

static uint64_t cost_of(const struct harness_symptom *symptom)
{
    if (symptom->kind == HARNESS_HANG)
        return HARNESS_REDUCE_HANG_COST;
    return symptom->kind == HARNESS_CRASH ? HARNESS_REDUCE_CRASH_COST : 1;
}

/* Should the change of this attempt be kept? */
static enum harness_status judge(struct reducer *reducer, unsigned job, bool *keep)
{
    struct attempt *const attempt = &reducer->attempts[job];
    *keep = true;
    if (!attempt->running)
        return HARNESS_OK;
    struct harness_symptom symptom;
    const enum harness_status status = harness_probe_finish(reducer->probe, job, &symptom, reducer->error);
    attempt->running = false;
    if (status != HARNESS_OK)
        return status;
    /* Rejected while this attempt was running: a single worker would not have tried it again. */
    if (!attempt->same && was_rejected(reducer, attempt->digest)) {
        *keep = false;
        return HARNESS_OK;
    }
    reducer->at.tried++;
    reducer->cost += cost_of(&symptom);
    reducer->turns[attempt->cursor.pass].tried++;
    *keep = harness_symptom_survives(&reducer->symptom, &symptom, reducer->options->any);
    const enum harness_status alone =
        *keep && reducer->at.careful ? try_alone(reducer, job, attempt, &symptom, keep) : HARNESS_OK;
    if (alone != HARNESS_OK)
        return alone;
    if (*keep)
        reducer->symptom = symptom;
    else
        reducer->cache[attempt->digest % CACHE_SLOTS] = attempt->digest;
    return HARNESS_OK;
}

/* Waits for the answers that are no longer needed. */
static enum harness_status forget(struct reducer *reducer, unsigned job)
{
    struct harness_symptom symptom;
    if (!reducer->attempts[job].running)
        return HARNESS_OK;
    reducer->attempts[job].running = false;
    return harness_probe_finish(reducer->probe, job, &symptom, reducer->error);
}

static bool take_moment(struct reducer *reducer, uint32_t index)
{
    struct moment *const moment = &reducer->moments[index];
    if (moment->test_case == NULL)
        moment->test_case = harness_case_create();
    moment->symptom = reducer->symptom;
    moment->at = reducer->at;
    moment->digest = reducer->best_digest;
    moment->overlaps = reducer->overlaps;
    reducer->unblamed = index;
    return moment->test_case != NULL && harness_case_copy(moment->test_case, reducer->best);
}

static enum harness_status accept(struct reducer *reducer, struct attempt *attempt)
{
    reducer->turns[attempt->cursor.pass].kept++;
    struct harness_case *const before = reducer->best;
    struct reduce_cursor cursor = attempt->cursor;
    stay(reducer, before, attempt->candidate, &cursor);
    reducer->best = attempt->candidate;
    attempt->candidate = before;
    reducer->best_digest = attempt->digest;
    reducer->overlaps = reducer->overlaps && harness_reduce_overlaps(reducer->best);
    reducer->at.cursor = cursor;
    reducer->same_in_a_row = attempt->same ? reducer->same_in_a_row + 1 : 0;
    reducer->at.accepted++;
    reducer->at.round_accepted++;
    /* A test script is a fresh process each time. `sure` stays: a flaky case may still fail the next check. */
    reducer->is_sure = reducer->at.careful || reducer->options->probe.test != NULL;
    if (reducer->keeps_blame && !take_moment(reducer, reducer->unblamed + (attempt->same ? 0u : 1u)))
        return harness_fail_memory(reducer->error);
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------- looking up */

static void fill_progress(struct reducer *reducer)
{
    struct harness_reduce_progress *const progress = &reducer->progress;
    const uint32_t pass = reducer->at.cursor.pass;
    progress->elapsed = harness_seconds_now() - reducer->start;
    progress->tried = reducer->at.tried;
    progress->accepted = reducer->at.accepted;
    progress->round = reducer->at.cursor.round + 1;
    progress->pass = pass < plan_of(reducer)->count ? pass_of(reducer, pass)->name : "done";
    progress->bytes = harness_case_bytes(reducer->best);
    progress->writes = harness_case_writes(reducer->best);
    progress->first_bytes = reducer->at.first_bytes;
    progress->first_writes = reducer->at.first_writes;
}

/* Saves the last case that is known to have the blame; a later process makes the changes after it again. */
static enum harness_status save(struct reducer *reducer)
{
    const struct harness_reduce_options *const options = reducer->options;
    struct moment *const moment = reducer->unblamed != 0 ? &reducer->moments[0] : NULL;
    struct reduce_saved at = moment != NULL ? moment->at : reducer->at;
    at.careful = reducer->at.careful;
    at.blame_after = reducer->at.blame_after;
    const struct reduce_cases cases = { .best = moment != NULL ? moment->test_case : reducer->best,
                                        .sure = reducer->is_sure && moment == NULL ? NULL : reducer->sure };
    if (options->state_path == NULL)
        return HARNESS_OK;
    return harness_reduce_save(options->state_path, options->identity, &at, &cases, reducer->error);
}

static bool is_over(const struct reducer *reducer, double now)
{
    const struct harness_reduce_options *const options = reducer->options;
    return (options->seconds != 0 && now - reducer->start >= options->seconds) ||
           (options->tries != 0 && reducer->at.tried - reducer->first_tried >= options->tries) ||
           (options->cost != 0 && reducer->cost >= options->cost);
}

/* Between tries: checks time and budget, calls the watcher, saves the state. */
static enum harness_status look_up(struct reducer *reducer)
{
    const struct harness_reduce_options *const options = reducer->options;
    const double now = harness_seconds_now();
    if (is_over(reducer, now))
        reducer->stopped = true;
    if (now < reducer->next_look && reducer->at.tried < reducer->next_tried && !reducer->stopped)
        return HARNESS_OK;
    reducer->next_look = now + (options->state_path != NULL && now - reducer->start > 5.0 ? 1.0 : 0.25);
    reducer->next_tried = reducer->at.tried + SAVE_TRIES;
    fill_progress(reducer);
    if (options->watcher != NULL && !options->watcher(options->user, &reducer->progress))
        reducer->stopped = true;
    return save(reducer);
}

/* -------------------------------------------------------------------------------------------------------- the loop */

/* Is it time to try the best case alone? Depends only on the number of tries, so that the result does not depend on
 * time. */
static bool is_check_due(const struct reducer *reducer)
{
    return !reducer->is_sure &&
           reducer->at.tried - reducer->sure_tried >= CHECK_TRIES + reducer->sure_tried / CHECK_GROWTH;
}

/* Works from the cursor up to the next accepted change, to a check that is due, or to the end of the round (*end). */
static enum harness_status advance(struct reducer *reducer, bool *end)
{
    const unsigned jobs = reducer->options->probe.jobs;
    struct reduce_cursor ahead = reducer->at.cursor;
    unsigned started = 0, answered = 0;
    bool more = true;
    enum harness_status status = HARNESS_OK;
    *end = false;
    for (bool keep = false; status == HARNESS_OK && !keep && !reducer->stopped && !is_check_due(reducer);) {
        while (status == HARNESS_OK && more && started - answered < jobs) {
            more = find_next(reducer, &reducer->attempts[started % jobs], &ahead);
            if (more)
                status = launch(reducer, started++ % jobs);
        }
        if (status != HARNESS_OK || started == answered)
            break;
        struct attempt *const attempt = &reducer->attempts[answered % jobs];
        reducer->at.cursor = attempt->cursor;
        status = judge(reducer, answered++ % jobs, &keep);
        if (status == HARNESS_OK && keep)
            status = accept(reducer, attempt);
        else
            (void)next_place(reducer, &reducer->at.cursor);
        if (status == HARNESS_OK)
            status = look_up(reducer);
    }
    *end = !more && started == answered && reducer->at.cursor.pass >= plan_of(reducer)->count;
    if (!more && started == 0) {
        reducer->at.cursor = ahead;
        *end = true;
    }
    for (unsigned i = 0; i < jobs; i++)
        if (forget(reducer, i) != HARNESS_OK)
            status = HARNESS_HOST;
    return status;
}

/* ------------------------------------------------------------------------------------------------------- the blame */

static bool is_blame_due(const struct reducer *reducer)
{
    return reducer->unblamed != 0 && reducer->unblamed >= reducer->at.blame_after;
}

/* Explains a case in a fresh process, so that nothing kept from other cases influences the blame. */
static enum harness_status explain(struct reducer *reducer, const struct harness_case *test_case,
                                   struct harness_symptom *symptom)
{
    harness_probe_renew(reducer->probe, 0);
    reducer->cost += HARNESS_REDUCE_BLAME_COST;
    return harness_probe_try(reducer->probe, test_case, true, symptom, reducer->error);
}

static bool is_stage(const char *text, enum pica_stage_word word)
{
    return strcmp(text, pica_stage_word_info(word)->text) == 0;
}

/* Is the blame "framebuffer" without a step? Then all traced values agree, and framebuffer is only the last stage
 * before memory, not necessarily the guilty one. What the difference needs tells more then (cause.h). */
static bool is_late(const struct harness_blame *blame)
{
    return is_stage(blame->stage, PICA_STAGE_WORD_FRAMEBUFFER) && !blame->has_step;
}

/* Is a stage known? "memory" means that the localiser found none. */
static bool is_known(const struct harness_blame *blame)
{
    return blame->stage[0] != '\0' && !is_stage(blame->stage, PICA_STAGE_WORD_MEMORY) && !is_late(blame);
}

/* Does the stage come before the tests of fragments? */
static bool is_early(const char *stage)
{
    for (unsigned word = 0; word < PICA_STAGE_WORD_ALPHA_TEST; word++)
        if (is_stage(stage, (enum pica_stage_word)word))
            return true;
    return false;
}

/* Is the blame still the one to be kept? If the traces of the case agree, it is enough that no early stage has begun to
 * differ. */
static bool is_same_blame(const struct harness_blame *kept, const struct harness_blame *now)
{
    return is_late(kept) ? !now->has_step || !is_early(now->stage) : harness_cause_same(now, kept);
}

static enum harness_status ask_blame(struct reducer *reducer, const struct harness_case *test_case, bool *same)
{
    struct harness_symptom symptom = { .kind = HARNESS_TROUBLE };
    const enum harness_status status = explain(reducer, test_case, &symptom);
    struct harness_blame now = *harness_probe_blame(reducer->probe);
    if (!reducer->blame.has_step) /* the rule is then that of the command, which may be removed */
        memcpy(now.rule, reducer->blame.rule, sizeof now.rule);
    *same = symptom.kind == HARNESS_DIVERGE && is_same_blame(&reducer->blame, &now);
    return status;
}

/* Makes the case of that moment, which has the blame, the best case again. */
static enum harness_status return_to(struct reducer *reducer, uint32_t index)
{
    const struct moment *const moment = &reducer->moments[index];
    const struct reduce_saved now = reducer->at;
    reducer->at = moment->at;
    reducer->at.tried = now.tried;
    reducer->at.careful = now.careful;
    reducer->at.blame_after = 1;
    reducer->symptom = moment->symptom;
    reducer->best_digest = moment->digest;
    reducer->overlaps = moment->overlaps;
    reducer->is_sure = reducer->is_sure && reducer->at.careful;
    return harness_case_copy(reducer->best, moment->test_case) && take_moment(reducer, 0)
               ? HARNESS_OK
               : harness_fail_memory(reducer->error);
}

/* Does the best case still have the blame? If not, bisects to the change that lost it, and goes back to the case before
 * that change (*back). */
static enum harness_status check_blame(struct reducer *reducer, bool *back)
{
    uint32_t good = 0, bad = reducer->unblamed;
    *back = false;
    if (reducer->unblamed == 0)
        return HARNESS_OK;
    bool same = false;
    enum harness_status status = ask_blame(reducer, reducer->best, &same);
    if (status == HARNESS_OK && same) {
        const uint32_t after = reducer->at.blame_after * 2;
        reducer->at.blame_after = after < MOST_UNBLAMED ? after : MOST_UNBLAMED;
        return take_moment(reducer, 0) ? HARNESS_OK : harness_fail_memory(reducer->error);
    }
    while (status == HARNESS_OK && bad - good > 1) {
        const uint32_t middle = good + (bad - good) / 2;
        status = ask_blame(reducer, reducer->moments[middle].test_case, &same);
        *(same ? &good : &bad) = middle;
    }
    *back = true;
    reducer->cache[reducer->moments[bad].digest % CACHE_SLOTS] = reducer->moments[bad].digest;
    return status == HARNESS_OK ? return_to(reducer, good) : status;
}

/* ---------------------------------------------------------------------------------------------------------- checks */

/* Makes the sure case the best again; from now on every change is tried alone. */
static enum harness_status go_back(struct reducer *reducer)
{
    if (!harness_case_copy(reducer->best, reducer->sure))
        return harness_fail_memory(reducer->error);
    reducer->is_sure = true;
    reducer->symptom = reducer->sure_symptom;
    reducer->at.careful = true;
    reducer->at.cursor = (struct reduce_cursor){ .round = 0 };
    reducer->at.round_accepted = 0;
    memset(reducer->cache, 0, sizeof reducer->cache);
    const enum harness_status status = update_digest(reducer);
    if (status == HARNESS_OK && reducer->keeps_blame && !take_moment(reducer, 0))
        return harness_fail_memory(reducer->error);
    return status;
}

/* Tries the best case alone. If it does not show its symptom, goes back to the last one that did (*back). */
static enum harness_status make_sure(struct reducer *reducer, bool *back)
{
    struct harness_symptom symptom;
    *back = false;
    if (reducer->options->probe.test != NULL)
        return HARNESS_OK;
    harness_probe_renew(reducer->probe, 0);
    const enum harness_status status =
        harness_probe_try(reducer->probe, reducer->best, false, &symptom, reducer->error);
    if (status != HARNESS_OK)
        return status;
    reducer->sure_tried = reducer->at.tried;
    *back = !harness_symptom_survives(&reducer->symptom, &symptom, reducer->options->any);
    if (*back)
        return go_back(reducer);
    reducer->is_sure = true;
    reducer->sure_symptom = reducer->symptom;
    return harness_case_copy(reducer->sure, reducer->best) ? HARNESS_OK : harness_fail_memory(reducer->error);
}

static enum harness_status run_rounds(struct reducer *reducer)
{
    while (!reducer->stopped && reducer->at.cursor.round < MAX_ROUNDS) {
        bool end = false, back = false, slipped = false;
        const bool was_careful = reducer->at.careful;
        enum harness_status status = advance(reducer, &end);
        const bool check = !reducer->stopped && (end || is_check_due(reducer));
        if (status == HARNESS_OK && (check || (is_blame_due(reducer) && !reducer->stopped)))
            status = check_blame(reducer, &slipped);
        if (status == HARNESS_OK && slipped)
            continue;
        if (status == HARNESS_OK && check)
            status = make_sure(reducer, &back);
        /* A case that fails alone although each change was tried alone is flaky: the case of the check before stays,
         * and reduction ends. */
        if (status != HARNESS_OK || (back && was_careful) || (end && !back && reducer->at.round_accepted == 0))
            return status;
        if (!end || back)
            continue;
        reducer->at.cursor = (struct reduce_cursor){ .round = reducer->at.cursor.round + 1 };
        reducer->at.round_accepted = 0;
    }
    return HARNESS_OK;
}

/* Is anything wrong with the case at all? The symptom found here must survive. */
static enum harness_status first_try(struct reducer *reducer)
{
    const enum harness_status status =
        harness_probe_try(reducer->probe, reducer->best, false, &reducer->symptom, reducer->error);
    if (status != HARNESS_OK || harness_outcome_is_finding(reducer->symptom.kind) ||
        (reducer->options->agreeing && reducer->symptom.kind == HARNESS_AGREE))
        return status;
    if (reducer->symptom.kind == HARNESS_TROUBLE)
        return harness_fail(reducer->error, HARNESS_HOST, "%s", reducer->symptom.detail);
    if (reducer->symptom.kind == HARNESS_NOT_TESTED)
        return harness_fail(reducer->error, HARNESS_BAD_INPUT, "not tested: %s", reducer->symptom.detail);
    return harness_fail(reducer->error, HARNESS_BAD_INPUT, "%s",
                        reducer->options->probe.test != NULL ? "the test does not call the case interesting (exit 0)"
                        : reducer->options->probe.backend_count == 1
                            ? "nothing is wrong with the case: one backend alone can only crash or hang"
                            : "nothing is wrong with the case: the backends agree");
}

/* For a resumed case that does not show its symptom alone: begins again, carefully, from the sure case, or else from
 * the original case. */
static enum harness_status begin_again(struct reducer *reducer, const struct harness_case *test_case,
                                       const struct harness_case **from)
{
    const struct harness_case *const starts[] = { reducer->sure, test_case };
    enum harness_status status = HARNESS_BAD_INPUT;
    for (size_t i = 0; status == HARNESS_BAD_INPUT && i < sizeof starts / sizeof starts[0]; i++) {
        *from = starts[i];
        if (!harness_case_copy(reducer->best, starts[i]))
            return harness_fail_memory(reducer->error);
        harness_probe_renew(reducer->probe, 0);
        status = first_try(reducer);
    }
    reducer->at.careful = true;
    reducer->at.cursor = (struct reduce_cursor){ .round = 0 };
    reducer->at.round_accepted = 0;
    return status;
}

/*
 * Finds the blame of the original case, which must stay the same. A resumed case must have it, too; if it has not (a
 * backend keeps something, or is another version), reduction begins again.
 */
static enum harness_status take_blame(struct reducer *reducer, const struct harness_case *test_case,
                                      struct harness_reduce_result *result)
{
    const struct harness_reduce_options *const options = reducer->options;
    struct harness_symptom symptom;
    if (options->verdict_alone || options->any || reducer->symptom.kind != HARNESS_DIVERGE)
        return HARNESS_OK;
    enum harness_status status = explain(reducer, test_case, &symptom);
    reducer->blame = *harness_probe_blame(reducer->probe);
    const bool diverges = status == HARNESS_OK && symptom.kind == HARNESS_DIVERGE;
    reducer->keeps_blame = diverges && (is_known(&reducer->blame) || is_late(&reducer->blame));
    result->blame_unknown = !reducer->keeps_blame;
    bool same = true;
    if (reducer->keeps_blame && result->resumed)
        status = ask_blame(reducer, reducer->best, &same);
    if (status != HARNESS_OK || same)
        return status;
    result->resumed = false;
    reducer->at.cursor = (struct reduce_cursor){ .round = 0 };
    reducer->at.round_accepted = 0;
    if (!harness_case_copy(reducer->best, test_case))
        return harness_fail_memory(reducer->error);
    return first_try(reducer);
}

/* The first verdict, on a case that shows its symptom alone. */
static enum harness_status begin_sure(struct reducer *reducer, const struct harness_case *test_case,
                                      struct harness_reduce_result *result)
{
    const struct harness_case *from = NULL;
    enum harness_status status = first_try(reducer);
    if (status == HARNESS_BAD_INPUT && result->resumed) {
        status = begin_again(reducer, test_case, &from);
        result->resumed = from != test_case;
    }
    if (status == HARNESS_OK)
        status = take_blame(reducer, test_case, result);
    if (status == HARNESS_OK)
        status = update_digest(reducer);
    if (status != HARNESS_OK)
        return status;
    if (reducer->at.blame_after == 0 || reducer->at.blame_after > MOST_UNBLAMED) /* the file is not trusted */
        reducer->at.blame_after = MOST_UNBLAMED;
    if (reducer->keeps_blame && !take_moment(reducer, 0))
        return harness_fail_memory(reducer->error);
    reducer->is_sure = true;
    reducer->sure_symptom = reducer->symptom;
    reducer->first_tried = reducer->sure_tried = reducer->at.tried;
    return harness_case_copy(reducer->sure, reducer->best) ? HARNESS_OK : harness_fail_memory(reducer->error);
}

/* Sets up the case, the state on disk and the workers. */
static enum harness_status begin(struct reducer *reducer, const struct harness_case *test_case,
                                 struct harness_probe_options *probe_options, struct harness_reduce_result *result)
{
    const struct harness_reduce_options *const options = reducer->options;
    reducer->best = harness_case_clone(test_case);
    reducer->sure = harness_case_clone(test_case);
    if (reducer->best == NULL || reducer->sure == NULL || !create_attempts(reducer))
        return harness_fail_memory(reducer->error);
    reducer->at.first_bytes = harness_case_bytes(test_case);
    reducer->at.first_writes = harness_case_writes(test_case);
    enum harness_status status = harness_case_setup(test_case, reducer->attempts[0].program, reducer->error);
    if (status != HARNESS_OK)
        return status;
    probe_options->case_bytes = 2 * harness_probe_size(reducer->attempts[0].program) + HARNESS_PCB_USUAL_WINDOW;
    const struct reduce_cases cases = { .best = reducer->best, .sure = reducer->sure };
    result->resumed = options->state_path != NULL &&
                      harness_reduce_restore(options->state_path, options->identity, &reducer->at, &cases);
    status = harness_probe_create(probe_options, &reducer->probe, reducer->error);
    return status == HARNESS_OK ? begin_sure(reducer, test_case, result) : status;
}

/* Fills the result for the reduced case. */
static enum harness_status finish(struct reducer *reducer, struct harness_case *test_case,
                                  struct harness_reduce_result *result)
{
    bool back = false;
    /* Without a plan, the search for the cause runs and explains the case anyway. */
    const bool explains = reducer->options->plan != NULL && harness_outcome_is_finding(reducer->symptom.kind);
    enum harness_status status = check_blame(reducer, &back);
    if (status == HARNESS_OK && reducer->stopped && !reducer->is_sure)
        status = make_sure(reducer, &back);
    if (status == HARNESS_OK && reducer->options->probe.test == NULL)
        harness_probe_renew(reducer->probe, 0);
    if (status == HARNESS_OK)
        status = harness_probe_try(reducer->probe, reducer->best, explains, &result->symptom, reducer->error);
    if (status == HARNESS_OK && reducer->options->plan == NULL)
        status = harness_cause_find(reducer->probe, reducer->best, &result->symptom, &result->cause, reducer->error);
    if (status != HARNESS_OK)
        return status;
    if (explains)
        result->cause.blame = *harness_probe_blame(reducer->probe);
    memcpy(result->message, harness_probe_comparison(reducer->probe)->report.message, sizeof result->message);
    fill_progress(reducer);
    result->progress = reducer->progress;
    memcpy(result->turns, reducer->turns, sizeof result->turns);
    result->complete = !reducer->stopped;
    if (!harness_case_copy(test_case, reducer->best))
        return harness_fail_memory(reducer->error);
    return result->complete ? HARNESS_OK : save(reducer);
}

enum harness_status harness_reduce(struct harness_case *test_case, const struct harness_reduce_options *options,
                                   struct harness_reduce_result *result, struct harness_error *error)
{
    memset(result, 0, sizeof *result);
    struct harness_probe_options probe_options = options->probe;
    struct reducer *const reducer = calloc(1, sizeof *reducer);
    if (reducer == NULL)
        return harness_fail_memory(error);
    reducer->options = options;
    reducer->error = error;
    reducer->start = harness_seconds_now();
    enum harness_status status = begin(reducer, test_case, &probe_options, result);
    result->symptom = reducer->symptom;
    if (status == HARNESS_OK)
        status = run_rounds(reducer);
    if (status == HARNESS_OK)
        status = finish(reducer, test_case, result);
    harness_probe_destroy(reducer->probe);
    destroy_attempts(reducer);
    harness_case_destroy(reducer->best);
    harness_case_destroy(reducer->sure);
    for (uint32_t i = 0; i <= MOST_UNBLAMED; i++)
        harness_case_destroy(reducer->moments[i].test_case);
    free(reducer);
    return status;
}
