#include "harness/peel/hunter.h"

#include "harness/run/crash_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FIRST_LOOK = 8
};

_Static_assert((int)HARNESS_PEEL_MOST <= (int)HARNESS_PAIR_CAUSES, "causes are counted by their number");

struct harness_hunter {
    struct harness_hunter_options options;
    struct harness_pair_statistics own, *statistics;
    struct harness_pair *pair; /* NULL: the backends were not started yet */
    struct harness_peel peel;
    const char *kind;
    char key[HARNESS_HUNTER_KEY];
    bool is_unstable; /* the last finding was unstable */
    bool is_known;    /* the last case showed nothing but a known cause */
};

struct harness_hunter *harness_hunter_create(const struct harness_hunter_options *options)
{
    struct harness_hunter *const hunter = calloc(1, sizeof *hunter);
    if (hunter == NULL)
        return NULL;
    hunter->options = *options;
    hunter->statistics = options->pair.statistics != NULL ? options->pair.statistics : &hunter->own;
    hunter->options.pair.statistics = hunter->statistics;
    hunter->options.pair.measure = true;
    hunter->kind = "";
    return hunter;
}

void harness_hunter_destroy(struct harness_hunter *hunter)
{
    if (hunter == NULL)
        return;
    harness_pair_destroy(hunter->pair);
    free(hunter);
}

struct harness_pair *harness_hunter_pair(struct harness_hunter *hunter)
{
    if (hunter->pair == NULL)
        hunter->pair = harness_pair_create(&hunter->options.pair);
    return hunter->pair;
}

struct harness_peel *harness_hunter_peel(struct harness_hunter *hunter)
{
    return &hunter->peel;
}

/* ------------------------------------------------------------------------------------------------- how it is called */

/* Empties the stderr file before each run: what an earlier case printed must not name the place of a crash, and the
 * file must not grow without end. */
static void forget_words(const struct harness_hunter *hunter)
{
    struct stat file = { .st_size = 0 };
    if (hunter->options.said == 0 || fstat(hunter->options.said, &file) != 0 || file.st_size == 0)
        return;
    (void)ftruncate(hunter->options.said, 0);
    (void)lseek(hunter->options.said, 0, SEEK_SET);
}

/* Findings of our own two backends are distinguished by what the oracles name. With other backends nearly every
 * difference is in memory, so its place is part of the key, too. */
static void name_finding(struct harness_hunter *hunter, enum harness_outcome outcome)
{
    const char *const place = harness_pair_place(hunter->pair);
    const bool has_place = hunter->options.pair.backends != NULL && outcome == HARNESS_DIVERGE && place[0] != '\0';
    struct harness_crash_place crash;
    hunter->kind = harness_outcome_died(outcome) ? "died" : "differ";
    if (outcome == HARNESS_CRASH && harness_crash_find_in(hunter->options.said, &crash)) /* whatever the signal */
        (void)snprintf(hunter->key, sizeof hunter->key, "in %s+0x%x", crash.name, (unsigned)crash.offset);
    else
        (void)snprintf(hunter->key, sizeof hunter->key, "%s%s%s", harness_pair_key(hunter->pair), has_place ? ": " : "",
                       has_place ? place : "");
}

bool harness_hunter_knows(const struct harness_hunter *hunter)
{
    return hunter->is_known;
}

const char *harness_hunter_kind(const struct harness_hunter *hunter)
{
    return hunter->kind;
}

const char *harness_hunter_key(const struct harness_hunter *hunter)
{
    return hunter->key;
}

const char *harness_hunter_message(const struct harness_hunter *hunter)
{
    return hunter->is_unstable ? "unstable: a backend showed something that it does not show in a fresh process\n"
                               : harness_pair_message(hunter->pair);
}

/* --------------------------------------------------------------------------------------------------- what is known */

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* Rewrites the case by the known differences. False: it is not tested, because the quirks file excludes it or this
 * failed. */
static bool apply_quirks(struct harness_hunter *hunter, struct harness_case *test_case)
{
    struct harness_quirks_result result;
    if (hunter->options.quirks == NULL)
        return true;
    harness_bound_case(test_case);
    if (harness_quirks_apply(hunter->options.quirks, test_case, &result) != HARNESS_OK)
        return false;
    hunter->statistics->forced += result.forced != 0;
    if (result.without == NULL)
        return true;
    hunter->statistics->executions++;
    hunter->statistics->not_tested++;
    hunter->statistics->left_out++;
    return false;
}

/* Frees the case of the causes that kill a backend, since each death costs a new process. Other causes are removed only
 * after a difference was seen (try_without). False without memory. */
static bool avoid(struct harness_hunter *hunter, struct harness_case *test_case)
{
    struct harness_peeled peeled;
    if (!harness_peel_free(&hunter->peel, true, test_case, &peeled))
        return false;
    hunter->statistics->avoided += peeled.count != 0;
    return true;
}

static enum harness_outcome try_case(struct harness_hunter *hunter, struct harness_case *test_case)
{
    forget_words(hunter);
    return harness_pair_try(hunter->pair, test_case);
}

/* Runs the case again without the known causes, if it has the needs of any: is there still a difference? If not, the
 * case is counted for the first of them. */
static enum harness_outcome try_without(struct harness_hunter *hunter, struct harness_case *test_case,
                                        enum harness_outcome outcome)
{
    struct harness_peeled peeled;
    if (!harness_peel_free(&hunter->peel, false, test_case, &peeled) || peeled.count == 0)
        return outcome;
    outcome = try_case(hunter, test_case);
    hunter->statistics->executions--; /* the same input */
    hunter->is_known = outcome == HARNESS_AGREE || outcome == HARNESS_NOT_TESTED;
    hunter->statistics->known[peeled.first] += hunter->is_known;
    return outcome;
}

/* Does the finding look like a known cause? A sign is weak evidence, because another cause may look the same. So such a
 * finding counts as the known cause, except the 8th, 16th, 32nd ..., which are examined. */
static bool is_counted_by_sign(struct harness_hunter *hunter)
{
    const int known = harness_peel_find_sign(&hunter->peel, hunter->kind, hunter->key);
    if (known < 0)
        return false;
    const uint64_t seen = ++hunter->statistics->by_sign[known];
    if (seen >= FIRST_LOOK && is_power_of_two(seen))
        return false;
    hunter->statistics->known[known]++;
    hunter->is_known = true;
    return true;
}

/* Runs a finding again in fresh processes of the backends. One that then shows nothing is unstable: it came from state
 * kept between cases, or from memory that was never written, and not from this case. The 1st, 2nd, 4th, 8th ...
 * unstable one is reported as a finding, so that people learn of it. */
static enum harness_outcome try_afresh(struct harness_hunter *hunter, struct harness_case *test_case,
                                       enum harness_outcome outcome)
{
    const bool seen =
        hunter->options.has_seen != NULL && hunter->options.has_seen(hunter->options.seen, hunter->kind, hunter->key);
    if (!hunter->options.confirms || seen || !harness_pair_renew(hunter->pair))
        return outcome;
    enum harness_outcome again = try_case(hunter, test_case);
    hunter->statistics->executions--; /* the same input */
    if (again == HARNESS_DIVERGE)
        again = harness_pair_explain(hunter->pair);
    if (harness_outcome_is_finding(again)) {
        name_finding(hunter, again);
        return again;
    }
    hunter->is_unstable = true;
    hunter->kind = "unstable";
    return is_power_of_two(++hunter->statistics->unstable) ? outcome : HARNESS_AGREE;
}

enum harness_outcome harness_hunter_run(struct harness_hunter *hunter, struct harness_case *test_case)
{
    struct harness_pair *const pair = harness_hunter_pair(hunter);
    hunter->is_unstable = hunter->is_known = false;
    if (pair == NULL)
        return HARNESS_TROUBLE;
    (void)harness_backends_fit_profile(hunter->options.pair.backends, hunter->options.pair.backend_count, test_case);
    if (!apply_quirks(hunter, test_case))
        return HARNESS_NOT_TESTED;
    if (!avoid(hunter, test_case))
        return HARNESS_TROUBLE;
    enum harness_outcome outcome = try_case(hunter, test_case);
    if (harness_outcome_is_finding(outcome))
        outcome = try_without(hunter, test_case, outcome);
    if (outcome == HARNESS_DIVERGE)
        outcome = harness_pair_explain(pair);
    if (!harness_outcome_is_finding(outcome))
        return outcome;
    name_finding(hunter, outcome);
    return is_counted_by_sign(hunter) ? HARNESS_AGREE : try_afresh(hunter, test_case, outcome);
}
