#include "tests/conformance/layout.h"

/* FBF-07: the table, rows 0 to 3; rows 4 to 7 are 32 more. */
static const uint8_t rows[4][8] = {
    { 0, 1, 4, 5, 16, 17, 20, 21 },
    { 2, 3, 6, 7, 18, 19, 22, 23 },
    { 8, 9, 12, 13, 24, 25, 28, 29 },
    { 10, 11, 14, 15, 26, 27, 30, 31 },
};

static uint32_t in_tile(uint32_t x, uint32_t y)
{
    return rows[y % 4u][x] + (y >= 4u ? 32u : 0u);
}

uint32_t tiled8(uint32_t x, uint32_t y, uint32_t pitch)
{
    return y / 8u * 8u * pitch + x / 8u * 64u + in_tile(x % 8u, y % 8u);
}

/* FBF-08: z-order over 5 bits; bits 3 and 4 of x and y are worth 64, 128, 256 and 512. */
uint32_t tiled32(uint32_t x, uint32_t y, uint32_t pitch)
{
    const uint32_t high = (x / 8u % 2u) * 64u + (y / 8u % 2u) * 128u + (x / 16u % 2u) * 256u + (y / 16u % 2u) * 512u;
    return y / 32u * 32u * pitch + x / 32u * 1024u + high + in_tile(x % 8u, y % 8u);
}
