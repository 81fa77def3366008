/*
 * Temporary files, named so that those that a killed process has left can be told from those that a living one still
 * needs: "STEM.tmp-PID-PLACE-XXXXXX". PLACE, 16 digits, identifies the machine of the process (by /etc/machine-id or
 * the host name), its boot and the PID namespace; it is left out where the host does not tell these.
 */
#ifndef HARNESS_CASE_TEMPORARY_H
#define HARNESS_CASE_TEMPORARY_H

#include "harness/case/text.h"

#include <stddef.h>

/* The stem of those that harness_file_write makes, hidden, beside the file. */
#define HARNESS_TEMPORARY_FILE ".picafuzz"

enum {
    /* A day. Whether the process of a file is alive can be seen only from the same boot and PID namespace; there no
     * file of a living process is removed. Another machine or another namespace (a container) may share the directory,
     * and its processes cannot be seen. Their files must not stay for ever, since each container is a new namespace: so
     * they are removed once they have not changed for a day, even though their process may still be alive. */
    HARNESS_TEMPORARY_SECONDS = 24 * 60 * 60
};

/* Appends such a name for this process, ending in the XXXXXX that mkstemp and mkdtemp need. */
void harness_temporary_name(struct harness_text *out, const char *stem);

/* Who else may be writing temporary files in the directory. */
enum harness_temporary_writers {
    HARNESS_WRITERS_ANYWHERE, /* processes on this and other machines */
    HARNESS_WRITERS_HERE, /* only processes on this machine: what has not changed since it booted is removed at once */
    HARNESS_WRITERS_NONE  /* nobody, because of a lock, and not yet this process: all files are removed */
};

/*
 * Removes from a directory (not from its subdirectories) the files and directories with such a name, and a stem that
 * begins with `stem`, that belong to this user and
 * - whose process was in this boot and PID namespace and has ended, or
 * - that have not changed for a day (or as `others` says), and were made elsewhere; or it is not known where, and no
 *   process here has their PID.
 * So what a living process here writes stays. If another process has the PID of a dead one by now, the file stays until
 * that has ended, too. Directories are removed with their contents, but links are not followed, and what belongs to
 * another user stays, with the directories around it. Returns how many were removed; what cannot be removed stays.
 */
size_t harness_temporary_clean(const char *directory, const char *stem, enum harness_temporary_writers others);

#endif
