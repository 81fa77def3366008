#include "harness/case/field_text.h"
#include "harness/case/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------------- numbers */

static bool is_hexadecimal(const char *text)
{
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

bool harness_number_parse(const char *text, uint64_t most, uint64_t *value)
{
    const uint32_t base = is_hexadecimal(text) ? 16 : 10;
    uint64_t number = 0;
    text += base == 16 ? 2 : 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        const uint32_t digit = harness_digit(*text);
        if (digit >= base || number > (UINT64_MAX - digit) / base)
            return false;
        number = number * base + digit;
    }
    *value = number;
    return number <= most;
}

/* A finite decimal or inf, -inf; nothing else that strtod would take. */
static bool decimal_parse(const char *text, double *value)
{
    const char *const digits = text[0] == '-' ? text + 1 : text;
    if (strcmp(digits, "inf") != 0 && (digits[0] < '0' || digits[0] > '9' || is_hexadecimal(digits)))
        return false;
    char *end;
    *value = strtod(text, &end);
    return *end == '\0';
}

bool harness_float_parse(struct harness_float_format format, const char *text, uint32_t *raw)
{
    const uint32_t mask = (uint32_t)(((uint64_t)1 << (1 + format.exponent + format.mantissa)) - 1);
    uint64_t bits;
    double value;
    if (is_hexadecimal(text)) {
        if (!harness_number_parse(text, mask, &bits))
            return false;
        *raw = (uint32_t)bits;
        return true;
    }
    if (!decimal_parse(text, &value))
        return false;
    *raw = harness_float_raw(format, value);
    return true;
}

bool harness_integer_parse(const char *text, uint32_t width, uint32_t *bits)
{
    const uint64_t most = ((uint64_t)1 << width) - 1;
    const bool negative = text[0] == '-';
    uint64_t magnitude;
    if (!harness_number_parse(text + (negative ? 1 : 0), negative ? (uint64_t)1 << (width - 1) : most, &magnitude))
        return false;
    *bits = (uint32_t)((negative ? 0u - magnitude : magnitude) & most);
    return true;
}

/* --------------------------------------------------------------------------------------------------------- fields */

static uint32_t field_mask(const struct pica_field_info *field)
{
    return UINT32_MAX >> (32 - field->width);
}

/* The float format of a field, exponent 0 for other types. */
static struct harness_float_format float_format(enum pica_field_type type)
{
    switch (type) {
    case PICA_FIELD_FLOAT16: return HARNESS_FLOAT16;
    case PICA_FIELD_FLOAT20: return HARNESS_FLOAT20;
    case PICA_FIELD_FLOAT24: return HARNESS_FLOAT24;
    case PICA_FIELD_FLOAT31: return HARNESS_FLOAT31;
    case PICA_FIELD_FLAG:
    case PICA_FIELD_ENUM:
    case PICA_FIELD_UNSIGNED:
    case PICA_FIELD_SIGNED:
    case PICA_FIELD_DIMENSION:
    case PICA_FIELD_ADDRESS:
    case PICA_FIELD_SIZE:
    case PICA_FIELD_FIXED_UNSIGNED:
    case PICA_FIELD_FIXED_SIGNED:
    case PICA_FIELD_COLOR:
    case PICA_FIELD_MASK: break;
    }
    return (struct harness_float_format){ 0, 0 };
}

static bool is_signed(const struct pica_field_info *field)
{
    return field->type == PICA_FIELD_SIGNED || field->type == PICA_FIELD_FIXED_SIGNED;
}

static int64_t field_number(const struct pica_field_info *field, uint32_t bits)
{
    if (is_signed(field) && (bits >> (field->width - 1) & 1u) != 0)
        return (int64_t)bits - ((int64_t)1 << field->width);
    return bits;
}

static void print_fixed(const struct pica_field_info *field, uint32_t bits, struct harness_text *out)
{
    /* At most 32 bits: exact in a double, and so in 9 + unit digits. */
    const double value = ldexp((double)field_number(field, bits), -(int)field->unit);
    const size_t before = out->size;
    harness_text_format(out, "%.*g", 40, value);
    if (!out->failed && strpbrk(out->data + before, ".e") == NULL)
        harness_text_add(out, ".0");
}

static void print_enum(const struct pica_field_info *field, uint32_t bits, struct harness_text *out)
{
    size_t count;
    const struct pica_enum_value *const values = pica_enum_values(field->enumeration, &count);
    if (bits < count)
        harness_text_add(out, values[bits].text);
    else
        harness_text_format(out, "%u", bits);
}

/* Appends the value of one field: enum text, decimal, byte address, ... */
static void print_field(const struct pica_field_info *field, uint32_t word, struct harness_text *out)
{
    const uint32_t bits = pica_field_get(field, word);
    char number[HARNESS_NUMBER_TEXT];
    switch (field->type) {
    case PICA_FIELD_ENUM: print_enum(field, bits, out); return;
    case PICA_FIELD_FLAG:
    case PICA_FIELD_DIMENSION: harness_text_format(out, "%u", bits); return;
    case PICA_FIELD_UNSIGNED: harness_text_format(out, bits < 0x10000 ? "%u" : "0x%X", bits); return;
    case PICA_FIELD_SIGNED: harness_text_format(out, "%lld", (long long)field_number(field, bits)); return;
    case PICA_FIELD_ADDRESS:
    case PICA_FIELD_SIZE:
        harness_text_format(out, "0x%llX", (unsigned long long)((uint64_t)bits << field->unit));
        return;
    case PICA_FIELD_FIXED_UNSIGNED:
    case PICA_FIELD_FIXED_SIGNED: print_fixed(field, bits, out); return;
    case PICA_FIELD_FLOAT16:
    case PICA_FIELD_FLOAT20:
    case PICA_FIELD_FLOAT24:
    case PICA_FIELD_FLOAT31:
        harness_float_print(number, float_format(field->type), bits);
        harness_text_add(out, number);
        return;
    case PICA_FIELD_COLOR:
    case PICA_FIELD_MASK: harness_text_format(out, "0x%X", bits); return;
    }
}

static const char *expectation(const struct pica_field_info *field)
{
    switch (field->type) {
    case PICA_FIELD_FLAG: return "0 or 1";
    case PICA_FIELD_ENUM: return "a name of the enumeration or its number";
    case PICA_FIELD_UNSIGNED:
    case PICA_FIELD_DIMENSION:
    case PICA_FIELD_COLOR:
    case PICA_FIELD_MASK: return "a number that fits the field";
    case PICA_FIELD_SIGNED: return "a signed number that fits the field";
    case PICA_FIELD_ADDRESS: return "an address in bytes that the field can hold";
    case PICA_FIELD_SIZE: return "a size in bytes that the field can hold";
    case PICA_FIELD_FIXED_UNSIGNED:
    case PICA_FIELD_FIXED_SIGNED: return "a fixed-point number in range, or 0x and raw bits";
    case PICA_FIELD_FLOAT16:
    case PICA_FIELD_FLOAT20:
    case PICA_FIELD_FLOAT24:
    case PICA_FIELD_FLOAT31: return "a decimal number, or 0x and raw bits";
    }
    return "a value";
}

const char *harness_field_expectation(const struct pica_field_info *field, char out[HARNESS_EXPECTATION])
{
    struct harness_text text = { 0 };
    size_t count = 0;
    const struct pica_enum_value *const values =
        field->type == PICA_FIELD_ENUM ? pica_enum_values(field->enumeration, &count) : NULL;
    harness_text_add(&text, expectation(field));
    for (size_t i = 0; i < count; i++)
        harness_text_format(&text, "%s%s%s", i == 0 ? " (" : ", ", values[i].text, i + 1 == count ? ")" : "");
    (void)snprintf(out, HARNESS_EXPECTATION, "%s", harness_text_string(&text));
    harness_text_free(&text);
    return out;
}

static bool parse_signed(const struct pica_field_info *field, const char *text, uint32_t *bits)
{
    uint64_t magnitude;
    const bool negative = text[0] == '-';
    const uint64_t half = (uint64_t)1 << (field->width - 1);
    if (!harness_number_parse(text + (negative ? 1 : 0), negative ? half : half - 1, &magnitude))
        return false;
    *bits = (uint32_t)(negative ? 0u - magnitude : magnitude) & field_mask(field);
    return true;
}

static bool parse_fixed(const struct pica_field_info *field, const char *text, uint32_t *bits)
{
    double value;
    if (!decimal_parse(text, &value))
        return false;
    const double scaled = rint(ldexp(value, (int)field->unit));
    const double least = is_signed(field) ? -ldexp(1.0, (int)field->width - 1) : 0.0;
    const double most = ldexp(1.0, (int)field->width - (is_signed(field) ? 1 : 0)) - 1.0;
    if (!(scaled >= least) || !(scaled <= most))
        return false;
    *bits = (uint32_t)(int64_t)scaled & field_mask(field);
    return true;
}

static bool parse_scaled(const struct pica_field_info *field, const char *text, uint32_t *bits)
{
    uint64_t value;
    if (!harness_number_parse(text, (uint64_t)field_mask(field) << field->unit, &value) ||
        (value & (((uint64_t)1 << field->unit) - 1)) != 0)
        return false;
    *bits = (uint32_t)(value >> field->unit);
    return true;
}

bool harness_field_parse(const struct pica_field_info *field, const char *text, uint32_t *bits)
{
    const struct harness_float_format format = float_format(field->type);
    const bool is_fixed = field->type == PICA_FIELD_FIXED_UNSIGNED || field->type == PICA_FIELD_FIXED_SIGNED;
    uint64_t value;
    if (field->type == PICA_FIELD_ADDRESS || field->type == PICA_FIELD_SIZE)
        return parse_scaled(field, text, bits);
    if (field->type == PICA_FIELD_SIGNED && !is_hexadecimal(text))
        return parse_signed(field, text, bits);
    if (field->type == PICA_FIELD_ENUM) {
        const struct pica_enum_value *const named = pica_enum_value_by_text(field->enumeration, text);
        if (named != NULL) {
            *bits = named->value;
            return true;
        }
    }
    if (is_fixed && !is_hexadecimal(text))
        return parse_fixed(field, text, bits);
    if (format.exponent != 0)
        return harness_float_parse(format, text, bits);
    if (!harness_number_parse(text, field_mask(field), &value))
        return false;
    *bits = (uint32_t)value;
    return true;
}

/* --------------------------------------------------------------------------------------------------------- values */

/* Enumerations are shown even if 0: "never" and "primary" say something. */
static bool is_shown(const struct pica_field_info *field, uint32_t word)
{
    return pica_field_get(field, word) != 0 || field->type == PICA_FIELD_ENUM;
}

/* The word's bits that no field shows. */
static uint32_t other_bits(const struct pica_field_info *fields, size_t count, uint32_t word)
{
    for (size_t i = 0; i < count; i++)
        word = pica_field_set(&fields[i], word, 0);
    return word;
}

/* Characters since the last line end, up to a bound that is more than a line. */
static size_t column(const struct harness_text *out)
{
    size_t count = 0;
    while (count < out->size && count < 200 && out->data[out->size - 1 - count] != '\n')
        count++;
    return count;
}

/* The name of one more field between the braces; long values go on in the next line. */
static void start_item(struct harness_text *out, uint32_t indent, bool first, const char *name)
{
    enum {
        WIDTH = 90
    };
    harness_text_add(out, first ? " " : ",");
    if (!first && column(out) > WIDTH) {
        harness_text_add(out, "\n");
        harness_text_indent(out, indent + 1);
    } else if (!first) {
        harness_text_add(out, " ");
    }
    harness_text_format(out, "%s = ", name);
}

/* Words that are read as a whole although they have fields. */
static bool is_plain(const struct pica_field_info *fields, size_t count)
{
    return count == 0 || fields[0].layout == PICA_LAYOUT_IRQ_BYTES ||
           (count == 1 && fields[0].width == 32 && fields[0].type == PICA_FIELD_UNSIGNED);
}

void harness_value_print(enum pica_layout layout, uint32_t word, uint32_t indent, struct harness_text *out)
{
    size_t count;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    const uint32_t other = other_bits(fields, count, word);
    bool first = true;
    if (other == word || is_plain(fields, count)) {
        harness_text_format(out, word < 10 ? " = %u" : " = 0x%08X", word);
        return;
    }
    harness_text_add(out, " {");
    for (size_t i = 0; i < count; i++)
        if (is_shown(&fields[i], word)) {
            start_item(out, indent, first, fields[i].name);
            print_field(&fields[i], word, out);
            first = false;
        }
    if (other != 0) {
        start_item(out, indent, first, "other");
        harness_text_format(out, "0x%X", other);
    }
    harness_text_add(out, " }");
}
