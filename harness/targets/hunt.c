#include "harness/targets/hunt.h"

#include "harness/case/formats.h"
#include "harness/run/backends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAMES_SIZE = 4096,
    KEY_SIZE = 200,
    CASE_MS = 1000,     /* processor time of a call to a backend in a process of its own */
    CASE_WALL_MS = 6000 /* and by the clock: it may sleep, and other work may have the machine */
};

struct hunt {
    struct harness_backend backends[HARNESS_PAIR_MOST];
    size_t count; /* 0: the linked two */
    struct harness_pair_options options;
    struct harness_pair *pair; /* NULL: not started yet */
    struct harness_case *test_case;
    const char *kind;
    char key[KEY_SIZE];
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
    harness_backend_limit(backend, CASE_MS, CASE_WALL_MS);
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
    while (status == HARNESS_OK && rest != NULL) {
        char *const name = rest;
        rest = strchr(name, ',');
        if (rest != NULL)
            *rest++ = '\0';
        status = open_one(hunt, name, error);
    }
    if (status == HARNESS_OK && hunt->count < 2)
        status =
            harness_fail(error, HARNESS_BAD_INPUT, "PICAFUZZ_BACKENDS: '%s' is one backend, two are compared", list);
    return status;
}

struct hunt *hunt_create(struct harness_pair_statistics *statistics, struct harness_error *error)
{
    struct hunt *const hunt = calloc(1, sizeof *hunt);
    if (hunt == NULL)
        return NULL;
    const char *const names = getenv("PICAFUZZ_BACKENDS");
    enum harness_status status = names != NULL ? open_backends(hunt, names, error) : HARNESS_OK;
    hunt->options = (struct harness_pair_options){ .instruction_sets = UINT32_MAX,
                                                   .measure = true,
                                                   .statistics = statistics,
                                                   .backends = hunt->count != 0 ? hunt->backends : NULL,
                                                   .backend_count = hunt->count };
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
    harness_case_destroy(hunt->test_case);
    free(hunt);
}

struct harness_pair *hunt_pair(struct hunt *hunt)
{
    if (hunt->pair == NULL)
        hunt->pair = harness_pair_create(&hunt->options);
    return hunt->pair;
}

/* Our own two are told apart by what the oracles name; of others nearly all is memory, so its place counts, too. */
static void name_finding(struct hunt *hunt, enum harness_outcome outcome)
{
    const char *const place = harness_pair_place(hunt->pair);
    const bool has_place = hunt->count != 0 && outcome == HARNESS_DIFFERENT && place[0] != '\0';
    hunt->kind = outcome == HARNESS_DIED ? "died" : "differ";
    (void)snprintf(hunt->key, sizeof hunt->key, "%s%s%s", harness_pair_key(hunt->pair), has_place ? ": " : "",
                   has_place ? place : "");
}

enum harness_outcome hunt_run(struct hunt *hunt, const uint8_t *bytes, size_t size)
{
    struct harness_pair *const pair = hunt_pair(hunt);
    harness_case_reset(hunt->test_case);
    if (pair == NULL || !harness_pcb_decode(hunt->test_case, bytes, size))
        return HARNESS_HOST_TROUBLE;
    enum harness_outcome outcome = harness_pair_try(pair, hunt->test_case);
    if (outcome == HARNESS_DIFFERENT)
        outcome = harness_pair_explain(pair);
    if (outcome == HARNESS_DIFFERENT || outcome == HARNESS_DIED)
        name_finding(hunt, outcome);
    return outcome;
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
    return harness_pair_message(hunt->pair);
}
