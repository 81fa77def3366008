/*
 * What a hunt does with one case: known differences are rewritten out of the case, known causes are avoided, the
 * backends run, and the hunter decides whether what they show is new. Fuzz targets and the hunt's own loop share this.
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
    struct harness_pair_options pair;    /* backends, statistics, and options of the backends; `measure` is set here */
    const struct harness_quirks *quirks; /* known differences, borrowed; NULL: none */
    bool confirms;                       /* a finding must show in a fresh process of the plug-in, too ... */
    bool (*has_seen)(const void *what, const char *kind, const char *key); /* ... unless seen before; NULL: none */
    const void *seen;                                                      /* passed as `what` */
    int said; /* descriptor of the file that stderr of this process goes to, emptied before each run; names the place
                 where a plug-in crashed; 0: none */
};

/* Starts no backend yet, since an engine may fork first. NULL if the host refuses memory. `options` is copied. */
struct harness_hunter *harness_hunter_create(const struct harness_hunter_options *options);
void harness_hunter_destroy(struct harness_hunter *hunter); /* accepts NULL */

/* Starts the backends if they do not run yet. NULL: one of them does not start. */
struct harness_pair *harness_hunter_pair(struct harness_hunter *hunter);

/* The causes that the hunter avoids; the caller may change them between two cases. */
struct harness_peel *harness_hunter_peel(struct harness_hunter *hunter);

/*
 * Rewrites and runs the case, which stays rewritten. A case that shows only a known cause is HARNESS_AGREE and counted
 * in the statistics (`known`). So is an unstable one (`unstable`), except the 1st, 2nd, 4th, 8th ..., which are
 * findings. `avoided` counts cases that were freed of a cause before they ran. HARNESS_TROUBLE: no verdict.
 */
enum harness_outcome harness_hunter_run(struct harness_hunter *hunter, struct harness_case *test_case);

/* Did the last case show nothing but a known cause? */
bool harness_hunter_knows(const struct harness_hunter *hunter);

/* After a finding: its kind, which is "differ", "died" or "unstable"; the key, which is the same for findings that look
 * alike; and a message for people. All belong to the hunter; the next run replaces them. */
const char *harness_hunter_kind(const struct harness_hunter *hunter);
const char *harness_hunter_key(const struct harness_hunter *hunter);
const char *harness_hunter_message(const struct harness_hunter *hunter);

#endif
