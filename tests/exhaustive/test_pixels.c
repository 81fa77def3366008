/* Blending and logic operations: all pairs of a source byte and a destination byte; all stored pixels of the 16-bit
 * formats (60-framebuffer.md). */
#include "tests/exhaustive/exhaustive.h"

#include <stdlib.h>

struct scene {
    struct square source, dest, expected, got;
};

static struct scene *scene_create(void)
{
    struct scene *const scene = calloc(1, sizeof *scene);
    cr_assert_not_null(scene);
    return scene;
}

static void load_scene(struct machine *m, struct scene *scene, uint32_t variant)
{
    square_pairs(&scene->source, &scene->dest, variant);
    square_load_texture(m, 0, &scene->source);
}

static void blend_once(struct tally *tally, struct scene *scene, const struct model_blend *blend)
{
    struct machine *const m = tally->m;
    machine_case(m, "equations %u %u, source factors %u %u, dest factors %u %u", (unsigned)blend->equation[0],
                 (unsigned)blend->equation[1], (unsigned)blend->source[0], (unsigned)blend->source[1],
                 (unsigned)blend->dest[0], (unsigned)blend->dest[1]);
    struct list list = { .count = 0 };
    square_pipeline(&list, 1);
    list_write(&list, PICA_REG_BLEND_FUNC,
               blend->equation[0] | blend->equation[1] << 8 | blend->source[0] << 16 | blend->dest[0] << 20 |
                   blend->source[1] << 24 | blend->dest[1] << 28);
    const uint8_t *const k = blend->constant.c;
    list_write(&list, PICA_REG_BLEND_COLOR,
               (uint32_t)k[0] | (uint32_t)k[1] << 8 | (uint32_t)k[2] << 16 | (uint32_t)k[3] << 24);
    square_load_target(m, &scene->dest);
    square_draw(m, &list, &scene->got);
    for (uint32_t i = 0; i < SQUARE_PIXELS; i++)
        scene->expected.pixels[i] = model_blend(blend, scene->source.pixels[i], scene->dest.pixels[i]);
    square_compare(tally, &scene->got, &scene->expected);
}

/* Every equation with every pair of factors; alpha runs through its own pairs in another order. */
EACH_SQUARE(exhaustive, BLD_01_to_BLD_04_all_pairs_of_bytes)
{
    struct tally tally = { .m = m, .rule = "BLD-01 to BLD-04" };
    struct scene *const scene = scene_create();
    const uint32_t step = exhaustive_full() ? 1u : 83u;
    for (uint32_t equation = 0; equation < 8u; equation++) {
        load_scene(m, scene, equation);
        for (uint32_t pair = equation; pair < 256u; pair += step) {
            const uint32_t alpha = (pair * 5u + 3u) % 256u;
            const struct model_blend blend = {
                .equation = { equation, (equation + pair) % 8u },
                .source = { pair % 16u, alpha % 16u },
                .dest = { pair / 16u, alpha / 16u },
                .constant = { { (uint8_t)(pair * 7u), (uint8_t)(255u - pair), (uint8_t)scramble(pair),
                                (uint8_t)pair } },
            };
            blend_once(&tally, scene, &blend);
        }
    }
    free(scene);
    tally_end(&tally, SQUARE_PIXELS);
}

EACH_SQUARE(exhaustive, LOP_01_all_pairs_of_bytes)
{
    struct tally tally = { .m = m, .rule = "LOP-01" };
    struct scene *const scene = scene_create();
    for (uint32_t operation = 0; operation < 16u; operation++) {
        machine_case(m, "operation %u", (unsigned)operation);
        load_scene(m, scene, operation);
        square_load_target(m, &scene->dest);
        struct list list = { .count = 0 };
        square_pipeline(&list, 1);
        list_write(&list, PICA_REG_COLOR_OPERATION, 0x00E40000);
        list_write(&list, PICA_REG_LOGIC_OP, operation);
        square_draw(m, &list, &scene->got);
        for (uint32_t i = 0; i < SQUARE_PIXELS; i++)
            for (uint32_t c = 0; c < 4u; c++)
                scene->expected.pixels[i].c[c] =
                    model_logic(operation, scene->source.pixels[i].c[c], scene->dest.pixels[i].c[c]);
        square_compare(&tally, &scene->got, &scene->expected);
    }
    free(scene);
    tally_end(&tally, 16u * SQUARE_PIXELS);
}

/* ---------------------------------------------------------------------------------------------------------- formats */

/* The colour buffer in memory, before and after. */
struct target {
    uint8_t before[SQUARE_BYTES], expected[SQUARE_BYTES], got[SQUARE_BYTES];
};

static void format_once(struct tally *tally, struct scene *scene, struct target *target, uint32_t format,
                        const struct model_blend *blend)
{
    struct machine *const m = tally->m;
    const uint32_t bytes = SQUARE_PIXELS * model_format_bits(format) / 8u;
    machine_case(m, "format %u, equation %u, factors %u %u", (unsigned)format, (unsigned)blend->equation[0],
                 (unsigned)blend->source[0], (unsigned)blend->dest[0]);
    struct list list = { .count = 0 };
    square_pipeline(&list, 1);
    list_write(&list, PICA_REG_COLORBUFFER_FORMAT, format << 16 | (format == 0u ? 2u : format == 1u ? 1u : 0u));
    list_write(&list, PICA_REG_BLEND_FUNC,
               blend->equation[0] | blend->equation[1] << 8 | blend->source[0] << 16 | blend->dest[0] << 20 |
                   blend->source[1] << 24 | blend->dest[1] << 28);
    machine_load(m, COLOR_ADDRESS, target->before, bytes);
    square_draw_bytes(m, &list, target->got, bytes);
    for (uint32_t i = 0; i < SQUARE_PIXELS; i++) {
        const uint32_t n = model_texel_number(i % SQUARE, i / SQUARE, SQUARE);
        const struct model_color dest = model_texel(format, target->before, n);
        model_store(format, model_blend(blend, scene->source.pixels[i], dest), target->expected, n);
    }
    for (uint32_t i = 0; i < bytes; i++)
        tally_compare(tally, target->got[i], target->expected[i], "byte %u of the target", (unsigned)i);
}

/* Every value of a 16-bit pixel is read and expanded, blended into, reduced and written; also 24 and 32 bits. */
EACH_SQUARE(exhaustive, FBF_09_to_FBF_11_every_16_bit_pixel)
{
    static const struct model_blend blends[5] = {
        { .source = { 0, 0 }, .dest = { 1, 1 } },                       /* what is stored */
        { .source = { 1, 1 }, .dest = { 1, 1 } },                       /* the sum */
        { .source = { 6, 6 }, .dest = { 7, 7 } },                       /* by source alpha */
        { .source = { 9, 9 }, .dest = { 8, 8 } },                       /* by destination alpha */
        { .equation = { 2, 1 }, .source = { 14, 5 }, .dest = { 4, 3 } } /* saturate, squares, differences */
    };
    struct tally tally = { .m = m, .rule = "FBF-09 to FBF-11" };
    struct scene *const scene = scene_create();
    struct target *const target = calloc(1, sizeof *target);
    cr_assert_not_null(target);
    load_scene(m, scene, 3);
    for (uint32_t format = 0; format < 5u; format++) {
        const uint32_t size = model_format_bits(format) / 8u;
        for (uint32_t n = 0; n < SQUARE_PIXELS; n++)
            for (uint32_t i = 0; i < size; i++)
                target->before[n * size + i] = (uint8_t)((size == 2u ? n * 0x6ED5u : scramble(n)) >> (8u * i));
        for (uint32_t k = 0; k < 5u; k++)
            format_once(&tally, scene, target, format, &blends[k]);
    }
    free(target);
    free(scene);
    tally_end(&tally, 65u * SQUARE_PIXELS);
}
