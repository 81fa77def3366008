/* kernels/lighting.c, lighting_quick.c and lighting_d0.c: either result of any lights. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

static void adjust(uint32_t *r, struct harness_random *random)
{
    show_source(r, harness_random_percent(random, 50) ? PICA_TEV_SOURCE_FRAGMENT_PRIMARY
                                                      : PICA_TEV_SOURCE_FRAGMENT_SECONDARY);
    r[PICA_REG_LIGHTING_ENABLE0] = 1;
    r[PICA_REG_LIGHTING_ENABLE1] = 0;
    if (harness_random_percent(random, 70))
        r[PICA_REG_LIGHTING_CONFIG0] &= 0xCFFFFFFEu; /* no bump map, no shadow: what the quick way takes */
}

Test(lighting, LIT_35_every_instruction_set_has_the_same_colours)
{
    static const struct stage_rounds stage = {
        .kernel = "lighting.c, lighting_quick.c, lighting_d0.c",
        .registers = { { PICA_REG_LIGHT0_SPECULAR0, 0x1DF } },
        .adjust = adjust,
        .quick_least = 40,
    };
    expect_stage_alike(&stage);
}
