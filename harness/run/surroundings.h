/*
 * What a plug-in without a process of its own changes of ours by a call: it is put back after the call, and named once
 * on stderr. How it computes floating-point numbers holds for its next call, as it would in a process of its own;
 * several such plug-ins share that.
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
