/*
 * Temporary files, named so that what a killed process left behind can be told from what a living one still needs:
 * "STEM.tmp-PID-XXXXXX".
 */
#ifndef HARNESS_CASE_TEMPORARY_H
#define HARNESS_CASE_TEMPORARY_H

#include "harness/case/text.h"

#include <stddef.h>

/* The stem of those that harness_file_write makes, hidden, beside the file. */
#define HARNESS_TEMPORARY_FILE ".picafuzz"

enum {
    HARNESS_TEMPORARY_SECONDS = 60 /* no younger file is removed: a process elsewhere may share the directory */
};

/* Appends such a name, of this process, to end in the XXXXXX that mkstemp and mkdtemp want. */
void harness_temporary_name(struct harness_text *out, const char *stem);

/*
 * Removes from a directory (not from those below) the files and directories with such a name whose stem begins with
 * `stem`, which have not changed for a minute, and whose process is gone from this host. Returns how many; what cannot
 * be removed stays, a missing directory has none.
 */
size_t harness_temporary_clean(const char *directory, const char *stem);

#endif
