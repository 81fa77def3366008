/* 10-command-stream.md section 2: the CPU's side of command lists, and the interrupt counters. */
#include "tests/conformance/machine.h"

enum {
    SCRATCH = 0x045, /* a storage register without any effect (REG-06) */
    P3D = 5,
    FINALIZE_VALUE = 0x12345678
};

/* A list of two commands, SCRATCH = value and FINALIZE, at `address`; 16 bytes. */
static void put_list(struct machine *m, uint32_t address, uint32_t value)
{
    const uint32_t words[4] = { value, 0x000F0045, FINALIZE_VALUE, 0x000F0010 };
    machine_load_words(m, address, words, 4);
}

/* -------------------------------------------------------------------------------------------- EXT-CMD-01 to 04, 14 */

EACH_MACHINE(list, EXT_CMD_01_internal_id_i_is_at_10401000_plus_4i)
{
    machine_cpu_write(m, 0x10401114, 0xABCD0001); /* 0x10401000 + 4 * 0x045 */
    machine_cpu_write(m, 0x10401BFC, 0xABCD0002); /* + 4 * 0x2FF */
    machine_cpu_write(m, 0x10401117, 0xABCD0003); /* PSC-12: bits 1:0 are ignored */
    EXPECT_EQ(m, "EXT-CMD-01", machine_register(m, 0x045), 0xABCD0003);
    EXPECT_EQ(m, "EXT-CMD-01", machine_register(m, 0x2FF), 0xABCD0002);
    EXPECT_NO_EVENTS(m, "EXT-CMD-01");
}

EACH_MACHINE(list, EXT_CMD_01_the_p3d_block_starts_both_channels)
{
    put_list(m, LIST_ADDRESS, 0x11);
    put_list(m, LIST_ADDRESS + 0x100, 0x22);
    machine_cpu_write(m, 0x104018E0, 2);
    machine_cpu_write(m, 0x104018E8, LIST_ADDRESS >> 3);
    machine_cpu_write(m, 0x104018E4, 2);
    machine_cpu_write(m, 0x104018EC, (LIST_ADDRESS + 0x100) >> 3);
    EXPECT_EQ(m, "EXT-CMD-01", machine_register(m, SCRATCH), 0);
    machine_cpu_write(m, 0x104018F4, 1);
    EXPECT_EQ(m, "EXT-CMD-01", machine_register(m, SCRATCH), 0x22);
    machine_cpu_write(m, 0x104018F0, 1);
    EXPECT_EQ(m, "EXT-CMD-01", machine_register(m, SCRATCH), 0x11);
    EXPECT_EQ(m, "EXT-CMD-03", machine_register(m, 0x238), 2);
    EXPECT_EQ(m, "EXT-CMD-03", machine_register(m, 0x239), 2);
    EXPECT_EQ(m, "EXT-CMD-03", machine_register(m, 0x23A), LIST_ADDRESS >> 3);
    EXPECT_EQ(m, "EXT-CMD-03", machine_register(m, 0x23B), (LIST_ADDRESS + 0x100) >> 3);
    EXPECT_EQ(m, "EXT-CMD-10", machine_interrupts(m, P3D), 2);
    EXPECT_NO_EVENTS(m, "EXT-CMD-01");
}

EACH_MACHINE(list, EXT_CMD_02_a_non_zero_value_starts_and_zero_does_nothing)
{
    static const struct {
        uint32_t value;
        bool starts;
    } rows[] = { { 0, false }, { 1, true }, { 2, true }, { 0x80000000, true }, { 0xFFFFFFFF, true } };
    for (uint32_t channel = 0; channel < 2; channel++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            machine_row(m, "channel %u value %08X", (unsigned)channel, (unsigned)rows[i].value);
            put_list(m, LIST_ADDRESS, 0x33);
            machine_cpu_write_id(m, 0x238 + channel, 2);
            machine_cpu_write_id(m, 0x23A + channel, LIST_ADDRESS >> 3);
            machine_cpu_write_id(m, 0x23C + channel, rows[i].value);
            EXPECT_EQ(m, "EXT-CMD-02", machine_register(m, SCRATCH), rows[i].starts ? 0x33 : 0);
            EXPECT_EQ(m, "EXT-CMD-03", machine_register(m, 0x23C + channel), 0);
            EXPECT_NO_EVENTS(m, "EXT-CMD-02");
        }
}

/* A zero is stored over an older word: the word of 0x23D is left by a list jump that wrote it (SUB-06). */
EACH_MACHINE(list, EXT_CMD_02_zero_is_stored_without_an_event)
{
    put_list(m, LIST_ADDRESS + 0x100, 1);
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_CMDBUF_SIZE1, 2);
    list_write(&list, PICA_REG_CMDBUF_ADDR1, (LIST_ADDRESS + 0x100) >> 3);
    list_write(&list, PICA_REG_CMDBUF_JUMP1, 0x55);
    machine_submit(m, &list);
    EXPECT_EQ(m, "SUB-06", machine_register(m, 0x23D), 0x55);
    machine_cpu_write_id(m, 0x23D, 0);
    EXPECT_EQ(m, "EXT-CMD-02", machine_register(m, 0x23D), 0);
    EXPECT_EQ(m, "EXT-CMD-02", machine_interrupts(m, P3D), 1);
    EXPECT_NO_EVENT(m, "EXT-CMD-02", PICA_EVENT_TRIGGER_ZERO);
}

/* "For whatever reason": by FINALIZE, by its size, by leaving memory, by the budget. */
EACH_MACHINE(list, EXT_CMD_03_the_start_word_is_cleared_however_the_list_ends)
{
    static const struct {
        const char *what;
        uint32_t address, size, commands;
    } rows[] = {
        { "finalize", 0x20030000, 2, 100 }, { "end of list", 0x20030040, 2, 100 }, { "size 0", 0x20030000, 0, 100 },
        { "outside", 0x21000000, 2, 100 },  { "budget", 0x20030040, 0x100, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        LOAD_LIMIT(m, commands, rows[i].commands);
        machine_case(m, "%s", rows[i].what);
        put_list(m, LIST_ADDRESS, 1);
        machine_cpu_write_id(m, 0x238, rows[i].size);
        machine_cpu_write_id(m, 0x23A, rows[i].address >> 3);
        machine_cpu_write_id(m, 0x23C, 0x777);
        EXPECT_EQ(m, "EXT-CMD-03", machine_register(m, 0x23C), 0);
        EXPECT_EQ(m, "EXT-CMD-03", machine_register(m, 0x238), rows[i].size);
        EXPECT_EQ(m, "EXT-CMD-03", machine_register(m, 0x23A), rows[i].address >> 3);
    }
}

/* A list stopped by REG-13 does not stop the next one; registers, LUT words, queues and the assembler persist. */
EACH_MACHINE(list, EXT_CMD_04_everything_but_the_stop_flag_persists_between_lists)
{
    struct list list = { .count = 0 };
    list_write(&list, SCRATCH, 0xCAFE);
    list_write(&list, PICA_REG_FOG_LUT_DATA0, 0xF06);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0x111);
    list_write(&list, PICA_REG_FIXEDATTRIB_DATA0, 0x222);
    machine_submit(m, &list);
    machine_list_write(m, SCRATCH + 1, 0xBEEF);
    const struct pica_state *const state = machine_state(m);
    EXPECT_EQ(m, "EXT-CMD-04", state->registers[SCRATCH], 0xCAFE);
    EXPECT_EQ(m, "EXT-CMD-04", state->registers[SCRATCH + 1], 0xBEEF);
    EXPECT_EQ(m, "EXT-CMD-04", state->tables.fog[0], 0xF06);
    EXPECT_EQ(m, "EXT-CMD-04", state->units[PICA_UNIT_VERTEX].queue[0], 0x111);
    EXPECT_EQ(m, "EXT-CMD-04", state->units[PICA_UNIT_VERTEX].queue_length, 1);
    EXPECT_EQ(m, "EXT-CMD-04", state->fixed_queue[0], 0x222);
    EXPECT_EQ(m, "EXT-CMD-04", state->fixed_queue_length, 1);
    EXPECT_EQ(m, "EXT-CMD-04", state->interrupts[P3D], 2);
}

EACH_MACHINE(list, EXT_CMD_04_each_start_has_the_full_budget)
{
    LOAD_LIMIT(m, commands, 2);
    for (uint32_t i = 1; i <= 3; i++) {
        put_list(m, LIST_ADDRESS, i);
        machine_submit_raw(m, LIST_ADDRESS, 16);
        EXPECT_EQ(m, "EXT-CMD-04", machine_register(m, SCRATCH), i);
        EXPECT_EQ(m, "EXT-CMD-04", machine_interrupts(m, P3D), i);
    }
    EXPECT_NO_EVENTS(m, "EXT-CMD-04");
}

EACH_MACHINE(list, EXT_CMD_14_a_submission_is_the_writes_of_size_address_and_start)
{
    put_list(m, LIST_ADDRESS, 0x99);
    machine_submit_raw(m, LIST_ADDRESS + 5, 23); /* >> 3: address 0x20030000, size 2 */
    EXPECT_EQ(m, "EXT-CMD-14", machine_register(m, 0x238), 2);
    EXPECT_EQ(m, "EXT-CMD-14", machine_register(m, 0x23A), LIST_ADDRESS >> 3);
    EXPECT_EQ(m, "EXT-CMD-14", machine_register(m, 0x23C), 0);
    EXPECT_EQ(m, "EXT-CMD-14", machine_register(m, SCRATCH), 0x99);
    EXPECT_NO_EVENTS(m, "EXT-CMD-14");
}

/* ------------------------------------------------------------------------------------------------- EXT-CMD-05, 06 */

EACH_MACHINE(list, EXT_CMD_05_a_cpu_write_acts_like_a_list_write_with_mask_f)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 9, 8, 7, 6);
    probe_load_vertices(m, quad, 4);
    struct list list = probe_list();
    machine_submit(m, &list);
    machine_cpu_write_id(m, PICA_REG_PRIMITIVE_CONFIG, 0x100);
    EXPECT_EQ(m, "EXT-CMD-05", machine_state(m)->assembler.topology, 1);
    machine_cpu_write_id(m, PICA_REG_NUMVERTICES, 4);
    machine_cpu_write_id(m, PICA_REG_DRAWARRAYS, 1);
    EXPECT_EQ(m, "EXT-CMD-05", probe_covered(m, 0), 64);
    EXPECT_PIXEL(m, "EXT-CMD-05", 7, 0, 9, 8, 7, 6);
    machine_cpu_write_id(m, PICA_REG_FOG_LUT_DATA0 + 7, 0x123);
    EXPECT_EQ(m, "EXT-CMD-05", machine_state(m)->tables.fog[0], 0x123);
    EXPECT_EQ(m, "EXT-CMD-05", machine_register(m, PICA_REG_FOG_LUT_INDEX), 1);
    EXPECT_NO_EVENTS(m, "EXT-CMD-05");
    machine_cpu_write_id(m, PICA_REG_RESTART_PRIMITIVE, 0);
    EXPECT_ONLY_EVENTS(m, "EXT-CMD-05", PICA_EVENT_TRIGGER_ZERO);
}

EACH_MACHINE(list, EXT_CMD_05_ids_300_to_3ff_are_reg_05)
{
    machine_cpu_write(m, 0x10401C00, 1); /* id 0x300 */
    EXPECT_ONLY_EVENTS(m, "EXT-CMD-05", PICA_EVENT_REG_ID_RANGE);
    machine_reset(m);
    machine_cpu_write(m, 0x10401FFC, 1); /* id 0x3FF */
    EXPECT_ONLY_EVENTS(m, "EXT-CMD-05", PICA_EVENT_REG_ID_RANGE);
}

/* Each write is its own submission: a budget of 4 vertices lets two draws of 4 run. */
EACH_MACHINE(list, EXT_CMD_05_each_cpu_write_is_its_own_submission)
{
    struct pica_limits limits = machine_default_limits();
    limits.vertices = 4;
    limits.commands = 1;
    machine_load_limits(m, &limits);
    machine_cpu_write_id(m, PICA_REG_NUMVERTICES, 4);
    machine_cpu_write_id(m, PICA_REG_START_DRAW_FUNC0, 0);
    for (int i = 0; i < 3; i++)
        machine_cpu_write_id(m, PICA_REG_DRAWARRAYS, 1);
    EXPECT_NO_EVENT(m, "EXT-CMD-05", PICA_EVENT_BUDGET_VERTS);
    machine_cpu_write_id(m, PICA_REG_NUMVERTICES, 5);
    machine_cpu_write_id(m, PICA_REG_DRAWARRAYS, 1);
    EXPECT_EVENT(m, "EXT-CMD-05", PICA_EVENT_BUDGET_VERTS);
    EXPECT_NO_EVENT(m, "EXT-CMD-05", PICA_EVENT_BUDGET_CMDS);
}

/* Ports work too: three writes make a fixed attribute, an immediate vertex enters the assembler. */
EACH_MACHINE(list, EXT_CMD_05_cpu_writes_feed_the_ports)
{
    struct list list = probe_list();
    list_write(&list, PICA_REG_VSH_NUM_ATTR, 0);
    machine_submit(m, &list);
    static const uint32_t words[3] = { 0x4080003E, 0x0000BF00, 0x003F0000 };
    machine_cpu_write_id(m, PICA_REG_FIXEDATTRIB_INDEX, 14);
    for (uint32_t i = 0; i < 6; i++)
        machine_cpu_write_id(m, PICA_REG_FIXEDATTRIB_DATA0 + i % 3u, words[i % 3u]);
    const struct pica_state *const state = machine_state(m);
    EXPECT_EQ(m, "EXT-CMD-05", state->fixed[14].bits[3], 0x40400000);
    EXPECT_EQ(m, "EXT-CMD-05", state->assembler.count, 1);
    EXPECT_EQ(m, "EXT-CMD-05", state->assembler.buffer[0].slots[1], 0xBF800000);
    EXPECT_ONLY_EVENTS(m, "EXT-CMD-05", PICA_EVENT_FIXATTR_INDEX);
}

EACH_MACHINE(list, EXT_CMD_05_cpu_writes_record_no_list_events)
{
    machine_cpu_write_id(m, PICA_REG_GEOSTAGE_CONFIG2, 1);
    machine_cpu_write_id(m, SCRATCH, 2);
    EXPECT_EQ(m, "EXT-CMD-05", machine_register(m, SCRATCH), 2);
    EXPECT_NO_EVENTS(m, "EXT-CMD-05");
    machine_list_write(m, SCRATCH, 3);
    EXPECT_ONLY_EVENTS(m, "REG-44", PICA_EVENT_WRITE_WHILE_DRAWING);
}

/* Write-only ids of a console read back as the register-file word (REG-03), ports and triggers included. */
EACH_MACHINE(list, EXT_CMD_06_reading_an_id_gives_the_register_file_word)
{
    static const uint32_t ids[] = { 0x040, 0x0B0, 0x1C8, 0x22F, 0x25E, 0x2BF, 0x2C1, 0x2CC, 0x2FF };
    machine_cpu_write_id(m, PICA_REG_START_DRAW_FUNC0, 1);
    for (uint32_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        machine_case(m, "%03X", (unsigned)ids[i]);
        machine_cpu_write_id(m, ids[i], 0xA5A50000 + i);
        EXPECT_EQ(m, "EXT-CMD-06", machine_register(m, ids[i]), 0xA5A50000 + i);
    }
}

/* ------------------------------------------------------------------------------------------------------ EXT-CMD-07 */

static uint32_t status(struct machine *m)
{
    return machine_external(m, PICA_EXTREG_STATUS);
}

EACH_MACHINE(list, EXT_CMD_07_status_mirrors_the_finished_bits)
{
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0);
    machine_fill(m, 0, 0x18000000, 0x18000010, 0, 0x201);
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0x04000000);
    machine_fill(m, 1, 0x18000000, 0x18000010, 0, 0x201);
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0x0C000000);
    machine_cpu_write(m, 0x1040001C, 0); /* PSC-04: acknowledges unit 0 */
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0x08000000);
    const struct transfer transfer = { .in = 0x18000000, .out = 0x18001000, .dim = 0x00080008, .indim = 0x00080008 };
    machine_transfer(m, &transfer);
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0x48000000);
    machine_cpu_write(m, 0x10400C18, 0); /* PPF-20 */
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0x08000000);
    machine_cpu_write(m, 0x10400034, 0); /* read-only */
    machine_cpu_write(m, 0x10400034, 0xFFFFFFFF);
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0x08000000);
    machine_vertical_blank(m, 0);
    machine_vertical_blank(m, 1);
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0x08000000);
}

/* Request words start as 0; compare word 0 is 0x12345678, the others 0; lines 0-3 are enabled. */
EACH_MACHINE(list, EXT_CMD_07_status_bit_31_is_computed_from_requests_compares_and_mask)
{
    machine_list_write(m, SCRATCH, 0); /* its FINALIZE matches */
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0x80000000);
    machine_cpu_write_id(m, 0x000, 0); /* REG-15: acknowledge */
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0);
    machine_cpu_write_id(m, 0x020, 0xAA00BBCC); /* byte 2 of the request is 0: equal at once */
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0x80000000);
    machine_cpu_write_id(m, 0x030, 0xFFFFFFF4); /* line 2 masked */
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0);
    machine_cpu_write_id(m, 0x030, 0xFFFFFFE4); /* line 4, word 1: 0 = 0 */
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0x80000000);
    machine_cpu_write_id(m, 0x021, 0x01010101);
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0);
    machine_cpu_write_id(m, 0x031, 0x7FFFFFFF); /* line 63: word 15, byte 3 */
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0x80000000);
    machine_cpu_write_id(m, 0x02F, 0x01000000);
    EXPECT_EQ(m, "EXT-CMD-07", status(m), 0);
    EXPECT_EQ(m, "EXT-CMD-10", machine_interrupts(m, P3D), 1);
}

/* ------------------------------------------------------------------------------------------------ EXT-CMD-10 to 13 */

static void expect_counters(struct machine *m, const uint32_t expected[PICA_INTERRUPTS])
{
    for (uint32_t i = 0; i < PICA_INTERRUPTS; i++) {
        machine_case(m, "counter %u", (unsigned)i);
        EXPECT_EQ(m, "EXT-CMD-10", machine_interrupts(m, i), expected[i]);
    }
}

EACH_MACHINE(list, EXT_CMD_10_EXT_CMD_12_each_source_has_its_counter)
{
    expect_counters(m, (const uint32_t[]){ 0, 0, 0, 0, 0, 0 });
    machine_fill(m, 0, 0x18000000, 0x18000010, 0, 0x201);
    expect_counters(m, (const uint32_t[]){ 1, 0, 0, 0, 0, 0 });
    machine_fill(m, 1, 0x18000000, 0x18000010, 0, 0x201);
    EXPECT_EQ(m, "EXT-CMD-12", machine_interrupts(m, 1), 1);
    machine_fill(m, 1, 0x18000000, 0x18000010, 0, 0x201);
    expect_counters(m, (const uint32_t[]){ 1, 2, 0, 0, 0, 0 });
    machine_vertical_blank(m, 0);
    expect_counters(m, (const uint32_t[]){ 1, 2, 1, 0, 0, 0 });
    machine_vertical_blank(m, 1);
    machine_vertical_blank(m, 1);
    machine_vertical_blank(m, 1);
    expect_counters(m, (const uint32_t[]){ 1, 2, 1, 3, 0, 0 });
    const struct transfer transfer = { .in = 0x18000000, .out = 0x18001000, .dim = 0x00080008, .indim = 0x00080008 };
    machine_transfer(m, &transfer);
    expect_counters(m, (const uint32_t[]){ 1, 2, 1, 3, 1, 0 });
    const struct transfer copy = {
        .in = 0x18000000, .out = 0x18001000, .flags = 8, .copy_size = 16, .copy_in = 1, .copy_out = 1
    };
    machine_transfer(m, &copy);
    expect_counters(m, (const uint32_t[]){ 1, 2, 1, 3, 2, 0 });
    machine_list_write(m, SCRATCH, 0);
    expect_counters(m, (const uint32_t[]){ 1, 2, 1, 3, 2, 1 });
}

EACH_MACHINE(list, EXT_CMD_10_counters_are_modulo_2_to_the_32)
{
    struct pica_state *const initial = &m->state;
    (void)machine_state(m);
    for (uint32_t i = 0; i < PICA_INTERRUPTS; i++)
        initial->interrupts[i] = 0xFFFFFFFF;
    struct pica_setup setup = machine_default_setup();
    setup.initial_state = initial;
    machine_load_setup(m, &setup);
    machine_fill(m, 0, 0x18000000, 0x18000010, 0, 0x201);
    machine_list_write(m, SCRATCH, 0);
    machine_vertical_blank(m, 0);
    expect_counters(m, (const uint32_t[]){ 0, 0xFFFFFFFF, 0, 0xFFFFFFFF, 0xFFFFFFFF, 0 });
}

/* A list with a draw, fills and transfers leave PDC0 and PDC1 alone; counters keep no order (EXT-CMD-13). */
EACH_MACHINE(list, EXT_CMD_11_EXT_CMD_13_display_counters_change_by_vertical_blanks_only)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    struct list list = probe_list();
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    machine_fill(m, 0, COLOR_ADDRESS, COLOR_ADDRESS + 0x100, 0, 0x201);
    machine_cpu_write(m, 0x10400400 + 0x5C, 0x1234);
    expect_counters(m, (const uint32_t[]){ 1, 0, 0, 0, 0, 1 });
    machine_vertical_blank(m, 1);
    EXPECT_EQ(m, "EXT-CMD-11", machine_interrupts(m, 3), 1);
    EXPECT_EQ(m, "EXT-CMD-13", machine_interrupts(m, 2), 0);
    machine_vertical_blank(m, 0);
    expect_counters(m, (const uint32_t[]){ 1, 0, 1, 1, 0, 1 });
}
