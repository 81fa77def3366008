/*
 * Features that a machine does not have: a case that uses one of them is not tested with it. What a case uses follows
 * from its writes (visit.h): the registers at its draws, the words of its other operations, the instructions of
 * shaders.
 */
#ifndef HARNESS_QUIRKS_WITHOUT_H
#define HARNESS_QUIRKS_WITHOUT_H

#include "harness/case/case.h"
#include "harness/case/text.h"
#include "pica/fields.h"

enum {
    HARNESS_MOST_WITHOUT = 128, /* conditions in all */
    HARNESS_WITHOUT_WORD = 64   /* characters of a name, with the final 0 */
};

/* One condition: a case that meets it has the feature `word`. */
struct harness_without_item {
    char word[HARNESS_WITHOUT_WORD];
    uint32_t kind;                       /* enum kind of without.c */
    const struct pica_field_info *field; /* or NULL */
    uint32_t slot;                       /* of the register; HARNESS_SLOTS: all registers of the field's layout */
    uint32_t value;                      /* of the field, or whatever the kind means by it */
};

/* Zero to begin with. */
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

/* The names of the first of these lines, one by one; NULL beyond the last. */
const char *harness_without_word(size_t index);

/* The first feature, in the order of the file, that the case uses; NULL if none. Sets *failed without memory. */
const char *harness_without_has(const struct harness_without *without, struct harness_case *test_case, bool *failed);

#endif
