/*
 * Metamorphic relations: changes of a case that must not matter on any correct GPU. Each relation turns a script (what
 * a backend is given) into two, base and variant, which must leave the same bytes. This tests a single backend, without
 * another one to compare with.
 *
 * Oracles execute nothing: oracle_relation_apply transforms, its caller runs both scripts on one backend, and
 * oracle_relation_judge compares. A relation is applied only where the rules that it names prove that nothing may
 * change; the rest stays as it is. Base and variant declare the same windows and load the same bytes at the
 * same time, so memory is compared without exceptions; the table says what else must be left out of the comparison.
 */
#ifndef ORACLES_METAMORPHIC_H
#define ORACLES_METAMORPHIC_H

#include "oracles/run.h"
#include "pica/events.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a backend is given for one case. Everything it points to is borrowed. */
struct oracle_script {
    struct pica_setup setup;
    const struct pica_operation *operations;
    uint32_t count;
};

/* Where results are built: memory that the caller owns, handed out from the front. */
struct oracle_workspace {
    uint8_t *bytes;
    size_t size;
    size_t used;
};

enum {
    ORACLE_WORKSPACE_SIZE = 16 << 20 /* bytes: enough for any fuzzed case and most captures; if it is full, places are
                                        left unchanged */
};

/*
 * Where a relation may change something: commands of the lists that can be followed, or operations, counted from 0 in
 * the order in which they run. Part first .. end - 1 of them is changed.
 */
struct oracle_part {
    uint32_t first, end;
};

/* One place, as it is in the case. */
struct oracle_place {
    uint32_t operation; /* index in the script */
    bool is_command;    /* the place is a command of the list that the operation submits; the members below describe
                           it */
    uint32_t command;   /* from 0 */
    uint32_t id;        /* register of its first parameter */
    uint32_t mask;      /* 0-15 */
    uint32_t count;     /* parameters */
    uint32_t parameter; /* the first */
};

/* Two scripts that must give the same result. */
struct oracle_twins {
    struct oracle_script base;
    struct oracle_script variant;
    uint32_t places;                 /* where the variant differs; 0: the relation does not apply */
    uint32_t candidates;             /* number of places inside and outside the part */
    struct oracle_place first, last; /* places of the part */
};

struct oracle_relation;

/* Internal registers first .. last. */
struct oracle_span {
    uint16_t first, last;
};

enum {
    ORACLE_MAX_SPANS = 10,
    ORACLE_MAX_IGNORED = 6
};

/* What a comparison leaves out. */
struct oracle_exclusions {
    struct oracle_span registers[ORACLE_MAX_SPANS];
    uint32_t register_spans;
    uint32_t interrupts;                         /* bit i: counter i (EXT-CMD-10) */
    uint32_t external_words;                     /* bit 0: XFER.START, bit 1: STATUS */
    enum pica_event ignored[ORACLE_MAX_IGNORED]; /* events that may differ */
    uint32_t ignored_count;
    enum pica_event voids[ORACLE_MAX_IGNORED]; /* if the base run has one of these events, it proves nothing */
    uint32_t void_count;
};

struct oracle_job;
struct oracle_command;

struct oracle_relation {
    const char *name;  /* "split-arrays" */
    const char *what;  /* what the variant does differently */
    const char *rules; /* the rule ids that prove it, with spaces between them */
    struct oracle_exclusions exclude;
    /* How it is built (oracles/relate.h); unused ones are NULL. */
    void (*prepare)(struct oracle_job *job);
    void (*command)(struct oracle_job *job, const struct oracle_command *command);
    void (*finish)(struct oracle_job *job);
    bool (*operation)(struct oracle_job *job, const struct pica_operation *operation);
};

/* The table of all relations: how many, and number `index` (NULL beyond the last). */
size_t oracle_relation_count(void);
const struct oracle_relation *oracle_relation_at(size_t index);

/*
 * Those rules of the relation where sources disagree and the specification chose one side ([SPLIT] in docs/spec), with
 * spaces between them; cut to `size`. A backend that takes the other side may break the relation rightly.
 */
void oracle_relation_splits(const struct oracle_relation *relation, char *out, size_t size);

/* What is done to a script. */
struct oracle_attempt {
    const struct oracle_relation *relation;
    uint64_t seed;           /* decides what the relation leaves open: where to split, what garbage to write */
    struct oracle_part part; /* the rest stays as it is */
};

#define ORACLE_WHOLE UINT32_MAX /* the end of a part that is everything */

/*
 * Builds base and variant in `space`, where they stay until the caller resets it (used = 0). The same attempt gives the
 * same twins. Returns false if the relation applies nowhere in the part or `space` is too small.
 */
bool oracle_relation_apply(const struct oracle_attempt *attempt, const struct oracle_script *script,
                           struct oracle_workspace *space, struct oracle_twins *twins);

/* True if an event of the base run (an exhausted budget, say) means that the pair proves nothing. */
bool oracle_relation_is_void(const struct oracle_relation *relation, const struct pica_events *base);

/*
 * All exact oracles over both runs, but for what the relation excludes. `scratch` is overwritten. The message names the
 * relation, its rules and the first differing register, byte and state member.
 */
void oracle_relation_judge(const struct oracle_relation *relation, const struct oracle_run *base,
                           const struct oracle_run *variant, struct pica_state *scratch, struct oracle_report *report);

#endif
