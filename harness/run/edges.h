/*
 * Where the edge counters of an instrumented shared library lie: what it was built for with
 * -fsanitize-coverage=inline-8bit-counters (clang's -fsanitize=fuzzer-no-link includes that). The compiler gathers
 * them in one section, so they are found by the section headers of the file, whoever links the library.
 */
#ifndef HARNESS_RUN_EDGES_H
#define HARNESS_RUN_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct harness_edges {
    uint8_t *counters; /* one byte for each edge; NULL: not instrumented */
    size_t count;
};

/* Of a library that dlopen gave. Anything that cannot be read means that there are none. */
void harness_edges_find(void *library, struct harness_edges *out);

#endif
