/* The texture combiner (TEV), both ways. Only for files compiled per instruction set. */
#ifndef FAST_KERNELS_COMBINER_H
#define FAST_KERNELS_COMBINER_H

#include "fast/kernels/block.h"
#include "fast/kernels/cell.h"

/*
 * Sources of the combiner by id (TEV-05): each the four channels of a colour. Sources that no stage reads may be unset.
 */
struct fast_combiner_sources {
    const v_u16 *id[16];
};

/* The combiner stages (50 section 2). `block` is used for the trace only. */
void FAST_ISA(fast_combine_block)(const struct fast_combiner *combiner, const struct fast_block *block,
                                  struct fast_combiner_sources *sources, struct fast_colors *out);

/*
 * Runs the combiner stages and sets `color` of the cells. `sources` is indexed by id (TEV-05); sources that no decoded
 * stage reads are NULL.
 */
void FAST_ISA(fast_combine_cells)(const struct fast_combiner *combiner,
                                  const struct fast_cell_colors *const sources[16], struct fast_cell *cells,
                                  uint32_t count);

/*
 * TEV-10 in 16 bits. N is the one of 2a - 255 and 254 - 2a that is not negative. x is negative if a < 128, so bit 7 of
 * a ^ b says whether the signs differ. p + 127 is at most 65152. -m - 1 is m with all bits inverted. A term is in
 * -256..255, so the sum of three, plus DOT3_LEAST, is in 0..1533.
 */
enum {
    DOT3_LEAST = 768
};

#endif
