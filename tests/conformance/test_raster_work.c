/* 30-rasterizer.md section 4: shading, the second sum of LIM_WORK (RST-09). Steps stay below it everywhere here. */
#include "tests/conformance/triangle_probe.h"

enum {
    BOX = 64, /* pixels of the probe's target, which all boxes here fill */
    MOST = 40 /* what a pixel counts at most, with the next three registers */
};

#define MOST_LIGHTS                     \
    { PICA_REG_LIGHTING_ENABLE1, 0 },   \
    {                                   \
        PICA_REG_LIGHTING_NUM_LIGHTS, 7 \
    }
#define MOST_UNITS                     \
    {                                  \
        PICA_REG_TEXUNIT_CONFIG, 0x407 \
    }

/* Three times the triangle below the diagonal (28 pixels), then the one above it (36). */
static void triangles(struct probe_vertex v[12])
{
    for (size_t i = 0; i < 9; i += 3) {
        v[i] = snapped(0, 0);
        v[i + 1] = snapped(128, 0);
        v[i + 2] = snapped(0, 128);
    }
    v[9] = snapped(128, 0);
    v[10] = snapped(128, 128);
    v[11] = snapped(0, 128);
}

EACH_MACHINE(raster, RST_09_a_pixel_of_the_box_counts_8_and_more_for_lights_and_units)
{
    static const struct {
        uint32_t lighting_off, lights, units, c;
    } rows[] = {
        { 1, 7, 0, 8 },     { 1, 0, 1 << 0, 12 }, { 1, 0, 1 << 1 | 1 << 2, 16 },          { 1, 0, 1 << 10, 12 },
        { 1, 0, 0xB08, 8 }, { 0, 0, 0, 10 },      { 0xFFFFFFFE, 0xFFFFFFFA, 1 << 2, 18 }, { 0, 7, 0x407, MOST },
    };
    struct probe_vertex v[12];
    triangles(v);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (uint32_t enough = 0; enough < 2; enough++) {
            machine_load_work(m, 4u * BOX * rows[i].c - 1u + enough);
            machine_case(m, "row %zu, %s", i, enough ? "enough" : "one less");
            DRAW(m, v, 12, PICA_TOPOLOGY_LIST, { PICA_REG_LIGHTING_ENABLE1, rows[i].lighting_off },
                 { PICA_REG_LIGHTING_NUM_LIGHTS, rows[i].lights }, { PICA_REG_TEXUNIT_CONFIG, rows[i].units });
            EXPECT_EQ(m, "RST-09", machine_event(m, PICA_EVENT_BUDGET_WORK), !enough);
            EXPECT_EQ(m, "RST-09", probe_covered(m, 0), enough ? 64 : 28);
            EXPECT_NO_EVENT(m, "RST-09, CMD-23", PICA_EVENT_NO_FINALIZE);
        }
}

/* The fourth triangle does not fit; a smaller one of the next submission is not drawn either, and counts nowhere. */
EACH_MACHINE(raster, RST_09_what_does_not_fit_ends_drawing_for_the_rest_of_the_case)
{
    struct probe_vertex v[12];
    struct probe_vertex small[3] = { snapped(96, 96), snapped(128, 96), snapped(96, 128) };
    struct pica_limits limits = machine_default_limits();
    limits.pixels = 4 * BOX;
    triangles(v);
    machine_load_limits(m, &limits);
    machine_load_work(m, 4 * BOX * MOST - 1);
    DRAW(m, v, 12, PICA_TOPOLOGY_LIST, MOST_LIGHTS, MOST_UNITS);
    EXPECT_EQ(m, "RST-09", probe_covered(m, 0), 28);
    EXPECT_EVENT(m, "RST-09", PICA_EVENT_BUDGET_WORK);
    DRAW(m, small, 3, PICA_TOPOLOGY_LIST, MOST_LIGHTS, MOST_UNITS);
    EXPECT_EQ(m, "RST-09", probe_pixel(m, 6, 6), 0);
    DRAW(m, v, 12, PICA_TOPOLOGY_STRIP, MOST_LIGHTS, MOST_UNITS); /* more boxes than LIM_PIXELS, if they counted */
    EXPECT_NO_EVENT(m, "RST-09", PICA_EVENT_BUDGET_PIXELS);
    EXPECT_NO_EVENT(m, "RST-09", PICA_EVENT_NO_FINALIZE);
    machine_reset(m);
    DRAW(m, small, 3, PICA_TOPOLOGY_LIST, MOST_LIGHTS, MOST_UNITS);
    EXPECT(m, "RST-09, CMD-23", probe_pixel(m, 6, 6) != 0u);
}

/* One box fits into LIM_PIXELS in each submission; the second, which does not, is not counted. */
EACH_MACHINE(raster, RST_09_what_LIM_PIXELS_refuses_is_not_counted)
{
    struct probe_vertex v[12];
    struct pica_limits limits = machine_default_limits();
    limits.pixels = BOX;
    triangles(v);
    machine_load_limits(m, &limits);
    machine_load_work(m, 4 * BOX * MOST);
    for (uint32_t k = 1; k <= 5; k++) {
        DRAW(m, v, 6, PICA_TOPOLOGY_LIST, MOST_LIGHTS, MOST_UNITS);
        machine_case(m, "submission %u", (unsigned)k);
        EXPECT_EQ(m, "RST-09", machine_event(m, PICA_EVENT_BUDGET_WORK), k == 5u);
    }
    EXPECT_NO_EVENT(m, "RST-09", PICA_EVENT_NO_FINALIZE);
}

/* The scissor box cuts it to 3 x 4 pixels, of which the triangle covers fewer. */
EACH_MACHINE(raster, RST_09_the_box_is_that_of_RST_08)
{
    struct probe_vertex v[12];
    triangles(v);
    for (uint32_t enough = 0; enough < 2; enough++) {
        machine_load_work(m, 4 * 12 * MOST - 1 + enough);
        machine_case(m, "%s", enough ? "enough" : "one less");
        DRAW(m, v, 12, PICA_TOPOLOGY_LIST, MOST_LIGHTS, MOST_UNITS, { PICA_REG_SCISSORTEST_MODE, 3 },
             { PICA_REG_SCISSORTEST_POS, 0x00030001 }, { PICA_REG_SCISSORTEST_DIM, 0x00060003 });
        EXPECT_EQ(m, "RST-09", machine_event(m, PICA_EVENT_BUDGET_WORK), !enough);
        EXPECT_NO_EVENT(m, "RST-09", PICA_EVENT_NO_FINALIZE);
    }
}
