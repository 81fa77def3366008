/* How the two sides differ, as broken_rule.def asks for it. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_BROKEN_RULE_OUTCOME_H
#define HARNESS_LOCALISE_BROKEN_RULE_OUTCOME_H

#include "harness/localise/localise_parts.h"

/* The OUTCOME column of broken_rule.def. */
enum broken_rule_outcome {
    OUTCOME_ANY,
    OUTCOME_KEPT,         /* one side keeps more than the state */
    OUTCOME_KEPT_UNIFORM, /* ... and the instruction reads a uniform */

    OUTCOME_KEPT_TEXTURE, /* ... and an earlier draw had the same texture: its memory has changed */
    OUTCOME_KEPT_TARGET,  /* ... because that draw was into it */

    OUTCOME_SPECIAL,    /* one is infinite or not a number, the other is another kind */
    OUTCOME_ROUNDED,    /* integers that are off by one */
    OUTCOME_SIGN,       /* floats with the same bits but the sign */
    OUTCOME_ONE_SIDED,  /* only one side has the value */
    OUTCOME_SAME_HEAD,  /* the first of several values is the same */
    OUTCOME_SAME_PAIR,  /* the first two are */
    OUTCOME_ONLY_ALPHA, /* of four channels */
    OUTCOME_ONLY_SPECULAR,
    OUTCOME_INVERTED,       /* bytes, one side has 255 minus those of the other */
    OUTCOME_INVERTED_ALPHA, /* ... the fourth of each colour alone */
    OUTCOME_EXCHANGED,      /* one side has what the other one has in another place: unit, attribute, table */
    OUTCOME_SAME_BUFFER,    /* a geometry shader: the same vertices wait for it, and its inputs are others */
    OUTCOME_ALONE,          /* other interpolated values are the same */
    OUTCOME_LOST,           /* one side has 0, whatever the number of values */
    OUTCOME_CLAMPED_COLOR,  /* a colour that one side limits (SHD-81) */

    OUTCOME_ELEMENTS,        /* drawn by indices */
    OUTCOME_IMMEDIATE,       /* drawn by immediate vertices */
    OUTCOME_REUSED,          /* one side takes what an earlier vertex gave */
    OUTCOME_NOT_BEGUN,       /* one side does not run the program */
    OUTCOME_BEYOND_ELEMENTS, /* components that the array does not have */
    OUTCOME_FAR_FETCH,       /* a vertex number with which addresses wrap around */

    OUTCOME_RELATIVE, /* an operand relative to a0 */
    OUTCOME_RELATIVE_LOOP,
    OUTCOME_INPUT, /* an operand is an input register */
    OUTCOME_HIGH_DESCRIPTOR,
    OUTCOME_OTHER_CODE, /* another instruction at the same address */
    OUTCOME_LITP,       /* the program runs LITP, which compares, too */
    OUTCOME_LITP_STATE, /* ... and what it leaves of comparing differs */
    OUTCOME_IN_LOOP,    /* the program has a LOOP */
    OUTCOME_SPARSE_OUTPUTS,

    OUTCOME_WHOLE_TRIANGLE, /* one side does not draw it at all */
    OUTCOME_UNCLIPPED,      /* ... and the other has corners outside of the view volume */
    OUTCOME_NEGATIVE_CORNER,
    OUTCOME_OTHER_CORNERS,  /* where the other side draws the triangle, it has others before the viewport, */
    OUTCOME_OTHER_SCREEN,   /* only after it, */
    OUTCOME_ROUNDED_SCREEN, /* by 1/16 pixel at most */

    OUTCOME_OTHER_LAYER, /* of several triangles over a pixel one side has an earlier one on top */
    OUTCOME_LOST_INSIDE, /* one side draws the triangle, but not at a pixel that it covers */
    OUTCOME_OUTSIDE,     /* the pixel is not covered by the triangle that is drawn there */
    OUTCOME_NOWHERE,     /* the other side draws nothing at all, as far as pixels were tried */
    OUTCOME_ON_EDGE,     /* the centre of the pixel lies on an edge */

    OUTCOME_FIRST_STAGE,
    OUTCOME_THIRD_UNIT,
    OUTCOME_LATER,     /* the number is not 0 */
    OUTCOME_LOOKUP_DA, /* the table of a light that is looked up */
    OUTCOME_LOOKUP_SP,
    OUTCOME_LACKS_DA, /* only one side looks it up, */
    OUTCOME_LACKS_SP,
    OUTCOME_LACKS_SEVERAL,
    OUTCOME_LACKS_TABLE,    /* or another one */
    OUTCOME_READS_TARGET,   /* the texture is what the draw draws into */
    OUTCOME_SHARED_TEXTURE, /* two units have the same address and take it for different textures */
    OUTCOME_LOWER_LEVEL,
    OUTCOME_LATER_TAP,  /* not the first texel of a level */
    OUTCOME_OTHER_FACE, /* of a cube */
    OUTCOME_OTHER_WRAPS,
    OUTCOME_TABLE_SLOPES, /* it needs differences between entries of the table, */
    OUTCOME_FOG_SHARE,    /* or how much of its colour fog adds */
    OUTCOME_ALIKE,        /* it is there with all texels alike, too */
    OUTCOME_UNLIKE,       /* ... is not */
    OUTCOME_MIRRORED,     /* the rows of a picture are in the other order */
    OUTCOME_BLOCKS,
    OUTCOME_UNTRACED,      /* a draw whose traces agree */
    OUTCOME_SURFACES_MEET, /* colours and depth lie in the same memory */

    OUTCOME_SAME_MEMORY, /* an engine: only registers or interrupts differ */
    OUTCOME_REPEATED,    /* a fill: the first pattern is right */
    OUTCOME_NOT_WRITTEN, /* an engine: one side has what was there before */

    OUTCOME_STORED_SHUFFLED,  /* both have a uniform with the same numbers in other places */
    OUTCOME_STORED_OTHERWISE, /* ... with other numbers, and count alike what came and comes */
    OUTCOME_NOT_STARTED,      /* one side does not run the list at all */
    OUTCOME_ABOUT_STATE,      /* registers or state, not by a draw */
    OUTCOME_OTHER_WORD,       /* ... the register of a command with several parameters that all go to it */
    OUTCOME_REWRITTEN_LIST,   /* the list wrote over itself */
    OUTCOME_AFTER_PADDING,    /* the command follows a padding word (CMD-03) */
    OUTCOME_HIGH_ID,
    OUTCOME_PAST_END,
    OUTCOME_LATE_DRAW, /* memory changes by a command that draws nothing, after one that draws */
    OUTCOME_PARTIAL_WRITE
};

bool broken_rule_outcome_is(enum broken_rule_outcome outcome, const struct harness_localise *search,
                            const struct harness_location *location, uint32_t instance);

#endif
