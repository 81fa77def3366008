/* What the files of a campaign share. Private to harness/campaign. */
#ifndef HARNESS_CAMPAIGN_PARTS_H
#define HARNESS_CAMPAIGN_PARTS_H

#include "harness/campaign/campaign.h"
#include "harness/run/child.h"

#include <time.h>

enum {
    CAMPAIGN_MAX_JOBS = HARNESS_CAMPAIGN_MAX_JOBS,
    CAMPAIGN_SAID_SIZE = 16384,
    CAMPAIGN_REPLAY_BATCH = 64 /* files that campaign_replay takes at once */
};

/* Why a target failed (harness/targets/failure.h). */
struct campaign_failure {
    char kind[32], key[208], place[208]; /* the same three: the same kind of failure */
    char title[256];                     /* for people */
};

/* Where a finding went. */
struct campaign_filed {
    char path[HARNESS_CAMPAIGN_PATH_SIZE]; /* of the .pcase */
    bool duplicate;                        /* of what is there, or of what the baseline accepts */
    bool accepted;                         /* by the baseline */
};

/* Text that a child process said, cut where it is full. */
struct campaign_said {
    char text[CAMPAIGN_SAID_SIZE];
    size_t length;
    struct campaign_failure failure; /* the first line of that kind, also where the text is full; no kind: none */
};

/* A process of the engine, while it runs; between two, what the last one left. */
struct campaign_job {
    struct campaign *campaign;
    char name[16];                  /* of its directory, and in what is said */
    enum harness_mutation mutation; /* AFL++ only */
    struct harness_child child;
    int output; /* read end of what it says, -1 when that has ended */
    unsigned index;
    unsigned seconds; /* it is to run; 0: without end */
    bool worked;      /* the engine says that it executed something */
    double dismissed; /* when it was asked to end; 0: it was not */
    bool urged;       /* it did not, and was asked by SIGINT */
    unsigned starts;  /* processes that it had, with this one */
    bool spent;       /* the last one ended because its executions were over */
    uint64_t counted; /* executions of its target, all processes together, when that was looked at last */
    bool counts;      /* there were some in this campaign */
    double watched;   /* when that was */
    double stood;     /* seconds since there were more */
    bool still;       /* it stood still, and was asked to end for that */
    struct harness_lines lines;
    struct campaign_said said; /* the last lines that are not progress: why it died */
    bool telling;              /* something other than progress was printed: from here on keep everything */
    unsigned next[2];          /* AFL++: number of the crash, and of the hang, to be looked at next */
};

struct campaign {
    const struct harness_campaign_options *options;
    const struct campaign_engine *engine;
    unsigned count; /* of jobs */
    struct harness_campaign_summary *summary;
    struct harness_error *error;
    struct harness_pair_statistics *statistics; /* [count], shared with the targets */
    int statistics_file;                        /* -1: none */
    char statistics_path[64];                   /* by which they open it */
    struct campaign_job jobs[CAMPAIGN_MAX_JOBS];
    struct campaign_failure failures[HARNESS_CAMPAIGN_MAX_FINDINGS]; /* of each finding of the summary */
    double start;
    unsigned starts;
    bool worked;          /* one of its jobs did */
    bool stopping, asked; /* the jobs are to end; because the watcher said so */
    time_t stopped_at;    /* when they were asked */
    harness_campaign_watcher watcher;
    void *user;
    double next_step;                           /* when a step may be shown again */
    double next_look;                           /* when the files of the corpus are looked at again */
    time_t looked;                              /* files that are older were looked at */
    char peel_path[HARNESS_CAMPAIGN_PATH_SIZE]; /* peeling.h; "": no --peel */
    uint32_t peel_findings[HARNESS_PEEL_MOST];  /* of each cause, in this campaign */
    uint64_t peel_before[HARNESS_PEEL_MOST];    /* cases that showed each cause, of earlier campaigns */
};

/* What a campaign asks of an engine. */
struct campaign_engine {
    /* Before the first process of any engine starts. */
    enum harness_status (*prepare)(struct campaign *campaign);
    /* Before a process starts. */
    enum harness_status (*begin)(struct campaign *campaign, struct campaign_job *job);
    /* In the child, whose stderr the campaign reads: becomes the engine; returns only if that fails. `seconds`: 0 =
     * without end. */
    void (*become)(struct campaign *campaign, struct campaign_job *job, unsigned seconds);
    /* A whole line that the process said, terminated. */
    void (*take_line)(struct campaign *campaign, struct campaign_job *job, const char *line, size_t length);
    /* About once a second, and once more when the job has ended: progress and findings that lie in files. `ended`:
     * they are complete. Counts findings in *found. */
    enum harness_status (*look)(struct campaign *campaign, struct campaign_job *job, bool ended, size_t *found);
    /* After the last process has ended. */
    enum harness_status (*finish)(struct campaign *campaign);
    bool restarts; /* a process ends with each finding and is started again */
    int gentle;    /* the signal by which it ends and loses nothing, at once or soon */
};

extern const struct campaign_engine campaign_libfuzzer, campaign_afl;

/* --- campaign.c */

/* Shows what takes time while no engine runs: `done` of `total`, no more often than people can read. */
void campaign_show_step(struct campaign *campaign, const char *step, uint64_t done, uint64_t total);

/* --- processes.c */

enum harness_status campaign_start_job(struct campaign *campaign, struct campaign_job *job, unsigned seconds);

/* What the backends of a target are created with. */
struct pica_options campaign_machine(const struct campaign *campaign);

/* Waits until a job says something or ends, or for so many milliseconds; those that have ended leave what they
 * found. */
enum harness_status campaign_poll_jobs(struct campaign *campaign, int milliseconds);

/* What a job has said until now. */
void campaign_hear_job(struct campaign_job *job);

/* Waits for a job that was stopped, or kills it; what it found lies where it is. */
void campaign_bury_job(struct campaign_job *job, unsigned milliseconds);

/* --- room.c */

/* Waits for the disk once for all that was written into the corpus: flushing each of ten thousand files takes a minute,
 * this takes seconds. */
enum harness_status campaign_flush_corpus(const struct campaign *campaign);

/* Regular files in a directory, but for hidden ones; `otherwise` if it cannot be opened. */
uint64_t campaign_count_files(const char *path, uint64_t otherwise);

/* Sets the progress's `inputs`: one look into the directory. */
void campaign_count_inputs(const struct campaign *campaign);

/* MiB that a process of a target may have. */
unsigned campaign_memory(const struct campaign *campaign);

/* --- any */

/* Appends a line to what was said, unless it is full. */
void campaign_remember(struct campaign_said *said, const char *line, size_t length);

/* The engine has executed something. */
void campaign_note_work(struct campaign_job *job);

/* Executions of its share that the job has left; 0 also where there is no limit, so ask that first. */
uint64_t campaign_executions_left(const struct campaign *campaign, unsigned index);

/* Has it any left, or is there no limit? */
bool campaign_has_executions(const struct campaign *campaign, unsigned index);

/* Is there room for more findings, and are time and executions left? */
bool campaign_goes_on(const struct campaign *campaign);

/* A failing input lies in the findings directory as NAME: becomes NAME.pcb, .pcase and .txt, is filed
 * (filing.h) and an entry of the summary, or, if that kind is there already, a duplicate, and is removed. Both ways it
 * leaves the corpus. `told`: what was said is certainly about this input; if not, or if nothing was said, it stays. */
enum harness_status campaign_take_artifact(struct campaign *campaign, const struct campaign_said *said,
                                           const char *name, bool told);

/* The same for what an earlier campaign in this directory found but was killed before it could write it down or file
 * it. */
enum harness_status campaign_take_leftovers(struct campaign *campaign);

/* Before an engine starts: HARNESS_HOST if the disk has no room for a campaign. Empty and cut files of an engine, which
 * a power cut or a full disk left, leave the corpus. */
enum harness_status campaign_begin_files(struct campaign *campaign);

/* Is the file empty, or does it not hold what its name says? `digits`: end of the name; false if that is no SHA-1. */
bool campaign_is_cut(const char *path, const char *digits);

/* About once a second, and when all jobs have ended: HARNESS_HOST if room runs out, or if new files of an engine are
 * empty or cut. */
enum harness_status campaign_check_files(struct campaign *campaign, bool ended);

/* Runs the target once on up to CAMPAIGN_REPLAY_BATCH files (a target that takes file names). *failed: it did
 * not end well; `said` is what it wrote to stderr. */
enum harness_status campaign_replay(struct campaign *campaign, const char *const *paths, size_t count, bool *failed,
                                    struct campaign_said *said);

/* HARNESS_HOST if the target does not run: of an empty input it neither says that it failed on it, nor dies
 * of it, nor ends well. */
enum harness_status campaign_try_target(struct campaign *campaign);

#endif
