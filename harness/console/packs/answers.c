/* What a console answers to the cases of corpus/questions. */
#include "harness/console/packs/splits.h"

#include <stdio.h>
#include <string.h>

static const struct pica_options plain_options = { .instruction_sets = UINT32_MAX };

/* ---------------------------------------------------------------------------------------------------------- export */

enum harness_status console_questions_ask(struct console_export *export, uint32_t index, struct console_answer *answer,
                                          struct harness_error *error)
{
    struct console_asked asked;
    *answer = (struct console_answer){ .taken = false };
    enum harness_status status = console_asked_open(&asked, index, 0, error);
    if (status != HARNESS_OK)
        return status;
    status = console_export_ask(export, console_asked_texts[index].name, asked.test_case, answer, error);
    console_asked_free(&asked);
    return status;
}

enum harness_status console_questions_add(struct console_asking *asking, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; status == HARNESS_OK && i < console_asked_count(); i++) {
        struct console_answer answer;
        status = console_questions_ask(asking->export, i, &answer, error);
        if (status == HARNESS_OK)
            console_asking_note(asking, console_asked_texts[i].name, &answer);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ by what was left */

static enum harness_status run_asked(const struct console_asked *asked, const struct harness_backend *backend,
                                     struct harness_words *out, struct harness_error *error)
{
    struct harness_runner *runner = NULL;
    enum pica_status status = harness_runner_create(backend->backend, &plain_options, &runner);
    if (status == PICA_OK)
        status = harness_places_run(&asked->places, asked->program, runner, out);
    harness_runner_destroy(runner);
    return status == PICA_OK ? HARNESS_OK : harness_fail(error, HARNESS_HOST, "cannot run a case of corpus/questions");
}

/* Does the case or the twin of an answer leave these words on that machine? */
static enum harness_status leaves_words(uint32_t index, uint32_t answer, const struct harness_backend *machine,
                                        const struct harness_words *words, bool *out, struct harness_error *error)
{
    struct console_asked twin;
    struct harness_words left = { { 0 } };
    enum harness_status status = console_asked_open(&twin, index, answer, error);
    if (status != HARNESS_OK)
        return status;
    status = run_asked(&twin, machine, &left, error);
    *out = status == HARNESS_OK && harness_places_equal(&twin.places, &left, words);
    console_asked_free(&twin);
    return status;
}

/* Which answers they are on a machine that takes the sides that were found: bits. Those without a twin cannot say. */
static enum harness_status find_by_twins(const struct console_asked *asked, uint32_t index,
                                         const struct pica_choices *found, const struct harness_words *words,
                                         uint32_t *out, struct harness_error *error)
{
    struct harness_backend machine;
    enum harness_status status = harness_backend_open_chosen(found, &machine, error);
    if (status != HARNESS_OK)
        return status;
    *out = 0;
    for (uint32_t i = 0; status == HARNESS_OK && i < asked->answer_count; i++) {
        bool leaves = false;
        if (i == 0 || asked->answers[i].has_twin)
            status = leaves_words(index, i, &machine, words, &leaves, error);
        *out |= leaves ? 1u << i : 0;
    }
    harness_backend_close(&machine);
    return status;
}

static bool is_normative(const struct pica_choices *found)
{
    static const struct pica_choices normative = { { 0 } };
    return memcmp(found->sides, normative.sides, sizeof normative.sides) == 0;
}

static void say_answer(const struct console_asked *asked, uint32_t answer, const struct harness_words *words,
                       struct console_split_row *row)
{
    struct harness_text text = { 0 };
    row->verdict = answer == 0 ? CONSOLE_CONFIRMED : CONSOLE_CONTRADICTED;
    harness_places_text(&asked->places, words, &text);
    (void)snprintf(row->left, sizeof row->left, "%s", harness_text_string(&text));
    harness_text_free(&text);
    if (answer != CONSOLE_MOST_ANSWERS) {
        (void)snprintf(row->remark, sizeof row->remark, "%s%s", asked->answers[answer].word,
                       row->outcome == CONSOLE_OUTCOME_ONCE ? " (run once only)" : "");
        return;
    }
    (void)snprintf(row->remark, sizeof row->remark, "no known answer; it left %s", row->left);
}

/* The answer without a twin that these words are, to the letter; or CONSOLE_MOST_ANSWERS. A choice may leave the same,
 * and then is what that answer tells of. */
static uint32_t literal_answer(const struct console_asked *asked, const struct harness_words *words)
{
    const uint32_t answer = console_asked_answer_of(asked, words);
    return answer != CONSOLE_MOST_ANSWERS && !asked->answers[answer].has_twin ? answer : (uint32_t)CONSOLE_MOST_ANSWERS;
}

static void judge_words(const struct console_asked *asked, uint32_t twins, const struct harness_words *words,
                        struct console_split_row *row)
{
    uint32_t answer = 0;
    if ((twins & (twins - 1)) != 0) {
        row->verdict = CONSOLE_NOT_COVERED;
        (void)snprintf(row->remark, sizeof row->remark, "another choice hides it");
        return;
    }
    while (twins >> answer > 1)
        answer++;
    if (twins == 0)
        answer = console_asked_answer_of(asked, words);
    else if (literal_answer(asked, words) != CONSOLE_MOST_ANSWERS)
        answer = literal_answer(asked, words);
    say_answer(asked, answer, words, row);
}

static enum harness_status judge_one(uint32_t index, const struct harness_backend *recorded,
                                     const struct pica_choices *found, struct console_split_row *row,
                                     struct harness_error *error)
{
    struct console_asked asked;
    struct harness_words words;
    uint32_t twins = 0;
    enum harness_status status = console_asked_open(&asked, index, 0, error);
    if (status != HARNESS_OK)
        return status;
    status = run_asked(&asked, recorded, &words, error);
    if (status == HARNESS_OK && !is_normative(found))
        status = find_by_twins(&asked, index, found, &words, &twins, error);
    if (status == HARNESS_OK)
        judge_words(&asked, twins, &words, row);
    console_asked_free(&asked);
    return status;
}

enum harness_status console_questions_judge(struct console_split_row rows[CONSOLE_MOST_ASKED],
                                            const struct harness_backend *recorded, const struct pica_choices *found,
                                            struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    for (uint32_t i = 0; status == HARNESS_OK && i < console_asked_count(); i++)
        if (rows[i].is_in_file && !console_row_judge_outcome(&rows[i]))
            status = judge_one(i, recorded, found, &rows[i], error);
    return status;
}
