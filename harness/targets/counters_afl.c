#include "harness/targets/counters_afl.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MODULES = 64, /* at most so many: this program and plug-ins */
    MORE_OFTEN = 2,
    TELL_NANOSECONDS = 25000000,
    STACK_SIZE = 1 << 16
};

#if !defined(sigev_notify_thread_id) /* an older glibc */
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* AFL++'s runtime: the map, and the function that gives guards their places in it. */
extern uint8_t *__afl_area_ptr;
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);

/* Called by the constructors of instrumented files. */
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop);
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop);

/* Global, because a process has one map, and constructors and signal handlers get no argument that could lead here. */
static struct module {
    uint8_t *counters;
    size_t count;
    uint32_t first; /* place in the map of the first counter; the others follow */
} modules[MODULES];
static size_t module_count;
static bool closed;

static _Noreturn void fail(const char *message)
{
    fprintf(stderr, "picafuzz: %s\n", message);
    exit(1);
}

/* Reserves `count` consecutive places in the map and returns the first. AFL++ leaves some places out if it was told to
 * instrument only a part of the code. */
static uint32_t reserve(size_t count)
{
    uint32_t *const guards = calloc(count, sizeof *guards);
    if (guards == NULL)
        fail("out of memory");
    __sanitizer_cov_trace_pc_guard_init(guards, guards + count);
    const uint32_t first = guards[0], last = guards[count - 1];
    free(guards);
    if (first == 0 || last - first != count - 1)
        fail("AFL++ has no places in a row for edges: is AFL_INST_RATIO set, or, without afl-fuzz (afl-showmap), "
             "__AFL_DEFER_FORKSRV=1 not?");
    return first;
}

/* Called once for each source file of a module, always with the counters of the whole module. */
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop)
{
    for (size_t i = 0; i < module_count; i++)
        if (modules[i].counters == start)
            return;
    if (start == stop || closed)
        return;
    if (module_count == MODULES)
        fail("too many instrumented plug-ins");
    const size_t count = (size_t)(stop - start);
    modules[module_count++] = (struct module){ start, count, reserve(count) };
}

/* Only libFuzzer uses the table that says to which code a counter belongs. */
void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop)
{
    (void)start;
    (void)stop;
}

static inline uint8_t told(uint8_t count)
{
    return count < MORE_OFTEN ? count : MORE_OFTEN;
}

/* Copies the counters to the map and clears them. Earlier values of this input in the map are replaced, since they may
 * be of a counter that has wrapped around. Compilers vectorise this loop and the next one. */
static void move(uint8_t *restrict to, uint8_t *restrict counters, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        to[i] = told(counters[i]);
        counters[i] = 0;
    }
}

void counters_tell(void)
{
    for (size_t i = 0; i < module_count; i++)
        move(__afl_area_ptr + modules[i].first, modules[i].counters, modules[i].count);
}

static void keep_larger(uint8_t *restrict to, const uint8_t *restrict counters, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = to[i] > told(counters[i]) ? to[i] : told(counters[i]);
}

/* Writes to the map what was counted so far. Between two inputs that is nothing, or what a backend's threads do while
 * they wait. */
static void tell_so_far(void)
{
    for (size_t i = 0; i < module_count; i++)
        keep_larger(__afl_area_ptr + modules[i].first, modules[i].counters, modules[i].count);
}

void counters_forget(void)
{
    for (size_t i = 0; i < module_count; i++)
        memset(modules[i].counters, 0, modules[i].count);
}

/* ---------------------------------------------------------------------------------------------------------- signals */

static const int deaths[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP };

enum {
    DEATHS = sizeof deaths / sizeof deaths[0]
};

static struct sigaction before[DEATHS]; /* the previous handlers: a sanitizer's, say */

static void on_death(int number, siginfo_t *information, void *context)
{
    tell_so_far();
    for (size_t i = 0; i < DEATHS; i++) {
        if (deaths[i] != number)
            continue;
        if ((before[i].sa_flags & SA_SIGINFO) != 0) {
            before[i].sa_sigaction(number, information, context);
        } else {
            (void)sigaction(number, &before[i], NULL);
            (void)raise(number);
        }
    }
}

static void on_clock(int number)
{
    (void)number;
    tell_so_far();
}

void counters_close(void)
{
    closed = true;
}

/* The timer signals this thread: another one could be interrupted in the middle of the handler and continue it when the
 * next input runs. If the timer cannot be created, only the coverage of hanging inputs is lost. */
void counters_tell_by_clock(void)
{
    const struct sigaction clock = { .sa_handler = on_clock, .sa_flags = SA_RESTART | SA_ONSTACK };
    const struct itimerspec period = { { 0, TELL_NANOSECONDS }, { 0, TELL_NANOSECONDS } };
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM };
    timer_t timer;
    if (module_count == 0) /* nothing to copy: all instrumented code writes to the map directly */
        return;
    event.sigev_notify_thread_id = gettid();
    (void)sigaction(SIGALRM, &clock, NULL);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        (void)timer_settime(timer, 0, &period, NULL);
}

void counters_begin(void)
{
    static uint8_t memory[STACK_SIZE]; /* a stack overflow may be the cause of the signal */
    const stack_t stack = { .ss_sp = memory, .ss_size = sizeof memory };
    const struct sigaction death = { .sa_sigaction = on_death, .sa_flags = SA_SIGINFO | SA_ONSTACK };
    counters_close();
    (void)sigaltstack(&stack, NULL);
    for (size_t i = 0; i < DEATHS; i++)
        (void)sigaction(deaths[i], &death, &before[i]);
}
