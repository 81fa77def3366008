/* CUB-01 to CUB-06: cube maps. CUB-05 of whole triangles: test_texture_mip_lod.c. */
#include "tests/conformance/fragment_probe.h"

/* HILO8 8x8 faces, 128 bytes apart: R = 16 * face + column, G = memory row. */
enum {
    FACE_BYTES = 128
};

static const struct texture cube = {
    .type = PICA_TEXTURE_TYPE_CUBE, .format = PICA_TEXTURE_FORMAT_HILO8, .width = 8, .height = 8, .border = 0x44332211
};

static void load_faces(struct machine *m, uint32_t address)
{
    for (uint32_t face = 0; face < 6u; face++)
        for (uint32_t i = 0; i < 64u; i++)
            texel_put(m, address + FACE_BYTES * face, texel_number(i % 8u, i / 8u, 8), 2,
                      (16u * face + i % 8u) << 8 | i / 8u);
}

/* 0x085 to 0x08A in the order +X, -X, +Y, -Y, +Z, -Z. `noise` goes to bits 22-31 of the last five. */
static void bind_faces(struct list *list, uint32_t address, uint32_t noise)
{
    list_write(list, 0x085, address >> 3);
    for (uint32_t face = 1; face < 6u; face++)
        list_write(list, 0x085 + face, ((address + FACE_BYTES * face) >> 3 & 0x3FFFFFu) | noise << 22);
}

static void draw_cube(struct machine *m, const struct texture *texture, struct dots *dots, uint32_t noise)
{
    struct list list = probe_list();
    texture_bind(&list, texture);
    bind_faces(&list, TEXTURE_ADDRESS, noise);
    dots_draw(m, &list, dots);
}

/* --------------------------------------------------------------------------------------- faces (CUB-01, 02, 03, 06) */

struct face_row {
    float u, v, w;
    uint32_t face, col, t; /* clamp to edge */
};

/* CUB-06: the first two rows. Ties go to the later row of the table of CUB-01; comparisons with NaN are false. */
EACH_MACHINE(texture, CUB_01_the_greatest_magnitude_selects_the_face)
{
    const float inf = f32_from_bits(0x7F800000), nan = f32_from_bits(0x7FC00000);
    const struct face_row rows[] = {
        { 0.5f, -2.0f, 1.0f, 3, 5, 2 },  { 1.0f, 1.0f, 1.0f, 4, 7, 0 },    { 2.0f, 0.5f, 1.0f, 0, 2, 3 },
        { 2.0f, -0.5f, -1.0f, 0, 6, 5 }, { -2.0f, 0.5f, 1.0f, 1, 6, 3 },   { -2.0f, -1.5f, -0.25f, 1, 3, 7 },
        { 0.5f, 2.0f, 1.0f, 2, 5, 6 },   { -1.0f, 2.0f, -0.25f, 2, 2, 3 }, { -0.5f, -2.0f, 1.5f, 3, 3, 1 },
        { 1.5f, -2.0f, -1.0f, 3, 7, 6 }, { 0.5f, 0.25f, 2.0f, 4, 5, 3 },   { -1.0f, 1.5f, 2.0f, 4, 2, 1 },
        { 0.5f, 0.25f, -2.0f, 5, 3, 3 }, { -1.0f, 1.5f, -2.0f, 5, 6, 1 },  { 1.0f, 1.0f, 0.5f, 2, 7, 6 },
        { -1.0f, 1.0f, 0.5f, 2, 0, 6 },  { 1.0f, -1.0f, 0.5f, 3, 7, 2 },   { 1.0f, 0.5f, 1.0f, 4, 7, 2 },
        { 1.0f, 0.5f, -1.0f, 5, 0, 2 },  { -1.0f, 0.5f, 1.0f, 4, 0, 2 },   { 0.5f, 1.0f, 1.0f, 4, 6, 0 },
        { 0.5f, -1.0f, -1.0f, 5, 2, 7 }, { 0.5f, 1.0f, -1.0f, 5, 2, 0 },   { -1.0f, -1.0f, -1.0f, 5, 7, 7 },
        { 0.0f, 0.0f, 0.0f, 5, 0, 0 },   { 0.0f, 0.0f, -0.0f, 5, 0, 0 },   { -0.0f, 0.0f, 1.0f, 4, 4, 4 },
        { inf, 1.0f, 1.0f, 0, 4, 4 },    { -inf, 1.0f, 1.0f, 1, 4, 4 },    { inf, inf, 1.0f, 2, 0, 4 },
        { 1.0f, inf, 2.0f, 2, 4, 4 },    { 1.0f, 2.0f, -inf, 5, 4, 4 },    { nan, 1.0f, 0.5f, 2, 0, 6 },
        { nan, 0.5f, 1.0f, 4, 0, 2 },    { 1.0f, nan, 0.5f, 4, 7, 0 },     { 0.5f, 0.25f, nan, 5, 0, 0 },
        { -2.0f, nan, 1.0f, 4, 0, 0 },   { 1e-40f, 0.0f, 0.0f, 0, 4, 4 },  { 0.0f, -1e-40f, 0.0f, 3, 4, 4 },
        { 3.0f, 1e38f, 2.0f, 2, 4, 4 },
    };
    load_faces(m, TEXTURE_ADDRESS);
    struct dots dots = { .count = 0 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        dots_add_texcoord3(&dots, rows[i].u, rows[i].v, rows[i].w);
    draw_cube(m, &cube, &dots, 0);
    for (uint32_t i = 0; i < dots.count; i++) {
        machine_case(m, "(%g, %g, %g)", (double)rows[i].u, (double)rows[i].v, (double)rows[i].w);
        EXPECT_DOT(m, "CUB-01, CUB-02", i, 16u * rows[i].face + rows[i].col, 7u - rows[i].t, 0, 255);
    }
}

EACH_MACHINE(texture, CUB_03_the_high_bits_of_every_face_come_from_the_first)
{
    static const struct {
        uint32_t address, noise;
    } rows[] = {
        { 0x20020000, 0 }, { 0x20020000, 0x3FF }, { 0x18020000, 0 }, { 0x18020000, 0x3C0 }, { 0x20020040, 0x155 }
    };
    static const float corner[6][3] = {
        { 2, 1, 1 }, { -2, 1, 1 }, { 1, 2, 1 }, { 1, -2, 1 }, { 1, 1, 2 }, { 1, 1, -2 }
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        machine_reset(m);
        load_faces(m, rows[k].address);
        struct dots dots = { .count = 0 };
        for (uint32_t face = 0; face < 6u; face++)
            dots_add_texcoord3(&dots, corner[face][0], corner[face][1], corner[face][2]);
        struct list list = probe_list();
        texture_bind(&list, &cube);
        bind_faces(&list, rows[k].address, rows[k].noise);
        dots_draw(m, &list, &dots);
        for (uint32_t face = 0; face < 6u; face++) {
            machine_case(m, "address %08X, face %u", (unsigned)rows[k].address, (unsigned)face);
            EXPECT_EQ(m, "CUB-03", dot_pixel(m, face) >> 28, face);
        }
        EXPECT_NO_EVENTS(m, "CUB-03");
    }
}

EACH_MACHINE(texture, CUB_03_only_the_first_face_can_be_null)
{
    /* -X has address field 0: bits 22-27 from 0x085 alone, byte address 0x20000000, where the vertices are. */
    load_faces(m, TEXTURE_ADDRESS);
    struct dots dots = dots_at3(-8.0f, -6.9f, -5.5f); /* S = (-5.5 / 8) / 2 + 0.5: column 1; T = 0.93: t = 7 */
    struct list list = probe_list();
    texture_bind(&list, &cube);
    bind_faces(&list, TEXTURE_ADDRESS, 0);
    list_write(&list, PICA_REG_TEXUNIT0_ADDR2, 0);
    dots_draw(m, &list, &dots);
    /* Texel 1 is the high half of the first float, x = -0.875 = 0xBF600000. */
    EXPECT_DOT(m, "CUB-03, TEX-16", 0, 0xBF, 0x60, 0, 255);
    EXPECT_NO_EVENTS(m, "CUB-03");
}

/* ------------------------------------------------------------------------------------- wrapping on a face (CUB-04) */

EACH_MACHINE(texture, CUB_04_wrapping_and_filtering_stay_on_the_face)
{
    /* (1, 1, 1) is face +Z, S = 1.0, T = 0.0: column 8. */
    static const struct {
        uint32_t wrap, filter, expected;
    } rows[] = {
        { 0, 0, 0x470700FF },
        { 1, 0, 0x11223344 },
        { 2, 0, 0x400700FF },
        { 3, 0, 0x470700FF },
        /* half 0x47, half 0x40: 67.5 -> 68; rows 7 and 0 (t = -1 wraps): 3.5 -> 4 */
        { 2, 1, 0x440400FF },
        { 0, 1, 0x470700FF },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "wrap %u, filter %u", (unsigned)rows[i].wrap, (unsigned)rows[i].filter);
        load_faces(m, TEXTURE_ADDRESS);
        struct dots dots = dots_at3(1, 1, 1);
        struct texture texture = cube;
        texture.wrap_s = texture.wrap_t = rows[i].wrap;
        texture.mag = rows[i].filter;
        draw_cube(m, &texture, &dots, 0);
        EXPECT_EQ(m, "CUB-04", dot_pixel(m, 0), rows[i].expected);
    }
}

EACH_MACHINE(texture, CUB_04_width_and_height_may_differ)
{
    /* I8 16x8 faces of 128 bytes: byte o is o. (0.5, 0.25, 2): +Z, S = 0.625, T = 0.4375: s 10, t 3, row 4. */
    for (uint32_t face = 0; face < 6u; face++)
        load_pattern(m, TEXTURE_ADDRESS + FACE_BYTES * face, 128, 1, 0);
    struct dots dots = dots_at3(0.5f, 0.25f, 2.0f);
    struct texture texture = cube;
    texture.format = PICA_TEXTURE_FORMAT_I8;
    texture.width = 16;
    draw_cube(m, &texture, &dots, 0);
    EXPECT_DOT(m, "CUB-04", 0, 100, 100, 100, 255); /* tile 1, MORTON(2,4) = 36 */
}

/* --------------------------------------------------------------------------------------------- derivatives (CUB-05) */

/* (u, v, w) at the three vertices of a dot; lodc of the level meter. */
static const struct {
    float at[3][3];
    uint32_t lodc;
} derivative_rows[] = {
    { { { 0.03125f, 0.84375f, -1.78125f },
        { 0.037109375f, 0.849609375f, -1.77734375f },
        { 0.03125f, 0.83984375f, -1.787109375f } },
      491 }, /* face 5 */
    { { { -0.75f, -1.125f, 0.96875f },
        { -0.75f, -1.12890625f, 0.970703125f },
        { -0.744140625f, -1.125f, 0.962890625f } },
      597 }, /* face 3 */
    { { { -0.03125f, -1.90625f, -0.28125f },
        { -0.03125f, -1.91015625f, -0.275390625f },
        { -0.033203125f, -1.900390625f, -0.28125f } },
      186 }, /* face 3 */
    { { { -0.75f, -1.4375f, -0.90625f },
        { -0.748046875f, -1.4375f, -0.91015625f },
        { -0.748046875f, -1.44140625f, -0.912109375f } },
      363 }, /* face 3 */
    { { { -1.96875f, -0.34375f, -0.28125f },
        { -1.97265625f, -0.34765625f, -0.283203125f },
        { -1.962890625f, -0.345703125f, -0.28515625f } },
      315 }, /* face 1 */
    { { { -0.375f, -0.5625f, -0.4375f },
        { -0.375f, -0.568359375f, -0.4375f },
        { -0.376953125f, -0.564453125f, -0.44140625f } },
      534 }, /* face 3 */
    { { { -0.84375f, 0.09375f, -1.5f },
        { -0.845703125f, 0.099609375f, -1.498046875f },
        { -0.845703125f, 0.095703125f, -1.505859375f } },
      261 }, /* face 5 */
    { { { 0.8125f, 0.4375f, 1.84375f },
        { 0.81640625f, 0.43359375f, 1.84375f },
        { 0.810546875f, 0.4375f, 1.84765625f } },
      261 }, /* face 4 */
    { { { -1.84375f, 0.84375f, 1.21875f },
        { -1.849609375f, 0.849609375f, 1.216796875f },
        { -1.841796875f, 0.84375f, 1.21875f } },
      158 }, /* face 1 */
    { { { -1.9375f, 1.59375f, -1.65625f },
        { -1.93359375f, 1.595703125f, -1.662109375f },
        { -1.94140625f, 1.58984375f, -1.650390625f } },
      567 }, /* face 1 */
    { { { -0.0625f, 1.6875f, 0.75f },
        { -0.060546875f, 1.689453125f, 0.755859375f },
        { -0.064453125f, 1.685546875f, 0.75f } },
      131 }, /* face 2 */
    { { { -1.15625f, 0.9375f, 0.34375f },
        { -1.162109375f, 0.931640625f, 0.341796875f },
        { -1.15625f, 0.93359375f, 0.345703125f } },
      556 }, /* face 1 */
    { { { 0.875f, -0.84375f, 0.71875f },
        { 0.873046875f, -0.841796875f, 0.716796875f },
        { 0.87890625f, -0.849609375f, 0.72265625f } },
      313 }, /* face 0 */
    { { { 0.53125f, 0.4375f, -0.59375f },
        { 0.537109375f, 0.44140625f, -0.58984375f },
        { 0.525390625f, 0.43359375f, -0.58984375f } },
      770 }, /* face 5 */
    { { { 0.46875f, 1.84375f, -0.71875f },
        { 0.47265625f, 1.837890625f, -0.716796875f },
        { 0.462890625f, 1.845703125f, -0.71875f } },
      451 }, /* face 2 */
    { { { 0.0f, 1.625f, 1.34375f },
        { -0.00390625f, 1.62890625f, 1.349609375f },
        { -0.005859375f, 1.619140625f, 1.34375f } },
      472 }, /* face 2 */
    { { { 0.65625f, -0.34375f, -0.96875f },
        { 0.66015625f, -0.34765625f, -0.962890625f },
        { 0.658203125f, -0.33984375f, -0.96875f } },
      522 }, /* face 5 */
    { { { -1.15625f, -0.65625f, 1.46875f },
        { -1.158203125f, -0.662109375f, 1.46875f },
        { -1.16015625f, -0.650390625f, 1.466796875f } },
      485 }, /* face 4 */
    { { { -0.875f, 1.625f, -0.65625f },
        { -0.873046875f, 1.625f, -0.65234375f },
        { -0.875f, 1.62890625f, -0.658203125f } },
      83 }, /* face 2 */
    { { { 1.8125f, 0.1875f, 0.3125f }, { 1.8125f, 0.18359375f, 0.3125f }, { 1.8125f, 0.181640625f, 0.318359375f } },
      423 }, /* face 0 */
    { { { -0.5625f, -1.3125f, 1.90625f },
        { -0.564453125f, -1.306640625f, 1.912109375f },
        { -0.560546875f, -1.310546875f, 1.908203125f } },
      340 }, /* face 4 */
    { { { 0.59375f, 0.1875f, 1.6875f },
        { 0.591796875f, 0.189453125f, 1.69140625f },
        { 0.599609375f, 0.19140625f, 1.693359375f } },
      294 }, /* face 4 */
    { { { 0.84375f, 0.78125f, 0.1875f },
        { 0.84765625f, 0.78515625f, 0.1875f },
        { 0.841796875f, 0.787109375f, 0.185546875f } },
      809 }, /* face 0 */
    { { { 1.75f, -0.21875f, -0.6875f },
        { 1.744140625f, -0.224609375f, -0.69140625f },
        { 1.74609375f, -0.220703125f, -0.6875f } },
      237 }, /* face 0 */
};

EACH_MACHINE(texture, CUB_05_the_quotient_rule_on_every_face)
{
    load_lod_meter(m, TEXTURE_ADDRESS);
    struct dots dots = { .count = 0 };
    const size_t n = sizeof derivative_rows / sizeof derivative_rows[0];
    for (size_t i = 0; i < n; i++) {
        struct probe_vertex *const v = dots_add(&dots);
        for (uint32_t k = 0; k < 3u; k++) {
            v[k].texcoord0[0] = derivative_rows[i].at[k][0];
            v[k].texcoord0[1] = derivative_rows[i].at[k][1];
            v[k].texcoord0_w = derivative_rows[i].at[k][2];
        }
    }
    struct texture meter = lod_meter();
    meter.type = PICA_TEXTURE_TYPE_CUBE;
    struct list list = probe_list();
    texture_bind(&list, &meter);
    for (uint32_t face = 1; face < 6u; face++)
        list_write(&list, PICA_REG_TEXUNIT0_ADDR1 + face, TEXTURE_ADDRESS >> 3);
    dots_draw(m, &list, &dots);
    for (uint32_t i = 0; i < n; i++) {
        machine_case(m, "row %u", (unsigned)i);
        EXPECT_EQ(m, "CUB-05", dot_pixel(m, i), lod_meter_pixel(derivative_rows[i].lodc));
    }
}
