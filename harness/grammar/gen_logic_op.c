/* Logic operations, which take the place of blending. */
#include "harness/grammar/gen_parts.h"

/* COLOR_OPERATION `word` with blending or the logic operation chosen. */
uint32_t gen_logic_op(struct gen *gen, uint32_t word)
{
    const bool logic = gen_has(gen, GEN_LOGIC) && gen_percent(gen, 70);
    return pica_color_operation_set_blend_mode(word, logic ? PICA_BLEND_MODE_LOGIC_OP : PICA_BLEND_MODE_BLEND);
}
