/* What the files of a campaign share. Private to harness/campaign. */
#ifndef HARNESS_CAMPAIGN_PARTS_H
#define HARNESS_CAMPAIGN_PARTS_H

#include "harness/campaign/campaign.h"
#include "harness/run/child.h"

enum {
    CAMPAIGN_SAID_SIZE = 16384,
    CAMPAIGN_PATH_SIZE = 2048
};

/* What the engine printed; lines that do not fit are dropped. */
struct campaign_said {
    char text[CAMPAIGN_SAID_SIZE];
    size_t length;
    bool has_worked; /* it printed progress */
    bool is_telling; /* the text begins with the reason why it ends */
};

struct harness_campaign {
    const struct harness_campaign_options *options;
    const struct campaign_engine *engine;
    struct harness_hunt_source source;
    struct harness_error *error;                /* where the current call puts its error */
    struct harness_pair_statistics *statistics; /* shared with the target */
    int statistics_file;                        /* -1: none */
    char statistics_path[64];                   /* by which the target opens it */
    char log_path[HARNESS_CAMPAIGN_PATH_SIZE];  /* FINDINGS/engine.log: output of the engine that started last */
    struct campaign_said said;                  /* output of the engine, as read last */
    struct harness_child child;                 /* the engine, while it runs */
    unsigned starts;                            /* engine processes started so far, including this one */
    double start, looked;                       /* when the campaign began; when the engine was last checked */
    double dismissed;                           /* when the engine was asked to end; 0: it was not */
    bool urged;                                 /* it did not end, and was sent SIGINT */
    bool is_prepared;
    bool asked; /* the campaign is to end before its time */
    bool ended; /* no engine is started any more */
};

/* What differs between engines. `prepare` and `finish` may be NULL: nothing to do. */
struct campaign_engine {
    enum harness_status (*prepare)(struct harness_campaign *campaign); /* before the first start */
    /* Called in the child process: executes the engine, and returns only if that fails. `seconds`: 0 = no limit. */
    void (*become)(const struct harness_campaign *campaign, unsigned seconds);
    /* The directory number `place` (from 0) that holds failing inputs; their names begin with `artifact`. False: there
     * are no more directories. */
    bool (*failing)(const struct harness_campaign *campaign, unsigned place, char out[CAMPAIGN_PATH_SIZE]);
    const char *artifact;
    enum harness_status (*finish)(struct harness_campaign *campaign); /* after the engine has ended for the last time */
    bool restarts; /* it ends with each finding, and is started again */
    int gentle;    /* the signal on which it ends soon, without losing anything */
};

extern const struct campaign_engine campaign_libfuzzer, campaign_afl;

/* --- processes.c */

enum harness_status campaign_start_engine(struct harness_campaign *campaign, unsigned seconds);

/* HARNESS_HOST if the engine, having left no failing input, failed without being asked to end, or executed nothing. */
enum harness_status campaign_judge_end(const struct harness_campaign *campaign, struct harness_child_end end);

/* Reads the log into campaign->said: what was printed since the engine's last line of progress, which says why the
 * target fails, if it does. */
void campaign_hear_engine(struct harness_campaign *campaign);

/* The whole text if it begins with the reason why the engine ends, else its last lines. Points into `said`. */
const char *campaign_last_words(const struct campaign_said *said);

/* Empties the log if it has become too large: a plug-in in the target's process may fill it. */
void campaign_bound_log(const struct harness_campaign *campaign);

/* How many of options->executions are left. It is also 0 if there is no limit, so the caller must check for that
 * first. */
uint64_t campaign_executions_left(const struct harness_campaign *campaign);

/* --- artifacts.c */

/* Prefix of the names of libFuzzer's failing inputs, FINDINGS/engine-KIND-HASH. */
#define CAMPAIGN_ARTIFACT "engine-"

/* How many failing inputs there are. If there are any, `first` receives the path of the first, by directory and
 * name. */
uint64_t campaign_artifacts(const struct harness_campaign *campaign, char first[HARNESS_HUNT_PATH]);

/* Removes copies of a failing input from the corpus, where they would end every later run of the target at once. */
void campaign_drop_from_corpus(const struct harness_campaign *campaign, const char *artifact);

/* The number of entries of a directory, without hidden ones; 0 if it cannot be read. */
uint64_t campaign_count_files(const char *path);

#endif
