/*
 * Passes that move or merge parts of the pipeline's configuration: they remove shader outputs, move combiner stages to
 * the end of their chain, move the work of a texture unit to unit 0, and replace blending by copying.
 */
#include "harness/reduce/reduce_stream.h"

enum {
    STAGES = 6,
    OUTPUTS = 7,
    GONE = PICA_REGISTERS /* no register: the write is removed */
};

/* ------------------------------------------------------------------------------------------------- moving registers */

/* Maps a write of `*value` to `id` to its new register, and may change the value; GONE: removes the write. */
typedef uint32_t (*register_map)(const void *user, uint32_t id, uint32_t *value);

/* Replaces command `index` by writes, joining writes to neighbouring registers into one command. Returns how many
 * commands these are. */
static uint32_t insert_writes(struct harness_case *test_case, struct harness_list *list, uint32_t index, uint8_t mask,
                              const uint32_t *ids, const uint32_t *words, uint32_t count)
{
    uint32_t commands = 0;
    for (uint32_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && ids[next] == ids[next - 1] + 1;)
            next++;
        const struct harness_writes writes = { .id = (uint16_t)ids[first],
                                               .mask = mask,
                                               .consecutive = next - first > 1,
                                               .parameters = words + first,
                                               .count = next - first };
        if (harness_list_insert(test_case, list, index + commands, &writes) == NULL)
            return commands;
        commands++;
    }
    return commands;
}

/* Maps the writes of one command. *index becomes that of the last command that replaces it. */
static bool map_command(struct harness_case *test_case, struct harness_list *list, uint32_t *index, register_map map,
                        const void *user)
{
    const struct harness_command command = list->commands[*index];
    uint32_t ids[HARNESS_MAX_PARAMETERS], words[HARNESS_MAX_PARAMETERS], count = 0, unit = 0;
    bool moves = false, changed = false;
    if (oracle_port_of(command.id, &unit) != ORACLE_PORT_NONE)
        return false;
    for (uint32_t k = 0; k < command.count; k++) {
        const uint32_t id = harness_command_register(&command, k);
        words[count] = command.parameters[k];
        ids[count] = id < PICA_REGISTERS ? map(user, id, &words[count]) : id;
        moves = moves || ids[count] != id;
        changed = changed || words[count] != command.parameters[k];
        count += ids[count] != GONE;
    }
    if (!moves && !changed)
        return false;
    if (!moves || !command.consecutive) {
        harness_list_edit(list, *index)->id = (uint16_t)(count != 0 ? ids[0] : command.id);
        if (count == 0)
            harness_list_remove(list, (*index)--, 1);
        else if (!harness_command_set(test_case, harness_list_edit(list, *index), words, count))
            return false;
        return true;
    }
    harness_list_remove(list, *index, 1);
    *index += insert_writes(test_case, list, *index, command.mask, ids, words, count) - 1u;
    return true;
}

static bool map_registers(struct harness_case *test_case, register_map map, const void *user)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    bool changed = false;
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = 0; i < list->count; i++)
            changed = map_command(test_case, list, &i, map, user) || changed;
    return changed;
}

/* --------------------------------------------------------------------------------------------------- shader outputs */

struct output_removal {
    uint32_t output;
    uint32_t mask_register; /* the unit whose outputs are mapped */
};

/* SHD-70: the mask without its set bit number `gone`. */
static uint32_t without_bit(uint32_t mask, uint32_t gone)
{
    for (uint32_t bit = 0; bit < 16; bit++)
        if ((mask >> bit & 1u) != 0 && gone-- == 0)
            return mask & ~(1u << bit);
    return mask;
}

/* SHD-80: removes an output; later outputs move down. */
static uint32_t without_output(const void *user, uint32_t id, uint32_t *value)
{
    const struct output_removal *const removal = user;
    const uint32_t index = id - PICA_REG_SH_OUTMAP_O0;
    if (id == removal->mask_register)
        *value = pica_shader_outmap_mask_set_outputs(
            *value, without_bit(pica_shader_outmap_mask_outputs(*value), removal->output));
    if (id == PICA_REG_SH_OUTMAP_TOTAL && pica_sh_outmap_total_total(*value) != 0)
        *value = pica_sh_outmap_total_set_total(*value, pica_sh_outmap_total_total(*value) - 1u);
    if (index >= OUTPUTS || index < removal->output)
        return id;
    return index == removal->output ? (uint32_t)GONE : id - 1u;
}

static void find_total(void *user, const struct reduce_word *word)
{
    uint32_t *const total = user;
    if (word->id == PICA_REG_SH_OUTMAP_TOTAL && pica_sh_outmap_total_total(*word->word) > *total)
        *total = pica_sh_outmap_total_total(*word->word);
}

/* Variants: outputs of the vertex shader; of the geometry shader. */
static bool remove_outputs(struct harness_case *test_case, struct reduce_walk *walk)
{
    const struct reduce_range range = walk->range;
    uint32_t total = 0;
    harness_reduce_visit_words(test_case, find_total, &total);
    walk->seen = total > 1 ? total : 0;
    for (uint32_t output = range.first + range.count; range.count < walk->seen && output-- > range.first;) {
        const struct output_removal removal = { output, pica_reg_shader(walk->variant, PICA_REG_VSH_OUTMAP_MASK) };
        walk->changed = map_registers(test_case, without_output, &removal) || walk->changed;
    }
    return true;
}

const struct reduce_pass harness_reduce_output_map = { "output map", 2, .walk = remove_outputs };

/* --------------------------------------------------------------------------------------------------------- combiner */

static uint32_t stage_of(uint32_t id, uint32_t *offset)
{
    for (uint32_t stage = 0; stage < STAGES; stage++) {
        *offset = id - pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE);
        if (*offset <= PICA_REG_TEXENV0_SCALE - PICA_REG_TEXENV0_SOURCE)
            return stage;
    }
    return STAGES;
}

/* TEV-12: moves the buffer update flags, one bit per stage, along with the stages. */
static uint32_t later_flags(uint32_t word, uint32_t by)
{
    const uint32_t low = pica_bits(word, 8, 4), high = pica_bits(word, 12, 4);
    return pica_bits_replaced(pica_bits_replaced(word, 8, 4, low << by & 0xFu), 12, 4, high << by & 0xFu);
}

/* Moves a stage later. TEV-01: unconfigured stages before it pass the primary colour on. */
static uint32_t later_stage(const void *user, uint32_t id, uint32_t *value)
{
    const uint32_t by = *(const uint32_t *)user;
    uint32_t offset = 0;
    const uint32_t stage = stage_of(id, &offset);
    if (id == PICA_REG_TEXENV_UPDATE_BUFFER)
        *value = later_flags(*value, by);
    if (stage == STAGES)
        return id;
    return stage + by < STAGES ? pica_reg_texenv(stage + by, PICA_REG_TEXENV0_SOURCE) + offset : (uint32_t)GONE;
}

static void find_stage(void *user, const struct reduce_word *word)
{
    uint32_t offset = 0;
    if (word->id < PICA_REGISTERS && stage_of(word->id, &offset) < STAGES)
        *(bool *)user = true;
}

static bool move_stages(struct harness_case *test_case, struct reduce_walk *walk)
{
    const uint32_t by = STAGES - 1u - walk->variant;
    bool found = false;
    harness_reduce_visit_words(test_case, find_stage, &found);
    walk->changed = found && harness_reduce_takes(walk) && map_registers(test_case, later_stage, &by);
    return true;
}

const struct reduce_pass harness_reduce_stages = { "combiner stages", STAGES - 1, .walk = move_stages };

/* One combiner stage, and the source that it is to pass on. */
struct passing {
    uint32_t stage;
    uint32_t source;
};

/* TEV-09: a stage that only passes a source on needs no mode. */
static uint32_t replacing(const void *user, uint32_t id, uint32_t *value)
{
    const struct passing *const passing = user;
    if (id == pica_reg_texenv(passing->stage, PICA_REG_TEXENV0_SOURCE)) {
        const uint32_t rgb = pica_bits(*value, 4 * passing->source, 4);
        const uint32_t alpha = pica_bits(*value, 16 + 4 * passing->source, 4);
        *value = pica_texenv_source_set_rgb_source0(pica_texenv_source_set_alpha_source0(*value, alpha), rgb);
    }
    if (id == pica_reg_texenv(passing->stage, PICA_REG_TEXENV0_OPERAND)) {
        const uint32_t rgb = pica_bits(*value, 4 * passing->source, 4);
        *value = pica_texenv_operand_set_rgb_operand0(*value, rgb);
    }
    return id == pica_reg_texenv(passing->stage, PICA_REG_TEXENV0_COMBINER) ? (uint32_t)GONE : id;
}

static void find_combiners(void *user, const struct reduce_word *word)
{
    for (uint32_t stage = 0; stage < STAGES; stage++)
        if (word->id == pica_reg_texenv(stage, PICA_REG_TEXENV0_COMBINER))
            ((bool *)user)[stage] = true;
}

/* Variants: the source that is passed on. */
static bool replace_in_stages(struct harness_case *test_case, struct reduce_walk *walk)
{
    bool combines[STAGES] = { false }, found = false;
    harness_reduce_visit_words(test_case, find_stage, &found);
    harness_reduce_visit_words(test_case, find_combiners, combines);
    for (uint32_t stage = 0; stage < STAGES && found; stage++) {
        const struct passing passing = { .stage = stage, .source = walk->variant };
        if (harness_reduce_takes(walk) && combines[stage])
            walk->changed = map_registers(test_case, replacing, &passing) || walk->changed;
    }
    return true;
}

const struct reduce_pass harness_reduce_modes = { "combiner modes", 3, .walk = replace_in_stages };

/* ---------------------------------------------------------------------------------------------------- texture units */

static uint32_t unit_offset(uint32_t unit, uint32_t id)
{
    if (id == pica_reg_texunit(unit, PICA_REG_TEXUNIT0_TYPE))
        return PICA_REG_TEXUNIT0_TYPE;
    const uint32_t offset = id - pica_reg_texunit(unit, PICA_REG_TEXUNIT0_BORDER_COLOR);
    const bool is_common = offset <= PICA_REG_TEXUNIT0_ADDR1 - PICA_REG_TEXUNIT0_BORDER_COLOR;
    return is_common ? PICA_REG_TEXUNIT0_BORDER_COLOR + offset : (uint32_t)GONE;
}

/* TEX-11, TEX-12: replaces uses of the unit by uses of unit 0. */
static uint32_t texture_word(uint32_t unit, enum pica_layout layout, uint32_t word)
{
    static const uint32_t coordinates[3] = { PICA_OUTMAP_SEMANTIC_TEXCOORD0_U, PICA_OUTMAP_SEMANTIC_TEXCOORD1_U,
                                             PICA_OUTMAP_SEMANTIC_TEXCOORD2_U };
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t value = pica_field_get(&fields[i], word);
        if (layout == PICA_LAYOUT_TEXENV_SOURCE && value == PICA_TEV_SOURCE_TEXTURE0 + unit)
            word = pica_field_set(&fields[i], word, PICA_TEV_SOURCE_TEXTURE0);
        if (layout == PICA_LAYOUT_SH_OUTMAP && value - coordinates[unit] < 2)
            word = pica_field_set(&fields[i], word, coordinates[0] + value - coordinates[unit]);
    }
    return word;
}

static uint32_t to_unit_0(const void *user, uint32_t id, uint32_t *value)
{
    const uint32_t unit = *(const uint32_t *)user;
    const struct pica_reg_info *const info = pica_reg_info(id);
    if (id == PICA_REG_TEXUNIT_CONFIG)
        *value = pica_texunit_config_set_unit0_enable(pica_bits_replaced(*value, unit, 1, 0), 1);
    *value = texture_word(unit, info->layout, *value);
    if (unit_offset(0, id) != GONE)
        return GONE;
    return unit_offset(unit, id) != GONE ? unit_offset(unit, id) : id;
}

static void find_unit(void *user, const struct reduce_word *word)
{
    for (uint32_t unit = 1; unit < 3 && word->id < PICA_REGISTERS; unit++)
        if (unit_offset(unit, word->id) != GONE)
            ((bool *)user)[unit] = true;
}

/* Variants: unit 1, unit 2. */
static bool move_unit(struct harness_case *test_case, struct reduce_walk *walk)
{
    const uint32_t unit = walk->variant + 1u;
    bool used[3] = { false };
    harness_reduce_visit_words(test_case, find_unit, used);
    walk->changed =
        (used[1] || used[2]) && harness_reduce_takes(walk) && used[unit] && map_registers(test_case, to_unit_0, &unit);
    return true;
}

const struct reduce_pass harness_reduce_texture_units = { "texture units", 2, .walk = move_unit };

/* --------------------------------------------------------------------------------------------------------- blending */

/* LOP-01: one write that copies the colour, instead of two that blend it. */
static uint32_t to_copy(const void *user, uint32_t id, uint32_t *value)
{
    (void)user;
    if (id == PICA_REG_LOGIC_OP)
        return GONE;
    if (id == PICA_REG_COLOR_OPERATION)
        *value = pica_color_operation_set_blend_mode(*value, PICA_BLEND_MODE_LOGIC_OP);
    if (id != PICA_REG_BLEND_FUNC)
        return id;
    *value = pica_logic_op_set_operation(0, PICA_LOGIC_OP_COPY);
    return PICA_REG_LOGIC_OP;
}

static void find_blending(void *user, const struct reduce_word *word)
{
    *(bool *)user = *(bool *)user || word->id == PICA_REG_BLEND_FUNC;
}

static bool copy_colors(struct harness_case *test_case, struct reduce_walk *walk)
{
    bool found = false;
    harness_reduce_visit_words(test_case, find_blending, &found);
    walk->changed = found && harness_reduce_takes(walk) && map_registers(test_case, to_copy, NULL);
    return true;
}

const struct reduce_pass harness_reduce_blending = { "blending", 1, .walk = copy_colors };
