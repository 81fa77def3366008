#include "harness/case/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t harness_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (uint32_t)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (uint32_t)(c - 'a') + 10u;
    if (c >= 'A' && c <= 'F')
        return (uint32_t)(c - 'A') + 10u;
    return 16;
}

bool harness_f32_is_nan(uint32_t bits)
{
    return (bits & 0x7FFFFFFFu) > 0x7F800000u;
}

static uint32_t ones(uint32_t bits)
{
    return ((uint32_t)1 << bits) - 1u;
}

static int bias(struct harness_float_format format)
{
    return (int)ones(format.exponent - 1);
}

double harness_float_value(struct harness_float_format format, uint32_t raw)
{
    const uint32_t mantissa = raw & ones(format.mantissa);
    const uint32_t exponent = raw >> format.mantissa & ones(format.exponent);
    const bool negative = (raw >> (format.exponent + format.mantissa) & 1u) != 0;
    double value;
    if (exponent == ones(format.exponent))
        value = mantissa == 0 ? (double)INFINITY : (double)NAN;
    else if (exponent == 0)
        value = ldexp((double)mantissa, 1 - bias(format) - (int)format.mantissa);
    else
        value = ldexp((double)(mantissa | (uint32_t)1 << format.mantissa),
                      (int)exponent - bias(format) - (int)format.mantissa);
    return negative ? -value : value;
}

/* |value| in units of the format's step at that size; rint rounds ties to even. */
static uint32_t magnitude_raw(struct harness_float_format format, double magnitude)
{
    const int least = 1 - bias(format); /* exponent of the smallest normal number */
    int exponent;
    (void)frexp(magnitude, &exponent);
    exponent -= 1;
    if (exponent < least)
        exponent = least;
    const double steps = rint(ldexp(magnitude, (int)format.mantissa - exponent));
    /* steps <= 2^(mantissa + 1); a carry into the next exponent falls out of the addition. */
    const uint64_t raw = (uint64_t)steps + ((uint64_t)(exponent - least) << format.mantissa);
    const uint64_t infinity = (uint64_t)ones(format.exponent) << format.mantissa;
    return (uint32_t)(raw < infinity ? raw : infinity);
}

uint32_t harness_float_raw(struct harness_float_format format, double value)
{
    const uint32_t sign = (signbit(value) != 0 ? 1u : 0u) << (format.exponent + format.mantissa);
    const uint32_t infinity = ones(format.exponent) << format.mantissa;
    if (isnan(value))
        return infinity | (uint32_t)1 << (format.mantissa - 1);
    if (isinf(value) || fabs(value) >= ldexp(1.0, bias(format) + 1))
        return sign | infinity;
    return value == 0.0 ? sign : sign | magnitude_raw(format, fabs(value));
}

/* `digits` significant digits, without an exponent where that is short; always recognisable as a decimal. */
static void print_decimal(char out[HARNESS_NUMBER_TEXT], double value, int digits)
{
    (void)snprintf(out, HARNESS_NUMBER_TEXT, "%.*e", digits - 1, value);
    const char *const mark = strchr(out, 'e');
    const long exponent = mark == NULL ? 0 : strtol(mark + 1, NULL, 10);
    if (mark == NULL || exponent < -5 || exponent > 9)
        return;
    const int decimals = digits - 1 - (int)exponent;
    (void)snprintf(out, HARNESS_NUMBER_TEXT, "%.*f", decimals > 0 ? decimals : 1, value);
}

static bool is_exact(char out[HARNESS_NUMBER_TEXT], struct harness_float_format format, uint32_t raw, double value,
                     int digits)
{
    print_decimal(out, value, digits);
    return harness_float_raw(format, strtod(out, NULL)) == raw;
}

/* Prints the fewest digits that are read back as the same bits. More digits are never farther from the value: if five
 * are not enough, fewer are not either, which saves trying them; except at a power of two, as the next value below it
 * is closer than the one above. */
void harness_float_print(char out[HARNESS_NUMBER_TEXT], struct harness_float_format format, uint32_t raw)
{
    const double value = harness_float_value(format, raw);
    const bool is_power = (raw & ones(format.mantissa)) == 0;
    for (int digits = 1; digits <= 9 && !isnan(value); digits++) {
        if (is_exact(out, format, raw, value, digits))
            return;
        if (digits == 1 && !is_power && !is_exact(out, format, raw, value, 5))
            digits = 5;
    }
    (void)snprintf(out, HARNESS_NUMBER_TEXT, "0x%X", raw);
}

uint32_t harness_f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void harness_float24_pack(const uint32_t raw[4], uint32_t words[3])
{
    words[0] = raw[3] << 8 | raw[2] >> 16;
    words[1] = raw[2] << 16 | raw[1] >> 8;
    words[2] = raw[1] << 24 | raw[0];
}

uint32_t harness_float24_to_f32(uint32_t raw)
{
    return harness_float_raw(HARNESS_FLOAT32, harness_float_value(HARNESS_FLOAT24, raw));
}

/* FLT-20, on a value that is not a NaN. */
static uint32_t round24(uint32_t bits)
{
    const uint32_t sign = bits & 0x80000000u;
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    const uint32_t rounded = (magnitude + 0x3Fu + (magnitude >> 7 & 1u)) & 0xFFFFFF80u;
    if (rounded >= 0x5F800000u)
        return sign | 0x7F800000u;
    return rounded < 0x20800000u ? 0 : sign | rounded;
}

uint32_t harness_f32_to_profile24(uint32_t bits)
{
    if (harness_f32_is_nan(bits))
        return HARNESS_F32_NAN;
    const uint32_t raw = harness_float_raw(HARNESS_FLOAT24, harness_float_value(HARNESS_FLOAT32, bits));
    return harness_float24_to_f32(raw) == bits ? bits : round24(bits);
}
