/*
 * Guest memory (MEM): the windows of the case, and everything the GPU reads or writes there.
 *
 * The console has 6 MiB of VRAM and 128 MiB of FCRAM; a case declares the few pieces of them that it uses. Anywhere
 * else bytes read as 0 and writes vanish, decided for each byte alone (MEM-02, MEM-03), so an access may straddle the
 * end of a window. Bytes are little-endian and need no alignment; addresses wrap at 2^32 (MEM-04). There is no cache:
 * a byte written is a byte read, and the registers that flush caches do nothing (MEM-05). All addresses are physical;
 * virtual ones (MEM-07) are for capture tools.
 *
 * windows.c places the windows in the arena. Worked number: address 0x18003FFE is page 3 of VRAM; a 32-bit read there
 * takes two bytes of page 3 and two of page 4, which may be outside and then are 0.
 */
#include "reference/gpu.h"

#include <string.h>

/* MEM-02: 1 + the arena page that holds an address, or 0 if the address is outside. */
static uint32_t find_page(const struct ref_gpu *gpu, uint32_t address)
{
    const uint32_t page = ref_page_number(address);
    return page < REF_PAGES ? gpu->pages[page] : 0;
}

static void mark(uint64_t *bitmap, uint32_t page)
{
    bitmap[page / 64u] |= UINT64_C(1) << (page % 64u);
}

/* Position in the arena of an address whose page was found. */
static size_t arena_position(uint32_t found, uint32_t address)
{
    return (size_t)(found - 1u) * PICA_PAGE_SIZE + address % PICA_PAGE_SIZE;
}

bool ref_in_memory(const struct ref_gpu *gpu, uint32_t address)
{
    return find_page(gpu, address) != 0;
}

bool ref_range_in_memory(const struct ref_gpu *gpu, uint32_t address, uint64_t size)
{
    uint64_t done = 0;
    while (done < size) {
        const uint32_t at = address + (uint32_t)done;
        if (!ref_in_memory(gpu, at))
            return false;
        done += PICA_PAGE_SIZE - at % PICA_PAGE_SIZE;
    }
    return true;
}

/*
 * The host bytes of an access of 1 to 64 bytes that lies within one page of memory; NULL if it is outside or straddles
 * two pages, where each byte has to be decided alone.
 */
static inline uint8_t *bytes_in_page(const struct ref_gpu *gpu, uint32_t address, uint32_t size, uint64_t *bitmap)
{
    const uint32_t found = find_page(gpu, address);
    if (found == 0 || address % PICA_PAGE_SIZE > PICA_PAGE_SIZE - size)
        return NULL;
    if (bitmap != NULL)
        mark(bitmap, found - 1u);
    return gpu->arena + arena_position(found, address);
}

/* MEM-03: an outside byte reads 0. */
uint8_t ref_read8(const struct ref_gpu *gpu, uint32_t address)
{
    const uint32_t found = find_page(gpu, address);
    if (found == 0)
        return 0;
    if (gpu->read != NULL)
        mark(gpu->read, found - 1u);
    return gpu->arena[arena_position(found, address)];
}

/* MEM-04: byte i of an access is at address + i modulo 2^32. */
static uint32_t read_each_byte(const struct ref_gpu *gpu, uint32_t address, uint32_t size)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < size; i++)
        value |= (uint32_t)ref_read8(gpu, address + i) << (8u * i);
    return value;
}

uint32_t ref_read16(const struct ref_gpu *gpu, uint32_t address)
{
    const uint8_t *const bytes = bytes_in_page(gpu, address, 2, gpu->read);
    return bytes != NULL ? ref_load_little_endian(bytes, 2) : read_each_byte(gpu, address, 2);
}

uint32_t ref_read24(const struct ref_gpu *gpu, uint32_t address)
{
    const uint8_t *const bytes = bytes_in_page(gpu, address, 3, gpu->read);
    return bytes != NULL ? ref_load_little_endian(bytes, 3) : read_each_byte(gpu, address, 3);
}

uint32_t ref_read32(const struct ref_gpu *gpu, uint32_t address)
{
    const uint8_t *const bytes = bytes_in_page(gpu, address, 4, gpu->read);
    return bytes != NULL ? ref_load_little_endian(bytes, 4) : read_each_byte(gpu, address, 4);
}

bool ref_read_word(const struct ref_gpu *gpu, uint32_t address, uint32_t *word)
{
    const uint8_t *const bytes = bytes_in_page(gpu, address, 4, gpu->read);
    *word = bytes != NULL ? ref_load_little_endian(bytes, 4) : read_each_byte(gpu, address, 4);
    return bytes != NULL || ref_range_in_memory(gpu, address, 4);
}

uint8_t *ref_block_to_write(struct ref_gpu *gpu, uint32_t address)
{
    return bytes_in_page(gpu, address, 64, gpu->written);
}

/* Bytes from `address` to the end of its page, at most `size`. */
static size_t rest_of_page(uint32_t address, size_t size)
{
    const size_t rest = PICA_PAGE_SIZE - address % PICA_PAGE_SIZE;
    return rest < size ? rest : size;
}

void ref_read_bytes(const struct ref_gpu *gpu, uint32_t address, uint8_t *out, size_t size)
{
    for (size_t done = 0; done < size;) {
        const uint32_t at = address + (uint32_t)done;
        const size_t part = rest_of_page(at, size - done);
        const uint32_t found = find_page(gpu, at);
        if (found == 0) {
            memset(out + done, 0, part);
        } else {
            if (gpu->read != NULL)
                mark(gpu->read, found - 1u);
            memcpy(out + done, gpu->arena + arena_position(found, at), part);
        }
        done += part;
    }
}

/* MEM-03, MEM-08: also how a case loads bytes between its operations; outside bytes are dropped without an event. */
void ref_write_bytes(struct ref_gpu *gpu, uint32_t address, const uint8_t *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const uint32_t at = address + (uint32_t)done;
        const size_t part = rest_of_page(at, size - done);
        const uint32_t found = find_page(gpu, at);
        if (found != 0) {
            mark(gpu->written, found - 1u);
            memcpy(gpu->arena + arena_position(found, at), bytes + done, part);
        }
        done += part;
    }
}
