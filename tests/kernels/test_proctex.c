/* kernels/proctex.c: every function, clamp, shift and noise. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    show_source(r, PICA_TEV_SOURCE_TEXTURE3);
    r[PICA_REG_TEXUNIT_CONFIG] |= 0x400u | harness_random_below(random, 3) << 8;
}

Test(proctex, PTX_13_every_instruction_set_samples_the_same_colours)
{
    static const struct stage_rounds stage = {
        .kernel = "proctex.c",
        .registers = { { PICA_REG_TEXUNIT_CONFIG, PICA_REG_TEXUNIT_CONFIG }, { 0x0A8, 0x0AE } },
        .adjust = adjust,
        .quick_least = 0,
    };
    expect_stage_alike(&stage);
}
