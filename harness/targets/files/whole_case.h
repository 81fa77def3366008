/* The check of the targets whose files are read as cases. */
#ifndef HARNESS_TARGETS_WHOLE_CASE_H
#define HARNESS_TARGETS_WHOLE_CASE_H

#include "harness/case/case.h"

/* The one case of this process, for a reader to fill; NULL: no memory. */
struct harness_case *whole_case(void);

/* Checks a case that was read: it must be valid, and its text must be read as the same case again. Ends the process if
 * not. */
void whole_case_check(void);

#endif
