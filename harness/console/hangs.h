/* What is known to hang a console, by the name of its event: docs/spec/80-console.md. */
#ifndef HARNESS_CONSOLE_HANGS_H
#define HARNESS_CONSOLE_HANGS_H

#include "pica/events.h"

/* HNG-01: no backend records it; the walk of a list finds it. */
#define CONSOLE_HANG_FLUSH "flush-without-draw"

/* The event as the gates call it: its own name, or that of the console-only event which it stands for. Static. */
const char *console_hang_name(enum pica_event event);

/* The rule that says that it hangs, "HNG-01"; NULL: none, it is merely undefined. Static. */
const char *console_hang_rule(const char *name);

#endif
