#include "harness/fingerprint/split.h"

#include "harness/case/formats.h"
#include "oracles/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE_SIZE = 256,
    REGISTERS_AT = 0x10401000, /* EXT-CMD-01 */
    ENGINES_AT = 0x10400000
};

static const char *const interrupt_names[PICA_INTERRUPTS] = { "PSC0", "PSC1", "PDC0", "PDC1", "PPF", "P3D" };

/* ----------------------------------------------------------------------------------------------- the head of a case */

/* "0x18000000" or "interrupt PSC0". False if it is neither. */
static bool read_place(const char *text, struct harness_split_place *out)
{
    char name[16] = "";
    if (sscanf(text, "interrupt %15s", name) == 1) {
        out->kind = HARNESS_SPLIT_INTERRUPT;
        for (out->address = 0; out->address < PICA_INTERRUPTS; out->address++)
            if (strcmp(name, interrupt_names[out->address]) == 0)
                return true;
        return false;
    }
    char *end = NULL;
    out->address = (uint32_t)strtoul(text, &end, 16);
    const bool is_register = out->address >= ENGINES_AT && out->address < REGISTERS_AT + 4 * PICA_REGISTERS;
    out->kind = is_register ? HARNESS_SPLIT_REGISTER : HARNESS_SPLIT_MEMORY;
    return strncmp(text, "0x", 2) == 0 && *end == ' ' && out->address % 4 == 0;
}

/* All sides look at the same places in the same order: the first line says which. */
static bool take_place(struct harness_split *split, const struct harness_split_place *place, uint32_t index, bool first)
{
    if (index >= HARNESS_SPLIT_PLACES)
        return false;
    if (first) {
        split->places[index] = *place;
        split->place_count = index + 1;
    }
    return index < split->place_count && split->places[index].kind == place->kind &&
           split->places[index].address == place->address;
}

/* "0x180000A8 = 0xFF0000FF, ..." */
static bool read_terms(struct harness_split *split, char *text, uint32_t side, bool first)
{
    uint32_t count = 0;
    char *rest = NULL;
    for (char *term = strtok_r(text, ",", &rest); term != NULL; term = strtok_r(NULL, ",", &rest)) {
        struct harness_split_place place;
        term += strspn(term, " ");
        const char *const sign = strstr(term, "= ");
        if (sign == NULL || !read_place(term, &place) || !take_place(split, &place, count, first))
            return false;
        split->sides[side].at[count++] = (uint32_t)strtoul(sign + 2, NULL, 0);
    }
    return count != 0 && count == split->place_count;
}

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
    return read_terms(split, colon + 1, side->number, first);
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

/* ---------------------------------------------------------------------------------------------------------- looking */

static bool is_seen(const struct harness_split_place *place, const struct oracle_scope *scope)
{
    if (place->kind == HARNESS_SPLIT_INTERRUPT)
        return (scope->parts & (uint32_t)PICA_PART_INTERRUPTS) != 0;
    if (place->kind == HARNESS_SPLIT_MEMORY)
        return (scope->parts & (uint32_t)PICA_PART_MEMORY) != 0;
    if (place->address >= REGISTERS_AT)
        return oracle_scope_has_register(scope, (place->address - REGISTERS_AT) / 4);
    return oracle_scope_has_engine(scope, (place->address - ENGINES_AT) / 4);
}

bool harness_split_is_seen(const struct harness_split *split, const struct oracle_scope *scope)
{
    for (uint32_t i = 0; i < split->place_count; i++)
        if (!is_seen(&split->places[i], scope))
            return false;
    return true;
}

static uint32_t memory_word(const struct oracle_run *run, uint32_t address)
{
    for (uint32_t i = 0; i < run->window_count; i++) {
        const uint32_t offset = address - run->windows[i].address;
        if (offset < run->windows[i].size) {
            const uint8_t *const bytes = run->memory[i] + offset;
            return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        }
    }
    return 0; /* outside: MEM-03 */
}

static uint32_t look(const struct oracle_run *run, const struct harness_split_place *place)
{
    if (place->kind == HARNESS_SPLIT_MEMORY)
        return memory_word(run, place->address);
    if (place->kind == HARNESS_SPLIT_INTERRUPT)
        return run->state->interrupts[place->address];
    if (place->address >= REGISTERS_AT)
        return run->state->registers[(place->address - REGISTERS_AT) / 4];
    return run->state->external[(place->address - ENGINES_AT) / 4];
}

enum pica_status harness_split_run(const struct harness_split *split, struct harness_runner *runner,
                                   struct harness_split_words *out)
{
    struct oracle_run run;
    size_t failed = 0;
    enum pica_status status = harness_runner_load(runner, &split->program->setup);
    if (status == PICA_OK)
        status = harness_runner_run(runner, split->program->operations, split->program->count, &failed);
    if (status == PICA_OK)
        status = harness_runner_collect(runner, &run);
    if (status != PICA_OK)
        return status;
    *out = (struct harness_split_words){ { 0 } };
    for (uint32_t i = 0; i < split->place_count; i++)
        out->at[i] = look(&run, &split->places[i]);
    return PICA_OK;
}

bool harness_split_words_equal(const struct harness_split *split, const struct harness_split_words *a,
                               const struct harness_split_words *b)
{
    return memcmp(a->at, b->at, split->place_count * sizeof a->at[0]) == 0;
}

uint32_t harness_split_side(const struct harness_split *split, const struct harness_split_words *words)
{
    for (uint32_t side = 0; side < pica_side_count((uint32_t)split->choice); side++)
        if (harness_split_words_equal(split, &split->sides[side], words))
            return side;
    return PICA_MOST_SIDES;
}

void harness_split_words_text(const struct harness_split *split, const struct harness_split_words *words,
                              struct harness_text *out)
{
    for (uint32_t i = 0; i < split->place_count; i++) {
        const struct harness_split_place *const place = &split->places[i];
        harness_text_add(out, i != 0 ? ", " : "");
        if (place->kind == HARNESS_SPLIT_INTERRUPT)
            harness_text_format(out, "interrupt %s = %u", interrupt_names[place->address], (unsigned)words->at[i]);
        else
            harness_text_format(out, "0x%08X = 0x%08X", (unsigned)place->address, (unsigned)words->at[i]);
    }
}
