/* 10-command-stream.md section 5: storage, reset values, unused ids, interrupts. Ports: test_port.c. */
#include "tests/conformance/machine.h"

#include <stdlib.h>
#include <string.h>

enum {
    P3D = 5,
    AUTOSTOP = 0x034
};

/* ------------------------------------------------------------------------------------------------ REG-01, 02, 04 */

static bool is_storage(uint32_t id)
{
    const enum pica_reg_class reg_class = pica_reg_info(id)->reg_class;
    return reg_class == PICA_REG_CLASS_CONFIG || reg_class == PICA_REG_CLASS_STORAGE ||
           reg_class == PICA_REG_CLASS_INDEX;
}

/* Classes C, S and X keep all 32 bits; all of them are written in one list and read back. 0x253 last (REG-44). */
EACH_MACHINE(state, REG_01_configuration_words_store_all_32_bits)
{
    static const uint32_t patterns[] = { 0xFFFFFFFF, 0xA5C3F00F, 0x5A3C0FF0, 0x00000000 };
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        machine_reset(m);
        struct list list = { .count = 0 };
        for (uint32_t id = 0x040; id < PICA_REGISTERS; id++)
            if (is_storage(id) && (id < 0x238u || id > 0x23Bu) && id != PICA_REG_GEOSTAGE_CONFIG2)
                list_write(&list, id, patterns[p] ^ id);
        machine_submit(m, &list);
        const struct pica_state *const state = machine_state(m);
        for (uint32_t id = 0x040; id < PICA_REGISTERS; id++)
            if (is_storage(id) && (id < 0x238u || id > 0x23Bu) && id != PICA_REG_GEOSTAGE_CONFIG2) {
                machine_case(m, "%03X", (unsigned)id);
                EXPECT_EQ(m, "REG-01", state->registers[id], patterns[p] ^ id);
            }
    }
    machine_list_write(m, PICA_REG_GEOSTAGE_CONFIG2, 0xFFFFFFFF);
    EXPECT_EQ(m, "REG-01", machine_register(m, PICA_REG_GEOSTAGE_CONFIG2), 0xFFFFFFFF);
    machine_cpu_write_id(m, 0x23B, 0xFFFFFFFF);
    EXPECT_EQ(m, "REG-01", machine_register(m, 0x23B), 0xFFFFFFFF);
}

/* Ports and triggers keep the last merged word too (REG-20, CMD-05). 0x228 is 0, jumps are left to test_list_jump.c. */
EACH_MACHINE(state, REG_01_port_and_trigger_words_are_stored)
{
    for (uint32_t id = 0x040; id < PICA_REGISTERS; id++) {
        if (is_storage(id) || id == 0x23Cu || id == 0x23Du)
            continue;
        machine_case(m, "%03X", (unsigned)id);
        machine_list_write(m, id, 0xC0DE0000 + id);
        EXPECT_EQ(m, "REG-01", machine_register(m, id), 0xC0DE0000 + id);
    }
}

EACH_MACHINE(state, REG_02_reset_values)
{
    uint32_t expected[PICA_REGISTERS] = { 0 };
    expected[0x020] = 0x12345678;
    expected[0x030] = 0xFFFFFFF0;
    expected[0x031] = 0xFFFFFFFF;
    expected[0x034] = 0x00000001;
    expected[0x245] = 0x00000001;
    expected[0x289] = 0xA0000001;
    const struct pica_state *const state = machine_state(m);
    for (uint32_t id = 0; id < PICA_REGISTERS; id++) {
        machine_case(m, "%03X", (unsigned)id);
        EXPECT_EQ(m, "REG-02", state->registers[id], expected[id]);
    }
    EXPECT_NO_EVENTS(m, "REG-02");
}

/* REG-04: everything else is zero at reset, byte by byte; also after a run and a new load. */
EACH_MACHINE(state, REG_04_all_other_state_is_zero_at_reset)
{
    for (int round = 0; round < 2; round++) {
        machine_case(m, "round %d", round);
        (void)machine_state(m);
        const uint8_t *const bytes = (const uint8_t *)&m->state;
        const size_t start = offsetof(struct pica_state, external);
        size_t first = start;
        while (first < sizeof m->state && bytes[first] == 0)
            first++;
        EXPECT_EQ(m, "REG-04", (uint32_t)first, (uint32_t)sizeof m->state);
        struct probe_vertex quad[4];
        probe_quad(quad);
        struct list list = { .count = 0 };
        list_write(&list, PICA_REG_VSH_BOOLUNIFORM, 0xFFFF);
        list_write(&list, PICA_REG_FOG_LUT_DATA0, 1);
        list_write(&list, PICA_REG_FIXEDATTRIB_DATA0, 1);
        list_uniform(&list, PICA_UNIT_VERTEX, 3, 1, 2, 3, 4);
        probe_pipeline(&list);
        probe_draw(m, &list, quad, 3, PICA_TOPOLOGY_STRIP);
        machine_fill(m, 0, COLOR_ADDRESS, COLOR_ADDRESS + 16, 1, 0x201);
        machine_reset(m);
    }
}

/* REG-03, REG-04, GEN-02: dumps show what can be observed; queue words beyond the length are 0, every NaN 7FC00000. */
EACH_MACHINE(state, REG_03_REG_04_GEN_02_dumps_show_zero_for_what_no_operation_can_observe)
{
    struct list list = { .count = 0 };
    static const uint32_t six[6] = { 1, 2, 3, 4, 5, 6 };
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_INDEX, 0x80000000);
    list_write_many(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, false, six, 6); /* 4 words used, 2 queued */
    list_write_many(&list, PICA_REG_FIXEDATTRIB_DATA0, false, six, 4);      /* 3 used, 1 queued */
    list_uniform(&list, PICA_UNIT_GEOMETRY, 5, 0xFFC12345, 0x7F800001, 0x7FFFFFFF, 0xFF800000);
    machine_submit(m, &list);
    const struct pica_state *const state = machine_state(m);
    const struct pica_shader_unit *const vs = &state->units[PICA_UNIT_VERTEX];
    EXPECT_EQ(m, "REG-04", vs->queue_length, 2);
    EXPECT_EQ(m, "REG-04", vs->queue[0], 5);
    EXPECT_EQ(m, "REG-04", vs->queue[1], 6);
    EXPECT_EQ(m, "REG-04", vs->queue[2], 0);
    EXPECT_EQ(m, "REG-04", vs->queue[3], 0);
    EXPECT_EQ(m, "REG-04", state->fixed_queue_length, 1);
    EXPECT_EQ(m, "REG-04", state->fixed_queue[0], 4);
    EXPECT_EQ(m, "REG-04", state->fixed_queue[1], 0);
    EXPECT_EQ(m, "REG-04", state->fixed_queue[2], 0);
    EXPECT_VECTOR(m, "GEN-02", state->units[PICA_UNIT_GEOMETRY].uniforms[5], 0x7FC00000, 0x7FC00000, 0x7FC00000,
                  0xFF800000);
    EXPECT_EQ(m, "REG-03", state->registers[PICA_REG_VSH_FLOATUNIFORM_INDEX], 0x80000001);
}

/* B[i] is dumped as 0 unless i < n or ready: after a whole triangle n = 0, both are 0. */
EACH_MACHINE(state, REG_04_assembler_buffers_are_dumped_only_while_they_wait)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    for (uint32_t n = 1; n <= 4; n++) {
        machine_row(m, "%u vertices", (unsigned)n);
        struct list list = probe_list();
        probe_draw(m, &list, quad, n, PICA_TOPOLOGY_LIST);
        const struct pica_assembler_state *const assembler = &machine_state(m)->assembler;
        EXPECT_EQ(m, "REG-04", assembler->count, n % 3u);
        EXPECT_EQ(m, "REG-04", assembler->buffer[0].slots[3], n % 3u >= 1u ? 0x3F800000 : 0);
        EXPECT_EQ(m, "REG-04", assembler->buffer[1].slots[3], n % 3u >= 2u ? 0x3F800000 : 0);
    }
}

/* ------------------------------------------------------------------------------------------- REG-05, 06, 07: unused */

EACH_MACHINE(state, REG_05_ids_from_300_on_do_nothing)
{
    static const uint32_t ids[] = { 0x300, 0x33F, 0x340, 0x3FF, 0x400, 0x1010, 0x8000, 0xFFFF };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        machine_row(m, "%04X", (unsigned)ids[i]);
        struct list list = { .count = 0 };
        static const uint32_t three[3] = { 0x12345678, 1, 2 };
        list_write_many(&list, ids[i], false, three, 3);
        list_write_masked(&list, ids[i], 0, 0);
        list_write(&list, 0x045, 9);
        machine_submit(m, &list);
        EXPECT_EQ(m, "REG-05", machine_register(m, 0x045), 9);
        EXPECT_EQ(m, "REG-05", machine_interrupts(m, P3D), 1);
        EXPECT_ONLY_EVENTS(m, "REG-05", PICA_EVENT_REG_ID_RANGE);
    }
}

static bool mirrors_restart(uint32_t id)
{
    return (id >= 0x070u && id <= 0x07Fu) || (id >= 0x0FEu && id <= 0x0FFu) || (id >= 0x127u && id <= 0x12Fu) ||
           (id >= 0x1E0u && id <= 0x1FFu) || (id >= 0x240u && id <= 0x241u) || (id >= 0x246u && id <= 0x249u) ||
           (id >= 0x24Bu && id <= 0x24Fu) || (id >= 0x258u && id <= 0x25Du) || (id >= 0x260u && id <= 0x27Fu);
}

/* Every id of the file: the event on the listed ones and nowhere else, with any mask; no restart happens. */
EACH_MACHINE(state, REG_06_unused_ids_are_plain_storage)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    for (uint32_t id = 0x040; id < PICA_REGISTERS; id++) {
        if (id == 0x23Cu || id == 0x23Du)
            continue;
        machine_row(m, "%03X", (unsigned)id);
        machine_list_write(m, id, 0x01010101);
        EXPECT(m, "REG-06", machine_event(m, PICA_EVENT_MIRROR_RESTART) == mirrors_restart(id));
    }
    machine_reset(m);
    struct list list = probe_list();
    probe_draw(m, &list, quad, 2, PICA_TOPOLOGY_LIST);
    list.count = 0;
    list_write_masked(&list, 0x070, 1, 0);
    list_write(&list, 0x27F, 1);
    machine_submit(m, &list);
    EXPECT_EQ(m, "REG-06", machine_state(m)->assembler.count, 2);
    EXPECT_EQ(m, "REG-06", machine_register(m, 0x27F), 1);
    EXPECT_ONLY_EVENTS(m, "REG-06", PICA_EVENT_MIRROR_RESTART);
}

/* 0x058 and 0x060 are events of RST-07, 0x06C is storage; the picture is the same. */
EACH_MACHINE(state, REG_07_undocumented_bits_are_not_modelled)
{
    static const struct {
        uint32_t id, value;
        enum pica_event event;
        bool fires;
    } rows[] = {
        { 0x058, 1, PICA_EVENT_REG_0058, true },           { 0x058, 0xFFFFFFFE, PICA_EVENT_REG_0058, false },
        { 0x060, 0x100, PICA_EVENT_REG_0060, true },       { 0x060, 0x200, PICA_EVENT_REG_0060, true },
        { 0x060, 0xFFFFFCFF, PICA_EVENT_REG_0060, false }, { 0x06C, 0xFFFFFFFF, PICA_EVENT_REG_0060, false },
    };
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 3, 10, 20, 30, 40);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%03X = %08X", (unsigned)rows[i].id, (unsigned)rows[i].value);
        struct list list = probe_list();
        list_write(&list, rows[i].id, rows[i].value);
        probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
        EXPECT_EQ(m, "REG-07", probe_covered(m, 0), 64);
        EXPECT_PIXEL(m, "REG-07", 0, 0, 10, 20, 30, 40);
        if (rows[i].fires)
            EXPECT_ONLY_EVENTS(m, "REG-07", rows[i].event);
        else
            EXPECT_NO_EVENTS(m, "REG-07");
    }
}

/* -------------------------------------------------------------------------------------------- REG-10 to REG-15 */

EACH_MACHINE(state, REG_11_lists_cannot_write_cpu_only_registers)
{
    for (uint32_t id = 0; id < 0x40u; id++) {
        if (id >= 0x010u && id <= 0x01Fu)
            continue;
        machine_row(m, "%03X", (unsigned)id);
        const uint32_t before = machine_register(m, id);
        machine_list_write(m, id, ~before);
        EXPECT_EQ(m, "REG-11", machine_register(m, id), before);
        EXPECT_EQ(m, "REG-11", machine_interrupts(m, P3D), 1); /* FINALIZE still matches and stops */
        EXPECT_ONLY_EVENTS(m, "REG-11", PICA_EVENT_CPU_ONLY_REG);
    }
}

/* Values written to 0x010 with the reset compare 0x12345678 and lines 0-3 enabled; SCRATCH shows whether it stopped. */
EACH_MACHINE(state, REG_12_REG_13_any_matching_byte_counts_one_interrupt_and_stops)
{
    static const struct {
        uint32_t value;
        bool fires;
    } rows[] = {
        { 0x12345678, true }, { 0x00000078, true },  { 0x00005600, true },  { 0x00340000, true },
        { 0x12000000, true }, { 0x78563412, false }, { 0x00000000, false }, { 0xFFFFFFFF, false },
        { 0x12345679, true }, { 0x13355779, false }, { 0x00000056, false }, { 0x34120000, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%08X", (unsigned)rows[i].value);
        const uint32_t words[] = { rows[i].value, 0x000F0010, 1, 0x000F0045 };
        machine_submit_words(m, words, 4);
        EXPECT_EQ(m, "REG-12", machine_interrupts(m, P3D), rows[i].fires ? 1 : 0);
        EXPECT_EQ(m, "REG-13", machine_register(m, 0x045), rows[i].fires ? 0 : 1);
        EXPECT_EQ(m, "REG-12", machine_register(m, 0x010), rows[i].value);
        if (rows[i].fires)
            EXPECT_NO_EVENTS(m, "REG-14");
        else
            EXPECT_ONLY_EVENTS(m, "REG-14", PICA_EVENT_FINALIZE_MISMATCH, PICA_EVENT_NO_FINALIZE);
    }
}

/* The merged word is what is compared; mask 0 counts as a write; a byte that matched before matches again. */
EACH_MACHINE(state, REG_12_the_merged_word_is_compared_on_every_write)
{
    static const uint32_t first[] = { 0x00000078, 0x00010010, 0, 0 };
    machine_submit_words(m, first, 4);
    EXPECT_EQ(m, "REG-12", machine_interrupts(m, P3D), 1);
    EXPECT_EQ(m, "REG-12", machine_register(m, 0x010), 0x78);
    static const uint32_t again[] = { 0xFFFFFFFF, 0x00000010, 1, 0x000F0045 };
    machine_submit_words(m, again, 4);
    EXPECT_EQ(m, "REG-12", machine_interrupts(m, P3D), 2);
    EXPECT_EQ(m, "REG-13", machine_register(m, 0x045), 0);
    static const uint32_t other[] = { 0x99999999, 0x000E0010, 1, 0x000F0045 };
    machine_submit_words(m, other, 4);
    EXPECT_EQ(m, "REG-12", machine_interrupts(m, P3D), 3);
    EXPECT_EQ(m, "REG-12", machine_register(m, 0x010), 0x99999978);
    EXPECT_NO_EVENTS(m, "REG-12");
}

/* REG-10: line n = 4w + j. Only the line under test is enabled; its byte matches, its neighbours' do not. */
EACH_MACHINE(state, REG_10_line_n_uses_byte_n_mod_4_of_word_n_div_4_and_mask_bit_n)
{
    for (uint32_t n = 0; n < 64; n++) {
        machine_row(m, "line %u", (unsigned)n);
        const uint32_t w = n / 4;
        const uint32_t j = n % 4;
        machine_cpu_write_id(m, 0x020 + w, 0x44332211);
        machine_cpu_write_id(m, 0x030, n < 32u ? ~(1u << n) : 0xFFFFFFFF);
        machine_cpu_write_id(m, 0x031, n >= 32u ? ~(1u << (n - 32u)) : 0xFFFFFFFF);
        const uint32_t byte = 0x11u * (j + 1u);
        struct list list = { .count = 0 };
        list_write(&list, 0x010 + w, 0x44332211u ^ (0xFFu << (8 * j))); /* all match but byte j: masked lines */
        list_write(&list, 0x010 + w, byte << (8 * j));
        list_write(&list, 0x045, 1);
        machine_load_words(m, LIST_ADDRESS, list.words, list.count);
        machine_submit_raw(m, LIST_ADDRESS, 16); /* SUB-02: two commands */
        EXPECT_EQ(m, "REG-10", machine_interrupts(m, P3D), 1);
        EXPECT(m, "REG-14", machine_event(m, PICA_EVENT_FINALIZE_MISMATCH) == (w == 0u));
        EXPECT_NO_EVENT(m, "REG-13", PICA_EVENT_NO_FINALIZE);
    }
}

/* With the reset masks only 0x010 can interrupt; finalize-mismatch belongs to 0x010 alone. */
EACH_MACHINE(state, REG_12_with_the_reset_values_only_0x010_can_interrupt)
{
    struct list list = { .count = 0 };
    for (uint32_t w = 1; w < 16; w++)
        list_write(&list, 0x010 + w, w == 7u ? 0xABCD : 0); /* 0 equals the compare words, but lines 4-63 are masked */
    machine_submit(m, &list);
    EXPECT_EQ(m, "REG-12", machine_interrupts(m, P3D), 1);
    EXPECT_EQ(m, "REG-12", machine_register(m, 0x017), 0xABCD);
    EXPECT_NO_EVENTS(m, "REG-14");
}

/* REG-13: autostop off: processing goes on; each write counts again. Only bit 0 of 0x034 counts. */
EACH_MACHINE(state, REG_13_autostop_ends_the_list_with_its_remaining_parameters)
{
    static const struct {
        uint32_t value;
        bool stops;
    } rows[] = { { 0, false }, { 1, true }, { 0xFFFFFFFE, false }, { 0x80000001, true } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%08X", (unsigned)rows[i].value);
        machine_cpu_write_id(m, AUTOSTOP, rows[i].value);
        struct list list = { .count = 0 };
        static const uint32_t three[3] = { 0x12345678, 0x12, 0x78 };
        list_write_many(&list, 0x010, false, three, 3); /* 0x12 alone: no byte matches */
        list_write(&list, 0x045, 1);
        list_write(&list, 0x045, 2);
        machine_load_words(m, LIST_ADDRESS, list.words, list.count);
        machine_submit_raw(m, LIST_ADDRESS, 32);
        EXPECT_EQ(m, "REG-13", machine_interrupts(m, P3D), rows[i].stops ? 1 : 2);
        EXPECT_EQ(m, "REG-13", machine_register(m, 0x010), rows[i].stops ? 0x12345678 : 0x78);
        EXPECT_EQ(m, "REG-13", machine_register(m, 0x045), rows[i].stops ? 0 : 2);
        EXPECT_EQ(m, "REG-13", machine_register(m, AUTOSTOP), rows[i].value);
        EXPECT(m, "CMD-11", machine_event(m, PICA_EVENT_NO_FINALIZE) == !rows[i].stops);
    }
}

EACH_MACHINE(state, REG_15_REG_14_a_cpu_write_to_a_request_word_interrupts_without_stop)
{
    machine_cpu_write_id(m, 0x010, 0x12345678);
    EXPECT_EQ(m, "REG-15", machine_interrupts(m, P3D), 1);
    EXPECT_EQ(m, "REG-15", machine_register(m, 0x010), 0x12345678);
    EXPECT_NO_EVENTS(m, "REG-15");
    machine_cpu_write_id(m, 0x010, 0);
    EXPECT_EQ(m, "REG-14", machine_interrupts(m, P3D), 1);
    EXPECT_ONLY_EVENTS(m, "REG-14", PICA_EVENT_FINALIZE_MISMATCH);
    /* "Without stop": a later list runs to its own end. */
    machine_list_write(m, 0x045, 5);
    EXPECT_EQ(m, "REG-15", machine_register(m, 0x045), 5);
    EXPECT_EQ(m, "REG-15", machine_interrupts(m, P3D), 2);
}

EACH_MACHINE(state, REG_15_cpu_writes_to_ids_below_40)
{
    machine_cpu_write_id(m, 0x031, 0xFFFFFFFF);
    for (uint32_t w = 0; w < 16; w++) {
        machine_case(m, "acknowledge %u", (unsigned)w);
        machine_cpu_write_id(m, w, 0x12345678 + w);
        EXPECT_EQ(m, "REG-15", machine_register(m, 0x010 + w), 0x12345678 + w);
        EXPECT_EQ(m, "REG-15", machine_register(m, w), 0);
        machine_case(m, "compare %u", (unsigned)w);
        machine_cpu_write_id(m, 0x020 + w, 0x87654321 + w);
        EXPECT_EQ(m, "REG-15", machine_register(m, 0x020 + w), 0x87654321 + w);
    }
    static const struct {
        uint32_t id;
        bool stored;
    } rows[] = { { 0x030, true },  { 0x031, true },  { 0x034, true },  { 0x032, false }, { 0x033, false },
                 { 0x035, false }, { 0x036, false }, { 0x03A, false }, { 0x03F, false } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "%03X", (unsigned)rows[i].id);
        machine_cpu_write_id(m, rows[i].id, 0xFEDCBA98);
        EXPECT_EQ(m, "REG-15", machine_register(m, rows[i].id), rows[i].stored ? 0xFEDCBA98 : 0);
    }
    EXPECT_EQ(m, "REG-15", machine_interrupts(m, P3D), 0);
    EXPECT_NO_EVENTS(m, "REG-15");
}

/* GEN-10: the same case twice gives the same state, memory and events, whatever ran before in the instance. */
EACH_MACHINE(state, GEN_10_a_result_depends_on_nothing_but_the_case)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 2, 1, 200, 3, 90);
    struct pica_state *const first = calloc(1, sizeof *first);
    cr_assert_not_null(first);
    struct pica_events events = { { 0 } };
    uint32_t pixels[64] = { 0 };
    for (uint32_t round = 0; round < 3; round++) {
        machine_row(m, "round %u", (unsigned)round);
        struct list list = probe_list();
        list_write(&list, 0x070, 5);
        probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
        const struct pica_events got = machine_events(m);
        if (round == 0u) {
            *first = *machine_state(m);
            events = got;
        }
        EXPECT(m, "GEN-10", memcmp(first, machine_state(m), sizeof *first) == 0);
        EXPECT(m, "GEN-10", pica_events_equal(&events, &got));
        for (uint32_t i = 0; i < 64; i++) {
            if (round == 0u)
                pixels[i] = probe_pixel(m, i % 8u, i / 8u);
            EXPECT_EQ(m, "GEN-10", probe_pixel(m, i % 8u, i / 8u), pixels[i]);
        }
        /* Something else in between. */
        machine_reset(m);
        machine_list_write(m, PICA_REG_VSH_FLOATUNIFORM_DATA0, round);
        machine_load_word(m, COLOR_ADDRESS, 0x55);
    }
    free(first);
}
