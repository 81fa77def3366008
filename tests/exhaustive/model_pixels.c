#include "tests/exhaustive/model.h"

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t byte_range(int32_t v)
{
    return smaller(larger(v, 0), 255);
}

/* -------------------------------------------------------------------------------------------------------- blending */

static int32_t factor(uint32_t number, uint32_t channel, const uint8_t s[4], const uint8_t d[4], const uint8_t k[4])
{
    const int32_t values[16] = {
        0,
        255,
        s[channel],
        255 - s[channel],
        d[channel],
        255 - d[channel],
        s[3],
        255 - s[3],
        d[3],
        255 - d[3],
        k[channel],
        255 - k[channel],
        k[3],
        255 - k[3],
        channel == 3u ? 255 : smaller(s[3], 255 - d[3]),
        s[channel], /* BLD-04 */
    };
    return values[number];
}

/* BLD-02, BLD-03; p and q are at most 255 * 255. */
static int32_t equation(uint32_t number, int32_t p, int32_t q)
{
    switch (number) {
    case 1: return larger(0, (p - q) / 255);
    case 2: return larger(0, (q - p) / 255);
    case 3: return smaller(p, q) / 255;
    case 4: return larger(p, q) / 255;
    default: return smaller(255, (p + q) / 255);
    }
}

struct model_color model_blend(const struct model_blend *blend, struct model_color s, struct model_color d)
{
    struct model_color out = { { 0 } };
    for (uint32_t c = 0; c < 4u; c++) {
        const uint32_t part = c == 3u ? 1u : 0u;
        const int32_t p = s.c[c] * factor(blend->source[part], c, s.c, d.c, blend->constant.c);
        const int32_t q = d.c[c] * factor(blend->dest[part], c, s.c, d.c, blend->constant.c);
        out.c[c] = (uint8_t)equation(blend->equation[part], p, q);
    }
    return out;
}

uint8_t model_logic(uint32_t operation, uint8_t source, uint8_t dest)
{
    const uint32_t s = source, d = dest;
    const uint32_t values[16] = { 0,        s & d, s & ~d,   s,     255,      ~s,     d,      ~d,
                                  ~(s & d), s | d, ~(s | d), s ^ d, ~(s ^ d), ~s & d, s | ~d, ~s | d };
    return (uint8_t)values[operation];
}

/* -------------------------------------------------------------------------------------------------------- combiner */

struct model_color model_operand(uint32_t rgb_operand, uint32_t alpha_operand, struct model_color source)
{
    /* TEV-07: what each pair of operands (plain, inverted) selects: 0-3 one channel, 4 the colour, 5 zero. */
    static const uint8_t selected[8] = { 4, 3, 0, 5, 1, 5, 2, 5 };
    static const uint8_t alpha_selected[4] = { 3, 0, 1, 2 };
    struct model_color out = { { 0 } };
    const uint8_t which = selected[rgb_operand / 2u];
    for (uint32_t c = 0; c < 3u && which != 5u; c++) {
        const uint32_t value = source.c[which == 4u ? c : which];
        out.c[c] = (uint8_t)(rgb_operand % 2u != 0u ? 255u - value : value);
    }
    const uint32_t alpha = source.c[alpha_selected[alpha_operand / 2u]];
    out.c[3] = (uint8_t)(alpha_operand % 2u != 0u ? 255u - alpha : alpha);
    return out;
}

/* TEV-09 without the dot products */
static int32_t combine_channel(uint32_t mode, int32_t a, int32_t b, int32_t c)
{
    switch (mode) {
    case 0: return a;
    case 1: return (a * b) / 255;
    case 2: return smaller(255, a + b);
    case 3: return byte_range(a + b - 128);
    case 4: return (a * c + b * (255 - c)) / 255;
    case 5: return larger(0, a - b);
    case 8: return smaller(255, (a * b + 255 * c) / 255);
    case 9: return (smaller(255, a + b) * c) / 255;
    default: return 0; /* TEV-09: 10-15; TEV-11: alpha modes 6, 7 */
    }
}

/* TEV-10: N of the text */
static int32_t inverted_if_negative(int32_t v)
{
    return v >= 0 ? v : -v - 1;
}

/* TEV-10 */
static int32_t dot3(const uint8_t a[4], const uint8_t b[4])
{
    int32_t sum = 0;
    for (uint32_t k = 0; k < 3u; k++) {
        const int32_t x = 2 * a[k] - 255, y = 2 * b[k] - 255;
        const int32_t m = (inverted_if_negative(x) * inverted_if_negative(y) + 127) / 255;
        sum += (x < 0) == (y < 0) ? m : -m - 1;
    }
    return byte_range(sum);
}

/* TEV-13 */
static uint8_t scaled(int32_t value, uint32_t scale)
{
    static const int32_t factors[4] = { 1, 2, 4, 1 };
    return (uint8_t)smaller(255, value * factors[scale]);
}

struct model_color model_combine(const struct model_stage *stage, struct model_color a, struct model_color b,
                                 struct model_color c)
{
    const bool is_dot3 = stage->rgb_mode == 6u || stage->rgb_mode == 7u;
    struct model_color out = { { 0 } };
    for (uint32_t k = 0; k < 3u; k++)
        out.c[k] = scaled(is_dot3 ? dot3(a.c, b.c) : combine_channel(stage->rgb_mode, a.c[k], b.c[k], c.c[k]),
                          stage->rgb_scale);
    out.c[3] =
        scaled(stage->rgb_mode == 7u ? dot3(a.c, b.c) : combine_channel(stage->alpha_mode, a.c[3], b.c[3], c.c[3]),
               stage->alpha_scale);
    return out;
}

/* -------------------------------------------------------------------------------------------------------- textures */

uint32_t model_texel_number(uint32_t column, uint32_t row, uint32_t width)
{
    uint32_t morton = 0;
    for (uint32_t bit = 0; bit < 3u; bit++)
        morton |= (column >> bit & 1u) << (2u * bit) | (row >> bit & 1u) << (2u * bit + 1u);
    return ((row / 8u) * (width / 8u) + column / 8u) * 64u + morton;
}

uint32_t model_format_bits(uint32_t format)
{
    static const uint8_t bits[14] = { 32, 24, 16, 16, 16, 16, 16, 8, 8, 8, 4, 4, 4, 8 };
    return bits[format];
}

static uint8_t expand4(uint32_t x)
{
    return (uint8_t)((x & 15u) * 17u);
}

static uint8_t expand5(uint32_t x)
{
    return (uint8_t)((x & 31u) << 3 | (x & 31u) >> 2);
}

static uint8_t expand6(uint32_t x)
{
    return (uint8_t)((x & 63u) << 2 | (x & 63u) >> 4);
}

static uint8_t expand1(uint32_t x)
{
    return (uint8_t)((x & 1u) * 255u);
}

struct model_color model_texel(uint32_t format, const uint8_t *bytes, uint32_t n)
{
    const uint8_t *const b = bytes + n * model_format_bits(format) / 8u;
    const uint32_t p = model_format_bits(format) >= 16u ? (uint32_t)b[0] | (uint32_t)b[1] << 8 : b[0];
    const uint32_t nibble = n % 2u == 0u ? p & 15u : p >> 4;
    switch (format) {
    case 0: return (struct model_color){ { b[3], b[2], b[1], b[0] } };
    case 1: return (struct model_color){ { b[2], b[1], b[0], 255 } };
    case 2: return (struct model_color){ { expand5(p >> 11), expand5(p >> 6), expand5(p >> 1), expand1(p) } };
    case 3: return (struct model_color){ { expand5(p >> 11), expand6(p >> 5), expand5(p), 255 } };
    case 4: return (struct model_color){ { expand4(p >> 12), expand4(p >> 8), expand4(p >> 4), expand4(p) } };
    case 5: return (struct model_color){ { b[1], b[1], b[1], b[0] } };
    case 6: return (struct model_color){ { b[1], b[0], 0, 255 } };
    case 7: return (struct model_color){ { b[0], b[0], b[0], 255 } };
    case 8: return (struct model_color){ { 0, 0, 0, b[0] } };
    case 9: return (struct model_color){ { expand4(p >> 4), expand4(p >> 4), expand4(p >> 4), expand4(p) } };
    case 10: return (struct model_color){ { expand4(nibble), expand4(nibble), expand4(nibble), 255 } };
    case 11: return (struct model_color){ { 0, 0, 0, expand4(nibble) } };
    default: return (struct model_color){ { 0, 0, 0, 0 } };
    }
}

void model_store(uint32_t format, struct model_color color, uint8_t *bytes, uint32_t n)
{
    const uint32_t r = color.c[0], g = color.c[1], b = color.c[2], a = color.c[3];
    const uint32_t values[5] = { r << 24 | g << 16 | b << 8 | a, r << 16 | g << 8 | b,
                                 r >> 3 << 11 | g >> 3 << 6 | b >> 3 << 1 | a >> 7, r >> 3 << 11 | g >> 2 << 5 | b >> 3,
                                 r >> 4 << 12 | g >> 4 << 8 | b >> 4 << 4 | a >> 4 };
    const uint32_t size = model_format_bits(format) / 8u;
    for (uint32_t i = 0; i < size; i++)
        bytes[n * size + i] = (uint8_t)(values[format] >> (8u * i));
}

static uint64_t little64(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < 8u; i++)
        value |= (uint64_t)bytes[i] << (8u * i);
    return value;
}

/* ETC-04, ETC-05 */
static int32_t etc_base(uint32_t byte, bool differential, bool second)
{
    if (!differential)
        return expand4(second ? byte : byte >> 4);
    const uint32_t base = byte >> 3;
    if (!second)
        return expand5(base);
    const uint32_t delta = byte & 7u;
    const uint32_t v = (base + (delta < 4u ? delta : delta + 248u)) & 255u; /* modulo 256 */
    return (int32_t)((v << 3 | v >> 2) & 255u);
}

struct model_color model_etc(bool with_alpha, const uint8_t *bytes, uint32_t width, uint32_t column, uint32_t row)
{
    static const int32_t table[8][2] = { { 2, 8 },   { 5, 17 },  { 9, 29 },   { 13, 42 },
                                         { 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 } };
    const uint32_t tile = (row / 8u) * (width / 8u) + column / 8u;
    const uint32_t block = 4u * tile + 2u * (row / 4u % 2u) + column / 4u % 2u;
    const uint8_t *const at = bytes + block * (with_alpha ? 16u : 8u);
    const uint64_t q = little64(with_alpha ? at + 8 : at);
    const uint32_t x = column % 4u, y = row % 4u;
    const uint32_t i = 4u * x + y;
    const bool flip = (q >> 32 & 1u) != 0u;
    const bool differential = (q >> 33 & 1u) != 0u;
    const bool second = flip ? y >= 2u : x >= 2u;
    const uint32_t index = (uint32_t)(second ? q >> 34 : q >> 37) & 7u;
    const int32_t step = table[index][q >> i & 1u];
    const int32_t offset = (q >> (16u + i) & 1u) != 0u ? -step : step;
    struct model_color out = { { 0, 0, 0, 255 } };
    for (uint32_t c = 0; c < 3u; c++)
        out.c[c] = (uint8_t)byte_range(etc_base((uint32_t)(q >> (56u - 8u * c)) & 255u, differential, second) + offset);
    if (with_alpha)
        out.c[3] = expand4((uint32_t)(little64(at) >> (4u * i)) & 15u);
    return out;
}
