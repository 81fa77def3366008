/*
 * Speed tricks, and why they change nothing (shortcuts.h).
 *
 * Programs leave the combiner stages that they do not need at "replace by the previous colour", and neighbouring
 * fragments of flat or coarsely textured triangles have equal sources. The two tricks here leave out what that makes
 * unnecessary.
 */
#include "reference/shortcuts.h"

#include "reference/gpu.h"
#include "reference/shading.h"

#include <string.h>

/*
 * The stage replaces, takes "previous" as it is and does not scale: TEV-09 gives result = operand = previous colour,
 * TEV-13 leaves it alone. In stage 0 "previous" means something else (TEV-06).
 */
static bool passes_through(uint32_t s, const struct ref_stage *stage, const uint8_t previous[4])
{
    bool takes_previous = true;
    for (uint32_t c = 0; c < 4; c++) {
        const struct ref_operand *operand = &stage->operands[0][c];
        takes_previous = takes_previous && operand->channel == &previous[c] && !operand->is_one_minus;
    }
    return s > 0 && takes_previous && stage->rgb_mode == PICA_TEV_MODE_REPLACE &&
           stage->alpha_mode == PICA_TEV_MODE_REPLACE && stage->rgb_scale == 1 && stage->alpha_scale == 1;
}

uint32_t ref_unneeded_stages(const struct ref_gpu *gpu, const struct ref_combiner *combiner,
                             const struct ref_sources *sources)
{
    const uint8_t *const previous = sources->colors[PICA_TEV_SOURCE_PREVIOUS];
    uint32_t stages = 0;
    for (uint32_t s = 0; s < 6 && gpu->shortcuts; s++)
        stages |= (passes_through(s, &combiner->stages[s], previous) ? 1u : 0u) << s;
    return stages;
}
