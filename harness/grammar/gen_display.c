/* The LCD controllers' registers, and vertical blanks. */
#include "harness/grammar/gen_parts.h"
#include "pica/extregs.h"

void gen_display_write(struct gen *gen)
{
    size_t count;
    const struct pica_extreg_info *const infos = pica_lcdregs(&count);
    const struct pica_extreg_info *const info = &infos[gen_below(gen, (uint32_t)count)];
    (void)harness_case_add_write(gen->out, info->address, harness_layout_draw(&gen->random, info->layout, false));
}

void gen_display_blank(struct gen *gen)
{
    (void)harness_case_add_vblank(gen->out, gen_below(gen, 2));
}
