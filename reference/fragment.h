/*
 * One fragment after its colour: the calls of fragment.c, which holds the order of FBF-21, into the files of the
 * stages. Each of these functions computes its stage and reports it to the observers.
 */
#ifndef REFERENCE_FRAGMENT_H
#define REFERENCE_FRAGMENT_H

#include "reference/framebuffer.h"
#include "reference/shading.h"

#include "pica/enums.h"

/* Steps 2 to 10 of FBF-21. True if the fragment wrote colour, depth or stencil. */
bool ref_output_fragment(struct ref_gpu *gpu, const struct ref_fragment *fragment);

/* FBF-23: what the alpha test, the stencil test and the depth test ask. */
static inline bool ref_compare(enum pica_compare_func function, uint32_t a, uint32_t b)
{
    switch (function) {
    case PICA_COMPARE_FUNC_NEVER: return false;
    case PICA_COMPARE_FUNC_ALWAYS: return true;
    case PICA_COMPARE_FUNC_EQUAL: return a == b;
    case PICA_COMPARE_FUNC_NOT_EQUAL: return a != b;
    case PICA_COMPARE_FUNC_LESS: return a < b;
    case PICA_COMPARE_FUNC_LESS_EQUAL: return a <= b;
    case PICA_COMPARE_FUNC_GREATER: return a > b;
    case PICA_COMPARE_FUNC_GREATER_EQUAL:
    default: return a >= b; /* the field has three bits */
    }
}

/* alpha_test.c: step 3, on the combiner's alpha. */
bool ref_alpha_test(const struct ref_gpu *gpu, uint8_t alpha);

/* fog.c: step 4; changes R, G, B of `color`. In fragment mode 0 only (TEV-01). */
void ref_fog(const struct ref_gpu *gpu, const struct ref_fragment *fragment, uint8_t color[4]);

void ref_fog_events(struct ref_gpu *gpu); /* of a batch */

/* stencil_test.c: step 5, only if the test is active; and step 8. */
bool ref_stencil_is_active(const struct ref_gpu *gpu);
bool ref_stencil_test(const struct ref_gpu *gpu, const struct ref_depth_pixel *pixel);
void ref_stencil_write(struct ref_gpu *gpu, const struct ref_depth_pixel *pixel, enum pica_stencil_op operation);

/* depth_test.c: the fragment's depth as an integer of the buffer's width (ITP-17); step 6; step 7. */
uint32_t ref_depth_integer(enum pica_depth_format format, float depth);
bool ref_depth_test(const struct ref_gpu *gpu, uint32_t incoming, uint32_t stored);
void ref_depth_write(struct ref_gpu *gpu, const struct ref_depth_pixel *pixel, uint32_t depth);

/* depth_test.c: EDT-02, the batch event. */
void ref_depth_test_events(struct ref_gpu *gpu);

/* blend.c, logic_op.c: step 9 is one of the two; what registers say of both. */
void ref_blend_decode(const struct ref_gpu *gpu, struct ref_blending *blending);
void ref_blend(const struct ref_gpu *gpu, const uint8_t source[4], const uint8_t dest[4], uint8_t result[4]);
void ref_logic_op(const struct ref_gpu *gpu, const uint8_t source[4], const uint8_t dest[4], uint8_t result[4]);

/* gas.c, shadow.c: what fragment modes 1 and 3 do instead of steps 3 to 10; `index` is the number of the pixel. */
void ref_gas_fragment(struct ref_gpu *gpu, uint32_t index);
void ref_shadow_fragment(struct ref_gpu *gpu, const struct ref_fragment *fragment, const uint8_t color[4],
                         uint32_t index);

#endif
