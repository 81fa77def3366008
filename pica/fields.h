/*
 * The bit fields of fields.def: for each field a getter and a setter, for each array of fields a pair by index, and
 * the tables that they come from.
 *
 *   pica_<layout>_<field>(word)               the field's value, right-aligned: uint32_t; int32_t, sign-extended, for
 *                                             SIGNED and FIXED_SIGNED; enum pica_<enum> for ENUM
 *   pica_<layout>_set_<field>(word, value)    the word with that field replaced by the value's low bits
 *   pica_<layout>_<name>_at(word, i)          element i of a FIELD_ARRAY
 *   pica_<layout>_set_<name>_at(word, i, value)
 */
#ifndef PICA_FIELDS_H
#define PICA_FIELDS_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "pica/enums.h"

/* width 1-32, low + width <= 32 */
static inline uint32_t pica_bits(uint32_t word, uint32_t low, uint32_t width)
{
    return (word >> low) & (0xFFFFFFFFu >> (32u - width));
}

/* As pica_bits, read as two's complement; width < 32. */
static inline int32_t pica_bits_signed(uint32_t word, uint32_t low, uint32_t width)
{
    const uint32_t sign = 1u << (width - 1u);
    const uint32_t value = pica_bits(word, low, width);
    return (int32_t)(value & (sign - 1u)) - (int32_t)(value & sign);
}

static inline uint32_t pica_bits_replaced(uint32_t word, uint32_t low, uint32_t width, uint32_t value)
{
    const uint32_t mask = 0xFFFFFFFFu >> (32u - width);
    return (word & ~(mask << low)) | ((value & mask) << low);
}

#define PICA_GETTER_PLAIN(layout, field, low, width)              \
    static inline uint32_t pica_##layout##_##field(uint32_t word) \
    {                                                             \
        return pica_bits(word, low, width);                       \
    }
#define PICA_GETTER_INT(layout, field, low, width)               \
    static inline int32_t pica_##layout##_##field(uint32_t word) \
    {                                                            \
        return pica_bits_signed(word, low, width);               \
    }
#define PICA_GETTER_ENUM(layout, field, low, width, enumeration)                 \
    static inline enum pica_##enumeration pica_##layout##_##field(uint32_t word) \
    {                                                                            \
        return (enum pica_##enumeration)pica_bits(word, low, width);             \
    }
#define PICA_GETTER_FLAG(layout, field, low, width, none)           PICA_GETTER_PLAIN(layout, field, low, width)
#define PICA_GETTER_UNSIGNED(layout, field, low, width, none)       PICA_GETTER_PLAIN(layout, field, low, width)
#define PICA_GETTER_SIGNED(layout, field, low, width, none)         PICA_GETTER_INT(layout, field, low, width)
#define PICA_GETTER_DIMENSION(layout, field, low, width, none)      PICA_GETTER_PLAIN(layout, field, low, width)
#define PICA_GETTER_ADDRESS(layout, field, low, width, none)        PICA_GETTER_PLAIN(layout, field, low, width)
#define PICA_GETTER_SIZE(layout, field, low, width, none)           PICA_GETTER_PLAIN(layout, field, low, width)
#define PICA_GETTER_FIXED_UNSIGNED(layout, field, low, width, none) PICA_GETTER_PLAIN(layout, field, low, width)
#define PICA_GETTER_FIXED_SIGNED(layout, field, low, width, none)   PICA_GETTER_INT(layout, field, low, width)
#define PICA_GETTER_FLOAT16(layout, field, low, width, none)        PICA_GETTER_PLAIN(layout, field, low, width)
#define PICA_GETTER_FLOAT20(layout, field, low, width, none)        PICA_GETTER_PLAIN(layout, field, low, width)
#define PICA_GETTER_FLOAT24(layout, field, low, width, none)        PICA_GETTER_PLAIN(layout, field, low, width)
#define PICA_GETTER_FLOAT31(layout, field, low, width, none)        PICA_GETTER_PLAIN(layout, field, low, width)
#define PICA_GETTER_COLOR(layout, field, low, width, none)          PICA_GETTER_PLAIN(layout, field, low, width)
#define PICA_GETTER_MASK(layout, field, low, width, none)           PICA_GETTER_PLAIN(layout, field, low, width)

#define PICA_SETTER(layout, field, low, width)                                        \
    static inline uint32_t pica_##layout##_set_##field(uint32_t word, uint32_t value) \
    {                                                                                 \
        return pica_bits_replaced(word, low, width, value);                           \
    }

#define FIELD(layout, field, low, width, TYPE, enumeration, unit, rule) \
    PICA_GETTER_##TYPE(layout, field, low, width, enumeration) PICA_SETTER(layout, field, low, width)

#define FIELD_ARRAY(layout, name, low, stride, width, count, rule)                                    \
    static inline uint32_t pica_##layout##_##name##_at(uint32_t word, uint32_t i)                     \
    {                                                                                                 \
        assert(i < count);                                                                            \
        return pica_bits(word, (uint32_t)((low) + (stride) * (int32_t)i), width);                     \
    }                                                                                                 \
                                                                                                      \
    static inline uint32_t pica_##layout##_set_##name##_at(uint32_t word, uint32_t i, uint32_t value) \
    {                                                                                                 \
        assert(i < count);                                                                            \
        return pica_bits_replaced(word, (uint32_t)((low) + (stride) * (int32_t)i), width, value);     \
    }
#include "pica/fields.def"

#undef PICA_GETTER_PLAIN
#undef PICA_GETTER_INT
#undef PICA_GETTER_ENUM
#undef PICA_GETTER_FLAG
#undef PICA_GETTER_UNSIGNED
#undef PICA_GETTER_SIGNED
#undef PICA_GETTER_DIMENSION
#undef PICA_GETTER_ADDRESS
#undef PICA_GETTER_SIZE
#undef PICA_GETTER_FIXED_UNSIGNED
#undef PICA_GETTER_FIXED_SIGNED
#undef PICA_GETTER_FLOAT16
#undef PICA_GETTER_FLOAT20
#undef PICA_GETTER_FLOAT24
#undef PICA_GETTER_FLOAT31
#undef PICA_GETTER_COLOR
#undef PICA_GETTER_MASK
#undef PICA_SETTER

/* PICA_LAYOUT_NONE is 0. */
enum pica_layout {
#define LAYOUT(layout, LAYOUT_NAME, rule) PICA_LAYOUT_##LAYOUT_NAME,
#include "pica/fields.def"
};

enum {
    PICA_LAYOUT_TOTAL = 0
#define LAYOUT(layout, LAYOUT_NAME, rule) +1
#include "pica/fields.def"
};

enum {
    PICA_FIELD_TOTAL = 0
#define FIELD(layout, field, low, width, TYPE, enumeration, unit, rule) +1
#include "pica/fields.def"
};

/* See the head of fields.def. */
enum pica_field_type {
    PICA_FIELD_FLAG,
    PICA_FIELD_ENUM,
    PICA_FIELD_UNSIGNED,
    PICA_FIELD_SIGNED,
    PICA_FIELD_DIMENSION,
    PICA_FIELD_ADDRESS,
    PICA_FIELD_SIZE,
    PICA_FIELD_FIXED_UNSIGNED,
    PICA_FIELD_FIXED_SIGNED,
    PICA_FIELD_FLOAT16,
    PICA_FIELD_FLOAT20,
    PICA_FIELD_FLOAT24,
    PICA_FIELD_FLOAT31,
    PICA_FIELD_COLOR,
    PICA_FIELD_MASK
};

struct pica_field_info {
    const char *name;
    enum pica_layout layout;
    enum pica_field_type type;
    enum pica_enum_id enumeration; /* PICA_ENUM_NONE unless type is PICA_FIELD_ENUM */
    uint32_t low;
    uint32_t width;
    uint32_t unit; /* meaning by type: head of fields.def */
    const char *rule;
};

struct pica_layout_info {
    const char *name;
    const char *rule;
};

/* Every field of every layout. The index of a field in this array numbers fields without gaps, for coverage maps. */
const struct pica_field_info *pica_fields(size_t *count);

/* NULL for numbers that name no layout. */
const struct pica_layout_info *pica_layout_info(enum pica_layout layout);

/* The fields of a layout, lowest bit first. NULL, and *count = 0, for PICA_LAYOUT_NONE and numbers of no layout. */
const struct pica_field_info *pica_layout_fields(enum pica_layout layout, size_t *count);

/* The field of that name in the layout, or NULL. */
const struct pica_field_info *pica_field_by_name(enum pica_layout layout, const char *name);

/* The value of the field in `word`, right-aligned and never sign-extended. */
static inline uint32_t pica_field_get(const struct pica_field_info *field, uint32_t word)
{
    return pica_bits(word, field->low, field->width);
}

static inline uint32_t pica_field_set(const struct pica_field_info *field, uint32_t word, uint32_t value)
{
    return pica_bits_replaced(word, field->low, field->width, value);
}

#endif
