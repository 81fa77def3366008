/*
 * Shader programs in the form that the kernel runs: code words decoded once to checked operations, whose operands are
 * rows of a register file of 16 lanes. Both shader units use this form.
 */
#ifndef FAST_VERTEX_SHADER_PROGRAM_H
#define FAST_VERTEX_SHADER_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "pica/backend.h"
#include "pica/enums.h"

struct fast_gpu;
struct fast_geometry;
struct fast_recording;
struct fast_shader_unit;

/* The kernel is kernels->shade. */

/*
 * Rows of the register file; a register is four consecutive rows (x, y, z, w). Source numbers (SHD-20) times four are
 * rows of v, r and c.
 */
enum {
    FAST_ROW_INPUTS = 0,                                      /* v0-v15 */
    FAST_ROW_TEMPORARIES = 0x10 * 4,                          /* r0-r15 */
    FAST_ROW_UNIFORMS = 0x20 * 4,                             /* c0-c95, the same value in each lane */
    FAST_ROW_OUTPUTS = 0x80 * 4,                              /* o0-o15, bank 0 */
    FAST_ROW_BANK = 16 * 4,                                   /* distance to bank 1 (GSH-31) */
    FAST_ROW_RELATIVE = FAST_ROW_OUTPUTS + 2 * FAST_ROW_BANK, /* the relatively addressed source of this operation */
    FAST_ROW_ZERO = FAST_ROW_RELATIVE + 4,                    /* 0.0 in every lane */
    FAST_ROW_ONE = FAST_ROW_ZERO + 1,                         /* 1.0 in every lane */
    FAST_ROWS = FAST_ROW_ONE + 1,
    FAST_FILE_LANES = 16
};

struct fast_register_file {
    _Alignas(64) float row[FAST_ROWS][FAST_FILE_LANES];
};

/* Stores the same vector in every lane. */
static inline void fast_fill_register(struct fast_register_file *file, uint32_t first_row, const float vector[4])
{
    for (uint32_t i = 0; i < 4u; i++)
        for (uint32_t lane = 0; lane < FAST_FILE_LANES; lane++)
            file->row[first_row + i][lane] = vector[i];
}

/* What an operation does. Opcodes that differ only in their encoding (DPH, DPHI) share a kind. */
enum fast_operation_kind {
    FAST_OPERATION_ADD,
    FAST_OPERATION_DP3,
    FAST_OPERATION_DP4,
    FAST_OPERATION_DPH,
    FAST_OPERATION_DST,
    FAST_OPERATION_EX2,
    FAST_OPERATION_LG2,
    FAST_OPERATION_LITP,
    FAST_OPERATION_MUL,
    FAST_OPERATION_SGE,
    FAST_OPERATION_SLT,
    FAST_OPERATION_FLR,
    FAST_OPERATION_MAX,
    FAST_OPERATION_MIN,
    FAST_OPERATION_RCP,
    FAST_OPERATION_RSQ,
    FAST_OPERATION_UNASSIGNED,
    FAST_OPERATION_MOVA,
    FAST_OPERATION_MOV,
    FAST_OPERATION_BREAK,
    FAST_OPERATION_NOP,
    FAST_OPERATION_END,
    FAST_OPERATION_BREAKC,
    FAST_OPERATION_CALL,
    FAST_OPERATION_CALLC,
    FAST_OPERATION_CALLU,
    FAST_OPERATION_IFU,
    FAST_OPERATION_IFC,
    FAST_OPERATION_LOOP,
    FAST_OPERATION_EMIT,
    FAST_OPERATION_SETEMIT,
    FAST_OPERATION_JMPC,
    FAST_OPERATION_JMPU,
    FAST_OPERATION_CMP,
    FAST_OPERATION_MAD
};

/* Does the operation write an r or o register? (MOVA and CMP write other registers.) */
static inline bool fast_operation_writes_register(enum fast_operation_kind kind)
{
    return kind <= FAST_OPERATION_RSQ || kind == FAST_OPERATION_MOV || kind == FAST_OPERATION_MAD;
}

/* One instruction. Members that its kind does not use are 0. */
struct fast_operation {
    enum fast_operation_kind kind;
    enum pica_shader_relative relative; /* SHD-22; NONE unless the wide source is a c register */
    uint8_t relative_number;            /* its c number */
    uint8_t mask;                       /* SHD-21: bit 0 = x .. bit 3 = w */
    bool to_output;                     /* the destination is an o register: add the bank's distance */
    bool overlaps;                      /* SHD-15: writing a component changes what a later one reads */
    bool has_short_cut;                 /* a frequent kind, without negation and overlap */
    uint16_t destination;               /* row of x */
    uint16_t source[3][4];              /* rows after the swizzle */
    uint32_t negate[3];                 /* 0 or the sign bit */

    enum pica_shader_compare compare[2];  /* CMP: operators of x and y */
    enum pica_shader_condition condition; /* format 2 */
    bool reference[2];                    /* refx, refy */
    uint8_t uniform;                      /* format 3: b or i number */
    bool inverted;                        /* JMPU */
    uint32_t target;                      /* dst */
    uint32_t length;                      /* num; SHD-45: dst + num does not wrap */
    uint8_t emit_vertex;                  /* SETEMIT */
    bool emit_primitive, emit_winding;
};

/* The decoded contents of a code memory. */
struct fast_program {
    uint32_t count; /* number of operations; every code word from this index on is 0 */
    struct fast_operation *operations;
    struct fast_operation zero; /* SHD-13: what a zero word is: ADD o0,v0,v0 with descriptor 0 */
    uint32_t temporaries_read;  /* bit i: some operation reads ri */
    uint32_t uniforms_read[3];  /* bit i % 32 of word i / 32: some operation reads ci at a fixed address */

    /* The key. */
    bool valid;
    uint64_t serial; /* of this decoding: no other program of the cache ever has the same */
    uint64_t hash;
    uint64_t last_use;
    uint32_t *code; /* count words */
    uint32_t opdesc[128];
};

/* The decoded programs of one unit; the least recently used one is replaced. */
enum {
    FAST_PROGRAM_SLOTS = 8
};

struct fast_program_cache {
    uint32_t capacity;   /* words of code that the unit can have */
    uint32_t used_slots; /* 1 .. FAST_PROGRAM_SLOTS */
    uint64_t clock;
    uint64_t decoded; /* programs so far */
    struct fast_program *current;
    struct fast_program slots[FAST_PROGRAM_SLOTS];
};

/* All slots are used. */
enum pica_status fast_program_cache_init(struct fast_program_cache *cache, uint32_t capacity);
void fast_program_cache_free(struct fast_program_cache *cache);

/* Forgets all decoded programs. Serial numbers are not reused. */
void fast_program_cache_reset(struct fast_program_cache *cache);

/* Returns the unit's program, decoding it if it is not in the cache. Valid until the next call. */
const struct fast_program *fast_program_get(struct fast_program_cache *cache, struct fast_shader_unit *unit);

/* ------------------------------------------------------------------------------------------------------ invocations */

/* Up to 16 invocations of one program (VS), or one in lane 0 (GS). */
struct fast_shader_run {
    struct fast_gpu *gpu;           /* events, profile, limits */
    struct fast_geometry *geometry; /* GS: where EMIT goes; NULL = VS */
    const struct fast_program *program;
    struct fast_register_file *file;
    const float (*uniforms)[4]; /* c0-c95, for relative addressing */
    const struct fast_shader_unit *unit;
    uint32_t entry;
    uint32_t lanes;                     /* bit i: lane i is an invocation */
    uint32_t executed[FAST_FILE_LANES]; /* SHD-14: for each lane that is an invocation; set by the kernel */

    /* VS: where to record the path that the lanes take (fast/vertex/shader_plan.h); NULL = no recording. */
    struct fast_recording *recording;

    /* Registers that persist: read at the start and stored at the end; 0 for a VS. */
    int32_t address[2][FAST_FILE_LANES]; /* a0.x, a0.y */
    uint32_t compare[2];                 /* cmp.x, cmp.y: one bit a lane */
    int32_t loop_counter;                /* aL, of the invocation that ended last */
    uint32_t bank;                       /* GSH-31: 0 or 1 */
    uint32_t emits;                      /* number of EMITs of this invocation that took effect */

    /* SHD-80, SHD-81: the block of the vertex pool that receives the final vertices; NULL = none. */
    float *block;
    const uint16_t *map; /* for each of 24 slots: the row that it shows */
};

/* Called by the kernel when the geometry unit executes EMIT or SETEMIT (geometry.c). GSH-30..34. */
void fast_geometry_emit(struct fast_shader_run *run);
void fast_geometry_set_emit(struct fast_shader_run *run, const struct fast_operation *operation);

/* The kernel of kernels/shader.c: runs up to 16 invocations of a shader, and the output map. */
typedef void fast_shade_function(struct fast_shader_run *run);

#endif
