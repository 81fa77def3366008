/*
 * The known choices of splits.def: the points where sources disagree, and which side of each a machine takes. Side 0 of
 * every choice is what docs/spec calls normative, so a `struct pica_choices` of zeros is the machine of the
 * specification.
 */
#ifndef PICA_SPLITS_H
#define PICA_SPLITS_H

#include <stdbool.h>
#include <stdint.h>

enum pica_choice {
#define CHOICE(ID, name, rule, question) PICA_CHOICE_##ID,
#include "pica/splits.def"
};

enum {
    PICA_MOST_SIDES = 4, /* of one choice */
    PICA_CHOICES = 0     /* how many there are */
#define CHOICE(ID, name, rule, question) +1
#include "pica/splits.def"
};

/* One number for each side of each choice, for code that asks which one is taken: pica_takes. */
enum pica_side {
#define SIDE(ID, number, WORD, word, who, effect) \
    PICA_SIDE_##ID##_##WORD = (int)PICA_CHOICE_##ID * (int)PICA_MOST_SIDES + (number),
#include "pica/splits.def"
};

/* What is known about a side. */
enum pica_standing {
    PICA_STANDING_OPEN,    /* no console was seen to do otherwise; normative sides have this standing */
    PICA_STANDING_REFUTED, /* a console was seen to do otherwise */
    PICA_STANDING_LACK     /* taken by implementations that lack this part of the machine */
};

/* For each choice the number of the side that is taken. */
struct pica_choices {
    uint8_t sides[PICA_CHOICES];
};

static inline bool pica_takes(const struct pica_choices *choices, enum pica_side side)
{
    return choices->sides[(uint32_t)side / PICA_MOST_SIDES] == (uint32_t)side % PICA_MOST_SIDES;
}

struct pica_choice_info {
    enum pica_choice choice;
    const char *name;     /* "zero-area" */
    const char *rule;     /* "CUL-03" */
    const char *question; /* what is open */
};

struct pica_side_info {
    enum pica_choice choice;
    uint32_t number;
    const char *word;   /* "drawn" */
    const char *who;    /* the sources that take it; may be empty */
    const char *effect; /* completes "the machine ..." */
    enum pica_standing standing;
    const char *piece; /* of REFUTED: the evidence, "H06"; else empty */
};

/* Why a rule, or one of its statements, has no switch; splits.def says what the reasons mean. */
enum pica_unswitched_reason {
    PICA_UNSWITCHED_CONVENTION,
    PICA_UNSWITCHED_NOT_STATED,
    PICA_UNSWITCHED_NOT_EXACT,
    PICA_UNSWITCHED_NOT_OBSERVABLE,
    PICA_UNSWITCHED_EVENTS,
    PICA_UNSWITCHED_HARNESS,
    PICA_UNSWITCHED_FAULT
};

struct pica_unswitched_info {
    const char *rule;
    enum pica_unswitched_reason reason;
    const char *why;
};

/* Each of these returns NULL if there is no such choice, side or line. */
const struct pica_choice_info *pica_choice_info(uint32_t choice);
const struct pica_choice_info *pica_choice_by_name(const char *name);
const struct pica_side_info *pica_side_info(uint32_t choice, uint32_t number);
const struct pica_side_info *pica_side_by_word(uint32_t choice, const char *word);
const struct pica_unswitched_info *pica_unswitched_info(uint32_t index);

/* How many sides a choice has, at least 2; 0 if there is no such choice. */
uint32_t pica_side_count(uint32_t choice);

/* Whether every number is the number of a side of its choice. */
bool pica_choices_valid(const struct pica_choices *choices);

/* Whether every side is the normative one. */
bool pica_choices_normative(const struct pica_choices *choices);

#endif
