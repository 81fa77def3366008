/* kernels/alpha_test.h: every function and reference value. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    r[PICA_REG_FRAGOP_ALPHA_TEST] |= harness_random_percent(random, 80) ? 1u : 0u;
}

Test(alpha_test, ATS_01_every_instruction_set_passes_the_same_fragments)
{
    static const struct stage_rounds stage = {
        .kernel = "alpha_test.h",
        .registers = { { PICA_REG_FRAGOP_ALPHA_TEST, PICA_REG_FRAGOP_ALPHA_TEST } },
        .adjust = adjust,
        .quick_least = 0,
    };
    expect_stage_alike(&stage);
}
