/* Lighting (50 section 1): what the lights and the seven look-ups are, and which of it matters. */
#ifndef FAST_DRAW_LIGHTING_DECODE_H
#define FAST_DRAW_LIGHTING_DECODE_H

#include "fast/draw/table.h"

#include <stdbool.h>
#include <stdint.h>

enum fast_lighting_lut {
    FAST_LUT_D0,
    FAST_LUT_D1,
    FAST_LUT_SP,
    FAST_LUT_FR,
    FAST_LUT_RB,
    FAST_LUT_RG,
    FAST_LUT_RR
};
enum {
    FAST_LIGHTING_LUTS = 7
};

/* One of the seven look-ups (LIT-20). The table of SP depends on the light. */
struct fast_lighting_lookup {
    bool enabled;  /* available (LIT-08) and not disabled (LIT-07); SP also per light */
    bool absolute; /* unsigned index of LIT-19 */
    uint32_t input;
    float scale;
    const struct fast_lut256 *table;
};

struct fast_light {
    float specular0[3], specular1[3], diffuse[3], ambient[3];
    bool has_specular0, has_specular1; /* the colour is not 0,0,0 */
    float position[3];
    float direction[3], distance; /* directional: Ld and dist of LIT-15 */
    float spot_direction[3];
    bool directional, two_sided, geometric0, geometric1;
    bool spot_enabled;                    /* LIT-26 */
    const struct fast_lut256 *spot_table; /* LIT-22 */
    bool attenuation_enabled;             /* LIT-25 */
    float attenuation_bias, attenuation_scale;
    const struct fast_lut256 *attenuation_table;
    bool shadow_enabled; /* 1C4 bits 0-7, inverted */
};

struct fast_lighting {
    bool enabled;            /* LIT-01, and the result is used */
    bool primary, secondary; /* which of the two results are used */
    uint32_t light_count;    /* 1-8 slots */
    struct fast_light lights[8];
    struct fast_lighting_lookup lookups[FAST_LIGHTING_LUTS];
    uint32_t enabled_lookups; /* bit n: look-up n is enabled */
    uint32_t inputs;          /* bit n: some look-up that matters selects input n (LIT-21) */
    bool needs_view;          /* Vn of LIT-15 matters: for an input, or for the geometric factor */
    bool input5_is_projected; /* LIT-21: raw configuration 8 */
    uint32_t bump_mode, bump_unit;
    bool bump_keeps_z; /* 1C3 bit 30 */
    bool shadow, shadow_primary, shadow_secondary, shadow_alpha, shadow_inverted;
    uint32_t shadow_unit;
    bool fresnel_primary, fresnel_secondary;
    bool clamp_highlights;
    bool primary_is_opaque, secondary_is_opaque; /* difA, spcA are 1.0 */
    float global_ambient[3];
};

#endif
