/*
 * A fuzzing engine, started on one fuzz target as the engine's documentation says. The inputs on which the target fails
 * are given to a hunt, which judges, reduces and files them (harness/hunt). With libFuzzer the target contains the
 * engine; with AFL++ the engine is afl-fuzz, which has a directory of its own, CORPUS-afl.
 *
 * The engine writes corpus and failing inputs itself, as it finds them. So if any of the processes is killed, the next
 * campaign in the same directories continues from what is there. Running several processes, on one machine or many, is
 * left to the engine (docs/hunting-for-weeks.md).
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

/* Which backends run, if not the two that are linked in. They are passed to the target by name
 * (harness/targets/fuzz_pair.c). */
struct harness_campaign_backends {
    const char *names;         /* "reference,./libmygpu.so"; NULL: reference and fast */
    const char *only, *ignore; /* names with commas between them; NULL: none */
    const char *quirks_path;   /* NULL: none */
    const char *force;         /* statements with newlines between them; NULL: none */
};

struct harness_campaign_options {
    enum harness_engine engine;
    struct harness_campaign_backends backends;
    const char *target;   /* path of the fuzz target, built for that engine */
    const char *mutator;  /* AFL++: path of the custom mutator */
    const char *corpus;   /* directory of the inputs that the engine keeps, read and written */
    const char *findings; /* directory */
    unsigned seconds;     /* 0 = until stopped */
    uint32_t executions;  /* the campaign ends after so many, as the target counts them; 0 = no limit */
    uint32_t seed;        /* 0 = the engine's choice */
    bool peel;            /* the target avoids the causes that the hunt knows, in FINDINGS/peel */
    uint32_t plain;       /* percent of generated operations with only values that programs send; 0 = default */
    uint32_t threads;     /* worker threads of each backend; 0 = none */
    uint32_t capacity;    /* entries of each queue and cache of a backend, at most; 0 = default */
};

struct harness_campaign;

/* Starts no process yet. NULL, with the reason in `error`, if memory cannot be had or shared. `options` is borrowed
 * until harness_campaign_destroy. */
struct harness_campaign *harness_campaign_create(const struct harness_campaign_options *options,
                                                 struct harness_error *error);

/* Kills the engine if it runs. */
void harness_campaign_destroy(struct harness_campaign *campaign); /* accepts NULL */

/* The source through which a hunt gets the findings; owned by the campaign. */
const struct harness_hunt_source *harness_campaign_source(const struct harness_campaign *campaign);

/* The number of files in the corpus directory, and of failing inputs that are left in place for the next campaign to
 * judge. */
uint64_t harness_campaign_inputs(const struct harness_campaign *campaign);
uint64_t harness_campaign_left(const struct harness_campaign *campaign);

/* Puts a case file (any format) into the corpus directory as NAME.pcb. HARNESS_TOO_LARGE if it does not fit into an
 * input. */
enum harness_status harness_campaign_add_seed(const struct harness_campaign_options *options, const char *path,
                                              struct harness_error *error);

#endif
