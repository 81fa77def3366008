/* Register values as text by field, and back. */
#ifndef HARNESS_FIELD_TEXT_H
#define HARNESS_FIELD_TEXT_H

#include "harness/case/numbers.h"
#include "harness/case/text.h"
#include "pica/fields.h"

#include <stdbool.h>
#include <stdint.h>

/* The field's bits for that text; false if the text is not a value of the field. Takes 0x.. = raw bits, decimals =
 * the number itself (byte addresses and sizes are in bytes), names of enumerators. */
bool harness_field_parse(const struct pica_field_info *field, const char *text, uint32_t *bits);

enum {
    HARNESS_EXPECTATION = 320
};

/* What harness_field_parse takes, for messages; with the names of an enumeration. Returns `out`. */
const char *harness_field_expectation(const struct pica_field_info *field, char out[HARNESS_EXPECTATION]);

/* Appends " { field = value, ... }", or " = 0x..." if no field is set; either reads back as exactly `word`. Long ones
 * continue on further lines, one level deeper than `indent`. */
void harness_value_print(enum pica_layout layout, uint32_t word, uint32_t indent, struct harness_text *out);

/* 0x and raw bits, or a decimal number, in a format of FLT-10. */
bool harness_float_parse(struct harness_float_format format, const char *text, uint32_t *raw);

/* A decimal number from -2^(width - 1) to 2^width - 1, or 0x and bits; width 1-32. */
bool harness_integer_parse(const char *text, uint32_t width, uint32_t *bits);

/* Unsigned or hexadecimal number up to `most`; the whole string. */
bool harness_number_parse(const char *text, uint64_t most, uint64_t *value);

#endif
