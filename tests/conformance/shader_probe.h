/*
 * Shader programs by hand (20-geometry.md section 3) and one vertex to run them on. The final vertex stays in the
 * assembler (PRM-03, n = 1), so the result is read bit by bit, without a pixel.
 */
#ifndef TESTS_CONFORMANCE_SHADER_PROBE_H
#define TESTS_CONFORMANCE_SHADER_PROBE_H

#include "tests/conformance/machine.h"

#include "pica/opcodes.h"

/* SHD-20: register numbers in operands. */
enum {
    SRC_V = 0x00,
    SRC_R = 0x10,
    SRC_C = 0x20,
    DST_O = 0x00,
    DST_R = 0x10
};

/* The encodings of the table in section 3; desc is a descriptor number. */
uint32_t op1(uint32_t opcode, uint32_t dest, uint32_t src1, uint32_t src2, uint32_t desc);
uint32_t op1i(uint32_t opcode, uint32_t dest, uint32_t src1, uint32_t src2, uint32_t desc);
uint32_t op_mad(uint32_t dest, uint32_t src1, uint32_t src2, uint32_t src3, uint32_t desc);
uint32_t op_madi(uint32_t dest, uint32_t src1, uint32_t src2, uint32_t src3, uint32_t desc);
uint32_t op_cmp(uint32_t cmpx, uint32_t cmpy, uint32_t src1, uint32_t src2, uint32_t desc);
/* Format 2; condition 0 or, 1 and, 2 x, 3 y. */
uint32_t op_condition(uint32_t opcode, uint32_t refx, uint32_t refy, uint32_t condition, uint32_t dst, uint32_t num);
/* Format 3; uid = number of the b or i register. */
uint32_t op_uniform(uint32_t opcode, uint32_t uid, uint32_t dst, uint32_t num);
uint32_t op_setemit(uint32_t vertex, uint32_t primitive, uint32_t winding);
uint32_t op0(uint32_t opcode);
/* Relative addressing (SHD-22): adds idx 1 a0.x, 2 a0.y, 3 aL to a word of format 1/1i/1c, or of MAD/MADI. */
uint32_t relative(uint32_t word, uint32_t idx);
uint32_t relative_mad(uint32_t word, uint32_t idx);

/* SHD-21: operand descriptor, e.g. descriptor("xy", "xyzw", "-wzyx", "xyzw"). The mask is a subset of "xyzw". */
uint32_t descriptor(const char *mask, const char *source1, const char *source2, const char *source3);

static const uint32_t IDENTITY = 0x0D86C36F; /* descriptor("xyzw", "xyzw", "xyzw", "xyzw"), SHD-24 examples */

/* One vertex shader run. Zero-initialise, fill in, run; `setup` is written before the draw (uniforms, registers). */
struct shader_run {
    const uint32_t *code; /* at 0 */
    uint32_t code_count;
    const uint32_t *descriptors; /* from 0; NULL: descriptor 0 = IDENTITY */
    uint32_t descriptor_count;
    uint32_t inputs[4][4]; /* v0-v3, binary32 bits */
    uint32_t outputs;      /* enabled outputs o0.. (1-5); 0 means 1 */
    const struct list *setup;
};

/* Does not reset the machine, but the assembler; draws one vertex. */
void shader_run(struct machine *m, const struct shader_run *run);

/* The words of `run` up to, not including, the draw trigger; for tests that draw differently. */
void shader_run_list(struct machine *m, const struct shader_run *run, struct list *list);

/* Output k = 0..4 of the buffered vertex: slots 00-03, 04-07, 0C-0F, 10-13, 14-17 (not the clamped colour, SHD-81). */
struct pica_vector shader_output(struct machine *m, uint32_t k);

/* The 24 slots of the buffered vertex. */
uint32_t buffered_slot(struct machine *m, uint32_t slot);

#endif
