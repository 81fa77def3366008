/* The viewport. */
#include "harness/grammar/gen_parts.h"

static uint32_t halved24(uint32_t size)
{
    return gen_float24((float)size * 0.5f);
}

/* The viewport covers the target, or a part of it. */
void gen_viewport(struct gen *gen)
{
    uint32_t width = gen->target.width;
    uint32_t height = gen->target.height;
    uint32_t x = 0;
    uint32_t y = 0;
    if (gen_percent(gen, 25)) {
        width = gen_between(gen, (width + 1u) / 2u, width);
        height = gen_between(gen, (height + 1u) / 2u, height);
        x = gen_below(gen, gen->target.width - width + 1u);
        y = gen_below(gen, gen->target.height - height + 1u);
    }
    if (gen_wild(gen, 8)) {
        x = harness_random_number(&gen->random, 10);
        y = harness_random_number(&gen->random, 10);
    }
    gen_set(gen, PICA_REG_VIEWPORT_WIDTH, halved24(width));
    gen_set(gen, PICA_REG_VIEWPORT_HEIGHT, halved24(height));
    gen_set(gen, PICA_REG_VIEWPORT_INVW,
            pica_viewport_inverse_set_inverse(0, harness_small_float(7, 23, 2.0f / (float)width)));
    gen_set(gen, PICA_REG_VIEWPORT_INVH,
            pica_viewport_inverse_set_inverse(0, harness_small_float(7, 23, 2.0f / (float)height)));
    gen_set(gen, PICA_REG_VIEWPORT_XY, pica_viewport_xy_set_y(pica_viewport_xy_set_x(0, x), y));
}
