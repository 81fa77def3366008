/*
 * Speed tricks, and why they change nothing (shortcuts.h).
 *
 * Programs leave the last combiner stages, which they do not need, at "replace by the previous colour". The trick here
 * ends a fragment before them.
 */
#include "reference/shortcuts.h"

#include "reference/gpu.h"
#include "reference/shading.h"

bool ref_is_needed(const struct ref_gpu *gpu, bool is_used)
{
    return is_used || !gpu->shortcuts;
}

/*
 * The stage replaces, takes "previous" as it is and does not scale: TEV-09 gives result = operand = previous colour,
 * TEV-13 leaves it alone. In stage 0 "previous" means something else (TEV-06).
 */
static bool passes_through(uint32_t s, const struct ref_stage *stage)
{
    bool takes_previous = true;
    for (uint32_t c = 0; c < 4; c++) {
        const struct ref_operand *operand = &stage->operands[0][c];
        takes_previous = takes_previous && operand->place == 4u * PICA_TEV_SOURCE_PREVIOUS + c && operand->flips == 0;
    }
    return s > 0 && takes_previous && stage->rgb_mode == PICA_TEV_MODE_REPLACE &&
           stage->alpha_mode == PICA_TEV_MODE_REPLACE && stage->rgb_scale == 1 && stage->alpha_scale == 1;
}

uint32_t ref_stages_needed(const struct ref_gpu *gpu, const struct ref_combiner *combiner)
{
    uint32_t stages = 6;
    while (gpu->shortcuts && passes_through(stages - 1u, &combiner->stages[stages - 1u]))
        stages--;
    return stages;
}
