/*
 * The stencil test: eight bits beside each 24-bit depth that programs use as a mask, or count in.
 *
 * The test compares a reference value with the stored byte, both cut to the bits of a mask. Whether it passes, and
 * whether the depth test after it does, chooses one of three operations (keep, zero, replace, count, invert), whose
 * result replaces the stored byte in the bits of a second mask. Stencil exists in the format D24S8 alone; it shares its
 * 32-bit word with the depth. The reference value is on the left of the comparison.
 *
 * Worked number: reference 0x13, compare mask 0x0F, stored 0x23: 3 = 3, "equal" passes. Operation "replace" with write
 * mask 0xF0 then stores (0x13 & 0xF0) | (0x23 & 0x0F) = 0x13.
 */
#include "reference/fragment.h"

#include "reference/trace.h"

/* STC-02. */
static bool is_active(uint32_t word, enum pica_depth_format format)
{
    return pica_stencil_test_enable(word) != 0 && format == PICA_DEPTH_FORMAT_D24S8;
}

/* STC-01: which mask is which. */
static uint32_t mask_of_test(uint32_t word)
{
    return pica_stencil_test_compare_mask(word);
}

static uint32_t mask_of_write(uint32_t word)
{
    return pica_stencil_test_write_mask(word);
}

/* STC-03: the reference is on the left. */
static bool passes(uint32_t word, uint32_t old)
{
    const uint32_t mask = mask_of_test(word);
    return ref_compare(pica_stencil_test_function(word), pica_stencil_test_reference(word) & mask, old & mask);
}

/* STC-04: `old` is the unmasked value. */
static uint32_t operate(enum pica_stencil_op operation, uint32_t old, uint32_t reference)
{
    switch (operation) {
    case PICA_STENCIL_OP_KEEP: return old;
    case PICA_STENCIL_OP_ZERO: return 0;
    case PICA_STENCIL_OP_REPLACE: return reference;
    case PICA_STENCIL_OP_INCREMENT: return old < 254u ? old + 1u : 255u;
    case PICA_STENCIL_OP_DECREMENT: return old > 1u ? old - 1u : 0u;
    case PICA_STENCIL_OP_INVERT: return 255u - old;
    case PICA_STENCIL_OP_INCREMENT_WRAP: return (old + 1u) & 0xFFu;
    case PICA_STENCIL_OP_DECREMENT_WRAP:
    default: return (old - 1u) & 0xFFu; /* the field has three bits */
    }
}

/* STC-05: the byte that is stored; masked bits keep those of the real byte, even with READ off. */
static uint32_t new_byte(uint32_t word, enum pica_stencil_op operation, const struct ref_depth_pixel *pixel)
{
    const uint32_t mask = mask_of_write(word);
    const uint32_t result = operate(operation, pixel->stencil, pica_stencil_test_reference(word));
    return (result & mask) | (pixel->stored_stencil & ~mask & 0xFFu);
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record_test(const struct ref_gpu *gpu, uint32_t word, uint32_t old, bool passed)
{
    const uint32_t outcome = passed ? PICA_FEATURE_STENCIL_PASSES : PICA_FEATURE_STENCIL_FAILS;
    ref_feature(gpu, outcome + (uint32_t)pica_stencil_test_function(word));
    ref_trace_rule(gpu, "FBF-14", 1, &old, 1);
    ref_trace_rule(gpu, "STC-01", 0, (const uint32_t[]){ mask_of_test(word), mask_of_write(word) }, 2);
    ref_trace_rule(gpu, "STC-03", 0, (const uint32_t[]){ passed }, 1);
    ref_trace(gpu, PICA_TRACE_ID_STENCIL_TEST, 0, (const uint32_t[]){ old, passed }, 2);
}

static void record_write(const struct ref_gpu *gpu, enum pica_stencil_op operation, const struct ref_depth_pixel *pixel,
                         uint32_t byte)
{
    const uint32_t reference = pica_stencil_test_reference(gpu->regs[PICA_REG_STENCIL_TEST]);
    ref_trace_rule(gpu, "STC-06", 0, (const uint32_t[]){ (uint32_t)operation }, 1);
    ref_trace_rule(gpu, "STC-04", 0, (const uint32_t[]){ operate(operation, pixel->stencil, reference) }, 1);
    ref_feature(gpu, PICA_FEATURE_STENCIL_WRITTEN + (uint32_t)operation);
    ref_trace(gpu, PICA_TRACE_ID_STENCIL_WRITE, 0, &byte, 1);
}

bool ref_stencil_is_active(const struct ref_gpu *gpu)
{
    return is_active(gpu->regs[PICA_REG_STENCIL_TEST], gpu->batch->depth_format);
}

bool ref_stencil_test(const struct ref_gpu *gpu, const struct ref_depth_pixel *pixel)
{
    const uint32_t word = gpu->regs[PICA_REG_STENCIL_TEST];
    const bool passed = passes(word, pixel->stencil);
    if (gpu->is_watched)
        record_test(gpu, word, pixel->stencil, passed);
    return passed;
}

/* STC-05, FBF-27, FBF-32: only byte 3, only if depth WRITE is on; the depth write bit has no influence. */
void ref_stencil_write(struct ref_gpu *gpu, const struct ref_depth_pixel *pixel, enum pica_stencil_op operation)
{
    if (!ref_stencil_is_active(gpu) || !gpu->batch->stencil_write)
        return;
    const uint32_t byte = new_byte(gpu->regs[PICA_REG_STENCIL_TEST], operation, pixel);
    ref_surface_write(gpu, &gpu->batch->depth, pixel->offset + 3u, 1, byte);
    if (gpu->is_watched)
        record_write(gpu, operation, pixel, byte);
}
