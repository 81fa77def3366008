/*
 * Fragment shading: from one covered pixel to its colour (specification 40 and 50), step 2 of FBF-21.
 *
 * The rasteriser hands over a fragment: position, depth, primary colour, interpolated attributes. `ref_shade` samples
 * the texture units, lights the fragment and runs the six combiner stages. Registers are decoded once for each batch,
 * into `struct ref_shading`. The rest reads that and the tables in `gpu`, reads memory for texels, and writes nothing
 * but the colour and class R events. Nothing here keeps state between two fragments.
 *
 * Worked number: primary colour red 200 in stage 0, sources (previous, previous, primary), mode modulate, operands
 * "colour" and "one minus colour" gives 200 * 55 / 255 = 43 (TEV-16).
 */
#ifndef REFERENCE_SHADING_H
#define REFERENCE_SHADING_H

#include "reference/combiner.h"
#include "reference/interpolation.h"
#include "reference/lighting.h"
#include "reference/proctex.h"
#include "reference/texture.h"

#include <stdbool.h>
#include <stdint.h>

struct ref_gpu;

/* TEX-32, LIT-01: everything that the fragments of a batch share. */
struct ref_shading {
    bool is_lit;
    uint32_t used_units; /* TEX-32: bit i is set if unit i is used; the others are not decoded */
    uint32_t needs;      /* REF_NEEDS_* */
    struct ref_image images[3];
    struct ref_proctex proctex;
    struct ref_lighting lighting; /* if is_lit */
    struct ref_combiner combiner;
    struct ref_sources sources; /* of the fragment being shaded; what is not used stays 0 */
};

/* Decodes all registers that ref_shade needs; they are the same for all fragments of a batch. */
void ref_shading_decode(const struct ref_gpu *gpu, struct ref_shading *shading);

/* Step 2 of FBF-21: textures, lighting, combiners. `color` receives the bytes R G B A of the combiner output. */
void ref_shade(struct ref_gpu *gpu, struct ref_shading *shading, const struct ref_fragment *fragment, uint8_t color[4]);

/* All class M batch events of the files 40 and 50: call once for each drawing batch (FBF-33, GEN-09). */
void ref_shading_events(struct ref_gpu *gpu);

#endif
