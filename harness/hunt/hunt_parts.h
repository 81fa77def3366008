/* What the files of the hunt share. Private to harness/hunt. */
#ifndef HARNESS_HUNT_HUNT_PARTS_H
#define HARNESS_HUNT_HUNT_PARTS_H

#include "harness/hunt/state.h"
#include "harness/run/child.h"
#include "harness/triage/filing.h"

enum {
    HUNT_MOST_PARENTS = 1 << 16,
    HUNT_PARENT_BYTES = 1 << 28, /* for all parents; only what is used costs memory */
    HUNT_AT_ONCE = 8,            /* findings chosen for reduction at a time: the smallest */
    HUNT_HANG_SECONDS = 10       /* limit of processor time for a case on a backend without a process of its own */
};

/* ----------------------------------------------------------------------------------------------------- pool.c */

/* Cases from which others are mutated, in memory shared with the workers. Only the hunt adds cases. */
struct hunt_pool;

struct hunt_pool *hunt_pool_create(void); /* NULL without memory */
void hunt_pool_destroy(struct hunt_pool *pool);
uint32_t hunt_pool_count(const struct hunt_pool *pool);

/* False: the pool is full, or the case is too large. The hunt goes on without that parent. */
bool hunt_pool_add(struct hunt_pool *pool, const uint8_t *bytes, size_t size);

/* Makes the case of a seed: with the shader of the options, if there is one; else generated, or in `children` percent
 * of the cases mutated from one of the first order->parents cases of the pool. If the order has an input, reads that
 * instead. The block of the order may want another profile (hunt_vary). False without memory, or if no case results. */
struct hunt_maker;
struct hunt_maker *hunt_maker_create(const struct harness_hunt_options *options, const struct hunt_pool *pool);
void hunt_maker_destroy(struct hunt_maker *maker); /* accepts NULL */
struct hunt_order;
bool hunt_make(struct hunt_maker *maker, const struct hunt_order *order, uint64_t seed, struct harness_case *out);

/* Like hunt_make, followed by every rewrite that is applied to a case of this order before it runs. */
bool hunt_make_as_it_ran(struct hunt_maker *maker, const struct hunt_order *order, uint64_t seed,
                         struct harness_case *out);

/* --------------------------------------------------------------------------------------------------- worker.c */

/* A worker's task: some seeds of a block, or one input. */
struct hunt_order {
    uint64_t index; /* index of the block within this shard */
    uint64_t block; /* its number among the blocks of all shards */
    uint64_t first; /* first seed that is still to be run */
    uint32_t count;
    uint32_t parents;              /* how many cases of the pool may be used */
    char input[HARNESS_HUNT_PATH]; /* path of the one case that a source gave; "": cases are made from seeds */
    struct harness_peel peel;
};

/* Kind of a record: a case that a source reported, but on which the backends agree here. */
#define HUNT_SOURCE "engine"

/* A case that showed something. */
struct hunt_record {
    uint64_t seed;
    char kind[HUNT_KIND];         /* as harness_hunter_kind; HUNT_SOURCE; "": a case that is only kept in the pool */
    char key[HARNESS_HUNTER_KEY]; /* the case is the first of the block with this kind and key ... */
    uint32_t count;               /* ... and how many there were */
    uint32_t at, size;            /* place and size of the encoded case in the desk's bytes ... */
    uint32_t said_size;           /* ... and size of the message, which follows it */
};

/* Memory shared by the hunt and one worker. */
struct hunt_desk {
    struct hunt_order order;
    volatile uint64_t seed;                            /* the seed that is being run */
    volatile uint32_t done;                            /* how many seeds of the order are done */
    volatile bool has_begun;                           /* the backends have started */
    volatile bool cut_off;                             /* the worker found its pipes closed, by a backend */
    struct harness_pair_statistics statistics, before; /* `before`: as they were before the current seed */
    uint32_t record_count;
    uint32_t used; /* of bytes */
    struct hunt_record records[HARNESS_HUNT_BLOCK];
    uint8_t bytes[HARNESS_HUNT_BLOCK * (HARNESS_MAX_INPUT + ORACLE_MESSAGE_SIZE)];
};

struct hunt_worker {
    struct harness_child child;
    struct hunt_desk *desk;
    int orders, answers; /* pipes */
    int said;            /* descriptor of an unnamed file with the stderr of the worker */
    bool is_busy;
    uint64_t died_on; /* 1 + the seed on which a process died last; 0: none */
    uint64_t watched; /* the seed that was running at the last look ... */
    struct harness_child_time since;
};

enum harness_status hunt_worker_start(struct hunt_worker *worker, const struct harness_hunt_options *options,
                                      const struct hunt_pool *pool, struct harness_error *error);
/* Bytes that are written to a worker, and its answers. */
enum {
    HUNT_RUN = 'b', /* run the order on the desk */
    HUNT_QUIT = 'q',
    HUNT_DONE = 'd',
    HUNT_FAILED = 'f' /* a backend does not start */
};

/* hunt_worker_dismiss asks an idle worker to end. hunt_worker_end waits until one second after the time `dismissed`
 * (harness_seconds_now), which is shared by all workers that were asked together, and then kills it; a busy worker is
 * killed at once. */
void hunt_worker_dismiss(struct hunt_worker *worker);
void hunt_worker_end(struct hunt_worker *worker, double dismissed);

/* Records a finding: the worker died on desk->seed, or was killed because of `deed` (a hang, say; NULL: it died by
 * itself). */
void hunt_record_death(struct hunt_worker *worker, struct hunt_maker *maker, const char *deed,
                       struct harness_child_end end);

/* --------------------------------------------------------------------------------------------------- filer.c */

/* Result of a reduction, in memory shared with the process that does it. */
struct hunt_reduction {
    volatile bool is_done;
    enum harness_status status;
    struct harness_error error;
    struct harness_filed filed;
    bool has_cause; /* with --peel: `cause` was found */
    struct harness_peel_cause cause;
};

/* What the backends of the finding `name` ("seed-1234") were created with. hunt_print_machine writes it as options of
 * `picafuzz diff`, each with a space after it, and leaves out those that are as in options->machine. */
struct pica_options hunt_machine_of(const struct harness_hunt_options *options, const char *name);
void hunt_print_machine(const struct harness_hunt_options *options, const char *name, char *out, size_t size);

struct hunt_filing {
    struct hunt_waiting what;
    struct harness_child child;
    struct harness_child_time begun;
    struct hunt_reduction *reduction; /* NULL: the reduction has not been started */
    unsigned starts;
};

/* Writes FINDINGS/NAME.pcb, NAME.txt with the message `said`, and NAME.pcase if findings are not reduced. */
enum harness_status hunt_write_found(const struct harness_hunt_options *options, const struct hunt_waiting *what,
                                     const struct harness_case *found, const char *said, struct harness_error *error);

enum harness_status hunt_filing_start(struct hunt_filing *filing, const struct harness_hunt_options *options,
                                      struct harness_error *error);

/* Has the reduction ended, or exceeded its time limit? hunt_filing_put then kills what still runs. */
bool hunt_filing_has_ended(const struct hunt_filing *filing);

/* True if the reduction died or had no memory, perhaps through no fault of the finding, and has been started only once:
 * it is to be started once more. */
bool hunt_filing_begins_again(struct hunt_filing *filing);

/* Puts the finding into its bucket. `path` receives the path of the .pcase file. */
enum harness_status hunt_filing_put(struct hunt_filing *filing, const struct harness_hunt_options *options,
                                    char path[HARNESS_HUNT_PATH], struct harness_filed *filed,
                                    struct harness_error *error);

/* Removes the files of a finding outside the buckets, once it is in its bucket and the saved state no longer lists it
 * as waiting. */
void hunt_filing_remove_waiting(const struct harness_hunt_options *options, const char *name);
void hunt_filing_end(struct hunt_filing *filing);

/* --------------------------------------------------------------------------------------------------- hunt.c */

/* A block that is done before an earlier one is. */
struct hunt_result {
    struct hunt_result *next;
    uint64_t index;
    struct hunt_desk *desk; /* a copy, only as large as its used part */
};

/* What options->source gave. */
struct hunt_given_case {
    struct harness_hunt_input input; /* the input that is being judged; an empty path: none */
    bool ended;                      /* no further input comes, or there is no source */
    bool is_quiet;                   /* the source has ended; until then it may be writing an input */
};

struct hunt {
    const struct harness_hunt_options *options;
    struct harness_hunt_summary *summary;
    struct harness_error *error;
    struct hunt_state *state; /* state->next: blocks of this shard whose results were taken */
    struct hunt_pool *pool;
    struct hunt_maker *maker;
    struct hunt_worker workers[HARNESS_HUNT_MOST_JOBS];
    uint64_t given;                                   /* blocks that were handed out */
    struct hunt_result *results;                      /* sorted by index */
    struct hunt_given_case from;                      /* the source */
    bool asked;                                       /* the watcher asked the hunt to end */
    struct harness_pair_statistics statistics_before; /* of earlier starts */
    struct hunt_filing filings[HUNT_AT_ONCE];
    uint32_t filing_count;
    uint64_t known_before[HARNESS_PEEL_MOST]; /* cases that earlier hunts in the directory counted for each cause */
    uint64_t before;                          /* blocks done by earlier starts, ... */
    uint32_t begun;                           /* ... and seeds done of the block after them */
    double began, saved;
    int lock;
};

/* --------------------------------------------------------------------------------------------------- blocks.c */

/* hunt_vary sets *machine to what the backends of a block are created with. True: its cases use the float24 profile. */
enum {
    HUNT_MACHINES = 8 /* at most so many different ones: the given one, and seven others */
};
extern const char *const hunt_sets[4]; /* names of the instruction sets that it chooses from */
bool hunt_vary(const struct harness_hunt_options *options, uint64_t block, struct pica_options *machine);

/* The number, among the blocks of all shards, of the block with this index in the order of this shard. */
uint64_t hunt_number_of(const struct hunt *hunt, uint64_t index);

/* How many seeds of the block this start runs; 0: there is no such block. */
uint32_t hunt_size_of(const struct hunt *hunt, uint64_t index);

/* Does this start, or the range of seeds, end in the middle of the block? A longer range continues there. */
bool hunt_is_part(const struct hunt *hunt, uint64_t index);
bool hunt_ends_epoch(uint64_t blocks);
uint64_t hunt_last_epoch(uint64_t blocks);

/* --------------------------------------------------------------------------------------------------- directory.c */

/* Locks the findings directory and loads what earlier starts left there: the state, the known causes, and parents. */
enum harness_status hunt_begin(struct hunt *hunt);
enum harness_status hunt_save(struct hunt *hunt);

/* Appends a line to summary->notice, which is shown when the hunt has ended. */
void hunt_notice(struct hunt *hunt, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --------------------------------------------------------------------------------------------------- news.c */

/* Takes the results of the next block, in the order of the blocks. */
enum harness_status hunt_take_block(struct hunt *hunt, const struct hunt_desk *desk);

/* Takes the results of the seeds before `end` only: the next start continues with seed `end`. */
enum harness_status hunt_take_part(struct hunt *hunt, const struct hunt_desk *desk, uint64_t end);
void hunt_choose_filings(struct hunt *hunt);
void hunt_queue_filings(struct hunt *hunt);
enum harness_status hunt_take_filings(struct hunt *hunt);

#endif
