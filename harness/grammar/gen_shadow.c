/* Shadow mode, fragment mode 3. */
#include "harness/grammar/gen_parts.h"

/* COLOR_OPERATION `word` with the default fragment mode or shadow mode chosen. */
uint32_t gen_shadow(struct gen *gen, uint32_t word)
{
    const bool shadow = gen_has(gen, GEN_SHADOW_MODE) && gen_percent(gen, 60);
    return pica_color_operation_set_fragment_mode(word,
                                                  shadow ? PICA_FRAGMENT_MODE_SHADOW : PICA_FRAGMENT_MODE_DEFAULT);
}
