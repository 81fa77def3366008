/*
 * What a call of a plug-in changes of this process, where the plug-in has none of its own: signal mask, working
 * directory and the like are put back after the call, and the change is named once on stderr. The plug-in's
 * floating-point mode is set again for its next call, as it would last in a process of its own; several such plug-ins
 * share one mode.
 */
#ifndef HARNESS_RUN_SURROUNDINGS_H
#define HARNESS_RUN_SURROUNDINGS_H

#include <stddef.h>

/* Before and after a call of the plug-in `who`, or after it was opened. */
void harness_surroundings_lend(void);
void harness_surroundings_take_back(const char *who);

/* All that was changed so far in this process: "the umask, the locale", "" if nothing was. */
void harness_surroundings_changed(char *out, size_t size);

#endif
