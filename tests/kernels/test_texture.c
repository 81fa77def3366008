/* kernels/texture.c and texture_quick.c: units of every kind, wrap mode, filter and level. */
#include "tests/kernels/block_rounds.h"
#include "tests/kernels/random_state.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

/* Sizes that are powers of two, edges or repetition, no mipmaps: often such as the quick way takes. */
static void common_2d_unit(uint32_t *dimensions, struct harness_random *random)
{
    dimensions[0] = random_dimensions(random);
    dimensions[1] = (dimensions[1] & 0x00002200u) | (harness_random_percent(random, 50) ? 6u : 0u);
}

static void adjust(uint32_t *r, struct harness_random *random)
{
    const uint32_t unit = harness_random_below(random, 3);
    show_source(r, PICA_TEV_SOURCE_TEXTURE0 + unit);
    if (harness_random_percent(random, 60))
        common_2d_unit(&r[pica_reg_texunit(unit, PICA_REG_TEXUNIT0_DIM)], random);
    if (harness_random_percent(random, 60))
        r[PICA_REG_TEXUNIT0_LOD] = r[PICA_REG_TEXUNIT1_LOD] = r[PICA_REG_TEXUNIT2_LOD] = 0;
    r[PICA_REG_TEXUNIT0_TYPE] = r[PICA_REG_TEXUNIT1_TYPE] = r[PICA_REG_TEXUNIT2_TYPE] = PICA_TEXTURE_FORMAT_RGBA8;
    r[PICA_REG_TEXUNIT_CONFIG] |= 7u;
}

Test(texture, MIP_12_every_instruction_set_samples_the_same_colours)
{
    static const struct stage_rounds stage = {
        .kernel = "texture.c, texture_quick.c",
        .registers = { { PICA_REG_TEXUNIT_CONFIG, 0x0BF } },
        .adjust = adjust,
        .quick_least = 20,
    };
    expect_stage_alike(&stage);
}
