/* What holds for every trace, and the pixels that a draw counts. */
#include "tests/conformance/geometry_probe.h"
#include "tests/conformance/triangle_probe.h"
#include "tests/reference/tracer.h"

#include <stdlib.h>
#include <string.h>

static struct tracer tracer;

static void draw_triangles(struct machine *m, const struct setting *settings, size_t n)
{
    struct probe_vertex v[6];
    for (size_t i = 0; i < 6; i++) {
        v[i] = i % 3 == 0 ? snapped(0, 0) : i % 3 == 1 ? snapped(128, 0) : snapped(0, 128);
        probe_color(&v[i], 1, 40u * (uint32_t)i, 200, 10, 255);
    }
    struct list list = probe_list();
    for (size_t i = 0; i < n; i++)
        list_write(&list, settings[i].id, settings[i].value);
    probe_draw(m, &list, v, 6, PICA_TOPOLOGY_LIST);
}

/* A trace changes no byte, no register and no event. */
EACH_TRACER(trace, changes_no_result)
{
    static const enum pica_trace_subject subjects[] = { PICA_TRACE_PIXEL, PICA_TRACE_VERTEX, PICA_TRACE_VERTICES };
    static uint8_t plain[0x20000], traced[0x20000];
    struct pica_state *const state = malloc(sizeof *state);
    cr_assert_not_null(state);
    draw_triangles(m, NULL, 0);
    machine_memory(m, COLOR_ADDRESS, plain, sizeof plain);
    *state = *machine_state(m);
    const struct pica_events events = machine_events(m);
    for (size_t i = 0; i < 3; i++) {
        machine_reset(m);
        if (subjects[i] == PICA_TRACE_PIXEL)
            tracer_pixel(&tracer, m, 0, 2, 2);
        else if (subjects[i] == PICA_TRACE_VERTEX)
            tracer_vertex(&tracer, m, 0, 2);
        else
            tracer_vertices(&tracer, m, 0);
        draw_triangles(m, NULL, 0);
        tracer_stop(&tracer);
        machine_memory(m, COLOR_ADDRESS, traced, sizeof traced);
        const struct pica_events after = machine_events(m);
        cr_expect_gt(tracer.count, 0);
        cr_expect_arr_eq(traced, plain, sizeof plain);
        cr_expect_eq(memcmp(machine_state(m), state, sizeof *state), 0);
        cr_expect_arr_eq(after.words, events.words, sizeof events.words);
    }
    free(state);
}

static bool seen[PICA_TRACE_IDS];

static void note_steps(void)
{
    tracer_stop(&tracer);
    for (uint32_t id = 0; id < PICA_TRACE_IDS; id++)
        seen[id] = seen[id] || tracer_occurrences(&tracer, (enum pica_trace_id)id) > 0;
}

/* A vertex that sets off a geometry shader, and a pixel in each fragment mode that writes. */
EACH_TRACER(trace, has_every_step_that_is_always_needed)
{
    static const uint32_t modes[] = { 0x00E40100, 0x00E40101, 0x00E40103 };
    memset(seen, 0, sizeof seen);
    struct list list = gs_list(m, NULL, 0);
    list_write(&list, PICA_REG_GEOSTAGE_CONFIG, 2);
    tracer_vertices(&tracer, m, 0);
    gs_draw(m, &list, 1);
    note_steps();
    machine_reset(m);
    tracer_vertices(&tracer, m, 0);
    draw_triangles(m, NULL, 0);
    note_steps();
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        const struct setting mode = { PICA_REG_COLOR_OPERATION, modes[i] };
        machine_reset(m);
        tracer_pixel(&tracer, m, 0, 2, 2);
        draw_triangles(m, &mode, 1);
        note_steps();
    }
    for (uint32_t id = 0; id < PICA_TRACE_IDS; id++) {
        const struct pica_trace_info *const info = pica_trace_info((enum pica_trace_id)id);
        cr_expect(seen[id] || info->need != PICA_TRACE_ALWAYS, "%s: %s, %s", m->name, info->stage, info->name);
    }
}

/* Requests for a draw, a vertex or a pixel that never comes, and no request, report nothing. */
EACH_TRACER(trace, of_what_never_comes_is_empty)
{
    tracer_pixel(&tracer, m, 5, 2, 2);
    draw_triangles(m, NULL, 0);
    cr_expect_eq(tracer.count, 0);
    tracer_pixel(&tracer, m, 1, 8, 0);
    draw_triangles(m, NULL, 0);
    cr_expect_eq(tracer.count, 0);
    tracer_vertex(&tracer, m, 2, 6);
    draw_triangles(m, NULL, 0);
    cr_expect_eq(tracer.count, 0);
    tracer_pixel(&tracer, m, 3, 2, 2);
    tracer_stop(&tracer);
    draw_triangles(m, NULL, 0);
    const struct pica_trace_request request = { 4, PICA_TRACE_PIXEL, 2, 2 };
    cr_expect_eq(m->backend->trace(m->instance, &request, NULL, NULL), PICA_OK);
    draw_triangles(m, NULL, 0);
    cr_expect_eq(tracer.count, 0);
}

/* ------------------------------------------------------------------------------------------------- struct pica_draw */

struct draws {
    uint32_t count;
    uint32_t pixels[8];
};

static void observe(void *user, const struct pica_draw *draw)
{
    struct draws *const draws = user;
    cr_assert_lt(draws->count, 8);
    draws->pixels[draws->count++] = draw->pixels;
}

/* Each of the two triangles covers 28 pixels (RST's worked example); a visit that writes twice counts once. */
EACH_TRACER(draw, counts_the_pixels_that_it_writes)
{
    static const struct {
        const char *label;
        struct setting setting;
        uint32_t pixels;
    } rows[] = {
        { "colour and depth", { PICA_REG_UNUSED_22B, 0 }, 56 },
        { "scissor", { PICA_REG_SCISSORTEST_MODE, 3 }, 2 },
        { "depth function never", { PICA_REG_DEPTH_COLOR_MASK, 0x1F01 }, 0 },
        { "alpha function never", { PICA_REG_FRAGOP_ALPHA_TEST, 1 }, 0 },
        { "depth alone", { PICA_REG_COLORBUFFER_WRITE, 0 }, 56 },
        { "colour alone, all channels masked", { PICA_REG_DEPTH_COLOR_MASK, 0 }, 56 },
        { "mode 2", { PICA_REG_COLOR_OPERATION, 0x00E40102 }, 0 },
        { "gas", { PICA_REG_COLOR_OPERATION, 0x00E40101 }, 56 },
        { "shadow: depth 0 is nearest already", { PICA_REG_COLOR_OPERATION, 0x00E40103 }, 0 },
        { "outside the windows", { PICA_REG_COLORBUFFER_LOC, 0x17000000u >> 3 }, 56 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct draws draws = { .count = 0 };
        machine_row(m, "%s", rows[i].label);
        cr_assert_eq(m->backend->observe_draws(m->instance, observe, &draws), PICA_OK);
        draw_triangles(m, &rows[i].setting, 1);
        draw_triangles(m, &rows[i].setting, 1);
        EXPECT_EQ(m, "FBF-21", draws.count, 2);
        EXPECT_EQ(m, "FBF-21", draws.pixels[0], rows[i].pixels);
        EXPECT_EQ(m, "FBF-21", draws.pixels[1], rows[i].pixels); /* each draw counts its own */
        cr_assert_eq(m->backend->observe_draws(m->instance, NULL, NULL), PICA_OK);
    }
}
