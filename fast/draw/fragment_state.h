/*
 * Which fragments a draw makes and what becomes of them (docs/spec 30 and 60), decoded once and kept until a register
 * changes.
 */
#ifndef FAST_DRAW_FRAGMENT_STATE_H
#define FAST_DRAW_FRAGMENT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "pica/backend.h"
#include "pica/enums.h"

/* FBF-19: a colour or depth surface. */
struct fast_surface {
    bool accessed;            /* some fragment of a batch with this state can read or write it */
    bool written;             /* some fragment can write it */
    uint32_t address;         /* FBF-02 */
    uint32_t bytes_per_pixel; /* FBF-09, FBF-14 */
    uint64_t size;            /* extent in bytes, 0 if W = 0 */
};

/* Inclusive; empty if right < left or top < bottom. */
struct fast_box {
    int32_t left, bottom, right, top;
};

/* Stencil operation and what it depends on, in canonical form: `active` is false if no bit could change or matter. */
struct fast_stencil_state {
    bool active; /* STC-02 */
    enum pica_compare_func function;
    uint32_t reference, compare_mask;
    uint32_t write_mask; /* 0 if depth WRITE is off (STC-05) */
    enum pica_stencil_op stencil_fail, depth_fail, pass;
};

struct fast_depth_state {
    bool test;  /* DPT-02; false also for "always" */
    bool write; /* DPT-03 and format not reserved */
    bool read;  /* FBF-16: false = tests see 0 */
    enum pica_compare_func function;
    enum pica_depth_format format;
    float factor; /* ITP-17 */
};

/* BLD-01 without the inversions: the values that a factor can have before it is inverted. */
enum fast_blend_operand {
    FAST_BLEND_ZERO,
    FAST_BLEND_SOURCE_COLOR,
    FAST_BLEND_SOURCE_ALPHA,
    FAST_BLEND_DEST_COLOR,
    FAST_BLEND_DEST_ALPHA,
    FAST_BLEND_CONSTANT_COLOR,
    FAST_BLEND_CONSTANT_ALPHA,
    FAST_BLEND_SATURATE /* min(S.a, 255 - D.a) */
};
enum {
    FAST_BLEND_OPERANDS = 8
};

/* The factor is operand ^ flip: for a byte, 255 - v is v ^ 255. The factor "one" is zero, inverted. */
struct fast_blend_factor {
    enum fast_blend_operand operand;
    uint16_t flip; /* 0 or 255 */
};

struct fast_blend_state {
    bool selected; /* BLD-05: COLOR_OPERATION selects blending; otherwise the logic op */
    bool enabled;  /* selected, and does more than copy the source */
    enum pica_blend_equation rgb_equation, alpha_equation; /* 5-7 are "add" here */
    bool adds;                                             /* both equations are "add" */
    struct fast_blend_factor rgb_source, rgb_dest, alpha_source, alpha_dest;
    uint16_t constant[4]; /* K */
    enum pica_logic_op logic_op;
    bool reads_destination; /* the result depends on D */
};

struct fast_color_state {
    bool write; /* FBF-24 with FBF-12, FBF-25: some bit can change */
    bool read;  /* FBF-15: false = D is 0,0,0,0 */
    enum pica_color_format format;
    uint32_t bits;   /* FBF-17: bits of the stored pixel that are replaced */
    bool keeps_bits; /* some stored bit of the pixel is kept */
};

struct fast_fragment_state {
    /* 30 */
    bool user_plane; /* CLP-08 */
    float plane[4];
    bool plane_nonfinite;
    float half_width, half_height, offset_x, offset_y; /* VPT-02 */
    bool viewport_nonfinite;
    bool keeps_negative, keeps_positive; /* CUL-02: sign of A */
    uint32_t width, height;              /* FBF-04 */
    bool bottom_row_last;                /* FBF-06: memory row = height - 1 - iy */
    bool scissor_inside;                 /* SCS-01 mode 3 */
    bool scissor_outside;                /* mode 1 with a box that is not empty */
    struct fast_box scissor;             /* screen coordinates (SCS-04) */
    struct fast_box scissor_memory;      /* the same box in columns and memory rows */
    float depth_scale, depth_offset;     /* ITP-14 */
    bool z_buffer;                       /* ITP-15 */

    /* 60 */
    enum pica_fragment_mode mode;
    bool draws;          /* some fragment can change memory */
    bool shades;         /* the colour of a fragment matters */
    bool needs_depth;    /* the depth value matters to the framebuffer stage */
    uint32_t pitch;      /* FBF-05: Wt, pixels */
    uint32_t tile_shift; /* 3, or 5 with BLOCK32: log2 of the tile edge */
    struct fast_surface color_surface, depth_surface;
    bool surfaces_meet; /* both accessed and their extents share a byte */

    bool alpha_test; /* ATS-01; false also for "always" */
    enum pica_compare_func alpha_function;
    uint32_t alpha_reference;
    struct fast_stencil_state stencil;
    struct fast_depth_state depth;
    struct fast_blend_state blend;
    struct fast_color_state color;
    bool shadow_read;                     /* SHW-03, GAS-01: colour READ */
    float shadow_constant, shadow_linear; /* SHW-02 */

    struct pica_events batch_events; /* GEN-09: those of the files 30 and 60 */
};

#endif
