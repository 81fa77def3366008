/* Fog (50 section 3): step 4 of FBF-21. Gas shading (section 4) leaves the colour as it is, so it has no kernel. */
#include "fast/kernels/fog.h"
#include "fast/simd/simd.h"

/* FOG-04 (examples: FOG-06): how much of the colour remains, 0..1. */
static v_f32 fog_factor(const struct fast_fog *fog, v_f32 depth)
{
    const v_f32 zero = v_f32_splat(0.0f);
    const v_f32 one = v_f32_splat(1.0f);
    const v_f32 place = fog->flipped ? v_f32_sub(one, depth) : depth;
    const v_f32 x = v_f32_mul(place, v_f32_splat(128.0f));
    const v_f32 i = v_f32_sat(v_f32_floor(x), zero, v_f32_splat(127.0f)); /* x is not NaN in covered lanes */
    _Alignas(64) uint32_t index[V_LANES];
    v_f32 value, slope;
    v_u32_store(index, v_u32_from_i32(v_i32_shl(v_i32_trunc_in_range(i), 1)));
    v_f32_load_pairs_at(&value, &slope, fog->lut->words, index);
    const v_f32 k = v_f32_add(value, v_f32_mul(slope, v_f32_sub(x, i)));
    return v_f32_clamp(k, zero, one);
}

/* FOG-05, FOG-07 (TEV-01: alpha stays); called in fragment mode 0 only. */
void FAST_ISA(fast_fog_block)(const struct fast_shading_state *state, const struct fast_block *block,
                              struct fast_colors *colors)
{
    const struct fast_fog *fog = &state->fog;
    const v_f32 k = fog_factor(fog, block->depth);
    const v_f32 rest = v_f32_sub(v_f32_splat(1.0f), k);
    for (int c = 0; c < 3; c++) {
        const v_f32 color = v_f32_from_i32(v_i32_from_u16(colors->channel[c]));
        const v_f32 mixed = v_f32_add(v_f32_mul(k, color), v_f32_mul(rest, v_f32_splat(fog->color[c])));
        colors->channel[c] = v_u16_from_i32(v_i32_u8(mixed));
    }
}
