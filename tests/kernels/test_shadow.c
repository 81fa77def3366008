/* kernels/shadow.h: fragment mode 3 with any constants. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    (void)random;
    r[PICA_REG_COLOR_OPERATION] |= 3u;
}

Test(shadow, SHW_02_every_instruction_set_stores_the_same_words)
{
    static const struct stage_rounds stage = {
        .kernel = "shadow.h",
        .registers = { { PICA_REG_FRAGOP_SHADOW, PICA_REG_FRAGOP_SHADOW } },
        .adjust = adjust,
        .quick_least = 0,
    };
    expect_stage_alike(&stage);
}
