/*
 * Child processes: every one that the harness uses is started, watched, ended and reaped here.
 *
 * A child is a copy of this process (fork) that calls a function; to become another program, the function calls exec.
 */
#ifndef HARNESS_RUN_CHILD_H
#define HARNESS_RUN_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

enum {
    HARNESS_CHILD_NOT_RUN = 127, /* exit code of a child that could not become what it should */
    HARNESS_LINE_SIZE = 4096
};

/* How a child begins. All 0: it shares descriptors, process group and signal handlers with this process. */
struct harness_child_setup {
    bool group;       /* a process group of its own: Ctrl-C is not for it, and it is killed with all that it started.
                         SIGINT and SIGTERM end it, whatever they do here */
    bool silent;      /* no input, no output; its stderr goes to ... */
    int said;         /* ... this descriptor, or nowhere if it is 0 */
    bool tamed;       /* instead: its output goes to our stderr without terminal control sequences, whenever it is
                         listened to or waited for */
    int death_signal; /* which it gets when this process ends in whatever way; 0: none, it lives on */
};

struct harness_child {
    pid_t process; /* 0: none runs */
    bool group;
    int printed; /* setup.tamed: the read end of a pipe; else 0 */
    clockid_t processor;
};

enum harness_child_how {
    HARNESS_CHILD_EXITED,
    HARNESS_CHILD_SIGNALLED,
    HARNESS_CHILD_TIMED_OUT, /* the caller's limit was over */
    HARNESS_CHILD_LOST       /* not known: it could not be waited for; `number` is errno */
};

struct harness_child_end {
    enum harness_child_how how;
    int number; /* exit code, or signal */
};

/* Runs work(user) in a child, whose exit code is what that returns; it does not run the exit functions of this
 * program. False, with errno, if no process can be started. */
bool harness_child_start(struct harness_child *child, const struct harness_child_setup *setup, int (*work)(void *user),
                         void *user);

/* In a child that hosts a plug-in: closes all inherited descriptors but these and 0 to 2, so that the plug-in cannot
 * write to them. */
void harness_child_keep(const int *descriptors, size_t count);

/* Has it ended? That does not reap it: until then its number, and that of its group, cannot be reused. */
bool harness_child_has_ended(const struct harness_child *child);

/* Waits until the child ends by itself; afterwards there is none. */
struct harness_child_end harness_child_wait(struct harness_child *child);

/* The same, but a child still running after that many milliseconds is killed: TIMED_OUT. */
struct harness_child_end harness_child_wait_or_kill(struct harness_child *child, unsigned milliseconds);

/* Kills it, with its group if it has its own, and reaps it. Does nothing without a child. */
void harness_child_kill(struct harness_child *child);

/* Asks it to end (SIGINT), or, with `now`, kills it and its group without waiting. */
void harness_child_stop(const struct harness_child *child, bool now);

/* Asks it and its group to end (SIGTERM). */
void harness_child_ask(const struct harness_child *child);

/* From now on processes that a child leaves behind, in whatever group or session, become children of this process.
 * False: it has children already, of the program that called exec to become this one; they are not ours to end. */
bool harness_child_adopt(void);

/* Has it ended? If it ended well: have all processes that it left behind, too? A launcher may end before the program
 * that it started. */
bool harness_child_is_over(const struct harness_child *child);

/* Kills and reaps every child of this process that it may kill, and their children. Async-signal-safe. */
void harness_child_end_all(void);

bool harness_child_is_good(struct harness_child_end end); /* exit code 0 */

/* One number for how it ended: the signal, or 256 + exit code. */
int harness_child_code(struct harness_child_end end);

/* Appends " (it said: LINE)" to a text in `size` bytes: the last line that a silent child wrote to setup.said. */
void harness_child_add_last_line(int said, char *text, size_t size);

/* ---------------------------------------------------------------------------------------------------- the watchdog */

/* Seconds of the child's processor time and of wall time: when the watching of a task began, or how long it has
 * taken. */
struct harness_child_time {
    double busy, wall;
};

double harness_seconds_now(void); /* of a clock that only goes forward */

struct harness_child_time harness_child_begin(const struct harness_child *child);
struct harness_child_time harness_child_spent(const struct harness_child *child, struct harness_child_time begin);

enum harness_child_heard {
    HARNESS_CHILD_HEARD,
    HARNESS_CHILD_LATE,
    HARNESS_CHILD_DEAF /* it cannot be waited for: errno */
};

/* Waits for something to read, or the end of the file, until the child takes longer than `limits(user)`; 0: no limit.
 * The limits are asked for repeatedly, since they may change with what the child does. */
enum harness_child_heard harness_child_listen(const struct harness_child *child, int descriptor,
                                              struct harness_child_time begin,
                                              struct harness_child_time (*limits)(const void *user), const void *user);

/* Reads one byte, whatever signals arrive, even if a plug-in has made the descriptor non-blocking. False at the end of
 * the file, or if it cannot be read (errno). */
bool harness_child_read(int descriptor, char *out);

#endif
