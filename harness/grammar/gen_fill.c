/* Memory fills of the target. */
#include "harness/grammar/gen_parts.h"

static uint32_t fill_ctrl(uint32_t width)
{
    return pica_fill_ctrl_set_width(pica_fill_ctrl_set_start(0, 1), width);
}

void gen_fill(struct gen *gen)
{
    const bool depth = gen_percent(gen, 40);
    const uint32_t address = depth ? gen->target.depth_address : gen->target.color_address;
    const uint32_t bytes = depth ? gen->target.depth_bytes : gen->target.color_bytes;
    uint32_t size = gen_percent(gen, 60) ? bytes : 16u * gen_between(gen, 1, bytes / 16u);
    const uint32_t start = gen_percent(gen, 60) ? 0 : 16u * gen_below(gen, (bytes - size) / 16u + 1u);
    uint32_t width = gen_below(gen, 4);
    if (!gen_wild(gen, 30) && size % 3u != 0 && (width & 1u) != 0)
        width = PICA_FILL_WIDTH_32; /* PSC-07 */
    if (gen_wild(gen, 5))
        size = 0;
    const uint32_t words[4] = { (address + start) >> 3, (address + start + size) >> 3,
                                gen_percent(gen, 30) ? gen_below(gen, 256) * 0x01010101u : gen_below(gen, UINT32_MAX),
                                fill_ctrl(width) };
    (void)harness_case_add_fill(gen->out, gen_below(gen, 2), words);
}
