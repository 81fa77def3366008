/* Texel formats: every value of up to 16 bits; every ETC1 block header with every colour byte (40-textures.md). */
#include "tests/exhaustive/exhaustive.h"

#include "pica/enums.h"

#include <stdlib.h>

struct scene {
    uint8_t bytes[SQUARE_BYTES]; /* the image in memory */
    struct square expected, got;
};

static struct scene *scene_create(void)
{
    struct scene *const scene = calloc(1, sizeof *scene);
    cr_assert_not_null(scene);
    return scene;
}

/* Draws the image of `format` in scene->bytes through one unit; TEX-21: pixel row y is memory row 255 - y. */
static void draw_image(struct tally *tally, struct scene *scene, uint32_t unit, uint32_t format)
{
    struct machine *const m = tally->m;
    machine_case(m, "unit %u, format %u", (unsigned)unit, (unsigned)format);
    machine_load(m, SQUARE_TEXTURE + unit * SQUARE_BYTES, scene->bytes, SQUARE_PIXELS * model_format_bits(format) / 8u);
    struct list list = { .count = 0 };
    square_pipeline(&list, 0);
    square_format(&list, unit, format);
    list_write(&list, PICA_REG_TEXUNIT_CONFIG, 1u << unit);
    probe_source(&list, PICA_TEV_SOURCE_TEXTURE0 + unit);
    square_draw(m, &list, &scene->got);
    for (uint32_t i = 0; i < SQUARE_PIXELS; i++) {
        const uint32_t column = i % SQUARE, row = SQUARE - 1u - i / SQUARE;
        scene->expected.pixels[i] =
            format >= PICA_TEXTURE_FORMAT_ETC1
                ? model_etc(format == PICA_TEXTURE_FORMAT_ETC1A4, scene->bytes, SQUARE, column, row)
                : model_texel(format, scene->bytes, model_texel_number(column, row, SQUARE));
    }
    square_compare(tally, &scene->got, &scene->expected);
}

/* Texel n has the value n (times an odd number, so that neighbours differ much), cut to its bits. */
static void fill_with_values(struct scene *scene, uint32_t format)
{
    const uint32_t bits = model_format_bits(format);
    for (uint32_t n = 0; n < SQUARE_PIXELS; n++) {
        const uint32_t value = bits > 16u ? scramble(n) : n * 0x6ED5u + n / 16u;
        if (bits == 4u) {
            uint8_t *const byte = &scene->bytes[n / 2u];
            *byte = (uint8_t)(n % 2u == 0u ? value & 15u : *byte | (value & 15u) << 4);
            continue;
        }
        for (uint32_t i = 0; i < bits / 8u; i++)
            scene->bytes[n * bits / 8u + i] = (uint8_t)(value >> (8u * i));
    }
    if (bits == 16u)
        for (uint32_t n = 0; n < SQUARE_PIXELS; n++) {
            scene->bytes[2u * n] = (uint8_t)(n * 0x6ED5u);
            scene->bytes[2u * n + 1u] = (uint8_t)(n * 0x6ED5u >> 8);
        }
}

EACH_SQUARE(exhaustive, TEX_22_to_TEX_24_every_texel_value)
{
    struct tally tally = { .m = m, .rule = "TEX-22 to TEX-24" };
    struct scene *const scene = scene_create();
    for (uint32_t format = 0; format < PICA_TEXTURE_FORMAT_ETC1; format++) {
        fill_with_values(scene, format);
        for (uint32_t unit = 0; unit < 3u; unit++)
            draw_image(&tally, scene, unit, format);
    }
    free(scene);
    tally_end(&tally, 36u * SQUARE_PIXELS);
}

/*
 * An image has 4096 blocks: every header byte (flip, mode, both tables) with 16 values of the colour bytes; the image
 * number gives the other 240. Table column = y & 1 and sign = x & 1 of the texel, so that each sub-block of each flip
 * has all four offsets; the four patterns turn them round.
 */
static void fill_with_blocks(struct scene *scene, uint32_t image, bool with_alpha)
{
    for (uint32_t block = 0; block < 4096u; block++) {
        const uint32_t header = block / 16u;
        const uint32_t value = image * 16u + block % 16u;
        static const uint32_t patterns[4] = { 0xF0F0AAAA, 0x0F0FAAAA, 0xF0F05555, 0x0F0F5555 };
        const uint32_t low = patterns[scramble(image << 12 | block) % 4u];
        uint8_t *at = scene->bytes + block * (with_alpha ? 16u : 8u);
        if (with_alpha) {
            for (uint32_t i = 0; i < 8u; i++)
                at[i] = (uint8_t)(scramble(block * 8u + i) >> (image % 24u));
            at += 8;
        }
        const uint8_t bytes[8] = {
            (uint8_t)low,    (uint8_t)(low >> 8),        (uint8_t)(low >> 16),       (uint8_t)(low >> 24),
            (uint8_t)header, (uint8_t)(value * 5u + 1u), (uint8_t)(value * 3u + 7u), (uint8_t)value
        };
        for (uint32_t i = 0; i < 8u; i++)
            at[i] = bytes[i];
    }
}

EACH_SQUARE(exhaustive, ETC_01_to_ETC_06_every_header_and_colour_byte)
{
    struct tally tally = { .m = m, .rule = "ETC-01 to ETC-06" };
    struct scene *const scene = scene_create();
    const uint32_t step = exhaustive_full() ? 1u : 8u;
    for (uint32_t image = 0; image < 16u; image += step) {
        fill_with_blocks(scene, image, false);
        draw_image(&tally, scene, image % 3u, PICA_TEXTURE_FORMAT_ETC1);
        fill_with_blocks(scene, image, true);
        draw_image(&tally, scene, (image + 1u) % 3u, PICA_TEXTURE_FORMAT_ETC1A4);
    }
    free(scene);
    tally_end(&tally, 4u * SQUARE_PIXELS);
}
