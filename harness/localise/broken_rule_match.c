#include "harness/localise/broken_rule_match.h"

#include "pica/backend.h"
#include "pica/enums.h"
#include "pica/fields.h"
#include "pica/regs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 80 /* bytes of a name or a value */
};

/* One condition, in parts. */
struct term {
    char place[MOST], field[MOST];
    bool differs;       /* "!=" */
    const char *values; /* up to `end` */
    const char *end;
};

static bool fits(const char *pattern, const char *text)
{
    const char *star = NULL, *mark = NULL;
    while (*text != '\0')
        if (*pattern == '*' || *pattern == '#') {
            star = pattern++;
            mark = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++mark;
        } else {
            return false;
        }
    while (*pattern == '*' || *pattern == '#')
        pattern++;
    return *pattern == '\0';
}

const struct pica_stage_info *broken_rule_stage_of(const char *register_name)
{
    size_t count = 0;
    const struct pica_stage_member *const members = pica_stage_members(&count);
    for (size_t i = 0; i < count; i++)
        if (fits(members[i].registers, register_name))
            return pica_stage_info(members[i].stage);
    return NULL;
}

const struct pica_stage_word_info *broken_rule_field_stage(uint32_t id, const struct pica_field_info *field)
{
    const struct pica_stage_word_info *const word = pica_stage_word_of_rule(field->rule);
    const struct pica_stage_info *const stage = broken_rule_stage_of(pica_reg_info(id)->name);
    const bool is_color = field->type == PICA_FIELD_COLOR; /* the rule is that of the order of channels */
    if (word != NULL && word >= pica_stage_word_info(PICA_STAGE_WORD_CLIP) && !is_color)
        return word;
    return stage != NULL ? pica_stage_word_info(stage->word) : NULL;
}

bool broken_rule_is_gate(uint32_t id, const struct pica_field_info *field)
{
    size_t count = 0;
    const struct pica_used_if *const lines = pica_used_if_lines(&count);
    for (size_t i = 0; i < count; i++)
        if (fits(lines[i].gate_register, pica_reg_info(id)->name) && fits(lines[i].gate_field, field->name))
            return true;
    return false;
}

/* The next condition of `*text`, which moves behind it. False at the end, and where the form is wrong. */
static bool next_term(const char **text, struct term *out)
{
    const char *const begin = *text + strspn(*text, " &");
    const size_t length = strcspn(begin, "&");
    const char *const equals = memchr(begin, '=', length);
    *text = begin + length;
    if (equals == NULL || equals - begin < 2)
        return false;
    out->differs = equals[-1] == '!';
    out->values = equals + 1;
    out->end = *text;
    const char *const stop = equals - (out->differs ? 1 : 0);
    const size_t dot = strcspn(begin, ". ");
    out->field[0] = '\0';
    (void)snprintf(out->place, sizeof out->place, "%.*s", (int)dot, begin);
    if (begin[dot] == '.')
        (void)snprintf(out->field, sizeof out->field, "%.*s", (int)strcspn(begin + dot + 1, " ="), begin + dot + 1);
    return stop > begin;
}

/* The next value of a list, or false. */
static bool next_value(const char **values, const char *end, char out[MOST])
{
    *values += strspn(*values, " ,");
    const size_t length = strcspn(*values, " ,&");
    if (*values >= end || length == 0)
        return false;
    (void)snprintf(out, MOST, "%.*s", (int)length, *values);
    *values += length;
    return true;
}

static bool lists_text(const struct term *term, const char *text)
{
    const char *values = term->values;
    char value[MOST];
    while (next_value(&values, term->end, value))
        if (fits(value, text))
            return true;
    return false;
}

/* The number that `text` stands for in a field; false if it is none. */
static bool value_of(const struct pica_field_info *field, const char *text, uint32_t *out)
{
    size_t count = 0;
    const struct pica_enum_value *const values = pica_enum_values(field->enumeration, &count);
    char *end = NULL;
    for (size_t i = 0; i < count; i++)
        if (strcmp(values[i].text, text) == 0) {
            *out = values[i].value;
            return true;
        }
    *out = (uint32_t)strtoul(text, &end, 0);
    return end != text && *end == '\0';
}

static bool lists_number(const struct term *term, const struct pica_field_info *field, uint32_t number)
{
    const char *values = term->values;
    char value[MOST];
    uint32_t other = 0;
    while (next_value(&values, term->end, value))
        if (value_of(field, value, &other) && other == number)
            return true;
    return false;
}

/* Does a field of the word that fits have one of the values, or with "!=" another one? */
static bool word_fits(const struct term *term, const char *field, enum pica_layout layout, uint32_t word)
{
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    for (size_t i = 0; i < count; i++)
        if (fits(field, fields[i].name) &&
            lists_number(term, &fields[i], pica_field_get(&fields[i], word)) != term->differs)
            return true;
    return false;
}

/* `text` with the number in place of #. */
static void put_instance(const char *text, uint32_t instance, char out[MOST])
{
    const size_t before = strcspn(text, "#");
    if (text[before] == '\0')
        (void)snprintf(out, MOST, "%s", text);
    else
        (void)snprintf(out, MOST, "%.*s%u%s", (int)before, text, (unsigned)instance, text + before + 1);
}

/* Words of an operation, by the names that listings have for them. */
static const struct {
    const char *name;
    enum pica_layout layout;
    uint32_t word;
} operation_words[] = {
    { "XFER_FLAGS", PICA_LAYOUT_XFER_FLAGS, 4 },
};

static bool term_holds(const struct term *term, const struct broken_rule_facts *facts)
{
    char place[MOST], field[MOST];
    put_instance(term->place, facts->instance, place);
    put_instance(term->field, facts->instance, field);
    if (strcmp(place, "opcode") == 0)
        return lists_text(term, facts->opcode) != term->differs;
    if (strcmp(place, "previous") == 0)
        return lists_text(term, facts->previous) != term->differs;
    if (strcmp(place, "command") == 0)
        return lists_text(term, facts->command) != term->differs;
    for (size_t i = 0; i < sizeof operation_words / sizeof operation_words[0]; i++)
        if (strcmp(place, operation_words[i].name) == 0)
            return facts->words != NULL &&
                   word_fits(term, field, operation_words[i].layout, facts->words[operation_words[i].word]);
    for (uint32_t id = 0; id < PICA_REGISTERS && facts->registers != NULL; id++) {
        const struct pica_reg_info *const info = pica_reg_info(id);
        if (info != NULL && fits(place, info->name) && word_fits(term, field, info->layout, facts->registers[id]))
            return true;
    }
    return false;
}

bool broken_rule_holds(const char *conditions, const struct broken_rule_facts *facts)
{
    struct term term;
    while (conditions[strspn(conditions, " &")] != '\0')
        if (!next_term(&conditions, &term) || !term_holds(&term, facts))
            return false;
    return true;
}

/* ------------------------------------------------------------------------------------------------------- for tests */

static bool knows_all(const struct term *term, const struct pica_field_info *field)
{
    const char *values = term->values;
    char value[MOST];
    uint32_t number = 0;
    while (next_value(&values, term->end, value))
        if (!value_of(field, value, &number) || number > pica_field_get(field, UINT32_MAX))
            return false;
    return true;
}

static bool is_known(const struct term *term, const char *field, enum pica_layout layout)
{
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    for (size_t i = 0; i < count; i++)
        if (fits(field, fields[i].name) && knows_all(term, &fields[i]))
            return true;
    return false;
}

/* Is there a register for each of the names? */
static bool knows_registers(const struct term *term)
{
    const char *values = term->values;
    char value[MOST];
    while (next_value(&values, term->end, value)) {
        uint32_t id = 0;
        while (id < PICA_REGISTERS && !fits(value, pica_reg_info(id)->name))
            id++;
        if (id == PICA_REGISTERS)
            return false;
    }
    return true;
}

static bool term_is_sound(const struct term *term)
{
    char place[MOST], field[MOST];
    put_instance(term->place, 0, place);
    put_instance(term->field, 0, field);
    if (strcmp(place, "opcode") == 0 || strcmp(place, "previous") == 0)
        return true;
    if (strcmp(place, "command") == 0)
        return knows_registers(term);
    for (size_t i = 0; i < sizeof operation_words / sizeof operation_words[0]; i++)
        if (strcmp(place, operation_words[i].name) == 0)
            return is_known(term, field, operation_words[i].layout);
    for (uint32_t id = 0; id < PICA_REGISTERS; id++) {
        const struct pica_reg_info *const info = pica_reg_info(id);
        if (info != NULL && fits(place, info->name) && is_known(term, field, info->layout))
            return true;
    }
    return false;
}

bool broken_rule_is_sound(const char *conditions)
{
    struct term term;
    while (conditions[strspn(conditions, " &")] != '\0')
        if (!next_term(&conditions, &term) || !term_is_sound(&term))
            return false;
    return true;
}
