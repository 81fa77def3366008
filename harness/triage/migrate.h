/*
 * Renames bucket directories that are named by an older version of the key. A directory is renamed atomically, and only
 * if all of its cases fall into one bucket whose name is not taken yet; otherwise it is left as it is.
 */
#ifndef HARNESS_TRIAGE_MIGRATE_H
#define HARNESS_TRIAGE_MIGRATE_H

#include "harness/triage/triage.h"

/* What became of one directory. */
struct harness_migrated {
    const char *path;    /* of the directory, as it was */
    const char *bucket;  /* its name now, or the one that it cannot have */
    const char *refused; /* why it stays as it is; NULL: it was renamed */
};

typedef void (*harness_migrated_teller)(void *user, const struct harness_migrated *migrated);

/* `triage` is not updated: its paths still name the old directories afterwards. Fails if a directory can be neither
 * renamed nor left as it is. */
enum harness_status harness_migrate(const struct harness_triage *triage, harness_migrated_teller tell, void *user,
                                    struct harness_error *error);

#endif
