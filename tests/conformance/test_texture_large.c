/* TEX-18, TEX-22, TEX-31, MIP-01: the largest textures, in a window of six megabytes. */
#include "tests/conformance/fragment_probe.h"

static const uint32_t LARGE_ADDRESS = 0x20080000u;

static const struct pica_window large_windows[2] = { { 0x18000000, VRAM_WINDOW_SIZE }, { 0x20000000, 0x600000 } };

/* All bytes are 0 but the lowest `n` of `word` at `offset`; s, t in texels of the level. */
static const struct {
    const char *label;
    uint32_t format, width, height, level;
    float s, t;
    uint32_t offset, n, word, rgba;
} rows[] = {
    { "RGBA8, first texel", 0, 1024, 1024, 0, 0.5f, 1023.5f, 0, 4, 0x44332211, 0x44332211 },
    { "RGBA8, last texel", 0, 1024, 1024, 0, 1023.5f, 0.5f, 0x3FFFFC, 4, 0x44332211, 0x44332211 },
    { "RGBA8, end of the first tile row", 0, 1024, 1024, 0, 1023.5f, 1023.5f, 0x7F54, 4, 0x44332211, 0x44332211 },
    { "RGBA8, second tile row", 0, 1024, 1024, 0, 0.5f, 1015.5f, 0x8000, 4, 0x44332211, 0x44332211 },
    { "RGBA8, level 1", 0, 1024, 1024, 1, 0.5f, 511.5f, 0x400000, 4, 0x44332211, 0x44332211 },
    { "RGBA8, level 7 (8x8), last texel", 0, 1024, 1024, 7, 7.5f, 0.5f, 0x5554FC, 4, 0x44332211, 0x44332211 },
    { "RGB8, last texel", 1, 1024, 1024, 0, 1023.5f, 0.5f, 0x2FFFFD, 3, 0x332211, 0x332211FF },
    { "I8, 1024x8", 7, 1024, 8, 0, 1000.5f, 4.5f, 0x1F4A, 1, 0x5A, 0x5A5A5AFF },
    { "I8, 8x1024", 7, 8, 1024, 0, 3.5f, 4.5f, 0x1FCF, 1, 0x5A, 0x5A5A5AFF },
    { "ETC1A4, alpha of the last texel", 13, 1024, 1024, 0, 1023.5f, 0.5f, 0xFFFF7, 1, 0xF0, 0x020202FF },
    { "I4, 2047x2047, last texel", 10, 2047, 2047, 0, 2046.5f, 0.5f, 0x1FE01E, 1, 0x0C, 0xCCCCCCFF },
    { "A4, 2047x2040, level 1 (1023x1020)", 11, 2047, 2040, 1, 1022.5f, 1019.5f, 0x1FEBEE, 1, 0x03, 0x00000033 },
    { "RGB565, 1000x1000, level 6 (15x15)", 3, 1000, 1000, 6, 14.5f, 3.5f, 0x28AEC0, 2, 0x8421, 0x848608FF },
};

EACH_MACHINE(texture, TEX_22_the_largest_textures_and_their_levels)
{
    struct pica_setup setup = machine_default_setup();
    setup.windows = large_windows;
    machine_load_setup(m, &setup);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        machine_case(m, "%s", rows[i].label);
        const uint32_t word = rows[i].word, address = LARGE_ADDRESS + rows[i].offset;
        const uint8_t bytes[4] = { (uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24) };
        const uint8_t zeros[4] = { 0, 0, 0, 0 };
        machine_load(m, address, bytes, rows[i].n);
        struct dots dots = { .count = 0 };
        const float width = (float)(rows[i].width >> rows[i].level), height = (float)(rows[i].height >> rows[i].level);
        dots_add_texcoord(&dots, rows[i].s / width, rows[i].t / height);
        texture_dots(m,
                     &(struct texture){ .format = rows[i].format,
                                        .width = rows[i].width,
                                        .height = rows[i].height,
                                        .min_level = rows[i].level,
                                        .max_level = rows[i].level,
                                        .address = LARGE_ADDRESS },
                     &dots);
        EXPECT_EQ(m, "TEX-22, MIP-01", dot_pixel(m, 0), rows[i].rgba);
        EXPECT_NO_EVENT(m, "TEX-31", PICA_EVENT_TEX_OOB);
        machine_load(m, address, zeros, rows[i].n);
    }
}

EACH_MACHINE(texture, TEX_31_ranges_of_megabytes)
{
    /* The window ends at 0x20600000. RGBA8 1024x1024: 0x400000 bytes, with levels 0-7 0x555500; I4: 65281 tiles of
     * 32. */
    static const struct {
        const char *label;
        uint32_t address, format, width, height, max_level;
        bool fires;
    } ranges[] = {
        { "level 0", 0x20200000, 0, 1024, 1024, 0, false },
        { "level 0, 8 too high", 0x20200008, 0, 1024, 1024, 0, true },
        { "levels 0-7", 0x20600000 - 0x555500, 0, 1024, 1024, 7, false },
        { "levels 0-7, 8 too high", 0x20600008 - 0x555500, 0, 1024, 1024, 7, true },
        { "I4 2047x2047: 0x1FE020 bytes", 0x20600000 - 0x1FE020, 10, 2047, 2047, 0, false },
        { "I4 2047x2047, 8 too high", 0x20600008 - 0x1FE020, 10, 2047, 2047, 0, true },
        { "the highest address", 0x7FFFFFF8, 0, 2047, 2047, 0, true },
    };
    struct pica_setup setup = machine_default_setup();
    setup.windows = large_windows;
    machine_load_setup(m, &setup);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        machine_row(m, "%s", ranges[i].label);
        struct dots dots = dots_one();
        texture_dots(m,
                     &(struct texture){ .format = ranges[i].format,
                                        .width = ranges[i].width,
                                        .height = ranges[i].height,
                                        .max_level = ranges[i].max_level,
                                        .address = ranges[i].address },
                     &dots);
        cr_expect(machine_event_is(m, "TEX-31", PICA_EVENT_TEX_OOB, ranges[i].fires), "%s", m->message);
    }
}

/*
 * TEX-06: a texture of 4 MiB of which one megabyte, less 128 bytes, lies before the end of a window, and 4 KiB in a
 * later one. Both edges cut a tile of 256 bytes in the middle. The word is loaded for the row alone.
 */
EACH_MACHINE(texture, TEX_06_textures_of_which_a_small_part_exists)
{
    static const struct {
        const char *label;
        float s, t;
        uint32_t offset;
        bool present;
    } texels[] = {
        { "first texel", 0.5f, 1023.5f, 0, true },
        { "tile 1", 8.5f, 1023.5f, 0x100, true },
        { "tile 4095: its first texel", 1016.5f, 775.5f, 0xFFF00, true },
        { "tile 4095: the last that exists", 1023.5f, 772.5f, 0xFFF7C, true },
        { "tile 4095: the first that does not", 1016.5f, 771.5f, 0xFFF80, false },
        { "tile 4096", 0.5f, 767.5f, 0x100000, false },
        { "tile 8191: the last that does not exist", 1023.5f, 516.5f, 0x1FFF7C, false },
        { "tile 8191: the first that does", 1016.5f, 515.5f, 0x1FFF80, true },
        { "tile 8192", 0.5f, 511.5f, 0x200000, true },
        { "tile 8207: the last that exists", 127.5f, 508.5f, 0x200F7C, true },
        { "tile 8207: the first that does not", 120.5f, 507.5f, 0x200F80, false },
        { "last texel", 1023.5f, 0.5f, 0x3FFFFC, false },
    };
    static const struct pica_window windows[3] = { { 0x18000000, VRAM_WINDOW_SIZE },
                                                   { 0x20000000, 0x600000 },
                                                   { 0x20700000, 0x1000 } };
    const uint32_t address = 0x20500080;
    struct pica_setup setup = machine_default_setup();
    setup.windows = windows;
    setup.window_count = 3;
    machine_load_setup(m, &setup);
    for (size_t i = 0; i < sizeof texels / sizeof texels[0]; i++) {
        machine_case(m, "%s", texels[i].label);
        machine_load_word(m, address + texels[i].offset, 0x44332211);
        struct dots dots = dots_at(texels[i].s / 1024.0f, texels[i].t / 1024.0f);
        texture_dots(m, &(struct texture){ .width = 1024, .height = 1024, .address = address }, &dots);
        EXPECT_EQ(m, "TEX-06", dot_pixel(m, 0), texels[i].present ? 0x44332211 : 0);
        EXPECT_EVENT(m, "TEX-06", PICA_EVENT_TEX_OOB);
        machine_load_word(m, address + texels[i].offset, 0);
    }
}
