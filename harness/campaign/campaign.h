/*
 * A fuzzing engine, started on one fuzz target as its documentation says; what the target fails on is handed to a hunt,
 * which judges, reduces and files it (harness/hunt). libFuzzer is the target itself; AFL++ is afl-fuzz, with a
 * directory of its own, CORPUS-afl.
 *
 * The engine writes corpus and failing inputs itself, as it finds them: whoever is killed, the next campaign in these
 * directories goes on with what is there. Several processes, on one machine or many, are the engine's own affair
 * (docs/hunting-for-weeks.md).
 */
#ifndef HARNESS_CAMPAIGN_CAMPAIGN_H
#define HARNESS_CAMPAIGN_CAMPAIGN_H

#include "harness/hunt/hunt.h"

enum {
    HARNESS_CAMPAIGN_PATH_SIZE = 1024
};

enum harness_engine {
    HARNESS_ENGINE_LIBFUZZER = 0,
    HARNESS_ENGINE_AFL = 1
};

/* What runs if it is not the linked two; the target gets the names (harness/targets/fuzz_pair.c). */
struct harness_campaign_backends {
    const char *names;         /* "reference,./libmygpu.so"; NULL: reference and fast */
    const char *only, *ignore; /* names with commas between them; NULL: none */
    const char *quirks_path;   /* NULL: none */
    const char *force;         /* statements with newlines between them; NULL: none */
};

struct harness_campaign_options {
    enum harness_engine engine;
    struct harness_campaign_backends backends;
    const char *target;     /* path of the fuzz target, built for that engine */
    const char *dictionary; /* for bytewise mutations by libFuzzer; NULL = none */
    const char *mutator;    /* AFL++: path of the custom mutator */
    const char *corpus;     /* directory: inputs that the fuzzer keeps, read and written */
    const char *findings;   /* directory */
    unsigned seconds;       /* 0 = until stopped */
    uint32_t executions;    /* as the target counts them, after which it ends; 0 = never */
    uint32_t seed;          /* 0 = the engine's choice */
    bool peel;              /* the target leaves out what FINDINGS/peel knows */
    uint32_t plain;         /* percent of generated operations with values that programs send; 0 = as always */
    uint32_t threads;       /* worker threads of each backend */
    uint32_t capacity;      /* the same of the entries of queues and caches */
};

struct harness_campaign;

/* Nothing runs yet. NULL, and `error`: no memory to share. `options` are borrowed. */
struct harness_campaign *harness_campaign_create(const struct harness_campaign_options *options,
                                                 struct harness_error *error);

/* Ends the engine, if it runs. */
void harness_campaign_destroy(struct harness_campaign *campaign); /* accepts NULL */

/* What it finds, for a hunt. */
const struct harness_hunt_source *harness_campaign_source(const struct harness_campaign *campaign);

/* Files in the corpus directory; failing inputs that lie in the findings directory and wait for the next campaign. */
uint64_t harness_campaign_inputs(const struct harness_campaign *campaign);
uint64_t harness_campaign_left(const struct harness_campaign *campaign);

/* Puts a case file (any format) into the corpus directory as NAME.pcb. HARNESS_TOO_LARGE if it does not fit. */
enum harness_status harness_campaign_add_seed(const struct harness_campaign_options *options, const char *path,
                                              struct harness_error *error);

#endif
