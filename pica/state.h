/* The parts of a state by number: the lines of state.def that a case can give. */
#ifndef PICA_STATE_H
#define PICA_STATE_H

/* The number is that of the part in files. */
enum pica_state_part {
#define STATE(number, ID, name, member, bits, count, most, FORM, row, label, rule) PICA_STATE_##ID = number,
#include "pica/state.def"
};

enum {
    PICA_STATE_PARTS = 0 /* how many there are: numbers 0 to one less */
#define STATE(number, ID, name, member, bits, count, most, FORM, row, label, rule) +1
#include "pica/state.def"
};

#endif
