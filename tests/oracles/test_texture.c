/* Where textures lie (oracles/texture.h). */
#include "oracles/texture.h"
#include "pica/backend.h"
#include "pica/fields.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static uint32_t registers[PICA_REGISTERS];

static void set_unit_0(enum pica_texture_format format, uint32_t width, uint32_t height, uint32_t max_level)
{
    registers[PICA_REG_TEXUNIT_CONFIG] = 1;
    registers[PICA_REG_TEXUNIT0_TYPE] = (uint32_t)format;
    registers[PICA_REG_TEXUNIT0_DIM] = pica_texunit_dim_set_height(pica_texunit_dim_set_width(0, width), height);
    registers[PICA_REG_TEXUNIT0_LOD] = pica_texunit_lod_set_max_level(0, max_level);
    registers[PICA_REG_TEXUNIT0_ADDR1] = 0x18000400u / 8u;
}

/* TEX-23, TEX-31: 64 texels, then the 16 of level 1, which are the first 16 of its own tile. */
Test(texture, TEX_31_the_bytes_of_a_texture_depend_on_its_format_and_levels)
{
    static const struct {
        enum pica_texture_format format;
        uint32_t level_0, both, period;
    } formats[] = {
        { PICA_TEXTURE_FORMAT_RGBA8, 256, 256 + 64, 4 },  { PICA_TEXTURE_FORMAT_RGB8, 192, 192 + 48, 3 },
        { PICA_TEXTURE_FORMAT_RGB565, 128, 128 + 32, 2 }, { PICA_TEXTURE_FORMAT_I8, 64, 64 + 16, 1 },
        { PICA_TEXTURE_FORMAT_A4, 32, 32 + 8, 0 },        { PICA_TEXTURE_FORMAT_ETC1, 32, 32 + 8, 8 },
        { PICA_TEXTURE_FORMAT_ETC1A4, 64, 64 + 16, 8 },
    };
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        set_unit_0(formats[i].format, 8, 8, 0);
        cr_expect(oracle_texture_is_live(registers, 0));
        cr_expect_eq(oracle_texture_size(registers, 0), formats[i].level_0, "%zu", i);
        cr_expect_eq(oracle_texture_period(registers, 0), formats[i].period, "%zu", i);
        set_unit_0(formats[i].format, 8, 8, 1);
        cr_expect_eq(oracle_texture_size(registers, 0), formats[i].both, "%zu", i);
    }
}

/* CUB-03: faces after the first have the lower 22 bits of their own. */
Test(texture, CUB_03_where_the_faces_of_a_cube_lie)
{
    set_unit_0(PICA_TEXTURE_FORMAT_RGBA8, 8, 8, 0);
    cr_expect_eq(oracle_texture_faces(registers, 0), 1);
    registers[PICA_REG_TEXUNIT0_PARAM] = pica_texunit_param_set_type(0, PICA_TEXTURE_TYPE_CUBE);
    registers[PICA_REG_TEXUNIT0_ADDR1 + 5] = 0x800u / 8u;
    cr_expect_eq(oracle_texture_faces(registers, 0), 6);
    cr_expect_eq(oracle_texture_address(registers, 0, 0), 0x18000400u);
    cr_expect_eq(oracle_texture_address(registers, 0, 5), 0x18000800u);
}
