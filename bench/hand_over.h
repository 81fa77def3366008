/*
 * What worker threads can gain on idle cores, seen on a machine that has few of them or is busy. The linker's --wrap
 * (CMakeLists.txt) brings the hand-overs of `fast` here. In a rehearsal the caller's thread does all items itself, and
 * each item and all that lies between two hand-overs is timed; of many rehearsals of the same draw the quickest time of
 * each counts, in which nothing else ran meanwhile. In the model the items of a hand-over then go to threads in
 * their order, each to the one that is free first; `fast` prefers the one that had it last time. So what bounds a draw
 * is the part that is not handed over, and items that are too large or too few. Waking and waiting are not in it, nor
 * what lines of caches cost on their way from core to core (docs/log/speed.md: up to a third of a draw).
 */
#ifndef BENCH_HAND_OVER_H
#define BENCH_HAND_OVER_H

#include <stdbool.h>
#include <stdint.h>

/* Seconds of a draw. */
struct bench_hand_over {
    double work;    /* on one thread, */
    double alone;   /* of it what is not handed over, */
    double longest; /* and on all threads; 0: draws were not all handed over alike, or are too long */
};

/*
 * Rehearses `draw`, which returns false if it fails and always draws the same, for `seconds`. It uses one instance,
 * which has `workers` worker threads. False: `draw` failed.
 */
bool bench_hand_over_measure(bool (*draw)(void *context), void *context, uint32_t workers, double seconds,
                             struct bench_hand_over *out);

#endif
