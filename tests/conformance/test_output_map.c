/* 20-geometry.md section 3: outputs and the output map (SHD-70 to SHD-82). */
#include "tests/conformance/geometry_probe.h"
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

static const uint32_t ONE = 0x3F800000;
static const uint32_t END = 0x88000000;

/* o[k] = (k + 0.25, k + 0.5, k + 0.75, -(k + 1)) for all 16 outputs, from c[k]. */
static uint32_t output_component(uint32_t k, uint32_t c)
{
    return f32_bits(c == 3u ? -(float)(k + 1u) : (float)k + 0.25f * (float)(c + 1u));
}

/* Runs that shader with the registers of `setup`. */
static void run_outputs(struct machine *m, const struct list *setup)
{
    uint32_t code[17];
    for (uint32_t k = 0; k < 16; k++)
        code[k] = op1(PICA_OPCODE_MOV, DST_O + k, SRC_C + k, SRC_V, 0);
    code[16] = END;
    struct list all = { .count = 0 };
    for (uint32_t k = 0; k < 16; k++)
        list_uniform(&all, PICA_UNIT_VERTEX, k, output_component(k, 0), output_component(k, 1), output_component(k, 2),
                     output_component(k, 3));
    for (uint32_t i = 0; i < setup->count; i++)
        list_word(&all, setup->words[i]);
    const struct shader_run run = { .code = code, .code_count = 17, .setup = &all };
    shader_run(m, &run);
}

/* ----------------------------------------------------------------------------------------------------------- SHD-70 */

/* The first three enabled outputs reach slots 00-03, 0C-0F, 14-17; 0xFF: none, reads (0,0,0,0). */
EACH_MACHINE(output_map, SHD_70_set_bits_of_the_mask_select_the_outputs)
{
    static const struct {
        uint32_t mask;
        uint32_t outputs[3];
        bool total_event;
    } rows[] = {
        { 0x0007, { 0, 1, 2 }, false },          { 0x8001, { 0, 15, 0xFF }, true },
        { 0x0011, { 0, 4, 0xFF }, true },        { 0xFFFF, { 0, 1, 2 }, false },
        { 0xE000, { 13, 14, 15 }, false },       { 0x0000, { 0xFF, 0xFF, 0xFF }, true },
        { 0xFFFF0002, { 1, 0xFF, 0xFF }, true }, { 0x0890, { 4, 7, 11 }, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "mask %X", (unsigned)rows[i].mask);
        struct list setup = { .count = 0 };
        list_write(&setup, PICA_REG_VSH_OUTMAP_MASK, rows[i].mask);
        list_write(&setup, PICA_REG_SH_OUTMAP_TOTAL, 3);
        list_write(&setup, PICA_REG_SH_OUTMAP_O0, 0x03020100);
        list_write(&setup, PICA_REG_SH_OUTMAP_O1, 0x0F0E0D0C);
        list_write(&setup, PICA_REG_SH_OUTMAP_O2, 0x17161514);
        run_outputs(m, &setup);
        for (uint32_t k = 0; k < 3; k++)
            for (uint32_t c = 0; c < 4; c++) {
                const uint32_t o = rows[i].outputs[k];
                static const uint32_t first_slot[3] = { 0x00, 0x0C, 0x14 };
                EXPECT_EQ(m, "SHD-70", buffered_slot(m, first_slot[k] + c), o == 0xFFu ? 0 : output_component(o, c));
            }
        EXPECT(m, "SHD-82", machine_event(m, PICA_EVENT_OUTMAP_TOTAL) == rows[i].total_event);
    }
}

/* ----------------------------------------------------------------------------------------------------------- SHD-80 */

/* The example: mask 0x11, total 2: position = o0, colour = o4. Slots that nothing names are 1.0. */
EACH_MACHINE(output_map, SHD_80_the_example_of_two_outputs)
{
    struct list setup = { .count = 0 };
    list_write(&setup, PICA_REG_VSH_OUTMAP_MASK, 0x11);
    list_write(&setup, PICA_REG_SH_OUTMAP_TOTAL, 2);
    list_write(&setup, PICA_REG_SH_OUTMAP_O0, 0x03020100);
    list_write(&setup, PICA_REG_SH_OUTMAP_O1, 0x0B0A0908);
    list_write(&setup, PICA_REG_SH_OUTMAP_O2, 0x0F0E0D0C); /* beyond the total */
    run_outputs(m, &setup);
    for (uint32_t slot = 0; slot < 24; slot++) {
        machine_case(m, "slot %02X", (unsigned)slot);
        const bool color = slot >= 8u && slot < 12u; /* |4.25| and so on are limited to 1 (SHD-81) */
        EXPECT_EQ(m, "SHD-80", buffered_slot(m, slot), slot < 4u && !color ? output_component(0, slot) : ONE);
    }
    EXPECT_NO_EVENT(m, "SHD-82", PICA_EVENT_OUTMAP_TOTAL);
    EXPECT_NO_EVENT(m, "SHD-82", PICA_EVENT_OUTMAP_SEMANTIC);
}

/* One component at a time to every semantic 0x00-0x1F, through each of the seven registers and each byte of it. */
EACH_MACHINE(output_map, SHD_80_SHD_82_every_semantic)
{
    for (uint32_t semantic = 0; semantic < 32; semantic++) {
        const uint32_t k = semantic % 7u;
        const uint32_t byte = semantic % 4u;
        machine_row(m, "semantic %02X, output %u, component %u", (unsigned)semantic, (unsigned)k, (unsigned)byte);
        struct list setup = { .count = 0 };
        list_write(&setup, PICA_REG_VSH_OUTMAP_MASK, 0x7F);
        list_write(&setup, PICA_REG_SH_OUTMAP_TOTAL, 7);
        for (uint32_t n = 0; n < 7; n++)
            list_write(&setup, PICA_REG_SH_OUTMAP_O0 + n, 0x1F1F1F1F);
        list_write(&setup, PICA_REG_SH_OUTMAP_O0 + k,
                   (0x1F1F1F1Fu & ~(0xFFu << (8 * byte))) | (semantic | 0xE0u) << (8 * byte)); /* 5 bits count */
        run_outputs(m, &setup);
        for (uint32_t slot = 0; slot < 24; slot++) {
            const bool color = slot >= 8u && slot < 12u;
            uint32_t expected = ONE;
            if (slot == semantic && !color)
                expected = output_component(k, byte);
            else if (slot == semantic && k == 0u && byte < 3u)
                expected = output_component(k, byte); /* |c| < 1 */
            EXPECT_EQ(m, "SHD-80", buffered_slot(m, slot), expected);
        }
        const bool event = semantic == 0x11u || semantic == 0x15u || (semantic >= 0x18u && semantic <= 0x1Eu);
        EXPECT(m, "SHD-82", machine_event(m, PICA_EVENT_OUTMAP_SEMANTIC) == event);
    }
}

/* Later writes override: k ascending, and x, y, z, w within one register. */
EACH_MACHINE(output_map, SHD_80_later_writes_override)
{
    struct list setup = { .count = 0 };
    list_write(&setup, PICA_REG_VSH_OUTMAP_MASK, 0x3);
    list_write(&setup, PICA_REG_SH_OUTMAP_TOTAL, 2);
    list_write(&setup, PICA_REG_SH_OUTMAP_O0, 0x02010000);
    list_write(&setup, PICA_REG_SH_OUTMAP_O1, 0x1F1F021F);
    run_outputs(m, &setup);
    EXPECT_EQ(m, "SHD-80", buffered_slot(m, 0), output_component(0, 1));
    EXPECT_EQ(m, "SHD-80", buffered_slot(m, 1), output_component(0, 2));
    EXPECT_EQ(m, "SHD-80", buffered_slot(m, 2), output_component(1, 1));
    EXPECT_EQ(m, "SHD-80", buffered_slot(m, 3), ONE);
}

/* 0x04F[2:0] = 0..7 with an eighth output enabled; upper bits are ignored. */
EACH_MACHINE(output_map, SHD_80_SHD_82_the_total_has_three_bits)
{
    for (uint32_t total = 0; total < 8; total++)
        for (uint32_t enabled = 6; enabled <= 8; enabled++) {
            machine_row(m, "total %u of %u", (unsigned)total, (unsigned)enabled);
            struct list setup = { .count = 0 };
            list_write(&setup, PICA_REG_VSH_OUTMAP_MASK, (1u << enabled) - 1u);
            list_write(&setup, PICA_REG_SH_OUTMAP_TOTAL, 0xFFFFFFF8u | total);
            for (uint32_t n = 0; n < 7; n++)
                list_write(&setup, PICA_REG_SH_OUTMAP_O0 + n,
                           0x1F1F1F00 + n + (n >= 4u ? 8 : 0)); /* slots 0-3, 0C-0E */
            run_outputs(m, &setup);
            for (uint32_t n = 0; n < 7; n++) {
                const uint32_t slot = n + (n >= 4u ? 8 : 0);
                uint32_t expected = ONE;
                if (n < total)
                    expected = n < enabled ? output_component(n, 0) : 0;
                EXPECT_EQ(m, "SHD-80", buffered_slot(m, slot), expected);
            }
            EXPECT(m, "SHD-82", machine_event(m, PICA_EVENT_OUTMAP_TOTAL) == (total == 0u || total > enabled));
        }
}

/*
 * outmap-total looks at the stage that is in use, which is the latched one, and at its outputs: two of the VS, one of
 * the GS (SHD-71: latched too). A total of 2 written after the first immediate vertex is too large for the GS alone.
 */
EACH_MACHINE(output_map, SHD_82_the_last_stage_is_the_latched_one)
{
    static const struct {
        uint32_t latched, later, later_mask;
        bool event;
    } rows[] = { { 2, 2, 1, true },  { 2, 0, 1, true },  { 2, 0, 3, true }, { 2, 2, 3, true },
                 { 0, 0, 1, false }, { 0, 2, 1, false }, { 0, 2, 3, false } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "229 = %u, then %u, GS mask %u", (unsigned)rows[i].latched, (unsigned)rows[i].later,
                    (unsigned)rows[i].later_mask);
        struct list list = gs_list(m, NULL, 0);
        list_write(&list, PICA_REG_GEOSTAGE_CONFIG, rows[i].latched);
        list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
        gs_vector(&list, 1);
        machine_submit(m, &list);
        EXPECT_NO_EVENT(m, "SHD-82", PICA_EVENT_OUTMAP_TOTAL);
        list.count = 0;
        list_write(&list, PICA_REG_GEOSTAGE_CONFIG, rows[i].later);
        list_write(&list, PICA_REG_GSH_OUTMAP_MASK, rows[i].later_mask);
        list_write(&list, PICA_REG_SH_OUTMAP_TOTAL, 2);
        gs_vector(&list, 2);
        machine_submit(m, &list);
        EXPECT(m, "SHD-82", machine_event(m, PICA_EVENT_OUTMAP_TOTAL) == rows[i].event);
    }
}

/* outmap-semantic belongs to slots in use: the same word in a register beyond the total records nothing. */
EACH_MACHINE(output_map, SHD_82_registers_beyond_the_total_record_nothing)
{
    struct list setup = { .count = 0 };
    list_write(&setup, PICA_REG_VSH_OUTMAP_MASK, 0x3);
    list_write(&setup, PICA_REG_SH_OUTMAP_TOTAL, 1);
    list_write(&setup, PICA_REG_SH_OUTMAP_O0, 0x03020100);
    list_write(&setup, PICA_REG_SH_OUTMAP_O1, 0x1E181511);
    run_outputs(m, &setup);
    EXPECT_NO_EVENT(m, "SHD-82", PICA_EVENT_OUTMAP_SEMANTIC);
    EXPECT_NO_EVENT(m, "SHD-82", PICA_EVENT_OUTMAP_TOTAL);
}

/* ----------------------------------------------------------------------------------------------------------- SHD-81 */

EACH_MACHINE(output_map, SHD_81_colours_are_absolute_and_at_most_1)
{
    static const uint32_t rows[][2] = {
        { 0x3F000000, 0x3F000000 }, { 0xBF000000, 0x3F000000 }, { 0x3F800000, 0x3F800000 }, { 0xC0000000, 0x3F800000 },
        { 0x3F7FFFFF, 0x3F7FFFFF }, { 0xBF7FFFFF, 0x3F7FFFFF }, { 0x3F800001, 0x3F800000 }, { 0x80000000, 0x00000000 },
        { 0x7F800000, 0x3F800000 }, { 0xFF800000, 0x3F800000 }, { 0x7FC00000, 0x3F800000 }, { 0xFFC00001, 0x3F800000 },
        { 0x80000001, 0x00000001 }, { 0x00000001, 0x00000001 },
    };
    const uint32_t code[2] = { op1(PICA_OPCODE_MOV, DST_O, SRC_V, SRC_V, 0), END };
    struct list setup = { .count = 0 };
    list_write(&setup, PICA_REG_SH_OUTMAP_O0, 0x0B0A0908);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "%08X", (unsigned)rows[i][0]);
        const uint32_t v = rows[i][0];
        const struct shader_run run = { .code = code, .code_count = 2, .inputs = { { v, v, v, v } }, .setup = &setup };
        shader_run(m, &run);
        for (uint32_t c = 0; c < 4; c++)
            EXPECT_EQ(m, "SHD-81", buffered_slot(m, 8 + c), rows[i][1]);
        EXPECT_EQ(m, "SHD-81", buffered_slot(m, 0), ONE);
    }
}

/* Only the four colour slots: other slots keep -5. */
EACH_MACHINE(output_map, SHD_81_other_slots_are_not_limited)
{
    struct list setup = { .count = 0 };
    list_write(&setup, PICA_REG_VSH_OUTMAP_MASK, 0x10);
    for (uint32_t slot = 0; slot < 24; slot++) {
        machine_case(m, "slot %02X", (unsigned)slot);
        setup.count = 0;
        list_write(&setup, PICA_REG_VSH_OUTMAP_MASK, 0x10); /* o4.w = -5 */
        list_write(&setup, PICA_REG_SH_OUTMAP_O0, 0x001F1F1F | slot << 24);
        run_outputs(m, &setup);
        EXPECT_EQ(m, "SHD-81", buffered_slot(m, slot), slot >= 8u && slot < 12u ? ONE : 0xC0A00000);
    }
}
