/* The viewport. */
#include "harness/grammar/gen_parts.h"

static uint32_t halved24(uint32_t size)
{
    return gen_float24((float)size * 0.5f);
}

/* VPT-03: a viewport so large that corners reach the limits of screen coordinates and beyond. The target is a small
 * part of it, near its first corner; gen_screen_position aims there. */
static void set_huge(struct gen *gen)
{
    int32_t origins[2];
    for (uint32_t c = 0; c < 2; c++) {
        const uint32_t half = gen_percent(gen, 80) ? 0x800u << gen_below(gen, 5) : gen_between(gen, 0x800, 0x8000);
        origins[c] = gen_percent(gen, 50) ? 0 : -(int32_t)(1u << gen_below(gen, 10));
        gen->screen_half[c] = (float)half;
        gen->screen_origin[c] = (float)origins[c];
    }
    gen_set(gen, PICA_REG_VIEWPORT_WIDTH, gen_float24(gen->screen_half[0]));
    gen_set(gen, PICA_REG_VIEWPORT_HEIGHT, gen_float24(gen->screen_half[1]));
    gen_set(gen, PICA_REG_VIEWPORT_XY,
            pica_viewport_xy_set_y(pica_viewport_xy_set_x(0, (uint32_t)origins[0]), (uint32_t)origins[1]));
}

/* On the target, in pixels: on the grid of 1/16 pixel, between two of its points (VPT-03 rounds those), at centres and
 * edges. */
static float draw_near(struct gen *gen, uint32_t component)
{
    const uint32_t size = component == 0 ? gen->target.width : gen->target.height;
    switch (gen_below(gen, 5)) {
    case 0: return gen_float(gen, 0.0f, (float)size);
    case 1: return (float)gen_below(gen, size * 16u + 1u) / 16.0f;
    case 2: return ((float)gen_below(gen, size * 16u + 1u) + 0.5f) / 16.0f;
    case 3: {
        const float whole = (float)gen_below(gen, size + 1u);
        return whole + (gen_percent(gen, 50) ? 0.5f : 0.0f);
    }
    default: return gen->screen_origin[component]; /* the first corner of the viewport */
    }
}

/* At the limit of VPT-03, or at the last corner of the viewport, which may lie beyond. */
static float draw_far(struct gen *gen, uint32_t component)
{
    const float limit = 16384.0f;
    if (gen_percent(gen, 60))
        return limit + ((float)gen_below(gen, 33) - 16.0f) / 16.0f;
    return gen->screen_origin[component] + 2.0f * gen->screen_half[component];
}

/* Mostly a corner near the target, one far to the right, one far above, so that the triangle covers some of it. */
float gen_screen_position(struct gen *gen, uint32_t row, uint32_t component)
{
    const bool far = gen_percent(gen, 75) ? row % 3u == component + 1u : gen_percent(gen, 30);
    const float pixel = far ? draw_far(gen, component) : draw_near(gen, component);
    const float place = (pixel - gen->screen_origin[component]) / gen->screen_half[component] - 1.0f;
    return place < -1.0f ? -1.0f : place > 1.0f ? 1.0f : place;
}

/* The viewport covers the target, or a part of it. */
void gen_viewport(struct gen *gen)
{
    uint32_t width = gen->target.width;
    uint32_t height = gen->target.height;
    uint32_t x = 0;
    uint32_t y = 0;
    if (!gen_has(gen, GEN_CAPACITY) && gen_wild(gen, 5)) { /* RST-05: an event */
        set_huge(gen);
        return;
    }
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
    gen->screen_half[0] = gen->screen_half[1] = 0.0f;
    gen_set(gen, PICA_REG_VIEWPORT_WIDTH, halved24(width));
    gen_set(gen, PICA_REG_VIEWPORT_HEIGHT, halved24(height));
    gen_set(gen, PICA_REG_VIEWPORT_INVW,
            pica_viewport_inverse_set_inverse(0, harness_small_float(7, 23, 2.0f / (float)width)));
    gen_set(gen, PICA_REG_VIEWPORT_INVH,
            pica_viewport_inverse_set_inverse(0, harness_small_float(7, 23, 2.0f / (float)height)));
    gen_set(gen, PICA_REG_VIEWPORT_XY, pica_viewport_xy_set_y(pica_viewport_xy_set_x(0, x), y));
}
