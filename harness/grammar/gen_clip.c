/* The clip plane of FRAGOP_CLIP. */
#include "harness/grammar/gen_parts.h"

void gen_clip(struct gen *gen)
{
    gen_set(gen, PICA_REG_FRAGOP_CLIP, gen_has(gen, GEN_CLIP_PLANE) && gen_percent(gen, 80) ? 1 : 0);
    if (!gen_has(gen, GEN_CLIP_PLANE))
        return;
    for (uint32_t c = 0; c < 3; c++)
        gen_set(gen, PICA_REG_FRAGOP_CLIP_DATA0 + c, gen_float24(gen_float(gen, -1.0f, 1.0f)));
    gen_set(gen, PICA_REG_FRAGOP_CLIP_DATA3, gen_float24(gen_float(gen, 0.0f, 1.0f)));
    if (gen_wild(gen, 10))
        gen_set_drawn(gen, PICA_REG_FRAGOP_CLIP_DATA0, PICA_REG_FRAGOP_CLIP_DATA3);
}
