/*
 * Texels in memory. An image is cut into tiles of 8x8 texels, tile rows from the first memory row on, and inside a tile
 * the texels follow a Z curve (Morton order: the bits of x and y alternate), so that neighbours in two dimensions are
 * neighbours in memory. Fourteen formats pack a texel into 4 to 32 bits; channels are widened to 8 bits by repeating
 * their upper bits. The byte order looks reversed to most people: RGBA8 keeps alpha in the lowest byte. Rows are those
 * of memory here; texture.c turns the picture over, because v = 0 is the last memory row (TEX-21).
 *
 * Worked number: bytes 11 22 33 44 as RGBA8 are R 0x44, G 0x33, B 0x22, A 0x11; the value 0x8421 as RGB565 is
 * 132, 134, 8 (TEX-25). Texel (5, 2) of a tile has number 25.
 */
#include "reference/texture.h"

#include "reference/gpu.h"
#include "reference/pipeline.h"

uint32_t ref_texel_morton(uint32_t x, uint32_t y)
{
    static const uint8_t spread[8] = { 0, 1, 4, 5, 16, 17, 20, 21 }; /* bit i goes to bit 2 i */
    return spread[x] | (uint32_t)spread[y] << 1;
}

uint32_t ref_texel_bits(enum pica_texture_format format)
{
    static const uint8_t bits[16] = { 32, 24, 16, 16, 16, 16, 16, 8, 8, 8, 4, 4, 4, 8, 0, 0 };
    return bits[(uint32_t)format & 15u];
}

/* TEX-23: channels of 1, 4, 5, 6 bits as 8 bits. */
static uint8_t expand1(uint32_t x)
{
    return (uint8_t)((x & 1u) * 255u);
}

static uint8_t expand4(uint32_t x)
{
    return (uint8_t)((x & 15u) * 17u);
}

static uint8_t expand5(uint32_t x)
{
    const uint32_t value = x & 31u;
    return (uint8_t)((value << 3) | (value >> 2));
}

static uint8_t expand6(uint32_t x)
{
    const uint32_t value = x & 63u;
    return (uint8_t)((value << 2) | (value >> 4));
}

/*
 * TEX-30: memory does not change during a batch, so texels are read straight from it; framebuffer_surface.c keeps what
 * the batch draws apart until the batch ends. With knob P4 texels see what the batch has drawn so far, too.
 */
static uint32_t read8(const struct ref_gpu *gpu, uint32_t address)
{
    return ref_takes(gpu, PICA_SIDE_TEXTURE_MEMORY_LIVE) ? ref_live_bytes(gpu, address, 1) : ref_read8(gpu, address);
}

static uint32_t read16(const struct ref_gpu *gpu, uint32_t address)
{
    return ref_takes(gpu, PICA_SIDE_TEXTURE_MEMORY_LIVE) ? ref_live_bytes(gpu, address, 2) : ref_read16(gpu, address);
}

static uint32_t read24(const struct ref_gpu *gpu, uint32_t address)
{
    return ref_takes(gpu, PICA_SIDE_TEXTURE_MEMORY_LIVE) ? ref_live_bytes(gpu, address, 3) : ref_read24(gpu, address);
}

static uint32_t read32(const struct ref_gpu *gpu, uint32_t address)
{
    return ref_takes(gpu, PICA_SIDE_TEXTURE_MEMORY_LIVE) ? ref_live_bytes(gpu, address, 4) : ref_read32(gpu, address);
}

static uint64_t read64(const struct ref_gpu *gpu, uint32_t address)
{
    return read32(gpu, address) | ((uint64_t)read32(gpu, address + 4u) << 32);
}

/* ETC-01, ETC-02: the texel of a tile that starts at `tile_address`; `has_alpha` for ETC1A4. */
static bool compressed_texel(const struct ref_gpu *gpu, uint32_t tile_address, uint32_t col, uint32_t row,
                             bool has_alpha, uint8_t rgba[4])
{
    const uint32_t block = ((col >> 2) & 1u) + (2u * ((row >> 2) & 1u));
    uint32_t address = tile_address + (block * (has_alpha ? 16u : 8u));
    const uint32_t x = col & 3u;
    const uint32_t y = row & 3u;
    rgba[3] = 255;
    if (has_alpha) {
        rgba[3] = ref_etc1_alpha(read64(gpu, address), x, y);
        address += 8u;
    }
    return ref_etc1_color(read64(gpu, address), x, y, rgba);
}

/* TEX-24: 4-bit texel number n. */
static uint32_t read_nibble(const struct ref_gpu *gpu, uint32_t address, uint32_t n)
{
    const uint32_t byte = read8(gpu, address + (n >> 1));
    return (n & 1u) != 0 ? byte >> 4 : byte & 15u;
}

/* TEX-22 */
uint32_t ref_texel_number(const struct ref_level *level, uint32_t col, uint32_t row)
{
    const uint32_t tile = ((row >> 3) * (level->width >> 3)) + (col >> 3);
    return (tile * 64u) + ref_texel_morton(col & 7u, row & 7u);
}

/* TEX-06: bytes outside the windows are 0, without an event. TEX-05: addresses wrap modulo 2^32. */
bool ref_texel(const struct ref_gpu *gpu, const struct ref_level *level, uint32_t col, uint32_t row, uint8_t rgba[4])
{
    const uint32_t n = ref_texel_number(level, col, row);
    const uint32_t tile = n / 64u;
    const uint32_t base = level->address;
    uint32_t p;
    switch (level->format) {
    case PICA_TEXTURE_FORMAT_RGBA8:
        p = read32(gpu, base + (n * 4u));
        ref_set_color(rgba, p >> 24, (p >> 16) & 255u, (p >> 8) & 255u, p & 255u);
        return false;
    case PICA_TEXTURE_FORMAT_RGB8:
        p = read24(gpu, base + (n * 3u));
        ref_set_color(rgba, (p >> 16) & 255u, (p >> 8) & 255u, p & 255u, 255);
        return false;
    case PICA_TEXTURE_FORMAT_RGB5A1:
        p = read16(gpu, base + (n * 2u));
        ref_set_color(rgba, expand5(p >> 11), expand5(p >> 6), expand5(p >> 1), expand1(p));
        return false;
    case PICA_TEXTURE_FORMAT_RGB565:
        p = read16(gpu, base + (n * 2u));
        ref_set_color(rgba, expand5(p >> 11), expand6(p >> 5), expand5(p), 255);
        return false;
    case PICA_TEXTURE_FORMAT_RGBA4:
        p = read16(gpu, base + (n * 2u));
        ref_set_color(rgba, expand4(p >> 12), expand4(p >> 8), expand4(p >> 4), expand4(p));
        return false;
    case PICA_TEXTURE_FORMAT_IA8:
        p = read16(gpu, base + (n * 2u));
        ref_set_color(rgba, p >> 8, p >> 8, p >> 8, p & 255u);
        return false;
    case PICA_TEXTURE_FORMAT_HILO8:
        p = read16(gpu, base + (n * 2u));
        ref_set_color(rgba, p >> 8, p & 255u, 0, 255);
        return false;
    case PICA_TEXTURE_FORMAT_I8:
        p = read8(gpu, base + n);
        ref_set_color(rgba, p, p, p, 255);
        return false;
    case PICA_TEXTURE_FORMAT_A8: ref_set_color(rgba, 0, 0, 0, read8(gpu, base + n)); return false;
    case PICA_TEXTURE_FORMAT_IA4:
        p = read8(gpu, base + n);
        ref_set_color(rgba, expand4(p >> 4), expand4(p >> 4), expand4(p >> 4), expand4(p));
        return false;
    case PICA_TEXTURE_FORMAT_I4:
        p = expand4(read_nibble(gpu, base, n));
        ref_set_color(rgba, p, p, p, 255);
        return false;
    case PICA_TEXTURE_FORMAT_A4: ref_set_color(rgba, 0, 0, 0, expand4(read_nibble(gpu, base, n))); return false;
    case PICA_TEXTURE_FORMAT_ETC1: return compressed_texel(gpu, base + (tile * 32u), col, row, false, rgba);
    case PICA_TEXTURE_FORMAT_ETC1A4:
    case PICA_TEXTURE_FORMAT_RESERVED_14: /* TEX-16 row 5: no texel of these is read */
    case PICA_TEXTURE_FORMAT_RESERVED_15:
    default: return compressed_texel(gpu, base + (tile * 64u), col, row, true, rgba);
    }
}
