/* Fog (50 section 3). */
#ifndef FAST_DRAW_FOG_DECODE_H
#define FAST_DRAW_FOG_DECODE_H

#include "fast/draw/table.h"

#include <stdbool.h>
#include <stdint.h>

struct fast_fog {
    bool enabled; /* fragment mode 0 and fog mode 5: only then fast_fog_block has work */
    bool flipped; /* 0E0 bit 16 */
    float color[3];
    const struct fast_lut128 *lut;
};

#endif
