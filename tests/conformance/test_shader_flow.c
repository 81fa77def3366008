/* 20-geometry.md section 3: loops, breaks, conditions (SHD-44 to SHD-51). Stacks, their order: test_shader_stack.c. */
#include "tests/conformance/shader_flow_probe.h"

/* ------------------------------------------------------------------------------------------------- worked examples */

EACH_MACHINE(shader, SHD_44_SHD_48_SHD_50_SHD_51_loop_examples)
{
    machine_case(m, "example 1");
    struct program one = { .integers = { 0x030A02 } }; /* (2, 10, 3) */
    one.code[0] = loop(0, 1);
    one.code[1] = count_loop_register();
    one.code[2] = jump(TAIL);
    run_program(m, &one);
    expect_count(m, "SHD-48", 10 + 13 + 16);
    expect_loop_register(m, "SHD-44", 19);
    machine_case(m, "example 2");
    struct program two = { .integers = { 0x010004, 0x010007 } };
    two.code[0] = loop(0, 3);
    two.code[1] = loop(1, 2);
    two.code[2] = count_one();
    two.code[3] = NOP;
    two.code[4] = jump(TAIL);
    run_program(m, &two);
    expect_count(m, "SHD-44", 40);
    expect_loop_register(m, "SHD-44", 5);
    machine_case(m, "example 3");
    struct program three = { .integers = { 0x010004, 0x010007 } };
    three.code[0] = loop(0, 2);
    three.code[1] = loop(1, 2);
    three.code[2] = count_one();
    three.code[3] = jump(TAIL);
    run_program(m, &three);
    expect_count(m, "SHD-51", 8);
    expect_loop_register(m, "SHD-51", 0);
    machine_case(m, "example 4");
    struct program four = { .integers = { 0x020509 } };
    four.code[0] = loop(0, 3);
    four.code[1] = mark(1);
    four.code[2] = op0(PICA_OPCODE_BREAK);
    four.code[3] = mark(3);
    four.code[4] = mark(4);
    four.code[5] = jump(TAIL);
    run_program(m, &four);
    expect_trace(m, "SHD-50", 0x14);
    expect_loop_register(m, "SHD-50", 7);
    EXPECT_NO_EVENT(m, "SHD-50", PICA_EVENT_BREAK_EMPTY);
    EXPECT_NO_EVENT(m, "SHD-40", PICA_EVENT_STACK_OVERFLOW);
}

EACH_MACHINE(shader, SHD_47_SHD_43_if_and_else)
{
    for (uint32_t b = 0; b < 2; b++) {
        machine_case(m, "example 5, b0 = %u", (unsigned)b);
        struct program program = { .booleans = b };
        program.code[0] = ifu(0, 3, 2);
        program.code[1] = mark(1);
        program.code[2] = mark(2);
        program.code[3] = mark(3);
        program.code[4] = mark(4);
        program.code[5] = mark(5);
        program.code[6] = jump(TAIL);
        run_program(m, &program);
        expect_trace(m, "SHD-47", b != 0u ? 0x125 : 0x345);
    }
}

EACH_MACHINE(shader, SHD_41_SHD_42_call_examples)
{
    machine_case(m, "example 6");
    struct program six = { .code = { 0 } };
    six.code[0] = call(3, 2);
    six.code[1] = mark(1);
    six.code[2] = jump(TAIL);
    six.code[3] = mark(3);
    six.code[4] = jump(9);
    six.code[9] = mark(9);
    six.code[10] = jump(TAIL);
    run_program(m, &six);
    expect_trace(m, "SHD-41", 0x31);
    machine_case(m, "example 7, three levels");
    struct program three = { .code = { 0 } };
    three.code[0] = call(10, 2);
    three.code[1] = mark(1);
    three.code[2] = jump(TAIL);
    three.code[10] = mark(10);
    three.code[11] = call(20, 2);
    three.code[12] = mark(12);
    three.code[13] = jump(TAIL);
    three.code[20] = mark(2);
    three.code[21] = call(30, 1);
    three.code[30] = mark(3);
    run_program(m, &three);
    expect_trace(m, "SHD-42", 0xA231);
    machine_case(m, "example 7, four levels");
    struct program four = { .code = { 0 } };
    four.code[0] = call(10, 2);
    four.code[1] = mark(1);
    four.code[2] = jump(TAIL);
    four.code[11] = call(20, 2);
    four.code[12] = mark(12);
    four.code[13] = jump(TAIL);
    four.code[21] = call(30, 2);
    four.code[31] = call(40, 1);
    four.code[40] = mark(4);
    run_program(m, &four);
    expect_trace(m, "SHD-42", 0x4C);
    EXPECT_NO_EVENT(m, "SHD-40", PICA_EVENT_STACK_OVERFLOW);
}

/* ------------------------------------------------------------------------------------------------- SHD-48, SHD-49 */

EACH_MACHINE(shader, SHD_48_SHD_49_loops_run_x_plus_1_times_and_al_is_not_wrapped)
{
    static const struct {
        const char *what;
        uint32_t uid, integer; /* i1; the others are (9, 9, 9) */
        uint32_t count, sum;
    } rows[] = {
        { "x = 0 runs once", 1, 0x000000, 1, 0 },
        { "x = 255 runs 256 times", 1, 0x0000FF, 256, 0 },
        { "uid 5 is i1", 5, 0x000002, 3, 0 },
        { "uid 13 is i1", 13, 0x000003, 4, 0 },
        { "w is unused", 1, 0xFF000001, 2, 0 },
        { "start 20, step 4", 1, 0x041402, 3, 20 + 24 + 28 },
        { "aL is not wrapped at 8 bits", 1, 0x03FA04, 5, 0 }, /* 250 .. 262: offset 0 (SHD-22); wrapped: 3 + 6 */
        { "aL up to 127 counts", 1, 0x207F01, 2, 1 },         /* c127 reads (1,1,1,1), 159 is offset 0 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "%s", rows[i].what);
        struct program program = { .integers = { 0x090909, rows[i].integer, 0x090909, 0x090909 } };
        program.code[0] = loop(rows[i].uid, 2);
        program.code[1] = count_one();
        program.code[2] = NOP;
        program.code[3] = jump(TAIL);
        run_program(m, &program);
        expect_count(m, "SHD-48", rows[i].count);
        program.code[1] = count_loop_register();
        run_program(m, &program);
        expect_count(m, "SHD-49", rows[i].sum);
    }
}

/*
 * saved = aL & 0xFF: outer loop aL = 250, 270; after the inner loop aL is 250 and 270 & 255 = 14. The first is offset
 * 0.
 */
EACH_MACHINE(shader, SHD_48_the_saved_loop_register_has_8_bits)
{
    struct program program = { .integers = { 0x14FA01, 0x010000 } };
    program.code[0] = loop(0, 4);
    program.code[1] = loop(1, 2);
    program.code[2] = NOP;
    program.code[3] = count_loop_register();
    program.code[4] = NOP;
    program.code[5] = jump(TAIL);
    run_program(m, &program);
    expect_count(m, "SHD-48", 14);
    expect_loop_register(m, "SHD-44", 34); /* 14 + 20 */
}

/* The inner loop starts at its own y and gives the outer value back: 5, 6, 7 outside, 40 inside. */
EACH_MACHINE(shader, SHD_44_the_outer_loop_register_comes_back)
{
    struct program program = { .integers = { 0x010502, 0x002800 } };
    program.code[0] = loop(0, 4);
    program.code[1] = loop(1, 2);
    program.code[2] = count_loop_register();
    program.code[3] = count_loop_register();
    program.code[4] = NOP;
    program.code[5] = jump(TAIL);
    run_program(m, &program);
    expect_count(m, "SHD-44", 3 * 40 + 5 + 6 + 7);
    expect_loop_register(m, "SHD-44", 8);
}

/* ----------------------------------------------------------------------------------------------------------- SHD-50 */

EACH_MACHINE(shader, SHD_50_a_break_without_a_loop_does_nothing)
{
    struct program program = { .code = { 0 } };
    program.code[0] = op0(PICA_OPCODE_BREAK);
    program.code[1] = mark(1);
    program.code[2] = compare_true();
    program.code[3] = op_condition(PICA_OPCODE_BREAKC, 1, 1, 1, 0, 0);
    program.code[4] = mark(4);
    program.code[5] = jump(TAIL);
    run_program(m, &program);
    expect_trace(m, "SHD-50", 0x14);
    EXPECT_EVENT(m, "SHD-50", PICA_EVENT_BREAK_EMPTY);
    machine_reset(m);
    program.code[0] = NOP;
    program.code[3] = op_condition(PICA_OPCODE_BREAKC, 0, 0, 1, 0, 0); /* not taken */
    run_program(m, &program);
    EXPECT_NO_EVENT(m, "SHD-50", PICA_EVENT_BREAK_EMPTY);
}

/* BREAKC in the third round; the break of an inner loop leaves the outer loop running and restores its aL. */
EACH_MACHINE(shader, SHD_50_break_ends_the_innermost_loop)
{
    machine_case(m, "BREAKC");
    struct program conditional = { .integers = { 0x010009 } };
    conditional.code[0] = loop(0, 4);
    conditional.code[1] = count_one();
    conditional.code[2] = op_cmp(0, 0, SRC_C + 3, SRC_R + 1, 0); /* r1 == 3 */
    conditional.code[3] = op_condition(PICA_OPCODE_BREAKC, 1, 0, 2, 0, 0);
    conditional.code[4] = mark(4);
    conditional.code[5] = mark(5);
    conditional.code[6] = jump(TAIL);
    run_program(m, &conditional);
    expect_trace(m, "SHD-50", 0x445);
    expect_count(m, "SHD-50", 3);
    expect_loop_register(m, "SHD-50", 3); /* 0, 1, 2, and inc once more on the break */
    machine_case(m, "inner BREAK");
    struct program inner = { .integers = { 0x010701, 0x012809 } };
    inner.code[0] = loop(0, 5);
    inner.code[1] = loop(1, 3);
    inner.code[2] = op0(PICA_OPCODE_BREAK);
    inner.code[3] = mark(3);
    inner.code[4] = count_loop_register();
    inner.code[5] = mark(5);
    inner.code[6] = jump(TAIL);
    run_program(m, &inner);
    expect_trace(m, "SHD-50", 0x55);
    expect_count(m, "SHD-50", 7 + 8);
    expect_loop_register(m, "SHD-50", 9);
    machine_case(m, "BREAK as the last instruction");
    struct program last = { .integers = { 0x010009 } };
    last.code[0] = loop(0, 2);
    last.code[1] = mark(1);
    last.code[2] = op0(PICA_OPCODE_BREAK);
    last.code[3] = mark(3);
    last.code[4] = jump(TAIL);
    run_program(m, &last);
    expect_trace(m, "SHD-50", 0x13);
    expect_loop_register(m, "SHD-50", 1);
}

/* The IF opened inside the loop stays on its stack after the break: 3 has N = 4 = its else, so 5 comes next, not 4. */
EACH_MACHINE(shader, SHD_50_if_entries_opened_inside_the_loop_stay)
{
    struct program program = { .booleans = 1, .integers = { 0x000009 } };
    program.code[0] = loop(0, 5);
    program.code[1] = ifu(0, 4, 1);
    program.code[2] = op0(PICA_OPCODE_BREAK);
    program.code[3] = mark(3);
    program.code[4] = mark(4);
    program.code[5] = compare_true();
    program.code[6] = NOP;
    program.code[7] = op_condition(PICA_OPCODE_JMPC, 0, 0, 2, 3, 0);
    program.code[8] = mark(8);
    program.code[9] = jump(TAIL);
    run_program(m, &program);
    expect_trace(m, "SHD-50", 0x38);
}

/* ------------------------------------------------------------------------------------------------------- conditions */

/* cond: X = (cmp.x == refx), Y = (cmp.y == refy); op 0 or, 1 and, 2 X, 3 Y; by JMPC, IFC and CALLC. */
EACH_MACHINE(shader, SHD_47_conditions_of_format_2)
{
    for (uint32_t bits = 0; bits < 64; bits++) {
        const uint32_t cmpx = bits & 1u;
        const uint32_t cmpy = bits >> 1 & 1u;
        const uint32_t refx = bits >> 2 & 1u;
        const uint32_t refy = bits >> 3 & 1u;
        const uint32_t op = bits >> 4;
        static const uint8_t truth[4] = { 0xE, 0x8, 0xA, 0xC }; /* bit X + 2 * Y */
        const bool holds = (truth[op] >> ((cmpx == refx ? 1u : 0u) + (cmpy == refy ? 2u : 0u)) & 1u) != 0u;
        machine_case(m, "cmp %u%u ref %u%u op %u", (unsigned)cmpx, (unsigned)cmpy, (unsigned)refx, (unsigned)refy,
                     (unsigned)op);
        struct program program = { .code = { 0 } };
        program.code[0] = op_cmp(cmpx != 0u ? 0 : 1, cmpy != 0u ? 0 : 1, SRC_C, SRC_R + 15, 0);
        program.code[1] = op_condition(PICA_OPCODE_JMPC, refx, refy, op, 3, 0);
        program.code[2] = mark(2);
        program.code[3] = op_condition(PICA_OPCODE_IFC, refx, refy, op, 5, 1);
        program.code[4] = mark(4);
        program.code[5] = mark(5);
        program.code[6] = op_condition(PICA_OPCODE_CALLC, refx, refy, op, 20, 1);
        program.code[7] = mark(7);
        program.code[8] = jump(TAIL);
        program.code[20] = mark(10);
        run_program(m, &program);
        expect_trace(m, "SHD-47", holds ? 0x4A7 : 0x257);
    }
}

/* JMPU: jump if b = NOT num[0]; CALLU and IFU have no inversion; all 16 booleans (b15 is the jump of the program). */
EACH_MACHINE(shader, SHD_41_SHD_47_boolean_conditions)
{
    for (uint32_t b = 0; b < 15; b++)
        for (uint32_t value = 0; value < 2; value++) {
            machine_case(m, "b%u = %u", (unsigned)b, (unsigned)value);
            struct program program = { .booleans = value != 0u ? 1u << b : 0x7FFFu & ~(1u << b) };
            program.code[0] = op_uniform(PICA_OPCODE_JMPU, b, 2, 0);
            program.code[1] = mark(1);
            program.code[2] = op_uniform(PICA_OPCODE_JMPU, b, 4, 0xFF);
            program.code[3] = mark(3);
            program.code[4] = op_uniform(PICA_OPCODE_CALLU, b, 20, 1);
            program.code[5] = ifu(b, 7, 1);
            program.code[6] = mark(6);
            program.code[7] = mark(7);
            program.code[8] = jump(TAIL);
            program.code[20] = mark(10);
            run_program(m, &program);
            expect_trace(m, "SHD-41", value != 0u ? 0x3A6 : 0x17);
        }
}

/* Bits 9:8 of the formats 2 and 3 are ignored; cmp stays over instructions that do not set it. */
EACH_MACHINE(shader, SHD_20_bits_9_8_of_flow_instructions_are_ignored)
{
    struct program program = { .booleans = 1 };
    program.code[0] = compare_false();
    program.code[1] = op_condition(PICA_OPCODE_JMPC, 0, 0, 1, 3, 0) | 0x300u;
    program.code[2] = mark(15);
    program.code[3] = ifu(0, 5, 1) | 0x300u;
    program.code[4] = mark(4);
    program.code[5] = mark(5);
    program.code[6] = call(20, 1) | 0x300u;
    program.code[7] = jump(TAIL) | 0x300u;
    program.code[20] = mark(2);
    run_program(m, &program);
    expect_trace(m, "SHD-20", 0x42);
}

/* END inside open scopes ends at once: the outputs of TAIL are not written (r0 goes to o0 before). */
EACH_MACHINE(shader, SHD_41_end_looks_at_no_stack)
{
    struct program program = { .integers = { 0x000005 } };
    program.code[0] = loop(0, 3);
    program.code[1] = mark(1);
    program.code[2] = op1(PICA_OPCODE_MOV, DST_O, SRC_R, SRC_V, 0);
    program.code[3] = op0(PICA_OPCODE_END);
    run_program(m, &program);
    expect_trace(m, "SHD-41", 0x1);
    EXPECT_EQ(m, "SHD-70", shader_output(m, 1).bits[0], 0);
}
