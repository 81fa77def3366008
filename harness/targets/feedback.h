/*
 * State feedback: tells a fuzzing engine which features of the machine an input exercised
 * (harness/coverage/universe.h), besides the code that it reached. An engine keeps an input that hits a new counter.
 *
 * FEEDBACK_HIT(index, bucket) has three implementations, chosen by the compiler:
 *   libFuzzer  bytes in the section __libfuzzer_extra_counters. The engine clears them before each run and tells apart
 *              eight ranges of values, 1 2 3 4-7 8-15 16-31 32-127 128-255: `bucket` 0-7 selects one, so that a byte
 *              serves eight pairs. If several of them occur in one run, only one is told.
 *   AFL++      places of our own in its map, which a constructor reserves by __sanitizer_cov_trace_pc_guard_init.
 *              __AFL_COMPILER selects this; a target needs only feedback.c among its sources. The ranges are the same.
 *   none       any other system: nothing happens.
 * With libFuzzer, an item or edge that FEEDBACK_NEWS inputs of a process have shown is no longer told. Nearly
 * everything that an input does, every other input did as well, and the engine looks up each of these in a table of
 * megabytes. Rare items are still told, so that a smaller input can replace the one that was kept for them.
 * The counters are in feedback.c, which must be a source of the target itself: from a static library the linker would
 * drop them.
 */
#ifndef HARNESS_TARGETS_FEEDBACK_H
#define HARNESS_TARGETS_FEEDBACK_H

#include "harness/run/runner.h"

#include <stdbool.h>
#include <stdint.h>

/* Multiples of 8, because engines clear whole words. */
enum {
    FEEDBACK_DIRECT = 10 << 10, /* one counter for each item: registers, fields, values, opcodes, operands, outcomes */
    FEEDBACK_HASHED = 32 << 10, /* pairs; libFuzzer's table of features has room for 64 Ki counters in all */
    FEEDBACK_COUNTERS = FEEDBACK_DIRECT + FEEDBACK_HASHED,
    FEEDBACK_NEWS = 255
};

extern const uint8_t feedback_buckets[8];
#if defined(__AFL_COMPILER)
extern uint32_t feedback_places[FEEDBACK_COUNTERS];
extern uint8_t *__afl_area_ptr; /* not in files that AFL++ instruments (picafuzz_unwatched in CMake) */
#define FEEDBACK_HIT(index, bucket) (__afl_area_ptr[feedback_places[index]] = feedback_buckets[bucket])
#elif defined(__linux__)
extern uint8_t feedback_counters[FEEDBACK_COUNTERS];
#define FEEDBACK_HIT(index, bucket) (feedback_counters[index] = feedback_buckets[bucket])
#else
#define FEEDBACK_HIT(index, bucket) ((void)(index), (void)(bucket))
#endif

/* What is told: the value of the environment variable PICAFUZZ_FEEDBACK. */
enum feedback_level {
    FEEDBACK_NONE = 0,
    FEEDBACK_ITEMS = 1,
    FEEDBACK_PAIRS = 2 /* also pairs of items */
};

struct feedback;

/* Observes runs of the reference, which is borrowed. NULL: no feedback, because the level is none or for lack of
 * memory. */
struct feedback *feedback_create(struct harness_runner *reference, enum feedback_level level);
void feedback_destroy(struct feedback *feedback); /* accepts NULL; call it before the runner is destroyed */

/* The level that PICAFUZZ_FEEDBACK names; FEEDBACK_DEFAULT of feedback.c if it is not set or not valid. */
enum feedback_level feedback_level_of_environment(void);

/* To be called before and after each run; both accept NULL. */
void feedback_begin(struct feedback *feedback);
void feedback_end(struct feedback *feedback);

#endif
