#include "harness/run/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

enum {
    LINE_SIZE = 96,
    NEARLY = 16 /* with less than 1/16 of the limit left a crash counts as one for want of memory */
};

/* Of this process; a handler has no other way to know. */
static struct {
    unsigned mebibytes;
    uint64_t bytes; /* the limit, with what the process had before */
    volatile unsigned *refused;
    char line[LINE_SIZE];
} watch;

/* Bytes of data and stack, by the sixth number in /proc/self/statm; 0: not known. Async-signal-safe. */
static uint64_t data_bytes(void)
{
    char text[128];
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    const ssize_t length = file >= 0 ? read(file, text, sizeof text) : 0;
    uint64_t pages = 0;
    int blanks = 0;
    for (ssize_t i = 0; i < length && blanks < 6; i++) {
        blanks += text[i] == ' ';
        if (blanks == 5 && text[i] >= '0' && text[i] <= '9')
            pages = 10 * pages + (uint64_t)(text[i] - '0');
    }
    if (file >= 0)
        (void)close(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

void harness_memory_limit(unsigned mebibytes)
{
#ifndef SANITIZED
    struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
    (void)getrlimit(RLIMIT_DATA, &limit);
    const uint64_t bytes = data_bytes() + ((uint64_t)mebibytes << 20);
    limit.rlim_cur = mebibytes != 0 && bytes < limit.rlim_max ? (rlim_t)bytes : limit.rlim_max;
    if (setrlimit(RLIMIT_DATA, &limit) != 0)
        return;
    watch.mebibytes = mebibytes;
    watch.bytes = bytes;
    (void)snprintf(watch.line, sizeof watch.line, "\npicafuzz: out of memory: its limit is %u MiB\n", mebibytes);
#else
    (void)mebibytes;
#endif
}

unsigned harness_memory_limited(void)
{
    return watch.mebibytes;
}

void harness_memory_begin(void)
{
    errno = 0;
}

void harness_memory_note(void)
{
    const bool is_refused = errno == ENOMEM; /* by the last call of this thread that failed */
    if (watch.mebibytes == 0 || (!is_refused && data_bytes() < watch.bytes - watch.bytes / NEARLY))
        return;
    if (watch.refused != NULL)
        *watch.refused = watch.mebibytes;
    (void)!write(STDERR_FILENO, watch.line, strlen(watch.line));
}

static void on_signal(int number)
{
    harness_memory_note();
    (void)raise(number); /* SA_RESETHAND: now it ends the process */
}

static void on_leaving(int code, void *unused)
{
    (void)unused;
    if (code != 0)
        harness_memory_note();
}

void harness_memory_watch(volatile unsigned *refused)
{
    static const int fatal[] = { SIGSEGV, SIGBUS, SIGABRT, SIGTRAP, SIGILL };
    struct sigaction action, now;
    watch.refused = refused;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)(SA_RESETHAND | SA_NODEFER);
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        if (sigaction(fatal[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            (void)sigaction(fatal[i], &action, NULL);
    (void)on_exit(on_leaving, NULL);
}
