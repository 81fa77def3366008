#include "oracles/follow.h"
#include "pica/mask.h"

#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- ports */

static bool within(uint32_t id, uint32_t first, uint32_t last)
{
    return id >= first && id <= last;
}

enum oracle_port oracle_port_of(uint32_t id, uint32_t *unit)
{
    for (*unit = 0; *unit < 2; *unit += 1) {
        if (within(id, pica_reg_shader(*unit, PICA_REG_VSH_CODETRANSFER_DATA0),
                   pica_reg_shader(*unit, PICA_REG_VSH_CODETRANSFER_DATA7)))
            return ORACLE_PORT_CODE;
        if (within(id, pica_reg_shader(*unit, PICA_REG_VSH_OPDESCS_DATA0),
                   pica_reg_shader(*unit, PICA_REG_VSH_OPDESCS_DATA7)))
            return ORACLE_PORT_OPDESCS;
        if (within(id, pica_reg_shader(*unit, PICA_REG_VSH_FLOATUNIFORM_DATA0),
                   pica_reg_shader(*unit, PICA_REG_VSH_FLOATUNIFORM_DATA7)))
            return ORACLE_PORT_UNIFORMS;
    }
    *unit = 0;
    return within(id, PICA_REG_FIXEDATTRIB_DATA0, PICA_REG_FIXEDATTRIB_DATA2) ? ORACLE_PORT_FIXED : ORACLE_PORT_NONE;
}

/* The index register of a port, which says where its words go. */
static uint32_t index_register(enum oracle_port port, uint32_t unit)
{
    switch (port) {
    case ORACLE_PORT_CODE: return pica_reg_shader(unit, PICA_REG_VSH_CODETRANSFER_INDEX);
    case ORACLE_PORT_OPDESCS: return pica_reg_shader(unit, PICA_REG_VSH_OPDESCS_INDEX);
    case ORACLE_PORT_UNIFORMS: return pica_reg_shader(unit, PICA_REG_VSH_FLOATUNIFORM_INDEX);
    case ORACLE_PORT_FIXED:
    case ORACLE_PORT_NONE: break;
    }
    return PICA_REG_FIXEDATTRIB_INDEX;
}

/* The index field in the word of that register. */
static uint32_t index_in(enum oracle_port port, uint32_t word)
{
    switch (port) {
    case ORACLE_PORT_UNIFORMS: return pica_shader_floatuniform_index_index(word);
    case ORACLE_PORT_FIXED: return pica_fixedattrib_index_index(word);
    case ORACLE_PORT_CODE:
    case ORACLE_PORT_OPDESCS:
    case ORACLE_PORT_NONE: break;
    }
    return word;
}

uint32_t oracle_follow_words(const struct oracle_follower *follower, enum oracle_port port, uint32_t unit)
{
    const uint32_t word = follower->values[index_register(ORACLE_PORT_UNIFORMS, unit)];
    switch (port) {
    case ORACLE_PORT_FIXED: return 3;
    case ORACLE_PORT_UNIFORMS:
        return pica_shader_floatuniform_index_format(word) == PICA_UNIFORM_FORMAT_FLOAT32 ? 4 : 3; /* REG-22 */
    case ORACLE_PORT_CODE:
    case ORACLE_PORT_OPDESCS:
    case ORACLE_PORT_NONE: break;
    }
    return 1;
}

/* ------------------------------------------------------------------------------------------------------- registers */

void oracle_follow_store(struct oracle_follower *follower, uint32_t id, uint32_t bits, uint32_t value)
{
    follower->values[id] = (follower->values[id] & ~bits) | (value & bits);
    follower->known[id] |= bits;
}

/* Takes over the present word of a port's index register. */
static void take_index(struct oracle_follower *follower, enum oracle_port port, uint32_t unit)
{
    follower->next[port][unit] = index_in(port, follower->values[index_register(port, unit)]);
}

/* REG-02 */
static const uint32_t reset_values[PICA_REGISTERS] = {
#define REG(id, NAME, layout, reset, CLASS, rule) [id] = (reset),
#include "pica/regs.def"
};

void oracle_follow_start(struct oracle_follower *follower, const uint32_t *registers)
{
    memset(follower, 0, sizeof *follower);
    memset(follower->known, 0xFF, sizeof follower->known);
    memcpy(follower->values, registers != NULL ? registers : reset_values, sizeof follower->values);
    for (uint32_t port = ORACLE_PORT_CODE; port < ORACLE_PORTS; port++)
        for (uint32_t unit = 0; unit < 2; unit++)
            take_index(follower, (enum oracle_port)port, unit);
}

void oracle_follow_lose(struct oracle_follower *follower)
{
    memset(follower->known, 0, sizeof follower->known);
    memset(follower->queue, ORACLE_QUEUE_UNKNOWN, sizeof follower->queue);
}

static void write_index(struct oracle_follower *follower, uint32_t id)
{
    for (uint32_t port = ORACLE_PORT_CODE; port < ORACLE_PORT_FIXED; port++)
        for (uint32_t unit = 0; unit < 2; unit++)
            if (id == index_register((enum oracle_port)port, unit))
                take_index(follower, (enum oracle_port)port, unit);
    if (id == PICA_REG_FIXEDATTRIB_INDEX) {
        take_index(follower, ORACLE_PORT_FIXED, 0);
        follower->queue[ORACLE_PORT_FIXED][0] = 0;
        follower->attribute = 0;
    }
}

/* ----------------------------------------------------------------------------------------------------------- words */

/* REG-20: increments the index register, but not past the end of the memory. */
static void step_index(struct oracle_follower *follower, enum oracle_port port, uint32_t unit)
{
    uint32_t *const word = &follower->values[index_register(port, unit)];
    const uint32_t index = index_in(port, *word);
    switch (port) {
    case ORACLE_PORT_CODE:
        *word += *word < (unit == PICA_UNIT_VERTEX ? 512u : PICA_CODE_WORDS); /* REG-21 */
        break;
    case ORACLE_PORT_OPDESCS: *word += *word < PICA_OPDESC_WORDS; break;
    case ORACLE_PORT_UNIFORMS:
        if (index < PICA_FLOAT_UNIFORMS)
            *word = pica_shader_floatuniform_index_set_index(*word, index + 1);
        break;
    case ORACLE_PORT_FIXED: *word = pica_fixedattrib_index_set_index(*word, index + 1); break;
    case ORACLE_PORT_NONE: break;
    }
}

/* After an element: moves on to the next one. */
static void step(struct oracle_follower *follower, enum oracle_port port, uint32_t unit)
{
    if (port != ORACLE_PORT_FIXED || follower->next[port][unit] != ORACLE_IMMEDIATE) {
        follower->next[port][unit]++;
        step_index(follower, port, unit);
        return;
    }
    const uint32_t last = pica_vsh_num_attr_attributes_minus_1(follower->values[PICA_REG_VSH_NUM_ATTR]);
    if (follower->attribute++ >= last) { /* VTX-41 */
        follower->attribute = 0;
        follower->vertex++;
    }
}

/* Handles a word that is sent to a port. */
static struct oracle_element push(struct oracle_follower *follower, enum oracle_port port, uint32_t unit)
{
    struct oracle_element element = { .port = port, .unit = unit };
    uint8_t *const queue = &follower->queue[port][unit];
    uint32_t *const known = &follower->known[index_register(port, unit)];
    const bool is_vector = port == ORACLE_PORT_UNIFORMS || port == ORACLE_PORT_FIXED;
    if (*known != UINT32_MAX || (is_vector && *queue == ORACLE_QUEUE_UNKNOWN)) {
        *known = 0;
        *queue = ORACLE_QUEUE_UNKNOWN;
        return element;
    }
    element.words = oracle_follow_words(follower, port, unit);
    element.float32 = element.words == 4;
    if (is_vector && ++*queue < element.words) {
        element.port = ORACLE_PORT_NONE;
        return element;
    }
    *queue = 0;
    element.is_known = true;
    element.immediate = port == ORACLE_PORT_FIXED && follower->next[port][unit] == ORACLE_IMMEDIATE;
    element.index = element.immediate ? follower->attribute : follower->next[port][unit];
    element.vertex = follower->vertex;
    step(follower, port, unit);
    return element;
}

/* REG-30: the indices of tables advance in a way that is not tracked: forget the index register. */
static void push_table(struct oracle_follower *follower)
{
    static const uint16_t indices[] = { PICA_REG_PROCTEX_LUT, PICA_REG_FOG_LUT_INDEX, PICA_REG_GAS_LUT_INDEX,
                                        PICA_REG_LIGHTING_LUT_INDEX };
    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++)
        follower->known[indices[i]] = 0;
}

struct oracle_element oracle_follow_write(struct oracle_follower *follower, uint32_t id, uint32_t mask, uint32_t value)
{
    const struct oracle_element none = { .port = ORACLE_PORT_NONE };
    if (id >= PICA_REGISTERS)
        return none; /* REG-05 */
    oracle_follow_store(follower, id, pica_mask_bits(mask), value);
    const enum pica_reg_class reg_class = pica_reg_info(id)->reg_class;
    if (reg_class == PICA_REG_CLASS_INDEX)
        write_index(follower, id);
    if (reg_class != PICA_REG_CLASS_PORT)
        return none;
    uint32_t unit = 0;
    const enum oracle_port port = oracle_port_of(id, &unit);
    if (port != ORACLE_PORT_NONE)
        return push(follower, port, unit);
    push_table(follower);
    return none;
}
