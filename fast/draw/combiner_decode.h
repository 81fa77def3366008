/* The texture combiner (50 section 2): its stages, and those of them that have a shorter way. */
#ifndef FAST_DRAW_COMBINER_DECODE_H
#define FAST_DRAW_COMBINER_DECODE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FAST_COMBINER_STAGES = 6
};

/*
 * One operand: channel `channel[c]` of the source, exclusive or `invert` (TEV-07, TEV-08). Operands that give 0 have a
 * source that gives 0. Alpha operands use channel[0] only.
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

/* What an RGBA stage does to two channels of a lane at once: bytes in 16-bit halves (kernels/combiner_rgba_tmpl.h). */
enum fast_rgba_operation {
    FAST_RGBA_REPLACE,
    FAST_RGBA_MODULATE,
    FAST_RGBA_ADD,
    FAST_RGBA_ADD_SIGNED,
    FAST_RGBA_INTERPOLATE,
    FAST_RGBA_SUBTRACT,
    FAST_RGBA_MULTIPLY_ADD,
    FAST_RGBA_ADD_MULTIPLY,
    /* With one operand that is the constant of the stage, folded into `first` and `second`: */
    FAST_RGBA_SCALE,     /* a * constant */
    FAST_RGBA_SCALE_ADD, /* a * constant, plus b */
    FAST_RGBA_ADD_SCALE, /* a plus b, times constant */
    FAST_RGBA_SHIFT,     /* a add-signed constant */
    FAST_RGBA_MIX        /* a, constant interpolated by b */
};

/*
 * A stage that does the same with all four channels of whole sources, without scale, as combiner_rgba.c describes it:
 * of two operands that may be exchanged, the first one is the previous output if either is.
 */
struct fast_rgba_stage {
    bool active; /* otherwise nothing below is set */
    enum fast_rgba_operation operation;
    uint8_t count; /* sources that are read */
    uint8_t source[3];
    bool reads_constant;          /* one of these is the constant */
    bool continues;               /* the stage before is one, too, and source 0 is its output */
    bool is_read_again;           /* the stage after is one, too, and has the output as source 1 or 2 */
    uint32_t first[2], second[2]; /* r and b, g and a */
};

/* The stages that do something, in order: without those that hand on the previous output and touch no buffer. */
struct fast_combiner {
    struct fast_combiner_stage stages[FAST_COMBINER_STAGES];
    struct fast_rgba_stage rgba[FAST_COMBINER_STAGES]; /* none is if reads_buffer */
    uint32_t stage_count;
    uint32_t sources;  /* bit n: some operand that is read has source n */
    bool reads_buffer; /* otherwise the buffer is not kept (TEV-12) */
    uint8_t buffer[4]; /* 0FD */
};

#endif
