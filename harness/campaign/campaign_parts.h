/* What the files of a campaign share. Private to harness/campaign. */
#ifndef HARNESS_CAMPAIGN_PARTS_H
#define HARNESS_CAMPAIGN_PARTS_H

#include "harness/campaign/campaign.h"
#include "harness/pulse/pulse.h"
#include "harness/run/child.h"

#include <time.h>

enum {
    CAMPAIGN_MAX_JOBS = HARNESS_CAMPAIGN_MAX_INSTANCES,
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

/* A process of an instance's engine, while it runs; between two, what the last one left. */
struct campaign_job {
    struct campaign *campaign;
    const struct harness_campaign_instance *instance;
    struct harness_child child;
    int output; /* read end of what it says, -1 when that has ended */
    unsigned index;
    unsigned seconds; /* it is to run; 0: without end */
    bool worked;      /* the engine says that it executed something */
    double dismissed; /* when it was asked to end; 0: it was not */
    bool urged;       /* it did not, and was asked by SIGINT */
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

/* What outlives the processes of an instance. */
struct campaign_record {
    unsigned starts;
    double before;                       /* seconds that it ran in earlier starts, or that count as that (turns.c) */
    double seconds;                      /* the same in this one, all processes together */
    double began;                        /* the process that runs */
    double turn_ends;                    /* if instances take turns */
    char trouble[HARNESS_PULSE_TROUBLE]; /* why it does not run; "": it does */
    unsigned troubles;                   /* one after the other */
    double retry_at;                     /* with trouble: when it is tried again */
    bool spent;                          /* its engine ended because its executions were over */
    uint64_t findings;                   /* new ones */
    uint64_t edges, features, corpus;    /* as its engine says, the most of all its processes */
};

/* Whether engines run: where corpus and findings take too much room (room.c) they wait for the corpora to be made
 * smaller, and after a merge for its result to be taken (merging.c). */
enum campaign_rest {
    CAMPAIGN_RUNS,
    CAMPAIGN_PAUSES,       /* they are asked to end, and run again once the result is taken */
    CAMPAIGN_GOES_TO_REST, /* they are asked to end */
    CAMPAIGN_RESTS         /* they have ended, and what AFL++ had is in the corpus */
};

struct campaign {
    const struct harness_campaign_options *options;
    struct harness_campaign_instance instances[CAMPAIGN_MAX_JOBS]; /* what options say, or one for each job */
    char names[CAMPAIGN_MAX_JOBS][16];                             /* of the latter */
    unsigned count;                                                /* of instances, jobs and records */
    struct campaign_record records[CAMPAIGN_MAX_JOBS];
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
    double next_step;                 /* when a step may be shown again */
    double next_look;                 /* when the files of the corpus are looked at again */
    time_t looked;                    /* files that are older were looked at */
    struct campaign_filer *filer;     /* NULL: nothing was filed later yet */
    struct campaign_merging *merging; /* NULL: not yet */
    struct campaign_sharing *sharing; /* NULL: not yet */
    struct harness_pulse *pulse;      /* NULL: none */
    char told[HARNESS_PULSE_LINE];    /* the line about what is wrong that was told last; "": nothing was */
    char share_trouble[200]; /* what is not exchanged at the moment, and why, as far as that is seen; "": all is */
    double next_flush;       /* when what was written goes to the disk */
    double next_measure;     /* when the room that it takes is looked at again */
    enum campaign_rest rest; /* what the engines do meanwhile: see the enumeration */
    char rest_trouble[200];  /* why they rest; "": they do not */
    uint64_t engine_executions[CAMPAIGN_MAX_JOBS]; /* as libFuzzer counts, of processes that have ended */
    uint64_t engine_now[CAMPAIGN_MAX_JOBS];        /* of the one that runs */
    char peel_path[HARNESS_CAMPAIGN_PATH_SIZE];    /* peeling.h; "": no --peel */
    uint32_t peel_findings[HARNESS_PEEL_MOST];     /* of each cause, in this campaign */
    uint64_t peel_before[HARNESS_PEEL_MOST];       /* cases that showed each cause, of earlier campaigns */
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

/* --- turns.c */

/* Sets instances, count, and what never changes of jobs. */
void campaign_make_instances(struct campaign *campaign);

const struct campaign_engine *campaign_engine_of(const struct campaign_job *job);

/* Once the pulse is open: turns go on where the start before ended. */
void campaign_recall_turns(struct campaign *campaign);

/* When one that had trouble runs again: it does not get every turn until it has caught up. */
void campaign_limit_arrears(struct campaign *campaign);

/* Are there more instances than may run at the same time? */
bool campaign_takes_turns(const struct campaign *campaign);

/* The instance that is to be started next; NULL: none may be. */
struct campaign_job *campaign_next_job(struct campaign *campaign);

/* How long it is to run when it is started now; `left` of the campaign's time, 0: without end, as the result. */
unsigned campaign_turn_seconds(struct campaign *campaign, unsigned index, unsigned left);

/* It is in trouble, which the campaign's error says: HARNESS_OK if the campaign goes on without it, else `status`. */
enum harness_status campaign_leave_out(struct campaign *campaign, unsigned index, enum harness_status status);

enum campaign_place {
    CAMPAIGN_CORPUS,
    CAMPAIGN_FINDINGS
};

/* Directory of an instance's inputs, or of what it found. */
void campaign_path_of(const struct campaign *campaign, const struct harness_campaign_instance *instance,
                      enum campaign_place place, char *out, size_t size);

/* Makes these directories. */
enum harness_status campaign_make_places(struct campaign *campaign);

/* --- campaign.c */

/* Before all engines are asked to end, for whatever reason: what they were writing from then on may be cut. */
void campaign_note_stop(struct campaign *campaign);

/* --- telling.c */

/* Shows what takes time while no engine runs: `done` of `total`, no more often than people can read. */
void campaign_show_step(struct campaign *campaign, const char *step, uint64_t done, uint64_t total);

/* Of options->directory, if there is one; says on stderr what cannot be read of earlier starts. */
enum harness_status campaign_open_pulse(struct campaign *campaign);

/* About once a second: what the instances have done goes to the pulse, and what is wrong to the progress. */
enum harness_status campaign_take_pulse(struct campaign *campaign);

/* --- processes.c */

enum harness_status campaign_start_job(struct campaign *campaign, struct campaign_job *job, unsigned seconds);

/* What the backends of its target are created with; NULL: of an instance without numbers of its own. */
struct pica_options campaign_machine(const struct campaign *campaign, const struct harness_campaign_instance *instance);

/* In a child that is to become an instance's target without being a job: what that is told. */
void campaign_tell_alone(const struct campaign *campaign, const struct harness_campaign_instance *instance);

/* Waits until a job says something or ends, or for so many milliseconds; those that have ended leave what they
 * found. */
enum harness_status campaign_poll_jobs(struct campaign *campaign, int milliseconds);

/* What a job has said until now. */
void campaign_hear_job(struct campaign_job *job);

/* Waits for a job that was stopped, or kills it; what it found lies where it is. */
void campaign_bury_job(struct campaign_job *job, unsigned milliseconds);

/* --- filer.c */

/* Are findings filed beside the engines? Not where each one must be known before the next is looked for, or where no
 * clock is to decide. */
bool campaign_files_later(const struct campaign *campaign);

/* NAME.pcb, .pcase and .txt lie in the findings directory, and wait from now on. */
enum harness_status campaign_file_later(struct campaign *campaign, const char *name,
                                        const struct campaign_failure *failure);

/* Does one with such a failure wait? */
bool campaign_is_waiting(const struct campaign *campaign, const struct campaign_failure *failure);

/* About once a second: takes what was filed, begins the next. */
enum harness_status campaign_tend_filer(struct campaign *campaign);

/* No engine runs: files what waits, but not for ever (HARNESS_CAMPAIGN_DRAIN_SECONDS). */
enum harness_status campaign_drain(struct campaign *campaign);

/* What is done counts; what is not waits for the next campaign, and is counted as left. */
void campaign_filer_end(struct campaign *campaign);

/* --- merging.c */

/* About once a second. */
enum harness_status campaign_tend_merging(struct campaign *campaign);
void campaign_merging_end(struct campaign *campaign);

/* For lack of room each corpus is merged now, however small it is. False: that has been done, whatever it yielded. */
bool campaign_merge_soon(struct campaign *campaign);

/* There is room. */
void campaign_merge_enough(struct campaign *campaign);

/* If one runs or waits, whatever it had is lost. */
void campaign_merge_forget(struct campaign *campaign);

/* No engine runs: what the merge that has ended leaves out leaves the corpus, if there is one that waits for that. */
void campaign_merge_take(struct campaign *campaign);

/* All that is done so far does not count: each is merged once more. */
void campaign_merge_anew(struct campaign *campaign);

/* --- merge_notes.c */

struct campaign_set;

enum {
    CAMPAIGN_MERGE_MOST = 1 << 24 /* inputs of a merge */
};

/* Of a file's name, without its directory. */
uint64_t campaign_hash_name(const char *name);

/* The same with the size as which it was read. */
uint64_t campaign_hash_input(const char *name, uint64_t size);

/* Those inputs whose features a merge's notes at `path` have, by both. False: they cannot be read, or are no such
 * notes, or the host refuses memory; `out` is to be freed in any case. */
bool campaign_merge_judged(const char *path, struct campaign_set *out);

/* --- sharing.c */

/* About once a second, and with `now` at the end: what this campaign found goes to other machines, what they found
 * comes. A directory that cannot be reached is campaign->share_trouble, and no error. */
enum harness_status campaign_share(struct campaign *campaign, bool now);
void campaign_sharing_end(struct campaign *campaign);

/* The corpus was made smaller: what is shared becomes so, too. */
void campaign_share_less(struct campaign *campaign);

/* --- room.c */

/* Of a campaign for weeks, which outlives its machine, every five seconds: what was written is on the disk then. */
void campaign_flush_due(struct campaign *campaign);

/* Waits for the disk once for all that was written into the corpus: flushing each of ten thousand files takes a minute,
 * this takes seconds. */
enum harness_status campaign_flush_corpus(const struct campaign *campaign);

/* At the end, when nothing writes any more. */
void campaign_flush_last(const struct campaign *campaign);

/* Named by an engine or by us (engine_afl.c), so not a file of the user's: 40 digits, or 32 and ".pcb". */
bool campaign_is_named_by_contents(const char *name);

/* Bytes of the files in and below a directory, as the disk counts them: one with several names below it once. */
uint64_t campaign_size_below(const char *path);

/* Regular files in a directory, but for hidden ones; `otherwise` if it cannot be opened. */
uint64_t campaign_count_files(const char *path, uint64_t otherwise);

/* Sets the progress's `inputs`: one look into the directory. */
void campaign_count_inputs(const struct campaign *campaign);

/* No engine runs: what they were writing when they were stopped leaves every corpus. */
void campaign_drop_unfinished(const struct campaign *campaign);

/* MiB that a process of a target may have. */
unsigned campaign_memory(const struct campaign *campaign);

/* --- keeping.c */

/* When a campaign starts, or an engine did not end by itself: inputs that were replaced by what did not reach the disk
 * are in the corpus again. */
void campaign_keep_restore(const char *corpus);

/* After a flush that began then: inputs of the corpus are kept beside it, also when they are replaced, until the flush
 * after that. */
void campaign_keep(const char *corpus, time_t begun);

/* Nothing is kept any more. */
void campaign_keep_end(const char *corpus);

/* --- links.c */

/* Makes the directory `inputs`, with a second name (hard link) for each regular file of the corpus that is not hidden;
 * what goes meanwhile is left out. False: it was there already, or there are no hard links; what has been made until
 * then stays. */
bool campaign_link_inputs(const char *corpus, const char *inputs);

/* Not through a link, which may lead to somebody's files. Below `at`; its descriptor, -1 if there is none. */
int campaign_open_directory(int at, const char *path);

/* The files in a directory below `at` go, but not through a link, and then it goes itself. Directories in it stay, and
 * so does it then. */
void campaign_remove_files(int at, const char *path);

/* --- engine_afl.c, afl_corpus.c */

bool campaign_in_path(const char *program);

/* Where instances take turns, and no afl-fuzz of this campaign runs: the links that earlier ones began from go, also of
 * instances that this one does not have. Only such campaigns make any, and each has its directory alone. */
void campaign_afl_drop_all_seeds(const struct campaign *campaign);

/* --- any */

/* What an instance has executed: as the target counts, or, where it does not, its engine. */
uint64_t campaign_executions_of(const struct campaign *campaign, unsigned index);

/* Milliseconds. */
void campaign_wait(int milliseconds);

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

/* A failing input lies in the instance's findings directory as NAME: becomes NAME.pcb, .pcase and .txt, is filed
 * (filing.h) and an entry of the summary, or, if that kind is there already, a duplicate, and is removed. In both cases
 * it leaves the corpus. `told`: what was said is certainly about this input; if not, or if nothing was said, it stays.
 * What is no case stays as it is, beside NAME.txt. */
enum harness_status campaign_take_artifact(struct campaign *campaign, struct campaign_job *job,
                                           const struct campaign_said *said, const char *name, bool told);

/* From the findings directory to the bucket's: reduces NAME.pcb, whose findings directory is the campaign's. */
enum harness_status campaign_file_artifact(struct campaign *campaign, const char *name,
                                           const struct campaign_failure *failure, struct campaign_filed *filed);

/* An entry of the summary, if it is no duplicate. */
void campaign_add_finding(struct campaign *campaign, const struct campaign_failure *failure,
                          const struct campaign_filed *filed);

bool campaign_is_same_failure(const struct campaign_failure *one, const struct campaign_failure *other);

/* The same for what an earlier campaign in this directory found but was killed before it could write it down or file
 * it. */
enum harness_status campaign_take_leftovers(struct campaign *campaign);

/* Before an engine starts: HARNESS_HOST if the disk has no room for a campaign. Empty and cut files of an engine, which
 * a power cut or a full disk left, leave the corpus, and what was kept comes back (keeping.c). */
enum harness_status campaign_begin_files(struct campaign *campaign);

/* Is the file empty, or does it not hold what its name says? `digits`: end of the name; false if that is no SHA-1. */
bool campaign_is_cut(const char *path, const char *digits);

/* About once a second, and when all jobs have ended: HARNESS_HOST if room runs out, or if new files of an engine are
 * empty or cut. */
enum harness_status campaign_check_files(struct campaign *campaign, bool ended);

/* Runs an instance's target once on up to CAMPAIGN_REPLAY_BATCH files (a target that takes file names). *failed: it did
 * not end well; `said` is what it wrote to stderr. */
enum harness_status campaign_replay(struct campaign *campaign, const struct harness_campaign_instance *instance,
                                    const char *const *paths, size_t count, bool *failed, struct campaign_said *said);

/* HARNESS_HOST if an instance's target does not run: of an empty input it neither says that it failed on it, nor dies
 * of it, nor ends well. */
enum harness_status campaign_try_target(struct campaign *campaign, const struct harness_campaign_instance *instance);

#endif
