#include "tests/conformance/shader_flow_probe.h"

uint32_t mark(uint32_t k)
{
    return op_madi(DST_R, SRC_R, SRC_V, SRC_C + k, 0);
}

uint32_t count_one(void)
{
    return op1(PICA_OPCODE_ADD, DST_R + 1, SRC_C + 1, SRC_R + 1, 0);
}

uint32_t count_loop_register(void)
{
    return relative(op1(PICA_OPCODE_ADD, DST_R + 1, SRC_C, SRC_R + 1, 0), 3);
}

uint32_t jump(uint32_t dst)
{
    return op_uniform(PICA_OPCODE_JMPU, 15, dst, 1);
}

uint32_t call(uint32_t dst, uint32_t num)
{
    return op_condition(PICA_OPCODE_CALL, 0, 0, 0, dst, num);
}

uint32_t ifu(uint32_t b, uint32_t dst, uint32_t num)
{
    return op_uniform(PICA_OPCODE_IFU, b, dst, num);
}

uint32_t loop(uint32_t i, uint32_t dst)
{
    return op_uniform(PICA_OPCODE_LOOP, i, dst, 0);
}

uint32_t compare_true(void)
{
    return op_cmp(0, 0, SRC_C, SRC_R + 15, 0);
}

uint32_t compare_false(void)
{
    return op_cmp(1, 1, SRC_C, SRC_R + 15, 0);
}

void run_program(struct machine *m, const struct program *program)
{
    uint32_t code[CODE_SIZE];
    for (uint32_t i = 0; i < CODE_SIZE; i++)
        code[i] = program->code[i] == 0u ? NOP : program->code[i];
    code[TAIL] = op1(PICA_OPCODE_MOV, DST_O, SRC_R, SRC_V, 0);
    code[TAIL + 1] = op1(PICA_OPCODE_MOV, DST_O + 1, SRC_R + 1, SRC_V, 0);
    code[TAIL + 2] = relative(op1(PICA_OPCODE_MOV, DST_O + 2, SRC_C, SRC_V, 0), 3);
    code[TAIL + 3] = op0(PICA_OPCODE_END);
    struct list setup = { .count = 0 };
    for (uint32_t c = 0; c < 96; c++) {
        const uint32_t n = f32_bits((float)c);
        list_uniform(&setup, PICA_UNIT_VERTEX, c, n, n, n, n);
    }
    for (uint32_t i = 0; i < 4; i++)
        list_write(&setup, PICA_REG_VSH_INTUNIFORM_I0 + i, program->integers[i]);
    list_write(&setup, PICA_REG_VSH_BOOLUNIFORM, program->booleans);
    const uint32_t sixteen = f32_bits(16.0f);
    const struct shader_run run = { .code = code,
                                    .code_count = CODE_SIZE,
                                    .outputs = 3,
                                    .inputs = { { sixteen, sixteen, sixteen, sixteen } },
                                    .setup = &setup };
    shader_run(m, &run);
}

void expect_trace(struct machine *m, const char *rule, uint32_t marks)
{
    EXPECT_EQ(m, rule, shader_output(m, 0).bits[0], f32_bits((float)marks));
}

void expect_count(struct machine *m, const char *rule, uint32_t count)
{
    EXPECT_EQ(m, rule, shader_output(m, 1).bits[0], f32_bits((float)count));
}

void expect_loop_register(struct machine *m, const char *rule, uint32_t value)
{
    EXPECT_EQ(m, rule, shader_output(m, 2).bits[0], f32_bits((float)value));
}
