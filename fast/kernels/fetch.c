/* Array attributes of 16 vertices as rows of floats (VTX-02, VTX-09). */
#include "fast/kernels.h"

#include "fast/vertex/fetch.h"
#include "fast/kernels/number.h"

/* Elements of a little-endian word. */
static inline v_f32 short_at(v_u32 word, uint32_t half)
{
    const v_i32 bits = v_i32_from_u32(half == 0u ? v_u32_shl(word, 16) : word);
    return v_f32_from_i32(v_i32_shr(bits, 16));
}

static inline v_f32 byte_at(v_u32 word, uint32_t k)
{
    const v_u32 bits = v_u32_and(v_u32_shr(word, (int)(8u * k)), v_u32_splat(0xffu));
    return v_f32_from_i32(v_i32_from_u32(bits));
}

static inline v_f32 signed_byte_at(v_u32 word, uint32_t k)
{
    const v_i32 bits = v_i32_from_u32(v_u32_shl(word, (int)(24u - 8u * k)));
    return v_f32_from_i32(v_i32_shr(bits, 24));
}

static inline v_f32 element_at(const v_u32 words[4], enum pica_attribute_type type, uint32_t k, bool f24)
{
    switch (type) {
    case PICA_ATTRIBUTE_TYPE_BYTE: return signed_byte_at(words[0], k);
    case PICA_ATTRIBUTE_TYPE_UNSIGNED_BYTE: return byte_at(words[0], k);
    case PICA_ATTRIBUTE_TYPE_SHORT: return short_at(words[k / 2u], k % 2u);
    case PICA_ATTRIBUTE_TYPE_FLOAT:
    default: return result(v_f32_from_bits(words[k]), f24);
    }
}

/*
 * 16 vertices: lane i's attribute is at source->bytes + offsets[i]. Bytes beyond its elements are in the arena, too
 * (fast/gpu.h). `wanted`: bit k = element k has a row, at rows + k * distance.
 */
static inline void load_block(const struct fast_attribute_source *source, const struct fast_vertex_fetch *fetch,
                              uint32_t wanted, const uint32_t offsets[V_LANES], float *rows)
{
    const enum pica_attribute_type type = (enum pica_attribute_type)source->type;
    const uint32_t distance = fetch->distance;
    const bool f24 = fetch->f24;
    v_u32 words[4];
    if ((uint32_t)source->elements * source->element_size <= 4u)
        words[0] = words[1] = words[2] = words[3] = v_u32_gather_le(source->bytes, offsets);
    else
        v_u32_gather4_le(words, source->bytes, offsets);
    for (uint32_t k = 0; k < 4u; k++)
        if ((wanted >> k & 1u) != 0u)
            v_f32_store(rows + (size_t)k * distance, element_at(words, type, k, f24));
}

/* Sources that some register shows and whose vertices are all in memory. */
static void load_vertices(const struct fast_vertex_fetch *fetch)
{
    for (uint32_t s = 0; s < fetch->source_count; s++) {
        const struct fast_attribute_source *const source = &fetch->sources[s];
        if (source->bytes == NULL || source->target == FAST_NO_REGISTER)
            continue;
        const uint32_t first_row = source->target * 4u;
        const uint32_t wanted = (uint32_t)(fetch->rows_wanted >> first_row & 0xfu) & ((1u << source->elements) - 1u);
        float *const rows = fetch->rows + (size_t)first_row * fetch->distance;
        for (uint32_t b = 0; b < fetch->blocks && wanted != 0u; b++)
            load_block(source, fetch, wanted, fetch->offsets[s] + (size_t)b * V_LANES, rows + (size_t)b * V_LANES);
    }
}

/* Compilers make vectors of this loop. */
static void find_index_range(const uint8_t *bytes, uint32_t width, uint32_t count, uint32_t range[2])
{
    uint32_t least = UINT32_MAX;
    uint32_t greatest = 0u;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t index =
            width == 1u ? bytes[i] : (uint32_t)bytes[2u * (size_t)i] | (uint32_t)bytes[2u * (size_t)i + 1u] << 8;
        least = index < least ? index : least;
        greatest = index > greatest ? index : greatest;
    }
    range[0] = least;
    range[1] = greatest;
}

void FAST_ISA(fast_fill_vertex_load)(struct fast_kernels *kernels);

void FAST_ISA(fast_fill_vertex_load)(struct fast_kernels *kernels)
{
    kernels->load_vertices = load_vertices;
    kernels->find_index_range = find_index_range;
}
