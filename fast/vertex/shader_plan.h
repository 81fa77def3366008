/*
 * Plans: a vertex shader whose path does not depend on the vertices, as a list of steps without flow control.
 *
 * The interpreter (kernels/shader.c) runs the first batch of a large draw and records the operations that it executes.
 * If no lane decided anything (no condition of SHD-31 was evaluated), every vertex takes the same path: it depends only
 * on the entry, the boolean and integer uniforms and the limit of instructions, which are part of the plan's key.
 * shader_plan.c turns the path into steps. Each computes one component or one sum of products, for up to four blocks of
 * 16 vertices; copies, and values that no output shows, are left out. kernels/shader_plan.c runs the steps.
 *
 * Where the steps of the position and those of the rest have little in common, they are two parts: the first part runs
 * at once, the second only for blocks with a vertex of a triangle that is neither clipped away nor culled
 * (fetch_gather.h). That has no other effect: along a straight path no step records an event, and all vertices execute
 * the same number of instructions.
 *
 * Steps multiply without the repair of GEN-03. That is exact as long as no product that needs the repair affects a
 * result: such a product is NaN, sums and products of a NaN are NaN, and wherever a NaN could vanish (comparisons, MAX,
 * MIN, MOVA, the final vertex) the steps check for one. If there is one, the interpreter shades these vertices again.
 */
#ifndef FAST_VERTEX_SHADER_PLAN_H
#define FAST_VERTEX_SHADER_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "fast/pipeline.h"
#include "fast/vertex/shader_program.h"

struct fast_gpu;

enum {
    FAST_PLAN_BLOCKS = 4, /* of 16 vertices */
    FAST_PLAN_VERTICES = FAST_PLAN_BLOCKS * FAST_FILE_LANES,
    FAST_PLAN_STEPS = 768,
    FAST_PLAN_SPREADS = 64,
    FAST_PLAN_LOADS = 8 /* relatively addressed c registers that are kept loaded */
};

/* Rows of the frame, FAST_PLAN_VERTICES floats each. v and r are numbered as in the register file; then comes o. */
enum {
    FAST_FRAME_INPUTS = 0,
    FAST_FRAME_TEMPORARIES = 64,
    FAST_FRAME_OUTPUTS = 128,
    FAST_FRAME_SCRATCH = 192,                                      /* temporary values inside one operation */
    FAST_FRAME_LOADS = FAST_FRAME_SCRATCH + 16,                    /* relatively addressed registers */
    FAST_FRAME_ADDRESSES = FAST_FRAME_LOADS + 4 * FAST_PLAN_LOADS, /* a0.x, a0.y: bits of s32 */
    FAST_FRAME_SPREADS = FAST_FRAME_ADDRESSES + 2,                 /* scalars in every lane */
    FAST_FRAME_ROWS = FAST_FRAME_SPREADS + FAST_PLAN_SPREADS
};

/* Scalars: c0-c127 (SHD-22: those from c96 on are 1), constants, and all of them negated. */
enum {
    FAST_SCALAR_ONE = 96 * 4,
    FAST_SCALAR_ZERO = 128 * 4,
    FAST_SCALAR_LITP_LIMIT, /* SHD-33: K */
    FAST_SCALAR_NEGATED = FAST_SCALAR_ZERO + 4,
    FAST_SCALARS = 2 * FAST_SCALAR_NEGATED,
    FAST_COLUMN_TABLE = 64,                      /* registers, from any one on, that a LOAD looks up in a table */
    FAST_COLUMN_FLOATS = 128 + FAST_COLUMN_TABLE /* the first registers are repeated after the last one */
};

/* What a step does for each of its vertices. a, b and c are its operands, which are rows; s is a scalar operand. */
enum fast_step_kind {
    FAST_STEP_END,
    FAST_STEP_COPY,        /* a */
    FAST_STEP_NEGATE,      /* a with the sign flipped */
    FAST_STEP_ADD,         /* a + b */
    FAST_STEP_ADD_SCALAR,  /* a + s */
    FAST_STEP_SUBTRACT,    /* a - b */
    FAST_STEP_MULTIPLY,    /* a * b */
    FAST_STEP_SCALE,       /* a * s */
    FAST_STEP_MAD,         /* a * b + c, two roundings */
    FAST_STEP_MAD_SCALAR,  /* a * s + c */
    FAST_STEP_MAD_MINUS,   /* a * b - c */
    FAST_STEP_MINUS_MAD,   /* c - a * b */
    FAST_STEP_DOT3,        /* 0 + a0 * b0 + a1 * b1 + a2 * b2 in this order */
    FAST_STEP_DOT4,        /* .. + a3 * b3 */
    FAST_STEP_DOT3_SCALAR, /* b0.. are scalars */
    FAST_STEP_DOT4_SCALAR,
    FAST_STEP_DOT3_PAIR, /* this step and the next one: two DOT3_SCALAR with the same a */
    FAST_STEP_DOT4_PAIR,
    FAST_STEP_MAXIMUM,
    FAST_STEP_MINIMUM,
    FAST_STEP_GREATER_EQUAL,
    FAST_STEP_LESS,
    FAST_STEP_FLOOR,
    FAST_STEP_RECIPROCAL,
    FAST_STEP_ROOT, /* reciprocal root */
    FAST_STEP_EXPONENTIAL,
    FAST_STEP_LOGARITHM,
    FAST_STEP_ADDRESS, /* SHD-32: a as s32 */
    FAST_STEP_LOAD     /* SHD-22: four rows, c[b + address a]; b is a number, not a row */
};

/* Rows are given as the place of their first float in the frame. DOT steps: a in operand[0..3], b in operand[4..7]. */
struct fast_step {
    enum fast_step_kind kind;
    uint32_t target;
    uint32_t operand[8];
};

/* Certain slots of a vertex (SHD-80), and the steps that compute them. */
struct fast_plan_part {
    uint32_t slots;       /* bit n: slot n */
    uint32_t first_step;  /* from here to the next FAST_STEP_END */
    uint64_t inputs_read; /* bit i: row i of v is read */
};

enum fast_plan_part_number {
    FAST_PART_FIRST, /* the position, or all slots if there is only this part */
    FAST_PART_REST,  /* all other slots, or none */
    FAST_PLAN_PARTS
};

/* One operation of the recorded path. */
struct fast_recorded {
    const struct fast_operation *operation;
    int32_t loop_counter;
};

struct fast_recording {
    bool straight; /* so far no lane decided anything, and the recording had room */
    uint32_t count;
    struct fast_recorded operations[FAST_PLAN_STEPS];
};

/* Everything that the path and the steps depend on, except c registers. Compared as bytes, so padding must be 0. */
struct fast_plan_key {
    uint64_t serial; /* of the program */
    uint32_t entry;
    uint32_t instructions; /* LIM_INSTR */
    uint32_t booleans;
    uint8_t integers[4][4];
    uint16_t map[FAST_VERTEX_SLOTS];
};

struct fast_plan {
    bool valid;
    bool possible; /* false: shaders with this key need the interpreter */
    struct fast_plan_key key;
    struct fast_step steps[FAST_PLAN_STEPS + FAST_PLAN_PARTS];
    struct fast_plan_part parts[FAST_PLAN_PARTS];
    struct pica_events events;       /* of the recorded path, and so of every vertex */
    uint32_t executed;               /* its instructions (SHD-14) */
    uint32_t map[FAST_VERTEX_SLOTS]; /* by slot: the row that it shows */
    bool relative;                   /* has a LOAD */
    uint32_t spread_count;
    uint16_t spread[FAST_PLAN_SPREADS]; /* row FAST_FRAME_SPREADS + n shows scalar spread[n] */
};

/* The data that plans work on. */
struct fast_plan_frame {
    _Alignas(64) float rows[FAST_FRAME_ROWS * FAST_PLAN_VERTICES];
    float scalars[FAST_SCALARS];
    float columns[4][FAST_COLUMN_FLOATS]; /* x, y, z, w of c0-c127, if a plan had a LOAD since they changed */
    bool columns_fresh;
    const struct fast_plan *spread_plan; /* the plan whose scalars the rows show; NULL = none */
};

/* Arguments of the kernel run_plan, which runs one part of the plan on the first blocks of the frame. */
struct fast_plan_run {
    struct fast_plan_frame *frame;
    const struct fast_plan *plan;
    enum fast_plan_part_number part;
    uint32_t slots;               /* slots that are asked for; others of the part may be written too */
    uint32_t blocks;              /* 1-4 */
    float *out[FAST_PLAN_BLOCKS]; /* blocks of a vertex pool */
};

/* Makes the key of the shader that is prepared in `run`. */
void fast_plan_make_key(struct fast_plan_key *key, const struct fast_shader_run *run);
bool fast_plan_has_key(const struct fast_plan *plan, const struct fast_plan_key *key);

/* Makes `plan` from a recording; plan->possible says whether it can be used. */
void fast_plan_build(struct fast_plan *plan, const struct fast_plan_key *key, const struct fast_recording *recording);

/* Copies c0-c95 and the scalars of `plan` to the frame. `changed`: c0-c95 are not those of the previous call. */
void fast_plan_spread(struct fast_plan_frame *frame, const struct fast_plan *plan, const float (*uniforms)[4],
                      bool changed);

#endif
