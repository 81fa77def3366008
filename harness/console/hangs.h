/* What is known to hang a console, by the name of its event: docs/spec/80-console.md. */
#ifndef HARNESS_CONSOLE_HANGS_H
#define HARNESS_CONSOLE_HANGS_H

#include "pica/events.h"

#include <stdbool.h>

/* No backend records these; the gates find them in operations, lists and draws. */
#define CONSOLE_HANG_FLUSH      "flush-without-draw" /* HNG-01 */
#define CONSOLE_HANG_GEOMETRY   "geometry-then-none" /* HNG-05 */
#define CONSOLE_HANG_UNIT1      "unit1-4-bit"        /* HNG-06 */
#define CONSOLE_HANG_UPPER_HALF "upper-half"         /* HNG-07 */

/* The event as the gates call it: its own name, or that of the console-only event which it stands for. Static. */
const char *console_hang_name(enum pica_event event);

/* The rule that says that it hangs, "HNG-01"; NULL: none, it is merely undefined. Static. */
const char *console_hang_rule(const char *name);

#endif
