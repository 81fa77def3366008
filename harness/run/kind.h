/*
 * Backends that the harness itself implements: one in a process of its own, recorded results, a `reference` with other
 * sides of known choices. Each is a struct that begins with a struct harness_special; the functions that it has beyond
 * those of pica/backend.h stand in the table of its kind. The linked backends have such a table, too.
 */
#ifndef HARNESS_RUN_KIND_H
#define HARNESS_RUN_KIND_H

#include "oracles/scope.h"
#include "pica/backend.h"
#include "pica/splits.h"
#include "pica/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct harness_death;

/* All but `create` may be NULL: the kind lacks that. */
struct harness_kind {
    enum pica_status (*create)(const struct pica_backend *backend, const struct pica_options *options, void **instance);
    void (*close)(void *special);
    unsigned (*memory_limit)(const struct pica_backend *backend); /* MiB; NULL: that of this process */
    const struct harness_death *(*death)(const void *instance);   /* harness_runner_death */
    void (*renew)(void *instance);                                /* harness_process_renew */
    enum pica_status (*run_case)(void *instance, const struct pica_setup *setup,
                                 const struct pica_operation *operations, uint32_t count,
                                 uint32_t *begun); /* harness_runner_run_case */
    enum pica_status (*view_state)(void *instance, const struct pica_state **state,
                                   struct pica_state_blocks *zeros); /* read_state without a copy, and which blocks are
                                                                         known to be 0 */
    const char *(*refusal)(const void *instance, bool loads);        /* why it did not take the last load or run */
    size_t (*fault)(const void *instance); /* offset in its file of the damage that made a call fail */
    void (*held)(
        const void *instance, uint32_t window,
        uint64_t *bitmap); /* of a recording, which alone has it: sets the bits of the pages of a window that its
                                       last step holds; others become 0 */
};

struct harness_special {
    struct pica_backend backend; /* first; its `create` is harness_special_create */
    const struct harness_kind *kind;
    bool some_pages; /* its results hold only some pages of memory */
    bool is_chosen;  /* it is a `reference`, in whatever process, that takes the sides in `choices` */
    struct pica_choices choices;
};

/* Always refuses, since it is not told which backend is meant: instances come from the kind's `create`. */
enum pica_status harness_special_create(const struct pica_options *options, void **instance);

/* NULL: it is none of them, but a linked one, or one of a shared library in this process. */
const struct harness_special *harness_special(const struct pica_backend *backend);

/* Never NULL: the kind of other backends has `create` alone. */
const struct harness_kind *harness_kind(const struct pica_backend *backend);

/* backends.c: of a linked backend; NULL for all others. */
const struct harness_kind *harness_linked_kind(const struct pica_backend *backend);

enum pica_status harness_create_plain(const struct pica_backend *backend, const struct pica_options *options,
                                      void **instance);

/* Does it answer from recorded results? */
bool harness_is_recorded(const struct pica_backend *backend);

/* An instance of any backend. `options->capacity` alone says whether that is limited; a backend that refuses a limit is
 * created without. */
enum pica_status harness_backend_create(const struct pica_backend *backend, const struct pica_options *options,
                                        void **out);

/* What it models: what it declares, and the screens if it has a scan_out. */
void harness_backend_models(const struct pica_backend *backend, struct oracle_scope *out);

#endif
