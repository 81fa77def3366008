/* The order in which the stages of the rasteriser are configured. */
#include "harness/grammar/gen_parts.h"

void gen_raster(struct gen *gen)
{
    gen_scissor(gen);
    gen_interpolation(gen);
    gen_clip(gen);
    if (gen_percent(gen, 20))
        gen_early_depth_test(gen);
    if (gen_percent(gen, 20)) { /* REG-44: no effect */
        gen_set_drawn(gen, PICA_REG_SH_OUTATTR_MODE, PICA_REG_SH_OUTATTR_MODE);
        gen_set_drawn(gen, PICA_REG_SH_OUTATTR_CLOCK, PICA_REG_SH_OUTATTR_CLOCK);
        gen_set(gen, PICA_REG_POST_VERTEX_CACHE_NUM, gen_below(gen, 256));
    }
}
