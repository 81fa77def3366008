/* What the CPU does before, between and after the lists: fills, transfers, copies, blanks, writes of registers. */
#include "harness/grammar/gen_parts.h"
#include "pica/extregs.h"

/* External registers that start nothing. */
static void write_external(struct gen *gen)
{
    size_t count;
    const struct pica_extreg_info *const infos = pica_extregs(&count);
    const struct pica_extreg_info *const info = &infos[gen_below(gen, (uint32_t)count)];
    const bool starts = info->address == PICA_EXTREG_FILL0_CTRL || info->address == PICA_EXTREG_FILL1_CTRL ||
                        info->address == PICA_EXTREG_XFER_START;
    if (starts && gen->defined)
        return;
    uint32_t value = harness_layout_draw(&gen->random, info->layout, gen->defined);
    if (info->layout == PICA_LAYOUT_FILL_ADDRESS || info->layout == PICA_LAYOUT_XFER_ADDRESS)
        value &= gen_wild(gen, 30) ? UINT32_MAX : ~1u; /* PSC-02 */
    if (info->layout == PICA_LAYOUT_PDC_ADDRESS)
        value = gen->target.color_address;
    (void)harness_case_add_write(gen->out, PICA_EXTERNAL_ADDRESS + info->address, value);
}

static void write_interrupt(struct gen *gen)
{
    uint32_t id = gen_below(gen, 0x40);
    uint32_t value = harness_random_number(&gen->random, 32);
    if (gen->defined && (id == PICA_REG_FINALIZE || id == PICA_REG_IRQ_COMPARE0 || id == PICA_REG_IRQ_MASK_LOW ||
                         id == PICA_REG_IRQ_AUTOSTOP))
        value = id == PICA_REG_IRQ_MASK_LOW ? 0xFFFFFFF0u : id == PICA_REG_IRQ_AUTOSTOP ? 1u : 0x12345678u;
    (void)harness_case_add_write(gen->out, PICA_INTERNAL_ADDRESS + 4u * id, value);
}

/* PSC-12: every other address is ignored. */
static void write_nowhere(struct gen *gen)
{
    const uint32_t address = gen_below(gen, UINT32_MAX) & 0x0FFFFFFCu;
    (void)harness_case_add_write(gen->out, address, gen_below(gen, UINT32_MAX));
}

void gen_engine_operations(struct gen *gen, uint32_t count)
{
    static const uint32_t weights[] = { 30, 30, 20, 10, 15, 8, 5, 2 };
    for (uint32_t i = 0; i < count; i++)
        switch (harness_random_weighted(&gen->random, weights, gen->exportable ? 3 : 8)) {
        case 0: gen_fill(gen); break;
        case 1: gen_transfer(gen); break;
        case 2: gen_copy(gen); break;
        case 3: gen_display_blank(gen); break;
        case 4: write_external(gen); break;
        case 5: write_interrupt(gen); break;
        case 6: gen_display_write(gen); break;
        default: write_nowhere(gen); break;
        }
}
