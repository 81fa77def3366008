/*
 * For the tests of textures and fragment shading: many exact fragments in one draw, textures, tables, batch events.
 *
 * A dot is a triangle that covers one pixel: its first vertex is the pixel's centre, the others are 2/16 pixel to the
 * right and 1/16 pixel up. The weights of RST-03 there are 1, 0, 0 and S = 1, so that with w = 1 every attribute and
 * the depth of the fragment are bit by bit those of v[0] (ITP-10 to ITP-15), also for NaN and infinity. The other two
 * vertices only make derivatives (TEX-09, MIP-03): BX = -16, 16, 0 and BY = -32, 0, 32, so that with w = 1 at all three
 * u_x = (u0 * -16 + u1 * 16) + u2 * 0 and u_y = (u0 * -32 + u1 * 0) + u2 * 32.
 *
 *     struct dots dots = dots_at(0.3f, 0.7f); // pixel (0,0)
 *     struct list list = probe_list();
 *     texture_bind(&list, &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8 });
 *     dots_draw(m, &list, &dots);
 *     EXPECT_DOT(m, "TEX-29", 0, 10, 10, 10, 255);
 */
#ifndef TESTS_CONFORMANCE_FRAGMENT_PROBE_H
#define TESTS_CONFORMANCE_FRAGMENT_PROBE_H

#include "tests/conformance/machine.h"

#include "pica/enums.h"

enum {
    DOTS_MAX = PROBE_SIZE * PROBE_SIZE
};

/* Dot i is pixel (i % 8, i / 8) of the probe's target. */
struct dots {
    struct probe_vertex vertices[3 * DOTS_MAX];
    uint32_t count;
};

/* The three vertices of the next dot, with the defaults of probe_vertex_at but texture coordinates 0, 0. */
struct probe_vertex *dots_add(struct dots *dots);
/* Fragment depth in [0,1] of the probe's depth map: z = -depth. */
void dot_depth(struct probe_vertex v[3], float depth);
/* The dot with this clip w at its three vertices (powers of two keep the positions exact; z stays -w/2). */
void dot_w(struct probe_vertex v[3], float w0, float w1, float w2);
/* One dot with these coordinates in all three texture coordinates. */
void dots_add_texcoord(struct dots *dots, float u, float v);
/* A dot whose texcoord0 is (u, v, w). */
void dots_add_texcoord3(struct dots *dots, float u, float v, float w);
/* One dot: with the defaults of dots_add, or by dots_add_texcoord, dots_add_texcoord3. */
struct dots dots_one(void);
struct dots dots_at(float u, float v);
struct dots dots_at3(float u, float v, float w);
/* 64 dots: dot i is the centre of texel s = i % 8, t = i / 8 of an 8x8 image. */
struct dots dots_image(void);
/*
 * Sets u_x, u_y of texture coordinate `which` (0-2) through v[1] and v[2]: exact if u0 + u_x / 16, u0 + u_y / 32 are.
 */
void dot_derivative(struct probe_vertex v[3], uint32_t which, float u_x, float u_y, float v_x, float v_y);

void dots_draw(struct machine *m, struct list *list, struct dots *dots);

/*
 * Two triangles that cover the whole target, w = 1, 2, 4, 0.5 at its corners and all attributes different: whole tests
 * of what varies over a triangle. texcoord0 is (u, v, w); texcoord1 (u, v) and texcoord2 (u, .) hold cube map
 * coordinates.
 */
void probe_perspective(struct probe_vertex out[6]);
/* Draws them; pixel (i % 8, i / 8) is expected[i] as r<<24 | g<<16 | b<<8 | a. */
void expect_perspective(struct machine *m, const char *rule, struct list *list, const struct probe_vertex v[6],
                        const uint32_t expected[64]);
uint32_t dot_pixel(struct machine *m, uint32_t i); /* r<<24 | g<<16 | b<<8 | a */

#define EXPECT_DOT(m, rule, i, r, g, b, a)                                                                   \
    cr_expect(machine_equal(m, rule, "dot (rgba)", dot_pixel(m, i),                                          \
                            (uint32_t)(r) << 24 | (uint32_t)(g) << 16 | (uint32_t)(b) << 8 | (uint32_t)(a)), \
              "%s", (m)->message)

/* ------------------------------------------------------------------------------------------------------- textures */

/* The fields of 40-textures.md section 3. */
struct texture {
    uint32_t unit; /* 0-2 */
    uint32_t type; /* unit 0 */
    uint32_t format;
    uint32_t width, height;
    uint32_t wrap_s, wrap_t;
    uint32_t mag, min, mip; /* filters: 0 nearest, 1 linear */
    uint32_t min_level, max_level;
    int32_t bias;     /* 1/256 */
    uint32_t border;  /* register word */
    uint32_t address; /* bytes; 0 stands for TEXTURE_ADDRESS */
};

uint32_t texture_param(const struct texture *texture);
uint32_t texture_lod(const struct texture *texture);
/* The registers of the unit; enables it and no other (0x080); stage 0 passes it (probe_source). */
void texture_bind(struct list *list, const struct texture *texture);
/* Pipeline, texture and dots in one go; returns nothing: read with EXPECT_DOT. */
void texture_dots(struct machine *m, const struct texture *texture, struct dots *dots);
/* TEX-22: texel number of (col, row) in an image `width` texels wide. */
uint32_t texel_number(uint32_t col, uint32_t row, uint32_t width);
/* One texel of an image at `address` with 1, 2, 3 or 4 bytes each, first byte lowest. */
void texel_put(struct machine *m, uint32_t address, uint32_t number, uint32_t bytes_per_texel, uint32_t value);
/* n bytes (i * step + start) & 255 at `address`. */
void load_pattern(struct machine *m, uint32_t address, uint32_t n, uint32_t step, uint32_t start);

/*
 * A texture that shows the level of detail: 64x64 IA8, levels 0-6 of one colour each, I = 0 and 255 alternately, A = 40
 * * level; mipmap filter linear. By MIP-10 the pixel of every lodc in 0..1536 differs from that of its neighbours.
 */
struct texture lod_meter(void);
void load_lod_meter(struct machine *m, uint32_t address);
/* r<<24 | g<<16 | b<<8 | a of a fragment with this lodc (MIP-09). */
uint32_t lod_meter_pixel(uint32_t lodc);

/* ------------------------------------------------------------------------------------------- procedural texture */

/* The fields of 40-textures.md section 10; floats are raw float16. */
struct proctex {
    uint32_t u_clamp, v_clamp, rgb_func, alpha_func, separate_alpha, noise_enable, u_shift, v_shift;
    uint32_t bias;
    uint32_t u_amplitude, v_amplitude, u_phase, v_phase, u_frequency, v_frequency;
    uint32_t filter, min_lod, max_lod, width;
    uint32_t offsets; /* register 0AD */
};

/* Registers 0A8-0AD; enables unit 3 alone, with texcoord0; stage 0 passes it. */
void proctex_bind(struct list *list, const struct proctex *proctex);
/* Entry i of a map: value floor(4095 * i / 128), difference to the value of i + 1 (PTX-18). */
uint32_t proctex_ramp(uint32_t i);
/* The ramp in the noise, RGB and alpha maps. */
void list_proctex_ramps(struct list *list);
/*
 * The colour tables as a meter of x of PTX-21: entry k = (0, k, 255 - k, 128), differences (127, 0, 0, -64). With the
 * linear filter R = 254 f, G = k, A = 128 - 128 f for k = trunc(x), f = x - k; with the nearest one G = rha(x).
 */
void list_proctex_meter(struct list *list);

/* --------------------------------------------------------------------------------------------------------- tables */

/* PTX-01: n entries of a proctex table from 0. LIT-05: 256 entries. FOG-02: n entries from 0. */
void list_proctex_table(struct list *list, uint32_t table, const uint32_t *words, uint32_t n);
void list_lighting_table(struct list *list, uint32_t table, const uint32_t *words, uint32_t n);
void list_fog_table(struct list *list, const uint32_t *words, uint32_t n);

/* ------------------------------------------------------------------------------------------------- batch events */

enum {
    EVENT_ROW_WRITES = 6
};

struct register_write {
    uint32_t id, value;
};

/* `writes` end at the first id 0. */
struct event_row {
    const char *label;
    bool fires;
    struct register_write writes[EVENT_ROW_WRITES];
};

/*
 * For each row: reset, probe_pipeline, `base`, the writes, one dot; the event is or is not recorded. A row that fires
 * also fires when the target has no pixels (W = 0), and is silent when the triangle has no area or when there is no
 * draw (GEN-09, FBF-33).
 */
void expect_batch_event(struct machine *m, const char *rule, enum pica_event event, void (*base)(struct list *),
                        const struct event_row *rows, size_t n);

/* `rows`: array of struct event_row */
#define EXPECT_BATCH_EVENT(m, rule, event, base, rows) \
    expect_batch_event(m, rule, event, base, rows, sizeof(rows) / sizeof(rows)[0])

/* Appends the writes up to the first id 0, EVENT_ROW_WRITES at most. */
void list_writes(struct list *list, const struct register_write *writes);

#endif
