/* Texture units 0-2: images that exist, in every format, size, type, filter and wrap mode. */
#include "harness/case/little.h"
#include "harness/case/pixel_size.h"
#include "harness/grammar/gen_parts.h"

enum {
    MOST_LONG_BYTES = 0x8000 /* of an image that is long: 8 x 1024 texels of 32 bits */
};

/* HNG-06: a console freezes at images of 4 bits a texel in unit 1. */
static enum pica_texture_format spare_unit1(const struct gen *gen, uint32_t unit, enum pica_texture_format format)
{
    return gen->exportable && unit == 1 && harness_texel_bits(format) == 4 ? PICA_TEXTURE_FORMAT_I8 : format;
}

static bool is_etc(enum pica_texture_format format)
{
    return format == PICA_TEXTURE_FORMAT_ETC1 || format == PICA_TEXTURE_FORMAT_ETC1A4;
}

/* -------------------------------------------------------------------------------------------------------- contents */

/* ETC-05: sums of base and delta outside 0..31 record an event; a delta of 0 never does. */
static void tame_etc_block(uint8_t *block)
{
    if ((block[4] >> 1 & 1u) == 0)
        return;
    for (uint32_t channel = 5; channel < 8; channel++) {
        const int32_t base = block[channel] >> 3;
        const int32_t delta = (int32_t)(block[channel] & 3u) - (int32_t)(block[channel] & 4u);
        if (base + delta < 0 || base + delta > 31)
            block[channel] = (uint8_t)(block[channel] & 0xF8u);
    }
}

static void random_texels(struct gen *gen, const struct harness_data *data, enum pica_texture_format format)
{
    uint64_t noise = 0;
    const bool smooth = gen_percent(gen, 30);
    for (uint32_t i = 0; i < data->size; i++) {
        noise = (i & 7u) == 0 ? harness_random_next(&gen->random) : noise >> 8;
        data->bytes[i] = smooth ? (uint8_t)((i * 5u) + (noise & 15u)) : (uint8_t)noise;
    }
    if (!gen->defined)
        return;
    const uint32_t step = format == PICA_TEXTURE_FORMAT_ETC1A4 ? 16 : 8;
    for (uint32_t i = step - 8u; is_etc(format) && i + 8u <= data->size; i += step)
        tame_etc_block(data->bytes + i);
}

static void store_image(struct gen *gen, uint32_t address, uint32_t size, enum pica_texture_format format)
{
    struct harness_data data;
    const bool small = size <= 128 || (is_etc(format) && gen->defined && size <= 1024);
    if (small && gen_percent(gen, 90)) {
        if (!gen_bytes(gen, &data, size))
            return;
        random_texels(gen, &data, format);
    } else if (is_etc(format) && gen->defined) {
        uint8_t bytes[8];
        const uint32_t word = gen_below(gen, UINT32_MAX);
        (void)harness_store32(harness_store32(bytes, word), word);
        tame_etc_block(bytes);
        harness_data_pattern(&data, HARNESS_PATTERN_FILL, harness_load32(bytes + 4), size);
    } else {
        const enum harness_pattern pattern = gen_percent(gen, 70) ? HARNESS_PATTERN_NOISE : HARNESS_PATTERN_RAMP;
        harness_data_pattern(&data, pattern, gen_below(gen, UINT32_MAX), size);
    }
    gen_load(gen, address, &data);
}

/* ------------------------------------------------------------------------------------------------------ parameters */

struct image {
    uint32_t width;
    uint32_t height;
    uint32_t levels; /* highest level */
    enum pica_texture_format format;
    enum pica_texture_type type;
};

static uint32_t image_size(const struct image *image)
{
    uint32_t size = 0;
    for (uint32_t level = 0; level <= image->levels; level++)
        size += (image->width >> level) * (image->height >> level) * harness_texel_bits(image->format) / 8u;
    return size;
}

/* MIP-02: level sizes below 8 record an event. */
static uint32_t draw_levels(struct gen *gen, uint32_t width, uint32_t height)
{
    const uint32_t smaller = width < height ? width : height;
    uint32_t most = 0;
    while ((smaller >> (most + 1u)) >= 8u)
        most++;
    if (gen_wild(gen, 15))
        return gen_below(gen, 8);
    return gen_percent(gen, 60) ? gen_below(gen, most + 1u) : 0;
}

static enum pica_texture_type draw_type(struct gen *gen, uint32_t unit)
{
    static const uint32_t weights[8] = { 60, 12, 8, 12, 8, 0, 0, 0 };
    if (unit != 0) /* TEX-15: ignored there */
        return gen_percent(gen, 2 * gen->odd) ? (enum pica_texture_type)gen_below(gen, 8) : PICA_TEXTURE_TYPE_2D;
    if (gen_wild(gen, 5))
        return (enum pica_texture_type)gen_below(gen, 8);
    return (enum pica_texture_type)harness_random_weighted(&gen->random, weights, 8);
}

static bool is_shadow(enum pica_texture_type type)
{
    return type == PICA_TEXTURE_TYPE_SHADOW_2D || type == PICA_TEXTURE_TYPE_SHADOW_CUBE;
}

static bool is_cube(enum pica_texture_type type)
{
    return type == PICA_TEXTURE_TYPE_CUBE || type == PICA_TEXTURE_TYPE_SHADOW_CUBE;
}

/* Up to 1024 texels on one side. A whole square of them would not fit GEN_REGION_BYTES, so it is a strip. */
static void draw_long(struct gen *gen, struct image *image)
{
    const uint32_t longer = 8u << gen_between(gen, 4, 7);
    uint32_t shorter = 8u << gen_below(gen, 4);
    while (shorter > 8 && longer * shorter * harness_texel_bits(image->format) / 8u > MOST_LONG_BYTES)
        shorter /= 2u;
    const bool wide = gen_percent(gen, 50);
    image->width = wide ? longer : shorter;
    image->height = wide ? shorter : longer;
}

static void draw_image(struct gen *gen, uint32_t unit, struct image *image)
{
    static const uint32_t weights[] = { 45, 30, 18, 7 };
    image->type = draw_type(gen, unit);
    image->width = 8u << harness_random_weighted(&gen->random, weights, 4);
    image->height = gen_percent(gen, 60) ? image->width : 8u << gen_below(gen, 3);
    image->format = (enum pica_texture_format)gen_below(gen, gen_wild(gen, 10) ? 16 : 14);
    image->format = spare_unit1(gen, unit, image->format);
    if (unit == 0 && is_shadow(image->type) && !gen_wild(gen, 20))
        image->format = PICA_TEXTURE_FORMAT_RGBA8;
    const bool cube = unit == 0 && is_cube(image->type);
    if (cube)
        image->width = image->height = 8u << gen_below(gen, 2);
    if (!cube && gen_percent(gen, 8))
        draw_long(gen, image);
    else if (gen_wild(gen, 6))
        image->width = gen_between(gen, 1, 40);
    image->levels = draw_levels(gen, image->width, image->height);
}

void gen_texture_parameters(struct gen *gen, uint32_t unit)
{
    const uint32_t border = pica_reg_texunit(unit, PICA_REG_TEXUNIT0_BORDER_COLOR);
    gen_set_drawn(gen, border, border + 3u); /* dimensions are set afterwards */
    if (unit == 0)
        gen_set_drawn(gen, PICA_REG_TEXUNIT0_SHADOW, PICA_REG_TEXUNIT0_SHADOW);
}

/* The same memory in another format that needs no more of it, or half as wide or high: a cache that tells images apart
 * by address alone takes it for the same. */
void gen_other_image(struct gen *gen, uint32_t unit)
{
    const uint32_t type = pica_reg_texunit(unit, PICA_REG_TEXUNIT0_TYPE);
    const uint32_t dim = pica_reg_texunit(unit, PICA_REG_TEXUNIT0_DIM);
    const uint32_t lod = pica_reg_texunit(unit, PICA_REG_TEXUNIT0_LOD);
    const uint32_t width = pica_texunit_dim_width(gen->want[dim]);
    const uint32_t height = pica_texunit_dim_height(gen->want[dim]);
    const enum pica_texture_format old = (enum pica_texture_format)(gen->want[type] & 15u);
    const enum pica_texture_format format = spare_unit1(gen, unit, (enum pica_texture_format)gen_below(gen, 12));
    const bool plain = pica_texunit_param_type(gen->want[PICA_REG_TEXUNIT0_PARAM]) == PICA_TEXTURE_TYPE_2D;
    if (gen_percent(gen, 60) && (plain || unit != 0) && harness_texel_bits(format) <= harness_texel_bits(old))
        gen_set(gen, type, format);
    else if (pica_texunit_lod_max_level(gen->want[lod]) == 0 && width > 8 && gen_percent(gen, 50)) /* MIP-02 */
        gen_set(gen, dim, pica_texunit_dim_set_width(gen->want[dim], width / 2u));
    else if (pica_texunit_lod_max_level(gen->want[lod]) == 0 && height > 8)
        gen_set(gen, dim, pica_texunit_dim_set_height(gen->want[dim], height / 2u));
}

static void set_image(struct gen *gen, uint32_t unit, const struct image *image)
{
    const uint32_t dim = pica_reg_texunit(unit, PICA_REG_TEXUNIT0_DIM);
    const uint32_t param = pica_reg_texunit(unit, PICA_REG_TEXUNIT0_PARAM);
    const uint32_t lod = pica_reg_texunit(unit, PICA_REG_TEXUNIT0_LOD);
    gen_set(gen, dim, pica_texunit_dim_set_height(pica_texunit_dim_set_width(0, image->width), image->height));
    gen_set(gen, param, pica_texunit_param_set_type(gen->want[param], image->type));
    uint32_t word = pica_texunit_lod_set_max_level(gen->want[lod], image->levels);
    word = pica_texunit_lod_set_min_level(word, gen_percent(gen, 60) ? 0 : gen_below(gen, 16));
    if (gen_percent(gen, 60)) /* from -2 to 2 levels */
        word = pica_texunit_lod_set_bias(word, gen_below(gen, 1024) - 512u);
    gen_set(gen, lod, word);
    gen_set(gen, pica_reg_texunit(unit, PICA_REG_TEXUNIT0_TYPE), image->format);
}

/* CUB-03: six images; the faces share the upper bits of their addresses. */
static void set_addresses(struct gen *gen, uint32_t unit, uint32_t address, uint32_t face_size, bool cube)
{
    gen_set(gen, pica_reg_texunit(unit, PICA_REG_TEXUNIT0_ADDR1), address >> 3);
    for (uint32_t face = 1; unit == 0 && face < 6; face++) {
        const uint32_t place = address + (cube ? face : gen_below(gen, 2)) * face_size;
        gen_set(gen, PICA_REG_TEXUNIT0_ADDR1 + face, pica_texunit_addr_face_address_low(place >> 3));
    }
}

static void set_up_unit(struct gen *gen, uint32_t unit)
{
    struct image image;
    gen_texture_parameters(gen, unit);
    draw_image(gen, unit, &image);
    set_image(gen, unit, &image);
    const bool cube = unit == 0 && is_cube(image.type);
    const uint32_t size = (image_size(&image) + 7u) & ~7u;
    const uint32_t total = (cube ? 6u * size : size) + 64u; /* ETC and small levels read a little more (TEX-31) */
    uint32_t address = gen_allocate(gen, total, gen_percent(gen, 50) ? 128 : 8);
    if (gen_wild(gen, 5))
        address = gen_percent(gen, 50) ? gen->target.color_address : gen->target.depth_address;
    else
        store_image(gen, address, total, image.format);
    set_addresses(gen, unit, address, size, cube);
}

/* The role that a unit needs, as a bit. */
static uint32_t roles_of_unit(uint32_t unit)
{
    return 1u << (unit == 0 ? GEN_TEXCOORD0 : unit == 1 ? GEN_TEXCOORD1 : GEN_TEXCOORD2);
}

static void set_config(struct gen *gen)
{
    uint32_t word = harness_layout_draw(&gen->random, PICA_LAYOUT_TEXUNIT_CONFIG, gen->defined);
    for (uint32_t unit = 0; unit < 3; unit++)
        word = pica_texunit_config_set_unit_enable_at(word, unit, gen->textures >> unit);
    word = pica_texunit_config_set_unit3_enable(word, gen->textures >> 3);
    if (gen_has(gen, GEN_UNUSED_REGISTERS) && gen_percent(gen, 50))
        word |= gen_below(gen, 16) << 4; /* no meaning (TEX-11) */
    gen_set(gen, PICA_REG_TEXUNIT_CONFIG, word);
    const uint32_t coordinate = pica_texunit_config_unit3_coord(word) % 3u;
    if ((gen->textures & 8u) != 0)
        gen->draw.roles |= roles_of_unit(coordinate);
    if ((gen->textures & 4u) != 0 && pica_texunit_config_unit2_coord(word) == PICA_TEXUNIT2_COORD_TEXCOORD1)
        gen->draw.roles |= roles_of_unit(1);
}

void gen_textures(struct gen *gen)
{
    gen->textures = 0;
    if (gen_has(gen, GEN_TEXTURES))
        gen->textures = gen_between(gen, 1, 7);
    if (gen_has(gen, GEN_TEXTURES) && gen_percent(gen, 50))
        gen->textures = 1u << gen_below(gen, 3);
    for (uint32_t unit = 0; unit < 3; unit++)
        if ((gen->textures >> unit & 1u) != 0) {
            set_up_unit(gen, unit);
            gen->draw.roles |= roles_of_unit(unit);
        }
    if (gen_has(gen, GEN_PROCTEX)) {
        gen->textures |= 8u;
        gen_proctex(gen);
    }
    set_config(gen);
}
