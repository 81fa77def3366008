/*
 * The private copies that a batch works on (FBF-18), one of the colour buffer and one of the depth buffer.
 *
 * Fragments of a batch see their own earlier writes, but everything else that reads memory (textures, indices,
 * vertices) sees it as it was when the batch began, and the two buffers do not see each other even if they overlap.
 * Memory does not change while a batch runs, so a block of 64 bytes may be copied when it is first touched, and what
 * was never touched has nothing to store. At the end only bytes that differ from their first value are stored.
 *
 * Worked number: a triangle of one pixel at byte 0x3DCC of a surface touches block 0x3DCC / 64 = 247 alone.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "reference/framebuffer.h"

#include "reference/gpu.h"
#include "reference/pipeline.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Memory of the largest surface, all 0; most of its pages are never touched. NULL: no host memory. It is not from
 * malloc, which may be set to fill memory (to find reads of uninitialised bytes) and whose bytes AddressSanitizer
 * marks: both would take longer than most cases. In exchange no tool notices a byte that is read before it is copied,
 * or beyond the arrays; every access looks at `states` first, which is from calloc, and that prevents both. */
static uint8_t *map_bytes(void)
{
    void *const bytes = mmap(NULL, REF_SURFACE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

static void unmap_bytes(uint8_t *bytes)
{
    if (bytes != NULL)
        (void)munmap(bytes, REF_SURFACE_BYTES);
}

bool ref_surface_create(struct ref_surface *surface)
{
    surface->start = map_bytes();
    surface->now = map_bytes();
    surface->states = calloc(REF_SURFACE_BLOCKS, 1);
    surface->touched = malloc(REF_SURFACE_BLOCKS * sizeof *surface->touched);
    surface->touched_count = 0;
    return surface->start && surface->now && surface->states && surface->touched;
}

void ref_surface_destroy(struct ref_surface *surface)
{
    unmap_bytes(surface->start);
    unmap_bytes(surface->now);
    free(surface->states);
    free(surface->touched);
}

/* FBF-18; outside blocks are 0 (FBF-01). */
void ref_surface_copy(const struct ref_gpu *gpu, struct ref_surface *surface, uint32_t block)
{
    const uint32_t offset = block * REF_BLOCK_BYTES;
    const uint32_t address = surface->address + offset;
    ref_read_bytes(gpu, address, surface->start + offset, REF_BLOCK_BYTES);
    memcpy(surface->now + offset, surface->start + offset, REF_BLOCK_BYTES);
    surface->states[block] = ref_in_memory(gpu, address) ? REF_BLOCK_INSIDE : REF_BLOCK_OUTSIDE;
    surface->touched[surface->touched_count++] = block;
}

/* FBF-01: writes those of the bytes that are in memory. */
void ref_surface_write_inside(struct ref_surface *surface, uint32_t offset, uint32_t count, uint32_t value)
{
    for (uint32_t i = 0; i < count; i++)
        if (surface->states[(offset + i) / REF_BLOCK_BYTES] == REF_BLOCK_INSIDE)
            surface->now[offset + i] = (uint8_t)(value >> (8u * i) & 0xFFu);
}

/* FBF-18: stores the bytes of a block that differ from their start value. */
static void store_block(struct ref_gpu *gpu, const struct ref_surface *surface, uint32_t block)
{
    const uint8_t *const now = surface->now + block * REF_BLOCK_BYTES;
    const uint8_t *const start = surface->start + block * REF_BLOCK_BYTES;
    if (memcmp(now, start, REF_BLOCK_BYTES) == 0)
        return;
    uint8_t *const memory = ref_block_to_write(gpu, surface->address + block * REF_BLOCK_BYTES);
    assert(memory != NULL); /* an outside block has not changed */
    for (uint32_t k = 0; k < REF_BLOCK_BYTES; k++)
        memory[k] = now[k] != start[k] ? now[k] : memory[k];
}

/* The byte of a surface at an address, if the batch has changed it; else NULL. */
static const uint8_t *changed_byte(const struct ref_surface *surface, uint32_t address)
{
    const uint32_t offset = address - surface->address;
    if (offset >= surface->size || surface->states[offset / REF_BLOCK_BYTES] == REF_BLOCK_UNTOUCHED)
        return NULL;
    return surface->now[offset] != surface->start[offset] ? &surface->now[offset] : NULL;
}

/* FBF-18: as at the end of a batch, C wins. */
uint32_t ref_live_bytes(const struct ref_gpu *gpu, uint32_t address, uint32_t count)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *byte = changed_byte(&gpu->batch->color, address + i);
        if (byte == NULL)
            byte = changed_byte(&gpu->batch->depth, address + i);
        value |= (uint32_t)(byte != NULL ? *byte : ref_read8(gpu, address + i)) << (8u * i);
    }
    return value;
}

/* FBF-18: stores the changes of a batch and forgets the copy. */
void ref_surface_store(struct ref_gpu *gpu, struct ref_surface *surface)
{
    for (uint32_t i = 0; i < surface->touched_count; i++) {
        store_block(gpu, surface, surface->touched[i]);
        surface->states[surface->touched[i]] = REF_BLOCK_UNTOUCHED;
    }
    surface->touched_count = 0;
}
