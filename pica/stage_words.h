/* The words of stage_words.def: one for each stage, engine and part of the command stream. */
#ifndef PICA_STAGE_WORDS_H
#define PICA_STAGE_WORDS_H

#include <stddef.h>

/* In the order of the table, which is that of the pipeline. */
enum pica_stage_word {
#define STAGE_WORD(ID, slug, text, page, section, areas, places) PICA_STAGE_WORD_##ID,
#include "pica/stage_words.def"
};

enum {
    PICA_STAGE_WORDS = 0 /* how many there are */
#define STAGE_WORD(ID, slug, text, page, section, areas, places) +1
#include "pica/stage_words.def"
};

struct pica_stage_word_info {
    const char *slug;           /* in names of files: "alpha_test" */
    const char *text;           /* in messages: "alpha test" */
    const char *page, *section; /* of docs/spec; "" for a word that is not a place in the machine */
    const char *areas;          /* of rules, separated by blanks */
};

/* Never NULL for an enumerator. */
const struct pica_stage_word_info *pica_stage_word_info(enum pica_stage_word word);

/*
 * The stage that a rule describes, e.g. CUL-04: "cull"; NULL if that is not a rule's id. If several words share an
 * area, the first one in the table.
 */
const struct pica_stage_word_info *pica_stage_word_of_rule(const char *rule);

#endif
