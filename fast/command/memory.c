/* Guest memory: the slow, total accessors (MEM-02 to MEM-05) and the one function behind every write. */
#include "fast/gpu.h"

/* Sets the page bits of arena bytes [first, first + size), size > 0. Returns whether a cached texture lies in them. */
static bool mark_pages(struct fast_memory *memory, uint32_t first, uint32_t size)
{
    const uint32_t last_page = (first + size - 1u) / PICA_PAGE_SIZE;
    bool textured = false;
    for (uint32_t page = first / PICA_PAGE_SIZE; page <= last_page; page++) {
        const uint64_t bit = (uint64_t)1 << (page % 64u);
        memory->touched[page / 64u] |= bit;
        textured = textured || (memory->texture_pages[page / 64u] & bit) != 0u;
    }
    return textured;
}

/* MEM-05: every later read sees the write, also one through a cached texture. */
void fast_memory_written(struct fast_gpu *gpu, uint32_t address, uint64_t size)
{
    while (size > 0u) {
        bool inside;
        const uint64_t extent = fast_memory_extent(gpu, address, size, &inside);
        if (inside && mark_pages(&gpu->memory, fast_memory_offset(gpu, address, extent), (uint32_t)extent)) {
            fast_textures_invalidate(gpu, address, (uint32_t)extent);
            gpu->shading_dirty = true;
        }
        address += (uint32_t)extent; /* wraps to 0 at the end of the address space */
        size -= extent;
    }
}

uint32_t fast_read16(const struct fast_gpu *gpu, uint32_t address)
{
    const uint8_t *const bytes = fast_memory_bytes(gpu, address, 2u);
    if (bytes != NULL)
        return fast_load_le16(bytes);
    return (uint32_t)fast_read8(gpu, address) | (uint32_t)fast_read8(gpu, address + 1u) << 8;
}

uint32_t fast_read32(const struct fast_gpu *gpu, uint32_t address)
{
    const uint8_t *const bytes = fast_memory_bytes(gpu, address, 4u);
    if (bytes != NULL)
        return fast_load_le32(bytes);
    return fast_read16(gpu, address) | fast_read16(gpu, address + 2u) << 16;
}

void fast_write8(struct fast_gpu *gpu, uint32_t address, uint32_t value)
{
    uint8_t *const bytes = fast_memory_bytes(gpu, address, 1u);
    if (bytes == NULL)
        return;
    *bytes = (uint8_t)(value & 0xffu);
    fast_memory_written(gpu, address, 1u);
}

void fast_read_bytes(const struct fast_gpu *gpu, uint32_t address, uint8_t *out, size_t size)
{
    while (size > 0u) {
        bool inside;
        const size_t extent = (size_t)fast_memory_extent(gpu, address, size, &inside);
        if (inside)
            memcpy(out, fast_memory_bytes(gpu, address, extent), extent);
        else
            memset(out, 0, extent);
        out += extent;
        address += (uint32_t)extent;
        size -= extent;
    }
}

void fast_write_bytes(struct fast_gpu *gpu, uint32_t address, const uint8_t *bytes, size_t size)
{
    while (size > 0u) {
        bool inside;
        const size_t extent = (size_t)fast_memory_extent(gpu, address, size, &inside);
        if (inside) {
            memcpy(fast_memory_bytes(gpu, address, extent), bytes, extent);
            fast_memory_written(gpu, address, extent);
        }
        bytes += extent;
        address += (uint32_t)extent;
        size -= extent;
    }
}
