/* kernels/framebuffer.h: every colour format with every mask; blending reads what is stored. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    r[PICA_REG_COLOR_OPERATION] |= harness_random_percent(random, 50) ? 0x100u : 0u;
    r[PICA_REG_BLEND_FUNC] = 0x76760000u; /* source alpha, one minus source alpha */
    r[PICA_REG_COLORBUFFER_FORMAT] = harness_random_below(random, 5) << 16 | 2u;
    r[PICA_REG_DEPTH_COLOR_MASK] = harness_random_percent(random, 50) ? 0xF00u : harness_random_below(random, 16) << 8;
}

Test(framebuffer, FBF_10_every_instruction_set_stores_the_same_pixels)
{
    static const struct stage_rounds stage = {
        .kernel = "framebuffer.h",
        .registers = { { 0 } },
        .adjust = adjust,
        .quick_least = 10,
    };
    expect_stage_alike(&stage);
}
