/* Runs generated cases on the reference and notes what they reached. */
#ifndef TESTS_HARNESS_REACH_H
#define TESTS_HARNESS_REACH_H

#include "harness/grammar/gen.h"
#include "pica/backend.h"
#include "pica/enums.h"
#include "pica/fields.h"
#include "pica/regs.h"

#include <stdbool.h>
#include <stdint.h>

/* A field in draws that changed a pixel, or in transfers: its first value, and whether another was seen. */
struct reach_field {
    bool seen;
    bool varied;
    uint32_t first;
    uint64_t values[4]; /* bit per value of an enumeration of up to 8 bits */
};

struct reach {
    uint32_t cases;
    uint32_t quiet;   /* cases without any event */
    uint32_t visible; /* cases in which a draw changed memory */
    uint32_t draws;
    uint32_t visible_draws;
    struct pica_events events;
    struct reach_field registers[PICA_REG_TOTAL][32]; /* by field of the register's layout */
    struct reach_field layouts[PICA_LAYOUT_TOTAL][32];
    uint64_t opcodes;        /* bit per opcode that a vertex or geometry shader executed */
    uint32_t blend[8][16];   /* rgb equation x rgb source factor, visible draws */
    uint32_t tev[16][16];    /* rgb mode x rgb source 0 of the combiner stage */
    uint32_t texture[16][8]; /* format x wrap in u, of unit 0 */
    uint32_t stencil[8][8];  /* function x operation on depth pass */
};

/* Cases first .. first + count - 1. `trace`: also collect opcodes, from the last draw of each case, which costs a
 * second run. NULL without memory; free with free(). */
struct reach *reach_run(enum harness_generate_mode mode, uint64_t first, uint64_t count, bool trace);

/* Adds to what `reach` knows. */
void reach_more(struct reach *reach, enum harness_generate_mode mode, uint64_t first, uint64_t count, bool trace);

#endif
