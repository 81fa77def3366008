/* Texture unit 3, which computes its colours. */
#ifndef REFERENCE_PROCTEX_H
#define REFERENCE_PROCTEX_H

#include "reference/interpolation.h"

#include "pica/backend.h"

#include <stdbool.h>
#include <stdint.h>

struct ref_gpu;

/* Unit 3, decoded. */
struct ref_proctex {
    bool enabled;
    const struct pica_tables *tables;
    uint32_t set;                 /* texture coordinate set */
    uint32_t word0, word4, word5; /* 0A8, 0AC, 0AD */
    float amplitude_u, amplitude_v;
    float phase_u, phase_v;
    float frequency_u, frequency_v;
    float bias;                       /* PTX-23 */
    uint32_t high_offsets;            /* PTX-19: of the levels 4 to 7, as word5 has those of the levels 0 to 3 */
    bool has_levels;                  /* TEX-90: false for knob P1 */
    bool keeps_low_byte;              /* PTX-21, other side */
    float map_divisor, noise_divisor; /* PTX-06, PTX-09 */
};

void ref_proctex_decode(const struct ref_gpu *gpu, struct ref_proctex *proctex);

/* proctex.c: the output of unit 3. */
void ref_proctex_sample(struct ref_gpu *gpu, const struct ref_proctex *proctex, const struct ref_fragment *fragment,
                        uint8_t rgba[4]);

/* Section 12 of file 40: its batch events. */
void ref_proctex_events(struct ref_gpu *gpu);

#endif
