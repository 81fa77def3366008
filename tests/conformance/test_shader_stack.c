/* 20-geometry.md section 3: the three stacks, their overflow and the order of their checks (SHD-40 to SHD-47). */
#include "tests/conformance/shader_flow_probe.h"

/* -------------------------------------------------------------------------------------------------- SHD-40 overflow */

/* `depth` nested CALLs that each go on after their return; the fifth loses the return of the first. */
EACH_MACHINE(shader, SHD_40_the_call_stack_has_four_entries)
{
    for (uint32_t depth = 3; depth <= 5; depth++) {
        machine_row(m, "%u levels", (unsigned)depth);
        struct program program = { .code = { 0 } };
        for (uint32_t level = 0; level < depth; level++)
            program.code[10 * level] = call(10 * level + 10, 3); /* end = 10 * level + 13 */
        program.code[10 * depth] = mark(1);
        program.code[12] = mark(2);
        program.code[13] = mark(3);
        program.code[14] = jump(TAIL);
        program.code[1] = mark(15);
        program.code[2] = jump(TAIL);
        run_program(m, &program);
        expect_trace(m, "SHD-40", depth == 5u ? 0x123 : 0x12F);
        EXPECT(m, "SHD-40", machine_event(m, PICA_EVENT_STACK_OVERFLOW) == (depth == 5u));
    }
}

/* IFs at 0 .. depth-1; IF k: else = 40 + 2 * (8 - k), end = else + 1. Only the else branch of IF 0 has a mark. */
EACH_MACHINE(shader, SHD_40_the_if_stack_has_eight_entries)
{
    for (uint32_t depth = 7; depth <= 9; depth++) {
        machine_row(m, "%u levels", (unsigned)depth);
        struct program program = { .booleans = 1 };
        for (uint32_t k = 0; k < depth; k++)
            program.code[k] = ifu(0, 40 + 2 * (8 - k), 1);
        program.code[9] = mark(1);
        program.code[56] = mark(2); /* else of IF 0 */
        program.code[57] = mark(3);
        program.code[58] = jump(TAIL);
        run_program(m, &program);
        expect_trace(m, "SHD-40", depth == 9u ? 0x123 : 0x13);
        EXPECT(m, "SHD-40", machine_event(m, PICA_EVENT_STACK_OVERFLOW) == (depth == 9u));
    }
}

/* Loops at 0 .. depth-1, each twice: 2^depth bodies; the fifth loop makes the first forget itself: 2^4. */
EACH_MACHINE(shader, SHD_40_the_loop_stack_has_four_entries)
{
    static const uint32_t bodies[6] = { 1, 2, 4, 8, 16, 16 };
    for (uint32_t depth = 1; depth <= 5; depth++) {
        machine_row(m, "%u levels", (unsigned)depth);
        struct program program = { .integers = { 0x000001 } };
        for (uint32_t k = 0; k < depth; k++)
            program.code[k] = loop(0, 20 - k);
        program.code[10] = count_one();
        program.code[30] = jump(TAIL);
        run_program(m, &program);
        expect_count(m, "SHD-40", bodies[depth]);
        EXPECT(m, "SHD-40", machine_event(m, PICA_EVENT_STACK_OVERFLOW) == (depth == 5u));
    }
}

/* ---------------------------------------------------------------------------------------- SHD-41 to 45: the checks */

EACH_MACHINE(shader, SHD_41_a_jump_in_the_last_instruction_of_a_scope_is_lost)
{
    machine_case(m, "last instruction of an IF");
    struct program in_if = { .booleans = 1 };
    in_if.code[0] = ifu(0, 3, 1);
    in_if.code[1] = mark(1);
    in_if.code[2] = jump(20);
    in_if.code[3] = mark(3);
    in_if.code[4] = mark(4);
    in_if.code[5] = jump(TAIL);
    in_if.code[20] = mark(15);
    in_if.code[21] = jump(TAIL);
    run_program(m, &in_if);
    expect_trace(m, "SHD-41", 0x14);
    machine_case(m, "last instruction of a LOOP");
    struct program in_loop = { .integers = { 0x000002 } };
    in_loop.code[0] = loop(0, 2);
    in_loop.code[1] = mark(1);
    in_loop.code[2] = jump(20);
    in_loop.code[3] = mark(3);
    in_loop.code[4] = jump(TAIL);
    in_loop.code[20] = mark(15);
    in_loop.code[21] = jump(TAIL);
    run_program(m, &in_loop);
    expect_trace(m, "SHD-41", 0x1113);
    machine_case(m, "a jump into the end of a scope does not close it");
    struct program into_end = { .booleans = 1 };
    into_end.code[0] = ifu(0, 4, 2);
    into_end.code[1] = jump(4);
    into_end.code[4] = mark(4);
    into_end.code[5] = mark(5);
    into_end.code[6] = jump(TAIL);
    run_program(m, &into_end);
    expect_trace(m, "SHD-41", 0x45);
}

/* Two or three scopes end with one instruction: LOOP beats IF beats CALL; all of them are popped. */
EACH_MACHINE(shader, SHD_41_loop_beats_if_beats_call)
{
    machine_case(m, "IF beats CALL");
    struct program if_call = { .booleans = 1 };
    if_call.code[0] = call(10, 3);
    if_call.code[1] = mark(1);
    if_call.code[2] = jump(TAIL);
    if_call.code[10] = ifu(0, 13, 2);
    if_call.code[12] = mark(2);
    if_call.code[13] = mark(13);
    if_call.code[15] = mark(15);
    if_call.code[16] = jump(TAIL);
    run_program(m, &if_call);
    expect_trace(m, "SHD-41", 0x2F);
    machine_case(m, "LOOP beats IF");
    struct program loop_if = { .booleans = 1, .integers = { 0x000001 } };
    loop_if.code[0] = loop(0, 4);
    loop_if.code[1] = mark(1);
    loop_if.code[2] = ifu(0, 5, 5); /* else = 5 = end of the loop, end = 10 */
    loop_if.code[4] = mark(4);
    loop_if.code[5] = mark(5);
    loop_if.code[6] = jump(TAIL);
    loop_if.code[10] = mark(10);
    loop_if.code[11] = jump(TAIL);
    run_program(m, &loop_if);
    expect_trace(m, "SHD-41", 0x14145);
    machine_case(m, "LOOP beats CALL");
    struct program loop_call = { .integers = { 0x000000 } };
    loop_call.code[0] = loop(0, 12);
    loop_call.code[1] = call(10, 3); /* end = 13 = end of the loop */
    loop_call.code[2] = mark(2);
    loop_call.code[3] = jump(TAIL);
    loop_call.code[12] = mark(12);
    loop_call.code[13] = mark(13);
    loop_call.code[14] = jump(TAIL);
    run_program(m, &loop_call);
    expect_trace(m, "SHD-41", 0xCD);
}

/* Entries pushed by this very instruction take part in its checks. */
EACH_MACHINE(shader, SHD_41_entries_pushed_by_the_instruction_take_part)
{
    machine_case(m, "CALL whose end is the next instruction");
    struct program calling = { .code = { 0 } };
    calling.code[0] = jump(30);
    calling.code[20] = mark(15);
    calling.code[30] = call(20, 11); /* end = 31 */
    calling.code[31] = mark(1);
    calling.code[32] = jump(TAIL);
    run_program(m, &calling);
    expect_trace(m, "SHD-41", 0x1);
    machine_case(m, "IF whose else is the next instruction");
    struct program iffy = { .booleans = 1 };
    iffy.code[0] = ifu(0, 1, 4);
    iffy.code[1] = mark(15);
    iffy.code[5] = mark(5);
    iffy.code[6] = jump(TAIL);
    run_program(m, &iffy);
    expect_trace(m, "SHD-41", 0x5);
    machine_case(m, "LOOP whose dst is itself, popped at once");
    struct program looping = { .integers = { 0x030500, 0x030502 } };
    looping.code[0] = loop(0, 0);
    looping.code[1] = mark(1);
    looping.code[2] = jump(TAIL);
    run_program(m, &looping);
    expect_trace(m, "SHD-41", 0x1);
    expect_loop_register(m, "SHD-44", 8);
    machine_case(m, "LOOP whose dst is itself, counted once");
    looping.code[0] = loop(1, 0);
    run_program(m, &looping);
    expect_trace(m, "SHD-41", 0x1);
    expect_loop_register(m, "SHD-44", 8);
}

/* Two IFs with one else: only the inner is popped (SHD-43), the outer never sees its else again. */
EACH_MACHINE(shader, SHD_43_at_most_one_if_is_closed_by_an_instruction)
{
    struct program program = { .booleans = 1 };
    program.code[0] = ifu(0, 4, 2);
    program.code[1] = ifu(0, 4, 1);
    program.code[2] = mark(2);
    program.code[4] = mark(4);
    program.code[5] = mark(5);
    program.code[6] = mark(6);
    program.code[7] = jump(TAIL);
    run_program(m, &program);
    expect_trace(m, "SHD-43", 0x256);
}

/*
 * SHD-45: the CALL in the last instruction of an IF pushes its entry (end = 3900 + 255 = 4155), its jump is lost. The
 * instruction at 58 has N = 59 = 4155 - 4096: no return.
 */
EACH_MACHINE(shader, SHD_45_end_addresses_do_not_wrap_around)
{
    struct program program = { .booleans = 1 };
    program.code[0] = ifu(0, 2, 56); /* end = 58 */
    program.code[1] = call(3900, 255);
    program.code[2] = mark(15);
    program.code[3] = jump(TAIL);
    program.code[58] = mark(1);
    program.code[59] = mark(2);
    program.code[60] = jump(TAIL);
    run_program(m, &program);
    expect_trace(m, "SHD-45", 0x12);
}

/* SHD-47: a failed IF pushes nothing. 2 is reached a second time with N = 3 = dst: the body at 3 runs again. */
EACH_MACHINE(shader, SHD_47_a_failed_if_pushes_nothing)
{
    struct program program = { .booleans = 0 };
    program.code[0] = ifu(0, 3, 2);
    program.code[1] = mark(1);
    program.code[2] = compare_true();
    program.code[3] = mark(3);
    program.code[4] = op_condition(PICA_OPCODE_JMPC, 0, 0, 2, 2, 0);
    program.code[5] = mark(5);
    program.code[6] = jump(TAIL);
    run_program(m, &program);
    expect_trace(m, "SHD-47", 0x335);
}
