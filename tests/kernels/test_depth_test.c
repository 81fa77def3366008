/* kernels/depth_test.h: every function, format and access, on the general way and on each quick one. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    r[PICA_REG_DEPTH_COLOR_MASK] = 0xF00u | harness_random_below(random, 2) << 12;
    r[PICA_REG_DEPTH_COLOR_MASK] |= harness_random_below(random, 8) << 4;
    r[PICA_REG_DEPTH_COLOR_MASK] |= harness_random_percent(random, 80) ? 1u : 0u;
    r[PICA_REG_DEPTHMAP_ENABLE] = harness_random_percent(random, 80);
    if (harness_random_percent(random, 60))
        r[PICA_REG_DEPTHBUFFER_FORMAT] = PICA_DEPTH_FORMAT_D24S8;
    if (harness_random_percent(random, 70))
        r[PICA_REG_DEPTHBUFFER_READ] = r[PICA_REG_DEPTHBUFFER_WRITE] = 3;
}

Test(depth_test, DPT_02_every_instruction_set_passes_and_stores_the_same_depths)
{
    static const struct stage_rounds stage = {
        .kernel = "depth_test.h",
        .registers = { { PICA_REG_DEPTHBUFFER_READ, PICA_REG_DEPTHBUFFER_FORMAT } },
        .adjust = adjust,
        .quick_least = 40,
    };
    expect_stage_alike(&stage);
}
