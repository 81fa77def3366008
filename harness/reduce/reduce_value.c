/* Passes over the words of a case: each word, then each field, towards its usual value, 0, the reset value, or another
 * canonical value. */
#include "harness/reduce/reduce_pass.h"
#include "harness/case/usual.h"

#include "harness/case/shader_fields.h"
#include "pica/opcodes.h"

/* ----------------------------------------------------------------------------------------------------------- words */

enum {
    WORD_VARIANTS = 4,
    MEANINGFUL = 3 /* the last variant; those before are canonical words */
};

/* The usual values, which programs write, of the fields where they differ from reset; 0 in all other fields. */
static uint32_t usual_word(enum pica_layout layout)
{
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    uint32_t word = 0;
    for (size_t i = 0; i < count; i++)
        if (harness_usual_is_named(&fields[i]))
            word = pica_field_set(&fields[i], word, harness_usual_value(&fields[i], 0));
    return word;
}

/* The canonical words for a place, the best first. */
static uint32_t canonical_word(const struct reduce_word *word, uint32_t variant)
{
    if (word->is_code) {
        const enum pica_opcode opcode = variant == 0 ? PICA_OPCODE_NOP : PICA_OPCODE_END;
        return pica_shader_instruction_set_opcode(0, (uint32_t)opcode);
    }
    if (word->is_descriptor && variant == 0) { /* SHD-21: all components, no swizzle, no sign */
        uint32_t plain = 0xF;
        for (uint32_t source = 1; source <= 3; source++)
            plain |= (uint32_t)HARNESS_IDENTITY_SELECTORS << (harness_opdesc_source_low(source) + 1u);
        return plain;
    }
    if (variant == 0)
        return usual_word(word->layout);
    return variant == 1 || word->is_descriptor ? 0 : word->reset;
}

/* The bits that fields of the layout cover. */
static uint32_t meaningful_bits(enum pica_layout layout)
{
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    uint32_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits = pica_field_set(&fields[i], bits, UINT32_MAX);
    return bits;
}

/* 0 for the best canonical word, and so on; WORD_VARIANTS for words that are not canonical. */
static uint32_t word_rank(const struct reduce_word *word)
{
    for (uint32_t variant = 0; variant < MEANINGFUL; variant++)
        if (*word->word == canonical_word(word, variant))
            return variant;
    return WORD_VARIANTS;
}

static void visit_word(void *user, const struct reduce_word *word)
{
    struct reduce_walk *const walk = user;
    if (!harness_reduce_takes(walk))
        return;
    uint32_t value = *word->word;
    if (walk->variant == MEANINGFUL)
        value &= meaningful_bits(word->layout);
    else if (walk->variant < word_rank(word))
        value = canonical_word(word, walk->variant);
    walk->changed = walk->changed || value != *word->word;
    *word->word = value;
}

const struct reduce_pass harness_reduce_words = { "words", WORD_VARIANTS, .visit = visit_word };

/* ---------------------------------------------------------------------------------------------------------- fields */

enum {
    FIELD_CANONICAL = 4, /* variants 0-3: usual value, zero, reset value, identity; then steps down */
    FIELD_VARIANTS = 10
};

/* The neutral value: one for numbers, all bits for colours. */
static uint32_t identity(const struct pica_field_info *field)
{
    const uint32_t all = 0xFFFFFFFFu >> (32u - field->width);
    switch (field->type) {
    case PICA_FIELD_FLOAT16: return 0xFu << 10; /* FLT-10: 1.0, exponent = bias */
    case PICA_FIELD_FLOAT20: return 0x3Fu << 12;
    case PICA_FIELD_FLOAT24: return 0x3Fu << 16;
    case PICA_FIELD_FLOAT31: return 0x3Fu << 23;
    case PICA_FIELD_COLOR: return all;
    case PICA_FIELD_FIXED_UNSIGNED:
    case PICA_FIELD_FIXED_SIGNED: return field->unit < field->width ? 1u << field->unit : all;
    case PICA_FIELD_FLAG:
    case PICA_FIELD_ENUM:
    case PICA_FIELD_MASK:
    case PICA_FIELD_UNSIGNED:
    case PICA_FIELD_SIGNED:
    case PICA_FIELD_DIMENSION:
    case PICA_FIELD_ADDRESS:
    case PICA_FIELD_SIZE: return 1;
    }
    return 1; /* not reached */
}

/* The lower, the better; any number that is not canonical ranks by its value. */
static uint64_t field_rank(const struct pica_field_info *field, uint32_t value, uint32_t reset)
{
    if (harness_usual_is_named(field) && value == harness_usual_value(field, reset))
        return 0;
    if (value == 0)
        return 1;
    if (value == reset)
        return 2;
    return value == identity(field) ? 3 : (uint64_t)FIELD_CANONICAL + value;
}

/* Clears the lower half of the bits below the highest one: numbers become round. */
static uint32_t rounded(uint32_t value)
{
    uint32_t length = 0;
    while (length < 32 && value >> length != 0)
        length++;
    return length > 1 ? value & (0xFFFFFFFFu << (length / 2)) : value;
}

static uint32_t changed_field(const struct pica_field_info *field, uint32_t value, uint32_t reset, uint32_t variant)
{
    switch (variant) {
    case 0: return harness_usual_is_named(field) ? harness_usual_value(field, reset) : value;
    case 1: return 0;
    case 2: return reset;
    case 3: return identity(field);
    case 4: return rounded(value);
    case 5: return value / 2;
    case 6: return value - value / 4;
    case 7: return value - value / 8;
    case 8: return value != 0 && value <= 64 ? value - 1 : value;
    default: return value & ~1u;
    }
}

/* Is it the opcode, the topmost field of every instruction format? This pass does not touch it: instructions are
 * replaced as a whole or not at all. */
static bool is_opcode(const struct reduce_word *word, const struct pica_field_info *field)
{
    return word->is_code && field->low + field->width == 32;
}

/* Numbers can be made smaller step by step; enumerators cannot. */
static bool steps_down(const struct pica_field_info *field)
{
    return field->type != PICA_FIELD_ENUM;
}

static void visit_fields(void *user, const struct reduce_word *word)
{
    struct reduce_walk *const walk = user;
    size_t count = 0;
    if (word->is_packed)
        return;
    const struct pica_field_info *const fields = pica_layout_fields(word->layout, &count);
    for (size_t i = 0; i < count; i++) {
        if (!harness_reduce_takes(walk) || (walk->variant >= 3 && !steps_down(&fields[i])) ||
            is_opcode(word, &fields[i]))
            continue;
        const uint32_t value = pica_field_get(&fields[i], *word->word);
        const uint32_t reset = pica_field_get(&fields[i], word->reset);
        const uint32_t next = changed_field(&fields[i], value, reset, walk->variant);
        if (field_rank(&fields[i], next, reset) >= field_rank(&fields[i], value, reset))
            continue;
        *word->word = pica_field_set(&fields[i], *word->word, next);
        walk->changed = true;
    }
}

const struct reduce_pass harness_reduce_fields = { "fields", FIELD_VARIANTS, .visit = visit_fields };

/* ----------------------------------------------------------------------------------------------------- usual values */

/* Runs before other passes over values: sets switches and enumerations to the values that programs use, so that later
 * passes do not adapt the case to settings that the fault does not need. */
static void visit_usual(void *user, const struct reduce_word *word)
{
    struct reduce_walk *const walk = user;
    size_t count = 0;
    if (word->is_packed || word->is_code || word->is_descriptor)
        return;
    const struct pica_field_info *const fields = pica_layout_fields(word->layout, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t usual = harness_usual_value(&fields[i], pica_field_get(&fields[i], word->reset));
        const bool choice = fields[i].type == PICA_FIELD_FLAG || fields[i].type == PICA_FIELD_ENUM;
        if ((!choice && !harness_usual_is_named(&fields[i])) || !harness_reduce_takes(walk) ||
            pica_field_get(&fields[i], *word->word) == usual)
            continue;
        *word->word = pica_field_set(&fields[i], *word->word, usual);
        walk->changed = true;
    }
}

const struct reduce_pass harness_reduce_usual = { "usual values", 1, .visit = visit_usual, .once = true };
