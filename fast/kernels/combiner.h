/* The texture combiner (TEV), both ways. Only for files compiled per instruction set. */
#ifndef FAST_KERNELS_COMBINER_H
#define FAST_KERNELS_COMBINER_H

#include "fast/kernels/block.h"
#include "fast/kernels/cell.h"

/*
 * Sources of the combiner by id (TEV-05): each the four channels of a colour. Ids that are not read may be unset.
 */
struct fast_combiner_sources {
    const v_u16 *id[16];
};

/* The combiner stages (50 section 2). `block` is used for the trace only. */
void FAST_ISA(fast_combine_block)(const struct fast_combiner *combiner, const struct fast_block *block,
                                  struct fast_combiner_sources *sources, struct fast_colors *out);

/* The combiner stages; `sources` by id (TEV-05), NULL where the decoded stages read nothing. Sets `color` of the
 * cells. */
void FAST_ISA(fast_combine_cells)(const struct fast_combiner *combiner,
                                  const struct fast_cell_colors *const sources[16], struct fast_cell *cells,
                                  uint32_t count);

/*
 * TEV-10 in 16 bits. Of 2a - 255 and 254 - 2a, N is the one that is not negative; x is negative if a < 128, so bit 7 of
 * a ^ b says whether the signs differ; p + 127 is 65152 at most; -m - 1 are the inverted bits of m. A term is in
 * -256..255, and with DOT3_LEAST added the sum of three is in 0..1533.
 */
enum {
    DOT3_LEAST = 768
};

#endif
