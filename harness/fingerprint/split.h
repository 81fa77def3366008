/*
 * The cases of corpus/splits: one for each known choice (pica/splits.def), with the words that each side leaves. They
 * stand in the head of a case:
 *
 *     expect drawn: 0x180000A8 = 0xFF0000FF
 *     touched by: empty-sum
 *
 * and the program holds them all, so that it needs no files.
 */
#ifndef HARNESS_FINGERPRINT_SPLIT_H
#define HARNESS_FINGERPRINT_SPLIT_H

#include "harness/case/case.h"
#include "harness/case/error.h"
#include "harness/case/text.h"
#include "harness/fingerprint/places.h"
#include "harness/run/runner.h"
#include "pica/splits.h"

/* The cases by name, in order; the last one has no name. */
struct harness_split_text {
    const char *name;
    const char *text;
    size_t size;
};
extern const struct harness_split_text harness_split_texts[];

struct harness_split {
    enum pica_choice choice;
    struct harness_case *test_case;
    struct harness_program *program; /* borrows from it */
    struct harness_places places;
    struct harness_words sides[PICA_MOST_SIDES]; /* what each side leaves */
    bool touched_by[PICA_CHOICES];               /* choices that change what the case leaves */
};

/* Reads a text. HARNESS_BAD_INPUT: "NAME.pcase: ..."; `out` needs no free then. */
enum harness_status harness_split_read(struct harness_split *out, const char *name, const char *text, size_t size,
                                       struct harness_error *error);

/* The case of a choice that the program holds. */
enum harness_status harness_split_open(struct harness_split *out, uint32_t choice, struct harness_error *error);
void harness_split_free(struct harness_split *split);

/* The number of the side that leaves these words, or PICA_MOST_SIDES. */
uint32_t harness_split_side(const struct harness_split *split, const struct harness_words *words);

#endif
