#include "harness/localise/broken_rule_lists.h"

#include "pica/fields.h"
#include "pica/regs.h"

#include <stdlib.h>
#include <string.h>

bool broken_rule_is_about_state(const struct harness_location *location)
{
    return !location->has_draw && (strcmp(location->stage, "registers") == 0 || strcmp(location->stage, "state") == 0 ||
                                   strcmp(location->stage, "events") == 0);
}

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Do both queues hold as many words, and go on with the same uniform? */
static bool counts_alike(const struct harness_localise *search)
{
    static const uint16_t ids[2] = { PICA_REG_VSH_FLOATUNIFORM_INDEX, PICA_REG_GSH_FLOATUNIFORM_INDEX };
    const struct pica_state *const a = search->runs[0].state, *const b = search->runs[1].state;
    for (int unit = 0; unit < 2; unit++)
        if (a->units[unit].queue_length != b->units[unit].queue_length ||
            a->registers[ids[unit]] != b->registers[ids[unit]])
            return false;
    return true;
}

/* Does a uniform of some unit have the number? */
static bool has_number(const struct pica_state *state, uint32_t number)
{
    for (int unit = 0; unit < 2; unit++)
        for (uint32_t i = 0; i < 4 * 96; i++)
            if (((const uint32_t *)state->units[unit].uniforms)[i] == number)
                return true;
    return false;
}

/* Numbers that one side has, and that the other one stored elsewhere or not at all (0), are no others. */
static bool has_other_numbers(const struct harness_localise *search, const struct pica_vector *a,
                              const struct pica_vector *b)
{
    const uint32_t *const x = (const uint32_t *)a, *const y = (const uint32_t *)b;
    for (uint32_t i = 0; i < 4; i++)
        if (x[i] != y[i] && (x[i] == 0 || y[i] == 0 || has_number(search->runs[1].state, x[i]) ||
                             has_number(search->runs[0].state, y[i])))
            return false;
    return true;
}

/* The first uniform that differs: has it the same numbers in other places, or other ones? */
bool broken_rule_is_stored_otherwise(const struct harness_localise *search, bool shuffled)
{
    for (int unit = 0; unit < 2 && search->runs[0].state != NULL && search->runs[1].state != NULL; unit++)
        for (uint32_t i = 0; i < 96; i++) {
            const struct pica_vector *const a = &search->runs[0].state->units[unit].uniforms[i];
            const struct pica_vector *const b = &search->runs[1].state->units[unit].uniforms[i];
            if (memcmp(a, b, sizeof *a) == 0)
                continue;
            uint32_t sorted[2][4];
            memcpy(sorted[0], a, sizeof sorted[0]);
            memcpy(sorted[1], b, sizeof sorted[1]);
            for (int side = 0; side < 2; side++)
                qsort(sorted[side], 4, sizeof sorted[side][0], by_value);
            return (shuffled ? memcmp(sorted[0], sorted[1], sizeof sorted[0]) == 0 : has_other_numbers(search, a, b)) &&
                   counts_alike(search);
        }
    return false;
}

/* CMD-03: the last parameter stays in the register, whatever else it is good for. */
bool broken_rule_is_other_word(const struct harness_localise *search, const struct harness_location *location)
{
    const struct pica_state *const a = search->runs[0].state, *const b = search->runs[1].state;
    const uint32_t id = pica_command_header_id(location->header);
    return broken_rule_is_about_state(location) && location->has_command && location->command_word != UINT32_MAX &&
           pica_command_header_extra_parameters(location->header) != 0 &&
           pica_command_header_consecutive(location->header) == 0 && id < PICA_REGISTERS && a != NULL && b != NULL &&
           a->registers[id] != b->registers[id];
}

/* EXT-CMD-03: the register that starts a list is cleared when it ends. */
bool broken_rule_is_not_started(const struct harness_localise *search, const struct harness_location *location)
{
    const struct pica_state *const a = search->runs[0].state, *const b = search->runs[1].state;
    return broken_rule_is_about_state(location) && location->kind == PICA_OPERATION_SUBMIT_LIST &&
           location->command == 1 && a != NULL && b != NULL &&
           a->registers[PICA_REG_CMDBUF_JUMP0] != b->registers[PICA_REG_CMDBUF_JUMP0];
}

static const uint32_t *word_of(const struct harness_localise *search, const struct harness_location *location,
                               uint32_t back)
{
    const uint32_t number = location->command - back;
    if (search->words == NULL || location->command <= back || number > search->start_count ||
        location->command_word == UINT32_MAX)
        return NULL;
    return &search->words[search->starts[number - 1]];
}

bool broken_rule_is_after_padding(const struct harness_localise *search, const struct harness_location *location)
{
    const uint32_t *const before = word_of(search, location, 1);
    return broken_rule_is_about_state(location) && strcmp(location->stage, "state") != 0 && before != NULL &&
           pica_command_header_extra_parameters(before[1]) % 2 == 1;
}

/* Number of the first command of the list that draws and comes before the guilty one, or UINT32_MAX. */
static uint32_t first_draw(const struct harness_localise *search, const struct harness_location *location)
{
    for (uint32_t i = 0; search->words != NULL && i < search->start_count && i + 1 < location->command; i++) {
        const uint32_t id = pica_command_header_id(search->words[search->starts[i] + 1]);
        if (id == PICA_REG_DRAWARRAYS || id == PICA_REG_DRAWELEMENTS ||
            (id >= PICA_REG_FIXEDATTRIB_DATA0 && id <= PICA_REG_FIXEDATTRIB_DATA2))
            return i;
    }
    return UINT32_MAX;
}

bool broken_rule_is_high(const struct harness_location *location, bool past_end)
{
    const uint32_t id = pica_command_header_id(location->header);
    const uint32_t extra = pica_command_header_extra_parameters(location->header);
    if (!broken_rule_is_about_state(location) || !location->has_command || location->command_word == UINT32_MAX)
        return false;
    return past_end ? id < PICA_REGISTERS && pica_command_header_consecutive(location->header) != 0 &&
                          id + extra >= PICA_REGISTERS
                    : id >= PICA_REGISTERS;
}

bool broken_rule_is_after_draw(const struct harness_localise *search, const struct harness_location *location)
{
    return first_draw(search, location) != UINT32_MAX;
}
