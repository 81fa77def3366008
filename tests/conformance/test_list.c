/* 10-command-stream.md section 3: decoding of lists, and their budgets. */
#include "tests/conformance/machine.h"

enum {
    SCRATCH = 0x045, /* storage registers 0x045 and 0x046 without any effect (REG-06) */
    P3D = 5
};

static const uint32_t FCRAM_END = 0x20000000u + FCRAM_WINDOW_SIZE;

/* ------------------------------------------------------------------------------------------- CMD-01 to 04: layout */

/* The first worked example of section 3. */
EACH_MACHINE(list, CMD_01_parameter_0_header_extra_parameters)
{
    static const uint32_t words[] = { 0xAAAAAAAA, 0x802F011C, 0xBBBBBBBB, 0xCCCCCCCC, 0x12345678, 0x000F0010, 0, 0 };
    machine_submit_words(m, words, 8);
    EXPECT_EQ(m, "CMD-01", machine_register(m, 0x11C), 0xAAAAAAAA);
    EXPECT_EQ(m, "CMD-03", machine_register(m, 0x11D), 0xBBBBBBBB);
    EXPECT_EQ(m, "CMD-03", machine_register(m, 0x11E), 0xCCCCCCCC);
    EXPECT_EQ(m, "CMD-03", machine_interrupts(m, P3D), 1);
    EXPECT_NO_EVENTS(m, "CMD-01");
}

/* Header 0x100F0045: N = 0, bit 28 ignored. With an 11-bit count the next commands would be parameters. */
EACH_MACHINE(list, CMD_02_header_bits_30_to_28_are_ignored)
{
    static const uint32_t ignored[] = { 0x10000000, 0x20000000, 0x40000000, 0x70000000, 0xF0000000 };
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        machine_row(m, "bits %08X", (unsigned)ignored[i]);
        const uint32_t words[] = { 0x11,       0x000F0045 | ignored[i], 0x22, 0x000F0046,
                                   0x12345678, 0x000F0010 | ignored[i], 0,    0 };
        machine_submit_words(m, words, 8);
        EXPECT_EQ(m, "CMD-02", machine_register(m, SCRATCH), 0x11);
        EXPECT_EQ(m, "CMD-02", machine_register(m, SCRATCH + 1), 0x22);
        EXPECT_EQ(m, "CMD-02", machine_interrupts(m, P3D), 1);
        EXPECT_NO_EVENTS(m, "CMD-02");
    }
}

/* N = 255: 256 words to the lighting LUT port, which counts them (REG-20). */
EACH_MACHINE(list, CMD_02_a_command_has_up_to_255_extra_parameters)
{
    uint32_t words[256];
    for (uint32_t i = 0; i < 256; i++)
        words[i] = 0x1000 + i;
    struct list list = { .count = 0 };
    list_write_many(&list, PICA_REG_LIGHTING_LUT_DATA0, false, words, 256);
    list_write(&list, SCRATCH, 7);
    machine_submit(m, &list);
    EXPECT_EQ(m, "CMD-02", machine_state(m)->tables.lighting[0][0], 0x1000);
    EXPECT_EQ(m, "CMD-02", machine_state(m)->tables.lighting[0][255], 0x10FF);
    EXPECT_EQ(m, "CMD-02", machine_register(m, SCRATCH), 7);
    EXPECT_NO_EVENTS(m, "CMD-02");
}

/* N extra parameters, then SCRATCH = 0x99 where the next command must start; padding 0xFFFFFFFF is never decoded. */
EACH_MACHINE(list, CMD_03_an_odd_count_is_followed_by_one_padding_word)
{
    for (uint32_t n = 0; n <= 5; n++) {
        machine_row(m, "N = %u", (unsigned)n);
        struct list list = { .count = 0 };
        list_word(&list, 0);
        list_word(&list, 0x000F0057 | n << 20);
        for (uint32_t k = 1; k <= n; k++)
            list_word(&list, k);
        if (n % 2u != 0u)
            list_word(&list, 0xFFFFFFFF);
        list_write(&list, SCRATCH, 0x99);
        machine_submit(m, &list);
        EXPECT_EQ(m, "CMD-03", machine_register(m, SCRATCH), 0x99);
        EXPECT_EQ(m, "CMD-03", machine_register(m, 0x057), n); /* all to the same id: the last stays */
        EXPECT_EQ(m, "CMD-03", machine_register(m, 0x058), 0);
        EXPECT_NO_EVENTS(m, "CMD-03");
    }
}

/* 0x2FE consecutive, N = 3: 0x2FE, 0x2FF, then ids 0x300 and 0x301 (REG-05). 0xFFFF + k never wraps to 0x010. */
EACH_MACHINE(list, CMD_04_consecutive_ids_do_not_wrap_around)
{
    static const uint32_t four[4] = { 1, 2, 3, 4 };
    struct list list = { .count = 0 };
    list_write_many(&list, 0x2FE, true, four, 4);
    machine_submit(m, &list);
    EXPECT_EQ(m, "CMD-04", machine_register(m, 0x2FE), 1);
    EXPECT_EQ(m, "CMD-04", machine_register(m, 0x2FF), 2);
    EXPECT_ONLY_EVENTS(m, "REG-05", PICA_EVENT_REG_ID_RANGE);
    machine_reset(m);
    uint32_t many[256];
    for (uint32_t i = 0; i < 256; i++)
        many[i] = 0x12345678;
    list.count = 0;
    list_write_many(&list, 0xFFFF, true, many, 256);
    machine_submit(m, &list);
    EXPECT_EQ(m, "CMD-04", machine_interrupts(m, P3D), 1); /* the FINALIZE of machine_submit alone */
    EXPECT_EQ(m, "CMD-04", machine_register(m, 0x040), 0);
    EXPECT_EQ(m, "CMD-04", machine_register(m, 0x0FE), 0);
    EXPECT_ONLY_EVENTS(m, "CMD-04", PICA_EVENT_REG_ID_RANGE);
}

/* -------------------------------------------------------------------------------------------- CMD-05 to 07: masks */

EACH_MACHINE(list, CMD_05_each_mask_bit_selects_one_byte)
{
    static const uint32_t expected[16] = { 0xAABBCCDD, 0xAABBCC44, 0xAABB33DD, 0xAABB3344, 0xAA22CCDD, 0xAA22CC44,
                                           0xAA2233DD, 0xAA223344, 0x11BBCCDD, 0x11BBCC44, 0x11BB33DD, 0x11BB3344,
                                           0x1122CCDD, 0x1122CC44, 0x112233DD, 0x11223344 };
    for (uint32_t mask = 0; mask < 16; mask++) {
        machine_row(m, "mask %X", (unsigned)mask);
        struct list list = { .count = 0 };
        list_write(&list, SCRATCH, 0xAABBCCDD);
        list_write_masked(&list, SCRATCH, 0x11223344, mask);
        machine_submit(m, &list);
        EXPECT_EQ(m, "CMD-05", machine_register(m, SCRATCH), expected[mask]);
        EXPECT_NO_EVENTS(m, "CMD-05");
    }
    machine_case(m, "worked example");
    struct list list = { .count = 0 };
    list_write(&list, 0x25E, 0xAABBCCDD);
    list_word(&list, 0x00000005);
    list_word(&list, 0x0003025E);
    machine_submit(m, &list);
    EXPECT_EQ(m, "CMD-05", machine_register(m, 0x25E), 0xAABB0005);
}

EACH_MACHINE(list, CMD_05_the_mask_applies_to_every_parameter)
{
    struct list list = { .count = 0 };
    static const uint32_t ones[3] = { 0x11111111, 0x11111111, 0x11111111 };
    list_write_many(&list, SCRATCH, true, ones, 2);
    list_word(&list, 0xAABBCCDD);
    list_word(&list, 0x80150045); /* mask 5, N = 1, consecutive */
    list_word(&list, 0x55667788);
    list_word(&list, 0);
    machine_submit(m, &list);
    EXPECT_EQ(m, "CMD-05", machine_register(m, SCRATCH), 0x11BB11DD);
    EXPECT_EQ(m, "CMD-05", machine_register(m, SCRATCH + 1), 0x11661188);
}

/* masked-port: ids of class exactly F or T. The values avoid other events (0x228 = 0: draws do nothing). */
EACH_MACHINE(list, CMD_06_masked_port_is_recorded_for_classes_f_and_t_alone)
{
    static const struct {
        uint32_t id;
        bool event;
    } rows[] = {
        { 0x0B0, true },  { 0x0B7, true },  { 0x0E8, true },  { 0x0EF, true },  { 0x124, true },  { 0x1C8, true },
        { 0x1CF, true },  { 0x233, true },  { 0x235, true },  { 0x291, true },  { 0x298, true },  { 0x29C, true },
        { 0x2A3, true },  { 0x2A6, true },  { 0x2AD, true },  { 0x2C1, true },  { 0x2C8, true },  { 0x2CC, true },
        { 0x2D3, true },  { 0x2D6, true },  { 0x2DD, true },  { 0x063, true },  { 0x110, true },  { 0x111, true },
        { 0x22E, true },  { 0x22F, true },  { 0x231, true },  { 0x25F, true },  { 0x28F, true },  { 0x2BF, true },
        { 0x25E, false }, { 0x280, false }, { 0x284, false }, { 0x2B0, false }, { 0x2B1, false }, { 0x2BD, false },
        { 0x28D, false }, { 0x010, false }, { 0x0AF, false }, { 0x1C5, false }, { 0x232, false }, { 0x2C0, false },
        { 0x040, false }, { 0x238, false }, { 0x045, false }, { 0x2E0, false },
    };
    for (uint32_t mask = 0; mask < 16; mask++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            machine_row(m, "%03X mask %X", (unsigned)rows[i].id, (unsigned)mask);
            struct list list = { .count = 0 };
            list_write_masked(&list, rows[i].id, 0x01010101, mask);
            machine_submit(m, &list);
            EXPECT(m, "CMD-06", machine_event(m, PICA_EVENT_MASKED_PORT) == (rows[i].event && mask != 0xFu));
        }
}

EACH_MACHINE(list, CMD_06_jumps_fire_with_mask_0)
{
    static const uint32_t target[4] = { 0x5, 0x000F0046, 0x12345678, 0x000F0010 };
    for (uint32_t channel = 0; channel < 2; channel++) {
        machine_row(m, "channel %u", (unsigned)channel);
        machine_load_words(m, LIST_ADDRESS + 0x100, target, 4);
        struct list list = { .count = 0 };
        list_write(&list, PICA_REG_CMDBUF_SIZE0 + channel, 2);
        list_write(&list, PICA_REG_CMDBUF_ADDR0 + channel, (LIST_ADDRESS + 0x100) >> 3);
        list_write_masked(&list, PICA_REG_CMDBUF_JUMP0 + channel, 1, 0);
        list_write(&list, SCRATCH, 1);
        machine_submit(m, &list);
        EXPECT_EQ(m, "CMD-06", machine_register(m, SCRATCH), 0);
        EXPECT_EQ(m, "CMD-06", machine_register(m, SCRATCH + 1), 5);
        EXPECT_EQ(m, "CMD-06", machine_register(m, PICA_REG_CMDBUF_JUMP0 + channel), 0);
        EXPECT_ONLY_EVENTS(m, "CMD-06", PICA_EVENT_MASKED_PORT);
    }
}

/* The port gets the raw parameter, the register word the merged one. */
EACH_MACHINE(list, CMD_06_fifo_ports_receive_the_unmasked_parameter)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_FOG_LUT_DATA0, 0xAAAAAAAA);
    list_write_masked(&list, PICA_REG_FOG_LUT_DATA0, 0x12345678, 0x3);
    list_write_masked(&list, PICA_REG_FOG_LUT_DATA0, 0x9ABCDEF0, 0x0);
    list_write_masked(&list, PICA_REG_VSH_CODETRANSFER_DATA0, 0x84000000, 0x1);
    machine_submit(m, &list);
    const struct pica_state *const state = machine_state(m);
    EXPECT_EQ(m, "CMD-06", state->tables.fog[0], 0xAAAAAAAA);
    EXPECT_EQ(m, "CMD-06", state->tables.fog[1], 0x12345678);
    EXPECT_EQ(m, "CMD-06", state->tables.fog[2], 0x9ABCDEF0);
    EXPECT_EQ(m, "CMD-06", state->registers[PICA_REG_FOG_LUT_DATA0], 0xAAAA5678);
    EXPECT_EQ(m, "CMD-06", state->registers[PICA_REG_FOG_LUT_INDEX], 3);
    EXPECT_EQ(m, "CMD-06", state->units[0].code[0], 0x84000000);
    EXPECT_EQ(m, "CMD-06", state->registers[PICA_REG_VSH_CODETRANSFER_DATA0], 0);
    EXPECT_EQ(m, "CMD-06", state->registers[PICA_REG_VSH_CODETRANSFER_INDEX], 1);
}

EACH_MACHINE(list, CMD_06_a_draw_trigger_fires_with_mask_0)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_load_vertices(m, quad, 4);
    struct list list = probe_list();
    list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
    list_write(&list, PICA_REG_NUMVERTICES, 4);
    list_write_masked(&list, PICA_REG_DRAWARRAYS, 1, 0);
    machine_submit(m, &list);
    EXPECT_EQ(m, "CMD-06", probe_covered(m, 0), 64);
    EXPECT_EQ(m, "CMD-06", machine_register(m, PICA_REG_DRAWARRAYS), 0);
    EXPECT_ONLY_EVENTS(m, "CMD-06", PICA_EVENT_MASKED_PORT);
}

/* REG-26 says "merged word", so b0-b7 change and b8-b15 stay; REG-27 says "parameter" for the output mask. */
EACH_MACHINE(list, CMD_07_side_effects_see_the_merged_word_or_the_raw_parameter)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_VSH_BOOLUNIFORM, 0xA5F0);
    list_write_masked(&list, PICA_REG_VSH_BOOLUNIFORM, 0x1234, 1);
    list_write(&list, PICA_REG_VSH_OUTMAP_MASK, 0x0F0F);
    list_write_masked(&list, PICA_REG_VSH_OUTMAP_MASK, 0x1234, 1);
    machine_submit(m, &list);
    EXPECT_EQ(m, "CMD-07", machine_state(m)->units[0].booleans, 0xA534);
    EXPECT_EQ(m, "CMD-07", machine_register(m, PICA_REG_VSH_BOOLUNIFORM), 0xA534);
    EXPECT_EQ(m, "CMD-07", machine_register(m, PICA_REG_VSH_OUTMAP_MASK), 0x0F34);
    EXPECT_EQ(m, "CMD-07", machine_register(m, PICA_REG_GSH_OUTMAP_MASK), 0x1234);
}

/* ----------------------------------------------------------------------------------------- CMD-08 to 11: the end */

EACH_MACHINE(list, CMD_08_extra_parameters_are_read_past_the_end_of_the_list)
{
    static const struct {
        uint32_t n;
        bool event;
    } rows[] = { { 1, false }, { 2, false }, { 3, true }, { 4, true } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "N = %u", (unsigned)rows[i].n);
        const uint32_t words[] = { 1, 0x800F0045 | rows[i].n << 20, 2, 3, 4, 5, 6, 7 };
        machine_load_words(m, LIST_ADDRESS, words, 8);
        machine_submit_raw(m, LIST_ADDRESS, 16);
        for (uint32_t k = 0; k <= 5; k++)
            EXPECT_EQ(m, "CMD-08", machine_register(m, SCRATCH + k), k <= rows[i].n ? k + 1 : 0);
        EXPECT_EVENT(m, "CMD-11", PICA_EVENT_NO_FINALIZE);
        EXPECT(m, "CMD-08", machine_event(m, PICA_EVENT_PARAMS_PAST_END) == rows[i].event);
        EXPECT_NO_EVENT(m, "CMD-08", PICA_EVENT_MEM_OOB);
    }
}

EACH_MACHINE(list, CMD_08_outside_parameters_read_zero)
{
    static const uint32_t words[] = { 1, 0x804F0045, 2, 3 };
    machine_load_words(m, FCRAM_END - 16, words, 4);
    machine_submit_raw(m, FCRAM_END - 16, 16);
    EXPECT_EQ(m, "CMD-08", machine_register(m, SCRATCH + 2), 3);
    EXPECT_EQ(m, "CMD-08", machine_register(m, SCRATCH + 3), 0);
    EXPECT_ONLY_EVENTS(m, "CMD-08", PICA_EVENT_PARAMS_PAST_END, PICA_EVENT_MEM_OOB, PICA_EVENT_NO_FINALIZE);
    /* The same words outside, but inside the list: no params-past-end; then the next command is outside. */
    machine_reset(m);
    machine_load_words(m, FCRAM_END - 16, words, 4);
    machine_submit_raw(m, FCRAM_END - 16, 48);
    EXPECT_ONLY_EVENTS(m, "CMD-08", PICA_EVENT_MEM_OOB, PICA_EVENT_CMDLIST_OOB, PICA_EVENT_NO_FINALIZE);
}

EACH_MACHINE(list, CMD_09_a_command_outside_memory_ends_the_list)
{
    static const uint32_t words[] = { 1, 0x000F0045, 2, 0x000F0046 };
    machine_load_words(m, FCRAM_END - 16, words, 4);
    machine_submit_raw(m, FCRAM_END - 16, 32);
    EXPECT_EQ(m, "CMD-09", machine_register(m, SCRATCH + 1), 2);
    EXPECT_ONLY_EVENTS(m, "CMD-09", PICA_EVENT_CMDLIST_OOB, PICA_EVENT_NO_FINALIZE);
    machine_reset(m);
    machine_submit_raw(m, 0x1FFFFFF0, 32); /* the start is outside, later words would not be */
    EXPECT_ONLY_EVENTS(m, "CMD-09", PICA_EVENT_CMDLIST_OOB, PICA_EVENT_NO_FINALIZE);
    machine_reset(m);
    machine_load_words(m, FCRAM_END - 16, words, 4);
    machine_submit_raw(m, FCRAM_END - 16, 16); /* ends with the window: CMD-10 looks at the size first */
    EXPECT_ONLY_EVENTS(m, "CMD-10", PICA_EVENT_NO_FINALIZE);
}

/* Order of the tests before a command: size, LIM_CMDS, memory. */
EACH_MACHINE(list, CMD_10_the_end_is_tested_by_size_then_budget_then_memory)
{
    static const uint32_t words[] = { 1, 0x000F0045, 2, 0x000F0046 };
    static const struct {
        const char *what;
        uint32_t commands, size;
        bool budget, outside;
    } rows[] = {
        { "size and budget and window end", 2, 16, false, false },
        { "budget and window end", 2, 32, true, false },
        { "window end", 3, 32, false, true },
        { "budget inside", 1, 16, true, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        LOAD_LIMIT(m, commands, rows[i].commands);
        machine_case(m, "%s", rows[i].what);
        machine_load_words(m, FCRAM_END - 16, words, 4);
        machine_submit_raw(m, FCRAM_END - 16, rows[i].size);
        EXPECT(m, "CMD-10", machine_event(m, PICA_EVENT_BUDGET_CMDS) == rows[i].budget);
        EXPECT(m, "CMD-10", machine_event(m, PICA_EVENT_CMDLIST_OOB) == rows[i].outside);
        EXPECT_EVENT(m, "CMD-11", PICA_EVENT_NO_FINALIZE);
        EXPECT_EQ(m, "CMD-11", machine_interrupts(m, P3D), 0);
    }
}

/* Third worked example: with autostop the second pair is never decoded; without it, it is (id 0, mask 0). */
EACH_MACHINE(list, CMD_11_only_a_stopping_interrupt_avoids_no_finalize)
{
    static const uint32_t words[] = { 0x12345678, 0x000F0010, 0x00000000, 0x00000000 };
    machine_submit_words(m, words, 4);
    EXPECT_EQ(m, "CMD-10", machine_interrupts(m, P3D), 1);
    EXPECT_NO_EVENTS(m, "CMD-11");
    machine_cpu_write_id(m, PICA_REG_IRQ_AUTOSTOP, 0);
    machine_submit_words(m, words, 4);
    EXPECT_EQ(m, "CMD-10", machine_interrupts(m, P3D), 2);
    EXPECT_ONLY_EVENTS(m, "CMD-11", PICA_EVENT_CPU_ONLY_REG, PICA_EVENT_NO_FINALIZE);
}

/* --------------------------------------------------------------------------------------- CMD-12, 13, 21: the order */

/* One command from 0x228 to 0x22F: the count counts, what comes after the trigger 0x22E does not. */
EACH_MACHINE(list, CMD_12_register_writes_take_effect_strictly_in_order)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 1, 2, 3, 4);
    probe_load_vertices(m, quad, 4);
    struct list list = probe_list();
    list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
    static const uint32_t draw[7] = { 4, 0, 0, 0, 0, 0, 1 };
    list_write_many(&list, PICA_REG_NUMVERTICES, true, draw, 7);
    list_write(&list, PICA_REG_COLORBUFFER_LOC, (COLOR_ADDRESS + 0x1000) >> 3);
    machine_submit(m, &list);
    EXPECT_EQ(m, "CMD-12", machine_word(m, COLOR_ADDRESS), 0x01020304);
    EXPECT_EQ(m, "CMD-12", machine_word(m, COLOR_ADDRESS + 0x1000), 0);
    EXPECT_EQ(m, "CMD-12", machine_register(m, PICA_REG_COLORBUFFER_LOC), (COLOR_ADDRESS + 0x1000) >> 3);
}

/* NaN and infinite positions, viewport and depth map: nothing hangs, nothing is drawn (CLP-02). */
EACH_MACHINE(list, CMD_13_invalid_values_have_defined_results)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    quad[1].position[0] = f32_from_bits(0x7FC00000);
    quad[2].position[3] = f32_from_bits(0x7F800000);
    struct list list = probe_list();
    list_write(&list, PICA_REG_VIEWPORT_WIDTH, 0x7F8000);
    list_write(&list, PICA_REG_DEPTHMAP_SCALE, 0xFF8000);
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    EXPECT_EQ(m, "CMD-13", probe_covered(m, 0), 0);
    EXPECT_EQ(m, "CMD-13", machine_interrupts(m, P3D), 1);
    EXPECT_ONLY_EVENTS(m, "CMD-13", PICA_EVENT_NONFINITE_POSITION);
}

/*
 * The colour buffer lies over the running list: every pixel is 0x000F0045, the command "0x045 = 0x000F0045". The
 * trigger's own second parameter lies in the tile and is fetched after the draw; its header was fetched before.
 */
EACH_MACHINE(list, CMD_21_words_are_fetched_after_the_effects_of_the_parameters_before_them)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 0x00, 0x0F, 0x00, 0x45);
    probe_load_vertices(m, quad, 4);
    struct list list = probe_list();
    list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
    const uint32_t location = list.count;
    list_write(&list, PICA_REG_COLORBUFFER_LOC, 0);
    list_write(&list, PICA_REG_NUMVERTICES, 4);
    while (list.count % 16u != 0u)
        list_write_masked(&list, 0x22B, 0, 0);
    const uint32_t tile = LIST_ADDRESS + 4u * list.count;
    list.words[location] = tile >> 3;
    list_word(&list, 1);
    list_word(&list, 0x001F022E);
    list_word(&list, 1);
    list_word(&list, 0);
    for (uint32_t i = 0; i < 30; i++)
        list_write(&list, SCRATCH + 1, 0x77);
    list_write(&list, 0x04C, 0x88);
    machine_submit(m, &list);
    EXPECT_EQ(m, "CMD-21", machine_word(m, tile), 0x000F0045);
    EXPECT_EQ(m, "CMD-21", machine_register(m, PICA_REG_DRAWARRAYS), 0x000F0045);
    EXPECT_EQ(m, "CMD-21", machine_register(m, SCRATCH), 0x000F0045);
    EXPECT_EQ(m, "CMD-21", machine_register(m, SCRATCH + 1), 0);
    EXPECT_EQ(m, "CMD-21", machine_register(m, 0x04C), 0x88);
    EXPECT_EQ(m, "CMD-21", machine_interrupts(m, P3D), 1);
}
