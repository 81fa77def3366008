/* APT:U: being the application in front, without which nobody lets go of the GPU (CON-25); and leaving as one. */
#ifndef HARNESS_CONSOLE_RUNNER_APPLET_H
#define HARNESS_CONSOLE_RUNNER_APPLET_H

#include <stdint.h>

struct applet {
    uint32_t srv;
    uint32_t lock; /* one command at a time, of all programs */
    uint32_t notification;
    uint32_t resume;
};

/* Returns when we were woken: now the GPU may be asked for. */
int32_t applet_start(struct applet *applet, uint32_t srv);
void applet_leave(const struct applet *applet);

#endif
