#include "harness/console/packs/questions.h"

#include "harness/case/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char edit_mark[] = "# if ", rule_form[] = " (%31[A-Z0-9-])";

uint32_t console_asked_count(void)
{
    uint32_t count = 0;
    while (console_asked_texts[count].name != NULL)
        count++;
    return count;
}

uint32_t console_asked_by_name(const char *name)
{
    uint32_t index = 0;
    while (console_asked_texts[index].name != NULL && strcmp(console_asked_texts[index].name, name) != 0)
        index++;
    return index;
}

uint32_t console_asked_number(uint32_t index)
{
    return (uint32_t)strtoul(console_asked_texts[index].name, NULL, 10);
}

void console_asked_rule(uint32_t index, char out[CONSOLE_WORD_BYTES])
{
    const char *const text = console_asked_texts[index].text;
    out[0] = '\0';
    (void)sscanf(text + strcspn(text, "("), "(%31[A-Z0-9-])", out);
}

bool console_asked_has_rule(const char *rule)
{
    char other[CONSOLE_WORD_BYTES];
    for (uint32_t i = 0; i < console_asked_count(); i++) {
        console_asked_rule(i, other);
        if (strcmp(rule, other) == 0)
            return true;
    }
    return false;
}

/* Of rules of which nobody states another result, or none exactly; NULL: none is given. */
static const char *listed_reason(const char *rule)
{
    static const struct {
        const char *rule, *why;
    } unasked[] = {
#define UNASKED(rule, why) { rule, why },
#include "harness/console/packs/unasked.def"
    };
    for (size_t i = 0; i < sizeof unasked / sizeof unasked[0]; i++)
        if (strcmp(unasked[i].rule, rule) == 0)
            return unasked[i].why;
    return NULL;
}

const char *console_unasked_reason(const struct pica_unswitched_info *rule)
{
    if (console_asked_has_rule(rule->rule))
        return "";
    switch (rule->reason) {
    case PICA_UNSWITCHED_CONVENTION: return "how this specification computes, not what a machine shows";
    case PICA_UNSWITCHED_NOT_OBSERVABLE: return "nothing that a case leaves shows it";
    case PICA_UNSWITCHED_EVENTS: return "about events, which only our GPUs record";
    case PICA_UNSWITCHED_HARNESS: return "about cases and limits, not about the machine";
    case PICA_UNSWITCHED_FAULT: return "an emulator's fault; nobody says that a console does so";
    case PICA_UNSWITCHED_NOT_STATED:
    case PICA_UNSWITCHED_NOT_EXACT: break;
    }
    return listed_reason(rule->rule);
}

/* ----------------------------------------------------------------------------------------------- the head of a case */

/* "kept: 0x18000468 = 0xFFFFFFFF" */
static bool read_answer(struct console_asked *asked, char *text)
{
    char *const colon = strchr(text, ':');
    if (colon == NULL || asked->answer_count == CONSOLE_MOST_ANSWERS || colon - text >= CONSOLE_WORD_BYTES)
        return false;
    *colon = '\0';
    for (uint32_t i = 0; i < asked->answer_count; i++)
        if (strcmp(asked->answers[i].word, text) == 0)
            return false;
    struct console_asked_answer *const answer = &asked->answers[asked->answer_count];
    memcpy(answer->word, text, (size_t)(colon - text) + 1);
    const bool first = asked->answer_count++ == 0;
    return harness_places_read(&asked->places, colon + 1, first, &answer->words);
}

static enum harness_status read_head(struct console_asked *asked, const char *name, struct harness_error *error)
{
    static const char expect[] = "expect ";
    const char *at = asked->test_case->comment != NULL ? asked->test_case->comment : "";
    const size_t size = strlen(name);
    char rule[CONSOLE_WORD_BYTES];
    if (strncmp(at, name, size) != 0 || sscanf(at + size, rule_form, rule) != 1)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s.pcase: expected '# %s (RULE): ...'", name, name);
    while (*at != '\0') {
        char line[512];
        const size_t length = strcspn(at, "\n");
        (void)snprintf(line, sizeof line, "%.*s", (int)length, at);
        if (length >= sizeof line ||
            (strncmp(line, expect, sizeof expect - 1) == 0 && !read_answer(asked, line + sizeof expect - 1)))
            return harness_fail(error, HARNESS_BAD_INPUT,
                                "%s.pcase: expected 'expect ANSWER: PLACE = WORD, ...', found '%.*s'", name,
                                (int)length, at);
        at += length + (at[length] == '\n');
    }
    if (asked->answer_count == 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s.pcase: expected a line for each answer", name);
    return HARNESS_OK;
}

/* ------------------------------------------------------------------------------------------------------------ twins */

/* Is the line "# if ANSWER: TEXT"? Then *answer is where its word starts, *text where its text does. */
static bool is_edit(const char *line, const char **answer, const char **text)
{
    line += strspn(line, " ");
    if (strncmp(line, edit_mark, sizeof edit_mark - 1) != 0)
        return false;
    *answer = line + sizeof edit_mark - 1;
    *text = *answer + strcspn(*answer, ":\n");
    return **text == ':';
}

static bool is_word(const char *start, const char *end, const char *word)
{
    return (size_t)(end - start) == strlen(word) && strncmp(start, word, strlen(word)) == 0;
}

/* Appends the text with the lines of that answer in place of those that follow them. The number of them. */
static uint32_t write_twin(const char *text, const char *word, struct harness_text *out)
{
    uint32_t edits = 0;
    bool is_replaced = false;
    for (const char *line = text; *line != '\0';) {
        const char *answer = NULL, *new_text = NULL;
        const char *const end = line + strcspn(line, "\n");
        if (is_edit(line, &answer, &new_text)) {
            if (is_word(answer, new_text, word)) {
                harness_text_format(out, "%.*s\n", (int)(end - new_text - 1), new_text + 1);
                is_replaced = true;
                edits++;
            }
        } else {
            if (!is_replaced)
                harness_text_format(out, "%.*s\n", (int)(end - line), line);
            is_replaced = false;
        }
        line = end + (*end == '\n');
    }
    return edits;
}

static void find_twins(struct console_asked *asked, const char *text)
{
    for (uint32_t i = 1; i < asked->answer_count; i++) {
        struct harness_text twin = { 0 };
        asked->answers[i].has_twin = write_twin(text, asked->answers[i].word, &twin) != 0;
        harness_text_free(&twin);
    }
}

/* Every edit must name an answer, and not that of docs/spec. */
static enum harness_status check_edits(const struct console_asked *asked, const char *name, const char *text,
                                       struct harness_error *error)
{
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *answer = NULL, *new_text = NULL;
        bool found = !is_edit(line, &answer, &new_text);
        for (uint32_t i = 1; !found && i < asked->answer_count; i++)
            found = is_word(answer, new_text, asked->answers[i].word);
        if (!found)
            return harness_fail(error, HARNESS_BAD_INPUT, "%s.pcase: '%.*s': there is no such answer but the first",
                                name, (int)strcspn(line, "\n"), line);
    }
    return HARNESS_OK;
}

/* ----------------------------------------------------------------------------------------------------------- cases */

static enum harness_status read_case(struct console_asked *out, const char *name, const char *text, size_t size,
                                     struct harness_error *error)
{
    *out = (struct console_asked){ .test_case = harness_case_create(), .program = harness_program_create() };
    enum harness_status status = HARNESS_OK;
    if (out->test_case == NULL || out->program == NULL)
        status = harness_fail_memory(error);
    if (status == HARNESS_OK)
        status = harness_pcase_read(out->test_case, text, size, name, error);
    if (status == HARNESS_OK)
        status = read_head(out, name, error);
    if (status == HARNESS_OK)
        status = check_edits(out, name, text, error);
    if (status == HARNESS_OK)
        status = harness_case_setup(out->test_case, out->program, error);
    if (status == HARNESS_OK)
        find_twins(out, text);
    else
        console_asked_free(out);
    return status;
}

enum harness_status console_asked_read(struct console_asked *out, const char *name, const char *text, size_t size,
                                       uint32_t answer, struct harness_error *error)
{
    struct harness_text twin = { 0 };
    enum harness_status status = read_case(out, name, text, size, error);
    if (status != HARNESS_OK || answer == 0)
        return status;
    if (answer >= out->answer_count || write_twin(text, out->answers[answer].word, &twin) == 0)
        status = harness_fail(error, HARNESS_BAD_INPUT, "%s.pcase: answer %u has no twin", name, (unsigned)answer);
    else if (twin.failed)
        status = harness_fail_memory(error);
    console_asked_free(out);
    if (status == HARNESS_OK)
        status = read_case(out, name, harness_text_string(&twin), twin.size, error);
    harness_text_free(&twin);
    return status;
}

enum harness_status console_asked_open(struct console_asked *out, uint32_t index, uint32_t answer,
                                       struct harness_error *error)
{
    const struct console_asked_text *const text = &console_asked_texts[index];
    return console_asked_read(out, text->name, text->text, text->size, answer, error);
}

void console_asked_free(struct console_asked *asked)
{
    harness_program_destroy(asked->program);
    harness_case_destroy(asked->test_case);
    asked->program = NULL;
    asked->test_case = NULL;
}

uint32_t console_asked_answer_of(const struct console_asked *asked, const struct harness_words *words)
{
    for (uint32_t i = 0; i < asked->answer_count; i++)
        if (harness_places_equal(&asked->places, &asked->answers[i].words, words))
            return i;
    return CONSOLE_MOST_ANSWERS;
}
