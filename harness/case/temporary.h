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
    /* A day; nothing younger is removed. Whether a process lives is only known of those that this one can see: another
     * host, or another PID namespace (a container), may share the directory, and its processes look gone. Names do not
     * say which host and namespace they are of: each boot and each container is a new one, so what a killed process of
     * an earlier one left would stay for ever. The price: who shares a directory across namespaces may lose a temporary
     * file that he has not written to for a day. */
    HARNESS_TEMPORARY_SECONDS = 24 * 60 * 60
};

/* Appends such a name, of this process, to end in the XXXXXX that mkstemp and mkdtemp want. */
void harness_temporary_name(struct harness_text *out, const char *stem);

/*
 * Removes from a directory (not from those below) the files and directories with such a name whose stem begins with
 * `stem`, which are this user's, have not changed for a day, and whose process this one cannot see. A directory goes
 * with what is in it, but links are not followed, and what is another user's stays, and with it the directories that it
 * is in. Returns how many; what cannot be removed stays, a missing directory has none.
 */
size_t harness_temporary_clean(const char *directory, const char *stem);

#endif
