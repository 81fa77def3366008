/*
 * Tells AFL++ the edges that libFuzzer's instrumentation counts, which is far cheaper than AFL++'s own
 * (docs/decisions/012-afl-counts.md). After each input the counters of this program are written into AFL++'s map as
 * "once" or "more often", as libFuzzer gets them, too (feedback.c says why). Plug-ins in this process that were built
 * with that instrumentation are included; those built with afl-clang-fast write into the map by themselves.
 */
#ifndef HARNESS_TARGETS_COUNTERS_AFL_H
#define HARNESS_TARGETS_COUNTERS_AFL_H

/* Ignores the counters of plug-ins that are loaded from now on. For a process without an engine, or whose map already
 * has its final size. */
void counters_close(void);

/* Called when the fork server is up and has reported the size of the map. Calls counters_close (plug-ins in a process
 * of their own count for themselves). From now on, a signal that ends this process first writes to the map what the
 * input has reached. */
void counters_begin(void);

/* Clears the counters before the first input: what was counted so far belongs to no input. */
void counters_forget(void);

/* From now on, SIGALRM makes this thread write to the map every 25 ms what the input has reached so far, because
 * afl-fuzz ends by SIGKILL what takes too long. System calls that wait may then fail with EINTR, even with SA_RESTART:
 * not to be used where foreign code runs in this process. */
void counters_tell_by_clock(void);

/* After each input: writes the counters to the map and clears them. */
void counters_tell(void);

#endif
