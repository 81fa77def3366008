#define _XOPEN_SOURCE 700

#include "harness/case/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char mark[] = ".tmp-";

enum {
    RANDOM_LENGTH = 6 /* of mkstemp */
};

void harness_temporary_name(struct harness_text *out, const char *stem)
{
    harness_text_format(out, "%s%s%ld-XXXXXX", stem, mark, (long)getpid());
}

/* The process in "STEM.tmp-PID-XXXXXX"; 0 if the name is none of that form. */
static pid_t owner_of(const char *name)
{
    const char *at = NULL;
    for (const char *next = strstr(name, mark); next != NULL; next = strstr(next + 1, mark))
        at = next + strlen(mark);
    if (at == NULL || *at < '1' || *at > '9')
        return 0;
    char *end = NULL;
    errno = 0;
    const long process = strtol(at, &end, 10);
    const bool whole = errno == 0 && process == (pid_t)process && *end == '-' && strlen(end + 1) == RANDOM_LENGTH;
    return whole ? (pid_t)process : 0;
}

static bool is_gone(pid_t process)
{
    return kill(process, 0) != 0 && errno == ESRCH;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)kind;
    (void)walk;
    return remove(path);
}

static bool clean_one(const char *directory, const char *name)
{
    struct harness_text path;
    struct stat status;
    harness_text_init(&path);
    harness_text_format(&path, "%s/%s", directory, name);
    const bool old = !path.failed && lstat(path.data, &status) == 0 &&
                     difftime(time(NULL), status.st_mtime) >= HARNESS_TEMPORARY_SECONDS;
    const bool removed = old && nftw(path.data, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0;
    harness_text_free(&path);
    return removed;
}

size_t harness_temporary_clean(const char *directory, const char *stem)
{
    DIR *const opened = opendir(directory);
    size_t removed = 0;
    if (opened == NULL)
        return 0;
    for (const struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        const pid_t owner = strncmp(entry->d_name, stem, strlen(stem)) == 0 ? owner_of(entry->d_name) : 0;
        if (owner != 0 && is_gone(owner))
            removed += clean_one(directory, entry->d_name);
    }
    (void)closedir(opened);
    return removed;
}
