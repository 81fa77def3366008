/*
 * The windows of a case (MEM-01), and where their bytes are: an arena that is kept from case to case. Only pages that
 * were written are cleared again, and only blocks of the state that were used, so a case costs what it touches.
 *
 * Worked number: windows of 2 and 3 pages have the arena pages 0-1 and 2-4.
 */
#include "reference/gpu.h"

#include <stdlib.h>
#include <string.h>

enum pica_status ref_memory_create(struct ref_gpu *gpu, bool track_reads)
{
    gpu->written = calloc(REF_BITMAP_WORDS, sizeof *gpu->written);
    gpu->read = track_reads ? calloc(REF_BITMAP_WORDS, sizeof *gpu->read) : NULL;
    return gpu->written == NULL || (track_reads && gpu->read == NULL) ? PICA_NO_MEMORY : PICA_OK;
}

void ref_memory_destroy(struct ref_gpu *gpu)
{
    free(gpu->arena);
    free(gpu->written);
    free(gpu->read);
}

/* MEM-01: whether a window may be declared, not looking at the others. */
static bool window_fits(const struct pica_window *window)
{
    const uint32_t base = window->address >= PICA_FCRAM_ADDRESS ? PICA_FCRAM_ADDRESS : PICA_VRAM_ADDRESS;
    const uint32_t region = window->address >= PICA_FCRAM_ADDRESS ? PICA_FCRAM_SIZE : PICA_VRAM_SIZE;
    const uint32_t offset = window->address - base;
    if (window->address % PICA_PAGE_SIZE != 0 || window->size % PICA_PAGE_SIZE != 0 || window->size == 0)
        return false;
    return offset < region && window->size <= region - offset;
}

/* MEM-01: 1 to 16 windows that do not overlap. */
static bool windows_fit(const struct pica_window *windows, uint32_t count)
{
    if (count < 1 || count > PICA_MAX_WINDOWS || windows == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!window_fits(&windows[i]))
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (windows[i].address < windows[j].address + windows[j].size &&
                windows[j].address < windows[i].address + windows[i].size)
                return false;
    }
    return true;
}

/* Makes the previous case's pages 0 again and forgets its windows. */
static void forget_windows(struct ref_gpu *gpu)
{
    const size_t bitmap_bytes = ((size_t)gpu->arena_pages + 63u) / 64u * sizeof(uint64_t);
    for (uint32_t page = 0; page < gpu->arena_pages; page++) {
        if (gpu->written[page / 64u] == 0)
            page |= 63u; /* none of these 64 */
        else if (gpu->written[page / 64u] >> (page % 64u) & 1u)
            memset(gpu->arena + (size_t)page * PICA_PAGE_SIZE, 0, PICA_PAGE_SIZE);
    }
    memset(gpu->written, 0, bitmap_bytes);
    if (gpu->read != NULL)
        memset(gpu->read, 0, bitmap_bytes);
    for (uint32_t i = 0; i < gpu->window_count; i++) {
        const struct ref_window *window = &gpu->windows[i];
        memset(&gpu->pages[ref_page_number(window->address)], 0, window->size / PICA_PAGE_SIZE * sizeof gpu->pages[0]);
    }
    gpu->window_count = 0;
    gpu->arena_pages = 0;
}

/* Makes the arena at least `pages` pages large, all 0. The host allocates the memory of a page when it is touched. */
static enum pica_status reserve(struct ref_gpu *gpu, uint32_t pages)
{
    if (pages <= gpu->arena_capacity)
        return PICA_OK;
    free(gpu->arena);
    gpu->arena = calloc(pages, PICA_PAGE_SIZE);
    gpu->arena_capacity = gpu->arena == NULL ? 0 : pages;
    return gpu->arena == NULL ? PICA_NO_MEMORY : PICA_OK;
}

/* Gives a window its arena pages. */
static void add_window(struct ref_gpu *gpu, const struct pica_window *window)
{
    const uint32_t first = ref_page_number(window->address);
    for (uint32_t i = 0; i < window->size / PICA_PAGE_SIZE; i++)
        gpu->pages[first + i] = (uint16_t)(gpu->arena_pages + i + 1u);
    gpu->windows[gpu->window_count] = (struct ref_window){ window->address, window->size, gpu->arena_pages };
    gpu->window_count += 1u;
    gpu->arena_pages += window->size / PICA_PAGE_SIZE;
}

/* MEM-01. */
enum pica_status ref_memory_load(struct ref_gpu *gpu, const struct pica_window *windows, uint32_t count)
{
    if (!windows_fit(windows, count))
        return PICA_BAD_ARGUMENT;
    forget_windows(gpu);

    uint32_t pages = 0;
    for (uint32_t i = 0; i < count; i++)
        pages += windows[i].size / PICA_PAGE_SIZE;
    const enum pica_status status = reserve(gpu, pages);
    if (status != PICA_OK)
        return status;
    for (uint32_t i = 0; i < count; i++)
        add_window(gpu, &windows[i]);
    return PICA_OK;
}

/* Whether all words of the block at this offset are noted when they are written (ref_note_word). */
static bool is_noted(size_t offset)
{
    const size_t end = offset + PICA_STATE_BLOCK, tables = offsetof(struct pica_state, tables);
    if (offset >= tables && end <= tables + sizeof(uint32_t[24][256]))
        return true;
    for (size_t i = 0; i < 2; i++) {
        const size_t unit = offsetof(struct pica_state, units) + i * sizeof(struct pica_shader_unit);
        if (offset >= unit && end <= unit + offsetof(struct pica_shader_unit, uniforms))
            return true;
    }
    return false;
}

void ref_state_clear(struct ref_gpu *gpu)
{
    for (uint32_t block = 0; block < PICA_STATE_BLOCKS; block++) {
        const size_t offset = (size_t)block * PICA_STATE_BLOCK;
        if (pica_state_blocks_have(&gpu->zeros, block))
            continue;
        memset((uint8_t *)gpu + offset, 0, pica_state_block_bytes(block));
        if (is_noted(offset))
            pica_state_blocks_add(&gpu->zeros, block);
    }
}

void ref_state_copy(const struct ref_gpu *gpu, struct pica_state *state, struct pica_state_blocks *zeros)
{
    for (uint32_t block = 0; block < PICA_STATE_BLOCKS; block++) {
        const size_t offset = (size_t)block * PICA_STATE_BLOCK, size = pica_state_block_bytes(block);
        if (!pica_state_blocks_have(&gpu->zeros, block))
            memcpy((uint8_t *)state + offset, (const uint8_t *)gpu + offset, size);
        else if (!pica_state_blocks_have(zeros, block))
            memset((uint8_t *)state + offset, 0, size);
    }
    *zeros = gpu->zeros;
}
