/*
 * Passes over vertex attributes: they remove attributes and adjust everything that counts or numbers them (VTX-01 to
 * VTX-12), give input registers the numbers of their attributes, and turn indexed draws into unindexed ones.
 */
#include "harness/reduce/reduce_stream.h"

#include "pica/opcodes.h"

enum {
    ARRAYS = 12,
    ATTRIBUTES = 16,
    FIRST_PADDING = 12, /* VTX-04: components from here on are padding of 4, 8, 12, 16 bytes */
    COMPONENTS = 12
};

/* ------------------------------------------------------------------------------------------------------ attributes */

/* Removes nibble `gone`; those above it move down. */
static uint64_t without_nibble(uint64_t value, uint32_t gone)
{
    const uint64_t below = (UINT64_C(1) << (4 * gone)) - 1;
    return (value & below) | (value >> 4 >> (4 * gone) << (4 * gone));
}

/* The new number of the last attribute (a count less one) once `attribute` is removed; unchanged if it is beyond the
 * last. */
static uint32_t fewer(uint32_t last, uint32_t attribute)
{
    return last != 0 && attribute <= last ? last - 1u : last;
}

struct removal {
    uint32_t attribute;
    bool pads;              /* keep the attribute's bytes in an array as padding */
    const uint32_t *before; /* the registers at the next draw */
};

static uint64_t joined(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

/* VTX-02: bytes of an attribute, and of its elements. */
static uint32_t size_of(const struct removal *removal, uint32_t attribute, uint32_t *element)
{
    const uint64_t formats =
        joined(removal->before[PICA_REG_ATTRIBBUFFERS_FORMAT_LOW], removal->before[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH]);
    const uint32_t format = (uint32_t)(formats >> (4 * attribute)) & 0xFu;
    *element = harness_element_size((enum harness_element)(format % 4));
    return *element * (format / 4 + 1u);
}

/* An array's component list: the two words joined (VTX-03). */
struct components {
    uint64_t nibbles;
    uint32_t count;
    uint32_t bytes; /* that one vertex takes (VTX-04) */
};

static uint32_t place(const struct removal *removal, uint32_t at, uint32_t component)
{
    uint32_t element = 0;
    if (component >= FIRST_PADDING)
        return ((at + 3u) & ~3u) + 4u * (component - FIRST_PADDING + 1u);
    const uint32_t size = size_of(removal, component, &element);
    return ((at + element - 1u) & ~(element - 1u)) + size;
}

static void append(struct components *out, uint32_t component)
{
    out->nibbles |= (uint64_t)component << (4 * out->count++);
}

/* The component list without the attribute. *old_bytes: bytes per vertex before. */
static struct components without(const struct removal *removal, uint64_t nibbles, uint32_t count, uint32_t *old_bytes)
{
    struct components out = { .nibbles = 0 };
    uint32_t old = 0, element = 0;
    for (uint32_t i = 0; i < count && i < COMPONENTS; i++) {
        const uint32_t component = (uint32_t)(nibbles >> (4 * i)) & 0xFu;
        old = place(removal, old, component);
        if (component != removal->attribute || component >= FIRST_PADDING) {
            out.bytes = place(removal, out.bytes, component);
            append(&out, component > removal->attribute && component < FIRST_PADDING ? component - 1u : component);
        } else if (removal->pads) {
            const uint32_t words = (size_of(removal, component, &element) + 3u) / 4u;
            out.bytes = place(removal, out.bytes, FIRST_PADDING - 1u + words);
            append(&out, FIRST_PADDING - 1u + words);
        }
    }
    *old_bytes = old;
    return out;
}

/* VTX-07: the new stride; one that matched the bytes per vertex matches again. */
static uint32_t stride_for(uint32_t stride, uint32_t old_bytes, uint32_t bytes)
{
    if (stride == old_bytes)
        return bytes;
    return stride == ((old_bytes + 3u) & ~3u) ? (bytes + 3u) & ~3u : stride;
}

/* The new `value` of one of the two words of an array's configuration. */
static uint32_t array_word(const struct removal *removal, uint32_t array, bool is_second, uint32_t value)
{
    const uint32_t first = pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG1);
    const uint32_t config1 = is_second ? removal->before[first] : value;
    const uint32_t config2 = is_second ? value : removal->before[first + 1];
    uint32_t old_bytes = 0;
    const struct components left =
        without(removal, joined(config1, config2 & 0xFFFFu), pica_attribbuffer_config2_count(config2), &old_bytes);
    if (!is_second)
        return (uint32_t)left.nibbles;
    uint32_t word = pica_attribbuffer_config2_set_count(value, left.count);
    word = pica_bits_replaced(word, 0, 16, (uint32_t)(left.nibbles >> 32));
    return pica_attribbuffer_config2_set_stride(
        word, stride_for(pica_attribbuffer_config2_stride(config2), old_bytes, left.bytes));
}

/* VTX-01: the new word with formats of attributes 8-11, fixed mask and count. */
static uint32_t format_high(const struct removal *removal, uint32_t value)
{
    const uint64_t formats = joined(removal->before[PICA_REG_ATTRIBBUFFERS_FORMAT_LOW], value & 0xFFFFu);
    const uint32_t mask = pica_attribbuffers_format_high_fixed_mask(value);
    const uint32_t below = (1u << removal->attribute) - 1u;
    uint32_t word = pica_bits_replaced(value, 0, 16, (uint32_t)(without_nibble(formats, removal->attribute) >> 32));
    word = pica_attribbuffers_format_high_set_fixed_mask(word, (mask & below) | (mask >> 1 & ~below));
    return pica_attribbuffers_format_high_set_attributes_minus_1(
        word, fewer(pica_attribbuffers_format_high_attributes_minus_1(value), removal->attribute));
}

static uint32_t without_attribute(const struct removal *removal, uint32_t id, uint32_t value)
{
    const uint32_t *const before = removal->before;
    const uint32_t gone = removal->attribute;
    switch (id) {
    case PICA_REG_ATTRIBBUFFERS_FORMAT_LOW:
        return (uint32_t)without_nibble(joined(value, before[PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH] & 0xFFFFu), gone);
    case PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH: return format_high(removal, value);
    case PICA_REG_VSH_NUM_ATTR:
        return pica_vsh_num_attr_set_attributes_minus_1(value,
                                                        fewer(pica_vsh_num_attr_attributes_minus_1(value), gone));
    case PICA_REG_VSH_INPUTBUFFER_CONFIG:
        return pica_shader_inputbuffer_config_set_inputs_minus_1(
            value, fewer(pica_shader_inputbuffer_config_inputs_minus_1(value), gone));
    case PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW:
        return (uint32_t)without_nibble(joined(value, before[PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH]), gone);
    case PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH:
        return (uint32_t)(without_nibble(joined(before[PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW], value), gone) >> 32);
    default: break;
    }
    const uint32_t offset = id - PICA_REG_ATTRIBBUFFER0_OFFSET;
    return offset < 3 * ARRAYS && offset % 3 != 0 ? array_word(removal, offset / 3, offset % 3 == 2, value) : value;
}

static bool draws(const struct harness_command *command)
{
    return command->id == PICA_REG_DRAWARRAYS || command->id == PICA_REG_DRAWELEMENTS ||
           command->id == PICA_REG_FIXEDATTRIB_INDEX;
}

/* Advances `registers`, valid before command `index`, to the next draw of the list. */
static void registers_at_draw(const struct harness_list *list, uint32_t index, struct oracle_follower *registers)
{
    for (uint32_t i = index; i < list->count && (i == index || !draws(&list->commands[i])); i++)
        harness_reduce_follow(registers, &list->commands[i]);
}

static bool is_setup(uint32_t id)
{
    return (id >= PICA_REG_ATTRIBBUFFERS_LOC && id <= PICA_REG_ATTRIBBUFFER11_CONFIG2) || id == PICA_REG_VSH_NUM_ATTR ||
           id == PICA_REG_VSH_INPUTBUFFER_CONFIG || id == PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW ||
           id == PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH;
}

/* VTX-12: a command that writes the upper half of the permutation writes the lower half instead, if no entry is left in
 * the upper half and the lower one is 0. */
static void lower_permutation(const struct removal *removal, struct harness_command *command)
{
    const uint32_t *const before = removal->before;
    const uint64_t order = without_nibble(
        joined(before[PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW], before[PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH]),
        removal->attribute);
    if (command->id != PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH || command->count != 1 || order >> 32 != 0 ||
        before[PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW] != 0)
        return;
    command->id = PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW;
    *harness_command_edit(command) = (uint32_t)order;
}

/* Adjusts every write of setup in a list, given the registers at the draw that follows it. Advances `registers`. */
static void renumber_list(struct harness_list *list, struct removal *removal, struct oracle_follower *registers)
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct harness_command *const command = harness_list_edit(list, i);
        struct oracle_follower next = *registers;
        bool sets_up = false;
        for (uint32_t k = 0; k < command->count; k++)
            sets_up = sets_up || is_setup(harness_command_register(command, k));
        if (sets_up)
            registers_at_draw(list, i, &next);
        harness_reduce_follow(registers, command);
        removal->before = next.values;
        for (uint32_t k = 0; sets_up && k < command->count; k++)
            harness_command_edit(command)[k] =
                without_attribute(removal, harness_command_register(command, k), command->parameters[k]);
        if (sets_up)
            lower_permutation(removal, command);
    }
}

static bool drop_attribute(void *user, struct reduce_element *element)
{
    const struct removal *const removal = user;
    return element->at.immediate && element->at.index == removal->attribute;
}

/* The registers after all lists. */
static void last_registers(struct harness_case *test_case, struct oracle_follower *registers)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    oracle_follow_start(registers, NULL);
    for (const struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++)
            harness_reduce_follow(registers, &list->commands[i]);
}

static void find_most(void *user, const struct reduce_word *word)
{
    uint32_t *const last = user;
    if (word->id == PICA_REG_VSH_NUM_ATTR && pica_vsh_num_attr_attributes_minus_1(*word->word) > *last)
        *last = pica_vsh_num_attr_attributes_minus_1(*word->word);
}

/* The number of attributes comes from the one register that must be right for draws of all kinds (VTX-13, VTX-41).
 * Variants: arrays lose the attribute's bytes; arrays keep them as padding. */
static bool remove_attributes(struct harness_case *test_case, struct reduce_walk *walk)
{
    const struct reduce_range range = walk->range;
    uint32_t last = 0;
    harness_reduce_visit_words(test_case, find_most, &last);
    walk->seen = last != 0 ? last + 1u : 0;
    walk->changed = range.count != 0 && range.count < walk->seen;
    for (uint32_t attribute = range.first + range.count; walk->changed && attribute-- > range.first;) {
        struct reduce_blocks blocks = { .test_case = test_case };
        struct oracle_follower registers;
        struct removal removal = { .attribute = attribute, .pads = walk->variant == 1 };
        if (!harness_reduce_elements(test_case, drop_attribute, &removal, NULL))
            return false;
        oracle_follow_start(&registers, NULL);
        for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
            renumber_list(list, &removal, &registers);
    }
    return true;
}

const struct reduce_pass harness_reduce_attributes = { "attributes of vertices", 2, .walk = remove_attributes };

/* ---------------------------------------------------------------------------------------------------------- inputs */

/* An exchange of two input registers. */
struct exchange {
    uint32_t a, b;
};

static uint32_t exchanged(const struct exchange *exchange, uint32_t input)
{
    return input == exchange->a ? exchange->b : input == exchange->b ? exchange->a : input;
}

static void exchange_targets(void *user, const struct reduce_word *word)
{
    if (word->id != PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW && word->id != PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH)
        return;
    for (uint32_t i = 0; i < 8; i++)
        *word->word = pica_bits_replaced(*word->word, 4 * i, 4, exchanged(user, pica_bits(*word->word, 4 * i, 4)));
}

static bool exchange_sources(void *user, struct reduce_element *element)
{
    if (element->at.port != ORACLE_PORT_CODE || element->at.unit != 0)
        return false;
    const struct reduce_operands operands = harness_reduce_operands_of(*element->words);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t source = operands.sources[i] != NULL ? pica_field_get(operands.sources[i], *element->words) : 0;
        if (operands.sources[i] != NULL && source < ATTRIBUTES)
            *element->words = pica_field_set(operands.sources[i], *element->words, exchanged(user, source));
    }
    return false;
}

/* VTX-12: makes attribute i arrive in register vi. */
static bool straighten_inputs(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct oracle_follower registers;
    last_registers(test_case, &registers);
    walk->seen = 1u + pica_vsh_num_attr_attributes_minus_1(registers.values[PICA_REG_VSH_NUM_ATTR]);
    for (uint32_t input = 0; input < ATTRIBUTES; input++) {
        if (!harness_reduce_within(walk->range, input))
            continue;
        last_registers(test_case, &registers);
        const uint64_t order = joined(registers.values[PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW],
                                      registers.values[PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH]);
        struct exchange exchange = { .a = input, .b = (uint32_t)(order >> (4 * input)) & 0xFu };
        if (exchange.b <= exchange.a) /* smaller ones are in order already */
            continue;
        harness_reduce_visit_words(test_case, exchange_targets, &exchange);
        if (!harness_reduce_elements(test_case, exchange_sources, &exchange, NULL))
            return false;
        walk->changed = true;
    }
    return true;
}

const struct reduce_pass harness_reduce_inputs = { "input registers", 1, .walk = straighten_inputs };

/* --------------------------------------------------------------------------------------------------------- indices */

/* VTX-20: indexed draws become draws of vertices in array order. */
static bool drop_indices(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++)
            if (list->commands[i].id == PICA_REG_DRAWELEMENTS && harness_reduce_takes(walk)) {
                harness_list_edit(list, i)->id = PICA_REG_DRAWARRAYS;
                walk->changed = true;
            }
    return true;
}

const struct reduce_pass harness_reduce_indices = { "indices", 1, .walk = drop_indices };
