/*
 * What a case leaves at a few places, as the head of a case states it:
 *
 *     0x180000A8 = 0xFF0000FF, interrupt PSC0 = 1
 *
 * A place is the address of a little-endian word of memory, or of a register as a CPU would read it (0x10400000 to
 * 0x10401BFC), or a counter of interrupts.
 */
#ifndef HARNESS_FINGERPRINT_PLACES_H
#define HARNESS_FINGERPRINT_PLACES_H

#include "harness/case/case.h"
#include "harness/case/text.h"
#include "harness/run/runner.h"

enum {
    HARNESS_MOST_PLACES = 8 /* that one case looks at */
};

enum harness_place_kind {
    HARNESS_WORD_OF_MEMORY,
    HARNESS_WORD_OF_REGISTER,
    HARNESS_COUNT_OF_INTERRUPT /* `address` is its index */
};

struct harness_word_place {
    enum harness_place_kind kind;
    uint32_t address;
};

struct harness_places {
    struct harness_word_place at[HARNESS_MOST_PLACES];
    uint32_t count;
};

/* Words by place. */
struct harness_words {
    uint32_t at[HARNESS_MOST_PLACES];
};

/* Reads "PLACE = WORD, ...", and overwrites `text`. The `first` time the text says which places there are; later it
 * must name the same ones in the same order. False if the text has another form. */
bool harness_places_read(struct harness_places *places, char *text, bool first, struct harness_words *out);

/* Are all places among what a backend with this scope shows? */
bool harness_places_are_seen(const struct harness_places *places, const struct oracle_scope *scope);

/* The words that the places hold in the results of a run; 0 for memory outside of all windows. */
void harness_places_look(const struct harness_places *places, const struct oracle_run *run, struct harness_words *out);

/* Runs the case and looks. The first status that is not PICA_OK; PICA_NOT_SUPPORTED also where a place is in a page
 * that a recording does not hold. */
enum pica_status harness_places_run(const struct harness_places *places, const struct harness_program *program,
                                    struct harness_runner *runner, struct harness_words *out);

bool harness_places_equal(const struct harness_places *places, const struct harness_words *a,
                          const struct harness_words *b);

/* Appends "0x180000A8 = 0xFF0000FF, ..." */
void harness_places_text(const struct harness_places *places, const struct harness_words *words,
                         struct harness_text *out);

#endif
