/*
 * Recorded results: what some backend left after each operation of each case, in a file (docs/formats/results.md), and
 * a backend that answers from such a file. It answers for the cases that are in it and refuses others as not recorded,
 * so it stands wherever a backend is named: `recorded:FILE`.
 *
 * Writing: harness_recording_head once; then for each case, in whatever process, a recorder that is opened, begun after
 * the load, told of each step, and closed; harness_recording_end once. A file without that end is cut.
 */
#ifndef HARNESS_RUN_RECORDING_H
#define HARNESS_RUN_RECORDING_H

#include "harness/case/error.h"
#include "harness/run/runner.h"
#include "oracles/run.h"
#include "oracles/scope.h"
#include "pica/backend.h"

enum {
    HARNESS_RECORDING_VERSION = 5, /* the newest (docs/formats/results.md) */
    HARNESS_RECORDING_TEXT = 256,  /* bytes of a text in its head, the final 0 included */
    HARNESS_RECORDING_FACTS = 2048 /* bytes of its facts, the final 0 included */
};

/* Who recorded, when, what. */
struct harness_recording_head {
    char backend[HARNESS_RECORDING_TEXT]; /* its name */
    char program[HARNESS_RECORDING_TEXT]; /* that wrote the file: "picafuzz 0.1.0" */
    char date[HARNESS_RECORDING_TEXT];    /* "2026-11-23T01:20:25Z" */
    uint32_t budgets;                     /* enum pica_budget that it stops at */
    uint32_t float24;                     /* 0 or 1 */
    char facts[HARNESS_RECORDING_FACTS];  /* of the machine: "model: New 3DS\n..."; or empty */
    bool has_absences;                    /* written: something may be absent; facts say so, too */
    bool has_screens;                     /* what screens show is recorded, too */
    struct oracle_scope scope;            /* what of it was recorded; some_pages: harness_recorder_keep says which */
};

/* ---------------------------------------------------------------------------------------------------------- writing */

/* Makes the file, or empties it, and writes the head. */
enum harness_status harness_recording_head(const char *path, const struct harness_recording_head *head,
                                           struct harness_error *error);

struct harness_recorder;

/* Goes on with a file that has its head. On failure *out is NULL. */
enum harness_status harness_recorder_open(const char *path, struct harness_recorder **out, struct harness_error *error);

/* Of the cases that follow only pages that meet these ranges are recorded; the others are not compared. The file's head
 * must have scope.some_pages. Copied. */
enum harness_status harness_recorder_keep(struct harness_recorder *recorder, const struct pica_window *ranges,
                                          uint32_t count, struct harness_error *error);

/* After harness_runner_load. `name` is for people. */
enum harness_status harness_recorder_begin(struct harness_recorder *recorder, const char *name,
                                           const struct pica_setup *setup, struct harness_runner *runner,
                                           struct harness_error *error);

/* After harness_runner_step of that operation. */
enum harness_status harness_recorder_step(struct harness_recorder *recorder, const struct pica_operation *operation,
                                          struct harness_runner *runner, struct harness_error *error);

/* The same two for results that no runner has: `run` is what would have been collected. */
enum harness_status harness_recorder_begin_with(struct harness_recorder *recorder, const char *name,
                                                const struct pica_setup *setup, const struct oracle_run *run,
                                                struct harness_error *error);
enum harness_status harness_recorder_step_with(struct harness_recorder *recorder,
                                               const struct pica_operation *operation, const struct oracle_run *run,
                                               struct harness_error *error);

/* Why there is nothing after an operation, or after the load (docs/formats/results.md). */
enum harness_absence {
    HARNESS_ABSENCE_NONE = 0,
    HARNESS_ABSENCE_HANG = 1,        /* the machine hung in it */
    HARNESS_ABSENCE_UNSTABLE = 2,    /* run twice, it gave two results */
    HARNESS_ABSENCE_NOT_HELD = 3,    /* it was interrupted, or not begun */
    HARNESS_ABSENCE_UNSUPPORTED = 4, /* the backend does not support it: float24, an operation */
    HARNESS_ABSENCE_CRASH = 5,       /* an emulator ended in it: a verdict, not a gap */
    HARNESS_ABSENCE_HUNG = 6         /* an emulator did not come to its end: the same */
};

/* Instead of a step: there is nothing after that operation, nor after later ones; then the case ends. `code`: of a
 * CRASH (struct harness_death), else 0. The file's head must have facts or absences: they are what makes it version
 * 2. */
enum harness_status harness_recorder_absent(struct harness_recorder *recorder, const struct pica_operation *operation,
                                            enum harness_absence why, uint32_t code, struct harness_error *error);

/* Instead of harness_recorder_begin: the backend does not take the case. Then it ends. */
enum harness_status harness_recorder_refused(struct harness_recorder *recorder, const char *name,
                                             const struct pica_setup *setup, struct harness_error *error);

/* The case is complete. */
enum harness_status harness_recorder_end(struct harness_recorder *recorder, struct harness_error *error);

void harness_recorder_close(struct harness_recorder *recorder); /* accepts NULL */

/* The file is complete, and on the disk. */
enum harness_status harness_recording_end(const char *path, struct harness_error *error);

/* ---------------------------------------------------------------------------------------------------------- reading */

struct harness_recording;

/* HARNESS_BAD_INPUT with file and offset if it is cut, edited, or of another version. On failure *out is NULL. */
enum harness_status harness_recording_open(const char *path, struct harness_recording **out,
                                           struct harness_error *error);

/* The same from memory, which is borrowed for the recording's life. `name` is for messages. */
enum harness_status harness_recording_parse(const char *name, const uint8_t *bytes, size_t size,
                                            struct harness_recording **out, struct harness_error *error);
void harness_recording_close(struct harness_recording *recording); /* accepts NULL */

/* Complete cases in the recording whose backend this is. */
size_t harness_recording_cases(const struct pica_backend *backend);

/* Valid while the recording is open. */
const struct pica_backend *harness_recording_backend(const struct harness_recording *recording);

#endif
