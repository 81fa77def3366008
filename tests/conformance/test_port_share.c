/* 10-command-stream.md section 5: sharing between the shader units (REG-27 to 29) and tables (REG-30 to 33). */
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

enum {
    VS = PICA_UNIT_VERTEX,
    GS = PICA_UNIT_GEOMETRY
};

/* Something of everything that is shared, written to the VS. */
static void write_vs(struct list *list)
{
    static const uint32_t code = 0x84001111;
    static const uint32_t opdesc = 0x00002222;
    list_code(list, VS, 7, &code, 1);
    list_opdescs(list, VS, 9, &opdesc, 1);
    list_uniform(list, VS, 11, 0x3F800000, 0x40000000, 0x40400000, 0x40800000);
    list_write(list, PICA_REG_VSH_BOOLUNIFORM, 0x1234);
    list_write(list, PICA_REG_VSH_INTUNIFORM_I3, 0x04030201);
    list_write(list, PICA_REG_VSH_OUTMAP_MASK, 0xFFFF00AA);
}

static void expect_gs_copies(struct machine *m, bool copied)
{
    const struct pica_state *const state = machine_state(m);
    const struct pica_shader_unit *const gs = &state->units[GS];
    EXPECT_EQ(m, "REG-27", gs->code[7], copied ? 0x84001111 : 0);
    EXPECT_EQ(m, "REG-27", gs->opdesc[9], copied ? 0x00002222 : 0);
    EXPECT_EQ(m, "REG-27", gs->uniforms[11].bits[3], copied ? 0x40800000 : 0);
    EXPECT_EQ(m, "REG-27", gs->booleans, copied ? 0x1234 : 0);
    EXPECT_EQ(m, "REG-27", gs->integers[3][2], copied ? 3 : 0);
    EXPECT_EQ(m, "REG-27", state->registers[PICA_REG_GSH_OUTMAP_MASK], copied ? 0x00AA : 0);
    EXPECT_EQ(m, "REG-27", state->units[VS].code[7], 0x84001111);
    EXPECT_EQ(m, "REG-27", state->units[VS].booleans, 0x1234);
}

EACH_MACHINE(port, REG_27_vs_writes_reach_the_gs_while_0x244_and_0x229_are_0)
{
    static const struct {
        uint32_t com_mode, geostage;
        bool copied;
    } rows[] = {
        { 0, 0, true },  { 1, 0, false },         { 0, 1, false },         { 0, 2, false }, { 0, 3, false },
        { 1, 2, false }, { 0xFFFFFFFE, 0, true }, { 0, 0xFFFFFFFC, true }, { 3, 0, false }, { 0, 4, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "244 = %08X, 229 = %08X", (unsigned)rows[i].com_mode, (unsigned)rows[i].geostage);
        struct list list = { .count = 0 };
        list_write(&list, PICA_REG_VSH_COM_MODE, rows[i].com_mode);
        list_write(&list, PICA_REG_GEOSTAGE_CONFIG, rows[i].geostage);
        write_vs(&list);
        machine_submit(m, &list);
        expect_gs_copies(m, rows[i].copied);
        EXPECT_NO_EVENTS(m, "REG-27");
    }
}

EACH_MACHINE(port, REG_27_copies_happen_only_on_writes)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_VSH_COM_MODE, 1);
    write_vs(&list);
    list_write(&list, PICA_REG_VSH_COM_MODE, 0);
    machine_submit(m, &list);
    expect_gs_copies(m, false);
    /* Tested at each write: a vector is copied when its last word comes, whatever held before. */
    list.count = 0;
    list_write(&list, PICA_REG_VSH_COM_MODE, 1);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_INDEX, 20);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0x4080003E);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0x0000BF00);
    list_write(&list, PICA_REG_VSH_COM_MODE, 0);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 0x003F0000);
    machine_submit(m, &list);
    EXPECT_EQ(m, "REG-27", machine_state(m)->units[GS].uniforms[20].bits[0], 0x3F800000);
}

EACH_MACHINE(port, REG_27_entry_configuration_indices_and_queue_are_not_copied)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_VSH_BOOLUNIFORM, 0xFFFF);
    list_write(&list, PICA_REG_VSH_INTUNIFORM_I0, 0x01020304);
    list_write(&list, PICA_REG_VSH_INPUTBUFFER_CONFIG, 5);
    list_write(&list, PICA_REG_VSH_ENTRYPOINT, 6);
    list_write(&list, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_LOW, 7);
    list_write(&list, PICA_REG_VSH_ATTRIBUTES_PERMUTATION_HIGH, 8);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_INDEX, 9);
    list_write(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, 10);
    list_write(&list, PICA_REG_VSH_CODETRANSFER_INDEX, 0x200);
    list_write(&list, PICA_REG_VSH_CODETRANSFER_DATA0, 11); /* dropped by the VS, so not copied */
    list_write(&list, PICA_REG_VSH_OPDESCS_INDEX, 12);
    machine_submit(m, &list);
    const struct pica_state *const state = machine_state(m);
    for (uint32_t id = 0x280; id < 0x2B0u; id++) {
        machine_case(m, "%03X", (unsigned)id);
        EXPECT_EQ(m, "REG-27", state->registers[id], id == PICA_REG_GSH_INPUTBUFFER_CONFIG ? 0xA0000001 : 0);
    }
    EXPECT_EQ(m, "REG-27", state->units[GS].queue_length, 0);
    EXPECT_EQ(m, "REG-27", state->units[VS].queue_length, 1);
    EXPECT_EQ(m, "REG-27", state->units[GS].code[0x200], 0);
    EXPECT_EQ(m, "REG-27", state->units[GS].booleans, 0xFFFF);
}

/* 0x28D[15:0] := parameter[15:0] whatever the mask; bits 31:16 of 0x28D are kept; no copy of a GS write back. */
EACH_MACHINE(port, REG_27_the_output_mask_is_copied_from_the_raw_parameter)
{
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_GSH_OUTMAP_MASK, 0xABCD0000);
    list_write_masked(&list, PICA_REG_VSH_OUTMAP_MASK, 0x99991234, 0);
    machine_submit(m, &list);
    EXPECT_EQ(m, "REG-27", machine_register(m, PICA_REG_GSH_OUTMAP_MASK), 0xABCD1234);
    EXPECT_EQ(m, "REG-27", machine_register(m, PICA_REG_VSH_OUTMAP_MASK), 0);
}

EACH_MACHINE(port, REG_28_gs_ids_write_gs_state_only)
{
    struct list list = { .count = 0 };
    static const uint32_t code = 0x84001111;
    static const uint32_t opdesc = 0x00002222;
    list_code(&list, GS, 7, &code, 1);
    list_opdescs(&list, GS, 9, &opdesc, 1);
    list_uniform(&list, GS, 11, 1, 2, 3, 4);
    list_write(&list, PICA_REG_GSH_BOOLUNIFORM, 0x1234);
    list_write(&list, PICA_REG_GSH_INTUNIFORM_I1, 0x04030201);
    list_write(&list, PICA_REG_GSH_OUTMAP_MASK, 0xAA);
    machine_submit(m, &list);
    const struct pica_state *const state = machine_state(m);
    EXPECT_EQ(m, "REG-28", state->units[GS].code[7], 0x84001111);
    EXPECT_EQ(m, "REG-28", state->units[GS].booleans, 0x1234);
    EXPECT_EQ(m, "REG-28", state->units[VS].code[7], 0);
    EXPECT_EQ(m, "REG-28", state->units[VS].opdesc[9], 0);
    EXPECT_VECTOR(m, "REG-28", state->units[VS].uniforms[11], 0, 0, 0, 0);
    EXPECT_EQ(m, "REG-28", state->units[VS].booleans, 0);
    EXPECT_EQ(m, "REG-28", state->units[VS].integers[1][0], 0);
    EXPECT_EQ(m, "REG-28", state->registers[PICA_REG_VSH_OUTMAP_MASK], 0);
    EXPECT_NO_EVENTS(m, "REG-28");
}

/* After an invocation b15 is true, the word 0x280 is not; a masked write to it derives b15 from the stored word. */
EACH_MACHINE(port, REG_29_gs_b15_is_true_after_an_invocation)
{
    struct list setup = { .count = 0 };
    const uint32_t end = op0(0x22);
    list_write(&setup, PICA_REG_GEOSTAGE_CONFIG, 2);
    list_code(&setup, GS, 0, &end, 1);
    list_write(&setup, PICA_REG_GSH_INPUTBUFFER_CONFIG, 0x08000000);
    list_write(&setup, PICA_REG_GSH_BOOLUNIFORM, 0x0001);
    const struct shader_run run = { .code = &end, .code_count = 1, .setup = &setup };
    shader_run(m, &run);
    EXPECT_EQ(m, "REG-29", machine_state(m)->units[GS].booleans, 0x8001);
    EXPECT_EQ(m, "REG-29", machine_register(m, PICA_REG_GSH_BOOLUNIFORM), 0x0001);
    struct list list = { .count = 0 };
    list_write_masked(&list, PICA_REG_GSH_BOOLUNIFORM, 0, 0);
    machine_submit(m, &list);
    EXPECT_EQ(m, "REG-29", machine_state(m)->units[GS].booleans, 0x0001);
}

/* --------------------------------------------------------------------------------------------- REG-30 to 33: tables */

EACH_MACHINE(port, REG_30_there_are_24_lighting_tables)
{
    static const uint32_t words[4] = { 0xFF000001, 0xFF000002, 0xFF000003, 0xFF000004 };
    struct list list = { .count = 0 };
    list_write(&list, PICA_REG_LIGHTING_LUT_INDEX, 0x000003FE); /* worked example 3 of section 5 */
    list_write_many(&list, PICA_REG_LIGHTING_LUT_DATA0, false, words, 4);
    machine_submit(m, &list);
    const struct pica_state *const state = machine_state(m);
    EXPECT_EQ(m, "REG-30", state->tables.lighting[3][254], 0xFF000001);
    EXPECT_EQ(m, "REG-30", state->tables.lighting[3][255], 0xFF000002);
    EXPECT_EQ(m, "REG-30", state->tables.lighting[3][0], 0xFF000003);
    EXPECT_EQ(m, "REG-30", state->tables.lighting[3][1], 0xFF000004);
    EXPECT_EQ(m, "REG-30", state->registers[PICA_REG_LIGHTING_LUT_INDEX], 0x00000302);
    EXPECT_NO_EVENTS(m, "REG-30");
    for (uint32_t table = 0; table < 32; table++) {
        machine_row(m, "table %u", (unsigned)table);
        list.count = 0;
        list_write(&list, PICA_REG_LIGHTING_LUT_INDEX, table << 8 | 0xFFFFE020);
        list_write(&list, PICA_REG_LIGHTING_LUT_DATA0, 0x12345678);
        machine_submit(m, &list);
        const struct pica_state *const now = machine_state(m);
        uint32_t stored = 0;
        for (uint32_t t = 0; t < 24; t++)
            for (uint32_t i = 0; i < 256; i++)
                stored += now->tables.lighting[t][i] != 0u ? 1u : 0u;
        EXPECT_EQ(m, "REG-30", stored, table < 24u ? 1 : 0);
        if (table < 24u)
            EXPECT_EQ(m, "REG-30", now->tables.lighting[table][0x20], 0x12345678);
        EXPECT_EQ(m, "REG-30", machine_register(m, PICA_REG_LIGHTING_LUT_INDEX), table << 8 | 0xFFFFE021);
        EXPECT(m, "REG-30", machine_event(m, PICA_EVENT_LIGHTING_TABLE) == (table >= 24u));
    }
}

/* REG-20, REG-30, REG-32, REG-33: entry = index modulo 128 (fog) and 16 (gas); raw 32-bit parameters. */
EACH_MACHINE(port, REG_32_REG_33_fog_has_128_entries_and_gas_16)
{
    static const struct {
        uint32_t index, fog_entry, gas_entry;
    } rows[] = { { 0, 0, 0 }, { 15, 15, 15 }, { 16, 16, 0 }, { 127, 127, 15 }, { 128, 0, 0 }, { 0xFFFF, 127, 15 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "index %X", (unsigned)rows[i].index);
        struct list list = { .count = 0 };
        list_write(&list, PICA_REG_FOG_LUT_INDEX, rows[i].index);
        list_write(&list, PICA_REG_FOG_LUT_DATA0, 0xFEDCBA98);
        list_write(&list, PICA_REG_GAS_LUT_INDEX, rows[i].index);
        list_write(&list, PICA_REG_GAS_LUT_DATA, 0x89ABCDEF);
        machine_submit(m, &list);
        const struct pica_state *const state = machine_state(m);
        for (uint32_t k = 0; k < 128; k++)
            EXPECT_EQ(m, "REG-30", state->tables.fog[k], k == rows[i].fog_entry ? 0xFEDCBA98 : 0);
        for (uint32_t k = 0; k < 16; k++)
            EXPECT_EQ(m, "REG-33", state->tables.gas[k], k == rows[i].gas_entry ? 0x89ABCDEF : 0);
        EXPECT_NO_EVENTS(m, "REG-32");
    }
}

/* Selectors 0-15 with index 0xE5: entry 0x65 of the tables of 128, 0xE5 of those of 256. */
EACH_MACHINE(port, REG_31_proctex_tables_by_selector)
{
    for (uint32_t select = 0; select < 16; select++) {
        machine_row(m, "select %u", (unsigned)select);
        struct list list = { .count = 0 };
        list_write(&list, PICA_REG_PROCTEX_LUT, select << 8 | 0xFFFFF0E5);
        list_write(&list, PICA_REG_PROCTEX_LUT_DATA0, 0xCAFEF00D);
        machine_submit(m, &list);
        const struct pica_tables *const tables = &machine_state(m)->tables;
        EXPECT_EQ(m, "REG-31", tables->proctex_noise[0x65], select == 0u ? 0xCAFEF00D : 0);
        EXPECT_EQ(m, "REG-31", tables->proctex_color_map[0x65], select == 2u ? 0xCAFEF00D : 0);
        EXPECT_EQ(m, "REG-31", tables->proctex_alpha_map[0x65], select == 3u ? 0xCAFEF00D : 0);
        EXPECT_EQ(m, "REG-31", tables->proctex_color[0xE5], select == 4u ? 0xCAFEF00D : 0);
        EXPECT_EQ(m, "REG-31", tables->proctex_difference[0xE5], select == 5u ? 0xCAFEF00D : 0);
        EXPECT_EQ(m, "REG-31", tables->proctex_color[0x65], 0);
        EXPECT_EQ(m, "REG-31", machine_register(m, PICA_REG_PROCTEX_LUT), select << 8 | 0xFFFFF0E6);
        EXPECT(m, "REG-31", machine_event(m, PICA_EVENT_PROCTEX_TABLE) == (select == 1u || select > 5u));
    }
}
