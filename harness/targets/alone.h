/* What targets share whose property is one of each backend alone (harness/run/self_check.h). */
#ifndef HARNESS_TARGETS_ALONE_H
#define HARNESS_TARGETS_ALONE_H

#include "harness/run/self_check.h"

/* Given by a target: what a failure is called (failure.h), and which checks an input gets. */
extern const char alone_kind[];
struct harness_check_choice alone_choice(void);

#endif
