/* Where a case's operations and draws read and write, by their own words, against VRAM and the case's windows. */
#ifndef HARNESS_CONSOLE_FOOTPRINT_H
#define HARNESS_CONSOLE_FOOTPRINT_H

#include "harness/case/text.h"
#include "pica/backend.h"

/* Windows that are not in VRAM. */
void console_check_windows(const struct pica_setup *setup, struct harness_text *reasons);

/* What an operation would write that a console must not be told: the LCD, interrupt registers, bits that gsp does not
 * pass on. `index`: of the operation. */
void console_check_operation(const struct pica_operation *operation, uint32_t index, struct harness_text *reasons);

/* Buffers and textures of a draw (its registers) that do not lie in the windows, or are too near to the end of VRAM. */
void console_check_draw(const struct pica_setup *setup, const struct pica_draw *draw, uint32_t index,
                        struct harness_text *reasons);

#endif
