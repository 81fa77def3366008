/*
 * To be preloaded: fsync writes nothing to the disk and adds a byte to the file that PICAFUZZ_FSYNC_LOG names; in
 * the one whose number (from 1) is PICAFUZZ_FSYNC_KILLS the process is killed, if it is the one that was started.
 * With PICAFUZZ_FULL_WHEN, statvfs says that there is room for one MiB as soon as that file exists. With
 * PICAFUZZ_LATER_WHEN, it is an hour later as soon as that file exists, and when the process has looked at the clock
 * 100 times since then, a file of that name and ".seen" does too.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pid_t started;

__attribute__((constructor)) static void begin(void)
{
    started = getpid();
}

__attribute__((visibility("default"))) int fsync(int descriptor)
{
    const char *const path = getenv("PICAFUZZ_FSYNC_LOG");
    const int log = path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0644) : -1;
    static long calls;
    const char *const last = getenv("PICAFUZZ_FSYNC_KILLS");
    (void)descriptor;
    if (last != NULL && getpid() == started && ++calls == strtol(last, NULL, 10))
        (void)raise(SIGKILL);
    if (log < 0)
        return 0;
    const ssize_t written = write(log, "x", 1);
    return close(log) == 0 && written == 1 ? 0 : -1;
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

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *out)
{
    static atomic_int looks;
    const char *const sign = getenv("PICAFUZZ_LATER_WHEN");
    const int status = (int)syscall(SYS_clock_gettime, clock, out);
    if (clock != CLOCK_MONOTONIC || sign == NULL || getpid() != started || access(sign, F_OK) != 0)
        return status;
    out->tv_sec += 3600;
    if (atomic_fetch_add(&looks, 1) == 100) {
        char seen[4096];
        (void)snprintf(seen, sizeof seen, "%s.seen", sign);
        (void)close(open(seen, O_WRONLY | O_CREAT, 0644));
    }
    return status;
}
