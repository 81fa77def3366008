/* What the targets check whose files are read as cases. */
#ifndef HARNESS_TARGETS_WHOLE_CASE_H
#define HARNESS_TARGETS_WHOLE_CASE_H

#include "harness/case/case.h"

/* The case of this process, for a reader; NULL: no memory. */
struct harness_case *whole_case(void);

/* It was read: it is a valid one, and its text is read as the same case again. Ends the process if not. */
void whole_case_check(void);

#endif
