/* Steps 2 to 10 of FBF-21 for one fragment. */
#ifndef REFERENCE_FRAGMENT_H
#define REFERENCE_FRAGMENT_H

#include "reference/shading.h"

void ref_output_fragment(struct ref_gpu *gpu, const struct ref_fragment *fragment);

#endif
