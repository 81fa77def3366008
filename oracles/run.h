/*
 * What oracles judge: the state each backend is left in by the same case (a "run"), and their answer (a "report").
 * Oracles know backends only by these bytes; they execute nothing.
 */
#ifndef ORACLES_RUN_H
#define ORACLES_RUN_H

#include "pica/backend.h"
#include "pica/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Best first: the worst of several reports is their maximum. */
enum oracle_verdict {
    ORACLE_AGREE = 0,
    ORACLE_VACUOUS = 1,           /* equal, but nothing was touched: the comparison proves nothing */
    ORACLE_REFUSED = 2,           /* not tested: a backend does not support the case */
    ORACLE_DIVERGE_UNDEFINED = 3, /* different, but the case touched behaviour that the specification marks `UB:` */
    ORACLE_DIVERGE = 4,
    ORACLE_HANG = 5,
    ORACLE_CRASH = 6
};

enum {
    ORACLE_MESSAGE_SIZE = 4096,
    ORACLE_KEY_SIZE = 128,
    ORACLE_SCREENS = 3 /* enum oracle_screen (oracles/screens.h) */
};

struct oracle_scope;

/* One backend after one case. All pointers are borrowed from the runner. */
struct oracle_run {
    const char *backend;
    const struct pica_state *state;
    struct pica_state_blocks zeros; /* blocks of it that are known to hold nothing but 0 */
    struct pica_events events;
    uint32_t window_count;
    const struct pica_window *windows;         /* the same for all runs of a case */
    const uint8_t *memory[PICA_MAX_WINDOWS];   /* bytes of each window */
    const uint64_t *touched[PICA_MAX_WINDOWS]; /* page bitmap of each window, or NULL: unknown, compare all */
    const uint64_t *held[PICA_MAX_WINDOWS];    /* page bitmap of each window: pages whose bytes are valid; NULL: all */
    const uint8_t *loaded[PICA_MAX_WINDOWS];   /* what CPU loads alone would leave there, or NULL: unknown */
    const uint8_t *screens[ORACLE_SCREENS];    /* output of scan_out, r g b; NULL: shows nothing, or is not known */
    const struct oracle_scope *scope;          /* which parts are modelled, or NULL: all (oracles/scope.h) */
};

/* Are the bytes of a page valid? In a recording some are not (harness/run/recording.h). */
static inline bool oracle_holds(const struct oracle_run *run, uint32_t window, uint32_t page)
{
    return run->held[window] == NULL || (run->held[window][page / 64] >> (page % 64) & 1u) != 0;
}

struct oracle_report {
    enum oracle_verdict verdict;
    const char *oracle;                /* static: "memory_equal", ... */
    uint64_t compared;                 /* bytes, registers or words looked at */
    uint64_t differences;              /* of the same unit */
    uint32_t first;                    /* guest address or register id of the first difference */
    char key[ORACLE_KEY_SIZE];         /* the place of the first difference, without values: "register 0x092
                                          TEXUNIT1_DIM width", "state uniform c.x", "memory", "event NAME reference" */
    char message[ORACLE_MESSAGE_SIZE]; /* for people; empty if the verdict is ORACLE_AGREE */
};

/* Text of a verdict: "agree", "diverge", ... Static. */
const char *oracle_verdict_name(enum oracle_verdict verdict);

/* Appends to a report's key; text past the end is cut. */
void oracle_key(struct oracle_report *report, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Appends formatted text to a report's message; text past the end is cut. */
void oracle_say(struct oracle_report *report, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
