/* The texture combiner (50 section 2): its decoded stages, and which of them are RGBA stages. */
#ifndef FAST_DRAW_COMBINER_DECODE_H
#define FAST_DRAW_COMBINER_DECODE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FAST_COMBINER_STAGES = 6
};

/*
 * One operand: channel `channel[c]` of the source, XOR `invert` (TEV-07, TEV-08). An operand that gives 0 has a source
 * that gives 0. Alpha operands use only channel[0].
 */
struct fast_combiner_operand {
    uint8_t source; /* enum pica_tev_source, after TEV-06 */
    uint8_t channel[3];
    uint16_t invert; /* 0 or 255 */
};

struct fast_combiner_stage {
    uint8_t number;       /* 0-5 */
    bool alpha_from_dot3; /* TEV-11 */
    bool reads_constant;
    uint8_t constant[4];
    uint32_t rgb_mode, alpha_mode;
    uint32_t rgb_count, alpha_count; /* operands that the modes read (TEV-17) */
    struct fast_combiner_operand rgb[3], alpha[3];
    uint32_t rgb_shift, alpha_shift; /* TEV-13: 0, 1, 2 */
    bool updates_rgb, updates_alpha; /* TEV-12 */
};

/*
 * What an RGBA stage does to two channels of each lane at once: bytes in 16-bit halves (kernels/combiner_rgba_tmpl.h).
 */
enum fast_rgba_operation {
    FAST_RGBA_REPLACE,
    FAST_RGBA_MODULATE,
    FAST_RGBA_ADD,
    FAST_RGBA_ADD_SIGNED,
    FAST_RGBA_INTERPOLATE,
    FAST_RGBA_SUBTRACT,
    FAST_RGBA_MULTIPLY_ADD,
    FAST_RGBA_ADD_MULTIPLY,
    /* One operand is the constant of the stage, folded into `first` and `second`: */
    FAST_RGBA_SCALE,     /* a * constant */
    FAST_RGBA_SCALE_ADD, /* a * constant, plus b */
    FAST_RGBA_ADD_SCALE, /* a plus b, times constant */
    FAST_RGBA_SHIFT,     /* a add-signed constant */
    FAST_RGBA_MIX        /* a, constant interpolated by b */
};

/*
 * A stage that does the same with all four channels of unmodified sources, without scale; combiner_rgba.c finds them.
 * If two operands may be exchanged and either is the previous output, that one comes first.
 */
struct fast_rgba_stage {
    bool active; /* otherwise nothing below is set */
    enum fast_rgba_operation operation;
    uint8_t count; /* sources that are read */
    uint8_t source[3];
    bool reads_constant;          /* one of these sources is the constant */
    bool continues;               /* the stage before is an RGBA stage too, and source 0 is its output */
    bool is_read_again;           /* the stage after is an RGBA stage too, and reads the output as source 1 or 2 */
    uint32_t first[2], second[2]; /* r and b, g and a */
};

/*
 * The stages that do something, in order. Left out: those that pass on the previous output and do not touch the buffer.
 */
struct fast_combiner {
    struct fast_combiner_stage stages[FAST_COMBINER_STAGES];
    struct fast_rgba_stage rgba[FAST_COMBINER_STAGES]; /* none is active if reads_buffer */
    uint32_t stage_count;
    uint32_t sources;  /* bit n: some operand that is read has source n */
    bool reads_buffer; /* otherwise the buffer is not computed (TEV-12) */
    uint8_t buffer[4]; /* 0FD */
};

#endif
