/*
 * The known choices (pica/splits.def): the reference on each side of each leaves the words that were worked out by hand
 * from its rule, in the head of the case in corpus/splits. Sides are told apart, and what else changes a case is said
 * there, too. `fast`, which takes the normative sides alone, leaves theirs.
 */
#include "harness/fingerprint/split.h"
#include "fast/fast.h"
#include "reference/reference.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const struct pica_options options = { .instruction_sets = UINT32_MAX };

static struct harness_runner *new_runner(const struct pica_backend *backend)
{
    struct harness_runner *runner = NULL;
    cr_assert_eq(harness_runner_create(backend, &options, &runner), PICA_OK);
    return runner;
}

static void open_split(struct harness_split *split, uint32_t choice)
{
    struct harness_error error = { "" };
    cr_assert_eq(harness_split_open(split, choice, &error), HARNESS_OK, "%s", error.message);
}

static struct harness_words run_with(const struct harness_split *split, struct harness_runner *runner,
                                     const struct pica_choices *choices)
{
    struct harness_words words;
    cr_assert_eq(ref_set_choices(harness_runner_instance(runner), choices), PICA_OK);
    cr_assert_eq(harness_places_run(&split->places, split->program, runner, &words), PICA_OK);
    return words;
}

static void expect_words(const struct harness_split *split, const char *who, const struct harness_words *wanted,
                         const struct harness_words *found)
{
    struct harness_text text = { 0 };
    harness_places_text(&split->places, wanted, &text);
    harness_text_add(&text, ", found ");
    harness_places_text(&split->places, found, &text);
    const struct pica_choice_info *const info = pica_choice_info((uint32_t)split->choice);
    cr_expect(harness_places_equal(&split->places, wanted, found), "%s, %s, %s: expected %s", info->rule, info->name,
              who, harness_text_string(&text));
    harness_text_free(&text);
}

Test(splits, there_is_a_case_for_each_choice_and_a_choice_for_each_case)
{
    uint32_t count = 0;
    for (const struct harness_split_text *text = harness_split_texts; text->name != NULL; text++, count++)
        cr_expect_not_null(pica_choice_by_name(text->name), "%s.pcase", text->name);
    cr_expect_eq(count, PICA_CHOICES);
}

/* EXT-CMD-02 EXT-CMD-05 CMD-02 SUB-02 REG-12 FLT-11 VTX-08 SHD-30 GSH-01 PRM-02 CLP-05 CUL-03 RST-02 TEX-90 LIT-07
 * TEV-06 FBF-06 BLD-04 PSC-07 PPF-05 and all others of the table */
Test(splits, each_side_leaves_its_worked_words)
{
    struct harness_runner *const runner = new_runner(ref_backend());
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        struct harness_split split;
        open_split(&split, i);
        for (uint32_t side = 0; side < pica_side_count(i); side++) {
            struct pica_choices choices = { { 0 } };
            choices.sides[i] = (uint8_t)side;
            const struct harness_words words = run_with(&split, runner, &choices);
            expect_words(&split, pica_side_info(i, side)->word, &split.sides[side], &words);
        }
        harness_split_free(&split);
    }
    harness_runner_destroy(runner);
}

Test(splits, fast_leaves_the_normative_words)
{
    struct harness_runner *const runner = new_runner(fast_backend());
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        struct harness_split split;
        struct harness_words words;
        open_split(&split, i);
        cr_assert_eq(harness_places_run(&split.places, split.program, runner, &words), PICA_OK);
        expect_words(&split, "fast", &split.sides[0], &words);
        harness_split_free(&split);
    }
    harness_runner_destroy(runner);
}

Test(splits, sides_are_told_apart)
{
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        struct harness_split split;
        open_split(&split, i);
        for (uint32_t a = 0; a < pica_side_count(i); a++)
            for (uint32_t b = 0; b < a; b++)
                cr_expect(!harness_places_equal(&split.places, &split.sides[a], &split.sides[b]), "%s: %s and %s",
                          pica_choice_info(i)->name, pica_side_info(i, a)->word, pica_side_info(i, b)->word);
        harness_split_free(&split);
    }
}

/* Is what the reference leaves on some side of the case's own choice another thing if `other` takes another side? */
static bool is_touched(const struct harness_split *split, struct harness_runner *runner, uint32_t other)
{
    bool touched = false;
    for (uint32_t side = 0; side < pica_side_count((uint32_t)split->choice); side++) {
        struct pica_choices choices = { { 0 } };
        choices.sides[split->choice] = (uint8_t)side;
        const struct harness_words alone = run_with(split, runner, &choices);
        for (uint32_t taken = 1; taken < pica_side_count(other); taken++) {
            choices.sides[other] = (uint8_t)taken;
            const struct harness_words words = run_with(split, runner, &choices);
            touched = touched || !harness_places_equal(&split->places, &alone, &words);
        }
    }
    return touched;
}

Test(splits, other_choices_touch_a_case_where_it_says_so, .timeout = 600)
{
    struct harness_runner *const runner = new_runner(ref_backend());
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        struct harness_split split;
        open_split(&split, i);
        for (uint32_t other = 0; other < PICA_CHOICES; other++)
            if (other != i)
                cr_expect_eq(is_touched(&split, runner, other), split.touched_by[other], "%s by %s",
                             pica_choice_info(i)->name, pica_choice_info(other)->name);
        harness_split_free(&split);
    }
    harness_runner_destroy(runner);
}
