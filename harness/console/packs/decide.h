/*
 * The pack `decide`: the cases whose answers decide most, most first, so that the first minute of a console is worth
 * most. It has no cases of its own: decide.def says which of corpus/splits, corpus/questions and corpus/seeds come
 * when. Its table is that of the pack `splits`.
 */
#ifndef HARNESS_CONSOLE_PACKS_DECIDE_H
#define HARNESS_CONSOLE_PACKS_DECIDE_H

#include "harness/console/packs/splits.h"

enum {
    CONSOLE_DECIDE_MOST = 200,    /* cases of the pack */
    CONSOLE_DECIDE_PIXELS = 4096, /* of a buffer that one draws to, at most */
    CONSOLE_DECIDE_ROOM = PICA_CHOICES + CONSOLE_MOST_ASKED + CONSOLE_MOST_SEEDS
};

enum console_decide_kind {
    CONSOLE_DECIDE_CHOICE,
    CONSOLE_DECIDE_QUESTION,
    CONSOLE_DECIDE_SEED
};

struct console_decide {
    enum console_decide_kind kind;
    uint32_t index;   /* of pica_choice_info, console_asked_texts, console_seed_texts */
    char rules[80];   /* that the answer decides, spaces between them */
    uint32_t count;   /* of those */
    bool is_first;    /* what evidence suggests and does not settle */
    const char *name; /* of the case; static */
};

/* In the order in which they run; the number of them. */
uint32_t console_decide_list(struct console_decide out[CONSOLE_DECIDE_ROOM]);

/* The first CONSOLE_DECIDE_MOST of them that may be exported. */
enum harness_status console_decide_add(struct console_asking *asking, struct harness_error *error);

/* The row of one of them. */
struct console_split_row *console_decide_row(struct console_splits_table *table, const struct console_decide *decide);

#endif
