/*
 * Values for the bit fields of pica/fields.def, drawn by what the tables say about a field and by nothing else: a new
 * line there is generated and mutated without new code here.
 */
#ifndef HARNESS_VALUES_H
#define HARNESS_VALUES_H

#include "harness/case/numbers.h"
#include "harness/grammar/random.h"
#include "pica/fields.h"
#include "pica/regs.h"

/* True for encodings that the specification reserves or that record an event whatever surrounds them. */
bool harness_value_is_reserved(enum pica_enum_id enumeration, uint32_t value);

/* A value for the field, right-aligned. `defined`: no reserved encodings, finite floats. */
uint32_t harness_field_draw(struct harness_random *random, const struct pica_field_info *field, bool defined);

/* The field's value after a small change: neighbour, bit, boundary, other enumerator. */
uint32_t harness_field_change(struct harness_random *random, const struct pica_field_info *field, uint32_t old);

/* A word with all fields of the layout drawn. Bits without a field: 0 if defined, else sometimes noise. */
uint32_t harness_layout_draw(struct harness_random *random, enum pica_layout layout, bool defined);

/* The word with one field of the layout changed; words without fields: harness_word_change. */
uint32_t harness_layout_change(struct harness_random *random, enum pica_layout layout, uint32_t old);

/* The word with one field that counts or names something (an index, an id, an address) as in `other` except for one
 * bit: code that compares only some of the bits takes both for the same. The word as it is if there is no such
 * field. */
uint32_t harness_layout_alias(struct harness_random *random, enum pica_layout layout, uint32_t word, uint32_t other);

/* A word about which nothing is known. */
uint32_t harness_word_change(struct harness_random *random, uint32_t old);

/* Raw bits of a small float (FLT-10) near `value`: truncated, too small gives 0, too large the largest number. */
uint32_t harness_small_float(uint32_t exponent_bits, uint32_t mantissa_bits, float value);

/* A register of that class, each equally likely. */
uint32_t harness_register_of(struct harness_random *random, enum pica_reg_class reg_class);

/* The shader unit whose port `id` is (PICA_UNIT_*): instructions, descriptors. 2 = of none. */
uint32_t harness_code_port(uint32_t id);
uint32_t harness_opdesc_port(uint32_t id);

#endif
