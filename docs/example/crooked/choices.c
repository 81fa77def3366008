/* Ten known choices of which crooked takes the first side of pica/splits.def that is not normative; and no texture
 * filter, which is an eleventh. */
#include "crooked.h"

#include "reference/reference.h"

#include <string.h>

static const enum pica_side sides[CROOKED_CHOSEN] = {
    PICA_SIDE_ROW_ORDER_HIGHEST,   PICA_SIDE_PRIMARY_ROUNDING_TRUNCATES,
    PICA_SIDE_ZERO_AREA_DRAWN,     PICA_SIDE_NEAREST_TEXEL_TRUNCATE,
    PICA_SIDE_WRAP_4_5_AS_0_AND_1, PICA_SIDE_FIRST_PREVIOUS_THIRD_RGB,
    PICA_SIDE_ADD_SIGNED_BY_127,   PICA_SIDE_SCALE_3_BY_8,
    PICA_SIDE_BLEND_FACTOR_15_ONE, PICA_SIDE_FILL_TAIL_WHOLE,
};

bool crooked_parse_choice(const char *text, size_t length, struct pica_choices *out)
{
    char word[64];
    if (length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    char *const equals = strchr(word, '=');
    *equals = '\0';
    const struct pica_choice_info *const choice = pica_choice_by_name(word);
    const struct pica_side_info *const side =
        choice != NULL ? pica_side_by_word((uint32_t)choice->choice, equals + 1) : NULL;
    if (side != NULL)
        out->sides[choice->choice] = (uint8_t)side->number;
    return side != NULL;
}

enum pica_status crooked_take_choices(void *core, const struct crooked_switches *switches)
{
    struct pica_choices choices = switches->choices;
    if ((switches->oddities & CROOKED_NEAREST) != 0)
        choices.sides[PICA_CHOICE_TEXTURE_FILTER] = (uint32_t)PICA_SIDE_TEXTURE_FILTER_NEAREST % PICA_MOST_SIDES;
    for (int i = 0; i < CROOKED_CHOSEN && (switches->oddities & CROOKED_CHOICES) != 0; i++)
        choices.sides[(uint32_t)sides[i] / PICA_MOST_SIDES] = (uint8_t)((uint32_t)sides[i] % PICA_MOST_SIDES);
    return ref_set_choices(core, &choices);
}
