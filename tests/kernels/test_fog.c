/* kernels/fog.c: any table and colour, from either end of the depth. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    r[PICA_REG_TEXENV_UPDATE_BUFFER] = 5u | harness_random_below(random, 2) << 16;
    r[PICA_REG_DEPTHMAP_ENABLE] = harness_random_percent(random, 70);
}

Test(fog, FOG_05_every_instruction_set_mixes_the_same_bytes)
{
    static const struct stage_rounds stage = {
        .kernel = "fog.c",
        .registers = { { PICA_REG_FOG_COLOR, PICA_REG_FOG_COLOR } },
        .adjust = adjust,
        .quick_least = 0,
    };
    expect_stage_alike(&stage);
}
