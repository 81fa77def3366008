#define _POSIX_C_SOURCE 200809L

#include "harness/case/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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

/* The process in "STEM.tmp-PID-XXXXXX"; 0 if the name is not of that form. */
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

static bool is_ours(const struct stat *status)
{
    return status->st_uid == geteuid();
}

/* Relative to open directories, and never through a link: so no path can be made to lead elsewhere meanwhile. */
static bool remove_at(int parent, const char *name);

static bool empty_directory(int parent, const char *name)
{
    struct stat status;
    const int descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *const opened =
        descriptor >= 0 && fstat(descriptor, &status) == 0 && is_ours(&status) ? fdopendir(descriptor) : NULL;
    if (opened == NULL) {
        if (descriptor >= 0)
            (void)close(descriptor);
        return false;
    }
    bool removed = true;
    for (const struct dirent *entry; removed && (entry = readdir(opened)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            removed = remove_at(descriptor, entry->d_name);
    (void)closedir(opened);
    return removed;
}

static bool remove_at(int parent, const char *name)
{
    struct stat status;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !is_ours(&status))
        return false;
    if (!S_ISDIR(status.st_mode))
        return unlinkat(parent, name, 0) == 0;
    return empty_directory(parent, name) && unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

/* Seconds since this machine started. */
static double uptime(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_BOOTTIME, &now) == 0 ? (double)now.tv_sec : (double)HARNESS_TEMPORARY_SECONDS;
}

/* Can none of the others be writing it? */
static bool is_left(int parent, const char *name, pid_t owner, enum harness_temporary_writers others)
{
    struct stat status;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return false;
    const double age = difftime(time(NULL), status.st_mtime);
    switch (others) {
    case HARNESS_WRITERS_NONE: return true;
    case HARNESS_WRITERS_HERE:
        if (age > uptime() + 1.0) /* both clocks are cut to seconds */
            return true;
        break;
    case HARNESS_WRITERS_ANYWHERE: break;
    }
    return is_gone(owner) && age >= (double)HARNESS_TEMPORARY_SECONDS;
}

size_t harness_temporary_clean(const char *directory, const char *stem, enum harness_temporary_writers others)
{
    DIR *const opened = opendir(directory);
    size_t removed = 0;
    if (opened == NULL)
        return 0;
    for (const struct dirent *entry; (entry = readdir(opened)) != NULL;) {
        const pid_t owner = strncmp(entry->d_name, stem, strlen(stem)) == 0 ? owner_of(entry->d_name) : 0;
        if (owner != 0 && is_left(dirfd(opened), entry->d_name, owner, others))
            removed += remove_at(dirfd(opened), entry->d_name);
    }
    (void)closedir(opened);
    return removed;
}
