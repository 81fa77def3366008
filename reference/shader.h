/* One invocation of a shader unit; private to shader.c and its other files. */
#ifndef REFERENCE_SHADER_H
#define REFERENCE_SHADER_H

#include "reference/gpu.h"

#include "pica/opcodes.h"

/* SHD-40. */
enum {
    REF_CALL_DEPTH = 4,
    REF_IF_DEPTH = 8,
    REF_LOOP_DEPTH = 4
};

enum {
    REF_DECODED_INSTRUCTIONS = 512 /* how many decoded instructions of a unit are kept, by address modulo this */
};

/* A set of components, as in `struct ref_outputs`. */
enum {
    REF_MASK_X = 1,
    REF_MASK_Y = 2,
    REF_MASK_Z = 4,
    REF_MASK_W = 8,
    REF_MASK_XYZ = 7,
    REF_MASK_ALL = 15
};

struct ref_call_entry {
    uint32_t end, ret;
};

struct ref_if_entry {
    uint32_t otherwise, end;
};

struct ref_loop_entry {
    uint32_t entry, end, count, increment, saved;
};

struct ref_value {
    float at[4]; /* x y z w */
};

/* One source of an instruction (SHD-20, SHD-21). */
struct ref_source {
    uint8_t number; /* 0x00-0x0F v, 0x10-0x1F r, 0x20-0x7F c */
    enum pica_shader_relative relative;
    uint8_t selector[4];
    bool is_negated;
    uint8_t components; /* of the register, before the swizzle, that the instruction uses; for events only */
};

/*
 * An instruction with its descriptor, decoded. Before it is reused, its two words are compared with the current ones,
 * so nothing has to invalidate it when code or descriptors change. Instructions decoded in an earlier case are not
 * reused: otherwise the code path of a case (which fuzzing engines measure) would depend on the case before it.
 */
struct ref_instruction {
    uint64_t load; /* gpu->loads of the case that it was decoded in; 0: nothing decoded yet */
    uint32_t word;
    uint32_t descriptor;       /* word of the descriptor */
    uint32_t descriptor_index; /* 0 for formats without a descriptor */
    enum pica_opcode opcode;
    uint32_t source_count;
    struct ref_source sources[3];
    uint32_t dest;
    uint32_t mask;
    uint32_t kept[4];    /* x y z w: bits of the destination that are not written (SHD-23), all or none */
    bool has_two_inputs; /* SHD-24: two different v registers */
    uint64_t noted;      /* gpu->features_stamp when its features were last counted */

    /* For features: what the instruction did first in the draw with stamp `done`, if vertices can differ in that. */
    bool may_vary; /* it has a condition or a relative address */
    bool has_condition;
    enum pica_shader_relative relative; /* of its wide source: a0.x or a0.y */
    uint64_t done;
    uint32_t did;
};

/* The decoded instructions of both units, a cache: no result depends on it. */
struct ref_programs {
    struct ref_instruction instructions[2][REF_DECODED_INSTRUCTIONS];
};

/* One invocation. The registers belong to the geometry state, or are the vertex shader's own and start at 0. */
struct ref_shader {
    struct ref_gpu *gpu;
    const struct pica_shader_unit *unit;
    enum pica_profile profile;
    bool is_geometry;

    struct pica_vector *inputs;
    struct pica_vector *temporaries;
    struct pica_vector *outputs; /* of the current bank */
    int32_t address[2];
    int32_t loop_counter; /* aL */
    bool compare[2];

    struct ref_call_entry calls[REF_CALL_DEPTH];
    struct ref_if_entry ifs[REF_IF_DEPTH];
    struct ref_loop_entry loops[REF_LOOP_DEPTH];
    uint32_t call_count, if_count, loop_count;

    uint32_t pc;
    uint32_t jump;    /* J of SHD-41 */
    bool is_breaking; /* SHD-44: this instruction is a taken break */
    bool is_ended;
    uint32_t executed; /* SHD-14 */
    uint32_t emitted;  /* GSH-34 */

    /* For events of class R only. */
    uint8_t temporaries_written[16];
    uint8_t outputs_written[16];
    bool after_mova;
};

/* The operands of one instruction, read completely before anything is written (SHD-15). */
struct ref_operands {
    const struct ref_instruction *instruction;
    struct ref_value a, b, c; /* sources 1, 2, 3; not set where the format has no such source */
};

/* shader_flow.c: the condition of format 2; the b register of format 3. */
bool ref_condition_of(const struct ref_shader *shader, uint32_t word); /* without telling observers */
bool ref_condition_holds(const struct ref_shader *shader, uint32_t word);
bool ref_boolean_holds(const struct ref_shader *shader, uint32_t word);

/* shader_flow.c: instructions, the conditional ones after their condition; where the next instruction is (SHD-41). */
void ref_run_call(struct ref_shader *shader, uint32_t target, uint32_t count);
void ref_run_if(struct ref_shader *shader, bool condition, uint32_t target, uint32_t count);
void ref_run_loop(struct ref_shader *shader, uint32_t word);
void ref_run_break(struct ref_shader *shader);
void ref_go_on(struct ref_shader *shader, uint32_t next);

/* shader_record.c: only with an observer: before an instruction, at the end of a loop, after an instruction; before an
 * emission; at the end. */
/* Reports the result of a rule, with the stage of the unit. */
void ref_record_rule(const struct ref_shader *shader, const char *rule, uint32_t index, const uint32_t *values,
                     uint32_t count);
void ref_record_instruction(const struct ref_shader *shader, struct ref_instruction *instruction);
void ref_record_operands(const struct ref_shader *shader,
                         const struct ref_instruction *instruction); /* shader_operand.c */
void ref_record_variation(const struct ref_shader *shader, struct ref_instruction *instruction);
void ref_record_rounds(const struct ref_shader *shader, const struct ref_loop_entry *loop);
void ref_record_results(const struct ref_shader *shader, const struct ref_instruction *instruction);
void ref_record_emission(const struct ref_shader *shader);

/* Whether an observer has to be told that an instruction runs; whether it has to be told of its results. Features count
 * an instruction once for each draw, and of results only those of CMP. */
static inline bool ref_is_instruction_news(const struct ref_gpu *gpu, const struct ref_instruction *instruction)
{
    return gpu->is_watched && (gpu->trace.sink != NULL || instruction->noted != gpu->features_stamp);
}

static inline bool ref_are_results_news(const struct ref_gpu *gpu, const struct ref_instruction *instruction)
{
    const bool compares = instruction->opcode == PICA_OPCODE_CMP || instruction->opcode == PICA_OPCODE_CMP_2F;
    return gpu->is_watched && (gpu->trace.sink != NULL || compares);
}
void ref_record_outputs(const struct ref_shader *shader, uint32_t mask);

/* shader_operand.c: decodes the operands of any instruction. */
void ref_decode_instruction(const struct pica_shader_unit *unit, uint32_t word, struct ref_instruction *instruction);

/* shader_operand.c: SHD-22: what is added to the number of a c register. */
uint32_t ref_relative_offset(const struct ref_shader *shader, enum pica_shader_relative relative);

/* shader_operand.c: reads the sources of any instruction (SHD-15). */
void ref_read_operands(struct ref_shader *shader, const struct ref_instruction *instruction,
                       struct ref_operands *operands);

/* shader_operand.c: SHD-20, SHD-23: writes the components of the mask to their destination. */
void ref_write_dest(struct ref_shader *shader, const struct ref_operands *operands, const struct ref_value *value);

#endif
