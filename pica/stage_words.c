/* stage_words.def as an array. Nothing here can change at run time. */
#include "pica/stage_words.h"

#include <string.h>

static const struct pica_stage_word_info words[PICA_STAGE_WORDS] = {
#define STAGE_WORD(ID, slug, text, page, section, areas, places) { slug, text, page, section, areas },
#include "pica/stage_words.def"
};

const struct pica_stage_word_info *pica_stage_word_info(enum pica_stage_word word)
{
    return &words[word];
}

/* Is `area`, which has `length` characters, one of the blank-separated `areas`? */
static int has_area(const char *areas, const char *area, size_t length)
{
    for (const char *at = areas; *at != '\0';) {
        const size_t here = strcspn(at, " ");
        if (here == length && memcmp(at, area, length) == 0)
            return 1;
        at += here + strspn(at + here, " ");
    }
    return 0;
}

const struct pica_stage_word_info *pica_stage_word_of_rule(const char *rule)
{
    const char *const dash = strrchr(rule, '-'); /* the last one: EXT-CMD-07 */
    if (dash == NULL || dash == rule)
        return NULL;
    for (size_t i = 0; i < PICA_STAGE_WORDS; i++)
        if (has_area(words[i].areas, rule, (size_t)(dash - rule)))
            return &words[i];
    return NULL;
}
