/* Display transfers between two fixed places, for test_transfer*.c. */
#ifndef TESTS_CONFORMANCE_TRANSFER_PROBE_H
#define TESTS_CONFORMANCE_TRANSFER_PROBE_H

#include "tests/conformance/checks.h"

static const uint32_t IN = 0x18000000, OUT = 0x18020000;

/* Bits of XFER.FLAGS (PPF-03). */
enum {
    FLIP = 1 << 0,
    TO_TILED = 1 << 1,
    CROP = 1 << 2,
    KEEP_TILED = 1 << 5,
    BLOCK32 = 1 << 16,
    SCALE_2X1 = 1 << 24,
    SCALE_2X2 = 2 << 24,
    SCALE_3 = 3 << 24
};

/* XFER.DIM and XFER.INDIM */
uint32_t dim(uint32_t width, uint32_t height);
/* IN to OUT, RGBA8 unless flags say otherwise. */
void transfer(struct machine *m, uint32_t width, uint32_t height, uint32_t indim, uint32_t flags);
/* n words, a multiple of 64: word k is k + 1, so that no pixel is 0. */
void load_numbers(struct machine *m, uint32_t address, uint32_t n);

#endif
