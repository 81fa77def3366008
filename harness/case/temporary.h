/*
 * Temporary files, named so that those a killed process left can be told from those a living one still needs:
 * "STEM.tmp-PID-PLACE-XXXXXX". PLACE, 16 digits, says on which machine the process is (/etc/machine-id, or the host's
 * name), in which boot of that and in which PID namespace; it is left out where the host does not tell.
 */
#ifndef HARNESS_CASE_TEMPORARY_H
#define HARNESS_CASE_TEMPORARY_H

#include "harness/case/text.h"

#include <stddef.h>

/* The stem of those that harness_file_write makes, hidden, beside the file. */
#define HARNESS_TEMPORARY_FILE ".picafuzz"

enum {
    /* A day. Whether the process of a file lives can be seen if it is of this boot and PID namespace, and no file of a
     * living process goes. Another machine, or another namespace (a container), may share the directory, and its
     * processes look gone; each container is a new one, so files of a process killed in an earlier one would stay for
     * ever. The price: where those share a directory, a temporary file that has not been written to for a day may be
     * lost. */
    HARNESS_TEMPORARY_SECONDS = 24 * 60 * 60
};

/* Appends such a name, of this process, ending in the XXXXXX that mkstemp and mkdtemp need. */
void harness_temporary_name(struct harness_text *out, const char *stem);

/* Who else may write where temporary files are removed. */
enum harness_temporary_writers {
    HARNESS_WRITERS_ANYWHERE, /* also on other machines: what is of no known boot waits a day */
    HARNESS_WRITERS_HERE,     /* the same, but what this machine's earlier boots left goes at once: what has not changed
                                 since it started is of no process, in no namespace, whatever number that has */
    HARNESS_WRITERS_NONE      /* nobody, as by a lock, nor this process yet: all go */
};

/*
 * Removes from a directory (not from those below) the files and directories with such a name whose stem begins with
 * `stem`, that belong to this user, and
 * - whose process was of this boot and PID namespace and has ended, or
 * - that have not changed for a day (or as the others allow), and were made elsewhere, or nobody knows where and no
 *   process here has the number of theirs.
 * So what a living process here writes stays. If a dead one's number has another process by now, its file stays until
 * that has ended, too. A directory goes with its contents, but links are not followed, and what belongs to another user
 * stays, as do the directories around it. Returns how many went; what cannot be removed stays, and a missing directory
 * has none.
 */
size_t harness_temporary_clean(const char *directory, const char *stem, enum harness_temporary_writers others);

#endif
