/* 10-command-stream.md section 3: the budgets of a submission (CMD-20, CMD-22). */
#include "tests/conformance/machine.h"

enum {
    SCRATCH = 0x045, /* storage registers 0x045 and 0x046 without any effect (REG-06) */
    P3D = 5
};

EACH_MACHINE(list, CMD_22_a_limit_of_n_allows_exactly_n_commands)
{
    static const struct {
        uint32_t limit;
        bool event;
        uint32_t last;
    } rows[] = { { 1, true, 1 }, { 2, true, 2 }, { 3, true, 3 }, { 4, false, 3 }, { 5, false, 3 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        LOAD_LIMIT(m, commands, rows[i].limit);
        machine_case(m, "limit %u", (unsigned)rows[i].limit);
        struct list list = { .count = 0 };
        for (uint32_t k = 1; k <= 3; k++)
            list_write(&list, SCRATCH, k);
        machine_submit(m, &list); /* 4 commands with FINALIZE */
        EXPECT_EQ(m, "CMD-22", machine_register(m, SCRATCH), rows[i].last);
        EXPECT(m, "CMD-20", machine_event(m, PICA_EVENT_BUDGET_CMDS) == rows[i].event);
        EXPECT_EQ(m, "CMD-20", machine_interrupts(m, P3D), rows[i].event ? 0 : 1);
        EXPECT(m, "CMD-11", machine_event(m, PICA_EVENT_NO_FINALIZE) == rows[i].event);
    }
}

/* A list of exactly LIM_CMDS commands that ends by its size records nothing of CMD-20. */
EACH_MACHINE(list, CMD_22_a_list_of_exactly_the_limit_records_nothing)
{
    LOAD_LIMIT(m, commands, 2);
    static const uint32_t words[] = { 1, 0x000F0045, 2, 0x000F0046 };
    machine_submit_words(m, words, 4);
    EXPECT_EQ(m, "CMD-22", machine_register(m, SCRATCH + 1), 2);
    EXPECT_ONLY_EVENTS(m, "CMD-22", PICA_EVENT_NO_FINALIZE);
}

/* The jump is one command, and the list it jumps to goes on counting: 1 + 1 + 2 commands. */
EACH_MACHINE(list, CMD_22_a_jump_counts_once_and_its_list_goes_on_counting)
{
    for (uint32_t limit = 3; limit <= 6; limit++) {
        LOAD_LIMIT(m, commands, limit);
        machine_case(m, "limit %u", (unsigned)limit);
        static const uint32_t target[] = { 1, 0x000F0045, 0x12345678, 0x000F0010 };
        machine_load_words(m, LIST_ADDRESS + 0x100, target, 4);
        struct list list = { .count = 0 };
        list_write(&list, PICA_REG_CMDBUF_SIZE1, 2);
        list_write(&list, PICA_REG_CMDBUF_ADDR1, (LIST_ADDRESS + 0x100) >> 3);
        list_write(&list, PICA_REG_CMDBUF_JUMP1, 1);
        machine_submit(m, &list);
        EXPECT_EQ(m, "CMD-22", machine_register(m, SCRATCH), limit >= 4u ? 1 : 0);
        EXPECT_EQ(m, "CMD-22", machine_interrupts(m, P3D), limit >= 5u ? 1 : 0);
        EXPECT(m, "CMD-22", machine_event(m, PICA_EVENT_BUDGET_CMDS) == (limit < 5u));
    }
}

/* LIM_VERTS counts over all draws of a submission. */
EACH_MACHINE(list, CMD_20_the_vertex_budget_is_shared_by_all_draws_of_a_submission)
{
    for (uint32_t limit = 6; limit <= 9; limit++) {
        LOAD_LIMIT(m, vertices, limit);
        machine_case(m, "limit %u", (unsigned)limit);
        struct probe_vertex quad[4];
        probe_quad(quad);
        probe_load_vertices(m, quad, 4);
        struct list list = probe_list();
        list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
        list_draw(&list, 4);
        list_write(&list, PICA_REG_RESTART_PRIMITIVE, 1);
        list_write(&list, PICA_REG_COLORBUFFER_LOC, (COLOR_ADDRESS + 0x1000) >> 3);
        list_write(&list, PICA_REG_DRAWARRAYS, 1);
        machine_submit(m, &list);
        EXPECT_EQ(m, "CMD-20", machine_word(m, COLOR_ADDRESS), 0xFFFFFFFF);
        EXPECT_EQ(m, "CMD-20", machine_word(m, COLOR_ADDRESS + 0x1000), limit >= 7u ? 0xFFFFFFFF : 0);
        EXPECT_EQ(m, "CMD-20", machine_word(m, COLOR_ADDRESS + 0x10FC), limit >= 8u ? 0xFFFFFFFF : 0);
        EXPECT(m, "CMD-22", machine_event(m, PICA_EVENT_BUDGET_VERTS) == (limit < 8u));
    }
}

/* Limits reach 0x10000000 and 1 (the shader limits: SHD-14, GSH-34; the pixel limit: RST-08). */
EACH_MACHINE(list, CMD_20_limits_may_be_1_to_0x10000000)
{
    struct pica_limits limits = { 0x10000000, 0x10000000, 0x10000000, 0x10000000, 0x10000000 };
    machine_load_limits(m, &limits);
    struct probe_vertex quad[4];
    probe_quad(quad);
    struct list list = probe_list();
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    EXPECT_EQ(m, "CMD-20", probe_covered(m, 0), 64);
    EXPECT_NO_EVENTS(m, "CMD-20");
    limits = (struct pica_limits){ 0x100000, 1, 1, 1, 1 };
    machine_load_limits(m, &limits);
    list.count = 0;
    probe_pipeline(&list);
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    EXPECT_EQ(m, "CMD-20", probe_covered(m, 0), 0);
    EXPECT_EVENT(m, "CMD-20", PICA_EVENT_BUDGET_VERTS);
    EXPECT_EVENT(m, "CMD-20", PICA_EVENT_BUDGET_INSTR);
}
