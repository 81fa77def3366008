/* kernels/combiner.c and combiner_quick.c: six stages of any modes on the colour of the vertices and constants. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    static const uint32_t sources[4] = { PICA_TEV_SOURCE_PRIMARY_COLOR, PICA_TEV_SOURCE_CONSTANT,
                                         PICA_TEV_SOURCE_PREVIOUS, PICA_TEV_SOURCE_PREVIOUS_BUFFER };
    r[PICA_REG_TEXENV_UPDATE_BUFFER] &= 0xFF00u;
    for (uint32_t stage = 0; stage < 6; stage++) {
        uint32_t *const env = &r[pica_reg_texenv(stage, PICA_REG_TEXENV0_SOURCE)];
        env[0] = 0;
        for (uint32_t i = 0; i < 6; i++)
            env[0] |= sources[harness_random_below(random, 4)] << (i / 3 * 16 + i % 3 * 4);
    }
}

Test(combiner, TEV_09_every_instruction_set_has_the_same_colours)
{
    static const struct stage_rounds stage = {
        .kernel = "combiner.c, combiner_quick.c",
        .registers = { { PICA_REG_TEXENV0_SOURCE, PICA_REG_TEXENV_BUFFER_COLOR } },
        .adjust = adjust,
        .quick_least = 60,
    };
    expect_stage_alike(&stage);
}
