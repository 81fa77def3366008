/* kernels/scissor.h: mode 1; the boxes of mode 3 are those of triangles (test_raster.c). */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    r[PICA_REG_SCISSORTEST_MODE] = harness_random_percent(random, 80) ? 1 : 0;
    const uint32_t left = harness_random_below(random, 60), bottom = harness_random_below(random, 60);
    const uint32_t right = harness_random_between(random, left, 63), top = harness_random_between(random, bottom, 63);
    r[PICA_REG_SCISSORTEST_POS] = left | bottom << 16;
    r[PICA_REG_SCISSORTEST_DIM] = right | top << 16;
}

Test(scissor, SCS_01_every_instruction_set_leaves_out_the_same_box)
{
    static const struct stage_rounds stage = {
        .kernel = "scissor.h",
        .registers = { { 0 } },
        .adjust = adjust,
        .quick_least = 0,
    };
    expect_stage_alike(&stage);
}
