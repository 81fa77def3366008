/* Triangles with chosen snapped corners on the pixel probe, and expectations over its whole 8x8 target. */
#ifndef TESTS_CONFORMANCE_TRIANGLE_PROBE_H
#define TESTS_CONFORMANCE_TRIANGLE_PROBE_H

#include "tests/conformance/checks.h"

#include "pica/enums.h"

/* A register written after the probe's pipeline. */
struct setting {
    uint32_t id;
    uint32_t value;
};

/* One submission: the probe's pipeline, the settings in order, one DRAWARRAYS. */
void draw_with(struct machine *m, const struct setting *settings, size_t n, const struct probe_vertex *vertices,
               uint32_t count, uint32_t topology);

#define DRAW(m, vertices, count, topology, ...)           \
    draw_with(m, (const struct setting[]){ __VA_ARGS__ }, \
              sizeof((const struct setting[]){ __VA_ARGS__ }) / sizeof(struct setting), vertices, count, topology)
/* A setting that changes nothing, for DRAW without one. */
#define AS_IS                               \
    {                                       \
        PICA_REG_VIEWPORT_INVW, 0x7D000000u \
    }

/* The probe's quad in white, by a strip. */
#define DRAW_QUAD(m, ...)                                                 \
    do {                                                                  \
        struct probe_vertex draw_quad_vertices[4];                        \
        probe_quad(draw_quad_vertices);                                   \
        DRAW(m, draw_quad_vertices, 4, PICA_TOPOLOGY_STRIP, __VA_ARGS__); \
    } while (0)

/*
 * VPT-02, VPT-03 with the probe's viewport (half size 4, no offset): a white vertex whose snapped corner is (x, y), 0
 * to 128; z/w = -0.5, w = 1. Exact: x / 64 - 1 has no rounding.
 */
struct probe_vertex snapped(int32_t x, int32_t y);
/* The same with half size 16 and offset -12, see WIDE_VIEW: corners from -192 to 320. */
struct probe_vertex snapped_wide(int32_t x, int32_t y);

/* Settings: half width and height (raw float24), offsets. */
#define VIEW(hw, hh, ox, oy)                                                          \
    { PICA_REG_VIEWPORT_WIDTH, hw }, { PICA_REG_VIEWPORT_HEIGHT, hh },                \
    {                                                                                 \
        PICA_REG_VIEWPORT_XY, ((uint32_t)(oy)&0x3FFu) << 16 | ((uint32_t)(ox)&0x3FFu) \
    }
#define WIDE_VIEW VIEW(0x430000u, 0x430000u, -12, -12)

/*
 * Which pixels are not 0, as eight rows of eight characters from the top of the screen (y = 7) down: '.' for 0,
 * anything else for covered.
 */
bool covered_is(struct machine *m, const char *rule, const char *const rows[8]);
#define EXPECT_COVERED(m, rule, ...) \
    cr_expect(covered_is(m, rule, (const char *const[8]){ __VA_ARGS__ }), "%s", (m)->message)
bool everything_covered(struct machine *m, const char *rule);
bool nothing_covered(struct machine *m, const char *rule);
#define EXPECT_FULL(m, rule)  cr_expect(everything_covered(m, rule), "%s", (m)->message)
#define EXPECT_EMPTY(m, rule) cr_expect(nothing_covered(m, rule), "%s", (m)->message)

/* One pixel of an expected picture: colour as r<<24 | g<<16 | b<<8 | a and depth. */
struct expected_pixel {
    uint8_t x, y;
    uint32_t color;
    uint32_t depth24;
};

/* These pixels have these values, all others are untouched (0). */
bool picture_is(struct machine *m, const char *rule, const struct expected_pixel *pixels, size_t n);
#define EXPECT_PICTURE(m, rule, pixels) \
    cr_expect(picture_is(m, rule, pixels, sizeof(pixels) / sizeof((pixels)[0])), "%s", (m)->message)

/* These pixels have these values; the others are not looked at. */
bool pixels_are(struct machine *m, const char *rule, const struct expected_pixel *pixels, size_t n);
#define EXPECT_PIXELS(m, rule, pixels) \
    cr_expect(pixels_are(m, rule, pixels, sizeof(pixels) / sizeof((pixels)[0])), "%s", (m)->message)

/*
 * A triangle that covers the pixel (x, y) alone and gives it the values of v[0] (weights 1, 0, 0), for buffers of up to
 * 512x512 pixels drawn with POINT_VIEW.
 */
void point_at(struct probe_vertex v[3], uint32_t x, uint32_t y);
#define POINT_VIEW VIEW(0x470000u, 0x470000u, 0, 0)
/* One draw of the point at (x, y) in this colour, with POINT_VIEW before the settings. */
void draw_point(struct machine *m, uint32_t x, uint32_t y, uint32_t rgba, const struct setting *settings, size_t n);
#define DRAW_POINT(m, x, y, rgba, ...)                                 \
    draw_point(m, x, y, rgba, (const struct setting[]){ __VA_ARGS__ }, \
               sizeof((const struct setting[]){ __VA_ARGS__ }) / sizeof(struct setting))
/* The probe's quad in one colour (r<<24 | g<<16 | b<<8 | a). */
void draw_quad(struct machine *m, uint32_t rgba, const struct setting *settings, size_t n);
#define DRAW_COLOR(m, rgba, ...)                                \
    draw_quad(m, rgba, (const struct setting[]){ __VA_ARGS__ }, \
              sizeof((const struct setting[]){ __VA_ARGS__ }) / sizeof(struct setting))
/* The same at depth24 = trunc(-z * 16777215). */
void draw_quad_at(struct machine *m, uint32_t rgba, float z, const struct setting *settings, size_t n);
#define DRAW_DEPTH(m, rgba, z, ...)                                   \
    draw_quad_at(m, rgba, z, (const struct setting[]){ __VA_ARGS__ }, \
                 sizeof((const struct setting[]){ __VA_ARGS__ }) / sizeof(struct setting))

#endif
