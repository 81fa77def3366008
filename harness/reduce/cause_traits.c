/*
 * Traits: each is found by an experiment that removes something from the whole case. If the difference disappears, the
 * trait is needed.
 */
#include "harness/reduce/cause_parts.h"
#include "harness/reduce/reduce_pass.h"
#include "harness/case/list_scan.h"
#include "pica/mask.h"
#include "pica/opcodes.h"
#include "pica/regs.h"
#include "pica/stage_words.h"
#include "pica/trace.h"

#include <string.h>

const char *harness_trait_text(enum harness_trait trait)
{
    static const char *const texts[] = {
#define TRAIT(ID, text) text,
#include "harness/reduce/cause_traits.def"
    };
    return texts[trait];
}

/* Removes something from a case; false if there was nothing to remove. */
typedef bool (*taker)(struct harness_case *test_case);

static enum harness_status try_without(struct cause_search *search, taker take, bool *needed)
{
    enum cause_answer answer = CAUSE_UNKNOWN;
    *needed = false;
    if (!harness_case_copy(search->candidate, search->best))
        return harness_fail_memory(search->error);
    if (!take(search->candidate))
        return HARNESS_OK;
    const enum harness_status status = cause_ask(search, &answer);
    if (status == HARNESS_OK && answer == CAUSE_STAYS)
        cause_keep(search);
    *needed = answer == CAUSE_GONE;
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ lists */

typedef bool (*command_changer)(struct harness_case *test_case, struct harness_list *list, uint32_t index);

static bool change_commands(struct harness_case *test_case, command_changer change)
{
    struct reduce_blocks blocks = { .test_case = test_case };
    bool changed = false;
    for (struct harness_list *list; (list = harness_reduce_next_list(&blocks)) != NULL;)
        for (uint32_t i = list->count; i-- > 0;)
            changed = change(test_case, list, i) || changed;
    return changed;
}

/* CMD-05: turns a masked write into a full one. The bytes that the mask left alone get the reset value, which they hold
 * in most cases. */
static bool unmask(struct harness_case *test_case, struct harness_list *list, uint32_t index)
{
    (void)test_case;
    if (list->commands[index].mask == 0xF)
        return false;
    struct harness_command *const command = harness_list_edit(list, index);
    const uint32_t bits = pica_mask_bits(command->mask);
    for (uint32_t k = 0; k < command->count; k++) {
        const uint32_t id = harness_command_register(command, k);
        const uint32_t reset = id < PICA_REGISTERS ? pica_reg_info(id)->reset : 0;
        uint32_t *const word = &harness_command_edit(command)[k];
        *word = (*word & bits) | (reset & ~bits);
    }
    command->mask = 0xF;
    return true;
}

static bool take_masks(struct harness_case *test_case)
{
    return change_commands(test_case, unmask);
}

/* CMD-04: cuts the parameters that go beyond the last register. */
static bool cut_at_end(struct harness_case *test_case, struct harness_list *list, uint32_t index)
{
    const struct harness_command *const command = &list->commands[index];
    if (!command->consecutive || command->id >= PICA_REGISTERS || command->id + command->count <= PICA_REGISTERS)
        return false;
    return harness_command_set(test_case, harness_list_edit(list, index), command->parameters,
                               PICA_REGISTERS - command->id);
}

static bool take_past_end(struct harness_case *test_case)
{
    return change_commands(test_case, cut_at_end);
}

/* CMD-03: a command with an even number of parameters ends with a padding word. Moves the last parameter into a command
 * of its own, so that neither is padded. */
static bool split_padded(struct harness_case *test_case, struct harness_list *list, uint32_t index)
{
    const struct harness_command command = list->commands[index];
    if (command.count % 2 != 0)
        return false;
    const struct harness_writes last = { .id = (uint16_t)harness_command_register(&command, command.count - 1u),
                                         .mask = command.mask,
                                         .parameters = &command.parameters[command.count - 1u],
                                         .count = 1 };
    return harness_list_insert(test_case, list, index + 1, &last) != NULL &&
           harness_command_set(test_case, harness_list_edit(list, index), command.parameters, command.count - 1u);
}

static bool take_padding(struct harness_case *test_case)
{
    return change_commands(test_case, split_padded);
}

/* ---------------------------------------------------------------------------------------------------------- shaders */

struct relatives {
    bool loop, changed; /* loop: look for operands relative to aL, not a0 */
};

static void clear_index(void *user, const struct reduce_word *word)
{
    struct relatives *const relatives = user;
    const struct pica_field_info *const index = word->is_code ? pica_field_by_name(word->layout, "index") : NULL;
    const uint32_t relative = index != NULL ? pica_field_get(index, *word->word) : PICA_SHADER_RELATIVE_NONE;
    if (relative == PICA_SHADER_RELATIVE_NONE || (relative == PICA_SHADER_RELATIVE_AL) != relatives->loop)
        return;
    *word->word = pica_field_set(index, *word->word, PICA_SHADER_RELATIVE_NONE);
    relatives->changed = true;
}

/* SHD-22: operands become absolute instead of relative to a0; in the next function, to aL. */
static bool take_relative(struct harness_case *test_case)
{
    struct relatives relatives = { false, false };
    harness_reduce_visit_words(test_case, clear_index, &relatives);
    return relatives.changed;
}

static bool take_relative_loop(struct harness_case *test_case)
{
    struct relatives relatives = { true, false };
    harness_reduce_visit_words(test_case, clear_index, &relatives);
    return relatives.changed;
}

static bool is_conditional(enum pica_opcode opcode)
{
    static const enum pica_opcode opcodes[] = { PICA_OPCODE_BREAKC, PICA_OPCODE_CALLC, PICA_OPCODE_CALLU,
                                                PICA_OPCODE_IFU,    PICA_OPCODE_IFC,   PICA_OPCODE_JMPC,
                                                PICA_OPCODE_JMPU };
    for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++)
        if (opcodes[i] == opcode)
            return true;
    return false;
}

static void set_nop(uint32_t *word)
{
    *word = pica_shader_instruction_set_opcode(0, PICA_OPCODE_NOP);
}

static void clear_condition(void *user, const struct reduce_word *word)
{
    if (!word->is_code || !is_conditional(pica_opcode_of(*word->word)))
        return;
    set_nop(word->word);
    *(bool *)user = true;
}

static bool take_conditions(struct harness_case *test_case)
{
    bool changed = false;
    harness_reduce_visit_words(test_case, clear_condition, &changed);
    return changed;
}

struct loops {
    uint32_t keep; /* how many of the first loops still to leave alone */
    bool changed;
};

static void clear_loop(void *user, const struct reduce_word *word)
{
    struct loops *const loops = user;
    if (!word->is_code || pica_opcode_of(*word->word) != PICA_OPCODE_LOOP)
        return;
    if (loops->keep != 0) {
        loops->keep--;
        return;
    }
    set_nop(word->word);
    loops->changed = true;
}

static bool take_loops(struct harness_case *test_case)
{
    struct loops loops = { 0, false };
    harness_reduce_visit_words(test_case, clear_loop, &loops);
    return loops.changed;
}

static bool take_second_loops(struct harness_case *test_case)
{
    struct loops loops = { 1, false };
    harness_reduce_visit_words(test_case, clear_loop, &loops);
    return loops.changed;
}

/* SHD-70: renumbers the outputs without gaps, in the output mask and in the code. Assumes that the case writes one
 * mask. */
struct outputs {
    uint32_t mask;
};

static void find_mask(void *user, const struct reduce_word *word)
{
    struct outputs *const outputs = user;
    if (word->layout == PICA_LAYOUT_SHADER_OUTMAP_MASK)
        outputs->mask |= pica_shader_outmap_mask_outputs(*word->word);
}

static uint32_t rank_of(uint32_t mask, uint32_t output)
{
    uint32_t rank = 0;
    for (uint32_t i = 0; i < output; i++)
        rank += mask >> i & 1u;
    return rank;
}

static void close_gaps(void *user, const struct reduce_word *word)
{
    const struct outputs *const outputs = user;
    const struct pica_field_info *const dest = word->is_code ? pica_field_by_name(word->layout, "dest") : NULL;
    if (word->layout == PICA_LAYOUT_SHADER_OUTMAP_MASK)
        *word->word = pica_shader_outmap_mask_set_outputs(*word->word, (1u << rank_of(outputs->mask, 16)) - 1u);
    if (dest == NULL)
        return;
    const uint32_t output = pica_field_get(dest, *word->word);
    if (output < 16 && (outputs->mask >> output & 1u) != 0)
        *word->word = pica_field_set(dest, *word->word, rank_of(outputs->mask, output));
}

static bool take_gaps(struct harness_case *test_case)
{
    struct outputs outputs = { 0 };
    harness_reduce_visit_words(test_case, find_mask, &outputs);
    if ((outputs.mask & (outputs.mask + 1u)) == 0)
        return false;
    harness_reduce_visit_words(test_case, close_gaps, &outputs);
    return true;
}

/* --------------------------------------------------------------------------------------------------------- vertices */

/* The last parameter that the list writes to the register before command `index`; 0 if it writes none. */
static uint32_t written_before(const struct harness_list *list, uint32_t index, uint32_t id)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < index; i++)
        for (uint32_t k = 0; k < list->commands[i].count; k++)
            if (harness_command_register(&list->commands[i], k) == id)
                value = list->commands[i].parameters[k];
    return value;
}

/* Lowers by `fewer` the component count in the first write of a loader's CONFIG2 (register `id`) from command `index`
 * on. Only for loaders whose components all fit into CONFIG1. */
static void load_fewer(struct harness_list *list, uint32_t index, uint32_t id, uint32_t fewer)
{
    for (uint32_t i = index; i < list->count; i++)
        for (uint32_t k = 0; k < list->commands[i].count; k++) {
            const uint32_t count = pica_attribbuffer_config2_count(list->commands[i].parameters[k]);
            if (harness_command_register(&list->commands[i], k) != id || count > 8 || count < fewer)
                continue;
            uint32_t *const word = &harness_command_edit(harness_list_edit(list, i))[k];
            *word = pica_attribbuffer_config2_set_count(*word, count - fewer);
            return;
        }
}

/* VTX-04: padding before the first attribute of a loader is the same as a larger offset; replaces the first one by the
 * other. */
static bool move_offset(struct harness_case *test_case, struct harness_list *list, uint32_t index)
{
    const struct harness_command *const command = &list->commands[index];
    for (uint32_t k = 0; k < command->count; k++) {
        const uint32_t id = harness_command_register(command, k), word = command->parameters[k];
        const struct pica_reg_info *const info = id < PICA_REGISTERS ? pica_reg_info(id) : NULL;
        uint32_t leading = 0, bytes = 0;
        if (info == NULL || info->layout != PICA_LAYOUT_ATTRIBBUFFER_CONFIG1)
            continue;
        for (; leading < 8 && pica_bits(word, 4 * leading, 4) >= PICA_LOADER_COMPONENT_PADDING4; leading++)
            bytes += 4 * (pica_bits(word, 4 * leading, 4) - PICA_LOADER_COMPONENT_PADDING4 + 1u);
        if (leading == 0 || leading == 8)
            continue;
        const uint32_t offset = written_before(list, index, id - 1u) + bytes;
        const struct harness_writes write = {
            .id = (uint16_t)(id - 1u), .mask = 0xF, .parameters = &offset, .count = 1
        };
        harness_command_edit(harness_list_edit(list, index))[k] = word >> (4 * leading);
        load_fewer(list, index, id + 1u, leading);
        return harness_list_insert(test_case, list, index + 1, &write) != NULL;
    }
    return false;
}

/* Replaces leading padding by a larger offset, in all lists. */
static bool take_leading_padding(struct harness_case *test_case)
{
    return change_commands(test_case, move_offset);
}

/* Pairs the two words of a loader, which are visited one after the other. */
struct loader {
    uint32_t *low; /* the CONFIG1 seen last, or NULL */
    bool changed;
};

static uint32_t component_at(const uint32_t *low, const uint32_t *high, uint32_t i)
{
    return i < 8 ? pica_bits(*low, 4 * i, 4) : pica_bits(*high, 4 * (i - 8), 4);
}

/* VTX-04: removes the padding components from a loader. */
static void take_padding_of(uint32_t *low, uint32_t *high)
{
    const uint32_t count = pica_attribbuffer_config2_count(*high);
    uint32_t words[2] = { 0, 0 }, kept = 0;
    for (uint32_t i = 0; i < count && i < 12; i++) {
        const uint32_t component = component_at(low, high, i);
        if (component >= PICA_LOADER_COMPONENT_PADDING4)
            continue;
        words[kept / 8] = pica_bits_replaced(words[kept / 8], 4 * (kept % 8), 4, component);
        kept++;
    }
    *low = words[0];
    *high = pica_attribbuffer_config2_set_count((*high & 0xFFFF0000u) | (words[1] & 0xFFFFu), kept);
}

static void visit_loader(void *user, const struct reduce_word *word)
{
    struct loader *const loader = user;
    if (word->layout == PICA_LAYOUT_ATTRIBBUFFER_CONFIG1)
        loader->low = word->word;
    if (word->layout != PICA_LAYOUT_ATTRIBBUFFER_CONFIG2)
        return;
    uint32_t none = 0;
    uint32_t *const low = loader->low != NULL ? loader->low : &none;
    const uint32_t before[2] = { *low, *word->word };
    take_padding_of(low, word->word);
    loader->changed = loader->changed || before[0] != *low || before[1] != *word->word;
    loader->low = NULL;
}

static bool take_component_padding(struct harness_case *test_case)
{
    struct loader loader = { NULL, false };
    harness_reduce_visit_words(test_case, visit_loader, &loader);
    return loader.changed;
}

/* -------------------------------------------------------------------------------------------------------- together */

static bool is_stage(const struct harness_blame *blame, enum pica_stage_word word)
{
    return strcmp(blame->stage, pica_stage_word_info(word)->text) == 0;
}

static bool is_shader(const struct harness_blame *blame)
{
    return is_stage(blame, PICA_STAGE_WORD_SHADER) || is_stage(blame, PICA_STAGE_WORD_GEOMETRY);
}

/* The experiments, and for which blame each is made. */
static const struct {
    enum harness_trait trait;
    taker take;
    enum {
        IN_LISTS,
        IN_SHADERS,
        IN_UNTRACED_SHADERS, /* a shader, but the guilty instruction is not known */
        IN_OUTPUTS,
        IN_FETCH,
        IN_KEPT
    } when;
} experiments[] = {
    { HARNESS_TRAIT_MASK, take_masks, IN_LISTS },
    { HARNESS_TRAIT_PAST_END, take_past_end, IN_LISTS },
    { HARNESS_TRAIT_PADDING, take_padding, IN_LISTS },
    { HARNESS_TRAIT_RELATIVE, take_relative, IN_UNTRACED_SHADERS },
    { HARNESS_TRAIT_RELATIVE_LOOP, take_relative_loop, IN_UNTRACED_SHADERS },
    { HARNESS_TRAIT_CONDITION, take_conditions, IN_SHADERS },
    { HARNESS_TRAIT_NESTED, take_second_loops, IN_SHADERS },
    { HARNESS_TRAIT_LOOP, take_loops, IN_SHADERS },
    { HARNESS_TRAIT_SPARSE_OUTPUTS, take_gaps, IN_OUTPUTS },
    { HARNESS_TRAIT_COMPONENT_PADDING, take_component_padding, IN_FETCH },
    { HARNESS_TRAIT_CODE_UPLOAD, cause_take_code, IN_KEPT },
    { HARNESS_TRAIT_DESCRIPTOR_UPLOAD, cause_take_descriptors, IN_KEPT },
    { HARNESS_TRAIT_KEPT_BY_INDEX, cause_take_indices, IN_KEPT },
    { HARNESS_TRAIT_NEW_UNIFORMS, cause_take_uniforms, IN_KEPT },
    { HARNESS_TRAIT_NEW_ARRAYS, cause_take_arrays, IN_KEPT },
    { HARNESS_TRAIT_NEW_TEXTURE, cause_take_textures, IN_KEPT },
    { HARNESS_TRAIT_NEW_TABLE, cause_take_tables, IN_KEPT },
    { HARNESS_TRAIT_NEW_MEMORY, cause_take_memory, IN_KEPT },
};

static uint32_t bit(enum harness_trait trait, bool is)
{
    return is ? 1u << trait : 0;
}

/* Traits that the blame gives without an experiment. */
static uint32_t known_traits(const struct harness_blame *blame)
{
    if (blame->keeps_more)
        return 1u << HARNESS_TRAIT_KEPT;
    if (!is_shader(blame))
        return 0;
    return bit(HARNESS_TRAIT_RELATIVE, blame->relative == 'a') |
           bit(HARNESS_TRAIT_RELATIVE_LOOP, blame->relative == 'L') |
           bit(HARNESS_TRAIT_FAR_ADDRESS, blame->relative == 'a' && blame->far_address) |
           bit(HARNESS_TRAIT_HIGH_DESCRIPTOR, blame->high_descriptor) | bit(HARNESS_TRAIT_SPECIAL, blame->special);
}

/* Does the trace tell the address? Address registers of a geometry shader are not traced. */
static bool has_known_address(const struct harness_blame *blame)
{
    return blame->relative != '\0' && !is_stage(blame, PICA_STAGE_WORD_GEOMETRY);
}

static uint32_t without(uint32_t traits, enum harness_trait trait)
{
    return traits & ~(1u << trait);
}

/* Keeps of the needed traits the most specific ones, and drops those that only follow from them. */
static uint32_t most_telling(uint32_t traits, const struct harness_blame *blame)
{
    static const uint32_t flow = 1u << HARNESS_TRAIT_LOOP | 1u << HARNESS_TRAIT_NESTED | 1u << HARNESS_TRAIT_CONDITION;
    /* Dropped beside new code or descriptors, and beside reuse by index: such a change brings these along. */
    static const uint32_t what_changes = 1u << HARNESS_TRAIT_KEPT_BY_INDEX | 1u << HARNESS_TRAIT_NEW_UNIFORMS |
                                         1u << HARNESS_TRAIT_NEW_ARRAYS | 1u << HARNESS_TRAIT_NEW_TEXTURE |
                                         1u << HARNESS_TRAIT_NEW_TABLE | 1u << HARNESS_TRAIT_NEW_MEMORY;
    const uint32_t relative = 1u << HARNESS_TRAIT_RELATIVE | 1u << HARNESS_TRAIT_RELATIVE_LOOP;
    const bool goes = !blame->has_result; /* the two differ in the instruction that comes next */
    const bool loops = strcmp(blame->place, "aL") == 0 || (traits >> HARNESS_TRAIT_RELATIVE_LOOP & 1u) != 0;
    const bool nested = (traits >> HARNESS_TRAIT_NESTED & 1u) != 0 && loops;
    if ((traits >> HARNESS_TRAIT_PAST_END & 1u) != 0)
        return without(traits, HARNESS_TRAIT_PADDING);
    if ((traits >> HARNESS_TRAIT_PADDING & 1u) != 0)
        return without(traits, HARNESS_TRAIT_MASK);
    if ((traits >> HARNESS_TRAIT_DESCRIPTOR_UPLOAD & 1u) != 0)
        return without(traits, HARNESS_TRAIT_CODE_UPLOAD) & ~what_changes;
    if ((traits >> HARNESS_TRAIT_CODE_UPLOAD & 1u) != 0)
        return traits & ~what_changes;
    if ((traits >> HARNESS_TRAIT_KEPT_BY_INDEX & 1u) != 0)
        return traits & (~what_changes | 1u << HARNESS_TRAIT_KEPT_BY_INDEX);
    if (nested) /* the value of aL after the inner loop */
        return 1u << HARNESS_TRAIT_NESTED;
    /* A differing result of CMP explains the branches that depend on it. But where CMP is blamed only because a
     * geometry shader took another branch, and a loop is needed, the loop may be the cause. */
    if (strcmp(blame->place, "cmp") == 0 && (blame->has_result || (traits & 1u << HARNESS_TRAIT_LOOP) == 0))
        return traits & ~flow;
    if ((traits & relative) != 0)
        return without(traits & ~flow, HARNESS_TRAIT_SPECIAL);
    if ((traits >> HARNESS_TRAIT_HIGH_DESCRIPTOR & 1u) != 0)
        return traits & ~flow;
    if ((traits >> HARNESS_TRAIT_SPECIAL & 1u) != 0 && blame->has_result) /* flow only led to the special value */
        return traits & ~flow;
    traits = without(traits, HARNESS_TRAIT_NESTED);
    if ((traits & flow) != (1u << HARNESS_TRAIT_LOOP | 1u << HARNESS_TRAIT_CONDITION))
        return traits;
    return without(traits, goes ? HARNESS_TRAIT_CONDITION : HARNESS_TRAIT_LOOP);
}

enum harness_status cause_find_traits(struct cause_search *search, struct harness_cause *out)
{
    const struct harness_blame *const blame = &search->blame;
    const bool shader = is_shader(blame) && !blame->keeps_more;
    const bool applies[] = { !blame->has_draw && !blame->has_step && !blame->keeps_more,
                             shader,
                             shader && !blame->has_step,
                             is_stage(blame, PICA_STAGE_WORD_OUTPUT_MAP) && !blame->keeps_more,
                             is_stage(blame, PICA_STAGE_WORD_FETCH) && !blame->keeps_more,
                             blame->keeps_more };
    enum harness_status status = HARNESS_OK;
    out->traits = known_traits(blame);
    bool plain = false; /* result ignored: these two only simplify the fields that are tried later */
    if (!applies[IN_LISTS])
        status = try_without(search, take_masks, &plain);
    if (status == HARNESS_OK && applies[IN_FETCH])
        status = try_without(search, take_leading_padding, &plain);
    for (size_t i = 0; i < sizeof experiments / sizeof experiments[0] && status == HARNESS_OK; i++) {
        bool needed = false;
        if (!applies[experiments[i].when])
            continue;
        status = try_without(search, experiments[i].take, &needed);
        out->traits |= bit(experiments[i].trait, needed);
    }
    if (status == HARNESS_OK && harness_cause_has(out, HARNESS_TRAIT_FAR_ADDRESS))
        status = cause_try_near(search, out);
    else if (status == HARNESS_OK && harness_cause_has(out, HARNESS_TRAIT_RELATIVE) && !has_known_address(blame))
        status = cause_try_far(search, out);
    out->traits = most_telling(out->traits, blame);
    return status;
}
