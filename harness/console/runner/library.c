/* What C expects of a library, and the CRC. */
#include "harness/console/runner/system.h"

static bool words_fit(const void *a, const void *b)
{
    return (((uintptr_t)a | (uintptr_t)b) & 3) == 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    size_t i = 0;
    if (words_fit(to, from))
        for (; i + 4 <= bytes; i += 4)
            *(uint32_t *)((uint8_t *)to + i) = *(const uint32_t *)((const uint8_t *)from + i);
    for (; i < bytes; i++)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    const uint32_t word = (uint32_t)(value & 0xFF) * 0x01010101u;
    size_t i = 0;
    if (words_fit(to, to))
        for (; i + 4 <= bytes; i += 4)
            *(uint32_t *)((uint8_t *)to + i) = word;
    for (; i < bytes; i++)
        ((uint8_t *)to)[i] = (uint8_t)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t bytes)
{
    const uint8_t *x = a, *y = b;
    size_t i = 0;
    if (words_fit(a, b))
        while (i + 4 <= bytes && *(const uint32_t *)(x + i) == *(const uint32_t *)(y + i))
            i += 4;
    for (; i < bytes; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Half a byte at a time: the table is 64 bytes, and cards are slower. */
uint32_t runner_crc(uint32_t crc, const void *bytes, size_t size)
{
    static const uint32_t table[16] = { 0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4,
                                        0x4DB26158, 0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                        0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C };
    const uint8_t *at = bytes;
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc = table[(crc ^ at[i]) & 15] ^ (crc >> 4);
        crc = table[(crc ^ (at[i] >> 4)) & 15] ^ (crc >> 4);
    }
    return ~crc;
}
