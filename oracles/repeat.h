/*
 * Oracles that compare a backend with itself: the same case again, or with options that must not matter. The bytes must
 * be the same (GEN-10); the message says which run differs.
 */
#ifndef ORACLES_REPEAT_H
#define ORACLES_REPEAT_H

#include "oracles/run.h"

/* Two runs of one case with the same options. `what` says how the second came about: "after another case", ... */
void oracle_deterministic(const struct oracle_run *first, const struct oracle_run *again, const char *what,
                          struct oracle_report *report);

/* Two runs of one case with different options; `what` names those of the second: "7 threads", ... */
void oracle_invariant(const struct oracle_run *plain, const struct oracle_run *other, const char *what,
                      struct oracle_report *report);

#endif
