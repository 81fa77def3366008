/*
 * Emulators (struct mock_weaknesses): caches agree with memory, and where a renderer keeps what it drew with the host,
 * VRAM exists twice: the backend holds what the GPU sees, `guest` what the processor and DMA see.
 */
#include "tests/console/parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    VRAM_PHYSICAL = 0x18000000,
    VRAM_BYTES = 0x00600000,
    HIDDEN_DEPTH = 0x18001000, /* one page */
    INTERRUPT_PPF = 4
};

static bool in_vram(uint32_t physical, uint32_t size)
{
    return physical >= VRAM_PHYSICAL && size <= VRAM_BYTES && physical - VRAM_PHYSICAL <= VRAM_BYTES - size;
}

bool mock_is_emulator(const struct mock *console)
{
    static const struct mock_weaknesses none;
    return memcmp(&console->setup->weak, &none, sizeof none) != 0;
}

bool mock_weak_open(struct mock *console)
{
    const struct mock_weaknesses *weak = &console->setup->weak;
    if (!weak->no_write_back && !weak->stale && !weak->hides_depth)
        return true;
    console->gsp.guest = malloc(VRAM_BYTES);
    return console->gsp.guest != NULL && mock_gpu_read_memory(console, VRAM_PHYSICAL, console->gsp.guest, VRAM_BYTES);
}

/* Of a range, what is not hidden from everybody. */
void mock_weak_written(struct mock *console, uint32_t physical, uint32_t size)
{
    if (console->gsp.guest != NULL && in_vram(physical, size))
        mock_gpu_read_memory(console, physical, console->gsp.guest + (physical - VRAM_PHYSICAL), size);
}

/* What is drawn comes back at once where depth alone is hidden. */
static void show_all_but_depth(struct mock *console)
{
    uint8_t hidden[MOCK_PAGE];
    uint8_t *page = console->gsp.guest + (HIDDEN_DEPTH - VRAM_PHYSICAL);
    memcpy(hidden, page, MOCK_PAGE);
    mock_weak_written(console, VRAM_PHYSICAL, VRAM_BYTES);
    memcpy(page, hidden, MOCK_PAGE);
}

bool mock_read_guest(struct mock *console, uint32_t physical, uint8_t *out, uint32_t size)
{
    if (console->gsp.guest == NULL || !in_vram(physical, size))
        return mock_gpu_read_memory(console, physical, out, size);
    if (console->setup->weak.hides_depth)
        show_all_but_depth(console);
    memcpy(out, console->gsp.guest + (physical - VRAM_PHYSICAL), size);
    return true;
}

/* Pages that the host keeps are left out, and the destination is what it was. */
static void copy_pages(struct mock *console, uint32_t from, uint32_t to, uint32_t size)
{
    uint8_t host[MOCK_PAGE], guest[MOCK_PAGE];
    for (uint32_t at = 0; at < size; at += MOCK_PAGE) {
        const uint32_t part = size - at < MOCK_PAGE ? size - at : MOCK_PAGE;
        if (mock_gpu_read_memory(console, from + at, host, part) && mock_read_guest(console, from + at, guest, part) &&
            memcmp(host, guest, part) == 0)
            mock_gpu_write_memory(console, to + at, host, part);
    }
}

bool mock_weak_transfer(struct mock *console, uint32_t from, uint32_t to, uint32_t size, bool is_copy)
{
    const struct mock_weaknesses *weak = &console->setup->weak;
    if (!in_vram(from, 8) || in_vram(to, 8))
        return false;
    if (is_copy ? weak->no_copies : weak->no_transfers) {
        mock_interrupt(console, INTERRUPT_PPF);
        return true;
    }
    if (console->gsp.guest == NULL)
        return false;
    if (weak->stale) {
        mock_weak_written(console, from, size);
        return false;
    }
    if (is_copy || weak->hides_depth)
        copy_pages(console, from, to, size);
    mock_interrupt(console, INTERRUPT_PPF);
    return true;
}

void mock_weak_reached(struct mock *console, uint32_t address, uint32_t size)
{
    if (mock_is_emulator(console) && (address < MOCK_VRAM || address >= MOCK_VRAM + VRAM_BYTES))
        mock_invalidate(console, address, size);
}
