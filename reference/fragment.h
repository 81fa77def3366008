/* Steps 2 to 10 of FBF-21 for one fragment. */
#ifndef REFERENCE_FRAGMENT_H
#define REFERENCE_FRAGMENT_H

#include "reference/shading.h"

struct ref_blending;

/* Decodes what blending, logic operations and channel masks need; the same for all fragments of a batch. */
void ref_blending_decode(const struct ref_gpu *gpu, struct ref_blending *blending);

/* True if the fragment wrote colour, depth or stencil. */
bool ref_output_fragment(struct ref_gpu *gpu, const struct ref_fragment *fragment);

#endif
