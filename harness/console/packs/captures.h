/* The pack `captures`: frames of real programs, corpus/captures, whose memory is moved to VRAM. */
#ifndef HARNESS_CONSOLE_PACKS_CAPTURES_H
#define HARNESS_CONSOLE_PACKS_CAPTURES_H

#include "harness/console/packs/questions.h"
#include "harness/console/packs/splits.h"

/* The files by name, in order; the last one has no name. */
extern const struct console_asked_text console_capture_files[];

enum harness_status console_captures_add(struct console_asking *asking, struct harness_error *error);

#endif
