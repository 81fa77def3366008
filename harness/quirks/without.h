/*
 * Features that a machine does not have: a case that uses one of them is not tested with it. What a case uses is read
 * off its writes (visit.h): the registers at its draws, the words of its other operations, its shaders' instructions.
 */
#ifndef HARNESS_QUIRKS_WITHOUT_H
#define HARNESS_QUIRKS_WITHOUT_H

#include "harness/case/case.h"
#include "harness/case/text.h"
#include "pica/fields.h"

enum {
    HARNESS_MOST_WITHOUT = 128, /* conditions of all words */
    HARNESS_WITHOUT_WORD = 64
};

/* One condition: a case that meets it has the feature `word`. */
struct harness_without_item {
    char word[HARNESS_WITHOUT_WORD];
    uint32_t kind;                       /* of without.c */
    const struct pica_field_info *field; /* NULL: no field */
    uint32_t slot;                       /* of the register; HARNESS_SLOTS: all of the layout */
    uint32_t value;                      /* of the field; a number of the kind */
};

/* Start from zeroes. */
struct harness_without {
    uint32_t count;
    struct harness_without_item items[HARNESS_MOST_WITHOUT];
};

/*
 * Adds a feature:
 *
 *     "geometry", "gas", "shadow", "f24", "display transfer", ...    harness_without_word
 *     "etc1", "ia8", ...                                             a texture format of a unit that is on
 *     "color_operation.fragment_mode=shadow"                         as `picafuzz triage` and coverage call it
 *     "texunit_config.clear_cache"                                   a flag that is 1
 *     "shader.mad"                                                   an instruction in the code of a shader
 */
enum harness_status harness_without_add(struct harness_without *without, const char *word, struct harness_error *error);

/* The names of the first line; NULL at the end. */
const char *harness_without_word(size_t index);

/* The word of the first feature in the file that the case has; NULL: it has none. `failed` without memory. */
const char *harness_without_has(const struct harness_without *without, struct harness_case *test_case, bool *failed);

#endif
