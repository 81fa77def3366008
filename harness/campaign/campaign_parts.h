/* What the files of a campaign share. Private to harness/campaign. */
#ifndef HARNESS_CAMPAIGN_PARTS_H
#define HARNESS_CAMPAIGN_PARTS_H

#include "harness/campaign/campaign.h"
#include "harness/run/child.h"
#include "harness/triage/filing.h"

enum {
    CAMPAIGN_SAID_SIZE = 16384,
    CAMPAIGN_PATH_SIZE = 2048
};

/* Why a target failed (harness/targets/failure.h). */
struct campaign_failure {
    char kind[32], key[208], place[208]; /* the same three: the same kind of failure */
    char title[256];                     /* for people */
};

/* Text that a process said, cut where it is full. */
struct campaign_said {
    char text[CAMPAIGN_SAID_SIZE];
    size_t length;
    bool has_worked;                 /* it printed progress before */
    bool is_telling;                 /* the text begins with why it ends */
    struct campaign_failure failure; /* the first line of that kind, also where the text is full; no kind: none */
};

struct campaign {
    const struct harness_campaign_options *options;
    const struct campaign_engine *engine;
    struct harness_campaign_summary *summary;
    struct harness_error *error;
    struct harness_pair_statistics *statistics; /* shared with the target */
    int statistics_file;                        /* -1: none */
    char statistics_path[64];                   /* by which the target opens it */
    char log_path[HARNESS_CAMPAIGN_PATH_SIZE];  /* FINDINGS/engine.log: what the engine that started last said */
    struct harness_child child;                 /* the engine, while it runs */
    unsigned starts;                            /* processes that it had, with this one */
    double start;                               /* of the campaign */
    double dismissed;                           /* when the engine was asked to end; 0: it was not */
    bool urged;                                 /* it did not, and was asked by SIGINT */
    bool asked;                                 /* the watcher said that it is to end */
    struct campaign_failure failures[HARNESS_CAMPAIGN_MAX_FINDINGS]; /* of each finding of the summary */
    char peel_path[HARNESS_CAMPAIGN_PATH_SIZE];                      /* "": no --peel */
    uint32_t peel_findings[HARNESS_PEEL_MOST];                       /* of each cause, in this campaign */
    uint64_t peel_before[HARNESS_PEEL_MOST]; /* cases that showed each cause, of earlier campaigns */
};

/* What a campaign asks of an engine. NULL: nothing is to be done. */
struct campaign_engine {
    enum harness_status (*prepare)(struct campaign *campaign); /* before it starts */
    /* In the child: becomes the engine; returns only if that fails. `seconds`: 0 = without end. */
    void (*become)(const struct campaign *campaign, unsigned seconds);
    /* About once a second, and once more when it has ended: moves failing inputs to the findings directory. */
    enum harness_status (*collect)(struct campaign *campaign, bool ended);
    enum harness_status (*finish)(struct campaign *campaign); /* after it has ended */
    bool restarts;                                            /* it ends with each finding and is started again */
    int gentle; /* the signal by which it ends and loses nothing, at once or soon */
};

extern const struct campaign_engine campaign_libfuzzer, campaign_afl;

/* --- processes.c */

/* What the backends of a target are created with. */
struct pica_options campaign_machine(const struct campaign *campaign);

/* Appends a line to what was said, unless it is full. */
void campaign_remember(struct campaign_said *said, const char *line, size_t length);

enum harness_status campaign_start_engine(struct campaign *campaign, unsigned seconds);

/* HARNESS_HOST if the engine, which left no failing input, ended badly though nobody asked it to, or did nothing. */
enum harness_status campaign_judge_end(const struct campaign *campaign, struct harness_child_end end,
                                       const struct campaign_said *said);

/* What the target has said since the engine printed progress last: why it fails, if it does. */
void campaign_hear_engine(const struct campaign *campaign, struct campaign_said *said);

/* A log that a plug-in in the target's process fills begins again. */
void campaign_bound_log(const struct campaign *campaign);

/* Executions of options->executions that are left; 0 also where there is no limit, so ask that first. */
uint64_t campaign_executions_left(const struct campaign *campaign);

/* Runs the target once on a file (a target that takes file names). *failed: it did not end well; `said` is what it
 * wrote to stderr. */
enum harness_status campaign_replay(struct campaign *campaign, const char *path, bool *failed,
                                    struct campaign_said *said);

/* --- artifacts.c */

/* FINDINGS/engine-KIND-HASH is a failing input, as libFuzzer names it. */
#define CAMPAIGN_ARTIFACT "engine-"

/*
 * Failing inputs in the findings directory become NAME.pcb, .pcase and .txt, are filed (filing.h) and an entry of the
 * summary, or, if that kind is there already, a duplicate, and are removed. Both ways they leave the corpus. What the
 * target says of each is asked by running it; `said` (NULL: nothing) is about the only one there. What there is no time
 * for stays: *left of them; *found were taken.
 */
enum harness_status campaign_take_artifacts(struct campaign *campaign, const struct campaign_said *said, size_t *found,
                                            uint64_t *left);

/* Entries of a directory, but for hidden ones. */
uint64_t campaign_count_files(const char *path);

/* --- peeling.c: what a campaign with --peel learns from its findings, in FINDINGS/peel. Without it they do nothing. */

/* Reads what earlier campaigns learnt. */
enum harness_status campaign_peel_begin(struct campaign *campaign);

/* Did the target say that it showed nothing in a fresh process? */
bool campaign_is_unstable(const struct campaign_failure *failure);

/* Frees a finding of the causes that are known by now: the target may not have known all of them. *freed: of some. */
enum harness_status campaign_peel_free(struct campaign *campaign, struct harness_case *test_case, bool *freed);

/* A finding was filed so; `test_case` is the reduced one, `found` what it was. From now on its cause is avoided. */
enum harness_status campaign_peel_learn(struct campaign *campaign, const struct campaign_failure *failure,
                                        const struct harness_filing *filing, const struct harness_filed *filed,
                                        const struct harness_case *test_case, struct harness_case *found);

/* Adds what the target counted to what is known of each cause, and writes it down. */
enum harness_status campaign_peel_end(struct campaign *campaign);

#endif
