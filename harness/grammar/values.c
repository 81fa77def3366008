#include "harness/grammar/values.h"

#include "pica/backend.h"

#include <string.h>

/* Encodings that are not called reserved but always record an event. */
static bool records_event(enum pica_enum_id enumeration, uint32_t value)
{
    if (enumeration == PICA_ENUM_TEXTURE_WRAP) /* WRP-07 */
        return value >= PICA_TEXTURE_WRAP_REPEAT_EDGE && value <= PICA_TEXTURE_WRAP_REPEAT_7;
    if (enumeration == PICA_ENUM_FRAGMENT_MODE) /* GAS-01 */
        return value >= PICA_FRAGMENT_MODE_GAS && value <= PICA_FRAGMENT_MODE_RESERVED_2;
    if (enumeration == PICA_ENUM_FOG_MODE) /* GSF-01 */
        return value == PICA_FOG_MODE_GAS;
    if (enumeration == PICA_ENUM_SHADER_COMPARE) /* SHD-31 */
        return value >= PICA_SHADER_COMPARE_TRUE_6 && value <= PICA_SHADER_COMPARE_TRUE_7;
    return enumeration == PICA_ENUM_TRANSFER_FORMAT && value >= PICA_TRANSFER_FORMAT_RGBA4_5 && /* PPF-10 */
           value <= PICA_TRANSFER_FORMAT_RGBA4_7;
}

bool harness_value_is_reserved(enum pica_enum_id enumeration, uint32_t value)
{
    size_t count;
    const struct pica_enum_value *const values = pica_enum_values(enumeration, &count);
    if (value >= count)
        return false;
    const char *const text = values[value].text;
    return (text[0] == 'r' && strncmp(text, "reserved", 8) == 0) ||
           (text[0] == 'u' && strncmp(text, "unused-", 7) == 0) || records_event(enumeration, value);
}

/* ------------------------------------------------------------------------------------------------------------ draw */

static uint32_t draw_enum(struct harness_random *random, const struct pica_field_info *field, bool defined)
{
    uint32_t value = harness_random_below(random, 1u << field->width);
    for (int tries = 0; defined && harness_value_is_reserved(field->enumeration, value); tries++) {
        if (tries == 8)
            return 0;
        value = harness_random_below(random, 1u << field->width);
    }
    return value;
}

uint32_t harness_small_float(uint32_t exponent_bits, uint32_t mantissa_bits, float value)
{
    const uint32_t bits = harness_f32_bits(value);
    const uint32_t sign = (bits >> 31) << (exponent_bits + mantissa_bits);
    const int32_t bias = (1 << (exponent_bits - 1u)) - 1;
    const int32_t exponent = (int32_t)(bits >> 23 & 0xFFu) - 127 + bias;
    const int32_t most = (1 << exponent_bits) - 2;
    if (exponent <= 0)
        return sign;
    if (exponent > most)
        return sign | (uint32_t)most << mantissa_bits | ((1u << mantissa_bits) - 1u);
    return sign | (uint32_t)exponent << mantissa_bits | (bits & 0x7FFFFFu) >> (23u - mantissa_bits);
}

static float draw_ordinary(struct harness_random *random)
{
    static const float simple[] = { 0.0f, 1.0f, -1.0f, 0.5f, 2.0f, -0.5f, 0.25f, 8.0f };
    if (harness_random_percent(random, 40))
        return simple[harness_random_below(random, sizeof simple / sizeof simple[0])];
    return harness_random_float(random, -4.0f, 4.0f);
}

static uint32_t draw_float(struct harness_random *random, const struct pica_field_info *field, bool defined)
{
    const uint32_t exponent_bits = field->type == PICA_FIELD_FLOAT16 ? 5 : 7;
    const uint32_t mantissa_bits = field->width - 1u - exponent_bits;
    if (!defined && harness_random_percent(random, 25))
        return harness_random_number(random, field->width);
    return harness_small_float(exponent_bits, mantissa_bits, draw_ordinary(random));
}

static uint32_t draw_dimension(struct harness_random *random, const struct pica_field_info *field, bool defined)
{
    const uint32_t ones = UINT32_MAX >> (32u - field->width);
    const uint32_t size = defined || harness_random_percent(random, 70) ? 8u << harness_random_below(random, 5)
                                                                        : harness_random_number(random, field->width);
    return (size - field->unit) & ones;
}

uint32_t harness_field_draw(struct harness_random *random, const struct pica_field_info *field, bool defined)
{
    switch (field->type) {
    case PICA_FIELD_ENUM: return draw_enum(random, field, defined);
    case PICA_FIELD_DIMENSION: return draw_dimension(random, field, defined);
    case PICA_FIELD_FLOAT16:
    case PICA_FIELD_FLOAT20:
    case PICA_FIELD_FLOAT24:
    case PICA_FIELD_FLOAT31: return draw_float(random, field, defined);
    case PICA_FIELD_FLAG: return harness_random_below(random, 2);
    case PICA_FIELD_UNSIGNED:
    case PICA_FIELD_SIGNED:
    case PICA_FIELD_ADDRESS:
    case PICA_FIELD_SIZE:
    case PICA_FIELD_FIXED_UNSIGNED:
    case PICA_FIELD_FIXED_SIGNED:
    case PICA_FIELD_COLOR:
    case PICA_FIELD_MASK: return harness_random_number(random, field->width);
    }
    return 0; /* not reached: all types are named */
}

/* One of the first `count` of: 0, all ones, and the two in the middle. */
static uint32_t draw_extreme(struct harness_random *random, uint32_t width, uint32_t count)
{
    const uint32_t ones = UINT32_MAX >> (32u - width);
    switch (harness_random_below(random, count)) {
    case 0: return 0;
    case 1: return ones;
    case 2: return ones >> 1;
    default: return ones ^ ones >> 1;
    }
}

/* The word with all fields of one type and width at the same extreme, or all but one of them: a colour that is white
 * except for its alpha, a box whose corners are all as far away as possible. */
static uint32_t with_extreme_siblings(struct harness_random *random, enum pica_layout layout, uint32_t word,
                                      bool defined)
{
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    const struct pica_field_info *const chosen = &fields[harness_random_below(random, (uint32_t)count)];
    const bool color = chosen->type == PICA_FIELD_COLOR;
    if (defined && !color) /* extremes of others may be reserved, or too large */
        return word;
    const uint32_t choices = color && harness_random_percent(random, 70) ? 2 : 4;
    const uint32_t value = draw_extreme(random, chosen->width, choices);
    const uint32_t spared =
        harness_random_percent(random, color ? 60 : 40) ? harness_random_below(random, (uint32_t)count) : UINT32_MAX;
    for (uint32_t f = 0; f < count; f++)
        if (f != spared && fields[f].type == chosen->type && fields[f].width == chosen->width)
            word = pica_field_set(&fields[f], word, value);
    return word;
}

/* In percent. Colours often: multiplying by white or adding black changes nothing, so emulators have shortcuts
 * there. */
static uint32_t extreme_chance(const struct pica_field_info *fields, size_t count)
{
    if (count < 2)
        return 0;
    return fields[0].type == PICA_FIELD_COLOR ? 20 : 4;
}

uint32_t harness_layout_draw(struct harness_random *random, enum pica_layout layout, bool defined)
{
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    uint32_t word = 0;
    if (!defined && (count == 0 || harness_random_percent(random, 10)))
        word = harness_random_number(random, 32);
    for (size_t f = 0; f < count; f++)
        word = pica_field_set(&fields[f], word, harness_field_draw(random, &fields[f], defined));
    return harness_random_percent(random, extreme_chance(fields, count))
               ? with_extreme_siblings(random, layout, word, defined)
               : word;
}

/* ---------------------------------------------------------------------------------------------------------- change */

uint32_t harness_field_change(struct harness_random *random, const struct pica_field_info *field, uint32_t old)
{
    const uint32_t ones = UINT32_MAX >> (32u - field->width);
    if (field->width == 1)
        return old ^ 1u;
    switch (harness_random_below(random, 8)) {
    case 0: return (old + 1u) & ones;
    case 1: return (old - 1u) & ones;
    case 2: return old ^ 1u << harness_random_below(random, field->width);
    case 3: return old ^ (1u << (field->width - 1u));
    case 4: return harness_random_number(random, field->width);
    case 5: return (old + harness_random_between(random, 1, 16) - 8u) & ones;
    default: return harness_field_draw(random, field, harness_random_percent(random, 60)) & ones;
    }
}

uint32_t harness_word_change(struct harness_random *random, uint32_t old)
{
    const uint32_t byte = 8u * harness_random_below(random, 4);
    switch (harness_random_below(random, 10)) {
    case 0: return old + 1u;
    case 1: return old - 1u;
    case 2:
    case 3: return old ^ 1u << harness_random_below(random, 32);
    case 4: return (old & ~(0xFFu << byte)) | harness_random_number(random, 8) << byte;
    case 5: return harness_random_number(random, 32);
    case 6: return harness_random_f32(random);
    case 7: return old << byte | (byte == 0 ? 0 : old >> (32u - byte));
    case 8: return (uint32_t)(harness_random_next(random) >> 32);
    default: return old + (harness_random_below(random, 2) != 0 ? 0x10u : 0xFFFFFFF0u);
    }
}

uint32_t harness_layout_change(struct harness_random *random, enum pica_layout layout, uint32_t old)
{
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    if (count == 0 || harness_random_percent(random, 5))
        return harness_word_change(random, old);
    if (count > 1 && harness_random_percent(random, 4))
        return with_extreme_siblings(random, layout, old, false);
    const struct pica_field_info *const field = &fields[harness_random_below(random, (uint32_t)count)];
    return pica_field_set(field, old, harness_field_change(random, field, pica_field_get(field, old)));
}

uint32_t harness_layout_alias(struct harness_random *random, enum pica_layout layout, uint32_t word, uint32_t other)
{
    enum {
        MOST_BITS = 16 /* more are the upper halves of indices that have 32 */
    };
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    const uint32_t start = harness_random_below(random, (uint32_t)count);
    for (uint32_t f = 0; f < count; f++) {
        const struct pica_field_info *const field = &fields[(start + f) % count];
        if ((field->type != PICA_FIELD_UNSIGNED && field->type != PICA_FIELD_ADDRESS) || field->width == 1)
            continue;
        const uint32_t bit = harness_random_below(random, field->width < MOST_BITS ? field->width : MOST_BITS);
        return pica_field_set(field, word, pica_field_get(field, other) ^ 1u << bit);
    }
    return word;
}

/* ------------------------------------------------------------------------------------------------------- registers */

uint32_t harness_register_of(struct harness_random *random, enum pica_reg_class reg_class)
{
    const uint32_t start = harness_random_below(random, PICA_REG_TOTAL);
    /* Steps of 323, coprime to 0x300, so that registers next to a gap are not favoured. */
    for (uint32_t i = 0; i < PICA_REG_TOTAL; i++) {
        const uint32_t id = (start + 323u * i) % PICA_REG_TOTAL;
        if (pica_reg_info(id)->reg_class == reg_class)
            return id;
    }
    return 0; /* not reached: every class has a register */
}

static uint32_t port_unit(uint32_t id, uint32_t first_of_vertex)
{
    if (id >= first_of_vertex && id < first_of_vertex + 8u)
        return PICA_UNIT_VERTEX;
    return id >= first_of_vertex - 0x30u && id < first_of_vertex - 0x28u ? PICA_UNIT_GEOMETRY : 2u;
}

uint32_t harness_code_port(uint32_t id)
{
    return port_unit(id, PICA_REG_VSH_CODETRANSFER_DATA0);
}

uint32_t harness_opdesc_port(uint32_t id)
{
    return port_unit(id, PICA_REG_VSH_OPDESCS_DATA0);
}
