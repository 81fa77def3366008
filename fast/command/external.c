/* The external registers: what a CPU write stores and starts, what a read gives (70, sections 0 and 4; PSC-12). */
#include "fast/command/engine.h"
#include "fast/gpu.h"
#include "fast/pipeline.h"
#include "pica/extregs.h"

static uint32_t *external_word(struct fast_gpu *gpu, uint32_t offset)
{
    return &gpu->external[offset / 4u];
}

/* PSC-03, PSC-04. */
static void write_fill_ctrl(struct fast_gpu *gpu, uint32_t unit, uint32_t offset, uint32_t value)
{
    uint32_t *word = external_word(gpu, offset);
    const uint32_t stored = value & pica_extreg_info(offset)->stored;
    if (pica_fill_ctrl_start(value) != 0u) {
        *word = stored;
        fast_memory_fill(gpu, unit);
        *word = pica_fill_ctrl_set_finished(stored, 1u);
        return;
    }
    *word = pica_fill_ctrl_set_finished(stored, pica_fill_ctrl_finished(*word) & pica_fill_ctrl_finished(value));
}

/* PPF-02, PPF-20. */
static void write_transfer_start(struct fast_gpu *gpu, uint32_t value)
{
    uint32_t *word = external_word(gpu, PICA_EXTREG_XFER_START);
    if (pica_xfer_start_start(value) != 0u) {
        fast_transfer(gpu);
        *word = pica_xfer_start_set_finished(0u, 1u);
        return;
    }
    *word = pica_xfer_start_set_finished(0u, pica_xfer_start_finished(*word) & pica_xfer_start_finished(value));
}

/* PSC-01: only the stored bits; words that the table does not name keep all. */
static void store(struct fast_gpu *gpu, uint32_t offset, uint32_t value)
{
    const struct pica_extreg_info *info = pica_extreg_info(offset);
    *external_word(gpu, offset) = info != NULL ? value & info->stored : value;
}

/* PSC-02, PPF-01: the event belongs to the write, not to the start. */
static void store_address(struct fast_gpu *gpu, uint32_t offset, uint32_t value)
{
    if (pica_fill_address_unaligned(value) != 0u)
        fast_event(gpu, PICA_EVENT_ENGINE_ADDRESS_LOW_BITS);
    store(gpu, offset, value);
}

/* PSC-01, PSC-11, PSC-12; PPF-19: the position of the interrupt has no effect. */
static void write_engine(struct fast_gpu *gpu, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case PICA_EXTREG_STATUS: /* read only */ break;
    case PICA_EXTREG_FILL0_START:
    case PICA_EXTREG_FILL0_END:
    case PICA_EXTREG_FILL1_START:
    case PICA_EXTREG_FILL1_END:
    case PICA_EXTREG_XFER_IN:
    case PICA_EXTREG_XFER_OUT: store_address(gpu, offset, value); break;
    case PICA_EXTREG_FILL0_CTRL: write_fill_ctrl(gpu, 0, offset, value); break;
    case PICA_EXTREG_FILL1_CTRL: write_fill_ctrl(gpu, 1, offset, value); break;
    case PICA_EXTREG_XFER_START: write_transfer_start(gpu, value); break;
    default: store(gpu, offset, value); break;
    }
}

/* PDC-07: all bits of the two LCD words are stored. Addresses that belong to no register are ignored (PSC-12). */
void fast_external_write(struct fast_gpu *gpu, uint32_t address, uint32_t value)
{
    const uint32_t aligned = address & ~3u;
    const uint32_t offset = aligned - PICA_EXTERNAL_ADDRESS;
    if (offset < 4u * PICA_EXTERNAL_WORDS)
        write_engine(gpu, offset, value);
    else if (aligned == PICA_LCD_FILL_TOP_ADDRESS)
        gpu->lcd_fill[0] = value;
    else if (aligned == PICA_LCD_FILL_BOTTOM_ADDRESS)
        gpu->lcd_fill[1] = value;
}

/* EXT-CMD-07: computed. */
uint32_t fast_external_status(const struct fast_gpu *gpu)
{
    const uint32_t fill0 = gpu->external[PICA_EXTREG_FILL0_CTRL / 4];
    const uint32_t fill1 = gpu->external[PICA_EXTREG_FILL1_CTRL / 4];
    const uint32_t transfer = gpu->external[PICA_EXTREG_XFER_START / 4];
    uint32_t word = pica_external_status_set_psc0_finished(0u, pica_fill_ctrl_finished(fill0));
    word = pica_external_status_set_psc1_finished(word, pica_fill_ctrl_finished(fill1));
    word = pica_external_status_set_ppf_finished(word, pica_xfer_start_finished(transfer));
    return pica_external_status_set_p3d(word, fast_interrupt_pending(gpu) ? 1u : 0u);
}
