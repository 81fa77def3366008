/*
 * Passes over what is uploaded for shaders. They remove operand descriptors and uniforms, move later ones down and
 * renumber them in instructions; move code and uniforms that start at a high address to 0; and change uniforms to the
 * shorter format.
 */
#include "harness/reduce/reduce_stream.h"

#include "pica/opcodes.h"

#include <string.h>

/* -------------------------------------------------------------------------------------------------------- removing */

enum {
    FIRST_UNIFORM = 0x20, /* SHD-20: c0 among the sources */
    MOST_ENTRIES = 128
};

/* Elements of one port. */
struct removal {
    enum oracle_port port;
    struct reduce_walk *walk;
    bool gone[2][MOST_ENTRIES];
    uint32_t before[2][MOST_ENTRIES]; /* how many entries below this one are removed */
};

static bool remove_element(void *user, struct reduce_element *element)
{
    struct removal *const removal = user;
    if (element->at.port != removal->port || !harness_reduce_takes(removal->walk))
        return false;
    if (element->at.index < MOST_ENTRIES)
        removal->gone[element->at.unit][element->at.index] = true;
    return true;
}

static uint32_t entry_after(const struct removal *removal, uint32_t unit, uint32_t entry)
{
    return removal->gone[unit][entry] && removal->port == ORACLE_PORT_OPDESCS ? 0
                                                                              : entry - removal->before[unit][entry];
}

/* Renumbers the descriptor (SHD-21) or uniforms (SHD-20) that an instruction names. */
static bool follow(void *user, struct reduce_element *element)
{
    const struct removal *const removal = user;
    if (element->at.port != ORACLE_PORT_CODE)
        return false;
    uint32_t *const word = element->words;
    const struct reduce_operands operands = harness_reduce_operands_of(*word);
    if (removal->port == ORACLE_PORT_OPDESCS) {
        if (operands.descriptor != NULL)
            *word = pica_field_set(operands.descriptor, *word,
                                   entry_after(removal, element->at.unit, pica_field_get(operands.descriptor, *word)));
        return false;
    }
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t source = operands.sources[i] != NULL ? pica_field_get(operands.sources[i], *word) : 0;
        if (source >= FIRST_UNIFORM)
            *word = pica_field_set(operands.sources[i], *word,
                                   FIRST_UNIFORM + entry_after(removal, element->at.unit, source - FIRST_UNIFORM));
    }
    return false;
}

/* Variants: each unit has its own entries; the geometry unit shares those of the vertex unit (REG-27). */
static bool remove_entries(struct harness_case *test_case, enum oracle_port port, struct reduce_walk *walk)
{
    struct removal removal = { .port = port, .walk = walk };
    if (!harness_reduce_elements(test_case, remove_element, &removal, &walk->changed))
        return false;
    if (!walk->changed)
        return true;
    if (walk->variant == 1)
        memcpy(removal.gone[1], removal.gone[0], sizeof removal.gone[1]);
    for (uint32_t unit = 0; unit < 2; unit++)
        for (uint32_t entry = 1; entry < MOST_ENTRIES; entry++)
            removal.before[unit][entry] = removal.before[unit][entry - 1] + (removal.gone[unit][entry - 1] ? 1u : 0u);
    return harness_reduce_elements(test_case, follow, &removal, NULL);
}

static bool remove_descriptors(struct harness_case *test_case, struct reduce_walk *walk)
{
    return remove_entries(test_case, ORACLE_PORT_OPDESCS, walk);
}

const struct reduce_pass harness_reduce_descriptors = { "descriptors", 2, .walk = remove_descriptors };

static bool remove_uniforms(struct harness_case *test_case, struct reduce_walk *walk)
{
    return remove_entries(test_case, ORACLE_PORT_UNIFORMS, walk);
}

const struct reduce_pass harness_reduce_uniforms = { "uniforms", 2, .walk = remove_uniforms };

/* ---------------------------------------------------------------------------------------------------------- places */

/* Code, uniforms and descriptors of both units: six places. */
enum {
    PLACES = 6
};

struct place {
    enum oracle_port port;
    uint32_t unit;
    uint32_t base; /* the lowest address that is written */
};

static bool find_base(void *user, struct reduce_element *element)
{
    struct place *const place = user;
    if (element->at.port == place->port && element->at.unit == place->unit && element->at.index < place->base)
        place->base = element->at.index;
    return false;
}

static uint32_t lowered(const struct place *place, uint32_t value)
{
    return value >= place->base ? value - place->base : value;
}

/* Lowers index registers and the entry point (SHD-12). */
static void lower_register(void *user, const struct reduce_word *word)
{
    const struct place *const place = user;
    uint32_t *const value = word->word;
    if (place->port == ORACLE_PORT_CODE) {
        if (word->id == pica_reg_shader(place->unit, PICA_REG_VSH_CODETRANSFER_INDEX))
            *value = lowered(place, *value);
        if (word->id == pica_reg_shader(place->unit, PICA_REG_VSH_ENTRYPOINT))
            *value = pica_shader_entrypoint_set_entry(*value, lowered(place, pica_shader_entrypoint_entry(*value)));
    } else if (place->port == ORACLE_PORT_OPDESCS) {
        if (word->id == pica_reg_shader(place->unit, PICA_REG_VSH_OPDESCS_INDEX))
            *value = lowered(place, *value);
    } else if (word->id == pica_reg_shader(place->unit, PICA_REG_VSH_FLOATUNIFORM_INDEX)) {
        *value = pica_shader_floatuniform_index_set_index(*value,
                                                          lowered(place, pica_shader_floatuniform_index_index(*value)));
    }
}

/* Lowers the jump targets (SHD-40), uniforms and descriptors that instructions name. */
static bool lower_operands(void *user, struct reduce_element *element)
{
    const struct place *const place = user;
    uint32_t *const word = element->words;
    if (element->at.port != ORACLE_PORT_CODE || element->at.unit != place->unit)
        return false;
    const enum pica_opcode_format format = pica_opcode_info(pica_opcode_of(*word))->format;
    const struct reduce_operands operands = harness_reduce_operands_of(*word);
    if (place->port == ORACLE_PORT_CODE && (format == PICA_OPCODE_FORMAT_2 || format == PICA_OPCODE_FORMAT_3))
        *word = pica_shader_format_2_set_dst(*word, lowered(place, pica_shader_format_2_dst(*word)));
    if (place->port == ORACLE_PORT_OPDESCS && operands.descriptor != NULL)
        *word = pica_field_set(operands.descriptor, *word, lowered(place, pica_field_get(operands.descriptor, *word)));
    for (uint32_t i = 0; i < 3 && place->port == ORACLE_PORT_UNIFORMS; i++) {
        const uint32_t source = operands.sources[i] != NULL ? pica_field_get(operands.sources[i], *word) : 0;
        if (source >= FIRST_UNIFORM)
            *word = pica_field_set(operands.sources[i], *word, FIRST_UNIFORM + lowered(place, source - FIRST_UNIFORM));
    }
    return false;
}

static bool lower_place(struct harness_case *test_case, uint32_t index)
{
    static const enum oracle_port ports[3] = { ORACLE_PORT_CODE, ORACLE_PORT_UNIFORMS, ORACLE_PORT_OPDESCS };
    struct place place = { .port = ports[index % 3], .unit = index / 3, .base = UINT32_MAX };
    harness_reduce_look(test_case, find_base, &place);
    if (place.base == 0 || place.base == UINT32_MAX)
        return false;
    harness_reduce_visit_words(test_case, lower_register, &place);
    return harness_reduce_elements(test_case, lower_operands, &place, NULL);
}

static bool lower_places(struct harness_case *test_case, struct reduce_walk *walk)
{
    for (uint32_t i = 0; i < PLACES; i++)
        if (harness_reduce_takes(walk))
            walk->changed = lower_place(test_case, i) || walk->changed;
    return true;
}

const struct reduce_pass harness_reduce_places = { "places of uploads", 1, .walk = lower_places };

/* --------------------------------------------------------------------------------------------------------- formats */

/* Converts the four-word vectors of a unit to float24, which takes three words (REG-22). */
static bool shorten_vectors(struct harness_case *test_case, struct harness_list *list, uint32_t unit,
                            struct oracle_follower *registers)
{
    bool changed = false;
    for (uint32_t i = 0; i < list->count; i++) {
        struct harness_command *const command = harness_list_edit(list, i);
        uint32_t port_unit = 0, words[HARNESS_MAX_PARAMETERS], size = 0;
        const uint32_t index = registers->values[pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX)];
        const bool streams = oracle_port_of(command->id, &port_unit) == ORACLE_PORT_UNIFORMS && port_unit == unit &&
                             pica_shader_floatuniform_index_format(index) == PICA_UNIFORM_FORMAT_FLOAT32 &&
                             (!command->consecutive || command->count == 1) && command->count % 4 == 0;
        harness_reduce_follow(registers, command);
        for (uint32_t k = 0; streams && k < command->count; k += 4, size += 3) {
            double vector[4];
            harness_reduce_unpack(command->parameters + k, true, vector);
            harness_reduce_pack(vector, false, words + size);
        }
        if (!streams)
            continue;
        if (!harness_command_set(test_case, command, words, size))
            return false;
        changed = true;
    }
    return changed;
}

static void choose_float24(void *user, const struct reduce_word *word)
{
    const uint32_t unit = *(const uint32_t *)user;
    if (word->id == pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX))
        *word->word = pica_shader_floatuniform_index_set_format(*word->word, PICA_UNIFORM_FORMAT_FLOAT24);
}

static bool shorten_uniforms(struct harness_case *test_case, struct reduce_walk *walk)
{
    for (uint32_t unit = 0; unit < 2; unit++) {
        struct reduce_blocks blocks = { .test_case = test_case };
        struct oracle_follower registers;
        bool shorter = false;
        if (!harness_reduce_takes(walk))
            continue;
        oracle_follow_start(&registers, NULL);
        for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
            shorter = shorten_vectors(test_case, list, unit, &registers) || shorter;
        if (shorter)
            harness_reduce_visit_words(test_case, choose_float24, &unit);
        walk->changed = walk->changed || shorter;
    }
    return true;
}

const struct reduce_pass harness_reduce_uniform_formats = { "formats of uniforms", 1, .walk = shorten_uniforms };

/* --------------------------------------------------------------------------------------------------------- numbers */

enum {
    NUMBER_VARIANTS = 5
};

/* The measure of a number: the lower, the plainer. Rounding lowers it as well, since fewer mantissa bits are set. */
static uint32_t number_rank(double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    uint32_t rank = 5;
    for (uint64_t mantissa = bits << 12; mantissa != 0; mantissa <<= 1)
        rank++;
    return bits == 0 ? 0 : value == 1.0 ? 1 : value == -1.0 ? 2 : value == 0.5 ? 3 : value == -0.5 ? 4 : rank;
}

/* Keeps the top `bits` bits of the mantissa. */
static double rounded(double value, uint32_t bits)
{
    uint64_t raw = 0;
    memcpy(&raw, &value, sizeof raw);
    raw &= ~UINT64_C(0) << (52 - bits);
    memcpy(&value, &raw, sizeof value);
    return value;
}

static double plain_number(double value, uint32_t variant)
{
    switch (variant) {
    case 0: return 0.0;
    case 1: return value < 0.0 ? -1.0 : 1.0;
    case 2: return value < 0.0 ? -0.5 : 0.5;
    case 3: return rounded(value, 1);
    default: return rounded(value, 6);
    }
}

/* The things of this pass are the components of vectors. */
static bool visit_numbers(void *user, struct reduce_element *element)
{
    struct reduce_walk *const walk = user;
    double vector[4];
    if (element->at.port != ORACLE_PORT_FIXED && element->at.port != ORACLE_PORT_UNIFORMS)
        return false;
    const struct reduce_range taken = harness_reduce_takes_of(walk, 4);
    if (taken.count == 0)
        return false;
    harness_reduce_unpack(element->words, element->at.float32, vector);
    bool changed = false;
    for (uint32_t i = taken.first; i < taken.first + taken.count; i++) {
        const double next = plain_number(vector[i], walk->variant);
        if (number_rank(next) >= number_rank(vector[i]))
            continue;
        vector[i] = next;
        changed = true;
    }
    if (changed)
        harness_reduce_pack(vector, element->at.float32, element->words);
    walk->changed = walk->changed || changed;
    return false;
}

static bool change_numbers(struct harness_case *test_case, struct reduce_walk *walk)
{
    return harness_reduce_elements(test_case, visit_numbers, walk, NULL);
}

const struct reduce_pass harness_reduce_numbers = { "numbers", NUMBER_VARIANTS, .walk = change_numbers };
