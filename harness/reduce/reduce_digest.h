/* A digest that is the same for two cases which no backend can tell apart. */
#ifndef HARNESS_REDUCE_REDUCE_DIGEST_H
#define HARNESS_REDUCE_REDUCE_DIGEST_H

#include "harness/case/case.h"

/* Of everything that a backend sees of the lowered case. */
uint64_t harness_reduce_digest(const struct harness_program *program);

#endif
