/* The procedural unit (spec 40). */
#ifndef FAST_DRAW_PROCTEX_DECODE_H
#define FAST_DRAW_PROCTEX_DECODE_H

#include "fast/draw/table.h"

#include <stdbool.h>
#include <stdint.h>

struct fast_proctex {
    bool enabled;        /* used and 080 bit 10; otherwise the colour is 0,0,0,0 (PTX-25) */
    uint32_t coordinate; /* 0-2 (TEX-13) */
    uint32_t clamp_u, clamp_v, shift_u, shift_v;
    uint32_t function_rgb, function_alpha;
    bool separate_alpha, noise;
    float amplitude_u, amplitude_v; /* (f32)amp */
    float phase_u, phase_v, frequency_u, frequency_v;
    bool linear;       /* PTX-21 */
    uint32_t mip;      /* 0 none, 1 nearest, 2 linear (PTX-22) */
    bool bias_is_zero; /* PTX-23 */
    float width_bias;  /* (f32)width * b */
    int32_t lod_min, lod_max;
    float offset[8]; /* PTX-19: (f32)offset of the level */
    float width[8];  /* PTX-20: (f32)wm */
    const struct fast_lut128 *noise_lut, *rgb_lut, *alpha_lut;
    const float *color;      /* [256][4]: colour table as f32 */
    const float *difference; /* [256][4]: twice the signed difference, as f32 */
};

#endif
