/* What the files of a campaign share. Private to harness/campaign. */
#ifndef HARNESS_CAMPAIGN_PARTS_H
#define HARNESS_CAMPAIGN_PARTS_H

#include "harness/campaign/campaign.h"
#include "harness/run/child.h"

enum {
    CAMPAIGN_SAID_SIZE = 16384,
    CAMPAIGN_PATH_SIZE = 2048
};

/* Text that a process said, cut where it is full. */
struct campaign_said {
    char text[CAMPAIGN_SAID_SIZE];
    size_t length;
    bool has_worked; /* it printed progress before */
    bool is_telling; /* the text begins with why it ends */
};

struct harness_campaign {
    const struct harness_campaign_options *options;
    const struct campaign_engine *engine;
    struct harness_hunt_source source;
    struct harness_error *error;                /* of the call that is made now */
    struct harness_pair_statistics *statistics; /* shared with the target */
    int statistics_file;                        /* -1: none */
    char statistics_path[64];                   /* by which the target opens it */
    char log_path[HARNESS_CAMPAIGN_PATH_SIZE];  /* FINDINGS/engine.log: what the engine that started last said */
    struct campaign_said said;                  /* by the one that ended last */
    struct harness_child child;                 /* the engine, while it runs */
    unsigned starts;                            /* processes that it had, with this one */
    double start, looked;                       /* of the campaign; the last look at what the engine left */
    double dismissed;                           /* when the engine was asked to end; 0: it was not */
    bool urged;                                 /* it did not, and was asked by SIGINT */
    bool is_prepared;
    bool asked; /* it is to end before its time */
    bool ended; /* no engine is started any more */
};

/* What a campaign asks of an engine. NULL: nothing is to be done. */
struct campaign_engine {
    enum harness_status (*prepare)(struct harness_campaign *campaign); /* before it starts */
    /* In the child: becomes the engine; returns only if that fails. `seconds`: 0 = without end. */
    void (*become)(const struct harness_campaign *campaign, unsigned seconds);
    /* A directory with failing inputs, whose names begin with `artifact`, by its number; false: there are no more. */
    bool (*failing)(const struct harness_campaign *campaign, unsigned place, char out[CAMPAIGN_PATH_SIZE]);
    const char *artifact;
    enum harness_status (*finish)(struct harness_campaign *campaign); /* after it has ended */
    bool restarts; /* it ends with each finding and is started again */
    int gentle;    /* the signal by which it ends and loses nothing, at once or soon */
};

extern const struct campaign_engine campaign_libfuzzer, campaign_afl;

/* --- processes.c */

enum harness_status campaign_start_engine(struct harness_campaign *campaign, unsigned seconds);

/* HARNESS_HOST if the engine, which left no failing input, ended badly though nobody asked it to, or did nothing. */
enum harness_status campaign_judge_end(const struct harness_campaign *campaign, struct harness_child_end end);

/* What the target has said since the engine printed progress last: why it fails, if it does. */
void campaign_hear_engine(struct harness_campaign *campaign);

/* The end of it, if it does not begin with why the engine ends. */
const char *campaign_last_words(const struct campaign_said *said);

/* A log that a plug-in in the target's process fills begins again. */
void campaign_bound_log(const struct harness_campaign *campaign);

/* Executions of options->executions that are left; 0 also where there is no limit, so ask that first. */
uint64_t campaign_executions_left(const struct harness_campaign *campaign);

/* --- artifacts.c */

/* FINDINGS/engine-KIND-HASH is a failing input of libFuzzer, which puts such a prefix before names. */
#define CAMPAIGN_ARTIFACT "engine-"

/* How many failing inputs there are; *first gets the path of the first in order. */
uint64_t campaign_artifacts(const struct harness_campaign *campaign, char first[HARNESS_HUNT_PATH]);

/* A failing input in the corpus would end every later run of the target at once, so it is removed from there. */
void campaign_drop_from_corpus(const struct harness_campaign *campaign, const char *artifact);

/* Entries of a directory, but for hidden ones. */
uint64_t campaign_count_files(const char *path);

#endif
