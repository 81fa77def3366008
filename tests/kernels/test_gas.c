/* kernels/gas.h: fragment mode 1; with and without reading what is stored. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    r[PICA_REG_COLOR_OPERATION] |= 1u;
    r[PICA_REG_COLORBUFFER_READ] = harness_random_percent(random, 80) ? 15 : 0;
}

Test(gas, GAS_01_every_instruction_set_stores_the_same_words)
{
    static const struct stage_rounds stage = {
        .kernel = "gas.h",
        .registers = { { 0 } },
        .adjust = adjust,
        .quick_least = 0,
    };
    expect_stage_alike(&stage);
}
