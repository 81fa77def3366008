/* Lighting and fog over whole perspective triangles (fragment_probe.h): 64 pixels each. */
#include "tests/conformance/lighting_probe.h"

/*
 * The studio with two lights, normal map from unit 1, shadow from unit 3 on everything, geometric factors on light 2.
 */
static void lit_triangles(struct machine *m, uint32_t source, const uint32_t *expected)
{
    machine_reset(m);
    studio_load(m);
    struct list tables = { .count = 0 };
    list_studio_tables(&tables);
    machine_submit(m, &tables);
    struct probe_vertex v[6];
    probe_perspective(v);
    struct list list = { .count = 0 };
    list_studio(&list, source);
    list_write(&list, PICA_REG_LIGHTING_NUM_LIGHTS, 1);
    list_write(&list, PICA_REG_LIGHTING_CONFIG0,
               STUDIO_CONFIG0 | 1u << 28 | 1u << 22 | 1u | 3u << 16 | 1u << 19 | 3u << 24);
    list_write(&list, PICA_REG_LIGHT2_CONFIG, 0xC);
    expect_perspective(m, "LIT-10 to LIT-38", &list, v, expected);
}

EACH_MACHINE(lighting, LIT_10_interpolated_quaternions_and_views)
{
    static const uint32_t primary[64] = {
        0x48224593, 0x683261A4, 0x622E5A76, 0x5C2B5487, 0x6A326091, 0x5E2C56C4, 0x4A2445AD, 0x6A3A6970,
        0x70376977, 0x492245CB, 0x5B2B55B5, 0x683160A8, 0x5D2C567B, 0x54284F94, 0x6A3968AB, 0x44244788,
        0x582A54AD, 0x67326169, 0x6C34657C, 0x4D2449D9, 0x50264CCB, 0x6434627F, 0x4724498C, 0x49244BAE,
        0x5B2C5873, 0x5F2E5B83, 0x592B559A, 0x5E2E5A8F, 0x4D274CAA, 0x4D274E76, 0x4B254C72, 0x4521464B,
        0x572B565E, 0x542952A1, 0x51285092, 0x48244886, 0x48244AB5, 0x50275053, 0x48224856, 0x57295559,
        0x603160B1, 0x512852DD, 0x47244A69, 0x4E27504A, 0x582B5751, 0x48224859, 0x5628547A, 0x5E2C5B58,
        0x412145D2, 0x43234873, 0x4220445F, 0x4922495A, 0x4621467A, 0x56285353, 0x5B2A586D, 0x5F2C5B51,
        0x4C2C56A3, 0x4C264F4F, 0x582A5752, 0x56295460, 0x5728547D, 0x5829556D, 0x5A29565A, 0x5B2A577C,
    };
    static const uint32_t secondary[64] = {
        0x0E040F93, 0x1A0612A4, 0x1E071676, 0x17051287, 0x17051491, 0x180513C4, 0x160513AD, 0x18061470,
        0x1C061677, 0x130510CB, 0x180613B5, 0x1B0615A8, 0x1906147B, 0x14051094, 0x180612AB, 0x0E030E88,
        0x120511AD, 0x18051469, 0x2007187C, 0x12050ED9, 0x160510CB, 0x1605127F, 0x0F040F8C, 0x0F0312AE,
        0x14051073, 0x18051183, 0x1505119A, 0x1405118F, 0x120410AA, 0x11050E76, 0x10040C72, 0x1204104B,
        0x1505105E, 0x170515A1, 0x18061492, 0x0F040D86, 0x130514B5, 0x14040E53, 0x0F030F56, 0x13051259,
        0x13040FB1, 0x120512DD, 0x0D030F69, 0x11050C4A, 0x13041351, 0x0E030E59, 0x1103117A, 0x14041358,
        0x11050CD2, 0x11050C73, 0x0C030C5F, 0x12040F5A, 0x1204107A, 0x11031153, 0x11030F6D, 0x10031151,
        0x0F040CA3, 0x0E040D4F, 0x11040F52, 0x0F030B60, 0x1804127D, 0x13040F6D, 0x1804135A, 0x1203137C,
    };
    lit_triangles(m, PICA_TEV_SOURCE_FRAGMENT_PRIMARY, primary);
    lit_triangles(m, PICA_TEV_SOURCE_FRAGMENT_SECONDARY, secondary);
}

EACH_MACHINE(lighting, FOG_04_interpolated_depths)
{
    static const uint32_t expected[64] = {
        0xB59C494D, 0xB59C494D, 0xB59C494D, 0xB59C494D, 0xB59C494D, 0xB59C494D, 0xB59C494D, 0xB59C494D,
        0xA1905D4D, 0xA1905D4D, 0xA1905D4D, 0xA1905D4D, 0xA1905D4D, 0xA1905D4D, 0xA1905D4D, 0xB99E454D,
        0x8D85714D, 0x8D85714D, 0x8D85714D, 0x8D85714D, 0x8D85714D, 0x8D85714D, 0xA593594D, 0xBDA1414D,
        0x7979854D, 0x7979854D, 0x7979854D, 0x7979854D, 0x7979854D, 0x91876D4D, 0xA995554D, 0xC1A33D4D,
        0x656D994D, 0x656D994D, 0x656D994D, 0x656D994D, 0x7D7B814D, 0x9589694D, 0xAD97514D, 0xC5A6394D,
        0x5161AD4D, 0x5161AD4D, 0x5161AD4D, 0x6970954D, 0x817E7D4D, 0x998C654D, 0xB19A4D4D, 0xC9A8354D,
        0x3D56C14D, 0x3D56C14D, 0x5564A94D, 0x6D72914D, 0x8580794D, 0x9D8E614D, 0xB59C494D, 0xCDAA314D,
        0x294AD54D, 0x4158BD4D, 0x5966A54D, 0x71748D4D, 0x8982754D, 0xA1905D4D, 0xB99E454D, 0xD1AD2D4D,
    };
    struct probe_vertex v[6];
    probe_perspective(v);
    probe_color(v, 6, 255, 200, 0, 77);
    struct list list = probe_list();
    uint32_t words[128];
    for (uint32_t i = 0; i < 128u; i++)
        words[i] = (2047u - 16u * i) << 13 | 0x1FF0u;
    list_fog_table(&list, words, 128);
    list_write(&list, PICA_REG_TEXENV_UPDATE_BUFFER, 5);
    list_write(&list, PICA_REG_FOG_COLOR, 0x00FF3200);
    expect_perspective(m, "FOG-04, FOG-05", &list, v, expected);
}
