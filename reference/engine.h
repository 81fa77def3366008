/*
 * The engines beside the 3D core: the calls between engine.c, which has their registers, and fill.c, transfer.c and
 * copy.c.
 */
#ifndef REFERENCE_ENGINE_H
#define REFERENCE_ENGINE_H

#include "pica/enums.h"

#include <stdbool.h>
#include <stdint.h>

struct ref_gpu;

/* engine.c, PSC-01: what a register reads as; PSC-02, PPF-01: an address. */
uint32_t ref_external_word(const struct ref_gpu *gpu, uint32_t offset);
uint32_t ref_engine_address(const struct ref_gpu *gpu, uint32_t offset);

/* engine.c: the lowest and highest address of the bytes that an engine read, or of those that it wrote (file 70, before
 * section 3). */
struct ref_byte_range {
    bool any;
    bool is_outside; /* one of them is not in memory */
    uint32_t lowest, highest;
};

/* The events of what an engine read and wrote: PPF-17, PPF-18, TXC-08. */
void ref_byte_range_events(struct ref_gpu *gpu, const struct ref_byte_range *read,
                           const struct ref_byte_range *written);

/* Adds `size` > 0 bytes from `address` on, modulo 2^32, to a range. */
void ref_note_bytes(const struct ref_gpu *gpu, struct ref_byte_range *range, uint32_t address, uint32_t size);

/* fill.c, transfer.c, copy.c: each does all the work that its registers describe. */
void ref_run_fill(struct ref_gpu *gpu, uint32_t unit, enum pica_fill_width width);
void ref_run_transfer(struct ref_gpu *gpu);
void ref_run_copy(struct ref_gpu *gpu);

/* transfer.c, PPF-10: the framebuffer format with the same memory layout; 5-7 act as 4. */
enum pica_color_format ref_transfer_color_format(enum pica_transfer_format format);

#endif
