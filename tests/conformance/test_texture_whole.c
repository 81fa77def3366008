/* Textures over whole perspective triangles of 64 pixels (fragment_probe.h): TEX-09, MIP, CUB, SDW, PTX with ITP-12. */
#include "tests/conformance/fragment_probe.h"

/* ci/expected recomputes the expected pixels from the rules. */

/* I8 16x16 with five levels: byte o from the address is (o * 37 + 11) & 255. */
static const struct texture pattern = { .format = PICA_TEXTURE_FORMAT_I8,
                                        .width = 16,
                                        .height = 16,
                                        .mag = 1,
                                        .min = 1,
                                        .mip = 1,
                                        .max_level = 4,
                                        .border = 0xFF444444 };

EACH_MACHINE(texture, MIP_12_trilinear_2D)
{
    static const uint32_t expected[64] = {
        0x3D3D3DFF, 0x6E6E6EFF, 0xA5A5A5FF, 0xD6D6D6FF, 0x444444FF, 0x9C9C9CFF, 0x565656FF, 0x2F2F2FFF,
        0x595959FF, 0x797979FF, 0xC3C3C3FF, 0x898989FF, 0x595959FF, 0x909090FF, 0x2F2F2FFF, 0x737373FF,
        0x5E5E5EFF, 0x8E8E8EFF, 0xD1D1D1FF, 0x1F1F1FFF, 0xBFBFBFFF, 0x2F2F2FFF, 0x626262FF, 0x5F5F5FFF,
        0x595959FF, 0xA7A7A7FF, 0x707070FF, 0x818181FF, 0x2F2F2FFF, 0x5B5B5BFF, 0x8F8F8FFF, 0xACACACFF,
        0x4A4A4AFF, 0xBCBCBCFF, 0x707070FF, 0x2F2F2FFF, 0x6A6A6AFF, 0xBFBFBFFF, 0xA7A7A7FF, 0x888888FF,
        0x909090FF, 0x929292FF, 0x2F2F2FFF, 0x959595FF, 0xD3D3D3FF, 0x979797FF, 0x909090FF, 0x8A8A8AFF,
        0x858585FF, 0x2F2F2FFF, 0x717171FF, 0x959595FF, 0x949494FF, 0x747474FF, 0x6C6C6CFF, 0x737373FF,
        0x2F2F2FFF, 0x444444FF, 0x7F7F7FFF, 0x666666FF, 0x565656FF, 0x464646FF, 0x303030FF, 0x484848FF,
    };
    load_pattern(m, TEXTURE_ADDRESS, 341, 37, 11);
    struct probe_vertex v[6];
    probe_perspective(v);
    struct list list = probe_list();
    struct texture texture = pattern;
    texture.wrap_s = PICA_TEXTURE_WRAP_REPEAT;
    texture.wrap_t = PICA_TEXTURE_WRAP_MIRRORED_REPEAT;
    texture_bind(&list, &texture);
    expect_perspective(m, "MIP-03, MIP-10, MIP-12", &list, v, expected);
}

EACH_MACHINE(texture, MIP_11_nearest_2D)
{
    static const uint32_t expected[64] = {
        0xA5A5A5FF, 0x393939FF, 0x4B4B4BFF, 0x707070FF, 0xDFDFDFFF, 0xBDBDBDFF, 0x0A0A0AFF, 0x2F2F2FFF,
        0x808080FF, 0x040404FF, 0x4B4B4BFF, 0x515151FF, 0x767676FF, 0xE5E5E5FF, 0x2F2F2FFF, 0x0A0A0AFF,
        0xDFDFDFFF, 0x767676FF, 0xE2E2E2FF, 0x515151FF, 0xE5E5E5FF, 0x2F2F2FFF, 0x0A0A0AFF, 0xDFDFDFFF,
        0x767676FF, 0xBDBDBDFF, 0x070707FF, 0xE5E5E5FF, 0x2F2F2FFF, 0xC0C0C0FF, 0x707070FF, 0xE2E2E2FF,
        0x2C2C2CFF, 0x989898FF, 0xC0C0C0FF, 0x2F2F2FFF, 0x9B9B9BFF, 0xE2E2E2FF, 0x989898FF, 0x3F3F3FFF,
        0x959595FF, 0xC0C0C0FF, 0x2F2F2FFF, 0x9B9B9BFF, 0xBDBDBDFF, 0x737373FF, 0xA2A2A2FF, 0x585858FF,
        0x9B9B9BFF, 0x2F2F2FFF, 0xE5E5E5FF, 0x737373FF, 0x959595FF, 0x585858FF, 0x7A7A7AFF, 0x7A7A7AFF,
        0x2F2F2FFF, 0x0A0A0AFF, 0x4E4E4EFF, 0x959595FF, 0x555555FF, 0x555555FF, 0x0B0B0BFF, 0x9F9F9FFF,
    };
    load_pattern(m, TEXTURE_ADDRESS, 341, 37, 11);
    struct probe_vertex v[6];
    probe_perspective(v);
    struct list list = probe_list();
    struct texture texture = pattern;
    texture.mag = texture.min = texture.mip = 0;
    texture.wrap_s = texture.wrap_t = PICA_TEXTURE_WRAP_REPEAT;
    texture.bias = -100;
    texture_bind(&list, &texture);
    expect_perspective(m, "MIP-10, MIP-11", &list, v, expected);
}

EACH_MACHINE(texture, MIP_04_projection)
{
    static const uint32_t expected[64] = {
        0x444444FF, 0x444444FF, 0x474747FF, 0x595959FF, 0x383838FF, 0x282828FF, 0x707070FF, 0x353535FF,
        0x454545FF, 0x5A5A5AFF, 0x797979FF, 0x626262FF, 0x1D1D1DFF, 0x6F6F6FFF, 0x323232FF, 0x6B6B6BFF,
        0x7C7C7CFF, 0x939393FF, 0xB7B7B7FF, 0x151515FF, 0x383838FF, 0x2F2F2FFF, 0x6F6F6FFF, 0x444444FF,
        0xBBBBBBFF, 0xBABABAFF, 0x777777FF, 0x404040FF, 0x313131FF, 0x5F5F5FFF, 0x444444FF, 0x444444FF,
        0xACACACFF, 0xBABABAFF, 0x626262FF, 0x343434FF, 0x4D4D4DFF, 0x444444FF, 0x444444FF, 0x444444FF,
        0xA5A5A5FF, 0x9A9A9AFF, 0x3E3E3EFF, 0x454545FF, 0x444444FF, 0x444444FF, 0x444444FF, 0x444444FF,
        0x9D9D9DFF, 0x595959FF, 0x444444FF, 0x444444FF, 0x444444FF, 0x444444FF, 0x444444FF, 0x444444FF,
        0x565656FF, 0x444444FF, 0x444444FF, 0x444444FF, 0x444444FF, 0x444444FF, 0x444444FF, 0x444444FF,
    };
    load_pattern(m, TEXTURE_ADDRESS, 341, 37, 11);
    struct probe_vertex v[6];
    probe_perspective(v);
    struct list list = probe_list();
    struct texture texture = pattern;
    texture.type = PICA_TEXTURE_TYPE_PROJECTION;
    texture.wrap_s = PICA_TEXTURE_WRAP_MIRRORED_REPEAT;
    texture.wrap_t = PICA_TEXTURE_WRAP_CLAMP_TO_BORDER;
    texture_bind(&list, &texture);
    expect_perspective(m, "TEX-26, MIP-04", &list, v, expected);
}

EACH_MACHINE(texture, CUB_01_five_faces_of_a_cube_map)
{
    static const uint32_t expected[64] = {
        0xC2C2C2FF, 0xC5C5C5FF, 0x9B9B9BFF, 0x9B9B9BFF, 0x868686FF, 0xA7A7A7FF, 0x818181FF, 0x9B9B9BFF,
        0xA7A7A7FF, 0xCFCFCFFF, 0x8A8A8AFF, 0x6F6F6FFF, 0xA6A6A6FF, 0x959595FF, 0x919191FF, 0x1F1F1FFF,
        0x9B9B9BFF, 0xA3A3A3FF, 0x5F5F5FFF, 0x989898FF, 0x858585FF, 0x888888FF, 0x3A3A3AFF, 0xC1C1C1FF,
        0x7B7B7BFF, 0x7C7C7CFF, 0x989898FF, 0x373737FF, 0x777777FF, 0x535353FF, 0xB9B9B9FF, 0xA4A4A4FF,
        0x949494FF, 0x4F4F4FFF, 0xEFEFEFFF, 0x363636FF, 0x747474FF, 0x5D5D5DFF, 0x9C9C9CFF, 0xD8D8D8FF,
        0xA8A8A8FF, 0xEFEFEFFF, 0xCACACAFF, 0xD4D4D4FF, 0x838383FF, 0xB2B2B2FF, 0xB2B2B2FF, 0xABABABFF,
        0xC7C7C7FF, 0x949494FF, 0xB0B0B0FF, 0x929292FF, 0x656565FF, 0x515151FF, 0x565656FF, 0x5F5F5FFF,
        0x8F8F8FFF, 0x494949FF, 0x999999FF, 0x989898FF, 0x757575FF, 0x5E5E5EFF, 0x565656FF, 0x575757FF,
    };
    for (uint32_t face = 0; face < 6u; face++) /* the pattern goes on from face to face, which are 352 bytes apart */
        load_pattern(m, TEXTURE_ADDRESS + 352u * face, 352, 37, 11u + 37u * 352u * face);
    struct probe_vertex v[6];
    probe_perspective(v);
    for (uint32_t i = 0; i < 6u; i++) {
        v[i].texcoord0[0] = v[i].texcoord1[0];
        v[i].texcoord0[1] = v[i].texcoord1[1];
        v[i].texcoord0_w = v[i].texcoord2[0];
    }
    struct list list = probe_list();
    struct texture texture = pattern;
    texture.type = PICA_TEXTURE_TYPE_CUBE;
    texture_bind(&list, &texture);
    for (uint32_t face = 1; face < 6u; face++)
        list_write(&list, PICA_REG_TEXUNIT0_ADDR1 + face, (TEXTURE_ADDRESS + 352u * face) >> 3);
    expect_perspective(m, "CUB-01, CUB-05", &list, v, expected);
}

static void shadow_over_triangles(struct machine *m, uint32_t word, uint32_t filter, const uint32_t *expected)
{
    machine_reset(m);
    load_pattern(m, TEXTURE_ADDRESS, 1024, 37, 11);
    struct probe_vertex v[6];
    probe_perspective(v);
    struct list list = probe_list();
    struct texture texture = pattern;
    texture.type = PICA_TEXTURE_TYPE_SHADOW_2D;
    texture.format = PICA_TEXTURE_FORMAT_RGBA8;
    texture.wrap_s = texture.wrap_t = PICA_TEXTURE_WRAP_REPEAT;
    texture.mag = filter;
    texture_bind(&list, &texture);
    list_write(&list, PICA_REG_TEXUNIT0_SHADOW, word);
    expect_perspective(m, "SDW-05, SDW-06", &list, v, expected);
}

EACH_MACHINE(texture, SDW_06_shadow_map)
{
    static const uint32_t expected_linear[64] = {
        0x06060606, 0x21212121, 0x11111111, 0x00000000, 0x3E3E3E3E, 0x2C2C2C2C, 0x1E1E1E1E, 0x35353535,
        0x30303030, 0x23232323, 0x13131313, 0x00000000, 0x28282828, 0x06060606, 0x68686868, 0x29292929,
        0x45454545, 0x00000000, 0x3C3C3C3C, 0x0B0B0B0B, 0x34343434, 0x25252525, 0x32323232, 0x13131313,
        0x1B1B1B1B, 0x0B0B0B0B, 0x45454545, 0x06060606, 0x00000000, 0x11111111, 0x01010101, 0x06060606,
        0x08080808, 0x04040404, 0x15151515, 0x35353535, 0x02020202, 0x56565656, 0x11111111, 0x26262626,
        0x00000000, 0x01010101, 0x12121212, 0x27272727, 0x19191919, 0x22222222, 0x00000000, 0x22222222,
        0x08080808, 0x31313131, 0x34343434, 0x20202020, 0x0C0C0C0C, 0x1F1F1F1F, 0x17171717, 0x2C2C2C2C,
        0x43434343, 0x07070707, 0x00000000, 0x03030303, 0x09090909, 0x1D1D1D1D, 0x1B1B1B1B, 0x0A0A0A0A,
    };
    static const uint32_t expected_nearest[64] = {
        0xD6D6D6D6, 0xEEEEEEEE, 0x1A1A1A1A, 0x00000000, 0x5E5E5E5E, 0x00000000, 0x2A2A2A2A, 0xCECECECE,
        0xF2F2F2F2, 0x32323232, 0xCACACACA, 0x00000000, 0xBEBEBEBE, 0x00000000, 0x3E3E3E3E, 0xE6E6E6E6,
        0x5E5E5E5E, 0xE6E6E6E6, 0x6E6E6E6E, 0xDEDEDEDE, 0x16161616, 0xCACACACA, 0x02020202, 0xFAFAFAFA,
        0xDADADADA, 0x00000000, 0x42424242, 0x00000000, 0xDADADADA, 0xEAEAEAEA, 0x66666666, 0xEEEEEEEE,
        0xD2D2D2D2, 0x5A5A5A5A, 0x02020202, 0x1E1E1E1E, 0x46464646, 0x16161616, 0x5A5A5A5A, 0x00000000,
        0x00000000, 0x00000000, 0x00000000, 0x00000000, 0xFEFEFEFE, 0x00000000, 0xF2F2F2F2, 0x00000000,
        0x4A4A4A4A, 0x00000000, 0x00000000, 0x6A6A6A6A, 0xF2F2F2F2, 0x0E0E0E0E, 0x0E0E0E0E, 0x0E0E0E0E,
        0x2A2A2A2A, 0x1A1A1A1A, 0x00000000, 0x00000000, 0x0E0E0E0E, 0x0E0E0E0E, 0x0E0E0E0E, 0x0E0E0E0E,
    };
    shadow_over_triangles(m, 0x00700001, 1, expected_linear);
    shadow_over_triangles(m, 0x00A00000, 0, expected_nearest);
}

EACH_MACHINE(texture, PTX_24_everything_of_the_procedural_unit)
{
    static const uint32_t expected[64] = {
        0x499B641B, 0xA79A650A, 0x91A25D06, 0x92B44B0F, 0x55CE3147, 0x6AE01F88, 0xA9E11E37, 0x3CFB0436,
        0xAC9F6010, 0xD1A15E03, 0x5FB14E04, 0xD2CA3519, 0xF2DC2365, 0x55EA156D, 0xA3FB0450, 0x27F90651,
        0x29A75808, 0x9AB04F00, 0x24CA350D, 0x4BDD224A, 0x93F10EA7, 0x4DFC036D, 0xA9FA056D, 0xA7DC233D,
        0x49B94608, 0x2AC93605, 0x01DD222E, 0x00F50AC0, 0x89F9060C, 0xCDFB0484, 0x7EDD2258, 0xA5CA3562,
        0x80CC330B, 0x6BDF202B, 0xB6F6097A, 0x66FB0439, 0xE6F30C3D, 0xA4D7283F, 0xBEC63960, 0x6D9B640A,
        0x68E41B46, 0xB7FA0567, 0x7EFC0364, 0xBAF10E5B, 0x49D7285B, 0x7EC53A7C, 0x95956A07, 0xAE89760B,
        0x8FFA056F, 0x62FC0371, 0x93E51A21, 0x1CD42B66, 0x83A05F03, 0x8F926D0A, 0x30847B0C, 0x7F837C21,
        0x28FC0353, 0x49E41B17, 0x57BD4211, 0x4D996705, 0xBA916E16, 0xA87D820C, 0x16827D27, 0x4E76891B,
    };
    struct probe_vertex v[6];
    probe_perspective(v);
    struct list list = probe_list();
    list_proctex_ramps(&list);
    list_proctex_meter(&list);
    proctex_bind(&list, &(struct proctex){ .u_clamp = 3,
                                           .v_clamp = 2,
                                           .rgb_func = PICA_PROCTEX_FUNC_RMAX,
                                           .alpha_func = PICA_PROCTEX_FUNC_ADD2,
                                           .separate_alpha = 1,
                                           .noise_enable = 1,
                                           .u_shift = PICA_PROCTEX_SHIFT_ODD,
                                           .v_shift = PICA_PROCTEX_SHIFT_EVEN,
                                           .bias = 0x2C00,
                                           .u_amplitude = 1500,
                                           .v_amplitude = 0xF800,
                                           .u_phase = 0x3800,
                                           .v_phase = 0xB400,
                                           .u_frequency = 0x4100,
                                           .v_frequency = 0x3E00,
                                           .filter = PICA_PROCTEX_FILTER_LINEAR_MIP_LINEAR,
                                           .max_lod = 7,
                                           .width = 255,
                                           .offsets = 0xC0804000 });
    expect_perspective(m, "PTX-07 to PTX-24", &list, v, expected);
}
