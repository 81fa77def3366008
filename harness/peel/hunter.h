/*
 * What a hunt does with one case: known differences are written out of it, causes that are known are avoided, then the
 * backends run, and it is decided whether what they show is news. Fuzz targets and the hunt's own loop have the same.
 */
#ifndef HARNESS_PEEL_HUNTER_H
#define HARNESS_PEEL_HUNTER_H

#include "harness/peel/peel.h"
#include "harness/quirks/quirks.h"
#include "harness/run/pair.h"

enum {
    HARNESS_HUNTER_KEY = 256
};

struct harness_hunter;

struct harness_hunter_options {
    struct harness_pair_options pair;    /* backends, statistics and what they are created with; `measure` is set */
    const struct harness_quirks *quirks; /* known differences, borrowed; NULL: none */
    bool is_float24;                     /* every case has the numbers of PICA_PROFILE_F24 */
    bool confirms;                       /* a finding is what shows in a fresh process of the plug-in, too ... */
    bool (*has_seen)(const void *what, const char *kind, const char *key); /* ... but for those: NULL: none */
    const void *seen;                                                      /* its `what` */
    int said; /* a file that stderr of this process goes to, which is emptied: it says where a plug-in crashed; 0: not
                 known */
};

/* Starts nothing: an engine may fork first. NULL if the host refuses memory. */
struct harness_hunter *harness_hunter_create(const struct harness_hunter_options *options);
void harness_hunter_destroy(struct harness_hunter *hunter); /* accepts NULL */

/* Starts the backends if they do not run yet. NULL: one does not start. */
struct harness_pair *harness_hunter_pair(struct harness_hunter *hunter);

/* The causes that it knows, for the caller to change between two cases. */
struct harness_peel *harness_hunter_peel(struct harness_hunter *hunter);

/*
 * Rewrites and runs the case. What is known, or unstable and has been seen before, is HARNESS_AGREE and counted in the
 * statistics: `known`, `avoided`, `unstable`. TROUBLE: no verdict.
 */
enum harness_outcome harness_hunter_run(struct harness_hunter *hunter, struct harness_case *test_case);

/* Did the last case show nothing but a cause that is known? */
bool harness_hunter_knows(const struct harness_hunter *hunter);

/* After a finding: "differ", "died" or "unstable", what makes findings alike, and what people read. */
const char *harness_hunter_kind(const struct harness_hunter *hunter);
const char *harness_hunter_key(const struct harness_hunter *hunter);
const char *harness_hunter_message(const struct harness_hunter *hunter);

#endif
