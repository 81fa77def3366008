/*
 * To be preloaded: fsync writes nothing to the disk and adds a byte to the file that PICAFUZZ_FSYNC_LOG names; in the
 * one whose number (from 1) is PICAFUZZ_FSYNC_KILLS the process is killed. syncfs writes nothing either, and with
 * PICAFUZZ_SYNCFS_FAILS it fails, as on a disk that is full or broken. With PICAFUZZ_FULL_WHEN, statvfs says that there
 * is room for one MiB as soon as that file exists. With PICAFUZZ_LATE, access waits a second after it has not found a
 * file of that name: whoever asks at the same time does not find it either. What has PICAFUZZ_UNREADABLE in its path
 * picafuzz may not open; what it starts may. Its clocks are ahead of others', also of its children's, by as many
 * seconds as the file PICAFUZZ_CLOCK has bytes: no test waits until time has passed. With PICAFUZZ_LOCKED, the first
 * lock that it asks for is held by somebody else, so many times.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((visibility("default"))) int fsync(int descriptor)
{
    const char *const path = getenv("PICAFUZZ_FSYNC_LOG");
    const int log = path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0644) : -1;
    static long calls; /* of this process, which is run to be killed */
    const char *const last = getenv("PICAFUZZ_FSYNC_KILLS");
    (void)descriptor;
    if (last != NULL && ++calls == strtol(last, NULL, 10))
        (void)raise(SIGKILL);
    if (log < 0)
        return 0;
    const ssize_t written = write(log, "x", 1);
    return close(log) == 0 && written == 1 ? 0 : -1;
}

static bool is_picafuzz(void)
{
    return strcmp(program_invocation_short_name, "picafuzz") == 0;
}

static bool is_unreadable(const char *path)
{
    const char *const part = getenv("PICAFUZZ_UNREADABLE");
    return part != NULL && strstr(path, part) != NULL && is_picafuzz();
}

__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (!is_unreadable(path))
        return openat(AT_FDCWD, path, flags, mode);
    errno = EACCES;
    return -1;
}

/* Seconds by which a clock of this process is ahead. */
static time_t seconds_ahead(void)
{
    static pid_t owner;
    struct stat file;
    const char *const path = getenv("PICAFUZZ_CLOCK");
    owner = owner != 0 ? owner : getpid();
    return path != NULL && is_picafuzz() && getpid() == owner && stat(path, &file) == 0 ? file.st_size : 0;
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *out)
{
    const int result = (int)syscall(SYS_clock_gettime, clock, out);
    if (result == 0 && clock == CLOCK_MONOTONIC)
        out->tv_sec += seconds_ahead();
    return result;
}

__attribute__((visibility("default"))) time_t time(time_t *out)
{
    struct timespec now = { 0, 0 };
    (void)syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    now.tv_sec += seconds_ahead();
    if (out != NULL)
        *out = now.tv_sec;
    return now.tv_sec;
}

__attribute__((visibility("default"))) int flock(int descriptor, int operation)
{
    static long calls;
    const char *const times = getenv("PICAFUZZ_LOCKED");
    if (times == NULL || !is_picafuzz() || ++calls > strtol(times, NULL, 10))
        return (int)syscall(SYS_flock, descriptor, operation);
    errno = EWOULDBLOCK;
    return -1;
}

int syncfs(int descriptor);

__attribute__((visibility("default"))) int syncfs(int descriptor)
{
    (void)descriptor;
    if (getenv("PICAFUZZ_SYNCFS_FAILS") == NULL)
        return 0;
    errno = EIO;
    return -1;
}

__attribute__((visibility("default"))) int access(const char *path, int mode)
{
    const char *const name = getenv("PICAFUZZ_LATE"), *const slash = strrchr(path, '/');
    const struct timespec second = { 1, 0 };
    if (is_unreadable(path)) {
        errno = EACCES;
        return -1;
    }
    const int found = faccessat(AT_FDCWD, path, mode, 0);
    const int reason = errno;
    if (found != 0 && name != NULL && slash != NULL && strcmp(slash + 1, name) == 0)
        (void)nanosleep(&second, NULL);
    errno = reason;
    return found;
}

__attribute__((visibility("default"))) int statvfs(const char *restrict path, struct statvfs *restrict out)
{
    const char *const sign = getenv("PICAFUZZ_FULL_WHEN");
    (void)path;
    memset(out, 0, sizeof *out);
    out->f_frsize = 1 << 20;
    out->f_bavail = sign != NULL && access(sign, F_OK) == 0 ? 1 : 1 << 20;
    return 0;
}
