/* The events of 50-fragment-shading.md section 5, all class M: they fire, and not just beside. */
#include "tests/conformance/fragment_probe.h"

/* The probe's combiner: stage 0 passes the primary colour, lighting is off (08F = 0, 1C6 = 1). */
static void plain(struct list *list)
{
    (void)list;
}

/* 0C0 0C8 0D0 0D8 0F0 0F8: sources of the stages. */
static const struct event_row source_rows[] = {
    { "7 in rgb 0", true, { { 0x0C0, 0x00000007 } } },
    { "12 in rgb 2", true, { { 0x0C0, 0x00000C00 } } },
    { "8 in alpha 0", true, { { 0x0C8, 0x00080000 } } },
    { "9 in alpha 2 of stage 5", true, { { 0x0F8, 0x09000000 } } },
    { "10 in rgb 1 of stage 4", true, { { 0x0F0, 0x000000A0 } } },
    { "11 in alpha 1 of stage 3", true, { { 0x0D8, 0x00B00000 } } },
    { "6 and 13", false, { { 0x0C0, 0x0D6D06D6 } } },
    { "14 and 15", false, { { 0x0D0, 0x0EFE0FEF } } },
    { "bits of no field", false, { { 0x0C0, 0x70007000 } } },
};

static const struct event_row operand_rows[] = {
    { "6 in rgb 0", true, { { 0x0C1, 0x006 } } },
    { "7 in rgb 1", true, { { 0x0C9, 0x070 } } },
    { "10 in rgb 2", true, { { 0x0D1, 0xA00 } } },
    { "11 in rgb 0 of stage 3", true, { { 0x0D9, 0x00B } } },
    { "14 in rgb 0 of stage 4", true, { { 0x0F1, 0x00E } } },
    { "15 in rgb 2 of stage 5", true, { { 0x0F9, 0xF00 } } },
    { "5, 8, 9", false, { { 0x0C1, 0x985 } } },
    { "12, 13, 4", false, { { 0x0C1, 0x4DC } } },
    { "0-3", false, { { 0x0C1, 0x321 } } },
    { "alpha operands have none", false, { { 0x0C1, 0x00777000 } } },
};

static const struct event_row mode_rows[] = {
    { "rgb 10", true, { { 0x0C2, 10 } } },
    { "rgb 15 of stage 5", true, { { 0x0FA, 15 } } },
    { "rgb 9", false, { { 0x0CA, 9 } } },
    { "rgb 7", false, { { 0x0D2, 7 } } },
    { "alpha 10", false, { { 0x0C2, 10u << 16 } } },
    { "bits 4-15", false, { { 0x0C2, 0xFFF0 } } },
};

static const struct event_row alpha_mode_rows[] = {
    { "alpha 6", true, { { 0x0C2, 6u << 16 } } },
    { "alpha 7 of stage 4", true, { { 0x0F2, 7u << 16 } } },
    { "alpha 10", true, { { 0x0DA, 10u << 16 } } },
    { "alpha 15 of stage 5", true, { { 0x0FA, 15u << 16 } } },
    { "alpha 6, rgb 6", true, { { 0x0C2, 6u << 16 | 6 } } },
    { "alpha 9", false, { { 0x0C2, 9u << 16 } } },
    { "alpha 5", false, { { 0x0C2, 5u << 16 } } },
    { "alpha 8", false, { { 0x0D2, 8u << 16 } } },
    { "alpha 6, rgb 7", false, { { 0x0C2, 6u << 16 | 7 } } },
    { "alpha 15, rgb 7", false, { { 0x0C2, 15u << 16 | 7 } } },
    { "alpha 7, rgb 7 of another stage", true, { { 0x0C2, 7u << 16 }, { 0x0CA, 7 } } },
    { "rgb 10", false, { { 0x0C2, 10 } } },
};

static const struct event_row scale_rows[] = {
    { "rgb 3", true, { { 0x0C4, 3 } } },
    { "alpha 3 of stage 4", true, { { 0x0F4, 3u << 16 } } },
    { "alpha 3 of stage 5", true, { { 0x0FC, 3u << 16 } } },
    { "2 and 2", false, { { 0x0CC, 0x00020002 } } },
    { "1 and 2", false, { { 0x0D4, 0x00010002 } } },
    { "bits of no field", false, { { 0x0DC, 0xFFFCFFFC } } },
};

EACH_MACHINE(combiner, TEV_reserved_encodings_in_any_stage)
{
    EXPECT_BATCH_EVENT(m, "TEV-05", PICA_EVENT_TEV_SOURCE_RESERVED, plain, source_rows);
    EXPECT_BATCH_EVENT(m, "TEV-07", PICA_EVENT_TEV_OPERAND_RESERVED, plain, operand_rows);
    EXPECT_BATCH_EVENT(m, "TEV-09", PICA_EVENT_TEV_OP_RESERVED, plain, mode_rows);
    EXPECT_BATCH_EVENT(m, "TEV-11", PICA_EVENT_TEV_ALPHA_OP_RESERVED, plain, alpha_mode_rows);
    EXPECT_BATCH_EVENT(m, "TEV-13", PICA_EVENT_TEV_SCALE_3, plain, scale_rows);
}

static void other_modes(struct list *list)
{
    list_write(list, PICA_REG_COLOR_OPERATION, 0x00E40002);
}

/* In every fragment mode, unlike those of fog. */
EACH_MACHINE(combiner, TEV_07_events_in_every_fragment_mode)
{
    static const struct event_row source[] = { { "source 7", true, { { 0x0C0, 7 } } } };
    EXPECT_BATCH_EVENT(m, "TEV-05", PICA_EVENT_TEV_SOURCE_RESERVED, other_modes, source);
    static const struct event_row scale[] = { { "scale 3, mode 1", true, { { 0x0C4, 3 }, { 0x100, 1 } } },
                                              { "scale 3, mode 3", true, { { 0x0C4, 3 }, { 0x100, 3 } } } };
    EXPECT_BATCH_EVENT(m, "TEV-13", PICA_EVENT_TEV_SCALE_3, plain, scale);
}

static const struct event_row fog_rows[] = {
    { "mode 1", true, { { 0x0E0, 1 } } },
    { "mode 2", true, { { 0x0E0, 2 } } },
    { "mode 3", true, { { 0x0E0, 3 } } },
    { "mode 4", true, { { 0x0E0, 4 } } },
    { "mode 6", true, { { 0x0E0, 6 } } },
    { "mode 0", false, { { 0x0E0, 0xFFFFFFF8 } } },
    { "mode 5", false, { { 0x0E0, 5 } } },
    { "mode 7", false, { { 0x0E0, 7 } } },
    { "mode 1, fragment mode 1", false, { { 0x0E0, 1 }, { 0x100, 1 } } },
    { "mode 1, fragment mode 2", false, { { 0x0E0, 1 }, { 0x100, 2 } } },
    { "mode 1, fragment mode 3", false, { { 0x0E0, 1 }, { 0x100, 3 } } },
    { "mode 1, logic op", true, { { 0x0E0, 1 }, { 0x100, 0 } } },
};

static const struct event_row gas_rows[] = {
    { "mode 7", true, { { 0x0E0, 7 } } },
    { "mode 7 of 32 bits", true, { { 0x0E0, 0xFFFFFFFF } } },
    { "mode 6", false, { { 0x0E0, 6 } } },
    { "mode 5", false, { { 0x0E0, 5 } } },
    { "mode 7, fragment mode 1", false, { { 0x0E0, 7 }, { 0x100, 1 } } },
    { "mode 7, fragment mode 3", false, { { 0x0E0, 7 }, { 0x100, 3 } } },
};

EACH_MACHINE(combiner, FOG_01_GSF_01_fog_modes_in_fragment_mode_0)
{
    EXPECT_BATCH_EVENT(m, "FOG-01", PICA_EVENT_FOG_MODE_RESERVED, plain, fog_rows);
    EXPECT_BATCH_EVENT(m, "GSF-01", PICA_EVENT_GAS_SHADING, plain, gas_rows);
}

/* --------------------------------------------------------------------------------------------------------- lighting */

/* Lit: 1C6 bit 0 = 0, 08F bit 0 = 1, a source field is 1 (here one that is not read). One light, number 0. */
static void lit(struct list *list)
{
    list_write(list, 0x08F, 1);
    list_write(list, 0x1C6, 0);
    list_write(list, 0x0C0, 0x00000100);
}

static const struct event_row mismatch_rows[] = {
    { "both on", false, { { 0 } } },
    { "both off", false, { { 0x08F, 0 }, { 0x1C6, 1 } } },
    { "08F = 0, 1C6 = 0", true, { { 0x08F, 0 } } },
    { "08F = 1, 1C6 = 1", true, { { 0x1C6, 1 } } },
    { "only bit 0", false, { { 0x08F, 0xFFFFFFFF }, { 0x1C6, 0xFFFFFFFE } } },
    { "only bit 0, mismatch", true, { { 0x08F, 0xFFFFFFFE }, { 0x1C6, 0xFFFFFFFE } } },
    { "no lighting source", false, { { 0x08F, 0 }, { 0x0C0, 0 } } },
    { "source 2 in alpha 2", true, { { 0x08F, 0 }, { 0x0C0, 0x02000000 } } },
    { "source 1 in stage 5", true, { { 0x08F, 0 }, { 0x0C0, 0 }, { 0x0F8, 0x00000010 } } },
    { "source 3", false, { { 0x08F, 0 }, { 0x0C0, 0x03000003 } } },
};

/* 140-143 colours of light 0; blue 0-9, green 10-19, red 20-29. */
static const struct event_row color_rows[] = {
    { "255", false, { { 0x140, 0x0FF3FCFF }, { 0x1C0, 0x0FF3FCFF } } },
    { "blue 256", true, { { 0x140, 0x00000100 } } },
    { "green 256", true, { { 0x141, 0x00040000 } } },
    { "red 256", true, { { 0x142, 0x10000000 } } },
    { "ambient 1023", true, { { 0x143, 0x3FF00000 } } },
    { "global ambient", true, { { 0x1C0, 0x00000200 } } },
    { "bits 30, 31", false, { { 0x140, 0xC0000000 } } },
    { "light 1 is not active", false, { { 0x150, 0x00000100 } } },
    { "light 1 by the permutation", true, { { 0x150, 0x00000100 }, { 0x1D9, 1 } } },
    { "light 0 gone by the permutation", false, { { 0x140, 0x00000100 }, { 0x1D9, 1 } } },
    { "light 1 in slot 1", true, { { 0x150, 0x00000100 }, { 0x1D9, 0x10 }, { 0x1C2, 1 } } },
    { "light 7 in slot 7", true, { { 0x1B3, 0x00000100 }, { 0x1D9, 0x70000000 }, { 0x1C2, 7 } } },
    { "slot 7 is not active", false, { { 0x1B3, 0x00000100 }, { 0x1D9, 0x70000000 }, { 0x1C2, 6 } } },
    { "bit 3 of a slot", true, { { 0x150, 0x00000100 }, { 0x1D9, 9 } } },
    { "not lit", false, { { 0x140, 0x00000100 }, { 0x1C6, 1 } } },
    { "no lighting source", false, { { 0x140, 0x00000100 }, { 0x0C0, 0 } } },
};

static const struct event_row config_rows[] = {
    { "7", true, { { 0x1C3, 0x70 } } },
    { "9", true, { { 0x1C3, 0x90 } } },
    { "15", true, { { 0x1C3, 0xF0 } } },
    { "10", true, { { 0x1C3, 0xA0 } } },
    { "8", false, { { 0x1C3, 0x80 } } },
    { "6", false, { { 0x1C3, 0x60 } } },
    { "0", false, { { 0x1C3, 0x00 } } },
    { "not lit", false, { { 0x1C3, 0x70 }, { 0x1C6, 1 } } },
    { "no source", false, { { 0x1C3, 0x70 }, { 0x0C0, 0 } } },
};

static const struct event_row bump_rows[] = {
    { "3", true, { { 0x1C3, 0x30000000 } } },
    { "2", false, { { 0x1C3, 0x20000000 } } },
    { "1", false, { { 0x1C3, 0x10000000 } } },
    { "bits around", false, { { 0x1C3, 0xC8000000 } } },
    { "not lit", false, { { 0x1C3, 0x30000000 }, { 0x1C6, 1 } } },
    { "no source", false, { { 0x1C3, 0x30000000 }, { 0x0C0, 0 } } },
};

/* Groups of 4 bits, seven of them. */
static const struct event_row lut_scale_rows[] = {
    { "4 in group 0", true, { { 0x1D2, 0x00000004 } } },
    { "5 in group 0", true, { { 0x1D2, 0x00000005 } } },
    { "4 in group 3", true, { { 0x1D2, 0x00004000 } } },
    { "5 in group 6", true, { { 0x1D2, 0x05000000 } } },
    { "group 7 is none", false, { { 0x1D2, 0x50000000 } } },
    { "3, 6, 7", false, { { 0x1D2, 0x07637637 } } },
    { "bit 3 of a group", false, { { 0x1D2, 0x08888888 } } },
    { "bit 3 and 4", true, { { 0x1D2, 0x000000C0 } } },
    { "not lit", false, { { 0x1D2, 0x04444444 }, { 0x1C6, 1 } } },
    { "no source", false, { { 0x1D2, 0x04444444 }, { 0x0C0, 0 } } },
};

static const struct event_row lut_input_rows[] = {
    { "6 in group 0", true, { { 0x1D1, 0x00000006 } } },
    { "7 in group 1", true, { { 0x1D1, 0x00000070 } } },
    { "6 in group 6", true, { { 0x1D1, 0x06000000 } } },
    { "7 in group 5", true, { { 0x1D1, 0x00700000 } } },
    { "group 7 is none", false, { { 0x1D1, 0x70000000 } } },
    { "0-5", false, { { 0x1D1, 0x00543210 } } },
    { "bit 3 of a group", false, { { 0x1D1, 0x0DDDDDDD } } },
    { "not lit", false, { { 0x1D1, 0x06666666 }, { 0x1C6, 1 } } },
    { "no source", false, { { 0x1D1, 0x06666666 }, { 0x0C0, 0 } } },
};

EACH_MACHINE(combiner, LIT_events_of_lit_batches)
{
    EXPECT_BATCH_EVENT(m, "LIT-01", PICA_EVENT_LIGHTING_ENABLE_MISMATCH, lit, mismatch_rows);
    EXPECT_BATCH_EVENT(m, "LIT-03", PICA_EVENT_LIGHT_COLOR_GT_255, lit, color_rows);
    EXPECT_BATCH_EVENT(m, "LIT-09", PICA_EVENT_LIGHT_CONFIG_RESERVED, lit, config_rows);
    EXPECT_BATCH_EVENT(m, "LIT-13", PICA_EVENT_BUMP_MODE_3, lit, bump_rows);
    EXPECT_BATCH_EVENT(m, "LIT-20", PICA_EVENT_LUT_SCALE_RESERVED, lit, lut_scale_rows);
    EXPECT_BATCH_EVENT(m, "LIT-21", PICA_EVENT_LUT_INPUT_RESERVED, lit, lut_input_rows);
}

/* Lighting that cannot reach the colour still records its events. */
static void lit_in_mode_1(struct list *list)
{
    lit(list);
    list_write(list, PICA_REG_COLOR_OPERATION, 0x00E40001);
}

EACH_MACHINE(combiner, LIT_13_in_every_fragment_mode)
{
    static const struct event_row rows[] = { { "bump mode 3", true, { { 0x1C3, 0x30000000 } } } };
    EXPECT_BATCH_EVENT(m, "LIT-13", PICA_EVENT_BUMP_MODE_3, lit_in_mode_1, rows);
}

/* ------------------------------------------------------------------------------------------ budget (GEN-09, RST-08) */

EACH_MACHINE(combiner, TEV_13_events_of_batches_beyond_the_pixel_budget)
{
    /* Two batches of one pixel each with LIM_PIXELS 1: the second draws nothing, its events are recorded all the
     * same. */
    LOAD_LIMIT(m, pixels, 1);
    struct dots dots = dots_one();
    (void)dots_add(&dots);
    probe_load_vertices(m, dots.vertices, 6);
    struct list list = probe_list();
    list_draw(&list, 3);
    list_write(&list, PICA_REG_TEXENV5_SCALE, 3);
    list_write(&list, PICA_REG_TEXENV_UPDATE_BUFFER, 1);
    list_write(&list, PICA_REG_TEXUNIT_CONFIG, 1); /* address 0 */
    list_write(&list, PICA_REG_VERTEX_OFFSET, 3);
    list_write(&list, PICA_REG_DRAWARRAYS, 1);
    machine_submit(m, &list);
    EXPECT_DOT(m, "RST-08", 0, 255, 255, 255, 255);
    EXPECT_DOT(m, "RST-08", 1, 0, 0, 0, 0);
    EXPECT_ONLY_EVENTS(m, "TEV-13, FOG-01, TEX-16", PICA_EVENT_BUDGET_PIXELS, PICA_EVENT_TEV_SCALE_3,
                       PICA_EVENT_FOG_MODE_RESERVED, PICA_EVENT_TEX_NULL);
    struct list next = { .count = 0 }; /* a new submission has a new budget */
    list_write(&next, PICA_REG_DRAWARRAYS, 1);
    machine_submit(m, &next);
    EXPECT_DOT(m, "RST-08", 1, 255, 255, 255, 255);
}
