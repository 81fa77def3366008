/* TEX-22, TEX-27, WRP, MIP-01, MIP-11, MIP-12 together: 180 samples of sizes, wrap modes, levels and filters. */
#include "tests/conformance/fragment_probe.h"

/*
 * I8, byte o from the texture address is (o * 37 + 11) & 255; border 192. Level by min = max level. ci/expected
 * recomputes the numbers.
 */
static const struct {
    uint32_t width, height, wrap_s, wrap_t, filter, level, s_bits, t_bits, value;
} rows[] = {
    { 8, 8, 7, 0, 0, 1, 0x3F2A10CB, 0x401BAC25, 223 },   { 8, 8, 0, 3, 1, 3, 0x3F87A8C6, 0x3DCE50B0, 47 },
    { 8, 8, 6, 0, 0, 2, 0xBFD201D5, 0x3FFA3ABF, 155 },   { 8, 8, 7, 6, 1, 0, 0xBCDAE0C3, 0xBE800000, 74 },
    { 8, 8, 7, 1, 0, 3, 0x3EA9DE7E, 0x3F86EFDF, 192 },   { 8, 8, 0, 2, 1, 3, 0x408D8CA2, 0xBF51A558, 47 },
    { 8, 8, 7, 3, 0, 1, 0x3F2BCF7D, 0xC020874A, 41 },    { 8, 8, 3, 6, 1, 3, 0xBFE00000, 0x3E21AFF1, 47 },
    { 8, 8, 0, 4, 0, 2, 0x3EA8D939, 0x3F050AA4, 155 },   { 8, 8, 0, 3, 1, 0, 0x3F1F40F9, 0x3E411771, 53 },
    { 8, 8, 0, 5, 0, 1, 0x3EF79045, 0x3F6EE6CF, 112 },   { 8, 8, 7, 3, 1, 3, 0x3FC00000, 0xBF800000, 47 },
    { 16, 8, 6, 0, 0, 1, 0x3F99B588, 0x3CE459EA, 34 },   { 16, 8, 3, 1, 1, 1, 0xBF8A531E, 0x3F71938E, 156 },
    { 16, 8, 0, 3, 0, 3, 0xBFC00000, 0x3F76A30C, 83 },   { 16, 8, 7, 6, 1, 0, 0xBD818124, 0xBD04734F, 69 },
    { 16, 8, 0, 1, 0, 0, 0x3E4EE6C5, 0xBF400000, 192 },  { 16, 8, 3, 7, 1, 3, 0xBFA00000, 0x3FE00000, 120 },
    { 16, 8, 3, 5, 0, 2, 0x3F1CC1EA, 0x3F975099, 192 },  { 16, 8, 5, 3, 1, 1, 0xBFA00000, 0xBF000000, 113 },
    { 16, 8, 3, 5, 0, 1, 0x00000000, 0x3D7E13F0, 253 },  { 16, 8, 6, 2, 1, 1, 0xBFF43E97, 0xBC33D8E4, 172 },
    { 16, 8, 6, 5, 0, 0, 0x3F000000, 0xBD0B9E08, 75 },   { 16, 8, 5, 3, 1, 3, 0xBF86BA09, 0xC021275B, 105 },
    { 8, 32, 0, 7, 0, 3, 0xBF400000, 0x4074FD67, 155 },  { 8, 32, 5, 7, 1, 3, 0x3D6BBB5A, 0x405F2020, 210 },
    { 8, 32, 0, 0, 0, 3, 0x3DFABE1E, 0x3E5C3501, 13 },   { 8, 32, 1, 7, 1, 0, 0x3EF40E68, 0x3F5F4DA7, 128 },
    { 8, 32, 6, 1, 0, 0, 0x3FA00000, 0x3F89E56A, 192 },  { 8, 32, 5, 7, 1, 2, 0xC080B2F2, 0x3F400000, 152 },
    { 8, 32, 5, 6, 0, 2, 0x3EF01B55, 0xC080A0B9, 75 },   { 8, 32, 2, 6, 1, 1, 0x4019CF31, 0x3F5A10DC, 105 },
    { 8, 32, 2, 2, 0, 3, 0x3DC52F9F, 0x3F212AF2, 229 },  { 8, 32, 6, 7, 1, 0, 0xBFE00000, 0xBF800000, 81 },
    { 8, 32, 2, 2, 0, 2, 0xBFC9DE56, 0x3F9EAFF7, 19 },   { 8, 32, 7, 1, 1, 0, 0x3F9E1494, 0x3ED4FCC1, 145 },
    { 64, 16, 5, 5, 0, 4, 0x3F029966, 0x3F49933E, 47 },  { 64, 16, 6, 6, 1, 1, 0x3F5C436A, 0x3FC00000, 142 },
    { 64, 16, 4, 4, 0, 0, 0x40000000, 0xBFE00000, 70 },  { 64, 16, 7, 1, 1, 2, 0x3E0EBCE7, 0x3FA0B998, 192 },
    { 64, 16, 1, 4, 0, 0, 0x3FBBF294, 0x3F21D617, 192 }, { 64, 16, 1, 0, 1, 1, 0xBFB1CB82, 0x3F79E207, 192 },
    { 64, 16, 5, 7, 0, 4, 0xBE800000, 0xBFC00000, 84 },  { 64, 16, 0, 1, 1, 0, 0x3F00C060, 0x3FA482DF, 192 },
    { 64, 16, 6, 6, 0, 2, 0x3F2478F2, 0x3F0B431F, 41 },  { 64, 16, 4, 1, 1, 3, 0x3F0B4B33, 0xBFB00342, 192 },
    { 64, 16, 3, 5, 0, 2, 0x40614EC7, 0x00000000, 134 }, { 64, 16, 0, 1, 1, 3, 0x3F604AFA, 0xBF400000, 192 },
    { 12, 12, 4, 5, 0, 1, 0x3E800000, 0x3F42298B, 74 },  { 12, 12, 2, 3, 1, 2, 0x3FE00000, 0x3F57A38B, 135 },
    { 12, 12, 6, 7, 0, 3, 0x3E305834, 0x3CDE8C7C, 92 },  { 12, 12, 1, 7, 1, 1, 0xBF4FE5E0, 0x3F0D5BD4, 192 },
    { 12, 12, 5, 3, 0, 1, 0xBF000000, 0xC0000000, 74 },  { 12, 12, 4, 0, 1, 2, 0xC08AD9C6, 0x3F048CF9, 162 },
    { 12, 12, 7, 5, 0, 3, 0x3D119A75, 0x3DEEA155, 92 },  { 12, 12, 1, 5, 1, 2, 0x4079D034, 0x3ED013A7, 192 },
    { 12, 12, 7, 7, 0, 2, 0xBE53DA42, 0x3F9525BB, 55 },  { 12, 12, 0, 6, 1, 3, 0xC0347436, 0x3E46C319, 92 },
    { 12, 12, 4, 6, 0, 0, 0xC0901F2E, 0xC09A184E, 90 },  { 12, 12, 7, 7, 1, 0, 0x3F28154C, 0xBE97D1C9, 208 },
    { 20, 9, 5, 6, 0, 1, 0xC068CF11, 0x3F754E2E, 116 },  { 20, 9, 4, 1, 1, 2, 0xC0000000, 0x3FE00000, 192 },
    { 20, 9, 4, 2, 0, 1, 0x3FFAB8F8, 0x3EA88E6E, 156 },  { 20, 9, 3, 6, 1, 0, 0x3EF7D63F, 0xBE800000, 131 },
    { 20, 9, 3, 5, 0, 2, 0x3F0BBC64, 0xBFB7C216, 107 },  { 20, 9, 4, 1, 1, 1, 0xC0000000, 0x40000000, 192 },
    { 20, 9, 2, 7, 0, 3, 0x3FE00000, 0x3DA8E67B, 110 },  { 20, 9, 5, 7, 1, 3, 0xBDEA1031, 0x3EED33C8, 100 },
    { 20, 9, 5, 4, 0, 3, 0x3EBAA086, 0x3F2FDCA6, 73 },   { 20, 9, 2, 7, 1, 1, 0x3F32DDA3, 0xBFA00000, 108 },
    { 20, 9, 2, 2, 0, 1, 0x3EAA1A41, 0x3FCFAADE, 18 },   { 20, 9, 3, 0, 1, 1, 0x3EBDC74A, 0x3E92AEE9, 172 },
    { 9, 8, 3, 7, 0, 3, 0xC0967306, 0x3F86FA51, 87 },    { 9, 8, 4, 0, 1, 3, 0x3EDCF45C, 0x3E9B1822, 87 },
    { 9, 8, 2, 3, 0, 3, 0x3E800000, 0x3C92487B, 87 },    { 9, 8, 5, 7, 1, 3, 0xBF400000, 0x3F3C11A0, 87 },
    { 9, 8, 6, 7, 0, 1, 0x3FC00000, 0x3F04B314, 81 },    { 9, 8, 6, 6, 1, 0, 0x40000000, 0x3FACF479, 166 },
    { 9, 8, 1, 0, 0, 3, 0x4038FD92, 0xC0881D72, 192 },   { 9, 8, 4, 4, 1, 2, 0x3E1ECC66, 0x3EA2316C, 44 },
    { 9, 8, 7, 4, 0, 0, 0x3EB10577, 0x3EB029A3, 174 },   { 9, 8, 5, 2, 1, 0, 0x3F9A649A, 0xC008F95B, 192 },
    { 9, 8, 0, 1, 0, 3, 0xBE996EB1, 0x3DDEE3FD, 87 },    { 9, 8, 2, 2, 1, 1, 0x3E88096C, 0x3F4E11B6, 157 },
    { 7, 13, 1, 6, 0, 2, 0x3DD7877A, 0x00000000, 244 },  { 7, 13, 6, 5, 1, 2, 0x401E0A33, 0x40000000, 192 },
    { 7, 13, 6, 0, 0, 2, 0x3F4B42B7, 0x3F2DFEF7, 204 },  { 7, 13, 5, 7, 1, 2, 0x3F6CC21D, 0x3F41FCA2, 175 },
    { 7, 13, 3, 2, 0, 1, 0x40270253, 0x409838C6, 161 },  { 7, 13, 7, 3, 1, 0, 0x3F38F857, 0xBF400000, 130 },
    { 7, 13, 3, 5, 0, 0, 0x3F806058, 0xC007DD2A, 217 },  { 7, 13, 7, 6, 1, 1, 0x40000000, 0xBF6706D2, 74 },
    { 7, 13, 6, 7, 0, 0, 0x40000000, 0x40750ADE, 51 },   { 7, 13, 5, 1, 1, 0, 0xBE800000, 0xBD4B2864, 192 },
    { 7, 13, 7, 4, 0, 1, 0xC05CD6E8, 0x3F322888, 16 },   { 7, 13, 2, 3, 1, 1, 0xBFA00000, 0x3F800000, 87 },
    { 4, 4, 6, 4, 0, 0, 0x3DAA9DAB, 0x3E055888, 125 },   { 4, 4, 3, 7, 1, 2, 0xC082569C, 0x3E800000, 239 },
    { 4, 4, 2, 0, 0, 0, 0x3F4EEDA1, 0x3FE00000, 196 },   { 4, 4, 1, 7, 1, 0, 0x3E8A322B, 0x3FCFDD1A, 106 },
    { 4, 4, 2, 5, 0, 1, 0x3F5D86C6, 0x403BBBD6, 192 },   { 4, 4, 5, 1, 1, 0, 0xBEFFD06E, 0x00000000, 141 },
    { 4, 4, 0, 7, 0, 1, 0x3F5745FF, 0x3F400000, 128 },   { 4, 4, 7, 5, 1, 1, 0x3F5B315C, 0x3EB2B0AD, 180 },
    { 4, 4, 5, 3, 0, 1, 0xBE38EC9A, 0x3F20FAEA, 128 },   { 4, 4, 7, 1, 1, 0, 0xBFAB5F09, 0x3F22E147, 200 },
    { 4, 4, 7, 6, 0, 2, 0x3FC00000, 0x3EDA59B7, 239 },   { 4, 4, 7, 4, 1, 0, 0x3D8960C7, 0xBFAD1BB9, 67 },
    { 3, 5, 5, 4, 0, 1, 0x3F29A9CC, 0xBFE00000, 128 },   { 3, 5, 0, 0, 1, 1, 0x3F394A2F, 0x3F79CDC9, 54 },
    { 3, 5, 5, 0, 0, 1, 0xBEDCCB2E, 0x3F78D496, 54 },    { 3, 5, 1, 1, 1, 1, 0x3F59633C, 0x3F3365C3, 107 },
    { 3, 5, 0, 3, 0, 0, 0x3F66B36F, 0x3F000000, 199 },   { 3, 5, 2, 0, 1, 0, 0x3FA00000, 0xC00846CC, 180 },
    { 3, 5, 1, 5, 0, 1, 0xC00A9ED7, 0x404B5C18, 192 },   { 3, 5, 2, 7, 1, 1, 0xBF800000, 0xBFDC44E3, 124 },
    { 3, 5, 0, 7, 0, 1, 0x409C5D7E, 0x3D135716, 128 },   { 3, 5, 5, 4, 1, 0, 0x3FC00000, 0xBE6134A8, 192 },
    { 3, 5, 2, 3, 0, 1, 0x3D56E24A, 0x3DCCFB05, 128 },   { 3, 5, 3, 3, 1, 0, 0x3E1B2E4D, 0x3FA00000, 73 },
    { 1, 1, 4, 7, 0, 0, 0x3F71CA44, 0xC049978F, 11 },    { 1, 1, 1, 1, 1, 0, 0x3E5D3AF1, 0x3FE00000, 192 },
    { 1, 1, 3, 2, 0, 0, 0x3D2859E0, 0x3EA108D6, 11 },    { 1, 1, 3, 7, 1, 0, 0x3E800000, 0x3F95E8E7, 11 },
    { 1, 1, 6, 6, 0, 0, 0x3C3D7F3C, 0x40000000, 11 },    { 1, 1, 6, 5, 1, 0, 0x3F03C6FF, 0x3F6AC3A4, 86 },
    { 1, 1, 5, 4, 0, 0, 0x3E01ECFE, 0x3E37C1C0, 11 },    { 1, 1, 2, 0, 1, 0, 0x3EF3788F, 0xBFA00000, 11 },
    { 1, 1, 6, 6, 0, 0, 0x3F8B39F8, 0x3FA00000, 11 },    { 1, 1, 7, 6, 1, 0, 0x3F5B6BA4, 0xC0827AD3, 11 },
    { 1, 1, 7, 6, 0, 0, 0x3ECD2DE0, 0x3F0FB4AE, 11 },    { 1, 1, 7, 5, 1, 0, 0x3EB19136, 0x3F5CF234, 76 },
    { 1, 9, 6, 4, 0, 0, 0xC02A0F10, 0x40492EA5, 11 },    { 1, 9, 4, 7, 1, 0, 0x3F048B31, 0xBF000000, 11 },
    { 1, 9, 3, 6, 0, 0, 0x3F25D7C5, 0x3FCC7E12, 125 },   { 1, 9, 2, 2, 1, 0, 0xBE747E73, 0xC0000000, 208 },
    { 1, 9, 6, 7, 0, 0, 0xBFC5C2EE, 0x3F63F5EA, 11 },    { 1, 9, 1, 7, 1, 0, 0x3EB2DDAC, 0x3FE00000, 80 },
    { 1, 9, 2, 4, 0, 0, 0x3FE00000, 0xBF400000, 51 },    { 1, 9, 7, 7, 1, 0, 0x40000000, 0x3F69F4FC, 32 },
    { 1, 9, 6, 1, 0, 0, 0xBDF7A904, 0x3FBFFEFD, 192 },   { 1, 9, 3, 6, 1, 0, 0x3F400000, 0x3EC712C9, 245 },
    { 1, 9, 4, 3, 0, 0, 0xBFC00000, 0xC03A0C91, 171 },   { 1, 9, 7, 5, 1, 0, 0x3F70EAF5, 0x3F68170D, 36 },
    { 31, 17, 5, 2, 0, 2, 0x3FA00000, 0x4023113D, 192 }, { 31, 17, 6, 6, 1, 4, 0x3F7E8FF7, 0xC0084E3D, 120 },
    { 31, 17, 1, 1, 0, 3, 0x3C16D659, 0xBFC00000, 192 }, { 31, 17, 5, 7, 1, 1, 0x3F264B47, 0x3EA4E8C3, 154 },
    { 31, 17, 7, 5, 0, 0, 0xBE008F98, 0x3F1E4940, 211 }, { 31, 17, 7, 3, 1, 4, 0xBE800000, 0xBFDEA338, 120 },
    { 31, 17, 6, 6, 0, 0, 0x3DA37183, 0xBE597579, 199 }, { 31, 17, 4, 5, 1, 2, 0x3B1FE0CE, 0xBE800000, 145 },
    { 31, 17, 2, 1, 0, 4, 0x3FC00000, 0x409E593D, 192 }, { 31, 17, 1, 7, 1, 3, 0x3DBDDA12, 0xBEAF7527, 173 },
    { 31, 17, 1, 4, 0, 1, 0x3F800000, 0x3E99796D, 192 }, { 31, 17, 4, 5, 1, 0, 0xBE800000, 0x3FCEC826, 192 },
    { 24, 40, 6, 1, 0, 3, 0x3F212945, 0xBE2AFD28, 192 }, { 24, 40, 4, 6, 1, 0, 0x3F196D5D, 0x00000000, 90 },
    { 24, 40, 4, 1, 0, 4, 0xC07928F3, 0xBFC00000, 192 }, { 24, 40, 3, 5, 1, 1, 0x3F800000, 0x3F800000, 194 },
    { 24, 40, 5, 0, 0, 1, 0x3F717EA7, 0x3E8D139C, 204 }, { 24, 40, 2, 6, 1, 2, 0x3F199B21, 0x3E958ABA, 150 },
    { 24, 40, 5, 5, 0, 3, 0x3E081F2F, 0x3ED9B0A5, 79 },  { 24, 40, 6, 1, 1, 0, 0x40586D0C, 0x3FC85D96, 192 },
    { 24, 40, 0, 6, 0, 4, 0x408CEAE8, 0x3F3B9631, 82 },  { 24, 40, 1, 1, 1, 4, 0x3F9D90A1, 0xBD245CFA, 188 },
    { 24, 40, 6, 6, 0, 3, 0x3F48C920, 0x3EE8F221, 227 }, { 24, 40, 5, 7, 1, 1, 0x3F3CB804, 0x4045643A, 198 },
    { 128, 8, 4, 0, 0, 3, 0xBFE00000, 0x3ECD2317, 155 }, { 128, 8, 0, 1, 1, 3, 0x405B2BA7, 0xC08A0AF9, 192 },
    { 128, 8, 7, 1, 0, 0, 0x4095DA2D, 0x3F2DB039, 188 }, { 128, 8, 3, 6, 1, 3, 0xBF400000, 0xBE800000, 144 },
    { 128, 8, 0, 6, 0, 1, 0x3FE00000, 0x3F4B0150, 212 }, { 128, 8, 0, 7, 1, 3, 0x3EA11267, 0xBF800000, 175 },
    { 128, 8, 0, 1, 0, 1, 0x3FA00000, 0x3F042AB8, 30 },  { 128, 8, 4, 7, 1, 2, 0xBE2DE494, 0x3F528F98, 108 },
    { 128, 8, 0, 5, 0, 3, 0x3F8C877F, 0x3F4E6A27, 148 }, { 128, 8, 6, 7, 1, 1, 0x3EBCD0FF, 0x3F2AA3DE, 194 },
    { 128, 8, 1, 1, 0, 0, 0x3FA01D43, 0x40260946, 192 }, { 128, 8, 1, 0, 1, 1, 0x3F7D09D8, 0x3FE00000, 203 },
};

EACH_MACHINE(texture, MIP_12_samples_of_all_kinds_on_all_units)
{
    load_pattern(m, TEXTURE_ADDRESS, 0x2000, 37, 11);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "row %u: %ux%u, wrap %u %u, filter %u, level %u", (unsigned)i, (unsigned)rows[i].width,
                     (unsigned)rows[i].height, (unsigned)rows[i].wrap_s, (unsigned)rows[i].wrap_t,
                     (unsigned)rows[i].filter, (unsigned)rows[i].level);
        struct dots dots = dots_at(f32_from_bits(rows[i].s_bits), f32_from_bits(rows[i].t_bits));
        texture_dots(m,
                     &(struct texture){ .unit = (uint32_t)i % 3u,
                                        .format = PICA_TEXTURE_FORMAT_I8,
                                        .width = rows[i].width,
                                        .height = rows[i].height,
                                        .wrap_s = rows[i].wrap_s,
                                        .wrap_t = rows[i].wrap_t,
                                        .mag = rows[i].filter,
                                        .min_level = rows[i].level,
                                        .max_level = rows[i].level,
                                        .border = 0xFFC0C0C0 },
                     &dots);
        EXPECT_DOT(m, "TEX-22, TEX-27, MIP-11, MIP-12", 0, rows[i].value, rows[i].value, rows[i].value, 255);
    }
}

/* ------------------------------------------------------------------------------- whole triangles, 64x64 and 128x32 */

static void whole_image(struct machine *m, uint32_t format, uint32_t bytes)
{
    /* A 64x64 target shows a 64x64 texture pixel by pixel; columns and rows as low and high byte (TEX-21, TEX-23). */
    machine_row(m, "format %u", (unsigned)format);
    for (uint32_t row = 0; row < 64u; row++)
        for (uint32_t col = 0; col < 64u; col++)
            texel_put(m, TEXTURE_ADDRESS, texel_number(col, row, 64), bytes, row << 8 | col);
    struct probe_vertex quad[4];
    probe_quad(quad);
    struct list list = probe_list();
    probe_size(&list, 64, 64);
    list_write(&list, PICA_REG_DEPTHBUFFER_LOC, 0x18030000u >> 3);
    texture_bind(&list, &(struct texture){ .format = format, .width = 64, .height = 64 });
    probe_draw(m, &list, quad, 4, PICA_TOPOLOGY_STRIP);
    for (uint32_t y = 0; y < 64u; y++)
        for (uint32_t x = 0; x < 64u; x++) {
            const uint32_t row = 63u - y, got = machine_word(m, COLOR_ADDRESS + 4u * probe_index(x, y, 64));
            const uint32_t expected = format == PICA_TEXTURE_FORMAT_RGBA8   ? row << 8 | x
                                      : format == PICA_TEXTURE_FORMAT_RGB8  ? row << 16 | x << 8 | 0xFFu
                                      : format == PICA_TEXTURE_FORMAT_HILO8 ? row << 24 | x << 16 | 0xFFu
                                                                            : x;
            if (got != expected) {
                machine_case(m, "format %u, pixel %u,%u", (unsigned)format, (unsigned)x, (unsigned)y);
                EXPECT_EQ(m, "TEX-21, TEX-22", got, expected);
                return;
            }
        }
    EXPECT_NO_EVENTS(m, "TEX-22");
}

EACH_MACHINE(texture, TEX_22_a_whole_image_is_copied_pixel_by_pixel)
{
    whole_image(m, PICA_TEXTURE_FORMAT_RGBA8, 4);
    whole_image(m, PICA_TEXTURE_FORMAT_RGB8, 3);
    whole_image(m, PICA_TEXTURE_FORMAT_HILO8, 2);
    whole_image(m, PICA_TEXTURE_FORMAT_A8, 1);
}
