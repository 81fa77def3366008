/* The operations of the pack `numbers`, and which file knows what about them. */
#include "harness/console/packs/number_parts.h"

#include "harness/console/packs/numbers.h"

enum {
    PAIRS_OF_BYTES = 65536,
    PIXELS = 16384, /* results of a case of COMBINER_PIXEL */
    THIRDS = 4,
    SWEEP_PARTS = 4 * CONSOLE_NUMBER_EXPONENTS,
    PAIR_PARTS = 64,
    SIGNS = 2
};

#define BLEND(name, rule, equation, source, destination) \
    { name, rule, CONSOLE_NUMBER_BLENDING, 2, equation, source, destination, NULL, 0, { 0 } },
#define COMBINE(name, rule, operands, mode, scale) \
    { name, rule, CONSOLE_NUMBER_COMBINER, operands, mode, NULL, NULL, scale, 0, { 0 } },
#define DOT(name, rule, mode, rest) \
    { name, rule, CONSOLE_NUMBER_COMBINER_PIXEL, 2, mode, NULL, NULL, "1x", rest, { 0 } },
#define FETCH(name, rule, code) { name, rule, CONSOLE_NUMBER_FETCH, 1, code, NULL, NULL, NULL, 0, { 0 } },
#define SWEEP(name, rule, code, ...) \
    { name, rule, CONSOLE_NUMBER_SWEEP, 1, code, NULL, NULL, NULL, 0, { __VA_ARGS__ } },
#define PAIRS(name, rule, operands, code) \
    { name, rule, CONSOLE_NUMBER_PAIRS, operands, code, NULL, NULL, NULL, 0, { 0 } },

static const struct console_number_operation operations[CONSOLE_NUMBERS] = {
#include "harness/console/packs/numbers.def"
};

const struct console_number_operation *console_number_operation(uint32_t index)
{
    return &operations[index];
}

bool console_number_is_float(const struct console_number_operation *operation)
{
    return operation->kind == CONSOLE_NUMBER_FETCH || operation->kind == CONSOLE_NUMBER_SWEEP ||
           operation->kind == CONSOLE_NUMBER_PAIRS;
}

uint32_t console_number_cases(const struct console_number_operation *operation)
{
    switch (operation->kind) {
    case CONSOLE_NUMBER_BLENDING: return 1;
    case CONSOLE_NUMBER_COMBINER: return operation->operands == 3 ? THIRDS : 1;
    case CONSOLE_NUMBER_COMBINER_PIXEL: return PAIRS_OF_BYTES / PIXELS;
    case CONSOLE_NUMBER_FETCH: return SIGNS;
    case CONSOLE_NUMBER_SWEEP: return SWEEP_PARTS + 1;
    case CONSOLE_NUMBER_PAIRS: return PAIR_PARTS + 1;
    }
    return 0;
}

void console_number_write(const struct console_number_operation *operation, uint32_t part, struct harness_text *out)
{
    switch (operation->kind) {
    case CONSOLE_NUMBER_BLENDING: console_blending_write(operation, out); break;
    case CONSOLE_NUMBER_COMBINER:
    case CONSOLE_NUMBER_COMBINER_PIXEL: console_combiner_write(operation, part, out); break;
    case CONSOLE_NUMBER_FETCH:
    case CONSOLE_NUMBER_SWEEP:
    case CONSOLE_NUMBER_PAIRS: console_floats_write(operation, part, out); break;
    }
}

uint32_t console_number_count(const struct console_number_operation *operation, uint32_t part)
{
    if (operation->kind == CONSOLE_NUMBER_COMBINER_PIXEL)
        return PIXELS;
    if (!console_number_is_float(operation))
        return PAIRS_OF_BYTES;
    const struct console_float_layout layout = console_float_layout(operation, part);
    return layout.draws * layout.inputs;
}

void console_number_place(const struct console_number_operation *operation, uint32_t part, uint32_t index,
                          struct console_number_place *out)
{
    switch (operation->kind) {
    case CONSOLE_NUMBER_BLENDING:
        *out = (struct console_number_place){ .operands = { index >> 8, index & 0xFFu }, .offset = index };
        break;
    case CONSOLE_NUMBER_COMBINER:
    case CONSOLE_NUMBER_COMBINER_PIXEL: console_combiner_place(operation, part, index, out); break;
    case CONSOLE_NUMBER_FETCH:
    case CONSOLE_NUMBER_SWEEP:
    case CONSOLE_NUMBER_PAIRS: console_floats_place(operation, part, index, out); break;
    }
}
