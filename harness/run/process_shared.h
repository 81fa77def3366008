/* The two ends of a backend in a process of its own: what they share. Only process.c and process_server.c include
 * it. */
#ifndef HARNESS_RUN_PROCESS_SHARED_H
#define HARNESS_RUN_PROCESS_SHARED_H

#include "harness/run/plug_in.h"
#include "pica/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Requests: the single byte that is sent over the socket (all else lies in the mailbox), and what messages call the
 * request if the backend dies in it. CASE: load, all operations, then everything that reading results asks for. EDGES:
 * the counters into `edges`; they begin at 0 again. QUIT destroys the instance. */
#define PROCESS_REQUESTS(X)              \
    X(OPEN, 'o', "dlopen")               \
    X(CREATE, 'c', "create")             \
    X(LOAD, 'l', "load")                 \
    X(RUN, 'r', "run")                   \
    X(READ_MEMORY, 'm', "read_memory")   \
    X(READ_STATE, 's', "read_state")     \
    X(READ_EVENTS, 'e', "read_events")   \
    X(VIEW, 'v', "view_memory")          \
    X(PAGES, 'p', "touched_pages")       \
    X(OBSERVE, 'w', "observe_draws")     \
    X(TRACE, 't', "trace")               \
    X(SAVE, 'S', "save")                 \
    X(RESTORE, 'R', "restore")           \
    X(DISCARD, 'D', "discard")           \
    X(SCAN_OUT, 'x', "scan_out")         \
    X(FEATURES, 'f', "observe_features") \
    X(FINISH, 'F', "finish")             \
    X(CASE, 'C', "reading results")      \
    X(EDGES, 'E', "counting edges")      \
    X(QUIT, 'q', "destroy")

enum process_request {
#define PROCESS_REQUEST(name, byte, words) PROCESS_##name = byte,
    PROCESS_REQUESTS(PROCESS_REQUEST)
#undef PROCESS_REQUEST
};

enum process_reply {
    PROCESS_DONE = 'd', /* the call returned `status` */
    PROCESS_DRAW = 'w', /* `draw` is to be observed; the other end waits for a byte */
    PROCESS_STEPS = 't' /* `steps` are full; the other end waits for a byte */
};

enum {
    PROCESS_GUARD = 0x70696361, /* at both ends of the mailbox: overwritten by a backend that writes out of bounds */
    PROCESS_TEXT = 256,
    PROCESS_STEP_NAME = 32,
    PROCESS_STEPS_AT_ONCE = 256,
    PROCESS_COUNTERS = 1 << 16,
    PROCESS_MOST_EDGES = 1 << 20,  /* more are not told */
    PROCESS_PIECE = 1 << 20,       /* bytes of memory copied at once */
    PROCESS_BITMAP_WORDS = 1 << 10 /* of the largest window, twice */
};

/* Functions that a backend may lack. */
#define PROCESS_OPTIONAL(X) \
    X(read_state)           \
    X(read_events)          \
    X(view_memory)          \
    X(touched_pages)        \
    X(observe_draws)        \
    X(trace)                \
    X(save)                 \
    X(restore)              \
    X(discard)              \
    X(scan_out)             \
    X(observe_features)     \
    X(finish)

struct process_has {
#define PROCESS_HAS(function) bool function;
    PROCESS_OPTIONAL(PROCESS_HAS)
#undef PROCESS_HAS
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
    struct process_has has;
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
    struct pica_state_blocks zeros; /* blocks of the state that are known to hold nothing but 0 */
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
