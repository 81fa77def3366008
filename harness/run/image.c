#include "harness/run/image.h"

#include <string.h>

size_t harness_image_size(const struct pica_setup *setup)
{
    size_t size = 0;
    for (uint32_t window = 0; window < setup->window_count; window++)
        size += setup->windows[window].size;
    return size;
}

/* What of a range lies in a window. */
struct overlap {
    uint64_t from, to; /* addresses */
};

static struct overlap meet(const struct pica_window *window, uint32_t address, size_t size)
{
    const uint64_t first = window->address, last = first + window->size;
    const uint64_t end = (uint64_t)address + size;
    return (struct overlap){ address > first ? address : first, end < last ? end : last };
}

void harness_image_load(const struct pica_setup *setup, uint8_t *image, uint32_t address, const uint8_t *data,
                        uint32_t size)
{
    for (uint32_t i = 0; i < setup->window_count; i++) {
        const struct pica_window *const window = &setup->windows[i];
        const struct overlap part = meet(window, address, size);
        if (part.from < part.to)
            memcpy(image + (part.from - window->address), data + (part.from - address), (size_t)(part.to - part.from));
        image += window->size;
    }
}

void harness_image_begin(const struct pica_setup *setup, uint8_t *image)
{
    memset(image, 0, harness_image_size(setup));
    for (uint32_t i = 0; i < setup->chunk_count; i++)
        harness_image_load(setup, image, setup->chunks[i].address, setup->chunks[i].data, setup->chunks[i].size);
}

void harness_image_loads(const struct pica_setup *setup, const struct pica_operation *operations, size_t count,
                         uint8_t *image)
{
    harness_image_begin(setup, image);
    for (size_t i = 0; i < count; i++)
        if (operations[i].kind == PICA_OPERATION_LOAD_MEMORY)
            harness_image_load(setup, image, operations[i].address, operations[i].data, operations[i].size);
}

void harness_image_take(const struct oracle_run *run, uint8_t *image)
{
    for (uint32_t i = 0; i < run->window_count; image += run->windows[i++].size)
        memcpy(image, run->memory[i], run->windows[i].size);
}

uint8_t *harness_image_at(const struct pica_setup *setup, uint8_t *image, uint32_t address, uint32_t bytes)
{
    for (uint32_t i = 0; i < setup->window_count; image += setup->windows[i++].size) {
        const uint32_t offset = address - setup->windows[i].address;
        if (offset < setup->windows[i].size && bytes <= setup->windows[i].size - offset)
            return image + offset;
    }
    return NULL;
}

void harness_image_read(const struct pica_setup *setup, const uint8_t *image, uint32_t address, uint8_t *out,
                        size_t size)
{
    memset(out, 0, size);
    for (uint32_t i = 0; i < setup->window_count; i++) {
        const struct pica_window *const window = &setup->windows[i];
        const struct overlap part = meet(window, address, size);
        if (part.from < part.to)
            memcpy(out + (part.from - address), image + (part.from - window->address), (size_t)(part.to - part.from));
        image += window->size;
    }
}
