/* How depth is interpolated. */
#include "harness/grammar/gen_parts.h"

/* Depth runs from 0 at the near plane to -1 (CLP-01); most programs turn that to 0..1. */
void gen_interpolation(struct gen *gen)
{
    static const float maps[][2] = {
        { -1.0f, 0.0f }, { 1.0f, 1.0f }, { -0.5f, 0.25f }, { -1.0f, 0.01f }, { 2.0f, 1.5f }
    };
    const uint32_t choice = gen_percent(gen, 60) ? 0 : gen_below(gen, sizeof maps / sizeof maps[0]);
    gen_set(gen, PICA_REG_DEPTHMAP_SCALE, gen_float24(maps[choice][0]));
    gen_set(gen, PICA_REG_DEPTHMAP_OFFSET, gen_float24(maps[choice][1]));
    gen_set(gen, PICA_REG_DEPTHMAP_ENABLE, gen_percent(gen, 75) ? 1 : 0);
    if (gen_percent(gen, 5))
        gen_set_drawn(gen, PICA_REG_DEPTHMAP_SCALE, PICA_REG_DEPTHMAP_OFFSET);
}
