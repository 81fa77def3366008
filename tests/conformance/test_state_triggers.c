/* 10-command-stream.md section 5: triggers (REG-40 to 44) and initial states (REG-45). */
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------- REG-40, REG-41 */

/* Values of the three triggers: any fires, 0 with an event. Indices are 0, 1, 2, 3. */
EACH_MACHINE(state, REG_40_draws_fire_whatever_the_value)
{
    static const uint32_t values[] = { 0, 1, 2, 0x80000000 };
    static const uint8_t indices[4] = { 0, 1, 2, 3 };
    struct probe_vertex quad[4];
    probe_quad(quad);
    for (uint32_t id = PICA_REG_DRAWARRAYS; id <= PICA_REG_DRAWELEMENTS; id++)
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            machine_row(m, "%03X = %08X", (unsigned)id, (unsigned)values[i]);
            probe_load_vertices(m, quad, 4);
            machine_load(m, INDEX_ADDRESS, indices, 4);
            struct list list = probe_list();
            list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, INDEX_ADDRESS - VERTEX_ADDRESS);
            list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
            list_write(&list, PICA_REG_NUMVERTICES, 4);
            list_write(&list, id, values[i]);
            machine_submit(m, &list);
            EXPECT_EQ(m, "REG-40", probe_covered(m, 0), 64);
            EXPECT_EQ(m, "REG-40", machine_register(m, id), values[i]);
            if (values[i] == 0u)
                EXPECT_ONLY_EVENTS(m, "REG-40", PICA_EVENT_TRIGGER_ZERO);
            else
                EXPECT_NO_EVENTS(m, "REG-40");
        }
}

/* Two vertices wait in the assembler; then one write; n afterwards. */
EACH_MACHINE(state, REG_41_any_write_to_0x25e_resets_the_assembler)
{
    static const struct {
        uint32_t id, value, mask;
        uint32_t waiting, topology;
        bool zero;
    } rows[] = {
        { 0x25F, 1, 0xF, 0, 1, false },          { 0x25F, 0, 0xF, 0, 1, true },
        { 0x25F, 0x10, 0x0, 0, 1, false },       { 0x25E, 0x00000200, 0xF, 0, 2, false },
        { 0x25E, 0x00000300, 0x2, 0, 3, false }, { 0x25E, 0x00000300, 0x1, 0, 1, false }, /* byte 1 is kept */
        { 0x25E, 0xFFFFFFFF, 0x8, 0, 1, false }, { 0x25E, 0x00000200, 0x0, 0, 1, false },
        { 0x25E, 0xFFFFFCFF, 0xF, 0, 0, false }, { 0x25E, 0x00000100, 0xF, 0, 1, false },
        { 0x25D, 1, 0xF, 1, 1, false },          { 0x045, 1, 0xF, 1, 1, false },
    };
    struct probe_vertex quad[4];
    probe_quad(quad);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%03X = %08X mask %X", (unsigned)rows[i].id, (unsigned)rows[i].value, (unsigned)rows[i].mask);
        struct list list = probe_list();
        probe_draw(m, &list, quad, 3, PICA_TOPOLOGY_STRIP); /* strip: n = 1, ready */
        EXPECT_EQ(m, "PRM-04", machine_state(m)->assembler.ready, 1);
        list.count = 0;
        list_write_masked(&list, rows[i].id, rows[i].value, rows[i].mask);
        machine_submit(m, &list);
        const struct pica_assembler_state *const assembler = &machine_state(m)->assembler;
        EXPECT_EQ(m, "REG-41", assembler->count, rows[i].waiting);
        EXPECT_EQ(m, "REG-41", assembler->ready, rows[i].waiting);
        EXPECT_EQ(m, "REG-41", assembler->topology, rows[i].topology);
        EXPECT(m, "REG-40", machine_event(m, PICA_EVENT_TRIGGER_ZERO) == rows[i].zero);
    }
}

/* ------------------------------------------------------------------------------------------------- REG-42 to 44 */

/* Value, id: stored, and the picture and the final state stay what they are without it. */
EACH_MACHINE(state, REG_42_REG_43_REG_44_registers_without_effect)
{
    static const struct {
        const char *rule;
        uint32_t id, value;
    } rows[] = {
        { "REG-42", 0x063, 1 },          { "REG-42", 0x110, 1 },          { "REG-42", 0x111, 1 },
        { "REG-42", 0x231, 1 },          { "REG-42", 0x28F, 1 },          { "REG-42", 0x2BF, 1 },
        { "REG-42", 0x2BF, 0xFFFFFFFF }, { "REG-44", 0x064, 0xFFFFFFFF }, { "REG-44", 0x06F, 0xFFFFFFFF },
        { "REG-44", 0x253, 0x00000100 }, { "REG-44", 0x253, 0xFFFFFFFE }, { "REG-44", 0x229, 0xFFFFFFFC },
        { "REG-44", 0x229, 0x000F0300 }, { "REG-44", 0x22D, 0xFFFFFFFF }, { "REG-44", 0x243, 0xFFFFFFFF },
        { "REG-44", 0x255, 0xFFFFFFFF }, { "REG-44", 0x251, 0xFFFFFFFF }, { "REG-43", 0x245, 0xFFFFFFFE },
    };
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 7, 77, 177, 255);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%03X = %08X", (unsigned)rows[i].id, (unsigned)rows[i].value);
        struct list list = { .count = 0 };
        list_write(&list, PICA_REG_START_DRAW_FUNC0, 1);
        if (rows[i].id >= 0x280u)
            list_write(&list, rows[i].id, rows[i].value);
        probe_pipeline(&list);
        if (rows[i].id < 0x280u)
            list_write(&list, rows[i].id, rows[i].value);
        probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
        EXPECT_EQ(m, rows[i].rule, probe_covered(m, 0), 64);
        EXPECT_PIXEL(m, rows[i].rule, 3, 3, 7, 77, 177, 255);
        if (rows[i].id != 0x2BFu)
            EXPECT_EQ(m, rows[i].rule, machine_register(m, rows[i].id), rows[i].value);
        EXPECT_NO_EVENTS(m, rows[i].rule);
    }
}

/* code-not-ended (R): a code word after the last write to 0x2BF when a VS invocation starts. */
EACH_MACHINE(state, REG_42_code_not_ended_looks_at_the_unit_that_runs)
{
    static const struct {
        const char *what;
        bool end_before, upload_gs, upload_vs, end_after;
        bool event;
    } rows[] = {
        { "ended", false, false, true, true, false },
        { "not ended", false, false, true, false, true },
        { "ended before the upload", true, false, true, false, true },
        { "GS port only", true, true, false, false, false },
        { "both, ended", false, true, true, true, false },
    };
    const uint32_t end = op0(0x22);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].what);
        struct list setup = { .count = 0 };
        if (rows[i].end_before)
            list_write(&setup, PICA_REG_VSH_CODETRANSFER_END, 1);
        list_write(&setup, PICA_REG_GSH_CODETRANSFER_INDEX, 100);
        if (rows[i].upload_gs)
            list_write(&setup, PICA_REG_GSH_CODETRANSFER_DATA0, end);
        list_write(&setup, PICA_REG_VSH_CODETRANSFER_INDEX, 100);
        if (rows[i].upload_vs)
            list_write(&setup, PICA_REG_VSH_CODETRANSFER_DATA0, end);
        if (rows[i].end_after)
            list_write(&setup, PICA_REG_VSH_CODETRANSFER_END, 0);
        const struct shader_run run = { .code = &end, .code_count = 1, .setup = &setup };
        shader_run(m, &run);
        if (rows[i].event)
            EXPECT_EVENT(m, "REG-42", PICA_EVENT_CODE_NOT_ENDED);
        else
            EXPECT_NO_EVENT(m, "REG-42", PICA_EVENT_CODE_NOT_ENDED);
    }
}

/* A dropped word (index 512) was not stored, so it does not count. */
EACH_MACHINE(state, REG_42_a_dropped_code_word_does_not_count)
{
    const uint32_t end = op0(0x22);
    struct list setup = { .count = 0 };
    list_write(&setup, PICA_REG_VSH_CODETRANSFER_INDEX, 512);
    list_write(&setup, PICA_REG_VSH_CODETRANSFER_DATA0, end);
    const struct shader_run run = { .code = &end, .code_count = 1, .setup = &setup };
    shader_run(m, &run);
    EXPECT_NO_EVENT(m, "REG-42", PICA_EVENT_CODE_NOT_ENDED);
    EXPECT_EVENT(m, "REG-21", PICA_EVENT_CODE_INDEX_RANGE);
}

EACH_MACHINE(state, REG_43_draw_in_config_mode_needs_a_vertex)
{
    static const struct {
        uint32_t mode, count, trigger;
        bool event;
    } rows[] = {
        { 1, 1, 0x22E, true },  { 0, 1, 0x22E, false }, { 1, 0, 0x22E, false },          { 1, 1, 0x22F, true },
        { 1, 0, 0x22F, false }, { 0, 1, 0x22F, false }, { 0xFFFFFFFE, 1, 0x22E, false }, { 3, 1, 0x22E, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "245 = %08X, 228 = %u, %03X", (unsigned)rows[i].mode, (unsigned)rows[i].count,
                    (unsigned)rows[i].trigger);
        struct list list = probe_list();
        list_write(&list, PICA_REG_START_DRAW_FUNC0, rows[i].mode);
        list_write(&list, PICA_REG_NUMVERTICES, rows[i].count);
        list_write(&list, rows[i].trigger, 1);
        machine_submit(m, &list);
        EXPECT(m, "REG-43", machine_event(m, PICA_EVENT_DRAW_IN_CONFIG_MODE) == rows[i].event);
        EXPECT_EQ(m, "REG-43", machine_state(m)->assembler.count, rows[i].count);
    }
}

/* An immediate vertex, complete and incomplete (VTX-41), with 0x245 = 1. */
EACH_MACHINE(state, REG_43_draw_in_config_mode_for_immediate_vertices)
{
    for (uint32_t attributes = 1; attributes <= 2; attributes++) {
        machine_row(m, "%u attributes", (unsigned)attributes);
        struct list list = probe_list();
        list_write(&list, PICA_REG_START_DRAW_FUNC0, 1);
        list_write(&list, PICA_REG_VSH_NUM_ATTR, attributes - 1u);
        list_fixed_attribute(&list, 15, 0, 0, 0, 0x3F0000);
        machine_submit(m, &list);
        EXPECT(m, "REG-43", machine_event(m, PICA_EVENT_DRAW_IN_CONFIG_MODE) == (attributes == 1u));
        EXPECT_EQ(m, "REG-43", machine_state(m)->assembler.count, attributes == 1u ? 1 : 0);
    }
}

EACH_MACHINE(state, REG_43_vsh_config_in_draw_mode_covers_2b0_to_2df)
{
    static const struct {
        uint32_t id;
        bool event;
    } rows[] = { { 0x2AF, false }, { 0x2B0, true },  { 0x2B9, true }, { 0x2BF, true }, { 0x2C1, true },
                 { 0x2CC, true },  { 0x2D5, true },  { 0x2DD, true }, { 0x2DF, true }, { 0x2E0, false },
                 { 0x280, false }, { 0x244, false }, { 0x050, false } };
    for (uint32_t mode = 0; mode < 2; mode++)
        for (uint32_t by_cpu = 0; by_cpu < 2; by_cpu++)
            for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
                machine_row(m, "%03X, 245 = %u, %s", (unsigned)rows[i].id, (unsigned)mode,
                            by_cpu != 0 ? "CPU" : "list");
                machine_cpu_write_id(m, PICA_REG_START_DRAW_FUNC0, mode);
                if (by_cpu != 0u)
                    machine_cpu_write_id(m, rows[i].id, 1);
                else
                    machine_list_write(m, rows[i].id, 1);
                EXPECT(m, "REG-43",
                       machine_event(m, PICA_EVENT_VSH_CONFIG_IN_DRAW_MODE) == (rows[i].event && mode == 0u));
                EXPECT_EQ(m, "REG-43", machine_register(m, rows[i].id), 1);
            }
}

/*
 * Everything outside 0x200-0x254, 0x280-0x2DF and 0x25F; the list stops by the CPU writing autostop off: no FINALIZE.
 */
EACH_MACHINE(state, REG_44_write_while_drawing)
{
    static const struct {
        uint32_t id;
        bool event;
    } rows[] = { { 0x1FF, true },  { 0x200, false }, { 0x254, false }, { 0x255, true },  { 0x25E, true },
                 { 0x25F, false }, { 0x260, true },  { 0x27F, true },  { 0x280, false }, { 0x2AF, false },
                 { 0x2B0, false }, { 0x2DF, false }, { 0x2E0, true },  { 0x2FF, true },  { 0x040, true },
                 { 0x010, true },  { 0x020, true },  { 0x300, true },  { 0x253, false } };
    for (uint32_t drawing = 0; drawing < 2; drawing++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            machine_row(m, "%03X, 253 = %u", (unsigned)rows[i].id, (unsigned)drawing);
            machine_cpu_write_id(m, PICA_REG_GEOSTAGE_CONFIG2, drawing | 0x100);
            const uint32_t words[4] = { 1, 0x000F0000 | rows[i].id, 0, 0x0000022B };
            machine_submit_words(m, words, 4);
            EXPECT(m, "REG-44", machine_event(m, PICA_EVENT_WRITE_WHILE_DRAWING) == (rows[i].event && drawing == 1u));
        }
}

/* ---------------------------------------------------------------------------------------------------------- REG-45 */

/* The full state with which a machine starts is what it shows: no trigger, event or auto-increment. */
EACH_MACHINE(state, REG_45_an_initial_state_is_put_in_place_without_side_effects)
{
    (void)machine_state(m);
    struct pica_state initial;
    memcpy(&initial, &m->state, sizeof initial);
    initial.registers[PICA_REG_VSH_BOOLUNIFORM] = 0xFFFF; /* the unit's own booleans say something else */
    initial.units[PICA_UNIT_VERTEX].booleans = 0x1234;
    initial.units[PICA_UNIT_GEOMETRY].integers[2][1] = 99;
    initial.units[PICA_UNIT_VERTEX].code[5] = 0x88000000;
    initial.units[PICA_UNIT_VERTEX].queue[0] = 0xABC;
    initial.units[PICA_UNIT_VERTEX].queue_length = 1;
    initial.registers[0x010] = 0x12345678;
    initial.registers[PICA_REG_DRAWARRAYS] = 1;
    initial.registers[PICA_REG_PRIMITIVE_CONFIG] = 0x100;
    initial.registers[PICA_REG_FOG_LUT_INDEX] = 5;
    initial.registers[PICA_REG_FOG_LUT_DATA0] = 0x777;
    initial.assembler.topology = 2;
    initial.tables.fog[5] = 3;
    initial.interrupts[5] = 41;
    initial.fixed[3].bits[2] = 0x40000000;
    struct pica_setup setup = machine_default_setup();
    setup.initial_state = &initial;
    machine_load_setup(m, &setup);
    initial.external[0x34 / 4] = 0x80000000; /* EXT-CMD-07: computed, request byte 0 equals its compare byte */
    EXPECT(m, "REG-45", memcmp(machine_state(m), &initial, sizeof initial) == 0);
    EXPECT_EQ(m, "REG-45", m->state.registers[PICA_REG_FOG_LUT_INDEX], 5);
    EXPECT_EQ(m, "REG-45", m->state.units[PICA_UNIT_VERTEX].booleans, 0x1234);
    EXPECT_EQ(m, "REG-45", m->state.assembler.topology, 2);
    EXPECT_EQ(m, "REG-45", m->state.interrupts[5], 41);
    EXPECT_EQ(m, "EXT-CMD-07", m->state.external[0x34 / 4], 0x80000000);
    EXPECT_NO_EVENTS(m, "REG-45");
    machine_list_write(m, PICA_REG_FOG_LUT_DATA0, 0x888);
    EXPECT_EQ(m, "REG-45", machine_state(m)->tables.fog[5], 0x888);
    EXPECT_EQ(m, "REG-45", m->state.interrupts[5], 42);
}

/* "VS words 512-4095 can never be written and are 0." */
EACH_MACHINE(state, REG_21_REG_45_code_that_the_vertex_unit_has_no_room_for_is_zero)
{
    (void)machine_state(m);
    struct pica_state initial;
    memcpy(&initial, &m->state, sizeof initial);
    for (uint32_t unit = 0; unit < 2; unit++)
        for (uint32_t i = 511; i < PICA_CODE_WORDS; i++)
            initial.units[unit].code[i] = 0x88000000 + i;
    struct pica_setup setup = machine_default_setup();
    setup.initial_state = &initial;
    machine_load_setup(m, &setup);
    const struct pica_state *const state = machine_state(m);
    EXPECT_EQ(m, "REG-21", state->units[PICA_UNIT_VERTEX].code[511], 0x880001FF);
    EXPECT_EQ(m, "REG-21", state->units[PICA_UNIT_VERTEX].code[512], 0);
    EXPECT_EQ(m, "REG-21", state->units[PICA_UNIT_VERTEX].code[4095], 0);
    EXPECT_EQ(m, "REG-21", state->units[PICA_UNIT_GEOMETRY].code[512], 0x88000200);
    EXPECT_EQ(m, "REG-21", state->units[PICA_UNIT_GEOMETRY].code[4095], 0x88000FFF);
}

/* "Words of REG-15 that are always 0 stay 0." */
EACH_MACHINE(state, REG_45_REG_15_words_that_are_always_zero_stay_zero)
{
    (void)machine_state(m);
    struct pica_state initial;
    memcpy(&initial, &m->state, sizeof initial);
    for (uint32_t id = 0; id < 0x40u; id++)
        initial.registers[id] = 0x11110000 + id;
    struct pica_setup setup = machine_default_setup();
    setup.initial_state = &initial;
    machine_load_setup(m, &setup);
    for (uint32_t id = 0; id < 0x40u; id++) {
        const bool zero = id < 0x010u || id == 0x032u || id == 0x033u || id >= 0x035u;
        machine_case(m, "%03X", (unsigned)id);
        EXPECT_EQ(m, "REG-45", machine_register(m, id), zero ? 0 : 0x11110000 + id);
    }
}
