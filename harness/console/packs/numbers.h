/*
 * The pack `numbers`: arithmetic over many inputs. The picture of a case holds its results themselves, so that what a
 * console computes is read off it, and nothing that was expected has to be sent along: what `reference` leaves of the
 * same case is compared when the results are back.
 *
 * Blending and the combiner over all pairs of bytes (number_blending.c, number_combiner.c). The vertex shader: RCP,
 * RSQ, EX2, LG2, FLR over all mantissas at eight exponents, MUL, ADD, MAD over 2^20 pairs, all of them with zeros,
 * infinities, NaN and what is subnormal (number_inputs.c, number_floats.c). What they are stands in numbers.def.
 */
#ifndef HARNESS_CONSOLE_PACKS_NUMBERS_H
#define HARNESS_CONSOLE_PACKS_NUMBERS_H

#include "harness/console/packs/splits.h"

enum {
    CONSOLE_NUMBERS = 31,             /* operations */
    CONSOLE_NUMBERS_MOST_CASES = 128, /* of an operation */
    CONSOLE_WRONG_SHOWN = 8,
    CONSOLE_MOST_OPERANDS = 3
};

/* In place of a result: a pixel that was not drawn. */
static const uint32_t CONSOLE_NUMBER_NOTHING = UINT32_MAX;

enum harness_status console_numbers_add(struct console_asking *asking, struct harness_error *error);

/* Bytes, float24, or binary32. */
struct console_wrong_number {
    uint32_t operands[CONSOLE_MOST_OPERANDS], expected, computed;
};

struct console_numbers_row {
    const char *name, *rule; /* static */
    bool is_float;           /* results are float24, and operands, too */
    bool takes_binary32;     /* ... but operands, if this is true */
    uint32_t operand_count;
    uint32_t cases, compared;            /* of the pack, and whose results were compared */
    uint32_t outcomes[CONSOLE_OUTCOMES]; /* cases of each */
    bool is_compared[CONSOLE_NUMBERS_MOST_CASES];
    bool is_wrong[CONSOLE_NUMBERS_MOST_CASES]; /* with a wrong result */
    enum console_verdict verdict;
    uint32_t inputs, wrong; /* that were compared */
    uint32_t below, above;  /* of the wrong ones: finite, of the same sign, smaller or larger */
    uint32_t furthest;      /* of those, in units of the last place */
    char fits[80];          /* side of a known choice (pica/splits.def) that gives all results; "": none */
    struct console_wrong_number shown[CONSOLE_WRONG_SHOWN]; /* the first */
};

struct console_numbers_table {
    struct console_numbers_row rows[CONSOLE_NUMBERS];
};

/* Notes what the import said of a case. False: no case of this pack. Start from zeros. */
bool console_numbers_note(struct console_numbers_table *table, const struct console_imported *imported);

/* Judges what was noted by recorded results. `observer` is told of every wrong result; NULL: nobody. */
typedef void (*console_wrong_observer)(void *user, const struct console_numbers_row *row,
                                       const struct console_wrong_number *wrong);
enum harness_status console_numbers_judge(struct console_numbers_table *table, const char *recorded_path,
                                          console_wrong_observer observer, void *user, struct harness_error *error);

/* Are bits of float24 numbers read as they are? MOV shows it: it has results, and none is wrong. True also if no such
 * numbers were compared. */
bool console_numbers_can_read(const struct console_numbers_table *table);

#endif
