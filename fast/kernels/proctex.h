/* The procedural texture unit (PTX). Only for files compiled per instruction set. */
#ifndef FAST_KERNELS_PROCTEX_H
#define FAST_KERNELS_PROCTEX_H

#include "fast/kernels/block.h"

/* Colour of the procedural unit, which is enabled (40 section 10). */
void FAST_ISA(fast_sample_proctex)(const struct fast_proctex *proctex, const struct fast_block *block,
                                   struct fast_colors *out);

#endif
