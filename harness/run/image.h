/* Guest memory as CPU loads make it: all windows, one after the other. And bitmaps of the pages of a window. */
#ifndef HARNESS_RUN_IMAGE_H
#define HARNESS_RUN_IMAGE_H

#include "oracles/run.h"
#include "pica/backend.h"

#include <stdbool.h>

/* 64-bit words of a bitmap with a bit for each page of a window of so many bytes. */
static inline size_t harness_page_words(uint32_t window_bytes)
{
    return (window_bytes / PICA_PAGE_SIZE + 63) / 64;
}

/* Is the page in the bitmap? */
static inline bool harness_has_page(const uint64_t *bitmap, size_t page)
{
    return (bitmap[page / 64] >> page % 64 & 1u) != 0;
}

/* Bytes of all windows. */
size_t harness_image_size(const struct pica_setup *setup);

/* MEM-08: bytes outside the windows are dropped. */
void harness_image_load(const struct pica_setup *setup, uint8_t *image, uint32_t address, const uint8_t *data,
                        uint32_t size);

/* The beginning of a case: zeros and its chunks. */
void harness_image_begin(const struct pica_setup *setup, uint8_t *image);

/* What the CPU's loads alone leave of a case. */
void harness_image_loads(const struct pica_setup *setup, const struct pica_operation *operations, size_t count,
                         uint8_t *image);

/* The memory of a run. */
void harness_image_take(const struct oracle_run *run, uint8_t *image);

/* Where in the image these bytes lie, if one window holds them all; else NULL. */
uint8_t *harness_image_at(const struct pica_setup *setup, uint8_t *image, uint32_t address, uint32_t bytes);

/* Copies out; bytes outside the windows read as 0. */
void harness_image_read(const struct pica_setup *setup, const uint8_t *image, uint32_t address, uint8_t *out,
                        size_t size);

#endif
