/*
 * Which values programs send, and which only a generator does. A value is odd if no working program sends it: a console
 * hangs on it, or ignores its bits, or it names nothing. Odd is not undefined: the specification gives most odd values
 * a result, and emulators, which never see them, often have another one. If every operation of a case had an odd value,
 * the case would show nothing else. So most operations are plain, and harness_shares_add counts how many.
 */
#ifndef HARNESS_PLAUSIBLE_H
#define HARNESS_PLAUSIBLE_H

#include "harness/case/case.h"
#include "pica/backend.h"
#include "pica/stage_words.h"

#include <stdbool.h>
#include <stdint.h>

/* What can be odd in a fill, transfer or copy: the bits of harness_operation_odd. */
enum harness_odd {
    HARNESS_ODD_ADDRESS = 1,     /* bits that do not exist (PSC-02), or memory that the case does not have */
    HARNESS_ODD_SIZE = 2,        /* nothing, more than there can be, sizes whose low bits do not exist */
    HARNESS_ODD_INPUT_SIZE = 4,  /* an input that is smaller than the output, or wider without cropping (PPF-04, 05) */
    HARNESS_ODD_LINES = 8,       /* TXC-03: lines without length, half a line, other lines on the other side */
    HARNESS_ODD_FORMAT = 16,     /* PPF-10, PPF-12; fills: the second code of 24 bits (PSC-05) */
    HARNESS_ODD_LAYOUT = 32,     /* PPF-07, PPF-08, PPF-16 */
    HARNESS_ODD_SCALE = 64,      /* PPF-09, PPF-15 */
    HARNESS_ODD_VALUE = 128,     /* fills: bits above the pattern (PSC-05) */
    HARNESS_ODD_OTHER_BITS = 256 /* of control words, without meaning */
};

/* The odd parts of a fill or transfer of that case; 0 for any other operation. */
uint32_t harness_operation_odd(const struct harness_case *test_case, const struct harness_operation *operation);

/* For harness_draw_odd: the stage that each register configures, by the rule of the register. */
struct harness_register_stages {
    uint32_t of[PICA_REGISTERS];       /* enum pica_stage_word; PICA_STAGE_WORDS for none */
    bool configured[PICA_STAGE_WORDS]; /* the stage has registers */
};

void harness_register_stages_init(struct harness_register_stages *stages);

/* How many odd values the registers of each stage hold: reserved encodings, infinities, sizes and formats that do
 * not fit. `registers` has PICA_REGISTERS words. */
void harness_draw_odd(const struct harness_register_stages *stages, const uint32_t *registers,
                      uint32_t odd[PICA_STAGE_WORDS]);

enum harness_share {
    HARNESS_SHARE_PLAIN,  /* only values that programs send */
    HARNESS_SHARE_ONE,    /* one odd value */
    HARNESS_SHARE_SEVERAL /* several */
};

/* Operations by engine (fill, transfer, copy); draws by stage. Rows of stages that have no registers stay 0. */
struct harness_shares {
    struct harness_register_stages stages;
    uint64_t counts[PICA_STAGE_WORDS][3];
};

void harness_shares_init(struct harness_shares *shares);

/* Counts what a case does. Lists are followed in the order in which the generator stores them: register writes and draw
 * triggers, not what a wild jump reaches. */
void harness_shares_add(struct harness_shares *shares, const struct harness_case *test_case);

#endif
