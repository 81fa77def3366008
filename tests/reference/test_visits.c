/* Histories of pixels in bulk (pica/visits.h): what reached a pixel, what ended it, what was stored. */
#include "tests/conformance/fragment_probe.h"
#include "tests/conformance/triangle_probe.h"
#include "tests/reference/tracer.h"

#include "reference/reference.h"

#include <string.h>

enum {
    MOST_VISITS = 16
};

/* Wants the fragments of one pixel, and hears of them. */
struct watcher {
    struct machine *m;
    uint32_t x, y;
    enum pica_visit_wish wish;
    uint32_t count;
    struct pica_visit visits[MOST_VISITS];
    struct tracer steps;
};
static struct watcher watcher;

static enum pica_visit_wish wants(void *user, uint32_t draw, uint32_t x, uint32_t y)
{
    const struct watcher *const w = user;
    (void)draw;
    return x == w->x && y == w->y ? w->wish : PICA_VISIT_UNWANTED;
}

static void take_step(void *user, const struct pica_trace_step *step)
{
    struct watcher *const w = user;
    cr_assert_lt(w->steps.count, TRACER_STEPS);
    w->steps.steps[w->steps.count++] = *step;
}

static void take_visit(void *user, const struct pica_visit *visit)
{
    struct watcher *const w = user;
    cr_assert_lt(w->count, MOST_VISITS);
    w->visits[w->count++] = *visit;
}

static void watch(struct machine *m, uint32_t x, uint32_t y, enum pica_visit_wish wish)
{
    const struct pica_visits visits = { wants, NULL, take_step, take_visit, &watcher };
    watcher.m = m;
    watcher.x = x;
    watcher.y = y;
    watcher.wish = wish;
    watcher.count = 0;
    watcher.steps.m = m;
    watcher.steps.count = 0;
    cr_assert_eq(ref_observe_visits(m->instance, &visits), PICA_OK);
}

static void watch_nothing(struct machine *m)
{
    cr_assert_eq(ref_observe_visits(m->instance, NULL), PICA_OK);
}

static void expect_pixel(const char *what, const struct pica_visit_pixel *pixel, uint32_t address, uint32_t before,
                         uint32_t after)
{
    const char *const row = watcher.m->row;
    cr_expect_eq(pixel->bytes, 4, "%s: %s: %u bytes", row, what, (unsigned)pixel->bytes);
    cr_expect_eq(pixel->address, address, "%s: %s: at %08X", row, what, (unsigned)pixel->address);
    cr_expect_eq(pixel->before, before, "%s: %s: before: %08X", row, what, (unsigned)pixel->before);
    cr_expect_eq(pixel->after, after, "%s: %s: after: %08X", row, what, (unsigned)pixel->after);
}

/* ------------------------------------------------------------------------------------------------ how fragments end */

/* Colour (10, 20, 30, 255), depth 123456 and stencil F0 are stored; (200, 100, 50, 128) comes with depth 7FFFFF. */
static const uint32_t COLOR = 0x0A141EFFu, DEPTH = 0xF0123456u;
static const uint32_t NEW_COLOR = 0xC8643280u, NEW_DEPTH = 0xF07FFFFFu;

struct ending {
    const char *label;
    struct setting settings[3]; /* up to the first id 0 */
    enum pica_visit_end end;
    bool has_written;
    uint32_t color, depth; /* afterwards */
};

static void expect_ending(struct machine *m, const struct ending *row)
{
    /* FBF-07: pixel (2, 3) is number 001110b = 14 of its tile. */
    const uint32_t offset = 4 * 14;
    size_t settings = 0;
    while (settings < 3 && row->settings[settings].id != 0)
        settings++;
    machine_row(m, "%s", row->label);
    probe_clear_color(m, 10, 20, 30, 255);
    probe_clear_depth_stencil(m, 0x123456, 0xF0);
    watch(m, 2, 3, PICA_VISIT_ALONE);
    draw_quad(m, NEW_COLOR, row->settings, settings);
    watch_nothing(m);
    cr_assert_eq(watcher.count, 1, "%s: %u fragments", row->label, (unsigned)watcher.count);
    const struct pica_visit *const visit = &watcher.visits[0];
    cr_expect_eq(visit->end, row->end, "%s: end %u", row->label, (unsigned)visit->end);
    cr_expect_eq(visit->has_written, row->has_written, "%s: has written: %d", row->label, (int)visit->has_written);
    expect_pixel("colour", &visit->color, COLOR_ADDRESS + offset, COLOR, row->color);
    expect_pixel("depth", &visit->depth, DEPTH_ADDRESS + offset, DEPTH, row->depth);
    cr_expect_eq(machine_word(m, COLOR_ADDRESS + offset), row->color, "%s: memory", row->label);
    cr_expect_eq(machine_word(m, DEPTH_ADDRESS + offset), row->depth, "%s: memory", row->label);
}

EACH_TRACER(visits, FBF_21_say_which_test_ended_a_fragment_and_what_was_stored)
{
    static const struct ending rows[] = {
        { "passes", { { 0, 0 } }, PICA_VISIT_PASSED, true, NEW_COLOR, NEW_DEPTH },
        { "ATS-01: 128 < 128", { { PICA_REG_FRAGOP_ALPHA_TEST, 0x8041 } }, PICA_VISIT_ALPHA_TEST, false, COLOR, DEPTH },
        { "STC-05: fails, replaces the low half of F0 by that of 3C",
          { { PICA_REG_STENCIL_TEST, 0xFF3C0F61u }, { PICA_REG_STENCIL_OP, 2 } },
          PICA_VISIT_STENCIL_TEST,
          true,
          COLOR,
          0xFC123456u },
        { "STC-04: fails, keeps, which writes the same byte",
          { { PICA_REG_STENCIL_TEST, 0xFF3C0F61u }, { PICA_REG_STENCIL_OP, 0 } },
          PICA_VISIT_STENCIL_TEST,
          true,
          COLOR,
          DEPTH },
        { "FBF-27: stencil fails, WRITE of the depth buffer off",
          { { PICA_REG_STENCIL_TEST, 0xFF3C0F61u }, { PICA_REG_STENCIL_OP, 2 }, { PICA_REG_DEPTHBUFFER_WRITE, 0 } },
          PICA_VISIT_STENCIL_TEST,
          false,
          COLOR,
          DEPTH },
        { "DPT-02: 7FFFFF < 123456",
          { { PICA_REG_DEPTH_COLOR_MASK, 0x1F41 } },
          PICA_VISIT_DEPTH_TEST,
          false,
          COLOR,
          DEPTH },
        { "STC-06: the stencil passes, the depth test fails and replaces",
          { { PICA_REG_DEPTH_COLOR_MASK, 0x1F41 },
            { PICA_REG_STENCIL_TEST, 0xFF3CFF11u },
            { PICA_REG_STENCIL_OP, 0x20 } },
          PICA_VISIT_DEPTH_TEST,
          true,
          COLOR,
          0x3C123456u },
        { "LOP-01: no test, NOOP stores the colour that is there",
          { { PICA_REG_COLOR_OPERATION, 0x00E40000 }, { PICA_REG_LOGIC_OP, 6 } },
          PICA_VISIT_PASSED,
          true,
          COLOR,
          NEW_DEPTH },
        { "FBF-25, FBF-27: passes, WRITE of both buffers off",
          { { PICA_REG_COLORBUFFER_WRITE, 0 }, { PICA_REG_DEPTHBUFFER_WRITE, 0 } },
          PICA_VISIT_PASSED,
          false,
          COLOR,
          DEPTH },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_ending(m, &rows[i]);
}

/* SHW-02, GAS-01: there is no test; mode 2 (FBF-30) changes no memory. */
EACH_TRACER(visits, FBF_22_the_other_fragment_modes_end_by_no_test)
{
    static const struct ending rows[] = {
        { "gas", { { PICA_REG_COLOR_OPERATION, 0x00E40101 } }, PICA_VISIT_PASSED, true, 0x7FFF1234, 0 },
        { "nothing", { { PICA_REG_COLOR_OPERATION, 0x00E40102 } }, PICA_VISIT_PASSED, false, 0x7EFF1234, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_reset(m);
        machine_load_word(m, COLOR_ADDRESS + 4 * 14, 0x7EFF1234);
        watch(m, 2, 3, PICA_VISIT_ALONE);
        draw_quad(m, NEW_COLOR, rows[i].settings, 1);
        watch_nothing(m);
        cr_assert_eq(watcher.count, 1);
        cr_expect_eq(watcher.visits[0].end, PICA_VISIT_PASSED, "%s", rows[i].label);
        cr_expect_eq(watcher.visits[0].has_written, rows[i].has_written, "%s", rows[i].label);
        if (rows[i].has_written)
            expect_pixel(rows[i].label, &watcher.visits[0].color, COLOR_ADDRESS + 4 * 14, 0x7EFF1234, rows[i].color);
    }
}

/* ----------------------------------------------------------------------------------------------- which there are */

/* Counter-clockwise, clockwise, counter-clockwise; all of them cover (1, 1). */
static void draw_three(struct machine *m, uint32_t culling)
{
    struct probe_vertex v[9];
    for (size_t i = 0; i < 9; i++) {
        const size_t corner = i / 3 == 1 ? 2 - i % 3 : i % 3;
        v[i] = corner == 0 ? snapped(0, 0) : corner == 1 ? snapped(128, 0) : snapped(0, 128);
    }
    probe_color(v, 3, 1, 2, 3, 4);
    probe_color(v + 3, 3, 5, 6, 7, 8);
    probe_color(v + 6, 3, 9, 10, 11, 12);
    struct list list = probe_list();
    list_write(&list, PICA_REG_FACECULLING_CONFIG, culling);
    probe_draw(m, &list, v, 9, PICA_TOPOLOGY_LIST);
}

static void expect_visit(uint32_t i, uint32_t draw, uint32_t triangle, uint32_t before, uint32_t after)
{
    const struct pica_visit *const visit = &watcher.visits[i];
    cr_assert_lt(i, watcher.count);
    cr_expect_eq(visit->draw, draw, "visit %u: draw %u", (unsigned)i, (unsigned)visit->draw);
    cr_expect_eq(visit->triangle, triangle, "visit %u: triangle %u", (unsigned)i, (unsigned)visit->triangle);
    cr_expect(visit->x == 1 && visit->y == 1);
    cr_expect_eq(visit->color.before, before, "visit %u: before %08X", (unsigned)i, (unsigned)visit->color.before);
    cr_expect_eq(visit->color.after, after, "visit %u: after %08X", (unsigned)i, (unsigned)visit->color.after);
}

/* FBF-18: a fragment finds what the one before it left, although memory has it only after the batch. */
EACH_TRACER(visits, RST_06_come_in_drawing_order_and_see_what_those_before_left)
{
    watch(m, 1, 1, PICA_VISIT_ALONE);
    draw_three(m, 0);
    draw_three(m, 0);
    watch_nothing(m);
    draw_three(m, 0);
    cr_assert_eq(watcher.count, 6);
    expect_visit(0, 0, 0, 0, 0x01020304);
    expect_visit(1, 0, 1, 0x01020304, 0x05060708);
    expect_visit(2, 0, 2, 0x05060708, 0x090A0B0C);
    expect_visit(3, 1, 0, 0x090A0B0C, 0x01020304);
}

/* CUL-02: mode 1 keeps the clockwise one, mode 2 the other two. */
EACH_TRACER(visits, CUL_02_do_not_count_triangles_that_are_culled)
{
    watch(m, 1, 1, PICA_VISIT_ALONE);
    draw_three(m, 1);
    cr_assert_eq(watcher.count, 1);
    expect_visit(0, 0, 0, 0, 0x05060708);
    draw_three(m, 2);
    watch_nothing(m);
    cr_assert_eq(watcher.count, 3);
    expect_visit(1, 1, 0, 0x05060708, 0x01020304);
    expect_visit(2, 1, 1, 0x01020304, 0x090A0B0C);
}

/* SCS-01. */
EACH_TRACER(visits, SCS_01_are_not_there_for_pixels_that_the_scissor_removes)
{
    static const struct setting inside[] = { { PICA_REG_SCISSORTEST_MODE, 3 },
                                             { PICA_REG_SCISSORTEST_POS, 0 },
                                             { PICA_REG_SCISSORTEST_DIM, 3u << 16 | 3u } };
    watch(m, 2, 4, PICA_VISIT_ALONE);
    draw_quad(m, NEW_COLOR, inside, 3);
    cr_expect_eq(watcher.count, 0);
    watch(m, 2, 3, PICA_VISIT_ALONE);
    draw_quad(m, NEW_COLOR, inside, 3);
    watch_nothing(m);
    cr_expect_eq(watcher.count, 1);
}

/* RST-04: pixel (7, 7) lies outside the triangle that covers the lower left half, and (8, 0) outside the target. */
EACH_TRACER(visits, RST_04_of_a_pixel_that_nobody_covers_there_are_none)
{
    struct probe_vertex v[3] = { snapped(0, 0), snapped(128, 0), snapped(0, 128) };
    static const uint32_t pixels[][2] = { { 7, 7 }, { 8, 0 }, { 0, 65535 }, { UINT32_MAX, UINT32_MAX } };
    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++) {
        watch(m, pixels[i][0], pixels[i][1], PICA_VISIT_ALONE);
        DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
        cr_expect_eq(watcher.count, 0, "pixel %u", (unsigned)i);
    }
    watch_nothing(m);
}

/* PSC-03, TXC-03: fills and copies are no fragments, but the next one finds what they stored. */
EACH_TRACER(visits, find_what_a_fill_or_a_copy_left)
{
    watch(m, 2, 3, PICA_VISIT_ALONE);
    machine_fill(m, 0, COLOR_ADDRESS, COLOR_ADDRESS + 0x100, 0x01020304, 0x201);
    cr_expect_eq(watcher.count, 0);
    draw_quad(m, NEW_COLOR, NULL, 0);
    machine_load_word(m, TEXTURE_ADDRESS + 4 * 14, 0x05060708);
    machine_transfer(m,
                     &(struct transfer){ .in = TEXTURE_ADDRESS, .out = COLOR_ADDRESS, .flags = 8, .copy_size = 256 });
    cr_expect_eq(watcher.count, 1);
    draw_quad(m, NEW_COLOR, NULL, 0);
    watch_nothing(m);
    cr_assert_eq(watcher.count, 2);
    cr_expect_eq(watcher.visits[0].color.before, 0x01020304, "%08X", (unsigned)watcher.visits[0].color.before);
    cr_expect_eq(watcher.visits[1].color.before, 0x05060708, "%08X", (unsigned)watcher.visits[1].color.before);
    cr_expect_eq(watcher.visits[1].color.after, NEW_COLOR);
}

/*
 * Pixel (2035, 1020) of 2040 x 1024: tile row 127 and column 254, so 1016 * 2040 + 2032 * 8 pixels come before its
 * tile; inside it column 3 = 011b and row 4 = 100b give 100101b = 37: number 2088933, byte 0x7F7F94.
 */
EACH_TRACER(visits, FBF_07_of_the_last_pixels_of_the_largest_buffers)
{
    static const uint32_t pixel = 0x217F7F94u;
    struct pica_setup setup = machine_default_setup();
    struct pica_window windows[3] = { setup.windows[0], setup.windows[1], { 0x217F7000u, 0x1000 } };
    static const struct setting settings[] = { { PICA_REG_COLORBUFFER_LOC, 0x21000000u >> 3 },
                                               { PICA_REG_DEPTHBUFFER_READ, 0 },
                                               { PICA_REG_DEPTHBUFFER_WRITE, 0 } };
    /* Corners (2035, 1020), (2036.5, 1020), (2035, 1021.5) in a view of 2048 x 1024. */
    const struct probe_vertex v[3] = { probe_vertex_at(2035 / 1024.0f - 1, 1020 / 512.0f - 1, -0.5f, 1),
                                       probe_vertex_at(2036.5f / 1024.0f - 1, 1020 / 512.0f - 1, -0.5f, 1),
                                       probe_vertex_at(2035 / 1024.0f - 1, 1021.5f / 512.0f - 1, -0.5f, 1) };
    struct list list = { .count = 0 };
    setup.windows = windows;
    setup.window_count = 3;
    machine_load_setup(m, &setup);
    machine_load_word(m, pixel, 0x01020304);
    probe_pipeline(&list);
    probe_size(&list, 2040, 1024);
    list_write(&list, PICA_REG_VIEWPORT_WIDTH, float24(1024));
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        list_write(&list, settings[i].id, settings[i].value);
    watch(m, 2035, 1020, PICA_VISIT_ALONE);
    probe_draw(m, &list, v, 3, PICA_TOPOLOGY_LIST);
    watch_nothing(m);
    cr_assert_eq(watcher.count, 1);
    const struct pica_visit *const visit = &watcher.visits[0];
    expect_pixel("colour", &visit->color, pixel, 0x01020304, 0xFFFFFFFFu);
    cr_expect_eq(visit->depth.bytes, 0, "no depth buffer is in use");
    cr_expect_eq(machine_word(m, pixel), 0xFFFFFFFFu);
}

/* ------------------------------------------------------------------------------------------------- who watches how */

/* Without a wish for steps there are none; with it, those that the trace of the pixel has. */
EACH_TRACER(visits, have_the_steps_that_a_trace_of_the_pixel_has)
{
    static struct tracer tracer;
    tracer_pixel(&tracer, m, 0, 1, 1);
    draw_three(m, 0);
    tracer_stop(&tracer);
    machine_reset(m);
    watch(m, 1, 1, PICA_VISIT_ALONE);
    draw_three(m, 0);
    cr_expect_eq(watcher.steps.count, 0);
    machine_reset(m);
    watch(m, 1, 1, PICA_VISIT_WITH_STEPS);
    draw_three(m, 0);
    watch_nothing(m);
    cr_assert_gt(tracer.count, 0);
    cr_expect_eq(watcher.steps.count, tracer.count);
    cr_expect(tracer_contains(&watcher.steps, 0, &tracer));
}

static bool wants_vertex(void *user, uint32_t draw, uint32_t vertex)
{
    (void)user;
    return draw == 1 && vertex == 2;
}

/* Also after a fragment whose steps nobody wants. */
EACH_TRACER(visits, have_the_steps_of_the_vertices_that_are_asked_for)
{
    const struct pica_visits visits = { wants, wants_vertex, take_step, take_visit, &watcher };
    static struct tracer tracer;
    tracer_vertex(&tracer, m, 1, 2);
    draw_three(m, 0);
    draw_three(m, 0);
    tracer_stop(&tracer);
    machine_reset(m);
    watch(m, 1, 1, PICA_VISIT_ALONE);
    cr_assert_eq(ref_observe_visits(m->instance, &visits), PICA_OK);
    draw_three(m, 0);
    draw_three(m, 0);
    draw_three(m, 0);
    watch_nothing(m);
    cr_assert_gt(tracer.count, 0);
    cr_expect_eq(watcher.count, 9);
    cr_expect_eq(watcher.steps.count, tracer.count);
    cr_expect(tracer_contains(&watcher.steps, 0, &tracer));
}

/* Whichever of trace and visits was called last holds; a load ends neither. */
EACH_TRACER(visits, end_with_a_trace_and_a_trace_ends_with_them)
{
    static struct tracer tracer;
    watch(m, 1, 1, PICA_VISIT_ALONE);
    tracer_pixel(&tracer, m, 0, 1, 1);
    draw_three(m, 0);
    cr_expect_eq(watcher.count, 0);
    const uint32_t traced = tracer.count;
    cr_expect_gt(traced, 0);
    machine_reset(m);
    watch(m, 1, 1, PICA_VISIT_ALONE);
    machine_reset(m);
    draw_three(m, 0);
    cr_expect_eq(watcher.count, 3);
    cr_expect_eq(tracer.count, traced);
    watch_nothing(m);
    draw_three(m, 0);
    cr_expect_eq(watcher.count, 3);
}
