/*
 * The edge counters of an instrumented shared library. They are found by the section headers of its file, so it does
 * not matter which engine's functions, or stubs, it calls when it is loaded.
 *
 * -fsanitize-coverage=inline-8bit-counters   counters in one section; clang's -fsanitize=fuzzer-no-link includes that
 * -fsanitize-coverage=trace-pc-guard         guards in one section: each is the number of a counter in a map of ours
 * afl-clang-fast                             the same, and the library counts in the map by itself
 */
#ifndef HARNESS_RUN_EDGES_H
#define HARNESS_RUN_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct harness_edges {
    uint8_t *counters; /* one byte for each edge; NULL: not instrumented, or guards without a map */
    uint32_t *guards;  /* NULL: none */
    size_t count;
};

/* Of a library that dlopen gave. Anything that cannot be read means that there are none. */
void harness_edges_find(void *library, struct harness_edges *out);

/*
 * Gives guards their counters, map[first .. size); guards for which there is no room count in map[0]. In a program that
 * is instrumented by AFL++ the map becomes the program's own, too: it counts below `first` from then on.
 */
void harness_edges_number(struct harness_edges *edges, uint8_t *map, size_t first, size_t size);

#endif
