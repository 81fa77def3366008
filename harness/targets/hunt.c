#include "harness/targets/hunt.h"

#include "harness/cli/options.h"
#include "harness/case/formats.h"
#include "harness/peel/hunter.h"
#include "harness/run/backends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    NAMES_SIZE = 4096,
    FORCE_SIZE = 256,    /* of a statement */
    CASE_MS = 1000,      /* processor time of a call to a backend in a process of its own */
    CASE_WALL_MS = 6000, /* and by the clock: it may sleep, and other work may have the machine */
    LOOK_EVERY = 256     /* inputs between two looks at the file of causes while nothing fails */
};

struct hunt {
    struct harness_backend backends[HARNESS_PAIR_MOST];
    size_t count; /* 0: the linked two */
    struct harness_hunter_options options;
    struct harness_hunter *hunter;
    struct harness_case *test_case;
    struct harness_quirks *quirks; /* NULL: none */
    const char *peel_path;         /* NULL: nothing is known */
    struct stat peel_seen;
    uint32_t inputs;
    uint64_t most_executions; /* 0: any number */
    struct harness_pair_statistics *statistics, own;
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

static void read_machine(struct hunt *hunt)
{
    const char *const threads = getenv("PICAFUZZ_THREADS"), *const capacity = getenv("PICAFUZZ_CAPACITY");
    struct harness_pair_options *const pair = &hunt->options.pair;
    pair->instruction_sets = UINT32_MAX;
    pair->threads = threads != NULL ? (uint32_t)strtoul(threads, NULL, 10) : 0;
    pair->capacity = capacity != NULL ? (uint32_t)strtoul(capacity, NULL, 10) : 0;
}

static enum harness_status make_hunter(struct hunt *hunt, struct harness_error *error)
{
    hunt->options.pair.statistics = hunt->statistics;
    hunt->options.pair.backends = hunt->count != 0 ? hunt->backends : NULL;
    hunt->options.pair.backend_count = hunt->count;
    hunt->options.quirks = hunt->quirks;
    hunt->options.confirms = true;
    hunt->hunter = harness_hunter_create(&hunt->options);
    hunt->test_case = harness_case_create();
    return hunt->hunter != NULL && hunt->test_case != NULL ? HARNESS_OK : harness_fail_memory(error);
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
    read_machine(hunt);
    if (status == HARNESS_OK)
        status = make_hunter(hunt, error);
    if (status == HARNESS_OK)
        return hunt;
    hunt_destroy(hunt);
    return NULL;
}

void hunt_destroy(struct hunt *hunt)
{
    if (hunt == NULL)
        return;
    harness_hunter_destroy(hunt->hunter);
    for (size_t i = 0; i < hunt->count; i++)
        harness_backend_close(&hunt->backends[i]);
    harness_quirks_destroy(hunt->quirks);
    harness_case_destroy(hunt->test_case);
    free(hunt);
}

struct harness_pair *hunt_pair(struct hunt *hunt)
{
    return harness_hunter_pair(hunt->hunter);
}

const struct harness_backend *hunt_backends(const struct hunt *hunt, size_t *count)
{
    *count = hunt->count;
    return hunt->backends;
}

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
        *harness_hunter_peel(hunt->hunter) = *read;
    free(read);
}

bool hunt_is_over(const struct hunt *hunt)
{
    return hunt->most_executions != 0 && hunt->statistics->executions >= hunt->most_executions;
}

enum harness_outcome hunt_run(struct hunt *hunt, const uint8_t *bytes, size_t size)
{
    harness_case_reset(hunt->test_case);
    if (!harness_pcb_decode(hunt->test_case, bytes, size))
        return HARNESS_TROUBLE;
    if (hunt->inputs++ % LOOK_EVERY == 0)
        look_at_causes(hunt);
    const enum harness_outcome outcome = harness_hunter_run(hunt->hunter, hunt->test_case);
    if (harness_outcome_is_finding(outcome))
        look_at_causes(hunt);
    return outcome;
}

const char *hunt_message(const struct hunt *hunt)
{
    return harness_hunter_message(hunt->hunter);
}
