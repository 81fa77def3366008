/* Pixel addresses and formats, worked out from the tables of FBF-07, FBF-08 and FBF-09. */
#ifndef TESTS_CONFORMANCE_LAYOUT_H
#define TESTS_CONFORMANCE_LAYOUT_H

#include <stdint.h>

/* FBF-07: number of pixel (x, y) in 8x8 tiles, `pitch` pixels a row. */
uint32_t tiled8(uint32_t x, uint32_t y, uint32_t pitch);
/* FBF-08: the same in 32x32 blocks. */
uint32_t tiled32(uint32_t x, uint32_t y, uint32_t pitch);

#endif
