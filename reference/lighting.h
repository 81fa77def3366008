/* The lighting of a batch, as lighting_registers.c decodes it and lighting.c computes it. */
#ifndef REFERENCE_LIGHTING_H
#define REFERENCE_LIGHTING_H

#include "reference/combiner.h"
#include "reference/interpolation.h"

#include "pica/enums.h"

#include <stdbool.h>
#include <stdint.h>

struct ref_gpu;

struct ref_vector {
    float x, y, z;
};

/* The kinds of tables, in the order of their groups in 1D0-1D2 (LIT-20). */
enum ref_lut {
    REF_LUT_D0,
    REF_LUT_D1,
    REF_LUT_SP,
    REF_LUT_FR,
    REF_LUT_RB,
    REF_LUT_RG,
    REF_LUT_RR
};

/* How one kind of table is looked up (LIT-18 to LIT-21). */
struct ref_lookup {
    bool is_enabled;       /* LIT-07, LIT-08; for SP: that the table is available; lights have switches of their own */
    const uint32_t *table; /* LIT-22; for SP: that of light 0 */
    enum pica_lut_input input;
    bool is_signed;
    float factor;
};

/* One light of a fragment, decoded. */
struct ref_light {
    uint32_t number;                  /* 0-7 */
    struct ref_vector position, spot; /* LIT-04, LIT-15 */
    bool is_directional, is_two_sided;
    bool geometric_factor0, geometric_factor1;
    bool shadow_diffuse, shadow_specular;
    float specular0[3], specular1[3], diffuse[3], ambient[3]; /* LIT-03 */
    const uint32_t *attenuation_table;                        /* NULL: no attenuation (LIT-25) */
    float attenuation_bias, attenuation_scale;
    bool spot_enabled;
    const uint32_t *spot_table;
};

/* The lighting of a batch, decoded. */
struct ref_lighting {
    uint32_t light_count;
    struct ref_light lights[8];     /* in the order of their slots (LIT-32) */
    struct ref_lookup lookups[7];   /* by enum ref_lut */
    bool uses_half;                 /* some enabled lookup asks for a cosine with H */
    bool has_cos_phi;               /* LIT-21 */
    bool needs_half, needs_tangent; /* shortcuts.h: whether to compute what the two members above ask for */
    float ambient[3];
    enum pica_bump_mode bump_mode;
    uint32_t bump_unit, shadow_unit;
    bool no_z_recalculation;
    bool shadow_enable, shadow_invert, shadow_alpha;
    bool clamp_highlights;
    bool fresnel_to_primary, fresnel_to_secondary;
    bool rounds;                        /* LIT-38, other side */
    float value_divisor, slope_divisor; /* LIT-17: V and M */
    bool has_no_slopes;                 /* LIT-17, other side: a machine that does not interpolate */
};

void ref_lighting_decode(const struct ref_gpu *gpu, struct ref_lighting *lighting);

/* "Lit" of section 5 of file 50: lighting is on, and some combiner source asks for it. */
bool ref_is_lit(const struct ref_gpu *gpu);

/* LIT: from the fragment and the colours of the texture units to the two lighting colours. */
void ref_light(const struct ref_gpu *gpu, const struct ref_lighting *lighting, const struct ref_fragment *fragment,
               struct ref_sources *sources);

/* Section 5 of file 50: its batch events. */
void ref_lighting_events(struct ref_gpu *gpu);

#endif
