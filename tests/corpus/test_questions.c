/*
 * The cases of corpus/questions (harness/console/packs/questions.h): each leaves on both GPUs what it says of
 * docs/spec, its twins what it says of their answers, and no two answers leave the same. A console may run each.
 */
#include "harness/console/export.h"
#include "harness/console/packs/questions.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"
#include "pica/splits.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct harness_error error;

static struct harness_runner *new_runner(size_t backend)
{
    static const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_runner *runner = NULL;
    cr_assert_eq(harness_runner_create(harness_linked_backend(backend), &options, &runner), PICA_OK);
    return runner;
}

static void open_asked(struct console_asked *out, uint32_t index, uint32_t answer)
{
    cr_assert_eq(console_asked_open(out, index, answer, &error), HARNESS_OK, "%s", error.message);
}

/* The case or a twin leaves the words that were worked out. */
static void expect_words(struct harness_runner *runner, uint32_t index, uint32_t answer, const char *who)
{
    struct console_asked asked;
    struct harness_words words;
    struct harness_text text = { 0 };
    open_asked(&asked, index, answer);
    cr_assert_eq(harness_places_run(&asked.places, asked.program, runner, &words), PICA_OK);
    harness_places_text(&asked.places, &words, &text);
    cr_expect(harness_places_equal(&asked.places, &words, &asked.answers[answer].words), "%s, %s, %s: left %s",
              console_asked_texts[index].name, asked.answers[answer].word, who, harness_text_string(&text));
    harness_text_free(&text);
    console_asked_free(&asked);
}

Test(questions, both_gpus_leave_the_words_of_the_specification)
{
    struct harness_runner *const runners[] = { new_runner(0), new_runner(1) };
    cr_assert_leq(console_asked_count(), CONSOLE_MOST_ASKED);
    for (uint32_t i = 0; i < console_asked_count(); i++) {
        expect_words(runners[0], i, 0, "reference");
        expect_words(runners[1], i, 0, "fast");
    }
    harness_runner_destroy(runners[0]);
    harness_runner_destroy(runners[1]);
}

Test(questions, a_twin_leaves_the_words_of_its_answer)
{
    struct harness_runner *const runner = new_runner(0);
    uint32_t twins = 0;
    for (uint32_t i = 0; i < console_asked_count(); i++) {
        struct console_asked asked;
        open_asked(&asked, i, 0);
        for (uint32_t answer = 1; answer < asked.answer_count; answer++)
            if (asked.answers[answer].has_twin) {
                expect_words(runner, i, answer, "twin");
                twins++;
            }
        console_asked_free(&asked);
    }
    cr_expect_gt(twins, 0);
    harness_runner_destroy(runner);
}

Test(questions, no_two_answers_leave_the_same)
{
    for (uint32_t i = 0; i < console_asked_count(); i++) {
        struct console_asked asked;
        open_asked(&asked, i, 0);
        for (uint32_t a = 0; a < asked.answer_count; a++)
            cr_expect_eq(console_asked_answer_of(&asked, &asked.answers[a].words), a, "%s: %s",
                         console_asked_texts[i].name, asked.answers[a].word);
        console_asked_free(&asked);
    }
}

Test(questions, a_console_may_run_each_of_them)
{
    struct console_export *export = NULL;
    cr_assert_eq(console_export_create("questions", true, &export, &error), HARNESS_OK, "%s", error.message);
    for (uint32_t i = 0; i < console_asked_count(); i++) {
        const char *const name = console_asked_texts[i].name;
        struct console_asked asked;
        struct console_answer answer;
        open_asked(&asked, i, 0);
        cr_expect_null(pica_choice_by_name(name), "%s is a choice, too", name);
        for (uint32_t place = 0; place < asked.places.count; place++)
            cr_expect_eq(asked.places.at[place].kind, HARNESS_WORD_OF_MEMORY, "%s: only memory comes back", name);
        cr_assert_eq(console_export_ask(export, name, asked.test_case, &answer, &error), HARNESS_OK, "%s",
                     error.message);
        cr_expect(answer.taken, "%s: %s", name, harness_text_string(&answer.reasons));
        harness_text_free(&answer.reasons);
        console_asked_free(&asked);
    }
    console_export_destroy(export);
}

/* Of a rule without a switch there is a case, or a reason why there is none; and no reason stands there for nothing. */
Test(questions, each_rule_without_a_switch_has_a_case_or_a_reason_why_not)
{
    static const char *const reasons[] = {
#define UNASKED(rule, why) rule,
#include "harness/console/packs/unasked.def"
    };
    const struct pica_unswitched_info *info = NULL;
    for (uint32_t i = 0; (info = pica_unswitched_info(i)) != NULL; i++)
        cr_expect_not_null(console_unasked_reason(info), "%s: no case and no reason", info->rule);
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        bool is_needed = false;
        cr_expect(!console_asked_has_rule(reasons[i]), "%s: a case and a reason why there is none", reasons[i]);
        for (uint32_t at = 0; (info = pica_unswitched_info(at)) != NULL; at++)
            is_needed = is_needed ||
                        (strcmp(info->rule, reasons[i]) == 0 &&
                         (info->reason == PICA_UNSWITCHED_NOT_STATED || info->reason == PICA_UNSWITCHED_NOT_EXACT));
        cr_expect(is_needed, "%s: a reason that nobody prints", reasons[i]);
    }
}

/* Reads a case with that head, which must be refused. */
static void expect_refused(const char *head, uint32_t answer, const char *message)
{
    struct console_asked asked;
    char text[512];
    (void)snprintf(text, sizeof text, "%s\npcase 1\nwindow 0x18000000 size 0x1000\n", head);
    cr_expect_eq(console_asked_read(&asked, "a", text, strlen(text), answer, &error), HARNESS_BAD_INPUT, "%s", head);
    cr_expect_not_null(strstr(error.message, message), "'%s' lacks '%s'", error.message, message);
}

Test(questions, a_head_that_says_nonsense_is_refused_with_the_line)
{
    expect_refused("# b (DPT-03): x\n# expect old: 0x18000000 = 1", 0, "a.pcase: expected '# a (RULE)");
    expect_refused("# a (DPT-03): x", 0, "a.pcase: expected a line for each answer");
    expect_refused("# a (DPT-03): x\n# expect old: here = 1", 0, "found 'expect old: here = 1'");
    expect_refused("# a (DPT-03): x\n# expect old: 0x18000000 = 1\n# expect old: 0x18000000 = 2", 0,
                   "found 'expect old: 0x18000000 = 2'");
    expect_refused("# a (DPT-03): x\n# expect old: 0x18000000 = 1\n# expect new: 0x18000004 = 1", 0,
                   "found 'expect new: 0x18000004 = 1'");
    expect_refused("# a (DPT-03): x\n# expect old: 0x18000000 = 1\n# if other: pcase 1", 0,
                   "'# if other: pcase 1': there is no such answer but the first");
    expect_refused("# a (DPT-03): x\n# expect old: 0x18000000 = 1\n# if old: pcase 1", 0,
                   "'# if old: pcase 1': there is no such answer but the first");
    expect_refused("# a (DPT-03): x\n# expect old: 0x18000000 = 1\n# expect new: 0x18000000 = 2", 1,
                   "answer 1 has no twin");
}

/* Each byte of a head spoiled in three ways, and the text cut there: read or refused, nothing else. */
Test(questions, a_spoiled_head_is_read_or_refused)
{
    static const char bytes[] = { '\n', ':', '0' };
    const struct console_asked_text *const text = &console_asked_texts[console_asked_by_name("41-depth-off")];
    const size_t head = (size_t)(strstr(text->text, "pcase 1") - text->text);
    char copy[8192];
    uint32_t refused = 0;
    cr_assert_lt(text->size, sizeof copy);
    for (size_t at = 0; at < head; at++)
        for (size_t i = 0; i <= sizeof bytes; i++) {
            struct console_asked asked;
            memcpy(copy, text->text, text->size + 1);
            copy[at] = i < sizeof bytes ? bytes[i] : '\0';
            const enum harness_status status =
                console_asked_read(&asked, text->name, copy, i < sizeof bytes ? text->size : at, at % 2, &error);
            refused += status == HARNESS_BAD_INPUT;
            cr_expect(status == HARNESS_OK || status == HARNESS_BAD_INPUT, "byte %zu", at);
            if (status == HARNESS_OK)
                console_asked_free(&asked);
        }
    cr_expect_gt(refused, head);
}
