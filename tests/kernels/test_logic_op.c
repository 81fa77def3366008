/* kernels/logic_op.h: all sixteen. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    r[PICA_REG_LOGIC_OP] = harness_random_below(random, 16);
}

Test(logic_op, LOP_01_every_instruction_set_has_the_same_results)
{
    static const struct stage_rounds stage = {
        .kernel = "logic_op.h",
        .registers = { { 0 } },
        .adjust = adjust,
        .quick_least = 0,
    };
    expect_stage_alike(&stage);
}
