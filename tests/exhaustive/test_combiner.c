/* The combiner: all pairs of bytes for each mode, all values of each operand (50-fragment-shading.md, TEV). */
#include "tests/exhaustive/exhaustive.h"

#include "pica/enums.h"

#include <stdlib.h>

struct scene {
    struct square a, b, expected, got;
};

static struct scene *scene_create(void)
{
    struct scene *const scene = calloc(1, sizeof *scene);
    cr_assert_not_null(scene);
    return scene;
}

static void load_scene(struct machine *m, const struct scene *scene)
{
    square_load_texture(m, 0, &scene->a);
    square_load_texture(m, 1, &scene->b);
}

/* Stage 0 with texture 0, texture 1 and its constant. */
static void combine_once(struct tally *tally, struct scene *scene, const struct model_stage *stage,
                         struct model_color constant)
{
    struct machine *const m = tally->m;
    machine_case(m, "modes %u %u, scales %u %u, third operand %02X%02X%02X%02X", (unsigned)stage->rgb_mode,
                 (unsigned)stage->alpha_mode, (unsigned)stage->rgb_scale, (unsigned)stage->alpha_scale,
                 (unsigned)constant.c[0], (unsigned)constant.c[1], (unsigned)constant.c[2], (unsigned)constant.c[3]);
    const uint32_t sources = PICA_TEV_SOURCE_TEXTURE0 | PICA_TEV_SOURCE_TEXTURE1 << 4 | PICA_TEV_SOURCE_CONSTANT << 8;
    const uint32_t words[5] = { sources | sources << 16, 0, stage->rgb_mode | stage->alpha_mode << 16,
                                (uint32_t)constant.c[0] | (uint32_t)constant.c[1] << 8 | (uint32_t)constant.c[2] << 16 |
                                    (uint32_t)constant.c[3] << 24,
                                stage->rgb_scale | stage->alpha_scale << 16 };
    struct list list = { .count = 0 };
    square_pipeline(&list, 2);
    list_write_many(&list, PICA_REG_TEXENV0_SOURCE, true, words, 5);
    square_draw(m, &list, &scene->got);
    for (uint32_t i = 0; i < SQUARE_PIXELS; i++)
        scene->expected.pixels[i] = model_combine(stage, scene->a.pixels[i], scene->b.pixels[i], constant);
    square_compare(tally, &scene->got, &scene->expected);
}

static struct model_color third_operand(uint32_t c)
{
    return (struct model_color){ { (uint8_t)c, (uint8_t)(c + 64u), (uint8_t)(c + 128u), (uint8_t)(c + 192u) } };
}

/* Every mode with every scale; each mode stands for RGB and for alpha, with itself and with another. */
EACH_SQUARE(exhaustive, TEV_09_TEV_11_TEV_13_all_pairs_of_bytes)
{
    struct tally tally = { .m = m, .rule = "TEV-09 to TEV-13" };
    struct scene *const scene = scene_create();
    for (uint32_t mode = 0; mode < 16u; mode++) {
        square_pairs(&scene->a, &scene->b, mode);
        load_scene(m, scene);
        for (uint32_t scale = 0; scale < (exhaustive_full() ? 4u : 1u); scale++) {
            const struct model_stage same = { mode, mode, scale, 3u - scale };
            combine_once(&tally, scene, &same, third_operand(scramble(mode)));
            const struct model_stage mixed = { mode, (mode + 3u) % 16u, 3u - scale, scale };
            combine_once(&tally, scene, &mixed, third_operand(255u * (mode & 1u)));
        }
    }
    free(scene);
    tally_end(&tally, 32u * SQUARE_PIXELS);
}

/* The modes with three operands: all 2^24 triples in each channel. */
EACH_SQUARE(exhaustive, TEV_09_all_triples_of_bytes)
{
    static const uint8_t modes[3] = { PICA_TEV_MODE_INTERPOLATE, PICA_TEV_MODE_MULTIPLY_ADD,
                                      PICA_TEV_MODE_ADD_MULTIPLY };
    struct tally tally = { .m = m, .rule = "TEV-09, three operands" };
    struct scene *const scene = scene_create();
    square_pairs(&scene->a, &scene->b, 0);
    load_scene(m, scene);
    const uint32_t step = exhaustive_full() ? 1u : 85u;
    for (uint32_t i = 0; i < 3u; i++)
        for (uint32_t c = 0; c < 256u; c += step) {
            const struct model_stage stage = { modes[i], modes[i], 0, 0 };
            combine_once(&tally, scene, &stage, third_operand(c));
        }
    free(scene);
    tally_end(&tally, 9u * SQUARE_PIXELS);
}

/*
 * One term of the dot product by itself: the other two are 0 ((128, 128): t = 0) or one of them is 255 ((255, 255)), so
 * that negative terms are seen too.
 */
EACH_SQUARE(exhaustive, TEV_10_all_terms)
{
    struct tally tally = { .m = m, .rule = "TEV-10" };
    struct scene *const scene = scene_create();
    const struct model_stage stage = { PICA_TEV_MODE_DOT3_RGBA, 0, 0, 0 };
    for (uint32_t channel = 0; channel < 3u; channel++)
        for (uint32_t offset = 0; offset < 2u; offset++) {
            for (uint32_t i = 0; i < SQUARE_PIXELS; i++)
                for (uint32_t c = 0; c < 4u; c++) {
                    const bool large = offset == 1u && c == (channel + 1u) % 3u;
                    const bool tested = c == channel;
                    scene->a.pixels[i].c[c] = (uint8_t)(tested ? i % SQUARE : large ? 255u : 128u);
                    scene->b.pixels[i].c[c] = (uint8_t)(tested ? i / SQUARE : large ? 255u : 128u);
                }
            load_scene(m, scene);
            combine_once(&tally, scene, &stage, (struct model_color){ { 0 } });
        }
    free(scene);
    tally_end(&tally, 6u * SQUARE_PIXELS);
}

/* Every operand applied to every byte of every channel, in each of the three positions. */
EACH_SQUARE(exhaustive, TEV_07_TEV_08_all_operands)
{
    struct tally tally = { .m = m, .rule = "TEV-07, TEV-08" };
    struct scene *const scene = scene_create();
    square_pairs(&scene->a, &scene->b, 11);
    load_scene(m, scene);
    const uint32_t sources = PICA_TEV_SOURCE_TEXTURE0 | PICA_TEV_SOURCE_TEXTURE1 << 4 | PICA_TEV_SOURCE_TEXTURE0 << 8;
    const struct model_stage stage = { PICA_TEV_MODE_INTERPOLATE, PICA_TEV_MODE_ADD_MULTIPLY, 0, 0 };
    for (uint32_t operand = 0; operand < 16u; operand++) {
        const uint32_t rgb[3] = { operand, (operand + 5u) % 16u, (operand * 3u + 1u) % 16u };
        const uint32_t alpha[3] = { operand % 8u, (operand + 3u) % 8u, (operand * 3u + 1u) % 8u };
        machine_case(m, "rgb operands %u %u %u, alpha operands %u %u %u", (unsigned)rgb[0], (unsigned)rgb[1],
                     (unsigned)rgb[2], (unsigned)alpha[0], (unsigned)alpha[1], (unsigned)alpha[2]);
        const uint32_t words[3] = { sources | sources << 16,
                                    rgb[0] | rgb[1] << 4 | rgb[2] << 8 | alpha[0] << 12 | alpha[1] << 16 |
                                        alpha[2] << 20,
                                    stage.rgb_mode | stage.alpha_mode << 16 };
        struct list list = { .count = 0 };
        square_pipeline(&list, 2);
        list_write_many(&list, PICA_REG_TEXENV0_SOURCE, true, words, 3);
        square_draw(m, &list, &scene->got);
        for (uint32_t i = 0; i < SQUARE_PIXELS; i++)
            scene->expected.pixels[i] = model_combine(&stage, model_operand(rgb[0], alpha[0], scene->a.pixels[i]),
                                                      model_operand(rgb[1], alpha[1], scene->b.pixels[i]),
                                                      model_operand(rgb[2], alpha[2], scene->a.pixels[i]));
        square_compare(&tally, &scene->got, &scene->expected);
    }
    free(scene);
    tally_end(&tally, 16u * SQUARE_PIXELS);
}
