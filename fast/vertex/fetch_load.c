/* From the bytes of arrays to the inputs of the vertex shader (VTX-03 to VTX-12). */
#include "fast/vertex/fetch_load.h"

#include "fast/gpu.h"
#include "fast/kernels.h"
#include "fast/number.h"

static float convert_element(const struct fast_gpu *gpu, uint8_t type, uint32_t raw)
{
    switch ((enum pica_attribute_type)type) {
    case PICA_ATTRIBUTE_TYPE_BYTE: return (float)(int32_t)((raw ^ 0x80u) & 0xffu) - 128.0f;
    case PICA_ATTRIBUTE_TYPE_UNSIGNED_BYTE: return (float)raw;
    case PICA_ATTRIBUTE_TYPE_SHORT: return (float)(int32_t)((raw ^ 0x8000u) & 0xffffu) - 32768.0f;
    case PICA_ATTRIBUTE_TYPE_FLOAT:
    default: return fast_float(gpu->profile == PICA_PROFILE_F24 ? fast_round24_bits(raw) : raw);
    }
}

/* VTX-09, MEM-03. */
void fast_load_attribute(struct fast_gpu *gpu, const struct fast_attribute_source *source, uint32_t vertex,
                         float vector[4])
{
    const uint32_t address = source->address + source->stride * vertex;
    const uint32_t size = (uint32_t)source->elements * source->element_size;
    if (fast_memory_bytes(gpu, address, size) == NULL)
        fast_event(gpu, PICA_EVENT_MEM_OOB);
    for (uint32_t k = 0; k < source->elements; k++) {
        const uint32_t element = address + k * source->element_size;
        uint32_t raw = 0u;
        if (source->element_size == 1u)
            raw = fast_read8(gpu, element);
        else
            raw = source->element_size == 2u ? fast_read16(gpu, element) : fast_read32(gpu, element);
        vector[k] = convert_element(gpu, source->type, raw);
    }
}

/* Loads vertices one by one, where one may be outside memory. VTX-46: also attributes that no register shows. */
static void load_slowly(struct fast_gpu *gpu, const struct fast_attribute_source *source, const uint32_t *numbers,
                        uint32_t count)
{
    for (uint32_t lane = 0; lane < count; lane++) {
        float vector[4];
        fast_load_attribute(gpu, source, numbers[lane], vector);
        for (uint32_t k = 0; k < source->elements && source->target != FAST_NO_REGISTER; k++)
            gpu->vertices->file.row[FAST_ROW_INPUTS + source->target * 4u + k][lane] = vector[k];
    }
}

/*
 * Distance in bytes of each of `count` vertices from the first vertex of the draw, in each array. Sources of one array
 * share their offsets.
 */
static void find_offsets(struct fast_gather *gather, struct fast_vertex_fetch *fetch, const uint32_t *numbers,
                         uint32_t count)
{
    for (uint32_t s = 0; s < fetch->source_count; s++) {
        const uint32_t stride = fetch->sources[s].stride;
        if (s > 0u && stride == fetch->sources[s - 1u].stride) {
            fetch->offsets[s] = fetch->offsets[s - 1u];
            continue;
        }
        fetch->offsets[s] = gather->offsets[s];
        for (uint32_t i = 0; i < count; i++)
            gather->offsets[s][i] = stride * numbers[i];
    }
}

void fast_load_vertices(struct fast_gpu *gpu, const uint32_t numbers[FAST_FILE_LANES], uint32_t count)
{
    struct fast_vertices *const vertices = gpu->vertices;
    struct fast_vertex_fetch fetch = {
        .sources = vertices->sources,
        .source_count = vertices->source_count,
        .blocks = 1u,
        .f24 = gpu->profile == PICA_PROFILE_F24,
        .rows_wanted = UINT64_MAX,
        .rows = vertices->file.row[FAST_ROW_INPUTS],
        .distance = FAST_FILE_LANES,
    };
    find_offsets(&vertices->gather, &fetch, numbers, FAST_FILE_LANES);
    gpu->kernels->load_vertices(&fetch);
    for (uint32_t s = 0; s < vertices->source_count; s++)
        if (vertices->sources[s].bytes == NULL)
            load_slowly(gpu, &vertices->sources[s], numbers, count);
}

void fast_load_frame(const struct fast_gpu *gpu, struct fast_gather *gather, uint64_t rows, const uint32_t *numbers,
                     uint32_t blocks)
{
    const struct fast_vertices *const vertices = gpu->vertices;
    struct fast_vertex_fetch fetch = {
        .sources = vertices->sources,
        .source_count = vertices->source_count,
        .blocks = blocks,
        .f24 = false,
        .rows_wanted = rows,
        .rows = gather->frame.rows,
        .distance = FAST_PLAN_VERTICES,
    };
    find_offsets(gather, &fetch, numbers, blocks * FAST_FILE_LANES);
    gpu->kernels->load_vertices(&fetch);
}
