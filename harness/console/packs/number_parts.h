/*
 * What the pack `numbers` (numbers.h) consists of: operations, each of one or more cases, each case a picture with a
 * result for each of its inputs. For number*.c alone.
 */
#ifndef HARNESS_CONSOLE_PACKS_NUMBER_PARTS_H
#define HARNESS_CONSOLE_PACKS_NUMBER_PARTS_H

#include "harness/case/text.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CONSOLE_NUMBER_TARGET = 0x18000000, /* the picture, 64 KiB */
    CONSOLE_NUMBER_DATA = 0x18010000,
    CONSOLE_NUMBER_LIST = 0x18018000,
    CONSOLE_NUMBER_EXPONENTS = 8,
    CONSOLE_NUMBER_OPERANDS = 3
};

enum console_number_kind {
    CONSOLE_NUMBER_BLENDING,       /* two bytes */
    CONSOLE_NUMBER_COMBINER,       /* two bytes; or three, a case for each of four values of the third */
    CONSOLE_NUMBER_COMBINER_PIXEL, /* two bytes, of which a pixel makes one result */
    CONSOLE_NUMBER_FETCH,          /* one binary32 number as an attribute, whose last seven bits do not fit */
    CONSOLE_NUMBER_SWEEP,          /* one float24, all mantissas at eight exponents */
    CONSOLE_NUMBER_PAIRS           /* two or three float24, 2^20 pairs of the first two */
};

struct console_number_operation {
    const char *name, *rule;
    enum console_number_kind kind;
    uint32_t operands;
    const char *code;                            /* the equation; the mode; or the instruction that makes r0.x */
    const char *source, *destination;            /* BLENDING: factors */
    const char *scale;                           /* COMBINER: "1x" */
    uint8_t rest;                                /* COMBINER_PIXEL: other channels; 0: as the first */
    uint8_t exponents[CONSOLE_NUMBER_EXPONENTS]; /* SWEEP: high bytes of float24: sign and exponent */
};

/* The operations, by index of the table's rows. */
const struct console_number_operation *console_number_operation(uint32_t index);

bool console_number_is_float(const struct console_number_operation *operation);
uint32_t console_number_cases(const struct console_number_operation *operation);

/* Appends case `part` of the operation, as .pcase. */
void console_number_write(const struct console_number_operation *operation, uint32_t part, struct harness_text *out);
void console_blending_write(const struct console_number_operation *operation, struct harness_text *out);
void console_combiner_write(const struct console_number_operation *operation, uint32_t part, struct harness_text *out);
void console_floats_write(const struct console_number_operation *operation, uint32_t part, struct harness_text *out);

/* One of the results of a case. */
struct console_number_place {
    uint32_t operands[CONSOLE_NUMBER_OPERANDS]; /* bytes, float24, or binary32 of FETCH */
    uint32_t offset;                            /* of the result in the picture, bytes */
};

/* Results of a case, and each of them. */
uint32_t console_number_count(const struct console_number_operation *operation, uint32_t part);
void console_number_place(const struct console_number_operation *operation, uint32_t part, uint32_t index,
                          struct console_number_place *out);
void console_combiner_place(const struct console_number_operation *operation, uint32_t part, uint32_t index,
                            struct console_number_place *out);
void console_floats_place(const struct console_number_operation *operation, uint32_t part, uint32_t index,
                          struct console_number_place *out);

/* ------------------------------------------------------------------------------ inputs of float24 (number_inputs.c) */

/* A case of floats is `draws` draws, each with a uniform vector of its own; its `inputs` pixels differ by an attribute
 * that all draws share. */
struct console_float_layout {
    uint32_t draws, inputs;
};
struct console_float_layout console_float_layout(const struct console_number_operation *operation, uint32_t part);

/* The last case of an operation: its inputs are zeros, infinities and the like. */
bool console_float_is_extremes(const struct console_number_operation *operation, uint32_t part);

/* Component 0 to 2 of c0 in a draw, and the attribute of a pixel; float24, but binary32 of FETCH. */
uint32_t console_float_uniform(const struct console_number_operation *operation, uint32_t part, uint32_t draw,
                               uint32_t component);
uint32_t console_float_attribute(const struct console_number_operation *operation, uint32_t part, uint32_t pixel);

#endif
