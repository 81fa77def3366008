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

/* TEV-10: one channel, bytes; the division by 256 truncates toward zero. */
static inline v_i32 dot3_term(v_i32 a, v_i32 b)
{
    const v_i32 middle = v_i32_splat(255);
    const v_i32 left = v_i32_sub(v_i32_shl(a, 1), middle);
    const v_i32 right = v_i32_sub(v_i32_shl(b, 1), middle);
    const v_i32 sum = v_i32_add(v_i32_mul(left, right), v_i32_splat(128));
    const v_i32 toward_zero = v_i32_and(v_i32_shr(sum, 31), middle);
    return v_i32_shr(v_i32_add(sum, toward_zero), 8);
}

#endif
