/*
 * Common 2D image units on the quick way: sizes are powers of two, no texel is border, and all fragments use one level
 * and one filter. The triangles are bounded, so coordinates of covered lanes, with 8 fraction bits, stay below 2^30
 * (TEX-28 does not limit them); other lanes may get any coordinate, but always an index inside the level.
 */
#include "fast/kernels/interpolation.h"
#include "fast/kernels/texture.h"
#include "fast/kernels/texture_filter.h"

#include "pica/enums.h"

/* ------------------------------------------------------------------------------------------------------ coordinates */

/* One coordinate direction of the level that is sampled. */
struct direction {
    uint32_t attribute;
    enum pica_texture_wrap wrap;
    int32_t size;
    float scale; /* from the coordinate to texels (nearest) or 1/256 texels (linear) */
};

/*
 * TEX-27, MIP-11: the rule multiplies the coordinate by the size and then by 256. 256 is a power of two, so multiplying
 * the size by it first rounds alike; and a product of a subnormal coordinate is not 0, so the floor does not change
 * either. Nearest: floor(U) >> 8 is floor(U / 256), and U / 256 is the product with the size alone.
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
    return v_i32_floor_in_range(v_f32_mul(cell_attribute(cell, direction->attribute), v_f32_splat(direction->scale)));
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
        v_u32_store(cells[n].index, v_u32_from_i32(v_i32_add(row_of_texels(sampler, t), s)));
    }
}

static inline v_i32 linear_coordinate(const struct fast_cell *cell, const struct direction *direction)
{
    return v_i32_sub(scaled_coordinate(cell, direction), v_i32_splat(128));
}

static inline bool repeats(enum pica_texture_wrap mode)
{
    return mode == PICA_TEXTURE_WRAP_REPEAT || mode == PICA_TEXTURE_WRAP_REPEAT_6 || mode == PICA_TEXTURE_WRAP_REPEAT_7;
}

/*
 * A texel number in 0 .. size - 2 means that the next texel follows in memory; where it does not, returns a number
 * outside of that range.
 */
static inline v_i32 first_of_two(const struct direction *direction, v_i32 i)
{
    return repeats(direction->wrap) ? v_i32_and(i, v_i32_splat(direction->size - 1)) : i;
}

static inline v_mask has_next(const struct direction *direction, v_i32 first)
{
    return v_u32_lt(v_u32_from_i32(first), v_u32_splat((uint32_t)direction->size - 1u));
}

/* The fractions of MIP-12, packed as in struct fast_cell. */
static inline v_u32 fractions(v_i32 u, v_i32 v)
{
    const v_u32 byte = v_u32_splat(255);
    return fast_u16x2(v_u32_and(v_u32_from_i32(u), byte), v_u32_and(v_u32_from_i32(v), byte));
}

/*
 * MIP-12: stores the indices of the first texels and the weights. Returns the cells (bit n: number n) that have a lane
 * whose second texels do not follow the first ones in memory: results computed from pairs must not be used for them.
 */
static uint32_t place_linear(const struct sampler *sampler, struct fast_cell *cells, uint32_t count)
{
    uint32_t wrapped = 0;
    for (uint32_t n = 0; n < count; n++) {
        struct fast_cell *cell = &cells[n];
        const v_i32 u = linear_coordinate(cell, &sampler->s);
        const v_i32 v = linear_coordinate(cell, &sampler->t);
        const v_i32 s = first_of_two(&sampler->s, v_i32_shr(u, 8));
        const v_i32 t = first_of_two(&sampler->t, v_i32_shr(v, 8));
        const v_mask follows = v_mask_and(has_next(&sampler->s, s), has_next(&sampler->t, t));
        cell->fraction = fractions(u, v);
        v_u32_store(cell->index, v_u32_from_i32(v_i32_add(v_i32_mul(t, v_i32_splat((int32_t)sampler->pitch)), s)));
        wrapped |= (uint32_t)v_mask_any(v_mask_not(follows)) << n;
    }
    return wrapped;
}

/* ----------------------------------------------------------------------------------------------------------- texels */

static inline v_u32 even_bytes(v_u32 word)
{
    return v_u32_and(word, v_u32_splat(0x00FF00FFu));
}

static inline v_u32 odd_bytes(v_u32 word)
{
    return v_u16x2_shr(word, 8);
}

static inline struct fast_pairs fetch_nearest(const struct fast_texture_unit *unit, const struct fast_cell *cell)
{
    const v_u32 texel = v_u32_load_at(unit->arena, cell->index);
    return (struct fast_pairs){ even_bytes(texel), odd_bytes(texel) };
}

/* Four texels of each lane: the first and second column, in two rows. */
struct squares {
    v_u32 first[2], second[2];
};

static inline struct fast_pairs blend_squares(const struct squares *squares, v_u32 fraction)
{
    const v_u32 s = v_u32_and(fraction, v_u32_splat(255));
    const v_u32 t = v_u32_shr(fraction, 16);
    const v_u32 across = v_u32_or(s, v_u32_shl(s, 16));
    const v_u32 upward = v_u32_or(v_u32_sub(v_u32_splat(256), t), v_u32_shl(t, 16));
    v_u32 even[2], odd[2];
    for (uint32_t row = 0; row < 2u; row++) {
        const v_u32 first = squares->first[row];
        const v_u32 second = squares->second[row];
        even[row] = blend_row(even_bytes(first), even_bytes(second), across);
        odd[row] = blend_row(odd_bytes(first), odd_bytes(second), across);
    }
    return (struct fast_pairs){ blend_rows(even[0], even[1], upward), blend_rows(odd[0], odd[1], upward) };
}

static inline struct fast_pairs fetch_linear(const struct sampler *sampler, const struct fast_cell *cell)
{
    struct squares squares;
    v_u32_load_squares_at(squares.first, squares.second, sampler->unit->arena + sampler->base, sampler->pitch,
                          cell->index);
    return blend_squares(&squares, cell->fraction);
}

/*
 * For any lanes: fetches each row by itself, and the second texels separately where they do not follow the first ones.
 * The pair of a last texel reaches one word beyond its level: the arena has a word after its last one
 * (texture_cache.c).
 */
static struct fast_pairs fetch_wrapped(const struct sampler *sampler, const struct fast_cell *cell)
{
    const v_i32 one = v_i32_splat(1);
    const v_i32 u = linear_coordinate(cell, &sampler->s);
    const v_i32 v = linear_coordinate(cell, &sampler->t);
    const v_i32 i = v_i32_shr(u, 8);
    const v_i32 first = wrap(&sampler->s, i);
    const v_i32 apart = v_i32_sub(wrap(&sampler->s, v_i32_add(i, one)), first);
    const v_mask away = v_mask_not(v_i32_eq(apart, one));
    const uint32_t *const arena = sampler->unit->arena;
    struct squares squares;
    for (int row = 0; row < 2; row++) {
        _Alignas(64) uint32_t index[V_LANES];
        const v_i32 j = v_i32_add(v_i32_shr(v, 8), v_i32_splat(row));
        const v_i32 texel = v_i32_add(row_of_texels(sampler, wrap(&sampler->t, j)), first);
        v_u32_store(index, v_u32_from_i32(texel));
        v_u32_load_pairs_at(&squares.first[row], &squares.second[row], arena, index);
        squares.second[row] = v_u32_gather(squares.second[row], away, arena, v_i32_add(texel, apart));
    }
    return blend_squares(&squares, fractions(u, v));
}

/* Stores the texels to `out`, or to the cells if `out` is NULL. */
static inline void sample(const struct fast_texture_unit *unit, struct fast_cell *cells, uint32_t count,
                          struct fast_pairs *out)
{
    const struct sampler sampler = find_sampler(unit);
    if (!unit->linear_magnify) {
        place_nearest(&sampler, cells, count);
        for (uint32_t n = 0; n < count; n++)
            *(out != NULL ? &out[n] : &cells[n].texel) = fetch_nearest(unit, &cells[n]);
        return;
    }
    const uint32_t wrapped = place_linear(&sampler, cells, count);
    for (uint32_t n = 0; n < count; n++)
        *(out != NULL ? &out[n] : &cells[n].texel) =
            (wrapped >> n & 1u) != 0u ? fetch_wrapped(&sampler, &cells[n]) : fetch_linear(&sampler, &cells[n]);
}

void FAST_ISA(fast_sample_cells)(const struct fast_texture_unit *unit, struct fast_cell *cells, uint32_t count)
{
    sample(unit, cells, count, NULL);
}

void FAST_ISA(fast_sample_colors)(const struct fast_texture_unit *unit, struct fast_cell *cells, uint32_t count,
                                  struct fast_pairs *out)
{
    sample(unit, cells, count, out);
}
