#include "harness/targets/hunt.h"

#include "harness/cli/options.h"
#include "harness/case/formats.h"
#include "harness/peel/peel.h"
#include "harness/quirks/quirks.h"
#include "harness/run/backends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    NAMES_SIZE = 4096,
    FORCE_SIZE = 256, /* of a statement */
    KEY_SIZE = 200,
    CASE_MS = 1000,      /* processor time of a call to a backend in a process of its own */
    CASE_WALL_MS = 6000, /* and by the clock: it may sleep, and other work may have the machine */
    FIRST_LOOK = 8,
    LOOK_EVERY = 256 /* inputs between two looks at the file of causes while nothing fails */
};

_Static_assert((int)HARNESS_PEEL_MOST <= (int)HARNESS_PAIR_CAUSES, "causes are counted by their number");

struct hunt {
    struct harness_backend backends[HARNESS_PAIR_MOST];
    size_t count; /* 0: the linked two */
    struct harness_pair_options options;
    struct harness_pair *pair; /* NULL: not started yet */
    struct harness_case *test_case;
    struct harness_quirks *quirks; /* NULL: none */
    const char *peel_path;         /* NULL: nothing is known */
    struct stat peel_seen;
    struct harness_peel peel;
    uint32_t inputs;
    uint64_t most_executions; /* 0: any number */
    struct harness_pair_statistics *statistics, own;
    const char *kind;
    char key[KEY_SIZE];
    bool is_unstable; /* the last finding */
    bool is_float24;  /* every case is */
};

static enum harness_status open_one(struct hunt *hunt, const char *name, struct harness_error *error)
{
    if (hunt->count == HARNESS_PAIR_MOST)
        return harness_fail(error, HARNESS_BAD_INPUT, "PICAFUZZ_BACKENDS: more than %d backends", HARNESS_PAIR_MOST);
    struct harness_backend *const backend = &hunt->backends[hunt->count];
    const enum harness_status status = harness_backend_open(name, backend, error);
    if (status != HARNESS_OK)
        return status;
    hunt->count++;
    harness_backend_keep_memory(backend, 1);
    harness_backend_limit(backend, CASE_MS, CASE_WALL_MS);
    if (hunt->quirks != NULL && !oracle_tolerance_is_none(&hunt->quirks->tolerance))
        harness_backend_tolerate(backend, &hunt->quirks->tolerance);
    return harness_backend_restrict_to(backend, getenv("PICAFUZZ_ONLY"), getenv("PICAFUZZ_IGNORE"), error);
}

/* The names are cut out of a copy: the engine may still want its environment. */
static enum harness_status open_backends(struct hunt *hunt, const char *list, struct harness_error *error)
{
    char names[NAMES_SIZE];
    if (strlen(list) >= sizeof names)
        return harness_fail(error, HARNESS_BAD_INPUT, "PICAFUZZ_BACKENDS: too long");
    (void)snprintf(names, sizeof names, "%s", list);
    enum harness_status status = HARNESS_OK;
    char *rest = names;
    while (status == HARNESS_OK && rest != NULL)
        status = open_one(hunt, cli_backends_next(&rest), error);
    if (status == HARNESS_OK && hunt->count < 2)
        status =
            harness_fail(error, HARNESS_BAD_INPUT, "PICAFUZZ_BACKENDS: '%s' is one backend, two are compared", list);
    return status;
}

/* Each line of the text. */
static enum harness_status add_force(struct harness_force *force, const char *text, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    for (size_t length; status == HARNESS_OK && *text != '\0'; text += length + (text[length] == '\n')) {
        char statement[FORCE_SIZE];
        length = strcspn(text, "\n");
        (void)snprintf(statement, sizeof statement, "%.*s", (int)length, text);
        if (length != 0)
            status = harness_force_add(force, statement, error);
    }
    return status;
}

static enum harness_status open_quirks(struct hunt *hunt, struct harness_error *error)
{
    const char *const path = getenv("PICAFUZZ_QUIRKS"), *const force = getenv("PICAFUZZ_FORCE");
    if (path == NULL && force == NULL)
        return HARNESS_OK;
    hunt->quirks = harness_quirks_create();
    if (hunt->quirks == NULL)
        return harness_fail_memory(error);
    const enum harness_status status = path != NULL ? harness_quirks_read(hunt->quirks, path, error) : HARNESS_OK;
    return status == HARNESS_OK && force != NULL ? add_force(&hunt->quirks->force, force, error) : status;
}

static enum harness_status read_machine(struct hunt *hunt, struct harness_error *error)
{
    const char *const threads = getenv("PICAFUZZ_THREADS"), *const sets = getenv("PICAFUZZ_INSTRUCTION_SETS");
    const char *const capacity = getenv("PICAFUZZ_CAPACITY");
    hunt->options.instruction_sets = UINT32_MAX;
    hunt->options.threads = threads != NULL ? (uint32_t)strtoul(threads, NULL, 10) : 0;
    hunt->options.capacity = capacity != NULL ? (uint32_t)strtoul(capacity, NULL, 10) : 0;
    hunt->is_float24 = getenv("PICAFUZZ_FLOAT24") != NULL;
    if (sets != NULL && !harness_instruction_set(sets, &hunt->options.instruction_sets))
        return harness_fail(error, HARNESS_BAD_INPUT, "PICAFUZZ_INSTRUCTION_SETS: there is no '%s'", sets);
    if (hunt->is_float24 && !harness_backends_take_float24(hunt->backends, hunt->count))
        return harness_fail(error, HARNESS_BAD_INPUT, "PICAFUZZ_FLOAT24: a backend does not take such cases");
    return HARNESS_OK;
}

struct hunt *hunt_create(struct harness_pair_statistics *statistics, struct harness_error *error)
{
    struct hunt *const hunt = calloc(1, sizeof *hunt);
    if (hunt == NULL)
        return NULL;
    const char *const names = getenv("PICAFUZZ_BACKENDS");
    enum harness_status status = open_quirks(hunt, error);
    if (status == HARNESS_OK && names != NULL)
        status = open_backends(hunt, names, error);
    hunt->statistics = statistics != NULL ? statistics : &hunt->own;
    hunt->peel_path = getenv("PICAFUZZ_PEEL");
    const char *const most = getenv("PICAFUZZ_EXECUTIONS");
    hunt->most_executions = most != NULL ? strtoull(most, NULL, 10) : 0;
    if (status == HARNESS_OK)
        status = read_machine(hunt, error);
    hunt->options.measure = true;
    hunt->options.statistics = hunt->statistics;
    hunt->options.backends = hunt->count != 0 ? hunt->backends : NULL;
    hunt->options.backend_count = hunt->count;
    hunt->test_case = harness_case_create();
    if (status == HARNESS_OK && hunt->test_case == NULL)
        status = harness_fail_memory(error);
    if (status == HARNESS_OK)
        return hunt;
    hunt_destroy(hunt);
    return NULL;
}

void hunt_destroy(struct hunt *hunt)
{
    if (hunt == NULL)
        return;
    harness_pair_destroy(hunt->pair);
    for (size_t i = 0; i < hunt->count; i++)
        harness_backend_close(&hunt->backends[i]);
    harness_quirks_destroy(hunt->quirks);
    harness_case_destroy(hunt->test_case);
    free(hunt);
}

struct harness_pair *hunt_pair(struct hunt *hunt)
{
    if (hunt->pair == NULL)
        hunt->pair = harness_pair_create(&hunt->options);
    return hunt->pair;
}

const struct harness_backend *hunt_backends(const struct hunt *hunt, size_t *count)
{
    *count = hunt->count;
    return hunt->backends;
}

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* Our own two are told apart by what the oracles name; of others nearly all is memory, so its place counts, too. */
static void name_finding(struct hunt *hunt, enum harness_outcome outcome)
{
    const char *const place = harness_pair_place(hunt->pair);
    const bool has_place = hunt->count != 0 && outcome == HARNESS_DIVERGE && place[0] != '\0';
    hunt->kind = harness_outcome_died(outcome) ? "died" : "differ";
    (void)snprintf(hunt->key, sizeof hunt->key, "%s%s%s", harness_pair_key(hunt->pair), has_place ? ": " : "",
                   has_place ? place : "");
}

/* ------------------------------------------------------------------------------------------------ what is known */

/* The campaign replaces the file with each cause that it finds. One that cannot be read leaves things as they are. */
static void look_at_causes(struct hunt *hunt)
{
    struct stat now;
    if (hunt->peel_path == NULL || stat(hunt->peel_path, &now) != 0 ||
        (now.st_ino == hunt->peel_seen.st_ino && now.st_size == hunt->peel_seen.st_size &&
         now.st_mtim.tv_sec == hunt->peel_seen.st_mtim.tv_sec &&
         now.st_mtim.tv_nsec == hunt->peel_seen.st_mtim.tv_nsec))
        return;
    hunt->peel_seen = now;
    struct harness_peel *const read = malloc(sizeof *read);
    if (read != NULL && harness_peel_read(hunt->peel_path, read, NULL) == HARNESS_OK)
        hunt->peel = *read;
    free(read);
}

/* What kills a backend costs a new process each time, so such causes are avoided; others are looked for afterwards. */
static bool avoid(struct hunt *hunt)
{
    struct harness_peeled peeled;
    if (hunt->inputs++ % LOOK_EVERY == 0)
        look_at_causes(hunt);
    if (!harness_peel_free(&hunt->peel, true, hunt->test_case, &peeled))
        return false;
    hunt->statistics->avoided += peeled.count != 0;
    return true;
}

/* Without the causes that are known, is there still a difference? */
static enum harness_outcome try_without(struct hunt *hunt, enum harness_outcome outcome)
{
    struct harness_peeled peeled;
    look_at_causes(hunt);
    if (!harness_peel_free(&hunt->peel, false, hunt->test_case, &peeled) || peeled.count == 0)
        return outcome;
    outcome = harness_pair_try(hunt->pair, hunt->test_case);
    hunt->statistics->executions--; /* the same input */
    if (outcome == HARNESS_AGREE || outcome == HARNESS_NOT_TESTED)
        hunt->statistics->known[peeled.first]++;
    return outcome;
}

/* ------------------------------------------------------------------------------------------------------ one input */

/* Rewrites the input by what is known. False: it is not tested. */
static bool apply_quirks(struct hunt *hunt)
{
    struct harness_quirks_result result;
    if (hunt->quirks == NULL)
        return true;
    harness_bound_case(hunt->test_case);
    if (harness_quirks_apply(hunt->quirks, hunt->test_case, &result) != HARNESS_OK)
        return false;
    hunt->statistics->forced += result.forced != 0;
    if (result.without == NULL)
        return true;
    hunt->statistics->executions++;
    hunt->statistics->not_tested++;
    return false;
}

/* A sign says little: another cause may look the same. So it counts as the known one but for the 8th, 16th, 32nd ...
 * time, when it is looked at. */
static bool is_counted_by_sign(struct hunt *hunt)
{
    const int known = harness_peel_find_sign(&hunt->peel, hunt->kind, hunt->key);
    if (known < 0)
        return false;
    const uint64_t seen = ++hunt->statistics->by_sign[known];
    if (seen >= FIRST_LOOK && is_power_of_two(seen))
        return false;
    hunt->statistics->known[known]++;
    return true;
}

/* What a process keeps from one case to the next, or reads though nobody wrote it, is no fault of this case: a finding
 * is what shows in a fresh process. Of others the 1st, 2nd, 4th, 8th ... is one, so that it is known. */
static enum harness_outcome try_afresh(struct hunt *hunt, enum harness_outcome outcome)
{
    if (!harness_pair_renew(hunt->pair))
        return outcome;
    enum harness_outcome again = harness_pair_try(hunt->pair, hunt->test_case);
    hunt->statistics->executions--; /* the same input */
    if (again == HARNESS_DIVERGE)
        again = harness_pair_explain(hunt->pair);
    if (harness_outcome_is_finding(again)) {
        name_finding(hunt, again);
        return again;
    }
    hunt->is_unstable = true;
    hunt->kind = "unstable";
    return is_power_of_two(++hunt->statistics->unstable) ? outcome : HARNESS_AGREE;
}

bool hunt_is_over(const struct hunt *hunt)
{
    return hunt->most_executions != 0 && hunt->statistics->executions >= hunt->most_executions;
}

enum harness_outcome hunt_run(struct hunt *hunt, const uint8_t *bytes, size_t size)
{
    struct harness_pair *const pair = hunt_pair(hunt);
    harness_case_reset(hunt->test_case);
    hunt->is_unstable = false;
    if (pair == NULL || !harness_pcb_decode(hunt->test_case, bytes, size))
        return HARNESS_TROUBLE;
    (void)harness_backends_fit_profile(hunt->backends, hunt->count, hunt->test_case);
    if (hunt->is_float24)
        hunt->test_case->profile = PICA_PROFILE_F24;
    if (!apply_quirks(hunt))
        return HARNESS_NOT_TESTED;
    if (!avoid(hunt))
        return HARNESS_TROUBLE;
    enum harness_outcome outcome = harness_pair_try(pair, hunt->test_case);
    if (harness_outcome_is_finding(outcome))
        outcome = try_without(hunt, outcome);
    if (outcome == HARNESS_DIVERGE)
        outcome = harness_pair_explain(pair);
    if (!harness_outcome_is_finding(outcome))
        return outcome;
    name_finding(hunt, outcome);
    return is_counted_by_sign(hunt) ? HARNESS_AGREE : try_afresh(hunt, outcome);
}

const char *hunt_kind(const struct hunt *hunt)
{
    return hunt->kind;
}

const char *hunt_key(const struct hunt *hunt)
{
    return hunt->key;
}

const char *hunt_message(const struct hunt *hunt)
{
    return hunt->is_unstable ? "unstable: a backend showed something that it does not show in a fresh process\n"
                             : harness_pair_message(hunt->pair);
}
