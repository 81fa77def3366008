/* What the localiser says about a divergence, in words that are the same for the same fault. Plain data: it travels
 * between processes. */
#ifndef HARNESS_TRIAL_BLAME_H
#define HARNESS_TRIAL_BLAME_H

#include "harness/localise/localise.h"

enum {
    HARNESS_BLAME_TEXT = 64
};

struct harness_blame {
    char stage[HARNESS_BLAME_TEXT];   /* where the two begin to differ, "" if not known */
    char rule[HARNESS_BLAME_TEXT];    /* that defines the value, "" if not known */
    char broken[HARNESS_BLAME_TEXT];  /* the rule that is broken, by the localiser's first guess; "" if there is none */
    char place[HARNESS_BLAME_TEXT];   /* the value ("result"), or the register that the guilty command or CPU write
                                       writes; "" if neither is known */
    bool has_step;                    /* a value of a trace; else only the command is known */
    uint32_t index;                   /* of the step: unit, combiner stage, light, ... */
    bool has_result;                  /* it is what a shader instruction computes, not which one comes next */
    bool has_draw;                    /* a draw shows it */
    bool keeps_more;                  /* it shows only in a run from the start of the case */
    char changed[HARNESS_BLAME_TEXT]; /* ... and only if this register changes after an earlier draw; "" if not known */
    char relative;                    /* the operand of a shader instruction is relative to 'a' (a0), 'L' (aL), or 0 */
    bool high_descriptor;             /* ... and its operand descriptor is number 32 or above */
    bool special;                     /* of the two values one is infinite or not a number, and the other is not */
    bool far_address;                 /* a shader's address register holds less than -128 or more than 127 there */
};

void harness_blame_take(struct harness_blame *out, const struct harness_location *location);

#endif
