/* splits.def as arrays. Nothing here can change at run time. */
#include "pica/splits.h"

#include <stddef.h>
#include <string.h>

static const struct pica_choice_info choices[PICA_CHOICES] = {
#define CHOICE(ID, name, rule, question) { PICA_CHOICE_##ID, name, rule, question },
#include "pica/splits.def"
};

/* Choices with fewer than PICA_MOST_SIDES sides leave the last elements empty (word NULL). */
static const struct pica_side_info sides[PICA_CHOICES][PICA_MOST_SIDES] = {
#define SIDE(ID, number, WORD, word, who, effect) \
    [PICA_CHOICE_##ID][number] = { PICA_CHOICE_##ID, number, word, who, effect, PICA_STANDING_OPEN, "" },
#define REFUTED(ID, number, WORD, word, who, effect, piece) \
    [PICA_CHOICE_##ID][number] = { PICA_CHOICE_##ID, number, word, who, effect, PICA_STANDING_REFUTED, piece },
#define LACK(ID, number, WORD, word, who, effect) \
    [PICA_CHOICE_##ID][number] = { PICA_CHOICE_##ID, number, word, who, effect, PICA_STANDING_LACK, "" },
#include "pica/splits.def"
};

static const struct pica_unswitched_info unswitched[] = {
#define UNSWITCHED(rule, REASON, why) { rule, PICA_UNSWITCHED_##REASON, why },
#include "pica/splits.def"
};

const struct pica_choice_info *pica_choice_info(uint32_t choice)
{
    return choice < PICA_CHOICES ? &choices[choice] : NULL;
}

const struct pica_choice_info *pica_choice_by_name(const char *name)
{
    for (uint32_t choice = 0; choice < PICA_CHOICES; choice++)
        if (strcmp(choices[choice].name, name) == 0)
            return &choices[choice];
    return NULL;
}

const struct pica_side_info *pica_side_info(uint32_t choice, uint32_t number)
{
    if (choice >= PICA_CHOICES || number >= PICA_MOST_SIDES || sides[choice][number].word == NULL)
        return NULL;
    return &sides[choice][number];
}

uint32_t pica_side_count(uint32_t choice)
{
    uint32_t count = 0;
    while (pica_side_info(choice, count) != NULL)
        count++;
    return count;
}

const struct pica_side_info *pica_side_by_word(uint32_t choice, const char *word)
{
    for (uint32_t number = 0; pica_side_info(choice, number) != NULL; number++)
        if (strcmp(sides[choice][number].word, word) == 0)
            return &sides[choice][number];
    return NULL;
}

const struct pica_unswitched_info *pica_unswitched_info(uint32_t index)
{
    return index < sizeof unswitched / sizeof unswitched[0] ? &unswitched[index] : NULL;
}

bool pica_choices_valid(const struct pica_choices *taken)
{
    for (uint32_t choice = 0; choice < PICA_CHOICES; choice++)
        if (pica_side_info(choice, taken->sides[choice]) == NULL)
            return false;
    return true;
}

bool pica_choices_normative(const struct pica_choices *taken)
{
    for (uint32_t choice = 0; choice < PICA_CHOICES; choice++)
        if (taken->sides[choice] != 0)
            return false;
    return true;
}
