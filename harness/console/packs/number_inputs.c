/*
 * Which float24 numbers the operations of the vertex shader are asked for. The same always: nothing here is drawn by
 * chance, but for mantissas out of a hash.
 */
#include "harness/case/numbers.h"
#include "harness/console/packs/number_parts.h"

/* float24: zeros; ones; integers and halves; where EX2 leaves its range; the largest, infinities, NaN, the smallest. */
static const uint32_t extremes[] = {
    0x000000, 0x800000, 0x3F0000, 0xBF0000, 0x3EFFFF, 0xBEFFFF, 0x3F0001, 0xBF0001, 0x3E0000, 0xBE0000, 0x400000,
    0xC00000, 0x408000, 0xC08000, 0x430000, 0x430001, 0x44F800, 0xC4F000, 0xC4F7FF, 0x450000, 0xC50000, 0x4EFFFF,
    0xCEFFFF, 0x4F0000, 0x500001, 0x7D0000, 0x7DFFFF, 0x7E0000, 0x7EFFFF, 0xFEFFFF, 0x7F0000, 0xFF0000, 0x7F0001,
    0x7F8000, 0xFFFFFF, 0x010000, 0x810000, 0x010001, 0x01FFFF, 0x81FFFF, 0x020000, 0x028000,
};

/* For uniforms alone: as attributes they would be flushed before the operation sees them. */
static const uint32_t subnormals[] = { 0x000001, 0x800001, 0x008000, 0x00FFFF, 0x80FFFF };

enum {
    EXTREMES = sizeof extremes / sizeof extremes[0],
    EXTREME_DRAWS = EXTREMES + sizeof subnormals / sizeof subnormals[0],
    QUARTERS = 4,  /* pictures for all mantissas of an exponent */
    DRAWS = 64,    /* of a picture */
    IN_DRAW = 256, /* inputs of a draw */
    MANTISSA = 16, /* bits */
    BLOCKS = 4     /* of second operands, 256 each; 1024 first and 1024 second operands make 64 pictures */
};

_Static_assert(EXTREME_DRAWS <= DRAWS, "all fit into a picture");

static uint32_t extreme(uint32_t draw)
{
    return draw < EXTREMES ? extremes[draw] : subnormals[draw - EXTREMES];
}

/* ----------------------------------------------------------------------------------------------------------- pairs */

/* Exponents such that a first and a second differ by everything from -20 to 20, and products leave the range by one. */
static const uint8_t pair_exponents[2][16] = {
    { 1, 31, 47, 55, 59, 60, 61, 62, 63, 64, 65, 67, 71, 79, 95, 126 },
    { 2, 45, 46, 48, 50, 53, 56, 58, 62, 63, 64, 66, 68, 72, 80, 125 },
};

static uint32_t hash(uint32_t value)
{
    value = (value ^ 61u ^ value >> 16) * 9u;
    value = (value ^ value >> 4) * 0x27D4EB2Du;
    return value ^ value >> 15;
}

/* Number 0 to 1023 of the first (set 0) or second operands: 16 exponents, 32 mantissas, both signs. */
static uint32_t pair_value(uint32_t set, uint32_t number)
{
    static const uint16_t patterns[8] = { 0x0000, 0xFFFF, 0x0001, 0x8000, 0x5555, 0xAAAA, 0x00FF, 0xFF00 };
    const uint32_t pattern = number >> 1 & 31u;
    const uint32_t mantissa = pattern < 8 ? patterns[pattern] : hash(set << 10 | number) & 0xFFFFu;
    return (number & 1u) << 23 | (uint32_t)pair_exponents[set][number >> 6 & 15u] << MANTISSA | mantissa;
}

/* The third operand of MAD: about as large as the product with one of the four exponents of the second's block. */
static uint32_t addend(uint32_t part, uint32_t draw)
{
    const uint32_t random = hash(0x10000u | part << 6 | draw);
    const int32_t a = pair_exponents[0][part / BLOCKS], b = pair_exponents[1][part % BLOCKS * BLOCKS + draw % 4];
    const int32_t near_product = a + b - 63 + (int32_t)(draw % 19) - 9;
    const int32_t exponent = near_product < 1 ? 1 : near_product > 126 ? 126 : near_product;
    return (random >> 16 & 1u) << 23 | (uint32_t)exponent << MANTISSA | (random & 0xFFFFu);
}

/* -------------------------------------------------------------------------------------------------------- a case's */

bool console_float_is_extremes(const struct console_number_operation *operation, uint32_t part)
{
    return operation->kind != CONSOLE_NUMBER_FETCH && part + 1 == console_number_cases(operation);
}

struct console_float_layout console_float_layout(const struct console_number_operation *operation, uint32_t part)
{
    if (operation->kind == CONSOLE_NUMBER_FETCH)
        return (struct console_float_layout){ 1, IN_DRAW };
    if (!console_float_is_extremes(operation, part))
        return (struct console_float_layout){ DRAWS, IN_DRAW };
    return (struct console_float_layout){ EXTREME_DRAWS, operation->kind == CONSOLE_NUMBER_SWEEP ? 1 : EXTREMES };
}

/* A sweep adds the attribute to 1 and the higher bits of the mantissa, and multiplies by sign and exponent. */
static uint32_t sweep_uniform(const struct console_number_operation *operation, uint32_t part, uint32_t draw,
                              uint32_t component)
{
    if (component == 0)
        return 0x3F0000u | (part % QUARTERS * DRAWS + draw) * IN_DRAW;
    return component == 1 ? (uint32_t)operation->exponents[part / QUARTERS] << MANTISSA : 0;
}

uint32_t console_float_uniform(const struct console_number_operation *operation, uint32_t part, uint32_t draw,
                               uint32_t component)
{
    static const uint32_t step = 5; /* shares no divisor with EXTREME_DRAWS */
    if (operation->kind == CONSOLE_NUMBER_FETCH)
        return 0;
    if (console_float_is_extremes(operation, part))
        return component == 0 ? extreme(draw) : component == 2 ? extreme(draw * step % EXTREME_DRAWS) : 0;
    if (operation->kind == CONSOLE_NUMBER_SWEEP)
        return sweep_uniform(operation, part, draw, component);
    return component == 0 ? pair_value(0, part / BLOCKS * DRAWS + draw) : component == 2 ? addend(part, draw) : 0;
}

/* From 1 on, and up to 2, behind which the exponent changes: an even and an odd last bit of float24 before all that is
 * to be rounded. A case for each sign. */
static uint32_t fetched(uint32_t part, uint32_t pixel)
{
    return part << 31 | 0x3F800000u | (pixel < 128 ? 0 : 0x7FFF80u) | (pixel & 127u);
}

uint32_t console_float_attribute(const struct console_number_operation *operation, uint32_t part, uint32_t pixel)
{
    if (operation->kind == CONSOLE_NUMBER_FETCH)
        return fetched(part, pixel);
    if (operation->kind == CONSOLE_NUMBER_SWEEP)
        return harness_float_raw(HARNESS_FLOAT24, pixel / 65536.0);
    return console_float_is_extremes(operation, part) ? extremes[pixel]
                                                      : pair_value(1, part % BLOCKS * IN_DRAW + pixel);
}

_Static_assert(EXTREMES <= DRAWS, "a draw for each");
