/*
 * 20-geometry.md sections 3 and 4: what the geometry unit keeps (SHD-11), emission (GSH-30 to 35, SHD-71), its events.
 */
#include "tests/conformance/geometry_probe.h"
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

static const uint32_t ONE = 0x3F800000;
static const uint32_t END = 0x88000000;
static const uint32_t EMIT = 0xA8000000;

static uint32_t mov(uint32_t dest, uint32_t source)
{
    return op1(PICA_OPCODE_MOV, dest, source, 0, 0);
}

static uint32_t integer(int32_t value)
{
    return f32_bits((float)value);
}

static const struct pica_geometry_state *geometry(struct machine *m)
{
    return &machine_state(m)->geometry;
}

/* GS code with c1 = 1, c2 = 2, .. c9 = 9 in all components, one invocation for each of n vertices. */
static void run_gs(struct machine *m, const uint32_t *code, uint32_t count, const struct list *changes, uint32_t n)
{
    struct list list = gs_list(m, code, count);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 1);
    for (uint32_t c = 1; c < 10; c++) {
        const uint32_t v = integer((int32_t)c);
        list_uniform(&list, PICA_UNIT_GEOMETRY, c, v, v, v, v);
    }
    for (uint32_t i = 0; changes != NULL && i < changes->count; i++)
        list_word(&list, changes->words[i]);
    list_write(&list, PICA_REG_START_DRAW_FUNC0, 0);
    gs_draw(m, &list, n);
}

/* -------------------------------------------------------------------------------------------------- GSH-30, GSH-31 */

/* The worked example: A = c1, B = c2, C = c3, mask o0,o1; first from reset, then a second invocation. */
EACH_MACHINE(geometry, GSH_31_GSH_30_the_bank_quirk_example)
{
    const uint32_t code[] = { mov(DST_O, SRC_C + 1),
                              mov(DST_O + 1, SRC_C + 3),
                              op_setemit(0, 0, 0),
                              EMIT,
                              mov(DST_O, SRC_C + 2),
                              op_setemit(1, 0, 0),
                              EMIT,
                              mov(DST_O, SRC_C + 1),
                              op_setemit(2, 1, 0),
                              EMIT,
                              END };
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_GSH_OUTMAP_MASK, 3);
    run_gs(m, code, 11, &changes, 1);
    static const uint32_t first[3][2] = { { 1, 3 }, { 2, 0 }, { 1, 3 } };
    static const uint32_t second[3][2] = { { 1, 3 }, { 2, 3 }, { 1, 3 } }; /* bank 0 has o1 = C by now */
    for (uint32_t s = 0; s < 3; s++)
        for (uint32_t k = 0; k < 2; k++) {
            machine_case(m, "first, slot %u vector %u", (unsigned)s, (unsigned)k);
            EXPECT_EQ(m, "GSH-31", geometry(m)->slots[s][k].bits[0], integer((int32_t)first[s][k]));
        }
    EXPECT_EQ(m, "GSH-31", geometry(m)->bank, 1);
    EXPECT_EQ(m, "GSH-31", geometry(m)->outputs[1][1].bits[0], 0);
    gs_draw_again(m, 1);
    for (uint32_t s = 0; s < 3; s++)
        for (uint32_t k = 0; k < 2; k++) {
            machine_case(m, "second, slot %u vector %u", (unsigned)s, (unsigned)k);
            EXPECT_EQ(m, "GSH-31", geometry(m)->slots[s][k].bits[0], integer((int32_t)second[s][k]));
        }
    EXPECT_EQ(m, "GSH-31", geometry(m)->bank, 0);
    EXPECT_EQ(m, "GSH-31", geometry(m)->outputs[1][1].bits[0], integer(3));
}

/* SETEMIT persists across invocations and draws, initially (0, 0, 0); EMIT alone stores into slot 0. */
EACH_MACHINE(geometry, GSH_30_setemit_persists)
{
    const uint32_t emit_only[] = { mov(DST_O, SRC_C + 4), EMIT, END };
    run_gs(m, emit_only, 3, NULL, 1);
    EXPECT_EQ(m, "GSH-30", geometry(m)->slots[0][0].bits[0], integer(4));
    EXPECT_EQ(m, "GSH-30", machine_state(m)->assembler.count, 0);
    const uint32_t set_only[] = { op_setemit(2, 1, 1), END };
    run_gs(m, set_only, 2, NULL, 1);
    EXPECT_EQ(m, "GSH-30", geometry(m)->emit_vertex, 2);
    EXPECT_EQ(m, "GSH-30", geometry(m)->emit_primitive, 1);
    EXPECT_EQ(m, "GSH-30", geometry(m)->emit_winding, 1);
    EXPECT_EQ(m, "GSH-30", machine_state(m)->assembler.winding, 0); /* set by EMIT, not by SETEMIT */
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
    run_gs(m, emit_only, 3, &changes, 1);
    EXPECT_EQ(m, "GSH-30", geometry(m)->slots[2][0].bits[0], integer(4));
    EXPECT_EQ(m, "GSH-30", machine_state(m)->assembler.ready, 1);
    EXPECT_EQ(m, "GSH-30", machine_state(m)->assembler.winding, 1);
}

/* Slots 0, 1, 2 in order reach output map and assembler; with a strip, B[0] and B[1] are slots 2 and 1. */
EACH_MACHINE(geometry, GSH_30_GSH_35_slots_0_1_2_enter_the_assembler_like_any_vertices)
{
    const uint32_t code[] = { op_setemit(1, 0, 0),
                              mov(DST_O, SRC_C + 5),
                              EMIT,
                              op_setemit(2, 0, 0),
                              mov(DST_O, SRC_C + 6),
                              EMIT,
                              op_setemit(0, 1, 0),
                              mov(DST_O, SRC_C + 7),
                              EMIT,
                              END };
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
    run_gs(m, code, 10, &changes, 1);
    const struct pica_assembler_state *const assembler = &machine_state(m)->assembler;
    EXPECT_EQ(m, "GSH-35", assembler->count, 1);
    EXPECT_EQ(m, "GSH-35", assembler->ready, 1);
    EXPECT_EQ(m, "GSH-30", assembler->buffer[0].slots[0], integer(6)); /* slot 2 replaced slot 0 */
    EXPECT_EQ(m, "GSH-30", assembler->buffer[1].slots[0], integer(5));
    EXPECT_EQ(m, "GSH-35", assembler->buffer[1].slots[4], ONE); /* unmapped slot, SHD-80 */
    EXPECT_EQ(m, "GSH-30", assembler->winding, 0);
}

/* Slots survive: the second invocation emits only slot 2 and submits slots 0 and 1 of the first again. */
EACH_MACHINE(geometry, GSH_30_vertices_can_be_reused)
{
    const uint32_t fill[] = { op_setemit(0, 0, 0),
                              mov(DST_O, SRC_C + 1),
                              EMIT,
                              op_setemit(1, 0, 0),
                              mov(DST_O, SRC_C + 2),
                              EMIT,
                              op_setemit(2, 0, 0),
                              mov(DST_O, SRC_C + 3),
                              EMIT,
                              END };
    const uint32_t again[] = { op_setemit(2, 1, 0), mov(DST_O, SRC_C + 4), EMIT, END };
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_FAN << 8);
    run_gs(m, fill, 10, &changes, 1);
    EXPECT_EQ(m, "GSH-30", machine_state(m)->assembler.count, 0); /* no prim, nothing submitted */
    run_gs(m, again, 4, NULL, 1);
    const struct pica_assembler_state *const assembler = &machine_state(m)->assembler;
    EXPECT_EQ(m, "GSH-30", assembler->buffer[0].slots[0], integer(1));
    EXPECT_EQ(m, "GSH-30", assembler->buffer[1].slots[0], integer(4)); /* fan: V replaces B[1] */
}

/* SHD-71: the k-th set bit of the latched mask; the rest of the slot keeps old data. */
EACH_MACHINE(geometry, SHD_71_GSH_30_the_latched_mask_selects_the_outputs)
{
    const uint32_t code[] = { mov(DST_O, SRC_C + 1), mov(DST_O + 3, SRC_C + 2), mov(DST_O + 15, SRC_C + 3), EMIT, END };
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_GSH_OUTMAP_MASK, 0xFFFF8009);
    run_gs(m, code, 5, &changes, 1);
    for (uint32_t k = 0; k < 4; k++)
        EXPECT_EQ(m, "SHD-71", geometry(m)->slots[0][k].bits[1], k < 3u ? integer((int32_t)k + 1) : 0);
    changes.count = 0;
    list_write(&changes, PICA_REG_GSH_OUTMAP_MASK, 0x8000);
    run_gs(m, code, 5, &changes, 2); /* two invocations: both banks have o15 */
    EXPECT_EQ(m, "SHD-71", geometry(m)->slots[0][0].bits[1], integer(3));
    EXPECT_EQ(m, "GSH-30", geometry(m)->slots[0][1].bits[1], integer(2));
    EXPECT_EQ(m, "GSH-30", geometry(m)->slots[0][2].bits[1], integer(3));
}

/* ------------------------------------------------------------------------------------------------- GSH-32 to GSH-34 */

EACH_MACHINE(geometry, GSH_32_vertex_id_3_is_stored_but_never_submitted)
{
    const uint32_t code[] = { op_setemit(3, 1, 0), mov(DST_O, SRC_C + 9), EMIT, END };
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
    run_gs(m, code, 4, &changes, 1);
    EXPECT_EQ(m, "GSH-32", geometry(m)->slots[3][0].bits[0], integer(9));
    EXPECT_EQ(m, "GSH-32", machine_state(m)->assembler.buffer[0].slots[0], 0); /* slots 0-2 were submitted: zeros */
    EXPECT_EQ(m, "GSH-32", machine_state(m)->assembler.ready, 1);
    EXPECT_EVENT(m, "GSH-32", PICA_EVENT_EMIT_VTX3);
    machine_reset(m);
    const uint32_t slot_2[] = { op_setemit(2, 1, 0), EMIT, op_setemit(3, 0, 0), END };
    run_gs(m, slot_2, 4, NULL, 1);
    EXPECT_NO_EVENT(m, "GSH-32", PICA_EVENT_EMIT_VTX3); /* SETEMIT alone does not record it */
    LOAD_LIMIT(m, emits, 1);
    const uint32_t dropped[] = { EMIT, op_setemit(3, 0, 0), EMIT, END };
    run_gs(m, dropped, 4, NULL, 1);
    EXPECT_NO_EVENT(m, "GSH-32", PICA_EVENT_EMIT_VTX3); /* nor does an EMIT that GSH-34 drops */
    EXPECT_EVENT(m, "GSH-34", PICA_EVENT_BUDGET_EMIT);
}

EACH_MACHINE(geometry, GSH_33_emission_in_a_vs_does_nothing)
{
    const uint32_t codes[2][3] = { { 0x4C000000, 0xA8000000, 0x88000000 }, { 0x4C000000, 0xAE800000, 0x88000000 } };
    for (size_t i = 0; i < 2; i++) {
        machine_row(m, "%s", i == 0u ? "EMIT" : "SETEMIT");
        const struct shader_run run = { .code = codes[i], .code_count = 3, .inputs = { { ONE, 0, 0, 0 } } };
        shader_run(m, &run);
        EXPECT_EQ(m, "GSH-33", shader_output(m, 0).bits[0], ONE);
        EXPECT_EQ(m, "GSH-33", geometry(m)->emit_vertex, 0);
        EXPECT_EQ(m, "GSH-33", geometry(m)->emit_primitive, 0);
        EXPECT_EQ(m, "GSH-33", geometry(m)->bank, 0);
        EXPECT_EQ(m, "GSH-33", geometry(m)->slots[0][0].bits[0], 0);
        EXPECT_ONLY_EVENTS(m, "GSH-33", PICA_EVENT_EMIT_IN_VS);
    }
}

/* Three EMITs of 1, 2, 3 into slots 0, 1, 2 with limits 1..4, two invocations: the limit is per invocation. */
EACH_MACHINE(geometry, GSH_34_CMD_22_exactly_lim_emit_emissions)
{
    const uint32_t code[] = { GS_COUNT,
                              mov(DST_O, SRC_C + 1),
                              op_setemit(0, 0, 0),
                              EMIT,
                              mov(DST_O, SRC_C + 2),
                              op_setemit(1, 0, 0),
                              EMIT,
                              mov(DST_O, SRC_C + 3),
                              op_setemit(2, 0, 0),
                              EMIT,
                              END };
    for (uint32_t limit = 1; limit <= 4; limit++) {
        LOAD_LIMIT(m, emits, limit);
        machine_case(m, "limit %u", (unsigned)limit);
        run_gs(m, code, 11, NULL, 2);
        for (uint32_t s = 0; s < 3; s++)
            EXPECT_EQ(m, "GSH-34", geometry(m)->slots[s][0].bits[0], s < limit ? integer((int32_t)s + 1) : 0);
        EXPECT_EQ(m, "GSH-34", geometry(m)->bank, 0); /* twice the same number of toggles */
        EXPECT_EQ(m, "GSH-34", geometry(m)->emit_vertex, 2);
        EXPECT_EQ(m, "GSH-34", gs_invocations(m), 2);
        EXPECT(m, "GSH-34", machine_event(m, PICA_EVENT_BUDGET_EMIT) == (limit < 3u));
        gs_draw_again(m, 1);
        EXPECT_EQ(m, "GSH-34", geometry(m)->bank, (limit < 3u ? limit : 3u) % 2u);
    }
}

/* ----------------------------------------------------------------------------------------------------------- SHD-11 */

/* First program sets r3, o2, a0, aL, cmp; the second only looks: all of it is still there, in another draw. */
EACH_MACHINE(geometry, SHD_11_the_geometry_unit_keeps_its_registers)
{
    const uint32_t set[] = { mov(DST_R + 3, SRC_C + 7),
                             mov(DST_O + 2, SRC_C + 8),
                             op1(PICA_OPCODE_MOVA, 0, SRC_C + 5, 0, 0),
                             op_cmp(0, 0, SRC_C + 1, SRC_R + 15, 0),
                             op_cmp(1, 0, SRC_C + 1, SRC_R + 15, 0),
                             op_uniform(PICA_OPCODE_LOOP, 0, 6, 0),
                             END };
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_GSH_INTUNIFORM_I0, 0x00010600);
    run_gs(m, set, 7, &changes, 1);
    EXPECT_EQ(m, "SHD-11", geometry(m)->temporaries[3].bits[2], integer(7));
    EXPECT_EQ(m, "SHD-11", geometry(m)->outputs[0][2].bits[2], integer(8));
    EXPECT_EQ(m, "SHD-11", (uint32_t)geometry(m)->address[0], 5);
    EXPECT_EQ(m, "SHD-11", (uint32_t)geometry(m)->address[1], 5);
    EXPECT_EQ(m, "SHD-11", (uint32_t)geometry(m)->loop_counter, 6);
    EXPECT_EQ(m, "SHD-11", geometry(m)->compare[0], 1);
    EXPECT_EQ(m, "SHD-11", geometry(m)->compare[1], 0);
    const uint32_t look[] = { relative(mov(DST_R + 4, SRC_C + 1), 1),
                              relative(mov(DST_R + 5, SRC_C + 1), 3),
                              op_condition(PICA_OPCODE_JMPC, 1, 0, 1, 4, 0),
                              END,
                              mov(DST_R + 6, SRC_R + 3),
                              END };
    run_gs(m, look, 6, NULL, 1);
    EXPECT_EQ(m, "SHD-11", geometry(m)->temporaries[4].bits[0], integer(6)); /* c1[a0.x] = c6 */
    EXPECT_EQ(m, "SHD-11", geometry(m)->temporaries[5].bits[0], integer(7)); /* c1[aL] = c7 */
    EXPECT_EQ(m, "SHD-11", geometry(m)->temporaries[6].bits[0], integer(7));
    EXPECT_EQ(m, "SHD-11", geometry(m)->outputs[0][2].bits[2], integer(8));
}

/* Only stacks are emptied: six invocations that each END inside a LOOP and an IF never overflow. */
EACH_MACHINE(geometry, SHD_11_stacks_are_emptied)
{
    const uint32_t code[] = { GS_COUNT, op_uniform(PICA_OPCODE_LOOP, 0, 10, 0), op_uniform(PICA_OPCODE_IFU, 0, 9, 0),
                              END };
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_GSH_BOOLUNIFORM, 1);
    run_gs(m, code, 4, &changes, 10);
    EXPECT_EQ(m, "SHD-11", gs_invocations(m), 10);
    EXPECT_NO_EVENT(m, "SHD-11", PICA_EVENT_STACK_OVERFLOW);
}

/* ------------------------------------------------------------------------------------------------- SHD-12 to SHD-14 */

EACH_MACHINE(geometry, SHD_12_SHD_13_the_geometry_unit_has_4095_instructions)
{
    static const struct {
        const char *what;
        uint32_t entry;
        uint32_t invocations;
        bool entry_range, pc_range;
    } rows[] = {
        { "0", 0, 1, false, false },       { "600: VS limit does not count", 600, 1, false, false },
        { "4092", 4092, 1, false, false }, { "4093: runs into 4095", 4093, 0, false, true },
        { "4095", 4095, 0, false, true },  { "4096", 4096, 0, true, true },
        { "FFFF", 0xFFFF, 0, true, true }, { "bits above 15", 0xABCD0000, 1, false, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "entry %s", rows[i].what);
        const uint32_t code[2] = { GS_COUNT, END };
        const uint32_t tail[3] = { 0x84000000, 0x84000000, 0x84000000 };
        struct list changes = { .count = 0 };
        list_code(&changes, PICA_UNIT_GEOMETRY, 600, code, 2);
        list_code(&changes, PICA_UNIT_GEOMETRY, 4093, tail, 3);
        if (rows[i].entry == 4092u)
            list_code(&changes, PICA_UNIT_GEOMETRY, 4092, code, 2);
        list_write(&changes, PICA_REG_GSH_ENTRYPOINT, rows[i].entry);
        run_gs(m, code, 2, &changes, 1);
        EXPECT_EQ(m, "SHD-12", gs_invocations(m), rows[i].invocations);
        EXPECT(m, "SHD-12", machine_event(m, PICA_EVENT_ENTRY_RANGE) == rows[i].entry_range);
        EXPECT(m, "SHD-13", machine_event(m, PICA_EVENT_PC_RANGE) == rows[i].pc_range);
        EXPECT_EQ(m, "GSH-12", machine_state(m)->units[PICA_UNIT_GEOMETRY].booleans, 0x8000);
    }
}

/* LIM_INSTR is per invocation: three invocations of three instructions with a limit of 3 and of 2. */
EACH_MACHINE(geometry, SHD_14_the_instruction_limit_is_per_invocation)
{
    const uint32_t code[] = { GS_COUNT, GS_COUNT, END };
    for (uint32_t limit = 1; limit <= 3; limit++) {
        LOAD_LIMIT(m, instructions, limit + 1u); /* the VS needs 3: with less its outputs are 0, which are not read */
        machine_case(m, "limit %u", (unsigned)(limit + 1u));
        run_gs(m, code, 3, NULL, 3);
        EXPECT_EQ(m, "SHD-14", gs_invocations(m), 6);
        EXPECT(m, "SHD-14", machine_event(m, PICA_EVENT_BUDGET_INSTR) == (limit + 1u < 3u));
    }
}

/* code-not-ended (R) of the GS unit; SHD-10: with the stage in use any component of an enabled VS output counts. */
EACH_MACHINE(geometry, REG_42_SHD_10_events_with_the_stage_in_use)
{
    const uint32_t code[] = { GS_COUNT, END };
    struct list changes = { .count = 0 };
    list_write(&changes, PICA_REG_GSH_CODETRANSFER_INDEX, 100);
    list_write(&changes, PICA_REG_GSH_CODETRANSFER_DATA0, END);
    run_gs(m, code, 2, &changes, 1);
    EXPECT_EVENT(m, "REG-42", PICA_EVENT_CODE_NOT_ENDED);
    EXPECT_NO_EVENT(m, "SHD-10", PICA_EVENT_UNINIT_OUTPUT);
    machine_reset(m);
    changes.count = 0;
    list_write(&changes, PICA_REG_VSH_OUTMAP_MASK, 7); /* o2 is never written by the VS and reaches no slot */
    run_gs(m, code, 2, &changes, 1);
    EXPECT_NO_EVENT(m, "REG-42", PICA_EVENT_CODE_NOT_ENDED);
    EXPECT_EVENT(m, "SHD-10", PICA_EVENT_UNINIT_OUTPUT);
}

/* SHD-82: the last stage is the GS: its latched mask, not the VS mask, is compared with 0x04F. */
EACH_MACHINE(geometry, SHD_82_the_total_is_compared_with_the_last_stage)
{
    static const struct {
        uint32_t vs_mask, gs_mask, total;
        bool event;
    } rows[] = { { 3, 1, 1, false }, { 3, 1, 2, true }, { 1, 3, 2, false }, { 3, 0, 1, true }, { 3, 3, 0, true } };
    const uint32_t code[] = { GS_COUNT, END };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "VS %X GS %X total %u", (unsigned)rows[i].vs_mask, (unsigned)rows[i].gs_mask,
                    (unsigned)rows[i].total);
        struct list changes = { .count = 0 };
        list_write(&changes, PICA_REG_VSH_OUTMAP_MASK, rows[i].vs_mask);
        list_write(&changes, PICA_REG_GSH_OUTMAP_MASK, rows[i].gs_mask);
        list_write(&changes, PICA_REG_SH_OUTMAP_TOTAL, rows[i].total);
        run_gs(m, code, 2, &changes, 1);
        EXPECT(m, "SHD-82", machine_event(m, PICA_EVENT_OUTMAP_TOTAL) == rows[i].event);
    }
}
