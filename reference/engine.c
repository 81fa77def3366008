/*
 * The registers of the engines beside the 3D core: two memory fill units (fill.c), and the transfer engine, which
 * transfers pictures (transfer.c) or copies bytes (copy.c).
 *
 * The CPU drives them by 32-bit writes to the external registers at 0x10400000; a write that starts an engine does all
 * of its work at once, sets the finished bit and raises the engine's interrupt. Registers do not store all bits;
 * addresses are multiples of 16, sizes multiples of 8 pixels. The registers of the screens are stored here, too, and
 * read by display.c.
 *
 * Worked number: 0x01000001 written to an address register has the event of bit 0 and means 0x01000000 * 8 =
 * 0x08000000, which is outside of memory.
 */
#include "reference/engine.h"

#include "pica/extregs.h"
#include "reference/gpu.h"
#include "reference/pipeline.h"

/* PSC-01: bits that do not keep a written value; none where the table names nothing. */
static const uint32_t lost_bits[PICA_EXTERNAL_WORDS] = {
#define EXTREG(offset, NAME, layout, reset, stored, rule) [(offset) / 4] = ~(uint32_t)(stored),
#include "pica/extregs.def"
};

/* PSC-02, PPF-01, PPF-04, PDC-02: whether a side keeps all bits of this register. */
static bool keeps_all(const struct ref_gpu *gpu, uint32_t offset)
{
    switch (offset) {
    case PICA_EXTREG_FILL0_START:
    case PICA_EXTREG_FILL0_END:
    case PICA_EXTREG_FILL1_START:
    case PICA_EXTREG_FILL1_END: return ref_takes(gpu, PICA_SIDE_FILL_ADDRESS_UNITS_8);
    case PICA_EXTREG_XFER_IN:
    case PICA_EXTREG_XFER_OUT: return ref_takes(gpu, PICA_SIDE_TRANSFER_ADDRESS_UNITS_8);
    case PICA_EXTREG_XFER_DIM: return ref_takes(gpu, PICA_SIDE_TRANSFER_SIZE_ALL_BITS);
    case PICA_EXTREG_XFER_INDIM:
        return ref_takes(gpu, PICA_SIDE_TRANSFER_SIZE_ALL_BITS) || ref_takes(gpu, PICA_SIDE_INPUT_HEIGHT_REFUSED);
    case PICA_EXTREG_PDC0_STRIDE:
    case PICA_EXTREG_PDC1_STRIDE: return ref_takes(gpu, PICA_SIDE_DISPLAY_STRIDE_BYTES);
    }
    return false;
}

/* PSC-01, PDC-02: bits that other sides keep beside those of the table. */
static uint32_t added_bits(const struct ref_gpu *gpu, uint32_t offset)
{
    const bool is_stride = offset == PICA_EXTREG_PDC0_STRIDE || offset == PICA_EXTREG_PDC1_STRIDE;
    if (keeps_all(gpu, offset) || (ref_takes(gpu, PICA_SIDE_ENGINE_REGISTERS_KEPT) && offset != PICA_EXTREG_STATUS))
        return UINT32_MAX;
    return is_stride && ref_takes(gpu, PICA_SIDE_DISPLAY_STRIDE_UNITS_8) ? 8u : 0;
}

/* PSC-01: the bits of a register that keep a written value; those of the status are not among them. */
static uint32_t stored_bits(const struct ref_gpu *gpu, uint32_t offset)
{
    const uint32_t bits = ~lost_bits[offset / 4u] | added_bits(gpu, offset);
    switch (offset) {
    case PICA_EXTREG_FILL0_CTRL:
    case PICA_EXTREG_FILL1_CTRL: return pica_fill_ctrl_set_finished(pica_fill_ctrl_set_start(bits, 0), 0);
    case PICA_EXTREG_XFER_START: return pica_xfer_start_set_finished(pica_xfer_start_set_start(bits, 0), 0);
    }
    return bits;
}

/* PSC-03, PPF-02: the bits that read back: status bits are added, the start bit always reads 0. */
static uint32_t readable_bits(const struct ref_gpu *gpu, uint32_t offset)
{
    switch (offset) {
    case PICA_EXTREG_FILL0_CTRL:
    case PICA_EXTREG_FILL1_CTRL: return pica_fill_ctrl_set_finished(stored_bits(gpu, offset), 1);
    case PICA_EXTREG_XFER_START: return pica_xfer_start_set_finished(stored_bits(gpu, offset), 1);
    }
    return stored_bits(gpu, offset);
}

void ref_clear_lost_bits(struct ref_gpu *gpu)
{
    for (uint32_t i = 0; i < PICA_EXTERNAL_WORDS; i++)
        gpu->external[i] &= readable_bits(gpu, 4u * i);
}

uint32_t ref_external_word(const struct ref_gpu *gpu, uint32_t offset)
{
    return gpu->external[offset / 4u];
}

/* PSC-02, PPF-01: an address is 28 bits, in units of 16 bytes; bits 0 and 29-31 of the register do not exist. On the
 * other side all bits count, in units of 8 bytes. */
uint32_t ref_engine_address(const struct ref_gpu *gpu, uint32_t offset)
{
    const uint32_t word = ref_external_word(gpu, offset);
    const enum pica_side other =
        offset < PICA_EXTREG_XFER_IN ? PICA_SIDE_FILL_ADDRESS_UNITS_8 : PICA_SIDE_TRANSFER_ADDRESS_UNITS_8;
    return ref_takes(gpu, other) ? word << 3 : pica_fill_address_address(word) << 4;
}

/* EXT-CMD-07: whether some line requests the interrupt. */
static bool p3d_is_requested(const struct ref_gpu *gpu)
{
    for (uint32_t word = 0; word < 16; word++)
        if (ref_request_matches(gpu, word))
            return true;
    return false;
}

/* EXT-CMD-07: mirrors the finished bits; busy bits instead are 0, because nothing runs while the CPU looks. */
static uint32_t status_word(const struct ref_gpu *gpu)
{
    uint32_t status = pica_external_status_set_ppf_finished(
        0, pica_xfer_start_finished(ref_external_word(gpu, PICA_EXTREG_XFER_START)));
    if (ref_takes(gpu, PICA_SIDE_STATUS_BITS_BUSY))
        return status;
    status = pica_external_status_set_psc0_finished(
        status, pica_fill_ctrl_finished(ref_external_word(gpu, PICA_EXTREG_FILL0_CTRL)));
    status = pica_external_status_set_psc1_finished(
        status, pica_fill_ctrl_finished(ref_external_word(gpu, PICA_EXTREG_FILL1_CTRL)));
    return pica_external_status_set_p3d(status, p3d_is_requested(gpu));
}

/* ----------------------------------------------------------------------------------------------------- byte ranges */

static bool ranges_meet(const struct ref_byte_range *a, const struct ref_byte_range *b)
{
    return a->any && b->any && a->lowest <= b->highest && b->lowest <= a->highest;
}

void ref_byte_range_events(struct ref_gpu *gpu, const struct ref_byte_range *read, const struct ref_byte_range *written)
{
    ref_event_if(gpu, read->is_outside || written->is_outside, PICA_EVENT_MEM_OOB);
    ref_event_if(gpu, ranges_meet(read, written), PICA_EVENT_XFER_OVERLAP);
}

void ref_note_bytes(const struct ref_gpu *gpu, struct ref_byte_range *range, uint32_t address, uint32_t size)
{
    const uint32_t last = address + size - 1u;
    const uint32_t lowest = last < address ? 0u : address;
    const uint32_t highest = last < address ? UINT32_MAX : last;
    range->lowest = range->any && range->lowest < lowest ? range->lowest : lowest;
    range->highest = range->any && range->highest > highest ? range->highest : highest;
    range->is_outside = range->is_outside || !ref_range_in_memory(gpu, address, size);
    range->any = true;
}

/* ---------------------------------------------------------------------------------------------------- CPU accesses */

/* PSC-10: on the other side a fill that starts at address 0 raises no interrupt. */
static bool raises_interrupt(const struct ref_gpu *gpu, uint32_t unit)
{
    const uint32_t start = ref_engine_address(gpu, pica_extreg_fill(unit, PICA_EXTREG_FILL0_START));
    return start != 0 || ref_takes(gpu, PICA_SIDE_FILL_INTERRUPT_RAISED);
}

/* PSC-03, PSC-04, PSC-10, EXT-CMD-12: a write to FILLn.CTRL. The units are independent (PSC-11). */
static void write_fill_ctrl(struct ref_gpu *gpu, uint32_t unit, uint32_t value)
{
    const uint32_t offset = pica_extreg_fill(unit, PICA_EXTREG_FILL0_CTRL);
    const uint32_t kept = value & stored_bits(gpu, offset);
    uint32_t finished = pica_fill_ctrl_finished(ref_external_word(gpu, offset)) & pica_fill_ctrl_finished(value);
    if (pica_fill_ctrl_start(value)) {
        ref_run_fill(gpu, unit, pica_fill_ctrl_width(value));
        if (raises_interrupt(gpu, unit))
            ref_interrupt(gpu, unit);
        finished = 1;
    }
    gpu->external[offset / 4u] = pica_fill_ctrl_set_finished(kept, finished);
}

/* PPF-02, PPF-19, PPF-20, TXC-09: a write to XFER.START. IRQPOS is not modelled. */
static void write_transfer_start(struct ref_gpu *gpu, uint32_t value)
{
    uint32_t finished =
        pica_xfer_start_finished(ref_external_word(gpu, PICA_EXTREG_XFER_START)) & pica_xfer_start_finished(value);
    if (pica_xfer_start_start(value)) {
        if (pica_xfer_flags_copy(ref_external_word(gpu, PICA_EXTREG_XFER_FLAGS)))
            ref_run_copy(gpu);
        else
            ref_run_transfer(gpu);
        ref_interrupt(gpu, 4);
        if (ref_takes(gpu, PICA_SIDE_TRANSFER_FINISHED_SET))
            finished = 1;
    }
    const uint32_t kept = value & stored_bits(gpu, PICA_EXTREG_XFER_START);
    gpu->external[PICA_EXTREG_XFER_START / 4u] = pica_xfer_start_set_finished(kept, finished);
}

/* PSC-01: a register that only stores; PSC-02, PPF-01: bit 0 of an address is an event at once. */
static void store_external(struct ref_gpu *gpu, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case PICA_EXTREG_FILL0_START:
    case PICA_EXTREG_FILL0_END:
    case PICA_EXTREG_FILL1_START:
    case PICA_EXTREG_FILL1_END:
    case PICA_EXTREG_XFER_IN:
    case PICA_EXTREG_XFER_OUT:
        ref_event_if(gpu, pica_fill_address_unaligned(value), PICA_EVENT_ENGINE_ADDRESS_LOW_BITS);
    }
    gpu->external[offset / 4u] = value & stored_bits(gpu, offset);
}

static void write_external_offset(struct ref_gpu *gpu, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case PICA_EXTREG_FILL0_CTRL: write_fill_ctrl(gpu, 0, value); return;
    case PICA_EXTREG_FILL1_CTRL: write_fill_ctrl(gpu, 1, value); return;
    case PICA_EXTREG_XFER_START: write_transfer_start(gpu, value); return;
    case PICA_EXTREG_STATUS: return; /* PSC-12 */
    }
    store_external(gpu, offset, value);
}

/* PSC-12: every address is allowed: bits 0-1 are ignored, and where there is no register nothing happens. */
void ref_external_write(struct ref_gpu *gpu, uint32_t address, uint32_t value)
{
    const uint32_t aligned = address - address % 4u;
    if (aligned - PICA_EXTERNAL_ADDRESS < 4u * PICA_EXTERNAL_WORDS)
        write_external_offset(gpu, aligned - PICA_EXTERNAL_ADDRESS, value);
    else if (aligned == PICA_LCD_FILL_TOP_ADDRESS)
        gpu->lcd_fill[0] = value;
    else if (aligned == PICA_LCD_FILL_BOTTOM_ADDRESS)
        gpu->lcd_fill[1] = value;
}

/* PSC-13. */
uint32_t ref_external_read(const struct ref_gpu *gpu, uint32_t offset)
{
    return offset == PICA_EXTREG_STATUS ? status_word(gpu) : ref_external_word(gpu, offset);
}
