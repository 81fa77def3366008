#include "tests/conformance/shader_probe.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------------- encodings */

uint32_t op1(uint32_t opcode, uint32_t dest, uint32_t src1, uint32_t src2, uint32_t desc)
{
    return opcode << 26 | dest << 21 | src1 << 12 | src2 << 7 | desc;
}

uint32_t op1i(uint32_t opcode, uint32_t dest, uint32_t src1, uint32_t src2, uint32_t desc)
{
    return opcode << 26 | dest << 21 | src1 << 14 | src2 << 7 | desc;
}

uint32_t op_mad(uint32_t dest, uint32_t src1, uint32_t src2, uint32_t src3, uint32_t desc)
{
    return 7u << 29 | dest << 24 | src1 << 17 | src2 << 10 | src3 << 5 | desc;
}

uint32_t op_madi(uint32_t dest, uint32_t src1, uint32_t src2, uint32_t src3, uint32_t desc)
{
    return 6u << 29 | dest << 24 | src1 << 17 | src2 << 12 | src3 << 5 | desc;
}

uint32_t op_cmp(uint32_t cmpx, uint32_t cmpy, uint32_t src1, uint32_t src2, uint32_t desc)
{
    return 0x17u << 27 | cmpx << 24 | cmpy << 21 | src1 << 12 | src2 << 7 | desc;
}

uint32_t op_condition(uint32_t opcode, uint32_t refx, uint32_t refy, uint32_t condition, uint32_t dst, uint32_t num)
{
    return opcode << 26 | refx << 25 | refy << 24 | condition << 22 | dst << 10 | num;
}

uint32_t op_uniform(uint32_t opcode, uint32_t uid, uint32_t dst, uint32_t num)
{
    return opcode << 26 | uid << 22 | dst << 10 | num;
}

uint32_t op_setemit(uint32_t vertex, uint32_t primitive, uint32_t winding)
{
    return 0x2Bu << 26 | vertex << 24 | primitive << 23 | winding << 22;
}

uint32_t op0(uint32_t opcode)
{
    return opcode << 26;
}

uint32_t relative(uint32_t word, uint32_t idx)
{
    return word | idx << 19;
}

uint32_t relative_mad(uint32_t word, uint32_t idx)
{
    return word | idx << 22;
}

static uint32_t component(char letter)
{
    const char *const found = strchr("xyzw", letter);
    cr_assert(letter != '\0' && found != NULL, "no component: %c", letter);
    return (uint32_t)(found - "xyzw");
}

/* Negate bit and the 8 selector bits above it. */
static uint32_t source_bits(const char *text)
{
    const uint32_t negate = text[0] == '-' ? 1u : 0u;
    text += negate;
    cr_assert_eq(strlen(text), 4);
    return negate | component(text[0]) << 7 | component(text[1]) << 5 | component(text[2]) << 3 |
           component(text[3]) << 1;
}

uint32_t descriptor(const char *mask, const char *source1, const char *source2, const char *source3)
{
    uint32_t word = 0;
    for (; *mask != '\0'; mask++)
        word |= 8u >> component(*mask);
    return word | source_bits(source1) << 4 | source_bits(source2) << 13 | source_bits(source3) << 22;
}

/* ------------------------------------------------------------------------------------------------------------- run */

static const uint32_t output_slots[5] = { 0x00, 0x04, 0x0C, 0x10, 0x14 };

static void write_inputs(struct machine *m, const struct shader_run *run, struct list *list)
{
    for (uint32_t i = 0; i < 4; i++)
        machine_load_words(m, VERTEX_ADDRESS + 16u * i, run->inputs[i], 4);
    list_write(list, PICA_REG_ATTRIBBUFFERS_LOC, VERTEX_ADDRESS >> 3);
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, 0xFFFF);
    list_write(list, PICA_REG_ATTRIBBUFFERS_FORMAT_HIGH, 0x30000000);
    list_write(list, PICA_REG_ATTRIBBUFFER0_OFFSET, 0);
    list_write(list, PICA_REG_ATTRIBBUFFER0_CONFIG1, 0x3210);
    list_write(list, PICA_REG_ATTRIBBUFFER0_CONFIG2, 4u << 28 | 64u << 16);
    list_write(list, PICA_REG_VSH_NUM_ATTR, 3);
}

void shader_run_list(struct machine *m, const struct shader_run *run, struct list *list)
{
    const uint32_t outputs = run->outputs == 0u ? 1u : run->outputs;
    const uint32_t *const descriptors = run->descriptors == NULL ? &IDENTITY : run->descriptors;
    const uint32_t descriptor_count = run->descriptors == NULL ? 1u : run->descriptor_count;
    list_write(list, PICA_REG_START_DRAW_FUNC0, 1);
    list_code(list, PICA_UNIT_VERTEX, 0, run->code, run->code_count);
    list_opdescs(list, PICA_UNIT_VERTEX, 0, descriptors, descriptor_count);
    list_write(list, PICA_REG_VSH_INPUTBUFFER_CONFIG, 0xA0000003);
    list_write(list, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, 0x3210);
    list_write(list, PICA_REG_VSH_OUTMAP_MASK, (1u << outputs) - 1u);
    list_write(list, PICA_REG_SH_OUTMAP_TOTAL, outputs);
    for (uint32_t k = 0; k < outputs; k++)
        list_write(list, PICA_REG_SH_OUTMAP_O0 + k, 0x03020100u + 0x01010101u * output_slots[k]);
    write_inputs(m, run, list);
    for (uint32_t i = 0; run->setup != NULL && i < run->setup->count; i++)
        list_word(list, run->setup->words[i]);
    list_write(list, PICA_REG_START_DRAW_FUNC0, 0);
    list_write(list, PICA_REG_RESTART_PRIMITIVE, 1);
    list_write(list, PICA_REG_NUMVERTICES, 1);
}

void shader_run(struct machine *m, const struct shader_run *run)
{
    struct list list = { .count = 0 };
    shader_run_list(m, run, &list);
    list_write(&list, PICA_REG_DRAWARRAYS, 1);
    machine_submit(m, &list);
}

uint32_t buffered_slot(struct machine *m, uint32_t slot)
{
    cr_assert_lt(slot, 24);
    const struct pica_state *const state = machine_state(m);
    EXPECT_EQ(m, "PRM-03", state->assembler.count, 1);
    return state->assembler.buffer[0].slots[slot];
}

struct pica_vector shader_output(struct machine *m, uint32_t k)
{
    struct pica_vector vector = { { 0 } };
    for (uint32_t c = 0; c < 4; c++)
        vector.bits[c] = buffered_slot(m, output_slots[k] + c);
    return vector;
}
