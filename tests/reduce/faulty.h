/* Cases that show a planted fault of faulty_backend.c. */
#ifndef TESTS_FINDINGS_FAULTY_H
#define TESTS_FINDINGS_FAULTY_H

#include "harness/reduce/reduce.h"

/* The faulty plug-in and the reference, opened, with the fault chosen. */
struct faulty {
    struct harness_backend backends[2]; /* reference, faulty */
    struct harness_probe_options options;
};

/* `fault` is a name of faulty_backend.c's table. Asserts that all is well. */
void faulty_open(struct faulty *faulty, const char *fault);
void faulty_close(struct faulty *faulty);

#endif
