/*
 * A plug-in that is wrong on purpose: `reference` behind a command processor of its own, which changes what the GPU
 * gets. It stands for an emulator whose faults are all known, so that tests can check whether picafuzz finds them.
 */
#ifndef CROOKED_CROOKED_H
#define CROOKED_CROOKED_H

#include "docs/example/processor.h"
#include "pica/splits.h"

#include <stdbool.h>
#include <stddef.h>

/* What it does wrong besides bugs; each has a word in the environment variable CROOKED. */
enum crooked_oddity {
    CROOKED_CHOICES = 1 << 0,       /* ten known choices the other way (choices.c) */
    CROOKED_NEAREST = 1 << 1,       /* textures are never filtered */
    CROOKED_OFF_BY_ONE = 1 << 2,    /* scaled transfers to RGBA8 have one red too much */
    CROOKED_LEAK = 1 << 3,          /* the blend colour of the case before, until a case sets its own */
    CROOKED_UNINITIALISED = 1 << 4, /* the border colour of unit 2 comes from memory that nobody wrote */
    CROOKED_CRASH = 1 << 5,         /* draws with a shadow cube in unit 0 write to NULL */
    CROOKED_HANG = 1 << 6,          /* copies with gaps on both sides and longer output lines never end */
    CROOKED_EXIT = 1 << 7,          /* draws in gas mode say that they cannot, and exit(0) */
    CROOKED_MUTE = 1 << 8,          /* not wrong: models memory, and has no trace */
    CROOKED_SAY = 1 << 9            /* not wrong: says on stderr which bugs it has */
};

enum {
    CROOKED_BUGS = 20,
    CROOKED_DRAWN = 6, /* bugs that a seed draws */
    CROOKED_CHOSEN = 10
};

struct crooked_switches {
    uint32_t oddities;           /* enum crooked_oddity */
    uint32_t bugs;               /* bit i: bug i of bugs.c */
    struct pica_choices choices; /* beside those of CROOKED_CHOICES and CROOKED_NEAREST */
};

/*
 * CROOKED holds words separated by commas: names of oddities ("nearest", "off-by-one"), names of bugs
 * ("blend-factors"), one choice and its side ("row-order=highest-first"), "bugs:SEED" for six of them, "all:SEED" for
 * these and every oddity but "mute", "none". Without it: "all:1". False if a word means nothing.
 */
bool crooked_parse(const char *words, struct crooked_switches *out);

/* One bug of bugs.c. It does not show in cases that do not use its feature. */
struct crooked_bug {
    const char *name;
    const char *stage;                           /* of pica/stage_words.def: what must be blamed, one of these */
    const char *what;                            /* one line for people */
    void (*draw)(uint32_t *registers);           /* changes the registers of a draw; or NULL */
    void (*engine)(struct pica_operation *task); /* changes a fill, transfer or copy; or NULL */
};
extern const struct crooked_bug crooked_bugs[CROOKED_BUGS];

/* choices.c: "CHOICE=SIDE", in the words of pica/splits.def; false if these mean nothing. */
bool crooked_parse_choice(const char *text, size_t length, struct pica_choices *out);

/* Sets the choices that the switches ask for; a load does not change them. */
enum pica_status crooked_take_choices(void *core, const struct crooked_switches *switches);

/* ----------------------------------------------------------------------------------------------------- one GPU */

struct crooked_gpu {
    struct processor processor; /* with `reference`, which is correct */
    struct crooked_switches switches;
    uint32_t stale_blend_color; /* of the case before */
    bool keeps_stale_blend_color;
    uint32_t pixel_limit;
    uint32_t *border_color; /* never initialised, on purpose */
};

#endif
