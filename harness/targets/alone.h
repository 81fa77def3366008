/*
 * Shared by the targets that check a property of a single backend: they decode the bytes (any bytes are a case), bound
 * the case, lower it to a program, and check. The input itself decides which of the linked backends runs, and with
 * which checks.
 */
#ifndef HARNESS_TARGETS_ALONE_H
#define HARNESS_TARGETS_ALONE_H

#include "harness/run/check.h"

/* An input goes through the checks first .. first + count - 1 (in cyclic order, from one that the input chooses) until
 * `most` of them have applied. */
struct alone_choice {
    size_t first, count, most;
};

/* Defined by each target. */
struct alone_choice alone_choice(void);

#endif
