/* The two ends of a backend in a process of its own: what they share. Only process.c and process_server.c include
 * it. */
#ifndef HARNESS_RUN_PROCESS_SHARED_H
#define HARNESS_RUN_PROCESS_SHARED_H

#include "harness/run/plug_in.h"
#include "pica/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The single byte that one end sends over the socket; all else lies in the mailbox. */
enum process_request {
    PROCESS_OPEN = 'o', /* hello */
    PROCESS_CREATE = 'c',
    PROCESS_LOAD = 'l',
    PROCESS_RUN = 'r',
    PROCESS_READ_MEMORY = 'm',
    PROCESS_READ_STATE = 's',
    PROCESS_READ_EVENTS = 'e',
    PROCESS_VIEW = 'v',
    PROCESS_PAGES = 'p',
    PROCESS_OBSERVE = 'w',
    PROCESS_TRACE = 't',
    PROCESS_SAVE = 'S',
    PROCESS_RESTORE = 'R',
    PROCESS_DISCARD = 'D',
    PROCESS_SCAN_OUT = 'x',
    PROCESS_FEATURES = 'f',
    PROCESS_FINISH = 'F',
    PROCESS_CASE = 'C',  /* load, all operations, then everything that reading results asks for */
    PROCESS_EDGES = 'E', /* the counters into `edges`; they begin at 0 again */
    PROCESS_QUIT = 'q'   /* destroys the instance; no reply */
};

enum process_reply {
    PROCESS_DONE = 'd', /* the call returned `status` */
    PROCESS_DRAW = 'w', /* `draw` is to be observed; the other end waits for a byte */
    PROCESS_STEPS = 't' /* `steps` are full; the other end waits for a byte */
};

enum {
    PROCESS_GUARD = 0x70696361, /* at both ends of the mailbox: who writes all over memory writes there */
    PROCESS_TEXT = 256,
    PROCESS_STEP_NAME = 32,
    PROCESS_STEPS_AT_ONCE = 256,
    PROCESS_COUNTERS = 1 << 16,
    PROCESS_MOST_EDGES = 1 << 20,  /* more are not told */
    PROCESS_PIECE = 1 << 20,       /* bytes of memory copied at once */
    PROCESS_BITMAP_WORDS = 1 << 10 /* of the largest window, twice */
};

/* Optional calls that the backend has. */
enum process_capability {
    PROCESS_HAS_PAGES = 1 << 0,
    PROCESS_HAS_OBSERVE = 1 << 1,
    PROCESS_HAS_TRACE = 1 << 2,
    PROCESS_HAS_SNAPSHOTS = 1 << 3,
    PROCESS_HAS_SCAN_OUT = 1 << 4,
    PROCESS_HAS_FEATURES = 1 << 5,
    PROCESS_HAS_STATE = 1 << 6,
    PROCESS_HAS_EVENTS = 1 << 7,
    PROCESS_HAS_FINISH = 1 << 8,
    PROCESS_HAS_VIEW = 1 << 9
};

struct process_step {
    char stage[PROCESS_STEP_NAME], name[PROCESS_STEP_NAME];
    struct pica_trace_step step; /* its strings are those above */
};

/* At the start of the memory that both ends share. It is mapped before the process is forked, so that pointers into it
 * mean the same on both sides. */
struct process_mailbox {
    uint32_t guard;
    size_t size; /* of the mapping */
    enum pica_status status;
    volatile bool cut_off;         /* the server found its socket closed: the backend's doing */
    volatile unsigned refused_mib; /* the server died after memory was refused: its limit */

    char fault[PROCESS_TEXT]; /* PROCESS_OPEN: why it cannot be used, or "" */
    char name[PROCESS_TEXT], summary[PROCESS_TEXT];
    uint32_t capabilities;
    struct harness_declaration declaration;

    struct pica_options options;
    struct pica_setup setup; /* points into the arena */
    uint8_t *views[PICA_MAX_WINDOWS];
    uint64_t *bitmaps[PICA_MAX_WINDOWS];     /* PROCESS_CASE: of each window */
    const struct pica_operation *operations; /* PROCESS_CASE, in the arena */
    uint32_t operation_count;
    volatile uint32_t progress;      /* PROCESS_CASE: operations begun; 0: loading */
    volatile bool reading;           /* PROCESS_CASE: all of them are done */
    struct pica_operation operation; /* its data in the arena */
    uint32_t address, window;
    int which;
    size_t length; /* bytes, or words of the bitmap */
    bool on;       /* PROCESS_OBSERVE, PROCESS_TRACE, PROCESS_FEATURES */
    struct pica_trace_request request;
    void *snapshot;

    struct pica_draw draw; /* points at `registers` */
    uint32_t registers[PICA_REGISTERS];
    uint32_t step_count;
    struct process_step steps[PROCESS_STEPS_AT_ONCE];
    struct pica_state state;
    struct pica_events events;
    uint64_t bitmap[PROCESS_BITMAP_WORDS];
    uint8_t counters[PROCESS_COUNTERS];
    size_t counter_count;
    uint32_t edge_count; /* of the library, 0: not instrumented */
    bool wants_edges;    /* PROCESS_CASE: puts the counters into `edges`, too */
    uint8_t edges[PROCESS_MOST_EDGES];
    uint8_t map[2 * PROCESS_MOST_EDGES]; /* where guards count: the upper half; below it, this program's own if it is
                                            instrumented like that */
    uint8_t bytes[PROCESS_PIECE];        /* PROCESS_READ_MEMORY, PROCESS_SCAN_OUT */
    uint32_t end_guard;
};

/* The process's main loop: opens the backend called `name` and answers requests until the other end is gone. */
_Noreturn void process_serve(const char *name, struct process_mailbox *mailbox, int socket);

#endif
