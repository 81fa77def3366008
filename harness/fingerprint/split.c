#include "harness/fingerprint/split.h"

#include "harness/case/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_SIZE = 256
};

/* ----------------------------------------------------------------------------------------------- the head of a case */

/* "drawn: 0x180000A8 = 0xFF0000FF"; *seen gets the bit of the side. */
static bool read_expectation(struct harness_split *split, char *text, uint32_t *seen)
{
    char *const colon = strchr(text, ':');
    if (colon == NULL)
        return false;
    *colon = '\0';
    const struct pica_side_info *const side = pica_side_by_word((uint32_t)split->choice, text);
    if (side == NULL || (*seen & 1u << side->number) != 0)
        return false;
    const bool first = *seen == 0;
    *seen |= 1u << side->number;
    return harness_places_read(&split->places, colon + 1, first, &split->sides[side->number]);
}

static bool read_touched(struct harness_split *split, char *text)
{
    char *rest = NULL;
    for (char *name = strtok_r(text, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        const struct pica_choice_info *const info = pica_choice_by_name(name);
        if (info == NULL)
            return false;
        split->touched_by[info->choice] = true;
    }
    return true;
}

static bool read_line(struct harness_split *split, char *line, uint32_t *seen)
{
    static const char expect[] = "expect ", touched[] = "touched by:";
    if (strncmp(line, expect, sizeof expect - 1) == 0)
        return read_expectation(split, line + sizeof expect - 1, seen);
    if (strncmp(line, touched, sizeof touched - 1) == 0)
        return read_touched(split, line + sizeof touched - 1);
    return true;
}

static enum harness_status read_head(struct harness_split *split, const char *name, struct harness_error *error)
{
    uint32_t seen = 0;
    for (const char *at = split->test_case->comment; at != NULL && *at != '\0';) {
        char line[LINE_SIZE];
        const size_t length = strcspn(at, "\n");
        (void)snprintf(line, sizeof line, "%.*s", (int)length, at);
        if (!read_line(split, line, &seen))
            return harness_fail(error, HARNESS_BAD_INPUT,
                                "%s.pcase: expected 'expect SIDE: PLACE = WORD, ...', found '%.*s'", name, (int)length,
                                at);
        at += length + (at[length] == '\n');
    }
    if (seen != (1u << pica_side_count((uint32_t)split->choice)) - 1)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s.pcase: expected a line for each side", name);
    return HARNESS_OK;
}

enum harness_status harness_split_read(struct harness_split *out, const char *name, const char *text, size_t size,
                                       struct harness_error *error)
{
    const struct pica_choice_info *const info = pica_choice_by_name(name);
    if (info == NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s.pcase: there is no such choice in pica/splits.def", name);
    *out = (struct harness_split){ .choice = info->choice,
                                   .test_case = harness_case_create(),
                                   .program = harness_program_create() };
    enum harness_status status = HARNESS_OK;
    if (out->test_case == NULL || out->program == NULL)
        status = harness_fail_memory(error);
    if (status == HARNESS_OK)
        status = harness_pcase_read(out->test_case, text, size, name, error);
    if (status == HARNESS_OK)
        status = read_head(out, name, error);
    if (status == HARNESS_OK)
        status = harness_case_setup(out->test_case, out->program, error);
    if (status != HARNESS_OK)
        harness_split_free(out);
    return status;
}

enum harness_status harness_split_open(struct harness_split *out, uint32_t choice, struct harness_error *error)
{
    const char *const name = pica_choice_info(choice)->name;
    for (const struct harness_split_text *text = harness_split_texts; text->name != NULL; text++)
        if (strcmp(text->name, name) == 0)
            return harness_split_read(out, name, text->text, text->size, error);
    return harness_fail(error, HARNESS_BAD_INPUT, "%s: corpus/splits has no case for it", name);
}

void harness_split_free(struct harness_split *split)
{
    harness_program_destroy(split->program);
    harness_case_destroy(split->test_case);
    split->program = NULL;
    split->test_case = NULL;
}

uint32_t harness_split_side(const struct harness_split *split, const struct harness_words *words)
{
    for (uint32_t side = 0; side < pica_side_count((uint32_t)split->choice); side++)
        if (harness_places_equal(&split->places, &split->sides[side], words))
            return side;
    return PICA_MOST_SIDES;
}
