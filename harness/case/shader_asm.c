/* Text -> instruction words: the inverse of shader_disasm.c, and what people write by hand. */
#include "harness/case/shader_asm.h"
#include "harness/case/shader_labels.h"
#include "harness/case/shader_operand.h"
#include "pica/opcodes.h"

#include <stdlib.h>
#include <string.h>

/* One instruction being put together. */
struct building {
    struct harness_cursor *cursor;
    const struct harness_labels *labels;
    const struct pica_opcode_info *info;
    enum pica_layout layout;
    uint32_t word;
    struct harness_shader_use use;
    bool only_numbered; /* descriptors that the text does not number are not chosen yet */
};

static void put(struct building *build, const char *field, uint32_t value)
{
    build->word = pica_field_set(pica_field_by_name(build->layout, field), build->word, value);
}

/* The text decides `value` in `mask` of the descriptor. */
static void claim(struct building *build, uint32_t mask, uint32_t value)
{
    build->use.mask |= mask;
    build->use.bits = (build->use.bits & ~mask) | (value & mask);
}

/* ------------------------------------------------------------------------------------------------------- operands */

static bool put_dest(struct building *build, const struct harness_operand *operand)
{
    const bool is_register = build->info->dest == PICA_OPERAND_REGISTER;
    if (is_register && operand->bank != 'o' && operand->bank != 'r')
        return harness_cursor_expected(build->cursor, operand->start, "a destination o0-o15 or r0-r15");
    if (!is_register && operand->bank != 'a')
        return harness_cursor_expected(build->cursor, operand->start, "the destination a0");
    if (operand->negate || operand->relative != PICA_SHADER_RELATIVE_NONE || !operand->suffix_is_mask)
        return harness_cursor_expected(build->cursor, operand->start, "a destination with a mask like .xyz or ._");
    if (is_register)
        put(build, "dest", operand->number + (operand->bank == 'r' ? 16u : 0u));
    claim(build, 0xF, operand->mask);
    return true;
}

static bool put_source(struct building *build, const struct harness_operand *operand, uint32_t source, bool wide)
{
    static const char *const names[] = { "src1", "src2", "src3" };
    const bool is_constant = operand->bank == 'c';
    if ((operand->bank != 'v' && operand->bank != 'r' && !is_constant) || !operand->suffix_is_swizzle)
        return harness_cursor_expected(build->cursor, operand->start, "a source v0-v15, r0-r15 or c0-c95");
    if (is_constant && !wide)
        return harness_cursor_expected(build->cursor, operand->start, "v0-v15 or r0-r15 (this operand has 5 bits)");
    const uint32_t bank = is_constant ? 32u : operand->bank == 'r' ? 16u : 0u;
    put(build, names[source - 1], bank + operand->number);
    if (operand->relative != PICA_SHADER_RELATIVE_NONE)
        put(build, "index", operand->relative);
    const uint32_t low = harness_opdesc_source_low(source);
    claim(build, (uint32_t)0x1FF << low, ((operand->selectors << 1) | (operand->negate ? 1u : 0u)) << low);
    return true;
}

static bool parse_register(struct building *build, uint32_t source, bool wide)
{
    struct harness_operand operand;
    if (!harness_operand_parse(build->cursor, &operand))
        return false;
    return source == 0 ? put_dest(build, &operand) : put_source(build, &operand, source, wide);
}

/* "cmp.x", "!cmp.y", "cmp.x && !cmp.y", "cmp.x || cmp.y" (SHD-47) */
static bool parse_condition(struct building *build)
{
    struct harness_cursor *const cursor = build->cursor;
    char component;
    bool wanted;
    if (!harness_compare_flag_parse(cursor, &component, &wanted))
        return false;
    put(build, component == 'x' ? "refx" : "refy", wanted ? 1 : 0);
    put(build, component == 'x' ? "refy" : "refx", 1);
    const bool both = harness_cursor_skip(cursor, "&&");
    const bool either = !both && harness_cursor_skip(cursor, "||");
    if (!both && !either) {
        put(build, "condition", component == 'x' ? PICA_SHADER_CONDITION_X : PICA_SHADER_CONDITION_Y);
        return true;
    }
    if (component != 'x')
        return harness_cursor_expected(cursor, cursor->at, "cmp.x before cmp.y");
    if (!harness_compare_flag_parse(cursor, &component, &wanted))
        return false;
    if (component != 'y')
        return harness_cursor_expected(cursor, cursor->at, "cmp.y after cmp.x");
    put(build, "refy", wanted ? 1 : 0);
    put(build, "condition", both ? PICA_SHADER_CONDITION_AND : PICA_SHADER_CONDITION_OR);
    return true;
}

static bool parse_boolean(struct building *build)
{
    const char *const start = build->cursor->at;
    const bool inverted = harness_cursor_skip(build->cursor, "!");
    uint32_t number;
    if (inverted && build->info->sources[2] != PICA_OPERAND_INVERSION)
        return harness_cursor_expected(build->cursor, start, "a boolean b0-b15 (only jmpu can invert)");
    if (!harness_numbered_parse(build->cursor, 'b', 15, &number))
        return false;
    put(build, "uniform", number);
    if (inverted)
        put(build, "num", 1);
    return true;
}

/* A label, or a number up to `most`. */
static bool parse_address(struct building *build, uint32_t most, uint32_t *address)
{
    struct harness_cursor *const cursor = build->cursor;
    const char *const start = cursor->at;
    if (harness_cursor_number(cursor, address)) {
        if (*address <= most)
            return true;
        return harness_cursor_expected(cursor, start, "a code address");
    }
    const size_t length = harness_cursor_word(cursor);
    if (length == 0 || !harness_labels_find(build->labels, start, length, address) || *address > most)
        return harness_cursor_expected(cursor, start, "a label of this code or an address");
    return true;
}

/* "+5" instructions, or the label after the last one. */
static bool parse_count(struct building *build)
{
    struct harness_cursor *const cursor = build->cursor;
    const char *const start = cursor->at;
    const uint32_t target = pica_shader_format_2_dst(build->word);
    uint32_t value;
    if (harness_cursor_skip(cursor, "+")) {
        if (!harness_cursor_number(cursor, &value))
            return harness_cursor_expected(cursor, start, "a number of instructions");
    } else {
        if (!parse_address(build, HARNESS_MAX_CODE + 255, &value))
            return false;
        value = value < target ? UINT32_MAX : value - target;
    }
    if (value > 255)
        return harness_cursor_expected(cursor, start, "an end 0 to 255 instructions after the target");
    put(build, "num", value);
    return true;
}

static bool parse_emission(struct building *build)
{
    uint32_t vertex;
    const char *const start = build->cursor->at;
    if (!harness_cursor_number(build->cursor, &vertex) || vertex > 3)
        return harness_cursor_expected(build->cursor, start, "a vertex 0-3");
    put(build, "vertex", vertex);
    while (harness_cursor_skip(build->cursor, ",")) {
        const char *const word = build->cursor->at;
        if (harness_cursor_skip(build->cursor, "prim"))
            put(build, "primitive", 1);
        else if (harness_cursor_skip(build->cursor, "inv"))
            put(build, "winding", 1);
        else
            return harness_cursor_expected(build->cursor, word, "prim or inv");
    }
    return true;
}

static bool parse_operand(struct building *build, uint32_t source)
{
    uint32_t value;
    switch (build->info->sources[source - 1]) {
    case PICA_OPERAND_WIDE: return parse_register(build, source, true);
    case PICA_OPERAND_NARROW: return parse_register(build, source, false);
    case PICA_OPERAND_CONDITION: return parse_condition(build);
    case PICA_OPERAND_BOOLEAN: return parse_boolean(build);
    case PICA_OPERAND_INTEGER:
        if (!harness_numbered_parse(build->cursor, 'i', 3, &value))
            return false;
        put(build, "uniform", value);
        return true;
    case PICA_OPERAND_TARGET:
        if (!parse_address(build, HARNESS_MAX_CODE - 1, &value))
            return false;
        put(build, "dst", value);
        return true;
    case PICA_OPERAND_COUNT: return parse_count(build);
    case PICA_OPERAND_EMISSION: return parse_emission(build);
    case PICA_OPERAND_NONE:
    case PICA_OPERAND_INVERSION:
    case PICA_OPERAND_REGISTER:
    case PICA_OPERAND_ADDRESS:
    case PICA_OPERAND_COMPARE: return true;
    }
    return true; /* not reached: all kinds are named */
}

/* ", gt, eq" after the first source of CMP (SHD-31). */
static bool parse_operators(struct building *build)
{
    static const char *const fields[] = { "cmpx", "cmpy" };
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t operator_value;
        if (!harness_cursor_comma(build->cursor) || !harness_operator_parse(build->cursor, &operator_value))
            return false;
        put(build, fields[i], operator_value);
    }
    return true;
}

static bool parse_operands(struct building *build)
{
    bool separate = false;
    if (build->info->dest == PICA_OPERAND_REGISTER || build->info->dest == PICA_OPERAND_ADDRESS) {
        if (!parse_register(build, 0, false))
            return false;
        separate = true;
    }
    for (uint32_t source = 1; source <= 3; source++) {
        const enum pica_operand_kind kind = build->info->sources[source - 1];
        if (kind == PICA_OPERAND_NONE || kind == PICA_OPERAND_INVERSION)
            continue;
        if (separate && !harness_cursor_comma(build->cursor))
            return false;
        if (!parse_operand(build, source))
            return false;
        if (source == 1 && build->info->dest == PICA_OPERAND_COMPARE && !parse_operators(build))
            return false;
        separate = true;
    }
    return true;
}

/* ----------------------------------------------------------------------------------------------------- descriptors */

/* Descriptor `use->number` has what the text says; false: other text says something else. */
static bool merge(struct harness_descriptors *descriptors, const struct harness_shader_use *use)
{
    const uint32_t n = use->number;
    if (((descriptors->words[n] ^ use->bits) & descriptors->known[n] & use->mask) != 0)
        return false;
    descriptors->words[n] |= use->bits;
    descriptors->known[n] |= use->mask;
    return true;
}

/* The first descriptor that has or can take the bits of `use`, those that need no change first. */
static bool allocate(struct harness_descriptors *descriptors, uint32_t limit, struct harness_shader_use *use)
{
    uint32_t found = limit;
    for (uint32_t i = limit; i-- > 0;) {
        const bool fits = ((descriptors->words[i] ^ use->bits) & descriptors->known[i] & use->mask) == 0;
        const bool has = fits && (use->mask & ~descriptors->known[i]) == 0;
        const bool better = found == limit || has || (use->mask & ~descriptors->known[found]) != 0;
        if (fits && better)
            found = i;
    }
    if (found == limit)
        return false;
    use->number = found;
    return merge(descriptors, use);
}

/* "@n", or a descriptor of our choice. */
static bool parse_descriptor(struct building *build, const struct harness_shader_source *source,
                             struct harness_descriptors *descriptors)
{
    struct harness_cursor *const cursor = build->cursor;
    const struct pica_field_info *const field = pica_field_by_name(build->layout, "desc");
    if (field == NULL)
        return true;
    const char *const start = cursor->at;
    const uint32_t limit = (uint32_t)1 << field->width;
    if (harness_cursor_skip(cursor, "@")) {
        if (!harness_cursor_number(cursor, &build->use.number) || build->use.number >= limit)
            return harness_cursor_expected(cursor, start, limit == HARNESS_DESCRIPTORS ? "@0 to @127" : "@0 to @31");
        if (source->allocate && !merge(descriptors, &build->use))
            return harness_cursor_expected(
                cursor, start, "mask, swizzles and signs as other instructions with this descriptor have them");
    } else if (!source->allocate) {
        return harness_cursor_expected(cursor, start, "the number of an operand descriptor, like @3");
    } else if (build->only_numbered) {
        return true;
    } else if (!allocate(descriptors, limit, &build->use)) {
        return harness_cursor_expected(cursor, start, "a free operand descriptor (all are in use)");
    }
    put(build, "desc", build->use.number);
    return true;
}

/* "^ 0x300": bits of the word that differ from what the operands give. */
static bool parse_other_bits(struct building *build)
{
    if (!harness_cursor_skip(build->cursor, "^"))
        return true;
    uint32_t bits;
    const char *const start = build->cursor->at;
    if (!harness_cursor_number(build->cursor, &bits))
        return harness_cursor_expected(build->cursor, start, "a number: the bits of the word that differ");
    build->word ^= bits;
    return true;
}

/* --------------------------------------------------------------------------------------------------- instructions */

/* The opcode that does the same with a later source as the wide one (SHD-35); the opcode itself if there is none. */
static enum pica_opcode inverted(enum pica_opcode opcode)
{
    static const struct {
        enum pica_opcode plain;
        enum pica_opcode other;
    } pairs[] = { { PICA_OPCODE_DPH, PICA_OPCODE_DPHI },
                  { PICA_OPCODE_DST, PICA_OPCODE_DSTI },
                  { PICA_OPCODE_SGE, PICA_OPCODE_SGEI },
                  { PICA_OPCODE_SLT, PICA_OPCODE_SLTI },
                  { PICA_OPCODE_MAD, PICA_OPCODE_MADI } };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i].plain == opcode)
            return pairs[i].other;
    return opcode;
}

static bool build_as(struct building *build, enum pica_opcode opcode, const struct harness_shader_source *source,
                     struct harness_descriptors *descriptors)
{
    build->info = pica_opcode_info(opcode);
    build->layout = pica_opcode_format_info(build->info->format)->layout;
    build->word = pica_shader_instruction_set_opcode(0, opcode);
    build->use.bits = 0;
    build->use.mask = 0;
    return parse_operands(build) && parse_descriptor(build, source, descriptors) && parse_other_bits(build) &&
           harness_cursor_end_of_line(build->cursor);
}

static bool parse_word(struct building *build)
{
    const char *const start = build->cursor->at;
    if (!harness_cursor_number(build->cursor, &build->word))
        return harness_cursor_expected(build->cursor, start, "a number: the instruction word");
    build->use.mask = 0;
    return harness_cursor_end_of_line(build->cursor);
}

static bool parse_instruction(struct building *build, const struct harness_shader_source *source,
                              struct harness_descriptors *descriptors)
{
    struct harness_cursor *const cursor = build->cursor;
    const char *const start = cursor->at;
    char mnemonic[16];
    if (harness_cursor_skip(cursor, ".word"))
        return parse_word(build);
    const size_t length = harness_cursor_word(cursor);
    if (length == 0 || length >= sizeof mnemonic)
        return harness_cursor_expected(cursor, start, "an instruction");
    memcpy(mnemonic, start, length);
    mnemonic[length] = '\0';
    const struct pica_opcode_info *const info = pica_opcode_by_mnemonic(mnemonic);
    if (info == NULL || info->format == PICA_OPCODE_FORMAT_NONE)
        return harness_cursor_expected(cursor, start, "an instruction");
    const struct harness_cursor operands = *cursor;
    if (build_as(build, info->opcode, source, descriptors))
        return true;
    const enum pica_opcode other = inverted(info->opcode);
    if (other == info->opcode)
        return false;
    /* The message of the plain form is the one to keep. */
    const struct harness_error first = *cursor->error;
    *cursor = operands;
    if (build_as(build, other, source, descriptors))
        return true;
    *cursor->error = first;
    return false;
}

/* Where instructions go. */
struct assembled {
    uint32_t *words;
    struct harness_shader_use *uses; /* may be NULL */
    uint32_t *count;
    bool only_numbered;
};

static bool assemble_lines(const struct harness_shader_source *source, struct harness_cursor *cursor,
                           const struct harness_labels *labels, struct harness_descriptors *descriptors,
                           const struct assembled *out)
{
    *out->count = 0;
    while (harness_cursor_next_item(cursor)) {
        if (harness_cursor_label(cursor) != 0)
            continue;
        if (*out->count >= HARNESS_MAX_CODE)
            return harness_cursor_expected(cursor, cursor->at, "at most 4096 instructions");
        struct building build = { .cursor = cursor, .labels = labels, .only_numbered = out->only_numbered };
        build.use.line = cursor->line;
        if (!parse_instruction(&build, source, descriptors))
            return false;
        out->words[*out->count] = build.word;
        if (out->uses != NULL)
            out->uses[*out->count] = build.use;
        *out->count += 1;
    }
    return true;
}

enum harness_status harness_shader_assemble(const struct harness_shader_source *source,
                                            struct harness_descriptors *descriptors, uint32_t *words,
                                            struct harness_shader_use *uses, uint32_t *count,
                                            struct harness_error *error)
{
    struct harness_error ignored;
    struct harness_labels labels;
    struct harness_cursor cursor;
    struct assembled out = { words, uses, count, source->allocate };
    harness_cursor_init(&cursor, source, error != NULL ? error : &ignored);
    *count = 0;
    enum harness_status status = harness_labels_collect(&labels, source, cursor.error);
    /* The first pass only claims the descriptors that the text numbers, so that none of them is chosen for another. */
    if (status == HARNESS_OK && source->allocate && !assemble_lines(source, &cursor, &labels, descriptors, &out))
        status = HARNESS_BAD_INPUT;
    harness_cursor_init(&cursor, source, error != NULL ? error : &ignored);
    out.only_numbered = false;
    if (status == HARNESS_OK && !assemble_lines(source, &cursor, &labels, descriptors, &out))
        status = HARNESS_BAD_INPUT;
    harness_labels_free(&labels);
    return status;
}
