/* An instance in a process of its own and the calls to it. Only process.c and process_link.c include this. */
#ifndef HARNESS_RUN_PROCESS_LINK_H
#define HARNESS_RUN_PROCESS_LINK_H

#include "harness/run/child.h"
#include "harness/run/kind.h"
#include "harness/run/process.h"
#include "harness/run/process_shared.h"
#include "harness/run/shared.h"

struct harness_process {
    struct harness_special special; /* must be first: users hold pointers to it */
    char *target;
    char name[PROCESS_TEXT], summary[PROCESS_TEXT];
    struct harness_declaration declaration;
    uint32_t edge_count;
    bool has_view;
    unsigned memory_mib; /* 0: no limit */
    unsigned fresh;      /* cases of a process; 0: no limit */
    struct harness_death farewell;
    unsigned busy_ms, wall_ms; /* of a call; 0: no limit */
};

/* A name of a trace step that pica/trace.def does not have; kept as long as the instance. */
struct process_name {
    struct process_name *next;
    char text[PROCESS_STEP_NAME];
};

struct process_instance {
    struct harness_process *process;
    struct pica_options options;
    struct process_mailbox *mailbox;
    struct harness_child child;
    int socket;
    struct harness_packer room;              /* of the mapping: for the next operation */
    enum pica_operation_kind operation_kind; /* of the last run */
    uint8_t *views[PICA_MAX_WINDOWS];
    uint32_t window_count;
    unsigned cases;    /* of this process */
    double case_began; /* its processor time then, in seconds */
    uint64_t *bitmaps[PICA_MAX_WINDOWS];
    const struct pica_operation *operations; /* of PROCESS_CASE; not the mailbox's, which a backend may overwrite */
    uint32_t operation_count;
    bool results_are_here; /* the mailbox holds state, events, views and pages as they are now */
    pica_draw_observer observer;
    void *observer_user;
    struct pica_trace_request request; /* while there is a sink */
    pica_trace_sink sink;
    void *sink_user;
    uint8_t *counters; /* NULL: nothing is counted */
    size_t counter_count;
    struct process_name *names;
    struct harness_death death;
};

/* Starts a process; nothing is opened in it yet. False, with errno, if none can be started. */
bool process_start(struct process_instance *instance);

/* Sends a request and serves what the other end asks for meanwhile. PICA_FAILED, and instance->death says why, if its
 * process is gone, or hangs and was killed. */
enum pica_status process_call(struct process_instance *instance, enum process_request request);

/* Asks the process to destroy its instance, to unload and to end; ends it if it does not, or dies of that, and then
 * process->farewell says so. */
void process_quit(struct process_instance *instance);

#endif
