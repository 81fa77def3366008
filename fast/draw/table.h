/* Look-up tables of fog, procedural texture and lighting as the kernels read them. */
#ifndef FAST_DRAW_TABLE_H
#define FAST_DRAW_TABLE_H

#include <stdint.h>

/*
 * PTX-06, FOG-03, LIT-17: entry k is value + slope * fraction, both already divided: the bits of these two floats are
 * words 2k and 2k + 1, which are loaded as one (v_f32_load_pairs_at).
 */
struct fast_lut128 {
    uint32_t words[128 * 2];
};

struct fast_lut256 {
    uint32_t words[256 * 2];
};

#endif
