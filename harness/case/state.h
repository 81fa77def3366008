/*
 * The initial state of a case (REG-45): `struct pica_state` cut into the named parts of pica/state.def, each given or
 * not. That table serves the text form, the binary form, comparison and the completion of what is not given.
 */
#ifndef HARNESS_STATE_H
#define HARNESS_STATE_H

#include "pica/backend.h"
#include "pica/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the elements of a part are: decides how they are shown. */
enum harness_part_type {
    HARNESS_PART_REGISTERS = 0, /* internal register words */
    HARNESS_PART_WORDS = 1,
    HARNESS_PART_FLOATS = 2, /* binary32 bits, four a vector */
    HARNESS_PART_CODE = 3,   /* shader instructions */
    HARNESS_PART_OPDESCS = 4
};

struct harness_part {
    const char *name;
    size_t offset;    /* in struct pica_state */
    uint32_t width;   /* bytes of an element: 1, 2, 4 */
    uint32_t count;   /* elements */
    uint32_t maximum; /* largest value of an element */
    enum harness_part_type type;
};

struct harness_state {
    struct pica_state values; /* reset values in the parts that are not given */
    uint64_t given;           /* bit i: part i is given */
};

/* The lines of pica/state.def. The index of a part is its number in files, an enumerator of pica/state.h. */
extern const struct harness_part harness_parts[];
extern const uint32_t harness_part_count;

/* Index of the part of this name, or harness_part_count. */
uint32_t harness_part_find(const char *name);

uint32_t harness_part_get(const struct pica_state *state, uint32_t part, uint32_t index);
void harness_part_set(struct pica_state *state, uint32_t part, uint32_t index, uint32_t value);

/* The first element from `index` on that is not what it is after reset, or the count of elements. */
uint32_t harness_part_next(const struct pica_state *state, uint32_t part, uint32_t index);

/* REG-02: the words of the internal registers after reset. */
extern const uint32_t harness_reset_registers[PICA_REGISTERS];

/* REG-02, REG-04: what a program finds after reset. */
void harness_state_reset(struct pica_state *state);

/* Reset values, nothing given. */
void harness_state_init(struct harness_state *state);

/* All parts given, with the values that a backend returned, normalised. */
void harness_state_take(struct harness_state *state, const struct pica_state *values);

/* Makes the values such as a backend can have: within their ranges, NaNs as in GEN-02, 0 where a word is always 0
 * (REG-15) or cannot be observed (REG-04); parts that are not given get their reset values. */
void harness_state_normalise(struct harness_state *state);
/* The same, faster, for a state whose parts have their reset values wherever they are not given. */
void harness_state_settle(struct harness_state *state);
bool harness_state_is_normal(const struct harness_state *state);

bool harness_state_equal(const struct harness_state *a, const struct harness_state *b);

/* REG-45: the complete state that a backend loads. */
void harness_state_complete(const struct harness_state *state, enum pica_profile profile, struct pica_state *out);

#endif
