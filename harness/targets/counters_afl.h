/*
 * AFL++ hears the edges of libFuzzer's instrumentation, which is far cheaper than its own
 * (docs/decisions/012-afl-counts.md): this program counts that way, and after each input its counters are brought into
 * AFL++'s map, as "once" and "more often", as libFuzzer hears them (feedback.c says why). Plug-ins in this process that
 * were built so count, too; those of afl-clang-fast write into the map by themselves.
 */
#ifndef HARNESS_TARGETS_COUNTERS_AFL_H
#define HARNESS_TARGETS_COUNTERS_AFL_H

/* Plug-ins that are loaded from now on are not heard. For a process without an engine, or whose map has its size. */
void counters_close(void);

/* When the fork server is up, which has told how large the map is: closes (plug-ins in a backend's own process count
 * for themselves). From now on a signal that ends this process tells what the input has reached. */
void counters_begin(void);

/* Before the first input: what was counted until now is of none. */
void counters_forget(void);

/* From now on this thread also tells every 25 ms what the input has reached so far (SIGALRM), for afl-fuzz ends by
 * SIGKILL what takes too long. Calls that wait may then fail with EINTR, SA_RESTART or not: not for code of others. */
void counters_tell_by_clock(void);

/* After each input. */
void counters_tell(void);

#endif
