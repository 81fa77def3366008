/*
 * AFL++ hears the edges of libFuzzer's instrumentation, which is far cheaper than its own
 * (docs/decisions/012-afl-counts.md): this program counts that way, and after each input its counters are brought into
 * AFL++'s map, as "once" and "more often", as libFuzzer hears them (feedback.c says why). Plug-ins in this process that
 * were built so count, too; those of afl-clang-fast write into the map by themselves.
 */
#ifndef HARNESS_TARGETS_COUNTERS_AFL_H
#define HARNESS_TARGETS_COUNTERS_AFL_H

/* When the fork server is up, which has told how large the map is: plug-ins that are loaded from now on are not heard
 * (those of a backend's own process count for themselves). From now on a signal that ends this process tells what the
 * input has reached. */
void counters_begin(void);

/* Before the first input: what was counted until now is of none. From now on the clock tells, too, every 25 ms
 * (SIGALRM), for afl-fuzz ends by SIGKILL what takes too long. */
void counters_forget(void);

/* After each input. */
void counters_tell(void);

#endif
