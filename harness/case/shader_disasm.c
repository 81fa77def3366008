/* Instruction words -> text, driven by pica/opcodes.def and the shader_format_* layouts (SHD-20 to SHD-22). */
#include "harness/case/shader_asm.h"
#include "harness/case/shader_fields.h"
#include "pica/opcodes.h"

/* ---------------------------------------------------------------------------------------------------- descriptors */

static const char COMPONENTS[] = "xyzw";

/* SHD-21: the mask bit of x is the highest. */
static void print_mask(uint32_t mask, struct harness_text *out)
{
    if (mask == 0xF)
        return;
    harness_text_add(out, mask == 0 ? "._" : ".");
    for (uint32_t c = 0; c < 4; c++)
        if ((mask >> (3 - c) & 1u) != 0)
            harness_text_bytes(out, &COMPONENTS[c], 1);
}

/* Selectors of x, y, z, w from the top; the last letter stands for those that repeat it. */
static void print_selectors(uint32_t selectors, struct harness_text *out)
{
    uint32_t shown = 4;
    while (shown > 1 && (selectors >> (2 * (4 - shown)) & 3u) == (selectors >> (2 * (5 - shown)) & 3u))
        shown--;
    for (uint32_t c = 0; c < shown; c++)
        harness_text_bytes(out, &COMPONENTS[selectors >> (2 * (3 - c)) & 3u], 1);
}

static void print_swizzle(uint32_t selectors, struct harness_text *out)
{
    if (selectors == HARNESS_IDENTITY_SELECTORS)
        return;
    harness_text_add(out, ".");
    print_selectors(selectors, out);
}

void harness_descriptor_print(uint32_t word, struct harness_text *out)
{
    const uint32_t mask = harness_opdesc_mask(word);
    for (uint32_t c = 0; c < 4; c++)
        harness_text_bytes(out, (mask >> (3 - c) & 1u) != 0 ? &COMPONENTS[c] : "_", 1);
    for (uint32_t source = 1; source <= 3; source++) {
        harness_text_add(out, harness_opdesc_negate(word, source) ? ", -" : ", ");
        for (uint32_t c = 0; c < 4; c++)
            harness_text_bytes(out, &COMPONENTS[harness_opdesc_selectors(word, source) >> (2 * (3 - c)) & 3u], 1);
    }
    if ((word & 0x80000000u) != 0)
        harness_text_add(out, " | 0x80000000");
}

/* ------------------------------------------------------------------------------------------------------- operands */

/* One instruction on its way to text. `shown` collects the bits that the text gives back, `usual` those that the
 * assembler sets although nothing shows them. */
struct printing {
    uint32_t word;
    uint32_t shown;
    uint32_t usual;
    enum pica_layout layout;
    const struct harness_descriptors *descriptors;
    uint32_t descriptor; /* word of the descriptor */
    bool described;
    const struct harness_code *code; /* NULL: addresses are numbers */
    struct harness_text *out;
};

static uint32_t take(struct printing *print, const char *field)
{
    const struct pica_field_info *const info = pica_field_by_name(print->layout, field);
    print->shown |= pica_field_set(info, 0, UINT32_MAX);
    return pica_field_get(info, print->word);
}

static const char *enum_text(enum pica_enum_id id, uint32_t value)
{
    size_t count;
    const struct pica_enum_value *const values = pica_enum_values(id, &count);
    return values[value].text;
}

static void print_source(struct printing *print, uint32_t source, bool wide)
{
    static const char *const names[] = { "src1", "src2", "src3" };
    const uint32_t number = take(print, names[source - 1]);
    if (print->described && harness_opdesc_negate(print->descriptor, source))
        harness_text_add(print->out, "-");
    const struct pica_field_info *const index = pica_field_by_name(print->layout, "index");
    const uint32_t relative = wide ? pica_field_get(index, print->word) : 0;
    if (relative != PICA_SHADER_RELATIVE_NONE && number >= PICA_SHADER_SOURCE_C0) {
        print->shown |= pica_field_set(index, 0, UINT32_MAX);
        harness_text_format(print->out, "c[%s+%u]", harness_relative_text(relative), number - PICA_SHADER_SOURCE_C0);
    } else {
        harness_text_add(print->out, enum_text(PICA_ENUM_SHADER_SOURCE, number));
    }
    if (print->described)
        print_swizzle(harness_opdesc_selectors(print->descriptor, source), print->out);
}

static bool is_inside(const struct harness_code *code, uint32_t address)
{
    return code != NULL && code->count != 0 && address >= code->first && address - code->first <= code->count;
}

static void print_label(const struct harness_code *code, uint32_t address, struct harness_text *out)
{
    const char *const label = code->labels != NULL ? code->labels[address - code->first] : NULL;
    if (label != NULL)
        harness_text_add(out, label);
    else
        harness_text_format(out, "L%u", address);
}

/* A code address: label inside the block, number outside. */
static void print_address(struct printing *print, uint32_t address)
{
    if (is_inside(print->code, address))
        print_label(print->code, address, print->out);
    else
        harness_text_format(print->out, "%u", address);
}

static void print_count(struct printing *print)
{
    const uint32_t count = take(print, "num");
    const uint32_t end = pica_field_get(pica_field_by_name(print->layout, "dst"), print->word) + count;
    if (is_inside(print->code, end))
        print_label(print->code, end, print->out);
    else
        harness_text_format(print->out, "+%u", count);
}

/* A reference value that the condition does not look at is 1, as the community's assembler has it. */
static void print_condition(struct printing *print)
{
    const uint32_t condition = pica_shader_format_2_condition(print->word);
    (void)take(print, "condition");
    if (condition != PICA_SHADER_CONDITION_Y)
        harness_text_add(print->out, take(print, "refx") != 0 ? "cmp.x" : "!cmp.x");
    else
        print->usual = pica_shader_format_2_set_refx(print->usual, 1);
    if (condition == PICA_SHADER_CONDITION_OR)
        harness_text_add(print->out, " || ");
    if (condition == PICA_SHADER_CONDITION_AND)
        harness_text_add(print->out, " && ");
    if (condition != PICA_SHADER_CONDITION_X)
        harness_text_add(print->out, take(print, "refy") != 0 ? "cmp.y" : "!cmp.y");
    else
        print->usual = pica_shader_format_2_set_refy(print->usual, 1);
}

/* JMPU: bit 0 of num inverts the test and is shown at the register, so INVERSION itself prints nothing. */
static void print_boolean(struct printing *print, const struct pica_opcode_info *info)
{
    const bool can_invert = info->sources[2] == PICA_OPERAND_INVERSION;
    if (can_invert && (pica_shader_format_3_num(print->word) & 1u) != 0)
        harness_text_add(print->out, "!");
    if (can_invert)
        print->shown |= 1u;
    harness_text_format(print->out, "b%u", take(print, "uniform"));
}

static void print_emission(struct printing *print)
{
    harness_text_format(print->out, "%u", take(print, "vertex"));
    if (take(print, "primitive") != 0)
        harness_text_add(print->out, ", prim");
    if (take(print, "winding") != 0)
        harness_text_add(print->out, ", inv");
}

static void print_operand(struct printing *print, const struct pica_opcode_info *info, uint32_t source)
{
    switch (info->sources[source - 1]) {
    case PICA_OPERAND_NONE:
    case PICA_OPERAND_INVERSION: return;
    case PICA_OPERAND_WIDE: print_source(print, source, true); return;
    case PICA_OPERAND_NARROW: print_source(print, source, false); return;
    case PICA_OPERAND_CONDITION: print_condition(print); return;
    case PICA_OPERAND_BOOLEAN: print_boolean(print, info); return;
    case PICA_OPERAND_INTEGER:
        print->shown |= pica_shader_format_3_set_uniform(0, 3); /* SHD-48: the upper two bits are ignored */
        harness_text_format(print->out, "i%u", pica_shader_format_3_uniform(print->word) & 3u);
        return;
    case PICA_OPERAND_TARGET: print_address(print, take(print, "dst")); return;
    case PICA_OPERAND_COUNT: print_count(print); return;
    case PICA_OPERAND_EMISSION: print_emission(print); return;
    case PICA_OPERAND_REGISTER:
    case PICA_OPERAND_ADDRESS:
    case PICA_OPERAND_COMPARE: return; /* destinations only */
    }
}

/* True if something was printed. */
static bool print_dest(struct printing *print, const struct pica_opcode_info *info)
{
    if (info->dest == PICA_OPERAND_REGISTER)
        harness_text_add(print->out, enum_text(PICA_ENUM_SHADER_DEST, take(print, "dest")));
    else if (info->dest == PICA_OPERAND_ADDRESS)
        harness_text_add(print->out, "a0");
    else
        return false;
    if (print->described)
        print_mask(harness_opdesc_mask(print->descriptor), print->out);
    return true;
}

/* "cmp a, gt, eq, b" */
static void print_operators(struct printing *print)
{
    harness_text_format(print->out, ", %s", enum_text(PICA_ENUM_SHADER_COMPARE, take(print, "cmpx")));
    harness_text_format(print->out, ", %s", enum_text(PICA_ENUM_SHADER_COMPARE, take(print, "cmpy")));
}

/* --------------------------------------------------------------------------------------------------- instructions */

static void print_operands(struct printing *print, const struct pica_opcode_info *info)
{
    bool separate = false;
    if (info->dest != PICA_OPERAND_NONE || info->sources[0] != PICA_OPERAND_NONE)
        harness_text_add(print->out, " ");
    separate = print_dest(print, info);
    for (uint32_t source = 1; source <= 3; source++) {
        const enum pica_operand_kind kind = info->sources[source - 1];
        if (kind == PICA_OPERAND_NONE || kind == PICA_OPERAND_INVERSION)
            continue;
        if (separate)
            harness_text_add(print->out, ", ");
        print_operand(print, info, source);
        if (source == 1 && info->dest == PICA_OPERAND_COMPARE)
            print_operators(print);
        separate = true;
    }
}

void harness_shader_print(uint32_t word, const struct harness_descriptors *descriptors, const struct harness_code *code,
                          struct harness_text *out)
{
    const struct pica_opcode_info *const info = pica_opcode_info(pica_opcode_of(word));
    if (info->format == PICA_OPCODE_FORMAT_NONE) {
        harness_text_format(out, ".word 0x%08X", word);
        return;
    }
    struct printing print = { .word = word,
                              .layout = pica_opcode_format_info(info->format)->layout,
                              .descriptors = descriptors,
                              .code = code,
                              .out = out };
    (void)take(&print, "opcode");
    const bool has_descriptor = pica_field_by_name(print.layout, "desc") != NULL;
    const uint32_t number = has_descriptor ? take(&print, "desc") : 0;
    if (has_descriptor && descriptors != NULL && descriptors->known[number] != 0) {
        print.described = true;
        print.descriptor = descriptors->words[number];
    }
    harness_text_add(out, info->mnemonic);
    print_operands(&print, info);
    if (has_descriptor)
        harness_text_format(out, " @%u", number);
    const uint32_t other = (word & ~print.shown) ^ print.usual;
    if (other != 0)
        harness_text_format(out, " ^ 0x%X", other);
}

/* ----------------------------------------------------------------------------------------------------- whole code */

struct targets {
    uint32_t bits[(HARNESS_MAX_CODE + 31) / 32 + 1];
};

static void mark(struct targets *targets, uint32_t address, const struct harness_code *code)
{
    if (is_inside(code, address) && address - code->first <= HARNESS_MAX_CODE)
        targets->bits[(address - code->first) / 32] |= (uint32_t)1 << ((address - code->first) % 32);
}

static void mark_targets(struct targets *targets, uint32_t word, const struct harness_code *code)
{
    const struct pica_opcode_info *const info = pica_opcode_info(pica_opcode_of(word));
    for (uint32_t source = 0; source < 3; source++) {
        /* Formats 2 and 3 have dst and num in the same places. */
        if (info->sources[source] == PICA_OPERAND_TARGET)
            mark(targets, pica_shader_format_2_dst(word), code);
        if (info->sources[source] == PICA_OPERAND_COUNT)
            mark(targets, pica_shader_format_2_dst(word) + pica_shader_format_2_num(word), code);
    }
}

static bool has_label(const struct targets *targets, const struct harness_code *code, uint32_t index)
{
    const bool is_target = index <= HARNESS_MAX_CODE && (targets->bits[index / 32] >> (index % 32) & 1u) != 0;
    return is_target || (code->labels != NULL && code->labels[index] != NULL);
}

void harness_shader_disassemble(const struct harness_code *code, uint32_t indent, struct harness_text *out)
{
    struct targets targets = { { 0 } };
    for (uint32_t i = 0; i < code->count; i++)
        mark_targets(&targets, code->words[i], code);
    for (uint32_t i = 0; i <= code->count; i++) {
        if (has_label(&targets, code, i)) {
            harness_text_indent(out, indent > 0 ? indent - 1 : 0);
            print_label(code, code->first + i, out);
            harness_text_add(out, ":\n");
        }
        if (i == code->count)
            break;
        harness_text_indent(out, indent);
        const size_t line = out->size;
        harness_shader_print(code->words[i], code->descriptors, code, out);
        if (code->remark != NULL && !out->failed)
            code->remark(code->user, code->first + i, out->data + line, out);
        harness_text_add(out, "\n");
    }
}
