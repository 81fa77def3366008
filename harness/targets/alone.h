/*
 * What targets share whose property is one of each backend alone: decode the bytes (total), bound, lower, check. Both
 * linked backends take part; the input itself decides which of them, and with which checks.
 */
#ifndef HARNESS_TARGETS_ALONE_H
#define HARNESS_TARGETS_ALONE_H

#include "harness/run/check.h"

/* An input goes through the checks first .. first + count - 1 until `most` of them have applied. */
struct alone_choice {
    size_t first, count, most;
};

/* Given by a target. */
struct alone_choice alone_choice(void);

#endif
