/* 60-framebuffer.md section 11: batch events, each with the nearest case that does not record it. */
#include "tests/conformance/fragment_probe.h"
#include "tests/conformance/triangle_probe.h"

#define NONE ((enum pica_event)PICA_EVENT_TOTAL)

/* A quad with some registers; at most two events, NONE = no more. */
struct event_case {
    const char *name;
    struct setting settings[8];
    uint32_t n;
    enum pica_event events[3];
};

static void run_cases(struct machine *m, const char *rule, const struct event_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        machine_row(m, "%s", cases[i].name);
        draw_quad(m, 0xFFFFFFFF, cases[i].settings, cases[i].n);
        size_t count = 0;
        while (count < 3u && cases[i].events[count] != NONE)
            count++;
        cr_expect(machine_has_only_events(m, rule, cases[i].events, count), "%s", m->message);
    }
}

enum {
    MODE_GAS = 0x00E40101,
    MODE_2 = 0x00E40102,
    MODE_SHADOW = 0x00E40103
};

#define OFF(reg)          \
    {                     \
        PICA_REG_##reg, 0 \
    }
#define COLOR_OFF OFF(COLORBUFFER_READ), OFF(COLORBUFFER_WRITE)
#define DEPTH_OFF OFF(DEPTHBUFFER_READ), OFF(DEPTHBUFFER_WRITE)
#define MODE(mode)                     \
    {                                  \
        PICA_REG_COLOR_OPERATION, mode \
    }

EACH_MACHINE(framebuffer, FBF_02_FBF_05_FBF_08_events_of_surfaces_in_use)
{
    const uint32_t color = (COLOR_ADDRESS >> 3) | 4u, depth = (DEPTH_ADDRESS >> 3) | 1u;
    const struct event_case cases[] = {
        { "colour low bits", { { PICA_REG_COLORBUFFER_LOC, color } }, 1, { PICA_EVENT_FB_ADDRESS_LOW_BITS, NONE } },
        { "colour low bits, READ only",
          { { PICA_REG_COLORBUFFER_LOC, color }, OFF(COLORBUFFER_WRITE) },
          2,
          { PICA_EVENT_FB_ADDRESS_LOW_BITS, NONE } },
        { "colour low bits, colour off", { { PICA_REG_COLORBUFFER_LOC, color }, COLOR_OFF }, 3, { NONE } },
        { "colour low bits, mode 2",
          { { PICA_REG_COLORBUFFER_LOC, color }, MODE(MODE_2) },
          2,
          { PICA_EVENT_FRAGMENT_MODE_2, NONE } },
        { "colour low bits, gas",
          { { PICA_REG_COLORBUFFER_LOC, color }, MODE(MODE_GAS) },
          2,
          { PICA_EVENT_FB_ADDRESS_LOW_BITS, PICA_EVENT_GAS_MODE, NONE } },
        { "depth low bits", { { PICA_REG_DEPTHBUFFER_LOC, depth } }, 1, { PICA_EVENT_FB_ADDRESS_LOW_BITS, NONE } },
        { "depth low bits, WRITE only",
          { { PICA_REG_DEPTHBUFFER_LOC, depth }, OFF(DEPTHBUFFER_READ) },
          2,
          { PICA_EVENT_FB_ADDRESS_LOW_BITS, NONE } },
        { "depth low bits, depth off", { { PICA_REG_DEPTHBUFFER_LOC, depth }, DEPTH_OFF }, 3, { NONE } },
        { "depth low bits, gas",
          { { PICA_REG_DEPTHBUFFER_LOC, depth }, MODE(MODE_GAS) },
          2,
          { PICA_EVENT_GAS_MODE, NONE } },
        { "depth low bits, shadow", { { PICA_REG_DEPTHBUFFER_LOC, depth }, MODE(MODE_SHADOW) }, 2, { NONE } },
        { "width 8", { { PICA_REG_FRAMEBUFFER_DIM, 0x7008 } }, 1, { NONE } },
        { "width 16", { { PICA_REG_FRAMEBUFFER_DIM, 0x7010 } }, 1, { NONE } },
        { "width 9", { { PICA_REG_FRAMEBUFFER_DIM, 0x7009 } }, 1, { PICA_EVENT_FB_WIDTH_UNALIGNED, NONE } },
        { "width 15, both off", { { PICA_REG_FRAMEBUFFER_DIM, 0x700F }, COLOR_OFF, DEPTH_OFF }, 5, { NONE } },
        { "width 15, depth only",
          { { PICA_REG_FRAMEBUFFER_DIM, 0x700F }, COLOR_OFF },
          3,
          { PICA_EVENT_FB_WIDTH_UNALIGNED, NONE } },
        { "width 15, depth only in shadow mode",
          { { PICA_REG_FRAMEBUFFER_DIM, 0x700F }, COLOR_OFF, MODE(MODE_SHADOW) },
          4,
          { PICA_EVENT_SHADOW_ACCESS, NONE } },
        { "block32, width 8",
          { { PICA_REG_FRAMEBUFFER_BLOCK32, 1 } },
          1,
          { PICA_EVENT_BLOCK32_LAYOUT, PICA_EVENT_FB_WIDTH_UNALIGNED, NONE } },
        { "block32, width 32",
          { { PICA_REG_FRAMEBUFFER_BLOCK32, 1 }, { PICA_REG_FRAMEBUFFER_DIM, 0x7020 } },
          2,
          { PICA_EVENT_BLOCK32_LAYOUT, NONE } },
        { "block32, other bits", { { PICA_REG_FRAMEBUFFER_BLOCK32, 0xFFFFFFFE } }, 1, { NONE } },
        { "block32, both off", { { PICA_REG_FRAMEBUFFER_BLOCK32, 1 }, COLOR_OFF, DEPTH_OFF }, 5, { NONE } },
        { "block32, mode 2",
          { { PICA_REG_FRAMEBUFFER_BLOCK32, 1 }, MODE(MODE_2) },
          2,
          { PICA_EVENT_FRAGMENT_MODE_2, NONE } },
        { "width 0", { { PICA_REG_FRAMEBUFFER_DIM, 0x7000 } }, 1, { PICA_EVENT_OUTSIDE_FRAMEBUFFER, NONE } },
    };
    run_cases(m, "FBF-02, FBF-05, FBF-08, FBF-33", cases, sizeof cases / sizeof cases[0]);
}

EACH_MACHINE(framebuffer, FBF_01_FBF_19_fb_unmapped_looks_at_the_whole_extent)
{
    /* The VRAM window ends at 0x18040000. An 8x8 surface of 4 bytes ends 256 bytes after its address. */
    const uint32_t last = 0x1803FF00u >> 3, beyond = 0x1803FF40u >> 3, outside = 0x18100000u >> 3;
    const struct event_case cases[] = {
        { "colour to the last byte", { { PICA_REG_COLORBUFFER_LOC, last } }, 1, { NONE } },
        { "colour one step beyond", { { PICA_REG_COLORBUFFER_LOC, beyond } }, 1, { PICA_EVENT_FB_UNMAPPED, NONE } },
        { "colour beyond, 3 bytes",
          { { PICA_REG_COLORBUFFER_LOC, beyond }, { PICA_REG_COLORBUFFER_FORMAT, 0x10001 } },
          2,
          { NONE } },
        { "colour beyond, reserved format is 4 bytes",
          { { PICA_REG_COLORBUFFER_LOC, beyond }, { PICA_REG_COLORBUFFER_FORMAT, 0x50000 } },
          2,
          { PICA_EVENT_FB_UNMAPPED, PICA_EVENT_COLOR_FORMAT_RESERVED, NONE } },
        { "colour beyond, gas is 4 bytes",
          { { PICA_REG_COLORBUFFER_LOC, beyond }, { PICA_REG_COLORBUFFER_FORMAT, 0x10001 }, MODE(MODE_GAS) },
          3,
          { PICA_EVENT_FB_UNMAPPED, PICA_EVENT_GAS_MODE, NONE } },
        { "colour beyond, off", { { PICA_REG_COLORBUFFER_LOC, beyond }, COLOR_OFF }, 3, { NONE } },
        { "colour beyond, READ only",
          { { PICA_REG_COLORBUFFER_LOC, beyond }, OFF(COLORBUFFER_WRITE) },
          2,
          { PICA_EVENT_FB_UNMAPPED, NONE } },
        { "colour beyond, width 0",
          { { PICA_REG_COLORBUFFER_LOC, beyond }, { PICA_REG_FRAMEBUFFER_DIM, 0x7000 } },
          2,
          { PICA_EVENT_OUTSIDE_FRAMEBUFFER, NONE } },
        { "extent by rounded height",
          { { PICA_REG_COLORBUFFER_LOC, beyond }, { PICA_REG_FRAMEBUFFER_DIM, 0x0008 } },
          2,
          { PICA_EVENT_FB_UNMAPPED, PICA_EVENT_OUTSIDE_FRAMEBUFFER, NONE } },
        { "depth to the last byte", { { PICA_REG_DEPTHBUFFER_LOC, last } }, 1, { NONE } },
        { "depth beyond", { { PICA_REG_DEPTHBUFFER_LOC, beyond } }, 1, { PICA_EVENT_FB_UNMAPPED, NONE } },
        { "depth beyond, 3 bytes",
          { { PICA_REG_DEPTHBUFFER_LOC, beyond }, { PICA_REG_DEPTHBUFFER_FORMAT, 2 } },
          2,
          { NONE } },
        { "depth beyond, format 1 is 4 bytes",
          { { PICA_REG_DEPTHBUFFER_LOC, beyond }, { PICA_REG_DEPTHBUFFER_FORMAT, 1 } },
          2,
          { PICA_EVENT_FB_UNMAPPED, PICA_EVENT_DEPTH_FORMAT_1, NONE } },
        { "depth outside, off", { { PICA_REG_DEPTHBUFFER_LOC, outside }, DEPTH_OFF }, 3, { NONE } },
        { "depth outside, mode 2",
          { { PICA_REG_DEPTHBUFFER_LOC, outside }, MODE(MODE_2) },
          2,
          { PICA_EVENT_FRAGMENT_MODE_2, NONE } },
        { "colour outside", { { PICA_REG_COLORBUFFER_LOC, outside } }, 1, { PICA_EVENT_FB_UNMAPPED, NONE } },
    };
    run_cases(m, "FBF-01, FBF-19", cases, sizeof cases / sizeof cases[0]);
}

EACH_MACHINE(framebuffer, FBF_19_color_depth_overlap)
{
    const uint32_t base = COLOR_ADDRESS >> 3;
    const struct event_case cases[] = {
        { "touching", { { PICA_REG_DEPTHBUFFER_LOC, base + 32 } }, 1, { NONE } },
        { "64 bytes shared", { { PICA_REG_DEPTHBUFFER_LOC, base + 24 } }, 1, { PICA_EVENT_COLOR_DEPTH_OVERLAP, NONE } },
        { "shorter colour pixels",
          { { PICA_REG_DEPTHBUFFER_LOC, base + 24 }, { PICA_REG_COLORBUFFER_FORMAT, 0x10001 } },
          2,
          { NONE } },
        { "the same address", { { PICA_REG_DEPTHBUFFER_LOC, base } }, 1, { PICA_EVENT_COLOR_DEPTH_OVERLAP, NONE } },
        { "depth below, 16 bits",
          { { PICA_REG_COLORBUFFER_LOC, base + 16 },
            { PICA_REG_DEPTHBUFFER_LOC, base },
            { PICA_REG_DEPTHBUFFER_FORMAT, 0 } },
          3,
          { NONE } },
        { "depth below, 24 bits",
          { { PICA_REG_COLORBUFFER_LOC, base + 16 },
            { PICA_REG_DEPTHBUFFER_LOC, base },
            { PICA_REG_DEPTHBUFFER_FORMAT, 2 } },
          3,
          { PICA_EVENT_COLOR_DEPTH_OVERLAP, NONE } },
        { "depth off", { { PICA_REG_DEPTHBUFFER_LOC, base }, DEPTH_OFF }, 3, { NONE } },
        { "colour off", { { PICA_REG_DEPTHBUFFER_LOC, base }, COLOR_OFF }, 3, { NONE } },
        { "READ alone counts",
          { { PICA_REG_DEPTHBUFFER_LOC, base }, OFF(DEPTHBUFFER_WRITE), OFF(COLORBUFFER_WRITE) },
          3,
          { PICA_EVENT_COLOR_DEPTH_OVERLAP, NONE } },
        { "shadow mode has no depth", { { PICA_REG_DEPTHBUFFER_LOC, base }, MODE(MODE_SHADOW) }, 2, { NONE } },
        { "width 0",
          { { PICA_REG_DEPTHBUFFER_LOC, base }, { PICA_REG_FRAMEBUFFER_DIM, 0x7000 } },
          2,
          { PICA_EVENT_OUTSIDE_FRAMEBUFFER, NONE } },
    };
    run_cases(m, "FBF-19", cases, sizeof cases / sizeof cases[0]);
}

EACH_MACHINE(framebuffer, FBF_12_FBF_13_FBF_29_FBF_31_SHW_01_SHW_03_events_of_formats_masks_and_modes)
{
    const struct event_case cases[] = {
        { "format 5, colour off", { { PICA_REG_COLORBUFFER_FORMAT, 0x50002 }, COLOR_OFF }, 3, { NONE } },
        { "format 5, READ only",
          { { PICA_REG_COLORBUFFER_FORMAT, 0x50002 }, OFF(COLORBUFFER_WRITE) },
          2,
          { PICA_EVENT_COLOR_FORMAT_RESERVED, NONE } },
        { "format 6, gas",
          { { PICA_REG_COLORBUFFER_FORMAT, 0x60002 }, MODE(MODE_GAS) },
          2,
          { PICA_EVENT_GAS_MODE, NONE } },
        { "size 0, colour off", { { PICA_REG_COLORBUFFER_FORMAT, 0 }, COLOR_OFF }, 3, { NONE } },
        { "size 0", { { PICA_REG_COLORBUFFER_FORMAT, 0 } }, 1, { PICA_EVENT_COLOR_SIZE_MISMATCH, NONE } },
        { "size 0, gas", { { PICA_REG_COLORBUFFER_FORMAT, 0 }, MODE(MODE_GAS) }, 2, { PICA_EVENT_GAS_MODE, NONE } },
        { "size 0, shadow", { { PICA_REG_COLORBUFFER_FORMAT, 0 }, MODE(MODE_SHADOW) }, 2, { NONE } },
        { "mask with READ", { { PICA_REG_DEPTH_COLOR_MASK, 0x1700 } }, 1, { NONE } },
        { "mask without READ",
          { { PICA_REG_DEPTH_COLOR_MASK, 0x1700 }, OFF(COLORBUFFER_READ) },
          2,
          { PICA_EVENT_MASK_WITHOUT_READ, NONE } },
        { "full mask without READ", { { PICA_REG_DEPTH_COLOR_MASK, 0x0F00 }, OFF(COLORBUFFER_READ) }, 2, { NONE } },
        { "mask without READ and WRITE", { { PICA_REG_DEPTH_COLOR_MASK, 0x1700 }, COLOR_OFF }, 3, { NONE } },
        { "mask without READ, gas",
          { { PICA_REG_DEPTH_COLOR_MASK, 0 }, OFF(COLORBUFFER_READ), MODE(MODE_GAS) },
          3,
          { PICA_EVENT_GAS_MODE, NONE } },
        { "depth format 1", { { PICA_REG_DEPTHBUFFER_FORMAT, 1 } }, 1, { PICA_EVENT_DEPTH_FORMAT_1, NONE } },
        { "depth format 1, off", { { PICA_REG_DEPTHBUFFER_FORMAT, 1 }, DEPTH_OFF }, 3, { NONE } },
        { "depth format 1, gas",
          { { PICA_REG_DEPTHBUFFER_FORMAT, 1 }, MODE(MODE_GAS) },
          2,
          { PICA_EVENT_GAS_MODE, NONE } },
        { "dither in mode 2",
          { MODE(0x01000102) },
          1,
          { PICA_EVENT_COLOR_OP_DITHER, PICA_EVENT_FRAGMENT_MODE_2, NONE } },
        { "dither, colour off", { MODE(0x02000100), COLOR_OFF }, 3, { PICA_EVENT_COLOR_OP_DITHER, NONE } },
        { "bit 26", { MODE(0x04000100) }, 1, { NONE } },
        { "mode 2, everything off", { MODE(MODE_2), COLOR_OFF, DEPTH_OFF }, 5, { PICA_EVENT_FRAGMENT_MODE_2, NONE } },
        { "gas, everything off", { MODE(MODE_GAS), COLOR_OFF, DEPTH_OFF }, 5, { PICA_EVENT_GAS_MODE, NONE } },
        { "shadow format 0", { MODE(MODE_SHADOW) }, 1, { NONE } },
        { "shadow format 1",
          { MODE(MODE_SHADOW), { PICA_REG_COLORBUFFER_FORMAT, 0x10001 } },
          2,
          { PICA_EVENT_SHADOW_FORMAT, NONE } },
        { "shadow format 1, READ only",
          { MODE(MODE_SHADOW), { PICA_REG_COLORBUFFER_FORMAT, 0x10001 }, OFF(COLORBUFFER_WRITE) },
          3,
          { PICA_EVENT_SHADOW_FORMAT, PICA_EVENT_SHADOW_ACCESS, NONE } },
        { "shadow format 1, off",
          { MODE(MODE_SHADOW), { PICA_REG_COLORBUFFER_FORMAT, 0x10001 }, COLOR_OFF },
          4,
          { PICA_EVENT_SHADOW_ACCESS, NONE } },
        { "shadow without READ", { MODE(MODE_SHADOW), OFF(COLORBUFFER_READ) }, 2, { PICA_EVENT_SHADOW_ACCESS, NONE } },
        { "shadow without WRITE",
          { MODE(MODE_SHADOW), OFF(COLORBUFFER_WRITE) },
          2,
          { PICA_EVENT_SHADOW_ACCESS, NONE } },
    };
    run_cases(m, "FBF-12, FBF-13, FBF-29, FBF-14, FBF-31, FBF-30, GAS-01, SHW-01, SHW-03", cases,
              sizeof cases / sizeof cases[0]);
}

EACH_MACHINE(blend, BLD_04_blend_factor_15_is_an_event_where_blending_happens)
{
    const struct event_case cases[] = {
        { "source rgb", { { PICA_REG_BLEND_FUNC, 0x010F0000 } }, 1, { PICA_EVENT_BLEND_FACTOR_15, NONE } },
        { "dest rgb", { { PICA_REG_BLEND_FUNC, 0x01F10000 } }, 1, { PICA_EVENT_BLEND_FACTOR_15, NONE } },
        { "source a", { { PICA_REG_BLEND_FUNC, 0x0F010000 } }, 1, { PICA_EVENT_BLEND_FACTOR_15, NONE } },
        { "dest a", { { PICA_REG_BLEND_FUNC, 0xF1010000 } }, 1, { PICA_EVENT_BLEND_FACTOR_15, NONE } },
        { "14", { { PICA_REG_BLEND_FUNC, 0xEEEE0000 } }, 1, { NONE } },
        { "other bits", { { PICA_REG_BLEND_FUNC, 0x0101F8F8 } }, 1, { NONE } },
        { "logic op", { { PICA_REG_BLEND_FUNC, 0xFFFF0000 }, MODE(0x00E40000) }, 2, { NONE } },
        { "WRITE off", { { PICA_REG_BLEND_FUNC, 0xFFFF0000 }, OFF(COLORBUFFER_WRITE) }, 2, { NONE } },
        { "READ off",
          { { PICA_REG_BLEND_FUNC, 0xFFFF0000 }, OFF(COLORBUFFER_READ) },
          2,
          { PICA_EVENT_BLEND_FACTOR_15, NONE } },
        { "gas", { { PICA_REG_BLEND_FUNC, 0xFFFF0000 }, MODE(MODE_GAS) }, 2, { PICA_EVENT_GAS_MODE, NONE } },
    };
    run_cases(m, "BLD-04", cases, sizeof cases / sizeof cases[0]);
}

/* FBF-33: a batch is a drawing one if a triangle has an area and is kept, pixels or not. */
EACH_MACHINE(framebuffer, FBF_33_batch_events_need_a_triangle_with_an_area_that_is_kept)
{
    static const struct {
        int32_t corners[6];
        bool drawing;
    } cases[] = {
        { { 0, 0, 128, 0, 0, 128 }, true },
        { { 0, 0, 128, 0, 64, 0 }, false },
        { { 9, 9, 23, 9, 9, 23 }, true },    /* covers no centre */
        { { 0, 0, 0, 128, 128, 0 }, false }, /* culled below */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        const int32_t *const c = cases[i].corners;
        struct probe_vertex v[3] = { snapped(c[0], c[1]), snapped(c[2], c[3]), snapped(c[4], c[5]) };
        DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_FACECULLING_CONFIG, 2 }, MODE(0x01E40102));
        EXPECT_EQ(m, "FBF-33, GEN-09", machine_event(m, PICA_EVENT_FRAGMENT_MODE_2), cases[i].drawing);
        EXPECT_EQ(m, "FBF-33, GEN-09", machine_event(m, PICA_EVENT_COLOR_OP_DITHER), cases[i].drawing);
    }
    machine_reset(m);
    struct probe_vertex two[2] = { snapped(0, 0), snapped(128, 0) };
    DRAW(m, two, 2, PICA_TOPOLOGY_LIST, MODE(0x01E40102));
    EXPECT_NO_EVENTS(m, "FBF-33");
    machine_reset(m);
    DRAW_COLOR(m, 0xFFFFFFFF, MODE(0x01E40102), { PICA_REG_SCISSORTEST_MODE, 3 },
               { PICA_REG_SCISSORTEST_POS, 0x00090009 });
    EXPECT_ONLY_EVENTS(m, "FBF-33", PICA_EVENT_FRAGMENT_MODE_2, PICA_EVENT_COLOR_OP_DITHER);
}

/* FBF-34, class R. */
EACH_MACHINE(framebuffer, FBF_34_feedback_loop)
{
    static const struct {
        const char *name;
        uint32_t color, depth; /* addresses */
        uint32_t color_write, depth_write, mode, enabled;
        bool event;
    } cases[] = {
        { "texture apart", 0x18000000, 0x18010000, 15, 3, 0x00E40100, 1, false },
        { "texture in the colour surface", 0x20020000, 0x18010000, 15, 3, 0x00E40100, 1, true },
        { "last bytes of the colour surface", 0x2001FF40, 0x18010000, 15, 3, 0x00E40100, 1, true },
        { "just before it", 0x2001FF00, 0x18010000, 15, 3, 0x00E40100, 1, false },
        { "just behind it", 0x20020040, 0x18010000, 15, 3, 0x00E40100, 1, false }, /* 8x8 I8: 64 bytes */
        { "colour WRITE off", 0x20020000, 0x18010000, 0, 3, 0x00E40100, 1, false },
        { "mode 2", 0x20020000, 0x20020000, 15, 3, 0x00E40102, 1, false },
        { "texture in the depth surface", 0x18000000, 0x20020000, 15, 3, 0x00E40100, 1, true },
        { "depth WRITE off", 0x18000000, 0x20020000, 15, 0, 0x00E40100, 1, false },
        { "depth in gas mode", 0x18000000, 0x20020000, 15, 3, 0x00E40101, 1, false },
        { "unit disabled", 0x20020000, 0x18010000, 15, 3, 0x00E40100, 0, false },
        { "vertices in the colour surface", 0x20000000, 0x18010000, 15, 3, 0x00E40100, 0, true },
        { "vertices in the depth surface", 0x18000000, 0x20000000, 15, 3, 0x00E40100, 0, true },
        { "vertices, colour WRITE off", 0x20000000, 0x18010000, 0, 3, 0x00E40100, 0, false },
        { "behind the vertices", 0x20000180, 0x18010000, 15, 3, 0x00E40100, 0, false }, /* 4 * 96 bytes */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "%s", cases[i].name);
        struct probe_vertex quad[4];
        probe_quad(quad);
        struct list list = probe_list();
        texture_bind(&list, &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8 });
        probe_source(&list, 0);
        list_write(&list, PICA_REG_TEXUNIT_CONFIG, cases[i].enabled);
        list_write(&list, PICA_REG_COLORBUFFER_LOC, cases[i].color >> 3);
        list_write(&list, PICA_REG_DEPTHBUFFER_LOC, cases[i].depth >> 3);
        list_write(&list, PICA_REG_COLORBUFFER_WRITE, cases[i].color_write);
        list_write(&list, PICA_REG_DEPTHBUFFER_WRITE, cases[i].depth_write);
        list_write(&list, PICA_REG_COLOR_OPERATION, cases[i].mode);
        probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
        if (cases[i].event)
            EXPECT_EVENT(m, "FBF-34", PICA_EVENT_FEEDBACK_LOOP);
        else
            EXPECT_NO_EVENT(m, "FBF-34", PICA_EVENT_FEEDBACK_LOOP);
    }
}

/* FBF-34: index bytes; and vertices of a batch that draws nothing count too, textures do not. */
EACH_MACHINE(framebuffer, FBF_34_index_and_attribute_bytes_count_in_any_batch)
{
    static const struct {
        uint32_t color;
        bool event;
    } cases[] = { { 0x20010000, true }, { 0x2000FF00, false }, { 0x2000FF40, true }, { 0x20010040, false } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        struct probe_vertex v[3] = { snapped(0, 0), snapped(128, 0), snapped(64, 0) }; /* no area */
        probe_load_vertices(m, v, 3);
        machine_load(m, INDEX_ADDRESS, (const uint8_t[3]){ 0, 1, 2 }, 3);
        struct list list = probe_list();
        list_write(&list, PICA_REG_COLORBUFFER_LOC, cases[i].color >> 3);
        list_write(&list, PICA_REG_INDEXBUFFER_CONFIG, INDEX_ADDRESS - VERTEX_ADDRESS);
        list_draw_indexed(&list, 3);
        machine_submit(m, &list);
        if (cases[i].event)
            EXPECT_ONLY_EVENTS(m, "FBF-34", PICA_EVENT_FEEDBACK_LOOP);
        else
            EXPECT_NO_EVENTS(m, "FBF-34");
    }
}
