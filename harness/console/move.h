/*
 * Moves a case with memory outside VRAM into VRAM: the same windows, contents, lists and operations at other addresses.
 * The moved case leaves what the case itself leaves, but for the addresses in its lists, which is why reading it back
 * (console_move_back) takes only the bytes that the GPU changed. That this holds is proved for each case by running
 * `reference` both ways.
 */
#ifndef HARNESS_CONSOLE_MOVE_H
#define HARNESS_CONSOLE_MOVE_H

#include "harness/case/case.h"

#include <stdbool.h>
#include <stddef.h>

/* Fills *out, which then borrows nothing. *done false: the case lies in VRAM already, or has no room there. The same
 * case is always moved in the same way. */
enum harness_status console_move(const struct harness_program *from, struct harness_program *out, bool *done,
                                 struct harness_error *error);

/* After an operation: `now` and `before` are images (harness/run/image.h) of the moved case, `image` is that of the
 * case itself. */
void console_move_back(uint8_t *image, uint8_t *before, const uint8_t *now, size_t size);

struct console_mover;

struct console_mover *console_mover_create(void);        /* NULL without memory */
void console_mover_destroy(struct console_mover *mover); /* accepts NULL */

/* console_move, and the proof: *done is false without it, too. */
enum harness_status console_mover_move(struct console_mover *mover, const struct harness_program *from,
                                       struct harness_program *out, bool *done, struct harness_error *error);

#endif
