/*
 * Mapped, not allocated: AddressSanitizer marks each byte of an allocation as usable and later as freed, which for the
 * 400 MB of an instance takes longer than most cases. Accesses outside of the memory are caught by an inaccessible page
 * at each end instead.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "fast/reserve.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Whole pages for `size` bytes, and one at each end. */
static size_t mapped_size(size_t size)
{
    const size_t page = page_size();
    return (size + page - 1) / page * page + 2 * page;
}

/* From the first byte of the mapping to the first that is used: what is used ends where the last page begins. */
static size_t offset_in_mapping(size_t size)
{
    return (mapped_size(size) - page_size() - size) / 64 * 64;
}

void *fast_reserve(size_t size)
{
    const size_t all = mapped_size(size);
    uint8_t *const mapping = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
        return NULL;
    if (mprotect(mapping + page_size(), all - 2 * page_size(), PROT_READ | PROT_WRITE) != 0) {
        munmap(mapping, all);
        return NULL;
    }
    return mapping + offset_in_mapping(size);
}

void fast_unreserve(void *memory, size_t size)
{
    if (memory != NULL)
        munmap((uint8_t *)memory - offset_in_mapping(size), mapped_size(size));
}
