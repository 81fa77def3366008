/* 60-framebuffer.md: READ and WRITE switches, channel masks, batches and the order of steps. */
#include "tests/conformance/fragment_probe.h"
#include "tests/conformance/triangle_probe.h"

/* ---------------------------------------------------------------------------------------------------------- colour */

EACH_MACHINE(framebuffer, FBF_15_without_colour_READ_the_destination_is_0)
{
    /* S + D with D = 0,0,0,0, alpha included, in every format; factor D.a is 0 even where the format has no alpha. */
    for (uint32_t format = 0; format < 5; format++) {
        machine_row(m, "format %u", (unsigned)format);
        machine_fill(m, 0, COLOR_ADDRESS, COLOR_ADDRESS + 0x100, 0xFFFFFFFF, 0x201);
        DRAW_COLOR(m, 0x10101010, { PICA_REG_COLORBUFFER_FORMAT, format << 16 }, { PICA_REG_COLORBUFFER_READ, 0 },
                   { PICA_REG_BLEND_FUNC, 0x11110000u });
        const uint32_t want[5] = { 0x10101010, 0x101010, 2u << 11 | 2u << 6 | 2u << 1, 2u << 11 | 4u << 5 | 2u,
                                   0x1111 };
        const uint32_t mask[5] = { 0xFFFFFFFF, 0xFFFFFF, 0xFFFF, 0xFFFF, 0xFFFF };
        EXPECT_EQ(m, "FBF-15", machine_word(m, COLOR_ADDRESS) & mask[format], want[format]);
        machine_fill(m, 0, COLOR_ADDRESS, COLOR_ADDRESS + 0x100, 0xFFFFFFFF, 0x201);
        DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_COLORBUFFER_FORMAT, format << 16 }, { PICA_REG_COLORBUFFER_READ, 0 },
                   { PICA_REG_BLEND_FUNC, 0x08080000u });
        EXPECT_EQ(m, "FBF-15", machine_word(m, COLOR_ADDRESS) & mask[format], 0);
    }
}

EACH_MACHINE(framebuffer, FBF_25_FBF_26_any_bit_of_the_colour_switches_enables_all_channels)
{
    static const struct {
        uint32_t read, write, want;
    } cases[] = {
        { 0xF, 0xF, 0x30303030 }, { 0x1, 0x1, 0x30303030 },        { 0x8, 0x4, 0x30303030 },
        { 0x2, 0x2, 0x30303030 }, { 0x0, 0x1, 0x10101010 },        { 0xF, 0x0, 0x20202020 },
        { 0x0, 0x0, 0x20202020 }, { 0xFFFFFFF0, 0x1, 0x10101010 }, { 0xF, 0xFFFFFFF0, 0x20202020 }, /* only bits 0-3 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        probe_clear_color(m, 0x20, 0x20, 0x20, 0x20);
        DRAW_COLOR(m, 0x10101010, { PICA_REG_COLORBUFFER_READ, cases[i].read },
                   { PICA_REG_COLORBUFFER_WRITE, cases[i].write }, { PICA_REG_BLEND_FUNC, 0x11110000u });
        EXPECT_EQ(m, "FBF-15, FBF-24, FBF-25, FBF-26", probe_pixel(m, 3, 3), cases[i].want);
        EXPECT_DEPTH(m, "FBF-25", 3, 3, 0x7FFFFF);
        EXPECT_NO_EVENTS(m, "FBF-26");
    }
}

EACH_MACHINE(framebuffer, FBF_17_FBF_29_masked_channels_keep_their_stored_bits)
{
    static const uint32_t channels[5][4] = { { 0xFF000000, 0x00FF0000, 0x0000FF00, 0x000000FF },
                                             { 0xFF0000, 0x00FF00, 0x0000FF, 0 },
                                             { 0xF800, 0x07C0, 0x003E, 0x0001 },
                                             { 0xF800, 0x07E0, 0x001F, 0 },
                                             { 0xF000, 0x0F00, 0x00F0, 0x000F } };
    for (uint32_t format = 0; format < 5; format++)
        for (uint32_t mask = 0; mask < 16; mask++)
            for (uint32_t read = 0; read < 2; read++) {
                machine_row(m, "format %u, mask %X, READ %u", (unsigned)format, (unsigned)mask, (unsigned)read);
                DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_COLORBUFFER_FORMAT, format << 16 },
                           { PICA_REG_DEPTH_COLOR_MASK, mask << 8 }, { PICA_REG_COLORBUFFER_READ, read });
                uint32_t want = 0, all = 0;
                for (uint32_t c = 0; c < 4; c++) {
                    want |= mask >> c & 1u ? channels[format][c] : 0u;
                    all |= channels[format][c];
                }
                EXPECT_EQ(m, "FBF-17, FBF-24", machine_word(m, COLOR_ADDRESS) & all, want);
                machine_fill(m, 0, COLOR_ADDRESS, COLOR_ADDRESS + 0x100, 0xFFFFFFFF, 0x201);
                DRAW_COLOR(m, 0x00000000, { PICA_REG_COLORBUFFER_FORMAT, format << 16 },
                           { PICA_REG_DEPTH_COLOR_MASK, mask << 8 }, { PICA_REG_COLORBUFFER_READ, read });
                EXPECT_EQ(m, "FBF-17, FBF-29", machine_word(m, COLOR_ADDRESS) & all, all & ~want);
                EXPECT_EQ(m, "FBF-29", machine_event(m, PICA_EVENT_MASK_WITHOUT_READ), read == 0u && mask != 15u);
            }
}

/* ----------------------------------------------------------------------------------------------------------- depth */

EACH_MACHINE(framebuffer, FBF_16_FBF_27_FBF_28_depth_READ_and_WRITE_switch_depth_and_stencil_together)
{
    static const struct {
        uint32_t read, write;
        bool sees, stores;
    } cases[] = {
        { 3, 3, true, true },           { 1, 1, true, true },           { 2, 2, true, true },  { 1, 2, true, true },
        { 2, 1, true, true },           { 0, 3, false, true },          { 3, 0, true, false }, { 0, 0, false, false },
        { 0xFFFFFFFC, 1, false, true }, { 1, 0xFFFFFFFC, true, false }, /* only bits 0-1 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        /* Stored depth 0x100000 below the fragment's 7FFFFF: "greater" passes either way, "less" never. */
        machine_row(m, "row %zu", i);
        probe_clear_depth_stencil(m, 0x900000, 0x40);
        DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_DEPTHBUFFER_READ, cases[i].read },
                   { PICA_REG_DEPTHBUFFER_WRITE, cases[i].write },
                   { PICA_REG_DEPTH_COLOR_MASK, 0x1F61 }); /* depth greater */
        EXPECT_EQ(m, "FBF-16, FBF-28, DPT-01", probe_covered(m, 0), cases[i].sees ? 0u : 64u);
        EXPECT_DEPTH(m, "FBF-27, FBF-28, DPT-03", 3, 3, !cases[i].sees && cases[i].stores ? 0x7FFFFFu : 0x900000u);
        machine_row(m, "row %zu, stencil", i);
        probe_clear_depth_stencil(m, 0x900000, 0x40);
        DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_DEPTHBUFFER_READ, cases[i].read },
                   { PICA_REG_DEPTHBUFFER_WRITE, cases[i].write }, { PICA_REG_STENCIL_TEST, 0xFF00FF21u },
                   { PICA_REG_STENCIL_OP, 0x303 }); /* equal to 0; increment */
        EXPECT_EQ(m, "FBF-16, FBF-28", probe_covered(m, 0), cases[i].sees ? 0u : 64u);
        EXPECT_STENCIL(m, "FBF-16, FBF-27, FBF-28, STC-05", 3, 3,
                       !cases[i].stores ? 0x40
                       : cases[i].sees  ? 0x41
                                        : 0x01);
    }
}

/* --------------------------------------------------------------------------------------------------- modes and bits */

EACH_MACHINE(framebuffer, FBF_22_FBF_31_other_bits_of_COLOR_OPERATION_have_no_effect)
{
    static const uint32_t operations[] = { 0x00000100, 0x00FF0100, 0xFCFFFEFC | 0x100 };
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        machine_row(m, "%08X", (unsigned)operations[i]);
        DRAW_COLOR(m, 0x12345678, { PICA_REG_COLOR_OPERATION, operations[i] });
        EXPECT_EQ(m, "FBF-22", probe_pixel(m, 3, 3), 0x12345678u);
        EXPECT_NO_EVENTS(m, "FBF-22");
    }
    for (uint32_t dither = 0; dither < 4; dither++) {
        machine_row(m, "dither %u", (unsigned)dither);
        DRAW_COLOR(m, 0x12345678, { PICA_REG_COLOR_OPERATION, 0x00E40100u | dither << 24 });
        for (uint32_t p = 0; p < 64; p++)
            EXPECT_PIXEL(m, "FBF-31", p % 8, p / 8, 0x12, 0x34, 0x56, 0x78);
        EXPECT_EQ(m, "FBF-31", machine_event(m, PICA_EVENT_COLOR_OP_DITHER), dither != 0u);
    }
}

EACH_MACHINE(framebuffer, FBF_30_fragment_mode_2_changes_no_memory)
{
    probe_clear_color(m, 1, 2, 3, 4);
    probe_clear_depth_stencil(m, 0x111111, 0x22);
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_COLOR_OPERATION, 0x00E40102 }, { PICA_REG_STENCIL_TEST, 0xFFFFFF01u },
               { PICA_REG_STENCIL_OP, 0x222 });
    for (uint32_t p = 0; p < 64; p++) {
        EXPECT_PIXEL(m, "FBF-30", p % 8, p / 8, 1, 2, 3, 4);
        EXPECT_EQ(m, "FBF-30", probe_depth_stencil(m, p % 8, p / 8), 0x22111111u);
    }
    EXPECT_ONLY_EVENTS(m, "FBF-30", PICA_EVENT_FRAGMENT_MODE_2);
}

EACH_MACHINE(framebuffer, FBF_20_invalidate_and_flush_do_nothing)
{
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 9, 8, 7, 6);
    struct list list = probe_list();
    probe_load_vertices(m, quad, 4);
    list_write(&list, PICA_REG_FRAMEBUFFER_INVALIDATE, 1);
    list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
    list_draw(&list, 4);
    list_write(&list, PICA_REG_FRAMEBUFFER_INVALIDATE, 1); /* the console would forget the batch */
    list_write(&list, PICA_REG_BLEND_FUNC, 0x11110000u);
    list_write(&list, PICA_REG_PRIMITIVE_CONFIG, PICA_TOPOLOGY_STRIP << 8);
    list_write(&list, PICA_REG_DRAWARRAYS, 1); /* without a flush between */
    list_write(&list, PICA_REG_FRAMEBUFFER_FLUSH, 0);
    machine_submit(m, &list);
    EXPECT_PIXEL(m, "FBF-20, MEM-05", 3, 3, 18, 16, 14, 12);
    EXPECT_NO_EVENTS(m, "FBF-20");
}

/* ---------------------------------------------------------------------------------------------------------- overlap */

/*
 * FBF-18: colour and depth at one address. RAM byte k holds 00 11 22 33 in every pixel; the colour word written is
 * A B G R, the depth word z0 z1 z2 s. A byte of C wins if it differs from its start value, else one of Z.
 */
EACH_MACHINE(framebuffer, FBF_18_of_two_surfaces_at_one_address_the_changed_colour_byte_wins)
{
    static const struct {
        uint32_t rgba; /* memory word */
        float z;
        uint32_t want;
    } cases[] = {
        { 0x44556677, -0.5f, 0x44556677 }, /* every byte of C differs */
        { 0x33221100, -0.5f, 0x337FFFFF }, /* none does: depth 7FFFFF in bytes 0-2, stencil byte unchanged */
        { 0x33551100, -0.5f, 0x3355FFFF }, /* byte 2 of C, bytes 0 and 1 of Z */
        { 0x33221177, -0.5f, 0x337FFF77 }, { 0x44221100, 0.0f, 0x44000000 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        probe_clear_color(m, 0x33, 0x22, 0x11, 0x00);
        DRAW_DEPTH(m, cases[i].rgba, cases[i].z, { PICA_REG_DEPTHBUFFER_LOC, COLOR_ADDRESS >> 3 });
        EXPECT_EQ(m, "FBF-18", probe_pixel(m, 3, 3), cases[i].want);
        EXPECT_EVENT(m, "FBF-19", PICA_EVENT_COLOR_DEPTH_OVERLAP);
    }
}

EACH_MACHINE(framebuffer, FBF_18_within_a_batch_colour_and_depth_do_not_see_each_other)
{
    /* One batch, two triangles on each pixel, depth test "equal 33221100 & FFFFFF": the first fragment's colour does
     * not reach the depth surface, so the second passes too. */
    probe_clear_color(m, 0x33, 0x22, 0x11, 0x00);
    struct probe_vertex v[6];
    point_at(v, 2, 2);
    point_at(v + 3, 2, 2);
    for (size_t i = 0; i < 6; i++)
        v[i].position[2] = -(float)0x221100 / 16777215.0f;
    probe_color(v, 3, 1, 1, 1, 1);
    probe_color(v + 3, 3, 2, 2, 2, 2);
    DRAW(m, v, 6, PICA_TOPOLOGY_LIST, POINT_VIEW, { PICA_REG_DEPTHBUFFER_LOC, COLOR_ADDRESS >> 3 },
         { PICA_REG_DEPTH_COLOR_MASK, 0x0F21 }, { PICA_REG_BLEND_FUNC, 0x11110000u });
    EXPECT_PIXEL(m, "FBF-18", 2, 2, 0x36, 0x25, 0x14, 0x03);
    /* The next batch copies RAM again: the depth is 251403 now. */
    DRAW(m, v, 6, PICA_TOPOLOGY_LIST, POINT_VIEW, { PICA_REG_DEPTHBUFFER_LOC, COLOR_ADDRESS >> 3 },
         { PICA_REG_DEPTH_COLOR_MASK, 0x0F21 }, { PICA_REG_BLEND_FUNC, 0x11110000u });
    EXPECT_PIXEL(m, "FBF-18", 2, 2, 0x36, 0x25, 0x14, 0x03);
}

EACH_MACHINE(framebuffer, FBF_18_a_byte_that_returned_to_its_start_value_did_not_change)
{
    /* C changes twice and ends at its start value: then Z's byte counts. Logic op invert, two layers. */
    probe_clear_color(m, 0x33, 0x22, 0x11, 0x00);
    struct probe_vertex v[6];
    point_at(v, 2, 2);
    point_at(v + 3, 2, 2);
    DRAW(m, v, 6, PICA_TOPOLOGY_LIST, POINT_VIEW, { PICA_REG_DEPTHBUFFER_LOC, COLOR_ADDRESS >> 3 },
         { PICA_REG_COLOR_OPERATION, 0x00E40000 }, { PICA_REG_LOGIC_OP, 7 });
    EXPECT_EQ(m, "FBF-18", probe_pixel(m, 2, 2), 0x337FFFFFu);
}

/* Colour 4 bytes, depth 2 bytes at the same address: pixel i of one lies in another pixel of the other. */
EACH_MACHINE(framebuffer, FBF_18_surfaces_of_different_pixel_sizes_overlap_by_bytes)
{
    DRAW_DEPTH(m, 0x00000000, -0.5f, { PICA_REG_DEPTHBUFFER_LOC, COLOR_ADDRESS >> 3 },
               { PICA_REG_DEPTHBUFFER_FORMAT, 0 });
    /* RAM 0, C writes 0: unchanged; Z writes 7FFF to the first 128 bytes. */
    for (uint32_t i = 0; i < 128; i += 2) {
        EXPECT_EQ(m, "FBF-18", machine_byte(m, COLOR_ADDRESS + i), 0xFF);
        EXPECT_EQ(m, "FBF-18", machine_byte(m, COLOR_ADDRESS + i + 1u), 0x7F);
    }
    EXPECT_ALL_BYTES(m, "FBF-18", COLOR_ADDRESS + 128u, 128, 0);
    machine_reset(m);
    DRAW_DEPTH(m, 0x00010000, -0.5f, { PICA_REG_DEPTHBUFFER_LOC, COLOR_ADDRESS >> 3 },
               { PICA_REG_DEPTHBUFFER_FORMAT, 0 });
    static const uint8_t want[4] = { 0xFF, 0x7F, 0x01, 0x7F }; /* byte 2 of C (green 1) wins */
    EXPECT_BYTES(m, "FBF-18", COLOR_ADDRESS, want, 4);
}

/* Vertices inside the colour surface: read before the batch changes them. */
EACH_MACHINE(framebuffer, FBF_18_vertices_are_read_from_memory_that_does_not_change_during_the_batch)
{
    DRAW_COLOR(m, 0x12345678, { PICA_REG_COLORBUFFER_LOC, VERTEX_ADDRESS >> 3 });
    EXPECT_EQ(m, "FBF-18", machine_word(m, VERTEX_ADDRESS), 0x12345678u);
    EXPECT_EQ(m, "FBF-18", machine_word(m, VERTEX_ADDRESS + 0xFCu), 0x12345678u);
    EXPECT_ONLY_EVENTS(m, "FBF-34", PICA_EVENT_FEEDBACK_LOOP);
}

/*
 * Immediate mode: each triangle is a batch. Colour and depth at one address, depth test "equal 7FFFFF"; the first
 * triangle adds 1 to green, which is the top byte of the depth, so the second one fails. In one DRAWARRAYS both pass.
 */
EACH_MACHINE(framebuffer, FBF_18_each_immediate_triangle_is_a_batch)
{
    static const double corners[3][2] = { { -1, -1 }, { 1, -1 }, { -1, 1 } };
    for (uint32_t immediate = 0; immediate < 2; immediate++) {
        machine_row(m, immediate ? "immediate mode" : "one draw");
        probe_clear_color(m, 0x33, 0x7F, 0xFF, 0xFF);
        struct list list = probe_list();
        const struct setting settings[] = { { PICA_REG_DEPTHBUFFER_LOC, COLOR_ADDRESS >> 3 },
                                            { PICA_REG_DEPTH_COLOR_MASK, 0x0F21 },
                                            { PICA_REG_DEPTHMAP_SCALE, 0 },
                                            { PICA_REG_DEPTHMAP_OFFSET, float24(0.5) },
                                            { PICA_REG_BLEND_FUNC, 0x11110000u },
                                            { PICA_REG_PRIMITIVE_CONFIG, 0 } };
        for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
            list_write(&list, settings[i].id, settings[i].value);
        const float green = 1.0f / 256.0f; /* times 255: 0.996, rounds to 1 */
        if (immediate) {
            list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 15);
            for (uint32_t i = 0; i < 6; i++)
                for (uint32_t k = 0; k < PROBE_ATTRIBUTES; k++) {
                    uint32_t words[3];
                    const double *const c = corners[i % 3u];
                    if (k == 0u)
                        float24_words(float24(c[0]), float24(c[1]), float24(-0.5), float24(1.0), words);
                    else
                        float24_words(0, k == 2u ? float24((double)green) : 0, 0, 0, words);
                    list_write_many(&list, PICA_REG_FIXEDATTRIB_DATA0, false, words, 3);
                }
            machine_submit(m, &list);
        } else {
            struct probe_vertex v[6];
            for (size_t i = 0; i < 6; i++) {
                v[i] = probe_vertex_at((float)corners[i % 3][0], (float)corners[i % 3][1], -0.5f, 1);
                probe_color(&v[i], 1, 0, 0, 0, 0);
                v[i].color[1] = green;
            }
            probe_draw(m, &list, v, 6, PICA_TOPOLOGY_LIST);
        }
        EXPECT_PIXEL(m, "FBF-18", 0, 0, 0x33, immediate ? 0x80 : 0x81, 0xFF, 0xFF);
        EXPECT_PIXEL(m, "FBF-18", 7, 7, 0x33, 0x7F, 0xFF, 0xFF);
    }
}

/* ------------------------------------------------------------------------------------------------------------ order */

EACH_MACHINE(framebuffer, FBF_21_alpha_then_stencil_then_depth)
{
    /* Alpha fails: no stencil operation, no depth, no colour. */
    probe_clear_depth_stencil(m, 0xFFFFFF, 7);
    DRAW_COLOR(m, 0xFFFFFF10, { PICA_REG_FRAGOP_ALPHA_TEST, 0x2061 }, { PICA_REG_STENCIL_TEST, 0xFF00FF01u },
               { PICA_REG_STENCIL_OP, 0x333 });
    EXPECT_EMPTY(m, "FBF-21, ATS-01, DPT-04");
    EXPECT_EQ(m, "FBF-21, ATS-01, DPT-04", probe_depth_stencil(m, 3, 3), 0x07FFFFFFu);
    machine_reset(m);
    /* Stencil fails: its fail operation only; the depth test is not reached. */
    probe_clear_depth_stencil(m, 0xFFFFFF, 7);
    DRAW_COLOR(m, 0xFFFFFF30, { PICA_REG_FRAGOP_ALPHA_TEST, 0x2061 }, { PICA_REG_STENCIL_TEST, 0xFF00FF01u },
               { PICA_REG_STENCIL_OP, 0x123 }, { PICA_REG_DEPTH_COLOR_MASK, 0x1F41 });
    EXPECT_EMPTY(m, "FBF-21, DPT-04");
    EXPECT_EQ(m, "FBF-21, DPT-04", probe_depth_stencil(m, 3, 3), 0x08FFFFFFu);
    machine_reset(m);
    /* Depth fails: the depth-fail operation. */
    probe_clear_depth_stencil(m, 0x000001, 7);
    DRAW_COLOR(m, 0xFFFFFF30, { PICA_REG_STENCIL_TEST, 0xFF00FF11u }, { PICA_REG_STENCIL_OP, 0x431 },
               { PICA_REG_DEPTH_COLOR_MASK, 0x1F41 });
    EXPECT_EMPTY(m, "FBF-21, DPT-04");
    EXPECT_EQ(m, "FBF-21, DPT-04", probe_depth_stencil(m, 3, 3), 0x08000001u);
    machine_reset(m);
    /* Everything passes. */
    probe_clear_depth_stencil(m, 0xFFFFFF, 7);
    DRAW_COLOR(m, 0xFFFFFF30, { PICA_REG_FRAGOP_ALPHA_TEST, 0x2061 }, { PICA_REG_STENCIL_TEST, 0xFF00FF11u },
               { PICA_REG_STENCIL_OP, 0x431 }, { PICA_REG_DEPTH_COLOR_MASK, 0x1F41 });
    EXPECT_FULL(m, "FBF-21");
    EXPECT_EQ(m, "FBF-21", probe_depth_stencil(m, 3, 3), 0x067FFFFFu);
}

EACH_MACHINE(framebuffer, FBF_21_depth_and_stencil_do_not_depend_on_the_channel_masks)
{
    /* No colour channel enabled: depth and stencil go on. */
    DRAW_COLOR(m, 0xFFFFFFFF, { PICA_REG_DEPTH_COLOR_MASK, 0x1000 }, { PICA_REG_STENCIL_TEST, 0xFF55FF11u },
               { PICA_REG_STENCIL_OP, 0x200 });
    EXPECT_EMPTY(m, "FBF-21, FBF-17");
    EXPECT_EQ(m, "FBF-21", probe_depth_stencil(m, 3, 3), 0x557FFFFFu);
}

/* Step 4 before step 9: the table is 0, so fog puts its colour in the place of r, g, b; blending works on that. */
EACH_MACHINE(framebuffer, FBF_21_fog_changes_the_colour_before_blending_and_never_alpha)
{
    probe_clear_color(m, 100, 100, 100, 100);
    DRAW_COLOR(m, 0xFF804020, { PICA_REG_TEXENV_UPDATE_BUFFER, 5 }, { PICA_REG_FOG_COLOR, 0x00302010 },
               { PICA_REG_BLEND_FUNC, 0x11120000u }); /* rgb: S * S + D, a: S + D */
    /* 0x10 * 0x10 / 255 + 100 = 101, 0x20: 104, 0x30: 109; one division: (256 + 25500) / 255 = 101, .. */
    EXPECT_PIXEL(m, "FBF-21", 3, 3, 101, 104, 109, 132);
    machine_reset(m);
    DRAW_COLOR(m, 0xFF804020, { PICA_REG_TEXENV_UPDATE_BUFFER, 5 }, { PICA_REG_FOG_COLOR, 0x00302010 },
               { PICA_REG_FRAGOP_ALPHA_TEST, 0x2021 }); /* alpha equal 20: not touched by fog */
    EXPECT_PIXEL(m, "FBF-21, ATS-01", 3, 3, 0x10, 0x20, 0x30, 0x20);
}
