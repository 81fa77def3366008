/* What the files of the comparison of two builds share. Private to harness/report. */
#ifndef HARNESS_REPORT_REGRESS_PARTS_H
#define HARNESS_REPORT_REGRESS_PARTS_H

#include "harness/report/regress.h"
#include "harness/report/report_parts.h"

struct regress_entry {
    char *path, *message;
    enum harness_outcome outcome;
    bool accepted;
    struct harness_location location; /* of what changed */
    bool at_end;                      /* pictures are of the end of the case, not of after the operation that differs */
    struct report_pictures pictures;
};

struct harness_regress {
    char *directory, *names[2];
    char compared[ORACLE_SCOPE_TEXT]; /* "memory, registers"; "": everything that there is */
    struct harness_backend teller;    /* `reference`: says which buffers a case draws to */
    struct harness_runner *watched;
    struct regress_entry *entries;
    size_t count;
};

/* Pictures of what the two differ in, as files in the folder `pictures`. */
enum harness_status regress_write_pictures(const struct harness_regress *regress, struct regress_entry *entry,
                                           const struct oracle_run runs[2], const struct harness_surfaces *surfaces,
                                           struct harness_error *error);

#endif
