/*
 * 30-rasterizer.md section 6: interpolation and depth. The pictures begin with the worked example; ci/expected
 * recomputes all of them from the rules. A triangle of A = 2 (RST-04) has the weights 1, 0, 0: its pixel gets the
 * values of its first vertex without any rounding.
 */
#include "tests/conformance/fragment_probe.h"
#include "tests/conformance/triangle_probe.h"

/* The 4x4 buffer of the worked example: half size 2; pixels lie in the 8x8 tile of the probe. */
#define FOUR_BY_FOUR                            \
    VIEW(0x400000u, 0x400000u, 0, 0),           \
    {                                           \
        PICA_REG_FRAMEBUFFER_DIM, 3u << 12 | 4u \
    }

static void example_triangle(struct probe_vertex v[3])
{
    v[0] = probe_vertex_at(-1, -1, -0.5f, 1);
    v[1] = probe_vertex_at(2, -2, -0.5f, 2);
    v[2] = probe_vertex_at(-4, 4, -3, 4);
    probe_color(v, 1, 255, 0, 0, 255);
    probe_color(v + 1, 1, 0, 255, 0, 255);
    probe_color(v + 2, 1, 0, 0, 255, 255);
}

/* The pixel (2, 2) with the values of v[0]; the others are at the same depth. */
static void single_pixel(struct probe_vertex v[3], float z)
{
    v[0] = snapped(40, 40);
    v[1] = snapped(42, 40);
    v[2] = snapped(40, 41);
    for (size_t i = 0; i < 3; i++)
        v[i].position[2] = z;
}

/* ----------------------------------------------------------------------------------------------- the worked example */

static void z_buffer(struct machine *m)
{
    static const struct expected_pixel want[] = {
        { 0, 0, 0xE31309FF, 0x7FFFFF }, { 1, 0, 0xB1430BFF, 0x6FFEFF }, { 2, 0, 0x6B860DFF, 0x5FFDFF },
        { 0, 1, 0xC21824FF, 0x9000FF }, { 1, 1, 0x785A2DFF, 0x7FFFFF }, { 0, 2, 0x882255FF, 0xA001FF },
    };
    struct probe_vertex v[3];
    example_triangle(v);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, FOUR_BY_FOUR);
    EXPECT_PICTURE(m, "ITP-01, ITP-10, ITP-11, ITP-12, ITP-13, ITP-14, ITP-17", want);
    EXPECT_ONLY_EVENTS(m, "FBF-05", PICA_EVENT_FB_WIDTH_UNALIGNED);
}

EACH_MACHINE(interpolation, ITP_12_ITP_14_worked_example_with_a_z_buffer)
{
    z_buffer(m);
}

EACH_MACHINE(interpolation, ITP_04_the_f24_profile_does_not_reach_the_rasteriser)
{
    machine_load_profile(m, PICA_PROFILE_F24); /* every vertex value of the example is a float24 */
    z_buffer(m);
}

EACH_MACHINE(interpolation, ITP_15_worked_example_with_a_w_buffer)
{
    static const struct expected_pixel want[] = {
        { 0, 0, 0xE31309FF, 0x97B5E7 }, { 1, 0, 0xB1430BFF, 0x9BD5E6 }, { 2, 0, 0x6B860DFF, 0xA1B2B4 },
        { 0, 1, 0xC21824FF, 0xDB766C }, { 1, 1, 0x785A2DFF, 0xF0FE3B }, { 0, 2, 0x882255FF, 0xFFFFFF },
    };
    struct probe_vertex v[3];
    for (uint32_t other_bits = 0; other_bits < 2; other_bits++) {
        machine_reset(m);
        example_triangle(v);
        DRAW(m, v, 3, PICA_TOPOLOGY_LIST, FOUR_BY_FOUR, { PICA_REG_DEPTHMAP_ENABLE, other_bits ? 0xFFFFFFFEu : 0 });
        EXPECT_PICTURE(m, "ITP-15", want);
    }
}

EACH_MACHINE(interpolation, ITP_17_the_worked_example_in_16_bits)
{
    static const struct {
        uint32_t index, depth16;
    } want[] = { { 0, 0x7FFF }, { 1, 0x6FFE }, { 4, 0x5FFD }, { 2, 0x9000 }, { 3, 0x7FFF }, { 8, 0xA001 }, { 6, 0 } };
    struct probe_vertex v[3];
    example_triangle(v);
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, FOUR_BY_FOUR, { PICA_REG_DEPTHBUFFER_FORMAT, 0 });
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++)
        EXPECT_EQ(m, "ITP-17", machine_word(m, DEPTH_ADDRESS + 2u * want[i].index) & 0xFFFFu, want[i].depth16);
}

/* ---------------------------------------------------------------------------------------------------- large weights */

/* Weights near 2^30 are rounded to f32 one by one, S by itself (ITP-10). */
EACH_MACHINE(interpolation, ITP_10_weights_beyond_24_bits_are_rounded_to_nearest_even)
{
    static const struct expected_pixel want[] = {
        { 0, 0, 0xC62D5CFF, 0x3F2B32 }, { 7, 0, 0xC52E5CFF, 0x3FDE66 }, { 1, 1, 0xC52D5CFF, 0x3F4E66 },
        { 6, 1, 0xC52E5CFF, 0x3FCE66 }, { 2, 2, 0xC52D5CFF, 0x3F7199 }, { 3, 3, 0xC52D5CFF, 0x3F94CC },
        { 4, 4, 0xC52E5CFF, 0x3FB7FF }, { 5, 5, 0xC42E5CFF, 0x3FDB32 }, { 3, 6, 0xC52E5CFF, 0x3FB199 },
        { 6, 6, 0xC42E5DFF, 0x3FFE66 }, { 0, 7, 0xC52D5CFF, 0x3F6E66 }, { 7, 7, 0xC42E5DFF, 0x402199 },
    };
    struct probe_vertex v[3] = { probe_vertex_at(-1, -1, -0.1f, 1), probe_vertex_at(1, -1, -0.9f, 1),
                                 probe_vertex_at(-1, 1, -0.4f, 1) };
    static const float colors[3][3] = { { 1, 0, 0.25f }, { 0, 1, 0.5f }, { 0.2f, 0.3f, 1 } };
    for (size_t i = 0; i < 3; i++)
        for (size_t c = 0; c < 3; c++)
            v[i].color[c] = colors[i][c];
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(0x490000u, 0x490000u, -300, -200));
    EXPECT_PIXELS(m, "ITP-10, ITP-12, ITP-14", want);
}

EACH_MACHINE(interpolation, ITP_12_ITP_15_perspective_and_w_buffer_with_large_weights)
{
    static const struct expected_pixel want[] = {
        { 0, 0, 0xBE266EFF, 0x87E4D8 }, { 7, 0, 0xBD276EFF, 0x885B54 }, { 1, 1, 0xBE266EFF, 0x87F58A },
        { 6, 1, 0xBD276EFF, 0x884A21 }, { 2, 2, 0xBD266EFF, 0x88063A }, { 3, 3, 0xBD266EFF, 0x8816E5 },
        { 4, 4, 0xBD276FFF, 0x882790 }, { 5, 5, 0xBD276FFF, 0x883837 }, { 3, 6, 0xBD276FFF, 0x881637 },
        { 6, 6, 0xBC276FFF, 0x8848D9 }, { 0, 7, 0xBD276FFF, 0x87E36F }, { 7, 7, 0xBC276FFF, 0x88597B },
    };
    struct probe_vertex v[3] = { probe_vertex_at(-3, -3, -0.1f, 3), probe_vertex_at(5, -5, -0.9f, 5),
                                 probe_vertex_at(-1.5f, 1.5f, -0.4f, 1.5f) };
    static const float colors[3][3] = { { 1, 0, 0.25f }, { 0, 1, 0.5f }, { 0.2f, 0.3f, 1 } };
    for (size_t i = 0; i < 3; i++)
        for (size_t c = 0; c < 3; c++)
            v[i].color[c] = colors[i][c];
    DRAW(m, v, 3, PICA_TOPOLOGY_LIST, VIEW(float24(1000.0), float24(900.0), -300, -200),
         { PICA_REG_DEPTHMAP_ENABLE, 0 }, { PICA_REG_DEPTHMAP_SCALE, float24(-0.75) },
         { PICA_REG_DEPTHMAP_OFFSET, float24(0.125) });
    EXPECT_PIXELS(m, "ITP-10, ITP-12, ITP-14, ITP-15", want);
}

/* --------------------------------------------------------------------------------------------------- primary colour */

EACH_MACHINE(interpolation, ITP_13_the_primary_colour_rounds_and_halves_go_down)
{
    static const struct {
        float a;
        uint32_t c8;
    } cases[] = {
        { 0.0f, 0 },
        { 1.0f, 255 },
        { 0.5f, 127 },             /* 127.5, as a console gave it (H03) */
        { 0x1.fffffep-2f, 127 },   /* 0.5 less one unit: below 127.5 */
        { 0x1.000002p-1f, 128 },   /* 0.5 and one unit: above */
        { 0x1.99999ap-4f, 25 },    /* 0.1 * 255.0 in f32 is 25.5 (H03) */
        { 100.75f / 255.0f, 101 }, /* not truncated (H31) */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "%a", (double)cases[i].a);
        struct probe_vertex v[3];
        single_pixel(v, -0.5f);
        v[0].color[0] = cases[i].a;
        DRAW(m, v, 3, PICA_TOPOLOGY_LIST, AS_IS);
        EXPECT_PIXEL(m, "ITP-13", 2, 2, cases[i].c8, 255, 255, 255);
    }
}

/* A pixel for each four of 256 values: value k is the colour of one corner, whose weight there is all. An alpha test
 * that all pass (>= 0) changes nothing, but a backend may take another way. */
static void draw_steps(struct machine *m, const float values[256], bool tests_alpha)
{
    machine_row(m, "%s an alpha test", tests_alpha ? "with" : "without");
    struct probe_vertex v[192];
    for (uint32_t p = 0; p < 64; p++) {
        const int32_t x = (int32_t)(p % 8u) * 16 + 8, y = (int32_t)(p / 8u) * 16 + 8;
        v[3 * p] = snapped(x, y);
        v[3 * p + 1] = snapped(x + 2, y);
        v[3 * p + 2] = snapped(x, y + 1);
        for (uint32_t c = 0; c < 4; c++)
            v[3 * p].color[c] = values[4u * p + c];
    }
    DRAW(m, v, 192, PICA_TOPOLOGY_LIST, { PICA_REG_FRAGOP_ALPHA_TEST, tests_alpha ? 0x71 : 0 });
}

/* (k + 0.5) / 255 in f32 times 255.0 is k + 0.5 for every k: all 255 halves; 255.5 / 255 is limited to 1 by SHD-81. */
EACH_MACHINE(interpolation, ITP_13_every_half_of_every_step_goes_down)
{
    float halves[256];
    for (uint32_t k = 0; k < 256; k++)
        halves[k] = ((float)k + 0.5f) / 255.0f;
    for (uint32_t k = 0; k < 2; k++) {
        draw_steps(m, halves, k == 1u);
        for (uint32_t p = 0; p < 64; p++)
            EXPECT_PIXEL(m, "ITP-13", p % 8, p / 8, 4 * p, 4 * p + 1, 4 * p + 2, 4 * p + 3);
    }
}

/* More than the spacing of f32 numbers above each half. */
EACH_MACHINE(interpolation, ITP_13_what_lies_above_a_half_goes_up)
{
    float above[256];
    for (uint32_t k = 0; k < 256; k++)
        above[k] = (((float)k + 0.5f) / 255.0f) * 1.000001f;
    for (uint32_t k = 0; k < 2; k++) {
        draw_steps(m, above, k == 1u);
        for (uint32_t p = 0; p < 64; p++) {
            const uint32_t last = p == 63u ? 255u : 4u * p + 4u; /* limited to 1 */
            EXPECT_PIXEL(m, "ITP-13", p % 8, p / 8, 4 * p + 1, 4 * p + 2, 4 * p + 3, last);
        }
    }
}

/* ------------------------------------------------------------------------------------------------------------ depth */

EACH_MACHINE(interpolation, ITP_17_quantisation_truncates)
{
    static const struct {
        uint32_t depth; /* f32 bits */
        uint32_t z16, z24;
    } cases[] = {
        { 0x3E99999A, 0x4CCC, 0x4CCCCC }, { 0x3F000000, 0x7FFF, 0x7FFFFF }, { 0x3F800000, 0xFFFF, 0xFFFFFF },
        { 0x00000000, 0x0000, 0x000000 }, { 0x3F7FFFFF, 0xFFFE, 0xFFFFFE }, { 0x33800000, 0x0000, 0x000000 },
        { 0x37800080, 0x0001, 0x000100 }, { 0x3F7FFF00, 0xFFFE, 0xFFFEFF }, { 0x00000001, 0x0000, 0x000000 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint32_t format = 0; format < 4; format++) {
            if (format == 1u)
                continue;
            machine_row(m, "depth %08X, format %u", (unsigned)cases[i].depth, (unsigned)format);
            struct probe_vertex v[3];
            single_pixel(v, -f32_from_bits(cases[i].depth));
            DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_DEPTHBUFFER_FORMAT, format });
            const uint32_t bytes = format == 0u ? 2u : format == 2u ? 3u : 4u;
            const uint32_t got = machine_word(m, DEPTH_ADDRESS + bytes * 12u); /* tile index of (2, 2) */
            EXPECT_EQ(m, "ITP-17", got & (format == 0u ? 0xFFFFu : 0xFFFFFFu),
                      format == 0u ? cases[i].z16 : cases[i].z24);
        }
}

EACH_MACHINE(interpolation, ITP_14_ITP_16_scale_offset_and_clamp)
{
    static const struct {
        float z;
        uint32_t scale, offset; /* float24 */
        uint32_t z24;
    } cases[] = {
        { -0.5f, 0xBF0000, 0x000000, 0x7FFFFF },
        { -0.5f, 0x3F0000, 0x000000, 0x000000 },  /* -0.5: clamped */
        { -0.5f, 0x3F0000, 0x3F0000, 0x7FFFFF },  /* -0.5 + 1 */
        { -0.25f, 0xC00000, 0x3D0000, 0xBFFFFF }, /* 0.5 + 0.25 */
        { -0.5f, 0x000000, 0x3E0000, 0x7FFFFF },  /* the offset alone */
        { -0.5f, 0x000000, 0x3F0000, 0xFFFFFF },
        { -0.5f, 0x000000, 0x400000, 0xFFFFFF }, /* 2: clamped */
        { -0.5f, 0x000000, 0xBF0000, 0x000000 },
        { -0.5f, 0xFFBF0000, 0xFF000000, 0x7FFFFF }, /* upper bits */
        { -0.5f, 0xFF0000, 0x000000, 0xFFFFFF },     /* -infinity * -0.5 = infinity */
        { -0.5f, 0x7F0000, 0x000000, 0x000000 },
        { -0.5f, 0x7F0000, 0x7F0000, 0x000000 }, /* -infinity + infinity: NaN gives 0 */
        { -0.5f, 0x7F8000, 0x3E0000, 0x000000 }, /* NaN */
        { -0.5f, 0x000000, 0x7F0001, 0x000000 },
        { 0.0f, 0x7F0000, 0x3E0000, 0x000000 },  /* plain product: 0 * infinity is NaN, not 0 */
        { -0.5f, 0x000001, 0x3E0000, 0x7FFFFF }, /* a denormal scale vanishes in the sum */
        { -0.5f, 0x000000, 0x000001, 0x000000 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        struct probe_vertex v[3];
        single_pixel(v, cases[i].z);
        probe_clear_depth_stencil(m, 0x123456, 0);
        DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_DEPTHMAP_SCALE, cases[i].scale },
             { PICA_REG_DEPTHMAP_OFFSET, cases[i].offset });
        EXPECT_DEPTH(m, "ITP-03, ITP-06, ITP-14, ITP-16", 2, 2, cases[i].z24);
        EXPECT_NO_EVENTS(m, "ITP-14");
    }
}

EACH_MACHINE(interpolation, ITP_15_the_w_buffer_multiplies_by_w)
{
    /* w = 2: depth = zw * w = (z / w) * -1 * w = -z: -1 -> 1, and 0.75 with scale -0.375. */
    static const struct {
        uint32_t enable, scale, z24;
    } cases[] = {
        { 1, 0xBF0000, 0x7FFFFF }, { 0, 0xBF0000, 0xFFFFFF }, { 0, 0xBD8000, 0x5FFFFF }, { 0, 0xBD0000, 0x3FFFFF }
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_row(m, "row %zu", i);
        struct probe_vertex v[3];
        single_pixel(v, -0.5f);
        for (size_t k = 0; k < 3; k++)
            for (size_t c = 0; c < 4; c++)
                v[k].position[c] *= 2.0f;
        DRAW(m, v, 3, PICA_TOPOLOGY_LIST, { PICA_REG_DEPTHMAP_ENABLE, cases[i].enable },
             { PICA_REG_DEPTHMAP_SCALE, cases[i].scale });
        EXPECT_DEPTH(m, "ITP-15", 2, 2, cases[i].z24);
    }
}

/* ----------------------------------------------------------------------------------------------- other attributes */

enum {
    TEXTURE_SIZE = 64
};

/* Texel (s, t) is red s, green t. */
static void load_coordinates(struct machine *m)
{
    uint32_t words[TEXTURE_SIZE * TEXTURE_SIZE];
    for (uint32_t t = 0; t < TEXTURE_SIZE; t++)
        for (uint32_t s = 0; s < TEXTURE_SIZE; s++)
            words[probe_index(s, TEXTURE_SIZE - 1u - t, TEXTURE_SIZE)] = s << 24 | t << 16 | 0xFFu; /* TEX-21, TEX-22 */
    machine_load_words(m, TEXTURE_ADDRESS, words, TEXTURE_SIZE * TEXTURE_SIZE);
}

struct expected_texel {
    uint32_t x, y, s, t;
};

static void expect_texels(struct machine *m, const char *rule, const struct expected_texel *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        machine_case(m, "pixel %u,%u", (unsigned)want[i].x, (unsigned)want[i].y);
        EXPECT_PIXEL(m, rule, want[i].x, want[i].y, want[i].s, want[i].t, 0, 255);
    }
}

EACH_MACHINE(interpolation, ITP_12_all_texture_coordinates_are_interpolated_in_perspective)
{
    static const struct expected_texel want[] = { { 0, 0, 9, 52 },  { 1, 0, 20, 42 }, { 2, 0, 35, 27 },
                                                  { 0, 1, 13, 49 }, { 1, 1, 29, 34 }, { 0, 2, 21, 43 } };
    static const float uv[3][2] = { { 0.0625f, 0.9f }, { 0.96f, 0.03125f }, { 0.5f, 0.6f } };
    for (uint32_t unit = 0; unit < 3; unit++) {
        machine_reset(m);
        load_coordinates(m);
        struct probe_vertex v[3];
        example_triangle(v);
        for (size_t i = 0; i < 3; i++) { /* the other coordinates stay elsewhere */
            float *const target = unit == 0u ? v[i].texcoord0 : unit == 1u ? v[i].texcoord1 : v[i].texcoord2;
            target[0] = uv[i][0];
            target[1] = uv[i][1];
        }
        struct list list = probe_list();
        texture_bind(&list, &(struct texture){ .unit = unit,
                                               .format = PICA_TEXTURE_FORMAT_RGBA8,
                                               .width = TEXTURE_SIZE,
                                               .height = TEXTURE_SIZE });
        list_write(&list, PICA_REG_VIEWPORT_WIDTH, 0x400000);
        list_write(&list, PICA_REG_VIEWPORT_HEIGHT, 0x400000);
        probe_draw(m, &list, v, 3, PICA_TOPOLOGY_LIST);
        expect_texels(m, "ITP-12", want, sizeof want / sizeof want[0]);
    }
}

EACH_MACHINE(interpolation, ITP_12_the_third_texture_coordinate_is_interpolated_too)
{
    static const struct expected_texel want[] = { { 0, 0, 9, 51 },  { 1, 0, 18, 37 }, { 2, 0, 28, 21 },
                                                  { 0, 1, 13, 48 }, { 1, 1, 25, 30 }, { 0, 2, 21, 44 } };
    static const float uvw[3][3] = { { 0.0625f, 0.9f, 1.0f }, { 0.96f, 0.03125f, 1.5f }, { 0.5f, 0.6f, 0.75f } };
    load_coordinates(m);
    struct probe_vertex v[3];
    example_triangle(v);
    for (size_t i = 0; i < 3; i++) {
        v[i].texcoord0[0] = uvw[i][0];
        v[i].texcoord0[1] = uvw[i][1];
        v[i].texcoord0_w = uvw[i][2];
    }
    struct list list = probe_list();
    texture_bind(&list, &(struct texture){ .type = PICA_TEXTURE_TYPE_PROJECTION,
                                           .format = PICA_TEXTURE_FORMAT_RGBA8,
                                           .width = TEXTURE_SIZE,
                                           .height = TEXTURE_SIZE });
    list_write(&list, PICA_REG_VIEWPORT_WIDTH, 0x400000);
    list_write(&list, PICA_REG_VIEWPORT_HEIGHT, 0x400000);
    probe_draw(m, &list, v, 3, PICA_TOPOLOGY_LIST);
    expect_texels(m, "ITP-12", want, sizeof want / sizeof want[0]);
}

/* Weights 1, 0, 0: an infinite coordinate of another vertex counts 0, because infinity . 0 = 0; NaN stays NaN. */
EACH_MACHINE(interpolation, ITP_02_zero_times_infinity_is_zero_in_interpolation)
{
    static const struct {
        uint32_t other; /* f32 bits of u at v[1] and v[2] */
        uint32_t s;
    } cases[] = { { 0x7F800000, 40 }, { 0xFF800000, 40 }, { 0x3F800000, 40 }, { 0x7FC00000, 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        machine_reset(m);
        load_coordinates(m);
        struct probe_vertex v[3];
        single_pixel(v, -0.5f);
        probe_texcoord(v, 3, f32_from_bits(cases[i].other), 0.5f);
        probe_texcoord(v, 1, 40.5f / 64.0f, 0.5f);
        struct list list = probe_list();
        texture_bind(&list, &(struct texture){
                                .format = PICA_TEXTURE_FORMAT_RGBA8, .width = TEXTURE_SIZE, .height = TEXTURE_SIZE });
        probe_draw(m, &list, v, 3, PICA_TOPOLOGY_LIST);
        machine_case(m, "%08X", (unsigned)cases[i].other);
        EXPECT_PIXEL(m, "ITP-02, ITP-12, GEN-03", 2, 2, cases[i].s, 32, 0, 255);
    }
}

/* ------------------------------------------------------------------------------------------------ lighting inputs */

/*
 * One positional light, white diffuse, nothing else: primary = U8(max(nrm(P + view) . N, 0) * 255), LIT-11 to LIT-38.
 */
static void light(struct list *list, uint32_t xy, uint32_t z)
{
    const uint32_t white = 255u << 20 | 255u << 10 | 255u;
    list_write(list, PICA_REG_LIGHTING_ENABLE0, 1);
    list_write(list, PICA_REG_LIGHTING_ENABLE1, 0);
    list_write(list, PICA_REG_LIGHTING_NUM_LIGHTS, 0);
    list_write(list, PICA_REG_LIGHTING_CONFIG0, 0);
    list_write(list, PICA_REG_LIGHTING_CONFIG1, 0xFFFFFFFFu); /* no spot, no distance attenuation, no shadow */
    list_write(list, 0x142, white);
    list_write(list, 0x144, xy);
    list_write(list, 0x145, z);
    list_write(list, 0x149, 0);
    probe_source(list, 1);
}

struct expected_light {
    uint32_t x, y, value;
};

static void expect_light(struct machine *m, const char *rule, const struct expected_light *want, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        machine_case(m, "pixel %u,%u", (unsigned)want[i].x, (unsigned)want[i].y);
        EXPECT_PIXEL(m, rule, want[i].x, want[i].y, want[i].value, want[i].value, want[i].value, 255);
    }
}

EACH_MACHINE(interpolation, ITP_12_quaternion_and_view_are_interpolated_in_perspective)
{
    static const struct expected_light want[] = {
        { 0, 0, 229 }, { 1, 0, 230 }, { 2, 0, 230 }, { 3, 0, 228 }, { 4, 0, 223 }, { 5, 0, 216 }, { 6, 0, 207 },
        { 0, 1, 228 }, { 1, 1, 229 }, { 2, 1, 229 }, { 3, 1, 226 }, { 4, 1, 220 }, { 5, 1, 211 }, { 0, 2, 225 },
        { 1, 2, 227 }, { 2, 2, 226 }, { 3, 2, 222 }, { 4, 2, 215 }, { 0, 3, 220 }, { 1, 3, 222 }, { 2, 3, 221 },
        { 3, 3, 215 }, { 0, 4, 211 }, { 1, 4, 213 }, { 2, 4, 210 }, { 0, 5, 196 }, { 1, 5, 196 }, { 0, 6, 171 },
    };
    static const float quaternions[3][4] = { { 0.25f, 0, 0, 1 }, { 0, 0.5f, 0, 1.5f }, { 0, 0, 0.25f, 0.5f } };
    static const float views[3][3] = { { 0, 0, 1 }, { 3, 1, -1 }, { -2, 4, 0.5f } };
    struct probe_vertex v[3];
    example_triangle(v);
    for (size_t i = 0; i < 3; i++) {
        for (size_t c = 0; c < 4; c++)
            v[i].quaternion[c] = quaternions[i][c];
        for (size_t c = 0; c < 3; c++)
            v[i].view[c] = views[i][c];
    }
    struct list list = probe_list();
    light(&list, float16(-0.5) << 16 | float16(1.0), float16(2.0));
    probe_draw(m, &list, v, 3, PICA_TOPOLOGY_LIST);
    expect_light(m, "ITP-12", want, sizeof want / sizeof want[0]);
}

/*
 * Quaternions (0,0,0,1), (0.75,0,0,0), (-0.75,0,0,0): PRM-08 sees products of 0 and changes nothing. Plane 2 then cuts
 * the first corner off, and the corners of the fan have products of both signs: they keep them, and their lengths.
 */
EACH_MACHINE(clip, CLP_03_clipping_neither_turns_nor_normalises_quaternions)
{
    static const struct expected_light want[] = {
        { 6, 0, 0 },   { 7, 0, 0 },   { 2, 1, 0 },   { 3, 1, 0 },   { 4, 1, 0 },   { 5, 1, 0 },   { 6, 1, 0 },
        { 7, 1, 0 },   { 0, 2, 6 },   { 1, 2, 0 },   { 2, 2, 0 },   { 3, 2, 0 },   { 4, 2, 0 },   { 5, 2, 0 },
        { 6, 2, 0 },   { 7, 2, 0 },   { 0, 3, 166 }, { 1, 3, 155 }, { 2, 3, 138 }, { 3, 3, 113 }, { 4, 3, 74 },
        { 5, 3, 6 },   { 6, 3, 0 },   { 7, 3, 0 },   { 0, 4, 254 }, { 1, 4, 254 }, { 2, 4, 254 }, { 3, 4, 250 },
        { 4, 4, 239 }, { 5, 4, 207 }, { 6, 4, 114 }, { 7, 4, 0 },   { 0, 5, 207 }, { 1, 5, 187 }, { 2, 5, 156 },
        { 3, 5, 114 }, { 4, 5, 54 },  { 5, 5, 0 },   { 6, 5, 0 },   { 7, 5, 0 },   { 2, 6, 40 },  { 3, 6, 0 },
        { 4, 6, 0 },   { 5, 6, 0 },   { 6, 6, 0 },   { 7, 6, 0 },   { 6, 7, 0 },   { 7, 7, 0 },
    };
    struct probe_vertex v[3] = { probe_vertex_at(-3, 0, -0.5f, 1), probe_vertex_at(1, -1, -0.5f, 1),
                                 probe_vertex_at(1, 1, -0.5f, 1) };
    v[1].quaternion[0] = 0.75f;
    v[1].quaternion[3] = 0;
    v[2].quaternion[0] = -0.75f;
    v[2].quaternion[3] = 0;
    for (size_t i = 0; i < 3; i++)
        v[i].view[2] = 0;
    struct list list = probe_list();
    light(&list, float16(0.5) << 16, float16(1.0));
    probe_draw(m, &list, v, 3, PICA_TOPOLOGY_LIST);
    expect_light(m, "CLP-03, CLP-07", want, sizeof want / sizeof want[0]);
}
