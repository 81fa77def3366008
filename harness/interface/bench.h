/* What one check works with, in a process of its own. Private to the room. */
#ifndef HARNESS_INTERFACE_BENCH_H
#define HARNESS_INTERFACE_BENCH_H

#include "harness/interface/interface.h"

#include "harness/case/case.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"
#include "oracles/run.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    INTERFACE_MOST_DIGESTS = 64
};

/* What a check answers (harness_probe_question.answer). */
struct interface_said {
    enum harness_interface_verdict verdict;
    char text[HARNESS_INTERFACE_TEXT];
    char doing[128];                          /* for people, should it die now */
    uint32_t drawing;                         /* 1 + index of the draw of a twin that runs; 0: none */
    uint64_t digests[INTERFACE_MOST_DIGESTS]; /* check_fresh_process: a result for each twin */
};

struct interface_bench {
    const char *name;
    const struct pica_options *options;
    struct harness_backend backend;
    struct harness_runner *runner;
    struct harness_runner *reference;
    struct harness_case *test_case;
    struct harness_program *program;
    struct interface_said *said;
    const struct interface_check *check;
    const char *about; /* what the case is about that was read last */
    uint64_t deadly;   /* bit n: draw n of a twin ended the process before, and is left out */
};

struct interface_check {
    const char *name;
    void (*run)(struct interface_bench *bench);
    uint32_t part;   /* enum pica_part that it is about, or 0 */
    uint32_t budget; /* enum pica_budget that it is about, or 0 */
    const char *advice;
};
extern const struct interface_check interface_checks[];
extern const size_t interface_check_count;

/* ------------------------------------------------------------------------------------------------------- outcomes */

/* The check is over with this outcome; of several the first counts. */
void interface_fail(struct interface_bench *bench, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void interface_refused(struct interface_bench *bench, const char *what);
void interface_no_draws(struct interface_bench *bench); /* it takes none, or ends in each */
bool interface_is_over(const struct interface_bench *bench);

/* Says what was looked at, should the check pass. */
void interface_note(struct interface_bench *bench, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* ---------------------------------------------------------------------------------------------------------- cases */

/* Reads a case; it is ours and right. */
bool interface_read(struct interface_bench *bench, const char *text, const char *name);

/* Runs the case of the bench on the plug-in, or on the reference. False if the check is over: it failed, or the case
 * was refused. */
bool interface_run(struct interface_bench *bench, struct oracle_run *out);
bool interface_run_reference(struct interface_bench *bench, struct oracle_run *out);

/* Only `part` counts from now on. */
void interface_restrict(struct interface_bench *bench, uint32_t part);

/* Is the case of the bench the same on both? Says how it is not, or that it was refused. */
bool interface_agrees(struct interface_bench *bench);

/* Does its picture look the same, apart from rounding and edges, in which plug-ins may differ here? */
bool interface_looks_alike(struct interface_bench *bench);

/* One number for the result of the bench's case; false if the check is over. */
bool interface_digest(struct interface_bench *bench, uint64_t *out);

/* The same for the picture of a twin alone: in memory twins always differ, by their command lists. */
bool interface_picture(struct interface_bench *bench, uint64_t *out);

/* A new instance in the old one's place; false if the check is over. */
bool interface_renew(struct interface_bench *bench);

/* ------------------------------------------------------------------------------------------------- cases as text */

/* A case that shows what each part is for; NULL for PICA_PART_MEMORY, which twins show. */
const char *interface_part_case(uint32_t part);

/* The same draw twice; `changed` has one command more. */
struct interface_twin {
    const char *name;  /* what differs, for people */
    const char *setup; /* of both */
    const char *change;
};
extern const struct interface_twin interface_twins[];
extern const size_t interface_twin_count;

/* Reads twin `index`, which is draw 2 * index, or one more if it is changed. */
bool interface_read_twin(struct interface_bench *bench, size_t index, bool changed);

/* --------------------------------------------------------------------- checks that load many cases: checks_many.c */

/* Twins of cases that differ must be told apart. */
void check_twins(struct interface_bench *bench);

/* A case gives the same result, whatever was run before it. */
void check_leaks(struct interface_bench *bench);

/* The same over 1000 loads, and memory does not grow. */
void check_loads(struct interface_bench *bench);

/* The same case again, and in a new instance. */
void check_deterministic(struct interface_bench *bench);

/* The process that a plug-in shares with others is as it was before, but for what is the plug-in's own. */
void check_surroundings(struct interface_bench *bench);

/* Leaves the digests of all twins to the process that asked for the check, which compares those of two processes. */
void check_fresh_process(struct interface_bench *bench);

#endif
