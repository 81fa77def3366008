/*
 * LIT-02, LIT-03, LIT-10 to LIT-12, LIT-15, LIT-16, LIT-38 to LIT-40: inputs, colours and the worked examples of
 * lighting.
 */
#include "tests/conformance/lighting_probe.h"

/* ---------------------------------------------------------------------------------------- off, colours (LIT-02, 03) */

EACH_MACHINE(lighting, LIT_02_both_colours_are_0_when_lighting_is_off)
{
    for (uint32_t source = 1; source < 3u; source++) {
        machine_row(m, "source %u", (unsigned)source);
        struct dots dots = dots_one();
        struct list list = probe_list(); /* 08F = 0, 1C6 = 1 */
        list_write(&list, PICA_REG_LIGHTING_AMBIENT, 0x3FFFFFFF);
        probe_source(&list, source);
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "LIT-02", 0, 0, 0, 0, 0);
        EXPECT_NO_EVENTS(m, "LIT-02");
    }
}

EACH_MACHINE(lighting, LIT_03_every_field_value_up_to_255_is_its_byte)
{
    /* Global ambient k alone: k / 255.0 * 255.0 truncates to k for each k up to 255 and is limited above. */
    struct dots dots = dots_one();
    for (uint32_t k = 0; k < 300u; k++) {
        machine_case(m, "field %u", (unsigned)k);
        struct list list = probe_list();
        list_write(&list, PICA_REG_LIGHTING_ENABLE0, 1);
        list_write(&list, PICA_REG_LIGHTING_ENABLE1, 0);
        list_write(&list, PICA_REG_LIGHT0_CONFIG, 1);
        list_write(&list, PICA_REG_LIGHT0_Z, 0x3C00);
        list_write(&list, PICA_REG_LIGHTING_CONFIG1, 0xFFFFFFFF);
        list_write(&list, PICA_REG_LIGHTING_AMBIENT, k | (k + 1u) % 1024u << 10 | (1023u - k) << 20);
        probe_source(&list, PICA_TEV_SOURCE_FRAGMENT_PRIMARY);
        dots_draw(m, &list, &dots);
        EXPECT_DOT(m, "LIT-03, LIT-37, LIT-38", 0, 255, k + 1u < 256u ? k + 1u : 255, k < 256u ? k : 255, 255);
    }
}

/* --------------------------------------------------------------------------------- quaternion and view (LIT-10..15) */

struct vector_row {
    uint32_t bits[4]; /* quaternion, or view and nothing */
    uint32_t primary, secondary;
};

/* The studio's fragment 0 with other quaternions. LIT-11: no length, an infinite one, one that underflows, NaN. */
static const struct vector_row quaternion_rows[] = {
    { { 0x00000000, 0x00000000, 0x00000000, 0x3F800000 }, 0x363E3FB5, 0x4D4144B5 },
    { { 0x00000000, 0x00000000, 0x00000000, 0xBF800000 }, 0x363E3FB5, 0x4D4144B5 },
    { { 0x00000000, 0x00000000, 0x00000000, 0x40400000 }, 0x363E3FB5, 0x4D4144B5 },
    { { 0x3F000000, 0x3F000000, 0x3F000000, 0x3F000000 }, 0x3D44446E, 0x3A35376E },
    { { 0x3F800000, 0x00000000, 0x00000000, 0x00000000 }, 0x141F2989, 0x2A2E2489 },
    { { 0x00000000, 0x3F800000, 0x00000000, 0x00000000 }, 0x141F2989, 0x2A342489 },
    { { 0x00000000, 0x00000000, 0x3F800000, 0x00000000 }, 0x363E3FB5, 0x4D4844B5 },
    { { 0x3DCCCCCD, 0xBF333333, 0x3E4CCCCD, 0x3ECCCCCD }, 0x141F29BD, 0x2A2C24BD },
    { { 0x00000000, 0x00000000, 0x00000000, 0x00000000 }, 0x00000000, 0x00000000 },
    { { 0x7149F2CA, 0x7149F2CA, 0x00000000, 0x7149F2CA }, 0x363E3FB5, 0x4D4144B5 },
    { { 0x0DA24260, 0x00000000, 0x00000000, 0x0DA24260 }, 0x00000000, 0x00000000 },
    { { 0x1E3CE508, 0x1EBCE508, 0x00000000, 0x1F0DABC6 }, 0x2831368A, 0x3D38368A },
    { { 0x7F800000, 0x00000000, 0x00000000, 0x3F800000 }, 0x00000000, 0x00000000 },
    { { 0x00000000, 0x7FC00000, 0x00000000, 0x3F800000 }, 0x00000000, 0x00000000 },
    { { 0x00000000, 0x00000000, 0x00000000, 0x7F800000 }, 0x00000000, 0x00000000 },
    { { 0x40000000, 0xC0400000, 0x40800000, 0xC0A00000 }, 0x444A4999, 0x3B474499 },
};

/* With other view vectors; the zero vector gives NaN (LIT-38). */
static const struct vector_row view_rows[] = {
    { { 0x00000000, 0x00000000, 0x3F800000 }, 0x2B3236B2, 0x3A3029B2 },
    { { 0x00000000, 0x00000000, 0xBF800000 }, 0x121C258F, 0x262A208F },
    { { 0x00000000, 0x00000000, 0x40A00000 }, 0xACB4A5B2, 0xA7A98DB2 },
    { { 0x3F800000, 0x3F800000, 0x3F800000 }, 0x30393D95, 0x54433A95 },
    { { 0x00000000, 0x00000000, 0x00000000 }, 0x10192100, 0x00000000 },
    { { 0x7F800000, 0x00000000, 0x00000000 }, 0x00000000, 0x00000000 },
    { { 0x00000000, 0x7FC00000, 0x00000000 }, 0x00000000, 0x00000000 },
    { { 0x7149F2CA, 0x00000000, 0x7149F2CA }, 0x10182062, 0x00000062 },
    { { 0x0DA24260, 0x00000000, 0x0DA24260 }, 0x10192100, 0x00000000 },
    { { 0x40400000, 0xC0800000, 0x41400000 }, 0x787C7092, 0x86687092 },
    { { 0xBF800000, 0x00000000, 0x00000000 }, 0x0F161DA7, 0x1A2A15A7 },
    { { 0x80000000, 0x00000000, 0xC0000000 }, 0x111A238F, 0x1F1E188F },
};

static void set_vector(float *out, uint32_t n, const uint32_t *bits)
{
    for (uint32_t c = 0; c < n; c++)
        out[c] = f32_from_bits(bits[c]);
}

static void check_vectors(struct machine *m, const struct vector_row *rows, size_t n, bool view)
{
    studio_load(m);
    struct list tables = { .count = 0 };
    list_studio_tables(&tables);
    machine_submit(m, &tables);
    for (uint32_t source = 1; source < 3u; source++) {
        struct dots studio = { .count = 0 }, dots = { .count = 0 };
        studio_dots(&studio);
        for (size_t i = 0; i < n; i++) {
            struct probe_vertex *const v = dots_add(&dots);
            for (uint32_t k = 0; k < 3u; k++) {
                for (uint32_t c = 0; c < 4u; c++)
                    v[k].quaternion[c] = studio.vertices[0].quaternion[c];
                for (uint32_t c = 0; c < 3u; c++)
                    v[k].view[c] = studio.vertices[0].view[c];
                set_vector(view ? v[k].view : v[k].quaternion, view ? 3 : 4, rows[i].bits);
            }
        }
        struct list list = { .count = 0 };
        list_studio(&list, source);
        dots_draw(m, &list, &dots);
        for (uint32_t i = 0; i < n; i++) {
            machine_case(m, "%s %u, source %u", view ? "view" : "quaternion", (unsigned)i, (unsigned)source);
            EXPECT_EQ(m, view ? "LIT-15" : "LIT-11, LIT-12", dot_pixel(m, i),
                      source == 1u ? rows[i].primary : rows[i].secondary);
        }
    }
}

EACH_MACHINE(lighting, LIT_10_LIT_11_LIT_12_quaternions_are_normalised_and_rotate)
{
    check_vectors(m, quaternion_rows, sizeof quaternion_rows / sizeof quaternion_rows[0], false);
}

EACH_MACHINE(lighting, LIT_15_the_view_vector_is_normalised)
{
    check_vectors(m, view_rows, sizeof view_rows / sizeof view_rows[0], true);
}

/* --------------------------------------------------------------------------------------------------- LIT-16, LIT-39 */

EACH_MACHINE(lighting, LIT_16_LIT_39_diffuse_example)
{
    struct dots studio = { .count = 0 }, dots = { .count = 0 };
    studio_dots(&studio);
    struct probe_vertex *const v = dots_add(&dots);
    for (uint32_t k = 0; k < 12u; k++)
        v[k / 4u].quaternion[k % 4u] = studio.vertices[0].quaternion[k % 4u];
    struct list list = probe_list();
    list_write(&list, PICA_REG_LIGHTING_ENABLE0, 1);
    list_write(&list, PICA_REG_LIGHTING_ENABLE1, 0);
    list_write(&list, PICA_REG_LIGHT0_DIFFUSE, 255u << 20 | 128u << 10);
    list_write(&list, PICA_REG_LIGHT0_AMBIENT, 16u << 20 | 16u << 10 | 16u);
    list_write(&list, PICA_REG_LIGHT0_XY, 0x40003C00);
    list_write(&list, PICA_REG_LIGHT0_Z, 0x4200);
    list_write(&list, PICA_REG_LIGHT0_CONFIG, 1);
    list_write(&list, PICA_REG_LIGHTING_CONFIG1, 0xFFFFFFFF);
    probe_source(&list, PICA_TEV_SOURCE_FRAGMENT_PRIMARY);
    dots_draw(m, &list, &dots);
    EXPECT_DOT(m, "LIT-16, LIT-39", 0, 220, 118, 16, 255);
    EXPECT_NO_EVENTS(m, "LIT-39");
}

/* ----------------------------------------------------------------------------------------------------------- LIT-40 */

static void list_example_40(struct list *list)
{
    for (uint32_t t = 0; t < 24u; t++) {
        uint32_t words[256];
        for (uint32_t k = 0; k < 256u; k++)
            words[k] = ((k * 16u + t) & 0xFFFu) | ((k * 3u + t) & 0x7FFu) << 12 | (k & 1u) << 23;
        list_lighting_table(list, t, words, 256);
    }
    static const struct register_write writes[] = {
        { 0x08F, 1 },
        { 0x1C6, 0 },
        { 0x1C0, 5u << 20 | 6u << 10 | 7u },
        { 0x1C2, 0 },
        { 0x1D9, 2 },
        { 0x160, 200u << 20 | 100u << 10 | 50u },
        { 0x161, 40u << 20 | 80u << 10 | 120u },
        { 0x162, 255u << 20 | 128u << 10 | 64u },
        { 0x163, 10u << 20 | 20u << 10 | 30u },
        { 0x164, 0x40003C00 },
        { 0x165, 0xB800 },
        { 0x166, 500u << 16 | (0x2000u - 1000u) },
        { 0x167, 1800 },
        { 0x169, 0xC },
        { 0x16A, 0x3B000 },
        { 0x16B, 0x3C000 },
        /* shadow, fresnel to both alphas, configuration 8, shadow on both and on alpha, shadow unit 1, clamp, bump
         * mode 1 */
        { 0x1C3, 0x190B008D },
        { 0x1C4, 0 },
        { 0x1D0, 0x00202020 },
        { 0x1D1, 0x00532410 },
        { 0x1D2, 1u | 7u << 12 | 6u << 16 }, /* D0 2, FR 0.5, RB 0.25 */
    };
    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        list_write(list, writes[i].id, writes[i].value);
}

EACH_MACHINE(lighting, LIT_40_full_example)
{
    static const uint32_t expected[2] = { 0x130B0A05, 0x06020005 };
    for (uint32_t source = 1; source < 3u; source++) {
        machine_row(m, "source %u", (unsigned)source);
        studio_load(m);
        struct dots dots = { .count = 0 }; /* fragment 0 of the studio has the quaternion and view of the example */
        studio_dots(&dots);
        struct list tables = { .count = 0 };
        list_example_40(&tables);
        machine_submit(m, &tables);
        struct list list = probe_list();
        for (uint32_t unit = 0; unit < 2u; unit++)
            texture_bind(&list, &(struct texture){
                                    .unit = unit, .width = 8, .height = 8, .address = TEXTURE_ADDRESS + 256u * unit });
        list_write(&list, PICA_REG_TEXUNIT_CONFIG, 3);
        list_write(&list, 0x08F, 1);
        list_write(&list, 0x1C6, 0);
        probe_source(&list, source);
        dots_draw(m, &list, &dots);
        EXPECT_EQ(m, "LIT-40", dot_pixel(m, 0), expected[source - 1u]);
        EXPECT_NO_EVENTS(m, "LIT-40");
    }
}
