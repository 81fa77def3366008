/*
 * 20-geometry.md section 3, SHD-10: vertices are independent. Many vertices take different ways through one shader in
 * one draw; each must end as it would alone. v0 = (v, v, v, v) for vertex v = 0..94 unless a test says otherwise.
 */
#include "tests/conformance/shader_lane_probe.h"

static const uint32_t END = 0x88000000;
static const uint32_t NOP = 0x84000000;

static uint32_t integer(uint32_t value)
{
    return f32_bits((float)value);
}

static uint32_t mov(uint32_t dest, uint32_t source)
{
    return op1(PICA_OPCODE_MOV, dest, source, SRC_V, 0);
}

/* r1 += c1 (1.0) */
static uint32_t count_one(void)
{
    return op1(PICA_OPCODE_ADD, DST_R + 1, SRC_C + 1, SRC_R + 1, 0);
}

/* c[n] = (n, n, n, n) for n < 96 */
static void list_numbers(struct list *list)
{
    for (uint32_t c = 0; c < 96; c++)
        list_uniform(list, PICA_UNIT_VERTEX, c, integer(c), integer(c), integer(c), integer(c));
}

/* Runs the code for 95 numbered vertices with the uniforms of list_numbers and the given integer and boolean words. */
static void run_lanes(struct machine *m, const uint32_t *code, uint32_t count, uint32_t i0, uint32_t booleans)
{
    static const struct lane_run empty = { .count = 0 };
    struct lane_run run = empty;
    struct list setup = { .count = 0 };
    list_numbers(&setup);
    list_write(&setup, PICA_REG_VSH_INTUNIFORM_I0, i0);
    list_write(&setup, PICA_REG_VSH_BOOLUNIFORM, booleans);
    run.code = code;
    run.code_count = count;
    run.setup = &setup;
    lane_number(&run);
    lane_draw(m, &run);
}

static void expect_lane(struct machine *m, const char *rule, uint32_t v, uint32_t expected)
{
    machine_case(m, "vertex %u", (unsigned)v);
    EXPECT_EQ(m, rule, lane_output(m, v).bits[0], integer(expected));
}

/* Every number of vertices: all of them are loaded and shaded, none too many. */
EACH_MACHINE(shader, SHD_10_every_number_of_vertices)
{
    const uint32_t code[] = { op1(PICA_OPCODE_ADD, DST_O, SRC_C + 1, SRC_V, 0), END };
    for (uint32_t n = 1; n <= LANES; n++) {
        machine_reset(m);
        struct lane_run run = { .code = code, .code_count = 2 };
        struct list setup = { .count = 0 };
        list_numbers(&setup);
        run.setup = &setup;
        lane_number(&run);
        run.count = n;
        lane_draw(m, &run);
        for (uint32_t v = 0; v < LANES; v++) {
            machine_case(m, "vertex %u of %u", (unsigned)v, (unsigned)n);
            EXPECT_EQ(m, "SHD-10", lane_output(m, v).bits[3], v < n ? integer(v + 1) : 0);
        }
    }
}

/* Three ways by IFC inside IFC: v < 10: 3, v < 40: 5, else 7; plus 1 for all after the end. */
EACH_MACHINE(shader, SHD_43_SHD_47_lanes_take_different_branches)
{
    const uint32_t code[] = {
        /* 0 */ op_cmp(4, 0, SRC_C + 40, SRC_V, 0), /* 40 > v */
        /* 1 */ op_condition(PICA_OPCODE_IFC, 1, 0, 2, 6, 1),
        /* 2 */ op_cmp(4, 0, SRC_C + 10, SRC_V, 0),
        /* 3 */ op_condition(PICA_OPCODE_IFC, 1, 0, 2, 5, 1),
        /* 4 */ mov(DST_R + 1, SRC_C + 3),
        /* 5 */ mov(DST_R + 1, SRC_C + 5),
        /* 6 */ mov(DST_R + 1, SRC_C + 7),
        /* 7 */ count_one(),
        /* 8 */ mov(DST_O, SRC_R + 1),
        /* 9 */ END,
    };
    run_lanes(m, code, 10, 0, 0);
    /* The inner else (5) ends at 6 = the outer else: the instruction at 5 closes both; at 4 only the inner. */
    for (uint32_t v = 0; v < LANES; v++)
        expect_lane(m, "SHD-43", v, v < 10u ? 8 : v < 40u ? 6 : 8);
}

/* Every vertex leaves the loop in another round: r1 = v, or 64 if it never breaks (v = 0 and v > 64). */
EACH_MACHINE(shader, SHD_50_SHD_44_lanes_leave_a_loop_in_different_rounds)
{
    const uint32_t code[] = {
        /* 0 */ op_uniform(PICA_OPCODE_LOOP, 0, 4, 0),
        /* 1 */ count_one(),
        /* 2 */ op_cmp(0, 0, SRC_V, SRC_R + 1, 0),
        /* 3 */ op_condition(PICA_OPCODE_BREAKC, 1, 0, 2, 0, 0),
        /* 4 */ NOP,
        /* 5 */ relative(op1(PICA_OPCODE_ADD, DST_O, SRC_C, SRC_R + 1, 0), 3), /* r1 + c[aL] */
        /* 6 */ END,
    };
    run_lanes(m, code, 7, 0x01003F, 0); /* 64 rounds, aL from 0 by 1: aL = r1 after the loop (SHD-44, SHD-50) */
    for (uint32_t v = 0; v < LANES; v++)
        expect_lane(m, "SHD-50", v, 2 * (v == 0u || v > 64u ? 64 : v));
}

/* A loop made of a conditional jump backwards: r1 = v rounds, then the result of all vertices is their number. */
EACH_MACHINE(shader, SHD_41_lanes_jump_a_different_number_of_times)
{
    const uint32_t code[] = {
        /* 0 */ op_cmp(2, 0, SRC_C + 0, SRC_V, 0), /* cmp.x = 0 < v */
        /* 1 */ op_condition(PICA_OPCODE_JMPC, 0, 0, 2, 5, 0),
        /* 2 */ count_one(),
        /* 3 */ op_cmp(5, 5, SRC_V, SRC_R + 1, 0), /* v >= r1 */
        /* 4 */ op_condition(PICA_OPCODE_JMPC, 1, 0, 2, 2, 0),
        /* 5 */ mov(DST_O, SRC_R + 1),
        /* 6 */ END,
    };
    run_lanes(m, code, 7, 0, 0);
    for (uint32_t v = 0; v < LANES; v++)
        expect_lane(m, "SHD-41", v, v == 0u ? 0 : v + 1);
}

/* Nested calls of different depth: v < 20: none, < 40: one, < 60: two, else three; each level adds 10, 20, 30. */
EACH_MACHINE(shader, SHD_42_lanes_call_to_different_depths)
{
    uint32_t code[64];
    for (uint32_t i = 0; i < 64; i++)
        code[i] = NOP;
    code[0] = op_cmp(5, 0, SRC_V, SRC_R + 15, 0);
    code[1] = mov(DST_R + 2, SRC_C + 20);
    code[2] = op_cmp(5, 5, SRC_V, SRC_R + 2, 0); /* v >= 20 */
    code[3] = op_condition(PICA_OPCODE_CALLC, 1, 0, 2, 10, 6);
    code[4] = mov(DST_O, SRC_R + 1);
    code[5] = END;
    code[10] = op1(PICA_OPCODE_ADD, DST_R + 1, SRC_C + 10, SRC_R + 1, 0);
    code[11] = mov(DST_R + 2, SRC_C + 40);
    code[12] = op_cmp(5, 5, SRC_V, SRC_R + 2, 0);
    code[13] = op_condition(PICA_OPCODE_CALLC, 1, 0, 2, 20, 6);
    code[14] = count_one();
    code[20] = op1(PICA_OPCODE_ADD, DST_R + 1, SRC_C + 20, SRC_R + 1, 0);
    code[21] = mov(DST_R + 2, SRC_C + 60);
    code[22] = op_cmp(5, 5, SRC_V, SRC_R + 2, 0);
    code[23] = op_condition(PICA_OPCODE_CALLC, 1, 0, 2, 30, 1);
    code[24] = count_one();
    code[30] = op1(PICA_OPCODE_ADD, DST_R + 1, SRC_C + 30, SRC_R + 1, 0);
    run_lanes(m, code, 64, 0, 0);
    for (uint32_t v = 0; v < LANES; v++)
        expect_lane(m, "SHD-42", v, v < 20u ? 0 : v < 40u ? 11 : v < 60u ? 32 : 62);
    EXPECT_NO_EVENT(m, "SHD-40", PICA_EVENT_STACK_OVERFLOW);
}

/* Addresses: c40[a0.x] with a0.x = v - 47, so that offsets -47..47 occur: 40 + offset below 0 reads ones (SHD-22). */
EACH_MACHINE(shader, SHD_22_SHD_32_lanes_have_their_own_address_registers)
{
    const uint32_t descriptors[] = { IDENTITY, descriptor("xyzw", "xyzw", "-xyzw", "xyzw") };
    const uint32_t code[] = { mov(DST_R, SRC_C + 47), op1(PICA_OPCODE_ADD, DST_R + 2, SRC_V, SRC_R, 1),
                              op1(PICA_OPCODE_MOVA, 0, SRC_R + 2, SRC_V, 0), relative(mov(DST_O, SRC_C + 40), 1), END };
    struct lane_run run = { .code = code, .code_count = 5, .descriptors = descriptors, .descriptor_count = 2 };
    struct list setup = { .count = 0 };
    list_numbers(&setup);
    run.setup = &setup;
    lane_number(&run);
    lane_draw(m, &run);
    /* 40 + v - 47 = v - 7; for v < 7 (v - 7) & 7F = 121..127: ones */
    for (uint32_t v = 0; v < LANES; v++)
        expect_lane(m, "SHD-22", v, v < 7u ? 1 : v - 7u);
}

/* Some vertices END early, some run out of instructions, some run to the end: outputs as they stand. */
EACH_MACHINE(shader, SHD_14_lanes_end_in_different_ways)
{
    LOAD_LIMIT(m, instructions, 50);
    const uint32_t code[] = {
        /* 0 */ mov(DST_O, SRC_C + 1),
        /* 1 */ op_cmp(4, 4, SRC_C + 30, SRC_V, 0), /* 30 > v */
        /* 2 */ op_condition(PICA_OPCODE_JMPC, 0, 0, 2, 4, 0),
        /* 3 */ END, /* v < 30: 1 */
        /* 4 */ mov(DST_O, SRC_C + 2),
        /* 5 */ op_cmp(4, 4, SRC_C + 60, SRC_V, 0),
        /* 6 */ op_condition(PICA_OPCODE_JMPC, 1, 0, 2, 6, 0), /* v < 60: for ever, 2 */
        /* 7 */ mov(DST_O, SRC_C + 3),
        /* 8 */ END,
    };
    run_lanes(m, code, 9, 0, 0);
    for (uint32_t v = 0; v < LANES; v++)
        expect_lane(m, "SHD-14", v, v < 30u ? 1 : v < 60u ? 2 : 3);
    EXPECT_EVENT(m, "SHD-14", PICA_EVENT_BUDGET_INSTR);
}

/* Instruction events belong to what some vertex executes: vertex 94 alone, and none. */
EACH_MACHINE(shader, GEN_08_an_event_of_one_vertex_is_recorded)
{
    const struct {
        enum pica_event event;
        uint32_t word;
    } rows[] = { { PICA_EVENT_OPCODE_UNASSIGNED, 0x10u << 26 },
                 { PICA_EVENT_CMP_OP_67, op_cmp(6, 0, SRC_V, SRC_V, 0) },
                 { PICA_EVENT_BREAK_EMPTY, op0(PICA_OPCODE_BREAK) },
                 { PICA_EVENT_EMIT_IN_VS, op0(PICA_OPCODE_EMIT) },
                 { PICA_EVENT_PC_RANGE, op_condition(PICA_OPCODE_CALL, 0, 0, 0, 600, 1) } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t last = 93; last <= 94; last++) {
            machine_reset(m);
            const uint32_t code[] = { mov(DST_R + 2, SRC_C + last),
                                      op_cmp(3, 0, SRC_V, SRC_R + 2, 0),
                                      mov(DST_O, SRC_C + 1),
                                      op_condition(PICA_OPCODE_JMPC, 1, 0, 2, 5, 0),
                                      rows[i].word,
                                      END }; /* vertices v <= last jump over the word */
            run_lanes(m, code, 6, 0, 0);
            machine_case(m, "%s, last %u", pica_event_info(rows[i].event)->name, (unsigned)last);
            EXPECT(m, "GEN-08", machine_event(m, rows[i].event) == (last == 93u));
            EXPECT_EQ(m, "SHD-10", lane_output(m, 93).bits[0], integer(1));
        }
}

/*
 * Temporaries, outputs and cmp of one vertex are not seen by its neighbours: only every third vertex writes r3 and o0.
 */
EACH_MACHINE(shader, SHD_10_registers_are_private_to_a_vertex)
{
    const uint32_t code[] = {
        /* 0 */ op_uniform(PICA_OPCODE_LOOP, 0, 3, 0), /* 32 rounds: r1 = 0, 3, 6, .. 93 */
        /* 1 */ op_cmp(0, 0, SRC_V, SRC_R + 1, 0),
        /* 2 */ op_condition(PICA_OPCODE_JMPC, 1, 0, 2, 10, 0),
        /* 3 */ op1(PICA_OPCODE_ADD, DST_R + 1, SRC_C + 3, SRC_R + 1, 0),
        /* 4 */ op1(PICA_OPCODE_ADD, DST_O, SRC_C, SRC_R + 3, 0), /* others: r3 = 0 */
        /* 5 */ END,
        /* 6 */ NOP,
        NOP,
        NOP,
        NOP,
        /* 10 */ mov(DST_R + 3, SRC_V),
        /* 11 */ op1(PICA_OPCODE_ADD, DST_O, SRC_C + 1, SRC_R + 3, 0), /* v + 1 */
        /* 12 */ END,
    };
    run_lanes(m, code, 13, 0x00001F, 0);
    for (uint32_t v = 0; v < LANES; v++)
        expect_lane(m, "SHD-10", v, v % 3u == 0u ? v + 1 : 0);
}

/* Repeated indices give the same vertex again, in their order (VTX-24). */
EACH_MACHINE(shader, VTX_24_repeated_indices_give_the_same_vertices_again)
{
    const uint32_t code[] = { mov(DST_O, SRC_V), END };
    struct lane_run run = { .code = code, .code_count = 2 };
    lane_number(&run);
    lane_draw(m, &run);
    uint8_t indices[1 + LANES];
    indices[0] = LANES;
    for (uint32_t i = 0; i < LANES; i++)
        indices[1 + i] = (uint8_t)(i * i % 7u + i / 40u);
    machine_load(m, VERTEX_ADDRESS + 0x4000, indices, sizeof indices);
    machine_list_write(m, PICA_REG_DRAWELEMENTS, 1);
    for (uint32_t i = 0; i < LANES; i++)
        expect_lane(m, "VTX-24", i, i * i % 7u + i / 40u);
}

/* The vertex budget may end anywhere inside a draw: exactly the first `limit` values of i count (VTX-23). */
EACH_MACHINE(shader, VTX_23_the_budget_ends_between_any_two_vertices)
{
    const uint32_t code[] = { op1(PICA_OPCODE_ADD, DST_O, SRC_C + 1, SRC_V, 0), END };
    for (uint32_t limit = 1; limit <= 40; limit++) {
        LOAD_LIMIT(m, vertices, limit);
        run_lanes(m, code, 2, 0, 0);
        for (uint32_t v = 0; v < 42; v++) {
            machine_case(m, "limit %u, vertex %u", (unsigned)limit, (unsigned)v);
            EXPECT_EQ(m, "VTX-23", lane_output(m, v).bits[0],
                      v + 1u < limit ? integer(v + 1) : 0); /* one is the count */
        }
        EXPECT_EVENT(m, "VTX-23", PICA_EVENT_BUDGET_VERTS);
    }
}
