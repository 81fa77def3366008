/* kernels/stencil_test.h: every function, operation and mask, with depth tests after it. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    (void)random;
    r[PICA_REG_STENCIL_TEST] |= 1u;
    r[PICA_REG_DEPTH_COLOR_MASK] |= 0xF00u;
}

Test(stencil_test, STC_04_every_instruction_set_stores_the_same_stencils)
{
    static const struct stage_rounds stage = {
        .kernel = "stencil_test.h",
        .registers = { { PICA_REG_STENCIL_TEST, PICA_REG_DEPTH_COLOR_MASK } },
        .adjust = adjust,
        .quick_least = 0,
    };
    expect_stage_alike(&stage);
}
