/* stage_words.def: words that can be told apart, sections that exist, the stage of a rule. */
#include "pica/stage_words.h"
#include "tests/pica/spec_text.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Does the page of docs/spec have that heading, of any level? */
static bool has_heading(const char *page, const char *section)
{
    char path[256], line[512];
    (void)snprintf(path, sizeof path, "%s/docs/spec/%s", PICAFUZZ_SOURCE_DIR, page);
    FILE *const in = fopen(path, "r");
    bool found = false;
    while (in != NULL && !found && fgets(line, sizeof line, in) != NULL) {
        const size_t hashes = strspn(line, "#");
        line[strcspn(line, "\n")] = '\0';
        found = hashes > 0 && line[hashes] == ' ' && strcmp(line + hashes + 1, section) == 0;
    }
    if (in != NULL)
        (void)fclose(in);
    return found;
}

Test(pica_stage_words, sections_are_headings_of_the_specification)
{
    for (uint32_t i = 0; i < PICA_STAGE_WORDS; i++) {
        const struct pica_stage_word_info *const word = pica_stage_word_info((enum pica_stage_word)i);
        if (word->page[0] != '\0')
            cr_expect(has_heading(word->page, word->section), "%s: %s, %s", word->slug, word->page, word->section);
    }
}

Test(pica_stage_words, slugs_and_texts_are_unique_and_no_slug_begins_like_another)
{
    for (uint32_t i = 0; i < PICA_STAGE_WORDS; i++)
        for (uint32_t k = 0; k < PICA_STAGE_WORDS; k++) {
            const struct pica_stage_word_info *const a = pica_stage_word_info((enum pica_stage_word)i);
            const struct pica_stage_word_info *const b = pica_stage_word_info((enum pica_stage_word)k);
            cr_expect(i == k || strncmp(a->slug, b->slug, strlen(a->slug)) != 0, "%s, %s", a->slug, b->slug);
            cr_expect(i == k || strcmp(a->text, b->text) != 0, "%s", a->text);
        }
}

Test(pica_stage_words, every_rule_but_those_of_captures_has_a_stage)
{
    static struct spec_rules rules;
    cr_assert(spec_read_rules(&rules));
    for (size_t i = 0; i < rules.count; i++)
        cr_expect((pica_stage_word_of_rule(rules.ids[i]) == NULL) == (strncmp(rules.ids[i], "CAP-", 4) == 0), "%s",
                  rules.ids[i]);
}

Test(pica_stage_words, the_area_of_a_rule_decides)
{
    cr_expect_str_eq(pica_stage_word_of_rule("EXT-CMD-07")->slug, "list");
    cr_expect_str_eq(pica_stage_word_of_rule("CUL-04")->slug, "cull");
    cr_expect_str_eq(pica_stage_word_of_rule("EDT-01")->slug, "depth_test");
    cr_expect_str_eq(pica_stage_word_of_rule("REG-20")->slug, "state", "the first of two that share an area");
    cr_expect_null(pica_stage_word_of_rule("CU-04"));
    cr_expect_null(pica_stage_word_of_rule("-04"));
    cr_expect_null(pica_stage_word_of_rule(""));
}
