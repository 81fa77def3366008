/* kernels/interpolation.h: colours and depths of any triangle, with z and w buffers; every depth is stored. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    r[PICA_REG_DEPTHMAP_ENABLE] = harness_random_percent(random, 70);
    r[PICA_REG_DEPTH_COLOR_MASK] = 0x1F00; /* the depth is written, without a test */
}

Test(interpolation, ITP_12_every_instruction_set_interpolates_the_same_numbers)
{
    static const struct stage_rounds stage = {
        .kernel = "interpolation.h",
        .registers = { { PICA_REG_DEPTHMAP_SCALE, PICA_REG_DEPTHMAP_OFFSET } },
        .adjust = adjust,
        .quick_least = 60,
    };
    expect_stage_alike(&stage);
}
