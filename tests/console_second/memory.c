/*
 * The program's memory. Of what the GPU sees, too, there are two copies, the CPU's and the GPU's: the CPU's cache, with
 * every line always in it. They meet where the program flushes or invalidates, and nowhere else (CON-46), so a flush
 * that is missing shows at once.
 */
#include "tests/console_second/parts.h"

#include <stdlib.h>
#include <string.h>

bool second_map_bytes(struct second_machine *m, const char *name, uint32_t address, uint32_t bytes,
                      uint32_t permissions, uint8_t *host)
{
    if (m->region_count == MOST_REGIONS || bytes == 0 || bytes % PAGE != 0 ||
        uc_mem_map_ptr(m->processor, address, bytes, permissions, host) != UC_ERR_OK)
        return second_must(m, false, "%s cannot be mapped at 0x%08X, 0x%X bytes: something is there", name, address,
                           bytes);
    m->regions[m->region_count++] = (struct region){ address, bytes, host, permissions, name, false };
    return true;
}

uint8_t *second_map(struct second_machine *m, const char *name, uint32_t address, uint32_t bytes, uint32_t permissions)
{
    uint8_t *const host = aligned_alloc(PAGE, bytes);
    if (host == NULL) {
        second_finish(m, SECOND_TROUBLE, "no memory");
        return NULL;
    }
    memset(host, 0, bytes);
    if (second_map_bytes(m, name, address, bytes, permissions, host)) {
        m->regions[m->region_count - 1].owned = true;
        return host;
    }
    free(host);
    return NULL;
}

void second_unmap(struct second_machine *m, uint32_t address)
{
    for (size_t i = 0; i < m->region_count; i++)
        if (m->regions[i].address == address) {
            uc_mem_unmap(m->processor, address, m->regions[i].bytes);
            if (m->regions[i].owned)
                free(m->regions[i].host);
            m->regions[i] = m->regions[--m->region_count];
            return;
        }
}

static bool within(uint32_t address, uint32_t bytes, uint32_t base, uint32_t size)
{
    return address >= base && address - base <= size && bytes <= size - (address - base);
}

uint8_t *second_at(struct second_machine *m, uint32_t address, uint32_t bytes, uint32_t permissions)
{
    for (size_t i = 0; i < m->region_count; i++) {
        const struct region *const region = &m->regions[i];
        if (within(address, bytes, region->address, region->bytes))
            return (region->permissions & permissions) == permissions ? region->host + (address - region->address)
                                                                      : NULL;
    }
    return NULL;
}

bool second_in_linear(const struct second_machine *m, uint32_t address, uint32_t bytes)
{
    return bytes != 0 && m->linear != NULL &&
           within(address, bytes, LINEAR_VIRTUAL + m->options.linear, m->linear_bytes);
}

bool second_in_vram(uint32_t address, uint32_t bytes)
{
    return bytes != 0 && within(address, bytes, VRAM_VIRTUAL, VRAM_BYTES);
}

/* CON-10, CON-11. Of addresses in linear memory or VRAM. */
uint32_t second_physical(const struct second_machine *m, uint32_t address)
{
    (void)m;
    return second_in_vram(address, 1) ? address - VRAM_VIRTUAL + UINT32_C(0x18000000)
                                      : address - LINEAR_VIRTUAL + FCRAM_PHYSICAL;
}

bool second_dirty(const struct second_machine *m, uint32_t address, uint32_t bytes)
{
    const uint32_t offset = address - LINEAR_VIRTUAL - m->options.linear;
    return memcmp(m->linear + offset, m->synced + offset, bytes) != 0;
}

/* A cache knows lines, not bytes. Both ends of the block are ends of lines. */
static void whole_lines(uint32_t *address, uint32_t *bytes)
{
    const uint32_t end = (*address + *bytes + LINE - 1) / LINE * LINE;
    *address = *address / LINE * LINE;
    *bytes = end - *address;
}

void second_flush(struct second_machine *m, uint32_t address, uint32_t bytes)
{
    whole_lines(&address, &bytes);
    const uint32_t offset = address - LINEAR_VIRTUAL - m->options.linear;
    /* Lines that are clean are not written: the GPU may have changed what lies below them. */
    for (uint32_t line = offset; line < offset + bytes; line += LINE) {
        uint32_t end = line;
        while (end < offset + bytes && memcmp(m->linear + end, m->synced + end, LINE) != 0)
            end += LINE;
        if (end == line)
            continue;
        memcpy(m->synced + line, m->linear + line, end - line);
        second_gpu_write(m, FCRAM_PHYSICAL + m->options.linear + line, m->linear + line, end - line);
        line = end;
    }
}

void second_invalidate(struct second_machine *m, uint32_t address, uint32_t bytes)
{
    const uint32_t first = address, count = bytes;
    whole_lines(&address, &bytes);
    if (second_in_vram(address, bytes)) {
        if (m->guest_vram != NULL)
            memcpy(m->vram + (address - VRAM_VIRTUAL), m->guest_vram + (address - VRAM_VIRTUAL), bytes);
        else
            second_gpu_read(m, second_physical(m, address), m->vram + (address - VRAM_VIRTUAL), bytes);
        return;
    }
    const bool edges =
        (first > address && second_dirty(m, address, first - address)) ||
        (first + count < address + bytes && second_dirty(m, first + count, address + bytes - first - count));
    if (!second_must(m, !edges,
                     "a line at an end of 0x%08X, 0x%X bytes, holds what the CPU wrote beside it and did not "
                     "flush",
                     first, count))
        return;
    const uint32_t offset = address - LINEAR_VIRTUAL - m->options.linear;
    second_gpu_read(m, second_physical(m, address), m->linear + offset, bytes);
    memcpy(m->synced + offset, m->linear + offset, bytes);
}
