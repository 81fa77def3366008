#include "oracles/texture.h"

#include "pica/fields.h"
#include "pica/regs.h"

static const uint8_t texel_bits[14] = { 32, 24, 16, 16, 16, 16, 16, 8, 8, 8, 4, 4, 4, 8 }; /* TEX-23 */

static uint32_t unit_value(const uint32_t *registers, uint32_t unit, enum pica_reg base)
{
    return registers[pica_reg_texunit(unit, base)];
}

static enum pica_texture_type texture_type(const uint32_t *registers, uint32_t unit)
{
    return unit == 0 ? pica_texunit_param_type(registers[PICA_REG_TEXUNIT0_PARAM]) : PICA_TEXTURE_TYPE_2D;
}

bool oracle_texture_is_live(const uint32_t *registers, uint32_t unit)
{
    const uint32_t config = registers[PICA_REG_TEXUNIT_CONFIG];
    const uint32_t enables[3] = { pica_texunit_config_unit0_enable(config), pica_texunit_config_unit1_enable(config),
                                  pica_texunit_config_unit2_enable(config) };
    const uint32_t dim = unit_value(registers, unit, PICA_REG_TEXUNIT0_DIM);
    return enables[unit] != 0 && pica_texunit_addr_address(unit_value(registers, unit, PICA_REG_TEXUNIT0_ADDR1)) != 0 &&
           texture_type(registers, unit) != PICA_TEXTURE_TYPE_DISABLED && pica_texunit_dim_width(dim) != 0 &&
           pica_texunit_dim_height(dim) != 0 &&
           (uint32_t)pica_texunit_type_format(unit_value(registers, unit, PICA_REG_TEXUNIT0_TYPE)) < 14;
}

uint32_t oracle_texture_faces(const uint32_t *registers, uint32_t unit)
{
    const enum pica_texture_type type = texture_type(registers, unit);
    return type == PICA_TEXTURE_TYPE_CUBE || type == PICA_TEXTURE_TYPE_SHADOW_CUBE ? 6 : 1;
}

uint32_t oracle_texture_address(const uint32_t *registers, uint32_t unit, uint32_t face)
{
    const uint32_t first = pica_texunit_addr_address(unit_value(registers, unit, PICA_REG_TEXUNIT0_ADDR1));
    if (face == 0)
        return first * 8;
    const uint32_t low = pica_texunit_addr_face_address_low(registers[PICA_REG_TEXUNIT0_ADDR1 + face]);
    return ((first & ~0x3FFFFFu) | low) * 8; /* CUB-03 */
}

static uint64_t interleave3(uint32_t x, uint32_t y)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < 3; i++)
        bits |= (uint64_t)(x >> i & 1u) << (2 * i) | (uint64_t)(y >> i & 1u) << (2 * i + 1);
    return bits;
}

/* TEX-31: end of one level, counted from its own base. */
static uint64_t level_end(uint32_t width, uint32_t height, uint32_t format, uint32_t bits)
{
    const uint32_t mx = (width < 8 ? width : 8) - 1, my = (height < 8 ? height : 8) - 1;
    const uint64_t tile = (uint64_t)((height - 1) >> 3) * (width >> 3) + ((width - 1) >> 3);
    if (format == 12 || format == 13)
        return tile * (format == 12 ? 32 : 64) + ((mx >> 2) + 2 * (my >> 2) + 1) * (format == 12 ? 8u : 16u);
    return ((tile * 64 + interleave3(mx, my) + 1) * bits + 7) >> 3;
}

uint64_t oracle_texture_size(const uint32_t *registers, uint32_t unit)
{
    const uint32_t dim = unit_value(registers, unit, PICA_REG_TEXUNIT0_DIM);
    const uint32_t format = (uint32_t)pica_texunit_type_format(unit_value(registers, unit, PICA_REG_TEXUNIT0_TYPE));
    const uint32_t bits = texel_bits[format];
    const uint32_t levels = pica_texunit_lod_max_level(unit_value(registers, unit, PICA_REG_TEXUNIT0_LOD));
    const uint32_t width = pica_texunit_dim_width(dim), height = pica_texunit_dim_height(dim);
    uint64_t start = 0, most = 0;
    for (uint32_t l = 0; l <= levels && (width >> l) != 0 && (height >> l) != 0; l++) { /* MIP-01, MIP-02 */
        const uint64_t end = start + level_end(width >> l, height >> l, format, bits);
        most = end > most ? end : most;
        start += ((uint64_t)(width >> l) * (height >> l) * bits) >> 3;
    }
    return most;
}

uint32_t oracle_texture_period(const uint32_t *registers, uint32_t unit)
{
    const enum pica_texture_format format =
        pica_texunit_type_format(unit_value(registers, unit, PICA_REG_TEXUNIT0_TYPE));
    const bool is_block = format == PICA_TEXTURE_FORMAT_ETC1 || format == PICA_TEXTURE_FORMAT_ETC1A4;
    return is_block ? 8u : texel_bits[format] / 8u;
}
