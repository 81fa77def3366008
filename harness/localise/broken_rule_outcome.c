#include "harness/localise/broken_rule_outcome.h"

#include "harness/localise/broken_rule_lists.h"
#include "oracles/pixels.h"
#include "oracles/texture.h"
#include "pica/fields.h"
#include "pica/opcodes.h"
#include "pica/regs.h"
#include "pica/trace.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- values */

static bool both_have(const struct harness_location *location)
{
    return location->has_step && location->has_first && location->has_second;
}

static uint32_t shared_count(const struct harness_location *location)
{
    const uint32_t a = location->step_first.count, b = location->step_second.count;
    return !both_have(location) ? 0 : a < b ? a : b;
}

static bool differs_at(const struct harness_location *location, uint32_t i)
{
    return location->step_first.values[i] != location->step_second.values[i];
}

/* Is no value but those from `first` to `last` another? */
static bool only_between(const struct harness_location *location, uint32_t first, uint32_t last)
{
    const uint32_t count = shared_count(location);
    for (uint32_t i = 0; i < count; i++)
        if ((i < first || i > last) && differs_at(location, i))
            return false;
    return count > first;
}

/* 0: a number, 1: infinite, 2: not a number */
static int special(uint32_t bits)
{
    return (bits & 0x7F800000u) != 0x7F800000u ? 0 : (bits & 0x007FFFFFu) == 0 ? 1 : 2;
}

static bool is_special(const struct harness_location *location)
{
    const uint32_t count = location->step_first.type == PICA_TRACE_FLOAT ? shared_count(location) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (special(location->step_first.values[i]) != special(location->step_second.values[i]))
            return true;
    return false;
}

static bool is_rounded(const struct harness_location *location)
{
    const uint32_t count = shared_count(location);
    for (uint32_t i = 0; i < count; i++)
        if (llabs((int64_t)(int32_t)location->step_first.values[i] - (int32_t)location->step_second.values[i]) > 1)
            return false;
    return count != 0 && location->step_first.type != PICA_TRACE_FLOAT;
}

static bool is_sign(const struct harness_location *location)
{
    const uint32_t count = location->step_first.type == PICA_TRACE_FLOAT ? shared_count(location) : 0;
    for (uint32_t i = 0; i < count; i++)
        if ((location->step_first.values[i] ^ location->step_second.values[i]) % 0x80000000u != 0)
            return false;
    return count != 0;
}

/* Are all bytes that differ those of the other side, inverted? That 0 became 255 says nothing: both are everywhere.
 * `from`, `step`: which of them may differ at all. */
static bool is_inverted(const struct harness_location *location, uint32_t from, uint32_t step)
{
    const uint32_t count = shared_count(location);
    bool differs = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!differs_at(location, i))
            continue;
        differs = differs || location->step_first.values[i] % 255 != 0;
        if (i % step < from || location->step_first.values[i] + location->step_second.values[i] != 255)
            return false;
    }
    return differs;
}

static bool has_same_head(const struct harness_location *location, uint32_t head)
{
    const uint32_t count = shared_count(location);
    for (uint32_t i = 0; i < head && i < count; i++)
        if (differs_at(location, i))
            return false;
    return count > head;
}

static float float_of(uint32_t bits)
{
    float out = 0;
    memcpy(&out, &bits, sizeof out);
    return out;
}

/* SHD-81 */
static bool is_limited(uint32_t bits, uint32_t limited)
{
    const uint32_t positive = bits & 0x7FFFFFFFu;
    return limited == (float_of(positive) < 1.0f ? positive : 0x3F800000u);
}

static bool is_clamped_color(const struct harness_location *location)
{
    const uint32_t slot = location->step_first.index; /* SHD-80: 8-11 are the colour */
    if (shared_count(location) == 0 || slot < 8 || slot > 11)
        return false;
    const uint32_t a = location->step_first.values[0], b = location->step_second.values[0];
    return is_limited(a, b) || is_limited(b, a);
}

/* --------------------------------------------------------------------------------------------------------- vertices */

static bool is_elements(const struct harness_location *location)
{
    return location->has_draw && location->trigger == PICA_REG_DRAWELEMENTS;
}

static bool is_immediate(const struct harness_location *location)
{
    return location->has_draw && location->trigger >= PICA_REG_FIXEDATTRIB_DATA0 &&
           location->trigger <= PICA_REG_FIXEDATTRIB_DATA2;
}

static bool is_instruction(const struct pica_trace_step *step)
{
    return harness_localise_is_step(step, PICA_TRACE_ID_SHADER_INSTRUCTION) ||
           harness_localise_is_step(step, PICA_TRACE_ID_GEOMETRY_INSTRUCTION);
}

/* SHD-12, GSH-01: only one side runs the program at all. */
static bool is_not_begun(const struct harness_location *location)
{
    return both_have(location) && !location->has_previous &&
           is_instruction(&location->step_first) != is_instruction(&location->step_second);
}

/* VTX-24: an index drawn where one side runs no program, or has the number of another vertex. */
static bool is_reused(const struct harness_localise *search, const struct harness_location *location)
{
    if (!is_elements(location) || !both_have(location) || location->vertex == 0)
        return false;
    const struct pica_trace_step *const a = &location->step_first, *const b = &location->step_second;
    if (harness_localise_is_step(a, PICA_TRACE_ID_VERTEX_NUMBER))
        return search->reused_number;
    if (harness_localise_is_step(a, PICA_TRACE_ID_SHADER_INSTRUCTION) ? location->has_previous
                                                                      : location->has_instruction)
        return false; /* the program runs on both sides, and ends elsewhere */
    return harness_localise_is_step(a, PICA_TRACE_ID_SHADER_INSTRUCTION) !=
               harness_localise_is_step(b, PICA_TRACE_ID_SHADER_INSTRUCTION) &&
           (harness_localise_is_step(a, PICA_TRACE_ID_OUTPUT_REGISTER) ||
            harness_localise_is_step(b, PICA_TRACE_ID_OUTPUT_REGISTER) ||
            harness_localise_is_step(a, PICA_TRACE_ID_OUTPUT_SLOT) ||
            harness_localise_is_step(b, PICA_TRACE_ID_OUTPUT_SLOT));
}

static bool is_beyond_elements(const struct harness_localise *search, const struct harness_location *location)
{
    const uint32_t attribute = location->step_first.index;
    if (attribute > 11 || is_immediate(location))
        return false;
    const uint32_t word =
        search->registers[attribute < 8 ? PICA_REG_ATTRIBBUFFERS_FORMAT_LOW : PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH];
    const uint32_t elements = pica_bits(word, 4 * (attribute % 8) + 2, 2) + 1; /* VTX-02 */
    return only_between(location, elements, 3);
}

enum {
    FAR_NUMBER = 1 << 20 /* with strides up to 255, offsets up to 2^28 and a base below 2^32 */
};

static bool is_far_fetch(const struct harness_localise *search, const struct harness_location *location)
{
    return !is_immediate(location) && location->has_draw &&
           (search->registers[PICA_REG_VERTEX_OFFSET] >= FAR_NUMBER || location->vertex >= FAR_NUMBER);
}

/* SHD-70, FBF-15: one side has nothing where the other one has a number. */
static bool is_lost(const struct harness_location *location)
{
    const uint32_t count = shared_count(location);
    uint32_t any[2] = { 0, 0 };
    for (uint32_t i = 0; i < count; i++) {
        any[0] |= location->step_first.values[i];
        any[1] |= location->step_second.values[i];
    }
    return count != 0 && (any[0] == 0 || any[1] == 0);
}

/* --------------------------------------------------------------------------------------------------------- programs */

static bool is_relative(const struct harness_location *location, char to)
{
    const char *const index = strstr(location->instruction, "[a");
    return location->has_instruction && index != NULL && (index[2] == 'L') == (to == 'L');
}

static bool reads_input(const struct harness_location *location)
{
    return location->has_instruction && strstr(location->instruction, ", v") != NULL;
}

static bool has_high_descriptor(const struct harness_location *location)
{
    const char *const descriptor = strrchr(location->instruction, '@');
    return location->has_instruction && descriptor != NULL && strtoul(descriptor + 1, NULL, 10) >= 32;
}

static bool reads_uniform(const struct harness_location *location)
{
    return location->has_instruction &&
           (strstr(location->instruction, ", c") != NULL || strstr(location->instruction, " c") != NULL);
}

static bool has_sparse_outputs(const struct harness_localise *search, const struct harness_location *location)
{
    const uint32_t mask = search->registers[PICA_REG_VSH_OUTMAP_MASK] & 0xFFFFu;
    return location->has_draw && (mask & (mask + 1u)) != 0;
}

/* Does the recorded vertex run such an instruction? */
static bool runs(const struct harness_localise *search, enum pica_opcode opcode)
{
    for (size_t i = 0; i < search->recorded[0].count; i++) {
        const struct pica_trace_step *const step = &search->recorded[0].steps[i];
        if (is_instruction(step) && pica_opcode_of(step->values[0]) == opcode)
            return true;
    }
    return false;
}

/* -------------------------------------------------------------------------------------------------------- triangles */

/* CLP-04, with a little room for CLP-05 */
static bool is_outside(const uint32_t position[4])
{
    const float x = float_of(position[0]), y = float_of(position[1]), z = float_of(position[2]);
    const float w = float_of(position[3]), room = 1e-4f;
    return x > w + room || x < -w - room || y > w + room || y < -w - room || z > room || z < -w - room;
}

static bool is_unclipped(const struct harness_localise *search, const struct harness_location *location)
{
    if (!location->whole_part || search->clip_mask != 7)
        return false;
    return is_outside(search->clip[0]) || is_outside(search->clip[1]) || is_outside(search->clip[2]);
}

static bool has_negative_corner(const struct harness_location *location)
{
    for (int i = 0; i < 3 && location->whole_part && location->has_triangle; i++)
        if (location->corners[i][0] < 0 || location->corners[i][1] < 0)
            return true;
    return false;
}

/* RST-01: does the edge from a to b go through the centre? */
static bool is_through(const int32_t a[2], const int32_t b[2], int64_t px, int64_t py)
{
    return ((int64_t)b[0] - a[0]) * (py - a[1]) == ((int64_t)b[1] - a[1]) * (px - a[0]);
}

/* RST-01: 1 on one side of the edge, -1 on the other one, 0 on it. */
static int side_of(const int32_t a[2], const int32_t b[2], int64_t px, int64_t py)
{
    const int64_t left = ((int64_t)b[0] - a[0]) * (py - a[1]), right = ((int64_t)b[1] - a[1]) * (px - a[0]);
    return (left > right) - (left < right);
}

/* By the corners of the side that draws it: is the centre of the pixel inside of the triangle? */
static bool is_inside(const struct harness_location *location)
{
    const int64_t px = 16 * (int64_t)location->pixel.x + 8, py = 16 * (int64_t)location->pixel.y + 8;
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += side_of(location->corners[i], location->corners[(i + 1) % 3], px, py);
    return sum == 3 || sum == -3;
}

static bool is_on_edge(const struct harness_location *location)
{
    const int64_t px = 16 * (int64_t)location->pixel.x + 8, py = 16 * (int64_t)location->pixel.y + 8;
    for (int i = 0; i < 3 && location->whole_part && location->has_triangle && location->has_pixel; i++)
        if (is_through(location->corners[i], location->corners[(i + 1) % 3], px, py))
            return true;
    return false;
}

/* ------------------------------------------------------------------------------------------------- pixels, textures */

static bool reads_target(const struct harness_localise *search, uint32_t unit)
{
    const uint32_t *const registers = search->registers;
    struct oracle_surface surface;
    if (unit > 2 || !oracle_texture_is_live(registers, unit) ||
        !oracle_color_surface(registers, &search->choices, &surface))
        return false;
    const uint64_t begin = oracle_texture_address(registers, unit, 0);
    return begin < surface.address + oracle_surface_bytes(&surface) &&
           surface.address < begin + oracle_texture_size(registers, unit);
}

/* LIT-20: the table of a lookup, 0-7 = D0 D1 SP FR RB RG RR DA (trace.def). */
static bool looks_up(const struct harness_location *location, uint32_t table)
{
    const struct pica_trace_step *const step = location->has_first ? &location->step_first : &location->step_second;
    return location->has_step && step->index % 8u == table;
}

/* Bit t: one side looks table t of the light up, and the other does not. A step that may be missing is no difference by
 * itself, but explains a sum that is another one. */
static uint32_t lacking_tables(const struct harness_localise *search, uint32_t slot)
{
    uint32_t masks[2] = { 0, 0 };
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < search->recorded[side].count; i++) {
            const struct pica_trace_step *const step = &search->recorded[side].steps[i];
            if (harness_localise_is_step(step, PICA_TRACE_ID_LIGHT_LOOKUP) && step->index / 8u == slot)
                masks[side] |= 1u << step->index % 8u;
        }
    return masks[0] ^ masks[1];
}

/* Do both sides report steps of that kind, all alike? */
static bool agrees_in(const struct harness_localise *search, enum pica_trace_id id, bool *any)
{
    size_t at[2] = { 0, 0 };
    for (;;) {
        const struct pica_trace_step *steps[2] = { NULL, NULL };
        for (int side = 0; side < 2; side++)
            for (; steps[side] == NULL && at[side] < search->recorded[side].count; at[side]++)
                if (harness_localise_is_step(&search->recorded[side].steps[at[side]], id))
                    steps[side] = &search->recorded[side].steps[at[side]];
        if (steps[0] == NULL || steps[1] == NULL)
            return true;
        *any = true;
        if (steps[0]->index != steps[1]->index || steps[0]->count != steps[1]->count ||
            memcmp(steps[0]->values, steps[1]->values, steps[0]->count * sizeof steps[0]->values[0]) != 0)
            return false;
    }
}

/* Numbers that are everywhere: 0 and 1. */
static bool is_plain(const struct pica_trace_step *step)
{
    for (uint32_t i = 0; i < step->count; i++)
        if (step->values[i] != 0 && step->values[i] != 0x3F800000u)
            return false;
    return true;
}

/* Has one side there what the other one has in another step of that kind, another attribute say? */
static bool is_exchanged(const struct harness_localise *search, const struct harness_location *location)
{
    const struct pica_trace_step *const both[2] = { &location->step_first, &location->step_second };
    for (int side = 0; side < 2 && both_have(location) && strcmp(both[0]->name, both[1]->name) == 0; side++)
        for (size_t i = 0; i < search->recorded[1 - side].count && !is_plain(both[side]); i++) {
            const struct pica_trace_step *const step = &search->recorded[1 - side].steps[i];
            if (strcmp(step->stage, both[side]->stage) == 0 && strcmp(step->name, both[side]->name) == 0 &&
                step->index != both[side]->index && step->count == both[side]->count &&
                memcmp(step->values, both[side]->values, step->count * sizeof step->values[0]) == 0)
                return true;
        }
    return false;
}

/* ITP-12 is the same for all: a fault in it shows in the other values, too. */
static bool is_alone(const struct harness_localise *search)
{
    bool any = false;
    return agrees_in(search, PICA_TRACE_ID_TEXCOORD, &any) && agrees_in(search, PICA_TRACE_ID_QUATERNION, &any) &&
           agrees_in(search, PICA_TRACE_ID_VIEW, &any) && any;
}

static bool has_other_face(const struct harness_localise *search)
{
    bool any = false;
    return !agrees_in(search, PICA_TRACE_ID_TEXTURE_FACE, &any);
}

/* FBF-18: do the extents of the colour and the depth buffer have bytes in common? */
static bool surfaces_meet(const struct harness_localise *search)
{
    struct oracle_surface color, depth;
    return oracle_color_surface(search->registers, &search->choices, &color) &&
           oracle_depth_surface(search->registers, &search->choices, &depth) &&
           color.address < depth.address + oracle_surface_bytes(&depth) &&
           depth.address < color.address + oracle_surface_bytes(&color);
}

/* Has another unit the same address, but another size or format? */
static bool shares_texture(const struct harness_localise *search, uint32_t unit)
{
    const uint32_t *const registers = search->registers;
    for (uint32_t i = 0; i < 3 && unit < 3 && oracle_texture_is_live(registers, unit); i++)
        if (i != unit && oracle_texture_is_live(registers, i) &&
            oracle_texture_address(registers, i, 0) == oracle_texture_address(registers, unit, 0) &&
            (registers[pica_reg_texunit(i, PICA_REG_TEXUNIT0_DIM)] !=
                 registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_DIM)] ||
             registers[pica_reg_texunit(i, PICA_REG_TEXUNIT0_TYPE)] !=
                 registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_TYPE)]))
            return true;
    return false;
}

bool broken_rule_outcome_is(enum broken_rule_outcome outcome, const struct harness_localise *search,
                            const struct harness_location *location, uint32_t instance)
{
    switch (outcome) {
    case OUTCOME_ANY: return true;
    case OUTCOME_KEPT: return location->keeps_more;
    case OUTCOME_KEPT_UNIFORM: return location->keeps_more && reads_uniform(location);
    case OUTCOME_KEPT_TEXTURE: return location->keeps_more && instance < 3 && search->earlier.same[instance];
    case OUTCOME_KEPT_TARGET:
        return location->keeps_more && instance < 3 && search->earlier.same[instance] &&
               search->earlier.drawn[instance];
    case OUTCOME_ROUNDED: return is_rounded(location);
    case OUTCOME_SIGN: return is_sign(location);
    case OUTCOME_ONE_SIDED: return location->has_step && location->has_first != location->has_second;
    case OUTCOME_SAME_HEAD: return has_same_head(location, 1);
    case OUTCOME_SAME_PAIR: return has_same_head(location, 2);
    case OUTCOME_SPECIAL: return is_special(location);
    case OUTCOME_ONLY_ALPHA: return only_between(location, 3, 3);
    case OUTCOME_ONLY_SPECULAR: return only_between(location, 3, 5);
    case OUTCOME_INVERTED: return is_inverted(location, 0, 4);
    case OUTCOME_INVERTED_ALPHA: return is_inverted(location, 3, 4);
    case OUTCOME_EXCHANGED: return is_exchanged(search, location);
    case OUTCOME_SAME_BUFFER: return search->only_inputs;
    case OUTCOME_ALONE: return is_alone(search);
    case OUTCOME_CLAMPED_COLOR: return is_clamped_color(location);
    case OUTCOME_ELEMENTS: return is_elements(location);
    case OUTCOME_IMMEDIATE: return is_immediate(location);
    case OUTCOME_REUSED: return is_reused(search, location);
    case OUTCOME_NOT_BEGUN: return is_not_begun(location);
    case OUTCOME_BEYOND_ELEMENTS: return is_beyond_elements(search, location);
    case OUTCOME_FAR_FETCH: return is_far_fetch(search, location);
    case OUTCOME_RELATIVE: return is_relative(location, 'a');
    case OUTCOME_RELATIVE_LOOP: return is_relative(location, 'L');
    case OUTCOME_INPUT: return reads_input(location);
    case OUTCOME_HIGH_DESCRIPTOR: return has_high_descriptor(location);
    case OUTCOME_OTHER_CODE:
        return both_have(location) && location->step_first.index == location->step_second.index &&
               location->step_first.values[0] != location->step_second.values[0] &&
               strcmp(location->step_first.name, location->step_second.name) == 0;
    case OUTCOME_LITP: return runs(search, PICA_OPCODE_LITP);
    case OUTCOME_LITP_STATE:
        return !location->has_step && search->state_rule != NULL && strcmp(search->state_rule, "SHD-31") == 0 &&
               runs(search, PICA_OPCODE_LITP);
    case OUTCOME_IN_LOOP: return runs(search, PICA_OPCODE_LOOP);
    case OUTCOME_SPARSE_OUTPUTS: return has_sparse_outputs(search, location);
    case OUTCOME_WHOLE_TRIANGLE: return location->whole_part;
    case OUTCOME_UNCLIPPED: return is_unclipped(search, location);
    case OUTCOME_NO_SCISSOR: return search->needs_no_scissor;
    case OUTCOME_CLIPPED_VALUE: return search->needs_clipping;
    case OUTCOME_NEGATIVE_CORNER: return has_negative_corner(location);
    case OUTCOME_OTHER_CORNERS: return location->whole_part && search->elsewhere == HARNESS_ELSEWHERE_CLIP;
    case OUTCOME_OTHER_SCREEN: return location->whole_part && search->elsewhere == HARNESS_ELSEWHERE_SCREEN;
    case OUTCOME_ROUNDED_SCREEN: return location->whole_part && search->elsewhere == HARNESS_ELSEWHERE_NEAR;
    case OUTCOME_OTHER_LAYER: return search->other_layer;
    case OUTCOME_LOST_INSIDE:
        return location->whole_part && search->elsewhere == HARNESS_ELSEWHERE_SAME && is_inside(location);
    case OUTCOME_OUTSIDE:
        return location->whole_part && location->has_triangle && location->has_pixel && !is_inside(location) &&
               !is_on_edge(location);
    case OUTCOME_NOWHERE:
        return location->whole_part && search->elsewhere == HARNESS_ELSEWHERE_NOWHERE && !search->clip_agrees;
    case OUTCOME_ON_EDGE: return is_on_edge(location);
    case OUTCOME_FIRST_STAGE: return instance == 0;
    case OUTCOME_THIRD_UNIT: return instance == 2;
    case OUTCOME_LATER: return instance != 0;
    case OUTCOME_LOOKUP_DA: return looks_up(location, 7);
    case OUTCOME_LOOKUP_SP: return looks_up(location, 2);
    case OUTCOME_LACKS_DA: return (lacking_tables(search, instance) >> 7 & 1u) != 0;
    case OUTCOME_LACKS_SP: return (lacking_tables(search, instance) >> 2 & 1u) != 0;
    case OUTCOME_LACKS_SEVERAL: {
        const uint32_t lacking = lacking_tables(search, instance);
        return (lacking & (lacking - 1u)) != 0;
    }
    case OUTCOME_LACKS_TABLE: return lacking_tables(search, instance) != 0;
    case OUTCOME_READS_TARGET: return reads_target(search, instance);
    case OUTCOME_SHARED_TEXTURE: return shares_texture(search, instance);
    case OUTCOME_LOWER_LEVEL: return location->has_step && location->step_first.index / 4 % 16 != 0;
    case OUTCOME_LATER_TAP: return location->has_step && location->step_first.index % 4 != 0;
    case OUTCOME_OTHER_FACE: return has_other_face(search);
    case OUTCOME_OTHER_WRAPS: return search->needs_wraps;
    case OUTCOME_TABLE_SLOPES: return search->needs_slopes;
    case OUTCOME_FOG_SHARE: return search->needs_share;
    case OUTCOME_ALIKE: return search->differs_alike;
    case OUTCOME_UNLIKE: return search->needs_texels;
    case OUTCOME_MIRRORED: return strstr(location->pixel.pattern, "rows mirrored") != NULL;
    case OUTCOME_BLOCKS: return location->has_draw && (search->registers[PICA_REG_FRAMEBUFFER_BLOCK32] & 1u) != 0;
    case OUTCOME_UNTRACED:
        return location->has_draw && !location->has_step && !location->inferred && search->traces_agree;
    case OUTCOME_SURFACES_MEET: return location->has_draw && surfaces_meet(search);
    case OUTCOME_LOST: return is_lost(location);
    case OUTCOME_REPEATED: return search->repeated;
    case OUTCOME_SAME_MEMORY: return search->same_memory;
    case OUTCOME_NOT_WRITTEN: return search->not_written;
    case OUTCOME_STORED_SHUFFLED:
        return broken_rule_is_about_state(location) && broken_rule_is_stored_otherwise(search, true);
    case OUTCOME_STORED_OTHERWISE:
        return broken_rule_is_about_state(location) && broken_rule_is_stored_otherwise(search, false);
    case OUTCOME_NOT_STARTED: return broken_rule_is_not_started(search, location);
    case OUTCOME_ABOUT_STATE: return broken_rule_is_about_state(location);
    case OUTCOME_OTHER_WORD: return broken_rule_is_other_word(search, location);
    case OUTCOME_REWRITTEN_LIST: return broken_rule_is_about_state(location) && search->list_rewritten;
    case OUTCOME_AFTER_PADDING: return broken_rule_is_after_padding(search, location);
    case OUTCOME_HIGH_ID: return broken_rule_is_high(location, false);
    case OUTCOME_PAST_END: return broken_rule_is_high(location, true);
    case OUTCOME_LATE_DRAW:
        return !location->has_draw && location->kind == PICA_OPERATION_SUBMIT_LIST &&
               broken_rule_is_after_draw(search, location) &&
               strcmp(location->stage, pica_stage_word_info(PICA_STAGE_WORD_MEMORY)->text) == 0;
    case OUTCOME_PARTIAL_WRITE:
        return strcmp(location->stage, "registers") == 0 && location->command_word != UINT32_MAX &&
               location->has_command && pica_command_header_mask(location->header) != 0xF;
    }
    return false; /* not reached: all are named */
}
