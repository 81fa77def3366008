/* The table of ranges in use: nothing that a draw names is missing. */
#include "harness/grammar/ranges.h"
#include "pica/backend.h"
#include "pica/fields.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static uint32_t count_kind(const struct harness_ranges *ranges, enum harness_range_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ranges->count; i++)
        count += ranges->items[i].kind == kind;
    return count;
}

/* Three units with images of that size and as many levels as can be, the first one a cube; both buffers. */
static void set_images(uint32_t *registers, uint32_t size)
{
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        registers[id] = 0;
    registers[PICA_REG_TEXUNIT_CONFIG] = 7;
    registers[PICA_REG_TEXUNIT0_PARAM] = pica_texunit_param_set_type(0, PICA_TEXTURE_TYPE_CUBE);
    for (uint32_t unit = 0; unit < 3; unit++) {
        registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_DIM)] = size << 16 | size;
        registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_LOD)] = pica_texunit_lod_set_max_level(0, 15);
        registers[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_ADDR1)] = 0x18100000 >> 3;
    }
    registers[PICA_REG_COLORBUFFER_LOC] = 0x18000000 >> 3;
    registers[PICA_REG_DEPTHBUFFER_LOC] = 0x18080000 >> 3;
    registers[PICA_REG_FRAMEBUFFER_DIM] = pica_framebuffer_dim_set_height_minus_1(16, 15);
}

/* MIP-02: 256, 128, ... 1. CUB-03: six faces. */
Test(ranges, a_cube_with_all_its_levels_leaves_room_for_the_target)
{
    static uint32_t registers[PICA_REGISTERS];
    struct harness_ranges ranges;
    set_images(registers, 256);
    harness_ranges_of_draw(registers, HARNESS_DRAW_IMMEDIATE, &ranges);
    cr_expect_eq(count_kind(&ranges, HARNESS_RANGE_TEXTURE), 8);
    cr_expect_eq(count_kind(&ranges, HARNESS_RANGE_LEVEL), 8 * 8);
    cr_expect_eq(count_kind(&ranges, HARNESS_RANGE_COLOR), 1);
    cr_expect_eq(count_kind(&ranges, HARNESS_RANGE_DEPTH), 1);
}

/* TEX-18: sizes have 11 bits, so that there are 11 levels: 2047, 1023, ... 1. VTX-03: 12 arrays. */
Test(ranges, there_is_room_for_all_that_a_draw_can_name)
{
    static uint32_t registers[PICA_REGISTERS];
    struct harness_ranges ranges;
    set_images(registers, 2047);
    registers[PICA_REG_NUMVERTICES] = 3;
    for (uint32_t array = 0; array < 12; array++)
        registers[pica_reg_attribbuffer(array, PICA_REG_ATTRIBBUFFER0_CONFIG2)] =
            pica_attribbuffer_config2_set_count(pica_attribbuffer_config2_set_stride(0, 16), 1);
    harness_ranges_of_draw(registers, HARNESS_DRAW_ELEMENTS, &ranges);
    cr_expect_eq(count_kind(&ranges, HARNESS_RANGE_LEVEL), 8 * 10);
    cr_expect_eq(count_kind(&ranges, HARNESS_RANGE_ARRAY), 12);
    cr_expect_eq(count_kind(&ranges, HARNESS_RANGE_INDICES), 1);
    cr_expect_eq(ranges.count, HARNESS_MOST_RANGES);
}

/* FBF-09: pixels of the reserved formats have four bytes, too. */
Test(ranges, FBF_09_the_target_is_as_large_as_its_format_says)
{
    static const uint32_t bytes[8] = { 4, 3, 2, 2, 2, 4, 4, 4 };
    static uint32_t registers[PICA_REGISTERS];
    struct harness_ranges ranges;
    set_images(registers, 8);
    for (uint32_t format = 0; format < 8; format++) {
        registers[PICA_REG_COLORBUFFER_FORMAT] = pica_colorbuffer_format_set_format(0, format);
        harness_ranges_of_draw(registers, HARNESS_DRAW_IMMEDIATE, &ranges);
        for (uint32_t i = 0; i < ranges.count; i++)
            if (ranges.items[i].kind == HARNESS_RANGE_COLOR)
                cr_expect_eq(ranges.items[i].bytes, 16 * 16 * bytes[format], "format %u", (unsigned)format);
    }
}
