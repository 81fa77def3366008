#include "harness/fingerprint/places.h"
#include "harness/case/little.h"

#include "oracles/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REGISTERS_AT = 0x10401000, /* EXT-CMD-01 */
    ENGINES_AT = 0x10400000
};

static const char *const interrupt_names[PICA_INTERRUPTS] = { "PSC0", "PSC1", "PDC0", "PDC1", "PPF", "P3D" };

/* ---------------------------------------------------------------------------------------------------------- reading */

/* "0x18000000" or "interrupt PSC0". False if it is neither. */
static bool read_place(const char *text, struct harness_word_place *out)
{
    char name[16] = "";
    if (sscanf(text, "interrupt %15s", name) == 1) {
        out->kind = HARNESS_COUNT_OF_INTERRUPT;
        for (out->address = 0; out->address < PICA_INTERRUPTS; out->address++)
            if (strcmp(name, interrupt_names[out->address]) == 0)
                return true;
        return false;
    }
    char *end = NULL;
    out->address = (uint32_t)strtoul(text, &end, 16);
    const bool is_register = out->address >= ENGINES_AT && out->address < REGISTERS_AT + 4 * PICA_REGISTERS;
    out->kind = is_register ? HARNESS_WORD_OF_REGISTER : HARNESS_WORD_OF_MEMORY;
    return strncmp(text, "0x", 2) == 0 && *end == ' ' && out->address % 4 == 0;
}

/* The first line says which places there are, the others name the same in the same order. */
static bool take_place(struct harness_places *places, const struct harness_word_place *place, uint32_t index,
                       bool first)
{
    if (index >= HARNESS_MOST_PLACES)
        return false;
    if (first) {
        places->at[index] = *place;
        places->count = index + 1;
    }
    return index < places->count && places->at[index].kind == place->kind &&
           places->at[index].address == place->address;
}

bool harness_places_read(struct harness_places *places, char *text, bool first, struct harness_words *out)
{
    uint32_t count = 0;
    char *rest = NULL;
    for (char *term = strtok_r(text, ",", &rest); term != NULL; term = strtok_r(NULL, ",", &rest)) {
        struct harness_word_place place;
        term += strspn(term, " ");
        const char *const sign = strstr(term, "= ");
        if (sign == NULL || !read_place(term, &place) || !take_place(places, &place, count, first))
            return false;
        out->at[count++] = (uint32_t)strtoul(sign + 2, NULL, 0);
    }
    return count != 0 && count == places->count;
}

/* ---------------------------------------------------------------------------------------------------------- looking */

static bool is_seen(const struct harness_word_place *place, const struct oracle_scope *scope)
{
    if (place->kind == HARNESS_COUNT_OF_INTERRUPT)
        return (scope->parts & (uint32_t)PICA_PART_INTERRUPTS) != 0;
    if (place->kind == HARNESS_WORD_OF_MEMORY)
        return (scope->parts & (uint32_t)PICA_PART_MEMORY) != 0;
    if (place->address >= REGISTERS_AT)
        return oracle_scope_has_register(scope, (place->address - REGISTERS_AT) / 4);
    return oracle_scope_has_engine(scope, (place->address - ENGINES_AT) / 4);
}

bool harness_places_are_seen(const struct harness_places *places, const struct oracle_scope *scope)
{
    for (uint32_t i = 0; i < places->count; i++)
        if (!is_seen(&places->at[i], scope))
            return false;
    return true;
}

static uint32_t memory_word(const struct oracle_run *run, uint32_t address)
{
    for (uint32_t i = 0; i < run->window_count; i++) {
        const uint32_t offset = address - run->windows[i].address;
        if (offset < run->windows[i].size)
            return harness_load32(run->memory[i] + offset);
    }
    return 0; /* outside: MEM-03 */
}

static uint32_t look(const struct oracle_run *run, const struct harness_word_place *place)
{
    if (place->kind == HARNESS_WORD_OF_MEMORY)
        return memory_word(run, place->address);
    if (place->kind == HARNESS_COUNT_OF_INTERRUPT)
        return run->state->interrupts[place->address];
    if (place->address >= REGISTERS_AT)
        return run->state->registers[(place->address - REGISTERS_AT) / 4];
    return run->state->external[(place->address - ENGINES_AT) / 4];
}

void harness_places_look(const struct harness_places *places, const struct oracle_run *run, struct harness_words *out)
{
    *out = (struct harness_words){ { 0 } };
    for (uint32_t i = 0; i < places->count; i++)
        out->at[i] = look(run, &places->at[i]);
}

/* False for a place in a page that the run, a recording of some pages, does not hold. */
static bool is_held(const struct oracle_run *run, const struct harness_word_place *place)
{
    for (uint32_t i = 0; place->kind == HARNESS_WORD_OF_MEMORY && i < run->window_count; i++) {
        const uint32_t offset = place->address - run->windows[i].address;
        if (offset < run->windows[i].size)
            return oracle_holds(run, i, offset / PICA_PAGE_SIZE);
    }
    return true;
}

enum pica_status harness_places_run(const struct harness_places *places, const struct harness_program *program,
                                    struct harness_runner *runner, struct harness_words *out)
{
    struct oracle_run run;
    enum pica_status status = harness_runner_run_case(runner, &program->setup, program->operations, program->count);
    if (status == PICA_OK)
        status = harness_runner_collect(runner, &run);
    for (uint32_t i = 0; status == PICA_OK && i < places->count; i++)
        if (!is_held(&run, &places->at[i]))
            status = PICA_NOT_SUPPORTED;
    if (status == PICA_OK)
        harness_places_look(places, &run, out);
    return status;
}

bool harness_places_equal(const struct harness_places *places, const struct harness_words *a,
                          const struct harness_words *b)
{
    return memcmp(a->at, b->at, places->count * sizeof a->at[0]) == 0;
}

void harness_places_text(const struct harness_places *places, const struct harness_words *words,
                         struct harness_text *out)
{
    for (uint32_t i = 0; i < places->count; i++) {
        const struct harness_word_place *const place = &places->at[i];
        harness_text_add(out, i != 0 ? ", " : "");
        if (place->kind == HARNESS_COUNT_OF_INTERRUPT)
            harness_text_format(out, "interrupt %s = %u", interrupt_names[place->address], (unsigned)words->at[i]);
        else
            harness_text_format(out, "0x%08X = 0x%08X", (unsigned)place->address, (unsigned)words->at[i]);
    }
}
