/* kernels/raster.h: narrow and wide triangles, cut by boxes, in single blocks, small triangles and spans of tiles. */
#include "tests/kernels/block_rounds.h"

#include "pica/enums.h"
#include "pica/regs.h"

#include <criterion/criterion.h>

Test(raster, RST_04_every_instruction_set_covers_the_same_pixels)
{
    static const struct stage_rounds stage = {
        .kernel = "raster.h",
        .registers = { { 0 } },
        .quick_least = 100,
    };
    expect_stage_alike(&stage);
}
