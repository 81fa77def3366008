/*
 * The alpha test: throws fragments away by how opaque they are, so that a leaf drawn on a square leaves the pixels
 * around it alone.
 *
 * It compares the 8-bit alpha of the combiner with a constant of a register. As in OpenGL the alpha is on the left of
 * the comparison. It comes first of all tests, before fog and before stencil and depth, so a fragment that fails leaves
 * no trace anywhere, not even in the stencil byte. Switched off, everything passes.
 *
 * Worked number: function "greater or equal", reference 128: alpha 127 fails, 128 passes.
 */
#include "reference/fragment.h"

#include "reference/trace.h"

/* ATS-01. */
static bool passes(uint32_t word, uint8_t alpha)
{
    const enum pica_compare_func function = pica_fragop_alpha_test_function(word);
    if (!pica_fragop_alpha_test_enable(word))
        return true;
    return ref_compare(function, alpha, pica_fragop_alpha_test_reference(word));
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record(const struct ref_gpu *gpu, uint32_t word, bool passed)
{
    const uint32_t outcome = passed ? PICA_FEATURE_ALPHA_PASSES : PICA_FEATURE_ALPHA_FAILS;
    const uint32_t function = (uint32_t)pica_fragop_alpha_test_function(word);
    ref_feature_if(gpu, pica_fragop_alpha_test_enable(word) != 0, outcome + function);
    ref_trace_rule(gpu, "ATS-01", 0,
                   (const uint32_t[]){ pica_fragop_alpha_test_enable(word), pica_fragop_alpha_test_reference(word) },
                   2);
    if (gpu->trace.is_active)
        ref_trace_report_rule(gpu, pica_stage_word_info(PICA_STAGE_WORD_ALPHA_TEST), "FBF-23", 0, PICA_TRACE_UNSIGNED,
                              (const uint32_t[]){ passed }, 1);
    ref_trace(gpu, PICA_TRACE_ID_ALPHA_TEST, 0, (const uint32_t[]){ passed }, 1);
}

bool ref_alpha_test(const struct ref_gpu *gpu, uint8_t alpha)
{
    const uint32_t word = gpu->regs[PICA_REG_FRAGOP_ALPHA_TEST];
    const bool passed = passes(word, alpha);
    if (gpu->is_watched)
        record(gpu, word, passed);
    return passed;
}
