/*
 * Plain 2D image units for the quick way: sizes are powers of two, no texel is border, one level and one filter for all
 * fragments. The triangles are tame, so coordinates of covered lanes stay below 2^30 with 8 fraction bits (TEX-28 does
 * not limit them); other lanes may get any coordinate, and an index inside the level all the same.
 */
#include "fast/kernels/cells.h"

#include "pica/enums.h"

/* ----------------------------------------------------------------------------------------------------- coordinates */

/* One direction of the level that is sampled. */
struct direction {
    uint32_t attribute;
    enum pica_texture_wrap wrap;
    int32_t size;
    float scale; /* from the coordinate to texels (nearest) or 1/256 texels (linear) */
};

/*
 * TEX-27, MIP-11: the factor 256 is a power of two, so multiplying the size by it first rounds alike; and a product of
 * a subnormal coordinate is not 0, so the floor does not change either. Nearest: floor(U) >> 8 is floor(U / 256), and
 * U / 256 is the product with the size alone.
 */
static struct direction find_direction(uint32_t attribute, uint32_t wrap, uint32_t size, bool linear)
{
    return (struct direction){ attribute, (enum pica_texture_wrap)wrap, (int32_t)size,
                               (float)size * (linear ? 256.0f : 1.0f) };
}

struct sampler {
    const struct fast_texture_unit *unit;
    struct direction s, t;
    uint32_t base, pitch;
};

static struct sampler find_sampler(const struct fast_texture_unit *unit)
{
    static const uint32_t attributes[3] = { FAST_ATTRIBUTE_TEXCOORD0, FAST_ATTRIBUTE_TEXCOORD1,
                                            FAST_ATTRIBUTE_TEXCOORD2 };
    const uint32_t level = (uint32_t)unit->lod_max / 256u;
    const uint32_t attribute = attributes[unit->coordinate];
    struct sampler sampler = { .unit = unit, .base = unit->base[0][level], .pitch = unit->pitch[level] };
    sampler.s = find_direction(attribute, unit->wrap_s, unit->width[level], unit->linear_magnify);
    sampler.t = find_direction(attribute + 1u, unit->wrap_t, unit->height[level], unit->linear_magnify);
    return sampler;
}

static inline v_i32 scaled_coordinate(const struct fast_cell *cell, const struct direction *direction)
{
    return v_i32_floor_in_range(
        v_f32_mul(fast_cell_attribute(cell, direction->attribute), v_f32_splat(direction->scale)));
}

/* WRP-02, WRP-03, WRP-04, WRP-05 for powers of two. The result is in 0 .. size - 1 in every lane. */
static inline v_i32 wrap(const struct direction *direction, v_i32 i)
{
    const v_i32 last = v_i32_splat(direction->size - 1);
    const v_i32 zero = v_i32_splat(0);
    const v_i32 m = v_i32_and(i, v_i32_splat(2 * direction->size - 1));
    switch (direction->wrap) {
    case PICA_TEXTURE_WRAP_CLAMP_TO_EDGE:
    case PICA_TEXTURE_WRAP_CLAMP_TO_BORDER: break;
    case PICA_TEXTURE_WRAP_REPEAT_EDGE:
    case PICA_TEXTURE_WRAP_REPEAT_BORDER:
        return v_i32_select(v_i32_lt(i, zero), v_i32_and(i, last), v_i32_min(i, last));
    case PICA_TEXTURE_WRAP_MIRRORED_REPEAT: return v_i32_min(m, v_i32_sub(v_i32_splat(2 * direction->size - 1), m));
    case PICA_TEXTURE_WRAP_REPEAT:
    case PICA_TEXTURE_WRAP_REPEAT_6:
    case PICA_TEXTURE_WRAP_REPEAT_7: return v_i32_and(i, last);
    }
    return v_i32_clamp(i, zero, last);
}

static inline v_i32 row_of_texels(const struct sampler *sampler, v_i32 t)
{
    return v_i32_add(v_i32_mul(t, v_i32_splat((int32_t)sampler->pitch)), v_i32_splat((int32_t)sampler->base));
}

/* MIP-11 */
static void place_nearest(const struct sampler *sampler, struct fast_cell *cells, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        const v_i32 s = wrap(&sampler->s, scaled_coordinate(&cells[n], &sampler->s));
        const v_i32 t = wrap(&sampler->t, scaled_coordinate(&cells[n], &sampler->t));
        v_u32_store(cells[n].index[0], v_u32_from_i32(v_i32_add(row_of_texels(sampler, t), s)));
    }
}

/* The first and second texel of MIP-12 in one direction, and the fraction between them. */
struct taps {
    v_i32 first, second;
    v_u32 fraction;
};

static inline struct taps find_taps(const struct direction *direction, const struct fast_cell *cell)
{
    const v_i32 fixed = v_i32_sub(scaled_coordinate(cell, direction), v_i32_splat(128));
    const v_i32 i = v_i32_shr(fixed, 8);
    return (struct taps){ wrap(direction, i), wrap(direction, v_i32_add(i, v_i32_splat(1))),
                          v_u32_and(v_u32_from_i32(fixed), v_u32_splat(255)) };
}

/* MIP-12: the indices of the first column of texels, the weights. */
static void place_linear(const struct sampler *sampler, struct fast_cell *cells, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        struct fast_cell *cell = &cells[n];
        const struct taps s = find_taps(&sampler->s, cell);
        const struct taps t = find_taps(&sampler->t, cell);
        cell->across = v_u32_or(s.fraction, v_u32_shl(s.fraction, 16));
        cell->upward = v_u32_or(v_u32_sub(v_u32_splat(256), t.fraction), v_u32_shl(t.fraction, 16));
        cell->apart = v_i32_sub(s.second, s.first);
        v_u32_store(cell->index[0], v_u32_from_i32(v_i32_add(row_of_texels(sampler, t.first), s.first)));
        v_u32_store(cell->index[1], v_u32_from_i32(v_i32_add(row_of_texels(sampler, t.second), s.first)));
    }
}

/* --------------------------------------------------------------------------------------------------------- texels */

static inline v_u32 even_bytes(v_u32 word)
{
    return v_u32_and(word, v_u32_splat(0x00FF00FFu));
}

static inline v_u32 odd_bytes(v_u32 word)
{
    return v_u32_shr_halves(word, 8);
}

static inline struct fast_pairs fetch_nearest(const struct fast_texture_unit *unit, const struct fast_cell *cell)
{
    const v_u32 texel = v_u32_load_at(unit->arena, cell->index[0]);
    return (struct fast_pairs){ even_bytes(texel), odd_bytes(texel) };
}

/*
 * Two texels of each lane in one row. Mostly they are neighbours in the arena, which has a word after its last one;
 * where a coordinate wraps they are not.
 */
static inline void fetch_row(const struct fast_texture_unit *unit, const struct fast_cell *cell, uint32_t row,
                             v_u32 texel[2])
{
    const v_mask apart = v_mask_not(v_i32_eq(cell->apart, v_i32_splat(1)));
    v_u32_load_pairs_at(&texel[0], &texel[1], unit->arena, cell->index[row]);
    if (v_mask_any(apart)) {
        const v_i32 first = v_i32_from_u32(v_u32_load(cell->index[row]));
        texel[1] = v_u32_gather(texel[1], apart, unit->arena, v_i32_add(first, cell->apart));
    }
}

/* One row of MIP-12 for two channels at once: at most 255 * 256. */
static inline v_u32 blend_row(v_u32 left, v_u32 right, v_u32 weight)
{
    const v_u32 rest = v_u32_sub(v_u32_splat(256u << 16 | 256u), weight);
    return v_u32_add(v_u32_mul_halves(left, rest), v_u32_mul_halves(right, weight));
}

/*
 * (top * (256 - ft) + bottom * ft + 32768) >> 16 for a pair of rows in the halves of `column`, left in the high half.
 * Signed halves: (top - 2^15) * (256 - ft) + (bottom - 2^15) * ft is the sum less 2^23.
 */
static inline v_u32 blend_column(v_u32 column, v_u32 weights)
{
    const v_i32 sum = v_i32_dot_halves(v_u32_xor(column, v_u32_splat(0x80008000u)), weights);
    return v_u32_from_i32(v_i32_add(sum, v_i32_splat((1 << 23) + 32768)));
}

static inline v_u32 blend_rows(v_u32 top, v_u32 bottom, v_u32 weights)
{
    const v_u32 low = v_u32_splat(0x0000FFFFu);
    const v_u32 high = v_u32_splat(0xFFFF0000u);
    const v_u32 first = blend_column(v_u32_or(v_u32_and(top, low), v_u32_shl(bottom, 16)), weights);
    const v_u32 second = blend_column(v_u32_or(v_u32_shr(top, 16), v_u32_and(bottom, high)), weights);
    return v_u32_or(v_u32_shr(first, 16), v_u32_and(second, high));
}

static inline struct fast_pairs fetch_linear(const struct fast_texture_unit *unit, const struct fast_cell *cell)
{
    v_u32 even[2], odd[2];
    for (uint32_t row = 0; row < 2u; row++) {
        v_u32 texel[2];
        fetch_row(unit, cell, row, texel);
        even[row] = blend_row(even_bytes(texel[0]), even_bytes(texel[1]), cell->across);
        odd[row] = blend_row(odd_bytes(texel[0]), odd_bytes(texel[1]), cell->across);
    }
    return (struct fast_pairs){ blend_rows(even[0], even[1], cell->upward), blend_rows(odd[0], odd[1], cell->upward) };
}

void FAST_ISA(fast_sample_cells)(const struct fast_texture_unit *unit, struct fast_cell *cells, uint32_t count)
{
    const struct sampler sampler = find_sampler(unit);
    if (unit->linear_magnify) {
        place_linear(&sampler, cells, count);
        for (uint32_t n = 0; n < count; n++)
            cells[n].texel = fetch_linear(unit, &cells[n]);
    } else {
        place_nearest(&sampler, cells, count);
        for (uint32_t n = 0; n < count; n++)
            cells[n].texel = fetch_nearest(unit, &cells[n]);
    }
}

void FAST_ISA(fast_sample_colors)(const struct fast_texture_unit *unit, struct fast_cell *cells, uint32_t count,
                                  struct fast_pairs *out)
{
    const struct sampler sampler = find_sampler(unit);
    if (unit->linear_magnify) {
        place_linear(&sampler, cells, count);
        for (uint32_t n = 0; n < count; n++)
            out[n] = fetch_linear(unit, &cells[n]);
    } else {
        place_nearest(&sampler, cells, count);
        for (uint32_t n = 0; n < count; n++)
            out[n] = fetch_nearest(unit, &cells[n]);
    }
}
