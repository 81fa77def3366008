/* The combiner of a batch, decoded, and the colours that it chooses from. */
#ifndef REFERENCE_COMBINER_H
#define REFERENCE_COMBINER_H

#include "pica/enums.h"

#include <stdbool.h>
#include <stdint.h>

struct ref_gpu;

/* What a combiner stage can select, by enum pica_tev_source (TEV-05): bytes R G B A. Reserved sources stay 0. */
struct ref_sources {
    uint8_t colors[16][4];
};

/* TEV-07, TEV-08: one channel of one operand. */
struct ref_operand {
    uint8_t place; /* of the channel in the sources: 4 * source + channel; TEV-06 is done */
    uint8_t flips; /* 255 for one minus: 255 - x is x with all bits inverted; else 0 */
};

/* TEV-10: how other sides compute the dot product; with all members false it is the normative way. */
struct ref_dot3 {
    bool negates, shifts; /* how a term is made negative; whether the division is a shift */
    bool by_256;          /* a different formula */
};

/* One combiner stage, decoded. */
struct ref_stage {
    struct ref_operand operands[3][4]; /* [position][R G B A] */
    uint32_t rgb_count, alpha_count;   /* TEV-17: positions that a formula reads, from 0 on */
    uint32_t operand_count;            /* the greater of the two */
    enum pica_tev_mode rgb_mode, alpha_mode;
    int32_t rgb_scale, alpha_scale; /* 1, 2, 4 */
    bool adds_signed_127;           /* TEV-09, other side */
    int32_t before_division;        /* TEV-09: 0; on its other side 127, so that a division by 255 rounds */
    struct ref_dot3 dot3;
    uint8_t constant[4];
    bool rgb_update, alpha_update; /* TEV-12 */
};

struct ref_combiner {
    struct ref_stage stages[6];
    uint8_t buffer[4];                          /* TEV-12: at the beginning */
    uint8_t first_buffer[4], first_previous[4]; /* TEV-12, TEV-06: what stage 0 reads; 0 except on other sides */
    uint32_t sources_read;                      /* TEV-17: bit i is set if some stage reads source i */
    bool needs_buffer;                          /* shortcuts.h */
    uint32_t stages_needed;                     /* shortcuts.h */
};

void ref_combiner_decode(const struct ref_gpu *gpu, struct ref_combiner *combiner);

/* TEV: the output of stage 5. `sources` has all but the constant, the buffer and the previous colour. */
void ref_combine(const struct ref_gpu *gpu, const struct ref_combiner *combiner, struct ref_sources *sources,
                 uint8_t color[4]);

/* Section 5 of file 50: the batch events of the combiner. */
void ref_combiner_events(struct ref_gpu *gpu);

#endif
