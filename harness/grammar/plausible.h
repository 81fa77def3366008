/*
 * Which values programs send, and which only a generator does. A value is odd if no program that works sends it: a
 * console hangs on it, or ignores its bits, or it names nothing. Odd is not undefined: the specification gives most of
 * them a result, and emulators, which never saw them, another one. A case in which each operation had an odd value
 * would show nothing else. So operations are plain first, and `harness_shares_add` counts whether they are.
 */
#ifndef HARNESS_PLAUSIBLE_H
#define HARNESS_PLAUSIBLE_H

#include "harness/case/case.h"
#include "pica/backend.h"
#include "pica/stage_words.h"

#include <stdbool.h>
#include <stdint.h>

/* What of a fill, transfer or copy can be odd: a bit of harness_operation_odd each. */
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

/* The stage of each register by its rule; PICA_STAGE_WORDS for what configures none. For harness_draw_odd. */
struct harness_register_stages {
    uint32_t of[PICA_REGISTERS];
    bool configured[PICA_STAGE_WORDS]; /* has registers */
};

void harness_register_stages_init(struct harness_register_stages *stages);

/* How many odd values the registers of each stage hold: reserved encodings, infinities, sizes and formats that do
 * not fit. `registers` has PICA_REGISTERS words. */
void harness_draw_odd(const struct harness_register_stages *stages, const uint32_t *registers,
                      uint32_t odd[PICA_STAGE_WORDS]);

enum harness_share {
    HARNESS_SHARE_PLAIN,  /* only values that programs send */
    HARNESS_SHARE_ONE,    /* one odd value */
    HARNESS_SHARE_SEVERAL /* more */
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
