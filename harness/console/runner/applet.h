/* APT:U: being the application in front, without which nobody lets go of the GPU (CON-25); and leaving as one. */
#ifndef HARNESS_CONSOLE_RUNNER_APPLET_H
#define HARNESS_CONSOLE_RUNNER_APPLET_H

#include <stdbool.h>
#include <stdint.h>

struct applet {
    uint32_t srv;
    uint32_t lock; /* one command at a time, of all programs */
    uint32_t notification;
    uint32_t resume;
    bool is_known; /* Initialize worked: from then on it is left by applet_leave alone */
};

/* Returns when we were woken: now the GPU may be asked for. */
int32_t applet_start(struct applet *applet, uint32_t srv);

/* Answers what the system asked since the last call: sleep and HOME are refused. True: it wants us to leave. */
bool applet_must_leave(const struct applet *applet);

/* Back to the launcher, if one started us that wants it (CON-27); else to the HOME menu. */
void applet_leave(const struct applet *applet);

#endif
