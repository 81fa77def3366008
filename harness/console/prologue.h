/*
 * The list that brings a console's GPU into a wanted state through its ports, from whatever state it is in (CON-53).
 *
 * What no register can set stays as it is: what shaders left in temporaries, inputs and outputs of the geometry unit,
 * half a uniform in a queue. Whether a case depends on that, the gates find out by running it (gate.h).
 */
#ifndef HARNESS_CONSOLE_PROLOGUE_H
#define HARNESS_CONSOLE_PROLOGUE_H

#include "harness/console/words.h"
#include "pica/backend.h"

/*
 * Appends a list, FINALIZE included, that sets everything to `wanted`. `present`: only what differs from it is written,
 * and nothing at all if nothing differs; NULL: everything is.
 */
void console_prologue(struct console_words *words, const struct pica_state *present, const struct pica_state *wanted);

#endif
