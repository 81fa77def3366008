/* What the files of the hunt share. Private to harness/hunt. */
#ifndef HARNESS_HUNT_HUNT_PARTS_H
#define HARNESS_HUNT_HUNT_PARTS_H

#include "harness/hunt/state.h"
#include "harness/run/child.h"
#include "harness/triage/filing.h"

enum {
    HUNT_MOST_PARENTS = 1 << 16,
    HUNT_PARENT_BYTES = 1 << 28, /* of all of them; only what is used costs memory */
    HUNT_AT_ONCE = 8,            /* findings that are chosen at a time, the smallest */
    HUNT_HANG_SECONDS = 10       /* of a case of a backend that has no process of its own */
};

/* ----------------------------------------------------------------------------------------------------- pool.c */

/* Cases that others are made of, in memory that the workers share. They are added by the hunt alone. */
struct hunt_pool;

struct hunt_pool *hunt_pool_create(void); /* NULL without memory */
void hunt_pool_destroy(struct hunt_pool *pool);
uint32_t hunt_pool_count(const struct hunt_pool *pool);

/* False: it does not fit any more, which loses nothing but this. */
bool hunt_pool_add(struct hunt_pool *pool, const uint8_t *bytes, size_t size);

/* Makes the case of a seed: fresh, or in `children` percent of the cases from one of the order's parents in the pool;
 * or reads the order's input. False without memory. */
struct hunt_maker;
struct hunt_maker *hunt_maker_create(const struct harness_hunt_options *options, const struct hunt_pool *pool);
void hunt_maker_destroy(struct hunt_maker *maker); /* accepts NULL */
struct hunt_order;
bool hunt_make(struct hunt_maker *maker, const struct hunt_order *order, uint64_t seed, struct harness_case *out);

/* The same with all that is done to a case of this order before it runs. */
bool hunt_make_as_it_ran(struct hunt_maker *maker, const struct hunt_order *order, uint64_t seed,
                         struct harness_case *out);

/* --------------------------------------------------------------------------------------------------- worker.c */

/* What a worker is to do. */
struct hunt_order {
    uint64_t index; /* of the block, in the order of this shard */
    uint64_t block; /* its number in all */
    uint64_t first; /* seed, of those that are still to be run */
    uint32_t count;
    uint32_t parents;              /* of the pool */
    char input[HARNESS_HUNT_PATH]; /* the one case, which a source gave; "": those of seeds */
    struct harness_peel peel;
};

/* Of a case of a source that shows nothing here. */
#define HUNT_SOURCE "engine"

/* A case that showed something. */
struct hunt_record {
    uint64_t seed;
    char kind[HUNT_KIND];         /* as hunter.h has it; HUNT_SOURCE; "" of one that is only to be kept in the pool */
    char key[HARNESS_HUNTER_KEY]; /* the first of the block with this kind and key ... */
    uint32_t count;               /* ... and how many there were */
    uint32_t at, size;            /* of the encoded case in the desk's bytes ... */
    uint32_t said_size;           /* ... and of what was said, behind it */
};

/* Shared by the hunt and a worker. */
struct hunt_desk {
    struct hunt_order order;
    volatile uint64_t seed;                            /* in work */
    volatile uint32_t done;                            /* seeds of the order */
    volatile bool has_begun;                           /* the backends have started */
    volatile bool cut_off;                             /* the worker found its descriptors closed: a backend's doing */
    struct harness_pair_statistics statistics, before; /* the second: before the seed in work */
    uint32_t record_count;
    uint32_t used; /* of bytes */
    struct hunt_record records[HARNESS_HUNT_BLOCK];
    uint8_t bytes[HARNESS_HUNT_BLOCK * (HARNESS_MAX_INPUT + ORACLE_MESSAGE_SIZE)];
};

struct hunt_worker {
    struct harness_child child;
    struct hunt_desk *desk;
    int orders, answers; /* pipes */
    int said;            /* an unnamed file */
    bool is_busy;
    uint64_t died_on; /* seed, plus 1, that a process died on; 0: none */
    uint64_t watched; /* seed that was in work ... */
    struct harness_child_time since;
};

enum harness_status hunt_worker_start(struct hunt_worker *worker, const struct harness_hunt_options *options,
                                      const struct hunt_pool *pool, struct harness_error *error);
/* What is written to a worker, and what it answers. */
enum {
    HUNT_RUN = 'b', /* the order on its desk */
    HUNT_QUIT = 'q',
    HUNT_DONE = 'd',
    HUNT_FAILED = 'f' /* a backend does not start */
};

/* Asks an idle worker to end; hunt_worker_end waits for that, a second from `dismissed` on (harness_seconds_now) for
 * all that were asked together, or kills one that is busy. */
void hunt_worker_dismiss(struct hunt_worker *worker);
void hunt_worker_end(struct hunt_worker *worker, double dismissed);

/* The worker died on desk->seed, or was killed since it hung: that is a finding. */
void hunt_record_death(struct hunt_worker *worker, struct hunt_maker *maker, const char *deed,
                       struct harness_child_end end);

/* --------------------------------------------------------------------------------------------------- filer.c */

/* Of a process that reduces; shared with it. */
struct hunt_reduction {
    volatile bool is_done;
    enum harness_status status;
    struct harness_error error;
    struct harness_filed filed;
    bool has_cause; /* with --peel: what it taught */
    struct harness_peel_cause cause;
};

/* What the backends of a finding, "seed-1234", were created with; the second, as options of `picafuzz diff` with a
 * space behind each, where that is not as usual. */
struct pica_options hunt_machine_of(const struct harness_hunt_options *options, const char *name);
void hunt_print_machine(const struct harness_hunt_options *options, const char *name, char *out, size_t size);

struct hunt_filing {
    struct hunt_waiting what;
    struct harness_child child;
    struct harness_child_time begun;
    struct hunt_reduction *reduction; /* NULL: not begun */
    unsigned starts;
};

/* FINDINGS/NAME.pcb, and NAME.txt with what was said; NAME.pcase, if it is not to be reduced. */
enum harness_status hunt_write_found(const struct harness_hunt_options *options, const struct hunt_waiting *what,
                                     const struct harness_case *found, const char *said, struct harness_error *error);

enum harness_status hunt_filing_start(struct hunt_filing *filing, const struct harness_hunt_options *options,
                                      struct harness_error *error);

/* Has it come to an end? One that takes far too long is ended. */
bool hunt_filing_has_ended(const struct hunt_filing *filing);

/* Did it die, or have no memory, perhaps by no fault of the finding's? Then it is to be started once more. */
bool hunt_filing_begins_again(struct hunt_filing *filing);

/* Puts the finding into its bucket. `path` gets that of the .pcase. */
enum harness_status hunt_filing_put(struct hunt_filing *filing, const struct harness_hunt_options *options,
                                    char path[HARNESS_HUNT_PATH], struct harness_filed *filed,
                                    struct harness_error *error);

/* What lies outside the buckets of a finding that is in one, and waits no more on the disk either. */
void hunt_filing_remove_waiting(const struct harness_hunt_options *options, const char *name);
void hunt_filing_end(struct hunt_filing *filing);

/* --------------------------------------------------------------------------------------------------- hunt.c */

/* A block that is done, while an earlier one is not. */
struct hunt_result {
    struct hunt_result *next;
    uint64_t index;
    struct hunt_desk *desk; /* as large as it is used */
};

/* Of options->source. */
struct hunt_given_case {
    struct harness_hunt_input input; /* it is judged now */
    bool ended;                      /* there is no other; or there is no source */
    bool is_quiet;                   /* the source does nothing any more: it may be telling a case until then */
};

struct hunt {
    const struct harness_hunt_options *options;
    struct harness_hunt_summary *summary;
    struct harness_error *error;
    struct hunt_state *state; /* state->next: of blocks whose results were taken, in the order of this shard */
    struct hunt_pool *pool;
    struct hunt_maker *maker;
    struct hunt_worker workers[HARNESS_HUNT_MOST_JOBS];
    uint64_t given;                                   /* blocks that were handed out */
    struct hunt_result *results;                      /* in order */
    struct hunt_given_case from;                      /* the source */
    bool asked;                                       /* the watcher said that the hunt is to end */
    struct harness_pair_statistics statistics_before; /* of earlier starts */
    struct hunt_filing filings[HUNT_AT_ONCE];
    uint32_t filing_count;
    uint64_t known_before[HARNESS_PEEL_MOST]; /* cases that earlier hunts in the directory counted for each cause */
    uint64_t before;                          /* blocks of earlier starts, ... */
    uint32_t begun;                           /* ... and seeds of the next one */
    double began, saved;
    int lock;
};

/* --------------------------------------------------------------------------------------------------- blocks.c */

/* What the backends of a block are created with; true: its cases are in float24. */
extern const char *const hunt_sets[4]; /* the instruction sets among them */
bool hunt_vary(const struct harness_hunt_options *options, uint64_t block, struct pica_options *machine);

/* The number of the block with this index in the order of the shard. */
uint64_t hunt_number_of(const struct hunt *hunt, uint64_t index);

/* How many seeds of it this start runs; 0: there is no such block. */
uint32_t hunt_size_of(const struct hunt *hunt, uint64_t index);

/* Is it the one in whose middle this start, or the range of seeds, ends? A longer range goes on there. */
bool hunt_is_part(const struct hunt *hunt, uint64_t index);
bool hunt_ends_epoch(uint64_t blocks);
uint64_t hunt_last_epoch(uint64_t blocks);

/* --------------------------------------------------------------------------------------------------- directory.c */

/* Takes the directory for this hunt, and what earlier ones left there. */
enum harness_status hunt_begin(struct hunt *hunt);
enum harness_status hunt_save(struct hunt *hunt);

/* Says what is odd, once the hunt has ended. */
void hunt_notice(struct hunt *hunt, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --------------------------------------------------------------------------------------------------- news.c */

/* The results of the next block in order. */
enum harness_status hunt_take_block(struct hunt *hunt, const struct hunt_desk *desk);

/* Of its seeds those before `end`: the next start goes on with that one. */
enum harness_status hunt_take_part(struct hunt *hunt, const struct hunt_desk *desk, uint64_t end);
void hunt_choose_filings(struct hunt *hunt);
void hunt_queue_filings(struct hunt *hunt);
enum harness_status hunt_take_filings(struct hunt *hunt);

#endif
