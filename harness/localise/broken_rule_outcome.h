/* Predicates on how the two sides differ, for the OUTCOME column of broken_rule.def. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_BROKEN_RULE_OUTCOME_H
#define HARNESS_LOCALISE_BROKEN_RULE_OUTCOME_H

#include "harness/localise/localise_parts.h"

/* The OUTCOME column of broken_rule.def. */
enum broken_rule_outcome {
    OUTCOME_ANY,
    OUTCOME_KEPT,         /* one side keeps more than the state, such as a cache */
    OUTCOME_KEPT_UNIFORM, /* ... and the instruction reads a uniform */

    OUTCOME_KEPT_TEXTURE, /* ... and an earlier draw used the same texture, whose memory has changed since */
    OUTCOME_KEPT_TARGET,  /* ... because an earlier draw drew into it */

    OUTCOME_SPECIAL,    /* one is infinite or NaN, the other is of another class */
    OUTCOME_ROUNDED,    /* integers that are off by one */
    OUTCOME_SIGN,       /* floats that differ in the sign bit only */
    OUTCOME_ONE_SIDED,  /* only one side has the value */
    OUTCOME_SAME_HEAD,  /* the first of several values is the same */
    OUTCOME_SAME_PAIR,  /* the first two values are the same */
    OUTCOME_ONLY_ALPHA, /* only the fourth of four channels differs */
    OUTCOME_ONLY_SPECULAR,
    OUTCOME_INVERTED,       /* bytes: one side has 255 minus the other's */
    OUTCOME_INVERTED_ALPHA, /* ... the fourth of each colour alone */
    OUTCOME_EXCHANGED,      /* one side has what the other has for another unit, attribute or table */
    OUTCOME_SAME_BUFFER,    /* a geometry shader: the same vertices are queued for it, but its inputs differ */
    OUTCOME_ALONE,          /* the other interpolated values are the same */
    OUTCOME_LOST,           /* one side has 0 in all differing values */
    OUTCOME_CLAMPED_COLOR,  /* a colour that one side limits (SHD-81) */

    OUTCOME_ELEMENTS,        /* drawn by indices */
    OUTCOME_IMMEDIATE,       /* drawn by immediate vertices */
    OUTCOME_REUSED,          /* one side reuses the result of an earlier vertex */
    OUTCOME_NOT_BEGUN,       /* one side does not run the program */
    OUTCOME_BEYOND_ELEMENTS, /* components that the array does not have */
    OUTCOME_FAR_FETCH,       /* a vertex number with which addresses wrap around */

    OUTCOME_RELATIVE, /* an operand relative to a0 */
    OUTCOME_RELATIVE_LOOP,
    OUTCOME_INPUT, /* an operand is an input register */
    OUTCOME_HIGH_DESCRIPTOR,
    OUTCOME_OTHER_CODE, /* another instruction at the same address */
    OUTCOME_LITP,       /* the program runs LITP, which also sets the condition flags */
    OUTCOME_LITP_STATE, /* ... and those flags differ */
    OUTCOME_IN_LOOP,    /* the program has a LOOP */
    OUTCOME_SPARSE_OUTPUTS,

    OUTCOME_WHOLE_TRIANGLE, /* one side does not draw it at all */
    OUTCOME_UNCLIPPED,      /* ... and on the other side it has corners outside the view volume */
    OUTCOME_NO_SCISSOR,     /* a triangle is lost unless the scissor test is on and lets all through */
    OUTCOME_CLIPPED_VALUE,  /* a value differs, and only with a corner that clipping has made */
    OUTCOME_NEGATIVE_CORNER,
    OUTCOME_OTHER_CORNERS,  /* the other side draws the triangle elsewhere: with other corners before the viewport, */
    OUTCOME_OTHER_SCREEN,   /* with other corners only after it, */
    OUTCOME_ROUNDED_SCREEN, /* with corners off by 1/16 pixel at most */

    OUTCOME_OTHER_LAYER, /* several triangles cover the pixel, and one side shows an earlier one */
    OUTCOME_LOST_INSIDE, /* one side draws the triangle, but leaves out a pixel that it covers */
    OUTCOME_OUTSIDE,     /* the pixel is not covered by the triangle that is drawn there */
    OUTCOME_NOWHERE,     /* the other side draws nothing at any pixel that was tried, and may clip otherwise */
    OUTCOME_ON_EDGE,     /* the centre of the pixel lies on an edge */

    OUTCOME_FIRST_STAGE,
    OUTCOME_THIRD_UNIT,
    OUTCOME_LATER,     /* the number of the unit, light or stage is not 0 */
    OUTCOME_LOOKUP_DA, /* the table of a light that is looked up */
    OUTCOME_LOOKUP_SP,
    OUTCOME_LACKS_DA,       /* only one side looks up table DA, */
    OUTCOME_LACKS_SP,       /* table SP, */
    OUTCOME_LACKS_SEVERAL,  /* several tables, */
    OUTCOME_LACKS_TABLE,    /* or any table */
    OUTCOME_READS_TARGET,   /* the texture is what the draw draws into */
    OUTCOME_SHARED_TEXTURE, /* two units have the same address, but different texture formats or sizes */
    OUTCOME_LOWER_LEVEL,
    OUTCOME_LATER_TAP,    /* not the first texel of a level */
    OUTCOME_OTHER_FACE,   /* of a cube */
    OUTCOME_OTHER_WRAPS,  /* the difference needs S and T to be wrapped in different ways */
    OUTCOME_TABLE_SLOPES, /* the difference needs differing entries in the table, */
    OUTCOME_FOG_SHARE,    /* or a share of the fog colour */
    OUTCOME_ALIKE,        /* the difference also shows with all texels alike */
    OUTCOME_UNLIKE,       /* ... does not */
    OUTCOME_MIRRORED,     /* the rows of a picture are in the other order */
    OUTCOME_BLOCKS,
    OUTCOME_UNTRACED,      /* a draw whose traces agree */
    OUTCOME_SURFACES_MEET, /* colours and depth lie in the same memory */

    OUTCOME_SAME_MEMORY, /* an engine: only registers or interrupts differ */
    OUTCOME_REPEATED,    /* a fill: the first pattern is right */
    OUTCOME_NOT_WRITTEN, /* an engine: one side has what was there before */

    OUTCOME_STORED_SHUFFLED,  /* a uniform has the same numbers on both sides, in another order */
    OUTCOME_STORED_OTHERWISE, /* ... has other numbers, while the upload counters agree */
    OUTCOME_NOT_STARTED,      /* one side does not run the list at all */
    OUTCOME_ABOUT_STATE,      /* registers, state or events differ, not because of a draw */
    OUTCOME_OTHER_WORD,       /* ... the register of a command with several parameters that all go to it */
    OUTCOME_REWRITTEN_LIST,   /* the list wrote over itself */
    OUTCOME_AFTER_PADDING,    /* the command follows a padding word (CMD-03) */
    OUTCOME_HIGH_ID,
    OUTCOME_PAST_END,
    OUTCOME_LATE_DRAW, /* memory changes at a command that draws nothing, after one that draws */
    OUTCOME_PARTIAL_WRITE
};

bool broken_rule_outcome_is(enum broken_rule_outcome outcome, const struct harness_localise *search,
                            const struct harness_location *location, uint32_t instance);

#endif
