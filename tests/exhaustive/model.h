/*
 * Small models of single rules, written from docs/spec alone and sharing nothing with the backends: what the exhaustive
 * tests compare both of them with. Floats are binary32 bits; every NaN is 0x7FC00000 (GEN-02).
 */
#ifndef TESTS_EXHAUSTIVE_MODEL_H
#define TESTS_EXHAUSTIVE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* --------------------------------------------------------------------------------------------------------- numbers */

/* FLT-10: raw value of 1 sign, `exponent_bits`, `mantissa_bits`; bits above the width are ignored. */
uint32_t model_decode(uint32_t raw, uint32_t exponent_bits, uint32_t mantissa_bits);
uint32_t model_round24(uint32_t bits); /* FLT-20: R24 */
uint32_t model_flush24(uint32_t bits); /* FLT-22: F */
float model_float(uint32_t bits);
uint32_t model_bits(float value); /* canonical NaN */

enum model_operation {
    MODEL_RCP,
    MODEL_RSQ,
    MODEL_EX2,
    MODEL_LG2,
    MODEL_FLR
};

struct model_result {
    uint32_t bits;
    bool ambiguous; /* the exact value is too near to a rounding boundary to be decided here */
};

/* FLT-27, FLT-30, FLT-31 on binary32 bits; f24: with F and R24. */
struct model_result model_operate(enum model_operation operation, bool f24, uint32_t bits);

/* ---------------------------------------------------------------------------------------------------------- pixels */

struct model_color {
    uint8_t c[4]; /* r g b a */
};

/* BLD-01 to BLD-04 */
struct model_blend {
    uint32_t equation[2]; /* rgb, alpha */
    uint32_t source[2], dest[2];
    struct model_color constant;
};
struct model_color model_blend(const struct model_blend *blend, struct model_color s, struct model_color d);
uint8_t model_logic(uint32_t operation, uint8_t s, uint8_t d); /* LOP-01 */

/* TEV-07, TEV-08 */
struct model_color model_operand(uint32_t rgb_operand, uint32_t alpha_operand, struct model_color source);
/* TEV-09 to TEV-11, TEV-13: operand results to the stage's output. */
struct model_stage {
    uint32_t rgb_mode, alpha_mode;
    uint32_t rgb_scale, alpha_scale;
};
struct model_color model_combine(const struct model_stage *stage, struct model_color a, struct model_color b,
                                 struct model_color c);

/* -------------------------------------------------------------------------------------------------------- textures */

/* TEX-22 */
uint32_t model_texel_number(uint32_t column, uint32_t row, uint32_t width);
uint32_t model_format_bits(uint32_t format); /* TEX-23; formats 0-13 */
/* TEX-23, TEX-24: texel n of an image that starts at bytes[0]; formats 0-11. */
struct model_color model_texel(uint32_t format, const uint8_t *bytes, uint32_t n);
/* FBF-09, FBF-11: pixel n of a colour buffer of format 0-4; FBF-10 is model_texel with the same number. */
void model_store(uint32_t format, struct model_color color, uint8_t *bytes, uint32_t n);
/* ETC-01 to ETC-06: texel (column, row) of an image `width` wide; with_alpha: ETC1A4. */
struct model_color model_etc(bool with_alpha, const uint8_t *bytes, uint32_t width, uint32_t column, uint32_t row);

#endif
