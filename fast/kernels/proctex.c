/* The procedural texture unit (40 section 10). */
#include "fast/kernels/proctex.h"

#include "fast/kernels/texture.h"
#include "fast/kernels/trace_hooks.h"

#include "pica/enums.h"

/* ----------------------------------------------------------------------------------------------------------- tables */

static v_f32 gather_f32(const float *table, v_i32 index)
{
    return v_f32_gather(v_f32_splat(0.0f), v_mask_all_lanes(), table, index);
}

static v_u32 gather_u32(const uint32_t *table, v_u32 index)
{
    return v_u32_gather(v_u32_splat(0), v_mask_all_lanes(), table, v_i32_from_u32(index));
}

/* PTX-06, for 0 <= c <= 1: at c = 1 the last entry is used with fraction 1.0. */
static v_f32 look_up(const struct fast_lut128 *lut, v_f32 c)
{
    const v_f32 p = v_f32_mul(c, v_f32_splat(128.0f));
    const v_i32 i = v_i32_min(v_i32_trunc_in_range(p), v_i32_splat(127));
    const v_f32 f = v_f32_sub(p, v_f32_from_i32(i));
    _Alignas(64) uint32_t index[V_LANES];
    v_f32 value, slope;
    v_u32_store(index, v_u32_from_i32(v_i32_shl(i, 1)));
    v_f32_load_pairs_at(&value, &slope, lut->words, index);
    return v_f32_clamp01(v_f32_add(value, v_f32_mul(f, slope)));
}

/* ------------------------------------------------------------------------------------------------------------ noise */

/*
 * x / 9 for x < 2^31: 4096 = 9 * 455 + 1, so for x = 4096 a + b the quotient is 455 a + (a + b) / 9. Doing this twice
 * leaves a rest below 2^15, for which (z * 7282) >> 16 is z / 9 (checked for all z).
 */
static v_u32 divide_by_9(v_u32 x)
{
    const v_u32 step = v_u32_splat(455);
    const v_u32 low = v_u32_splat(4095);
    const v_u32 a = v_u32_shr(x, 12);
    const v_u32 y = v_u32_add(a, v_u32_and(x, low));
    const v_u32 b = v_u32_shr(y, 12);
    const v_u32 z = v_u32_add(b, v_u32_and(y, low));
    const v_u32 ninth = v_u32_shr(v_u32_mul(z, v_u32_splat(7282)), 16);
    return v_u32_add(v_u32_mul(v_u32_add(a, b), step), ninth);
}

/* PTX-15. */
static v_u32 noise_r1(v_u32 x)
{
    static const uint32_t table[16] = { 0, 4, 10, 8, 4, 9, 7, 12, 5, 15, 13, 14, 11, 15, 2, 11 };
    const v_u32 fifteen = v_u32_splat(15);
    const v_u32 quotient = divide_by_9(x);
    const v_u32 rest = v_u32_sub(x, v_u32_mul(quotient, v_u32_splat(9)));
    const v_u32 sum = v_u32_mul(v_u32_add(rest, v_u32_splat(2)), v_u32_splat(3));
    return v_u32_xor(v_u32_and(sum, fifteen), gather_u32(table, v_u32_and(quotient, fifteen)));
}

/* PTX-16: R2 from p = R1(x) and q = R1(y), as N(x, y). */
static v_f32 noise_value(v_u32 p, v_u32 q)
{
    static const uint32_t table[16] = { 10, 2, 15, 8, 0, 7, 4, 5, 5, 13, 2, 6, 13, 9, 3, 14 };
    const v_u32 zero = v_u32_splat(0);
    const v_mask one = v_u32_eq(v_u32_and(p, v_u32_splat(3)), v_u32_splat(1));
    q = v_u32_add(q, v_u32_select(one, v_u32_splat(4), zero));
    q = v_u32_xor(q, v_u32_mul(v_u32_and(p, v_u32_splat(1)), v_u32_splat(6)));
    q = v_u32_and(v_u32_add(v_u32_add(q, v_u32_splat(10)), p), v_u32_splat(15));
    q = v_u32_xor(q, gather_u32(table, p));
    const v_f32 number = v_f32_from_i32(v_i32_from_u32(q));
    const v_f32 scaled = v_f32_div(v_f32_mul(number, v_f32_splat(2.0f)), v_f32_splat(15.0f));
    return v_f32_add(v_f32_splat(-1.0f), scaled);
}

/* PTX-17: integer and fraction of X or Y. */
struct lattice {
    v_u32 whole;
    v_f32 fraction;
};

static struct lattice noise_lattice(v_f32 coordinate, float frequency, float phase)
{
    const v_f32 place = v_f32_abs(v_f32_add(coordinate, v_f32_splat(phase)));
    const v_f32 scaled = v_f32_mul(v_f32_splat(9.0f * frequency), place);
    const v_f32 x = v_f32_sat(scaled, v_f32_splat(0.0f), v_f32_splat(1073741824.0f));
    const v_i32 whole = v_i32_trunc_in_range(x);
    return (struct lattice){ v_u32_from_i32(whole), v_f32_sub(x, v_f32_from_i32(whole)) };
}

/* a * (1.0 - t) + b * t */
static v_f32 mix(v_f32 a, v_f32 b, v_f32 t)
{
    return v_f32_add(v_f32_mul(a, v_f32_sub(v_f32_splat(1.0f), t)), v_f32_mul(b, t));
}

/* PTX-17 (examples: PTX-18). */
static v_f32 noise(const struct fast_proctex *proctex, v_f32 u, v_f32 v)
{
    const struct lattice x = noise_lattice(u, proctex->frequency_u, proctex->phase_u);
    const struct lattice y = noise_lattice(v, proctex->frequency_v, proctex->phase_v);
    const v_u32 one = v_u32_splat(1);
    const v_u32 px0 = noise_r1(x.whole), px1 = noise_r1(v_u32_add(x.whole, one));
    const v_u32 py0 = noise_r1(y.whole), py1 = noise_r1(v_u32_add(y.whole, one));
    const v_f32 s = v_f32_add(x.fraction, y.fraction);
    const v_f32 s1 = v_f32_sub(s, v_f32_splat(1.0f));
    const v_f32 s2 = v_f32_sub(s, v_f32_splat(2.0f));
    const v_f32 g0 = v_f32_mul(noise_value(px0, py0), s);
    const v_f32 g1 = v_f32_mul(noise_value(px1, py0), s1);
    const v_f32 g2 = v_f32_mul(noise_value(px0, py1), s1);
    const v_f32 g3 = v_f32_mul(noise_value(px1, py1), s2);
    const v_f32 tx = look_up(proctex->noise_lut, x.fraction);
    const v_f32 ty = look_up(proctex->noise_lut, y.fraction);
    return mix(mix(g0, g1, tx), mix(g2, g3, tx), ty);
}

/* ------------------------------------------------------------------------------------------------------ coordinates */

/* PTX-07. */
static v_f32 limit(v_f32 c)
{
    return v_f32_sat(v_f32_abs(c), v_f32_splat(0.0f), v_f32_splat(8388608.0f));
}

/* PTX-08: the offset from the other coordinate. */
static v_f32 shift_offset(v_f32 other, uint32_t shift, uint32_t clamp)
{
    const v_i32 n = v_i32_trunc_in_range(other);
    const v_f32 h = v_f32_splat(clamp == PICA_PROCTEX_CLAMP_MIRRORED_REPEAT ? 1.0f : 0.5f);
    v_i32 pairs = v_i32_splat(0);
    switch ((enum pica_proctex_shift)shift) {
    case PICA_PROCTEX_SHIFT_NONE: return v_f32_splat(0.0f);
    case PICA_PROCTEX_SHIFT_ODD: pairs = v_i32_shr(n, 1); break;
    case PICA_PROCTEX_SHIFT_EVEN: pairs = v_i32_shr(v_i32_add(n, v_i32_splat(1)), 1); break;
    case PICA_PROCTEX_SHIFT_RESERVED_3: return v_f32_splat(0.0f);
    }
    return v_f32_mul(h, v_f32_from_i32(v_i32_and(pairs, v_i32_splat(1))));
}

/* PTX-11, mode 3. */
static v_f32 mirror(v_f32 c)
{
    const v_i32 whole = v_i32_trunc_in_range(c);
    const v_f32 f = v_f32_sub(c, v_f32_from_i32(whole));
    const v_mask even = v_i32_eq(v_i32_and(whole, v_i32_splat(1)), v_i32_splat(0));
    return v_f32_select(even, f, v_f32_sub(v_f32_splat(1.0f), f));
}

/* PTX-11. */
static v_f32 clamp_coordinate(v_f32 c, uint32_t mode)
{
    const v_f32 zero = v_f32_splat(0.0f);
    const v_f32 one = v_f32_splat(1.0f);
    const v_mask above = v_f32_gt(c, one);
    switch ((enum pica_proctex_clamp)mode) {
    case PICA_PROCTEX_CLAMP_ZERO: return v_f32_select(above, zero, c);
    case PICA_PROCTEX_CLAMP_EDGE: break;
    case PICA_PROCTEX_CLAMP_SYMMETRICAL_REPEAT: return v_f32_sub(c, v_f32_floor(c));
    case PICA_PROCTEX_CLAMP_MIRRORED_REPEAT: return mirror(c);
    case PICA_PROCTEX_CLAMP_PULSE: return v_f32_select(v_f32_le(c, v_f32_splat(0.5f)), zero, one);
    case PICA_PROCTEX_CLAMP_RESERVED_5: break;
    case PICA_PROCTEX_CLAMP_RESERVED_6: break;
    case PICA_PROCTEX_CLAMP_RESERVED_7: break;
    }
    return v_f32_select(above, one, c);
}

/* PTX-07, PTX-08, PTX-09, PTX-10, PTX-11, in place. */
static void find_coordinates(const struct fast_proctex *proctex, v_f32 *u, v_f32 *v)
{
    *u = limit(*u);
    *v = limit(*v);
    const v_f32 shift_u = shift_offset(*v, proctex->shift_u, proctex->clamp_u);
    const v_f32 shift_v = shift_offset(*u, proctex->shift_v, proctex->clamp_v);
    if (proctex->noise) {
        const v_f32 n = noise(proctex, *u, *v);
        const v_f32 unit = v_f32_splat(4095.0f);
        *u = limit(v_f32_add(*u, v_f32_div(v_f32_mul(n, v_f32_splat(proctex->amplitude_u)), unit)));
        *v = limit(v_f32_add(*v, v_f32_div(v_f32_mul(n, v_f32_splat(proctex->amplitude_v)), unit)));
    }
    *u = clamp_coordinate(v_f32_add(*u, shift_u), proctex->clamp_u);
    *v = clamp_coordinate(v_f32_add(*v, shift_v), proctex->clamp_v);
}

/* (u * u) + (v * v) */
static v_f32 square_sum(v_f32 u, v_f32 v)
{
    return v_f32_add(v_f32_mul(u, u), v_f32_mul(v, v));
}

/* PTX-12, for u, v in [0, 1]. */
static v_f32 combine(v_f32 u, v_f32 v, uint32_t function)
{
    const v_f32 half = v_f32_splat(0.5f);
    const v_f32 one = v_f32_splat(1.0f);
    const v_f32 mean = v_f32_mul(v_f32_add(u, v), half);
    switch ((enum pica_proctex_func)function) {
    case PICA_PROCTEX_FUNC_U: return u;
    case PICA_PROCTEX_FUNC_U2: return v_f32_mul(u, u);
    case PICA_PROCTEX_FUNC_V: return v;
    case PICA_PROCTEX_FUNC_V2: return v_f32_mul(v, v);
    case PICA_PROCTEX_FUNC_ADD: return mean;
    case PICA_PROCTEX_FUNC_ADD2: return v_f32_mul(square_sum(u, v), half);
    case PICA_PROCTEX_FUNC_SQRT2: return v_f32_min(v_f32_sqrt(square_sum(u, v)), one);
    case PICA_PROCTEX_FUNC_MIN: return v_f32_min(u, v);
    case PICA_PROCTEX_FUNC_MAX: return v_f32_max(u, v);
    case PICA_PROCTEX_FUNC_RMAX: return v_f32_min(v_f32_mul(v_f32_add(mean, v_f32_sqrt(square_sum(u, v))), half), one);
    case PICA_PROCTEX_FUNC_RESERVED_10: break;
    case PICA_PROCTEX_FUNC_RESERVED_11: break;
    case PICA_PROCTEX_FUNC_RESERVED_12: break;
    case PICA_PROCTEX_FUNC_RESERVED_13: break;
    case PICA_PROCTEX_FUNC_RESERVED_14: break;
    case PICA_PROCTEX_FUNC_RESERVED_15: break;
    }
    return v_f32_splat(0.0f);
}

/* ----------------------------------------------------------------------------------------------------- colour table */

/* Channel `c` of entry k of a table of four floats per entry. */
static v_f32 entry(const float *table, v_i32 k, int c)
{
    return gather_f32(table + c, v_i32_shl(k, 2));
}

/* PTX-21 (example: PTX-26), x = offset + c * (width - 1) of the level. */
static void sample_table(const struct fast_proctex *proctex, v_f32 x, struct fast_colors *out)
{
    const v_i32 whole = proctex->linear ? v_i32_trunc_in_range(x) : v_i32_rha_positive(x);
    const v_f32 f = v_f32_sub(x, v_f32_from_i32(whole));
    const v_i32 k = v_i32_and(whole, v_i32_splat(255));
    for (int c = 0; c < 4; c++) {
        v_f32 value = entry(proctex->color, k, c);
        if (proctex->linear)
            value = v_f32_add(value, v_f32_mul(f, entry(proctex->difference, k, c)));
        out->channel[c] = v_u16_from_i32(v_i32_u8(value));
    }
}

/* PTX-19, PTX-20: the offset and the width of the level of each lane, 0 - 7. */
static void sample_level(const struct fast_proctex *proctex, v_f32 c, v_i32 level, struct fast_colors *out)
{
    const v_f32 width = gather_f32(proctex->width, level);
    const v_f32 offset = gather_f32(proctex->offset, level);
    sample_table(proctex, v_f32_add(offset, v_f32_mul(c, width)), out);
}

/* PTX-23: lod, from the derivatives of the incoming coordinates; PTX-24: lodc. */
static v_i32 find_lod(const struct fast_proctex *proctex, const struct fast_block *block,
                      const struct fast_coordinate *c)
{
    const float *dx = block->triangle->weight_dx;
    const float *dy = block->triangle->weight_dy;
    const v_f32 ux = v_f32_abs(fast_derivative(block, c->u_attribute, c->u, dx));
    const v_f32 uy = v_f32_abs(fast_derivative(block, c->u_attribute, c->u, dy));
    const v_f32 vx = v_f32_abs(fast_derivative(block, c->v_attribute, c->v, dx));
    const v_f32 vy = v_f32_abs(fast_derivative(block, c->v_attribute, c->v, dy));
    const v_f32 sum = v_f32_add(v_f32_greater(ux, uy), v_f32_greater(vx, vy));
    const v_i32 measured = fast_lod(v_f32_mul(v_f32_abs(v_f32_splat(proctex->width_bias)), sum));
    v_i32 lod = proctex->bias_is_zero ? v_i32_splat(0) : measured;
    lod = v_i32_max(lod, v_i32_splat(proctex->lod_min));
    lod = v_i32_min(lod, v_i32_splat(proctex->lod_max));
    return v_i32_max(lod, v_i32_splat(0));
}

/* PTX-22, PTX-24. */
static void sample_color(const struct fast_proctex *proctex, const struct fast_block *block,
                         const struct fast_coordinate *coordinate, v_f32 c, struct fast_colors *out)
{
    if (proctex->mip == 0) {
        const v_f32 scaled = v_f32_mul(c, v_f32_splat(proctex->width[0]));
        sample_table(proctex, v_f32_add(v_f32_splat(proctex->offset[0]), scaled), out);
        return;
    }
    const v_i32 lod = find_lod(proctex, block, coordinate);
    if (proctex->mip == 1) {
        sample_level(proctex, c, v_i32_shr(v_i32_add(lod, v_i32_splat(128)), 8), out);
        return;
    }
    const v_i32 first = v_i32_shr(lod, 8);
    const v_u16 fraction = v_u16_from_i32(v_i32_and(lod, v_i32_splat(255)));
    struct fast_colors p, q;
    sample_level(proctex, c, first, &p);
    sample_level(proctex, c, v_i32_min(v_i32_add(first, v_i32_splat(1)), v_i32_splat(7)), &q);
    for (int i = 0; i < 4; i++)
        out->channel[i] = fast_mip_blend(p.channel[i], q.channel[i], fraction);
}

/* PTX-13, PTX-14. */
void FAST_ISA(fast_sample_proctex)(const struct fast_proctex *proctex, const struct fast_block *block,
                                   struct fast_colors *out)
{
    const struct fast_coordinate coordinate = fast_block_coordinate(block, proctex->coordinate);
    v_f32 u = coordinate.u, v = coordinate.v;
    find_coordinates(proctex, &u, &v);
    trace_f32(block, PICA_TRACE_ID_PROCTEX_COORDINATE, 0u, (const v_f32[2]){ u, v }, 2u);
    const v_f32 c = look_up(proctex->rgb_lut, combine(u, v, proctex->function_rgb));
    trace_f32(block, PICA_TRACE_ID_PROCTEX_LOOKUP, 0u, &c, 1u);
    sample_color(proctex, block, &coordinate, c, out);
    if (proctex->separate_alpha) {
        const v_f32 a = look_up(proctex->alpha_lut, combine(u, v, proctex->function_alpha));
        trace_f32(block, PICA_TRACE_ID_PROCTEX_LOOKUP, 1u, &a, 1u);
        out->channel[3] = v_u16_from_i32(v_i32_u8(v_f32_mul(a, v_f32_splat(255.0f))));
    }
    trace_channels(block, PICA_TRACE_ID_PROCTEX_COLOR, 0u, out->channel, 4u);
}
