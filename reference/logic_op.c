/*
 * Logic operations: a bitwise function of the fragment's colour s and the stored one d in place of blending, as
 * glLogicOp has it. Programs use them for masks, cursors and inverted pictures.
 *
 * They work on channels that were expanded to 8 bits, alpha included, and the result is cut to the format again; so a
 * format of 4 or 5 bits loses nothing, because every bit of an expanded channel is a stored one repeated. With READ of
 * the colour buffer off, d is 0. Channel masks apply as they do after blending.
 *
 * Worked number: s = 0xF0, d = 0x3C: AND 0x30, OR 0xFC, XOR 0xCC, AND_REVERSE (s and not d) 0xC0.
 */
#include "reference/fragment.h"

#include "reference/trace.h"

/* LOP-01, LOP-02: one channel of 8 bits. */
static uint8_t operate(enum pica_logic_op operation, uint32_t s, uint32_t d)
{
    switch (operation) {
    case PICA_LOGIC_OP_CLEAR: return 0;
    case PICA_LOGIC_OP_AND: return (uint8_t)(s & d);
    case PICA_LOGIC_OP_AND_REVERSE: return (uint8_t)(s & (d ^ 0xFFu));
    case PICA_LOGIC_OP_COPY: return (uint8_t)s;
    case PICA_LOGIC_OP_SET: return 255;
    case PICA_LOGIC_OP_COPY_INVERTED: return (uint8_t)(s ^ 0xFFu);
    case PICA_LOGIC_OP_NOOP: return (uint8_t)d;
    case PICA_LOGIC_OP_INVERT: return (uint8_t)(d ^ 0xFFu);
    case PICA_LOGIC_OP_NAND: return (uint8_t)((s & d) ^ 0xFFu);
    case PICA_LOGIC_OP_OR: return (uint8_t)(s | d);
    case PICA_LOGIC_OP_NOR: return (uint8_t)((s | d) ^ 0xFFu);
    case PICA_LOGIC_OP_XOR: return (uint8_t)(s ^ d);
    case PICA_LOGIC_OP_EQUIVALENT: return (uint8_t)((s ^ d) ^ 0xFFu);
    case PICA_LOGIC_OP_AND_INVERTED: return (uint8_t)((s ^ 0xFFu) & d);
    case PICA_LOGIC_OP_OR_REVERSE: return (uint8_t)(s | (d ^ 0xFFu));
    case PICA_LOGIC_OP_OR_INVERTED:
    default: return (uint8_t)((s ^ 0xFFu) | d); /* the field has four bits */
    }
}

/* LOP-01: all four channels. */
static void combine(enum pica_logic_op operation, const uint8_t s[4], const uint8_t d[4], uint8_t result[4])
{
    for (int c = 0; c < 4; c++)
        result[c] = operate(operation, s[c], d[c]);
}

/* ------------------------------------------------------------------------------------------------------- recording */

static void record(const struct ref_gpu *gpu, const uint8_t dest[4], const uint8_t result[4])
{
    ref_feature(gpu, PICA_FEATURE_BLENDED + (uint32_t)PICA_BLEND_MODE_LOGIC_OP);
    ref_trace_color(gpu, PICA_TRACE_ID_LOGIC_OP_DEST, 0, dest);
    ref_trace_color(gpu, PICA_TRACE_ID_LOGIC_OP_RESULT, 0, result);
}

void ref_logic_op(const struct ref_gpu *gpu, const uint8_t source[4], const uint8_t dest[4], uint8_t result[4])
{
    combine(gpu->batch->blending.logic_op, source, dest, result);
    if (gpu->is_watched)
        record(gpu, dest, result);
}
