/*
 * AFL++ hears the edges of libFuzzer's instrumentation, which is far cheaper than its own
 * (docs/decisions/012-afl-counts.md): this program counts that way, and after each input its counters are brought into
 * AFL++'s map, as "once" and "more often", as libFuzzer hears them (feedback.c says why). Plug-ins in this process that
 * were built so count, too; those of afl-clang-fast write into the map by themselves.
 */
#ifndef HARNESS_TARGETS_COUNTERS_AFL_H
#define HARNESS_TARGETS_COUNTERS_AFL_H

/* Before the first input: what was counted until now is forgotten, and what an input reaches is told also if it ends
 * this process: by a signal, or by SIGTERM because it takes too long (AFL_KILL_SIGNAL=15; a SIGKILL tells nothing). */
void counters_begin(void);

/* After each input. */
void counters_tell(void);

#endif
