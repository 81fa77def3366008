/*
 * Fingerprints of machines whose sides are known: a reference that takes random ones must be told which.
 */
#include "harness/fingerprint/fingerprint.h"
#include "tests/sanitized.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static bool everything[PICA_CHOICES];

static void ask_everything(void)
{
    memset(everything, 1, sizeof everything);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static struct pica_choices random_choices(uint32_t seed, uint32_t count)
{
    struct pica_choices choices = { { 0 } };
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t choice = next_random(&seed) % PICA_CHOICES;
        choices.sides[choice] = (uint8_t)(1 + next_random(&seed) % (pica_side_count(choice) - 1));
    }
    return choices;
}

static void name_of(const struct pica_choices *choices, struct harness_text *out)
{
    harness_text_add(out, "reference");
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        if (choices->sides[i] != 0)
            harness_text_format(out, "+%s=%s", pica_choice_info(i)->name, pica_side_info(i, choices->sides[i])->word);
}

static void take(const char *name, const bool *asked, struct harness_fingerprint *out)
{
    struct harness_backend backend;
    struct harness_error error = { "" };
    cr_assert_eq(harness_backend_open(name, &backend, &error), HARNESS_OK, "%s", error.message);
    const struct harness_finger_taker taker = { harness_finger_take_here, &backend };
    cr_assert_eq(harness_fingerprint_take(&taker, asked, out, &error), HARNESS_OK, "%s", error.message);
    harness_backend_close(&backend);
}

/* A choice whose case another one touches may be hidden by it, but never taken for another side. */
static bool may_be_hidden(const struct pica_choices *choices, uint32_t choice)
{
    struct harness_split split;
    bool touched = false;
    cr_assert_eq(harness_split_open(&split, choice, NULL), HARNESS_OK);
    for (uint32_t i = 0; i < PICA_CHOICES; i++)
        touched = touched || (split.touched_by[i] && choices->sides[i] != 0);
    harness_split_free(&split);
    return touched;
}

static void expect_choices(const struct harness_fingerprint *fingerprint, const struct pica_choices *choices,
                           const char *name)
{
    for (uint32_t i = 0; i < PICA_CHOICES; i++) {
        if (fingerprint->fingers[i].kind == HARNESS_FINGER_NOT_TESTED && may_be_hidden(choices, i))
            continue;
        cr_expect_str_eq(harness_finger_word(fingerprint, i), pica_side_info(i, choices->sides[i])->word, "%s of %s",
                         pica_choice_info(i)->name, name);
    }
}

Test(fingerprint, our_own_two_are_normative)
{
    static const char *const names[] = { "reference", "fast" };
    struct harness_fingerprint fingerprint;
    const struct pica_choices normative = { { 0 } };
    ask_everything();
    for (size_t i = 0; i < 2; i++) {
        take(names[i], everything, &fingerprint);
        expect_choices(&fingerprint, &normative, names[i]);
    }
}

Test(fingerprint, ten_random_sides_are_found, .timeout = 600)
{
    struct harness_fingerprint fingerprint;
    ask_everything();
    for (uint32_t seed = 1; seed <= 40 / TEST_PART; seed++) {
        struct harness_text name = { 0 };
        const struct pica_choices choices = random_choices(seed, 10);
        cr_assert(!pica_choices_normative(&choices));
        name_of(&choices, &name);
        take(harness_text_string(&name), everything, &fingerprint);
        expect_choices(&fingerprint, &choices, harness_text_string(&name));
        harness_text_free(&name);
    }
}

Test(fingerprint, a_touched_case_is_judged_with_the_sides_that_were_found)
{
    struct harness_fingerprint fingerprint;
    bool asked[PICA_CHOICES] = { false };
    const uint32_t zero_area = (uint32_t)PICA_CHOICE_ZERO_AREA;
    asked[zero_area] = true;
    take("reference+zero-area=drawn+cull-mode-0=as-2", asked, &fingerprint);
    cr_expect_str_eq(harness_finger_word(&fingerprint, zero_area), "drawn");
    take("reference+zero-area=drawn+cull-mode-0=as-2+cull-mode-3=as-2", asked, &fingerprint);
    cr_expect_eq(fingerprint.fingers[zero_area].kind, HARNESS_FINGER_NOT_TESTED);
    cr_expect_str_eq(fingerprint.fingers[zero_area].why, "another choice hides it");
}

/* --------------------------------------------------------------------------------------------------- heads of cases */

static void expect_refused(const char *name, const char *text, const char *message)
{
    struct harness_split split;
    struct harness_error error = { "" };
    cr_expect_eq(harness_split_read(&split, name, text, strlen(text), &error), HARNESS_BAD_INPUT, "%s", text);
    cr_expect_not_null(strstr(error.message, message), "%s: %s", text, error.message);
}

Test(fingerprint, a_head_that_says_nonsense_is_refused)
{
    static const char rest[] = "pcase 1\nwindow 0x18000000 size 0x1000\n";
    static const char *const heads[] = {
        "# expect nowhere: 0x18000000 = 1\n",
        "# expect drawn: 18000000 = 1\n",
        "# expect drawn: 0x18000001 = 1\n",
        "# expect drawn: interrupt PSC9 = 1\n",
        "# expect drawn: 0x18000000\n",
        "# expect drawn\n",
        "# expect drawn: 0x18000000 = 1\n# expect nothing: 0x18000004 = 1\n",
        "# expect drawn: 0x18000000 = 1\n# expect drawn: 0x18000000 = 1\n",
        "# touched by: nobody\n",
    };
    char text[512];
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        (void)snprintf(text, sizeof text, "%s%s", heads[i], rest);
        expect_refused("zero-area", text, "zero-area.pcase: expected 'expect SIDE: PLACE = WORD, ...', found '");
    }
    (void)snprintf(text, sizeof text, "# expect drawn: 0x18000000 = 1\n%s", rest);
    expect_refused("zero-area", text, "zero-area.pcase: expected a line for each side");
    expect_refused("no-choice", text, "no-choice.pcase: there is no such choice");
}
