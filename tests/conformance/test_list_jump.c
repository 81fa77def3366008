/* 10-command-stream.md section 4: jumps between lists. */
#include "tests/conformance/machine.h"

enum {
    SCRATCH = 0x045, /* a storage register without any effect (REG-06) */
    P3D = 5
};

static const uint32_t TARGET = 0x20030400; /* where the tests put the list jumped to */

/* At TARGET: SCRATCH = 0x51, FINALIZE. */
static void put_target(struct machine *m)
{
    static const uint32_t words[4] = { 0x51, 0x000F0045, 0x12345678, 0x000F0010 };
    machine_load_words(m, TARGET, words, 4);
}

static void list_jump(struct list *list, uint32_t channel, uint32_t size, uint32_t address, uint32_t value)
{
    list_write(list, PICA_REG_CMDBUF_SIZE0 + channel, size);
    list_write(list, PICA_REG_CMDBUF_ADDR0 + channel, address);
    list_write(list, PICA_REG_CMDBUF_JUMP0 + channel, value);
}

/* SUB-01, SUB-04, SUB-06: the rest of the old list is never executed; the jump word stays. */
EACH_MACHINE(list, SUB_01_SUB_04_both_channels_replace_the_running_list)
{
    for (uint32_t channel = 0; channel < 2; channel++) {
        machine_row(m, "channel %u", (unsigned)channel);
        put_target(m);
        struct list list = { .count = 0 };
        list_jump(&list, channel, 2, TARGET >> 3, 0xAB);
        list_write(&list, SCRATCH + 1, 0x99);
        machine_submit(m, &list);
        EXPECT_EQ(m, "SUB-01", machine_register(m, SCRATCH), 0x51);
        EXPECT_EQ(m, "SUB-04", machine_register(m, SCRATCH + 1), 0);
        EXPECT_EQ(m, "SUB-04", machine_interrupts(m, P3D), 1);
        EXPECT_EQ(m, "SUB-06", machine_register(m, 0x23C + channel), channel == 0u ? 0 : 0xAB);
        EXPECT_EQ(m, "SUB-06", machine_register(m, 0x238 + channel), 2);
        EXPECT_NO_EVENTS(m, "SUB-04");
    }
}

/* SUB-06: the CPU started channel 1, the list jumps through channel 0. Only 0x23D is cleared. */
EACH_MACHINE(list, SUB_06_the_jump_word_keeps_the_written_value)
{
    put_target(m);
    struct list list = { .count = 0 };
    list_jump(&list, 0, 2, TARGET >> 3, 0xCD);
    list_word(&list, 0);
    list_word(&list, 0);
    machine_load_words(m, LIST_ADDRESS, list.words, list.count);
    machine_cpu_write_id(m, 0x239, list.count / 2u);
    machine_cpu_write_id(m, 0x23B, LIST_ADDRESS >> 3);
    machine_cpu_write_id(m, 0x23D, 0x77);
    EXPECT_EQ(m, "SUB-06", machine_register(m, SCRATCH), 0x51);
    EXPECT_EQ(m, "SUB-06", machine_register(m, 0x23C), 0xCD);
    EXPECT_EQ(m, "EXT-CMD-03", machine_register(m, 0x23D), 0);
}

/* ---------------------------------------------------------------------------------------------------------- SUB-02 */

/* Sizes and addresses of a CPU start; the list at LIST_ADDRESS writes 1, 2, 3 .. to SCRATCH, 32 commands. */
EACH_MACHINE(list, SUB_02_size_has_bits_20_to_1_and_address_bits_28_to_1)
{
    static const struct {
        uint32_t size, address; /* register words */
        uint32_t last;          /* number of commands executed */
        bool unaligned, high_bits;
    } rows[] = {
        { 2, 0x04006000, 2, false, false },
        { 4, 0x04006000, 4, false, false },
        { 3, 0x04006000, 2, true, false },
        { 1, 0x04006000, 0, true, false },
        { 5, 0x04006000, 4, true, false },
        { 2, 0x04006001, 2, true, false },
        { 3, 0x04006001, 2, true, false },
        { 2, 0x24006000, 2, false, false }, /* bits above 28 are ignored without an event */
        { 2, 0x44006000, 2, false, false },
        { 2, 0x84006000, 2, false, false },
        { 0xFFE00002, 0x04006000, 2, false, false }, /* bits above 20 */
        { 0xFFE00003, 0xE4006001, 2, true, false },
        { 0, 0x04006000, 0, false, false },
    };
    struct list list = { .count = 0 };
    for (uint32_t k = 1; k <= 32; k++)
        list_write(&list, SCRATCH, k);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "size %08X address %08X", (unsigned)rows[i].size, (unsigned)rows[i].address);
        machine_load_words(m, LIST_ADDRESS, list.words, list.count);
        machine_cpu_write_id(m, 0x238, rows[i].size);
        machine_cpu_write_id(m, 0x23A, rows[i].address);
        machine_cpu_write_id(m, 0x23C, 1);
        EXPECT_EQ(m, "SUB-02", machine_register(m, SCRATCH), rows[i].last);
        EXPECT_EQ(m, "SUB-02", machine_register(m, 0x238), rows[i].size);
        EXPECT_EQ(m, "SUB-02", machine_register(m, 0x23A), rows[i].address);
        EXPECT(m, "SUB-02", machine_event(m, PICA_EVENT_CMDBUF_UNALIGNED) == rows[i].unaligned);
        EXPECT(m, "SUB-02", machine_event(m, PICA_EVENT_CMDBUF_HIGH_BITS) == rows[i].high_bits);
        EXPECT_EVENT(m, "CMD-11", PICA_EVENT_NO_FINALIZE);
    }
}

/* Size bit 20 and address bit 28 count: 0x100002 * 8 bytes are more than the window; 0x14006000 * 8 is outside. */
EACH_MACHINE(list, SUB_02_size_bit_20_and_address_bit_28_count_with_an_event)
{
    LOAD_LIMIT(m, commands, 3);
    struct list list = { .count = 0 };
    for (uint32_t k = 1; k <= 8; k++)
        list_write(&list, SCRATCH, k);
    machine_load_words(m, LIST_ADDRESS, list.words, list.count);
    machine_cpu_write_id(m, 0x238, 0x100000);
    machine_cpu_write_id(m, 0x23A, LIST_ADDRESS >> 3);
    machine_cpu_write_id(m, 0x23C, 1);
    EXPECT_EQ(m, "SUB-02", machine_register(m, SCRATCH), 3);
    EXPECT_ONLY_EVENTS(m, "SUB-02", PICA_EVENT_CMDBUF_HIGH_BITS, PICA_EVENT_BUDGET_CMDS, PICA_EVENT_NO_FINALIZE);
    machine_reset(m);
    machine_load_words(m, LIST_ADDRESS, list.words, list.count);
    machine_cpu_write_id(m, 0x238, 2);
    machine_cpu_write_id(m, 0x23A, 0x14006000);
    machine_cpu_write_id(m, 0x23C, 1);
    EXPECT_EQ(m, "SUB-02", machine_register(m, SCRATCH), 0);
    EXPECT_ONLY_EVENTS(m, "SUB-02", PICA_EVENT_CMDBUF_HIGH_BITS, PICA_EVENT_CMDLIST_OOB, PICA_EVENT_NO_FINALIZE);
}

/* The events belong to starts and jumps, not to the register writes; the other channel's words do not count. */
EACH_MACHINE(list, SUB_02_events_are_recorded_when_a_list_starts_or_a_jump_executes)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_CMDBUF_SIZE1, 0x100003);
    list_write(&list, PICA_REG_CMDBUF_ADDR1, 0x10000001);
    machine_submit(m, &list);
    EXPECT_NO_EVENTS(m, "SUB-02");
    machine_reset(m);
    put_target(m);
    list.count = 0;
    list_jump(&list, 1, 3, TARGET >> 3, 1);
    machine_submit(m, &list);
    EXPECT_EQ(m, "SUB-02", machine_register(m, SCRATCH), 0x51);
    EXPECT_ONLY_EVENTS(m, "SUB-02", PICA_EVENT_CMDBUF_UNALIGNED);
}

EACH_MACHINE(list, SUB_02_later_writes_do_not_change_the_running_list)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_CMDBUF_SIZE0, 0);
    list_write(&list, PICA_REG_CMDBUF_ADDR0, 0x100);
    list_write(&list, SCRATCH, 6);
    machine_submit(m, &list);
    EXPECT_EQ(m, "SUB-02", machine_register(m, SCRATCH), 6);
    EXPECT_EQ(m, "SUB-02", machine_interrupts(m, P3D), 1);
    EXPECT_NO_EVENTS(m, "SUB-02");
}

/* The worked example of section 3: size register 1 rounds down to nothing. */
EACH_MACHINE(list, SUB_02_a_size_of_8_bytes_executes_nothing)
{
    static const uint32_t words[] = { 0x12345678, 0x000F0010, 0, 0 };
    machine_load_words(m, LIST_ADDRESS, words, 4);
    machine_submit_raw(m, LIST_ADDRESS, 8);
    EXPECT_EQ(m, "SUB-02", machine_interrupts(m, P3D), 0);
    EXPECT_ONLY_EVENTS(m, "SUB-02", PICA_EVENT_CMDBUF_UNALIGNED, PICA_EVENT_NO_FINALIZE);
}

/* ---------------------------------------------------------------------------------------------- SUB-03, SUB-05, 07 */

EACH_MACHINE(list, SUB_03_a_jump_executes_whatever_the_value)
{
    for (uint32_t channel = 0; channel < 2; channel++) {
        machine_row(m, "channel %u", (unsigned)channel);
        put_target(m);
        struct list list = { .count = 0 };
        list_jump(&list, channel, 2, TARGET >> 3, 0);
        list_write(&list, SCRATCH + 1, 1);
        machine_submit(m, &list);
        EXPECT_EQ(m, "SUB-03", machine_register(m, SCRATCH), 0x51);
        EXPECT_EQ(m, "SUB-03", machine_register(m, SCRATCH + 1), 0);
        EXPECT_ONLY_EVENTS(m, "SUB-03", PICA_EVENT_TRIGGER_ZERO);
    }
}

/* SIZE1, (0x23A), ADDR1, JUMP0, JUMP1 in one consecutive command: what follows the jump is discarded. */
EACH_MACHINE(list, SUB_05_parameters_after_the_jump_are_discarded)
{
    put_target(m);
    struct list list = { .count = 0 };
    const uint32_t words[6] = { 2, 2, TARGET >> 3, 0x1111, 5, 6 }; /* 0x238 .. 0x23D */
    list_write_many(&list, PICA_REG_CMDBUF_SIZE0, true, words, 6);
    machine_submit(m, &list);
    EXPECT_EQ(m, "SUB-05", machine_register(m, SCRATCH), 0x51);
    EXPECT_EQ(m, "SUB-05", machine_register(m, 0x23B), 0x1111);
    EXPECT_EQ(m, "SUB-05", machine_register(m, 0x23D), 0); /* discarded */
    EXPECT_ONLY_EVENTS(m, "SUB-05", PICA_EVENT_JUMP_MID_COMMAND);
}

/* Jump as parameter 0 of N = 2 non-consecutive, and as the last parameter (no event). */
EACH_MACHINE(list, SUB_05_jump_mid_command_needs_a_discarded_parameter)
{
    put_target(m);
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_CMDBUF_SIZE1, 2);
    list_write(&list, PICA_REG_CMDBUF_ADDR1, TARGET >> 3);
    static const uint32_t three[3] = { 7, 8, 9 };
    list_write_many(&list, PICA_REG_CMDBUF_JUMP1, false, three, 3);
    machine_submit(m, &list);
    EXPECT_EQ(m, "SUB-05", machine_register(m, 0x23D), 7);
    EXPECT_EQ(m, "SUB-05", machine_register(m, SCRATCH), 0x51);
    EXPECT_ONLY_EVENTS(m, "SUB-05", PICA_EVENT_JUMP_MID_COMMAND);
    machine_reset(m);
    put_target(m);
    list.count = 0;
    const uint32_t four[4] = { TARGET >> 3, 0x2222, 0, 6 }; /* 0x23A, 0x23B, 0x23C: the jump has the word 0 */
    list_write(&list, PICA_REG_CMDBUF_SIZE0, 2);
    list_write_many(&list, PICA_REG_CMDBUF_ADDR0, true, four, 3);
    machine_submit(m, &list);
    EXPECT_EQ(m, "SUB-05", machine_register(m, SCRATCH), 0x51);
    EXPECT_ONLY_EVENTS(m, "SUB-05", PICA_EVENT_TRIGGER_ZERO);
}

/* Discarded parameters are not fetched: they lie outside memory and past the end, and record nothing of that. */
EACH_MACHINE(list, SUB_05_discarded_parameters_are_not_fetched)
{
    const uint32_t end = 0x20000000u + FCRAM_WINDOW_SIZE;
    put_target(m);
    machine_cpu_write_id(m, 0x239, 2);
    machine_cpu_write_id(m, 0x23B, TARGET >> 3);
    static const uint32_t words[4] = { 0, 0x0000022B, 1, 0x0FFF023D };
    machine_load_words(m, end - 16, words, 4);
    machine_submit_raw(m, end - 16, 16);
    EXPECT_EQ(m, "SUB-05", machine_register(m, SCRATCH), 0x51);
    EXPECT_ONLY_EVENTS(m, "SUB-05", PICA_EVENT_JUMP_MID_COMMAND);
}

/* A list that jumps to itself, a chain of 500 lists, and the subroutine idiom through the other channel. */
EACH_MACHINE(list, SUB_07_loops_and_long_chains_of_jumps_are_legal)
{
    LOAD_LIMIT(m, commands, 100000);
    struct list list = { .count = 0 };
    const uint32_t words[] = { 1, 0x000F0045, 1, 0x000F023C };
    machine_load_words(m, LIST_ADDRESS, words, 4);
    machine_submit_raw(m, LIST_ADDRESS, 16);
    EXPECT_ONLY_EVENTS(m, "SUB-07", PICA_EVENT_BUDGET_CMDS, PICA_EVENT_NO_FINALIZE);
    machine_reset(m);
    for (uint32_t i = 0; i < 500; i++) {
        list.count = 0;
        list_jump(&list, i % 2u, i == 499u ? 2 : 4, i == 499u ? TARGET >> 3 : (0x20000000u + 0x20u * (i + 1u)) >> 3, 1);
        list_write(&list, SCRATCH + 1, 1);
        machine_load_words(m, 0x20000000u + 0x20u * i, list.words, list.count);
    }
    put_target(m);
    machine_submit_raw(m, 0x20000000, 32);
    EXPECT_EQ(m, "SUB-07", machine_register(m, SCRATCH), 0x51);
    EXPECT_EQ(m, "SUB-07", machine_register(m, SCRATCH + 1), 0);
    EXPECT_NO_EVENTS(m, "SUB-07");
}

EACH_MACHINE(list, SUB_04_a_return_is_a_jump_through_the_other_channel)
{
    struct list callee = { .count = 0 };
    list_write(&callee, SCRATCH, 0x66);
    list_write(&callee, PICA_REG_CMDBUF_JUMP1, 1);
    machine_load_words(m, TARGET, callee.words, callee.count);
    struct list rest = { .count = 0 };
    list_write(&rest, SCRATCH + 1, 0x67);
    list_write(&rest, PICA_REG_FINALIZE, 0x12345678);
    machine_load_words(m, TARGET + 0x100, rest.words, rest.count);
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_CMDBUF_SIZE1, 2);
    list_write(&list, PICA_REG_CMDBUF_ADDR1, (TARGET + 0x100) >> 3);
    list_jump(&list, 0, 2, TARGET >> 3, 1);
    machine_submit(m, &list);
    EXPECT_EQ(m, "SUB-04", machine_register(m, SCRATCH), 0x66);
    EXPECT_EQ(m, "SUB-04", machine_register(m, SCRATCH + 1), 0x67);
    EXPECT_EQ(m, "SUB-04", machine_interrupts(m, P3D), 1);
    EXPECT_NO_EVENTS(m, "SUB-04");
}

/* ---------------------------------------------------------------------------------------------------------- SUB-08 */

EACH_MACHINE(list, SUB_08_a_jump_outside_memory_ends_the_list)
{
    struct list list = { .count = 0 };
    list_jump(&list, 1, 2, 0x30000000 >> 3, 1);
    list_write(&list, SCRATCH, 1);
    machine_submit(m, &list);
    EXPECT_EQ(m, "SUB-08", machine_register(m, SCRATCH), 0);
    EXPECT_ONLY_EVENTS(m, "SUB-08", PICA_EVENT_CMDLIST_OOB, PICA_EVENT_NO_FINALIZE);
    machine_reset(m);
    list.count = 0;
    list_jump(&list, 1, 0, 0x30000000 >> 3, 1);
    list_write(&list, SCRATCH, 1);
    machine_submit(m, &list);
    EXPECT_EQ(m, "SUB-04", machine_register(m, SCRATCH), 0);
    EXPECT_ONLY_EVENTS(m, "SUB-08", PICA_EVENT_NO_FINALIZE);
}
