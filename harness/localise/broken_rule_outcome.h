/* How the two sides differ, as broken_rule.def asks for it. Private to harness/localise. */
#ifndef HARNESS_LOCALISE_BROKEN_RULE_OUTCOME_H
#define HARNESS_LOCALISE_BROKEN_RULE_OUTCOME_H

#include "harness/localise/localise_parts.h"

/* The OUTCOME column of broken_rule.def. */
enum broken_rule_outcome {
    OUTCOME_ANY,
    OUTCOME_KEPT,         /* one side keeps more than the state */
    OUTCOME_KEPT_UNIFORM, /* ... and the instruction reads a uniform */
    OUTCOME_KEPT_BOOLEAN, /* ... and the list writes booleans or integers after a draw */

    OUTCOME_CLOSE,      /* floats with the same bits but the last few */
    OUTCOME_SPECIAL,    /* one is infinite or not a number, the other is another kind */
    OUTCOME_ONLY_ALPHA, /* of four channels */
    OUTCOME_ONLY_SPECULAR,
    OUTCOME_CLAMPED_COLOR, /* a colour that one side limits (SHD-81) */

    OUTCOME_ELEMENTS,        /* drawn by indices */
    OUTCOME_IMMEDIATE,       /* drawn by immediate vertices */
    OUTCOME_REUSED,          /* one side takes what an earlier vertex gave */
    OUTCOME_BEYOND_ELEMENTS, /* components that the array does not have */
    OUTCOME_FAR_FETCH,       /* a vertex number with which addresses wrap around */

    OUTCOME_RELATIVE, /* an operand relative to a0 */
    OUTCOME_RELATIVE_LOOP,
    OUTCOME_HIGH_DESCRIPTOR,
    OUTCOME_OTHER_CODE, /* another instruction at the same address */
    OUTCOME_IN_LOOP,    /* the program has a LOOP */
    OUTCOME_SPARSE_OUTPUTS,

    OUTCOME_WHOLE_TRIANGLE, /* one side does not draw it at all */
    OUTCOME_UNCLIPPED,      /* ... and the other has corners outside of the view volume */
    OUTCOME_NEGATIVE_CORNER,
    OUTCOME_OTHER_LAYER, /* of several triangles over a pixel one side has an earlier one on top */
    OUTCOME_ON_EDGE,     /* the centre of the pixel lies on an edge */

    OUTCOME_FIRST_STAGE,
    OUTCOME_THIRD_UNIT,
    OUTCOME_READS_TARGET,   /* the texture is what the draw draws into */
    OUTCOME_SHARED_TEXTURE, /* two units have the same address and take it for different textures */
    OUTCOME_LOWER_LEVEL,
    OUTCOME_OTHER_WRAPS,
    OUTCOME_TABLE_SLOPES, /* the table has differences between its entries */
    OUTCOME_BLOCKS,

    OUTCOME_NOT_WRITTEN, /* an engine: one side has what was there before */

    OUTCOME_REWRITTEN_LIST, /* the list wrote over itself */
    OUTCOME_AFTER_PADDING,  /* the command follows a padding word (CMD-03) */
    OUTCOME_HIGH_ID,
    OUTCOME_PAST_END,
    OUTCOME_LATE_DRAW, /* memory changes by a command that draws nothing, after one that draws */
    OUTCOME_PARTIAL_WRITE
};

bool broken_rule_outcome_is(enum broken_rule_outcome outcome, const struct harness_localise *search,
                            const struct harness_location *location, uint32_t instance);

#endif
