/* The combiner on the quick way: arithmetic on two channels of each lane, and the data that the stages work on. */
#ifndef FAST_KERNELS_COMBINER_MACHINE_H
#define FAST_KERNELS_COMBINER_MACHINE_H

#include "fast/kernels/combiner.h"

#include "pica/enums.h"

/* ------------------------------------------------------------------------------------------------------- arithmetic */

/* TEV-09 on two channels of each lane: bytes in 16-bit halves (the proofs are in combiner.c). */
typedef v_u32 operation(v_u32 a, v_u32 b, v_u32 c);

static inline v_u32 bytes(void)
{
    return v_u32_splat(0x00FF00FFu);
}

static inline v_u32 replace(v_u32 a, v_u32 b, v_u32 c)
{
    (void)b;
    (void)c;
    return a;
}

static inline v_u32 modulate(v_u32 a, v_u32 b, v_u32 c)
{
    (void)c;
    return v_u16x2_div255(v_u16x2_mul(a, b));
}

static inline v_u32 add(v_u32 a, v_u32 b, v_u32 c)
{
    (void)c;
    return v_u16x2_adds_bytes(a, b);
}

static inline v_u32 add_signed(v_u32 a, v_u32 b, v_u32 c)
{
    (void)c;
    return v_u16x2_min(v_u16x2_subs(v_u16x2_add(a, b), v_u32_splat(0x00800080u)), bytes());
}

static inline v_u32 interpolate(v_u32 a, v_u32 b, v_u32 c)
{
    const v_u32 rest = v_u32_xor(c, bytes());
    return v_u16x2_div255(v_u16x2_add(v_u16x2_mul(a, c), v_u16x2_mul(b, rest)));
}

static inline v_u32 subtract(v_u32 a, v_u32 b, v_u32 c)
{
    (void)c;
    return v_u16x2_subs(a, b);
}

static inline v_u32 multiply_add(v_u32 a, v_u32 b, v_u32 c)
{
    return v_u16x2_adds_bytes(modulate(a, b, c), c);
}

static inline v_u32 add_multiply(v_u32 a, v_u32 b, v_u32 c)
{
    return modulate(add(a, b, c), c, c);
}

static inline v_u32 nothing(v_u32 a, v_u32 b, v_u32 c)
{
    (void)a;
    (void)b;
    (void)c;
    return v_u32_splat(0);
}

/* ---------------------------------------------------------------------------------------------------------- machine */

/* One colour per cell, or a single colour for all cells (step 0). */
struct operand {
    const struct fast_pairs *colors;
    uint32_t step;
};

static inline struct fast_pairs pairs_of_bytes(const uint8_t channel[4])
{
    return (struct fast_pairs){ v_u32_splat(channel[0] | (uint32_t)channel[2] << 16),
                                v_u32_splat(channel[1] | (uint32_t)channel[3] << 16) };
}

/* The sources of an RGBA stage (combiner_rgba.c). */
struct rgba_operands {
    struct operand in[3];
    struct fast_pairs constant;
};

/* What all stages share. */
struct machine {
    uint32_t count;
    struct operand sources[16]; /* by id */
    struct fast_pairs zero, constant;
    struct fast_cell_colors operands[3]; /* operands that had to be computed from a source */
    struct fast_cell_colors outputs[2]; /* the previous output and the next one, which change places after each stage */
    struct fast_cell_colors alpha, buffer, pending;
    struct rgba_operands rgba[FAST_COMBINER_STAGES];
};

#endif
