/*
 * The speed tricks of this backend, all of them. Each is followed by the proof that it changes no result; they can be
 * switched off together (ref_set_shortcuts), and tests/reference/test_shortcuts.c compares the two ways over the corpus
 * and generated cases. Nothing else in reference/ needs a proof to be read.
 */
#ifndef REFERENCE_SHORTCUTS_H
#define REFERENCE_SHORTCUTS_H

#include <stdbool.h>
#include <stdint.h>

struct ref_combiner;
struct ref_gpu;

/* Combiner stages up to the last one that does anything, 0-6; those after it give the output of the one before. */
uint32_t ref_stages_needed(const struct ref_gpu *gpu, const struct ref_combiner *combiner);

/*
 * Whether to compute a value that is read only if `is_used` is true; without the shortcuts it always is. A value that
 * nothing reads has no effect. Used for the combiner's buffer and for the tangent and half vector of lighting.
 */
bool ref_is_needed(const struct ref_gpu *gpu, bool is_used);

/*
 * Two tricks have no switch. shader.c reuses the decoded form of an instruction as long as its word and its descriptor
 * are the same, which is all that the decoder reads; features are counted by this form, too. And raster.c computes the
 * edge functions by adding a constant step from pixel to pixel (RST-01); its integers are wide enough for every sum.
 */

/* x modulo n, n > 0. For n = 2^k the lower k bits of x are the rest, and textures have such sizes. */
static inline uint32_t ref_modulo(uint32_t x, uint32_t n, bool shortcuts)
{
    return shortcuts && (n & (n - 1u)) == 0 ? x & (n - 1u) : x % n;
}

#endif
