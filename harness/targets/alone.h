/* What targets share whose property is one of each backend alone (harness/run/self_check.h). */
#ifndef HARNESS_TARGETS_ALONE_H
#define HARNESS_TARGETS_ALONE_H

#include "harness/run/self_check.h"

/* Given by a target: which checks an input gets. */
struct harness_check_choice alone_choice(void);

#endif
