/* What of a case is shown on the screen: parts of its colour buffer, and where their picture is made. */
#ifndef HARNESS_CONSOLE_SHOW_H
#define HARNESS_CONSOLE_SHOW_H

#include "harness/console/gate.h"
#include "harness/console/payload.h"

enum {
    CONSOLE_MOST_SHOWS = 16 /* parts of a case: buffers of up to 1024x1024 pixels have 15 */
};

/*
 * The colour buffer of the case's last draw, in parts as large as the screen, as pictures from `number` on. Returns how
 * many; 0: nothing to show. That is: it draws no colours, or the processor loads something after it; the buffer is not
 * of whole 8x8 tiles (FBF-07) or of a reserved format; VRAM has no room for the picture beside the case's windows.
 */
uint32_t console_show_parts(const struct harness_program *program, const struct console_plan *plan, uint32_t number,
                            struct console_show out[CONSOLE_MOST_SHOWS]);

#endif
