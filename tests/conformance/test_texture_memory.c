/* TEX-06, TEX-30, TEX-31, TEX-32: what texture units read from memory, and which units are used. */
#include "tests/conformance/fragment_probe.h"

/* ------------------------------------------------------------------------------------------- outside bytes (TEX-06) */

EACH_MACHINE(texture, TEX_06_each_byte_outside_the_windows_is_0)
{
    /* RGB8 8x8 whose texel 2 has its last byte beyond the end of the window. */
    const uint8_t bytes[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    machine_load(m, 0x2003FFF8, bytes, 8);
    struct dots dots = dots_at(0.0625f, 0.9375f); /* texel 0 */
    dots_add_texcoord(&dots, 0.1875f, 0.9375f);   /* texel 1 */
    dots_add_texcoord(&dots, 0.0625f, 0.8125f);   /* texel 2: bytes 7, 8, outside */
    dots_add_texcoord(&dots, 0.1875f, 0.8125f);   /* texel 3 */
    texture_dots(
        m, &(struct texture){ .format = PICA_TEXTURE_FORMAT_RGB8, .width = 8, .height = 8, .address = 0x2003FFF8 },
        &dots);
    EXPECT_DOT(m, "TEX-06", 0, 3, 2, 1, 255);
    EXPECT_DOT(m, "TEX-06", 1, 6, 5, 4, 255);
    EXPECT_DOT(m, "TEX-06", 2, 0, 8, 7, 255);
    EXPECT_DOT(m, "TEX-06", 3, 0, 0, 0, 255);
    EXPECT_ONLY_EVENTS(m, "TEX-06", PICA_EVENT_TEX_OOB);
}

EACH_MACHINE(texture, TEX_06_textures_outside_memory_are_all_zero_bytes)
{
    /* Format, and what zeros decode to. ETC: base 0, table 0, column 0: + 2. */
    static const struct {
        uint32_t format, rgba;
    } rows[] = { { 0, 0x00000000 }, { 1, 0x000000FF }, { 2, 0x00000000 },  { 3, 0x000000FF },  { 6, 0x000000FF },
                 { 7, 0x000000FF }, { 8, 0x00000000 }, { 10, 0x000000FF }, { 12, 0x020202FF }, { 13, 0x02020200 } };
    static const uint32_t addresses[] = { 0x10000000, 0x1FFFFFF8, 0x28000000, 0x7FFFFFF8, 0x00000008 };
    for (size_t a = 0; a < sizeof addresses / sizeof addresses[0]; a++)
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            if (addresses[a] == 0x1FFFFFF8u && rows[i].format == 13u)
                continue; /* its colour block is the first vertex */
            machine_row(m, "address %08X, format %u", (unsigned)addresses[a], (unsigned)rows[i].format);
            struct dots dots = dots_at(0.0625f, 0.9375f);
            texture_dots(
                m, &(struct texture){ .format = rows[i].format, .width = 8, .height = 8, .address = addresses[a] },
                &dots);
            EXPECT_EQ(m, "TEX-06", dot_pixel(m, 0), rows[i].rgba);
            EXPECT_ONLY_EVENTS(m, "TEX-06", PICA_EVENT_TEX_OOB);
        }
}

/* ------------------------------------------------------------------------------------------ neighbouring windows */

EACH_MACHINE(texture, TEX_31_a_range_may_span_windows)
{
    static const struct {
        uint32_t address, second;
        bool fires;
        uint32_t value;
    } rows[] = {
        { 0x2003FFE0, 0x20040000, false, 77 }, /* windows that touch: every byte is in some window (MEM-02) */
        { 0x2003FFE0, 0x20041000, true, 0 },   /* a page between them */
        { 0x20040FE0, 0x20041000, true, 77 },  { 0x20041000, 0x20041000, false, 77 },
        { 0x20041FC0, 0x20041000, false, 77 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct pica_window windows[3] = { { 0x18000000, VRAM_WINDOW_SIZE },
                                                { 0x20000000, FCRAM_WINDOW_SIZE },
                                                { rows[i].second, 0x1000 } };
        struct pica_setup setup = machine_default_setup();
        setup.windows = windows;
        setup.window_count = 3;
        machine_load_setup(m, &setup);
        machine_case(m, "row %u", (unsigned)i);
        load_pattern(m, rows[i].address, 64, 0, 77);
        struct dots dots = dots_at(0.0625f, 0.0625f); /* byte 42: the second half */
        texture_dots(
            m,
            &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8, .address = rows[i].address },
            &dots);
        EXPECT_DOT(m, "TEX-31", 0, rows[i].value, rows[i].value, rows[i].value, 255);
        cr_expect(machine_event_is(m, "TEX-31", PICA_EVENT_TEX_OOB, rows[i].fires), "%s", m->message);
    }
}

/* ---------------------------------------------------------------------------------- the batch's own target (TEX-30) */

/* The texture is the colour buffer; stage 1 adds 1 to it. Twice the whole target in one batch, mirrored in s and t. */
EACH_MACHINE(texture, TEX_30_texels_are_those_of_the_start_of_the_batch)
{
    for (uint32_t i = 0; i < 64u; i++)
        machine_load_word(m, COLOR_ADDRESS + 4u * i, 0x01000000u * i | 0xFFu);
    struct probe_vertex v[12];
    struct probe_vertex quad[4];
    probe_quad(quad);
    for (uint32_t i = 0; i < 4u; i++) /* u = (1 - x) / 2, v = (1 - y) / 2 */
        probe_texcoord(&quad[i], 1, 1.0f - quad[i].texcoord0[0], 1.0f - quad[i].texcoord0[1]);
    static const uint32_t corners[6] = { 0, 1, 2, 2, 1, 3 };
    for (uint32_t i = 0; i < 12u; i++)
        v[i] = quad[corners[i % 6u]];
    struct list list = probe_list();
    texture_bind(&list, &(struct texture){ .width = 8, .height = 8, .address = COLOR_ADDRESS });
    const uint32_t add[5] = { 0x000F00EF, 0, 2, 0x01010101, 0 }; /* previous + constant (14) */
    list_write_many(&list, PICA_REG_TEXENV1_SOURCE, true, add, 5);
    probe_draw(m, &list, v, 12, PICA_TOPOLOGY_LIST);
    for (uint32_t y = 0; y < 8u; y++)
        for (uint32_t x = 0; x < 8u; x++) {
            /* Texel (7 - x, 7 - y) is memory row y: the number of pixel (7 - x, y) at the start. */
            machine_case(m, "pixel %u,%u", (unsigned)x, (unsigned)y);
            EXPECT_PIXEL(m, "TEX-30", x, y, texel_number(7u - x, y, 8) + 1u, 1, 1, 255);
        }
    EXPECT_EVENT(m, "TEX-30", PICA_EVENT_FEEDBACK_LOOP);
    /* The next batch sees what this one wrote. */
    struct list next = { .count = 0 };
    probe_draw(m, &next, v, 6, PICA_TOPOLOGY_LIST);
    for (uint32_t y = 0; y < 8u; y++)
        for (uint32_t x = 0; x < 8u; x++) {
            machine_case(m, "second batch, pixel %u,%u", (unsigned)x, (unsigned)y);
            EXPECT_PIXEL(m, "TEX-30", x, y, texel_number(x, y, 8) + 2u, 2, 2, 255);
        }
}

EACH_MACHINE(texture, TEX_30_also_for_the_depth_buffer)
{
    /* The texture is the depth buffer: every texel is the word of the clear, not the depth written in this batch. */
    probe_clear_depth_stencil(m, 0x332211, 0x44);
    struct probe_vertex quad[4];
    probe_quad(quad);
    struct list list = probe_list();
    texture_bind(&list, &(struct texture){ .width = 8, .height = 8, .address = DEPTH_ADDRESS });
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    for (uint32_t i = 0; i < 64u; i++) {
        EXPECT_PIXEL(m, "TEX-30", i % 8u, i / 8u, 0x44, 0x33, 0x22, 0x11);
        EXPECT_DEPTH(m, "TEX-30", i % 8u, i / 8u, 0x7FFFFF);
    }
    EXPECT_EVENT(m, "TEX-30", PICA_EVENT_FEEDBACK_LOOP);
}

/* ---------------------------------------------------------------------------------------------- used units (TEX-32) */

/* Class R: tex-disabled-read shows which of the (disabled) units are used. Stage 0 but for the first rows. */
static const struct event_row used_rows[] = {
    { "source not read by replace (position 1)", false, { { 0x0C0, 0x00000030 } } },
    { "source not read by replace (position 2)", false, { { 0x0C0, 0x00000300 } } },
    { "source not read by replace (alpha positions 1, 2)", false, { { 0x0C0, 0x03300000 } } },
    { "replace reads position 0", true, { { 0x0C0, 0x00000003 } } },
    { "alpha replace reads position 0", true, { { 0x0C0, 0x00030000 } } },
    { "unit 1", true, { { 0x0C0, 0x00000004 } } },
    { "unit 2", true, { { 0x0C0, 0x00000005 } } },
    { "unit 3 (PTX-25)", true, { { 0x0C0, 0x00000006 } } },
    { "modulate reads position 1", true, { { 0x0C0, 0x00000030 }, { 0x0C2, 1 } } },
    { "modulate does not read position 2", false, { { 0x0C0, 0x00000300 }, { 0x0C2, 1 } } },
    { "add reads position 1", true, { { 0x0C0, 0x00000030 }, { 0x0C2, 2 } } },
    { "add signed", true, { { 0x0C0, 0x00000030 }, { 0x0C2, 3 } } },
    { "add signed does not read position 2", false, { { 0x0C0, 0x00000300 }, { 0x0C2, 3 } } },
    { "interpolate reads position 2", true, { { 0x0C0, 0x00000300 }, { 0x0C2, 4 } } },
    { "subtract does not read position 2", false, { { 0x0C0, 0x00000300 }, { 0x0C2, 5 } } },
    { "subtract reads position 1", true, { { 0x0C0, 0x00000030 }, { 0x0C2, 5 } } },
    { "dot3 reads position 1", true, { { 0x0C0, 0x00000030 }, { 0x0C2, 6 } } },
    { "dot3 does not read position 2", false, { { 0x0C0, 0x00000300 }, { 0x0C2, 6 } } },
    { "dot3 rgba reads position 1", true, { { 0x0C0, 0x00000030 }, { 0x0C2, 7 } } },
    { "dot3 rgba reads no alpha", false, { { 0x0C0, 0x03330000 }, { 0x0C2, 0x00040007 } } },
    { "multiply add reads position 2", true, { { 0x0C0, 0x00000300 }, { 0x0C2, 8 } } },
    { "add multiply reads position 2", true, { { 0x0C0, 0x00000300 }, { 0x0C2, 9 } } },
    { "reserved mode reads nothing", false, { { 0x0C0, 0x00000333 }, { 0x0C2, 10 } } },
    { "reserved mode 15 reads nothing", false, { { 0x0C0, 0x00000333 }, { 0x0C2, 15 } } },
    { "alpha mode 6 reads nothing", false, { { 0x0C0, 0x03330000 }, { 0x0C2, 0x00060000 } } },
    { "alpha mode 7 reads nothing", false, { { 0x0C0, 0x03330000 }, { 0x0C2, 0x00070000 } } },
    { "alpha mode 12 reads nothing", false, { { 0x0C0, 0x03330000 }, { 0x0C2, 0x000C0000 } } },
    { "alpha interpolate reads position 2", true, { { 0x0C0, 0x03000000 }, { 0x0C2, 0x00040000 } } },
    { "alpha modulate reads position 1", true, { { 0x0C0, 0x00300000 }, { 0x0C2, 0x00010000 } } },
    { "previous in stage 0, position 0: reads position 2", true, { { 0x0C0, 0x0000030F } } },
    { "previous in stage 0, position 1", true, { { 0x0C0, 0x000003F0 }, { 0x0C2, 1 } } },
    { "previous in stage 0, position 1, not read", false, { { 0x0C0, 0x000003F0 } } },
    { "previous in stage 0, alpha", true, { { 0x0C0, 0x030F0000 } } },
    { "previous in stage 1 does not", false, { { 0x0C8, 0x0000030F } } },
    { "stage 5", true, { { 0x0F8, 0x00000003 } } },
    { "stage 4", true, { { 0x0F0, 0x00000003 } } },
};

/* Sources 0 everywhere, replace, all units disabled. */
static void nothing_used(struct list *list)
{
    for (uint32_t stage = 0; stage < 6u; stage++)
        list_write(list, pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE), 0);
}

/* Fragments decide these events: unlike a batch event they need a pixel. */
static void check_used(struct machine *m, const struct event_row *rows, size_t n, void (*base)(struct list *))
{
    for (size_t i = 0; i < n; i++)
        for (uint32_t pixels = 0; pixels < 2u; pixels++) {
            machine_row(m, "%s%s", rows[i].label, pixels ? "" : ", target without pixels");
            struct dots dots = dots_one();
            struct list list = probe_list();
            base(&list);
            list_writes(&list, rows[i].writes);
            if (!pixels)
                list_write(&list, PICA_REG_FRAMEBUFFER_DIM, 0);
            dots_draw(m, &list, &dots);
            cr_expect(
                machine_event_is(m, "TEX-32, TEX-07, TEV-17", PICA_EVENT_TEX_DISABLED_READ, rows[i].fires && pixels),
                "%s", m->message);
        }
}

EACH_MACHINE(texture, TEX_32_a_unit_is_used_by_operands_that_are_read)
{
    check_used(m, used_rows, sizeof used_rows / sizeof used_rows[0], nothing_used);
}

/* Lit: 1C6 bit 0 = 0 and some source field is 1 or 2. 1C3: bump unit 22-23, shadow unit 24-25, bump mode 28-29. */
static void lit(struct list *list)
{
    nothing_used(list);
    list_write(list, 0x08F, 1);
    list_write(list, 0x1C6, 0);
    list_write(list, 0x0C0, 1);
}

static const struct event_row lit_rows[] = {
    { "no bump, no shadow", false, { { 0x1C3, 0 } } },
    { "bump mode 1", true, { { 0x1C3, 1u << 28 } } },
    { "bump mode 2", true, { { 0x1C3, 2u << 28 } } },
    { "bump mode 3", false, { { 0x1C3, 3u << 28 } } },
    { "bump unit 1", true, { { 0x1C3, 1u << 28 | 1u << 22 } } },
    { "bump unit 3", true, { { 0x1C3, 1u << 28 | 3u << 22 } } },
    { "bump mode 1, lighting off", false, { { 0x1C3, 1u << 28 }, { 0x1C6, 1 } } },
    { "bump mode 1, no lighting source", false, { { 0x1C3, 1u << 28 }, { 0x0C0, 0 } } },
    { "bump mode 1, lighting source not read", true, { { 0x1C3, 1u << 28 }, { 0x0C0, 0x02000000 } } },
    { "shadow", true, { { 0x1C3, 1 } } },
    { "shadow unit 2", true, { { 0x1C3, 1u | 2u << 24 } } },
    { "shadow bits without enable", false, { { 0x1C3, 0x030F0000 } } },
    { "shadow, lighting off", false, { { 0x1C3, 1 }, { 0x1C6, 1 } } },
};

/* Enabling the unit in question leaves the others unused: no event. */
static const struct event_row other_unit_rows[] = {
    { "bump unit 1 enabled", false, { { 0x1C3, 1u << 28 | 1u << 22 }, { 0x080, 2 }, { 0x095, 1 } } },
    { "bump unit 1, unit 0 enabled", true, { { 0x1C3, 1u << 28 | 1u << 22 }, { 0x080, 1 }, { 0x085, 1 } } },
    { "shadow unit 3 enabled", false, { { 0x1C3, 1u | 3u << 24 }, { 0x080, 0x400 } } },
    { "shadow unit 3, unit 2 enabled", true, { { 0x1C3, 1u | 3u << 24 }, { 0x080, 4 }, { 0x09D, 1 } } },
    { "unit 0 has type 5", true, { { 0x1C3, 1 }, { 0x080, 1 }, { 0x085, 1 }, { 0x083, 5u << 28 } } },
    { "unit 0 is null: another event", false, { { 0x1C3, 1 }, { 0x080, 1 }, { 0x083, 5u << 28 } } },
};

EACH_MACHINE(texture, TEX_32_a_unit_is_used_by_bump_mapping_and_shadows)
{
    check_used(m, lit_rows, sizeof lit_rows / sizeof lit_rows[0], lit);
    check_used(m, other_unit_rows, sizeof other_unit_rows / sizeof other_unit_rows[0], lit);
}

EACH_MACHINE(texture, TEX_07_class_R_events_need_a_fragment)
{
    /* A class R event needs a fragment that passes step 1 of FBF-21: bounds and scissor; later tests do not matter. */
    static const struct event_row rows[] = {
        { "plain", true, { { 0 } } },
        { "outside the scissor box", false, { { 0x065, 3 }, { 0x066, 0x00010001 }, { 0x067, 0x00070007 } } },
        { "inside the scissor box", true, { { 0x065, 3 }, { 0x066, 0 }, { 0x067, 0 } } },
        { "alpha test fails", true, { { 0x104, 1 } } },
        { "depth test fails", true, { { 0x107, 0x1F01 } } },
        { "no colour or depth write", true, { { 0x113, 0 }, { 0x115, 0 } } },
        { "gas mode", true, { { 0x100, 1 } } },
        { "mode 2", true, { { 0x100, 2 } } },
        { "shadow mode", true, { { 0x100, 3 } } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "%s", rows[i].label);
        struct dots dots = dots_one();
        struct list list = probe_list();
        probe_source(&list, PICA_TEV_SOURCE_TEXTURE0);
        list_writes(&list, rows[i].writes);
        dots_draw(m, &list, &dots);
        cr_expect(machine_event_is(m, "TEX-07", PICA_EVENT_TEX_DISABLED_READ, rows[i].fires), "%s", m->message);
    }
}

/* RST-08: 64 pixels are in the strip's two boxes each; what the budget drops has no fragments. */
EACH_MACHINE(texture, TEX_07_RST_08_triangles_beyond_the_budget_have_no_fragments)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    for (uint32_t pixels = 63; pixels <= 64; pixels++) {
        LOAD_LIMIT(m, pixels, pixels);
        machine_case(m, "%u pixels", (unsigned)pixels);
        struct list list = probe_list();
        probe_source(&list, PICA_TEV_SOURCE_TEXTURE0);
        probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
        EXPECT_EVENT(m, "RST-08", PICA_EVENT_BUDGET_PIXELS);
        cr_expect(machine_event_is(m, "TEX-07", PICA_EVENT_TEX_DISABLED_READ, pixels == 64u), "%s", m->message);
    }
}
