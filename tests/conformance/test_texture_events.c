/* The class M events of 40-textures.md section 12: they fire, and not just beside (TEX-07, GEN-09). */
#include "tests/conformance/fragment_probe.h"

/* Unit 0 live and legal, but no combiner operand reads it: these events do not need a used unit. */
static void unit_0(struct list *list)
{
    texture_bind(list, &(struct texture){ .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8 });
    probe_source(list, PICA_TEV_SOURCE_PRIMARY_COLOR);
}

/* The same on unit 1 and on unit 2. */
static void unit_1(struct list *list)
{
    texture_bind(list, &(struct texture){ .unit = 1, .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8 });
    probe_source(list, PICA_TEV_SOURCE_PRIMARY_COLOR);
}

static void unit_2(struct list *list)
{
    texture_bind(list, &(struct texture){ .unit = 2, .format = PICA_TEXTURE_FORMAT_I8, .width = 8, .height = 8 });
    probe_source(list, PICA_TEV_SOURCE_PRIMARY_COLOR);
}

static void unit_3(struct list *list)
{
    list_write(list, PICA_REG_TEXUNIT3_PROCTEX4, 128u << 11);
    list_write(list, PICA_REG_TEXUNIT_CONFIG, 1u << 10);
}

/* 0x080 enables, 0x082 dimensions (width above), 0x083 parameters, 0x084 LOD, 0x085 address, 0x08E format. */

static const struct event_row null_rows[] = {
    { "address 0", true, { { 0x085, 0 } } },
    { "28 bits 0", true, { { 0x085, 0xF0000000 } } },
    { "address 1", false, { { 0x085, 1 } } },
    { "bit 27", false, { { 0x085, 0x08000000 } } },
    { "live", false, { { 0 } } },
    { "disabled", false, { { 0x085, 0 }, { 0x080, 0 } } },
    { "type 5 comes later", true, { { 0x085, 0 }, { 0x083, 5u << 28 } } },
    { "size 0 comes later", true, { { 0x085, 0 }, { 0x082, 0 } } },
    { "format 14 comes later", true, { { 0x085, 0 }, { 0x08E, 14 } } },
    { "unit 1", true, { { 0x080, 3 } } },
    { "unit 2", true, { { 0x080, 5 } } },
    { "cube", true, { { 0x085, 0 }, { 0x083, 1u << 28 } } },
    { "cube, other face", false, { { 0x086, 0 }, { 0x083, 1u << 28 } } },
};

EACH_MACHINE(texture, TEX_16_tex_null)
{
    EXPECT_BATCH_EVENT(m, "TEX-16", PICA_EVENT_TEX_NULL, unit_0, null_rows);
}

static const struct event_row zero_dim_rows[] = {
    { "both 0", true, { { 0x082, 0 } } },
    { "height 0", true, { { 0x082, 0x00080000 } } },
    { "width 0", true, { { 0x082, 0x00000008 } } },
    { "11 bits 0", true, { { 0x082, 0xF808F800 } } },
    { "1x1", false, { { 0x082, 0x00010001 } } },
    { "disabled", false, { { 0x082, 0 }, { 0x080, 0 } } },
    { "null comes first", false, { { 0x082, 0 }, { 0x085, 0 } } },
    { "type 5 comes first", false, { { 0x082, 0 }, { 0x083, 5u << 28 } } },
    { "format 15 comes later", true, { { 0x082, 0 }, { 0x08E, 15 } } },
    { "unit 1", true, { { 0x095, 0x04004000 }, { 0x080, 2 } } },
    { "unit 2", true, { { 0x09D, 0x04004000 }, { 0x080, 4 } } },
};

EACH_MACHINE(texture, TEX_16_tex_zero_dim)
{
    EXPECT_BATCH_EVENT(m, "TEX-16", PICA_EVENT_TEX_ZERO_DIM, unit_0, zero_dim_rows);
}

static const struct event_row format_rows[] = {
    { "format 14", true, { { 0x08E, 14 } } },
    { "format 15", true, { { 0x08E, 15 } } },
    { "format 13", false, { { 0x08E, 13 } } },
    { "only 4 bits", false, { { 0x08E, 0x10 } } },
    { "only 4 bits, 14", true, { { 0x08E, 0xFFFFFFFE } } },
    { "disabled", false, { { 0x08E, 14 }, { 0x080, 0 } } },
    { "null comes first", false, { { 0x08E, 14 }, { 0x085, 0 } } },
    { "type 5 comes first", false, { { 0x08E, 14 }, { 0x083, 5u << 28 } } },
    { "size 0 comes first", false, { { 0x08E, 14 }, { 0x082, 8 } } },
    { "unit 1 ignores the type",
      true,
      { { 0x092, 0x00080008 }, { 0x095, 1 }, { 0x096, 14 }, { 0x093, 5u << 28 }, { 0x080, 2 } } },
    { "unit 2", true, { { 0x09A, 0x00080008 }, { 0x09D, 1 }, { 0x09E, 15 }, { 0x080, 4 } } },
};

EACH_MACHINE(texture, TEX_16_tex_format_reserved)
{
    EXPECT_BATCH_EVENT(m, "TEX-16", PICA_EVENT_TEX_FORMAT_RESERVED, unit_0, format_rows);
}

static const struct event_row type_rows[] = {
    { "type 6", true, { { 0x083, 6u << 28 } } },
    { "type 7", true, { { 0x083, 7u << 28 } } },
    { "type 5", false, { { 0x083, 5u << 28 } } },
    { "type 4", false, { { 0x083, 4u << 28 } } },
    { "bit 31", false, { { 0x083, 8u << 28 } } },
    { "type 6, null", true, { { 0x083, 6u << 28 }, { 0x085, 0 } } }, /* enabled is enough */
    { "type 6, disabled", false, { { 0x083, 6u << 28 }, { 0x080, 0 } } },
    { "unit 1", false, { { 0x093, 6u << 28 }, { 0x080, 2 } } },
};

EACH_MACHINE(texture, TEX_17_tex_type_reserved)
{
    EXPECT_BATCH_EVENT(m, "TEX-17", PICA_EVENT_TEX_TYPE_RESERVED, unit_0, type_rows);
}

static const struct event_row dim_rows[] = {
    { "8x8", false, { { 0x082, 0x00080008 } } },
    { "1024x1024", false, { { 0x082, 0x04000400 } } },
    { "512x16", false, { { 0x082, 0x02000010 } } },
    { "12x8", true, { { 0x082, 0x000C0008 } } },
    { "8x12", true, { { 0x082, 0x0008000C } } },
    { "4x8", true, { { 0x082, 0x00040008 } } },
    { "8x4", true, { { 0x082, 0x00080004 } } },
    { "1x1", true, { { 0x082, 0x00010001 } } },
    { "9x8", true, { { 0x082, 0x00090008 } } },
    { "8x1025", true, { { 0x082, 0x00080401 } } },
    { "2047x8", true, { { 0x082, 0x07FF0008 } } },
    { "1536x8", true, { { 0x082, 0x06000008 } } },
    { "12x8, disabled", false, { { 0x082, 0x000C0008 }, { 0x080, 0 } } },
    { "12x8, null", false, { { 0x082, 0x000C0008 }, { 0x085, 0 } } },
    { "12x8, type 5", false, { { 0x082, 0x000C0008 }, { 0x083, 5u << 28 } } },
    { "12x8, format 14", false, { { 0x082, 0x000C0008 }, { 0x08E, 14 } } },
    { "12x0", false, { { 0x082, 0x000C0000 } } },
};

EACH_MACHINE(texture, TEX_18_tex_dim_illegal)
{
    EXPECT_BATCH_EVENT(m, "TEX-18", PICA_EVENT_TEX_DIM_ILLEGAL, unit_0, dim_rows);
    static const struct event_row other[] = { { "unit 1", true, { { 0x092, 0x000C0008 } } } };
    EXPECT_BATCH_EVENT(m, "TEX-18", PICA_EVENT_TEX_DIM_ILLEGAL, unit_1, other);
    static const struct event_row last[] = { { "unit 2", true, { { 0x09A, 0x000C0008 } } } };
    EXPECT_BATCH_EVENT(m, "TEX-18", PICA_EVENT_TEX_DIM_ILLEGAL, unit_2, last);
}

static const struct event_row wrap_rows[] = {
    { "S 3, T 3", false, { { 0x083, 0x3300 } } },
    { "T 4", true, { { 0x083, 0x0400 } } },
    { "T 7", true, { { 0x083, 0x0700 } } },
    { "S 4", true, { { 0x083, 0x4000 } } },
    { "S 5", true, { { 0x083, 0x5000 } } },
    { "S 6", true, { { 0x083, 0x6000 } } },
    { "bits 11 and 15", false, { { 0x083, 0x8800 } } },
    { "type 5", false, { { 0x083, 0x50004400 } } },
    { "null", false, { { 0x083, 0x4400 }, { 0x085, 0 } } },
    { "disabled", false, { { 0x083, 0x4400 }, { 0x080, 0 } } },
    { "format 15", false, { { 0x083, 0x4400 }, { 0x08E, 15 } } },
};

EACH_MACHINE(texture, WRP_07_wrap_4_7)
{
    EXPECT_BATCH_EVENT(m, "WRP-07", PICA_EVENT_WRAP_4_7, unit_0, wrap_rows);
    static const struct event_row other[] = { { "unit 1", true, { { 0x093, 0x4000 } } },
                                              { "unit 1, 3", false, { { 0x093, 0x3000 } } } };
    EXPECT_BATCH_EVENT(m, "WRP-07", PICA_EVENT_WRAP_4_7, unit_1, other);
    static const struct event_row last[] = { { "unit 2", true, { { 0x09B, 0x0700 } } } };
    EXPECT_BATCH_EVENT(m, "WRP-07", PICA_EVENT_WRAP_4_7, unit_2, last);
}

static const struct event_row mip_rows[] = {
    { "8x8, max 0", false, { { 0x084, 0 } } },
    { "8x8, max 1", true, { { 0x084, 0x10000 } } },
    { "16x16, max 1", false, { { 0x082, 0x00100010 }, { 0x084, 0x10000 } } },
    { "16x16, max 2", true, { { 0x082, 0x00100010 }, { 0x084, 0x20000 } } },
    { "16x8, max 1", true, { { 0x082, 0x00100008 }, { 0x084, 0x10000 } } },
    { "8x16, max 1", true, { { 0x082, 0x00080010 }, { 0x084, 0x10000 } } },
    { "64x64, max 3", false, { { 0x082, 0x00400040 }, { 0x084, 0x30000 } } },
    { "64x64, max 4", true, { { 0x082, 0x00400040 }, { 0x084, 0x40000 } } },
    { "64x64, max 8", true, { { 0x082, 0x00400040 }, { 0x084, 0x80000 } } },
    { "64x64, max 15", true, { { 0x082, 0x00400040 }, { 0x084, 0xF0000 } } },
    { "4x4, max 0", false, { { 0x082, 0x00040004 }, { 0x084, 0 } } },
    { "4x4, max 1", true, { { 0x082, 0x00040004 }, { 0x084, 0x10000 } } },
    { "1x8, max 15: Lmax 0", false, { { 0x082, 0x00010008 }, { 0x084, 0xF0000 } } },
    { "min level alone", false, { { 0x084, 0x0F000000 } } },
    { "bits 20-23", false, { { 0x084, 0x00F00000 } } },
    { "shadow", true, { { 0x083, 2u << 28 }, { 0x08E, 0 }, { 0x084, 0x10000 } } },
    { "type 5", false, { { 0x083, 5u << 28 }, { 0x084, 0x10000 } } },
    { "null", false, { { 0x085, 0 }, { 0x084, 0x10000 } } },
    { "disabled", false, { { 0x080, 0 }, { 0x084, 0x10000 } } },
};

EACH_MACHINE(texture, MIP_02_mip_below_8)
{
    EXPECT_BATCH_EVENT(m, "MIP-02", PICA_EVENT_MIP_BELOW_8, unit_0, mip_rows);
    static const struct event_row other[] = { { "unit 1", true, { { 0x094, 0x10000 } } } };
    EXPECT_BATCH_EVENT(m, "MIP-02", PICA_EVENT_MIP_BELOW_8, unit_1, other);
    static const struct event_row last[] = { { "unit 2", true, { { 0x09C, 0x10000 } } } };
    EXPECT_BATCH_EVENT(m, "MIP-02", PICA_EVENT_MIP_BELOW_8, unit_2, last);
}

static const struct event_row shadow_rows[] = {
    { "2D shadow, format 0", false, { { 0x083, 2u << 28 }, { 0x08E, 0 } } },
    { "2D shadow, format 7", true, { { 0x083, 2u << 28 } } },
    { "2D shadow, format 1", true, { { 0x083, 2u << 28 }, { 0x08E, 1 } } },
    { "cube shadow, format 7", true, { { 0x083, 4u << 28 } } },
    { "cube shadow, format 0", false, { { 0x083, 4u << 28 }, { 0x08E, 0 } } },
    { "cube", false, { { 0x083, 1u << 28 } } },
    { "projection", false, { { 0x083, 3u << 28 } } },
    { "type 6", false, { { 0x083, 6u << 28 } } },
    { "format 14 is not live", false, { { 0x083, 2u << 28 }, { 0x08E, 14 } } },
    { "null", false, { { 0x083, 2u << 28 }, { 0x085, 0 } } },
    { "disabled", false, { { 0x083, 2u << 28 }, { 0x080, 0 } } },
    { "the shadow hint is no type", false, { { 0x083, 1u << 20 } } },
};

EACH_MACHINE(texture, SDW_09_tex_shadow_format)
{
    EXPECT_BATCH_EVENT(m, "SDW-09", PICA_EVENT_TEX_SHADOW_FORMAT, unit_0, shadow_rows);
    static const struct event_row other[] = { { "unit 1 has no type", false, { { 0x093, 2u << 28 } } } };
    EXPECT_BATCH_EVENT(m, "SDW-09", PICA_EVENT_TEX_SHADOW_FORMAT, unit_1, other);
}

/* -------------------------------------------------------------------------------------------- byte range (TEX-31) */

/* The default windows end at 0x18040000 and 0x20040000. Addresses in units of 8: 0x04008000 is the end of FCRAM. */
static const struct event_row oob_rows[] = {
    { "I8 8x8: 64 bytes, fit", false, { { 0x085, 0x04008000 - 64 / 8 } } },
    { "I8 8x8: 64 bytes, 8 too high", true, { { 0x085, 0x04008000 - 56 / 8 } } },
    { "below the window", true, { { 0x085, 0x04000000 - 1 } } },
    { "start of the window", false, { { 0x085, 0x04000000 } } },
    { "end of VRAM", false, { { 0x085, 0x03008000 - 64 / 8 } } },
    { "across the end of VRAM", true, { { 0x085, 0x03008000 - 56 / 8 } } },
    { "far outside", true, { { 0x085, 0x0FFFFFFF } } },
    { "not live: type 5", false, { { 0x085, 0x0FFFFFFF }, { 0x083, 5u << 28 } } },
    { "not live: disabled", false, { { 0x085, 0x0FFFFFFF }, { 0x080, 0 } } },
    { "not live: format 14", false, { { 0x085, 0x0FFFFFFF }, { 0x08E, 14 } } },
    { "not live: size 0", false, { { 0x085, 0x0FFFFFFF }, { 0x082, 8 } } },
    { "RGBA8 8x8: 256", false, { { 0x085, 0x04008000 - 256 / 8 }, { 0x08E, 0 } } },
    { "RGBA8 8x8: 256, 8 too high", true, { { 0x085, 0x04008000 - 248 / 8 }, { 0x08E, 0 } } },
    { "RGB8 8x8: 192", false, { { 0x085, 0x04008000 - 192 / 8 }, { 0x08E, 1 } } },
    { "RGB8 8x8: 192, 8 too high", true, { { 0x085, 0x04008000 - 184 / 8 }, { 0x08E, 1 } } },
    { "I4 8x8: 32", false, { { 0x085, 0x04008000 - 32 / 8 }, { 0x08E, 10 } } },
    { "I4 8x8: 32, 8 too high", true, { { 0x085, 0x04008000 - 24 / 8 }, { 0x08E, 10 } } },
    /* TEX-31: I8 16x16, Lmax 4: 341; ETC1: 178 */
    { "341", false, { { 0x085, 0x04008000 - 344 / 8 }, { 0x082, 0x00100010 }, { 0x084, 0x40000 } } },
    { "341, too high", true, { { 0x085, 0x04008000 - 336 / 8 }, { 0x082, 0x00100010 }, { 0x084, 0x40000 } } },
    { "Lmax 3: 340", false, { { 0x085, 0x04008000 - 344 / 8 }, { 0x082, 0x00100010 }, { 0x084, 0x30000 } } },
    { "Lmax 2: 336", false, { { 0x085, 0x04008000 - 336 / 8 }, { 0x082, 0x00100010 }, { 0x084, 0x20000 } } },
    { "178", false, { { 0x085, 0x04008000 - 184 / 8 }, { 0x082, 0x00100010 }, { 0x084, 0x40000 }, { 0x08E, 12 } } },
    { "178, too high",
      true,
      { { 0x085, 0x04008000 - 176 / 8 }, { 0x082, 0x00100010 }, { 0x084, 0x40000 }, { 0x08E, 12 } } },
    /* Other sizes. 12x12: tiles 0, 1, 1, 2. */
    { "I8 12x12: 192", false, { { 0x085, 0x04008000 - 192 / 8 }, { 0x082, 0x000C000C } } },
    { "I8 12x12: 192, 8 too high", true, { { 0x085, 0x04008000 - 184 / 8 }, { 0x082, 0x000C000C } } },
    { "I8 12x12, Lmax 1: 144 + 52 = 196",
      true,
      { { 0x085, 0x04008000 - 192 / 8 }, { 0x082, 0x000C000C }, { 0x084, 0x10000 } } },
    { "I8 12x12, Lmax 1: 200 fits",
      false,
      { { 0x085, 0x04008000 - 200 / 8 }, { 0x082, 0x000C000C }, { 0x084, 0x10000 } } },
    { "I8 4x4: 16", false, { { 0x085, 0x04008000 - 16 / 8 }, { 0x082, 0x00040004 } } },
    { "I8 4x4: 16, 8 too high", true, { { 0x085, 0x04008000 - 8 / 8 }, { 0x082, 0x00040004 } } },
    { "I4 1x1: 1", false, { { 0x085, 0x04008000 - 8 / 8 }, { 0x082, 0x00010001 }, { 0x08E, 10 } } },
    { "RGB5A1 3x5: 74", false, { { 0x085, 0x04008000 - 80 / 8 }, { 0x082, 0x00030005 }, { 0x08E, 2 } } },
    { "RGB5A1 3x5: 74, too high", true, { { 0x085, 0x04008000 - 72 / 8 }, { 0x082, 0x00030005 }, { 0x08E, 2 } } },
    { "RGB8 20x9: 960", false, { { 0x085, 0x04008000 - 960 / 8 }, { 0x082, 0x00140009 }, { 0x08E, 1 } } },
    { "RGB8 20x9: 960, 8 too high", true, { { 0x085, 0x04008000 - 952 / 8 }, { 0x082, 0x00140009 }, { 0x08E, 1 } } },
    { "ETC1A4 8x4: 32", false, { { 0x085, 0x04008000 - 32 / 8 }, { 0x082, 0x00080004 }, { 0x08E, 13 } } },
    { "ETC1A4 8x4: 32, 8 too high", true, { { 0x085, 0x04008000 - 24 / 8 }, { 0x082, 0x00080004 }, { 0x08E, 13 } } },
    { "ETC1 1x1: 8", false, { { 0x085, 0x04008000 - 8 / 8 }, { 0x082, 0x00010001 }, { 0x08E, 12 } } },
    { "ETC1 4x5: 24", true, { { 0x085, 0x04008000 - 16 / 8 }, { 0x082, 0x00040005 }, { 0x08E, 12 } } },
    { "ETC1 4x5: 24 fits", false, { { 0x085, 0x04008000 - 24 / 8 }, { 0x082, 0x00040005 }, { 0x08E, 12 } } },
    { "ETC1 12x12: 96", false, { { 0x085, 0x04008000 - 96 / 8 }, { 0x082, 0x000C000C }, { 0x08E, 12 } } },
    { "ETC1 12x12: 96, 8 too high", true, { { 0x085, 0x04008000 - 88 / 8 }, { 0x082, 0x000C000C }, { 0x08E, 12 } } },
};

EACH_MACHINE(texture, TEX_31_tex_oob)
{
    EXPECT_BATCH_EVENT(m, "TEX-31, TEX-06", PICA_EVENT_TEX_OOB, unit_0, oob_rows);
    static const struct event_row other[] = { { "unit 1", true, { { 0x095, 0x04007FF9 } } },
                                              { "unit 1, fits", false, { { 0x095, 0x04007FF8 } } } };
    EXPECT_BATCH_EVENT(m, "TEX-31", PICA_EVENT_TEX_OOB, unit_1, other);
    static const struct event_row last[] = { { "unit 2", true, { { 0x09D, 0x04007FF9 } } },
                                             { "unit 2, fits", false, { { 0x09D, 0x04007FF8 } } } };
    EXPECT_BATCH_EVENT(m, "TEX-31", PICA_EVENT_TEX_OOB, unit_2, last);
}

/* All faces where face 0 is: 0x04004000. */
static void unit_0_cube(struct list *list)
{
    unit_0(list);
    list_write(list, 0x083, 1u << 28);
    for (uint32_t face = 1; face < 6u; face++)
        list_write(list, 0x085 + face, 0x4000);
}

static const struct event_row oob_cube_rows[] = {
    { "all inside", false, { { 0 } } },
    { "face 1 at the end", false, { { 0x086, 0x7FF8 } } },
    { "face 1 outside", true, { { 0x086, 0x7FF9 } } },
    { "face 2 outside", true, { { 0x087, 0x7FF9 } } },
    { "face 3 outside", true, { { 0x088, 0x8000 } } },
    { "face 4 outside", true, { { 0x089, 0x3FFFFF } } },
    { "face 5 outside", true, { { 0x08A, 0x7FF9 } } },
    { "bits 22-31 of a face", false, { { 0x08A, 0xFFC04000 } } },
    { "face 5 outside, 2D", false, { { 0x08A, 0x7FF9 }, { 0x083, 0 } } },
    { "face 5 outside, projection", false, { { 0x08A, 0x7FF9 }, { 0x083, 3u << 28 } } },
    { "face 5 outside, type 6", false, { { 0x08A, 0x7FF9 }, { 0x083, 6u << 28 } } },
    { "face 5 outside, 2D shadow", false, { { 0x08A, 0x7FF9 }, { 0x083, 2u << 28 } } },
    { "face 5 outside, cube shadow", true, { { 0x08A, 0x7FF9 }, { 0x083, 4u << 28 } } },
};

EACH_MACHINE(texture, TEX_31_every_face_of_a_cube_has_a_range)
{
    EXPECT_BATCH_EVENT(m, "TEX-31, CUB-03", PICA_EVENT_TEX_OOB, unit_0_cube, oob_cube_rows);
}

/* -------------------------------------------------------------------------------------------- procedural texture */

static const struct event_row coord_rows[] = {
    { "3", true, { { 0x080, 0x700 } } },
    { "2", false, { { 0x080, 0x600 } } },
    { "1", false, { { 0x080, 0x500 } } },
    { "3, disabled", false, { { 0x080, 0x300 } } },
};
static const struct event_row shift_rows[] = {
    { "U 3", true, { { 0x0A8, 3u << 16 } } },
    { "V 3", true, { { 0x0A8, 3u << 18 } } },
    { "U 2, V 2", false, { { 0x0A8, 2u << 16 | 2u << 18 } } },
    { "U 1, V 2", false, { { 0x0A8, 1u << 16 | 2u << 18 } } },
    { "disabled", false, { { 0x0A8, 0xF0000 }, { 0x080, 0 } } },
};
static const struct event_row clamp_rows[] = {
    { "U 4, V 4", false, { { 0x0A8, 4u | 4u << 3 } } },
    { "U 5", true, { { 0x0A8, 5 } } },
    { "U 7", true, { { 0x0A8, 7 } } },
    { "V 5", true, { { 0x0A8, 5u << 3 } } },
    { "V 6", true, { { 0x0A8, 6u << 3 } } },
    { "disabled", false, { { 0x0A8, 0x3F }, { 0x080, 0 } } },
};
static const struct event_row func_rows[] = {
    { "RGB 9", false, { { 0x0A8, 9u << 6 } } },
    { "RGB 10", true, { { 0x0A8, 10u << 6 } } },
    { "RGB 15", true, { { 0x0A8, 15u << 6 } } },
    { "alpha 10, not separate", false, { { 0x0A8, 10u << 10 } } },
    { "alpha 10, separate", true, { { 0x0A8, 10u << 10 | 1u << 14 } } },
    { "alpha 9, separate", false, { { 0x0A8, 9u << 10 | 1u << 14 } } },
    { "alpha 15, separate", true, { { 0x0A8, 15u << 10 | 1u << 14 } } },
    { "disabled", false, { { 0x0A8, 0x7FC0 }, { 0x080, 0 } } },
};
static const struct event_row filter_rows[] = {
    { "5", false, { { 0x0AC, 128u << 11 | 5 } } },
    { "6", true, { { 0x0AC, 128u << 11 | 6 } } },
    { "7", true, { { 0x0AC, 128u << 11 | 7 } } },
    { "disabled", false, { { 0x0AC, 128u << 11 | 7 }, { 0x080, 0 } } },
};
static const struct event_row width_rows[] = {
    { "0", true, { { 0x0AC, 0xFFF807FF } } },
    { "1", false, { { 0x0AC, 1u << 11 } } },
    { "128", false, { { 0x0AC, 128u << 11 } } },
    { "disabled", false, { { 0x0AC, 0 }, { 0x080, 0 } } },
};
/* Filter 0-2, max LOD 7-10. */
static const struct event_row offset_rows[] = {
    { "filter 2, max 4, other bytes", true, { { 0x0AC, 128u << 11 | 4u << 7 | 2 }, { 0x0AE, 1 } } },
    { "filter 4, max 8, other bytes", true, { { 0x0AC, 128u << 11 | 8u << 7 | 4 }, { 0x0AE, 0xFEFCF800 } } },
    { "filter 7, max 15, other bytes", true, { { 0x0AC, 128u << 11 | 15u << 7 | 7 }, { 0x0AE, 0xFEFCF8F1 } } },
    { "the usual bytes", false, { { 0x0AC, 128u << 11 | 7u << 7 | 5 }, { 0x0AE, 0xFEFCF8F0 } } },
    { "0", false, { { 0x0AC, 128u << 11 | 7u << 7 | 5 }, { 0x0AE, 0 } } },
    { "max 3", false, { { 0x0AC, 128u << 11 | 3u << 7 | 5 }, { 0x0AE, 1 } } },
    { "filter 1", false, { { 0x0AC, 128u << 11 | 7u << 7 | 1 }, { 0x0AE, 1 } } },
    { "disabled", false, { { 0x0AC, 128u << 11 | 7u << 7 | 2 }, { 0x0AE, 1 }, { 0x080, 0 } } },
};

EACH_MACHINE(texture, PTX_the_reserved_encodings_of_the_procedural_unit)
{
    EXPECT_BATCH_EVENT(m, "TEX-13", PICA_EVENT_PROCTEX_COORD_3, unit_3, coord_rows);
    EXPECT_BATCH_EVENT(m, "PTX-08", PICA_EVENT_PROCTEX_SHIFT_3, unit_3, shift_rows);
    EXPECT_BATCH_EVENT(m, "PTX-11", PICA_EVENT_PROCTEX_CLAMP_RESERVED, unit_3, clamp_rows);
    EXPECT_BATCH_EVENT(m, "PTX-12", PICA_EVENT_PROCTEX_FUNC_RESERVED, unit_3, func_rows);
    EXPECT_BATCH_EVENT(m, "PTX-22", PICA_EVENT_PROCTEX_FILTER_RESERVED, unit_3, filter_rows);
    EXPECT_BATCH_EVENT(m, "PTX-20", PICA_EVENT_PROCTEX_WIDTH_0, unit_3, width_rows);
    EXPECT_BATCH_EVENT(m, "PTX-19", PICA_EVENT_PROCTEX_OFFSET_HIGH, unit_3, offset_rows);
}
