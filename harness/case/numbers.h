/*
 * Numbers as text, exactly: whatever is written as a decimal comes back as the same bits (FLT-10 formats and binary32).
 * These conversions serve people and files; no result of a run depends on them.
 */
#ifndef HARNESS_NUMBERS_H
#define HARNESS_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

static const uint32_t HARNESS_F32_NAN = 0x7FC00000u; /* GEN-02 */

/* A format of FLT-10: 1 sign, `exponent` and `mantissa` bits. binary32 is { 8, 23 }. */
struct harness_float_format {
    uint32_t exponent;
    uint32_t mantissa;
};

static const struct harness_float_format HARNESS_FLOAT16 = { 5, 10 };
static const struct harness_float_format HARNESS_FLOAT20 = { 7, 12 };
static const struct harness_float_format HARNESS_FLOAT24 = { 7, 16 };
static const struct harness_float_format HARNESS_FLOAT31 = { 7, 23 };
static const struct harness_float_format HARNESS_FLOAT32 = { 8, 23 };

/* Room for any number printed by this file. */
enum {
    HARNESS_NUMBER_TEXT = 48
};

/* The value of a hexadecimal digit, 16 if `c` is none. */
uint32_t harness_digit(char c);

bool harness_f32_is_nan(uint32_t bits);

/* FLT-10. For HARNESS_FLOAT32 the value itself; every NaN gives a quiet NaN. */
double harness_float_value(struct harness_float_format format, uint32_t raw);

/* The raw value nearest to `value`, ties to even, infinity beyond the range. A NaN gives the quiet NaN of the
 * format. */
uint32_t harness_float_raw(struct harness_float_format format, double value);

/* Prints the shortest decimal that reads back as `raw` ("1.0", "-0.0", "inf"), or 0x and hexadecimal digits for a
 * NaN. */
void harness_float_print(char out[HARNESS_NUMBER_TEXT], struct harness_float_format format, uint32_t raw);

uint32_t harness_f32_bits(float value);

/* REG-23: the three words in which a vector x, y, z, w of float24 raw values is sent, w first. */
void harness_float24_pack(const uint32_t raw[4], uint32_t words[3]);

/* binary32 bits of a float24 raw value (FLT-10). */
uint32_t harness_float24_to_f32(uint32_t raw);

/* The value if float24 can hold it, else R24 of it (FLT-20). NaN stays HARNESS_F32_NAN. */
uint32_t harness_f32_to_profile24(uint32_t bits);

#endif
