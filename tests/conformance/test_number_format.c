/* 20-geometry.md section 1: number formats, the two profiles and their rounding. Operations: test_number.c. */
#include "tests/conformance/machine.h"
#include "tests/conformance/shader_probe.h"

enum {
    VS = PICA_UNIT_VERTEX
};

/* --------------------------------------------------------------------------------------- FLT-10 to 12, 23: formats */

/* Raw float24 through the uniform port; kept in both profiles (FLT-03: the values are representable). */
EACH_MACHINE(number, FLT_10_FLT_11_FLT_12_float24_decodes_without_loss)
{
    static const struct {
        uint32_t raw, bits;
    } rows[] = {
        { 0x3F0000, 0x3F800000 }, { 0xBF0000, 0xBF800000 }, { 0x408000, 0x40400000 }, { 0x010000, 0x20800000 },
        { 0x000001, 0x18800000 }, { 0x00FFFF, 0x207FFF00 }, { 0x7EFFFF, 0x5F7FFF80 }, { 0x7F0000, 0x7F800000 },
        { 0xFF0000, 0xFF800000 }, { 0x7F8000, 0x7FC00000 }, { 0x800000, 0x80000000 }, { 0x3E0000, 0x3F000000 },
        { 0x000000, 0x00000000 }, { 0x80FFFF, 0xA07FFF00 }, { 0x800001, 0x98800000 }, { 0x00AAAA, 0x202AAA00 },
        { 0x7F0001, 0x7FC00000 }, { 0xFFFFFF, 0x7FC00000 }, { 0xFEFFFF, 0xDF7FFF80 }, { 0x810000, 0xA0800000 },
        { 0x3F0001, 0x3F800080 }, { 0x3B999A, 0x3DCCCD00 }, { 0x008000, 0x20000000 },
    };
    for (int profile = 0; profile < 2; profile++) {
        machine_load_profile(m, profile == 0 ? PICA_PROFILE_F32 : PICA_PROFILE_F24);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            machine_case(m, "profile %d, raw %06X", profile, (unsigned)rows[i].raw);
            uint32_t words[3];
            float24_words(rows[i].raw, rows[i].raw, rows[i].raw, rows[i].raw, words);
            struct list list = { .count = 0 };
            list_write(&list, PICA_REG_VSH_FLOATUNIFORM_INDEX, 3);
            list_write_many(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, false, words, 3);
            list_write(&list, PICA_REG_FIXEDATTRIB_INDEX, 2);
            list_write_many(&list, PICA_REG_FIXEDATTRIB_DATA0, false, words, 3);
            machine_submit(m, &list);
            const uint32_t b = rows[i].bits;
            EXPECT_VECTOR(m, (rows[i].raw & 0x7F0000u) == 0u ? "FLT-11" : "FLT-10",
                          machine_state(m)->units[VS].uniforms[3], b, b, b, b);
            EXPECT_VECTOR(m, "FLT-12", machine_state(m)->fixed[2], b, b, b, b);
        }
    }
}

/*
 * float16 through the shadow constant (SHW-02): green 100, x = 0.5, linear 0: v = 100 / constant, stored if below the
 * old intensity 0xFF. Infinity gives 0, NaN gives 0 (GEN-06), -0 and negatives give 0.
 */
EACH_MACHINE(number, FLT_10_float16_decodes_by_the_same_table)
{
    static const struct {
        uint32_t raw, intensity;
    } rows[] = {
        { 0x3C00, 100 },  /* 1.0 */
        { 0x4000, 50 },   /* 2.0 */
        { 0x3E00, 66 },   /* 1.5: 66.67 */
        { 0x3C01, 99 },   /* 1 + 2^-10: 99.9 */
        { 0x7BFF, 0 },    /* 65504 */
        { 0x5640, 1 },    /* 100.0 */
        { 0x5641, 0 },    /* 100.0625 */
        { 0x7C00, 0 },    /* infinity */
        { 0x7E00, 0 },    /* NaN */
        { 0xBC00, 0 },    /* -1.0 */
        { 0x0001, 0xFF }, /* 2^-24, not 0: 255, no change either */
        { 0x8001, 0 },    /* -2^-24 */
    };
    struct probe_vertex quad[4];
    probe_quad(quad);
    probe_color(quad, 4, 0, 100, 0, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_row(m, "raw %04X", (unsigned)rows[i].raw);
        probe_clear_color(m, 0xFF, 0xFF, 0xFF, 0xFF); /* depth FFFFFF, intensity FF */
        struct list list = probe_list();
        list_write(&list, PICA_REG_COLOR_OPERATION, 3);
        list_write(&list, PICA_REG_FRAGOP_SHADOW, rows[i].raw);
        probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
        EXPECT_EQ(m, "FLT-10", probe_pixel(m, 2, 5), rows[i].intensity << 24 | 0xFFFFFF);
    }
}

/* Bits above the width are ignored: 0x041 = 0xFF410000 is the viewport 4.0; float31 (0x042, 0x044) has no effect. */
EACH_MACHINE(number, FLT_10_bits_above_the_width_are_ignored)
{
    static const uint32_t inverse[] = { 0, 0x3F000001, 0xFFFFFFFF, 0x7F000000, 0x3EAAAAAA };
    struct probe_vertex quad[4];
    probe_quad(quad);
    for (size_t i = 0; i < sizeof inverse / sizeof inverse[0]; i++) {
        machine_row(m, "inverse %08X", (unsigned)inverse[i]);
        struct list list = probe_list();
        list_write(&list, PICA_REG_VIEWPORT_WIDTH, 0xFF410000);
        list_write(&list, PICA_REG_VIEWPORT_HEIGHT, 0x80410000);
        list_write(&list, PICA_REG_VIEWPORT_INVW, inverse[i]);
        list_write(&list, PICA_REG_VIEWPORT_INVH, inverse[i]);
        probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
        EXPECT_EQ(m, "FLT-10", probe_covered(m, 0), 64);
        EXPECT_NO_EVENTS(m, "FLT-10");
    }
}

/* FLT-23 is for tools; decoding its two examples gives R24 of the values. */
EACH_MACHINE(number, FLT_23_encoded_values_decode_to_their_rounding)
{
    machine_load_profile(m, PICA_PROFILE_F24);
    struct list list = { .count = 0 };
    static const uint32_t words[3] = { 0x3B999A40, 0x80003B99, 0x9A408000 }; /* y, w = 0.1, x, z = 3.0 */
    list_write_many(&list, PICA_REG_VSH_FLOATUNIFORM_DATA0, false, words, 3);
    list_uniform(&list, VS, 1, 0x40400000, 0x3DCCCCCD, 0x40400000, 0x3DCCCCCD);
    machine_submit(m, &list);
    EXPECT_VECTOR(m, "FLT-23", machine_state(m)->units[VS].uniforms[0], 0x40400000, 0x3DCCCD00, 0x40400000, 0x3DCCCD00);
    EXPECT_VECTOR(m, "FLT-23", machine_state(m)->units[VS].uniforms[1], 0x40400000, 0x3DCCCD00, 0x40400000, 0x3DCCCD00);
}

/* ------------------------------------------------------------------------------------------- FLT-20, 21: R24 */

/* By the float32 uniform port and by vertex fetch (VTX-02), profile f24. */
EACH_MACHINE(number, FLT_20_FLT_21_r24_rounds_to_nearest_even_and_flushes_to_plus_zero)
{
    static const struct {
        uint32_t bits, rounded;
    } rows[] = {
        { 0x3F80003F, 0x3F800000 }, { 0x3F800040, 0x3F800000 }, { 0x3F800041, 0x3F800080 }, { 0x3F8000C0, 0x3F800100 },
        { 0x5F7FFFBF, 0x5F7FFF80 }, { 0x5F7FFFC0, 0x7F800000 }, { 0x207FFFC0, 0x20800000 }, { 0x207FFFBF, 0x00000000 },
        { 0x80000000, 0x00000000 }, { 0x3EAAAAAB, 0x3EAAAA80 }, { 0x3DCCCCCD, 0x3DCCCD00 }, { 0x00000000, 0x00000000 },
        { 0xBF80003F, 0xBF800000 }, { 0xBF8000C0, 0xBF800100 }, { 0xDF7FFFC0, 0xFF800000 }, { 0x7F7FFFFF, 0x7F800000 },
        { 0xFF7FFFFF, 0xFF800000 }, { 0x7F800000, 0x7F800000 }, { 0xFF800000, 0xFF800000 }, { 0x7F800001, 0x7FC00000 },
        { 0xFFFFFFFF, 0x7FC00000 }, { 0xA07FFFC0, 0xA0800000 }, { 0xA07FFFBF, 0x00000000 }, { 0x80000001, 0x00000000 },
        { 0x00000001, 0x00000000 }, { 0x207FFFFF, 0x20800000 }, { 0x20800000, 0x20800000 }, { 0x5F800000, 0x7F800000 },
        { 0x3FFFFFC0, 0x40000000 }, { 0x3FFFFFBF, 0x3FFFFF80 }, { 0x3F8000BF, 0x3F800080 }, { 0x3F8000C1, 0x3F800100 },
        { 0x3F80007F, 0x3F800080 },
    };
    machine_load_profile(m, PICA_PROFILE_F24);
    static const uint32_t code[2] = { 0x4C000000, 0x88000000 }; /* MOV o0,v0; END */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "%08X", (unsigned)rows[i].bits);
        const uint32_t u = rows[i].bits;
        struct list setup = { .count = 0 };
        list_uniform(&setup, VS, 0, u, u, u, u);
        const struct shader_run run = { .code = code, .code_count = 2, .inputs = { { u, u, u, u } }, .setup = &setup };
        shader_run(m, &run);
        EXPECT_EQ(m, "FLT-20", machine_state(m)->units[VS].uniforms[0].bits[1], rows[i].rounded);
        EXPECT_EQ(m, "FLT-21", shader_output(m, 0).bits[0], rows[i].rounded);
    }
}

/* FLT-03, FLT-01, FLT-02: profile f32 keeps every bit of a uniform and of a fetched f32, but for NaN payloads. */
EACH_MACHINE(number, FLT_01_FLT_02_FLT_03_profile_f32_carries_all_bits)
{
    static const uint32_t rows[] = {
        0x00000001, 0x80000001, 0x807FFFFF, 0x80000000, 0x3F800001, 0x7F7FFFFF, 0xFF800000
    };
    static const uint32_t code[2] = { 0x4C000000, 0x88000000 };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "%08X", (unsigned)rows[i]);
        const struct shader_run run = { .code = code,
                                        .code_count = 2,
                                        .inputs = { { rows[i], 0, 0x7FA00001, 0xFFFFFFFF } } };
        shader_run(m, &run);
        const struct pica_vector out = shader_output(m, 0);
        EXPECT_EQ(m, "FLT-01", out.bits[0], rows[i]);
        EXPECT_EQ(m, "FLT-02", out.bits[2], 0x7FC00000);
        EXPECT_VECTOR(m, "FLT-03", out, rows[i], 0, 0x7FC00000, 0x7FC00000);
    }
}
