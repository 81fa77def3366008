/*
 * Memory as the program sees it. What the GPU sees too exists twice: `bytes` is the processor's cache, the backend
 * holds the memory. The two meet only where a line is flushed or invalidated, so who forgets that reads old bytes.
 */
#include "tests/console/parts.h"

#include <stdlib.h>
#include <string.h>

uint32_t mock_word(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void mock_put_word(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

struct mock_region *mock_map(struct mock *console, uint32_t address, uint32_t size, uint32_t rights)
{
    if (console->region_count == MOCK_REGIONS || size == 0 || size % MOCK_PAGE != 0)
        return NULL;
    struct mock_region *region = &console->regions[console->region_count];
    *region = (struct mock_region){ address, size, rights, calloc(1, size), NULL, 0 };
    if (region->bytes == NULL)
        return NULL;
    if (uc_mem_map_ptr(console->cpu, address, size, rights, region->bytes) != UC_ERR_OK) {
        free(region->bytes);
        return NULL;
    }
    console->region_count++;
    return region;
}

void mock_unmap(struct mock *console, const struct mock_region *region)
{
    const uint32_t i = (uint32_t)(region - console->regions);
    uc_mem_unmap(console->cpu, region->address, region->size);
    free(region->bytes);
    free(region->clean);
    console->regions[i] = console->regions[--console->region_count];
}

void mock_unmap_all(struct mock *console)
{
    for (uint32_t i = 0; i < console->region_count; i++) {
        free(console->regions[i].bytes);
        free(console->regions[i].clean);
    }
    console->region_count = 0;
}

struct mock_region *mock_region(struct mock *console, uint32_t address, uint32_t size)
{
    for (uint32_t i = 0; i < console->region_count; i++) {
        struct mock_region *region = &console->regions[i];
        if (address >= region->address && size <= region->size && address - region->address <= region->size - size)
            return region;
    }
    return NULL;
}

uint8_t *mock_bytes(struct mock *console, uint32_t address, uint32_t size)
{
    const struct mock_region *region = mock_region(console, address, size);
    return region == NULL ? NULL : region->bytes + (address - region->address);
}

uint32_t mock_physical(struct mock *console, uint32_t address, uint32_t size)
{
    const struct mock_region *region = mock_region(console, address, size);
    return region == NULL || region->physical == 0 ? 0 : region->physical + (address - region->address);
}

/* Regions begin and end on pages, so whole lines never leave one. */
static struct mock_region *cached_lines(struct mock *console, uint32_t address, uint32_t size, uint32_t *first,
                                        uint32_t *end)
{
    struct mock_region *region = mock_region(console, address, size);
    if (region == NULL || region->physical == 0)
        return NULL;
    *first = (address - region->address) / MOCK_LINE * MOCK_LINE;
    *end = (address - region->address + size + MOCK_LINE - 1) / MOCK_LINE * MOCK_LINE;
    return region;
}

/* Writes back the lines that the processor changed, and no others: those the GPU may have changed meanwhile. */
bool mock_flush(struct mock *console, uint32_t address, uint32_t size)
{
    uint32_t first, end;
    struct mock_region *region = cached_lines(console, address, size, &first, &end);
    if (region == NULL)
        return false;
    for (uint32_t at = first; at < end; at += MOCK_LINE) {
        if (memcmp(region->bytes + at, region->clean + at, MOCK_LINE) == 0)
            continue;
        if (!mock_gpu_write_memory(console, region->physical + at, region->bytes + at, MOCK_LINE))
            return false;
        memcpy(region->clean + at, region->bytes + at, MOCK_LINE);
    }
    return true;
}

/* Forgets what the cache held, also what the processor wrote there. */
bool mock_invalidate(struct mock *console, uint32_t address, uint32_t size)
{
    uint32_t first, end;
    struct mock_region *region = cached_lines(console, address, size, &first, &end);
    if (region == NULL)
        return false;
    if (!mock_read_guest(console, region->physical + first, region->bytes + first, end - first))
        return false;
    memcpy(region->clean + first, region->bytes + first, end - first);
    return true;
}
