/* 60-framebuffer.md section 9: shadow-map rendering. */
#include "tests/conformance/fragment_probe.h"
#include "tests/conformance/triangle_probe.h"

enum {
    SHADOW = 0x00E40103 /* PICA_REG_COLOR_OPERATION */
};

/* FLT-10 */
static const uint32_t HALF_ONE = 0x3C00, HALF_MINUS_ONE = 0xBC00, HALF_ONE_AND_A_HALF = 0x3E00, HALF_INFINITE = 0x7C00,
                      HALF_NAN = 0x7E00;

/* Pixel (2, 2) as zr << 8 | sr: bytes 0, 1, 2 hold the depth from high to low. */
static uint32_t shadow_pixel(struct machine *m)
{
    uint8_t b[4];
    machine_memory(m, COLOR_ADDRESS + 4u * 12u, b, 4);
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void load_shadow_pixel(struct machine *m, uint32_t depth_and_intensity)
{
    const uint32_t v = depth_and_intensity;
    machine_load(m, COLOR_ADDRESS + 4u * 12u,
                 (const uint8_t[4]){ (uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v }, 4);
}

/* One fragment at (2, 2): depth d, combiner output (1, green, 2, 3). */
static void draw_shadow(struct machine *m, uint32_t d, uint32_t green, uint32_t constant, uint32_t linear,
                        const struct setting *settings, size_t n)
{
    struct list list = probe_list();
    list_write(&list, PICA_REG_COLOR_OPERATION, SHADOW);
    list_write(&list, PICA_REG_FRAGOP_SHADOW, linear << 16 | constant);
    for (size_t i = 0; i < n; i++)
        list_write(&list, settings[i].id, settings[i].value);
    struct probe_vertex v[3] = { snapped(40, 40), snapped(42, 40), snapped(40, 41) };
    for (size_t i = 0; i < 3; i++) /* trunc(z * 16777215) = d: (d + 0.5) / 16777215, and 1 */
        v[i].position[2] = d == 0xFFFFFFu ? -1.0f : -(float)(((double)d + 0.25) / 16777215.0);
    probe_color(v, 3, 1, green, 2, 3);
    probe_draw(m, &list, v, 3, PICA_TOPOLOGY_LIST);
}

EACH_MACHINE(shadow, SHW_01_SHW_02_depth_and_intensity)
{
    static const struct {
        uint32_t stored, d, s, constant, linear, want;
    } cases[] = {
        { 0x800000FF, 0x400000, 0x00, HALF_ONE_AND_A_HALF, HALF_MINUS_ONE, 0x400000FF }, /* the examples */
        { 0x800000FF, 0x400000, 0x64, HALF_ONE_AND_A_HALF, HALF_MINUS_ONE, 0x80000064 },
        { 0x800000FF, 0x700000, 0x40, HALF_ONE, HALF_MINUS_ONE, 0x800000FF }, /* 512, limited to 255 */
        /* d >= zr: nothing. */
        { 0x40000055, 0x400000, 0x00, HALF_ONE, 0, 0x40000055 },
        { 0x40000055, 0x400002, 0x00, HALF_ONE, 0, 0x40000055 },
        { 0x40000055, 0x400002, 0x01, HALF_ONE, 0, 0x40000055 },
        { 0x00000055, 0x000000, 0x00, HALF_ONE, 0, 0x00000055 }, /* zr = 0 */
        { 0x00000055, 0x000000, 0x11, HALF_ONE, 0, 0x00000055 },
        { 0xFFFFFF55, 0xFFFFFF, 0x00, HALF_ONE, 0, 0xFFFFFF55 },
        /* s = 0: depth alone. */
        { 0xFFFFFF55, 0x000000, 0x00, HALF_NAN, HALF_NAN, 0x00000055 },
        { 0x40000055, 0x3FFFFE, 0x00, HALF_ONE, 0, 0x3FFFFE55 },
        /* s > 0: intensity alone, only downwards. */
        { 0x80000080, 0x400000, 0x7F, HALF_ONE, 0, 0x8000007F },
        { 0x80000080, 0x400000, 0x80, HALF_ONE, 0, 0x80000080 },
        { 0x80000080, 0x400000, 0x81, HALF_ONE, 0, 0x80000080 },
        { 0x800000FF, 0x400000, 0x65, 0x4000, 0, 0x80000032 },          /* 101 / 2 = 50.5 -> 50 */
        { 0x800000FF, 0x600000, 0x64, HALF_ONE, HALF_ONE, 0x80000039 }, /* 100 / 1.75 = 57.14 */
        { 0x800000FF, 0x400000, 0x64, HALF_MINUS_ONE, 0, 0x80000000 },  /* -100 -> 0 */
        /* constant + linear . x = 0.5 - 0.5: +0 gives infinity: 255, not below FF; below nothing. */
        { 0x800000FF, 0x400000, 0x64, 0x3800, HALF_MINUS_ONE, 0x800000FF },
        /* -0 + (-0): -0 gives -infinity: 0. */
        { 0x800000FF, 0x400000, 0x64, 0x8000, 0x8000, 0x80000000 },
        { 0x800000FF, 0x400000, 0x64, 0x0000, 0x8000, 0x800000FF }, /* 0 + -0 = +0 */
        { 0x800000FF, 0x400000, 0x64, HALF_NAN, 0, 0x80000000 },
        { 0x800000FF, 0x400000, 0x64, HALF_ONE, HALF_NAN, 0x80000000 },
        { 0x800000FF, 0x400000, 0x64, HALF_INFINITE, 0, 0x80000000 },
        { 0x800000FF, 0x000000, 0x64, HALF_ONE, HALF_INFINITE, 0x80000064 }, /* x = 0: infinity . 0 = 0 */
        { 0x800000FF, 0x400000, 0x01, 0x0001, 0, 0x800000FF },               /* a denormal divisor: 2^24, limited */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        load_shadow_pixel(m, cases[i].stored);
        draw_shadow(m, cases[i].d, cases[i].s, cases[i].constant, cases[i].linear, NULL, 0);
        EXPECT_EQ(m, "SHW-01, SHW-02", shadow_pixel(m), cases[i].want);
        EXPECT_NO_EVENTS(m, "SHW-01");
    }
}

EACH_MACHINE(shadow, SHW_04_no_test_no_fog_no_blending_no_mask)
{
    static const struct setting settings[] = {
        { PICA_REG_FRAGOP_ALPHA_TEST, 0x0001 }, /* never */
        { PICA_REG_STENCIL_TEST, 0xFFFFFF01u }, /* never */
        { PICA_REG_STENCIL_OP, 0x222 },
        { PICA_REG_DEPTH_COLOR_MASK, 0x1001 }, /* depth never, no channel */
        { PICA_REG_BLEND_FUNC, 0x00000000 },   /* zero, zero */
        { PICA_REG_LOGIC_OP, 0 },
        { PICA_REG_TEXENV_UPDATE_BUFFER, 5 }, /* fog */
    };
    for (uint32_t logic = 0; logic < 2; logic++) {
        machine_reset(m);
        load_shadow_pixel(m, 0x800000FF);
        probe_clear_depth_stencil(m, 0x123456, 0x78);
        struct setting all[8];
        for (size_t i = 0; i < 7; i++)
            all[i] = settings[i];
        all[7] = (struct setting){ PICA_REG_COLOR_OPERATION, logic ? 0x00E40003u : 0x00E40103u };
        draw_shadow(m, 0x400000, 0x64, HALF_ONE, 0, all, 8);
        EXPECT_EQ(m, "SHW-04", shadow_pixel(m), 0x80000064u);
        EXPECT_EQ(m, "SHW-04", probe_depth_stencil(m, 2, 2), 0x78123456u);
        EXPECT_NO_EVENTS(m, "SHW-04");
    }
}

EACH_MACHINE(shadow, SHW_01_a_shadow_pixel_has_4_bytes_in_every_format)
{
    for (uint32_t format = 1; format < 8; format++) {
        machine_row(m, "format %u", (unsigned)format);
        load_shadow_pixel(m, 0x800000FF);
        const struct setting setting = { PICA_REG_COLORBUFFER_FORMAT, format << 16 };
        draw_shadow(m, 0x400000, 0x64, HALF_ONE, 0, &setting, 1);
        EXPECT_EQ(m, "SHW-01", shadow_pixel(m), 0x80000064u);
        EXPECT_ONLY_EVENTS(m, "SHW-01", PICA_EVENT_SHADOW_FORMAT);
    }
}

EACH_MACHINE(shadow, SHW_03_without_READ_or_WRITE_nothing_is_drawn)
{
    static const struct {
        uint32_t read, write, want;
    } cases[] = { { 0, 15, 0x80000055 }, { 15, 0, 0x80000055 }, { 0, 0, 0x80000055 }, { 1, 8, 0x40000055 } };
    for (size_t i = 0; i < 4; i++) {
        machine_row(m, "row %zu", i);
        load_shadow_pixel(m, 0x80000055);
        const struct setting settings[] = { { PICA_REG_COLORBUFFER_READ, cases[i].read },
                                            { PICA_REG_COLORBUFFER_WRITE, cases[i].write } };
        draw_shadow(m, 0x400000, 0, HALF_ONE, 0, settings, 2);
        EXPECT_EQ(m, "SHW-03", shadow_pixel(m), cases[i].want);
        EXPECT_EQ(m, "SHW-03", machine_event(m, PICA_EVENT_SHADOW_ACCESS), i != 3u);
    }
}

EACH_MACHINE(shadow, SHW_02_the_scissor_test_stays)
{
    load_shadow_pixel(m, 0x800000FF);
    const struct setting settings[] = { { PICA_REG_SCISSORTEST_MODE, 1 }, { PICA_REG_SCISSORTEST_DIM, 0x00070007 } };
    draw_shadow(m, 0x400000, 0, HALF_ONE, 0, settings, 2);
    EXPECT_EQ(m, "SHW-02, FBF-21", shadow_pixel(m), 0x800000FFu);
}

/* Two fragments on one pixel: nearest caster first, then a penumbra that compares with the new depth. */
EACH_MACHINE(shadow, SHW_02_fragments_of_a_batch_follow_each_other)
{
    load_shadow_pixel(m, 0xFFFFFFFF);
    struct list list = probe_list();
    list_write(&list, PICA_REG_COLOR_OPERATION, SHADOW);
    list_write(&list, PICA_REG_FRAGOP_SHADOW, HALF_ONE);
    struct probe_vertex v[9];
    static const float depths[3] = { -0.5f, -0.75f, -0.25f };
    static const uint32_t greens[3] = { 0, 100, 50 };
    for (size_t i = 0; i < 9; i += 3) {
        v[i] = snapped(40, 40);
        v[i + 1] = snapped(42, 40);
        v[i + 2] = snapped(40, 41);
        for (size_t k = 0; k < 3; k++)
            v[i + k].position[2] = depths[i / 3];
        probe_color(v + i, 3, 0, greens[i / 3], 0, 0);
    }
    probe_draw(m, &list, v, 9, PICA_TOPOLOGY_LIST);
    EXPECT_EQ(m, "SHW-02, RST-06", shadow_pixel(m), 0x7FFFFF32u); /* the second is deeper than 7FFFFF */
}
