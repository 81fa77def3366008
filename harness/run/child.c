#include "harness/run/child.h"

#include "harness/case/text.h"
#include "harness/run/crash_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    WATCH_MS = 20,
    WITHOUT_PROC = 1024 /* descriptors that may be open, where no /proc says which are */
};

static const struct timespec a_moment = { .tv_nsec = 1000000 };

static double seconds_of(clockid_t clock)
{
    struct timespec time = { 0, 0 };
    (void)clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double harness_seconds_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

/* -------------------------------------------------------------------------------------------------------- the start */

static void redirect(int said)
{
    const int null = open("/dev/null", O_RDWR);
    (void)dup2(null, STDIN_FILENO);
    (void)dup2(null, STDOUT_FILENO);
    (void)dup2(said != 0 ? said : null, STDERR_FILENO);
    if (null > STDERR_FILENO)
        (void)close(null);
}

/* In the child. */
static void begin_life(const struct harness_child_setup *setup, pid_t parent, int printed)
{
    if (setup->silent)
        redirect(setup->said);
    if (setup->tamed) {
        (void)dup2(printed, STDOUT_FILENO);
        (void)dup2(printed, STDERR_FILENO);
    }
    if (setup->group) {
        (void)setpgid(0, 0);
        (void)signal(SIGINT, SIG_DFL);
        (void)signal(SIGTERM, SIG_DFL);
    }
    if (setup->death_signal == 0)
        return;
    (void)prctl(PR_SET_PDEATHSIG, setup->death_signal);
    if (getppid() != parent) /* it ended before that could be set up */
        _exit(HARNESS_CHILD_NOT_RUN);
}

bool harness_child_start(struct harness_child *child, const struct harness_child_setup *setup, int (*work)(void *user),
                         void *user)
{
    const pid_t parent = getpid();
    int printed[2] = { 0, 0 };
    if (setup->tamed && pipe2(printed, O_CLOEXEC) != 0)
        return false;
    (void)fflush(NULL); /* or both would write what is in the buffers */
    const pid_t process = fork();
    if (process == 0) {
        begin_life(setup, parent, printed[1]);
        _exit(work(user));
    }
    if (setup->tamed)
        (void)close(printed[1]);
    if (process < 0) {
        if (setup->tamed)
            (void)close(printed[0]);
        return false;
    }
    if (setup->group)
        (void)setpgid(process, process); /* here too, whichever comes first: from here on the group exists */
    *child = (struct harness_child){ .process = process, .group = setup->group, .printed = printed[0] };
    if (setup->tamed)
        (void)fcntl(printed[0], F_SETFL, O_NONBLOCK);
    (void)clock_getcpuclockid(process, &child->processor);
    return true;
}

static void close_unless_kept(int number, const int *kept, size_t count)
{
    bool is_kept = number <= STDERR_FILENO;
    for (size_t i = 0; i < count; i++)
        is_kept = is_kept || kept[i] == number;
    if (!is_kept)
        (void)close(number);
}

void harness_child_keep(const int *descriptors, size_t count)
{
    DIR *const all = opendir("/proc/self/fd");
    const struct dirent *entry = NULL;
    while (all != NULL && (entry = readdir(all)) != NULL) {
        const int number = atoi(entry->d_name); /* 0 of "." and ".." */
        if (number != dirfd(all))
            close_unless_kept(number, descriptors, count);
    }
    for (int number = 0; all == NULL && number < WITHOUT_PROC; number++) /* as in a chroot: the lowest are used first */
        close_unless_kept(number, descriptors, count);
    if (all != NULL)
        (void)closedir(all);
}

/* ---------------------------------------------------------------------------------------------------------- the end */

/* A piece of what it printed. False if nothing more is there. */
static bool pass_on(const struct harness_child *child)
{
    char text[HARNESS_LINE_SIZE];
    const ssize_t length = child->printed != 0 ? read(child->printed, text, sizeof text - 1) : 0;
    if (length <= 0)
        return false;
    for (ssize_t i = 0; i < length; i++)
        text[i] = text[i] != '\0' ? text[i] : '?';
    text[length] = '\0';
    harness_make_utf8(text);
    harness_tame(text);
    harness_crash_complete(text, sizeof text);
    (void)!write(STDERR_FILENO, text, strlen(text));
    return true;
}

/* The rest of what it printed. Descendants that live on and hold the other end of the pipe are not waited for. */
static void pass_on_the_rest(struct harness_child *child)
{
    enum {
        MOST_PIECES = 64 /* more than a pipe holds */
    };
    for (int i = 0; i < MOST_PIECES && pass_on(child); i++) {
    }
    if (child->printed != 0)
        (void)close(child->printed);
    child->printed = 0;
}

struct harness_child_end harness_child_wait(struct harness_child *child)
{
    struct harness_child_end end = { HARNESS_CHILD_LOST, 0 };
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(child->process, &status, 0)) < 0 && errno == EINTR) {
    }
    pass_on_the_rest(child);
    if (ended != child->process)
        end.number = errno;
    else if (WIFEXITED(status))
        end = (struct harness_child_end){ HARNESS_CHILD_EXITED, WEXITSTATUS(status) };
    else
        end = (struct harness_child_end){ HARNESS_CHILD_SIGNALLED, WTERMSIG(status) };
    child->process = 0;
    return end;
}

/* How it ended, which does not reap it; si_pid 0: it has not. False if it cannot be waited for. */
static bool look_for_end(pid_t process, siginfo_t *out)
{
    *out = (siginfo_t){ .si_pid = 0 };
    return waitid(P_PID, (id_t)process, out, WEXITED | WNOHANG | WNOWAIT) == 0;
}

bool harness_child_has_ended(const struct harness_child *child)
{
    siginfo_t end;
    return !look_for_end(child->process, &end) || end.si_pid != 0;
}

void harness_child_stop(const struct harness_child *child, bool now)
{
    if (now && child->group)
        (void)kill(-child->process, SIGKILL);
    (void)kill(child->process, now ? SIGKILL : SIGINT);
}

void harness_child_kill(struct harness_child *child)
{
    if (child->process == 0)
        return;
    harness_child_stop(child, true);
    (void)harness_child_wait(child);
}

/* Processes that it started are killed in both cases. */
struct harness_child_end harness_child_wait_or_kill(struct harness_child *child, unsigned milliseconds)
{
    const double deadline = harness_seconds_now() + milliseconds * 1e-3;
    while (!harness_child_has_ended(child) && harness_seconds_now() < deadline)
        if (!pass_on(child))
            (void)nanosleep(&a_moment, NULL);
    const bool in_time = harness_child_has_ended(child);
    harness_child_stop(child, true);
    const struct harness_child_end end = harness_child_wait(child);
    return in_time ? end : (struct harness_child_end){ HARNESS_CHILD_TIMED_OUT, SIGKILL };
}

void harness_child_ask(const struct harness_child *child)
{
    if (child->process != 0)
        (void)kill(child->group ? -child->process : child->process, SIGTERM);
}

/* ------------------------------------------------------------------------------------------- children of children */

static bool is_child_alive(pid_t process)
{
    siginfo_t end;
    return look_for_end(process, &end) && end.si_pid == 0;
}

/* How many children of this process have not ended. With `now` kills them, and does not count those of other users,
 * which it may not kill. Async-signal-safe. */
static size_t visit_children(bool now)
{
    char text[HARNESS_LINE_SIZE];
    size_t count = 0;
    pid_t process = 0;
    const int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    for (ssize_t length = 0; file >= 0 && (length = read(file, text, sizeof text)) > 0;)
        for (ssize_t i = 0; i < length; i++) {
            if (text[i] != ' ') {
                process = 10 * process + (text[i] - '0');
                continue;
            }
            count += is_child_alive(process) && (!now || kill(process, SIGKILL) == 0);
            process = 0;
        }
    if (file >= 0)
        (void)close(file);
    return count;
}

bool harness_child_adopt(void)
{
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    return visit_children(false) == 0;
}

bool harness_child_is_over(const struct harness_child *child)
{
    siginfo_t end;
    if (!look_for_end(child->process, &end))
        return true;
    const bool ended_well = end.si_code == CLD_EXITED && end.si_status == 0;
    return end.si_pid != 0 && (!ended_well || visit_children(false) == 0);
}

void harness_child_end_all(void)
{
    while (visit_children(true) != 0) /* the children of a killed one become ours */
        (void)waitpid(-1, NULL, 0);
    while (waitpid(-1, NULL, WNOHANG) > 0) {
    }
}

bool harness_child_is_good(struct harness_child_end end)
{
    return end.how == HARNESS_CHILD_EXITED && end.number == 0;
}

int harness_child_code(struct harness_child_end end)
{
    return end.how == HARNESS_CHILD_EXITED ? 256 + end.number : end.number;
}

void harness_child_add_last_line(int said, char *text, size_t size)
{
    char end[1024], *rest = end;
    struct stat status = { .st_size = 0 };
    const size_t length = strlen(text);
    const off_t most = (off_t)sizeof end - 1;
    (void)fstat(said, &status);
    const ssize_t got = pread(said, end, sizeof end - 1, status.st_size > most ? status.st_size - most : 0);
    end[got > 0 ? got : 0] = '\0';
    const char *line = NULL;
    for (char *next = strtok_r(end, "\n", &rest); next != NULL; next = strtok_r(NULL, "\n", &rest))
        line = next;
    if (line != NULL)
        (void)snprintf(text + length, size - length, " (it said: %s)", line);
}

/* ----------------------------------------------------------------------------------------------------- the watchdog */

struct harness_child_time harness_child_begin(const struct harness_child *child)
{
    return (struct harness_child_time){ seconds_of(child->processor), harness_seconds_now() };
}

struct harness_child_time harness_child_spent(const struct harness_child *child, struct harness_child_time begin)
{
    const struct harness_child_time now = harness_child_begin(child);
    return (struct harness_child_time){ now.busy - begin.busy, now.wall - begin.wall };
}

static bool is_over(const struct harness_child *child, struct harness_child_time begin, struct harness_child_time limit)
{
    const struct harness_child_time spent = harness_child_spent(child, begin);
    return (limit.busy > 0.0 && spent.busy > limit.busy) || (limit.wall > 0.0 && spent.wall > limit.wall);
}

enum harness_child_heard harness_child_listen(const struct harness_child *child, int descriptor,
                                              struct harness_child_time begin,
                                              struct harness_child_time (*limits)(const void *user), const void *user)
{
    struct pollfd ready[] = { { .fd = descriptor, .events = POLLIN }, { .fd = child->printed, .events = POLLIN } };
    const nfds_t watched = child->printed != 0 ? 2 : 1;
    for (;;) {
        const int count = poll(ready, watched, WATCH_MS);
        const bool prints = count > 0 && ready[1].revents != 0 && pass_on(child);
        if (count > 0 && ready[0].revents != 0)
            return HARNESS_CHILD_HEARD;
        if (count > 0 && !prints) /* it closed its end of the pipe, and lives on */
            (void)nanosleep(&a_moment, NULL);
        if (count < 0 && errno != EINTR)
            return HARNESS_CHILD_DEAF;
        if (is_over(child, begin, limits(user)))
            return HARNESS_CHILD_LATE;
    }
}

bool harness_child_read(int descriptor, char *out)
{
    struct pollfd ready = { .fd = descriptor, .events = POLLIN };
    ssize_t count = 0;
    while ((count = read(descriptor, out, 1)) < 0 && (errno == EINTR || errno == EAGAIN))
        (void)poll(&ready, 1, -1);
    return count == 1;
}
