/* The backends this program knows: the linked ones, and shared libraries that export pica_backend_entry. */
#ifndef HARNESS_RUN_BACKENDS_H
#define HARNESS_RUN_BACKENDS_H

#include "harness/case/case.h"
#include "harness/case/error.h"
#include "harness/run/kind.h"
#include "oracles/tolerance.h"
#include "pica/images.h"
#include "pica/visits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of the linked backends. */
enum {
    HARNESS_REFERENCE = 0,
    HARNESS_FAST = 1,
    HARNESS_LINKED_BACKENDS = 2
};

enum {
    HARNESS_MOST_BACKENDS = 8 /* of one comparison */
};

const struct pica_backend *harness_linked_backend(size_t number);

struct harness_process;
struct harness_plug_in;

/* An opened backend: linked, a shared library, or either of them in a process of its own. */
struct harness_backend {
    const struct pica_backend *backend;
    void *library;                            /* handle of a shared library, else NULL */
    struct harness_plug_in *plug_in;          /* what that offers, else NULL */
    struct harness_process *process;          /* else NULL */
    unsigned memory_mib;                      /* of a shared library in this process: its limit, which the process that
                                                 hosts it keeps (harness/run/memory.h) */
    bool is_ours;                             /* a linked one, in whatever process: its results are compared whole */
    struct oracle_scope scope;                /* what of its results is compared: what it declares, or less */
    const struct oracle_tolerance *tolerance; /* how far they may be off; NULL: not at all */
};

/*
 * Finds a backend by the name of a linked one, or opens the shared library at a path (a name that contains '/') in a
 * process of its own (harness/run/process.h): HARNESS_CRASHED if it dies at once. After "inline:" it is opened in this
 * process, after "process:" a linked one has a process, too. "reference+CHOICE=SIDE+..." is a `reference` that takes
 * these sides of known choices (pica/splits.def); its events mean nothing then and are not compared. After "recorded:"
 * comes the path of recorded results (harness/run/recording.h).
 */
enum harness_status harness_backend_open(const char *name, struct harness_backend *out, struct harness_error *error);

/* In this process, whatever the name says, after a trial in another one has shown that it survives being opened. */
enum harness_status harness_backend_host(const char *name, struct harness_backend *out, struct harness_error *error);

/* The same without that trial: for a process that the backend may bring down. */
enum harness_status harness_backend_open_here(const char *name, struct harness_backend *out,
                                              struct harness_error *error);

/* The backend that is called "reference+CHOICE=SIDE+...", by these sides instead of a name. */
enum harness_status harness_backend_open_chosen(const struct pica_choices *choices, struct harness_backend *out,
                                                struct harness_error *error);

/* Is it one of a shared library in this process? */
bool harness_backend_is_guest(const struct pica_backend *backend);

/* Does the name mean a linked backend, in whatever process? */
bool harness_backend_name_is_ours(const char *name);

/*
 * Histories of pixels in bulk (pica/visits.h), from a runner's `reference` in this process, with whatever sides of
 * known choices: from now on; NULL ends that. PICA_NOT_SUPPORTED from any other backend.
 */
struct harness_runner;
enum pica_status harness_observe_visits(struct harness_runner *runner, const struct pica_visits *visits);

/* Texture images as colours (pica/images.h), from the same; as ref_find_image and ref_read_image. */
enum pica_status harness_find_image(struct harness_runner *runner, uint32_t unit, uint32_t face, uint32_t level,
                                    struct pica_image *out);
enum pica_status harness_read_image(struct harness_runner *runner, const struct pica_image *image, uint8_t *rgba,
                                    size_t size);

/* The part after "process:" or "inline:", or the whole name if it lacks them. */
const char *harness_backend_target(const char *name);

/* The name without "inline:", so that a plug-in gets a process of its own: for commands that only show what a backend
 * does, and would die with it. */
const char *harness_backend_apart(const char *name);

/* harness_process_limit, for a backend in a process of its own; others have no limit. */
void harness_backend_limit(struct harness_backend *backend, unsigned busy_ms, unsigned wall_ms);

/* Limits the plug-in's memory, in MiB; 0: any amount. A process of its own keeps the limit by itself; a process that is
 * started to host the plug-in calls harness_backend_keep_memory. */
void harness_backend_memory(struct harness_backend *backend, unsigned mebibytes);

/* Limits the memory of this process, which hosts these backends, to the largest of their limits. */
void harness_backend_keep_memory(const struct harness_backend *backends, size_t count);

void harness_backend_close(struct harness_backend *backend);

/*
 * The instruction sets `fast` has in this build, by name: "scalar", "avx2", "avx512", "neon". harness_instruction_set
 * gives the options mask that selects nothing better than the named one, false for an unknown name; "all" is everything
 * the host has. harness_host_instruction_sets lists those that work on this host, as text.
 */
bool harness_instruction_set(const char *name, uint32_t *mask);
const char *harness_host_instruction_sets(void);

/* Lets its results be off by so much. Our own are exact: for them it does nothing. `tolerance` is borrowed. */
void harness_backend_tolerate(struct harness_backend *backend, const struct oracle_tolerance *tolerance);

/* Do all of them take cases in float24? */
bool harness_backends_take_float24(const struct harness_backend *backends, size_t count);

/* Generated cases are in float24 or not by chance. Where a backend would refuse one for that, this turns it into
 * binary32: true if it was changed. */
bool harness_backends_fit_profile(const struct harness_backend *backends, size_t count, struct harness_case *test_case);

/* Leaves out of its results what `scope` does not have. Our own are compared whole: for them it does nothing. */
void harness_backend_restrict(struct harness_backend *backend, const struct oracle_scope *scope);

/* The same by names with commas between them: parts that alone count, registers or parts that do not. NULL: none given.
 * HARNESS_BAD_INPUT if there is no such name. */
enum harness_status harness_backend_restrict_to(struct harness_backend *backend, const char *only, const char *ignore,
                                                struct harness_error *error);

#endif
