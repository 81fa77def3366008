/*
 * What the pack `numbers` (numbers.h) consists of: operations, each of one or more cases, each case a picture with a
 * result for each of its inputs. For numbers*.c alone.
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
    CONSOLE_NUMBER_PIXELS = 16384,
    CONSOLE_NUMBER_EXPONENTS = 8,
    CONSOLE_NUMBER_OPERANDS = 3
};

enum console_number_kind {
    CONSOLE_NUMBER_BLENDING, /* of two bytes */
    CONSOLE_NUMBER_FLOATS    /* of one to three float24 numbers, by the vertex shader */
};

struct console_number_operation {
    const char *name, *rule;
    enum console_number_kind kind;
    const char *code;                 /* the equation; or the instruction, r0.x = OP(r1.x ...) */
    const char *source, *destination; /* BLENDING: factors */
    uint32_t operands;
    uint8_t
        exponents[CONSOLE_NUMBER_EXPONENTS]; /* FLOATS of one operand: sign and exponent, the high byte of float24 */
};

/* Cases of the operation. */
uint32_t console_number_cases(const struct console_number_operation *operation);

/* Appends case `part` of the operation, as .pcase. */
void console_bytes_write(const struct console_number_operation *operation, struct harness_text *out);
void console_floats_write(const struct console_number_operation *operation, uint32_t part, struct harness_text *out);

/* One of the results of a case. */
struct console_number_place {
    uint32_t operands[CONSOLE_NUMBER_OPERANDS]; /* bytes, or float24 */
    uint32_t offset;                            /* of the result in the picture, bytes */
};
void console_bytes_place(uint32_t index, struct console_number_place *out);
void console_floats_place(const struct console_number_operation *operation, uint32_t part, uint32_t index,
                          struct console_number_place *out);

/* Inputs of a case. */
uint32_t console_floats_count(const struct console_number_operation *operation, uint32_t part);

#endif
