/* Culling, clip plane, scissor, depth map. */
#include "harness/grammar/gen_parts.h"

static void set_scissor(struct gen *gen)
{
    uint32_t x1 = gen_below(gen, gen->target.width);
    uint32_t y1 = gen_below(gen, gen->target.height);
    uint32_t x2 = gen_between(gen, x1, gen->target.width - 1u);
    uint32_t y2 = gen_between(gen, y1, gen->target.height - 1u);
    if (gen_percent(gen, 50)) {
        x1 /= 4u;
        y1 /= 4u;
        x2 |= gen->target.width / 2u;
        y2 |= gen->target.height / 2u;
        x2 = x2 < gen->target.width ? x2 : gen->target.width - 1u;
        y2 = y2 < gen->target.height ? y2 : gen->target.height - 1u;
    }
    const uint32_t mode = gen_has(gen, GEN_SCISSOR) && gen_percent(gen, 80) ? gen_below(gen, 4) : PICA_SCISSOR_MODE_OFF;
    if (gen_wild(gen, 10)) {
        x2 = harness_random_number(&gen->random, 10);
        y2 = harness_random_number(&gen->random, 10);
    }
    gen_set(gen, PICA_REG_SCISSORTEST_MODE, mode);
    gen_set(gen, PICA_REG_SCISSORTEST_POS, pica_scissortest_pos_set_y1(pica_scissortest_pos_set_x1(0, x1), y1));
    gen_set(gen, PICA_REG_SCISSORTEST_DIM, pica_scissortest_dim_set_y2(pica_scissortest_dim_set_x2(0, x2), y2));
}

/* Depth runs from 0 at the near plane to -1 (CLP-01); most programs turn that to 0..1. */
static void set_depth_map(struct gen *gen)
{
    static const float maps[][2] = {
        { -1.0f, 0.0f }, { 1.0f, 1.0f }, { -0.5f, 0.25f }, { -1.0f, 0.01f }, { 2.0f, 1.5f }
    };
    const uint32_t choice = gen_percent(gen, 60) ? 0 : gen_below(gen, sizeof maps / sizeof maps[0]);
    gen_set(gen, PICA_REG_DEPTHMAP_SCALE, gen_float24(maps[choice][0]));
    gen_set(gen, PICA_REG_DEPTHMAP_OFFSET, gen_float24(maps[choice][1]));
    gen_set(gen, PICA_REG_DEPTHMAP_ENABLE, gen_percent(gen, 75) ? 1 : 0);
    if (gen_percent(gen, 5))
        gen_set_drawn(gen, PICA_REG_DEPTHMAP_SCALE, PICA_REG_DEPTHMAP_OFFSET);
}

static void set_clip_plane(struct gen *gen)
{
    gen_set(gen, PICA_REG_FRAGOP_CLIP, gen_has(gen, GEN_CLIP_PLANE) && gen_percent(gen, 80) ? 1 : 0);
    if (!gen_has(gen, GEN_CLIP_PLANE))
        return;
    for (uint32_t c = 0; c < 3; c++)
        gen_set(gen, PICA_REG_FRAGOP_CLIP_DATA0 + c, gen_float24(gen_float(gen, -1.0f, 1.0f)));
    gen_set(gen, PICA_REG_FRAGOP_CLIP_DATA3, gen_float24(gen_float(gen, 0.0f, 1.0f)));
    if (gen_wild(gen, 10))
        gen_set_drawn(gen, PICA_REG_FRAGOP_CLIP_DATA0, PICA_REG_FRAGOP_CLIP_DATA3);
}

/* EDT-01: stored without effect; only the enable bits record an event. */
static void set_early_depth(struct gen *gen)
{
    gen_set_drawn(gen, PICA_REG_EARLYDEPTH_FUNC, PICA_REG_EARLYDEPTH_FUNC);
    gen_set_drawn(gen, PICA_REG_EARLYDEPTH_DATA, PICA_REG_EARLYDEPTH_DATA);
    gen_set(gen, PICA_REG_EARLYDEPTH_TEST1, gen_wild(gen, 20) ? 1 : 0);
    gen_set(gen, PICA_REG_EARLYDEPTH_TEST2, gen_wild(gen, 20) ? 1 : 0);
}

/* Twice the area of the first three vertices on the screen (CUL-01), without the size of the viewport. */
static float first_area(const struct gen_draw *draw)
{
    uint32_t position = 0;
    while (position + 1u < draw->attribute_count && draw->attributes[position].role != GEN_POSITION)
        position++;
    float x[3];
    float y[3];
    for (uint32_t i = 0; i < 3; i++) {
        const float *const value = draw->values[i][position];
        x[i] = value[0] / value[3];
        y[i] = value[1] / value[3];
    }
    return (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
}

/* Mostly the side that the first triangle does not show is removed. */
void gen_culling(struct gen *gen)
{
    uint32_t mode = gen_percent(gen, 80) ? PICA_CULL_MODE_NONE : PICA_CULL_MODE_NONE_3;
    if (gen_has(gen, GEN_CULL) && gen_percent(gen, 70)) {
        const bool front = gen->draw.rows >= 3 && first_area(&gen->draw) > 0.0f;
        mode = front != gen_percent(gen, 6) ? PICA_CULL_MODE_BACK : PICA_CULL_MODE_FRONT;
    }
    gen_set(gen, PICA_REG_FACECULLING_CONFIG, mode);
}

void gen_raster(struct gen *gen)
{
    set_scissor(gen);
    set_depth_map(gen);
    set_clip_plane(gen);
    if (gen_percent(gen, 20))
        set_early_depth(gen);
    if (gen_percent(gen, 20)) { /* REG-44: no effect */
        gen_set_drawn(gen, PICA_REG_SH_OUTATTR_MODE, PICA_REG_SH_OUTATTR_MODE);
        gen_set_drawn(gen, PICA_REG_SH_OUTATTR_CLOCK, PICA_REG_SH_OUTATTR_CLOCK);
        gen_set(gen, PICA_REG_POST_VERTEX_CACHE_NUM, gen_below(gen, 256));
    }
}
