/*
 * What the targets of one unit share. An input is no case: it is what the unit is given, as bytes, and each byte string
 * is some. The target makes a case of it, by changing a frame that is the same for all; `reference` and `fast` run
 * that, and give the same bits. So all of an input is about the unit, and mutation by bytes does.
 *
 * A target is fuzz_NAME.c with a frame and unit_build. Where PICAFUZZ_CASE names a file, the case that the last input
 * became is written there before it runs: `picafuzz diff`, `reduce` and `report` take it from there.
 */
#ifndef HARNESS_TARGETS_UNIT_H
#define HARNESS_TARGETS_UNIT_H

#include "harness/case/case.h"

/* An input that is read from its begin. */
struct unit_input {
    const uint8_t *bytes;
    size_t size; /* left */
};

/* The next byte, or little-endian word; what lies behind the end is 0. */
uint32_t unit_byte(struct unit_input *input);
uint32_t unit_word(struct unit_input *input);

/* At most `most` words into `out`: only whole ones. Returns how many. */
size_t unit_words(struct unit_input *input, uint32_t *out, size_t most);

/* ----------------------------------------------------------------------------------------------- given by a target */

/* The frame, as .pcase. */
extern const char unit_frame[];

/* Changes a copy of the frame into the case of the input. False: no memory. */
bool unit_build(struct harness_case *test_case, struct unit_input *input);

#endif
