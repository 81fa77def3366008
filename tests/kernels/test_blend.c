/* kernels/blend.h: every factor and equation; sums are those of the quick way. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    r[PICA_REG_COLOR_OPERATION] |= 0x100u;
    if (harness_random_percent(random, 50))
        r[PICA_REG_BLEND_FUNC] &= 0xFFFFF8F8u; /* sums */
    if (harness_random_percent(random, 20))
        r[PICA_REG_BLEND_FUNC] = 0x76760000u; /* over */
}

Test(blend, BLD_02_every_instruction_set_blends_to_the_same_bytes)
{
    static const struct stage_rounds stage = {
        .kernel = "blend.h",
        .registers = { { PICA_REG_BLEND_FUNC, PICA_REG_BLEND_FUNC }, { PICA_REG_BLEND_COLOR, PICA_REG_BLEND_COLOR } },
        .adjust = adjust,
        .quick_least = 60,
    };
    expect_stage_alike(&stage);
}
