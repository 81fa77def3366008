/* splits.def: names that go there and back, sides without gaps, rules that exist. */
#include "pica/splits.h"
#include "tests/pica/spec_text.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Lower case, digits, dashes: what a quirks file and the command line can hold without quotes. */
static bool is_plain(const char *word)
{
    return word[0] != '\0' && strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(word);
}

static bool is_rule(const struct spec_rules *rules, const char *id)
{
    for (size_t i = 0; i < rules->count; i++)
        if (strcmp(rules->ids[i], id) == 0)
            return true;
    return false;
}

Test(pica_splits, names_and_words_lead_back_to_their_line)
{
    for (uint32_t c = 0; c < PICA_CHOICES; c++) {
        const struct pica_choice_info *const choice = pica_choice_info(c);
        cr_expect(choice->choice == c && pica_choice_by_name(choice->name) == choice, "%s", choice->name);
        cr_expect(is_plain(choice->name), "%s", choice->name);
        for (uint32_t s = 0; s < pica_side_count(c); s++) {
            const struct pica_side_info *const side = pica_side_info(c, s);
            cr_expect(side->choice == c && side->number == s, "%s", choice->name);
            cr_expect(pica_side_by_word(c, side->word) == side, "%s = %s", choice->name, side->word);
            cr_expect(is_plain(side->word) && side->effect[0] != '\0', "%s = %s", choice->name, side->word);
        }
    }
    cr_expect_null(pica_choice_info(PICA_CHOICES));
    cr_expect_null(pica_choice_by_name("zero"));
    cr_expect_null(pica_side_by_word(PICA_CHOICE_ZERO_AREA, "any"));
}

Test(pica_splits, each_choice_has_two_sides_or_more_and_no_gap_between_their_numbers)
{
    for (uint32_t c = 0; c < PICA_CHOICES; c++) {
        const uint32_t count = pica_side_count(c);
        cr_expect_geq(count, 2u, "%s", pica_choice_info(c)->name);
        for (uint32_t s = count; s < PICA_MOST_SIDES + 2u; s++)
            cr_expect_null(pica_side_info(c, s), "%s has a gap before %u", pica_choice_info(c)->name, s);
    }
    cr_expect_eq(pica_side_count(PICA_CHOICES), 0u);
}

Test(pica_splits, zeros_are_the_normative_sides_and_numbers_beyond_the_last_side_are_invalid)
{
    struct pica_choices choices = { { 0 } };
    cr_expect(pica_choices_valid(&choices) && pica_choices_normative(&choices));
    cr_expect(pica_takes(&choices, PICA_SIDE_ZERO_AREA_NOTHING));
    choices.sides[PICA_CHOICE_ZERO_AREA] = 1;
    cr_expect(pica_choices_valid(&choices) && !pica_choices_normative(&choices));
    cr_expect(pica_takes(&choices, PICA_SIDE_ZERO_AREA_DRAWN) && !pica_takes(&choices, PICA_SIDE_ZERO_AREA_NOTHING));
    cr_expect(pica_takes(&choices, PICA_SIDE_FILL_RULE_EXACT));
    choices.sides[PICA_CHOICE_ZERO_AREA] = 2;
    cr_expect_not(pica_choices_valid(&choices));
}

Test(pica_splits, what_no_console_does_is_not_open)
{
    static const struct {
        enum pica_side side;
        enum pica_standing standing;
        const char *piece;
    } wanted[] = {
        { PICA_SIDE_ATTRIBUTE_SOURCE_ARRAY, PICA_STANDING_OPEN, "" },
        { PICA_SIDE_ATTRIBUTE_SOURCE_MASK, PICA_STANDING_REFUTED, "H06" },
        { PICA_SIDE_SCISSOR_TEST_MISSING, PICA_STANDING_LACK, "" },
        { PICA_SIDE_FILL_RULE_DIVISION, PICA_STANDING_OPEN, "" },
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const uint32_t choice = (uint32_t)wanted[i].side / PICA_MOST_SIDES;
        const struct pica_side_info *const side = pica_side_info(choice, (uint32_t)wanted[i].side % PICA_MOST_SIDES);
        cr_expect_eq(side->standing, wanted[i].standing, "%s", side->word);
        cr_expect_str_eq(side->piece, wanted[i].piece, "%s", side->word);
    }
    for (uint32_t c = 0; c < PICA_CHOICES; c++)
        cr_expect_eq(pica_side_info(c, 0)->standing, PICA_STANDING_OPEN, "%s", pica_choice_info(c)->name);
}

Test(pica_splits, every_line_names_a_rule_of_the_specification)
{
    static struct spec_rules rules;
    cr_assert(spec_read_rules(&rules));
    for (uint32_t c = 0; c < PICA_CHOICES; c++)
        cr_expect(is_rule(&rules, pica_choice_info(c)->rule), "%s", pica_choice_info(c)->rule);
    for (uint32_t i = 0; pica_unswitched_info(i) != NULL; i++)
        cr_expect(is_rule(&rules, pica_unswitched_info(i)->rule), "%s", pica_unswitched_info(i)->rule);
}
