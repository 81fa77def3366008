/* Culling, once the vertices are known. */
#include "harness/grammar/gen_parts.h"

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

/* Mostly culls the side that the first triangle does not show. */
void gen_cull(struct gen *gen)
{
    uint32_t mode = gen_percent(gen, 80) ? PICA_CULL_MODE_NONE : PICA_CULL_MODE_NONE_3;
    if (gen_has(gen, GEN_CULL) && gen_percent(gen, 70)) {
        const bool front = gen->draw.rows >= 3 && first_area(&gen->draw) > 0.0f;
        mode = front != gen_percent(gen, 6) ? PICA_CULL_MODE_BACK : PICA_CULL_MODE_FRONT;
    }
    gen_set(gen, PICA_REG_FACECULLING_CONFIG, mode);
}
